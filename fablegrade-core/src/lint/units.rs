//! One small exact table of units: their dimension and size, to tell another size from another spelling.

use fablegrade_math::number::Rational;
use fablegrade_public::view::rules::normal_unit;

/// Powers of metre, kilogram, second, ampere, kelvin, mole, bit, euro.
type Dimension = [i16; 8];

/// A unit without its prefix: its spellings, how many of the coherent unit it is, its dimension, whether SI prefixes fit.
struct Base {
    spellings: &'static [&'static str],
    size: &'static str,
    dimension: Dimension,
    prefixes: bool,
    /// Units whose size is no factor (temperatures with a zero of their own) or no rational number (degrees) are of a kind
    /// of their own.
    kind: &'static str,
}

const fn base(
    spellings: &'static [&'static str],
    size: &'static str,
    dimension: Dimension,
    prefixes: bool,
) -> Base {
    Base { spellings, size, dimension, prefixes, kind: "" }
}

const fn alone(spellings: &'static [&'static str], kind: &'static str, size: &'static str) -> Base {
    Base { spellings, size, dimension: [0; 8], prefixes: false, kind }
}

// Sizes: SI brochure, 9th edition (2019); yard and pound agreement (1959).
#[rustfmt::skip]
const BASES: &[Base] = &[
    base(&["m", "meter", "metre", "meters", "metres"], "1", [1, 0, 0, 0, 0, 0, 0, 0], true),
    base(&["inch", "in", "inches"], "0.0254", [1, 0, 0, 0, 0, 0, 0, 0], false),
    base(&["ft", "foot", "feet"], "0.3048", [1, 0, 0, 0, 0, 0, 0, 0], false),
    base(&["yd", "yard", "yards"], "0.9144", [1, 0, 0, 0, 0, 0, 0, 0], false),
    base(&["mi", "mile", "miles"], "1609.344", [1, 0, 0, 0, 0, 0, 0, 0], false),
    base(&["L", "l", "liter", "litre", "liters", "litres"], "0.001", [3, 0, 0, 0, 0, 0, 0, 0], true),
    base(&["ha", "hectare", "hectares"], "10000", [2, 0, 0, 0, 0, 0, 0, 0], false),
    base(&["g", "gram", "grams", "gramm"], "0.001", [0, 1, 0, 0, 0, 0, 0, 0], true),
    base(&["t", "tonne", "tonnes"], "1000", [0, 1, 0, 0, 0, 0, 0, 0], false),
    base(&["lb", "pound", "pounds"], "0.45359237", [0, 1, 0, 0, 0, 0, 0, 0], false),
    base(&["s", "sec", "second", "seconds", "sekunden"], "1", [0, 0, 1, 0, 0, 0, 0, 0], true),
    base(&["min", "minute", "minutes", "minuten"], "60", [0, 0, 1, 0, 0, 0, 0, 0], false),
    base(&["h", "hour", "hours", "stunden"], "3600", [0, 0, 1, 0, 0, 0, 0, 0], false),
    base(&["d", "day", "days"], "86400", [0, 0, 1, 0, 0, 0, 0, 0], false),
    base(&["week", "weeks"], "604800", [0, 0, 1, 0, 0, 0, 0, 0], false),
    base(&["Hz", "hertz"], "1", [0, 0, -1, 0, 0, 0, 0, 0], true),
    base(&["kph"], "5/18", [1, 0, -1, 0, 0, 0, 0, 0], false),
    base(&["mph"], "0.44704", [1, 0, -1, 0, 0, 0, 0, 0], false),
    base(&["A", "ampere", "amperes"], "1", [0, 0, 0, 1, 0, 0, 0, 0], true),
    base(&["K", "kelvin"], "1", [0, 0, 0, 0, 1, 0, 0, 0], true),
    base(&["mol", "mole", "moles"], "1", [0, 0, 0, 0, 0, 1, 0, 0], true),
    base(&["N", "newton", "newtons"], "1", [1, 1, -2, 0, 0, 0, 0, 0], true),
    base(&["Pa", "pascal", "pascals"], "1", [-1, 1, -2, 0, 0, 0, 0, 0], true),
    base(&["bar"], "100000", [-1, 1, -2, 0, 0, 0, 0, 0], true),
    base(&["atm"], "101325", [-1, 1, -2, 0, 0, 0, 0, 0], false),
    base(&["J", "joule", "joules"], "1", [2, 1, -2, 0, 0, 0, 0, 0], true),
    base(&["Wh"], "3600", [2, 1, -2, 0, 0, 0, 0, 0], true),
    base(&["cal", "calorie", "calories"], "4.184", [2, 1, -2, 0, 0, 0, 0, 0], true),
    base(&["eV"], "1602176634/10000000000000000000000000000", [2, 1, -2, 0, 0, 0, 0, 0], true),
    base(&["W", "watt", "watts"], "1", [2, 1, -3, 0, 0, 0, 0, 0], true),
    base(&["C", "coulomb", "coulombs"], "1", [0, 0, 1, 1, 0, 0, 0, 0], true),
    base(&["V", "volt", "volts"], "1", [2, 1, -3, -1, 0, 0, 0, 0], true),
    base(&["F", "farad"], "1", [-2, -1, 4, 2, 0, 0, 0, 0], true),
    base(&["\u{3a9}", "ohm", "ohms"], "1", [2, 1, -3, -2, 0, 0, 0, 0], true),
    base(&["Wb", "weber"], "1", [2, 1, -2, -1, 0, 0, 0, 0], true),
    base(&["T", "tesla"], "1", [0, 1, -2, -1, 0, 0, 0, 0], true),
    base(&["H", "henry"], "1", [2, 1, -2, -2, 0, 0, 0, 0], true),
    base(&["bit", "bits"], "1", [0, 0, 0, 0, 0, 0, 1, 0], true),
    base(&["B", "byte", "bytes"], "8", [0, 0, 0, 0, 0, 0, 1, 0], true),
    base(&["\u{20ac}", "EUR", "euro", "euros"], "1", [0, 0, 0, 0, 0, 0, 0, 1], false),
    base(&["ct", "cent", "cents"], "0.01", [0, 0, 0, 0, 0, 0, 0, 1], false),
    alone(&["\u{b0}C", "degC", "celsius", "deg C"], "temperature above a zero", "1"),
    alone(&["\u{b0}F", "degF", "fahrenheit", "deg F"], "temperature above a zero", "5/9"),
    alone(&["\u{b0}", "deg", "degree", "degrees", "grad"], "angle", "1"),
    alone(&["rad", "radian", "radians"], "angle", "2"),
    alone(&["%", "percent"], "share", "0.01"),
    alone(&["\u{2030}", "permille"], "share", "0.001"),
];

const PREFIXES: &[(&str, &str, i64)] = &[
    ("f", "femto", -15),
    ("p", "pico", -12),
    ("n", "nano", -9),
    ("\u{3bc}", "micro", -6),
    ("u", "micro", -6),
    ("m", "milli", -3),
    ("c", "centi", -2),
    ("d", "deci", -1),
    ("h", "hecto", 2),
    ("k", "kilo", 3),
    ("M", "mega", 6),
    ("G", "giga", 9),
    ("T", "tera", 12),
];

/// What a spelling means: what it measures, and its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) dimension: Dimension,
    pub(super) kind: &'static str,
    pub(super) size: Rational,
}

impl Known {
    fn new(base: &Base, power: i64) -> Option<Self> {
        let size = match base.size.split_once('/') {
            Some((above, below)) => {
                Rational::from_decimal_text(above)?.checked_div(&Rational::from_decimal_text(below)?)?
            }
            None => Rational::from_decimal_text(base.size)?,
        };
        let size = size.checked_mul(&Rational::from(10).checked_pow(power)?)?;
        Some(Self { dimension: base.dimension, kind: base.kind, size })
    }

    /// Whether both measure the same, in whatever size.
    pub(super) fn measures_like(&self, other: &Self) -> bool {
        self.dimension == other.dimension && self.kind == other.kind
    }
}

/// Spellings have at most 30 characters, so a product has few factors.
const LONGEST: usize = 60;

/// The unit that a spelling is: a name, or a product of powers such as `kg m/s^2`. Linear in the table for each factor.
pub(super) fn known(spelling: &str) -> Option<Known> {
    let spelling = normal_unit(spelling);
    if spelling.len() > LONGEST {
        return None;
    }
    single(&spelling).or_else(|| product(&spelling))
}

fn single(name: &str) -> Option<Known> {
    for base in BASES {
        for &known in base.spellings {
            if name == known {
                return Known::new(base, 0);
            }
            if !base.prefixes {
                continue;
            }
            let Some(prefix) = name.strip_suffix(known) else { continue };
            let whole_word = known.chars().count() > 3;
            let found = PREFIXES
                .iter()
                .find(|(symbol, word, _)| if whole_word { prefix == *word } else { prefix == *symbol });
            if let Some((.., power)) = found {
                return Known::new(base, *power);
            }
        }
    }
    None
}

/// A product of powers: factors behind a slash are divided by.
fn product(spelling: &str) -> Option<Known> {
    let spelling = spelling.replace(['\u{b7}', '\u{22c5}', '*', '\u{d7}'], " ").replace('\u{2212}', "-");
    let mut whole = Known { dimension: [0; 8], kind: "", size: Rational::from(1) };
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
            let unit = single(name).filter(|unit| unit.kind.is_empty())?;
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

/// The spelling that differs from an unknown one in the case of its letters only.
pub(super) fn other_case(spelling: &str) -> Option<String> {
    let spelling = normal_unit(spelling);
    let letters = spelling.chars().all(char::is_alphabetic) && (2..=4).contains(&spelling.chars().count());
    if !letters || known(&spelling).is_some() {
        return None;
    }
    BASES.iter().filter(|base| base.spellings[0].chars().all(char::is_alphabetic)).find_map(|base| {
        let name = base.spellings[0];
        let bare = std::iter::once(name.to_owned());
        let prefixed =
            PREFIXES.iter().filter(|_| base.prefixes).map(|(symbol, ..)| format!("{symbol}{name}"));
        bare.chain(prefixed).find(|right| right.to_lowercase() == spelling.to_lowercase())
    })
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
        assert_eq!(other_case("kHz"), None);
        assert_eq!(other_case("apples"), None);
    }
}
