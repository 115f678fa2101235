//! `numeric`: a number, perhaps with a unit.

use super::Refusal;
use crate::decimal::Decimal;
use crate::document::{defaulted, flag, list, number, optional, required};
use crate::json;

crate::document! {
    /// A numeric question without its key.
    pub struct NumericView {
        /// Whether only integers are correct.
        pub integer_only: bool = fields::INTEGER_ONLY;
        /// The unit, if the question has one.
        pub unit: Option<Unit> = fields::UNIT;
        /// A placeholder for the answer box.
        pub input_hint: Option<String> = fields::INPUT_HINT;
    }
}

/// The fields that the question shares with its view, and their limits.
pub mod fields {
    use super::Unit;
    use crate::document::{Defaulted, Flag, Of, Optional, Text, defaulted, flag, of, optional, text};

    /// Whether only integers are correct.
    pub const INTEGER_ONLY: Defaulted<Flag> = defaulted("integerOnly", flag(), false);
    /// The unit, if the question has one.
    pub const UNIT: Optional<Of<Unit>> = optional("unit", of());
    /// A placeholder for the answer box.
    pub const INPUT_HINT: Optional<Text> = optional("inputHint", text(0, 200));
    /// The spelling of a unit.
    pub const SPELLING: Text = text(0, 30);
}

crate::document! {
    /// The unit of a numeric answer. Public in the format: hosts show it next to the answer box.
    pub struct Unit, such as r#"{"expected": "m"}"# {
        /// The expected spelling.
        pub expected: String = required("expected", fields::SPELLING);
        /// Whether an answer must have a unit.
        pub required: bool = defaulted("required", flag(), false);
        /// Other spellings that count as the same.
        pub accepted: Option<Vec<String>> = optional("accepted", list(0, 10, fields::SPELLING));
    }
}

crate::document! {
    /// The number, exactly as written, and the unit.
    pub struct NumericSubmission {
        /// The number.
        pub value: Decimal = required("value", number());
        /// The unit as typed.
        pub unit: Option<String> = optional("unit", fields::SPELLING);
    }
}

impl NumericView {
    pub(crate) const KEYS: &[&str] = &["answer"];

    /// Accepts every number.
    ///
    /// # Errors
    /// None; the signature matches that of the other question types.
    pub fn admit(&self, _submission: &NumericSubmission) -> Result<(), Refusal> {
        Ok(())
    }
}

impl NumericSubmission {
    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"type\":\"numeric\"");
        if let Some(unit) = &self.unit {
            out.push_str(",\"unit\":");
            json::write_json_string(unit, out);
        }
        out.push_str(",\"value\":");
        self.value.write(out);
        out.push('}');
    }
}
