//! Runs every vector through the Rust crates.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use fablegrade_core::answer::code::SuiteCases;
use fablegrade_core::host::{Judgement, Message, Sentence, Steps, Unjudged};
use fablegrade_core::json::Json;
use fablegrade_core::request::Documents;
use fablegrade_core::{
    AnswerSpec, Attempt, AttemptResult, CaseOutcome, Context, Decimal, DeliveryView, Error, ErrorKind,
    Finding, Findings, GradeInput, Grader, Host, Marked, Matcher, Ratio, StateJudge, StateValidator,
    Submission, deliver, lint_json_knowing, lint_with,
};
use fablegrade_tests::{Expected, Kind, Rule, Vector, repository, rules_of, rules_of_the_source, vectors};
use fablegrade_validators::standard;

/// Runs `check` on every vector of a kind and reports all that disagree, with their names and reasons.
fn each(kind: Kind, check: impl Fn(&Vector) -> Result<(), String>) {
    let (mut count, mut report) = (0, String::new());
    for vector in vectors().iter().filter(|vector| vector.kind == kind) {
        count += 1;
        if let Err(difference) = check(vector) {
            let _ = writeln!(report, "\n{}\n  because: {}\n{difference}", vector.name, vector.why);
        }
    }
    assert!(count > 0, "no vectors of this kind");
    assert!(report.is_empty(), "{report}");
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("  {what}\n  expected: {expected:?}\n  found:    {found:?}"))
    }
}

fn rows(findings: &[Finding]) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> =
        findings.iter().map(|finding| vec![finding.pointer.clone(), finding.rule.to_owned()]).collect();
    rows.sort();
    rows
}

fn triples(findings: &[Finding]) -> Vec<Vec<String>> {
    let row = |finding: &Finding| {
        vec![finding.severity.as_str().to_owned(), finding.rule.to_owned(), finding.pointer.clone()]
    };
    let mut rows: Vec<_> = findings.iter().map(row).collect();
    rows.sort();
    rows
}

fn mark(vector: &Vector) -> Result<Marked, Error> {
    let text = |field: &str| vector.document(field).unwrap_or_default();
    let grader = Grader::from_json_with(text("spec"), &standard())?;
    let context = match vector.document("context") {
        Some(context) => Context::from_json(context)?,
        None => Context::new(),
    };
    let outcomes = vector.document("outcomes").map(CaseOutcome::list_from_json).transpose()?;
    if let Some(attempt) = vector.document("attempt") {
        let attempt = Attempt::from_json(attempt)?;
        let input = GradeInput::of_attempt(&attempt).with_context(&context).with_explanation();
        return grader
            .grade_with(&outcomes.iter().fold(input, |input, outcomes| input.with_outcomes(outcomes)));
    }
    let submission = Submission::from_json(text("submission"))?;
    match &outcomes {
        Some(outcomes) => grader.grade_with(
            &GradeInput::new(&submission).with_outcomes(outcomes).with_context(&context).with_explanation(),
        ),
        None => {
            let marked =
                grader.grade_with(&GradeInput::new(&submission).with_context(&context).with_explanation())?;
            assert_eq!(
                grader.grade_with(&GradeInput::new(&submission).with_context(&context))?.result().to_json(),
                marked.result().to_json(),
                "{}: the explained result differs",
                vector.name
            );
            Ok(marked)
        }
    }
}

#[test]
fn every_grade_vector_gives_its_bytes() {
    each(Kind::Grade, |vector| match (vector.expected(), mark(vector)) {
        (Expected::Result(expected), Ok(marked)) => {
            let found = marked.result().to_json();
            same("result", &expected, &found)?;
            let read = AttemptResult::from_json(&found)
                .map_err(|error| format!("  not a result document: {error}"))?;
            same("read and written again", &expected, &read.to_json())?;
            let refused = marked.explanation().steps().iter().find(|step| step.code == "refused");
            let rule = refused.and_then(|step| step.facts.first()).and_then(|(_, fact)| fact.as_str());
            same("refusal", &vector.word("refusal"), &rule)
        }
        (Expected::Error(kind, rules), Err(error)) => {
            same("kind", &kind.as_str(), &error.kind().as_str())?;
            same("rules", &rules, &rows(error.findings()))
        }
        (Expected::Result(expected), Err(error)) => {
            Err(format!("  expected: {expected}\n  found:    {error:?}"))
        }
        (Expected::Error(kind, rules), Ok(marked)) => {
            Err(format!("  expected: {kind} {rules:?}\n  found:    {}", marked.result().to_json()))
        }
    });
}

#[test]
fn every_deliver_vector_gives_its_bytes() {
    each(Kind::Deliver, |vector| {
        let text = vector.document("spec").unwrap_or_default();
        let spec = AnswerSpec::from_json(&text).map_err(|error| format!("{error:?}"))?;
        let seed = vector.word("seed").unwrap_or_default();
        let view = deliver(&spec, seed);
        same("view", &vector.word("view").unwrap_or_default(), &view.to_json().as_str())?;
        let read = DeliveryView::from_json(view.to_json()).map_err(|error| format!("{error:?}"))?;
        same("read again", &view, &read)?;
        if has_a_secret(&spec) && AnswerSpec::from_json(view.to_json()).is_ok() {
            return Err("  the view can be graded, so a key is in it".to_owned());
        }
        Ok(())
    });
}

/// Returns whether a spec has a secret. Free text has no secret field; a code question has none if all its
/// suites are public.
fn has_a_secret(spec: &AnswerSpec) -> bool {
    match spec {
        AnswerSpec::FreeText(_) => false,
        AnswerSpec::Code(code) => {
            code.test_suites.iter().any(|suite| matches!(suite.cases, SuiteCases::Hidden(_)))
        }
        _ => true,
    }
}

#[test]
fn every_lint_vector_gives_its_findings() {
    each(Kind::Lint, |vector| {
        let findings = lint_json_knowing(vector.document("spec").unwrap_or_default(), &standard());
        if !findings.is_sorted_by_key(|finding| std::cmp::Reverse(finding.severity)) {
            return Err("  the most severe findings come first".to_owned());
        }
        same("findings", &vector.rows("findings"), &triples(&findings))
    });
}

#[test]
fn every_match_vector_is_decided_as_it_says() {
    each(Kind::Match, |vector| {
        let word = vector.word("matcher").unwrap_or_default();
        let matcher = Matcher::WORDS.iter().find(|(name, _)| *name == word).map(|(_, matcher)| *matcher);
        let matcher = matcher.ok_or_else(|| format!("  no matcher `{word}`"))?;
        let tolerance = vector.document("floatTolerance").map(|text| Decimal::from_text(&text)).transpose();
        let tolerance = tolerance.map_err(|error| format!("  {error}"))?;
        let found = matcher.compare(&vector.bytes("expected"), &vector.bytes("actual"), tolerance.as_ref());
        same("accept", &vector.flag("accept"), &Some(found.accepted))?;
        same("a difference is told", &found.accepted, &found.difference.is_none())
    });
}

#[test]
fn every_check_vector_is_of_its_form_or_not() {
    each(Kind::Check, |vector| {
        let text = vector.document("instance").unwrap_or_default();
        let found = match vector.word("schema") {
            Some("AnswerSpec") => AnswerSpec::from_json(text).map(drop),
            Some("Submission") => Submission::from_json(text).map(drop),
            Some("Attempt") => Attempt::from_json(text).map(drop),
            Some("AttemptResult") => AttemptResult::from_json(text).map(drop),
            other => return Err(format!("  no schema {other:?}")),
        };
        same("valid", &vector.flag("valid"), &Some(found.is_ok()))?;
        let Err(error) = found else { return Ok(()) };
        if !matches!(error.kind(), ErrorKind::Json | ErrorKind::Schema) {
            return Err(format!("  an error of kind {:?}", error.kind()));
        }
        same("rules", &vector.rows("rules"), &rows(error.findings()))
    });
}

#[test]
fn names_are_unique_and_there_are_many() {
    let all = vectors();
    let names: BTreeSet<&str> = all.iter().map(|vector| vector.name.as_str()).collect();
    assert_eq!(names.len(), all.len());
    assert!(all.len() >= 250);
}

/// Rules that no vector covers, with the reasons.
const NOT_IN_VECTORS: [&str; 15] = [
    // Other tests check these rules.
    "unknown-locale",
    "invalid-utf8",
    "validator-config",
    "unreadable-state",
    "key-in-view",
    "unknown-hint",
    // The message contains the parser's words.
    "unreadable-formula",
    "unreadable-expression",
    // These rules are not about one document.
    "two-answers",
    "key-change-unnoticed",
    "duplicate-item",
    "item-id",
    // The reader accepts no number that is too precise, and no readable expression is known that cannot be
    // compared with itself. These match arms are a precaution.
    "domain-too-precise",
    "tolerance-too-precise",
    "canonical-undecided",
];

#[test]
fn no_rule_of_the_source_lacks_a_vector() {
    let mut shown: BTreeSet<String> = BTreeSet::new();
    let mut refused: BTreeSet<String> = BTreeSet::new();
    for vector in vectors() {
        shown.extend(vector.rows("findings").into_iter().filter_map(|row| row.into_iter().nth(1)));
        shown.extend(vector.rows("rules").into_iter().filter_map(|row| row.into_iter().nth(1)));
        if vector.kind == Kind::Grade
            && let Expected::Error(_, rules) = vector.expected()
        {
            shown.extend(rules.into_iter().filter_map(|row| row.into_iter().nth(1)));
        }
        refused.extend(vector.word("refusal").map(ToOwned::to_owned));
    }
    let rules = rules_of_the_source();
    assert!(rules.len() > 90, "the rules are no longer found: {rules:?}");
    let missing: Vec<&String> = rules
        .iter()
        .filter(|(name, rule)| {
            let name = name.as_str();
            !NOT_IN_VECTORS.contains(&name)
                && match rule {
                    Rule::Finding => !shown.contains(name),
                    Rule::Refusal => !refused.contains(name),
                    Rule::Both => !shown.contains(name) || !refused.contains(name),
                }
        })
        .map(|(name, _)| name)
        .collect();
    assert!(missing.is_empty(), "rules without a vector: {missing:?}");
}

#[test]
fn an_unreadable_formula_is_refused_with_its_place() {
    let grader =
        Grader::from_json(r#"{"type":"expression","canonical":"x+1","equivalence":"symbolic"}"#).unwrap();
    let submission = Submission::from_json(r#"{"type":"expression","latex":"xé+\\frac{1"}"#).unwrap();
    let marked = grader.grade_with(&GradeInput::new(&submission).with_explanation()).unwrap();
    let result = marked.result();
    assert_eq!((result.verdict.as_str(), result.score, result.feedback.len()), ("error", None, 1));
    assert!(result.feedback[0].message().starts_with("The formula cannot be read at character "));
    assert_eq!(marked.explanation().steps()[0].facts[0].1.as_str(), Some("unreadable-formula"));
}

#[test]
fn documents_are_refused_together() {
    let error = Documents {
        submission: Some(br#"{"type":"numeric"}"#),
        attempt: Some(b"{"),
        context: Some(br#"{"hints":{"a":2}}"#),
        ..Documents::default()
    }
    .read()
    .unwrap_err();
    let expected = [
        ["/attempt", "json-syntax"],
        ["/attempt", "two-answers"],
        ["/context/hints/a", "out-of-range"],
        ["/submission", "missing-field"],
    ];
    assert_eq!(rows(error.findings()), expected);
    assert_eq!(Documents::default().read().unwrap_err().rule(), "missing-field");
}

#[test]
fn a_spec_is_refused_together_with_its_answer() {
    let broken = Documents { submission: Some(br#"{"type":"numeric"}"#), ..Documents::default() };
    let error =
        broken.grade(r#"{"type":"ordering","items":[],"correctOrder":[1]}"#, &Host::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    let places: Vec<&str> = error.findings().iter().map(|finding| finding.pointer.as_str()).collect();
    assert!(places.contains(&"/spec/items") && places.contains(&"/submission"), "{places:?}");
    let whole = Documents { submission: Some(br#"{"type":"numeric","value":4}"#), ..Documents::default() };
    let result = whole.grade(r#"{"type":"numeric","answer":{"value":4}}"#, &Host::new()).unwrap();
    assert_eq!(result.score, Some(1.0));
}

#[test]
fn invalid_utf8_is_no_document() {
    let error = Submission::from_json(b"{\"type\":\"expression\",\"latex\":\"\xff\"}").unwrap_err();
    assert_eq!((error.kind(), error.rule(), error.pointer()), (ErrorKind::Json, "invalid-utf8", ""));
}

#[test]
fn an_unknown_hint_is_told_to_the_caller_only() {
    let grader = Grader::from_json(r#"{"type":"numeric","answer":{"value":4}}"#).unwrap();
    let attempt = Attempt::from_json(
        r#"{"problemId":"11111111-1111-4111-8111-111111111111","hintsUsed":["h1","nobody"],
            "problemVersionId":"22222222-2222-4222-8222-222222222222","submission":{"type":"numeric","value":4}}"#,
    )
    .unwrap();
    let context = Context::from_json(r#"{"hints":{"h1":0.1}}"#).unwrap();
    let marked = grader
        .grade_with(&GradeInput::of_attempt(&attempt).with_context(&context).with_explanation())
        .unwrap();
    let warnings = marked.explanation().warnings();
    assert_eq!(triples(warnings), [["warning", "unknown-hint", "/hintsUsed/1"]]);
    assert!(!marked.result().to_json().contains("nobody"));
}

#[test]
fn a_spec_is_never_taken_for_a_view() {
    for (spec, pointer) in [
        (r#"{"type":"numeric","answer":{"value":1}}"#, "/answer"),
        (r#"{"type":"expression","canonical":"x","equivalence":"symbolic"}"#, "/canonical"),
        (
            r#"{"type":"ordering","items":[{"id":"a","content":1},{"id":"b","content":2}],"correctOrder":["a","b"]}"#,
            "/correctOrder",
        ),
        (
            r#"{"type":"multiple_choice","choices":[{"id":"a","content":1},{"id":"b","content":2,"correct":true}]}"#,
            "/choices/1/correct",
        ),
        (
            r#"{"type":"multiple_choice","choices":[{"id":"a","content":1,"feedback":"no"},{"id":"b","content":2}]}"#,
            "/choices/0/feedback",
        ),
    ] {
        let error = DeliveryView::from_json(spec).unwrap_err();
        assert_eq!((error.rule(), error.pointer()), ("key-in-view", pointer));
    }
}

/// A host's validator without a configuration. The score is the state's `x`.
struct Score;

impl StateValidator for Score {
    fn sentences(&self) -> &[Sentence] {
        const { &[Sentence::hint("no-x", "Move the point.")] }
    }

    fn compile(&self, config: Option<&Json>, _findings: &mut Findings) -> Option<Box<dyn StateJudge>> {
        config.is_none().then(|| Box::new(Score) as Box<dyn StateJudge>)
    }
}

impl StateJudge for Score {
    fn judge(&self, state: &Json, _steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        let number = state.get("x").ok_or_else(|| Unjudged::Unreadable(Message::sentence("no-x")))?;
        let number = number.as_number().ok_or_else(|| Unjudged::Failed("x is not a number".to_owned()))?;
        Ok(Judgement::new(Ratio::from_decimal(number)))
    }
}

#[test]
fn a_host_brings_validators() {
    let host = Host::new().with_validator("score", Score);
    let spec = |validator: &str| {
        AnswerSpec::from_json(format!(
            r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{validator}}}"#
        ))
        .unwrap()
    };
    let configured = spec(r#"{"kind":"builtin","name":"score","config":{}}"#);
    assert_eq!(triples(&lint_with(&configured, &host)), [["error", "validator-config", "/validator/config"]]);
    assert_eq!(Grader::with_host(configured, &host).unwrap_err().rule(), "validator-config");

    let grader = Grader::with_host(spec(r#"{"kind":"builtin","name":"score"}"#), &host).unwrap();
    let score = |state: &str| {
        let submission = Submission::from_json(format!(r#"{{"type":"widget","state":{state}}}"#)).unwrap();
        let result = grader.grade(&submission);
        (result.verdict.as_str(), result.score)
    };
    assert_eq!(score(r#"{"x":0.25}"#), ("partial", Some(0.25)));
    assert_eq!(score(r#"{"x":1}"#), ("correct", Some(1.0)));
    assert_eq!(score(r#"{"x":7}"#), ("error", None), "no score is above 1");
    assert_eq!(score(r#"{"x":-7}"#), ("error", None), "no score is below 0");
    assert_eq!(
        score(r#"{"x":[]}"#),
        ("error", None),
        "a validator that cannot judge is not a verdict on the learner"
    );
    let submission = Submission::from_json(r#"{"type":"widget","state":{}}"#).unwrap();
    let marked = grader.grade_with(&GradeInput::new(&submission).with_explanation()).unwrap();
    assert_eq!(marked.result().feedback[0].message(), "Move the point.");
    assert_eq!(marked.explanation().steps()[0].facts[0].1.as_str(), Some("unreadable-state"));
}

#[test]
fn committed_files_are_what_the_decisions_say() {
    let python = ["python3", "python"].into_iter().find(|name| {
        std::process::Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    // Without Python, the other tests still run the files.
    let Some(python) = python else { return };
    let output = std::process::Command::new(python)
        .arg(repository().join("tests/vectors/author.py"))
        .arg("--check")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_rule_of_a_configuration_has_an_entry_in_the_docs() {
    let page = std::fs::read_to_string(repository().join("docs/validators.md")).unwrap();
    let (_, section) = page.split_once("\n## Rules of configurations\n").unwrap();
    let rows: BTreeSet<&str> =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let rules = rules_of(&["fablegrade-validators/src"]);
    let missing: Vec<&String> = rules.keys().filter(|name| !rows.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "rules without an entry in docs/validators.md: {missing:?}");
    // Otherwise the rules are no longer found in the sources, or the entry is about no rule.
    let unknown: Vec<&&str> = rows.iter().filter(|name| !rules.contains_key(**name)).collect();
    assert!(unknown.is_empty(), "entries of docs/validators.md about no rule: {unknown:?}");
}

#[test]
fn every_rule_has_an_entry_in_the_docs() {
    let page = std::fs::read_to_string(repository().join("docs/lint.md")).unwrap();
    let missing: Vec<String> = rules_of_the_source()
        .into_iter()
        .filter(|(name, rule)| {
            let finding = *rule == Rule::Refusal || page.contains(&format!("\n### `{name}`\n"));
            let refusal = *rule == Rule::Finding || page.contains(&format!("\n| `{name}` |"));
            !finding || !refusal
        })
        .map(|(name, _)| name)
        .collect();
    assert!(missing.is_empty(), "rules without an entry in docs/lint.md: {missing:?}");
}
