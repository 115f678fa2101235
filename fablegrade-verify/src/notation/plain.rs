//! Finds positions in LaTeX text, and rewrites plain-text notations.

/// Returns the name of the command whose backslash is at `at`, and its end.
pub(crate) fn command_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at + 1..)?;
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    (length > 0).then(|| (&rest[..length], at + 1 + length))
}

/// Returns the end of the character after the backslash at `at`.
pub(crate) fn after_escaped(text: &str, at: usize) -> usize {
    at + 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8)
}

/// Returns the content of the braced group at `at` or after blanks, and its end. Escaped braces do not count.
pub(crate) fn group_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..)?;
    let start = at + rest.len() - rest.trim_start().len();
    let bytes = text.as_bytes();
    if bytes.get(start) != Some(&b'{') {
        return None;
    }
    let (mut depth, mut place) = (0_usize, start);
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'\\' => place += 1,
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some((&text[start + 1..place], place + 1));
                }
            }
            _ => {}
        }
        place += 1;
    }
    None
}

/// Returns whether a text is an amount of money, so its dollar sign is not a delimiter: `$5.50`.
pub(super) fn is_amount(text: &str) -> bool {
    let Some(amount) = text.strip_prefix('$') else { return false };
    amount.len() <= 40
        && amount.starts_with(|c: char| c.is_ascii_digit())
        && amount.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'))
        && amount.ends_with(|c: char| c.is_ascii_digit())
}

/// Rewrites an amount of money that starts with a sign in plain text: `$5.50`, `US$5`, `Rs. 5`, `$42k`.
pub(super) fn amount(text: &str) -> Option<String> {
    if is_amount(text) {
        return Some(format!("\\{text}"));
    }
    if let Some(dollars) = text.strip_prefix("US").filter(|dollars| is_amount(dollars)) {
        return Some(format!("\\{dollars}"));
    }
    if let Some(rupees) = text.strip_prefix("Rs.").or_else(|| text.strip_prefix("Rs ")) {
        let rupees = rupees.trim();
        return is_amount(&format!("${rupees}")).then(|| format!("₹{rupees}"));
    }
    let thousands = text.strip_suffix(['k', 'K'])?;
    let whole = is_amount(thousands) && !thousands.contains(['.', ',']);
    whole.then(|| format!("\\{thousands}000"))
}

/// Returns the unit vector that a hat or an arrow covers, without its font, and its end.
///
/// The command of the hat or arrow ends at `at`.
pub(super) fn unit_vector(text: &str, at: usize) -> Option<(&'static str, usize)> {
    let rest = text.get(at..)?;
    let blanks = rest.len() - rest.trim_start().len();
    let (mut inner, end) = match group_at(text, at) {
        Some(group) => group,
        None => (rest.get(blanks..=blanks)?, at + blanks + 1),
    };
    for face in ["\\mathbf", "\\boldsymbol", "\\bm", "\\bf", "\\mathrm"] {
        if let Some(rest) = inner.trim().strip_prefix(face) {
            inner = rest;
        }
    }
    let letter = match inner.trim_matches(['{', '}', ' ']) {
        "i" | "\\imath" => "{i}",
        "j" | "\\jmath" => "{j}",
        "k" => "{k}",
        _ => return None,
    };
    Some((letter, end))
}

/// Returns the end of the arguments of a layout command that ends at `at`. The content of `\bbox[...]{5}` is kept.
pub(super) fn after_group(text: &str, command: &str, at: usize) -> usize {
    let at = at + usize::from(text[at..].starts_with('*'));
    let options = text[at..].starts_with('[').then(|| text[at..].find(']')).flatten();
    let at = options.map_or(at, |end| at + end + 1);
    if command == "bbox" { at } else { group_at(text, at).map_or(at, |(_, end)| end) }
}

/// The maximum length of an argument in parentheses, in bytes. Without a limit, a search for the end of each of many open
/// parentheses takes quadratic time.
const MOST_ARGUMENT: usize = 2_000;

/// Returns the content of the parentheses that open at `at`.
pub(crate) fn parenthesis_at(text: &str, at: usize) -> Option<&str> {
    if text.as_bytes().get(at) != Some(&b'(') {
        return None;
    }
    let mut depth = 0_usize;
    for (offset, byte) in text.as_bytes()[at..].iter().enumerate().take(MOST_ARGUMENT) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(&text[at + 1..at + offset]);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns a text without all pairs of braces that enclose it. Takes linear time.
pub(crate) fn strip_outer_braces(text: &str) -> &str {
    let text = text.trim();
    if !text.starts_with('{') || !text.ends_with('}') {
        return text;
    }
    let bytes = text.as_bytes();
    let leading = bytes.iter().take_while(|byte| **byte == b'{').count();
    let mut trailing = bytes.iter().rev().take_while(|byte| **byte == b'}').count();
    if bytes.get(bytes.len() - trailing - 1) == Some(&b'\\') {
        trailing -= 1;
    }
    let most = leading.min(trailing);
    if 2 * most >= text.len() {
        return "";
    }
    // the depth inside must never fall below the number of removed pairs
    let (mut depth, mut lowest, mut place) = (leading, leading, leading);
    while place < bytes.len() - most {
        match bytes[place] {
            b'\\' => place += 1,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        lowest = lowest.min(depth);
        place += 1;
    }
    let layers = most.min(lowest);
    text[layers..text.len() - layers].trim()
}

/// Returns the rows of a matrix that is only layout: one column without brackets. The rows are joined by
/// blanks.
pub(super) fn column_of_layout(text: &str) -> Option<String> {
    let inside = text.strip_prefix("\\begin{matrix}")?.trim_end().strip_suffix("\\end{matrix}")?;
    (!inside.contains('&') && !inside.contains("\\begin{")).then(|| inside.replace("\\\\", " "))
}

/// Joins the lines of an equation environment.
///
/// A line that starts with a relation or an operator continues the previous line; other lines are separate.
pub(super) fn lines_of_layout(text: &str) -> Option<String> {
    if let Some(values) = named_lines(text) {
        return Some(values);
    }
    const NAMES: [&str; 7] = ["align", "aligned", "gather", "gathered", "split", "equation", "eqnarray"];
    let text = text.trim_matches(['$', ' ', '\n']);
    let rest = text.strip_prefix("\\[").map_or(text, str::trim_start);
    let (name, inside) = rest.strip_prefix("\\begin{")?.split_once('}')?;
    if !NAMES.contains(&name.trim_end_matches('*')) || inside.contains("\\begin{") {
        return None;
    }
    let (inside, after) = inside.split_once(&format!("\\end{{{name}}}"))?;
    if !matches!(after.trim(), "" | "\\]" | ".") {
        return None;
    }
    let mut out = String::with_capacity(inside.len());
    for line in inside.split("\\\\") {
        let line = line.replace("\\&", "\0").replace('&', " ").replace('\0', "\\&");
        let line = line.trim().trim_end_matches([',', '.']);
        if !out.is_empty() && !line.is_empty() {
            let goes_on =
                ["=", "\\approx", "+", "-", "\\cdot", "\\times"].iter().any(|sign| line.starts_with(sign));
            out.push_str(if goes_on { " " } else { " \\quad " });
        }
        out.push_str(line);
    }
    Some(out)
}

/// Joins the lines of a brace that give one value each: `\begin{cases} x=3\\ y=4\end{cases}` becomes `x=3, y=4`.
fn named_lines(text: &str) -> Option<String> {
    let text = text.trim_matches(['$', ' ', '\n']);
    let text = text.strip_prefix("\\left\\{").map_or(text, str::trim_start);
    // the point is missing if it was taken for a full stop
    let right = text.strip_suffix("\\right.").or_else(|| text.strip_suffix("\\right"));
    let text = right.map_or(text, str::trim_end);
    let inside = ["cases", "array", "aligned"].iter().find_map(|name| {
        text.strip_prefix("\\begin{")?
            .strip_prefix(name)?
            .strip_prefix('}')?
            .strip_suffix(&format!("\\end{{{name}}}"))
    })?;
    let inside = inside.trim_start();
    // the columns of an array
    let inside = inside
        .strip_prefix('{')
        .and_then(|rest| rest.split_once('}'))
        .filter(|(columns, _)| columns.bytes().all(|byte| matches!(byte, b'l' | b'c' | b'r' | b'|' | b' ')))
        .map_or(inside, |(_, rest)| rest);
    let mut lines = Vec::new();
    let mut names = Vec::new();
    for line in inside.split("\\\\") {
        let line = line.replace('&', " ");
        let line = line.trim().trim_end_matches([',', '.', ';']).trim();
        if line.is_empty() {
            continue;
        }
        let (name, value) = line.split_once('=')?;
        let name = name.trim().to_owned();
        let single = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let value_alone =
            !value.contains(['=', '<', '>', ',']) && !value.contains("\\text") && !value.trim().is_empty();
        if !single || names.contains(&name) || !value_alone {
            return None;
        }
        names.push(name);
        lines.push(line.to_owned());
    }
    (lines.len() > 1).then(|| lines.join(", "))
}

/// Rewrites `0.\dot{1}4285\dot{7}` as `0.\overline{142857}`.
pub(super) fn dotted_decimal(text: &str) -> Option<String> {
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (front, rest) = text.split_once("\\dot")?;
    let digit = |rest: &str| {
        let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let (digit, after) = braced.or_else(|| rest.trim_start().split_at_checked(1))?;
        (digit.len() == 1 && plain(digit)).then(|| (digit.to_owned(), after.to_owned()))
    };
    let (whole, places) = front.rsplit_once('.')?;
    let (first, rest) = digit(rest)?;
    if !whole.ends_with(|c: char| c.is_ascii_digit()) || !plain(places) {
        return None;
    }
    let (block, after) = match rest.split_once("\\dot") {
        None => (first, rest),
        Some((between, last)) => {
            let (last, after) = digit(last)?;
            if !plain(between) || after.contains("\\dot") {
                return None;
            }
            (format!("{first}{between}{last}"), after)
        }
    };
    Some(format!("{front}\\overline{{{block}}}{after}"))
}

/// Removes a text font around mathematics: `\textbf{\frac12}`.
pub(super) fn without_text_face(mut text: &str) -> &str {
    for _ in 0..3 {
        let face = command_at(text, 0).filter(|(name, _)| {
            text.starts_with('\\')
                && matches!(*name, "text" | "textbf" | "textit" | "textrm" | "mbox" | "mathrm")
        });
        let inside = face.and_then(|(_, end)| group_at(text, end)).filter(|(_, after)| *after == text.len());
        let Some((inside, _)) = inside else { break };
        let inside = inside.trim();
        let mathematics = inside.match_indices('\\').any(|(at, _)| {
            command_at(inside, at).is_some_and(|(name, _)| !name.starts_with("text") && name != "quad")
        });
        let option = matches!(inside.as_bytes(), [b'(', b'A'..=b'H', b')', ..]);
        let formula = inside.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '(' | '[' | '-'))
            && inside.contains([',', '=', '^', '+', '*', '<', '>', '/', '∪'])
            && !option;
        let formula = formula || inside.contains('=');
        if !(mathematics || formula) || crate::reading::words::is_textual(inside) {
            break;
        }
        text = inside;
    }
    text
}

/// Repairs commands in a text that was escaped twice: `\\frac` becomes `\frac`.
pub(crate) fn single_backslashes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\\\") {
        let after = &rest[at + 2..];
        out.push_str(&rest[..at]);
        let command = after.bytes().take_while(u8::is_ascii_alphabetic).count() > 1
            || after.starts_with(['{', '}', '(', ')', '[', ']', '%', '$', ',', ';', '!', '\'']);
        out.push_str(if command { "\\" } else { "\\\\" });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Appends `\text{...}` or `\mathrm{...}`, and returns its end. Content without letters, or with mathematics,
/// is unwrapped.
pub(super) fn push_verbatim(text: &str, command: &str, end: usize, out: &mut String) -> usize {
    let Some((inner, after)) = group_at(text, end) else {
        // `\text 5`
        return end;
    };
    let letters = inner.bytes().any(|byte| byte.is_ascii_alphabetic()) || !inner.is_ascii();
    if !letters && command != "operatorname" {
        super::push_space(out);
        out.push_str(inner.trim());
        super::push_space(out);
        return after;
    }
    if command == "mathrm" && inner.contains('_') && !inner.contains(['\\', ' ']) {
        // a chemical formula
        out.push_str(inner);
        return after;
    }
    let index = out.ends_with("_{") || out.ends_with('_');
    if index && command == "mathrm" && inner.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        out.push_str(inner);
        return after;
    }
    if out.trim_end().is_empty()
        && command == "text"
        && inner.trim_start().starts_with(|c: char| c.is_ascii_digit())
    {
        out.push_str(inner.trim());
        return after;
    }
    if inner.contains("\\boxed") || inner.contains('$') {
        // `\text{$5$}`: the content is read without the commands that wrap it
        out.push_str(&inner.replace("\\boxed", "").replace('$', ""));
        return after;
    }
    out.push('\\');
    out.push_str(command);
    out.push('{');
    let mut blank = false;
    for c in inner.chars() {
        match c {
            '~' | '\n' | '\t' | ' ' => {
                if !blank {
                    out.push(' ');
                }
                blank = true;
                continue;
            }
            c => out.push(c),
        }
        blank = false;
    }
    out.push('}');
    after
}

/// Appends a tag such as `<sup>` as LaTeX, or a plain less-than sign, and returns its end.
pub(super) fn push_markup(text: &str, at: usize, out: &mut String) -> usize {
    for (tag, latex) in [
        ("<sup>", "^{"),
        ("</sup>", "}"),
        ("<sub>", "_{"),
        ("</sub>", "}"),
        ("<b>", ""),
        ("</b>", ""),
        ("<br>", " "),
    ] {
        if text[at..].starts_with(tag) {
            out.push_str(latex);
            return at + tag.len();
        }
    }
    out.push('<');
    at + 1
}

/// Appends an exponent, and returns its end.
///
/// Several digits get braces, which also replace parentheses. `^o` after a digit is a degree sign.
pub(super) fn push_exponent(text: &str, at: usize, out: &mut String) -> usize {
    let rest = &text[at + 1..];
    let after_digit = out.trim_end().ends_with(|c: char| c.is_ascii_digit());
    for degree in ["o", "{o}", "{\\circ}", "{\\degree}", "{\\text{o}}", "\\circ"] {
        if after_digit && rest.starts_with(degree) {
            let behind = &rest[degree.len()..];
            if degree.ends_with(['}', 'c']) || !behind.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                out.push_str("^\\circ");
                if behind.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    out.push(' ');
                }
                return at + 1 + degree.len();
            }
        }
    }
    let sign = usize::from(rest.starts_with(['-', '+']));
    let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
    if digits > 1 {
        out.push_str("^{");
        out.push_str(&rest[..sign + digits]);
        out.push('}');
        return at + 1 + sign + digits;
    }
    if let Some(inner) = parenthesis_at(text, at + 1).filter(|inner| !inner.is_empty() && inner.is_ascii())
        && !inner.contains("**")
        && !inner.contains("sqrt(")
    {
        out.push_str("^{");
        out.push_str(inner);
        out.push('}');
        return at + 3 + inner.len();
    }
    out.push('^');
    at + 1
}

/// Appends a run of digits, and returns its end.
///
/// `3e5` and `3 x 10^5` become powers of ten, and `1 1/2` becomes a mixed number.
pub(super) fn push_number(text: &str, at: usize, out: &mut String) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    while bytes.get(end).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
        end += 1;
    }
    out.push_str(&text[at..end]);
    let rest = &text[end..];
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let digits = exponent[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let behind = &exponent[sign + digits..];
        if (1..=6).contains(&digits) && !behind.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            out.push_str("\\cdot10^{");
            out.push_str(exponent[..sign + digits].trim_start_matches('+'));
            out.push('}');
            return end + 1 + sign + digits;
        }
    }
    // a mixed number: `1 1/2`
    if !text[at..end].contains('.') {
        let fraction = rest.strip_prefix(' ').unwrap_or_default();
        let top = fraction.bytes().take_while(u8::is_ascii_digit).count();
        let below = fraction[top..].strip_prefix('/').unwrap_or_default();
        let bottom = below.bytes().take_while(u8::is_ascii_digit).count();
        let ends =
            !below[bottom..].starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '^'));
        if (1..=6).contains(&top) && (1..=6).contains(&bottom) && ends {
            out.push_str("\\frac{");
            out.push_str(&fraction[..top]);
            out.push_str("}{");
            out.push_str(&below[..bottom]);
            out.push('}');
            return end + 1 + top + 1 + bottom;
        }
    }
    let spaced = rest.trim_start();
    if let Some(power) = spaced.strip_prefix('x') {
        let power = power.trim_start();
        // glued to the sign, only a mantissa of one digit: `1.5x10^3`
        let mantissa = end - at == 1 || bytes.get(at + 1) == Some(&b'.');
        if power.starts_with("10^") && (spaced.len() < rest.len() || mantissa) {
            out.push_str("\\times ");
            return text.len() - power.len();
        }
    }
    end
}

/// Rewrites a repeating decimal: `0.1666...` becomes `0.1\overline{6}`, and `0.(3)` becomes `0.\overline{3}`.
///
/// The last digits must occur three times. The continuation of `3.14159...` is unknown.
pub(super) fn repeating_decimal(text: &str) -> Option<String> {
    if let Some((whole, block)) = text.strip_suffix(')').and_then(|front| front.split_once(".(")) {
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = whole.strip_prefix('-').unwrap_or(whole);
        return (plain(number) && plain(block)).then(|| format!("{whole}.\\overline{{{block}}}"));
    }
    let digits = text.strip_suffix("...").or_else(|| text.strip_suffix("\\ldots"))?.trim_end();
    let (whole, places) = digits.split_once('.')?;
    let number = whole.strip_prefix('-').unwrap_or(whole);
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if number.is_empty() || !plain(number) || !plain(places) || places.len() > 60 {
        return None;
    }
    let period = (1..=places.len() / 3).find(|period| {
        let (front, last) = places.split_at(places.len() - period);
        front.ends_with(&last.repeat(2))
    })?;
    let block = &places[places.len() - period..];
    // The block starts where the digits start to repeat.
    let mut before = places;
    while let Some(shorter) = before.strip_suffix(block) {
        before = shorter;
    }
    Some(format!("{whole}.{before}\\overline{{{block}}}"))
}

#[cfg(test)]
mod tests {
    use super::{MOST_ARGUMENT, dotted_decimal, lines_of_layout, parenthesis_at, repeating_decimal};

    #[test]
    fn arguments_in_parentheses_end_nearby() {
        assert_eq!(parenthesis_at("x^((1)+2)", 2), Some("(1)+2"));
        assert_eq!(parenthesis_at("x^(1", 2), None);
        let long = format!("({})", "1".repeat(MOST_ARGUMENT));
        assert_eq!(parenthesis_at(&long, 0), None);
    }

    #[test]
    fn lines_become_one_text() {
        for (text, read) in [
            ("\\begin{align*}\nx &= 5\\cdot 3\\\\\n&= 15\n\\end{align*}", Some("x  = 5\\cdot 3 = 15")),
            (r"\[\begin{aligned}x&=1\\y&=2\end{aligned}\]", Some(r"x =1 \quad y =2")),
            (r"\begin{align}x\end{align} and more", None),
            (r"\begin{pmatrix}1\\2\end{pmatrix}", None),
        ] {
            assert_eq!(lines_of_layout(text).as_deref(), read, "{text}");
        }
    }

    #[test]
    fn dots_over_digits_repeat_them() {
        for (text, read) in [
            (r"0.\dot{3}", Some(r"0.\overline{3}")),
            (r"0.1\dot 6", Some(r"0.1\overline{6}")),
            (r"0.\dot{1}4285\dot{7}", Some(r"0.\overline{142857}")),
            (r"\dot{x}", None),
            (r"2.5\dot{x}", None),
        ] {
            assert_eq!(dotted_decimal(text).as_deref(), read, "{text}");
        }
    }

    #[test]
    fn decimals_that_go_on() {
        for (text, read) in [
            ("0.333...", Some(r"0.\overline{3}")),
            (r"0.1666\ldots", Some(r"0.1\overline{6}")),
            ("-12.345454545...", Some(r"-12.3\overline{45}")),
            ("0.142857142857142857...", Some(r"0.\overline{142857}")),
            ("3.14159...", None),
            ("0.33...", None),
            ("0.(3)", Some(r"0.\overline{3}")),
            ("-2.(09)", Some(r"-2.\overline{09}")),
            ("2.(x)", None),
            ("0.333", None),
            ("1, 2, 3, ...", None),
            ("...", None),
        ] {
            assert_eq!(repeating_decimal(text).as_deref(), read, "{text}");
        }
    }
}
