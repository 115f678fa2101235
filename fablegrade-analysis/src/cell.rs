//! Sums for one answer to one item, kept until they are added to the sums of the item, its options and its
//! texts.
//!
//! A repeated answer adds to one cell only.

use hashbrown::HashMap;

use crate::accumulator::ItemSums;
use crate::sitting::{AnswerState, Given};

/// Maximum number of cells.
pub(crate) const MAX_CELLS: usize = 8_192;
/// Maximum number of distinct rest scores that a cell keeps. A table of this many has 512 buckets of 17 bytes, so
/// the tables of all cells take at most 75 MB.
const MAX_RESTS: usize = 448;

/// An answer, and its rest scores since it was last added to its item.
///
/// A cell is created after a sitting with the answer was added. From then on, the item and its options have
/// fixed indices.
pub(crate) struct Cell {
    /// The index of the item.
    pub(crate) item: u32,
    /// The indices of the selected options in the item.
    options: Box<[u32]>,
    has_options: bool,
    text: Option<Box<str>>,
    state: AnswerState,
    score: i64,
    rests: HashMap<i64, u64>,
}

impl Cell {
    /// Returns a cell for an answer that was added to `sums`. `None` if the answer is not graded yet.
    pub(crate) fn of(answer: &Given<'_>, item: u32, sums: &ItemSums) -> Option<Self> {
        let score = answer.state.score()?;
        let indices: Option<Box<[u32]>> =
            answer.options().map(|option| sums.options.index_of(option).map(|index| index as u32)).collect();
        let text = answer.text.map(Box::from);
        let (has_options, state) = (answer.has_options, answer.state);
        Some(Self { item, options: indices?, has_options, text, state, score, rests: HashMap::new() })
    }

    pub(crate) fn score(&self) -> i64 {
        self.score
    }

    /// Counts the answer again, with this rest score. `sums` are those of its item.
    pub(crate) fn add(&mut self, rest: i64, sums: &mut ItemSums) {
        *self.rests.entry(rest).or_default() += 1;
        // One more would double the table.
        if self.rests.len() >= MAX_RESTS {
            self.empty_into(sums);
        }
    }

    /// Adds the counted answers to the sums of their item.
    pub(crate) fn empty_into(&mut self, sums: &mut ItemSums) {
        for (rest, times) in self.rests.drain() {
            let many = i128::from(rest) * i128::from(times);
            sums.count(self.state, self.score, rest, times);
            sums.with_options += if self.has_options { times } else { 0 };
            for &index in &self.options {
                let option = sums.options.at(index as usize);
                option.count += times;
                option.rest_sum += many;
                option.rest.add(rest, times);
            }
            if let Some(text) = &self.text {
                sums.texts.add(text, self.state, self.score, rest, times);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sitting::{Answer, Score, Sitting};

    #[test]
    fn a_cell_keeps_no_more_rest_scores_than_its_table_holds() {
        let mut sitting = Sitting::new();
        sitting.push(&Answer::scored("a", Score::from_points(1)));
        let mut sums = ItemSums::default();
        let given = sitting.answers().next().unwrap();
        let mut cell = Cell::of(&given, 0, &sums).unwrap();
        for rest in 0..10_000 {
            cell.add(rest, &mut sums);
            assert!(cell.rests.len() < MAX_RESTS);
        }
        assert_eq!(cell.rests.capacity(), MAX_RESTS);
        assert!(cell.rests.allocation_size() <= 75_000_000 / MAX_CELLS);
        cell.empty_into(&mut sums);
        assert_eq!(sums.pairs.count, 10_000);
    }
}
