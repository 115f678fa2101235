//! Checks that validators accept valid data and reject invalid data: all inputs, junk, the jury's answers.

use std::borrow::Cow;
use std::time::Duration;

use fablegrade_files::File;
use fablegrade_public::{Finding, Severity};

use crate::Package;
use crate::case_result::end_text;
use crate::checktestdata::{Grammar, Mismatch};
use crate::data::{Case, ValidatorArgs, ValidatorCaseKind};
use crate::job::{
    BuildFailure, BuildJob, InputJob, JOBS_AT_ONCE, Job, JobId, Outcome, Outcomes, OutputJob, ProcessLimits,
    Source, Validated, Validation,
};
use crate::program::{Form, Program};

/// Inputs and outputs that are invalid for almost every problem.
const JUNK: [(&str, &[u8]); 4] = [
    ("an empty file", b""),
    ("bytes that are not text", b"\x00\xff\xfe\x80\x1b[31m\x07\x01\x9f\xc3\x28"),
    ("text", b"The quick brown fox jumps over the lazy dog.\n?!#$%&/()=\n"),
    ("a huge number", b"999999999999999999999999999999999999999999\n"),
];

/// The expected result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Must {
    /// All validators accept.
    Accept(Severity),
    /// At least one validator of the check does not accept.
    Reject(Severity),
    /// At least one output validator of the check exits with code 43.
    RejectOutput(Severity),
    /// The validator exits with 42 or 43.
    Decide,
}

/// The data of a check. Altered copies are made when they are needed, because they can be as large as the data.
#[derive(Debug, Clone, Copy)]
enum Data<'p> {
    Given(&'p [u8]),
    Altered(&'p [u8], Alteration),
}

impl<'p> Data<'p> {
    fn bytes(self) -> Cow<'p, [u8]> {
        match self {
            Self::Given(bytes) => Cow::Borrowed(bytes),
            Self::Altered(bytes, alter) => Cow::Owned(alter(bytes)),
        }
    }
}

#[derive(Debug, Clone)]
enum Subject<'p> {
    Input {
        program: usize,
        args: Vec<String>,
        files: Vec<(&'p str, &'p File)>,
        input: Data<'p>,
    },
    /// An input for a grammar, which this module checks without a job.
    Grammar {
        grammar: usize,
        input: Data<'p>,
    },
    Output {
        validation: Validation,
        input: &'p [u8],
        answer: &'p [u8],
        output: Data<'p>,
    },
}

#[derive(Debug, Clone)]
struct Check<'p> {
    /// A description of the validated data.
    about: String,
    rule: &'static str,
    must: Must,
    /// Checks with the same number belong together: they validate the same input with several validators.
    number: usize,
    subject: Subject<'p>,
}

/// The checks of a package's validators.
#[derive(Debug, Clone)]
pub struct ValidatorChecks<'p> {
    package: &'p Package,
    programs: Vec<Program>,
    /// The number of input validators among the programs; they come first. Grammars are not programs.
    input_programs: usize,
    /// The grammars, with their paths. An invalid grammar is a finding of the package.
    grammars: Vec<(&'p str, Grammar)>,
    checks: Vec<Check<'p>>,
}

impl<'p> ValidatorChecks<'p> {
    /// Plans the checks. VIVA grammars are left out; [`ValidatorChecks::conclude`] reports them.
    pub fn new(package: &'p Package) -> Self {
        let runs = |program: &&Program| !matches!(program.form, Form::Checktestdata | Form::Viva);
        let programs: Vec<Program> = package.input_validators.iter().filter(runs).cloned().collect();
        let grammars = package.input_validators.iter().filter(|program| program.form == Form::Checktestdata);
        let grammars = grammars.filter_map(|program| {
            let (_, file) = program.files.first()?;
            Some((program.path.as_str(), Grammar::parse(&file.bytes).ok()?))
        });
        let (input_programs, grammars) = (programs.len(), grammars.collect());
        let mut this = Self { package, programs, input_programs, grammars, checks: Vec::new() };
        this.inputs();
        let first = this.programs.len();
        if package.problem.runs_validators() {
            this.programs.extend(package.output_validators.iter().cloned());
        }
        let validators: Vec<usize> = (first..this.programs.len()).collect();
        if !package.problem.kind.interactive {
            this.outputs(&validators);
        }
        this
    }

    /// Returns the number of checks that a host has to run.
    pub fn len(&self) -> usize {
        self.checks.iter().filter(|check| !matches!(check.subject, Subject::Grammar { .. })).count()
    }

    /// Returns whether a host has no checks to run.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn input(&mut self, about: &str, rule: &'static str, must: Must, input: Data<'p>, case: &CaseArgs<'p>) {
        let number = self.checks.len();
        for grammar in 0..self.grammars.len() {
            let subject = Subject::Grammar { grammar, input };
            self.checks.push(Check { about: about.to_owned(), rule, must, number, subject });
        }
        for program in 0..self.input_programs {
            let name =
                self.programs.get(program).map(|program| program.name().to_owned()).unwrap_or_default();
            let mut args = case.validator_args.of(&name).to_vec();
            args.extend(case.args.iter().cloned());
            let files = case
                .files
                .iter()
                .filter_map(|path| Some((path.split_once(".files/")?.1, self.package.files().get(path)?)))
                .collect();
            let subject = Subject::Input { program, args, files, input };
            self.checks.push(Check { about: about.to_owned(), rule, must, number, subject });
        }
    }

    fn inputs(&mut self) {
        let package = self.package;
        for case in &package.cases {
            let bytes = Data::Given(package.bytes(&case.input));
            self.input(&case.input, "input-rejected", Must::Accept(Severity::Error), bytes, &case.into());
        }
        for case in &package.validator_cases {
            let (must, rule) = match case.kind {
                ValidatorCaseKind::InvalidInput => (Must::Reject(Severity::Error), "invalid-input-accepted"),
                _ => (Must::Accept(Severity::Error), "input-rejected"),
            };
            let bytes = Data::Given(package.bytes(&case.input));
            let args =
                CaseArgs { args: &case.args, validator_args: &case.input_validator_args, files: &case.files };
            self.input(&case.input, rule, must, bytes, &args);
        }
        // Junk is validated with the arguments of a real case.
        let Some(case) =
            package.cases.iter().find(|case| !case.is_sample()).or_else(|| package.cases.first())
        else {
            return;
        };
        for (name, bytes) in JUNK {
            self.input(
                name,
                "junk-accepted",
                Must::Reject(Severity::Warning),
                Data::Given(bytes),
                &case.into(),
            );
        }
        let real = package.bytes(&case.input);
        for (name, bytes) in altered(real) {
            let about = format!("{} {name}", case.input);
            self.input(
                &about,
                "altered-input-accepted",
                Must::Reject(Severity::Warning),
                bytes,
                &case.into(),
            );
        }
    }

    fn outputs(&mut self, validators: &[usize]) {
        let package = self.package;
        let kind = package.problem.kind;
        let programs = &self.programs;
        let validation = |args: &[String], only: Option<&str>| {
            Validation::new(package.problem.version, programs, validators, only, args)
        };
        let mut push = |about: String, rule, must, case: &Case, output: Data<'p>| {
            let number = self.checks.len();
            let subject = Subject::Output {
                validation: validation(&case.output_validator_args, package.output_validator_of(case)),
                input: package.bytes(&case.input),
                answer: package.bytes(&case.answer),
                output,
            };
            self.checks.push(Check { about, rule, must, number, subject });
        };
        if !kind.multi_pass {
            for case in &package.cases {
                let shown = case
                    .input
                    .strip_suffix(".in")
                    .map(|base| format!("{base}.out"))
                    .filter(|path| package.files().get(path).is_some());
                let severity = if case.is_sample() { Severity::Error } else { Severity::Warning };
                let path = shown
                    .as_ref()
                    .filter(|_| case.is_sample() && !package.problem.version.is_legacy())
                    .unwrap_or(&case.answer);
                let bytes = Data::Given(package.bytes(path));
                push(path.clone(), "answer-rejected", Must::Accept(severity), case, bytes);
            }
        }
        if !validators.is_empty() {
            for case in package.cases.iter().filter(|case| !case.is_sample()).take(3) {
                for (name, bytes) in JUNK {
                    let about = format!("{name} as output for {}", case.input);
                    push(
                        about,
                        "junk-output",
                        Must::RejectOutput(Severity::Warning),
                        case,
                        Data::Given(bytes),
                    );
                }
                for (name, bytes) in altered(package.bytes(&case.answer)) {
                    let about = format!("{} {name} as output", case.answer);
                    push(about, "odd-output", Must::Decide, case, bytes);
                }
            }
        }
        for case in &package.validator_cases {
            let Some((answer, output)) = &case.answer_and_output else { continue };
            let (must, rule) = match case.kind {
                ValidatorCaseKind::InvalidOutput => {
                    (Must::RejectOutput(Severity::Error), "invalid-output-accepted")
                }
                _ => (Must::Accept(Severity::Error), "valid-output-rejected"),
            };
            let number = self.checks.len();
            let subject = Subject::Output {
                validation: validation(&case.output_validator_args, None),
                input: package.bytes(&case.input),
                answer: package.bytes(answer),
                output: Data::Given(package.bytes(output)),
            };
            self.checks.push(Check { about: output.clone(), rule, must, number, subject });
        }
    }

    fn limits(&self) -> ProcessLimits {
        let limits = &self.package.problem.limits;
        let cpu = Duration::from_secs(limits.validation_time);
        ProcessLimits::new(cpu, limits.validation_memory, limits.validation_output << 20)
    }

    /// Returns the name of the program that a check runs, or a general name if there are several.
    fn name_of(&self, check: &Check<'_>) -> &str {
        let program = match &check.subject {
            Subject::Input { program, .. } => Some(*program),
            Subject::Output { validation: Validation::Custom(calls), .. } => match calls.as_slice() {
                [only] => Some(only.program),
                _ => None,
            },
            Subject::Output { .. } => return "the default validator",
            Subject::Grammar { grammar, .. } => {
                return self.grammars.get(*grammar).map_or("a grammar", |(path, _)| path);
            }
        };
        program.and_then(|at| self.programs.get(at)).map_or("a validator", |program| program.path.as_str())
    }

    /// Returns the defects of the validators and the data that the outcomes show. An input or output counts only if all
    /// its checks have outcomes.
    pub fn conclude(&self, outcomes: &Outcomes) -> Vec<Finding> {
        let mut findings = Vec::new();
        for program in &self.package.input_validators {
            if program.form == Form::Viva {
                let message = format!("{}: grammars of VIVA are not run", program.path);
                let help = "run the tool they belong to, or add a program or a grammar of Checktestdata";
                findings.push(Finding::warning("not-run", "", message, help));
            }
        }
        for (at, program) in self.programs.iter().enumerate() {
            let (rule, text) = match outcomes.get(&JobId::Build(at)) {
                Some(Outcome::Built(Err(BuildFailure::Compile(text)))) => ("does-not-compile", text),
                Some(Outcome::Built(Err(BuildFailure::Unsupported(text)))) => ("no-tools", text),
                Some(Outcome::Failed(text)) => ("not-run", text),
                _ => continue,
            };
            let message = format!("{}: {text}", program.path);
            findings.push(Finding::error(rule, "", message, "correct the program, or install what it needs"));
        }
        let mut at = 0;
        while let Some(first) = self.checks.get(at) {
            let together =
                self.checks.iter().skip(at).take_while(|check| check.number == first.number).count();
            let ends: Option<Vec<Answer>> = (at..at + together).map(|at| self.answer(at, outcomes)).collect();
            let names: Vec<&str> =
                self.checks.iter().skip(at).take(together).map(|check| self.name_of(check)).collect();
            at += together;
            if let Some(ends) = ends
                && let Some(finding) = first.finding(&ends, &names)
            {
                findings.push(finding);
            }
        }
        findings
    }
}

impl ValidatorChecks<'_> {
    /// Returns the result of a check; `None` while it has no outcome.
    fn answer(&self, at: usize, outcomes: &Outcomes) -> Option<Answer> {
        match &self.checks.get(at)?.subject {
            Subject::Grammar { grammar, input } => {
                let (_, grammar) = self.grammars.get(*grammar)?;
                Some(Answer::Matched(grammar.check(&input.bytes())))
            }
            _ => answer(outcomes.get(&JobId::Check(at))?),
        }
    }
}

struct CaseArgs<'c> {
    args: &'c [String],
    validator_args: &'c ValidatorArgs,
    files: &'c [String],
}

impl<'c> From<&'c Case> for CaseArgs<'c> {
    fn from(case: &'c Case) -> Self {
        Self { args: &case.args, validator_args: &case.input_validator_args, files: &case.files }
    }
}

/// Makes an altered copy.
type Alteration = fn(&[u8]) -> Vec<u8>;

/// Changes that most formats forbid.
const ALTERATIONS: [(&str, Alteration); 5] = [
    ("with a blank before it", |text| [b" ", text].concat()),
    ("with a zero before it", |text| [b"0", text].concat()),
    ("with an empty line after it", |text| [text, b"\n"].concat()),
    ("with a word after it", |text| [text, b"junk\n"].concat()),
    ("with a blank at the end of the first line", |text| {
        let (first, rest) = text.split_at(memchr::memchr(b'\n', text).unwrap_or(text.len()));
        [first, b" ", rest].concat()
    }),
];

/// Returns altered copies of a text. The last alteration needs a line.
fn altered(text: &[u8]) -> impl Iterator<Item = (&'static str, Data<'_>)> {
    let count = ALTERATIONS.len() - usize::from(memchr::memchr(b'\n', text).is_none());
    ALTERATIONS.into_iter().take(count).map(move |(name, alter)| (name, Data::Altered(text, alter)))
}

enum Answer {
    Code(Validated),
    Matched(Result<(), Mismatch>),
    Failed(String),
}

impl Answer {
    fn accepted(&self) -> bool {
        match self {
            Self::Code(validated) => validated.accepted(),
            Self::Matched(done) => done.is_ok(),
            Self::Failed(_) => false,
        }
    }

    /// Returns the reason why the validator did not accept, as part of a message; `None` if it could not be run.
    fn refusal(&self) -> Option<String> {
        match self {
            Self::Code(validated) => {
                let said = said(validated).map_or(String::new(), |line| format!(", and says: {line}"));
                Some(format!("{}{said}", end_text(&validated.ran.end)))
            }
            Self::Matched(done) => done.as_ref().err().map(|why| format!("refuses it: {why}")),
            Self::Failed(_) => None,
        }
    }
}

fn answer(outcome: &Outcome) -> Option<Answer> {
    match outcome {
        Outcome::Validated(validated) => Some(Answer::Code(validated.clone())),
        Outcome::Ran(passes) => {
            let validators = &passes.last()?.validators;
            let decisive = validators.iter().find(|validated| !validated.accepted()).or(validators.last())?;
            Some(Answer::Code(decisive.clone()))
        }
        Outcome::Failed(text) => Some(Answer::Failed(text.clone())),
        _ => None,
    }
}

/// The maximum length of a validator's line in a message, in characters.
const LONGEST_LINE: usize = 200;

/// Returns the first line of a validator's message that is not blank: of its judge message, or else of its standard
/// error.
fn said(validated: &Validated) -> Option<String> {
    let first = |text: &str| {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        Some(line.chars().filter(|c| !c.is_control()).take(LONGEST_LINE).collect())
    };
    let message = validated.feedback.text("judgemessage.txt");
    message.as_deref().and_then(first).or_else(|| first(&String::from_utf8_lossy(&validated.ran.stderr)))
}

impl Check<'_> {
    fn finding(&self, answers: &[Answer], names: &[&str]) -> Option<Finding> {
        let make = |severity, message: String, help: &str| {
            let mut finding = Finding::error(self.rule, "", format!("{}: {message}", self.about), help);
            finding.severity = severity;
            Some(finding)
        };
        if let Some(text) =
            answers.iter().find_map(|one| if let Answer::Failed(text) = one { Some(text) } else { None })
        {
            return make(Severity::Error, format!("could not be validated: {text}"), "run it again");
        }
        let codes = || {
            answers
                .iter()
                .filter_map(|one| if let Answer::Code(validated) = one { Some(validated) } else { None })
        };
        let accepted = answers.iter().all(Answer::accepted);
        let output = matches!(self.subject, Subject::Output { .. });
        let broken = codes().find(|validated| output && !validated.accepted() && !validated.rejected());
        if let Some(broken) = broken {
            let message = format!("the output validator {}", end_text(&broken.ran.end));
            return make(Severity::Error, message, "let it exit with 42 or 43, whatever the output is");
        }
        match self.must {
            Must::Accept(severity) if !accepted => {
                let refused = answers.iter().zip(names).find(|(answer, _)| !answer.accepted());
                let (answer, name) = refused?;
                let message = format!("not accepted: {name} {}", answer.refusal()?);
                make(severity, message, "correct the file or the validator")
            }
            Must::Reject(severity) | Must::RejectOutput(severity) if accepted => {
                make(severity, "accepted".into(), "let a validator reject it")
            }
            _ => None,
        }
    }
}

impl Source for ValidatorChecks<'_> {
    fn programs(&self) -> &[Program] {
        &self.programs
    }

    fn next(&self, outcomes: &Outcomes) -> Vec<(JobId, Job<'_>)> {
        let limits = &self.package.problem.limits;
        let cpu = Duration::from_secs(limits.compilation_time);
        let builds: Vec<(JobId, Job<'_>)> = self
            .programs
            .iter()
            .enumerate()
            .filter(|(program, _)| !outcomes.contains_key(&JobId::Build(*program)))
            .map(|(program, source)| {
                let limits = ProcessLimits::new(cpu, limits.compilation_memory, 256 << 20);
                (JobId::Build(program), Job::Build(BuildJob { program, source, limits }))
            })
            .collect();
        if !builds.is_empty() {
            return builds;
        }
        let built =
            |program: &usize| matches!(outcomes.get(&JobId::Build(*program)), Some(Outcome::Built(Ok(()))));
        let checks =
            self.checks.iter().enumerate().filter(|(at, _)| !outcomes.contains_key(&JobId::Check(*at)));
        let jobs = checks.filter_map(|(at, check)| {
            let job = match &check.subject {
                Subject::Grammar { .. } => return None,
                Subject::Input { program, args, files, input } => {
                    if !built(program) {
                        return None;
                    }
                    let (args, files, input) = (args.clone(), files.clone(), input.bytes());
                    Job::ValidateInput(InputJob {
                        program: *program,
                        args,
                        input,
                        files,
                        limits: self.limits(),
                    })
                }
                Subject::Output { validation, input, answer, output } => {
                    if let Validation::Custom(calls) = validation
                        && !calls.iter().all(|call| built(&call.program))
                    {
                        return None;
                    }
                    Job::ValidateOutput(OutputJob {
                        validation: validation.clone(),
                        input: Cow::Borrowed(input),
                        answer: Cow::Borrowed(answer),
                        output: output.bytes(),
                        limits: self.limits(),
                    })
                }
            };
            Some((JobId::Check(at), job))
        });
        jobs.take(JOBS_AT_ONCE).collect()
    }
}
