//! The files of a case by their endings, in all versions of the format.

use std::collections::{BTreeMap, BTreeSet};

use super::Reader;
use crate::Version;
use crate::package::document::Report;

/// The versions in which files with an ending belong to a case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Versions {
    All,
    Legacy,
    Current,
}

/// Endings of the files of a case.
const ENDINGS: &[(&str, Versions)] = &[
    (".in.statement", Versions::Current),
    (".ans.statement", Versions::Current),
    (".in.download", Versions::Current),
    (".ans.download", Versions::Current),
    (".interaction", Versions::All),
    (".files", Versions::Current),
    (".yaml", Versions::Current),
    (".hint", Versions::Legacy),
    (".desc", Versions::Legacy),
    (".png", Versions::All),
    (".jpg", Versions::All),
    (".jpeg", Versions::All),
    (".svg", Versions::All),
    (".in", Versions::All),
    (".ans", Versions::All),
    (".out", Versions::Current),
];

/// Returns what a version has in place of a file of the other version.
fn instead(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((base, "hint")) => format!("2025-09 has `hint` in `{base}.yaml`"),
        Some((base, "desc")) => format!("2025-09 has `description` in `{base}.yaml`"),
        Some((base, "yaml")) => {
            format!("the legacy format has `{base}.hint`, `{base}.desc`, and arguments in `testdata.yaml`")
        }
        _ => "remove it, or declare the other version".to_owned(),
    }
}

impl Reader<'_, '_> {
    /// Returns the sorted names of the cases in a folder, and reports files that do not belong to a case.
    pub(super) fn case_files(&self, folder: &str, report: &mut Report) -> BTreeSet<String> {
        let current = self.problem.version == Version::V2025_09;
        let other = if current { Versions::Legacy } else { Versions::Current };
        let mut endings: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, is_folder) in self.tree.names(folder) {
            if matches!(name, "testdata.yaml" | "test_group.yaml") {
                if !current && name == "test_group.yaml" {
                    let message = "the legacy format has `testdata.yaml`; this file is not read";
                    report.error("old-name", &format!("{folder}/{name}"), message, "write `testdata.yaml`");
                }
                continue;
            }
            let ending = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
            let parts = ending.and_then(|(ending, of)| Some((name.strip_suffix(ending)?, *ending, *of)));
            let of_files = parts.is_some_and(|(_, ending, _)| ending == ".files");
            if is_folder != of_files {
                if let Some((_, ending, _)) = parts {
                    let kind = if is_folder { "files" } else { "folders" };
                    let message = format!("names of {kind} end in `{ending}`; this is not read as one");
                    report.warning("file-name", &format!("{folder}/{name}"), &message, "rename it");
                }
                if is_folder || of_files {
                    continue;
                }
            }
            match parts {
                Some((_, ending, of)) if of == other => {
                    let message =
                        format!("`{ending}` belongs to the other version of the format; it is not read");
                    report.warning("other-version", &format!("{folder}/{name}"), &message, &instead(name));
                }
                Some((base, ending, _)) => {
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
        for (base, endings) in endings {
            let path = format!("{folder}/{base}");
            let has = |ending: &str| endings.contains(ending);
            if base.is_empty() {
                report.error("file-name", &path, "a case without a name", "name it");
                continue;
            }
            if !has(".in") {
                // A legacy sample with only an interaction is shown, but not run.
                if !current && has(".interaction") && endings.len() == 1 {
                    self.interaction(&format!("{path}.interaction"), report);
                } else {
                    let message = "there is no input for these files";
                    let help = "add the file that ends in `.in`, or remove them";
                    report.error("no-input", &path, message, help);
                }
                continue;
            }
            if base == "test_group" && current {
                let message = "`test_group.yaml` would belong to the group and to this case";
                report.error("file-name", &path, message, "rename the case");
            }
            if has(".interaction") {
                self.interaction(&format!("{path}.interaction"), report);
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

    /// Reports lines of a conversation that belong to neither side.
    fn interaction(&self, path: &str, report: &mut Report) {
        let Some(file) = self.tree.file(path) else { return };
        let passes = self.problem.kind.multi_pass;
        let spoken = |line: &[u8]| {
            let line = line.trim_ascii();
            line.is_empty() || line.starts_with(b"<") || line.starts_with(b">") || (passes && line == b"---")
        };
        if let Some(at) = file.bytes.split(|byte| *byte == b'\n').position(|line| !spoken(line)) {
            let message = "the line starts with neither `<` (input) nor `>` (output)";
            let help = "start each line with one of them";
            report.warning("interaction-lines", &format!("{path}:{}", at + 1), message, help);
        }
    }
}
