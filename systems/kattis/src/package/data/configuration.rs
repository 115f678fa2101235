//! Reads `NAME.yaml` of a case, and the keys that it shares with `test_group.yaml`.

use fablegrade_public::json::Json;

use super::{Inherited, Reader};
use crate::data::ValidatorArgs;
use crate::package::document::{Document, Entry, Keys, Report};

impl Reader<'_, '_> {
    pub(super) fn case_yaml(
        &self,
        path: &str,
        mut inherited: Inherited,
        report: &mut Report,
    ) -> (Inherited, Option<String>, Option<String>) {
        let (mut hint, mut description) = (None, None);
        let file = format!("{path}.yaml");
        if let Some(source) = self.tree.file(&file)
            && let Some(document) = Document::parse(&file, &source.bytes, report)
            && let Some(mut keys) = document.keys(report)
        {
            hint = keys.take("hint").and_then(|entry| entry.text(report));
            description = keys.take("description").and_then(|entry| entry.text(report));
            case_keys(&mut keys, &mut inherited, report);
            keys.close(&[], report);
        }
        (inherited, hint, description)
    }
}

pub(super) fn case_keys(keys: &mut Keys<'_>, inherited: &mut Inherited, report: &mut Report) {
    if let Some(args) = keys.take("args").and_then(|entry| entry.texts(report)) {
        inherited.args = args;
    }
    if let Some(entry) = keys.take("input_validator_args") {
        inherited.origin.input = entry.label();
        inherited.input_validator_args = match entry.value {
            Json::Object(_) => {
                let fields = entry.keys(report).map(|keys| keys.all()).unwrap_or_default();
                let args = |(name, entry): (&str, Entry<'_>)| Some((name.to_owned(), entry.texts(report)?));
                ValidatorArgs::ByName(fields.into_iter().filter_map(args).collect())
            }
            _ => ValidatorArgs::All(entry.texts(report).unwrap_or_default()),
        };
    }
    if let Some(entry) = keys.take("output_validator_args")
        && let Some(args) = entry.texts(report)
    {
        inherited.origin.output = entry.label();
        inherited.output_validator_args = args;
    }
    for name in ["input_visualizer_args", "output_visualizer_args"] {
        if let Some(entry) = keys.take(name) {
            entry.texts(report);
        }
    }
    if let Some(value) = keys.take("full_feedback").and_then(|entry| entry.boolean(report)) {
        inherited.full_feedback = value;
    }
}
