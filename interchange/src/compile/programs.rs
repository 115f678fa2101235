//! The specs for programs.

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use super::Compiled;
use super::parts::{Outcome, refuse};
use super::shape::Shape;
use crate::ids::IdMap;
use crate::item::{Part, Program};

/// Scales weights to integers from 1 to 100 by a common factor, an integer if possible; `None` if there is no such
/// factor, or no weight.
fn points(weights: &[&Ratio]) -> Option<Vec<i64>> {
    let scaled = |factor: &Ratio| -> Option<Vec<i64>> {
        let points = weights.iter().map(|weight| weight.times(factor).to_fraction_text().parse::<i64>().ok());
        points.map(|points| points.filter(|points| (1..=100).contains(points))).collect()
    };
    let integer = |number: i64| Ratio::new(number, 1);
    // The least weight becomes an integer from 1 to 100, too.
    let least = weights.iter().min()?;
    (1..=100)
        .find_map(|factor| scaled(&integer(factor)))
        .or_else(|| (1..=100).find_map(|points| scaled(&integer(points).over(least)?)))
}

/// Compiles a program to a `code` spec.
pub(super) fn program_spec(program: &Program, part: &Part) -> Outcome {
    let mut losses = Vec::new();
    if program.cases.is_empty() {
        return Err(refuse(part, "no-cases", "there is no test case", "add one"));
    }
    if program.all_or_nothing && program.cases.len() > 1 {
        losses.push(refuse(
            part,
            "all-or-nothing",
            "a program that passes some cases earns part of the score",
            "if only complete programs should earn marks, treat the verdict `partial` as 0",
        ));
    }
    let graded: Vec<&_> = program.cases.iter().filter(|case| !case.weight.is_zero()).collect();
    if graded.len() < program.cases.len() {
        losses.push(refuse(part, "unmarked-case", "cases without a mark are left out", "give them a mark"));
    }
    let weights: Vec<&Ratio> = graded.iter().map(|case| &case.weight).collect();
    let Some(points) = points(&weights) else {
        return Err(refuse(
            part,
            "case-weights",
            "the marks of the cases are not small whole numbers",
            "change them",
        ));
    };
    let mut suites = Vec::new();
    for (public, name) in [(true, "Examples"), (false, "Tests")] {
        let cases: Vec<Json> = graded
            .iter()
            .zip(&points)
            .filter(|(case, _)| case.public == public)
            .map(|(case, points)| {
                Json::build()
                    .with("input", &case.input)
                    .with("expected", &case.expected)
                    .with("matcher", case.matcher)
                    .with("points", *points)
                    .build()
            })
            .collect();
        if cases.is_empty() {
            continue;
        }
        let visibility = if public { "public" } else { "hidden" };
        suites.push(
            Json::build()
                .with("name", name)
                .with("visibility", visibility)
                .with("cases", Json::array(cases))
                .build(),
        );
    }
    let harness = program
        .function
        .as_ref()
        .map(|name| Json::build().with("mode", "function").with("functionName", name).build());
    let time = program.time_ms.map(|time| time.clamp(100, 30_000));
    let memory = program.memory_mb.map(|memory| memory.clamp(16, 512));
    if time != program.time_ms || memory != program.memory_mb {
        losses.push(refuse(
            part,
            "limits",
            "a program has 0.1 to 30 seconds and 16 to 512 MiB in Fablegrade",
            "check that the right program keeps these limits",
        ));
    }
    let limits = Json::build().with_some("timeMsPerCase", time).with_some("memoryMb", memory).build();
    let starter = program.starter.as_ref().map(|text| Json::build().with(&program.language, text).build());
    let spec = Json::build()
        .with("type", "code")
        .with("languages", Json::array([program.language.as_str()]))
        .with_some("harness", harness)
        .with("limits", limits)
        .with_some("starterCode", starter)
        .with("testSuites", Json::array(suites))
        .build();
    Ok(Compiled { spec, shape: Shape::Code(program.language.clone()), losses, ids: IdMap::default() })
}

#[cfg(test)]
mod tests {
    use fablegrade_public::Ratio;

    use super::points;

    #[test]
    fn weights_are_scaled_to_small_integers() {
        let scaled = |weights: &[(i64, u64)]| {
            let weights: Vec<Ratio> = weights.iter().map(|(a, b)| Ratio::new(*a, *b)).collect();
            points(&weights.iter().collect::<Vec<_>>())
        };
        assert_eq!(scaled(&[(2, 1), (4, 1)]), Some(vec![2, 4]));
        assert_eq!(scaled(&[(1, 2), (1, 3)]), Some(vec![3, 2]));
        assert_eq!(scaled(&[(150, 1), (300, 1)]), Some(vec![1, 2]));
        assert_eq!(scaled(&[(400, 1), (200, 1), (300, 1)]), Some(vec![4, 2, 3]));
        assert_eq!(scaled(&[(1, 1000), (3, 2000)]), Some(vec![2, 3]));
        assert_eq!(scaled(&[(1, 1), (101, 1)]), None);
        assert_eq!(scaled(&[]), None);
    }
}
