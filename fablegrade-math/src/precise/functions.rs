//! Real functions of balls, composed of arithmetic and the functions in `transcendental`.

use crate::limits::{BALL_FACTORS, BALL_POWER};
use core::cmp::Ordering;

use dashu_int::IBig;

use super::ball::{Ball, Magnitude};
use super::{Context, Gap};
use crate::expr::Function;
use crate::number::{self, Rational};

impl Context<'_> {
    fn one() -> Ball {
        Ball::integer(1)
    }

    /// Runs `work` with `more` additional bits and rounds the result. It adds at most the current number of
    /// bits or 80 bits, whichever is larger.
    fn with_more_bits(
        &mut self,
        more: i64,
        work: impl FnOnce(&mut Self) -> Result<Ball, Gap>,
    ) -> Result<Ball, Gap> {
        let before = self.bits;
        self.bits += more.clamp(0, before.max(80) as i64) as usize;
        let result = work(self);
        self.bits = before;
        result?.rounded(before)
    }

    pub(super) fn add(&mut self, a: &Ball, b: &Ball) -> Result<Ball, Gap> {
        self.charge(1)?;
        a.plus(b, self.bits)
    }

    pub(super) fn subtract(&mut self, a: &Ball, b: &Ball) -> Result<Ball, Gap> {
        self.charge(1)?;
        a.minus(b, self.bits)
    }

    pub(super) fn multiply(&mut self, a: &Ball, b: &Ball) -> Result<Ball, Gap> {
        self.charge(1)?;
        a.times(b, self.bits)
    }

    pub(super) fn divide(&mut self, a: &Ball, b: &Ball) -> Result<Ball, Gap> {
        self.charge(2)?;
        a.over(b, self.bits)
    }

    pub(super) fn square_root(&mut self, a: &Ball) -> Result<Ball, Gap> {
        self.charge(3)?;
        a.square_root(self.bits)
    }

    /// Returns `x^n` for `n >= 1`, by repeated squaring.
    pub(super) fn integer_power(&mut self, x: &Ball, n: u64) -> Result<Ball, Gap> {
        let (mut rest, mut square, mut result): (u64, Ball, Option<Ball>) = (n, x.clone(), None);
        loop {
            if rest & 1 == 1 {
                result = Some(match result {
                    None => square.clone(),
                    Some(before) => self.multiply(&before, &square)?,
                });
            }
            rest >>= 1;
            if rest == 0 {
                return result.ok_or(Gap::Unknown);
            }
            square = self.multiply(&square, &square.clone())?;
        }
    }

    /// Returns the real value of `x^p` for a positive rational `p`.
    pub(super) fn rational_power(&mut self, x: &Ball, p: &Rational) -> Result<Ball, Gap> {
        if x.is_zero() {
            return Ok(Ball::zero());
        }
        let odd_root = !p.has_even_denominator();
        match x.sign() {
            Some(Ordering::Greater) => self.positive_power(x, p),
            Some(_) if odd_root => {
                let size = self.positive_power(&x.clone().absolute(), p)?;
                Ok(if p.has_even_numerator() { size } else { size.negated() })
            }
            Some(_) => Err(Gap::Undefined),
            None if odd_root => {
                // If x may be 0, the largest power on the interval bounds the value.
                let upper = x.upper_magnitude();
                let largest = Ball::float(upper.factor)?.shifted(upper.exponent);
                let bound = self.positive_power(&largest, p)?.upper_magnitude();
                Ball::zero().widened(bound)
            }
            None => Err(Gap::Unknown),
        }
    }

    fn positive_power(&mut self, x: &Ball, p: &Rational) -> Result<Ball, Gap> {
        if let Some((numerator, 1)) = p.to_small()
            && (1..=BALL_POWER).contains(&numerator)
        {
            return self.integer_power(x, numerator.unsigned_abs());
        }
        if let Some((numerator, 2)) = p.to_small()
            && (1..=64).contains(&numerator)
        {
            let root = self.square_root(x)?;
            return self.integer_power(&root, numerator.unsigned_abs());
        }
        // Roots of perfect powers are exact.
        if let Some(value) = x.exact_integer()
            && let Some((_, degree)) = p.to_small()
            && let Ok(degree) = u32::try_from(degree)
            && let Some(exact) = Rational::from_integers(value, dashu_int::UBig::ONE)
            && let Some(root) = exact.exact_root(degree)
            && let Some(numerator) = p.numerator_part().to_i64()
            && let Some(power) = root.checked_pow(numerator)
        {
            return Ball::rational(&power, self.bits);
        }
        let exponent = Ball::rational(p, self.bits + 16)?;
        self.exp_log(x, &exponent)
    }

    /// Returns `exp(y ln x)` for a certainly positive `x`.
    fn exp_log(&mut self, x: &Ball, y: &Ball) -> Result<Ball, Gap> {
        // The exponential loses as many bits as its argument has before the binary point.
        self.with_more_bits(y.top() + 12, |context| {
            let logarithm = context.ln(x)?;
            let product = context.multiply(&logarithm, y)?;
            context.exp(&product)
        })
    }

    /// Returns `x^y`
    pub(super) fn power(&mut self, x: &Ball, y: &Ball) -> Result<Ball, Gap> {
        if let Some(n) = y.to_integer() {
            if n == 0 {
                return match x.sign() {
                    Some(Ordering::Equal) => Err(Gap::Undefined),
                    Some(_) => Ok(Self::one()),
                    None => Err(Gap::Unknown),
                };
            }
            if n.unsigned_abs() <= BALL_POWER as u64 {
                let power = self.integer_power(x, n.unsigned_abs())?;
                return if n > 0 { Ok(power) } else { self.divide(&Self::one(), &power) };
            }
        }
        match x.sign() {
            Some(Ordering::Greater) => self.exp_log(x, y),
            Some(Ordering::Equal) => match y.sign() {
                Some(Ordering::Greater) => Ok(Ball::zero()),
                Some(_) => Err(Gap::Undefined),
                None => Err(Gap::Unknown),
            },
            Some(Ordering::Less) => {
                if !y.is_exact() {
                    return Err(Gap::Unknown);
                }
                let Some(n) = y.exact_integer() else {
                    // An exact non-integer is dyadic, so the power is an even root.
                    return if y.top() > 4000 { Err(Gap::Unknown) } else { Err(Gap::Undefined) };
                };
                let size = self.exp_log(&x.clone().absolute(), y)?;
                Ok(if dashu_base::BitTest::bit(&n, 0) { size.negated() } else { size })
            }
            None => Err(Gap::Unknown),
        }
    }

    pub(super) fn atan2(&mut self, y: &Ball, x: &Ball) -> Result<Ball, Gap> {
        match (y.sign(), x.sign()) {
            (Some(Ordering::Equal), Some(Ordering::Equal)) => Err(Gap::Undefined),
            (Some(Ordering::Equal), Some(Ordering::Greater)) => Ok(Ball::zero()),
            (Some(Ordering::Equal), Some(Ordering::Less)) => self.pi(),
            (_, Some(Ordering::Greater)) => {
                let ratio = self.divide(y, x)?;
                self.atan(&ratio)
            }
            // Away from the x-axis, the angle is ±pi/2 - atan(x/y), with the sign of y.
            (Some(side), _) if side != Ordering::Equal => {
                let ratio = self.divide(x, y)?;
                let part = self.atan(&ratio)?;
                let quarter = self.pi()?.shifted(-1);
                let quarter = if side == Ordering::Less { quarter.negated() } else { quarter };
                self.subtract(&quarter, &part)
            }
            _ => Err(Gap::Unknown),
        }
    }

    fn asin(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let one = Self::one();
        let (below, above) = (self.subtract(&one, x)?, self.add(&one, x)?);
        if below.is_negative() || above.is_negative() {
            return Err(Gap::Undefined);
        }
        if below.is_zero() {
            return Ok(self.pi()?.shifted(-1));
        }
        if above.is_zero() {
            return Ok(self.pi()?.shifted(-1).negated());
        }
        let product = self.multiply(&below, &above)?;
        let root = self.square_root(&product)?;
        let ratio = self.divide(x, &root)?;
        self.atan(&ratio)
    }

    /// Returns `2 atan(sqrt((1 - x)/(1 + x)))`
    fn acos(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let one = Self::one();
        let (below, above) = (self.subtract(&one, x)?, self.add(&one, x)?);
        if below.is_negative() || above.is_negative() {
            return Err(Gap::Undefined);
        }
        if above.is_zero() {
            return self.pi();
        }
        let ratio = self.divide(&below, &above)?;
        let root = self.square_root(&ratio)?;
        Ok(self.atan(&root)?.shifted(1))
    }

    /// Returns `(e^x, e^-x)`
    fn exponentials(&mut self, x: &Ball) -> Result<(Ball, Ball), Gap> {
        let up = self.exp(x)?;
        let down = self.divide(&Self::one(), &up)?;
        Ok((up, down))
    }

    fn sinh(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let bits = self.bits as i64;
        if x.top() < -bits / 2 - 8 && x.is_below(-4) {
            // |sinh x - x| <= |x|^3
            let wide = x.upper_magnitude();
            return x.clone().widened(Magnitude { factor: wide.factor, exponent: 3 * wide.exponent });
        }
        // For small arguments, the two terms cancel.
        self.with_more_bits(-x.top(), |context| {
            let (up, down) = context.exponentials(x)?;
            Ok(context.subtract(&up, &down)?.shifted(-1))
        })
    }

    fn cosh(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let (up, down) = self.exponentials(x)?;
        Ok(self.add(&up, &down)?.shifted(-1))
    }

    fn tanh(&mut self, x: &Ball) -> Result<Ball, Gap> {
        if x.top() <= 0 {
            let (sinh, cosh) = (self.sinh(x)?, self.cosh(x)?);
            return self.divide(&sinh, &cosh);
        }
        // The formula is 1 - 2/(e^(2|x|) + 1) with the sign of x, which must be certain.
        let Some(sign) = x.sign() else { return Err(Gap::Unknown) };
        let power = self.exp(&x.clone().absolute().shifted(1));
        let size = match power {
            Ok(power) => {
                let below = self.add(&power, &Self::one())?;
                let part = self.divide(&Ball::integer(2), &below)?;
                self.subtract(&Self::one(), &part)?
            }
            Err(gap) => return Err(gap),
        };
        Ok(if sign == Ordering::Less { size.negated() } else { size })
    }

    /// Returns `ln(|x| + sqrt(x^2 + 1))` with the sign of `x`.
    fn asinh(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let bits = self.bits as i64;
        if x.top() < -bits / 2 - 8 && x.is_below(-4) {
            let wide = x.upper_magnitude();
            return x.clone().widened(Magnitude { factor: wide.factor, exponent: 3 * wide.exponent });
        }
        self.with_more_bits(-x.top(), |context| {
            let negative = x.leans_negative();
            let size = if negative { x.clone().negated() } else { x.clone() };
            let square = context.multiply(&size, &size)?;
            let inner = context.add(&square, &Self::one())?;
            let root = context.square_root(&inner)?;
            let sum = context.add(&size, &root)?;
            let logarithm = context.ln(&sum)?;
            Ok(if negative { logarithm.negated() } else { logarithm })
        })
    }

    fn acosh(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let below = self.subtract(x, &Self::one())?;
        if below.is_negative() {
            return Err(Gap::Undefined);
        }
        let above = self.add(x, &Self::one())?;
        let product = self.multiply(&below, &above)?;
        let root = self.square_root(&product)?;
        let sum = self.add(x, &root)?;
        self.ln(&sum)
    }

    fn atanh(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let one = Self::one();
        let (below, above) = (self.subtract(&one, x)?, self.add(&one, x)?);
        for side in [&below, &above] {
            if side.is_negative() || side.is_zero() {
                return Err(Gap::Undefined);
            }
        }
        self.with_more_bits(-x.top(), |context| {
            let (below, above) = (context.subtract(&one, x)?, context.add(&one, x)?);
            let ratio = context.divide(&above, &below)?;
            Ok(context.ln(&ratio)?.shifted(-1))
        })
    }

    /// Computes `2/sqrt(pi) e^(-x^2) sum 2^n x^(2n+1) / (1 3 5 ... (2n+1))`, whose terms are positive.
    fn erf(&mut self, x: &Ball) -> Result<Ball, Gap> {
        if x.is_zero() {
            return Ok(Ball::zero());
        }
        let Some(sign) = x.sign() else { return Err(Gap::Unknown) };
        let size = x.clone().absolute();
        let value = size.to_f64();
        if value > 60.0 {
            return Err(Gap::Unknown);
        }
        let square = self.multiply(&size, &size)?;
        let twice = square.clone().shifted(1);
        let (mut term, mut total) = (size.clone(), size);
        let bits = self.bits as i64;
        let mut odd = 3i64;
        // Once 2n + 1 > 4 x^2, each term is at most half of the previous term.
        while term.top() > total.top() - bits - 8 || (odd as f64) < 4.0 * value * value + 4.0 {
            let next = self.multiply(&term, &twice)?;
            term = self.divide(&next, &Ball::integer(odd))?;
            total = self.add(&total, &term)?;
            odd += 2;
        }
        let rest = term.upper_magnitude();
        total = total.widened(Magnitude { exponent: rest.exponent + 1, ..rest })?;
        let decay = self.exp(&square.negated())?;
        let root = self.pi()?;
        let root = self.square_root(&root)?;
        let scaled = self.multiply(&total, &decay)?;
        let result = self.divide(&scaled, &root)?.shifted(1);
        Ok(if sign == Ordering::Less { result.negated() } else { result })
    }

    /// Computes gamma by Stirling's series, after increasing the argument by a recurrence.
    ///
    /// For positive arguments, the error of the series is below its first omitted term.
    pub(super) fn gamma(&mut self, x: &Ball) -> Result<Ball, Gap> {
        if let Some(value) = x.exact_integer() {
            let Ok(n) = i64::try_from(&value) else {
                return if value < IBig::ZERO { Err(Gap::Undefined) } else { self.stirling(x) };
            };
            if n <= 0 {
                return Err(Gap::Undefined);
            }
            if n <= BALL_FACTORS {
                return self.falling_product(n - 1, 1);
            }
        }
        let near = x.to_f64();
        if near.is_nan() || near < -5000.0 {
            return Err(Gap::Unknown);
        }
        // With 24 terms at N the error is about (24 / (pi e N))^48, which determines N for the required bits.
        let wanted = 16.0 + 2.0 * libm::exp2(self.bits as f64 / 48.0);
        if wanted > 1e6 {
            return Err(Gap::Unknown);
        }
        let steps = (wanted - near).max(0.0) as i64 + 1;
        if near >= wanted {
            return self.stirling(x);
        }
        if steps > BALL_FACTORS {
            return Err(Gap::Unknown);
        }
        let mut product = x.clone();
        for step in 1..steps {
            let factor = self.add(x, &Ball::integer(step))?;
            product = self.multiply(&product, &factor)?;
        }
        let shifted = self.add(x, &Ball::integer(steps))?;
        let above = self.stirling(&shifted)?;
        self.divide(&above, &product)
    }

    /// Returns `exp((x - 1/2) ln x - x + ln(2 pi)/2 + sum B_2k / (2k (2k-1) x^(2k-1)))` for `4 <= x < 2^60`.
    fn stirling(&mut self, x: &Ball) -> Result<Ball, Gap> {
        const TERMS: usize = 24;
        if x.top() > 60 || x.top() < 3 {
            return Err(Gap::Unknown);
        }
        // The exponent is about x ln x, and its bits before the binary point are lost.
        self.with_more_bits(x.top() + 16, |context| {
            let half = Ball::float(0.5)?;
            let logarithm = context.ln(x)?;
            let shifted = context.subtract(x, &half)?;
            let mut total = context.multiply(&shifted, &logarithm)?;
            total = context.subtract(&total, x)?;
            let circle = context.pi()?.shifted(1);
            let circle = context.ln(&circle)?.shifted(-1);
            total = context.add(&total, &circle)?;
            let inverse = context.divide(&Self::one(), x)?;
            let square = context.multiply(&inverse, &inverse)?;
            let mut power = inverse;
            for k in 1..=TERMS + 1 {
                let number = context.constants.bernoulli(k).cloned().ok_or(Gap::Unknown)?;
                let below = (2 * k * (2 * k - 1)) as i64;
                let coefficient = number.checked_div(&Rational::integer(below)).ok_or(Gap::Unknown)?;
                let coefficient = Ball::rational(&coefficient, context.bits)?;
                let term = context.multiply(&coefficient, &power)?;
                if k > TERMS || term.top() < -(context.bits as i64) {
                    total = total.widened(term.upper_magnitude())?;
                    break;
                }
                total = context.add(&total, &term)?;
                power = context.multiply(&power, &square)?;
            }
            context.exp(&total)
        })
    }

    /// Returns the product `n (n - step) (n - 2 step) ...` of positive factors.
    fn falling_product(&mut self, n: i64, step: i64) -> Result<Ball, Gap> {
        let mut product = Self::one();
        // Factors are first multiplied as words, which is faster.
        let (mut word, mut factor) = (1i64, n);
        while factor > 1 {
            match word.checked_mul(factor) {
                Some(next) => word = next,
                None => {
                    product = self.multiply(&product, &Ball::integer(word))?;
                    word = factor;
                }
            }
            factor -= step;
        }
        self.multiply(&product, &Ball::integer(word))
    }

    fn factorial(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let shifted = x.plus(&Self::one(), self.bits.max(128))?;
        self.gamma(&shifted)
    }

    fn double_factorial(&mut self, x: &Ball) -> Result<Ball, Gap> {
        match x.to_integer() {
            Some(n) if n < -1 => Err(Gap::Undefined),
            Some(n) if n <= 2 * BALL_FACTORS => self.falling_product(n, 2),
            _ => Err(Gap::Unknown),
        }
    }

    fn binomial(&mut self, x: &Ball, y: &Ball) -> Result<Ball, Gap> {
        if let Some(lower) = y.to_integer() {
            let upper = x.to_integer();
            if lower < 0 {
                // For a negative lower number, conventions differ unless the upper number is certainly not
                // negative.
                return if upper.is_some_and(|n| n >= 0) || (x.sign().is_some() && x.is_positive()) {
                    Ok(Ball::zero())
                } else {
                    Err(Gap::Unknown)
                };
            }
            let mut count = lower;
            if let Some(n) = upper.filter(|&n| n >= 0) {
                if lower > n {
                    return Ok(Ball::zero());
                }
                count = lower.min(n - lower);
                // Short results are computed exactly.
                if let Some(exact) = number::binomial(&Rational::integer(n), &Rational::integer(lower))
                    && exact.bits() <= 512
                {
                    self.charge(count.unsigned_abs())?;
                    return Ball::rational(&exact, self.bits);
                }
            }
            if count > BALL_FACTORS {
                return Err(Gap::Unknown);
            }
            let mut product = Self::one();
            for step in 0..count {
                let factor = self.subtract(x, &Ball::integer(step))?;
                product = self.multiply(&product, &factor)?;
                product = self.divide(&product, &Ball::integer(step + 1))?;
            }
            return Ok(product);
        }
        let gap = self.subtract(x, y)?;
        let above = self.factorial(x)?;
        let (left, right) = (self.factorial(y)?, self.factorial(&gap)?);
        let below = self.multiply(&left, &right)?;
        self.divide(&above, &below)
    }

    /// Returns `x - y floor(x / y)`
    fn modulo(&mut self, x: &Ball, y: &Ball) -> Result<Ball, Gap> {
        let quotient = self.divide(x, y)?;
        let whole = match quotient.floor() {
            Ok(whole) => whole,
            Err(gap) => {
                // The quotient of two integers may have no finite binary expansion.
                let (Some(a), Some(b)) = (x.to_integer(), y.to_integer()) else { return Err(gap) };
                let rest =
                    number::modulo(&Rational::integer(a), &Rational::integer(b)).ok_or(Gap::Undefined)?;
                return Ball::rational(&rest, self.bits);
            }
        };
        let part = self.multiply(y, &whole)?;
        self.subtract(x, &part)
    }

    fn round(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let half = Ball::float(0.5)?;
        let negative = x.leans_negative();
        let size = if negative { x.clone().negated() } else { x.clone() };
        let rounded = size.plus(&half, self.bits.max(128))?.floor()?;
        Ok(if negative { rounded.negated() } else { rounded })
    }

    /// Returns the angle of a real number in the complex plane: 0 or π.
    fn argument(&mut self, x: &Ball) -> Result<Ball, Gap> {
        match x.sign() {
            Some(Ordering::Greater) => Ok(Ball::zero()),
            Some(Ordering::Less) => self.pi(),
            Some(Ordering::Equal) => Err(Gap::Undefined),
            None => Err(Gap::Unknown),
        }
    }

    /// Returns the maximum (for `extreme` = `Greater`) or the minimum of two numbers.
    fn extremum(&mut self, extreme: Ordering, x: &Ball, y: &Ball) -> Result<Ball, Gap> {
        match x.compare(y, self.bits) {
            Some(order) => {
                let first = (order == Ordering::Greater) == (extreme == Ordering::Greater);
                Ok(if first { x.clone() } else { y.clone() })
            }
            // The balls overlap, so one of them is widened to contain the other.
            None => {
                let wide = self.subtract(x, y)?.upper_magnitude();
                x.clone().widened(wide)
            }
        }
    }

    /// Applies a function to two exact integers.
    fn of_integers(
        &mut self,
        function: fn(&Rational, &Rational) -> Option<Rational>,
        x: &Ball,
        y: &Ball,
    ) -> Result<Ball, Gap> {
        let (Some(a), Some(b)) = (x.exact_integer(), y.exact_integer()) else {
            let fractional =
                |ball: &Ball| ball.is_exact() && ball.top() < 4000 && ball.exact_integer().is_none();
            return Err(if fractional(x) || fractional(y) { Gap::Undefined } else { Gap::Unknown });
        };
        let whole = |value: IBig| Rational::from_integers(value, dashu_int::UBig::ONE);
        let (Some(a), Some(b)) = (whole(a), whole(b)) else { return Err(Gap::Unknown) };
        Ball::rational(&function(&a, &b).ok_or(Gap::Unknown)?, self.bits)
    }

    fn tan(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let (sin, cos) = self.sin_cos(x)?;
        self.divide(&sin, &cos)
    }
}

macro_rules! of_balls {
    (
        all $all:tt
        unary { $($unary:ident { facts $facts:tt range $range:tt derivative $rule:tt doubles $doubles:tt balls { $real:expr, $complex:expr } $($row:tt)* })* }
        binary { $($binary:ident { facts $more:tt range $ranges:tt doubles $pairs:tt balls { $of_pair:expr } $($other:tt)* })* }
    ) => {
        impl Context<'_> {
            /// Applies a function of one real argument.
            pub(super) fn unary(&mut self, function: Function, x: &Ball) -> Result<Ball, Gap> {
                fn at<'a>(
                    context: &mut Context<'a>,
                    x: &Ball,
                    rule: impl FnOnce(&mut Context<'a>, &Ball) -> Result<Ball, Gap>,
                ) -> Result<Ball, Gap> {
                    rule(context, x)
                }
                self.charge(1)?;
                match function {
                    $(Function::$unary => at(self, x, $real),)*
                    _ => Err(Gap::Unknown),
                }
            }

            /// Applies a function of two real arguments.
            pub(super) fn binary(&mut self, function: Function, x: &Ball, y: &Ball) -> Result<Ball, Gap> {
                fn at<'a>(
                    context: &mut Context<'a>,
                    (x, y): (&Ball, &Ball),
                    rule: impl FnOnce(&mut Context<'a>, &Ball, &Ball) -> Result<Ball, Gap>,
                ) -> Result<Ball, Gap> {
                    rule(context, x, y)
                }
                self.charge(1)?;
                match function {
                    $(Function::$binary => at(self, (x, y), $of_pair),)*
                    _ => Err(Gap::Unknown),
                }
            }
        }
    };
}

functions!(of_balls);
