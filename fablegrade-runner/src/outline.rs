//! A source without its comments and literals, which is enough to find functions and types in languages with
//! braces. A compiler checks every decision that is based on it.

/// The source with comments, literals and preprocessor lines replaced by blanks, so positions do not change.
/// Literals in single quotes are replaced if they are characters or, in JavaScript, strings. The quotation mark
/// before a string in JavaScript remains, and so do the expressions in its template literals, with their braces.
pub(crate) struct Outline {
    text: Vec<u8>,
}

/// The differences between the languages.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Dialect {
    /// The kind of literals that backquotes enclose.
    pub(crate) backquotes: Backquotes,
    /// True for JavaScript: single quotes enclose strings, the opening quotation mark of a string is kept,
    /// and slashes can enclose regular expressions.
    pub(crate) quotes: bool,
    /// The closing brackets (`)` or `}`) after which a slash is read as the start of a regular expression;
    /// after the others, it divides. Only a parser can tell which is right.
    pub(crate) regex_after: &'static [u8],
    /// True if `#` at the start of a line begins a preprocessor directive.
    pub(crate) preprocessor: bool,
    /// The kind of string literals that can have several lines.
    pub(crate) strings: Strings,
}

/// The kind of literals in backquotes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Backquotes {
    /// None.
    #[default]
    None,
    /// Raw strings without escapes, as in Go.
    Raw,
    /// JavaScript's template literals, with escapes and with expressions in `${...}`.
    Templates,
}

/// The kind of string literals that can have several lines, besides those in backquotes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Strings {
    /// None.
    #[default]
    OneLine,
    /// Java's text blocks, between `"""` and `"""`.
    TextBlocks,
    /// Raw strings of C++, for example `R"x(...)x"`.
    Delimited,
    /// All strings, as in Rust, whose raw strings end with as many `#` as they begin with.
    AllAndHashed,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl Outline {
    pub(crate) fn new(source: &str, dialect: Dialect) -> Self {
        let bytes = source.as_bytes();
        let mut text = bytes.to_vec();
        let at = |place: usize| bytes.get(place).copied().unwrap_or_default();
        let mut place = 0;
        let mut line_start = true;
        // For each `${` that is open, the number of braces that are open inside it.
        let mut expressions: Vec<usize> = Vec::new();
        // Where the last code was read, and whether it was a literal.
        let mut last: Option<(usize, bool)> = None;
        // The end of a line on which a regular expression would not end.
        let mut unended = 0;
        while place < bytes.len() {
            let start = place;
            let mut regex = None;
            let slash = at(place) == b'/' && !matches!(at(place + 1), b'/' | b'*');
            if dialect.quotes && slash && place >= unended && regex_can_follow(bytes, last, dialect) {
                match end_of_regex(bytes, place) {
                    Ok(end) => regex = Some(end),
                    Err(line) => unended = line,
                }
            }
            // The brace that ends an expression and the one that begins the next remain.
            let mut braces = (false, false);
            match (at(place), at(place + 1)) {
                (b'/', b'/') => {
                    while place < bytes.len() && at(place) != b'\n' {
                        place += 1;
                    }
                }
                (b'#', _) if dialect.preprocessor && line_start => {
                    while place < bytes.len() && (at(place) != b'\n' || is_continued(bytes, place)) {
                        place += 1;
                    }
                }
                (b'/', b'*') => {
                    place += 2;
                    while place < bytes.len() && !(at(place) == b'*' && at(place + 1) == b'/') {
                        place += 1;
                    }
                    place += 2;
                }
                (b'/', _) if regex.is_some() => place = regex.unwrap_or(place + 1),
                (b'`', _) if dialect.backquotes == Backquotes::Raw => place = after(bytes, place + 1, b"`"),
                (b'`', _) if dialect.backquotes == Backquotes::Templates => {
                    (place, braces.1) = end_of_template(bytes, place + 1);
                }
                (b'}', _) if expressions.last() == Some(&0) => {
                    expressions.pop();
                    (place, braces.1) = end_of_template(bytes, place + 1);
                    braces.0 = true;
                }
                (b'"', _) => place = end_of_string(bytes, place, dialect.strings),
                (b'\'', _) if dialect.quotes => place = end_of_literal(bytes, place + 1, b"'", false),
                // A lifetime (`'a`) or digit separator (`1'000`) does not begin a literal, but a quote after
                // a prefix (`u8'x'`) does.
                (quote @ b'\'', next) if next == b'\\' || single_character(source, place) => {
                    if follows_digits(bytes, place) {
                        place += 1;
                    } else {
                        place = end_of_literal(bytes, place + 1, &[quote], false);
                    }
                }
                (byte, _) => {
                    if let Some(open) = expressions.last_mut() {
                        match byte {
                            b'{' => *open += 1,
                            b'}' => *open -= 1,
                            _ => {}
                        }
                    }
                    line_start = byte == b'\n' || (line_start && byte.is_ascii_whitespace());
                    if !byte.is_ascii_whitespace() {
                        last = Some((place, false));
                    }
                    place += 1;
                    continue;
                }
            }
            line_start = false;
            if !matches!((at(start), at(start + 1)), (b'/', b'/' | b'*')) {
                // An expression in a template literal follows its brace.
                last = Some((place.saturating_sub(1), !braces.1));
            }
            if braces.1 {
                expressions.push(0);
            }
            let kept = usize::from(braces.0 || (dialect.quotes && matches!(at(start), b'"' | b'\'')));
            let end = place - usize::from(braces.1);
            for byte in text.iter_mut().take(end).skip(start + kept) {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        Self { text }
    }

    /// Returns the text from `start` to the first of the bytes `ends`, without comments and literals; `None`
    /// if none of them follows.
    pub(crate) fn until(&self, start: usize, ends: &[u8]) -> Option<&str> {
        let rest = self.text.get(start..)?;
        let end = rest.iter().position(|byte| ends.contains(byte))?;
        std::str::from_utf8(rest.get(..end)?).ok()
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or_default()
    }

    /// Returns all whole words: the position, the depth of braces around it, and the word.
    pub(crate) fn words(&self) -> Vec<(usize, usize, &str)> {
        let mut all = Vec::new();
        let (mut at, mut depth) = (0, 0usize);
        while at < self.text.len() {
            match self.byte(at) {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                byte if is_word(byte) => {
                    let start = at;
                    while is_word(self.byte(at)) {
                        at += 1;
                    }
                    if let Some(Ok(word)) = self.text.get(start..at).map(std::str::from_utf8) {
                        all.push((start, depth, word));
                    }
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        all
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        while self.byte(at).is_ascii_whitespace() {
            at += 1;
        }
        at
    }

    /// Returns whether the word at `start` is followed by an opening parenthesis or by type parameters.
    fn called(&self, start: usize, word: &str) -> bool {
        matches!(self.byte(self.skip_blanks(start + word.len())), b'(' | b'<')
    }

    /// Returns whether `keyword name(` or `keyword name<` occurs outside of all braces, for example
    /// `func main(`.
    pub(crate) fn declares(&self, keyword: &str, name: &str) -> bool {
        let words = self.words();
        words.iter().zip(words.iter().skip(1)).any(|((_, depth, first), (start, _, second))| {
            *depth == 0 && *first == keyword && *second == name && self.called(*start, second)
        })
    }

    /// Returns whether `name(` or `name<` occurs outside of all braces.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        self.words()
            .iter()
            .any(|(start, depth, word)| *depth == 0 && *word == name && self.called(*start, word))
    }

    /// Returns whether the words occur one after another anywhere.
    pub(crate) fn has_words(&self, wanted: &[&str]) -> bool {
        let words = self.words();
        words
            .windows(wanted.len())
            .any(|window| window.iter().zip(wanted).all(|((_, _, word), wanted)| word == wanted))
    }

    /// Returns whether JavaScript is a module: whether it has a declaration with `import` or `export`, or
    /// `import.meta`. A dynamic `import("a")`, which scripts can have too, and a property of this name do not
    /// count.
    pub(crate) fn is_module(&self) -> bool {
        self.words().iter().any(|(start, _, word)| match word.trim_start_matches('\u{feff}') {
            "import" => {
                let next = self.skip_blanks(start + word.len());
                match self.byte(next) {
                    b'.' => !self.is_property(*start) && self.starts_word(next + 1, "meta"),
                    b'{' | b'*' | b'"' | b'\'' => self.begins_statement(*start),
                    _ => self.begins_statement(*start) && self.begins_name(next, start + word.len()),
                }
            }
            "export" => {
                let next = self.skip_blanks(start + word.len());
                self.begins_statement(*start)
                    && (matches!(self.byte(next), b'{' | b'*')
                        || DECLARED.iter().any(|declared| self.starts_word(next, declared)))
            }
            _ => false,
        })
    }

    /// Returns the last byte before `at` that is not a blank on the same line; `None` if there is none.
    fn byte_before(&self, at: usize) -> Option<u8> {
        let before = self.text.get(..at)?;
        let last = before.iter().rev().find(|byte| **byte == b'\n' || !byte.is_ascii_whitespace())?;
        (*last != b'\n').then_some(*last)
    }

    /// Returns whether the word at `at` follows a dot that is not part of `...`.
    fn is_property(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default().trim_ascii_end();
        before.ends_with(b".") && !before.ends_with(b"...")
    }

    /// Returns whether a statement can begin at `at`: at the start of a line, or after another statement.
    fn begins_statement(&self, at: usize) -> bool {
        matches!(self.byte_before(at), None | Some(b';' | b'}'))
    }

    /// Returns whether the whole word, after blanks, is at `at`.
    fn starts_word(&self, at: usize, word: &str) -> bool {
        let at = self.skip_blanks(at);
        let end = at + word.len();
        self.text.get(at..end) == Some(word.as_bytes()) && !is_word(self.byte(end)) && self.byte(end) != b'$'
    }

    /// Returns whether a name in JavaScript begins at `at`, after the keyword that ends at `end`.
    fn begins_name(&self, at: usize, end: usize) -> bool {
        let first = self.byte(at);
        at > end && (first == b'$' || (is_word(first) && !first.is_ascii_digit()))
    }

    /// Returns, for C, the text before the function's name and the text within its parentheses.
    pub(crate) fn prototype(&self, name: &str) -> Option<(String, String)> {
        // The text before the name begins at `from`; `assigned` tells whether it contains `=`.
        let (mut read, mut from, mut assigned) = (0, 0, false);
        for (start, depth, word) in self.words() {
            if depth != 0 || word != name {
                continue;
            }
            let open = self.skip_blanks(start + word.len());
            if self.byte(open) != b'(' {
                continue;
            }
            for at in read..start {
                match self.byte(at) {
                    b';' | b'}' | b'{' | b')' => (from, assigned) = (at + 1, false),
                    b'=' => assigned = true,
                    _ => {}
                }
            }
            read = start;
            // A call in an initialiser is not a declaration: `=` or nothing precedes it.
            if assigned {
                continue;
            }
            let kind = String::from_utf8_lossy(self.text.get(from..start)?).trim().to_owned();
            if kind.is_empty() {
                continue;
            }
            let mut level = 0usize;
            let mut close = open;
            while close < self.text.len() {
                match self.byte(close) {
                    b'(' => level += 1,
                    b')' => level -= 1,
                    _ => {}
                }
                if level == 0 {
                    break;
                }
                close += 1;
            }
            let inside = String::from_utf8_lossy(self.text.get(open + 1..close)?).trim().to_owned();
            return Some((kind, inside));
        }
        None
    }
}

/// The words after `export` in JavaScript.
const DECLARED: &[&str] = &["default", "const", "let", "var", "function", "class", "async"];

/// Returns whether the preprocessor line that ends with the line feed at `end` continues on the next line. As
/// in most compilers, blanks after the backslash do not count.
fn is_continued(bytes: &[u8], end: usize) -> bool {
    let before = bytes.get(..end).unwrap_or_default();
    before.iter().rev().find(|byte| **byte == b'\n' || !byte.is_ascii_whitespace()) == Some(&b'\\')
}

/// Returns whether exactly one character is between the quote at `start` and the next one.
fn single_character(source: &str, start: usize) -> bool {
    let mut rest = source.get(start + 1..).unwrap_or_default().chars();
    rest.next().is_some() && rest.next() == Some('\'')
}

/// Returns whether the word that ends at `place` is a number.
fn follows_digits(bytes: &[u8], place: usize) -> bool {
    last_word(bytes.get(..place).unwrap_or_default()).first().is_some_and(u8::is_ascii_digit)
}

/// Returns whether a slash begins a regular expression instead of dividing. `last` is the position of the
/// code before the slash, and whether that code is a literal.
fn regex_can_follow(bytes: &[u8], last: Option<(usize, bool)>, dialect: Dialect) -> bool {
    const KEYWORDS: &[&[u8]] = &[
        b"return",
        b"typeof",
        b"case",
        b"in",
        b"of",
        b"delete",
        b"void",
        b"throw",
        b"new",
        b"instanceof",
        b"else",
        b"do",
        b"yield",
        b"await",
        b"default",
    ];
    let Some((at, is_literal)) = last else { return true };
    let (before, byte) = (bytes.get(..at).unwrap_or_default(), bytes.get(at).copied().unwrap_or_default());
    match byte {
        _ if is_literal => false,
        b')' | b'}' => dialect.regex_after.contains(&byte),
        b']' | b'.' | b'$' => false,
        b'+' | b'-' => before.last() != Some(&byte),
        _ if is_word(byte) => {
            let word = last_word(bytes.get(..=at).unwrap_or_default());
            let preceding = before.len().checked_sub(word.len()).and_then(|at| before.get(at));
            KEYWORDS.contains(&word) && !matches!(preceding, Some(b'.' | b'$'))
        }
        _ => true,
    }
}

/// Returns the end of the regular expression, with its flags, that begins at `start`; the error is the end of the
/// line if it does not end there.
fn end_of_regex(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start + 1;
    let mut in_class = false;
    loop {
        match bytes.get(at) {
            None | Some(b'\n' | b'\r') => return Err(at),
            Some(b'\\') if !matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            Some(b'[') => in_class = true,
            Some(b']') => in_class = false,
            Some(b'/') if !in_class => break,
            _ => {}
        }
        at += 1;
    }
    let flags = bytes.get(at + 1..).unwrap_or_default().iter().take_while(|byte| is_word(**byte)).count();
    Ok(at + 1 + flags)
}

/// Returns the end of the string literal whose quotation mark is at `start`.
fn end_of_string(bytes: &[u8], start: usize, strings: Strings) -> usize {
    let (before, rest) = bytes.split_at_checked(start).unwrap_or((bytes, &[]));
    match strings {
        Strings::TextBlocks if rest.starts_with(b"\"\"\"") => {
            return end_of_literal(bytes, start + 3, b"\"\"\"", true);
        }
        Strings::Delimited if RAW_IN_CPP.contains(&last_word(before)) => {
            if let Some(delimiter) = delimiter(rest) {
                return after(bytes, start, &[b")".as_slice(), delimiter, b"\""].concat());
            }
        }
        Strings::AllAndHashed => {
            let hashes = before.iter().rev().take_while(|byte| **byte == b'#').count();
            let word = last_word(before.get(..start - hashes).unwrap_or_default());
            if RAW_IN_RUST.contains(&word) {
                return after(bytes, start + 1, &[b"\"".to_vec(), vec![b'#'; hashes]].concat());
            }
        }
        _ => {}
    }
    end_of_literal(bytes, start + 1, b"\"", strings == Strings::AllAndHashed)
}

/// The prefixes of raw strings.
const RAW_IN_CPP: &[&[u8]] = &[b"R", b"LR", b"uR", b"UR", b"u8R"];
const RAW_IN_RUST: &[&[u8]] = &[b"r", b"br", b"cr"];

/// Returns the word at the end of `before`.
fn last_word(before: &[u8]) -> &[u8] {
    before.rsplit(|byte| !is_word(*byte)).next().unwrap_or_default()
}

/// Returns the text between the quotation mark of a raw string in C++ and its parenthesis; `None` if the
/// standard does not allow it.
fn delimiter(literal: &[u8]) -> Option<&[u8]> {
    const LONGEST: usize = 16;
    let text = literal.get(1..)?;
    let end = text.iter().take(LONGEST + 1).position(|byte| *byte == b'(')?;
    let delimiter = text.get(..end)?;
    delimiter.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b')' | b'\\')).then_some(delimiter)
}

/// Returns the end of the first occurrence of `end` from `start` on.
fn after(bytes: &[u8], start: usize, end: &[u8]) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.windows(end.len()).position(|part| part == end).map_or(bytes.len(), |at| start + at + end.len())
}

/// Returns the end of the part of a template literal that begins at `start`, and whether an expression follows,
/// after `${`.
fn end_of_template(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut at = start;
    while at < bytes.len() {
        match bytes.get(at..) {
            Some([b'\\', ..]) => at += 1,
            Some([b'`', ..]) => return (at + 1, false),
            Some([b'$', b'{', ..]) => return (at + 2, true),
            _ => {}
        }
        at += 1;
    }
    (bytes.len(), false)
}

/// Returns the end of a literal with escapes whose content begins at `start` and which `end` closes. Without
/// `lines`, a line feed without a backslash before it also ends the literal.
fn end_of_literal(bytes: &[u8], start: usize, end: &[u8], lines: bool) -> usize {
    let mut at = start;
    while at < bytes.len() {
        match bytes.get(at..) {
            Some([b'\\', b'\r', b'\n', ..]) => at += 2,
            Some([b'\\', ..]) => at += 1,
            Some(rest) if rest.starts_with(end) => return at + end.len(),
            Some([b'\n', ..]) if !lines => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{Backquotes, Dialect, Outline, Strings};

    const C: Dialect = Dialect {
        backquotes: Backquotes::None,
        quotes: false,
        regex_after: b"",
        preprocessor: true,
        strings: Strings::Delimited,
    };

    #[test]
    fn comments_literals_and_inner_blocks_do_not_count() {
        let source = "// int solve(int)\n#define X int solve(void)\nchar *s = \"solve(\"; char c = '\\'';\n\
                      static struct p { int solve(int); };\nlong f(void) { return solve(1); }";
        assert!(!Outline::new(source, C).has_function("solve"));
        assert!(Outline::new(source, C).has_function("f"));
    }

    #[test]
    fn a_preprocessor_line_continues_after_a_backslash() {
        for end in ["\n", "\r\n", " \t\n", " \r\n"] {
            let source = format!("#define X \\{end} int solve(int) {{ \\{end}\nint f(void);{end}");
            let outline = Outline::new(&source, C);
            assert!(!outline.has_function("solve") && outline.has_function("f"), "{source:?}");
        }
    }

    #[test]
    fn a_prototype_is_found_past_calls() {
        let source = "int g = 3;\nconst char *solve(const int *values, size_t count)\n{ return 0; }";
        let (kind, inside) = Outline::new(source, C).prototype("solve").unwrap();
        assert_eq!((kind.as_str(), inside.as_str()), ("const char *", "const int *values, size_t count"));
    }

    #[test]
    fn lifetimes_are_no_literals() {
        let outline = Outline::new("fn f<'a>(x: &'a str) -> char { 'b' }\nfn solve() {}", Dialect::default());
        assert!(outline.declares("fn", "solve"));
        assert!(outline.declares("fn", "f"));
    }

    #[test]
    fn a_literal_may_have_a_prefix_and_a_number_separators() {
        for source in [
            "char f() { return L'\"'; }\nint solve() {}",
            "int f() { return 1'0'00 + 0xF'F; }\nint solve() {}",
        ] {
            assert!(Outline::new(source, C).has_function("solve"), "{source}");
        }
    }

    #[test]
    fn strings_of_several_lines_do_not_count() {
        let java = Dialect { strings: Strings::TextBlocks, ..Dialect::default() };
        let rust = Dialect { strings: Strings::AllAndHashed, ..Dialect::default() };
        for (dialect, source) in [
            (java, "s = \"\"\"\n  \\\"\"\" \"\" { solve(\n  }\n\"\"\"; int f() { return \"\"; }"),
            (C, "auto s = R\"({ \"solve(\n)\"; int f() {}"),
            (C, "auto s = u8R\"ab(\\ )\" ) solve(\n{ )ab\"; int f() {}"),
            (C, "auto s = R\"a b(\"; int f() {}"),
            (rust, "const S: &str = \"{\n solve( \\\" {\n\"; fn f() {}"),
            (rust, "const S: &str = r\"{ solve(\n \\\"; fn f() {}"),
            (rust, "const S: &[u8] = br##\"{ \"# solve(\n \"##; fn f() {}"),
            (rust, "const S: &CStr = cr#\"\"\\ solve( {\"#; fn r#in() {} fn f() {}"),
        ] {
            let outline = Outline::new(source, dialect);
            assert!(
                outline.has_function("f") && !outline.words().iter().any(|word| word.2 == "solve"),
                "{source}"
            );
        }
    }

    #[test]
    fn expressions_in_template_literals_are_code() {
        let javascript = Dialect { backquotes: Backquotes::Templates, quotes: true, ..Dialect::default() };
        for (source, words) in [
            ("`a`b", "b"),
            (r"`\`a`b", "b"),
            (r"`\\`a`b`", "a"),
            (r"`\${a`b", "b"),
            ("`$`a`{`b", "a b"),
            ("`a${b}c`d", "b d"),
            ("`a$${b}c${d}`e", "b d e"),
            ("`${a ? `b${c}` : {d: '}', e: `}`}} f`g", "a c d e g"),
            ("`${/* } */a // `}\n+ \"`}\"}b`c", "a c"),
            ("{`${{a}}`}}b", "a b"),
            ("`a${", ""),
            ("`a${`b${c", "c"),
            (r"`a\", ""),
        ] {
            let outline = Outline::new(source, javascript);
            let found: Vec<_> = outline.words().into_iter().map(|word| word.2).collect();
            assert_eq!(found.join(" "), words, "{source}");
            assert_eq!(outline.text.len(), source.len(), "{source}");
        }
        let outline = Outline::new("a`${{b}}`\nc", javascript);
        assert_eq!(outline.words(), [(0, 0, "a"), (5, 2, "b"), (10, 0, "c")]);
        Outline::new(&"`${".repeat(100_000), javascript);
        let raw = Outline::new(r"`\`a", Dialect { backquotes: Backquotes::Raw, ..C });
        assert_eq!(raw.words().len(), 1);
    }

    #[test]
    fn words_follow_each_other_across_blanks() {
        let outline =
            Outline::new("package  main\nfunc main () {}", Dialect { backquotes: Backquotes::Raw, ..C });
        assert!(outline.has_words(&["package", "main"]) && outline.declares("func", "main"));
    }
}
