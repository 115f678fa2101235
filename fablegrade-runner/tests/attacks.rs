//! Attacks by hostile submissions: each must be contained, get its verdict, leave no process and no change
//! behind, and not affect the next run. The programs are in `attacks/`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_core::view::code::{Language, Limits};
use fablegrade_core::{CaseOutcome, End, GradeInput};
use fablegrade_runner::{Runner, RunnerOptions};
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

const CANARY: &str = "fablegrade-canary-of-the-host";

struct Attack {
    id: &'static str,
    source: &'static str,
    input: String,
    function: Option<&'static str>,
    time_ms: u32,
    memory_mb: u32,
    output_kb: u32,
    holds: fn(&CaseOutcome) -> bool,
}

fn exits(done: &CaseOutcome, code: i32, output: &str) -> bool {
    done.end == End::Exited(code) && done.stdout == output.as_bytes()
}

fn number(done: &CaseOutcome) -> Option<u64> {
    std::str::from_utf8(&done.stdout).ok()?.trim().parse().ok()
}

fn refused(done: &CaseOutcome) -> bool {
    let End::CompileError(message) = &done.end else { return false };
    !message.contains("root:") && !message.contains(CANARY) && !message.contains("/box")
}

macro_rules! attack {
    ($file:literal, $input:expr, $holds:expr) => {
        Attack {
            id: $file,
            source: include_str!(concat!("attacks/", $file)),
            input: $input.to_string(),
            function: None,
            time_ms: 1000,
            memory_mb: 128,
            output_kb: 64,
            holds: $holds,
        }
    };
}

fn attacks(canary: &str, port: u16) -> Vec<Attack> {
    let mut all = vec![
        // The program may be killed earlier, if kernel memory for refused processes fills the group first.
        attack!("fork_bomb.c", "", |done| matches!(
            done.end,
            End::Timeout | End::Exited(1..) | End::Signalled(9)
        )),
        attack!("threads.c", "", |done| done.end == End::Exited(0)
            && number(done).is_some_and(|count| (1..64).contains(&count))),
        attack!("mem_bomb.c", "", |done| done.end == End::MemoryExceeded),
        attack!("mem_children.py", "", |done| done.end == End::MemoryExceeded),
        attack!("memory_after_forks.c", "", |done| done.end == End::MemoryExceeded),
        attack!("mem_tmpfs.py", "", |done| done.end == End::Exited(0)
            && number(done).is_some_and(|size| size <= 32)),
        attack!("mem_memfd.py", "", |done| exits(done, 0, "0\n")),
        attack!("infinite_output.c", "", |done| done.end == End::OutputLimit
            && done.stdout.len() == 64 * 1024),
        attack!("huge_stderr.py", "", |done| done.end == End::OutputLimit && done.stderr.len() == 64 * 1024),
        attack!("sleep_wall.py", "", |done| done.end == End::Timeout && done.time_ms < Some(500)),
        // The limit is on CPU time, not on wall-clock time.
        attack!("busy_loop.c", "", |done| done.end == End::Timeout && done.time_ms >= Some(1000)),
        attack!("cpu_children.py", "", |done| done.end == End::Timeout && done.time_ms >= Some(1000)),
        attack!("read_host_files.py", canary, |done| exits(done, 0, "")),
        attack!("find_expected.py", "detcepxe-eht-fo-rekram-a", |done| exits(done, 0, "none\n")),
        attack!("write_host.py", canary, |done| exits(done, 0, "")),
        attack!("net_connect.py", port, |done| exits(done, 0, "")),
        attack!("kill_parent.c", "", |done| exits(done, 0, "still here\n")),
        attack!("orphan_stdout.py", "", |done| exits(done, 0, "ok\n")),
        attack!("zombies.c", "", |done| exits(done, 0, "ok\n")),
        attack!("symlink_tricks.py", canary, |done| exits(done, 0, "done\n")),
        attack!("setuid_escape.c", "", |done| exits(done, 0, "")),
        attack!("syscall_surface.c", "", |done| exits(done, 0, "")),
        attack!("refused_calls.c", "", |done| exits(done, 0, "")),
        attack!("proc_self_mem.c", "", |done| exits(done, 0, "done\n")),
        attack!("forge_exit_via_pid1.c", "", |done| done.end == End::Exited(7)),
        attack!("fill_disk.py", "", |done| done.end == End::OutputLimit
            || number(done).is_some_and(|count| count < 200_000)),
        attack!("ignore_signals.c", "", |done| done.end == End::Timeout && done.time_ms >= Some(1000)),
        attack!("close_stdio.py", "", |done| exits(done, 0, "")),
        attack!("ignore_stdin.py", "x".repeat(4 << 20), |done| exits(done, 0, "ok\n")),
        attack!("fd_leak.py", "", |done| exits(done, 0, "")),
        attack!("stack_overflow.c", "", |done| matches!(done.end, End::Signalled(11) | End::MemoryExceeded)),
        attack!("compile_include_host.c", "", refused),
        attack!("compile_include_devzero.c", "", refused),
        attack!("compile_big_binary.c", "", refused),
        attack!("compile_template_bomb.cpp", "", refused),
        attack!("compile_incbin.c", "", refused),
        attack!("compile_rust_include.rs", "", refused),
        attack!("shared_files.c", "", |done| exits(done, 0, "")),
        attack!("machine.py", "", |done| exits(done, 0, "")),
        attack!("beside.py", "", |done| exits(done, 0, "")),
        attack!("first_process.py", "", |done| exits(done, 0, "")),
        attack!("slow_first_process.c", "", |done| matches!(
            done.end,
            End::OutputLimit | End::MemoryExceeded | End::Timeout
        )),
        attack!("inet_sockets.c", "", |done| exits(done, 0, "")),
        attack!("shared_mapping.c", "", |done| done.end == End::MemoryExceeded),
        attack!("unreaped.c", "", |done| done.end == End::Timeout && done.time_ms >= Some(500)),
        attack!("many_threads.py", "", |done| exits(done, 0, "ok\n")),
        attack!("many_threads.cpp", "", |done| exits(done, 0, "ok\n")),
        Attack { memory_mb: 256, ..attack!("many_threads.java", "", |done| exits(done, 0, "ok\n")) },
        attack!("resident.c", "", |done| exits(done, 0, "")),
        attack!("clone_flags.c", "", |done| exits(done, 0, "")),
        attack!("first_descriptors.c", "", |done| exits(done, 0, "")),
        attack!("raised_limits.py", "", |done| exits(done, 0, "")),
        attack!("flying_descriptors.c", "", |done| done.end == End::MemoryExceeded
            || number(done).is_some_and(|mebibytes| mebibytes <= 128)),
        attack!("pipe_memory.c", "", |done| done.end == End::MemoryExceeded
            || number(done).is_some_and(|mebibytes| mebibytes <= 128)),
        attack!("message_queues.c", "", |done| exits(done, 0, "")),
        attack!("attributes.c", "", |done| matches!(done.end, End::MemoryExceeded | End::OutputLimit)
            || number(done).is_some_and(|mebibytes| mebibytes <= 128)),
        attack!("timers.c", "", |done| done.end == End::MemoryExceeded
            || number(done).is_some_and(|count| count <= 500_000)),
        attack!("racing_forks.c", "", |done| exits(done, 0, "ok\n")),
        attack!("access_times.c", "", |done| exits(done, 0, "")),
        attack!("missing_names.py", "", |done| exits(done, 0, "")),
        attack!("open_counts.c", "", |done| exits(done, 0, "")),
        attack!("other_clocks.c", "", |done| exits(done, 0, "")),
        // The filter ends a process that makes a 32-bit system call.
        attack!("newer_calls.c", "", |done| done.end == End::Signalled(31) && done.stdout.is_empty()),
        attack!("side_paths.py", "", |done| exits(done, 0, "")),
        attack!("shown_descriptors.c", "", |done| exits(done, 0, "")),
        attack!("mapped_files.c", "", |done| matches!(done.end, End::Signalled(7) | End::MemoryExceeded)
            && done.stdout.iter().filter(|byte| **byte == b'\n').count() <= 32),
        attack!("hidden_pages.c", "", |done| done.end == End::MemoryExceeded),
        attack!("page_tables.c", "", |done| done.end == End::MemoryExceeded),
        attack!("unread_datagrams.c", "", |done| done.end == End::MemoryExceeded
            || number(done).is_some_and(|mebibytes| mebibytes <= 128)),
        attack!("freed_and_kept.c", "", |done| done.end == End::MemoryExceeded),
        attack!("sparse_names.c", "", |done| matches!(done.end, End::OutputLimit | End::MemoryExceeded)),
        attack!("threads_that_leave.c", "", |done| done.end == End::Timeout && done.time_ms >= Some(1000)),
        attack!("work_in_the_kernel.c", "", |done| done.end == End::Timeout && done.time_ms >= Some(1000)),
        Attack {
            function: Some("solve"),
            ..attack!("func_forge_result.py", "[41]", |done| done.returned.is_none())
        },
        Attack {
            function: Some("solve"),
            ..attack!("func_forge_result.js", "[41]", |done| done.returned.is_none())
        },
    ];
    for (word, holds) in [
        ("SIGKILL", (|done| done.end == End::Signalled(9)) as fn(&CaseOutcome) -> bool),
        ("SIGXCPU", |done| done.end == End::Signalled(24)),
        ("SIGXFSZ", |done| matches!(done.end, End::Signalled(25) | End::Exited(0))),
        ("SIGSEGV", |done| done.end == End::Signalled(11)),
        ("124", |done| done.end == End::Exited(124)),
        ("125", |done| done.end == End::Exited(125)),
        ("137", |done| done.end == End::Exited(137)),
        ("255", |done| done.end == End::Exited(255)),
    ] {
        all.push(attack!("fake_status.py", word, holds));
    }
    all
}

fn language(file: &str) -> Language {
    match Path::new(file).extension().and_then(|end| end.to_str()) {
        Some("c") => Language::C,
        Some("cpp") => Language::Cpp,
        Some("py") => Language::Python,
        Some("js") => Language::JavaScript,
        Some("rs") => Language::Rust,
        Some("java") => Language::Java,
        other => panic!("{other:?}"),
    }
}

fn attacked() -> stage::Staged {
    stage::take_orphans();
    let mut options = RunnerOptions::default();
    options.compile_time = Duration::from_secs(8);
    let runner = stage::staged(options);
    assert_eq!(runner.trouble(), None);
    runner
}

fn contained(runner: &Runner, only: Option<&str>) {
    let folder = std::env::temp_dir().join(format!("fablegrade-attacks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let canary = folder.join("canary");
    std::fs::write(&canary, CANARY).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let escapes =
        ["/fablegrade_escape", "/usr/fablegrade_escape", "/etc/fablegrade_escape", "/tmp/fablegrade_escape"];
    let calm = "#include <stdio.h>\nint main(void) { puts(\"calm\"); return 0; }";
    let mut wrong = Vec::new();
    // The time limit is generous for attacks that another limit must end.
    for mut attack in attacks(canary.to_str().unwrap(), port) {
        if only.is_some_and(|only| !attack.id.contains(only)) {
            continue;
        }
        if !["fork_bomb", "sleep", "busy", "cpu_", "ignore_signals", "unreaped", "threads_that", "work_in"]
            .iter()
            .any(|id| attack.id.starts_with(id))
        {
            attack.time_ms = 10_000;
        }
        let mut case = stage::case(&attack.input);
        case.time_ms = attack.time_ms;
        let mut plan = stage::plan(language(attack.id), attack.source, attack.function, vec![case]);
        plan.limits =
            Limits { memory_mb: attack.memory_mb, output_kb: attack.output_kb, ..Limits::default() };
        let done = runner.run(&plan, |_| ()).remove(0);
        if !(attack.holds)(&done) {
            wrong.push(format!(
                "{} {} {:?} {:?} ms {:?} KiB\n{}\n{}",
                attack.id,
                attack.input.get(..40).unwrap_or(&attack.input),
                done.end,
                done.time_ms,
                done.memory_kb,
                String::from_utf8_lossy(done.stdout.get(..400).unwrap_or(&done.stdout)),
                String::from_utf8_lossy(done.stderr.get(..400).unwrap_or(&done.stderr)),
            ));
        }
        assert_eq!(stage::sandboxed_processes(), [""; 0], "{} left processes", attack.id);
        assert_eq!(std::fs::read_to_string(&canary).unwrap(), CANARY, "{} changed a file", attack.id);
        for path in escapes {
            assert!(!Path::new(path).exists(), "{} wrote {path}", attack.id);
        }
        let next = stage::one(runner, Language::C, calm, None, stage::case(""));
        assert_eq!(
            (&next.end, next.stdout.as_slice()),
            (&End::Exited(0), &b"calm\n"[..]),
            "after {}",
            attack.id
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn every_attack_is_contained() {
    contained(&attacked(), std::env::var("FABLEGRADE_ATTACK").ok().as_deref());
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn nothing_stays_between_two_cases() {
    let runner = attacked();
    let source = include_str!("attacks/state_between_cases.py");
    let cases = vec![stage::case(""), stage::case(""), stage::case("")];
    for done in runner.run(&stage::plan(Language::Python, source, None, cases), |_| ()) {
        assert!(exits(&done, 0, "fresh\n"), "{done:?}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_hidden_case_shows_its_verdict_and_nothing_else() {
    let runner = attacked();
    let spec = r#"{"type":"code","languages":["python"],"limits":{},"testSuites":[{"name":"hidden one","visibility":"hidden",
        "cases":[{"name":"secret name","input":"secret-input-7391","expected":"secret-output-5512"}]}]}"#;
    let source = include_str!("attacks/leak_input_stderr.py");
    let submission = serde_json::json!({"type": "code", "language": "python", "source": source}).to_string();
    let grader = fablegrade_core::Grader::from_json(spec).unwrap();
    let submission = fablegrade_core::Submission::from_json(&submission).unwrap();
    let plan = grader.plan(&submission).unwrap();
    let outcomes = runner.run(&plan, |_| ());
    assert!(String::from_utf8_lossy(&outcomes[0].stderr).contains("secret-input"), "the program did leak it");
    let marked =
        grader.grade_with(&GradeInput::new(&submission).with_outcomes(&outcomes).with_explanation()).unwrap();
    let result = marked.result().to_json();
    assert!(result.contains("runtime_error"), "{result}");
    assert!(!result.contains("secret"), "{result}");
}

/// Root runs the attacks again as an ordinary user of the host; an ordinary user runs them as itself.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn every_attack_is_contained_for_an_ordinary_user() {
    if !stage::is_root() {
        return contained(&attacked(), None);
    }
    stage::run_as_ordinary_user(&["--exact", "every_attack_is_contained", "--nocapture"], &[]);
}
