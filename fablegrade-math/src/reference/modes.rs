//! Further queries on a reference: the same form, sampling, truth, dependence on variables.

use super::{Compiled, Equivalence, Exact, Reference, Weakest, decide};
use crate::decide::{Evidence, Judge};
use crate::dependence::{Dependence, dependence};
use crate::expr::{Arena, CanonicalOrder, Id, Symbol};
use crate::expression::Expression;
use crate::latex::ParseError;
use crate::limits::Fuel;
use crate::number::Rational;
use crate::points::{Variable, sort_variables};
use crate::relations::{self, Oracle, Verdict};
use crate::sampling::{Outcome, Report, Sampling, sample};

/// The oracle that compares the scalars of a structured answer by sampling.
struct SampledParts<'r> {
    reference: &'r Reference,
    sampling: &'r Sampling,
    judge: Judge,
    fuel: Fuel,
}

impl Oracle for SampledParts<'_> {
    fn same(&mut self, arena: &mut Arena, a: Id, b: Id) -> Verdict {
        let variables = self.reference.variables(arena, &[a, b]);
        match sample(arena, a, b, &variables, CanonicalOrder::seed(arena, &[a, b]), self.sampling).outcome {
            Outcome::Close => Verdict::Same,
            Outcome::Apart { .. } | Outcome::OftenUndefined => Verdict::Different,
            Outcome::TooFewPoints | Outcome::Undecided => Verdict::Unknown,
        }
    }

    fn is_bounded(&self, arena: &Arena, variable: Symbol) -> bool {
        self.reference.options.is_bounded(arena.name(variable))
    }

    fn admits(&self, arena: &Arena, variable: Symbol, value: &Rational) -> bool {
        self.reference.options.admits(arena.name(variable), value)
    }

    fn domain(&self, arena: &Arena, variable: Symbol) -> crate::points::Domain {
        self.reference.options.domain_of(arena.name(variable)).cloned().unwrap_or_default()
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn vanishes(&mut self, arena: &mut Arena, id: Id) -> Verdict {
        let options = &self.reference.options;
        let decided = decide(&mut self.judge, arena, [id, Arena::ZERO], options, &mut self.fuel);
        match decided.evidence {
            Evidence::Refuted(_) => Verdict::Different,
            Evidence::Undecided(_) => Verdict::Unknown,
            _ => Verdict::Same,
        }
    }
}

/// The result of sampling two expressions.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Sampled {
    /// The report on two single values.
    Value(Report),
    /// The verdict on two expressions, at least one of which is not a single value. Each part is compared at
    /// sample points; whether a part vanishes is decided as in [`Reference::compare`].
    Parts(Equivalence),
}

impl Sampled {
    /// Returns whether the sides are close enough, too far apart, or undecided.
    pub fn verdict(&self) -> Equivalence {
        match self {
            Self::Parts(verdict) => *verdict,
            Self::Value(report) => match report.outcome {
                Outcome::Close => Equivalence::Equal,
                Outcome::Apart { .. } | Outcome::OftenUndefined => Equivalence::Different,
                Outcome::TooFewPoints | Outcome::Undecided => Equivalence::Undecided,
            },
        }
    }
}

/// The extent to which a relation holds on the domains.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Truth {
    /// It holds at every point and does not restrict its unknowns.
    Always,
    /// It holds at no point.
    Never,
    /// It holds at some points, or the extent is not known.
    Varies,
}

impl Reference {
    /// Returns the extent to which the reference holds if it is a relation, and [`Truth::Varies`] otherwise.
    /// A relation that holds everywhere or nowhere does not restrict its unknowns, so a comparison can only
    /// use its sides.
    pub fn truth(&self) -> Truth {
        let Compiled::Structured(value) = &self.value else { return Truth::Varies };
        let mut arena = self.arena.clone();
        let mut fuel = Fuel::new(self.options.budget());
        let mut judge = Judge::default();
        let mut oracle =
            Exact { judge: &mut judge, options: &self.options, fuel: &mut fuel, weakest: Weakest::default() };
        match relations::constant_truth(&mut arena, value, &mut oracle) {
            Some(true) => Truth::Always,
            Some(false) => Truth::Never,
            None => Truth::Varies,
        }
    }

    /// Returns whether a submission is written in the same form; see [`fablegrade_latex::same_form`].
    pub fn has_same_form(&self, submission: &Expression) -> bool {
        self.expression.has_same_form(submission)
    }

    /// Compares values within a tolerance, at points that follow from both sides.
    ///
    /// Variables without a domain are drawn from -10 to 10; names that were not declared count as such
    /// variables.
    ///
    /// # Errors
    /// Returns an error with its place if a part of the submission has no meaning.
    pub fn sample(&self, submission: &Expression, sampling: &Sampling) -> Result<Sampled, ParseError> {
        let mut sampled = self.sample_once(submission, sampling)?;
        if let Some(second) = self.second_reading(submission) {
            match (&mut sampled, second.reference.sample_once(&second.submission, sampling)) {
                (Sampled::Value(report), Ok(Sampled::Value(other)))
                    if (other.outcome == Outcome::Close) != (report.outcome == Outcome::Close) =>
                {
                    report.outcome = Outcome::Undecided;
                }
                (Sampled::Parts(verdict), Ok(other)) if other.verdict() != *verdict => {
                    *verdict = Equivalence::Undecided;
                }
                _ => {}
            }
        }
        Ok(sampled)
    }

    /// Works like [`Reference::sample`], with one reading of each text.
    fn sample_once(&self, submission: &Expression, sampling: &Sampling) -> Result<Sampled, ParseError> {
        let mut arena = self.arena.clone();
        let mut fuel = Fuel::new(self.options.budget());
        let submission = self.compile(submission, &mut arena, &mut fuel)?;
        if let (Compiled::Scalar(value), Compiled::Scalar(other)) = (&self.value, &submission) {
            let variables = self.variables(&arena, &[*value, *other]);
            let seed = CanonicalOrder::seed(&arena, &[*value, *other]);
            return Ok(Sampled::Value(sample(&arena, *value, *other, &variables, seed, sampling)));
        }
        let mut parts = SampledParts { reference: self, sampling, judge: Judge::default(), fuel };
        let (first, second) = (self.value.as_value(), submission.as_value());
        Ok(Sampled::Parts(relations::compare(&mut arena, &first, &second, &mut parts).0.into()))
    }

    /// Returns whether the reference has a value at enough points to be sampled. `true` for structured
    /// values, for which only a comparison shows this.
    pub fn can_be_sampled(&self, sampling: &Sampling) -> bool {
        let Compiled::Scalar(value) = self.value else { return true };
        let variables = self.variables(&self.arena, &[value]);
        let report = sample(
            &self.arena,
            value,
            value,
            &variables,
            CanonicalOrder::seed(&self.arena, &[value]),
            sampling,
        );
        report.outcome != Outcome::TooFewPoints
    }

    /// Returns whether the value of a submission depends on any variable. A structured answer varies if a
    /// variable occurs in it.
    ///
    /// # Errors
    /// Returns an error with its place if a part of the submission has no meaning.
    pub fn dependence_of(&self, submission: &Expression) -> Result<Dependence, ParseError> {
        let mut arena = self.arena.clone();
        let mut fuel = Fuel::new(self.options.budget());
        let Compiled::Scalar(id) = self.compile(submission, &mut arena, &mut fuel)? else {
            let constant = submission.names().symbols.is_empty();
            return Ok(if constant {
                Dependence::Constant { points: 0, bits: 0 }
            } else {
                Dependence::Varies
            });
        };
        let variables = self.variables(&arena, &[id]);
        Ok(dependence(&arena, id, &variables, CanonicalOrder::seed(&arena, &[id])))
    }

    /// Returns the free symbols of `roots` with their domains, in canonical order.
    fn variables(&self, arena: &Arena, roots: &[Id]) -> Vec<Variable> {
        let free =
            roots.iter().fold(crate::expr::Symbols::default(), |all, &root| all.union(arena.free(root)));
        let mut variables: Vec<Variable> = free
            .iter()
            .map(|symbol| {
                let name = arena.name(symbol);
                let domain = self.options.domain_of(name).cloned().unwrap_or_default();
                Variable { symbol, domain }
            })
            .collect();
        sort_variables(arena, roots, &mut variables, &mut CanonicalOrder::default());
        variables
    }
}
