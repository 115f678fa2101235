//! Packages: one model for all versions, with all findings at once.

mod constants;
mod data;
mod document;
mod layout;
mod people;
mod problem;
mod programs;
mod submissions;
mod tree;

use std::collections::BTreeMap;
use std::sync::Arc;

use fablegrade_files::{File, Files};
use fablegrade_public::{Error, ErrorKind, Finding, Severity};

use crate::data::{Case, Group, Rules, ValidatorCase};
use crate::expectation::Submission;
use crate::problem::Problem;
use crate::program::{Program, SourceFiles};
use document::Document;
pub(crate) use document::Report;
use tree::Tree;
pub(crate) use tree::{NAME_HELP, is_allowed_name};

/// A parsed package, with its findings.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Package {
    /// The short name, which is that of the folder or archive.
    pub name: String,
    /// Metadata.
    pub problem: Problem,
    /// Groups; the first is the root.
    pub groups: Vec<Group>,
    /// Cases.
    pub cases: Vec<Case>,
    /// Cases that test validators.
    pub validator_cases: Vec<ValidatorCase>,
    /// Input validators.
    pub input_validators: Vec<Program>,
    /// The package's output validators; several only in legacy packages. In a legacy package with the default
    /// validation, they are not run.
    pub output_validators: Vec<Program>,
    /// The static validator.
    pub static_validator: Option<Program>,
    /// The custom grader.
    pub grader: Option<Program>,
    /// Submissions of the jury.
    pub submissions: Vec<Submission>,
    /// Included files by language; `default` is for all languages.
    pub includes: BTreeMap<String, SourceFiles>,
    /// All defects, and further remarks for the author.
    pub findings: Vec<Finding>,
    files: Files,
}

impl Package {
    /// Reads a package. `name` is the name of its folder or archive, without its extension. If
    /// `problem.yaml` is in the only folder at the top, that folder is the package, and its name is used instead.
    ///
    /// Errors in the package become findings, and reading continues; see [`Package::is_valid`].
    ///
    /// # Errors
    /// [`ErrorKind::Spec`] with all findings, if there is no readable `problem.yaml`.
    pub fn read(files: Files, name: &str) -> Result<Self, Error> {
        let mut report = Report::default();
        let (files, name) = inner(files, name);
        let Some(file) = files.get("problem.yaml") else {
            let message = "there is no `problem.yaml`";
            report.error(
                "no-problem-yaml",
                "",
                message,
                "give the folder of the package, or an archive of it",
            );
            return Err(Error::new(ErrorKind::Spec, report.findings));
        };
        let document = Document::parse("problem.yaml", &file.bytes, &mut report);
        let version = document.as_ref().and_then(|document| problem::version(document, &mut report));
        let problem = document
            .as_ref()
            .zip(version)
            .and_then(|(document, version)| problem::read(document, version, &mut report));
        let Some(problem) = problem else { return Err(Error::new(ErrorKind::Spec, report.findings)) };
        let tree = Tree::new(&files, &problem, &mut report);
        layout::check(&tree, &files, &name, &problem, &mut report);
        let data = data::read(&tree, &problem, &mut report);
        let includes = programs::includes(&tree, &problem, &mut report);
        let programs = programs::read(&tree, &problem, &mut report);
        let submissions = submissions::read(&tree, &problem, &data, &includes, &mut report);
        programs::check(&programs, &problem, &data, &mut report);
        let own = !programs.output_validators.is_empty();
        layout::check_cases(&tree, &problem, &data, own, &mut report);
        tree.constants.check(&mut report);
        Ok(Self {
            name,
            problem,
            groups: data.groups,
            cases: data.cases,
            validator_cases: data.validator_cases,
            input_validators: programs.input_validators,
            output_validators: programs.output_validators,
            static_validator: programs.static_validator,
            grader: programs.grader,
            submissions,
            includes,
            findings: report.findings.into_vec(),
            files,
        })
    }

    /// Returns whether there are no errors.
    pub fn is_valid(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// Returns the bytes of a file in the package; empty if there is none.
    pub fn bytes(&self, path: &str) -> &[u8] {
        self.files.get(path).map(|file| file.bytes.as_slice()).unwrap_or_default()
    }

    /// Returns the name of the only output validator that validates a case; `None` if all do.
    pub(crate) fn output_validator_of(&self, case: &Case) -> Option<&str> {
        match &self.groups.get(case.group)?.rules {
            Rules::Grader(rules) => rules.output_validator.as_deref(),
            Rules::Flat(_) => None,
        }
    }

    /// Returns the files of the package.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Creates a submission from a single file, or from files with paths relative to a folder. Includes are added and
    /// constants replaced, as for the jury's submissions.
    pub fn submission(&self, path: &str, files: Vec<(String, File)>) -> Submission {
        let files = files.into_iter().map(|(path, file)| (path, Arc::new(file))).collect();
        submissions::foreign(path, files, &self.problem, &self.includes)
    }

    /// Returns the index of the group with this path below `data/`.
    pub fn group(&self, path: &str) -> Option<usize> {
        self.groups.iter().position(|group| group.path == path)
    }

    /// Returns the best possible score, if it is bounded: the maximum, or the minimum if smaller scores are better.
    pub fn max_score(&self) -> Option<fablegrade_public::Ratio> {
        let root = self.groups.first()?;
        match &root.rules {
            Rules::Grader(rules) if self.problem.minimize => rules.range.0.clone(),
            Rules::Grader(rules) => rules.range.1.clone(),
            Rules::Flat(_) => match &self.groups.get(self.group("secret")?)?.rules {
                Rules::Flat(rules) => rules.max_score.clone(),
                Rules::Grader(_) => None,
            },
        }
    }
}

/// Enters the only folder at the top level, if it contains the package.
fn inner(files: Files, name: &str) -> (Files, String) {
    if files.get("problem.yaml").is_none() {
        let mut names = files.names_in("").into_iter().filter(|name| !name.starts_with('.'));
        if let (Some(only), None) = (names.next(), names.next())
            && files.get(&format!("{only}/problem.yaml")).is_some()
        {
            let only = only.to_owned();
            return (files.below(&only), only);
        }
    }
    (files, name.to_owned())
}
