//! Values of variables: exact numbers and bytes.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_int::ops::BitTest as _;
use dashu_ratio::RBig;
use fablegrade_public::Decimal;

use super::{Comparison, Operator};

/// The maximum size of a number in bits.
const BITS: usize = 20_000;
/// The maximum exponent of a power of a fraction.
const MAX_FLOAT_EXPONENT: usize = 64;

#[derive(Debug, Clone)]
pub(super) enum Value {
    Integer(IBig),
    Float(RBig),
    Text(Vec<u8>),
}

impl Value {
    pub(super) fn integer(number: i64) -> Self {
        Self::Integer(number.into())
    }

    /// Reads an integer: digits after an optional minus sign. Returns `None` if it is too long.
    pub(super) fn from_digits(text: &str) -> Option<Self> {
        let short = text.len() < BITS / 4;
        IBig::from_str_radix(text, 10).ok().filter(|_| short).map(Self::Integer)
    }

    /// Reads a decimal number with an optional exponent. Returns `None` if it is too long or its exponent is too large.
    pub(super) fn from_float(text: &str) -> Option<Self> {
        let exponent = text.split(['e', 'E']).nth(1).map_or(Ok(0), str::parse::<i32>).ok()?;
        let bounded = text.len() < BITS / 4 && exponent.unsigned_abs() < BITS as u32 / 4;
        let number = Decimal::from_text(text).ok().filter(|_| bounded)?;
        let (numerator, denominator) = number.to_fraction();
        Some(Self::Float(RBig::from_parts(numerator, denominator)))
    }

    /// Estimates the memory that the value takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Integer(number) => number.bit_len() / 8,
            Self::Float(number) => float_bytes(number).max(64),
            Self::Text(text) => text.len(),
        }
    }

    /// Estimates the steps of copying the value, or of comparing it with a value of the same size. Fractions are
    /// compared by products, so their steps are quadratic.
    pub(super) fn steps(&self) -> u64 {
        match self {
            Self::Integer(_) | Self::Text(_) => self.bytes() as u64 / 64,
            Self::Float(number) => fraction_steps(float_bytes(number)),
        }
    }

    /// Estimates the steps of `with`.
    pub(super) fn steps_with(&self, operator: Operator, other: &Self) -> u64 {
        let large = (self.bytes() + other.bytes()) as u64 / 16;
        match operator {
            Operator::Plus | Operator::Minus => match (self, other) {
                (Self::Integer(_), Self::Integer(_)) => large,
                // A sum of fractions takes products too.
                _ => large * large / 8,
            },
            _ => large * large,
        }
    }

    /// Estimates the steps of `power`.
    pub(super) fn steps_to_power(&self, exponent: &Self) -> u64 {
        let (Self::Float(base), Self::Integer(exponent)) = (self, exponent) else { return 100 };
        let exponent = usize::try_from(exponent).unwrap_or(usize::MAX).min(MAX_FLOAT_EXPONENT);
        100 + exponent as u64 * fraction_steps((float_bytes(base) * exponent).min(BITS / 4))
    }

    fn ratio(&self) -> Option<RBig> {
        match self {
            Self::Integer(number) => Some(RBig::from(number.clone())),
            Self::Float(number) => Some(number.clone()),
            Self::Text(_) => None,
        }
    }

    /// Compares two values; `None` for a number and a text.
    pub(super) fn against(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(one), Self::Integer(other)) => Some(one.cmp(other)),
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            _ => Some(self.ratio()?.cmp(&other.ratio()?)),
        }
    }

    pub(super) fn compare(&self, how: Comparison, other: &Self) -> Result<bool, String> {
        let order = self.against(other).ok_or("a number is compared with a text")?;
        Ok(match how {
            Comparison::Less => order.is_lt(),
            Comparison::Greater => order.is_gt(),
            Comparison::AtMost => order.is_le(),
            Comparison::AtLeast => order.is_ge(),
            Comparison::Equal => order.is_eq(),
            Comparison::Different => order.is_ne(),
        })
    }

    pub(super) fn negative(&self) -> Result<Self, String> {
        Self::integer(0).with(Operator::Minus, self)
    }

    pub(super) fn with(&self, operator: Operator, other: &Self) -> Result<Self, String> {
        let done = match (self, other) {
            (Self::Integer(one), Self::Integer(other)) => {
                let zero = *other == IBig::ZERO;
                Self::Integer(match operator {
                    Operator::Plus => one + other,
                    Operator::Minus => one - other,
                    Operator::Times => one * other,
                    Operator::Divide | Operator::Remainder if zero => {
                        return Err("division by zero".to_owned());
                    }
                    Operator::Divide => one / other,
                    Operator::Remainder => one % other,
                })
            }
            _ => {
                let (Some(one), Some(other)) = (self.ratio(), other.ratio()) else {
                    return Err("a text is used in a calculation".to_owned());
                };
                Self::Float(match operator {
                    Operator::Plus => one + other,
                    Operator::Minus => one - other,
                    Operator::Times => one * other,
                    Operator::Divide if other == RBig::ZERO => return Err("division by zero".to_owned()),
                    Operator::Divide => one / other,
                    Operator::Remainder => return Err("`%` requires integers".to_owned()),
                })
            }
        };
        done.bounded()
    }

    pub(super) fn power(&self, exponent: &Self) -> Result<Self, String> {
        let Self::Integer(exponent) = exponent else {
            return Err("an exponent must be an integer".to_owned());
        };
        let exponent = usize::try_from(exponent).map_err(|_| "an exponent must not be negative")?;
        match self {
            Self::Integer(base) => {
                if base.bit_len().saturating_mul(exponent) > BITS && base.bit_len() > 1 {
                    return Err(TOO_LARGE.to_owned());
                }
                Self::Integer(base.pow(exponent)).bounded()
            }
            Self::Float(base) => {
                // Each factor adds at least these bits to the power.
                let bits = base.numerator().bit_len().max(base.denominator().bit_len()).saturating_sub(1);
                if exponent > MAX_FLOAT_EXPONENT || bits * exponent > BITS {
                    return Err(TOO_LARGE.to_owned());
                }
                Self::Float((0..exponent).fold(RBig::ONE, |power, _| power * base)).bounded()
            }
            Self::Text(_) => Err("a text is used in a calculation".to_owned()),
        }
    }

    fn bounded(self) -> Result<Self, String> {
        let large = match &self {
            Self::Integer(number) => number.bit_len() > BITS,
            Self::Float(number) => {
                number.numerator().bit_len() > BITS || number.denominator().bit_len() > BITS
            }
            Self::Text(_) => false,
        };
        if large { Err(TOO_LARGE.to_owned()) } else { Ok(self) }
    }
}

const TOO_LARGE: &str = "a number becomes too large";

/// Returns the size of a fraction in bytes.
fn float_bytes(number: &RBig) -> usize {
    (number.numerator().bit_len() + number.denominator().bit_len()) / 8
}

/// Estimates the steps of a product of two fractions of this size in bytes.
fn fraction_steps(bytes: usize) -> u64 {
    let large = bytes as u64 / 128;
    large * large
}

/// A total order of values, for maps and sets: numbers by their value, then texts.
impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.against(other)
            .unwrap_or_else(|| matches!(self, Self::Text(_)).cmp(&matches!(other, Self::Text(_))))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Float(number) => number.fmt(f),
            Self::Text(text) => String::from_utf8_lossy(text).fmt(f),
        }
    }
}
