//! Identifiers of other systems in our alphabet: 1 to 32 of `A-Z a-z 0-9 - _`.

use std::collections::{BTreeMap, BTreeSet};

/// Assigns ids of our alphabet; those that fit already stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdMap {
    to: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

impl IdMap {
    /// A map for these identifiers. Those that fit keep their spelling, whatever the order; the same list gives the same
    /// map. An identifier that occurs twice has one id.
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

    /// A map to `PREFIX1`, `PREFIX2`, .. in the order of the list.
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

    /// The pairs of both maps; those of `self` where an identifier is in both.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mut all = other.clone();
        all.to.extend(self.to.clone());
        all.taken.extend(self.taken.iter().cloned());
        all
    }

    fn free(&self, identifier: &str) -> String {
        let clean: String = identifier.chars().map(|c| if allowed(c) { c } else { '_' }).take(26).collect();
        let clean = if clean.is_empty() { "x".to_owned() } else { clean };
        if identifier.chars().count() <= 26 && !self.taken.contains(&clean) {
            return clean;
        }
        let mut number = 2usize;
        loop {
            let candidate = format!("{clean}_{number}");
            if candidate.len() <= 32 && !self.taken.contains(&candidate) {
                return candidate;
            }
            number += 1;
        }
    }

    /// The id of an identifier.
    pub fn get(&self, identifier: &str) -> Option<&str> {
        self.to.get(identifier).map(String::as_str)
    }

    /// The pairs that differ, sorted by identifier.
    pub fn changed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.to.iter().filter(|(from, to)| from != to).map(|(from, to)| (from.as_str(), to.as_str()))
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
    fn what_fits_stays_and_nothing_meets() {
        let map = IdMap::new(["a b", "a_b", "a.b", "", &"long".repeat(20)]);
        assert_eq!(map.get("a_b"), Some("a_b"));
        assert_eq!(map.get("a b"), Some("a_b_2"));
        assert_eq!(map.get("a.b"), Some("a_b_3"));
        assert_eq!(map.get(""), Some("x"));
        assert_eq!(map.changed().count(), 4);
    }

    proptest! {
        #[test]
        fn ids_are_ours_and_differ(identifiers in proptest::collection::btree_set(".{0,40}", 0..20)) {
            let map = IdMap::new(identifiers.iter().map(String::as_str));
            let ids: BTreeSet<&str> = identifiers.iter().filter_map(|one| map.get(one)).collect();
            prop_assert_eq!(ids.len(), identifiers.len());
            prop_assert!(ids.into_iter().all(fits));
        }
    }
}
