//! Starter code, read as text: whether it can be started from. Nothing is run.

use fablegrade_public::view::code::{HarnessMode, Language};
use fablegrade_public::{Finding, Findings};

use crate::answer::code::CodeSpec;

/// The rules. Linear in the length of the sources.
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
                "there is starter code, but none for `{}`, where the function must be written from nothing",
                missing.as_str()
            ),
            "add starter code for every language on offer",
        ));
    }
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
        if let Some(problem) = bracket_problem(*language, source) {
            findings.push(Finding::warning(
                "starter-unbalanced",
                pointer,
                format!("the starter code cannot be compiled: {problem}"),
                "correct the starter code",
            ));
            continue;
        }
        let Some(name) = function else { continue };
        if !has_word(source, name) {
            findings.push(Finding::warning(
                "starter-misnames-function",
                pointer,
                "the starter code does not name the function that is called",
                "use the name under `functionName`",
            ));
        } else if returns_a_result(source) {
            findings.push(Finding::warning(
                "starter-solves",
                pointer,
                "the function of the starter code returns a computed value already",
                "return a placeholder, or say in a comment what is to be fixed",
            ));
        }
    }
}

fn has_word(source: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    source.match_indices(name).any(|(at, _)| {
        !source[..at].chars().next_back().is_some_and(part)
            && !source[at + name.len()..].chars().next().is_some_and(part)
    })
}

/// Whether a `return` has a computed value and nothing in the source says that work is left.
fn returns_a_result(source: &str) -> bool {
    const WORK_LEFT: [&str; 26] = [
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
    if WORK_LEFT.iter().any(|word| lower.contains(word)) {
        return false;
    }
    source.lines().filter_map(|line| line.split_once("return ")).any(|(_, value)| {
        let value = value.trim().trim_end_matches([';', '}', ' ']);
        let operates =
            value.contains(['+', '*', '/', '%', '<', '>', '&', '|', '(', '?']) || value.contains(" - ");
        let trivial = ["(0)", "()", "new ", "Vec::", "String::", "Box::", "Some(0", "nullptr"];
        operates
            && value.contains(|c: char| c.is_alphabetic())
            && !trivial.iter().any(|word| value.contains(word))
    })
}

/// Brackets that do not close, outside strings and comments; `None` also where the text cannot be told apart.
fn bracket_problem(language: Language, source: &str) -> Option<&'static str> {
    let python = language == Language::Python;
    let mut open: Vec<char> = Vec::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let comment = if python { c == '#' } else { rest.starts_with("//") };
        if comment {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        if !python && rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
            continue;
        }
        let quote = match c {
            '"' if python && rest.starts_with("\"\"\"") => Some("\"\"\""),
            '\'' if python && rest.starts_with("'''") => Some("'''"),
            '"' => Some("\""),
            '\'' if language != Language::Rust => Some("'"),
            '`' if matches!(language, Language::JavaScript | Language::Go) => Some("`"),
            _ => None,
        };
        if let Some(quote) = quote {
            rest = after_string(&rest[quote.len()..], quote)?;
            continue;
        }
        if c == '\'' && language == Language::Rust {
            // A character or a lifetime.
            let mut letters = rest.chars().skip(1);
            let letter = letters.next();
            if letter == Some('\\') {
                rest = after_string(&rest[1..], "'")?;
                continue;
            }
            if letters.next() == Some('\'') {
                rest = &rest[2 + letter.map_or(0, char::len_utf8)..];
                continue;
            }
        }
        match c {
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                let expected = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if open.pop() != Some(expected) {
                    return Some("a bracket closes that was never opened");
                }
            }
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    (!open.is_empty()).then_some("a bracket is never closed")
}

/// What follows the end of a string; `None` if it has no end.
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
            (Rust, "fn f<'a>(x: &'a str) -> char { '{' }"),
            (JavaScript, "const f = (x) => `(${x}`;"),
            (Python, "print('it\\'s (')"),
        ] {
            assert_eq!(bracket_problem(language, source), None, "{source}");
        }
        assert!(bracket_problem(Python, "def f(:\n").is_some());
        assert!(bracket_problem(C, "int f() { return 1; }}").is_some());
    }

    #[test]
    fn solved_starters_are_told_from_stubs() {
        assert!(returns_a_result("def sq(n):\n    return n*n\n"));
        for stub in [
            "def sq(n):\n    pass\n",
            "def f(n):\n    # TODO\n    return n*n",
            "int f(int n) { return 0; }",
            "def f(a):\n    # fix the bug\n    return a - 1",
            "def f(a):\n    return []",
            "function f(x) { return x; }",
        ] {
            assert!(!returns_a_result(stub), "{stub}");
        }
    }
}
