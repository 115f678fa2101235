//! Size limits for the lines of a bank. Its readers accept lines of at most 8 MiB, so texts that are too long are
//! dropped and reported as losses.

use std::cmp::Reverse;

use super::ChangedId;
use crate::item::Item;
use crate::loss::{Effect, Loss, Place};

/// The maximum total size of the specs of a question as JSON, in bytes.
///
/// Together with the seven kinds of texts below (text, parts, feedback, files, data, losses, ids) and the title, this
/// is less than a line.
pub(super) const SPECS: usize = 4 << 20;
/// The maximum total size of texts of the same kind (such as feedback) as JSON, in bytes.
const TEXTS: usize = 512 << 10;
/// The maximum size of the identifiers of a question and of all its parts as JSON, in bytes.
const IDS: usize = 64 << 10;
/// The maximum size of a title as JSON, in bytes.
const TITLE: usize = 64 << 10;
/// The size of an entry of a list without its texts as JSON, or more.
pub(super) const ENTRY: usize = 64;
/// The maximum number of losses of a question.
const LOSSES: usize = 1_000;
/// The maximum size of each text of a loss as JSON, in bytes.
const LOSS_TEXT: usize = 4 << 10;

/// Returns an upper bound for the size of a text as JSON without its quotation marks, in bytes.
fn length(text: &str) -> usize {
    text.bytes().map(|byte| if byte < b' ' { 6 } else { 1 + usize::from(matches!(byte, b'"' | b'\\')) }).sum()
}

/// Returns the message about something that is too long for a line.
fn limit(what: &str, most: usize) -> String {
    format!("{what} more than {} KiB of a line of a bank", most >> 10)
}

/// Removes texts that are too long for a line, and reports each kind as a loss.
pub(super) fn shorten(item: &mut Item) {
    let place = item.place.clone();
    let mut lost = Vec::new();
    let mut longer_than = |most: usize, what: &str, bytes: usize| {
        let over = bytes > most;
        if over {
            lost.push(Loss::display(
                place.clone(),
                "too-long",
                limit(what, most),
                "shorten it; refer to pictures by files",
            ));
        }
        over
    };
    if longer_than(TITLE, "the title takes", length(&item.title)) {
        item.title.clear();
    }
    let mut too_long = |what: &str, bytes: usize| longer_than(TEXTS, what, bytes);
    if too_long("the text takes", length(&item.prompt)) {
        item.prompt.clear();
    }
    if too_long("the text of the parts takes", item.parts.iter().map(|part| length(&part.prompt)).sum()) {
        item.parts.iter_mut().for_each(|part| part.prompt.clear());
    }
    if too_long(
        "the feedback takes",
        item.feedback.iter().map(|one| length(&one.when) + length(&one.content) + ENTRY).sum(),
    ) {
        item.feedback.clear();
    }
    if too_long("the list of files takes", item.media.iter().map(|one| length(&one.href) * 2 + ENTRY).sum()) {
        item.media.clear();
    }
    if too_long(
        "the data about the question takes",
        item.metadata.iter().map(|(name, value)| length(name) + length(value) + ENTRY).sum(),
    ) {
        item.metadata.clear();
    }
    item.losses.extend(lost);
}

/// Shortens an item's identifier if it is too long for a line. Removes all parts if their identifiers together are too
/// long. Both are reported as losses.
pub(super) fn shorten_ids(item: &mut Item) {
    let lost = |message: String| {
        let help = "use shorter identifiers";
        Loss::score(item.place.clone(), "too-long", message, help)
    };
    let parts = item.parts.iter().map(|part| length(&part.id)).sum::<usize>() > IDS;
    let own = length(&item.id) > IDS;
    let mut losses = Vec::new();
    if parts {
        losses.push(lost(limit("the identifiers of the parts take", IDS)));
        item.parts.clear();
    }
    if own {
        losses.push(Loss { effect: Effect::Metadata, ..lost(limit("the identifier takes", IDS)) });
        cut(&mut item.id, IDS);
    }
    item.losses.extend(losses);
}

/// Cuts a text to a maximum size as JSON.
fn cut(text: &mut String, most: usize) {
    let mut size = 0;
    let end = text.char_indices().find(|(_, c)| {
        size += length(c.encode_utf8(&mut [0; 4]));
        size > most
    });
    if let Some((end, _)) = end {
        text.truncate(end);
        text.push('…');
    }
}

/// The changed identifiers of a question.
pub(super) struct Changed {
    ids: Vec<ChangedId>,
    /// The size that they can still have as JSON; `None` if they are too long for a line.
    left: Option<usize>,
}

impl Changed {
    pub(super) fn new() -> Self {
        Self { ids: Vec::new(), left: Some(TEXTS) }
    }

    /// Adds an identifier of a part and its id.
    pub(super) fn add(&mut self, part: &str, from: &str, to: &str) {
        let size = length(part) + length(from) + length(to) + ENTRY;
        self.left = self.left.and_then(|left| left.checked_sub(size));
        if self.left.is_some() {
            self.ids.push(ChangedId { part: part.to_owned(), from: from.to_owned(), to: to.to_owned() });
        }
    }

    /// Returns the list, or nothing and a loss if it is too long for a line.
    pub(super) fn list(self, place: &Place, losses: &mut Vec<Loss>) -> Vec<ChangedId> {
        if self.left.is_some() {
            return self.ids;
        }
        let message = limit("the list of changed identifiers takes", TEXTS);
        losses.push(Loss::metadata(place.clone(), "too-long", message, "use shorter identifiers"));
        Vec::new()
    }
}

/// Keeps the most important losses and replaces the others with their number. Long texts of losses are cut.
pub(super) fn fewer(losses: &mut Vec<Loss>) {
    for loss in losses.iter_mut() {
        for text in [&mut loss.place.path, &mut loss.message, &mut loss.suggestion] {
            cut(text, LOSS_TEXT);
        }
    }
    let fitting = |losses: &[Loss]| {
        let mut left = TEXTS;
        let fits = |loss: &&Loss| {
            let texts = [&loss.place.path, &loss.message, &loss.suggestion];
            let size = texts.into_iter().map(|text| length(text)).sum::<usize>() + 2 * ENTRY;
            left.checked_sub(size).map(|rest| left = rest).is_some()
        };
        losses.iter().take(LOSSES).take_while(fits).count()
    };
    if fitting(losses) == losses.len() {
        return;
    }
    losses.sort_by_key(|loss| Reverse(loss.effect));
    let kept = fitting(losses);
    let more = losses.len() - kept;
    let first_left_out = losses[kept].clone();
    losses.truncate(kept);
    losses.push(Loss {
        rule: "more-losses",
        message: format!("{more} more losses are not listed"),
        suggestion: "divide the question".into(),
        ..first_left_out
    });
}
