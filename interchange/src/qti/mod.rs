//! QTI 1.2 to 3.0: items and tests.
//!
//! Response processing is executed instead of being matched with known patterns. [`scoring`] evaluates it on candidate
//! responses and searches for an interaction of the item model with the same scores. The result counts as exact only
//! if grading the same responses confirms these scores.

use std::borrow::Cow;

use fablegrade_files::path_beside;

mod body;
mod breaks;
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
mod parts;
mod scoring;
mod solve;
mod starts;
mod texts;
mod value;
pub(crate) mod version_1;

use crate::format::{HEAD, Siblings, Sink, Source};
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

/// Returns the local name of the root element; `None` if it does not begin in the [`head`](Source::head) of the file.
pub(crate) fn first_name(source: &Source<'_>) -> Option<String> {
    let mut head = source.head();
    let mut rest = &*head;
    loop {
        let at = rest.find('<')?;
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("!--") {
            let Some(end) = after.find("-->") else {
                // A comment at the beginning can be longer than the head.
                let from = head.len() - after.len();
                let end = from + source.bytes.get(from..)?.windows(3).position(|three| three == b"-->")?;
                head =
                    crate::text::decode(source.bytes.get(end..source.bytes.len().min(end + HEAD))?).ok()?;
                rest = &head;
                continue;
            };
            rest = &after[end..];
        } else if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(rest.len());
            let name = &rest[..end];
            return Some(name.rsplit_once(':').map_or(name, |(_, local)| local).to_owned());
        }
    }
}

/// Reads the item or the test of a file. The items of a test are in other files. Files of sections and stimuli give no
/// items.
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
                "the text that the question is about is in another file",
                "import the package that has it",
            )),
        }
    }
    scoring::fill(root, source, &mut item);
    for medium in &mut item.media {
        medium.file = source.sibling_path(&medium.href);
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

/// The maximum total size of the section files that are read for a test, in bytes. A file counts each time it is read.
const MAX_SECTION_BYTES: usize = text::MAX_TEXT;

/// The maximum total size of the references to items of a test, in bytes; each reference counts one byte more.
const MAX_REFERENCES: usize = 8 << 20;

/// Collects the items of a test in order. Sections can be separate files, and a section can refer to itself.
struct References<'s> {
    source: &'s Source<'s>,
    /// The paths of the section files that are being read, within the package.
    open: Vec<String>,
    files: Siblings<'s>,
    listed: usize,
    /// Whether a limit was reached, which is reported once.
    full: bool,
}

impl<'s> References<'s> {
    fn new(source: &'s Source<'s>) -> Self {
        let files = Siblings::new(source, MAX_SECTION_BYTES);
        Self { source, open: Vec::new(), files, listed: 0, full: false }
    }

    /// Returns the path, within the package, that a reference in the innermost open file means.
    fn resolved(&self, href: &str) -> Option<String> {
        path_beside(self.open.last().map_or(self.source.path, String::as_str), href)
    }

    /// Returns a reference in the innermost open file as a reference in the test.
    fn of_test(&self, href: &str) -> String {
        // The references of the test itself stay as they are written, and so do those that leave the package.
        let resolved = if self.open.is_empty() { None } else { self.resolved(href) };
        resolved.map_or_else(|| href.to_owned(), |path| relative(self.source.path, &path))
    }

    /// Adds the references below an element to the metadata of a test.
    fn collect(&mut self, root: Element<'_>, item: &mut Item) {
        for one in root.descendants() {
            let href = || attribute(one, "href").unwrap_or_default();
            match kind(one).as_str() {
                "assessmentItemRef" => {
                    let path = self.of_test(href());
                    self.listed += path.len() + 1;
                    if self.listed > MAX_REFERENCES {
                        return self.stop(one, item);
                    }
                    item.metadata.push(("item".into(), path));
                }
                "assessmentSectionRef" => self.section(one, href(), item),
                _ => {}
            }
            if self.full {
                return;
            }
        }
    }

    fn section(&mut self, reference: Element<'_>, href: &str, item: &mut Item) {
        let path = self.resolved(href).unwrap_or_default();
        if self.open.contains(&path) {
            item.losses.push(Loss::metadata(
                reference.place(),
                "section",
                format!("the section `{href}` contains itself"),
                "remove this reference",
            ));
            return;
        }
        let Some(bytes) = (self.open.len() < MAX_SECTIONS).then(|| self.files.read(&path).ok()).flatten()
        else {
            return self.stop(reference, item);
        };
        let text = text::decode(&bytes).map(Cow::into_owned).ok();
        let Some(tree) = text.as_ref().and_then(|text| Tree::parse(text, XmlLimits::default()).ok()) else {
            item.losses.push(Loss::metadata(
                reference.place(),
                "section",
                format!("the section `{href}` is in another file"),
                "import the package that has it",
            ));
            return;
        };
        self.open.push(path);
        self.collect(tree.root(), item);
        self.open.pop();
    }

    /// Reports that a limit is reached, and ends the collection.
    fn stop(&mut self, reference: Element<'_>, item: &mut Item) {
        self.full = true;
        item.losses.push(Loss::metadata(
            reference.place(),
            "too-many-references",
            "the test has too many sections or items, and the list of its items ends here",
            "divide the test",
        ));
    }
}

/// Returns a path of a package as a reference in the file at `file`.
fn relative(file: &str, path: &str) -> String {
    let (mut folder, mut rest) = (file.rsplit_once('/').map_or("", |(folder, _)| folder), path);
    // Removes the folders that both paths begin with.
    while let Some((step, after)) = rest.split_once('/')
        && let Some(within) = folder.strip_prefix(step)
        && (within.is_empty() || within.starts_with('/'))
    {
        folder = within.strip_prefix('/').unwrap_or_default();
        rest = after;
    }
    let up = folder.split('/').filter(|step| !step.is_empty()).count();
    "../".repeat(up) + rest
}

/// Converts a test to a list of its items, which are read from their own files. The rules of the test are lost.
fn test(root: Element<'_>, source: &Source<'_>) -> Item {
    let id = attribute(root, "identifier").map_or_else(|| source.stem().to_owned(), str::to_owned);
    let mut item = Item::new(id, root.place());
    attribute(root, "title").unwrap_or_default().clone_into(&mut item.title);
    item.metadata.push(("kind".into(), "test".into()));
    References::new(source).collect(root, &mut item);
    let mut lost: Vec<(&'static str, &'static str, Place)> = Vec::new();
    for element in root.descendants() {
        let (rule, message) = match kind(element).as_str() {
            "outcomeProcessing" => ("outcome-processing", "the test's own scoring"),
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
