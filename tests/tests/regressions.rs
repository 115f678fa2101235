//! Replays inputs that fuzzing found, and a few initial inputs, in every test run.

use fablegrade_tests::fuzzed::TARGETS;
use fablegrade_tests::repository;

#[test]
fn inputs_that_once_broke_a_law_keep_it() {
    let mut replayed = 0;
    for &(name, target) in TARGETS {
        let folder = repository().join("fuzz/regressions").join(name);
        let mut inputs: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "{name} has no input to begin with");
        for input in inputs {
            // If a check fails, the output contains the name of the file.
            println!("{}", input.display());
            target(&std::fs::read(&input).unwrap());
            replayed += 1;
        }
    }
    assert!(replayed >= 10);
}

#[test]
fn every_target_has_its_program() {
    for (name, _) in TARGETS {
        let program = repository().join(format!("fuzz/fuzz_targets/{name}.rs"));
        assert!(
            std::fs::read_to_string(program).is_ok_and(|text| text.contains(&format!("fuzzed::{name}(")))
        );
    }
}
