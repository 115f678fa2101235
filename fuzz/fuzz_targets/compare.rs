//! Comparing is reflexive and symmetric, and never contradicts evaluation to a thousand bits.
#![no_main]

use fablegrade_math::evaluate::Program;
use fablegrade_math::expr::Arena;
use fablegrade_math::latex::parse;
use fablegrade_math::lower::lower;
use fablegrade_math::points::{Points, Survey, Variable};
use fablegrade_math::precise::{Agreement, Field, Limits, refute_or_agree};
use fablegrade_math::symbols::Declarations;
use fablegrade_math::{Evidence, Options, compare};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((left, right)) = text.split_once('\n') else { return };
    let options = Options::new();
    let (Ok(there), Ok(back)) = (compare(left, right, &options), compare(right, left, &options)) else { return };
    if let (Some(a), Some(b)) = (there.equal(), back.equal()) {
        assert_eq!(a, b, "{left} | {right}: {there:?} {back:?}");
    }
    if let Ok(itself) = compare(left, left, &options) {
        assert_ne!(itself.equal(), Some(false), "{left}: {itself:?}");
    }
    let names = Declarations::new();
    let (Ok(a), Ok(b)) = (parse(left, &names), parse(right, &names)) else { return };
    let mut arena = Arena::default();
    let (Ok(a), Ok(b)) = (lower(&a, &names, &mut arena), lower(&b, &names, &mut arena)) else { return };
    let symbols: Vec<_> = arena.free(a).union(arena.free(b)).iter().collect();
    let variables: Vec<_> = symbols.iter().map(|&symbol| Variable::real(symbol)).collect();
    let program = Program::new(&arena, &[a, b], &symbols);
    if program.is_complex() || program.is_incomplete() {
        return;
    }
    let points = Points::new(&variables, &Survey::new(&arena, &[a, b]), 7, 16);
    let precise = refute_or_agree(&program, &points, Field::Real, &Limits::default());
    if let (Evidence::Proven(_) | Evidence::Identity { .. }, Agreement::Refuted { .. }) = (&there.evidence, &precise) {
        panic!("{left} | {right}: {there:?}, but {precise:?}");
    }
});
