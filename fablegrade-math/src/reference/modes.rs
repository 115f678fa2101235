//! Further queries on a reference: the same form, sampling, truth, dependence on variables.

use super::{Compiled, Equivalence, Exact, Reference, Weakest, Workspace, decide};
use crate::decide::{Evidence, Judge};
use crate::dependence::{Dependence, dependence};
use crate::expr::{Arena, CanonicalOrder, Id, Symbol};
use crate::expression::Expression;
use crate::latex::{ParseError, derivatives};
use crate::limits::Fuel;
use crate::number::Rational;
use crate::points::{Domain, Variable, sort_variables};
use crate::relations::{self, Oracle, Verdict};
use crate::sampling::{Outcome, Report, Sampling, sample};
use crate::subscripts::Readings;

/// The oracle that compares the scalars of a structured answer by sampling.
struct SampledParts<'r> {
    reference: &'r Reference,
    sampling: &'r Sampling,
    judge: Judge,
    fuel: Fuel,
}

impl Oracle for SampledParts<'_> {
    fn same(&mut self, arena: &mut Arena, a: Id, b: Id) -> Verdict {
        match self.reference.report(arena, [a, b], self.sampling).outcome {
            Outcome::Close => Verdict::Same,
            Outcome::Apart { .. } | Outcome::OftenUndefined => Verdict::Different,
            Outcome::TooFewPoints | Outcome::Undecided => Verdict::Unknown,
        }
    }

    fn is_bounded(&self, arena: &Arena, variable: Symbol) -> bool {
        self.reference.options.is_bounded(arena.name(variable))
    }

    fn is_declared(&self, arena: &Arena, variable: Symbol) -> bool {
        self.reference.options.is_declared(arena.name(variable))
    }

    fn admits(&self, arena: &Arena, variable: Symbol, value: &Rational) -> bool {
        self.reference.options.admits(arena.name(variable), value)
    }

    fn domain(&self, arena: &Arena, variable: Symbol) -> Domain {
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

    /// Makes this undecided if another reading of the texts leads to another verdict.
    fn confirm(&mut self, other: &Self) {
        let is_equal = |side: &Self| side.verdict() == Equivalence::Equal;
        let differs = match self {
            Self::Parts(verdict) => *verdict != other.verdict(),
            Self::Value(_) => is_equal(self) != is_equal(other),
        };
        if differs {
            self.leave_undecided();
        }
    }

    fn leave_undecided(&mut self) {
        match self {
            Self::Parts(verdict) => *verdict = Equivalence::Undecided,
            Self::Value(report) => report.outcome = Outcome::Undecided,
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
        let mut fuel = Fuel::new(self.options.budget());
        let always = self.work_in(|Workspace { arena, judge }| {
            let mut oracle =
                Exact { judge, options: &self.options, fuel: &mut fuel, weakest: Weakest::default() };
            relations::constant_truth(arena, value, &mut oracle)
        });
        match always {
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
        let (mut sampled, readings) = self.sample_once(submission, sampling)?;
        if let Some(readings) = readings {
            let mut choices = readings.choices().into_iter();
            if let Some(first) = choices.next().filter(|first| !first.is_empty()) {
                (sampled, _) = self.with_subscripts(first)?.sample_once(submission, sampling)?;
            }
            let mut differs = readings.too_many;
            for second in choices {
                if differs {
                    break;
                }
                let (other, _) = self.with_subscripts(second)?.sample_once(submission, sampling)?;
                differs = other.verdict() != sampled.verdict();
            }
            if differs {
                sampled.leave_undecided();
            }
        }
        let is_different = sampled.verdict() == Equivalence::Different;
        if let Some(second) = self.second_reading(submission, is_different)
            && let Ok((other, _)) = second.reference.sample_once(&second.submission, sampling)
        {
            sampled.confirm(&other);
        }
        if is_different && derivatives::may_coincide(self.expression.syntax(), submission.syntax()) {
            sampled.leave_undecided();
        }
        Ok(sampled)
    }

    /// Works like [`Reference::sample`], with one reading of each text. Also returns the readings of doubtful
    /// subscripts.
    fn sample_once(
        &self,
        submission: &Expression,
        sampling: &Sampling,
    ) -> Result<(Sampled, Option<Readings>), ParseError> {
        self.work_in(|Workspace { arena, .. }| {
            let mut fuel = Fuel::new(self.options.budget());
            let value = self.compile(submission, arena, &mut fuel)?;
            let readings = self.subscripts(arena, submission);
            Ok((self.sample_in(arena, &value, sampling, fuel), readings))
        })
    }

    /// Samples the reference and a value of an arena that holds both.
    fn sample_in(
        &self,
        arena: &mut Arena,
        submission: &Compiled,
        sampling: &Sampling,
        fuel: Fuel,
    ) -> Sampled {
        if let (Compiled::Scalar(value), Compiled::Scalar(other)) = (&self.value, submission) {
            return Sampled::Value(self.report(arena, [*value, *other], sampling));
        }
        if arena.overflowed() {
            return Sampled::Parts(Equivalence::Undecided);
        }
        let mut parts = SampledParts { reference: self, sampling, judge: Judge::default(), fuel };
        let (first, second) = (self.value.as_value(), submission.as_value());
        Sampled::Parts(relations::compare(arena, &first, &second, &mut parts).0.into())
    }

    /// Returns whether the reference has a value at enough points to be sampled. `true` for structured
    /// values, for which only a comparison shows this.
    pub fn can_be_sampled(&self, sampling: &Sampling) -> bool {
        let Compiled::Scalar(value) = self.value else { return true };
        self.work_in(|Workspace { arena, .. }| {
            !arena.overflowed()
                && self.report(arena, [value, value], sampling).outcome != Outcome::TooFewPoints
        })
    }

    /// Samples two values of an arena. Variables with a single value are replaced by it, because it may not
    /// be a double.
    fn report(&self, arena: &mut Arena, sides: [Id; 2], sampling: &Sampling) -> Report {
        let variables = self.variables(arena, &sides);
        let value_of = |variable: &Variable| {
            let Domain { min, max, .. } = &variable.domain;
            min.clone().filter(|min| max.as_ref() == Some(min) && variable.domain.contains(min))
        };
        let values: Vec<Option<Rational>> = variables.iter().map(value_of).collect();
        let mut fixed = sides;
        for (variable, value) in variables.iter().zip(&values) {
            if let Some(value) = value {
                let value = arena.number(value.clone());
                fixed = fixed.map(|side| arena.substitute(side, variable.symbol, value));
            }
        }
        if arena.overflowed() {
            // After an overflow, new parts of the arena may be wrong.
            return Report { outcome: Outcome::Undecided, valid: 0, undefined: 0, skipped: 0 };
        }
        let free: Vec<Variable> = variables
            .iter()
            .zip(&values)
            .filter(|(_, value)| value.is_none())
            .map(|(variable, _)| variable.clone())
            .collect();
        let seed = CanonicalOrder::seed(arena, &fixed);
        let mut report = sample(arena, fixed[0], fixed[1], &free, seed, sampling);
        if let Outcome::Apart { point, .. } = &mut report.outcome {
            let mut drawn = std::mem::take(point).into_iter();
            *point = values
                .iter()
                .filter_map(|value| value.as_ref().map(Rational::to_f64).or_else(|| drawn.next()))
                .collect();
        }
        report
    }

    /// Returns whether the value of a submission depends on any variable. A structured answer varies if a
    /// variable occurs in it.
    ///
    /// # Errors
    /// Returns an error with its place if a part of the submission has no meaning.
    pub fn dependence_of(&self, submission: &Expression) -> Result<Dependence, ParseError> {
        self.work_in(|Workspace { arena, .. }| {
            let mut fuel = Fuel::new(self.options.budget());
            let Compiled::Scalar(id) = self.compile(submission, arena, &mut fuel)? else {
                let constant = submission.names().symbols.is_empty();
                return Ok(if constant {
                    Dependence::Constant { points: 0, bits: 0 }
                } else {
                    Dependence::Varies
                });
            };
            if arena.overflowed() {
                return Ok(Dependence::Unknown);
            }
            let variables = self.variables(arena, &[id]);
            Ok(dependence(arena, id, &variables, CanonicalOrder::seed(arena, &[id])))
        })
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
        sort_variables(
            arena,
            (roots, &arena.reachable(roots)),
            &mut variables,
            &mut CanonicalOrder::default(),
        );
        variables
    }
}
