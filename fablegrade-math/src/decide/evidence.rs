//! Evidence of a decision.

use super::Look;

/// Evidence that two expressions are the same, or not.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// The same, exactly.
    Proven(Proof),
    /// The same, unless pseudo-random sample values met a coincidence of probability below `2^-error_bits`.
    Identity {
        /// `k` of the bound `2^-k`.
        error_bits: u32,
    },
    /// Not the same. The witness is missing where the expressions are known to differ but no float shows a difference.
    Refuted(Option<Box<Witness>>),
    /// Not distinguished by values to many digits at many points.
    Agreed {
        /// Points at which both sides have a value.
        points: u32,
        /// Binary digits to which they agree.
        bits: u32,
    },
    /// Neither equality nor a difference is shown.
    Undecided(Undecided),
}

impl Evidence {
    /// Returns whether the two sides are the same, with any of the strengths.
    pub fn is_equal(&self) -> bool {
        matches!(self, Self::Proven(_) | Self::Identity { .. } | Self::Agreed { .. })
    }

    /// Returns the kind of evidence.
    pub fn kind(&self) -> EvidenceKind {
        match self {
            Self::Proven(_) => EvidenceKind::Proven,
            Self::Identity { .. } => EvidenceKind::Identity,
            Self::Refuted(_) => EvidenceKind::Refuted,
            Self::Agreed { .. } => EvidenceKind::Agreed,
            Self::Undecided(_) => EvidenceKind::Undecided,
        }
    }

    /// Orders evidence for equality: the smaller, the weaker. Other evidence is above all of it.
    pub(crate) fn strength(&self) -> (u8, u32) {
        match self {
            Self::Agreed { bits, .. } => (0, *bits),
            Self::Identity { error_bits } => (1, *error_bits),
            Self::Proven(_) => (2, 0),
            Self::Refuted(_) | Self::Undecided(_) => (3, 0),
        }
    }
}

/// The kinds of [`Evidence`], each with a stable word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// Equal, exactly: `proven`.
    Proven,
    /// Equal but for a coincidence of a stated probability: `identity`.
    Identity,
    /// Equal to many digits at many points: `agreed`.
    Agreed,
    /// Different: `refuted`.
    Refuted,
    /// Neither equality nor a difference is shown: `undecided`.
    Undecided,
}

impl EvidenceKind {
    /// Returns its stable word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Identity => "identity",
            Self::Agreed => "agreed",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
        }
    }
}

impl std::fmt::Display for EvidenceKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The methods of proving equality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// The same expression, up to the order of terms and factors and arithmetic on numbers.
    SameForm,
    /// The same exact normal form.
    NormalForm,
    /// Algebraic numbers closer than different ones of their kind can be.
    Separation,
    /// The same, exactly, at each of the few points that the domains have.
    EveryPoint,
    /// Sets, intervals, lists, statements and the like that are the same by the rules for their kind, with parts that
    /// are proven the same.
    Parts,
}

/// A point at which two expressions certainly differ.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Witness {
    /// The values of the variables; empty for constants. Show it to authors, never to learners.
    pub point: Vec<(String, f64)>,
    /// Real and imaginary part of the left side.
    pub left: (f64, f64),
    /// Real and imaginary part of the right side.
    pub right: (f64, f64),
    /// The bound of the error of the two values together.
    pub bound: f64,
}

/// The reason why there is no decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Undecided {
    /// An expression grew beyond the caps.
    TooLarge,
    /// An expression has no value anywhere.
    NoValue,
    /// No point was found at which both sides have a value.
    NoPoints,
    /// A part is of a kind that is not evaluated.
    NotEvaluated,
    /// Neither equality nor a difference is shown at the highest precision.
    TooClose,
    /// The budget ran out.
    OutOfFuel,
    /// The values agree, but a part may have a piece in which no point was found.
    UnmetPiece,
    /// Statements, sets or ratios for which neither equality nor a difference is shown.
    NotSolved,
    /// Relations that hold everywhere, or nowhere, and are not written the same: their solutions do not distinguish them.
    SaysNothing,
    /// A text has two readings about as likely, with which the verdicts differ.
    Ambiguous,
}

impl std::fmt::Display for Undecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "an expression is too large",
            Self::NoValue => "an expression has no value",
            Self::NoPoints => "no point was found at which both sides have a value",
            Self::NotEvaluated => "an expression contains something that is not evaluated",
            Self::TooClose => "the values are too close to be told apart and too far to be the same",
            Self::OutOfFuel => "the budget of work ran out",
            Self::UnmetPiece => {
                "the values agree, but the argument of an absolute value, a root or an inverse function may change its sign or branch where no point was found"
            }
            Self::Ambiguous => {
                "a text can be read in two ways with different verdicts: declare the letter before a bracket as a variable or a function, write \\cdot10^{n} for a power of ten, declare letters under bars as complex"
            }
            Self::SaysNothing => {
                "both relations hold everywhere or nowhere, so that their solutions do not tell whether they say the same; write both sides the same way"
            }
            Self::NotSolved => "the two sides could not be solved far enough to be compared",
        })
    }
}

/// Evidence, and where a side was undefined.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Agreement {
    /// The evidence itself.
    pub(crate) evidence: Evidence,
    /// The left side is undefined on more than isolated points where the right side has values.
    pub(crate) left_undefined: bool,
    /// The right side is undefined on more than isolated points where the left side has values.
    pub(crate) right_undefined: bool,
}

impl Agreement {
    pub(crate) fn new(evidence: Evidence, look: Look) -> Self {
        Self { evidence, left_undefined: look.one_sided[0], right_undefined: look.one_sided[1] }
    }
}

impl From<Evidence> for Agreement {
    fn from(evidence: Evidence) -> Self {
        Self { evidence, left_undefined: false, right_undefined: false }
    }
}
