//! Reads `data/`: groups, cases, and their configuration.

mod case_files;
mod configuration;
mod flat;
mod legacy;
mod validator_cases;

use super::document::{Document, Entry, Report};
use super::tree::Tree;
use crate::Version;
use crate::data::{ArgsOrigin, Case, Child, Group, Rules, ValidatorArgs, ValidatorCase};
use crate::problem::Problem;

/// The settings that a case inherits from its group in 2025-09.
#[derive(Clone, Default)]
struct Inherited {
    args: Vec<String>,
    input_validator_args: ValidatorArgs,
    output_validator_args: Vec<String>,
    full_feedback: bool,
    origin: ArgsOrigin,
}

/// Reports a file with the name that it had in the legacy format.
fn old_name(path: &str, report: &mut Report) {
    let message = "2025-09 has `test_group.yaml`; this file is not read";
    report.error("old-name", path, message, "rename it");
}

pub(crate) struct Data {
    pub(crate) groups: Vec<Group>,
    pub(crate) cases: Vec<Case>,
    pub(crate) validator_cases: Vec<ValidatorCase>,
}

struct Reader<'t, 'f> {
    tree: &'t Tree<'f>,
    problem: &'t Problem,
    data: Data,
    inherited: Vec<Inherited>,
}

pub(crate) fn read(tree: &Tree<'_>, problem: &Problem, report: &mut Report) -> Data {
    let data = Data { groups: Vec::new(), cases: Vec::new(), validator_cases: Vec::new() };
    let mut reader = Reader { tree, problem, data, inherited: Vec::new() };
    if !tree.has_folder("data/secret") {
        report.error("no-secret-data", "data", "there is no `data/secret`", "add secret test cases there");
    }
    match problem.version {
        Version::V2025_09 => reader.flat(report),
        _ => reader.tree_of_groups(report),
    }
    let secret = reader.data.cases.iter().any(|case| case.name.starts_with("secret/"));
    let static_case =
        |group: &Group| matches!(&group.rules, Rules::Flat(rules) if rules.static_case.is_some());
    if tree.has_folder("data/secret") && !secret && !reader.data.groups.iter().any(static_case) {
        report.error(
            "no-secret-data",
            "data/secret",
            "there is no secret test case",
            "add `NAME.in` and `NAME.ans`",
        );
    }
    reader.data
}

impl Reader<'_, '_> {
    fn group(&mut self, path: &str, parent: Option<usize>, rules: Rules, inherited: Inherited) -> usize {
        let index = self.data.groups.len();
        self.data.groups.push(Group { path: path.to_owned(), parent, children: Vec::new(), rules });
        self.inherited.push(inherited);
        if let Some(parent) = parent.and_then(|parent| self.data.groups.get_mut(parent)) {
            parent.children.push(Child::Group(index));
        }
        index
    }

    fn document(&self, path: &str, report: &mut Report) -> Option<Document> {
        let file = self.tree.file(path)?;
        Document::parse(path, &self.tree.constants.replace(&file.bytes), report)
    }

    fn push_case(&mut self, case: Case, group: usize) {
        let index = self.data.cases.len();
        self.data.cases.push(case);
        if let Some(group) = self.data.groups.get_mut(group) {
            group.children.push(Child::Case(index));
        }
    }

    fn answer(&self, path: &str, report: &mut Report) -> Option<String> {
        let answer = format!("{path}.ans");
        if self.tree.file(&answer).is_none() {
            let message = "there is no answer to this input; the case is left out";
            report.error("no-answer", &format!("{path}.in"), message, "add the file that ends in `.ans`");
            return None;
        }
        Some(answer)
    }

    fn scoring_only(&self, entry: &Entry<'_>, report: &mut Report) {
        if !self.problem.kind.scoring {
            let message = "scores are allowed only in scoring problems";
            entry.error(
                "not-scoring",
                message,
                "remove it, or add `type: scoring` to `problem.yaml`",
                report,
            );
        }
    }

    fn files_of(&self, path: &str) -> Vec<String> {
        let folder = format!("{path}.files");
        self.tree.below(&folder).map(|(below, _)| format!("{folder}/{below}")).collect()
    }
}
