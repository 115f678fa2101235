//! terry tasks in real sandboxes: managers in Python, C++, Rust and as executables, and all kinds of
//! failures.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use fablegrade_runner::terry::{TaskOptions, TaskRunner, TestRun, draw_seeds, read_folder};
use fablegrade_runner::{Runner, RunnerOptions};
use fablegrade_terry::evaluation::{Cause, Failure, Judged, Role};
use fablegrade_terry::folder::{Folder, Preference, Program};
use fablegrade_terry::task::Task;

/// One tested sandbox for all tests, with a separate cache, which later runs of the tests reuse.
static RUNNER: LazyLock<Arc<Runner>> = LazyLock::new(|| {
    let mut options = RunnerOptions::default();
    let user = fs::metadata("/proc/self").unwrap().uid();
    options.cache = Some(std::env::temp_dir().join(format!("fablegrade-terry-tests-of-{user}")));
    let runner = Runner::with_options(&options);
    assert_eq!(runner.trouble(), None);
    Arc::new(runner)
});

/// A copy of a fixture task in a separate folder.
struct Copied(PathBuf);

impl Drop for Copied {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Copied {
    fn of(task: &str, name: &str) -> Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terry").join(task);
        let to = std::env::temp_dir().join(format!("fablegrade-terry-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&to);
        for part in ["managers", "solutions", "statement"] {
            fs::create_dir_all(to.join(part)).unwrap();
            for found in fs::read_dir(from.join(part)).unwrap().flatten() {
                fs::copy(found.path(), to.join(part).join(found.file_name())).unwrap();
            }
        }
        fs::copy(from.join("task.yaml"), to.join("task.yaml")).unwrap();
        Self(to)
    }

    fn write(&self, path: &str, text: &str) -> &Self {
        fs::write(self.0.join(path), text).unwrap();
        fs::set_permissions(self.0.join(path), fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn task(&self) -> Task {
        Task::from_yaml(&fs::read(self.0.join("task.yaml")).unwrap()).unwrap().0
    }

    fn folder(&self) -> Folder {
        Folder::new(read_folder(&self.0).unwrap().entries)
    }

    fn host(&self) -> TaskRunner {
        TaskRunner::prepare(&RUNNER, &self.0, &self.folder(), &quick()).unwrap()
    }

    fn program(&self, solution: &str) -> Program {
        let folder = self.folder();
        folder.solutions().iter().find(|one| one.path.ends_with(solution)).unwrap().clone()
    }

    fn test(&self, solution: &str, seeds: &[u32]) -> Vec<TestRun> {
        let host = self.host();
        let solution = host.solution(&self.0, &self.program(solution)).unwrap();
        host.test(&self.task(), &[solution], seeds, |_| ())
    }

    fn run(&self, solution: &str) -> Result<Judged, Failure> {
        self.test(solution, &[42]).remove(0).concluded
    }

    fn examined(&self) -> Vec<(String, &'static str)> {
        let host = self.host();
        let found = host.examine(&self.task(), &self.0, &self.folder(), |_| ()).unwrap();
        found.into_iter().map(|found| (found.file, found.finding.rule)).collect()
    }
}

fn quick() -> TaskOptions {
    let mut options = TaskOptions::default();
    options.managers.cpu = Duration::from_secs(3);
    options.solutions.cpu = Duration::from_millis(500);
    options.solutions.memory_mb = 256;
    options
}

fn points(judged: Result<Judged, Failure>) -> String {
    judged.unwrap().points.to_string()
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn python_managers_with_a_module_beside_them() {
    let task = Copied::of("doubling", "python");
    assert_eq!(points(task.run("right.py")), "50");
    assert_eq!(points(task.run("right.cpp")), "50");
    assert_eq!(points(task.run("first_two.py")), "20");
    assert_eq!(points(task.run("wrong.py")), "0");
    let crash = task.run("crash.c").unwrap_err();
    assert!(
        matches!(crash, Failure::Program { role: Role::Solution, cause: Cause::Signal(6), .. }),
        "{crash:?}"
    );
    let endless = task.run("endless.rs").unwrap_err();
    assert!(
        matches!(endless, Failure::Program { role: Role::Solution, cause: Cause::Time, .. }),
        "{endless:?}"
    );
    let found: Vec<_> = task.examined().into_iter().map(|(file, rule)| format!("{file} {rule}")).collect();
    assert_eq!(found, ["solutions/crash.c solution-failed", "solutions/endless.rs solution-failed"]);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn cpp_managers_with_a_header_subtasks_and_an_official_solution() {
    let task = Copied::of("largest", "cpp");
    let judged = task.run("short_only.py").unwrap();
    assert_eq!(judged.points.to_string(), "30");
    let subtasks: Vec<_> =
        judged.result.subtasks().iter().map(|one| (one.score.to_string(), one.testcases.len())).collect();
    assert_eq!(subtasks, [("30".to_owned(), 2), ("0".to_owned(), 4)]);
    assert!(judged.findings.is_empty(), "{:?}", judged.findings);
    let host = task.host();
    let official = host.official_program(&task.folder()).unwrap();
    let solution = host.solution(&task.0, &official).unwrap();
    let run = host.test(&task.task(), &[solution], &[1, u32::MAX], |_| ());
    assert!(run.into_iter().all(|run| points(run.concluded) == "100"));
    assert_eq!(task.examined(), []);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn rust_managers_with_a_validator() {
    let task = Copied::of("palindrome", "rust");
    assert_eq!(points(task.run("right.py")), "30");
    assert_eq!(points(task.run("always_no.py")), "15");
    assert_eq!(task.examined(), []);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn executables_as_servers_start_them_with_the_official_solution_at_hand() {
    let task = Copied::of("executables", "executables");
    assert_eq!(points(task.run("same.linux.x86_64")), "10");
    assert_eq!(task.examined(), []);
    // An official solution that is a source is built under the name of the executable.
    fs::remove_file(task.0.join("managers/solution.linux.x86_64")).unwrap();
    fs::remove_file(task.0.join("managers/solution.linux.aarch64")).unwrap();
    let source = "print(input() + ' squared')\n";
    task.write("managers/solution.py", source);
    assert_eq!(points(task.run("same.linux.x86_64")), "10");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_solution_sees_neither_managers_nor_the_official_solution() {
    let task = Copied::of("executables", "secrets");
    let spy = "import os, sys\nseen = sorted(os.listdir('/box')) + sorted(os.listdir('.'))\nsys.exit(','.join(seen))\n";
    task.write("solutions/spy.py", spy);
    let Failure::Program { stderr, .. } = task.run("spy.py").unwrap_err() else { panic!() };
    assert_eq!(stderr, "solution.py");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn sources_are_taken_instead_of_executables_when_that_is_preferred() {
    let task = Copied::of("doubling", "prefer");
    task.write("managers/generator.linux.x86_64", "#!/bin/sh\nexit 9\n");
    task.write("managers/generator.linux.aarch64", "#!/bin/sh\nexit 9\n");
    let failure = task.run("right.py").unwrap_err();
    assert!(
        matches!(failure, Failure::Program { role: Role::Generator, cause: Cause::Exit(9), .. }),
        "{failure:?}"
    );
    let mut options = quick();
    options.prefer = Preference::Sources;
    let host = TaskRunner::prepare(&RUNNER, &task.0, &task.folder(), &options).unwrap();
    assert!(host.input(42).is_ok());
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn broken_generators_and_validators() {
    let task = Copied::of("doubling", "broken");
    let generator = |text: &str| {
        task.write("managers/generator.py", text);
        task.run("right.py").unwrap_err()
    };
    let crashed = generator("import sys\nsys.exit('no luck')\n");
    assert_eq!((crashed.rule(), crashed.said()), ("generation-failed", "no luck"));
    let invalid = generator("print(0)\n");
    assert_eq!(invalid.rule(), "input-invalid");
    assert!(invalid.said().contains("AssertionError"), "{invalid:?}");
    assert!(matches!(
        generator("while True: pass\n"),
        Failure::Program { role: Role::Generator, cause: Cause::Time, .. }
    ));
    let flood = generator("import sys\nwhile True: sys.stdout.write('x' * 65536)\n");
    assert!(
        matches!(flood, Failure::Program { role: Role::Generator, cause: Cause::Output, .. }),
        "{flood:?}"
    );
    task.write("managers/generator.py", "this is no Python\n");
    let failure = TaskRunner::prepare(&RUNNER, &task.0, &task.folder(), &quick()).unwrap_err();
    assert!(
        matches!(&failure, Failure::Program { role: Role::Generator, cause: Cause::Build(_), .. }),
        "{failure:?}"
    );
    assert!(failure.said().contains("SyntaxError"), "{failure:?}");
    fs::remove_file(task.0.join("managers/generator.py")).unwrap();
    task.write("managers/generator.cpp", "int main() { return x; }\n");
    let failure = TaskRunner::prepare(&RUNNER, &task.0, &task.folder(), &quick()).unwrap_err();
    assert!(failure.said().contains("generator.cpp:1:21"), "{failure:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_validator_that_reads_nothing_is_judged_by_its_exit_code() {
    let task = Copied::of("doubling", "deaf");
    // More than a pipe holds, so a writer would block.
    task.write("managers/generator.py", "print(900)\nfor n in range(900): print('0' * 100 + str(n))\n");
    task.write("managers/validator.py", "pass\n");
    assert_eq!(points(task.run("right.py")), "50");
    task.write("managers/validator.py", "raise SystemExit(3)\n");
    assert_eq!(task.run("right.py").unwrap_err().rule(), "input-invalid");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn seeds_are_drawn_from_31_bits_and_any_of_32_can_be_given() {
    let seeds = fablegrade_runner::terry::draw_seeds(2_000).unwrap();
    let different: std::collections::BTreeSet<_> = seeds.iter().collect();
    assert_eq!(different.len(), 2_000);
    assert!(seeds.iter().all(|seed| *seed < 1 << 31) && seeds.iter().any(|seed| *seed > 1 << 30));
    let task = Copied::of("doubling", "seed");
    let echo = "import sys\nassert sys.argv[1] == '4294967295'\nprint(1)\nprint(7)\n";
    task.write("managers/generator.py", echo);
    assert_eq!(task.host().input(u32::MAX).unwrap(), b"1\n7\n");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn what_running_shows_about_a_task() {
    let task = Copied::of("doubling", "examined");
    for solution in ["crash.c", "endless.rs", "right.cpp", "right.py"] {
        fs::remove_file(task.0.join("solutions").join(solution)).unwrap();
    }
    let rules = || task.examined().into_iter().map(|(_, rule)| rule).collect::<Vec<_>>();
    assert_eq!(rules(), ["no-full-solution"]);
    task.write(
        "managers/generator.py",
        "import os\nprint(3)\nprint(1)\nprint(2)\nprint(int.from_bytes(os.urandom(8), 'big'))\n",
    );
    task.write("managers/validator.py", "pass\n");
    assert_eq!(
        rules(),
        [
            "generator-not-deterministic",
            "validator-accepts-anything",
            "validator-accepts-anything",
            "no-full-solution"
        ]
    );
    task.write("managers/generator.py", "print('3\\n7\\n8\\n9')\n");
    task.write("managers/validator.py", "import sys\nassert sys.stdin.read() == '3\\n7\\n8\\n9\\n'\n");
    task.write("solutions/right.rb", "");
    task.write("solutions/broken.cpp", "int main() { return x; }\n");
    assert_eq!(rules(), ["seed-without-effect", "solution-failed", "no-full-solution"]);
    task.write(
        "managers/checker.py",
        &fs::read_to_string(task.0.join("managers/checker.py"))
            .unwrap()
            .replace("sum(correct)", "len(numbers)"),
    );
    assert_eq!(rules()[..2], ["seed-without-effect", "points-for-nothing"]);
}

/// Judges an output with a checker in Python that has this body.
fn checker(task: &Copied, body: &str) -> Result<Judged, Failure> {
    task.write("managers/checker.py", &format!("import json, os, sys, time\n{body}\n"));
    task.host().grade(&task.task(), b"1\n7\n", b"Case #1: 14\n")
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_manager_can_start_an_official_solution_in_another_language() {
    let task = Copied::of("doubling", "official");
    let sound = r#"{"score": 1.0, "validation": {"cases": [{"status": "parsed"}], "alerts": []}, "feedback": {"cases": [{"correct": true}], "alerts": []}}"#;
    let body = format!(
        "import glob, subprocess\nprogram, = glob.glob('/box/solution.linux.*')\n\
         said = subprocess.run([program], input='4', capture_output=True, text=True)\n\
         assert said.stdout == '16\\n', said\nprint('{sound}')"
    );
    for (name, source) in [
        ("solution.py", "print(int(input()) ** 2)\n"),
        (
            "solution.cpp",
            "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n * n << '\\n'; }\n",
        ),
        ("solution.js", "console.log(Number(require('fs').readFileSync(0, 'utf8')) ** 2);\n"),
    ] {
        task.write(&format!("managers/{name}"), source);
        assert_eq!(points(checker(&task, &body)), "50", "{name}");
        fs::remove_file(task.0.join("managers").join(name)).unwrap();
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn broken_checkers_are_typed_failures_and_never_a_score() {
    let task = Copied::of("doubling", "checkers");
    let sound = r#"{"score": 1.0, "validation": {"cases": [{"status": "parsed"}], "alerts": []}, "feedback": {"cases": [{"correct": true}], "alerts": []}}"#;
    assert_eq!(points(checker(&task, &format!("print('{sound}')"))), "50");
    let printed = |body: &str, rule: &str| match checker(&task, body) {
        Err(Failure::Result { error, .. }) => assert_eq!(error.rule(), rule, "{body}"),
        other => panic!("{body}: {other:?}"),
    };
    printed("pass", "nothing-printed");
    printed(&format!("print('{sound}')\nprint('done')"), "json-syntax");
    printed(&format!("print('{sound}'.replace('1.0', 'NaN'))"), "not-a-number");
    printed("print(json.dumps({'score': float('nan')}))", "not-a-number");
    printed(&format!("print('{sound}'.replace('1.0', '1.2'))"), "score-range");
    printed(
        &format!("r = json.loads('{sound}'); r['feedback']['cases'] *= 2; print(json.dumps(r))"),
        "case-counts-differ",
    );
    printed("print('x' * 1000000)", "json-syntax");
    printed("sys.stdout.buffer.write(b'{\"score\": \\xff}')", "invalid-utf8");
    let ended = |body: &str| match checker(&task, body) {
        Err(Failure::Program { role: Role::Checker, cause, .. }) => cause,
        other => panic!("{body}: {other:?}"),
    };
    assert_eq!(ended(&format!("print('{sound}')\nsys.exit(3)")), Cause::Exit(3));
    assert_eq!(ended(&format!("print('{sound}', flush=True)\nos.abort()")), Cause::Signal(6));
    assert_eq!(ended("while True: pass"), Cause::Time);
    assert_eq!(ended("time.sleep(1000)"), Cause::Time);
    assert_eq!(ended("while True: sys.stdout.write('x' * 65536)"), Cause::Output);
    assert_eq!(ended("x = []\nwhile True: x.append(bytearray(50000000))"), Cause::Memory);
    // Every process keeps forking; the process limit makes the calls fail, or another limit ends the program.
    let bomb = ended("while True:\n    os.fork()");
    assert!(matches!(bomb, Cause::Exit(_) | Cause::Time | Cause::Memory), "{bomb:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn checkers_under_bad_outputs() {
    let task = Copied::of("doubling", "fuzz");
    let host = task.host();
    let right = host.solution(&task.0, &task.program("right.py")).unwrap();
    let mut seen = 0;
    let all = host.fuzz_checker(&task.task(), 42, Some(&right), |_| seen += 1).unwrap();
    assert_eq!(seen, all.len());
    assert!(all.len() >= 30 && all.iter().all(|one| one.passes()), "{all:?}");
    let twice = all.iter().find(|one| one.name == "good-twice").unwrap();
    assert_eq!(points(twice.concluded.clone()), "50");

    // A checker that trusts its input is detected.
    let text = fs::read_to_string(task.0.join("managers/checker.py")).unwrap();
    task.write("managers/checker.py", &text.replace(", errors=\"replace\"", ""));
    let host = task.host();
    let broken = host.fuzz_checker(&task.task(), 42, None, |_| ()).unwrap();
    let names: Vec<_> = broken.iter().filter(|one| !one.passes()).map(|one| one.name).collect();
    assert!(
        names.contains(&"random-1k") && names.contains(&"invalid-utf8") && !names.contains(&"empty"),
        "{names:?}"
    );
    // So is a checker that gives points for invalid output.
    task.write("managers/checker.py", &text.replace("sum(correct)", "len(text) and len(numbers)"));
    let paying = task.host().fuzz_checker(&task.task(), 42, None, |_| ()).unwrap();
    assert!(paying.iter().any(|one| !one.passes() && one.concluded.is_ok()));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn many_seeds_in_parallel_are_ordered_and_the_same_as_one_by_one() {
    let task = Copied::of("doubling", "parallel");
    let host = task.host();
    let solutions: Vec<_> =
        ["right.py", "first_two.py"].map(|name| host.solution(&task.0, &task.program(name)).unwrap()).into();
    let seeds = draw_seeds(20).unwrap();
    let mut ended = 0;
    let all = host.test(&task.task(), &solutions, &seeds, |_| ended += 1);
    assert_eq!((all.len(), ended), (40, 40));
    for (at, run) in all.iter().enumerate() {
        assert_eq!((run.seed, run.solution), (seeds[at / 2], at % 2));
        assert_eq!(points(run.concluded.clone()), if run.solution == 0 { "50" } else { "20" });
        let roles: Vec<_> = run.measures.iter().map(|measure| measure.role).collect();
        assert_eq!(roles, [Role::Generator, Role::Validator, Role::Solution, Role::Checker]);
        assert!(run.solutions_measure().unwrap().memory_kb.is_some());
    }
    assert_eq!(host.input(seeds[0]).unwrap(), host.input(seeds[0]).unwrap());
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn nothing_is_left_behind() {
    // Other tests use their folders at the same time; only this test has this seed as its input.
    let left = || {
        let folders = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
        let inputs = folders.filter_map(|found| fs::read_to_string(found.path().join("input.txt")).ok());
        inputs.filter(|input| input == "987654321\n").count()
    };
    let task = Copied::of("executables", "left");
    let run = task.test("same.linux.x86_64", &[987_654_321]).remove(0);
    assert_eq!((points(run.concluded), left()), ("10".to_owned(), 0));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn without_a_sandbox_nothing_is_run_and_the_host_is_named() {
    let mut options = RunnerOptions::default();
    options.sandbox.bubblewrap = Some(PathBuf::from("/nonexistent/bwrap"));
    let runner = Arc::new(Runner::with_options(&options));
    let task = Copied::of("doubling", "unsafe");
    let failure = TaskRunner::prepare(&runner, &task.0, &task.folder(), &quick()).unwrap_err();
    assert!(failure.is_hosts() && failure.to_string().contains("/nonexistent/bwrap"), "{failure}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn links_are_followed_only_inside_of_the_folder() {
    let task = Copied::of("doubling", "links");
    std::os::unix::fs::symlink("/etc/passwd", task.0.join("managers/passwd.txt")).unwrap();
    std::os::unix::fs::symlink("statement.md", task.0.join("statement/english.md")).unwrap();
    std::os::unix::fs::symlink(".", task.0.join("solutions/again")).unwrap();
    let listing = read_folder(&task.0).unwrap();
    let rules: Vec<_> =
        listing.findings.iter().map(|found| (found.file.as_str(), found.finding.rule)).collect();
    assert_eq!(rules, [("managers/passwd.txt", "link-leaves-folder"), ("solutions/again", "link-loop")]);
    assert!(listing.entries.iter().any(|entry| entry.path == "statement/english.md"));
    assert!(
        !listing.entries.iter().any(|entry| entry.path.contains("again") || entry.path.contains("passwd"))
    );
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn folders_and_links_below_managers_are_there_when_a_manager_runs() {
    use std::os::unix::fs::symlink;
    let contest = Copied::of("doubling", "contest-of-links");
    let inside = contest.0.join("task");
    for part in ["managers", "solutions", "statement"] {
        fs::create_dir_all(inside.join(part)).unwrap();
        for found in fs::read_dir(contest.0.join(part)).unwrap().flatten() {
            fs::copy(found.path(), inside.join(part).join(found.file_name())).unwrap();
        }
    }
    fs::copy(contest.0.join("task.yaml"), inside.join("task.yaml")).unwrap();
    let task = Copied(inside);
    fs::create_dir_all(task.0.join("managers/package/deep")).unwrap();
    task.write("managers/package/__init__.py", "")
        .write("managers/package/deep/__init__.py", "from .. import value\nPOINTS = value.HALF\n")
        .write("managers/package/value.py", "HALF = 0.5\n")
        .write(
            "managers/checker.py",
            "import json\nfrom package.deep import POINTS\nfrom linked.inside import more\nfrom shared import most\n\
             print(json.dumps({'score': POINTS + more + most, 'validation': {'cases': [], 'alerts': []}, 'feedback': {'cases': [], 'alerts': []}}))\n",
        );
    fs::create_dir_all(task.0.join("lib")).unwrap();
    task.write("lib/inside.py", "more = 0.25\n");
    symlink("../lib", task.0.join("managers/linked")).unwrap();
    symlink("..", task.0.join("managers/round")).unwrap();
    fs::write(contest.0.join("shared.py"), "most = 0.25\n").unwrap();
    symlink("../../shared.py", task.0.join("managers/shared.py")).unwrap();

    // Outside a contest, the link leaves the task.
    let left_out: Vec<_> = read_folder(&task.0)
        .unwrap()
        .findings
        .into_iter()
        .map(|found| (found.file, found.finding.rule))
        .collect();
    let round = ("managers/round".to_owned(), "link-loop");
    assert_eq!(left_out, [round.clone(), ("managers/shared.py".to_owned(), "link-leaves-folder")]);

    fs::write(contest.0.join("contest.yaml"), "").unwrap();
    let found: Vec<_> = read_folder(&task.0)
        .unwrap()
        .findings
        .into_iter()
        .map(|found| (found.file, found.finding.rule))
        .collect();
    assert_eq!(found, [round]);
    assert_eq!(points(task.run("right.py")), "50");
    std::mem::forget(task);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_header_in_a_folder_of_managers_is_found_by_the_compiler() {
    let task = Copied::of("doubling", "headers");
    fs::create_dir_all(task.0.join("managers/lib")).unwrap();
    let _ = fs::remove_file(task.0.join("managers/checker.py"));
    task.write("managers/lib/points.h", "#define POINTS \"1.0\"\n").write(
        "managers/checker.cpp",
        "#include <cstdio>\n#include \"lib/points.h\"\nint main() { std::puts(\"{\\\"score\\\": \" POINTS \", \\\"validation\\\": \
         {\\\"cases\\\": [], \\\"alerts\\\": []}, \\\"feedback\\\": {\\\"cases\\\": [], \\\"alerts\\\": []}}\"); }\n",
    );
    assert_eq!(points(task.run("wrong.py")), "50");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_crashing_manager_is_told_once_with_advice_that_fits() {
    let advice = |name: &str, manager: &str, text: &str| {
        let task = Copied::of("doubling", name);
        task.write(manager, text);
        let host = task.host();
        let found = host.examine(&task.task(), &task.0, &task.folder(), |_| ()).unwrap();
        let errors: Vec<_> =
            found.into_iter().filter(|one| one.finding.severity.as_str() == "error").collect();
        assert_eq!(errors.len(), 1, "{errors:?}");
        (errors[0].finding.rule, errors[0].finding.help.clone())
    };
    let (rule, help) = advice("crash-generator", "managers/generator.py", "import sys\nsys.exit(3)\n");
    assert!(rule == "generation-failed" && help.contains("`SEED 0`"), "{help}");
    // The checker accepts an empty output, so it fails only when solutions are run.
    let late = "import sys, json\nif open(sys.argv[2]).read():\n    raise SystemExit(7)\n\
                print(json.dumps({'score': 0, 'validation': {'cases': [], 'alerts': []}, 'feedback': {'cases': [], 'alerts': []}}))\n";
    let (rule, help) = advice("crash-checker", "managers/checker.py", late);
    assert!(rule == "checker-failed" && help.contains("paths of the input and the output"), "{help}");
    let (rule, help) = advice("crash-syntax", "managers/checker.py", "import no_such_module\n");
    assert!(rule == "checker-failed" && help.contains("by hand"), "{help}");
    let (rule, help) = advice("no-result", "managers/checker.py", "print('fine')\n");
    assert!(rule == "checker-result-invalid" && help.contains("one JSON result"), "{help}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_checker_writes_eight_mebibytes_and_no_more_however_it_is_run() {
    let ended = |name: &str, bytes: usize| {
        let task = Copied::of("doubling", name);
        task.write(
            "managers/checker.py",
            &format!("import json\nresult = json.dumps({{'score': 0, 'validation': {{'cases': [], 'alerts': []}}, 'feedback': {{'cases': [], 'alerts': []}}}})\nprint(result + ' ' * ({bytes} - len(result) - 1))\n"),
        );
        let host = task.host();
        let graded = host.grade(&task.task(), b"1\n", b"2\n");
        let fuzzed = host.fuzz_checker(&task.task(), 1, None, |_| ()).unwrap();
        assert!(fuzzed.iter().all(|one| one.concluded.is_ok() == graded.is_ok()), "{name}");
        graded
    };
    assert!(ended("checker-writes-8-mib", 8 << 20).is_ok());
    let failed = ended("checker-writes-more", (8 << 20) + 1).unwrap_err();
    assert!(
        matches!(failed, Failure::Program { role: Role::Checker, cause: Cause::Output, .. }),
        "{failed:?}"
    );
}
