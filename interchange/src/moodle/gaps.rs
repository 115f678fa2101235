//! Gaps in the text of a question: `[[3]]` is a gap in which the third choice is right.

/// Returns the number of the right choice for each gap, in the order of the text.
pub(super) fn gap_numbers(text: &str) -> Vec<usize> {
    let mut gaps = Vec::new();
    each_gap(text, |_, number| gaps.push(number));
    gaps
}

/// Replaces the gaps of a text with `[1]`, `[2]`, ... in order.
pub(super) fn number_gaps(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut count = 0;
    let rest = each_gap(text, |before, _| {
        count += 1;
        shown.push_str(before);
        shown.push_str(&format!("[{count}]"));
    });
    shown.push_str(rest);
    shown
}

/// Calls `tell` for each gap with the text before it and its number; returns the text after the last gap.
fn each_gap<'t>(text: &'t str, mut tell: impl FnMut(&'t str, usize)) -> &'t str {
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find("[[").map(|found| at + found) {
        let inside = &text[found + 2..];
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        match inside[..digits].parse() {
            Ok(number) if inside[digits..].starts_with("]]") => {
                tell(&text[from..found], number);
                at = found + 2 + digits + 2;
                from = at;
            }
            _ => at = found + 1,
        }
    }
    &text[from..]
}

#[cfg(test)]
mod tests {
    use super::number_gaps;

    #[test]
    fn gaps_are_numbered_in_their_order() {
        assert_eq!(number_gaps("The [[3]] and [[1]] [[x]] [[3]]"), "The [1] and [2] [[x]] [3]");
    }
}
