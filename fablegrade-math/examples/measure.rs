//! Agreement with a folder of cases, and how long a comparison takes.
//!
//! `cargo run --release --example measure -- FOLDER [MISSES]` reads `single.jsonl` and `structured.jsonl`: one JSON
//! object per line with `id`, `canonical`, `latex`, `equal`, `tags`, `source` and, in the second, `kind`.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use fablegrade_math::{Options, Reference};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Instant;

struct Case {
    id: String,
    canonical: String,
    latex: String,
    equal: bool,
    tags: Vec<String>,
    source: String,
    kind: String,
}

fn read(folder: &str, file: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap_or_default();
    let text_of = |row: &Value, key: &str| row[key].as_str().unwrap_or("").to_owned();
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .map(|row| Case {
            id: text_of(&row, "id"),
            canonical: text_of(&row, "canonical"),
            latex: text_of(&row, "latex"),
            equal: row["equal"].as_bool().unwrap_or(false),
            tags: row["tags"]
                .as_array()
                .map(|tags| tags.iter().filter_map(|tag| tag.as_str().map(str::to_owned)).collect())
                .unwrap_or_default(),
            source: text_of(&row, "source"),
            kind: text_of(&row, "kind"),
        })
        .collect()
}

fn measure(name: &str, cases: &[&Case], show: usize) {
    let (mut right, mut wrong_equal, mut wrong_different, mut refused) = (0, 0, 0, 0);
    let mut times = Vec::new();
    let mut ways: BTreeMap<String, usize> = BTreeMap::new();
    let mut misses = Vec::new();
    let options = Options::default();
    for case in cases {
        let reference = Reference::new(&case.canonical, &options);
        let (verdict, way) = match &reference {
            Err(error) => (None, format!("reference: {error}")),
            Ok(reference) => {
                // Once to warm up, then the best of three.
                let decision = reference.compare_latex(&case.latex);
                let mut best = f64::INFINITY;
                for _ in 0..3 {
                    let start = Instant::now();
                    let again = reference.compare_latex(&case.latex);
                    best = best.min(start.elapsed().as_secs_f64());
                    assert!(again == decision, "{} is not deterministic", case.id);
                }
                times.push((best, case.id.clone()));
                match decision {
                    Ok(decision) => (
                        decision.verdict().as_bool(),
                        match &decision.evidence {
                            fablegrade_math::Evidence::Undecided(why) => format!("undecided: {why}"),
                            _ => decision.evidence.kind().to_string(),
                        },
                    ),
                    Err(error) => (None, format!("submission: {error}")),
                }
            }
        };
        let short = way.split(':').next().unwrap_or("").to_owned();
        *ways
            .entry(format!("{short}{}", if verdict == Some(case.equal) { "" } else { " (miss)" }))
            .or_default() += 1;
        if verdict == Some(case.equal) {
            right += 1;
        } else {
            match verdict {
                Some(true) => wrong_equal += 1,
                Some(false) => wrong_different += 1,
                None => refused += 1,
            }
            misses.push(format!(
                "{} [{}] {}  |  {}  want {} got {way}",
                case.id, case.kind, case.canonical, case.latex, case.equal
            ));
        }
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| {
        times
            .get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1)))
            .map_or(0.0, |time| time.0 * 1e6)
    };
    println!(
        "{name:12} {right}/{} {:.2} %  wrong-equal {wrong_equal} wrong-different {wrong_different} undecided/refused {refused}; median {:.2} us p95 {:.2} us p99 {:.1} us max {:.1} us ({})",
        cases.len(),
        100.0 * f64::from(right) / cases.len().max(1) as f64,
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0),
        times.last().map_or("", |time| &time.1),
    );
    println!("             {ways:?}");
    if std::env::var_os("SLOWEST").is_some() {
        for (time, id) in times.iter().rev().take(40) {
            let case = cases.iter().find(|case| case.id == *id);
            println!("    {:8.1} us {id} {:?}", time * 1e6, case.map(|case| (&case.canonical, &case.latex)));
        }
    }
    for miss in misses.iter().take(show) {
        println!("    {miss}");
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder of cases");
    let show = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(10);
    let single = read(&folder, "single.jsonl");
    let structured = read(&folder, "structured.jsonl");
    const KINDS: [&str; 7] = ["equation", "inequality", "interval", "set", "tuple", "list", "matrix"];
    const OUTSIDE: [&str; 3] = ["approx", "quirk", "format"];
    let of = |source: &str| single.iter().filter(|case| case.source == source).collect::<Vec<_>>();
    let core: Vec<&Case> = single
        .iter()
        .filter(|case| case.source != "latex2sympy" && case.source != "mutants")
        .filter(|case| !case.tags.iter().any(|tag| OUTSIDE.contains(&tag.as_str())))
        .collect();
    measure("core", &core, show);
    measure("mutants", &of("mutants"), show);
    measure("latex2sympy", &of("latex2sympy"), show);
    let (known, further): (Vec<&Case>, Vec<&Case>) =
        structured.iter().partition(|case| KINDS.contains(&case.kind.as_str()));
    measure("structured", &known, show);
    measure("further", &further, show);
}
