//! Fuzzes the LaTeX parser and the comparison.

use fablegrade_latex as latex;
use fablegrade_latex::Declarations;
use fablegrade_latex::printer::print;
use fablegrade_latex::same_form::form;
use fablegrade_math::internals::{
    Agreement, Arena, Field, Limits, Points, Program, SamplingHints, Variable, lower, refute_or_agree,
};
use fablegrade_math::{Difference, Evidence, Options, Side};

/// The parser is total: any text gives a tree, which can be printed, or an error with a span.
pub fn parse(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match latex::parse(text, &Declarations::new()) {
        Err(error) => {
            let (start, end) = (error.span.start as usize, error.span.end as usize);
            assert!(start <= end && end <= text.len());
            assert!(text.is_char_boundary(start) && text.is_char_boundary(end));
        }
        Ok(tree) => assert!(!print(&tree).is_empty()),
    }
}

/// If a printed tree can be read, it has the same form.
pub fn printing(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let names = Declarations::new();
    let Ok(tree) = latex::parse(text, &names) else { return };
    let printed = print(&tree);
    if let Ok(again) = latex::parse(&printed, &names) {
        assert_eq!(form(&tree), form(&again), "{text} prints as {printed}");
    }
}

/// Comparison is symmetric, and an expression never differs from itself. Equalities and counterexamples are
/// checked with high precision. A line break separates the sides.
pub fn compare(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((left, right)) = text.split_once('\n') else { return };
    let options = Options::new();
    let (Ok(there), Ok(back)) =
        (fablegrade_math::compare(left, right, &options), fablegrade_math::compare(right, left, &options))
    else {
        return;
    };
    if let (Some(a), Some(b)) = (there.verdict().as_bool(), back.verdict().as_bool()) {
        assert_eq!(a, b, "{left} | {right}: {there:?} {back:?}");
    }
    if let Ok(itself) = fablegrade_math::compare(left, left, &options) {
        assert!(!itself.is_different(), "{left}: {itself:?}");
    }
    let names = Declarations::new();
    let (Ok(a), Ok(b)) = (latex::parse(left, &names), latex::parse(right, &names)) else { return };
    let mut arena = Arena::default();
    let (Ok(a), Ok(b)) = (lower(&a, &names, &mut arena), lower(&b, &names, &mut arena)) else { return };
    if arena.overflowed() {
        return;
    }
    let symbols: Vec<_> = arena.free(a).union(arena.free(b)).iter().collect();
    let variables: Vec<_> = symbols.iter().map(|&symbol| Variable::real(symbol)).collect();
    let program = Program::new(&arena, &[a, b], &symbols);
    if program.is_complex() || program.is_incomplete() {
        return;
    }
    let mut hints = SamplingHints::new(&arena, &[a, b]);
    // Equality at single points does not count: `\operatorname{sgn}(x^2)` equals 1.
    hints.steps = false;
    let drawn = Points::new(&variables, &hints, 7, 16);
    let precise = refute_or_agree(&program, &drawn, Field::Real, &Limits::default());
    assert!(
        !(there.evidence.is_equal() && matches!(precise, Agreement::Refuted { .. })),
        "{left} | {right}: {there:?}, but {precise:?}"
    );
    if let Evidence::Refuted(Some(witness)) = &there.evidence {
        let row: Option<Vec<f64>> = symbols
            .iter()
            .map(|&symbol| {
                witness.point.iter().find(|(name, _)| name == arena.name(symbol)).map(|(_, at)| *at)
            })
            .collect();
        let Some(row) = row else { return };
        let there_alone = Points::from_rows(symbols.len(), [row.as_slice()]);
        let limits = Limits { points: 1, ..Limits::default() };
        let precise = refute_or_agree(&program, &there_alone, Field::Real, &limits);
        assert!(
            !matches!(precise, Agreement::Agreed { .. }),
            "{left} | {right}: no difference at {witness:?}"
        );
    }
}

/// Relations compare the same in both orders, and a counterexample distinguishes them. Joined with `x=value`
/// by *and*, one relation is the same as `x=value` and the other is not. A line break separates the sides.
pub fn relations(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((left, right)) = text.split_once('\n') else { return };
    let options = Options::new();
    let (Ok(there), Ok(back)) =
        (fablegrade_math::compare(left, right, &options), fablegrade_math::compare(right, left, &options))
    else {
        return;
    };
    if let (Some(a), Some(b)) = (there.verdict().as_bool(), back.verdict().as_bool()) {
        assert_eq!(a, b, "{left} | {right}: {there:?} {back:?}");
    }
    let Some(Difference::Holds { point, only }) = &there.difference else { return };
    let [(name, value)] = point.as_slice() else { return };
    if name != "x" || [left, right].iter().any(|side| side.contains([',', ';', '{'])) || value.contains('.') {
        return;
    }
    let at = format!("x={value}");
    for (side, holds) in [(left, *only == Side::First), (right, *only == Side::Second)] {
        let both = format!("\\left({side}\\right)\\land {at}");
        if let Ok(found) = fablegrade_math::compare(&both, &at, &options) {
            assert_ne!(found.verdict().as_bool(), Some(!holds), "{left} | {right}: {side} at {at}");
        }
    }
}
