//! A map from names to values with fast look-up and a sorted view.

use std::hash::BuildHasher as _;

use hashbrown::{DefaultHashBuilder, HashTable};

/// A map from names to values. Look-up takes one hash. Equality and [`Interned::sorted`] do not depend on the
/// order of insertion.
#[derive(Debug, Clone)]
pub(crate) struct Interned<T> {
    indices: HashTable<u32>,
    hasher: DefaultHashBuilder,
    entries: Vec<(Box<str>, T)>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self { indices: HashTable::new(), hasher: DefaultHashBuilder::default(), entries: Vec::new() }
    }
}

impl<T: Default> Interned<T> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        let same = |&index: &u32| *self.entries[index as usize].0 == *name;
        self.indices.find(self.hasher.hash_one(name), same).map(|&index| index as usize)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.index_of(name).map(|index| &self.entries[index].1)
    }

    /// Returns the value of a name, which is added if it is new.
    pub(crate) fn of(&mut self, name: &str) -> &mut T {
        let index = self.intern(name);
        &mut self.entries[index].1
    }

    /// Returns the index of a name, which is added if it is new. The callers' limits keep the number below
    /// 2³².
    pub(crate) fn intern(&mut self, name: &str) -> usize {
        if let Some(index) = self.index_of(name) {
            return index;
        }
        let index = self.entries.len();
        self.entries.push((name.into(), T::default()));
        let (hasher, entries) = (&self.hasher, &self.entries);
        let hash = |&index: &u32| hasher.hash_one(&*entries[index as usize].0);
        self.indices.insert_unique(hasher.hash_one(name), index as u32, hash);
        index
    }

    pub(crate) fn at(&mut self, index: usize) -> &mut T {
        &mut self.entries[index].1
    }

    /// Removes all names except the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        if len < self.entries.len() {
            self.indices.retain(|index| (*index as usize) < len);
            self.entries.truncate(len);
        }
    }

    /// Returns all names with their values, in the order of the names' bytes.
    pub(crate) fn sorted(&self) -> Vec<(&str, &T)> {
        let mut all: Vec<(&str, &T)> = self.entries.iter().map(|(name, value)| (&**name, value)).collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }
}

impl<T: Default + PartialEq> PartialEq for Interned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl<T: Default + Eq> Eq for Interned<T> {}
