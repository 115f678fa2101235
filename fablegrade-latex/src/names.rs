//! Declared names of variables and functions, and the normal spelling of names.
//!
//! A name has one normal spelling, regardless of how it was typed in LaTeX: `x`, `x_1`, `x_{12}`, `alpha`,
//! `alpha_1`, `f'`, `velocity`. Greek letters are spelled without the backslash; the variant forms
//! (`\varepsilon`, `\varphi`, `\vartheta`, `\varrho`, `\varsigma`) are the same letters as the plain forms.

use crate::ast::{Constant, Doubtful};
use crate::commands::{self, Token};

/// The base of a bare `\log`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LogBase {
    /// The common logarithm, base 10.
    #[default]
    Ten,
    /// The natural logarithm, base e.
    Natural,
}

/// The author's declarations: variables, functions and the base of `\log`.
///
/// Without declarations every single letter (with or without a subscript) is a variable, except the constants
/// `e`, `i` and `\pi`. A letter before brackets is then usually a factor, but a function in `f(x,y)`, `f'(x)`
/// and `\Gamma(x)`.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// Normalised names, longest first, so runs of letters are split greedily.
    variables: Vec<String>,
    functions: Vec<String>,
    /// Bit n is set if the ASCII letter n is declared as a variable.
    letters: u128,
    /// The base of `\log` without a base.
    pub log_base: LogBase,
    /// Whether an `e` between digits has its less likely reading.
    pub(crate) other_exponents: bool,
    /// Whether a bracket in an exponent that may be the order of a derivative is one.
    pub(crate) other_orders: bool,
    /// Whether Δ before a letter is a factor.
    pub(crate) other_changes: bool,
    /// Whether a bracket behind a decimal that may be its repeating part is one.
    pub(crate) other_repeating: bool,
    /// Complex variables; a bar over them is the conjugate.
    complex: Vec<String>,
    /// Whether `\varphi` and `\phi` denote the golden ratio. A declaration of `\phi` as a variable takes
    /// precedence.
    pub golden_ratio: bool,
}

impl Declarations {
    /// Creates an empty set of declarations: single letters are variables, `e` and `i` constants.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a variable. The name can be written as LaTeX (`\alpha`, `x_{12}`, `\mathrm{speed}`) or in
    /// plain text (`alpha`, `x_12`, `speed`).
    #[must_use]
    pub fn with_variable(mut self, name: &str) -> Self {
        let name = normal_name(name);
        if let [letter @ 0..=127] = name.as_bytes() {
            self.letters |= 1 << letter;
        }
        insert(&mut self.variables, name);
        self
    }

    /// Declares a function: `f(x+1)` then applies it instead of multiplying.
    #[must_use]
    pub fn with_function(mut self, name: &str) -> Self {
        insert(&mut self.functions, normal_name(name));
        self
    }

    /// Declares a variable whose values are complex numbers: `\bar z` is then its conjugate.
    #[must_use]
    pub fn with_complex_variable(mut self, name: &str) -> Self {
        self = self.with_variable(name);
        insert(&mut self.complex, normal_name(name));
        self
    }

    /// Returns whether any complex variable is declared.
    #[inline]
    pub(crate) fn has_complex(&self) -> bool {
        !self.complex.is_empty()
    }

    /// Returns whether the normalised name is declared as a complex variable.
    #[inline]
    pub fn is_complex(&self, name: &str) -> bool {
        !self.complex.is_empty() && self.complex.iter().any(|known| known == name)
    }

    /// Returns the declarations that select the second readings of texts; see [`Doubtful`].
    #[must_use]
    pub fn second_reading(&self, doubtful: &Doubtful) -> Self {
        let mut names = self.clone();
        for call in &doubtful.calls {
            names = names.with_function(call);
        }
        for letter in &doubtful.complex {
            names = names.with_complex_variable(letter);
        }
        names.other_exponents |= doubtful.exponent;
        names.other_orders |= doubtful.orders;
        names.other_changes |= doubtful.changes;
        names.other_repeating |= doubtful.repeating;
        names
    }

    /// Sets the base of `\log` without a subscript; the default is 10.
    #[must_use]
    pub fn with_log_base(mut self, base: LogBase) -> Self {
        self.log_base = base;
        self
    }

    /// Returns whether the normalised name is declared as a variable.
    #[inline]
    pub fn is_variable(&self, name: &str) -> bool {
        match name.as_bytes() {
            [letter @ 0..=127] => self.letters & (1 << letter) != 0,
            _ => self.variables.iter().any(|known| known == name),
        }
    }

    /// Returns whether the normalised name is declared as a function.
    #[inline]
    pub fn is_function(&self, name: &str) -> bool {
        !self.functions.is_empty() && self.functions.iter().any(|known| known == name)
    }

    /// Returns whether any function is declared.
    pub fn has_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Returns the longest declared name of several letters at the beginning of `letters`.
    pub(crate) fn longest_prefix(&self, letters: &str) -> Option<&str> {
        let long = |names: &'_ [String]| -> Option<usize> {
            names
                .iter()
                .position(|name| name.len() > 1 && name.is_ascii() && letters.starts_with(name.as_str()))
        };
        let variable = long(&self.variables).map(|at| self.variables[at].as_str());
        let function = long(&self.functions).map(|at| self.functions[at].as_str());
        match (variable, function) {
            (Some(a), Some(b)) => Some(if a.len() >= b.len() { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    /// Returns whether any name of several characters is declared.
    #[inline]
    pub(crate) fn has_long_names(&self) -> bool {
        self.variables.first().is_some_and(|name| name.len() > 1)
            || self.functions.first().is_some_and(|name| name.len() > 1)
    }

    /// Returns whether the declared variables cover every letter of a run that otherwise looks like a word.
    pub(crate) fn covers(&self, letters: &str) -> bool {
        letters.bytes().all(|letter| letter.is_ascii() && self.letters & (1 << letter) != 0)
    }
}

fn insert(names: &mut Vec<String>, name: String) {
    if !name.is_empty() && !names.contains(&name) {
        let at = names.partition_point(|known| known.len() >= name.len());
        names.insert(at, name);
    }
}

/// Returns the normal spelling of a name: `\alpha_{1}` and `alpha_1` are `alpha_1`, `x_12` is `x_{12}`.
pub fn normal_name(written: &str) -> String {
    // most names are one letter
    if written.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return written.to_owned();
    }
    let compact: String = written.chars().filter(|c| !c.is_whitespace()).collect();
    let (base, subscript) = match compact.split_once('_') {
        Some((base, subscript)) => (base, Some(subscript)),
        None => (compact.as_str(), None),
    };
    // primes come last: `x'_1` is `x_1'`
    let bare = base.trim_end_matches('\'');
    let mut primes = base[bare.len()..].to_owned();
    let mut name = base_name(bare);
    if let Some(subscript) = subscript {
        let (subscript, after) = subscript.split_at(subscript.trim_end_matches('\'').len());
        primes.push_str(after);
        let inner = subscript.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(subscript);
        push_subscript(&mut name, &base_name(inner));
    }
    name + &primes
}

/// Returns whether a declared name can occur in an expression. It can be a letter or a word, possibly with a
/// subscript or a prime, as LaTeX or in plain text.
pub fn is_name(written: &str) -> bool {
    if written.trim().contains(char::is_whitespace) {
        return false;
    }
    let name = normal_name(written);
    let name = name.trim_end_matches('\'');
    let (base, subscript) = match name.split_once('_') {
        Some((base, subscript)) => (base, Some(subscript)),
        None => (name, None),
    };
    let subscript = subscript.map(|subscript| {
        subscript.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(subscript)
    });
    base.starts_with(char::is_alphabetic)
        && base.chars().all(char::is_alphanumeric)
        && subscript.is_none_or(|inner| {
            !inner.is_empty() && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, ',' | '\''))
        })
}

fn base_name(written: &str) -> String {
    let mut text = written;
    for wrapper in ["\\mathrm{", "\\operatorname{", "\\text{", "\\mathit{"] {
        if let Some(inner) = text.strip_prefix(wrapper).and_then(|rest| rest.strip_suffix('}')) {
            text = inner;
        }
    }
    if let Some(command) = text.strip_prefix('\\') {
        let letters = command.bytes().take_while(u8::is_ascii_alphabetic).count();
        return match commands::command(&command[..letters]).and_then(spelled) {
            Some(name) => format!("{name}{}", &command[letters..]),
            None => command.to_owned(),
        };
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match commands::character(c).and_then(spelled) {
            Some(name) => out.push_str(name),
            None => out.push(c),
        }
    }
    out
}

/// Returns the name of a letter with a longer name, or of a constant that can be in a name.
pub(crate) fn spelled(token: Token) -> Option<&'static str> {
    match token {
        Token::Name(name) => Some(name),
        Token::Constant(Constant::Pi) => Some("pi"),
        Token::Constant(Constant::Infinity) => Some("infty"),
        _ => None,
    }
}

/// Appends a subscript in the normal spelling: bare for one character, braced for more.
pub fn push_subscript(name: &mut String, subscript: &str) {
    name.push('_');
    if subscript.chars().nth(1).is_some() {
        name.push('{');
        name.push_str(subscript);
        name.push('}');
    } else {
        name.push_str(subscript);
    }
}

/// The Greek letters by their spelled-out names; the printed command is the name with a backslash.
pub(crate) const GREEK: [&str; 35] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma",
    "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
];

/// Function names that are never meant as a product of letters, even inside a longer run.
pub(crate) const BARE: [&str; 15] = [
    "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "sin", "cos", "tan", "cot", "sec", "csc", "log",
    "exp", "sqrt",
];

/// Returns whether letters written without spaces would be read as a word instead of a product.
pub(crate) fn looks_like_a_word(run: &str) -> bool {
    run.len() > 1
        && (matches!(run, "pi" | "infty" | "infinity" | "or" | "and" | "true" | "True" | "false" | "False")
            || GREEK.contains(&run)
            || run.contains("ln")
            || matches!(commands::word(run), Some(Token::Function(_)))
            || BARE.iter().any(|name| run.contains(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_every_way_of_writing_a_name() {
        for (written, normal) in [
            ("x", "x"),
            ("\\alpha", "alpha"),
            ("alpha", "alpha"),
            ("α", "alpha"),
            ("\\varepsilon", "epsilon"),
            ("x_{1}", "x_1"),
            ("x_1", "x_1"),
            ("x_12", "x_{12}"),
            ("x_{12}", "x_{12}"),
            ("\\lambda_{ij}", "lambda_{ij}"),
            ("\\mathrm{speed}", "speed"),
            (" v _ 0", "v_0"),
            ("x_1'", "x_1'"),
            ("x'_{12}''", "x_{12}'''"),
            ("x_{π}", "x_{pi}"),
            ("x_{\\pi}", "x_{pi}"),
        ] {
            assert_eq!(normal_name(written), normal, "{written}");
        }
    }

    #[test]
    fn longer_names_are_tried_first() {
        let names = Declarations::new().with_variable("v").with_variable("vel").with_variable("velocity");
        assert_eq!(names.longest_prefix("velocityx"), Some("velocity"));
        assert_eq!(names.longest_prefix("velo"), Some("vel"));
        assert_eq!(names.longest_prefix("vx"), None);
    }
}
