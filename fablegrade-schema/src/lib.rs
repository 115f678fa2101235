//! JSON Schema (draft 2020-12) for the states of widgets. References stay inside the schema, their expansion
//! is bounded, and patterns are matched in linear time.
//!
//! The underlying library is generic over the type of values, so its code is compiled in every crate that
//! uses it. Only this crate uses it, which nearly halves the compile time of the engine.

use std::collections::BTreeMap;

use fablegrade_public::json::Json;
use jsonschema::{Draft, PatternOptions, Validator};

/// The maximum number of nodes in a schema with all references expanded. It bounds the work of a validation.
const MAX_EXPANSION: u64 = 20_000;

/// The maximum nesting of references that are followed to compute the expansion.
const MAX_DEPTH: usize = 64;

/// The maximum memory of a compiled pattern, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// A compiled schema.
///
/// It never quotes the schema, which is secret if it is a key.
pub struct Schema {
    validator: Box<Validator>,
}

/// The reason why a schema cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// A reference to another document.
    #[error("a reference leaves the schema")]
    RemoteReference,
    /// The schema has more nodes than a validation may visit.
    #[error("written out with all its references the schema is too large")]
    TooLarge,
    /// Invalid values of keywords, dangling references, or patterns that are not regular.
    #[error("the schema does not compile as JSON Schema draft 2020-12")]
    Unusable,
}

impl SchemaError {
    /// Returns the rule of the finding.
    pub fn rule(self) -> &'static str {
        match self {
            Self::RemoteReference => "remote-reference",
            Self::TooLarge => "schema-too-large",
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
            Self::Unusable => {
                "check its keywords, its references and its patterns (no look-around, no back-references)"
            }
        }
    }
}

impl Schema {
    /// Compiles a schema.
    pub fn new(schema: &Json) -> Result<Self, SchemaError> {
        check_references(schema)?;
        let options = PatternOptions::regex().size_limit(MAX_PATTERN).dfa_size_limit(MAX_PATTERN);
        jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(options)
            .build(&to_serde(schema))
            .map(|validator| Self { validator: Box::new(validator) })
            // The library's message quotes the schema.
            .map_err(|_| SchemaError::Unusable)
    }

    /// Returns whether a value is valid.
    pub fn is_valid(&self, value: &Json) -> bool {
        self.validator.is_valid(&to_serde(value))
    }

    /// Returns the JSON pointers of the first invalid values, at most `most`.
    pub fn failing(&self, value: &Json, most: usize) -> Vec<String> {
        let value = to_serde(value);
        self.validator.iter_errors(&value).take(most).map(|error| error.instance_path().to_string()).collect()
    }
}

/// Converts a value for the library: 64-bit integers exactly, other numbers to the nearest `f64`.
fn to_serde(json: &Json) -> serde_json::Value {
    serde_json::to_value(json).unwrap_or(serde_json::Value::Null)
}

/// Checks that all references stay inside the schema, and that the schema is not too large with references
/// expanded.
///
/// References in a cycle are counted once: the depth of the value bounds how often they are followed.
fn check_references(schema: &Json) -> Result<(), SchemaError> {
    let mut pending = vec![schema];
    let mut references = Vec::new();
    while let Some(node) = pending.pop() {
        match node {
            Json::Array(items) => pending.extend(items),
            Json::Object(fields) => {
                for (key, value) in fields {
                    if let Some(target) = reference(key, value) {
                        if !target.starts_with('#') {
                            return Err(SchemaError::RemoteReference);
                        }
                        references.push(target);
                    }
                    pending.push(value);
                }
            }
            _ => {}
        }
    }
    let mut sizes = BTreeMap::new();
    for target in references {
        // `expansion` recurses, and `MAX_DEPTH` bounds its depth. An explicit stack would have to keep the
        // order of evaluation.
        if expansion(schema, target.trim_start_matches('#'), 0, &mut sizes) > MAX_EXPANSION {
            return Err(SchemaError::TooLarge);
        }
    }
    Ok(())
}

fn reference<'s>(key: &str, value: &'s Json) -> Option<&'s str> {
    if matches!(key, "$ref" | "$dynamicRef") { value.as_str() } else { None }
}

/// Returns the number of schema nodes below `pointer` with references expanded; `depth` bounds the recursion.
fn expansion<'s>(root: &'s Json, pointer: &'s str, depth: usize, sizes: &mut BTreeMap<&'s str, u64>) -> u64 {
    if let Some(&size) = sizes.get(pointer) {
        return size;
    }
    if depth > MAX_DEPTH {
        return MAX_EXPANSION + 1;
    }
    // A reference back to `pointer`, in a cycle, counts as one node.
    sizes.insert(pointer, 1);
    let mut size: u64 = 0;
    let mut pending: Vec<&'s Json> = root.pointer(pointer).into_iter().collect();
    while let Some(node) = pending.pop() {
        size = size.saturating_add(1);
        match node {
            Json::Array(items) => pending.extend(items),
            Json::Object(fields) => {
                for (key, value) in fields {
                    if let Some(target) = reference(key, value) {
                        let target = target.trim_start_matches('#');
                        size = size.saturating_add(expansion(root, target, depth + 1, sizes));
                    }
                    pending.push(value);
                }
            }
            _ => {}
        }
    }
    sizes.insert(pointer, size);
    size
}
