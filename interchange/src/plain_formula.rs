//! Formulas in plain text, as PrairieLearn, Open edX and Perseus write them, and their LaTeX.

use std::collections::BTreeSet;

/// The system that wrote a formula. Functions differ in name and meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// Letters are multiplied, so a function may follow another letter: `sinx`.
    Perseus,
    /// The notation of SymPy.
    PrairieLearn,
    OpenEdx,
}

/// A function: its name, and the LaTeX before and after its argument.
type Function = (&'static str, &'static str, &'static str);

/// Functions with the same meaning everywhere. A longer name precedes its prefixes: `sinh` comes before `sin`.
const FUNCTIONS: &[Function] = &[
    ("arcsin", r"\arcsin(", ")"),
    ("arccos", r"\arccos(", ")"),
    ("arctan", r"\arctan(", ")"),
    ("sinh", r"\sinh(", ")"),
    ("cosh", r"\cosh(", ")"),
    ("tanh", r"\tanh(", ")"),
    ("sqrt", r"\sqrt{", "}"),
    ("sin", r"\sin(", ")"),
    ("cos", r"\cos(", ")"),
    ("tan", r"\tan(", ")"),
    ("sec", r"\sec(", ")"),
    ("csc", r"\csc(", ")"),
    ("cot", r"\cot(", ")"),
    ("ln", r"\ln(", ")"),
];

impl Notation {
    fn own(self) -> &'static [Function] {
        match self {
            Self::Perseus => &[("log", r"\log(", ")")],
            Self::PrairieLearn => &[("log", r"\ln(", ")"), ("exp", r"\left(e^{", r"}\right)")],
            Self::OpenEdx => &[
                ("log10", r"\log_{10}(", ")"),
                ("log2", r"\log_{2}(", ")"),
                ("exp", r"\left(e^{", r"}\right)"),
                ("abs", r"\left|", r"\right|"),
            ],
        }
    }

    /// Returns the function at the beginning of a word: the whole word, or for Perseus a part of it.
    fn function(self, word: &str) -> Option<Function> {
        let fits = |one: &&Function| word == one.0 || self == Self::Perseus && word.starts_with(one.0);
        FUNCTIONS.iter().chain(self.own()).find(fits).copied()
    }
}

const CONSTANTS: &[&str] = &["theta", "phi", "pi"];

/// Greek letters that are variables if they are declared.
const GREEK: &[&str] = &[
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "rho", "sigma", "tau", "upsilon", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Phi",
    "Psi", "Omega",
];

/// The maximum length of the names of functions and constants.
const LONGEST: usize = 8;

/// An open bracket, and what closes it.
struct Open {
    /// The bracket in the source.
    bracket: char,
    close: &'static str,
    /// The number of exponents that end with it.
    exponents: usize,
}

/// Returns the LaTeX of a formula; `None` if it has an unknown name or is incomplete. `names` are the declared names of
/// variables, which may be words. A text with a backslash is taken for LaTeX and returned unchanged.
pub(crate) fn as_latex(text: &str, notation: Notation, names: &[&str]) -> Option<String> {
    if text.contains('\\') {
        return Some(text.to_owned());
    }
    let declared: BTreeSet<&str> = names.iter().copied().collect();
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    let mut closing: Vec<Open> = Vec::new();
    // The number of exponents that end with the next operand.
    let mut exponents = 0;
    let mut after_power = false;
    let mut after_operand = false;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let length = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
        let mut is_operand = true;
        let mut taken = first.len_utf8();
        // A bar opens where an operand is expected. Only bars that belong to an exponent have to be paired.
        let in_bars = closing.last().is_some_and(|open| open.bracket == '|');
        let opens_bars = first == '|' && (exponents > 0 || in_bars && !after_operand);
        if rest.starts_with("**") || first == '^' {
            taken = if first == '^' { 1 } else { 2 };
            out.push_str("^{");
            exponents += 1;
            after_power = true;
            after_operand = false;
            rest = &rest[taken..];
            continue;
        }
        if first.is_alphabetic() {
            // In Perseus a digit ends a name; elsewhere it belongs to the name, such as `log10`.
            let word = match notation {
                Notation::Perseus => {
                    let letters = rest.bytes().take(LONGEST).take_while(u8::is_ascii_alphabetic).count();
                    &rest[..letters.max(first.len_utf8())]
                }
                _ => &rest[..length(char::is_alphanumeric)],
            };
            let constant = CONSTANTS
                .iter()
                .find(|name| word == **name || notation == Notation::Perseus && word.starts_with(**name));
            if let Some((name, open, close)) = notation.function(word) {
                let after = rest[name.len()..].trim_start();
                if let Some(inside) = after.strip_prefix('(') {
                    out.push_str(open);
                    closing.push(Open { bracket: '(', close, exponents });
                    exponents = 0;
                    after_power = false;
                    after_operand = false;
                    rest = inside;
                    continue;
                }
                if notation != Notation::Perseus {
                    return None;
                }
                out.push('\\');
                out.push_str(name);
                if after.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    out.push(' ');
                }
                rest = &rest[name.len()..];
                after_power = false;
                after_operand = false;
                continue;
            }
            let is_greek =
                !declared.is_empty() && GREEK.contains(&word) && is_declared(&declared, rest, word);
            let command = constant.copied().or(is_greek.then_some(word));
            if let Some(name) = command {
                taken = name.len();
                out.push('\\');
                out.push_str(name);
            } else if declared.contains(word)
                // In LaTeX a digit in a word is a factor: `x1*2` would be `2x`.
                && word.bytes().all(|byte| byte.is_ascii_alphabetic())
                && !rest[word.len()..].starts_with('_')
            {
                taken = word.len();
                out.push_str(word);
            } else if word.chars().nth(1).is_some() && notation != Notation::Perseus {
                return None;
            } else {
                out.push(first);
            }
            if taken > 1 && rest[taken..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                out.push(' ');
            }
            let index = match rest[taken..].strip_prefix('_') {
                Some(index) => &index[..index_length(index, notation)?],
                None => "",
            };
            if !index.is_empty() {
                let bare = index.strip_prefix('{').and_then(|index| index.strip_suffix('}')).unwrap_or(index);
                out.push_str(&format!("_{{{bare}}}"));
                taken += 1 + index.len();
            }
        } else if first.is_ascii_digit() || first == '.' {
            taken = length(|c| c.is_ascii_digit() || c == '.');
            out.push_str(&rest[..taken]);
        } else if matches!(first, '(' | '{') || opens_bars {
            let (open, close) = match first {
                '(' => ("(", ")"),
                '{' => ("{", "}"),
                _ => ("|", "|"),
            };
            out.push_str(open);
            closing.push(Open { bracket: first, close, exponents });
            exponents = 0;
            is_operand = false;
        } else if matches!(first, ')' | '}') || first == '|' && in_bars {
            // An exponent without an operand is not complete.
            if exponents > 0 {
                return None;
            }
            let open = closing.pop()?;
            let bracket = match first {
                ')' => '(',
                '}' => '{',
                other => other,
            };
            if open.bracket != bracket {
                return None;
            }
            out.push_str(open.close);
            exponents = open.exponents;
        } else if after_power && matches!(first, '-' | '+') {
            out.push(first);
            rest = &rest[1..];
            continue;
        } else {
            if exponents > 0 {
                return None;
            }
            out.push_str(if first == '*' { "\\cdot " } else { &rest[..taken] });
            is_operand = false;
        }
        rest = &rest[taken..];
        after_power = false;
        after_operand = is_operand;
        // In `a^b^c`, the exponent of `a` is `b^c`, so a further power continues the exponent.
        let continues = rest.trim_start().starts_with('^') || rest.trim_start().starts_with("**");
        if is_operand && !continues {
            out.extend(std::iter::repeat_n('}', exponents));
            exponents = 0;
        }
    }
    (exponents == 0 && closing.is_empty()).then_some(out)
}

/// Returns whether the word at the beginning of a text is a declared name, alone or with its index.
fn is_declared(declared: &BTreeSet<&str>, text: &str, word: &str) -> bool {
    let index = text[word.len()..].strip_prefix('_').and_then(|index| index_length(index, Notation::OpenEdx));
    match index {
        Some(index) => declared.contains(&text[..word.len() + 1 + index]),
        None => declared.contains(word),
    }
}

/// Returns the length of the index at the beginning of a text, including its braces; `None` if it is not complete.
fn index_length(text: &str, notation: Notation) -> Option<usize> {
    if text.starts_with('{') {
        let mut depth = 0_usize;
        for (at, char) in text.char_indices() {
            match char {
                '{' => depth += 1,
                '}' if depth == 1 => return Some(at + 1),
                '}' => depth -= 1,
                _ => {}
            }
        }
        return None;
    }
    let run = |accept: fn(char) -> bool| text.find(|c| !accept(c)).unwrap_or(text.len());
    let length = match (notation, text.chars().next()?) {
        (Notation::Perseus, first) if first.is_alphabetic() => first.len_utf8(),
        (Notation::Perseus, _) => run(|c| c.is_ascii_digit()),
        _ => run(|c| c.is_ascii_alphanumeric()),
    };
    (length > 0).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::{Notation, as_latex};

    #[test]
    fn formulas_keep_their_meaning() {
        for (notation, text, latex) in [
            (Notation::Perseus, "sqrt(x*(y+1))/2", r"\sqrt{x\cdot (y+1)}/2"),
            (Notation::Perseus, "sinx + 2pi", r"\sin x + 2\pi"),
            (Notation::Perseus, r"\frac12", r"\frac12"),
            (Notation::Perseus, "x^10", "x^{10}"),
            (Notation::Perseus, "xsinh(x)^-2y", r"x\sinh(x)^{-2}y"),
            (Notation::Perseus, "v_0t+at^2/2", "v_{0}t+at^{2}/2"),
            (Notation::Perseus, "x_ab", "x_{a}b"),
            (Notation::Perseus, "x_{12}y", "x_{12}y"),
            (Notation::Perseus, "x^{10}+1", "x^{{10}}+1"),
            (Notation::Perseus, "x^{a+1}^2y", "x^{{a+1}^{2}}y"),
            (Notation::Perseus, "e^π+2^|x|y", "e^{π}+2^{|x|}y"),
            (Notation::Perseus, "|x^2|+2^|x*|y||", r"|x^{2}|+2^{|x\cdot |y||}"),
            (Notation::PrairieLearn, "x_max*x_{12}", r"x_{max}\cdot x_{12}"),
            (Notation::PrairieLearn, "exp(-x)", r"\left(e^{-x}\right)"),
            (Notation::PrairieLearn, "x**10*log(x)", r"x^{10}\cdot \ln(x)"),
            (Notation::PrairieLearn, "x^(y+1)^2", "x^{(y+1)^{2}}"),
            (Notation::PrairieLearn, "2**-x", "2^{-x}"),
            (Notation::PrairieLearn, "x^sqrt(2)+1", r"x^{\sqrt{2}}+1"),
            (Notation::OpenEdx, "log10(x_10)", r"\log_{10}(x_{10})"),
            (Notation::OpenEdx, "exp(-x)^2", r"\left(e^{-x}\right)^{2}"),
        ] {
            assert_eq!(as_latex(text, notation, &[]).as_deref(), Some(latex), "{text}");
        }
        for text in [
            "erf(x)", "mass", "x^", "x^*2", "(x", "x)", "sin", "re(x)", "(x^)", "x^(y^)", "x^{y^}", "x^(y}",
            "x^{y)", "x_{1", "x_", "x_+1", "x^|y", "x^|y^|", "{x", "x}", "éa",
        ] {
            assert_eq!(as_latex(text, Notation::OpenEdx, &[]), None, "{text}");
        }
    }

    #[test]
    fn declared_names_are_kept() {
        let names = ["mass", "acc", "alpha", "m_1", "mass_2", "omega_0", "x", "x1", "ab", "ab2"];
        for (text, latex) in [
            ("2mass*acc^2", Some(r"2mass\cdot acc^{2}")),
            ("sin(alpha)*m_1", Some(r"\sin(\alpha)\cdot m_{1}")),
            ("omega_0+acc", Some(r"\omega_{0}+acc")),
            // In LaTeX the index of a word is not read as a part of its name.
            ("mass_2+acc", None),
            ("omega", None),
            ("mass*speed", None),
            ("massacc", None),
            // In LaTeX a digit is not a part of a name.
            ("x1*2+x", None),
            ("x*ab2", None),
            ("2ab+x", Some("2ab+x")),
        ] {
            assert_eq!(as_latex(text, Notation::OpenEdx, &names).as_deref(), latex, "{text}");
        }
    }

    #[test]
    fn long_formulas_take_linear_time() {
        for text in ["x".repeat(400_000), "x^{".repeat(100_000), "x_{".repeat(100_000), "2^|".repeat(100_000)]
        {
            let latex = as_latex(&text, Notation::Perseus, &[]);
            assert_eq!(latex.is_some(), text.starts_with("xx"), "{}", &text[..3]);
        }
    }
}
