//! Compares text answers: identical texts, options, words, times, and numbers with a base.

use super::{Comparison, Outcome};
use crate::profile::Convention;
use crate::reading::{option, split, time, words};

/// Returns whether two tidied texts are the same except for blanks. Blanks count only between a comma and a
/// digit, and between two digits or letters unless they end a command.
pub(super) fn same_text(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let tokens = |text: &str| {
        let bytes = text.as_bytes();
        let mut out = Vec::with_capacity(bytes.len());
        for (at, byte) in bytes.iter().enumerate() {
            if *byte != b' ' {
                out.push(*byte);
                continue;
            }
            let before = out.last().copied().unwrap_or(b' ');
            let after = bytes.get(at + 1).copied().unwrap_or(b' ');
            let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
            let list = before == b',' && after.is_ascii_digit();
            if list || word(before) && word(after) && !follows_command(&out) {
                out.push(b' ');
            }
        }
        out
    };
    tokens(a) == tokens(b)
}

/// Returns whether the letters at the end belong to a command.
fn follows_command(out: &[u8]) -> bool {
    let letters = out.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    letters > 0 && letters < out.len() && out[out.len() - letters - 1] == b'\\'
}

impl Comparison<'_> {
    /// Compares options. `None` if the sides are not comparable as options.
    pub(super) fn choices(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        if !self.has(Convention::Choice) {
            return None;
        }
        let gold_choice = option::choice(gold);
        let answer_choice = option::choice(answer);
        // a small letter instead of an option's capital letter
        if let Some(a) = gold_choice.as_ref().filter(|a| a.text.is_empty() && ('A'..='E').contains(&a.letter))
            && option::small_letter(answer) == Some(a.letter)
        {
            let outcome = self.under(Convention::Choice, |_| Outcome::Same);
            return Some(self.decided("choice", "the same option", outcome));
        }
        match (&gold_choice, &answer_choice) {
            (Some(a), Some(b)) if a.text.is_empty() || b.text.is_empty() || a.letter != b.letter => {
                if a.letter != b.letter && gold.len() == 1 && answer.len() == 1 {
                    return Some(self.decided("choice", "another option", Outcome::Different));
                }
                let same = a.letter == b.letter;
                let words = if same { "the same option" } else { "another option" };
                let outcome = self.under(Convention::Choice, |_| same.into());
                return Some(self.decided("choice", words, outcome));
            }
            (Some(a), Some(b)) => {
                let texts = [a.text.to_owned(), b.text.to_owned()];
                let outcome = self.under(Convention::Choice, |this| this.compare(&texts[0], &texts[1]));
                return Some(outcome);
            }
            // a reference with a letter and a text, and an answer that is only a text
            (Some(a), None) if !a.text.is_empty() => {
                let text = a.text.to_owned();
                return Some(self.under(Convention::Choice, |this| this.compare(&text, answer)));
            }
            (None, Some(b)) if !b.text.is_empty() => {
                let text = b.text.to_owned();
                let outcome = self.under(Convention::Choice, |this| this.compare(gold, &text));
                if outcome == Outcome::Same {
                    return Some(outcome);
                }
            }
            (None, Some(b)) => {
                // a reference with a letter and a name, such as `C Cecile`
                let mut words = gold.split_whitespace();
                let first = words.next().unwrap_or_default();
                let letter = first.len() == 1 && first.starts_with(b.letter);
                let name = words.next().is_some_and(|word| {
                    word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
                });
                if letter && name {
                    let outcome = self.under(Convention::Choice, |_| Outcome::Same);
                    return Some(self.decided("choice", "the same option", outcome));
                }
            }
            _ => {}
        }
        if let Some(rest) = option::after_label(answer).filter(|_| option::after_label(gold).is_none()) {
            let rest = rest.to_owned();
            return Some(self.under(Convention::Choice, |this| this.compare(gold, &rest)));
        }
        // several options, with or without separators
        let letters = |text: &str| {
            option::letters(text).or_else(|| {
                let members = split::members(text, |_| true);
                let letters: Option<Vec<char>> = members
                    .iter()
                    .map(|member| {
                        option::choice(member)
                            .filter(|choice| choice.text.is_empty())
                            .map(|choice| choice.letter)
                    })
                    .collect();
                letters.filter(|letters| letters.len() > 1).map(|mut letters| {
                    letters.sort_unstable();
                    letters.dedup();
                    letters
                })
            })
        };
        let unwrapped = |text: &str| {
            let inner = text.strip_prefix("\\text{").and_then(|inner| inner.strip_suffix('}'));
            let inner = inner.filter(|inner| !inner.contains('{')).unwrap_or(text);
            let set = inner.strip_prefix("\\{").and_then(|inner| inner.strip_suffix("\\}"));
            set.unwrap_or(inner).to_owned()
        };
        let (a, b) = (letters(&unwrapped(gold))?, letters(&unwrapped(answer)));
        let b = b.or_else(|| {
            answer_choice.filter(|choice| choice.text.is_empty()).map(|choice| vec![choice.letter])
        })?;
        let outcome = self.under(Convention::Choice, |_| (a == b).into());
        Some(self.decided("choice", if a == b { "the same options" } else { "other options" }, outcome))
    }

    /// Compares times of day and dates.
    pub(super) fn times(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        if !self.has(Convention::Times) {
            return None;
        }
        if let (Some(a), Some(b)) = (time::time(gold), time::time(answer)) {
            let clock =
                a.is_certain() || b.is_certain() || gold.matches(':').count() != answer.matches(':').count();
            if clock {
                let outcome = self.under(Convention::Times, |_| a.same(b).into());
                return Some(self.decided("words", "times of day", outcome));
            }
        }
        let (a, b) = (time::date(gold)?, time::date(answer)?);
        let outcome = self.under(Convention::Times, |_| a.same(b).into());
        Some(self.decided("words", "dates", outcome))
    }

    /// Compares numbers that state their base, such as `52_8`.
    pub(super) fn bases(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        if !self.has(Convention::Bases) {
            return None;
        }
        match (based(gold), based(answer)) {
            (Some(a), Some(b)) => {
                let same = a.base == b.base && a.digits.eq_ignore_ascii_case(b.digits);
                let outcome = self.under(Convention::Bases, |_| same.into());
                Some(self.decided(
                    "number",
                    if same { "the same digits and base" } else { "other digits or another base" },
                    outcome,
                ))
            }
            (Some(a), None) if a.base == 10 => {
                let digits = a.digits.to_owned();
                Some(self.under(Convention::Bases, |this| this.compare(&digits, answer)))
            }
            (Some(_), None) if answer.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(self.decided("number", "the base is missing", Outcome::Different))
            }
            (None, Some(b)) if b.base == 10 => {
                let digits = b.digits.to_owned();
                Some(self.under(Convention::Bases, |this| this.compare(gold, &digits)))
            }
            (None, Some(_)) if gold.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(self.decided("number", "the answer is written in a base", Outcome::Different))
            }
            _ => None,
        }
    }

    /// Compares texts in words. `None` if the sides must be compared as mathematics.
    pub(super) fn texts(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        if let Some(same) = same_substance(gold, answer).filter(|_| self.has(Convention::Words)) {
            let outcome = self.under(Convention::Words, |_| same.into());
            return Some(self.decided("words", "formulas of substances", outcome));
        }
        let textual = [words::is_textual(gold), words::is_textual(answer)];
        let signs = [is_only_words(gold), is_only_words(answer)];
        let shares = [gold, answer].iter().any(|text| words::share(&words::flatten(text)).is_some());
        if !textual[0] && !textual[1] && !signs[0] && !signs[1] && !shares {
            return None;
        }
        if self.has(Convention::NumberWords) {
            let number = |text: &str| words::number_in_words(text).or_else(|| words::quantity_in_words(text));
            let numbers = [number(gold), number(answer)];
            if numbers.iter().any(Option::is_some) {
                let [a, b] = numbers;
                let (a, b) = (a.unwrap_or_else(|| gold.to_owned()), b.unwrap_or_else(|| answer.to_owned()));
                if a != gold || b != answer {
                    return Some(self.under(Convention::NumberWords, |this| this.compare(&a, &b)));
                }
            }
        }
        if self.has(Convention::Words) {
            let sets = [gold, answer].map(words::reals_without);
            if sets.iter().any(Option::is_some) {
                let [a, b] = sets;
                let (a, b) = (a.unwrap_or_else(|| gold.to_owned()), b.unwrap_or_else(|| answer.to_owned()));
                return Some(self.under(Convention::Words, |this| this.compare(&a, &b)));
            }
            let neither = |a: &str, b: &str| a == "neither" && b.starts_with("neither ");
            let same = words::canonical(gold)
                .zip(words::canonical(answer))
                .is_some_and(|(a, b)| a == b || neither(&a, &b) || neither(&b, &a))
                // a symbol that is written in words has signs, its words have none
                && (words::is_symbol_with_words(gold)
                    || words::is_symbol_with_words(answer)
                    || signs_of(gold) == signs_of(answer))
                // a letter alone is a variable: `y` does not mean yes
                && gold.len() > 1;
            let comparable = textual[0] && textual[1] || signs[0] || signs[1];
            if same && comparable {
                let outcome = self.under(Convention::Words, |_| Outcome::Same);
                return Some(self.decided("words", "the same words", outcome));
            }
        }
        // at least one side has only words, and the sides differ
        let list = |text: &str| split::members(text, |_| true).len() > 1;
        if (signs[0] || signs[1]) && !list(gold) && !list(answer) {
            return Some(self.decided("words", "other words", Outcome::Different));
        }
        None
    }
}

/// Returns whether two chemical formulas are the same, such as `\text{H}_2\text{O}` and `H2O`.
///
/// `None` if a side is not a chemical formula, or if neither side is set upright.
fn same_substance(gold: &str, answer: &str) -> Option<bool> {
    let upright = [gold, answer].iter().any(|text| text.contains("\\text{") || text.contains("\\mathrm{"));
    let same = substance(gold)? == substance(answer)?;
    // formulas that are not upright can be products, but not if they are written the same: `H2O`, `H_2O`
    (upright || same && gold.contains(|c: char| c.is_ascii_digit())).then_some(same)
}

/// Returns a chemical formula without its layout: `\text{Ca(OH)}_2` becomes `Ca(OH)2`.
fn substance(text: &str) -> Option<String> {
    if text.len() > 120 {
        return None;
    }
    let plain: String = words::flatten(text).chars().filter(|c| !matches!(c, '_' | ' ')).collect();
    let (mut rest, mut signs) = (plain.as_str(), 0);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' | '[' | ']' | '^' | '+' | '-' | '0'..='9' => {
                signs += usize::from(first.is_ascii_digit());
                1
            }
            _ => {
                let pair = rest.get(..2).filter(|pair| ELEMENTS.contains(pair));
                let single = rest.get(..1).filter(|single| ELEMENTS.contains(single));
                signs += 1;
                pair.or(single)?.len()
            }
        };
        rest = &rest[length..];
    }
    (signs > 1 && plain.starts_with(|c: char| c.is_ascii_uppercase() || c == '(' || c == '['))
        .then_some(plain)
}

/// The chemical elements that textbook formulas use.
const ELEMENTS: [&str; 54] = [
    "H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S", "Cl", "Ar", "K",
    "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr",
    "Rb", "Sr", "Ag", "Cd", "Sn", "Sb", "I", "Xe", "Cs", "Ba", "W", "Pt", "Au", "Hg", "Pb", "Bi", "Ra", "U",
];

/// Returns the digits and signs of a text, in order. The normal form of words lacks signs, which change a value or
/// a formula: `-5 meters`, `2/5 apples`. In prose, punctuation does not count.
fn signs_of(text: &str) -> Vec<char> {
    let flat = words::flatten(&text.replace("\\%", "%"));
    let prose = !flat.contains(['\\', '=', '+', '<', '>', '^', '_', '|'])
        && flat.split(|c: char| !c.is_alphanumeric()).all(|word| {
            word.chars().count() != 1 && !word.contains(|c: char| c.is_ascii_digit()) || word == "a"
        });
    if prose {
        return Vec::new();
    }
    let mut signs = Vec::new();
    let flat = without_brackets_around_words(&flat.replace(", ", ","));
    let mut rest = flat.chars().peekable();
    let mut previous = ' ';
    while let Some(c) = rest.next() {
        let counts = match c {
            '.' | ',' => rest.peek().is_some_and(char::is_ascii_digit),
            '!' => previous.is_ascii_digit() || previous == ')',
            _ => c.is_ascii_digit() || "-/<>()[]^|:=+*%".contains(c),
        };
        if counts {
            signs.push(c);
        }
        previous = c;
    }
    signs
}

/// Returns a text without brackets that contain only letters: `Event (B)` becomes `Event B`.
fn without_brackets_around_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['(', '[']) {
        let inside = &rest[at + 1..];
        let end = inside.find(|c: char| !c.is_alphabetic()).unwrap_or(inside.len());
        let close = if rest[at..].starts_with('(') { ')' } else { ']' };
        let behind = inside[end..]
            .strip_prefix(close)
            .filter(|behind| end > 0 && !behind.starts_with(['!', '^', '_', '(', '[']));
        match behind {
            Some(behind) => {
                out.push_str(&rest[..at]);
                out.push_str(&inside[..end]);
                rest = behind;
            }
            None => {
                out.push_str(&rest[..=at]);
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns whether a text consists only of words.
fn is_only_words(text: &str) -> bool {
    if !words::is_textual(text) {
        return matches!(text, "no" | "No" | "NO" | "\\text{no}" | "\\text{No}" | "\\text{NO}");
    }
    let flat = words::flatten(text);
    !flat.contains(['\\', '=', '+', '<', '>', '^', '_', '|', '(', '[', ':'])
        && !flat.bytes().any(|byte| byte.is_ascii_digit())
}

/// The digits of a number, and its base.
struct Based<'t> {
    digits: &'t str,
    base: u32,
}

/// Reads the digits and the base of `52 \text{ base } 8`.
fn base_in_words(text: &str) -> Option<(&str, u32)> {
    let end = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (digits, rest) = text.split_at(end);
    let flat = words::flatten(rest).to_ascii_lowercase();
    let rest = flat.trim().trim_matches(['(', ')', ',', ' ']);
    let rest = rest.strip_prefix("in ").unwrap_or(rest).strip_prefix("base")?;
    Some((digits, rest.trim_matches([' ', '-']).parse().ok()?))
}

fn based(text: &str) -> Option<Based<'_>> {
    // prefixes of programming languages
    if let Some((digits, base)) = [("0x", 16), ("0b", 2), ("0o", 8)]
        .iter()
        .find_map(|(sign, base)| Some((text.strip_prefix(sign)?, *base)))
    {
        let digits = digits.trim_start_matches('0');
        let plain = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base));
        return plain.then_some(Based { digits, base });
    }
    let text = text.strip_prefix('(').map_or(text, |inner| inner);
    let known = |digits: &str, base: u32| {
        (2..=36).contains(&base) && !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base))
    };
    if let Some((digits, base)) = base_in_words(text) {
        return known(digits, base).then(|| Based { digits: digits.trim_start_matches('0'), base });
    }
    let (digits, base) = text.split_once('_')?;
    let digits = digits.trim().trim_end_matches(')');
    let base = base.trim();
    let inner = base.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(base);
    let inner =
        inner.strip_prefix("\\text{").and_then(|inner| inner.strip_suffix('}')).unwrap_or(inner).trim();
    let base = match inner {
        "two" => 2,
        "three" => 3,
        "eight" => 8,
        "ten" => 10,
        "sixteen" => 16,
        digits => digits.parse().ok()?,
    };
    // `a_{12}` and `ab_{12}` have variables with an index
    let variables = digits.bytes().all(|byte| byte.is_ascii_lowercase())
        && (digits.len() == 1 || digits.len() == 2 && base != 16);
    (!variables && known(digits, base)).then(|| Based { digits: digits.trim_start_matches('0'), base })
}
