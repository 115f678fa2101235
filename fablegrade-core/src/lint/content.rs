//! What can be wrong with any text that a learner sees: blank, damaged on its way, or not readable as a formula.

use std::borrow::Cow;

use fablegrade_public::content::{Content, Piece, comparable_text};
use fablegrade_public::json::Json;
use fablegrade_public::{Finding, Findings};

use super::Places;
use crate::answer::AnswerSpec;

/// A text of a question.
struct Text<'s> {
    pointer: String,
    content: Cow<'s, Content>,
}

/// Every text of a question that a learner may see, with its place.
fn texts(spec: &AnswerSpec) -> Vec<Text<'_>> {
    let mut texts = Vec::new();
    fn plain(text: Option<&String>, pointer: String) -> Option<Text<'_>> {
        text.map(|text| Text { pointer, content: Cow::Owned(Content::text(text.as_str())) })
    }
    let list = &mut texts;
    match spec {
        AnswerSpec::MultipleChoice(spec) => {
            for (at, choice) in spec.choices.iter().enumerate() {
                let pointer = format!("/choices/{at}/content");
                list.push(Text { pointer, content: Cow::Borrowed(&choice.content) });
                if let Some(feedback) = &choice.feedback {
                    let pointer = format!("/choices/{at}/feedback");
                    list.push(Text { pointer, content: Cow::Borrowed(feedback.expose()) });
                }
            }
        }
        AnswerSpec::Numeric(spec) => list.extend(plain(spec.input_hint.as_ref(), "/inputHint".into())),
        AnswerSpec::Ordering(spec) => {
            list.extend(plain(spec.prompt.as_ref(), "/prompt".into()));
            list.extend(spec.items.iter().enumerate().map(|(at, item)| Text {
                pointer: format!("/items/{at}/content"),
                content: Cow::Borrowed(&item.content),
            }));
        }
        AnswerSpec::Matching(spec) => {
            list.extend(plain(spec.prompt.as_ref(), "/prompt".into()));
            for (side, items) in [("left", &spec.left), ("right", &spec.right)] {
                list.extend(items.iter().enumerate().map(|(at, item)| Text {
                    pointer: format!("/{side}/{at}/content"),
                    content: Cow::Borrowed(&item.content),
                }));
            }
        }
        AnswerSpec::FreeText(spec) => {
            for (at, line) in spec.0.rubric.iter().flatten().enumerate() {
                list.extend(plain(Some(&line.criterion), format!("/rubric/{at}/criterion")));
                list.extend(plain(line.description.as_ref(), format!("/rubric/{at}/description")));
            }
            for (at, line) in spec.0.self_assess_checklist.iter().flatten().enumerate() {
                list.extend(plain(Some(line), format!("/selfAssessChecklist/{at}")));
            }
        }
        AnswerSpec::Expression(_) | AnswerSpec::Code(_) | AnswerSpec::Widget(_) => {}
    }
    texts
}

/// The rules about texts. Linear in their length.
pub(super) fn lint(spec: &AnswerSpec, findings: &mut Findings) {
    let texts = texts(spec);
    let (mut blank, mut control, mut lost, mut dollar, mut escaped, mut mojibake) = (
        Places::default(),
        Places::default(),
        Places::default(),
        Places::default(),
        Places::default(),
        Places::default(),
    );
    let (mut entity, mut tag, mut markup) = (Places::default(), Places::default(), Places::default());
    let mut broken: Option<(Places, &'static str)> = None;
    for Text { pointer, content } in &texts {
        let here = || pointer.clone();
        if is_blank(content) {
            blank.add(here);
            continue;
        }
        let whole = is_one_markup(content);
        let (mut has_entity, mut has_tag, mut eaten) = (false, false, false);
        for piece in content.pieces() {
            match piece {
                Piece::Text(text) => {
                    // In prose a word such as `not` may begin a line.
                    eaten |= !text.contains('\n') && has_lost_backslash(text);
                    if text.chars().any(is_stray_control) && !eaten {
                        control.add(here);
                    }
                    if has_open_formula(text) {
                        dollar.add(here);
                    }
                    if is_mojibake(text) {
                        mojibake.add(here);
                    }
                    has_entity |= html_entity(text);
                    has_tag |= html_tag(text);
                }
                Piece::Formula(latex) => {
                    eaten |= has_lost_backslash(latex);
                    if is_escaped_twice(latex) {
                        escaped.add(here);
                    } else if let Some(problem) = formula_problem(latex) {
                        broken.get_or_insert((Places::default(), problem)).0.add(here);
                    }
                }
                Piece::Code => {}
            }
        }
        if eaten {
            lost.add(here);
        }
        match (whole, has_entity, has_tag) {
            (true, true, _) | (true, _, true) => markup.add(here),
            (_, _, true) => tag.add(here),
            (_, true, _) => entity.add(here),
            _ => {}
        }
    }
    if let Some((pointer, message)) = blank.tell("there is nothing to read") {
        findings.push(Finding::warning(
            "blank-content",
            pointer,
            message,
            "write the text or remove the entry",
        ));
    }
    if let Some((pointer, message)) =
        lost.tell("a control character stands where a command has lost its backslash: in JSON `\\t` is a tab")
    {
        findings.push(Finding::warning("lost-backslash", pointer, message, DOUBLE));
    }
    if let Some((pointer, message)) =
        control.tell("a control character stands in the text; it shows as nothing or as a box")
    {
        findings.push(Finding::warning("control-character", pointer, message, "remove it"));
    }
    if let Some((pointer, message)) = dollar.tell("a formula opens with `$` and never closes") {
        findings.push(Finding::warning(
            "unbalanced-dollar",
            pointer,
            message,
            "close the formula with `$`, or write `\\$` for money",
        ));
    }
    if let Some((places, problem)) = broken
        && let Some((pointer, message)) = places.tell(&format!("the formula cannot be typeset: {problem}"))
    {
        findings.push(Finding::warning("broken-formula", pointer, message, "correct the LaTeX"));
    }
    if let Some((pointer, message)) =
        escaped.tell("two backslashes stand before a command, which is a line break and a word")
    {
        findings.push(Finding::warning(
            "double-backslash",
            pointer,
            message,
            "write one backslash in LaTeX: two in JSON, not four",
        ));
    }
    if let Some((pointer, message)) =
        mojibake.tell("letters were read in the wrong encoding, such as `Ã©` for `é`")
    {
        findings.push(Finding::warning(
            "mojibake",
            pointer,
            message,
            "save the source as UTF-8 and read it as UTF-8",
        ));
    }
    if let Some((pointer, message)) =
        tag.tell("an HTML tag stands in plain text, so learners may see it as it is written")
    {
        findings.push(Finding::warning(
            "html-tag",
            pointer,
            message,
            "use rich content, a formula or Unicode such as `₂`",
        ));
    }
    if let Some((pointer, message)) =
        entity.tell("an HTML entity stands in plain text, so learners may see `&...;`")
    {
        findings.push(Finding::warning("html-entity", pointer, message, "write the character itself"));
    }
    if let Some((pointer, message)) = markup.tell("the whole text is HTML; it is shown as it is written") {
        findings.push(Finding::info(
            "html-content",
            pointer,
            message,
            "keep it if the question is about HTML",
        ));
    }
}

/// Whether there is nothing to see. An object with other fields than text may be a picture.
fn is_blank(content: &Content) -> bool {
    fn only_text(json: &Json) -> bool {
        let mut pending = vec![json];
        while let Some(node) = pending.pop() {
            match node {
                Json::Array(items) => pending.extend(items),
                Json::Object(fields) => {
                    for (key, value) in fields {
                        match key.as_ref() {
                            "type" => {
                                let kind = value.as_str().unwrap_or_default();
                                if !matches!(kind, "doc" | "paragraph" | "text" | "root" | "span" | "p") {
                                    return false;
                                }
                            }
                            "id" | "key" => {}
                            "text" | "value" | "content" | "children" | "latex" => pending.push(value),
                            _ => return false,
                        }
                    }
                }
                _ => {}
            }
        }
        true
    }
    let seen = |text: &str| text.chars().any(|c| !c.is_whitespace() && !is_invisible(c));
    match content.as_json() {
        Json::String(text) => !seen(text),
        Json::Null => true,
        Json::Array(_) | Json::Object(_) => only_text(content.as_json()) && !seen(&content.visible_text()),
        Json::Bool(_) | Json::Number(_) => false,
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// A control character that no text needs. Marks of direction are needed beside right-to-left scripts.
fn is_stray_control(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\u{85}')) || c == '\u{feff}' || c == '\u{202e}'
}

/// What two contents that look the same have in common; `None` where it cannot be told without showing them.
///
/// Ids of nodes do not show. Content with other fields than text is compared as a whole.
pub(super) fn comparable(content: &Content) -> String {
    fn without_ids(json: &Json) -> (Json, bool) {
        match json {
            Json::Array(items) => {
                let (items, plain): (Vec<_>, Vec<_>) = items.iter().map(without_ids).unzip();
                (Json::Array(items), plain.into_iter().all(|plain| plain))
            }
            Json::Object(fields) => {
                let mut all_plain = true;
                let mut kept = Vec::new();
                for (key, value) in fields {
                    if matches!(key.as_ref(), "id" | "key" | "uuid") {
                        continue;
                    }
                    let (value, plain) = without_ids(value);
                    let known =
                        matches!(key.as_ref(), "type" | "text" | "value" | "content" | "children" | "latex");
                    all_plain &= plain && known;
                    kept.push((key.clone(), value));
                }
                (Json::object(kept), all_plain)
            }
            Json::String(text) => (Json::from(comparable_text(text)), true),
            other => (other.clone(), true),
        }
    }
    // The depth of content is bounded where it is read.
    let (json, plain) = without_ids(content.as_json());
    let pieces = content.pieces();
    if !plain || pieces.is_empty() || pieces.contains(&Piece::Code) {
        return json.to_canonical();
    }
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(prose) => text.push_str(&comparable_text(prose)),
            Piece::Formula(latex) => {
                text.push('$');
                text.extend(latex.split_whitespace());
                text.push('$');
            }
            Piece::Code => {}
        }
    }
    text
}

pub(crate) const DOUBLE: &str = "double the backslashes in JSON: `\\\\times`";

/// What is left of a command whose backslash and first letter became a control character in JSON.
const TAILS: &[(char, &[&str])] = &[
    ('\t', &["imes", "heta", "an", "anh", "au", "ext", "frac", "ilde", "extbf", "extit", "riangle"]),
    ('\r', &["ho", "ight", "angle", "ightarrow", "ceil", "floor"]),
    ('\n', &["u", "eq", "eg", "abla", "ot", "otin"]),
    ('\u{8}', &["eta", "ar", "inom", "egin", "mod", "oxed", "ig", "f", "ecause"]),
    ('\u{c}', &["rac", "orall", "lat"]),
];

/// Whether a JSON escape has eaten the backslash of a command: `\times` as a tab and `imes`.
pub(crate) fn has_lost_backslash(latex: &str) -> bool {
    TAILS.iter().any(|(control, tails)| {
        latex.split(*control).skip(1).any(|rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
            tails.contains(&&rest[..end])
        })
    })
}

/// Commands that a doubled backslash before them has broken, not begun a new line.
const COMMANDS: [&str; 24] = [
    "frac", "dfrac", "tfrac", "sqrt", "sin", "cos", "tan", "ln", "log", "exp", "cdot", "times", "left",
    "right", "pi", "alpha", "beta", "theta", "lambda", "mu", "le", "ge", "infty", "int",
];

/// Whether `\\` stands before a known command outside a table.
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

/// Whether prose has a `$` that begins a formula and none that ends it: money has no command, index or power behind it.
fn has_open_formula(text: &str) -> bool {
    let mut dollars = 0usize;
    let mut last = 0;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\\' => {
                escaped = !escaped;
                continue;
            }
            '$' if !escaped => {
                dollars += 1;
                last = at;
            }
            _ => {}
        }
        escaped = false;
    }
    // A formula also lacks its end where the dollar stands last.
    !dollars.is_multiple_of(2) && {
        let (before, after) = text.split_at(last);
        let formula = |part: &str| part.contains(['\\', '^', '_', '{', '=']);
        formula(after) || (after.len() == 1 && formula(before))
    }
}

/// Why LaTeX cannot be typeset; only what no macro can mend.
pub(super) fn formula_problem(latex: &str) -> Option<&'static str> {
    let bytes = latex.as_bytes();
    let (mut braces, mut fences, mut environments) = (0i32, 0i32, 0i32);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => {
                let rest = &latex[at + 1..];
                let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
                match &rest[..end] {
                    "" if rest.is_empty() => return Some("a backslash stands at its end"),
                    "" => at += rest.chars().next().map_or(0, char::len_utf8),
                    "left" => fences += 1,
                    "right" => fences -= 1,
                    "begin" => environments += 1,
                    "end" => environments -= 1,
                    _ => {}
                }
                at += end;
            }
            b'{' => braces += 1,
            b'}' => {
                braces -= 1;
                if braces < 0 {
                    return Some("a brace closes that was never opened");
                }
            }
            _ => {}
        }
        at += 1;
    }
    match (braces, fences, environments) {
        (0, 0, 0) => None,
        (0, 0, _) => Some("`\\begin` and `\\end` do not belong together"),
        (0, ..) => Some("`\\left` and `\\right` do not belong together"),
        _ => Some("a brace is never closed"),
    }
}

/// UTF-8 that was read as Latin-1 or Windows-1252, or could not be read at all.
fn is_mojibake(text: &str) -> bool {
    if text.contains('\u{fffd}') || text.contains("â€") {
        return true;
    }
    let mut before = ' ';
    for c in text.chars() {
        if matches!(before, 'Ã' | 'Â') && matches!(c, '\u{80}'..='\u{bf}') {
            return true;
        }
        before = c;
    }
    false
}

const ENTITIES: [&str; 30] = [
    "lt", "gt", "amp", "quot", "apos", "nbsp", "ne", "le", "ge", "times", "divide", "deg", "plusmn", "minus",
    "middot", "sup2", "sup3", "frac12", "pi", "alpha", "beta", "auml", "ouml", "uuml", "szlig", "eacute",
    "rarr", "ndash", "mdash", "hellip",
];

fn html_entity(text: &str) -> bool {
    text.match_indices('&').any(|(at, _)| {
        let rest = &text[at + 1..];
        let Some(end) = rest.bytes().take(12).position(|byte| byte == b';') else { return false };
        let name = &rest[..end];
        ENTITIES.contains(&name)
            || name.strip_prefix('#').is_some_and(|number| {
                let digits = number.trim_start_matches(['x', 'X']);
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            })
    })
}

/// Tags of formatting and structure; others, such as `<T>`, may be meant.
const TAGS: [&str; 26] = [
    "sub", "sup", "b", "i", "u", "em", "strong", "br", "p", "span", "div", "font", "img", "ul", "ol", "li",
    "table", "tr", "td", "th", "tt", "center", "h1", "h2", "h3", "pre",
];

fn html_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('/');
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        // A tag closes; `x <b` does not.
        TAGS.contains(&rest[..end].to_ascii_lowercase().as_str())
            && rest[end..].starts_with(['>', ' ', '/'])
            && rest[end..].bytes().take(200).any(|byte| byte == b'>')
    })
}

/// Whether the whole text is markup, as where a question asks about HTML: one tag with all it holds, or one entity.
fn is_one_markup(content: &Content) -> bool {
    let Some(text) = content.as_json().as_str().map(str::trim) else { return false };
    (text.starts_with('<') && text.ends_with('>'))
        || (text.starts_with('&') && text.find(';') == Some(text.len() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_told_from_what_is_meant() {
        assert!(
            html_tag("H<sub>2</sub>O")
                && html_tag("a<br/>b")
                && !html_tag("x <b and c")
                && !html_tag("List<T>")
        );
        assert!(html_entity("a &lt; b") && html_entity("&#8804;") && !html_entity("AT&T; B & C; x"));
        assert!(is_mojibake("cafÃ©") && is_mojibake("it â€™s") && !is_mojibake("SÃO PAULO, Âge, café"));
        assert!(
            has_open_formula("$x^2 and more")
                && !has_open_formula("it costs $5")
                && !has_open_formula("\\$x^2")
        );
        assert_eq!(formula_problem("\\frac{1}{2"), Some("a brace is never closed"));
        assert_eq!(formula_problem("\\left(\\{x\\}\\right."), None);
        assert!(
            is_escaped_twice("\\\\frac12")
                && !is_escaped_twice("a\\\\b")
                && !is_escaped_twice("\\begin{x}a\\\\sin x")
        );
    }
}
