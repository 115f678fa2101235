//! Rules for `matching`.

use std::collections::BTreeSet;

use fablegrade_public::content::comparable_text;
use fablegrade_public::identifier::ItemId;
use fablegrade_public::view::ordering::ItemView;
use fablegrade_public::{Finding, Findings, Ratio};

use super::content::{comparable, is_blank};
use super::equality::{Quantity, calculation, equal_pairs, quantity, same};
use super::{giveaways, key_mutation, position_words};
use crate::answer::matching::{MatchingSpec, Ready};
use crate::answer::two_places;

/// Applies the rules to the at most 24 items.
pub(super) fn lint(spec: &MatchingSpec, ready: Option<&Ready>, findings: &mut Findings) {
    let chance = spec.chance_level();
    let guessable = spec.partial_credit && chance > Ratio::new(1, 4);
    if guessable {
        let message = format!("pairing at random earns {} on average", two_places(&chance));
        let help = "add distractors on the right";
        // With two classes, the chance is always about one half.
        let sorted = spec.allow_many_to_one && spec.right.len() == 2 && spec.left.len() > 2;
        findings.push(if chance >= Ratio::new(1, 2) && !sorted {
            Finding::warning("guessable-matching", "/right", message, help)
        } else {
            Finding::info("guessable-matching", "/right", message, help)
        });
    }
    let pairs = spec.correct_pairs.expose();
    let ids: Vec<(&str, &str)> = pairs.iter().map(|pair| (pair.left.as_str(), pair.right.as_str())).collect();
    giveaways::pair_ids(&ids, findings);
    same_items(&spec.left, "/left", "learners cannot tell them apart", findings);
    same_items(&spec.right, "/right", "learners cannot tell them apart", findings);
    equal_items(&spec.left, "/left", "a learner who takes it for this one loses credit", findings);
    equal_items(&spec.right, "/right", "a learner who chooses it instead loses credit", findings);
    if spec.allow_many_to_one {
        let used: BTreeSet<&str> = ids.iter().map(|(_, right)| *right).collect();
        if used.len() == ids.len() {
            findings.push(Finding::info(
                "many-to-one-unneeded",
                "/allowManyToOne",
                "no item on the right is the partner of several",
                "keep it to prevent answers by elimination",
            ));
        }
        // With fewer than four pairs, one common partner can be the point of the question.
        let many = pairs.len() >= 4;
        let earned = ready.filter(|_| many).map(|ready| key_mutation::one_partner(spec, ready));
        if let Some(earned) = earned.filter(|earned| *earned >= Ratio::new(3, 4)) {
            findings.push(Finding::warning(
                "one-partner-pays",
                "/correctPairs",
                format!("pairing everything with one and the same item earns {}", two_places(&earned)),
                "let more items have other partners",
            ));
        }
    } else if !guessable && pairs.len() == spec.left.len() && spec.left.len() == spec.right.len() {
        findings.push(Finding::info(
            "last-pair-by-elimination",
            "/right",
            "every item on the right is used once, so the last pair needs no knowledge",
            "add a distractor on the right",
        ));
    }
    shared_words(spec, findings);
    same_labels(spec, findings);
    unequal_partners(spec, findings);
}

/// Returns the places of the items of each pair.
fn places(spec: &MatchingSpec) -> Vec<(usize, usize)> {
    let place = |items: &[ItemView], id: &ItemId| items.iter().position(|item| item.id == *id);
    let pairs = spec.correct_pairs.expose().iter();
    pairs
        .filter_map(|pair| Some((place(&spec.left, &pair.left)?, place(&spec.right, &pair.right)?)))
        .collect()
}

/// Reports partners that carry the same label: `1. France` and `1. Paris`.
fn same_labels(spec: &MatchingSpec, findings: &mut Findings) {
    let labels = |items: &[ItemView]| {
        let texts: Vec<String> = items.iter().map(|item| item.content.visible_text()).collect();
        position_words::labels(&texts)
    };
    let (left, right) = (labels(&spec.left), labels(&spec.right));
    let pairs = places(spec);
    let told = |&(a, b): &(usize, usize)| left[a].is_some() && left[a] == right[b];
    let distinct: BTreeSet<u32> = left.iter().copied().flatten().collect();
    if pairs.len() >= 2 && distinct.len() == left.len() && pairs.iter().all(told) {
        findings.push(Finding::warning(
            "partners-share-words",
            "/correctPairs",
            "partners carry the same number or letter",
            "remove the labels",
        ));
    }
}

/// Reports pairs of a question about equal values that are not equal, while the equal item is there.
fn unequal_partners(spec: &MatchingSpec, findings: &mut Findings) {
    let read = |items: &[ItemView]| -> Vec<(Option<Quantity>, String)> {
        let value = |item: &ItemView| quantity(&item.content).or_else(|| calculation(&item.content));
        items.iter().map(|item| (value(item), comparable(&item.content))).collect()
    };
    let (left, right) = (read(&spec.left), read(&spec.right));
    // An item beside its own text shows nothing: in other questions too, such as one about squares, 1 belongs to 1.
    let equal = |a: usize, b: usize| {
        left[a].1 != right[b].1
            && left[a].0.as_ref().zip(right[b].0.as_ref()).is_some_and(|(a, b)| same(a, b).is_some())
    };
    let (mut shown, mut wrong) = (0, Vec::new());
    for (a, b) in places(spec) {
        if left[a].1 == right[b].1 {
            continue;
        }
        if equal(a, b) {
            shown += 1;
        } else if (0..right.len()).any(|other| other != b && equal(a, other)) {
            wrong.push(a);
        } else {
            // Another relation, or one that cannot be shown.
            return;
        }
    }
    let few = wrong.len() == 1 || wrong.len() < shown;
    if shown > 0
        && few
        && let Some(first) = wrong.first()
    {
        findings.push(Finding::warning(
            "unequal-partners",
            format!("/left/{first}/content"),
            "the partner has another value, while an item with the same value is on the right",
            "correct the pair",
        ));
    }
}

/// Reports items with the same text.
pub(super) fn same_items(items: &[ItemView], pointer: &str, effect: &str, findings: &mut Findings) {
    let texts: Vec<String> = items.iter().map(|item| comparable(&item.content)).collect();
    let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    // Blanks around the text in the document: items that differ only in these and in case are accidental
    // duplicates.
    let blanks = |at: usize| items[at].content.as_json().as_str().is_some_and(|text| text.trim() != text);
    let mut places = super::Places::default();
    for at in 1..items.len() {
        let twin = |first: usize| {
            texts[first] == texts[at] || (lower[first] == lower[at] && (blanks(first) || blanks(at)))
        };
        // Blank items have their own finding.
        if !is_blank(&items[at].content) && (0..at).any(twin) {
            places.add(|| format!("{pointer}/{at}/content"));
        }
    }
    if let Some((pointer, message)) = places.tell(&format!("an earlier item says the same, so {effect}")) {
        findings.push(Finding::warning("same-item-twice", pointer, message, "change one of the two"));
    }
}

fn equal_items(items: &[ItemView], pointer: &str, effect: &str, findings: &mut Findings) {
    let quantities: Vec<Option<Quantity>> = items.iter().map(|item| quantity(&item.content)).collect();
    for pair in equal_pairs(&quantities) {
        let texts = [pair.first, pair.second].map(|at| comparable(&items[at].content));
        if texts[0] == texts[1] {
            continue;
        }
        let place = format!("{pointer}/{}/content", pair.second);
        if pair.zeros_only {
            let message = format!("an earlier item has the same value ({})", pair.evidence);
            findings.push(Finding::info(
                "equal-forms",
                place,
                message,
                "keep it if the question asks for a form",
            ));
        } else {
            let message = format!("an earlier item has the same value ({}), so {effect}", pair.evidence);
            findings.push(Finding::warning("equal-items", place, message, "change one of the two"));
        }
    }
}

/// Reports partners that share a word that no other item has: learners can match words without knowledge.
fn shared_words(spec: &MatchingSpec, findings: &mut Findings) {
    let words = |items: &[ItemView]| -> Vec<BTreeSet<String>> {
        items
            .iter()
            .map(|item| {
                let has_math = item.content.has_math();
                let text = comparable_text(&item.content.visible_text()).to_lowercase();
                let long = |word: &&str| word.chars().count() >= 5 && word.chars().all(char::is_alphabetic);
                text.split(|c: char| !c.is_alphanumeric())
                    .filter(|_| !has_math)
                    .filter(long)
                    .map(str::to_owned)
                    .collect()
            })
            .collect()
    };
    let (left, right) = (words(&spec.left), words(&spec.right));
    let once = |word: &str, sides: &[BTreeSet<String>]| {
        sides.iter().filter(|words| words.contains(word)).count() == 1
    };
    let telling = spec
        .correct_pairs
        .expose()
        .iter()
        .filter(|pair| {
            let a = spec.left.iter().position(|item| item.id == pair.left);
            let b = spec.right.iter().position(|item| item.id == pair.right);
            let (Some(a), Some(b)) = (a, b) else { return false };
            left[a].intersection(&right[b]).any(|word| once(word, &left) && once(word, &right))
        })
        .count();
    if telling >= 2 {
        findings.push(Finding::warning(
            "partners-share-words",
            "/correctPairs",
            format!("{telling} pairs share a word that no other item has"),
            "say it in other words on one side",
        ));
    }
}
