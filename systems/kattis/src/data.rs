//! Test data: groups and cases.

use fablegrade_public::Ratio;

/// A group of test data. The root, `data`, is the first group of a package; `sample` and `secret` are below it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// Path below `data/`; empty for the root.
    pub path: String,
    /// Index of the parent group; `None` for the root.
    pub parent: Option<usize>,
    /// Cases and groups in the order of judging.
    pub children: Vec<Child>,
    /// The rules that determine its result.
    pub rules: Rules,
}

/// A child of a group, by its index in the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// A group.
    Group(usize),
    /// A case.
    Case(usize),
}

/// The rules that determine the result of a group.
#[derive(Debug, Clone, PartialEq)]
pub enum Rules {
    /// The legacy versions, in which a grader computes scores.
    Grader(GraderRules),
    /// 2025-09, in which scores are aggregated.
    Flat(FlatRules),
}

/// The rules of a group in a legacy package, with inherited values filled in.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GraderRules {
    /// Whether judging of the group stops at the first child that is not accepted.
    pub breaks: bool,
    /// Whether the package's own grader is used.
    pub custom: bool,
    /// Arguments of the grader.
    pub grader_flags: Vec<String>,
    /// Score of an accepted case to which the validator gives no score.
    pub accept_score: Ratio,
    /// Score of a rejected case to which the validator gives no score.
    pub reject_score: Ratio,
    /// Minimum and maximum score; `None` if unbounded.
    pub range: (Option<Ratio>, Option<Ratio>),
    /// Arguments of the output validators.
    pub output_validator_flags: Vec<String>,
    /// The name of the only output validator that is run; `None` if all are run.
    pub output_validator: Option<String>,
    /// Arguments of input validators.
    pub input_validator_flags: ValidatorArgs,
    /// Where the arguments of validators are set.
    pub(crate) origin: ArgsOrigin,
}

/// Where arguments of validators are set: file and line, empty if nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ArgsOrigin {
    pub(crate) input: String,
    pub(crate) output: String,
}

impl GraderRules {
    /// Returns whether the default grader leaves out the first child, which it does only at the root.
    pub fn ignores_sample(&self) -> bool {
        !self.custom && self.grader_flags.iter().any(|flag| flag == "ignore_sample")
    }
}

impl Default for GraderRules {
    fn default() -> Self {
        Self {
            breaks: true,
            custom: false,
            grader_flags: Vec::new(),
            accept_score: Ratio::one(),
            reject_score: Ratio::zero(),
            range: (None, None),
            output_validator_flags: Vec::new(),
            output_validator: None,
            input_validator_flags: ValidatorArgs::default(),
            origin: ArgsOrigin::default(),
        }
    }
}

/// The way scores of a 2025-09 group are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregation {
    /// Pass or fail.
    PassFail,
    /// The sum of the scores.
    Sum,
    /// The smallest score.
    Min,
}

impl Aggregation {
    /// All aggregations, with their words in YAML.
    pub const WORDS: &'static [(&'static str, Self)] =
        &[("pass-fail", Self::PassFail), ("sum", Self::Sum), ("min", Self::Min)];

    /// Returns the word used in YAML.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PassFail => "pass-fail",
            Self::Sum => "sum",
            Self::Min => "min",
        }
    }
}

/// The rules of a group in a 2025-09 package.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FlatRules {
    /// Maximum score; `None` if unbounded.
    pub max_score: Option<Ratio>,
    /// The way its score is computed.
    pub aggregation: Aggregation,
    /// Indices of the groups that must be accepted before this group is run.
    pub require_pass: Vec<usize>,
    /// The static validation case, if there is one.
    pub static_case: Option<StaticCase>,
}

/// A static validation case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StaticCase {
    /// Maximum score; `None` if pass-fail.
    pub max_score: Option<Ratio>,
    /// Additional arguments of the validator.
    pub args: Vec<String>,
}

/// Arguments of input validators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValidatorArgs {
    /// The same arguments for every validator.
    All(Vec<String>),
    /// Arguments by the name of the validator; other validators get none.
    ByName(Vec<(String, Vec<String>)>),
}

impl Default for ValidatorArgs {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

impl ValidatorArgs {
    /// Returns the arguments of a validator.
    pub fn of(&self, name: &str) -> &[String] {
        match self {
            Self::All(args) => args,
            Self::ByName(by_name) => by_name
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, args)| args.as_slice())
                .unwrap_or_default(),
        }
    }
}

/// A test case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Case {
    /// Path below `data/`, without the ending, such as `secret/group1/03-big`.
    pub name: String,
    /// Index of its group.
    pub group: usize,
    /// Path of the input in the package.
    pub input: String,
    /// Path of the answer.
    pub answer: String,
    /// Paths of the files in the case's folder `NAME.files/`.
    pub files: Vec<String>,
    /// Command-line arguments of the submission, which input validators also get.
    pub args: Vec<String>,
    /// Arguments of the input validators.
    pub input_validator_args: ValidatorArgs,
    /// Arguments of the output validator.
    pub output_validator_args: Vec<String>,
    /// Where the arguments of validators are set.
    pub(crate) origin: ArgsOrigin,
    /// Whether a learner may see input, output and answer.
    pub full_feedback: bool,
    /// A hint for contestants who failed the case.
    pub hint: Option<String>,
    /// The purpose of the test; for judges.
    pub description: Option<String>,
}

impl Case {
    /// Returns whether it is a sample.
    pub fn is_sample(&self) -> bool {
        self.name.starts_with("sample/")
    }
}

/// A case that tests validators.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidatorCase {
    /// Path below `data/`, without the ending.
    pub name: String,
    /// The expected result.
    pub kind: ValidatorCaseKind,
    /// Path of the input.
    pub input: String,
    /// Paths of answer and output; `None` for an invalid input.
    pub answer_and_output: Option<(String, String)>,
    /// Paths of the files in the case's folder `NAME.files/`.
    pub files: Vec<String>,
    /// Command-line arguments of the submission, which input validators also get.
    pub args: Vec<String>,
    /// Arguments of the input validators.
    pub input_validator_args: ValidatorArgs,
    /// Arguments of the output validator.
    pub output_validator_args: Vec<String>,
    /// Where the arguments of validators are set.
    pub(crate) origin: ArgsOrigin,
}

/// The expected result of a case that tests validators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValidatorCaseKind {
    /// An input validator must reject the input.
    InvalidInput,
    /// The output validator must reject the output.
    InvalidOutput,
    /// The output validator must accept the output.
    ValidOutput,
}
