//! Conversion of HTML and XML content to Markdown with `$...$` formulas.
//!
//! [`RichText`] receives elements and texts in document order from [`from_html`] and [`from_xml`]. It keeps paragraphs,
//! emphasis, code, lists, tables, links, pictures, super- and subscripts, and MathML as LaTeX. It removes active
//! content: scripts, styles, forms and event handlers.

mod html;

use std::collections::{HashMap, HashSet};

use crate::item::Media;
use crate::mathml;
use crate::xml::{Child, Element};

pub use html::{html_into, lenient_unescape};

/// A text under construction.
#[derive(Debug, Default)]
pub struct RichText {
    out: String,
    /// The name of each open element, and the action when it closes.
    open: Vec<(String, Close)>,
    /// The number of open elements of each name that are nested too deeply to be in `open`. They are all inside the
    /// innermost element of `open`.
    beyond: HashMap<String, usize>,
    /// The number of open elements that hide their content.
    hidden: usize,
    /// The number of open elements that keep whitespace.
    verbatim: usize,
    /// Whether a space precedes the next word.
    blank: bool,
    /// The sign that closes the formula in which the text is.
    formula: Option<&'static str>,
    lists: Vec<Option<u32>>,
    /// The number of cells in the first row of each open table.
    tables: Vec<Option<usize>>,
    /// The files that pictures, links and players refer to.
    pub media: Vec<Media>,
    /// The references in `media`.
    known: HashSet<String>,
    /// The names of elements that were dropped with their content, such as `script`; not `head`, `title` and `style`.
    pub dropped: Vec<String>,
}

#[derive(Debug)]
enum Close {
    Nothing,
    Block,
    /// The mark at the end, and the lengths of the text before and after the mark at the beginning.
    Mark(&'static str, usize, usize),
    Link(String),
    Hidden,
    Verbatim,
    List,
    /// A row of a table, and whether it is the first.
    Row(bool),
    Table,
}

/// The maximum depth of open elements; deeper elements are reduced to their text.
const MAX_DEPTH: usize = 200;

impl RichText {
    /// Creates an empty text.
    pub fn new() -> Self {
        Self::default()
    }

    fn end_block(&mut self) {
        // A quotation that has just begun continues with its first block.
        if self.out == "> " || self.out.ends_with("\n> ") {
            self.blank = false;
            return;
        }
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push_str(if self.out.ends_with('\n') { "\n" } else { "\n\n" });
        }
        self.formula = None;
        self.blank = false;
    }

    fn end_line(&mut self) {
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.blank = false;
    }

    /// Adds text between tags. Runs of whitespace collapse, except in code blocks.
    pub fn text(&mut self, text: &str) {
        if self.hidden > 0 {
            return;
        }
        if self.verbatim > 0 {
            self.out.push_str(text);
            return;
        }
        for (index, word) in text.split(|c: char| c.is_ascii_whitespace()).enumerate() {
            if index > 0 {
                self.blank = true;
            }
            if word.is_empty() {
                continue;
            }
            self.due_blank();
            self.word(word);
        }
    }

    /// Adds a word. A `<` that would begin a tag is escaped, since the text showed it; in a formula, a space follows it.
    fn word(&mut self, word: &str) {
        let mut rest = word;
        while let Some(at) = rest.find(['<', '$', '\\']) {
            self.out.push_str(&rest[..at]);
            rest = &rest[at..];
            let sign =
                ["$$", "$", "\\(", "\\)", "\\[", "\\]"].into_iter().find(|sign| rest.starts_with(sign));
            if let Some(sign) = sign {
                let closing = match sign {
                    "\\(" => "\\)",
                    "\\[" => "\\]",
                    sign => sign,
                };
                match self.formula {
                    Some(open) if open == sign => self.formula = None,
                    None if !matches!(sign, "\\)" | "\\]") => self.formula = Some(closing),
                    _ => {}
                }
                self.out.push_str(sign);
                rest = &rest[sign.len()..];
                continue;
            }
            let length = rest.chars().next().map_or(0, char::len_utf8);
            let tag =
                rest[length..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
            if rest.starts_with('<') && tag {
                self.shown_tag();
            } else {
                self.out.push_str(&rest[..length]);
            }
            rest = &rest[length..];
        }
        self.out.push_str(rest);
    }

    /// Adds a `<` before a letter that belongs to the text.
    fn shown_tag(&mut self) {
        let is_code = |name: &str| matches!(name, "code" | "tt" | "kbd" | "samp");
        self.out.push_str(match self.formula {
            Some(_) => "< ",
            None if self.open.iter().any(|(name, _)| is_code(name)) => "<",
            None => "\\<",
        });
    }

    fn due_blank(&mut self) {
        if self.blank && !self.out.is_empty() && !self.out.ends_with(['\n', ' ']) {
            self.out.push(' ');
        }
        self.blank = false;
    }

    /// Adds inline text unchanged, such as a formula or the placeholder of a blank.
    pub fn raw(&mut self, text: &str) {
        if self.hidden == 0 {
            self.due_blank();
            self.out.push_str(text);
        }
    }

    /// Adds a start tag; `attribute` returns the value of an attribute.
    pub fn start(&mut self, name: &str, attribute: &dyn Fn(&str) -> Option<String>) {
        let name = name.to_ascii_lowercase();
        if is_hidden(&name) {
            if !matches!(name.as_str(), "head" | "title" | "style") {
                self.dropped.push(name.clone());
            }
            self.hidden += 1;
        }
        if self.open.len() >= MAX_DEPTH && !is_void(&name) {
            *self.beyond.entry(name).or_default() += 1;
            return;
        }
        let close = match name.as_str() {
            name if is_hidden(name) => Close::Hidden,
            // Elements inside a hidden element add nothing.
            _ if self.hidden > 0 => Close::Nothing,
            "object" | "iframe" | "embed" | "audio" | "video" | "source" | "track" => {
                if let Some(href) = attribute("src").or_else(|| attribute("data")) {
                    self.medium(&href);
                    if name != "track" {
                        self.raw(&format!("[{name}]({})", safe_link(&href)));
                    }
                }
                Close::Nothing
            }
            "img" => {
                let href = attribute("src").unwrap_or_default();
                let alternative = attribute("alt").unwrap_or_default();
                let alternative = alternative.replace(['[', ']', '\n'], " ");
                if !href.is_empty() {
                    self.medium(&href);
                }
                if href.starts_with("data:") {
                    self.raw(&format!("![{}]()", alternative.trim()));
                } else {
                    self.raw(&format!("![{}]({})", alternative.trim(), safe_link(&href)));
                }
                Close::Nothing
            }
            "br" => {
                self.end_line();
                Close::Nothing
            }
            "hr" => {
                self.end_block();
                self.raw("---");
                self.end_block();
                Close::Nothing
            }
            "p" | "div" | "section" | "article" | "figure" | "figcaption" | "header" | "footer" | "main"
            | "address" | "details" | "summary" | "dl" | "dt" | "dd" => {
                self.end_block();
                Close::Block
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_block();
                let level = usize::from(name.as_bytes()[1] - b'0');
                self.raw(&format!("{} ", "#".repeat(level)));
                Close::Block
            }
            "table" => {
                self.end_block();
                self.tables.push(None);
                Close::Table
            }
            "blockquote" => {
                self.end_block();
                self.raw("> ");
                Close::Block
            }
            "pre" => {
                self.end_block();
                self.raw("```\n");
                self.verbatim += 1;
                Close::Verbatim
            }
            "ul" | "ol" => {
                self.end_line();
                self.lists.push((name == "ol").then_some(0));
                Close::List
            }
            "li" => {
                self.end_line();
                let depth = self.lists.len().saturating_sub(1).min(8);
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{number}. ")
                    }
                    _ => "- ".to_owned(),
                };
                self.raw(&format!("{}{mark}", "  ".repeat(depth)));
                Close::Nothing
            }
            "tr" => {
                self.end_line();
                if let Some(rows @ None) = self.tables.last_mut() {
                    *rows = Some(0);
                    Close::Row(true)
                } else {
                    Close::Row(false)
                }
            }
            "td" | "th" => {
                if let Some(Some(cells)) = self.tables.last_mut() {
                    *cells += 1;
                }
                let begins = self.out.is_empty() || self.out.ends_with('\n');
                self.raw(if begins || self.out.ends_with(' ') { "| " } else { " | " });
                Close::Nothing
            }
            "b" | "strong" => self.mark("**", "**"),
            "i" | "em" => self.mark("*", "*"),
            "code" | "tt" | "kbd" | "samp" if self.verbatim == 0 => self.mark("`", "`"),
            "sup" => self.mark("^(", ")"),
            "sub" => self.mark("_(", ")"),
            "a" => {
                match attribute("href").filter(|href| safe_link(href) == href.as_str() && !href.is_empty()) {
                    Some(href) => {
                        self.medium(&href);
                        self.raw("[");
                        Close::Link(href)
                    }
                    None => Close::Nothing,
                }
            }
            _ => Close::Nothing,
        };
        if !is_void(&name) {
            self.open.push((name, close));
        }
    }

    fn mark(&mut self, begin: &str, end: &'static str) -> Close {
        self.due_blank();
        let before = self.out.len();
        self.out.push_str(begin);
        Close::Mark(end, before, self.out.len())
    }

    fn medium(&mut self, href: &str) {
        if href.starts_with('#')
            || href.starts_with("data:")
            || href.contains("://")
            || href.starts_with("mailto:")
        {
            return;
        }
        if self.known.insert(href.to_owned()) {
            self.media.push(Media { href: href.to_owned(), file: None });
        }
    }

    /// Adds an end tag, which also ends the open elements inside. An end tag without a start tag is ignored.
    pub fn end(&mut self, name: &str) {
        // The end tag of an element that is not in `open` must not end an outer one of the same name.
        if !self.beyond.is_empty()
            && let Some(open) = self.beyond.get_mut(&name.to_ascii_lowercase())
            && *open > 0
        {
            *open -= 1;
            let hidden = usize::from(is_hidden(&name.to_ascii_lowercase()));
            self.hidden = self.hidden.saturating_sub(hidden);
            return;
        }
        let Some(at) = self.open.iter().rposition(|(open, _)| open.eq_ignore_ascii_case(name)) else {
            return;
        };
        for (name, count) in std::mem::take(&mut self.beyond) {
            self.hidden = self.hidden.saturating_sub(if is_hidden(&name) { count } else { 0 });
        }
        while self.open.len() > at {
            let Some((_, close)) = self.open.pop() else { return };
            match close {
                Close::Nothing => {}
                Close::Block => self.end_block(),
                Close::Mark(mark, before, after) => {
                    // Remove the opening mark of an empty element.
                    if self.out.len() == after {
                        self.out.truncate(before);
                    } else {
                        while self.out.ends_with(' ') {
                            self.out.pop();
                        }
                        self.out.push_str(mark);
                    }
                }
                Close::Link(href) => {
                    self.out.push_str("](");
                    self.out.push_str(&href);
                    self.out.push(')');
                }
                Close::Hidden => self.hidden = self.hidden.saturating_sub(1),
                Close::Verbatim => {
                    self.verbatim = self.verbatim.saturating_sub(1);
                    self.end_line();
                    self.raw("```");
                    self.end_block();
                }
                Close::List => {
                    self.lists.pop();
                    if self.lists.is_empty() {
                        self.end_block();
                    } else {
                        self.end_line();
                    }
                }
                Close::Row(first) => {
                    self.raw(" |");
                    self.end_line();
                    // Markdown needs a rule below the first row.
                    let cells = self.tables.last().copied().flatten().filter(|cells| first && *cells > 0);
                    if let Some(cells) = cells {
                        self.raw(&"| --- ".repeat(cells.min(MAX_DEPTH)));
                        self.raw("|");
                        self.end_line();
                    }
                }
                Close::Table => {
                    self.tables.pop();
                    self.end_block();
                }
            }
        }
    }

    /// Returns the text without whitespace at its ends, and the media.
    pub fn finish(mut self) -> (String, Vec<Media>) {
        while let Some((name, _)) = self.open.last() {
            let name = name.clone();
            self.end(&name);
        }
        (self.out.trim().to_owned(), self.media)
    }
}

/// Returns whether an element hides its content.
fn is_hidden(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "template"
            | "noscript"
            | "head"
            | "title"
            | "svg"
            | "form"
            | "button"
            | "textarea"
            | "select"
    )
}

/// Returns whether an element never has content or an end tag.
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "img"
            | "br"
            | "hr"
            | "input"
            | "meta"
            | "link"
            | "source"
            | "track"
            | "embed"
            | "wbr"
            | "col"
            | "area"
            | "base"
            | "param"
    )
}

/// Returns the link, or `#` if its scheme is `javascript:`, `vbscript:` or `data:`.
fn safe_link(href: &str) -> &str {
    let bare: String = href.chars().filter(|c| !c.is_whitespace() && !c.is_control()).take(12).collect();
    let bare = bare.to_ascii_lowercase();
    if bare.starts_with("javascript:") || bare.starts_with("vbscript:") || bare.starts_with("data:") {
        "#"
    } else {
        href
    }
}

/// Converts HTML, which may be malformed, to Markdown.
pub fn from_html(html: &str) -> String {
    let mut rich = RichText::new();
    html_into(html, &mut rich);
    rich.finish().0
}

/// Adds the content of an XML element to a text under construction.
///
/// `instead` is called for each inner element before it is added. If it returns `true`, the element and its content are
/// not added.
pub fn xml_into<'t>(
    element: Element<'t>,
    rich: &mut RichText,
    instead: &mut dyn FnMut(Element<'t>, &mut RichText) -> bool,
) {
    for child in element.children() {
        match child {
            Child::Text(text) => rich.text(text),
            Child::Element(element) => {
                if instead(element, rich) {
                    continue;
                }
                if element.name() == "math" {
                    rich.raw(&mathml::from_xml(element));
                    continue;
                }
                rich.start(element.name(), &|name| element.attribute(name).map(str::to_owned));
                xml_into(element, rich, instead);
                rich.end(element.name());
            }
        }
    }
}

/// Converts the content of an XML element to Markdown.
pub fn from_xml(element: Element<'_>) -> String {
    let mut rich = RichText::new();
    xml_into(element, &mut rich, &mut |_, _| false);
    rich.finish().0
}

#[cfg(test)]
mod tests {
    use super::{RichText, from_html, html_into};

    #[test]
    fn hidden_elements_leave_no_marks() {
        let hidden = "x<sup>2</sup><sub>3</sub><a href=\"y.html\">z</a><b>b</b><hr><p>p</p><ul><li>i</li></ul><pre>c</pre>";
        assert_eq!(from_html(&format!("before<form>{hidden}</form>after")), "beforeafter");
        assert_eq!(
            from_html(&format!("1<select><option>{hidden}</select>2{hidden}")),
            format!("12{}", from_html(hidden))
        );
    }

    #[test]
    fn each_picture_is_listed_once() {
        let mut rich = RichText::new();
        // Comparing each with all others would take too long.
        let html: String =
            (0..400_000).map(|n| ["<img src=\"", &(n / 2).to_string(), ".png\">"].concat()).collect();
        html_into(&html, &mut rich);
        let (_, media) = rich.finish();
        assert_eq!((media.len(), media[1].href.as_str()), (200_000, "1.png"));
    }

    #[test]
    fn deep_elements_end_only_themselves() {
        // From depth 199 on, the inner `b` is deeper than `MAX_DEPTH`; its end tag must not end the outer `b`.
        for depth in [150, 199, 200, 300] {
            let html = format!("<b>one {}<b>two</b> three</b> four", "<span>".repeat(depth));
            let text = from_html(&html);
            assert!(text.ends_with("three** four"), "{depth}: {text}");
        }
        let html = format!("{}<b>1</b></div>2</b>3", "<div>".repeat(200));
        assert_eq!(from_html(&html), "1\n\n23");
        // A void element has no end tag.
        let html = format!("<p>{}<br><img src='a'>1</p>2", "<i>".repeat(250));
        assert!(from_html(&html).ends_with("\n\n2"), "{}", from_html(&html));
    }

    #[test]
    fn end_tags_can_be_left_out() {
        let html = format!("{}<p>last <b>bold</b><img src=a.png><form>x</form>", "<p>one".repeat(300));
        let text = from_html(&html);
        assert!(text.ends_with("one\n\nlast **bold**![](a.png)"), "{text}");
        assert_eq!(text.matches("\n\n").count(), 300);
        let list = from_html(&format!("<ul>{}</ul>end", "<li>a<ol><li>b<li>c</ol>".repeat(150)));
        assert_eq!((list.matches("\n- a").count(), list.matches("\n  2. c").count()), (149, 150), "{list}");
        let open =
            "<table><tr><td>1<td>2<tr><td><p>3<td><table><tr><td>4</table><dl><dt>5<dd>6</dl></table>7";
        let closed = "<table><tr><td>1</td><td>2</td></tr><tr><td><p>3</p></td><td><table><tr><td>4</td></tr></table>\
            <dl><dt>5</dt><dd>6</dd></dl></td></tr></table>7";
        assert_eq!(from_html(open), from_html(closed));
    }

    #[test]
    fn deep_elements_hide_their_content() {
        let html = format!("{}<form>x<form>y</form></form>1<select>2", "<span>".repeat(250));
        let mut rich = RichText::new();
        html_into(&html, &mut rich);
        assert_eq!(rich.dropped, ["form", "form", "select"]);
        html_into("</span>3", &mut rich);
        assert_eq!(rich.finish().0, "1");
        let html = format!("<div>{}<select>2</div>3", "<span>".repeat(250));
        assert_eq!(from_html(&html), "3");
    }

    #[test]
    fn a_tag_that_the_text_shows_stays_text() {
        for (html, markdown) in [
            ("&lt;script&gt;alert(1)&lt;/script&gt;", "\\<script>alert(1)\\</script>"),
            ("\\(a&lt;b\\) &lt;b", "\\(a< b\\) \\<b"),
            ("1 &lt; 2 &lt;3", "1 < 2 <3"),
            ("<code>&lt;b></code>", "`<b>`"),
        ] {
            assert_eq!(from_html(html), markdown, "{html}");
        }
    }

    #[test]
    fn a_formula_without_content_hides_nothing() {
        assert_eq!(from_html("a<math/>b<math><mi>x</mi></math>c"), "ab$x$c");
    }

    #[test]
    fn spaces_precede_marks_and_only_empty_elements_lose_them() {
        for (html, markdown) in [
            ("H <sub>2</sub>O", "H _(2)O"),
            ("x<sup>2</sup>", "x^(2)"),
            ("<em>2*</em>", "*2**"),
            ("<b>a</b><b></b><i> </i>c", "**a** c"),
            ("<b><i></i></b>x<sup></sup>", "x"),
        ] {
            assert_eq!(from_html(html), markdown, "{html}");
        }
    }

    #[test]
    fn a_slash_at_the_end_of_an_unquoted_value_belongs_to_it() {
        for (html, markdown) in [
            ("<a href=http://x.org/>link</a>", "[link](http://x.org/)"),
            ("<a href=http://x.org/ />link", "[](http://x.org/)link"),
            ("<a href=\"http://x.org/\"/>link", "[](http://x.org/)link"),
            ("<b/>bold", "bold"),
        ] {
            assert_eq!(from_html(html), markdown, "{html}");
        }
    }
}
