//! Smooth functions that replace uninterpreted functions.
//!
//! `f(x_1, ..., x_k) = c + p sin(u + s) + q atan(v + t)` with linear forms `u`, `v` of the arguments. All
//! coefficients are dyadic numbers of 12 bits, derived from the name, so every precision uses the same
//! function. The functions are neither even nor odd, neither monotone nor periodic, and take both signs.

use crate::limits::CALL_ARGUMENTS;

/// The coefficients of one function, which are multiples of 2^-11 with magnitudes below 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coefficients {
    pub(crate) offset: f64,
    pub(crate) sine: f64,
    pub(crate) sine_phase: f64,
    pub(crate) arc: f64,
    pub(crate) arc_phase: f64,
    pub(crate) sine_weights: [f64; CALL_ARGUMENTS],
    pub(crate) arc_weights: [f64; CALL_ARGUMENTS],
}

impl Coefficients {
    /// Returns the coefficients for a name and a number of arguments.
    pub(crate) fn of(name: &str, arguments: usize) -> Coefficients {
        let mut state = 0x51_7C_C1_B7_27_22_0A_95_u64 ^ (arguments as u64);
        for byte in name.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23);
        }
        // The magnitude is between 1/2 and 5/2, with either sign.
        let mut next = || {
            let word = crate::random::split_mix(&mut state);
            let magnitude = 0.5 + (word >> 53) as f64 / 1024.0;
            if word & 1 == 0 { magnitude } else { -magnitude }
        };
        let mut coefficients = Coefficients {
            offset: next() / 2.0,
            sine: next(),
            sine_phase: next(),
            arc: next(),
            arc_phase: next(),
            sine_weights: [0.0; CALL_ARGUMENTS],
            arc_weights: [0.0; CALL_ARGUMENTS],
        };
        for (sine, arc) in coefficients.sine_weights.iter_mut().zip(&mut coefficients.arc_weights) {
            *sine = next();
            *arc = next();
        }
        coefficients
    }
}
