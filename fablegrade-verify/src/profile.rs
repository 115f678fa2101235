//! Profiles: which conventions apply when an answer is compared with a reference.

/// Declares the conventions with their names and what each one allows.
macro_rules! conventions {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)*) => {
        /// One convention of written answers. Each can be switched on or off in a [`Profile`].
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
    /// A unit may be left out on one side; two units of one dimension are converted.
    Units = "units",
    /// A currency sign may be left out on one side; cents are converted.
    Currency = "currency",
    /// `20%`, `0.2` and `20` match the gold `20%`; the answer `20%` matches the golds `20` and `0.2`.
    Percent = "percent",
    /// A degree sign may be left out on one side.
    Degrees = "degrees",
    /// Thousands separators, decimal commas and leading zeros.
    Grouping = "grouping",
    /// A more exact answer that rounds to a decimal gold at the gold's digits; float noise is corrected.
    Rounding = "rounding",
    /// A decimal of at least six significant digits, correctly rounded, for an exact gold.
    Decimals = "decimals",
    /// `x = 5` for `5`, `f(x) = 2x` for `2x`, `x \in M` for `M`.
    Names = "names",
    /// Lists in any order; sets for lists; repeated values in the answer count once.
    Lists = "lists",
    /// Brackets of a tuple left out; angle brackets and columns for tuples; `]1,2[` for `(1,2)`.
    Brackets = "brackets",
    /// A true chain `a = b = c` counts as `c`; a remark `≈ 0.58` after a value is ignored.
    Chains = "chains",
    /// Text answers without regard to case, articles and punctuation; synonyms such as *no solution* and `\emptyset`.
    Words = "words",
    /// Numbers in words.
    NumberWords = "number-words",
    /// An option letter with or without brackets and the option's text.
    Choice = "choice",
    /// Dates and times of day in several forms.
    Times = "times",
    /// Base subscripts: the same number in the same base.
    Bases = "bases",
    /// Constants of integration may be renamed and absorb numbers; parameters such as `k` and `n` may be renamed.
    Constants = "constants",
    /// `\log` without a base may be the natural logarithm.
    Logarithms = "logarithms",
    /// Words after a value that only describe it are ignored.
    Remarks = "remarks",
    /// Plain text and Unicode for LaTeX: `sqrt(2)`, `2√3`, `x**2`, `3e5`, `0.1666...`.
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

/// The conventions that apply.
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
    /// Creates the profile of mathematical equality only: the semantics of `fablegrade equiv`, after LaTeX delimiters
    /// are removed.
    #[must_use]
    pub fn exact() -> Self {
        Self { conventions: Conventions::default().with(Convention::Notation) }
    }

    /// Returns all conventions: how models' answers are usually judged.
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

    /// Returns the same profile with a convention.
    #[must_use]
    pub fn with(self, convention: Convention) -> Self {
        Self { conventions: self.conventions.with(convention) }
    }

    /// Returns the same profile without a convention.
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
