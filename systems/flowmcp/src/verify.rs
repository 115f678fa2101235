//! Verification of a whole archive: every file, the lineage of its entries, and its stored indexes.

use std::collections::BTreeMap;

use fablegrade_public::finding::{Finding, Severity};
use fablegrade_public::json::Json;

use crate::area::Area;
use crate::check::check;
use crate::entry::Entry;
use crate::line;
use crate::lineage::check_lineage;
use crate::lock::{LockSnapshot, stored_lock};
use crate::naming::GradingFile;
use crate::rollup::{Index, RollupOptions, Scope, rollup};

/// The findings about one file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileReport {
    /// The path from the caller.
    pub path: String,
    /// All findings.
    pub findings: Vec<Finding>,
}

/// The findings about an archive.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Verification {
    /// Reports on the checked files, in the caller's order.
    pub files: Vec<FileReport>,
    /// The paths of files outside `_gradings` folders that are not indexes; empty if there are no such
    /// folders.
    pub skipped: Vec<String>,
    /// The recomputed indexes.
    pub indexes: Vec<Index>,
}

impl Verification {
    /// Returns whether no file has an error.
    pub fn is_valid(&self) -> bool {
        let mut findings = self.files.iter().flat_map(|file| &file.findings);
        findings.all(|finding| finding.severity != Severity::Error)
    }

    /// Returns the report in the JSON format of the command.
    pub fn to_json(&self) -> Json {
        let files = self.files.iter().map(|file| {
            Json::build().with("path", &file.path).with("findings", line::findings(&file.findings)).build()
        });
        Json::build()
            .with("valid", self.is_valid())
            .with("files", Json::array(files))
            .with("skipped", Json::array(&self.skipped))
            .with("indexes", Json::array(self.indexes.iter().map(Index::to_json)))
            .build()
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Verifies an archive, given as pairs of a path within the archive and the file's content.
///
/// Every `index.json` is compared with the recomputed index of its namespace or selection. All other files
/// are entries; but if there are `_gradings` folders, files outside them are skipped.
pub fn verify(files: &[(String, Vec<u8>)], options: &RollupOptions) -> Verification {
    let in_gradings = |path: &str| path.split(['/', '\\']).any(|part| part == "_gradings");
    let laid_out = files.iter().any(|(path, _)| in_gradings(path));
    let mut reports = Vec::new();
    let mut skipped = Vec::new();
    let mut entries: Vec<(usize, Entry)> = Vec::new();
    let mut stored: Vec<(usize, Json)> = Vec::new();
    for (path, text) in files {
        let place = reports.len();
        let mut report = FileReport { path: path.clone(), findings: Vec::new() };
        if name_of(path) == "index.json" {
            match Json::parse(text) {
                Ok(index) => stored.push((place, index)),
                Err(error) => report.findings.extend_from_slice(error.findings()),
            }
        } else if laid_out && !in_gradings(path) {
            skipped.push(path.clone());
            continue;
        } else {
            match check(text) {
                Err(error) => report.findings.extend_from_slice(error.findings()),
                Ok(checked) => {
                    report.findings = checked.findings;
                    if let Some(entry) = checked.entry {
                        check_name(name_of(path), &entry, laid_out, &mut report.findings);
                        entries.push((place, entry));
                    }
                }
            }
        }
        reports.push(report);
    }
    let all: Vec<&Entry> = entries.iter().map(|(_, entry)| entry).collect();
    for (index, finding) in check_lineage(&all) {
        let report = entries.get(index).and_then(|(place, _)| reports.get_mut(*place));
        if let Some(report) = report {
            // `check` has already reported an entry that supersedes itself.
            let known = report.findings.contains(&finding)
                || (finding.rule == "lineage-loop" && supersedes_itself(&all, index));
            if !known {
                report.findings.push(finding);
            }
        }
    }
    let paths: Vec<String> = entries
        .iter()
        .map(|(place, _)| reports.get(*place).map(|report| report.path.clone()).unwrap_or_default())
        .collect();
    let filed: Vec<(&str, &Entry)> = paths.iter().map(String::as_str).zip(all.iter().copied()).collect();
    // The first lock of each selection in the archive takes precedence over that of the caller.
    let mut kept: BTreeMap<String, LockSnapshot> = BTreeMap::new();
    let areas = areas_of_selections(&all);
    for (place, index) in &stored {
        let Some(report) = reports.get_mut(*place) else { continue };
        match stored_lock(index) {
            Ok(None) => {}
            Ok(Some(lock)) => {
                let areas = areas.get(&lock.selection_id).map(Vec::as_slice).unwrap_or_default();
                let first = kept.get(&lock.selection_id).or_else(|| options.locks.get(&lock.selection_id));
                check_lock(&lock, index, first, areas, &mut report.findings);
                if lock.belongs_to(index) {
                    kept.entry(lock.selection_id.clone()).or_insert(lock);
                }
            }
            Err(error) => report.findings.extend_from_slice(error.findings()),
        }
    }
    let mut options = options.clone();
    options.locks.extend(kept);
    let indexes = rollup(&filed, &options);
    for (place, stored) in stored {
        if let Some(report) = reports.get_mut(place) {
            check_index(&stored, &indexes, &mut report.findings);
        }
    }
    Verification { files: reports, skipped, indexes }
}

fn supersedes_itself(entries: &[&Entry], index: usize) -> bool {
    entries.get(index).is_some_and(|entry| entry.supersedes() == Some(entry.grading_id.as_str()))
}

/// Checks that the area, persona and time in the file name are those of the entry. A name without a persona
/// fits every persona.
fn check_name(name: &str, entry: &Entry, laid_out: bool, findings: &mut Vec<Finding>) {
    let file = match GradingFile::parse(name) {
        Ok(file) => file,
        Err(error) => {
            // In an archive without `_gradings` folders, a file can have any name.
            if laid_out {
                findings.extend_from_slice(error.findings());
            }
            return;
        }
    };
    if file.area() != entry.area {
        findings.push(Finding::error(
            "file-name",
            "/area",
            "the file name gives another area",
            "rename the file or correct the area",
        ));
    }
    let persona =
        entry.persona.as_ref().map(|persona| (persona.base_persona_id.as_str(), persona.lens_id.as_str()));
    if file.persona().is_some() && file.persona() != persona {
        findings.push(Finding::error(
            "file-name",
            "/persona",
            "the file name gives another persona",
            "rename the file or correct the persona",
        ));
    }
    if entry.grading_id.moment().is_some_and(|moment| moment != file.moment()) {
        findings.push(Finding::warning(
            "file-name",
            "/gradingId",
            "the time in the name of the file differs from that in the id",
            "name the file by the time of the grading",
        ));
    }
}

/// Returns the graded areas of each selection, each once, in the order of the entries.
fn areas_of_selections(entries: &[&Entry]) -> BTreeMap<String, Vec<Area>> {
    let mut areas: BTreeMap<String, Vec<Area>> = BTreeMap::new();
    for entry in entries {
        if let Scope::Selection(selection) = Scope::of(entry) {
            let areas = areas.entry(selection).or_default();
            if !areas.contains(&entry.area) {
                areas.push(entry.area);
            }
        }
    }
    areas
}

/// Checks that a lock belongs to its index's selection, is unchanged, and allows every graded area.
fn check_lock(
    lock: &LockSnapshot,
    index: &Json,
    first: Option<&LockSnapshot>,
    areas: &[Area],
    findings: &mut Vec<Finding>,
) {
    if !lock.belongs_to(index) {
        findings.push(Finding::error(
            "lock-of-another-selection",
            "/lockSnapshot/selectionId",
            "the lock does not belong to the selection of the index",
            "keep each lock in the index of its selection",
        ));
    }
    if first.is_some_and(|first| first != lock) {
        findings.push(Finding::error(
            "lock-changed",
            "/lockSnapshot",
            "the lock is not the one that was made first",
            "keep the first lock; a selection that changed is a new version with a new lock",
        ));
    }
    if let Some(finding) = areas.iter().find_map(|area| {
        let unmet = lock.preconditions(*area);
        (!unmet.is_empty()).then_some(unmet)
    }) {
        findings.extend(finding.into_iter().map(|finding| finding.within("/lockSnapshot")));
    }
}

fn check_index(stored: &Json, indexes: &[Index], findings: &mut Vec<Finding>) {
    if stored.get("indexVersion") != Some(&Json::from(2)) {
        findings.push(Finding::error(
            "IDX-003",
            "/indexVersion",
            "the version of the index is not 2",
            "rebuild the index",
        ));
    }
    let name = |key: &str| stored.get(key).and_then(Json::as_str).map(str::to_owned);
    let scope = name("namespace").map(Scope::Namespace).or_else(|| name("selectionId").map(Scope::Selection));
    // The indexes are in the order of their scopes.
    let place = scope.and_then(|scope| indexes.binary_search_by(|index| index.scope.cmp(&scope)).ok());
    let Some(index) = place.and_then(|place| indexes.get(place)) else {
        findings.push(Finding::warning(
            "index-without-entries",
            "",
            "there is no entry for the namespace or selection of this index",
            "add its entries, or name its namespace or selectionId",
        ));
        return;
    };
    let computed = index.to_json();
    // Only statuses and grades are compared, since they follow from the entries. A node may be missing on one
    // side.
    let mut waiting = vec![(String::new(), Some(stored), Some(&computed))];
    while let Some((at, stored, computed)) = waiting.pop() {
        for key in ["status", "grade"] {
            // `null` counts as absent; a value of another type differs from every word.
            let (was, is) = [stored, computed]
                .map(|value| value.and_then(|value| value.get(key)).filter(|value| **value != Json::Null))
                .into();
            if was != is && (stored.is_some() || is.is_some()) {
                findings.push(Finding::error(
                    "index-mismatch",
                    format!("{at}/{key}"),
                    format!("the entries give {}", is.and_then(Json::as_str).unwrap_or("none")),
                    "rebuild the index from its entries",
                ));
            }
        }
        for part in ["about", "description", "namespaceAggregate", "selectionAggregate", "toolsAggregate"] {
            let inner = |value: Option<&'_ Json>| value.and_then(|value| value.get(part)).is_some();
            if inner(stored) || inner(computed) {
                let next =
                    (stored.and_then(|value| value.get(part)), computed.and_then(|value| value.get(part)));
                waiting.push((format!("{at}/{part}"), next.0, next.1));
            }
        }
        for group in ["schemas", "skills", "tools"] {
            let fields = |value: Option<&Json>| -> Vec<String> {
                let fields =
                    value.and_then(|value| value.get(group)).and_then(Json::as_object).unwrap_or_default();
                fields.iter().map(|(name, _)| name.to_string()).collect()
            };
            let mut names = fields(stored);
            names.extend(fields(computed));
            names.sort();
            names.dedup();
            for name in names {
                let one = stored.and_then(|value| value.get(group)).and_then(|group| group.get(&name));
                let other = computed.and_then(|value| value.get(group)).and_then(|group| group.get(&name));
                let name = name.replace('~', "~0").replace('/', "~1");
                waiting.push((format!("{at}/{group}/{name}"), one, other));
            }
        }
    }
}
