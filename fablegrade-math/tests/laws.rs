//! Laws of the decision, on random and on chosen expressions.

use fablegrade_latex::Declarations;
use fablegrade_latex::parse;
use fablegrade_latex::printer::print;
use fablegrade_latex::same_form::form;
use fablegrade_math::internals::{
    Arena, Ball, Field, Points, Precise, Program, SamplingHints, Variable, lower,
};
use fablegrade_math::{Domain, Evidence, Options, compare};
use proptest::prelude::*;

fn equal(a: &str, b: &str) -> Option<bool> {
    compare(a, b, &Options::new()).ok().and_then(|decision| decision.verdict().as_bool())
}

/// Generates the LaTeX of a random expression in `x` and `y`.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        (1i64..20).prop_map(|n| n.to_string()),
        (1i64..9, 2i64..9).prop_map(|(n, d)| format!(r"\frac{{{n}}}{{{d}}}")),
        Just(r"\pi".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}+{b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}-{b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!(r"({a}\cdot {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!(r"\frac{{{a}}}{{{b}}}")),
            (inner.clone(), 1i64..5).prop_map(|(a, n)| format!("({a})^{{{n}}}")),
            inner.clone().prop_map(|a| format!(r"\sqrt{{{a}}}")),
            inner.clone().prop_map(|a| format!(r"\sqrt[3]{{{a}}}")),
            inner.clone().prop_map(|a| format!(r"\left|{a}\right|")),
            inner.clone().prop_map(|a| format!(r"e^{{{a}}}")),
            (
                prop_oneof![
                    Just("sin"),
                    Just("cos"),
                    Just("tan"),
                    Just("ln"),
                    Just("arctan"),
                    Just("sinh"),
                    Just("cosh"),
                    Just("arcsin")
                ],
                inner
            )
                .prop_map(|(f, a)| format!(r"\{f}\left({a}\right)")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn never_different_from_itself(a in expression()) {
        prop_assert_ne!(equal(&a, &a), Some(false));
        prop_assert_ne!(equal(&a, &format!("(({a}))")), Some(false));
    }

    #[test]
    fn symmetric(a in expression(), b in expression()) {
        let (there, back) = (equal(&a, &b), equal(&b, &a));
        if let (Some(there), Some(back)) = (there, back) {
            prop_assert_eq!(there, back);
        }
    }

    #[test]
    fn rearranging_never_refutes(a in expression(), b in expression()) {
        prop_assert_ne!(equal(&format!("{a}+{b}"), &format!("{b}+{a}")), Some(false));
        prop_assert_ne!(equal(&format!(r"({a})\cdot({b})"), &format!(r"({b})\cdot({a})")), Some(false));
        prop_assert_ne!(equal(&format!("2({a}+{b})"), &format!("2({a})+2({b})")), Some(false));
        prop_assert_ne!(equal(&a, &format!(r"\frac{{6({a})}}{{6}}")), Some(false));
    }

    #[test]
    fn a_shift_is_never_equal(a in expression()) {
        prop_assert_ne!(equal(&a, &format!("{a}+1")), Some(true));
        prop_assert_ne!(equal(&a, &format!("{a}-10^{{-30}}")), Some(true));
    }

    #[test]
    fn renaming_changes_nothing(a in expression(), b in expression()) {
        let renamed = |text: &str| text.replace('x', "u").replace("e^", "\u{1}").replace('y', "v").replace('\u{1}', "e^");
        let (before, after) = (equal(&a, &b), equal(&renamed(&a), &renamed(&b)));
        if let (Some(before), Some(after)) = (before, after) {
            prop_assert_eq!(before, after);
        }
    }
}

/// Identities and near misses, in which two expressions are substituted for `a` and `b`.
const PATTERNS: [(&str, &str); 16] = [
    ("(a+b)(a-b)", "(a)^2-(b)^2"),
    ("(a+b)^3", "(a)^3+3(a)^2(b)+3(a)(b)^2+(b)^3"),
    (r"\sin(a+b)", r"\sin(a)\cos(b)+\cos(a)\sin(b)"),
    (r"e^{a+b}", r"e^{a}e^{b}"),
    (r"\ln(e^{a})", "a"),
    (r"\sqrt{(a)^2}", r"\left|a\right|"),
    (r"\sqrt{(a)^2}", "a"),
    (r"\left|a\right|\left|b\right|", r"\left|(a)(b)\right|"),
    (r"\ln((a)^2)", r"2\ln(a)"),
    (r"\frac{a}{b}+\frac{b}{a}", r"\frac{(a)^2+(b)^2}{(a)(b)}"),
    (r"\arcsin(\sin(a))", "a"),
    (r"\max(a,b)", r"\frac{a+b+\left|a-(b)\right|}{2}"),
    (r"\sqrt[3]{(a)^3}", "a"),
    (r"\lfloor a\rfloor+1", r"\lfloor a+1\rfloor"),
    (r"(a)^2+10^{-40}", "(a)^2"),
    (r"\tan(a)", r"\frac{\sin(a)}{\cos(a)}"),
];

/// A number of bits that is enough for 200 digits.
const BITS: usize = 680;
/// The highest precision that is used, in bits.
const MOST_BITS: usize = 4_000;

/// Evaluates two expressions with a number of bits. Returns whether they certainly differ at any of the given
/// or drawn points, and the number of points at which both have values.
fn at_bits(a: &str, b: &str, names: &[String], rows: &[Vec<f64>], bits: usize) -> Option<(bool, usize)> {
    let declared = Declarations::new();
    let mut arena = Arena::default();
    let mut value = |text: &str| lower(&parse(text, &declared).ok()?, &declared, &mut arena).ok();
    let (a, b) = (value(a)?, value(b)?);
    let symbols: Vec<_> = names.iter().map(|name| arena.symbol(name)).collect();
    let variables: Vec<_> = symbols.iter().map(|&symbol| Variable::real(symbol)).collect();
    let program = Program::new(&arena, &[a, b], &symbols);
    let drawn = Points::new(&variables, &SamplingHints::new(&arena, &[a, b]), 0x2_0D16, 8);
    let mut all = rows.to_vec();
    all.extend((0..drawn.len().max(1)).map(|point| drawn.row(point).collect::<Vec<_>>()));
    let (mut precise, mut seen, mut apart) = (Precise::new(), 0, false);
    for row in &all {
        let mut values = precise.evaluate(&program, row, Field::Real, bits, &mut 2_000_000);
        if values.is_err() && !rows.is_empty() {
            // A witness may be at a point at which only complex values exist.
            values = precise.evaluate(&program, row, Field::Complex, bits, &mut 2_000_000);
        }
        let Ok(values) = values else { continue };
        seen += 1;
        let [left, right] = &values[..] else { return None };
        let differ = |a: &Ball, b: &Ball| {
            a.minus(b, bits).is_ok_and(|difference| difference.sign().is_some_and(|sign| sign.is_ne()))
        };
        apart |= differ(&left.re, &right.re) || differ(&left.im, &right.im);
    }
    Some((apart, seen))
}

/// Checks the decision against rigorous evaluation to 200 digits: equal sides do not differ at any drawn
/// point, and different sides differ at the witness.
fn check_against_digits(a: &str, b: &str) -> Result<(), TestCaseError> {
    let Ok(decision) = compare(a, b, &Options::new()) else { return Ok(()) };
    let names: Vec<String> = ["x", "y"].map(str::to_owned).to_vec();
    match &decision.evidence {
        evidence if evidence.is_equal() => {
            if let Some((apart, _)) = at_bits(a, b, &names, &[], BITS) {
                prop_assert!(!apart, "{} | {}: {:?}, but the digits differ", a, b, evidence);
            }
        }
        Evidence::Refuted(Some(witness)) => {
            let names: Vec<String> = witness.point.iter().map(|(name, _)| name.clone()).collect();
            if names.iter().any(String::is_empty) || witness.point.iter().any(|(_, at)| *at == 1.0 / 3.0) {
                return Ok(());
            }
            let row: Vec<f64> = witness.point.iter().map(|(_, at)| *at).collect();
            let rows = [row];
            if let Some((apart, seen)) = at_bits(a, b, &names, &rows, BITS) {
                // Next to a value of 10^169, a difference of 10^-40 needs more precision.
                let later = || at_bits(a, b, &names, &rows, MOST_BITS).is_some_and(|(apart, _)| apart);
                prop_assert!(apart || seen == 0 || later(), "{} | {}: no difference at {:?}", a, b, witness);
            }
        }
        _ => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn two_hundred_digits_never_contradict(a in expression(), b in expression(), at in 0..PATTERNS.len()) {
        check_against_digits(&a, &b)?;
        let put = |pattern: &str| {
            // `a` and `b` are replaced if they are whole names, not parts of the names of commands.
            let mut text = String::new();
            let characters: Vec<char> = pattern.chars().collect();
            for (i, &c) in characters.iter().enumerate() {
                let beside = [i.checked_sub(1).map(|j| characters[j]), characters.get(i + 1).copied()];
                let alone = beside.iter().flatten().all(|c| !c.is_ascii_alphabetic());
                match c {
                    'a' if alone => text.push_str(&format!("({a})")),
                    'b' if alone => text.push_str(&format!("({b})")),
                    _ => text.push(c),
                }
            }
            text
        };
        let (left, right) = PATTERNS[at];
        check_against_digits(&put(left), &put(right))?;
    }

    #[test]
    fn what_is_printed_reads_back(a in expression(), b in expression()) {
        let names = Declarations::new();
        for text in [a.clone(), format!("{a}={b}"), format!(r"\{{{a},{b}\}}"), format!(r"\frac{{d}}{{dx}}\left({a}\right)")] {
            let Ok(tree) = parse(&text, &names) else { continue };
            let printed = print(&tree);
            let again = parse(&printed, &names);
            prop_assert!(again.is_ok(), "{} prints as {}", text, printed);
            if let Ok(again) = again {
                prop_assert_eq!(form(&tree), form(&again), "{} prints as {}", text, printed);
                prop_assert_eq!(print(&again), printed);
            }
        }
    }

    #[test]
    fn scaling_and_reordering_change_nothing(a in expression(), b in expression(), c in expression(), k in 2i64..50) {
        let plain = equal(&a, &b);
        for (left, right) in [
            (format!(r"{k}\cdot({a})"), format!(r"{k}\cdot({b})")),
            (format!(r"-\frac{{{a}}}{{{k}}}"), format!(r"-\frac{{{b}}}{{{k}}}")),
            (format!("({a})+{k}"), format!("({b})+{k}")),
        ] {
            if let (Some(plain), Some(scaled)) = (plain, equal(&left, &right)) {
                prop_assert_eq!(plain, scaled, "{} | {} and {} | {}", a, b, left, right);
            }
        }
        let orders = [format!("({a})+({b})+({c})"), format!("({c})+({a})+({b})"), format!("({b})+({c})+({a})")];
        for other in [format!("({a})+({b})"), orders[0].clone()] {
            let said: Vec<_> = orders.iter().filter_map(|order| equal(order, &other)).collect();
            prop_assert!(said.windows(2).all(|pair| pair[0] == pair[1]), "{:?} and {}", orders, other);
        }
    }
}

#[test]
fn algebraic_constants_are_proven() {
    // Equal radicals in different forms.
    for (a, b) in [
        (r"\sqrt[3]{2+\sqrt5}+\sqrt[3]{2-\sqrt5}", "1"),
        (r"\sqrt[3]{7+5\sqrt2}", r"1+\sqrt2"),
        (r"\sqrt2+\sqrt3", r"\sqrt{5+2\sqrt6}"),
    ] {
        let decision = compare(a, b, &Options::new()).expect("both can be read");
        assert!(
            matches!(decision.evidence, Evidence::Proven(_) | Evidence::Identity { .. }),
            "{a} and {b}: {:?}",
            decision.evidence
        );
    }
    for (a, b) in [
        (r"\tan\frac{\pi}{7}\tan\frac{2\pi}{7}\tan\frac{3\pi}{7}", r"\sqrt7"),
        (
            r"\cos\frac{2\pi}{17}+\cos\frac{4\pi}{17}+\cos\frac{8\pi}{17}+\cos\frac{16\pi}{17}",
            r"\frac{\sqrt{17}-1}{4}",
        ),
        (r"\sqrt{i}", r"\frac{1+i}{\sqrt2}"),
    ] {
        let decision = compare(a, b, &Options::new()).expect("both can be read");
        assert_eq!(decision.evidence, Evidence::Proven(fablegrade_math::Proof::Separation), "{a} and {b}");
    }
}

#[test]
fn identities_hold() {
    for (a, b) in [
        (r"\sin^2x+\cos^2x", "1"),
        (r"\sqrt{x^2}", "|x|"),
        (r"x^{\ln y}", r"y^{\ln x}"),
        (r"\ln(x^2-1)", r"\ln(x-1)+\ln(x+1)"),
        (r"\arctan x+\arctan\frac1x", r"\frac{\pi}{2}\frac{|x|}{x}"),
        (r"\sqrt{11+6\sqrt2}", r"3+\sqrt2"),
        (r"(-2)^{n+1}", r"-2(-2)^n"),
        (r"\frac{(n+1)!}{n!}", "n+1"),
        (r"e^{i\pi}", "-1"),
        (r"\cosh^2x-\sinh^2x", "1"),
        (r"(x-a)^{6000}", r"(a-x)^{6000}"),
        (r"\sqrt[3]{-8}", "-2"),
        (r"\sum_{k=1}^{n}k", r"\frac{n(n+1)}{2}"),
        (r"\cos\frac{\pi}{5}", r"\frac{1+\sqrt5}{4}"),
        (r"\log_2 8^x", "3x"),
    ] {
        assert_eq!(equal(a, b), Some(true), "{a} and {b}");
        assert_eq!(equal(b, a), Some(true), "{b} and {a}");
    }
}

#[test]
fn near_misses_are_told_apart() {
    for (a, b) in [
        (r"\sqrt{x^2}", "x"),
        (r"\arctan x+\arctan\frac1x", r"\frac{\pi}{2}"),
        (r"|x+1000|-1000", r"|x+1001|-1001"),
        (r"\frac13", "0.333333333333333333"),
        ("10^{-30}", r"2\cdot10^{-30}"),
        (r"(-2)^n", "2^n"),
        (r"(-1)^x", r"\cos(\pi x)"),
        (r"\sqrt{3-2\sqrt2}", r"1-\sqrt2"),
        (r"(\sinh x)^n", r"(\sinh|x|)^n"),
        (r"\frac{1}{2004!}", r"\frac{1}{2006!}"),
        ("x^{6000}", "x^{6001}"),
        (r"\sqrt{x-3}\sqrt{x-5}", r"\sqrt{(x-3)(x-5)}"),
        (r"\sin(\pi x)", "0"),
        (r"10^{-50}\sin x", r"10^{-50}\cos x"),
        ("x+2161634606339961359\\cdot10^{-50}", "x"),
        ("2161634606339961359x", "0"),
    ] {
        assert_eq!(equal(a, b), Some(false), "{a} and {b}");
        assert_eq!(equal(b, a), Some(false), "{b} and {a}");
    }
}

#[test]
fn domains_decide() {
    let with = |domain: Domain| Options::new().with_domain("x", domain);
    let says = |a: &str, b: &str, options: &Options| {
        compare(a, b, options).ok().and_then(|decision| decision.verdict().as_bool())
    };
    let nonnegative = with(Domain { min: Some(0.into()), ..Domain::default() });
    assert_eq!(says(r"\sqrt{x^2}", "x", &nonnegative), Some(true));
    let integers = with(Domain { integer: true, ..Domain::default() });
    assert_eq!(says(r"\cos(\pi x)", "(-1)^x", &integers), Some(true));
    assert_eq!(says(r"\sin(\pi x)", "0", &integers), Some(true));
    assert_eq!(says(r"\sin(\pi x)", "x-x", &Options::new()), Some(false));
}

#[test]
fn evidence_is_told() {
    let decision = compare("x", "y", &Options::new()).expect("both can be read");
    let Evidence::Refuted(Some(witness)) = decision.evidence else { panic!("{:?}", decision.evidence) };
    assert_eq!(witness.point.len(), 2);
    assert!((witness.left.0 - witness.right.0).abs() > witness.bound);
    let decision = compare("2 ln(x)", r"\ln(x^2)", &Options::new()).expect("both can be read");
    assert!(decision.is_equal());
    assert!(decision.reference_undefined && !decision.submission_undefined);
}
