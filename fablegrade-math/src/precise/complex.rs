//! Complex numbers as pairs of balls, with principal values.
//!
//! A number whose imaginary part is exactly 0 is real. Functions of real numbers, including odd roots, keep
//! their real values.

use super::ball::Ball;
use super::{Context, Gap};
use crate::expr::Function;
use crate::functions::RealDomain;
use crate::number::Rational;

/// A number `re + i im`.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The real part.
    pub re: Ball,
    /// The imaginary part.
    pub im: Ball,
}

impl Number {
    pub(super) fn real(re: Ball) -> Number {
        Number { re, im: Ball::zero() }
    }

    pub(super) fn imaginary_unit() -> Number {
        Number { re: Ball::zero(), im: Ball::integer(1) }
    }

    /// Returns whether the imaginary part is exactly 0.
    pub fn is_real(&self) -> bool {
        self.im.is_zero()
    }

    fn is_zero(&self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }

    fn negated(self) -> Number {
        Number { re: self.re.negated(), im: self.im.negated() }
    }

    fn conjugate(&self) -> Number {
        Number { re: self.re.clone(), im: self.im.clone().negated() }
    }

    /// Multiplies by the imaginary unit.
    fn turned(self) -> Number {
        Number { re: self.im.negated(), im: self.re }
    }

    fn halved(self) -> Number {
        Number { re: self.re.shifted(-1), im: self.im.shifted(-1) }
    }
}

type Checked = Result<Number, Gap>;

impl Context<'_> {
    pub(super) fn complex_add(&mut self, a: &Number, b: &Number) -> Checked {
        Ok(Number { re: self.add(&a.re, &b.re)?, im: self.add(&a.im, &b.im)? })
    }

    pub(super) fn complex_subtract(&mut self, a: &Number, b: &Number) -> Checked {
        Ok(Number { re: self.subtract(&a.re, &b.re)?, im: self.subtract(&a.im, &b.im)? })
    }

    pub(super) fn complex_negate(a: &Number) -> Number {
        a.clone().negated()
    }

    pub(super) fn complex_multiply(&mut self, a: &Number, b: &Number) -> Checked {
        if a.is_real() && b.is_real() {
            return Ok(Number::real(self.multiply(&a.re, &b.re)?));
        }
        let (p, q) = (self.multiply(&a.re, &b.re)?, self.multiply(&a.im, &b.im)?);
        let (r, s) = (self.multiply(&a.re, &b.im)?, self.multiply(&a.im, &b.re)?);
        Ok(Number { re: self.subtract(&p, &q)?, im: self.add(&r, &s)? })
    }

    pub(super) fn complex_divide(&mut self, a: &Number, b: &Number) -> Checked {
        if b.is_real() {
            let re = self.divide(&a.re, &b.re)?;
            let im = if a.is_real() { Ball::zero() } else { self.divide(&a.im, &b.re)? };
            return Ok(Number { re, im });
        }
        let above = self.complex_multiply(a, &b.conjugate())?;
        let (p, q) = (self.multiply(&b.re, &b.re)?, self.multiply(&b.im, &b.im)?);
        let below = self.add(&p, &q)?;
        Ok(Number { re: self.divide(&above.re, &below)?, im: self.divide(&above.im, &below)? })
    }

    fn modulus(&mut self, a: &Number) -> Result<Ball, Gap> {
        if a.im.is_zero() {
            return Ok(a.re.clone().absolute());
        }
        if a.re.is_zero() {
            return Ok(a.im.clone().absolute());
        }
        let (p, q) = (self.multiply(&a.re, &a.re)?, self.multiply(&a.im, &a.im)?);
        let sum = self.add(&p, &q)?;
        self.square_root(&sum)
    }

    fn complex_ln(&mut self, a: &Number) -> Checked {
        let modulus = self.modulus(a)?;
        let re = match self.ln(&modulus) {
            // This is the logarithm of 0.
            Err(Gap::Undefined) if modulus.is_zero() => return Err(Gap::Undefined),
            other => other?,
        };
        Ok(Number { re, im: self.atan2(&a.im, &a.re)? })
    }

    pub(super) fn complex_exp(&mut self, a: &Number) -> Checked {
        let scale = self.exp(&a.re)?;
        if a.is_real() {
            return Ok(Number::real(scale));
        }
        let (sin, cos) = self.sin_cos(&a.im)?;
        Ok(Number { re: self.multiply(&scale, &cos)?, im: self.multiply(&scale, &sin)? })
    }

    pub(super) fn complex_square_root(&mut self, a: &Number) -> Checked {
        if a.is_zero() {
            return Ok(Number::real(Ball::zero()));
        }
        if a.is_real() {
            if a.re.is_negative() {
                let root = self.square_root(&a.re.clone().negated())?;
                return Ok(Number { re: Ball::zero(), im: root });
            }
            return Ok(Number::real(self.square_root(&a.re)?));
        }
        let half = self.complex_ln(a)?.halved();
        self.complex_exp(&half)
    }

    pub(super) fn complex_integer_power(&mut self, a: &Number, n: u64) -> Checked {
        if a.is_real() {
            return Ok(Number::real(self.integer_power(&a.re, n)?));
        }
        let (mut rest, mut square, mut result): (u64, Number, Option<Number>) = (n, a.clone(), None);
        loop {
            if rest & 1 == 1 {
                result = Some(match result {
                    None => square.clone(),
                    Some(before) => self.complex_multiply(&before, &square)?,
                });
            }
            rest >>= 1;
            if rest == 0 {
                return result.ok_or(Gap::Unknown);
            }
            square = self.complex_multiply(&square, &square.clone())?;
        }
    }

    /// Returns `a^p` for a positive rational `p`.
    pub(super) fn complex_rational_power(&mut self, a: &Number, p: &Rational) -> Checked {
        if a.is_real() {
            match self.rational_power(&a.re, p) {
                Ok(value) => return Ok(Number::real(value)),
                Err(Gap::Undefined) => {}
                Err(gap) => return Err(gap),
            }
        }
        let logarithm = self.complex_ln(a)?;
        let exponent = Number::real(Ball::rational(p, self.bits)?);
        let product = self.complex_multiply(&logarithm, &exponent)?;
        self.complex_exp(&product)
    }

    pub(super) fn complex_power(&mut self, a: &Number, b: &Number) -> Checked {
        if b.is_real() {
            if a.is_real() {
                match self.power(&a.re, &b.re) {
                    Ok(value) => return Ok(Number::real(value)),
                    Err(Gap::Undefined) if !a.re.is_zero() => {}
                    Err(Gap::Unknown) if a.re.is_negative() && !b.re.is_exact() => {}
                    Err(gap) => return Err(gap),
                }
            }
            if let Some(n) = b.re.to_integer()
                && n.unsigned_abs() <= 4096
            {
                if n == 0 {
                    return if a.re.sign().is_some() || a.im.sign().is_some() {
                        Ok(Number::real(Ball::integer(1)))
                    } else {
                        Err(Gap::Unknown)
                    };
                }
                let power = self.complex_integer_power(a, n.unsigned_abs())?;
                return if n > 0 {
                    Ok(power)
                } else {
                    self.complex_divide(&Number::real(Ball::integer(1)), &power)
                };
            }
        }
        let logarithm = self.complex_ln(a)?;
        let product = self.complex_multiply(&logarithm, b)?;
        self.complex_exp(&product)
    }

    fn complex_sin_cos(&mut self, a: &Number) -> Result<(Number, Number), Gap> {
        let (sin, cos) = self.sin_cos(&a.re)?;
        if a.is_real() {
            return Ok((Number::real(sin), Number::real(cos)));
        }
        let sinh = self.unary(Function::Sinh, &a.im)?;
        let cosh = self.unary(Function::Cosh, &a.im)?;
        Ok((
            Number { re: self.multiply(&sin, &cosh)?, im: self.multiply(&cos, &sinh)? },
            Number { re: self.multiply(&cos, &cosh)?, im: self.multiply(&sin, &sinh)?.negated() },
        ))
    }

    /// Returns `ln(z + sqrt(z^2 + 1))`
    fn complex_asinh(&mut self, a: &Number) -> Checked {
        let one = Number::real(Ball::integer(1));
        let square = self.complex_multiply(a, a)?;
        let inner = self.complex_add(&square, &one)?;
        let root = self.complex_square_root(&inner)?;
        let sum = self.complex_add(a, &root)?;
        self.complex_ln(&sum)
    }

    /// Returns `ln(z + sqrt(z + 1) sqrt(z - 1))`
    fn complex_acosh(&mut self, a: &Number) -> Checked {
        let one = Number::real(Ball::integer(1));
        let (above, below) = (self.complex_add(a, &one)?, self.complex_subtract(a, &one)?);
        let (above, below) = (self.complex_square_root(&above)?, self.complex_square_root(&below)?);
        let root = self.complex_multiply(&above, &below)?;
        let sum = self.complex_add(a, &root)?;
        self.complex_ln(&sum)
    }

    /// Returns `(ln(1 + z) - ln(1 - z)) / 2`
    fn complex_atanh(&mut self, a: &Number) -> Checked {
        let one = Number::real(Ball::integer(1));
        let (above, below) = (self.complex_add(&one, a)?, self.complex_subtract(&one, a)?);
        let (above, below) = (self.complex_ln(&above)?, self.complex_ln(&below)?);
        Ok(self.complex_subtract(&above, &below)?.halved())
    }

    fn complex_tan(&mut self, a: &Number) -> Checked {
        let (sin, cos) = self.complex_sin_cos(a)?;
        self.complex_divide(&sin, &cos)
    }

    /// Returns `-i sin(i z)`
    fn complex_sinh(&mut self, a: &Number) -> Checked {
        Ok(self.complex_sin_cos(&a.clone().turned())?.0.turned().negated())
    }

    /// Returns `cos(i z)`
    fn complex_cosh(&mut self, a: &Number) -> Checked {
        Ok(self.complex_sin_cos(&a.clone().turned())?.1)
    }

    fn complex_tanh(&mut self, a: &Number) -> Checked {
        Ok(self.complex_tan(&a.clone().turned())?.turned().negated())
    }

    /// Returns `-i asinh(i z)`
    fn complex_asin(&mut self, a: &Number) -> Checked {
        Ok(self.complex_asinh(&a.clone().turned())?.turned().negated())
    }

    /// Returns `pi/2 - asin z`
    fn complex_acos(&mut self, a: &Number) -> Checked {
        let asin = self.complex_asin(a)?;
        let quarter = Number::real(self.pi()?.shifted(-1));
        self.complex_subtract(&quarter, &asin)
    }

    /// Returns `-i atanh(i z)`
    fn complex_atan(&mut self, a: &Number) -> Checked {
        Ok(self.complex_atanh(&a.clone().turned())?.turned().negated())
    }

    /// Returns `Unknown`, for functions that are evaluated only at real numbers.
    fn complex_unknown(_: &mut Context<'_>, _: &Number) -> Checked {
        Err(Gap::Unknown)
    }
}

macro_rules! of_numbers {
    (
        all $all:tt
        unary { $($unary:ident { facts $facts:tt range $range:tt derivative $rule:tt doubles $doubles:tt balls { $real:expr, $complex:expr } $($row:tt)* })* }
        binary $binary:tt
    ) => {
        impl Context<'_> {
            /// Applies a function of one argument. At a real argument the real value is used if there is one.
            /// Otherwise a function with a branch cut has its complex value.
            pub(super) fn complex_unary(&mut self, function: Function, a: &Number) -> Checked {
                fn at<'a>(
                    context: &mut Context<'a>,
                    z: &Number,
                    rule: impl FnOnce(&mut Context<'a>, &Number) -> Checked,
                ) -> Checked {
                    rule(context, z)
                }
                if a.is_real() {
                    match self.unary(function, &a.re) {
                        Ok(value) => return Ok(Number::real(value)),
                        // This is the logarithm of 0.
                        Err(Gap::Undefined) if function == Function::Ln && a.re.is_zero() => {
                            return Err(Gap::Undefined);
                        }
                        Err(Gap::Undefined) if function.domain() == RealDomain::Cut => {}
                        Err(gap) => return Err(gap),
                    }
                }
                match function {
                    $(Function::$unary => at(self, a, $complex),)*
                    _ => Err(Gap::Unknown),
                }
            }
        }
    };
}

functions!(of_numbers);
