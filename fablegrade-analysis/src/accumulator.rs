//! Exact sums over sittings.

use std::collections::BTreeSet;
use std::fmt;

use crate::cell::Cell;
use crate::distribution::Distribution;
use crate::exact::{Pairs, Powers};
use crate::interned::Interned;
use crate::sitting::{Answer, AnswerState, Given, MAX_POINTS, MAX_TEXT, Sitting, UNIT};

/// Maximum number of answers in a sitting.
pub const MAX_ANSWERS: usize = 1_000;
/// Maximum number of sittings.
pub const MAX_SITTINGS: u64 = 1 << 40;
/// Maximum number of items.
pub const MAX_ITEMS: usize = 65_536;
/// Maximum number of options of an item.
pub const MAX_OPTIONS: usize = 4_096;
/// Maximum length of the name of an item or option in bytes.
pub const MAX_NAME: usize = 1_024;
/// Maximum number of distinct answers that are kept for an item.
pub const MAX_TEXTS: usize = 16_384;

/// The reason why sittings were rejected. No part of them was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    /// Two answers to the same item. Keep only the one that counts.
    Repeated(String),
    /// More than [`MAX_ANSWERS`] answers.
    TooLong,
    /// A score of more than [`MAX_POINTS`] in absolute value.
    TooLarge(String),
    /// More than [`MAX_SITTINGS`] sittings.
    TooManySittings,
    /// More than [`MAX_ITEMS`] items.
    TooManyItems,
    /// More than [`MAX_OPTIONS`] options of an item.
    TooManyOptions(String),
    /// A name longer than [`MAX_NAME`] bytes, of which this is the beginning.
    LongName(String),
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated(item) => {
                write!(f, "two answers to the item {item:?} in one sitting; keep the one that counts")
            }
            Self::TooLong => write!(f, "more than {MAX_ANSWERS} answers in one sitting; split the test"),
            Self::TooLarge(item) => {
                write!(f, "more than {MAX_POINTS} points for the item {item:?}; scale the scores")
            }
            Self::TooManySittings => write!(f, "more than {MAX_SITTINGS} sittings; split them"),
            Self::TooManyItems => write!(f, "more than {MAX_ITEMS} items; analyse the tests by themselves"),
            Self::TooManyOptions(item) => {
                write!(f, "more than {MAX_OPTIONS} options of the item {item:?}; give fewer")
            }
            Self::LongName(start) => {
                write!(f, "the name that starts with {start:?} has more than {MAX_NAME} bytes; shorten it")
            }
        }
    }
}

impl std::error::Error for Rejected {}

/// The sums of one option.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OptionSums {
    pub(crate) count: u64,
    pub(crate) rest_sum: i128,
    pub(crate) rest: Distribution,
}

/// The sums of one written answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TextSums {
    pub(crate) count: u64,
    pub(crate) refused: u64,
    pub(crate) score_sum: i128,
    pub(crate) rest_sum: i128,
}

/// The written answers of an item, by spelling.
///
/// All of them are dropped once there are too many distinct ones. The sums are therefore the same for any
/// split and order of the sittings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) kept: Option<Interned<TextSums>>,
    /// The number of answers longer than [`MAX_TEXT`].
    pub(crate) long: u64,
}

impl Default for Texts {
    fn default() -> Self {
        Self { kept: Some(Interned::default()), long: 0 }
    }
}

impl Texts {
    pub(crate) fn add(&mut self, text: &str, state: AnswerState, score: i64, rest: i64, times: u64) {
        if text.len() > MAX_TEXT {
            self.long += times;
            return;
        }
        let Some(kept) = &mut self.kept else { return };
        let sums = kept.of(text);
        sums.count += times;
        sums.refused += if state == AnswerState::Refused { times } else { 0 };
        sums.score_sum += i128::from(score) * i128::from(times);
        sums.rest_sum += i128::from(rest) * i128::from(times);
        self.limit();
    }

    fn merge(&mut self, other: &Self) {
        self.long += other.long;
        let (Some(kept), Some(more)) = (&mut self.kept, &other.kept) else {
            self.kept = None;
            return;
        };
        for (text, more) in more.iter() {
            let sums = kept.of(text);
            sums.count += more.count;
            sums.refused += more.refused;
            sums.score_sum += more.score_sum;
            sums.rest_sum += more.rest_sum;
        }
        self.limit();
    }

    fn limit(&mut self) {
        if self.kept.as_ref().is_some_and(|kept| kept.len() > MAX_TEXTS) {
            self.kept = None;
        }
    }
}

/// The sums of one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ItemSums {
    /// Pairs of scores and rest scores.
    pub(crate) pairs: Pairs,
    pub(crate) scores: Distribution,
    pub(crate) rests: Distribution,
    pub(crate) blank: u64,
    pub(crate) refused: u64,
    pub(crate) pending: u64,
    pub(crate) timed: u64,
    pub(crate) millis: u128,
    /// The number of scored answers whose options are known.
    pub(crate) with_options: u64,
    pub(crate) options: Interned<OptionSums>,
    pub(crate) texts: Texts,
}

/// The sums of any number of sittings. [`Accumulator::merge`] is associative and commutative.
#[derive(Debug, Clone, Default)]
pub struct Accumulator {
    pub(crate) items: Interned<ItemSums>,
    pub(crate) totals: Powers,
    pub(crate) total_scores: Distribution,
    /// The indices of a sitting's items, and of all their options in sequence. The memory is reused for each
    /// sitting.
    item_indices: Vec<u32>,
    option_indices: Vec<u32>,
    /// For each item, the stamp of the last sitting that contains it, to detect repeated items.
    stamps: Vec<u64>,
    stamp: u64,
}

impl PartialEq for Accumulator {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items && self.totals == other.totals && self.total_scores == other.total_scores
    }
}

impl Eq for Accumulator {}

/// The index of an option that its item does not have yet.
const NEW: u32 = u32::MAX;

/// Returns the beginning of a name that is too long.
fn start_of(name: &str) -> String {
    name.chars().take(40).collect()
}

impl Accumulator {
    /// Creates an accumulator without sittings.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn of_sums(items: Interned<ItemSums>, totals: Powers, total_scores: Distribution) -> Self {
        let stamps = vec![0; items.len()];
        Self { items, totals, total_scores, stamps, ..Self::default() }
    }

    /// Returns the number of sittings.
    pub fn sittings(&self) -> u64 {
        self.totals.count
    }

    /// Adds all answers of one learner in one test, as [`Accumulator::add_sitting`] does.
    ///
    /// # Errors
    /// Returns the reason if the sitting is invalid. Nothing is added then.
    pub fn add(&mut self, answers: &[Answer<'_>]) -> Result<(), Rejected> {
        let mut sitting = Sitting::new();
        answers.iter().for_each(|answer| sitting.push(answer));
        self.add_sitting(&sitting)
    }

    /// Adds a sitting. Takes time linear in the number of its answers and options.
    ///
    /// # Errors
    /// Returns the reason if the sitting is invalid. Nothing is added then.
    pub fn add_sitting(&mut self, sitting: &Sitting) -> Result<(), Rejected> {
        self.add_with(sitting, &mut Vec::new())
    }

    /// Works like [`Accumulator::add_sitting`], but counts an answer that has a cell in `cells` in that cell.
    pub(crate) fn add_with(&mut self, sitting: &Sitting, cells: &mut [Option<Cell>]) -> Result<(), Rejected> {
        if sitting.len() > MAX_ANSWERS {
            return Err(Rejected::TooLong);
        }
        if self.totals.count == MAX_SITTINGS {
            return Err(Rejected::TooManySittings);
        }
        let before = self.items.len();
        let total = self.check(sitting, cells).inspect_err(|_| {
            self.items.truncate(before);
            self.stamps.truncate(before);
        })?;
        self.totals.add(total);
        self.total_scores.add(total, 1);
        let mut option_indices = self.option_indices.as_slice();
        for (answer, &index) in sitting.answers().zip(&self.item_indices) {
            let sums = self.items.at(index as usize);
            sums.add_time(answer.millis);
            match answer.cell_in(cells) {
                Some(Some(cell)) => cell.add(total - cell.score(), sums),
                Some(cell) => {
                    sums.add(&answer, total, &mut option_indices);
                    *cell = Cell::of(&answer, index, sums);
                }
                None => sums.add(&answer, total, &mut option_indices),
            }
        }
        Ok(())
    }

    /// Finds the indices of the items and options, and computes the total score.
    fn check(&mut self, sitting: &Sitting, cells: &mut [Option<Cell>]) -> Result<i64, Rejected> {
        self.item_indices.clear();
        self.option_indices.clear();
        self.stamp += 1;
        let mut total = 0;
        for answer in sitting.answers() {
            if let Some(Some(cell)) = answer.cell_in(cells) {
                if std::mem::replace(&mut self.stamps[cell.item as usize], self.stamp) == self.stamp {
                    return Err(Rejected::Repeated(answer.item.into()));
                }
                total += cell.score();
                self.item_indices.push(cell.item);
                continue;
            }
            if answer.item.len() > MAX_NAME {
                return Err(Rejected::LongName(start_of(answer.item)));
            }
            let index = self.items.intern(answer.item);
            self.stamps.resize(self.items.len(), 0);
            if self.items.len() > MAX_ITEMS {
                return Err(Rejected::TooManyItems);
            }
            if std::mem::replace(&mut self.stamps[index], self.stamp) == self.stamp {
                return Err(Rejected::Repeated(answer.item.into()));
            }
            let score = answer.state.score().unwrap_or(0);
            if score.unsigned_abs() > (i64::from(MAX_POINTS) * UNIT).unsigned_abs() {
                return Err(Rejected::TooLarge(answer.item.into()));
            }
            let sums = self.items.at(index);
            let mut new = BTreeSet::new();
            for option in answer.options() {
                let index = sums.options.index_of(option);
                self.option_indices.push(index.map_or(NEW, |index| index as u32));
                if index.is_some() {
                    continue;
                }
                if option.len() > MAX_NAME {
                    return Err(Rejected::LongName(start_of(option)));
                }
                new.insert(option);
            }
            if sums.options.len() + new.len() > MAX_OPTIONS {
                return Err(Rejected::TooManyOptions(answer.item.into()));
            }
            total += score;
            self.item_indices.push(index as u32);
        }
        Ok(total)
    }

    /// Adds all sittings of another accumulator. Takes time linear in that accumulator's size.
    ///
    /// # Errors
    /// Returns the limit that both together exceed. Nothing is added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), Rejected> {
        if self.totals.count + other.totals.count > MAX_SITTINGS {
            return Err(Rejected::TooManySittings);
        }
        let new = other.items.iter().filter(|(item, _)| self.items.index_of(item).is_none()).count();
        if self.items.len() + new > MAX_ITEMS {
            return Err(Rejected::TooManyItems);
        }
        for (item, more) in other.items.iter() {
            let Some(sums) = self.items.get(item) else { continue };
            let new =
                more.options.iter().filter(|(option, _)| sums.options.index_of(option).is_none()).count();
            if sums.options.len() + new > MAX_OPTIONS {
                return Err(Rejected::TooManyOptions(item.into()));
            }
        }
        self.totals.merge(&other.totals);
        self.total_scores.merge(&other.total_scores);
        for (item, more) in other.items.iter() {
            self.items.of(item).merge(more);
        }
        self.stamps.resize(self.items.len(), 0);
        Ok(())
    }
}

impl ItemSums {
    /// Adds an answer, and removes the indices of its options from the front of `indices`.
    fn add(&mut self, answer: &Given<'_>, total: i64, indices: &mut &[u32]) {
        let (mine, others) = indices.split_at(answer.options().len());
        *indices = others;
        let Some(score) = answer.state.score() else {
            self.pending += 1;
            return;
        };
        let rest = total - score;
        self.count(answer.state, score, rest, 1);
        self.with_options += u64::from(answer.has_options);
        for (option, &index) in answer.options().zip(mine) {
            let sums = if index == NEW { self.options.of(option) } else { self.options.at(index as usize) };
            sums.count += 1;
            sums.rest_sum += i128::from(rest);
            sums.rest.add(rest, 1);
        }
        if let Some(text) = answer.text {
            self.texts.add(text, answer.state, score, rest, 1);
        }
    }

    fn add_time(&mut self, millis: Option<u32>) {
        if let Some(millis) = millis {
            self.timed += 1;
            self.millis += u128::from(millis);
        }
    }

    /// Adds a state `times` times, without its options and its text.
    pub(crate) fn count(&mut self, state: AnswerState, score: i64, rest: i64, times: u64) {
        self.pairs.add(score, rest, times);
        self.scores.add(score, times);
        self.rests.add(rest, times);
        match state {
            AnswerState::Blank => self.blank += times,
            AnswerState::Refused => self.refused += times,
            AnswerState::Scored(_) | AnswerState::Pending => {}
        }
    }

    fn merge(&mut self, other: &Self) {
        self.pairs.merge(&other.pairs);
        self.scores.merge(&other.scores);
        self.rests.merge(&other.rests);
        self.blank += other.blank;
        self.refused += other.refused;
        self.pending += other.pending;
        self.timed += other.timed;
        self.millis += other.millis;
        self.with_options += other.with_options;
        for (option, more) in other.options.iter() {
            let sums = self.options.of(option);
            sums.count += more.count;
            sums.rest_sum += more.rest_sum;
            sums.rest.merge(&more.rest);
        }
        self.texts.merge(&other.texts);
    }
}
