//! The jury's expectations about its submissions.

use fablegrade_public::Ratio;

use crate::glob::Glob;
use crate::program::Program;
use crate::verdict::Verdict;

/// A subset of the verdicts AC, WA, TLE and RTE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerdictSet(u8);

impl VerdictSet {
    const CODES: [Verdict; 4] =
        [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimitExceeded, Verdict::RunTimeError];
    /// All four verdicts.
    pub const ALL: Self = Self(0b1111);
    /// No verdict.
    pub const NONE: Self = Self(0);

    /// Returns the set of these verdicts; verdicts other than the four are ignored.
    pub fn new(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let bit = |verdict: Verdict| Self::CODES.iter().position(|code| *code == verdict);
        Self(verdicts.into_iter().filter_map(bit).fold(0, |set, bit| set | 1 << bit))
    }

    /// Returns whether a verdict is in the set; exceeded memory and output limits count as run-time errors.
    pub fn contains(self, verdict: Verdict) -> bool {
        self.0 & Self::new([verdict.coarse()]).0 != 0
    }

    /// Returns whether the sets have no verdict in common.
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns the verdicts that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the verdicts in the set.
    pub fn iter(self) -> impl Iterator<Item = Verdict> {
        Self::CODES.into_iter().filter(move |verdict| self.contains(*verdict))
    }
}

impl std::fmt::Display for VerdictSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let codes: Vec<&str> = self.iter().map(Verdict::as_str).collect();
        f.write_str(&codes.join("/"))
    }
}

/// The way a submission bounds the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TimeUse {
    /// Whether the time limit must be long enough for it.
    pub lower: bool,
    /// Whether the time limit must be too short for it.
    pub upper: bool,
}

/// An expectation about all cases, or about those that a pattern matches.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Expectation {
    /// The origin, for messages: `submissions.yaml:12`, or the folder.
    pub from: String,
    /// The pattern for cases and groups below `data/`; `None` matches all.
    pub cases: Option<Glob>,
    /// Verdicts that each case may have.
    pub permitted: VerdictSet,
    /// Verdicts, at least one of which must occur on some case; [`VerdictSet::ALL`] requires nothing.
    pub required: VerdictSet,
    /// Minimum and maximum score of the submission, or of the first group that `cases` matches.
    pub score: Option<(Ratio, Ratio)>,
    /// Text that the `judgemessage.txt` of at least one case must contain.
    pub message: Option<String>,
    /// The way it bounds the time limit.
    pub time: TimeUse,
}

impl Expectation {
    /// Returns the expectation for a folder in 2025-09, or `None` if the format does not define the folder.
    pub fn of_folder(folder: &str) -> Option<Self> {
        use Verdict::{Accepted as Ac, RunTimeError as Rte, TimeLimitExceeded as Tle, WrongAnswer as Wa};
        let all = VerdictSet::ALL;
        let (permitted, required) = match folder {
            "accepted" => (VerdictSet::new([Ac]), all),
            "rejected" => (all, VerdictSet::new([Rte, Tle, Wa])),
            "wrong_answer" => (VerdictSet::new([Ac, Wa]), VerdictSet::new([Wa])),
            "time_limit_exceeded" => (VerdictSet::new([Ac, Tle]), VerdictSet::new([Tle])),
            "run_time_error" => (VerdictSet::new([Ac, Rte]), VerdictSet::new([Rte])),
            "brute_force" => (VerdictSet::new([Ac, Rte, Tle]), VerdictSet::new([Rte, Tle])),
            _ => return None,
        };
        let mut this = Self {
            from: format!("submissions/{folder}"),
            cases: None,
            permitted,
            required,
            score: None,
            message: None,
            time: TimeUse::default(),
        };
        this.time = this.default_time();
        Some(this)
    }

    /// Returns the way it bounds the time limit by default.
    pub fn default_time(&self) -> TimeUse {
        let too_slow = VerdictSet::new([Verdict::TimeLimitExceeded]);
        TimeUse {
            lower: !self.permitted.contains(Verdict::TimeLimitExceeded),
            upper: self.required == too_slow,
        }
    }

    /// Returns whether the expectation applies to a case.
    pub fn covers(&self, case: &str) -> bool {
        self.cases.as_ref().is_none_or(|glob| glob.matches_with_parents(case))
    }
}

/// The folder of a legacy submission, which implies the expected result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegacyFolder {
    /// Accepted on all cases.
    Accepted,
    /// Accepted with less than the maximum score.
    PartiallyAccepted,
    /// Wrong on at least one case, never too slow, never crashing.
    WrongAnswer,
    /// Too slow on at least one case, never crashing.
    TimeLimitExceeded,
    /// Crashing on at least one case.
    RunTimeError,
}

impl LegacyFolder {
    /// All folders, with their names.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("accepted", Self::Accepted),
        ("partially_accepted", Self::PartiallyAccepted),
        ("wrong_answer", Self::WrongAnswer),
        ("time_limit_exceeded", Self::TimeLimitExceeded),
        ("run_time_error", Self::RunTimeError),
    ];
}

/// The expected result of a submission.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// Legacy: by folder; `None` for a folder that the format does not define.
    Folder(Option<LegacyFolder>),
    /// 2025-09: expectations, all of which must be met.
    All(Vec<Expectation>),
}

/// A submission of the jury.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Submission {
    /// The path below `submissions/`.
    pub path: String,
    /// The program, with includes.
    pub program: Program,
    /// The size of its own files in bytes, without includes.
    pub code_bytes: u64,
    /// The expected result.
    pub expected: Expected,
}

impl Submission {
    /// Returns the way it bounds the time limit.
    pub fn time_use(&self) -> TimeUse {
        match &self.expected {
            Expected::Folder(folder) => {
                TimeUse { lower: *folder == Some(LegacyFolder::Accepted), upper: false }
            }
            Expected::All(all) => TimeUse {
                lower: all.iter().any(|one| one.time.lower),
                upper: all.iter().any(|one| one.time.upper),
            },
        }
    }
}
