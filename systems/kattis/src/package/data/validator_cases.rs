//! Cases that test the validators: `invalid_input`, `invalid_output`, `valid_output`.

use super::configuration::case_keys;
use super::{Inherited, Reader};
use crate::data::{ValidatorCase, ValidatorCaseKind};
use crate::package::document::Report;

impl Reader<'_, '_> {
    pub(super) fn validator_cases(&mut self, report: &mut Report) {
        for (name, kind) in [
            ("invalid_input", ValidatorCaseKind::InvalidInput),
            ("invalid_output", ValidatorCaseKind::InvalidOutput),
            ("valid_output", ValidatorCaseKind::ValidOutput),
        ] {
            let mut waiting = vec![(name.to_owned(), Inherited::default())];
            while let Some((folder, above)) = waiting.pop() {
                let place = format!("data/{folder}");
                let mut inherited = above;
                if let Some(document) = self.document(&format!("{place}/test_group.yaml"), report)
                    && let Some(mut keys) = document.keys(report)
                {
                    keys.take("description");
                    case_keys(&mut keys, &mut inherited, report);
                    keys.close(&[], report);
                }
                for (below, is_folder) in self.tree.names(&place) {
                    if is_folder && !below.ends_with(".files") {
                        waiting.push((format!("{folder}/{below}"), inherited.clone()));
                    }
                }
                if self.tree.file(&format!("{place}/testdata.yaml")).is_some() {
                    super::old_name(&format!("{place}/testdata.yaml"), report);
                }
                for base in self.case_files(&place, report) {
                    let path = format!("{place}/{base}");
                    let (inherited, ..) = self.case_yaml(&path, inherited.clone(), report);
                    let answer_and_output = (format!("{path}.ans"), format!("{path}.out"));
                    let complete = self.tree.file(&answer_and_output.0).is_some()
                        && self.tree.file(&answer_and_output.1).is_some();
                    let outputs = kind != ValidatorCaseKind::InvalidInput;
                    if !outputs && self.tree.file(&answer_and_output.0).is_some() {
                        let message = "an invalid input has no answer; this file is not read";
                        report.warning("unused-file", &answer_and_output.0, message, "remove it");
                    }
                    if outputs && !complete {
                        let message = "the case needs an answer and an output";
                        report.error(
                            "no-answer",
                            &format!("{path}.in"),
                            message,
                            "add the files that end in `.ans` and `.out`",
                        );
                        continue;
                    }
                    if outputs && self.problem.kind.interactive {
                        let message =
                            "interactive problems have no outputs to validate; the case is left out";
                        report.warning("interactive-output", &path, message, "remove it");
                        continue;
                    }
                    self.data.validator_cases.push(ValidatorCase {
                        name: format!("{folder}/{base}"),
                        kind,
                        input: format!("{path}.in"),
                        answer_and_output: outputs.then_some(answer_and_output),
                        files: self.files_of(&path),
                        args: inherited.args,
                        input_validator_args: inherited.input_validator_args,
                        output_validator_args: inherited.output_validator_args,
                        origin: inherited.origin,
                    });
                }
            }
        }
        self.data.validator_cases.sort_by(|a, b| a.name.cmp(&b.name));
    }
}
