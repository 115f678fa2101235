//! Rewrites all answers in one notation: LaTeX without delimiters, styles, layout spaces and Unicode.
//!
//! [`tidy`] is recursive only for the short argument of a root.

mod plain;
pub(crate) mod unicode;

pub(crate) use plain::{after_escaped, command_at, group_at, strip_outer_braces};

/// The treatment of a style command.
enum Style {
    /// The command is dropped; its argument remains.
    Drop,
    /// The command is dropped with its argument.
    DropArgument,
    /// The command is dropped with its first argument; its second argument remains.
    DropFirst,
    /// The command is replaced.
    As(&'static str),
}

fn style(command: &str) -> Option<Style> {
    Some(match command {
        "boxed" | "fbox" | "framebox" | "Boxed" | "mathbf" | "boldsymbol" | "bm" | "mathit" | "mathsf"
        | "mathtt" | "pmb" | "underline" | "displaystyle" | "textstyle" | "scriptstyle" | "Large"
        | "large" | "LARGE" | "huge" | "Huge" | "small" | "tiny" | "normalsize" | "bf" | "it" | "rm"
        | "sf" | "limits" | "nolimits" | "big" | "Big" | "bigg" | "Bigg" | "bigl" | "bigr" | "Bigl"
        | "Bigr" | "biggl" | "biggr" | "Biggl" | "Biggr" | "bigm" | "middle" | "relax" | "ensuremath"
        | "strut" | "blacksquare" | "square" | "qed" | "checkmark" | "mathstrut" => Style::Drop,
        "phantom" | "hphantom" | "vphantom" | "hspace" | "vspace" | "tag" | "label" | "color" | "bbox"
        | "kern" => Style::DropArgument,
        "textcolor" | "colorbox" => Style::DropFirst,
        "textbf" | "textit" | "emph" | "mbox" | "textrm" | "textnormal" | "hbox" | "textsf" | "texttt"
        | "textup" => Style::As("\\text"),
        "dfrac" | "tfrac" | "cfrac" => Style::As("\\frac"),
        "dbinom" | "tbinom" => Style::As("\\binom"),
        "lt" => Style::As("<"),
        "gt" => Style::As(">"),
        "leqslant" | "leq" | "leqq" => Style::As("\\le"),
        "geqslant" | "geq" | "geqq" => Style::As("\\ge"),
        "neq" => Style::As("\\ne"),
        "varphi" => Style::As("\\phi"),
        "vartheta" => Style::As("\\theta"),
        "varepsilon" => Style::As("\\epsilon"),
        "varnothing" => Style::As("\\emptyset"),
        "degree" | "textdegree" => Style::As("^\\circ"),
        "percent" => Style::As("\\%"),
        "dots" | "cdots" | "dotsc" | "dotsb" => Style::As("\\ldots"),
        "lbrace" => Style::As("\\{"),
        "rbrace" => Style::As("\\}"),
        "lbrack" => Style::As("["),
        "rbrack" => Style::As("]"),
        "qquad" => Style::As("\\quad"),
        "thinspace" | "enspace" | "space" | "nobreakspace" | "medspace" => Style::As(" "),
        _ => return None,
    })
}

/// Returns the command for a function or constant that is written without a backslash: `pi`.
fn plain_name(word: &str) -> Option<&'static str> {
    Some(match word {
        "pi" | "Pi" | "PI" => "\\pi",
        "sin" => "\\sin",
        "cos" => "\\cos",
        "tan" => "\\tan",
        "cot" => "\\cot",
        "sec" => "\\sec",
        "csc" => "\\csc",
        "arcsin" | "asin" => "\\arcsin",
        "arccos" | "acos" => "\\arccos",
        "arctan" | "atan" => "\\arctan",
        "sinh" => "\\sinh",
        "cosh" => "\\cosh",
        "tanh" => "\\tanh",
        "log" => "\\log",
        "ln" => "\\ln",
        "exp" => "\\exp",
        "theta" => "\\theta",
        "alpha" => "\\alpha",
        "beta" => "\\beta",
        "gamma" => "\\gamma",
        "lambda" => "\\lambda",
        "infinity" | "infty" => "\\infty",
        _ => return None,
    })
}

/// Returns whether a text is a decimal whose last digits repeat: `0.1666...`.
pub(crate) fn is_repeating_decimal(text: &str) -> bool {
    text.ends_with("...") && plain::repeating_decimal(text).is_some()
}

/// Rewrites a text in one notation.
pub(crate) fn tidy(text: &str, plain_notation: bool) -> String {
    let text = text.trim();
    if plain_notation && let Some(amount) = plain::amount(text) {
        return amount;
    }
    let text = text.trim_start_matches('$').trim_start();
    // a full stop is not a decimal point
    let text = text.strip_suffix('.').filter(|text| !text.ends_with('.')).unwrap_or(text);
    let inferred =
        ["\\therefore", "\\Rightarrow", "\\implies", "\\Longrightarrow", "∴", "⇒", "⟹", "→", "=>", "->"]
            .iter()
            .find_map(|arrow| text.strip_prefix(arrow).filter(|rest| rest.starts_with([' ', '\\'])));
    let text = plain::without_text_face(inferred.unwrap_or(text).trim());
    let mut text = std::borrow::Cow::Borrowed(text);
    if !text.is_ascii() {
        text = text_without_unicode(&text, plain_notation).into();
    }
    if text.contains("\\\\begin{") {
        // escaped twice, including the row separators
        text = text.replace("\\\\", "\\").into();
    } else if text.contains("\\\\") && !text.contains("begin{") {
        text = plain::single_backslashes(&text).into();
    }
    if plain_notation
        && let Some(repeating) = plain::repeating_decimal(
            text.trim_matches('$').trim().trim_start_matches("\\displaystyle").trim_start(),
        )
    {
        return repeating;
    }
    if let Some(joined) = plain::column_of_layout(&text).or_else(|| plain::lines_of_layout(&text)) {
        text = joined.into();
    }
    if plain_notation && text.contains("\\dot") {
        text = plain::dotted_decimal(&text).map_or(text, Into::into);
    }
    if text.contains("\n\n") {
        // values in separate paragraphs
        text = text.replace("\n\n", " \\quad ").into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'\\' => push_command(&text, at, &mut out),
            b'$' => at + 1,
            b'~' | b'\n' | b'\r' | b'\t' => {
                push_space(&mut out);
                at + 1
            }
            b' ' => {
                push_space(&mut out);
                at + 1
            }
            b'`' => at + 1,
            b'*' if bytes.get(at + 1) == Some(&b'*') => {
                // bold in Markdown, or a power
                let inside = at > 0 && at + 2 < bytes.len();
                if plain_notation && inside && !text[at + 2..].contains("**") {
                    plain::push_exponent(&text, at + 1, &mut out)
                } else {
                    at + 2
                }
            }
            // `5!=120` has a factorial; in `x_2!=0` and `f(2)!=0`, `!=` means "not equal"
            b'!' if text[at + 1..].starts_with('=') && ends_with_number(&out) => {
                out.push('!');
                at + 1
            }
            b'<' | b'>' | b'!' if plain_notation && bytes.get(at + 1) == Some(&b'=') => {
                out.push_str(match byte {
                    b'<' => "\\le ",
                    b'>' => "\\ge ",
                    _ => "\\ne ",
                });
                at + 2
            }
            b'=' if bytes.get(at + 1) == Some(&b'=') => at + 1,
            b'<' => plain::push_markup(&text, at, &mut out),
            b'^' if plain_notation => plain::push_exponent(&text, at, &mut out),
            b'0'..=b'9' | b'.' if plain_notation => plain::push_number(&text, at, &mut out),
            b'a'..=b'z' | b'A'..=b'Z' => push_word(&text, at, plain_notation, &mut out),
            _ if byte.is_ascii() => {
                out.push(char::from(byte));
                at + 1
            }
            _ => {
                let c = text[at..].chars().next().unwrap_or(' ');
                out.push(c);
                at + c.len_utf8()
            }
        };
    }
    finish(out)
}

/// Returns whether a text ends with the digits of a number, not with those of a name or exponent.
fn ends_with_number(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    before.len() < text.len()
        && !before.ends_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '^' | '{' | '}'))
}

fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// Converts Unicode to LaTeX; with `plain_notation`, also superscripts, subscripts and roots.
fn text_without_unicode(text: &str, plain_notation: bool) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        if !plain_notation {
            if !unicode::is_invisible(c) {
                unicode::push(c, &mut out);
            }
            continue;
        }
        // behind a name or brackets, as in `x²/₄`, the first digits are an exponent
        if !out.ends_with(|c: char| c.is_alphabetic() || matches!(c, ')' | ']' | '}'))
            && let Some((fraction, length)) =
                unicode::script_fraction(std::iter::once(c).chain(chars.clone()))
        {
            out.push_str(&fraction);
            for _ in 1..length {
                chars.next();
            }
            continue;
        }
        for (opening, script) in
            [("^{", unicode::superscript as fn(char) -> Option<char>), ("_{", unicode::subscript)]
        {
            if let Some(first) = script(c) {
                out.push_str(opening);
                out.push(first);
                while let Some(next) = chars.peek().copied().and_then(script) {
                    out.push(next);
                    chars.next();
                }
                out.push('}');
            }
        }
        if unicode::superscript(c).is_some() || unicode::subscript(c).is_some() {
            continue;
        }
        match c {
            '√' | '∛' | '∜' => {
                out.push_str(match c {
                    '√' => "\\sqrt",
                    '∛' => "\\sqrt[3]",
                    _ => "\\sqrt[4]",
                });
                while chars.peek().is_some_and(|next| next.is_whitespace()) {
                    chars.next();
                }
                if let Some('(' | '{') = chars.peek() {
                } else if !chars.peek().is_some_and(|next| next.is_alphanumeric()) {
                    // a command is the argument
                    out.push(' ');
                } else {
                    // the root covers one number or one letter
                    out.push('{');
                    let mut digits = false;
                    while let Some(next) = chars.peek().copied() {
                        let plain = unicode::plain_form(next).unwrap_or(next);
                        let more = plain.is_ascii_digit() || (digits && plain == '.');
                        if !more && (digits || !next.is_alphabetic()) {
                            break;
                        }
                        unicode::push(next, &mut out);
                        chars.next();
                        if !more {
                            break;
                        }
                        digits = true;
                    }
                    out.push('}');
                }
            }
            _ => unicode::push(c, &mut out),
        }
    }
    out
}

/// Appends the command, escaped character or delimiter at `at`, and returns its end.
fn push_command(text: &str, at: usize, out: &mut String) -> usize {
    let Some((command, end)) = command_at(text, at) else {
        let next = text[at + 1..].chars().next();
        let end = at + 1 + next.map_or(0, char::len_utf8);
        match next {
            None => {}
            Some('!') => return end + usize::from(text[end..].starts_with(' ')),
            Some('(' | ')' | '[' | ']' | ' ' | ',' | ';' | ':' | '\n' | '/' | '"') => push_space(out),
            Some('\'') => out.push('\''),
            Some('$') => out.push_str("\\$"),
            Some(c) => {
                out.push('\\');
                out.push(c);
            }
        }
        return end;
    };
    match command {
        "left" | "right" => return push_fence(text, command == "left", end, out),
        "text" | "mathrm" | "operatorname" => return plain::push_verbatim(text, command, end, out),
        "hat" | "widehat" | "vec" => {
            if let Some((letter, end)) = plain::unit_vector(text, end) {
                out.push_str(letter);
                return end;
            }
        }
        "not" if text[end..].trim_start().starts_with('=') => {
            out.push_str("\\ne ");
            return text.len() - text[end..].trim_start().len() + 1;
        }
        "sqrt" => {
            out.push_str("\\sqrt");
            // parentheses after a root enclose its argument
            if let Some(inner) = plain::parenthesis_at(text, end).filter(|inner| !inner.contains("sqrt")) {
                out.push('{');
                out.push_str(&tidy_argument(inner));
                out.push('}');
                return end + inner.len() + 2;
            }
            return end;
        }
        _ => {}
    }
    match style(command) {
        None => {
            out.push_str(&text[at..end]);
            end
        }
        Some(Style::Drop) => end,
        Some(Style::DropArgument | Style::DropFirst) => plain::after_group(text, command, end),
        Some(Style::As("\\text")) => plain::push_verbatim(text, "text", end, out),
        Some(Style::As(other)) => {
            out.push_str(other);
            let letter = text[end..].starts_with(|c: char| c.is_ascii_alphanumeric());
            if letter && other.starts_with('\\') {
                out.push(' ');
            }
            end
        }
    }
}

/// Appends the delimiter after `\left` or `\right`, and returns its end.
///
/// Brackets and braces lose the command. Outward square brackets become round: `\left]0,1\right[` is `(0,1)`.
fn push_fence(text: &str, opens: bool, end: usize, out: &mut String) -> usize {
    let rest = text[end..].trim_start();
    let start = text.len() - rest.len();
    let (fence, length) = match rest.as_bytes() {
        [b'(', ..] => ("(", 1),
        [b')', ..] => (")", 1),
        [b'[', ..] if opens => ("[", 1),
        [b']', ..] if opens => ("(", 1),
        [b'[', ..] => (")", 1),
        [b']', ..] => ("]", 1),
        [b'\\', b'{', ..] => ("\\{", 2),
        [b'\\', b'}', ..] => ("\\}", 2),
        [b'\\', b'l', ..] if rest.starts_with("\\lbrace") => ("\\{", 7),
        [b'\\', b'r', ..] if rest.starts_with("\\rbrace") => ("\\}", 7),
        [b'\\', b'l', ..] if rest.starts_with("\\lbrack") => (if opens { "[" } else { ")" }, 7),
        [b'\\', b'r', ..] if rest.starts_with("\\rbrack") => (if opens { "(" } else { "]" }, 7),
        [b'<', ..] if opens => ("\\langle ", 1),
        [b'>', ..] if !opens => ("\\rangle ", 1),
        [b'\\', b'l', ..] if rest.starts_with("\\langle") => ("\\langle ", 7),
        [b'\\', b'r', ..] if rest.starts_with("\\rangle") => ("\\rangle ", 7),
        _ => {
            out.push_str(if opens { "\\left" } else { "\\right" });
            return end;
        }
    };
    out.push_str(fence);
    start + length
}

/// Appends a run of letters outside commands, and returns its end.
fn push_word(text: &str, at: usize, plain_notation: bool, out: &mut String) -> usize {
    let end = at + text[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let word = &text[at..end];
    let rest = &text[end..];
    if plain_notation && word.len() > 1 {
        if (word == "sqrt" || word == "cbrt")
            && let Some(inner) = plain::parenthesis_at(text, end)
        {
            out.push_str(if word == "sqrt" { "\\sqrt{" } else { "\\sqrt[3]{" });
            out.push_str(&tidy_argument(inner));
            out.push('}');
            return end + inner.len() + 2;
        }
        if let Some(name) = plain_name(word) {
            // a word of prose stays a word
            let prose = rest.starts_with(' ')
                && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic())
                && !matches!(name, "\\pi" | "\\log" | "\\ln" | "\\sin" | "\\cos" | "\\tan");
            // after a number, `sec` is the unit, unless an argument follows
            let unit = word == "sec"
                && out.trim_end().ends_with(|c: char| c.is_ascii_digit())
                && !rest
                    .trim_start()
                    .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '\\' | '^'));
            if !prose && !unit {
                out.push_str(name);
                if rest.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                    out.push(' ');
                }
                return end;
            }
        }
    }
    if plain_notation && word == "U" && out.ends_with([')', ']']) && rest.starts_with(['(', '[']) {
        out.push_str("\\cup ");
        return end;
    }
    out.push_str(word);
    end
}

/// Tidies the argument of a root in plain text. Long arguments, and arguments with `sqrt`, remain unchanged.
///
/// The recursion through `cbrt(...)` and root signs is at most 34 levels deep, because each level takes six of the
/// at most 200 bytes.
fn tidy_argument(inner: &str) -> String {
    if inner.len() > 200 || inner.contains("sqrt") { inner.to_owned() } else { tidy(inner, true) }
}

/// Removes trailing punctuation, stray backslashes and outer braces.
fn finish(mut out: String) -> String {
    loop {
        let trimmed = out.trim_end();
        let trimmed = trimmed.strip_suffix("\\text{.}").unwrap_or(trimmed);
        let trimmed = trimmed.strip_suffix("\\quad").unwrap_or(trimmed);
        let stripped = trimmed.strip_suffix(['.', ',', ';']).unwrap_or(trimmed);
        let stripped = match stripped.strip_suffix('\\') {
            Some(rest) if !rest.ends_with('\\') => rest,
            _ => stripped,
        };
        let length = stripped.len();
        let unchanged = length == out.len();
        out.truncate(length);
        if unchanged {
            break;
        }
    }
    // French brackets of open intervals: `]0,1[`
    if out.contains(',') && (out.starts_with(']') || out.ends_with('[')) && out.len() > 2 {
        if out.starts_with(']') {
            out.replace_range(..1, "(");
        }
        if out.ends_with('[') {
            out.replace_range(out.len() - 1.., ")");
        }
    }
    let inner = strip_outer_braces(&out);
    if inner.len() != out.len() {
        return finish_inner(inner);
    }
    let start = out.len() - out.trim_start().len();
    if start > 0 {
        out.drain(..start);
    }
    // `A = {1, 2}` in plain text
    if let Some((name, set)) = out.split_once('=')
        && let Some(inside) = set.trim().strip_prefix('{').and_then(|set| set.strip_suffix('}'))
        && inside.contains(',')
        && !inside.contains(['{', '}', '='])
    {
        return format!("{name}= \\{{{inside}\\}}");
    }
    out
}

fn finish_inner(inner: &str) -> String {
    inner.trim().trim_end_matches(['.', ',', ';']).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn nested_roots_need_little_stack() {
        let nested = |root: &str, levels: usize| {
            format!("{}2{}", format!("{root}(").repeat(levels), ")".repeat(levels))
        };
        let tidied = |levels: usize| {
            let read = move || {
                ["cbrt", "sqrt", "√", "∛", "\\sqrt", "cbrt sqrt"]
                    .map(|root| tidy(&nested(root, levels), true))
            };
            // 256 KiB is far less than the default stack of a thread.
            std::thread::Builder::new().stack_size(256 << 10).spawn(read).unwrap().join().unwrap()
        };
        assert_eq!(tidied(33)[0], r"\sqrt[3]{".repeat(33) + "2" + &"}".repeat(33));
        for levels in [34, 200, 2_000] {
            assert!(tidied(levels).iter().all(|text| text.len() >= levels), "{levels}");
        }
    }

    #[test]
    fn notations_become_one() {
        for (written, tidied) in [
            ("$x$", "x"),
            (r"\(\mathbf{5}\)", "5"),
            (r"\left(3, \frac{\pi}{2}\right)", r"(3, \frac{\pi}{2})"),
            (r"\left]0,1\right[", "(0,1)"),
            ("2√3", r"2\sqrt{3}"),
            ("√(x+1)", r"\sqrt{x+1}"),
            ("x²", "x^{2}"),
            ("x₂", "x_{2}"),
            ("4\u{ad}2", "42"),
            ("𝟒𝟐", "42"),
            ("2½", r"2\frac{1}{2}"),
            ("x**2", "x^2"),
            ("2**(1/4)", "2^{1/4}"),
            ("2^10", "2^{10}"),
            ("3e5", r"3\cdot10^{5}"),
            ("(3*sqrt(5))/7", r"(3*\sqrt{5})/7"),
            ("3*pi", r"3*\pi"),
            (r"\text{13}", "13"),
            (r"\boxed{42}.", "42"),
            (r"\\frac{\\pi}{2}", r"\frac{\pi}{2}"),
            (r"42\text{.}", "42"),
            ("185\\ ", "185"),
            ("{{{5}}}", "5"),
            (r"\dfrac12", r"\frac 12"),
            (r"5\,", "5"),
            ("$5.50", r"\$5.50"),
            ("$5$", "5"),
            ("∴ 5", "5"),
            (r"\textbf{(-\infty, \frac12]}", r"(-\infty, \frac12]"),
            (r"\textbf{(p,q)=(3,2)}", "(p,q)=(3,2)"),
            (r"\text{(C) 1/2}", r"\text{(C) 1/2}"),
            (r"\text{a number}", r"\text{a number}"),
            (r"\\begin{pmatrix}1\\\\2\\end{pmatrix}", r"\begin{pmatrix}1\\2\end{pmatrix}"),
            (r"(k,\\, 2)", "(k, 2)"),
            (r"2\hat{i}-\hat{\mathbf{j}}+\vec k", "2{i}-{j}+{k}"),
            (r"\vec{v}", r"\vec{v}"),
        ] {
            assert_eq!(tidy(written, true), tidied, "{written}");
        }
    }
}
