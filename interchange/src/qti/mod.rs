//! QTI 1.2 to 3.0: items and tests.
//!
//! Response processing is executed instead of being matched with known patterns. [`scoring`] evaluates it on candidate
//! responses and searches for an interaction of the item model with the same scores. The result counts as exact only
//! if grading the same responses confirms these scores.

use std::borrow::Cow;

mod body;
mod candidates;
mod evaluate;
mod fit;
mod joint;
mod literals;
mod model;
mod names;
mod numbers;
mod operators;
mod orders;
mod scoring;
mod texts;
mod value;
pub(crate) mod version_1;

use crate::format::{HEAD, Sink, Source};
use crate::item::Item;
use crate::loss::{Loss, Place, ReadError};
use crate::text;
use crate::xml::{Element, Tree, XmlLimits};

use names::{attribute, child, kind};

/// Returns whether the root element of a file is one of version 3, such as `qti-assessment-item`.
pub(crate) fn detects_3(source: &Source<'_>) -> bool {
    first_name(source).is_some_and(|name| name.starts_with("qti-assessment-"))
}

/// Returns whether the root element of a file is one of version 2, such as `assessmentItem`.
pub(crate) fn detects_2(source: &Source<'_>) -> bool {
    first_name(source)
        .is_some_and(|name| name.starts_with("assessment") && !name.starts_with("assessmentResult"))
}

/// Returns the local name of the root element; `None` if it does not begin in the first [`HEAD`] bytes.
pub(crate) fn first_name(source: &Source<'_>) -> Option<String> {
    let head = match encoding_rs::Encoding::for_bom(source.bytes) {
        Some((encoding, _)) => encoding.decode(&source.bytes[..source.bytes.len().min(HEAD)]).0.into_owned(),
        None => source.head().into_owned(),
    };
    let mut rest = head.as_str();
    loop {
        let at = rest.find('<')?;
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("!--") {
            rest = &after[after.find("-->")?..];
        } else if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(rest.len());
            let name = &rest[..end];
            return Some(name.rsplit_once(':').map_or(name, |(_, local)| local).to_owned());
        }
    }
}

/// Reads the item or the test of a file. The items of a test are in other files. Sections and stimuli have no items.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let text = text::decode(source.bytes)?;
    let tree = Tree::parse(&text, XmlLimits::default())?;
    let root = tree.root();
    match kind(root).as_str() {
        "assessmentItem" => items(Ok(item(root, source))),
        "assessmentTest" => items(Ok(test(root, source))),
        // These are read with the test or item that refers to them.
        "assessmentSection" | "assessmentStimulus" => {}
        name => {
            let message = format!("`{name}` is neither an item nor a test");
            return Err(ReadError::new(root.place(), "not-an-item", message, "give an `assessmentItem`"));
        }
    }
    Ok(())
}

fn item(root: Element<'_>, source: &Source<'_>) -> Item {
    let id =
        attribute(root, "identifier").map_or_else(|| source.stem().to_owned(), |id| id.trim().to_owned());
    let mut item = Item::new(id, root.place());
    attribute(root, "title").unwrap_or_default().trim().clone_into(&mut item.title);
    for (name, entry) in [("lang", "language"), ("label", "label"), ("toolName", "tool")] {
        if let Some(value) = attribute(root, name).filter(|value| !value.trim().is_empty()) {
            item.metadata.push((entry.to_owned(), value.trim().to_owned()));
        }
    }
    if let Some(stimulus) = child(root, "assessmentStimulusRef") {
        let href = attribute(stimulus, "href").unwrap_or_default();
        match source.sibling(href).and_then(|bytes| stimulus_text(&bytes)) {
            Some(text) => item.prompt = text,
            None => item.losses.push(Loss::display(
                stimulus.place(),
                "stimulus",
                "the text that the question is about is another file",
                "import the package that has it",
            )),
        }
    }
    scoring::fill(root, source, &mut item);
    for medium in &mut item.media {
        medium.file = source.has_sibling(&medium.href).then(|| {
            let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            if folder.is_empty() { medium.href.clone() } else { format!("{folder}/{}", medium.href) }
        });
    }
    item
}

fn stimulus_text(bytes: &[u8]) -> Option<String> {
    let text = text::decode(bytes).ok()?;
    let tree = Tree::parse(&text, XmlLimits::default()).ok()?;
    child(tree.root(), "stimulusBody").map(crate::rich::from_xml)
}

/// The maximum depth of references to sections in other files.
const MAX_SECTIONS: usize = 8;

/// Adds the references to the items of a test or a section to the metadata, in order. Sections can be separate files.
fn references(root: Element<'_>, source: &Source<'_>, depth: usize, item: &mut Item) {
    for one in root.descendants() {
        let href = || attribute(one, "href").unwrap_or_default();
        match kind(one).as_str() {
            "assessmentItemRef" => item.metadata.push(("item".into(), href().to_owned())),
            "assessmentSectionRef" if depth < MAX_SECTIONS && item.metadata.len() < MAX_REFERENCES => {
                let text =
                    source.sibling(href()).and_then(|bytes| text::decode(&bytes).map(Cow::into_owned).ok());
                match text.as_ref().and_then(|text| Tree::parse(text, XmlLimits::default()).ok()) {
                    Some(tree) => references(tree.root(), source, depth + 1, item),
                    None => item.losses.push(Loss::metadata(
                        one.place(),
                        "section",
                        format!("the section `{}` is another file", href()),
                        "import the package that has it",
                    )),
                }
            }
            _ => {}
        }
    }
}

/// The number of metadata entries after which no more section files are read, because a section can refer to itself.
const MAX_REFERENCES: usize = 100_000;

/// Converts a test to a list of its items, which are read from their own files. The rules of the test are lost.
fn test(root: Element<'_>, source: &Source<'_>) -> Item {
    let id = attribute(root, "identifier").map_or_else(|| source.stem().to_owned(), str::to_owned);
    let mut item = Item::new(id, root.place());
    attribute(root, "title").unwrap_or_default().clone_into(&mut item.title);
    item.metadata.push(("kind".into(), "test".into()));
    references(root, source, 0, &mut item);
    let mut lost: Vec<(&'static str, &'static str, Place)> = Vec::new();
    for element in root.descendants() {
        let (rule, message) = match kind(element).as_str() {
            "outcomeProcessing" => ("outcome-processing", "how the test computes its own scores"),
            "preCondition" | "branchRule" => ("branching", "which questions are shown after which"),
            "selection" | "ordering" => ("selection", "which questions are drawn, and their order"),
            "timeLimits" => ("time-limits", "time limits"),
            "weight" => ("weights", "weights of items"),
            _ => continue,
        };
        if !lost.iter().any(|(known, ..)| *known == rule) {
            lost.push((rule, message, element.place()));
        }
    }
    item.losses.push(Loss::metadata(
        root.place(),
        "test",
        "a test is read as a list of items; each item becomes a question",
        "assemble them in your host",
    ));
    for (rule, message, place) in lost {
        item.losses.push(Loss::metadata(
            place,
            rule,
            format!("{message} is not carried over"),
            "set it in your host",
        ));
    }
    item
}
