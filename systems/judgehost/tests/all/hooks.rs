//! Hooks: which files are some, in which order they run, and what is said of them.

use fablegrade_judgehost::Phase;
use fablegrade_judgehost::hook::MAX_SCRIPT;

use super::{Draft, package, plan};

fn names(groups: &[Vec<fablegrade_judgehost::Hook>]) -> Vec<Vec<&str>> {
    groups.iter().map(|group| group.iter().map(|hook| hook.name.as_str()).collect()).collect()
}

const POST: [(&str, &str); 5] = [
    ("tester/hooks/post/02_evaluate.sh", "true"),
    ("tester/hooks/post/01_test_basic.sh", "true"),
    ("tester/hooks/post/01_test_advanced.sh", "true"),
    ("tester/hooks/post/monitor.sh", "true"),
    ("tester/hooks/post/10_last.sh", "true"),
];

#[test]
fn post_hooks_run_in_the_order_of_their_bytes() {
    let plan = plan(&Draft::default().text("", ""), &POST);
    let order = ["01_test_advanced.sh", "01_test_basic.sh", "02_evaluate.sh", "10_last.sh", "monitor.sh"];
    assert_eq!(names(&plan.post), order.map(|name| vec![name]));
}

#[test]
fn with_parallel_execution_one_prefix_runs_together() {
    let draft = Draft { more: r#""hooks_config": {"parallel_execution": true}"#, ..Draft::default() };
    let plan = plan(&draft.text("", ""), &POST);
    let groups = names(&plan.post);
    assert_eq!(groups[0], ["01_test_advanced.sh", "01_test_basic.sh"]);
    assert_eq!(groups[1..], [["02_evaluate.sh"], ["10_last.sh"], ["monitor.sh"]]);
    assert_eq!(plan.concurrent_hooks, 4);
}

#[test]
fn pre_hooks_are_never_parallel_and_belong_to_their_container() {
    let draft = Draft { more: r#""hooks_config": {"parallel_execution": true}"#, ..Draft::default() };
    let plan = plan(
        &draft.text("", ""),
        &[
            ("submission/hooks/pre/01_b.sh", "true"),
            ("submission/hooks/pre/01_a.sh", "true"),
            ("tester/hooks/periodic/01_watch.sh", "true"),
        ],
    );
    let pre: Vec<&str> =
        plan.container("submission").unwrap().pre.iter().map(|hook| hook.name.as_str()).collect();
    assert_eq!(pre, ["01_a.sh", "01_b.sh"]);
    assert!(plan.container("tester").unwrap().pre.is_empty());
    assert_eq!((plan.periodic[0].phase, plan.periodic_interval), (Phase::Periodic, 10));
}

#[test]
fn a_hook_is_an_argument_of_its_shell() {
    let opened = package(
        &Draft::default().text("", ""),
        &[
            ("tester/hooks/pre/01_a.sh", "#!/bin/bash -e\necho a"),
            ("tester/hooks/pre/02_b.sh", "#!/usr/bin/env -S dash\necho b"),
            ("tester/hooks/pre/03_c.sh", "echo c"),
        ],
    );
    let opened = opened.unwrap();
    let shells: Vec<&str> = opened.hooks.iter().map(|hook| hook.interpreter.as_str()).collect();
    assert_eq!(shells, ["/bin/bash", "dash", "/bin/sh"]);
    assert_eq!(opened.hooks[2].command(), ["/bin/sh", "-c", "echo c", "/hooks/pre/03_c.sh"]);
}

#[test]
fn hooks_are_looked_at() {
    let rules = |path: &str, script: &str| -> Vec<&'static str> {
        let result = package(&Draft::default().text("", ""), &[(path, script)]);
        let findings = result.map_or_else(|error| error.findings().to_vec(), |package| package.findings);
        findings.iter().map(|finding| finding.rule).filter(|rule| *rule != "no-guide").collect()
    };
    assert_eq!(rules("tester/hooks/post/01_ok.sh", "echo"), [""; 0]);
    assert_eq!(rules("tester/hooks/post/test.sh", "echo"), ["hook-name"]);
    assert_eq!(rules("tester/hooks/post/00_test.sh", "echo"), ["hook-name"]);
    assert_eq!(rules("tester/hooks/post/notes.txt", "echo"), ["not-a-hook"]);
    assert_eq!(rules("other/hooks/post/01_a.sh", "echo"), ["hooks-of-nobody"]);
    assert_eq!(rules("tester/hooks/post/01_py.sh", "#!/usr/bin/python3\n"), ["hook-interpreter"]);
    assert_eq!(rules("tester/hooks/pre/01_a.sh", "apt-get install -y curl"), ["needs-internet"]);
    assert_eq!(rules("tester/hooks/pre/01_a.sh", "curl http://submission:80/"), [""; 0]);
    assert_eq!(
        rules("tester/hooks/post/01_a.sh", "set -e\nx\necho > /out/rubric_correctness.json"),
        ["may-not-score"]
    );
    assert_eq!(rules("tester/stage2.config.json", "{}"), ["older-settings"]);
    assert_eq!(rules("tester/hooks/pre/01_a.sh", &"#".repeat(MAX_SCRIPT + 1)), ["hook-too-large"]);
    assert_eq!(rules("tester/hooks/pre/01_a.sh", "a\0b"), ["hook-form"]);
}
