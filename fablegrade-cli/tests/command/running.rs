//! Tests of `fablegrade run`, `grade --run` and `doctor`.
//!
//! They cover the messages on a host without a sandbox, and programs that really run (by
//! `./test fablegrade-runner`).

use std::process::Output;

use serde_json::{Value, json};

use super::{Folder, answers, code, run, text};

const SUITES: &str = r#"{"type":"code","languages":["python","c"],"limits":{"timeMsPerCase":4000},"testSuites":[
    {"name":"samples","visibility":"public","cases":[{"name":"two","input":"1 1\n","expected":"2\n"}]},
    {"name":"secret","visibility":"hidden","cases":[{"input":"20 22\n","expected":"42\n"},
        {"input":"4711 0\n","expected":"4711\n"}]}]}"#;

const ADDS: &str = "a, b = map(int, input().split())\nprint(a + b)";

/// The files of a question and a submission, with a separate cache.
struct Desk {
    folder: Folder,
    spec: String,
    submission: String,
    cache: String,
}

impl Desk {
    fn new(name: &str, source: &str) -> Self {
        let folder = Folder::new(name);
        let spec = folder.file("spec.json", SUITES);
        let submission = json!({"type": "code", "language": "python", "source": source});
        let submission = folder.file("submission.json", submission.to_string());
        let cache = folder.path("cache");
        Self { folder, spec, submission, cache }
    }

    fn command(&self, words: &[&str], more: &[&str]) -> Output {
        let documents = ["--spec", &self.spec, "--submission", &self.submission];
        run(&[words, &documents, more].concat(), "")
    }
}

fn verdicts(result: &Value) -> Vec<&str> {
    let cases = result["codeResults"].as_array().expect("cases");
    cases.iter().map(|case| case["verdict"].as_str().expect("a verdict")).collect()
}

/// Checks the result of a failed sandbox, which must not tell the learner anything about the host.
fn assert_sandbox_error(output: &Output) -> Value {
    assert_eq!(code(output), 4, "{}", text(&output.stderr));
    let result = answers(output).remove(0);
    assert_eq!(result["verdict"], "error");
    assert_eq!(result["score"], Value::Null);
    assert_eq!(verdicts(&result), ["sandbox_error"; 3]);
    let told = text(&output.stdout);
    assert!(!told.contains("bubblewrap") && !told.contains("bwrap") && !told.contains('/'), "{told}");
    result
}

#[test]
fn without_bubblewrap_every_case_is_a_sandbox_error_and_the_operator_is_told_why() {
    let desk = Desk::new("no-bubblewrap", ADDS);
    let absent = desk.folder.path("no-such-bwrap");
    let place = ["--bubblewrap", &absent, "--cache", &desk.cache, "--json"];
    let output = desk.command(&["run"], &place);
    assert_sandbox_error(&output);
    let told = text(&output.stderr);
    assert!(told.contains(&format!("bubblewrap is not at {absent}")), "{told}");
    assert!(told.contains("fablegrade doctor"), "{told}");

    let report = run(&["doctor", "--json", "--bubblewrap", &absent, "--cache", &desk.cache], "");
    let checks = &answers(&report)[0][1]["checks"];
    let sandbox = checks.as_array().expect("checks").iter().find(|check| check["name"] == "sandbox");
    let sandbox = sandbox.expect("the sandbox is looked at");
    assert_eq!(sandbox["health"], "bad");
    assert!(sandbox["note"].as_str().is_some_and(|note| note.contains(&absent)), "{sandbox}");
}

#[test]
fn questions_of_other_kinds_need_no_sandbox() {
    let request =
        r#"{"spec":{"type":"numeric","answer":{"value":42}},"submission":{"type":"numeric","value":42}}"#;
    for words in
        [&["run", "-", "--json", "--bubblewrap", "/nonexistent"][..], &["grade", "-", "--run", "--json"]]
    {
        let output = run(words, request);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(answers(&output)[0]["verdict"], "correct");
    }
}

mod sandboxed {
    use super::*;
    use std::process::Command;

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn run_and_grade_run_compile_run_and_grade() {
        let desk = Desk::new("run", ADDS);
        let output = desk.command(&["run"], &["--json", "--cache", &desk.cache]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let result = answers(&output).remove(0);
        assert_eq!((&result["verdict"], &result["score"]), (&json!("correct"), &json!(1)));
        assert_eq!(verdicts(&result), ["passed"; 3]);
        assert!(result["codeResults"][0]["timeMs"].is_u64(), "measured: {result}");
        assert_eq!(result["feedback"], Value::Null, "run in a sandbox: nothing to tell");

        let output = desk.command(&["grade", "--run"], &[]);
        let told = text(&output.stdout);
        assert!(told.starts_with("correct  1.00"), "{told}");
        assert_eq!(told.matches("passed").count(), 3, "{told}");
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn a_hidden_case_shows_its_verdict_only() {
        let source = "import sys\nwords = input()\nsys.stderr.write('saw ' + words)\nprint('said ' + words)";
        let desk = Desk::new("hidden", source);
        let output = desk.command(&["run"], &["--json", "--cache", &desk.cache]);
        let result = answers(&output).remove(0);
        assert_eq!(verdicts(&result), ["failed"; 3]);
        assert!(
            result["codeResults"][0]["diffExcerpt"].as_str().is_some_and(|text| text.contains("said 1 1"))
        );
        assert!(
            result["codeResults"][0]["stderrExcerpt"].as_str().is_some_and(|text| text.contains("saw 1 1"))
        );
        for at in [1, 2] {
            let case = result["codeResults"][at].as_object().expect("a case");
            let mut keys: Vec<_> = case.keys().map(String::as_str).collect();
            keys.sort_unstable();
            assert_eq!(keys, ["caseIndex", "suite", "verdict"]);
        }
        assert!(!text(&output.stdout).contains("4711"), "{}", text(&output.stdout));
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn what_does_not_compile_is_told_once_without_places_of_the_host() {
        let desk = Desk::new("compile", "def f(:\n    pass");
        let result = answers(&desk.command(&["run"], &["--json", "--cache", &desk.cache])).remove(0);
        assert_eq!(verdicts(&result), ["compile_error"; 3]);
        let feedback = result["feedback"].as_array().expect("feedback");
        assert_eq!(feedback.len(), 1, "{feedback:?}");
        let told = feedback[0]["message"].as_str().expect("a message");
        assert!(told.contains("solution.py") && !told.contains("/box") && !told.contains("/tmp"), "{told}");
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn never_without_a_sandbox_unless_asked_and_then_the_result_says_so() {
        let desk = Desk::new("unsandboxed", ADDS);
        let asked = ["--unsandboxed", "--bubblewrap", "/nonexistent", "--json", "--cache", &desk.cache];
        let output = desk.command(&["run"], &asked);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let result = answers(&output).remove(0);
        assert_eq!(verdicts(&result), ["passed"; 3]);
        assert!(result["feedback"].to_string().contains("without a sandbox"), "{result}");
    }

    /// Bubblewrap creates a user namespace in which no further user namespaces are allowed, as on a host that
    /// refuses them.
    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn where_user_namespaces_are_refused_every_case_is_a_sandbox_error() {
        let desk = Desk::new("no-namespaces", ADDS);
        let output = Command::new("bwrap")
            .args(["--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--proc", "/proc", "--"])
            .arg(env!("CARGO_BIN_EXE_fablegrade"))
            .args(["run", "--spec", &desk.spec, "--submission", &desk.submission, "--json"])
            .args(["--cache", &desk.cache])
            .output()
            .expect("bubblewrap");
        assert_sandbox_error(&output);
        let told = text(&output.stderr);
        assert!(told.contains("self-test") && told.contains("user namespaces"), "{told}");
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn doctor_says_what_this_host_enforces_and_has() {
        let desk = Desk::new("doctor", ADDS);
        let output = run(&["doctor", "--json", "--cache", &desk.cache], "");
        let report = answers(&output).remove(0);
        let checks = report[1]["checks"].as_array().expect("checks");
        let of = |name: &str| {
            let found = checks.iter().find(|check| check["name"] == name);
            found.unwrap_or_else(|| panic!("{name} in {report}"))
        };
        for name in ["sandbox", "host-files", "network", "privileges", "memory", "processes"] {
            assert_eq!(of(name)["health"], "good", "{name}");
        }
        for language in ["python", "javascript", "c", "cpp", "java", "rust", "go"] {
            assert_eq!(of(language)["health"], "good", "{language}");
        }
        let limit = of("memory limit");
        assert!(matches!(limit["health"].as_str(), Some("good" | "limited")), "{limit}");
        assert!(limit["note"].as_str().is_some_and(|note| note.contains("control group")), "{limit}");
        let human = run(&["doctor", "--cache", &desk.cache], "");
        assert!(text(&human.stdout).contains("running programs"), "{}", text(&human.stdout));
    }
}
