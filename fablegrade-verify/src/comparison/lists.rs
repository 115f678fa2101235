//! Compares answers of several values: lists, sets, tuples, matrices.

use super::equations::is_name;
use super::renaming::{names_agree, renamed_line};
use super::{Comparison, Outcome, texts::same_text};
use crate::profile::Convention;
use crate::reading::split::{Bracket, Mark, bracketed, is_inside_number, marks, matrix, members};

/// The maximum length of a list that is compared member by member.
const LONGEST: usize = 256;

impl Comparison<'_> {
    /// Compares lists and sets. `None` if the sides must be compared in another way.
    pub(super) fn lists(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        if !self.has(Convention::Lists) {
            return None;
        }
        if let Some(union) = union_of_sets(answer).filter(|_| union_of_sets(gold).is_none()) {
            return Some(self.under(Convention::Lists, |this| this.compare(gold, &union)));
        }
        if let Some(number) = mixed_number(answer).filter(|_| !has_several(gold)) {
            return Some(self.under(Convention::NumberWords, |this| this.compare(gold, &number)));
        }
        if let Some(tuples) = tuples_of_names(answer).filter(|_| is_list_of_tuples(gold)) {
            return Some(self.under(Convention::Names, |this| this.compare(gold, &tuples)));
        }
        // braces around a set, or a name before a list, do not count as members
        let (gold_set, answer_set) = (is_set(gold), is_set(answer));
        let (a, b) = (parts(gold), parts(answer));
        if a.len() < 2 && b.len() < 2 && !gold_set && !answer_set {
            // a single value with the range of its parameter
            let ranged = |text: &str, parts: &[String]| {
                parts.len() == 1 && members(without_set(text), |at| !is_inside_number(text, at)).len() > 1
            };
            if ranged(gold, &a) || ranged(answer, &b) {
                let (a, b) =
                    (a[..].first().cloned().unwrap_or_default(), b[..].first().cloned().unwrap_or_default());
                return Some(self.under(Convention::Constants, |this| this.compare(&a, &b)));
            }
            return None;
        }
        match (is_empty(gold), is_empty(answer)) {
            (true, true) => return Some(self.decided("proven", "the empty set", Outcome::Same)),
            (false, false) => {}
            _ => return Some(self.decided("refuted", "only one side is the empty set", Outcome::Different)),
        }
        if a.len() > LONGEST || b.len() > LONGEST {
            return Some(Outcome::Undecided);
        }
        if gold.contains("\\mid") || answer.contains("\\mid") || has_dots(gold) != has_dots(answer) {
            return None;
        }
        // relations joined by words are compared as statements
        if is_statement(gold) || is_statement(answer) {
            return None;
        }
        // a tuple on one side, a list without brackets on the other
        if let Some(outcome) = self.list_and_tuple(gold, answer, &a, &b) {
            return Some(outcome);
        }
        let outcome = self.members(&a, &b);
        if outcome == Outcome::Same || a.len() == b.len() {
            return Some(outcome);
        }
        // commas that were taken for thousands separators can separate members after all
        let every = |text: &str| -> Vec<String> {
            members(without_set(text), |_| true).into_iter().map(str::to_owned).collect()
        };
        let (all_a, all_b) = (every(gold), every(answer));
        let spaced = gold.contains(", ") || answer.contains(", ");
        // no thousands are grouped after a zero
        let least = if has_comma_after_zero(gold) || has_comma_after_zero(answer) { 2 } else { 3 };
        if all_a.len() == all_b.len()
            && all_a.len() >= least
            && spaced
            && (all_a.len(), all_b.len()) != (a.len(), b.len())
        {
            return Some(outcome.or(self.members(&all_a, &all_b)));
        }
        Some(outcome)
    }

    /// Compares a bracketed tuple with a list without brackets, in order; with square brackets, also in any order.
    fn list_and_tuple(&mut self, gold: &str, answer: &str, a: &[String], b: &[String]) -> Option<Outcome> {
        if !self.has(Convention::Brackets) {
            return None;
        }
        let tuple = |text: &str, list: &[String]| -> Option<Vec<String>> {
            let [only] = list else { return None };
            let text = if is_set(text) { return None } else { value_of(only) };
            let brackets = bracketed(&text)?;
            let inside = members(brackets.inside, |_| true);
            (inside.len() > 1 && !brackets.inside.contains("\\cup"))
                .then(|| inside.into_iter().map(str::to_owned).collect())
        };
        let (left, right) = match (tuple(gold, a), tuple(answer, b)) {
            (Some(left), None) if b.len() > 1 && !is_set(answer) => (left, b.to_vec()),
            (None, Some(right)) if a.len() > 1 && !is_set(gold) => (a.to_vec(), right),
            _ => return None,
        };
        if left.len() != right.len() || left.iter().chain(&right).any(|part| bracketed(part).is_some()) {
            return None;
        }
        // the names of the answer's coordinates give their order, unless the reference names them too
        let sorted =
            sorted_by_names(&right).filter(|_| left.iter().all(|part| !part.contains('=')) && !b.is_empty());
        let right = sorted.unwrap_or(right);
        if swapped_names(&left, &right) || has_repeated_names(&right) {
            return Some(Outcome::Different);
        }
        let square = [gold, answer].iter().any(|text| text.starts_with('['));
        let outcome = self.under(Convention::Brackets, |this| this.coordinates(&left, &right));
        Some(if outcome != Outcome::Same && square {
            outcome.or(self.under(Convention::Brackets, |this| this.members(&left, &right)))
        } else {
            outcome
        })
    }

    /// Compares the members of two lists in any order, unless only one list names its values.
    fn members(&mut self, gold: &[String], answer: &[String]) -> Outcome {
        let (gold, answer) = (expanded(gold), expanded(answer));
        let mut once: Vec<String> = Vec::with_capacity(answer.len());
        for member in answer {
            if !once.iter().any(|known| same_text(known, &member)) {
                once.push(member);
            }
        }
        let answer = if once.len() < gold.len() && has_repetition(&gold) { expanded(&once) } else { once };
        if gold.len() == 1 && answer.len() == 1 {
            return self.under(Convention::Lists, |this| this.compare(&gold[0], &answer[0]));
        }
        let names = [distinct_letters(&gold), distinct_letters(&answer)];
        if names[0] != names[1] && gold.len() == answer.len() {
            // if only one side names its values, they must be in the reference's order
            return self.under(Convention::Names, |this| this.in_order(&gold, &answer));
        }
        if gold.len() > answer.len() {
            return self.decided(
                "refuted",
                "the answer has fewer values than the reference",
                Outcome::Different,
            );
        }
        // match each reference value to a different answer value; the remaining answers must repeat reference
        // values
        let mut free: Vec<bool> = vec![true; answer.len()];
        let mut undecided = false;
        for value in &gold {
            let mut met = None;
            for exact in [true, false] {
                for at in 0..answer.len() {
                    if !free[at] || met.is_some() {
                        continue;
                    }
                    if exact {
                        if same_text(value, &answer[at]) {
                            met = Some(at);
                        }
                        continue;
                    }
                    match self.compare(value, &answer[at]) {
                        Outcome::Same => met = Some(at),
                        Outcome::Undecided => undecided = true,
                        Outcome::Different => {}
                    }
                }
            }
            match met {
                Some(at) => free[at] = false,
                None if undecided => return Outcome::Undecided,
                None => {
                    return self.decided(
                        "refuted",
                        "a value of the reference is not among the answer's",
                        Outcome::Different,
                    );
                }
            }
        }
        for at in (0..answer.len()).filter(|at| free[*at]) {
            if gold.len() + answer.len() > 64
                || !gold.iter().any(|value| self.compare(value, &answer[at]) == Outcome::Same)
            {
                return self.decided(
                    "refuted",
                    "the answer has a value that is not the reference's",
                    Outcome::Different,
                );
            }
        }
        let outcome = self.under(Convention::Lists, |_| Outcome::Same);
        self.decided("proven", "the same values", outcome)
    }

    /// Compares values pair by pair.
    fn in_order(&mut self, gold: &[String], answer: &[String]) -> Outcome {
        if gold.len() != answer.len() {
            return self.decided("refuted", "another number of values", Outcome::Different);
        }
        let mut all = Outcome::Same;
        for (a, b) in gold.iter().zip(answer) {
            match self.compare(a, b) {
                Outcome::Same => {}
                Outcome::Different => return Outcome::Different,
                Outcome::Undecided => all = Outcome::Undecided,
            }
        }
        all
    }

    /// Compares coordinates pair by pair. A parameter may have another name, but the same one in all coordinates.
    fn coordinates(&mut self, gold: &[String], answer: &[String]) -> Outcome {
        let outcome = self.in_order(gold, answer);
        if outcome == Outcome::Same && !names_agree(gold, answer) {
            return self.decided("refuted", "a parameter has two names", Outcome::Different);
        }
        match renamed_line(gold, answer).filter(|_| outcome != Outcome::Same) {
            Some(renamed) => {
                outcome.or(self.under(Convention::Constants, |this| this.in_order(gold, &renamed)))
            }
            None => outcome,
        }
    }

    /// Compares tuples, intervals with their endpoints, columns and matrices. `None` if a side is none of
    /// these.
    pub(super) fn tuples(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        // `3\mathbf{i}+4\mathbf{j}` for `(3,4)`
        let dimension = bracketed(gold).map_or(0, |gold| members(gold.inside, |_| true).len());
        if let Some(tuple) = super::vectors::coordinates(answer, dimension) {
            return Some(self.under(Convention::Brackets, |this| this.compare(gold, &tuple)));
        }
        // a row that is transposed is a column
        if gold.contains("\\begin{")
            && let Some(row) =
                ["^T", "^{T}", "^\\top", "^{\\top}"].iter().find_map(|mark| answer.strip_suffix(mark))
            && bracketed(row).is_some_and(|row| has_several(row.inside))
        {
            return Some(self.under(Convention::Brackets, |this| this.compare(gold, row)));
        }
        let named = |text: &str| {
            // a point with a name: `P(1, 2)`
            let rest = text.strip_prefix(|c: char| c.is_ascii_uppercase())?;
            let several = members(bracketed(rest)?.inside, |_| true).len() > 1;
            several.then(|| rest.to_owned())
        };
        if self.has(Convention::Names) {
            if let Some(rest) = named(gold).filter(|_| named(answer).is_none()) {
                return Some(self.under(Convention::Names, |this| this.compare(&rest, answer)));
            }
            if let Some(rest) = named(answer).filter(|_| named(gold).is_none()) {
                return Some(self.under(Convention::Names, |this| this.compare(gold, &rest)));
            }
        }
        let rows = |text: &str| -> Option<Vec<Vec<String>>> {
            if let Some(rows) = matrix(text) {
                return Some(
                    rows.into_iter().map(|row| row.into_iter().map(str::to_owned).collect()).collect(),
                );
            }
            let outer = bracketed(text)
                .filter(|brackets| brackets.open == Bracket::Square && brackets.close == Bracket::Square)?;
            let inner = members(outer.inside, |_| true);
            let rows: Option<Vec<Vec<String>>> = inner
                .iter()
                .map(|row| {
                    bracketed(row)
                        .filter(|brackets| brackets.open == Bracket::Square)
                        .map(|row| members(row.inside, |_| true).into_iter().map(str::to_owned).collect())
                })
                .collect();
            rows
        };
        let tuple = |text: &str| -> Option<(Bracket, Bracket, Vec<String>)> {
            let brackets = bracketed(text)?;
            let inside = members(brackets.inside, |_| true);
            (inside.len() > 1 && brackets.open != Bracket::Set)
                .then(|| (brackets.open, brackets.close, inside.into_iter().map(str::to_owned).collect()))
        };
        let column = |rows: &[Vec<String>]| -> Option<Vec<String>> {
            rows.iter().map(|row| (row.len() == 1).then(|| row[0].clone())).collect()
        };
        match (rows(gold), rows(answer)) {
            (Some(a), Some(b)) => {
                if a.len() != b.len() || a.iter().zip(&b).any(|(a, b)| a.len() != b.len()) {
                    return Some(self.decided("refuted", "a matrix of another shape", Outcome::Different));
                }
                let is_vector = a.len() == 1 || a.iter().all(|row| row.len() == 1);
                let (a, b): (Vec<String>, Vec<String>) = (a.concat(), b.concat());
                if a.len() > LONGEST {
                    return Some(self.formulas(gold, answer, false));
                }
                return Some(if is_vector { self.coordinates(&a, &b) } else { self.in_order(&a, &b) });
            }
            (Some(a), None) => {
                let (column, (_, _, entries)) = (column(&a)?, tuple(answer)?);
                return Some(self.under(Convention::Brackets, |this| this.coordinates(&column, &entries)));
            }
            (None, Some(b)) => {
                let (column, (_, _, entries)) = (column(&b)?, tuple(gold)?);
                return Some(self.under(Convention::Brackets, |this| this.coordinates(&entries, &column)));
            }
            (None, None) => {}
        }
        let ((open, close, a), (other_open, other_close, b)) = (tuple(gold)?, tuple(answer)?);
        let vector = |open, close| {
            (open, close) == (Bracket::Round, Bracket::Round)
                || (open, close) == (Bracket::Angle, Bracket::Angle)
        };
        let is_interval = a.len() == 2 && (open == Bracket::Square || close == Bracket::Square);
        if (open, close) == (other_open, other_close) {
            return Some(if is_interval { self.in_order(&a, &b) } else { self.coordinates(&a, &b) });
        }
        if vector(open, close) && vector(other_open, other_close) {
            return Some(self.under(Convention::Brackets, |this| this.coordinates(&a, &b)));
        }
        Some(self.decided("refuted", "brackets of another kind", Outcome::Different))
    }
}

fn is_set(text: &str) -> bool {
    bracketed(text).is_some_and(|brackets| brackets.open == Bracket::Set && brackets.close == Bracket::Set)
        && !text.contains('|')
        && !text.contains("\\mid")
        && !text.contains(':')
        && !has_dots(text)
}

fn is_empty(text: &str) -> bool {
    let blank =
        |inside: &str| inside.replace("\\,", "").replace("\\;", "").replace("\\ ", "").trim().is_empty();
    let braces = |text: &str| is_set(text) && bracketed(text).is_some_and(|brackets| blank(brackets.inside));
    matches!(text.trim(), "\\emptyset" | "\\varnothing") || braces(text)
}

/// Returns the content of a set, or of square brackets around a single value.
fn without_set(text: &str) -> &str {
    match bracketed(text) {
        Some(brackets) if is_set(text) => brackets.inside,
        Some(brackets)
            if brackets.open == Bracket::Square
                && brackets.close == Bracket::Square
                && members(brackets.inside, |_| true).len() == 1 =>
        {
            brackets.inside
        }
        _ => text,
    }
}

/// Returns whether a text is a list or set of several values, if every comma separates members.
pub(super) fn has_several(text: &str) -> bool {
    members(without_set(text), |_| true).len() > 1
}

/// Returns whether a text has a comma as in `0,125`, which can separate members.
fn has_comma_after_zero(text: &str) -> bool {
    let text = without_set(text);
    marks(text).into_iter().any(|(mark, at, _)| {
        mark == Mark::Comma
            && text[..at].ends_with('0')
            && is_inside_number(text, at)
            && !text[..at - 1].ends_with(|c: char| c.is_ascii_digit())
    })
}

/// Returns the members of a list. A name before the list is dropped: `x = 1, 2` has the members `1` and `2`.
fn parts(text: &str) -> Vec<String> {
    let text = without_set(text);
    let list = members(text, |at| !is_inside_number(text, at));
    let list = without_labels(&list).unwrap_or(list);
    let mut found: Vec<String> = Vec::with_capacity(list.len());
    let several = list.len() > 1;
    for member in &list {
        // the range of a parameter is not a value
        if several && is_range_of_parameter(member) {
            continue;
        }
        found.push((*member).to_owned());
    }
    // in `a = 4, -8, -10`, the name applies to all values
    let named =
        |member: &str| marks(member).into_iter().find(|(mark, ..)| matches!(mark, Mark::Equals | Mark::In));
    if found.len() > 1
        && let Some((_, at, end)) = named(&found[0])
    {
        let rest_unnamed = found[1..].iter().all(|member| named(member).is_none());
        if is_name(&found[0][..at]) && rest_unnamed {
            let value = found[0][end..].trim().to_owned();
            found[0] = value;
        }
    }
    if found.len() == 1 {
        // `x = \{1, 2\}`
        if let Some((_, at, end)) = named(&found[0]) {
            let value = found[0][end..].trim().to_owned();
            if is_name(&found[0][..at]) && is_set(&value) {
                return parts(&value);
            }
        }
    }
    found
}

/// Returns the members of a list without the labels of parts before all of them: `\text{(a) }3, \text{(b) }4`.
fn without_labels<'t>(list: &[&'t str]) -> Option<Vec<&'t str>> {
    let labels = "abcdefgh".chars();
    let mut values = Vec::with_capacity(list.len());
    for (member, label) in list.iter().zip(labels) {
        let rest = member.strip_prefix("\\text{").unwrap_or(member).strip_prefix('(')?.strip_prefix(label)?;
        let rest = rest.strip_prefix(')')?.trim_start();
        let rest = if member.starts_with("\\text{") { rest.strip_prefix('}')? } else { rest };
        values.push(rest.trim());
    }
    (list.len() > 1 && values.len() == list.len() && values.iter().all(|value| !value.is_empty()))
        .then_some(values)
}

/// Returns whether a member gives the range of a parameter (`n \in \mathbb{Z}`) or starts with `where` or
/// `for`.
pub(super) fn is_range_of_parameter(member: &str) -> bool {
    let member = member.trim_start();
    let word_end = member.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(member.len());
    if matches!(&member[..word_end], "where" | "for") && !member[word_end..].trim().is_empty() {
        return true;
    }
    let compact: String = member.chars().filter(|c| !c.is_whitespace()).collect();
    let mut rest = compact.trim_start_matches('(');
    if let Some(after) = rest.strip_prefix(|c: char| c.is_ascii_alphabetic()) {
        rest = after;
        return [
            "\\in\\mathbb{Z}",
            "\\in\\mathbb{N}",
            "\\in\\mathbbZ",
            "\\in\\mathbb{R}",
            "\\inZ",
            "\\text{isaninteger}",
            "\\text{integer}",
            "\\text{anyinteger}",
        ]
        .iter()
        .any(|range| rest.starts_with(range));
    }
    compact.starts_with("\\text{where") || compact.starts_with("\\text{for")
}

fn value_of(text: &str) -> String {
    let found = marks(text).into_iter().find(|(mark, ..)| *mark == Mark::Equals);
    match found {
        Some((_, at, end)) if is_name(&text[..at]) => text[end..].trim().to_owned(),
        _ => text.to_owned(),
    }
}

fn has_dots(text: &str) -> bool {
    text.contains("\\ldots") || text.contains("...")
}

/// Returns whether a text has an inequality or a congruence at its top level. Such texts are compared as
/// statements.
fn is_statement(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0_i32;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'<' | b'>' if depth <= 0 => return true,
            b'\\' if depth <= 0 => {
                let rest = &text[at..];
                let sign = ["\\le ", "\\ge ", "\\ne ", "\\le\\", "\\ge\\", "\\ne\\", "\\equiv"]
                    .iter()
                    .any(|sign| rest.starts_with(sign))
                    || ["\\le", "\\ge", "\\ne"].iter().any(|sign| {
                        rest.strip_prefix(sign)
                            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
                    });
                if sign {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Replaces each member that has one to four signs `\pm` or `\mp` by the values it denotes. In brackets, each
/// sign is chosen independently.
fn expanded(list: &[String]) -> Vec<String> {
    let mut out = Vec::with_capacity(list.len());
    for member in list {
        let places: Vec<(usize, &str)> = {
            let mut all: Vec<(usize, &str)> =
                member.match_indices("\\pm").chain(member.match_indices("\\mp")).collect();
            all.retain(|(at, found)| {
                !member[at + found.len()..].starts_with(|c: char| c.is_ascii_alphabetic())
            });
            all.sort_unstable();
            all
        };
        if places.is_empty() || places.len() > 4 {
            out.push(member.clone());
            continue;
        }
        let free = bracketed(member).is_some();
        let choices = if free { 1_u32 << places.len() } else { 2 };
        for choice in 0..choices {
            let mut text = String::with_capacity(member.len());
            let mut start = 0;
            for (index, (at, found)) in places.iter().enumerate() {
                text.push_str(&member[start..*at]);
                let bit = if free { choice >> index & 1 } else { choice & 1 };
                let minus = (bit == 1) != (*found == "\\mp");
                let leading = text.trim_end().is_empty() || text.trim_end().ends_with(['(', '{', ',', '=']);
                text.push_str(match (minus, leading) {
                    (true, _) => "-",
                    (false, true) => "",
                    (false, false) => "+",
                });
                let rest = &member[at + found.len()..];
                start = member.len() - rest.trim_start().len();
            }
            text.push_str(&member[start..]);
            out.push(text.trim().to_owned());
        }
    }
    out
}

fn has_repetition(list: &[String]) -> bool {
    list.iter().enumerate().any(|(at, member)| list[..at].iter().any(|before| same_text(before, member)))
}

/// Returns whether different letters name the members: `a = 1, b = 2`. Indices of the same letter do not
/// count.
fn distinct_letters(list: &[String]) -> bool {
    let mut seen: Vec<String> = Vec::new();
    for member in list {
        let Some((_, at, _)) = marks(member).into_iter().find(|(mark, ..)| *mark == Mark::Equals) else {
            return false;
        };
        let name = member[..at].trim();
        let letter: String = name.split(['_', '(']).next().unwrap_or(name).trim().to_owned();
        if letter.starts_with('\\') && !letter[1..].bytes().all(|byte| byte.is_ascii_alphabetic())
            || letter.chars().count() > 1 && !letter.starts_with('\\')
        {
            return false;
        }
        if seen.contains(&letter) {
            // `f(1) = ..., f(2) = ...`
            if name.contains('(') {
                continue;
            }
            return false;
        }
        seen.push(letter);
    }
    seen.len() > 1
}

/// Returns the name and the value in `x = 3`, if the name is a single letter.
fn letter_and_value(text: &str) -> Option<(&str, &str)> {
    let (_, at, end) = marks(text).into_iter().find(|(mark, ..)| *mark == Mark::Equals)?;
    let name = text[..at].trim();
    let value = text[end..].trim();
    let letter = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (letter && !value.is_empty() && !value.contains('=')).then_some((name, value))
}

/// Returns whether all values of a list are named by letters and two have the same: `x=3, x=4`.
fn has_repeated_names(list: &[String]) -> bool {
    let names: Option<Vec<&str>> = list.iter().map(|part| Some(letter_and_value(part)?.0)).collect();
    names.is_some_and(|mut names| {
        names.sort_unstable();
        names.windows(2).any(|pair| pair[0] == pair[1])
    })
}

/// Returns the values of a list in the order of their names. `None` if they are in order or not all named.
fn sorted_by_names(list: &[String]) -> Option<Vec<String>> {
    let mut named: Vec<(&str, &str)> =
        list.iter().map(|part| letter_and_value(part)).collect::<Option<_>>()?;
    let ordered = named.windows(2).all(|pair| pair[0].0 < pair[1].0);
    named.sort_unstable();
    let distinct = named.windows(2).all(|pair| pair[0].0 < pair[1].0);
    (distinct && !ordered)
        .then(|| named.into_iter().map(|(name, value)| format!("{name} = {value}")).collect())
}

/// Rewrites solutions whose names repeat as tuples: `x=1,y=2 \text{ or } x=2,y=1` becomes `(1,2),(2,1)`.
fn tuples_of_names(text: &str) -> Option<String> {
    if text.len() > 400 || !text.contains('=') {
        return None;
    }
    let list = members(text, |at| !is_inside_number(text, at));
    let named: Vec<(&str, &str)> = list.iter().map(|part| letter_and_value(part)).collect::<Option<_>>()?;
    let first = named.first()?.0;
    let period = 1 + named[1..].iter().position(|(name, _)| *name == first)?;
    let mut tuples = Vec::with_capacity(named.len() / period);
    let mut letters: Option<Vec<&str>> = None;
    for chunk in named.chunks(period) {
        let mut chunk = chunk.to_vec();
        chunk.sort_unstable();
        let names: Vec<&str> = chunk.iter().map(|(name, _)| *name).collect();
        let distinct = names.windows(2).all(|pair| pair[0] < pair[1]);
        if !distinct || period < 2 || letters.get_or_insert_with(|| names.clone()) != &names {
            return None;
        }
        let values: Vec<&str> = chunk.iter().map(|(_, value)| *value).collect();
        tuples.push(format!("({})", values.join(",")));
    }
    Some(tuples.join(","))
}

fn is_list_of_tuples(text: &str) -> bool {
    let list = members(without_set(text), |_| true);
    list.len() > 1 && list.iter().all(|part| bracketed(part).is_some_and(|inside| has_several(inside.inside)))
}

/// Rewrites a whole number and a proper fraction that "and" joins: `3 \text{ and } 1/2` becomes `3+1/2`.
fn mixed_number(text: &str) -> Option<String> {
    let found = marks(text);
    let [(Mark::Joint, at, end)] = found.as_slice() else { return None };
    let (whole, part) = (text[..*at].trim(), text[*end..].trim());
    let digits =
        |text: &str| !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (above, below) = match part.strip_prefix("\\frac") {
        Some(rest) if rest.len() == 2 => rest.split_at_checked(1)?,
        Some(rest) => rest.strip_prefix('{')?.strip_suffix('}')?.split_once("}{")?,
        None => part.split_once('/')?,
    };
    let proper = digits(above) && digits(below) && above.parse::<u64>().ok()? < below.parse::<u64>().ok()?;
    (text[*at..*end].contains("and") && digits(whole) && proper)
        .then(|| format!("{whole}+\\frac{{{above}}}{{{below}}}"))
}

/// Returns the union of sets that are written out: `\{1,2\}\cup\{3\}` becomes `\{1,2,3\}`.
fn union_of_sets(text: &str) -> Option<String> {
    if !text.contains("\\cup") || text.len() > 2_000 {
        return None;
    }
    let mut all = Vec::new();
    for set in text.split("\\cup") {
        let inside = set.trim().strip_prefix("\\{")?.strip_suffix("\\}")?.trim();
        if inside.is_empty()
            || inside.contains(['|', ':', '{', '}'])
            || inside.contains("\\mid")
            || has_dots(inside)
        {
            return None;
        }
        all.push(inside);
    }
    Some(format!("\\{{{}\\}}", all.join(",")))
}

/// Returns whether one of two lists names its values in a non-alphabetical order: `y = 1, x = 2`.
fn swapped_names(a: &[String], b: &[String]) -> bool {
    let name = |text: &String| {
        let (_, at, _) = marks(text).into_iter().find(|(mark, ..)| *mark == Mark::Equals)?;
        let name = text[..at].trim();
        (name.len() == 1).then(|| name.to_owned())
    };
    [a, b].iter().any(|list| {
        let names: Option<Vec<String>> = list.iter().map(name).collect();
        names.is_some_and(|names| names.windows(2).any(|pair| pair[0] > pair[1]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stand_for_two_values() {
        let list = |text: &str| expanded(&parts(text));
        assert_eq!(list(r"\pm 3"), ["3", "-3"]);
        assert_eq!(list(r"1 \pm x"), ["1 +x", "1 -x"]);
        assert_eq!(list(r"(\pm 1, \pm 2)").len(), 4);
        assert_eq!(list("x = 1, 2"), ["1", "2"]);
        assert_eq!(list(r"\{1,2\}"), ["1", "2"]);
    }
}
