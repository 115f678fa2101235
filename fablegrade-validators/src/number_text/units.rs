//! Units of measurement as exact multiples of SI base units.
//!
//! Source of the factors: the SI brochure (9th edition, 2019) with its exact constants, and the international yard and
//! pound agreement (1959). Values that are measured, not defined (`amu`), are those of CODATA 2018. Angles are plain
//! numbers; a degree is π/180 with 60 digits of π.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use dashu_ratio::RBig;

use super::quantity::{decimal, pi};

/// Powers of metre, kilogram, second, ampere, kelvin, mole, candela, bit.
pub(crate) type Dimension = [i16; 8];

#[rustfmt::skip]
mod dimension {
    use super::Dimension;
    pub(super) const ONE: Dimension         = [0, 0, 0, 0, 0, 0, 0, 0];
    pub(super) const LENGTH: Dimension      = [1, 0, 0, 0, 0, 0, 0, 0];
    pub(super) const AREA: Dimension        = [2, 0, 0, 0, 0, 0, 0, 0];
    pub(super) const VOLUME: Dimension      = [3, 0, 0, 0, 0, 0, 0, 0];
    pub(super) const PER_LENGTH: Dimension  = [-1, 0, 0, 0, 0, 0, 0, 0];
    pub(super) const MASS: Dimension        = [0, 1, 0, 0, 0, 0, 0, 0];
    pub(super) const TIME: Dimension        = [0, 0, 1, 0, 0, 0, 0, 0];
    pub(super) const FREQUENCY: Dimension   = [0, 0, -1, 0, 0, 0, 0, 0];
    pub(super) const SPEED: Dimension       = [1, 0, -1, 0, 0, 0, 0, 0];
    pub(super) const ACCELERATION: Dimension = [1, 0, -2, 0, 0, 0, 0, 0];
    pub(super) const FORCE: Dimension       = [1, 1, -2, 0, 0, 0, 0, 0];
    pub(super) const PRESSURE: Dimension    = [-1, 1, -2, 0, 0, 0, 0, 0];
    pub(super) const ENERGY: Dimension      = [2, 1, -2, 0, 0, 0, 0, 0];
    pub(super) const POWER: Dimension       = [2, 1, -3, 0, 0, 0, 0, 0];
    pub(super) const VISCOSITY: Dimension   = [-1, 1, -1, 0, 0, 0, 0, 0];
    pub(super) const DIFFUSIVITY: Dimension = [2, 0, -1, 0, 0, 0, 0, 0];
    pub(super) const DOSE: Dimension        = [2, 0, -2, 0, 0, 0, 0, 0];
    pub(super) const CURRENT: Dimension     = [0, 0, 0, 1, 0, 0, 0, 0];
    pub(super) const CHARGE: Dimension      = [0, 0, 1, 1, 0, 0, 0, 0];
    pub(super) const VOLTAGE: Dimension     = [2, 1, -3, -1, 0, 0, 0, 0];
    pub(super) const RESISTANCE: Dimension  = [2, 1, -3, -2, 0, 0, 0, 0];
    pub(super) const CONDUCTANCE: Dimension = [-2, -1, 3, 2, 0, 0, 0, 0];
    pub(super) const CAPACITANCE: Dimension = [-2, -1, 4, 2, 0, 0, 0, 0];
    pub(super) const FLUX: Dimension        = [2, 1, -2, -1, 0, 0, 0, 0];
    pub(super) const FLUX_DENSITY: Dimension = [0, 1, -2, -1, 0, 0, 0, 0];
    pub(super) const INDUCTANCE: Dimension  = [2, 1, -2, -2, 0, 0, 0, 0];
    pub(super) const TEMPERATURE: Dimension = [0, 0, 0, 0, 1, 0, 0, 0];
    pub(super) const AMOUNT: Dimension      = [0, 0, 0, 0, 0, 1, 0, 0];
    pub(super) const CONCENTRATION: Dimension = [-3, 0, 0, 0, 0, 1, 0, 0];
    pub(super) const CATALYSIS: Dimension   = [0, 0, -1, 0, 0, 1, 0, 0];
    pub(super) const LIGHT: Dimension       = [0, 0, 0, 0, 0, 0, 1, 0];
    pub(super) const ILLUMINANCE: Dimension = [-2, 0, 0, 0, 0, 0, 1, 0];
    pub(super) const DATA: Dimension        = [0, 0, 0, 0, 0, 0, 0, 1];
}
use dimension::{
    ACCELERATION, AMOUNT, AREA, CAPACITANCE, CATALYSIS, CHARGE, CONCENTRATION, CONDUCTANCE, CURRENT, DATA,
    DIFFUSIVITY, DOSE, ENERGY, FLUX, FLUX_DENSITY, FORCE, FREQUENCY, ILLUMINANCE, INDUCTANCE, LENGTH, LIGHT,
    MASS, ONE, PER_LENGTH, POWER, PRESSURE, RESISTANCE, SPEED, TEMPERATURE, TIME, VISCOSITY, VOLTAGE, VOLUME,
};

/// A unit of the table.
pub(crate) struct Unit {
    /// Its symbols, the usual one first.
    symbols: &'static [&'static str],
    /// Its names, singular and plural, in lower case.
    names: &'static [&'static str],
    /// How much of the SI unit it is: decimals joined by `*` and `/`; `pi` is one.
    factor: &'static str,
    pub(crate) dimension: Dimension,
    /// Whether SI prefixes may stand before it.
    prefixes: bool,
    /// Where its zero lies, in SI units: temperatures.
    zero: &'static str,
}

const fn unit(
    symbols: &'static [&'static str],
    names: &'static [&'static str],
    factor: &'static str,
    dimension: Dimension,
    prefixes: bool,
) -> Unit {
    Unit { symbols, names, factor, dimension, prefixes, zero: "0" }
}

const fn scale(
    symbols: &'static [&'static str],
    names: &'static [&'static str],
    factor: &'static str,
    zero: &'static str,
) -> Unit {
    Unit { symbols, names, factor, dimension: TEMPERATURE, prefixes: false, zero }
}

#[rustfmt::skip]
const UNITS: &[Unit] = &[
    // base units; the gram takes the prefixes of the kilogram
    unit(&["m"], &["meter", "meters", "metre", "metres"], "1", LENGTH, true),
    unit(&["g"], &["gram", "grams", "gramme", "grammes"], "0.001", MASS, true),
    unit(&["s", "sec"], &["second", "seconds", "secs"], "1", TIME, true),
    unit(&["A"], &["ampere", "amperes", "amp", "amps"], "1", CURRENT, true),
    unit(&["K"], &["kelvin", "kelvins"], "1", TEMPERATURE, true),
    unit(&["mol", "mole"], &["moles"], "1", AMOUNT, true),
    unit(&["cd"], &["candela", "candelas"], "1", LIGHT, true),
    // derived units with names
    unit(&["rad"], &["radian", "radians"], "1", ONE, true),
    unit(&["sr"], &["steradian", "steradians"], "1", ONE, true),
    unit(&["Hz"], &["hertz"], "1", FREQUENCY, true),
    unit(&["N"], &["newton", "newtons"], "1", FORCE, true),
    unit(&["Pa"], &["pascal", "pascals"], "1", PRESSURE, true),
    unit(&["J"], &["joule", "joules"], "1", ENERGY, true),
    unit(&["W"], &["watt", "watts"], "1", POWER, true),
    unit(&["VA"], &[], "1", POWER, true),
    unit(&["var"], &[], "1", POWER, true),
    unit(&["C"], &["coulomb", "coulombs"], "1", CHARGE, true),
    unit(&["V"], &["volt", "volts"], "1", VOLTAGE, true),
    unit(&["F"], &["farad", "farads"], "1", CAPACITANCE, true),
    unit(&["ohm", "\u{3a9}", "Ohm"], &["ohms"], "1", RESISTANCE, true),
    unit(&["S"], &["siemens"], "1", CONDUCTANCE, true),
    unit(&["Wb"], &["weber", "webers"], "1", FLUX, true),
    unit(&["T"], &["tesla", "teslas"], "1", FLUX_DENSITY, true),
    unit(&["H"], &["henry", "henries", "henrys"], "1", INDUCTANCE, true),
    unit(&["lm"], &["lumen", "lumens"], "1", LIGHT, true),
    unit(&["lx"], &["lux"], "1", ILLUMINANCE, true),
    unit(&["Bq"], &["becquerel", "becquerels"], "1", FREQUENCY, true),
    unit(&["Gy"], &["gray", "grays"], "1", DOSE, true),
    unit(&["Sv"], &["sievert", "sieverts"], "1", DOSE, true),
    unit(&["kat"], &["katal", "katals"], "1", CATALYSIS, true),
    // temperatures with a zero of their own
    scale(&["°C", "degC", "celsius", "Celsius"], &["degree celsius", "degrees celsius"], "1", "273.15"),
    scale(&["°F", "degF", "fahrenheit", "Fahrenheit"], &["degree fahrenheit", "degrees fahrenheit"], "5/9", "459.67*5/9"),
    // time
    unit(&["min"], &["minute", "minutes", "mins"], "60", TIME, false),
    unit(&["h", "hr"], &["hour", "hours", "hrs"], "3600", TIME, false),
    unit(&["d", "day"], &["days"], "86400", TIME, false),
    unit(&["wk", "week"], &["weeks"], "604800", TIME, false),
    unit(&["yr", "year"], &["years"], "31557600", TIME, true),
    unit(&["rpm"], &[], "pi/30", FREQUENCY, false),
    unit(&["rev"], &["revolution", "revolutions"], "2*pi", ONE, false),
    unit(&["cycle"], &["cycles"], "2*pi", ONE, false),
    unit(&["Ci"], &["curie", "curies"], "37000000000", FREQUENCY, true),
    // length
    unit(&["in", "inch"], &["inches"], "0.0254", LENGTH, false),
    unit(&["ft", "foot"], &["feet"], "0.3048", LENGTH, true),
    unit(&["yd", "yard"], &["yards"], "0.9144", LENGTH, false),
    unit(&["mi", "mile"], &["miles"], "1609.344", LENGTH, false),
    unit(&["nmi"], &["nautical mile", "nautical miles"], "1852", LENGTH, false),
    unit(&["\u{c5}", "angstrom", "angstroms", "Angstrom"], &[], "0.0000000001", LENGTH, false),
    unit(&["micron"], &["microns"], "0.000001", LENGTH, false),
    unit(&["AU", "au"], &["astronomical unit", "astronomical units"], "149597870700", LENGTH, false),
    unit(&["ly"], &["light year", "light years", "lightyear", "lightyears"], "9460730472580800", LENGTH, true),
    unit(&["pc", "parsec"], &["parsecs"], "149597870700*648000/pi", LENGTH, true),
    unit(&["dpt"], &["dioptre", "dioptres", "diopter", "diopters"], "1", PER_LENGTH, false),
    // area and volume
    unit(&["ha", "hectare"], &["hectares"], "10000", AREA, false),
    unit(&["acre"], &["acres"], "4046.8564224", AREA, false),
    unit(&["barn"], &["barns"], "0.0000000000000000000000000001", AREA, true),
    unit(&["L", "l"], &["liter", "liters", "litre", "litres"], "0.001", VOLUME, true),
    unit(&["cc"], &[], "0.000001", VOLUME, false),
    unit(&["gal", "gallon"], &["gallons"], "0.003785411784", VOLUME, false),
    unit(&["qt", "quart"], &["quarts"], "0.000946352946", VOLUME, false),
    unit(&["pt", "pint"], &["pints"], "0.000473176473", VOLUME, false),
    unit(&["cup"], &["cups"], "0.0002365882365", VOLUME, false),
    // speed and acceleration
    unit(&["mph"], &[], "0.44704", SPEED, false),
    unit(&["kph", "kmh"], &[], "1/3.6", SPEED, false),
    unit(&["kt", "knot"], &["knots"], "1852/3600", SPEED, false),
    unit(&["c"], &[], "299792458", SPEED, false),
    unit(&["Gal"], &[], "0.01", ACCELERATION, false),
    // mass
    unit(&["t", "tonne"], &["tonnes"], "1000", MASS, true),
    unit(&["lb", "lbm", "lbs", "pound"], &["pounds"], "0.45359237", MASS, false),
    unit(&["oz", "ounce"], &["ounces"], "0.028349523125", MASS, false),
    unit(&["ton"], &["tons"], "907.18474", MASS, false),
    unit(&["st", "stone"], &["stones"], "6.35029318", MASS, false),
    unit(&["slug"], &["slugs"], "4.4482216152605/0.3048", MASS, false),
    unit(&["amu", "u", "Da", "dalton"], &["daltons"], "0.00000000000000000000000000166053906660", MASS, true),
    // force and pressure
    unit(&["dyn", "dyne"], &["dynes"], "0.00001", FORCE, false),
    unit(&["lbf"], &["pound force"], "4.4482216152605", FORCE, false),
    unit(&["kgf", "kp"], &[], "9.80665", FORCE, false),
    unit(&["bar"], &["bars"], "100000", PRESSURE, true),
    unit(&["atm"], &["atmosphere", "atmospheres"], "101325", PRESSURE, false),
    unit(&["Torr", "torr"], &[], "101325/760", PRESSURE, true),
    unit(&["mmHg"], &[], "133.322387415", PRESSURE, false),
    unit(&["psi"], &[], "4.4482216152605/0.00064516", PRESSURE, true),
    // energy and power
    unit(&["eV"], &["electronvolt", "electronvolts"], "0.0000000000000000001602176634", ENERGY, true),
    unit(&["cal"], &["calorie", "calories"], "4.184", ENERGY, true),
    unit(&["Cal"], &[], "4184", ENERGY, false),
    unit(&["erg"], &["ergs"], "0.0000001", ENERGY, false),
    unit(&["Wh"], &[], "3600", ENERGY, true),
    unit(&["BTU", "Btu"], &[], "1055.05585262", ENERGY, false),
    unit(&["hp"], &["horsepower"], "745.69987158227022", POWER, false),
    // electricity and magnetism
    unit(&["Ah"], &[], "3600", CHARGE, true),
    unit(&["G", "gauss", "Gauss"], &[], "0.0001", FLUX_DENSITY, false),
    unit(&["Mx"], &["maxwell", "maxwells"], "0.00000001", FLUX, false),
    // flow, chemistry
    unit(&["P", "poise"], &[], "0.1", VISCOSITY, true),
    unit(&["St"], &["stokes"], "0.0001", DIFFUSIVITY, true),
    unit(&["M"], &["molar"], "1000", CONCENTRATION, true),
    // plain numbers
    unit(&["%"], &["percent", "per cent"], "0.01", ONE, false),
    unit(&["‰"], &["permille"], "0.001", ONE, false),
    unit(&["ppm"], &[], "0.000001", ONE, false),
    unit(&["ppb"], &[], "0.000000001", ONE, false),
    unit(&["°", "deg"], &["degree", "degrees"], "pi/180", ONE, false),
    unit(&["arcmin"], &["arcminute", "arcminutes"], "pi/10800", ONE, false),
    unit(&["arcsec"], &["arcsecond", "arcseconds"], "pi/648000", ONE, false),
    // data
    unit(&["bit"], &["bits"], "1", DATA, true),
    unit(&["B", "byte"], &["bytes"], "8", DATA, true),
];

/// Symbol, name and power of ten.
const PREFIXES: &[(&str, &str, i32)] = &[
    ("da", "deca", 1),
    ("q", "quecto", -30),
    ("r", "ronto", -27),
    ("y", "yocto", -24),
    ("z", "zepto", -21),
    ("a", "atto", -18),
    ("f", "femto", -15),
    ("p", "pico", -12),
    ("n", "nano", -9),
    ("u", "micro", -6),
    ("m", "milli", -3),
    ("c", "centi", -2),
    ("d", "deci", -1),
    ("h", "hecto", 2),
    ("k", "kilo", 3),
    ("M", "mega", 6),
    ("G", "giga", 9),
    ("T", "tera", 12),
    ("P", "peta", 15),
    ("E", "exa", 18),
    ("Z", "zetta", 21),
    ("Y", "yotta", 24),
    ("R", "ronna", 27),
    ("Q", "quetta", 30),
];

/// The table by its spellings, with factors and zeros that are computed once.
struct Index {
    symbols: BTreeMap<&'static str, usize>,
    names: BTreeMap<&'static str, usize>,
    values: Vec<(RBig, Option<RBig>)>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let by = |spellings: fn(&Unit) -> &'static [&'static str]| {
        let places = UNITS.iter().enumerate();
        places.flat_map(|(at, unit)| spellings(unit).iter().map(move |spelling| (*spelling, at))).collect()
    };
    let values = UNITS.iter().map(|unit| {
        let zero = (unit.zero != "0").then(|| product(unit.zero));
        (product(unit.factor), zero)
    });
    Index { symbols: by(|unit| unit.symbols), names: by(|unit| unit.names), values: values.collect() }
});

/// A unit that was found in the table.
pub(crate) struct Found {
    pub(crate) unit: &'static Unit,
    /// The power of ten of its prefix.
    pub(crate) power: i32,
    /// Its usual spelling: the same for every symbol and name.
    pub(crate) spelling: String,
}

/// The unit of a symbol, or of a name where `names` are read. Exact symbols win over a prefix and a symbol: `min` is a
/// minute, `cd` a candela.
pub(crate) fn find(text: &str, names: bool) -> Option<Found> {
    // The micro sign and the ohm and angstrom signs are letters as well.
    let text: Cow<'_, str> = if text.is_ascii() {
        text.into()
    } else {
        let text = text.replace(['\u{b5}', '\u{3bc}'], "u").replace('\u{2126}', "\u{3a9}");
        text.replace('\u{212b}', "\u{c5}").into()
    };
    let text = &*text;
    let lower: Cow<'_, str> = if text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ') {
        text.into()
    } else {
        text.to_lowercase().into()
    };
    let exact = |text: &str| INDEX.symbols.get(text).map(|at| &UNITS[*at]);
    let named = |text: &str| if names { INDEX.names.get(text).map(|at| &UNITS[*at]) } else { None };
    if let Some(unit) = exact(text).or_else(|| named(&lower)) {
        return Some(Found { unit, power: 0, spelling: unit.symbols[0].to_owned() });
    }
    for (symbol, name, power) in PREFIXES {
        let by_symbol = text.strip_prefix(symbol).and_then(|rest| exact(rest).or_else(|| named(rest)));
        let by_name = || {
            let rest = lower.strip_prefix(name).filter(|rest| !rest.is_empty())?;
            named(rest).or_else(|| exact(text.get(name.len()..)?))
        };
        if let Some(unit) = by_symbol.or_else(by_name).filter(|unit| unit.prefixes) {
            return Some(Found { unit, power: *power, spelling: format!("{symbol}{}", unit.symbols[0]) });
        }
    }
    None
}

impl Unit {
    fn values(&self) -> Option<&'static (RBig, Option<RBig>)> {
        INDEX.symbols.get(self.symbols[0]).map(|at| &INDEX.values[*at])
    }

    /// How much of the SI unit it is.
    pub(crate) fn factor(&self) -> RBig {
        self.values().map_or(RBig::ONE, |(factor, _)| factor.clone())
    }

    /// Where its zero lies, if not at that of the SI unit.
    pub(crate) fn zero(&self) -> Option<RBig> {
        self.values().and_then(|(_, zero)| zero.clone())
    }
}

/// The value of decimals joined by `*` and `/`, from left to right; the texts are those of the table.
fn product(text: &str) -> RBig {
    let mut value = RBig::ONE;
    let mut divide = false;
    for part in text.split_inclusive(['*', '/']) {
        let number = part.trim_end_matches(['*', '/']);
        let number = if number == "pi" { pi() } else { decimal(number).unwrap_or(RBig::ONE) };
        value = if divide { value / number } else { value * number };
        divide = part.ends_with('/');
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_has_a_factor_and_every_spelling_one_meaning() {
        let mut seen = Vec::new();
        for unit in UNITS {
            for part in unit.factor.split(['*', '/']).chain(unit.zero.split(['*', '/'])) {
                assert!(part == "pi" || decimal(part).is_some(), "{part}");
            }
            for spelling in unit.symbols.iter().chain(unit.names) {
                assert!(!seen.contains(spelling), "{spelling} twice");
                seen.push(spelling);
                let found = find(spelling, true).unwrap();
                assert_eq!((found.unit.symbols[0], found.power), (unit.symbols[0], 0), "{spelling}");
            }
            assert!(unit.names.iter().all(|name| *name == name.to_lowercase()));
        }
    }

    #[test]
    fn prefixes_stand_before_symbols_and_names() {
        for (text, spelling, power) in [
            ("km", "km", 3),
            ("kilometres", "km", 3),
            ("µs", "us", -6),
            ("mmol", "mmol", -3),
            ("micromol", "umol", -6),
            ("kilofeet", "kft", 3),
            ("dag", "dag", 1),
            ("cd", "cd", 0),
            ("min", "min", 0),
            ("mHz", "mHz", -3),
            ("MHz", "MHz", 6),
        ] {
            let found = find(text, true).unwrap();
            assert_eq!((found.spelling.as_str(), found.power), (spelling, power), "{text}");
        }
        for unknown in ["Nm", "kmin", "Kj", "frogs", "", "k"] {
            assert!(find(unknown, true).is_none(), "{unknown}");
        }
        assert!(find("meter", false).is_none());
    }
}
