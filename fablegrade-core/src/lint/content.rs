//! Defects of texts that learners see: blank texts, damage in transit, and formulas that cannot be read.

use std::borrow::Cow;

use fablegrade_latex::{KEEP_BACKSLASHES, lost_backslash};
use fablegrade_public::content::{Content, Piece, comparable_text, dollar_signs};
use fablegrade_public::json::Json;
use fablegrade_public::{Finding, Findings};

use super::equality::{self, Quantity};
use super::latex::{formula_problem, has_lost_long_command, is_escaped_twice, lacks_backslash};
use super::{Places, html};
use crate::answer::AnswerSpec;

/// A text of a question.
struct Text<'s> {
    pointer: String,
    content: Cow<'s, Content>,
}

/// Returns the texts of a question in which learners read prose or formulas, with their pointers.
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

/// Commands that occur only in formulas.
const BARE: [&str; 30] = [
    "frac", "dfrac", "tfrac", "sqrt", "cdot", "times", "mathrm", "overline", "leq", "geq", "neq", "alpha",
    "beta", "gamma", "theta", "lambda", "pi", "omega", "sigma", "infty", "int", "sum", "lim", "sin", "cos",
    "ln", "binom", "vec", "approx", "left",
];

/// Returns whether prose contains a LaTeX command or a script in braces. Windows paths, which also have
/// backslashes, are ignored.
fn has_bare_formula(text: &str) -> bool {
    let command = text.match_indices('\\').any(|(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        BARE.contains(&&rest[..end]) && !text[..at].ends_with(['\\', ':'])
    });
    let script = || {
        // The last brace is found once: a search from each script would be quadratic.
        let Some(last) = text.rfind('}') else { return false };
        ["^{", "_{"].iter().any(|script| {
            text.match_indices(script).any(|(at, _)| {
                at < last && text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == ')')
            })
        })
    };
    !text.contains(":\\") && (command || script())
}

/// Returns the commands of a text, in order, if the whole text is a formula.
fn commands_of_formula(text: &str) -> Option<Vec<&str>> {
    equality::formula(text.trim())?;
    Some(
        text.match_indices('\\')
            .map(|(at, _)| {
                let rest = &text[at + 1..];
                &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())]
            })
            .collect(),
    )
}

/// The maximum number of texts without `$` that are compared as formulas. An array of content can have thousands
/// of texts, and the comparison is quadratic.
const MOST_FORMULAS: usize = 40;

/// Returns whether texts are formulas without `$`: all can be read, use the same commands and have different
/// values. In a question about LaTeX code, the choices differ in their commands or have equal values. Returns false
/// for more than [`MOST_FORMULAS`] texts.
fn are_formulas(texts: &[&str]) -> bool {
    if !(2..=MOST_FORMULAS).contains(&texts.len()) {
        return false;
    }
    let commands: Option<Vec<Vec<&str>>> = texts.iter().map(|text| commands_of_formula(text)).collect();
    let same = commands.is_some_and(|commands| commands.iter().all(|list| *list == commands[0]));
    if !same {
        return false;
    }
    let quantities: Vec<Option<Quantity>> = texts.iter().map(|text| equality::formula(text.trim())).collect();
    equality::equal_pairs(&quantities).is_empty()
}

/// Applies the rules about texts.
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
    let mut bare = Places::default();
    let mut without_signs: Vec<&str> = Vec::new();
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
        let mut open = false;
        for piece in content.pieces() {
            let opened = std::mem::take(&mut open);
            match piece {
                Piece::Text(text) => {
                    open = dollar_signs(text).last().is_some_and(|at| at + 1 == text.len());
                    // In prose, a line can begin with a short word such as `eg`, so `\neg` is not recognised.
                    eaten |= if text.contains('\n') {
                        has_lost_long_command(text)
                    } else {
                        lost_backslash(text).is_some()
                    };
                    if text.chars().any(is_stray_control) && !eaten {
                        control.add(here);
                    }
                    if has_open_formula(text) {
                        dollar.add(here);
                    }
                    if !whole && has_bare_formula(text) && !has_open_formula(text) {
                        bare.add(here);
                        without_signs.push(text);
                    }
                    if is_mojibake(text) {
                        mojibake.add(here);
                    }
                    has_entity |= html::has_entity(text);
                    has_tag |= html::has_tag(text);
                }
                Piece::Formula(latex) => {
                    // `$$x$` has one dollar too many.
                    if opened {
                        dollar.add(here);
                    }
                    eaten |= lost_backslash(latex).is_some() || lacks_backslash(latex);
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
        lost.tell("a command has lost its backslash: in JSON `\\t` is a tab, and `\\q` is nothing")
    {
        findings.push(Finding::warning("lost-backslash", pointer, message, KEEP_BACKSLASHES));
    }
    if let Some((pointer, message)) =
        control.tell("a control character is in the text; it shows as nothing or as a box")
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
    if let Some((pointer, message)) =
        bare.tell("a command of LaTeX is outside a formula, so learners may see it as it is written")
    {
        let formulas = texts
            .iter()
            .any(|text| text.content.pieces().iter().any(|piece| matches!(piece, Piece::Formula(_))));
        let help = "put the formula between `$`; keep it if the question is about LaTeX";
        findings.push(if formulas || are_formulas(&without_signs) {
            Finding::warning("formula-without-dollars", pointer, message, help)
        } else {
            Finding::info("formula-without-dollars", pointer, message, help)
        });
    }
    if let Some((places, problem)) = broken
        && let Some((pointer, message)) = places.tell(&format!("the formula cannot be typeset: {problem}"))
    {
        findings.push(Finding::warning("broken-formula", pointer, message, "correct the LaTeX"));
    }
    if let Some((pointer, message)) =
        escaped.tell("a double backslash before a command is read as a line break and a word")
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
        tag.tell("an HTML tag is in plain text, so learners may see it as it is written")
    {
        findings.push(Finding::warning(
            "html-tag",
            pointer,
            message,
            "use rich content, a formula or Unicode such as `₂`",
        ));
    }
    if let Some((pointer, message)) =
        entity.tell("an HTML entity is in plain text, so learners may see `&...;`")
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

/// Returns whether the content shows nothing. An object with fields other than text may be a picture.
pub(super) fn is_blank(content: &Content) -> bool {
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

/// Returns whether a character is a control character that no text needs. Most directional marks are needed
/// in right-to-left scripts.
fn is_stray_control(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\u{85}')) || c == '\u{feff}' || c == '\u{202e}'
}

/// Returns a text that is the same for contents that look the same.
///
/// Ids of nodes are not visible, so they are ignored. Content with fields other than text is compared as a
/// whole.
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
    // The recursion is bounded, because the reader limits the depth of content.
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

/// Returns whether prose has a formula delimiter without its partner. A `$` for money has no command, index
/// or power after it.
fn has_open_formula(text: &str) -> bool {
    if text.matches("\\(").count() != text.matches("\\)").count()
        || text.matches("\\[").count() != text.matches("\\]").count()
    {
        return true;
    }
    let dollars: Vec<usize> = dollar_signs(text).collect();
    let Some(&last) = dollars.last().filter(|_| !dollars.len().is_multiple_of(2)) else {
        return false;
    };
    let (before, after) = text.split_at(last);
    // The `$` can be the end anchor of a regular expression.
    let pattern = before.starts_with('^')
        || [".*", ".+", "[^", "\\d", "\\w", "\\s"].iter().any(|sign| before.contains(sign));
    if after.len() == 1 && pattern {
        return false;
    }
    let formula = |part: &str| part.contains(['\\', '^', '_', '{', '=']);
    let command = |part: &str| {
        part.match_indices('\\').any(|(at, _)| part[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic()))
    };
    // The `$` can also end a formula: as the last character, or after a command.
    formula(after) || (after.len() == 1 && formula(before)) || command(before)
}

/// The characters of Windows-1252 from 0x80 to 0x9F, where it differs from Latin-1.
const WINDOWS: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}',
    '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// Returns whether a character is a UTF-8 continuation byte that was read as Windows-1252 or Latin-1.
fn continues(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{bf}') || WINDOWS.contains(&c)
}

/// Returns whether a text looks like UTF-8 that was read as Latin-1 or Windows-1252, or could not be decoded.
/// Sequences that occur in real words, such as a capital letter and a quotation mark, are ignored.
fn is_mojibake(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    if text.contains(['\u{fffd}']) || text.contains("\u{ef}\u{bb}\u{bf}") {
        return true;
    }
    let quote = |c: char| {
        matches!(c, '\u{2018}'..='\u{201e}' | '\u{2026}' | '\u{ab}' | '\u{bb}' | '\u{2039}' | '\u{203a}')
    };
    let letters: Vec<char> = text.chars().collect();
    let mut greek_or_cyrillic = 0;
    for (at, pair) in letters.windows(2).enumerate() {
        let (lead, next) = (pair[0], pair[1]);
        if !continues(next) {
            continue;
        }
        match lead {
            'Ã' | 'Â'
                if !quote(next) && next != '\u{a0}'
                    || lead == 'Â' && matches!(next, '\u{a0}' | '\u{ab}' | '\u{bb}') =>
            {
                return true;
            }
            'Ä' | 'Å' if matches!(next, '\u{80}'..='\u{9f}') => return true,
            'â' | 'ð' if letters.get(at + 2).is_some_and(|&third| continues(third)) => return true,
            'Î' | 'Ï' | 'Ð' | 'Ñ' if !quote(next) => {
                greek_or_cyrillic += 1;
                if greek_or_cyrillic >= 2 {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Returns whether the whole text is markup, as in questions about HTML: it begins and ends with a tag, or is
/// one entity.
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
        for text in [
            "caf\u{c3}\u{a9}",
            "it \u{e2}\u{20ac}\u{2122}s",
            "3 \u{c3}\u{2014} 4",
            "5 \u{c2}\u{b0}C",
            "\u{ce}\u{b1}\u{ce}\u{b2}",
            "\u{e2}\u{2020}\u{2019}",
        ] {
            assert!(is_mojibake(text), "{text}");
        }
        for text in ["SÃO PAULO", "Âge", "café", "Île", "LIBERTÉ»", "„TÄGLICHÄ“", "â is a letter", "Ñandú"]
        {
            assert!(!is_mojibake(text), "{text}");
        }
        for text in ["$x^2 and more", "the value \\alpha$ is", "\\(x^2 + 1", "$$x^2 + 1$", "x^2$"] {
            assert!(has_open_formula(text), "{text}");
        }
        for text in [
            "it costs $5",
            "\\$x^2",
            "5 $",
            "$$x$$",
            "\\[x\\]",
            "\\(x\\) and $5",
            "the variable $x",
            "^a.*b$",
            "[^a]$",
        ] {
            assert!(!has_open_formula(text), "{text}");
        }
    }

    #[test]
    fn at_most_forty_texts_are_compared_as_formulas() {
        let texts: Vec<String> = (1..=41).map(|at| format!(r"\frac{{1}}{{{at}}}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert!(are_formulas(&texts[..MOST_FORMULAS]));
        assert!(!are_formulas(&texts[..=MOST_FORMULAS]));
        assert!(!are_formulas(&texts[..1]));
        assert!(!are_formulas(&[r"\frac{1}{2}", r"\frac{2}{4}"]), "equal values");
        assert!(!are_formulas(&[r"\frac{1}{2}", r"\sqrt{2}"]), "other commands");
    }

    #[test]
    fn formulas_outside_dollars_are_recognised() {
        for text in ["x^{2}", "f(x)_{1} and more", r"the value \frac12"] {
            assert!(has_bare_formula(text), "{text}");
        }
        // No brace after the script, no base, a path, a line break of LaTeX.
        for text in ["x^{2", "} x^{", "{} ^{2}", r"C:\frac", r"\\frac"] {
            assert!(!has_bare_formula(text), "{text}");
        }
        // Many scripts share one brace, before or after all of them.
        let scripts = "x^{".repeat(80_000);
        assert!(!has_bare_formula(&format!("}} {scripts}")));
        assert!(has_bare_formula(&format!("{scripts}}}")));
    }

    #[test]
    fn texts_of_one_content_are_one_place() {
        let severities = |count: usize| {
            let pieces: Vec<String> = (1..=count).map(|at| format!(r#""\\frac{{1}}{{{at}}}""#)).collect();
            let content = pieces.join(",");
            let spec = format!(
                r#"{{"type":"multiple_choice","choices":[{{"id":"a","content":[{content}],"correct":true}},{{"id":"b","content":"b","correct":false}}]}}"#
            );
            let mut findings = Findings::new();
            lint(&AnswerSpec::from_json(spec).unwrap(), &mut findings);
            let found = findings.as_slice().iter().filter(|found| found.rule == "formula-without-dollars");
            found.map(|found| (found.severity.as_str(), found.pointer.clone())).collect::<Vec<_>>()
        };
        assert_eq!(severities(40), [("warning", "/choices/0/content".to_owned())]);
        assert_eq!(severities(41), [("info", "/choices/0/content".to_owned())]);
    }
}
