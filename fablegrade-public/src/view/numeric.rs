//! `numeric`: a number, perhaps with a unit.

use super::{Refusal, refuse_keys};
use crate::decimal::Decimal;
use crate::finding::Findings;
use crate::json::{self, Json, Object, Path, Read, Value};

/// A numeric question without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct NumericView {
    /// Whether only integers are right.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub integer_only: bool,
    /// The unit, if the question has one.
    pub unit: Option<Unit>,
    /// A placeholder for the answer box.
    #[cfg_attr(feature = "schema", schemars(length(max = 200)))]
    pub input_hint: Option<String>,
}

/// The unit of a numeric answer. Public in the format: hosts show it beside the answer box.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Unit {
    /// The expected spelling, at most 30 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 30)))]
    pub expected: String,
    /// Whether an answer must have a unit.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub required: bool,
    /// Other spellings that count as the same, at most 10.
    #[cfg_attr(feature = "schema", schemars(length(max = 10), inner(length(max = 30))))]
    pub accepted: Option<Vec<String>>,
}

/// The number, exactly as written, and the unit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct NumericSubmission {
    /// The number.
    pub value: Decimal,
    /// The unit as typed, at most 30 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 30)))]
    pub unit: Option<String>,
}

impl NumericView {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let integer_only = object.defaulted("integerOnly", false, json::boolean);
        let unit = object.optional("unit", Unit::read);
        let input_hint = object.optional("inputHint", json::string(0, 200));
        refuse_keys(object, &["answer"]);
        Some(Self { integer_only: integer_only?, unit: unit?, input_hint: input_hint? })
    }

    /// The view as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "numeric")
            .with("integerOnly", self.integer_only)
            .with_some("unit", self.unit.as_ref().map(Unit::to_document))
            .with_some("inputHint", self.input_hint.as_ref())
            .build()
    }

    /// Every number can be graded.
    ///
    /// # Errors
    /// None; the signature is that of the other types.
    pub fn admit(&self, _submission: &NumericSubmission) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Unit {
    /// The unit as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("expected", &self.expected)
            .with("required", self.required)
            .with_some("accepted", self.accepted.as_ref().map(Json::array))
            .build()
    }
}

impl Read for Unit {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"expected": "m"}"#)?;
        let expected = object.required("expected", json::string(0, 30));
        let required = object.defaulted("required", false, json::boolean);
        let accepted = object.optional("accepted", json::list(0, 10, json::string(0, 30)));
        object.close();
        Some(Self { expected: expected?, required: required?, accepted: accepted? })
    }
}

impl NumericSubmission {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let value = object.required("value", json::decimal);
        let unit = object.optional("unit", json::string(0, 30));
        Some(Self { value: value?, unit: unit? })
    }

    /// The submission as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "numeric")
            .with("value", &self.value)
            .with_some("unit", self.unit.as_ref())
            .build()
    }

    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"type\":\"numeric\"");
        if let Some(unit) = &self.unit {
            out.push_str(",\"unit\":");
            json::write_json_string(unit, out);
        }
        out.push_str(",\"value\":");
        self.value.write(out);
        out.push('}');
    }
}
