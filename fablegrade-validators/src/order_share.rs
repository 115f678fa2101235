//! Shares that a partly right order earns relative to one right order.
//!
//! An answer is a list of the positions that its items have in the right order of `n` items.

/// The kind of share that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// Items that the right item follows, or nothing after the last one: of `n`.
    Successors,
    /// Right neighbours before and after each item, where nothing before the first and after the last counts too: of `2n`.
    Neighbours,
    /// Pairs of items in the right order: of `n(n-1)/2`.
    Pairs,
    /// The longest right subsequence, if it has two items or more: of `n`.
    LongestSubset,
    /// The longest subsequence of items that follow each other in the right order, if it has two or more: of `n`.
    LongestChain,
}

impl Share {
    /// Returns the points of an answer, and of how many. `O(n²)`.
    pub(crate) fn of(self, places: &[usize], count: usize) -> (usize, usize) {
        let least_two = |length: usize| if length < 2 { 0 } else { length };
        // Neighbours in the answer that are neighbours in the right order.
        let together = places.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
        let first = usize::from(places.first() == Some(&0));
        let last = usize::from(places.last() == Some(&(count - 1)));
        match self {
            Self::Successors => (together + last, count),
            Self::Neighbours => (2 * together + first + last, 2 * count),
            Self::Pairs => {
                let right = |(index, place): (usize, &usize)| {
                    places[..index].iter().filter(|one| *one < place).count()
                };
                (places.iter().enumerate().map(right).sum(), count * (count - 1) / 2)
            }
            Self::LongestSubset => {
                let mut lengths: Vec<usize> = Vec::with_capacity(places.len());
                for (index, place) in places.iter().enumerate() {
                    let before = (0..index).filter(|one| places[*one] < *place).map(|one| lengths[one]).max();
                    lengths.push(before.unwrap_or(0) + 1);
                }
                (least_two(lengths.into_iter().max().unwrap_or(0)), count)
            }
            Self::LongestChain => {
                let mut ending = vec![0usize; count];
                for &place in places {
                    ending[place] = 1 + if place > 0 { ending[place - 1] } else { 0 };
                }
                (least_two(ending.into_iter().max().unwrap_or(0)), count)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Share::{self, LongestChain, LongestSubset, Neighbours, Pairs, Successors};

    #[test]
    fn shares_of_small_orders() {
        type Shares = [(usize, usize); 5];
        let table: &[(&[usize], Shares)] = &[
            (&[0, 1, 2, 3], [(4, 4), (8, 8), (6, 6), (4, 4), (4, 4)]),
            (&[3, 2, 1, 0], [(0, 4), (0, 8), (0, 6), (0, 4), (0, 4)]),
            // 0 follows 2 here, and 1 follows 0; the chain 0 1 is longest, the subsequence 0 1 3 is longer.
            (&[2, 0, 1, 3], [(2, 4), (3, 8), (4, 6), (3, 4), (2, 4)]),
            // Items of a chain need not be side by side.
            (&[0, 2, 1, 3], [(1, 4), (2, 8), (5, 6), (3, 4), (2, 4)]),
            // An unfinished answer.
            (&[1], [(0, 4), (0, 8), (0, 6), (0, 4), (0, 4)]),
        ];
        for (places, expected) in table {
            let kinds: [Share; 5] = [Successors, Neighbours, Pairs, LongestSubset, LongestChain];
            let found: Vec<_> = kinds.iter().map(|kind| kind.of(places, 4)).collect();
            assert_eq!(found, expected, "{places:?}");
        }
    }
}
