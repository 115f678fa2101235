//! The stages of the decision have the same numbers and names in the code and in the documentation.
#![allow(clippy::unwrap_used)]

/// Collects the numbers and names of all lines that begin like `1. **Name.**`.
fn stages(text: &str, mark: &str) -> Vec<(u32, String)> {
    let of_line = |line: &str| {
        let (number, rest) = line.strip_prefix(mark)?.trim_start().split_once(". **")?;
        let (name, _) = rest.split_once(".**")?;
        Some((number.parse().ok()?, name.to_owned()))
    };
    text.lines().filter_map(of_line).collect()
}

#[test]
fn the_stages_are_the_same_in_code_and_docs() {
    let code = stages(include_str!("../src/decide.rs"), "//!");
    let docs = stages(include_str!("../../docs/expressions.md"), "");
    assert!(code.len() >= 8, "{code:?}");
    assert_eq!(code, docs);
    assert!(code.iter().zip(1..).all(|((number, _), expected)| *number == expected), "{code:?}");
}
