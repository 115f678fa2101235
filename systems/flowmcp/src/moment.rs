//! Points in time that can be compared, and the timestamps in names of files and gradings.

use std::fmt;

use fablegrade_public::identifier::Instant;

/// A point in time, in seconds since 1970-01-01T00:00:00Z and nanoseconds.
///
/// Finer fractions are truncated. A leap second counts as the second after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    seconds: i64,
    nanoseconds: u32,
}

/// The number of seconds in a day.
const DAY: i64 = 86_400;

impl Moment {
    /// A moment earlier than every instant that RFC 3339 can express.
    pub const MIN: Self = Self { seconds: i64::MIN / 4, nanoseconds: 0 };

    /// Returns the moment of an RFC 3339 time with any offset, limited to the years 0000 to 9999 in UTC.
    pub fn of(instant: &Instant) -> Self {
        let text = instant.as_str().as_bytes();
        let number = |from: usize, to: usize| digits(text.get(from..to).unwrap_or_default());
        let mut seconds = days(number(0, 4), number(5, 7), number(8, 10)) * DAY
            + number(11, 13) * 3600
            + number(14, 16) * 60
            + number(17, 19);
        let mut at = 19;
        let mut nanoseconds = 0;
        if text.get(at) == Some(&b'.') {
            at += 1;
            let mut place = 100_000_000;
            while let Some(digit) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
                nanoseconds += u32::from(digit - b'0') * place;
                place /= 10;
                at += 1;
            }
        }
        let offset = number(at + 1, at + 3) * 3600 + number(at + 4, at + 6) * 60;
        match text.get(at) {
            Some(b'+') => seconds -= offset,
            Some(b'-') => seconds += offset,
            _ => {}
        }
        // A timestamp has a year from 0000 to 9999, but an offset can move the time out of this range.
        Self { seconds: seconds.clamp(days(0, 1, 1) * DAY, days(10_000, 1, 1) * DAY - 1), nanoseconds }
    }

    /// Returns the moment of a timestamp `YYYY-MM-DDTHH-MM-SSZ`, or `None` if the text is not a valid
    /// timestamp.
    pub fn of_stamp(stamp: &str) -> Option<Self> {
        let bytes = stamp.as_bytes();
        if bytes.len() != 20
            || bytes[13] != b'-'
            || bytes[16] != b'-'
            || bytes[10] != b'T'
            || bytes[19] != b'Z'
        {
            return None;
        }
        // `get` returns `None` if it would split a character, and `Instant` checks the other bytes.
        let (date, hour, minute, second) =
            (stamp.get(..10)?, stamp.get(11..13)?, stamp.get(14..16)?, stamp.get(17..19)?);
        Instant::new(&format!("{date}T{hour}:{minute}:{second}Z")).map(|instant| Self::of(&instant))
    }

    /// Returns the timestamp `YYYY-MM-DDTHH-MM-SSZ` of this moment, without fractions of a second.
    pub fn stamp(self) -> String {
        let (year, month, day) = date(self.seconds.div_euclid(DAY));
        let time = self.seconds.rem_euclid(DAY);
        format!("{year:04}-{month:02}-{day:02}T{:02}-{:02}-{:02}Z", time / 3600, time / 60 % 60, time % 60)
    }

    /// Returns the moment in UTC in RFC 3339 format, without fractions of a second.
    pub fn rfc3339(self) -> String {
        let stamp = self.stamp();
        let (date, time) = stamp.split_once('T').unwrap_or((&stamp, ""));
        format!("{date}T{}", time.replace('-', ":"))
    }

    /// Returns the moment that is `days` days later, or earlier if `days` is negative.
    #[must_use]
    pub fn plus_days(self, days: i64) -> Self {
        Self { seconds: self.seconds.saturating_add(days.saturating_mul(DAY)), nanoseconds: self.nanoseconds }
    }

    /// Returns whether this moment is more than `days` days after `earlier`.
    pub fn is_later_by_more_than(self, days: u32, earlier: Self) -> bool {
        let limit =
            Self { seconds: earlier.seconds + i64::from(days) * DAY, nanoseconds: earlier.nanoseconds };
        self > limit
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.stamp())
    }
}

fn digits(text: &[u8]) -> i64 {
    text.iter()
        .filter(|byte| byte.is_ascii_digit())
        .fold(0, |value, byte| value * 10 + i64::from(byte - b'0'))
}

/// Returns the number of days from 1970-01-01 to a date of the proleptic Gregorian calendar.
///
/// In the computation, years begin in March and eras have 400 years.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the inverse of [`days`].
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        Moment::of(&Instant::new(text).unwrap())
    }

    #[test]
    fn offsets_and_fractions_name_the_same_moments() {
        assert_eq!(moment("1970-01-01T00:00:00Z").seconds, 0);
        assert_eq!(moment("2000-03-01T00:00:00Z").seconds, 951_868_800);
        assert_eq!(moment("2026-05-29T10:00:00Z"), moment("2026-05-29T12:30:00+02:30"));
        assert_eq!(moment("2026-05-29T10:00:00.5Z"), moment("2026-05-29t05:00:00.500-05:00"));
        assert!(moment("2026-05-29T10:00:00.1Z") > moment("2026-05-29T10:00:00Z"));
        assert_eq!(moment("1990-12-31T23:59:60Z"), moment("1991-01-01T00:00:00Z"));
    }

    #[test]
    fn stamps_are_read_and_written() {
        assert_eq!(moment("2026-05-29T23:34:10-01:00").stamp(), "2026-05-30T00-34-10Z");
        for stamp in ["0000-01-01T00-00-00Z", "2024-02-29T23-59-59Z", "9999-12-31T00-00-00Z"] {
            assert_eq!(Moment::of_stamp(stamp).unwrap().stamp(), stamp);
        }
        assert_eq!(moment("9999-12-31T23:30:00-01:00").stamp(), "9999-12-31T23-59-59Z");
        assert_eq!(moment("0000-01-01T00:00:00+01:00").stamp(), "0000-01-01T00-00-00Z");
        for text in [
            "2026-05-30T10:15:00Z",
            "2026-02-30T10-15-00Z",
            "2026-05-29T15-34Z",
            "",
            "2026-05-30T10-15-00Zx",
            "2026-05-3éT10-15-0Z",
        ] {
            assert_eq!(Moment::of_stamp(text), None, "{text}");
        }
    }

    #[test]
    fn an_age_is_exceeded_only_past_the_whole_days() {
        let scored = moment("2026-05-01T10:00:00Z");
        assert!(!moment("2026-05-15T10:00:00Z").is_later_by_more_than(14, scored));
        assert!(moment("2026-05-15T10:00:00.000000001Z").is_later_by_more_than(14, scored));
        assert!(!moment("2026-04-01T10:00:00Z").is_later_by_more_than(0, scored));
    }

    proptest::proptest! {
        #[test]
        fn dates_come_back(day in -719_528i64..2_932_897) {
            let (year, month, of_month) = date(day);
            proptest::prop_assert_eq!(days(year, month, of_month), day);
        }
    }
}
