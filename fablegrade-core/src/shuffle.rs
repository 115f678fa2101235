//! The order of a view's items: sorted, or shuffled by the caller's seed. It does not depend on the key.

use fablegrade_public::json::Json;
use sha2::{Digest, Sha256};

/// The order of the parts of a view that can be shuffled.
pub(crate) enum Order<'a> {
    /// Sorted by their public content; for digests.
    Sorted,
    /// Shuffled by a permutation drawn from the seed, applied to the sorted order.
    Shuffled(&'a [u8]),
}

impl Order<'_> {
    /// Sorts `items` by their `public` content and shuffles them if there is a seed. `label` names the list.
    ///
    /// The permutation is Fisher-Yates over the sorted items, driven by SHA-256 in counter mode with
    /// rejection sampling. The hash covers the seed, the label and the sorted public content. The permutation
    /// is therefore unbiased and depends only on public data and the seed.
    pub(crate) fn apply<T>(&self, label: &str, items: &mut [T], public: impl Fn(&T) -> Json) {
        items.sort_by_cached_key(|item| public(item).to_canonical());
        let Self::Shuffled(seed) = self else { return };
        let mut hash = Sha256::new();
        for part in [b"fablegrade shuffle 1".as_slice(), seed, label.as_bytes()] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        for item in items.iter() {
            let text = public(item).to_canonical();
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        }
        let mut draw = Draw { key: hash.finalize().into(), counter: 0 };
        for last in (1..items.len()).rev() {
            items.swap(last, draw.below(last as u64 + 1) as usize);
        }
    }
}

struct Draw {
    key: [u8; 32],
    counter: u64,
}

impl Draw {
    /// Returns a uniform number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let block: [u8; 32] = Sha256::new()
                .chain_update(self.key)
                .chain_update(self.counter.to_be_bytes())
                .finalize()
                .into();
            self.counter += 1;
            for word in block.chunks_exact(8) {
                let number = word.iter().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
                if number < limit {
                    return number % bound;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(seed: &str, items: &[&'static str]) -> Vec<&'static str> {
        let mut items = items.to_vec();
        Order::Shuffled(seed.as_bytes()).apply("items", &mut items, |item| Json::from(*item));
        items
    }

    #[test]
    fn the_authors_order_does_not_matter() {
        assert_eq!(shuffled("s", &["a", "b", "c", "d"]), shuffled("s", &["d", "b", "a", "c"]));
    }

    #[test]
    fn every_permutation_comes_up_about_equally_often() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..6_000 {
            *counts.entry(shuffled(&seed.to_string(), &["a", "b", "c"])).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 6);
        // 1,000 expected; the standard deviation is about 29.
        assert!(counts.values().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }
}
