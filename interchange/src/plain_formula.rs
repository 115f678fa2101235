//! Formulas in plain text, as PrairieLearn, Open edX and Perseus write them, and their LaTeX.

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

/// Functions with the same meaning everywhere. A name precedes its own beginning.
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

/// Returns the LaTeX of a formula; `None` if it has an unknown name or is incomplete. A text with a backslash is taken
/// for LaTeX and returned unchanged.
pub(crate) fn as_latex(text: &str, notation: Notation) -> Option<String> {
    if text.contains('\\') {
        return Some(text.to_owned());
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    // What closes each open bracket, and the number of exponents that end with it.
    let mut closing: Vec<(&str, usize)> = Vec::new();
    // The number of exponents that end with the next operand.
    let mut exponents = 0;
    let mut after_power = false;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let length = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
        let mut is_operand = true;
        let mut taken = first.len_utf8();
        if rest.starts_with("**") || first == '^' {
            taken = if first == '^' { 1 } else { 2 };
            out.push_str("^{");
            exponents += 1;
            after_power = true;
            rest = &rest[taken..];
            continue;
        }
        if first.is_ascii_alphabetic() {
            // In Perseus a digit ends a name; elsewhere it belongs to the name, such as `log10`.
            let word = match notation {
                Notation::Perseus => &rest[..length(|c| c.is_ascii_alphabetic())],
                _ => &rest[..length(|c| c.is_ascii_alphanumeric())],
            };
            let constant = CONSTANTS
                .iter()
                .find(|name| word == **name || notation == Notation::Perseus && word.starts_with(**name));
            if let Some((name, open, close)) = notation.function(word) {
                let after = rest[name.len()..].trim_start();
                if let Some(inside) = after.strip_prefix('(') {
                    out.push_str(open);
                    closing.push((close, exponents));
                    exponents = 0;
                    after_power = false;
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
                continue;
            }
            if let Some(name) = constant {
                taken = name.len();
                out.push('\\');
                out.push_str(name);
                if rest[taken..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                    out.push(' ');
                }
            } else if word.len() > 1 && notation != Notation::Perseus {
                return None;
            } else {
                out.push(first);
            }
            if let Some(index) = rest[taken..].strip_prefix('_') {
                let end = index.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(index.len());
                out.push_str(&format!("_{{{}}}", &index[..end]));
                taken += 1 + end;
            }
        } else if first.is_ascii_digit() || first == '.' {
            taken = length(|c| c.is_ascii_digit() || c == '.');
            out.push_str(&rest[..taken]);
        } else if first == '(' {
            out.push('(');
            closing.push((")", exponents));
            exponents = 0;
            is_operand = false;
        } else if first == ')' {
            let (close, ended) = closing.pop()?;
            out.push_str(close);
            exponents = ended;
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
        // Powers of powers are nested, so a further one continues the exponent.
        let continues = rest.trim_start().starts_with('^') || rest.trim_start().starts_with("**");
        if is_operand && !continues {
            out.extend(std::iter::repeat_n('}', exponents));
            exponents = 0;
        }
    }
    (exponents == 0 && closing.is_empty()).then_some(out)
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
            (Notation::PrairieLearn, "x**10*log(x)", r"x^{10}\cdot \ln(x)"),
            (Notation::PrairieLearn, "x^(y+1)^2", "x^{(y+1)^{2}}"),
            (Notation::PrairieLearn, "2**-x", "2^{-x}"),
            (Notation::PrairieLearn, "x^sqrt(2)+1", r"x^{\sqrt{2}}+1"),
            (Notation::OpenEdx, "log10(x_10)", r"\log_{10}(x_{10})"),
            (Notation::OpenEdx, "exp(-x)^2", r"\left(e^{-x}\right)^{2}"),
        ] {
            assert_eq!(as_latex(text, notation).as_deref(), Some(latex), "{text}");
        }
        for text in ["erf(x)", "mass", "x^", "x^*2", "(x", "x)", "sin", "re(x)"] {
            assert_eq!(as_latex(text, Notation::OpenEdx), None, "{text}");
        }
    }
}
