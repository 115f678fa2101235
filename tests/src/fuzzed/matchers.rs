//! The matchers of program output, compared with second implementations that are slow and simple.

use dashu_int::IBig;
use fablegrade_core::Matcher;
use serde_json::Value;

/// The first byte selects the matcher; after that, the first 0xFF byte separates the expected output from the actual one.
pub fn matchers(data: &[u8]) {
    let Some((&choice, texts)) = data.split_first() else { return };
    let Some(at) = texts.iter().position(|&byte| byte == 0xFF) else { return };
    let (expected, actual) = (&texts[..at], &texts[at + 1..]);
    let (word, slow): (&str, Option<bool>) = match choice % 5 {
        0 => ("exact", Some(expected == actual)),
        1 => ("trimmed_lines", Some(lines(expected) == lines(actual))),
        2 => ("tokens", Some(tokens(expected) == tokens(actual))),
        3 => ("float_tolerance", floats(expected, actual)),
        _ => ("json", json(expected, actual)),
    };
    let Some(matcher) = Matcher::from_word(word) else { return };
    let accepted = matcher.accepts(expected, actual, None);
    if let Some(slow) = slow {
        assert_eq!(
            accepted,
            slow,
            "{word}: {:?} and {:?}",
            String::from_utf8_lossy(expected),
            String::from_utf8_lossy(actual)
        );
    }
    if word == "exact" || word == "trimmed_lines" || word == "tokens" {
        assert_eq!(accepted, matcher.accepts(actual, expected, None));
    }
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
    for &byte in text {
        match lines.last_mut() {
            Some(line) if byte != b'\n' => line.push(byte),
            _ => lines.push(Vec::new()),
        }
    }
    for line in &mut lines {
        while line.last().is_some_and(|byte| b" \t\r\x0b\x0c".contains(byte)) {
            line.pop();
        }
    }
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

fn tokens(text: &[u8]) -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> = vec![Vec::new()];
    for &byte in text {
        if b" \t\n\r\x0b\x0c".contains(&byte) {
            tokens.push(Vec::new());
        } else if let Some(token) = tokens.last_mut() {
            token.push(byte);
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// Digits times a power of ten.
type Scaled = (IBig, i64);

enum Token {
    Number(Scaled),
    Word,
    /// A number with an exponent of more than three digits, which is too large to expand here.
    Endless,
}

/// Parses a number of the form `[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?`; all other tokens are words.
fn number(token: &[u8]) -> Token {
    let text = std::str::from_utf8(token).unwrap_or("x");
    let (negative, rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !digits(whole) || !digits(part) || whole.is_empty() && part.is_empty() {
        return Token::Word;
    }
    let mut power = -(part.len() as i64);
    if let Some(exponent) = exponent {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if unsigned.is_empty() || !digits(unsigned) {
            return Token::Word;
        }
        let Some(size) = unsigned.parse::<i64>().ok().filter(|_| unsigned.len() <= 3) else {
            return Token::Endless;
        };
        power += if exponent.starts_with('-') { -size } else { size };
    }
    let all = format!("{whole}{part}");
    let Ok(value) = IBig::from_str_radix(&all, 10) else { return Token::Word };
    Token::Number((if negative { -value } else { value }, power))
}

/// Compares outputs token by token, numbers with a tolerance of 10^-6; `None` if a token or an exponent is too long
/// for this implementation.
fn floats(expected: &[u8], actual: &[u8]) -> Option<bool> {
    let (expected, actual) = (tokens(expected), tokens(actual));
    if expected.len() != actual.len() {
        return Some(false);
    }
    for (e, a) in expected.iter().zip(&actual) {
        if e.len() > 60 || a.len() > 60 {
            return None;
        }
        let accepted = match (number(e), number(a)) {
            (Token::Endless, _) | (_, Token::Endless) => return None,
            (Token::Number((e, e_power)), Token::Number((a, a_power))) => {
                let least = e_power.min(a_power).min(0) - 6;
                let ten = IBig::from(10);
                let scale = |value: IBig, power: i64| value * ten.pow((power - least) as usize);
                let (e, a) = (scale(e, e_power), scale(a, a_power));
                let one = scale(IBig::ONE, 0);
                let size = |value: IBig| if value < IBig::ZERO { -value } else { value };
                let million = IBig::from(1_000_000);
                let distance = size(e.clone() - a) * million;
                distance <= one || distance <= size(e)
            }
            (Token::Number(_), Token::Word) => false,
            (Token::Word, _) => e == a,
        };
        if !accepted {
            return Some(false);
        }
    }
    Some(true)
}

/// Compares with another JSON reader; `None` for inputs that it can read differently: more than 14 digits or exponents of
/// several digits (up to there, its binary floats differ if the numbers do), more than 100 brackets, and objects that
/// can have duplicate keys: those with another number of colons than members.
fn json(expected: &[u8], actual: &[u8]) -> Option<bool> {
    let has_long_exponent = |text: &[u8]| {
        text.iter().enumerate().filter(|(_, byte)| b"eE".contains(byte)).any(|(at, _)| {
            let after = &text[at + 1..];
            let digits = after.strip_prefix(b"+").or_else(|| after.strip_prefix(b"-")).unwrap_or(after);
            digits.iter().take_while(|byte| byte.is_ascii_digit()).count() > 1
        })
    };
    let excluded = |text: &[u8]| {
        text.iter().filter(|byte| byte.is_ascii_digit()).count() > 14
            || text.iter().filter(|byte| b"[{".contains(byte)).count() > 100
            || has_long_exponent(text)
    };
    if excluded(expected) || excluded(actual) {
        return None;
    }
    let read = |text: &[u8]| serde_json::from_slice::<Value>(text).ok();
    let (e, a) = (read(expected), read(actual));
    let may_repeat = |text: &[u8], value: &Option<Value>| {
        let members = value.as_ref().map_or(0, members);
        members > 0 && members != text.iter().filter(|byte| **byte == b':').count()
    };
    if may_repeat(expected, &e) || may_repeat(actual, &a) {
        return None;
    }
    match (e, a) {
        (Some(e), Some(a)) => Some(alike(&e, &a)),
        (Some(_), None) => Some(false),
        // The expected text is not JSON.
        (None, _) => None,
    }
}

/// Returns the number of members of all objects in a value.
fn members(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(members).sum(),
        Value::Object(fields) => fields.len() + fields.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| alike(value, other)))
        }
        (a, b) => a == b,
    }
}
