//! Checks, row by row, the decisions about pairs that the documentation lists as undecided, or as decided
//! differently elsewhere.
#![allow(clippy::expect_used)]

use fablegrade_math::{Equivalence, Options, compare};

/// Returns the rows of the table under a heading, as cells.
fn table<'p>(page: &'p str, heading: &str) -> Vec<Vec<&'p str>> {
    let (_, section) = page.split_once(heading).expect("the heading");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect()).collect()
}

/// Returns both sides of a cell that begins with `` `a` against `b` `` or `` `a` beside `b` ``.
fn sides(cell: &str) -> Option<[&str; 2]> {
    let (first, rest) = cell.strip_prefix('`')?.split_once('`')?;
    let rest = [" against `", " beside `"].iter().find_map(|word| rest.strip_prefix(word))?;
    Some([first, rest.split_once('`')?.0])
}

#[test]
fn what_is_listed_is_so() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/expressions.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (heading, place) in
        [("## What is not read or not decided yet", 1), ("## Where collections of cases disagree", 2)]
    {
        for row in table(&page, heading) {
            let Some([a, b]) = row.first().and_then(|cell| sides(cell)) else { continue };
            checked += 1;
            for (a, b) in [(a, b), (b, a)] {
                let said = match compare(a, b, &Options::new()).map(|decision| decision.verdict()) {
                    Ok(Equivalence::Equal) => "the same",
                    Ok(Equivalence::Different) => "different",
                    Ok(Equivalence::Undecided) => "undecided",
                    Err(_) => "an error with its place",
                };
                if row.get(place) != Some(&said) {
                    wrong.push(format!("{a}  {b}: {said}, listed as {:?}", row.get(place)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked >= 38, "{checked} rows");
}
