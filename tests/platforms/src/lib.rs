//! Decisions as text, to be compared byte by byte between platforms.
//!
//! Natively, the program `decisions` reads pairs from its input. As WebAssembly, the exports take a pair byte by byte, so
//! no memory is shared and only numbers are passed.

use fablegrade_math::{Expression, Options, Reference};
use std::sync::{Mutex, PoisonError};

/// Returns all results for a line of two expressions with a tab between them: the decision with its evidence, and the
/// reading of each side. Floats that differ in a bit are written differently.
pub fn decisions(line: &str) -> String {
    let (a, b) = line.split_once('\t').unwrap_or((line, line));
    let options = Options::new();
    let decision = Reference::new(a, &options).and_then(|reference| reference.compare_latex(b));
    let understand = |latex| Expression::parse(latex, &options).map(|read| read.understanding());
    format!("{decision:?} {:?} {:?}", understand(a), understand(b))
}

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Adds a byte to the line.
// SAFETY: the names of the exports are this library's own; nothing else is linked with it.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn put(byte: u32) {
    INPUT.lock().unwrap_or_else(PoisonError::into_inner).push(byte as u8);
}

/// Decides the pair in the line, clears the line, and returns the number of bytes of the answer.
// SAFETY: as above.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn decide() -> u32 {
    let line = std::mem::take(&mut *INPUT.lock().unwrap_or_else(PoisonError::into_inner));
    let answer = decisions(&String::from_utf8_lossy(&line)).into_bytes();
    let length = answer.len() as u32;
    *OUTPUT.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    length
}

/// Returns a byte of the answer.
// SAFETY: as above.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn get(at: u32) -> u32 {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).get(at as usize).copied().unwrap_or(0).into()
}
