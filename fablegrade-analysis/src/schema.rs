//! The JSON Schema of a report.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::report::Report;
use crate::statistic::{Statistic, Undefined};

impl JsonSchema for Statistic {
    fn schema_name() -> Cow<'static, str> {
        "Statistic".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let reasons: Vec<_> = Undefined::ALL.iter().map(|reason| reason.reason()).collect();
        json_schema!({
            "description": "A finite number, or why there is none.",
            "oneOf": [
                {"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"], "additionalProperties": false},
                {"type": "object", "properties": {"absent": {"enum": reasons}}, "required": ["absent"], "additionalProperties": false},
            ],
        })
    }
}

/// Returns the JSON Schema of [`Report::to_json`].
pub fn report_schema() -> Schema {
    let mut schema =
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Report>();
    schema.insert("$id".into(), "https://fablegrade.dev/schemas/1/AnalysisReport.json".into());
    schema.insert("title".into(), "AnalysisReport".into());
    schema
}
