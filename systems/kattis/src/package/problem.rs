//! Reads `problem.yaml`.

use std::collections::BTreeMap;

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Severity};

use super::constants::CONSTANT_NAME;
use super::document::{Document, Entry, Keys, Report};
use super::people;
use crate::problem::{Kind, Limits, Problem};
use crate::{Version, language};

const LICENSES: [&str; 7] =
    ["unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"];

/// Keys of other versions, and what to write instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("author", "2025-09 has `credits: {authors: [...]}`"),
    ("source_url", "2025-09 has `source: {name: ..., url: ...}`"),
    ("validation", "2025-09 has `type` and the folder `output_validator/`"),
    ("validator_flags", "2025-09 has `output_validator_args` in `test_group.yaml`"),
    ("grading", "2025-09 sets scores in `test_group.yaml`; legacy-icpc has no scores"),
    ("credits", "the legacy format has `author`"),
    ("embargo_until", "this key is allowed only in 2025-09; declare that version or remove the key"),
    ("languages", "this key is allowed only in 2025-09; declare that version or remove the key"),
    ("allow_file_writing", "this key is allowed only in 2025-09; declare that version or remove the key"),
    ("constants", "this key is allowed only in 2025-09; declare that version or remove the key"),
    ("version", "this key is allowed only in 2025-09; declare that version or remove the key"),
    ("type", "the legacy-icpc format has only pass-fail problems"),
];

/// Returns the version that a document declares, or else the legacy version. An unknown version is an error
/// and is read as 2025-09.
pub(crate) fn version(document: &Document, report: &mut Report) -> Option<Version> {
    let mut keys = document.keys(report)?;
    let Some(entry) = keys.take("problem_format_version") else { return Some(Version::Legacy) };
    let word = entry.text(report)?;
    let known = Version::WORDS.iter().find(|(known, _)| *known == word);
    if known.is_none() {
        entry.error(
            "unknown-version",
            "this version of the format is not known; the package is read as 2025-09",
            "declare `2025-09`, `legacy` or `legacy-icpc`",
            report,
        );
    }
    Some(known.map_or(Version::V2025_09, |(_, version)| *version))
}

pub(crate) fn read(document: &Document, version: Version, report: &mut Report) -> Option<Problem> {
    let mut keys = document.keys(report)?;
    let here = keys.here();
    keys.take("problem_format_version");
    let mut problem = Problem {
        version,
        kind: Kind::default(),
        names: BTreeMap::new(),
        uuid: None,
        license: "unknown".into(),
        languages: None,
        allow_file_writing: version.is_legacy(),
        constants: BTreeMap::new(),
        custom_validation: false,
        validator_scores: false,
        validator_flags: Vec::new(),
        validator_flags_at: String::new(),
        minimize: false,
        limits: Limits::of(version),
    };
    if version != Version::LegacyIcpc
        && let Some(entry) = keys.take("type")
    {
        problem.kind = kind(&entry, version, report);
    }
    let name = keys.take("name");
    let is_list = name.as_ref().is_some_and(|entry| entry.value.as_array().is_some());
    if let Some(entry) = name {
        match entry.value {
            Json::Object(_) => {
                // The reference tool accepts names by language, and packages with several statements use them.
                if version.is_legacy() {
                    entry.report(
                        Severity::Warning,
                        "wrong-type",
                        "`name`: the specification of this version allows only one name",
                        "write one name; names by language are allowed only in 2025-09",
                        report,
                    );
                }
                for (language, name) in entry.keys(report)?.all() {
                    if let Some(name) = name.text(report) {
                        problem.names.insert(language.to_owned(), name);
                    }
                }
            }
            _ => {
                if let Some(name) = entry.text(report) {
                    problem.names.insert("en".into(), name);
                }
            }
        }
    }
    let unnamed = problem.names.values().all(|name| name.trim().is_empty());
    if version == Version::V2025_09 && unnamed && !is_list {
        here.error("missing-key", "`name` is required", "add `name: ...`", report);
    }
    problem.uuid = keys.take("uuid").and_then(|entry| uuid(&entry, report));
    if problem.uuid.is_none() && version == Version::V2025_09 {
        let help = "add `uuid: ...` with a new random UUID, for example from `uuidgen`";
        here.error("missing-key", "`uuid` is required", help, report);
    }
    let credited = people::read(&mut keys, version, report);
    rights(&mut keys, &here, &mut problem, credited.source || credited.authors, report);
    if let Some(entry) = keys.take("limits") {
        limits(&entry, version, problem.kind, &mut problem.limits, report);
    }
    match version {
        Version::V2025_09 => current(&mut keys, &mut problem, report),
        _ => legacy(&mut keys, &mut problem, report),
    }
    keys.close(ELSEWHERE, report);
    Some(problem)
}

fn kind(entry: &Entry<'_>, version: Version, report: &mut Report) -> Kind {
    let mut kind = Kind::default();
    let mut pass_fail = false;
    let words = match version {
        Version::V2025_09 => entry.text_or_texts(report),
        _ => entry.text(report).map(|word| vec![word]),
    };
    let words = words.unwrap_or_default();
    if words.is_empty() {
        entry.error("problem-type", "`type` is empty", "write `pass-fail` or `scoring`", report);
    }
    for word in &words {
        let current = version == Version::V2025_09;
        let place = match word.as_str() {
            "pass-fail" => &mut pass_fail,
            "scoring" => &mut kind.scoring,
            "multi-pass" if current => &mut kind.multi_pass,
            "interactive" if current => &mut kind.interactive,
            "submit-answer" if current => &mut kind.submit_answer,
            _ => {
                let help = if current {
                    "use pass-fail, scoring, multi-pass, interactive, submit-answer"
                } else {
                    "use pass-fail or scoring; `validation: custom interactive` makes a problem interactive"
                };
                entry.error("problem-type", "not a problem type", help, report);
                continue;
            }
        };
        if *place {
            entry.error("problem-type", "a type is named twice", "name it once", report);
        }
        *place = true;
    }
    if pass_fail && kind.scoring {
        entry.error("problem-type", "a problem is pass-fail or scoring, not both", "keep one", report);
    }
    if kind.submit_answer && (kind.multi_pass || kind.interactive) {
        let message = "submit-answer can be combined neither with multi-pass nor with interactive";
        entry.error("problem-type", message, "keep one", report);
    }
    kind
}

fn uuid(entry: &Entry<'_>, report: &mut Report) -> Option<String> {
    let text = entry.text(report)?;
    let hex = text.chars().filter(|c| *c != '-').count() == 32
        && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
        && [8, 13, 18, 23].iter().all(|at| text.as_bytes().get(*at) == Some(&b'-'))
        && text.len() == 36;
    if !hex {
        entry.error("uuid-form", "not a UUID", "write a UUID, for example from `uuidgen`", report);
    }
    Some(text)
}

fn rights(keys: &mut Keys<'_>, here: &Entry<'_>, problem: &mut Problem, credited: bool, report: &mut Report) {
    let license = keys.take("license");
    let owner = people::owner(keys, problem.version, report);
    if let Some(entry) = &license {
        let word = entry.text(report).unwrap_or_default();
        if LICENSES.contains(&word.as_str()) {
            problem.license = word;
        } else {
            let help = format!("use one of {}", LICENSES.join(", "));
            entry.error("license", "not a licence of the package format", &help, report);
        }
    }
    match problem.license.as_str() {
        "public domain" => {
            if let Some(owner) = owner {
                let message = "a problem in the public domain has no rights owner";
                owner.error("rights-owner", message, "remove `rights_owner`", report);
            }
        }
        "unknown" => {
            if license.is_none() {
                let message = "there is no licence, so it is unclear whether the problem may be used";
                here.report(Severity::Info, "license", message, "add `license`", report);
            }
        }
        _ => {
            if owner.is_none() && !credited {
                let message = "this licence needs a rights owner";
                here.error("rights-owner", message, "add `rights_owner`, authors or a source", report);
            }
        }
    }
}

fn limits(entry: &Entry<'_>, version: Version, kind: Kind, limits: &mut Limits, report: &mut Report) {
    let Some(mut keys) = entry.keys(report) else { return };
    if version.is_legacy() {
        if let Some(number) = keys.take("time_multiplier").and_then(|entry| factor(&entry, report)) {
            limits.ac_to_time_limit = number;
        }
        if let Some(number) = keys.take("time_safety_margin").and_then(|entry| factor(&entry, report)) {
            limits.time_limit_to_tle = number;
        }
    } else {
        limits.time_limit = keys.take("time_limit").and_then(|entry| time(&entry, report));
        if let Some(number) = keys.take("time_resolution").and_then(|entry| time(&entry, report)) {
            limits.time_resolution = number;
        }
        if let Some(mut inner) = keys.take("time_multipliers").and_then(|entry| entry.keys(report)) {
            for (name, place) in [
                ("ac_to_time_limit", &mut limits.ac_to_time_limit),
                ("time_limit_to_tle", &mut limits.time_limit_to_tle),
            ] {
                let Some(entry) = inner.take(name) else { continue };
                let Some(number) = entry.number(report) else { continue };
                if (Decimal::one()..=Decimal::from(MAX_FACTOR)).contains(&number) {
                    *place = number;
                } else {
                    entry.error(
                        "out-of-range",
                        &format!("expected a number from 1 to {MAX_FACTOR}"),
                        "write one",
                        report,
                    );
                }
            }
            inner.close(&[], report);
        }
    }
    for (name, place) in [
        ("memory", &mut limits.memory),
        ("output", &mut limits.output),
        ("code", &mut limits.code),
        ("compilation_time", &mut limits.compilation_time),
        ("compilation_memory", &mut limits.compilation_memory),
        ("validation_time", &mut limits.validation_time),
        ("validation_memory", &mut limits.validation_memory),
        ("validation_output", &mut limits.validation_output),
    ] {
        if let Some(number) = keys.take(name).and_then(|entry| entry.whole(1, report)) {
            *place = number;
        }
    }
    if version == Version::V2025_09
        && let Some(entry) = keys.take("validation_passes")
    {
        if !kind.multi_pass {
            let message = "`validation_passes` is allowed only in multi-pass problems";
            entry.error("not-multi-pass", message, "remove it, or add `multi-pass` to `type`", report);
        }
        if let Some(number) = entry.whole(2, report) {
            limits.validation_passes = passes(number, &entry, report);
        }
    }
    let help = "legacy computes the time limit from the jury's submissions";
    keys.close(&[("time_limit", help), ("time_multiplier", "2025-09 has `time_multipliers`")], report);
}

/// The maximum factor between the time of a submission and the time limit.
const MAX_FACTOR: i64 = 1_000;
/// The maximum time limit in seconds: a day.
const MAX_SECONDS: i64 = 86_400;

/// Reads a factor between the time of a submission and the time limit.
fn factor(entry: &Entry<'_>, report: &mut Report) -> Option<Decimal> {
    let number = entry.positive(report)?;
    if number <= Decimal::from(MAX_FACTOR) {
        return Some(number);
    }
    let message = format!("expected a factor of at most {MAX_FACTOR}");
    entry.error("out-of-range", &message, "write a smaller number", report);
    None
}

/// Reads a time limit or its resolution in seconds: from a nanosecond, in which times are measured, to a day.
fn time(entry: &Entry<'_>, report: &mut Report) -> Option<Decimal> {
    let number = entry.positive(report)?;
    if (Decimal::new(1, -9)..=Decimal::from(MAX_SECONDS)).contains(&number) {
        return Some(number);
    }
    let message = format!("expected a number of seconds from a nanosecond (1e-9) to a day ({MAX_SECONDS})");
    entry.error("out-of-range", &message, "write a number of seconds in this range", report);
    None
}

/// The maximum number of passes that a problem can have.
const PASSES: u32 = 10_000;

fn passes(number: u64, entry: &Entry<'_>, report: &mut Report) -> u32 {
    match u32::try_from(number).ok().filter(|number| *number <= PASSES) {
        Some(number) => number,
        None => {
            let message = format!("expected at most {PASSES} passes");
            entry.error("out-of-range", &message, "write a smaller number", report);
            PASSES
        }
    }
}

fn legacy(keys: &mut Keys<'_>, problem: &mut Problem, report: &mut Report) {
    if let Some(entry) = keys.take("keywords")
        && entry.scalar().is_none()
    {
        let message = "`keywords`: expected words separated by spaces";
        entry.report(Severity::Warning, "wrong-type", message, "write them as one string", report);
    }
    if let Some(entry) = keys.take("validation") {
        let words = entry.words(report).unwrap_or_default();
        let mut words = words.iter().map(String::as_str);
        match words.next() {
            Some("custom") => problem.custom_validation = true,
            Some("default") => {}
            _ => {
                let help = "write `default` or `custom`; `score` and `interactive` may follow `custom`";
                entry.error(
                    "validation",
                    "`validation` starts with neither `default` nor `custom`",
                    help,
                    report,
                );
            }
        }
        for word in words {
            let icpc = problem.version == Version::LegacyIcpc;
            let place = match word {
                "score" if problem.custom_validation && !icpc => &mut problem.validator_scores,
                "interactive" if problem.custom_validation => &mut problem.kind.interactive,
                // An extension of one judging system; some packages use it, and its meaning is clear.
                "multi-pass" if problem.custom_validation => {
                    let message = "`multi-pass` is an extension that not every judging system supports";
                    entry.report(
                        Severity::Warning,
                        "validation",
                        message,
                        "use 2025-09 for multi-pass problems",
                        report,
                    );
                    &mut problem.kind.multi_pass
                }
                _ => {
                    let help = "only `score` and `interactive` may follow `custom`";
                    entry.error("validation", "unknown word in `validation`", help, report);
                    continue;
                }
            };
            if *place {
                entry.error("validation", "a word occurs twice in `validation`", "write it once", report);
            }
            *place = true;
        }
        if problem.validator_scores && !problem.kind.scoring {
            let message = "`custom score` is allowed only in scoring problems";
            entry.error("validation", message, "add `type: scoring`, or remove `score`", report);
        }
    }
    if let Some(entry) = keys.take("validator_flags") {
        problem.validator_flags = entry.words(report).unwrap_or_default();
        problem.validator_flags_at = entry.label();
    }
    if problem.version == Version::Legacy
        && let Some(entry) = keys.take("grading")
    {
        if !problem.kind.scoring {
            entry.error(
                "not-scoring",
                "`grading` is allowed only in scoring problems",
                "add `type: scoring`",
                report,
            );
        }
        if let Some(mut inner) = entry.keys(report) {
            if let Some(entry) = inner.take("objective") {
                match entry.text(report).as_deref() {
                    Some("min") => problem.minimize = true,
                    Some("max") | None => {}
                    Some(_) => {
                        entry.error("objective", "expected `min` or `max`", "write one of them", report)
                    }
                }
            }
            if let Some(entry) = inner.take("show_test_data_groups") {
                entry.boolean(report);
            }
            let help = "set it in `data/testdata.yaml`";
            inner.close(
                &[("on_reject", help), ("range", help), ("accept_score", help), ("reject_score", help)],
                report,
            );
        }
    }
}

fn current(keys: &mut Keys<'_>, problem: &mut Problem, report: &mut Report) {
    if let Some(entry) = keys.take("version") {
        entry.text(report);
    }
    if let Some(entry) = keys.take("embargo_until") {
        let text = entry.text(report).unwrap_or_default();
        if !is_date(&text) {
            let help = "write `2026-01-31` or `2026-01-31T12:00:00Z`";
            entry.error("date-form", "not a date in the form of the package format", help, report);
        }
    }
    if let Some(entry) = keys.take("keywords") {
        entry.texts(report);
    }
    if let Some(entry) = keys.take("languages") {
        let codes = entry.text_or_texts(report).unwrap_or_default();
        if codes.is_empty() {
            entry.error("languages", "no language is allowed", "write `all`, or a list of codes", report);
        }
        if codes.len() > 1 && codes.iter().any(|code| code == "all") {
            let message = "`all` allows every language, whatever else is listed";
            entry.report(Severity::Warning, "languages", message, "write `all`, or only the codes", report);
        }
        if codes.iter().any(|code| code != "all" && language::by_code(code).is_none()) {
            let help = "use language codes of the package format, such as `cpp`, `python3`, `java`";
            entry.error("languages", "a code is not a language code of the package format", help, report);
        }
        problem.languages = (!codes.iter().any(|code| code == "all") && !codes.is_empty()).then_some(codes);
    }
    if let Some(entry) = keys.take("allow_file_writing") {
        problem.allow_file_writing = entry.boolean(report).unwrap_or_default();
    }
    if let Some(inner) = keys.take("constants").and_then(|entry| entry.keys(report)) {
        for (name, entry) in inner.all() {
            if constant_name(name, &entry, report) {
                constant(name, &entry, &mut problem.constants, report);
            }
        }
    }
}

fn constant_name(name: &str, entry: &Entry<'_>, report: &mut Report) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let good =
        name.chars().all(letter) && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty();
    if !good {
        let help = "use letters, digits and `_`, and do not start with a digit";
        entry.error("constant-name", "not a valid constant name", help, report);
    }
    good
}

/// Returns whether the name of a constant, with its variant, is short enough to be replaced.
fn short_name(name: &str, entry: &Entry<'_>, report: &mut Report) -> bool {
    let short = name.len() <= CONSTANT_NAME;
    if !short {
        let message = format!("the name of a constant has more than {CONSTANT_NAME} characters");
        entry.error("constant-name", &message, "shorten it", report);
    }
    short
}

/// Reads a constant: a value, or a map of `value` and variants (other ways to write the value).
fn constant(name: &str, entry: &Entry<'_>, constants: &mut BTreeMap<String, String>, report: &mut Report) {
    if !short_name(name, entry, report) {
        return;
    }
    if let Some(value) = entry.scalar() {
        constants.insert(name.to_owned(), value);
        return;
    }
    let Some(inner) = entry.keys(report) else { return };
    let mut has_value = false;
    for (variant, entry) in inner.all() {
        let full = match variant {
            "value" => name.to_owned(),
            _ if constant_name(variant, &entry, report) => format!("{name}.{variant}"),
            _ => continue,
        };
        has_value |= variant == "value";
        if let Some(text) = entry.text(report).filter(|_| short_name(&full, &entry, report)) {
            constants.insert(full, text);
        }
    }
    if !has_value {
        entry.error("missing-key", "a constant needs a `value`", "add it", report);
    }
}

fn is_date(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    if !matches!(shape.as_str(), "0000-00-00" | "0000-00-00T00:00:00Z") {
        return false;
    }
    let number = |from: usize, to: usize| text.get(from..to).and_then(|digits| digits.parse::<u32>().ok());
    let within = |value: Option<u32>, least, most| value.is_none_or(|value| (least..=most).contains(&value));
    let year = number(0, 4).unwrap_or_default();
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match number(5, 7) {
        Some(2) if leap => 29,
        Some(2) => 28,
        Some(4 | 6 | 9 | 11) => 30,
        _ => 31,
    };
    within(number(5, 7), 1, 12)
        && within(number(8, 10), 1, days)
        && within(number(11, 13), 0, 23)
        && within(number(14, 16), 0, 59)
        && within(number(17, 19), 0, 60)
}
