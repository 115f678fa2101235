//! An evaluation in three steps: this module makes a plan (plain data), a host runs it, and this module judges the
//! outcomes.

use std::fmt;

use fablegrade_public::json::Json;
use fablegrade_public::outcome::End;
use fablegrade_public::{Decimal, Error, Finding};

use crate::result::{CheckerResult, Expected};
use crate::task::Task;

/// The role of a program of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Writes an input file from a seed.
    Generator,
    /// Decides whether an input file is valid.
    Validator,
    /// Writes an output file from an input file.
    Solution,
    /// Judges an output file.
    Checker,
}

impl Role {
    /// All roles, in the order in which programs are run.
    pub const ALL: [Self; 4] = [Self::Generator, Self::Validator, Self::Solution, Self::Checker];

    /// Returns the role's name, which is also the stem of the program's file name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Generator => "generator",
            Self::Validator => "validator",
            Self::Solution => "solution",
            Self::Checker => "checker",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A file that one step passes to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum File {
    /// The output of the generator.
    Input,
    /// The output of the solution.
    Output,
}

impl File {
    /// Returns `input` or `output`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// An argument of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A text.
    Text(String),
    /// The path at which the host puts this file.
    Path(File),
}

/// One program to run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The program.
    pub role: Role,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its standard input; empty if absent.
    pub stdin: Option<File>,
    /// The file that its standard output becomes; absent for the validator, and for the checker, whose output is the
    /// result.
    pub makes: Option<File>,
}

/// The programs to run, in this order, until one fails.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The seed, if there is a generator.
    pub seed: Option<u32>,
    /// The steps, one program each.
    pub steps: Vec<Step>,
}

/// The exclusive upper bound of randomly drawn seeds, as in all terry tools. Larger seeds can be given explicitly.
pub const SEED_BOUND: u32 = 1 << 31;

impl Plan {
    /// Creates the plan for making an input file: the generator, then the validator if the task has one. The last
    /// argument of both is `0`. The specification does not mention it, but the servers pass it, and programs written
    /// for them read it.
    pub fn input(seed: u32, validator: bool) -> Self {
        let text = |text: &str| Argument::Text(text.to_owned());
        let mut steps = vec![Step {
            role: Role::Generator,
            arguments: vec![Argument::Text(seed.to_string()), text("0")],
            stdin: None,
            makes: Some(File::Input),
        }];
        if validator {
            let arguments = vec![text("0")];
            steps.push(Step { role: Role::Validator, arguments, stdin: Some(File::Input), makes: None });
        }
        Self { seed: Some(seed), steps }
    }

    /// Creates the plan for testing a solution: the steps for the input, the solution, the checker.
    pub fn test(seed: u32, validator: bool) -> Self {
        let mut plan = Self::input(seed, validator);
        let arguments = Vec::new();
        plan.steps.push(Step {
            role: Role::Solution,
            arguments,
            stdin: Some(File::Input),
            makes: Some(File::Output),
        });
        plan.steps.extend(Self::grade().steps);
        plan
    }

    /// Creates the plan for judging an existing output file: only the checker.
    pub fn grade() -> Self {
        let arguments = vec![Argument::Path(File::Input), Argument::Path(File::Output)];
        Self { seed: None, steps: vec![Step { role: Role::Checker, arguments, stdin: None, makes: None }] }
    }

    /// Returns the plan with exactly these roles, for a host that stored only the roles; `None` if no plan has them.
    pub fn of_roles(seed: u32, roles: &[Role]) -> Option<Self> {
        let validator = roles.contains(&Role::Validator);
        let plans = [Self::grade(), Self::input(seed, validator), Self::test(seed, validator)];
        plans.into_iter().find(|plan| plan.steps.iter().map(|step| step.role).eq(roles.iter().copied()))
    }

    /// Returns `{seed?, steps: [{role, arguments, stdin?, makes?}]}`. An argument is a text or `{file}`, and a file is
    /// `input` or `output`.
    pub fn to_json(&self) -> Json {
        let steps = Json::array(self.steps.iter().map(Step::to_json));
        Json::build().with_some("seed", self.seed).with("steps", steps).build()
    }

    /// Judges the outcomes: one per step, up to the first failed step.
    ///
    /// # Errors
    /// The failure of the first failed step, or an invalid result of the checker. A step without an outcome and a plan
    /// without a checker count as failures of the host.
    pub fn conclude(&self, outcomes: &[StepOutcome], task: &Task) -> Result<Judged, Failure> {
        self.conclude_expecting(outcomes, task, &Expected::of(&task.max_score))
    }

    /// Works like [`Plan::conclude`], but checks the result against facts that the host already has.
    ///
    /// # Errors
    /// The errors of [`Plan::conclude`].
    pub fn conclude_expecting(
        &self,
        outcomes: &[StepOutcome],
        task: &Task,
        expected: &Expected,
    ) -> Result<Judged, Failure> {
        for (step, outcome) in self.steps.iter().zip(outcomes) {
            step.check(outcome)?;
        }
        let not_run = |role| Failure::Host { role, cause: "it was not run".to_owned() };
        if let Some(step) = self.steps.get(outcomes.len()) {
            return Err(not_run(step.role));
        }
        let checker = self.steps.iter().zip(outcomes).find(|(step, _)| step.role == Role::Checker);
        let Some((_, outcome)) = checker else { return Err(not_run(Role::Checker)) };
        match CheckerResult::read(&outcome.stdout, expected) {
            Ok((result, findings)) => {
                let points = result.points(&task.max_score);
                Ok(Judged { result, points, max_score: task.max_score.clone(), findings })
            }
            Err(error) => Err(Failure::Result { error, stderr: outcome.stderr_text() }),
        }
    }
}

impl Step {
    fn to_json(&self) -> Json {
        let arguments = self.arguments.iter().map(|argument| match argument {
            Argument::Text(text) => Json::from(text),
            Argument::Path(file) => Json::build().with("file", file.as_str()).build(),
        });
        Json::build()
            .with("role", self.role.as_str())
            .with("arguments", Json::array(arguments))
            .with_some("stdin", self.stdin.map(File::as_str))
            .with_some("makes", self.makes.map(File::as_str))
            .build()
    }

    /// Checks that the step succeeded. A host stops at the first step that did not.
    ///
    /// # Errors
    /// The failure of the step.
    pub fn check(&self, outcome: &StepOutcome) -> Result<(), Failure> {
        let cause = match &outcome.end {
            End::Exited(0) => return Ok(()),
            End::Exited(code) => Cause::Exit(*code),
            End::Signalled(signal) => Cause::Signal(*signal),
            End::Timeout => Cause::Time,
            End::MemoryExceeded => Cause::Memory,
            End::OutputLimit => Cause::Output,
            End::CompileError(message) => Cause::Build(message.clone()),
            End::SandboxError(cause) => return Err(Failure::Host { role: self.role, cause: cause.clone() }),
            End::Skipped => {
                return Err(Failure::Host { role: self.role, cause: "it was left out".to_owned() });
            }
        };
        Err(Failure::Program { role: self.role, cause, stderr: outcome.stderr_text() })
    }
}

/// The outcome of one step, as the host measured it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepOutcome {
    /// The way the program ended.
    pub end: End,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// The beginning of standard error.
    pub stderr: Vec<u8>,
    /// CPU time in milliseconds.
    pub time_ms: Option<u64>,
    /// Peak memory in KiB.
    pub memory_kb: Option<u64>,
}

impl StepOutcome {
    /// Creates an outcome with only its end and its standard output.
    pub fn new(end: End, stdout: impl Into<Vec<u8>>) -> Self {
        Self { end, stdout: stdout.into(), stderr: Vec::new(), time_ms: None, memory_kb: None }
    }

    fn stderr_text(&self) -> String {
        const MOST: usize = 4096;
        let start = self.stderr.get(..self.stderr.len().min(MOST)).unwrap_or_default();
        String::from_utf8_lossy(start).trim_end().to_owned()
    }
}

/// A judged output file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Judged {
    /// The result of the checker.
    pub result: CheckerResult,
    /// The points: `score * max_score`.
    pub points: Decimal,
    /// The task's maximum score.
    pub max_score: Decimal,
    /// Findings for the author.
    pub findings: Vec<Finding>,
}

/// The reason why there is no result of a checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A program did not end with exit code 0 within its limits.
    Program {
        /// The program.
        role: Role,
        /// The way it ended.
        cause: Cause,
        /// The beginning of its standard error, for the author.
        stderr: String,
    },
    /// The checker exited successfully, but its output is not a valid result.
    Result {
        /// All defects of the output.
        error: Error,
        /// The beginning of the checker's standard error, for the author.
        stderr: String,
    },
    /// The host could not run a program, which does not count against the task.
    Host {
        /// The program.
        role: Role,
        /// The reason.
        cause: String,
    },
}

/// The way a program failed. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The program ended with this exit code.
    Exit(i32),
    /// The program was ended by this signal.
    Signal(i32),
    /// The program took too much time.
    Time,
    /// The program took too much memory.
    Memory,
    /// The program wrote too much.
    Output,
    /// The program could not be built; holds the compiler's message.
    Build(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Time => f.write_str("time limit"),
            Self::Memory => f.write_str("memory limit"),
            Self::Output => f.write_str("output limit"),
            Self::Build(_) => f.write_str("does not build"),
        }
    }
}

impl Failure {
    /// Returns a stable name for the kind of failure.
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::Program { role: Role::Generator, .. } => "generation-failed",
            Self::Program { role: Role::Validator, cause: Cause::Exit(_), .. } => "input-invalid",
            Self::Program { role: Role::Validator, .. } => "validation-failed",
            Self::Program { role: Role::Solution, .. } => "solution-failed",
            Self::Program { role: Role::Checker, .. } => "checker-failed",
            Self::Result { .. } => "checker-result-invalid",
            Self::Host { .. } => "host-failed",
        }
    }

    /// Returns the role of the program that failed.
    pub const fn role(&self) -> Role {
        match self {
            Self::Program { role, .. } | Self::Host { role, .. } => *role,
            Self::Result { .. } => Role::Checker,
        }
    }

    /// Returns whether the solution caused the failure, rather than the task or the host.
    pub const fn is_solutions(&self) -> bool {
        matches!(self, Self::Program { role: Role::Solution, .. })
    }

    /// Returns whether the host failed, in which case a retry may help.
    pub const fn is_hosts(&self) -> bool {
        matches!(self, Self::Host { .. })
    }

    /// Returns advice on correcting the failure.
    pub fn advice(&self) -> String {
        let Self::Program { role, cause, .. } = self else {
            return match self {
                Self::Host { .. } => "`fablegrade doctor` says what this host can run".to_owned(),
                _ => "print one JSON result for every output, however bad, and nothing else".to_owned(),
            };
        };
        let started = match role {
            Role::Generator => "with the arguments `SEED 0`",
            Role::Validator => "with the argument `0` and the input on standard input",
            Role::Solution => "with the input on standard input",
            Role::Checker => "with the paths of the input and the output file",
        };
        match cause {
            Cause::Build(_) => format!("correct the {role} until it builds and starts"),
            Cause::Exit(_) if *role == Role::Validator => {
                "make the generator write valid inputs for every seed, or correct the validator".to_owned()
            }
            Cause::Exit(_) | Cause::Signal(_) => {
                format!("start the {role} by hand {started}: it must end with exit code 0")
            }
            Cause::Time => format!("make the {role} faster, or raise its time limit"),
            Cause::Memory => format!("make the {role} use less memory, or raise its limit"),
            Cause::Output => format!(
                "make the {role} write less; {}",
                match role {
                    Role::Checker => "a result has at most 8 MiB",
                    _ => "an input or output file has at most 32 MiB",
                }
            ),
        }
    }

    /// Returns `{rule, role, message, help, said?, findings?}`, for the author and the operator.
    pub fn to_json(&self) -> Json {
        let findings = match self {
            Self::Result { error, .. } => Some(Finding::list_to_json(error.findings())),
            _ => None,
        };
        Json::build()
            .with("rule", self.rule())
            .with("role", self.role().as_str())
            .with("message", self.to_string())
            .with("help", self.advice())
            .with_some("said", Some(self.said()).filter(|said| !said.is_empty()))
            .with_some("findings", findings)
            .build()
    }

    /// Returns the program's own message for the author: the compiler's messages or standard error.
    pub fn said(&self) -> &str {
        match self {
            Self::Program { cause: Cause::Build(message), .. } => message,
            Self::Program { stderr, .. } | Self::Result { stderr, .. } => stderr,
            Self::Host { .. } => "",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program { role: Role::Generator, cause, .. } => write!(f, "generation failed: {cause}"),
            Self::Program { role: Role::Validator, cause: Cause::Exit(code), .. } => {
                write!(f, "the validator calls the input invalid (exit code {code})")
            }
            Self::Program { role, cause, .. } => write!(f, "the {role} failed: {cause}"),
            Self::Result { error, .. } => write!(f, "the checker's result cannot be used: {error}"),
            Self::Host { role, cause } => write!(f, "the {role} could not be run: {cause}"),
        }
    }
}

impl std::error::Error for Failure {}
