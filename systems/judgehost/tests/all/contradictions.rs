//! Contradictions in the format's specification. The test `cNN` belongs to row NN of the table in `docs/judgehost.md`.

use fablegrade_judgehost::config::Condition;
use fablegrade_judgehost::{Config, HookEnd, Manner, Outcome, Phase, Ranking, Status, Verdict, evaluate};
use fablegrade_public::Ratio;

use super::{Draft, found, has, package, plan, refused, warned};

/// A rubric without a name, as in Example 3 of the specification.
const NAMELESS: &str = r#"{"rubric_id": "backend_api", "rubric_type": "api_endpoints", "max_score": 100, "container": "tester"}"#;

#[test]
fn c01_the_weighted_table_follows_the_formula() {
    // (45*2 + 24*1.5 + 18) / (50*2 + 30*1.5 + 20) is 144/165, not 144/180.
    let weighted = Ratio::new(90 + 36 + 18, 1).over(&Ratio::new(100 + 45 + 20, 1)).unwrap();
    assert_eq!(weighted, Ratio::new(144, 165));
    assert_ne!(weighted, Ratio::new(80, 100));
}

#[test]
fn c02_both_shares_are_reported_and_a_weight_decides_which_ranks() {
    let rubrics = r#"{"rubric_id": "a", "rubric_name": "A", "rubric_type": "custom", "max_score": 10, "weight": 3, "container": "tester"},
        {"rubric_id": "b", "rubric_name": "B", "rubric_type": "custom", "max_score": 10, "container": "tester"}"#;
    let config = Draft { rubrics, ..Draft::default() }.read(Manner::Strict).unwrap().config;
    let outcome = Outcome::new()
        .with_result("tester", "rubric_a.json", r#"{"rubric_id":"a","score":10}"#)
        .with_result("tester", "rubric_b.json", r#"{"rubric_id":"b","score":0}"#);
    let evaluation = evaluate(&config, "s", &outcome);
    assert_eq!(evaluation.share(Ranking::Auto), Some(Ratio::new(3, 4)));
    assert_eq!(evaluation.share(Ranking::Normalized), Some(Ratio::new(1, 2)));
}

#[test]
fn c03_problem_ids_are_strict_and_other_ids_may_have_both_dashes() {
    let with = |id: &'static str| Draft { root: id, ..Draft::default() }.read(Manner::Lenient);
    refused(with(r#""problem_id": "two_sum", "problem_name": "T""#), "problem-id-form", "/problem_id");
    let both = Draft::default().text("", "").replace("tester", "e2e-tester_2");
    assert!(Config::parse(both.as_bytes(), Manner::Strict).is_ok());
}

#[test]
fn c04_example_3_is_taken_leniently_and_refused_strictly() {
    let draft = Draft { rubrics: NAMELESS, ..Draft::default() };
    warned(draft.read(Manner::Lenient), "missing-rubric-name", "/rubrics/0");
    assert_eq!(draft.read(Manner::Lenient).unwrap().config.rubrics[0].rubric_name, "backend_api");
    refused(draft.read(Manner::Strict), "missing-field", "/rubrics/0");
}

#[test]
fn c05_post_hooks_are_sequential_unless_parallel_execution_is_set() {
    let hooks = [("tester/hooks/post/01_b.sh", ""), ("tester/hooks/post/01_a.sh", "")];
    assert_eq!(plan(&Draft::default().text("", ""), &hooks).post.len(), 2);
    let parallel = Draft { more: r#""hooks_config": {"parallel_execution": true}"#, ..Draft::default() };
    assert_eq!(plan(&parallel.text("", ""), &hooks).post.len(), 1);
}

#[test]
fn c06_a_hook_without_a_prefix_is_a_warning() {
    let package =
        package(&Draft::default().text("", ""), &[("tester/hooks/periodic/monitor_01.sh", "")]).unwrap();
    assert!(has(&package.findings, "hook-name", ""));
    assert_eq!(package.hooks.len(), 1);
}

#[test]
fn c07_periodic_hooks_are_beside_the_post_hooks() {
    let plan = plan(
        &Draft::default().text("", ""),
        &[("tester/hooks/periodic/01_m.sh", ""), ("tester/hooks/post/01_t.sh", "")],
    );
    assert_eq!((plan.periodic.len(), plan.post.len()), (1, 1));
}

#[test]
fn c08_what_was_written_before_a_hook_failed_counts() {
    let config = Draft::default().read(Manner::Strict).unwrap().config;
    let outcome = Outcome::new()
        .with_hook("tester", Phase::Post, "01_a.sh", HookEnd::Exited(1))
        .with_hook("tester", Phase::Post, "02_b.sh", HookEnd::NotRun("01_a.sh failed".into()))
        .with_result("tester", "rubric_correctness.json", r#"{"rubric_id":"correctness","score":100}"#);
    let evaluation = evaluate(&config, "s", &outcome);
    assert_eq!((evaluation.status, evaluation.verdict), (Status::Completed, Verdict::Pass));
    assert_eq!(evaluation.findings.iter().filter(|finding| finding.rule == "hook-failed").count(), 2);
}

#[test]
fn c09_three_limits_of_a_hook_have_an_order() {
    let more = r#""hooks_config": {"hook_timeout_seconds": 7}, "timeouts": {"hook_execution_seconds": 9}"#;
    assert_eq!(plan(&Draft { more, ..Draft::default() }.text("", ""), &[]).hook_seconds, 7);
}

#[test]
fn c10_dependencies_have_defaults() {
    let checked = Draft::with_tester(r#""depends_on": [{"container_id": "submission"}]"#).unwrap();
    let wait = &checked.config.containers[1].depends_on[0];
    assert_eq!(
        (wait.condition, wait.timeout, wait.retry, wait.retry_interval),
        (Condition::Started, 30, 3, 2)
    );
}

#[test]
fn c14_a_submission_is_copied_below_its_path() {
    let packages = Draft::default().read(Manner::Strict).unwrap().config.packages();
    assert_eq!((packages[0].extract_path.as_str(), packages[0].permissions), ("/", 0o755));
}

#[test]
fn c15_data_is_mounted_when_it_is_there_and_hooks_never_are() {
    let with =
        plan(&Draft::default().text("", ""), &[("tester/data/x", ""), ("tester/hooks/post/01_t.sh", "")]);
    let places: Vec<&str> =
        with.container("tester").unwrap().mounts.iter().map(|mount| mount.destination.as_str()).collect();
    assert_eq!(places, ["/data"]);
    assert!(plan(&Draft::default().text("", ""), &[]).container("tester").unwrap().mounts.is_empty());
    let custom = r#""mounts": [{"type": "tmpfs", "destination": "/data"}]"#;
    let own = plan(&Draft::default().text("", custom), &[("tester/data/x", "")]);
    assert_eq!(own.container("tester").unwrap().mounts.len(), 1);
}

#[test]
fn c16_a_dockerfile_lies_where_its_path_says() {
    let text = Draft::default().text("", "").replace("tester/Dockerfile", "e2e/Dockerfile");
    let plan = plan(
        &text,
        &[("e2e/Dockerfile", ""), ("tester/hooks/post/01_t.sh", ""), ("e2e/hooks/post/01_x.sh", "")],
    );
    assert_eq!(plan.container("tester").unwrap().context, "e2e");
    assert_eq!(plan.post.concat().len(), 1);
}

#[test]
fn c17_a_dockerfile_at_the_root_is_a_warning() {
    let text = Draft::default().text("", "").replace("tester/Dockerfile", "Dockerfile");
    let package = package(&text, &[("Dockerfile", "")]).unwrap();
    assert!(has(&package.findings, "root-dockerfile", "/containers/1/dockerfile_path"));
}

#[test]
fn c18_packages_and_containers_must_agree() {
    refused(
        Draft::with_submission(r#""submission_package_id": "app""#),
        "packages-disagree",
        "/containers/0/submission_package_id",
    );
    assert!(Draft::with_submission(r#""submission_package_id": "main""#).is_ok());
}

#[test]
fn c20_no_internet_wins_over_hooks_that_fetch() {
    let package =
        package(&Draft::default().text("", ""), &[("tester/hooks/pre/01_i.sh", "pip3 install x")]).unwrap();
    assert!(has(&package.findings, "needs-internet", ""));
    assert!(plan(&Draft::default().text("", ""), &[]).network.internal);
}

#[test]
fn c23_a_hook_that_may_end_before_it_scores_is_a_warning() {
    let hook = "set -e\npython tests.py || exit 1\ncp r /out/rubric_correctness.json";
    let package = package(&Draft::default().text("", ""), &[("tester/hooks/post/01_t.sh", hook)]).unwrap();
    assert!(has(&package.findings, "may-not-score", ""), "{:?}", found(&package.findings));
}

#[test]
fn c25_reserved_variables_are_the_judges() {
    let text = Draft::default().text(r#""environment": {"PROBLEM_ID": "x"}"#, "");
    let plan = plan(&text, &[]);
    let value = &plan
        .container("submission")
        .unwrap()
        .environment
        .iter()
        .find(|(name, _)| name == "PROBLEM_ID")
        .unwrap()
        .1;
    assert_eq!(value, "two-sum");
}

#[test]
fn c27_an_odd_total_is_a_warning_and_no_points_are_an_error() {
    let rubric = |most: &str| {
        let rubrics = NAMELESS.replace("\"max_score\": 100", &format!("\"max_score\": {most}"));
        Draft { rubrics: Box::leak(rubrics.into_boxed_str()), ..Draft::default() }.read(Manner::Lenient)
    };
    warned(rubric("7"), "odd-total", "/rubrics");
    warned(rubric("1001"), "odd-total", "/rubrics");
    for most in ["0", "-1"] {
        refused(rubric(most), "not-above-zero", "/rubrics/0/max_score");
    }
}

#[test]
fn c28_healthy_needs_a_health_check() {
    refused(
        Draft::with_tester(r#""depends_on": [{"container_id": "submission", "condition": "healthy"}]"#),
        "healthy-without-check",
        "/containers/1/depends_on/0/condition",
    );
}

#[test]
fn c29_properties_are_kept_and_not_read() {
    let rubrics = r#"{"rubric_id": "latency", "rubric_name": "L", "rubric_type": "performance_benchmark", "max_score": 100, "container": "tester",
        "properties": {"baseline_ms": 1000, "target_ms": 500}}"#;
    let config = Draft { rubrics, ..Draft::default() }.read(Manner::Strict).unwrap().config;
    let properties = config.rubrics[0].properties.as_ref().unwrap();
    assert_eq!(properties.get("baseline_ms").unwrap().to_string(), "1000");
}
