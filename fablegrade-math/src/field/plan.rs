//! Analysis of a pair before sampling: the nodes to evaluate, the worlds that they need (see
//! [`super::sample`]), and the deciding signs.

use super::prime::SQUARES;
use crate::expr::{Arena, Constant, Function, Id, Node, Parts, Symbols};
use crate::functions::{Image, ValueSigns};
use crate::number::Rational;

/// Properties of one node that do not depend on the sample.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Facts(u16);

impl Facts {
    /// The node is part of an exponent, so its value modulo `q` is needed.
    pub(crate) const EXPONENT: u16 = 1;
    /// The node is part of an angle, so its value modulo `h` is needed.
    pub(crate) const ANGLE: u16 = 1 << 1;
    /// The quadratic character of the value must equal its sign if the sign is known.
    pub(crate) const SIGNED: u16 = 1 << 2;
    /// The node is a logarithm, or a sum or product that contains one.
    pub(crate) const LOG: u16 = 1 << 3;
    /// The node is an inverse trigonometric function, or a sum or product that contains one.
    pub(crate) const ARC: u16 = 1 << 4;
    /// The imaginary unit occurs.
    pub(crate) const IMAGINARY: u16 = 1 << 5;
    /// Only numbers, variables, sums, products and integer powers occur.
    pub(crate) const RATIONAL: u16 = 1 << 6;
    /// No variable occurs.
    pub(crate) const CONSTANT: u16 = 1 << 7;
    /// The signs and parities of the variables determine the sign of the node.
    pub(crate) const SIGN_KNOWN: u16 = 1 << 8;
    /// The value is never negative.
    pub(crate) const NOT_NEGATIVE: u16 = 1 << 9;
    /// The signs of the variables determine the signs of the node's roots, as for a product of powers of
    /// variables.
    pub(crate) const MONOMIAL: u16 = 1 << 10;
    /// The node is a polynomial of degree at most 1.
    pub(crate) const LINEAR: u16 = 1 << 11;
    /// No denominator contains a variable.
    const WHOLE: u16 = 1 << 12;
    /// Up to a sign, the node is a product of powers of variables, of `e`, `π` and `γ`, and of numbers whose
    /// prime factors are squares modulo all primes.
    ///
    /// Roots and logarithms of such nodes have the same laws in the field as over the reals: positive real
    /// roots of rational numbers satisfy only the equations that follow from their multiplication, and the
    /// images of `π`, `γ`, logarithms and powers are independent.
    pub(crate) const ALIGNED: u16 = 1 << 13;

    #[inline]
    pub(crate) fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    #[inline]
    fn set(&mut self, flag: u16) {
        self.0 |= flag;
    }
}

/// The number of bits above which a number counts as a possible multiple of `p`, `q` or `h`, the shortest of
/// which has 53 bits.
const LONG: usize = 52;

/// The nodes to evaluate and the properties that determine the number of samples.
#[derive(Default, Debug)]
pub(crate) struct Plan {
    /// The nodes, children before parents.
    pub(crate) order: Parts,
    /// The properties of each node, by position in the arena.
    pub(crate) facts: Vec<Facts>,
    degree: Vec<u64>,
    /// The number of sign decisions that the signs of the variables do not determine.
    pub(crate) hidden: u32,
    structural: u32,
    /// True if the argument of a logarithm is neither constant nor linear nor a product of powers.
    open_logarithms: bool,
    /// The nodes whose pieces must all occur in samples, each with a mask of its possible decisions.
    pub(crate) deciders: Vec<(Id, u32)>,
    /// Variables whose sign decides between cases.
    pub(crate) sign_variables: Symbols,
    /// Variables whose parity decides between cases.
    pub(crate) parity_variables: Symbols,
    /// True if both sides are rational functions.
    pub(crate) rational: bool,
    /// True if a number is long enough to be a multiple of the prime.
    pub(crate) long_numbers: bool,
    /// True if the conjugate of a root or another function of a constant depends on the prime.
    pub(crate) radicals: bool,
    /// True if the argument of a root, a logarithm or an absolute value is not [`Facts::ALIGNED`], so the
    /// field may choose another conjugate than the real one.
    misaligned: bool,
    /// True if a function may have steps, or if its value may depend on only some of its arguments.
    hides: bool,
    /// True if variables need known logarithms. This is so if a non-numeric exponent, a logarithm or a
    /// hyperbolic function occurs.
    pub(crate) powers: bool,
    /// True if a sign may matter, so the known signs are computed.
    pub(crate) signed: bool,
    /// True if a power has a variable exponent, whose parity is needed for a negative base.
    pub(crate) parity: bool,
    /// Variables that take only integer values.
    pub(crate) integers: Symbols,
    /// An estimate of the degree of the difference as a rational function of the independent quantities.
    pub(crate) total_degree: u64,
}

/// The error for an expression without an image in the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unfit;

impl Plan {
    /// Analyses both sides. [`Plan::demand_root`] can then mark whole sides as exponents or angles.
    pub(crate) fn make(
        &mut self,
        arena: &Arena,
        [a, b]: [Id; 2],
        parts: &[Id],
        integers: Symbols,
    ) -> Result<(), Unfit> {
        self.order.clear();
        self.order.extend_from_slice(parts);
        self.facts.clear();
        self.facts.resize(arena.len(), Facts::default());
        self.degree.clear();
        self.degree.resize(arena.len(), 0);
        self.structural = 0;
        self.open_logarithms = false;
        self.deciders.clear();
        self.sign_variables = Symbols::NONE;
        self.parity_variables = Symbols::NONE;
        self.rational = true;
        self.radicals = false;
        self.misaligned = false;
        self.hides = false;
        self.long_numbers = false;
        self.powers = false;
        self.signed = false;
        self.parity = false;
        self.integers = integers;
        self.describe(arena)?;
        if self.radicals && !(arena.is_constant(a) && arena.is_constant(b)) {
            self.sign_waves(arena);
        }
        if self.hides && self.radicals {
            // The field may choose a conjugate instead of the real root, and few samples would reveal the
            // difference.
            return Err(Unfit);
        }
        self.rational = self.facts(a).has(Facts::RATIONAL) && self.facts(b).has(Facts::RATIONAL);
        self.demand(arena);
        self.total_degree = self.degree_of(a).saturating_add(self.degree_of(b));
        Ok(())
    }

    /// Marks sines and similar functions of constants as signed, for expressions with roots of constants.
    ///
    /// The root of `1 - cos²1` may be `sin 1` or `-sin 1`.
    fn sign_waves(&mut self, arena: &Arena) {
        for at in 0..self.order.len() {
            let id = self.order[at];
            let waves = matches!(
                arena.node(id),
                Node::Apply(
                    Function::Sin | Function::Cos | Function::Tan | Function::Sinh | Function::Tanh,
                    _
                )
            );
            if waves && arena.is_constant(id) {
                self.set(id, Facts::SIGNED);
                self.signed = true;
            }
        }
    }

    #[inline]
    pub(crate) fn facts(&self, id: Id) -> Facts {
        self.facts.get(id.index()).copied().unwrap_or_default()
    }

    #[inline]
    fn set(&mut self, id: Id, flag: u16) {
        if let Some(facts) = self.facts.get_mut(id.index()) {
            facts.set(flag);
        }
    }

    /// Returns [`Facts::WHOLE`] if all parts have it.
    fn whole(&self, parts: &[Id]) -> u16 {
        parts.iter().fold(Facts::WHOLE, |all, part| all & self.facts(*part).0)
    }

    fn degree_of(&self, id: Id) -> u64 {
        self.degree.get(id.index()).copied().unwrap_or(0)
    }

    /// Computes the properties of all nodes bottom-up.
    ///
    /// This function is long because it has one arm per kind of node.
    fn describe(&mut self, arena: &Arena) -> Result<(), Unfit> {
        for at in 0..self.order.len() {
            let id = self.order[at];
            let mut facts = Facts::default();
            if arena.is_constant(id) {
                facts.set(
                    Facts::CONSTANT | Facts::SIGN_KNOWN | Facts::LINEAR | Facts::MONOMIAL | Facts::WHOLE,
                );
            }
            let mut degree = 0u64;
            match arena.node(id) {
                Node::Number(number) => {
                    facts.set(Facts::RATIONAL);
                    self.long_numbers |= number.bits() > LONG;
                    if !number.is_negative() {
                        facts.set(Facts::NOT_NEGATIVE);
                    }
                    if is_aligned(number) {
                        facts.set(Facts::ALIGNED);
                    }
                }
                Node::Symbol(_) => {
                    facts.set(
                        Facts::RATIONAL
                            | Facts::SIGN_KNOWN
                            | Facts::LINEAR
                            | Facts::MONOMIAL
                            | Facts::WHOLE
                            | Facts::ALIGNED,
                    );
                    degree = 1;
                }
                Node::Constant(Constant::I) => {
                    facts = Facts(Facts::IMAGINARY | Facts::CONSTANT);
                }
                Node::Constant(Constant::Infinity | Constant::ComplexInfinity | Constant::Undefined) => {
                    return Err(Unfit);
                }
                Node::Constant(constant) => {
                    facts.set(Facts::NOT_NEGATIVE);
                    if constant != Constant::Phi {
                        facts.set(Facts::ALIGNED);
                    }
                    degree = 1;
                }
                Node::Sum(terms) => {
                    let mut all = Facts::RATIONAL | Facts::NOT_NEGATIVE | Facts::LINEAR | Facts::WHOLE;
                    // Quotients are brought to a common denominator, to which each contributes its degree.
                    let mut quotients = 0u64;
                    for &term in terms {
                        let of = self.facts(term);
                        facts.0 |= of.0 & (Facts::LOG | Facts::ARC | Facts::IMAGINARY);
                        all &= of.0;
                        if of.has(Facts::WHOLE) {
                            degree = degree.max(self.degree_of(term));
                        } else {
                            quotients = quotients.saturating_add(self.degree_of(term));
                        }
                    }
                    degree = degree.saturating_add(quotients);
                    facts.set(all);
                    if all & Facts::NOT_NEGATIVE != 0 {
                        facts.set(Facts::SIGN_KNOWN);
                    }
                }
                Node::Product(factors) => {
                    let mut all = Facts::RATIONAL
                        | Facts::NOT_NEGATIVE
                        | Facts::SIGN_KNOWN
                        | Facts::MONOMIAL
                        | Facts::WHOLE
                        | Facts::ALIGNED;
                    let mut linear = true;
                    let mut variables = 0;
                    for &factor in factors {
                        let of = self.facts(factor);
                        facts.0 |= of.0 & (Facts::LOG | Facts::ARC | Facts::IMAGINARY);
                        all &= of.0;
                        linear &= of.has(Facts::LINEAR);
                        variables += u32::from(!of.has(Facts::CONSTANT));
                        degree = degree.saturating_add(self.degree_of(factor));
                    }
                    facts.set(all);
                    if linear && variables <= 1 {
                        facts.set(Facts::LINEAR);
                    }
                }
                Node::Power(base, exponent) => {
                    degree = self.describe_power(arena, base, exponent, &mut facts)?;
                }
                Node::Apply(function, arguments) => {
                    for &argument in arguments {
                        let of = self.facts(argument);
                        facts.0 |= of.0 & Facts::IMAGINARY;
                        degree = degree.saturating_add(self.degree_of(argument));
                    }
                    degree = degree.saturating_mul(2).saturating_add(1);
                    if !matches!(function, Function::Tan | Function::Tanh) {
                        facts.0 |= self.whole(arguments);
                    }
                    if function == Function::Sign
                        && arguments.iter().any(|&part| may_vanish_somewhere(arena, part))
                    {
                        return Err(Unfit);
                    }
                    self.hides |= !facts.has(Facts::CONSTANT)
                        && (function == Function::Sign
                            || matches!(function.image(), Image::Plain | Image::Extremum));
                    self.describe_function(function, arguments, &mut facts);
                    let signs = matches!(function, Function::Abs | Function::Sign)
                        && arguments
                            .iter()
                            .all(|&part| self.facts(part).0 & (Facts::SIGN_KNOWN | Facts::IMAGINARY) == 0);
                    if !facts.has(Facts::CONSTANT) && signs {
                        self.deciders.push((id, 0b11));
                    } else if !facts.has(Facts::CONSTANT) && matches!(function, Function::Min | Function::Max)
                    {
                        self.deciders.push((id, (1 << arguments.len().min(16)) - 1));
                    }
                }
                Node::Call(_, arguments) => {
                    for &argument in arguments {
                        facts.0 |= self.facts(argument).0 & Facts::IMAGINARY;
                        degree = degree.saturating_add(self.degree_of(argument));
                    }
                    degree = degree.saturating_add(1);
                    facts.0 |= self.whole(arguments);
                }
                Node::Series(..) | Node::Limit(..) | Node::Derivative(..) | Node::Integral(..) => {
                    return Err(Unfit);
                }
            }
            if facts.has(Facts::IMAGINARY) {
                facts.0 &= !(Facts::SIGN_KNOWN
                    | Facts::NOT_NEGATIVE
                    | Facts::MONOMIAL
                    | Facts::LINEAR
                    | Facts::ALIGNED);
            }
            self.facts[id.index()] = facts;
            self.degree[id.index()] = degree;
        }
        Ok(())
    }

    fn describe_power(
        &mut self,
        arena: &Arena,
        base: Id,
        exponent: Id,
        facts: &mut Facts,
    ) -> Result<u64, Unfit> {
        let (b, e) = (self.facts(base), self.facts(exponent));
        facts.0 |= (b.0 | e.0) & Facts::IMAGINARY;
        facts.0 |= b.0 & (Facts::NOT_NEGATIVE | Facts::MONOMIAL | Facts::ALIGNED);
        if b.has(Facts::NOT_NEGATIVE) {
            facts.set(Facts::SIGN_KNOWN);
        }
        let inner = self.degree_of(base).max(1);
        if let Some(number) = arena.as_number(exponent) {
            let (n, d) = number.to_small().ok_or(Unfit)?;
            if n % 2 == 0 || d % 2 == 0 {
                facts.set(Facts::NOT_NEGATIVE | Facts::SIGN_KNOWN);
            }
            facts.0 |= b.0 & Facts::SIGN_KNOWN;
            if n > 0 {
                facts.0 |= b.0 & Facts::WHOLE;
            }
            if d == 1 {
                facts.0 |= b.0 & Facts::RATIONAL;
            } else {
                self.signed = true;
                self.misaligned |= !b.has(Facts::ALIGNED);
                if b.has(Facts::CONSTANT) {
                    self.radicals = true;
                } else if d % 2 == 0 {
                    // The root of a square-free radicand does not hide a sign.
                    if !b.has(Facts::MONOMIAL) && !b.has(Facts::LINEAR) && !self.square_free(arena, base) {
                        self.structural += 1;
                    }
                } else if !b.has(Facts::SIGN_KNOWN) {
                    self.structural += 1;
                }
            }
            return Ok(inner.saturating_mul(n.unsigned_abs()).saturating_mul(d.unsigned_abs()));
        }
        facts.0 |= self.whole(&[base, exponent]);
        self.powers = true;
        self.structural += u32::from(self.open_logarithms && e.has(Facts::LOG));
        if matches!(arena.node(base), Node::Constant(Constant::E)) {
            facts.set(Facts::NOT_NEGATIVE | Facts::SIGN_KNOWN | Facts::MONOMIAL);
        } else {
            self.signed = true;
            self.misaligned |= !b.has(Facts::ALIGNED);
            facts.0 |= b.0 & Facts::SIGN_KNOWN;
            if e.has(Facts::CONSTANT) {
                self.radicals |= b.has(Facts::CONSTANT);
            } else {
                self.parity = true;
                if !b.has(Facts::NOT_NEGATIVE) {
                    self.parity_variables = self.parity_variables.union(arena.free(exponent));
                    if !b.has(Facts::SIGN_KNOWN) {
                        self.structural += 1;
                    }
                }
            }
        }
        Ok(inner.saturating_add(self.degree_of(exponent)).saturating_add(1))
    }

    /// Returns whether a sum is `a u² + c` with a linear `u` and a number `c`, or `a u² + b v²` with
    /// variables `u` and `v`.
    fn square_free(&self, arena: &Arena, id: Id) -> bool {
        let Node::Sum(&[first, second]) = arena.node(id) else { return false };
        let squared = |id: Id| {
            let id = match arena.node(id) {
                Node::Product(&[a, b]) if arena.as_number(a).is_some() => b,
                Node::Product(&[a, b]) if arena.as_number(b).is_some() => a,
                _ => id,
            };
            match arena.node(id) {
                Node::Power(base, Arena::TWO) if self.facts(base).has(Facts::LINEAR) => Some(base),
                _ => None,
            }
        };
        match (squared(first), squared(second)) {
            (Some(u), Some(v)) => {
                u != v && matches!((arena.node(u), arena.node(v)), (Node::Symbol(_), Node::Symbol(_)))
            }
            (Some(u), None) => !arena.is_constant(u) && arena.as_number(second).is_some(),
            (None, Some(v)) => !arena.is_constant(v) && arena.as_number(first).is_some(),
            _ => false,
        }
    }

    fn describe_function(&mut self, function: Function, arguments: &[Id], facts: &mut Facts) {
        let constant = facts.has(Facts::CONSTANT);
        let of = arguments.first().map(|&argument| self.facts(argument)).unwrap_or_default();
        match function.image() {
            image @ (Image::Logarithm | Image::RootedLogarithm | Image::PlainLogarithm) => {
                facts.set(Facts::LOG);
                self.powers = true;
                self.radicals |= constant;
                self.misaligned |= image != Image::Logarithm || !of.has(Facts::ALIGNED);
                // A power with such a logarithm in its exponent may be the root of a square.
                self.open_logarithms |= !constant && !of.has(Facts::LINEAR) && !of.has(Facts::MONOMIAL);
                // The radicand inside a `RootedLogarithm` has degree 2 in the argument.
                self.signed = true;
                if image == Image::RootedLogarithm && !of.has(Facts::LINEAR) {
                    self.structural += 1;
                }
            }
            Image::Arc => {
                facts.set(Facts::ARC);
                self.radicals |= constant;
                self.misaligned = true;
            }
            Image::Hyperbolic => {
                self.powers = true;
                self.structural += u32::from(self.open_logarithms && of.has(Facts::LOG));
            }
            Image::Size => {
                self.signed = true;
                self.radicals |= constant;
                // The sign of a real constant is compared with its image.
                self.misaligned |= !of.has(Facts::ALIGNED) && (!constant || of.has(Facts::IMAGINARY));
                if !of.has(Facts::SIGN_KNOWN) {
                    self.structural += 1;
                }
                facts.0 |= of.0 & (Facts::MONOMIAL | Facts::ALIGNED);
            }
            Image::Extremum => {
                self.signed = true;
                self.structural += u32::from(!constant) * arguments.len() as u32;
            }
            Image::Circular | Image::Plain => {}
        }
        match function.sign() {
            ValueSigns::NotNegative => facts.set(Facts::NOT_NEGATIVE | Facts::SIGN_KNOWN),
            ValueSigns::OfArgument => facts.0 |= of.0 & (Facts::NOT_NEGATIVE | Facts::SIGN_KNOWN),
            ValueSigns::Any => {}
        }
    }

    /// Computes the needed worlds and signs of all nodes top-down.
    ///
    /// The parts of an exponent or an angle inherit its needs.
    fn demand(&mut self, arena: &Arena) {
        self.hidden = self.structural;
        for at in (0..self.order.len()).rev() {
            let id = self.order[at];
            let facts = self.facts(id);
            let inherited = facts.0 & (Facts::EXPONENT | Facts::ANGLE);
            if facts.has(Facts::SIGNED) && facts.has(Facts::SIGN_KNOWN) {
                self.sign_variables = self.sign_variables.union(arena.free(id));
            }
            for &part in arena.parts(id) {
                self.set(part, inherited);
            }
            match arena.node(id) {
                Node::Power(base, exponent) => {
                    if let Some(number) = arena.as_number(exponent) {
                        if facts.has(Facts::SIGNED) || !number.is_integer() {
                            self.set(base, Facts::SIGNED);
                        }
                    } else {
                        let imaginary = self.facts(exponent).has(Facts::IMAGINARY);
                        self.set(
                            exponent,
                            if imaginary { Facts::EXPONENT | Facts::ANGLE } else { Facts::EXPONENT },
                        );
                        if !matches!(arena.node(base), Node::Constant(Constant::E)) {
                            self.set(base, Facts::SIGNED);
                            if self.facts(exponent).has(Facts::LOG) {
                                self.set(base, Facts::EXPONENT);
                            }
                        }
                    }
                }
                Node::Product(factors) if facts.has(Facts::SIGNED) => {
                    for &factor in factors {
                        self.set(factor, Facts::SIGNED);
                    }
                }
                Node::Apply(function, arguments) => {
                    let demand = match function.image() {
                        Image::Circular => Facts::ANGLE,
                        Image::Hyperbolic => Facts::EXPONENT,
                        Image::Size | Image::Logarithm => Facts::SIGNED,
                        Image::Arc => {
                            // The point on the circle contains a root.
                            let linear =
                                arguments.iter().all(|&argument| self.facts(argument).has(Facts::LINEAR));
                            self.hidden += u32::from(facts.has(Facts::ANGLE) && !linear);
                            0
                        }
                        _ => 0,
                    };
                    for &argument in arguments {
                        self.set(argument, demand);
                    }
                }
                _ => {}
            }
        }
    }

    /// Marks a whole side and its parts as an exponent or angle, for the tests of `a - b`.
    pub(crate) fn demand_root(&mut self, arena: &Arena, root: Id, flag: u16) {
        self.set(root, flag);
        if flag == Facts::EXPONENT {
            self.powers = true;
        }
        self.demand(arena);
    }

    /// Returns whether roots of constants may differ from the real roots.
    pub(crate) fn may_choose_other_roots(&self) -> bool {
        self.radicals && self.misaligned
    }

    /// Returns the binary logarithm of the number of combinations of variables' signs and parities.
    pub(crate) fn pattern_bits(&self) -> u32 {
        (self.sign_variables.len() + self.parity_variables.len()) as u32
    }

    /// Returns the number of samples. If there are up to 16 sign classes and all are equally likely, a given
    /// class is missed with a probability of about 2^-20.
    pub(crate) fn samples(&self) -> u32 {
        match self.hidden + self.pattern_bits() {
            0 if self.rational => 1,
            0 => 2,
            1 => 20,
            2 => 48,
            3 => 104,
            4 => 215,
            _ => 400,
        }
    }

    /// Returns `k` such that the probability of a wrong "equal" is about `2^-k` or less over the choice of
    /// the sample values.
    pub(crate) fn error_bits(&self, samples: u32) -> u32 {
        let degree_bits = 64 - self.total_degree.max(1).leading_zeros();
        let single = 59u32.saturating_sub(degree_bits);
        if self.hidden == 0 {
            return if self.pattern_bits() == 0 { single.saturating_mul(samples).min(100) } else { single };
        }
        // The other risk is that all samples miss a sign class. Each class has this share of the samples.
        let share = libm::pow(2.0, -f64::from(self.hidden + self.pattern_bits()));
        let missed = -f64::from(samples) * libm::log2(1.0 - share);
        single.min(missed as u32)
    }
}

/// Returns whether an expression contains a function that may be constant on an interval.
///
/// The expression may then be 0 on this interval, which samples in the field do not reveal.
fn may_vanish_somewhere(arena: &Arena, id: Id) -> bool {
    arena.any(id, |node| match node {
        Node::Apply(function, _) => function.image() == Image::Plain && !arena.is_constant(id),
        Node::Call(..) => true,
        _ => false,
    })
}

/// Returns whether all prime factors of a number are squares modulo each prime of [`super::prime`].
fn is_aligned(number: &Rational) -> bool {
    let Some((n, d)) = number.to_small() else { return false };
    n != 0
        && [n.unsigned_abs(), d.unsigned_abs()].into_iter().all(|mut rest| {
            for prime in SQUARES {
                while rest.is_multiple_of(prime) {
                    rest /= prime;
                }
            }
            rest == 1
        })
}
