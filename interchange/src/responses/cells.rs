//! Answers as Moodle and Canvas write them into one cell: texts of choices, of pairs, of several blanks.
//!
//! The texts are matched with the contents of the imported question.

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

/// Returns the id of the only choice or item with this text. Markup and case are ignored if no text is equal.
fn named<'t>(text: &str, choosables: &'t [(&'t str, &'t str)]) -> Result<&'t str, String> {
    let text = text.trim();
    let exact: Vec<&str> =
        choosables.iter().filter(|(_, content)| content.trim() == text).map(|(id, _)| *id).collect();
    let wanted = key(text);
    let alike: Vec<&str> = if exact.is_empty() && !wanted.is_empty() {
        choosables.iter().filter(|(_, content)| key(content) == wanted).map(|(id, _)| *id).collect()
    } else {
        exact
    };
    match alike.as_slice() {
        [one] => Ok(one),
        [] => Err(format!("`{}` is not one of the choices", short(text))),
        _ => Err(format!("several choices have the text `{}`", short(text))),
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

/// Returns the ids of the choices or items in a list of texts. A text can contain the separator, so pieces are joined
/// until they are the text of a choice or item.
fn list<'t>(
    text: &str,
    dialect: Dialect,
    choosables: &'t [(&'t str, &'t str)],
) -> Result<Vec<&'t str>, String> {
    let pieces = match dialect {
        Dialect::Moodle => text.split("; ").map(str::to_owned).collect(),
        Dialect::Canvas => at_commas(text),
    };
    if pieces.len() > MAX_PIECES {
        return Err(format!("the list has more than {MAX_PIECES} entries"));
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let joined = (at + 1..=pieces.len())
            .find_map(|end| named(&pieces[at..end].join("; "), choosables).ok().map(|id| (end, id)));
        match joined {
            Some((end, id)) => {
                found.push(id);
                at = end;
            }
            None => return Err(named(&pieces[at], choosables).err().unwrap_or_default()),
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

fn contents(choosables: &[Choosable]) -> Vec<(&str, &str)> {
    choosables.iter().map(|one| (one.id.as_str(), one.content.as_str())).collect()
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
    let (left, right) = (contents(&matching.left), contents(&matching.right));
    let mut found: Vec<(String, String)> = Vec::new();
    if let Some(words) = gaps(text).filter(|words| words.len() == matching.left.len()) {
        for (gap, word) in matching.left.iter().zip(words).filter(|(_, word)| !word.is_empty()) {
            found.push((gap.id.clone(), named(word, &right)?.to_owned()));
        }
        return Ok(some_pairs(found));
    }
    let (pieces, arrow) = match dialect {
        Dialect::Moodle => (text.split("; ").map(str::to_owned).collect::<Vec<_>>(), " -> "),
        Dialect::Canvas => (at_commas(text), "=>"),
    };
    if pieces.len() > MAX_PIECES {
        return Err(format!("the list has more than {MAX_PIECES} entries"));
    }
    let one = |text: &str| -> Result<Option<(String, String)>, String> {
        let text = text.replace("\\=>", "\u{1}");
        let (a, b) = text.split_once(arrow).ok_or_else(|| format!("`{}` is not a pair", short(&text)))?;
        let [a, b] = [a, b].map(|side| side.replace('\u{1}', "=>"));
        if b.trim().is_empty() {
            return named(&a, &left).map(|_| None);
        }
        Ok(Some((named(&a, &left)?.to_owned(), named(&b, &right)?.to_owned())))
    };
    let mut at = 0;
    while at < pieces.len() {
        let joined = (at + 1..=pieces.len())
            .find_map(|end| one(&pieces[at..end].join("; ")).ok().map(|pair| (end, pair)));
        match joined {
            Some((end, pair)) => {
                found.extend(pair);
                at = end;
            }
            None => return Err(one(&pieces[at]).err().unwrap_or_default()),
        }
    }
    Ok(some_pairs(found))
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
            let options: Vec<(&str, &str)> =
                choice.options.iter().map(|one| (one.id.as_str(), one.content.as_str())).collect();
            if choice.most == Some(1) {
                Response::One(named(text, &options)?.to_owned())
            } else {
                Response::Many(list(text, dialect, &options)?.into_iter().map(str::to_owned).collect())
            }
        }
        Interaction::Order(order) => Response::Many(
            list(text, dialect, &contents(&order.items))?.into_iter().map(str::to_owned).collect(),
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
        let choosables =
            [("a", "**Red** planet"), ("b", "$x^2$"), ("c", "-1"), ("d", "1"), ("e", "red, planet")];
        assert_eq!(named("Red planet", &choosables), Ok("a"));
        assert_eq!(named(r"\(x^2\)", &choosables), Ok("b"));
        assert_eq!(named("-1", &choosables), Ok("c"));
        assert_eq!(named("1", &choosables), Ok("d"));
        assert!(named("blue", &choosables).is_err());
        assert!(named("same", &[("a", "Same"), ("b", "*same*")]).is_err());
    }

    #[test]
    fn lists_have_their_separators_in_texts_too() {
        let choosables = [("a", "one; two"), ("b", "three"), ("c", "4, 5")];
        assert_eq!(list("one; two; three", Dialect::Moodle, &choosables), Ok(vec!["a", "b"]));
        assert_eq!(list(r"three,4\, 5", Dialect::Canvas, &choosables), Ok(vec!["b", "c"]));
        assert!(list("one", Dialect::Moodle, &choosables).is_err());
    }
}
