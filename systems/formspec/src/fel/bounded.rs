//! Replacements for `replace`, `format`, `matches`, `power` and `dateAdd` with the same results. The size of a text
//! and the work are bounded, a power with a negative exponent does not depend on the platform, and years do not
//! overflow.

use std::cell::RefCell;

use fablegrade_public::pattern::{Kept, Refused, TextPattern};
use fel_core::types::date_add_days;
use fel_core::{Date, Expr, ExtensionFunctions, Value, parse_date_literal, parse_datetime_literal};
use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};

use super::scope::Meter;
use crate::language::Problem;
use crate::time::days_in_month;

/// The words that fel-core writes before the message of a failed extension function.
pub(super) const FAILED: &str = "extension function failed: ";
/// Maximum length of a text that a function can build, in bytes.
const MAX_TEXT: usize = 1 << 20;
/// Maximum whole exponent, as in fel-core.
const MAX_EXPONENT: u64 = 10_000;
/// Maximum year of a date, and maximum number of days, months or years that are added to one.
const MAX_YEARS: u64 = 1_000_000_000;

/// Each function, the name of its extension, and the number of its arguments.
const REPLACED: [(&str, &str, std::ops::RangeInclusive<usize>); 5] = [
    ("dateAdd", "fablegrade_date_add", 3..=3),
    ("matches", "fablegrade_matches", 2..=2),
    ("replace", "fablegrade_replace", 3..=3),
    ("format", "fablegrade_format", 1..=usize::MAX),
    ("power", "fablegrade_power", 2..=2),
];

/// Returns the name by which authors call a function.
pub(super) fn public_name(name: &str) -> &str {
    REPLACED.iter().find(|(_, own, _)| *own == name).map_or(name, |(public, _, _)| public)
}

/// Turns calls of these functions into calls of the extensions. The arguments become one array, because
/// fel-core answers a null argument with null without calling the extension. Recursion is bounded, because
/// the caller has checked the depth.
pub(super) fn substitute(tree: &mut Expr) -> Result<(), Problem> {
    match tree {
        Expr::FunctionCall { name, args } => {
            args.iter_mut().try_for_each(substitute)?;
            if let Some((public, own, arity)) = REPLACED.iter().find(|(public, _, _)| public == name) {
                if !arity.contains(&args.len()) {
                    return Err(Problem::new(format!("`{public}` does not take {} arguments", args.len())));
                }
                (*own).clone_into(name);
                *args = vec![Expr::Array(std::mem::take(args))];
            } else if REPLACED.iter().any(|(_, own, _)| own == name) {
                return Err(Problem::new(format!("there is no function `{name}`")));
            }
            Ok(())
        }
        Expr::Null
        | Expr::Boolean(_)
        | Expr::Number(_)
        | Expr::String(_)
        | Expr::DateLiteral(_)
        | Expr::DateTimeLiteral(_)
        | Expr::FieldRef { .. }
        | Expr::VarRef { .. }
        | Expr::ContextRef { .. } => Ok(()),
        Expr::Array(items) => items.iter_mut().try_for_each(substitute),
        Expr::Object(entries) => entries.iter_mut().try_for_each(|(_, value)| substitute(value)),
        Expr::UnaryOp { operand, .. } => substitute(operand),
        Expr::PostfixAccess { expr, .. } => substitute(expr),
        Expr::BinaryOp { left, right, .. }
        | Expr::NullCoalesce { left, right }
        | Expr::Membership { value: left, container: right, .. }
        | Expr::LetBinding { value: left, body: right, .. } => {
            substitute(left)?;
            substitute(right)
        }
        Expr::Ternary { condition, then_branch, else_branch }
        | Expr::IfThenElse { condition, then_branch, else_branch } => {
            substitute(condition)?;
            substitute(then_branch)?;
            substitute(else_branch)
        }
    }
}

/// Returns the number of arguments of an extension, as fel-core sees them.
pub(super) fn arity(name: &str) -> Option<(usize, Option<usize>)> {
    REPLACED.iter().any(|(_, own, _)| *own == name).then_some((1, Some(1)))
}

/// The functions for one evaluation. Their work counts in its allowance.
pub(super) struct Functions<'m, 's> {
    meter: &'m Meter<'s>,
    patterns: RefCell<Kept<TextPattern>>,
}

impl ExtensionFunctions for Functions<'_, '_> {
    fn arity(&self, name: &str) -> Option<(usize, Option<usize>)> {
        arity(name)
    }

    fn invoke(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        let Some(Value::Array(args)) = args.first() else {
            return Err("its arguments are missing".to_owned());
        };
        match (public_name(name), args.as_slice()) {
            ("replace", [text, old, new]) => self.replace(text, old, new),
            ("format", [template, values @ ..]) => self.format(template, values),
            ("matches", [text, pattern]) => self.matches(text, pattern),
            ("power", [base, exponent]) => power(base, exponent),
            ("dateAdd", [date, count, unit]) => date_add(date, count, unit),
            _ => Err("its arguments are missing".to_owned()),
        }
    }
}

fn expected(function: &str, kind: &str, found: &Value) -> String {
    format!("{function} expects a {kind}, not {}", found.type_name())
}

/// Returns the argument, `None` for null.
fn text<'v>(value: &'v Value, function: &str) -> Result<Option<&'v str>, String> {
    match value {
        Value::String(text) => Ok(Some(text)),
        Value::Null => Ok(None),
        other => Err(expected(function, "string", other)),
    }
}

impl<'m, 's> Functions<'m, 's> {
    pub(super) fn new(meter: &'m Meter<'s>) -> Self {
        Self { meter, patterns: RefCell::default() }
    }

    /// Counts work. Returns an empty error once the allowance is used up; the meter has the reason.
    fn charge(&self, bytes: u64) -> Result<(), String> {
        self.meter.charge(bytes).ok_or_else(String::new)
    }

    fn bounded_replace(&self, text: &str, old: &str, new: &str) -> Result<String, String> {
        self.charge(text.len() as u64)?;
        let count = text.matches(old).count();
        if count == 0 {
            return Ok(text.to_owned());
        }
        let length = text.len().saturating_add(count.saturating_mul(new.len()));
        if length > MAX_TEXT {
            return Err(format!("the text grows beyond {MAX_TEXT} bytes"));
        }
        self.charge(length as u64)?;
        Ok(text.replace(old, new))
    }

    fn replace(&self, source: &Value, old: &Value, new: &Value) -> Result<Value, String> {
        // As in fel-core, the arguments after a null are not checked.
        let Some(source) = text(source, "replace")? else { return Ok(Value::Null) };
        let Some(old) = text(old, "replace")? else { return Ok(Value::Null) };
        let Some(new) = text(new, "replace")? else { return Ok(Value::Null) };
        self.bounded_replace(source, old, new).map(Value::String)
    }

    /// Fills `{0}`, `{1}`, ... first, in that order; then each `%s` in turn.
    fn format(&self, template: &Value, values: &[Value]) -> Result<Value, String> {
        let Some(template) = text(template, "format")? else { return Ok(Value::Null) };
        let mut out = template.to_owned();
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        for (at, value) in values.iter().enumerate() {
            out = self.bounded_replace(&out, &format!("{{{at}}}"), value)?;
        }
        let mut pieces = out.split("%s");
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        let mut values = values.iter();
        for piece in pieces {
            filled.push_str(values.next().map_or("%s", String::as_str));
            filled.push_str(piece);
            if filled.len() > MAX_TEXT {
                return Err(format!("the text grows beyond {MAX_TEXT} bytes"));
            }
        }
        Ok(Value::String(filled))
    }

    fn matches(&self, source: &Value, pattern: &Value) -> Result<Value, String> {
        // As in fel-core, the pattern after a null is not checked.
        let Some(source) = text(source, "matches")? else { return Ok(Value::Null) };
        let Some(pattern) = text(pattern, "matches")? else { return Ok(Value::Null) };
        let mut patterns = self.patterns.borrow_mut();
        let pattern = patterns.get(pattern, |work| self.charge(work), TextPattern::new).map_err(
            |refused| match refused {
                Refused::Work(why) => why,
                Refused::TooLarge => "the pattern is too large".to_owned(),
                Refused::Invalid => "the pattern is invalid".to_owned(),
            },
        )?;
        pattern.is_match(source, |work| self.charge(work)).map(Value::Boolean)
    }
}

/// Adds days, months or years to a date. As in fel-core, a time of day is lost, a fraction of the count is dropped, and
/// the day is limited to the end of the month.
fn date_add(date: &Value, count: &Value, unit: &Value) -> Result<Value, String> {
    let date = match date {
        Value::Null => return Ok(Value::Null),
        Value::Date(date) => date.clone(),
        Value::String(text) => {
            let literal = format!("@{text}");
            let date = parse_date_literal(&literal).or_else(|| parse_datetime_literal(&literal));
            date.ok_or("dateAdd: invalid date string")?
        }
        other => return Err(expected("dateAdd", "date or string", other)),
    };
    let (Value::Number(count), Value::String(unit)) = (count, unit) else { return Ok(Value::Null) };
    let count = count.to_i64().filter(|count| count.unsigned_abs() <= MAX_YEARS);
    let moved = match (unit.as_str(), count) {
        ("days", Some(count)) => Some(date_add_days(&date, count)),
        ("months", Some(count)) => plus_months(&date, count),
        ("years", Some(count)) => plus_months(&date, count * 12),
        ("days" | "months" | "years", None) => None,
        _ => return Err("dateAdd: unknown unit".to_owned()),
    };
    let moved = moved.filter(|date| u64::from(date.year().unsigned_abs()) <= MAX_YEARS);
    moved.map(Value::Date).ok_or_else(|| "the date is out of range".to_owned())
}

fn plus_months(date: &Date, months: i64) -> Option<Date> {
    let total = i64::from(date.year()) * 12 + i64::from(date.month()) - 1 + months;
    let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
    // The calendar repeats after 400 years.
    let last = days_in_month(u16::try_from(year.rem_euclid(400)).ok()?, u8::try_from(month).ok()?);
    Some(Date::Date {
        year: i32::try_from(year).ok()?,
        month: u32::try_from(month).ok()?,
        day: date.day().min(u32::from(last)),
    })
}

fn number(value: &Value) -> Result<Option<Decimal>, String> {
    match value {
        Value::Number(number) => Ok(Some(*number)),
        Value::Null => Ok(None),
        other => Err(expected("power", "number", other)),
    }
}

fn power(base: &Value, exponent: &Value) -> Result<Value, String> {
    let Some(base) = number(base)? else { return Ok(Value::Null) };
    let Some(exponent) = number(exponent)? else { return Ok(Value::Null) };
    let overflow = || "the power is out of range".to_owned();
    // As in fel-core, the fraction of a positive exponent is dropped: power(4, 0.5) is 1.
    if let Some(whole) = exponent.to_u64() {
        if whole > MAX_EXPONENT {
            return Err("the exponent is too large".to_owned());
        }
        return whole_power(base, whole).map(Value::Number).ok_or_else(overflow);
    }
    let (Some(base), Some(exponent)) = (base.to_f64(), exponent.to_f64()) else { return Err(overflow()) };
    let power = libm::pow(base, exponent);
    if !power.is_finite() {
        return Err(overflow());
    }
    Decimal::from_f64(power).map(Value::Number).ok_or_else(overflow)
}

fn whole_power(mut base: Decimal, mut exponent: u64) -> Option<Decimal> {
    let mut power = Decimal::ONE;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power.checked_mul(base)?;
        }
        exponent >>= 1;
        if exponent > 0 {
            base = base.checked_mul(base)?;
        }
    }
    Some(power)
}
