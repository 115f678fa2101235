//! Comparison at every point of a small domain.
//!
//! `x²` and `x` are different polynomials but the same function on the integers from 0 to 1. Each value of
//! such a variable is substituted in turn. Then constants, or expressions in the other variables, remain to
//! be decided.

use super::{Agreement, Counts, Domains, Evidence, Judge, Proof, Undecided};
use crate::expr::{Arena, Id, Symbol};
use crate::limits::EVERY_POINT;
use crate::limits::Fuel;
use crate::number::Rational;
use crate::points::Domain;
use smallvec::SmallVec;

/// A variable and the few values it can have.
type Values = (Symbol, Vec<Rational>);

/// The variables of a comparison that have few values.
pub(super) enum Few {
    /// No variable has few values, and some have infinitely many; or there are no variables.
    Unbounded,
    /// Each variable has finitely many values, but too many to compare the sides at all of them.
    TooMany,
    /// The variables with few values, which have at most `EVERY_POINT` combinations.
    Points(Vec<Values>),
}

impl Judge {
    /// Returns the current variables that have few values.
    pub(super) fn few_values(&self) -> Few {
        let mut found: Vec<Values> = Vec::new();
        let mut points = 1u64;
        let mut too_many = false;
        for variable in &self.variables {
            let Some(count) = span(&variable.domain) else { continue };
            if count.saturating_mul(points) > EVERY_POINT {
                too_many = true;
                continue;
            }
            let values = values(&variable.domain);
            points *= (values.len() as u64).max(1);
            found.push((variable.symbol, values));
        }
        match (found.is_empty(), too_many) {
            (true, true) if self.variables.iter().all(|variable| span(&variable.domain).is_some()) => {
                Few::TooMany
            }
            (true, _) => Few::Unbounded,
            (false, _) => Few::Points(found),
        }
    }

    /// Compares the sides at every combination of the values; returns `None` if no combination gives both
    /// sides a value.
    pub(super) fn decide_at_every_point(
        &mut self,
        arena: &mut Arena,
        sides: [Id; 2],
        domains: &dyn Domains,
        few: &[Values],
        fuel: &mut Fuel,
    ) -> Option<Agreement> {
        let points: usize = few.iter().map(|(_, values)| values.len()).product();
        let mark = arena.mark();
        let mut weakest: Option<Evidence> = None;
        let mut open = None;
        let mut counts = Counts::default();
        for point in 0..points {
            let chosen = choose(few, point);
            let mut at = sides;
            for &(symbol, value) in &chosen {
                let value = arena.number(value.clone());
                at = at.map(|side| arena.substitute(side, symbol, value));
            }
            if arena.overflowed() {
                arena.truncate(&mark);
                return Some(Evidence::Undecided(Undecided::TooLarge).into());
            }
            let evidence = match self.has_no_value_at(arena, at) {
                [false, false] => Some(self.decide(arena, at[0], at[1], domains, fuel).evidence),
                [left, right] => {
                    counts.one_sided[0] |= left && !right;
                    counts.one_sided[1] |= right && !left;
                    None
                }
            };
            arena.truncate(&mark);
            match evidence {
                None => {}
                Some(Evidence::Refuted(mut witness)) => {
                    if let Some(witness) = &mut witness {
                        let place = chosen
                            .iter()
                            .map(|&(symbol, value)| (arena.name(symbol).to_owned(), value.to_f64()));
                        witness.point.extend(place);
                    }
                    return Some(Agreement::new(Evidence::Refuted(witness), counts));
                }
                Some(Evidence::Undecided(why)) => open = Some(why),
                Some(evidence) => {
                    weakest = Some(match weakest {
                        Some(known) if known.strength() <= evidence.strength() => known,
                        _ => evidence,
                    });
                }
            }
        }
        let evidence = match (open, weakest) {
            (Some(why), _) => Evidence::Undecided(why),
            (None, Some(Evidence::Proven(_))) => Evidence::Proven(Proof::EveryPoint),
            (None, weakest) => weakest?,
        };
        Some(Agreement::new(evidence, counts))
    }

    /// Returns, for each side, whether it certainly has a part without a value.
    ///
    /// A side that has variables, is complex or cannot be evaluated is judged only by its form.
    fn has_no_value_at(&mut self, arena: &Arena, sides: [Id; 2]) -> [bool; 2] {
        sides.map(|side| {
            if !arena.is_constant(side) {
                return super::has_no_value(arena, side);
            }
            self.side.compile(arena, &[side], &[]);
            if self.side.is_complex() || self.side.is_incomplete() {
                return super::has_no_value(arena, side);
            }
            self.evaluator.run(&self.side, &[]);
            self.evaluator.is_undefined(0)
        })
    }
}

/// Returns the variables' values at the point with this index.
fn choose(few: &[Values], mut point: usize) -> SmallVec<[(Symbol, &Rational); 8]> {
    let mut chosen = SmallVec::new();
    for (symbol, values) in few {
        if let Some(value) = values.get(point % values.len().max(1)) {
            chosen.push((*symbol, value));
        }
        point /= values.len().max(1);
    }
    chosen
}

/// Returns the number of values between the bounds of a domain; `None` if there are infinitely many.
fn span(domain: &Domain) -> Option<u64> {
    let (min, max) = (domain.min.as_ref()?, domain.max.as_ref()?);
    if min == max {
        return Some(1);
    }
    if !domain.integer {
        return None;
    }
    let (first, last) = (min.ceil(), max.floor());
    let distance = last.checked_sub(&first).and_then(|distance| distance.to_u64());
    Some(if last < first { 0 } else { distance.map_or(u64::MAX, |distance| distance.saturating_add(1)) })
}

/// Returns the values of a domain that are not excluded, at most `EVERY_POINT`.
fn values(domain: &Domain) -> Vec<Rational> {
    let (Some(min), Some(max)) = (&domain.min, &domain.max) else { return Vec::new() };
    let mut values = Vec::new();
    let mut value = if domain.integer { min.ceil() } else { min.clone() };
    while value <= *max && (values.len() as u64) < EVERY_POINT {
        if !domain.exclude.contains(&value) {
            values.push(value.clone());
        }
        let Some(next) = value.checked_add(&Rational::ONE) else { break };
        value = next;
    }
    values
}
