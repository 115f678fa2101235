//! JSON Schemas of declared documents.

use schemars::json_schema;
pub use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{
    AnyObject, Count, Declared, Defaulted, Field, Flag, Flattened, Form, List, Listed, Number, Of, Optional,
    Positive, Required, Shaped, Text, Whole, Word,
};
use crate::decimal::Decimal;

/// A form with a schema.
pub trait FormSchema: Form {
    /// Returns the schema of the values.
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema;

    /// Returns the limits in words, such as `2 to 10`.
    fn limits(&self) -> Option<String> {
        None
    }
}

/// A declared type with a schema.
pub trait Described: Declared {
    /// Adds the type's fields.
    fn describe(fields: &mut Fields<'_>);
}

/// The fields of a schema that is being built.
pub struct Fields<'g> {
    generator: &'g mut SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl<'g> Fields<'g> {
    /// Creates an empty set of fields.
    pub fn new(generator: &'g mut SchemaGenerator) -> Self {
        Self { generator, properties: Map::new(), required: Vec::new() }
    }

    /// Returns the schema of an object with these fields and no others.
    pub fn into_schema(self, about: &str) -> Schema {
        let mut schema = json_schema!({
            "description": joined(about),
            "type": "object",
            "additionalProperties": false,
            "properties": self.properties
        });
        if !self.required.is_empty() {
            schema.insert("required".to_owned(), self.required.into());
        }
        schema
    }

    fn add(&mut self, name: &str, form: &impl FormSchema, about: &str, default: Option<Value>) {
        let mut schema = form.schema(self.generator);
        let mut description = joined(about);
        if let Some(limits) = form.limits() {
            description = format!("{}: {limits}.", description.trim_end_matches('.'));
        }
        // If the field has no description, that of the form remains.
        if !description.is_empty() {
            schema.insert("description".to_owned(), description.into());
        }
        if let Some(default) = default {
            schema.insert("default".to_owned(), default);
        }
        self.properties.insert(name.to_owned(), schema.to_value());
    }
}

/// Returns a doc comment as one line.
fn joined(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a number with commas between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn range(least: usize, most: usize) -> String {
    match least {
        0 => format!("at most {}", grouped(most)),
        _ if least == most => grouped(most),
        _ => format!("{} to {}", grouped(least), grouped(most)),
    }
}

/// A field with a schema.
pub trait FieldSchema: Field {
    /// Adds the field, with its doc comment as the description.
    fn describe(&self, about: &str, fields: &mut Fields<'_>);
}

/// Adds the field that `rule` declares. `V` is its declared type, from which the form in the rule is inferred.
pub fn field<V, F: FieldSchema<Value = V>>(rule: &F, about: &str, fields: &mut Fields<'_>) {
    rule.describe(about, fields);
}

impl<F: FormSchema> FieldSchema for Required<F> {
    fn describe(&self, about: &str, fields: &mut Fields<'_>) {
        fields.required.push(self.name.into());
        fields.add(self.name, &self.form, about, None);
    }
}

impl<F: FormSchema> FieldSchema for Optional<F> {
    fn describe(&self, about: &str, fields: &mut Fields<'_>) {
        fields.add(self.name, &self.form, about, None);
    }
}

impl<F: FormSchema<Value: Clone>> FieldSchema for Defaulted<F> {
    fn describe(&self, about: &str, fields: &mut Fields<'_>) {
        let default = serde_json::to_value(self.form.write(&self.default)).ok();
        fields.add(self.name, &self.form, about, default);
    }
}

impl<F: FormSchema<Value: PartialEq>> FieldSchema for Listed<F> {
    fn describe(&self, about: &str, fields: &mut Fields<'_>) {
        fields.add(self.name, &self.form, about, Some(json!([])));
    }
}

impl<T: Described> FieldSchema for Flattened<T> {
    fn describe(&self, _about: &str, fields: &mut Fields<'_>) {
        T::describe(fields);
    }
}

/// Returns the schema of a declared type.
pub fn of_declared<T: Described>(about: &str, generator: &mut SchemaGenerator) -> Schema {
    let mut fields = Fields::new(generator);
    T::describe(&mut fields);
    fields.into_schema(about)
}

impl<T: Whole + JsonSchema> FormSchema for Of<T> {
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

impl FormSchema for Flag {
    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "boolean"})
    }
}

impl FormSchema for Number {
    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number"})
    }
}

impl FormSchema for Positive {
    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({"type": "number", "exclusiveMinimum": 0});
        if let Some(most) = self.most.as_ref().map(Decimal::to_f64) {
            schema.insert("maximum".to_owned(), json!(most));
        }
        schema
    }

    fn limits(&self) -> Option<String> {
        Some(
            self.most
                .as_ref()
                .map_or_else(|| "above 0".to_owned(), |most| format!("above 0, at most {most}")),
        )
    }
}

impl FormSchema for Count {
    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": self.least, "maximum": self.most})
    }

    fn limits(&self) -> Option<String> {
        Some(format!("{} to {}", grouped(self.least as usize), grouped(self.most as usize)))
    }
}

impl FormSchema for Text {
    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({"type": "string", "maxLength": self.most});
        if self.least > 0 {
            schema.insert("minLength".to_owned(), self.least.into());
        }
        schema
    }

    fn limits(&self) -> Option<String> {
        Some(format!("{} characters", range(self.least, self.most)))
    }
}

impl<R> FormSchema for Shaped<R>
where
    Self: Form,
{
    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({"type": "string", "pattern": self.pattern});
        if self.most < usize::MAX {
            schema.insert("maxLength".to_owned(), self.most.into());
        }
        schema
    }
}

impl<T: Copy + PartialEq> FormSchema for Word<T> {
    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        let words: Vec<_> = self.words.iter().map(|(word, _)| *word).collect();
        json_schema!({"type": "string", "enum": words})
    }
}

impl<F: FormSchema<Value: PartialEq>> FormSchema for List<F> {
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let items = self.of.schema(generator);
        let mut schema = json_schema!({"type": "array", "maxItems": self.most, "items": items});
        if self.least > 0 {
            schema.insert("minItems".to_owned(), self.least.into());
        }
        if self.unique {
            schema.insert("uniqueItems".to_owned(), true.into());
        }
        schema
    }

    fn limits(&self) -> Option<String> {
        let different = if self.unique { ", all different" } else { "" };
        let each = self.of.limits().map(|limits| format!(", each {limits}")).unwrap_or_default();
        Some(format!("{}{different}{each}", range(self.least, self.most)))
    }
}

impl FormSchema for AnyObject {
    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object"})
    }
}
