//! Random solution sets, written in many forms. Equal sets are the same, different sets are different, and a
//! point distinguishes two sets that differ.

#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use fablegrade_math::{Difference, Equivalence, Options, Truth, compare};
use proptest::prelude::*;
use proptest::test_runner::Config;

/// Writes `n/d` as LaTeX.
fn tex((n, d): (i64, i64)) -> String {
    if d == 1 {
        n.to_string()
    } else {
        format!("{}\\frac{{{}}}{{{d}}}", if n < 0 { "-" } else { "" }, n.unsigned_abs())
    }
}

fn sum(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    reduced(a.0 * b.1 + b.0 * a.1, a.1 * b.1)
}

fn product(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    reduced(a.0 * b.0, a.1 * b.1)
}

fn reduced(n: i64, d: i64) -> (i64, i64) {
    let (mut a, mut b) = (n.saturating_abs().max(1), d.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let a = if n == 0 { d.saturating_abs() } else { a };
    (n / a * d.signum(), d.saturating_abs() / a)
}

fn negative(a: (i64, i64)) -> (i64, i64) {
    (-a.0, a.1)
}

/// Writes `x - a`.
fn minus(a: (i64, i64)) -> String {
    match a.0.signum() {
        0 => "x".to_owned(),
        1 => format!("\\left(x-{}\\right)", tex(a)),
        _ => format!("\\left(x+{}\\right)", tex(negative(a))),
    }
}

/// Writes `{a}` in 15 forms.
fn single(a: (i64, i64)) -> Vec<String> {
    let (x, v) = (minus(a), tex(a));
    let above = |more: i64| tex(sum(a, (more, 1)));
    vec![
        format!("x={v}"),
        format!("{x}=0"),
        format!("{x}^3=0"),
        format!("{x}^2=0"),
        format!("\\left|{x}\\right|=0"),
        format!("\\frac{{{x}}}{{x^2+x+1}}=0"),
        format!("e^{{{x}}}=1"),
        format!("2^{{{x}}}=1"),
        format!("\\ln\\left(1+{x}\\right)=0"),
        format!("\\sqrt{{4+{x}}}=2"),
        format!("\\frac{{1}}{{1+{x}}}=1"),
        format!("x\\in\\left\\{{{v}\\right\\}}"),
        format!("{v}\\le x\\le {v}"),
        format!("3x-1=2x+({v})-1"),
        format!("\\sqrt[3]{{{x}}}=0\\land x<{}", above(1)),
    ]
}

/// Writes `{a, b}` in 9 forms.
fn pair(a: (i64, i64), b: (i64, i64)) -> Vec<String> {
    let (x, y) = (minus(a), minus(b));
    let middle = product(sum(a, b), (1, 2));
    let radius = product(sum(b, negative(a)), (1, 2));
    vec![
        format!("x={}\\text{{ or }}x={}", tex(a), tex(b)),
        format!("x={},x={}", tex(b), tex(a)),
        format!("{x}{y}=0"),
        format!("{x}^2{y}=0"),
        format!("\\left|{}\\right|={}", minus(middle), tex(radius)),
        format!("{}^2={}", minus(middle), tex(product(radius, radius))),
        format!("x={}\\pm{}", tex(middle), tex(radius)),
        format!("x\\in\\left\\{{{},{}\\right\\}}", tex(a), tex(b)),
        format!("\\frac{{{x}{y}}}{{x^2+2}}=0"),
    ]
}

/// Writes the open interval `(a, b)` in 9 forms, or the closed interval in 8 forms.
fn between(a: (i64, i64), b: (i64, i64), closed: bool) -> Vec<String> {
    let (x, y) = (minus(a), minus(b));
    let less = if closed { "\\le" } else { "<" };
    let (open, close) = if closed { ("[", "]") } else { ("(", ")") };
    let middle = product(sum(a, b), (1, 2));
    let radius = product(sum(b, negative(a)), (1, 2));
    let mut forms = vec![
        format!("{}{less} x{less} {}", tex(a), tex(b)),
        format!("{x}{y}{less} 0"),
        format!("\\left|{}\\right|{less} {}", minus(middle), tex(radius)),
        format!("x\\in\\left{open}{},{}\\right{close}", tex(a), tex(b)),
        format!("{}{less} x\\land x{less} {}", tex(a), tex(b)),
        format!("{x}^3{y}{less} 0"),
        format!("e^{{{}}}{less} e^x{less} e^{{{}}}", tex(a), tex(b)),
        format!(
            "\\neg(x{}{}\\lor x{}{})",
            if closed { "<" } else { "\\le" },
            tex(a),
            if closed { ">" } else { "\\ge" },
            tex(b)
        ),
    ];
    if !closed {
        forms.push(format!("\\frac{{{x}}}{{{y}}}<0"));
    }
    forms
}

/// Writes the point `(a, b)` in 6 forms.
fn point(a: (i64, i64), b: (i64, i64)) -> Vec<String> {
    let (x, y) = (minus(a), minus(b).replace('x', "y"));
    vec![
        format!("x={},y={}", tex(a), tex(b)),
        format!("(x,y)=\\left({},{}\\right)", tex(a), tex(b)),
        format!("x+y={},x-y={}", tex(sum(a, b)), tex(sum(a, negative(b)))),
        format!(
            "\\begin{{cases}}2x+3y={}\\\\x+y={}\\end{{cases}}",
            tex(sum(product((2, 1), a), product((3, 1), b))),
            tex(sum(a, b))
        ),
        format!("{x}^2+{y}^2=0"),
        format!("y={}\\text{{ and }}x={}", tex(b), tex(a)),
    ]
}

/// Writes the line `y = m x + b` in 7 forms.
fn line(m: (i64, i64), b: (i64, i64)) -> Vec<String> {
    let right = format!("{}x+({})", tex(m), tex(b));
    vec![
        format!("y={right}"),
        format!("y-({right})=0"),
        format!("2y=2({right})"),
        format!("\\left|y-({right})\\right|=0"),
        format!("(y-({right}))^3=0"),
        format!("(y-({right}))^2=0"),
        format!("y+1-({})x={}", tex(m), tex(sum(b, (1, 1)))),
    ]
}

/// Writes `a π + k p π` in 6 forms.
fn family(a: (i64, i64), p: (i64, i64)) -> Vec<String> {
    let at = |shift: (i64, i64)| tex(sum(a, shift));
    vec![
        format!("x={}\\pi+{}\\pi k, k\\in\\mathbb{{Z}}", tex(a), tex(p)),
        format!("x={}\\pi-{}\\pi n, n\\in\\mathbb{{Z}}", at(p), tex(p)),
        format!(
            "x={}\\pi+{}\\pi n\\text{{ or }}x={}\\pi+{}\\pi n, n\\in\\mathbb{{Z}}",
            tex(a),
            tex(product((2, 1), p)),
            at(p),
            tex(product((2, 1), p))
        ),
        format!("x={}\\pi+{}\\pi k, k\\in\\mathbb{{Z}}", at(product((3, 1), p)), tex(p)),
        format!("\\left\\{{{}\\pi+{}\\pi k\\mid k\\in\\mathbb{{Z}}\\right\\}}", tex(a), tex(p)),
        format!("\\left\\{{x\\mid x={}\\pi-{}\\pi m,m\\in\\mathbb{{Z}}\\right\\}}", tex(a), tex(p)),
    ]
}

fn decided(a: &str, b: &str) -> (Option<bool>, Option<Difference>) {
    let decision = compare(a, b, &Options::new()).unwrap_or_else(|error| panic!("{a} | {b}: {error}"));
    (decision.verdict().as_bool(), decision.difference)
}

fn check(same: &[String], other: &[String], pick: (usize, usize)) {
    let (a, b) = (&same[pick.0 % same.len()], &same[pick.1 % same.len()]);
    for (a, b) in [(a, b), (b, a)] {
        let (equal, difference) = decided(a, b);
        assert_eq!(equal, Some(true), "{a} | {b}: {difference:?}");
    }
    let c = &other[pick.1 % other.len()];
    for (a, b) in [(a, c), (c, a)] {
        let (equal, difference) = decided(a, b);
        assert_eq!(equal, Some(false), "{a} | {b}");
        assert!(matches!(difference, Some(Difference::Holds { .. })), "{a} | {b}: {difference:?}");
    }
}

fn number() -> impl Strategy<Value = (i64, i64)> {
    (-9i64..10, 1i64..4).prop_map(|(n, d)| reduced(n, d))
}

proptest! {
    #![proptest_config(Config { cases: 200, failure_persistence: None, ..Config::default() })]

    #[test]
    fn the_same_set_in_two_forms_and_another(
        a in number(), width in (1i64..8, 1i64..4), c in number(), kind in 0..7, i in 0usize..60, j in 0usize..60,
    ) {
        let b = sum(a, reduced(width.0, width.1));
        prop_assume!(a != c && b != c);
        let pick = (i, j);
        match kind {
            0 => check(&single(a), &single(c), pick),
            1 => check(&pair(a, b), &single(a), pick),
            2 => check(&between(a, b, false), &between(a, b, true), pick),
            3 => check(&between(a, b, true), &between(a, sum(b, (1, 2)), true), pick),
            4 => check(&point(a, b), &point(a, sum(b, (1, 1))), pick),
            5 => check(&line(a, b), &line(a, c), pick),
            _ => check(&family(a, reduced(width.0, width.1)), &family(sum(a, (1, 40)), reduced(width.0, width.1)), pick),
        }
    }
}

#[test]
fn relations_know_their_domains() {
    use fablegrade_math::Domain;
    let positive = Options::new().with_domain("x", Domain { min: Some(0.into()), ..Domain::default() });
    assert_eq!(compare("x^2=4", "x=2", &positive).unwrap().verdict(), Equivalence::Equal);
    assert_eq!(compare("x^2=4", "x=2", &Options::new()).unwrap().verdict(), Equivalence::Different);
    let whole = Options::new().with_domain("x", Domain { integer: true, ..Domain::default() });
    assert_eq!(compare("2<x<4", "x=3", &whole).unwrap().verdict(), Equivalence::Equal);
    assert_eq!(compare("2<x<4", "x=3", &Options::new()).unwrap().verdict(), Equivalence::Different);
}

#[test]
fn the_domain_of_each_variable_counts_at_every_point() {
    use Equivalence::{Different, Equal, Undecided};
    use fablegrade_math::Domain;
    let from = |min: i64| Domain { min: Some(min.into()), ..Domain::default() };
    let whole = |domain| Domain { integer: true, ..domain };
    let unit = Domain { max: Some(1.into()), ..from(0) };
    let with = |domains: &[(&str, &Domain)]| {
        domains
            .iter()
            .fold(Options::new(), |options, (name, domain)| options.with_domain(name, (*domain).clone()))
    };
    let (naturals, integers) = (whole(from(1)), whole(Domain::default()));
    let counts = with(&[("n", &whole(from(0)))]);
    for (a, b, options, verdict) in [
        ("x+y<1", r"x+y<1,x\le\frac12", with(&[("x", &from(0)), ("y", &from(0))]), Different),
        (r"x>3\text{ or }y>x+1", "x>3", with(&[("y", &unit)]), Different),
        (r"x=y-10\text{ or }x=0", r"x=y-20\text{ or }x=0", with(&[("y", &unit)]), Different),
        // A curve meets integers where no cut of the plane shows it.
        (r"x=3y\text{ or }x=y", "x=y", with(&[("x", &naturals), ("y", &naturals)]), Different),
        (r"x\le 2y", r"x\le y\text{ or }x=y+1", with(&[("x", &naturals), ("y", &naturals)]), Different),
        (
            r"x=2y\text{ or }x=0",
            r"x=3y\text{ or }x=0",
            with(&[("x", &integers), ("y", &integers)]),
            Different,
        ),
        (r"x=y+\frac12\text{ or }x=0", r"x=y+\frac13\text{ or }x=0", with(&[("y", &integers)]), Different),
        ("x+y=5", r"\{(1,4),(2,3),(3,2),(4,1)\}", with(&[("x", &naturals), ("y", &naturals)]), Equal),
        ("x+y=5", r"\{(1,4),(2,3),(3,2)\}", with(&[("x", &naturals), ("y", &naturals)]), Different),
        ("x+y=5", r"\{(1,4),(2,3),(3,2),(4,1)\}", with(&[("x", &naturals)]), Different),
        (r"\frac{z^2}{z}=iz", "z=iz", Options::new().with_complex_variable("z"), Different),
        // Three points at which the powers can be evaluated are not all integers.
        ("(-8)^{n(n-1)(n-2)/3}", "1", counts.clone(), Undecided),
        (r"2^{(n(n-1)(n-2))^{30}}", "1", counts.clone(), Undecided),
        (r"\int_0^{2\pi}\cos(nx)dx", "0", counts.clone(), Undecided),
        (r"\int_0^{2\pi}\cos(nx)dx", "0", with(&[("n", &naturals)]), Equal),
        (r"\lim_{x\to0}\frac{nx+x^2}{nx+2x^2}", "1", counts.clone(), Undecided),
        // Only the integer counts at single points.
        (
            r"\frac2L\int_0^Lx\sin(\frac{n\pi x}{L})dx",
            r"\frac{2L(-1)^{n+1}}{n\pi}",
            with(&[("n", &naturals)]),
            Equal,
        ),
        (r"\int_0^1\cos((n+a)x)dx", r"\frac{\sin(n+a)}{n+a}", with(&[("n", &naturals)]), Equal),
        (r"\operatorname{sgn}(n^2-n-12)^2", "1", counts.clone(), Different),
        (r"\operatorname{sgn}(n^2-n-110)^2", "1", counts, Different),
    ] {
        assert_eq!(compare(a, b, &options).unwrap().verdict(), verdict, "{a} | {b}");
    }
}

#[test]
fn a_declared_letter_is_not_an_index() {
    use fablegrade_math::Domain;
    let whole = Options::new().with_domain("n", Domain { integer: true, ..Domain::default() });
    for options in [&whole, &Options::new().with_variable("n")] {
        for (a, b, verdict) in [
            (r"S=(n-2)\pi", r"S=n\pi", Equivalence::Different),
            (r"S=(n-2)\pi", r"S=n\pi-2\pi", Equivalence::Equal),
            (r"x<n\pi", r"x<(n+1)\pi", Equivalence::Different),
            (r"x=n\pi,n\in\mathbb{Z}", r"x=-k\pi,k\in\mathbb{Z}", Equivalence::Equal),
        ] {
            assert_eq!(compare(a, b, options).unwrap().verdict(), verdict, "{a} | {b}");
        }
    }
}

#[test]
fn an_inequality_with_two_signs_is_decided_beside_itself_alone() {
    for other in ["x<2", "x<-2", "-2<x<2", "x>3"] {
        assert_eq!(decided("x<\\pm2", other).0, None, "{other}");
    }
    assert_eq!(decided("x<\\pm2", "x<\\pm2").0, Some(true));
}

#[test]
fn models_of_long_statements_about_sets_are_charged_to_the_budget() {
    let statement =
        |copies: usize| vec![r"A\subseteq B\cup C\land x\in A\land y\in B"; copies].join(r"\land ");
    for (copies, equal) in [(1, Some(true)), (100, None)] {
        let given = statement(copies);
        assert_eq!(decided(&given, &format!(r"x\in B\cup C\land {given}")).0, equal, "{copies}");
    }
}

#[test]
fn what_says_nothing_is_known() {
    let reference = |latex| fablegrade_math::Reference::new(latex, &Options::new()).unwrap();
    for (latex, says) in [
        ("x^2\\ge0", Truth::Always),
        ("5=5", Truth::Always),
        ("(x+y)^2=x^2+2xy+y^2", Truth::Always),
        ("x=x+1", Truth::Never),
        ("|x|<0", Truth::Never),
        ("x=3", Truth::Varies),
        ("x+y=1", Truth::Varies),
        ("x+1", Truth::Varies),
    ] {
        assert_eq!(reference(latex).truth(), says, "{latex}");
    }
}

#[test]
fn a_witness_is_part_of_the_decision() {
    let decision = compare("x^2=4", "x=2", &Options::new()).unwrap();
    let (point, side) = decision.witness().unwrap();
    assert_eq!((point, side), (&[("x".to_owned(), "-2".to_owned())][..], fablegrade_math::Side::First));
    assert!(compare("x=2", "2=x", &Options::new()).unwrap().witness().is_none());
    // The witness does not belong to both.
    for (side, value) in [
        (r"\{i\}", "2i"),
        ("x=i", "2i"),
        (r"\{i,2i\}", "1+i"),
        (r"\{1\}", "i"),
        (r"\mathbb{R}", "i"),
        (r"\mathbb{Q}", "i"),
        (r"\mathbb{Z}", "i"),
        ("x>0", "i"),
        ("x^2=-1", "2i"),
        (r"x=i\lor x=1", "2i"),
    ] {
        let decision = compare(side, r"\mathbb{C}", &Options::new()).unwrap();
        let (point, only) = decision.witness().unwrap_or_else(|| panic!("{side}: {decision:?}"));
        assert_eq!((point[0].1.as_str(), only), (value, fablegrade_math::Side::Second), "{side}");
    }
}

#[test]
fn large_relations_come_back() {
    let many = (1..90).map(|n| format!("x={n}")).collect::<Vec<_>>().join("\\lor ");
    let product = (1..60).map(|n| format!("(x-{n})")).collect::<Vec<_>>().concat() + "=0";
    let wild = "\\sqrt{x+\\sqrt{x+\\sqrt{x+\\sqrt{x+\\sqrt{x+1}}}}}=\\sqrt[3]{x+\\sqrt[5]{x-7}}";
    let curve = "x^{12}y^{11}-3x^7y^9+y^{12}-x+1=0";
    let tower = format!("{}x{}=1", "|".repeat(30), "-1|".repeat(30));
    let bars = (1..40).map(|n| format!("|x-{n}|")).collect::<Vec<_>>().join("+") + "=900";
    let system = (0..30).map(|n| format!("x_{{{n}}}+x_{{{}}}={n}", n + 1)).collect::<Vec<_>>().join(",");
    for a in [&many, &product, wild, curve, &tower, &bars, &system] {
        for b in [&many, &product, wild, curve, &tower, &bars, &system, "x^2<2", "x=2k\\pi,k\\in\\mathbb{Z}"]
        {
            if let Ok(decision) = compare(a, b, &Options::new()) {
                assert!(a != b || decision.is_equal(), "{a} | {b}");
            }
        }
    }
}

/// Equations that mix the unknown with exponentials, logarithms, arctangents and sines: all their roots are
/// found, or the pair is undecided.
#[test]
fn mixed_equations_are_compared_by_all_their_roots() {
    for (a, b, equal) in [
        ("e^x=x+2", "e^x-x=2", Some(true)),
        ("e^x=x+2", "x=\\ln(x+2)", Some(true)),
        ("e^x=x+2\\land x>0", "x=\\ln(x+2)", Some(false)),
        ("e^x=x+2", "e^x=x+3", Some(false)),
        ("x+e^x=1", "x=0", Some(true)),
        ("x+e^x=1", "x=\\frac{1}{1000000}", Some(false)),
        ("e^x=5-x", "x=\\ln(5-x)", Some(true)),
        ("e^x<x+2", "e^x-2<x", Some(true)),
        ("2^x=x^2", "x=2\\text{ or }x=4", Some(false)),
        // These are steep at their last root, where a cube is 10^30.
        ("e^{x/2}\\le x^6", "(e^{x/2})^3\\le x^{18}", Some(true)),
        ("e^{x/2}\\le(x^2)^3", "e^{3x/2}\\le(x^2)^9", Some(true)),
        ("e^{x/2}\\le x^6", "(e^{x/2})^3<x^{18}", Some(false)),
        // The cube needs six derivatives; after its removal, two are enough.
        ("2^{x/3}\\ge x^2-5", "(2^{x/3})^3\\ge(x^2-5)^3", Some(true)),
        ("2^{x/3}\\ge x^2-5", "(2^{x/3})^3>(x^2-5)^3", Some(false)),
        ("2^{x/3}=x^2-5", "(2^{x/3})^3=(x^2-5)^3", Some(true)),
        ("2^x+3^x=13", "x=2", Some(true)),
        ("2^x+3^x=6", "3^x=6-2^x", Some(true)),
        ("x e^x=1", "x=-\\ln x", Some(true)),
        ("x\\ln x=1", "\\ln x=\\frac1x", Some(true)),
        ("x\\ln x=1", "x\\ln x=2", Some(false)),
        ("x\\ln x=-1", "x\\ln x=-2", None),
        ("x\\arctan x=1", "\\arctan x=\\frac1x", Some(true)),
        ("\\ln x+\\ln(x-1)=\\ln6", "x=3", Some(true)),
        ("\\ln x+\\ln(x-1)=\\ln6", "x=3\\text{ or }x=-2", Some(false)),
        ("\\log_2x+\\log_2(x+2)=3", "x=2", Some(true)),
        ("\\cos x=x", "x^2=x\\cos x\\land x\\ne0", Some(true)),
        ("\\cos x=x", "\\sin x=x", Some(false)),
        ("\\sin x=\\frac x2", "2\\sin x=x", Some(true)),
        ("\\sin x=\\frac x2", "x=0", Some(false)),
        // Interval arithmetic cannot certify a root at which the sides touch.
        ("\\sin x=x", "x=0", None),
    ] {
        for (a, b) in [(a, b), (b, a)] {
            let (found, difference) = decided(a, b);
            assert_eq!(found, equal, "{a} and {b}: {difference:?}");
        }
    }
}

/// Minima, absolute values and exponentials of polynomials together with logarithms and exponentials.
#[test]
fn cases_and_exponents_are_worked_out() {
    for (a, b, equal) in [
        ("\\min(\\ln x,x)\\ge1", "x\\ge e", Some(true)),
        ("\\min(\\ln x,x)\\ge1", "x>e", Some(false)),
        ("\\left|\\ln x\\right|<1", "e^{-1}<x<e", Some(true)),
        ("\\left|e^x-2\\right|=x", "e^x-2=x\\lor(2-e^x=x\\land x\\ge0)", Some(false)),
        ("\\left|e^x-2\\right|=x", "(e^x-2=x\\land x\\ge0)\\lor 2-e^x=x", Some(true)),
        ("x^2=\\sqrt x", "e^{x^2}-e^{\\sqrt x}=0", Some(true)),
        ("e^{-x^2}=x", "-x^2=\\ln x", Some(true)),
        ("e^{-x^2}=x", "-x^2=\\ln x\\land x<\\frac12", Some(false)),
        ("e^{x^2}=2", "x=\\pm\\sqrt{\\ln2}", Some(true)),
        ("e^{x^2}>x^4+1", "x\\ne0", Some(true)),
        ("e^{\\frac1x}=2", "x=\\frac1{\\ln2}", Some(true)),
        ("e^{\\frac1x}=x", "\\ln x=\\frac1x", Some(true)),
        ("(\\sqrt x)^2\\le3\\ln x", "x-3\\ln x\\le0", Some(true)),
        ("(\\sqrt x)^2\\le3\\ln x", "x-3\\ln x<0", Some(false)),
        ("(\\ln x)^3-x^3<-1", "x^3-(\\ln x)^3>1", Some(true)),
        ("\\ln e^{x-2}>1", "x>3", Some(true)),
        ("e^{\\frac xx}=x", "x=e", Some(true)),
        ("\\operatorname{sgn}(\\ln x)=1", "x>1", Some(true)),
    ] {
        for (a, b) in [(a, b), (b, a)] {
            let (found, difference) = decided(a, b);
            assert_eq!(found, equal, "{a} and {b}: {difference:?}");
        }
    }
}

/// Polynomial systems with finitely many solutions, in which no equation determines an unknown.
#[test]
fn systems_are_compared_by_their_solutions() {
    for (a, b, equal) in [
        ("x^3+y^2=5,x^2+y^3=7", "x^3+y^2=5,x^3+y^2+x^2+y^3=12", Some(true)),
        ("x^3+y^2=5,x^2+y^3=7", "x^3+y^2=5,x^2+y^3=8", Some(false)),
        ("x^3+y^2=5,x^2+y^3=7,x>0", "x^3+y^2=5,x^2+y^3=7", Some(true)),
        ("x^3+y^2=5,x^2+y^3=7,x<1", "x^3+y^2=5,x^2+y^3=7", Some(false)),
        ("x^2+y^2=5\\land x^3+y^3=9", "(x=1\\land y=2)\\lor(x=2\\land y=1)", Some(false)),
        ("x^2+y^2=5,x^3+y^3=9", "x=1,y=2", Some(false)),
        ("x^2+xy+y^2=7,x^2-xy+y^2=3", "x^2+y^2=5,xy=2", Some(true)),
        ("x^2+xy+y^2=7,x^2-xy+y^2=3", "\\{(1,2),(2,1),(-1,-2),(-2,-1)\\}", Some(true)),
        ("x^2+y^2+z^2=14,xy+yz+zx=11,x^2-y^2=-3", "x^2+y^2+z^2=14,(x+y+z)^2=36,x^2-y^2=-3", Some(true)),
        ("x^2+y^2+z^2=14,xy+yz+zx=11,x^2-y^2=-3", "x^2+y^2+z^2=14,x+y+z=6,x^2-y^2=-3", Some(false)),
        ("x^2+y^2=2,y^2+z^2=2,x^2+z^2=2", "x^2=1,y^2=1,z^2=1", Some(true)),
        ("x^2+y^2=2,y^2+z^2=2,x^2+z^2=2", "x=1,y=1,z=1", Some(false)),
    ] {
        for (a, b) in [(a, b), (b, a)] {
            let (found, difference) = decided(a, b);
            assert_eq!(found, equal, "{a} and {b}: {difference:?}");
        }
    }
}

/// Names of functions, solutions and sets, which other names would not be.
#[test]
fn left_sides_name_values_functions_and_solutions() {
    let cases: &[(&str, &str, Equivalence)] = &[
        (r"f_1(x)=2x", "2x", Equivalence::Equal),
        (r"f_1(x)=2x", "3x", Equivalence::Different),
        (r"f_a(x)=x^2-ax", "x^2-ax", Equivalence::Equal),
        (r"F_X(x)=1-e^{-x}", "1-e^{-x}", Equivalence::Equal),
        (r"\varphi(t)=2t", "2t", Equivalence::Equal),
        (r"p_A(\lambda)=\lambda^2-3\lambda+2", r"\lambda^2-3\lambda+2", Equivalence::Equal),
        (r"f^{-1}(x)=\sqrt x", r"\sqrt x", Equivalence::Equal),
        (r"f^{-1}(x)=\sqrt x", r"2\sqrt x", Equivalence::Different),
        (r"f^{-1}(3)=2", "2", Equivalence::Equal),
        (r"a^{-1}(x+1)=2", "2", Equivalence::Different),
        (r"f(g(x))=2x+1", "2x+1", Equivalence::Equal),
        (r"(f+g)(x)=3x", "3x", Equivalence::Equal),
        (r"(a+b)(x)=3x", "3x", Equivalence::Different),
        (r"x_1(x+1)=2x", "2x", Equivalence::Different),
        (
            r"A^{-1}=\begin{pmatrix}1&2\\3&4\end{pmatrix}",
            r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
            Equivalence::Equal,
        ),
        (
            r"A^{-1}=\begin{pmatrix}1&2\\3&4\end{pmatrix}",
            r"\begin{pmatrix}1&2\\3&5\end{pmatrix}",
            Equivalence::Different,
        ),
        (
            r"A^T=\begin{pmatrix}1&2\\3&4\end{pmatrix}",
            r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
            Equivalence::Equal,
        ),
        (
            r"2A=\begin{pmatrix}1&2\\3&4\end{pmatrix}",
            r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
            Equivalence::Different,
        ),
        (r"\mathbb E[X]=3.5", r"\frac72", Equivalence::Equal),
        (r"\frac{\Delta y}{\Delta x}=3", "3", Equivalence::Equal),
        (r"\vec a\cdot\vec b=6", "6", Equivalence::Equal),
        (r"ab=6", "6", Equivalence::Different),
        (r"\operatorname{Re}(z)=3", "3", Equivalence::Equal),
        (r"P(A^c)=1-P(A)", "1-P(A)", Equivalence::Equal),
        (r"f(x)=f(x)+1", "f(x)+1", Equivalence::Different),
        (r"\bar x=5", "5", Equivalence::Equal),
        // Definitions.
        (r"f(x)=x^2", "y=x^2", Equivalence::Equal),
        (r"f(x)=x^2", "y=x^3", Equivalence::Different),
        (r"f(x)=x^2", "s=x^2", Equivalence::Undecided),
        (r"f(x)=x^2", "x^2-y=0", Equivalence::Equal),
        (r"f(a)=ax", "y=ax", Equivalence::Undecided),
        (r"a(t)=2t", "y=2t", Equivalence::Undecided),
        (r"f(t)=t^2", "f(x)=x^2", Equivalence::Equal),
        (r"f(t)=t^2", "f(x)=x^3", Equivalence::Different),
        (r"f(x)=2x", "g(x)=2x", Equivalence::Different),
        (r"f'(x)=2x", "y'=2x", Equivalence::Equal),
        (r"f'(x)=2x", "y=2x", Equivalence::Undecided),
        (r"y(x)=x^2", "y=x^2", Equivalence::Equal),
        (r"x\mapsto x^2", "x^2", Equivalence::Equal),
        (r"f:x\mapsto x^2", "f(x)=x^2", Equivalence::Equal),
        (r"f:x\mapsto x^2", "f(x)=x^3", Equivalence::Different),
        // Numbered solutions.
        (r"x_1=2,x_2=3", r"x=2\text{ or }x=3", Equivalence::Equal),
        (r"x_1=2,x_2=3", "x^2-5x+6=0", Equivalence::Equal),
        (r"x_1=2,x_2=3", "x^2-5x+7=0", Equivalence::Different),
        (r"x_1=2,x_2=3", "z^2-5z+6=0", Equivalence::Different),
        (r"x_1=2,x_2=3", "x_1=3,x_2=2", Equivalence::Undecided),
        (r"x_1=2,x_2=3", "x_1=2,x_2=4", Equivalence::Different),
        (r"x_1=2,x_2=3", r"\{3,2\}", Equivalence::Equal),
        (r"x_{1,2}=\pm2", r"x=\pm2", Equivalence::Equal),
        (r"x_{1,2}=\pm2", r"x=\pm3", Equivalence::Different),
        (r"x_{1/2}=2\pm\sqrt3", "x^2-4x+1=0", Equivalence::Equal),
        (r"x_1=x_2=3", "x=3", Equivalence::Equal),
        (r"x_1=x_2=3", "x=4", Equivalence::Different),
        (r"x_1+x_2=5,x_1-x_2=1", "x_1=3,x_2=2", Equivalence::Equal),
        (r"x_1+x_2=5,x_1-x_2=1", "x_1=2,x_2=3", Equivalence::Different),
        // Names of sets.
        (r"L=\{2,3\}", r"x=2\text{ or }x=3", Equivalence::Equal),
        (r"L=\{2,3\}", r"x=2\text{ or }x=4", Equivalence::Different),
        (r"S=\{2\}", "x=2", Equivalence::Equal),
        (r"L=(2,\infty)", "x>2", Equivalence::Equal),
        (r"L=(2,\infty)", r"x\ge2", Equivalence::Different),
        (r"D=\mathbb R\setminus\{2\}", r"x\ne2", Equivalence::Equal),
        (r"A=(2,3)", "2<x<3", Equivalence::Undecided),
        (r"x\in\{2,3\}", r"y=2\text{ or }y=3", Equivalence::Different),
    ];
    let mut wrong = Vec::new();
    for (a, b, wanted) in cases {
        for (a, b) in [(a, b), (b, a)] {
            let found = compare(a, b, &Options::new()).map(|decision| decision.verdict());
            if !matches!(&found, Ok(verdict) if verdict == wanted) {
                wrong.push(format!("{a} | {b}: {found:?}, not {wanted:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
