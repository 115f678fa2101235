//! Answers as Moodle and Canvas write them into one cell: texts of choices, of pairs, of several blanks.
//!
//! The texts are matched with the contents of the imported question.

use std::collections::HashMap;

use super::Dialect;
use crate::compile::{Response, Responses};
use crate::item::{Choosable, Interaction, Item, Match, Part};

/// Returns the letters, digits and mathematical signs of a text in lower case.
///
/// So emphasis in Markdown and delimiters of formulas make no difference.
pub(super) fn key(text: &str) -> String {
    let sign = |c: char| matches!(c, '+' | '-' | '=' | '<' | '>' | '/' | '^' | '.' | ',' | '%');
    text.chars().filter(|c| c.is_alphanumeric() || sign(*c)).flat_map(char::to_lowercase).collect()
}

/// The choices or items of a part, by their texts.
struct Names<'t> {
    exact: HashMap<&'t str, Vec<(&'t str, &'t str)>>,
    keys: HashMap<String, Vec<(&'t str, &'t str)>>,
    joins: Joins,
}

/// The limits of an entry that is joined from several pieces of a list.
#[derive(Default)]
struct Joins {
    /// The greatest number of separators in a text.
    separators: usize,
    /// The greatest length of a key, in bytes.
    key: usize,
}

impl<'t> Names<'t> {
    /// Creates an index of ids and contents.
    fn new(choosables: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let mut names = Self { exact: HashMap::new(), keys: HashMap::new(), joins: Joins::default() };
        for (id, content) in choosables {
            let key = key(content);
            names.joins.separators = names.joins.separators.max(content.matches(';').count());
            names.joins.key = names.joins.key.max(key.len());
            names.exact.entry(content.trim()).or_default().push((id, content));
            names.keys.entry(key).or_default().push((id, content));
        }
        names
    }

    /// Returns the ids and contents with this text. Markup and case are ignored if no text is equal.
    fn all(&self, text: &str) -> &[(&'t str, &'t str)] {
        let text = text.trim();
        self.exact.get(text).map_or_else(
            || {
                let key = key(text);
                self.keys.get(&key).filter(|_| !key.is_empty()).map_or(&[][..], Vec::as_slice)
            },
            Vec::as_slice,
        )
    }

    /// Returns the id and the content of the only choice or item with this text.
    fn find(&self, text: &str) -> Result<(&'t str, &'t str), Unread> {
        match self.all(text) {
            [one] => Ok(*one),
            [] => Err(Unread::Unknown(format!("`{}` is not one of the choices", short(text.trim())))),
            _ => Err(Unread::Several(format!("several choices have the text `{}`", short(text.trim())))),
        }
    }
}

/// The reason why a text is not an entry.
#[derive(Debug, PartialEq)]
enum Unread {
    /// It means nothing.
    Unknown(String),
    /// It means several things.
    Several(String),
}

/// An entry, and whether its text in the question contains the separator of lists.
type Entry<T> = Result<(T, bool), Unread>;

impl From<Unread> for String {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Unknown(reason) | Unread::Several(reason) => reason,
        }
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// The maximum number of pieces of a list in a cell.
const MAX_PIECES: usize = 200;

/// The maximum total length of the entries that are tried, as a multiple of the length of the cell.
const MAX_TRIED: usize = 128;

/// Returns the ids of the choices or items in a list of texts. A text can contain the separator.
fn list<'t>(text: &str, dialect: Dialect, names: &Names<'t>) -> Result<Vec<&'t str>, String> {
    divided(text, dialect, &names.joins, &|text| {
        let (id, content) = names.find(text)?;
        Ok((id, content.contains(';')))
    })
}

/// Divides a list into entries. Moodle does not mark separators inside an entry. Only an entry
/// whose text in the question contains the separator is joined from several pieces.
///
/// # Errors
/// There is no way to divide the list, or there are several, or too many to try.
fn divided<T>(
    text: &str,
    dialect: Dialect,
    joins: &Joins,
    read: &dyn Fn(&str) -> Entry<T>,
) -> Result<Vec<T>, String> {
    let (pieces, longest) = match dialect {
        Dialect::Moodle => (text.split("; ").map(str::to_owned).collect(), 1 + joins.separators),
        Dialect::Canvas => (at_commas(text), 1),
    };
    if pieces.len() > MAX_PIECES {
        return Err(format!("the list has more than {MAX_PIECES} entries"));
    }
    let key_lengths: Vec<usize> = pieces.iter().map(|piece| key(piece).len()).collect();
    let (mut tried, most_tried) = (0, text.len() * MAX_TRIED);
    // For each piece, the entry that begins with it and the place after it, if the rest of the list can be read too.
    let mut entries: Vec<Option<(Result<T, String>, usize)>> = pieces.iter().map(|_| None).collect();
    for at in (0..pieces.len()).rev() {
        // Separators are not part of a key.
        let mut key_length = 0;
        for end in at + 1..=pieces.len().min(at + longest) {
            key_length += key_lengths[end - 1];
            if end > at + 1 && key_length > joins.key {
                break;
            }
            if entries.get(end).is_some_and(Option::is_none) {
                continue;
            }
            let text = pieces[at..end].join("; ");
            tried += text.len();
            if tried > most_tried {
                return Err(format!("`{}` can be divided in too many ways", short(&text)));
            }
            let entry = match read(&text) {
                Ok((_, false)) if end > at + 1 => continue,
                Ok((entry, _)) if entries[at].is_none() => Ok(entry),
                Ok(_) => Err(format!("`{}` can be divided in several ways", short(&text))),
                Err(Unread::Several(reason)) => Err(reason),
                Err(Unread::Unknown(_)) => continue,
            };
            entries[at] = Some((entry, end));
        }
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        match entries[at].take() {
            Some((entry, end)) => {
                found.push(entry?);
                at = end;
            }
            None => {
                // The first entry that is unknown, or else the whole list.
                let unread = pieces.iter().find_map(|piece| read(piece).err());
                return Err(unread.map_or_else(|| format!("`{}` cannot be read", short(text)), String::from));
            }
        }
    }
    Ok(found)
}

/// Returns the pieces between commas; `\,` is a literal comma.
fn at_commas(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, pieces.last_mut()) {
            ('\\', Some(piece)) if chars.peek() == Some(&',') => {
                chars.next();
                piece.push(',');
            }
            (',', _) => pieces.push(String::new()),
            (c, Some(piece)) => piece.push(c),
            (_, None) => {}
        }
    }
    pieces
}

fn names(choosables: &[Choosable]) -> Names<'_> {
    Names::new(choosables.iter().map(|one| (one.id.as_str(), one.content.as_str())))
}

/// Returns the answers to the gaps, in order, from `{word} {word}`; `None` for any other text.
fn gaps(text: &str) -> Option<Vec<&str>> {
    let mut rest = text.trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (inside, after) = rest.strip_prefix('{')?.split_once('}')?;
        found.push(inside.trim());
        rest = after.trim_start();
    }
    Some(found)
}

fn pairs(text: &str, dialect: Dialect, matching: &Match) -> Result<Response, String> {
    let (left, right) = (names(&matching.left), names(&matching.right));
    if let Some(words) = gaps(text).filter(|words| words.len() == matching.left.len()) {
        let mut found: Vec<(String, String)> = Vec::new();
        for (gap, word) in matching.left.iter().zip(words).filter(|(_, word)| !word.is_empty()) {
            found.push((gap.id.clone(), right.find(word)?.0.to_owned()));
        }
        return Ok(some_pairs(found));
    }
    let arrow = match dialect {
        Dialect::Moodle => " -> ",
        Dialect::Canvas => "=>",
    };
    let joins = Joins {
        separators: left.joins.separators + right.joins.separators,
        key: left.joins.key + key(arrow).len() + right.joins.key,
    };
    let found = divided(text, dialect, &joins, &|text| {
        let text = text.replace("\\=>", "\u{1}");
        let (a, b) = text
            .split_once(arrow)
            .ok_or_else(|| Unread::Unknown(format!("`{}` is not a pair", short(&text))))?;
        let [a, b] = [a, b].map(|side| side.replace('\u{1}', "=>"));
        let (a, a_content) = left.find(&a)?;
        if b.trim().is_empty() {
            return Ok((None, a_content.contains(';')));
        }
        let (b, b_content) = right.find(&b)?;
        let pair = (a.to_owned(), b.to_owned());
        Ok((Some(pair), a_content.contains(';') || b_content.contains(';')))
    })?;
    Ok(some_pairs(found.into_iter().flatten().collect()))
}

fn some_pairs(found: Vec<(String, String)>) -> Response {
    if found.is_empty() { Response::None } else { Response::Pairs(found) }
}

/// Returns the answer to one part.
fn answer(text: &str, dialect: Dialect, part: &Part) -> Result<Response, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Response::None);
    }
    Ok(match &part.interaction {
        Interaction::Choice(choice) => {
            let options =
                Names::new(choice.options.iter().map(|one| (one.id.as_str(), one.content.as_str())));
            if choice.most == Some(1) {
                Response::One(options.find(text)?.0.to_owned())
            } else {
                Response::Many(list(text, dialect, &options)?.into_iter().map(str::to_owned).collect())
            }
        }
        Interaction::Order(order) => Response::Many(
            list(text, dialect, &names(&order.items))?.into_iter().map(str::to_owned).collect(),
        ),
        Interaction::Match(matching) => pairs(text, dialect, matching)?,
        Interaction::Formula(_) => Response::One(
            crate::moodle::latex_of(text)
                .ok_or_else(|| format!("`{}` is not a formula that can be read", short(text)))?,
        ),
        Interaction::Text(_)
        | Interaction::Number(_)
        | Interaction::Prose(_)
        | Interaction::Program(_)
        | Interaction::Anything => Response::One(text.to_owned()),
    })
}

/// Returns the answers of a summary that names its parts, each with the index of its part.
///
/// Examples are `part 1: Paris; part 2: Rome` and `ans1: x+1 [score]; prt1: ...`.
fn by_part<'t>(text: &'t str, item: &Item) -> Option<Vec<(usize, &'t str)>> {
    let stack = item.parts.iter().any(|part| text.contains(&format!("{}: ", part.id)) && text.contains(" ["));
    let mut starts: Vec<(usize, usize, Option<usize>)> = Vec::new();
    let mut at = 0;
    for piece in text.split_inclusive("; ") {
        let (label, _) = piece.split_once(':')?;
        let index = match label.trim().strip_prefix("part ") {
            Some(number) => {
                number.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < item.parts.len())
            }
            // The answer to a single part, such as `1:50000`, has no label.
            None if item.parts.len() == 1 && !stack => None,
            None => item.parts.iter().position(|part| part.id == label.trim()),
        };
        if index.is_some() || stack {
            starts.push((at, at + label.len() + 1, index));
        } else if starts.is_empty() {
            return None;
        }
        at += piece.len();
    }
    let mut found = Vec::new();
    for (place, (_, from, index)) in starts.iter().enumerate() {
        let end = starts.get(place + 1).map_or(text.len(), |next| next.0);
        let Some(index) = index else { continue };
        let mut value = text.get(*from..end)?.trim().trim_end_matches(';').trim();
        if stack && let Some((before, state)) = value.rsplit_once(" [") {
            value = if state.starts_with("invalid") { "" } else { before.trim() };
        }
        found.push((*index, value));
    }
    Some(found)
}

/// Returns the responses of a cell, with the identifiers of the item.
pub(super) fn responses(text: &str, dialect: Dialect, item: &Item) -> Result<Responses, String> {
    let text = text.trim();
    let mut all = Responses::new();
    if text.is_empty() {
        return Ok(all);
    }
    let labelled = by_part(text, item).filter(|found| !found.is_empty());
    let pieces: Vec<(usize, &str)> = match (item.parts.as_slice(), labelled) {
        (_, Some(found)) => found,
        ([_], None) => vec![(0, text)],
        (parts, None) => match (dialect, gaps(text)) {
            (Dialect::Moodle, Some(words)) if words.len() == parts.len() => {
                words.into_iter().enumerate().collect()
            }
            (Dialect::Canvas, _) => {
                let pieces = at_commas(text);
                if pieces.len() != parts.len() {
                    return Err(format!("{} answers for {} blanks", pieces.len(), parts.len()));
                }
                for (part, piece) in parts.iter().zip(&pieces) {
                    all.insert(part.id.clone(), answer(piece, dialect, part)?);
                }
                return Ok(all);
            }
            _ => return Err("the cell does not say which part each answer belongs to".to_owned()),
        },
    };
    for (index, text) in pieces {
        let part = &item.parts[index];
        all.insert(part.id.clone(), answer(text, dialect, part)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_without_markup() {
        let names = Names::new([
            ("a", "**Red** planet"),
            ("b", "$x^2$"),
            ("c", "-1"),
            ("d", "1"),
            ("e", "red, planet"),
        ]);
        let found = |text: &str| names.find(text).map(|(id, _)| id).ok();
        assert_eq!(found("Red planet"), Some("a"));
        assert_eq!(found(r"\(x^2\)"), Some("b"));
        assert_eq!(found("-1"), Some("c"));
        assert_eq!(found("1"), Some("d"));
        assert_eq!(found("blue"), None);
        assert_eq!(Names::new([("a", "Same"), ("b", "*same*")]).find("same").ok(), None);
    }

    #[test]
    fn lists_have_their_separators_in_texts_too() {
        let names = Names::new([
            ("a", "one; two"),
            ("b", "three"),
            ("c", "4, 5"),
            ("d", "three; six"),
            ("e", "six; seven"),
            ("f", "eight"),
            ("g", "nine"),
            ("h", "eight; nine"),
            ("i", "45"),
            ("j", "4"),
            ("k", "5"),
            ("l", "*same*"),
            ("m", "Same"),
            ("n", "same; 4"),
        ]);
        for (text, ids) in [
            ("one; two; three", Ok(&["a", "b"][..])),
            ("three; six", Ok(&["d"])),
            ("three; six; seven", Ok(&["b", "e"])),
            ("4; 5", Ok(&["j", "k"])),
            // These can be divided in several ways, match several choices, or match none.
            ("eight; nine", Err("several ways")),
            ("three; eight; nine", Err("several ways")),
            ("same; 4", Err("several")),
            ("one", Err("`one` is not")),
            ("three; one", Err("`one` is not")),
        ] {
            let found = list(text, Dialect::Moodle, &names);
            match (&found, ids) {
                (Ok(found), Ok(ids)) => assert_eq!(found, ids, "{text}"),
                (Err(found), Err(reason)) => assert!(found.contains(reason), "{text}: {found}"),
                _ => panic!("{text}: {found:?}"),
            }
        }
        let long = "!a;".repeat(1_000);
        let many = Names::new([("a", long.as_str()), ("b", "a")]);
        let cell = vec!["a"; 200].join("; ");
        assert!(list(&cell, Dialect::Moodle, &many).is_err_and(|reason| reason.contains("too many ways")));
        assert_eq!(list(r"three,4\, 5", Dialect::Canvas, &names), Ok(vec!["b", "c"]));
        assert_eq!(list("three,4, 5", Dialect::Canvas, &names), Ok(vec!["b", "j", "k"]));
    }
}
