//! Defects of LaTeX source: damage in transit, and formulas that cannot be typeset.

use fablegrade_latex::lost_backslash;

/// Returns whether [`lost_backslash`] finds a command in a text of several lines. A line feed counts as part
/// of a damaged command, such as `\nabla`, only before `abla` or `otin`, or directly after `$`.
pub(super) fn has_lost_long_command(text: &str) -> bool {
    const TAILS_OF_LINES: [&str; 2] = ["abla", "otin"];
    let lines = text.split('\n').skip(1).any(|rest| {
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        TAILS_OF_LINES.contains(&&rest[..end])
    });
    lines
        || text.find("$\n").is_some_and(|at| lost_backslash(&text[at..]).is_some())
        || lost_backslash(&text.replace('\n', " ")).is_some()
}

/// Commands without their backslash, some also without their first letter. Those of `BEFORE_BRACE` count only
/// before a brace, those of `ALONE` everywhere.
const BEFORE_BRACE: [&str; 16] = [
    "frac",
    "rac",
    "dfrac",
    "tfrac",
    "sqrt",
    "qrt",
    "ext",
    "mathrm",
    "athrm",
    "mathbf",
    "operatorname",
    "overline",
    "begin",
    "egin",
    "end",
    "binom",
];
const ALONE: [&str; 9] = ["imes", "cdot", "infty", "leq", "geq", "frac", "rac", "sqrt", "qrt"];

/// Returns whether a formula has the letters of a command without its backslash: `frac{1}{2}`, `3 imes 4`.
pub(super) fn lacks_backslash(latex: &str) -> bool {
    let mut rest = latex;
    let mut closing = Closing::new(latex);
    let mut free = true;
    while let Some(c) = rest.chars().next() {
        if !c.is_ascii_alphabetic() {
            // A word after a backslash is a command; words in braces after `\text` are not part of the
            // formula.
            free = c != '\\';
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if free && (ALONE.contains(&word) || (after.starts_with('{') && BEFORE_BRACE.contains(&word))) {
            return true;
        }
        rest = after;
        if !free
            && has_words_inside(word)
            && rest.starts_with('{')
            && let Some(inner) = closing.of(rest)
        {
            rest = &rest[inner.len() + 1..];
        }
        free = false;
    }
    false
}

/// Finds the next `}` in suffixes of one formula, from left to right, and searches no part of the formula
/// twice.
struct Closing<'l> {
    latex: &'l str,
    /// The first `}` at or after the start of the last suffix.
    next: Option<usize>,
}

impl<'l> Closing<'l> {
    fn new(latex: &'l str) -> Self {
        Self { latex, next: latex.find('}') }
    }

    /// Returns the part of a suffix before its first `}`; `None` if it has none.
    fn of(&mut self, rest: &str) -> Option<&'l str> {
        let at = self.latex.len() - rest.len();
        if self.next? < at {
            self.next = self.latex[at..].find('}').map(|found| at + found);
        }
        self.latex.get(at..self.next?)
    }
}

/// Returns whether the argument of a command is text and not a formula.
fn has_words_inside(command: &str) -> bool {
    matches!(
        command,
        "text"
            | "textbf"
            | "textit"
            | "textrm"
            | "texttt"
            | "mbox"
            | "mathrm"
            | "operatorname"
            | "begin"
            | "end"
            | "ce"
            | "pu"
            | "unit"
            | "si"
            | "SI"
            | "qty"
            | "verb"
            | "url"
            | "label"
            | "tag"
            | "color"
            | "hspace"
            | "vspace"
    )
}

/// Commands before which a double backslash is a mistake and not a line break.
const COMMANDS: [&str; 24] = [
    "frac", "dfrac", "tfrac", "sqrt", "sin", "cos", "tan", "ln", "log", "exp", "cdot", "times", "left",
    "right", "pi", "alpha", "beta", "theta", "lambda", "mu", "le", "ge", "infty", "int",
];

/// Returns whether `\\` precedes a known command outside a table.
pub(super) fn is_escaped_twice(latex: &str) -> bool {
    if latex.contains("\\begin") || latex.contains('&') {
        return false;
    }
    latex.match_indices("\\\\").any(|(at, _)| {
        let rest = &latex[at + 2..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        COMMANDS.contains(&&rest[..end])
    })
}

/// Commands whose misspellings are reported, and similar commands that are valid.
const SPELLED: [&str; 64] = [
    "frac",
    "dfrac",
    "tfrac",
    "sqrt",
    "times",
    "cdot",
    "cdots",
    "ldots",
    "left",
    "right",
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "theta",
    "lambda",
    "sigma",
    "omega",
    "infty",
    "text",
    "texttt",
    "textbf",
    "textit",
    "mathrm",
    "mathbf",
    "mathbb",
    "mathit",
    "mathsf",
    "mathtt",
    "mathcal",
    "overline",
    "underline",
    "begin",
    "partial",
    "nabla",
    "rightarrow",
    "leftarrow",
    "Rightarrow",
    "Leftarrow",
    "approx",
    "equiv",
    "binom",
    "dbinom",
    "tbinom",
    "exists",
    "forall",
    "circ",
    "degree",
    "quad",
    "qquad",
    "subset",
    "supset",
    "lim",
    "limits",
    "sum",
    "prod",
    "int",
    "cfrac",
    "leqq",
    "geqq",
    "vec",
    "hat",
    "tilde",
];

/// Returns whether a command is a known command of at least four letters with two neighbouring letters
/// swapped.
fn misspelt(command: &str) -> bool {
    let lower = |c: char| c.is_ascii_lowercase();
    (4..=12).contains(&command.len())
        && command.chars().all(lower)
        && !SPELLED.contains(&command)
        && SPELLED.iter().any(|known| known.len() >= 4 && is_slip(command.as_bytes(), known.as_bytes()))
}

/// Returns whether two neighbouring letters are swapped. Other slips could be commands that macros define.
fn is_slip(a: &[u8], b: &[u8]) -> bool {
    let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) else { return false };
    a.len() == b.len()
        && at + 1 < a.len()
        && a[at] == b[at + 1]
        && a[at + 1] == b[at]
        && a[at + 2..] == b[at + 2..]
}

/// In formulas with more bytes, scripts, fractions, roots and misspellings are not checked.
const LONGEST: usize = 2_000;

/// An open brace, with the scripts of the symbol before it and the environment around it.
struct Open<'l> {
    scripts: (bool, bool),
    /// Whether the braces are a script; `scripts` then applies again after them.
    script: bool,
    environment: Option<&'l str>,
}

/// Returns the reason why LaTeX cannot be typeset. Unknown commands may be macros, so they are accepted
/// unless they look misspelt.
pub(super) fn formula_problem(latex: &str) -> Option<&'static str> {
    let detailed = latex.len() <= LONGEST;
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut fences = 0i32;
    let mut environments: Vec<&str> = Vec::new();
    // Whether the last symbol has a superscript and a subscript.
    let mut scripts = (false, false);
    let mut awaits = false;
    let mut closing = Closing::new(latex);
    let mut rest = latex;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let script = std::mem::take(&mut awaits);
        match c {
            '\\' => {
                let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                rest = after;
                match name {
                    "" => {
                        let Some(sign) = rest.chars().next() else {
                            return Some("it ends with a backslash");
                        };
                        rest = &rest[sign.len_utf8()..];
                    }
                    "left" => fences += 1,
                    "right" => fences -= 1,
                    "begin" => environments.push(braced(rest)),
                    "end" => {
                        let ended = braced(rest);
                        if environments.pop().is_none_or(|begun| begun != ended) {
                            return Some("`\\begin` and `\\end` do not match");
                        }
                    }
                    "frac" | "dfrac" | "tfrac" | "cfrac" | "binom"
                        if detailed && !has_two_arguments(rest) =>
                    {
                        return Some("a fraction needs two arguments");
                    }
                    "sqrt" if detailed && rest.trim_start().starts_with('[') && !rest.contains(']') => {
                        return Some("a bracket of a root is never closed");
                    }
                    name if detailed && misspelt(name) => return Some("a command is misspelt"),
                    name if has_words_inside(name) && rest.starts_with('{') => {
                        // Skip a text without braces inside; otherwise, the braces are counted below.
                        if let Some(inner) = closing.of(rest)
                            && !inner[1..].contains('{')
                        {
                            rest = &rest[inner.len() + 1..];
                        }
                    }
                    _ => {}
                }
                if !script && !matches!(name, "limits" | "nolimits") {
                    scripts = (false, false);
                }
            }
            '{' => {
                open.push(Open { scripts, script, environment: environments.last().copied() });
                scripts = (false, false);
            }
            '}' => {
                let Some(opened) = open.pop() else { return Some("a closing brace has no opening brace") };
                if opened.environment != environments.last().copied() {
                    return Some("`\\begin` and `\\end` do not match");
                }
                scripts = if opened.script { opened.scripts } else { (false, false) };
            }
            '^' | '_' if detailed => {
                let next = rest.trim_start().chars().next();
                if next.is_none_or(|next| matches!(next, '}' | '^' | '_' | '&' | '$')) {
                    return Some("nothing follows `^` or `_`");
                }
                let twice = if c == '^' { &mut scripts.0 } else { &mut scripts.1 };
                if std::mem::replace(twice, true) {
                    return Some("one symbol has two powers or two indices");
                }
                awaits = true;
            }
            ' ' | '\n' | '\t' => awaits = script,
            _ if script => {}
            _ => scripts = (false, false),
        }
    }
    match (open.is_empty(), fences, environments.is_empty()) {
        (true, 0, true) => None,
        (true, 0, false) => Some("`\\begin` and `\\end` do not match"),
        (true, ..) => Some("`\\left` and `\\right` do not match"),
        _ => Some("a brace is never closed"),
    }
}

/// The maximum length of an argument whose closing brace is searched for, in characters.
const FARTHEST: usize = 300;

/// Returns the contents of the braces at the beginning; empty if there are none, or if they are too long for a
/// name.
fn braced(rest: &str) -> &str {
    let Some(inner) = rest.trim_start().strip_prefix('{') else { return "" };
    let end = inner.char_indices().take(FARTHEST).find(|(_, c)| *c == '}');
    end.map_or("", |(at, _)| inner[..at].trim())
}

/// Returns whether two arguments follow; true if it cannot be determined.
fn has_two_arguments(rest: &str) -> bool {
    let mut rest = rest;
    for _ in 0..2 {
        rest = rest.trim_start();
        let Some(c) = rest.chars().next() else { return false };
        match c {
            '}' | '&' | '$' => return false,
            '{' => {
                let mut depth = 0usize;
                let end = rest.char_indices().take(FARTHEST).find_map(|(at, c)| {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    (depth == 0).then_some(at + 1)
                });
                let Some(end) = end else { return true };
                rest = &rest[end..];
            }
            // A command can have its own arguments.
            '\\' | '#' => return true,
            c => rest = &rest[c.len_utf8()..],
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_told_from_what_cannot_be_typeset() {
        for broken in [
            "\\frac{1}{2",
            "a}",
            "\\left(x",
            "x^^2",
            "x__1",
            "x^2^3",
            "x^{2}^{3}",
            "x^",
            "\\frca{1}{2}",
            "\\alhpa",
            "\\sqrt[3 x",
            "\\frac{1}",
            "{x^}",
            "\\begin{matrix}1\\end{pmatrix}",
            "\\begin{matrix}1",
            "x\\",
        ] {
            assert!(formula_problem(broken).is_some(), "{broken}");
        }
        for formula in [
            "\\left(\\{x\\}\\right.",
            "\\left.\\frac{dy}{dx}\\right|_{x=0}",
            "x_1^2",
            "x^2_1",
            "f''^2",
            "\\ce{SO4^2-}",
            "\\frac12",
            "\\frac\\pi2",
            "\\frac1{x^2}^3",
            "{x^2}^3",
            "x^{y^2}",
            "\\sum\\limits_{i=1}^n i^2",
            "\\int_0^1 x^2\\,dx",
            "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}",
            "\\text{a_b^c^d}",
            "x^\\frac12",
            "x^{-1}y^{-1}",
            "]0,1[",
            "\\mathring{A}^2",
            "x^ 2y^2",
            "\\arctan x",
        ] {
            assert_eq!(formula_problem(formula), None, "{formula}");
        }
    }

    #[test]
    fn damage_is_told_from_letters() {
        for damaged in ["frac{1}{2}", "3imes 4", "3 imes 4", "sqrt{5}", "rac{1}{2}", "x+qrt{2}", "2 cdot 3"] {
            assert!(lacks_backslash(damaged), "{damaged}");
        }
        for formula in
            ["\\frac{1}{2}", "\\text{two times}", "a r a c", "2\\times 3", "end", "\\mathrm{rac}", "times"]
        {
            assert!(!lacks_backslash(formula), "{formula}");
        }
        assert!(
            is_escaped_twice("\\\\frac12")
                && !is_escaped_twice("a\\\\b")
                && !is_escaped_twice("\\begin{x}a\\\\sin x")
        );
    }

    #[test]
    fn no_part_of_a_formula_is_searched_twice_for_a_brace() {
        let formula = "\\text{a{b}c}\\text{d\\text{e";
        let mut closing = Closing::new(formula);
        for (at, _) in formula.char_indices() {
            let rest = &formula[at..];
            assert_eq!(closing.of(rest), rest.split_once('}').map(|(inner, _)| inner), "{rest}");
        }
        assert_eq!(closing.next, None, "after the last brace, there is nothing to search for");
        let far = "\\text{\\text{a{x}";
        let mut closing = Closing::new(far);
        closing.of(far);
        assert_eq!(closing.next, Some(far.len() - 1), "the next brace is known before it is passed");
        assert_eq!(braced(&format!("{{{}}}", "a".repeat(299))).len(), 299);
        assert_eq!(braced(&format!("{{{}}}", "a".repeat(300))), "", "too long for a name");
    }

    #[test]
    fn long_formulas_take_a_bounded_time() {
        // A search to the end from each of these commands would take minutes.
        for part in ["\\text{", "\\begin{", "\\text{a{", "\\mathrm{x", "$\n"] {
            for end in ["", "}"] {
                let latex = part.repeat(300_000) + end;
                assert_eq!(
                    formula_problem(&latex).is_some(),
                    part.contains('{') || !end.is_empty(),
                    "{part}"
                );
                assert!(!lacks_backslash(&latex) && !has_lost_long_command(&latex), "{part}");
            }
        }
    }
}
