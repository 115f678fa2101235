//! The metadata of a problem: `problem.yaml` as types, with all defaults filled in.

use std::collections::BTreeMap;

use fablegrade_public::Decimal;

use crate::Version;

/// The kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Kind {
    /// Whether accepted submissions get scores.
    pub scoring: bool,
    /// Whether the validator can request further passes.
    pub multi_pass: bool,
    /// Whether submission and validator communicate while they run.
    pub interactive: bool,
    /// Whether a submission is a set of answer files.
    pub submit_answer: bool,
}

/// The metadata of a problem.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Problem {
    /// Version of the format.
    pub version: Version,
    /// The kind of problem.
    pub kind: Kind,
    /// Names by language; a name without a language is under `en`.
    pub names: BTreeMap<String, String>,
    /// The UUID, which stays the same if the problem is renamed or revised.
    pub uuid: Option<String>,
    /// The licence, as written in `problem.yaml`.
    pub license: String,
    /// Codes of the languages that may be used; `None` allows all.
    pub languages: Option<Vec<String>>,
    /// Whether submissions may write into their working directory.
    pub allow_file_writing: bool,
    /// Constants by name, as written between `{{` and `}}`.
    pub constants: BTreeMap<String, String>,
    /// Legacy: whether a program of the package validates the output (`validation: custom`).
    pub custom_validation: bool,
    /// Legacy: whether the validator gives scores (`custom score`).
    pub validator_scores: bool,
    /// Legacy: arguments of each output validator.
    pub validator_flags: Vec<String>,
    /// File and line of `validator_flags`.
    pub(crate) validator_flags_at: String,
    /// Legacy: whether the smallest score is the best.
    pub minimize: bool,
    /// Limits.
    pub limits: Limits,
}

/// Limits with the typical defaults filled in.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// 2025-09: the time limit in seconds, if the author sets it.
    pub time_limit: Option<Decimal>,
    /// 2025-09: the time limit is a multiple of this many seconds.
    pub time_resolution: Decimal,
    /// 2025-09: `ac_to_time_limit`, 2 by default. Legacy: `time_multiplier`, 5 by default.
    pub ac_to_time_limit: Decimal,
    /// 2025-09: `time_limit_to_tle`, 1.5 by default. Legacy: `time_safety_margin`, 2 by default.
    pub time_limit_to_tle: Decimal,
    /// The memory limit in MiB.
    pub memory: u64,
    /// The output limit in MiB.
    pub output: u64,
    /// The code limit in KiB.
    pub code: u64,
    /// The time limit of the compilation in seconds.
    pub compilation_time: u64,
    /// The memory limit of the compilation in MiB.
    pub compilation_memory: u64,
    /// The time limit of the validation in seconds.
    pub validation_time: u64,
    /// The memory limit of the validation in MiB.
    pub validation_memory: u64,
    /// The output limit of the validation in MiB.
    pub validation_output: u64,
    /// Maximum number of passes of a multi-pass problem.
    pub validation_passes: u32,
}

impl Problem {
    /// Returns whether the output validators of the package are run, if it has any.
    pub fn runs_validators(&self) -> bool {
        !self.version.is_legacy() || self.custom_validation
    }
}

impl Limits {
    /// Returns the defaults of a version.
    pub fn of(version: Version) -> Self {
        let legacy = version.is_legacy();
        Self {
            time_limit: None,
            time_resolution: Decimal::one(),
            ac_to_time_limit: Decimal::from(if legacy { 5 } else { 2 }),
            time_limit_to_tle: if legacy { Decimal::from(2) } else { Decimal::new(15, -1) },
            memory: 2048,
            output: 8,
            code: 128,
            compilation_time: 60,
            compilation_memory: 2048,
            validation_time: 60,
            validation_memory: 2048,
            validation_output: 8,
            validation_passes: 2,
        }
    }
}
