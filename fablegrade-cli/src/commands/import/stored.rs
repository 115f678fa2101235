//! `--responses`: converts stored responses to attempts, or grades them.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use fablegrade_core::json::Json;
use fablegrade_core::{Decimal, Error};
use fablegrade_interchange::compile::ResponseGrader;
use fablegrade_interchange::responses::{Attempt, Converter, ResponseFormat};
use fablegrade_interchange::{Question, ReadError};

use crate::atomic_file::AtomicFile;
use crate::bank;
use crate::console::{BAD, Console, plain};
use crate::exit::Failure;
use crate::folder::files_below;
use crate::input::read_up_to;

/// The maximum size, in bytes, of a file with responses from another system.
const LONGEST: u64 = 64 << 20;

/// The source of the responses.
enum Given {
    /// JSON Lines, grouped by their field `item`.
    Lines(BTreeMap<String, Vec<Json>>),
    /// Files from other systems.
    Files(Box<Converter>),
}

/// Stored responses, and the counts of their outcomes.
pub(super) struct Stored {
    given: Given,
    attempts: Option<AtomicFile>,
    converted: u64,
    unanswered: u64,
    /// The number of responses that cannot be converted.
    pub(super) refused: u64,
    /// The number of scores that were compared with those of the source system, and how many agree.
    compared: (u64, u64),
}

/// The maximum difference between scores that agree. Source systems report only a few digits.
const NEAR: f64 = 0.006;

impl Stored {
    /// Reads the responses in a file, or in the XML, CSV and TSV files below a folder.
    ///
    /// Attempts will be written to `attempts`.
    pub(super) fn read(path: &Path, attempts: Option<&Path>, console: &mut Console) -> Result<Self, Failure> {
        let mut this = Self {
            given: Given::Lines(BTreeMap::new()),
            attempts: attempts.map(AtomicFile::create).transpose()?,
            converted: 0,
            unanswered: 0,
            refused: 0,
            compared: (0, 0),
        };
        let mut converter = Converter::default();
        let mut files = vec![path.to_path_buf()];
        if path.is_dir() {
            files = files_below(path, |file| {
                file.extension().is_some_and(|kind| kind == "xml" || kind == "csv" || kind == "tsv")
            })?
            .into_iter()
            .map(|file| file.path)
            .collect();
        } else {
            let head = read_up_to(path, 8_191)?;
            if ResponseFormat::detect(&head).is_none() {
                this.given = Given::Lines(read_lines(path)?);
                return Ok(this);
            }
        }
        for file in files {
            let bytes = read_up_to(&file, LONGEST)?;
            let mut refused = Vec::new();
            let read = converter.read(&file.display().to_string(), &bytes, &mut |error| refused.push(error));
            refused.extend(read.err());
            refused.iter().for_each(|error| this.refuse(error, console));
        }
        this.given = Given::Files(Box::new(converter));
        Ok(this)
    }

    fn refuse(&mut self, error: &ReadError, console: &mut Console) {
        self.refused += 1;
        let _ = writeln!(console.err, "{BAD}refused{BAD:#}: {}", plain(&error.to_string()));
    }

    /// Adds an imported question. `original` is its identifier before it was made unique.
    pub(super) fn question(
        &mut self,
        original: &str,
        question: &Question,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let lines = match &mut self.given {
            Given::Files(converter) => {
                converter.offer(original, question);
                return Ok(());
            }
            Given::Lines(lines) => lines,
        };
        let by_file = lines.get(&question.file);
        let given = by_file.or_else(|| lines.get(original)).into_iter().flatten();
        let wanted = |line: &&Json| {
            let wanted = line.get("question").and_then(Json::as_str);
            wanted.is_none_or(|wanted| wanted == original || wanted == question.item.title)
        };
        let given: Vec<Json> = given.filter(wanted).cloned().collect();
        if given.is_empty() {
            return Ok(());
        }
        let grader = question.grader().map_err(|error| Failure::refused(&question.file, error))?;
        for one in &given {
            let nothing = Json::build().build();
            let responses = question.responses_from_json(one.get("responses").unwrap_or(&nothing));
            let submissions =
                question.specs.iter().map(|part| (question.bank_id(part), part.submission(&responses)));
            let submissions: Vec<(String, Option<Json>)> = submissions.collect();
            self.converted += 1;
            if let Some(attempts) = &mut self.attempts {
                for (item, submission) in
                    submissions.iter().filter_map(|(item, one)| Some((item, one.as_ref()?)))
                {
                    let line = Json::build()
                        .with_some("id", one.get("id").or_else(|| one.get("case")))
                        .with("item", item)
                        .with("submission", submission)
                        .build();
                    attempts.put(&(line.to_canonical() + "\n"))?;
                }
                continue;
            }
            let submissions = question.specs.iter().zip(submissions).map(|(part, (_, submission))| {
                let submission = submission.unwrap_or(Json::Null);
                Json::build().with("part", &part.id).with("submission", submission).build()
            });
            let line = Json::build()
                .with_some("item", one.get("item"))
                .with_some("case", one.get("case"))
                .with("question", &question.item.id)
                .with("exactness", question.exactness.as_str())
                .with("submissions", Json::array(submissions))
                .with_some("score", score(question, &grader, &responses).and_then(Decimal::from_f64))
                .with_some("maxScore", question.to_json().get("maxScore"))
                .build();
            writeln!(console.out, "{}", line.to_canonical())?;
        }
        Ok(())
    }

    /// Converts the responses that need all questions, and finishes the file of attempts.
    ///
    /// Returns the number of refused responses.
    pub(super) fn finish(mut self, console: &mut Console) -> Result<u64, Failure> {
        let Given::Files(converter) = std::mem::replace(&mut self.given, Given::Lines(BTreeMap::new()))
        else {
            self.attempts.map_or(Ok(()), AtomicFile::finish)?;
            return Ok(0);
        };
        let mut graders = BTreeMap::new();
        let mut failure = None;
        converter.attempts(&mut |found| {
            if failure.is_some() {
                return;
            }
            let outcome = match found {
                Err(error) => {
                    self.refuse(&error, console);
                    Ok(())
                }
                Ok((question, attempt)) => {
                    let grader = match graders.entry(question.item.id.as_str()) {
                        std::collections::btree_map::Entry::Occupied(entry) => Ok(&*entry.into_mut()),
                        std::collections::btree_map::Entry::Vacant(entry) => {
                            question.grader().map(|grader| &*entry.insert(grader))
                        }
                    };
                    grader
                        .map_err(|error: Error| Failure::refused(&question.file, error))
                        .and_then(|grader| self.attempt(question, grader, &attempt, console))
                }
            };
            failure = outcome.err();
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        self.attempts.map_or(Ok(()), AtomicFile::finish)?;
        let mut text = format!("{} responses converted", self.converted);
        if self.unanswered > 0 {
            text.push_str(&format!(", {} without an answer", self.unanswered));
        }
        if self.refused > 0 {
            text.push_str(&format!(", {} refused", self.refused));
        }
        if self.compared.0 > 0 {
            text.push_str(&format!(
                "; {} of {} scores as in the source system",
                self.compared.1, self.compared.0
            ));
        }
        console.note(&text);
        Ok(self.refused)
    }

    fn attempt(
        &mut self,
        question: &Question,
        grader: &ResponseGrader<'_>,
        attempt: &Attempt,
        console: &mut Console,
    ) -> Result<(), Failure> {
        if attempt.submissions.is_empty() {
            self.unanswered += 1;
            return Ok(());
        }
        self.converted += 1;
        let score = score(question, grader, &attempt.responses);
        if let (Some(score), Some(home)) = (score, &attempt.home_score) {
            self.compared.0 += 1;
            self.compared.1 += u64::from((score - home.to_f64()).abs() <= NEAR);
        }
        if let Some(attempts) = &mut self.attempts {
            return attempt.lines().try_for_each(|line| attempts.put(&(line.to_canonical() + "\n")));
        }
        let submissions = attempt.submissions.iter().map(|(item, submission)| {
            Json::build().with("item", item).with("submission", submission).build()
        });
        let line = Json::build()
            .with("id", &attempt.id)
            .with("item", &question.item.id)
            .with("exactness", question.exactness.as_str())
            .with("submissions", Json::array(submissions))
            .with_some("score", score.and_then(Decimal::from_f64))
            .with_some(
                "homeScore",
                attempt.home_score.as_ref().and_then(|home| Decimal::from_f64(home.to_f64())),
            )
            .build();
        writeln!(console.out, "{}", line.to_canonical())?;
        Ok(())
    }
}

fn score(
    question: &Question,
    grader: &ResponseGrader<'_>,
    responses: &fablegrade_interchange::compile::Responses,
) -> Option<f64> {
    if question.specs.is_empty() { None } else { grader.score(responses) }
}

/// Reads JSON Lines of `{item, ...}`, grouped by item. Every invalid line is reported.
fn read_lines(path: &Path) -> Result<BTreeMap<String, Vec<Json>>, Failure> {
    let (mut all, mut refused) = (BTreeMap::<String, Vec<Json>>::new(), Vec::new());
    bank::each_line(path, None, &mut refused, &mut |_, line| {
        let read = Json::parse(line)?;
        let Some(item) = read.get("item").and_then(Json::as_str) else {
            return Err(no_item());
        };
        all.entry(item.to_owned()).or_default().push(read);
        Ok(())
    })?;
    if refused.is_empty() { Ok(all) } else { Err(Failure::Refused(refused)) }
}

fn no_item() -> Error {
    let message = "the field `item` is missing";
    let help = "name the question by its identifier or its file";
    Error::single(
        fablegrade_core::ErrorKind::Json,
        fablegrade_core::Finding::error("missing-field", "/item", message, help),
    )
}
