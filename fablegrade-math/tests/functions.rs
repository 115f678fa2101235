//! Every function has a value, and a new function needs only a row of the table.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use fablegrade_latex::functions::{FUNCTIONS, Named};
use fablegrade_math::{Options, compare};

/// Returns a call of the function with arguments at which it has a value.
fn call(named: Named) -> String {
    let row = named.row();
    match named {
        Named::Sqrt => r"\sqrt{x^2+1}".to_owned(),
        Named::Mod => r"x\bmod y".to_owned(),
        Named::Det => r"\det\begin{pmatrix}x&1\\1&y\end{pmatrix}".to_owned(),
        Named::Gcd | Named::Lcm => format!("{}(12,18)", row.printed),
        Named::Binomial | Named::Permutations => format!("{}(7,3)", row.printed),
        Named::Factorial | Named::DoubleFactorial => format!("{}(5)", row.printed),
        Named::Arsech => format!(r"{}\left(\frac{{1}}{{x^2+1}}\right)", row.printed),
        Named::Arcsin | Named::Arccos | Named::Artanh => {
            format!(r"{}\left(\frac{{x}}{{x^2+1}}\right)", row.printed)
        }
        Named::Conj | Named::Re | Named::Im | Named::Arg => format!("{}(2+i)", row.printed),
        _ if *row.arity.start() == 2 => format!(r"{}(x^2+1,y)", row.printed),
        _ => format!(r"{}(x^2+2)", row.printed),
    }
}

#[test]
fn every_function_is_itself_and_not_one_more() {
    let options = Options::new();
    let mut wrong = Vec::new();
    for row in FUNCTIONS {
        let text = call(row.named);
        for (other, same) in [(text.clone(), true), (format!("1+{text}"), false)] {
            let said = compare(&text, &other, &options).map(|decision| decision.verdict().as_bool());
            if said != Ok(Some(same)) {
                wrong.push(format!("{text} and {other}: {said:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_the_added_rows_say_holds() {
    let options = Options::new();
    let same = |a: &str, b: &str| compare(a, b, &options).unwrap().verdict().as_bool();
    for (a, b, equal) in [
        (r"\operatorname{versin}(x)", r"2\sin^2\frac x2", true),
        (r"\frac{d}{dx}\operatorname{versin}x", r"\sin x", true),
        (r"\operatorname{versin}(x)", r"\cos x", false),
        (r"\operatorname{doublefactorial}(7)", "105", true),
        (r"\frac{(2n)!}{2^n n!}", r"\operatorname{doublefactorial}(2n-1)", true),
        (r"\operatorname{erf}(-x)", r"-\operatorname{erf}(x)", true),
        (r"\operatorname{erf}(\infty)", "1", true),
        (r"\frac{d}{dx}\operatorname{erf}(x^2)", r"\frac{4x}{\sqrt\pi}e^{-x^4}", true),
        (r"\frac{d}{dx}\operatorname{erf}(x^2)", r"\frac{4x}{\sqrt\pi}e^{-x^2}", false),
        (r"\operatorname{erf}(x)", r"\operatorname{erf}(x+10^{-30})", false),
    ] {
        assert_eq!(same(a, b), Some(equal), "{a} and {b}");
    }
}

/// Collects the sources of a folder, except tests and the table.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            sources(&path, found);
        } else if !["functions/table.rs", "tests.rs", "random_trees.rs"].iter().any(|end| name.ends_with(end))
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
            found.push((name, code));
        }
    }
}

/// Returns whether a text contains a word that is not continued by a letter or a digit.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[at + word.len()..].starts_with(char::is_alphanumeric))
}

#[test]
fn a_row_is_all_that_a_function_needs() {
    // Functions with a special notation, with several meanings, or of matrices.
    const READ: [&str; 5] = ["Sqrt", "Log", "Permutations", "Det", "Exp"];
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(here.join("../fablegrade-latex/src/functions/table.rs")).unwrap();
    let mut all = Vec::new();
    sources(&here.join("src"), &mut all);
    sources(&here.join("../fablegrade-latex/src"), &mut all);
    let mut formulas = 0;
    let rows: Vec<&str> = table.split(" { plain: ").collect();
    for (before, row) in rows.iter().zip(&rows[1..]) {
        let name = before.rsplit(' ').next().unwrap();
        let formula = row.split_once("}\n").unwrap().1.trim_start().starts_with("formula ");
        let added = match name {
            _ if READ.contains(&name) => continue,
            "Erf" => "Function::Erf".to_owned(),
            _ if formula => format!("Named::{name}"),
            _ => continue,
        };
        formulas += usize::from(formula);
        for (path, text) in &all {
            assert!(!has_word(text, &added), "{path} names {added}: what it knows belongs into the table");
        }
    }
    assert!(formulas > 15, "{formulas}");
}
