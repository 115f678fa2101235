//! The answers and the clock as fel-core reads them, with a limit on the data that an expression reads.

use std::cell::Cell;
use std::collections::HashMap;

use fablegrade_public::json::Json;
use fel_core::{
    CurrencyCode, Date as FelDate, Environment, FormspecEnvironment, IndexMap, MissingTimezoneContextError,
    Money, Value, value_size_estimate,
};
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use crate::language::{Data, Node};
use crate::time::{Date, Moment};

/// The answers and the clock of one determination.
pub struct Scope {
    answers: Answers,
    now: Option<FelDate>,
}

enum Answers {
    /// Each root value with its size in bytes.
    Nested(HashMap<String, (Value, u64)>),
    Flat(Box<FormspecEnvironment>),
}

impl Scope {
    pub(super) fn new(data: &Data<'_>, now: Option<&Moment>) -> Self {
        let answers = match data {
            Data::Nested(root) => {
                let sized = |node| {
                    let value = nested(node);
                    let size = value_size_estimate(&value);
                    (value, size)
                };
                Answers::Nested(root.iter().map(|(key, node)| ((*key).to_owned(), sized(node))).collect())
            }
            Data::Flat(fields) => {
                let mut environment = FormspecEnvironment::new();
                for (path, value) in fields {
                    environment.set_field(path, reference_value(value));
                }
                Answers::Flat(Box::new(environment))
            }
        };
        let now = now.map(|moment| {
            let (hour, minute, second) = moment.time();
            FelDate::DateTime {
                year: i32::from(moment.date().year()),
                month: u32::from(moment.date().month()),
                day: u32::from(moment.date().day()),
                hour: u32::from(hour),
                minute: u32::from(minute),
                // The language has no leap seconds.
                second: u32::from(second.min(59)),
            }
        });
        Self { answers, now }
    }
}

/// Builds a nested value. Recursion is bounded by the number of steps in a path and by the depth limit of the
/// parsed document.
fn nested(node: &Node<'_>) -> Value {
    match node {
        Node::Answer { value, data_type: Some("date" | "dateTime") } => match value.as_str() {
            Some(text) => date(text).map_or(Value::Null, Value::Date),
            None => from_json(value, exact),
        },
        Node::Answer { value, .. } => from_json(value, exact),
        Node::Group(group) => {
            Value::Object(group.iter().map(|(key, node)| ((*key).to_owned(), nested(node))).collect())
        }
        Node::Rows(rows) => Value::Array(rows.values().map(nested).collect()),
    }
}

fn date(text: &str) -> Option<FelDate> {
    if let Some(date) = Date::parse(text) {
        return Some(FelDate::Date {
            year: i32::from(date.year()),
            month: u32::from(date.month()),
            day: u32::from(date.day()),
        });
    }
    fel_core::parse_datetime_literal(&format!("@{text}"))
}

/// Returns the number with up to 28 digits; `None` if it is too large for the language.
fn exact(number: &fablegrade_public::decimal::Decimal) -> Option<Decimal> {
    let text = number.to_string();
    text.parse().ok().or_else(|| Decimal::from_scientific(&text).ok())
}

/// Returns the number as the reference implementation reads it: through `f64`, unless it fits in `i64`.
fn through_f64(number: &fablegrade_public::decimal::Decimal) -> Option<Decimal> {
    number.to_i64().map(Decimal::from).or_else(|| Decimal::from_f64(number.to_f64()))
}

fn reference_value(value: &Json) -> Value {
    from_json(value, through_f64)
}

type Number = fn(&fablegrade_public::decimal::Decimal) -> Option<Decimal>;

/// Returns a JSON value as a FEL value. An object with an amount and a currency is money. An object can also
/// represent a number, a date or money by its `$type`. Recursion is bounded by the depth limit of the parsed
/// document.
fn from_json(value: &Json, number: Number) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Boolean(*value),
        Json::Number(value) => number(value).map_or(Value::Null, Value::Number),
        Json::String(text) => Value::String(text.to_string()),
        Json::Array(items) => Value::Array(items.iter().map(|item| from_json(item, number)).collect()),
        Json::Object(fields) => marked(value, number).unwrap_or_else(|| {
            let fields = fields.iter().map(|(key, value)| (key.to_string(), from_json(value, number)));
            Value::Object(fields.collect::<IndexMap<_, _>>())
        }),
    }
}

/// Returns the value of an object that represents a number, a date or money; `None` for other objects.
fn marked(value: &Json, number: Number) -> Option<Value> {
    let amount = |value: &Json| match value {
        Json::Number(value) => number(value),
        Json::String(text) => Decimal::from_str_exact(text).ok(),
        _ => None,
    };
    match value.get("$type") {
        Some(kind) => match kind.as_str()? {
            "number" => Some(amount(value.get("value")?).map_or(Value::Null, Value::Number)),
            "date" => {
                let date = value.get("value").and_then(Json::as_str).and_then(date);
                Some(date.map_or(Value::Null, Value::Date))
            }
            "money" => money(value, amount),
            _ => None,
        },
        None => money(value, amount),
    }
}

fn money(value: &Json, amount: impl Fn(&Json) -> Option<Decimal>) -> Option<Value> {
    let currency = CurrencyCode::parse(value.get("currency")?.as_str()?)?;
    Some(Value::Money(Money { amount: amount(value.get("amount")?)?, currency }))
}

/// The scope during one evaluation. It counts the bytes that it returns, because fel-core copies the values
/// that it reads.
pub(super) struct Meter<'s> {
    scope: &'s Scope,
    left: Cell<u64>,
    exhausted: Cell<bool>,
}

impl<'s> Meter<'s> {
    pub(super) fn new(scope: &'s Scope, bytes: u64) -> Self {
        Self { scope, left: Cell::new(bytes), exhausted: Cell::new(false) }
    }

    pub(super) fn exhausted(&self) -> bool {
        self.exhausted.get()
    }

    /// Returns `value`, or null once the allowance is used up.
    fn hand_out(&self, (value, size): &(Value, u64)) -> Value {
        if !self.exhausted.get() {
            match self.left.get().checked_sub(*size) {
                Some(left) => {
                    self.left.set(left);
                    return value.clone();
                }
                None => self.exhausted.set(true),
            }
        }
        Value::Null
    }
}

/// Follows keys into a value; a key on a list is looked up in each element.
fn follow(value: &Value, path: &[String]) -> Value {
    let Some((key, rest)) = path.split_first() else { return value.clone() };
    match value {
        Value::Object(fields) => fields.get(key).map_or(Value::Null, |value| follow(value, rest)),
        Value::Array(items) => {
            let found = items.iter().map(|item| match item {
                Value::Object(fields) => fields.get(key).cloned().unwrap_or(Value::Null),
                _ => Value::Null,
            });
            follow(&Value::Array(found.collect()), rest)
        }
        _ => Value::Null,
    }
}

impl Environment for Meter<'_> {
    fn resolve_field(&self, segments: &[String]) -> Value {
        let nested = match &self.scope.answers {
            Answers::Flat(environment) => return environment.resolve_field(segments),
            Answers::Nested(nested) => nested,
        };
        let Some((first, rest)) = segments.split_first() else { return Value::Null };
        let Some(value) = nested.get(first) else { return Value::Null };
        // A projection can copy the whole root value, so the whole value is charged.
        if rest.is_empty() {
            return self.hand_out(value);
        }
        match self.hand_out(value) {
            Value::Null => Value::Null,
            whole => follow(&whole, rest),
        }
    }

    fn resolve_context(&self, _name: &str, _argument: Option<&str>, _tail: &[String]) -> Value {
        // A screener has no instances, variables or repeat under evaluation.
        Value::Null
    }

    fn current_date(&self) -> Result<FelDate, MissingTimezoneContextError> {
        self.current_datetime().map(|now| FelDate::Date {
            year: now.year(),
            month: now.month(),
            day: now.day(),
        })
    }

    fn current_datetime(&self) -> Result<FelDate, MissingTimezoneContextError> {
        self.scope.now.clone().ok_or_else(MissingTimezoneContextError::not_configured)
    }
}
