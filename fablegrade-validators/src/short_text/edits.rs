//! Edit distance with a limit.

/// Returns the edit distance between two texts; `None` if it exceeds `limit`.
///
/// An edit inserts, removes or replaces a character, or swaps two neighbours (optimal string alignment: no part is
/// edited twice). Only a band around the diagonal is computed: `O(limit * length)` time, `O(length)` memory.
pub(super) fn distance_within(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let far = limit + 1;
    // The last three rows of the table: `i - 2`, `i - 1` and `i`.
    let mut rows = [vec![far; b.len() + 1], vec![far; b.len() + 1], vec![far; b.len() + 1]];
    for (column, cell) in rows[1].iter_mut().enumerate() {
        *cell = column.min(far);
    }
    for i in 1..=a.len() {
        let [before, last, row] = &mut rows;
        let (from, to) = (i.saturating_sub(limit), (i + limit).min(b.len()));
        row[0] = i.min(far);
        let mut least = row[0];
        if from > 1 {
            row[from - 1] = far;
        }
        for j in from.max(1)..=to {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best.min(far);
            least = least.min(row[j]);
        }
        if to < b.len() {
            row[to + 1] = far;
        }
        if least > limit {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][b.len()]).filter(|edits| *edits <= limit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::distance_within;

    /// Returns the distance from the whole textbook table, without a band.
    fn whole_table(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (i, row) in table.iter_mut().enumerate() {
            row[0] = i;
        }
        table[0] = (0..=b.len()).collect();
        for i in 1..=a.len() {
            for j in 1..=b.len() {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let mut best =
                    (table[i - 1][j - 1] + change).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(table[i - 2][j - 2] + 1);
                }
                table[i][j] = best;
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn the_band_finds_what_the_whole_table_has(a in "[abc]{0,9}", b in "[abc]{0,9}", limit in 0usize..7) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let whole = whole_table(&a, &b);
            prop_assert_eq!(distance_within(&a, &b, limit), (whole <= limit).then_some(whole));
        }
    }
}
