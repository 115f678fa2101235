//! Times of day and dates.

/// A time of day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Time {
    seconds: u32,
    /// Whether the text can also be a ratio, such as `3:30`.
    open: bool,
}

impl Time {
    /// Returns whether two times are the same. A time without a.m. or p.m. is on the 24-hour clock.
    pub(crate) fn same(self, other: Self) -> bool {
        self.seconds == other.seconds
    }

    /// Returns whether the text can only be a time, not a ratio.
    pub(crate) fn is_certain(self) -> bool {
        !self.open
    }
}

/// Reads `3:30 \text{ p.m.}`, `20:34:00`, `8:05 AM`, `3 PM`.
pub(crate) fn time(text: &str) -> Option<Time> {
    if text.len() > 60 {
        return None;
    }
    let plain = super::words::flatten(text).to_ascii_lowercase();
    let plain = plain.trim();
    match plain {
        "noon" | "12 noon" => return Some(Time { seconds: 12 * 3600, open: false }),
        "midnight" => return Some(Time { seconds: 0, open: false }),
        _ if !text.starts_with(|c: char| c.is_ascii_digit() || c == '\\') => return None,
        _ => {}
    }
    // `3.30 pm` and `15h30`
    let rewritten = with_colon(plain);
    let plain = rewritten.as_deref().unwrap_or(plain);
    let end = plain.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b':').count();
    let (clock, half) = plain.split_at(end);
    let half: String = half.chars().filter(char::is_ascii_alphabetic).collect();
    let mut parts = clock.split(':');
    let number = |part: Option<&str>, digits: std::ops::RangeInclusive<usize>, limit: u32| {
        let part = part?;
        let value: u32 = part.parse().ok()?;
        (digits.contains(&part.len()) && value < limit).then_some(value)
    };
    let mut hours = number(parts.next(), 1..=2, 25)?;
    let minutes = match parts.next() {
        None if matches!(
            half.as_str(),
            "am" | "pm" | "oclock" | "inthemorning" | "intheafternoon" | "intheevening"
        ) =>
        {
            0
        }
        minutes => number(minutes, 2..=2, 60)?,
    };
    let seconds = match parts.next() {
        None => 0,
        some => number(some, 2..=2, 60)?,
    };
    if parts.next().is_some() {
        return None;
    }
    let open = match half.as_str() {
        // a ratio has no leading zeros
        "" => !clock.contains(":0"),
        "am" | "ampm" if hours <= 12 => {
            hours %= 12;
            false
        }
        "inthemorning" if hours <= 12 => {
            hours %= 12;
            false
        }
        "pm" | "intheafternoon" | "intheevening" if hours <= 12 => {
            hours = hours % 12 + 12;
            false
        }
        "pm" | "am" | "oclock" | "h" | "uhr" => false,
        _ => return None,
    };
    Some(Time { seconds: hours * 3600 + minutes * 60 + seconds, open })
}

/// Returns a time of day with a colon: `3.30 pm` becomes `3:30 pm`, and `15h30` becomes `15:30 h`.
fn with_colon(plain: &str) -> Option<String> {
    let hours = plain.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &plain[hours..];
    let sign = behind.chars().next().filter(|c| matches!(c, '.' | 'h'))?;
    let minutes = behind.get(1..3).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let half = behind[3..].trim();
    let marked = half.starts_with(['a', 'p']) || half == "uhr" || half == "h" || half.starts_with("in the ");
    match sign {
        '.' if marked => Some(format!("{}:{minutes} {half}", &plain[..hours])),
        'h' if half.is_empty() => Some(format!("{}:{minutes} h", &plain[..hours])),
        _ => None,
    }
}

/// A date; the year can be missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Date {
    year: Option<u32>,
    month: u32,
    day: u32,
}

impl Date {
    /// Returns whether two dates agree in all parts that both have.
    pub(crate) fn same(self, other: Self) -> bool {
        self.month == other.month
            && self.day == other.day
            && self.year.zip(other.year).is_none_or(|(year, other)| year == other)
    }
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

pub(super) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Reads `March 5`, `March 5, 2024`, `5 March 2024`, `2024-03-05`.
pub(crate) fn date(text: &str) -> Option<Date> {
    if text.len() > 80 {
        return None;
    }
    let digits = |part: &str| {
        let part = part.strip_suffix("st").or_else(|| part.strip_suffix("nd")).unwrap_or(part);
        let part = part.strip_suffix("rd").or_else(|| part.strip_suffix("th")).unwrap_or(part);
        part.parse::<u32>().ok().filter(|_| part.len() <= 4)
    };
    let bytes = text.as_bytes();
    if bytes.len() == 10 && matches!(bytes[4], b'-' | b'/') && bytes[7] == bytes[4] {
        let (year, month, day) = (digits(text.get(..4)?)?, digits(text.get(5..7)?)?, digits(text.get(8..)?)?);
        return ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Date {
            year: Some(year),
            month,
            day,
        });
    }
    if !bytes.iter().any(u8::is_ascii_alphabetic) {
        return None;
    }
    let plain = super::words::flatten(text).to_ascii_lowercase();
    let (mut year, mut month, mut day) = (None, None, None);
    for part in plain.split([' ', ',', '.']).filter(|part| !part.is_empty()) {
        let known = MONTHS.iter().position(|name| {
            *name == part
                || (part.len() == 3 && name.starts_with(part))
                || *name == "september" && part == "sept"
        });
        match (known, digits(part)) {
            (Some(at), _) if month.is_none() => month = Some(at as u32 + 1),
            (None, Some(value)) if value > 31 && year.is_none() => year = Some(value),
            (None, Some(value)) if (1..=31).contains(&value) && day.is_none() => day = Some(value),
            (None, None) if matches!(part, "of" | "the" | "on") || WEEKDAYS.contains(&part) => {}
            _ => return None,
        }
    }
    Some(Date { year, month: month?, day: day? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_dates_are_read_in_their_forms() {
        let same = |a, b| time(a).zip(time(b)).is_some_and(|(a, b)| a.same(b));
        assert!(same(r"3:30 \text{ p.m.}", "3:30 PM"));
        assert!(same("20:34:00", "20:34") && same("15:00", "3 PM") && !same("15:00", "3:00"));
        assert!(time("3").is_none() && time("3 m").is_none());
        assert!(same(r"08:34 \text{P.M.}", "20:34") && same("8:34 in the evening", "20:34"));
        assert!(!same("8:34 am", "20:34"));
        assert!(same("noon", "12 pm") && same("3.30 pm", "15:30") && same("15h30", "3:30 pm"));
        assert!(same("3 in the afternoon", "15:00") && !same("noon", "12 am"));
        assert!(time("3.30").is_none() && time("3h").is_none());
        let same = |a, b| date(a).zip(date(b)).is_some_and(|(a, b)| a.same(b));
        assert!(same(r"\text{March 5}", r"\text{March 5, }2024"));
        assert!(same("2024-03-05", r"\text{March 5, 2024}"));
        assert!(!same(r"\text{March 5}", "May 3"));
        assert!(same("2024/03/05", "Tuesday, March 5, 2024") && same("Sept. 1", "September 1"));
        assert!(date("x+5").is_none());
    }
}
