//! Hostile input: readers return typed errors, or questions that report what they leave out. No test measures time:
//! without a limit, a test is slow or runs out of memory.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::format_collect)]

mod bounds;
mod documents;
mod nested;
mod packages;
mod qti;

use std::io::{Cursor, Write as _};

use fablegrade_interchange::{Format, Question, ReadError, Source, read};
use zip::write::SimpleFileOptions;

/// The XML formats, each with a root element that its reader accepts.
const XML: [(Format, &str); 5] = [
    (Format::Qti3, "qti-assessment-item"),
    (Format::Qti2, "assessmentItem"),
    (Format::Qti12, "questestinterop"),
    (Format::MoodleXml, "quiz"),
    (Format::OpenEdx, "problem"),
];

fn outcome(format: Format, bytes: &[u8]) -> (Result<Format, ReadError>, Vec<Result<Question, ReadError>>) {
    let mut found = Vec::new();
    // Such a file is known by its name even if nothing in it can be graded.
    let name = if format == Format::PrairieLearn { "question.html" } else { "hostile" };
    let result = read(&Source::new(name, bytes), Some(format), &mut |question| found.push(question));
    (result, found)
}

/// Returns the rule of the error that rejects a whole file.
fn rule(format: Format, bytes: &[u8]) -> &'static str {
    let (result, found) = outcome(format, bytes);
    assert!(found.is_empty(), "{format}: {found:?}");
    result.expect_err("an error").rule
}

/// Returns a QTI 2 item with these declarations, body and rules.
fn item(declarations: &str, body: &str, rules: &str) -> String {
    format!(
        r#"<assessmentItem identifier="q" title="Q">{declarations}<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
        <itemBody>{body}</itemBody><responseProcessing>{rules}</responseProcessing></assessmentItem>"#
    )
}

fn one_of(format: Format, text: &str) -> Question {
    let (result, mut found) = outcome(format, text.as_bytes());
    assert!(result.is_ok(), "{result:?}");
    let question = found.remove(0).expect("a question");
    assert!(question.exactness == fablegrade_interchange::Exactness::Exact || !question.losses.is_empty());
    question
}

/// Returns the question of an XML item, and requires that it cannot be graded for this reason.
fn refused_question(format: Format, text: &str, rule: &str) -> Question {
    let question = one_of(format, text);
    let rules: Vec<&str> = question.losses.iter().take(5).map(|loss| loss.rule).collect();
    assert!(question.specs.is_empty() && rules.contains(&rule), "{format}: {rule}: {rules:?}");
    question
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("an archive").into_inner()
}
