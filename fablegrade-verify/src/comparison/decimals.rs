//! Compares a plain decimal on one side with a constant expression on the other.
//!
//! Rounding is decided exactly: `value` rounds to `n/10^k` if `⌊10^k·value + 1/2⌋ = n`, for negative numbers
//! after a change of both signs.

use super::{Comparison, Outcome};
use crate::profile::Convention;
use crate::reading::number::Written;

/// The number of significant digits that a decimal needs to match an exact reference.
const SIGNIFICANT: u32 = 6;

impl Comparison<'_> {
    /// Compares a decimal reference with a more exact answer, or an exact reference with a decimal answer.
    pub(super) fn decimals(&mut self, gold: &str, answer: &str) -> Outcome {
        if gold.contains('=') || answer.contains('=') {
            return Outcome::Different;
        }
        match (self.gold.number_of(gold), self.gold.number_of(answer)) {
            (Some(decimal), None) => {
                let Some(places) = decimal.fraction_digits.filter(|places| *places > 0) else {
                    return Outcome::Different;
                };
                let places = i64::from(places) - decimal.exponent;
                if places <= 0 || !is_constant(answer) {
                    return Outcome::Different;
                }
                self.under(Convention::Rounding, |this| this.rounds(answer, &decimal, places, true))
            }
            (None, Some(decimal)) => {
                let fine = decimal.significant >= SIGNIFICANT && decimal.fraction_digits.is_some();
                if !fine || !is_constant(gold) || decimal.number.is_whole() {
                    return Outcome::Different;
                }
                let places = i64::from(decimal.fraction_digits.unwrap_or(0)) - decimal.exponent;
                // digits beyond the precision of a double are noise
                let spare = i64::from(decimal.significant) - 15;
                let places = if spare > 0 { places - spare } else { places };
                if places <= 0 {
                    return Outcome::Different;
                }
                self.under(Convention::Decimals, |this| this.rounds(gold, &decimal, places, false))
            }
            _ => Outcome::Different,
        }
    }

    /// Decides whether an exact value rounds to a decimal with the given number of decimal places.
    fn rounds(&mut self, exact: &str, decimal: &Written, places: i64, gold_is_decimal: bool) -> Outcome {
        let number = decimal.number.rounded(places).shifted(places);
        // halves are rounded away from zero
        let sign = if number.is_negative() { "-" } else { "" };
        let Some(whole) = number.magnitude().to_latex() else {
            return Outcome::Different;
        };
        if places > 60 {
            return Outcome::Undecided;
        }
        let scaled = format!(
            "\\left\\lfloor {sign}10^{{{places}}}\\cdot\\left({exact}\\right)+\\frac{{1}}{{2}}\\right\\rfloor"
        );
        let outcome = if gold_is_decimal {
            self.formulas(&whole, &scaled, false)
        } else {
            self.formulas(&scaled, &whole, false)
        };
        if outcome == Outcome::Same {
            self.decided("agreed", "the exact value rounds to the decimal at its digits", Outcome::Same);
        }
        outcome
    }
}

/// Returns whether a text can be a constant expression: no relation, list or free variable.
fn is_constant(text: &str) -> bool {
    let relation =
        ["<", ">", "\\le", "\\ge", "\\in ", "\\cup", "\\{", ",", ";"].iter().any(|sign| text.contains(sign));
    let left = text.contains("\\left");
    (!relation || (left && !text.contains(['<', '>', ',']))) && super::renaming::variables(text).is_empty()
}
