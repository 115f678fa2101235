//! Every record of these tests is valid, and the reader and the schema refuse the same documents.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use fablegrade_formspec::{Answers, DeterminationRecord, Evaluator, Fel, Options, Screener, line, schema};
use fablegrade_public::json::Json;
use proptest::prelude::*;
use serde_json::Value;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn committed() -> Value {
    let path = workspace().join("schemas/formspec-determination.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the specification's schema, if the shared folder is next to the workspace.
fn given() -> Option<Value> {
    let path = workspace().join("../shared/spec/determination.schema.json");
    std::fs::read_to_string(path).ok().map(|text| serde_json::from_str(&text).unwrap())
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap()
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    let made: Value = serde_json::from_str(&schema::determination().to_string()).unwrap();
    assert_eq!(committed(), made);
}

/// Returns a schema without keywords that do not affect validity; references are followed.
fn meaning(schema: &Value, root: &Value) -> Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return meaning(root.pointer(reference.strip_prefix('#').unwrap()).unwrap(), root);
    }
    match schema {
        Value::Object(fields) => {
            let mut out = serde_json::Map::new();
            for (key, value) in fields {
                let value = match key.as_str() {
                    "title" | "description" | "examples" | "default" | "x-lm" | "$defs" | "$id"
                    | "$schema" => continue,
                    "required" | "enum" => {
                        let mut words: Vec<String> = value
                            .as_array()
                            .unwrap()
                            .iter()
                            .map(|word| word.as_str().unwrap().to_owned())
                            .collect();
                        words.sort();
                        words.into()
                    }
                    "properties" => {
                        let fields = value.as_object().unwrap();
                        fields.iter().map(|(name, value)| (name.clone(), meaning(value, root))).collect()
                    }
                    _ => meaning(value, root),
                };
                out.insert(key.clone(), value);
            }
            out.into()
        }
        other => other.clone(),
    }
}

#[test]
fn our_schema_means_what_the_given_one_means() {
    let Some(given) = given() else { return };
    let ours = committed();
    assert_eq!(meaning(&ours, &ours), meaning(&given, &given));
}

const SCREENER: &str = r#"{"$formspecScreener":"1.0","url":"urn:test:screener","version":"1.0.0","title":"Test",
    "resultValidity":"P1M","availability":{"from":"2026-01-01","until":"2026-12-31"},
    "items":[{"key":"income","type":"field","dataType":"decimal","label":"I"},
        {"key":"kids","type":"group","repeatable":true,"label":"K","children":[{"key":"age","type":"field","label":"A"}]}],
    "evaluation":[
        {"id":"stop","strategy":"fan-out","routes":[
            {"target":"outcome:no","condition":"$income < 0","override":true,"terminal":true},
            {"target":"outcome:look","condition":"$income = null","override":true,"message":"{{$income}}{{1+'a'}}"}]},
        {"id":"skip","strategy":"first-match","activeWhen":"$income > 100","routes":[{"target":"urn:a","condition":"$x =="}]},
        {"id":"best","strategy":"score-threshold","config":{"normalize":true,"topN":1},"routes":[
            {"target":"urn:s","score":"$income / 7","threshold":0.5,"metadata":{"k":[1,null]}},
            {"target":"urn:t","score":"sum($kids[*].age)","threshold":0.25,"label":"T"},
            {"target":"urn:u","score":"null","threshold":0}]},
        {"id":"other","strategy":"x-own","routes":[]}]}"#;

proptest! {
    #[test]
    fn every_record_is_valid(
        income in prop::option::of(prop_oneof![(-50i64..500).prop_map(Json::from), Just(Json::from("many"))]),
        ages in prop::collection::vec(0i64..20, 0..4),
        declined in any::<bool>(),
        now in prop::sample::select(vec!["2026-04-01T10:00:00Z", "2026-12-31T23:59:59-11:00", "2027-01-01", "2026-01-31T00:00:00.125+01:00"]),
    ) {
        let screener = Screener::parse(SCREENER.as_bytes()).unwrap();
        let mut answers = match income {
            Some(income) => Answers::new().answered("income", income),
            None if declined => Answers::new().declined("income"),
            None => Answers::new(),
        };
        for (at, age) in ages.iter().enumerate() {
            answers = answers.answered(&format!("kids[{at}].age"), *age);
        }
        let record = Evaluator::new(&screener, Fel, Options::new()).unwrap().determine(&answers, now).unwrap().record;
        let text = record.to_string();
        let value: Value = serde_json::from_str(&text).unwrap();
        for schema in [Some(committed()), given()].into_iter().flatten() {
            prop_assert!(validator(&schema).is_valid(&value), "{}", text);
        }
        prop_assert_eq!(fablegrade_formspec::check_record(&record), []);
        // A written record is read back unchanged.
        prop_assert_eq!(DeterminationRecord::parse(text.as_bytes()).unwrap(), record);
    }
}

#[test]
fn reader_and_schema_refuse_the_same() {
    let screener = Screener::parse(SCREENER.as_bytes()).unwrap();
    let answers = Answers::new().answered("income", 14).answered("kids[0].age", 3);
    let record = fablegrade_formspec::determine(&screener, &answers, "2026-04-01T10:00:00Z").unwrap();
    let sound: Value = serde_json::from_str(&record.to_string()).unwrap();
    let mut places = Vec::new();
    collect(&sound, String::new(), &mut places);
    let validator = validator(&committed());
    let replacements = [
        Value::Null,
        true.into(),
        1.5.into(),
        "word".into(),
        Vec::<Value>::new().into(),
        serde_json::json!({}),
    ];
    let mut refused = 0;
    let mut judge = |document: &Value| {
        let read = DeterminationRecord::parse(document.to_string().as_bytes());
        assert_eq!(read.is_ok(), validator.is_valid(document), "{document}\n{read:?}");
        refused += usize::from(read.is_err());
    };
    for place in &places {
        for replacement in &replacements {
            let mut document = sound.clone();
            *document.pointer_mut(place).unwrap() = replacement.clone();
            judge(&document);
        }
        // The value is removed; then, separately, an unknown field is added.
        let (parent, name) = place.rsplit_once('/').unwrap_or(("", ""));
        let mut document = sound.clone();
        if let Some(Value::Object(fields)) = document.pointer_mut(parent) {
            fields.remove(&name.replace("~1", "/"));
            judge(&document);
            let mut document = sound.clone();
            document.pointer_mut(parent).unwrap()["stranger"] = 1.into();
            judge(&document);
        }
    }
    assert!(refused > 200, "{refused}");
}

fn collect(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields
            .iter()
            .for_each(|(key, value)| collect(value, format!("{place}/{}", key.replace('/', "~1")), places)),
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                collect(value, format!("{place}/{at}"), places);
            }
        }
        _ => {}
    }
    places.push(place);
}

#[test]
fn the_line_mode_checks_records_and_screeners() {
    let request = format!(r#"{{"id":[1],"document":{SCREENER}}}"#);
    let answer =
        Json::parse(line::check(request.replace('\n', " ").as_bytes(), Fel).text.as_bytes()).unwrap();
    assert_eq!(answer.get("id").unwrap().to_string(), "[1]");
    assert_eq!(answer.get("valid"), Some(&Json::Bool(true)));
    let rules: Vec<_> = answer
        .get("findings")
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding.get("rule").unwrap().as_str().unwrap())
        .collect();
    assert_eq!(rules, ["expression", "phase"]);
    let answer = line::check(br#"{"id":2,"document":{"$formspecDetermination":"1.1"}}"#, Fel);
    assert!(!answer.ok && answer.text.contains(r#""valid":false"#), "{}", answer.text);
    assert!(line::check(b"{", Fel).text.contains(r#""id":null"#));
}
