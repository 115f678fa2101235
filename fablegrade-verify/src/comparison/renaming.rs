//! Compares formulas up to the names of parameters and constants of integration.

use super::{Comparison, Outcome, families, texts::same_text};
use crate::notation::{command_at, group_at};
use crate::profile::Convention;

/// Returns whether a letter conventionally denotes an arbitrary integer, parameter or constant.
pub(super) fn is_parameter(name: char) -> bool {
    matches!(name, 'k' | 'n' | 'm' | 't' | 'l' | 'j' | 'r' | 's' | 'C' | 'c' | 'K' | 'N')
}

/// Returns whether a letter of a reference is the parameter of a family of solutions, and `name` is another name
/// for it.
///
/// This holds if the reference gives a range or a word such as `integer` or `constant`, or has the form of a family.
/// The forms are a formula with a constant of integration, a multiple of a vector, and a multiple of `\pi` or of an
/// angle in degrees if `name` usually denotes an integer. Otherwise, a letter such as `r` in `\pi r^2` or `c` in `mc^2`
/// is a quantity of the question.
fn is_of_family(reference: &str, part: &str, letter: char, name: char, degrees: bool) -> bool {
    let ranges = reference
        .match_indices("\\in")
        .any(|(at, sign)| !reference[at + sign.len()..].starts_with(|c: char| c.is_ascii_alphabetic()));
    let mut words = reference.split(|c: char| !c.is_alphabetic());
    let named = words.any(|word| {
        matches!(
            word,
            "integer"
                | "integers"
                | "natural"
                | "real"
                | "constant"
                | "constants"
                | "arbitrary"
                | "any"
                | "parameter"
        )
    });
    if ranges || named || reference.contains('\u{2208}') {
        return true;
    }
    if part.trim().len() == 1 {
        return false;
    }
    matches!(letter, 'C' | 'c' | 'K')
        && (families::is_of_first_degree(part, letter) || families::solves_clairaut(reference, part, letter))
        || families::is_integer_name(name) && families::multiplies_period(part, letter, degrees)
        || families::multiplies_vector(part, letter)
}

/// Returns the variables of a formula in order: the letters outside commands and texts, except `e`, `i` and
/// `d`.
pub(super) fn variables(text: &str) -> Vec<char> {
    let mut found = Vec::new();
    each_letter(text, |_, letter| {
        if !matches!(letter, 'e' | 'i' | 'd') && !found.contains(&letter) {
            found.push(letter);
        }
    });
    found
}

/// Calls a function with the position of each letter outside commands and texts.
pub(super) fn each_letter(text: &str, mut call: impl FnMut(usize, char)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'\\' => match command_at(text, at) {
                Some(("text" | "mathrm" | "operatorname" | "begin" | "end" | "mathbb", end)) => {
                    group_at(text, end).map_or(end, |(_, after)| after)
                }
                Some((_, end)) => end,
                None => at + 2,
            },
            b'a'..=b'z' | b'A'..=b'Z' => {
                call(at, char::from(byte));
                at + 1
            }
            _ => at + 1,
        };
    }
}

/// Returns a text with one variable replaced by another.
pub(super) fn renamed(text: &str, from: char, to: char) -> String {
    let mut bytes = text.as_bytes().to_vec();
    each_letter(text, |at, letter| {
        if letter == from {
            bytes[at] = to as u8;
        }
    });
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

impl Comparison<'_> {
    /// Compares antiderivatives that both end with a constant of integration: they may differ by a constant.
    pub(super) fn constants(&mut self, gold: &str, answer: &str) -> Outcome {
        let (Some(a), Some(b)) = (without_constant(gold), without_constant(answer)) else {
            return Outcome::Different;
        };
        if variables(a).is_empty() {
            return Outcome::Different;
        }
        self.under(Convention::Constants, |this| this.differ_by_constant(a, b))
    }

    /// Compares antiderivatives of which one has its constant in words: `x^2+\text{const.}`
    pub(super) fn worded_constant(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        let worded = [gold, answer].iter().any(|text| text.contains("\\text{const"));
        (worded && self.has(Convention::Constants)).then(|| self.constants(gold, answer))
    }

    /// Compares with one parameter renamed, or with the constants `c_1` and `c_2` exchanged.
    pub(super) fn parameters(&mut self, gold: &str, answer: &str) -> Outcome {
        if !self.has(Convention::Constants) {
            return Outcome::Different;
        }
        let (a, b) = (variables(gold), variables(answer));
        if let Some((from, to)) = other_name(&a, &b)
            && (is_parameter(to) || matches!(to, 'A' | 'B') && matches!(from, 'C' | 'c' | 'K'))
            && is_parameter(from)
            && is_of_family(self.gold.text(), gold, from, to, self.in_degrees)
        {
            let renamed = renamed(answer, to, from);
            return self.under(Convention::Constants, |this| {
                // a sum of tuples is not a formula that can be read
                let same = Outcome::from(same_text(gold, &renamed));
                same.or_else(|| this.formulas(gold, &renamed, false))
            });
        }
        // `C_1` and `C_2` for `A` and `B`, both ways round
        for (indexed, lettered, of_gold) in [(gold, answer, true), (answer, gold, false)] {
            for (one, two) in two_constants(indexed, lettered) {
                let named = with_letters(indexed, one, two);
                let linear = |letter| {
                    families::is_of_first_degree(lettered, letter)
                        && families::is_of_first_degree(&named, letter)
                };
                if !linear(one) || !linear(two) {
                    continue;
                }
                let outcome = self.under(Convention::Constants, |this| {
                    if of_gold {
                        this.formulas(&named, lettered, false)
                    } else {
                        this.formulas(lettered, &named, false)
                    }
                });
                if outcome == Outcome::Same {
                    return outcome;
                }
            }
        }
        // `y = c_1 x^3 + c_2/x^2`, with `c_1` and `c_2` exchanged
        let indexed = |text: &str| text.contains("c_") || text.contains("C_");
        if indexed(gold) && indexed(answer) {
            let exchanged = exchange_indices(answer);
            if exchanged != answer {
                return self.under(Convention::Constants, |this| this.formulas(gold, &exchanged, false));
            }
        }
        Outcome::Different
    }
}

/// Returns the only letter that just the reference has, and the only one that just the answer has.
fn other_name(gold: &[char], answer: &[char]) -> Option<(char, char)> {
    let only = |letters: &[char], others: &[char]| -> Option<char> {
        let mut only = letters.iter().filter(|letter| !others.contains(letter));
        only.next().copied().filter(|_| only.next().is_none())
    };
    only(gold, answer).zip(only(answer, gold))
}

/// Returns coordinates with the parameter of a line named as in the reference's coordinates.
pub(super) fn renamed_line(gold: &[String], answer: &[String]) -> Option<Vec<String>> {
    let values = |coordinates: &[String]| -> Vec<String> {
        coordinates.iter().map(|text| without_name(text).to_owned()).collect()
    };
    let letters = |coordinates: &[String]| variables(&values(coordinates).join(","));
    let (from, to) = other_name(&letters(gold), &letters(answer))?;
    (is_parameter(from) && is_parameter(to) && families::is_linear_in_several(&values(gold), from))
        .then(|| answer.iter().map(|text| renamed(text, to, from)).collect())
}

/// Returns whether each parameter of the reference has one name in all coordinates of the answer, and no two have
/// the same name.
pub(super) fn names_agree(gold: &[String], answer: &[String]) -> bool {
    let mut names: Vec<(char, char)> = Vec::new();
    for (a, b) in gold.iter().zip(answer) {
        let (a, b) = (variables(without_name(a)), variables(without_name(b)));
        names.extend(a.iter().filter(|letter| b.contains(letter)).map(|letter| (*letter, *letter)));
        names.extend(other_name(&a, &b));
    }
    names.retain(|(from, to)| is_parameter(*from) && is_parameter(*to));
    names.iter().all(|(from, to)| names.iter().all(|(other, name)| (from == other) == (to == name)))
}

/// Returns the value of a coordinate such as `x = 1 + 2t`.
fn without_name(text: &str) -> &str {
    text.rsplit_once('=').map_or(text, |(_, value)| value)
}

/// The range that a text gives for its parameter: `n \in \mathbb{Z}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Range {
    Integers,
    Naturals,
    Reals,
}

fn range(text: &str) -> Option<Range> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).take(2_000).collect();
    compact.match_indices("\\in\\mathbb").find_map(|(at, found)| {
        let letter = compact[..at].ends_with(['k', 'n', 'm', 'l', 'j', 'p', 'q']);
        let rest = compact[at + found.len()..].trim_start_matches('{');
        let positive = rest.get(1..)?.trim_start_matches('}').starts_with(['^', '_']);
        match rest.chars().next().filter(|_| letter)? {
            'Z' if positive => Some(Range::Naturals),
            'Z' => Some(Range::Integers),
            'N' => Some(Range::Naturals),
            'R' => Some(Range::Reals),
            _ => None,
        }
    })
}

/// Returns whether both texts give a range for their parameter, and the ranges differ.
pub(super) fn ranges_differ(gold: &str, answer: &str) -> bool {
    gold.contains("\\mathbb") && range(gold).zip(range(answer)).is_some_and(|(a, b)| a != b)
}

/// Returns the formula before `+C`.
fn without_constant(text: &str) -> Option<&str> {
    let text = text.trim();
    let word = ["\\text{const.}", "\\text{const}", "\\text{constant}"]
        .iter()
        .find_map(|word| text.strip_suffix(word));
    if let Some(rest) = word {
        let rest = rest.trim_end().strip_suffix('+')?.trim_end();
        return (!rest.is_empty()).then_some(rest);
    }
    let text = ["_1", "_0", "_{1}", "_{0}"].iter().find_map(|index| text.strip_suffix(index)).unwrap_or(text);
    let rest = text.strip_suffix(['C', 'K', 'c', 'k'])?.trim_end();
    let rest = rest.strip_suffix('+')?.trim_end();
    (!rest.is_empty()).then_some(rest)
}

/// Returns the pairs of letters in one text that can stand for the constants `C_1` and `C_2` of another text.
fn two_constants(indexed: &str, lettered: &str) -> Vec<(char, char)> {
    let has = |text: &str, index: char| {
        ["c_", "C_"].iter().any(|name| {
            text.contains(&format!("{name}{index}")) || text.contains(&format!("{name}{{{index}}}"))
        })
    };
    let constants = has(indexed, '1') && has(indexed, '2') && !has(indexed, '3') && !has(indexed, '0');
    if !constants || lettered.contains("c_") || lettered.contains("C_") {
        return Vec::new();
    }
    let (known, letters) = (variables(indexed), variables(lettered));
    let free: Vec<char> = letters.into_iter().filter(|letter| !known.contains(letter)).collect();
    match free.as_slice() {
        [one, two] if "ABCDK".contains(*one) && "ABCDK".contains(*two) => vec![(*one, *two), (*two, *one)],
        _ => Vec::new(),
    }
}

/// Returns a text with letters for the constants `C_1` and `C_2`.
fn with_letters(text: &str, one: char, two: char) -> String {
    let mut out = text.to_owned();
    for name in ["c", "C"] {
        for (index, letter) in [('1', one), ('2', two)] {
            out = out.replace(&format!("{name}_{{{index}}}"), &format!("{letter} "));
            out = out.replace(&format!("{name}_{index}"), &format!("{letter} "));
        }
    }
    out
}

fn exchange_indices(text: &str) -> String {
    let mut out = text.to_owned();
    for letter in ["c", "C"] {
        for (one, two) in [("1", "2"), ("{1}", "{2}")] {
            let (first, second) = (format!("{letter}_{one}"), format!("{letter}_{two}"));
            out = out.replace(&first, "\u{1}").replace(&second, &first).replace('\u{1}', &second);
        }
    }
    out
}
