//! Converts code questions to packages, and suitable packages to code questions. Losses are reported in both
//! directions.

use std::collections::BTreeSet;

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Error, ErrorKind, Finding, Findings};

use crate::data::{Aggregation, Case, Child, Rules};
use crate::default_validator::Comparison;
use crate::package::{NAME_HELP, is_allowed_name};
use crate::problem::Problem;
use crate::{Package, Version};

/// Languages of code questions with their codes in packages.
const LANGUAGES: [(&str, &str); 7] = [
    ("python", "python3"),
    ("javascript", "javascript"),
    ("c", "c"),
    ("cpp", "cpp"),
    ("java", "java"),
    ("rust", "rust"),
    ("go", "go"),
];
/// The maximum number of cases in a suite, and of suites.
const SUITE: (usize, usize) = (50, 10);
/// The maximum length of an input or answer, in bytes.
const TEXT: usize = 65_536;

/// The parts of a package that a question does not contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Name of the problem.
    pub name: String,
    /// UUID of the problem.
    pub uuid: String,
    /// Statement in Markdown; a single default sentence if absent.
    pub statement: Option<String>,
    /// Solutions of the jury: file name and text.
    pub solutions: Vec<(String, String)>,
}

/// A package as files, and the losses of the conversion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The files: path and text, sorted by path.
    pub files: Vec<(String, String)>,
    /// Findings about differences between the package and the question.
    pub losses: Vec<Finding>,
}

fn loss(rule: &'static str, pointer: &str, message: &str, help: &str) -> Finding {
    Finding::warning(rule, pointer, message, help)
}

/// Writes a code question (the whole document with the key, as [`Json`]) as a 2025-09 package. Public suites become
/// samples, and each hidden case becomes a group that is worth its points.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if the document is not a code question of the mode `stdin_stdout` or has no hidden case, or
/// if two solutions have the same name or one has a name that the format does not allow.
pub fn export(spec: &Json, label: &Label) -> Result<Exported, Error> {
    let refused = |pointer: &str, message: &str, help: &str| {
        Error::single(ErrorKind::Mismatch, Finding::error("not-exportable", pointer, message, help))
    };
    if spec.get("type").and_then(Json::as_str) != Some("code") {
        return Err(refused(
            "/type",
            "only code questions become packages",
            "give a question of the type `code`",
        ));
    }
    if spec.pointer("/harness/mode").and_then(Json::as_str) == Some("function") {
        return Err(refused(
            "/harness/mode",
            "a package cannot ask for a function",
            "let the program read standard input",
        ));
    }
    let mut losses = Vec::new();
    let mut files: Vec<(String, String)> = Vec::new();
    let (mut total, mut samples, mut hidden) = (0, 0, 0);
    let suites = spec.get("testSuites").and_then(Json::as_array).unwrap_or_default();
    let cases = suites.iter().filter_map(|suite| suite.get("cases").and_then(Json::as_array)).flatten();
    if suites.iter().chain(cases).any(|part| part.get("name").is_some()) {
        losses.push(loss(
            "names",
            "/testSuites",
            "cases of a package are numbered: the names of suites and cases are lost",
            "write them into `description` of the cases' YAML files",
        ));
    }
    for (at, suite) in suites.iter().enumerate() {
        let public = suite.get("visibility").and_then(Json::as_str) == Some("public");
        for (index, case) in
            suite.get("cases").and_then(Json::as_array).unwrap_or_default().iter().enumerate()
        {
            let pointer = format!("/testSuites/{at}/cases/{index}");
            let text = |key: &str| case.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
            let points = case.get("points").and_then(Json::as_number).and_then(Decimal::to_i64).unwrap_or(1);
            let args = arguments(case, &pointer, &mut losses);
            let base = if public {
                samples += 1;
                losses.push(loss(
                    "samples-score",
                    &pointer,
                    "samples never earn points: the points are lost",
                    "repeat the case in a hidden suite",
                ));
                format!("data/sample/{samples:03}")
            } else {
                hidden += 1;
                total += points;
                let group = format!("data/secret/{hidden:03}");
                files.push((
                    format!("{group}/test_group.yaml"),
                    format!("max_score: {points}\noutput_validator_args: {args}\n"),
                ));
                format!("{group}/1")
            };
            if public {
                files.push((format!("{base}.yaml"), format!("output_validator_args: {args}\n")));
            }
            files.push((format!("{base}.in"), text("input")));
            files.push((format!("{base}.ans"), text("expected")));
            if case.get("timeoutMs").is_some() {
                losses.push(loss(
                    "case-time",
                    &pointer,
                    "a case has no time limit of its own",
                    "set one for the question",
                ));
            }
        }
    }
    if hidden == 0 {
        return Err(refused("/testSuites", "a package needs a secret case", "add a hidden suite"));
    }
    files.push(("data/secret/test_group.yaml".into(), format!("max_score: {total}\n")));
    files.push(("problem.yaml".into(), problem_yaml(spec, label, &mut losses)));
    let statement = label.statement.clone().unwrap_or_else(|| {
        losses.push(loss(
            "no-statement",
            "",
            "the question has no statement",
            "write `statement/problem.en.md`",
        ));
        "Read from standard input, write to standard output.\n".to_owned()
    });
    files.push(("statement/problem.en.md".into(), statement));
    let message = "the input validator accepts every text";
    losses.push(loss("no-input-validator", "", message, "let `input_validators/text.py` say what is valid"));
    let validator = "import sys\n\ntry:\n    sys.stdin.buffer.read().decode(\"utf-8\")\nexcept UnicodeDecodeError:\n    sys.exit(43)\nsys.exit(42)\n";
    files.push(("input_validators/text.py".into(), validator.into()));
    if label.solutions.is_empty() {
        losses.push(loss(
            "no-accepted",
            "",
            "the package has no accepted submission",
            "add one to `submissions/accepted/`",
        ));
    }
    let mut names = BTreeSet::new();
    for (name, text) in &label.solutions {
        if !names.insert(name) {
            let message = format!("two solutions have the name `{name}`");
            return Err(refused("", &message, "give each solution a name of its own"));
        }
        if !is_allowed_name(name, Version::V2025_09, false) {
            let message = format!("judging systems ignore a solution of the name `{name}`");
            return Err(refused("", &message, NAME_HELP));
        }
        files.push((format!("submissions/accepted/{name}"), text.clone()));
    }
    files.sort();
    Ok(Exported { files, losses })
}

/// Returns the arguments of the default validator that come closest to the case's matcher, as a YAML list.
fn arguments(case: &Json, pointer: &str, losses: &mut Vec<Finding>) -> String {
    let word = case.get("matcher").and_then(Json::as_str).unwrap_or("trimmed_lines");
    let mut lost =
        |message: &str| losses.push(loss("matcher", pointer, message, "write an output validator"));
    match word {
        "exact" => "[case_sensitive, space_change_sensitive]".into(),
        "tokens" => "[case_sensitive]".into(),
        "float_tolerance" => {
            let tolerance = case.get("floatTolerance").and_then(Json::as_number);
            let tolerance =
                tolerance.cloned().unwrap_or_else(fablegrade_public::matcher::default_float_tolerance);
            format!("[case_sensitive, float_tolerance, \"{tolerance}\"]")
        }
        "json" => {
            lost(
                "JSON is compared by words: differences in blanks within texts and in the order of keys are treated differently",
            );
            "[case_sensitive]".into()
        }
        _ => {
            lost("lines are compared by words: line breaks no longer count");
            "[case_sensitive]".into()
        }
    }
}

fn problem_yaml(spec: &Json, label: &Label, losses: &mut Vec<Finding>) -> String {
    let number = |pointer: &str, default: i64| {
        spec.pointer(pointer).and_then(Json::as_number).and_then(Decimal::to_i64).unwrap_or(default)
    };
    let output = number("/limits/outputKb", 64);
    if output % 1024 != 0 {
        losses.push(loss(
            "output-limit",
            "/limits/outputKb",
            "the output limit is rounded up to a MiB",
            "set a whole number of MiB",
        ));
    }
    if spec.get("starterCode").is_some() {
        losses.push(loss(
            "starter-code",
            "/starterCode",
            "a package cannot hold starter code",
            "add it to `attachments/`",
        ));
    }
    let languages = spec.get("languages").and_then(Json::as_array).unwrap_or_default();
    let codes: Vec<&str> = languages
        .iter()
        .filter_map(Json::as_str)
        .filter_map(|word| LANGUAGES.iter().find(|(known, _)| *known == word).map(|(_, code)| *code))
        .collect();
    // A JSON string is also a valid YAML string.
    let quoted = |text: &str| Json::from(text).to_canonical();
    format!(
        "problem_format_version: 2025-09\nname: {}\nuuid: {}\ntype: scoring\nlanguages: [{}]\nlimits:\n  time_limit: {}\n  memory: {}\n  output: {}\n  code: {}\n",
        quoted(&label.name),
        quoted(&label.uuid),
        codes.join(", "),
        Decimal::new(number("/limits/timeMsPerCase", 2000), -3),
        number("/limits/memoryMb", 128),
        (output + 1023) / 1024,
        number("/limits/sourceKb", 64),
    )
}

/// Converts a package to a code question, if it is suitable. Interactive problems, multi-pass problems and packages
/// with their own output validator, among others, are not suitable.
///
/// `time_limit` in milliseconds, such as a computed limit, takes precedence over that of the package.
///
/// # Errors
/// [`ErrorKind::Mismatch`] with all reasons why the package is not suitable.
pub fn import(package: &Package, time_limit: Option<u64>) -> Result<(Json, Vec<Finding>), Error> {
    let problem = &package.problem;
    let mut findings = Findings::new();
    let mut losses = Vec::new();
    let mut refuse = |message: &str| {
        findings.push(Finding::error(
            "not-importable",
            "",
            message,
            "keep it as a package: `fablegrade kattis judge`",
        ));
    };
    for (unfit, message) in [
        (problem.kind.interactive, "the problem is interactive"),
        (problem.kind.multi_pass, "the problem has several passes"),
        (problem.kind.submit_answer, "submissions must be answers, not programs"),
        (
            !package.output_validators.is_empty() && problem.runs_validators(),
            "the output is validated by a program",
        ),
        (package.static_validator.is_some(), "sources are validated by a program"),
        (languages(problem).is_empty(), "no language of the problem is one of a question"),
        (!package.includes.is_empty(), "files are included with submissions"),
        (
            package.cases.iter().any(|case| !case.args.is_empty() || !case.files.is_empty()),
            "cases have arguments or files",
        ),
    ] {
        if unfit {
            refuse(message);
        }
    }
    let mut suites = Vec::new();
    let secret: Vec<&Case> = package.cases.iter().filter(|case| !case.is_sample()).collect();
    let samples: Vec<&Case> = package.cases.iter().filter(|case| case.is_sample()).collect();
    if secret.len() > SUITE.0 * (SUITE.1 - 1) || samples.len() > SUITE.0 {
        refuse("there are more than 450 secret cases, or more than 50 samples");
    }
    let long =
        |case: &&Case| package.bytes(&case.input).len() > TEXT || package.bytes(&case.answer).len() > TEXT;
    let no_text = |case: &&Case| {
        std::str::from_utf8(package.bytes(&case.input)).is_err()
            || std::str::from_utf8(package.bytes(&case.answer)).is_err()
    };
    if package.cases.iter().any(|case| long(&case) || no_text(&case)) {
        refuse("an input or answer is longer than 65,536 bytes, or is not text");
    }
    if findings.errors() > 0 {
        return Err(Error::new(ErrorKind::Mismatch, findings));
    }
    let weight = |case: &Case| points(package, case);
    if !samples.is_empty() {
        losses.push(loss(
            "samples-score",
            "",
            "samples never earn points in a package; here each is worth a point",
            "take them out of the suite",
        ));
        suites.push(suite(package, "sample", "public", &samples, &|_| Some(1), &mut losses));
    }
    if !problem.kind.scoring {
        losses.push(loss(
            "all-or-nothing",
            "",
            "the package accepts or rejects; here each case earns its part",
            "use the verdict alone",
        ));
    } else {
        if secret.iter().any(|case| weight(case).is_none()) {
            losses.push(loss(
                "group-scores",
                "",
                "scores of groups are lost: each case is worth a point",
                "set `points`",
            ));
        }
        if groups_depend_on_each_other(package) {
            losses.push(loss(
                "group-scores",
                "",
                "a case earns its points whatever the other groups earn: `score_aggregation` of `secret` and \
                 `require_pass` are lost",
                "judge it as a package",
            ));
        }
    }
    if package.cases.iter().any(|case| case.hint.is_some() || case.description.is_some()) {
        losses.push(loss(
            "case-texts",
            "",
            "cases of a question have no hints and no descriptions: those of the package are lost",
            "move what solvers need into the question's text",
        ));
    }
    for (at, part) in secret.chunks(SUITE.0).enumerate() {
        suites.push(suite(package, &format!("secret {}", at + 1), "hidden", part, &weight, &mut losses));
    }
    let mut limited = |name: &'static str, value: u64, least: u64, most: u64| {
        let kept = value.clamp(least, most);
        if kept != value {
            losses.push(loss(
                "limit",
                "",
                &format!("`{name}` is {kept} in place of {value}"),
                "judge it as a package",
            ));
        }
        i64::try_from(kept).unwrap_or(i64::MAX)
    };
    let explicit = problem.limits.time_limit.as_ref().map(|limit| {
        let milliseconds = limit.multiply(&Decimal::from(1000)).ceil();
        milliseconds.to_i64().map_or(u64::MAX, i64::unsigned_abs)
    });
    let limits = Json::build()
        .with("timeMsPerCase", limited("timeMsPerCase", time_limit.or(explicit).unwrap_or(2000), 100, 30_000))
        .with("memoryMb", limited("memoryMb", problem.limits.memory, 16, 512))
        .with("outputKb", limited("outputKb", problem.limits.output.saturating_mul(1024), 1, 1024))
        .with("sourceKb", limited("sourceKb", problem.limits.code, 1, 256))
        .build();
    let mut words = languages(problem);
    if words.len() > 6 {
        words.truncate(6);
        losses.push(loss(
            "languages",
            "",
            "a question offers six languages at most; Go is left out",
            "choose others",
        ));
    }
    if time_limit.or(explicit).is_none() {
        losses.push(loss(
            "time-limit",
            "",
            "the time limit is found by running the jury's submissions; 2 s are written here",
            "run `fablegrade kattis verify`",
        ));
    }
    let spec = Json::build()
        .with("type", "code")
        .with("languages", Json::array(words))
        .with("limits", limits)
        .with("testSuites", Json::array(suites))
        .build();
    Ok((spec, losses))
}

/// Returns the languages of code questions that the problem allows.
fn languages(problem: &Problem) -> Vec<&'static str> {
    let allowed =
        |code: &str| problem.languages.as_ref().is_none_or(|codes| codes.iter().any(|known| known == code));
    LANGUAGES.iter().filter(|(_, code)| allowed(code)).map(|(word, _)| *word).collect()
}

/// Returns whether the points of a case depend on the results of other groups.
fn groups_depend_on_each_other(package: &Package) -> bool {
    package.groups.iter().any(|group| match &group.rules {
        Rules::Flat(rules) => {
            let holds_groups = group.children.iter().any(|child| matches!(child, Child::Group(_)));
            let secret = group.path == "secret";
            !rules.require_pass.is_empty()
                || (secret && holds_groups && rules.aggregation != Aggregation::Sum)
        }
        // The points of a legacy case follow from no group, which is reported.
        Rules::Grader(_) => false,
    })
}

/// Returns the points of a case if they follow from its group and are a whole number from 1 to 100.
fn points(package: &Package, case: &Case) -> Option<i64> {
    let group = package.groups.get(case.group)?;
    let Rules::Flat(rules) = &group.rules else { return None };
    let max = rules.max_score.as_ref().filter(|_| package.problem.kind.scoring)?;
    let count = package.cases.iter().filter(|other| other.group == case.group).count() as i64;
    let whole = match rules.aggregation {
        Aggregation::Sum => max.over(&fablegrade_public::Ratio::new(count, 1))?,
        _ if count == 1 => max.clone(),
        _ => return None,
    };
    let points: i64 = whole.to_fraction_text().parse().ok()?;
    (1..=100).contains(&points).then_some(points)
}

fn suite(
    package: &Package,
    name: &str,
    visibility: &str,
    cases: &[&Case],
    points: &dyn Fn(&Case) -> Option<i64>,
    losses: &mut Vec<Finding>,
) -> Json {
    let text = |path: &str| String::from_utf8_lossy(package.bytes(path)).into_owned();
    let all: Vec<Json> = cases
        .iter()
        .map(|case| {
            let comparison = Comparison::from_args(&case.output_validator_args, package.problem.version)
                .unwrap_or_default();
            let (matcher, tolerance) = matcher(&comparison, losses);
            let short: String = case.name.chars().take(100).collect();
            Json::build()
                .with("name", short)
                .with("input", text(&case.input))
                .with("expected", text(&case.answer))
                .with("matcher", matcher)
                .with_some("floatTolerance", tolerance.map(Json::Number))
                .with("points", points(case).unwrap_or(1))
                .build()
        })
        .collect();
    Json::build().with("name", name).with("visibility", visibility).with("cases", Json::array(all)).build()
}

/// Returns the matcher that is closest to a comparison, and its tolerance.
fn matcher(comparison: &Comparison, losses: &mut Vec<Finding>) -> (&'static str, Option<Decimal>) {
    let mut lost = |message: &str| {
        let finding = loss("matcher", "", message, "judge it as a package");
        if !losses.contains(&finding) {
            losses.push(finding);
        }
    };
    if !comparison.case_sensitive {
        lost("upper and lower case are distinguished");
    }
    let tolerance = comparison.absolute.clone().or_else(|| comparison.relative.clone());
    if comparison.absolute != comparison.relative {
        lost("one tolerance replaces the absolute and the relative tolerance");
    }
    if comparison.space_change_sensitive {
        if tolerance.is_none() {
            return ("exact", None);
        }
        lost("blanks are not compared when numbers have a tolerance");
    }
    match tolerance {
        None => ("tokens", None),
        Some(tolerance) => {
            let (zero, most) = (Decimal::zero(), Decimal::new(1, -2));
            if tolerance == zero || tolerance > most {
                lost("a tolerance is above 0 and at most 0.01");
            }
            let kept = if tolerance == zero { Decimal::new(1, -15) } else { tolerance.min(most) };
            ("float_tolerance", Some(kept))
        }
    }
}
