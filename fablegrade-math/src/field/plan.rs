//! What an expression needs of the field: which nodes, in which worlds, and which signs decide.

use crate::expr::{Arena, Constant, Function, Id, Node, Symbols};

/// Facts about one node that do not depend on the sample.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Facts(u16);

impl Facts {
    /// Its value modulo `q` is needed (it is part of an exponent).
    pub(crate) const EXPONENT: u16 = 1;
    /// Its value modulo `h` is needed (it is part of an angle).
    pub(crate) const ANGLE: u16 = 1 << 1;
    /// The character must equal the sign where the sign is known.
    pub(crate) const SIGNED: u16 = 1 << 2;
    /// A logarithm occurs linearly.
    pub(crate) const LOG: u16 = 1 << 3;
    /// An inverse trigonometric function occurs linearly.
    pub(crate) const ARC: u16 = 1 << 4;
    /// The imaginary unit occurs.
    pub(crate) const IMAGINARY: u16 = 1 << 5;
    /// Built from numbers, variables, sums, products and integer powers alone.
    pub(crate) const RATIONAL: u16 = 1 << 6;
    /// Depends on no variable.
    pub(crate) const CONSTANT: u16 = 1 << 7;

    #[inline]
    pub(crate) fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    #[inline]
    fn set(&mut self, flag: u16) {
        self.0 |= flag;
    }
}

/// What is to be evaluated and how often.
#[derive(Default, Debug)]
pub(crate) struct Plan {
    /// Nodes, children before parents.
    pub(crate) order: Vec<Id>,
    /// By position in the arena.
    pub(crate) facts: Vec<Facts>,
    degree: Vec<u64>,
    seen: Vec<bool>,
    /// Number of sign decisions that two samples can take differently.
    pub(crate) classes: u32,
    structural: u32,
    /// Both sides are rational functions.
    pub(crate) rational: bool,
    /// A root or logarithm of a constant occurs, whose conjugates another prime may choose better.
    pub(crate) radicals: bool,
    /// An exponent that is not constant, a logarithm or an exponential: variables need known logarithms.
    pub(crate) powers: bool,
    /// A sign may matter, so the known signs are worth computing.
    pub(crate) signed: bool,
    /// Powers with a variable exponent, where a negative base needs a parity.
    pub(crate) parity: bool,
    /// Variables that can only be integers, since they are the exponent of a negative number.
    pub(crate) integers: Symbols,
    /// Bound of the degree as a rational function of the independent quantities.
    pub(crate) total_degree: u64,
}

/// Why an expression has no image in the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unfit;

impl Plan {
    /// Analyses both sides. `difference` asks for the worlds of exponents (logarithms) or angles of the roots too.
    pub(crate) fn make(&mut self, arena: &Arena, a: Id, b: Id, integers: Symbols) -> Result<(), Unfit> {
        arena.reachable(&[a, b], &mut self.seen, &mut self.order);
        self.facts.clear();
        self.facts.resize(arena.len(), Facts::default());
        self.degree.clear();
        self.degree.resize(arena.len(), 0);
        self.structural = 0;
        self.rational = true;
        self.radicals = false;
        self.powers = false;
        self.signed = false;
        self.parity = false;
        self.integers = integers;
        self.describe(arena)?;
        self.rational = self.facts(a).has(Facts::RATIONAL) && self.facts(b).has(Facts::RATIONAL);
        self.demand(arena);
        self.total_degree = self.degree_of(a).saturating_add(self.degree_of(b));
        Ok(())
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

    fn degree_of(&self, id: Id) -> u64 {
        self.degree.get(id.index()).copied().unwrap_or(0)
    }

    /// Bottom-up facts.
    fn describe(&mut self, arena: &Arena) -> Result<(), Unfit> {
        for at in 0..self.order.len() {
            let id = self.order[at];
            let mut facts = Facts::default();
            if arena.is_constant(id) {
                facts.set(Facts::CONSTANT);
            }
            let mut degree = 0u64;
            match arena.node(id) {
                Node::Number(_) => facts.set(Facts::RATIONAL),
                Node::Symbol(_) => {
                    facts.set(Facts::RATIONAL);
                    degree = 1;
                }
                Node::Constant(Constant::I) => facts.set(Facts::IMAGINARY),
                Node::Constant(Constant::Infinity | Constant::ComplexInfinity | Constant::Undefined) => {
                    return Err(Unfit);
                }
                Node::Constant(_) => degree = 1,
                Node::Sum(parts) | Node::Product(parts) => {
                    let sum = matches!(arena.node(id), Node::Sum(_));
                    facts.set(Facts::RATIONAL);
                    for &part in parts {
                        let of = self.facts(part);
                        facts.0 |= of.0 & (Facts::LOG | Facts::ARC | Facts::IMAGINARY);
                        if !of.has(Facts::RATIONAL) {
                            facts.0 &= !Facts::RATIONAL;
                        }
                        let part = self.degree_of(part);
                        degree = if sum { degree.max(part) } else { degree.saturating_add(part) };
                    }
                }
                Node::Power(base, exponent) => {
                    let (b, e) = (self.facts(base), self.facts(exponent));
                    facts.0 |= (b.0 | e.0) & Facts::IMAGINARY;
                    let inner = self.degree_of(base).max(1);
                    if let Some(number) = arena.as_number(exponent) {
                        let (n, d) = number.to_small().ok_or(Unfit)?;
                        degree = inner.saturating_mul(n.unsigned_abs()).saturating_mul(d.unsigned_abs());
                        if d == 1 {
                            facts.0 |= b.0 & Facts::RATIONAL;
                        } else {
                            self.signed = true;
                            if b.has(Facts::CONSTANT) {
                                self.radicals = true;
                            } else if self.degree_of(base) > 1 || d % 2 != 0 {
                                // A radicand of degree 1 has no square factor whose sign could hide in the root.
                                self.structural += 1;
                            }
                        }
                    } else {
                        degree = inner.saturating_add(self.degree_of(exponent)).saturating_add(1);
                        self.powers = true;
                        if matches!(arena.node(base), Node::Constant(Constant::E)) {
                            facts.0 |= 0;
                        } else {
                            self.signed = true;
                            if e.has(Facts::CONSTANT) && b.has(Facts::CONSTANT) {
                                self.radicals = true;
                            }
                            if !e.has(Facts::CONSTANT) {
                                self.parity = true;
                                if arena
                                    .as_number(base)
                                    .is_none_or(super::super::number::Rational::is_negative)
                                {
                                    self.structural += 1;
                                }
                                if arena
                                    .as_number(base)
                                    .is_some_and(super::super::number::Rational::is_negative)
                                {
                                    self.integers = self.integers.union(arena.free(exponent));
                                }
                            }
                        }
                    }
                }
                Node::Apply(function, arguments) => {
                    for &argument in arguments {
                        let of = self.facts(argument);
                        facts.0 |= of.0 & Facts::IMAGINARY;
                        degree = degree.saturating_add(self.degree_of(argument));
                    }
                    degree = degree.saturating_mul(2).saturating_add(1);
                    match function {
                        Function::Ln | Function::Asinh | Function::Acosh | Function::Atanh => {
                            facts.set(Facts::LOG);
                            self.powers = true;
                            // The root inside may hide a sign.
                            let root = matches!(function, Function::Asinh | Function::Acosh);
                            self.structural += u32::from(root && !facts.has(Facts::CONSTANT));
                            self.radicals |= facts.has(Facts::CONSTANT);
                        }
                        Function::Asin | Function::Acos | Function::Atan => {
                            facts.set(Facts::ARC);
                            self.radicals |= facts.has(Facts::CONSTANT);
                        }
                        Function::Sinh | Function::Cosh | Function::Tanh => self.powers = true,
                        Function::Abs | Function::Sign | Function::Min | Function::Max => {
                            self.signed = true;
                            if facts.has(Facts::CONSTANT) {
                                self.radicals = true;
                            } else {
                                self.structural += 1;
                            }
                        }
                        _ => {}
                    }
                }
                Node::Call(_, arguments) => {
                    for &argument in arguments {
                        facts.0 |= self.facts(argument).0 & Facts::IMAGINARY;
                        degree = degree.saturating_add(self.degree_of(argument));
                    }
                    degree = degree.saturating_add(1);
                }
                Node::Series(..) | Node::Limit(..) | Node::Derivative(..) | Node::Integral(..) => {
                    return Err(Unfit);
                }
            }
            self.facts[id.index()] = facts;
            self.degree[id.index()] = degree;
        }
        Ok(())
    }

    /// Top-down demands: a part of an exponent or an angle is one as a whole.
    fn demand(&mut self, arena: &Arena) {
        self.classes = self.structural;
        for at in (0..self.order.len()).rev() {
            let id = self.order[at];
            let facts = self.facts(id);
            let inherited = facts.0 & (Facts::EXPONENT | Facts::ANGLE);
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
                    let demand = match function {
                        Function::Sin | Function::Cos | Function::Tan => Facts::ANGLE,
                        Function::Sinh | Function::Cosh | Function::Tanh => Facts::EXPONENT,
                        Function::Abs | Function::Sign => Facts::SIGNED,
                        Function::Asin | Function::Acos | Function::Atan => {
                            // Its point on the circle holds a root.
                            let rooted = facts.has(Facts::ANGLE) && !facts.has(Facts::CONSTANT);
                            self.classes += u32::from(rooted);
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

    /// Asks for the exponents or angles of a root and all its parts, for the test of a difference.
    pub(crate) fn demand_root(&mut self, arena: &Arena, root: Id, flag: u16) {
        self.set(root, flag);
        if flag == Facts::EXPONENT {
            self.powers = true;
        }
        self.demand(arena);
    }

    /// Samples that make a missed sign class as unlikely as 2^-20 if all classes are alike.
    pub(crate) fn samples(&self) -> u32 {
        match self.classes {
            0 if self.rational => 1,
            0 => 2,
            1 => 20,
            2 => 48,
            3 => 104,
            4 => 215,
            _ => 400,
        }
    }

    /// `k` such that a wrong "equal" is less likely than `2^-k` over the choice of the sample values.
    pub(crate) fn error_bits(&self, samples: u32) -> u32 {
        let degree_bits = 64 - self.total_degree.max(1).leading_zeros();
        let single = 59u32.saturating_sub(degree_bits);
        if self.classes == 0 {
            return single.saturating_mul(samples).min(100);
        }
        // All samples missed one class of share 2^-classes.
        let share = libm::pow(2.0, -f64::from(self.classes));
        let missed = -f64::from(samples) * libm::log2(1.0 - share);
        single.min(missed as u32)
    }
}
