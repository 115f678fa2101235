//! Tests of readings, against `tests/readings.tsv`.

use super::*;
use crate::names::Declarations;
use crate::parse;

/// Returns each input with its reading.
fn readings() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("../../tests/readings.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').unwrap())
}

#[test]
fn decided_readings() {
    let names = Declarations::new();
    let wrong: Vec<String> = readings()
        .filter_map(|(input, understood)| {
            let read = parse(input, &names).map_or_else(|error| error.to_string(), |tree| print(&tree));
            (read != understood).then(|| format!("{input} is {read}, not {understood}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_printed_is_read_as_itself() {
    let names = Declarations::new();
    for (_, printed) in readings() {
        let again = parse(printed, &names).unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert_eq!(print(&again), printed);
    }
}

#[test]
fn declarations_change_the_reading() {
    let names = Declarations::new()
        .with_function("f")
        .with_variable("e")
        .with_variable("x_12")
        .with_variable("speed");
    for (input, understood) in [
        ("f(x)", "f\\left(x\\right)"),
        ("f^{-1}(x)", "f^{-1}\\left(x\\right)"),
        ("x_12", "x_{12}"),
        ("2speed", "2\\mathrm{speed}"),
        ("speedx", "\\mathrm{speed}x"),
    ] {
        let tree = parse(input, &names).unwrap_or_else(|error| panic!("{input}: {error}"));
        assert_eq!(print(&tree), understood, "{input}");
    }
    let tree = parse("e", &names).unwrap();
    assert!(matches!(tree.node(tree.root()), Node::Symbol(_)));
}
