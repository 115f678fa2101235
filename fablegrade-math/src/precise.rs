//! High-precision evaluation with rigorous bounds, and comparison of two expressions with it.
//!
//! Numbers are [`Ball`]s on big integers. Every operation, including the elementary functions, has its own
//! error bound, which does not rely on claims about other libraries. The programs and their meaning are those
//! of [`evaluate`](crate::evaluate). Work is limited by fuel ([`crate::limits`]), never by the clock. Sizes
//! are checked: values are at most about `2^(2^50)`, arguments of factorials (by Stirling's series) at most
//! about 10^18, and angles at most about `2^2200`.
//!
//! [`refute_or_agree`] raises the precision at each point until the two values certainly differ or agree
//! beyond chance, or a limit is reached.

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

/// Reasons why a value is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// A part certainly has no value.
    Undefined,
    /// The value is undecided at this precision or out of range.
    Unknown,
    /// The fuel is used up.
    Fuel,
}

/// The precision, fuel and cached constants of a computation.
pub(crate) struct Context<'a> {
    pub(crate) bits: usize,
    pub(crate) fuel: u64,
    pub(crate) constants: &'a mut Constants,
}

impl Context<'_> {
    /// Spends the fuel for arithmetic operations at the current precision.
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

    /// Spends the fuel for one elementary function.
    fn charge_function(&mut self) -> Result<(), Gap> {
        self.charge(20 + self.bits as u64 / 10)
    }
}
