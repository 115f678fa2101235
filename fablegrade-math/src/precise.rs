//! High-precision evaluation with rigorous bounds, and decisions about two expressions that follow from it.
//!
//! Numbers are [`Ball`]s on big integers: every operation, the elementary functions included, carries a bound that is
//! derived next to its code and does not rely on anyone's claim of accuracy. The programs, and what they mean, are those of
//! [`evaluate`](crate::evaluate). Work is bounded by fuel (about 20 ns a unit on a current machine), never by the clock,
//! and sizes are checked before anything is computed: exponents end at `2^(2^50)`, factorials at about 10^18 through Stirling's
//! series, angles at 2^2200.
//!
//! [`refute_or_agree`] raises the precision point by point until the two values are certainly different, or agree so closely that
//! chance is out of the question, or the fuel is gone.

mod agree;
mod ball;
mod complex;
mod constants;
mod functions;
mod run;
#[cfg(test)]
mod tests;
mod transcendental;

pub(crate) use agree::Reason;
pub use agree::{Agreement, Limits, Precise, refute_or_agree};
pub use ball::Ball;
pub(crate) use complex::Number;
pub(crate) use constants::Constants;
pub use run::Field;

/// The reason why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// Some part certainly has no value.
    Undefined,
    /// The value is not decided at this precision, or out of range.
    Unknown,
    /// The budget of work is used up.
    Fuel,
}

/// Precision, budget and cached constants of a computation.
pub(crate) struct Context<'a> {
    pub(crate) bits: usize,
    pub(crate) fuel: u64,
    pub(crate) constants: &'a mut Constants,
}

impl Context<'_> {
    /// Pays for operations of arithmetic at the current precision.
    fn charge(&mut self, operations: u64) -> Result<(), Gap> {
        let words = (self.bits as u64).div_ceil(64);
        let cost = operations.saturating_mul(2 * (4 + words * words / 16));
        match self.fuel.checked_sub(cost) {
            Some(rest) => {
                self.fuel = rest;
                Ok(())
            }
            None => {
                self.fuel = 0;
                Err(Gap::Fuel)
            }
        }
    }

    /// Pays for one elementary function.
    fn charge_function(&mut self) -> Result<(), Gap> {
        self.charge(20 + self.bits as u64 / 10)
    }
}
