//! Runs code submissions in the sandbox and grades their outcomes.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use crate::console::{BAD, Console};
use crate::documents::Documents;
use crate::exit::{Exit, Failure};
use crate::lines::job_count;

/// Options for running programs.
#[derive(Args, Default)]
#[group(skip)]
#[command(next_help_heading = "Running programs (with --run)")]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "programs run on Linux only"))]
pub(crate) struct RunArgs {
    /// Run at most N cases at a time [default: one per core]
    #[arg(long, alias = "parallel", value_name = "N", requires = "run", value_parser = job_count())]
    jobs: Option<u16>,
    /// Skip the rest of a suite after a case that did not exit with code 0
    #[arg(long, requires = "run")]
    stop_suite: bool,
    /// Replace entries of the built-in table of languages (compilers, interpreters, commands) with those in this JSON
    /// file
    #[arg(long, value_name = "FILE", requires = "run")]
    languages: Option<PathBuf>,
    /// Memory limit for programs in MiB; overrides that of the question
    #[arg(long, value_name = "N", requires = "run", value_parser = clap::value_parser!(u32).range(4..=1_048_576))]
    memory_mb: Option<u32>,
    /// Limit on the standard output of a case in KiB; overrides that of the question
    #[arg(long, value_name = "N", requires = "run", value_parser = clap::value_parser!(u32).range(1..=262_144))]
    output_kb: Option<u32>,
    #[command(flatten)]
    paths: SandboxPaths,
    /// Refuse to run unless control groups can measure memory and CPU time exactly
    #[arg(long, value_name = "LEVEL", value_parser = ["exact"], requires = "run")]
    require: Option<String>,
    /// Run WITHOUT a sandbox: the program can do whatever you can do, and the result says so
    #[arg(long, requires = "run")]
    unsandboxed: bool,
}

/// The paths that the sandbox uses.
#[derive(Args, Default)]
#[group(skip)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "programs run on Linux only"))]
pub(crate) struct SandboxPaths {
    /// The bubblewrap program [default: `bwrap` in /usr/bin, /usr/local/bin, /bin or PATH]
    #[arg(long, value_name = "FILE")]
    bubblewrap: Option<PathBuf>,
    /// Folder for compiled programs [default: /var/cache/fablegrade for root, else in the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

#[cfg(target_os = "linux")]
impl SandboxPaths {
    pub(crate) fn options(&self) -> fablegrade_runner::RunnerOptions {
        let mut options = fablegrade_runner::RunnerOptions::default();
        options.sandbox.bubblewrap.clone_from(&self.bubblewrap);
        options.cache.clone_from(&self.cache);
        options
    }
}

impl RunArgs {
    /// Rejects `--bubblewrap` and `--cache`, for a command line without `--run`.
    pub(crate) fn only_with_run(&self) -> Result<(), Failure> {
        if self.paths.bubblewrap.is_some() || self.paths.cache.is_some() {
            return Err(Failure::Usage("`--bubblewrap` and `--cache` need `--run`".into()));
        }
        Ok(())
    }
}

/// Tells the operator why programs could not be run. The learner's result does not contain this.
pub(crate) fn tell_trouble(console: &mut Console, trouble: Option<String>) -> Result<Exit, Failure> {
    let Some(cause) = trouble else { return Ok(Exit::Done) };
    console.out.flush()?;
    let cause = crate::console::plain(&cause).into_owned();
    writeln!(
        console.err,
        "{BAD}sandbox{BAD:#}: {cause}\nRun `fablegrade doctor` to see what this host supports."
    )?;
    Ok(Exit::Undecided)
}

/// The result, and the reason why programs could not be run, if there is one.
pub(crate) type Graded = (fablegrade_core::AttemptResult, Option<String>);

#[cfg(target_os = "linux")]
pub(crate) fn run_and_grade(documents: &Documents, args: &RunArgs, quiet: bool) -> Result<Graded, Failure> {
    use fablegrade_runner::Runner;

    use fablegrade_core::request::Given;

    let mut options = args.paths.options();
    options.sandbox.unsandboxed = args.unsandboxed;
    options.sandbox.require_exact = args.require.is_some();
    options.parallel = args.jobs.map(usize::from);
    options.stop_suite = args.stop_suite;
    (options.memory_mb, options.output_kb) = (args.memory_mb, args.output_kb);
    if let Some(path) = &args.languages {
        let source = crate::input::read(path)?;
        let text = String::from_utf8_lossy(&source.bytes);
        options
            .languages
            .replace_from_json(&text)
            .map_err(|error| Failure::Usage(format!("{}: {error}", source.name)))?;
    }
    let graded = documents.with(|answer, grader| {
        let submission = match &answer.given {
            Given::Submission(submission) => submission,
            Given::Attempt(attempt) => &attempt.submission,
        };
        let Some(plan) = grader.plan(submission) else { return Ok(Some((answer.grade(grader)?, None))) };
        if answer.outcomes.is_some() {
            return Ok(None);
        }
        let runner = Runner::with_options(&options);
        if let Some(warning) = runner.warning() {
            // A failed write is ignored, because standard error may be closed.
            let _ = writeln!(std::io::stderr(), "warning: {warning}");
        }
        let bar = crate::progress::bar(Some(plan.cases.len() as u64), "{wide_bar} {pos}/{len}", quiet);
        let graded = runner.grade(grader, &answer.given, &answer.context, |_| bar.inc(1))?;
        bar.finish_and_clear();
        Ok(Some((graded.marked.into_result(), graded.trouble)))
    })?;
    graded.ok_or_else(|| {
        Failure::Usage("the document has `outcomes`; remove them, or grade them without `--run`".into())
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn run_and_grade(
    _documents: &Documents,
    _args: &RunArgs,
    _quiet: bool,
) -> Result<Graded, Failure> {
    Err(Failure::Usage(
        "programs run on Linux only; grade recorded outcomes with `grade --outcomes FILE`".into(),
    ))
}
