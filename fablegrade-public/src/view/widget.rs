//! `widget`: the state of an interactive widget. A widget's own claim of correctness is ignored.

use super::{Refusal, refuse_keys};
use crate::finding::{Finding, Findings};
use crate::json::{self, Json, Object, Path, Value};

/// A widget question without its validator.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct WidgetView {
    /// Name of the widget: lower-case words with hyphens, at most 80 characters.
    #[cfg_attr(
        feature = "schema",
        schemars(length(max = 80), regex(pattern = "^[a-z0-9]+(?:-[a-z0-9]+)*$"))
    )]
    pub widget_name: String,
    /// Version of the widget, `1.2.3`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^\\d+\\.\\d+\\.\\d+$")))]
    pub widget_version: String,
    /// What the widget is started with: a JSON object.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::any_object", default))]
    pub params: Option<Json>,
}

/// The widget's state: a JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct WidgetSubmission {
    /// The state.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::any_object"))]
    pub state: Json,
}

/// The greatest size of a state, in bytes of compact JSON.
pub const MAX_STATE_BYTES: usize = 32_768;

/// A JSON object of any content.
pub fn any_object(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Json> {
    if value.is_object() {
        return Some(Json::from(value));
    }
    findings.push(Finding::error(
        "wrong-type",
        at.pointer(),
        format!("expected an object, found {}", value.kind()),
        "give an object",
    ));
    None
}

fn widget_name(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let text = json::string(0, 80)(value, at, findings)?;
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if text.split('-').all(word) {
        return Some(text);
    }
    findings.push(Finding::error(
        "widget-name-form",
        at.pointer(),
        "a widget's name is made of lower-case words and digits joined by single hyphens",
        "choose a name like `number-line`",
    ));
    None
}

fn widget_version(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let text = json::string(0, usize::MAX)(value, at, findings)?;
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if text.split('.').count() == 3 && text.split('.').all(number) {
        return Some(text);
    }
    findings.push(Finding::error(
        "widget-version-form",
        at.pointer(),
        "a widget's version is three numbers with dots",
        "write it like 1.0.0",
    ));
    None
}

impl WidgetView {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        refuse_keys(object, &["validator"]);
        Self::read_public(object)
    }

    /// Reads the public fields; for the view and for the spec, which have them in common.
    pub fn read_public(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let widget_name = object.required("widgetName", widget_name);
        let widget_version = object.required("widgetVersion", widget_version);
        let params = object.optional("params", any_object);
        Some(Self { widget_name: widget_name?, widget_version: widget_version?, params: params? })
    }

    /// The view as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "widget")
            .with("widgetName", &self.widget_name)
            .with("widgetVersion", &self.widget_version)
            .with_some("params", self.params.as_ref())
            .build()
    }

    /// Whether the state is small enough.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &WidgetSubmission) -> Result<(), Refusal> {
        let size = submission.state.to_canonical().len();
        if size > MAX_STATE_BYTES {
            return Err(Refusal::new(
                "state-too-large",
                format!("The widget's state has {size} bytes; at most {MAX_STATE_BYTES} can be graded."),
            ));
        }
        Ok(())
    }
}

impl WidgetSubmission {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        Some(Self { state: object.required("state", any_object)? })
    }

    /// The submission as JSON.
    pub fn to_document(&self) -> Json {
        Json::build().with("type", "widget").with("state", &self.state).build()
    }

    pub(crate) fn write_canonical(&self, out: &mut String) {
        self.to_document().write(out);
    }
}
