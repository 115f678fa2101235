//! Suggestions for misspelled names.

/// The maximum length of a name that is compared, in bytes.
const LONGEST: usize = 64;

/// Returns the candidate closest to a name. The number of edits may be at most a third of the candidate's
/// length, but one edit is always allowed. Ignores case.
pub fn nearest<'c>(name: &str, candidates: &[&'c str]) -> Option<&'c str> {
    if name.len() > LONGEST {
        return None;
    }
    candidates
        .iter()
        .map(|candidate| (distance(name.as_bytes(), candidate.as_bytes()), *candidate))
        .filter(|(distance, candidate)| 3 * distance <= candidate.len().max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the number of bytes to insert, remove or replace (Levenshtein distance, 1965). Ignores case.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, one) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, other) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(!one.eq_ignore_ascii_case(other));
            diagonal = row[column + 1];
            row[column + 1] = exchanged.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn misspelled_names_are_recognised() {
        let names = ["multipleSelect", "partialCredit", "unit", "id", "integerOnly"];
        for (name, meant) in [
            ("multiSelect", Some("multipleSelect")),
            ("units", Some("unit")),
            ("PartialCredit", Some("partialCredit")),
            ("partial_credit", Some("partialCredit")),
            ("integersOnly", Some("integerOnly")),
            ("Id", Some("id")),
            ("tolerance", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, &names), meant, "{name}");
        }
    }
}
