use super::*;
use crate::expr::Arena;
use crate::latex::parse;
use crate::lower::lower;
use crate::symbols::Declarations;

/// Input, and how it is understood.
const READINGS: &[(&str, &str)] = &[
    ("\\frac12", "\\frac{1}{2}"),
    ("2\\frac12", "2\\frac{1}{2}"),
    ("2\\frac12x", "2\\cdot \\frac{1}{2}x"),
    ("2\\frac32", "2\\cdot \\frac{3}{2}"),
    ("2\\cdot\\frac12", "2\\cdot \\frac{1}{2}"),
    ("1/2x", "\\frac{1}{2}x"),
    ("ab/cd", "\\frac{ab}{c}d"),
    ("a/b/c", "\\frac{\\frac{a}{b}}{c}"),
    ("(x+1)/2", "\\frac{x+1}{2}"),
    ("\\sin x/2", "\\frac{\\sin\\left(x\\right)}{2}"),
    ("\\sin(x)^2", "\\sin^{2}\\left(x\\right)"),
    ("\\sin x^2", "\\sin\\left(x^{2}\\right)"),
    ("\\sin^2x", "\\sin^{2}\\left(x\\right)"),
    ("\\sin^{-1}x", "\\arcsin\\left(x\\right)"),
    ("\\sin^{-2}x", "\\sin^{-2}\\left(x\\right)"),
    ("\\sin 2xy", "\\sin\\left(2xy\\right)"),
    ("\\sin x\\cos x", "\\sin\\left(x\\right)\\cos\\left(x\\right)"),
    ("\\sin\\cos t", "\\sin\\left(\\cos\\left(t\\right)\\right)"),
    ("\\cos x(1+y)", "\\cos\\left(x\\right)\\left(1+y\\right)"),
    ("\\ln 2x+1", "\\ln\\left(2x\\right)+1"),
    ("\\log_28", "\\log_{2}\\left(8\\right)"),
    ("x(x+1)", "x\\left(x+1\\right)"),
    ("2^{3^2}", "2^{3^{2}}"),
    ("-2^2", "-2^{2}"),
    ("x^23", "x^{2}\\cdot 3"),
    ("x^{23}", "x^{23}"),
    ("2^{3}!", "\\left(2^{3}\\right)!"),
    ("n!!", "n!!"),
    ("90^\\circ", "90^{\\circ}"),
    ("90°", "90^{\\circ}"),
    ("50\\%", "50\\%"),
    ("|x|y|z|", "\\left|x\\right|y\\left|z\\right|"),
    ("||x||y||", "\\left|\\left|x\\right|\\left|y\\right|\\right|"),
    ("|-|-x||", "\\left|-\\left|-x\\right|\\right|"),
    ("\\left|x\\right|", "\\left|x\\right|"),
    ("1{,}000", "1000"),
    ("1\\,000", "1000"),
    ("1,000", "1000"),
    ("3{,}14", "3.14"),
    (".5", "0.5"),
    ("1.5E3", "1.5\\cdot 10^{3}"),
    ("0.1\\overline{6}", "0.1\\overline{6}"),
    ("x_{12}-x_1", "x_{12}-x_{1}"),
    ("x^2_{1}", "x_{1}^{2}"),
    ("α+π²", "\\alpha+\\pi^{2}"),
    ("x²", "x^{2}"),
    ("x⁻¹", "x^{-1}"),
    ("√2", "\\sqrt{2}"),
    ("\\sqrt[3]{-8}", "\\sqrt[3]{-8}"),
    ("e^\\ln(x)", "e^{\\ln\\left(x\\right)}"),
    ("x^-1", "x^{-1}"),
    ("x**2", "x^{2}"),
    ("a\\cdot-b", "a\\left(-b\\right)"),
    ("{1+2}{3-4}", "\\left(1+2\\right)\\left(3-4\\right)"),
    ("-14/2\\mod 5", "-\\frac{14}{2}\\bmod 5"),
    ("\\sum_{k=1}^3k^2+1", "\\sum_{k=1}^{3}k^{2}+1"),
    ("\\sum_{i=1}^n i", "\\sum_{i=1}^{n}i"),
    ("\\lim_{x\\to0^+}\\frac{1}{x}", "\\lim_{x\\to 0^{+}}\\frac{1}{x}"),
    ("\\int_0^1x^2\\,dx", "\\int_{0}^{1} x^{2}\\,dx"),
    ("\\int\\frac{3dz}{z}", "\\int \\frac{3}{z}\\,dz"),
    ("\\frac{d}{dx}x^2", "\\frac{d}{dx}\\left(x^{2}\\right)"),
    ("f'(x)", "f'\\left(x\\right)"),
    ("\\operatorname{arcsinh}x", "\\operatorname{arsinh}\\left(x\\right)"),
    ("{n \\choose 2}", "\\binom{n}{2}"),
    ("x=1\\text{ or }x=2", "x=1\\lor x=2"),
    ("1<x\\le 5", "1<x\\le 5"),
    ("(1,2]", "\\left(1, 2\\right]"),
    ("]1,2[", "\\left]1, 2\\right["),
    ("\\{1,2\\}", "\\left\\{1, 2\\right\\}"),
    ("{1,2}", "\\left\\{1, 2\\right\\}"),
    ("1,2;3,4", "1, 2; 3, 4"),
    ("\\{x\\mid x>0\\}", "\\left\\{x\\mid x>0\\right\\}"),
    ("\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}", "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}"),
    ("x=2\\pm\\sqrt3", "x=2\\pm\\sqrt{3}"),
    ("s i n x", "s i n x"),
    ("sin(x)", "\\sin\\left(x\\right)"),
    ("2pi r", "2\\pi r"),
    ("\\$10", "10"),
    ("$x+1$", "x+1"),
    ("\\left(x\\right)\\left(y\\right)", "\\left(x\\right)\\left(y\\right)"),
    ("10\\text{ cm}", "10\\text{cm}"),
    ("\\tilde\\infty", "\\tilde{\\infty}"),
    ("\\vec{v}_0", "\\vec{v}_{0}"),
    ("2\\cdot E-1", "2\\cdot E-1"),
];

#[test]
fn decided_readings() {
    let names = Declarations::new();
    let wrong: Vec<String> = READINGS
        .iter()
        .filter_map(|(input, understood)| {
            let read = parse(input, &names).map_or_else(|error| error.to_string(), |tree| print(&tree));
            (read != *understood).then(|| format!("{input} is {read}, not {understood}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn printing_and_reading_again_keeps_the_value_and_the_text() {
    let names = Declarations::new();
    let mut wrong = Vec::new();
    for (input, _) in READINGS {
        let Ok(tree) = parse(input, &names) else { continue };
        let printed = print(&tree);
        match parse(&printed, &names) {
            Err(error) => wrong.push(format!("{printed}: {error}")),
            Ok(again) => {
                if print(&again) != printed {
                    wrong.push(format!("{printed} becomes {}", print(&again)));
                }
                let mut arena = Arena::default();
                let first = lower(&tree, &names, &mut arena);
                let second = lower(&again, &names, &mut arena);
                if first.ok() != second.ok() {
                    wrong.push(format!("{input} and {printed} differ in value"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn declarations_change_the_reading() {
    let names = Declarations::new().function("f").variable("e").variable("x_12").variable("speed");
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
