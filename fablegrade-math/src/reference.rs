//! Compiled references and decisions.

mod modes;
mod products;
mod readings;

pub use modes::{Sampled, Truth};

use crate::decide::{Agreement, Ambiguity, Domains, Evidence, Judge, Proof, Undecided, range_of};
use crate::expr::{Arena, Id, Mark, Symbol};
use crate::expression::Expression;
use crate::latex::{Kind, Note, ParseError, derivatives};
use crate::limits::{COMPARISON, Fuel};
use crate::lower::may_vanish_at_integers;
use crate::lower::{Settled, join_families, lower, settle, without_added_constants, without_constants};
use crate::number::Rational;
use crate::options::Options;
use crate::points::{Domain, Variable};
use crate::relations::{self, Difference, Oracle, Value, Verdict};
use crate::symbols::Declarations;
use crate::syntax::Syntax;
use std::sync::{Mutex, OnceLock, PoisonError};

impl Domains for Options {
    fn domain(&self, name: &str) -> Option<&Domain> {
        self.domain_of(name)
    }
}

/// The verdict on whether two expressions are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Equivalence {
    /// The expressions are equal.
    Equal,
    /// The expressions differ.
    Different,
    /// Equality could not be decided; [`Undecided`] is the reason.
    Undecided,
}

impl Equivalence {
    /// Returns `true` or `false`, or `None` if undecided, for formats that write null.
    pub const fn as_bool(self) -> Option<bool> {
        match self {
            Self::Equal => Some(true),
            Self::Different => Some(false),
            Self::Undecided => None,
        }
    }
}

impl From<Verdict> for Equivalence {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Same => Self::Equal,
            Verdict::Different => Self::Different,
            Verdict::Unknown => Self::Undecided,
        }
    }
}

/// The decision on whether two expressions are equal, with its evidence.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// The evidence of the decision.
    pub evidence: Evidence,
    /// The place where two sets, intervals, lists or statements differ, if one can be named.
    pub difference: Option<Difference>,
    /// Notes on the reading of the reference where there was a choice.
    pub reference_notes: Vec<Note>,
    /// Notes on the reading of the submission where there was a choice.
    pub submission_notes: Vec<Note>,
    /// `true` if the reference was found to be undefined at a point at which the submission is not.
    pub reference_undefined: bool,
    /// `true` if the submission was found to be undefined at a point at which the reference is not.
    pub submission_undefined: bool,
}

impl Decision {
    /// Returns whether the sides are equal, different, or undecided.
    pub fn verdict(&self) -> Equivalence {
        match self.evidence {
            Evidence::Proven(_) | Evidence::Identity { .. } | Evidence::Agreed { .. } => Equivalence::Equal,
            Evidence::Refuted(_) => Equivalence::Different,
            Evidence::Undecided(_) => Equivalence::Undecided,
        }
    }

    /// Returns whether the two are known to be equal.
    pub fn is_equal(&self) -> bool {
        self.verdict() == Equivalence::Equal
    }

    /// Returns whether the two are known to be different; an undecided decision is neither.
    pub fn is_different(&self) -> bool {
        self.verdict() == Equivalence::Different
    }

    /// Describes the evidence in words. For two sets, intervals, lists or statements that differ, it is the place
    /// where they differ, if one can be named. Show it to authors, never to learners.
    pub fn describe(&self) -> String {
        match (&self.evidence, &self.difference) {
            (Evidence::Refuted(None), Some(difference)) => difference.to_string(),
            (evidence, _) => evidence.to_string(),
        }
    }

    /// Returns the point at which exactly one of two relations or sets holds, and the side that holds there.
    /// The point has a number or LaTeX for each name. Show it to authors, never to learners.
    pub fn witness(&self) -> Option<(&[(String, String)], relations::Side)> {
        match &self.difference {
            Some(Difference::Holds { point, only }) => Some((point, *only)),
            _ => None,
        }
    }
}

/// The compiled reference.
#[derive(Clone, Debug)]
enum Compiled {
    Scalar(Id),
    /// An equation, a set, a list or another structured value.
    Structured(Value),
}

/// The state that a comparison modifies.
#[derive(Debug)]
struct Workspace {
    arena: Arena,
    judge: Judge,
}

/// Buffers that are reused from one comparison to the next.
#[derive(Debug)]
struct Buffers {
    workspace: Workspace,
    /// A text that is compared once.
    submission: Expression,
}

/// An expression that is read and compiled once and then compared with many others. `Send` and `Sync`.
///
/// ```
/// use fablegrade_math::{Equivalence, Options, Reference};
/// let reference = Reference::new(r"\frac{x^2-1}{x-1}", &Options::new())?;
/// assert_eq!(reference.compare_latex("x+1")?.verdict(), Equivalence::Equal);
/// assert_eq!(reference.compare_latex("x-1")?.verdict(), Equivalence::Different);
/// assert!(reference.compare_latex(r"\frac{x+1").is_err());
/// # Ok::<(), fablegrade_math::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Reference {
    options: Options,
    expression: Expression,
    value: Compiled,
    mark: Mark,
    idle: Mutex<Idle>,
    /// An arena with only the compiled expression, built at first use. Comparisons that run at the same time
    /// copy it.
    pristine: OnceLock<Arena>,
}

/// The arena and buffers that no comparison is using.
#[derive(Debug)]
struct Idle {
    /// The arena in which the expression was compiled, until the first comparison takes it.
    compiled: Option<Arena>,
    /// The buffers of earlier comparisons. They are boxed because they are several kilobytes, and each
    /// comparison takes and returns them.
    #[allow(clippy::vec_box)]
    buffers: Vec<Box<Buffers>>,
}

impl Reference {
    /// Reads and compiles the reference expression.
    ///
    /// # Errors
    /// Returns an error with its place if the LaTeX cannot be read, or if a part of it has no meaning.
    pub fn new(latex: &str, options: &Options) -> Result<Self, ParseError> {
        Self::of(Expression::parse(latex, options)?, options)
    }

    /// Compiles an expression that was read with these options.
    ///
    /// # Errors
    /// Returns an error with its place if a part of the expression has no meaning.
    pub fn of(expression: Expression, options: &Options) -> Result<Self, ParseError> {
        let mut arena = Arena::default();
        let value = compile(&expression, options, &mut arena)?;
        let mark = arena.mark();
        let idle = Mutex::new(Idle { compiled: Some(arena), buffers: Vec::new() });
        Ok(Self { options: options.clone(), expression, value, mark, idle, pristine: OnceLock::new() })
    }

    /// Returns an arena with only the compiled expression.
    fn arena(&self) -> &Arena {
        self.pristine.get_or_init(|| {
            let mut arena = Arena::default();
            // Compiling the same expression again gives the same nodes.
            let _ = compile(&self.expression, &self.options, &mut arena);
            arena
        })
    }

    /// Reads a submission with the options of this reference.
    ///
    /// # Errors
    /// Returns an error with its place if the LaTeX cannot be read.
    pub fn parse(&self, latex: &str) -> Result<Expression, ParseError> {
        Expression::parse(latex, &self.options)
    }

    /// Returns the reference as it was read.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Decides whether a submission is equal to this reference. Read the submission with [`Reference::parse`]
    /// or with the same options.
    ///
    /// The decision depends only on the two expressions and the options. The work is bounded by the budget of
    /// the options.
    ///
    /// # Errors
    /// Returns an error with its place if a part of the submission has no meaning.
    pub fn compare(&self, submission: &Expression) -> Result<Decision, ParseError> {
        self.work_in(|workspace| self.compare_readings(workspace, submission))
    }

    /// Reads a submission and decides whether it is equal; the short form of [`Reference::compare`] for a
    /// text that is compared once.
    ///
    /// # Errors
    /// Returns an error with its place if the submission cannot be read, or if a part of it has no meaning.
    pub fn compare_latex(&self, latex: &str) -> Result<Decision, ParseError> {
        let mut buffers = self.buffers();
        let Buffers { workspace, submission } = &mut *buffers;
        let decision = match submission.parse_again(latex, &self.options) {
            Ok(()) => self.compare_readings(workspace, submission),
            Err(error) => Err(error),
        };
        self.put_back(buffers);
        decision
    }

    fn buffers(&self) -> Box<Buffers> {
        let compiled = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(buffers) = idle.buffers.pop() {
                return buffers;
            }
            idle.compiled.take()
        };
        let arena = compiled.unwrap_or_else(|| self.arena().clone());
        let workspace = Workspace { arena, judge: Judge::default() };
        Box::new(Buffers { workspace, submission: Expression::default() })
    }

    fn put_back(&self, mut buffers: Box<Buffers>) {
        let arena = &mut buffers.workspace.arena;
        arena.truncate(&self.mark);
        // The next use starts with the same budget as the first.
        arena.set_budget(COMPARISON);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).buffers.push(buffers);
    }

    /// Does some work in a workspace whose arena has only the compiled expression.
    fn work_in<T>(&self, work: impl FnOnce(&mut Workspace) -> T) -> T {
        let mut buffers = self.buffers();
        let result = work(&mut buffers.workspace);
        self.put_back(buffers);
        result
    }

    /// Compares one reading of each text.
    fn compare_in(&self, workspace: &mut Workspace, expression: &Expression) -> Result<Decision, ParseError> {
        let Workspace { arena, judge } = workspace;
        let mut fuel = Fuel::new(self.options.budget());
        let submission = self.compile(expression, arena, &mut fuel)?;
        let mut difference = None;
        let agreement: Agreement = match (&self.value, submission) {
            (Compiled::Scalar(value), Compiled::Scalar(other)) => {
                let decided = decide(judge, arena, [*value, other], &self.options, &mut fuel);
                match decided.evidence {
                    // Infinite values are decided by rules.
                    Evidence::Undecided(_) if !arena.overflowed() => match settle(arena, *value, other) {
                        Some(Settled::Same) => Evidence::Proven(Proof::NormalForm).into(),
                        Some(Settled::Different) => Evidence::Refuted(None).into(),
                        Some(Settled::Finite(a, b)) => judge.decide(arena, a, b, &self.options, &mut fuel),
                        None => match without_constants(arena, *value, other) {
                            Some(sides) => decide(judge, arena, sides.into(), &self.options, &mut fuel),
                            None => decided,
                        },
                    },
                    Evidence::Refuted(_) => {
                        let is_declared = |name: &str| self.options.names().is_variable(name);
                        match without_added_constants(arena, [*value, other], is_declared) {
                            // `C` may be a constant of integration or a parameter.
                            Some(sides)
                                if decide(judge, arena, sides, &self.options, &mut fuel)
                                    .evidence
                                    .is_equal() =>
                            {
                                Evidence::Undecided(Undecided::Ambiguous(Ambiguity::CONSTANT)).into()
                            }
                            _ => decided,
                        }
                    }
                    _ => decided,
                }
            }
            _ if arena.overflowed() => Evidence::Undecided(Undecided::TooLarge).into(),
            (reference, submission) => {
                let mut oracle =
                    Exact { judge, options: &self.options, fuel: &mut fuel, weakest: Weakest::default() };
                let (first, second) = (reference.as_value(), submission.as_value());
                let (verdict, shown) = relations::compare(arena, &first, &second, &mut oracle);
                let has_exceptions = first != second
                    && [&first, &second].into_iter().any(relations::is_about_points)
                    && arena.divisors().iter().any(|&divisor| {
                        let (low, high) =
                            range_of(arena, divisor, &variables_of(arena, divisor, &self.options));
                        low <= 0.0 && high >= 0.0
                    });
                if arena.discs().is_empty() && !has_exceptions {
                    difference = shown;
                    oracle.weakest.evidence(verdict).into()
                } else {
                    // The solver cannot determine where the power series have values, or what an integral is where the
                    // divisor of its value is 0.
                    Evidence::Undecided(Undecided::NotEvaluated).into()
                }
            }
        };
        let mut evidence = agreement.evidence;
        if matches!(evidence, Evidence::Refuted(_))
            && derivatives::may_coincide(self.expression.syntax(), expression.syntax())
        {
            (evidence, difference) = (Evidence::Undecided(Undecided::NotEvaluated), None);
        }
        if products::may_differ(&self.expression, expression, self.options.names(), &evidence) {
            (evidence, difference) = (Evidence::Undecided(Undecided::FactorOrder), None);
        }
        if self.expression.syntax().differs_in_currency(expression.syntax()) && evidence.is_equal() {
            (evidence, difference) = (Evidence::Refuted(None), None);
        }
        Ok(Decision {
            evidence,
            difference,
            reference_notes: self.expression.notes().to_vec(),
            submission_notes: expression.notes().to_vec(),
            reference_undefined: agreement.left_undefined,
            submission_undefined: agreement.right_undefined,
        })
    }

    /// Compiles a submission in an arena that holds the reference. Derivatives get the notation that the
    /// reference uses.
    fn compile(
        &self,
        submission: &Expression,
        arena: &mut Arena,
        fuel: &mut Fuel,
    ) -> Result<Compiled, ParseError> {
        let aligned = derivatives::aligned(self.expression.syntax(), submission.syntax());
        let tree = aligned.as_ref().unwrap_or(submission.syntax());
        compile_tree(submission.kind(), tree, self.options.names(), arena, fuel)
    }
}

impl Compiled {
    fn as_value(&self) -> Value {
        match self {
            Self::Scalar(id) => Value::Scalar(*id),
            Self::Structured(value) => value.clone(),
        }
    }
}

/// Returns the judge's decision. Power series count only where they have values.
fn decide(
    judge: &mut Judge,
    arena: &mut Arena,
    [a, b]: [Id; 2],
    options: &Options,
    fuel: &mut Fuel,
) -> Agreement {
    let ([a, b], is_ambiguous) =
        if arena.has_families() { join_families(arena, [a, b], options.names()) } else { ([a, b], false) };
    let mut agreement = judge.decide(arena, a, b, options, fuel);
    if !arena.discs().is_empty()
        && matches!(agreement.evidence, Evidence::Refuted(_))
        && let Some(evidence) = within_discs(judge, arena, [a, b], options, fuel)
    {
        agreement.evidence = evidence;
    }
    if is_ambiguous && matches!(agreement.evidence, Evidence::Refuted(_)) {
        agreement.evidence = Evidence::Undecided(Undecided::Ambiguous(Ambiguity::SUBSCRIPT));
    }
    if may_divide_by_zero(arena, options) {
        agreement.evidence = Evidence::Undecided(Undecided::NotEvaluated);
    }
    agreement
}

/// Returns whether a divisor that was recorded in the arena may be 0 for a value of an integer variable. Of such a
/// variable, each value counts: `\int_0^{2\pi}\cos(nx)dx` is not 0 for `n=0`.
fn may_divide_by_zero(arena: &Arena, options: &Options) -> bool {
    arena
        .divisors()
        .iter()
        .any(|&divisor| may_vanish_at_integers(arena, divisor, &variables_of(arena, divisor, options)))
}

/// Returns the variables of an expression with their declared domains.
fn variables_of(arena: &Arena, id: Id, options: &Options) -> Vec<Variable> {
    let domain = |symbol| options.domain_of(arena.name(symbol)).cloned().unwrap_or_default();
    arena.free(id).iter().map(|symbol| Variable { symbol, domain: domain(symbol) }).collect()
}

/// Decides whether two sides that differ also differ where their power series have values.
fn within_discs(
    judge: &mut Judge,
    arena: &mut Arena,
    sides: [Id; 2],
    options: &Options,
    fuel: &mut Fuel,
) -> Option<Evidence> {
    let ratios = arena.discs().to_vec();
    let names =
        ratios.iter().fold(crate::expr::Symbols::default(), |all, &ratio| all.union(arena.free(ratio)));
    // Large numbers are for series in 1/x.
    let points = [(1, 3), (-1, 5), (3, 7), (-2, 9), (1, 30), (-1, 1000), (17, 3), (-91, 4), (1000, 1)];
    'points: for (numerator, denominator) in points {
        let mark = arena.mark();
        let mut at: Vec<Id> = sides.iter().chain(&ratios).copied().collect();
        for (n, name) in names.iter().enumerate() {
            let value = Rational::new(numerator, denominator + n as i64)?;
            if !options.admits(arena.name(name), &value) {
                continue 'points;
            }
            let value = arena.number(value);
            for id in &mut at {
                *id = arena.substitute(*id, name, value);
            }
        }
        let inside = at[2..]
            .iter()
            .all(|ratio| arena.as_number(*ratio).is_some_and(|ratio| ratio.absolute() < Rational::ONE));
        let evidence = inside.then(|| judge.decide(arena, at[0], at[1], options, fuel).evidence);
        arena.truncate(&mark);
        if let Some(Evidence::Refuted(_)) = evidence {
            return Some(Evidence::Refuted(None));
        }
    }
    Some(Evidence::Undecided(Undecided::NotEvaluated))
}

/// Compiles an expression according to its kind, with a separate budget.
fn compile(expression: &Expression, options: &Options, arena: &mut Arena) -> Result<Compiled, ParseError> {
    let mut fuel = Fuel::new(options.budget());
    arena.subscripts.second = options.subscripts().to_vec();
    compile_tree(expression.kind(), expression.syntax(), options.names(), arena, &mut fuel)
}

/// Compiles a tree according to its kind and charges the nodes that are looked up or built.
fn compile_tree(
    kind: Kind,
    tree: &Syntax,
    names: &Declarations,
    arena: &mut Arena,
    fuel: &mut Fuel,
) -> Result<Compiled, ParseError> {
    let before = fuel.left();
    arena.set_budget(before);
    let compiled = match kind {
        Kind::Value => lower(tree, names, arena).map(Compiled::Scalar),
        _ => relations::read(tree, names, arena).map(Compiled::Structured),
    };
    fuel.spend(before - arena.budget_left().min(before));
    // Nodes that a decision builds are charged to this budget.
    arena.set_budget(COMPARISON);
    compiled
}

/// The exact oracle for the scalars of a structured comparison.
struct Exact<'a> {
    judge: &'a mut Judge,
    options: &'a Options,
    fuel: &'a mut Fuel,
    weakest: Weakest,
}

impl Oracle for Exact<'_> {
    fn same(&mut self, arena: &mut Arena, a: Id, b: Id) -> Verdict {
        let evidence = decide(self.judge, arena, [a, b], self.options, self.fuel).evidence;
        self.weakest.meet(evidence)
    }

    fn is_bounded(&self, arena: &Arena, variable: Symbol) -> bool {
        self.options.is_bounded(arena.name(variable))
    }

    fn is_declared(&self, arena: &Arena, variable: Symbol) -> bool {
        self.options.is_declared(arena.name(variable))
    }

    fn admits(&self, arena: &Arena, variable: Symbol, value: &Rational) -> bool {
        self.options.admits(arena.name(variable), value)
    }

    fn domain(&self, arena: &Arena, variable: Symbol) -> Domain {
        self.options.domain_of(arena.name(variable)).cloned().unwrap_or_default()
    }

    fn note_agreement(&mut self, points: u32, bits: u32) {
        self.weakest.meet(Evidence::Agreed { points, bits });
    }

    fn note_uninformative(&mut self) {
        self.weakest.is_uninformative = true;
    }
}

/// The weakest evidence among the scalar decisions inside a structured one.
#[derive(Default)]
struct Weakest {
    same: Option<Evidence>,
    /// `true` if both relations hold everywhere or both nowhere and are not written the same.
    is_uninformative: bool,
}

impl Weakest {
    fn meet(&mut self, evidence: Evidence) -> Verdict {
        match evidence {
            Evidence::Refuted(_) => Verdict::Different,
            Evidence::Undecided(_) => Verdict::Unknown,
            evidence => {
                if self.same.as_ref().is_none_or(|known| evidence.strength() < known.strength()) {
                    self.same = Some(evidence);
                }
                Verdict::Same
            }
        }
    }

    fn evidence(self, verdict: Verdict) -> Evidence {
        match verdict {
            Verdict::Same => match self.same {
                None | Some(Evidence::Proven(_)) => Evidence::Proven(Proof::Parts),
                Some(weaker) => weaker,
            },
            Verdict::Different => Evidence::Refuted(None),
            Verdict::Unknown if self.is_uninformative => Evidence::Undecided(Undecided::SaysNothing),
            Verdict::Unknown => Evidence::Undecided(Undecided::NotSolved),
        }
    }
}

/// Compares two expressions once; see [`Reference`] for comparing many with one.
///
/// # Errors
/// Returns an error if a side cannot be read, or if a part of it has no meaning.
pub fn compare(reference: &str, submission: &str, options: &Options) -> Result<Decision, ParseError> {
    Reference::new(reference, options)?.compare_latex(submission)
}
