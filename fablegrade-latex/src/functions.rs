//! Known functions: one row each, with everything that reading and printing need to know.
//!
//! Whoever adds a function writes a row here and its value in `fablegrade-math` (`lower.rs`); the compiler asks for both.

use std::ops::RangeInclusive;

/// A function as reading and printing know it.
#[derive(Debug)]
pub struct Row {
    /// The function.
    pub named: Named,
    /// Its plain name, by which lists of allowed functions call it.
    pub plain: &'static str,
    /// The name as it is printed.
    pub printed: &'static str,
    /// Names under which it is a command, an upright word or letters before a bracket.
    pub commands: &'static [&'static str],
    /// Names under which it is an upright word only.
    pub words: &'static [&'static str],
    /// The number of arguments it takes.
    pub arity: RangeInclusive<usize>,
    /// The meaning of an exponent of -1 on the name (`\sin^{-1}`), if the field uses it so.
    pub inverse: Option<Named>,
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident { $($column:tt)* },)*) => {
        /// A function known by name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)] // each is the function of its name
        pub enum Named { $($(#[$doc])* $name,)* }

        /// All functions, in the order of [`Named`].
        pub static FUNCTIONS: &[Row] = ROWS;

        /// The same for the tables that are made while compiling.
        pub(crate) const ROWS: &[Row] = &[$(Row { named: Named::$name, $($column)* },)*];
    };
}

#[rustfmt::skip]
functions! {
    Sin { plain: "sin", printed: "\\sin", commands: &["sin", "sen"], words: &[], arity: 1..=1, inverse: Some(Named::Arcsin) },
    Cos { plain: "cos", printed: "\\cos", commands: &["cos"], words: &[], arity: 1..=1, inverse: Some(Named::Arccos) },
    Tan { plain: "tan", printed: "\\tan", commands: &["tan", "tg"], words: &[], arity: 1..=1, inverse: Some(Named::Arctan) },
    Cot { plain: "cot", printed: "\\cot", commands: &["cot", "ctg", "cotg", "cotan"], words: &[], arity: 1..=1, inverse: Some(Named::Arccot) },
    Sec { plain: "sec", printed: "\\sec", commands: &["sec"], words: &[], arity: 1..=1, inverse: Some(Named::Arcsec) },
    Csc { plain: "csc", printed: "\\csc", commands: &["csc", "cosec"], words: &[], arity: 1..=1, inverse: Some(Named::Arccsc) },
    Arcsin { plain: "arcsin", printed: "\\arcsin", commands: &["arcsen", "arcsin", "asin"], words: &[], arity: 1..=1, inverse: None },
    Arccos { plain: "arccos", printed: "\\arccos", commands: &["arccos", "acos"], words: &[], arity: 1..=1, inverse: None },
    Arctan { plain: "arctan", printed: "\\arctan", commands: &["arctan", "atan", "arctg", "atg"], words: &[], arity: 1..=2, inverse: None },
    Arccot { plain: "arccot", printed: "\\operatorname{arccot}", commands: &["arccotan", "arccot", "acot", "arcctg", "arccotg"], words: &[], arity: 1..=1, inverse: None },
    Arcsec { plain: "arcsec", printed: "\\operatorname{arcsec}", commands: &["arcsec", "asec"], words: &[], arity: 1..=1, inverse: None },
    Arccsc { plain: "arccsc", printed: "\\operatorname{arccsc}", commands: &["arccsc", "acsc", "arccosec", "acosec"], words: &[], arity: 1..=1, inverse: None },
    Sinh { plain: "sinh", printed: "\\sinh", commands: &["senh", "sinh", "sh"], words: &[], arity: 1..=1, inverse: Some(Named::Arsinh) },
    Cosh { plain: "cosh", printed: "\\cosh", commands: &["cosh", "ch"], words: &[], arity: 1..=1, inverse: Some(Named::Arcosh) },
    Tanh { plain: "tanh", printed: "\\tanh", commands: &["tgh", "tanh", "th"], words: &[], arity: 1..=1, inverse: Some(Named::Artanh) },
    Coth { plain: "coth", printed: "\\coth", commands: &["cotanh", "coth", "cth"], words: &[], arity: 1..=1, inverse: Some(Named::Arcoth) },
    Sech { plain: "sech", printed: "\\operatorname{sech}", commands: &["sech"], words: &[], arity: 1..=1, inverse: Some(Named::Arsech) },
    Csch { plain: "csch", printed: "\\operatorname{csch}", commands: &["csch", "cosech"], words: &[], arity: 1..=1, inverse: Some(Named::Arcsch) },
    Arsinh { plain: "arsinh", printed: "\\operatorname{arsinh}", commands: &["arsinh", "arcsinh", "asinh", "argsinh", "argsh", "arsh"], words: &[], arity: 1..=1, inverse: None },
    Arcosh { plain: "arcosh", printed: "\\operatorname{arcosh}", commands: &["arcosh", "arccosh", "acosh", "argcosh", "argch", "arch"], words: &[], arity: 1..=1, inverse: None },
    Artanh { plain: "artanh", printed: "\\operatorname{artanh}", commands: &["artanh", "arctanh", "atanh", "argtanh", "argth", "arth"], words: &[], arity: 1..=1, inverse: None },
    Arcoth { plain: "arcoth", printed: "\\operatorname{arcoth}", commands: &["arcoth", "arccoth", "acoth"], words: &[], arity: 1..=1, inverse: None },
    Arsech { plain: "arsech", printed: "\\operatorname{arsech}", commands: &["arsech", "arcsech", "asech"], words: &[], arity: 1..=1, inverse: None },
    Arcsch { plain: "arcsch", printed: "\\operatorname{arcsch}", commands: &["arcsch", "arccsch", "acsch", "arcosech"], words: &[], arity: 1..=1, inverse: None },
    Exp { plain: "exp", printed: "\\exp", commands: &["exp"], words: &[], arity: 1..=1, inverse: None },
    Ln { plain: "ln", printed: "\\ln", commands: &["ln"], words: &[], arity: 1..=1, inverse: None },
    /// `\log` without a base: the declarations say what it means.
    Log { plain: "log", printed: "\\log", commands: &["log"], words: &[], arity: 1..=1, inverse: None },
    /// Base 10.
    Lg { plain: "lg", printed: "\\lg", commands: &["lg"], words: &["log10"], arity: 1..=1, inverse: None },
    /// Base 2.
    Lb { plain: "lb", printed: "\\operatorname{lb}", commands: &["lb", "ld"], words: &["log2"], arity: 1..=1, inverse: None },
    Sqrt { plain: "sqrt", printed: "\\sqrt", commands: &[], words: &["sqrt"], arity: 1..=1, inverse: None },
    Cbrt { plain: "cbrt", printed: "\\operatorname{cbrt}", commands: &["cbrt"], words: &[], arity: 1..=1, inverse: None },
    Abs { plain: "abs", printed: "\\operatorname{abs}", commands: &["abs"], words: &[], arity: 1..=1, inverse: None },
    Sgn { plain: "sgn", printed: "\\operatorname{sgn}", commands: &["sgn", "sign", "signum"], words: &[], arity: 1..=1, inverse: None },
    Floor { plain: "floor", printed: "\\operatorname{floor}", commands: &["floor"], words: &[], arity: 1..=1, inverse: None },
    Ceil { plain: "ceil", printed: "\\operatorname{ceil}", commands: &["ceil", "ceiling"], words: &[], arity: 1..=1, inverse: None },
    Round { plain: "round", printed: "\\operatorname{round}", commands: &["round"], words: &[], arity: 1..=1, inverse: None },
    Trunc { plain: "trunc", printed: "\\operatorname{trunc}", commands: &["trunc"], words: &[], arity: 1..=1, inverse: None },
    Min { plain: "min", printed: "\\min", commands: &["min"], words: &[], arity: 1..=usize::MAX, inverse: None },
    Max { plain: "max", printed: "\\max", commands: &["max"], words: &[], arity: 1..=usize::MAX, inverse: None },
    Gcd { plain: "gcd", printed: "\\gcd", commands: &["gcd", "hcf", "ggT"], words: &[], arity: 1..=usize::MAX, inverse: None },
    Lcm { plain: "lcm", printed: "\\operatorname{lcm}", commands: &["lcm", "kgV"], words: &[], arity: 1..=usize::MAX, inverse: None },
    Mod { plain: "mod", printed: "\\operatorname{mod}", commands: &[], words: &[], arity: 2..=2, inverse: None },
    Factorial { plain: "factorial", printed: "\\operatorname{factorial}", commands: &["fact", "factorial"], words: &[], arity: 1..=1, inverse: None },
    Gamma { plain: "gamma", printed: "\\operatorname{gamma}", commands: &[], words: &["gamma", "Gamma"], arity: 1..=1, inverse: None },
    Binomial { plain: "binomial", printed: "\\operatorname{binomial}", commands: &["nCr", "binomial"], words: &["binom", "choose"], arity: 2..=2, inverse: None },
    /// Falling products: n!/(n-k)!.
    Permutations { plain: "permutations", printed: "\\operatorname{nPr}", commands: &["nPr"], words: &[], arity: 2..=2, inverse: None },
    Re { plain: "re", printed: "\\operatorname{Re}", commands: &["Re", "real"], words: &[], arity: 1..=1, inverse: None },
    Im { plain: "im", printed: "\\operatorname{Im}", commands: &["Im", "imag"], words: &[], arity: 1..=1, inverse: None },
    Conj { plain: "conj", printed: "\\operatorname{conj}", commands: &["conj"], words: &[], arity: 1..=1, inverse: None },
    Arg { plain: "arg", printed: "\\operatorname{arg}", commands: &["arg"], words: &[], arity: 1..=1, inverse: None },
    Atan2 { plain: "atan2", printed: "\\operatorname{atan2}", commands: &[], words: &["atan2", "arctan2"], arity: 2..=2, inverse: None },
    Erf { plain: "erf", printed: "\\operatorname{erf}", commands: &["erf"], words: &[], arity: 1..=1, inverse: None },
    /// cos x + i sin x.
    Cis { plain: "cis", printed: "\\operatorname{cis}", commands: &["cis"], words: &[], arity: 1..=1, inverse: None },
    /// The determinant, of a matrix only.
    Det { plain: "det", printed: "\\operatorname{det}", commands: &["det"], words: &[], arity: 1..=1, inverse: None },
    /// 1 - cos x.
    Versin { plain: "versin", printed: "\\operatorname{versin}", commands: &["versin"], words: &[], arity: 1..=1, inverse: None },
}

impl Named {
    /// Everything that is known about it here.
    #[inline]
    pub fn row(self) -> &'static Row {
        &FUNCTIONS[self as usize]
    }

    /// The inverse that an exponent of -1 on the name means, if the field uses it so.
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

/// The plain name of the function that some text calls by any of its names, in whatever case.
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
    fn rows_stand_in_the_order_of_their_functions() {
        for (at, row) in FUNCTIONS.iter().enumerate() {
            assert_eq!(row.named as usize, at);
        }
    }

    #[test]
    fn every_name_is_read_and_printed_alike() {
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
