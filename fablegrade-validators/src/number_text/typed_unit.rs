//! Units as they are typed: their spellings, and their size and dimension.

use std::fmt;

use dashu_ratio::RBig;

use fablegrade_core::units::Dimension;

use super::exact::{power, ten_to};

/// The largest power of a unit, and the largest power of ten that its prefixes can yield together.
const MAX_UNIT_POWER: u64 = 4_000;

/// A known unit in its usual spelling, or an unknown unit as typed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spelling {
    Known { prefix: &'static str, symbol: &'static str },
    Unknown(String),
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known { prefix, symbol } => write!(f, "{prefix}{symbol}"),
            Self::Unknown(text) => f.write_str(text),
        }
    }
}

/// A unit as it was typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TypedUnit {
    /// The spellings with their powers, sorted.
    pub(crate) spellings: Vec<(Spelling, i64)>,
    /// The size in SI units, without the power of ten of the prefixes.
    pub(crate) factor: RBig,
    /// The power of ten of the prefixes.
    pub(crate) ten: i64,
    pub(crate) dimension: Dimension,
    /// True if the table lacks one of the spellings.
    pub(crate) has_unknown: bool,
    /// The zero of a temperature scale in SI units; `None` for other units and for products of units.
    pub(crate) zero: Option<RBig>,
}

impl TypedUnit {
    pub(super) fn power(mut self, exponent: i64) -> Option<Self> {
        let exponent = i16::try_from(exponent).ok().filter(|exponent| exponent.unsigned_abs() <= 20)?;
        for (_, power) in &mut self.spellings {
            *power = power
                .checked_mul(i64::from(exponent))
                .filter(|power| power.unsigned_abs() <= MAX_UNIT_POWER)?;
        }
        for power in &mut self.dimension {
            *power = power.checked_mul(exponent)?;
        }
        self.ten =
            self.ten.checked_mul(i64::from(exponent)).filter(|ten| ten.unsigned_abs() <= MAX_UNIT_POWER)?;
        if !self.factor.is_one() {
            self.factor = power(&self.factor, i64::from(exponent))?;
        }
        if exponent != 1 {
            self.zero = None;
        }
        Some(self)
    }

    /// Returns the product or the quotient; `None` if the power of ten is too large.
    pub(super) fn times(mut self, other: Self, divide: bool) -> Option<Self> {
        let sign = if divide { -1 } else { 1 };
        for (spelling, power) in other.spellings {
            match self.spellings.binary_search_by(|(known, _)| known.cmp(&spelling)) {
                Ok(at) => self.spellings[at].1 += power * sign,
                Err(at) => self.spellings.insert(at, (spelling, power * sign)),
            }
        }
        self.spellings.retain(|(_, power)| *power != 0);
        for (mine, other) in self.dimension.iter_mut().zip(&other.dimension) {
            *mine = mine.saturating_add(other.saturating_mul(sign as i16));
        }
        self.ten =
            self.ten.checked_add(other.ten * sign).filter(|ten| ten.unsigned_abs() <= MAX_UNIT_POWER)?;
        if !other.factor.is_one() {
            self.factor = if divide { self.factor / other.factor } else { self.factor * other.factor };
        }
        self.has_unknown |= other.has_unknown;
        self.zero = None;
        Some(self)
    }

    /// Returns the size of this unit in the other unit, ignoring the zeros of temperature scales.
    pub(crate) fn over(&self, other: &Self) -> RBig {
        let ten = self.ten - other.ten;
        if self.factor == other.factor {
            return ten_to(ten);
        }
        let ratio = &self.factor / &other.factor;
        if ten == 0 { ratio } else { ratio * ten_to(ten) }
    }

    /// Returns the size in SI units.
    pub(crate) fn size(&self) -> RBig {
        if self.ten == 0 { self.factor.clone() } else { &self.factor * ten_to(self.ten) }
    }
}
