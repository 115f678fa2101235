use proptest::prelude::*;

use super::*;
use crate::expr::SeriesKind;
use crate::random_trees::readable_trees;

/// Returns the value of `root` at one point.
fn at(arena: &Arena, root: Id, variables: &[Symbol], point: &[f64]) -> Value {
    let program = Program::new(arena, &[root], variables);
    let mut evaluator = Evaluator::new();
    let columns: Vec<[f64; LANES]> = point.iter().map(|&value| [value; LANES]).collect();
    evaluator.run(&program, &columns);
    evaluator.value(&program, 0, 3)
}

fn complex_at(arena: &Arena, root: Id, variables: &[Symbol], point: &[f64]) -> ComplexValue {
    let program = Program::new(arena, &[root], variables);
    let mut evaluator = ComplexEvaluator::default();
    evaluator.run(&program, point);
    evaluator.value(&program, 0)
}

#[track_caller]
fn assert_near(value: Value, expected: f64) {
    let Value::Real { value, error } = value else { panic!("{value:?}, expected {expected}") };
    assert!(
        (value - expected).abs() <= error + 2e-16 * expected.abs(),
        "{value} +- {error}, expected {expected}"
    );
    assert!(error <= 1e-12 * (1.0 + expected.abs()), "{value} +- {error} is too wide");
}

#[test]
fn binomials_below_zero_are_zero_unless_the_upper_number_may_be_a_negative_integer() {
    use elementary::Outcome;
    let value = |x: f64, e: f64| match discrete::binomial(x, e, -5.0, 0.0) {
        Outcome::Value(value, error) if !error.is_nan() => Some((value, error)),
        _ => None,
    };
    assert_eq!([value(-3.5, 0.1), value(0.2, 0.5), value(7.0, 0.0)], [Some((0.0, 0.0)); 3]);
    assert_eq!([value(-3.0, 0.0), value(-3.0, 1e-12), value(-2.9, 0.2), value(-0.5, 0.6)], [None; 4]);
}

#[test]
fn real_roots_and_powers() {
    let mut arena = Arena::default();
    let x = arena.symbol("x");
    let variable = arena.variable_of(x);
    let third = arena.fraction(1, 3);
    let cube = arena.power(variable, third);
    let two_fifths = arena.fraction(2, 5);
    let fifth = arena.power(variable, two_fifths);
    let three_fifths = arena.fraction(3, 5);
    let odd_fifth = arena.power(variable, three_fifths);
    let square = arena.sqrt(variable);
    let minus_half = arena.fraction(-1, 2);
    let inverse_root = arena.power(variable, minus_half);
    assert_near(at(&arena, cube, &[x], &[-8.0]), -2.0);
    assert_near(at(&arena, fifth, &[x], &[-32.0]), 4.0);
    assert_near(at(&arena, odd_fifth, &[x], &[-32.0]), -8.0);
    assert_eq!(at(&arena, square, &[x], &[-1.0]), Value::Undefined);
    assert_eq!(at(&arena, square, &[x], &[49.0]), Value::Real { value: 7.0, error: 0.0 });
    assert_near(at(&arena, inverse_root, &[x], &[0.25]), 2.0);
    assert_eq!(at(&arena, inverse_root, &[x], &[0.0]), Value::Undefined);
    let hundred = arena.integer(-100);
    let far = arena.power(variable, hundred);
    assert_near(at(&arena, far, &[x], &[-1.5]), 1.5f64.powi(-100));
}

#[test]
fn powers_with_variable_exponents() {
    let mut arena = Arena::default();
    let n = arena.symbol("n");
    let variable = arena.variable_of(n);
    let minus_two = arena.integer(-2);
    let next = arena.add(variable, Arena::ONE);
    let power = arena.power(minus_two, next);
    assert_eq!(at(&arena, power, &[n], &[4.0]), Value::Real { value: -32.0, error: 0.0 });
    assert_eq!(at(&arena, power, &[n], &[0.5]), Value::Undefined);
    let half = arena.div(variable, Arena::TWO);
    let halved = arena.power(minus_two, half);
    assert_eq!(at(&arena, halved, &[n], &[6.0]), Value::Real { value: -8.0, error: 0.0 });
    // The double for 1/3 may stand for a fraction with an odd denominator, for which -2 has a real root.
    let three = arena.integer(3);
    let third = arena.div(variable, three);
    let thirds = arena.power(minus_two, third);
    assert_eq!(at(&arena, thirds, &[n], &[1.0]), Value::Unknown);
    let zero_power = arena.power(Arena::ZERO, variable);
    assert_eq!(at(&arena, zero_power, &[n], &[0.0]), Value::Undefined);
}

#[test]
fn domains_are_certain() {
    let mut arena = Arena::default();
    let x = arena.symbol("x");
    let variable = arena.variable_of(x);
    for (function, inside, outside) in [
        (Function::Ln, 2.0, -1.0),
        (Function::Ln, 1e-300, 0.0),
        (Function::Asin, 1.0, 1.5),
        (Function::Acos, -1.0, -1.000001),
        (Function::Acosh, 1.0, 0.999),
        (Function::Atanh, 0.5, 1.0),
        (Function::Factorial, 5.0, -3.0),
        (Function::Gamma, 0.5, 0.0),
    ] {
        let id = arena.apply(function, &[variable]);
        assert!(matches!(at(&arena, id, &[x], &[inside]), Value::Real { .. }), "{function:?} at {inside}");
        assert_eq!(at(&arena, id, &[x], &[outside]), Value::Undefined, "{function:?} at {outside}");
        // An undefined part makes the whole expression undefined, even if it is multiplied by 0.
        let product = arena.mul(variable, id);
        let zero = arena.sub(product, product);
        assert_eq!(at(&arena, zero, &[x], &[outside]), Value::Undefined);
    }
    // Doubles do not show that sin(pi) is 0, so its logarithm is unknown rather than undefined.
    let pi = arena.constant(Constant::Pi);
    let sine = arena.apply(Function::Sin, &[pi]);
    let logarithm = arena.apply(Function::Ln, &[sine]);
    assert_eq!(at(&arena, logarithm, &[], &[]), Value::Unknown);
    let quotient = arena.div(Arena::ONE, sine);
    assert_eq!(at(&arena, quotient, &[], &[]), Value::Unknown);
}

#[test]
fn steps_and_integers() {
    let mut arena = Arena::default();
    let (x, y) = (arena.symbol("x"), arena.symbol("y"));
    let (a, b) = (arena.variable_of(x), arena.variable_of(y));
    let table: [(Function, f64, f64, f64); 14] = [
        (Function::Gcd, 12.0, 18.0, 6.0),
        (Function::Gcd, -12.0, 0.0, 12.0),
        (Function::Lcm, 4.0, 6.0, 12.0),
        (Function::Mod, -7.0, 3.0, 2.0),
        (Function::Mod, 7.0, -3.0, -2.0),
        (Function::Mod, 7.5, 2.0, 1.5),
        (Function::Binomial, 5.0, 2.0, 10.0),
        (Function::Binomial, 3.0, 5.0, 0.0),
        (Function::Binomial, -3.0, 3.0, -10.0),
        (Function::Binomial, 52.0, 5.0, 2_598_960.0),
        (Function::Min, 2.0, -3.0, -3.0),
        (Function::Max, 2.0, -3.0, 2.0),
        (Function::Atan2, 0.0, -1.0, core::f64::consts::PI),
        (Function::Atan2, -1.0, 0.0, -core::f64::consts::FRAC_PI_2),
    ];
    for (function, left, right, expected) in table {
        let id = arena.apply(function, &[a, b]);
        assert_near(at(&arena, id, &[x, y], &[left, right]), expected);
    }
    for (function, argument, expected) in [
        (Function::Floor, -1.5, -2.0),
        (Function::Ceil, -1.5, -1.0),
        (Function::Round, 2.5, 3.0),
        (Function::Round, -2.5, -3.0),
        (Function::Sign, -4.0, -1.0),
        (Function::Sign, 0.0, 0.0),
        (Function::Factorial, 10.0, 3_628_800.0),
        (Function::Factorial, 0.5, 0.886_226_925_452_758),
        (Function::DoubleFactorial, 7.0, 105.0),
        (Function::Abs, -2.0, 2.0),
    ] {
        let id = arena.apply(function, &[a]);
        assert_near(at(&arena, id, &[x, y], &[argument, 0.0]), expected);
    }
    let gcd = arena.apply(Function::Gcd, &[a, b]);
    assert_eq!(at(&arena, gcd, &[x, y], &[1.5, 2.0]), Value::Undefined);
    // Rounding errors leave the floor of 1/3 + (3 - 1)/3 undecided.
    let third = arena.div(a, b);
    let rest = arena.sub(b, a);
    let two_thirds = arena.div(rest, b);
    let whole = arena.add(third, two_thirds);
    let floor = arena.apply(Function::Floor, &[whole]);
    assert_eq!(at(&arena, floor, &[x, y], &[1.0, 3.0]), Value::Unknown);
}

#[test]
fn sums_and_products_run_over_integers() {
    let mut arena = Arena::default();
    let (n, k) = (arena.symbol("n"), arena.symbol("k"));
    let (upper, index) = (arena.variable_of(n), arena.variable_of(k));
    let square = arena.mul(index, index);
    let squares = arena.series(SeriesKind::Sum, k, Arena::ONE, upper, square);
    assert_near(at(&arena, squares, &[n], &[10.0]), 385.0);
    // A sum over an empty range has no value if a bound is a variable; between constants it is 0.
    assert_eq!(at(&arena, squares, &[n], &[0.0]), Value::Undefined);
    let empty = arena.series(SeriesKind::Sum, k, Arena::ONE, Arena::ZERO, square);
    assert_near(at(&arena, empty, &[], &[]), 0.0);
    assert_eq!(at(&arena, squares, &[n], &[-3.0]), Value::Undefined);
    assert_eq!(at(&arena, squares, &[n], &[2.5]), Value::Undefined);
    assert_eq!(at(&arena, squares, &[n], &[1e9]), Value::Unknown);
    let product = arena.series(SeriesKind::Product, k, Arena::ONE, upper, index);
    assert_near(at(&arena, product, &[n], &[10.0]), 3_628_800.0);
    // sum_{k=1}^n sum_{j=1}^k j = n(n+1)(n+2)/6. The `k` that is added to the double sum is a free variable.
    let j = arena.symbol("j");
    let inner_index = arena.variable_of(j);
    let inner = arena.series(SeriesKind::Sum, j, Arena::ONE, index, inner_index);
    let outer = arena.series(SeriesKind::Sum, k, Arena::ONE, upper, inner);
    let shifted = arena.add(outer, index);
    assert_near(at(&arena, shifted, &[n, k], &[10.0, 0.5]), 220.5);
    // An undefined term matters only if the sum reaches it.
    let three = arena.integer(3);
    let gap = arena.sub(index, three);
    let reciprocal = arena.div(Arena::ONE, gap);
    let sum = arena.series(SeriesKind::Sum, k, Arena::ONE, upper, reciprocal);
    let program = Program::new(&arena, &[sum], &[n]);
    let mut evaluator = Evaluator::new();
    evaluator.run(&program, &[[2.0, 4.0, 2.0, 3.0, 1.0, 1.0, 1.0, 0.0]]);
    assert_eq!(evaluator.value(&program, 0, 0), Value::Real { value: -1.5, error: 0.0 });
    assert_eq!(evaluator.value(&program, 0, 1), Value::Undefined);
    assert_eq!(evaluator.value(&program, 0, 3), Value::Undefined);
    assert_eq!(evaluator.value(&program, 0, 7), Value::Undefined);
}

#[test]
fn a_budget_ends_nested_sums() {
    let mut arena = Arena::default();
    let (n, k) = (arena.symbol("n"), arena.symbol("k"));
    let upper = arena.variable_of(n);
    let index = arena.variable_of(k);
    let mut body = arena.apply(Function::Sin, &[index]);
    for name in ["k", "j", "i", "h"] {
        let symbol = arena.symbol(name);
        body = arena.series(SeriesKind::Sum, symbol, Arena::ONE, upper, body);
    }
    assert_eq!(at(&arena, body, &[n], &[900.0]), Value::Unknown);
}

#[test]
fn overflow_is_no_evidence() {
    let mut arena = Arena::default();
    let x = arena.symbol("x");
    let variable = arena.variable_of(x);
    let degree = arena.integer(6000);
    let high = arena.power(variable, degree);
    assert_eq!(at(&arena, high, &[x], &[3.0]), Value::Unknown);
    let inverse = arena.div(Arena::ONE, high);
    let bounded = arena.apply(Function::Tanh, &[high]);
    assert_eq!(at(&arena, inverse, &[x], &[3.0]), Value::Unknown);
    assert_eq!(at(&arena, bounded, &[x], &[3.0]), Value::Unknown);
    let tower = arena.exp(high);
    assert_eq!(at(&arena, tower, &[x], &[1.5]), Value::Unknown);
}

#[test]
fn unknown_functions_are_functions() {
    let mut arena = Arena::default();
    let (x, f, g) = (arena.symbol("x"), arena.symbol("f"), arena.symbol("g"));
    let variable = arena.variable_of(x);
    let (one_way, other_way) = (arena.add(variable, Arena::ONE), arena.mul(variable, Arena::TWO));
    // At 1 both arguments are 2.
    let (a, b) = (arena.call(f, &[one_way]), arena.call(f, &[other_way]));
    let c = arena.call(g, &[one_way]);
    let minus = arena.neg(one_way);
    let d = arena.call(f, &[minus]);
    let value = |id| at(&arena, id, &[x], &[1.0]);
    assert!(!value(a).certainly_differ(value(b)));
    assert!(value(a).certainly_differ(value(c)));
    assert!(value(a).certainly_differ(value(d)));
}

#[test]
fn complex_values_are_principal() {
    let mut arena = Arena::default();
    let x = arena.symbol("x");
    let variable = arena.variable_of(x);
    let i = arena.constant(Constant::I);
    let near = |value: ComplexValue, re: f64, im: f64| {
        let ComplexValue::Number { re: a, re_error, im: b, im_error } = value else { panic!("{value:?}") };
        assert!((a - re).abs() <= re_error + 1e-15 * re.abs() && re_error < 1e-12, "{value:?} {re} {im}");
        assert!((b - im).abs() <= im_error + 1e-15 * im.abs() && im_error < 1e-12, "{value:?} {re} {im}");
    };
    let pi = core::f64::consts::PI;
    let root = arena.sqrt(variable);
    near(complex_at(&arena, root, &[x], &[-4.0]), 0.0, 2.0);
    let logarithm = arena.apply(Function::Ln, &[variable]);
    near(complex_at(&arena, logarithm, &[x], &[-1.0]), 0.0, pi);
    let third = arena.fraction(1, 3);
    let cube = arena.power(variable, third);
    near(complex_at(&arena, cube, &[x], &[-8.0]), -2.0, 0.0);
    let power = arena.power(i, variable);
    near(complex_at(&arena, power, &[x], &[3.0]), 0.0, -1.0);
    let self_power = arena.power(i, i);
    near(complex_at(&arena, self_power, &[], &[]), (-pi / 2.0).exp(), 0.0);
    let angle = arena.mul(i, variable);
    let exponential = arena.exp(angle);
    near(complex_at(&arena, exponential, &[x], &[1.0]), 1f64.cos(), 1f64.sin());
    let sum = arena.add(variable, i);
    let modulus = arena.apply(Function::Abs, &[sum]);
    near(complex_at(&arena, modulus, &[x], &[1.0]), 2f64.sqrt(), 0.0);
    let inverse = arena.div(Arena::ONE, sum);
    near(complex_at(&arena, inverse, &[x], &[1.0]), 0.5, -0.5);
    let arc = arena.apply(Function::Acos, &[variable]);
    let back = arena.apply(Function::Cos, &[arc]);
    near(complex_at(&arena, back, &[x], &[3.0]), 3.0, 0.0);
    let square = arena.mul(sum, sum);
    let other = arena.add(square, Arena::ONE);
    let (first, second) = (complex_at(&arena, square, &[x], &[0.7]), complex_at(&arena, other, &[x], &[0.7]));
    assert!(first.certainly_differ(second) && !first.certainly_differ(first));
    // The real evaluator does not decide complex values.
    assert_eq!(at(&arena, square, &[x], &[0.7]), Value::Unknown);
}

/// Compares a value with the test oracle `meval`, whose plain doubles have errors of the size of our bounds.
fn assert_near_oracle(text: &str, x: f64, y: f64, value: Value) -> Result<(), TestCaseError> {
    let Value::Real { value, error } = value else { return Ok(()) };
    if error > 1e-6 * (1.0 + value.abs()) {
        return Ok(());
    }
    let expression: meval::Expr = text.parse().unwrap();
    let theirs = expression.bind2("x", "y").unwrap()(x, y);
    // The oracle returns NaN for odd roots of negative numbers, and its minima and maxima ignore NaN.
    let hides = text.contains("^((") && (text.contains("max(") || text.contains("min("));
    if theirs.is_nan() && text.contains('^') || hides {
        return Ok(());
    }
    let slack = 64.0 * error + 1e-13 * value.abs() + 1e-300;
    prop_assert!((value - theirs).abs() <= slack, "{text} at {x}, {y}: {value} +- {error}, oracle {theirs}");
    Ok(())
}

proptest! {
    #[test]
    fn values_are_those_of_the_development_oracle(
        tree in readable_trees(),
        x in prop_oneof![-5.0f64..5.0, (-5i32..6).prop_map(f64::from)],
        y in prop_oneof![-5.0f64..5.0, (-5i32..6).prop_map(f64::from)],
    ) {
        let mut arena = Arena::default();
        let id = tree.build(&mut arena);
        let variables = [arena.symbol("x"), arena.symbol("y")];
        let text = tree.oracle_text().unwrap();
        assert_near_oracle(&text, x, y, at(&arena, id, &variables, &[x, y]))?;
    }
}

#[test]
fn a_gap_belongs_to_the_outputs_that_it_is_a_part_of() {
    let mut arena = Arena::default();
    let [x, n, k] = ["x", "n", "_1"].map(|name| arena.symbol(name));
    let [at, last, index] = [x, n, k].map(|symbol| arena.variable_of(symbol));
    let root = arena.sqrt(at);
    let logarithm = arena.apply(Function::Ln, &[at]);
    let both = arena.mul(root, logarithm);
    let term = arena.div(root, index);
    let sum = arena.series(SeriesKind::Sum, k, Arena::ONE, last, term);
    let outputs = [root, logarithm, both, at, sum, last];
    let program = Program::new(&arena, &outputs, &[x, n]);
    let mut evaluator = Evaluator::new();
    let mut columns = [[2.0; LANES]; 2];
    // In lane 0 all parts have values. Lanes 1, 2 and 3 lack a root, a logarithm and an integer upper bound.
    columns[0][1] = -1.0;
    columns[0][2] = 0.0;
    columns[1][3] = 1.5;
    evaluator.run(&program, &columns);
    let undefined = [0b0010, 0b0110, 0b0110, 0, 0b1010, 0];
    for (output, expected) in undefined.into_iter().enumerate() {
        assert_eq!(evaluator.undefined_in(&program, output), expected, "output {output}");
        // A program with only this output gives the same result.
        let alone = Program::new(&arena, &[outputs[output]], &[x, n]);
        let mut other = Evaluator::new();
        other.run(&alone, &columns);
        for lane in 0..LANES {
            assert_eq!(other.is_undefined(lane), expected >> lane & 1 == 1, "output {output} at {lane}");
        }
    }
    assert!((0..4).all(|lane| evaluator.is_undefined(lane) == (lane > 0)));
    // Over the complex numbers, only the logarithm of 0 and the sum up to 1.5 have no value.
    let mut evaluator = ComplexEvaluator::default();
    for (point, undefined) in
        [([2.0, 2.0], vec![]), ([-1.0, 2.0], vec![]), ([0.0, 2.0], vec![1, 2]), ([2.0, 1.5], vec![4])]
    {
        evaluator.run(&program, &point);
        let found = (0..outputs.len()).filter(|&output| evaluator.is_undefined_in(&program, output));
        assert_eq!(found.collect::<Vec<_>>(), undefined, "{point:?}");
    }
}
