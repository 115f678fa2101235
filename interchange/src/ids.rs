//! Conversion of foreign identifiers to ids (1 to 32 characters of `A-Z a-z 0-9 - _`), and unique item ids in a bank.

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
            // Larger numbers are not continued, so counting from here never overflows.
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
