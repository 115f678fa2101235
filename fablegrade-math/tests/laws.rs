//! Laws of the decision, on random expressions and on chosen ones.

use fablegrade_math::{Domain, Evidence, Options, compare};
use proptest::prelude::*;

fn equal(a: &str, b: &str) -> Option<bool> {
    compare(a, b, &Options::new()).ok().and_then(|decision| decision.equal())
}

/// LaTeX of a random expression in `x`, `y`.
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
    let with = |domain: Domain| Options::new().domain("x", domain);
    let says = |a: &str, b: &str, options: &Options| {
        compare(a, b, options).ok().and_then(|decision| decision.equal())
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
    assert_eq!(decision.equal(), Some(true));
    assert!(decision.reference_undefined && !decision.submission_undefined);
}
