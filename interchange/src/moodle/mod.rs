//! Moodle XML, read question by question, so a damaged question does not affect the others.

pub(crate) mod calculated;
pub(crate) mod cloze;
mod code_runner;
mod gaps;
mod item;
mod pairs;
pub(crate) mod question;
mod stack;
mod typed;
mod xml;

use crate::format::{Sink, Source};
use crate::loss::ReadError;
use crate::text;
pub(crate) use item::{dollars, item};

/// Returns whether a file looks like Moodle XML.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    let head = source.head();
    ["<quiz>", "<quiz ", "<quiz\n", "<quiz\r", "<quiz/>"].iter().any(|tag| head.contains(tag))
        || (head.contains("<question type=\"") && head.contains("<questiontext"))
}

/// Reads the items of a file.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let text = text::decode(source.bytes)?;
    xml::read(&text, items)
}

/// Converts a formula that a learner typed in STACK to LaTeX; `None` if it cannot be read.
pub(crate) fn latex_of(answer: &str) -> Option<String> {
    stack::latex_of(answer)
}
