//! Assessments: their items in order, and the rules that are lost.

use std::collections::{BTreeMap, BTreeSet};

use crate::item::Item;
use crate::loss::Loss;
use crate::xml::Element;

/// The maximum number of elements in the sections that the assessments of a file refer to, plus the bytes of their
/// items' identifiers. A section counts each time that it is referred to.
const MAX_REFERRED: usize = 8 << 20;

/// The items and sections of a file, to which its assessments can refer.
pub(super) struct Listing<'t> {
    items: BTreeSet<&'t str>,
    sections: BTreeMap<&'t str, Element<'t>>,
    /// The size of what the assessments referred to, which is at most [`MAX_REFERRED`].
    referred: usize,
}

impl<'t> Listing<'t> {
    /// Returns the items and sections of a file; of several sections with the same identifier, the first.
    pub(super) fn new(root: Element<'t>) -> Self {
        let mut listing = Self { items: BTreeSet::new(), sections: BTreeMap::new(), referred: 0 };
        for one in root.descendants() {
            match (one.name(), one.attribute("ident")) {
                ("item", Some(id)) => {
                    listing.items.insert(id);
                }
                ("section", Some(id)) => {
                    listing.sections.entry(id).or_insert(one);
                }
                _ => {}
            }
        }
        listing
    }

    /// Converts an assessment to a list of its items, the items of the sections that it refers to, and the names of
    /// banks.
    pub(super) fn read(&mut self, assessment: Element<'_>) -> Item {
        let id = assessment.attribute("ident").unwrap_or("assessment").to_owned();
        let mut item = Item::new(id, assessment.place());
        assessment.attribute("title").unwrap_or_default().trim().clone_into(&mut item.title);
        item.metadata.push(("kind".into(), "test".into()));
        item.losses.push(Loss::metadata(
            assessment.place(),
            "test",
            "a test is read as a list of items; each item becomes a question",
            "assemble them in your host",
        ));
        let mut lost: BTreeSet<&'static str> = BTreeSet::new();
        for one in assessment.descendants() {
            let mut lose = |rule: &'static str, message: String, suggestion: &str| {
                if lost.insert(rule) {
                    item.losses.push(Loss::metadata(one.place(), rule, message, suggestion));
                }
            };
            match one.name() {
                "item" => item.metadata.push(("item".into(), super::id_of(one))),
                "itemref" => {
                    let id = one.attribute("linkrefid").unwrap_or_default();
                    if !self.items.contains(id) {
                        let message = format!("the item `{id}` is not in this file");
                        lose("item-reference", message, "import the file that has it too");
                    }
                    item.metadata.push(("item".into(), id.to_owned()));
                }
                "sectionref" => {
                    let id = one.attribute("linkrefid").unwrap_or_default();
                    match self.sections.get(id) {
                        Some(section) => {
                            for other in section.descendants() {
                                let id = (other.name() == "item").then(|| super::id_of(other));
                                self.referred += 1 + id.as_ref().map_or(0, String::len);
                                if self.referred > MAX_REFERRED {
                                    lose(
                                    "too-many-references",
                                    "the sections that the assessment refers to have too many items, and the list \
                                     of its items is incomplete"
                                        .into(),
                                    "divide the assessment",
                                );
                                    break;
                                }
                                item.metadata.extend(id.map(|id| ("item".to_owned(), id)));
                            }
                        }
                        None => lose(
                            "section-reference",
                            format!("the section `{id}` is not in this file"),
                            "import the file that has it too",
                        ),
                    }
                }
                "sourcebank_ref" => {
                    item.metadata.push(("bank".into(), one.trimmed().into_owned()));
                    lose(
                        "selection",
                        "which questions are drawn from a bank is not carried over".into(),
                        "draw them in your host",
                    );
                }
                "presentation_material" | "rubric" | "objectives" if !super::text_of(one).is_empty() => lose(
                    "section-text",
                    "text of an assessment or a section is not carried over".into(),
                    "show it on your page",
                ),
                "selection_number" => lose(
                    "selection",
                    format!("the selection of {} of its questions is not carried over", one.trimmed()),
                    "draw them in your host",
                ),
                "points_per_item" => lose(
                    "weights",
                    "points of each item of a group are not carried over".into(),
                    "weigh them in your host",
                ),
                _ => {}
            }
        }
        item
    }
}
