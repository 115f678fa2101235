//! Reads who made a problem: people, credits, sources, and the owner of the rights.

use fablegrade_public::Severity;
use fablegrade_public::json::Json;

use super::document::{Entry, Keys, Report};
use super::layout::is_language;
use crate::Version;

/// Returns the text of an entry, unless it is empty.
fn filled(entry: &Entry<'_>, report: &mut Report) -> Option<String> {
    entry.text(report).filter(|text| !text.trim().is_empty())
}

/// Reads `name` in the map of a person or a source, and reports with `message` that it is absent or empty.
fn has_name(entry: &Entry<'_>, keys: &mut Keys<'_>, message: &str, report: &mut Report) -> bool {
    let name = keys.take("name");
    let is_text = name.as_ref().is_none_or(|name| name.scalar().is_some());
    let named = name.is_some_and(|name| filled(&name, report).is_some());
    if !named && is_text {
        entry.error("missing-key", message, "add it", report);
    }
    named
}

/// Reads a person: a name, or a map with a name. Returns whether there is a name.
fn person(entry: &Entry<'_>, report: &mut Report) -> bool {
    if let Json::Object(_) = entry.value
        && let Some(mut keys) = entry.keys(report)
    {
        let named = has_name(entry, &mut keys, "a person needs a `name`", report);
        for key in ["email", "orcid", "kattis"] {
            if let Some(entry) = keys.take(key) {
                entry.text(report);
            }
        }
        keys.close(&[], report);
        return named;
    }
    let Some(text) = entry.text(report) else { return false };
    if text.trim().is_empty() {
        entry.error("person", "a person without a name", "write the name, or remove the person", report);
    }
    !text.trim().is_empty()
}

/// Reads a person or a list of persons. Returns whether there is at least one.
pub(super) fn people(entry: &Entry<'_>, report: &mut Report) -> bool {
    if entry.value.as_array().is_none() {
        return person(entry, report);
    }
    let persons = entry.elements();
    if persons.is_empty() {
        entry.error("person", "the list names nobody", "name at least one person, or remove the key", report);
    }
    // All persons are read, for their findings.
    persons.iter().filter(|entry| person(entry, report)).count() > 0
}

/// Reads `credits` of 2025-09. Returns whether authors are named.
fn credits(entry: &Entry<'_>, report: &mut Report) -> bool {
    if entry.scalar().is_some() {
        return person(entry, report);
    }
    let Some(mut keys) = entry.keys(report) else { return false };
    let authors = keys.take("authors").is_some_and(|entry| people(&entry, report));
    for key in ["contributors", "testers", "packagers", "acknowledgements"] {
        if let Some(entry) = keys.take(key) {
            people(&entry, report);
        }
    }
    if let Some(inner) = keys.take("translators").and_then(|entry| entry.keys(report)) {
        for (language, entry) in inner.all() {
            if !is_language(language) {
                let help = "name translators by language: `translators: {sv: NAME}`";
                entry.error("statement-language", "not a language code", help, report);
            }
            people(&entry, report);
        }
    }
    keys.close(&[("author", "write `authors`")], report);
    authors
}

/// Reads one source: a name, or in 2025-09 a map with a name. Returns whether it has a name.
fn source(entry: &Entry<'_>, version: Version, report: &mut Report) -> bool {
    if version.is_legacy() || !matches!(entry.value, Json::Object(_)) {
        return filled(entry, report).is_some();
    }
    let Some(mut keys) = entry.keys(report) else { return false };
    let named = has_name(entry, &mut keys, "a source needs a `name`", report);
    if let Some(url) = keys.take("url") {
        url.text(report);
    }
    keys.close(&[], report);
    named
}

/// Reads `source`. Returns whether a source is named.
fn sources(entry: &Entry<'_>, version: Version, report: &mut Report) -> bool {
    if version.is_legacy() || entry.value.as_array().is_none() {
        return source(entry, version, report);
    }
    let all = entry.elements();
    if all.is_empty() {
        entry.error("source", "the list names no source", "name at least one, or remove the key", report);
    }
    all.iter().filter(|entry| source(entry, version, report)).count() > 0
}

/// Who may own the rights of a problem, in place of `rights_owner`.
pub(super) struct Credited {
    /// Whether authors are named.
    pub(super) authors: bool,
    /// Whether a source is named.
    pub(super) source: bool,
}

/// Reads authors, credits and sources.
pub(super) fn read(keys: &mut Keys<'_>, version: Version, report: &mut Report) -> Credited {
    let source = keys.take("source").is_some_and(|entry| sources(&entry, version, report));
    let authors = match version {
        Version::V2025_09 => keys.take("credits").is_some_and(|entry| credits(&entry, report)),
        _ => keys.take("author").is_some_and(|entry| filled(&entry, report).is_some()),
    };
    if version.is_legacy()
        && let Some(entry) = keys.take("source_url")
        && !source
    {
        let message = "`source_url` must not be given without `source`";
        entry.error("source-url", message, "add `source`, or remove `source_url`", report);
    }
    Credited { authors, source }
}

/// Reads `rights_owner`; `None` if it names nobody.
pub(super) fn owner<'d>(keys: &mut Keys<'d>, version: Version, report: &mut Report) -> Option<Entry<'d>> {
    let entry = keys.take("rights_owner")?;
    // What is not text is reported as such, once.
    if entry.text(report).is_none_or(|text| !text.trim().is_empty()) {
        return Some(entry);
    }
    // Templates of the legacy format leave it empty.
    if version == Version::V2025_09 {
        let help = "write the owner, or remove the key";
        entry.report(Severity::Warning, "rights-owner", "`rights_owner` names nobody", help, report);
    }
    None
}
