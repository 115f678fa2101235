//! Measures two communicating programs, as ratios within one run. They are compared with the same programs in
//! plain bubblewrap with pipes between them, and with two sandboxes that do not communicate.
#![allow(clippy::print_stdout, clippy::expect_used)]

#[cfg(target_os = "linux")]
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int n, char **arguments) {
    long rounds = atol(arguments[1]), began = atol(arguments[2]), got;
    if (began) { printf("0\n"); fflush(stdout); }
    while (scanf("%ld", &got) == 1 && got < rounds) { printf("%ld\n", got + 1); fflush(stdout); }
    return 0;
}
"#;

#[cfg(target_os = "linux")]
fn main() {
    use fablegrade_runner::sandbox::{Conversation, End};
    use fablegrade_runner::{BuildLimits, Cancel, ProgramForm, ProgramSource, Runner};
    use std::io::pipe;
    use std::process::Command;
    use std::time::{Duration, Instant};

    let runner = Runner::detect();
    let form = ProgramForm::Language { language: "c".to_owned(), entry: None };
    let source = ProgramSource { files: vec![("talk.c".to_owned(), PROGRAM.into())], form };
    let program = runner.build(&source, &BuildLimits::default(), &Cancel::new()).expect("a program");
    let file = std::env::temp_dir().join(format!("fablegrade-talk-{}", std::process::id()));
    let unit = file.with_extension("c");
    std::fs::write(&unit, PROGRAM).expect("a source");
    assert!(
        Command::new("gcc").args(["-O2", "-w", "-o"]).args([&file, &unit]).status().expect("gcc").success()
    );
    let bare = "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try \
        --disable-userns --die-with-parent --new-session --as-pid-1 --clearenv --cap-drop ALL --uid 1000 --gid 1000 \
        --hostname sandbox --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 \
        /lib64 --proc /proc --dev-bind /dev/null /dev/null --size 33554432 --tmpfs /tmp --remount-ro / --chdir /tmp";
    let with_bubblewrap = |rounds: u64| {
        let (to_right, left_output) = pipe().expect("a pipe");
        let (to_left, right_output) = pipe().expect("a pipe");
        let start = |began: &str, input: std::io::PipeReader, output: std::io::PipeWriter| {
            let mut command = Command::new("bwrap");
            command.args(["--ro-bind", &file.to_string_lossy(), "/program"]);
            command.args(bare.split_whitespace()).args(["--", "/program", &rounds.to_string(), began]);
            command.stdin(input).stdout(output).spawn().expect("bubblewrap")
        };
        let mut left = start("1", to_left, left_output);
        let mut right = start("0", to_right, right_output);
        assert!(left.wait().expect("an end").success() && right.wait().expect("an end").success());
    };
    let ours = |rounds: u64| {
        let job = |began: &str| {
            let mut job = program.job(vec![rounds.to_string(), began.to_owned()], 64);
            job.limits.output = 64 << 20;
            job.limits.cpu = Duration::from_secs(20);
            job.limits.wall = Duration::from_secs(60);
            job
        };
        let conversation = Conversation { transcript: 16 << 10, ends_both: &|_, _| false };
        let done = runner.run_pair(&job("1"), &job("0"), &conversation);
        assert_eq!((done.left.end, done.right.end), (End::Exited(0), End::Exited(0)));
    };
    // The same two programs at once, in two sandboxes that are not connected.
    let apart = || {
        let alone = || {
            let mut job = program.job(vec!["1".to_owned(), "0".to_owned()], 64);
            job.input = b"1\n".to_vec();
            assert_eq!(runner.run_job(&job).end, End::Exited(0));
        };
        std::thread::scope(|scope| {
            scope.spawn(alone);
            scope.spawn(alone);
        });
    };
    let count: usize = 40;
    for rounds in [10, 100, 1_000, 10_000] {
        let count = if rounds > 1_000 { count / 4 } else { count };
        let (mut of_ours, mut of_theirs, mut of_two) = (Vec::new(), Vec::new(), Vec::new());
        // In turns, so other load on the machine affects all of them.
        for _ in 0..count {
            let start = Instant::now();
            ours(rounds);
            of_ours.push(start.elapsed());
            let start = Instant::now();
            with_bubblewrap(rounds);
            of_theirs.push(start.elapsed());
            let start = Instant::now();
            apart();
            of_two.push(start.elapsed());
        }
        of_ours.sort();
        of_theirs.sort();
        of_two.sort();
        for (name, place) in [("least", 0), ("first quartile", count / 4), ("median", count / 2)] {
            let at = |times: &[Duration]| times.get(place).copied().unwrap_or_default();
            let (mine, theirs, two) = (at(&of_ours), at(&of_theirs), at(&of_two));
            let against = |other: Duration| mine.as_secs_f64() / other.as_secs_f64();
            println!(
                "{rounds} lines, {name}: {mine:.1?}; two sandboxes that do not talk {two:.1?}: {:.2}; in bubblewrap \
                 alone {theirs:.1?}: {:.2}",
                against(two),
                against(theirs)
            );
        }
    }
    let _ = std::fs::remove_file(file);
    let _ = std::fs::remove_file(unit);
}

#[cfg(not(target_os = "linux"))]
fn main() {}
