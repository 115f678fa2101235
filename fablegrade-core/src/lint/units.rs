//! One small exact table of units: their dimension and size, to tell another size from another spelling.

use fablegrade_public::view::rules::normal_unit;

/// A unit without its prefix: symbol, what it measures, its size as a power of ten and a factor, whether SI prefixes fit.
struct Base {
    spellings: &'static [&'static str],
    quantity: &'static str,
    /// Size in thousandths of the coherent unit, exact.
    millis: u64,
    prefixes: bool,
}

const fn base(
    spellings: &'static [&'static str],
    quantity: &'static str,
    millis: u64,
    prefixes: bool,
) -> Base {
    Base { spellings, quantity, millis, prefixes }
}

const BASES: &[Base] = &[
    base(&["m", "meter", "metre", "meters", "metres"], "length", 1_000, true),
    base(&["g", "gram", "grams", "gramm"], "mass", 1_000, true),
    base(&["t", "tonne", "tonnes"], "mass", 1_000_000_000, false),
    base(&["s", "sec", "second", "seconds", "sekunden"], "time", 1_000, true),
    base(&["min", "minute", "minutes", "minuten"], "time", 60_000, false),
    base(&["h", "hour", "hours", "stunden"], "time", 3_600_000, false),
    base(&["A", "ampere", "amperes"], "current", 1_000, true),
    base(&["K", "kelvin"], "temperature", 1_000, true),
    base(&["mol", "mole", "moles"], "amount", 1_000, true),
    base(&["Hz", "hertz"], "frequency", 1_000, true),
    base(&["N", "newton", "newtons"], "force", 1_000, true),
    base(&["Pa", "pascal", "pascals"], "pressure", 1_000, true),
    base(&["bar"], "pressure", 100_000_000, true),
    base(&["J", "joule", "joules"], "energy", 1_000, true),
    base(&["Wh"], "energy", 3_600_000, true),
    base(&["eV"], "electron volt", 1_000, true),
    base(&["W", "watt", "watts"], "power", 1_000, true),
    base(&["V", "volt", "volts"], "voltage", 1_000, true),
    base(&["F", "farad"], "capacitance", 1_000, true),
    base(&["\u{3a9}", "ohm", "ohms"], "resistance", 1_000, true),
    base(&["T", "tesla"], "flux density", 1_000, true),
    base(&["L", "l", "liter", "litre", "liters", "litres"], "volume", 1_000, true),
    base(&["°C", "degC", "celsius"], "celsius", 1_000, false),
    base(&["m/s", "m s^-1", "m s⁻¹"], "speed", 1_000, false),
    base(&["B", "byte", "bytes"], "data", 8_000, true),
    base(&["bit", "bits"], "data", 1_000, true),
];

const PREFIXES: &[(&str, &str, i32)] = &[
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

/// What a spelling means: its quantity, and its size as a factor and a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) quantity: &'static str,
    factor: u64,
    power: i32,
}

impl Known {
    fn new(base: &Base, power: i32) -> Self {
        let (mut factor, mut power) = (base.millis, power - 3);
        while factor.is_multiple_of(10) {
            factor /= 10;
            power += 1;
        }
        Self { quantity: base.quantity, factor, power }
    }
}

/// The unit that a spelling is, exactly as written. Linear in the table.
pub(super) fn known(spelling: &str) -> Option<Known> {
    let spelling = normal_unit(spelling);
    for base in BASES {
        for &name in base.spellings {
            if spelling == name {
                return Some(Known::new(base, 0));
            }
            if !base.prefixes {
                continue;
            }
            let Some(prefix) = spelling.strip_suffix(name) else { continue };
            let whole_word = name.chars().count() > 3;
            let found = PREFIXES
                .iter()
                .find(|(symbol, word, _)| if whole_word { prefix == *word } else { prefix == *symbol });
            if let Some((.., power)) = found {
                return Some(Known::new(base, *power));
            }
        }
    }
    None
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
        assert_eq!(known("km").map(|unit| (unit.quantity, unit.factor, unit.power)), Some(("length", 1, 3)));
        assert_eq!(known("kg"), known("kilogram"));
        assert_ne!(known("cm"), known("m"));
        assert_eq!(known("min").map(|unit| unit.quantity), Some("time"));
        assert_eq!(known("mol").map(|unit| unit.quantity), Some("amount"));
        assert_eq!(known("widgets"), None);
        assert_eq!(other_case("khz").as_deref(), Some("kHz"));
        assert_eq!(other_case("KHz").as_deref(), Some("kHz"));
        assert_eq!(other_case("kHz"), None);
        assert_eq!(other_case("apples"), None);
    }
}
