//! The table of limits in the documentation is the same as in the code, and lowering is charged to the
//! budget.
#![allow(clippy::unwrap_used)]

use fablegrade_math::internals::{LIMITS, Limit};
use fablegrade_math::{Evidence, Options, Undecided, compare};

const OPEN: &str = "<!-- limits: written by fablegrade-math/tests/limits.rs -->\n";
const CLOSE: &str = "<!-- /limits -->";

/// Returns a number with commas between groups of three digits.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

fn table() -> String {
    let rows = LIMITS.iter().map(|Limit { value, unit, what, .. }| {
        let value = grouped(*value);
        let value = if unit.is_empty() { value } else { format!("{value} {unit}") };
        format!("| {what} | {value} |\n")
    });
    format!("| what | at most |\n|---|---:|\n{}", rows.collect::<String>())
}

#[test]
fn the_docs_print_the_table() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/expressions.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(OPEN).unwrap();
    let (_, after) = rest.split_once(CLOSE).unwrap();
    let made = format!("{before}{OPEN}{}{CLOSE}{after}", table());
    if std::env::var_os("FABLEGRADE_WRITE").is_some() {
        std::fs::write(&path, &made).unwrap();
    } else {
        assert!(
            page == made,
            "run this test with FABLEGRADE_WRITE=1 and look at what changes in docs/expressions.md"
        );
    }
}

#[test]
fn what_is_bounded_is_told_once() {
    for (at, limit) in LIMITS.iter().enumerate() {
        assert!(limit.value > 0 && !limit.what.is_empty(), "{}", limit.name);
        assert!(
            LIMITS[..at].iter().all(|other| other.name != limit.name && other.what != limit.what),
            "{}",
            limit.name
        );
    }
}

#[test]
fn lowering_is_charged() {
    // This sum has hundreds of terms, whose expansion costs more than the smaller budget.
    let sum = r"\sum_{i=1}^{60}\sum_{j=1}^{8}x_{i+j}^{i}";
    for (budget, enough) in [(2_000, false), (Options::BUDGET, true)] {
        let decision = compare(sum, sum, &Options::new().with_budget(budget)).unwrap();
        let ran_out = matches!(decision.evidence, Evidence::Undecided(Undecided::TooLarge));
        assert_eq!(ran_out, !enough, "{budget}: {:?}", decision.evidence);
    }
}
