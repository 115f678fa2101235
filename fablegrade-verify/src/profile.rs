//! Profiles: the conventions that apply when an answer is compared with a reference.

/// Declares the conventions with their names and documentation.
macro_rules! conventions {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)*) => {
        /// A convention of written answers. A [`Profile`] includes or excludes each one.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Convention {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Convention {
            /// All conventions, in a fixed order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name in JSON and in Python.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the convention with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

conventions! {
    /// A unit may be omitted on one side. Units of the same dimension are converted, except between °C, °F and K.
    Units = "units",
    /// A currency sign may be omitted on one side; cents are converted.
    Currency = "currency",
    /// `20%`, `0.2` and `20` match the reference `20%`; the answer `20%` matches the references `20` and
    /// `0.2`.
    Percent = "percent",
    /// A degree sign may be omitted on one side; minutes, seconds and radians are converted.
    Degrees = "degrees",
    /// Thousands separators and decimal commas are allowed.
    Grouping = "grouping",
    /// A more exact answer may round to a decimal reference; floating-point noise is ignored.
    Rounding = "rounding",
    /// A correctly rounded decimal of at least six significant digits matches an exact reference.
    Decimals = "decimals",
    /// `x = 5` matches `5`, `f(x) = 2x` matches `2x`, and `x \in M` matches `M`.
    Names = "names",
    /// Lists match in any order, and sets match lists; repeated values in the answer count once.
    Lists = "lists",
    /// Tuples may lack brackets, have angle brackets, or be written as columns.
    Brackets = "brackets",
    /// A true chain `a = b = c` counts as `c`; an approximation such as `≈ 0.58` after a value is ignored.
    Chains = "chains",
    /// Texts match regardless of case, articles and punctuation, as do synonyms: *no solution* matches
    /// `\emptyset`.
    Words = "words",
    /// Numbers may be written in words.
    NumberWords = "number-words",
    /// An option's letter matches with or without brackets and the option's text.
    Choice = "choice",
    /// Dates and times of day match in several forms.
    Times = "times",
    /// Numbers with a stated base match if their digits and bases are the same.
    Bases = "bases",
    /// Constants of integration may be renamed and absorb numbers; the parameter of a family of solutions, such as `k`
    /// in `k\pi`, may be renamed.
    Constants = "constants",
    /// `\log` without a base may denote the natural logarithm.
    Logarithms = "logarithms",
    /// Words after a value that only describe it are ignored.
    Remarks = "remarks",
    /// Plain text and Unicode may replace LaTeX: `sqrt(2)`, `2√3`, `x**2`, `3e5`, `0.1666...`.
    Notation = "notation",
}

/// A set of conventions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Conventions(u32);

impl Conventions {
    /// Returns whether a convention is in the set.
    #[must_use]
    pub fn contains(self, convention: Convention) -> bool {
        self.0 & (1 << convention as u32) != 0
    }

    /// Returns the set with one more convention.
    #[must_use]
    pub fn with(self, convention: Convention) -> Self {
        Self(self.0 | 1 << convention as u32)
    }

    /// Returns the set without a convention.
    #[must_use]
    pub fn without(self, convention: Convention) -> Self {
        Self(self.0 & !(1 << convention as u32))
    }

    /// Returns the conventions of the set, in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Convention> {
        Convention::ALL.iter().copied().filter(move |convention| self.contains(*convention))
    }
}

/// The conventions that apply to a comparison.
///
/// ```
/// use fablegrade_verify::{Convention, Profile, Verdict, verify};
/// assert_eq!(verify("10", r"\boxed{10\text{ cm}}", &Profile::model()).verdict, Verdict::Correct);
/// let strict = Profile::model().without(Convention::Units);
/// assert_eq!(verify("10", r"\boxed{10\text{ cm}}", &strict).verdict, Verdict::Incorrect);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Profile {
    conventions: Conventions,
}

impl Profile {
    /// Creates the profile of mathematical equality, as `fablegrade equiv` decides it, with plain-text
    /// notations.
    #[must_use]
    pub fn exact() -> Self {
        Self { conventions: Conventions::default().with(Convention::Notation) }
    }

    /// Creates the profile with all conventions, by which models' answers are usually judged.
    #[must_use]
    pub fn model() -> Self {
        let all = Convention::ALL.iter().fold(Conventions::default(), |all, one| all.with(*one));
        Self { conventions: all }
    }

    /// Returns the profile with this name: `exact` or `model`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::exact()),
            "model" => Some(Self::model()),
            _ => None,
        }
    }

    /// Returns the profile with one more convention.
    #[must_use]
    pub fn with(self, convention: Convention) -> Self {
        Self { conventions: self.conventions.with(convention) }
    }

    /// Returns the profile without a convention.
    #[must_use]
    pub fn without(self, convention: Convention) -> Self {
        Self { conventions: self.conventions.without(convention) }
    }

    /// Returns whether a convention applies.
    #[must_use]
    pub fn has(&self, convention: Convention) -> bool {
        self.conventions.contains(convention)
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::model()
    }
}
