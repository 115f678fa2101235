use proptest::prelude::*;

use super::*;

fn r(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

fn text(source: &str) -> Rational {
    Rational::from_decimal_text(source).unwrap()
}

#[test]
fn decimals_are_exact() {
    assert_eq!(text("1.3").checked_mul(&text("1.3")).unwrap(), text("1.69"));
    assert_eq!(text(".5"), r(1, 2));
    assert_eq!(text("-3."), r(-3, 1));
    assert_eq!(text("2.50e-1"), r(1, 4));
    assert_eq!(text("1e3"), r(1000, 1));
    assert_eq!(text("0e999999999999"), Rational::ZERO);
    assert_eq!(text("123456789012345678901234567890").to_string(), "123456789012345678901234567890");
    assert_eq!(text("0.00000000000000000000000000001").denominator(), UBig::from(10u8).pow(29));
    for bad in ["", ".", "-", "1.2.3", "1e", "1 000", "0x1", "1e+", "\u{661}", "1e999999"] {
        assert_eq!(Rational::from_decimal_text(bad), None, "{bad}");
    }
}

#[test]
fn caps_hold_before_the_work() {
    assert_eq!(r(2, 1).checked_pow(i64::MAX), None);
    assert_eq!(r(2, 3).checked_pow(i64::MIN), None);
    assert_eq!(r(2, 1).checked_pow(8191).unwrap().bits(), 8192);
    assert_eq!(factorial(u64::MAX), None);
    assert_eq!(factorial(10_000), None);
    assert_eq!(binomial(&Rational::integer(i64::MAX), &Rational::integer(i64::MAX / 2)), None);
}

#[test]
fn integer_functions() {
    assert_eq!(factorial(20).unwrap(), r(2_432_902_008_176_640_000, 1));
    assert_eq!(factorial(0).unwrap(), Rational::ONE);
    assert_eq!(factorial(25).unwrap().to_string(), "15511210043330985984000000");
    assert_eq!(double_factorial(9).unwrap(), r(945, 1));
    assert_eq!(binomial(&r(5, 1), &r(2, 1)).unwrap(), r(10, 1));
    assert_eq!(binomial(&r(-3, 1), &r(3, 1)).unwrap(), r(-10, 1));
    assert_eq!(binomial(&r(3, 1), &r(5, 1)).unwrap(), Rational::ZERO);
    assert_eq!(binomial(&r(3, 1), &r(-1, 1)).unwrap(), Rational::ZERO);
    assert_eq!(modulo(&r(-7, 1), &r(3, 1)).unwrap(), r(2, 1));
    assert_eq!(modulo(&r(7, 1), &r(-3, 1)).unwrap(), r(-2, 1));
    assert_eq!(modulo(&r(7, 2), &r(1, 1)).unwrap(), r(1, 2));
    assert_eq!(gcd(&r(-12, 1), &r(18, 1)).unwrap(), r(6, 1));
    assert_eq!(lcm(&r(-4, 1), &r(6, 1)).unwrap(), r(12, 1));
    assert_eq!(gcd(&r(1, 2), &r(6, 1)), None);
}

#[test]
fn roots_and_powers() {
    assert_eq!(r(-8, 27).exact_root(3), Some(r(-2, 3)));
    assert_eq!(r(-4, 1).exact_root(2), None);
    assert_eq!(r(2, 1).exact_root(2), None);
    assert_eq!(r(64, 1).perfect_power(), Some((r(2, 1), 6)));
    assert_eq!(r(-64, 1).perfect_power(), Some((r(-4, 1), 3)));
    assert_eq!(r(4, 9).perfect_power(), Some((r(2, 3), 2)));
    assert_eq!(r(12, 1).perfect_power(), Some((r(12, 1), 1)));
    assert_eq!(Rational::ZERO.checked_pow(0), None);
    assert_eq!(Rational::ZERO.checked_pow(-1), None);
    assert_eq!(r(-2, 1).checked_pow(-3), Some(r(-1, 8)));
}

#[test]
fn rounding_to_integers() {
    let table = [(7, 2, 3, 4, 4), (-7, 2, -4, -3, -4), (1, 3, 0, 1, 0), (-1, 3, -1, 0, 0), (5, 1, 5, 5, 5)];
    for (numerator, denominator, floor, ceil, round) in table {
        let value = r(numerator, denominator);
        assert_eq!(value.floor().to_i64(), Some(floor));
        assert_eq!(value.ceil().to_i64(), Some(ceil));
        assert_eq!(value.round().to_i64(), Some(round));
    }
    // Its numerator has as many bits as a number may have.
    let half = r(2, 1).checked_pow(8191).unwrap();
    let value = half.checked_sub(&Rational::ONE).and_then(|rest| rest.checked_add(&half)).unwrap();
    let value = value.checked_div(&r(13, 1)).unwrap();
    assert_eq!(value.round(), value.ceil());
    assert_eq!(value.negated().round(), value.ceil().negated());
}

#[test]
fn extreme_words_stay_canonical() {
    let lowest = Rational::integer(i64::MIN);
    assert_eq!(lowest.negated().negated(), lowest);
    assert_eq!(lowest.reciprocal().unwrap().reciprocal().unwrap(), lowest);
    assert_eq!(lowest.checked_sub(&lowest).unwrap(), Rational::ZERO);
    assert_eq!(lowest.checked_mul(&lowest).unwrap().checked_div(&lowest).unwrap(), lowest);
    assert_eq!(lowest.checked_add(&lowest).unwrap().checked_mul(&Rational::HALF).unwrap(), lowest);
    assert_eq!(Rational::from(u64::MAX).to_u64(), Some(u64::MAX));
}

#[test]
fn floats_round_once() {
    assert_eq!(r(1, 3).to_f64(), 1.0 / 3.0);
    assert_eq!(text("1e400").to_f64(), f64::INFINITY);
    assert_eq!(text("5e-324").to_f64(), 5e-324);
    assert_eq!(text("-2e-324").to_f64(), 0.0);
    assert_eq!(text("2.2250738585072011e-308").to_f64(), 2.225073858507201e-308);
    assert_eq!(Rational::integer(9_007_199_254_740_993).to_f64(), 9_007_199_254_740_992.0);
}

#[test]
fn residues() {
    let prime = (1u64 << 61) - 1;
    let value = r(22, 7).mod_p(prime).unwrap();
    assert_eq!(u128::from(value) * 7 % u128::from(prime), 22);
    assert_eq!(r(-1, 1).mod_p(prime), Some(prime - 1));
    assert_eq!(r(1, 7).mod_p(7), None);
    let big = text("123456789012345678901234567890.5");
    let doubled = big.checked_add(&big).unwrap();
    let twice = u128::from(big.mod_p(prime).unwrap()) * 2 % u128::from(prime);
    assert_eq!(doubled.mod_p(prime), Some(twice as u64));
    assert_eq!(big.negated().mod_p(prime), Some(prime - big.mod_p(prime).unwrap()));
}

fn any_rational() -> impl Strategy<Value = Rational> {
    let word = (any::<i64>(), any::<i64>().prop_filter("not zero", |d| *d != 0)).prop_map(|(n, d)| r(n, d));
    let small = (-50i64..50, 1i64..50).prop_map(|(n, d)| r(n, d));
    let big = (word.clone(), word.clone(), word.clone())
        .prop_map(|(a, b, c)| a.checked_mul(&b).unwrap().checked_add(&c).unwrap());
    prop_oneof![small, word, big]
}

proptest! {
    #[test]
    fn field_laws(a in any_rational(), b in any_rational(), c in any_rational()) {
        prop_assert_eq!(a.checked_add(&b), b.checked_add(&a));
        prop_assert_eq!(a.checked_mul(&b), b.checked_mul(&a));
        prop_assert_eq!(a.checked_add(&b).unwrap().checked_sub(&b).unwrap(), a.clone());
        let left = a.checked_add(&b).unwrap().checked_mul(&c).unwrap();
        let right = a.checked_mul(&c).unwrap().checked_add(&b.checked_mul(&c).unwrap()).unwrap();
        prop_assert_eq!(left, right);
        if !b.is_zero() {
            prop_assert_eq!(a.checked_mul(&b).unwrap().checked_div(&b).unwrap(), a.clone());
        }
        prop_assert_eq!(a.cmp(&b), a.checked_sub(&b).unwrap().signum().cmp(&0));
    }

    #[test]
    fn floats_are_nearest(value in any::<f64>().prop_filter("finite", |v| v.is_finite())) {
        let exact = Rational::from_f64(value).unwrap();
        prop_assert_eq!(exact.to_f64(), value);
        prop_assert_eq!(Rational::from_decimal_text(&format!("{value:e}")).unwrap().to_f64(), value);
    }

    #[test]
    fn quotient_is_nearest(a in any_rational()) {
        let float = a.to_f64();
        let distance = |f: f64| Rational::from_f64(f).unwrap().checked_sub(&a).unwrap().absolute();
        prop_assert!(distance(float) <= distance(float.next_up()));
        prop_assert!(distance(float) <= distance(float.next_down()));
    }

    #[test]
    fn roots_undo_powers(a in any_rational(), degree in 1u32..6) {
        let power = a.checked_pow(i64::from(degree));
        if let Some(power) = power {
            let expected = if degree % 2 == 0 { a.absolute() } else { a };
            prop_assert_eq!(power.exact_root(degree), Some(expected));
        }
    }
}
