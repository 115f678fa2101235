//! `widget` with its validator: marking, view, checks.

use fablegrade_public::document::{Field as _, Whole, flattened, object, of, optional, required};
use fablegrade_public::json::{self, Json, Object, Path, Read, Value};
use fablegrade_public::view::widget::{WidgetSubmission, WidgetView};
use fablegrade_public::{FeedbackSeverity, Finding, Findings, GradedBy, Ratio};
use jsonschema::{Draft, PatternOptions, Validator as SchemaValidator};

use super::{Evidence, Question};
use crate::host::{Host, Registered};
use crate::mark::{Mark, Sheet, fraction};
use crate::secret::{Secret, secret};
use crate::shuffle::Order;

fablegrade_public::document! {
    /// A widget question.
    pub struct WidgetSpec {
        /// The public fields: name, version, parameters.
        pub public: WidgetView = flattened();
        /// What decides whether a state is right.
        pub validator: Secret<WidgetValidator> = required("validator", secret(of()));
    }
}

/// How a widget's state is judged.
#[derive(Clone, PartialEq, Eq)]
pub enum WidgetValidator {
    /// Deep equality: key order free, arrays ordered, `1` equal to `1.0`.
    StateEquals {
        /// The expected state, an object.
        expected_state: Json,
    },
    /// The state must validate against a JSON Schema (draft 2020-12).
    StateSchema {
        /// The schema, an object; references must stay inside it.
        state_schema: Json,
    },
    /// A function that the host has registered.
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
    Schema(Box<SchemaValidator>),
    Host(Registered),
}

impl Ready {
    /// Reports what the host's validator finds questionable in its configuration.
    pub(crate) fn lint_host(&self, findings: &mut Findings) {
        if let Judge::Host(registered) = &self.judge {
            registered.lint(findings);
        }
    }
}

/// The most a schema may expand to when every reference is written out: bounds the work of a validation.
const MAX_EXPANSION: u64 = 20_000;

/// Whether all references stay inside the schema, and how large it gets when they are written out.
///
/// References in a cycle are counted once: the depth of the state bounds them.
fn check_references(schema: &Json) -> Result<(), (&'static str, &'static str, &'static str)> {
    let mut pending = vec![schema];
    let mut references = Vec::new();
    while let Some(node) = pending.pop() {
        match node {
            Json::Array(items) => pending.extend(items),
            Json::Object(fields) => {
                for (key, value) in fields {
                    if let ("$ref" | "$dynamicRef", Some(target)) = (key.as_ref(), value.as_str()) {
                        if !target.starts_with('#') {
                            return Err((
                                "remote-reference",
                                "a reference leaves the schema",
                                "put the referenced schema under `$defs` and refer to it with `#/$defs/...`",
                            ));
                        }
                        references.push(target);
                    }
                    pending.push(value);
                }
            }
            _ => {}
        }
    }
    let mut sizes = std::collections::BTreeMap::new();
    for target in references {
        // Depth-first with an explicit stack would need the order of evaluation; a bound on the nesting of
        // references serves as well and is simpler: sizes multiply at most this often.
        if expansion(schema, target.trim_start_matches('#'), 0, &mut sizes) > MAX_EXPANSION {
            return Err((
                "schema-too-large",
                "written out with all its references the schema is too large",
                "refer to shared parts less often",
            ));
        }
    }
    Ok(())
}

/// Number of schema nodes below `pointer` with references written out; recursion is bounded by `depth`.
fn expansion<'s>(
    root: &'s Json,
    pointer: &'s str,
    depth: usize,
    sizes: &mut std::collections::BTreeMap<&'s str, u64>,
) -> u64 {
    if let Some(&size) = sizes.get(pointer) {
        return size;
    }
    if depth > 64 {
        return MAX_EXPANSION + 1;
    }
    // A cycle sees itself as one node.
    sizes.insert(pointer, 1);
    let mut size: u64 = 0;
    let mut pending: Vec<&'s Json> = root.pointer(pointer).into_iter().collect();
    while let Some(node) = pending.pop() {
        size = size.saturating_add(1);
        match node {
            Json::Array(items) => pending.extend(items),
            Json::Object(fields) => {
                for (key, value) in fields {
                    if let ("$ref" | "$dynamicRef", Some(target)) = (key.as_ref(), value.as_str()) {
                        let target = target.trim_start_matches('#');
                        size = size.saturating_add(expansion(root, target, depth + 1, sizes));
                    }
                    pending.push(value);
                }
            }
            _ => {}
        }
    }
    sizes.insert(pointer, size);
    size
}

/// The JSON value as the schema library takes it: integers of 64 bits exactly, other numbers as the nearest `f64`.
fn to_serde(json: &Json) -> serde_json::Value {
    serde_json::to_value(json).unwrap_or(serde_json::Value::Null)
}

fn compile(schema: &Json) -> Result<SchemaValidator, (&'static str, &'static str, &'static str)> {
    check_references(schema)?;
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex().size_limit(1 << 20).dfa_size_limit(1 << 20))
        .build(&to_serde(schema))
        // The library's message quotes the schema, which is secret.
        .map_err(|_| {
            (
                "unusable-schema",
                "the schema does not compile as JSON Schema draft 2020-12",
                "check its keywords, its references and its patterns (no look-around, no back-references)",
            )
        })
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
            WidgetValidator::StateSchema { state_schema } => match compile(state_schema) {
                Ok(validator) => Judge::Schema(Box::new(validator)),
                Err((rule, message, help)) => {
                    findings.push(Finding::error(rule, "/validator/stateSchema", message, help));
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
                (Judge::Schema(validator), _) => {
                    let value = to_serde(state);
                    sheet.trace.step("schema-evaluated", || {
                        let places = validator.iter_errors(&value).take(10);
                        let places: Vec<Json> =
                            places.map(|error| Json::from(error.instance_path().to_string())).collect();
                        vec![("failing", Json::Array(places))]
                    });
                    if validator.is_valid(&value) { Ratio::one() } else { Ratio::zero() }
                }
                (Judge::Host(registered), WidgetValidator::Builtin { config, .. }) => {
                    return registered.mark(config.as_ref(), state, sheet);
                }
                // `prepare` makes the judge from the validator, so the two agree.
                _ => Ratio::zero(),
            };
        if !score.is_one() {
            sheet.tell(FeedbackSeverity::Info, "The state of the widget is not the wanted one.");
        }
        sheet.trace.step("state-judged", || vec![("score", fraction(&score))]);
        Mark::Scored(score)
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }
}
