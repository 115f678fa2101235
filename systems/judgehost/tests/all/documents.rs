//! Documents with recorded results: the project's own vectors, and a case collection if one exists next to
//! the project.

use fablegrade_judgehost::Manner;
use fablegrade_judgehost::line::check_value;
use fablegrade_public::json::{Document, Json};

use super::{Draft, has, refused, warned};

fn check(document: &Json, rubric: Option<&Json>, manner: Manner) -> (bool, Vec<(String, String)>) {
    let document = document.to_string();
    let rubric = rubric.map(Json::to_string);
    let document = Document::parse(document.as_bytes()).unwrap();
    let rubric = rubric.as_ref().map(|text| Document::parse(text.as_bytes()).unwrap());
    let (valid, findings) = check_value(document.root(), rubric.as_ref().map(Document::root), manner);
    (valid, findings.iter().map(|finding| (finding.rule.to_owned(), finding.pointer.clone())).collect())
}

#[test]
fn vectors() {
    let text = include_str!("../vectors.jsonl");
    let mut seen = 0;
    for line in text.lines().filter(|line| !line.is_empty()) {
        let vector = Json::parse(line.as_bytes()).unwrap();
        let id = vector.get("id").and_then(Json::as_str).unwrap();
        for (key, manner) in [("strict", Manner::Strict), ("lenient", Manner::Lenient)] {
            let expected = vector.get(key).unwrap();
            let (valid, findings) = check(vector.get("document").unwrap(), vector.get("rubric"), manner);
            assert_eq!(Some(&Json::Bool(valid)), expected.get("valid"), "{id} {key}: {findings:?}");
            for wanted in expected.get("findings").and_then(Json::as_array).unwrap_or_default() {
                let part = |at: usize| wanted.as_array().unwrap()[at].as_str().unwrap().to_owned();
                assert!(findings.contains(&(part(0), part(1))), "{id} {key}: {wanted} not in {findings:?}");
            }
            seen += 1;
        }
    }
    assert!(seen >= 60, "{seen}");
}

#[test]
fn a_result_without_a_maximum_has_no_upper_bound() {
    let checked = |document: &str, rubric: Option<&str>| {
        let rubric = rubric.map(|text| Json::parse(text.as_bytes()).unwrap());
        check(&Json::parse(document.as_bytes()).unwrap(), rubric.as_ref(), Manner::Strict)
    };
    for document in [
        r#"{"rubric_id":"a","score":40}"#,
        r#"{"rubric_id":"a","score":0.5}"#,
        r#"{"rubric_id":"a","score":0}"#,
        r#"{"rubric_id":"a","score":40,"max_score":40}"#,
    ] {
        assert_eq!(checked(document, None), (true, Vec::new()), "{document}");
    }
    let range = (false, vec![("score-range".to_owned(), "/score".to_owned())]);
    assert_eq!(checked(r#"{"rubric_id":"a","score":-1}"#, None), range);
    assert_eq!(checked(r#"{"rubric_id":"a","score":41,"max_score":40}"#, None), range);
    let rubric = Some(r#"{"rubric_id":"a","max_score":30}"#);
    assert_eq!(checked(r#"{"rubric_id":"a","score":40}"#, rubric), range);
}

/// Checks every document of the collection, including those that its own runner skips.
#[test]
fn the_case_collection() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/judgehost/documents.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let of_collection = Json::parse(br#"{"rubric_id":"correctness","max_score":50}"#).unwrap();
    for line in text.lines() {
        let row = Json::parse(line.as_bytes()).unwrap();
        let id = row.get("id").and_then(Json::as_str).unwrap();
        let document = row.get("document").unwrap();
        let rubric = (id.contains("rubric_")).then_some(&of_collection);
        let (valid, findings) = check(document, rubric, Manner::Strict);
        assert_eq!(Some(&Json::Bool(valid)), row.get("valid"), "{id}: {findings:?}");
        let warnings = row.get("warnings").and_then(Json::as_array).unwrap_or_default();
        assert!(findings.len() >= warnings.len(), "{id}: {findings:?} for {warnings:?}");
    }
}

#[test]
fn defaults_are_the_documents() {
    let config = Draft::default().read(Manner::Strict).unwrap().config;
    assert_eq!(config.version, "1.0.0");
    assert_eq!(config.network.name, "problem-{{problem_id}}-{{submission_id}}");
    assert_eq!((config.network.driver.as_str(), config.network.internet_access), ("bridge", false));
    assert_eq!((config.hooks.parallel_execution, config.hooks.periodic_interval_seconds), (false, 10));
    assert_eq!((config.hooks.hook_timeout_seconds, config.hooks.max_concurrent_hooks), (None, 4));
    let timeouts = config.timeouts;
    assert_eq!((timeouts.problem_total, timeouts.container_startup), (1800, 60));
    assert_eq!((timeouts.hook_execution, timeouts.submission_execution), (30, 600));
    let packages = config.packages();
    assert_eq!((packages[0].package_id.as_str(), packages[0].container_id.as_str()), ("main", "submission"));
    assert_eq!((packages[0].extract_path.as_str(), packages[0].permissions), ("/", 0o755));
    assert!(!config.containers[1].accepts_submission);
}

#[test]
fn cycles_are_named() {
    let submission = r#""depends_on": [{"container_id": "tester"}]"#;
    let tester = r#""depends_on": [{"container_id": "submission"}]"#;
    let text = Draft::default().text(submission, tester);
    let error = fablegrade_judgehost::Config::parse(text.as_bytes(), Manner::Strict).unwrap_err();
    let cycle = error.findings().iter().find(|finding| finding.rule == "dependency-cycle").unwrap();
    assert!(cycle.message.contains("submission -> tester -> submission"), "{}", cycle.message);
    refused(
        Draft::with_tester(tester.replace("submission", "tester").as_str()),
        "depends-on-itself",
        "/containers/1/depends_on/0",
    );
}

#[test]
fn every_finding_at_once() {
    let text = r#"{"problem_id": "X", "containers": [{"container_id": "1a"}, {"dockerfile_path": "../D"}],
        "rubrics": [{"rubric_id": "r", "rubric_type": "ui_tests", "max_score": 0}]}"#;
    let error = fablegrade_judgehost::Config::parse(text.as_bytes(), Manner::Strict).unwrap_err();
    for (rule, pointer) in [
        ("problem-id-form", "/problem_id"),
        ("missing-field", ""),
        ("id-form", "/containers/0/container_id"),
        ("missing-field", "/containers/0"),
        ("missing-field", "/containers/1"),
        ("path-form", "/containers/1/dockerfile_path"),
        ("unknown-word", "/rubrics/0/rubric_type"),
        ("not-above-zero", "/rubrics/0/max_score"),
        ("missing-field", "/rubrics/0"),
    ] {
        assert!(has(error.findings(), rule, pointer), "{rule} {pointer}: {error:?}");
    }
}

#[test]
fn places_of_the_judge_cannot_be_mounted_over() {
    for place in ["/", "/out", "/out/logs", "/hooks/pre", "/proc", "/sys/fs", "/dev"] {
        let mount = format!(r#""mounts": [{{"type": "tmpfs", "destination": "{place}"}}]"#);
        refused(Draft::with_tester(&mount), "reserved-path", "/containers/1/mounts/0/destination");
    }
    let twice = r#""mounts": [{"type": "tmpfs", "destination": "/a"}, {"type": "volume", "source": "v", "destination": "/a/"}]"#;
    refused(Draft::with_tester(twice), "repeated-mount", "/containers/1/mounts/1/destination");
    refused(
        Draft::with_tester(r#""mounts": [{"type": "bind", "source": "../x", "destination": "/a"}]"#),
        "path-form",
        "/containers/1/mounts/0/source",
    );
}

#[test]
fn lint() {
    let add = r#""capabilities": {"add": ["CAP_NET_BIND_SERVICE", "CAP_SYS_ADMIN"]}"#;
    warned(Draft::with_tester(add), "strong-capability", "/containers/1/capabilities/add/1");
    warned(
        Draft::with_submission(r#""environment": {"PROBLEM_ID": "x"}"#),
        "reserved-variable",
        "/containers/0/environment/PROBLEM_ID",
    );
    warned(
        Draft::with_tester(
            r#""mounts": [{"type": "bind", "source": "s", "destination": "/s", "propagation": "rpublic"}]"#,
        ),
        "propagation",
        "/containers/1/mounts/0/propagation",
    );
    let slow = r#""health_check": {"command": "true", "interval": 30}"#;
    let text = Draft::default().text(
        slow,
        r#""depends_on": [{"container_id": "submission", "condition": "healthy", "timeout": 30}]"#,
    );
    let checked = fablegrade_judgehost::Config::parse(text.as_bytes(), Manner::Strict).unwrap();
    assert!(has(&checked.findings, "never-healthy-in-time", "/containers/1/depends_on/0/timeout"));
    // The wait lasts at least as long as its checks.
    let waits = r#""container_id": "submission", "condition": "healthy", "timeout": 5, "retry_interval": 2"#;
    for (retry, warned) in [(30, false), (16, false), (15, true)] {
        let waits = format!(r#""depends_on": [{{{waits}, "retry": {retry}}}]"#);
        let text = Draft::default().text(slow, &waits);
        let checked = fablegrade_judgehost::Config::parse(text.as_bytes(), Manner::Strict).unwrap();
        let told = checked.findings.iter().any(|finding| finding.rule == "never-healthy-in-time");
        assert_eq!(told, warned, "{retry}");
    }
    for (source, warned) in [
        ("tester/hooks/post", true),
        ("tester/hooks/post/01_t.sh", true),
        ("tester/hooks", true),
        ("tester", true),
        ("submission/hooks/pre", true),
        ("tester/hooks_data", false),
        ("tester/data", false),
    ] {
        let mount = format!(r#""mounts": [{{"type": "bind", "source": "{source}", "destination": "/s"}}]"#);
        let checked = Draft::with_submission(&mount).unwrap();
        let told = has(&checked.findings, "hooks-in-reach", "/containers/0/mounts/0/source");
        assert_eq!(told, warned, "{source}");
    }
    let shared = r#""mounts": [{"type": "volume", "source": "v", "destination": "/v"}]"#;
    let text = Draft::default().text(shared, shared);
    let checked = fablegrade_judgehost::Config::parse(text.as_bytes(), Manner::Strict).unwrap();
    assert!(has(&checked.findings, "submission-can-write", "/containers/1/mounts/0"));
    refused(Draft::with_more(r#""network": {"driver": "host"}"#), "network-driver", "/network/driver");
    refused(Draft::with_more(r#""network": {"name": "a {{user}}"}"#), "network-name", "/network/name");
    refused(
        Draft::with_more(r#""network": {"dns_servers": ["dns.example"]}"#),
        "dns-server",
        "/network/dns_servers/0",
    );
    refused(
        Draft::with_more(r#""hooks_config": {"periodic_interval_seconds": 0}"#),
        "out-of-range",
        "/hooks_config/periodic_interval_seconds",
    );
}
