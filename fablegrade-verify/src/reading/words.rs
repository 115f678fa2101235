//! Text answers: words regardless of case, articles and punctuation, and numbers in words.

use fablegrade_public::number_words;

use crate::notation::{after_escaped, command_at, group_at};

/// Returns a text without text commands, braces and dollar signs: `\text{a } B` becomes `a  B`.
pub(crate) fn flatten(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'\\' => match command_at(text, at) {
                Some(("text" | "mathrm" | "operatorname", end)) => end,
                Some((command, end)) => {
                    out.push('\\');
                    out.push_str(command);
                    end
                }
                None => {
                    out.push(' ');
                    after_escaped(text, at)
                }
            },
            b'{' | b'}' | b'$' => at + 1,
            _ if byte.is_ascii() => {
                out.push(char::from(byte));
                at + 1
            }
            _ => {
                let c = text[at..].chars().next().unwrap_or(' ');
                out.push(c);
                at + c.len_utf8()
            }
        };
    }
    out
}

/// The number of braces without an end up to which ends are looked for: each search reads the rest of the text.
const MOST_UNCLOSED: usize = 100;

/// Returns whether a tidied text is written in words rather than in mathematics.
pub(crate) fn is_textual(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut unclosed) = (0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => {
                let Some((command, end)) = command_at(text, at) else {
                    at = after_escaped(text, at);
                    continue;
                };
                at = end;
                if matches!(command, "text" | "operatorname" | "mathrm") {
                    if let Some((inner, after)) = group_at(text, end) {
                        let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
                        if letters > 2 && command != "operatorname" {
                            return true;
                        }
                        at = after;
                    }
                } else if matches!(command, "begin" | "end") {
                    at = group_at(text, end).map_or(end, |(_, after)| after);
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let length = text[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
                let subscript = at > 0 && matches!(bytes[at - 1], b'_' | b'^');
                if length > 2 && !subscript {
                    return true;
                }
                at += length;
            }
            b'_' if bytes.get(at + 1) == Some(&b'{') && unclosed < MOST_UNCLOSED => {
                let group = group_at(text, at + 1);
                unclosed += usize::from(group.is_none());
                at = group.map_or(at + 1, |(_, after)| after);
            }
            _ if byte.is_ascii() => at += 1,
            _ => {
                // letters of other scripts form words
                let c = text[at..].chars().next().unwrap_or(' ');
                // one or two Greek letters are names
                let greek = text[at..].chars().take_while(|c| matches!(c, 'α'..='ω' | 'Α'..='Ω')).count();
                if c.is_alphabetic() && !(1..=2).contains(&greek) {
                    return true;
                }
                at += c.len_utf8();
            }
        }
    }
    false
}

/// Returns the normal form of words, which synonyms share. `None` for a text without words.
pub(crate) fn canonical(text: &str) -> Option<String> {
    if let Some(known) = symbol_as_words(text) {
        return Some(known.to_owned());
    }
    let flat = flatten(text).to_lowercase();
    let mut words: Vec<&str> = flat
        .split(|c: char| !(c.is_alphanumeric() || c == '\\' || c == '\'' || c == '+' || c == '-'))
        // a minus sign at the end is part of a grade or a charge: `A-`
        .map(|word| word.trim_matches('\'').trim_start_matches('-'))
        .filter(|word| !word.is_empty() && !matches!(*word, "a" | "an" | "the" | "\\quad"))
        .collect();
    if words.is_empty() || !flat.chars().any(char::is_alphabetic) {
        return None;
    }
    while words.len() > 1 && matches!(words[0], "is" | "it" | "its" | "it's" | "are") {
        words.remove(0);
    }
    let joined = words.join(" ");
    let known = match joined.as_str() {
        "yes" | "true" | "y" => "true",
        "no" | "false" => "false",
        "dne" | "doesn't exist" | "does not exist" | "nonexistent" | "limit does not exist" => {
            "does not exist"
        }
        "undefined" | "not defined" => "undefined",
        "empty set"
        | "no solutions"
        | "no solution"
        | "none"
        | "no solutions exist"
        | "no solution exists"
        | "no real solutions exist"
        | "no real solution"
        | "no real solutions"
        | "there is no solution"
        | "there are no solutions"
        | "there are no real solutions"
        | "there is no real solution"
        | "no roots"
        | "no real roots" => "no solution",
        "all real numbers"
        | "all reals"
        | "any real number"
        | "all real"
        | "every real number"
        | "set of all real numbers"
        | "real numbers" => "all reals",
        "infinitely many" | "infinite" | "infinity" | "infinitely many solutions" | "infinite number" => {
            "infinitely many"
        }
        "none of above" | "none of these" => "none of these",
        "mon" => "monday",
        "tue" | "tues" => "tuesday",
        "wed" => "wednesday",
        "thu" | "thur" | "thurs" => "thursday",
        "fri" => "friday",
        "sat" => "saturday",
        "sun" => "sunday",
        _ => {
            let mut stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            // "converges conditionally" is the same as "conditionally convergent"
            if stems.len() == 2 && stems.iter().any(|stem| stem == "converg" || stem == "diverg") {
                stems.sort();
            }
            return Some(stems.join(" "));
        }
    };
    Some(known.to_owned())
}

fn stem(word: &str) -> String {
    for (ending, rest) in
        [("converges", "converg"), ("convergent", "converg"), ("diverges", "diverg"), ("divergent", "diverg")]
    {
        if word == ending {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

/// Returns whether a text is a symbol that can also be written in words, such as `(-\infty,\infty)`.
pub(crate) fn is_symbol_with_words(text: &str) -> bool {
    symbol_as_words(text).is_some()
}

/// Returns the words for a symbol that can also be written in words.
fn symbol_as_words(text: &str) -> Option<&'static str> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).take(24).collect();
    Some(match compact.as_str() {
        "\\emptyset" | "\\varnothing" | "\\{\\}" | "\\left\\{\\right\\}" => "no solution",
        "\\mathbb{R}"
        | "\\mathbbR"
        | "\\R"
        | "(-\\infty,\\infty)"
        | "(-\\infty,+\\infty)"
        | "x\\in\\mathbb{R}" => "all reals",
        "\\infty" | "+\\infty" => "infinitely many",
        _ => return None,
    })
}

/// Rewrites the real numbers with exceptions: `all real numbers except 2` becomes
/// `\mathbb{R} \setminus \{2\}`.
pub(crate) fn reals_without(text: &str) -> Option<String> {
    if text.len() > 200 || !text.contains("real") {
        return None;
    }
    let flat = flatten(text);
    let lower = flat.to_ascii_lowercase();
    // `all positive real numbers`
    let kind = lower.trim().trim_end_matches('.');
    let kind = kind.strip_prefix("all ").unwrap_or(kind);
    let kind = kind.strip_prefix("the ").unwrap_or(kind);
    if let Some(sign) = kind.strip_suffix(" real numbers").or_else(|| kind.strip_suffix(" reals")) {
        let interval = match sign {
            "positive" => Some("(0,\\infty)"),
            "negative" => Some("(-\\infty,0)"),
            "nonnegative" | "non-negative" => Some("[0,\\infty)"),
            "nonpositive" | "non-positive" => Some("(-\\infty,0]"),
            _ => None,
        };
        if let Some(interval) = interval {
            return Some(interval.to_owned());
        }
    }
    let (_, behind) = ["all real numbers", "all reals", "any real number", "every real number"]
        .iter()
        .find_map(|all| lower.trim_start().strip_prefix(all).map(|behind| (all, behind)))?;
    let behind = behind.trim_start();
    let behind = behind.strip_prefix("x ").unwrap_or(behind);
    let rest = ["except for ", "except ", "other than ", "excluding ", "but not ", "not equal to "]
        .iter()
        .find_map(|but| behind.strip_prefix(but))?;
    let rest = flat[flat.len() - rest.len()..].trim();
    let named =
        ["x = ", "x= ", "x =", "x=", "x \\ne ", "x\\ne "].iter().find_map(|name| rest.strip_prefix(name));
    let values =
        named.unwrap_or(rest).replace(" and x = ", ", ").replace(" and x=", ", ").replace(" and ", ", ");
    (!values.is_empty() && !is_textual(&values)).then(|| format!("\\mathbb{{R}} \\setminus \\{{{values}\\}}"))
}

/// Returns a number in English words as LaTeX.
///
/// `two thirds` becomes `\frac{2}{3}`, `three and a half` becomes `\frac{7}{2}`, `2.5 million` becomes
/// `2500000`, and `seven (7)` becomes `7`.
pub(crate) fn number_in_words(text: &str) -> Option<String> {
    if text.len() > 120 || !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let flat = flatten(text).to_ascii_lowercase();
    if let Some((number, again)) = flat.trim().strip_suffix(')').and_then(|front| front.split_once('(')) {
        let value =
            |text: &str| in_words(text).or_else(|| is_digits(text.trim()).then(|| text.trim().to_owned()));
        return value(number).filter(|number| value(again).as_ref() == Some(number));
    }
    in_words(&flat).or_else(|| share(&flat))
}

/// Rewrites a share or ratio in words: `2 out of 5` becomes `\frac{2}{5}`, and `3 to 4` becomes `3:4`.
pub(crate) fn share(flat: &str) -> Option<String> {
    let parts = |between: &str| {
        let (part, whole) = flat.split_once(between)?;
        let value =
            |text: &str| in_words(text).or_else(|| is_digits(text.trim()).then(|| text.trim().to_owned()));
        value(part).zip(value(whole))
    };
    match parts(" out of ").or_else(|| parts(" in ")) {
        Some((part, whole)) => Some(format!("\\frac{{{part}}}{{{whole}}}")),
        None => parts(" to ").map(|(part, whole)| format!("{part}:{whole}")),
    }
}

fn in_words(flat: &str) -> Option<String> {
    // a comma follows a power of ten, as in `one thousand, two hundred`; elsewhere, it separates two numbers
    let power = |front: &str| {
        ["hundred", "thousand", "million", "billion", "trillion"]
            .iter()
            .any(|power| front.trim().ends_with(power))
    };
    if flat.match_indices(',').any(|(at, _)| !power(&flat[..at])) {
        return None;
    }
    // `twenty-fifth` is not 20 fifths
    let ordinal = |word: &str| {
        word.split_once('-').is_some_and(|(tens, ones)| tens.ends_with("ty") && denominator(ones).is_some())
    };
    if flat.split_whitespace().any(ordinal) {
        return None;
    }
    let all: Vec<&str> = flat
        .split(|c: char| c.is_whitespace() || c == '-' || c == ',')
        .filter(|word| !word.is_empty())
        .collect();
    let negative = matches!(all.first(), Some(&"minus" | &"negative"));
    let all = if negative { &all[1..] } else { &all[..] };
    let sign = if negative { "-" } else { "" };
    if let [number] = all
        && negative
        && is_digits(number)
    {
        return Some(format!("-{number}"));
    }
    if let Some(value) = scaled(all).or_else(|| parts_in_digits(all)) {
        return Some(format!("{sign}{value}"));
    }
    let words: Vec<&str> = all.iter().copied().filter(|word| *word != "and").collect();
    if let Some(value) = cardinal(&words) {
        return Some(format!("{sign}{value}"));
    }
    let last_and = all.iter().rposition(|word| *word == "and");
    let mixed = last_and.and_then(|at| Some((cardinal(&all[..at])?, fraction(&all[at + 1..])?)));
    let (whole, (numerator, denominator)) = match mixed {
        Some(mixed) => mixed,
        None => (0, fraction(&words)?),
    };
    let numerator = whole.checked_mul(denominator)?.checked_add(numerator)?;
    Some(format!("{sign}\\frac{{{numerator}}}{{{denominator}}}"))
}

/// Reads a fraction in words: `two thirds`, `a half`, `half`.
fn fraction(words: &[&str]) -> Option<(u64, u64)> {
    let (last, front) = words.split_last()?;
    let denominator = u64::from(denominator(last)?);
    match front {
        [] | ["a"] => Some((1, denominator)),
        front => Some((cardinal(front)?, denominator)),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a word names a day of the week.
pub(crate) fn is_weekday(word: &str) -> bool {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].contains(&word)
}

/// Returns whether a word names a month.
pub(crate) fn is_month(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && super::time::MONTHS.contains(&word.to_ascii_lowercase().as_str())
}

/// Reads a number in digits with powers of ten in words: `2.5 million`.
fn scaled(words: &[&str]) -> Option<String> {
    let (number, powers) = words.split_first().filter(|(_, powers)| (1..=2).contains(&powers.len()))?;
    let mut zeros = 0;
    for power in powers {
        zeros += match *power {
            "hundred" => 2,
            "thousand" => 3,
            "million" => 6,
            "billion" => 9,
            "trillion" => 12,
            _ => return None,
        };
    }
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if !is_digits(whole) || !(decimals.is_empty() || is_digits(decimals)) || decimals.len() > zeros {
        return None;
    }
    Some(format!("{whole}{decimals}{}", "0".repeat(zeros - decimals.len())))
}

/// Reads a number of dozens or of equal parts in digits: `3 dozen`, `5 hundredths`.
fn parts_in_digits(words: &[&str]) -> Option<String> {
    let [number, noun] = words else { return None };
    if !is_digits(number) {
        return None;
    }
    let denominator = match *noun {
        "dozen" => return number.parse::<u64>().ok()?.checked_mul(12).map(|value| value.to_string()),
        "hundredths" => 100,
        "thousandths" => 1000,
        // coins and units of time
        "quarters" | "seconds" => return None,
        noun if noun.ends_with('s') => denominator(noun)?,
        _ => return None,
    };
    Some(format!("\\frac{{{number}}}{{{denominator}}}"))
}

/// Rewrites a quantity's number from words to digits: `five dollars` becomes `5 dollars`.
pub(crate) fn quantity_in_words(text: &str) -> Option<String> {
    if text.len() > 120 || !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let flat = flatten(text).to_ascii_lowercase();
    let words: Vec<&str> = flat.split_whitespace().collect();
    let first = (1..words.len()).find(|at| super::units::is_unit_word(words[*at]))?;
    // `half an hour`
    let front = match &words[..first] {
        [front @ .., "of", "a" | "an"] | [front @ .., "a" | "an"] if !front.is_empty() => front,
        front => front,
    };
    let number = in_words(&front.join(" "))?;
    Some(format!("{number} {}", words[first..].join(" ")))
}

/// Returns whether a word in small letters joins the members of a list, in any of the languages of answers. A single
/// letter, such as `y`, can also be a name.
pub(crate) fn is_joining_word(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "or"
            | "und"
            | "oder"
            | "et"
            | "ou"
            | "y"
            | "o"
            | "e"
            | "oppure"
            | "и"
            | "или"
            | "либо"
            | "和"
            | "与"
            | "與"
            | "及"
            | "以及"
            | "或"
            | "或者"
            | "还是"
            | "と"
            | "または"
            | "또는"
    )
}

/// Returns the denominator that a word names: `sixths`.
pub(crate) fn denominator(word: &str) -> Option<u32> {
    let word = word.strip_suffix('s').filter(|rest| !rest.is_empty()).unwrap_or(word);
    Some(match word {
        "half" | "halve" => 2,
        "third" => 3,
        "fourth" | "quarter" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "seventh" => 7,
        "eighth" => 8,
        "ninth" => 9,
        "tenth" => 10,
        _ => return None,
    })
}

/// Returns whether a word can be part of a number.
pub(crate) fn is_number_word(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    (number_words::is_number_word(&word) && word != "and")
        || matches!(word.as_str(), "dozen" | "half" | "third" | "thirds" | "quarter" | "quarters" | "fifths")
        || word.split_once('-').is_some_and(|(tens, ones)| cardinal(&[tens, ones]).is_some())
}

/// Returns the value of words such as `seven hundred five`, or of `two dozen`.
fn cardinal(words: &[&str]) -> Option<u64> {
    match words {
        ["a" | "one", "dozen"] | ["dozen"] => Some(12),
        ["half", "a", "dozen"] => Some(6),
        [count, "dozen"] => Some(12 * number_words::cardinal(&[count])?),
        _ => number_words::cardinal(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_a_plain_form() {
        for (a, b) in [
            (r"\text{circle}", r"\text{a circle}"),
            (r"\text{None}", r"\text{none}"),
            (r"\text{DNE}", r"\text{does not exist}"),
            (r"\mathbb{R}", r"\text{all real numbers}"),
            (r"\emptyset", r"\text{no solution}"),
            ("new york city", "New York City!"),
            (r"\text{True}", r"\text{Yes}"),
            (r"\text{converges conditionally}", r"\text{conditionally convergent}"),
        ] {
            assert_eq!(canonical(a), canonical(b), "{a} {b}");
        }
        for (a, b) in [("odd", "even"), ("odd", "neither even nor odd"), (r"\text{No}", "none")] {
            assert_ne!(canonical(a), canonical(b), "{a} {b}");
        }
        assert_eq!(canonical("42"), None);
        assert!(is_textual("odd $n$") && is_textual(r"\text{Evelyn}") && !is_textual(r"\sin(ab)+x_{max}"));
    }

    #[test]
    fn numbers_are_said_in_words() {
        for (words, latex) in [
            ("zero", "0"),
            ("twenty-one", "21"),
            ("one million", "1000000"),
            ("seven hundred and five", "705"),
            ("one half", r"\frac{1}{2}"),
            ("two thirds", r"\frac{2}{3}"),
            (r"\text{three}", "3"),
            ("three and a half", r"\frac{7}{2}"),
            ("two and three quarters", r"\frac{11}{4}"),
            ("minus one and a third", r"-\frac{4}{3}"),
            ("2.5 million", "2500000"),
            ("3 hundred thousand", "300000"),
            ("a dozen", "12"),
            ("seven (7)", "7"),
            ("7 (seven)", "7"),
            ("2 out of 5", r"\frac{2}{5}"),
            (r"3 \text{ out of } 4", r"\frac{3}{4}"),
            ("three in ten", r"\frac{3}{10}"),
            ("3 to 4", "3:4"),
            ("negative 5", "-5"),
        ] {
            assert_eq!(number_in_words(words).as_deref(), Some(latex), "{words}");
        }
        for words in [
            "one two",
            "hundred",
            "7 (eight)",
            "2.55 ten",
            "million 2",
            "1.2345 hundred",
            "three blind mice",
            "and",
            "5",
        ] {
            assert_eq!(number_in_words(words), None, "{words}");
        }
    }
}
