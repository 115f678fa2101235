//! `widget` questions with their validator: validation, view and marking.

use fablegrade_public::document::{Field as _, Whole, flattened, object, of, optional, required};
use fablegrade_public::json::{self, Json, Object, Path, Read, Value};
use fablegrade_public::view::widget::{WidgetSubmission, WidgetView};
use fablegrade_public::{FeedbackSeverity, Finding, Findings, GradedBy, Ratio};
use fablegrade_schema::Schema;

use super::{Evidence, Question};
use crate::host::{Host, Registered, failed};
use crate::mark::{Mark, Sheet, fraction};
use crate::secret::{Secret, secret};
use crate::shuffle::Order;

fablegrade_public::document! {
    /// A widget question.
    pub struct WidgetSpec {
        /// The public fields: name, version, parameters.
        pub public: WidgetView = flattened();
        /// The validator of the state.
        pub validator: Secret<WidgetValidator> = required("validator", secret(of()));
    }
}

/// The way a widget's state is judged.
#[derive(Clone, PartialEq, Eq)]
pub enum WidgetValidator {
    /// Deep equality. The order of keys does not matter, but that of array elements does; `1` equals `1.0`.
    StateEquals {
        /// The expected state, an object.
        expected_state: Json,
    },
    /// The state must validate against a JSON Schema (draft 2020-12).
    StateSchema {
        /// The schema, an object; references must stay inside it.
        state_schema: Json,
    },
    /// A validator that the host has registered.
    Builtin {
        /// Its name.
        name: String,
        /// Its configuration, an object.
        config: Option<Json>,
    },
}

#[derive(Clone, Copy)]
enum Kind {
    StateEquals,
    StateSchema,
    Builtin,
}

impl Read for WidgetValidator {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        const WORDS: &[(&str, Kind)] = &[
            ("state_equals", Kind::StateEquals),
            ("state_schema", Kind::StateSchema),
            ("builtin", Kind::Builtin),
        ];
        let mut fields =
            Object::open_as(value, at, findings, r#"{"kind": "state_equals", "expectedState": {"x": 3}}"#)?;
        let validator = match fields.required("kind", json::word(WORDS))? {
            Kind::StateEquals => required("expectedState", object())
                .take(&mut fields)
                .map(|expected_state| Self::StateEquals { expected_state }),
            Kind::StateSchema => required("stateSchema", object())
                .take(&mut fields)
                .map(|state_schema| Self::StateSchema { state_schema }),
            Kind::Builtin => {
                let name = fields.required("name", builtin_name);
                let config = optional("config", object()).take(&mut fields);
                name.zip(config).map(|(name, config)| Self::Builtin { name, config })
            }
        };
        fields.close();
        validator
    }
}

fn builtin_name(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let text = json::string(0, usize::MAX)(value, at, findings)?;
    if Host::is_name(&text) {
        return Some(text);
    }
    findings.push(Finding::error(
        "name-form",
        at.pointer(),
        "a validator's name has 1 to 64 lower-case letters, digits or `_`",
        "use the name under which the host registered it",
    ));
    None
}

impl Whole for WidgetValidator {
    fn whole(&self) -> Json {
        match self {
            Self::StateEquals { expected_state } => {
                Json::build().with("kind", "state_equals").with("expectedState", expected_state).build()
            }
            Self::StateSchema { state_schema } => {
                Json::build().with("kind", "state_schema").with("stateSchema", state_schema).build()
            }
            Self::Builtin { name, config } => Json::build()
                .with("kind", "builtin")
                .with("name", name)
                .with_some("config", config.as_ref())
                .build(),
        }
    }
}

/// The compiled validator.
pub(crate) struct Ready {
    view: WidgetView,
    judge: Judge,
}

enum Judge {
    Equals,
    Schema(Schema),
    Host(Registered),
}

impl Ready {
    /// Reports the lint findings of the host's validator about its configuration.
    pub(crate) fn lint_host(&self, findings: &mut Findings) {
        if let Judge::Host(registered) = &self.judge {
            registered.lint(findings);
        }
    }
}

impl Question for WidgetSpec {
    type Submission = WidgetSubmission;
    type View = WidgetView;
    type Ready = Ready;

    fn prepare(&self, host: &Host, findings: &mut Findings) -> Option<Ready> {
        let judge = match self.validator.expose() {
            WidgetValidator::StateEquals { expected_state } => {
                if expected_state.to_canonical().len() > fablegrade_public::view::widget::MAX_STATE_BYTES {
                    findings.push(Finding::error(
                        "expected-state-too-large",
                        "/validator/expectedState",
                        "the expected state is larger than a state may be, so nobody can reach it",
                        "make the state smaller",
                    ));
                }
                Judge::Equals
            }
            WidgetValidator::StateSchema { state_schema } => match Schema::new(state_schema) {
                Ok(schema) => Judge::Schema(schema),
                Err(error) => {
                    findings.push(Finding::error(
                        error.rule(),
                        "/validator/stateSchema",
                        error.to_string(),
                        error.help(),
                    ));
                    return None;
                }
            },
            WidgetValidator::Builtin { name, config } => {
                let Some(validator) = host.validator(name) else {
                    findings.push(Finding::error(
                        "unknown-validator",
                        "/validator/name",
                        "the host has no validator of this name",
                        "register it with the host or correct the name",
                    ));
                    return None;
                };
                Judge::Host(Registered::compile(validator, config.as_ref(), findings)?)
            }
        };
        (findings.errors() == 0).then(|| Ready { view: self.view(&Order::Sorted), judge })
    }

    fn view(&self, _order: &Order<'_>) -> WidgetView {
        let Self { public: WidgetView { widget_name, widget_version, params }, validator: _ } = self;
        WidgetView {
            widget_name: widget_name.clone(),
            widget_version: widget_version.clone(),
            params: params.clone(),
        }
    }

    fn mark(
        &self,
        ready: &Ready,
        submission: &WidgetSubmission,
        _evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark {
        if let Err(refusal) = ready.view.admit(submission) {
            return Mark::Refused(refusal);
        }
        let state = &submission.state;
        let score =
            match (&ready.judge, self.validator.expose()) {
                (Judge::Equals, WidgetValidator::StateEquals { expected_state }) => {
                    if state == expected_state { Ratio::one() } else { Ratio::zero() }
                }
                (Judge::Schema(schema), _) => {
                    if !schema.is_affordable(state) {
                        return failed(
                            sheet,
                            "a validation of this state by the recursive schema takes too many steps",
                        );
                    }
                    sheet.trace.step("schema-evaluated", || {
                        let places = schema.failing(state, 10).into_iter().map(Json::from).collect();
                        vec![("failing", Json::Array(places))]
                    });
                    if schema.is_valid(state) { Ratio::one() } else { Ratio::zero() }
                }
                (Judge::Host(registered), WidgetValidator::Builtin { config, .. }) => {
                    return registered.mark(config.as_ref(), state, sheet);
                }
                // `prepare` creates the judge from the validator, so the two match.
                _ => Ratio::zero(),
            };
        if !score.is_one() {
            sheet.tell(FeedbackSeverity::Info, "The state of the widget is not the expected one.");
        }
        sheet.trace.step("state-judged", || vec![("score", fraction(&score))]);
        Mark::Scored(score)
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }
}

#[cfg(test)]
mod tests {
    use crate::{AnswerSpec, Submission, grade};

    #[test]
    fn a_state_that_takes_too_long_to_check_is_undecided() {
        let spec = AnswerSpec::from_json(
            r##"{"type":"widget","widgetName":"tree","widgetVersion":"1.0.0","validator":{"kind":"state_schema","stateSchema":
                {"type":"object","properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}}}"##,
        )
        .unwrap();
        let graded = |levels: usize| {
            let state = r#"{"a":"#.repeat(levels) + "{}" + &"}".repeat(levels);
            let submission = format!(r#"{{"type":"widget","state":{state}}}"#);
            grade(&spec, &Submission::from_json(&submission).unwrap()).unwrap()
        };
        assert_eq!(graded(5).verdict.as_str(), "correct");
        let refused = graded(60);
        assert_eq!((refused.verdict.as_str(), refused.score), ("error", None), "{refused:?}");
    }
}
