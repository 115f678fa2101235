//! Replacements for `replace`, `format` and `power` with the same results. The size of a text is bounded, and
//! a power with a negative exponent does not depend on the platform.

use fel_core::{Expr, ExtensionFunctions, Value};
use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};

use crate::language::Problem;

/// The words that fel-core writes before the message of a failed extension function.
pub(super) const FAILED: &str = "extension function failed: ";
/// Maximum length of a text that a function can build, in bytes.
const MAX_TEXT: usize = 1 << 20;
/// Maximum whole exponent, as in fel-core.
const MAX_EXPONENT: u64 = 10_000;

/// Each function, the name of its extension, and the number of its arguments.
const REPLACED: [(&str, &str, std::ops::RangeInclusive<usize>); 3] = [
    ("replace", "fablegrade_replace", 3..=3),
    ("format", "fablegrade_format", 1..=usize::MAX),
    ("power", "fablegrade_power", 2..=2),
];

/// Returns the name by which authors call a function.
pub(super) fn public_name(name: &str) -> &str {
    REPLACED.iter().find(|(_, own, _)| *own == name).map_or(name, |(public, _, _)| public)
}

/// Turns calls of the three functions into calls of the extensions. The arguments become one array, because
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

pub(super) struct Functions;

impl ExtensionFunctions for Functions {
    fn arity(&self, name: &str) -> Option<(usize, Option<usize>)> {
        REPLACED.iter().any(|(_, own, _)| *own == name).then_some((1, Some(1)))
    }

    fn invoke(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        let Some(Value::Array(args)) = args.first() else {
            return Err("its arguments are missing".to_owned());
        };
        match (public_name(name), args.as_slice()) {
            ("replace", [text, old, new]) => replace(text, old, new),
            ("format", [template, values @ ..]) => format(template, values),
            ("power", [base, exponent]) => power(base, exponent),
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

fn bounded_replace(text: &str, old: &str, new: &str) -> Result<String, String> {
    let count = text.matches(old).count();
    let added = count.saturating_mul(new.len());
    if text.len().saturating_add(added) > MAX_TEXT {
        return Err(format!("the text grows beyond {MAX_TEXT} bytes"));
    }
    Ok(text.replace(old, new))
}

fn replace(source: &Value, old: &Value, new: &Value) -> Result<Value, String> {
    // As in fel-core, the arguments after a null are not checked.
    let Some(source) = text(source, "replace")? else { return Ok(Value::Null) };
    let Some(old) = text(old, "replace")? else { return Ok(Value::Null) };
    let Some(new) = text(new, "replace")? else { return Ok(Value::Null) };
    bounded_replace(source, old, new).map(Value::String)
}

/// Fills `{0}`, `{1}`, ... first, in that order; then each `%s` in turn.
fn format(template: &Value, values: &[Value]) -> Result<Value, String> {
    let Some(template) = text(template, "format")? else { return Ok(Value::Null) };
    let mut out = template.to_owned();
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    for (at, value) in values.iter().enumerate() {
        out = bounded_replace(&out, &format!("{{{at}}}"), value)?;
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
