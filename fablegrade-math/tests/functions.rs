//! Every function of the reading crate has a value here: a row there and an arm in `lower.rs` make one.

use fablegrade_latex::functions::{FUNCTIONS, Named};
use fablegrade_math::{Options, compare};

/// The function at something where it has a value, for each number of arguments tried.
fn call(named: Named) -> String {
    let row = named.row();
    match named {
        Named::Sqrt => r"\sqrt{x^2+1}".to_owned(),
        Named::Mod => r"x\bmod y".to_owned(),
        Named::Det => r"\det\begin{pmatrix}x&1\\1&y\end{pmatrix}".to_owned(),
        Named::Gcd | Named::Lcm => format!("{}(12,18)", row.printed),
        Named::Binomial | Named::Permutations => format!("{}(7,3)", row.printed),
        Named::Factorial => format!("{}(5)", row.printed),
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
fn a_row_and_its_value_are_all_that_a_function_needs() {
    let options = Options::new();
    let same = |a: &str, b: &str| compare(a, b, &options).unwrap().verdict().as_bool();
    assert_eq!(same(r"\operatorname{versin}(x)", r"2\sin^2\frac x2"), Some(true));
    assert_eq!(same(r"\frac{d}{dx}\operatorname{versin}x", r"\sin x"), Some(true));
    assert_eq!(same(r"\operatorname{versin}(x)", r"\cos x"), Some(false));
}
