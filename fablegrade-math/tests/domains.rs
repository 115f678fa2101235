//! Comparisons on declared domains.
#![allow(clippy::panic)]

use fablegrade_math::{Decision, Domain, Equivalence, Evidence, Options, Proof, Undecided, compare};

/// Returns the integers from `min` to `max` without the excluded ones.
fn integers(min: i64, max: i64, exclude: &[i64]) -> Domain {
    Domain {
        min: Some(min.into()),
        max: Some(max.into()),
        integer: true,
        exclude: exclude.iter().map(|&value| value.into()).collect(),
    }
}

fn decide(left: &str, right: &str, domains: &[(&str, Domain)]) -> Decision {
    let options = domains
        .iter()
        .fold(Options::new(), |options, (name, domain)| options.with_domain(name, domain.clone()));
    compare(left, right, &options).unwrap_or_else(|error| panic!("{left} and {right}: {error}"))
}

#[test]
fn different_polynomials_are_the_same_on_few_integers() {
    let bits = [("x", integers(0, 1, &[])), ("y", integers(0, 1, &[]))];
    let same = [
        ("x^2", "x"),
        ("x^7-x^3", "0"),
        ("x+y-xy", r"\max(x,y)"),
        ("xy", r"\min(x,y)"),
        ("x+y-2xy", r"(x-y)^2"),
        (r"(-1)^x", "1-2x"),
        (r"2^x", "1+x"),
        ("x^2z", "xz"),
    ];
    for (left, right) in same {
        for (a, b) in [(left, right), (right, left)] {
            assert_eq!(decide(a, b, &bits).evidence, Evidence::Proven(Proof::EveryPoint), "{a} and {b}");
        }
    }
    for (left, right) in [(r"\cos(\pi x)", "1-2x"), (r"\sqrt{1+3x}", "1+x")] {
        assert_eq!(decide(left, right, &bits).verdict(), Equivalence::Equal, "{left} and {right}");
    }
    let three = [("x", integers(0, 2, &[]))];
    let Evidence::Refuted(Some(witness)) = decide("x^2", "x", &three).evidence else { panic!() };
    assert_eq!(witness.point, [("x".to_owned(), 2.0)]);
    assert_eq!(decide("x^3-3x^2+2x", "0", &three).evidence, Evidence::Proven(Proof::EveryPoint));
    assert_eq!(decide("x^2", "x", &[("x", integers(0, 2, &[2]))]).verdict(), Equivalence::Equal);
}

#[test]
fn a_single_different_point_is_found() {
    let hundred = [("n", integers(1, 100, &[]))];
    let Evidence::Refuted(Some(witness)) = decide("(n-73)^2", "|n-73|^3(1+(n-72)(n-74))", &hundred).evidence
    else {
        panic!()
    };
    assert_eq!(witness.point.len(), 1);
    let only = r"\left\lfloor\frac{1}{1+(n-73)^2}\right\rfloor";
    let Evidence::Refuted(Some(witness)) = decide(only, "0", &hundred).evidence else { panic!() };
    assert_eq!(witness.point, [("n".to_owned(), 73.0)]);
    assert_eq!(decide(only, "0", &[("n", integers(1, 100, &[73]))]).verdict(), Equivalence::Equal);
}

#[test]
fn points_without_a_value_do_not_count() {
    let few = [("x", integers(0, 2, &[]))];
    // At 0 the left side has no value; at 1 and 2 both sides have the same value.
    assert_eq!(decide(r"\frac{2}{x}", "3-x", &few).verdict(), Equivalence::Equal);
    assert_eq!(decide(r"\frac{2}{x}", "4-x", &few).verdict(), Equivalence::Different);
}

#[test]
fn one_value_is_a_constant() {
    let two = [("x", Domain { min: Some(2.into()), max: Some(2.into()), ..Domain::default() })];
    assert_eq!(decide("x^2", "x+2", &two).verdict(), Equivalence::Equal);
    assert_eq!(decide("x^2", "x+1", &two).verdict(), Equivalence::Different);
}

#[test]
fn many_integers_without_a_difference_or_an_identity_are_undecided() {
    let factors: Vec<String> = (0..60).map(|k| format!("(x-{k})")).collect();
    let many = [("x", integers(0, 59, &[])), ("y", integers(0, 99, &[]))];
    assert_eq!(decide(&format!("y{}", factors.concat()), "0", &many).verdict(), Equivalence::Equal);
    let more = [("x", integers(0, 1, &[])), ("y", integers(0, 1_000_000, &[]))];
    assert_eq!(decide("x^2y", "xy", &more).verdict(), Equivalence::Equal);
    let wide = [("x", integers(0, 2000, &[]))];
    let steps = r"\prod_{k=0}^{2000}(x-k)";
    let decision = decide(steps, "0", &wide);
    assert_ne!(decision.verdict(), Equivalence::Different, "{:?}", decision.evidence);
    assert_ne!(decision.evidence, Evidence::Undecided(Undecided::NoValue));
}

#[test]
fn identities_on_integers_need_no_search() {
    let any = [("n", Domain { integer: true, min: Some(0.into()), ..Domain::default() })];
    assert_eq!(decide(r"(-1)^{n(n+1)}", "1", &any).verdict(), Equivalence::Equal);
    assert_eq!(decide(r"\binom{n}{2}", r"\frac{n(n-1)}{2}", &any).verdict(), Equivalence::Equal);
    assert_eq!(decide("x^2", "x", &any).verdict(), Equivalence::Different);
}

#[test]
fn steps_on_the_ends_of_a_domain_are_met() {
    let unit = [("x", Domain { min: Some(0.into()), max: Some(1.into()), ..Domain::default() })];
    assert_eq!(decide(r"\lceil x\rceil", "1", &unit).verdict(), Equivalence::Different);
    assert_eq!(decide(r"\operatorname{sgn}(x)", "1", &unit).verdict(), Equivalence::Different);
    let whole = [("x", Domain { integer: true, ..Domain::default() })];
    assert_eq!(decide(r"\operatorname{sgn}(x)^2", "1", &whole).verdict(), Equivalence::Different);
    assert_eq!(decide(r"\lfloor x\rfloor", "x", &whole).verdict(), Equivalence::Equal);
}

#[test]
fn statements_differ_at_points_of_the_domains_alone() {
    let whole = [("n", Domain { integer: true, ..Domain::default() })];
    let unit = [("x", Domain { min: Some(0.into()), max: Some(1.into()), ..Domain::default() })];
    for (a, b, domains, equal) in [
        ("n>1", r"n\ge2", &whole, Some(true)),
        ("n>1", "n>2", &whole, Some(false)),
        ("x>-1", "x>-2", &unit, None),
        (r"x>\frac12", r"x>\frac13", &unit, Some(false)),
        (r"2x>1", r"x>\frac12", &unit, Some(true)),
    ] {
        assert_eq!(decide(a, b, domains).verdict().as_bool(), equal, "{a} and {b}");
    }
}

#[test]
fn large_roots_may_be_integers() {
    let natural = Domain { min: Some(0.into()), integer: true, ..Domain::default() };
    for (a, b) in [
        (r"\log_{10}n\le12", r"\log_{10}n<12"),
        (r"\log_2n\le40", r"\log_2n<40"),
        (r"e^{n/10^{10}}\le e", r"e^{n/10^{10}}<e"),
        (r"10^{80}n^3-3\cdot10^{80}n^2-2n+6\le0", r"10^{80}n^3-3\cdot10^{80}n^2-2n+6<0"),
    ] {
        let decision = decide(a, b, &[("n", natural.clone())]);
        assert_eq!(decision.verdict(), Equivalence::Different, "{a} and {b}: {decision:?}");
    }
    let decision = decide(r"\log_{10}n\le12.5", r"\log_{10}n<12.5", &[("n", natural)]);
    assert_eq!(decision.verdict(), Equivalence::Equal, "{decision:?}");
}
