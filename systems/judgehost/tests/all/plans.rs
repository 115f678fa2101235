//! Plans: every value is resolved, so a host need not guess any.

use fablegrade_judgehost::config::{Condition, MountSource};
use fablegrade_judgehost::order::{cascade, start_order};
use fablegrade_judgehost::{Config, Manner, Plan, PlanOptions};
use fablegrade_public::finding::ErrorKind;

use super::{Draft, package, plan};

#[test]
fn containers_start_after_what_they_wait_for() {
    let names = |depends: &[(&str, &[&str])]| -> Vec<String> {
        let containers: Vec<String> = (depends.iter())
            .map(|(id, on)| {
                let on: Vec<String> = on.iter().map(|on| format!(r#"{{"container_id": "{on}"}}"#)).collect();
                format!(
                    r#"{{"container_id": "{id}", "dockerfile_path": "x/D", "depends_on": [{}]}}"#,
                    on.join(",")
                )
            })
            .collect();
        let text = format!(
            r#"{{"problem_id": "abc", "problem_name": "A", "containers": [{}]}}"#,
            containers.join(",")
        );
        let config = Config::parse(text.as_bytes(), Manner::Strict).unwrap().config;
        let order = start_order(&config.containers).unwrap();
        order.into_iter().map(|index| config.containers[index].container_id.clone()).collect()
    };
    assert_eq!(names(&[("c", &[]), ("a", &[]), ("b", &[])]), ["c", "a", "b"]);
    assert_eq!(names(&[("t", &["s", "d"]), ("s", &["d"]), ("d", &[])]), ["d", "s", "t"]);
    assert_eq!(names(&[("e", &["f"]), ("x", &[]), ("f", &["d"]), ("d", &[])]), ["x", "d", "f", "e"]);
}

#[test]
fn an_exit_stops_what_it_terminates_and_what_that_terminates() {
    let containers = |terminates: [(&str, &str); 4]| {
        let containers: Vec<String> = (terminates.iter())
            .map(|(id, list)| {
                format!(r#"{{"container_id": "{id}", "dockerfile_path": "x/D", "terminates": [{list}]}}"#)
            })
            .collect();
        let text = format!(
            r#"{{"problem_id": "abc", "problem_name": "A", "containers": [{}]}}"#,
            containers.join(",")
        );
        Config::parse(text.as_bytes(), Manner::Strict).unwrap().config.containers
    };
    let chain = containers([("a", r#""b""#), ("b", r#""c", "a""#), ("c", ""), ("d", "")]);
    assert_eq!(cascade(&chain, "a"), ["b", "c"]);
    assert_eq!(cascade(&chain, "b"), ["c", "a"]);
    assert_eq!(cascade(&chain, "c"), [""; 0]);
    assert_eq!(cascade(&chain, "nobody"), [""; 0]);
}

#[test]
fn defaults_limits_and_environment_are_resolved() {
    let text = Draft::default().text(
        r#""environment": {"B": "2", "A": "1", "SUBMISSION_ID": "mine"}, "resource_limits": {"memory": "1.5GiB", "cpus": 0.5, "timeout": 60}"#,
        r#""depends_on": [{"container_id": "submission"}]"#,
    );
    let plan = plan(&text, &[("tester/data/cases.txt", "1")]);
    let ids: Vec<&str> = plan.containers.iter().map(|container| container.container_id.as_str()).collect();
    assert_eq!(ids, ["submission", "tester"]);
    let submission = plan.container("submission").unwrap();
    assert_eq!((submission.memory, submission.nano_cpus, submission.lifetime), (1536 << 20, 500_000_000, 60));
    assert_eq!((submission.memory_text(), submission.cpus_text()), ("1536m".into(), "0.5".into()));
    assert_eq!((submission.context.as_str(), submission.dockerfile.as_str()), ("submission", "Dockerfile"));
    let variables: Vec<(&str, &str)> =
        submission.environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        variables,
        [
            ("A", "1"),
            ("B", "2"),
            ("CONTAINER_ID", "submission"),
            ("PROBLEM_ID", "two-sum"),
            ("PROBLEM_VERSION", "1.0.0"),
            ("SUBMISSION_ID", "sub_1")
        ]
    );
    assert_eq!(submission.cap_drop, ["MKNOD", "NET_RAW"]);
    assert_eq!(submission.packages[0].package_id, "main");
    let tester = plan.container("tester").unwrap();
    assert_eq!(
        (tester.memory, tester.nano_cpus, tester.lifetime, tester.processes),
        (512 << 20, 1_000_000_000, 1800, 512)
    );
    assert_eq!(tester.cap_drop, [""; 0]);
    assert!(tester.waits_for("submission", Condition::Started));
    assert_eq!(tester.mounts[0].source, MountSource::Bind("tester/data".into()));
    assert_eq!((tester.mounts[0].destination.as_str(), tester.mounts[0].read_only), ("/data", true));
    assert_eq!(plan.network.name, "problem-two-sum-sub_1");
    assert!(plan.network.internal);
    assert_eq!((plan.hook_seconds, plan.total_seconds, plan.submission_seconds), (30, 1800, 600));
    assert_eq!(plan.rubrics, [("correctness".to_owned(), vec!["tester".to_owned()])]);
}

#[test]
fn the_time_of_a_hook_comes_from_hooks_config_then_timeouts_then_30() {
    let seconds = |more| plan(&Draft { more, ..Draft::default() }.text("", ""), &[]).hook_seconds;
    assert_eq!(
        seconds(r#""hooks_config": {"hook_timeout_seconds": 7}, "timeouts": {"hook_execution_seconds": 9}"#),
        7
    );
    assert_eq!(seconds(r#""hooks_config": {}, "timeouts": {"hook_execution_seconds": 9}"#), 9);
    assert_eq!(seconds(""), 30);
}

#[test]
fn who_is_waited_for() {
    let awaited =
        |tester: &str, files: &[(&str, &str)]| plan(&Draft::default().text("", tester), files).awaited;
    assert_eq!(awaited("", &[]), ["tester"]);
    assert_eq!(awaited("", &[("tester/hooks/post/01_a.sh", "true")]), [""; 0]);
    assert_eq!(
        awaited(r#""terminates": ["submission"]"#, &[("tester/hooks/post/01_a.sh", "true")]),
        ["tester"]
    );
    // A rubric that names no container: somebody must write its result.
    let unnamed = Draft {
        rubrics: r#"{"rubric_id": "r", "rubric_name": "R", "rubric_type": "custom", "max_score": 100}"#,
        ..Draft::default()
    };
    let awaited = |tester: &str, files: &[(&str, &str)]| plan(&unnamed.text("", tester), files).awaited;
    assert_eq!(awaited("", &[]), ["tester"]);
    assert_eq!(awaited("", &[("submission/hooks/post/01_a.sh", "true")]), [""; 0]);
    assert_eq!(awaited(r#""accepts_submission": true"#, &[]), ["submission", "tester"]);
    // A database does not end.
    let awaited = |database: &str, condition: &str, tester: &str| {
        let containers = format!(
            r#""container_id": "submission", "dockerfile_path": "submission/Dockerfile", "accepts_submission": true, "depends_on": [{{"container_id": "tester", "condition": "started"}}]}},
            {{"container_id": "db", "dockerfile_path": "tester/Dockerfile"{database}"#
        );
        let draft = Draft { submission: containers.leak(), ..unnamed };
        let depends =
            format!(r#""depends_on": [{{"container_id": "db", "condition": "{condition}"}}]{tester}"#);
        plan(&draft.text("", &depends), &[]).awaited
    };
    let check = r#", "health_check": {"command": "true"}"#;
    let port = r#", "ports": ["5432"]"#;
    let listening = r#", "ports": ["80"]"#;
    assert_eq!(awaited(check, "healthy", ""), ["tester"]);
    assert_eq!(awaited(port, "started", listening), ["tester"]);
    // One that only goes first may have a result.
    assert_eq!(awaited("", "started", ""), ["db", "tester"]);
    assert_eq!(awaited(port, "completed", ""), ["db", "tester"]);
}

#[test]
fn a_host_refuses_what_it_does_not_allow() {
    let text = Draft { more: r#""network": {"internet_access": true}"#, ..Draft::default() }
        .text("", r#""capabilities": {"add": ["CAP_SYS_ADMIN", "KILL"]}"#);
    let package = package(&text, &[]).unwrap();
    let mut options = PlanOptions::default();
    let error = Plan::new(&package, "s", &options).unwrap_err();
    assert_eq!((error.kind(), error.rule()), (ErrorKind::Mismatch, "strong-capability"));
    assert_eq!(error.pointer(), "/containers/1/capabilities/add/0");
    options.allowed_capabilities.push("CAP_SYS_ADMIN".into());
    let plan = Plan::new(&package, "s", &options).unwrap();
    assert_eq!(plan.container("tester").unwrap().cap_add, ["KILL", "SYS_ADMIN"]);
    assert!(!plan.network.internal);
    options.internet = false;
    assert_eq!(Plan::new(&package, "s", &options).unwrap_err().rule(), "no-internet");
    for id in ["", "a b", "../x", "-x", &"x".repeat(65)] {
        assert_eq!(
            Plan::new(&package, id, &PlanOptions::default()).unwrap_err().findings()[0].rule,
            "submission-id",
            "{id}"
        );
    }
}

#[test]
fn a_plan_is_data() {
    let hooks = [("tester/hooks/post/01_a.sh", "echo secret")];
    let plan = plan(&Draft::default().text("", ""), &hooks);
    let json = plan.to_json();
    assert_eq!(json.pointer("/post/0/0/name").unwrap().as_str(), Some("01_a.sh"));
    assert_eq!(json.pointer("/containers/1/memory").unwrap().to_string(), "536870912");
    assert!(!json.to_string().contains("secret"));
}
