//! The influence of the host: a missing or lying sandbox, runs without isolation, limits, clean-up, order.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_core::request::Given;
use fablegrade_core::view::code::{CodeSubmission, Language, Visibility};
use fablegrade_core::{CaseOutcome, Context, End, PlannedCase};
use fablegrade_runner::sandbox::{self, Job, Limits, Visible};
use fablegrade_runner::{
    BuildError, BuildLimits, Cancel, Error, Health, ProgramForm, ProgramSource, Runner, RunnerOptions, Step,
    doctor,
};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }";

fn script(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fablegrade-bwrap-{}-{name}", std::process::id()));
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn with_bubblewrap(path: PathBuf) -> (stage::Staged, CaseOutcome) {
    let mut options = RunnerOptions::default();
    options.sandbox.bubblewrap = Some(path);
    let runner = stage::staged(options);
    let outcome = stage::one(&runner, Language::C, HELLO, None, stage::case(""));
    (runner, outcome)
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn without_a_sandbox_every_case_is_a_sandbox_error_that_names_the_cause() {
    let refused =
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace, likely because ...' >&2\nexit 1\n";
    let lying = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n";
    for (path, cause) in [
        (PathBuf::from("/nonexistent/bwrap"), "bubblewrap is not at /nonexistent/bwrap"),
        (script("refused", refused), "No permissions to create new namespace"),
        (script("silent", "#!/bin/sh\nexit 0\n"), "bubblewrap did not set up the sandbox"),
        (script("lying", lying), "self-test"),
    ] {
        let (runner, outcome) = with_bubblewrap(path.clone());
        let End::SandboxError(told) = &outcome.end else { panic!("{outcome:?}") };
        assert!(told.contains(cause), "{told}");
        assert!(outcome.stdout.is_empty() && outcome.time_ms.is_none());
        assert_eq!(runner.trouble(), Some(told.as_str()));
        let report = doctor(&runner);
        assert!(report.iter().any(|check| check.health == Health::Bad && check.note.contains(cause)));
        let _ = fs::remove_file(path);
    }
}

/// On some hosts, programs that bubblewrap starts have no privileges in their namespace (an AppArmor profile
/// of Ubuntu does this).
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn where_the_first_process_may_not_close_the_sandbox_bubblewrap_does() {
    let path = script(
        "unprivileged",
        "#!/bin/bash\nargs=()\nwhile [ $# -gt 0 ]; do\n\
        if [ \"$1\" = --cap-add ]; then shift 2; else args+=(\"$1\"); shift; fi\ndone\nexec bwrap \"${args[@]}\"\n",
    );
    let (runner, outcome) = with_bubblewrap(path.clone());
    assert_eq!((&outcome.end, outcome.stdout.as_slice()), (&End::Exited(0), &b"hello\n"[..]), "{outcome:?}");
    assert_eq!(runner.trouble(), None);
    let status = "import re\nprint(re.findall('(?:CapBnd|Seccomp):\\s*(\\w+)', open('/proc/self/status').read()))\n\
        try: print(open('/proc/uptime').read())\nexcept OSError: print('hidden')";
    let done = stage::one(&runner, Language::Python, status, None, stage::case(""));
    assert_eq!(String::from_utf8_lossy(&done.stdout), "['0000000000000000', '2']\nhidden\n", "{done:?}");
    let _ = fs::remove_file(path);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_missing_tool_chain_is_the_hosts_fault_and_told() {
    let mut options = RunnerOptions::default();
    let row = r#"{"go":{"programs":{"go":["no-such-go"]},"packages":"golang-go","solution":"solution.go",
        "compile":["{go}"],"run":["/box/program"]}}"#;
    options.languages.replace_from_json(row).unwrap();
    let runner = stage::staged(options);
    let outcome = stage::one(&runner, Language::Go, "package main", None, stage::case(""));
    let End::SandboxError(told) = &outcome.end else { panic!("{outcome:?}") };
    assert!(told.contains("no-such-go is not installed") && told.contains("golang-go"), "{told}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_broken_toolchain_is_the_hosts_fault_until_it_is_mended() {
    // Compilers do not see the temporary folder of the host.
    let place = if stage::is_root() { "/opt" } else { env!("CARGO_TARGET_TMPDIR") };
    let folder = PathBuf::from(place).join(format!("fablegrade-test-flags-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let flags = folder.join("flags");
    fs::write(&flags, "-no-such-flag").unwrap();
    stage::open_to_all(&folder);
    let table: serde_json::Value = serde_json::from_str(include_str!("../src/languages.json")).unwrap();
    let commands = ["/compile", "/compileFunction", "/several/compile"];
    for broken in commands {
        fs::write(&flags, "-no-such-flag").unwrap();
        let mut row = table["c"].clone();
        row["readOnly"] = serde_json::json!([folder]);
        row["compileFunction"] = row["compile"].clone();
        let words = row.pointer_mut(broken).unwrap().as_array_mut().unwrap();
        words.insert(1, format!("@{}", flags.display()).into());
        let mut options = RunnerOptions::default();
        options.languages.replace_from_json(&serde_json::json!({ "c": row }).to_string()).unwrap();
        let runner = stage::staged(options);
        let run = |command: &str| match command {
            "/compile" => {
                let wrong = "int main(void) { return missing; }";
                stage::one(&runner, Language::C, wrong, None, stage::case("")).end
            }
            "/compileFunction" => {
                stage::call(&runner, Language::C, "int g(int x) { return missing; }", "g", "[1]").end
            }
            _ => {
                let form = ProgramForm::Language { language: "c".to_owned(), entry: None };
                let files = vec![("a.c".to_owned(), "int main(void) { return missing; }".into())];
                let source = ProgramSource { files, form };
                match runner.build(&source, &BuildLimits::default(), &Cancel::new()) {
                    Err(BuildError::Compile(told)) => End::CompileError(told),
                    Err(BuildError::Host(cause)) => End::SandboxError(cause),
                    other => panic!("{other:?}"),
                }
            }
        };
        for command in commands {
            let end = run(command);
            match &end {
                End::SandboxError(told) if told.contains("smallest program") => {
                    assert_eq!(command, broken, "{end:?}");
                }
                End::CompileError(told) if told.contains("missing") => assert_ne!(command, broken, "{end:?}"),
                _ => panic!("{command} {broken} {end:?}"),
            }
        }
        fs::write(&flags, "-O1").unwrap();
        let end = run(broken);
        assert!(matches!(&end, End::CompileError(told) if told.contains("missing")), "{broken} {end:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// The program that tests a toolchain is no cause of failures itself.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn what_does_not_compile_is_the_learners_fault_in_every_language() {
    let runner = stage::runner();
    for (language, wrong, ending) in [
        (Language::Python, "def f(:", "py"),
        (Language::JavaScript, "function f( {", "js"),
        (Language::C, "int f(void) { return missing; }", "c"),
        (Language::Cpp, "int f() { return missing; }", "cpp"),
        (Language::Java, "class Main { static int f() { return missing; } }", "java"),
        (Language::Rust, "fn f() -> i32 { missing }", "rs"),
        (Language::Go, "package main\nfunc f() int { return missing }", "go"),
    ] {
        for function in [None, Some("f")] {
            let end = stage::one(&runner, language, wrong, function, stage::case("[]")).end;
            assert!(matches!(end, End::CompileError(_)), "{language:?} {function:?} {end:?}");
        }
        let form = ProgramForm::Language { language: language.as_str().to_owned(), entry: None };
        let files = vec![(format!("solution.{ending}"), wrong.into())];
        let built = runner.build(&ProgramSource { files, form }, &BuildLimits::default(), &Cancel::new());
        assert!(matches!(built, Err(BuildError::Compile(_))), "{language:?} {built:?}");
    }
}

/// This process starts itself with a lower limit on stacks than the program gets, but no lower than the
/// self-test needs.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_limit_that_the_host_does_not_allow_is_its_fault() {
    const LIMITED: &str = "FABLEGRADE_TEST_LIMITED";
    if std::env::var_os(LIMITED).is_none() {
        let done = Command::new("prlimit")
            .arg("--stack=104857600:104857600")
            .arg(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "a_limit_that_the_host_does_not_allow_is_its_fault"])
            .env(LIMITED, "1")
            .status()
            .unwrap();
        assert!(done.success());
        return;
    }
    let runner = stage::runner();
    let mut plan = stage::plan(Language::C, HELLO, None, vec![stage::case("")]);
    assert_eq!(runner.run(&plan, |_| ())[0].end, End::Exited(0));
    plan.limits.memory_mb = 200;
    let end = runner.run(&plan, |_| ()).remove(0).end;
    assert!(matches!(&end, End::SandboxError(told) if told.contains("limit")), "{end:?}");
}

/// Root starts this process again without the capability.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn without_the_capability_to_see_what_programs_wait_for_the_operator_is_told() {
    const LIMITED: &str = "FABLEGRADE_TEST_NO_PTRACE";
    let told = || {
        let report = doctor(&stage::runner());
        report.into_iter().find(|check| check.name == "deadlocks").map(|check| check.note)
    };
    if std::env::var_os(LIMITED).is_some() {
        assert!(
            told().is_some_and(|note| note.contains("SYS_PTRACE") && note.contains("wait for each other"))
        );
        return;
    }
    assert_eq!(told(), None);
    if stage::is_root() {
        let done = Command::new("setpriv")
            .args(["--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"])
            .arg(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact"])
            .arg("without_the_capability_to_see_what_programs_wait_for_the_operator_is_told")
            .env(LIMITED, "1")
            .status()
            .unwrap();
        assert!(done.success());
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn without_isolation_only_when_asked_and_then_stamped() {
    let mut options = RunnerOptions::default();
    options.sandbox.unsandboxed = true;
    let runner = stage::staged(options);
    let outcome = stage::one(&runner, Language::C, HELLO, None, stage::case(""));
    assert_eq!((&outcome.end, outcome.stdout.as_slice()), (&End::Exited(0), &b"hello\n"[..]), "{outcome:?}");
    assert_eq!(outcome.isolation.as_deref(), Some("unsandboxed"));
    let called = stage::call(&runner, Language::Python, "def f(x): return x + 1", "f", "[41]");
    assert_eq!(called.returned.as_deref(), Some(&b"42"[..]), "{called:?}");
    let endless = stage::one(&runner, Language::Python, "import os\nos.fork()\nwhile True: pass", None, {
        let mut case = stage::case("");
        case.time_ms = 100;
        case
    });
    assert_eq!(endless.end, End::Timeout);
    let stamped = stage::one(&stage::runner(), Language::C, HELLO, None, stage::case(""));
    assert!(stamped.isolation.is_some_and(|stamp| stamp.starts_with("bubblewrap, ")));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn public_cases_come_first_all_are_answered_in_order_and_suites_can_be_stopped() {
    let runner = stage::runner();
    let named = |suite: &str, case_index, visibility, input: &str| {
        let mut case = stage::case(input);
        (case.suite, case.case_index, case.visibility) = (suite.to_owned(), case_index, visibility);
        case
    };
    let mut cases = Vec::new();
    for at in 0..4 {
        cases.push(named("hidden", at, Visibility::Hidden, "0"));
        cases.push(named("public", at, Visibility::Public, "0"));
        cases.push(named("failing", at, Visibility::Public, "3"));
    }
    let source = "import sys\nsys.exit(int(input()))";
    let plan = stage::plan(Language::Python, source, None, cases);
    let mut seen = Vec::new();
    let outcomes = runner.run(&plan, |outcome| seen.push(outcome.suite.clone()));
    let places: Vec<_> =
        outcomes.iter().map(|outcome| (outcome.suite.as_str(), outcome.case_index)).collect();
    let planned: Vec<_> = plan.cases.iter().map(|case| (case.suite.as_str(), case.case_index)).collect();
    assert_eq!(places, planned);
    // Hidden cases run only after all public cases have ended.
    assert!(!seen.iter().take(6).any(|suite| suite == "hidden"), "{seen:?}");

    let outcomes = runner.run(&plan, |outcome| match outcome.end {
        End::Exited(0) => Step::Continue,
        _ => Step::SkipSuite,
    });
    let of =
        |suite: &str, end: &End| outcomes.iter().filter(|one| one.suite == suite && one.end == *end).count();
    assert_eq!((of("public", &End::Exited(0)), of("hidden", &End::Exited(0))), (4, 4));
    assert!(of("failing", &End::Skipped) >= 1 && of("failing", &End::Exited(3)) >= 1, "{outcomes:?}");

    let mut options = RunnerOptions::default();
    (options.stop_suite, options.parallel) = (true, Some(1));
    let outcomes = stage::staged(options).run(&plan, |_| ());
    let of =
        |suite: &str, end: &End| outcomes.iter().filter(|one| one.suite == suite && one.end == *end).count();
    assert_eq!(
        (of("failing", &End::Exited(3)), of("failing", &End::Skipped)),
        (1, 3),
        "the first one stops it"
    );
    assert_eq!((of("public", &End::Exited(0)), of("hidden", &End::Exited(0))), (4, 4));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn no_hidden_case_runs_beside_a_public_one() {
    let runner = stage::runner();
    let named = |case_index, visibility, input: &str| {
        let mut case = stage::case(input);
        (case.case_index, case.visibility, case.time_ms) = (case_index, visibility, 5000);
        case
    };
    // One public case takes longer than all others need to start.
    let cases = vec![
        named(0, Visibility::Hidden, "0"),
        named(1, Visibility::Public, "0.7"),
        named(2, Visibility::Public, "0"),
        named(3, Visibility::Hidden, "0"),
    ];
    let source = "import time\nstart = time.time()\ntime.sleep(float(input()))\nprint(start, time.time())";
    let outcomes = runner.run(&stage::plan(Language::Python, source, None, cases), |_| ());
    let span = |at: usize| {
        let text = String::from_utf8_lossy(&outcomes[at].stdout).into_owned();
        let times: Vec<f64> = text.split_whitespace().map(|time| time.parse().unwrap()).collect();
        (times[0], times[1])
    };
    let last_public = span(1).1.max(span(2).1);
    let first_hidden = span(0).0.min(span(3).0);
    assert!(last_public <= first_hidden, "{outcomes:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_cancelled_run_ends_at_once_and_leaves_the_runner_usable() {
    let runner = stage::runner();
    let cancel = Cancel::new();
    let cases =
        (0..6).map(|at| PlannedCase { case_index: at, time_ms: 30_000, ..stage::case("60") }).collect();
    let source = "import time\nprint('begun', flush=True)\ntime.sleep(float(input()))";
    let plan = stage::plan(Language::Python, source, None, cases);
    let begun = std::time::Instant::now();
    let outcomes = std::thread::scope(|scope| {
        let running = scope.spawn(|| runner.run_until(&plan, &cancel, |_| ()));
        while python_children() == 0 && begun.elapsed() < Duration::from_secs(25) {
            std::thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
        running.join().unwrap()
    });
    assert_eq!(outcomes.len(), 6);
    assert!(outcomes.iter().all(|outcome| outcome.end == End::Skipped), "{outcomes:?}");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    let done = stage::one(&runner, Language::Python, "print('next')", None, stage::case(""));
    assert_eq!(done.stdout, b"next\n");
    // This also holds before anything is compiled.
    let other = stage::plan(Language::C, HELLO, None, vec![stage::case("")]);
    assert_eq!(runner.run_until(&other, &cancel, |_| ())[0].end, End::Skipped);
}

/// Counts the Python programs that are descendants of this process.
fn python_children() -> usize {
    let name = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    stage::descendants(std::process::id()).iter().filter(|pid| name(pid).starts_with("python")).count()
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_self_test_record_is_for_the_same_sandbox_only() {
    let folder = std::env::temp_dir().join(format!("fablegrade-test-records-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let notes = || {
        let all = fs::read_dir(&folder).unwrap().flatten();
        let names = all.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(".self-test-")).collect::<Vec<_>>()
    };
    // This bubblewrap counts its starts.
    let real = sandbox::Sandbox::open(&sandbox::SandboxOptions::default()).unwrap();
    let real = real.bubblewrap().unwrap().display().to_string();
    let counted = format!("#!/bin/sh\necho >> {}/starts\nexec {real} \"$@\"\n", folder.display());
    let program = script("counted", &counted);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    let starts = || fs::read_to_string(folder.join("starts")).unwrap_or_default().lines().count();
    let mut options = sandbox::SandboxOptions::default();
    (options.bubblewrap, options.self_test_records) = (Some(program.clone()), Some(folder.clone()));
    let sandbox = sandbox::Sandbox::open(&options).unwrap();
    let first = starts();
    assert!(first >= 12 && notes().len() == 1, "{first} {:?}", notes());
    sandbox::Sandbox::open(&options).unwrap();
    assert_eq!(starts(), first, "a passed self-test is recorded");
    assert_eq!(sandbox.test().unwrap().len(), 12, "asked, it is tested again");
    assert_eq!(starts(), 2 * first);
    // With another program at the same path, the record does not count.
    fs::write(&program, "#!/bin/sh\nexit 1\n").unwrap();
    assert!(sandbox::Sandbox::open(&options).is_err());
    assert!(sandbox.test().is_err());
    assert_eq!(notes().len(), 0, "what no longer holds is no longer trusted");
    let _ = fs::remove_file(program);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_runner_says_before_anything_runs_why_it_cannot() {
    let mut options = RunnerOptions::default();
    options.sandbox.bubblewrap = Some("/nonexistent/bwrap".into());
    assert!(matches!(Runner::try_new(&options), Err(Error::BubblewrapNotThere(_))));
    let mut options = RunnerOptions::default();
    (options.sandbox.approximate_memory, options.sandbox.require_exact) = (true, true);
    assert!(matches!(Runner::try_new(&options), Err(Error::Inexact(_))));
    let mut options = RunnerOptions::default();
    options.cache = Some("/proc/no/folder".into());
    assert!(matches!(Runner::try_new(&options), Err(Error::Cache { .. })));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn one_call_plans_runs_and_concludes() {
    let runner = stage::runner();
    let spec = r#"{"type":"code","languages":["python"],"limits":{},"testSuites":[{"name":"all","visibility":"public",
        "cases":[{"input":"2","expected":"4"},{"input":"3","expected":"7"}]}]}"#;
    let grader = fablegrade_core::Grader::from_json(spec).unwrap();
    let submission = r#"{"type":"code","language":"python","source":"print(int(input()) * 2)"}"#;
    let given = Given::Submission(fablegrade_core::Submission::from_json(submission).unwrap());
    let mut seen = 0;
    let graded = runner.grade(&grader, &given, &Context::new(), |_| seen += 1).unwrap();
    assert_eq!((seen, graded.trouble), (2, None));
    let result = graded.marked.result().to_json();
    assert!(result.contains("\"passed\"") && result.contains("\"failed\""), "{result}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn limits_of_contests_are_kept() {
    let runner = stage::runner();
    let big = format!("print('x' * {})\n#{}", (1 << 20) - 1, " ".repeat(1 << 20));
    let mut plan = stage::plan(Language::Python, &big, None, vec![stage::case("")]);
    (plan.limits.output_kb, plan.limits.source_kb) = (1024, 2048);
    let done = runner.run(&plan, |_| ()).remove(0);
    assert_eq!((&done.end, done.stdout.len()), (&End::Exited(0), 1 << 20));
    let mut plan = stage::plan(Language::C, HELLO, None, vec![stage::case("")]);
    plan.limits.memory_mb = 4;
    assert_eq!(runner.run(&plan, |_| ())[0].end, End::Exited(0));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_host_sets_limits_of_its_own() {
    let spec = r#"{"type":"code","languages":["c"],"limits":{"outputKb":1,"memoryMb":16,"sourceKb":1},
        "testSuites":[{"name":"one","visibility":"hidden","cases":[{"input":"","expected":"x"}]}]}"#;
    let source = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {{ char *all = malloc(40 << 20);\n\
         memset(all, 'x', 40 << 20); fwrite(all, 1, 2 << 20, stdout); return all[9] - 'x'; }}\n//{}",
        " ".repeat(1 << 20)
    );
    let submission = fablegrade_core::Submission::Code(CodeSubmission { language: Language::C, source });
    let host = fablegrade_core::Host::new().with_source_kb(2048);
    let grader = fablegrade_core::Grader::from_json_with(spec, &host).unwrap();
    let plan = grader.plan(&submission).expect("a source of more than a mebibyte");
    assert!(fablegrade_core::Grader::from_json(spec).unwrap().plan(&submission).is_none());
    assert_eq!(stage::runner().run(&plan, |_| ())[0].end, End::MemoryExceeded);
    let mut options = RunnerOptions::default();
    (options.memory_mb, options.output_kb) = (Some(64), Some(4096));
    let done = stage::staged(options).run(&plan, |_| ()).remove(0);
    assert_eq!((&done.end, done.stdout.len()), (&End::Exited(0), 2 << 20));
    let mut options = RunnerOptions::default();
    options.memory_mb = Some(4);
    let small = stage::plan(Language::C, HELLO, None, vec![stage::case("")]);
    assert_eq!(stage::staged(options).run(&small, |_| ())[0].end, End::Exited(0));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn what_a_source_is_called_or_holds_is_never_the_hosts_fault() {
    let runner = stage::runner();
    let long = format!("public class {} {{}}", "A".repeat(255));
    for (language, source) in [
        (Language::Go, "package main\x00"),
        (Language::Java, &long),
        (Language::C, "asm(\".globl main\\n.set main, 0\");"),
        (Language::C, "#error cannot execute 'as': execvp: No such file or directory"),
        (Language::Rust, "compile_error!(\"linker `cc` not found\");"),
        (Language::Python, "\0"),
        (Language::JavaScript, "\0"),
    ] {
        let done = stage::one(&runner, language, source, None, stage::case(""));
        assert!(!matches!(done.end, End::SandboxError(_)), "{source}: {done:?}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_program_is_compiled_once_for_many_cases_and_submissions() {
    let cache = std::env::temp_dir().join(format!("fablegrade-cache-test-{}", std::process::id()));
    let mut options = RunnerOptions::default();
    options.cache = Some(cache.clone());
    let runner = fablegrade_runner::Runner::with_options(&options);
    let plan = stage::plan(Language::C, HELLO, None, (0..3).map(|_| stage::case("")).collect());
    runner.run(&plan, |_| ());
    let entries = || {
        let all = fs::read_dir(&cache).unwrap().flatten().map(|entry| entry.path());
        all.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let first = entries();
    assert_eq!(first.len(), 1);
    // A marker in place of the program shows that the second run uses the cached result.
    let program = first[0].join("program");
    fs::remove_file(&program).unwrap();
    fs::copy("/bin/false", &program).unwrap();
    assert!(std::process::Command::new("chmod").args(["-R", "a+rX"]).arg(&cache).status().unwrap().success());
    assert_eq!(runner.run(&plan, |_| ())[0].end, End::Exited(1));
    assert_eq!(entries(), first);
    let other = format!("{HELLO}\n");
    let plan = stage::plan(Language::C, &other, None, vec![stage::case("")]);
    assert_eq!(runner.run(&plan, |_| ())[0].end, End::Exited(0));
    assert_eq!(entries().len(), 2);
    fs::remove_dir_all(cache).unwrap();
}

/// Other programs that use the first processor; killed when dropped.
struct Competitors(Vec<Child>);

impl Competitors {
    fn on_first_processor(count: usize) -> Self {
        let spin = || {
            // Each has a separate session, because the kernel can share CPU time by session, and this session
            // also runs tests on other processors.
            let mut command = Command::new("setsid");
            command.args(["taskset", "-c", "0", "sh", "-c", "while :; do :; done"]);
            command.spawn().unwrap()
        };
        Self((0..count).map(|_| spin()).collect())
    }
}

impl Drop for Competitors {
    fn drop(&mut self) {
        for child in &mut self.0 {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn waiting_for_a_processor_is_not_the_programs_own_time() {
    const WALL: Duration = Duration::from_secs(2);
    let runner = stage::runner();
    let job = |source: &str| Job {
        command: ["/usr/bin/taskset", "-c", "0", "/usr/bin/python3", "-I", "-S", "-c", source]
            .map(str::to_owned)
            .to_vec(),
        environment: Vec::new(),
        shown: None,
        visible: Visible::system(),
        directory: "/tmp".to_owned(),
        input: Vec::new(),
        files: Vec::new(),
        channel: false,
        collect: None,
        cancel: Cancel::default(),
        limits: Limits { cpu: Duration::from_secs(10), wall: WALL, ..Limits::default() },
    };
    let _others = Competitors::on_first_processor(3);
    // With three competitors on its processor, the program gets about a quarter of the CPU time. Half of the limit
    // remains for what is neither CPU time nor waiting, such as page faults and the time of a virtual machine's host.
    let works = runner.sandbox().unwrap().run(&job("import time\nwhile time.process_time() < 1: pass"));
    assert_eq!(works.end, sandbox::End::Exited(0), "{works:?}");
    assert!(works.wall > WALL, "the others were in its way: {works:?}");
    // The waiting time of children that have ended is counted.
    let children = "import os, time\nfor _ in range(4):\n  if os.fork() == 0:\n    while time.process_time() < 0.25: pass\n    \
                    os._exit(0)\n  os.wait()";
    let works = runner.sandbox().unwrap().run(&job(children));
    assert_eq!(works.end, sandbox::End::Exited(0), "{works:?}");
    assert!(works.wall > WALL, "the others were in its way: {works:?}");
    let sleeps = runner.sandbox().unwrap().run(&job("import time\ntime.sleep(60)"));
    assert_eq!(sleeps.end, sandbox::End::Timeout, "{sleeps:?}");
}
