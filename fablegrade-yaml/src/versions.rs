//! Scalars that YAML 1.1 and YAML 1.2 read differently.

use super::is_number;

const BLANKS: [char; 2] = [' ', '\t'];

/// Returns what a plain scalar is in YAML 1.1, as PyYAML reads it, if YAML 1.2 reads it differently; `None` for
/// scalars of more than 64 bytes.
pub(super) fn read_by_yaml_1_1(text: &str) -> Option<&'static str> {
    if text.len() > 64 {
        return None;
    }
    if text == "=" {
        return Some("a default value");
    }
    let lower = text.to_ascii_lowercase();
    let one_case = text == lower || text == text.to_ascii_uppercase() || {
        let mut rest = text.chars();
        rest.next().is_some_and(|first| first.is_ascii_uppercase()) && rest.all(|c| c.is_ascii_lowercase())
    };
    if one_case && matches!(lower.as_str(), "yes" | "no" | "on" | "off") {
        return Some("true or false");
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    // Returns the digits after a prefix, if there are only allowed digits and `_`.
    let digits_after = |prefix: &str, allowed: fn(u8) -> bool| {
        let digits = unsigned.strip_prefix(prefix).filter(|digits| !digits.is_empty());
        digits.filter(|digits| digits.bytes().all(|byte| byte == b'_' || allowed(byte)))
    };
    if digits_after("0b", |byte| matches!(byte, b'0' | b'1')).is_some() {
        return Some("a binary number");
    }
    if digits_after("0x", |byte| byte.is_ascii_hexdigit()).is_some() {
        return (!is_number(text)).then_some("a hexadecimal number");
    }
    if digits_after("0", |byte| matches!(byte, b'0'..=b'7')).is_some() {
        // One digit has the same value in both bases.
        let one_digit = unsigned.trim_start_matches('0').len() < 2 && is_number(text);
        return (!one_digit).then_some("an octal number");
    }
    if is_sexagesimal(unsigned) {
        return Some("a number to base 60");
    }
    if is_date(text) {
        return Some("a date");
    }
    let endless = matches!(lower.trim_start_matches(['+', '-']), ".inf" | ".nan");
    match (is_decimal_1_1(text) || endless, is_number(text) || endless) {
        (true, false) => Some("a number"),
        (false, true) => Some("text"),
        _ => None,
    }
}

/// Returns whether a text starts with a digit and has only digits and `_`.
fn digits_1_1(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

/// Returns whether a scalar without its sign is a number to base 60, such as `1:30` or `1:30.5`.
fn is_sexagesimal(unsigned: &str) -> bool {
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let Some((first, rest)) = whole.split_once(':') else { return false };
    digits_1_1(first)
        && (fraction.is_some() || !first.starts_with('0'))
        && fraction.is_none_or(|text| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_'))
        && rest.split(':').all(|part| match part.as_bytes() {
            [one] => one.is_ascii_digit(),
            [ten, one] => matches!(ten, b'0'..=b'5') && one.is_ascii_digit(),
            _ => false,
        })
}

/// Returns whether a text has `least` to `most` digits and nothing else.
fn has_digits(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a scalar is a date, or a date with a time, in YAML 1.1.
fn is_date(text: &str) -> bool {
    let (day, time) = match text.find(['T', 't', ' ', '\t']) {
        Some(at) if text[at..].starts_with(['T', 't']) => (&text[..at], Some(&text[at + 1..])),
        Some(at) => (&text[..at], Some(text[at..].trim_start_matches(BLANKS))),
        None => (text, None),
    };
    let parts: Vec<&str> = day.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    // Without a time, month and day have two digits.
    let least = if time.is_some() { 1 } else { 2 };
    has_digits(year, 4, 4)
        && has_digits(month, least, 2)
        && has_digits(day, least, 2)
        && time.is_none_or(is_time)
}

/// Returns whether the text after the day is a time in YAML 1.1, such as `3:04:05.6 +02:00`.
fn is_time(time: &str) -> bool {
    let clock: Vec<&str> = time.splitn(3, ':').collect();
    let [hour, minute, rest] = clock.as_slice() else { return false };
    let Some((second, rest)) = rest.split_at_checked(2) else { return false };
    let digit = |c: char| c.is_ascii_digit();
    let zone = rest.strip_prefix('.').map_or(rest, |fraction| fraction.trim_start_matches(digit));
    let zone = zone.trim_start_matches(BLANKS);
    let offset = |zone: &str| match zone.split_once(':') {
        Some((hours, minutes)) => has_digits(hours, 1, 2) && has_digits(minutes, 2, 2),
        None => has_digits(zone, 1, 2),
    };
    has_digits(hour, 1, 2)
        && has_digits(minute, 2, 2)
        && has_digits(second, 2, 2)
        && (matches!(zone, "" | "Z") || zone.strip_prefix(['+', '-']).is_some_and(offset))
}

/// Returns whether a scalar is a decimal number in YAML 1.1.
///
/// Such a number with an exponent has a point, and a sign after its `e`. If it starts with its point, it has
/// no sign. A whole number other than 0 does not start with 0.
fn is_decimal_1_1(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let Some((whole, fraction)) = unsigned.split_once('.') else {
        return unsigned == "0" || digits_1_1(unsigned) && !unsigned.starts_with('0');
    };
    let (fraction, power) = match fraction.split_once(['e', 'E']) {
        Some((fraction, power)) => (fraction, Some(power)),
        None => (fraction, None),
    };
    let power_form = power.is_none_or(|power| {
        power
            .strip_prefix(['+', '-'])
            .is_some_and(|power| !power.is_empty() && power.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let mantissa = if whole.is_empty() {
        text == unsigned && digits_1_1(fraction)
    } else {
        digits_1_1(whole) && fraction.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    mantissa && power_form
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scalars that PyYAML 6, which reads YAML 1.1, and the core schema of YAML 1.2 read differently, by what they
    /// are in 1.1.
    const DIFFERENT: [(&str, &[&str]); 4] = [
        (
            "number",
            &[
                "010",
                "-010",
                "1_000",
                "1_0.5",
                "-0x1F",
                "+0x1F",
                "0x1_F",
                "0b101",
                "-0b101",
                "0b1_0",
                "1:30",
                "1:30.5",
                "1:5",
                "-1:30",
                "1:30:00",
                "1:30.",
                "190:20:30.15",
                ".5_0",
                "1._0",
                "0.1_1",
                "-1_0",
                "1__0",
                "0_",
                "1_",
                "0_7",
                "1_000_",
                "1:2:3:4",
                "0b_",
                "0b1",
                "0x_",
                "190:20",
                "1:05.5",
                "1:5.5",
                "1_0:10",
                "10:08",
                "-0b1",
                "+0b1",
                "+0x1",
                "-1:30.5",
                "1:30.5_0",
                "1:30._5",
                "0:30.5",
                "1_0:20.5",
                "+010",
            ],
        ),
        (
            "text",
            &[
                "08", "09", "-08", "+08", "0o17", "1e3", "1E3", "1.5e3", "1.e3", ".5e3", "-.5", "+.5",
                "-.5e3", "+1e3", "1e+3", "9e9", "0e0", "0e1", "-.5e+3", "0.0e0", "-1.5e3", "6.02e23", "1e-9",
            ],
        ),
        (
            "a date",
            &[
                "2020-01-02",
                "2020-01-02T03:04:05Z",
                "2020-13-45",
                "2020-01-02t3:04:05.123-05:00",
                "2020-01-02 03:04:05",
                "2020-01-02 03:04:05 +1",
                "2020-01-02 03:04:05 Z",
                "2020-1-2 3:04:05",
                "2020-01-02  3:04:05.",
                "2020-01-02T03:04:05.6 -02:30",
                "2020-01-02T03:04:05+02",
            ],
        ),
        ("true or false", &["yes", "Yes", "YES", "no", "on", "off"]),
    ];

    /// Scalars that both read as the same value.
    const SAME: &[&str] = &[
        "0",
        "00",
        "007",
        "08.5",
        "0.8",
        "_1",
        "0o8",
        "-0o17",
        "0x1E",
        "0x1F",
        "0xE",
        "0X1F",
        "0b2",
        "1:60",
        "0:30",
        "01:30",
        "1.5e+3",
        "1.5E-3",
        "1.e+3",
        ".5",
        ".5e+3",
        ".5e-3",
        "._5",
        ".",
        "1.",
        "+1.",
        "1_e3",
        "2020-1-2",
        "20-01-02",
        "yEs",
        "y",
        "n",
        "Y",
        "N",
        "true",
        "TRUE",
        "null",
        "~",
        "12",
        "+12",
        "-12",
        "1.5",
        "+1.5",
        "2020-1-02",
        "2020-01-02T03:04",
        "2020-01-02T 03:04:05",
        "2020-01-02 T03:04:05",
        "2020-01-02 03:04:0512",
        "2020-01-02 03:04:05-",
        "2020-01-02 03:04:05Z Z",
        "2020-01-02 03:04:05z",
        "2020-01-02 03:04:05+1:2",
        "2020-01-02 03:04:05+123",
        "2020-01-02 03:04:05.6.7",
        "2020-01-02 03:04:5",
        "0b",
        "0x",
        "0_8",
        "1,000",
        "00.5",
        "0x1G",
        ".5.",
        ".e3",
        "1:1_0",
        "0:10",
        "08:30",
        "-0o7",
        "123e",
        "12e+",
        "7",
        "-7",
        "-007",
        "8",
        "100",
        "1.0",
        "-0",
        "+0",
        "-00",
        "word",
        "1-2",
        "3.14",
        "10.0e-3",
    ];

    #[test]
    fn the_versions_differ_where_two_readers_differ() {
        for (kind, scalars) in DIFFERENT {
            for scalar in scalars {
                let read = read_by_yaml_1_1(scalar);
                assert!(read.is_some_and(|read| read.contains(kind)), "{scalar}: {kind}, not {read:?}");
            }
        }
        for scalar in SAME {
            assert_eq!(read_by_yaml_1_1(scalar), None, "{scalar}");
        }
    }
}
