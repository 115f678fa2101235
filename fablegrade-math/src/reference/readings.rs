//! Comparisons under several readings: texts with two likely readings, and doubtful subscripts.

use super::{Compiled, Decision, Equivalence, Reference, Workspace, compile};
use crate::decide::{Ambiguity, Evidence, Undecided};
use crate::expr::{self, Arena, Id};
use crate::expression::Expression;
use crate::latex::{Kind, ParseError};
use crate::options::Options;
use crate::relations::{self, Value};
use crate::subscripts::{Readings, Second};
use crate::syntax::Syntax;

/// A reference and a submission, both under their second readings.
pub(super) struct SecondReading {
    pub(super) reference: Reference,
    pub(super) submission: Expression,
    /// What the second readings differ in.
    ambiguity: Ambiguity,
}

impl Reference {
    /// Returns this reference and a submission under the second readings of both.
    ///
    /// `None` if both texts are the same, if there is no second reading, if it is not valid, or if the other
    /// side determines which reading is meant. Some letters are functions behind `\frac{d}{dx}` and factors
    /// elsewhere; their second reading counts only if the first readings differ. So does that of `\Delta x`.
    pub(super) fn second_reading(
        &self,
        submission: &Expression,
        is_different: bool,
    ) -> Option<Box<SecondReading>> {
        let (tree, given) = (self.expression.syntax(), submission.syntax());
        let (mine, theirs) = (tree.doubtful(), given.doubtful());
        let derived = mine
            .derived
            .iter()
            .chain(&theirs.derived)
            .filter(|name| is_different && [tree, given].iter().any(|tree| tree.has_symbol(name)));
        let mut derived = derived.peekable();
        // Beside `x\Delta`, `\Delta x` may be a product.
        let is_factor = |tree: &Syntax| ["Delta", "delta"].iter().any(|sign| tree.has_symbol(sign));
        let changes = is_different && (mine.changes && is_factor(given) || theirs.changes && is_factor(tree));
        let is_clear = mine.is_empty() && theirs.is_empty() && derived.peek().is_none() && !changes;
        if is_clear || self.expression.source() == submission.source() {
            return None;
        }
        let mut all = mine.clone();
        all.calls.extend(derived.cloned());
        all.exponent |= theirs.exponent;
        all.changes = changes;
        all.orders |= theirs.orders;
        all.repeating |= theirs.repeating;
        if tree.has_euler() || given.has_euler() {
            all.exponent = false;
        }
        all.calls.extend(theirs.calls.iter().filter(|name| !mine.calls.contains(name)).cloned());
        all.complex.extend(theirs.complex.iter().filter(|name| !mine.complex.contains(name)).cloned());
        if all.is_empty() && !changes {
            return None;
        }
        let ambiguity = Ambiguity::of(&all);
        let options = self.options.second_reading(&all);
        let submission = Expression::parse(submission.source(), &options).ok()?;
        let reference = Self::new(self.expression.source(), &options).ok()?;
        Some(Box::new(SecondReading { reference, submission, ambiguity }))
    }

    /// Compares under each reading of doubtful subscripts. If the verdicts differ, the result is undecided.
    pub(super) fn compare_readings(
        &self,
        workspace: &mut Workspace,
        submission: &Expression,
    ) -> Result<Decision, ParseError> {
        let mut decision = self.compare_texts(workspace, submission)?;
        let Some(readings) = self.subscripts(&workspace.arena, submission) else { return Ok(decision) };
        let mut verdict = None;
        for second in readings.choices() {
            if !second.is_empty() {
                let reference = self.with_subscripts(second)?;
                let other = reference.compare_texts(&mut reference.buffers().workspace, submission)?;
                if verdict.is_none() {
                    decision = other;
                } else if verdict != Some(other.verdict()) {
                    verdict = Some(Equivalence::Undecided);
                    break;
                }
            }
            verdict = verdict.or(Some(decision.verdict()));
        }
        let differs = verdict == Some(Equivalence::Undecided) || readings.too_many;
        if differs && decision.verdict() != Equivalence::Undecided {
            decision.evidence = Evidence::Undecided(Undecided::Ambiguous(Ambiguity::SUBSCRIPT));
            decision.difference = None;
        }
        Ok(decision)
    }

    /// Returns the readings of doubtful subscripts in an arena that holds both sides; `None` if there are no
    /// such subscripts, or if both texts are the same.
    pub(super) fn subscripts(&self, arena: &Arena, submission: &Expression) -> Option<Readings> {
        if arena.subscripts.found.is_empty() || self.expression.source() == submission.source() {
            return None;
        }
        let [mine, theirs] = [self.expression.names(), submission.names()];
        let names: Vec<String> =
            [mine.symbols, mine.calls, theirs.symbols, theirs.calls].into_iter().flatten().collect();
        Readings::of(&arena.subscripts.found, &names)
    }

    /// Returns this reference with the second reading of doubtful subscripts of some names.
    pub(super) fn with_subscripts(&self, second: Vec<Second>) -> Result<Self, ParseError> {
        Self::of(self.expression.clone(), &self.options.with_subscripts(second))
    }

    /// Compares the first readings. If the second readings lead to another verdict, the result is usually
    /// undecided.
    fn compare_texts(
        &self,
        workspace: &mut Workspace,
        submission: &Expression,
    ) -> Result<Decision, ParseError> {
        let mut decision = self.compare_in(workspace, submission)?;
        if let Some(second) = self.second_reading(submission, decision.is_different())
            && let Some(other) = Self::contrary(&second, decision.verdict())
        {
            if other.is_different() && self.is_nothing_as_product(&second, submission) {
                (decision.evidence, decision.difference) = (other.evidence, other.difference);
            } else if decision.verdict() != Equivalence::Undecided {
                decision.evidence = Evidence::Undecided(Undecided::Ambiguous(second.ambiguity));
                decision.difference = None;
            }
        }
        Ok(decision)
    }

    /// Returns the decision under the second readings if its verdict differs or if it does not confirm an
    /// equality.
    fn contrary(second: &SecondReading, verdict: Equivalence) -> Option<Decision> {
        let SecondReading { reference, submission, .. } = second;
        let decision = reference.compare_in(&mut reference.buffers().workspace, submission).ok()?;
        // The meaning of a relation between values of a function is not known, so only the same form makes it
        // equal.
        let relations = [&reference.expression, submission].iter().all(|side| side.kind() != Kind::Value);
        let unknown = relations && reference.options.names().has_functions();
        let contrary = decision.verdict() != verdict
            || unknown && verdict == Equivalence::Equal && !reference.has_same_form(submission);
        contrary.then_some(decision)
    }

    /// Returns whether a whole side is 0 if letters before brackets are read as factors: nobody writes `f(0)`
    /// for `0`.
    fn is_nothing_as_product(&self, second: &SecondReading, submission: &Expression) -> bool {
        let zeros = |arena: &Arena, value: &Compiled| {
            let nothing = |id: Id| {
                let product =
                    matches!(arena.node(id), expr::Node::Product(parts) if parts.contains(&Arena::ZERO));
                product || id == Arena::ZERO
            };
            match value {
                Compiled::Scalar(id) => [nothing(*id); 2],
                Compiled::Structured(Value::Statement(relations::Statement::Compare {
                    left, right, ..
                })) => [nothing(*left), nothing(*right)],
                Compiled::Structured(_) => [false; 2],
            }
        };
        let vanishing = |product: [bool; 2], called: [bool; 2]| {
            product.iter().zip(called).any(|(product, called)| *product && !called)
        };
        let SecondReading { reference, submission: called, .. } = second;
        if !self.expression.syntax().doubtful().calls.is_empty()
            && vanishing(zeros(self.arena(), &self.value), zeros(reference.arena(), &reference.value))
        {
            return true;
        }
        if submission.syntax().doubtful().calls.is_empty() {
            return false;
        }
        let of = |expression: &Expression, options: &Options| {
            let mut arena = Arena::default();
            let value = compile(expression, options, &mut arena).ok()?;
            Some(zeros(&arena, &value))
        };
        match (of(submission, &self.options), of(called, &reference.options)) {
            (Some(product), Some(called)) => vanishing(product, called),
            _ => false,
        }
    }
}
