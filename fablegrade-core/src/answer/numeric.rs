//! `numeric` questions with their key: validation, view and marking.

use fablegrade_public::document::{Field as _, Whole, of, positive, required};
use fablegrade_public::json::{self, Json, Object, Path, Read, Value};
use fablegrade_public::view::numeric::{NumericSubmission, NumericView, Unit, fields};
use fablegrade_public::view::rules;
use fablegrade_public::{Decimal, FeedbackSeverity, Finding, Findings, GradedBy, Ratio};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet};
use crate::secret::{Secret, secret};
use crate::shuffle::Order;

fablegrade_public::document! {
    /// A numeric question.
    pub struct NumericSpec {
        /// The accepted numbers.
        pub answer: Secret<NumericAnswer> = required("answer", secret(of()));
        /// Whether only integers are correct.
        pub integer_only: bool = fields::INTEGER_ONLY;
        /// The unit, if the question has one.
        pub unit: Option<Unit> = fields::UNIT;
        /// A placeholder for the answer box.
        pub input_hint: Option<String> = fields::INPUT_HINT;
    }
}

/// The accepted numbers. Boundaries are inclusive and compared in exact decimal arithmetic.
#[derive(Clone, PartialEq, Eq)]
pub enum NumericAnswer {
    /// A value, exactly or within a tolerance.
    Value {
        /// The value.
        value: Decimal,
        /// The tolerance. Without a tolerance, two integers are compared exactly, and other pairs of numbers
        /// within a relative 1e-9.
        tolerance: Option<Tolerance>,
    },
    /// A range.
    Range {
        /// The smallest accepted number.
        min: Decimal,
        /// The largest accepted number.
        max: Decimal,
    },
}

/// The accepted distance of a submitted number `s` from the value `v`; both bounds are inclusive.
#[derive(Clone, PartialEq, Eq)]
pub enum Tolerance {
    /// `|s - v| <= amount`
    Absolute(Decimal),
    /// `|s - v| <= amount * |v|`
    Relative(Decimal),
}

/// Returns the relative tolerance for specs without one, which absorbs rounding errors of clients' floats. Two
/// integers are compared without it.
fn default_relative() -> Decimal {
    Decimal::new(1, -9)
}

#[derive(Clone, Copy)]
enum Mode {
    Absolute,
    Relative,
}

impl Read for Tolerance {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        const WORDS: &[(&str, Mode)] = &[("absolute", Mode::Absolute), ("relative", Mode::Relative)];
        let mut object = Object::open_as(value, at, findings, r#"{"mode": "absolute", "amount": 0.1}"#)?;
        let mode = object.required("mode", json::word(WORDS));
        let amount = required("amount", positive(None)).take(&mut object);
        object.close();
        Some(match mode? {
            Mode::Absolute => Self::Absolute(amount?),
            Mode::Relative => Self::Relative(amount?),
        })
    }
}

impl Read for NumericAnswer {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        const FORMS: &str =
            "give `{\"value\": 5}`, with a `tolerance` if need be, or `{\"min\": 4, \"max\": 6}`";
        if !value.is_object() {
            let message = format!("expected a value or a range, found {}", value.kind());
            findings.push(Finding::error("wrong-type", at.pointer(), message, FORMS));
            return None;
        }
        let mut object = Object::open(value, at, findings)?;
        let range = value.get("min").is_some() || value.get("max").is_some();
        if range && value.get("value").is_some() {
            for name in ["value", "tolerance", "min", "max"] {
                object.take(name);
            }
            object.close();
            findings.push(Finding::error(
                "value-and-range",
                at.pointer(),
                "the answer has both a value and a range",
                "keep `value` (with `tolerance`) or `min` and `max`",
            ));
            return None;
        }
        if range {
            let min = object.required("min", json::decimal);
            let max = object.required("max", json::decimal);
            object.close();
            return Some(Self::Range { min: min?, max: max? });
        }
        let value = if value.get("value").is_some() {
            object.required("value", json::decimal)
        } else {
            let message = "there is neither `value` nor `min` and `max`";
            object.report(Finding::error("missing-field", at.pointer(), message, FORMS));
            None
        };
        let tolerance = object.optional("tolerance", Tolerance::read);
        object.close();
        Some(Self::Value { value: value?, tolerance: tolerance? })
    }
}

impl Whole for NumericAnswer {
    fn whole(&self) -> Json {
        match self {
            Self::Range { min, max } => Json::build().with("min", min).with("max", max).build(),
            Self::Value { value, tolerance } => {
                let tolerance = tolerance.as_ref().map(|tolerance| match tolerance {
                    Tolerance::Absolute(amount) => {
                        Json::build().with("mode", "absolute").with("amount", amount).build()
                    }
                    Tolerance::Relative(amount) => {
                        Json::build().with("mode", "relative").with("amount", amount).build()
                    }
                });
                Json::build().with("value", value).with_some("tolerance", tolerance).build()
            }
        }
    }
}

impl NumericAnswer {
    /// Returns the largest accepted distance from `value`; `integer` tells whether the submitted number is an
    /// integer.
    fn reach(value: &Decimal, tolerance: Option<&Tolerance>, integer: bool) -> Decimal {
        match tolerance {
            Some(Tolerance::Absolute(amount)) => amount.clone(),
            Some(Tolerance::Relative(amount)) => amount.multiply(&value.abs()),
            None if integer && value.is_integer() => Decimal::zero(),
            None => default_relative().multiply(&value.abs()),
        }
    }

    pub(crate) fn accepts(&self, number: &Decimal) -> bool {
        match self {
            Self::Range { min, max } => min <= number && number <= max,
            Self::Value { value, tolerance } => {
                let reach = Self::reach(value, tolerance.as_ref(), number.is_integer());
                number == value || number.subtract(value).abs() <= reach
            }
        }
    }

    /// Returns whether any integer is accepted.
    fn accepts_an_integer(&self) -> bool {
        let (low, high) = match self {
            Self::Range { min, max } => (min.clone(), max.clone()),
            Self::Value { value, tolerance } => {
                let reach = Self::reach(value, tolerance.as_ref(), true);
                (value.subtract(&reach), value.add(&reach))
            }
        };
        low.ceil() <= high
    }
}

pub(crate) struct Ready {
    /// The spellings of the unit, normalised; `None` if the question has no unit.
    unit: Option<Vec<String>>,
    required: bool,
}

impl Question for NumericSpec {
    type Submission = NumericSubmission;
    type View = NumericView;
    type Ready = Ready;

    fn prepare(&self, _host: &Host, findings: &mut Findings) -> Option<Ready> {
        let answer = self.answer.expose();
        match answer {
            NumericAnswer::Range { min, max } if min > max => findings.push(Finding::error(
                "min-above-max",
                "/answer/min",
                "the smallest accepted number is above the largest, so nothing is accepted",
                "swap the bounds",
            )),
            _ if self.integer_only && !answer.accepts_an_integer() => findings.push(Finding::error(
                "no-integer-accepted",
                "/answer",
                "only integers are correct, but no integer is accepted",
                "widen the accepted numbers or remove `integerOnly`",
            )),
            _ => {}
        }
        if let NumericAnswer::Value { value, tolerance: Some(Tolerance::Relative(amount)) } = answer {
            if value.is_zero() {
                findings.push(Finding::warning(
                    "relative-to-zero",
                    "/answer/tolerance",
                    "a relative tolerance around zero accepts nothing but zero",
                    "use an absolute tolerance",
                ));
            } else if [9, 99, 999].iter().any(|&nines| *amount == Decimal::from(nines)) {
                findings.push(Finding::info(
                    "relative-tolerance-huge",
                    "/answer/tolerance/amount",
                    "numbers up to a power of ten times the value are accepted, and so are zero and numbers of the other sign",
                    "give a range if only the magnitude counts",
                ));
            } else if *amount >= Decimal::one() {
                findings.push(Finding::warning(
                    "relative-tolerance-huge",
                    "/answer/tolerance/amount",
                    "a relative tolerance of 1 or more accepts zero and numbers of the other sign",
                    "give the tolerance as a fraction: 5 % is 0.05",
                ));
            }
        }
        let unit = self.unit.as_ref().map(|unit| rules::unit(unit, rules::normal_unit, findings));
        let required = self.unit.as_ref().is_some_and(|unit| unit.required);
        (findings.errors() == 0).then_some(Ready { unit, required })
    }

    fn view(&self, _order: &Order<'_>) -> NumericView {
        let Self { answer: _, integer_only, unit, input_hint } = self;
        NumericView { integer_only: *integer_only, unit: unit.clone(), input_hint: input_hint.clone() }
    }

    fn mark(
        &self,
        ready: &Ready,
        submission: &NumericSubmission,
        _evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark {
        // The unit is judged without regard to the number: its message must not reveal whether the number is
        // right.
        let mut right = true;
        if let Some(spellings) = &ready.unit {
            let given = submission.unit.as_deref().map(rules::normal_unit).filter(|unit| !unit.is_empty());
            match given {
                None if ready.required => {
                    sheet.tell(FeedbackSeverity::Hint, "Give the unit together with the number.");
                    sheet.trace.step("unit-missing", Vec::new);
                    right = false;
                }
                Some(unit) if !spellings.contains(&unit) => {
                    sheet.tell(FeedbackSeverity::Hint, "The unit is not the expected one.");
                    sheet.trace.step("unit-wrong", || vec![("given", unit.into())]);
                    right = false;
                }
                Some(_) => sheet.trace.step("unit-right", Vec::new),
                None => sheet.trace.step("unit-optional-absent", Vec::new),
            }
        }
        if self.integer_only && !submission.value.is_integer() {
            sheet.tell(FeedbackSeverity::Hint, "The answer must be an integer.");
            sheet.trace.step("not-an-integer", || vec![("given", (&submission.value).into())]);
            right = false;
        }
        let answer = self.answer.expose();
        let accepted = answer.accepts(&submission.value);
        sheet.trace.step(if accepted { "number-accepted" } else { "number-outside" }, || {
            vec![("given", (&submission.value).into()), ("accepted", answer.whole())]
        });
        Mark::Scored(if right && accepted { Ratio::one() } else { Ratio::zero() })
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }
}
