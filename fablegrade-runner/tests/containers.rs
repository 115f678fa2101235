//! Problem packages on a real container engine; `systems/judgehost/test` starts one and runs these tests.
//!
//! They require `DOCKER_HOST`, `docker` and `docker-compose` on the path, and `FABLEGRADE_ROOTFS`: a root
//! file system packed by `example/rootfs.sh`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fablegrade_judgehost::{
    ContainerEnd, Entry, Evaluation, File, FileLimits, Files, HookEnd, Manner, Package, Phase, Plan,
    PlanOptions, Ranking, Stage, Status, Verdict, content_id, distribute, evaluate,
};
use fablegrade_public::Ratio;
use fablegrade_public::identifier::UuidText;
use fablegrade_public::json::Json;
use fablegrade_public::result;
use fablegrade_runner::judgehost::{CleanOptions, Engine, Event, Report, RunOptions};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../systems/judgehost/example");
const HOOK: &str = "#!/bin/sh\n";

fn rootfs() -> Vec<u8> {
    std::fs::read(std::env::var_os("FABLEGRADE_ROOTFS").expect("FABLEGRADE_ROOTFS"))
        .expect("the root file system")
}

/// Reads all files below a folder.
fn read_folder(root: &Path, prefix: &str, entries: &mut Vec<(String, Entry)>) {
    for entry in std::fs::read_dir(root).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            read_folder(&entry.path(), &format!("{path}/"), entries);
        } else {
            let bytes = std::fs::read(entry.path()).unwrap();
            entries.push((path, Entry::File(File { bytes, executable: Some(true) })));
        }
    }
}

fn folder(name: &str) -> Vec<(String, Entry)> {
    let mut entries = Vec::new();
    read_folder(&Path::new(EXAMPLE).join(name), "", &mut entries);
    entries
}

fn file(path: &str, text: impl Into<Vec<u8>>) -> (String, Entry) {
    (path.to_owned(), Entry::File(File { bytes: text.into(), executable: Some(true) }))
}

/// Returns a package whose images all come from the root file system.
fn package(mut entries: Vec<(String, Entry)>) -> Package {
    for container in ["database", "submission", "tester"] {
        entries.push(file(&format!("{container}/rootfs.tar"), rootfs()));
    }
    Package::open(Files::from_entries(entries, FileLimits::default()).unwrap(), Manner::Strict).unwrap()
}

/// Returns the ids of all objects on the engine.
fn on_the_engine() -> String {
    let docker = |arguments: &[&str]| {
        let output = Command::new("docker").args(arguments).output().expect("docker");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    [
        docker(&["ps", "--all", "--quiet"]),
        docker(&["volume", "ls", "--quiet"]),
        docker(&["images", "--all", "--quiet"]),
        docker(&["network", "ls", "--quiet", "--filter", "type=custom"]),
    ]
    .concat()
}

struct Ran {
    report: Report,
    evaluation: Evaluation,
    events: Vec<Event>,
}

impl Ran {
    fn attempt(&self) -> result::AttemptResult {
        let id = UuidText::new("123e4567-e89b-42d3-a456-426614174000").unwrap();
        self.evaluation.to_attempt_result(id, Ranking::Auto)
    }

    fn hooks_log(&self) -> String {
        String::from_utf8_lossy(&self.report.hooks_log).into_owned()
    }

    /// Returns the `details` that a hook wrote for the rubric `probe`.
    fn details(&self) -> &Json {
        let rubric = &self.evaluation.rubrics[0];
        rubric.document.as_ref().and_then(|document| document.get("details")).unwrap_or_else(|| {
            panic!(
                "{rubric:?}\n{}\n{}",
                self.hooks_log(),
                String::from_utf8_lossy(&self.report.hooks_error_log)
            )
        })
    }
}

/// Runs a package and checks that nothing remains on the engine.
fn run(package: &Package, submission: Vec<(String, Entry)>) -> Ran {
    run_and_watch(package, submission, |_| ())
}

fn run_and_watch(package: &Package, submission: Vec<(String, Entry)>, watch: impl Fn(&Event)) -> Ran {
    let ran = run_beside_others(package, submission, &PlanOptions::default(), watch);
    assert_eq!(on_the_engine(), "");
    ran
}

/// Runs on an engine that may contain other objects.
fn run_beside_others(
    package: &Package,
    submission: Vec<(String, Entry)>,
    limits: &PlanOptions,
    watch: impl Fn(&Event),
) -> Ran {
    let submission = Files::from_entries(submission, FileLimits::default()).unwrap();
    let plan = Plan::new(package, &content_id(&submission), limits).unwrap();
    let deliveries = distribute(&package.config, &submission).unwrap();
    let engine = Engine::connect(None).unwrap();
    let mut options = RunOptions::default();
    options.build_network = Some("none".into());
    options.collect_bytes = Some(1 << 20);
    options.signals = true;
    let mut events = Vec::new();
    let mut tell = |event| {
        watch(&event);
        events.push(event);
    };
    let report = engine.run(package, &plan, &deliveries, &options, &mut tell);
    assert_eq!(report.left_over, [""; 0]);
    let evaluation = evaluate(&package.config, &plan.submission_id, &report.outcome);
    Ran { report, evaluation, events }
}

fn run_example(submission: &str) -> Ran {
    run(&package(folder("package")), folder(&format!("submissions/{submission}")))
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_right_submission_has_all_points() {
    let ran = run_example("right");
    let Ran { evaluation, report, .. } = &ran;
    assert_eq!((evaluation.status, evaluation.verdict), (Status::Completed, Verdict::Pass), "{evaluation:?}");
    assert_eq!(evaluation.share(Ranking::Auto), Some(Ratio::one()));
    assert_eq!((ran.attempt().verdict, ran.attempt().score), (result::Verdict::Correct, Some(1.0)));
    // This covers hooks, their logs, the cascade and the periodic hook.
    assert!(
        ran.hooks_log().contains("== database/hooks/pre/01_load.sh\nloaded 5 orders for sub_"),
        "{}",
        ran.hooks_log()
    );
    assert!(ran.hooks_log().contains("4 of 4"));
    // A periodic run can coincide with the end of the service.
    let others = || report.outcome.hooks.iter().filter(|hook| hook.phase != Phase::Periodic);
    assert!(others().all(|hook| hook.end.is_good()) && others().count() == 5, "{:?}", report.outcome.hooks);
    let end = |id: &str| {
        report.outcome.containers.iter().find(|container| container.container_id == id).unwrap().end
    };
    // The tester has done its part with its last hook, and its program may end at the same moment.
    assert!(matches!(end("tester"), ContainerEnd::Running | ContainerEnd::Exited(0)), "{:?}", end("tester"));
    assert_eq!((end("submission"), end("database")), (ContainerEnd::Terminated, ContainerEnd::Terminated));
    assert!(report.out["tester"].get("alive.csv").is_some(), "{:?}", report.out["tester"]);
    // The containers start one after another, each when the previous one is healthy.
    let started: Vec<&str> = (ran.events.iter())
        .filter_map(|event| match event {
            Event::Started { container_id } | Event::Ready { container_id } => Some(container_id.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(started, ["database", "database", "submission", "submission", "tester", "tester"]);
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_wrong_submission_has_the_points_it_earned() {
    let ran = run_example("wrong");
    assert_eq!((ran.evaluation.status, ran.evaluation.verdict), (Status::Completed, Verdict::Partial));
    assert_eq!(ran.evaluation.share(Ranking::Auto), Some(Ratio::new(30, 170)));
    assert_eq!(ran.attempt().verdict, result::Verdict::Partial);
    assert!(String::from_utf8_lossy(&ran.report.hooks_error_log).contains("case 1 failed"));
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_hanging_submission_is_wrong_and_does_not_hang_the_judge() {
    let ran = run_example("hanging");
    assert_eq!((ran.evaluation.status, ran.evaluation.verdict), (Status::Completed, Verdict::Fail));
    assert_eq!((ran.attempt().verdict, ran.attempt().score), (result::Verdict::Incorrect, Some(0.0)));
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_forging_submission_is_not_believed() {
    let ran = run_example("forging");
    // It wrote full marks, and they were collected.
    let forged = |file: &&fablegrade_judgehost::ResultFile| file.container_id == "submission";
    assert_eq!(ran.report.outcome.results.iter().filter(forged).count(), 2);
    assert_eq!(ran.evaluation.verdict, Verdict::Fail);
    assert!(ran.evaluation.rubrics.iter().all(|rubric| rubric.container_id.as_deref() == Some("tester")));
    assert_eq!(
        ran.evaluation.findings.iter().filter(|finding| finding.rule == "result-not-believed").count(),
        2
    );
    assert_eq!(ran.attempt().verdict, result::Verdict::Incorrect);
    // The link to the root of the container was not followed.
    assert!(ran.report.out["submission"].iter().all(|(path, _)| !path.starts_with("root")));
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_crashing_submission_is_wrong_and_says_why() {
    let ran = run_example("crashing");
    let failure = ran.evaluation.failure.as_ref().unwrap();
    assert_eq!((ran.evaluation.status, failure.stage), (Status::Failed, Stage::Startup));
    assert!(failure.message.contains("exited with 3"), "{failure:?}");
    assert!(ran.evaluation.by_submission);
    assert_eq!((ran.attempt().verdict, ran.attempt().score), (result::Verdict::Incorrect, Some(0.0)));
    assert!(String::from_utf8_lossy(&ran.report.container_logs["submission"]).contains("out of luck"));
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_submission_that_cannot_be_read_fails_its_pre_hook() {
    let ran = run(&package(folder("package")), vec![file("total.sh", "if then fi(")]);
    let failure = ran.evaluation.failure.as_ref().unwrap();
    assert_eq!((failure.stage, failure.container_id.as_deref()), (Stage::PreHook, Some("submission")));
    assert_eq!(ran.attempt().verdict, result::Verdict::Incorrect);
}

/// Makes a package with one container for the submission and one that judges, with these fields and files.
fn small(more: &str, submission: &str, tester: &str, files: &[(&str, &str)]) -> Package {
    let config = format!(
        r#"{{"problem_id": "probe", "problem_name": "Probe"{more}, "containers": [
        {{"container_id": "submission", "dockerfile_path": "submission/Dockerfile", "accepts_submission": true{submission}}},
        {{"container_id": "tester", "dockerfile_path": "tester/Dockerfile"{tester}}}],
        "rubrics": [{{"rubric_id": "probe", "rubric_name": "Probe", "rubric_type": "custom", "max_score": 100, "container": "tester"}}]}}"#
    );
    let dockerfile = "FROM scratch\nADD rootfs.tar /\nCMD [\"sleep\", \"600\"]\n";
    let mut entries = vec![
        file("config.json", config),
        file("submission/Dockerfile", dockerfile),
        file("tester/Dockerfile", dockerfile),
    ];
    entries.extend(files.iter().map(|(path, text)| file(path, *text)));
    package(entries)
}

/// Returns the same package with another program in the submission's image.
fn with_program(mut package: Package, program: &str) -> Package {
    let dockerfile = format!("FROM scratch\nADD rootfs.tar /\nCMD [\"sh\", \"-c\", {program:?}]\n");
    let entries = package.files.iter().map(|(path, found)| match path {
        "submission/Dockerfile" => file(path, dockerfile.as_str()),
        _ => (path.to_owned(), Entry::File(found.clone())),
    });
    package.files = Files::from_entries(entries, FileLimits::default()).unwrap();
    package
}

/// Returns a package whose only rubric is evaluated in the submission's container.
fn tested_beside(program: &str, hook: &str) -> Package {
    let mut package = with_program(small("", "", "", &[("submission/hooks/post/01_test.sh", hook)]), program);
    package.config.rubrics[0].container = Some("submission".into());
    package
}

const PASS: &str = "echo '{\"rubric_id\":\"probe\",\"score\":100}' > /out/rubric_probe.json";

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn limits_mounts_and_environment_hold_inside() {
    let probe = r#"#!/bin/sh
memory=$(cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || cat /sys/fs/cgroup/memory.max)
(echo x > /data/new) 2>/dev/null && data=written || data=read-only
(echo x > /shared/new) 2>/dev/null && shared=written || shared=read-only
caps=$(awk '/CapBnd/ { print $2 }' /proc/self/status)
privileges=$(awk '/NoNewPrivs/ { print $2 }' /proc/self/status)
hooks=$(ls /hooks 2>/dev/null | wc -l)
printf '{"rubric_id":"probe","score":100,"details":{"memory":"%s","data":"%s","shared":"%s","cases":"%s","privileges":"%s","caps":"%s","hooks":"%s","container":"%s","own":"%s","time":"%s","file":"%s"}}' \
    "$memory" "$data" "$shared" "$(cat /cases/one)" "$privileges" "$caps" "$hooks" "$CONTAINER_ID" "$OWN" "$EVALUATION_START_TIME" "$(cat /etc/one.conf)" > /out/rubric_probe.json
"#;
    let mounts = r#", "environment": {"OWN": "a b$c", "CONTAINER_ID": "forged"}, "resource_limits": {"memory": "48m"},
        "capabilities": {"drop": ["CAP_CHOWN"]}, "mounts": [
        {"type": "bind", "source": "tester/cases", "destination": "/cases", "read_only": true},
        {"type": "bind", "source": "tester/one.conf", "destination": "/etc/one.conf", "read_only": true},
        {"type": "volume", "source": "shared", "destination": "/shared"}, {"type": "tmpfs", "destination": "/fast"}]"#;
    let files = [
        ("tester/hooks/post/01_probe.sh", probe),
        ("tester/data/x", "x"),
        ("tester/cases/one", "first"),
        ("tester/one.conf", "second"),
    ];
    let ran = run(&small("", "", mounts, &files), vec![file("a", "")]);
    let details = ran.details();
    let text = |key: &str| details.get(key).unwrap().as_str().unwrap().to_owned();
    assert_eq!(text("memory"), (48u64 << 20).to_string());
    assert_eq!((text("data"), text("shared")), ("read-only".into(), "written".into()));
    assert_eq!((text("cases"), text("file")), ("first".into(), "second".into()));
    assert_eq!((text("privileges"), text("hooks")), ("1".into(), "0".into()));
    assert_eq!(u64::from_str_radix(&text("caps"), 16).unwrap() & 1, 0, "CAP_CHOWN is dropped");
    assert_eq!((text("container"), text("own")), ("tester".into(), "a b$c".into()));
    assert!(text("time").parse::<u64>().unwrap() > 1_600_000_000);
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn there_is_no_way_out() {
    let listener = std::net::TcpListener::bind("0.0.0.0:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let probe = format!(
        r#"#!/bin/sh
reached=none
for address in $(ip route | awk '{{ for (i = 1; i < NF; i++) if ($i == "via") print $(i + 1) }}') 172.17.0.1 192.0.2.1; do
    echo hello | timeout 2 nc -w 1 "$address" {port} && reached=$address
done
name=found
timeout 5 nslookup example.com >/dev/null 2>&1 || name=none
other=none
ping -c 1 -W 2 submission >/dev/null 2>&1 && other=found
printf '{{"rubric_id":"probe","score":100,"details":{{"reached":"%s","name":"%s","other":"%s"}}}}' "$reached" "$name" "$other" > /out/rubric_probe.json
"#
    );
    let ran = run(&small("", "", "", &[("tester/hooks/post/01_probe.sh", &probe)]), vec![file("a", "")]);
    assert_eq!(ran.details().to_string(), r#"{"name":"none","other":"found","reached":"none"}"#);
    assert!(listener.accept().is_err(), "nobody came");
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_hook_that_takes_too_long_is_ended_and_named() {
    let config = r#", "hooks_config": {"hook_timeout_seconds": 2}"#;
    let slow = format!("{HOOK}sleep 500 & sleep 500\n{PASS}");
    let files = [("tester/hooks/post/01_slow.sh", slow.as_str()), ("tester/hooks/post/02_next.sh", PASS)];
    let ran = run(&small(config, "", "", &files), vec![file("a", "")]);
    let ends: Vec<&HookEnd> = ran.report.outcome.hooks.iter().map(|hook| &hook.end).collect();
    assert_eq!(ends, [&HookEnd::TimedOut, &HookEnd::NotRun("01_slow.sh failed".into())]);
    assert_eq!((ran.evaluation.status, ran.evaluation.verdict), (Status::Completed, Verdict::Error));
    let message = ran.evaluation.rubrics[0].message.as_deref().unwrap();
    assert!(message.contains("01_slow.sh ran out of time"), "{message}");
    assert_eq!(ran.attempt().verdict, result::Verdict::Error);
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn the_total_time_is_kept() {
    let config = r#", "timeouts": {"problem_total_seconds": 4}"#;
    let slow = format!("{HOOK}sleep 600");
    let started = Instant::now();
    let ran = run(&small(config, "", "", &[("tester/hooks/post/01_slow.sh", &slow)]), vec![file("a", "")]);
    assert_eq!(ran.evaluation.failure.as_ref().unwrap().stage, Stage::TotalTime);
    assert_eq!(ran.evaluation.status, Status::Failed);
    assert!(started.elapsed() < Duration::from_secs(300), "not the hook's own time");
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_container_that_must_complete_must_exit_with_zero() {
    for (code, failed) in [(0, None), (7, Some(Stage::Dependency))] {
        let wait = r#", "depends_on": [{"container_id": "submission", "condition": "completed"}]"#;
        let package = small("", "", wait, &[("tester/hooks/post/01_pass.sh", PASS)]);
        let package = with_program(package, &format!("exit {code}"));
        let ran = run(&package, vec![file("a", "")]);
        assert_eq!(
            ran.evaluation.failure.as_ref().map(|failure| failure.stage),
            failed,
            "{:?}",
            ran.evaluation
        );
        assert_eq!(ran.evaluation.by_submission, failed.is_some());
    }
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_life_that_is_too_long_and_too_much_memory_are_ended() {
    let limits = r#", "resource_limits": {"timeout": 2}"#;
    let wait = format!("{HOOK}while ping -c 1 -W 1 submission >/dev/null 2>&1; do sleep 1; done\n{PASS}");
    let ran = run(&small("", limits, "", &[("tester/hooks/post/01_wait.sh", &wait)]), vec![file("a", "")]);
    assert_eq!(ran.report.outcome.containers[0].end, ContainerEnd::TimedOut);
    assert_eq!(ran.evaluation.verdict, Verdict::Pass);

    let limits = r#", "resource_limits": {"memory": "8m"}"#;
    let eat = format!("{HOOK}head -c 64m /dev/zero | tail -c 64m > /dev/null; echo $?\n");
    let ran = run(
        &small(
            "",
            limits,
            "",
            &[("submission/hooks/post/01_eat.sh", &eat), ("tester/hooks/post/01_pass.sh", PASS)],
        ),
        vec![file("a", "")],
    );
    assert!(!ran.hooks_log().contains("01_eat.sh\n0\n"), "{}", ran.hooks_log());
    assert_eq!(ran.evaluation.verdict, Verdict::Pass);
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn an_image_that_cannot_be_built_fails_with_the_builders_words() {
    let mut package = small("", "", "", &[]);
    let entries = package.files.iter().map(|(path, found)| match path {
        "tester/Dockerfile" => file(path, "FROM scratch\nADD rootfs.tar /\nRUN echo hopeless && exit 9\n"),
        _ => (path.to_owned(), Entry::File(found.clone())),
    });
    package.files = Files::from_entries(entries, FileLimits::default()).unwrap();
    let ran = run(&package, vec![file("a", "")]);
    let failure = ran.evaluation.failure.as_ref().unwrap();
    assert_eq!((failure.stage, failure.container_id.as_deref()), (Stage::Build, Some("tester")));
    assert!(failure.message.contains("hopeless") && failure.message.contains('9'), "{}", failure.message);
    assert_eq!(ran.attempt().verdict, result::Verdict::Error);
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn an_interrupt_at_any_step_of_a_build_leaves_nothing() {
    let steps =
        ["RUN date > /one\n", "RUN sleep 0.2\n", "COPY Dockerfile /\n", "RUN sleep 0.1; date > /two\n"]
            .concat();
    let dockerfile = format!("FROM scratch\nADD rootfs.tar /\n{steps}RUN sleep 500\n");
    for step in [2, 3, 4, 5, 6, 7] {
        let mut package = small("", "", "", &[]);
        let entries = package.files.iter().map(|(path, found)| match path {
            "submission/Dockerfile" => file(path, dockerfile.as_str()),
            _ => (path.to_owned(), Entry::File(found.clone())),
        });
        package.files = Files::from_entries(entries, FileLimits::default()).unwrap();
        let started = Instant::now();
        let ran = run_and_watch(&package, vec![file("a", "")], |event| {
            if matches!(event, Event::Building { line, .. } if line.starts_with(&format!("Step {step}/"))) {
                let own = std::process::id().to_string();
                assert!(Command::new("kill").args(["-INT", &own]).status().unwrap().success());
            }
        });
        assert_eq!(ran.evaluation.failure.as_ref().unwrap().stage, Stage::Interrupted, "{step}");
        assert!(started.elapsed() < Duration::from_secs(300), "not the build's own time");
    }
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_periodic_hook_that_its_container_cuts_off_has_not_failed() {
    let config = r#", "hooks_config": {"periodic_interval_seconds": 1}"#;
    let wait = format!("{HOOK}while ping -c 1 -W 1 submission >/dev/null 2>&1; do sleep 1; done\n{PASS}");
    let files = [
        ("tester/hooks/post/01_wait.sh", wait.as_str()),
        ("submission/hooks/periodic/01_long.sh", "#!/bin/sh\ntouch /begun\nsleep 500\n"),
    ];
    let program = "while [ ! -e /begun ]; do sleep 0.1; done";
    let package = with_program(small(config, "", "", &files), program);
    let ran = run(&package, vec![file("a", "")]);
    let periodic = ran.report.outcome.hooks.iter().filter(|hook| hook.phase == Phase::Periodic);
    assert_eq!(ran.report.outcome.containers[0].end, ContainerEnd::Exited(0));
    assert_eq!(periodic.count(), 0, "{:?}", ran.report.outcome.hooks);
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_container_stays_for_its_hooks_after_its_program_has_ended() {
    for (program, code) in [("true", 0), ("exit 3", 3)] {
        let ran = run(&tested_beside(program, PASS), vec![file("a", "")]);
        let outcome = &ran.report.outcome;
        assert_eq!(outcome.containers[0].end, ContainerEnd::Exited(code));
        assert_eq!(outcome.hooks[0].end, HookEnd::Exited(0));
        let ended =
            Event::ProgramEnded { container_id: "submission".into(), end: ContainerEnd::Exited(code) };
        assert!(ran.events.contains(&ended), "{:?}", ran.events);
        assert_eq!(ran.attempt().verdict, result::Verdict::Correct);
    }
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn an_idle_container_with_hooks_has_ended_when_its_hooks_have() {
    let terminates = r#", "terminates": ["submission"]"#;
    let started = Instant::now();
    let ran = run(&small("", "", terminates, &[("tester/hooks/post/01_pass.sh", PASS)]), vec![file("a", "")]);
    assert!(started.elapsed() < Duration::from_secs(300), "not the 600 s that it is willing to wait");
    assert!(!ran.events.iter().any(|event| matches!(event, Event::Awaiting { .. })), "{:?}", ran.events);
    assert_eq!(ran.attempt().verdict, result::Verdict::Correct);
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn what_keeps_the_judge_from_testing_is_the_submissions_failure() {
    let bomb = "while :; do sleep 900 & done 2>/dev/null";
    let wait = format!("{HOOK}sleep 2\n{PASS}");
    let link = "ln -s /etc/passwd /out/rubric_probe.json; sleep 900";
    let write = "dd if=/dev/zero of=/big bs=1M count=200 2>/dev/null; sleep 900";
    let hang = format!("{HOOK}sleep 900\n");
    for (program, hook, word) in [
        (bomb, wait.as_str(), "had used up its processes"),
        (link, "true", "is a link"),
        (write, hang.as_str(), "there is no rubric_probe.json"),
    ] {
        let mut limits = PlanOptions::default();
        limits.processes = 64;
        limits.disk = 64 << 20;
        let ran = run_beside_others(&tested_beside(program, hook), vec![file("a", "")], &limits, |_| ());
        let rubric = &ran.evaluation.rubrics[0];
        assert_eq!(rubric.verdict, Verdict::Fail, "{program}: {rubric:?} {:?}", ran.report.outcome);
        assert!(rubric.message.as_deref().unwrap_or_default().contains(word), "{rubric:?}");
        assert_eq!((ran.attempt().verdict, ran.attempt().score), (result::Verdict::Incorrect, Some(0.0)));
        assert_eq!(on_the_engine(), "");
    }
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn what_is_written_to_volumes_counts_too() {
    let write = |path: &str| format!("dd if=/dev/zero of={path}/big bs=1M count=200 2>/dev/null; sleep 900");
    let mut limits = PlanOptions::default();
    limits.disk = 64 << 20;
    let shared = r#", "mounts": [{"type": "volume", "source": "shared", "destination": "/shared"}]"#;
    let hang = format!("{HOOK}sleep 900\n");
    let hook = [("submission/hooks/post/01_test.sh", hang.as_str())];
    // A volume of the package, to which both containers can write.
    let mut named = with_program(small("", shared, shared, &hook), &write("/shared"));
    named.config.rubrics[0].container = Some("submission".into());
    // A volume that the image declares.
    let mut declared = tested_beside(&write("/own"), &hang);
    let with_volume = |(path, found): (&str, &File)| match path {
        "submission/Dockerfile" => {
            let text = String::from_utf8_lossy(&found.bytes).replace("CMD", "VOLUME /own\nCMD");
            file(path, text)
        }
        _ => (path.to_owned(), Entry::File(found.clone())),
    };
    declared.files =
        Files::from_entries(declared.files.iter().map(with_volume), FileLimits::default()).unwrap();
    for package in [named, declared] {
        let ran = run_beside_others(&package, vec![file("a", "")], &limits, |_| ());
        let end = |id: &str| {
            let all = &ran.report.outcome.containers;
            all.iter().find(|container| container.container_id == id).map(|container| container.end)
        };
        assert_eq!(end("submission"), Some(ContainerEnd::OutOfDisk), "{:?}", ran.report.outcome);
        assert_ne!(end("tester"), Some(ContainerEnd::OutOfDisk));
        assert_eq!((ran.attempt().verdict, ran.attempt().score), (result::Verdict::Incorrect, Some(0.0)));
        assert!(!ran.events.contains(&Event::VolumesUnmeasured), "{:?}", ran.events);
        assert_eq!(on_the_engine(), "");
    }
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn a_package_of_the_original_layout_is_judged_as_it_is() {
    let config = r#"{"problem_id": "older", "problem_name": "Older", "project_type": "database", "time_limit": 1800,
        "containers": [
        {"container_id": "database", "name": "Database", "accepts_submission": false,
         "dockerfile_path": "database/Dockerfile", "depends_on": [], "terminate_on_finish": []},
        {"container_id": "submission", "name": "Submission", "accepts_submission": true,
         "dockerfile_path": "submission/Dockerfile", "depends_on": [{"container_id": "database",
         "condition": "healthy", "timeout": 60, "retry": 10, "retry_interval": 3}], "terminate_on_finish": ["database"]}],
        "rubrics": [{"rubric_id": "probe", "name": "Probe", "type": "test_cases", "max_score": 50,
         "container": "submission"}]}"#;
    let settings = |more: &str| {
        format!(
            r#"{{"network": {{"enabled": true, "internal_only": true, "network_name": "n-{{{{submission_id}}}}",
            "allowed_containers": []}}, "resource_limits": {{"cpu": "1.0", "memory": "1G", "timeout": 600}}{more}}}"#
        )
    };
    let database = settings(
        r#", "container_id": "database", "health_check": {"command": "test -f /shared/size", "interval": 1}"#,
    );
    let submission = settings(
        r#", "container_id": "submission", "submission_mount": "/submission", "environment": {"GREETING": "hello"}"#,
    );
    let test = format!(
        "{HOOK}set -e\nread size < /shared/size\ntest \"$size\" = 7\ntest \"$GREETING\" = hello\n\
         test -f /submission/answer.sql\ntest -f /workspace/data/one.txt\n\
         echo '{{\"rubric_id\": \"probe\", \"score\": 50, \"status\": \"DONE\"}}' > /out/rubric_probe.json\n"
    );
    let mut entries = vec![
        file("config.json", config),
        file(
            "database/Dockerfile",
            "FROM scratch\nADD rootfs.tar /\nCMD [\"sh\", \"-c\", \"echo 7 > /shared/size; sleep 900\"]\n",
        ),
        file("database/stage2.config.json", database),
        file("database/hooks/pre/01_initialize.sh", "#!/bin/sh\ntest -f /shared/size\n"),
        file("submission/Dockerfile", "FROM scratch\nADD rootfs.tar /\nCMD [\"sh\"]\n"),
        file("submission/stage1.config.json", r#"{"container_id": "submission"}"#),
        file("submission/stage2.config.json", submission),
        file("submission/hooks/post/01_test.sh", test),
        file("submission/data/one.txt", "1"),
    ];
    for container in ["database", "submission"] {
        entries.push(file(&format!("{container}/rootfs.tar"), rootfs()));
    }
    let files = Files::from_entries(entries, FileLimits::default()).unwrap();
    let package = Package::open(files, Manner::Lenient).unwrap();
    let ran = run(&package, vec![file("answer.sql", "select 1")]);
    assert_eq!(
        ran.attempt().verdict,
        result::Verdict::Correct,
        "{:?} {:?}",
        ran.evaluation,
        ran.report.outcome
    );
}

/// A run for the next test, in a process that can be killed.
#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn one_run_in_a_process_of_its_own() {
    use std::io::Write as _;
    let hook = format!("{HOOK}sleep 1\n{PASS}");
    let package = small("", "", "", &[("tester/hooks/post/01_pass.sh", &hook)]);
    let tell = |event: &Event| {
        let mut out = std::io::stderr();
        let _ = writeln!(out, "event {event}");
    };
    let ran = run_beside_others(&package, vec![file("a", "")], &PlanOptions::default(), tell);
    eprintln!("verdict {:?}", ran.attempt().verdict);
    assert_eq!(ran.attempt().verdict, result::Verdict::Correct);
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn the_same_files_judged_at_once_and_killed_meet_neither_each_other_nor_later_runs() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    let judge = |killed_after: Option<usize>| {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "one_run_in_a_process_of_its_own", "--ignored", "--nocapture"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let verdict = match killed_after {
            Some(events) => {
                lines.by_ref().filter(|line| line.starts_with("event")).take(events).for_each(drop);
                child.kill().unwrap();
                None
            }
            None => lines.find_map(|line| line.strip_prefix("verdict ").map(str::to_owned)),
        };
        child.wait().unwrap();
        verdict
    };
    // Every second run is killed, each two events later than the one before.
    let verdicts: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..20)
            .map(|index: usize| scope.spawn(move || judge(index.is_multiple_of(2).then_some(1 + index))))
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    for (index, verdict) in verdicts.iter().enumerate() {
        assert_eq!(verdict.as_deref(), (!index.is_multiple_of(2)).then_some("Correct"), "{verdicts:?}");
    }
    assert_ne!(on_the_engine(), "", "killed runs cannot clean up");
    // The next run reports the remains, and does not remove them.
    let package = small("", "", "", &[("tester/hooks/post/01_pass.sh", PASS)]);
    let ran = run_beside_others(&package, vec![file("a", "")], &PlanOptions::default(), |_| ());
    assert!(matches!(ran.events.first(), Some(Event::LeftBehind { runs: 1.. })), "{:?}", ran.events.first());
    let engine = Engine::connect(None).unwrap();
    let mut options = CleanOptions::default();
    options.dry_run = true;
    let listed = engine.clean(&options);
    assert_ne!(on_the_engine(), "");
    options.dry_run = false;
    let cleaned = engine.clean(&options);
    assert_eq!((&cleaned.removed, &cleaned.left_over), (&listed.removed, &Vec::new()));
    assert_eq!(on_the_engine(), "");
}

/// A folder that is removed when it is dropped.
struct Scratch(std::path::PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
#[ignore = "requires a container engine: ./test systems/judgehost"]
fn compose_takes_the_project_and_starts_it() {
    let scratch = Scratch(std::env::temp_dir().join(format!("fablegrade-compose-{}", std::process::id())));
    let root = &scratch.0;
    let package = package(folder("package"));
    let submission = Files::from_entries(folder("submissions/right"), FileLimits::default()).unwrap();
    let plan = Plan::new(&package, "one", &PlanOptions::default()).unwrap();
    let deliveries = distribute(&package.config, &submission).unwrap();
    let submitted = submission.iter().map(|(path, file)| (format!("submitted/service/{path}"), file));
    for (path, file) in package.files.iter().map(|(path, file)| (path.to_owned(), file)).chain(submitted) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.bytes).unwrap();
    }
    for container in ["database", "submission", "tester"] {
        std::fs::create_dir_all(root.join("out").join(container)).unwrap();
    }
    // The Compose version of Debian 12 does not support `name` in a project file.
    let project = fablegrade_judgehost::compose::project(&plan, &deliveries);
    let project: Vec<&str> = project.lines().filter(|line| !line.starts_with("name:")).collect();
    std::fs::write(root.join("compose.yaml"), project.join("\n")).unwrap();
    let compose = |arguments: &[&str]| {
        let mut command = Command::new("docker-compose");
        command.current_dir(root).args(["--file", "compose.yaml", "--project-name", "fgjh"]).args(arguments);
        let output = command.output().expect("docker-compose");
        (
            output.status.success(),
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)),
        )
    };
    let up = compose(&["up", "--detach", "--build"]);
    let script =
        std::fs::read_to_string(Path::new(EXAMPLE).join("package/database/hooks/pre/01_load.sh")).unwrap();
    let loaded = compose(&["exec", "-T", "database", "/bin/sh", "-c", &script]);
    let script =
        std::fs::read_to_string(Path::new(EXAMPLE).join("package/tester/hooks/post/01_correctness.sh"))
            .unwrap();
    let tested = compose(&["exec", "-T", "tester", "/bin/sh", "-c", &script]);
    let down = compose(&["down", "--volumes", "--rmi", "all", "--timeout", "2"]);
    for (good, said) in [up, loaded, tested, down] {
        assert!(good, "{said}");
    }
    let result = std::fs::read(root.join("out/tester/rubric_correctness.json")).unwrap();
    let rubric = &package.config.rubrics[0];
    assert_eq!(fablegrade_judgehost::RubricOutput::parse(&result, rubric).unwrap().score, rubric.max_score);
    assert_eq!(on_the_engine(), "");
}
