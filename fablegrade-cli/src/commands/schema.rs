//! `fablegrade schema`: prints the JSON Schemas of the documents.

use std::io::Write as _;

use clap::Args;

use crate::console::{Console, stdout_is_terminal};
use crate::exit::{Exit, Failure};

/// Print a JSON Schema, or list the names of all schemas
#[derive(Args)]
pub(crate) struct Command {
    /// Name of the schema
    name: Option<String>,
}

/// All schemas by name.
const SCHEMAS: &[(&str, &str)] = &[
    ("AnswerSpec", include_str!("../../schemas/AnswerSpec.json")),
    ("Submission", include_str!("../../schemas/Submission.json")),
    ("Attempt", include_str!("../../schemas/Attempt.json")),
    ("AttemptResult", include_str!("../../schemas/AttemptResult.json")),
    ("DeliveryView", include_str!("../../schemas/DeliveryView.json")),
    ("AnalysisReport", include_str!("../../schemas/AnalysisReport.json")),
    ("flowmcp-grading-entry", include_str!("../../schemas/flowmcp-grading-entry.schema.json")),
    ("flowmcp-evaluation", include_str!("../../schemas/flowmcp-evaluation.schema.json")),
    ("formspec-determination", include_str!("../../schemas/formspec-determination.schema.json")),
];

/// Returns the text of a schema. Case and hyphens in the name do not matter.
pub(super) fn schema_text(wanted: &str) -> Option<&'static str> {
    let letters = |text: &str| -> Vec<u8> {
        text.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()).collect()
    };
    let wanted = letters(wanted);
    SCHEMAS.iter().find(|(name, _)| letters(name) == wanted).map(|(_, text)| *text)
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let names = || SCHEMAS.iter().map(|(name, _)| *name);
        let Some(wanted) = self.name else {
            for name in names() {
                writeln!(console.out, "{name}")?;
            }
            if stdout_is_terminal() {
                writeln!(console.err, "Print one with `fablegrade schema NAME`.")?;
            }
            return Ok(Exit::Done);
        };
        let Some(text) = schema_text(&wanted) else {
            let known: Vec<_> = names().collect();
            return Err(Failure::Usage(format!(
                "unknown schema `{wanted}`; expected one of {}",
                known.join(", ")
            )));
        };
        console.out.write_all(text.as_bytes())?;
        Ok(Exit::Done)
    }
}
