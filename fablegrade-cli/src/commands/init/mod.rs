//! `fablegrade init`: writes an example question to start from.

mod examples;

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use fablegrade_core::QuestionType;
use fablegrade_core::json::Json;

use crate::commands::schema::schema_text;
use crate::console::{Console, NAME, plain};
use crate::exit::{Exit, Failure};

/// Write an example question with its schema
///
/// Creates a folder with question.json, submission.json, and a README.md that explains the fields of
/// question.json. Also creates the JSON Schemas of both documents and VS Code settings that refer to them, so
/// that editors can check both. If one of these files exists, nothing is written.
#[derive(Args)]
pub(crate) struct Command {
    /// Question type
    #[arg(value_name = "TYPE")]
    kind: Kind,
    /// Folder to write to [default: the name of the type]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// A question type as a command-line argument.
#[derive(Clone, Copy)]
struct Kind(QuestionType);

impl clap::ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(QuestionType::MultipleChoice),
            Self(QuestionType::Numeric),
            Self(QuestionType::Expression),
            Self(QuestionType::FreeText),
            Self(QuestionType::Code),
            Self(QuestionType::Ordering),
            Self(QuestionType::Matching),
            Self(QuestionType::Widget),
        ]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.as_str()))
    }
}

const SETTINGS: &str = r#"{
  "json.schemas": [
    { "fileMatch": ["question*.json"], "url": "./AnswerSpec.schema.json" },
    { "fileMatch": ["submission*.json"], "url": "./Submission.schema.json" }
  ]
}
"#;

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let kind = self.kind.0;
        let (question, submission) = examples::example(kind);
        let folder = self.folder.unwrap_or_else(|| kind.as_str().into());
        let files = [
            ("question.json", question.to_owned()),
            ("submission.json", submission.to_owned()),
            ("README.md", readme(kind)),
            ("AnswerSpec.schema.json", schema_text("AnswerSpec").unwrap_or_default().to_owned()),
            ("Submission.schema.json", schema_text("Submission").unwrap_or_default().to_owned()),
            (".vscode/settings.json", SETTINGS.to_owned()),
        ];
        if let Some((name, _)) = files.iter().find(|(name, _)| folder.join(name).exists()) {
            let path = folder.join(name);
            let message = format!("{} already exists; choose another folder", path.display());
            return Err(Failure::Usage(message));
        }
        for (name, text) in &files {
            let path = folder.join(name);
            create(&path, text)
                .map_err(|error| Failure::Io(format!("cannot write {}", path.display()), error))?;
        }
        let shown = folder.display().to_string();
        let shown = plain(&shown);
        writeln!(console.out, "{NAME}{shown}{NAME:#}  {} files", files.len())?;
        console.note(&format!("Next: fablegrade lint {shown}/question.json"));
        Ok(Exit::Done)
    }
}

/// Writes a new file.
fn create(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(path)?.write_all(text.as_bytes())
}

/// Returns a README that explains the files, and every field of the question as the schema describes it.
fn readme(kind: QuestionType) -> String {
    let kind = kind.as_str();
    let mut page = format!(
        "# A question of type `{kind}`\n\n\
         - `question.json` is the question with its key. Never send it to learners; send what `fablegrade deliver` prints.\n\
         - `submission.json` is an answer to it.\n\n\
         ```console\n\
         $ fablegrade lint question.json\n\
         $ fablegrade grade --spec question.json --submission submission.json\n\
         $ fablegrade deliver question.json --seed attempt-1\n\
         ```\n\n\
         ## Fields of question.json\n\n"
    );
    for (name, required, description) in fields(kind) {
        let needed = if required { " (required)" } else { "" };
        let _ = writeln!(page, "- `{name}`{needed}: {description}");
    }
    page
}

/// Returns each field of a question type: its name, whether it is required, and its description.
fn fields(kind: &str) -> Vec<(String, bool, String)> {
    let Some(schema) = schema_text("AnswerSpec").and_then(|text| Json::parse(text.as_bytes()).ok()) else {
        return Vec::new();
    };
    let types = schema.get("oneOf").and_then(Json::as_array).unwrap_or_default();
    let is_kind = |one: &&Json| one.pointer("/properties/type/const").and_then(Json::as_str) == Some(kind);
    let Some(schema) = types.iter().find(is_kind) else { return Vec::new() };
    let required = schema.get("required").and_then(Json::as_array).unwrap_or_default();
    let properties = schema.get("properties").and_then(Json::as_object).unwrap_or_default();
    let field = |(name, value): &(Box<str>, Json)| {
        let name = name.to_string();
        let needed = required.iter().any(|one| one.as_str() == Some(&name));
        let description =
            value.get("description").and_then(Json::as_str).unwrap_or("The type of the question.");
        (name, needed, description.to_owned())
    };
    properties.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;
    use fablegrade_core::{AnswerSpec, Submission, Verdict, grade, lint_json};

    use super::*;

    #[test]
    fn every_example_is_a_clean_question_with_an_answer() {
        assert_eq!(Kind::value_variants().len(), QuestionType::WORDS.len());
        for Kind(kind) in Kind::value_variants() {
            let (question, submission) = examples::example(*kind);
            assert_eq!(lint_json(question), [], "{}", kind.as_str());
            let spec = AnswerSpec::from_json(question).expect("a spec");
            assert_eq!(spec.question_type(), *kind);
            let submission = Submission::from_json(submission).expect("a submission");
            let verdict = grade(&spec, &submission).expect("a result").verdict;
            let needs_a_run = *kind == QuestionType::Code;
            assert!(
                !question.contains(r"\\n"),
                "a backslash and a letter in place of a line feed: {question}"
            );
            assert_eq!(verdict, if needs_a_run { Verdict::Pending } else { Verdict::Correct });
        }
    }

    #[test]
    fn every_field_is_explained() {
        for (word, _) in QuestionType::WORDS {
            let fields = fields(word);
            assert!(
                fields.len() >= 3 && fields.iter().any(|(_, required, _)| *required),
                "{word}: {fields:?}"
            );
        }
    }
}
