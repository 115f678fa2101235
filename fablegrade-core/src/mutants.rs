//! Mutation testing of keys: changes a question's key in small ways and reports the changes that no sample
//! answer notices.
//!
//! A change is *noticed* when a sample answer gets another verdict or another score. For code, only the
//! verdict counts, because the removal of a case changes most scores. If no sample answer notices a change,
//! the same mistake in the key would go unnoticed, too.

use fablegrade_public::json::{Document, Json, Path};
use fablegrade_public::judge::accepts;
use fablegrade_public::{CaseOutcome, Decimal, Error, Finding, Verdict};

use crate::answer::AnswerSpec;
use crate::grader::Grader;
use crate::host::Host;
use crate::request::Answer;

/// The maximum number of changes that are tried for one key.
pub const MOST_CHANGES: usize = 200;

/// The result of mutation testing one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The number of changes that were tried; those that make the spec invalid or leave it equal do not count.
    pub changes: usize,
    /// The number of changes that at least one sample answer notices.
    pub noticed: usize,
    /// One finding per change that is not noticed; pointers are into the spec.
    pub findings: Vec<Finding>,
}

/// Changes a key and grades the samples with each changed key. Each of at most [`MOST_CHANGES`] changes costs
/// one compilation of a spec and at most one grading per sample.
///
/// # Errors
/// The findings about the spec if it cannot be compiled, or about a sample that does not fit the spec.
///
/// ```
/// use fablegrade_core::mutants::unnoticed;
/// use fablegrade_core::request::Documents;
/// use fablegrade_core::{AnswerSpec, Host};
/// let spec = AnswerSpec::from_json(
///     r#"{"type":"numeric","answer":{"value":4,"tolerance":{"mode":"absolute","amount":0.5}}}"#,
/// )?;
/// let sample = Documents { submission: Some(br#"{"type":"numeric","value":4}"#), ..Documents::default() }.read()?;
/// let report = unnoticed(&spec, &[sample], &Host::new())?;
/// // The right value alone notices another sign, but not a wider tolerance.
/// assert!(report.noticed > 0);
/// assert!(report.findings.iter().any(|finding| finding.pointer == "/answer/tolerance/amount"));
/// # Ok::<(), fablegrade_core::Error>(())
/// ```
pub fn unnoticed(spec: &AnswerSpec, samples: &[Answer], host: &Host) -> Result<Report, Error> {
    let grader = Grader::with_host(spec.clone(), host)?;
    let exact = !matches!(spec, AnswerSpec::Code(_));
    let before = samples.iter().map(|sample| verdict(sample, &grader)).collect::<Result<Vec<_>, _>>()?;
    let mut report = Report { changes: 0, noticed: 0, findings: Vec::new() };
    let Some(document) = document(spec) else { return Ok(report) };
    for change in changes(spec, &document) {
        let Some(changed) = change.apply(&document) else { continue };
        let Ok(changed) = AnswerSpec::from_json(changed.to_string()) else { continue };
        if changed == *spec {
            continue;
        }
        // A changed spec that cannot be compiled is noticed without samples, so it does not count.
        let Ok(grader) = Grader::with_host(changed, host) else { continue };
        report.changes += 1;
        let notices = samples.iter().zip(&before).any(|(sample, (verdict_before, score_before))| {
            let sample =
                change.without.map_or_else(|| sample.clone(), |case| without_case(sample, spec, case));
            verdict(&sample, &grader).map_or(true, |(verdict, score)| {
                verdict != *verdict_before || (exact && score != *score_before)
            })
        });
        if notices {
            report.noticed += 1;
        } else {
            report.findings.push(Finding::warning(
                "key-change-unnoticed",
                change.pointer,
                format!("no sample answer notices {}", change.what),
                "add a sample answer that tells the two apart",
            ));
        }
    }
    Ok(report)
}

fn verdict(sample: &Answer, grader: &Grader) -> Result<(Verdict, Option<f64>), Error> {
    sample.grade(grader).map(|result| (result.verdict, result.score))
}

/// Returns a sample without the outcome of one case; later cases of its suite are renumbered.
fn without_case(sample: &Answer, spec: &AnswerSpec, (suite, case): (usize, usize)) -> Answer {
    let AnswerSpec::Code(spec) = spec else { return sample.clone() };
    let name = spec.test_suites[suite].name.as_str();
    let renumber = |outcome: &CaseOutcome| {
        let index = outcome.case_index as usize;
        match outcome.suite == name {
            true if index == case => None,
            true if index > case => {
                Some(CaseOutcome { case_index: outcome.case_index - 1, ..outcome.clone() })
            }
            _ => Some(outcome.clone()),
        }
    };
    let outcomes = sample.outcomes.as_ref().map(|outcomes| outcomes.iter().filter_map(renumber).collect());
    Answer { outcomes, ..sample.clone() }
}

/// A change of a key. A changed document is made only when it is tried, because a spec can have many megabytes.
struct Change {
    /// Completes "no sample answer notices …": for example `that the sign of the value changes`.
    what: &'static str,
    pointer: String,
    /// The pointer to the value that is edited.
    place: String,
    edit: Edit,
    /// The suite and index of the removed case, if the change removes a case.
    without: Option<(usize, usize)>,
}

/// An edit of a value.
enum Edit {
    /// Replaces it.
    Set(Json),
    /// Swaps two entries of an array.
    Swap(usize, usize),
    /// Swaps a field of an entry of an array with the same field of the previous entry.
    SwapFields(usize, &'static str),
    /// Removes an entry of an array.
    Remove(usize),
    /// Removes a field of an object.
    Drop(String),
}

impl Change {
    /// Returns a changed copy of a document; `None` if the document has no such place.
    fn apply(&self, document: &Json) -> Option<Json> {
        let mut changed = document.clone();
        let place = find(&mut changed, &self.place)?;
        match (&self.edit, place) {
            (Edit::Set(value), place) => place.clone_from(value),
            (Edit::Swap(a, b), Json::Array(items)) if (*a).max(*b) < items.len() => items.swap(*a, *b),
            (Edit::SwapFields(at, field), Json::Array(items)) => {
                let (before, here) = items.split_at_mut_checked(*at)?;
                let pointer = Path::Field(&Path::Root, field).pointer();
                std::mem::swap(find(before.last_mut()?, &pointer)?, find(here.first_mut()?, &pointer)?);
            }
            (Edit::Remove(at), Json::Array(items)) if *at < items.len() => {
                items.remove(*at);
            }
            (Edit::Drop(field), Json::Object(fields)) => {
                let at = fields.iter().position(|(name, _)| name.as_ref() == field)?;
                fields.remove(at);
            }
            _ => return None,
        }
        Some(changed)
    }
}

/// Returns a spec as a document.
fn document(spec: &AnswerSpec) -> Option<Json> {
    Document::parse(spec.to_json_with_key().as_bytes()).map(|document| Json::from(document.root())).ok()
}

/// Returns the changes of a key, in a fixed order.
fn changes(spec: &AnswerSpec, document: &Json) -> Vec<Change> {
    let mut editor = Editor { document, changes: Vec::new() };
    match spec {
        AnswerSpec::MultipleChoice(spec) => {
            for at in 0..spec.choices.len() {
                editor.edit(
                    &format!("/choices/{at}/correct"),
                    "that this choice is marked the other way",
                    |value| match value {
                        Json::Bool(correct) => Some(Json::Bool(!correct)),
                        _ => None,
                    },
                );
            }
        }
        AnswerSpec::Numeric(_) => numeric(&mut editor),
        AnswerSpec::Expression(_) => expression(&mut editor),
        AnswerSpec::Ordering(spec) => {
            for at in 1..spec.items.len() {
                editor.swap("/correctOrder", at - 1, at, "that two neighbours change places");
            }
        }
        AnswerSpec::Matching(spec) => {
            for at in 1..spec.correct_pairs.expose().len() {
                editor.swap_fields("/correctPairs", at, "right", "that two partners change places");
            }
        }
        AnswerSpec::Code(spec) => {
            for (suite, _, index, case) in spec.cases() {
                // Nothing is added to a full list, whose last change belongs to an earlier case.
                if editor.changes.len() == MOST_CHANGES {
                    break;
                }
                let pointer = format!("/testSuites/{suite}/cases");
                editor.remove(&pointer, index, "that this case is missing");
                if let Some(change) = editor.changes.last_mut() {
                    change.without = Some((suite, index));
                }
                editor.edit(
                    &format!("{pointer}/{index}/expected"),
                    "that another output is expected here",
                    // A change within the tolerance is too small: most right answers would still pass.
                    |value| {
                        another(value).filter(|new| {
                            new.as_str().is_some_and(|new| !accepts(case, spec.harness.mode, new.as_bytes()))
                        })
                    },
                );
            }
        }
        AnswerSpec::Widget(_) => widget(&mut editor),
        AnswerSpec::FreeText(_) => {}
    }
    editor.changes
}

fn scaled(value: &Json, by: i64) -> Option<Json> {
    match value {
        Json::Number(number) => Some(Json::Number(number.multiply(&Decimal::from(by)))),
        _ => None,
    }
}

fn numeric(editor: &mut Editor<'_>) {
    const VALUE: &str = "/answer/value";
    const AMOUNT: &str = "/answer/tolerance/amount";
    editor.edit(VALUE, "that the sign of the value changes", |value| scaled(value, -1));
    editor.edit(VALUE, "that the value is ten times as large", |value| scaled(value, 10));
    editor.edit(AMOUNT, "that the tolerance is ten times as wide", |value| scaled(value, 10));
    editor.edit(AMOUNT, "that the tolerance is a tenth as wide", |value| match value {
        Json::Number(number) => Some(Json::Number(number.multiply(&Decimal::new(1, -1)))),
        _ => None,
    });
    let (low, high) = (editor.number("/answer/min"), editor.number("/answer/max"));
    if let (Some(low), Some(high)) = (low, high) {
        let width = high.subtract(&low);
        for (pointer, bound) in [("/answer/min", low.subtract(&width)), ("/answer/max", high.add(&width))] {
            editor.edit(pointer, "that this bound lies farther out", |_| Some(Json::Number(bound.clone())));
        }
    }
    editor.edit("/integerOnly", "that fractions are allowed or not", flipped);
    editor.edit("/unit/required", "that the unit is needed or not", flipped);
    let accepted =
        editor.document.pointer("/unit/accepted").and_then(Json::as_array).map_or(0, <[Json]>::len);
    for at in 0..accepted {
        editor.remove("/unit/accepted", at, "that this spelling is not accepted");
    }
}

fn flipped(value: &Json) -> Option<Json> {
    match value {
        Json::Bool(set) => Some(Json::Bool(!set)),
        _ => None,
    }
}

fn expression(editor: &mut Editor<'_>) {
    const KEY: &str = "/canonical";
    let with = |before: &'static str, after: &'static str| {
        move |value: &Json| {
            let key = value.as_str()?;
            // Relations and sets have no sign as a whole.
            let relation = ["\\leq", "\\geq", "\\le ", "\\ge ", "\\neq", "\\ne ", "\\in "];
            let plain =
                !key.contains(['=', '<', '>', ',']) && !relation.iter().any(|sign| key.contains(sign));
            plain.then(|| Json::from(format!("{before}{key}{after}")))
        }
    };
    editor.edit(KEY, "that the sign of the key changes", with("-(", ")"));
    editor.edit(KEY, "that one is added to the key", with("(", ")+1"));
    editor.edit(KEY, "that the key is twice as large", with("2(", ")"));
    editor.edit("/equivalence", "that the form counts", |value| {
        (value.as_str() != Some("literal")).then(|| Json::from("literal"))
    });
    editor.edit("/equivalence", "that only values count", |value| {
        (value.as_str() == Some("literal")).then(|| Json::from("symbolic"))
    });
    // Only sampling uses the tolerance.
    if editor.document.pointer("/equivalence").and_then(Json::as_str) == Some("numeric_sampling") {
        editor.edit("/tolerance", "that the tolerance is ten times as wide", |value| scaled(value, 10));
    }
    let variables = editor.document.pointer("/variables").and_then(Json::as_array).map_or(0, <[Json]>::len);
    for at in 0..variables {
        editor.drop_field(&format!("/variables/{at}"), "domain", "that this variable has no domain");
    }
}

/// Returns a changed text: the last digit increased by one (9 becomes 0), or `x` before a text without
/// digits.
fn another(value: &Json) -> Option<Json> {
    let text = value.as_str()?;
    let changed = match text.rfind(|c: char| c.is_ascii_digit()) {
        Some(at) => {
            let digit = (text.as_bytes()[at] - b'0' + 1) % 10;
            format!("{}{digit}{}", &text[..at], &text[at + 1..])
        }
        None => format!("x{text}"),
    };
    Some(Json::from(changed))
}

fn widget(editor: &mut Editor<'_>) {
    const STATE: &str = "/validator/expectedState";
    const SCHEMA: &str = "/validator/stateSchema";
    let fields: Vec<String> = editor
        .document
        .pointer(STATE)
        .and_then(Json::as_object)
        .unwrap_or_default()
        .iter()
        .map(|(name, _)| name.to_string())
        .collect();
    for name in fields {
        let pointer = format!("{STATE}/{}", name.replace('~', "~0").replace('/', "~1"));
        editor.edit(&pointer, "that another value is expected here", |value| match value {
            Json::Number(number) => Some(Json::Number(number.add(&Decimal::one()))),
            Json::Bool(set) => Some(Json::Bool(!set)),
            Json::String(_) => another(value),
            Json::Null => Some(Json::Bool(true)),
            Json::Array(items) => Some(Json::Array(items.iter().rev().cloned().collect())),
            Json::Object(_) => Some(Json::object(Vec::new())),
        });
        editor.drop_field(STATE, &name, "that this field is not expected");
    }
    let required = editor
        .document
        .pointer(&format!("{SCHEMA}/required"))
        .and_then(Json::as_array)
        .map_or(0, <[Json]>::len);
    for at in 0..required {
        editor.remove(&format!("{SCHEMA}/required"), at, "that this field is optional");
    }
    let properties: Vec<String> = editor
        .document
        .pointer(&format!("{SCHEMA}/properties"))
        .and_then(Json::as_object)
        .unwrap_or_default()
        .iter()
        .map(|(name, _)| name.to_string())
        .collect();
    for name in properties {
        let pointer = format!("{SCHEMA}/properties/{}", name.replace('~', "~0").replace('/', "~1"));
        editor.edit(&pointer, "that any value is right here", |_| Some(Json::Bool(true)));
    }
}

/// Collects the first [`MOST_CHANGES`] changes of a document.
struct Editor<'j> {
    document: &'j Json,
    changes: Vec<Change>,
}

impl Editor<'_> {
    fn number(&self, pointer: &str) -> Option<Decimal> {
        self.document.pointer(pointer).and_then(Json::as_number).cloned()
    }

    /// Adds a change whose finding is at `pointer`.
    fn add(&mut self, what: &'static str, pointer: String, place: &str, edit: Edit) {
        if self.changes.len() < MOST_CHANGES {
            self.changes.push(Change { what, pointer, place: place.to_owned(), edit, without: None });
        }
    }

    /// Adds a change to another value at `pointer`, unless there is no value there or `value` returns `None`.
    fn edit(&mut self, pointer: &str, what: &'static str, value: impl FnOnce(&Json) -> Option<Json>) {
        if self.changes.len() == MOST_CHANGES {
            return;
        }
        if let Some(value) = self.document.pointer(pointer).and_then(value) {
            self.add(what, pointer.to_owned(), pointer, Edit::Set(value));
        }
    }

    fn swap(&mut self, pointer: &str, a: usize, b: usize, what: &'static str) {
        self.add(what, format!("{pointer}/{b}"), pointer, Edit::Swap(a, b));
    }

    fn remove(&mut self, pointer: &str, at: usize, what: &'static str) {
        self.add(what, format!("{pointer}/{at}"), pointer, Edit::Remove(at));
    }

    /// Swaps a field of an entry with the same field of the previous entry.
    fn swap_fields(&mut self, pointer: &str, at: usize, field: &'static str, what: &'static str) {
        self.add(what, format!("{pointer}/{at}"), pointer, Edit::SwapFields(at, field));
    }

    fn drop_field(&mut self, pointer: &str, field: &str, what: &'static str) {
        let below = format!("{pointer}/{}", field.replace('~', "~0").replace('/', "~1"));
        if self.changes.len() < MOST_CHANGES && self.document.pointer(&below).is_some() {
            self.add(what, below, pointer, Edit::Drop(field.to_owned()));
        }
    }
}

/// Returns a mutable reference to the value at a JSON pointer.
fn find<'j>(json: &'j mut Json, pointer: &str) -> Option<&'j mut Json> {
    let mut place = json;
    for token in pointer.split('/').skip(1) {
        let name = token.replace("~1", "/").replace("~0", "~");
        place = match place {
            Json::Array(items) => items.get_mut(name.parse::<usize>().ok()?)?,
            Json::Object(fields) => {
                fields.iter_mut().find(|(key, _)| key.as_ref() == name).map(|(_, value)| value)?
            }
            _ => return None,
        };
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Documents;

    fn report(spec: &str, samples: &[&str]) -> Report {
        let samples: Vec<Answer> = samples
            .iter()
            .map(|text| {
                Documents { submission: Some(text.as_bytes()), ..Documents::default() }.read().unwrap()
            })
            .collect();
        unnoticed(&AnswerSpec::from_json(spec).unwrap(), &samples, &Host::new()).unwrap()
    }

    fn places(report: &Report) -> Vec<&str> {
        report.findings.iter().map(|finding| finding.pointer.as_str()).collect()
    }

    #[test]
    fn samples_near_the_bounds_notice_tolerances() {
        let spec = r#"{"type":"numeric","answer":{"value":4,"tolerance":{"mode":"absolute","amount":0.5}},"integerOnly":false}"#;
        let right = r#"{"type":"numeric","value":4}"#;
        let near = r#"{"type":"numeric","value":4.4}"#;
        let beyond = r#"{"type":"numeric","value":4.6}"#;
        assert_eq!(
            places(&report(spec, &[right])),
            ["/answer/tolerance/amount", "/answer/tolerance/amount", "/integerOnly"]
        );
        let all = report(spec, &[right, near, beyond]);
        assert_eq!((all.findings.len(), all.noticed), (0, all.changes));
        let none = report(spec, &[]);
        assert_eq!((none.noticed, none.findings.len()), (0, none.changes));
    }

    #[test]
    fn each_kind_of_key_is_changed() {
        for (spec, sample, changes, unnoticed) in [
            (
                r#"{"type":"ordering","items":[{"id":"a","content":"a"},{"id":"b","content":"b"},{"id":"c","content":"c"}],"correctOrder":["a","b","c"]}"#,
                r#"{"type":"ordering","order":["a","b","c"]}"#,
                2,
                0,
            ),
            (
                r#"{"type":"matching","left":[{"id":"a","content":"a"},{"id":"b","content":"b"}],"right":[{"id":"x","content":"x"},{"id":"y","content":"y"}],"correctPairs":[{"left":"a","right":"x"},{"left":"b","right":"y"}]}"#,
                r#"{"type":"matching","pairs":[{"left":"a","right":"x"},{"left":"b","right":"y"}]}"#,
                1,
                0,
            ),
            (
                r#"{"type":"expression","canonical":"x+1","equivalence":"symbolic"}"#,
                r#"{"type":"expression","latex":"1+x"}"#,
                4,
                1,
            ),
            (
                r#"{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{"kind":"state_schema","stateSchema":{"type":"object","required":["x"],"properties":{"x":{"const":3}}}}}"#,
                r#"{"type":"widget","state":{"x":4}}"#,
                2,
                1,
            ),
        ] {
            let report = report(spec, &[sample]);
            assert_eq!(
                (report.changes, report.findings.len()),
                (changes, unnoticed),
                "{spec} {:?}",
                report.findings
            );
        }
    }

    #[test]
    fn cases_that_no_sample_fails_alone_are_told() {
        let spec = r#"{"type":"code","languages":["python"],"limits":{},"testSuites":[{"name":"h","visibility":"hidden","cases":[{"input":"1","expected":"1"},{"input":"2","expected":"4"},{"input":"3","expected":"9"}]}]}"#;
        let outcome = |at: usize, text: &str| {
            format!(r#"{{"suite":"h","caseIndex":{at},"end":"exited","exitCode":0,"stdout":"{text}"}}"#)
        };
        let sample = |texts: [&str; 3]| {
            let outcomes: Vec<String> =
                texts.iter().enumerate().map(|(at, text)| outcome(at, text)).collect();
            let outcomes = format!("[{}]", outcomes.join(","));
            let submission = br#"{"type":"code","language":"python","source":"x"}"#;
            Documents {
                submission: Some(submission),
                outcomes: Some(outcomes.as_bytes()),
                ..Documents::default()
            }
            .read()
            .unwrap()
        };
        let spec = AnswerSpec::from_json(spec).unwrap();
        // The second sample fails only the last case, so only the removal of that case changes its verdict.
        // The first sample notices every changed output.
        let samples = [sample(["1", "4", "9"]), sample(["1", "4", "6"])];
        let report = unnoticed(&spec, &samples, &Host::new()).unwrap();
        assert_eq!(places(&report), ["/testSuites/0/cases/0", "/testSuites/0/cases/1"]);
        assert_eq!(report.changes, 6);
    }

    /// Returns a code spec with five suites of 50 cases each.
    fn many_cases() -> AnswerSpec {
        let cases: Vec<String> =
            (0..50).map(|at| format!(r#"{{"input":"{at}","expected":"{at}"}}"#)).collect();
        let suites: Vec<String> = (0..5)
            .map(|at| format!(r#"{{"name":"s{at}","visibility":"hidden","cases":[{}]}}"#, cases.join(",")))
            .collect();
        let suites = suites.join(",");
        let spec =
            format!(r#"{{"type":"code","languages":["python"],"limits":{{}},"testSuites":[{suites}]}}"#);
        AnswerSpec::from_json(spec).unwrap()
    }

    #[test]
    fn changes_are_limited_and_share_one_document() {
        let spec = many_cases();
        let document = document(&spec).unwrap();
        let changes = changes(&spec, &document);
        assert_eq!(changes.len(), MOST_CHANGES);
        let places: Vec<&str> = changes[..3].iter().map(|change| change.place.as_str()).collect();
        assert_eq!(places, ["/testSuites/0/cases", "/testSuites/0/cases/0/expected", "/testSuites/0/cases"]);
        assert!(changes.iter().all(|change| change.apply(&document).is_some()));
    }

    #[test]
    fn the_last_removal_is_that_of_its_own_case() {
        let spec = many_cases();
        let mut document = document(&spec).unwrap();
        // Without this output, there is one change fewer, so the last change in the list is a removal.
        let Some(Json::Object(case)) = find(&mut document, "/testSuites/0/cases/0") else {
            panic!("no case")
        };
        case.retain(|(name, _)| name.as_ref() != "expected");
        let changes = changes(&spec, &document);
        assert!(matches!(changes.last().unwrap().edit, Edit::Remove(_)));
        for change in &changes {
            let removed = change.without.map(|(suite, case)| format!("/testSuites/{suite}/cases/{case}"));
            let expected = matches!(change.edit, Edit::Remove(_)).then(|| change.pointer.clone());
            assert_eq!(removed, expected);
        }
    }

    #[test]
    fn a_change_within_the_tolerance_is_not_tried() {
        let changes = |rest: &str, case: &str| {
            let spec = format!(
                r#"{{"type":"code","languages":["python"],"limits":{{}},{rest}"testSuites":[{{"name":"h","visibility":"hidden","cases":[{case},{case}]}}]}}"#
            );
            let spec = AnswerSpec::from_json(spec).unwrap();
            let changes = changes(&spec, &document(&spec).unwrap());
            changes.iter().filter(|change| matches!(change.edit, Edit::Set(_))).count()
        };
        let pi =
            |matcher: &str| format!(r#"{{"input":"1","expected":"3.1415926536","matcher":"{matcher}"}}"#);
        assert_eq!((changes("", &pi("float_tolerance")), changes("", &pi("tokens"))), (0, 2));
        let function = r#""harness":{"mode":"function","functionName":"f"},"#;
        let call = r#"{"input":"[1]","expected":"[3.1415926536]","matcher":"json","floatTolerance":0.001}"#;
        assert_eq!(changes(function, call), 0);
    }
}
