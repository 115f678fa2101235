//! Owned JSON values with deep equality.

use std::fmt;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::parse::{Document, Kind, decode};
use super::read::Value;
use super::write::write_json_string;
use crate::decimal::Decimal;
use crate::finding::Error;

/// An owned JSON value.
///
/// Objects are kept sorted and numbers are exact. `==` is therefore deep equality that ignores the order of
/// keys, respects the order of arrays and treats `1` and `1.0` as equal. `Display` writes canonical JSON.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An exact number.
    Number(Decimal),
    /// A string.
    String(Box<str>),
    /// An array.
    Array(Vec<Json>),
    /// An object: keys are unique and sorted by their UTF-16 code units.
    Object(Vec<(Box<str>, Json)>),
}

fn utf16_order(a: &str, b: &str) -> std::cmp::Ordering {
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// Builds an object from fields that may be absent.
#[derive(Default)]
pub struct ObjectBuilder {
    fields: Vec<(Box<str>, Json)>,
}

impl ObjectBuilder {
    /// Adds a field.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.fields.push((key.into(), value.into()));
        self
    }

    /// Adds a field if there is a value.
    #[must_use]
    pub fn with_some<T: Into<Json>>(self, key: &str, value: Option<T>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Returns the object. If several fields have the same name, the last one wins.
    pub fn build(self) -> Json {
        Json::object(self.fields)
    }
}

/// Returns an array index of RFC 6901: digits without a sign or leading zeros.
fn array_index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with(['0', '+']);
    if plain { token.parse().ok() } else { None }
}

impl Json {
    /// Starts building an object.
    pub fn build() -> ObjectBuilder {
        ObjectBuilder::default()
    }

    /// Creates an object from its fields in any order; if several have the same name, the last one wins.
    pub fn object(mut fields: Vec<(Box<str>, Json)>) -> Self {
        fields.sort_by(|a, b| utf16_order(&a.0, &b.0));
        fields.reverse();
        fields.dedup_by(|a, b| a.0 == b.0);
        fields.reverse();
        Self::Object(fields)
    }

    /// Creates an array.
    pub fn array<T: Into<Json>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }

    /// Parses a JSON text within the default limits.
    ///
    /// # Errors
    /// The same as for [`Document::parse`].
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        Ok(Self::from(Document::parse(text)?.root()))
    }

    /// Returns the value of `key`, if this is an object that has it. Binary search.
    pub fn get(&self, key: &str) -> Option<&Json> {
        let Self::Object(fields) = self else { return None };
        fields.binary_search_by(|(name, _)| utf16_order(name, key)).ok().map(|at| &fields[at].1)
    }

    /// Returns the value at an RFC 6901 pointer.
    pub fn pointer(&self, pointer: &str) -> Option<&Json> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |value, token| {
            let token = token.replace("~1", "/").replace("~0", "~");
            match value {
                Self::Array(items) => items.get(array_index(&token)?),
                other => other.get(&token),
            }
        })
    }

    /// Returns this value and all values in it, each once, without recursion.
    pub fn parts(&self) -> impl Iterator<Item = &Json> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            let part = pending.pop()?;
            match part {
                Self::Array(items) => pending.extend(items),
                Self::Object(fields) => pending.extend(fields.iter().map(|(_, value)| value)),
                _ => {}
            }
            Some(part)
        })
    }

    /// Returns the string, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// Returns the number, if this is one.
    pub fn as_number(&self) -> Option<&Decimal> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// Returns the elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// Returns the fields, if this is an object.
    pub fn as_object(&self) -> Option<&[(Box<str>, Json)]> {
        if let Self::Object(fields) = self { Some(fields) } else { None }
    }

    /// Returns canonical JSON: equal values have the same text.
    pub fn to_canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// Appends canonical JSON. Recursion is as deep as the value; parsed values have at most 128 levels by
    /// default.
    pub fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(number) => number.write(out),
            Self::String(text) => write_json_string(text, out),
            Self::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (at, (key, value)) in fields.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    write_json_string(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

impl From<Value<'_>> for Json {
    /// Converts the value. Recursion is bounded by the depth limit of the parsed document.
    fn from(value: Value<'_>) -> Self {
        let node = value.node();
        match node.kind {
            Kind::Null => Self::Null,
            Kind::True => Self::Bool(true),
            Kind::False => Self::Bool(false),
            // The parser has checked every number, so the fallback to text is never used.
            Kind::Number => match value.number() {
                Some(number) => Self::Number(number),
                None => Self::String(value.text().into()),
            },
            Kind::String | Kind::Escaped => Self::String(decode(value.document.text, node).into()),
            Kind::Array => Self::Array(value.elements().map(Self::from).collect()),
            Kind::Object => {
                let fields = value.fields().map(|(key, value)| (Box::from(key.as_ref()), Self::from(value)));
                let mut fields: Vec<_> = fields.collect();
                fields.sort_by(|a, b| utf16_order(&a.0, &b.0));
                Self::Object(fields)
            }
        }
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<Decimal> for Json {
    fn from(value: Decimal) -> Self {
        Self::Number(value)
    }
}

impl From<&Decimal> for Json {
    fn from(value: &Decimal) -> Self {
        Self::Number(value.clone())
    }
}

macro_rules! from_integer {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Json {
            fn from(value: $kind) -> Self {
                Self::Number(Decimal::from(i64::from(value)))
            }
        }
    )*};
}
from_integer!(u8, u16, u32, i32, i64);

impl From<usize> for Json {
    fn from(value: usize) -> Self {
        Self::Number(Decimal::from(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Self {
        Self::Number(Decimal::from(i64::try_from(value).unwrap_or(i64::MAX)))
    }
}

impl From<std::borrow::Cow<'_, str>> for Json {
    fn from(text: std::borrow::Cow<'_, str>) -> Self {
        Self::String(text.into())
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Self::String(value.into())
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Self::String(value.into())
    }
}

impl From<&String> for Json {
    fn from(value: &String) -> Self {
        Self::String(value.as_str().into())
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Self::array(items)
    }
}

impl From<&Json> for Json {
    fn from(value: &Json) -> Self {
        value.clone()
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_canonical())
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Json {
    /// Serializes a number as an integer if it fits in `i64`, otherwise as the nearest `f64`. Only the text
    /// form (`Display`) is always exact.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => match number.to_i64() {
                Some(integer) => serializer.serialize_i64(integer),
                None => serializer.serialize_f64(number.to_f64()),
            },
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    /// Deserializes a value. A float is read as its shortest decimal text. Rejects non-finite floats,
    /// duplicate keys, and nesting deeper than 128 levels.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        de::DeserializeSeed::deserialize(Level(0), deserializer)
    }
}

/// A value at a nesting depth, counted here because no parser bounds the depth of a host's values.
struct Level(usize);

const DEPTH: usize = 128;

impl<'de> de::DeserializeSeed<'de> for Level {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(Decimal::from(value)))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Json, E> {
        self.visit_u128(u128::from(value))
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Json, E> {
        Decimal::from_text(&value.to_string()).map(Json::Number).map_err(E::custom)
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Json, E> {
        Decimal::from_text(&value.to_string()).map(Json::Number).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
        Decimal::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::String(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        if self.0 >= DEPTH {
            return Err(de::Error::custom("arrays and objects nest deeper than 128 levels"));
        }
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Level(self.0 + 1))? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        if self.0 >= DEPTH {
            return Err(de::Error::custom("arrays and objects nest deeper than 128 levels"));
        }
        let mut fields: Vec<(Box<str>, Json)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            fields.push((key.into(), map.next_value_seed(Level(self.0 + 1))?));
        }
        let count = fields.len();
        let object = Json::object(fields);
        if object.as_object().map_or(0, <[_]>::len) != count {
            return Err(de::Error::custom("a key occurs twice in one object"));
        }
        Ok(object)
    }
}
