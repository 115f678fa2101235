//! Meanings of unit spellings, from the table of units: two spellings can mean the same unit or units of
//! different sizes.

use std::sync::LazyLock;

use fablegrade_math::number::Rational;
use fablegrade_public::units::{self, Dimension, PREFIXES, Prefix, Unit};
use fablegrade_public::view::rules::normal_unit;

/// The kind of a unit. Only plain units, which have a dimension and no offset, can be factors of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Angle,
    Share,
    Temperature,
}

impl Kind {
    fn of(unit: &Unit) -> Self {
        if unit.zero().is_some() {
            return Self::Temperature;
        }
        if unit.dimension().iter().any(|power| *power != 0) {
            return Self::Plain;
        }
        // Shares are negative powers of ten: `%`, `ppm`.
        let below = unit.factor().denominator().to_string();
        if below.len() > 1 && below.trim_end_matches('0') == "1" { Self::Share } else { Self::Angle }
    }
}

/// The meaning of a unit's spelling: the measured dimension, the kind and the size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) dimension: Dimension,
    pub(super) kind: Kind,
    pub(super) size: Rational,
}

impl Known {
    fn new(unit: &Unit, power: i32) -> Option<Self> {
        let (above, below) = unit.factor().clone().into_parts();
        let size = Rational::from_integers(above, below)?
            .checked_mul(&Rational::from(10).checked_pow(power.into())?)?;
        Some(Self { dimension: *unit.dimension(), kind: Kind::of(unit), size })
    }

    /// Returns whether both measure the same quantity, regardless of size.
    pub(super) fn measures_like(&self, other: &Self) -> bool {
        self.dimension == other.dimension && self.kind == other.kind
    }
}

/// Returns whether a prefix is in common use. The others would turn words into units: `das` would be
/// decaseconds.
fn is_usual(prefix: &Prefix) -> bool {
    (-15..=12).contains(&prefix.power) && prefix.power != 1
}

/// The maximum length of a spelling in bytes. Specs allow 30 characters, so a product has few factors.
const LONGEST: usize = 60;

/// Returns the unit for a spelling: a symbol, a name, or a product of powers such as `kg m/s^2`.
pub(super) fn known(spelling: &str) -> Option<Known> {
    let spelling = normal_unit(spelling);
    if spelling.len() > LONGEST {
        return None;
    }
    single(&spelling).or_else(|| product(&spelling))
}

fn single(name: &str) -> Option<Known> {
    let found = units::find(name, true).filter(|found| found.prefix.is_none_or(is_usual))?;
    Known::new(found.unit, found.power())
}

/// Reads a product of powers; factors after a slash are in the denominator.
fn product(spelling: &str) -> Option<Known> {
    let spelling = spelling.replace(['\u{b7}', '\u{22c5}', '*', '\u{d7}'], " ").replace('\u{2212}', "-");
    let mut whole = Known { dimension: Dimension::default(), kind: Kind::Plain, size: Rational::from(1) };
    let mut factors = 0;
    for (at, part) in spelling.split('/').enumerate() {
        let part = part.trim().trim_start_matches('(').trim_end_matches(')');
        if at == 0 && part == "1" {
            continue;
        }
        for factor in part.split_whitespace() {
            let digits = factor.trim_end_matches(|c: char| c.is_ascii_digit());
            let exponent: i64 =
                if digits.len() == factor.len() { 1 } else { factor[digits.len()..].parse().ok()? };
            let (name, sign) = match digits.strip_suffix('-') {
                Some(name) => (name, -1),
                None => (digits, 1),
            };
            let name = name.trim_end_matches('^');
            let exponent = exponent * sign * if at == 0 { 1 } else { -1 };
            let unit = single(name).filter(|unit| unit.kind == Kind::Plain)?;
            if !(-6..=6).contains(&exponent) {
                return None;
            }
            whole.size = whole.size.checked_mul(&unit.size.checked_pow(exponent)?)?;
            for (sum, power) in whole.dimension.iter_mut().zip(unit.dimension) {
                *sum += power * exponent as i16;
            }
            factors += 1;
        }
    }
    (factors > 0).then_some(whole)
}

/// Unit symbols made of letters, with and without usual prefixes: in lower case, and as written.
static SYMBOLS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let prefixes = || PREFIXES.iter().filter(|prefix| is_usual(prefix)).map(|prefix| prefix.symbol);
    let letters = units::all().filter(|unit| unit.symbol().chars().all(char::is_alphabetic));
    let spellings = letters.flat_map(|unit| {
        let prefixed = prefixes().filter(|_| unit.takes_prefixes());
        std::iter::once("").chain(prefixed).map(|prefix| format!("{prefix}{}", unit.symbol()))
    });
    spellings.map(|spelling| (spelling.to_lowercase(), spelling)).collect()
});

/// Returns the known spelling that differs from an unknown one only in the case of its letters, also in products and
/// quotients.
pub(super) fn other_case(spelling: &str) -> Option<String> {
    let spelling = normal_unit(spelling);
    if spelling.len() > LONGEST || known(&spelling).is_some() {
        return None;
    }
    if spelling.chars().all(char::is_alphabetic) {
        return symbol_in_other_case(&spelling);
    }
    let mut whole = String::with_capacity(spelling.len());
    let mut rest = spelling.as_str();
    while let Some(first) = rest.chars().next() {
        let letters = first.is_alphabetic();
        let end = rest.find(|c: char| c.is_alphabetic() != letters).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if letters && single(run).is_none() {
            whole.push_str(&symbol_in_other_case(run)?);
        } else {
            whole.push_str(run);
        }
        rest = after;
    }
    known(&whole).map(|_| whole)
}

/// Returns the known symbol that differs from these letters only in case.
fn symbol_in_other_case(letters: &str) -> Option<String> {
    // Other single letters can be units of their own, such as `p` for points.
    let usual = match letters.chars().count() {
        1 => matches!(letters, "w" | "v" | "j"),
        count => count <= 4,
    };
    let lower = letters.to_lowercase();
    SYMBOLS.iter().find(|(known, _)| usual && *known == lower).map(|(_, right)| right.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_exact() {
        let same = |a: &str, b: &str| known(a).is_some() && known(a) == known(b);
        for (a, b) in [
            ("kg", "kilogram"),
            ("L", "dm^3"),
            ("J", "N m"),
            ("J", "kg m²/s²"),
            ("Hz", "1/s"),
            ("m s⁻¹", "m/s"),
            ("mL", "cm³"),
            ("kph", "km/h"),
            ("Ω", "V/A"),
            ("kWh", "kWh"),
        ] {
            assert!(same(a, b), "{a} and {b}");
        }
        for (a, b) in [("m", "cm"), ("m/s", "km/h"), ("m^2", "cm^2"), ("°C", "°F"), ("%", "‰"), ("min", "h")]
        {
            let (a, b) = (known(a).unwrap(), known(b).unwrap());
            assert!(a != b && a.measures_like(&b), "{a:?} and {b:?}");
        }
        assert!(!known("J").unwrap().measures_like(&known("W").unwrap()));
        assert_eq!(known("widgets"), None);
        assert_eq!(known("m/"), known("m"));
        assert_eq!(other_case("khz").as_deref(), Some("kHz"));
        assert_eq!(other_case("KHz").as_deref(), Some("kHz"));
        for (wrong, right) in [("Km/h", "km/h"), ("w", "W"), ("v", "V"), ("j", "J"), ("KG m/s^2", "kg m/s^2")]
        {
            assert_eq!(other_case(wrong).as_deref(), Some(right), "{wrong}");
        }
        for other in ["p", "miles per Hour", "m/s", "points/h"] {
            assert_eq!(other_case(other), None, "{other}");
        }
        assert_eq!(other_case("kHz"), None);
        assert_eq!(other_case("apples"), None);
    }
}
