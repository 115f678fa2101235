//! The JSON Schemas accept what the readers accept: every configuration and state of the vectors.
#![allow(clippy::unwrap_used)] // a test may fail

use std::path::Path;

use fablegrade_core::json::Json;
use fablegrade_core::{AnswerSpec, Grader};
use fablegrade_validators::{NAMES, schema, standard};
use jsonschema::Validator;
use serde_json::Value;

fn compiled(name: &str) -> Validator {
    let schema: Value = serde_json::from_str(schema(name).unwrap()).unwrap();
    jsonschema::options().build(&schema).unwrap()
}

fn vectors(folder: &Path, found: &mut Vec<Value>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            vectors(&path, found);
        } else {
            let text = std::fs::read_to_string(path).unwrap();
            found.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
        }
    }
}

#[test]
fn schemas_take_what_the_readers_take() {
    let mut all = Vec::new();
    vectors(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/validators"), &mut all);
    let (mut configs, mut states) = (0, 0);
    for name in NAMES {
        let (config_schema, state_schema) =
            (compiled(&format!("{name}.config")), compiled(&format!("{name}.state")));
        for vector in all.iter().filter(|vector| vector["spec"]["validator"]["name"] == name) {
            let Some(config) = vector["spec"]["validator"].get("config") else { continue };
            let spec = AnswerSpec::from_json(vector["spec"].to_string()).unwrap();
            let compiles = Grader::with_host(spec, &standard()).is_ok();
            if compiles {
                assert!(config_schema.is_valid(config), "{}: {config}", vector["name"]);
                configs += 1;
            }
            if compiles && vector.get("refusal").is_none() && vector.get("submission").is_some() {
                assert!(state_schema.is_valid(&vector["submission"]["state"]), "{}", vector["name"]);
                states += 1;
            }
            // Neither the reader nor the schema accepts an additional field.
            let mut more = config.clone();
            more["surplus"] = true.into();
            assert!(!config_schema.is_valid(&more), "{}", vector["name"]);
        }
    }
    assert!(configs > 100 && states > 100, "{configs} configurations, {states} states");
}

#[test]
fn every_name_has_both_schemas_and_no_other_has() {
    for name in NAMES {
        for kind in ["config", "state"] {
            let text = schema(&format!("{name}.{kind}")).unwrap();
            assert!(Json::parse(text.as_bytes()).unwrap().get("$id").is_some());
        }
    }
    assert_eq!(schema("nothing.config"), None);
}
