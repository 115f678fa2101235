//! Glob patterns of `submissions.yaml`: `*` within a name, braces, and nothing else.

/// A pattern, with its braces expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
    patterns: Vec<String>,
}

/// The maximum number of patterns that braces expand to.
const MOST: usize = 256;
/// The maximum length of a pattern in bytes.
const LONGEST: usize = 1_000;

/// The reason why a text is not a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobError {
    /// An unpaired brace.
    Brace,
    /// `**`, `?` or `[`.
    Unsupported,
    /// Too long, or more than 256 alternatives.
    TooLarge,
}

impl GlobError {
    /// Returns a human-readable description.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Brace => "a brace has no partner",
            Self::Unsupported => "patterns have `*` and braces, but not `**`, `?` and `[`",
            Self::TooLarge => "the pattern is too long, or has more than 256 alternatives",
        }
    }
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Unpaired braces, syntax that the format does not support, too long a text, too many alternatives.
    pub fn new(text: &str) -> Result<Self, GlobError> {
        if text.len() > LONGEST {
            return Err(GlobError::TooLarge);
        }
        if text.contains("**") || text.contains(['?', '[']) {
            return Err(GlobError::Unsupported);
        }
        let text = text.trim_end_matches('/');
        let mut waiting = vec![text.to_owned()];
        let mut done = Vec::new();
        while let Some(next) = waiting.pop() {
            // The innermost pair first: the first closing brace, and the last opening brace before it.
            let Some(close) = next.find('}') else {
                if next.contains('{') {
                    return Err(GlobError::Brace);
                }
                done.push(next);
                continue;
            };
            let open = next.get(..close).and_then(|before| before.rfind('{')).ok_or(GlobError::Brace)?;
            let (before, after) =
                (next.get(..open).unwrap_or_default(), next.get(close + 1..).unwrap_or_default());
            let inner = next.get(open + 1..close).unwrap_or_default();
            for alternative in inner.split(',').rev() {
                waiting.push(format!("{before}{alternative}{after}"));
            }
            if waiting.len() + done.len() > MOST {
                return Err(GlobError::TooLarge);
            }
        }
        Ok(Self { text: text.to_owned(), patterns: done })
    }

    /// Returns the pattern as it was written, without slashes at its end.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the number of alternatives. The time of a match is proportional to it.
    pub(crate) fn alternatives(&self) -> usize {
        self.patterns.len()
    }

    /// Returns whether it matches a path.
    pub fn matches(&self, path: &str) -> bool {
        self.patterns.iter().any(|pattern| matches_path(pattern, path))
    }

    /// Returns whether it matches a path or one of its parent folders.
    pub fn matches_with_parents(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.into_iter().any(|end| path.get(..end).is_some_and(|above| self.matches(above)))
    }
}

fn matches_path(pattern: &str, path: &str) -> bool {
    pattern.split('/').count() == path.split('/').count()
        && pattern.split('/').zip(path.split('/')).all(|(pattern, name)| matches_name(pattern, name))
}

/// Matches a name in linear time: after a star, the first occurrence of the next literal is taken.
fn matches_name(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let mut literals: Vec<&str> = rest.split('*').collect();
    let last = literals.pop().unwrap_or_default();
    for literal in literals {
        match name.find(literal) {
            Some(at) => name = name.get(at + literal.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, path, expected) in [
            ("accepted", "accepted/a.py", true),
            ("accepted/*", "accepted/a.py", true),
            ("accepted/*", "accepted", false),
            ("*", "accepted/a.py", true),
            ("*.py", "accepted/a.py", false),
            ("*/*.py", "accepted/a.py", true),
            ("*/{a,b}.{py,cpp}", "x/b.cpp", true),
            ("*/{a,b}.{py,cpp}", "x/c.cpp", false),
            ("{a,{b,c}}d", "cd", true),
            ("secret/*-easy", "secret/01-easy", true),
            ("secret/*-easy", "secret/01-easy-not", false),
            ("secret/g1", "secret/g1/01", true),
            ("secret/g1", "secret/g10/01", false),
            ("a*b*c", "aXbYbc", true),
            ("a*a", "a", false),
            ("accepted/", "accepted/x", true),
        ] {
            assert_eq!(Glob::new(pattern).unwrap().matches_with_parents(path), expected, "{pattern} {path}");
        }
        assert_eq!(Glob::new("a{b").unwrap_err(), GlobError::Brace);
        assert_eq!(Glob::new("a}b").unwrap_err(), GlobError::Brace);
        assert_eq!(Glob::new("a/**").unwrap_err(), GlobError::Unsupported);
        assert_eq!(Glob::new(&"{a,b}".repeat(20)).unwrap_err(), GlobError::TooLarge);
    }
}
