//! The documents that `grade` and `explain` read: one document with all parts, or one file per part.

use std::path::PathBuf;

use clap::Args;
use fablegrade_core::json::Document;
use fablegrade_core::outcome::OutcomeList;
use fablegrade_core::{Attempt, Context, Error, Findings, Grader, Submission};

use fablegrade_validators::registry::host;

use crate::exit::Failure;
use crate::input::{self, Source};
use crate::validators::Validators;
use fablegrade_core::graders::Graders;
use fablegrade_core::request::{Answer, Given, Request};

/// The paths of the documents.
#[derive(Args)]
#[group(skip)]
pub(crate) struct Documents {
    /// All parts in one document: {spec, submission | attempt, outcomes?, context?} (`-` for standard input)
    #[arg(conflicts_with_all = ["spec", "submission", "attempt", "outcomes", "context"])]
    file: Option<PathBuf>,
    /// Question with its key
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// The learner's submission; needs --spec
    #[arg(long, value_name = "FILE")]
    submission: Option<PathBuf>,
    /// Attempt: a submission with metadata (id, time, hints used); replaces --submission
    #[arg(long, value_name = "FILE", conflicts_with = "submission")]
    attempt: Option<PathBuf>,
    /// Outcomes of the executed cases (JSON array)
    #[arg(long, value_name = "FILE")]
    outcomes: Option<PathBuf>,
    /// Context: {gradedAt?, hints?: {id: penalty}, locale?, shuffleSeed?, attemptId?, problemVersionId?}
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
    #[command(flatten)]
    validators: Validators,
}

/// The usage error for a missing question.
const NO_QUESTION: &str = "no question: give --spec, or one FILE that holds all parts";

/// The usage error for a missing submission.
const NO_SUBMISSION: &str = "no submission: give --submission or --attempt";

impl Documents {
    /// Checks that the options name one file with all parts, or a question and a submission or attempt.
    fn complete(&self) -> Result<(), Failure> {
        if self.file.is_some() {
            return Ok(());
        }
        if self.spec.is_none() {
            return Err(Failure::Usage(NO_QUESTION.into()));
        }
        if self.submission.is_none() && self.attempt.is_none() {
            return Err(Failure::Usage(NO_SUBMISSION.into()));
        }
        Ok(())
    }

    /// Reads all documents and calls `grade` with them.
    pub(crate) fn with<T>(
        &self,
        grade: impl FnOnce(&Answer, &Grader) -> Result<T, Error>,
    ) -> Result<T, Failure> {
        self.complete()?;
        self.validators.register()?;
        if let Some(file) = &self.file {
            let source = input::read(file)?;
            let refused = |error| Failure::invalid(&source.name, error);
            let document = Document::parse(&source.bytes).map_err(refused)?;
            let mut findings = Findings::new();
            let request = Request::split(document.root(), &mut findings);
            return request.grade_with(&mut Graders::with_host(1, &host()), findings, grade).map_err(refused);
        }
        let paths = [&self.spec, &self.submission, &self.attempt, &self.outcomes, &self.context];
        input::at_most_one_stdin(paths.into_iter().flatten().map(PathBuf::as_path))?;
        let mut refusals = Vec::new();
        let grader = read(self.spec.as_ref(), &mut refusals, |text| Grader::from_json_with(text, &host()))?;
        let submission = read(self.submission.as_ref(), &mut refusals, |text| Submission::from_json(text))?;
        let attempt = read(self.attempt.as_ref(), &mut refusals, |text| Attempt::from_json(text))?;
        let outcomes =
            read(self.outcomes.as_ref(), &mut refusals, |text| Document::parse(text)?.read::<OutcomeList>())?;
        let context = read(self.context.as_ref(), &mut refusals, |text| Context::from_json(text))?;
        if !refusals.is_empty() {
            return Err(Failure::Invalid(refusals));
        }
        let given = match (submission, attempt) {
            (Some(submission), _) => Given::Submission(submission),
            (None, Some(attempt)) => Given::Attempt(Box::new(attempt)),
            (None, None) => return Err(Failure::Usage(NO_SUBMISSION.into())),
        };
        let Some(grader) = grader else { return Err(Failure::Usage(NO_QUESTION.into())) };
        let answer =
            Answer { given, outcomes: outcomes.map(|list| list.0), context: context.unwrap_or_default() };
        grade(&answer, &grader).map_err(|error| Failure::invalid("the combination of these documents", error))
    }
}

/// Reads a document if its path is given. An invalid document is added to `refusals`, so the findings of all
/// documents are shown together.
fn read<T>(
    path: Option<&PathBuf>,
    refusals: &mut Vec<(String, Error)>,
    parse: impl FnOnce(&[u8]) -> Result<T, Error>,
) -> Result<Option<T>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let Source { name, bytes } = input::read(path)?;
    Ok(parse(&bytes).map_err(|error| refusals.push((name, error))).ok())
}
