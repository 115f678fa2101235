//! Conversion of foreign identifiers to ids (1 to 32 characters of `A-Z a-z 0-9 - _`), and unique item ids in a bank.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A map from foreign identifiers to valid ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdMap {
    to: BTreeMap<String, String>,
    taken: BTreeSet<String>,
    /// The next number to try for each beginning of new ids.
    next: BTreeMap<String, usize>,
}

impl IdMap {
    /// Creates a map for these identifiers. Valid identifiers are unchanged; the others get new, distinct ids. An
    /// identifier that occurs twice has one id.
    pub fn new<'i>(identifiers: impl IntoIterator<Item = &'i str> + Clone) -> Self {
        let mut map = Self::default();
        for identifier in identifiers.clone() {
            if fits(identifier) {
                map.to.insert(identifier.to_owned(), identifier.to_owned());
                map.taken.insert(identifier.to_owned());
            }
        }
        for identifier in identifiers {
            if !map.to.contains_key(identifier) {
                let id = map.free(identifier);
                map.taken.insert(id.clone());
                map.to.insert(identifier.to_owned(), id);
            }
        }
        map
    }

    /// Creates a map to `PREFIX1`, `PREFIX2`, ... in the order of the list.
    pub fn numbered<'i>(prefix: &str, identifiers: impl IntoIterator<Item = &'i str>) -> Self {
        let mut map = Self::default();
        for identifier in identifiers {
            if !map.to.contains_key(identifier) {
                let id = format!("{prefix}{}", map.to.len() + 1);
                map.taken.insert(id.clone());
                map.to.insert(identifier.to_owned(), id);
            }
        }
        map
    }

    /// Returns the union of both maps; `self` has priority if an identifier is in both.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mut all = other.clone();
        all.to.extend(self.to.clone());
        all.taken.extend(self.taken.iter().cloned());
        all
    }

    fn free(&mut self, identifier: &str) -> String {
        let mut clean: String =
            identifier.chars().map(|c| if allowed(c) { c } else { '_' }).take(26).collect();
        if clean.is_empty() {
            clean.push('x');
        }
        if identifier.chars().count() <= 26 && !self.taken.contains(&clean) {
            return clean;
        }
        let next = self.next.entry(clean.clone()).or_insert(2);
        loop {
            let number = next.to_string();
            *next += 1;
            // Beyond 99,999, the number takes room from the text before it.
            clean.truncate(31 - number.len());
            let candidate = format!("{clean}_{number}");
            if !self.taken.contains(&candidate) {
                return candidate;
            }
        }
    }

    /// Returns the id for an identifier.
    pub fn get(&self, identifier: &str) -> Option<&str> {
        self.to.get(identifier).map(String::as_str)
    }

    /// Returns the identifiers that differ from their ids, with these ids, sorted by identifier.
    pub fn changed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.to.iter().filter(|(from, to)| from != to).map(|(from, to)| (from.as_str(), to.as_str()))
    }
}

/// Makes the ids of items unique within a bank: the second `q1` becomes `q1#2`, the third `q1#3`.
///
/// Ids from several files can collide, because each file numbers its own questions.
#[derive(Debug, Clone, Default)]
pub struct UniqueIds {
    taken: BTreeSet<String>,
    /// The next number to try for each id.
    next: BTreeMap<String, u64>,
}

impl UniqueIds {
    /// Reserves an id that is already in the bank.
    pub fn reserve(&mut self, id: &str) {
        if let Some((stem, number)) = id.rsplit_once('#')
            && let Ok(number) = number.parse::<u32>()
        {
            // Numbers beyond 32 bits are ignored here, so counting never overflows.
            let next = self.next.entry(stem.to_owned()).or_insert(2);
            *next = (*next).max(u64::from(number) + 1);
        }
        self.taken.insert(id.to_owned());
    }

    /// Returns the id of the next item: unchanged if it is unique, otherwise with `#` and a number of at least 2.
    pub fn enter(&mut self, id: &str) -> String {
        if self.taken.insert(id.to_owned()) {
            return id.to_owned();
        }
        let next = self.next.entry(id.to_owned()).or_insert(2);
        loop {
            let candidate = format!("{id}#{next}");
            *next += 1;
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

/// Returns the pieces of an identifier: runs of digits without leading zeros, and the text between them.
fn pieces(id: &str) -> impl Iterator<Item = (bool, &str)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut rest = id;
    std::iter::from_fn(move || {
        let number = rest.starts_with(is_digit);
        let end = rest.find(|c| is_digit(c) != number).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        let piece = if number { piece.trim_start_matches('0') } else { piece };
        (end > 0).then_some((number, piece))
    })
}

/// Compares identifiers in natural order: numbers of any length inside them count by their value.
pub(crate) fn natural_order(a: &str, b: &str) -> Ordering {
    // Of two numbers without leading zeros, the longer one is greater.
    let key = |(number, piece)| if number { (1, str::len(piece), piece) } else { (0, 0, piece) };
    pieces(a).map(key).cmp(pieces(b).map(key))
}

/// Returns the numbers in an identifier.
pub(crate) fn numbers(id: &str) -> impl Iterator<Item = &str> {
    pieces(id).filter_map(|(number, piece)| number.then_some(piece))
}

/// Returns whether the identifiers that contain numbers differ only in these numbers, and the numbers ascend.
pub(crate) fn are_numbered_in_order<'i>(ids: impl Iterator<Item = &'i str>) -> bool {
    let mut numbered = ids.filter(|id| numbers(id).next().is_some());
    let Some(mut last) = numbered.next() else { return false };
    let text = |id: &'i str| pieces(id).map(|(number, piece)| if number { "0" } else { piece });
    let mut count = 1;
    for id in numbered {
        if !text(last).eq(text(id)) || natural_order(last, id) != Ordering::Less {
            return false;
        }
        last = id;
        count += 1;
    }
    count > 1
}

fn allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

fn fits(identifier: &str) -> bool {
    (1..=32).contains(&identifier.len()) && identifier.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn valid_ids_are_kept_and_new_ids_are_distinct() {
        let map = IdMap::new(["a b", "a_b", "a.b", "", &"long".repeat(20)]);
        assert_eq!(map.get("a_b"), Some("a_b"));
        assert_eq!(map.get("a b"), Some("a_b_2"));
        assert_eq!(map.get("a.b"), Some("a_b_3"));
        assert_eq!(map.get(""), Some("x"));
        assert_eq!(map.changed().count(), 4);
    }

    #[test]
    fn numbers_in_identifiers_count_by_their_value() {
        for (less, more) in [
            ("step9a", "step10a"),
            ("a09b2", "a9b10"),
            ("n99999999999999999999", "n100000000000000000000"),
            ("a", "a1"),
            ("a", "b"),
        ] {
            assert_eq!(natural_order(less, more), Ordering::Less, "{less} {more}");
            assert_eq!(natural_order(more, less), Ordering::Greater, "{less} {more}");
        }
        for (ids, expected) in [
            (&["choice_0", "choice_1", "choice_10"][..], true),
            (&["3", "4", "none"], true),
            (&["9a", "10a"], true),
            (&["r1", "r3", "r2"], false),
            (&["a1", "b2"], false),
            (&["a", "b"], false),
            (&["a1"], false),
        ] {
            assert_eq!(are_numbered_in_order(ids.iter().copied()), expected, "{ids:?}");
        }
    }

    #[test]
    fn any_number_of_identifiers_has_ids() {
        let identifiers: Vec<String> = (0..120_000).map(|n| format!("{}{n}", "long".repeat(10))).collect();
        let map = IdMap::new(identifiers.iter().map(String::as_str));
        let ids: BTreeSet<&str> = identifiers.iter().filter_map(|one| map.get(one)).collect();
        assert!(ids.len() == identifiers.len() && ids.into_iter().all(fits));
    }

    #[test]
    fn ids_of_several_files_differ_and_continue_where_they_were() {
        let mut ids = UniqueIds::default();
        let given: Vec<String> = ["q1", "q1", "q1#3", "q1", "q2"].iter().map(|id| ids.enter(id)).collect();
        assert_eq!(given, ["q1", "q1#2", "q1#3", "q1#4", "q2"]);
        let mut continued = UniqueIds::default();
        given.iter().for_each(|id| continued.reserve(id));
        assert_eq!(continued.enter("q1"), ids.enter("q1"));
        let mut last = UniqueIds::default();
        last.reserve("q1#18446744073709551615");
        last.reserve("q2#4294967295");
        let given: Vec<String> = ["q1", "q1", "q2", "q2", "q2"].iter().map(|id| last.enter(id)).collect();
        assert_eq!(given, ["q1", "q1#2", "q2", "q2#4294967296", "q2#4294967297"]);
    }

    proptest! {
        #[test]
        fn ids_are_valid_and_distinct(identifiers in proptest::collection::btree_set(".{0,40}", 0..20)) {
            let map = IdMap::new(identifiers.iter().map(String::as_str));
            let ids: BTreeSet<&str> = identifiers.iter().filter_map(|one| map.get(one)).collect();
            prop_assert_eq!(ids.len(), identifiers.len());
            prop_assert!(ids.into_iter().all(fits));
        }
    }
}
