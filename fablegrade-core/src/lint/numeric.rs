//! Rules for `numeric`: tolerances, ranges, hints and units.

use fablegrade_public::view::numeric::Unit;
use fablegrade_public::view::rules;
use fablegrade_public::{Decimal, Finding, Findings};

use super::rounding::is_rounded;
use super::units::{Known, known, other_case};
use super::{key_mutation, number_words, position_words};
use crate::answer::numeric::{NumericAnswer, NumericSpec, Ready, Tolerance};

/// Applies the rules.
pub(super) fn lint(spec: &NumericSpec, ready: &Ready, findings: &mut Findings) {
    match spec.answer.expose() {
        NumericAnswer::Value { value, tolerance } => match tolerance {
            None => without_tolerance(value, findings),
            Some(tolerance) => with_tolerance(spec, ready, (value, tolerance), findings),
        },
        NumericAnswer::Range { min, max } => range(min, max, findings),
    }
    if let Some(hint) = &spec.input_hint {
        hint_rules(spec, hint, findings);
    }
    if let Some(unit) = &spec.unit {
        unit_rules(unit, spec.answer.expose(), findings);
        rules::public_unit(unit, findings);
    }
}

fn without_tolerance(value: &Decimal, findings: &mut Findings) {
    if value.is_integer() {
        return;
    }
    let written = Written::of(value);
    if written.significant >= 6 || is_rounded(value, written.places) {
        findings.push(Finding::warning(
            "no-tolerance",
            "/answer",
            "the value is rounded and has no tolerance, so a more exact answer is wrong: nine significant digits must agree",
            "add a tolerance, for example half a unit of the last place that counts",
        ));
    } else if written.significant >= 4 {
        findings.push(Finding::info(
            "no-tolerance",
            "/answer",
            "without a tolerance a fraction must be given to nine significant digits",
            "add a tolerance if the value is rounded",
        ));
    }
}

fn with_tolerance(
    spec: &NumericSpec,
    ready: &Ready,
    (value, tolerance): (&Decimal, &Tolerance),
    findings: &mut Findings,
) {
    let size = value.abs();
    // The evidence is the common wrong answers that the grader accepts.
    let evidence = |message: &str| {
        let passing = key_mutation::numeric(spec, ready);
        if passing.is_empty() {
            message.to_owned()
        } else {
            format!("{message}; accepted: {}", key_mutation::list(&passing))
        }
    };
    match tolerance {
        Tolerance::Relative(amount) => {
            let huge = *amount >= Decimal::one() || value.is_zero();
            // Tolerances of this size are reported when the spec is checked.
            if !huge && *amount >= Decimal::new(5, -1) {
                findings.push(Finding::warning(
                    "tolerance-from-half",
                    "/answer/tolerance/amount",
                    evidence("the tolerance is at least half the value"),
                    "give the tolerance as a fraction: 5 % is 0.05",
                ));
            } else if *amount < Decimal::new(1, -15) {
                findings.push(too_small());
            }
        }
        Tolerance::Absolute(amount) => {
            let twice = amount.multiply(&Decimal::from(2));
            if spec.integer_only && *amount < Decimal::one() && value.is_integer() {
                findings.push(Finding::warning(
                    "tolerance-without-effect",
                    "/answer/tolerance",
                    "only integers are correct, and within this tolerance there is one",
                    "remove the tolerance or `integerOnly`",
                ));
            } else if !value.is_zero() && twice >= size {
                huge_absolute(&size, amount, evidence, findings);
            } else if spec.integer_only && amount.multiply(&Decimal::from(10)) >= size && !value.is_zero() {
                findings.push(Finding::warning(
                    "off-by-one-passes",
                    "/answer/tolerance",
                    evidence("only integers are correct, but the neighbours of the value pass as well"),
                    "remove the tolerance if the answer is counted",
                ));
            } else if !value.is_zero() && *amount < size.multiply(&Decimal::new(1, -15)) {
                findings.push(too_small());
            } else {
                let written = Written::of(value);
                let place = Decimal::new(1, -(written.places as i32));
                if written.significant >= 6 && amount.multiply(&Decimal::from(10)) < place {
                    findings.push(Finding::warning(
                        "tolerance-below-digits",
                        "/answer/tolerance/amount",
                        "the tolerance is finer than the digits of the value, so an unrounded answer is wrong",
                        "give the value with more digits, or half a unit of its last place as tolerance",
                    ));
                }
            }
        }
    }
    if spec.integer_only && !value.is_integer() {
        findings.push(Finding::warning(
            "integer-only-fraction",
            "/integerOnly",
            "only integers are correct, but the value is a fraction",
            "remove `integerOnly`, or give the integer that is meant",
        ));
    }
}

fn too_small() -> Finding {
    Finding::warning(
        "tolerance-below-noise",
        "/answer/tolerance/amount",
        "the tolerance is below the rounding of double-precision numbers, so it has no effect on what clients send",
        "use at least 1e-9 times the value",
    )
}

fn huge_absolute(
    size: &Decimal,
    amount: &Decimal,
    evidence: impl Fn(&str) -> String,
    findings: &mut Findings,
) {
    let tenth = Decimal::new(1, -1);
    if amount < size {
        findings.push(Finding::warning(
            "tolerance-from-half",
            "/answer/tolerance/amount",
            evidence("the tolerance is at least half the value"),
            "make the tolerance smaller",
        ));
    } else if *amount < tenth && *size < tenth && *amount < size.multiply(&Decimal::from(5)) {
        // Correlations and differences near zero often have such a tolerance.
        findings.push(Finding::info(
            "absolute-tolerance-huge",
            "/answer/tolerance/amount",
            evidence("the tolerance is as large as the value"),
            "keep it if the value is zero as far as it can be measured",
        ));
    } else {
        findings.push(Finding::warning(
            "absolute-tolerance-huge",
            "/answer/tolerance/amount",
            evidence("the tolerance is as large as the value"),
            "make the tolerance smaller",
        ));
    }
}

fn range(min: &Decimal, max: &Decimal, findings: &mut Findings) {
    if min == max {
        findings.push(Finding::warning(
            "range-of-one",
            "/answer",
            "the range holds one number, which must be hit exactly",
            "give `value`, with a `tolerance` if need be",
        ));
        return;
    }
    let thousand = Decimal::from(1_000);
    let lopsided = |small: &Decimal, large: &Decimal| {
        *large >= thousand && *large >= small.abs().multiply(&Decimal::from(50)) && !small.is_zero()
    };
    if min.is_negative() && !max.is_negative() && (lopsided(min, max) || lopsided(max, &min.abs())) {
        findings.push(Finding::warning(
            "range-of-a-magnitude",
            "/answer",
            "the range reaches a little beyond zero and far to the other side, so the wrong sign and zero pass",
            "check the sign of the bounds",
        ));
        return;
    }
    if min.is_negative() && *min <= thousand.negate() && *max >= thousand {
        findings.push(Finding::warning(
            "range-of-everything",
            "/answer",
            "the range holds zero and thousands of both signs, so nearly any number passes",
            "narrow the range",
        ));
        return;
    }
    // A rough range has round bounds. Two exact bounds a factor of ten apart suggest a misplaced decimal
    // point.
    let exact = |bound: &Decimal| Written::of(bound).significant >= 2;
    if *min > Decimal::zero() && *max >= min.multiply(&Decimal::from(10)) && exact(min) && exact(max) {
        findings.push(Finding::warning(
            "range-of-a-magnitude",
            "/answer",
            "the largest accepted number is at least ten times the smallest, so a misplaced decimal point passes",
            "check the decimal points",
        ));
    }
}

/// The numbers of significant digits and of decimal places of a decimal in its shortest form.
struct Written {
    significant: usize,
    places: usize,
}

impl Written {
    fn of(value: &Decimal) -> Self {
        let text = value.abs().to_string();
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().unwrap_or(0)),
            None => (text.as_str(), 0),
        };
        let fraction = mantissa.split_once('.').map_or("", |(_, fraction)| fraction);
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let significant = digits.trim_start_matches('0').trim_end_matches('0').len();
        let places = fraction.trim_end_matches('0').len() as i64 - exponent;
        Self { significant, places: places.clamp(0, 400) as usize }
    }
}

/// Words that ask for an integer.
const WHOLE: [&str; 6] =
    ["whole number", "an integer", "as integer", "ganze zahl", "nombre entier", "número entero"];

fn hint_rules(spec: &NumericSpec, hint: &str, findings: &mut Findings) {
    let lower = hint.to_lowercase();
    let answer = spec.answer.expose();
    if let Some(places) = decimals_asked(&lower)
        && let NumericAnswer::Value { tolerance: Some(Tolerance::Absolute(amount)), .. } = answer
        && *amount > Decimal::new(10, -(places as i32))
        && !answer_is_integer(answer)
    {
        findings.push(Finding::warning(
            "hint-against-tolerance",
            "/answer/tolerance/amount",
            "the hint asks for more decimals than the tolerance tells apart",
            "make the tolerance smaller or ask for fewer decimals",
        ));
    }
    if WHOLE.iter().any(|word| lower.contains(word))
        && let NumericAnswer::Value { value, .. } = answer
        && !value.is_integer()
        && !answer.accepts(&value.floor())
        && !answer.accepts(&value.floor().add(&Decimal::one()))
    {
        findings.push(Finding::warning(
            "hint-against-tolerance",
            "/inputHint",
            "the hint asks for a whole number, but none near the value is accepted",
            "correct the hint, or accept the rounded value",
        ));
    }
    if tells_number(&lower, answer) {
        findings.push(Finding::warning(
            "hint-tells-key",
            "/inputHint",
            "the hint has a number that is accepted, and learners see it before they answer",
            "use another number as an example",
        ));
    }
    if let Some(unit) = &spec.unit
        && let Some(expected) = known(&unit.expected)
    {
        let spellings: Vec<Known> = unit.accepted.iter().flatten().filter_map(|text| known(text)).collect();
        let differs =
            |unit: Known| unit.measures_like(&expected) && unit != expected && !spellings.contains(&unit);
        let other = single_letters(hint).filter_map(known).any(differs)
            || hint.split(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '°' | '²' | '³')).any(
                |word| {
                    // Single letters and short words occur in sentences by chance.
                    let long = word.chars().count() >= 2
                        && !matches!(word, "as" | "at" | "am" | "pa" | "Pa" | "min" | "mm" | "ha" | "in");
                    long && known(&word.to_lowercase()).or_else(|| known(word)).is_some_and(differs)
                },
            );
        if other {
            findings.push(Finding::warning(
                "hint-names-other-unit",
                "/inputHint",
                "the unit in the hint differs in size from the expected one",
                "name the same unit in both",
            ));
        }
    }
}

/// Returns the single letters of a hint that stand where a unit stands: after `in` or a number, or in brackets.
fn single_letters(hint: &str) -> impl Iterator<Item = &str> {
    let mut before = "";
    hint.split_whitespace().filter_map(move |word| {
        let bare = word.trim_end_matches(['.', ',', ';', ':', '!', '?']);
        let previous = std::mem::replace(&mut before, bare);
        let inside = [('(', ')'), ('[', ']')]
            .iter()
            .find_map(|(open, close)| bare.strip_prefix(*open)?.strip_suffix(*close));
        let led = matches!(previous, "in" | "In" | "en") || previous.parse::<f64>().is_ok();
        let letter = inside.or_else(|| led.then_some(bare))?;
        (letter.chars().count() == 1 && letter.chars().all(char::is_alphabetic)).then_some(letter)
    })
}

/// Returns whether the value is an integer: its decimals are all zeros, so no tolerance contradicts the hint.
fn answer_is_integer(answer: &NumericAnswer) -> bool {
    matches!(answer, NumericAnswer::Value { value, .. } if value.is_integer())
}

/// Returns the number of decimals that a hint asks for: `2 decimals`, `three decimal places`, `auf 4
/// Nachkommastellen`.
fn decimals_asked(hint: &str) -> Option<u32> {
    let words: Vec<&str> =
        hint.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(2).find_map(|pair| {
        let asks = ["decimal", "nachkomma", "décimale"].iter().any(|word| pair[1].starts_with(word));
        let none = matches!(pair[0], "no" | "keine").then_some(0);
        let word = || number_words::integer(pair[0]).and_then(|number| u32::try_from(number).ok());
        let number = pair[0].parse().ok().or(none).or_else(word);
        number.filter(|&number: &u32| asks && number <= 20)
    })
}

/// Returns whether a hint contains an accepted number that is neither a count of digits nor a bound.
fn tells_number(hint: &str, answer: &NumericAnswer) -> bool {
    let bound = [
        "between", "from", "zwischen", "von", "round", "nearest", "rund", "multiple", "range", "entre",
        "base", "basis",
    ];
    // A number in a hint can lie in a range by chance, unless it is an example.
    const EXAMPLES: [&str; 9] =
        ["e.g", "for example", "like", "such as", "z. b", "z.b", "beispiel", "par exemple", "answer"];
    let mut hint = hint;
    if bound.iter().any(|word| position_words::has_words(hint, word)) {
        // In a hint with a bound or a count, only numbers after a phrase such as `like` are examples.
        let example = EXAMPLES[..8].iter().filter_map(|word| hint.find(word)).min();
        let Some(at) = example else { return false };
        hint = &hint[at..];
    }
    if matches!(answer, NumericAnswer::Range { .. }) && !EXAMPLES.iter().any(|word| hint.contains(word)) {
        return false;
    }
    let words: Vec<&str> = hint.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let counts = [
            "decimal",
            "digit",
            "place",
            "significant",
            "sig",
            "stelle",
            "nachkomma",
            "dezimal",
            "figure",
            "chiffre",
        ];
        let number = word.trim_matches(|c: char| !c.is_ascii_digit() && !matches!(c, '-' | '.'));
        let number = number.trim_end_matches('.');
        if let Some((above, below)) = number.split_once('/') {
            let read = |text: &str| Decimal::from_text(text).ok().filter(|number| !number.is_zero());
            let (Some(above), Some(below)) = (read(above), read(below)) else { return false };
            let NumericAnswer::Value { value, .. } = answer else { return false };
            return value.multiply(&below) == above;
        }
        let thousands = number.replace(',', "");
        let grouped = number.split(',').skip(1).all(|group| group.len() == 3);
        let number = if grouped { thousands.as_str() } else { number };
        !counts.iter().any(|count| next.starts_with(count))
            && word.len() <= 40
            && !number.is_empty()
            && Decimal::from_text(number).is_ok_and(|number| !number.is_zero() && answer.accepts(&number))
    })
}

/// Reports the units `C` and `F`, which are coulomb and farad, if degrees may be meant; also reports a degree
/// sign before `K`.
fn degrees(unit: &Unit, answer: &NumericAnswer, findings: &mut Findings) {
    let expected = unit.expected.trim();
    let accepted = || unit.accepted.iter().flatten();
    let sign = ['\u{b0}', '\u{ba}'].iter().find_map(|sign| expected.strip_prefix(*sign));
    if sign.is_some_and(|letter| letter.trim() == "K") && !accepted().any(|other| other.trim() == "K") {
        findings.push(Finding::warning(
            "unit-of-degrees",
            "/unit/expected",
            "kelvin has no degree sign, and `K` is marked wrong",
            "write `K`",
        ));
        return;
    }
    let (name, degree) = match expected {
        "C" => ("coulomb", "\u{b0}C"),
        "F" => ("farad", "\u{b0}F"),
        _ => return,
    };
    if accepted().next().is_some() {
        return;
    }
    // A thermometer reading is an integer of usual size with an absolute tolerance. Charges and capacitances
    // of that size are rare.
    let reading = match answer {
        NumericAnswer::Value { value, tolerance } => {
            let usual = value.abs() >= Decimal::from(5) && value.abs() <= Decimal::from(1_500);
            usual && value.is_integer() && matches!(tolerance, Some(Tolerance::Absolute(_)))
        }
        NumericAnswer::Range { min, max } => *min >= Decimal::from(-100) && *max >= Decimal::from(5),
    };
    let message = format!("`{expected}` alone is the {name}, so `{degree}` is marked wrong");
    let help = format!("write `{degree}` for degrees, or add `{name}` to `accepted`");
    findings.push(if reading {
        Finding::warning("unit-of-degrees", "/unit/expected", message, help)
    } else {
        Finding::info("unit-of-degrees", "/unit/expected", message, help)
    });
}

fn unit_rules(unit: &Unit, value: &NumericAnswer, findings: &mut Findings) {
    let spellings = || std::iter::once(&unit.expected).chain(unit.accepted.iter().flatten()).enumerate();
    let pointer =
        |at: usize| if at == 0 { "/unit/expected".to_owned() } else { format!("/unit/accepted/{}", at - 1) };
    for (at, text) in spellings() {
        if text.contains(['\\', '$', '{', '}']) {
            findings.push(Finding::warning(
                "unit-with-latex",
                pointer(at),
                "the unit has LaTeX in it, which learners do not type",
                "write it as typed: `m/s^2` or `m/s²`",
            ));
            continue;
        }
        let leading = text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        if leading && !text.trim_start().starts_with("1/") {
            findings.push(Finding::warning(
                "unit-with-number",
                pointer(at),
                "the unit begins with a number, but learners give number and unit apart",
                "write the unit alone",
            ));
        }
    }
    degrees(unit, value, findings);
    if known(&unit.expected).is_none()
        && let Some((at, right)) =
            spellings().find_map(|(at, text)| other_case(text).map(|right| (at, right)))
        && at == 0
        && !unit.accepted.iter().flatten().any(|other| rules::normal_unit(other) == right)
    {
        findings.push(Finding::warning(
            "unit-case",
            pointer(at),
            "only the case of letters tells this from a standard unit, and case counts: the standard spelling is marked wrong",
            format!("write `{right}`"),
        ));
    }
    if let Some(expected) = known(&unit.expected) {
        for (at, text) in spellings().skip(1) {
            // `C` is coulomb, but next to `°C` it is a short spelling.
            let short = unit.expected.trim() == format!("°{}", text.trim());
            if !short && known(text).is_some_and(|other| other != expected) {
                findings.push(Finding::warning(
                    "unit-other-size",
                    pointer(at),
                    "this is a unit of another size or kind than the expected one, but no number is converted",
                    "accept spellings of one unit only",
                ));
            }
        }
    }
}
