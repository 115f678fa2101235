//! What the sandbox costs, as ratios within one run: `/bin/true` against bubblewrap alone with the same isolation, and
//! a hundred cases of a compiled program against the processor time they need.
#![allow(clippy::print_stdout, clippy::expect_used)]

#[cfg(target_os = "linux")]
fn main() {
    use fablegrade_core::view::code::{Harness, Language, Limits as CodeLimits, Visibility};
    use fablegrade_core::{ExecutionPlan, PlannedCase, Secret};
    use fablegrade_runner::Runner;
    use fablegrade_runner::sandbox::{End, Job, Limits};
    use std::process::Command;
    use std::time::Instant;

    let runner = Runner::detect();
    let sandbox = runner.sandbox().expect("a sandbox");
    let job = Job {
        command: vec!["/usr/bin/true".to_owned()],
        environment: Vec::new(),
        shown: None,
        read_only: Vec::new(),
        directory: "/tmp".to_owned(),
        input: Vec::new(),
        channel: false,
        collect: None,
        limits: Limits::default(),
    };
    let bare = "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try \
        --disable-userns --die-with-parent --new-session --as-pid-1 --clearenv --cap-drop ALL --uid 1000 --gid 1000 \
        --hostname sandbox --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 \
        /lib64 --ro-bind /etc/ld.so.cache /etc/ld.so.cache --proc /proc --dev-bind /dev/null /dev/null --dev-bind \
        /dev/zero /dev/zero --dev-bind /dev/full /dev/full --dev-bind /dev/random /dev/random --dev-bind \
        /dev/urandom /dev/urandom --size 33554432 --tmpfs /tmp --remount-ro / --chdir /tmp -- /usr/bin/true";
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        let start = Instant::now();
        assert_eq!(sandbox.run(&job).end, End::Exited(0));
        ours.push(start.elapsed());
        let start = Instant::now();
        let status = Command::new("bwrap").args(bare.split_whitespace()).status().expect("bubblewrap");
        assert!(status.success());
        theirs.push(start.elapsed());
    }
    ours.sort();
    theirs.sort();
    for (name, at) in [("least", 0), ("quartile", 50), ("median", 100)] {
        let (ours, theirs) = (ours[at], theirs[at]);
        println!(
            "true, {name}: {ours:?} against {theirs:?}: {:.2}",
            ours.as_secs_f64() / theirs.as_secs_f64()
        );
    }

    let case = |case_index| PlannedCase {
        suite: "suite".to_owned(),
        case_index,
        visibility: Visibility::Public,
        input: Secret::new(String::new()),
        time_ms: 10_000,
    };
    let source = "int main(void) { for (volatile long i = 0; i < 100000000; i++) {} return 0; }";
    let plan = |cases: u32| ExecutionPlan {
        language: Language::C,
        source: source.to_owned(),
        harness: Harness::default(),
        limits: CodeLimits::default(),
        cases: (0..cases).map(case).collect(),
    };
    runner.run(&plan(2), |_| ());
    let start = Instant::now();
    let outcomes = runner.run(&plan(100), |_| ());
    let wall = start.elapsed();
    let work: u64 = outcomes.iter().filter_map(|outcome| outcome.time_ms).sum();
    let ideal = work as f64 / 1000.0 / runner.parallel() as f64;
    println!(
        "100 cases, {} at a time: {:.2} s, of which {ideal:.2} s is the programs' own work: {:.2}",
        runner.parallel(),
        wall.as_secs_f64(),
        wall.as_secs_f64() / ideal
    );
}

#[cfg(not(target_os = "linux"))]
fn main() {}
