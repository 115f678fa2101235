//! Size limits for the lines of a bank. Its readers accept lines of at most 8 MiB, so texts that are too long are
//! dropped and reported as losses.

use std::cmp::Reverse;

use crate::item::Item;
use crate::loss::Loss;

/// The maximum size of a spec as JSON, in bytes.
pub(super) const SPEC: usize = 5 << 20;
/// The maximum total size of texts of the same kind (such as feedback) as JSON, in bytes.
const TEXTS: usize = 512 << 10;
/// The maximum number of losses of a question.
const LOSSES: usize = 1_000;

/// Returns an upper bound for the size of a text as JSON without its quotation marks, in bytes.
fn length(text: &str) -> usize {
    text.bytes().map(|byte| if byte < b' ' { 6 } else { 1 + usize::from(matches!(byte, b'"' | b'\\')) }).sum()
}

/// Removes texts that are too long for a line, and reports each kind as a loss.
pub(super) fn shorten(item: &mut Item) {
    let place = item.place.clone();
    let mut lost = Vec::new();
    let mut too_long = |what: &str, bytes: usize| {
        let over = bytes > TEXTS;
        if over {
            let message =
                format!("{what} as JSON has more than {} KiB, the limit of a line of a bank", TEXTS >> 10);
            lost.push(Loss::display(
                place.clone(),
                "too-long",
                message,
                "shorten it; refer to pictures by files",
            ));
        }
        over
    };
    if too_long("the title", length(&item.title)) {
        item.title.clear();
    }
    if too_long("the text", length(&item.prompt)) {
        item.prompt.clear();
    }
    if too_long("the text of the parts", item.parts.iter().map(|part| length(&part.prompt)).sum()) {
        item.parts.iter_mut().for_each(|part| part.prompt.clear());
    }
    if too_long(
        "the feedback",
        item.feedback.iter().map(|one| length(&one.when) + length(&one.content)).sum(),
    ) {
        item.feedback.clear();
    }
    if too_long("the list of files", item.media.iter().map(|one| length(&one.href) * 2).sum()) {
        item.media.clear();
    }
    if too_long(
        "the data about the question",
        item.metadata.iter().map(|(name, value)| length(name) + length(value)).sum(),
    ) {
        item.metadata.clear();
    }
    item.losses.extend(lost);
}

/// Keeps the most important losses and replaces the others with their number.
pub(super) fn fewer(losses: &mut Vec<Loss>) {
    if losses.len() <= LOSSES {
        return;
    }
    let more = losses.len() - LOSSES;
    losses.sort_by_key(|loss| Reverse(loss.effect));
    let first_left_out = losses[LOSSES].clone();
    losses.truncate(LOSSES);
    losses.push(Loss {
        rule: "more-losses",
        message: format!("{more} more losses are not listed"),
        suggestion: "divide the question".into(),
        ..first_left_out
    });
}
