//! Values of QTI variables, with exact numbers.

use fablegrade_public::{Decimal, Ratio};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    One(Atom),
    /// A container; the flag is true if it is ordered.
    Many(bool, Vec<Atom>),
    Record(Vec<(String, Atom)>),
}

/// A single value, also as an element of a container.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Atom {
    /// Identifiers, strings, URIs, files.
    Text(String),
    /// Integers, floats and durations.
    Number(Ratio),
    Bool(bool),
    /// A pair; the flag is true if it is directed.
    Pair(bool, String, String),
    Point(Ratio, Ratio),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cardinality {
    Single,
    Multiple,
    Ordered,
    Record,
}

impl Cardinality {
    pub(super) fn from_name(name: &str) -> Self {
        match name.trim() {
            "multiple" => Self::Multiple,
            "ordered" => Self::Ordered,
            "record" => Self::Record,
            _ => Self::Single,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BaseType {
    Identifier,
    Text,
    Integer,
    Float,
    Boolean,
    Pair,
    DirectedPair,
    Point,
    Other,
}

impl BaseType {
    pub(super) fn from_name(name: &str) -> Self {
        match name.trim() {
            "identifier" => Self::Identifier,
            "string" => Self::Text,
            "integer" => Self::Integer,
            "float" | "duration" => Self::Float,
            "boolean" => Self::Boolean,
            "pair" => Self::Pair,
            "directedPair" | "directed-pair" => Self::DirectedPair,
            "point" => Self::Point,
            _ => Self::Other,
        }
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Float)
    }
}

/// Reads a number as documents and learners write it.
pub(super) fn number(text: &str) -> Option<Ratio> {
    crate::compile::typed_number(text).map(|value| Ratio::from_decimal(&value))
}

/// Converts a fraction to a decimal; `None` if the decimal does not terminate, or the denominator is too large.
pub(super) fn decimal(ratio: &Ratio) -> Option<Decimal> {
    let text = ratio.to_fraction_text();
    let Some((above, below)) = text.split_once('/') else { return Decimal::from_text(&text).ok() };
    let mut below: u64 = below.parse().ok()?;
    // A decimal terminates only if the denominator has no prime factors other than 2 and 5.
    let (mut twos, mut fives) = (0u32, 0u32);
    while below.is_multiple_of(2) {
        below /= 2;
        twos += 1;
    }
    while below.is_multiple_of(5) {
        below /= 5;
        fives += 1;
    }
    if below != 1 {
        return None;
    }
    let places = twos.max(fives);
    let mut digits = Decimal::from_text(above).ok()?;
    for _ in twos..places {
        digits = digits.multiply(&Decimal::from(2));
    }
    for _ in fives..places {
        digits = digits.multiply(&Decimal::from(5));
    }
    Some(digits.multiply(&Decimal::new(1, -(places as i32))))
}

/// The number of bytes of a text that cost as much as a number.
pub(super) const COST_BYTES: usize = 64;

impl Atom {
    /// Reads a value of a base type; `None` if the text is not such a value. For booleans, any text except `true`,
    /// `True` and `1` is false.
    pub(super) fn read(text: &str, base: BaseType) -> Option<Self> {
        Some(match base {
            BaseType::Integer => Self::Number(number(text).filter(is_whole)?),
            BaseType::Float => Self::Number(number(text)?),
            BaseType::Boolean => Self::Bool(matches!(text.trim(), "true" | "True" | "1")),
            BaseType::Pair | BaseType::DirectedPair => {
                let mut words = text.split_ascii_whitespace();
                let (left, right) = (words.next()?, words.next()?);
                Self::Pair(base == BaseType::DirectedPair, left.to_owned(), right.to_owned())
            }
            BaseType::Point => {
                let mut words = text.split_ascii_whitespace();
                Self::Point(number(words.next()?)?, number(words.next()?)?)
            }
            BaseType::Identifier => Self::Text(text.trim().to_owned()),
            BaseType::Text | BaseType::Other => Self::Text(text.to_owned()),
        })
    }

    /// Returns the cost of a copy: 1, and more for long texts.
    pub(super) fn cost(&self) -> usize {
        1 + match self {
            Self::Text(text) => text.len() / COST_BYTES,
            Self::Pair(_, left, right) => (left.len() + right.len()) / COST_BYTES,
            Self::Number(_) | Self::Bool(_) | Self::Point(..) => 0,
        }
    }

    /// Returns whether two values are the same; undirected pairs are unordered.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Pair(a, l, r), Self::Pair(b, x, y)) => {
                (l == x && r == y) || (!(*a && *b) && l == y && r == x)
            }
            _ => self == other,
        }
    }
}

pub(super) fn is_whole(ratio: &Ratio) -> bool {
    !ratio.to_fraction_text().contains('/')
}

/// Returns the greatest integer that is at most the ratio; `None` if it is out of range.
pub(super) fn floor(ratio: &Ratio) -> Option<i64> {
    let text = ratio.to_fraction_text();
    match text.split_once('/') {
        None => text.parse().ok(),
        Some((above, below)) => {
            let (above, below): (i128, i128) = (above.parse().ok()?, below.parse().ok()?);
            i64::try_from(above.div_euclid(below)).ok()
        }
    }
}

impl Value {
    pub(super) fn number(ratio: Ratio) -> Self {
        Self::One(Atom::Number(ratio))
    }

    pub(super) fn bool(value: bool) -> Self {
        Self::One(Atom::Bool(value))
    }

    /// Returns whether the value is null, an empty container, an empty record or an empty text.
    pub(super) fn is_null(&self) -> bool {
        match self {
            Self::Null => true,
            Self::One(Atom::Text(text)) => text.is_empty(),
            Self::Many(_, items) => items.is_empty(),
            Self::One(_) => false,
            Self::Record(fields) => fields.is_empty(),
        }
    }

    pub(super) fn items(&self) -> Vec<Atom> {
        match self {
            Self::Null => Vec::new(),
            Self::One(atom) => vec![atom.clone()],
            Self::Many(_, items) => items.clone(),
            Self::Record(fields) => fields.iter().map(|(_, atom)| atom.clone()).collect(),
        }
    }

    /// Returns the number of items.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::One(_) => 1,
            Self::Many(_, items) => items.len(),
            Self::Record(fields) => fields.len(),
        }
    }

    /// Returns the cost of a copy: the sum of the costs of the items.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::One(atom) => atom.cost(),
            Self::Many(_, items) => items.iter().map(Atom::cost).sum(),
            Self::Record(fields) => {
                fields.iter().map(|(name, atom)| atom.cost() + name.len() / COST_BYTES).sum()
            }
        }
    }

    pub(super) fn as_number(&self) -> Option<Ratio> {
        match self {
            Self::One(Atom::Number(ratio)) => Some(ratio.clone()),
            // A text is not read as a number, even if a string variable holds a number.
            _ => None,
        }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::One(Atom::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::One(Atom::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Compares values as `match` does; unordered containers are compared as multisets.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(a), Self::One(b)) => a.same(b),
            (Self::Many(true, a), Self::Many(_, b)) | (Self::Many(_, a), Self::Many(true, b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (Self::Many(false, a), Self::Many(false, b)) => same_bag(a, b),
            // A container with one value equals this value, because authors mix cardinalities.
            (Self::Many(_, a), Self::One(b)) | (Self::One(b), Self::Many(_, a)) => {
                a.len() == 1 && a[0].same(b)
            }
            (Self::Record(a), Self::Record(b)) => a == b,
            _ => false,
        }
    }
}

fn same_bag(a: &[Atom], b: &[Atom]) -> bool {
    let mut left: Vec<&Atom> = b.iter().collect();
    a.len() == b.len()
        && a.iter().all(|wanted| match left.iter().position(|found| found.same(wanted)) {
            Some(at) => {
                left.swap_remove(at);
                true
            }
            None => false,
        })
}
