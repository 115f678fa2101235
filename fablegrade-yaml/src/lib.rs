//! Reads YAML metadata of bounded size by the core schema of YAML 1.2, as JSON values with line numbers.
//!
//! Errors are, among others, duplicate keys, keys that are not scalars, several documents, tags other than `!!str`,
//! `!!seq`, `!!map` and `!`, merge keys, numbers that are not finite, and aliases that expand beyond the limits.
//! Values and keys that YAML 1.1 and YAML 1.2 read differently cause warnings: of the two servers of terry, the
//! Python server reads YAML 1.1 and the Rust server YAML 1.2.

mod versions;

use std::sync::Arc;

use fablegrade_public::json::{Document, Json, Limits, Read, push_step};
use fablegrade_public::{Decimal, Error, ErrorKind, Finding, Findings, Severity};
use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};
use versions::read_by_yaml_1_1;

/// The maximum size of a document, in bytes.
const BYTES: usize = 8 << 20;
/// The maximum nesting, with aliases expanded.
const DEPTH: usize = 64;
/// The maximum number of values, with aliases expanded.
const VALUES: usize = 500_000;
/// The maximum number of bytes of keys and scalars, with aliases expanded.
const EXPANDED: usize = 16 << 20;

/// A parsed YAML document.
#[derive(Debug, Clone)]
pub struct Yaml {
    root: Arc<Node>,
    warnings: Findings,
}

/// A value and its size, with aliases expanded.
#[derive(Debug)]
struct Node {
    line: usize,
    height: usize,
    values: usize,
    bytes: usize,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The value and, for a number, its spelling.
    Scalar(Json, Option<Box<str>>),
    List(Vec<Arc<Node>>),
    Map(Vec<(String, usize, Arc<Node>)>),
}

/// A list or a map that is still open.
struct Open {
    line: usize,
    anchor: usize,
    content: Content,
    /// The key whose value has not been read yet.
    key: Option<(String, usize)>,
    height: usize,
    values: usize,
    bytes: usize,
}

impl Yaml {
    /// Reads a document; an empty text is `null`.
    ///
    /// # Errors
    /// [`ErrorKind::Json`] if the text is not YAML, exceeds a limit, or has another error, such as those in the crate
    /// documentation. Only the error for too many bytes does not name the line.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        if text.len() > BYTES {
            return Err(refused(
                "too-large",
                // Readers stop one byte after the limit, so the length of the text is not that of the document.
                format!("the document has more than {BYTES} bytes"),
                "shorten it",
            ));
        }
        let text = std::str::from_utf8(text).map_err(|error| {
            let line = line_of(text, error.valid_up_to());
            refused("invalid-utf8", format!("line {line} is not valid UTF-8"), "save the file as UTF-8")
        })?;
        let mut builder =
            Builder { open: Vec::new(), anchors: Vec::new(), root: None, warnings: Findings::new() };
        for event in Parser::new_from_str(text.strip_prefix('\u{feff}').unwrap_or(text)) {
            let (event, span) = event.map_err(|error| {
                let (line, column) = (error.marker().line(), error.marker().col() + 1);
                refused(
                    "yaml-syntax",
                    format!("line {line}, column {column} is not YAML: {}", error.info()),
                    "correct the syntax; text with `: `, `#`, quotes or brackets may need quotes around it",
                )
            })?;
            builder.take(event, span)?;
        }
        let root = builder.root.unwrap_or_else(|| Arc::new(scalar(1, Json::Null, "")));
        Ok(Self { root, warnings: builder.warnings })
    }

    /// Returns warnings about values and keys that YAML 1.1 and YAML 1.2 read differently.
    pub fn warnings(&self) -> &[Finding] {
        self.warnings.as_slice()
    }

    /// Returns the line, from 1, of the value at a JSON pointer (for a field, the line of its key). If the value
    /// does not exist, returns the line of the nearest enclosing value.
    pub fn line(&self, pointer: &str) -> usize {
        self.find(pointer).0
    }

    /// Returns the spelling of the number at a JSON pointer in the document, such as `1e-9`.
    pub fn written(&self, pointer: &str) -> Option<&str> {
        match self.find(pointer) {
            (_, Some(Node { content: Content::Scalar(_, written), .. })) => written.as_deref(),
            _ => None,
        }
    }

    fn find(&self, pointer: &str) -> (usize, Option<&Node>) {
        let mut node = &self.root;
        let mut line = node.line;
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            let below = match &node.content {
                Content::Scalar(..) => None,
                Content::List(items) => {
                    token.parse::<usize>().ok().and_then(|at| items.get(at)).map(|item| (item.line, item))
                }
                Content::Map(fields) => {
                    fields.iter().find(|(key, ..)| *key == token).map(|(_, line, value)| (*line, value))
                }
            };
            let Some((at, next)) = below else { return (line, None) };
            (line, node) = (at, next);
        }
        (line, Some(node))
    }

    /// Returns the document as JSON, with aliases expanded.
    pub fn to_json(&self) -> Json {
        json(&self.root)
    }

    /// Reads the whole document as a `T`.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] with all findings.
    pub fn read<T: Read>(&self) -> Result<T, Error> {
        let text = self.to_json().to_canonical();
        let limits = Limits { bytes: 8 * EXPANDED, ..Limits::default() };
        Document::parse_within(text.as_bytes(), limits)?.read()
    }
}

/// Converts a node. Recursion is bounded by [`DEPTH`], the size by [`VALUES`] and [`EXPANDED`].
fn json(node: &Node) -> Json {
    match &node.content {
        Content::Scalar(value, _) => value.clone(),
        Content::List(items) => Json::Array(items.iter().map(|item| json(item)).collect()),
        Content::Map(fields) => {
            Json::object(fields.iter().map(|(key, _, value)| (key.as_str().into(), json(value))).collect())
        }
    }
}

fn refused(rule: &'static str, message: String, help: &str) -> Error {
    Error::single(ErrorKind::Json, Finding::error(rule, "", message, help))
}

fn line_of(text: &[u8], at: usize) -> usize {
    text.iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

fn scalar(line: usize, value: Json, text: &str) -> Node {
    let written = matches!(value, Json::Number(_)).then(|| text.into());
    Node { line, height: 1, values: 1, bytes: text.len(), content: Content::Scalar(value, written) }
}

struct Builder {
    open: Vec<Open>,
    /// Values by the parser's anchor numbers; `None` if the value is not finished yet.
    anchors: Vec<Option<Arc<Node>>>,
    root: Option<Arc<Node>>,
    warnings: Findings,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Error> {
        let line = span.start.line();
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.as_deref();
                check_tag(tag, line, &["str"])?;
                let plain = style == ScalarStyle::Plain && tag.is_none();
                if self.waits_for_key() {
                    if plain && let Some(elsewhere) = read_by_yaml_1_1(&text) {
                        self.warn_of_versions(format!(
                            "programs that read YAML 1.1 take the key on line {line} for {elsewhere}"
                        ));
                    }
                    if anchor > 0 {
                        let value = if plain { core_value(&text, line)? } else { Json::from(text.as_ref()) };
                        self.name(anchor, Some(Arc::new(scalar(line, value, &text))));
                    }
                    return self.take_key(text.into_owned(), line);
                }
                let value = if plain { self.plain(&text, line)? } else { Json::from(text.as_ref()) };
                self.finish(Arc::new(scalar(line, value, &text)), anchor, line)
            }
            Event::SequenceStart(anchor, tag) => {
                check_tag(tag.as_deref(), line, &["seq"])?;
                self.start(line, anchor, Content::List(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                check_tag(tag.as_deref(), line, &["map"])?;
                self.start(line, anchor, Content::Map(Vec::new()))
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                None => Ok(()),
                Some(open) => {
                    let node = Node {
                        line: open.line,
                        height: open.height + 1,
                        values: open.values + 1,
                        bytes: open.bytes,
                        content: open.content,
                    };
                    self.finish(Arc::new(node), open.anchor, open.line)
                }
            },
            Event::Alias(anchor) => match self.anchors.get(anchor).cloned().flatten() {
                Some(_) if self.waits_for_key() => Err(no_scalar_key(line)),
                Some(node) => self.finish(node, 0, line),
                None => Err(refused(
                    "yaml-alias",
                    format!("the alias on line {line} is inside the value that it names"),
                    "write the value out",
                )),
            },
            Event::DocumentStart(_) if self.root.is_some() => Err(refused(
                "yaml-documents",
                format!("a second document begins on line {line}"),
                "keep one document in the file: remove the line `---`",
            )),
            _ => Ok(()),
        }
    }

    fn waits_for_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Map(_), key: None, .. }))
    }

    fn start(&mut self, line: usize, anchor: usize, content: Content) -> Result<(), Error> {
        if self.waits_for_key() {
            return Err(no_scalar_key(line));
        }
        if self.open.len() >= DEPTH {
            return Err(too_deep(line));
        }
        self.name(anchor, None);
        self.open.push(Open { line, anchor, content, key: None, height: 0, values: 0, bytes: 0 });
        Ok(())
    }

    fn name(&mut self, anchor: usize, node: Option<Arc<Node>>) {
        // Anchors are numbered consecutively from 1; 0 means no anchor.
        if anchor > 0 {
            if self.anchors.len() <= anchor {
                self.anchors.resize(anchor + 1, None);
            }
            if let Some(place) = self.anchors.get_mut(anchor) {
                *place = node;
            }
        }
    }

    fn take_key(&mut self, key: String, line: usize) -> Result<(), Error> {
        let Some(Open { content: Content::Map(fields), key: waiting, bytes, .. }) = self.open.last_mut()
        else {
            return Ok(());
        };
        if key == "<<" {
            return Err(refused(
                "yaml-merge",
                format!("line {line} has the merge key `<<`, which YAML 1.2 does not have"),
                "write the fields out",
            ));
        }
        *bytes += key.len();
        // The search takes linear time per key, which is fast enough for at most 1000 keys.
        if fields.len() >= 1000 {
            return Err(refused(
                "too-many-keys",
                format!("the map exceeds 1000 keys at line {line}"),
                "remove keys",
            ));
        }
        if let Some((_, first, _)) = fields.iter().find(|(known, ..)| *known == key) {
            return Err(refused(
                "duplicate-key",
                format!("the key on line {line} already occurs on line {first}"),
                "remove one of them",
            ));
        }
        *waiting = Some((key, line));
        Ok(())
    }

    /// Adds a value that occurs on `line`. For an alias, the node has another line: that of the anchor.
    fn finish(&mut self, node: Arc<Node>, anchor: usize, line: usize) -> Result<(), Error> {
        self.name(anchor, Some(Arc::clone(&node)));
        if self.open.len() + node.height > DEPTH + 1 {
            return Err(too_deep(line));
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.height = open.height.max(node.height);
        open.values += node.values;
        open.bytes += node.bytes;
        if open.values > VALUES || open.bytes > EXPANDED {
            return Err(refused(
                "too-large",
                format!("the document up to line {line} is too large once its aliases are expanded"),
                "write the document without aliases, or shorten it",
            ));
        }
        match &mut open.content {
            Content::List(items) => items.push(node),
            Content::Map(fields) => {
                if let Some((key, line)) = open.key.take() {
                    fields.push((key, line, node));
                }
            }
            Content::Scalar(..) => {}
        }
        Ok(())
    }

    /// Returns the pointer of the next value.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for open in &self.open {
            match (&open.content, &open.key) {
                (Content::List(items), _) => push_step(&mut pointer, &items.len().to_string()),
                (_, Some((key, _))) => push_step(&mut pointer, key),
                _ => {}
            }
        }
        pointer
    }

    fn warn_of_versions(&mut self, message: String) {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.push_with(Severity::Warning, || {
            Finding::warning(
                "yaml-versions-differ",
                self.pointer(),
                message,
                "put text in quotes, write `true` or `false`, or write numbers in plain decimals",
            )
        });
        self.warnings = warnings;
    }

    /// Reads a plain scalar, and warns if YAML 1.1 reads it differently.
    fn plain(&mut self, text: &str, line: usize) -> Result<Json, Error> {
        if let Some(elsewhere) = read_by_yaml_1_1(text) {
            self.warn_of_versions(format!("programs that read YAML 1.1 take this for {elsewhere}"));
        }
        core_value(text, line)
    }
}

/// Reads a plain scalar by the core schema (YAML 1.2.2, section 10.3.2).
fn core_value(text: &str, line: usize) -> Result<Json, Error> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => Json::Bool(true),
        "false" | "False" | "FALSE" => Json::Bool(false),
        _ => match number(text) {
            Ok(None) => Json::from(text),
            Ok(Some(number)) => Json::Number(number),
            Err(TooMuch) => {
                return Err(refused(
                    "number-form",
                    format!("the number on line {line} is not finite, or too large, too small or too long"),
                    "write a plain decimal number, or put text in quotes",
                ));
            }
        },
    })
}

fn no_scalar_key(line: usize) -> Error {
    refused("yaml-key", format!("the key on line {line} is not a plain word"), "use words as keys")
}

fn too_deep(line: usize) -> Error {
    refused("too-deep", format!("line {line} is nested deeper than {DEPTH} levels"), "nest less")
}

fn check_tag(tag: Option<&Tag>, line: usize, core: &[&str]) -> Result<(), Error> {
    match tag {
        Some(tag) if tag.is_yaml_core_schema() && core.contains(&tag.suffix.as_str()) => Ok(()),
        // `! text` is text.
        Some(tag) if tag.handle.is_empty() && tag.suffix == "!" => Ok(()),
        None => Ok(()),
        Some(_) => Err(refused("yaml-tag", format!("line {line} has a tag (`!…`)"), "remove the tag")),
    }
}

/// The error for a number that cannot be represented.
struct TooMuch;

/// Reads a plain scalar as a number, if it is one.
fn number(text: &str) -> Result<Option<Decimal>, TooMuch> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Err(TooMuch);
    }
    for (prefix, base) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix)
            && !digits.is_empty()
            && digits.chars().all(|digit| digit.is_digit(base))
        {
            return i64::from_str_radix(digits, base).map(|number| Some(number.into())).map_err(|_| TooMuch);
        }
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_form = exponent.is_none_or(|text| {
        let text = text.strip_prefix(['+', '-']).unwrap_or(text);
        !text.is_empty() && digits(text)
    });
    let form =
        digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty()) && exponent_form;
    match form {
        false => Ok(None),
        true if text.len() > 1000 => Err(TooMuch),
        true => Decimal::from_text(text).map(Some).map_err(|_| TooMuch),
    }
}

fn is_number(text: &str) -> bool {
    !matches!(number(text), Ok(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> &'static str {
        Yaml::parse(text.as_bytes()).map(|yaml| yaml.to_json().to_string()).unwrap_err().rule()
    }

    #[test]
    fn scalars_by_the_core_schema() {
        let text = "[~, null, True, false, 12, -3, +4, 0x1F, 0o17, 1.50, .5, 2., 1e3, yes, '12', \"a\\tb\", !!str 7, word]";
        let read = Yaml::parse(text.as_bytes()).unwrap().to_json().to_canonical();
        assert_eq!(
            read,
            r#"[null,null,true,false,12,-3,4,31,15,1.5,0.5,2,1000,"yes","12","a\tb","7","word"]"#
        );
    }

    #[test]
    fn what_two_versions_read_differently_is_told() {
        let text = "a: no\nb: 010\nc: 1_000\nd: 2:00:00\ne: 2020-01-02\nf: 1e3\ng: 10\nh: 'no'\ni: 1.5\nj: 0\nk: 1.0e+3\n";
        let yaml = Yaml::parse(text.as_bytes()).unwrap();
        let places: Vec<&str> = yaml.warnings().iter().map(|finding| finding.pointer.as_str()).collect();
        assert_eq!(places, ["/a", "/b", "/c", "/d", "/e", "/f"]);
    }

    #[test]
    fn keys_that_two_versions_read_differently_are_told() {
        let yaml = Yaml::parse(b"a:\n  yes: 1\n  'no': 2\n  1: 3\n").unwrap();
        let told: Vec<&str> = yaml.warnings().iter().map(|finding| finding.pointer.as_str()).collect();
        assert_eq!(told, ["/a"]);
        assert!(yaml.warnings()[0].message.contains("the key on line 2"));
    }

    #[test]
    fn warnings_below_long_keys_are_small() {
        let text = format!("{}:\n{}", "k".repeat(1_000), "  - yes\n".repeat(20_000));
        let yaml = Yaml::parse(text.as_bytes()).unwrap();
        assert_eq!(yaml.warnings().len(), 200);
        assert!(yaml.warnings().iter().all(|finding| finding.pointer.len() < 300));
        assert_eq!(yaml.line(&yaml.warnings()[0].pointer), 1);
    }

    #[test]
    fn limits_name_the_line_of_an_alias() {
        let mut deep = "d0: &d0 [1]\n".to_owned();
        for level in 1..70 {
            deep += &format!("d{level}: &d{level} [*d{}]\n", level - 1);
        }
        let message = |text: &str| Yaml::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(message(&deep).contains("line 64 is"), "{}", message(&deep));
        let large = format!("a: &a '{}'\nb:\n{}", "x".repeat(1 << 20), "- *a\n".repeat(20));
        assert!(message(&large).contains("up to line 19"), "{}", message(&large));
    }

    #[test]
    fn forms_that_are_refused() {
        for (text, expected) in [
            ("a: 1\nb: 2\na: 3\n", "duplicate-key"),
            ("a: 1\n---\nb: 2\n", "yaml-documents"),
            ("a: [1, 2\n", "yaml-syntax"),
            ("a: *x\n", "yaml-syntax"),
            ("a: &x [*x]\n", "yaml-alias"),
            ("a: !!float 1\n", "yaml-tag"),
            ("a: !custom x\n", "yaml-tag"),
            ("a: &x {b: 1}\nc: {<<: *x}\n", "yaml-merge"),
            ("? [1]\n: 2\n", "yaml-key"),
            ("a: .nan\n", "number-form"),
            ("a: 1e999\n", "number-form"),
        ] {
            assert_eq!(rule(text), expected, "{text}");
        }
        assert_eq!(Yaml::parse(b"a: \xff").unwrap_err().rule(), "invalid-utf8");
        let long = Yaml::parse(&vec![b' '; BYTES + 1]).unwrap_err();
        assert_eq!(long.findings()[0].message, "the document has more than 8388608 bytes");
        assert_eq!(rule(&"[".repeat(80)), "too-deep");
        assert_eq!(rule(&"- ".repeat(80)), "too-deep");
    }

    #[test]
    fn a_bomb_of_aliases_is_refused_and_a_harmless_alias_is_not() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..30 {
            let before = level - 1;
            bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{before}"); 10].join(", "));
        }
        assert_eq!(rule(&bomb), "too-large");
        let mut deep = "d0: &d0 [1]\n".to_owned();
        for level in 1..70 {
            deep += &format!("d{level}: &d{level} [*d{}]\n", level - 1);
        }
        assert_eq!(rule(&deep), "too-deep");
        let yaml = Yaml::parse(b"&k name: x\n&n 1: y\n&q \"2\": z\nb: [*k, *n, *q]\n").unwrap();
        let expected = r#"{"1":"y","2":"z","b":["name",1,"2"],"name":"x"}"#;
        assert_eq!(yaml.to_json().to_canonical(), expected);
        let yaml = Yaml::parse(b"a: &x [1, two]\nb: *x\n").unwrap();
        assert_eq!(yaml.to_json().to_canonical(), r#"{"a":[1,"two"],"b":[1,"two"]}"#);
    }

    #[test]
    fn values_know_their_lines() {
        let yaml = Yaml::parse(b"# first\nname: x\ntasks:\n  - a\n  - b\n").unwrap();
        assert_eq!(Yaml::parse(b"a: [1e-9, x]\n").unwrap().written("/a/0"), Some("1e-9"));
        assert_eq!([yaml.line("/name"), yaml.line("/tasks/1"), yaml.line("/users")], [2, 5, 2]);
    }
}
