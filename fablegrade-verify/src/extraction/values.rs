//! Finds the ends of values in running text.

use super::groups::start_of;
use super::sentences::is_factorial;
use crate::notation::{command_at, group_at};
use crate::reading::{units, words};

/// The maximum length of a line that is a value, in bytes.
pub(super) const LONGEST_LINE: usize = 20_000;

/// The maximum length of a formula between brackets or double dollar signs, in bytes.
const MOST_FORMULA: usize = 4_000;

/// Returns the length of the formula at the start of `text`, with its delimiters. `None` if there is none.
pub(super) fn formula(text: &str) -> Option<usize> {
    let close = |open: usize, delimiter: &str| {
        let inside = start_of(&text[open..], MOST_FORMULA + delimiter.len());
        let length = inside.find(delimiter).filter(|length| *length < MOST_FORMULA)?;
        Some(open + length + delimiter.len())
    };
    if text.starts_with("$$") {
        return close(2, "$$");
    }
    if text.starts_with("\\(") {
        return close(2, "\\)");
    }
    if text.starts_with("\\[") {
        return close(2, "\\]");
    }
    let inside = text.strip_prefix('$')?;
    let end = inside.char_indices().find(|(at, c)| *c == '$' && !inside[..*at].ends_with('\\'))?.0;
    if inside[..end].trim().is_empty() || inside[..end].contains("\n\n") {
        return None;
    }
    // amounts of money: `$3 and pears cost $5`
    let money = inside.starts_with(|c: char| c.is_ascii_digit())
        && (inside[..end].ends_with(' ') || inside[end + 1..].starts_with(|c: char| c.is_ascii_digit()));
    (!money).then_some(end + 2)
}

/// Returns the length of the value at the start of a text, in bytes, or 0 if there is none.
///
/// A value is a formula, a number with units, an option letter, a number word, or a list of these.
pub(super) fn value_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut good, mut values) = (0, 0, 0_usize);
    // the end of the last number word
    let mut spoken = None;
    // set if another value can follow directly: at the start, and after a sign or a conjunction
    let mut joint = true;
    // set behind an operator, which a product such as `xy` can follow
    let mut operator = false;
    // the end of the last word that is a unit
    let mut unit_end = None;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' => at += 1,
            b'$' | b'\\' => {
                if let Some(length) = formula(&text[at..]) {
                    if values > 0 && !joint && !follows_tightly(text, at) {
                        break;
                    }
                    at += length;
                } else if byte == b'$' {
                    at += 1;
                    let amount = text[at..].trim_start_matches(' ');
                    if amount.starts_with(|c: char| c.is_ascii_digit()) {
                        at = text.len() - amount.len();
                    } else {
                        if good > 0 && values > 0 {
                            good = at;
                        }
                        break;
                    }
                    continue;
                } else {
                    match command_at(text, at) {
                        Some(("begin", end)) => {
                            let Some(after) = environment_end(text, end) else { break };
                            at = after;
                        }
                        Some((_, end)) => {
                            at = end;
                            while let Some((_, after)) =
                                group_at(text, at).filter(|_| bytes.get(at) == Some(&b'{'))
                            {
                                at = after;
                            }
                            if at == end {
                                // a sign, a function or a name; what follows belongs to the same value
                                (good, values, joint) = (at, values + 1, true);
                                continue;
                            }
                        }
                        None => {
                            let next = text[at + 1..].chars().next();
                            at += 1 + next.map_or(0, char::len_utf8);
                            if matches!(next, Some(',' | ';' | ':' | '!' | ' ')) {
                                // a spacing command
                                continue;
                            }
                        }
                    }
                }
                (good, values, joint) = (at, values + 1, false);
            }
            b'(' | b'[' | b'{' => {
                let Some(length) = bracket_length(&text[at..]) else { break };
                let index = byte == b'{' && text[..at].ends_with('_');
                if words::is_textual(&text[at + 1..at + length - 1]) && !index {
                    break;
                }
                at += length;
                (good, values, joint) = (at, values + 1, false);
            }
            b'.' if starts_decimals(text, at) && (values == 0 || joint) => {
                at += 1;
                at += text[at..].bytes().take_while(u8::is_ascii_digit).count();
                (good, values, joint) = (at, values + 1, false);
            }
            b'0'..=b'9' => {
                if values > 0 && !joint && bytes[at - 1] == b' ' && !follows_number(text, at) {
                    // `5 ft 6 in`
                    let part =
                        unit_end.filter(|end| text[*end..at].trim_start_matches([',', ' ']).is_empty());
                    let Some(length) = part.and_then(|_| number_with_unit(&text[at..])) else { break };
                    at += length;
                    (good, unit_end) = (at, Some(at));
                    continue;
                }
                let number = at;
                while let Some(byte) = bytes.get(at) {
                    let inner = matches!(byte, b'.' | b',' | b'\'' | b'_' | b':')
                        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                    if !byte.is_ascii_digit() && !inner {
                        break;
                    }
                    at += 1;
                }
                let dots = text[at..].starts_with("...")
                    && crate::notation::is_repeating_decimal(&text[number..at + 3]);
                at += if dots { 3 } else { repeating_digits(&text[at..]) };
                at += phrase_behind_number(text, at);
                (good, values, joint, operator) = (at, values + 1, false, false);
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let length = text[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
                let word = &text[at..at + length];
                let next = &text[at + length..];
                if words::is_month(word) && in_date(text, at, next) {
                    at += length;
                    good = if values > 0 { at } else { good };
                    joint = true;
                    continue;
                }
                let glued = at > 0 && bytes[at - 1].is_ascii_digit();
                let lower = word.to_ascii_lowercase();
                if lower == "out" && values > 0 && next.starts_with(" of ") {
                    // `2 out of 5`
                    at += length + 4;
                    joint = true;
                    continue;
                }
                if lower == "per" && values > 0 {
                    // only together with a unit
                    at += length;
                    joint = true;
                    continue;
                }
                if lower == "and"
                    && spoken.is_some_and(|end| &text[end..at] == " ")
                    && let Some(part) =
                        [" a half", " a third", " a quarter"].iter().find(|part| next.starts_with(**part))
                {
                    // `two and a half`
                    at += length + part.len();
                    (good, joint) = (at, false);
                    continue;
                }
                if values > 0 && length > 1 && words::is_joining_word(&lower) {
                    at += length;
                    // `1 or maybe 2`: a guess is a member of the list too
                    let unsure = [" maybe ", " perhaps ", " possibly ", " probably "];
                    at += unsure.iter().find(|word| next.starts_with(**word)).map_or(0, |word| word.len());
                    joint = true;
                    continue;
                }
                let between = word == "y" && values > 0 && next.starts_with(' ') && bytes[at - 1] == b' ';
                if between && next.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '$') {
                    at += length;
                    joint = true;
                    continue;
                }
                if matches!(word, "x" | "X") && values > 0 && next.trim_start().starts_with("10^") {
                    // `3 x 10^5`
                    at += length;
                    joint = true;
                    continue;
                }
                if length == 1 {
                    let article = matches!(word, "a" | "A" | "I")
                        && next.starts_with(' ')
                        && next.trim_start().starts_with(|c: char| c.is_ascii_alphabetic())
                        && !(word == "A" && gives_reason(next.trim_start()));
                    let abbreviation =
                        next.starts_with('.') && next[1..].starts_with(|c: char| c.is_ascii_alphabetic());
                    if (article || next.starts_with('\'')) && !abbreviation
                        || next.starts_with('-') && word == "A"
                    {
                        break;
                    }
                    at += length;
                    if abbreviation {
                        // p.m.
                        at += 2;
                        if bytes.get(at) == Some(&b'.') {
                            at += 1;
                        }
                    }
                } else if is_function(&lower) || words::is_number_word(word) {
                    let phrase = next.trim_start();
                    if lower == "one" && (phrase.starts_with("of ") || next.starts_with("-to-")) {
                        break;
                    }
                    at += length;
                    spoken = words::is_number_word(word).then_some(at);
                    if spoken.is_some() {
                        at += share_in_words(&text[at..]);
                    } else if !matches!(lower.as_str(), "pi" | "infinity" | "theta" | "alpha") {
                        // the argument follows
                        (good, values, joint) = (at, values + 1, true);
                        continue;
                    }
                } else if words::denominator(&lower).is_some()
                    && spoken.is_some_and(|end| matches!(&text[end..at], " " | "-"))
                {
                    at += length;
                } else {
                    let unit =
                        values > 0 && (word != "in" && units::is_unit_word(word) || is_unit_modifier(&lower));
                    let goes_on = next.trim_start().starts_with(['+', '-', '*', '/', '=', '^', '−']);
                    let placed = glued || at == 0 || operator || values > 0 && next.starts_with('^');
                    let product = placed
                        && (length == 2 || length == 3 && operator && goes_on)
                        && (!next.starts_with(' ') || goes_on || operator && is_end(next))
                        && !is_short_word(&lower);
                    if !unit && !product {
                        break;
                    }
                    at += length;
                    unit_end = unit.then_some(at);
                    operator = false;
                }
                (good, values, joint) = (at, values + 1, false);
            }
            b'<' if let Some(length) = script_length(&text[at..]).filter(|_| values > 0) => {
                at += length;
                (good, joint) = (at, false);
            }
            // a closing tag
            b'<' if bytes.get(at + 1) == Some(&b'/') => break,
            b'+' | b'-' | b'*' | b'/' | b'^' | b'=' | b'<' | b'>' | b'|' | b'_' => {
                if text[at..].starts_with("**") && good > 0 {
                    if !is_power(text, at) {
                        break;
                    }
                    at += 1;
                }
                at += 1;
                (joint, operator) = (true, true);
            }
            b',' | b';' | b':' => {
                if values == 0 {
                    break;
                }
                at += 1;
                joint = true;
            }
            b'!' if values > 0 && is_factorial(text, at) => {
                at += 1;
                (good, joint) = (at, false);
            }
            b'%' | b'\'' => {
                at += 1;
                if values > 0 {
                    good = at;
                }
            }
            _ if byte.is_ascii() => break,
            _ => {
                let c = text[at..].chars().next().unwrap_or(' ');
                let length = c.len_utf8();
                // a dash that no value follows, a closing quotation mark or an emoji ends the value
                let behind = text[at + length..].trim_start();
                let value = behind.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '\\' | '$' | '('))
                    || c == '–' && starts_with_symbol(behind);
                let dash = matches!(c, '–' | '—') && !value;
                // `f’(x)` and `y’ = 2x` have a prime
                let next = &text[at + length..];
                let prime = c == '’' && (next.starts_with(['(', '=', '’']) || next.starts_with(" ="));
                if dash
                    || matches!(c, '“' | '”' | '«' | '»' | '\u{2700}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}')
                    || matches!(c, '‘' | '’') && !prime && !behind.starts_with(|c: char| c.is_ascii_digit())
                {
                    break;
                }
                // a sign of the end; an arrow or dots can also join values
                let listed = text[..at].contains(',');
                let joins = matches!(c, '→' | '⇒' | '⟹') && !behind.is_empty() && !behind.starts_with('\n');
                let dots = c == '…' && (listed || !text[..at].ends_with(' '));
                if is_ornament(c) && !joins && !dots {
                    break;
                }
                if crate::notation::unicode::is_invisible(c) {
                    at += length;
                    continue;
                }
                let conjunction = joining_word(&text[at..]).filter(|_| values > 0);
                if let Some(length) = conjunction {
                    at += length;
                    joint = true;
                    continue;
                }
                if c == '、' && values > 0 && value {
                    at += length;
                    joint = true;
                    continue;
                }
                let unit = values > 0 && units::is_unit_word(&text[at..at + length]);
                if c.is_alphabetic() && !unit && !is_symbol(c) || matches!(c, '。' | '，' | '、' | '✓' | '✅')
                {
                    break;
                }
                at += length;
                (good, values, joint) = (
                    at,
                    values + 1,
                    matches!(c, '−' | '–' | '×' | '·' | '÷' | '±' | '≤' | '≥' | '≠' | '≈' | '⋅' | '∪'),
                );
            }
        }
    }
    good
}

/// Returns whether a character is a sign behind an answer, not a part of it: `∎`, `✓`, an emoji.
pub(super) fn is_ornament(c: char) -> bool {
    matches!(c, '∎' | '†' | '‡' | '•' | '◦' | '…' | '→' | '⇒' | '⟹' | '⬛' | '⬜' | '\u{25a0}'..='\u{25b2}' | '\u{25b4}'..='\u{25ff}'
        | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f300}'..='\u{1faff}')
}

/// Returns the length of a number with its unit at the start of a text: `20 minutes`.
fn number_with_unit(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let word = text[digits..].trim_start_matches(' ');
    let length = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let ends = !word[length..].starts_with(|c: char| c.is_alphanumeric());
    (length > 0 && ends && units::is_unit_word(&word[..length])).then(|| text.len() - word.len() + length)
}

/// Returns the length of a block of digits that repeats, in brackets behind a point: `.(3)`.
fn repeating_digits(behind: &str) -> usize {
    let Some(block) = behind.strip_prefix(".(") else { return 0 };
    let digits = block.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && block[digits..].starts_with(')') { digits + 3 } else { 0 }
}

/// Returns the length of the whole of a share behind a number word: ` in four`, ` out of five`.
fn share_in_words(behind: &str) -> usize {
    let whole = [" in ", " out of "].iter().find_map(|word| behind.strip_prefix(word));
    let Some(whole) = whole else { return 0 };
    let length = whole.bytes().take_while(u8::is_ascii_alphabetic).count();
    if words::is_number_word(&whole[..length]) && is_end(&whole[length..]) {
        behind.len() - whole.len() + length
    } else {
        0
    }
}

/// Returns the length of an exponent or an index in HTML: `<sup>2</sup>`.
fn script_length(text: &str) -> Option<usize> {
    let (tag, close) =
        [("<sup>", "</sup>"), ("<sub>", "</sub>")].into_iter().find(|(tag, _)| text.starts_with(tag))?;
    let inside = start_of(&text[tag.len()..], 100);
    let length = inside.find(close).filter(|length| !inside[..*length].contains('\n'))?;
    Some(tag.len() + length + close.len())
}

/// Returns the length of a conjunction in another script at the start of a text, with a value behind it.
fn joining_word(text: &str) -> Option<usize> {
    let length: usize = text.chars().take_while(|c| c.is_alphabetic()).take(3).map(char::len_utf8).sum();
    let word = &text[..length];
    // words of scripts without blanks can be glued to what follows
    let length =
        if words::is_joining_word(word) { length } else { word.chars().next().map_or(0, char::len_utf8) };
    let behind = text[length..].trim_start_matches(' ');
    let value = behind.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '\\' | '-' | '('));
    (words::is_joining_word(&text[..length]) && value).then_some(length)
}

/// Returns whether a text ends, or its sentence does.
fn is_end(behind: &str) -> bool {
    behind.trim_start_matches(['.', '!', ' ', '*', '$', ')', '"', ',', '}']).is_empty()
        || behind.starts_with('\n')
}

/// Returns whether a text is only a value.
pub(super) fn is_value(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONGEST_LINE && value_length(text) == text.len()
}

/// The maximum length of an environment after its start, in bytes.
const MAX_ENVIRONMENT: usize = 4_096;

/// Returns the end of the environment whose name is in braces at `at`.
fn environment_end(text: &str, at: usize) -> Option<usize> {
    let (name, inside) = group_at(text, at)?;
    let close = format!("\\end{{{name}}}");
    let near = start_of(&text[inside..], MAX_ENVIRONMENT);
    near.find(&close).map(|length| inside + length + close.len())
}

/// Returns whether a text starts with a root, a symbol or a variable, not with a word or the article `a`.
fn starts_with_symbol(text: &str) -> bool {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    let rest = chars.as_str();
    if first == '√' || is_symbol(first) {
        return true;
    }
    let article = matches!(first, 'a' | 'A' | 'I')
        && rest.starts_with(' ')
        && rest.trim_start().starts_with(char::is_alphabetic);
    let word = rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '\'' | '’'));
    first.is_ascii_alphabetic() && !word && !article
}

fn gives_reason(words: &str) -> bool {
    ["since ", "because "].iter().any(|word| words.starts_with(word))
}

/// Returns whether a word is an English word of two letters, not a product of two variables.
fn is_short_word(word: &str) -> bool {
    matches!(
        word,
        "is" | "it"
            | "no"
            | "so"
            | "we"
            | "on"
            | "at"
            | "in"
            | "to"
            | "an"
            | "as"
            | "by"
            | "do"
            | "go"
            | "he"
            | "if"
            | "me"
            | "my"
            | "of"
            | "or"
            | "up"
            | "us"
            | "am"
            | "be"
    )
}

/// Returns the length of the words after a number that belong to it: `3:30 in the afternoon`,
/// `101 in base 2`.
///
/// In `5 in 36` and `3 to 2`, they belong to it only at the end of a line.
fn phrase_behind_number(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    for half in [" in the morning", " in the afternoon", " in the evening"] {
        if rest.starts_with(half) {
            return half.len();
        }
    }
    let digits = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count();
    for word in [" in base ", " (base ", " base "] {
        if let Some(base) = rest.strip_prefix(word) {
            let length = digits(base);
            let closed = usize::from(word.contains('(') && base[length..].starts_with(')'));
            return if length > 0 { word.len() + length + closed } else { 0 };
        }
    }
    for word in [" in ", " to "] {
        if let Some(whole) = rest.strip_prefix(word) {
            let length = digits(whole);
            let number = &text[..at];
            let whole_number =
                !number.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with(['.', ',', ':', '/']);
            let ends = whole[length..].trim_start_matches(['.', '!', ' ', '*', ')', '"']);
            let ends = ends.is_empty() || ends.starts_with('\n');
            return if length > 0 && whole_number && ends { word.len() + length } else { 0 };
        }
    }
    0
}

/// Returns whether a month is next to its day: `5 March`, `March 5`.
fn in_date(text: &str, at: usize, next: &str) -> bool {
    let day = |text: &str| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        (1..=2).contains(&digits) && !text[digits..].starts_with([':', '/'])
    };
    let before = text[..at].trim_end_matches(' ');
    let before = ["st", "nd", "rd", "th"].iter().find_map(|end| before.strip_suffix(end)).unwrap_or(before);
    let spaced = text[..at].ends_with(' ') || at == 0;
    spaced && (before.ends_with(|c: char| c.is_ascii_digit()) || next.strip_prefix(' ').is_some_and(day))
}

/// Returns whether a decimal without a whole part starts at `at`: `.5`.
pub(super) fn starts_decimals(text: &str, at: usize) -> bool {
    let free = !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ')' | '}' | '$'));
    free && text[at..].strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns whether a number after a blank continues the previous number.
///
/// It can be a group of digits, the fraction of a mixed number, an exponent or an index.
fn follows_number(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end();
    // a spacing command between groups of digits
    let before = before.strip_suffix('\\').unwrap_or(before);
    let mixed = before.ends_with(|c: char| c.is_ascii_digit()) && {
        let rest = &text[at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits == 3 || rest[digits..].starts_with('/')
    };
    mixed || before.ends_with(['^', '_'])
}

fn follows_tightly(text: &str, at: usize) -> bool {
    text[..at].ends_with(|c: char| !c.is_whitespace())
}

/// Returns whether a character is a Greek letter, a mathematical symbol that Unicode classes as a letter, or
/// a form or lookalike of a Latin letter.
pub(super) fn is_symbol(c: char) -> bool {
    matches!(c, 'α'..='ω' | 'Γ' | 'Δ' | 'Θ' | 'Λ' | 'Σ' | 'Φ' | 'Ψ' | 'Ω' | 'ℝ' | 'ℤ' | 'ℕ' | 'ℚ' | 'ℂ' | 'º' | 'ª'
        | '\u{1d400}'..='\u{1d7ff}' | '\u{ff21}'..='\u{ff5a}' | 'ⁿ' | 'ⁱ' | 'А' | 'В' | 'С' | 'Е')
}

fn is_function(word: &str) -> bool {
    matches!(
        word,
        "sqrt"
            | "cbrt"
            | "pi"
            | "sin"
            | "cos"
            | "tan"
            | "cot"
            | "sec"
            | "csc"
            | "arcsin"
            | "arccos"
            | "arctan"
            | "log"
            | "ln"
            | "exp"
            | "infinity"
            | "theta"
            | "alpha"
            | "mod"
            | "max"
            | "min"
            | "gcd"
            | "lcm"
    )
}

fn is_unit_modifier(word: &str) -> bool {
    matches!(
        word,
        "percent"
            | "pct"
            | "percentage"
            | "per"
            | "square"
            | "cubic"
            | "sq"
            | "cu"
            | "degrees"
            | "degree"
            | "units"
            | "unit"
            | "radians"
            | "am"
            | "pm"
            | "thousand"
            | "million"
            | "billion"
    )
}

/// Returns the length of the bracketed expression at the start of a text. `None` if its line does not close
/// it, or if it has more than 2,000 bytes.
fn bracket_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().take(2_000) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// Returns whether `**` is a power operator, not the end of bold text.
fn is_power(text: &str, at: usize) -> bool {
    let base = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == ')');
    let exponent = &text[at + 2..];
    let digits = exponent.starts_with(|c: char| c.is_ascii_digit() || c == '(');
    base && digits && !exponent.contains("**")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_where_prose_starts() {
        for (text, value) in [
            ("42 because geometry proves it", "42"),
            ("10 cm^2", "10 cm^2"),
            ("3 + 4 = 7", "3 + 4 = 7"),
            ("1 and 2", "1 and 2"),
            ("$28$ percent", "$28$ percent"),
            ("C because", "C"),
            ("(C)", "(C)"),
            ("7 (seven)", "7"),
            ("$29.00", "$29.00"),
            ("one half", "one half"),
            ("72, in total", "72"),
            ("the 5", ""),
            ("A triangle", ""),
            ("18 dollars each", "18 dollars"),
            ("2√3", "2√3"),
            ("1,000.99€", "1,000.99€"),
            ("4:30 p.m. today", "4:30 p.m."),
            ("one sixth of it", "one sixth"),
            ("one-sixth", "one-sixth"),
            ("five sixth graders", "five sixth"),
            ("5 sixth graders", "5"),
            (".2", ".2"),
            ("x = .25 km.", "x = .25 km"),
            ("2 out of 5", "2 out of 5"),
            ("2 out of habit", "2"),
            ("n(n-1)!", "n(n-1)!"),
            ("5! = 120.", "5! = 120"),
            ("5! ways", "5!"),
            ("15! That was hard", "15"),
            ("42!", "42"),
            ("dozen ways", "dozen"),
            (r"-1 \leqslant a \leqslant 3.", r"-1 \leqslant a \leqslant 3"),
            (r"2\cdot 3", r"2\cdot 3"),
            (
                r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}.",
                r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}",
            ),
            (r"11,\! 111", r"11,\! 111"),
            (r"60^\circ 30'", r"60^\circ 30'"),
            (r"\pi is", r"\pi"),
            ("two and a half.", "two and a half"),
            ("3:30 in the afternoon.", "3:30 in the afternoon"),
            ("101 in base 2.", "101 in base 2"),
            ("5 in 36.", "5 in 36"),
            ("5 in 36 throws", "5"),
            ("3 to 2", "3 to 2"),
            ("5 in the box", "5"),
            ("March 5, 2021.", "March 5, 2021"),
            ("5 March 2021", "5 March 2021"),
            ("5 may be", "5"),
            ("1、2、$x$。", "1、2、$x$"),
            ("1、等", "1"),
            ("on", ""),
        ] {
            assert_eq!(&text[..value_length(text)], value, "{text}");
        }
    }
}
