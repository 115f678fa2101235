use super::*;
use crate::expr::{Constant, Function};

struct Case {
    arena: Arena,
    variables: Vec<Variable>,
}

impl Case {
    fn new(names: &[&str]) -> Case {
        let mut arena = Arena::default();
        let variables = names.iter().map(|name| Variable::real(arena.symbol(name))).collect();
        Case { arena, variables }
    }

    fn of(&mut self, at: usize) -> Id {
        self.arena.variable_of(self.variables[at].symbol)
    }

    fn run(&self, canonical: Id, submission: Id, sampling: &Sampling) -> Report {
        sample(&self.arena, canonical, submission, &self.variables, 42, sampling)
    }

    fn outcome(&self, canonical: Id, submission: Id) -> Outcome {
        self.run(canonical, submission, &Sampling::default()).outcome
    }
}

fn decimal(arena: &mut Arena, text: &str) -> Id {
    arena.number(Rational::from_decimal_text(text).unwrap())
}

#[test]
fn the_tolerance_is_relative_above_one_and_absolute_below() {
    let mut case = Case::new(&[]);
    for (canonical, submission, close) in [
        ("0", "0.000001", true), // on the limit: max(1, ...) = 1
        ("0", "0.0000010000001", false),
        ("1000000", "1000001", true), // 1 <= 1e-6 * 1000001
        ("1000001", "1000000", true),
        ("1000000", "1000001.1", false),
        ("0.5", "0.5000009", true),
        ("3.14159265", "3.1415926", true),
        ("3.14159265", "3.1416", false),
    ] {
        let (a, b) = (decimal(&mut case.arena, canonical), decimal(&mut case.arena, submission));
        let outcome = case.outcome(a, b);
        assert_eq!(outcome == Outcome::Close, close, "{canonical} {submission}: {outcome:?}");
        assert_eq!(matches!(outcome, Outcome::Apart { .. }), !close);
    }
}

#[test]
fn points_without_a_canonical_value_are_replaced() {
    let mut case = Case::new(&["x"]);
    let x = case.of(0);
    let root = case.arena.sqrt(x);
    let report = case.run(root, root, &Sampling::default());
    assert_eq!((report.outcome, report.valid, report.undefined), (Outcome::Close, 20, 0));
    assert!((5..80).contains(&report.skipped), "{}", report.skipped);
    // sqrt(-1 - x^2) has no value anywhere.
    let square = case.arena.mul(x, x);
    let minus = case.arena.neg(square);
    let inner = case.arena.add(minus, Arena::MINUS_ONE);
    let nowhere = case.arena.sqrt(inner);
    let report = case.run(nowhere, x, &Sampling::default());
    assert_eq!((report.outcome, report.valid, report.skipped), (Outcome::TooFewPoints, 0, 400));
}

#[test]
fn a_submission_without_values_is_wrong_above_five_percent() {
    let mut case = Case::new(&["x"]);
    let x = case.of(0);
    // x^(1/2) squared is x, but only in half of the box.
    let root = case.arena.sqrt(x);
    let square = case.arena.power(root, Arena::TWO);
    let report = case.run(x, square, &Sampling::default());
    assert_eq!(report.outcome, Outcome::OftenUndefined);
    // A single gap is accepted: x^2/x is undefined only at 0, and integers hit it once in 21.
    case.variables[0].domain.integer = true;
    let power = case.arena.mul(x, x);
    let quotient = case.arena.div(power, x);
    let sampling = Sampling { points: 21, ..Sampling::default() };
    let report = case.run(x, quotient, &sampling);
    assert_eq!((report.outcome, report.valid, report.undefined), (Outcome::Close, 21, 1));
    let sampling = Sampling { points: 19, ..Sampling::default() };
    case.variables[0].domain.min = Some(Rational::integer(-9));
    case.variables[0].domain.max = Some(Rational::integer(9));
    assert_eq!(case.run(x, quotient, &sampling).outcome, Outcome::OftenUndefined);
}

#[test]
fn small_integer_domains_are_enumerated() {
    let mut case = Case::new(&["n", "m"]);
    let (n, m) = (case.of(0), case.of(1));
    for variable in &mut case.variables {
        variable.domain = Domain {
            min: Some(Rational::integer(1)),
            max: Some(Rational::integer(4)),
            integer: true,
            exclude: vec![Rational::integer(2)],
        };
    }
    // Nine points; (n-1)(n-3)(n-4) vanishes at all of them.
    let mut product = Arena::ONE;
    for root in [-1, -3, -4] {
        let number = case.arena.integer(root);
        let factor = case.arena.add(n, number);
        product = case.arena.mul(product, factor);
    }
    let shifted = case.arena.add(m, product);
    let report = case.run(m, shifted, &Sampling::default());
    assert_eq!((report.outcome, report.valid), (Outcome::Close, 9));
    // There are only three points; they are enough because none is omitted.
    case.variables.pop();
    let report = case.run(n, n, &Sampling::default());
    assert_eq!((report.outcome, report.valid), (Outcome::Close, 3));
}

#[test]
fn boxes_and_exclusions_are_kept() {
    let domain = |min: Option<i64>, max: Option<i64>| Domain {
        min: min.map(Rational::integer),
        max: max.map(Rational::integer),
        ..Domain::default()
    };
    for (given, low, high) in [
        (domain(None, None), -10.0, 10.0),
        (domain(Some(0), None), 0.0, 10.0),
        (domain(Some(50), None), 50.0, 70.0),
        (domain(None, Some(-50)), -70.0, -50.0),
        (domain(Some(2), Some(3)), 2.0, 3.0),
    ] {
        let mut arena = Arena::default();
        let variable = Variable { symbol: arena.symbol("x"), domain: given };
        let mut sample_points = SamplePoints::new(&[variable], 5, 50);
        let (mut least, mut most) = (f64::MAX, f64::MIN);
        for _ in 0..400 {
            let value = sample_points.next().unwrap()[0];
            assert!(value >= low && value <= high);
            (least, most) = (least.min(value), most.max(value));
        }
        assert!(least < low + 0.1 * (high - low) && most > high - 0.1 * (high - low));
    }
}

#[test]
fn doubles_that_cancel_are_settled_with_more_bits() {
    let mut case = Case::new(&["x"]);
    let x = case.of(0);
    // (e^50 + x) - e^50 loses x in doubles.
    let exponential = {
        let fifty = case.arena.integer(50);
        case.arena.exp(fifty)
    };
    let sum = case.arena.apply(Function::Ln, &[exponential]);
    let power = case.arena.exp(sum);
    let shifted = case.arena.add(x, power);
    let difference = case.arena.sub(shifted, exponential);
    assert_eq!(case.outcome(x, difference), Outcome::Close);
    let half = case.arena.fraction(1, 2);
    let off = case.arena.add(difference, half);
    assert!(matches!(case.outcome(x, off), Outcome::Apart { .. }));
}

#[test]
fn complex_values_are_compared_by_modulus() {
    let mut case = Case::new(&["x"]);
    let x = case.of(0);
    let i = case.arena.constant(Constant::I);
    let angle = case.arena.mul(i, x);
    let power = case.arena.exp(angle);
    let (sin, cos) = (case.arena.apply(Function::Sin, &[x]), case.arena.apply(Function::Cos, &[x]));
    let turned = case.arena.mul(i, sin);
    let sum = case.arena.add(cos, turned);
    let other = case.arena.sub(cos, turned);
    assert_eq!(case.outcome(power, sum), Outcome::Close);
    assert!(matches!(case.outcome(power, other), Outcome::Apart { .. }));
}

#[test]
fn reports_follow_from_the_seed() {
    let mut case = Case::new(&["x", "y"]);
    let (x, y) = (case.of(0), case.of(1));
    let (a, b) = (case.arena.mul(x, y), case.arena.add(x, y));
    let first = case.run(a, b, &Sampling::default());
    assert_eq!(first, case.run(a, b, &Sampling::default()));
    assert!(matches!(first.outcome, Outcome::Apart { .. }));
    assert_eq!(first.valid, 20);
}

#[test]
fn tolerances_are_positive_decimals() {
    assert_eq!(tolerance("1e-6"), Rational::new(1, 1_000_000));
    for bad in ["0", "-0.1", "x", ""] {
        assert_eq!(tolerance(bad), None);
    }
}

#[test]
fn parts_beyond_the_limits_give_no_verdict() {
    use crate::{Dependence, Equivalence, Expression, Options, Reference};
    let factors = |count: usize| vec![format!("1{}", "0".repeat(250)); count].join("\\cdot ");
    let ratio = format!("\\frac{{{}}}{{{}}}x", factors(10), factors(9));
    let (options, sampling) = (Options::new(), Sampling::default());
    let key = Reference::new("x", &options).unwrap();
    let answer = Expression::parse(&ratio, &options).unwrap();
    assert_eq!(key.sample(&answer, &sampling).unwrap().verdict(), Equivalence::Undecided);
    assert_eq!(key.dependence_of(&answer).unwrap(), Dependence::Unknown);
    let pair = Expression::parse(&format!("({ratio},1)"), &options).unwrap();
    let list = Reference::new("(x,1)", &options).unwrap();
    assert_eq!(list.sample(&pair, &sampling).unwrap().verdict(), Equivalence::Undecided);
    assert!(!Reference::new(&ratio, &options).unwrap().can_be_sampled(&sampling));
}

#[test]
fn readings_of_subscripts_with_different_verdicts_are_undecided() {
    use crate::{Equivalence, Expression, Options, Reference};
    let (options, sampling) = (Options::new(), Sampling::default());
    for (key, answer, verdict) in [
        (r"\sum_{k=2}^{2}a_{2k}", "a_{22}", Equivalence::Undecided),
        (r"\sum_{k=2}^{2}a_{2k}b_{2k}c_{2k}", "a_{22}b_{22}c_{22}", Equivalence::Undecided),
        (r"\sum_{k=2}^{2}a_{2k}b_{2k}c_{2k}", "a_{22}+b_{22}c_{22}", Equivalence::Different),
        (r"\sum_{k=1}^{2}a_{2k}", "a_{21}+a_{22}", Equivalence::Equal),
    ] {
        let reference = Reference::new(key, &options).unwrap();
        let answer = Expression::parse(answer, &options).unwrap();
        assert_eq!(reference.sample(&answer, &sampling).unwrap().verdict(), verdict, "{key}");
    }
}

#[test]
fn a_domain_of_one_point_has_its_exact_value() {
    use crate::{Equivalence, Expression, Options, Reference};
    let tenth = Rational::from_decimal_text("0.1").unwrap();
    let domain = Domain { min: Some(tenth.clone()), max: Some(tenth.clone()), ..Domain::default() };
    let sampling =
        Sampling { tolerance: Rational::from_decimal_text("1e-300").unwrap(), ..Sampling::default() };
    let options = Options::new().with_domain("x", domain.clone()).with_variable("y");
    for (key, answer, verdict) in [
        ("x", "x", Equivalence::Equal),
        ("x", "0.1", Equivalence::Equal),
        ("x", "0.11", Equivalence::Different),
        ("xy", "\\frac{y}{10}", Equivalence::Equal),
        ("(x,y)", "(0.1,y)", Equivalence::Equal),
    ] {
        let reference = Reference::new(key, &options).unwrap();
        let answer = Expression::parse(answer, &options).unwrap();
        assert!(reference.can_be_sampled(&sampling), "{key}");
        assert_eq!(reference.sample(&answer, &sampling).unwrap().verdict(), verdict, "{key}");
    }
    let reference = Reference::new("xy", &options).unwrap();
    let sampled = reference.sample(&Expression::parse("y", &options).unwrap(), &sampling).unwrap();
    let crate::Sampled::Value(Report { outcome: Outcome::Apart { point, .. }, .. }) = sampled else {
        panic!()
    };
    assert!(point.len() == 2 && point.contains(&0.1), "{point:?}");
    let excluded = Domain { exclude: vec![tenth], ..domain };
    let options = Options::new().with_domain("x", excluded);
    assert!(!Reference::new("x", &options).unwrap().can_be_sampled(&sampling));
}
