//! Compares checker results with vectors: each is accepted, accepted with warnings, or refused.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use fablegrade_public::outcome::End;
use fablegrade_public::{AttemptResult, CaseVerdict, Decimal, Verdict};
use fablegrade_terry::attempt::{attempt_id, attempt_result};
use fablegrade_terry::evaluation::{Cause, Failure, Judged, Plan, Role, StepOutcome};
use fablegrade_terry::result::{CheckerResult, Expected};
use fablegrade_terry::task::Task;
use proptest::prelude::*;
use serde_json::{Value, json};

fn task(max_score: i64) -> Task {
    Task::new("poldo", "La dieta di Poldo", Decimal::from(max_score)).unwrap()
}

fn grade(printed: impl Into<Vec<u8>>, max_score: i64) -> Result<Judged, Failure> {
    Plan::grade().conclude(&[StepOutcome::new(End::Exited(0), printed)], &task(max_score))
}

#[test]
fn our_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/results.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    for vector in text.lines() {
        let vector: Value = serde_json::from_str(vector).unwrap();
        let why = vector["why"].as_str().unwrap();
        let printed = vector["printed"].as_str().unwrap();
        let max_score = Decimal::from(vector["maxScore"].as_i64().unwrap());
        let mut expected = Expected::of(&max_score);
        expected.cases = vector["cases"].as_u64().map(|cases| cases as usize);
        match (CheckerResult::read(printed.as_bytes(), &expected), vector["error"].as_str()) {
            (Ok((result, findings)), None) => {
                assert_eq!(
                    result.points(&max_score).to_string(),
                    vector["points"].as_str().unwrap(),
                    "{why}"
                );
                let warnings: Vec<&str> = findings.iter().map(|finding| finding.rule).collect();
                assert_eq!(json!(warnings), vector["warnings"], "{why}");
            }
            (Err(error), Some(rule)) => assert_eq!(error.rule(), rule, "{why}: {error}"),
            (Ok(_), Some(rule)) => panic!("{why}: accepted instead of {rule}"),
            (Err(error), None) => panic!("{why}: refused with {error}"),
        }
    }
    assert!(text.lines().count() >= 65);
}

#[test]
fn the_collections_results() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/terry/results.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let mut read = 0;
    for row in text.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let printed = match row.get("result") {
            Some(result) => result.clone(),
            // For bad outputs, the collection keeps only some parts of the result.
            None => json!({
                "score": row["score"],
                "validation": {
                    "cases": row["statuses"].as_array().unwrap().iter().map(|word| json!({"status": word})).collect::<Vec<_>>(),
                    "alerts": row["alerts"],
                },
                "feedback": {
                    "cases": row["statuses"].as_array().unwrap().iter().map(|_| json!({"correct": false})).collect::<Vec<_>>(),
                    "alerts": [],
                },
            }),
        };
        let ended = |role: &str| match row.get(role).and_then(Value::as_i64).unwrap_or(0) as i32 {
            signal if signal < 0 => End::Signalled(-signal),
            code => End::Exited(code),
        };
        let plan = Plan::test(42, true);
        let solution = ended("solution_exit");
        let outcomes = [
            StepOutcome::new(End::Exited(0), "input"),
            StepOutcome::new(End::Exited(0), ""),
            StepOutcome::new(solution.clone(), "output"),
            StepOutcome::new(ended("checker_exit"), printed.to_string()),
        ];
        match plan.conclude(&outcomes, &task(100)) {
            Ok(judged) => {
                assert_eq!(solution, End::Exited(0));
                let score = printed["score"].as_f64().unwrap();
                assert!((judged.points.to_f64() - 100.0 * score).abs() < 1e-9, "{row}");
                assert!(judged.findings.is_empty(), "{:?}", judged.findings);
            }
            Err(Failure::Program { role: Role::Solution, cause: Cause::Signal(6), .. }) => {
                assert_eq!(solution, End::Signalled(6));
            }
            Err(failure) => panic!("{row}: {failure}"),
        }
        read += 1;
    }
    assert!(read > 0);
}

#[test]
fn bytes_that_are_no_text_and_a_megabyte_of_one_line() {
    let rule = |printed: &[u8]| match grade(printed, 10) {
        Err(Failure::Result { error, .. }) => error.rule(),
        other => panic!("{other:?}"),
    };
    assert_eq!(rule(b"{\"score\": 1, \xff}"), "invalid-utf8");
    assert_eq!(rule(&b"a".repeat(1_000_000)), "json-syntax");
    assert_eq!(rule(&b"[".repeat(1_000_000)), "too-deep");
    assert_eq!(rule(&b"1".repeat(1_000_000)), "number-too-long");
    assert_eq!(rule(&vec![b' '; 9 << 20]), "nothing-printed");
    assert_eq!(rule(&vec![b'"'; 9 << 20]), "too-large");
}

#[test]
fn each_step_fails_in_its_own_type() {
    let plan = Plan::test(7, true);
    let roles = [Role::Generator, Role::Validator, Role::Solution, Role::Checker];
    let rules = ["generation-failed", "input-invalid", "solution-failed", "checker-failed"];
    for (failing, (role, rule)) in roles.into_iter().zip(rules).enumerate() {
        let mut outcomes = vec![StepOutcome::new(End::Exited(0), "x"); failing];
        let mut failed = StepOutcome::new(End::Exited(3), "");
        failed.stderr = b"why\n".to_vec();
        outcomes.push(failed);
        let failure = plan.conclude(&outcomes, &task(10)).unwrap_err();
        assert_eq!((failure.role(), failure.rule(), failure.said()), (role, rule, "why"));
        assert_eq!(failure, Failure::Program { role, cause: Cause::Exit(3), stderr: "why".to_owned() });
    }
    for (end, cause) in [
        (End::Signalled(11), Cause::Signal(11)),
        (End::Timeout, Cause::Time),
        (End::MemoryExceeded, Cause::Memory),
        (End::OutputLimit, Cause::Output),
        (End::CompileError("x".into()), Cause::Build("x".into())),
    ] {
        let failure = Plan::grade().conclude(&[StepOutcome::new(end, "")], &task(10)).unwrap_err();
        assert!(
            matches!(&failure, Failure::Program { role: Role::Checker, cause: found, .. } if *found == cause)
        );
    }
    // A validator that times out does not show that the input is invalid.
    let outcomes = [StepOutcome::new(End::Exited(0), "x"), StepOutcome::new(End::Timeout, "")];
    assert_eq!(plan.conclude(&outcomes, &task(10)).unwrap_err().rule(), "validation-failed");
    // Failures of the host and steps that were not run give no score.
    let host = Plan::grade()
        .conclude(&[StepOutcome::new(End::SandboxError("no".into()), "")], &task(10))
        .unwrap_err();
    assert!(host.is_hosts());
    assert!(plan.conclude(&[], &task(10)).unwrap_err().is_hosts());
    assert!(
        Plan::input(7, false)
            .conclude(&[StepOutcome::new(End::Exited(0), "x")], &task(10))
            .unwrap_err()
            .is_hosts()
    );
}

#[test]
fn the_plan_is_what_the_servers_do() {
    use fablegrade_terry::evaluation::{Argument, File};
    let text = |text: &str| Argument::Text(text.to_owned());
    let steps = Plan::test(42, true).steps;
    assert_eq!(steps[0].arguments, [text("42"), text("0")]);
    assert_eq!((steps[1].arguments.as_slice(), steps[1].stdin), ([text("0")].as_slice(), Some(File::Input)));
    assert_eq!(
        (steps[2].arguments.len(), steps[2].stdin, steps[2].makes),
        (0, Some(File::Input), Some(File::Output))
    );
    assert_eq!(steps[3].arguments, [Argument::Path(File::Input), Argument::Path(File::Output)]);
    assert_eq!(Plan::test(42, false).steps.len(), 3);
    assert_eq!(
        Plan::test(42, false).to_json().to_canonical(),
        concat!(
            r#"{"seed":42,"steps":[{"arguments":["42","0"],"makes":"input","role":"generator"},"#,
            r#"{"arguments":[],"makes":"output","role":"solution","stdin":"input"},"#,
            r#"{"arguments":[{"file":"input"},{"file":"output"}],"role":"checker"}]}"#
        )
    );
    for plan in [Plan::test(42, true), Plan::test(42, false), Plan::input(42, true), Plan::grade()] {
        let roles: Vec<Role> = plan.steps.iter().map(|step| step.role).collect();
        assert_eq!(Plan::of_roles(42, &roles), Some(plan));
    }
    assert_eq!(Plan::of_roles(42, &[Role::Checker, Role::Checker]), None);
    assert_eq!(Plan::of_roles(42, &[]), None);
}

const HALF: &str = r#"{"score": 0.5, "secret": "S3CRET",
    "validation": {"cases": [{"status": "parsed"}, {"status": "missing", "message": "not there"}], "alerts": [], "more": 1},
    "feedback": {"cases": [{"correct": true}, {"correct": false, "message": "S3CRET"}],
                 "alerts": [{"severity": "danger", "message": "S3CRET"}]},
    "subtasks": [{"score": 5, "max_score": 5, "testcases": [0], "labels": ["S3CRET"]},
                 {"score": 0, "max_score": 5, "testcases": [1]}]}"#;

#[test]
fn before_confirming_only_the_validation_is_seen() {
    let judged = grade(HALF, 10).unwrap();
    let before = judged.result.before_confirming().to_canonical();
    assert_eq!(
        before,
        r#"{"alerts":[],"cases":[{"status":"parsed"},{"message":"not there","status":"missing"}],"more":1}"#
    );
    assert!(!format!("{:?}", judged.result).contains("S3CRET"));
    let after = judged.result.after_confirming(&judged.max_score).to_canonical();
    assert!(
        after.contains("\"score\":0.5,")
            && after.contains("\"points\":5,")
            && after.contains("S3CRET")
            && !after.contains("\"secret\""),
        "{after}"
    );
}

#[test]
fn an_attempt_result_of_every_kind() {
    let id = attempt_id("poldo", b"in", b"out");
    assert_eq!(id, attempt_id("poldo", b"in", b"out"));
    assert_ne!(id, attempt_id("poldo", b"in", b"out2"));
    assert_ne!(id, attempt_id("poldo", b"ino", b"ut"));
    let judged = grade(HALF, 10).unwrap();
    let result = attempt_result(Ok(&judged), id.clone(), None);
    assert_eq!((result.verdict, result.score), (Verdict::Partial, Some(0.5)));
    let verdicts: Vec<_> = result.code_results.iter().map(|case| case.verdict).collect();
    assert_eq!(verdicts, [CaseVerdict::Passed, CaseVerdict::Failed]);
    assert_eq!(result.feedback[0].message(), "Subtask 1 (S3CRET): 5 of 5 points");
    assert_eq!(AttemptResult::from_json(result.to_json()).unwrap(), result);

    let fail = |role: usize, end: End| {
        let mut outcomes = vec![StepOutcome::new(End::Exited(0), "x"); role];
        outcomes.push(StepOutcome::new(end, ""));
        attempt_result(
            Err(&Plan::test(1, false).conclude(&outcomes, &task(10)).unwrap_err()),
            id.clone(),
            None,
        )
    };
    let slow = fail(1, End::Timeout);
    assert_eq!(
        (slow.verdict, slow.score, slow.code_results[0].verdict),
        (Verdict::Incorrect, Some(0.0), CaseVerdict::Timeout)
    );
    for result in
        [fail(0, End::Exited(1)), fail(2, End::Exited(1)), fail(1, End::SandboxError("/host/path".into()))]
    {
        assert_eq!((result.verdict, result.score, result.code_results.len()), (Verdict::Error, None, 0));
        assert!(!result.to_json().contains("/host/path"));
    }
}

#[test]
fn large_results_stay_within_the_bounds_of_an_attempt_result() {
    let many = json!({
        "score": 0,
        "validation": {"cases": vec![json!({"status": "parsed"}); 700], "alerts": vec![json!({"severity": "warning", "message": "m".repeat(5000)}); 40]},
        "feedback": {"cases": vec![json!({"correct": false, "message": "e".repeat(9000)}); 700], "alerts": []},
    });
    let judged = grade(many.to_string(), 10).unwrap();
    let result = attempt_result(Ok(&judged), attempt_id("a", b"", b""), None);
    assert_eq!((result.code_results.len(), result.feedback.len()), (500, 20));
    assert_eq!(AttemptResult::from_json(result.to_json()).unwrap(), result);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// No output of a checker causes a panic, and accepted results have a score from 0 to 1.
    #[test]
    fn any_bytes(printed in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok((result, _)) = CheckerResult::read(&printed, &Expected::default()) {
            prop_assert!(*result.score() >= Decimal::zero() && *result.score() <= Decimal::one());
        }
    }

    /// A score outside 0 to 1 is refused; inside, the points are the exact product.
    #[test]
    fn points_are_the_exact_product(thousandths in -200i64..1200, max_score in 1i64..1000) {
        let score = format!("{}{}.{:03}", if thousandths < 0 { "-" } else { "" }, thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
        let printed = format!(
            r#"{{"score":{score},"validation":{{"cases":[],"alerts":[]}},"feedback":{{"cases":[],"alerts":[]}}}}"#
        );
        match grade(printed, max_score) {
            Ok(judged) => {
                prop_assert!((0..=1000).contains(&thousandths));
                prop_assert_eq!(judged.points, Decimal::new(thousandths * max_score, -3));
            }
            Err(failure) => {
                prop_assert!(!(0..=1000).contains(&thousandths), "{failure}");
                prop_assert_eq!(failure.rule(), "checker-result-invalid");
            }
        }
    }
}
