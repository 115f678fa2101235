//! Readers for single values (texts, names, paths, counts, times), and warnings about field names.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::{Object, Path, Value, decimal, integer, string};

use super::super::Manner;
use crate::name;

/// The maximum number of rubrics, and of entries in most other lists.
pub(super) const MAX_ENTRIES: usize = 1_000;
/// The maximum time in seconds: a week. Other counts have the same maximum.
pub(super) const MAX_SECONDS: i64 = 7 * 24 * 3_600;

pub(super) type Wanted<T> = Option<T>;

pub(super) fn short(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    string(1, 1_000)(value, at, findings)
}

pub(super) fn long(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    string(0, 100_000)(value, at, findings)
}

/// Reads a number of seconds that is at least 1.
pub(super) fn seconds(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<u32> {
    count_from(1, value, at, findings)
}

pub(super) fn count(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<u32> {
    count_from(0, value, at, findings)
}

pub(super) fn count_from(
    least: i64,
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Wanted<u32> {
    integer(least, MAX_SECONDS)(value, at, findings).and_then(|number| u32::try_from(number).ok())
}

/// Reads a text and converts it with `accept`, whose error is the rule, message and help of a finding.
pub(super) fn form<T>(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
    accept: impl FnOnce(&str) -> Result<T, (&'static str, String, &'static str)>,
) -> Wanted<T> {
    let text = short(value, at, findings)?;
    match accept(&text) {
        Ok(accepted) => Some(accepted),
        Err((rule, message, help)) => {
            findings.push(Finding::error(rule, at.pointer(), message, help));
            None
        }
    }
}

/// Reads the id of a container, rubric or package.
pub(super) fn id(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    form(value, at, findings, |text| {
        if name::is_id(text) {
            return Ok(text.to_owned());
        }
        let message = "not an id: expected a letter, then at most 63 letters, digits, `_` or `-`";
        Err(("id-form", message.to_owned(), "choose an id such as `api_tester`"))
    })
}

pub(super) fn package_path(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    form(value, at, findings, |text| {
        name::package_path(text).map_err(|problem| {
            let message = format!("the path {}", problem.as_str());
            (
                "path-form",
                message,
                "give a path relative to the root of the package, with `/` between its steps",
            )
        })
    })
}

pub(super) fn container_path(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    form(value, at, findings, |text| {
        name::container_path(text).map_err(|problem| {
            ("path-form", format!("the path {}", problem.as_str()), "give an absolute path in the container")
        })
    })
}

pub(super) fn above_zero(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Decimal> {
    let number = decimal(value, at, findings)?;
    if number > Decimal::zero() {
        return Some(number);
    }
    findings.push(Finding::error(
        "not-above-zero",
        at.pointer(),
        "the number must be above zero",
        "give a number above zero",
    ));
    None
}

/// Warns of fields that the format does not define.
pub(super) fn warn_of_others(value: Value<'_>, known: &[&str], at: &Path<'_>, findings: &mut Findings) {
    for (key, _) in value.fields() {
        if !known.contains(&key.as_ref()) && !key.starts_with("x-") && key != "$schema" {
            findings.push(Finding::warning(
                "unknown-field",
                Path::Field(at, &key).pointer(),
                "this field is not part of the document and has no effect",
                "remove it, correct its name or prefix it with `x-`",
            ));
        }
    }
}

pub(super) fn warn_of_alias(alias: &'static str, name: &'static str, at: &Path<'_>, findings: &mut Findings) {
    findings.push(Finding::warning(
        "older-name",
        Path::Field(at, alias).pointer(),
        format!("older packages say `{alias}`, the document says `{name}`"),
        format!("rename it to `{name}`"),
    ));
}

/// Returns a required field and its key, and whether the key is the name that older packages use.
pub(super) fn required_or<'d>(
    object: &mut Object<'d, '_, '_>,
    name: &'static str,
    alias: &'static str,
    manner: Manner,
) -> (Option<(Value<'d>, &'static str)>, bool) {
    if let Some(value) = object.take(name) {
        return (Some((value, name)), false);
    }
    match object.take(alias) {
        Some(value) if manner == Manner::Lenient => (Some((value, alias)), true),
        _ => (None, false),
    }
}

/// Reads a required text under its current name or, if lenient, under its older name.
pub(super) fn named(
    object: &mut Object<'_, '_, '_>,
    name: &'static str,
    alias: &'static str,
    manner: Manner,
) -> Wanted<String> {
    let at = object.path();
    let (found, older) = required_or(object, name, alias, manner);
    let Some((value, key)) = found else { return object.required(name, short) };
    let mut findings = Findings::new();
    if older {
        warn_of_alias(alias, name, at, &mut findings);
    }
    let text = short(value, &Path::Field(at, key), &mut findings);
    findings.into_vec().into_iter().for_each(|finding| object.report(finding));
    text
}
