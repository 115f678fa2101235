//! Values and signs of constants, from floats with error bounds.

use super::{Evaluator, LANES, Program};
use crate::expr::{Arena, Id};

/// Returns the value of a constant and its error bound, or `None` if `id` is not a constant or has no known
/// real value.
pub(crate) fn constant_bounds(arena: &Arena, id: Id) -> Option<(f64, f64)> {
    if !arena.is_constant(id) {
        return None;
    }
    let program = Program::new(arena, &[id], &[]);
    let mut evaluator = Evaluator::new();
    let columns: [[f64; LANES]; 0] = [];
    evaluator.run(&program, &columns);
    evaluator.value(&program, 0, 0).real()
}

/// Returns the sign of a constant, or `None` if it has no real value or floats do not determine the sign.
pub(crate) fn constant_sign(arena: &Arena, id: Id) -> Option<i32> {
    if let Some(number) = arena.as_number(id) {
        return Some(number.signum() as i32);
    }
    match constant_bounds(arena, id)? {
        (value, error) if value.abs() > 2.0 * error => Some(if value > 0.0 { 1 } else { -1 }),
        (value, error) if value == 0.0 && error == 0.0 => Some(0),
        _ => None,
    }
}
