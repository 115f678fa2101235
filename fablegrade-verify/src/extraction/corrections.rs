//! Detects answers that are taken back: `Answer: 42. Actually no, it's 43.`

use std::ops::Range;

use super::{clauses, sentences, values};

/// The maximum length of the text after an answer, in bytes. Longer texts are not searched.
const LONGEST: usize = 4_000;

/// A sentence that takes back the answer before it.
pub(super) struct Retraction {
    /// The start of the sentence.
    pub(super) from: usize,
    /// The value that the sentence gives instead.
    pub(super) value: Option<Range<usize>>,
}

/// Returns the last sentence in `tail` that takes back the answer before it. Positions are those of `tail`.
pub(super) fn taken_back(answer: &str, tail: &str) -> Option<Retraction> {
    if tail.len() > LONGEST || !tail.contains([' ', ',']) {
        return None;
    }
    let mut found = None;
    // a doubt that is a sentence of its own, as in `Oops! It's 43.`, or the start of a sentence about the answer
    let mut doubt = None;
    // set if the sentence before is a question that does not ask whether the answer is right
    let mut aside = false;
    for (at, sentence) in sentences::sentences(tail) {
        let lower = lowercase(sentence);
        let asked = tail[at + sentence.len()..].starts_with('?');
        if asked {
            let about = ["right", "correct", "answer", "sure"].iter().any(|word| lower.contains(word));
            (aside, doubt) = (!about, None);
            continue;
        }
        let lead = opening(sentence);
        let opened = lead.doubts || doubt.is_some();
        let start = doubt.unwrap_or(at);
        let first = tail[..at].trim_matches([' ', '*', '$', ',', ';', ')', '_', '-', '–', '—']).is_empty();
        let near = opened || !tail[..at].contains(|c: char| c.is_alphanumeric() || c == '\n');
        if lead.length == sentence.len() {
            doubt = lead.doubts.then_some(start);
            if says_no(&lower) && !aside {
                found = Some(Retraction { from: at, value: None });
            }
            aside = false;
            continue;
        }
        let value = if opened || first && lead.contrasts {
            replacement(sentence, lead.length, answer).map(|value| at + value.start..at + value.end)
        } else {
            None
        };
        let value =
            value.or_else(|| contrary(sentence, answer).map(|value| at + value.start..at + value.end));
        if value.is_some() {
            found = Some(Retraction { from: start, value });
        } else if denies(&lower, aside) || denies_answer(&lowercase(&sentence[lead.length..]), near) {
            found = Some(Retraction { from: at, value: None });
        }
        (aside, doubt) = (false, None);
    }
    found
}

/// Returns whether a sentence in lower case begins with a doubt and then says that something is wrong. With `aside`, it
/// answers a question about something else, so a "no" at its start does not deny it.
fn denies(lower: &str, aside: bool) -> bool {
    let no = says_no(lower) && !(lower.starts_with("no") && (aside || denies_others(lower)));
    let wrong = || {
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| {
            matches!(word, "wrong" | "mistake" | "error" | "incorrect" | "instead" | "correction" | "scratch")
        })
    };
    // `a quicker way would be to use symmetry instead`
    let method = || [" way ", " method ", " approach "].iter().any(|word| lower.contains(word));
    turns(lower)
        && !upholds(lower)
        && (no || wrong() && !method())
        && !["no mistake", "no error", "not wrong", "nothing wrong"]
            .iter()
            .any(|phrase| lower.contains(phrase))
}

/// Returns whether a sentence denies only that there is more: "no, there are no other solutions".
fn denies_others(lower: &str) -> bool {
    let behind = lower.trim_start_matches("no").trim_start_matches([',', ' ']);
    ["there are no", "there is no", "there's no", "there aren't", "there isn't", "nothing else"]
        .iter()
        .any(|words| behind.starts_with(words))
}

/// Returns whether a text says only that an answer is not right, as in "that is wrong".
pub(super) fn is_denial(text: &str) -> bool {
    let lower = text.trim_matches([' ', '.', '!', '*']).to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "wrong"
            | "incorrect"
            | "mistaken"
            | "a mistake"
            | "an error"
            | "not right"
            | "not correct"
            | "false"
            | "not true"
    )
}

/// Words that can precede the subject of a sentence that denies the answer: "I think the last answer is wrong".
const BEFORE_SUBJECT: &[&str] = &[
    "i", "think", "believe", "guess", "see", "the", "my", "previous", "last", "now", "answer", "result",
    "value",
];

/// Returns whether a sentence in lower case says of the answer that it is not right: "that can't be right",
/// "I miscalculated". Only `near` the answer, or behind a doubt, is "that" usually the answer.
fn denies_answer(lower: &str, near: bool) -> bool {
    if ["answer is right", "answer is correct", "answer is still"].iter().any(|words| lower.contains(words)) {
        return false;
    }
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '*' | '(' | ')' | '.'))
        .filter(|word| !word.is_empty())
        .collect();
    for at in 0..words.len() {
        let word = words[at];
        if matches!(word, "if" | "whether" | "unless" | "suppose" | "assuming" | "why") {
            // a condition
            return false;
        }
        let rest = &words[at + 1..];
        let skipped =
            |rest: &[&str], skip: &[&str]| rest.iter().take_while(|word| skip.contains(word)).count();
        match word {
            // `Initially I thought it was 17, but I was wrong.`
            "i" if near
                && !words.iter().any(|word| {
                    matches!(*word, "initially" | "first" | "earlier" | "previously" | "originally")
                }) =>
            {
                let rest = &rest[skipped(rest, &["just", "had", "have", "actually", "see", "think"])..];
                let admits = match rest {
                    ["was" | "am", "wrong" | "mistaken" | "incorrect", ..] => true,
                    ["made" | "make", rest @ ..] => {
                        let rest = &rest
                            [skipped(rest, &["a", "an", "small", "slight", "silly", "arithmetic", "sign"])..];
                        matches!(rest, ["mistake" | "error" | "slip" | "typo", ..])
                    }
                    [verb, ..] => {
                        matches!(*verb, "miscalculated" | "miscounted" | "misread" | "misspoke" | "misstated")
                    }
                    [] => false,
                };
                if admits {
                    return true;
                }
            }
            "ignore" | "disregard" | "forget" | "scratch" | "strike" if at <= 2 => {
                if matches!(rest, ["that" | "this", ..] | ["the", "above" | "previous" | "last", ..]) {
                    return true;
                }
            }
            "that" | "this" | "it" | "answer" | "result" | "above" | "that's" | "it's"
                if words[..at].iter().all(|word| BEFORE_SUBJECT.contains(word)) =>
            {
                let contracted = word.ends_with("'s");
                let rest = match rest {
                    ["answer" | "result" | "value", rest @ ..] => rest,
                    _ => rest,
                };
                let (verb, negated) = match rest {
                    _ if contracted => (rest, false),
                    ["is" | "was" | "seems" | "looks", rest @ ..] => (rest, false),
                    ["must" | "may" | "might", "be", rest @ ..] => (rest, false),
                    ["isn't" | "wasn't", rest @ ..]
                    | ["can't" | "cannot" | "couldn't", "be", rest @ ..]
                    | ["can" | "could", "not", "be", rest @ ..]
                    | ["doesn't", "seem" | "look", rest @ ..] => (rest, true),
                    _ => continue,
                };
                let (verb, negated) = match verb {
                    ["not", rest @ ..] => (rest, true),
                    _ => (verb, negated),
                };
                let verb = &verb[skipped(
                    verb,
                    &["quite", "actually", "exactly", "really", "clearly", "a", "an", "obviously", "still"],
                )..];
                let Some((adjective, behind)) = verb.split_first() else { continue };
                // "This is false" is usually about a statement.
                let denied = if negated {
                    near && matches!(*adjective, "right" | "correct")
                } else {
                    matches!(*adjective, "wrong" | "mistake")
                        || near && matches!(*adjective, "incorrect" | "mistaken")
                };
                // `the answer is wrong only in ...` remains a doubt, but `a right angle` is none
                if denied && !matches!(behind, ["angle" | "triangle" | "to" | "because" | "since", ..]) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// The words at the start of a sentence before what it says about an answer.
struct Lead {
    length: usize,
    /// Set if one of the words doubts what was said before: "sorry", "on second thought".
    doubts: bool,
    /// Set if one of the words contrasts: "but", "however".
    contrasts: bool,
}

/// Phrases at the start of a sentence that doubts what was said before.
const DOUBTS: [&str; 39] = [
    "wait",
    "no",
    "actually",
    "oops",
    "whoops",
    "sorry",
    "hold on",
    "on second thought",
    "on second thoughts",
    "on reflection",
    "on further reflection",
    "on closer inspection",
    "upon reflection",
    "upon review",
    "upon closer inspection",
    "upon rechecking",
    "upon checking",
    "after rechecking",
    "on review",
    "edit",
    "update",
    "correction",
    "scratch that",
    "strike that",
    "my apologies",
    "apologies",
    "my mistake",
    "my bad",
    "let me correct that",
    "let me correct this",
    "let me correct myself",
    "let me correct my answer",
    "let me fix that",
    "let me fix this",
    "or rather",
    "i mean",
    "i meant",
    "make that",
    "make it",
];

/// Words that can precede a doubt or follow it.
const LEADS: [&str; 12] =
    ["hmm", "hm", "oh", "ah", "well", "but", "however", "so", "and", "rather", "though", "yet"];

/// Reads the words at the start of a sentence that doubt what was said before.
fn opening(sentence: &str) -> Lead {
    let lower = sentence.to_ascii_lowercase();
    let mut lead = Lead { length: 0, doubts: false, contrasts: false };
    loop {
        let rest = &lower[lead.length..];
        let words =
            rest.trim_start_matches([' ', ',', ':', ';', '.', '!', '*', '_', '(', '-', '–', '—', '…']);
        let at = lower.len() - words.len();
        let doubt = strip_phrase(words, &DOUBTS);
        let Some(behind) = doubt.or_else(|| strip_phrase(words, &LEADS)) else {
            lead.length = if words.is_empty() { lower.len() } else { at };
            return lead;
        };
        lead.doubts |= doubt.is_some();
        lead.contrasts |= ["but", "however", "yet"].iter().any(|word| words.starts_with(word));
        lead.length = lower.len() - behind.len();
    }
}

/// Returns the text behind the longest of some phrases that starts it and ends with a word.
fn strip_phrase<'t>(text: &'t str, phrases: &[&str]) -> Option<&'t str> {
    phrases
        .iter()
        .filter_map(|phrase| text.strip_prefix(phrase))
        .filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '_')))
        .min_by_key(|rest| rest.len())
}

/// Clauses that give the value of an answer.
const GIVING: [&str; 32] = [
    "it is",
    "it's",
    "it’s",
    "it should be",
    "it must be",
    "it should have been",
    "it has to be",
    "it equals",
    "that is",
    "that's",
    "that’s",
    "that should be",
    "this is",
    "this should be",
    "the answer is",
    "the answer should be",
    "the correct answer is",
    "the right answer is",
    "the actual answer is",
    "the result is",
    "the result should be",
    "the correct value is",
    "the correct one is",
    "the right one is",
    "the true one is",
    "the true value is",
    "mine is",
    "i get",
    "we get",
    "i got",
    "should be",
    "i mean",
];

/// Returns the range of the value that a sentence gives in place of an answer behind the words that open it: "sorry, I
/// meant 43".
fn replacement(sentence: &str, from: usize, answer: &str) -> Option<Range<usize>> {
    let lower = sentence.to_ascii_lowercase();
    let clause = strip_phrase(&lower[from..], &GIVING);
    let mut start = lower.len() - clause.unwrap_or(&lower[from..]).len();
    loop {
        start = lower.len() - lower[start..].trim_start_matches([' ', ',', ':', '*', '_']).len();
        let Some(behind) =
            strip_phrase(&lower[start..], &["really", "actually", "in fact", "exactly", "now", "just"])
        else {
            break;
        };
        start = lower.len() - behind.len();
    }
    let tail = &sentence[start..];
    let length = values::value_length(tail);
    let behind = lower[start + length..].trim_start_matches([' ', '*', '$']);
    let ends = behind.is_empty() || behind.starts_with([',', ';', '(', '.', '—', '–']);
    let ends = ends
        || ["not ", "instead", "because ", "since ", "rather "].iter().any(|word| behind.starts_with(word));
    let article = matches!(tail[..length].trim(), "a" | "A" | "I");
    // the value of another case: `but it is 43 if x is odd`
    let other_case = ["if ", "when ", "unless ", "for ", "in case ", "without "]
        .iter()
        .any(|word| behind.starts_with(word));
    let stated =
        length > 0 && !other_case && !article && (clause.is_some() || ends) && !clauses::is_part(tail);
    (stated && !is_same(&tail[..length], answer)).then_some(start..start + length)
}

/// Returns whether a sentence says that the answer is another value: "so it's 43, not 42". The result is the other value;
/// without one, the sentence can be about something else: `x is not 42`.
fn contrary(sentence: &str, answer: &str) -> Option<Range<usize>> {
    let lower = sentence.to_ascii_lowercase();
    if ["if ", "when ", "note that "].iter().any(|word| lower.starts_with(word)) || lower.contains(" if ") {
        return None;
    }
    let mut named = lower.match_indices("not ").filter(|(at, _)| *at == 0 || lower[..*at].ends_with(' '));
    let (at, end) = named.find_map(|(at, word)| {
        let denied = &sentence[at + word.len()..];
        let length = values::value_length(denied);
        (length > 0 && is_same(&denied[..length], answer)).then_some((at, at + word.len() + length))
    })?;
    let behind = &lower[end..];
    if let Some(but) = behind.trim_start_matches([' ', ',', '*', '$']).strip_prefix("but ") {
        let start = lower.len() - but.len();
        return replacement(sentence, start, answer);
    }
    // only the end of a clause denies the whole value
    if !behind.trim_matches([' ', '*', '$', '.', ',', ';', ')']).is_empty() {
        return None;
    }
    let before = sentence[..at].trim_end_matches([' ', ',', '(', '*']);
    super::statements::stated(before, false).filter(|value| !is_same(&sentence[value.clone()], answer))
}

/// Returns whether two answers are written the same, apart from delimiters, names and units. Long ones are never compared.
fn is_same(value: &str, answer: &str) -> bool {
    if value.len().max(answer.len()) > values::LONGEST_LINE {
        return false;
    }
    let plain = |text: &str| -> String {
        let text = text.replace("\\(", "").replace("\\)", "").replace("\\boxed", "");
        text.chars().filter(|c| !c.is_whitespace() && !"${}*.,()".contains(*c)).collect()
    };
    let (value, answer) = (plain(value), plain(answer));
    let ends = |whole: &str, part: &str| {
        whole.strip_suffix(part).is_some_and(|front| front.is_empty() || front.ends_with(['=', '≈']))
            || whole.strip_prefix(part).is_some_and(|rest| {
                rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '\\' | '%' | '='))
            })
    };
    !value.is_empty() && !answer.is_empty() && (ends(&value, &answer) || ends(&answer, &value))
}

/// Returns whether a sentence doubts an answer and then says that it is right: "no, the answer is correct".
///
/// Such a sentence announces no answer.
pub(super) fn confirms(sentence: &str) -> bool {
    let lower = lowercase(sentence);
    turns(&lower) && upholds(&lower)
}

/// Returns a sentence in lower case, without marks before it and with straight apostrophes.
fn lowercase(sentence: &str) -> String {
    let marks = [' ', '*', '_', '(', '-', '.', ',', ';', '–', '—'];
    let lower = sentence.trim_start_matches(marks).to_ascii_lowercase();
    lower.replace('\u{2019}', "'")
}

/// Returns whether a sentence in lower case begins like a doubt about what was said before.
fn turns(sentence: &str) -> bool {
    let lead = opening(sentence);
    lead.doubts || sentence.starts_with("hmm")
}

/// Returns the value at the end of a retraction, after "instead": "that holds only for x > 0; instead 43".
pub(super) fn instead(text: &str, retraction: Range<usize>) -> Option<Range<usize>> {
    const WORD: &str = "instead";
    let tail = &text[retraction.clone()];
    let at = tail.rfind(WORD)? + WORD.len();
    let value = tail[at..].trim_start_matches([',', ':', ' ']);
    let length = values::value_length(value);
    let last = value[length..].trim_matches(['.', '!', '*', ' ', '\n']).is_empty();
    let start = retraction.start + tail.len() - value.len();
    (length > 0 && last).then_some(start..start + length)
}

/// Returns whether "no" is an answer in a sentence, as in "actually no, it's 43", and does not negate a noun, as in
/// "there is no other solution".
fn says_no(sentence: &str) -> bool {
    // set while all earlier words are like "wait" and "actually"
    let mut leads = true;
    let mut at = 0;
    for word in sentence.split_inclusive(|c: char| !c.is_alphanumeric() && c != '\'') {
        at += word.len();
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        if word == "no" {
            let sign = sentence[..at].ends_with([',', ';', ':', '!', '.', '\u{2014}', '\u{2013}']);
            let rest = sentence[at..].trim_start();
            let next = rest.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default();
            let clause = matches!(
                next,
                "it" | "it's" | "its" | "that" | "that's" | "this" | "the" | "wait" | "i" | "we" | "sorry"
            );
            let value = rest.starts_with(|c: char| c.is_ascii_digit() || "$\\-".contains(c));
            if sign || rest.is_empty() || leads && (clause || value) {
                return true;
            }
        }
        leads &= word.is_empty() || is_lead(word);
    }
    false
}

/// Returns whether a word can precede what a sentence says about an answer: "wait, no, it's 43".
fn is_lead(word: &str) -> bool {
    matches!(word, "no" | "wait" | "actually" | "hmm" | "oops" | "sorry" | "oh" | "ah" | "but" | "correction")
}

/// Returns whether a sentence says that the answer is right: "no, that is right".
///
/// Only a main clause without a condition counts, not "I thought that was right" or "that is right provided x > 0". A
/// reason may follow: "that is right, as shown in part 2".
fn upholds(sentence: &str) -> bool {
    // the words, each with the position after it and the character that ends it
    let mut words = sentence
        .split_inclusive(|c: char| !c.is_alphanumeric() && c != '\'')
        .scan(0, |at, word| {
            *at += word.len();
            let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\'');
            Some((word, *at))
        })
        .filter(|(word, _)| !word.is_empty())
        .peekable();
    if words.clone().any(|(word, _)| matches!(word, "only" | "but" | "if" | "instead")) {
        return false;
    }
    let adverb = |word: &str| matches!(word, "indeed" | "actually" | "all" | "already" | "also");
    while words.next_if(|(word, _)| is_lead(word) || adverb(word)).is_some() {}
    let named = words.next_if(|(word, _)| matches!(*word, "the" | "my" | "our")).is_some();
    let subject = words.next().is_some_and(|(word, _)| match word {
        "that" | "that's" | "this" | "it" | "it's" | "everything" => !named,
        "answer" | "result" => true,
        _ => false,
    });
    while words.next_if(|(word, _)| matches!(*word, "is" | "was") || adverb(word)).is_some() {}
    let Some((_, mut end)) =
        words.next().filter(|(word, _)| subject && matches!(*word, "right" | "correct" | "fine"))
    else {
        return false;
    };
    // the sign after a word, if it has one, is before its position
    const SIGNS: [char; 6] = [',', ';', ':', '(', '\u{2014}', '\u{2013}'];
    // an adverb such as "indeed" is skipped; in "right here for x > 0", the words after it still decide
    while !sentence[..end].ends_with(SIGNS)
        && let Some((_, next)) = words.next_if(|(word, _)| {
            matches!(
                *word,
                "indeed" | "again" | "here" | "already" | "also" | "anyway" | "actually" | "then" | "too"
            )
        })
    {
        end = next;
    }
    let rest = sentence[end..].trim_start_matches([' ', '*', '_']);
    let separate = sentence[..end].ends_with(SIGNS) || rest.starts_with(SIGNS) || rest.starts_with("- ");
    let rest = rest.trim_start_matches(SIGNS).trim_start_matches(['-', ' ', '*', '_']);
    let clause = rest.split(SIGNS).next().unwrap_or_default();
    let clause = clause.split("- ").next().unwrap_or_default();
    if ["as long as", "as far as"].iter().any(|phrase| clause.contains(phrase)) {
        return false;
    }
    let mut words = clause.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return true };
    if separate {
        return !is_limit(first);
    }
    match first {
        "because" | "since" | "so" | "and" | "now" => true,
        // not "right as a lower bound"
        "as" => !matches!(words.next(), Some("a" | "an")),
        "after" => words.next() == Some("all"),
        _ => false,
    }
}

/// Returns whether a word after a comma, as in "that is right, provided x > 0", starts a condition or an exception.
fn is_limit(word: &str) -> bool {
    matches!(
        word,
        "for"
            | "when"
            | "where"
            | "in"
            | "on"
            | "at"
            | "under"
            | "unless"
            | "except"
            | "before"
            | "until"
            | "provided"
            | "given"
            | "assuming"
            | "supposing"
            | "with"
            | "without"
            | "within"
            | "up"
            | "although"
            | "though"
            | "apart"
            | "however"
            | "yet"
            | "whenever"
            | "not"
    )
}

#[cfg(test)]
mod tests {
    use super::taken_back;

    #[test]
    fn answers_are_taken_back_in_words() {
        for (tail, back) in [
            (". Actually no, it's 43.", true),
            (". Wait, that is wrong.", true),
            (" Hmm, I made a mistake above.", true),
            (". Wait, let me double-check: 6*7 = 42. Yes.", false),
            (". Wait, is that wrong? It is fine.", false),
            (". Actually, this is a known result from 1998.", false),
            (". No further steps are needed.", false),
            (". Actually, there is no other solution.", false),
            (". Actually no other solution exists.", false),
            (". Sorry, no idea how to simplify it.", false),
            (". No, that is right.", false),
            (". Wait, no, it's indeed correct.", false),
            (". No, wait, **that's right**: 6*7 = 42.", false),
            (". No, the answer is right, as 6*7 = 42.", false),
            (". Actually no \u{2014} it was all correct \u{2014} so 42.", false),
            (". No, I don't think that's right. It's 43.", true),
            (". No, I thought that was right, but it's 43.", true),
            (". No, that was right, but it's 43.", true),
            (". Wait, that is right only for x>0; instead 43.", true),
            (". No, that is right for x>0.", true),
            (". No, that is correct in the first case.", true),
            (". No, that was right under the old assumption, so 43.", true),
            (". No, it is correct except for x=0.", true),
            (". No, that is right provided x>0; it's 43.", true),
            (". No, that is right given x>0; it's 43.", true),
            (". No, that is right assuming x>0; it's 43.", true),
            (". No, that is right with x>0; it's 43.", true),
            (". No, that is right without the constant; it's 43.", true),
            (". No, that is right up to sign; it's 43.", true),
            (". No, that is right although incomplete; it's 43.", true),
            (". No, that is right apart from the sign; it's 43.", true),
            (". No, that is right at x=0; it's 43.", true),
            (". No, that is right on the left; it's 43.", true),
            (". No, that is right after x=0; it's 43.", true),
            (". No, that is right as a lower bound; it's 43.", true),
            (". No, that is right, provided x>0; it's 43.", true),
            (". No, that is right (given x>0), so it's 43.", true),
            (". No, that is right \u{2014} provided x>0.", true),
            (". No, that is right - provided x>0.", true),
            (". No, that is right, up to sign; it's 43.", true),
            (". No, that is right, since 6*7 = 42.", false),
            (". No, that is right, 6*7 is 42.", false),
            (". No, that is right too.", false),
            (". No, that is right indeed.", false),
            (". No, that is correct here.", false),
            (". No, that is correct again, as 6*7 = 42.", false),
            (". No, it was already right then.", false),
            (". No, that is right here for x>0.", true),
            (". No, that is right here, provided x>0; it's 43.", true),
            (". No, that is right too for x>0.", true),
            (". No, that is right as long as x>0.", true),
            (". Wait, no, it was right before; it is 43.", true),
            (". No, that is correct, as I said before.", false),
            (". No, that is correct as I said before.", false),
            (". No, wait, that is correct as shown above.", false),
            (". No, the answer is correct because the sum was checked in the table.", false),
            (". No, that is correct as shown for the general case.", false),
            (". Wait, actually no, that is right after all.", false),
            (". Wait, no, this is fine and agrees with the table.", false),
            (". No, if that's right, it's 43.", true),
            (". No, the correct answer is 43.", true),
            (". No, that is not right.", true),
            (". Actually no it's 43.", true),
            (". Wait no, 43.", true),
            (". Hmm, actually no.", true),
            (" apples", false),
            ("", false),
        ] {
            assert_eq!(taken_back("42", tail).is_some(), back, "{tail}");
        }
    }
}
