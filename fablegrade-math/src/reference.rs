//! The entrance: options, a compiled reference, decisions.

use crate::decide::{Agreement, Domains, Evidence, Judge, Undecided};
use crate::expr::{Arena, Id, Mark};
use crate::fuel::Fuel;
use crate::latex::{self, Note, ParseError};
use crate::lower::lower;
use crate::points::Domain;
use crate::symbols::{Declarations, LogBase, normal_name};
use crate::syntax::Syntax;
use std::sync::{Mutex, PoisonError};

/// How expressions are read and compared.
///
/// ```
/// use fablegrade_math::{Domain, Options, compare};
/// let options = Options::new().domain("x", Domain { min: Some(0.into()), ..Domain::default() });
/// assert_eq!(compare(r"\sqrt{x^2}", "x", &options)?.equal(), Some(true));
/// assert_eq!(compare(r"\sqrt{x^2}", "x", &Options::new())?.equal(), Some(false));
/// # Ok::<(), fablegrade_math::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    names: Declarations,
    domains: Vec<(String, Domain)>,
    fuel: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// Units of work (about ten nanoseconds each) that one comparison may spend.
    pub const FUEL: u64 = 1_000_000;

    /// Single letters are real variables, `e` and `i` are constants, `\log` has base 10.
    pub fn new() -> Self {
        Self { names: Declarations::new(), domains: Vec::new(), fuel: Self::FUEL }
    }

    /// Declares a variable over all reals, written as LaTeX (`\alpha`, `x_{12}`) or plainly (`speed`).
    #[must_use]
    pub fn variable(mut self, name: &str) -> Self {
        self.names = self.names.variable(name);
        self
    }

    /// Declares a variable with its domain.
    #[must_use]
    pub fn domain(mut self, name: &str, domain: Domain) -> Self {
        self.names = self.names.variable(name);
        self.domains.push((normal_name(name), domain));
        self
    }

    /// Declares a function: `f(x+1)` is then its value, not a product.
    #[must_use]
    pub fn function(mut self, name: &str) -> Self {
        self.names = self.names.function(name);
        self
    }

    /// What `\log` without a base means.
    #[must_use]
    pub fn log_base(mut self, base: LogBase) -> Self {
        self.names = self.names.log_base(base);
        self
    }

    /// Another budget for a comparison, in units of about ten nanoseconds.
    #[must_use]
    pub fn fuel(mut self, units: u64) -> Self {
        self.fuel = units;
        self
    }

    /// The declared names.
    pub fn names(&self) -> &Declarations {
        &self.names
    }
}

impl Domains for Options {
    fn domain(&self, name: &str) -> Option<&Domain> {
        if self.domains.is_empty() {
            return None;
        }
        self.domains.iter().rev().find(|(known, _)| known == name).map(|(_, domain)| domain)
    }
}

/// Whether two expressions are the same, and what the answer rests on.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// What the decision rests on.
    pub evidence: Evidence,
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
    tree: Syntax,
    /// `None` if the reference is not a single value.
    value: Option<Id>,
    arena: Arena,
    mark: Mark,
    hash: u64,
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
        let tree = latex::parse(latex, &options.names)?;
        let mut arena = Arena::default();
        let value = lower(&tree, &options.names, &mut arena).ok();
        let (mark, notes) = (arena.mark(), tree.notes().to_vec());
        Ok(Self {
            options: options.clone(),
            tree,
            value,
            arena,
            mark,
            hash: hash_text(latex),
            notes,
            idle: Mutex::new(Vec::new()),
        })
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
    /// The decision depends on the two texts and the options alone. Bounded by the fuel of the options.
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
        let decision = self.compare_in(&mut workspace, latex);
        workspace.arena.truncate(&self.mark);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
        decision
    }

    fn compare_in(&self, workspace: &mut Workspace, latex: &str) -> Result<Decision, ParseError> {
        let Workspace { arena, tree, judge } = workspace;
        latex::parse_into(tree, latex, &self.options.names)?;
        let seed = self.hash.wrapping_add(hash_text(latex));
        let mut fuel = Fuel::new(self.options.fuel);
        let agreement: Agreement = match self.value {
            Some(value) => match lower(tree, &self.options.names, arena) {
                Ok(other) => judge.decide(arena, value, other, seed, &self.options, &mut fuel),
                Err(_) => Evidence::Undecided(Undecided::OtherKind).into(),
            },
            None => Evidence::Undecided(Undecided::OtherKind).into(),
        };
        Ok(Decision {
            evidence: agreement.evidence,
            reference_notes: self.notes.clone(),
            submission_notes: tree.notes().to_vec(),
            reference_undefined: agreement.left_undefined,
            submission_undefined: agreement.right_undefined,
        })
    }
}

/// Compares two expressions once; see [`Reference`] for comparing many with one.
///
/// # Errors
/// When either side cannot be read.
pub fn compare(reference: &str, submission: &str, options: &Options) -> Result<Decision, ParseError> {
    Reference::new(reference, options)?.compare(submission)
}

fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0x1234_5678_9ABC_DEF1, |hash, byte| crate::field::scramble(hash, u64::from(byte)))
}
