//! Calendar dates, moments and durations. No clock is read: every moment comes from the caller.

use std::cmp::Ordering;
use std::fmt;

use fablegrade_public::identifier::Instant;

/// A day of the proleptic Gregorian calendar, years 0 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// The last day that RFC 3339 can express, counted from 0000-01-01.
const LAST_DAY: i64 = 3_652_424;

fn digits(text: &str) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.bytes().try_fold(0u64, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    })
}

pub(crate) fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Date {
    /// Parses a day `YYYY-MM-DD`; `None` if there is no such day.
    pub fn parse(text: &str) -> Option<Self> {
        let (year, rest) = (text.get(..4)?, text.get(4..)?);
        let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
        if month.len() != 2 || day.len() != 2 {
            return None;
        }
        let (year, month, day) = (digits(year)? as u16, digits(month)? as u8, digits(day)? as u8);
        ((1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day)).then_some(Self {
            year,
            month,
            day,
        })
    }

    /// Returns the year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// Returns the month, 1 to 12.
    pub fn month(self) -> u8 {
        self.month
    }

    /// Returns the day of the month, from 1.
    pub fn day(self) -> u8 {
        self.day
    }

    /// Returns the number of days since 0000-01-01.
    fn ordinal(self) -> i64 {
        let year = i64::from(self.year);
        let before = |year: i64| year * 365 + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
        let months: i64 = (1..self.month).map(|month| i64::from(days_in_month(self.year, month))).sum();
        before(year) + months + i64::from(self.day) - 1
    }

    fn from_ordinal(ordinal: i64) -> Option<Self> {
        if !(0..=LAST_DAY).contains(&ordinal) {
            return None;
        }
        // The estimate is at most one year off.
        let mut year = (ordinal * 400 / 146_097) as u16;
        let first = |year: u16| Self { year, month: 1, day: 1 }.ordinal();
        while year < 9999 && first(year + 1) <= ordinal {
            year += 1;
        }
        while first(year) > ordinal {
            year -= 1;
        }
        let mut rest = ordinal - first(year);
        let mut month = 1;
        while rest >= i64::from(days_in_month(year, month)) {
            rest -= i64::from(days_in_month(year, month));
            month += 1;
        }
        Some(Self { year, month, day: rest as u8 + 1 })
    }

    fn plus_months(self, months: u64) -> Option<Self> {
        let total = u64::from(self.year) * 12 + u64::from(self.month - 1) + months;
        let year = u16::try_from(total / 12).ok().filter(|year| *year <= 9999)?;
        let month = (total % 12) as u8 + 1;
        // The day is limited to the end of the month: January 31 plus a month is the last day of February.
        Some(Self { year, month, day: self.day.min(days_in_month(year, month)) })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// An RFC 3339 date-time: local date and time, with their offset from UTC.
///
/// Ordered by the instant, so `10:00Z` and `12:00+02:00` compare equal, and `==` agrees with that order.
#[derive(Debug, Clone)]
pub struct Moment {
    date: Date,
    hour: u8,
    minute: u8,
    /// 60 in a leap second.
    second: u8,
    /// The digits of the fraction, without trailing zeros.
    fraction: Box<str>,
    /// The offset as written: `Z` or `+hh:mm`.
    offset: Box<str>,
}

impl Moment {
    /// Parses an RFC 3339 date-time; `None` if `text` is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Instant::new(text)?;
        let number = |from: usize| text.get(from..from + 2).and_then(digits).map(|value| value as u8);
        let rest = text.get(19..)?;
        let (fraction, offset) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
            None => ("", rest),
        };
        Some(Self {
            date: Date::parse(text.get(..10)?)?,
            hour: number(11)?,
            minute: number(14)?,
            second: number(17)?,
            fraction: fraction.trim_end_matches('0').into(),
            offset: offset.to_ascii_uppercase().into(),
        })
    }

    /// Returns the first moment of `date` in UTC.
    pub fn midnight(date: Date) -> Self {
        Self { date, hour: 0, minute: 0, second: 0, fraction: "".into(), offset: "Z".into() }
    }

    /// Returns the calendar day in the moment's own offset.
    pub fn date(&self) -> Date {
        self.date
    }

    /// Returns hour, minute and second in the moment's own offset; the second is 60 in a leap second.
    pub fn time(&self) -> (u8, u8, u8) {
        (self.hour, self.minute, self.second)
    }

    fn offset_minutes(&self) -> i64 {
        let part = |from: usize| self.offset.get(from..from + 2).and_then(digits).unwrap_or(0) as i64;
        let minutes = part(1) * 60 + part(4);
        if self.offset.starts_with('-') { -minutes } else { minutes }
    }

    fn seconds(&self) -> i64 {
        let minutes = i64::from(self.hour) * 60 + i64::from(self.minute) - self.offset_minutes();
        self.date.ordinal() * 86_400 + minutes * 60 + i64::from(self.second)
    }

    /// Returns the text as the reference implementation writes it: never `Z`, and the fraction in groups of three
    /// digits, at most nine.
    pub(crate) fn to_reference_text(&self) -> String {
        let mut out = self.clone();
        let fraction = self.fraction.get(..9).unwrap_or(&self.fraction).trim_end_matches('0');
        let digits = fraction.len().next_multiple_of(3);
        out.fraction = format!("{fraction:0<digits$}").into();
        if &*out.offset == "Z" {
            out.offset = "+00:00".into();
        }
        out.to_string()
    }

    /// Returns this moment plus `duration`: years and months first, limited to the last day of the month,
    /// then weeks and days, then the time. The offset stays the same. `None` after the year 9999.
    pub fn plus(&self, duration: &Duration) -> Option<Self> {
        let mut out = self.clone();
        out.date = out.date.plus_months(duration.months)?;
        let days = i64::try_from(duration.days).ok()?;
        out.date = Date::from_ordinal(out.date.ordinal().checked_add(days)?)?;
        if duration.seconds > 0 {
            let of_day = i64::from(self.hour) * 3600 + i64::from(self.minute) * 60 + i64::from(self.second);
            let total = i64::try_from(duration.seconds).ok()?.checked_add(of_day)?;
            out.date = Date::from_ordinal(out.date.ordinal().checked_add(total / 86_400)?)?;
            let of_day = total % 86_400;
            out.hour = (of_day / 3600) as u8;
            out.minute = (of_day / 60 % 60) as u8;
            out.second = (of_day % 60) as u8;
        }
        Some(out)
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> Ordering {
        // Without trailing zeros, the digits of fractions can be compared as texts.
        self.seconds().cmp(&other.seconds()).then_with(|| self.fraction.cmp(&other.fraction))
    }
}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Moment {}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{:02}:{:02}:{:02}", self.date, self.hour, self.minute, self.second)?;
        if !self.fraction.is_empty() {
            write!(f, ".{}", self.fraction)?;
        }
        f.write_str(&self.offset)
    }
}

/// An ISO 8601 duration in whole units: `P[nY][nM][nW][nD][T[nH][nM][nS]]`, at least one of them, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duration {
    months: u64,
    days: u64,
    seconds: u64,
}

impl Duration {
    /// Parses a duration; `None` if `text` is not one. Every unit of the date part has a maximum of
    /// `u32::MAX`.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('P')?;
        let (date, time) = match rest.split_once('T') {
            Some((_, "")) => return None,
            Some((date, time)) => (date, time),
            None => (rest, ""),
        };
        if date.is_empty() && time.is_empty() {
            return None;
        }
        let [years, months, weeks, days] = units(date, [b'Y', b'M', b'W', b'D'])?;
        let [hours, minutes, seconds] = units(time, [b'H', b'M', b'S'])?;
        if [years, months, weeks, days].iter().any(|count| *count > u64::from(u32::MAX)) {
            return None;
        }
        Some(Self {
            months: years * 12 + months,
            days: weeks * 7 + days,
            seconds: hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?.checked_add(seconds)?,
        })
    }
}

/// Reads counts with their unit letters, each at most once and in the given order.
fn units<const N: usize>(mut text: &str, letters: [u8; N]) -> Option<[u64; N]> {
    let mut counts = [0; N];
    let mut next = 0;
    while !text.is_empty() {
        let length = text.bytes().take_while(u8::is_ascii_digit).count();
        let letter = *text.as_bytes().get(length)?;
        let unit = next + letters.get(next..)?.iter().position(|known| *known == letter)?;
        *counts.get_mut(unit)? = digits(text.get(..length)?)?;
        next = unit + 1;
        text = text.get(length + 1..)?;
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plus(moment: &str, duration: &str) -> Option<String> {
        Moment::parse(moment)?.plus(&Duration::parse(duration)?).map(|moment| moment.to_string())
    }

    #[test]
    fn the_reference_writes_nanoseconds_in_groups_of_three_digits() {
        for (fraction, written) in [
            ("", ""),
            (".5", ".500"),
            (".1234", ".123400"),
            (".1234567891", ".123456789"),
            (".0000000001", ""),
            (".1230000009", ".123"),
        ] {
            let moment = Moment::parse(&format!("2026-01-01T00:00:00{fraction}Z")).unwrap();
            assert_eq!(moment.to_reference_text(), format!("2026-01-01T00:00:00{written}+00:00"));
        }
    }

    #[test]
    fn ordinals_count_every_day_of_ten_thousand_years() {
        let mut date = Date::parse("0000-01-01").unwrap();
        assert_eq!(date.ordinal(), 0);
        let mut ordinal = 0;
        while let Some(next) = Date::from_ordinal(ordinal + 1) {
            assert!(next > date);
            assert_eq!(next.ordinal(), ordinal + 1);
            assert_eq!(Date::parse(&next.to_string()), Some(next));
            date = next;
            ordinal += 1;
        }
        assert_eq!(date.to_string(), "9999-12-31");
        assert_eq!(ordinal, LAST_DAY);
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        for text in [
            "2026-02-29",
            "2026-00-10",
            "2026-13-01",
            "2026-1-01",
            "2026-01-32",
            "+026-01-01",
            "",
            "é026-01-01",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert!(Date::parse("2024-02-29").is_some());
    }

    #[test]
    fn months_hold_the_end_and_days_carry() {
        for (moment, duration, expected) in [
            ("2026-01-31T10:00:00Z", "P1M", "2026-02-28T10:00:00Z"),
            ("2024-02-29T10:00:00Z", "P1Y", "2025-02-28T10:00:00Z"),
            ("2026-10-15T14:30:00Z", "P90D", "2027-01-13T14:30:00Z"),
            ("2026-12-31T23:59:59+05:30", "PT1S", "2027-01-01T00:00:00+05:30"),
            ("2026-01-31T00:00:00.250-08:00", "P1M1D", "2026-03-01T00:00:00.25-08:00"),
            ("2026-01-01T00:00:00Z", "P1Y2M3W4DT5H6M7S", "2027-03-26T05:06:07Z"),
            ("2016-12-31T23:59:60Z", "PT1S", "2017-01-01T00:00:01Z"),
        ] {
            assert_eq!(plus(moment, duration).as_deref(), Some(expected), "{moment} + {duration}");
        }
    }

    #[test]
    fn nothing_lies_after_the_year_9999() {
        for duration in
            ["P8000Y", "P4294967295Y", "P4294967295W", "PT18446744073709551615S", "PT300000000000S"]
        {
            assert_eq!(plus("2026-01-01T00:00:00Z", duration), None, "{duration}");
        }
        assert!(plus("9999-12-31T00:00:00Z", "PT86399S").is_some());
        assert_eq!(plus("9999-12-31T00:00:00Z", "PT86400S"), None);
    }

    #[test]
    fn durations_are_whole_upper_case_and_ordered() {
        for text in [
            "P",
            "PT",
            "P1DT",
            "P1.5D",
            "p1d",
            "-P1D",
            "P1D1Y",
            "PT0.5S",
            "P1",
            "1D",
            "P1D1D",
            "PT1D",
            "P1S",
            "P1Dé",
            "P4294967296D",
            "PT99999999999999999999S",
            "",
        ] {
            assert_eq!(Duration::parse(text), None, "{text}");
        }
        assert_eq!(Duration::parse("P1Y1M"), Some(Duration { months: 13, days: 0, seconds: 0 }));
        assert_eq!(Duration::parse("P0D"), Some(Duration { months: 0, days: 0, seconds: 0 }));
    }

    #[test]
    fn moments_compare_as_instants() {
        let parse = |text: &str| Moment::parse(text).unwrap();
        assert_eq!(parse("2026-01-01T10:00:00Z"), parse("2026-01-01T12:00:00+02:00"));
        assert_eq!(parse("2026-01-01T10:00:00.5Z"), parse("2026-01-01t10:00:00.500z"));
        assert!(parse("2026-01-01T10:00:00.5Z") > parse("2026-01-01T10:00:00.49Z"));
        assert!(parse("2026-01-01T00:00:00+14:00") < parse("2026-01-01T00:00:00Z"));
    }
}
