//! Checks that keys cannot reach a learner's browser: by types, the dependency graph and non-interference.
// Tests can panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)]
#[path = "../../tests/tests/properties/dice.rs"]
mod dice;
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/tests/properties/documents.rs"]
mod documents;

use std::process::Command;

use fablegrade_core::{AnswerSpec, deliver};
use fablegrade_tests::{Kind, repository, vectors};
use fablegrade_wasm::{completeness, lint_view, preview_cases, read, translate, understand, validate};
use proptest::prelude::*;

use crate::dice::dice;

fn ok(reply: &str) -> bool {
    assert!(reply.contains("\"ok\":true") != reply.contains("\"ok\":false"), "{reply}");
    reply.contains("\"ok\":true")
}

#[test]
fn no_spec_with_a_key_passes_for_a_view() {
    let mut types = std::collections::BTreeSet::new();
    for vector in vectors().iter().filter(|vector| vector.kind == Kind::Deliver) {
        let spec = vector.document("spec").unwrap();
        let kind = vector.folder.split('/').next().unwrap().to_owned();
        // Free text has no key: its spec is its view.
        if kind == "free_text" {
            continue;
        }
        // A code question with only public suites also has no key.
        if kind == "code" && !spec.contains("\"hidden\"") {
            continue;
        }
        for reply in [
            read("DeliveryView", &spec),
            lint_view(&spec),
            validate(&spec, r#"{"type":"numeric","value":1}"#, ""),
            understand("x", "{}", &spec, ""),
            preview_cases(&spec, "[]"),
        ] {
            assert!(!ok(&reply), "{}: {reply}", vector.name);
            assert!(
                reply.contains("key-in-view") || reply.contains("unknown-field"),
                "{}: {reply}",
                vector.name
            );
        }
        types.insert(kind);
    }
    assert_eq!(types.len(), 8, "{types:?}");
}

/// Returns the names of all crates that are compiled into a package for the browser.
fn dependencies(package: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(repository())
        .args([
            "tree",
            "--offline",
            "--prefix",
            "none",
            "--edges",
            "normal,build",
            "--format",
            "{p}",
            "-p",
            package,
        ])
        .args(["--target", "wasm32-unknown-unknown"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names: Vec<String> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| line.split(' ').next().map(ToOwned::to_owned))
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn the_core_is_not_below_the_learners_package() {
    let names = dependencies("fablegrade-wasm");
    let ours: Vec<_> = names.iter().filter(|name| name.starts_with("fablegrade")).collect();
    assert_eq!(ours, ["fablegrade-latex", "fablegrade-public", "fablegrade-wasm"]);
    // No crate may call browser functions.
    for name in ["js-sys", "web-sys", "getrandom", "jsonschema"] {
        assert!(!names.iter().any(|other| other == name), "{name}");
    }
    // The author's package does contain the core, which shows that the check can find it.
    assert!(dependencies("fablegrade-wasm-author").contains(&"fablegrade-core".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Two questions that differ only in their keys give the same bytes for every call that a learner can
    /// make.
    #[test]
    fn a_key_changes_nothing_that_a_learner_gets(mut dice in dice(400)) {
        let spec = documents::spec(&mut dice);
        let mut other = spec.clone();
        documents::rekey(&mut dice, &mut other);
        let submission = documents::submission(&mut dice, &spec).to_string();
        let outcomes = documents::outcomes(&mut dice, &spec).to_string();
        let latex = spec["canonical"].as_str().unwrap_or("x+").to_owned();
        let replies = [&spec, &other].map(|spec| {
            let spec = AnswerSpec::from_json(spec.to_string()).unwrap();
            let view = deliver(&spec, "seed").to_json();
            [
                read("DeliveryView", &view),
                validate(&view, &submission, "de"),
                completeness(&view, &submission, "de"),
                lint_view(&view),
                understand(&latex, "{}", &view, "de"),
                preview_cases(&view, &outcomes),
                view,
            ]
        });
        prop_assert_eq!(&replies[0], &replies[1]);
        prop_assert!(ok(&replies[0][0]), "the view is one");
    }

    /// Every text gets a reply, and the reply is JSON.
    #[test]
    fn every_text_is_answered(a in "\\PC{0,60}", b in "\\PC{0,60}", c in "[-0-9.e]{0,8}") {
        for reply in [
            read(&a, &b), read("Submission", &b), validate(&a, &b, ""), lint_view(&a), understand(&a, &b, "", ""), understand(&a, "{}", "", "de"),
            understand(&a, "{}", &b, ""), completeness(&a, &b, ""), translate(&a, &b), preview_cases(&a, &b), fablegrade_wasm::count_words(&a),
            fablegrade_wasm::match_output("json", a.as_bytes(), b.as_bytes(), &c),
        ] {
            prop_assert!(fablegrade_core::json::Json::parse(reply.as_bytes()).is_ok(), "{}", reply);
            ok(&reply);
        }
    }
}

#[test]
fn spans_count_utf16() {
    // `𝛼` has two UTF-16 code units and four bytes.
    let reply = understand("x+𝛼", "{}", "", "");
    assert!(reply.contains(r#""span":{"end":4,"start":2}"#), "{reply}");
    let reply = understand("|é|+|x", "{}", "", "");
    assert!(reply.contains(r#""span":{"end":2,"start":1}"#), "{reply}");
}

#[test]
fn outcomes_of_hidden_suites_are_refused() {
    let view = r#"{"type":"code","languages":["c"],"limits":{},"testSuites":[
        {"name":"p","visibility":"public","cases":[{"input":"","expected":"1","points":3},{"input":"","expected":"2"}]},
        {"name":"h","visibility":"hidden"}]}"#;
    let judged = preview_cases(view, r#"[{"suite":"p","caseIndex":0,"end":"exited","stdout":"1\n"}]"#);
    assert!(judged.contains(r#""earned":3,"ok":true,"passed":1,"points":4,"total":2"#), "{judged}");
    for (outcomes, code) in [
        (r#"[{"suite":"h","caseIndex":0,"end":"exited"}]"#, "hidden-suite"),
        (r#"[{"suite":"p","caseIndex":2,"end":"exited"}]"#, "unknown-case"),
        (
            r#"[{"suite":"p","caseIndex":0,"end":"timeout"},{"suite":"p","caseIndex":0,"end":"exited"}]"#,
            "case-twice",
        ),
    ] {
        let reply = preview_cases(view, outcomes);
        assert!(!ok(&reply) && reply.contains(code), "{reply}");
    }
}

#[test]
fn what_a_view_shows_is_linted_as_in_the_spec() {
    let mut seen = 0;
    for vector in vectors().iter().filter(|vector| vector.kind == Kind::Lint) {
        let Some(spec) = vector.document("spec").and_then(|spec| AnswerSpec::from_json(spec).ok()) else {
            continue;
        };
        let reply = lint_view(&deliver(&spec, "").to_json());
        let reply = fablegrade_core::json::Json::parse(reply.as_bytes()).unwrap();
        let expected = vector.rows("findings");
        for finding in reply.get("findings").unwrap().as_array().unwrap() {
            let word = |key: &str| finding.get(key).unwrap().as_str().unwrap().to_owned();
            // Shuffled items have different indices, so pointers are not compared.
            let known = expected.iter().any(|row| row[0] == word("severity") && row[1] == word("rule"));
            assert!(known, "{}: {finding}", vector.name);
            seen += 1;
        }
    }
    assert!(seen > 25, "{seen}");
}
