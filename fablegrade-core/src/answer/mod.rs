//! Question types, one module each: the spec with its key, its validation, its view and its marking.
//!
//! The public part of each type is in the module of the same name in `fablegrade-public`.

mod chance;
pub mod code;
pub mod expression;
pub mod free_text;
pub mod matching;
pub mod multiple_choice;
pub mod numeric;
pub mod ordering;
pub mod widget;

use fablegrade_public::document::{Declared, with_type};
use fablegrade_public::json::{self, Document, Object, Path, Read, Value};
use fablegrade_public::{
    CaseOutcome, DeliveryView, Error, Finding, Findings, GradedBy, QuestionType, Ratio, Refusal, Submission,
};

use crate::host::Host;
use crate::mark::{Mark, Sheet};
use crate::shuffle::Order;

/// The outcomes of executed cases; `None` if nothing was run.
pub(crate) type Evidence<'a> = Option<&'a [CaseOutcome]>;

/// The behaviour of a question type; one implementation per file.
pub(crate) trait Question: Declared {
    /// The submission of a learner.
    type Submission;
    /// The view of a learner.
    type View;
    /// The compiled form, used for every submission.
    type Ready;

    /// Reports spec errors and warnings. Returns the compiled form if there are no errors.
    fn prepare(&self, host: &Host, findings: &mut Findings) -> Option<Self::Ready>;
    /// Returns the public fields, by allow-list: a field that is not on the list is not shown.
    fn view(&self, order: &Order<'_>) -> Self::View;
    /// Marks a submission.
    fn mark(
        &self,
        ready: &Self::Ready,
        submission: &Self::Submission,
        evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark;
    /// Returns the kind of grader.
    fn graded_by(&self) -> GradedBy;
}

macro_rules! by_type {
    ($($variant:ident => $spec:ty;)*) => {
        /// A question with its key.
        ///
        /// It is not `Serialize`, and its `Debug` hides the key; [`AnswerSpec::to_json_with_key`] is for authors.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum AnswerSpec {
            $(#[doc = concat!("`", stringify!($variant), "`")] $variant($spec),)*
        }

        /// The compiled form of a question.
        #[allow(clippy::large_enum_variant)] // one per grader, never moved in bulk
        pub(crate) enum Ready {
            $($variant(<$spec as Question>::Ready),)*
        }

        impl AnswerSpec {
            /// Returns the question's type.
            pub fn question_type(&self) -> QuestionType {
                match self { $(Self::$variant(_) => QuestionType::$variant,)* }
            }

            /// Returns the whole document with the key, as canonical JSON with defaults filled in: for the
            /// author, never for a learner.
            pub fn to_json_with_key(&self) -> String {
                match self {
                    $(Self::$variant(spec) => with_type(QuestionType::$variant.as_str(), spec).to_canonical(),)*
                }
            }

            pub(crate) fn prepare(&self, host: &Host, findings: &mut Findings) -> Option<Ready> {
                match self { $(Self::$variant(spec) => spec.prepare(host, findings).map(Ready::$variant),)* }
            }

            pub(crate) fn view(&self, order: &Order<'_>) -> DeliveryView {
                match self { $(Self::$variant(spec) => DeliveryView::$variant(spec.view(order)),)* }
            }

            pub(crate) fn graded_by(&self) -> GradedBy {
                match self { $(Self::$variant(spec) => spec.graded_by(),)* }
            }

            pub(crate) fn mark(
                &self,
                ready: &Ready,
                submission: &Submission,
                evidence: Evidence<'_>,
                sheet: &mut Sheet,
            ) -> Mark {
                match (self, ready, submission) {
                    $((Self::$variant(spec), Ready::$variant(ready), Submission::$variant(submission)) => {
                        spec.mark(ready, submission, evidence, sheet)
                    })*
                    _ => Mark::Refused(Refusal::other_type(self.question_type(), submission.question_type())),
                }
            }
        }

        impl Read for AnswerSpec {
            fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
                if value.get("type").is_none() && value.get("spec").is_some() {
                    findings.push(Finding::error(
                        "missing-field",
                        at.pointer(),
                        "this is a question together with its answer",
                        "give what is under `spec` alone",
                    ));
                    return None;
                }
                let mut object = Object::open(value, at, findings)?;
                // A question in a separate file can name its schema for editors; the field is not part of the
                // question.
                if matches!(at, Path::Root) {
                    object.optional("$schema", json::string(0, usize::MAX))?;
                }
                match QuestionType::take(&mut object)? {
                    $(QuestionType::$variant => {
                        let spec = <$spec>::read_fields(&mut object);
                        object.close();
                        spec.map(Self::$variant)
                    })*
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for AnswerSpec {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "AnswerSpec".into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let branches = [
                    $(fablegrade_public::schema::tagged::<$spec>("type", QuestionType::$variant.as_str(), generator),)*
                ];
                schemars::json_schema!({"oneOf": branches})
            }
        }
    };
}

by_type! {
    MultipleChoice => multiple_choice::MultipleChoiceSpec;
    Numeric => numeric::NumericSpec;
    Expression => expression::ExpressionSpec;
    FreeText => free_text::FreeTextSpec;
    Code => code::CodeSpec;
    Ordering => ordering::OrderingSpec;
    Matching => matching::MatchingSpec;
    Widget => widget::WidgetSpec;
}

impl AnswerSpec {
    /// Reads a spec and checks it only against its schema; [`Grader::new`](crate::Grader::new) checks whether
    /// it can be graded.
    ///
    /// # Errors
    /// All findings in one error, each with pointer, rule and help.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        Document::parse(text.as_ref())?.read()
    }
}

/// Formats a ratio with two decimal places, for messages.
pub(crate) fn two_places(ratio: &Ratio) -> String {
    format!("{:.2}", ratio.to_f64())
}
