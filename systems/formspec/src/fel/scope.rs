//! The answers and the clock as fel-core reads them, with a limit on the data that an expression reads.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Bound;

use fablegrade_public::decimal::Decimal as Number;
use fablegrade_public::json::Json;
use fel_core::{
    CurrencyCode, Date as FelDate, Environment, IndexMap, MissingTimezoneContextError, Money, Value,
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
    /// By key of the root.
    Nested(BTreeMap<String, Stored>),
    /// By item path.
    Flat(BTreeMap<String, Stored>),
}

/// An answer, or a part of one.
enum Stored {
    /// Anything but a list or an object.
    Value(Value),
    /// A number that is too large for the language. It cannot be read.
    OutOfRange,
    List(Vec<Stored>),
    Object(IndexMap<String, Stored>),
}

/// The way numbers of answers are read.
#[derive(Clone, Copy)]
enum Numbers {
    /// As the same number is read in an expression.
    Exact,
    /// As in the reference implementation: through `f64`, unless it fits in `i64`, and null if out of range.
    Reference,
}

impl Scope {
    pub(super) fn new(data: &Data<'_>, now: Option<&Moment>) -> Self {
        let answers = match data {
            Data::Nested(root) => {
                Answers::Nested(root.iter().map(|(key, node)| ((*key).to_owned(), nested(node))).collect())
            }
            Data::Flat(fields) => {
                let stored = |(path, value): &(&str, &Json)| {
                    ((*path).to_owned(), from_json(value, Numbers::Reference))
                };
                Answers::Flat(fields.iter().map(stored).collect())
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
fn nested(node: &Node<'_>) -> Stored {
    match node {
        Node::Answer { value, data_type: Some("date" | "dateTime") } => match value.as_str() {
            Some(text) => Stored::Value(date(text).map_or(Value::Null, Value::Date)),
            None => from_json(value, Numbers::Exact),
        },
        Node::Answer { value, .. } => from_json(value, Numbers::Exact),
        Node::Group(group) => {
            Stored::Object(group.iter().map(|(key, node)| ((*key).to_owned(), nested(node))).collect())
        }
        Node::Rows(rows) => Stored::List(rows.values().map(nested).collect()),
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

impl Numbers {
    fn read(self, number: &Number) -> Stored {
        let read = match self {
            Self::Exact => written_out(number).and_then(|text| text.parse().ok()),
            Self::Reference => {
                number.to_i64().map(Decimal::from).or_else(|| Decimal::from_f64(number.to_f64()))
            }
        };
        read.map_or_else(|| self.out_of_range(), |number| Stored::Value(Value::Number(number)))
    }

    fn out_of_range(self) -> Stored {
        match self {
            Self::Exact => Stored::OutOfRange,
            Self::Reference => Stored::Value(Value::Null),
        }
    }

    /// Reads a number, or a text that represents one. `None` for other values.
    fn amount(self, value: &Json) -> Option<Stored> {
        match value {
            Json::Number(number) => Some(self.read(number)),
            Json::String(text) => match (Decimal::from_str_exact(text), self) {
                (Ok(number), _) => Some(Stored::Value(Value::Number(number))),
                (Err(_), Self::Exact) => Number::from_text(text).ok().map(|number| self.read(&number)),
                (Err(_), Self::Reference) => None,
            },
            _ => None,
        }
    }
}

/// Writes a number without an exponent, because fel-core's numbers cannot be parsed with one. Returns `None` if
/// the number is far out of their range.
fn written_out(number: &Number) -> Option<String> {
    let text = number.to_string();
    let Some((mantissa, power)) = text.split_once('e') else { return Some(text) };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |mantissa| ("-", mantissa));
    let digits = mantissa.replace('.', "");
    // The mantissa has one digit before its point.
    let point = power.parse::<i32>().ok()? + 1;
    let zeros = |count: usize| "0".repeat(count);
    let Ok(whole) = usize::try_from(point) else {
        // At most 40 zeros are needed: the language has fewer digits, so a smaller number rounds to 0 in any case.
        let before = point.unsigned_abs().min(40) as usize;
        return Some(format!("{sign}0.{}{digits}", zeros(before)));
    };
    match digits.split_at_checked(whole) {
        Some((whole, fraction)) => Some(format!("{sign}{whole}.{fraction}0")),
        None if whole > 40 => None,
        None => Some(format!("{sign}{digits}{}", zeros(whole - digits.len()))),
    }
}

/// Returns a JSON value as a FEL value. An object with an amount and a currency is money. An object can also
/// represent a number, a date or money by its `$type`. Recursion is bounded by the depth limit of the parsed
/// document.
fn from_json(value: &Json, numbers: Numbers) -> Stored {
    match value {
        Json::Null => Stored::Value(Value::Null),
        Json::Bool(value) => Stored::Value(Value::Boolean(*value)),
        Json::Number(value) => numbers.read(value),
        Json::String(text) => Stored::Value(Value::String(text.to_string())),
        Json::Array(items) => Stored::List(items.iter().map(|item| from_json(item, numbers)).collect()),
        Json::Object(fields) => marked(value, numbers).unwrap_or_else(|| {
            let fields = fields.iter().map(|(key, value)| (key.to_string(), from_json(value, numbers)));
            Stored::Object(fields.collect())
        }),
    }
}

/// Returns the value of an object that represents a number, a date or money; `None` for other objects.
fn marked(value: &Json, numbers: Numbers) -> Option<Stored> {
    match value.get("$type") {
        Some(kind) => match kind.as_str()? {
            "number" => Some(numbers.amount(value.get("value")?).unwrap_or(Stored::Value(Value::Null))),
            "date" => {
                let date = value.get("value").and_then(Json::as_str).and_then(date);
                Some(Stored::Value(date.map_or(Value::Null, Value::Date)))
            }
            "money" => money(value, numbers),
            _ => None,
        },
        None => money(value, numbers),
    }
}

fn money(value: &Json, numbers: Numbers) -> Option<Stored> {
    let currency = CurrencyCode::parse(value.get("currency")?.as_str()?)?;
    match numbers.amount(value.get("amount")?)? {
        Stored::Value(Value::Number(amount)) => Some(Stored::Value(Value::Money(Money { amount, currency }))),
        Stored::OutOfRange => Some(Stored::OutOfRange),
        _ => None,
    }
}

impl Stored {
    /// Estimates the bytes of a copy. Recursion is bounded by the depth of the value.
    fn size(&self) -> u64 {
        match self {
            Self::Value(value) => fel_core::value_size_estimate(value),
            Self::OutOfRange => 0,
            Self::List(items) => ITEM * items.len() as u64 + items.iter().map(Self::size).sum::<u64>(),
            Self::Object(fields) => {
                fields.iter().map(|(key, value)| FIELD + key.len() as u64 + value.size()).sum()
            }
        }
    }

    fn field(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(fields) => fields.get(key),
            _ => None,
        }
    }

    /// Returns a copy; `None` if there is a number in it that is out of range.
    fn copy(&self) -> Option<Value> {
        match self {
            Self::Value(value) => Some(value.clone()),
            Self::OutOfRange => None,
            Self::List(items) => Some(Value::Array(items.iter().map(Self::copy).collect::<Option<_>>()?)),
            Self::Object(fields) => {
                let fields = fields.iter().map(|(key, value)| Some((key.clone(), value.copy()?)));
                Some(Value::Object(fields.collect::<Option<_>>()?))
            }
        }
    }
}

/// The bytes that an item of a list and a field of an object take, as fel-core estimates them.
const ITEM: u64 = 16;
const FIELD: u64 = 40;

/// The scope during one evaluation. It counts the bytes of the values that an expression reads, because each
/// read copies its value. It also counts the bytes that this crate's functions process.
pub(super) struct Meter<'s> {
    scope: &'s Scope,
    left: Cell<u64>,
    problem: Cell<Option<&'static str>>,
}

impl<'s> Meter<'s> {
    pub(super) fn new(scope: &'s Scope, bytes: u64) -> Self {
        Self { scope, left: Cell::new(bytes), problem: Cell::new(None) }
    }

    /// Returns why the value of the expression does not count.
    pub(super) fn problem(&self) -> Option<&'static str> {
        self.problem.get()
    }

    /// Takes bytes from the allowance; `None` once it is used up.
    pub(super) fn charge(&self, bytes: u64) -> Option<()> {
        let left = self.left.get().checked_sub(bytes);
        if left.is_none() {
            self.problem.set(Some("the texts and lists that it works through are too large"));
        }
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    fn hand_out(&self, stored: &Stored) -> Option<Value> {
        self.charge(stored.size())?;
        let value = stored.copy();
        if value.is_none() {
            self.problem.set(Some("a number that it reads is out of range"));
        }
        value
    }

    /// Follows keys into a value; a key on a list is looked up in each element. Returns `None` for null.
    fn follow(&self, mut value: &Stored, path: &[String]) -> Option<Value> {
        let mut path = path.iter();
        let mut items = loop {
            if let Stored::List(items) = value {
                break items;
            }
            let Some(key) = path.next() else { return self.hand_out(value) };
            value = value.field(key)?;
        }
        .iter()
        .map(Some)
        .collect::<Vec<_>>();
        if path.len() == 0 {
            return self.hand_out(value);
        }
        for key in path {
            self.charge(FIELD * items.len() as u64)?;
            for item in &mut items {
                *item = item.and_then(|item| item.field(key));
            }
        }
        self.project(items)
    }

    fn project<'i>(&self, items: impl IntoIterator<Item = Option<&'i Stored>>) -> Option<Value> {
        let copy = |item: Option<&Stored>| match item {
            None => self.charge(ITEM).map(|()| Value::Null),
            Some(item) => self.charge(ITEM).and_then(|()| self.hand_out(item)),
        };
        items.into_iter().map(copy).collect::<Option<_>>().map(Value::Array)
    }

    /// Looks up an item as the reference implementation does: by its whole path, inside the answer to its first
    /// key, or in every instance of a repeat (`$a.b.c` in `a[0].b.c`, ... or in `a.b[0].c`, ...).
    fn flat(&self, fields: &BTreeMap<String, Stored>, segments: &[String]) -> Option<Value> {
        let path = segments.join(".");
        self.charge(path.len() as u64)?;
        if let Some(value) = fields.get(&path) {
            return self.hand_out(value);
        }
        let (first, rest) = segments.split_first()?;
        if let Some(value) = fields.get(first) {
            return self.follow(value, rest);
        }
        let mut end = 0;
        for segment in segments {
            end += segment.len();
            let (group, suffix) = path.split_at_checked(end)?;
            end += 1;
            self.charge(group.len() as u64)?;
            let prefix = format!("{group}[");
            let from = (Bound::Included(prefix.as_str()), Bound::Unbounded);
            let mut found = Vec::new();
            for (path, value) in fields.range::<str, _>(from) {
                let Some(below) = path.strip_prefix(&prefix) else { break };
                self.charge(path.len() as u64)?;
                if let Some((index, tail)) = below.split_once(']')
                    && tail == suffix
                    && let Ok(index) = index.parse::<usize>()
                {
                    found.push((index, value));
                }
            }
            if !suffix.is_empty() && !found.is_empty() {
                found.sort_by_key(|(index, _)| *index);
                return self.project(found.into_iter().map(|(_, value)| Some(value)));
            }
        }
        None
    }
}

impl Environment for Meter<'_> {
    fn resolve_field(&self, segments: &[String]) -> Value {
        let found = match &self.scope.answers {
            // Nothing is read any more.
            _ if self.problem.get().is_some() => None,
            Answers::Flat(fields) => self.flat(fields, segments),
            Answers::Nested(root) => segments
                .split_first()
                .and_then(|(first, rest)| root.get(first).and_then(|value| self.follow(value, rest))),
        };
        found.unwrap_or(Value::Null)
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
