//! Paths of items: `group.field`, and `group[0].field` inside a repeat (0-based, like the record's keys).

use std::fmt;

/// One step of an [`ItemPath`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step<'a> {
    /// The item's key.
    pub(crate) key: &'a str,
    /// The instance of a repeatable group.
    pub(crate) instance: Option<usize>,
}

/// A parsed item path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemPath<'a> {
    steps: Vec<Step<'a>>,
}

/// The maximum number of steps. It keeps nested data shallow. No document that can be read nests items deeper.
const MAX_STEPS: usize = 64;

fn is_key(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

impl<'a> ItemPath<'a> {
    /// Parses a path of at most 64 steps, or returns `None` if `text` is not such a path.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (key, instance) = match part.split_once('[') {
                None => (part, None),
                Some((key, rest)) => {
                    let index = rest.strip_suffix(']')?;
                    // `[007]` would be a second spelling of `[7]`.
                    let plain = index == "0" || !index.starts_with('0');
                    let digits = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
                    if !plain || !digits {
                        return None;
                    }
                    (key, Some(index.parse().ok()?))
                }
            };
            if !is_key(key) || steps.len() == MAX_STEPS {
                return None;
            }
            steps.push(Step { key, instance });
        }
        Some(Self { steps })
    }

    /// Returns the steps from the outermost group to the item; never empty.
    pub(crate) fn steps(&self) -> &[Step<'a>] {
        &self.steps
    }
}

impl fmt::Display for ItemPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            f.write_str(step.key)?;
            if let Some(instance) = step.instance {
                write!(f, "[{instance}]")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_keys_and_instances() {
        let path = ItemPath::parse("household.members[12].first_name").unwrap();
        let steps: Vec<_> = path.steps().iter().map(|step| (step.key, step.instance)).collect();
        assert_eq!(steps, [("household", None), ("members", Some(12)), ("first_name", None)]);
        assert_eq!(path.to_string(), "household.members[12].first_name");
    }

    #[test]
    fn other_texts_are_not_paths() {
        for text in [
            "",
            ".",
            "a.",
            "a..b",
            "a[",
            "a[]",
            "a[x]",
            "a[01]",
            "a[1]b",
            "a[*]",
            "a[-1]",
            "1a",
            "a b",
            "ä",
            "a[99999999999999999999999]",
        ] {
            assert_eq!(ItemPath::parse(text), None, "{text}");
        }
        assert!(ItemPath::parse(&["a"; 64].join(".")).is_some());
        assert_eq!(ItemPath::parse(&["a"; 65].join(".")), None);
    }
}
