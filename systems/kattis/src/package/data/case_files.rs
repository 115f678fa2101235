//! The files of a case by their endings, in all versions of the format.

use std::collections::{BTreeMap, BTreeSet};

use super::Reader;
use crate::Version;
use crate::package::document::Report;

/// Endings of the files of a case.
const ENDINGS: &[&str] = &[
    ".in.statement",
    ".ans.statement",
    ".in.download",
    ".ans.download",
    ".interaction",
    ".files",
    ".yaml",
    ".hint",
    ".desc",
    ".png",
    ".jpg",
    ".jpeg",
    ".svg",
    ".in",
    ".ans",
    ".out",
];

impl Reader<'_, '_> {
    /// Returns the sorted names of the cases in a folder, and reports files that do not belong to a case.
    pub(super) fn case_files(&self, folder: &str, report: &mut Report) -> BTreeSet<String> {
        let mut endings: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, is_folder) in self.tree.names(folder) {
            if matches!(name, "testdata.yaml" | "test_group.yaml") || (is_folder && !name.ends_with(".files"))
            {
                continue;
            }
            let ending = ENDINGS.iter().find(|ending| name.ends_with(*ending));
            match ending.and_then(|ending| Some((name.strip_suffix(ending)?, *ending))) {
                Some((base, ending)) => {
                    endings.entry(base).or_default().insert(ending);
                }
                None => {
                    let help = match name.rsplit_once('.') {
                        Some((base, "args")) => {
                            &format!("2025-09 has `args` in `{base}.yaml`; other versions have no arguments")
                        }
                        _ => "move it away",
                    };
                    let message = "the file does not belong to a test case";
                    report.info("unused-file", &format!("{folder}/{name}"), message, help);
                }
            }
        }
        let mut names = BTreeSet::new();
        let current = self.problem.version == Version::V2025_09;
        for (base, endings) in endings {
            let path = format!("{folder}/{base}");
            let has = |ending: &str| endings.contains(ending);
            if base.is_empty() {
                report.error("file-name", &path, "a case without a name", "name it");
                continue;
            }
            if !has(".in") {
                // A legacy sample with only an interaction is shown, but not run.
                if current || !(has(".interaction") && endings.len() == 1) {
                    let message = "there is no input for these files";
                    let help = "add the file that ends in `.in`, or remove them";
                    report.error("no-input", &path, message, help);
                }
                continue;
            }
            if [".png", ".jpg", ".jpeg", ".svg"].iter().filter(|ending| has(ending)).count() > 1 {
                report.error("illustrations", &path, "a case has at most one illustration", "keep one");
            }
            if current {
                if has(".out") && has(".ans.statement") {
                    let message = "both `.out` and `.ans.statement` exist";
                    report.error("sample-files", &path, message, "keep one of them");
                }
                if has(".interaction")
                    && [".in.statement", ".ans.statement", ".out"].iter().any(|ending| has(ending))
                {
                    let message = "with `.interaction`, nothing else is shown";
                    report.error(
                        "sample-files",
                        &path,
                        message,
                        "remove `.in.statement`, `.ans.statement` and `.out`",
                    );
                }
                for (one, other) in [(".in.download", ".in.statement"), (".ans.download", ".ans.statement")] {
                    if has(one) != has(other) {
                        let message = format!("`{one}` and `{other}` must be given together");
                        report.error("sample-files", &path, &message, "add the other one, or remove both");
                    }
                }
            } else if self.problem.kind.interactive
                && path.starts_with("data/sample/")
                && !has(".interaction")
            {
                let message = "a sample of an interactive problem needs a `.interaction`";
                report.warning("no-interaction", &path, message, "add one, for the statement");
            }
            names.insert(base.to_owned());
        }
        names
    }
}
