//! Outcomes as JSON, for hosts in other languages.

use std::time::Duration;

use fablegrade_public::json::{self, Document, Json, Object, Path, Read, Value};
use fablegrade_public::outcome::End;
use fablegrade_public::{Error, ErrorKind, Finding, Findings};

use crate::job::{
    BuildFailure, Feedback, JobId, Outcome, Outcomes, Party, Pass, Ran, Source, Validated, Validation,
};
use crate::judge::{Judgement, Judging};

/// The maximum length of a text in outcomes, in characters.
const TEXT: usize = 8 << 20;

#[derive(Clone, Copy)]
enum Word {
    Exited,
    Signalled,
    Timeout,
    Memory,
    Output,
}

const ENDS: &[(&str, Word)] = &[
    ("exited", Word::Exited),
    ("signalled", Word::Signalled),
    ("timeout", Word::Timeout),
    ("memory_exceeded", Word::Memory),
    ("output_limit", Word::Output),
];

/// Reads the end of a process: `{end?, exitCode?, signal?, timeMs?, memoryKb?}`.
fn ran(object: &mut Object<'_, '_, '_>) -> Option<Ran> {
    let end = object.defaulted("end", Word::Exited, json::word(ENDS));
    let code = object.defaulted("exitCode", 0, json::integer(-256, 256));
    let signal = object.defaulted("signal", 0, json::integer(0, 1_000));
    let time = object.defaulted("timeMs", 0, json::integer(0, 1 << 40));
    let memory = object.optional("memoryKb", json::integer(0, 1 << 40));
    let end = match end? {
        Word::Exited => End::Exited(i32::try_from(code?).ok()?),
        Word::Signalled => End::Signalled(i32::try_from(signal?).ok()?),
        Word::Timeout => End::Timeout,
        Word::Memory => End::MemoryExceeded,
        Word::Output => End::OutputLimit,
    };
    let mut ran = Ran::new(end).with_cpu(Duration::from_millis(time?.unsigned_abs()));
    ran.memory_kib = memory?.map(i64::unsigned_abs);
    Some(ran)
}

fn named<T>(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
    read: impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<T>,
) -> Option<Vec<(String, T)>> {
    if !value.is_object() {
        findings.push(Finding::error(
            "wrong-type",
            at.pointer(),
            "expected an object that maps names to values",
            "write `{name: ...}`",
        ));
        return None;
    }
    let fields = value
        .fields()
        .map(|(name, value)| Some((name.to_string(), read(value, &Path::Field(at, &name), findings)?)));
    fields.collect::<Vec<_>>().into_iter().collect()
}

impl Read for Validated {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"exitCode": 42}"#)?;
        let ran = ran(&mut object);
        let files = object.defaulted(
            "files",
            Vec::new(),
            |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
                named(value, at, findings, json::string(0, TEXT))
            },
        );
        object.close();
        let files = files?.into_iter().map(|(name, text)| (name, text.into_bytes()));
        Some(Self::new(ran?, Feedback::new(files)))
    }
}

/// A pass and, for the default validator, the output of the submission.
struct PassLine {
    pass: Pass,
    output: Option<String>,
}

impl Read for PassLine {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object =
            Object::open_as(value, at, findings, r#"{"timeMs": 12, "validators": [{"exitCode": 42}]}"#)?;
        let ran = ran(&mut object);
        let validators = object.defaulted("validators", Vec::new(), json::list(0, 20, Validated::read));
        let first = object.optional(
            "first",
            json::word(&[("submission", Party::Submission), ("validator", Party::Validator)]),
        );
        let deadlock = object.defaulted("deadlock", false, json::boolean);
        let output = object.optional("output", json::string(0, TEXT));
        object.close();
        let mut pass = Pass::new(Some(ran?), validators?);
        pass.first = first?;
        pass.deadlock = deadlock?;
        Some(Self { pass, output: output? })
    }
}

/// Computes the judgement from outcomes as JSON: `{compileError?, cases?: {name: [pass]}, static?: {group: validator},
/// graders?: {group: {exitCode?, stdout}}}`.
///
/// A pass is `{end?, exitCode?, signal?, timeMs?, memoryKb?, validators?, output?, first?, deadlock?}`, and a validator
/// is `{end?, exitCode?, ..., files?: {name: text}}`. With the default validator, `output` replaces `validators`. All
/// programs count as built, except the submission if there is a `compileError`.
///
/// # Errors
/// Every finding about the document, such as the name of a case or group that is not in the package.
pub fn conclude(judging: &Judging<'_>, outcomes: &[u8], time_limit: Duration) -> Result<Judgement, Error> {
    let document = Document::parse(outcomes)?;
    let mut findings = Findings::new();
    let outcomes = read(judging, document.root(), &mut findings);
    match outcomes {
        Some(outcomes) if findings.errors() == 0 => Ok(judging.conclude(&outcomes, time_limit)),
        _ => Err(Error::new(ErrorKind::Schema, findings)),
    }
}

fn read(judging: &Judging<'_>, value: Value<'_>, findings: &mut Findings) -> Option<Outcomes> {
    let package = judging.package();
    let mut object = Object::open(value, &Path::Root, findings)?;
    let failed = object.optional("compileError", json::string(0, TEXT));
    let cases =
        object.defaulted("cases", Vec::new(), |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            named(value, at, findings, |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
                json::list(1, 10_000, PassLine::read)(value, at, findings)
            })
        });
    let statics =
        object.defaulted("static", Vec::new(), |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            named(value, at, findings, Validated::read)
        });
    let graders = object.defaulted(
        "graders",
        Vec::new(),
        |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            named(value, at, findings, |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
                let mut object = Object::open_as(value, at, findings, r#"{"stdout": "AC 1"}"#)?;
                let ran = ran(&mut object);
                let stdout = object.required("stdout", json::string(0, 10_000));
                object.close();
                Some((ran?, stdout?))
            })
        },
    );
    object.close();
    let mut all = Outcomes::new();
    for program in 0..judging.programs().len() {
        all.insert(JobId::Build(program), Outcome::Built(Ok(())));
    }
    if let Some(text) = failed? {
        all.insert(JobId::Build(0), Outcome::Built(Err(BuildFailure::Compile(text))));
    }
    let mut unknown = |kind: &str, name: &str| {
        let pointer = format!("/{kind}/{}", name.replace('~', "~0").replace('/', "~1"));
        findings.push(Finding::error(
            "unknown-name",
            pointer,
            "the package has nothing of this name",
            "use names below `data/`",
        ));
    };
    for (name, passes) in cases? {
        let Some(at) = package.cases.iter().position(|case| case.name == name) else {
            unknown("cases", &name);
            continue;
        };
        let passes = passes.into_iter().map(|line| {
            let mut pass = line.pass;
            if let (Some(output), Some(Validation::Default(comparison))) =
                (line.output, judging.validation_of(at))
            {
                let answer =
                    package.cases.get(at).map(|case| package.bytes(&case.answer)).unwrap_or_default();
                pass.validators = vec![comparison.validate(answer, output.as_bytes())];
            }
            pass
        });
        all.insert(JobId::Case(at), Outcome::Ran(passes.collect()));
    }
    for (name, validated) in statics? {
        match package.group(&name) {
            Some(at) => drop(all.insert(JobId::Static(at), Outcome::Validated(validated))),
            None => unknown("static", &name),
        }
    }
    for (name, (ran, stdout)) in graders? {
        match package.group(&name) {
            Some(at) => drop(all.insert(JobId::Grade(at), Outcome::Graded(ran, stdout.into_bytes()))),
            None => unknown("graders", &name),
        }
    }
    Some(all)
}

/// Returns the findings of a package as JSON: `{name, version, valid, cases, submissions, findings}`.
pub fn checked(package: &crate::Package) -> Json {
    Json::build()
        .with("name", &package.name)
        .with("version", package.problem.version.as_str())
        .with("valid", package.is_valid())
        .with("cases", Json::array(package.cases.iter().map(|case| case.name.as_str())))
        .with("submissions", Json::array(package.submissions.iter().map(|one| one.path.as_str())))
        .with("findings", Finding::list_to_json(&package.findings))
        .build()
}
