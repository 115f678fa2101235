//! What else can be asked of a reference: the same form, sampling, names used, dependence on the variables.

use super::{Compiled, Exact, Reference, Weakest, compile, decide};
use crate::decide::{Evidence, Judge};
use crate::dependence::{Dependence, dependence};
use crate::expr::{Arena, CanonicalOrder, Id, Symbol};
use crate::fuel::Fuel;
use crate::latex::ast::Syntax;
use crate::latex::free_names::{Names, names_of};
use crate::latex::same_form::same_form;
use crate::latex::{self, ParseError};
use crate::number::Rational;
use crate::points::{Variable, sort_variables};
use crate::relations::{self, Oracle, Verdict};
use crate::sampling::{Outcome, Report, Sampling, sample};
use crate::{Understanding, understand};

/// Parts of a structured answer, compared within a tolerance.
struct Sampled<'r> {
    reference: &'r Reference,
    sampling: &'r Sampling,
    judge: Judge,
    fuel: Fuel,
}

impl Oracle for Sampled<'_> {
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

impl Reference {
    /// Reads a formula as this reference would, without comparing it.
    ///
    /// # Errors
    /// When it cannot be read, with the place.
    pub fn understand(&self, latex: &str) -> Result<Understanding, ParseError> {
        understand(latex, &self.options)
    }

    /// The variables and functions of the reference itself.
    pub fn names(&self) -> Names {
        names_of(&self.tree)
    }

    /// Whether the reference is more than one value: an equation, a set, a list, ...; see [`crate::relations`].
    pub fn is_structured(&self) -> bool {
        matches!(self.value, Compiled::Structured(_))
    }

    /// Whether the reference is a relation that holds at every point of the domains (`true`) or at none (`false`): it says
    /// nothing about its unknowns, so that a comparison has only its sides to go by. `None` where neither is certain.
    pub fn holds_alike(&self) -> Option<bool> {
        let Compiled::Structured(value) = &self.value else { return None };
        let mut arena = self.arena.clone();
        let mut fuel = Fuel::new(self.options.units());
        let mut judge = Judge::default();
        let mut oracle =
            Exact { judge: &mut judge, options: &self.options, fuel: &mut fuel, weakest: Weakest::default() };
        relations::holds_alike(&mut arena, value, &mut oracle)
    }

    /// Whether a submission has the same form; see [`fablegrade_latex::same_form`].
    ///
    /// # Errors
    /// When it cannot be read, with the place.
    pub fn same_form(&self, latex: &str) -> Result<bool, ParseError> {
        Ok(same_form(&self.tree, &latex::parse(latex, self.options.names())?))
    }

    /// Compares values at points that follow from both sides; `None` when a side is not a single value.
    ///
    /// Variables without a domain are drawn from -10 to 10; names that were not declared count as such variables.
    ///
    /// # Errors
    /// When the submission cannot be read, with the place.
    pub fn sample(&self, latex: &str, sampling: &Sampling) -> Result<Option<Report>, ParseError> {
        let (mut report, tree) = self.sample_once(latex, sampling)?;
        if let Some(report) = &mut report
            && let Some(second) = self.second_reading(&tree, latex)
            && let Ok((Some(other), _)) = second.sample_once(latex, sampling)
            && (other.outcome == Outcome::Close) != (report.outcome == Outcome::Close)
        {
            report.outcome = Outcome::Undecided;
        }
        Ok(report)
    }

    /// As [`Reference::sample`], with one reading of each text.
    fn sample_once(&self, latex: &str, sampling: &Sampling) -> Result<(Option<Report>, Syntax), ParseError> {
        let mut arena = self.arena.clone();
        let tree = latex::parse(latex, self.options.names())?;
        let submission = compile(&tree, self.options.names(), &mut arena)?;
        let (Compiled::Scalar(value), Compiled::Scalar(other)) = (&self.value, submission) else {
            return Ok((None, tree));
        };
        let variables = self.variables(&arena, &[*value, other]);
        let seed = CanonicalOrder::seed(&arena, &[*value, other]);
        Ok((Some(sample(&arena, *value, other, &variables, seed, sampling)), tree))
    }

    /// Compares an answer that is more than one value part by part, each part as [`Reference::sample`] does; whether it
    /// vanishes is decided exactly. `None` when neither shows.
    ///
    /// # Errors
    /// When the submission cannot be read, with the place.
    pub fn sample_parts(&self, latex: &str, sampling: &Sampling) -> Result<Option<bool>, ParseError> {
        let (same, tree) = self.sample_parts_once(latex, sampling)?;
        if let Some(second) = self.second_reading(&tree, latex) {
            let other = second.sample_parts_once(latex, sampling).ok().map(|(other, _)| other);
            return Ok(same.filter(|_| other.is_none_or(|other| other == same)));
        }
        Ok(same)
    }

    /// As [`Reference::sample_parts`], with one reading of each text.
    fn sample_parts_once(
        &self,
        latex: &str,
        sampling: &Sampling,
    ) -> Result<(Option<bool>, Syntax), ParseError> {
        let mut arena = self.arena.clone();
        let tree = latex::parse(latex, self.options.names())?;
        let submission = compile(&tree, self.options.names(), &mut arena)?;
        let mut parts = Sampled {
            reference: self,
            sampling,
            judge: Judge::default(),
            fuel: Fuel::new(self.options.units()),
        };
        let (first, second) = (self.value.as_value(), submission.as_value());
        let same = match relations::compare(&mut arena, &first, &second, &mut parts).0 {
            Verdict::Same => Some(true),
            Verdict::Different => Some(false),
            Verdict::Unknown => None,
        };
        Ok((same, tree))
    }

    /// Whether the reference has a value at enough points to be sampled at all; of what is no single value that shows only
    /// beside an answer.
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

    /// Whether the value of a submission depends on any variable; structured answers vary if a variable occurs.
    ///
    /// # Errors
    /// When the submission cannot be read, with the place.
    pub fn dependence_of(&self, latex: &str) -> Result<Dependence, ParseError> {
        let mut arena = self.arena.clone();
        let tree = latex::parse(latex, self.options.names())?;
        let Compiled::Scalar(id) = compile(&tree, self.options.names(), &mut arena)? else {
            let constant = names_of(&tree).symbols.is_empty();
            return Ok(if constant {
                Dependence::Constant { points: 0, bits: 0 }
            } else {
                Dependence::Varies
            });
        };
        let variables = self.variables(&arena, &[id]);
        Ok(dependence(&arena, id, &variables, CanonicalOrder::seed(&arena, &[id])))
    }

    /// The free symbols of `roots` with their domains, in canonical order.
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
