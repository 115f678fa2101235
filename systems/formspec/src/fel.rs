//! The Formspec Expression Language through the `fel-core` crate.

mod bounded;
mod scope;

use std::panic::{AssertUnwindSafe, catch_unwind};

use fablegrade_public::decimal::Decimal;
use fel_core::error::DiagnosticKind;
use fel_core::{EvalBudget, EvaluatorOptions, Expr, Value, evaluate_with};

use crate::language::{Allowance, Data, Language, Problem};
use crate::time::Moment;

use scope::Meter;

pub use scope::Scope;

/// Maximum length of an expression, in bytes.
pub const MAX_SOURCE: usize = 8_192;
/// Maximum depth of an expression's tree, including chains of operators; fel-core does not evaluate deeper
/// trees. Its parser accepts brackets, calls and conditions to a depth of 32.
const MAX_DEPTH: usize = 128;
/// The maximum number of prefix operators in a row: fel-core's parser recurses for each of them without a
/// limit.
const MAX_PREFIXES: usize = 16;

/// The Formspec Expression Language.
///
/// Numbers are decimals of 96 bits, rounded half to even. Null propagates, and a type error is an error, not
/// a null. This crate replaces the functions `replace`, `format`, `matches`, `power` and `dateAdd`: the
/// results are the same, but texts, work and years are bounded, and powers do not depend on the platform. An
/// expression that reads a number beyond the range of these decimals fails.
///
/// An expression has at most 8,192 bytes, a nesting depth of 32, a syntax tree of 128 levels, and 16 prefix
/// operators in a row. If its value is a date, the year must be from 0 to 9999. A panic in fel-core (if a sum
/// of decimals overflows) becomes a [`Problem`], provided that panics unwind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fel;

/// A parsed expression.
#[derive(Debug, Clone)]
pub struct Expression {
    tree: Expr,
    /// `true` if a null value becomes an empty text.
    null_is_empty: bool,
}

impl Fel {
    fn run(expression: &Expression, scope: &Scope, allowance: Allowance) -> Result<Value, Problem> {
        let meter = Meter::new(scope, allowance.bytes);
        let functions = bounded::Functions::new(&meter);
        let options = EvaluatorOptions {
            trace: None,
            extensions: Some(&functions),
            budget: EvalBudget::for_batch(allowance.steps, allowance.bytes),
        };
        // fel-core panics if a sum of decimals overflows; this crate returns an error.
        let result = catch_unwind(AssertUnwindSafe(|| evaluate_with(&expression.tree, &meter, options)))
            .map_err(|_| Problem::new("a number grew beyond 28 digits"))?;
        if let Some(problem) = meter.problem() {
            return Err(Problem::new(problem));
        }
        let error = result.diagnostics.iter().find(|found| found.severity == fel_core::Severity::Error);
        match error {
            Some(found) => Err(Problem::new(explain(found))),
            None if !in_calendar(&result.value) => Err(Problem::new("the year is not from 0 to 9999")),
            None => Ok(result.value),
        }
    }
}

/// Returns `false` for a date whose year is not from 0 to 9999, which fel-core allows but which cannot be written.
fn in_calendar(value: &Value) -> bool {
    !matches!(value, Value::Date(date) if !(0..=9999).contains(&date.year()))
}

/// Explains an error without the respondent's input: free texts are cut before the first quotation mark or
/// colon, except the colon after the name of a function.
fn explain(found: &fel_core::Diagnostic) -> String {
    match &found.kind {
        Some(DiagnosticKind::TypeMismatch { fn_name, expected, got }) => {
            format!("`{}` expects {expected}, not {got}", bounded::public_name(fn_name))
        }
        Some(DiagnosticKind::UndefinedFunction { name }) => format!("there is no function `{name}`"),
        Some(DiagnosticKind::ArityMismatch { name, got, .. }) => {
            format!("`{}` does not take {got} arguments", bounded::public_name(name))
        }
        Some(DiagnosticKind::MissingTimezoneContext { fn_name, .. }) => {
            format!("`{fn_name}()` needs the time of the evaluation")
        }
        None => {
            let own = found.message.split_once(bounded::FAILED).map(|(_, message)| message);
            let message = own.unwrap_or(&found.message);
            let named = |(name, _): &(&str, &str)| {
                *name == "Type error" || name.bytes().all(|byte| byte.is_ascii_alphanumeric())
            };
            let from = message.split_once(": ").filter(named).map_or(0, |(name, _)| name.len() + 1);
            let end = message[from..].find(['\'', '"', '`', ':']).map_or(message.len(), |end| from + end);
            message.get(..end).unwrap_or_default().trim_end().to_owned()
        }
    }
}

impl Language for Fel {
    type Expression = Expression;
    type Scope = Scope;

    fn parse(&self, source: &str) -> Result<Expression, Problem> {
        if source.len() > MAX_SOURCE {
            return Err(Problem::new(format!("the expression is longer than {MAX_SOURCE} bytes")));
        }
        if longest_prefix_run(source)? > MAX_PREFIXES {
            return Err(Problem::new(format!(
                "more than {MAX_PREFIXES} of `-`, `!` and `not` follow each other"
            )));
        }
        let mut tree = fel_core::parse(source).map_err(|error| Problem::new(error.to_string()))?;
        if depth(&tree) > MAX_DEPTH {
            return Err(Problem::new(format!("the expression nests deeper than {MAX_DEPTH} levels")));
        }
        let null_is_empty = fel_core::expr_is_interpolation_static_literal(&tree)
            || fel_core::expr_references_instance_data(&tree);
        bounded::substitute(&mut tree)?;
        Ok(Expression { tree, null_is_empty })
    }

    fn flaw(&self, expression: &Expression) -> Option<Problem> {
        let mut open = vec![&expression.tree];
        while let Some(tree) = open.pop() {
            if let Expr::FunctionCall { name, args } = tree {
                let arity = bounded::arity(name).or_else(|| fel_core::builtin_arity(name));
                let public = bounded::public_name(name);
                let Some((least, most)) = arity else {
                    return Some(Problem::new(format!("there is no function `{public}`")));
                };
                if args.len() < least || most.is_some_and(|most| args.len() > most) {
                    return Some(Problem::new(format!("`{public}` does not take {} arguments", args.len())));
                }
            }
            open.extend(children(tree).into_iter().rev());
        }
        None
    }

    fn names(&self, expression: &Expression) -> Vec<String> {
        let mut names: Vec<String> =
            fel_core::extract_dependencies(&expression.tree).fields.into_iter().collect();
        names.sort_unstable();
        names
    }

    fn scope(&self, data: &Data<'_>, now: Option<&Moment>) -> Scope {
        Scope::new(data, now)
    }

    fn holds(&self, expression: &Expression, scope: &Scope, allowance: Allowance) -> Result<bool, Problem> {
        Self::run(expression, scope, allowance).map(|value| value.is_truthy())
    }

    fn score(
        &self,
        expression: &Expression,
        scope: &Scope,
        allowance: Allowance,
    ) -> Result<Option<Decimal>, Problem> {
        match Self::run(expression, scope, allowance)? {
            Value::Number(number) => Decimal::from_text(&number.to_string())
                .map(Some)
                .map_err(|_| Problem::new("the score is out of range")),
            _ => Ok(None),
        }
    }

    fn text(&self, expression: &Expression, scope: &Scope, allowance: Allowance) -> Result<String, Problem> {
        match Self::run(expression, scope, allowance)? {
            Value::Null if !expression.null_is_empty => {
                Err(Problem::new("the value is null, and no answer is read"))
            }
            // Lists and objects have no text.
            Value::Null | Value::Array(_) | Value::Object(_) => Ok(String::new()),
            value => Ok(value.to_string()),
        }
    }
}

/// Returns the greatest number of prefix operators in a row.
fn longest_prefix_run(source: &str) -> Result<usize, Problem> {
    let tokens = fel_core::tokenize(source).map_err(Problem::new)?;
    let (mut run, mut longest) = (0, 0);
    for token in tokens {
        run = if matches!(token.text.as_str(), "-" | "!" | "not") { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    Ok(longest)
}

/// Returns the nesting of an expression. There is no recursion, because a chain of operators can nest
/// thousands of levels.
fn depth(tree: &Expr) -> usize {
    let mut deepest = 0;
    let mut open = vec![(tree, 1)];
    while let Some((expression, level)) = open.pop() {
        deepest = deepest.max(level);
        for child in children(expression) {
            open.push((child, level + 1));
        }
    }
    deepest
}

fn children(expression: &Expr) -> Vec<&Expr> {
    match expression {
        Expr::Null
        | Expr::Boolean(_)
        | Expr::Number(_)
        | Expr::String(_)
        | Expr::DateLiteral(_)
        | Expr::DateTimeLiteral(_)
        | Expr::FieldRef { .. }
        | Expr::VarRef { .. }
        | Expr::ContextRef { .. } => Vec::new(),
        Expr::Array(items) | Expr::FunctionCall { args: items, .. } => items.iter().collect(),
        Expr::Object(entries) => entries.iter().map(|(_, value)| value).collect(),
        Expr::UnaryOp { operand, .. } => vec![operand],
        Expr::PostfixAccess { expr, .. } => vec![expr],
        Expr::BinaryOp { left, right, .. }
        | Expr::NullCoalesce { left, right }
        | Expr::Membership { value: left, container: right, .. }
        | Expr::LetBinding { value: left, body: right, .. } => vec![left, right],
        Expr::Ternary { condition, then_branch, else_branch }
        | Expr::IfThenElse { condition, then_branch, else_branch } => {
            vec![condition, then_branch, else_branch]
        }
    }
}
