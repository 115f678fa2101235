//! The body of an item: its text and its interactions.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::item::{Choosable, Feedback, Media};
use crate::loss::{Loss, Place};
use crate::rich::{RichText, xml_into};
use crate::text::Filling;
use crate::xml::Element;

use super::evaluate::Machine;
use super::names::{attribute, child, children, flag, kind};
use super::operators::typed;
use super::value::{Atom, Value};

/// The kind of an interaction.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Options to select, at most `most` of them.
    Choices { options: Vec<Choosable>, most: Option<usize>, shuffle: bool },
    /// A typed text or number.
    Entry,
    /// Items to order; `whole` if all of them must be placed.
    Order { items: Vec<Choosable>, whole: bool },
    /// Pairs of a left and a right item, with the maximum number of partners on each side.
    ///
    /// `reversed` is true if responses name the right item first.
    Pairs {
        left: Vec<Choosable>,
        right: Vec<Choosable>,
        left_most: Option<usize>,
        right_most: Option<usize>,
        reversed: bool,
    },
    /// Pairs within one set.
    Associations { items: Vec<Choosable>, most: Option<usize> },
    /// An interaction that is not scored: media, or a button that ends the attempt.
    Scoreless,
    /// An interaction without a counterpart in Fablegrade.
    Unknown,
}

/// An interaction.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub response: String,
    pub element: String,
    pub kind: Kind,
    pub prompt: String,
    pub place: Place,
}

/// The contents of an item's body.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub prompt: String,
    pub media: Vec<Media>,
    pub interactions: Vec<Found>,
    pub feedback: Vec<Feedback>,
    pub rubric: Vec<String>,
    pub losses: Vec<Loss>,
    /// The rules of the losses that are reported once per item.
    reported: BTreeSet<&'static str>,
}

/// Reads `itemBody` and the modal feedback of an item.
pub(super) fn read(item: Element<'_>, machine: Option<&Machine<'_>>) -> Body {
    let mut body = Body::default();
    if let Some(element) = child(item, "itemBody") {
        let mut rich = RichText::new();
        let mut reader = Reader { body: &mut body, machine, filling: Filling::new() };
        xml_into(element, &mut rich, &mut |inner, rich| reader.instead(inner, rich));
        report_dropped(&rich, &mut body.losses, element);
        let (prompt, media) = rich.finish();
        body.prompt = prompt;
        body.media.extend(media);
    }
    for element in children(item, "modalFeedback") {
        body.modal(element);
    }
    for (name, rule) in [
        ("stylesheet", "stylesheet"),
        ("apipAccessibility", "accessibility"),
        ("companionMaterialsInfo", "companion-material"),
    ] {
        if let Some(element) = child(item, name) {
            let message = format!("`{name}` is left out");
            body.losses.push(Loss::display(
                element.place(),
                rule,
                message,
                "style or provide it on your page",
            ));
        }
    }
    body
}

fn report_dropped(rich: &RichText, losses: &mut Vec<Loss>, element: Element<'_>) {
    if let Some(name) = rich.dropped.first() {
        let message = format!("active content (`{name}`) is left out");
        losses.push(Loss::display(element.place(), "active-content", message, "provide it on your page"));
    }
}

impl Body {
    fn modal(&mut self, element: Element<'_>) {
        let when = attribute(element, "identifier").unwrap_or_default().to_owned();
        let outcome = attribute(element, "outcomeIdentifier").unwrap_or_default();
        self.feedback.push(Feedback {
            when: format!("{outcome} {when}").trim().to_owned(),
            content: crate::rich::from_xml(element),
        });
        if self.reported.insert("feedback") {
            let message =
                "feedback that depends on an outcome is kept in the bank, but the question does not show it";
            self.losses.push(Loss::display(element.place(), "feedback", message, "show it on your page"));
        }
    }
}

struct Reader<'b, 'm, 'x> {
    body: &'b mut Body,
    machine: Option<&'m Machine<'x>>,
    filling: Filling,
}

fn content(element: Element<'_>, media: &mut Vec<Media>) -> String {
    let mut rich = RichText::new();
    // Feedback inside an option is not part of its content. A gap is shown as its identifier in double brackets.
    xml_into(element, &mut rich, &mut |inner, rich| match kind(inner).as_str() {
        "feedbackInline" | "feedbackBlock" => true,
        "gap" => {
            rich.raw(&format!("[[{}]]", attribute(inner, "identifier").unwrap_or_default()));
            true
        }
        _ => false,
    });
    let (text, found) = rich.finish();
    media.extend(found);
    text
}

fn most(element: Element<'_>, name: &str, default: usize) -> Option<usize> {
    match attribute(element, name) {
        None => (default > 0).then_some(default),
        Some(text) => text.trim().parse().ok().filter(|most| *most > 0),
    }
}

/// Joins two texts as separate paragraphs.
pub(super) fn joined(first: &str, second: &str) -> String {
    format!("{first}\n\n{second}").trim().to_owned()
}

impl Reader<'_, '_, '_> {
    fn choosable(&mut self, element: Element<'_>) -> Choosable {
        let id = attribute(element, "identifier").unwrap_or_default().trim().to_owned();
        let mut text = content(element, &mut self.body.media);
        let feedback = |one: Element<'_>| matches!(kind(one).as_str(), "feedbackInline" | "feedbackBlock");
        for inner in element.outermost(feedback) {
            self.body.modal(inner);
        }
        if text.is_empty() {
            let label = attribute(element, "hotspotLabel").or_else(|| attribute(element, "objectLabel"));
            let shape = attribute(element, "shape")
                .map(|shape| format!("{shape} {}", attribute(element, "coords").unwrap_or_default()));
            text = label.map(str::to_owned).or(shape).unwrap_or_else(|| id.clone());
        }
        Choosable { id, content: text }
    }

    fn all(&mut self, element: Element<'_>, names: &[&str]) -> Vec<Choosable> {
        let fits = |one: Element<'_>| names.contains(&kind(one).as_str());
        let found: Vec<Element<'_>> = element.outermost(fits).collect();
        if found.len() < element.descendants().filter(|one| fits(*one)).count()
            && self.body.reported.insert("nested-choice")
        {
            self.body.losses.push(Loss::score(
                element.place(),
                "nested-choice",
                "a choice inside another one is left out",
                "put them next to each other",
            ));
        }
        found.into_iter().map(|one| self.choosable(one)).collect()
    }

    fn instead<'t>(&mut self, element: Element<'t>, rich: &mut RichText) -> bool {
        let name = kind(element);
        match name.as_str() {
            "rubricBlock" => {
                self.body.rubric.push(crate::rich::from_xml(element));
                if self.body.reported.insert("rubric-block") {
                    let message = "text for scorers and others is kept as metadata";
                    self.body.losses.push(Loss::metadata(
                        element.place(),
                        "rubric-block",
                        message,
                        "show it to its intended readers",
                    ));
                }
                true
            }
            "feedbackInline" | "feedbackBlock" => {
                self.body.modal(element);
                true
            }
            "templateInline" | "templateBlock" => {
                let message = "text that depends on a template variable is left out";
                self.body.losses.push(Loss::display(
                    element.place(),
                    "template-text",
                    message,
                    "write the intended variant",
                ));
                true
            }
            "printedVariable" => {
                let id = attribute(element, "identifier").unwrap_or_default();
                let known = self.machine.filter(|machine| machine.unknown(id).is_none());
                let value = known.and_then(|machine| machine.variable(id));
                let value = match value {
                    Some(Value::One(Atom::Number(ratio))) => {
                        Some(typed(ratio).map_or_else(|| ratio.to_fraction_text().into(), Cow::Owned))
                    }
                    Some(Value::One(Atom::Text(value))) => Some(Cow::Borrowed(value.as_str())),
                    _ => None,
                };
                let mut text = String::new();
                let filled = value.ok_or("it is not known before an attempt").and_then(|value| {
                    let pushed = self.filling.push(&mut text, &value);
                    pushed.map_err(|_| "the values in the text are too long")
                });
                if let Err(why) = filled {
                    self.body.losses.push(Loss::display(
                        element.place(),
                        "printed-variable",
                        format!("the value of `{id}` is not shown: {why}"),
                        "write the value",
                    ));
                    text = format!("[{id}]");
                }
                rich.raw(&text);
                true
            }
            "include" => {
                let message = "content of another file is not included";
                self.body.losses.push(Loss::display(
                    element.place(),
                    "include",
                    message,
                    "put it into the item",
                ));
                true
            }
            _ if name.ends_with("Interaction") => {
                self.interaction(element, &name, rich);
                true
            }
            _ => false,
        }
    }

    fn interaction(&mut self, element: Element<'_>, name: &str, rich: &mut RichText) {
        let response = attribute(element, "responseIdentifier").unwrap_or_default().trim().to_owned();
        let inline = matches!(name, "textEntryInteraction" | "inlineChoiceInteraction");
        if inline {
            rich.raw(&format!("[[{response}]]"));
        }
        let shuffle = flag(element, "shuffle").unwrap_or(false);
        let mut prompt =
            child(element, "prompt").map(|one| content(one, &mut self.body.media)).unwrap_or_default();
        let kind_of = match name {
            "choiceInteraction" => Kind::Choices {
                options: self.all(element, &["simpleChoice"]),
                most: most(element, "maxChoices", 1),
                shuffle,
            },
            "inlineChoiceInteraction" => {
                Kind::Choices { options: self.all(element, &["inlineChoice"]), most: Some(1), shuffle }
            }
            "hottextInteraction" => {
                let mut inner = RichText::new();
                xml_into(element, &mut inner, &mut |one, rich| match kind(one).as_str() {
                    "prompt" => true,
                    "hottext" => {
                        let id = attribute(one, "identifier").unwrap_or_default();
                        rich.raw(&format!("[{}]({id})", crate::rich::from_xml(one)));
                        true
                    }
                    _ => false,
                });
                prompt = joined(&prompt, &inner.finish().0);
                Kind::Choices {
                    options: self.all(element, &["hottext"]),
                    most: most(element, "maxChoices", 1),
                    shuffle: false,
                }
            }
            "hotspotInteraction" => {
                self.picture(element);
                Kind::Choices {
                    options: self.all(element, &["hotspotChoice"]),
                    most: most(element, "maxChoices", 1),
                    shuffle: false,
                }
            }
            "textEntryInteraction" | "extendedTextInteraction" => {
                if attribute(element, "patternMask").is_some() {
                    let message = "the pattern that inputs must have is not asked for";
                    self.body.losses.push(Loss::display(
                        element.place(),
                        "pattern-mask",
                        message,
                        "state in the prompt what to type",
                    ));
                }
                Kind::Entry
            }
            "uploadInteraction" | "drawingInteraction" => {
                self.body.losses.push(Loss::display(
                    element.place(),
                    "file-answer",
                    "the source system asks for a file; Fablegrade asks for a text or the address of a file",
                    "take files on your page",
                ));
                Kind::Entry
            }
            "sliderInteraction" => {
                let message = "the slider is a field to type into";
                self.body.losses.push(Loss::display(
                    element.place(),
                    "slider",
                    message,
                    "show a slider on your page",
                ));
                Kind::Entry
            }
            "orderInteraction" | "graphicOrderInteraction" => {
                if name == "graphicOrderInteraction" {
                    self.picture(element);
                }
                let items = self.all(element, &["simpleChoice", "hotspotChoice"]);
                let least =
                    attribute(element, "minChoices").and_then(|text| text.trim().parse::<usize>().ok());
                let most =
                    attribute(element, "maxChoices").and_then(|text| text.trim().parse::<usize>().ok());
                let whole = least.is_none_or(|least| {
                    least >= items.len() || least == 0 && most.is_none_or(|most| most == 0)
                });
                Kind::Order { items, whole }
            }
            "matchInteraction" => {
                let mut sets = children(element, "simpleMatchSet");
                let (first, second) = (sets.next(), sets.next());
                let each = |set: Option<Element<'_>>| {
                    let all = set.into_iter().flat_map(Element::elements);
                    let bounds: Vec<Option<usize>> = all.map(|one| most(one, "matchMax", 1)).collect();
                    if bounds.iter().any(Option::is_none) { None } else { bounds.into_iter().flatten().max() }
                };
                Kind::Pairs {
                    left_most: each(first),
                    right_most: each(second),
                    left: first.map(|set| self.all(set, &["simpleAssociableChoice"])).unwrap_or_default(),
                    right: second.map(|set| self.all(set, &["simpleAssociableChoice"])).unwrap_or_default(),
                    reversed: false,
                }
            }
            "gapMatchInteraction" | "graphicGapMatchInteraction" => {
                if name == "graphicGapMatchInteraction" {
                    self.picture(element);
                } else {
                    let mut inner = RichText::new();
                    xml_into(element, &mut inner, &mut |one, rich| match kind(one).as_str() {
                        "prompt" | "gapText" | "gapImg" => true,
                        "gap" => {
                            rich.raw(&format!("[[{}]]", attribute(one, "identifier").unwrap_or_default()));
                            true
                        }
                        _ => false,
                    });
                    prompt = joined(&prompt, &inner.finish().0);
                }
                // A gap has one filler, but a filler can be in several gaps, so gaps are the left side.
                let mut left = self.all(element, &["gap", "associableHotspot"]);
                for gap in &mut left {
                    if name == "gapMatchInteraction" {
                        gap.content = format!("[[{}]]", gap.id);
                    }
                }
                let mut fillers =
                    element.elements().filter(|one| matches!(kind(*one).as_str(), "gapText" | "gapImg"));
                let many = fillers.any(|one| most(one, "matchMax", 1) != Some(1));
                let hotspots = element.elements().filter(|one| kind(*one) == "associableHotspot");
                let bounds: Vec<Option<usize>> = hotspots.map(|one| most(one, "matchMax", 1)).collect();
                let left_most = if bounds.iter().any(Option::is_none) {
                    None
                } else {
                    Some(bounds.into_iter().flatten().max().unwrap_or(1))
                };
                Kind::Pairs {
                    left,
                    right: self.all(element, &["gapText", "gapImg"]),
                    left_most,
                    right_most: if many { None } else { Some(1) },
                    reversed: true,
                }
            }
            "associateInteraction" | "graphicAssociateInteraction" => {
                if name == "graphicAssociateInteraction" {
                    self.picture(element);
                }
                let items = self.all(element, &["simpleAssociableChoice", "associableHotspot"]);
                Kind::Associations { items, most: most(element, "maxAssociations", 1) }
            }
            "mediaInteraction" | "endAttemptInteraction" => {
                let message = format!("`{name}` is left out: it earns nothing");
                self.body.losses.push(Loss::display(
                    element.place(),
                    "scoreless-interaction",
                    message,
                    "provide it on your page",
                ));
                Kind::Scoreless
            }
            _ => Kind::Unknown,
        };
        if !inline && element.parent().is_some() {
            self.pictures_of(element);
        }
        self.body.interactions.push(Found {
            response,
            element: name.to_owned(),
            kind: kind_of,
            prompt,
            place: if self.body.interactions.len() < 200 {
                element.place()
            } else {
                Place::new(String::new(), element.line())
            },
        });
    }

    /// Reports that the areas of a picture become options with text.
    fn picture(&mut self, element: Element<'_>) {
        let message = "areas of a picture become options with their shape as text";
        self.body.losses.push(Loss::display(
            element.place(),
            "picture-areas",
            message,
            "show the picture on your page",
        ));
    }

    fn pictures_of(&mut self, element: Element<'_>) {
        let pictures =
            element.elements().filter(|one| matches!(kind(*one).as_str(), "object" | "img" | "picture"));
        for picture in pictures {
            if let Some(href) = attribute(picture, "data").or_else(|| attribute(picture, "src")) {
                self.body.media.push(Media { href: href.to_owned(), file: None });
            }
        }
    }
}
