//! Matches an input against a grammar.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::pattern::{BytePattern, Kept, Refused};

use super::parse::number;
use super::value::Value;
use super::{Command, Expr, Mismatch, Notation, Place, Repetition, Test};

/// The maximum number of steps of a run. Commands and parts of expressions are steps, among others.
const STEPS: u64 = 100_000_000;
/// The maximum number of elements of all variables together.
const ELEMENTS: usize = 2_000_000;
/// The maximum total size of these elements, in bytes.
const BYTES: usize = 256 << 20;
/// The amount of work of regular expressions that counts as one step.
const SEARCHED: u64 = 64;
/// The message for a run that takes too long.
const TOO_MANY_STEPS: &str = "the grammar takes too many steps for this input";
/// The maximum length of an expected text in a message, in bytes.
const SHOWN: usize = 40;

pub(super) fn run(commands: &[Command], input: &[u8]) -> Result<(), Mismatch> {
    let mut run = Run::new(input);
    match run.all(commands) {
        Ok(()) => run.end(),
        Err(Stop::End) => Ok(()),
        Err(Stop::Mismatch(why)) => Err(why),
    }
}

/// The reason why a run stops.
enum Stop {
    /// `EOF` was required and found.
    End,
    Mismatch(Mismatch),
}

impl From<String> for Stop {
    fn from(why: String) -> Self {
        Self::Mismatch(Mismatch::Grammar(why))
    }
}

impl From<&str> for Stop {
    fn from(why: &str) -> Self {
        why.to_owned().into()
    }
}

impl From<Mismatch> for Stop {
    fn from(why: Mismatch) -> Self {
        Self::Mismatch(why)
    }
}

type Done<T = ()> = Result<T, Stop>;

/// The elements of a variable by their indices. A variable without indices has one element.
#[derive(Default)]
struct Variable {
    elements: BTreeMap<Vec<i64>, Value>,
    /// The number of occurrences of each value, computed when it is first needed.
    counted: Option<BTreeMap<Value, usize>>,
}

impl Variable {
    /// Estimates the memory that the elements take, in bytes.
    fn bytes(&self) -> usize {
        self.elements.iter().map(|(indices, value)| index_bytes(indices) + value.bytes()).sum()
    }

    /// Estimates the steps of a pass over all elements.
    fn steps(&self) -> u64 {
        self.elements.values().map(|value| 1 + value.steps()).sum()
    }
}

fn index_bytes(indices: &[i64]) -> usize {
    size_of_val(indices)
}

struct Run<'i> {
    input: &'i [u8],
    at: usize,
    variables: BTreeMap<String, Variable>,
    elements: usize,
    bytes: usize,
    steps: u64,
    patterns: Kept<BytePattern>,
}

impl<'i> Run<'i> {
    fn new(input: &'i [u8]) -> Self {
        Self {
            input,
            at: 0,
            variables: BTreeMap::new(),
            elements: 0,
            bytes: 0,
            steps: STEPS,
            patterns: Kept::default(),
        }
    }

    fn step(&mut self, count: u64) -> Done {
        match self.steps.checked_sub(count) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(TOO_MANY_STEPS.into()),
        }
    }

    fn rest(&self) -> &[u8] {
        self.input.get(self.at..).unwrap_or_default()
    }

    /// Returns the error for a mismatch at the current position.
    fn other<T>(&self, message: impl Into<String>) -> Done<T> {
        let before = self.input.get(..self.at).unwrap_or(self.input);
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        let column = 1 + before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        Err(Mismatch::Input { line, column, message: message.into() }.into())
    }

    fn end(&self) -> Result<(), Mismatch> {
        if self.at == self.input.len() {
            return Ok(());
        }
        match self.other::<()>("expected the end") {
            Err(Stop::Mismatch(why)) => Err(why),
            _ => Ok(()),
        }
    }

    fn all(&mut self, commands: &[Command]) -> Done {
        commands.iter().try_for_each(|command| self.command(command))
    }

    fn command(&mut self, command: &Command) -> Done {
        self.step(1)?;
        match command {
            Command::Space => self.bytes(b" ", || "a space".to_owned()),
            Command::Newline => self.bytes(b"\n", || "the end of the line".to_owned()),
            Command::Eof => match self.end() {
                Ok(()) => Err(Stop::End),
                Err(why) => Err(why.into()),
            },
            Command::Int { least, most, to } => {
                let text = self.integer()?;
                let Some(value) = Value::from_digits(&text) else {
                    return self.other("the number is too long");
                };
                self.range(&value, least, most)?;
                self.at += text.len();
                self.assign_read(to.as_ref(), value)
            }
            Command::Float { least, most, decimals, to, notation } => {
                let text = self.float(*notation)?;
                if let Some((fewest, most)) = decimals {
                    let count = Value::integer(decimals_of(&text) as i64);
                    let (fewest, most) = (self.value(fewest)?.into_owned(), self.value(most)?.into_owned());
                    if count < fewest || count > most {
                        return self.other(match fewest == most {
                            false => format!("expected {fewest} to {most} decimals"),
                            true if fewest == Value::integer(1) => "expected 1 decimal".to_owned(),
                            true => format!("expected {fewest} decimals"),
                        });
                    }
                }
                let Some(value) = Value::from_float(&text) else {
                    return self.other("the number is too long");
                };
                self.step(value.steps())?;
                self.range(&value, least, most)?;
                self.at += text.len();
                self.assign_read(to.as_ref(), value)
            }
            Command::Text(text) => {
                let text = self.text(text)?;
                self.step(text.len() as u64 / 64)?;
                self.bytes(&text, || {
                    match std::str::from_utf8(&text).ok().filter(|text| text.len() <= SHOWN) {
                        Some(short) => format!("the text `{}`", short.escape_debug()),
                        None => "the text that the grammar requires".to_owned(),
                    }
                })
            }
            Command::Regex(pattern, to) => {
                let pattern = self.text(pattern)?;
                let length = self.matched(&pattern)?;
                let text = self.rest().get(..length).unwrap_or_default().to_vec();
                self.at += length;
                self.assign_read(to.as_ref(), Value::Text(text))
            }
            Command::Assert(test) => {
                if self.test(test)? {
                    Ok(())
                } else {
                    self.other("an assertion does not hold")
                }
            }
            Command::Set(all) => all.iter().try_for_each(|(place, value)| {
                let value = self.value(value)?.into_owned();
                self.assign(place, value)
            }),
            Command::Unset(names) => {
                for name in names {
                    if let Some(gone) = self.variables.remove(name) {
                        self.elements -= gone.elements.len();
                        self.bytes -= gone.bytes();
                    }
                }
                Ok(())
            }
            Command::Repeat { repetition, index, between, body } => {
                self.repeat(repetition, index.as_ref(), between.as_deref(), body)
            }
            Command::If { test, then, otherwise } => {
                let branch = if self.test(test)? { then } else { otherwise };
                self.all(branch)
            }
        }
    }

    fn repeat(
        &mut self,
        repetition: &Repetition,
        index: Option<&Place>,
        between: Option<&Command>,
        body: &[Command],
    ) -> Done {
        let times = match repetition {
            Repetition::While(_) => None,
            Repetition::Times(count) => match self.value(count)?.into_owned() {
                Value::Integer(count) => {
                    Some(u64::try_from(count).map_err(|_| "the count of `REP` is negative or too large")?)
                }
                _ => return Err("the count of `REP` must be an integer".into()),
            },
        };
        let mut done = 0_u64;
        loop {
            if let Some(index) = index {
                self.assign(index, Value::integer(i64::try_from(done).unwrap_or(i64::MAX)))?;
            }
            let more = match (times, repetition) {
                (_, Repetition::While(test)) => self.test(test)?,
                (times, Repetition::Times(_)) => times.is_some_and(|times| done < times),
            };
            if !more {
                return Ok(());
            }
            self.step(1)?;
            if done > 0
                && let Some(between) = between
            {
                self.command(between)?;
            }
            self.all(body)?;
            done += 1;
        }
    }

    /// Reads bytes. `name` is called only for the message of a mismatch, because a grammar can require millions of
    /// texts.
    fn bytes(&mut self, expected: &[u8], name: impl FnOnce() -> String) -> Done {
        if !self.rest().starts_with(expected) {
            return self.other(format!("expected {}", name()));
        }
        self.at += expected.len();
        Ok(())
    }

    /// Returns the integer at the current position, as written in the input.
    fn integer(&self) -> Done<String> {
        let rest = self.rest();
        let minus = usize::from(rest.first() == Some(&b'-'));
        let digits: Vec<u8> =
            rest.iter().skip(minus).copied().take_while(u8::is_ascii_digit).take(10_000).collect();
        let text = String::from_utf8_lossy(rest.get(..minus + digits.len()).unwrap_or_default()).into_owned();
        match digits.as_slice() {
            [] => self.other("expected an integer"),
            [b'0'] if minus == 1 => self.other("0 has no sign"),
            [b'0', _, ..] => self.other("an integer must not begin with 0"),
            _ => Ok(text),
        }
    }

    fn float(&self, notation: Option<Notation>) -> Done<String> {
        let rest = self.rest();
        let minus = usize::from(rest.first() == Some(&b'-'));
        let length = number(
            rest.get(minus..).unwrap_or_default().get(..10_000.min(rest.len() - minus)).unwrap_or_default(),
        );
        if length == 0 {
            return self.other("expected a number");
        }
        let whole = String::from_utf8_lossy(rest.get(..minus + length).unwrap_or_default()).into_owned();
        let mantissa = whole.find(['e', 'E']);
        match (notation, mantissa) {
            (Some(Notation::Fixed), Some(end)) => Ok(whole.get(..end).unwrap_or_default().to_owned()),
            (Some(Notation::Scientific), None) => self.other("expected a number with an exponent"),
            _ => Ok(whole),
        }
    }

    fn range(&mut self, value: &Value, least: &Expr, most: &Expr) -> Done {
        let number = |value: &Value| match value {
            Value::Text(_) => Err("a range of texts"),
            _ => Ok(()),
        };
        let (least, most) = (self.value(least)?.into_owned(), self.value(most)?.into_owned());
        number(&least)?;
        number(&most)?;
        if *value < least || *value > most {
            return self.other(format!("expected a number from {least} to {most}"));
        }
        Ok(())
    }

    /// Returns the length of a regular expression's match at the current position.
    fn matched(&mut self, pattern: &[u8]) -> Done<usize> {
        let text = std::str::from_utf8(pattern).map_err(|_| "a regular expression is not UTF-8")?;
        let rest = self.input.get(self.at..).unwrap_or_default();
        let steps = &mut self.steps;
        let mut charge = |work: u64| {
            *steps = steps.checked_sub(work.div_ceil(SEARCHED)).ok_or(TOO_MANY_STEPS)?;
            Ok(())
        };
        let compiled = self.patterns.get(text, &mut charge, BytePattern::new);
        let compiled = compiled.map_err(|refused: Refused<&str>| {
            let shown: String = text.chars().take(SHOWN).collect();
            match refused {
                Refused::Work(why) => why.to_owned(),
                Refused::TooLarge => format!("the regular expression `{shown}` is too large"),
                Refused::Invalid => format!("the regular expression `{shown}` is not supported"),
            }
        })?;
        match compiled.prefix(rest, charge)? {
            Some(length) => Ok(length),
            None => self.other("the regular expression does not match"),
        }
    }

    fn assign_read(&mut self, place: Option<&Place>, value: Value) -> Done {
        place.map_or(Ok(()), |place| self.assign(place, value))
    }

    fn assign(&mut self, place: &Place, value: Value) -> Done {
        let indices = self.indices(place)?;
        let variable = self.variables.entry(place.name.clone()).or_default();
        if let Some(counted) = &mut variable.counted {
            *counted.entry(value.clone()).or_default() += 1;
        }
        self.bytes += value.bytes();
        let index_bytes = index_bytes(&indices);
        match variable.elements.insert(indices, value) {
            None => {
                self.elements += 1;
                self.bytes += index_bytes;
            }
            Some(before) => {
                self.bytes -= before.bytes();
                if let Some(counted) = &mut variable.counted
                    && let Some(count) = counted.get_mut(&before)
                {
                    *count -= 1;
                    if *count == 0 {
                        counted.remove(&before);
                    }
                }
            }
        }
        if self.elements > ELEMENTS || self.bytes > BYTES {
            return Err("the grammar keeps too many values".into());
        }
        Ok(())
    }

    fn indices(&mut self, place: &Place) -> Done<Vec<i64>> {
        let mut indices = Vec::with_capacity(place.indices.len());
        for index in &place.indices {
            match self.value(index)?.as_ref() {
                Value::Integer(index) => {
                    indices.push(i64::try_from(index).map_err(|_| "an index is too large")?);
                }
                _ => return Err("an index must be an integer".into()),
            }
        }
        Ok(indices)
    }

    fn value<'e>(&mut self, expression: &'e Expr) -> Done<Cow<'e, Value>> {
        self.step(1)?;
        Ok(Cow::Owned(match expression {
            Expr::Value(value) => {
                self.step(value.steps())?;
                return Ok(Cow::Borrowed(value));
            }
            Expr::Variable(place) => {
                let indices = self.indices(place)?;
                let known =
                    self.variables.get(&place.name).and_then(|variable| variable.elements.get(&indices));
                let Some(known) = known else {
                    return Err(format!("the variable `{}` has no value here", place.name).into());
                };
                let known = known.clone();
                self.step(known.steps())?;
                known
            }
            Expr::Length(text) => Value::integer(self.text(text)?.len() as i64),
            Expr::Negative(inner) => self.value(inner)?.negative()?,
            Expr::Power(base, exponent) => {
                let base = self.value(base)?.into_owned();
                let exponent = self.value(exponent)?;
                self.step(base.steps_to_power(&exponent))?;
                base.power(&exponent)?
            }
            Expr::Chain(first, rest) => {
                let mut sum = self.value(first)?.into_owned();
                for (operator, part) in rest {
                    let part = self.value(part)?;
                    self.step(sum.steps_with(*operator, &part))?;
                    sum = sum.with(*operator, &part)?;
                }
                sum
            }
        }))
    }

    fn text(&mut self, expression: &Expr) -> Done<Vec<u8>> {
        match self.value(expression)?.into_owned() {
            Value::Text(text) => Ok(text),
            _ => Err("a text is expected, not a number".into()),
        }
    }

    fn test(&mut self, test: &Test) -> Done<bool> {
        self.step(1)?;
        Ok(match test {
            Test::Not(inner) => !self.test(inner)?,
            Test::All(all) => {
                for test in all {
                    if !self.test(test)? {
                        return Ok(false);
                    }
                }
                true
            }
            Test::Any(any) => {
                for test in any {
                    if self.test(test)? {
                        return Ok(true);
                    }
                }
                false
            }
            Test::Compare(left, how, right) => {
                let left = self.value(left)?;
                left.compare(*how, self.value(right)?.as_ref())?
            }
            Test::Match(characters) => {
                let characters = self.text(characters)?;
                self.rest().first().is_some_and(|next| characters.contains(next))
            }
            Test::IsEof => self.at == self.input.len(),
            Test::Unique(names) => self.unique(names)?,
            Test::InArray(value, name) => {
                let value = self.value(value)?.into_owned();
                if let Some(variable) = self.variables.get(name).filter(|variable| variable.counted.is_none())
                {
                    self.step(variable.steps())?;
                }
                let Some(variable) = self.variables.get_mut(name) else { return Ok(false) };
                let elements = &variable.elements;
                let counted = variable.counted.get_or_insert_with(|| {
                    let mut counted = BTreeMap::new();
                    elements.values().for_each(|value| *counted.entry(value.clone()).or_default() += 1);
                    counted
                });
                counted.contains_key(&value)
            }
        })
    }

    fn unique(&mut self, names: &[String]) -> Done<bool> {
        self.step(names.iter().filter_map(|name| self.variables.get(name)).map(Variable::steps).sum())?;
        let mut variables = Vec::with_capacity(names.len());
        for name in names {
            match self.variables.get(name) {
                Some(known) => variables.push(&known.elements),
                None => return Err(format!("the variable `{name}` has no value here").into()),
            }
        }
        let Some((first, others)) = variables.split_first() else { return Ok(true) };
        if others.iter().any(|other| !other.keys().eq(first.keys())) {
            return Err("`UNIQUE` requires variables with the same indices".into());
        }
        let mut seen = BTreeSet::new();
        Ok(first.keys().all(|key| {
            let tuple: Vec<&Value> = variables.iter().filter_map(|known| known.get(key)).collect();
            seen.insert(tuple)
        }))
    }
}

/// Counts the digits after the decimal point.
fn decimals_of(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

#[cfg(test)]
mod tests {
    use super::super::Grammar;
    use super::*;

    fn after(grammar: &str) -> Run<'static> {
        let grammar = Grammar::parse(grammar.as_bytes()).expect("a grammar");
        let mut run = Run::new(b"");
        assert!(run.all(&grammar.commands).is_ok());
        run
    }

    #[test]
    fn replaced_values_are_not_kept() {
        let run = after("SET(a=0) ASSERT(INARRAY(0,a)) REPI(i,1000) SET(a=i) END ASSERT(INARRAY(999,a))");
        let variable = run.variables.get("a").expect("a variable");
        assert_eq!(variable.counted.as_ref().map(BTreeMap::len), Some(1));
    }
}
