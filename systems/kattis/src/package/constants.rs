//! Replaces constants in the files of a package.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::document::Report;
use crate::problem::Problem;
use crate::program::SourceFiles;

/// The maximum length of the name of a constant, with its variant, in bytes.
pub(crate) const CONSTANT_NAME: usize = 296;
/// The maximum number of bytes that constants may take in the files of a package.
const MAX_TOTAL: usize = 64 << 20;

/// The constants of a problem, and how much room is left for their values.
pub(crate) struct Constants<'p> {
    values: &'p BTreeMap<String, String>,
    left: Cell<Option<usize>>,
}

impl<'p> Constants<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Self {
        Self { values: &problem.constants, left: Cell::new(Some(MAX_TOTAL)) }
    }

    /// Returns whether some files are unchanged because they would be too large with their constants replaced.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.left.get().is_none()
    }

    /// Reports that some files are unchanged because they would be too large with their constants replaced.
    pub(crate) fn check(&self, report: &mut Report) {
        if self.is_exhausted() {
            report.error(
                "constants",
                "problem.yaml",
                &format!("the constants take more than {} MiB in the files of the package", MAX_TOTAL >> 20),
                "shorten their values, or use them less",
            );
        }
    }

    /// Replaces `{{name}}` with the values of constants; unknown names are left unchanged. Without room for the
    /// values, nothing is replaced.
    pub(crate) fn replace<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if self.values.is_empty() || memchr::memmem::find(bytes, b"{{").is_none() {
            return Cow::Borrowed(bytes);
        }
        let Some(mut left) = self.left.get() else { return Cow::Borrowed(bytes) };
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(at) = memchr::memmem::find(rest, b"{{") {
            let (before, from) = rest.split_at(at);
            out.extend_from_slice(before);
            // The search for the end is bounded, because names are.
            let window = from.get(2..from.len().min(CONSTANT_NAME + 4)).unwrap_or_default();
            let value = memchr::memmem::find(window, b"}}").and_then(|end| {
                let name = std::str::from_utf8(window.get(..end)?).ok()?;
                Some((self.values.get(name)?, end + 4))
            });
            match value {
                Some((value, length)) => {
                    let Some(less) = left.checked_sub(value.len()) else {
                        self.left.set(None);
                        return Cow::Borrowed(bytes);
                    };
                    left = less;
                    out.extend_from_slice(value.as_bytes());
                    rest = from.get(length..).unwrap_or_default();
                }
                None => {
                    out.push(b'{');
                    rest = from.get(1..).unwrap_or_default();
                }
            }
        }
        self.left.set(Some(left));
        out.extend_from_slice(rest);
        Cow::Owned(out)
    }

    pub(crate) fn replace_in(&self, mut files: SourceFiles) -> SourceFiles {
        for (_, file) in &mut files {
            if let Cow::Owned(bytes) = self.replace(&file.bytes) {
                Arc::make_mut(file).bytes = bytes;
            }
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants() {
        let values =
            BTreeMap::from([("n".to_owned(), "1e5".to_owned()), ("n.tex".to_owned(), "10^5".to_owned())]);
        let of = |text: &str, left| {
            let constants = Constants { values: &values, left: Cell::new(Some(left)) };
            let replaced = String::from_utf8(constants.replace(text.as_bytes()).into_owned()).unwrap();
            (replaced, constants.left.get())
        };
        for (text, expected) in [
            ("{{n}} {{n.tex}} {{m}}", "1e5 10^5 {{m}}"),
            ("{{{n}}}", "{1e5}"),
            ("{{n}", "{{n}"),
            ("{{", "{{"),
            ("{{ n }}", "{{ n }}"),
        ] {
            assert_eq!(of(text, MAX_TOTAL).0, expected);
        }
        assert_eq!(of("{{n}} {{n}}", 6), ("1e5 1e5".to_owned(), Some(0)));
        assert_eq!(of("{{n}} {{n}}", 5), ("{{n}} {{n}}".to_owned(), None));
    }
}
