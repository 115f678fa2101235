//! Runs every vector through the C library, by a driver that was compiled from C. `FABLEGRADE_C_DRIVER` is
//! its path. `fablegrade-capi/test` builds it and runs these tests.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use fablegrade_core::json::Json;
use fablegrade_core::request::Documents;
use fablegrade_core::{Error, Finding, Grader, Matcher, lint_json_knowing};
use fablegrade_tests::{Expected, Kind, Vector, vectors};
use fablegrade_validators::standard;

/// The result of a call: the name of its status, and two texts.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: String,
    one: String,
    two: String,
}

/// The driver, which makes one call at a time.
struct Driver {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Driver {
    fn start() -> Self {
        let program = std::env::var_os("FABLEGRADE_C_DRIVER");
        let program = program.expect("FABLEGRADE_C_DRIVER names the driver; fablegrade-capi/test sets it");
        // The command may be a checker and its arguments, with the driver last: `valgrind --quiet driver`.
        let program = program.into_string().unwrap();
        let mut words = program.split_whitespace();
        let mut child = Command::new(words.next().unwrap())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (requests, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, requests, answers: BufReader::new(answers) }
    }

    fn call(&mut self, operation: &str, arguments: &[Option<&[u8]>]) -> Answer {
        let mut request = operation.as_bytes().to_vec();
        for argument in arguments {
            match argument {
                Some(bytes) => write!(request, " {}", bytes.len()).unwrap(),
                None => request.extend_from_slice(b" -1"),
            }
        }
        request.push(b'\n');
        request.extend(arguments.iter().flatten().flat_map(|bytes| bytes.iter()));
        self.requests.write_all(&request).unwrap();
        self.requests.flush().unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [status, one, two] = words[..] else { panic!("no answer: `{line}`") };
        let mut text = |length: &str| {
            let mut bytes = vec![0; length.parse().unwrap()];
            self.answers.read_exact(&mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        Answer { status: status.to_owned(), one: text(one), two: text(two) }
    }

    /// Finishes the driver, which must succeed: a checker such as valgrind reports its findings in the exit
    /// status.
    fn finish(self) {
        let Self { mut child, requests, answers } = self;
        drop((requests, answers));
        assert!(child.wait().unwrap().success(), "the driver failed");
    }
}

fn each(kind: Kind, check: impl Fn(&mut Driver, &Vector) -> Result<(), String>) {
    let mut driver = Driver::start();
    let (mut count, mut report) = (0, String::new());
    for vector in vectors().iter().filter(|vector| vector.kind == kind) {
        count += 1;
        if let Err(difference) = check(&mut driver, vector) {
            let _ = writeln!(report, "\n{}\n  because: {}\n{difference}", vector.name, vector.why);
        }
    }
    driver.finish();
    assert!(count > 0, "no vectors of this kind");
    assert!(report.is_empty(), "{report}");
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("  {what}\n  expected: {expected:?}\n  found:    {found:?}"))
    }
}

/// Returns the expected result of the C interface for an error in Rust.
fn refused(error: &Error) -> Answer {
    let status = match (error.rule(), error.kind().as_str()) {
        ("invalid-utf8", _) => "FG_BAD_UTF8",
        (_, "json") => "FG_BAD_JSON",
        (_, "schema") => "FG_BAD_SCHEMA",
        (_, "spec") => "FG_BAD_SPEC",
        (_, "mismatch") => "FG_MISMATCH",
        other => panic!("{other:?}"),
    };
    Answer { status: status.to_owned(), one: error.to_json(), two: String::new() }
}

/// Makes the same call in Rust; the answer has the bytes of the explanation too.
fn in_rust(spec: &[u8], documents: &Documents<'_>) -> Answer {
    let marked = Grader::from_json_with(spec, &standard())
        .map_err(|error| error.within("/spec"))
        .and_then(|grader| documents.read()?.explain(&grader));
    match marked {
        Ok((result, explanation)) => Answer {
            status: "FG_OK".to_owned(),
            one: result.to_json(),
            two: explanation.to_json_for_author(),
        },
        Err(error) => refused(&error),
    }
}

#[test]
#[ignore = "needs the driver in C: ./test fablegrade-capi"]
fn every_grade_vector_gives_its_bytes() {
    each(Kind::Grade, |driver, vector| {
        let fields =
            ["spec", "submission", "attempt", "outcomes", "context"].map(|name| vector.document(name));
        let [spec, submission, attempt, outcomes, context] =
            fields.each_ref().map(|text| text.as_ref().map(String::as_bytes));
        let spec = spec.unwrap_or_default();
        let found = driver.call("mark", &[Some(spec), submission, attempt, outcomes, context]);
        same("as in Rust", &in_rust(spec, &Documents { submission, attempt, outcomes, context }), &found)?;
        match vector.expected() {
            Expected::Result(expected) => same("result", &expected, &found.one),
            Expected::Error(kind, rules) => {
                let error = Json::parse(found.one.as_bytes()).map_err(|error| error.to_string())?;
                same("kind", &Some(kind.as_str()), &error.get("kind").and_then(Json::as_str))?;
                same(
                    "rules",
                    &rules.len(),
                    &error.get("findings").and_then(Json::as_array).map_or(0, <[_]>::len),
                )
            }
        }
    });
}

#[test]
#[ignore = "needs the driver in C: ./test fablegrade-capi"]
fn every_deliver_vector_gives_its_bytes() {
    each(Kind::Deliver, |driver, vector| {
        let spec = vector.document("spec").unwrap_or_default();
        let seed = vector.word("seed").unwrap_or_default();
        let found = driver.call("deliver", &[Some(spec.as_bytes()), Some(seed.as_bytes())]);
        same("status", &"FG_OK", &found.status.as_str())?;
        same("view", &vector.word("view").unwrap_or_default(), &found.one.as_str())
    });
}

#[test]
#[ignore = "needs the driver in C: ./test fablegrade-capi"]
fn every_lint_vector_gives_its_findings() {
    each(Kind::Lint, |driver, vector| {
        let spec = vector.document("spec").unwrap_or_default();
        let found = driver.call("lint", &[Some(spec.as_bytes())]);
        same(
            "as in Rust",
            &Finding::list_to_json(&lint_json_knowing(&spec, &standard())).to_canonical(),
            &found.one,
        )?;
        let list = Json::parse(found.one.as_bytes()).map_err(|error| error.to_string())?;
        let word = |finding: &Json, key: &str| {
            finding.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
        };
        let mut rows: Vec<Vec<String>> = list
            .as_array()
            .unwrap_or_default()
            .iter()
            .map(|finding| ["severity", "rule", "pointer"].map(|key| word(finding, key)).to_vec())
            .collect();
        rows.sort();
        same("findings", &vector.rows("findings"), &rows)
    });
}

#[test]
#[ignore = "needs the driver in C: ./test fablegrade-capi"]
fn every_match_vector_is_decided_as_it_says() {
    each(Kind::Match, |driver, vector| {
        let word = vector.word("matcher").unwrap_or_default();
        let (expected, actual) = (vector.bytes("expected"), vector.bytes("actual"));
        let tolerance = vector.document("floatTolerance");
        let arguments =
            [Some(word.as_bytes()), Some(&expected), Some(&actual), tolerance.as_ref().map(String::as_bytes)];
        let found = driver.call("match", &arguments);
        let decimal = tolerance.as_ref().map(|text| fablegrade_core::Decimal::from_text(text).unwrap());
        let in_rust = Matcher::from_word(word).unwrap().compare(&expected, &actual, decimal.as_ref());
        same("as in Rust", &in_rust.to_json().to_canonical(), &found.one)?;
        let accepted =
            Json::parse(found.one.as_bytes()).ok().and_then(|report| report.get("accept").cloned());
        same("accept", &vector.flag("accept").map(Json::from), &accepted)
    });
}

#[test]
#[ignore = "needs the driver in C: ./test fablegrade-capi"]
fn every_check_vector_is_of_its_form_or_not() {
    each(Kind::Check, |driver, vector| {
        let schema = match vector.word("schema") {
            Some("AnswerSpec") => "1",
            Some("Submission") => "2",
            Some("Attempt") => "3",
            Some("AttemptResult") => "4",
            other => return Err(format!("  no schema {other:?}")),
        };
        let instance = vector.document("instance").unwrap_or_default();
        let found = driver.call("check", &[Some(schema.as_bytes()), Some(instance.as_bytes())]);
        same("valid", &vector.flag("valid"), &Some(found.status == "FG_OK"))?;
        if found.status == "FG_OK" {
            return Ok(());
        }
        let error = Json::parse(found.one.as_bytes()).map_err(|error| error.to_string())?;
        let word = |finding: &Json, key: &str| {
            finding.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
        };
        let mut rows: Vec<Vec<String>> = error
            .get("findings")
            .and_then(Json::as_array)
            .unwrap_or_default()
            .iter()
            .map(|finding| {
                let pointer = word(finding, "pointer");
                vec![pointer.strip_prefix("/document").unwrap_or(&pointer).to_owned(), word(finding, "rule")]
            })
            .collect();
        rows.sort();
        same("rules", &vector.rows("rules"), &rows)
    });
}
