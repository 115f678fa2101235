//! What can be read in two ways with different verdicts, and how an author decides which reading is meant.

use std::fmt;

use crate::syntax::Doubtful;

/// Parts of two texts that can be read in two ways with different verdicts.
///
/// As text, it says for each of them what decides the reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ambiguity(u16);

impl Ambiguity {
    /// A letter before a bracket: a factor or a function.
    pub const CALL: Self = Self(1);
    /// An `e` between digits: Euler's number or a power of ten.
    pub const EXPONENT: Self = Self(1 << 1);
    /// A letter that may be complex.
    pub const COMPLEX: Self = Self(1 << 2);
    /// A bracket in an exponent: a power or the order of a derivative.
    pub const ORDER: Self = Self(1 << 3);
    /// `\Delta x`: a name or a product.
    pub const CHANGE: Self = Self(1 << 4);
    /// A bracket behind a decimal: a factor or repeating digits.
    pub const REPEATING: Self = Self(1 << 5);
    /// `C`: a constant of integration or a parameter.
    pub const CONSTANT: Self = Self(1 << 6);
    /// A subscript of several characters: several indices, their product or a label.
    pub const SUBSCRIPT: Self = Self(1 << 7);

    /// Each with what decides the reading.
    const ALL: [(Self, &'static str); 8] = [
        (Self::CALL, "declare the letter before a bracket as a variable or a function"),
        (Self::EXPONENT, "write \\cdot10^{n} for a power of ten"),
        (
            Self::COMPLEX,
            "declare letters under bars, in \\operatorname{Re} and beside i in absolute values as complex or real",
        ),
        (Self::ORDER, "write primes for derivatives, and no bracket around an exponent"),
        (Self::CHANGE, "write \\Delta\\cdot x for a product"),
        (Self::REPEATING, "write \\overline over repeating digits, and \\cdot before a factor"),
        (Self::CONSTANT, "declare C as a variable if it is not a constant of integration"),
        (
            Self::SUBSCRIPT,
            "write commas between indices (a_{2,k}), and declare names with labels such as V_{in}",
        ),
    ];

    /// Returns what occurs in `doubtful`. Functions after a derivative count only if they have been added to `calls`.
    pub(crate) fn of(doubtful: &Doubtful) -> Self {
        let found = [
            (!doubtful.calls.is_empty(), Self::CALL),
            (doubtful.exponent, Self::EXPONENT),
            (!doubtful.complex.is_empty(), Self::COMPLEX),
            (doubtful.orders, Self::ORDER),
            (doubtful.changes, Self::CHANGE),
            (doubtful.repeating, Self::REPEATING),
        ];
        Self(found.iter().filter(|(is_found, _)| *is_found).fold(0, |all, (_, one)| all | one.0))
    }

    /// Returns whether both have a kind in common.
    #[must_use]
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl fmt::Display for Ambiguity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text can be read in two ways with different verdicts")?;
        let mut separator = ": ";
        for (part, remedy) in Self::ALL {
            if self.intersects(part) {
                write!(f, "{separator}{remedy}")?;
                separator = "; ";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Ambiguity;

    #[test]
    fn only_what_decides_the_reading_is_named() {
        let ambiguity = Ambiguity(Ambiguity::EXPONENT.0 | Ambiguity::REPEATING.0);
        assert_eq!(
            ambiguity.to_string(),
            "a text can be read in two ways with different verdicts: write \\cdot10^{n} for a power of ten; write \
             \\overline over repeating digits, and \\cdot before a factor",
        );
    }
}
