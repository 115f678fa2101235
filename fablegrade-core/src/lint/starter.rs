//! Rules for starter code, which is read as text and not run: learners must be able to start from it.

use fablegrade_public::matcher::output_json;
use fablegrade_public::view::code::{HarnessMode, Language};
use fablegrade_public::{Finding, Findings};

use crate::answer::code::CodeSpec;

/// Applies the rules. A source has at most 20,000 characters.
pub(super) fn lint(spec: &CodeSpec, findings: &mut Findings) {
    let Some(starters) = spec.starter_code.as_deref().filter(|starters| !starters.is_empty()) else { return };
    let function = (spec.harness.mode == HarnessMode::Function)
        .then_some(spec.harness.function_name.as_deref())
        .flatten();
    let missing =
        spec.languages.iter().find(|language| !starters.iter().any(|(other, _)| other == *language));
    if let (Some(_), Some(missing)) = (function, missing) {
        findings.push(Finding::warning(
            "starter-missing",
            "/starterCode",
            format!(
                "there is starter code, but none for `{}`, where the function must be written from scratch",
                missing.as_str()
            ),
            "add starter code for every offered language",
        ));
    }
    let wanted = arguments(spec);
    for (language, source) in starters {
        let pointer = format!("/starterCode/{}", language.as_str());
        if source.len() > spec.limits.source_kb as usize * 1_024 {
            findings.push(Finding::warning(
                "starter-above-source-limit",
                pointer,
                "the starter code is longer than a submission may be",
                "raise `sourceKb` or shorten the code",
            ));
            continue;
        }
        if super::code::has_literal_line_feed(source) {
            findings.push(Finding::warning(
                "literal-line-feed",
                pointer,
                "`\\n` is written as two characters, so the starter code is one line",
                "write `\\n` in JSON, with one backslash, not `\\\\n`",
            ));
            continue;
        }
        let problem = bracket_problem(*language, source)
            .or_else(|| (*language == Language::Python).then(|| block_problem(source)).flatten());
        if let Some(problem) = problem {
            findings.push(Finding::warning(
                "starter-unbalanced",
                pointer,
                format!("the starter code cannot be compiled: {problem}"),
                "correct the starter code",
            ));
            continue;
        }
        let Some(name) = function else {
            if prints_a_result(*language, source) {
                findings.push(Finding::warning(
                    "starter-solves",
                    pointer,
                    "the starter code prints a computed value already",
                    "print a placeholder, or say in a comment what is to be done",
                ));
            }
            continue;
        };
        let code = without_comments(*language, source);
        if !has_word(&code, name) {
            findings.push(Finding::warning(
                "starter-misnames-function",
                pointer,
                "the starter code does not name the function that is called",
                "use the name under `functionName`",
            ));
        } else if parameters(*language, &code, name)
            .is_some_and(|count| wanted.is_some_and(|wanted| wanted != count))
        {
            findings.push(Finding::warning(
                "starter-misnames-function",
                pointer,
                "the function of the starter code takes another number of arguments than the cases give",
                "give it a parameter per argument",
            ));
        } else if returns_a_result(*language, source) {
            findings.push(Finding::warning(
                "starter-solves",
                pointer,
                "the function of the starter code returns a computed value already",
                "return a placeholder, or say in a comment what is to be fixed",
            ));
        }
    }
}

/// Returns the number of arguments that every case gives; `None` if the numbers differ or an input is not an
/// array.
fn arguments(spec: &CodeSpec) -> Option<usize> {
    let mut counts =
        spec.cases().map(|(.., case)| Some(output_json(case.input.as_bytes())?.as_array()?.len()));
    let first = counts.next()??;
    counts.all(|count| count == Some(first)).then_some(first)
}

/// Returns the source without its line comments. A comment mark inside a string also ends its line.
fn without_comments(language: Language, source: &str) -> String {
    let mark = if language == Language::Python { "#" } else { "//" };
    let lines = source.lines().map(|line| line.split_once(mark).map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the number of parameters of a Python or JavaScript function; `None` if there is no such function,
/// or if default or rest parameters make the number variable.
fn parameters(language: Language, code: &str, name: &str) -> Option<usize> {
    let opens = match language {
        Language::Python => format!("def {name}("),
        Language::JavaScript => format!("function {name}("),
        _ => return None,
    };
    // A method, whose first parameter is `self`, is ignored.
    let rest = &code[code.find(&opens)? + opens.len()..];
    let list = &rest[..rest.find(')')?];
    let open = list.contains(['*', '=', '(', '[', '{', '.', ':'])
        && !(language == Language::Python && plain_types(list));
    let parts: Vec<&str> = list.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    (!open && parts.first() != Some(&"self")).then_some(parts.len())
}

/// Returns whether the types in a list of parameters are single words.
fn plain_types(list: &str) -> bool {
    !list.contains(['*', '=', '(', '[', '{', '.'])
}

fn has_word(source: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    source.match_indices(name).any(|(at, _)| {
        !source[..at].chars().next_back().is_some_and(part)
            && !source[at + name.len()..].chars().next().is_some_and(part)
    })
}

/// Returns whether a source shows no sign of unfinished work.
fn is_finished(source: &str) -> bool {
    const WORK_LEFT: [&str; 30] = [
        "find",
        "mistake",
        "change",
        "add ",
        "todo",
        "fixme",
        "fix ",
        "bug",
        "your code",
        "your solution",
        "implement",
        "complete",
        "fill in",
        "replace",
        "write",
        "error",
        "wrong",
        "faulty",
        "correct the",
        "pass\n",
        "...",
        "???",
        "___",
        "raise ",
        "throw",
        "panic!",
        "hier",
        "ergänze",
        "fehler",
        "debug",
    ];
    let lower = format!("{}\n", source.to_lowercase());
    !WORK_LEFT.iter().any(|word| lower.contains(word))
}

/// Returns whether a finished source returns a computed value or an updated variable.
fn returns_a_result(language: Language, source: &str) -> bool {
    if !is_finished(source) {
        return false;
    }
    let code = without_comments(language, source);
    let updated = ["+=", "*=", "-=", "/=", "**="].iter().any(|sign| code.contains(sign));
    // Functions without `return`: `n => n * n`, `lambda n: n * n`, the last expression in Rust.
    let short = code.lines().filter_map(|line| match language {
        Language::JavaScript => line.split_once("=>").map(|(_, value)| value),
        Language::Python => {
            line.split_once("lambda ").and_then(|(_, rest)| rest.split_once(':')).map(|(_, value)| value)
        }
        Language::Rust => {
            let line = line.trim();
            let value = line.rsplit_once('{').map_or(line, |(_, value)| value).trim_end_matches(['}', ' ']);
            (!value.ends_with(';') && !line.ends_with('{') && !value.contains("->")).then_some(value)
        }
        _ => None,
    });
    let returned = code.lines().filter_map(|line| line.split_once("return ")).map(|(_, value)| value);
    let returned: Vec<&str> = returned.chain(short).collect();
    let variable = |value: &&str| {
        let value = value.trim().trim_end_matches([';', '}', ' ']);
        !value.is_empty()
            && value.chars().all(|c| c.is_alphanumeric() || c == '_')
            && value.contains(char::is_alphabetic)
    };
    (updated && returned.iter().any(variable)) || returned.iter().any(|value| is_computed(value))
}

/// Returns whether a finished program prints a computed value.
fn prints_a_result(language: Language, source: &str) -> bool {
    let prints = match language {
        Language::Python => "print(",
        Language::JavaScript => "console.log(",
        _ => return false,
    };
    let code = without_comments(language, source);
    is_finished(source)
        && code.lines().filter_map(|line| line.split_once(prints)).any(|(_, value)| {
            let value = value.trim().trim_end_matches([';', ')', ' ']);
            let plain = |c: char| c.is_alphanumeric() || " _+-*/%".contains(c);
            value.chars().all(plain)
                && value.contains(['+', '*', '/', '%'])
                && value.contains(char::is_alphabetic)
        })
}

/// Returns whether the text of a value contains an operation.
fn is_computed(value: &str) -> bool {
    {
        let value = value.trim().trim_end_matches([';', '}', ' ']);
        let operates =
            value.contains(['+', '*', '/', '%', '<', '>', '&', '|', '(', '?']) || value.contains(" - ");
        let trivial = ["(0)", "()", "new ", "Vec::", "String::", "Box::", "Some(0", "nullptr"];
        operates
            && value.contains(|c: char| c.is_alphabetic())
            && !trivial.iter().any(|word| value.contains(word))
    }
}

/// Returns the problem if brackets outside strings and comments are unbalanced, or if a string or comment is
/// not closed.
fn bracket_problem(language: Language, source: &str) -> Option<&'static str> {
    let code = match code_alone(language, source) {
        Ok(code) => code,
        Err(problem) => return problem,
    };
    let mut open: Vec<char> = Vec::new();
    for c in code.chars() {
        let expected = match c {
            '(' | '[' | '{' => {
                open.push(c);
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        if open.pop() != Some(expected) {
            return Some("a bracket closes that was never opened");
        }
    }
    (!open.is_empty()).then_some("a bracket is never closed")
}

/// Returns a source with `""` in place of every string and without comments.
///
/// # Errors
/// The problem if a string or comment is not closed; `None` if the source cannot be read, because only a parser can
/// tell the start of a JavaScript regular expression from a division.
fn code_alone(language: Language, source: &str) -> Result<String, Option<&'static str>> {
    let python = language == Language::Python;
    let separates = matches!(language, Language::C | Language::Cpp);
    let mut code = String::with_capacity(source.len());
    // The first character of the current word or number.
    let mut word: Option<char> = None;
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let comment = if python { c == '#' } else { rest.starts_with("//") };
        if comment {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        if !python && rest.starts_with("/*") {
            rest = after_comment(language, rest).ok_or(Some("a comment is never closed"))?;
            code.push(' ');
            word = None;
            continue;
        }
        if language == Language::JavaScript && c == '/' && !ends_a_value(&code) {
            return Err(None);
        }
        if let Some((inside, end)) = raw_string(language, &code, rest) {
            let at = inside.find(&end).ok_or(Some("a string is never closed"))?;
            rest = &inside[at + end.len()..];
            code.push_str("\"\"");
            word = None;
            continue;
        }
        let tripled = matches!(language, Language::Python | Language::Java);
        let quote = match c {
            '"' if tripled && rest.starts_with("\"\"\"") => Some("\"\"\""),
            '\'' if python && rest.starts_with("'''") => Some("'''"),
            '"' => Some("\""),
            // A digit separator, as in `1'000`.
            '\'' if separates && word.is_some_and(|first| first.is_ascii_digit()) => None,
            '\'' if language != Language::Rust => Some("'"),
            '`' if language == Language::JavaScript => Some("`"),
            _ => None,
        };
        if let Some(quote) = quote {
            let inside = &rest[quote.len()..];
            // In JavaScript, quotes may also be part of a regular expression.
            let unclosed = (language != Language::JavaScript).then_some("a string is never closed");
            let after = after_string(inside, quote).ok_or(unclosed)?;
            let line = inside.find('\n').unwrap_or(inside.len());
            let single = quote.len() == 1 && python;
            if single && inside.len() - after.len() > line && !inside[..line].ends_with('\\') {
                return Err(Some("a string is not closed on its line"));
            }
            rest = after;
            code.push_str("\"\"");
            word = None;
            continue;
        }
        if c == '\'' && language == Language::Rust {
            // A character literal or a lifetime.
            let mut letters = rest.chars().skip(1);
            let letter = letters.next();
            let literal = match letter {
                Some('\\') => Some(after_string(&rest[1..], "'").ok_or(None)?),
                Some(letter) if letters.next() == Some('\'') => Some(&rest[2 + letter.len_utf8()..]),
                _ => None,
            };
            if let Some(after) = literal {
                rest = after;
                code.push_str("\"\"");
                word = None;
                continue;
            }
        }
        let inside_number = matches!(c, '.' | '\'') && word.is_some_and(|first| first.is_ascii_digit());
        word = if c.is_alphanumeric() || c == '_' || inside_number { word.or(Some(c)) } else { None };
        code.push(c);
        rest = &rest[c.len_utf8()..];
    }
    Ok(code)
}

/// Returns the text after the comment at the start of `text`; `None` if the comment does not end. In Rust, comments are
/// nested.
fn after_comment(language: Language, text: &str) -> Option<&str> {
    let mut depth = 1usize;
    // The star of the opening `/*` does not close the comment: `/*/` is still open.
    let mut rest = &text[2..];
    loop {
        rest = &rest[rest.find(['*', '/'])?..];
        if let Some(after) = rest.strip_prefix("*/") {
            rest = after;
            depth -= 1;
            if depth == 0 {
                return Some(rest);
            }
        } else if let Some(after) = rest.strip_prefix("/*").filter(|_| language == Language::Rust) {
            rest = after;
            depth += 1;
        } else {
            rest = &rest[1..];
        }
    }
}

/// Returns the text after the opening of the raw string at the start of `rest`, and the closing delimiter; `None` if no
/// raw string starts here. `code` is the code before `rest`; in C++, it ends with the string's prefix.
fn raw_string<'s>(language: Language, code: &str, rest: &'s str) -> Option<(&'s str, String)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    match language {
        Language::Go => rest.strip_prefix('`').map(|inside| (inside, "`".to_owned())),
        Language::Rust => {
            let marks = rest.strip_prefix('r')?;
            // The prefix may also be `br` or `cr`.
            let before = code.strip_suffix(['b', 'c']).unwrap_or(code);
            let quoted = marks.trim_start_matches('#');
            let inside = quoted.strip_prefix('"').filter(|_| !before.ends_with(part))?;
            Some((inside, format!("\"{}", &marks[..marks.len() - quoted.len()])))
        }
        Language::Cpp => {
            let before = code.strip_suffix('R')?;
            let prefix = ["u8", "u", "U", "L"].iter().find_map(|prefix| before.strip_suffix(prefix));
            let inside = rest.strip_prefix('"')?;
            // The delimiter has at most 16 characters.
            let mark = &inside[..inside.bytes().take(17).position(|byte| byte == b'(')?];
            (!prefix.unwrap_or(before).ends_with(part)).then(|| (&inside[mark.len()..], format!("){mark}\"")))
        }
        _ => None,
    }
}

/// Returns whether JavaScript code ends with a value, so that a slash after it is a division.
fn ends_a_value(code: &str) -> bool {
    const KEYWORDS: [&str; 11] =
        ["return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "throw", "await"];
    let code = code.trim_end();
    let word = code.rfind(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').map_or(code, |at| {
        let after = code[at..].chars().next().map_or(0, char::len_utf8);
        &code[at + after..]
    });
    if word.is_empty() { code.ends_with([')', ']', '"']) } else { !KEYWORDS.contains(&word) }
}

/// Returns the problem if a Python block, such as a function or a loop, lacks its colon or its indented line.
fn block_problem(source: &str) -> Option<&'static str> {
    const BEGIN: [&str; 9] = ["def ", "class ", "for ", "while ", "if ", "elif ", "else", "try", "with "];
    let code = code_alone(Language::Python, source).ok()?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    // The open brackets, and whether the previous line is continued.
    let (mut depth, mut continued) = (0usize, false);
    // The indentation of the last statement, if it ends with the colon of a block.
    let mut opened: Option<usize> = None;
    // Whether the last statement begins a block, and whether its colon has been found.
    let (mut begins, mut colon) = (false, false);
    for line in code.lines().map(str::trim_end).filter(|line| !line.trim_start().is_empty()) {
        if depth == 0 && !continued {
            if begins && !colon {
                return Some("a colon is missing");
            }
            if opened.is_some_and(|outer| indent(line) <= outer) {
                return Some("the line after a colon is not indented");
            }
            let text = line.trim_start();
            begins = BEGIN.iter().any(|word| {
                text.strip_prefix(word).is_some_and(|rest| {
                    word.ends_with(' ') || rest.is_empty() || rest.starts_with([':', ' '])
                })
            });
            colon = false;
            opened = begins.then(|| indent(line));
        }
        for c in line.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                ':' if depth == 0 => colon = true,
                _ => {}
            }
        }
        continued = line.ends_with('\\');
        if depth == 0 && !continued && !line.ends_with(':') {
            opened = None;
        }
    }
    (begins && !colon).then_some("a colon is missing")
}

/// Returns the text after the end of a string; `None` if the string does not end.
fn after_string<'s>(mut rest: &'s str, quote: &str) -> Option<&'s str> {
    loop {
        let at = rest.find(['\\', quote.chars().next()?])?;
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix(quote) {
            return Some(after);
        }
        let mut letters = rest.chars();
        if letters.next() == Some('\\') {
            letters.next();
        }
        rest = letters.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_counted_outside_texts() {
        use Language::{C, JavaScript, Python, Rust};
        for (language, source) in [
            (Python, "def f(x):\n    # :(\n    return '(' + \"\"\"[\"\"\"\n"),
            (C, "int f(char c) { /* ( */ return c == '(' ; }"),
            (C, "int f() { /*/ ( */ return 1; /**/ }"),
            (Rust, "fn f<'a>(x: &'a str) -> char { '{' }"),
            (JavaScript, "const f = (x) => `(${x}`;"),
            (Python, "print('it\\'s (')"),
        ] {
            assert_eq!(bracket_problem(language, source), None, "{source}");
        }
        assert!(bracket_problem(Python, "def f(:\n").is_some());
        assert!(bracket_problem(C, "int f() { return 1; }}").is_some());
        assert!(bracket_problem(C, "int f() { /* todo ").is_some());
        assert!(bracket_problem(C, "int f() { return 1; } /*/").is_some());
        assert!(bracket_problem(Python, "return 'abc\n").is_some());
        assert!(
            block_problem("def f(n)\n    pass\n").is_some() && block_problem("def f(n):\npass\n").is_some()
        );
        for fine in [
            "def f(n):\n    pass\n",
            "def f(n): pass\n",
            "def f(n,\n      m):\n    pass",
            "def f(n):\n    # here\n",
        ] {
            assert_eq!(block_problem(fine), None, "{fine}");
        }
        assert_eq!(parameters(Python, "def f(a: int, b: int) -> int:", "f"), Some(2));
        assert_eq!(parameters(Python, "def f(a, b=2):", "f"), None);
    }

    #[test]
    fn solved_starters_are_told_from_stubs() {
        for (language, solved) in [
            (Language::Python, "def sq(n):\n    return n*n\n"),
            (Language::Python, "sq = lambda n: n * n\n"),
            (Language::Python, "def sq(n):\n    r = n\n    r *= n\n    return r\n"),
            (Language::JavaScript, "const sq = n => n ** 2;"),
            (Language::Rust, "fn sq(n: i64) -> i64 { n * n }"),
        ] {
            assert!(returns_a_result(language, solved), "{solved}");
        }
        assert!(prints_a_result(Language::Python, "n = int(input())\nprint(n * n)\n"));
        assert!(!prints_a_result(Language::Python, "n = int(input())\nprint(n)\n"));
        for stub in [
            "def sq(n):\n    pass\n",
            "def f(n):\n    # TODO\n    return n*n",
            "int f(int n) { return 0; }",
            "def f(a):\n    # fix the bug\n    return a - 1",
            "def f(a):\n    return []",
            "function f(x) { return x; }",
        ] {
            for language in [Language::Python, Language::C, Language::JavaScript] {
                assert!(!returns_a_result(language, stub), "{stub}");
            }
        }
    }

    #[test]
    fn sources_that_compile_are_balanced() {
        use Language::{C, Cpp, Go, Java, JavaScript, Rust};
        for source in [
            "def f(n):\n    return [\n        i\n        for x in range(3)\n        if x\n    ]\n",
            "x = {\n    'a':\n    1,\n}\n",
            "def f(n):\n    return sum(\n        x\n        for x in n)\n",
            "s = '('\nif s:\n    pass\n",
            "def f():\n    s = '#('\n    return s\n",
        ] {
            assert_eq!(bracket_problem(Language::Python, source), None, "{source}");
            assert_eq!(block_problem(source), None, "{source}");
        }
        assert!(block_problem("x = [1,\n     2]\nif x\n    pass\n").is_some());
        assert!(block_problem("x = [1,\n     2]\nfor y in x:\npass\n").is_some());
        for (language, source) in [
            (Cpp, "int f() { return 1'000; }"),
            (Cpp, "int f() { return 0xFF'FF + 'a'; }"),
            (C, "int f() { return 1'000; }"),
            (Cpp, "auto s = R\"(\")\";\nauto t = R\"x(a)\"(\")x\";"),
            (JavaScript, "const f = (s) => s.replace(/[(]/, '');"),
            (JavaScript, "const f = s => /\"/.test(s);"),
            (Rust, "fn f() -> &'static str { r\"C:\\\" }"),
            (Rust, "fn f() -> &'static str { r##\"\"# (\"## }"),
            (Rust, "fn f() -> &'static [u8] { br\"\\\" }"),
            (Rust, "/* a /* b */ ( */ fn f() {}"),
            (Rust, "fn f() { let r#for = 1; }"),
            (Go, "var s = `C:\\`"),
            (Java, "String s = \"\"\"\n  a \" (\n\"\"\";"),
            (Language::Python, "s = r'\\('\n"),
        ] {
            assert_eq!(bracket_problem(language, source), None, "{source}");
        }
        for (language, source) in [
            (Cpp, "int f() { return 1'000; "),
            (Rust, "fn f() { r\"C:\\\" "),
            (Go, "func f() { s := `(`"),
            (JavaScript, "function f(a) { return a / 2; "),
            (JavaScript, "function f(a) { return (a + 1) / 2) / 3; }"),
            (JavaScript, "function f(a { return 1; }"),
        ] {
            assert!(bracket_problem(language, source).is_some(), "{source}");
        }
    }
}
