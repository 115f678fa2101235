//! Builders, each of which returns the id of a new or existing expression.

use super::{
    Arena, Constant, Direction, Entry, Function, Id, Kind, Node, SeriesKind, Symbol, Symbols, hash_number,
};
use crate::limits::{FLAT_ARGUMENTS, FOLDED_BASE, FOLDED_BINOMIAL, FOLDED_FACTORIAL};
use crate::number::{self, Rational};
use smallvec::SmallVec;

impl Arena {
    // ---- leaves -------------------------------------------------------------------------------------------

    /// Interns a name.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        let mut start = 0;
        for (at, &end) in self.name_ends.iter().enumerate() {
            if self.names.get(start..end as usize) == Some(name) {
                return Symbol(at as u32);
            }
            start = end as usize;
        }
        if self.name_ends.len() >= self.caps.symbols {
            self.overflowed = true;
            return Symbol(0);
        }
        self.names.push_str(name);
        self.name_ends.push(self.names.len() as u32);
        Symbol(self.name_ends.len() as u32 - 1)
    }

    /// Returns the variable with this name.
    pub fn variable(&mut self, name: &str) -> Id {
        let symbol = self.symbol(name);
        self.variable_of(symbol)
    }

    /// Returns the variable with an interned name.
    pub fn variable_of(&mut self, symbol: Symbol) -> Id {
        self.intern(Kind::Symbol(symbol), &[], Symbols::one(symbol))
    }

    /// Returns the node of an exact number.
    pub fn number(&mut self, value: Rational) -> Id {
        let hash = hash_number(&value);
        let (entries, numbers) = (&self.entries, &self.numbers);
        let found = self.table.find(hash, |&at| match entries[at as usize].kind {
            Kind::Number(number) => numbers[number as usize] == value,
            _ => false,
        });
        if let Some(&at) = found {
            return Id(at);
        }
        if self.entries.len() >= self.caps.nodes {
            self.overflowed = true;
            return Self::UNDEFINED;
        }
        let shape = super::shape::shape_of_number(&value);
        self.numbers.push(value);
        let at = self.entries.len() as u32;
        let kind = Kind::Number(self.numbers.len() as u32 - 1);
        self.entries.push(Entry { kind, start: 0, len: 0, hash, free: Symbols::NONE, shape });
        let entries = &self.entries;
        self.table.insert_unique(hash, at, |&at| entries[at as usize].hash);
        Id(at)
    }

    /// Returns the node of an integer.
    pub fn integer(&mut self, value: i64) -> Id {
        match value {
            0 => Self::ZERO,
            1 => Self::ONE,
            -1 => Self::MINUS_ONE,
            2 => Self::TWO,
            _ => self.number(Rational::from(value)),
        }
    }

    /// Returns the fraction `numerator / denominator`, which has no value if the denominator is 0.
    pub fn fraction(&mut self, numerator: i64, denominator: i64) -> Id {
        let (n, d) = (self.integer(numerator), self.integer(denominator));
        self.div(n, d)
    }

    /// Returns a named constant.
    pub fn constant(&mut self, constant: Constant) -> Id {
        self.intern(Kind::Constant(constant), &[], Symbols::NONE)
    }

    // ---- arithmetic ---------------------------------------------------------------------------------------

    /// Returns the sum of `terms` (0 if there are none).
    pub fn sum(&mut self, terms: &[Id]) -> Id {
        self.associative(terms, true)
    }

    /// Returns the product of `factors` (1 if there are none). A factor 0 is kept: `0·(1/0)` has no value.
    pub fn product(&mut self, factors: &[Id]) -> Id {
        self.associative(factors, false)
    }

    fn associative(&mut self, parts: &[Id], sum: bool) -> Id {
        let neutral = if sum { Self::ZERO } else { Self::ONE };
        let mut flat: SmallVec<[Id; 16]> = SmallVec::new();
        let mut folded: Option<Rational> = None;
        let mut lone = neutral;
        let mut is_too_long = false;
        let mut fold =
            |arena: &mut Self, folded: &mut Option<Rational>, lone: &mut Id, id: Id, value: &Rational| {
                if id == neutral {
                    return;
                }
                let next = match folded.as_ref() {
                    None => {
                        *lone = id;
                        value.clone()
                    }
                    Some(so_far) => {
                        let next = if sum { so_far.checked_add(value) } else { so_far.checked_mul(value) };
                        *lone = Self::UNDEFINED;
                        if let Some(next) = next {
                            next
                        } else {
                            arena.overflowed = true;
                            is_too_long = true;
                            return;
                        }
                    }
                };
                *folded = Some(next);
            };
        for &part in parts {
            let Some(&entry) = self.entries.get(part.index()) else { return Self::UNDEFINED };
            match entry.kind {
                Kind::Number(at) => {
                    let value = self.numbers[at as usize].clone();
                    fold(self, &mut folded, &mut lone, part, &value);
                }
                Kind::Sum if sum => self.splice(&entry, &mut flat, |arena, id, value| {
                    fold(arena, &mut folded, &mut lone, id, value);
                }),
                Kind::Product if !sum => {
                    self.splice(&entry, &mut flat, |arena, id, value| {
                        fold(arena, &mut folded, &mut lone, id, value);
                    });
                }
                _ => flat.push(part),
            }
        }
        if is_too_long {
            return Self::UNDEFINED;
        }
        let number = match folded {
            None => neutral,
            Some(_) if lone != Self::UNDEFINED => lone,
            Some(value) => self.number(value),
        };
        if number != neutral {
            flat.push(number);
        }
        match flat.as_slice() {
            [] => neutral,
            &[only] => only,
            _ => {
                flat.sort_unstable();
                let free = self.union(&flat);
                self.intern(if sum { Kind::Sum } else { Kind::Product }, &flat, free)
            }
        }
    }

    fn splice(
        &mut self,
        entry: &Entry,
        flat: &mut SmallVec<[Id; 16]>,
        mut fold: impl FnMut(&mut Self, Id, &Rational),
    ) {
        let start = entry.start as usize;
        for at in start..start + entry.len as usize {
            let child = self.children[at];
            match self.entries[child.index()].kind {
                Kind::Number(number) => {
                    let value = self.numbers[number as usize].clone();
                    fold(self, child, &value);
                }
                _ => flat.push(child),
            }
        }
        if flat.len() > self.caps.children {
            self.overflowed = true;
            flat.truncate(1);
        }
    }

    /// Returns `a + b`
    pub fn add(&mut self, a: Id, b: Id) -> Id {
        self.sum(&[a, b])
    }

    /// Returns `a - b`
    pub fn sub(&mut self, a: Id, b: Id) -> Id {
        let b = self.neg(b);
        self.sum(&[a, b])
    }

    /// Returns `-a`
    pub fn neg(&mut self, a: Id) -> Id {
        self.product(&[Self::MINUS_ONE, a])
    }

    /// Returns `a · b`
    pub fn mul(&mut self, a: Id, b: Id) -> Id {
        self.product(&[a, b])
    }

    /// Returns `a / b`
    pub fn div(&mut self, a: Id, b: Id) -> Id {
        let b = self.power(b, Self::MINUS_ONE);
        self.product(&[a, b])
    }

    /// Returns `base ^ exponent`. Powers of 0 whose exponents are not positive are not simplified. Powers with
    /// exponent 0 are 1 if the base is a symbol or a rational function that is certainly not identically 0.
    pub fn power(&mut self, base: Id, exponent: Id) -> Id {
        if exponent == Self::ONE {
            return base;
        }
        if let Some(integer) = self.as_integer(exponent) {
            match self.node(base) {
                Node::Number(value) if (!value.is_zero() || integer > 0) => {
                    let bits = (value.bits() as u64).saturating_mul(integer.unsigned_abs());
                    if bits <= self.caps.power_bits
                        && let Some(power) = value.checked_pow(integer)
                    {
                        return self.number(power);
                    }
                }
                Node::Power(inner, first) if matches!(self.node(inner), Node::Constant(Constant::E)) => {
                    let both = self.mul(exponent, first);
                    return self.power(inner, both);
                }
                Node::Power(inner, first) if integer > 0 => {
                    if let Some(first) = self.as_integer(first).filter(|&first| first > 0)
                        && let Some(both) = first.checked_mul(integer)
                    {
                        let both = self.integer(both);
                        return self.power(inner, both);
                    }
                }
                _ => {}
            }
            if integer == 0 && self.is_nonzero_somewhere(base) {
                return Self::ONE;
            }
        } else if base == Self::ONE && self.as_number(exponent).is_some() {
            return Self::ONE;
        } else if base == Self::ZERO && self.is_positive(exponent) {
            return Self::ZERO;
        }
        let free = self.union(&[base, exponent]);
        self.intern(Kind::Power, &[base, exponent], free)
    }

    /// Returns whether an expression is a small rational function with a value other than 0 at a certain point.
    fn is_nonzero_somewhere(&self, id: Id) -> bool {
        let order = self.reachable(&[id]);
        if order.len() > FOLDED_BASE {
            return false;
        }
        let mut values: SmallVec<[(Id, Rational); 16]> = SmallVec::new();
        for part in order {
            let of = |child: Id| values.iter().find(|(known, _)| *known == child).map(|(_, value)| value);
            let value = match self.node(part) {
                Node::Number(number) => Some(number.clone()),
                // No usual coefficient makes a polynomial vanish here.
                Node::Symbol(symbol) => Rational::new(1009 + 36 * i64::from(symbol.0), 7),
                Node::Sum(parts) => {
                    parts.iter().try_fold(Rational::ZERO, |sum, &part| sum.checked_add(of(part)?))
                }
                Node::Product(parts) => {
                    parts.iter().try_fold(Rational::ONE, |product, &part| product.checked_mul(of(part)?))
                }
                Node::Power(base, exponent) => self.as_integer(exponent).and_then(|exponent| {
                    let base = of(base).filter(|base| !base.is_zero() || exponent > 0)?;
                    let bits = (base.bits() as u64).saturating_mul(exponent.unsigned_abs());
                    if bits > self.caps.power_bits { None } else { base.checked_pow(exponent) }
                }),
                _ => None,
            };
            let Some(value) = value else { return false };
            values.push((part, value));
        }
        values.last().is_some_and(|(_, value)| !value.is_zero())
    }

    /// Returns whether a constant is positive by its form.
    ///
    /// Recognises positive numbers and constants such as π, their sums and products, and their powers with
    /// numbers as exponents. Deeper nesting is not examined.
    fn is_positive(&self, id: Id) -> bool {
        let plain = |id: Id| match self.node(id) {
            Node::Number(number) => number.is_positive(),
            Node::Constant(constant) => {
                matches!(constant, Constant::Pi | Constant::E | Constant::Phi | Constant::EulerGamma)
            }
            _ => false,
        };
        match self.node(id) {
            Node::Sum(parts) | Node::Product(parts) => parts.iter().all(|&part| plain(part)),
            Node::Power(base, exponent) => {
                plain(base) && self.is_constant(exponent) && self.as_number(exponent).is_some()
            }
            _ => plain(id),
        }
    }

    /// Returns the square root, `a^(1/2)`.
    pub fn sqrt(&mut self, a: Id) -> Id {
        let half = self.fraction(1, 2);
        self.power(a, half)
    }

    /// Returns the root `a^(1/degree)`.
    pub fn root(&mut self, degree: Id, a: Id) -> Id {
        let exponent = self.power(degree, Self::MINUS_ONE);
        self.power(a, exponent)
    }

    /// Returns `e^a`
    pub fn exp(&mut self, a: Id) -> Id {
        let e = self.constant(Constant::E);
        self.power(e, a)
    }

    // ---- functions ----------------------------------------------------------------------------------------

    /// Returns the rational value of a function of numbers, such as `|-2|` or `5!`.
    ///
    /// Returns `None` for arguments that are not numbers, functions such as the sine, and large factorials.
    fn folded(&self, function: Function, arguments: &[Id]) -> Option<Rational> {
        let first = self.as_number(*arguments.first()?)?;
        let second = arguments.get(1).and_then(|&argument| self.as_number(argument));
        let mut all = arguments.iter().map(|&argument| self.as_number(argument));
        let fold = |step: fn(&Rational, &Rational) -> Option<Rational>| {
            let rest = arguments.get(1..)?;
            rest.iter().try_fold(step(first, first)?, |so_far, &next| step(&so_far, self.as_number(next)?))
        };
        match function {
            Function::Abs => Some(first.absolute()),
            Function::Sign => Some(Rational::from(first.signum())),
            Function::Floor => Some(first.floor()),
            Function::Ceil => Some(first.ceil()),
            Function::Round => Some(first.round()),
            Function::Min => all.try_fold(first, |least, next| Some(least.min(next?))).cloned(),
            Function::Max => all.try_fold(first, |most, next| Some(most.max(next?))).cloned(),
            Function::Gcd => fold(common_measure),
            Function::Lcm => fold(common_multiple),
            Function::Mod if !second?.is_zero() => number::modulo(first, second?),
            Function::Factorial => {
                first.to_u64().filter(|&n| n <= FOLDED_FACTORIAL).and_then(number::factorial)
            }
            Function::DoubleFactorial => {
                first.to_u64().filter(|&n| n <= FOLDED_FACTORIAL).and_then(number::double_factorial)
            }
            Function::Binomial if first.to_u64()? <= FOLDED_FACTORIAL && second?.is_integer() => {
                number::binomial(first, second?)
            }
            _ => None,
        }
    }

    /// Returns a known function applied to arguments, whose order does not matter for `Min`, `Max`, `Gcd` and
    /// `Lcm`.
    pub fn apply(&mut self, function: Function, arguments: &[Id]) -> Id {
        if let Some(value) = self.folded(function, arguments) {
            return self.number(value);
        }
        if function == Function::Binomial
            && let Some(value) = self.large_binomial(arguments)
        {
            return self.number(value);
        }
        let free = self.union(arguments);
        if function.is_commutative() {
            let mut inner = self.without_nesting(function, arguments);
            self.keep_one_number(function, &mut inner);
            return match (function, inner.as_slice()) {
                (Function::Min | Function::Max, &[only]) => only,
                _ => self.intern(Kind::Apply(function), &inner, free),
            };
        }
        self.intern(Kind::Apply(function), arguments, free)
    }

    /// Returns the distinct arguments of a commutative function, with nested calls of it merged.
    ///
    /// Thus `max(a, max(b, c))` is `max(a, b, c)`.
    fn without_nesting(&self, function: Function, arguments: &[Id]) -> SmallVec<[Id; 8]> {
        let mut inner: SmallVec<[Id; 8]> = SmallVec::new();
        for &argument in arguments {
            match self.node(argument) {
                Node::Apply(same, parts)
                    if same == function && inner.len() + parts.len() <= FLAT_ARGUMENTS =>
                {
                    inner.extend_from_slice(parts);
                }
                _ => inner.push(argument),
            }
        }
        inner.sort_unstable();
        inner.dedup();
        inner
    }

    /// Replaces the numbers among the arguments of a commutative function with one number.
    fn keep_one_number(&mut self, function: Function, arguments: &mut SmallVec<[Id; 8]>) {
        let numbers: SmallVec<[Id; 8]> =
            arguments.iter().copied().filter(|&argument| self.as_number(argument).is_some()).collect();
        if numbers.len() > 1
            && let Some(value) = self.folded(function, &numbers)
        {
            let value = self.number(value);
            arguments.retain(|argument| !numbers.contains(argument));
            arguments.push(value);
            arguments.sort_unstable();
        }
    }

    /// Returns a large binomial of integers, if the remaining budget covers its factors.
    fn large_binomial(&mut self, arguments: &[Id]) -> Option<Rational> {
        let &[upper, lower] = arguments else { return None };
        let (upper, lower) = (self.as_number(upper)?.clone(), self.as_number(lower)?.clone());
        let (n, k) = (upper.to_u64()?, lower.to_u64()?);
        let price = 2 * k.min(n.checked_sub(k)?);
        if n > FOLDED_BINOMIAL || self.lookups <= price {
            return None;
        }
        self.lookups -= price;
        number::binomial(&upper, &lower)
    }

    /// Returns a call of an uninterpreted function, such as `f(x)`. Its name is not a free variable.
    pub fn call(&mut self, name: Symbol, arguments: &[Id]) -> Id {
        let free = self.union(arguments);
        self.intern(Kind::Call(name), arguments, free)
    }

    /// Returns the logarithm of `a` to a base, `ln a / ln base`.
    pub fn log(&mut self, base: Id, a: Id) -> Id {
        let (a, base) = (self.apply(Function::Ln, &[a]), self.apply(Function::Ln, &[base]));
        self.div(a, base)
    }

    /// Returns the imaginary unit.
    pub(crate) fn imaginary_unit(&mut self) -> Id {
        self.constant(Constant::I)
    }

    /// Returns `π`
    pub(crate) fn pi(&mut self) -> Id {
        self.constant(Constant::Pi)
    }

    /// Returns a quarter turn, `π/2`.
    pub(crate) fn quarter_turn(&mut self) -> Id {
        let (half, pi) = (self.fraction(1, 2), self.pi());
        self.mul(half, pi)
    }

    /// Returns `(constant + factor·a²)^(above/below)`, which occurs in the derivatives of inverse functions.
    pub(crate) fn of_square(&mut self, constant: Id, factor: Id, a: Id, (above, below): (i64, i64)) -> Id {
        let square = self.mul(a, a);
        let square = self.mul(factor, square);
        let inside = self.add(constant, square);
        let exponent = self.fraction(above, below);
        self.power(inside, exponent)
    }

    /// Returns `1 / function(a)`
    pub(crate) fn reciprocal_of(&mut self, function: Function, a: Id) -> Id {
        let value = self.apply(function, &[a]);
        self.power(value, Self::MINUS_ONE)
    }

    /// Returns `function(1 / a)`
    pub(crate) fn of_reciprocal(&mut self, function: Function, a: Id) -> Id {
        let reciprocal = self.power(a, Self::MINUS_ONE);
        self.apply(function, &[reciprocal])
    }

    // ---- binders ------------------------------------------------------------------------------------------

    /// Returns a sum or product of `body` over the integers `index` in `from..=to`.
    pub fn series(&mut self, kind: SeriesKind, index: Symbol, from: Id, to: Id, body: Id) -> Id {
        let inner = self.free(body).without(Symbols::one(index));
        let free = self.free(from).union(self.free(to)).union(inner);
        self.intern(Kind::Series(kind, index), &[from, to, body], free)
    }

    /// Returns the limit of `body` as `symbol` approaches `point`.
    pub fn limit(&mut self, symbol: Symbol, point: Id, side: Direction, body: Id) -> Id {
        let inner = self.free(body).without(Symbols::one(symbol));
        let free = self.free(point).union(inner);
        self.intern(Kind::Limit(symbol, side), &[point, body], free)
    }

    /// Returns the derivative of `body` of the given order. The variable stays free.
    pub fn derivative(&mut self, symbol: Symbol, order: u32, body: Id) -> Id {
        let free = self.free(body).union(Symbols::one(symbol));
        self.intern(Kind::Derivative(symbol, order), &[body], free)
    }

    /// Returns the integral of `body`, which is definite if there are `bounds`.
    pub fn integral(&mut self, symbol: Symbol, bounds: Option<(Id, Id)>, body: Id) -> Id {
        match bounds {
            Some((from, to)) => {
                let inner = self.free(body).without(Symbols::one(symbol));
                let free = self.free(from).union(self.free(to)).union(inner);
                self.intern(Kind::Integral(symbol), &[from, to, body], free)
            }
            None => {
                let free = self.free(body).union(Symbols::one(symbol));
                self.intern(Kind::Integral(symbol), &[body], free)
            }
        }
    }

    /// Substitutes `value` for the free occurrences of `symbol` in `id`.
    ///
    /// Sets [`overflowed`](Self::overflowed) if a sum, product, limit, derivative or integral inside `id` might
    /// capture a variable of `value`, or if `symbol` is the variable of a derivative or an indefinite
    /// integral.
    pub fn substitute(&mut self, id: Id, symbol: Symbol, value: Id) -> Id {
        if !self.free(id).contains(symbol) {
            return id;
        }
        let order = self.reachable(&[id]);
        // `reachable` returns ids in increasing order, so a binary search finds the image of a part.
        let mut images: Vec<Id> = Vec::with_capacity(order.len());
        for &part in &order {
            if self.overflowed {
                return Self::UNDEFINED;
            }
            let image = if self.free(part).contains(symbol) {
                self.rebuild(part, symbol, value, &order, &images)
            } else {
                part
            };
            images.push(image);
        }
        images.last().copied().unwrap_or(Self::UNDEFINED)
    }

    fn rebuild(&mut self, id: Id, symbol: Symbol, value: Id, order: &[Id], images: &[Id]) -> Id {
        let Some(&entry) = self.entries.get(id.index()) else { return Self::UNDEFINED };
        let image =
            |part: Id| order.binary_search(&part).ok().and_then(|at| images.get(at)).copied().unwrap_or(part);
        let originals: SmallVec<[Id; 16]> = SmallVec::from_slice(self.slice(&entry));
        let parts: SmallVec<[Id; 16]> = originals.iter().map(|&part| image(part)).collect();
        let captured = self.free(value);
        let binder = |arena: &mut Self, bound: Symbol, body: usize| {
            if captured.contains(bound) && bound != symbol {
                arena.overflowed = true;
            }
            let changed = if bound == symbol { originals.get(body) } else { parts.get(body) };
            changed.copied().unwrap_or(Self::UNDEFINED)
        };
        match (entry.kind, parts.as_slice()) {
            (Kind::Symbol(_), _) => value,
            (Kind::Sum, terms) => self.sum(terms),
            (Kind::Product, factors) => self.product(factors),
            (Kind::Power, &[base, exponent]) => self.power(base, exponent),
            (Kind::Apply(function), arguments) => self.apply(function, arguments),
            (Kind::Call(name), arguments) => self.call(name, arguments),
            (Kind::Series(kind, index), &[from, to, _]) => {
                let body = binder(self, index, 2);
                self.series(kind, index, from, to, body)
            }
            (Kind::Limit(bound, side), &[point, _]) => {
                let body = binder(self, bound, 1);
                self.limit(bound, point, side, body)
            }
            (Kind::Integral(bound), &[from, to, _]) => {
                let body = binder(self, bound, 2);
                self.integral(bound, Some((from, to)), body)
            }
            (Kind::Derivative(bound, order), &[body]) if bound != symbol && !captured.contains(bound) => {
                self.derivative(bound, order, body)
            }
            (Kind::Integral(bound), &[body]) if bound != symbol && !captured.contains(bound) => {
                self.integral(bound, None, body)
            }
            // The DAG has no node for the value of a derivative or antiderivative at a point.
            _ => {
                self.overflowed = true;
                Self::UNDEFINED
            }
        }
    }
}

/// Returns the largest rational number that divides both numbers without a remainder.
fn common_measure(a: &Rational, b: &Rational) -> Option<Rational> {
    let (above, below) = crossed(a, b)?;
    number::gcd(&above.0, &above.1)?.checked_div(&below)
}

/// Returns the smallest positive number that is an integer multiple of both, or 0 if either is 0.
fn common_multiple(a: &Rational, b: &Rational) -> Option<Rational> {
    let (above, below) = crossed(a, b)?;
    number::lcm(&above.0, &above.1)?.checked_div(&below)
}

/// Returns the numerators of both numbers over a common denominator, and this denominator.
fn crossed(a: &Rational, b: &Rational) -> Option<((Rational, Rational), Rational)> {
    let (c, d) = (a.denominator_part(), b.denominator_part());
    Some(((a.numerator_part().checked_mul(&d)?, b.numerator_part().checked_mul(&c)?), c.checked_mul(&d)?))
}
