//! Computes the time limit from the times of the jury's submissions. A submission is a lower bound if the limit must be
//! long enough for it, and an upper bound if the limit must be too short for it.
//!
//! - Legacy: `max(1, ceil(T * time_multiplier))` seconds, where `T` is the time of the slowest accepted submission.
//! - 2025-09: the author's limit, or else the smallest positive multiple of `time_resolution` that is long enough. The
//!   limit must be at least `ac_to_time_limit` times the time of each lower bound, and at most the time of each upper
//!   bound divided by `time_limit_to_tle`.

use std::time::Duration;

use fablegrade_public::{Decimal, Ratio};

use crate::Package;
use crate::expectation::{Expected, LegacyFolder, Submission};
use crate::judge::Judgement;
use crate::verdict::Verdict;

/// A submission of the jury, judged with the time after which it was stopped as the time limit.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// The submission.
    pub submission: &'a Submission,
    /// Its judgement.
    pub judgement: &'a Judgement,
}

/// A time limit and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimeLimit {
    /// The limit.
    pub limit: Duration,
    /// The time limit for judging submissions a second time, to find the verdicts that depend on it: the limit times
    /// `time_safety_margin` or `time_limit_to_tle`.
    pub safety: Duration,
    /// The slowest lower bound: path and time.
    pub slowest: Option<(String, Duration)>,
    /// The fastest upper bound: path and time.
    pub fastest: Option<(String, Duration)>,
    /// Whether the author set the limit.
    pub explicit: bool,
    /// The reasons why the limit does not suit the submissions.
    pub errors: Vec<String>,
}

fn seconds(time: Duration) -> Ratio {
    Ratio::new(i64::try_from(time.as_nanos()).unwrap_or(i64::MAX), 1_000_000_000)
}

/// Rounds seconds up to whole nanoseconds; at most a day.
fn duration(seconds: &Ratio) -> Duration {
    let value = seconds.to_f64();
    Duration::from_nanos((value.clamp(0.0, 86_400.0) * 1e9).ceil() as u64)
}

/// 2^53, up to which an `f64` represents every integer.
const INEXACT: f64 = 9_007_199_254_740_992.0;

/// Returns the smallest positive multiple of `step` that is at least `value`. If their quotient is 2^53 or more,
/// returns the value itself; for times of up to a day, the difference is under a nanosecond.
fn next_multiple(value: &Ratio, step: &Decimal) -> Ratio {
    let step = Ratio::from_decimal(step);
    let quotient = value.over(&step).map_or(0.0, |quotient| quotient.to_f64());
    if quotient >= INEXACT {
        return value.clone();
    }
    // The estimate is off by at most one, so exact comparisons start one below it.
    let mut count = (quotient.ceil() as i64).max(1) - 1;
    count = count.max(1);
    while Ratio::new(count, 1).times(&step) < *value {
        count += 1;
    }
    Ratio::new(count, 1).times(&step)
}

/// Returns the longest time on the cases that a rule covers.
fn slowest(package: &Package, measured: Measured<'_>, covers: impl Fn(&str) -> bool) -> Option<Duration> {
    let cases = package.cases.iter().zip(&measured.judgement.cases);
    cases.filter(|(case, _)| covers(&case.name)).filter_map(|(_, result)| Some(result.as_ref()?.time)).max()
}

/// Returns the time limit by the rules of the package's version. `measured` must contain the submissions that are
/// lower bounds; upper bounds are optional.
pub fn time_limit(package: &Package, measured: &[Measured<'_>]) -> TimeLimit {
    let limits = &package.problem.limits;
    let mut lower: Option<(String, Duration)> = None;
    let mut upper: Option<(String, Duration)> = None;
    let mut errors = Vec::new();
    let mut count = |path: &str, time: Duration, below: bool| {
        if below && lower.as_ref().is_none_or(|(_, known)| time > *known) {
            lower = Some((path.to_owned(), time));
        }
        if !below && upper.as_ref().is_none_or(|(_, known)| time < *known) {
            upper = Some((path.to_owned(), time));
        }
    };
    for one in measured {
        let path = &one.submission.path;
        match &one.submission.expected {
            Expected::Folder(Some(LegacyFolder::Accepted)) => {
                if one.judgement.verdict == Some(Verdict::Accepted) {
                    count(path, one.judgement.time, true);
                }
            }
            Expected::Folder(_) => {}
            Expected::All(all) => {
                for rule in all {
                    let Some(time) = slowest(package, *one, |case| rule.covers(case)) else { continue };
                    if rule.time.lower {
                        count(path, time, true);
                    }
                    if rule.time.upper {
                        count(path, time, false);
                    }
                }
            }
        }
    }
    let factor = Ratio::from_decimal(&limits.ac_to_time_limit);
    let margin = Ratio::from_decimal(&limits.time_limit_to_tle);
    let needed = lower.as_ref().map_or_else(Ratio::zero, |(_, time)| seconds(*time).times(&factor));
    let limit = match (&limits.time_limit, package.problem.version.is_legacy()) {
        (Some(explicit), _) => {
            let explicit = Ratio::from_decimal(explicit);
            if needed > explicit
                && let Some((path, time)) = &lower
            {
                errors.push(format!(
                    "{path} takes {:.3} s, so the limit must be at least {:.3} s",
                    time.as_secs_f64(),
                    needed.to_f64()
                ));
            }
            explicit
        }
        (None, true) => next_multiple(&needed, &Decimal::one()),
        (None, false) => next_multiple(&needed, &limits.time_resolution),
    };
    if lower.is_none() && !package.submissions.is_empty() {
        errors.push("no submission bounds the time limit from below".into());
    }
    let safety = limit.times(&margin);
    if let Some((path, time)) = &upper
        && seconds(*time) < safety
    {
        errors.push(format!(
            "{path} takes {:.3} s only, so the limit must be at most {:.3} s",
            time.as_secs_f64(),
            seconds(*time).over(&margin).map_or(0.0, |limit| limit.to_f64())
        ));
    }
    TimeLimit {
        limit: duration(&limit),
        safety: duration(&safety),
        slowest: lower,
        fastest: upper,
        explicit: limits.time_limit.is_some(),
        errors,
    }
}

/// The distance of a time from the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closeness {
    /// More than a fifth of the limit away: noise in the measurement is unlikely to change the verdict.
    Clear,
    /// Within a fifth of the limit: another run, or another machine, may give a different verdict.
    Close,
}

/// Returns [`Closeness::Close`] if a time is within a fifth of the limit, so noise in the measurement could change the
/// verdict.
pub fn closeness(time: Duration, limit: Duration) -> Closeness {
    let (time, limit) = (time.as_nanos(), limit.as_nanos());
    if time * 10 >= limit * 8 && time * 10 <= limit * 12 { Closeness::Close } else { Closeness::Clear }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples() {
        let multiple =
            |value: Ratio, step: &str| next_multiple(&value, &Decimal::from_text(step).unwrap()).to_string();
        assert_eq!(multiple(Ratio::zero(), "1"), "1");
        assert_eq!(multiple(Ratio::new(1, 1), "1"), "1");
        assert_eq!(multiple(Ratio::new(1_000_000_001, 1_000_000_000), "1"), "2");
        assert_eq!(multiple(Ratio::new(3, 10), "0.1"), "3/10");
        assert_eq!(multiple(Ratio::new(31, 100), "0.1"), "2/5");
        // These counts do not fit in 64 bits.
        assert_eq!(multiple(Ratio::new(1, 3), "1e-30"), "1/3");
        assert_eq!(
            multiple(Ratio::new(i64::MAX, 1).times(&Ratio::new(1000, 1)), "1"),
            "9223372036854775807000"
        );
    }

    #[test]
    fn what_is_close() {
        let close =
            |millis| closeness(Duration::from_millis(millis), Duration::from_secs(1)) == Closeness::Close;
        assert_eq!([700, 799, 800, 1000, 1200, 1201].map(close), [false, false, true, true, true, false]);
    }
}
