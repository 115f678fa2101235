//! The checks that fuzz targets run on any bytes. `fuzz/` calls them with the input of a fuzzer; an ordinary
//! test replays `fuzz/regressions/` through them.

mod answers;
mod delivery;
mod expressions;
mod interchange;
mod kattis;
mod lines;
mod matchers;
#[cfg(target_os = "linux")]
mod programs;
mod systems;

pub use answers::{blanks, choice_weights, form, number_text, order_graph, short_text, verify};
pub use delivery::delivery;
pub use expressions::{compare, parse, printing, relations};
pub use interchange::{aiken, csv, gift, moodle, openedx, perseus, prairielearn, qti, qti_1};
pub use kattis::kattis;
pub use lines::lines;
pub use matchers::matchers;
#[cfg(target_os = "linux")]
pub use programs::{channels, frames};
pub use systems::{flowmcp, formspec, judgehost, terry};

use fablegrade_core::{AnswerSpec, DeliveryView, Grader, Submission, deliver, lint};

/// A target: a function of any bytes, which panics if a check fails.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("aiken", aiken),
    ("blanks", blanks),
    #[cfg(target_os = "linux")]
    ("channels", channels),
    ("choice_weights", choice_weights),
    ("compare", compare),
    ("csv", csv),
    ("delivery", delivery),
    ("documents", documents),
    ("flowmcp", flowmcp),
    ("form", form),
    ("formspec", formspec),
    #[cfg(target_os = "linux")]
    ("frames", frames),
    ("gift", gift),
    ("judgehost", judgehost),
    ("kattis", kattis),
    ("lines", lines),
    ("matchers", matchers),
    ("moodle", moodle),
    ("number_text", number_text),
    ("openedx", openedx),
    ("order_graph", order_graph),
    ("parse", parse),
    ("perseus", perseus),
    ("prairielearn", prairielearn),
    ("printing", printing),
    ("qti", qti),
    ("qti_1", qti_1),
    ("relations", relations),
    ("short_text", short_text),
    ("terry", terry),
    ("verify", verify),
];

/// Reads any bytes as a spec and a submission, which a zero byte separates. An invalid spec is refused with
/// findings. A valid one can be linted, delivered and graded, and documents that are written and read again are
/// the same.
pub fn documents(data: &[u8]) {
    let (spec, submission) = match data.iter().position(|&byte| byte == 0) {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (data, data),
    };
    let submission = Submission::from_json(submission);
    let spec = match AnswerSpec::from_json(spec) {
        Ok(spec) => spec,
        Err(error) => {
            assert!(!error.findings().is_empty());
            return;
        }
    };
    let _ = lint(&spec);
    let view = deliver(&spec, "seed").to_json();
    assert_eq!(DeliveryView::from_json(&view).map(|view| view.to_json()), Ok(view));
    let again = AnswerSpec::from_json(spec.to_json_with_key());
    assert_eq!(again.as_ref().ok(), Some(&spec));
    if let (Ok(grader), Ok(submission)) = (Grader::new(spec), submission) {
        let result = grader.grade(&submission);
        assert_eq!(result.score.is_some(), result.verdict.is_scored());
        assert_eq!(result.to_json(), grader.grade(&submission).to_json());
    }
}
