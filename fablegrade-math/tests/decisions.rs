//! The pairs of `decisions/*.tsv` have the expected decisions, in both orders.
#![allow(clippy::expect_used, clippy::panic)]

use fablegrade_latex::ast::Node;
use fablegrade_latex::kind::{Kind, kind_of};
use fablegrade_latex::{Declarations, parse};
use fablegrade_math::internals::{Arena, lower};
use fablegrade_math::{Equivalence, Options, compare};

/// Returns the file and line, the expected decision and both sides of each pair.
fn pairs() -> Vec<(String, String, String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/decisions");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of pairs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tsv"))
        .collect();
    files.sort();
    let mut pairs = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file of pairs");
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (number, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let place = format!("{name}:{}", number + 1);
            let mut fields = line.split('\t').map(str::to_owned);
            match (fields.next(), fields.next(), fields.next(), fields.next()) {
                (Some(says), Some(a), Some(b), None) => pairs.push((place, says, a, b)),
                _ => panic!("{place}: not three fields"),
            }
        }
    }
    pairs
}

#[test]
fn every_pair_is_decided_as_its_file_says() {
    let pairs = pairs();
    assert!(pairs.len() > 300);
    let options = Options::new();
    let mut wrong = Vec::new();
    for (place, says, left, right) in &pairs {
        for (a, b) in [(left, right), (right, left)] {
            let decision = compare(a, b, &options);
            let said = match &decision {
                Ok(decision) => match decision.verdict() {
                    Equivalence::Equal => "same",
                    Equivalence::Different => "different",
                    Equivalence::Undecided => "open",
                },
                Err(_) => "unread",
            };
            if said != says {
                wrong.push(format!("{place}: {a}  {b}  is {says}, said {said}: {decision:?}"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}

#[test]
fn the_kind_of_a_text_says_whether_it_is_one_value() {
    let names = Declarations::new();
    for (place, _, a, b) in pairs() {
        for text in [a, b] {
            let Ok(tree) = parse(&text, &names) else { continue };
            let is_value = lower(&tree, &names, &mut Arena::default()).is_ok();
            // A set in braces and a ratio of three parts can also be read as single values in a calculation.
            let by_form =
                matches!(tree.node(tree.root()), Node::Items { .. } | Node::Ratio(..) | Node::Group(_));
            match kind_of(&tree) {
                Kind::Value => assert!(is_value, "{place}: {text}"),
                kind => assert!(!is_value || by_form, "{place}: {text} is {kind:?}"),
            }
        }
    }
}

#[test]
fn products_of_vectors_are_not_products_of_numbers() {
    use Equivalence::{Equal, Undecided};
    for (a, b, verdict) in [
        (r"\vec a\times\vec b", r"\vec b\times\vec a", Undecided),
        (r"\vec a\times\vec b", r"\vec a\cdot\vec b", Undecided),
        (r"(\vec a\cdot\vec b)\vec c", r"\vec a(\vec b\cdot\vec c)", Undecided),
        (r"\vec a\times\vec b", r"\vec{a} \times \vec{b}", Equal),
        (r"\vec a\cdot\vec b", r"\vec b\cdot\vec a", Equal),
        (r"2\times\vec a", r"\vec a\cdot2", Equal),
    ] {
        let decision = compare(a, b, &Options::new()).expect("both are readable");
        assert_eq!(decision.verdict(), verdict, "{a} | {b}");
    }
}

#[test]
fn letters_that_are_probably_matrices_do_not_commute() {
    use Equivalence::{Different, Equal, Undecided};
    for (a, b, verdict) in [
        ("B^TA^T", "A^TB^T", Undecided),
        ("B^TA^T", "(AB)^T", Equal),
        ("(AB)^{-1}", "A^{-1}B^{-1}", Undecided),
        ("X=A^{-1}B", "X=BA^{-1}", Undecided),
        ("X=A^{-1}B", r"X=A^{-1}\cdot B", Equal),
        ("A=PDP^{-1}", "A=D", Undecided),
        ("A^{-1}B", "A^{-1}BC", Different),
        ("nRTV^{-1}", r"\frac{nRT}{V}", Equal),
        ("PR^T", "R^TP", Equal),
    ] {
        let decision = compare(a, b, &Options::new()).expect("both are readable");
        assert_eq!(decision.verdict(), verdict, "{a} | {b}");
    }
}

#[test]
fn letters_that_may_be_complex_are_not_proven_real() {
    use Equivalence::{Equal, Undecided};
    for (a, b, verdict) in [
        ("|z-i|<2", "|z+i|<2", Undecided),
        ("|z-i|=|z-1|", "|z+i|=|z-1|", Undecided),
        (r"\left|\frac{z-i}{z+i}\right|", "1", Undecided),
        ("|z_1-i|", r"\sqrt{z_1^2+1}", Undecided),
        (r"\operatorname{Im}(u)", "0", Undecided),
        (r"\operatorname{Re}(z)=2", "z=2", Undecided),
        ("2|z-i|=4", "|z-i|=2", Equal),
        ("|z-i|=2", "|i-z|=2", Equal),
        ("z=2+3i", "z=3i+2", Equal),
        ("|x+iy|", r"\sqrt{x^2+y^2}", Equal),
    ] {
        let decision = compare(a, b, &Options::new()).expect("both are readable");
        assert_eq!(decision.verdict(), verdict, "{a} | {b}");
    }
    let real = Options::new().with_variable("z");
    let decision = compare("|z-i|<2", "|z+i|<2", &real).expect("both are readable");
    assert_eq!(decision.verdict(), Equal, "a declared variable is real");
}

#[test]
fn an_added_constant_may_be_one_of_integration() {
    use Equivalence::{Different, Equal, Undecided};
    for (a, b, verdict) in [
        (r"\frac12\sin^2x+C", r"-\frac14\cos2x+C", Undecided),
        (r"\ln|2x|+C", r"\ln|x|+C", Undecided),
        ("x^2+C", "x^2+K", Undecided),
        ("x^2+C", "C+x^2", Equal),
        ("x^2+C", "x^3+C", Different),
        ("x^2+C", "x^2+1", Different),
        ("ax^2+bx+c", "ax^2+bx+c+1", Different),
        ("kx+k", "kx+2k", Different),
    ] {
        let decision = compare(a, b, &Options::new()).expect("both are readable");
        assert_eq!(decision.verdict(), verdict, "{a} | {b}");
    }
    let parameter = Options::new().with_variable("C");
    let decision = compare("x^2+C", "x^2+1+C", &parameter).expect("both are readable");
    assert_eq!(decision.verdict(), Different, "a declared variable is a parameter");
}

#[test]
fn numbered_quantities_and_named_sets_may_not_be_solutions() {
    use Equivalence::{Equal, Undecided};
    for (a, b, verdict) in [
        ("a_{1,2}=5", "a_1=5,a_2=5", Undecided),
        ("F_1=3,F_2=2", "F=2,F=3", Undecided),
        (r"m_1=2\text{ or }m_2=3", r"m_1=2\text{ and }m_2=3", Undecided),
        (r"D=[0;\infty)", r"y\ge0", Undecided),
        (r"A=\{2\}", "x=2", Undecided),
        ("x_1=2,x_2=3", r"x=2\text{ or }x=3", Equal),
        (r"L=\{2,3\}", r"x=2\text{ or }x=3", Equal),
    ] {
        let decision = compare(a, b, &Options::new()).expect("both are readable");
        assert_eq!(decision.verdict(), verdict, "{a} | {b}");
    }
}
