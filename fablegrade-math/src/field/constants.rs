//! Signs of constants, from floats with error bounds.

use crate::evaluate::{Evaluator, LANES, Program, Value};
use crate::expr::{Arena, Id};

/// The sign of a real constant; `None` when it has no real value or floats cannot tell.
pub(crate) fn sign(arena: &Arena, id: Id) -> Option<i8> {
    if let Some(number) = arena.as_number(id) {
        return Some(number.signum() as i8);
    }
    let program = Program::new(arena, &[id], &[]);
    let mut evaluator = Evaluator::new();
    let columns: [[f64; LANES]; 0] = [];
    evaluator.run(&program, &columns);
    match evaluator.value(&program, 0, 0) {
        Value::Real { value, error } if value.abs() > 2.0 * error => Some(if value > 0.0 { 1 } else { -1 }),
        Value::Real { value, error } if value == 0.0 && error == 0.0 => Some(0),
        _ => None,
    }
}
