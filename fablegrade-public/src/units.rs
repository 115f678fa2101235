//! Units of measurement as exact multiples of SI base units, and currencies. All readers of units share this
//! table.
//!
//! Source of the factors: the SI brochure (9th edition, 2019) with its exact constants, and the international yard and
//! pound agreement (1959). Values that are measured, not defined (`amu`), are from CODATA 2018. Angles are
//! dimensionless; a degree is π/180 with 60 digits of π.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use dashu_ratio::RBig;

use crate::decimal::Decimal;

/// Powers of metre, kilogram, second, ampere, kelvin, mole, candela, bit, and of six currencies.
pub type Dimension = [i16; 14];

const PHYSICAL: usize = 8;

const fn physical(powers: [i16; PHYSICAL]) -> Dimension {
    let [m, kg, s, a, k, mol, cd, bit] = powers;
    [m, kg, s, a, k, mol, cd, bit, 0, 0, 0, 0, 0, 0]
}

const fn money(place: usize) -> Dimension {
    let mut dimension = [0; 14];
    dimension[PHYSICAL + place] = 1;
    dimension
}

/// Returns whether a dimension contains a currency.
pub fn is_money(dimension: &Dimension) -> bool {
    dimension[PHYSICAL..].iter().any(|power| *power != 0)
}

#[rustfmt::skip]
mod dimension {
    use super::{Dimension, money, physical};
    pub(super) const ONE: Dimension = physical([0, 0, 0, 0, 0, 0, 0, 0]);
    pub(super) const LENGTH: Dimension = physical([1, 0, 0, 0, 0, 0, 0, 0]);
    pub(super) const AREA: Dimension = physical([2, 0, 0, 0, 0, 0, 0, 0]);
    pub(super) const VOLUME: Dimension = physical([3, 0, 0, 0, 0, 0, 0, 0]);
    pub(super) const PER_LENGTH: Dimension = physical([-1, 0, 0, 0, 0, 0, 0, 0]);
    pub(super) const MASS: Dimension = physical([0, 1, 0, 0, 0, 0, 0, 0]);
    pub(super) const TIME: Dimension = physical([0, 0, 1, 0, 0, 0, 0, 0]);
    pub(super) const FREQUENCY: Dimension = physical([0, 0, -1, 0, 0, 0, 0, 0]);
    pub(super) const SPEED: Dimension = physical([1, 0, -1, 0, 0, 0, 0, 0]);
    pub(super) const ACCELERATION: Dimension = physical([1, 0, -2, 0, 0, 0, 0, 0]);
    pub(super) const FORCE: Dimension = physical([1, 1, -2, 0, 0, 0, 0, 0]);
    pub(super) const PRESSURE: Dimension = physical([-1, 1, -2, 0, 0, 0, 0, 0]);
    pub(super) const ENERGY: Dimension = physical([2, 1, -2, 0, 0, 0, 0, 0]);
    pub(super) const POWER: Dimension = physical([2, 1, -3, 0, 0, 0, 0, 0]);
    pub(super) const VISCOSITY: Dimension = physical([-1, 1, -1, 0, 0, 0, 0, 0]);
    pub(super) const DIFFUSIVITY: Dimension = physical([2, 0, -1, 0, 0, 0, 0, 0]);
    pub(super) const DOSE: Dimension = physical([2, 0, -2, 0, 0, 0, 0, 0]);
    pub(super) const CURRENT: Dimension = physical([0, 0, 0, 1, 0, 0, 0, 0]);
    pub(super) const CHARGE: Dimension = physical([0, 0, 1, 1, 0, 0, 0, 0]);
    pub(super) const VOLTAGE: Dimension = physical([2, 1, -3, -1, 0, 0, 0, 0]);
    pub(super) const RESISTANCE: Dimension = physical([2, 1, -3, -2, 0, 0, 0, 0]);
    pub(super) const CONDUCTANCE: Dimension = physical([-2, -1, 3, 2, 0, 0, 0, 0]);
    pub(super) const CAPACITANCE: Dimension = physical([-2, -1, 4, 2, 0, 0, 0, 0]);
    pub(super) const FLUX: Dimension = physical([2, 1, -2, -1, 0, 0, 0, 0]);
    pub(super) const FLUX_DENSITY: Dimension = physical([0, 1, -2, -1, 0, 0, 0, 0]);
    pub(super) const INDUCTANCE: Dimension = physical([2, 1, -2, -2, 0, 0, 0, 0]);
    pub(super) const TEMPERATURE: Dimension = physical([0, 0, 0, 0, 1, 0, 0, 0]);
    pub(super) const AMOUNT: Dimension = physical([0, 0, 0, 0, 0, 1, 0, 0]);
    pub(super) const CONCENTRATION: Dimension = physical([-3, 0, 0, 0, 0, 1, 0, 0]);
    pub(super) const CATALYSIS: Dimension = physical([0, 0, -1, 0, 0, 1, 0, 0]);
    pub(super) const LIGHT: Dimension = physical([0, 0, 0, 0, 0, 0, 1, 0]);
    pub(super) const ILLUMINANCE: Dimension = physical([-2, 0, 0, 0, 0, 0, 1, 0]);
    pub(super) const DATA: Dimension = physical([0, 0, 0, 0, 0, 0, 0, 1]);
    pub(super) const DOLLAR: Dimension = money(0);
    pub(super) const EURO: Dimension = money(1);
    pub(super) const STERLING: Dimension = money(2);
    pub(super) const YUAN: Dimension = money(3);
    pub(super) const YEN: Dimension = money(4);
    pub(super) const RUPEE: Dimension = money(5);
}
use dimension::{
    ACCELERATION, AMOUNT, AREA, CAPACITANCE, CATALYSIS, CHARGE, CONCENTRATION, CONDUCTANCE, CURRENT, DATA,
    DIFFUSIVITY, DOLLAR, DOSE, ENERGY, EURO, FLUX, FLUX_DENSITY, FORCE, FREQUENCY, ILLUMINANCE, INDUCTANCE,
    LENGTH, LIGHT, MASS, ONE, PER_LENGTH, POWER, PRESSURE, RESISTANCE, RUPEE, SPEED, STERLING, TEMPERATURE,
    TIME, VISCOSITY, VOLTAGE, VOLUME, YEN, YUAN,
};

/// A row of the table of units.
struct Row {
    symbols: &'static [&'static str],
    names: &'static [&'static str],
    /// The size in SI units: decimals or `pi`, joined by `*` and `/`.
    factor: &'static str,
    dimension: Dimension,
    prefixes: bool,
    /// The zero point in SI units; `"0"` except for temperature scales.
    zero: &'static str,
}

const fn unit(
    symbols: &'static [&'static str],
    names: &'static [&'static str],
    factor: &'static str,
    dimension: Dimension,
    prefixes: bool,
) -> Row {
    Row { symbols, names, factor, dimension, prefixes, zero: "0" }
}

const fn scale(
    symbols: &'static [&'static str],
    names: &'static [&'static str],
    factor: &'static str,
    zero: &'static str,
) -> Row {
    Row { symbols, names, factor, dimension: TEMPERATURE, prefixes: false, zero }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // base units; the gram replaces the kilogram, because prefixes apply to it
    unit(&["m"], &["meter", "meters", "metre", "metres"], "1", LENGTH, true),
    unit(&["g"], &["gram", "grams", "gramme", "grammes", "gramm"], "0.001", MASS, true),
    unit(&["s", "sec"], &["second", "seconds", "secs", "sekunde", "sekunden"], "1", TIME, true),
    unit(&["A"], &["ampere", "amperes", "amp", "amps"], "1", CURRENT, true),
    unit(&["K"], &["kelvin", "kelvins"], "1", TEMPERATURE, true),
    unit(&["mol", "mole"], &["moles"], "1", AMOUNT, true),
    unit(&["cd"], &["candela", "candelas"], "1", LIGHT, true),
    // derived units with special names
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
    // temperature scales with their own zero point
    scale(&["°C", "degC", "celsius", "Celsius"], &["degree celsius", "degrees celsius", "deg c"], "1", "273.15"),
    scale(&["°F", "degF", "fahrenheit", "Fahrenheit"], &["degree fahrenheit", "degrees fahrenheit", "deg f"], "5/9", "459.67*5/9"),
    // time
    unit(&["min"], &["minute", "minutes", "mins", "minuten"], "60", TIME, false),
    unit(&["h", "hr"], &["hour", "hours", "hrs", "stunde", "stunden"], "3600", TIME, false),
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
    // dimensionless units
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
    // money: currencies do not convert into each other
    unit(&["USD", "$", "US$"], &["dollar", "dollars", "buck", "bucks"], "1", DOLLAR, false),
    unit(&["\u{a2}"], &["cent", "cents"], "0.01", DOLLAR, false),
    unit(&["EUR", "\u{20ac}"], &["euro", "euros"], "1", EURO, false),
    unit(&["ct"], &["eurocent", "eurocents"], "0.01", EURO, false),
    unit(&["GBP", "\u{a3}"], &[], "1", STERLING, false),
    unit(&["CNY", "\u{5143}", "RMB"], &["yuan"], "1", YUAN, false),
    unit(&["JPY", "\u{a5}", "\u{5186}"], &["yen"], "1", YEN, false),
    unit(&["INR", "\u{20b9}"], &["rupee", "rupees"], "1", RUPEE, false),
];

/// An SI prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prefix {
    /// The symbol; `u` for micro.
    pub symbol: &'static str,
    /// The name of the prefix.
    pub name: &'static str,
    /// The power of ten.
    pub power: i32,
}

const fn prefix(symbol: &'static str, name: &'static str, power: i32) -> Prefix {
    Prefix { symbol, name, power }
}

/// The SI prefixes.
pub const PREFIXES: &[Prefix] = &[
    prefix("da", "deca", 1),
    prefix("q", "quecto", -30),
    prefix("r", "ronto", -27),
    prefix("y", "yocto", -24),
    prefix("z", "zepto", -21),
    prefix("a", "atto", -18),
    prefix("f", "femto", -15),
    prefix("p", "pico", -12),
    prefix("n", "nano", -9),
    prefix("u", "micro", -6),
    prefix("m", "milli", -3),
    prefix("c", "centi", -2),
    prefix("d", "deci", -1),
    prefix("h", "hecto", 2),
    prefix("k", "kilo", 3),
    prefix("M", "mega", 6),
    prefix("G", "giga", 9),
    prefix("T", "tera", 12),
    prefix("P", "peta", 15),
    prefix("E", "exa", 18),
    prefix("Z", "zetta", 21),
    prefix("Y", "yotta", 24),
    prefix("R", "ronna", 27),
    prefix("Q", "quetta", 30),
];

/// A unit without its prefix.
pub struct Unit {
    row: &'static Row,
    factor: RBig,
    zero: Option<RBig>,
}

impl Unit {
    /// Returns the usual symbol, which is the same for every spelling.
    pub fn symbol(&self) -> &'static str {
        self.row.symbols[0]
    }

    /// Returns the dimension of the measured quantity.
    pub fn dimension(&self) -> &Dimension {
        &self.row.dimension
    }

    /// Returns whether the unit can have an SI prefix.
    pub fn takes_prefixes(&self) -> bool {
        self.row.prefixes
    }

    /// Returns the size in SI units or in units of the currency.
    pub fn factor(&self) -> &RBig {
        &self.factor
    }

    /// Returns the zero point in SI units, if it is not 0.
    pub fn zero(&self) -> Option<&RBig> {
        self.zero.as_ref()
    }
}

/// The table indexed by spelling, with factors and zero points computed once.
struct Table {
    symbols: BTreeMap<&'static str, usize>,
    names: BTreeMap<&'static str, usize>,
    units: Vec<Unit>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let by = |spellings: fn(&Row) -> &'static [&'static str]| {
        let places = ROWS.iter().enumerate();
        places.flat_map(|(at, row)| spellings(row).iter().map(move |spelling| (*spelling, at))).collect()
    };
    let units = ROWS.iter().map(|row| {
        let zero = (row.zero != "0").then(|| product(row.zero));
        Unit { row, factor: product(row.factor), zero }
    });
    Table { symbols: by(|row| row.symbols), names: by(|row| row.names), units: units.collect() }
});

/// π with 60 digits.
pub static PI: LazyLock<RBig> = LazyLock::new(|| {
    decimal("3.14159265358979323846264338327950288419716939937510582097494").unwrap_or(RBig::ONE)
});

fn decimal(text: &str) -> Option<RBig> {
    let (numerator, denominator) = Decimal::from_text(text).ok()?.to_fraction();
    Some(RBig::from_parts(numerator, denominator))
}

/// Returns the value of a factor in the table, evaluated from left to right.
fn product(text: &str) -> RBig {
    let mut value = RBig::ONE;
    let mut divide = false;
    for part in text.split_inclusive(['*', '/']) {
        let number = part.trim_end_matches(['*', '/']);
        let number = if number == "pi" { PI.clone() } else { decimal(number).unwrap_or(RBig::ONE) };
        value = if divide { value / number } else { value * number };
        divide = part.ends_with('/');
    }
    value
}

/// Returns every unit, without prefixes.
pub fn all() -> impl Iterator<Item = &'static Unit> {
    TABLE.units.iter()
}

/// A unit that was found in the table.
#[derive(Clone, Copy)]
pub struct Found {
    /// The unit.
    pub unit: &'static Unit,
    /// Its prefix, if it has one.
    pub prefix: Option<&'static Prefix>,
    /// True if the spelling is one of the unit's names, with or without the name of a prefix; false for its symbols, some
    /// of which are words, such as `day` and `inch`.
    pub in_words: bool,
}

impl Found {
    /// Returns the power of ten of its prefix.
    pub fn power(&self) -> i32 {
        self.prefix.map_or(0, |prefix| prefix.power)
    }
}

/// The longest spelling that is looked up, in bytes.
const LONGEST: usize = 40;

/// Finds the unit for a symbol or, if `names` is true, for a name.
///
/// An exact symbol takes precedence over a prefix with a symbol: `min` is a minute, `cd` a candela. Case
/// matters in symbols, also in words such as `day`, and not in names.
pub fn find(text: &str, names: bool) -> Option<Found> {
    if text.len() > LONGEST {
        return None;
    }
    // The micro, ohm and angstrom signs also exist as letters.
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
        // Names contain only ASCII letters and blanks; the kelvin sign is another spelling of `k`.
        text.to_ascii_lowercase().replace('\u{212a}', "k").into()
    };
    let table = &*TABLE;
    let exact = |text: &str| table.symbols.get(text).map(|at| &table.units[*at]);
    let named = |text: &str| if names { table.names.get(text).map(|at| &table.units[*at]) } else { None };
    if let Some(unit) = exact(text) {
        return Some(Found { unit, prefix: None, in_words: false });
    }
    if let Some(unit) = named(&lower) {
        return Some(Found { unit, prefix: None, in_words: true });
    }
    for prefix in PREFIXES {
        let by_symbol = || {
            let rest = text.strip_prefix(prefix.symbol)?;
            exact(rest).or_else(|| named(rest)).map(|unit| (unit, false))
        };
        let by_name = || {
            let rest = lower.strip_prefix(prefix.name).filter(|rest| !rest.is_empty())?;
            let named = named(rest).map(|unit| (unit, true));
            named.or_else(|| exact(text.get(prefix.name.len()..)?).map(|unit| (unit, false)))
        };
        if let Some((unit, in_words)) = by_symbol().or_else(by_name).filter(|(unit, _)| unit.takes_prefixes())
        {
            return Some(Found { unit, prefix: Some(prefix), in_words });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_has_a_factor_and_every_spelling_one_meaning() {
        let mut seen = Vec::new();
        for unit in ROWS {
            for part in unit.factor.split(['*', '/']).chain(unit.zero.split(['*', '/'])) {
                assert!(part == "pi" || decimal(part).is_some(), "{part}");
            }
            for spelling in unit.symbols.iter().chain(unit.names) {
                assert!(!seen.contains(spelling), "{spelling} twice");
                seen.push(spelling);
                let found = find(spelling, true).unwrap();
                assert_eq!((found.unit.symbol(), found.power()), (unit.symbols[0], 0), "{spelling}");
            }
            assert!(unit.names.iter().all(|name| name.is_ascii() && *name == name.to_lowercase()));
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
            let whole = format!("{}{}", found.prefix.map_or("", |prefix| prefix.symbol), found.unit.symbol());
            assert_eq!((whole.as_str(), found.power()), (spelling, power), "{text}");
        }
        for unknown in ["Nm", "kmin", "Kj", "frogs", "", "k"] {
            assert!(find(unknown, true).is_none(), "{unknown}");
        }
        assert!(find("meter", false).is_none());
        assert!(find("kilometres", true).unwrap().in_words && !find("kmetres", true).unwrap().in_words);
    }

    #[test]
    fn currencies_do_not_convert() {
        let dimension = |text: &str| *find(text, true).unwrap().unit.dimension();
        assert_eq!(dimension("$"), dimension("cents"));
        assert_ne!(dimension("$"), dimension("\u{20ac}"));
        assert!(is_money(&dimension("yen")) && !is_money(&dimension("kg")));
    }
}
