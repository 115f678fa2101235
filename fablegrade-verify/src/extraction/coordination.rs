//! Reads the values of a sentence that belong together: lists, and the values of coordinated clauses.

use std::ops::Range;

use super::statements::{is_article, leading_words};
use super::values;

/// Returns a value together with the value of a clause before it that is coordinated with its clause: `15 and the width is
/// 3` in "the length is 15 and the width is 3".
pub(super) fn with_coordinated(
    sentence: &str,
    lower: &str,
    places: &[usize],
    last: Range<usize>,
) -> Range<usize> {
    for place in places.iter().copied().filter(|place| *place < last.start) {
        let verb = [" is ", " are ", " was "].iter().any(|verb| lower[..place].ends_with(verb));
        let start = place + leading_words(&sentence[place..]);
        let length = values::value_length(&sentence[start..]);
        if !verb
            || length == 0
            || start + length >= last.start
            || is_article(&sentence[start..start + length])
        {
            continue;
        }
        let between = &lower[start + length..last.start];
        let between = between.trim_start_matches(['$', '*', ',', ' ']);
        let subject = between.strip_prefix("and ").and_then(|clause| {
            [" is ", " are ", " was "]
                .iter()
                .find_map(|verb| clause.trim_end_matches(['$', '*']).strip_suffix(verb))
        });
        let coordinated = subject.is_some_and(|subject| {
            let words: Vec<&str> = subject.split(' ').collect();
            words.len() <= 4
                && !words.iter().any(|word| {
                    matches!(
                        *word,
                        "so" | "thus"
                            | "hence"
                            | "therefore"
                            | "then"
                            | "answer"
                            | "total"
                            | "result"
                            | "that"
                            | "this"
                            | "it"
                            | "which"
                            | "sum"
                            | "product"
                            | "final"
                    )
                })
        });
        if coordinated {
            return start..last.end;
        }
    }
    last
}

/// Returns the whole list that ends with the value `last`: `x = 0 and x = 2`.
pub(super) fn whole_list(sentence: &str, places: &[usize], last: Range<usize>) -> Range<usize> {
    for place in places.iter().copied().filter(|place| *place < last.start) {
        let start = place + leading_words(&sentence[place..]);
        let list = start..start + values::value_length(&sentence[start..]);
        let joined = list.end >= last.end
            && [" and ", " or ", ", ", " to ", "="]
                .iter()
                .any(|joint| sentence[list.start..last.start].contains(joint));
        if joined && list.start < last.start {
            return list;
        }
    }
    last
}
