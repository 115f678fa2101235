//! Matching questions of Blackboard: the right side is a separate block, and the key names positions in it.

use std::collections::BTreeMap;

use crate::item::{Choosable, Item, Part};
use crate::loss::Loss;
use crate::xml::Element;

/// Adds a matching part if the item has both blocks, and returns whether it did.
pub(super) fn matching(element: Element<'_>, item: &mut Item) -> bool {
    let block = |name: &str| element.descendants().find(|one| one.attribute("class") == Some(name));
    let (Some(asked), Some(offered)) = (block("RESPONSE_BLOCK"), block("RIGHT_MATCH_BLOCK")) else {
        return false;
    };
    let right: Vec<Choosable> = offered
        .named("flow")
        .enumerate()
        .map(|(at, flow)| Choosable { id: format!("r{}", at + 1), content: super::text_of(flow) })
        .collect();
    // The first test of each response.
    let mut tests: BTreeMap<&str, Element<'_>> = BTreeMap::new();
    for test in element.descendants().filter(|one| one.name() == "varequal") {
        tests.entry(test.attribute("respident").unwrap_or_default()).or_insert(test);
    }
    let mut left = Vec::new();
    let mut partners = Vec::new();
    for flow in asked.named("flow") {
        let Some(response) = flow.find("response_lid") else { continue };
        let id = response.attribute("ident").unwrap_or_default().to_owned();
        let labels = response.descendants().filter(|one| one.name() == "response_label");
        let key = tests.get(id.as_str()).map(|test| test.trimmed().into_owned()).unwrap_or_default();
        let place = labels.into_iter().position(|label| label.attribute("ident") == Some(&key));
        if let Some(partner) = place.and_then(|at| right.get(at)) {
            partners.push((id.clone(), partner.id.clone()));
        }
        left.push(Choosable { id, content: super::text_of(flow) });
    }
    if left.is_empty() || right.is_empty() {
        return false;
    }
    item.parts.push(Part::new(
        "matching",
        super::uniform_matching(left, right, partners, crate::item::MatchRule::Sum),
        asked.place(),
    ));
    item.losses.push(Loss::metadata(
        asked.place(),
        "pair-shares",
        "the file does not say what a pair earns; each earns the same share, as in Blackboard",
        "check the scores of partly right answers",
    ));
    // The text next to a response is the left side, so the prompt is only the text of the question block.
    if let Some(question) = block("QUESTION_BLOCK") {
        item.prompt = super::text_of(question);
    }
    true
}
