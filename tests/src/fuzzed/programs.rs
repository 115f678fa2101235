//! The data that a learner's program can send to its runner.

use fablegrade_core::{CaseOutcome, End, GradeInput, Grader, Submission};
use fablegrade_runner::fuzzed;
use std::sync::LazyLock;

/// Handles any packet on the socket of a sandbox's first process.
pub fn frames(data: &[u8]) {
    fuzzed::packet(data);
    // An almost valid order reaches more code.
    let mut order: Vec<u8> =
        [0x4661_626c_6503u64, 1, 2, 3, 4, 5, 6].iter().flat_map(|word| word.to_le_bytes()).collect();
    order.extend_from_slice(data);
    fuzzed::packet(&order);
}

const SECRET: &str = "expected-5512-secret";

static GRADER: LazyLock<Option<Grader>> = LazyLock::new(|| {
    let suite = |name: &str, visibility: &str| {
        format!(
            r#"{{"name":"{name}","visibility":"{visibility}","cases":[{{"input":"[1]","expected":"\"{SECRET}\""}}]}}"#
        )
    };
    let spec = format!(
        r#"{{"type":"code","languages":["python"],"limits":{{}},"harness":{{"mode":"function","functionName":"f"}},"testSuites":[{},{}]}}"#,
        suite("first", "hidden"),
        suite("second", "hidden")
    );
    Grader::from_json(&spec).ok()
});

/// Grades any bytes on the channel of results, standard output and standard error, which zero bytes separate.
/// The grader returns a result. Unless the input contains the expected value, the result does not reveal it, and no
/// case passes (a backslash in the input could be an escape of the value, so it is exempt).
pub fn channels(data: &[u8]) {
    let mut parts = data.splitn(3, |byte| *byte == 0);
    let mut next = || parts.next().unwrap_or_default();
    let (channel, output, errors) = (next(), next(), next());
    let returned = fuzzed::returned(b"0123456789ab\n[1]", channel);
    // The fuzzer cannot guess the tag, so it is supplied to test values too.
    let framed = [b"0123456789ab ", channel, b"\n"].concat();
    let guessed = fuzzed::returned(b"0123456789ab\n[1]", &framed);
    let grader = GRADER.as_ref().expect("the question is well formed");
    let submission = Submission::from_json(r#"{"type":"code","language":"python","source":"x"}"#);
    let submission = submission.expect("the answer is well formed");
    let outcome = |suite: &str, returned: &Option<Vec<u8>>| {
        let mut outcome = CaseOutcome::new(suite.to_owned(), 0, End::Exited(0));
        outcome.stdout = output.to_vec();
        outcome.stderr = errors.to_vec();
        outcome.returned.clone_from(returned);
        outcome
    };
    let outcomes = [outcome("first", &returned), outcome("second", &guessed)];
    let graded = grader.grade_with(&GradeInput::new(&submission).with_outcomes(&outcomes));
    let result = graded.expect("outcomes of the plan are graded").result().to_json();
    let wrote = data.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
    assert!(wrote || !result.contains(SECRET), "{result}");
    assert!(wrote || data.contains(&b'\\') || !result.contains("\"passed\""), "{result}");
}
