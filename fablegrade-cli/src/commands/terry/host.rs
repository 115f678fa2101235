//! The commands of `fablegrade terry` that run programs.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fablegrade_core::json::Json;
use fablegrade_core::{Decimal, Error, ErrorKind, Finding, Findings};
use fablegrade_runner::terry::{
    Fuzzed, ProgramLimits, Solution, TaskOptions, TaskRunner, draw_seeds, read_folder,
};
use fablegrade_runner::{Runner, RunnerOptions};
use fablegrade_terry::attempt::{attempt_id, attempt_result};
use fablegrade_terry::evaluation::{Cause, Failure as Failed, Role};
use fablegrade_terry::folder::{Entry, Folder, Preference, Program};
use fablegrade_terry::platform::Platform;
use fablegrade_terry::task::{FileFinding, Task};
use indicatif::ProgressBar;

use super::report::{
    Table, seconds, share, write_check, write_error_output, write_file_findings, write_judged,
    write_validation,
};
use super::test_report::{Candidate, TestReport};
use super::{Check, FuzzChecker, Grade, How, Running, Test, count, read_task};
use crate::commands::grade::write_result;
use crate::console::{BAD, Console, GOOD, MIXED, NAME, QUIET, plain};
use crate::exit::{Exit, Failure};
use crate::lines::{Encoding, serve};
use crate::progress;

/// Maximum size of an input or output file, in bytes.
const FILE_BYTES: u64 = 32 << 20;
/// The time above which a checker counts as slow, in milliseconds.
const SLOW: u64 = 1000;
/// The time limit of a solution that only provides an output to mutate.
const SEARCH: Duration = Duration::from_secs(5);

impl Running {
    fn runner(&self) -> Arc<Runner> {
        self.how.runner(self.jobs)
    }

    fn options(&self) -> TaskOptions {
        self.how.options(self.jobs)
    }
}

impl How {
    fn runner(&self, jobs: Option<u16>) -> Arc<Runner> {
        let mut options = RunnerOptions::default();
        options.sandbox.unsandboxed = self.unsandboxed;
        options.parallel = jobs.map(usize::from);
        Arc::new(Runner::with_options(&options))
    }

    fn options(&self, jobs: Option<u16>) -> TaskOptions {
        let mut options = TaskOptions::default();
        options.prefer = if self.from_source { Preference::Sources } else { Preference::Executables };
        options.managers.cpu = Duration::from_secs_f64(self.manager_time);
        options.parallel = jobs.map(usize::from);
        options
    }
}

/// The contents of a task's folder.
struct Opened {
    task: Option<Task>,
    folder: Folder,
    findings: Vec<FileFinding>,
}

fn open(dir: &Path) -> Result<Opened, Failure> {
    let listing =
        read_folder(dir).map_err(|error| Failure::Io(format!("cannot read {}", dir.display()), error))?;
    let (task, mut findings) = read_task(dir)?;
    let folder = Folder::new(listing.entries);
    findings.extend(listing.findings);
    findings.extend(folder.findings().iter().cloned());
    if let Some(platform) = Platform::current() {
        findings.extend(folder.check_platform(&platform));
    }
    Ok(Opened { task, folder, findings })
}

impl Opened {
    /// Returns the task, or the defects of its metadata if it could not be read.
    fn task(&self, dir: &Path) -> Result<&Task, Failure> {
        self.task.as_ref().ok_or_else(|| {
            let mut findings = Findings::new();
            for found in self.findings.iter().filter(|found| found.file == "task.yaml") {
                findings.push(found.finding.clone());
            }
            Failure::invalid(
                dir.join("task.yaml").display().to_string(),
                Error::new(ErrorKind::Spec, findings),
            )
        })
    }
}

/// Reports that a task cannot be run, or that this host cannot run it.
fn tell_failure(console: &mut Console, failure: &Failed, json: bool) -> Result<Exit, Failure> {
    let exit = if failure.is_hosts() { Exit::Undecided } else { Exit::Negative };
    if json {
        writeln!(console.out, "{}", Json::build().with("failure", failure.to_json()).build())?;
        return Ok(exit);
    }
    let role = failure.role();
    writeln!(console.out, "{BAD}{role}{BAD:#}  {}", plain(&failure.to_string()))?;
    write_error_output(console, failure)?;
    if failure.is_hosts() {
        console.out.flush()?;
        writeln!(console.err, "Run `fablegrade doctor` to see what this host supports.")?;
    }
    Ok(exit)
}

/// Returns a progress bar on standard error.
fn bar(length: usize, what: &str, is_quiet: bool) -> ProgressBar {
    let template = "  {msg}  {bar:24.green/black.bright}  {pos} / {len}  ·  {elapsed}";
    let bar = progress::bar(Some(length as u64), template, is_quiet);
    bar.set_message(what.to_owned());
    bar
}

/// Returns a spinner on standard error.
fn spinner(is_quiet: bool) -> ProgressBar {
    progress::bar(None, "  {spinner:.green}  {msg}", is_quiet)
}

impl Opened {
    /// Runs the programs of the task and adds their defects to the findings.
    ///
    /// Nothing is run if the metadata cannot be read, or if there is an error in the generator's or the
    /// checker's files. Returns the failure if the host cannot run the programs.
    fn examine(
        &mut self,
        dir: &Path,
        runner: &Arc<Runner>,
        options: &TaskOptions,
        on_step: impl FnMut(&str),
    ) -> Option<Failed> {
        let runs = ["managers/generator", "managers/checker"];
        let broken =
            |found: &FileFinding| found.is_error() && runs.iter().any(|file| found.file.starts_with(file));
        let task = self.task.as_ref().filter(|_| !self.findings.iter().any(broken))?;
        let examined = TaskRunner::prepare(runner, dir, &self.folder, options)
            .and_then(|host| host.examine(task, dir, &self.folder, on_step));
        match examined {
            Ok(found) => self.findings.extend(found),
            Err(failure) if failure.is_hosts() => return Some(failure),
            // The programs could not be prepared, so none ran.
            Err(failure) => {
                let last = failure.said().lines().find(|line| line.contains("error")).unwrap_or_default();
                let message = if last.is_empty() {
                    failure.to_string()
                } else {
                    format!("{failure} ({})", last.trim())
                };
                let finding = Finding::error("manager-does-not-build", "", message, failure.advice());
                self.findings.push(FileFinding::new(format!("managers/{}", failure.role()), finding));
            }
        }
        None
    }
}

/// Reports that the host could not run the programs, with the reason. Earlier programs may have run.
fn tell_not_run(console: &mut Console, failure: &Failed) -> Result<Exit, Failure> {
    console.out.flush()?;
    let cause = plain(&failure.to_string()).into_owned();
    writeln!(
        console.err,
        "{BAD}not run{BAD:#}: {cause}\nRun `fablegrade doctor` to see what this host supports."
    )?;
    Ok(Exit::Undecided)
}

/// Runs the programs of a contest's tasks.
///
/// Returns the findings, with the task's name before each file, and the failure if the host cannot run the
/// programs.
pub(super) fn examine_contest(
    how: &Running,
    folder: &Path,
    tasks: &[String],
    is_quiet: bool,
) -> Result<(Vec<FileFinding>, Option<Failed>), Failure> {
    let (runner, options) = (how.runner(), how.options());
    let mut findings = Vec::new();
    let spinner = spinner(is_quiet);
    for task in tasks.iter().filter(|task| folder.join(task).join("task.yaml").is_file()) {
        let dir = folder.join(task);
        let mut opened = open(&dir)?;
        let trouble = opened.examine(&dir, &runner, &options, |step| {
            spinner.set_message(plain(&format!("{task}: {step}")).into_owned())
        });
        if trouble.is_some() {
            return Ok((findings, trouble));
        }
        // The check of the contest reports the findings about task.yaml.
        for mut found in opened.findings.into_iter().filter(|found| found.file != "task.yaml") {
            found.file = format!("{task}/{}", found.file);
            findings.push(found);
        }
    }
    spinner.finish_and_clear();
    Ok((findings, None))
}

/// Returns the exit code. Trouble of the host is reported only if there is no defect.
pub(super) fn exit_of(console: &mut Console, exit: Exit, trouble: Option<Failed>) -> Result<Exit, Failure> {
    match trouble {
        Some(failure) if exit == Exit::Done => tell_not_run(console, &failure),
        _ => Ok(exit),
    }
}

impl Check {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let mut opened = open(&self.dir)?;
        let mut trouble = None;
        if !self.no_run {
            let spinner = spinner(console.is_quiet());
            spinner.set_message("building");
            let (runner, options) = (self.running.runner(), self.running.options());
            trouble = opened
                .examine(&self.dir, &runner, &options, |step| spinner.set_message(plain(step).into_owned()));
            spinner.finish_and_clear();
        }
        let name =
            opened.task.as_ref().map_or_else(|| self.dir.display().to_string(), |task| task.name.clone());
        let summary = opened.task.as_ref().map_or_else(String::new, |task| {
            let solutions = opened.folder.solutions().len();
            format!(
                "{}, {} points, {}",
                plain(&task.description),
                task.max_score,
                count(solutions, "solution")
            )
        });
        let document = opened.task.as_ref().map_or(Json::Null, Task::to_json);
        let exit = write_check(console, &name, &opened.findings, &summary, ("task", document), self.json)?;
        exit_of(console, exit, trouble)
    }
}

/// Finds a solution that the user named: a path, a path in the task's folder, or a path in its `solutions/`.
fn named_solution(dir: &Path, name: &Path) -> Result<Program, Failure> {
    let places = [name.to_path_buf(), dir.join(name), dir.join("solutions").join(name)];
    let Some(path) = places.iter().find(|path| path.is_file()) else {
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        return Err(Failure::Io(format!("cannot open {} or solutions/{0}", name.display()), missing));
    };
    let failed = |error| Failure::Io(format!("cannot read {}", path.display()), error);
    let absolute = path.canonicalize().map_err(failed)?;
    let mut head = Vec::new();
    std::fs::File::open(&absolute).and_then(|file| file.take(64).read_to_end(&mut head)).map_err(failed)?;
    let about = std::fs::metadata(&absolute).map_err(failed)?;
    let mut entry = Entry::new(absolute.to_string_lossy(), about.len(), head);
    entry.executable = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o111 != 0;
    Program::of(&entry).ok_or_else(|| {
        let help = "use .c .cpp .go .java .js .py or .rs, or make the file executable";
        Failure::Usage(format!("{}: unsupported source file; {help}", name.display()))
    })
}

impl Test {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let opened = open(&self.dir)?;
        let task = opened.task(&self.dir)?;
        let named: Vec<Program> =
            self.solution.iter().map(|name| named_solution(&self.dir, name)).collect::<Result<_, _>>()?;
        let seeds = if self.seed.is_empty() {
            let count = self.runs.unwrap_or(1) as usize;
            draw_seeds(count).map_err(|error| Failure::Io("cannot draw seeds".to_owned(), error))?
        } else {
            self.seed.clone()
        };
        let runner = self.running.runner();
        let mut options = self.running.options();
        options.solutions =
            ProgramLimits { cpu: Duration::from_secs_f64(self.time_limit), memory_mb: self.memory_limit };
        let host = match TaskRunner::prepare(&runner, &self.dir, &opened.folder, &options) {
            Ok(host) => host,
            Err(failure) => return tell_failure(console, &failure, self.json),
        };
        let official = host.official_program(&opened.folder);
        let programs: Vec<Program> = if named.is_empty() {
            official.iter().chain(opened.folder.solutions()).cloned().collect()
        } else {
            named
        };
        if programs.is_empty() {
            return Err(Failure::Usage("there is no solution to test; name one with --solution".to_owned()));
        }
        let mut ready: Vec<Solution> = Vec::new();
        let mut candidates = Vec::new();
        let building = bar(programs.len(), "building", console.is_quiet());
        for program in &programs {
            let made = host.solution(&self.dir, program);
            building.inc(1);
            let name = program.path.clone();
            let official = official.as_ref() == Some(program);
            let ready = match made {
                Ok(solution) => {
                    ready.push(solution);
                    Ok(ready.len() - 1)
                }
                Err(failure) if failure.is_hosts() => return tell_failure(console, &failure, self.json),
                Err(failure) => Err(failure),
            };
            candidates.push(Candidate { name, official, ready });
        }
        building.finish_and_clear();
        let testing = bar(ready.len() * seeds.len(), "testing", console.is_quiet());
        let runs = host.test(task, &ready, &seeds, |_| testing.inc(1));
        testing.finish_and_clear();
        let report = TestReport {
            task,
            seeds: &seeds,
            candidates: &candidates,
            runs: &runs,
            isolation: runner.isolation(),
        };
        if self.json {
            report.write_json(console)?
        } else {
            report.write_table(console)?
        }
        Ok(report.exit())
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = || format!("cannot read {}", path.display());
    let mut bytes = Vec::new();
    // This is checked before opening, because opening a pipe without a writer would block forever.
    if !crate::input::is_stdin(path) && std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        let cause = std::io::Error::other("it is not a regular file; `-` reads standard input");
        return Err(Failure::Io(name(), cause));
    }
    let reader = crate::input::open(path)?.reader;
    reader.take(FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| Failure::Io(name(), error))?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(Failure::Io(name(), std::io::Error::other("it has more than 32 MiB")));
    }
    Ok(bytes)
}

impl Grade {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        if self.lines.reads_lines(self.input.is_some(), "--input and --output")? {
            return self.serve(console);
        }
        let (Some(input), Some(output)) = (&self.input, &self.output) else {
            return Err(Failure::Usage("`--input` and `--output` must be given together".to_owned()));
        };
        crate::input::at_most_one_stdin([input.as_path(), output])?;
        let opened = open(&self.dir)?;
        let task = opened.task(&self.dir)?;
        let (input, output) = (read_file(input)?, read_file(output)?);
        let runner = self.how.runner(self.lines.jobs);
        let concluded = TaskRunner::prepare_for(
            &runner,
            &self.dir,
            &opened.folder,
            &self.how.options(self.lines.jobs),
            &[Role::Checker],
        )
        .and_then(|host| host.grade(task, &input, &output));
        if self.attempt_result {
            let exit = match &concluded {
                Ok(_) => Exit::Done,
                Err(failure) if failure.is_hosts() => Exit::Undecided,
                Err(_) => Exit::Negative,
            };
            let result = attempt_result(concluded.as_ref(), attempt_id(&task.name, &input, &output), None);
            if self.json {
                writeln!(console.out, "{}", result.to_json())?
            } else {
                write_result(&mut console.out, &result)?
            }
            return Ok(exit);
        }
        let judged = match concluded {
            Ok(judged) => judged,
            Err(failure) => return tell_failure(console, &failure, self.json),
        };
        match (self.json, self.before_confirming) {
            (true, true) => writeln!(console.out, "{}", judged.result.before_confirming())?,
            (true, false) => writeln!(console.out, "{}", judged.result.after_confirming(&judged.max_score))?,
            (false, true) => write_validation(console, &judged)?,
            (false, false) => {
                write_judged(console, &judged)?;
                let findings: Vec<FileFinding> = judged
                    .findings
                    .iter()
                    .map(|finding| FileFinding::new("managers/checker", finding.clone()))
                    .collect();
                write_file_findings(console, &findings)?;
            }
        }
        Ok(Exit::Done)
    }
}

impl Grade {
    /// Grades many outputs with a checker that is prepared once.
    fn serve(self, console: &mut Console) -> Result<Exit, Failure> {
        let opened = open(&self.dir)?;
        let task = opened.task(&self.dir)?.clone();
        let runner = self.how.runner(self.lines.jobs);
        let options = self.how.options(self.lines.jobs);
        let host =
            match TaskRunner::prepare_for(&runner, &self.dir, &opened.folder, &options, &[Role::Checker]) {
                Ok(host) => host,
                Err(failure) => return tell_failure(console, &failure, true),
            };
        let before_confirming = self.before_confirming;
        let host_failed = Arc::new(AtomicBool::new(false));
        let failed = Arc::clone(&host_failed);
        let exit = serve(&self.lines, move |fields| {
            let encoding = Encoding::take(fields);
            let mut file =
                |name| fields.required(name, |value, at, findings| encoding.bytes(value, at, findings));
            let (input, output) = (file("input"), file("output"));
            let (input, output) = (input?, output?);
            let concluded = host.grade(&task, &input, &output);
            if concluded.as_ref().is_err_and(Failed::is_hosts) {
                failed.store(true, Ordering::Relaxed);
            }
            let answer = Json::build();
            Some(Ok(match &concluded {
                Ok(judged) if before_confirming => {
                    answer.with("validation", judged.result.before_confirming()).build()
                }
                _ => {
                    let result =
                        attempt_result(concluded.as_ref(), attempt_id(&task.name, &input, &output), None);
                    let points = concluded.as_ref().ok().map(|judged| &judged.points);
                    let failure = concluded.as_ref().err().map(Failed::to_json);
                    answer
                        .with("result", Json::parse(result.to_json().as_bytes()).unwrap_or(Json::Null))
                        .with_some("points", points)
                        .with_some("failure", failure)
                        .build()
                }
            }))
        })?;
        // An invalid line is a defect, and is reported before trouble of the host.
        let is_undecided = exit == Exit::Done && host_failed.load(Ordering::Relaxed);
        Ok(if is_undecided { Exit::Undecided } else { exit })
    }
}

impl FuzzChecker {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let opened = open(&self.dir)?;
        let task = opened.task(&self.dir)?;
        let named: Option<PathBuf> = self.solution.clone();
        let named = named.map(|name| named_solution(&self.dir, &name)).transpose()?;
        let runner = self.running.runner();
        let mut options = self.running.options();
        options.solutions.cpu = SEARCH;
        let fuzzed = TaskRunner::prepare(&runner, &self.dir, &opened.folder, &options).and_then(|host| {
            let solution = match &named {
                Some(program) => Some(host.solution(&self.dir, program)?),
                None => best_solution(&host, task, &opened.folder, &self.dir, self.seed)?,
            };
            let bar = bar(0, "fuzzing", console.is_quiet());
            bar.set_length(
                fablegrade_terry::bad_outputs::bad_outputs(0, solution.is_some().then_some(&b"x\n"[..])).len()
                    as u64,
            );
            let fuzzed = host.fuzz_checker(task, self.seed, solution.as_ref(), |_| bar.inc(1));
            bar.finish_and_clear();
            fuzzed
        });
        let fuzzed = match fuzzed {
            Ok(fuzzed) => fuzzed,
            Err(failure) => return tell_failure(console, &failure, self.json),
        };
        if self.json {
            let outputs = fuzzed.iter().map(|one| {
                let object = Json::build()
                    .with("name", one.name)
                    .with("bytes", one.bytes)
                    .with("rubbish", one.rubbish)
                    .with("passed", one.passes())
                    .with_some("timeMs", one.measure.and_then(|measure| measure.time_ms));
                match &one.concluded {
                    Ok(judged) => object.with("score", judged.result.score()).build(),
                    Err(failure) => object.with("failure", failure.to_json()).build(),
                }
            });
            let report = Json::build().with("task", task.to_json()).with("seed", self.seed);
            writeln!(console.out, "{}", report.with("outputs", Json::array(outputs)).build())?;
        } else {
            write_fuzzed(console, &fuzzed)?;
        }
        let host = |one: &Fuzzed| matches!(&one.concluded, Err(failure) if failure.is_hosts());
        Ok(if fuzzed.iter().any(host) {
            Exit::Undecided
        } else if fuzzed.iter().all(Fuzzed::passes) {
            Exit::Done
        } else {
            Exit::Negative
        })
    }
}

/// Returns the solution whose output will be mutated: the first with full points, or else the first with a result.
fn best_solution(
    host: &TaskRunner,
    task: &Task,
    folder: &Folder,
    dir: &Path,
    seed: u32,
) -> Result<Option<Solution>, Failed> {
    let mut best = None;
    for program in host.official_program(folder).iter().chain(folder.solutions()) {
        let solution = match host.solution(dir, program) {
            Ok(solution) => solution,
            Err(failure) if failure.is_hosts() => return Err(failure),
            Err(_) => continue,
        };
        let mut solutions = vec![solution];
        let run = host.test(task, &solutions, &[seed], |_| ()).pop();
        let Some(Ok(judged)) = run.map(|run| run.concluded) else { continue };
        if *judged.result.score() == Decimal::one() {
            return Ok(solutions.pop());
        }
        best = best.or_else(|| solutions.pop());
    }
    Ok(best)
}

fn write_fuzzed(console: &mut Console, fuzzed: &[Fuzzed]) -> Result<(), Failure> {
    let mut table = Table::default();
    table.head(&["output", "bytes", "score", "time", "verdict"]);
    for one in fuzzed {
        let slow = one.measure.and_then(|measure| measure.time_ms).is_some_and(|time| time > SLOW);
        let (score, verdict) = match &one.concluded {
            Ok(judged) if one.passes() => (
                share(judged.result.score()),
                if slow { (MIXED, "slow".to_owned()) } else { (GOOD, "ok".to_owned()) },
            ),
            Ok(judged) => (share(judged.result.score()), (BAD, "points for an invalid output".to_owned())),
            Err(failure) => ("-".to_owned(), (BAD, short(failure))),
        };
        let time = if slow { MIXED } else { QUIET };
        table.row(vec![
            (NAME, one.name.to_owned()),
            (QUIET, one.bytes.to_string()),
            (QUIET, score),
            (time, seconds(one.measure.and_then(|measure| measure.time_ms))),
            verdict,
        ]);
    }
    table.write(console)?;
    let mut told: Vec<String> = Vec::new();
    for one in fuzzed {
        let Err(failure) = &one.concluded else { continue };
        let message = failure.to_string();
        if told.contains(&message) {
            continue;
        }
        writeln!(console.out, "\n{BAD}{}{BAD:#}  {}", one.name, plain(&message))?;
        write_error_output(console, failure)?;
        told.push(message);
    }
    let broken = fuzzed.iter().filter(|one| !one.passes()).count();
    let (style, word) = if broken == 0 { (GOOD, "passed") } else { (BAD, "failed") };
    let all = fuzzed.len();
    writeln!(
        console.out,
        "\n{style}{word}{style:#}  {all} invalid outputs, {broken} of them break the checker"
    )?;
    Ok(())
}

/// Describes a checker's failure in a few words.
fn short(failure: &Failed) -> String {
    match failure {
        Failed::Program { cause, .. } => match cause {
            Cause::Build(_) => "not started".to_owned(),
            other => other.to_string(),
        },
        Failed::Result { error, .. } => error.rule().to_owned(),
        Failed::Host { .. } => "host failed".to_owned(),
    }
}
