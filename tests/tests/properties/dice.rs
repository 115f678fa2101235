//! A tape of choices: proptest draws and shrinks the tape, and the generators read it.

use proptest::prelude::*;

/// A tape of choices. After its end, every choice is the first option.
#[derive(Debug, Clone)]
pub(crate) struct Dice {
    tape: Vec<u16>,
    at: usize,
}

impl Dice {
    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let drawn = self.tape.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(drawn) % bound.max(1)
    }

    /// Returns a number from `low` to `high`, both inclusive.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    pub(crate) fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

/// Generates dice with a tape of up to `length` choices.
pub(crate) fn dice(length: usize) -> impl Strategy<Value = Dice> {
    proptest::collection::vec(any::<u16>(), 0..length).prop_map(|tape| Dice { tape, at: 0 })
}
