//! Reads submissions and `submissions.yaml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fablegrade_files::File;
use fablegrade_public::json::Json;
use fablegrade_public::{Ratio, Severity};

use super::constants::Constants;
use super::data::Data;
use super::document::{Document, Entry, Keys, Report};
use super::people::people;
use super::programs::files_of;
use super::tree::Tree;
use crate::Version;
use crate::expectation::{Expectation, Expected, LegacyFolder, Submission, TimeUse, VerdictSet};
use crate::glob::Glob;
use crate::language::{self, Language};
use crate::problem::Problem;
use crate::program::{Form, Program, Role, SourceFiles};
use crate::verdict::Verdict;

type Includes = BTreeMap<String, SourceFiles>;

/// The settings of a pattern in `submissions.yaml`.
#[derive(Default)]
struct PatternSettings {
    language: Option<String>,
    entry_point: Option<String>,
    expectations: Vec<Expectation>,
}

/// The maximum number of patterns in `submissions.yaml`, with the alternatives of braces.
const MAX_PATTERNS: usize = 4_096;

pub(crate) fn read(
    tree: &Tree<'_>,
    problem: &Problem,
    data: &Data,
    includes: &Includes,
    report: &mut Report,
) -> Vec<Submission> {
    let legacy = problem.version.is_legacy();
    let mut paths: Vec<(String, String)> = Vec::new();
    for (folder, is_folder) in tree.names("submissions") {
        let place = format!("submissions/{folder}");
        if !is_folder {
            if folder != "submissions.yaml" || legacy {
                report.warning(
                    "unused-file",
                    &place,
                    "submissions must be in folders",
                    "move it into `submissions/accepted/`, or away",
                );
            }
            continue;
        }
        if legacy && !LegacyFolder::WORDS.iter().any(|(known, _)| *known == folder) {
            let known: Vec<&str> = LegacyFolder::WORDS.iter().map(|(word, _)| *word).collect();
            let help = format!("use {}", known.join(", "));
            report.warning(
                "submission-folder",
                &place,
                "unknown folder of submissions; nothing is expected of its submissions",
                &help,
            );
        }
        if folder == "partially_accepted" && !problem.kind.scoring && legacy {
            if problem.version == Version::LegacyIcpc {
                let message = "the legacy-icpc format has no partially accepted submissions";
                report.error("not-in-icpc", &place, message, "declare `legacy`, or move them");
            } else {
                let message = "partially accepted submissions are allowed only in scoring problems";
                report.error("not-scoring", &place, message, "add `type: scoring`, or move them");
            }
        }
        for (name, _) in tree.names(&place).filter(|(name, _)| !name.starts_with("__")) {
            paths.push((folder.to_owned(), name.to_owned()));
        }
    }
    let settings = match tree.file("submissions/submissions.yaml") {
        Some(file) if !legacy => read_settings(&file.bytes, problem, data, &paths, report),
        _ => Vec::new(),
    };
    if !legacy {
        unknown_folders(&paths, &settings, report);
    }
    let mut submissions = Vec::new();
    for (folder, name) in paths {
        let path = format!("{folder}/{name}");
        let files = files_of(tree, &format!("submissions/{path}"));
        if files.is_empty() {
            continue;
        }
        let expected = if legacy {
            Expected::Folder(
                LegacyFolder::WORDS.iter().find(|(word, _)| *word == folder).map(|(_, folder)| *folder),
            )
        } else {
            Expected::All(expectations(&path, &folder, &settings))
        };
        if let Expected::All(all) = &expected {
            consistent(&path, all, report);
        }
        let sources: BTreeSet<String> = files.iter().map(|(path, _)| path.clone()).collect();
        let about = settings.iter().filter(|(glob, _)| glob.matches_with_parents(&path));
        let (mut language, mut entry) = (None, None);
        for (_, settings) in about {
            language = settings.language.clone().or(language);
            entry = settings.entry_point.clone().or(entry);
        }
        let forced = language.as_deref().and_then(language::by_code);
        let submission = build(
            &format!("submissions/{path}"),
            files,
            forced,
            entry.as_deref(),
            &tree.constants,
            includes,
            expected,
        );
        check(&submission, problem, report);
        if let Some(entry) = &entry {
            check_entry(&submission, entry, &sources, report);
        }
        submissions.push(submission);
    }
    let folder =
        |word: &str| submissions.iter().any(|submission| submission.path.starts_with(&format!("{word}/")));
    if !folder("accepted") {
        let message = "there is no accepted submission";
        report.error("no-accepted", "submissions/accepted", message, "add at least one");
    }
    if !legacy && folder("accepted") && !submissions.iter().any(|submission| submission.time_use().lower) {
        let message = "no submission is a lower bound of the time limit";
        report.error(
            "no-lower-bound",
            "submissions",
            message,
            "let one count: remove `use_for_time_limit: false`",
        );
    }
    submissions
}

pub(crate) fn foreign(path: &str, files: SourceFiles, problem: &Problem, includes: &Includes) -> Submission {
    let expected =
        if problem.version.is_legacy() { Expected::Folder(None) } else { Expected::All(Vec::new()) };
    let constants = Constants::new(problem);
    let mut submission = build(path, files, None, None, &constants, includes, expected);
    if constants.is_exhausted() {
        submission.program.form = Form::Unreplaced;
    }
    submission
}

fn build(
    path: &str,
    files: SourceFiles,
    forced: Option<&'static Language>,
    entry: Option<&str>,
    constants: &Constants<'_>,
    includes: &Includes,
    expected: Expected,
) -> Submission {
    let code_bytes = files.iter().map(|(_, file)| file.bytes.len() as u64).sum();
    let own = constants.replace_in(files);
    // The language is that of the submission's own files: included files do not change it.
    let language = forced.or_else(|| language::detect(&own));
    let mut all: BTreeMap<String, Arc<File>> = own.into_iter().collect();
    let codes = ["default"].into_iter().chain(language.map(|language| language.code));
    let mut driver = None;
    for code in codes {
        for (path, file) in includes.get(code).into_iter().flatten() {
            driver = driver.or_else(|| is_driver(path, language).then(|| path.clone()));
            all.insert(path.clone(), Arc::clone(file));
        }
    }
    let entry = entry
        .map(str::to_owned)
        .or_else(|| driver.filter(|_| language.is_some_and(|language| language.code.starts_with("python"))));
    let program = Program::new(Role::Submission, path, all.into_iter().collect(), language, entry.as_deref());
    let path = path.strip_prefix("submissions/").unwrap_or(path).to_owned();
    Submission { path, program, code_bytes, expected }
}

/// Returns whether an included file has the name of the language's entry point.
fn is_driver(path: &str, language: Option<&'static Language>) -> bool {
    matches!(language.map(|language| &language.entry), Some(language::Entry::File(names)) if names.contains(&path))
}

fn check(submission: &Submission, problem: &Problem, report: &mut Report) {
    let place = format!("submissions/{}", submission.path);
    match &submission.program.form {
        Form::Unknown if problem.kind.submit_answer => {}
        Form::Unknown => {
            let message = "the language cannot be told from the files; the submission cannot be run";
            report.warning(
                "unknown-language",
                &place,
                message,
                "use one language, or set `language` in `submissions.yaml`",
            );
        }
        Form::Language { code, .. }
            if problem
                .languages
                .as_ref()
                .is_some_and(|allowed| !allowed.iter().any(|known| known == code)) =>
        {
            let message = "the problem may not be solved in this language";
            report.warning("languages", &place, message, "add the language to `languages`");
        }
        _ => {}
    }
    if !problem.kind.submit_answer && submission.code_bytes > problem.limits.code << 10 {
        let message = format!("the code has more than {} KiB", problem.limits.code);
        report.error("code-limit", &place, &message, "shorten it, or raise `code`");
    }
}

/// Reports folders that the format does not define, with submissions that no pattern matches.
fn unknown_folders(paths: &[(String, String)], settings: &[(Glob, PatternSettings)], report: &mut Report) {
    let unmatched = |(folder, name): &&(String, String)| {
        let path = format!("{folder}/{name}");
        Expectation::of_folder(folder).is_none()
            && !settings.iter().any(|(glob, _)| glob.matches_with_parents(&path))
    };
    let folders: BTreeSet<&str> = paths.iter().filter(unmatched).map(|(folder, _)| folder.as_str()).collect();
    for folder in folders {
        let message = "unknown folder of submissions; nothing is expected of its submissions";
        let help = "rename it, for example to `accepted` or `wrong_answer`, or add it to `submissions.yaml`";
        report.warning("submission-folder", &format!("submissions/{folder}"), message, help);
    }
}

/// Reports an entry point that is the name of a file which does not exist.
fn check_entry(submission: &Submission, entry: &str, own: &BTreeSet<String>, report: &mut Report) {
    let code = submission.program.language();
    let Some(language) = code.and_then(language::by_code) else { return };
    // Classes and other identifiers are known only to the language.
    let names_file = language
        .endings
        .iter()
        .any(|ending| entry.strip_suffix(ending).is_some_and(|before| before.ends_with('.')));
    let included = submission.program.files.iter().any(|(path, _)| path == entry);
    if names_file && !own.contains(entry) && !included {
        let message = "`entrypoint` in `submissions.yaml` names a file that does not exist";
        let place = format!("submissions/{}", submission.path);
        report.error("entry-point", &place, message, "name one of the submission's files");
    }
}

fn expectations(path: &str, folder: &str, settings: &[(Glob, PatternSettings)]) -> Vec<Expectation> {
    let replaced = settings.iter().any(|(glob, _)| glob.as_str() == folder);
    let default = Expectation::of_folder(folder).filter(|_| !replaced);
    let matching = settings.iter().filter(|(glob, _)| glob.matches_with_parents(path));
    default
        .into_iter()
        .chain(matching.flat_map(|(_, settings)| settings.expectations.iter().cloned()))
        .collect()
}

fn consistent(path: &str, all: &[Expectation], report: &mut Report) {
    // The first expectation of each set of verdicts, by its pattern for cases. There are few sets.
    let mut first: BTreeMap<Option<&str>, Vec<&Expectation>> = BTreeMap::new();
    for one in all {
        let cases = one.cases.as_ref().map(Glob::as_str);
        let same = first.get(&cases).into_iter().flatten();
        if !same.clone().any(|other| other.permitted == one.permitted) {
            let others: Vec<&Expectation> = match cases {
                None => first.values().flatten().copied().collect(),
                Some(_) => first.get(&None).into_iter().flatten().chain(same).copied().collect(),
            };
            for other in others.into_iter().filter(|other| other.permitted.is_disjoint(one.permitted)) {
                let message = format!("{} and {} permit no common verdict", other.from, one.from);
                report.error("expectations", &format!("submissions/{path}"), &message, "change one of them");
            }
            first.entry(cases).or_default().push(one);
        }
    }
    // What is required of some cases must be permitted by all that is said about these cases.
    for one in all {
        let about = |other: &&Expectation| {
            let pattern = other.cases.as_ref().map(Glob::as_str);
            pattern.is_none() || pattern == one.cases.as_ref().map(Glob::as_str)
        };
        let permitted = all
            .iter()
            .filter(about)
            .fold(VerdictSet::ALL, |permitted, other| permitted.intersection(other.permitted));
        if permitted == VerdictSet::NONE || !permitted.is_disjoint(one.required) {
            continue;
        }
        let message = match all.iter().filter(about).find(|other| other.permitted.is_disjoint(one.required)) {
            Some(other) if other.from != one.from => {
                format!("{} requires a verdict that {} does not permit", one.from, other.from)
            }
            Some(_) => format!("{} requires a verdict that it does not permit", one.from),
            None => format!("{} requires a verdict that the others together do not permit", one.from),
        };
        report.error("expectations", &format!("submissions/{path}"), &message, "change one of them");
    }
}

fn read_settings(
    bytes: &[u8],
    problem: &Problem,
    data: &Data,
    paths: &[(String, String)],
    report: &mut Report,
) -> Vec<(Glob, PatternSettings)> {
    let mut all = Vec::new();
    let Some(document) = Document::parse("submissions/submissions.yaml", bytes, report) else { return all };
    let Some(keys) = document.keys(report) else { return all };
    let mut left = MAX_PATTERNS;
    // Counts a pattern, which is matched with all submissions or all cases.
    let mut count = |glob: &Glob, entry: &Entry<'_>, report: &mut Report| {
        let within = left.checked_sub(glob.alternatives());
        if left > 0 && within.is_none() {
            let message = format!("there are more than {MAX_PATTERNS} patterns; the others are not read");
            entry.error("glob", &message, "use fewer patterns", report);
        }
        left = within.unwrap_or(0);
        within.is_some()
    };
    for (pattern, entry) in keys.all() {
        let glob = match Glob::new(pattern) {
            Ok(glob) => glob,
            Err(error) => {
                entry.error("glob", error.as_str(), "correct the pattern", report);
                continue;
            }
        };
        if !count(&glob, &entry, report) {
            break;
        }
        if !paths.iter().any(|(folder, name)| glob.matches_with_parents(&format!("{folder}/{name}"))) {
            let message = "the pattern matches no submission";
            entry.report(
                Severity::Warning,
                "glob",
                message,
                "patterns are relative to `submissions/`",
                report,
            );
        }
        let Some(mut keys) = entry.keys(report) else { continue };
        let mut settings = PatternSettings::default();
        if let Some(entry) = keys.take("language") {
            settings.language = entry.text(report);
            if settings.language.as_deref().is_none_or(|code| language::by_code(code).is_none()) {
                entry.error(
                    "languages",
                    "not a language code of the package format",
                    "use one such as `cpp`",
                    report,
                );
            }
        }
        settings.entry_point = keys.take("entrypoint").and_then(|entry| entry.text(report));
        if let Some(entry) = keys.take("authors")
            && entry.value.as_array().is_none_or(|list| !list.is_empty())
        {
            people(&entry, report);
        }
        if let Some(entry) = keys.take("model_solution") {
            entry.boolean(report);
        }
        let default = Expectation::of_folder(glob.as_str());
        if let Some(one) = expectation(&entry, &mut keys, None, default, problem, report) {
            settings.expectations.push(one);
        }
        // All other keys are patterns for groups and cases.
        let known = [
            "language",
            "entrypoint",
            "authors",
            "model_solution",
            "permitted",
            "required",
            "score",
            "message",
            "use_for_time_limit",
        ];
        for (name, inner) in keys.all() {
            if known.contains(&name) {
                continue;
            }
            let glob = Glob::new(name).ok();
            if glob.as_ref().is_some_and(|glob| !count(glob, &inner, report)) {
                break;
            }
            let glob = glob.filter(|glob| {
                data.cases.iter().any(|case| glob.matches_with_parents(&case.name))
                    || data.groups.iter().any(|group| !group.path.is_empty() && glob.matches(&group.path))
            });
            let Some(glob) = glob else {
                let message = "neither a key nor a pattern for a group or case";
                inner.error(
                    "unknown-key",
                    message,
                    "write paths below `data/` without `.in`, such as `secret/group1`",
                    report,
                );
                continue;
            };
            let Some(mut keys) = inner.keys(report) else { continue };
            if let Some(one) = expectation(&inner, &mut keys, Some(glob), None, problem, report) {
                settings.expectations.push(one);
            }
            keys.close(&[], report);
        }
        all.push((glob, settings));
    }
    all
}

fn expectation(
    place: &Entry<'_>,
    keys: &mut Keys<'_>,
    cases: Option<Glob>,
    default: Option<Expectation>,
    problem: &Problem,
    report: &mut Report,
) -> Option<Expectation> {
    let replaces = default.is_some();
    let permitted = keys.take("permitted").and_then(|entry| verdicts(&entry, report));
    let required = keys.take("required").and_then(|entry| verdicts(&entry, report));
    let score = keys.take("score").and_then(|entry| score(&entry, problem, report));
    let message = keys.take("message").and_then(|entry| entry.text(report)).filter(|text| !text.is_empty());
    let time = keys.take("use_for_time_limit");
    if !replaces
        && permitted.is_none()
        && required.is_none()
        && score.is_none()
        && message.is_none()
        && time.is_none()
    {
        return None;
    }
    let base = default.map(|default| (default.permitted, default.required));
    let (base_permitted, base_required) = base.unwrap_or((VerdictSet::ALL, VerdictSet::ALL));
    let mut one = Expectation {
        from: place.label(),
        cases,
        permitted: permitted.unwrap_or(base_permitted),
        required: required.unwrap_or(base_required),
        score,
        message,
        time: TimeUse::default(),
    };
    one.time = one.default_time();
    if let Some(entry) = time {
        match (entry.value, entry.value.as_str()) {
            (Json::Bool(false), _) => one.time = TimeUse::default(),
            (Json::Bool(true), _) => {}
            (_, Some("lower")) => {
                one.time.lower = true;
                let without = VerdictSet::new(
                    one.permitted.iter().filter(|verdict| *verdict != Verdict::TimeLimitExceeded),
                );
                one.permitted = without;
            }
            (_, Some("upper")) => {
                one.time.upper = true;
                one.required = VerdictSet::new([Verdict::TimeLimitExceeded]);
            }
            _ => entry.error(
                "time-use",
                "expected `true`, `false`, `lower` or `upper`",
                "write one of them",
                report,
            ),
        }
    }
    Some(one)
}

fn verdicts(entry: &Entry<'_>, report: &mut Report) -> Option<VerdictSet> {
    let words = entry.text_or_texts(report)?;
    let mut known = Vec::new();
    for word in &words {
        match word.as_str() {
            "AC" | "WA" | "TLE" | "RTE" => known.extend(Verdict::from_code(word)),
            _ => entry.error("verdict", "the verdicts are AC, WA, TLE and RTE", "write these", report),
        }
    }
    if known.is_empty() {
        entry.error("verdict", "no verdict is left", "name at least one", report);
        return None;
    }
    Some(VerdictSet::new(known))
}

fn score(entry: &Entry<'_>, problem: &Problem, report: &mut Report) -> Option<(Ratio, Ratio)> {
    if !problem.kind.scoring {
        entry.error("not-scoring", "a pass-fail problem has no scores", "remove it", report);
        return None;
    }
    let bounds: Vec<Ratio> = match entry.value {
        Json::Array(_) => entry
            .elements()
            .iter()
            .filter_map(|bound| bound.number(report))
            .map(|bound| Ratio::from_decimal(&bound))
            .collect(),
        _ => entry.number(report).map(|score| Ratio::from_decimal(&score)).into_iter().collect(),
    };
    match bounds.as_slice() {
        [one] => Some((one.clone(), one.clone())),
        [least, most] if least <= most => Some((least.clone(), most.clone())),
        _ => {
            entry.error(
                "score-range",
                "expected a score, or the minimum and the maximum",
                "write `50` or `[0, 50]`",
                report,
            );
            None
        }
    }
}
