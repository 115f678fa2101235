//! `number_text`: a typed number, with a unit if one is required.
//!
//! Configuration:
//! ```json
//! {
//!   "answers": [
//!     {"value": "9.81 m/s^2"},
//!     {"min": 9.7, "max": 9.9, "weight": "1/2", "message": "Near enough for a start."},
//!     {"value": "9.81 m/s^2", "slip": {"powerOfTen": 3}, "weight": 0, "message": "Look at the power of ten."}
//!   ],
//!   "tolerance": {"absolute": "0.05 m/s^2", "relative": 0.01},
//!   "significantFigures": {"exact": 3, "counting": "liberal", "judged": 2},
//!   "decimalPlaces": {"min": 2, "max": 3},
//!   "notation": "any", "fractions": "yes", "constants": false, "percent": false,
//!   "locale": "en", "decimal": ".", "grouping": ",",
//!   "units": {"mode": "convert", "optional": false, "position": "after", "names": true},
//!   "partial": {"unit": 0.5, "digits": 0.9}
//! }
//! ```
//! The first answer whose value fits decides; then digits and unit are checked, each with its own message. Without
//! `answers`, only notation, digits and unit are judged. The first of these rules that is configured decides whether a
//! value `a` fits the key `k`:
//! 1. `tolerance`: `|a-k| <= absolute + relative*|k|`.
//! 2. `significantFigures`: `a` and `k` are equal when rounded at the last judged figure of `k`, halves away from zero.
//!    With `extra`, typed figures beyond the minimum are judged as well, at most `extraJudged` of them.
//! 3. `decimalPlaces`: `a` and `k` are equal when rounded.
//! 4. Otherwise `a` and `k` are equal.
//!
//! All arithmetic and the conversion factors of units are exact, except for π and square roots with about 60 digits.
//! The answer is compared in the unit of the key, with the digits that were typed.

mod exact;
mod figures;
mod full_marks;
mod judge;
mod locale;
mod quantity;
mod typed_unit;

use dashu_ratio::RBig;
use fablegrade_core::host::Sentence;
use fablegrade_core::json::{self, Object, Path, Value};
use fablegrade_core::{Finding, Findings, Ratio, StateJudge};

pub(crate) use self::exact::decimal;
use self::locale::Notation;
use self::quantity::{Quantity, Reading};
use crate::fields;

pub(crate) const SENTENCES: &[Sentence] = &[
    Sentence::error("no-text", "The answer is not a text."),
    Sentence::error("text-too-long", "The answer has more than 2,000 characters."),
    Sentence::error("no-number", "Type a number."),
    Sentence::error("not-a-number", "This cannot be read as a number."),
    Sentence::error("grouping", "Check the decimal sign and the grouping of the digits."),
    Sentence::error("unit-unknown", "This unit is not known."),
    Sentence::hint("unit-missing", "A unit is missing."),
    Sentence::hint("unit-not-wanted", "Do not give a unit."),
    Sentence::hint("unit-does-not-fit", "The unit does not fit the quantity."),
    Sentence::hint("unit-other", "This is not the expected unit."),
    Sentence::hint("unit-place", "The unit is on the wrong side of the number."),
    Sentence::hint("number-missing", "The number is missing."),
    Sentence::hint("number-not-wanted", "Give only a unit, without a number."),
    Sentence::hint("too-few-figures", "The number has too few significant figures."),
    Sentence::hint("too-many-figures", "The number has too many significant figures."),
    Sentence::hint("too-few-decimals", "The number has too few decimal places."),
    Sentence::hint("too-many-decimals", "The number has too many decimal places."),
    Sentence::hint("not-decimal", "Write the number as a decimal."),
    Sentence::hint("fraction-not-wanted", "Write the number without a fraction."),
    Sentence::hint("fraction-wanted", "Write the number as a fraction or an integer."),
    Sentence::hint("not-reduced", "Reduce the fraction."),
    Sentence::hint("not-scientific", "Write the number in scientific notation, such as 1.5e3."),
    Sentence::hint("scientific-not-wanted", "Write the number without a power of ten."),
];

/// The key with which an answer is compared.
enum Target {
    /// A value, with its unit if it has one.
    Value(Quantity),
    /// A range of numbers without units, both ends included.
    Range(RBig, RBig),
    /// A unit without a number.
    Unit(Quantity),
}

/// A common error by which an answer differs from the key.
enum Slip {
    /// The first figures agree with the key; the power of ten does not count.
    SameDigits(usize),
    /// Off by a power of ten, with at most this exponent.
    PowerOfTen(u32),
}

struct WantedNumber {
    target: Target,
    tolerance: Option<Tolerance>,
    slip: Option<Slip>,
    weight: Ratio,
    has_message: bool,
}

/// The tolerance of a value `a` for the key `k`: `|a-k| <= absolute + relative*|k|`.
#[derive(Clone)]
struct Tolerance {
    absolute: Option<Quantity>,
    relative: RBig,
}

/// The bounds of a count.
#[derive(Clone, Copy)]
struct Counts {
    least: usize,
    most: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Extra {
    Free,
    Rounded,
    Truncated,
}

/// The rules for significant figures.
struct Figures {
    counts: Counts,
    /// True if trailing zeros of an integer do not count.
    strict: bool,
    /// The number of figures to which the value is judged.
    judged: usize,
    /// The treatment of figures beyond the minimum.
    extra: Extra,
    /// The maximum number of figures beyond the minimum that are judged.
    extra_judged: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Any,
    Decimal,
    Scientific,
    Fraction,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fractions {
    Yes,
    No,
    Reduced,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitMode {
    Convert,
    Same,
    Only,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    After,
    Before,
    Either,
}

#[derive(Clone, Copy)]
struct UnitRules {
    mode: UnitMode,
    optional: bool,
    position: Position,
}

struct NumberText {
    answers: Vec<WantedNumber>,
    tolerance: Option<Tolerance>,
    figures: Option<Figures>,
    decimals: Option<Counts>,
    written: Written,
    fractions: Fractions,
    reading: Reading,
    /// True if `25%` is the number 0.25 rather than a number with a unit.
    percent: bool,
    units: Option<UnitRules>,
    /// The share of the score that remains with a wrong unit, and with wrong digits.
    partial_unit: Ratio,
    partial_digits: Ratio,
}

const COUNTING: &[(&str, bool)] = &[("strict", true), ("liberal", false)];
const EXTRA: &[(&str, Extra)] =
    &[("free", Extra::Free), ("rounded", Extra::Rounded), ("rounded_or_truncated", Extra::Truncated)];
const WRITTEN: &[(&str, Written)] = &[
    ("any", Written::Any),
    ("decimal", Written::Decimal),
    ("scientific", Written::Scientific),
    ("fraction", Written::Fraction),
];
const FRACTIONS: &[(&str, Fractions)] =
    &[("yes", Fractions::Yes), ("no", Fractions::No), ("reduced", Fractions::Reduced)];
const MODES: &[(&str, UnitMode)] =
    &[("convert", UnitMode::Convert), ("same", UnitMode::Same), ("only", UnitMode::Only)];
const POSITIONS: &[(&str, Position)] =
    &[("after", Position::After), ("before", Position::Before), ("either", Position::Either)];

/// Returns the reading options for numbers in a configuration: a decimal point, constants and names of units.
fn author_reading(unknown_units: bool) -> Reading {
    Reading { notation: Notation::default(), names: true, unknown_units, constants: true }
}

/// Returns a reader for a quantity: a JSON number, or a text such as `9.81 m/s^2`.
fn quantity(unknown_units: bool) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<Quantity> {
    move |value, at, findings| {
        let text = match (value.number(), value.str()) {
            (Some(_), _) => Some(value.text().to_owned()),
            (None, Some(text)) => Some(text.into_owned()),
            (None, None) => None,
        };
        let read = text.and_then(|text| quantity::read(&text, author_reading(unknown_units)).ok());
        if read.is_none() {
            findings.push(Finding::error(
                "quantity-form",
                at.pointer(),
                "not a number, nor a number with a known unit",
                "write it like 9.81 or \"9.81 m/s^2\" or \"1/3\"",
            ));
        }
        read
    }
}

fn plain_number(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<RBig> {
    let read = quantity(false)(value, at, findings)?;
    if read.unit.is_some() {
        findings.push(Finding::error(
            "unit-here",
            at.pointer(),
            "a unit cannot be here",
            "give a plain number",
        ));
        return None;
    }
    Some(read.number)
}

fn tolerance(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Tolerance> {
    let mut object = Object::open_as(value, at, findings, r#"{"absolute": 0.01}"#)?;
    let absolute = object.optional("absolute", quantity(false));
    let relative = object.optional("relative", |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
        plain_number(value, at, findings)
    });
    let (absolute, relative) = (absolute?, relative?);
    if absolute.as_ref().is_some_and(|absolute| !absolute.has_number) {
        object.report(Finding::error(
            "tolerance-form",
            Path::Field(at, "absolute").pointer(),
            "the tolerance has no number",
            "write it like 0.05 or \"0.05 m/s^2\"",
        ));
        return None;
    }
    let negative = |value: &RBig| dashu_base::Signed::is_negative(value);
    if (absolute.is_none() && relative.is_none())
        || relative.as_ref().is_some_and(negative)
        || absolute.as_ref().is_some_and(|absolute| negative(&absolute.number))
    {
        object.report(Finding::error(
            "tolerance-form",
            at.pointer(),
            "a tolerance has `absolute` or `relative` or both, at least 0",
            "write it like {\"relative\": 0.01}",
        ));
        return None;
    }
    object.close();
    Some(Tolerance { absolute, relative: relative.unwrap_or(RBig::ZERO) })
}

/// Reports a tolerance whose unit does not fit the key: it would count as a number in the key's unit. `at` is the place
/// of the tolerance.
fn check_unit(tolerance: &Tolerance, target: &Target, at: &Path<'_>, findings: &mut Findings) {
    let Target::Value(key) = target else { return };
    let Some(unit) = tolerance.absolute.as_ref().and_then(|absolute| absolute.unit.as_ref()) else { return };
    let fits = key
        .unit
        .as_ref()
        .is_some_and(|key| key.dimension == unit.dimension && !key.has_unknown && !unit.has_unknown);
    if !fits {
        findings.push(Finding::error(
            "tolerance-unit",
            Path::Field(at, "absolute").pointer(),
            "the unit of the tolerance does not fit the value",
            "give it without a unit, which is that of the value, or in a unit of the same quantity",
        ));
    }
}

/// Reads `exact`, or `min` or `max` or both.
fn counts(object: &mut Object<'_, '_, '_>, fewest: u32, most: u32) -> Option<Counts> {
    let exact = object.optional("exact", fields::count(fewest, most));
    let least = object.optional("min", fields::count(fewest, most));
    let greatest = object.optional("max", fields::count(fewest, most));
    let counts = match (exact?, least?, greatest?) {
        (Some(exact), None, None) => Some(Counts { least: exact as usize, most: exact as usize }),
        (None, None, None) | (Some(_), _, _) => None,
        (None, least, most) => Some(Counts {
            least: least.unwrap_or(0) as usize,
            most: most.map_or(usize::MAX, |most| most as usize),
        }),
    };
    let counts = counts.filter(|counts| counts.least <= counts.most);
    if counts.is_none() {
        object.report(Finding::error(
            "count-form",
            object.path().pointer(),
            "give `exact`, or `min` or `max` or both in their order",
            "write it like {\"exact\": 3}",
        ));
    }
    counts
}

fn significant_figures(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Figures> {
    let mut object = Object::open_as(value, at, findings, r#"{"exact": 3}"#)?;
    // Every number has at least one significant figure.
    let counts = counts(&mut object, 1, 100);
    let strict = object.defaulted("counting", false, json::word(COUNTING));
    let judged = object.optional("judged", fields::count(1, 100));
    let extra = object.defaulted("extra", Extra::Free, json::word(EXTRA));
    let extra_judged = object.defaulted("extraJudged", 100, fields::count(0, 100));
    object.close();
    let counts = counts?;
    let usual = if counts.most == usize::MAX { counts.least } else { counts.most };
    Some(Figures {
        counts,
        strict: strict?,
        judged: judged?.map_or(usual.max(1), |judged| judged as usize),
        extra: extra?,
        extra_judged: extra_judged? as usize,
    })
}

fn decimal_places(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Counts> {
    let mut object = Object::open_as(value, at, findings, r#"{"exact": 2}"#)?;
    let counts = counts(&mut object, 0, 100);
    object.close();
    counts
}

fn slip(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Slip> {
    let mut object = Object::open_as(value, at, findings, r#"{"powerOfTen": 3}"#)?;
    let digits = object.optional("sameDigits", fields::count(1, 50));
    let power = object.optional("powerOfTen", fields::count(1, 50));
    let slip = match (digits?, power?) {
        (Some(digits), None) => Some(Slip::SameDigits(digits as usize)),
        (None, Some(power)) => Some(Slip::PowerOfTen(power)),
        _ => {
            object.report(Finding::error(
                "one-of-two",
                at.pointer(),
                "a slip is exactly one of `sameDigits` and `powerOfTen`",
                "keep the intended one",
            ));
            None
        }
    };
    object.close();
    slip
}

fn answer(
    units: Option<UnitRules>,
    percent: bool,
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<WantedNumber> {
    let unknown = units.is_some_and(|units| units.mode != UnitMode::Convert);
    let mut object = Object::open_as(value, at, findings, r#"{"value": 9.81}"#)?;
    let single = object.optional("value", |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
        let read = quantity(unknown)(value, at, findings)?;
        let read = if percent { read.in_percent() } else { read };
        Some(Quantity { number: read.value().into_owned(), percent: false, ..read })
    });
    let unit = object.optional("unit", quantity(unknown));
    let least = object.optional("min", plain_number);
    let most = object.optional("max", plain_number);
    let tolerance = object.optional("tolerance", tolerance);
    let slip = object.optional("slip", slip);
    let weight = object.defaulted("weight", Ratio::one(), fields::share(0, 1));
    let has_message = fields::message(&mut object);
    let mut refuse = |message: &str, help: &str| {
        object.report(Finding::error("answer-form", at.pointer(), message, help));
        None
    };
    let only = units.is_some_and(|units| units.mode == UnitMode::Only);
    let target = match (single?, unit?, least?, most?) {
        (None, Some(unit), None, None) if only && unit.unit.is_some() && !unit.has_number => {
            Some(Target::Unit(unit))
        }
        _ if only => refuse("with units alone an answer is a unit", "write it like {\"unit\": \"m/s\"}"),
        (Some(single), None, None, None) if !single.has_number => {
            refuse("the value has no number", "write it like 9.81 or \"9.81 m/s^2\"")
        }
        (Some(single), None, None, None) if single.unit.is_some() && units.is_none() => {
            refuse("the value has a unit, but no unit is asked for", "add `units` to the configuration")
        }
        (Some(single), None, None, None)
            if single.unit.is_none() && units.is_some_and(|units| !units.optional) =>
        {
            refuse("the value has no unit, but one is asked for", "write the unit after the number")
        }
        (Some(single), None, None, None) => Some(Target::Value(single)),
        (None, None, Some(least), Some(most)) if least <= most && units.is_none() => {
            Some(Target::Range(least, most))
        }
        (None, None, Some(_), Some(_)) if units.is_some() => {
            refuse("a range has no unit", "give a value with a tolerance")
        }
        _ => refuse(
            "an answer is a `value`, or `min` and `max` in their order",
            "write it like {\"value\": 9.81}",
        ),
    };
    object.close();
    let (target, tolerance) = (target?, tolerance?);
    if let Some(tolerance) = &tolerance {
        check_unit(tolerance, &target, &Path::Field(at, "tolerance"), findings);
    }
    Some(WantedNumber { target, tolerance, slip: slip?, weight: weight?, has_message: has_message? })
}

fn unit_rules(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<(UnitRules, bool)> {
    let mut object = Object::open_as(value, at, findings, r#"{"mode": "convert"}"#)?;
    let mode = object.defaulted("mode", UnitMode::Convert, json::word(MODES));
    let optional = object.defaulted("optional", false, json::boolean);
    let position = object.defaulted("position", Position::After, json::word(POSITIONS));
    let names = object.defaulted("names", true, json::boolean);
    object.close();
    Some((UnitRules { mode: mode?, optional: optional?, position: position? }, names?))
}

fn partial(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<(Ratio, Ratio)> {
    let mut object = Object::open_as(value, at, findings, r#"{"unit": 0.5}"#)?;
    let unit = object.defaulted("unit", Ratio::zero(), fields::share(0, 1));
    let digits = object.defaulted("digits", Ratio::zero(), fields::share(0, 1));
    object.close();
    Some((unit?, digits?))
}

pub(crate) fn compile(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<Box<dyn StateJudge>> {
    let mut object = Object::open(value, at, findings)?;
    let notation = Notation::read(&mut object);
    let percent = object.defaulted("percent", false, json::boolean);
    let units = object.optional("units", unit_rules);
    if percent == Some(true) && units.as_ref().is_some_and(Option::is_some) {
        object.report(Finding::error(
            "percent-and-units",
            object.path().pointer(),
            "with units a percent sign is one of them",
            "remove `percent` or `units`",
        ));
        return None;
    }
    let (units, names) = units?.map_or((None, true), |(units, names)| (Some(units), names));
    let answers = object.defaulted(
        "answers",
        Vec::new(),
        json::list(0, 50, |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            answer(units, percent == Some(true), value, at, findings)
        }),
    );
    let tolerance = object.optional("tolerance", tolerance);
    let figures = object.optional("significantFigures", significant_figures);
    let decimals = object.optional("decimalPlaces", decimal_places);
    let written = object.defaulted("notation", Written::Any, json::word(WRITTEN));
    let fractions = object.defaulted("fractions", Fractions::Yes, json::word(FRACTIONS));
    let constants = object.defaulted("constants", false, json::boolean);
    let partial = object.defaulted("partial", (Ratio::zero(), Ratio::zero()), partial);
    let at = object.path();
    object.close();
    if let (Some(answers), Some(Some(tolerance))) = (&answers, &tolerance) {
        // This tolerance applies to every answer without a tolerance of its own, so one finding is enough.
        let mut misfits = Findings::new();
        for answer in answers.iter().filter(|answer| answer.tolerance.is_none()) {
            check_unit(tolerance, &answer.target, &Path::Field(at, "tolerance"), &mut misfits);
        }
        misfits.into_vec().into_iter().take(1).for_each(|finding| findings.push(finding));
    }
    let (partial_unit, partial_digits) = partial?;
    let reading = Reading {
        notation: notation?,
        names,
        unknown_units: units.is_some_and(|units| units.mode == UnitMode::Same),
        constants: constants?,
    };
    Some(Box::new(NumberText {
        answers: answers?,
        tolerance: tolerance?,
        figures: figures?,
        decimals: decimals?,
        written: written?,
        fractions: fractions?,
        reading,
        percent: percent?,
        units,
        partial_unit,
        partial_digits,
    }))
}

/// Checks the form of a typed number, for a preview without the key; the error is a code of [`SENTENCES`].
pub(crate) fn check_form(
    text: &str,
    params: Option<&fablegrade_core::json::Json>,
) -> Result<(), &'static str> {
    use fablegrade_core::json::Json;
    let word = |name: &str| params.and_then(|params| params.get(name)).and_then(Json::as_str);
    let mut notation = Notation::default();
    if let Some(sign) =
        word("decimal").and_then(|text| text.chars().next()).filter(|sign| ".,".contains(*sign))
    {
        notation.decimal = sign;
    }
    notation.grouping = match word("grouping").and_then(|text| text.chars().next()) {
        Some(' ') => locale::Grouping::Blank,
        Some(sign @ (',' | '.' | '\'')) if sign != notation.decimal => locale::Grouping::Sign(sign),
        _ => locale::Grouping::None,
    };
    let reading = Reading { notation, names: true, unknown_units: true, constants: true };
    quantity::read(text, reading).map(drop).map_err(judge::unread)
}
