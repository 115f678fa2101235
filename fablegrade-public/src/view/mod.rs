//! Question types, one module each: the view, the submission, and the rules for a submission.
//!
//! A [`DeliveryView`] holds the public fields of a question and nothing else; its types cannot express a key. The key
//! is in the module of the same name in `fablegrade-core`.

pub mod code;
pub mod expression;
pub mod free_text;
pub mod matching;
pub mod multiple_choice;
pub mod numeric;
pub mod ordering;
pub mod rules;
pub mod widget;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::document::{Declared as _, Whole, with_type};
use crate::finding::{Error, Finding, Findings};
use crate::json::{Document, Json, Object, Path, Read, Value};

/// The eight question types. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QuestionType {
    /// Choose one or several.
    MultipleChoice,
    /// A number, perhaps with a unit.
    Numeric,
    /// A formula.
    Expression,
    /// Prose.
    FreeText,
    /// A program.
    Code,
    /// Put items in order.
    Ordering,
    /// Match items of two sides.
    Matching,
    /// The state of an interactive widget.
    Widget,
}

impl QuestionType {
    /// All types with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("multiple_choice", Self::MultipleChoice),
        ("numeric", Self::Numeric),
        ("expression", Self::Expression),
        ("free_text", Self::FreeText),
        ("code", Self::Code),
        ("ordering", Self::Ordering),
        ("matching", Self::Matching),
        ("widget", Self::Widget),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MultipleChoice => "multiple_choice",
            Self::Numeric => "numeric",
            Self::Expression => "expression",
            Self::FreeText => "free_text",
            Self::Code => "code",
            Self::Ordering => "ordering",
            Self::Matching => "matching",
            Self::Widget => "widget",
        }
    }

    /// Takes the field `type` of a document that must have one.
    pub fn take(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        object.required("type", crate::json::word(Self::WORDS))
    }
}

/// The reason why a submission is refused, which means that it is returned without marking.
///
/// Examples are an unknown choice, too few words and a formula that cannot be read. A refused submission is
/// not a wrong answer. The message is for the learner and contains nothing secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A stable code in kebab case.
    pub rule: &'static str,
    /// A sentence that tells the learner what is wrong or how to correct it.
    pub message: String,
    /// A JSON pointer to the refused element of the submission; `""` for the whole submission.
    pub pointer: String,
}

impl Refusal {
    /// Creates a refusal.
    pub fn new(rule: &'static str, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), pointer: String::new() }
    }

    /// Returns the refusal with a pointer into the submission.
    #[must_use]
    pub fn at(self, pointer: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), ..self }
    }

    /// Creates the refusal of a submission whose type differs from the question's.
    pub fn other_type(expected: QuestionType, found: QuestionType) -> Self {
        Self::new(
            "other-type",
            format!("This question takes an answer of type {}, not {}.", expected.as_str(), found.as_str()),
        )
    }
}

macro_rules! by_type {
    ($($variant:ident => $view:ty, $submission:ty;)*) => {
        /// A question as the learner may see it, without its key.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum DeliveryView {
            $(#[doc = concat!("`", stringify!($variant), "`")] $variant($view),)*
        }

        /// The answer that a learner sends.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Submission {
            $(#[doc = concat!("`", stringify!($variant), "`")] $variant($submission),)*
        }

        impl DeliveryView {
            /// Returns the question's type.
            pub fn question_type(&self) -> QuestionType {
                match self { $(Self::$variant(_) => QuestionType::$variant,)* }
            }

            /// Returns the view as JSON.
            pub fn to_document(&self) -> Json {
                match self { $(Self::$variant(view) => with_type(QuestionType::$variant.as_str(), view),)* }
            }

            /// Checks `submission` against the rules of this question that need no key. Formulas are not
            /// parsed.
            ///
            /// # Errors
            /// A [`Refusal`] for the learner.
            pub fn admit(&self, submission: &Submission) -> Result<(), Refusal> {
                match (self, submission) {
                    $((Self::$variant(view), Submission::$variant(submission)) => view.admit(submission),)*
                    _ => Err(Refusal::other_type(self.question_type(), submission.question_type())),
                }
            }
        }

        impl Submission {
            /// Returns the submission's type.
            pub fn question_type(&self) -> QuestionType {
                match self { $(Self::$variant(_) => QuestionType::$variant,)* }
            }

            /// Returns the submission as JSON.
            pub fn to_document(&self) -> Json {
                match self { $(Self::$variant(submission) => with_type(QuestionType::$variant.as_str(), submission),)* }
            }

            /// Appends the submission as canonical JSON, the same text as that of
            /// [`Submission::to_document`].
            pub fn write_canonical(&self, out: &mut String) {
                match self { $(Self::$variant(submission) => submission.write_canonical(out),)* }
            }
        }

        impl Read for DeliveryView {
            fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
                let mut object = Object::open(value, at, findings)?;
                match QuestionType::take(&mut object)? {
                    $(QuestionType::$variant => {
                        refuse_keys(&mut object, <$view>::KEYS);
                        let view = <$view>::read_fields(&mut object);
                        object.close();
                        view.map(Self::$variant)
                    })*
                }
            }
        }

        impl Read for Submission {
            fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
                let mut object = Object::open(value, at, findings)?;
                match QuestionType::take(&mut object)? {
                    $(QuestionType::$variant => {
                        let submission = <$submission>::read_fields(&mut object);
                        object.close();
                        submission.map(Self::$variant)
                    })*
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for DeliveryView {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "DeliveryView".into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let branches = [
                    $(crate::schema::tagged::<$view>("type", QuestionType::$variant.as_str(), generator),)*
                ];
                schemars::json_schema!({"oneOf": branches})
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for Submission {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "Submission".into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let branches = [
                    $(crate::schema::tagged::<$submission>("type", QuestionType::$variant.as_str(), generator),)*
                ];
                schemars::json_schema!({"oneOf": branches})
            }
        }
    };
}

by_type! {
    MultipleChoice => multiple_choice::MultipleChoiceView, multiple_choice::MultipleChoiceSubmission;
    Numeric => numeric::NumericView, numeric::NumericSubmission;
    Expression => expression::ExpressionView, expression::ExpressionSubmission;
    FreeText => free_text::FreeTextView, free_text::FreeTextSubmission;
    Code => code::CodeView, code::CodeSubmission;
    Ordering => ordering::OrderingView, ordering::OrderingSubmission;
    Matching => matching::MatchingView, matching::MatchingSubmission;
    Widget => widget::WidgetView, widget::WidgetSubmission;
}

impl DeliveryView {
    /// Reads a view. A document that contains a key is rejected, for most fields with the rule `key-in-view`.
    ///
    /// # Errors
    /// Every finding at once.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        Document::parse(text.as_ref())?.read()
    }

    /// Returns the view as canonical JSON.
    pub fn to_json(&self) -> String {
        self.to_document().to_canonical()
    }
}

impl Submission {
    /// Reads a submission.
    ///
    /// # Errors
    /// Every finding at once.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        Document::parse(text.as_ref())?.read()
    }

    /// Returns the submission as canonical JSON.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_canonical(&mut out);
        out
    }
}

macro_rules! serde_through_json {
    ($($kind:ty),*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_document().serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::json::deserialize_document(deserializer)
            }
        }
    )*};
}
serde_through_json!(DeliveryView, Submission);

impl Whole for Submission {
    fn whole(&self) -> Json {
        self.to_document()
    }
}

/// Rejects fields that hold a key: such a document is a spec, not a view.
pub(crate) fn refuse_keys(object: &mut Object<'_, '_, '_>, names: &[&'static str]) {
    for &name in names {
        if object.take(name).is_some() {
            let pointer = Path::Field(object.path(), name).pointer();
            object.report(Finding::error(
                "key-in-view",
                pointer,
                format!("`{name}` is part of the answer key and must never reach a learner"),
                "make the view with `deliver`; do not send the spec itself",
            ));
        }
    }
}
