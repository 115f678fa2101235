//! JSON Schema (draft 2020-12) for the states of widgets. References stay inside the schema, their expansion
//! is bounded, and patterns are matched in linear time.
//!
//! The underlying library is generic over the type of values, so its code is compiled in every crate that
//! uses it. Only this crate uses it, which shortens the compile time of the engine.

mod references;

use fablegrade_public::json::Json;
use jsonschema::{Draft, PatternOptions, Validator};

use references::Steps;

/// The maximum memory of a compiled pattern, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// A compiled schema.
///
/// Its methods return no part of the schema, which is secret if it is a key.
pub struct Schema {
    validator: Box<Validator>,
    /// Counts the steps of a validation; `None` unless the schema is recursive.
    steps: Option<Box<Steps>>,
}

/// The reason why a schema cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// A reference to another document.
    #[error("a reference leaves the schema")]
    RemoteReference,
    /// With all references expanded, the schema is too large or too deep.
    #[error("with all references expanded, the schema is too large")]
    TooLarge,
    /// A schema that applies itself to the same value again, so that a validation would not end.
    #[error("a part of the schema refers to itself for the same value, so a validation would not end")]
    EndlessReference,
    /// The schema does not compile. Examples are invalid values of keywords, dangling references, and
    /// patterns that are not regular or too large.
    #[error("the schema does not compile as JSON Schema draft 2020-12")]
    Unusable,
}

impl SchemaError {
    /// Returns the rule of the finding.
    pub fn rule(self) -> &'static str {
        match self {
            Self::RemoteReference => "remote-reference",
            Self::TooLarge => "schema-too-large",
            Self::EndlessReference => "endless-reference",
            Self::Unusable => "unusable-schema",
        }
    }

    /// Returns advice on how to correct the schema.
    pub fn help(self) -> &'static str {
        match self {
            Self::RemoteReference => {
                "put the referenced schema under `$defs` and refer to it with `#/$defs/...`"
            }
            Self::TooLarge => "refer to shared parts less often",
            Self::EndlessReference => {
                "refer to an enclosing schema only below `properties`, `items` or another keyword for parts of the value"
            }
            Self::Unusable => {
                "check its keywords, its references and its patterns (no look-around, no back-references)"
            }
        }
    }
}

impl Schema {
    /// Compiles a schema.
    pub fn new(schema: &Json) -> Result<Self, SchemaError> {
        let steps = references::check(schema)?.map(Box::new);
        let options = PatternOptions::regex().size_limit(MAX_PATTERN).dfa_size_limit(MAX_PATTERN);
        jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(options)
            .build(&to_serde(schema))
            .map(|validator| Self { validator: Box::new(validator), steps })
            // The library's message quotes the schema.
            .map_err(|_| SchemaError::Unusable)
    }

    /// Returns whether a validation of this value takes bounded time: the work of a recursive schema can be
    /// exponential in the depth of the value. Check this before calling the other methods.
    pub fn is_affordable(&self, value: &Json) -> bool {
        self.steps.as_ref().is_none_or(|steps| steps.are_few(value))
    }

    /// Returns whether a value is valid.
    pub fn is_valid(&self, value: &Json) -> bool {
        self.validator.is_valid(&to_serde(value))
    }

    /// Returns the JSON pointers of the invalid values for the first errors, at most `most`.
    pub fn failing(&self, value: &Json, most: usize) -> Vec<String> {
        let value = to_serde(value);
        self.validator.iter_errors(&value).take(most).map(|error| error.instance_path().to_string()).collect()
    }
}

/// Converts a value for the library: integers that fit in `i64` exactly, other numbers to the nearest `f64`.
fn to_serde(json: &Json) -> serde_json::Value {
    serde_json::to_value(json).unwrap_or(serde_json::Value::Null)
}
