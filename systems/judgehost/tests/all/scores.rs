//! Points and verdicts, and the results that follow from them.

use fablegrade_judgehost::{
    Config, ContainerEnd, ContainerOutcome, Evaluation, Failure, HookEnd, Manner, Outcome, Phase, Ranking,
    ResultContent, ResultFile, RubricType, Stage, Status, Verdict, evaluate,
};
use fablegrade_public::Ratio;
use fablegrade_public::identifier::UuidText;
use fablegrade_public::result;

use super::Draft;

/// The specification's example: 45 of 50 points at weight 2, 24 of 30 at weight 1.5, and 18 of 20 without a weight.
const EXAMPLE: &str = r#"{"rubric_id": "correctness", "rubric_name": "Correctness", "rubric_type": "test_cases", "max_score": 50, "weight": 2.0, "container": "tester"},
    {"rubric_id": "performance", "rubric_name": "Performance", "rubric_type": "performance_benchmark", "max_score": 30, "weight": 1.5, "container": "tester"},
    {"rubric_id": "quality", "rubric_name": "Code Quality", "rubric_type": "code_quality", "max_score": 20, "container": "tester"}"#;

fn config(rubrics: &'static str) -> Config {
    Draft { rubrics, ..Draft::default() }.read(Manner::Strict).unwrap().config
}

fn outcome(results: &[(&str, &str)]) -> Outcome {
    results.iter().fold(Outcome::new(), |outcome, (id, text)| {
        outcome.with_result("tester", &format!("rubric_{id}.json"), *text)
    })
}

fn example(correctness: &str, performance: &str, quality: &str) -> Evaluation {
    let outcome =
        outcome(&[("correctness", correctness), ("performance", performance), ("quality", quality)]);
    evaluate(&config(EXAMPLE), "sub_1", &outcome)
}

fn attempt(evaluation: &Evaluation) -> result::AttemptResult {
    let id = UuidText::new("123e4567-e89b-42d3-a456-426614174000").unwrap();
    evaluation.to_attempt_result(id, Ranking::Auto)
}

const CORRECTNESS: &str = r#"{"rubric_id": "correctness", "score": 45, "max_score": 50}"#;
const PERFORMANCE: &str = r#"{"rubric_id": "performance", "score": 24}"#;
const QUALITY: &str = r#"{"rubric_id": "quality", "score": 18, "details": {"remarks": 2}, "extra": [1]}"#;

#[test]
fn the_documents_example() {
    let evaluation = example(CORRECTNESS, PERFORMANCE, QUALITY);
    let scores = evaluation.scores.as_ref().unwrap();
    assert_eq!((scores.total.to_i64(), scores.max_total.to_i64()), (Some(87), Some(100)));
    assert_eq!(scores.normalized, Ratio::new(87, 1));
    assert_eq!(scores.weighted, Ratio::new(144, 165));
    assert_eq!(evaluation.share(Ranking::Auto), Some(Ratio::new(144, 165)));
    assert_eq!(evaluation.share(Ranking::Normalized), Some(Ratio::new(87, 100)));
    assert_eq!((evaluation.status, evaluation.verdict), (Status::Completed, Verdict::Partial));
    let json = evaluation.to_json();
    let number = |name: &str| json.get(name).unwrap().to_string();
    assert_eq!(
        [number("total_score"), number("max_total_score"), number("normalized_score")],
        ["87", "100", "87"]
    );
    assert_eq!(number("weighted_score"), "0.8727272727272727");
    assert_eq!(json.pointer("/rubrics/2/details/remarks").unwrap().to_string(), "2");
    let attempt = attempt(&evaluation);
    assert_eq!((attempt.verdict, attempt.score), (result::Verdict::Partial, Some(144.0 / 165.0)));
    assert_eq!(attempt.feedback[0].message(), "Correctness: 45 of 50 points");
    assert!(!attempt.to_json().contains("remarks"));
}

#[test]
fn points_are_exact() {
    let tenths = r#"{"rubric_id": "a", "rubric_name": "A", "rubric_type": "custom", "max_score": 0.3, "container": "tester"},
        {"rubric_id": "b", "rubric_name": "B", "rubric_type": "custom", "max_score": 0.3, "container": "tester"}"#;
    let outcome =
        outcome(&[("a", r#"{"rubric_id":"a","score":0.1}"#), ("b", r#"{"rubric_id":"b","score":0.2}"#)]);
    let evaluation = evaluate(&config(tenths), "s", &outcome);
    assert_eq!(evaluation.scores.unwrap().weighted, Ratio::new(1, 2));
}

#[test]
fn skipped_rubrics_are_left_out_and_errors_stay_in() {
    let skipped = example(CORRECTNESS, r#"{"rubric_id":"performance","verdict":"SKIP"}"#, QUALITY);
    let scores = skipped.scores.as_ref().unwrap();
    assert_eq!((scores.total.to_i64(), scores.max_total.to_i64()), (Some(63), Some(70)));
    assert_eq!(scores.weighted, Ratio::new(108, 120));

    for broken in [
        r#"{"rubric_id":"performance","score":31}"#,
        r#"{"rubric_id":"performance","score":-1}"#,
        r#"{"rubric_id":"performance","score":"24"}"#,
        r#"{"rubric_id":"performance","score":24,"max_score":300}"#,
        r#"{"rubric_id":"other","score":24}"#,
        r#"{"rubric_id":"performance","score":24,"score":30}"#,
        r#"{"rubric_id":"performance","score":1e999}"#,
        r#"{"rubric_id":"performance","score":24,"verdict":"GOOD"}"#,
        r#"{"rubric_id":"performance","status":"ERROR","score":24}"#,
        "Tests: 8/10 passed",
        "",
    ] {
        let evaluation = example(CORRECTNESS, broken, QUALITY);
        let scores = evaluation.scores.as_ref().unwrap();
        assert_eq!(evaluation.rubrics[1].verdict, Verdict::Error, "{broken}");
        assert_eq!((scores.total.to_i64(), scores.max_total.to_i64()), (Some(63), Some(100)), "{broken}");
        assert_eq!((evaluation.status, evaluation.verdict), (Status::Completed, Verdict::Error), "{broken}");
        let attempt = attempt(&evaluation);
        assert_eq!((attempt.verdict, attempt.score), (result::Verdict::Error, None), "{broken}");
    }
}

#[test]
fn nothing_counted_has_no_score() {
    let none = evaluate(&config(""), "s", &Outcome::new());
    assert_eq!((none.scores.as_ref(), none.verdict), (None, Verdict::Skip));
    assert!(none.to_json().get("total_score").is_none());
    let skip = |id| format!(r#"{{"rubric_id":"{id}","status":"SKIPPED"}}"#);
    let skipped = example(&skip("correctness"), &skip("performance"), &skip("quality"));
    assert_eq!(
        (skipped.scores.as_ref(), skipped.share(Ranking::Auto), skipped.verdict),
        (None, None, Verdict::Skip)
    );
    assert_eq!(attempt(&skipped).score, None);
}

#[test]
fn verdicts_follow_from_scores_where_nothing_is_said() {
    let rubric = r#"{"rubric_id": "correctness", "rubric_name": "C", "rubric_type": "test_cases", "max_score": 50, "container": "tester",
        "properties": {"pass_threshold": 0.8}}"#;
    let plain = r#"{"rubric_id": "correctness", "rubric_name": "C", "rubric_type": "test_cases", "max_score": 50, "container": "tester"}"#;
    for (rubric, score, verdict) in [
        (rubric, "40", Verdict::Pass),
        (rubric, "39.99", Verdict::Partial),
        (rubric, "0", Verdict::Fail),
        (plain, "50", Verdict::Pass),
        (plain, "50.0", Verdict::Pass),
        (plain, "49.999", Verdict::Partial),
        (plain, "0", Verdict::Fail),
    ] {
        let text = format!(r#"{{"rubric_id":"correctness","score":{score}}}"#);
        let evaluation = evaluate(&config(rubric), "s", &outcome(&[("correctness", &text)]));
        assert_eq!((evaluation.rubrics[0].verdict, evaluation.verdict), (verdict, verdict), "{score}");
    }
    // The verdict in the file counts if it is one of the five.
    let evaluation = evaluate(
        &config(plain),
        "s",
        &outcome(&[("correctness", r#"{"rubric_id":"correctness","score":1,"verdict":"PASS"}"#)]),
    );
    assert_eq!(evaluation.verdict, Verdict::Pass);
}

#[test]
fn all_ten_types_are_scored_alike() {
    assert_eq!(RubricType::WORDS.len(), 10);
    for (word, kind) in RubricType::WORDS {
        let rubrics = format!(
            r#"{{"rubric_id": "r", "rubric_name": "R", "rubric_type": "{word}", "max_score": 100, "container": "tester", "properties": {{"target": 1}}}}"#
        );
        let config = config(Box::leak(rubrics.into_boxed_str()));
        assert_eq!(config.rubrics[0].rubric_type, *kind);
        let evaluation = evaluate(&config, "s", &outcome(&[("r", r#"{"rubric_id":"r","score":25}"#)]));
        assert_eq!(evaluation.rubrics[0].rubric_type, *word);
        assert_eq!(evaluation.share(Ranking::Auto), Some(Ratio::new(1, 4)));
    }
}

#[test]
fn a_result_of_another_container_is_not_believed() {
    let forged = r#"{"rubric_id":"correctness","score":100,"verdict":"PASS"}"#;
    let config = Draft::default().read(Manner::Strict).unwrap().config;
    let only_forged = Outcome::new().with_result("submission", "rubric_correctness.json", forged);
    let evaluation = evaluate(&config, "s", &only_forged);
    assert_eq!(evaluation.rubrics[0].verdict, Verdict::Error);
    assert!(evaluation.findings.iter().any(|finding| finding.rule == "result-not-believed"));

    let both = only_forged.with_result(
        "tester",
        "rubric_correctness.json",
        r#"{"rubric_id":"correctness","score":0}"#,
    );
    let evaluation = evaluate(&config, "s", &both);
    assert_eq!(
        (evaluation.verdict, evaluation.rubrics[0].container_id.as_deref()),
        (Verdict::Fail, Some("tester"))
    );
    assert_eq!(attempt(&evaluation).verdict, result::Verdict::Incorrect);
    assert!(evaluation.findings.iter().any(|finding| finding.message.contains("`submission`")));
}

#[test]
fn a_rubric_of_nobody_takes_the_containers_without_the_submission_first() {
    let nobodys =
        r#"{"rubric_id": "correctness", "rubric_name": "C", "rubric_type": "custom", "max_score": 100}"#;
    let config = config(nobodys);
    let own = Outcome::new().with_result(
        "submission",
        "rubric_correctness.json",
        r#"{"rubric_id":"correctness","score":100}"#,
    );
    let evaluation = evaluate(&config, "s", &own);
    assert_eq!(evaluation.verdict, Verdict::Pass);
    assert!(evaluation.findings.iter().any(|finding| finding.rule == "result-beside-submission"));
    let both =
        own.with_result("tester", "rubric_correctness.json", r#"{"rubric_id":"correctness","score":0}"#);
    assert_eq!(evaluate(&config, "s", &both).verdict, Verdict::Fail);
}

#[test]
fn a_missing_result_names_the_hook_that_failed() {
    let config = Draft::default().read(Manner::Strict).unwrap().config;
    for (end, words) in [
        (HookEnd::Exited(3), "tester/hooks/post/01_test.sh exited with 3"),
        (HookEnd::TimedOut, "tester/hooks/post/01_test.sh ran out of time"),
    ] {
        let outcome = Outcome::new().with_hook("tester", Phase::Post, "01_test.sh", end);
        let evaluation = evaluate(&config, "s", &outcome);
        let message = evaluation.rubrics[0].message.as_deref().unwrap();
        assert!(message.contains(words), "{message}");
        assert_eq!(evaluation.verdict, Verdict::Error);
        // A result that was written before the hook failed still counts.
        let written = outcome.with_result(
            "tester",
            "rubric_correctness.json",
            r#"{"rubric_id":"correctness","score":60}"#,
        );
        assert_eq!(evaluate(&config, "s", &written).verdict, Verdict::Partial);
    }
}

#[test]
fn what_keeps_the_judge_from_testing_is_a_fail_where_the_submission_runs_and_an_error_elsewhere() {
    let mut config = Draft::default().read(Manner::Strict).unwrap().config;
    let name = "rubric_correctness.json";
    for (container, verdict) in [("submission", Verdict::Fail), ("tester", Verdict::Error)] {
        config.rubrics[0].container = Some(container.into());
        let starved = Outcome::new().with_hook(container, Phase::Post, "01_test.sh", HookEnd::NoProcessLeft);
        let mut linked = Outcome::new();
        linked.results.push(ResultFile {
            container_id: container.into(),
            name: name.into(),
            content: ResultContent::NoFile,
        });
        let mut full = Outcome::new();
        full.containers
            .push(ContainerOutcome { container_id: container.into(), end: ContainerEnd::OutOfDisk });
        let broken = Outcome::new().with_result(container, name, "{");
        let other = Outcome::new().with_result(container, name, r#"{"rubric_id":"other","score":1}"#);
        for outcome in [starved, linked, full, broken, other] {
            let rubric = &evaluate(&config, "s", &outcome).rubrics[0];
            assert_eq!(rubric.verdict, verdict, "{outcome:?}");
            assert!(rubric.score.is_zero() && rubric.message.is_some());
        }
    }
}

#[test]
fn failures_of_the_submission_are_the_learners_and_others_are_not() {
    let config = Draft::default().read(Manner::Strict).unwrap().config;
    for (stage, container, verdict) in [
        (Stage::Startup, "submission", result::Verdict::Incorrect),
        (Stage::Dependency, "submission", result::Verdict::Incorrect),
        (Stage::PreHook, "submission", result::Verdict::Incorrect),
        (Stage::Startup, "tester", result::Verdict::Error),
        (Stage::PreHook, "tester", result::Verdict::Error),
        (Stage::Engine, "submission", result::Verdict::Error),
        (Stage::Build, "submission", result::Verdict::Error),
        (Stage::TotalTime, "submission", result::Verdict::Error),
    ] {
        let failure = Failure { stage, container_id: Some(container.into()), message: "m".into() };
        let evaluation = evaluate(&config, "s", &Outcome::new().with_failure(failure));
        assert_eq!((evaluation.status, evaluation.verdict), (Status::Failed, Verdict::Error));
        let attempt = attempt(&evaluation);
        assert_eq!(attempt.verdict, verdict, "{stage:?} {container}");
        assert_eq!(attempt.score.is_some(), verdict == result::Verdict::Incorrect);
        assert_eq!(result::AttemptResult::from_json(attempt.to_json()).unwrap(), attempt);
    }
}

#[test]
fn a_line_says_why_an_evaluation_was_not_carried_through() {
    use fablegrade_judgehost::line;
    use fablegrade_public::finding::Findings;
    use fablegrade_public::json::{Document, Object, Path};

    let score = |failure: &str| {
        let config = Draft { rubrics: EXAMPLE, ..Draft::default() }.text("", "");
        let text = format!(r#"{{"config":{config},"results":{{}},"failure":{failure}}}"#);
        let document = Document::parse(text.as_bytes()).unwrap();
        let mut findings = Findings::new();
        let mut fields = Object::open(document.root(), &Path::Root, &mut findings).unwrap();
        let evaluation = line::evaluation(&mut fields, Manner::Strict).map(Result::unwrap);
        fields.close();
        (evaluation, findings.into_vec())
    };
    let (evaluation, _) = score(r#"{"stage":"startup","container_id":"submission","message":"never ready"}"#);
    let evaluation = evaluation.unwrap();
    assert_eq!((evaluation.status, evaluation.by_submission), (Status::Failed, true));
    assert_eq!(attempt(&evaluation).score, Some(0.0));
    let (evaluation, _) = score(r#"{"stage":"engine","message":"gone"}"#);
    assert_eq!(attempt(&evaluation.unwrap()).score, None);
    let (evaluation, findings) = score(r#"{"stage":"luck","message":7}"#);
    assert!(evaluation.is_none());
    let pointers: Vec<&str> = findings.iter().map(|finding| finding.pointer.as_str()).collect();
    assert_eq!(pointers, ["/failure/stage", "/failure/message"]);
}
