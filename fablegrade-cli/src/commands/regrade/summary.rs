//! The changes of a regrade, by item.

use std::collections::BTreeMap;
use std::io::{self, Write};

use fablegrade_core::Verdict;
use fablegrade_core::json::Json;
use fablegrade_core::request::Regraded;

use crate::console::{NAME, QUIET, plain};

/// Verdicts in their order of declaration.
pub(super) const VERDICTS: [Verdict; 5] =
    [Verdict::Correct, Verdict::Partial, Verdict::Incorrect, Verdict::Pending, Verdict::Error];

/// The counts of one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Item {
    /// The number of attempts that both banks graded.
    pub(super) attempts: u64,
    /// The number of attempts with a different verdict or score.
    pub(super) changed: u64,
    /// The number of attempts with a higher score. A missing score counts as 0.
    pub(super) gained: u64,
    /// The number of attempts with a lower score. A missing score counts as 0.
    pub(super) lost: u64,
    /// The number of attempts by verdict before and verdict after.
    pub(super) verdicts: [[u64; 5]; 5],
}

/// Counts by item. The order of adding and merging does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) items: BTreeMap<String, Item>,
}

impl Summary {
    pub(super) fn add(&mut self, regraded: &Regraded) {
        let Regraded { item, before: (before, _), after: (after, _) } = regraded;
        let counts = match self.items.get_mut(item) {
            Some(counts) => counts,
            None => self.items.entry(item.clone()).or_default(),
        };
        counts.attempts += 1;
        counts.changed += u64::from(regraded.is_changed());
        let (old, new) = (before.score.unwrap_or(0.0), after.score.unwrap_or(0.0));
        counts.gained += u64::from(new > old);
        counts.lost += u64::from(new < old);
        counts.verdicts[before.verdict as usize][after.verdict as usize] += 1;
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (id, more) in other.items {
            let counts = self.items.entry(id).or_default();
            counts.attempts += more.attempts;
            counts.changed += more.changed;
            counts.gained += more.gained;
            counts.lost += more.lost;
            for (row, added) in counts.verdicts.iter_mut().zip(more.verdicts) {
                row.iter_mut().zip(added).for_each(|(count, more)| *count += more);
            }
        }
    }

    /// Returns the number of attempts with a different result.
    pub(super) fn changed(&self) -> u64 {
        self.items.values().map(|item| item.changed).sum()
    }

    /// Returns the summary as JSON: `{attempts, changed, refused, items}`, with `items` by id.
    ///
    /// An item is `{attempts, changed, gained, lost, verdicts: {before: {after: count}}}`. Verdicts with a
    /// count of 0 are left out.
    pub(super) fn to_json(&self, refused: u64) -> Json {
        let items = self.items.iter().map(|(id, item)| {
            let verdicts = item.moves().fold(BTreeMap::new(), |mut all, (before, after, count)| {
                all.entry(before.as_str())
                    .or_insert_with(Vec::new)
                    .push((after.as_str().into(), Json::from(count)));
                all
            });
            let verdicts =
                verdicts.into_iter().map(|(before, after)| (before.into(), Json::object(after))).collect();
            let counts = Json::build()
                .with("attempts", item.attempts)
                .with("changed", item.changed)
                .with("gained", item.gained)
                .with("lost", item.lost)
                .with("verdicts", Json::object(verdicts));
            (id.as_str().into(), counts.build())
        });
        Json::build()
            .with("attempts", self.items.values().map(|item| item.attempts).sum::<u64>())
            .with("changed", self.changed())
            .with("refused", refused)
            .with("items", Json::object(items.collect()))
            .build()
    }

    /// Writes the items whose results changed, and the totals.
    pub(super) fn write_text(&self, out: &mut impl Write, refused: u64) -> io::Result<()> {
        let changed = || self.items.iter().filter(|(_, item)| item.changed > 0);
        let width = changed().map(|(id, _)| plain(id).chars().count()).max().unwrap_or(0).min(40);
        for (id, item) in changed() {
            writeln!(
                out,
                "{NAME}{:width$}{NAME:#}  {} of {} changed, {} gained, {} lost  {QUIET}{}{QUIET:#}",
                plain(id),
                item.changed,
                item.attempts,
                item.gained,
                item.lost,
                item.moves_text()
            )?;
        }
        let attempts: u64 = self.items.values().map(|item| item.attempts).sum();
        let items = changed().count();
        writeln!(
            out,
            "{} of {attempts} results changed, in {items} of {} items",
            self.changed(),
            self.items.len()
        )?;
        if refused > 0 {
            let lines = if refused == 1 { "line" } else { "lines" };
            writeln!(out, "{refused} {lines} could not be graded with at least one of the banks")?;
        }
        Ok(())
    }
}

impl Item {
    /// Returns the changes between verdicts, with their counts: `2 incorrect to correct, 1 ...`.
    pub(super) fn moves_text(&self) -> String {
        let moves: Vec<String> = (self.moves())
            .filter(|(before, after, _)| before != after)
            .map(|(before, after, count)| format!("{count} {} to {}", before.as_str(), after.as_str()))
            .collect();
        moves.join(", ")
    }

    /// Returns the counts by verdict before and after, without zeros.
    pub(super) fn moves(&self) -> impl Iterator<Item = (Verdict, Verdict, u64)> {
        VERDICTS
            .into_iter()
            .flat_map(move |before| {
                let row = self.verdicts[before as usize];
                VERDICTS.into_iter().map(move |after| (before, after, row[after as usize]))
            })
            .filter(|(_, _, count)| *count > 0)
    }
}
