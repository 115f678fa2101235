//! Arithmetic of question variables: exact fractions, and doubles if a number has a point or an exponent.

use super::maxima::Expr;

/// A number: a fraction in lowest terms with a denominator above 0, or a double.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Exact(i128, i128),
    Float(f64),
}

/// The maximum absolute value of an exponent.
const MAX_POWER: i128 = 64;

/// The maximum nesting depth of an expression.
const MAX_DEPTH: usize = 60;

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.saturating_abs()
}

impl Number {
    fn reduced(above: i128, below: i128) -> Option<Self> {
        // The least integer has no negation.
        if below == 0 || above == i128::MIN || below == i128::MIN {
            return None;
        }
        let common = gcd(above, below);
        let sign = if below < 0 { -1 } else { 1 };
        Some(Self::Exact((above / common).checked_mul(sign)?, (below / common).checked_mul(sign)?))
    }

    fn double(self) -> f64 {
        match self {
            Self::Exact(a, b) => a as f64 / b as f64,
            Self::Float(value) => value,
        }
    }

    fn float(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self::Float(value))
    }

    /// Returns the sum; `None` on overflow.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Exact(a, b), Self::Exact(c, d)) => {
                Self::reduced(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?)
            }
            _ => Self::float(self.double() + other.double()),
        }
    }

    /// Returns the negated number.
    pub(super) fn negative(self) -> Self {
        match self {
            Self::Exact(a, b) => match a.checked_neg() {
                Some(a) => Self::Exact(a, b),
                None => Self::Float(-self.double()),
            },
            Self::Float(value) => Self::Float(-value),
        }
    }

    /// Returns the difference; `None` on overflow.
    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negative())
    }

    /// Returns the product; `None` on overflow.
    pub(super) fn times(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Exact(a, b), Self::Exact(c, d)) => Self::reduced(a.checked_mul(c)?, b.checked_mul(d)?),
            _ => Self::float(self.double() * other.double()),
        }
    }

    /// Returns the quotient; `None` on overflow and for a divisor of 0.
    pub(super) fn over(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Exact(a, b), Self::Exact(c, d)) => Self::reduced(a.checked_mul(d)?, b.checked_mul(c)?),
            _ => Self::float(self.double() / other.double()),
        }
    }

    fn power(self, exponent: Self) -> Option<Self> {
        let exponent = exponent.whole().filter(|power| (-MAX_POWER..=MAX_POWER).contains(power))?;
        let mut value = Self::Exact(1, 1);
        for _ in 0..exponent.unsigned_abs() {
            value = value.times(self)?;
        }
        if exponent < 0 { Self::Exact(1, 1).over(value) } else { Some(value) }
    }

    /// Applies an arithmetic operator; `None` for other operators, on overflow and for undefined results.
    pub(super) fn operation(self, operator: &str, other: Self) -> Option<Self> {
        match operator {
            "+" => self.plus(other),
            "-" => self.minus(other),
            "*" => self.times(other),
            "/" => self.over(other),
            "^" => self.power(other),
            _ => None,
        }
    }

    /// Returns the value if it is an exact integer.
    pub(super) fn whole(self) -> Option<i128> {
        match self {
            Self::Exact(value, 1) => Some(value),
            _ => None,
        }
    }

    /// Returns the greatest integer that is at most this number; `None` for doubles beyond 1e15.
    pub(super) fn floor(self) -> Option<i128> {
        match self {
            Self::Exact(a, b) => Some(a.div_euclid(b)),
            Self::Float(value) => {
                let value = libm::floor(value);
                (value.abs() < 1e15).then_some(value as i128)
            }
        }
    }

    /// Returns the nearest integer; halves are rounded to even.
    pub(super) fn round(self) -> Option<Self> {
        let half = Self::Exact(1, 2);
        let above = self.plus(half)?.floor()?;
        let tie =
            self.minus(Self::Exact(above, 1))? == half.negative() || self.double() == above as f64 - 0.5;
        Some(Self::Exact(if tie && above % 2 != 0 { above - 1 } else { above }, 1))
    }

    /// Evaluates an expression of numbers; `None` if it contains anything else, or if an operation has no result.
    pub(super) fn of(expr: &Expr) -> Option<Self> {
        Self::within(expr, 0)
    }

    fn within(expr: &Expr, depth: usize) -> Option<Self> {
        if depth > MAX_DEPTH {
            return None;
        }
        let go = |expr: &Expr| Self::within(expr, depth + 1);
        match expr {
            Expr::Number(text) => match text.parse::<i128>() {
                Ok(value) => Some(Self::Exact(value, 1)),
                Err(_) if text.contains(['.', 'e', 'E']) => Self::float(text.parse().ok()?),
                Err(_) => None,
            },
            Expr::Negative(inner) => go(inner).map(Self::negative),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (go(a)?, go(b)?);
                a.operation(operator, b)
            }
            Expr::Call(name, arguments) => {
                let values: Vec<Self> = arguments.iter().map(go).collect::<Option<_>>()?;
                let order = |a: &Self, b: &Self| a.double().total_cmp(&b.double());
                match (name.as_str(), values.as_slice()) {
                    ("abs", [one]) => Some(if one.double() < 0.0 { one.negative() } else { *one }),
                    ("floor", [one]) => one.floor().map(|value| Self::Exact(value, 1)),
                    ("ceiling", [one]) => one.negative().floor().map(|value| Self::Exact(-value, 1)),
                    ("max", [_, ..]) => values.into_iter().max_by(order),
                    ("min", [_, ..]) => values.into_iter().min_by(order),
                    ("mod", [a, b]) => {
                        let (a, b) = (a.whole()?, b.whole()?);
                        let rest = a.checked_rem(b)?;
                        Some(Self::Exact(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }, 1))
                    }
                    ("gcd", [a, b]) => Some(Self::Exact(gcd(a.whole()?, b.whole()?), 1)),
                    ("lcm", [a, b]) => {
                        let (a, b) = (a.whole()?, b.whole()?);
                        Some(Self::Exact((a / gcd(a, b).max(1)).checked_mul(b)?.checked_abs()?, 1))
                    }
                    ("signum", [one]) => {
                        Some(Self::Exact(i128::from(one.double() > 0.0) - i128::from(one.double() < 0.0), 1))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the number as an expression.
    pub(super) fn expr(self) -> Expr {
        let whole = |value: i128| {
            let text = Expr::Number(value.unsigned_abs().to_string());
            if value < 0 { Expr::Negative(Box::new(text)) } else { text }
        };
        match self {
            Self::Exact(value, 1) => whole(value),
            Self::Exact(a, b) if a < 0 => {
                Expr::Negative(Box::new(Expr::Binary("/", Box::new(whole(-a)), Box::new(whole(b)))))
            }
            Self::Exact(a, b) => Expr::Binary("/", Box::new(whole(a)), Box::new(whole(b))),
            Self::Float(value) => {
                let text = format!("{:?}", value.abs());
                let text = Expr::Number(text);
                if value < 0.0 { Expr::Negative(Box::new(text)) } else { text }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::maxima::expression;
    use super::Number;

    #[test]
    fn numbers_are_exact_or_doubles() {
        let of = |text: &str| Number::of(&expression(text).unwrap());
        assert_eq!(of("1/3+1/6"), Some(Number::Exact(1, 2)));
        assert_eq!(of("-2^2"), Some(Number::Exact(-4, 1)));
        assert_eq!(of("2^-2"), Some(Number::Exact(1, 4)));
        assert_eq!(of("0.1*3"), Some(Number::Float(0.1 * 3.0)));
        assert_eq!(of("mod(-7,3)+gcd(12,18)+floor(-1/2)"), Some(Number::Exact(2 + 6 - 1, 1)));
        assert_eq!(of("max(1,5/2)-ceiling(1/2)"), Some(Number::Exact(3, 2)));
        for (text, rounded) in
            [("5/2", 2), ("7/2", 4), ("-5/2", -2), ("2.4999", 2), ("-1/3", 0), ("0.5", 0), ("1.5", 2)]
        {
            assert_eq!(of(text).and_then(Number::round), Some(Number::Exact(rounded, 1)), "{text}");
        }
        for nothing in ["1/0", "x+1", "2^1000", "9^60*9^60", "%pi"] {
            assert_eq!(of(nothing), None, "{nothing}");
        }
        for value in [Number::Exact(-3, 4), Number::Exact(7, 1), Number::Float(-2.5), Number::Float(1e-7)] {
            assert_eq!(Number::of(&value.expr()), Some(value));
        }
    }
}
