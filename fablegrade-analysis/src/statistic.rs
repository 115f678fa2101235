//! Statistics that can be undefined.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// The reason why a statistic is undefined for these data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undefined {
    /// Fewer observations than the formula needs.
    TooFew,
    /// A denominator, such as a variance, is zero.
    NoSpread,
    /// The formula has the square root of a negative number.
    Negative,
    /// More distinct scores than are kept.
    TooManyValues,
    /// Some sittings lack an item, so sums over items cannot be compared.
    Incomplete,
    /// The maximum score of the item is zero.
    NoMaximum,
    /// More distinct written answers than are kept.
    TooManyAnswers,
    /// Answers of this type cannot be enumerated, so there is no random answer.
    NoRandomAnswer,
    /// No answer has a time.
    NoTimes,
}

impl Undefined {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::TooFew,
        Self::NoSpread,
        Self::Negative,
        Self::TooManyValues,
        Self::Incomplete,
        Self::NoMaximum,
        Self::TooManyAnswers,
        Self::NoRandomAnswer,
        Self::NoTimes,
    ];

    /// Returns the reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::TooFew => "too few observations",
            Self::NoSpread => "all scores are equal",
            Self::Negative => "the covariance or reliability has the wrong sign",
            Self::TooManyValues => "more distinct scores than are kept",
            Self::Incomplete => "not every sitting has every item",
            Self::NoMaximum => "the maximum score is zero",
            Self::TooManyAnswers => "more distinct answers than are kept",
            Self::NoRandomAnswer => "answers of this type cannot be listed",
            Self::NoTimes => "no answer has a time",
        }
    }
}

/// A finite number, or the reason why there is none. In JSON: `{"value": …}` or `{"absent": reason}`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistic(pub(crate) Result<f64, Undefined>);

impl Statistic {
    /// Returns the number.
    pub fn value(self) -> Option<f64> {
        self.0.ok()
    }

    /// Returns the reason why there is no value.
    pub fn absent(self) -> Option<Undefined> {
        self.0.err()
    }
}

impl Serialize for Statistic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self.0 {
            Ok(value) => map.serialize_entry("value", &value)?,
            Err(reason) => map.serialize_entry("absent", reason.reason())?,
        }
        map.end()
    }
}
