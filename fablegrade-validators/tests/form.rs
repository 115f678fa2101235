//! Required forms of `form`.
#![allow(clippy::unwrap_used)] // a test may fail

use fablegrade_core::{AnswerSpec, Grader, Submission};
use fablegrade_validators::standard;

/// Returns the score of an expression.
fn score(config: &str, latex: &str) -> Option<f64> {
    let spec = format!(
        r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin","name":"form","config":{config}}}}}"#
    );
    let grader = Grader::with_host(AnswerSpec::from_json(spec).unwrap(), &standard()).unwrap();
    let latex = latex.replace('\\', r"\\");
    let submission = format!(r#"{{"type":"widget","state":{{"latex":"{latex}"}}}}"#);
    grader.grade(&Submission::from_json(submission).unwrap()).score
}

/// Checks that the form alone accepts and refuses expressions.
fn check(form: &str, accepted: &[&str], refused: &[&str]) {
    let config = format!(r#"{{"form":"{form}","value":"any","variable":"x"}}"#);
    for latex in accepted {
        assert_eq!(score(&config, latex), Some(1.0), "{form}: {latex}");
    }
    for latex in refused {
        assert_eq!(score(&config, latex), Some(0.0), "{form}: {latex}");
    }
}

#[test]
fn the_order_of_matrices_is_part_of_the_form() {
    let (a, b) = (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}0&1\\1&1\end{pmatrix}");
    let config = format!(r#"{{"expression":"2{a}{b}","form":"same"}}"#).replace('\\', r"\\");
    assert_eq!(score(&config, &format!("2{a}{b}")), Some(1.0));
    assert_eq!(score(&config, &format!("{a}\\cdot2\\cdot{b}")), Some(1.0));
    assert_eq!(score(&config, &format!("2{b}{a}")), Some(0.0));
}

#[test]
fn a_numerator_of_minus_one_is_a_sign() {
    let config = r#"{"expression":"-\\frac12","form":"same"}"#;
    assert_eq!(score(config, r"\frac{-1}{2}"), Some(1.0));
    assert_eq!(score(config, r"\frac{1}{-2}"), Some(0.0));
}

#[test]
fn expanded_looks_into_powers() {
    check(
        "expanded",
        &["x^2+2x+1", "(-x)^2", "x^2y^3", r"\frac{x^2}{2}+1", r"\left(\frac12\right)^2x"],
        &[
            "((x+1)^2)^1",
            "(-(x+1))^2",
            r"\left((x+1)(x+2)\right)^1",
            r"\left(\frac{x+1}{2}\right)^2",
            "(-2x)^2",
            r"\left(\frac{xy}{2}\right)^2",
            "x(x+1)^1",
        ],
    );
}

#[test]
fn lowest_terms_of_products_and_powers() {
    check(
        "rational_lowest_terms",
        &[
            "x+1",
            r"\frac12x",
            r"x+\frac12",
            r"\frac{1}{x}",
            "2x^{-1}",
            r"\frac23x^2-\frac12",
            r"-\frac{x}{x+1}",
            r"\frac12x^{50}",
            r"1\frac12",
            r"x+1\frac12",
            r"y=\frac12x",
            r"(\frac12,x)",
            r"x=\frac12\wedge y=\frac13",
            r"x=\frac12\text{ or }x=\frac13",
            r"\begin{cases}\frac12x&x>0\\1&x<0\end{cases}",
            r"x=\pm\frac12x",
            r"[0,\frac12)\cup(\frac23,1]",
            // Large powers.
            r"\frac12x^{41}",
            r"\frac{x^{41}}2",
            r"\frac12x^{41}+\frac13",
            r"x^{61}\cdot\frac{y}{y+1}",
            r"\frac{(x+1)^{50}}{x-1}",
            r"\frac{x^{100}+1}{x-1}",
            r"\frac{(y+1)^{5000}}{y-1}",
            r"\frac{2^{5000}}{3}",
        ],
        &[
            r"1\cdot\frac{x^2-1}{x-1}",
            r"\left(\frac{x^2-1}{x-1}\right)^1",
            r"\frac1x+\frac1x",
            r"\frac12x+\frac12x",
            r"2\cdot\frac14x",
            r"y=2\cdot\frac14x",
            r"(\frac1x+\frac1x,x)",
            r"x^{50}x^{-60}",
            r"x=\frac12\wedge y=\frac1x+\frac1x",
            r"x=\pm2\cdot\frac14x",
            r"x^{70}\cdot\frac{x^2-1}{x-1}",
            r"x^{60}\cdot\frac{x-1}{x-1}",
            r"x^{59}\cdot\frac{x^2-1}{x-1}",
            r"y^{70}\cdot\frac{x^2-1}{x-1}",
            r"\frac{x^{100}-1}{x-1}",
            r"\frac{(x+1)^{50}}{x+1}",
            r"\frac{(y+1)^{5000}}{y+1}",
            r"\frac{(x+1)^{40}(x-1)^{40}}{x+1}",
            r"\frac{x^{1000}+1}{x-1}",
            r"\frac{2^{5000}}{2}",
        ],
    );
    let free = r#"{"form":"rational_lowest_terms","value":"any"}"#;
    // Without a variable, powers share the factors of their bases too.
    for (latex, expected) in [
        (r"\frac12x^{50}", 1.0),
        (r"\frac{x^{50}}{y}", 1.0),
        (r"\frac{x^{50}}{x}", 0.0),
        (r"\frac{(x+1)^{50}}{x-1}", 1.0),
        (r"\frac{(x+1)^{50}}{x+1}", 0.0),
    ] {
        assert_eq!(score(free, latex), Some(expected), "{latex}");
    }
    check(
        "lowest_terms",
        &[r"\frac{1\cdot3}{4}", r"\frac{3}{2^2}", r"\frac{2x}{4}"],
        &[r"\frac{2\cdot 1}{4}", r"\frac{1\cdot2}{2\cdot2}", r"\frac{10}{10^2}"],
    );
}

#[test]
fn radicands_and_roots_are_combined() {
    check(
        "simplest_radical",
        &[
            r"\sqrt{2\cdot3}",
            r"\sqrt[3]{2}\cdot\sqrt{3}",
            r"\sqrt{xy}",
            r"\sqrt{999999999989}",
            r"\sqrt[3]{4}",
            r"\sqrt{1000036000099}",
        ],
        &[
            r"\sqrt{2\cdot 6}",
            r"\sqrt{2\cdot 2}",
            r"\sqrt[3]{2}\cdot\sqrt[3]{4}\cdot 3\sqrt{2}",
            r"\sqrt{x\cdot x}",
            r"\sqrt[3]{x^2x}",
            r"\sqrt{200280098}",
            r"\sqrt[3]{16}",
            r"\sqrt{12}",
        ],
    );
}

#[test]
fn content_of_factors_with_fractions() {
    check(
        "factored",
        &[
            "2(x+2)",
            r"2(x-\frac12)(x+3)",
            r"\frac12(x+2)",
            r"(x-\frac12)(x+3)",
            "x-(1+r)^{60}",
            "2(x-(1+r)^{60})(x+1)",
            "x-1.0025^{360}",
        ],
        &[
            r"4(\frac{x}{2}+1)",
            r"\frac{2x}{3}+\frac43",
            "2x+4",
            "2^{41}x+2",
            "y^{41}x+y",
            "x^2-2^{42}",
            "x^2-2xy^{41}+y^{82}",
            "x^{24}-1",
            "x^{40}-1",
            "x^{45}-1",
            "x^{70}-1",
        ],
    );
}

#[test]
fn an_undecided_comparison_asks_for_another_form() {
    let config = r#"{"expression":"1200","form":"scientific"}"#;
    let spec = format!(
        r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin","name":"form","config":{config}}}}}"#
    );
    let grader = Grader::with_host(AnswerSpec::from_json(spec).unwrap(), &standard()).unwrap();
    let told = |latex: &str| {
        let submission = format!(r#"{{"type":"widget","state":{{"latex":"{latex}"}}}}"#);
        let mark = grader.grade(&Submission::from_json(submission).unwrap());
        (mark.score, format!("{:?}", mark.feedback))
    };
    let (score, feedback) = told("1.2e3");
    assert_eq!(score, None);
    assert!(feedback.contains("Try to write it in a simpler form"), "{feedback}");
}
