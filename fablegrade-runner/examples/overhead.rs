//! Measures the sandbox, as ratios within one run. `/usr/bin/true` in the sandbox is compared with the same
//! program in plain bubblewrap, and in bare namespaces with limits. A hundred cases of a compiled program are
//! compared with the same runs without a sandbox, and with the CPU time they need.
#![allow(clippy::print_stdout, clippy::expect_used)]

/// Returns the CPU time of this process and all processes that it has waited for, in clock ticks. It varies
/// less than elapsed time on a busy machine.
#[cfg(target_os = "linux")]
fn ticks() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("proc");
    let (_, rest) = text.rsplit_once(')').expect("a name");
    rest.split_ascii_whitespace().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum()
}

#[cfg(target_os = "linux")]
fn main() {
    use fablegrade_core::view::code::{Harness, Language, Limits as CodeLimits, Visibility};
    use fablegrade_core::{ExecutionPlan, PlannedCase, Secret};
    use fablegrade_runner::sandbox::{End, Job, Limits, Visible};
    use fablegrade_runner::{Cancel, Runner};
    use std::process::Command;
    use std::time::{Duration, Instant};

    let runner = Runner::detect();
    let sandbox = runner.sandbox().expect("a sandbox");
    let job = Job {
        command: vec!["/usr/bin/true".to_owned()],
        environment: Vec::new(),
        shown: None,
        visible: Visible::system(),
        directory: "/tmp".to_owned(),
        input: Vec::new(),
        files: Vec::new(),
        channel: false,
        collect: None,
        cancel: Cancel::default(),
        limits: Limits::default(),
    };
    let bare = "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try \
        --disable-userns --die-with-parent --new-session --as-pid-1 --clearenv --cap-drop ALL --uid 1000 --gid 1000 \
        --hostname sandbox --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 \
        /lib64 --ro-bind /etc/alternatives /etc/alternatives --ro-bind /etc/ld.so.cache /etc/ld.so.cache --proc /proc --dev-bind /dev/null /dev/null --dev-bind \
        /dev/zero /dev/zero --dev-bind /dev/full /dev/full --dev-bind /dev/random /dev/random --dev-bind \
        /dev/urandom /dev/urandom --symlink /proc/self/fd /dev/fd --symlink /proc/self/fd/0 /dev/stdin --symlink \
        /proc/self/fd/1 /dev/stdout --symlink /proc/self/fd/2 /dev/stderr --symlink /tmp /dev/shm --symlink /tmp \
        /var/tmp --size 33554432 --tmpfs /tmp --remount-ro / --chdir /tmp -- /usr/bin/true";
    // Only namespaces and limits, without mounts, filter and control group: less than isolate does.
    let limited = "--mount --pid --fork --ipc --net --uts --kill-child prlimit --nproc=64 --fsize=33554432 --nofile=512 \
        --cpu=4 /usr/bin/true";
    let started = |program: &str, words: &str| {
        let status = Command::new(program).args(words.split_whitespace()).status();
        assert!(status.expect("bubblewrap and util-linux").success(), "{program}");
    };
    let ways: [(&str, &dyn Fn()); 3] = [
        ("this sandbox", &|| assert_eq!(sandbox.run(&job).end, End::Exited(0))),
        ("bubblewrap alone", &|| started("bwrap", bare)),
        ("namespaces and limits alone", &|| started("unshare", limited)),
    ];
    let mut times = [const { Vec::new() }; 3];
    let mut spent = [0; 3];
    for _ in 0..25 {
        for (at, (_, run)) in ways.iter().enumerate() {
            let before = ticks();
            for _ in 0..16 {
                let start = Instant::now();
                run();
                times[at].push(start.elapsed());
            }
            spent[at] += ticks() - before;
        }
    }
    times.iter_mut().for_each(|times| times.sort());
    for (at, (name, _)) in ways.iter().enumerate() {
        let [least, quartile, median] = [0, 100, 200].map(|place| times[at][place]);
        let against = |place: usize| times[0][place].as_secs_f64() / times[at][place].as_secs_f64();
        println!(
            "true, {name}: least {least:.1?}, first quartile {quartile:.1?}, median {median:.1?}; this sandbox takes {:.2}, \
             {:.2}, {:.2} times that, and {:.2} of its CPU time",
            against(0),
            against(100),
            against(200),
            f64::from(u32::try_from(spent[0]).unwrap_or(u32::MAX))
                / f64::from(u32::try_from(spent[at].max(1)).unwrap_or(u32::MAX)),
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
    let program = std::env::temp_dir().join(format!("fablegrade-overhead-{}", std::process::id()));
    let unit = program.with_extension("c");
    std::fs::write(&unit, source).expect("a source");
    let compiled = Command::new("gcc").args(["-O2", "-w", "-o"]).args([&program, &unit]).status();
    assert!(compiled.expect("gcc").success());
    let bare_runs = |count: usize| {
        std::thread::scope(|scope| {
            for _ in 0..runner.parallel() {
                scope.spawn(|| {
                    for _ in 0..count / runner.parallel() {
                        assert!(Command::new(&program).status().expect("the program").success());
                    }
                });
            }
        });
    };
    runner.run(&plan(2), |_| ());
    let (mut ours, mut theirs, mut work) = (Duration::ZERO, Duration::ZERO, 0);
    // In turns, so other load on the machine affects both.
    for _ in 0..5 {
        let start = Instant::now();
        let outcomes = runner.run(&plan(20), |_| ());
        ours += start.elapsed();
        work += outcomes.iter().filter_map(|outcome| outcome.time_ms).sum::<u64>();
        let start = Instant::now();
        bare_runs(20);
        theirs += start.elapsed();
    }
    let _ = std::fs::remove_file(program);
    let _ = std::fs::remove_file(unit);
    let ideal = Duration::from_millis(work) / runner.parallel() as u32;
    let against = |other: Duration| ours.as_secs_f64() / other.as_secs_f64();
    println!(
        "100 cases, {} at a time: {ours:.2?}; without a sandbox {theirs:.2?}: {:.2}; the programs' own work alone \
         {ideal:.2?}: {:.2}",
        runner.parallel(),
        against(theirs),
        against(ideal)
    );
}

#[cfg(not(target_os = "linux"))]
fn main() {}
