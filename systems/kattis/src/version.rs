//! The three versions of the format.

/// A version of the problem package format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// `legacy`, also if no version is declared.
    Legacy,
    /// `legacy-icpc`: the subset of `legacy` for contests without scores.
    LegacyIcpc,
    /// `2025-09`.
    V2025_09,
}

impl Version {
    /// All versions with their words in `problem_format_version`.
    pub const WORDS: &'static [(&'static str, Self)] =
        &[("legacy", Self::Legacy), ("legacy-icpc", Self::LegacyIcpc), ("2025-09", Self::V2025_09)];

    /// Returns the word in `problem_format_version`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::LegacyIcpc => "legacy-icpc",
            Self::V2025_09 => "2025-09",
        }
    }

    /// Returns whether this is one of the versions from before 2025.
    pub const fn is_legacy(self) -> bool {
        matches!(self, Self::Legacy | Self::LegacyIcpc)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
