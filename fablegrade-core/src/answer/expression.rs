//! `expression` with its key: marking, view, checks.

use fablegrade_public::json::{self, Json, Object};
use fablegrade_public::view::expression::{ExpressionSubmission, ExpressionView};
use fablegrade_public::{Findings, GradedBy};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet};
use crate::secret::Secret;
use crate::shuffle::Order;

/// An expression question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionSpec {
    /// The reference expression in LaTeX: 1 to 2,000 characters.
    pub canonical: Secret<String>,
    /// The public fields.
    pub public: ExpressionView,
}

pub(crate) struct Ready {}

impl Question for ExpressionSpec {
    type Submission = ExpressionSubmission;
    type View = ExpressionView;
    type Ready = Ready;

    fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let canonical = object.required("canonical", json::string(1, 2_000));
        let public = ExpressionView::read_public(object);
        Some(Self { canonical: Secret::new(canonical?), public: public? })
    }

    fn with_key(&self) -> Json {
        let Json::Object(mut fields) = self.public.to_document() else { return Json::Null };
        fields.push(("canonical".into(), self.canonical.expose().into()));
        Json::object(fields)
    }

    fn prepare(&self, _host: &Host, findings: &mut Findings) -> Option<Ready> {
        (findings.errors() == 0).then_some(Ready {})
    }

    fn view(&self, _order: &Order<'_>) -> ExpressionView {
        let Self { canonical: _, public } = self;
        let ExpressionView {
            equivalence,
            variables,
            sample_points,
            tolerance,
            allowed_functions,
            forbid_constant_answer,
        } = public;
        ExpressionView {
            equivalence: *equivalence,
            variables: variables.clone(),
            sample_points: *sample_points,
            tolerance: tolerance.clone(),
            allowed_functions: allowed_functions.clone(),
            forbid_constant_answer: *forbid_constant_answer,
        }
    }

    fn mark(
        &self,
        _ready: &Ready,
        _submission: &ExpressionSubmission,
        _evidence: Evidence<'_>,
        _sheet: &mut Sheet,
    ) -> Mark {
        Mark::Undecided("Expressions cannot be compared yet.".to_owned())
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }

    fn lint(&self, _ready: Option<&Ready>, _findings: &mut Findings) {}
}
