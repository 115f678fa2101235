use super::*;
use crate::expr::Function;

fn rows(points: &Points) -> Vec<Vec<f64>> {
    (0..points.len()).map(|point| points.row(point).collect()).collect()
}

#[test]
fn the_same_seed_gives_the_same_points() {
    let mut arena = Arena::default();
    let (x, y) = (arena.symbol("x"), arena.symbol("y"));
    let variables = [Variable::real(x), Variable::real(y)];
    let hints = SamplingHints::default();
    let first = Points::new(&variables, &hints, 1, 20);
    assert_eq!(first, Points::new(&variables, &hints, 1, 20));
    assert_ne!(first, Points::new(&variables, &hints, 2, 20));
    assert_eq!((first.len(), first.block_count(), first.block(2).len()), (24, 3, 2));
    let all = rows(&first);
    assert!(all.iter().flatten().all(|value| value.is_finite() && *value != 0.0));
    // Both signs and several scales in each column of the first two blocks.
    for column in 0..2 {
        let values: Vec<f64> = all.iter().take(16).map(|row| row[column]).collect();
        assert!(values.iter().any(|value| *value < 0.0) && values.iter().any(|value| *value > 0.0));
        assert!(values.iter().any(|value| value.abs() < 1.0) && values.iter().any(|value| value.abs() > 5.0));
    }
}

#[test]
fn integers_where_powers_of_negatives_need_them() {
    let mut arena = Arena::default();
    let (n, x) = (arena.symbol("n"), arena.symbol("x"));
    let (exponent, base) = (arena.variable_of(n), arena.variable_of(x));
    let minus_two = arena.integer(-2);
    let power = arena.power(minus_two, exponent);
    let positive = arena.power(Arena::TWO, exponent);
    assert!(SamplingHints::new(&arena, &[positive]).integers_preferred.is_empty());
    let root = arena.mul(power, base);
    let hints = SamplingHints::new(&arena, &[root]);
    assert!(hints.integers_preferred.contains(n) && !hints.integers_preferred.contains(x));
    let points = Points::new(&[Variable::real(n), Variable::real(x)], &hints, 7, 24);
    let whole = rows(&points).iter().filter(|row| row[0].fract() == 0.0).count();
    let odd = rows(&points).iter().filter(|row| row[0].rem_euclid(2.0) == 1.0).count();
    assert!((12..24).contains(&whole) && (3..=whole - 3).contains(&odd), "{whole} {odd}");
    assert!(rows(&points).iter().all(|row| row[1].fract() != 0.0));
}

#[test]
fn bounds_of_sums_are_integers() {
    let mut arena = Arena::default();
    let (n, k) = (arena.symbol("n"), arena.symbol("k"));
    let (upper, index) = (arena.variable_of(n), arena.variable_of(k));
    let sum = arena.series(crate::expr::SeriesKind::Sum, k, Arena::ONE, upper, index);
    let hints = SamplingHints::new(&arena, &[sum]);
    let points = Points::new(&[Variable::real(n)], &hints, 3, 16);
    assert!(rows(&points).iter().all(|row| row[0].fract() == 0.0));
    assert!(rows(&points).iter().filter(|row| row[0] >= 1.0).count() >= 6);
}

#[test]
fn every_piece_gets_points() {
    let mut arena = Arena::default();
    let x = arena.symbol("x");
    let variable = arena.variable_of(x);
    let (thousand, next) = (arena.integer(1000), arena.integer(1001));
    let (left, right) = (arena.add(variable, thousand), arena.add(variable, next));
    let (a, b) = (arena.apply(Function::Abs, &[left]), arena.apply(Function::Abs, &[right]));
    let two = arena.power(variable, Arena::TWO);
    let nine = arena.integer(-9);
    let quadratic = arena.add(two, nine);
    let c = arena.apply(Function::Abs, &[quadratic]);
    let root = arena.sum(&[a, b, c]);
    let hints = SamplingHints::new(&arena, &[root]);
    let found: Vec<i64> = hints.breakpoints(x).filter_map(Rational::to_i64).collect();
    assert_eq!(found, [-1001, -1000, -3, 3]);
    let points = Points::new(&[Variable::real(x)], &hints, 1, 8);
    let count =
        |low: f64, high: f64| rows(&points).iter().filter(|row| row[0] > low && row[0] < high).count();
    for (low, high) in [(-1e9, -1001.0), (-1001.0, -1000.0), (-1000.0, -3.0), (-3.0, 3.0), (3.0, 1e9)] {
        assert!(count(low, high) >= 2, "{low}..{high}");
    }
}

#[test]
fn steps_are_hit_exactly() {
    let mut arena = Arena::default();
    let x = arena.symbol("x");
    let variable = arena.variable_of(x);
    let seven = arena.integer(-7);
    let shifted = arena.add(variable, seven);
    let sign = arena.apply(Function::Sign, &[shifted]);
    let hints = SamplingHints::new(&arena, &[sign]);
    let points = Points::new(&[Variable::real(x)], &hints, 1, 8);
    assert!(rows(&points).iter().any(|row| row[0] == 7.0));
}

#[test]
fn domains_are_kept() {
    let mut arena = Arena::default();
    let x = arena.symbol("x");
    let r = |numerator, denominator| Rational::new(numerator, denominator);
    let domains = [
        Domain { min: r(0, 1), ..Domain::default() },
        Domain { max: r(-5, 1), ..Domain::default() },
        Domain { min: r(1, 3), max: r(2, 3), ..Domain::default() },
        Domain { min: r(-1, 2), max: r(2, 1), integer: true, ..Domain::default() },
        Domain { min: r(1, 1), integer: true, exclude: vec![Rational::integer(2)], ..Domain::default() },
        Domain { min: r(5, 1), max: r(5, 1), ..Domain::default() },
    ];
    for domain in domains {
        let variable = Variable { symbol: x, domain: domain.clone() };
        let points = Points::new(core::slice::from_ref(&variable), &SamplingHints::default(), 9, 32);
        assert!(rows(&points).iter().all(|row| admits(&domain, row[0])), "{domain:?}");
    }
    let empty = Variable { symbol: x, domain: Domain { min: r(2, 1), max: r(1, 1), ..Domain::default() } };
    let points = Points::new(&[empty], &SamplingHints::default(), 9, 8);
    assert!(rows(&points).iter().all(|row| row[0].is_nan()));
}
