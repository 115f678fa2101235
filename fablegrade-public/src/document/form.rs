//! The forms that a field's JSON value can have, with their readers and writers.

use std::marker::PhantomData;

use crate::content::Content;
use crate::decimal::Decimal;
use crate::finding::{Finding, Findings};
use crate::identifier::{Identifier, Instant, UuidText};
use crate::json::{self, Json, Path, Read, Value};

/// The form of a value in JSON, with its limits.
pub trait Form {
    /// The Rust type.
    type Value;

    /// Reads a value. Returns `None` only after it has pushed at least one error.
    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self::Value>;

    /// Writes a value, including any key in it.
    fn write(&self, value: &Self::Value) -> Json;
}

/// A type that has the same form wherever it is used.
pub trait Whole: Read {
    /// Returns the value as JSON, including any key in it.
    fn whole(&self) -> Json;
}

macro_rules! whole {
    ($($kind:ty),*) => {$(
        impl Whole for $kind {
            fn whole(&self) -> Json {
                self.into()
            }
        }
    )*};
}
whole!(Content, UuidText, Instant);

impl<const MAX: usize> Whole for Identifier<MAX> {
    fn whole(&self) -> Json {
        self.into()
    }
}

/// The form of a [`Whole`] type.
pub struct Of<T>(PhantomData<T>);

/// Returns the form of a [`Whole`] type.
pub const fn of<T: Whole>() -> Of<T> {
    Of(PhantomData)
}

impl<T: Whole> Form for Of<T> {
    type Value = T;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<T> {
        T::read(value, at, findings)
    }

    fn write(&self, value: &T) -> Json {
        value.whole()
    }
}

/// The form of a Boolean.
pub struct Flag;

/// Returns the form of a Boolean.
pub const fn flag() -> Flag {
    Flag
}

impl Form for Flag {
    type Value = bool;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<bool> {
        json::boolean(value, at, findings)
    }

    fn write(&self, value: &bool) -> Json {
        (*value).into()
    }
}

/// The form of an exact number.
pub struct Number;

/// Returns the form of an exact number.
pub const fn number() -> Number {
    Number
}

impl Form for Number {
    type Value = Decimal;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Decimal> {
        json::decimal(value, at, findings)
    }

    fn write(&self, value: &Decimal) -> Json {
        value.into()
    }
}

/// The form of an exact number above zero.
pub struct Positive {
    pub(super) most: Option<Decimal>,
}

/// Returns the form of an exact number above zero and, if `most` is given, at most `most`.
pub const fn positive(most: Option<Decimal>) -> Positive {
    Positive { most }
}

impl Form for Positive {
    type Value = Decimal;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Decimal> {
        let number = json::decimal(value, at, findings)?;
        if number > Decimal::zero() && self.most.as_ref().is_none_or(|most| number <= *most) {
            return Some(number);
        }
        let range = self
            .most
            .as_ref()
            .map_or_else(|| "above 0".to_owned(), |most| format!("above 0 and at most {most}"));
        findings.push(Finding::error(
            "out-of-range",
            at.pointer(),
            format!("the number must be {range}"),
            format!("choose one that is {range}"),
        ));
        None
    }

    fn write(&self, value: &Decimal) -> Json {
        value.into()
    }
}

/// The form of an integer between two inclusive bounds.
pub struct Count {
    pub(super) least: u32,
    pub(super) most: u32,
}

/// Returns the form of an integer from `least` to `most`, inclusive.
pub const fn count(least: u32, most: u32) -> Count {
    Count { least, most }
}

impl Form for Count {
    type Value = u32;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<u32> {
        let integer = json::integer(self.least.into(), self.most.into())(value, at, findings)?;
        u32::try_from(integer).ok()
    }

    fn write(&self, value: &u32) -> Json {
        (*value).into()
    }
}

/// The form of a string of bounded length.
pub struct Text {
    pub(super) least: usize,
    pub(super) most: usize,
}

/// Returns the form of a string of `least` to `most` code points.
pub const fn text(least: usize, most: usize) -> Text {
    Text { least, most }
}

impl Form for Text {
    type Value = String;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
        json::string(self.least, self.most)(value, at, findings)
    }

    fn write(&self, value: &String) -> Json {
        value.into()
    }
}

/// The form of a string that a separate function reads.
pub struct Shaped<R> {
    #[cfg_attr(not(feature = "schema"), expect(dead_code, reason = "only the schema shows it"))]
    pub(super) pattern: &'static str,
    pub(super) most: usize,
    read: R,
}

impl<R> Shaped<R> {
    /// Returns the same form, limited to `most` code points.
    #[must_use]
    pub const fn at_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }
}

/// Returns the form of a string that `read` checks; `pattern` is the equivalent regular expression.
pub const fn shaped<R>(pattern: &'static str, read: R) -> Shaped<R>
where
    R: Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<String>,
{
    Shaped { pattern, most: usize::MAX, read }
}

impl<R> Form for Shaped<R>
where
    R: Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<String>,
{
    type Value = String;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
        if self.most < usize::MAX {
            json::string(0, self.most)(value, at, findings)?;
        }
        (self.read)(value, at, findings)
    }

    fn write(&self, value: &String) -> Json {
        value.into()
    }
}

/// The form of a word from a fixed list.
pub struct Word<T: 'static> {
    pub(super) words: &'static [(&'static str, T)],
}

/// Returns the form of a word from a fixed list.
pub const fn word<T: Copy + PartialEq>(words: &'static [(&'static str, T)]) -> Word<T> {
    Word { words }
}

impl<T: Copy + PartialEq> Form for Word<T> {
    type Value = T;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<T> {
        json::word(self.words)(value, at, findings)
    }

    fn write(&self, value: &T) -> Json {
        self.words.iter().find(|(_, meaning)| meaning == value).map_or(Json::Null, |(word, _)| (*word).into())
    }
}

/// The form of an array.
pub struct List<F> {
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) unique: bool,
    pub(super) of: F,
}

/// Returns the form of an array of `least` to `most` elements.
pub const fn list<F: Form>(least: usize, most: usize, of: F) -> List<F> {
    List { least, most, unique: false, of }
}

/// Returns the form of an array of `least` to `most` different elements.
pub const fn unique<F: Form>(least: usize, most: usize, of: F) -> List<F> {
    List { least, most, unique: true, of }
}

impl<F: Form<Value: PartialEq>> Form for List<F> {
    type Value = Vec<F::Value>;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Vec<F::Value>> {
        let element =
            |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| self.of.read(value, at, findings);
        if self.unique {
            json::unique_list(self.least, self.most, element)(value, at, findings)
        } else {
            json::list(self.least, self.most, element)(value, at, findings)
        }
    }

    fn write(&self, value: &Vec<F::Value>) -> Json {
        Json::array(value.iter().map(|element| self.of.write(element)))
    }
}

/// The form of a JSON object with any content.
pub struct AnyObject;

/// Returns the form of a JSON object with any content.
pub const fn object() -> AnyObject {
    AnyObject
}

impl Form for AnyObject {
    type Value = Json;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Json> {
        if value.is_object() {
            return Some(Json::from(value));
        }
        findings.push(Finding::error(
            "wrong-type",
            at.pointer(),
            format!("expected an object, found {}", value.kind()),
            "give an object",
        ));
        None
    }

    fn write(&self, value: &Json) -> Json {
        value.clone()
    }
}
