//! Evaluation of all nodes for one sample, in three rings that are called worlds.
//!
//! The *value* world is `GF(p)`, or `GF(p²)` if `i` occurs. The *exponent* world is the integers modulo `q`,
//! and the *angle* world is the integers modulo `h`. All of them preserve rational operations. Other parts of
//! an exponent or an angle are atoms in its world. An atom depends on the value of the part, so equal values
//! have equal images.

use super::modular::{Modulus, scramble};
use super::plan::{Facts, Plan};
use super::prime::{Complex, Prime};
use crate::evaluate::constant_sign;
use crate::expr::{Arena, Constant, Function, Id, Node, Symbol, Symbols};
use crate::functions::ValueSigns;
use crate::number::Rational;

/// Reasons why a sample gives no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// A part has no real value in this sample, or a sign is impossible, so another sample is needed.
    NotHere,
    /// A part has no real value for these signs and parities of the variables.
    Excluded,
    /// A part has a pole, such as a division by zero or a logarithm of zero.
    Pole,
    /// A constant has no image for this prime, or the image has the wrong sign, so another prime is needed.
    OtherPrime,
    /// An expression has no image in the field.
    Unfit,
}

/// The value for an unknown sign.
pub(crate) const UNKNOWN: i8 = 2;

/// Buffers that are reused between comparisons.
#[derive(Default, Debug)]
pub(crate) struct Space {
    pub(crate) values: Vec<Complex>,
    pub(crate) exponents: Vec<u64>,
    pub(crate) angles: Vec<u64>,
    pub(crate) signs: Vec<i8>,
    pub(crate) parities: Vec<u8>,
    /// The images of the variables, by symbol.
    pub(crate) variables: Vec<Variable>,
}

/// The images of one variable.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Variable {
    pub(crate) value: u64,
    pub(crate) exponent: u64,
    pub(crate) angle: u64,
    /// The logarithm of the absolute value, modulo `q`.
    pub(crate) logarithm: u64,
    pub(crate) sign: i8,
    pub(crate) odd: bool,
}

/// The assumptions about the variables.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Assumptions {
    /// Variables that are never negative.
    pub(crate) nonnegative: Symbols,
    /// Variables that are never positive.
    pub(crate) nonpositive: Symbols,
    /// Variables that take only integer values.
    pub(crate) integers: Symbols,
    /// True if roots and logarithms of negative numbers have their principal complex values.
    pub(crate) complex: bool,
}

/// The three worlds, whose scalars are integers modulo a prime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum World {
    Value,
    Exponent,
    Angle,
}

/// The evaluation of one sample.
pub(crate) struct Sample<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) prime: &'a Prime,
    pub(crate) plan: &'a Plan,
    pub(crate) space: &'a mut Space,
    pub(crate) ranks: &'a [u8],
    pub(crate) seed: u64,
    pub(crate) assumptions: Assumptions,
}

/// Tags of the atoms, which make different functions of the same argument independent.
pub(crate) mod tag {
    pub(crate) const PI: u64 = 1;
    pub(crate) const EULER_GAMMA: u64 = 2;
    pub(crate) const E: u64 = 3;
    pub(crate) const LOGARITHM: u64 = 4;
    pub(crate) const KEYED: u64 = 5;
    pub(crate) const GAMMA: u64 = 6;
    pub(crate) const FUNCTION: u64 = 100;
    pub(crate) const CALL: u64 = 1000;
}

impl<'a> Sample<'a> {
    /// Draws the variables and evaluates every node of the plan.
    ///
    /// The bits of `pattern` are the deciding signs and parities of the variables. With `again`, constants
    /// keep their values from the previous sample, which must have used the same prime and plan.
    pub(crate) fn run(&mut self, number: u64, pattern: u64, again: bool) -> Result<(), Stop> {
        let (arena, plan) = (self.arena, self.plan);
        let nodes = arena.len();
        if !again {
            self.space.values.resize(nodes.max(self.space.values.len()), Complex::default());
            self.space.exponents.resize(nodes.max(self.space.exponents.len()), 0);
            self.space.angles.resize(nodes.max(self.space.angles.len()), 0);
            self.space.signs.resize(nodes.max(self.space.signs.len()), UNKNOWN);
            self.space.parities.resize(nodes.max(self.space.parities.len()), 2);
        }
        self.space.variables.clear();
        let draw = scramble(self.seed, number.wrapping_add(0x51_7C));
        for &id in &plan.order {
            let facts = plan.facts(id);
            if again && facts.has(Facts::CONSTANT) {
                continue;
            }
            if let Node::Symbol(symbol) = arena.node(id) {
                self.draw(symbol, draw, pattern);
            }
            let value = self.value(id)?;
            self.space.values[id.index()] = value;
            if plan.signed {
                let sign = self.known_sign(id);
                self.space.signs[id.index()] = sign;
                // The character of an aligned part is its sign by construction.
                let checked = facts.has(Facts::SIGNED) && !facts.has(Facts::ALIGNED);
                if checked && sign != UNKNOWN && value.im == 0 && value.re != 0 {
                    let character = self.prime.p.character(value.re);
                    if character != sign {
                        return Err(if facts.has(Facts::CONSTANT) {
                            Stop::OtherPrime
                        } else {
                            Stop::NotHere
                        });
                    }
                }
            }
            if plan.parity || !plan.integers.is_empty() {
                self.space.parities[id.index()] = self.parity(id);
            }
            if facts.has(Facts::EXPONENT) {
                let scalar = self.scalar(World::Exponent, id)?;
                self.space.exponents[id.index()] = scalar;
            }
            if facts.has(Facts::ANGLE) {
                let scalar = self.scalar(World::Angle, id)?;
                self.space.angles[id.index()] = scalar;
            }
        }
        Ok(())
    }

    fn draw(&mut self, symbol: Symbol, draw: u64, pattern: u64) {
        let rank = self.ranks.get(symbol.index()).map_or(symbol.index() as u64, |&rank| u64::from(rank));
        let word = scramble(draw, 0xCBF2_9CE4_8422_2325 ^ rank);
        let assumed = self.assumptions;
        let bit = |set: Symbols, from: usize| {
            set.contains(symbol).then(|| pattern >> (from + set.before(symbol)).min(63) & 1 == 1)
        };
        let signs = self.plan.sign_variables;
        let negative = match (assumed.nonnegative.contains(symbol), assumed.nonpositive.contains(symbol)) {
            (true, _) => false,
            (_, true) => true,
            _ => bit(signs, 0).unwrap_or(word & 1 == 1),
        };
        let odd = bit(self.plan.parity_variables, signs.len()).unwrap_or(word & 2 != 0);
        let signed =
            |modulus: &Modulus, magnitude: u64| if negative { modulus.neg(magnitude) } else { magnitude };
        let (p, q, h) = (&self.prime.p, &self.prime.q, &self.prime.h);
        let mut variable = Variable { sign: if negative { -1 } else { 1 }, odd, ..Variable::default() };
        if self.plan.powers {
            let logarithm = scramble(word, 11) % q.m;
            variable.logarithm = q.form(logarithm);
            variable.value = signed(p, self.prime.exp(logarithm));
            let root = q.form(scramble(word, 12));
            variable.exponent = signed(q, q.mul(root, root));
        } else {
            let root = p.form(scramble(word, 13));
            variable.value = signed(p, p.mul(root, root));
        }
        let root = h.form(scramble(word, 14));
        variable.angle = signed(h, h.mul(root, root));
        let at = symbol.index();
        if self.space.variables.len() <= at {
            self.space.variables.resize(at + 1, Variable::default());
        }
        self.space.variables[at] = variable;
    }

    // ---- access -------------------------------------------------------------------------------------------

    #[inline]
    pub(crate) fn value_of(&self, id: Id) -> Complex {
        self.space.values.get(id.index()).copied().unwrap_or_default()
    }

    /// Returns the value, or an error if it is not real.
    #[inline]
    pub(crate) fn real_of(&self, id: Id) -> Result<u64, Stop> {
        let value = self.value_of(id);
        if value.im == 0 { Ok(value.re) } else { Err(Stop::Unfit) }
    }

    #[inline]
    pub(crate) fn scalar_of(&self, world: World, id: Id) -> u64 {
        match world {
            World::Value => self.value_of(id).re,
            World::Exponent => self.space.exponents.get(id.index()).copied().unwrap_or(0),
            World::Angle => self.space.angles.get(id.index()).copied().unwrap_or(0),
        }
    }

    #[inline]
    pub(crate) fn modulus(&self, world: World) -> &'a Modulus {
        match world {
            World::Value => &self.prime.p,
            World::Exponent => &self.prime.q,
            World::Angle => &self.prime.h,
        }
    }

    pub(crate) fn variable(&self, symbol: Symbol) -> Variable {
        self.space.variables.get(symbol.index()).copied().unwrap_or_default()
    }

    /// Returns the image of an exact number in a world.
    pub(crate) fn number(&self, world: World, number: &Rational) -> Result<u64, Stop> {
        let modulus = self.modulus(world);
        if let Some((n, d)) = number.to_small() {
            let n = modulus.form_signed(n);
            if d == 1 {
                return Ok(n);
            }
            if d == 2 {
                return Ok(modulus.mul(n, modulus.form(modulus.m.div_ceil(2))));
            }
            return modulus
                .inverse(modulus.form_signed(d))
                .map(|d| modulus.mul(n, d))
                .ok_or(Stop::OtherPrime);
        }
        number.mod_p(modulus.m).map(|plain| modulus.form(plain)).ok_or(Stop::OtherPrime)
    }

    /// Returns a pseudo-random square in a world, which depends only on the seed and the words.
    pub(crate) fn atom(&self, world: World, words: &[u64]) -> u64 {
        let mut word = scramble(self.seed, 0xA70_3A70 + world as u64);
        for &next in words {
            word = scramble(word, next);
        }
        let modulus = self.modulus(world);
        let root = modulus.form(word);
        modulus.mul(root, root)
    }

    /// Returns the sign of a real value, which is its quadratic character. For a constant, checks it against the true sign.
    pub(crate) fn sign(&self, id: Id) -> Result<i8, Stop> {
        let value = self.real_of(id)?;
        if value == 0 {
            return Ok(0);
        }
        if self.plan.signed
            && self.plan.facts(id).has(Facts::ALIGNED)
            && let Some(&known) = self.space.signs.get(id.index())
            && known != UNKNOWN
        {
            return Ok(known);
        }
        let character = self.prime.p.character(value);
        if self.plan.facts(id).has(Facts::CONSTANT) {
            // The sign of a constant is fixed, so a prime that gives the wrong sign cannot be used.
            return match constant_sign(self.arena, id) {
                Some(sign) if sign == i32::from(character) => Ok(character),
                Some(_) => Err(Stop::OtherPrime),
                None => Err(Stop::Unfit),
            };
        }
        Ok(character)
    }

    /// Returns the decision of a piecewise function, such as an absolute value or a maximum, as one bit: the sign of its
    /// argument, or the argument whose value it has.
    pub(crate) fn decision(&self, id: Id) -> u32 {
        match self.arena.node(id) {
            Node::Apply(Function::Abs | Function::Sign, &[argument]) => {
                match self.prime.p.character(self.value_of(argument).re) {
                    1 => 1,
                    -1 => 2,
                    _ => 0,
                }
            }
            Node::Apply(_, arguments) => {
                let value = self.value_of(id);
                arguments
                    .iter()
                    .take(16)
                    .position(|&part| self.value_of(part) == value)
                    .map_or(0, |at| 1 << at)
            }
            _ => 0,
        }
    }

    /// Returns the reason why a real value is missing at a node.
    ///
    /// If the signs of the variables determine its sign, other samples with these signs lack a value too.
    pub(crate) fn missing(&self, id: Id) -> Stop {
        let facts = self.plan.facts(id);
        if facts.has(Facts::SIGN_KNOWN) && facts.has(Facts::SIGNED) { Stop::Excluded } else { Stop::NotHere }
    }

    // ---- signs and parities that follow from the structure ------------------------------------------------

    fn known_sign(&self, id: Id) -> i8 {
        let sign = |id: Id| self.space.signs.get(id.index()).copied().unwrap_or(UNKNOWN);
        let (arena, facts) = (self.arena, self.plan.facts(id));
        match arena.node(id) {
            Node::Number(number) => number.signum() as i8,
            Node::Constant(Constant::I) => UNKNOWN,
            Node::Constant(_) => 1,
            Node::Symbol(symbol) => self.variable(symbol).sign,
            _ if facts.has(Facts::IMAGINARY) => UNKNOWN,
            _ if facts.has(Facts::CONSTANT) && facts.has(Facts::SIGNED) => {
                constant_sign(arena, id).map_or(UNKNOWN, |sign| sign as i8)
            }
            Node::Sum(terms) => {
                let mut all = 0;
                for &term in terms {
                    let term = sign(term);
                    if term == UNKNOWN || all * term < 0 {
                        return UNKNOWN;
                    }
                    all = if term == 0 { all } else { term };
                }
                all
            }
            Node::Product(factors) => {
                let mut all = 1;
                for &factor in factors {
                    let factor = sign(factor);
                    if factor == UNKNOWN {
                        return UNKNOWN;
                    }
                    all *= factor;
                }
                all
            }
            Node::Power(base, exponent) => {
                let of_base = sign(base);
                if of_base == 1 {
                    return 1;
                }
                match arena.as_number(exponent) {
                    Some(number) if number.has_even_numerator() || number.has_even_denominator() => 1,
                    Some(_) => of_base,
                    None => match self.space.parities.get(exponent.index()) {
                        Some(0) if of_base == -1 => 1,
                        Some(1) if of_base == -1 => -1,
                        _ => UNKNOWN,
                    },
                }
            }
            Node::Apply(function, arguments) => match (function.sign(), arguments) {
                (ValueSigns::NotNegative, _) => 1,
                (ValueSigns::OfArgument, &[argument]) => match (sign(argument), self.value_of(argument)) {
                    (UNKNOWN, Complex { re, im: 0 }) => self.prime.p.character(re),
                    (known, _) => known,
                },
                _ => UNKNOWN,
            },
            _ => UNKNOWN,
        }
    }

    /// Returns the parity of a node: 0 for even, 1 for odd, 2 if it is not known. Variables count as
    /// integers.
    fn parity(&self, id: Id) -> u8 {
        let parity = |id: Id| self.space.parities.get(id.index()).copied().unwrap_or(2);
        match self.arena.node(id) {
            Node::Number(number) if number.is_integer() => u8::from(!number.has_even_numerator()),
            Node::Symbol(symbol) => u8::from(self.variable(symbol).odd),
            Node::Sum(terms) => {
                let mut odd = 0;
                for &term in terms {
                    match parity(term) {
                        2 => return 2,
                        term => odd ^= term,
                    }
                }
                odd
            }
            Node::Product(factors) => {
                let mut odd = 1;
                for &factor in factors {
                    match parity(factor) {
                        2 => return 2,
                        factor => odd &= factor,
                    }
                }
                odd
            }
            Node::Power(base, exponent) if self.arena.as_integer(exponent).is_some_and(|n| n > 0) => {
                parity(base)
            }
            _ => 2,
        }
    }

    // ---- scalars of the exponent and angle worlds ---------------------------------------------------------

    /// Returns the image of a node in the exponent or angle world. Both worlds preserve rational operations
    /// and the laws of logarithms.
    fn scalar(&self, world: World, id: Id) -> Result<u64, Stop> {
        let modulus = self.modulus(world);
        Ok(match self.arena.node(id) {
            Node::Number(number) => self.number(world, number)?,
            Node::Symbol(symbol) => self.variable_in(world, symbol),
            Node::Constant(Constant::Pi) => self.atom(world, &[tag::PI]),
            Node::Constant(Constant::E) => self.atom(world, &[tag::E]),
            Node::Constant(Constant::EulerGamma) => self.atom(world, &[tag::EULER_GAMMA]),
            // `walks` splits parts with i, so their scalars are never read.
            _ if self.plan.facts(id).has(Facts::IMAGINARY) => 0,
            Node::Sum(terms) => {
                terms.iter().fold(0, |sum, &term| modulus.add(sum, self.scalar_of(world, term)))
            }
            Node::Product(factors) => {
                let natural = factors.iter().all(|&factor| {
                    let facts = self.plan.facts(factor);
                    facts.has(Facts::RATIONAL)
                        || facts.has(Facts::LOG)
                        || matches!(self.arena.node(factor), Node::Constant(_))
                });
                if natural {
                    return Ok(factors
                        .iter()
                        .fold(modulus.one, |all, &factor| modulus.mul(all, self.scalar_of(world, factor))));
                }
                // The coefficient is split off, so multiples of the same term can be added.
                match factors.iter().find_map(|&factor| self.arena.as_number(factor)) {
                    Some(number) if !number.is_zero() => {
                        let here = self.number(World::Value, number)?;
                        let here = self.prime.p.inverse(here).ok_or(Stop::OtherPrime)?;
                        let rest = self.prime.p.mul(self.real_of(id)?, here);
                        modulus.mul(self.number(world, number)?, self.keyed(world, id, rest))
                    }
                    _ => self.keyed(world, id, self.real_of(id)?),
                }
            }
            Node::Power(base, exponent)
                if self.plan.facts(base).has(Facts::RATIONAL) || self.plan.facts(base).has(Facts::LOG) =>
            {
                match self.arena.as_integer(exponent) {
                    Some(n) => {
                        let power = modulus.pow(self.scalar_of(world, base), n.unsigned_abs());
                        if n < 0 { modulus.inverse(power).ok_or(Stop::NotHere)? } else { power }
                    }
                    None => self.keyed(world, id, self.real_of(id)?),
                }
            }
            Node::Apply(Function::Ln, &[argument]) => self.logarithm(world, argument)?,
            _ => self.keyed(world, id, self.real_of(id)?),
        })
    }

    pub(crate) fn variable_in(&self, world: World, symbol: Symbol) -> u64 {
        let variable = self.variable(symbol);
        match world {
            World::Value => variable.value,
            World::Exponent => variable.exponent,
            World::Angle => variable.angle,
        }
    }

    /// Returns an atom for a value, as an odd function of the value.
    ///
    /// If the value is plus or minus that of a variable, the atom is plus or minus the image of this
    /// variable.
    fn keyed(&self, world: World, id: Id, value: u64) -> u64 {
        let (p, modulus) = (&self.prime.p, self.modulus(world));
        for symbol in self.arena.free(id).iter() {
            let variable = self.variable(symbol);
            if variable.value == value {
                return self.variable_in(world, symbol);
            }
            if p.neg(variable.value) == value {
                return modulus.neg(self.variable_in(world, symbol));
            }
        }
        match p.character(value) {
            0 => 0,
            1 => self.atom(world, &[tag::KEYED, value]),
            _ => modulus.neg(self.atom(world, &[tag::KEYED, p.neg(value)])),
        }
    }

    /// Returns `ln |id|` in a world, as a sum over factors, powers, exponentials, variables and small prime
    /// factors.
    pub(crate) fn logarithm(&self, world: World, id: Id) -> Result<u64, Stop> {
        let modulus = self.modulus(world);
        let mut total = 0;
        let mut work: smallvec::SmallVec<[(u64, Id); 8]> = smallvec::smallvec![(modulus.one, id)];
        while let Some((factor, id)) = work.pop() {
            match self.arena.node(id) {
                Node::Product(factors) => work.extend(factors.iter().map(|&part| (factor, part))),
                Node::Power(base, exponent) => {
                    let scalar = match self.arena.as_number(exponent) {
                        Some(number) => self.number(world, number)?,
                        None => {
                            if self.value_of(exponent).im != 0 {
                                return Err(Stop::Unfit);
                            }
                            self.scalar_or_key(world, exponent)?
                        }
                    };
                    work.push((modulus.mul(factor, scalar), base));
                }
                Node::Apply(Function::Abs, &[argument]) if self.value_of(argument).im == 0 => {
                    work.push((factor, argument));
                }
                Node::Constant(Constant::E) => total = modulus.add(total, factor),
                Node::Symbol(symbol) => {
                    let logarithm = match world {
                        World::Exponent => self.variable(symbol).logarithm,
                        _ => {
                            // Logarithms of numbers below 1 are negative, so the atom gets either sign.
                            let logarithm = self.variable(symbol).logarithm;
                            let atom = self.atom(world, &[tag::LOGARITHM, logarithm]);
                            if scramble(logarithm, tag::LOGARITHM) & 1 == 1 {
                                modulus.neg(atom)
                            } else {
                                atom
                            }
                        }
                    };
                    total = modulus.add(total, modulus.mul(factor, logarithm));
                }
                Node::Number(number) => {
                    let logarithm = self.logarithm_of_number(world, number)?;
                    total = modulus.add(total, modulus.mul(factor, logarithm));
                }
                _ => {
                    let logarithm = self.logarithm_of_value(world, self.real_of(id)?)?;
                    total = modulus.add(total, modulus.mul(factor, logarithm));
                }
            }
        }
        Ok(total)
    }

    /// Returns the scalar of a node in a world, or an atom if the plan does not evaluate the node in this
    /// world.
    fn scalar_or_key(&self, world: World, id: Id) -> Result<u64, Stop> {
        let planned = match world {
            World::Value => true,
            World::Exponent => self.plan.facts(id).has(Facts::EXPONENT),
            World::Angle => self.plan.facts(id).has(Facts::ANGLE),
        };
        if planned { Ok(self.scalar_of(world, id)) } else { Ok(self.keyed(world, id, self.real_of(id)?)) }
    }

    /// Returns the logarithm of a value's magnitude: 0 for 1, otherwise an atom. Reciprocals have opposite
    /// logarithms.
    pub(crate) fn logarithm_of_value(&self, world: World, value: u64) -> Result<u64, Stop> {
        let (p, modulus) = (&self.prime.p, self.modulus(world));
        let value = if p.character(value) < 0 { p.neg(value) } else { value };
        if value == p.one {
            return Ok(0);
        }
        let inverse = p.inverse(value).ok_or(Stop::Pole)?;
        Ok(if value < inverse {
            self.atom(world, &[tag::LOGARITHM, 1, value])
        } else {
            modulus.neg(self.atom(world, &[tag::LOGARITHM, 1, inverse]))
        })
    }

    fn logarithm_of_number(&self, world: World, number: &Rational) -> Result<u64, Stop> {
        let modulus = self.modulus(world);
        let Some((n, d)) = number.to_small() else {
            return self.logarithm_of_value(world, self.number(World::Value, number)?);
        };
        if n == 0 {
            return Err(Stop::Pole);
        }
        let mut total = 0;
        for (mut rest, above) in [(n.unsigned_abs(), true), (d.unsigned_abs(), false)] {
            let mut add = |prime: u64, times: u64| {
                let atom = modulus.mul(modulus.form(times), self.atom(world, &[tag::LOGARITHM, 2, prime]));
                total = if above { modulus.add(total, atom) } else { modulus.sub(total, atom) };
            };
            let mut divisor = 2;
            while divisor * divisor <= rest && divisor < 1000 {
                let mut times = 0;
                while rest.is_multiple_of(divisor) {
                    rest /= divisor;
                    times += 1;
                }
                if times > 0 {
                    add(divisor, times);
                }
                divisor += 1 + divisor % 2;
            }
            if rest > 1 {
                add(rest, 1);
            }
        }
        Ok(total)
    }
}
