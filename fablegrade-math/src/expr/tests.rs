use super::*;

#[test]
fn equal_structure_has_equal_ids() {
    let mut a = Arena::default();
    let (x, y) = (a.variable("x"), a.variable("y"));
    let (one, two) = (a.add(x, y), a.add(y, x));
    assert_eq!(one, two);
    let three = a.integer(3);
    let left = a.product(&[three, x, y]);
    let inner = a.mul(y, three);
    let right = a.mul(inner, x);
    assert_eq!(left, right);
    assert_ne!(left, one);
    let z = a.variable("z");
    let nested = a.add(one, z);
    assert_eq!(a.node(nested), Node::Sum(&[x, y, z]));
}

#[test]
fn numbers_fold_and_neutral_elements_vanish() {
    let mut a = Arena::default();
    let x = a.variable("x");
    assert_eq!(a.add(x, Arena::ZERO), x);
    assert_eq!(a.mul(x, Arena::ONE), x);
    assert_eq!(a.power(x, Arena::ONE), x);
    assert_eq!(a.power(x, Arena::ZERO), Arena::ONE);
    let (third, sixth) = (a.fraction(1, 3), a.fraction(1, 6));
    let half = a.fraction(1, 2);
    assert_eq!(a.add(third, sixth), half);
    let minus = a.neg(x);
    assert_eq!(a.neg(minus), x);
    let four = a.integer(4);
    let quarter = a.fraction(1, 16);
    assert_eq!(a.as_integer(four), Some(4));
    let minus_two = a.integer(-2);
    assert_eq!(a.power(four, minus_two), quarter);
}

#[test]
fn nothing_is_cancelled_or_divided_by_zero() {
    let mut a = Arena::default();
    let x = a.variable("x");
    let quotient = a.div(x, x);
    assert_ne!(quotient, Arena::ONE);
    let pole = a.div(Arena::ONE, Arena::ZERO);
    assert!(matches!(a.node(pole), Node::Power(Arena::ZERO, Arena::MINUS_ONE)));
    let poisoned = a.mul(Arena::ZERO, pole);
    assert_ne!(poisoned, Arena::ZERO);
    let zero_to_zero = a.power(Arena::ZERO, Arena::ZERO);
    assert!(matches!(a.node(zero_to_zero), Node::Power(..)));
}

#[test]
fn huge_powers_stay_unevaluated() {
    let mut a = Arena::default();
    let nine = a.integer(9);
    let tower = a.power(nine, nine);
    assert_eq!(a.as_integer(tower), Some(387_420_489));
    let tower = a.power(nine, tower);
    assert!(matches!(a.node(tower), Node::Power(..)));
    assert!(!a.overflowed());
}

#[test]
fn truncation_forgets_and_keeps() {
    let mut a = Arena::default();
    let x = a.variable("x");
    let kept = a.add(x, Arena::ONE);
    let mark = a.mark();
    let y = a.variable("y");
    let gone = a.mul(y, kept);
    assert_eq!(a.free(gone).len(), 2);
    let nodes = a.len();
    a.truncate(&mark);
    assert_eq!(a.add(x, Arena::ONE), kept);
    let z = a.variable("z");
    let again = a.mul(z, kept);
    assert_eq!(a.len(), nodes);
    assert_eq!((again, a.name(Symbol(1))), (gone, "z"));
}

#[test]
fn caps_are_reported() {
    let mut a = Arena::new(Caps { nodes: 20, ..Caps::default() });
    let mut id = a.variable("x");
    for _ in 0..40 {
        id = a.apply(Function::Sin, &[id]);
    }
    assert!(a.overflowed());
    assert!(a.len() <= 20);
}

#[test]
fn bound_variables_are_not_free_and_substitution_respects_them() {
    let mut a = Arena::default();
    let (k, n) = (a.symbol("k"), a.symbol("n"));
    let (vk, vn) = (a.variable_of(k), a.variable_of(n));
    let body = a.mul(vk, vn);
    let series = a.series(SeriesKind::Sum, k, Arena::ONE, vn, body);
    assert_eq!(a.free(series), Symbols::one(n));
    let three = a.integer(3);
    let put = a.substitute(series, n, three);
    let expected_body = a.mul(vk, three);
    assert_eq!(put, a.series(SeriesKind::Sum, k, Arena::ONE, three, expected_body));
    assert_eq!(a.substitute(series, k, three), series);
    let call = a.call(n, &[vk, vn]);
    for holder in [a.derivative(k, 1, call), a.integral(k, None, call)] {
        assert_ne!(a.substitute(holder, n, three), holder);
        assert!(!a.overflowed());
        let mut captured = a.clone();
        captured.substitute(holder, n, vk);
        assert!(captured.overflowed());
    }
    let order = a.reachable(&[series]);
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(order.last(), Some(&series));
}
