//! `fablegrade judgehost`: checks, plans, exports, runs and scores problem packages.

#[cfg(all(target_os = "linux", feature = "containers"))]
mod clean;
#[cfg(all(target_os = "linux", feature = "containers"))]
mod run;
mod show;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use fablegrade_core::json::Document;
use fablegrade_core::{Finding, has_errors};
use fablegrade_judgehost::{
    Evaluation, FileLimits, Files, Manner, Outcome, Package, Plan, PlanOptions, Ranking, compose, content_id,
    distribute, evaluate, line,
};
use fablegrade_public::identifier::UuidText;

use crate::console::{Console, write_findings};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::lines::{LineOptions, serve};
use crate::package_files;
use crate::report::Report;

/// Check, plan, run and score judgehost problem packages
#[derive(Args)]
pub(crate) struct Command {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Check(Check),
    Plan(PlanTask),
    Compose(Compose),
    #[cfg(all(target_os = "linux", feature = "containers"))]
    #[command(visible_alias = "grade")]
    Run(run::Run),
    Score(Score),
    #[cfg(all(target_os = "linux", feature = "containers"))]
    Clean(clean::Clean),
}

/// Check packages, configurations and result files
///
/// JSON Lines: reads `{id, document, rubric?}` and writes `{id, valid, findings}`. A document is a configuration, a
/// single container, or the result of a rubric.
#[derive(Args)]
struct Check {
    /// Packages (folder, .tar.gz, .zip) or JSON files: configurations, containers, or results of rubrics
    packages: Vec<PathBuf>,
    /// Reject old forms of required fields and rubrics without `rubric_name`; by default, they cause warnings
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long, requires = "packages")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

/// Show the plan of a run
#[derive(Args)]
struct PlanTask {
    #[command(flatten)]
    given: Given,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Print the plan as a Compose file, to be saved in the package's folder
#[derive(Args)]
struct Compose {
    #[command(flatten)]
    given: Given,
}

/// Score the result files of a run
///
/// JSON Lines: reads `{id, config, results: {container_id: {file: document}}, submission_id?, failure?: {stage,
/// container_id?, message}}` and writes `{id, evaluation, findings}`.
#[derive(Args)]
struct Score {
    /// Package, or its `config.json`
    #[arg(requires = "out")]
    package: Option<PathBuf>,
    /// Folder with `<container_id>/rubric_<rubric_id>.json` for each result
    #[arg(long, value_name = "FOLDER", requires = "package")]
    out: Option<PathBuf>,
    /// Submission id
    #[arg(long, value_name = "ID", default_value = "submission")]
    submission_id: String,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    lines: LineOptions,
}

/// Options for printing an evaluation.
#[derive(Args)]
#[group(skip)]
struct Answer {
    /// Print an AttemptResult with this attempt id (a UUID)
    #[arg(long, value_name = "UUID", value_parser = attempt_id)]
    attempt_id: Option<UuidText>,
    /// Weighting of the AttemptResult's score; `auto` uses weights if any rubric has one
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = RankingWord::Auto)]
    ranking: RankingWord,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum RankingWord {
    Auto,
    Weighted,
    Normalized,
}

fn attempt_id(text: &str) -> Result<UuidText, String> {
    UuidText::new(text).ok_or_else(|| "not a UUID".to_owned())
}

/// The package, and the other inputs of a plan.
#[derive(Args)]
#[group(skip)]
struct Given {
    /// Package (folder, .tar.gz, .zip)
    package: PathBuf,
    /// Submission (folder, .tar.gz, .zip)
    #[arg(long, value_name = "PATH")]
    submission: Option<PathBuf>,
    /// Submission id [default: a hash of the submission's files, or `submission` if there is no `--submission`]
    #[arg(long, value_name = "ID")]
    submission_id: Option<String>,
    /// Grant this Linux capability to containers that request it; repeatable
    #[arg(long, value_name = "CAP")]
    allow_capability: Vec<String>,
    /// Reject problems that request internet access
    #[arg(long)]
    no_internet: bool,
    /// Reject old forms of required fields and rubrics without `rubric_name`; by default, they cause warnings
    #[arg(long)]
    strict: bool,
}

fn manner(strict: bool) -> Manner {
    if strict { Manner::Strict } else { Manner::Lenient }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        match self.task {
            Task::Check(task) => task.run(console),
            Task::Plan(task) => task.run(console),
            Task::Compose(task) => task.run(console),
            #[cfg(all(target_os = "linux", feature = "containers"))]
            Task::Run(task) => task.run(console),
            Task::Score(task) => task.run(console),
            #[cfg(all(target_os = "linux", feature = "containers"))]
            Task::Clean(task) => task.run(console),
        }
    }
}

impl Check {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let manner = manner(self.strict);
        if self.lines.reads_lines(!self.packages.is_empty(), "packages")? {
            return serve(&self.lines, move |fields| line::checking(fields, manner));
        }
        input::at_most_one_stdin(self.packages.iter().map(PathBuf::as_path))?;
        let mut report = Report::new(console, "package", self.json).grouped();
        for path in &self.packages {
            let findings = findings_of(path, manner)?;
            let valid = !has_errors(&findings);
            report.add(&path.display().to_string(), (valid, findings))?;
        }
        Ok(report.exit())
    }
}

/// Returns findings about a package, or about a single document.
fn findings_of(path: &Path, manner: Manner) -> Result<Vec<Finding>, Failure> {
    if is_document(path) {
        let source = input::read(path)?;
        return Ok(match Document::parse(&source.bytes) {
            Ok(document) => line::check_value(document.root(), None, manner).1,
            Err(error) => error.findings().to_vec(),
        });
    }
    let files = match files(path) {
        Err(Failure::Invalid(documents)) => {
            return Ok(documents.into_iter().flat_map(|(_, error)| error.findings().to_vec()).collect());
        }
        other => other?,
    };
    Ok(match Package::open(files, manner) {
        Ok(package) => package.findings,
        Err(error) => error.findings().to_vec(),
    })
}

/// Opens a package.
fn package(path: &Path, manner: Manner) -> Result<Package, Failure> {
    Package::open(files(path)?, manner).map_err(|error| Failure::invalid(path.display().to_string(), error))
}

/// Reads an archive or a folder into memory.
fn files(path: &Path) -> Result<Files, Failure> {
    package_files::read(path, FileLimits::default())
}

fn is_document(path: &Path) -> bool {
    input::is_stdin(path) || path.extension().is_some_and(|extension| extension == "json")
}

/// A package, its plan for a submission, and the parts of the submission for the containers.
struct Planned {
    package: Package,
    plan: Plan,
    deliveries: Vec<fablegrade_judgehost::Delivery>,
}

impl Given {
    fn plan(&self) -> Result<Planned, Failure> {
        let package = package(&self.package, manner(self.strict))?;
        let name = self.package.display().to_string();
        let (mut id, mut deliveries) = ("submission".to_owned(), Vec::new());
        if let Some(path) = &self.submission {
            let files = files(path)?;
            id = content_id(&files);
            deliveries = distribute(&package.config, &files)
                .map_err(|error| Failure::invalid(path.display().to_string(), error))?;
        }
        let id = self.submission_id.as_ref().unwrap_or(&id);
        let mut options = PlanOptions::default();
        options.allowed_capabilities.clone_from(&self.allow_capability);
        options.internet = !self.no_internet;
        let plan = Plan::new(&package, id, &options).map_err(|error| Failure::invalid(name, error))?;
        Ok(Planned { package, plan, deliveries })
    }
}

impl PlanTask {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let Planned { package, plan, deliveries } = self.given.plan()?;
        if self.json {
            writeln!(console.out, "{}", plan.to_json())?;
        } else {
            show::write_plan(&mut console.out, &plan, &deliveries)?;
        }
        write_findings(&mut console.err, &package.findings)?;
        Ok(Exit::Done)
    }
}

impl Compose {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let Planned { plan, deliveries, .. } = self.given.plan()?;
        write!(console.out, "{}", compose::project(&plan, &deliveries))?;
        Ok(Exit::Done)
    }
}

impl Score {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let lines = self.lines.reads_lines(self.package.is_some(), "a package and --out")?;
        let (false, Some(path), Some(out)) = (lines, &self.package, &self.out) else {
            return serve(&self.lines, |fields| line::scoring(fields, Manner::Lenient));
        };
        let name = path.display().to_string();
        let config = if is_document(path) {
            let source = input::read(path)?;
            let checked = fablegrade_judgehost::Config::parse(&source.bytes, Manner::Lenient);
            checked.map_err(|error| Failure::invalid(name, error))?.config
        } else {
            package(path, Manner::Lenient)?.config
        };
        let mut outcome = Outcome::new();
        for (file_path, file) in files(out)?.iter() {
            if let Some((container_id, file_name)) = file_path.split_once('/') {
                outcome = outcome.with_result(container_id, file_name, file.bytes.clone());
            }
        }
        self.answer.write(console, &evaluate(&config, &self.submission_id, &outcome))
    }
}

impl Answer {
    /// Prints an evaluation; the exit code shows whether there is a score.
    fn write(&self, console: &mut Console, evaluation: &Evaluation) -> Result<Exit, Failure> {
        let ranking = match self.ranking {
            RankingWord::Auto => Ranking::Auto,
            RankingWord::Weighted => Ranking::Weighted,
            RankingWord::Normalized => Ranking::Normalized,
        };
        if let Some(attempt_id) = &self.attempt_id {
            writeln!(console.out, "{}", evaluation.to_attempt_result(attempt_id.clone(), ranking).to_json())?;
        } else if self.json {
            writeln!(console.out, "{}", evaluation.to_json())?;
        } else {
            show::write_evaluation(&mut console.out, evaluation, ranking)?;
        }
        console.out.flush()?;
        write_findings(&mut console.err, &evaluation.findings)?;
        let scored = evaluation.verdict != fablegrade_judgehost::Verdict::Error || evaluation.by_submission;
        Ok(if scored { Exit::Done } else { Exit::Undecided })
    }
}
