//! A printed formula has the value of the original, for the readings of `fablegrade-latex` and for random
//! formulas.

use fablegrade_latex::{Declarations, parse, printer::print};
use fablegrade_math::internals::{Arena, lower};
use proptest::prelude::*;

fn keeps_its_value(source: &str) -> Result<(), String> {
    let names = Declarations::new();
    let Ok(tree) = parse(source, &names) else { return Ok(()) };
    let printed = print(&tree);
    let again =
        parse(&printed, &names).map_err(|error| format!("{source} is printed as {printed}: {error}"))?;
    let mut arena = Arena::default();
    let values = (lower(&tree, &names, &mut arena).ok(), lower(&again, &names, &mut arena).ok());
    if arena.overflowed() || values.0 == values.1 { Ok(()) } else { Err(format!("{source} and {printed}")) }
}

#[test]
fn decided_readings_keep_their_value() {
    let readings = include_str!("../../fablegrade-latex/tests/readings.tsv").lines();
    let wrong: Vec<String> = readings
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(input, _)| keeps_its_value(input).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn pieces() -> Vec<&'static str> {
    include_str!("../../fablegrade-latex/tests/pieces.txt").lines().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn random_formulas_keep_their_value(pieces in prop::collection::vec(prop::sample::select(pieces()), 1..14)) {
        let kept = keeps_its_value(&pieces.concat());
        prop_assert!(kept.is_ok(), "{kept:?}");
    }
}
