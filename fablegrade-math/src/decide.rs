//! The decision procedure in numbered stages; a stage returns if it can decide.
//!
//! 1. **Same form.** Equal nodes of the expression DAG.
//! 2. **Refute.** Evaluation in doubles with error bounds, at eight points ([`refute`]).
//! 3. **Normal form.** The same quotient of polynomials over kernels ([`crate::canonical`]) is a proof.
//! 4. **Field.** Identity testing in a finite field ([`crate::field`]), with a stated error bound.
//! 5. **More points.** Evaluation in doubles at 48 more points, and at further ones if most have no value.
//! 6. **Beside the pieces.** Points near those where an inner argument changes sign, has a pole or crosses a
//!    branch cut, found along lines ([`pieces`]) and in all variables together ([`descent`]). Agreement
//!    requires this search.
//! 7. **High precision.** Ball arithmetic until the sides differ or agree beyond chance ([`confirm`]).
//! 8. **Separation.** Algebraic constants that are closer than distinct ones can be ([`separation`]).
//! 9. **Every point.** A comparison at each point of a small domain ([`finite`]).
//!
//! `docs/expressions.md` explains the same list to users; a test compares the two.
//!
//! Points at which a part of either side has no real value are skipped, except in [`Judge::compare_domains`].
//! If `i` occurs, or no real point remains, values are complex (principal branches), and the stages have
//! another order. Work is charged to a budget that does not depend on the clock.

mod ambiguity;
mod confirm;
mod descent;
mod evidence;
mod finite;
mod inside;
mod lines;
mod met;
mod pieces;
pub(crate) mod range;
mod refute;
mod separation;
mod switches;

pub use ambiguity::Ambiguity;
pub(crate) use evidence::Agreement;
pub use evidence::{Evidence, EvidenceKind, Proof, Undecided, Witness};
use finite::Few;
use pieces::PieceSearch;
pub(crate) use range::range_of;

use crate::canonical::same_normal_form;
use crate::evaluate::{ComplexEvaluator, Evaluator, LANES, Program};
use crate::expr::{Arena, CanonicalOrder, Constant, Id, Node, Parts, Symbol, Symbols};
use crate::field::{Assumptions, Field, Outcome};
use crate::limits::{ENOUGH_VALUED, Fuel, SAMPLE_POINTS, VALUED_ROUNDS};
use crate::number::Rational;
use crate::points::{self, Domain, Points, SamplingHints, Variable};
use crate::precise::{Field as Mode, Precise};
use smallvec::SmallVec;

/// A value per variable.
type Row = SmallVec<[f64; 8]>;

/// The number of points in the first search, which is one block.
const FIRST_POINTS: usize = LANES;

/// Large coordinates at which complex values are compared.
const FAR: [f64; 12] =
    [17.0, -17.0, 41.0, -41.0, 173.0, -173.0, 1_013.0, -1_013.0, 50_021.0, -50_021.0, 3e6, -3e6];

/// The smallest number of error bits at which a test in the finite field counts as an identity.
const ENOUGH_BITS: u32 = 16;

/// The domains of declared variables, by name.
pub(crate) trait Domains {
    /// Returns the domain of a variable; `None` means all reals.
    fn domain(&self, name: &str) -> Option<&Domain>;
}

impl Domains for () {
    fn domain(&self, _: &str) -> Option<&Domain> {
        None
    }
}

/// The decision procedure, which reuses its buffers from one comparison to the next.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    field: Field,
    program: Program,
    /// The program of a single side, or of the arguments that decide between pieces.
    side: Program,
    evaluator: Evaluator,
    complex: ComplexEvaluator,
    precise: Precise,
    points: Points,
    variables: Vec<Variable>,
    symbols: Vec<Symbol>,
    order: CanonicalOrder,
    /// The parts of both sides, children before parents.
    parts: Parts,
    /// The points of the last search at which doubles did not decide.
    open: Vec<usize>,
    /// The values of the arguments that decide between pieces, at the most recently evaluated places.
    levels: Vec<[f64; LANES]>,
}

/// Counts of the outcomes at the evaluated points.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    /// The number of points at which both sides have values that may be equal.
    pub(crate) agreeing: u32,
    /// The number of points at which a part certainly has no value.
    pub(crate) undefined: u32,
    /// The number of points at which doubles do not decide, plus 1 per search that ran out of fuel.
    pub(crate) unknown: u32,
    /// For each side, whether it is undefined at some point at which the other side is not.
    pub(crate) one_sided: [bool; 2],
}

impl Judge {
    /// Compares two expressions of one arena.
    pub(crate) fn decide(
        &mut self,
        arena: &mut Arena,
        a: Id,
        b: Id,
        domains: &dyn Domains,
        fuel: &mut Fuel,
    ) -> Agreement {
        if arena.overflowed() {
            return Evidence::Undecided(Undecided::TooLarge).into();
        }
        if a == b {
            return if has_no_value(arena, a) {
                Evidence::Undecided(Undecided::NoValue).into()
            } else {
                Evidence::Proven(Proof::SameForm).into()
            };
        }
        self.list_variables(arena, a, b, domains);
        let seed = CanonicalOrder::seed(arena, &[a, b]);
        self.program.compile(arena, &[a, b], &self.symbols);
        let mut agreement = if self.program.is_complex() {
            self.decide_complex(arena, a, b, seed, fuel)
        } else {
            self.decide_real(arena, a, b, seed, fuel)
        };
        // Unless there is a proof, an identity or a counterexample, the sides are compared at every point of
        // a small domain.
        let shown = matches!(
            agreement.evidence,
            Evidence::Proven(_) | Evidence::Identity { .. } | Evidence::Refuted(Some(_))
        );
        match if shown { Few::Unbounded } else { self.few_values() } {
            Few::Unbounded => {}
            Few::TooMany if agreement.evidence == Evidence::Refuted(None) => {
                // Different functions may agree at all points of a finite domain.
                agreement.evidence = Evidence::Undecided(Undecided::OutOfFuel);
            }
            Few::TooMany => {}
            Few::Points(few) => {
                let everywhere = self.decide_at_every_point(arena, [a, b], domains, &few, fuel);
                return match everywhere {
                    // Agreement to many digits is kept if the comparison at every point is undecided.
                    Some(Agreement { evidence: Evidence::Undecided(_), .. })
                        if agreement.evidence.is_equal() =>
                    {
                        agreement
                    }
                    Some(everywhere) => everywhere,
                    None => agreement,
                };
            }
        }
        if self.program.is_complex() {
            return agreement;
        }
        if agreement.evidence.is_equal()
            && let Some(witness) = self
                .refute_at_fractions(arena, a, b, seed, fuel)
                .or_else(|| self.refute_at_ends(arena, [a, b], (seed, domains), fuel))
        {
            agreement.evidence = Evidence::Refuted(Some(witness));
        }
        agreement
    }

    /// Decides over the reals.
    ///
    /// This function is long because it contains the stages from 2 to 8.
    fn decide_real(&mut self, arena: &mut Arena, a: Id, b: Id, seed: u64, fuel: &mut Fuel) -> Agreement {
        // 2. Counterexamples at a few points.
        let hints = SamplingHints::of_parts(arena, &[a, b], &self.parts);
        self.points.draw(&self.variables, &hints, seed, FIRST_POINTS);
        let mut counts = Counts::default();
        if let Some(witness) = self.refute(arena, Mode::Real, &mut counts, fuel) {
            return Agreement::new(Evidence::Refuted(Some(witness)), counts);
        }
        if let Some(witness) = self.compare_domains(arena, &mut counts, fuel) {
            return Agreement::new(Evidence::Refuted(Some(witness)), counts);
        }
        // If the fuel did not suffice for a comparison in doubles, no point agrees, and the evaluator still
        // holds the values of the previous pair.
        if self.variables.is_empty() && counts.agreeing > 0 && self.are_inseparable_in_doubles(arena, [a, b])
        {
            // 8. Separation, if doubles are precise enough.
            return Agreement::new(Evidence::Proven(Proof::Separation), counts);
        }
        // 3. Normal form.
        let same = same_normal_form(arena, [a, b], fuel);
        if same && counts.agreeing > 0 {
            return Agreement::new(Evidence::Proven(Proof::NormalForm), counts);
        }
        let identity = |bits| {
            if same { Evidence::Proven(Proof::NormalForm) } else { Evidence::Identity { error_bits: bits } }
        };
        // 4. Identity testing.
        let assumptions = self.assumptions();
        let outcome = self.field.compare(arena, [a, b], &self.parts, seed, assumptions, fuel);
        let mut trusted = !self.field.met_long_numbers();
        if matches!(outcome, Outcome::Same { .. }) {
            match self.confirm_roots(arena, Mode::Real, fuel) {
                Ok(confirmed) => trusted &= confirmed,
                Err(witness) => return Agreement::new(Evidence::Refuted(Some(witness)), counts),
            }
        }
        let mut searched = None;
        match outcome {
            Outcome::Same { bits, turns } if bits >= ENOUGH_BITS && trusted => {
                // Angles are only equal up to whole turns. The number of turns changes where an inner
                // argument has a pole or crosses a branch cut.
                let backed = counts.agreeing > 0 && (!turns || counts.unknown == 0);
                // A step function may differ at single integers.
                let has_steps = hints.steps && self.variables.iter().any(|variable| variable.domain.integer);
                if turns || has_steps {
                    searched = Some(self.search_pieces(arena, [a, b], Mode::Real, fuel));
                }
                match searched.take() {
                    Some(PieceSearch::Refuted(witness)) => {
                        return Agreement::new(Evidence::Refuted(Some(witness)), counts);
                    }
                    Some(PieceSearch::Incomplete(why)) => searched = Some(PieceSearch::Incomplete(why)),
                    _ if backed || self.field.was_rational() => {
                        return Agreement::new(identity(bits), counts);
                    }
                    found => searched = found,
                }
            }
            Outcome::Different => {
                let witness = self.look_further(arena, &hints, seed, &mut counts, fuel);
                return Agreement::new(Evidence::Refuted(witness), counts);
            }
            _ => {}
        }
        // 5. More points.
        if let Some(witness) = self.look_further(arena, &hints, seed, &mut counts, fuel) {
            return Agreement::new(Evidence::Refuted(Some(witness)), counts);
        }
        let identity = match outcome {
            Outcome::Same { bits, .. } if bits >= ENOUGH_BITS => Some(identity(bits)),
            _ => None,
        };
        if counts.agreeing > 0 {
            if let Some(identity) = &identity
                && trusted
                && !matches!(searched, Some(PieceSearch::Incomplete(_)))
            {
                return Agreement::new(identity.clone(), counts);
            }
        } else if counts.undefined > 0 && counts.unknown == 0 {
            // No point has real values, so the principal complex values are compared.
            return self.decide_complex(arena, a, b, seed, fuel);
        }
        // 6. Beside the pieces.
        let searched = match searched {
            Some(searched) => searched,
            None => self.search_pieces(arena, [a, b], Mode::Real, fuel),
        };
        let incomplete = match searched {
            PieceSearch::Refuted(witness) => {
                return Agreement::new(Evidence::Refuted(Some(witness)), counts);
            }
            PieceSearch::Incomplete(why) => Some(why),
            PieceSearch::NoDifference | PieceSearch::NoPieces => None,
        };
        if !self.variables.is_empty() {
            self.points.draw(&self.variables, &hints, seed ^ 0x5EED, SAMPLE_POINTS);
        }
        // 7. High precision.
        let mut evidence = self.confirm(arena, [a, b], Mode::Real, counts.agreeing == 0, fuel);
        if matches!(evidence, Evidence::Undecided(Undecided::NoPoints | Undecided::FewPoints)) {
            // Hardly any point with real values was found, so the principal complex values are compared.
            return self.decide_complex(arena, a, b, seed, fuel);
        }
        if let Evidence::Agreed { .. } = evidence {
            // 8. Separation.
            if self.variables.is_empty()
                && let Some(proof) = self.are_inseparable(arena, [a, b], Mode::Real, fuel)
            {
                evidence = Evidence::Proven(proof);
            } else if let Some(why) = incomplete {
                evidence = Evidence::Undecided(why);
            } else if let Some(identity) = identity {
                evidence = identity;
            }
        }
        Agreement::new(evidence, counts)
    }

    /// Searches for a counterexample at which the variables in exponents of negative numbers are 1/3.
    ///
    /// Powers of negative numbers have real values at fractions with odd denominators, and doubles cannot
    /// represent such fractions. This search refutes `(-1)^x = cos πx`.
    fn refute_at_fractions(
        &mut self,
        arena: &mut Arena,
        a: Id,
        b: Id,
        seed: u64,
        fuel: &mut Fuel,
    ) -> Option<Box<Witness>> {
        let mut exponents = Symbols::NONE;
        for &part in &self.parts {
            if let Node::Power(base, exponent) = arena.node(part)
                && arena.as_number(base).is_some_and(Rational::is_negative)
            {
                exponents = exponents.union(arena.free(exponent));
            }
        }
        let chosen: SmallVec<[Symbol; 4]> = self
            .variables
            .iter()
            .filter(|variable| exponents.contains(variable.symbol) && variable.domain.is_everything())
            .map(|variable| variable.symbol)
            .collect();
        if chosen.is_empty() {
            return None;
        }
        let mut sides = [a, b];
        for &symbol in &chosen {
            let third = arena.fraction(1, 3);
            sides = sides.map(|side| arena.substitute(side, symbol, third));
        }
        if arena.overflowed() {
            return None;
        }
        self.variables.retain(|variable| !chosen.contains(&variable.symbol));
        self.symbols.retain(|symbol| !chosen.contains(symbol));
        self.program.compile(arena, &sides, &self.symbols);
        self.points.draw(&self.variables, &SamplingHints::new(arena, &sides), seed, FIRST_POINTS);
        let mut witness = self.refute(arena, Mode::Real, &mut Counts::default(), fuel)?;
        witness.point.extend(chosen.iter().map(|&symbol| (arena.name(symbol).to_owned(), 1.0 / 3.0)));
        Some(witness)
    }

    /// Searches for a counterexample at the ends of domains and, for integer variables, at -1, 0 and 1.
    ///
    /// A function may have a step at such a point, and the sample may not contain it.
    fn refute_at_ends(
        &mut self,
        arena: &mut Arena,
        sides: [Id; 2],
        (seed, domains): (u64, &dyn Domains),
        fuel: &mut Fuel,
    ) -> Option<Box<Witness>> {
        let anywhere = |variable: &Variable| variable.domain.is_everything();
        if self.variables.iter().all(anywhere) || !SamplingHints::new(arena, &sides).steps {
            return None;
        }
        self.list_variables(arena, sides[0], sides[1], domains);
        for at in 0..self.variables.len() {
            let Variable { symbol, domain } = self.variables[at].clone();
            if domain.is_everything() {
                continue;
            }
            let whole = [0, 1, -1].map(|whole| domain.integer.then(|| Rational::from(whole)));
            for end in [domain.min.clone(), domain.max.clone()].into_iter().chain(whole).flatten() {
                if !domain.contains(&end) {
                    continue;
                }
                let value = arena.number(end.clone());
                let fixed = sides.map(|side| arena.substitute(side, symbol, value));
                if arena.overflowed() {
                    return None;
                }
                self.list_variables(arena, fixed[0], fixed[1], domains);
                self.program.compile(arena, &fixed, &self.symbols);
                self.points.draw(&self.variables, &SamplingHints::new(arena, &fixed), seed, FIRST_POINTS);
                let witness = self.refute(arena, Mode::Real, &mut Counts::default(), fuel);
                self.list_variables(arena, sides[0], sides[1], domains);
                if let Some(mut witness) = witness {
                    witness.point.push((arena.name(symbol).to_owned(), end.to_f64()));
                    return Some(witness);
                }
            }
        }
        None
    }

    /// Lists the parts, and the variables in their canonical order, so the points do not depend on how the
    /// pair is written.
    fn list_variables(&mut self, arena: &Arena, a: Id, b: Id, domains: &dyn Domains) {
        arena.list_reachable(&[a, b], &mut self.parts);
        self.variables.clear();
        self.symbols.clear();
        for symbol in arena.free(a).union(arena.free(b)).iter() {
            let domain = domains.domain(arena.name(symbol)).cloned().unwrap_or_default();
            self.variables.push(Variable { symbol, domain });
        }
        points::sort_variables(arena, (&[a, b], &self.parts), &mut self.variables, &mut self.order);
        self.symbols.extend(self.variables.iter().map(|variable| variable.symbol));
        self.field.set_variables(self.symbols.iter().copied());
    }

    fn assumptions(&self) -> Assumptions {
        let mut assumptions = Assumptions::default();
        for variable in &self.variables {
            let domain = &variable.domain;
            let one = Symbols::one(variable.symbol);
            if domain.min.as_ref().is_some_and(|min| !min.is_negative()) {
                assumptions.nonnegative = assumptions.nonnegative.union(one);
            }
            if domain.max.as_ref().is_some_and(|max| !max.is_positive()) {
                assumptions.nonpositive = assumptions.nonpositive.union(one);
            }
            if domain.integer {
                assumptions.integers = assumptions.integers.union(one);
            }
        }
        assumptions
    }

    fn look_further(
        &mut self,
        arena: &Arena,
        hints: &SamplingHints,
        seed: u64,
        counts: &mut Counts,
        fuel: &mut Fuel,
    ) -> Option<Box<Witness>> {
        if self.variables.is_empty() {
            return None;
        }
        self.points.draw(&self.variables, hints, seed ^ 0x5EED, SAMPLE_POINTS);
        if let Some(witness) = self.refute(arena, Mode::Real, counts, fuel) {
            return Some(witness);
        }
        let is_rarely_valued =
            |counts: &Counts| counts.agreeing < ENOUGH_VALUED && counts.undefined > counts.agreeing;
        if !is_rarely_valued(counts) {
            return None;
        }
        let usual: Vec<Row> = (0..self.points.len()).map(|point| self.points.row(point).collect()).collect();
        let mut rows: Vec<Row> =
            self.valued(SAMPLE_POINTS, fuel).into_iter().map(|at| usual[at].clone()).collect();
        for round in 1..=VALUED_ROUNDS {
            self.points.draw(&self.variables, hints, seed ^ 0x5EED ^ round << 32, SAMPLE_POINTS);
            if let Some(witness) = self.refute(arena, Mode::Real, counts, fuel) {
                return Some(witness);
            }
            let valued = self.valued(SAMPLE_POINTS, fuel);
            rows.extend(valued.into_iter().map(|point| self.points.row(point).collect::<Row>()));
            if !is_rarely_valued(counts) {
                break;
            }
        }
        // Points with values come first.
        rows.truncate(SAMPLE_POINTS);
        rows.extend(usual);
        self.points = Points::from_rows(self.symbols.len(), rows.iter().map(SmallVec::as_slice));
        None
    }

    /// Adds sample points with one large coordinate each.
    fn spread_points(&mut self) {
        let mut rows: Vec<SmallVec<[f64; 8]>> =
            (0..self.points.len()).map(|point| self.points.row(point).collect()).collect();
        for column in 0..self.variables.len() {
            let domain = &self.variables[column].domain;
            for (at, far) in FAR.into_iter().enumerate() {
                if crate::points::admits(domain, far) {
                    let mut row = rows[at % SAMPLE_POINTS].clone();
                    row[column] = far;
                    rows.push(row);
                }
            }
        }
        self.points = Points::from_rows(self.variables.len(), rows.iter().map(SmallVec::as_slice));
    }

    fn decide_complex(&mut self, arena: &mut Arena, a: Id, b: Id, seed: u64, fuel: &mut Fuel) -> Agreement {
        let hints = SamplingHints::of_parts(arena, &[a, b], &self.parts);
        self.points.draw(&self.variables, &hints, seed, FIRST_POINTS);
        let mut counts = Counts::default();
        if let Some(witness) = self.refute(arena, Mode::Complex, &mut counts, fuel) {
            return Agreement::new(Evidence::Refuted(Some(witness)), counts);
        }
        let same = same_normal_form(arena, [a, b], fuel);
        if same && counts.agreeing > 0 {
            return Agreement::new(Evidence::Proven(Proof::NormalForm), counts);
        }
        // A branch ends where the angle of an argument leaves the principal range, which may happen only at
        // large coordinates. Pieces may end anywhere.
        let mut complete = true;
        if !self.variables.is_empty() {
            self.points.draw(&self.variables, &hints, seed ^ 0x5EED, SAMPLE_POINTS);
            self.spread_points();
            if let Some(witness) = self.refute(arena, Mode::Complex, &mut counts, fuel) {
                return Agreement::new(Evidence::Refuted(Some(witness)), counts);
            }
            match self.search_pieces(arena, [a, b], Mode::Complex, fuel) {
                PieceSearch::Refuted(witness) => {
                    return Agreement::new(Evidence::Refuted(Some(witness)), counts);
                }
                PieceSearch::Incomplete(_) => complete = false,
                PieceSearch::NoDifference | PieceSearch::NoPieces => {}
            }
            self.points.draw(&self.variables, &hints, seed, FIRST_POINTS);
        }
        let assumptions = Assumptions { complex: true, ..self.assumptions() };
        match self.field.compare(arena, [a, b], &self.parts, seed, assumptions, fuel) {
            Outcome::Same { bits, .. }
                if complete && bits >= ENOUGH_BITS && (counts.agreeing > 0 || self.field.was_rational()) =>
            {
                match self.confirm_roots(arena, Mode::Complex, fuel) {
                    Ok(true) if same => return Agreement::new(Evidence::Proven(Proof::NormalForm), counts),
                    Ok(true) => return Agreement::new(Evidence::Identity { error_bits: bits }, counts),
                    Ok(false) => {}
                    Err(witness) => return Agreement::new(Evidence::Refuted(Some(witness)), counts),
                }
            }
            _ => {}
        }
        let mut evidence = self.confirm(arena, [a, b], Mode::Complex, counts.agreeing == 0, fuel);
        if matches!(evidence, Evidence::Agreed { .. })
            && self.variables.is_empty()
            && let Some(proof) = self.are_inseparable(arena, [a, b], Mode::Complex, fuel)
        {
            evidence = Evidence::Proven(proof);
        }
        if matches!(evidence, Evidence::Agreed { .. }) && !complete {
            evidence = Evidence::Undecided(Undecided::OutOfFuel);
        }
        Agreement::new(evidence, counts)
    }
}

/// Returns whether an expression has no value by its form: it is undefined, or 0 to a power that is not
/// positive.
fn has_no_value(arena: &Arena, id: Id) -> bool {
    match arena.node(id) {
        Node::Constant(Constant::Undefined) => true,
        Node::Power(base, exponent) => {
            base == Arena::ZERO && arena.as_number(exponent).is_some_and(|number| !number.is_positive())
        }
        _ => false,
    }
}
