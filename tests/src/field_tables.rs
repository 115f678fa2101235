//! Human-readable tables of a document's fields, generated from its JSON Schema.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The number of levels of nested objects whose fields are listed.
const DEPTH: usize = 6;

/// Returns the field table of the document's branch that is tagged with `kind`; `None` if there is no such
/// branch.
pub fn table(document: &Value, kind: &str) -> Option<String> {
    let branch =
        document["oneOf"].as_array()?.iter().find(|branch| branch["properties"]["type"]["const"] == kind)?;
    let mut rows = Rows { document, text: String::new() };
    rows.text.push_str("| field | value | default | meaning |\n|---|---|---|---|\n");
    rows.object(branch, "", DEPTH);
    Some(rows.text)
}

struct Rows<'d> {
    document: &'d Value,
    text: String,
}

impl<'d> Rows<'d> {
    fn object(&mut self, object: &Value, prefix: &str, depth: usize) {
        let empty = Map::new();
        let properties = object["properties"].as_object().unwrap_or(&empty);
        let required: Vec<&str> =
            object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let optional = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
        for name in required.iter().copied().chain(optional) {
            // The heading already names the type.
            if prefix.is_empty() && name == "type" {
                continue;
            }
            let default = if required.contains(&name) { "required" } else { "" };
            self.field(&properties[name], &format!("{prefix}{name}"), default, depth);
        }
    }

    fn field(&mut self, schema: &Value, path: &str, default: &str, depth: usize) {
        let schema = self.resolved(schema);
        let default = match schema.get("default") {
            _ if !default.is_empty() => default.to_owned(),
            Some(value) => format!("`{}`", plain(value)),
            None => String::new(),
        };
        let mut meaning = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        meaning = meaning.split_whitespace().collect::<Vec<_>>().join(" ");
        match schema.get("x-fablepool-secret") {
            Some(Value::Bool(true)) => meaning.push_str(" **Key.**"),
            Some(_) => meaning.push_str(" **Key** where the suite is hidden."),
            None => {}
        }
        let mut value = self.value(&schema);
        // The description often contains the bounds already.
        if !meaning.contains(|c: char| c.is_ascii_digit()) {
            value.push_str(&bounds(&schema));
        }
        let _ = writeln!(self.text, "| `{path}` | {value} | {default} | {} |", meaning.trim());
        if depth == 0 {
            return;
        }
        let schema = Value::Object(schema);
        if let Some(branches) = schema["oneOf"].as_array() {
            for branch in branches {
                if let Some(which) = branch["description"].as_str() {
                    let _ = writeln!(self.text, "| *one kind:* | | | *{which}* |");
                }
                self.object(branch, &format!("{path}."), depth - 1);
            }
        } else if is_open(&schema) {
            self.object(&schema, &format!("{path}."), depth - 1);
        } else {
            let items = Value::Object(self.resolved(&schema["items"]));
            if is_open(&items) {
                self.object(&items, &format!("{path}[]."), depth - 1);
            }
        }
    }

    /// Merges a schema with the schema that it refers to; its own keywords take precedence.
    fn resolved(&self, schema: &Value) -> Map<String, Value> {
        let mut own = schema.as_object().cloned().unwrap_or_default();
        let name = own.remove("$ref");
        let Some(name) = name.as_ref().and_then(|name| name.as_str()?.strip_prefix("#/$defs/")) else {
            return own;
        };
        let mut all = self.document["$defs"][name].as_object().cloned().unwrap_or_default();
        all.extend(own);
        all
    }

    /// Describes the allowed values in words.
    fn value(&self, schema: &Map<String, Value>) -> String {
        let get = |name: &str| schema.get(name).unwrap_or(&Value::Null);
        if let Some(word) = get("const").as_str() {
            return format!("`{word}`");
        }
        if let Some(words) = get("enum").as_array() {
            let words: Vec<String> = words.iter().map(|word| format!("`{}`", plain(word))).collect();
            return words.join(", ");
        }
        if let Some(branches) = get("oneOf").as_array() {
            return format!("one of {} kinds of object", branches.len());
        }
        match get("type").as_str() {
            Some("boolean") => "boolean".into(),
            Some("array") => {
                let items = self.resolved(get("items"));
                let what = match items.get("type").and_then(Value::as_str) {
                    Some("object") if is_open(&Value::Object(items.clone())) => "objects".to_owned(),
                    _ => self.value(&items),
                };
                format!("list of {what}")
            }
            Some("object") => match get("properties").as_object() {
                Some(properties) if !is_open(&Value::Object(schema.clone())) => {
                    let names: Vec<String> = properties.keys().map(|name| format!("`{name}`")).collect();
                    let each = properties.values().next().map(|each| self.value(&self.resolved(each)));
                    format!("object: {} with {}", names.join(", "), each.unwrap_or_default())
                }
                _ => "object".into(),
            },
            Some("integer") => "integer".into(),
            Some("number") => "number".into(),
            Some("string") if get("format") == "uuid" => "UUID".into(),
            Some("string")
                if get("pattern").as_str().is_some_and(|form| form.starts_with("^[a-zA-Z0-9_-]{1,")) =>
            {
                "id".into()
            }
            Some("string") => "text".into(),
            _ => "any JSON".into(),
        }
    }
}

/// Returns the bounds of a value, a length or a number of items, in words; an empty text if there are none.
fn bounds(schema: &Map<String, Value>) -> String {
    let one_of = |names: [&str; 3]| names.iter().find_map(|name| schema.get(*name));
    let least = one_of(["minLength", "minItems", "minimum"]).filter(|least| **least != 0);
    match (least, one_of(["maxLength", "maxItems", "maximum"])) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least), None) => format!(", at least {least}"),
        (None, Some(most)) => format!(", at most {most}"),
        (None, None) => String::new(),
    }
}

/// Returns whether an object's fields are described and therefore get their own rows.
fn is_open(schema: &Value) -> bool {
    let described =
        |field: &Value| ["description", "$ref", "const"].iter().any(|key| field.get(key).is_some());
    schema["properties"].as_object().is_some_and(|fields| fields.values().all(described))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.as_f64() == Some(1e-6) => "0.000001".into(),
        other => other.to_string(),
    }
}
