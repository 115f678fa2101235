//! Shares of the score for a partly right order, relative to the only right order.
//!
//! An answer lists its items as their positions in the right order of `n` items.

/// The rule that counts the points of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// Items directly followed by the right item, and the last item at the end; at most `n`.
    Successors,
    /// Right neighbours before and after each item, and the first and last item at their ends; at most `2n`.
    Neighbours,
    /// Pairs of items in the right order; at most `n(n-1)/2`.
    Pairs,
    /// The length of the longest subsequence in the right order, if it is at least two; at most `n`.
    LongestSubset,
    /// The length of the longest subsequence that is contiguous in the right order, if it is at least two; at most `n`.
    LongestChain,
}

impl Share {
    /// Returns the points of an answer and their maximum, in `O(n²)`.
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
            // Of the neighbours, only 0 1 is right; it is also a longest chain. The longest subset is 0 1 3.
            (&[2, 0, 1, 3], [(2, 4), (3, 8), (4, 6), (3, 4), (2, 4)]),
            // The items of a chain need not be neighbours in the answer: 0 1 and 2 3 are chains.
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
