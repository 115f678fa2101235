//! Sums for one answer to one item, kept until they are added to the sums of the item, its options and its
//! texts.
//!
//! An answer that many learners give is thus counted in one place.

use hashbrown::HashMap;

use crate::accumulator::ItemSums;
use crate::sitting::{Given, Outcome};

/// Maximum number of cells.
pub(crate) const MAX_CELLS: usize = 8_192;
/// Maximum number of distinct rest scores that a cell keeps. With this limit, all cells take at most 150 MB.
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
    text: Option<Box<str>>,
    outcome: Outcome,
    score: i64,
    rests: HashMap<i64, u64>,
}

impl Cell {
    /// Returns a cell for an answer that was added to `sums`. `None` if the answer is not graded yet.
    pub(crate) fn of(answer: &Given<'_>, item: u32, sums: &ItemSums) -> Option<Self> {
        let score = answer.outcome.score()?;
        let indices: Option<Box<[u32]>> =
            answer.options().map(|option| sums.options.index_of(option).map(|index| index as u32)).collect();
        let text = answer.text.map(Box::from);
        Some(Self { item, options: indices?, text, outcome: answer.outcome, score, rests: HashMap::new() })
    }

    pub(crate) fn score(&self) -> i64 {
        self.score
    }

    /// Counts the answer again, with this rest score. `sums` are those of its item.
    pub(crate) fn add(&mut self, rest: i64, sums: &mut ItemSums) {
        *self.rests.entry(rest).or_default() += 1;
        if self.rests.len() > MAX_RESTS {
            self.empty_into(sums);
        }
    }

    /// Adds the counted answers to the sums of their item.
    pub(crate) fn empty_into(&mut self, sums: &mut ItemSums) {
        for (rest, times) in self.rests.drain() {
            let many = i128::from(rest) * i128::from(times);
            sums.count(self.outcome, self.score, rest, times);
            for &index in &self.options {
                let option = sums.options.at(index as usize);
                option.count += times;
                option.rest_sum += many;
                option.rest.add(rest, times);
            }
            if let Some(text) = &self.text {
                sums.texts.add(text, self.outcome, self.score, rest, times);
            }
        }
    }
}
