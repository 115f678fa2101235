//! Evidence of a decision.

use std::fmt;

use super::{Ambiguity, Counts};

/// Evidence that two expressions are equal or different, or the reason why there is none.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// Equal, with a proof.
    Proven(Proof),
    /// Equal, except for a coincidence of the pseudo-random samples with a probability below `2^-error_bits`.
    Identity {
        /// The exponent `k` of the bound `2^-k`.
        error_bits: u32,
    },
    /// Different. The witness is missing for answers that are not single values, and if the difference is
    /// known but no point shows it.
    Refuted(Option<Box<Witness>>),
    /// Equal to many digits at several points, or at the only point if there are no variables.
    Agreed {
        /// The number of points at which both sides have a value.
        points: u32,
        /// The number of binary digits to which the values agree.
        bits: u32,
    },
    /// Neither equality nor a difference was shown.
    Undecided(Undecided),
}

impl Evidence {
    /// Returns whether this is evidence of equality, of any strength.
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

    /// Returns a key that orders evidence of equality from weak to strong; other evidence has a larger key.
    pub(crate) fn strength(&self) -> (u8, u32) {
        match self {
            Self::Agreed { bits, .. } => (0, *bits),
            Self::Identity { error_bits } => (1, *error_bits),
            Self::Proven(_) => (2, 0),
            Self::Refuted(_) | Self::Undecided(_) => (3, 0),
        }
    }
}

/// Describes the evidence in words.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proven(proof) => f.write_str(match proof {
                Proof::SameForm => "the same expression up to order and arithmetic on numbers",
                Proof::NormalForm => "the same exact normal form",
                Proof::Separation => {
                    "equal algebraic numbers: their difference is below the root separation bound"
                }
                Proof::EveryPoint => "the same at each point of the domain",
                Proof::Parts => "the same by the rules for its kind, every part proven the same",
            }),
            Self::Identity { error_bits } => {
                write!(f, "identity testing: the probability of a coincidence is below 2^-{error_bits}")
            }
            Self::Refuted(Some(witness)) => write!(f, "{witness}"),
            Self::Refuted(None) => f.write_str("known to differ"),
            Self::Agreed { points, bits } => {
                let plural = if *points == 1 { "" } else { "s" };
                write!(f, "the values agree to {bits} bits at {points} point{plural}")
            }
            Self::Undecided(why) => write!(f, "{why}"),
        }
    }
}

/// The kinds of [`Evidence`], each with a stable name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// Equal, exactly: `proven`.
    Proven,
    /// Equal, except for a coincidence of a stated probability: `identity`.
    Identity,
    /// Equal to many digits at the compared points: `agreed`.
    Agreed,
    /// Different: `refuted`.
    Refuted,
    /// Neither equality nor a difference was shown: `undecided`.
    Undecided,
}

impl EvidenceKind {
    /// Returns the stable name.
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

impl fmt::Display for EvidenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Methods of proving equality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// The same expression, up to the order of terms and factors and arithmetic on numbers.
    SameForm,
    /// The same exact normal form.
    NormalForm,
    /// Algebraic numbers that are closer than their separation bound.
    Separation,
    /// Exact equality at each point of a small domain.
    EveryPoint,
    /// Sets, intervals, lists, statements and the like that are equal by the rules for their kind, with parts
    /// that are proven equal.
    Parts,
}

/// A point at which two expressions certainly differ.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Witness {
    /// The values of the variables; empty for constants. Show it to authors, never to learners.
    pub point: Vec<(String, f64)>,
    /// The real and imaginary parts of the left side.
    pub left: (f64, f64),
    /// The real and imaginary parts of the right side.
    pub right: (f64, f64),
    /// A bound on the sum of the two values' errors; 0 if ball arithmetic found the difference.
    pub bound: f64,
}

/// Describes the point and both values. Show it to authors, never to learners.
impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |(real, imaginary): (f64, f64)| {
            if imaginary == 0.0 { format!("{real}") } else { format!("{real} {imaginary:+}i") }
        };
        let point: Vec<String> = self.point.iter().map(|(name, at)| format!("{name} = {at}")).collect();
        let at = if point.is_empty() { String::new() } else { format!("at {}: ", point.join(", ")) };
        // Values can be proven different even if they are equal in double precision.
        let close = if self.left == self.right { ", which differ beyond these digits" } else { "" };
        write!(f, "{at}{} against {}{close}", value(self.left), value(self.right))
    }
}

/// Reasons why neither equality nor a difference was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Undecided {
    /// An expression exceeds the size limits.
    TooLarge,
    /// An expression has no value anywhere.
    NoValue,
    /// No point was found at which both sides have a value.
    NoPoints,
    /// The values agree, but at too few points.
    FewPoints,
    /// An expression contains a part that cannot be evaluated.
    NotEvaluated,
    /// The order of the factors may count, as in products of matrices and vectors.
    FactorOrder,
    /// The highest precision shows neither equality nor a difference.
    TooClose,
    /// The budget ran out, or another limit of the search was reached.
    OutOfFuel,
    /// The values agree, but a part may have a piece that contains none of the points.
    UnmetPiece,
    /// Statements, sets or ratios could not be solved far enough to be compared.
    NotSolved,
    /// Relations of different form hold everywhere or nowhere, so their solutions do not distinguish them.
    SaysNothing,
    /// A text has two plausible readings with different verdicts.
    Ambiguous(Ambiguity),
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "an expression is too large",
            Self::NoValue => "an expression has no value",
            Self::NoPoints => "no point was found at which both sides have a value",
            Self::FewPoints => "the values agree, but too few points were found at which both sides have a value",
            Self::NotEvaluated => "an expression contains a part that cannot be evaluated",
            Self::FactorOrder => {
                "the order of the factors may count, as in products of matrices and vectors; declare letters that are \
                 numbers as variables"
            }
            Self::TooClose => "the values are too close to be told apart and too far to be the same",
            Self::OutOfFuel => "the budget of work ran out, or the search reached another limit",
            Self::UnmetPiece => {
                "the values agree, but the argument of an absolute value, a root or an inverse function may change \
                 its sign or branch where no point was found"
            }
            Self::Ambiguous(what) => return what.fmt(f),
            Self::SaysNothing => {
                "both relations hold everywhere or nowhere, so their solutions do not distinguish them; write both \
                 sides the same way"
            }
            Self::NotSolved => "the two sides could not be solved far enough to be compared",
        })
    }
}

/// Evidence, with flags for one-sided undefinedness.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Agreement {
    /// The evidence.
    pub(crate) evidence: Evidence,
    /// The left side is undefined at a compared point at which the right side is not.
    pub(crate) left_undefined: bool,
    /// The right side is undefined at a compared point at which the left side is not.
    pub(crate) right_undefined: bool,
}

impl Agreement {
    pub(crate) fn new(evidence: Evidence, counts: Counts) -> Self {
        Self { evidence, left_undefined: counts.one_sided[0], right_undefined: counts.one_sided[1] }
    }
}

impl From<Evidence> for Agreement {
    fn from(evidence: Evidence) -> Self {
        Self { evidence, left_undefined: false, right_undefined: false }
    }
}
