//! The programs of a package, each built once.

use super::Stop;
use crate::cancel::Cancel;
use crate::program::{BuildError, BuildLimits, Program, ProgramForm, ProgramSource};
use crate::runner::Runner;
use fablegrade_kattis::job::{BuildFailure, BuildJob};
use fablegrade_kattis::program::{Form, Program as Source};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Programs by their index in the plan.
pub(super) struct Programs<'a> {
    sources: &'a [Source],
    built: Mutex<BTreeMap<usize, Program>>,
}

impl<'a> Programs<'a> {
    pub(super) fn new(sources: &'a [Source]) -> Self {
        Self { sources, built: Mutex::default() }
    }

    pub(super) fn source(&self, program: usize) -> Result<&'a Source, Stop> {
        self.sources.get(program).ok_or_else(|| Stop::Host(format!("the plan has no program {program}")))
    }

    /// Builds a program.
    pub(super) fn build(
        &self,
        runner: &Runner,
        job: &BuildJob<'_>,
        cancel: &Cancel,
    ) -> Result<Result<(), BuildFailure>, Stop> {
        let limits = BuildLimits { cpu: job.limits.cpu, memory_mb: job.limits.memory_mib };
        self.build_within(runner, job.program, job.source, &limits, cancel)
    }

    fn build_within(
        &self,
        runner: &Runner,
        number: usize,
        program: &Source,
        limits: &BuildLimits,
        cancel: &Cancel,
    ) -> Result<Result<(), BuildFailure>, Stop> {
        let source = match source(program) {
            Ok(source) => source,
            Err(why) => return Ok(Err(BuildFailure::Unsupported(why))),
        };
        match runner.build(&source, limits, cancel) {
            Ok(built) => {
                self.built.lock().unwrap_or_else(PoisonError::into_inner).insert(number, built);
                Ok(Ok(()))
            }
            Err(BuildError::Compile(message)) => Ok(Err(BuildFailure::Compile(message))),
            Err(BuildError::Unsupported(why)) => Ok(Err(BuildFailure::Unsupported(why))),
            Err(BuildError::Host(cause)) => Err(Stop::Host(cause)),
            Err(BuildError::Cancelled) => Err(Stop::Cancelled),
        }
    }

    /// Returns a built program. If another host has built it, it is built on this host too.
    pub(super) fn get(&self, runner: &Runner, number: usize, cancel: &Cancel) -> Result<Program, Stop> {
        let known = || self.built.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned();
        if let Some(program) = known() {
            return Ok(program);
        }
        let source = self.source(number)?;
        match self.build_within(runner, number, source, &BuildLimits::default(), cancel)? {
            Ok(()) => known().ok_or_else(|| Stop::Host(format!("{} was not built", source.path))),
            Err(BuildFailure::Compile(why) | BuildFailure::Unsupported(why)) => {
                Err(Stop::Host(format!("{} cannot be built: {why}", source.path)))
            }
        }
    }
}

/// Returns the name in the language table for a language code of the format.
fn language(code: &str) -> &str {
    match code {
        "python3" => "python",
        other => other,
    }
}

/// Converts a program to the runner's form; an error states why it cannot be built.
fn source(program: &Source) -> Result<ProgramSource, String> {
    let form = match &program.form {
        Form::Scripts { .. } => ProgramForm::Scripts,
        Form::Language { code, entry } => {
            ProgramForm::Language { language: language(code).to_owned(), entry: entry.clone() }
        }
        Form::Checktestdata | Form::Viva => {
            return Err("a grammar of Checktestdata or VIVA is not a program".to_owned());
        }
        Form::Unknown => return Err("no single language fits its files".to_owned()),
        Form::Unreplaced => return Err("its files are too large after the constants are replaced".to_owned()),
    };
    let files = program.files.iter().map(|(path, file)| (path.clone(), file.bytes.clone())).collect();
    Ok(ProgramSource { files, form })
}
