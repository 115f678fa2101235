//! Known functions: the part of their table that reading and printing use.
//!
//! To add a function, write a row in `functions/table.rs`, with its mathematical properties; no other code
//! needs to change.

mod table;

use std::ops::RangeInclusive;

/// The properties of a function that reading and printing use.
#[derive(Debug)]
pub struct Row {
    /// The function.
    pub named: Named,
    /// Its plain name, which lists of allowed functions use.
    pub plain: &'static str,
    /// The printed name.
    pub printed: &'static str,
    /// Names that are recognised as commands and as upright words. Before an argument, `ln`, `lg` and names of
    /// three or more letters are also recognised as bare letters.
    pub commands: &'static [&'static str],
    /// Names that are recognised in the same ways, but not as commands.
    pub words: &'static [&'static str],
    /// The number of arguments it takes.
    pub arity: RangeInclusive<usize>,
    /// The meaning of an exponent of -1 on the name (`\sin^{-1}`), if that is the convention.
    pub inverse: Option<Named>,
}

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident { $($column:tt)* } $kind:ident $($function:ident)? { $($value:tt)* },)*) => {
        /// A function known by name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)] // the names are those of the functions
        pub enum Named { $($(#[$doc])* $name,)* }

        /// All functions, in the order of [`Named`].
        pub static FUNCTIONS: &[Row] = ROWS;

        /// The same rows, for tables that are built at compile time.
        pub(crate) const ROWS: &[Row] = &[$(Row { named: Named::$name, $($column)* },)*];
    };
}

crate::function_table! { rows {} }

impl Named {
    /// Returns the row of the function.
    #[inline]
    pub fn row(self) -> &'static Row {
        &FUNCTIONS[self as usize]
    }

    /// Returns the inverse that an exponent of -1 on the name means, if that is the convention.
    #[inline]
    pub fn inverse(self) -> Option<Self> {
        self.row().inverse
    }

    /// Returns the number of arguments the function takes.
    #[inline]
    pub fn arity(self) -> RangeInclusive<usize> {
        self.row().arity.clone()
    }
}

/// Returns the plain name of the function that has this name, ignoring case.
pub(crate) fn plain_name(name: &str) -> Option<&'static str> {
    let called = |row: &&Row| {
        [row.plain].iter().chain(row.commands).chain(row.words).any(|known| known.eq_ignore_ascii_case(name))
    };
    FUNCTIONS.iter().find(called).map(|row| row.plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Node;
    use crate::printer::print;
    use crate::{Declarations, parse};

    fn arguments(row: &Row) -> &'static str {
        match row.arity.start() {
            1 if row.named == Named::Det => "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}",
            1 => "x",
            _ => "x,y",
        }
    }

    #[test]
    fn rows_are_in_the_order_of_named() {
        for (at, row) in FUNCTIONS.iter().enumerate() {
            assert_eq!(row.named as usize, at);
        }
    }

    #[test]
    fn every_name_is_read_and_printed_the_same() {
        let names = Declarations::new();
        for row in FUNCTIONS.iter().filter(|row| !matches!(row.named, Named::Sqrt | Named::Mod)) {
            let arguments = arguments(row);
            let commands = row.commands.iter().map(|name| format!("\\{name}({arguments})"));
            let words = row.commands.iter().chain(row.words);
            let words = words.map(|name| format!("\\operatorname{{{name}}}({arguments})"));
            for text in commands.chain(words) {
                let tree = parse(&text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert!(
                    matches!(tree.node(tree.root()), Node::Apply(named, _) if named == row.named),
                    "{text}"
                );
                let printed = print(&tree);
                assert!(printed.starts_with(row.printed), "{text} is printed as {printed}");
                assert_eq!(print(&parse(&printed, &names).unwrap()), printed, "{text}");
            }
            let missing = format!("{}(x,x,x)", row.printed);
            assert_eq!(parse(&missing, &names).is_ok(), row.arity.contains(&3), "{missing}");
        }
    }
}
