//! Fuzzes the readers of other systems' questions: they read or refuse any bytes, and the questions are valid.

use fablegrade_interchange::compile::Responses;
use fablegrade_interchange::{Exactness, Format, Source, read};

/// Reads any bytes in a format. Each question lists its losses unless it is exact, its specs compile, and reading
/// the bytes again gives the same result.
fn questions(format: Format, data: &[u8]) {
    let source = Source::new("folder/file", data);
    let told = || {
        let mut lines = Vec::new();
        let result = read(&source, Some(format), &mut |question| match question {
            Ok(question) => {
                assert!(question.exactness == Exactness::Exact || !question.losses.is_empty());
                assert_eq!(question.exactness == Exactness::NotExpressible, question.specs.is_empty());
                let grader = question.grader().expect("specs of a reader compile");
                let score = grader.score(&Responses::new());
                assert!(score.is_none_or(|score| (0.0..=1.0).contains(&score)));
                lines.push(question.to_json().to_canonical());
            }
            Err(error) => lines.push(error.to_string()),
        });
        lines.push(format!("{result:?}"));
        lines
    };
    assert_eq!(told(), told());
}

/// Reads Aiken.
pub fn aiken(data: &[u8]) {
    questions(Format::Aiken, data);
}

/// Reads QTI items of version 2 or 3, which the root element determines.
pub fn qti(data: &[u8]) {
    questions(Format::Qti3, data);
}

/// Reads QTI of version 1.
pub fn qti_1(data: &[u8]) {
    questions(Format::Qti12, data);
}

/// Reads CSV tables.
pub fn csv(data: &[u8]) {
    questions(Format::Csv, data);
}

/// Reads GIFT.
pub fn gift(data: &[u8]) {
    questions(Format::Gift, data);
}

/// Reads Moodle XML with embedded answers, STACK and CodeRunner questions.
pub fn moodle(data: &[u8]) {
    questions(Format::MoodleXml, data);
}

/// Reads Open edX problems.
pub fn openedx(data: &[u8]) {
    questions(Format::OpenEdx, data);
}

/// Reads Perseus items.
pub fn perseus(data: &[u8]) {
    questions(Format::Perseus, data);
}

/// Reads PrairieLearn questions.
pub fn prairielearn(data: &[u8]) {
    questions(Format::PrairieLearn, data);
}
