//! `--responses`: converts stored responses to attempts, or grades them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

use fablegrade_core::json::Json;
use fablegrade_core::{Decimal, Error};
use fablegrade_interchange::compile::ResponseGrader;
use fablegrade_interchange::responses::{Attempt, Converter, ResponseFormat};
use fablegrade_interchange::{Place, Question, ReadError};

use crate::atomic_file::AtomicFile;
use crate::bank;
use crate::console::{BAD, Console, plain};
use crate::exit::Failure;
use crate::folder::files_below;
use crate::input::{self, Stream};

/// The maximum size, in bytes, of a file with responses from another system.
const LONGEST: u64 = 64 << 20;

/// Returns whether a file below a folder of responses is read.
pub(super) fn is_report(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "xml" || kind == "csv" || kind == "tsv")
}

/// The source of the responses.
enum Given {
    /// JSON Lines.
    Lines(Lines),
    /// Files from other systems.
    Files(Box<Converter>),
}

/// The lines of JSON Lines.
#[derive(Default)]
struct Lines {
    /// The name of the file.
    name: String,
    /// The lines by their fields `item` and `question`.
    items: BTreeMap<String, BTreeMap<Option<String>, Vec<Response>>>,
}

/// A line of JSON Lines.
struct Response {
    /// The number of the line.
    number: u64,
    line: Json,
    /// Set once a question takes the response.
    is_used: bool,
}

/// Stored responses, and the counts of their outcomes.
pub(super) struct Stored {
    given: Given,
    attempts: Option<AtomicFile>,
    converted: u64,
    unanswered: u64,
    /// The number of responses and files that cannot be read or converted.
    unreadable: u64,
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
            given: Given::Lines(Lines::default()),
            attempts: attempts.map(AtomicFile::create).transpose()?,
            converted: 0,
            unanswered: 0,
            unreadable: 0,
            compared: (0, 0),
        };
        let mut converter = Converter::default();
        if path.is_dir() {
            for file in files_below(path, is_report)? {
                this.read_report(input::open(&file.path)?, &mut converter, console)?;
            }
        } else {
            let (head, stream) = input::open(path)?.peek(ResponseFormat::HEAD as u64)?;
            if ResponseFormat::detect(&head).is_none() {
                this.given = Given::Lines(read_lines(stream)?);
                return Ok(this);
            }
            this.read_report(stream, &mut converter, console)?;
        }
        this.given = Given::Files(Box::new(converter));
        Ok(this)
    }

    /// Reads a file of another system.
    fn read_report(
        &mut self,
        stream: Stream,
        converter: &mut Converter,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let name = stream.name.clone();
        let bytes = stream.read_up_to(LONGEST)?;
        if bytes.len() as u64 > LONGEST {
            let message = format!("the file has more than {} MiB", LONGEST >> 20);
            let error = ReadError::new(Place::default(), "too-large", message, "split it into several files");
            self.refuse(&error.in_file(&name), console);
            return Ok(());
        }
        let mut refused = Vec::new();
        let read = converter.read(&name, &bytes, &mut |error| refused.push(error));
        refused.extend(read.err());
        refused.iter().for_each(|error| self.refuse(error, console));
        Ok(())
    }

    fn refuse(&mut self, error: &ReadError, console: &mut Console) {
        self.unreadable += 1;
        let _ = writeln!(console.err, "{BAD}unreadable{BAD:#}: {}", plain(&error.to_string()));
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
        let mut given = Vec::new();
        let names = BTreeSet::from([None, Some(original.to_owned()), Some(question.item.title.clone())]);
        // `item` is the file of the question in some lines, and its identifier in others.
        let other = Some(original).filter(|original| *original != question.file);
        for item in std::iter::once(question.file.as_str()).chain(other) {
            let Some(by_question) = lines.items.get_mut(item) else { continue };
            let start = given.len();
            for name in &names {
                for response in by_question.get_mut(name).into_iter().flatten() {
                    response.is_used = true;
                    given.push((response.number, response.line.clone()));
                }
            }
            given[start..].sort_by_key(|(number, _)| *number);
        }
        if given.is_empty() {
            return Ok(());
        }
        let grader = question.grader().map_err(|error| Failure::invalid(&question.file, error))?;
        let name = lines.name.clone();
        for (number, one) in &given {
            let nothing = Json::build().build();
            let responses = question.responses_from_json(one.get("responses").unwrap_or(&nothing));
            if question.specs.iter().any(|part| part.refuses(&responses)) {
                let message = format!("the question `{}` cannot take this answer", question.item.id);
                let help = "check the answer and the question";
                let error = ReadError::new(Place::default(), "unknown-answer", message, help);
                self.refuse(&error.in_file(&format!("{name}:{number}")), console);
                continue;
            }
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
                .with_some("score", grader.score(&responses).and_then(Decimal::from_f64))
                .with_some("maxScore", question.to_json().get("maxScore"))
                .build();
            writeln!(console.out, "{}", line.to_canonical())?;
        }
        Ok(())
    }

    /// Converts the responses that need all questions, finishes the file of attempts, and writes the counts.
    ///
    /// Returns the number of responses and files that could not be read or converted.
    pub(super) fn finish(mut self, console: &mut Console) -> Result<u64, Failure> {
        match std::mem::replace(&mut self.given, Given::Lines(Lines::default())) {
            Given::Files(converter) => self.convert(&converter, console)?,
            Given::Lines(Lines { name, items }) => {
                for (item, by_question) in items {
                    let unused = by_question.into_values().flatten().filter(|response| !response.is_used);
                    let mut unused: Vec<Response> = unused.collect();
                    unused.sort_by_key(|response| response.number);
                    for unused in unused {
                        let message = format!("no imported question is item `{item}`");
                        let message = match unused.line.get("question").and_then(Json::as_str) {
                            Some(question) => format!("{message} with the id or title `{question}`"),
                            None => message,
                        };
                        let help = "import the question that the response belongs to, or correct `item`";
                        let error = ReadError::new(Place::default(), "unknown-question", message, help);
                        self.refuse(&error.in_file(&format!("{name}:{}", unused.number)), console);
                    }
                }
            }
        }
        self.attempts.map_or(Ok(()), AtomicFile::finish)?;
        let mut text = format!("{} responses converted", self.converted);
        if self.unanswered > 0 {
            text.push_str(&format!(", {} without an answer", self.unanswered));
        }
        if self.unreadable > 0 {
            text.push_str(&format!(", {} unreadable", self.unreadable));
        }
        if self.compared.0 > 0 {
            text.push_str(&format!(
                "; {} of {} scores as in the source system",
                self.compared.1, self.compared.0
            ));
        }
        console.note(&text);
        Ok(self.unreadable)
    }

    /// Converts the responses in files from other systems.
    fn convert(&mut self, converter: &Converter, console: &mut Console) -> Result<(), Failure> {
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
                        .map_err(|error: Error| Failure::invalid(&question.file, error))
                        .and_then(|grader| self.attempt(question, grader, &attempt, console))
                }
            };
            failure = outcome.err();
        });
        failure.map_or(Ok(()), Err)
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
        let score = grader.score(&attempt.responses);
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

/// Reads JSON Lines of `{item, ...}`. Every invalid line is reported.
fn read_lines(stream: Stream) -> Result<Lines, Failure> {
    let mut all = Lines { name: stream.name.clone(), items: BTreeMap::new() };
    let mut refused = Vec::new();
    bank::each_line_of(stream, None, &mut refused, &mut |number, line| {
        let read = Json::parse(line)?;
        let Some(item) = read.get("item").and_then(Json::as_str) else {
            return Err(no_item());
        };
        let (item, question) =
            (item.to_owned(), read.get("question").and_then(Json::as_str).map(str::to_owned));
        let of_item = all.items.entry(item).or_default();
        of_item.entry(question).or_default().push(Response { number, line: read, is_used: false });
        Ok(())
    })?;
    if refused.is_empty() { Ok(all) } else { Err(Failure::Invalid(refused)) }
}

fn no_item() -> Error {
    let message = "the field `item` is missing";
    let help = "name the question by its identifier or its file";
    Error::single(
        fablegrade_core::ErrorKind::Json,
        fablegrade_core::Finding::error("missing-field", "", message, help),
    )
}
