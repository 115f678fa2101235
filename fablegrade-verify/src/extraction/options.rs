//! Finds options that a sentence commits to: `The correct option is (A)`, `C is correct`,
//! `Options A and C are correct`.

use std::ops::Range;

/// Returns the range of the letter or letters that a sentence commits to.
pub(super) fn named(sentence: &str, lower: &str) -> Option<Range<usize>> {
    // `It is A, not B`
    let end = lower.find(", not ").unwrap_or(lower.len());
    let (sentence, lower) = (&sentence[..end], &lower[..end]);
    at_end(sentence, lower).or_else(|| at_start(sentence, lower)).or_else(|| behind_verb(sentence, lower))
}

/// Returns the letters behind a verb whose subject is options: `The correct options are A and C`, `The correct choice is
/// B: 42`.
fn behind_verb(sentence: &str, lower: &str) -> Option<Range<usize>> {
    let (at, verb) = ["options are ", "choices are ", "answers are ", "option is ", "choice is "]
        .iter()
        .filter_map(|verb| Some((lower.rfind(verb)?, verb)))
        .max()?;
    if is_negated(&lower[..at]) {
        return None;
    }
    let marks = ['(', ')', '*', '$', ' '];
    let several = verb.ends_with("are ");
    let mut at = at + verb.len();
    at += lower[at..].len() - lower[at..].trim_start_matches(marks).len();
    let (start, mut end) = (at, at);
    loop {
        let letter = sentence.as_bytes().get(at)?;
        if !(b'A'..=b'J').contains(letter)
            || sentence[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '\'')
        {
            return None;
        }
        end = end.max(at + 1);
        let rest = lower[end..].trim_start_matches(marks);
        let next = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        let next = next.strip_prefix("and ").unwrap_or(next);
        if !several || next.len() == rest.len() || next.is_empty() {
            break;
        }
        at = lower.len() - next.trim_start_matches(marks).len();
    }
    let rest = lower[end..].trim_start_matches(marks);
    let ends = rest.trim_matches(['.', '!']).is_empty() || rest.starts_with(':');
    ends.then_some(start..end)
}

/// Returns the letter that a sentence ends with: `I choose option D`, `The correct option is (A)`.
fn at_end(sentence: &str, lower: &str) -> Option<Range<usize>> {
    let end = sentence.trim_end_matches(['.', '!', ' ', '*', ')', '$']).len();
    let letter = sentence.get(end.checked_sub(1)?..end).filter(|letter| ("A"..="J").contains(letter))?;
    let before = lower[..end - letter.len()].trim_end_matches(['(', '*', '$']);
    let words = before.strip_suffix(' ')?;
    let mut backwards = words.rsplit([' ', '*', ',']).filter(|word| !word.is_empty());
    let last = backwards.next()?;
    let names = |word: &str| matches!(word, "option" | "choice");
    let chosen = names(last)
        || matches!(last, "choose" | "pick" | "select")
        || matches!(last, "leaves" | "leaving")
        || words.ends_with(", so")
        || ["it's", "it is", "it must be", "it should be", "it has to be"]
            .iter()
            .any(|subject| words.ends_with(subject))
        || last == "with" && backwards.clone().next().is_some_and(|verb| matches!(verb, "go" | "going"))
        || matches!(last, "is" | "be") && backwards.take(4).any(names);
    (chosen && !is_negated(words)).then(|| end - letter.len()..end)
}

/// Returns the letters at the start of a sentence that calls them right: `So (C) is the right choice`.
fn at_start(sentence: &str, lower: &str) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        let rest = &lower[at..];
        let lead = rest.len() - rest.trim_start_matches([' ', '*', ',', '(', '$']).len();
        let word = ["so ", "so, ", "thus", "therefore", "hence", "only ", "both ", "the "]
            .into_iter()
            .chain(["options ", "option ", "choices ", "choice ", "answers ", "statements "])
            .find(|word| rest[lead..].starts_with(word));
        at += lead;
        match word {
            Some(word) => at += word.len(),
            None => break,
        }
    }
    let (start, mut end, mut several) = (at, at, false);
    loop {
        let letter = sentence.as_bytes().get(at)?;
        if !(b'A'..=b'J').contains(letter)
            || sentence[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '\'')
        {
            return None;
        }
        end = end.max(at + 1);
        let rest = lower[end..].trim_start_matches([')', '*', '$', ' ', ',']);
        let joined = rest.strip_prefix("and ").or_else(|| lower[end..].starts_with(',').then_some(rest));
        match joined {
            Some(rest) => at = lower.len() - rest.trim_start_matches(['(', '*', '$', ' ']).len(),
            None => break,
        }
        several = true;
    }
    // `Therefore, (B).`
    let bracketed = sentence[..start].ends_with('(')
        && start > 1
        && lower[end..].trim_matches([')', '*', '$', '.', '!', ' ']).is_empty();
    if bracketed {
        return Some(start..end);
    }
    let verb = if several { "are " } else { "is " };
    let says = lower[end..].trim_start_matches([')', '*', '$', ' ']).strip_prefix(verb)?;
    let says = says.strip_prefix("the ").unwrap_or(says).trim_start_matches('*');
    let right = ["correct", "right", "best", "true", "answer"].iter().any(|word| says.starts_with(word));
    // a later clause can take this back or prefer another option
    let (clause, after) = says.split_once(',').unwrap_or((says, ""));
    let reason = [" since ", " because ", " as "].iter().any(|word| clause.contains(word))
        && ![" but ", " however", " better", " instead", " rather"].iter().any(|word| after.contains(word));
    let only = after.is_empty()
        || reason
        || [" not ", " since", " because", " as "].iter().any(|word| after.starts_with(word));
    (right && only && !is_negated(clause)).then_some(start..end)
}

fn is_negated(words: &str) -> bool {
    words.contains("n't")
        || words
            .split([' ', ','])
            .any(|word| matches!(word, "not" | "never" | "nor" | "neither" | "if" | "unless"))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn sentences_commit_to_options() {
        for (sentence, letters) in [
            ("The correct option is (A).", Some("A")),
            ("I choose option D", Some("D")),
            ("I would go with C.", Some("C")),
            ("I go with C.", Some("C")),
            ("Option C is correct.", Some("C")),
            ("So (C) is the right choice.", Some("C")),
            ("Option D is correct, not C.", Some("D")),
            ("Therefore, (B).", Some("B")),
            ("See (B).", None),
            ("It's A.", Some("A")),
            ("It must be (A).", Some("A")),
            ("It is A, not B.", Some("A")),
            ("It is not A.", None),
            ("B and C are too large, so A.", Some("A")),
            ("That leaves D", Some("D")),
            ("Options A and C are correct.", Some("A and C")),
            ("A, B and D are true.", Some("A, B and D")),
            ("A triangle is correct.", None),
            ("C is the answer.", Some("C")),
            ("C is not the answer.", None),
            ("C is not correct.", None),
            ("C is correct, but D is better.", None),
            ("C is correct if x is 2.", None),
            ("B is correct because A is too small, C is too large.", Some("B")),
            ("B is correct because A is too small, but D is too.", None),
            ("B is larger than A.", None),
            ("The correct options are A and C.", Some("A and C")),
            ("So the correct choice is B: 42.", Some("B")),
            ("The correct options are not A and C.", None),
            ("The correct options are A and C if x is 2.", None),
        ] {
            let found = named(sentence, &sentence.to_ascii_lowercase());
            assert_eq!(found.map(|range| &sentence[range]), letters, "{sentence}");
        }
    }
}
