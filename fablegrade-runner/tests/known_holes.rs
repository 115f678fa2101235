//! Nineteen holes that once existed. Each must stay closed for programs that root runs and for programs that
//! an ordinary user runs. The programs are in `known_holes/`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_core::view::code::{Language, Visibility};
use fablegrade_core::{CaseOutcome, End, PlannedCase};
use fablegrade_runner::{Runner, RunnerOptions};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

const AGAIN: &str = "all_of_them_are_closed_for_an_ordinary_user";
/// The environment variable that names the folder of an interpreter, for a user who cannot create one.
const HOME: &str = "FABLEGRADE_TEST_HOME";

macro_rules! program {
    ($file:literal) => {
        include_str!(concat!("known_holes/", $file))
    };
}

fn outputs(done: &[CaseOutcome]) -> Vec<String> {
    done.iter().map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned()).collect()
}

fn case(input: &str, at: u32) -> PlannedCase {
    PlannedCase { case_index: at, time_ms: 5000, ..stage::case(input) }
}

/// Returns the outcomes of the cases of one submission, in parallel if the runner runs cases in parallel.
fn run(runner: &Runner, language: Language, source: &str, inputs: &[&str]) -> Vec<CaseOutcome> {
    let cases = inputs.iter().zip(0..).map(|(input, at)| case(input, at)).collect();
    runner.run(&stage::plan(language, source, None, cases), |_| ())
}

fn alone(language: Language, source: &str) -> CaseOutcome {
    run(&stage::runner(), language, source, &[""]).remove(0)
}

/// Returns the compiler's message; panics if the source compiles or the host fails.
fn refused(language: Language, source: &str) -> String {
    match alone(language, source).end {
        End::CompileError(message) => message,
        other => panic!("{source:?}: {other:?}"),
    }
}

/// A folder or file that is removed when dropped.
struct Made(PathBuf);

impl Drop for Made {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn events_on_shared_files_do_not_arrive() {
    let done = run(&stage::runner(), Language::C, program!("events.c"), &["watch", "open", "watch", "open"]);
    assert!(done.iter().all(|done| done.end == End::Exited(0)), "{done:?}");
    assert_eq!(outputs(&done), ["0"; 4]);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn pages_of_shared_files_carry_no_message() {
    let runner = stage::runner();
    let mut hidden = case("hide a-hidden-input-of-17", 0);
    hidden.visibility = Visibility::Hidden;
    let source = program!("page_cache.c");
    let hides = runner.run(&stage::plan(Language::C, source, None, vec![hidden]), |_| ());
    assert_eq!(hides[0].end, End::Exited(0), "{hides:?}");
    // A later submission searches for it.
    assert_eq!(outputs(&run(&runner, Language::C, source, &["find"])), [""]);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_folder_is_not_seen_because_an_interpreter_is_in_it() {
    if let Some(home) = std::env::var_os(HOME) {
        return see_only_the_interpreter(Path::new(&home));
    }
    let home = home();
    see_only_the_interpreter(&home.0);
}

/// Returns a folder with an interpreter and secrets, outside the temporary folder, which programs do not see
/// anyway.
fn home() -> Made {
    let place = if stage::is_root() { "/opt" } else { env!("CARGO_TARGET_TMPDIR") };
    let home = Made(Path::new(place).join(format!("fablegrade-test-home-{}", std::process::id())));
    for folder in [".ssh", "bin"] {
        fs::create_dir_all(home.0.join(folder)).unwrap();
    }
    fs::write(home.0.join(".ssh/id_key"), "the key of somebody").unwrap();
    fs::write(home.0.join("notes.txt"), "the notes of somebody").unwrap();
    fs::copy(fs::canonicalize("/usr/bin/node").unwrap(), home.0.join("bin/node")).unwrap();
    stage::open_to_all(&home.0);
    home
}

fn see_only_the_interpreter(home: &Path) {
    let mut options = RunnerOptions::default();
    let table: serde_json::Value = serde_json::from_str(include_str!("../src/languages.json")).unwrap();
    let mut row = table["javascript"].clone();
    row["programs"]["node"] = serde_json::json!([home.join("bin/node")]);
    options.languages.replace_from_json(&serde_json::json!({ "javascript": row }).to_string()).unwrap();
    let done = run(&stage::staged(options), Language::JavaScript, program!("home.js"), &[""]);
    assert_eq!((&done[0].end, outputs(&done)[0].as_str()), (&End::Exited(0), "bin"), "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn settings_of_the_host_are_not_seen_because_of_their_names() {
    // Only root can create these folders.
    let settings = ["go", "java"].map(|language| {
        let folder = Made(PathBuf::from(format!("/etc/{language}-fablegrade-test-{}", std::process::id())));
        if fs::create_dir(&folder.0).is_ok() {
            fs::write(folder.0.join("app.ini"), "password").unwrap();
            stage::open_to_all(&folder.0);
        }
        folder
    });
    let runner = stage::runner();
    for (language, source) in
        [(Language::Go, program!("settings.go")), (Language::Java, program!("settings.java"))]
    {
        let done = run(&runner, language, source, &[""]);
        assert_eq!(done[0].end, End::Exited(0), "{done:?}");
        for path in outputs(&done)[0].lines() {
            let own = language == Language::Java
                && (path.contains("openjdk")
                    || path == "/etc/ssl/certs/java/cacerts"
                    || path == "/etc/alternatives/java");
            assert!(own || path == "/etc/ld.so.cache", "{language:?} sees {path}");
        }
    }
    let include = format!("#include \"{}/app.ini\"\nint main(void) {{ return 0; }}", settings[0].0.display());
    assert!(!refused(Language::C, &include).contains("password"));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_program_that_attacks_its_first_process_is_judged_by_what_it_did() {
    let done = alone(Language::Python, program!("steered_first_process.py"));
    assert_eq!(done.end, End::Timeout, "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_package_that_is_no_program_is_the_learners_mistake() {
    let message = refused(Language::Go, "package shapes\n\nfunc Area(side int) int { return side * side }\n");
    assert!(message.contains("package main"), "{message}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_class_whose_name_is_too_long_for_a_file_is_the_learners_mistake() {
    let name = "Ü".repeat(200);
    let source = format!("public class {name} {{ public static void main(String[] words) {{}} }}");
    assert!(!refused(Language::Java, &source).is_empty());
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_nul_in_a_source_is_never_the_hosts_fault() {
    let source = "package shapes /* \0 */;\nclass Main { public static void main(String[] words) { System.out.print(1); } }";
    let done = alone(Language::Java, source);
    assert_eq!((&done.end, done.stdout.as_slice()), (&End::Exited(0), &b"1"[..]), "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn threads_have_room_for_their_stacks() {
    let runner = stage::runner();
    for (language, source) in [
        (Language::Python, include_str!("attacks/many_threads.py")),
        (Language::Cpp, include_str!("attacks/many_threads.cpp")),
        (Language::Java, include_str!("attacks/many_threads.java")),
    ] {
        let mut plan = stage::plan(language, source, None, vec![case("", 0)]);
        plan.limits.memory_mb = 256;
        let done = runner.run(&plan, |_| ()).remove(0);
        assert_eq!((&done.end, done.stdout.as_slice()), (&End::Exited(0), &b"ok\n"[..]), "{done:?}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn buffers_of_connections_hold_nothing() {
    // `1` is the type of stream sockets.
    assert_eq!(outputs(&run(&stage::runner(), Language::C, program!("internet_buffers.c"), &["1"])), ["0"]);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn buffers_of_datagrams_hold_nothing() {
    assert_eq!(outputs(&run(&stage::runner(), Language::C, program!("internet_buffers.c"), &["2"])), ["0"]);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn shared_memory_counts_although_no_table_shows_it() {
    let done = alone(Language::C, program!("shared_pages.c"));
    assert_eq!(done.end, End::MemoryExceeded, "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn the_time_of_children_that_nobody_waits_for_counts() {
    let runner = stage::runner();
    let mut short = case("", 0);
    short.time_ms = 500;
    let plan = stage::plan(Language::C, program!("forgotten_children.c"), None, vec![short]);
    let done = runner.run(&plan, |_| ()).remove(0);
    assert_eq!(done.end, End::Timeout, "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_starved_first_process_does_not_stop_the_counting_of_names() {
    let done = alone(Language::C, program!("starved_first_process.c"));
    match &done.end {
        End::OutputLimit | End::MemoryExceeded | End::Timeout => {}
        other => panic!("{other:?} {done:?}"),
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn locks_on_shared_files_carry_no_message() {
    let done = run(&stage::runner(), Language::C, program!("locks.c"), &["ask", "hold", "ask", "hold"]);
    assert_eq!(outputs(&done), ["0"; 4], "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn what_the_hosts_programs_do_is_not_seen() {
    let runner = stage::runner();
    let over = AtomicBool::new(false);
    let done = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for folder in ["/", "/usr/bin", "/usr/lib"] {
                    fs::read_dir(folder).unwrap().take(50).flatten().for_each(|entry| {
                        let _ = fs::File::open(entry.path());
                    });
                }
                std::thread::yield_now();
            }
        });
        let done = run(&runner, Language::C, program!("host_activity.c"), &[""]);
        over.store(true, Ordering::Relaxed);
        done
    });
    assert_eq!((&done[0].end, outputs(&done)[0].as_str()), (&End::Exited(0), ""), "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_comment_in_a_package_clause_is_read_as_one() {
    let source = "package /* of */ shapes // mine\n;\npublic class Main { public static void main(String[] words) { System.out.print(1); } }";
    let done = alone(Language::Java, source);
    assert_eq!((&done.end, done.stdout.as_slice()), (&End::Exited(0), &b"1"[..]), "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_compiler_cannot_be_made_to_print_what_the_kernel_was_started_with() {
    let told = fs::read_to_string("/proc/cmdline").unwrap();
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    for path in ["/proc/cmdline", "/proc/sys/kernel/random/boot_id", "/proc/loadavg"] {
        let source = format!("#include \"{path}\"\nint main(void) {{ return 0; }}");
        let done = alone(Language::C, &source);
        if let End::CompileError(message) = &done.end {
            let words = told.split_whitespace().chain([boot.trim()]).filter(|word| word.len() > 5);
            words.for_each(|word| assert!(!message.contains(word), "{word} is in {message}"));
        } else {
            assert_eq!(done.end, End::Exited(0), "{done:?}");
        }
    }
    assert_eq!(outputs(&[alone(Language::Python, include_str!("attacks/machine.py"))]), [""]);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn the_list_of_mounts_names_no_folder_of_the_host() {
    let runner = stage::runner();
    for language in [Language::Python, Language::C, Language::JavaScript, Language::Java] {
        let source = match language {
            Language::Python => "print(open('/proc/self/mountinfo').read())",
            Language::JavaScript => "console.log(require('fs').readFileSync('/proc/self/mountinfo', 'utf8'))",
            Language::C => {
                "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"/proc/self/mountinfo\", \"r\"); \
                 for (int c; (c = getc(f)) != EOF;) putchar(c); }"
            }
            _ => {
                "class Main { public static void main(String[] w) throws Exception { \
                  System.out.print(java.nio.file.Files.readString(java.nio.file.Path.of(\"/proc/self/mountinfo\"))); } }"
            }
        };
        let done = run(&runner, language, source, &[""]);
        let mounts = outputs(&done).remove(0);
        assert!(mounts.lines().count() > 5, "{done:?}");
        for line in mounts.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let (root, place) = (Path::new(fields[3]), fields[4]);
            assert!(!place.starts_with("/box"), "{line}");
            // The paths of copies of shared folders do not depend on the submission.
            const COPIES: &str = "/fablegrade-languages-";
            let known = [
                "/usr", "/etc", "/lib", "/lib64", "/null", "/zero", "/full", "/random", "/urandom",
                "/newroot", COPIES,
            ];
            let own = root == Path::new("/") || known.iter().any(|known| fields[3].starts_with(known));
            let temporary = ["/home", "/root", "/tmp/", "/var/"].iter().any(|part| fields[3].contains(part));
            assert!(own && !temporary, "{line}");
            // Folders that other programs see too are in memory, where look-ups of missing names leave no
            // trace.
            let kind = line.split(" - ").nth(1).unwrap().split(' ').next().unwrap();
            let folder = Path::new(place).is_dir();
            assert!(!folder || matches!(kind, "tmpfs" | "proc"), "{line}");
        }
    }
}

/// Root runs all of these tests again as an ordinary user of the host; an ordinary user has run them already.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn all_of_them_are_closed_for_an_ordinary_user() {
    if stage::is_root() {
        let home = home();
        stage::run_as_ordinary_user(&["--skip", AGAIN, "--test-threads=1"], &[(HOME, &home.0)]);
    }
}
