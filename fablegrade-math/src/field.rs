//! Identity testing by evaluation in a finite field (Schwartz–Zippel), with images of signs, roots, exponents
//! and angles.
//!
//! An expression is treated as a polynomial in variables, exponentials, points of the unit circle, roots,
//! logarithms and other functions (atoms). The only relations between these quantities are those that the
//! field preserves. Different expressions have the same value at a pseudo-random sample with a probability of
//! at most about degree/2^60. Equal expressions have the same value at every sample whose sign decisions are
//! possible for real numbers. (The quadratic character plays the role of the sign.) Samples are drawn until
//! every combination of sign decisions has almost certainly occurred.
//!
//! The field preserves `e^(a+b) = e^a e^b`, `a^u` for positive `a` and any `u`, `ln` of products and powers,
//! odd roots of negative numbers, `√(u²) = |u|`, sums of angles, multiples of π/120, `cos² + sin² = 1`,
//! functions of their inverses (`sin(arcsin x)`), odd functions, and factorials whose arguments differ by an
//! integer.
//! `docs/expressions.md` states the error bound.

mod modular;
mod plan;
mod prime;
mod sample;
#[cfg(test)]
mod tests;
mod values;
mod walks;

pub(crate) use sample::Assumptions;

use crate::expr::{Arena, Id, Symbol};
use crate::limits::{FIELD_TRIES, Fuel};
use crate::number::Rational;
use plan::{Facts, Plan};
use prime::{Complex, PRIMES, prime};
use sample::{Sample, Space, Stop};
use smallvec::{SmallVec, smallvec};
use walks::{Angle, Term};

/// The result of comparing two expressions in the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Equal wherever both have values, except with probability `2^-bits` over the samples.
    ///
    /// With `turns`, the values may differ by a multiple of 2π, which approximate values must exclude.
    Same {
        /// The number of bits of the error bound.
        bits: u32,
        /// True if angles were compared.
        turns: bool,
    },
    /// Certainly different: both are rational functions and take different values.
    Different,
    /// Not decided.
    Open,
}

/// Identity testing in a finite field, with reusable buffers.
#[derive(Default, Debug)]
pub(crate) struct Field {
    plan: Plan,
    space: Space,
    /// For each symbol, its position in the canonical order of the variables.
    ranks: Vec<u8>,
}

/// The equation that a run tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    /// `a = b`
    Values,
    /// `e^(a-b) = 1`
    Exponentials,
    /// `e^(i(a-b)) = 1`
    Angles,
}

/// The result of one run over all samples.
enum Run {
    Same(u32),
    Unequal,
    OtherPrime,
    Open,
}

impl Field {
    /// Sets the order in which variables get their values; the default is the order of the arena.
    pub(crate) fn set_variables(&mut self, variables: impl Iterator<Item = Symbol>) {
        self.ranks.clear();
        for (rank, symbol) in variables.enumerate() {
            if self.ranks.len() <= symbol.index() {
                self.ranks.resize(symbol.index() + 1, u8::MAX);
            }
            self.ranks[symbol.index()] = rank as u8;
        }
    }

    /// Compares two expressions of one arena. `parts` are the parts of both, children before parents; `seed`
    /// should depend on both sides. `fuel` is charged for every node in every sample.
    pub(crate) fn compare(
        &mut self,
        arena: &Arena,
        [a, b]: [Id; 2],
        parts: &[Id],
        seed: u64,
        assumptions: Assumptions,
        fuel: &mut Fuel,
    ) -> Outcome {
        if self.plan.make(arena, [a, b], parts, assumptions.integers).is_err() {
            return Outcome::Open;
        }
        if self.plan.total_degree > 1 << 36 {
            return Outcome::Open;
        }
        let settled = |outcome: Outcome| outcome != Outcome::Open;
        let outcome = self.over_primes(arena, a, b, Test::Values, 1, seed, assumptions, fuel);
        if settled(outcome) || self.plan.rational {
            return outcome;
        }
        let facts = |id: Id| self.plan.facts(id);
        let either = |flag: u16| facts(a).has(flag) || facts(b).has(flag);
        let (logs, arcs, imaginary) = (either(Facts::LOG), either(Facts::ARC), either(Facts::IMAGINARY));
        // e^z = 1 does not mean z = 0 for complex z.
        if (logs || arcs) && !imaginary && !assumptions.complex {
            let (test, flag) =
                if logs { (Test::Exponentials, Facts::EXPONENT) } else { (Test::Angles, Facts::ANGLE) };
            self.plan.demand_root(arena, a, flag);
            self.plan.demand_root(arena, b, flag);
            let outcome = self.over_primes(arena, a, b, test, PRIMES, seed, assumptions, fuel);
            if settled(outcome) {
                return outcome;
            }
        }
        // With another prime, the chosen conjugates of constants may be the real ones.
        self.over_primes(arena, a, b, Test::Values, PRIMES, seed, assumptions, fuel)
    }

    /// Returns whether the last comparison met a number that may be a multiple of a prime, so agreement needs
    /// confirmation.
    pub(crate) fn met_long_numbers(&self) -> bool {
        self.plan.long_numbers
    }

    /// Returns whether the last comparison chose roots of constants that may differ from the real roots.
    pub(crate) fn chose_roots(&self) -> bool {
        self.plan.may_choose_other_roots()
    }

    /// Returns whether both sides of the last comparison were rational functions.
    pub(crate) fn was_rational(&self) -> bool {
        self.plan.rational
    }

    #[allow(clippy::too_many_arguments)]
    fn over_primes(
        &mut self,
        arena: &Arena,
        a: Id,
        b: Id,
        test: Test,
        primes: usize,
        seed: u64,
        assumptions: Assumptions,
        fuel: &mut Fuel,
    ) -> Outcome {
        let first = (seed >> 32) as usize;
        for at in 0..primes {
            match self.over_samples(arena, a, b, test, seed, assumptions, first.wrapping_add(at), fuel) {
                Run::Same(bits) => return Outcome::Same { bits, turns: test == Test::Angles },
                Run::Unequal if self.plan.rational => return Outcome::Different,
                Run::Unequal if self.plan.radicals => {}
                Run::OtherPrime => {}
                Run::Unequal | Run::Open => return Outcome::Open,
            }
        }
        Outcome::Open
    }

    /// Draws samples in one prime field until the sides differ, enough samples agree, or the attempts or the
    /// fuel run out.
    ///
    /// This function is long because it is one loop whose counters depend on each other.
    #[allow(clippy::too_many_arguments)]
    fn over_samples(
        &mut self,
        arena: &Arena,
        a: Id,
        b: Id,
        test: Test,
        seed: u64,
        assumptions: Assumptions,
        at: usize,
        fuel: &mut Fuel,
    ) -> Run {
        let bits = self.plan.pattern_bits();
        // If the signs and parities of variables determine all decisions, one sample per combination is
        // enough.
        let by_pattern = self.plan.hidden == 0 && (1..=6).contains(&bits);
        let wanted = if by_pattern { 1 << bits } else { self.plan.samples() };
        let attempts = if by_pattern { FIELD_TRIES << bits } else { 48 + 16 * wanted };
        let (mut valid, mut complete, mut pattern, mut tries) = (0, false, 0u64, 0);
        // The decisions that no sample has taken yet. Modulo this prime, some pieces may be impossible.
        let mut missed: SmallVec<[u32; 8]> = self.plan.deciders.iter().map(|(_, all)| *all).collect();
        for number in 0..attempts {
            if by_pattern && pattern >= u64::from(wanted) {
                let all_met = missed.iter().all(|missed| *missed == 0);
                return if valid > 0 && all_met { Run::Same(self.plan.error_bits(valid)) } else { Run::Open };
            }
            if !fuel.spend(16 + 8 * self.plan.order.len() as u64) {
                return Run::Open;
            }
            let mut sample = Sample {
                arena,
                prime: prime(at),
                plan: &self.plan,
                space: &mut self.space,
                ranks: &self.ranks,
                seed,
                assumptions,
            };
            let result = sample.run(u64::from(number), pattern, complete).and_then(|()| {
                // The constants of this prime are known from this point on.
                complete = true;
                match test {
                    Test::Values => Ok(sample.value_of(a) == sample.value_of(b)),
                    Test::Exponentials => {
                        let q = &sample.prime.q;
                        let terms = smallvec![(q.one, Term::Plain(a)), (q.neg(q.one), Term::Plain(b))];
                        sample.exponential(terms).map(|value| value == sample.prime.p.one)
                    }
                    Test::Angles => {
                        let terms = smallvec![
                            (Rational::ONE, Angle::Plain(a)),
                            (Rational::MINUS_ONE, Angle::Plain(b))
                        ];
                        sample.direction(terms).map(|point| point == Complex::real(sample.prime.p.one))
                    }
                }
            });
            let next = match result {
                Ok(true) => {
                    valid += 1;
                    for (missed, (id, _)) in missed.iter_mut().zip(&self.plan.deciders) {
                        if *missed != 0 {
                            *missed &= !sample.decision(*id);
                        }
                    }
                    if valid >= wanted && missed.iter().all(|missed| *missed == 0) {
                        return Run::Same(self.plan.error_bits(wanted));
                    }
                    if valid > 2 * wanted {
                        return Run::Open;
                    }
                    true
                }
                Ok(false) => return Run::Unequal,
                Err(Stop::Excluded) => true,
                Err(Stop::NotHere | Stop::Pole) => false,
                Err(Stop::OtherPrime) => return Run::OtherPrime,
                Err(Stop::Unfit) => return Run::Open,
            };
            tries += 1;
            if next || !by_pattern {
                pattern += 1;
                tries = 0;
            } else if tries == FIELD_TRIES {
                // Real values may exist for a combination that could not be sampled.
                return Run::Open;
            }
        }
        if by_pattern && valid > 0 && missed.iter().all(|missed| *missed == 0) {
            return Run::Same(self.plan.error_bits(valid));
        }
        Run::Open
    }
}
