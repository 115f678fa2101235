//! The entrance: a compiled reference, decisions.

mod modes;

use crate::canonical::same_normal_form;
use crate::decide::{Agreement, Domains, Evidence, Judge, Proof, Undecided};
use crate::expr::{self, Arena, Id, Mark, Symbol};
use crate::fuel::Fuel;
use crate::latex::{self, Note, ParseError, Problem};
use crate::lower::{Settled, join_families, lower, settle, without_constants};
use crate::number::Rational;
use crate::options::Options;
use crate::points::Domain;
use crate::relations::{self, Difference, Oracle, Value, Verdict};
use crate::symbols::Declarations;
use crate::syntax::Syntax;
use fablegrade_latex::same_form::same_form;
use std::sync::{Mutex, PoisonError};

impl Domains for Options {
    fn domain(&self, name: &str) -> Option<&Domain> {
        self.domain_of(name)
    }
}

/// Whether two expressions are the same, and what the answer rests on.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// What the decision rests on.
    pub evidence: Evidence,
    /// Where sets, intervals, lists, statements and the like part, if they are different and a place stands out.
    pub difference: Option<Difference>,
    /// How the reference was read where there was a choice.
    pub reference_notes: Vec<Note>,
    /// How the submission was read where there was a choice.
    pub submission_notes: Vec<Note>,
    /// The reference is undefined on more than isolated points where the submission has values.
    pub reference_undefined: bool,
    /// The submission is undefined on more than isolated points where the reference has values.
    pub submission_undefined: bool,
}

impl Decision {
    /// Equal, different, or undecided.
    pub fn equal(&self) -> Option<bool> {
        match self.evidence {
            Evidence::Proven(_) | Evidence::Identity { .. } | Evidence::Agreed { .. } => Some(true),
            Evidence::Refuted(_) => Some(false),
            Evidence::Undecided(_) => None,
        }
    }

    /// The point at which exactly one of two relations or sets holds, its names with numbers or LaTeX, and the side that holds
    /// there. Show it to authors, never to learners.
    pub fn witness(&self) -> Option<(&[(String, String)], relations::Side)> {
        match &self.difference {
            Some(Difference::Holds { point, only }) => Some((point, *only)),
            _ => None,
        }
    }

    /// One word: `proven`, `identity`, `agreed`, `refuted` or `undecided`.
    pub fn how(&self) -> &'static str {
        match self.evidence {
            Evidence::Proven(_) => "proven",
            Evidence::Identity { .. } => "identity",
            Evidence::Agreed { .. } => "agreed",
            Evidence::Refuted(_) => "refuted",
            Evidence::Undecided(_) => "undecided",
        }
    }
}

/// What the reference is.
#[derive(Clone, Debug)]
enum Compiled {
    Scalar(Id),
    /// An equation, a set, a list ...
    Structured(Value),
}

/// Everything a comparison writes to.
#[derive(Debug)]
struct Workspace {
    arena: Arena,
    tree: Syntax,
    judge: Judge,
}

/// One expression, read and compiled once, to compare many others with. `Send` and `Sync`.
///
/// ```
/// use fablegrade_math::{Options, Reference};
/// let reference = Reference::new(r"\frac{x^2-1}{x-1}", &Options::new())?;
/// assert_eq!(reference.compare("x+1")?.equal(), Some(true));
/// assert_eq!(reference.compare("x-1")?.equal(), Some(false));
/// assert!(reference.compare(r"\frac{x+1").is_err());
/// # Ok::<(), fablegrade_math::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Reference {
    options: Options,
    source: String,
    tree: Syntax,
    value: Compiled,
    arena: Arena,
    mark: Mark,
    notes: Vec<Note>,
    /// Workspaces that no comparison uses at the moment.
    idle: Mutex<Vec<Workspace>>,
}

impl Reference {
    /// Reads the reference expression.
    ///
    /// # Errors
    /// When the LaTeX cannot be read, with the place.
    pub fn new(latex: &str, options: &Options) -> Result<Self, ParseError> {
        let tree = latex::parse(latex, options.names())?;
        let mut arena = Arena::default();
        let value = compile(&tree, options.names(), &mut arena)?;
        let (mark, notes) = (arena.mark(), tree.notes().to_vec());
        Ok(Self {
            options: options.clone(),
            source: latex.to_owned(),
            tree,
            value,
            arena,
            mark,
            notes,
            idle: Mutex::new(Vec::new()),
        })
    }

    /// This reference and a submission under the second readings of both, where these are about as likely as the first.
    ///
    /// `None` when there are none, or when the other side settles which one is meant.
    pub(crate) fn second_reading(&self, submission: &Syntax, latex: &str) -> Option<Box<Self>> {
        let (mine, theirs) = (self.tree.doubtful(), submission.doubtful());
        if mine.is_empty() && theirs.is_empty() || self.source == latex {
            return None;
        }
        let mut all = mine.clone();
        all.exponent |= theirs.exponent;
        if self.tree.has_euler() || submission.has_euler() {
            all.exponent = false;
        }
        all.calls.extend(theirs.calls.iter().filter(|name| !mine.calls.contains(name)).cloned());
        all.conjugates
            .extend(theirs.conjugates.iter().filter(|name| !mine.conjugates.contains(name)).cloned());
        if all.is_empty() {
            return None;
        }
        let options = self.options.second_reading(&all);
        latex::parse(latex, options.names()).ok()?;
        Self::new(&self.source, &options).ok().map(Box::new)
    }

    /// How the reference was read.
    pub fn syntax(&self) -> &Syntax {
        &self.tree
    }

    /// Readings that were chosen in the reference.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Decides whether a submission is the same.
    ///
    /// The decision depends on the two expressions and the options alone, not on how they are spelled. Bounded by the fuel of the options.
    ///
    /// # Errors
    /// When the submission cannot be read, with the place.
    pub fn compare(&self, latex: &str) -> Result<Decision, ParseError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut workspace = idle.unwrap_or_else(|| Workspace {
            arena: self.arena.clone(),
            tree: Syntax::default(),
            judge: Judge::default(),
        });
        let mut decision = self.compare_in(&mut workspace, latex);
        if let Ok(decision) = &mut decision
            && let Some(equal) = decision.equal()
            && let Some(second) = self.second_reading(&workspace.tree, latex)
            && let Some(other) = second.says_the_contrary(latex, equal)
        {
            if self.is_nothing_as_product(&second, &workspace, latex) && other.equal() == Some(false) {
                (decision.evidence, decision.difference) = (other.evidence, other.difference);
            } else {
                decision.evidence = Evidence::Undecided(Undecided::Ambiguous);
                decision.difference = None;
            }
        }
        workspace.arena.truncate(&self.mark);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
        decision
    }

    /// The comparison with one reading of each text, if it says something else.
    fn says_the_contrary(&self, latex: &str, equal: bool) -> Option<Decision> {
        let mut workspace =
            Workspace { arena: self.arena.clone(), tree: Syntax::default(), judge: Judge::default() };
        let decision = self.compare_in(&mut workspace, latex).ok()?;
        // what a relation between values of a function says is not known: it is the same where it is written the same
        let unknown = self.is_structured() && self.options.names().has_functions();
        let contrary =
            decision.equal() != Some(equal) || unknown && equal && !same_form(&self.tree, &workspace.tree);
        contrary.then_some(decision)
    }

    /// Whether a whole side is 0 if letters before brackets are factors: nobody writes `f(0)` for `0`.
    fn is_nothing_as_product(&self, second: &Self, workspace: &Workspace, latex: &str) -> bool {
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
        if !self.tree.doubtful().calls.is_empty()
            && vanishing(zeros(&self.arena, &self.value), zeros(&second.arena, &second.value))
        {
            return true;
        }
        if workspace.tree.doubtful().calls.is_empty() {
            return false;
        }
        let read = |options: &Options| {
            let tree = latex::parse(latex, options.names()).ok()?;
            let mut arena = Arena::default();
            let value = compile(&tree, options.names(), &mut arena).ok()?;
            Some(zeros(&arena, &value))
        };
        match (read(&self.options), read(&second.options)) {
            (Some(product), Some(called)) => vanishing(product, called),
            _ => false,
        }
    }

    fn compare_in(&self, workspace: &mut Workspace, latex: &str) -> Result<Decision, ParseError> {
        let Workspace { arena, tree, judge } = workspace;
        latex::parse_into(tree, latex, self.options.names())?;
        latex::derivatives::align(&self.tree, tree);
        let mut fuel = Fuel::new(self.options.units());
        let submission = compile(tree, self.options.names(), arena)?;
        let mut difference = None;
        let agreement: Agreement = match (&self.value, submission) {
            (Compiled::Scalar(value), Compiled::Scalar(other)) => {
                let decided = decide(judge, arena, [*value, other], &self.options, &mut fuel);
                match decided.evidence {
                    // infinite values are settled by rule
                    Evidence::Undecided(_) if !arena.overflowed() => match settle(arena, *value, other) {
                        Some(Settled::Same) => Evidence::Proven(Proof::NormalForm).into(),
                        Some(Settled::Different) => Evidence::Refuted(None).into(),
                        Some(Settled::Finite(a, b)) => judge.decide(arena, a, b, &self.options, &mut fuel),
                        None => match without_constants(arena, *value, other) {
                            Some(sides) => decide(judge, arena, sides.into(), &self.options, &mut fuel),
                            None => decided,
                        },
                    },
                    _ => decided,
                }
            }
            (reference, submission) => {
                let mut oracle =
                    Exact { judge, options: &self.options, fuel: &mut fuel, weakest: Weakest::default() };
                let (first, second) = (reference.as_value(), submission.as_value());
                let (verdict, shown) = relations::compare(arena, &first, &second, &mut oracle);
                if arena.discs().is_empty() {
                    difference = shown;
                    oracle.weakest.evidence(verdict).into()
                } else {
                    // where the series have values is not known to the solver
                    Evidence::Undecided(Undecided::NotEvaluated).into()
                }
            }
        };
        Ok(Decision {
            evidence: agreement.evidence,
            difference,
            reference_notes: self.notes.clone(),
            submission_notes: tree.notes().to_vec(),
            reference_undefined: agreement.left_undefined,
            submission_undefined: agreement.right_undefined,
        })
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

/// The judge's decision; an identity is upgraded to a proof where the exact normal form is small enough to compare.
fn decide(
    judge: &mut Judge,
    arena: &mut Arena,
    [a, b]: [Id; 2],
    options: &Options,
    fuel: &mut Fuel,
) -> Agreement {
    let [a, b] = if arena.has_families() { join_families(arena, [a, b], options.names()) } else { [a, b] };
    let mut agreement = judge.decide(arena, a, b, options, fuel);
    if !arena.discs().is_empty()
        && matches!(agreement.evidence, Evidence::Refuted(_))
        && let Some(evidence) = within_discs(judge, arena, [a, b], options, fuel)
    {
        agreement.evidence = evidence;
    }
    if matches!(agreement.evidence, Evidence::Identity { .. }) && same_normal_form(arena, a, b) {
        agreement.evidence = Evidence::Proven(Proof::NormalForm);
    }
    agreement
}

/// Whether two sides that differ do so where their power series have values; `None` where the first decision stands.
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
    'points: for (numerator, denominator) in [(1, 3), (-1, 5), (3, 7), (-2, 9), (1, 30), (-1, 1000)] {
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

/// One value if it is one, else what it is made of.
fn compile(tree: &Syntax, names: &Declarations, arena: &mut Arena) -> Result<Compiled, ParseError> {
    match lower(tree, names, arena) {
        Ok(value) => Ok(Compiled::Scalar(value)),
        Err(error) if error.problem == Problem::NotAValue => {
            relations::read(tree, names, arena).map(Compiled::Structured)
        }
        Err(error) => Err(error),
    }
}

/// Decides the scalars of a structured comparison.
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

    fn admits(&self, arena: &Arena, variable: Symbol, value: &Rational) -> bool {
        self.options.admits(arena.name(variable), value)
    }

    fn domain(&self, arena: &Arena, variable: Symbol) -> Domain {
        self.options.domain_of(arena.name(variable)).cloned().unwrap_or_default()
    }

    fn note_agreement(&mut self, points: u32, bits: u32) {
        self.weakest.meet(Evidence::Agreed { points, bits });
    }
}

/// The weakest evidence among the scalar decisions inside a structured one.
#[derive(Default)]
struct Weakest {
    same: Option<Evidence>,
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
            Verdict::Unknown => Evidence::Undecided(Undecided::NotSolved),
        }
    }
}

/// Compares two expressions once; see [`Reference`] for comparing many with one.
///
/// # Errors
/// When either side cannot be read.
pub fn compare(reference: &str, submission: &str, options: &Options) -> Result<Decision, ParseError> {
    Reference::new(reference, options)?.compare(submission)
}
