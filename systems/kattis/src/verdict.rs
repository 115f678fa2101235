//! Verdicts.

/// The verdict on a case, a group or a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// A program of the package failed or broke a rule, or the host failed. This does not count against the
    /// submission.
    JudgeError,
    /// The submission could not be built.
    CompileError,
    /// The submission crashed.
    RunTimeError,
    /// The submission exceeded the memory limit.
    MemoryLimitExceeded,
    /// The submission exceeded the time limit.
    TimeLimitExceeded,
    /// The submission exceeded the output limit.
    OutputLimitExceeded,
    /// The output is wrong.
    WrongAnswer,
    /// The submission is correct.
    Accepted,
}

impl Verdict {
    /// All verdicts, the worst first, in the order of the default grader.
    pub const ALL: [Self; 8] = [
        Self::JudgeError,
        Self::CompileError,
        Self::RunTimeError,
        Self::MemoryLimitExceeded,
        Self::TimeLimitExceeded,
        Self::OutputLimitExceeded,
        Self::WrongAnswer,
        Self::Accepted,
    ];

    /// Returns the short code: `AC`, `WA`, `TLE`, `RTE`, `MLE`, `OLE`, `CE`, `JE`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JudgeError => "JE",
            Self::CompileError => "CE",
            Self::RunTimeError => "RTE",
            Self::MemoryLimitExceeded => "MLE",
            Self::TimeLimitExceeded => "TLE",
            Self::OutputLimitExceeded => "OLE",
            Self::WrongAnswer => "WA",
            Self::Accepted => "AC",
        }
    }

    /// Returns the verdict with this code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == code)
    }

    /// Returns the verdict for custom graders and expectations, in which exceeded memory and output limits are run-time
    /// errors.
    #[must_use]
    pub const fn coarse(self) -> Self {
        match self {
            Self::MemoryLimitExceeded | Self::OutputLimitExceeded => Self::RunTimeError,
            other => other,
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
