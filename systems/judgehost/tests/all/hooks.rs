//! Hooks: the files that are hooks, their order, and the findings about them.

use fablegrade_judgehost::hook::MAX_SCRIPT;
use fablegrade_judgehost::{Manner, Phase};

use super::{Draft, package, package_in, plan};

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
            ("tester/hooks/pre/04_d.sh", "#! /bin/sh -"),
            ("tester/hooks/pre/05_e.sh", "#!/usr/bin/env -Sbash -eu --posix -o pipefail +x --"),
            ("tester/hooks/pre/06_f.sh", "#!/usr/bin/env"),
        ],
    );
    let opened = opened.unwrap();
    let shells: Vec<&str> = opened.hooks.iter().map(|hook| hook.interpreter.as_str()).collect();
    assert_eq!(shells, ["/bin/bash", "dash", "/bin/sh", "/bin/sh", "bash", "sh"]);
    assert_eq!(opened.hooks[2].command(), ["/bin/sh", "-c", "echo c", "/hooks/pre/03_c.sh"]);
    let first = ["/bin/bash", "-e", "-c", "#!/bin/bash -e\necho a", "/hooks/pre/01_a.sh"];
    assert_eq!(opened.hooks[0].command(), first);
    assert_eq!(opened.hooks[3].options, [""; 0]);
    assert_eq!(opened.hooks[4].options, ["-eu", "--posix", "-o", "pipefail", "+x"]);
}

#[test]
fn hooks_are_looked_at() {
    let lenient = rules_of("tester/stage2.config.json", "{}", Manner::Lenient);
    assert_eq!(lenient, ["stage-settings"]);
    let rules = |path: &str, script: &str| rules_of(path, script, Manner::Strict);
    assert_eq!(rules("tester/hooks/post/01_ok.sh", "echo"), [""; 0]);
    assert_eq!(rules("tester/hooks/post/test.sh", "echo"), ["hook-name"]);
    assert_eq!(rules("tester/hooks/post/00_test.sh", "echo"), ["hook-name"]);
    assert_eq!(rules("tester/hooks/post/notes.txt", "echo"), ["not-a-hook"]);
    assert_eq!(rules("other/hooks/post/01_a.sh", "echo"), ["hooks-of-nobody"]);
    assert_eq!(rules("tester/hooks/post/01_py.sh", "#!/usr/bin/python3\n"), ["hook-interpreter"]);
    for line in [
        "/bin/bash -c",
        "/bin/sh -es",
        "/bin/bash -- x",
        "/bin/bash - -e",
        "/bin/bash -o",
        "/bin/bash -e x",
        "/bin/bash --rcfile x",
        "/usr/bin/env -i bash",
        "/usr/bin/env -S -i bash",
    ] {
        assert_eq!(rules("tester/hooks/pre/01_a.sh", &format!("#!{line}\n")), ["hook-interpreter"], "{line}");
    }
    assert_eq!(rules("tester/hooks/pre/01_a.sh", "apt-get install -y curl"), ["needs-internet"]);
    assert_eq!(rules("tester/hooks/pre/01_a.sh", "curl http://submission:80/"), [""; 0]);
    assert_eq!(
        rules("tester/hooks/post/01_a.sh", "set -e\nx\necho > /out/rubric_correctness.json"),
        ["may-not-score"]
    );
    assert_eq!(
        rules("tester/hooks/post/01_a.sh", "#!/bin/sh -eu\nx\necho > /out/rubric_correctness.json"),
        ["may-not-score"]
    );
    assert_eq!(rules("tester/stage2.config.json", "{}"), ["older-settings"]);
    assert_eq!(rules("tester/hooks/pre/01_a.sh", &"#".repeat(MAX_SCRIPT + 1)), ["hook-too-large"]);
    assert_eq!(rules("tester/hooks/pre/01_a.sh", "a\0b"), ["hook-form"]);
    assert_eq!(rules("tester/hooks/pre/01_a.sh", "#!/bin/sh\r\necho a\r\n"), ["hook-line-ends"]);
}

/// Returns the rules of the findings about a package with one more file.
fn rules_of(path: &str, text: &str, manner: Manner) -> Vec<&'static str> {
    let result = package_in(&Draft::default().text("", ""), &[(path, text)], manner);
    let findings = result.map_or_else(|error| error.findings().to_vec(), |package| package.findings);
    findings.iter().map(|finding| finding.rule).filter(|rule| *rule != "no-guide").collect()
}

#[test]
fn stage_files_fill_what_the_configuration_leaves_open() {
    let stage = r#"{"container_id": "submission", "submission_mount": "/work", "network": {"enabled": true},
        "resource_limits": {"cpu": "0.5", "memory": "64M", "timeout": 77}, "environment": {"A": "stage", "B": "stage"},
        "health_check": {"command": "true"}}"#;
    let files = [
        ("submission/stage1.config.json", "{"),
        ("submission/stage2.config.json", stage),
        ("submission/data/x", "1"),
    ];
    let text = Draft::default().text(r#""environment": {"A": "document"}"#, "");
    let opened = package_in(&text, &files, Manner::Lenient).unwrap();
    let container = opened.config.container("submission").unwrap();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(container.environment, [pair("A", "document"), pair("B", "stage")]);
    assert_eq!(container.limits.memory, Some(64 << 20));
    assert_eq!(container.limits.cpus.as_ref().unwrap().to_string(), "0.5");
    assert_eq!(container.limits.timeout, Some(77));
    assert_eq!(container.health_check.as_ref().unwrap().start_period, 10);
    let places: Vec<&str> = container.mounts.iter().map(|mount| mount.destination.as_str()).collect();
    assert_eq!(places, ["/workspace/data", "/shared"]);
    assert_eq!(opened.config.hooks.hook_timeout_seconds, Some(77));
    assert_eq!(opened.config.packages()[0].extract_path, "/work");
    assert!(opened.findings.iter().any(|finding| finding.rule == "stage-network"));
    // A broken stage file is an error that names the file. In strict mode, stage files are not read.
    let broken = package_in(&text, &files[..1], Manner::Lenient).unwrap_err();
    assert!(broken.findings()[0].message.starts_with("submission/stage1.config.json"), "{broken:?}");
    assert_eq!(package_in(&text, &files, Manner::Strict).unwrap().config.packages()[0].extract_path, "/");
}
