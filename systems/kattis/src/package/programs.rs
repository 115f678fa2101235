//! Reads validators, graders and included files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::data::Data;
use super::document::Report;
use super::tree::Tree;
use crate::checktestdata::Grammar;
use crate::data::{Rules, ValidatorArgs};
use crate::default_validator::Comparison;
use crate::problem::Problem;
use crate::program::{Form, Program, Role, SourceFiles};
use crate::{Version, language};

#[derive(Default)]
pub(crate) struct Programs {
    pub(crate) input_validators: Vec<Program>,
    pub(crate) output_validators: Vec<Program>,
    pub(crate) static_validator: Option<Program>,
    pub(crate) grader: Option<Program>,
}

/// Returns whether a file is for authors only, such as a README.
fn is_note(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("readme")
        || name == "makefile"
        || name.starts_with("__")
        || name.ends_with(".md")
        || name.ends_with(".pyc")
}

/// Returns whether a file next to programs is not a program: a note, or a text that a program may read.
fn is_never_run(name: &str) -> bool {
    is_note(name) || name.to_ascii_lowercase().ends_with(".txt")
}

/// Returns the files of a program: a single file, or the files of a folder with paths relative to it, except those in
/// `__pycache__`.
pub(crate) fn files_of(tree: &Tree<'_>, path: &str) -> SourceFiles {
    if let Some(file) = tree.file(path) {
        let name = path.rsplit('/').next().unwrap_or(path);
        return vec![(name.to_owned(), Arc::new(file.clone()))];
    }
    let compiled = |path: &str| path.split('/').any(|step| step == "__pycache__");
    tree.below(path)
        .filter(|(path, _)| !compiled(path))
        .map(|(path, file)| (path.to_owned(), Arc::new(file.clone())))
        .collect()
}

pub(crate) fn read(tree: &Tree<'_>, problem: &Problem, report: &mut Report) -> Programs {
    let mut programs = Programs::default();
    let old = problem.version.is_legacy() && !tree.has_folder("input_validators");
    let folder = if old { "input_format_validators" } else { "input_validators" };
    programs.input_validators = each(tree, problem, folder, Role::InputValidator, report);
    if problem.version.is_legacy() {
        programs.output_validators = each(tree, problem, "output_validators", Role::OutputValidator, report);
        if problem.version == Version::Legacy {
            let mut graders = each(tree, problem, "graders", Role::Grader, report);
            if graders.len() > 1 {
                report.error("graders", "graders", "there is more than one grader", "keep one");
            }
            programs.grader = (!graders.is_empty()).then(|| graders.remove(0));
        } else {
            for folder in ["graders", "include"] {
                if tree.has_folder(folder) {
                    report.error(
                        "not-in-icpc",
                        folder,
                        "the legacy-icpc format does not have this",
                        "declare `legacy`, or remove it",
                    );
                }
            }
        }
    } else {
        programs.output_validators =
            one(tree, problem, "output_validator", Role::OutputValidator, report).into_iter().collect();
        programs.static_validator = one(tree, problem, "static_validator", Role::StaticValidator, report);
        if tree.has_folder("output_validators") && !tree.has_folder("output_validator") {
            let message = "the folder is called `output_validator` in 2025-09; this one is not read";
            report.error("old-name", "output_validators", message, "rename it");
        }
    }
    programs
}

/// Reads a folder whose files and folders are programs, except notes, headers and compiled Python files.
fn each(tree: &Tree<'_>, problem: &Problem, folder: &str, role: Role, report: &mut Report) -> Vec<Program> {
    let mut programs = Vec::new();
    let mut names = BTreeSet::new();
    for (name, is_folder) in tree.names(folder) {
        let path = format!("{folder}/{name}");
        if !is_folder && (is_never_run(name) || language::is_header(name)) {
            let message = "this file is not a program by itself";
            report.info(
                "unused-file",
                &path,
                message,
                "put a program of several files into a folder of its own",
            );
            continue;
        }
        if name == "__pycache__" {
            continue;
        }
        let program = program(tree, &path, role);
        if program.files.is_empty() {
            continue;
        }
        report_form(&program, problem, report);
        if !names.insert(program.name().to_owned()) {
            let message =
                format!("two programs have the name `{}`, so arguments by name reach both", program.name());
            report.warning(
                "name-twice",
                &path,
                &message,
                "rename one of them, if arguments are given by name",
            );
        }
        programs.push(program);
    }
    programs
}

/// Reads a folder that is a program, or contains one.
fn one(tree: &Tree<'_>, problem: &Problem, folder: &str, role: Role, report: &mut Report) -> Option<Program> {
    if !tree.has_folder(folder) {
        return None;
    }
    // A single file or folder is the program. With several, the whole folder is, such as a Python package with modules
    // in folders, or a program with a text that it reads.
    let source =
        |(name, is_folder): &(&str, bool)| !is_folder && (!is_never_run(name) || *name == "__main__.py");
    let mut parts = tree.names(folder).filter(|part| part.1 || source(part));
    let texts =
        tree.names(folder).any(|(name, is_folder)| !is_folder && is_never_run(name) && !is_note(name));
    let path = match (parts.next(), parts.next()) {
        (Some((_, false)), None) if texts => folder.to_owned(),
        (None, _) => {
            let message = "there is no program in this folder";
            report.error("no-program", folder, message, "add one, or remove the folder");
            return None;
        }
        (Some((only, _)), None) => format!("{folder}/{only}"),
        _ => folder.to_owned(),
    };
    let program = program(tree, &path, role);
    if program.files.is_empty() {
        report.error(
            "no-program",
            folder,
            "there is no program in this folder",
            "add one, or remove the folder",
        );
        return None;
    }
    report_form(&program, problem, report);
    Some(program)
}

fn program(tree: &Tree<'_>, path: &str, role: Role) -> Program {
    Program::new(role, path, tree.constants.replace_in(files_of(tree, path)), None, None)
}

fn report_form(program: &Program, problem: &Problem, report: &mut Report) {
    match &program.form {
        Form::Unknown => report.error(
            "unknown-language",
            &program.path,
            "the language of the program cannot be told from its files",
            "use one language, or add the scripts `build` and `run`",
        ),
        Form::Language { code, .. }
            if problem.version == Version::V2025_09 && !matches!(*code, "python3" | "c" | "cpp") =>
        {
            let message = "validators must be written in Python 3, C or C++";
            report.error("validator-language", &program.path, message, "add the scripts `build` and `run`");
        }
        Form::Language { code: "python3", .. } if problem.version == Version::V2025_09 => {
            let has = |name: &str| program.files.iter().any(|(path, _)| path == name);
            // Modules in folders are parts of the program, too; what is started lies at the top.
            let sources = program.files.iter().filter(|(path, _)| path.ends_with(".py")).count();
            if sources > 1 && !has("__main__.py") {
                let message = "a program of several Python files starts in `__main__.py`, which is missing";
                let help = "rename the file that is to be started";
                // A `main.py` is at least the one that other tools start.
                if has("main.py") {
                    report.warning("entry-point", &program.path, message, help);
                } else {
                    report.error("entry-point", &program.path, message, help);
                }
            }
        }
        Form::Checktestdata => {
            let text = program.files.first().map(|(_, file)| file.bytes.as_slice()).unwrap_or_default();
            if let Err(why) = Grammar::parse(text) {
                let place = format!("{}:{}", program.path, why.line);
                report.error("grammar", &place, &why.message, "correct the grammar");
            }
        }
        Form::Scripts { .. } => {
            for name in ["build", "run"] {
                let file = program.files.iter().find(|(path, _)| path == name);
                if file.is_some_and(|(_, file)| file.executable == Some(false)) {
                    let message = format!("`{name}` is not executable");
                    report.error(
                        "not-executable",
                        &program.path,
                        &message,
                        "make it executable with `chmod +x`",
                    );
                }
            }
        }
        _ => {}
    }
}

pub(crate) fn includes(
    tree: &Tree<'_>,
    problem: &Problem,
    report: &mut Report,
) -> BTreeMap<String, SourceFiles> {
    let mut includes = BTreeMap::new();
    if problem.version == Version::LegacyIcpc {
        return includes;
    }
    for (name, is_folder) in tree.names("include") {
        let path = format!("include/{name}");
        let default = name == "default" && problem.version == Version::V2025_09;
        if !is_folder {
            report.error(
                "include",
                &path,
                "files are included by language",
                "move it into `include/LANGUAGE/`",
            );
            continue;
        }
        if !default && language::by_code(name).is_none() {
            let message = "not a language code of the package format";
            report.error(
                "include",
                &path,
                message,
                "rename the folder, for example to `cpp`, `python3` or `java`",
            );
        } else if !default
            && problem.languages.as_ref().is_some_and(|allowed| !allowed.iter().any(|code| code == name))
        {
            let message = "the problem may not be solved in this language";
            report.error("include", &path, message, "add it to `languages`, or remove the folder");
        }
        let files = tree.constants.replace_in(files_of(tree, &path));
        if files.is_empty() {
            report.error("include", &path, "the folder is empty", "add files, or remove it");
            continue;
        }
        includes.insert(name.to_owned(), files);
    }
    includes
}

/// Checks that programs, problem and groups fit each other.
pub(crate) fn check(programs: &Programs, problem: &Problem, data: &Data, report: &mut Report) {
    let custom = !programs.output_validators.is_empty();
    let legacy = problem.version.is_legacy();
    if programs.input_validators.is_empty() {
        let message = "there is no input validator";
        report.error(
            "no-input-validator",
            "input_validators",
            message,
            "add a program that exits with 42 for valid inputs",
        );
    }
    if legacy && problem.custom_validation && !custom {
        let message = "`validation` is `custom`, but there is no output validator";
        report.error(
            "no-output-validator",
            "output_validators",
            message,
            "add one, or write `validation: default`",
        );
    }
    if !problem.runs_validators() && custom {
        let message = "there are output validators, but `validation` is `default`; they are not run";
        report.warning(
            "unused-validator",
            "output_validators",
            message,
            "write `validation: custom`, or remove them",
        );
    }
    if legacy && programs.output_validators.len() > 1 {
        let message =
            "there are several output validators; all are run here, but some judging systems run only one";
        report.warning("validators", "output_validators", message, "keep one");
        if problem.kind.interactive {
            let message = "an interactive problem has exactly one output validator";
            report.error("validators", "output_validators", message, "keep one");
        }
    }
    if !legacy && !custom && (problem.kind.interactive || problem.kind.multi_pass) {
        let message = "an interactive or multi-pass problem needs an output validator";
        report.error("no-output-validator", "output_validator", message, "add one");
    }
    if problem.kind.submit_answer && programs.static_validator.is_some() {
        let message = "there are no sources to validate in a submit-answer problem";
        report.error("static-validator", "static_validator", message, "remove it");
    }
    if !problem.kind.scoring && programs.grader.is_some() {
        let message = "a grader in a pass-fail problem makes verdicts only";
        report.warning("grader", "graders", message, "add `type: scoring`, if it makes scores");
    }
    let mut unbounded = false;
    let mut named = BTreeSet::new();
    for group in &data.groups {
        let place = format!("data/{}", group.path);
        match &group.rules {
            Rules::Grader(rules) => {
                if rules.custom && programs.grader.is_none() {
                    let message = "`grading` is `custom`, but there is no grader";
                    report.error("no-grader", place.trim_end_matches('/'), message, "add one to `graders/`");
                }
                if let Some(name) = &rules.output_validator
                    && !programs.output_validators.iter().any(|program| program.name() == name)
                {
                    let message = "`output_validator_flags` names no validator of the package";
                    // Groups below inherit the name.
                    if named.insert(&rules.origin.output) {
                        let help = "use a name in `output_validators/`";
                        report.error("validator-name", &rules.origin.output, message, help);
                    }
                }
            }
            Rules::Flat(rules) => {
                unbounded |= problem.kind.scoring
                    && rules.max_score.is_none()
                    && rules.aggregation != crate::data::Aggregation::PassFail;
                if rules.static_case.is_some() && programs.static_validator.is_none() {
                    let message = "a static validation case without a static validator";
                    report.error(
                        "no-static-validator",
                        &place,
                        message,
                        "add a program to `static_validator/`",
                    );
                }
            }
        }
    }
    if unbounded && !custom {
        let message = "unbounded scores need an output validator that writes `score.txt`";
        report.error("no-output-validator", "output_validator", message, "add one, or set `max_score`");
    }
    if programs.static_validator.is_some()
        && !data
            .groups
            .iter()
            .any(|group| matches!(&group.rules, Rules::Flat(rules) if rules.static_case.is_some()))
    {
        let message = "no group has a static validation case";
        report.warning(
            "static-validator",
            "static_validator",
            message,
            "set `static_validation_score` in a group",
        );
    }
    check_args(programs, problem, data, report);
}

/// Checks the arguments of the default output validator, and the names of those that get arguments by name.
fn check_args(programs: &Programs, problem: &Problem, data: &Data, report: &mut Report) {
    let known = |name: &str| programs.input_validators.iter().any(|program| program.name() == name);
    let runs_default = programs.output_validators.is_empty() || !problem.runs_validators();
    let mut seen = BTreeSet::new();
    // The flags of the problem precede those of every group.
    let mut check_flags = |args: &[String], place: &str, report: &mut Report| {
        if runs_default
            && seen.insert(args.join(" "))
            && let Err(error) = Comparison::from_args(args, problem.version)
        {
            report.error("validator-flags", place, &error.to_string(), error.help());
            return false;
        }
        true
    };
    let of_problem = check_flags(&problem.validator_flags, &problem.validator_flags_at, report);
    let cases = data.cases.iter().map(|case| {
        (&case.input, &case.input_validator_args, Some(&case.output_validator_args), &case.origin)
    });
    let of_validators = data.validator_cases.iter().map(|case| {
        let output = case.answer_and_output.is_some().then_some(&case.output_validator_args);
        (&case.input, &case.input_validator_args, output, &case.origin)
    });
    let mut names = BTreeSet::new();
    for (case, input, output, origin) in cases.chain(of_validators) {
        let place = |origin: &'_ str| if origin.is_empty() { case.clone() } else { origin.to_owned() };
        if let ValidatorArgs::ByName(by_name) = input {
            for (name, _) in by_name.iter().filter(|(name, _)| !known(name)) {
                if names.insert(name) {
                    let message = "there are arguments for an input validator that does not exist";
                    let place = place(&origin.input);
                    report.error("validator-name", &place, message, "use a name in `input_validators/`");
                }
            }
        }
        if let Some(output) = output.filter(|_| of_problem) {
            check_flags(output, &place(&origin.output), report);
        }
    }
}
