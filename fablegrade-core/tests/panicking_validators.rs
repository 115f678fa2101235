//! A panic in a registered validator is an error of the question, never a score, and does not affect other
//! questions.
#![allow(clippy::unwrap_used, clippy::panic)]

use fablegrade_core::host::{Judgement, Steps, Unjudged};
use fablegrade_core::json::Json;
use fablegrade_core::{
    AnswerSpec, Findings, Grader, Host, StateJudge, StateValidator, Submission, Verdict, lint_with,
};

/// A validator that panics in the method that its configuration names: `compile`, `judge` or `lint`.
struct Panics;

struct PanicsAt(String);

impl PanicsAt {
    fn pass(&self, place: &str) {
        assert!(self.0 != place, "on purpose, and the key is SECRET");
    }
}

impl StateValidator for Panics {
    fn compile(&self, config: Option<&Json>, _findings: &mut Findings) -> Option<Box<dyn StateJudge>> {
        let judge = PanicsAt(config?.get("at")?.as_str()?.to_owned());
        judge.pass("compile");
        Some(Box::new(judge))
    }
}

impl StateJudge for PanicsAt {
    fn judge(&self, _state: &Json, _steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        self.pass("judge");
        Ok(Judgement::of(true))
    }

    fn lint(&self, _findings: &mut Findings) {
        self.pass("lint");
    }
}

fn host() -> Host {
    Host::new().with_validator("panics", Panics)
}

fn spec(place: &str) -> AnswerSpec {
    AnswerSpec::from_json(format!(
        r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin","name":"panics","config":{{"at":"{place}"}}}}}}"#
    ))
    .unwrap()
}

fn submission() -> Submission {
    Submission::from_json(r#"{"type":"widget","state":{"x":1}}"#).unwrap()
}

#[test]
fn a_panic_while_judging_is_the_verdict_error() {
    let grader = Grader::with_host(spec("judge"), &host()).unwrap();
    for _ in 0..2 {
        let result = grader.grade(&submission());
        assert_eq!((result.verdict, result.score), (Verdict::Error, None));
        assert!(!result.to_json().contains("SECRET"));
    }
    let sound = Grader::with_host(spec("nowhere"), &host()).unwrap();
    assert_eq!(sound.grade(&submission()).score, Some(1.0));
}

#[test]
fn a_panic_while_compiling_refuses_the_question() {
    let refused = Grader::with_host(spec("compile"), &host()).unwrap_err();
    assert_eq!(refused.rule(), "validator-config");
    assert!(!refused.to_string().contains("SECRET"));
}

#[test]
fn a_panic_while_linting_finds_nothing() {
    assert_eq!(lint_with(&spec("lint"), &host()), lint_with(&spec("nowhere"), &host()));
}
