//! What is to be run, as the runner needs it.

use fablegrade_public::view::code::{Language, Visibility};

/// A submission and its cases.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The language.
    pub language: Language,
    /// The submitted source.
    pub source: String,
    /// The entry function; `None`: the program reads standard input.
    pub function: Option<String>,
    /// The cases in the question's order.
    pub cases: Vec<PlannedCase>,
}

/// One case, without what is expected of it.
#[derive(Debug, Clone)]
pub struct PlannedCase {
    /// Name of its suite.
    pub suite: String,
    /// Index within the suite.
    pub case_index: u32,
    /// Who sees it; public cases are run first.
    pub visibility: Visibility,
    /// Standard input, or the JSON array of arguments.
    pub input: String,
    /// CPU time in milliseconds.
    pub time_ms: u32,
    /// Memory in MiB.
    pub memory_mb: u32,
    /// Output in KiB.
    pub output_kb: u32,
}
