use super::{Assumptions, Field, Outcome};
use crate::expr::{Arena, Constant, Function, Id, Symbols};
use crate::limits::Fuel;

fn settle_with(build: impl FnOnce(&mut Arena) -> (Id, Id), assumptions: Assumptions) -> Outcome {
    let mut arena = Arena::default();
    let (a, b) = build(&mut arena);
    Field::default().compare(
        &arena,
        [a, b],
        &arena.reachable(&[a, b]),
        42,
        assumptions,
        &mut Fuel::new(1_000_000),
    )
}

fn settle(build: impl FnOnce(&mut Arena) -> (Id, Id)) -> Outcome {
    settle_with(build, Assumptions::default())
}

fn same(build: impl FnOnce(&mut Arena) -> (Id, Id)) -> bool {
    matches!(settle(build), Outcome::Same { bits, .. } if bits >= 16)
}

fn square(a: &mut Arena, id: Id) -> Id {
    a.power(id, Arena::TWO)
}

#[test]
fn rational_functions_are_settled_both_ways() {
    let quotient = |a: &mut Arena, plus: i64| {
        let x = a.variable("x");
        let x2 = square(a, x);
        let (top, bottom) = (a.sub(x2, Arena::ONE), a.sub(x, Arena::ONE));
        let right = a.integer(plus);
        (a.div(top, bottom), a.add(x, right))
    };
    assert!(same(|a| quotient(a, 1)));
    assert_eq!(settle(|a| quotient(a, 2)), Outcome::Different);
    let third = |a: &mut Arena| {
        let number = crate::number::Rational::from_decimal_text("0.333333333333333333").unwrap_or_default();
        (a.number(number), a.fraction(1, 3))
    };
    assert_eq!(settle(third), Outcome::Different);
}

#[test]
fn the_root_of_a_square_is_the_absolute_value() {
    let root = |a: &mut Arena, absolute: bool| {
        let x = a.variable("x");
        let (x2, minus, one) = (square(a, x), a.integer(-2), Arena::ONE);
        let linear = a.mul(minus, x);
        let radicand = a.sum(&[x2, linear, one]);
        let difference = a.sub(x, one);
        let right = if absolute { a.apply(Function::Abs, &[difference]) } else { difference };
        (a.sqrt(radicand), right)
    };
    assert!(same(|a| root(a, true)));
    assert_eq!(settle(|a| root(a, false)), Outcome::Open);
    let plain = |a: &mut Arena| {
        let x = a.variable("x");
        let x2 = square(a, x);
        (a.sqrt(x2), x)
    };
    assert_eq!(settle(plain), Outcome::Open);
    let mut arena = Arena::default();
    let symbol = arena.symbol("x");
    let assumptions = Assumptions { nonnegative: Symbols::one(symbol), ..Assumptions::default() };
    assert!(matches!(settle_with(plain, assumptions), Outcome::Same { .. }));
}

#[test]
fn trigonometry() {
    assert!(same(|a| {
        let x = a.variable("x");
        let (s, c) = (a.apply(Function::Sin, &[x]), a.apply(Function::Cos, &[x]));
        let (s, c) = (square(a, s), square(a, c));
        (a.add(s, c), Arena::ONE)
    }));
    assert!(same(|a| {
        let x = a.variable("x");
        let (pi, third) = (a.constant(Constant::Pi), a.fraction(1, 3));
        let shift = a.mul(pi, third);
        let angle = a.sub(shift, x);
        let left = a.apply(Function::Cos, &[angle]);
        let (s, c) = (a.apply(Function::Sin, &[x]), a.apply(Function::Cos, &[x]));
        let (three, half) = (a.integer(3), a.fraction(1, 2));
        let root = a.sqrt(three);
        let s = a.product(&[half, root, s]);
        let c = a.mul(half, c);
        (left, a.add(s, c))
    }));
    // sin(2 arctan x) = 2x/(1 + x²)
    assert!(same(|a| {
        let x = a.variable("x");
        let angle = a.apply(Function::Atan, &[x]);
        let angle = a.mul(Arena::TWO, angle);
        let x2 = square(a, x);
        let below = a.add(Arena::ONE, x2);
        let above = a.mul(Arena::TWO, x);
        (a.apply(Function::Sin, &[angle]), a.div(above, below))
    }));
    // arctan x + arctan(1/x) is not π/2 for negative x
    assert_eq!(
        settle(|a| {
            let x = a.variable("x");
            let inverse = a.power(x, Arena::MINUS_ONE);
            let (first, second) = (a.apply(Function::Atan, &[x]), a.apply(Function::Atan, &[inverse]));
            let (pi, half) = (a.constant(Constant::Pi), a.fraction(1, 2));
            (a.add(first, second), a.mul(pi, half))
        }),
        Outcome::Open
    );
}

#[test]
fn logarithms_and_powers() {
    // x^(ln y) = y^(ln x)
    assert!(same(|a| {
        let (x, y) = (a.variable("x"), a.variable("y"));
        let (lx, ly) = (a.apply(Function::Ln, &[x]), a.apply(Function::Ln, &[y]));
        (a.power(x, ly), a.power(y, lx))
    }));
    // ln(x² - 1) = ln(x - 1) + ln(x + 1) where both have values
    assert!(same(|a| {
        let x = a.variable("x");
        let x2 = square(a, x);
        let (product, below, above) = (a.sub(x2, Arena::ONE), a.sub(x, Arena::ONE), a.add(x, Arena::ONE));
        let left = a.apply(Function::Ln, &[product]);
        let (first, second) = (a.apply(Function::Ln, &[below]), a.apply(Function::Ln, &[above]));
        (left, a.add(first, second))
    }));
    // arsinh x = ln(x + √(x² + 1))
    assert!(same(|a| {
        let x = a.variable("x");
        let x2 = square(a, x);
        let radicand = a.add(x2, Arena::ONE);
        let root = a.sqrt(radicand);
        let value = a.add(x, root);
        (a.apply(Function::Asinh, &[x]), a.apply(Function::Ln, &[value]))
    }));
    // 2^(log_2(x + 1)) = x + 1
    assert!(same(|a| {
        let x = a.variable("x");
        let y = a.add(x, Arena::ONE);
        let exponent = a.log(Arena::TWO, y);
        (a.power(Arena::TWO, exponent), y)
    }));
    // `ln x` and `ln(-x)` never both have real values.
    assert!(!same(|a| {
        let x = a.variable("x");
        let minus = a.neg(x);
        (a.apply(Function::Ln, &[x]), a.apply(Function::Ln, &[minus]))
    }));
}

#[test]
fn negative_bases_depend_on_the_parity() {
    let power = |a: &mut Arena, shift: i64, factor: i64| {
        let n = a.variable("n");
        let (minus_two, shift) = (a.integer(-2), a.integer(shift));
        let exponent = a.add(n, shift);
        let left = a.power(minus_two, exponent);
        let right = a.power(minus_two, n);
        let factor = a.integer(factor);
        (left, a.mul(factor, right))
    };
    assert!(same(|a| power(a, 1, -2)));
    assert!(!same(|a| power(a, 1, 2)));
    assert!(!same(|a| {
        let n = a.variable("n");
        let minus_two = a.integer(-2);
        (a.power(minus_two, n), a.power(Arena::TWO, n))
    }));
}

#[test]
fn odd_functions_commute_with_the_absolute_value() {
    for function in [Function::Sinh, Function::Atan, Function::Tanh, Function::Asinh] {
        assert!(
            same(|a| {
                let x = a.variable("x");
                let inner = a.apply(Function::Abs, &[x]);
                let left = a.apply(function, &[inner]);
                let value = a.apply(function, &[x]);
                (left, a.apply(Function::Abs, &[value]))
            }),
            "{function:?}"
        );
    }
    assert!(!same(|a| {
        let x = a.variable("x");
        let inner = a.apply(Function::Abs, &[x]);
        let left = a.apply(Function::Sin, &[inner]);
        let value = a.apply(Function::Sin, &[x]);
        (left, a.apply(Function::Abs, &[value]))
    }));
}

#[test]
fn complex_numbers() {
    // e^(ix) = cos x + i sin x
    assert!(same(|a| {
        let x = a.variable("x");
        let i = a.constant(Constant::I);
        let exponent = a.mul(i, x);
        let left = a.exp(exponent);
        let (c, s) = (a.apply(Function::Cos, &[x]), a.apply(Function::Sin, &[x]));
        let s = a.mul(i, s);
        (left, a.add(c, s))
    }));
    // e^(iπ) + 1 = 0
    assert!(same(|a| {
        let (i, pi) = (a.constant(Constant::I), a.constant(Constant::Pi));
        let exponent = a.mul(i, pi);
        let power = a.exp(exponent);
        (a.add(power, Arena::ONE), Arena::ZERO)
    }));
}

#[test]
fn factorials_a_whole_number_apart() {
    assert!(same(|a| {
        let n = a.variable("n");
        let minus = a.sub(n, Arena::ONE);
        let (above, below) = (a.apply(Function::Factorial, &[n]), a.apply(Function::Factorial, &[minus]));
        (a.div(above, below), n)
    }));
}

#[test]
fn constants_keep_their_signs() {
    // √(3 - 2√2) = √2 - 1, not 1 - √2
    let nested = |a: &mut Arena, swapped: bool| {
        let (three, minus_two) = (a.integer(3), a.integer(-2));
        let root = a.sqrt(Arena::TWO);
        let product = a.mul(minus_two, root);
        let radicand = a.add(three, product);
        let right = if swapped { a.sub(Arena::ONE, root) } else { a.sub(root, Arena::ONE) };
        (a.sqrt(radicand), right)
    };
    assert!(same(|a| nested(a, false)));
    assert!(!same(|a| nested(a, true)));
}
