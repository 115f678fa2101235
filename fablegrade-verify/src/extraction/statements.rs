//! Finds values stated in running text.

use std::ops::Range;

use super::groups::end_of;
use super::{
    Place, bounds, clauses, coordination, endings, labels, lines, options, phrases, sentences, single, values,
};
use crate::reading::{time, words};

/// Returns the value that a response without a box, tag or marker states last, or the values of the list that it ends
/// with.
pub(super) fn last_stated(text: &str, window: Range<usize>) -> Option<(Vec<Range<usize>>, Place)> {
    let all = &text[window.clone()];
    let lead = all.len() - all.trim_start().len();
    let body = labels::without_closing(all.trim());
    let start = window.start + lead;
    let at = |range: Range<usize>| {
        let range = start + range.start..start + range.end;
        vec![range]
    };
    if let Some(range) = endings::in_structure(body) {
        return Some((at(range), Place::Statement));
    }
    let line = body.rfind('\n').map_or(0, |end| end + 1);
    let in_line =
        labels::labelled(&body[line..]).or_else(|| endings::value_line(&body[line..]).filter(|_| line > 0));
    if let Some(range) = in_line {
        let mut values = lines::preceding(body, line);
        values.push(line + range.start..line + range.end);
        return Some((values.into_iter().flat_map(at).collect(), Place::Statement));
    }
    if let Some(range) = whole(body) {
        return Some((at(range), Place::WholeText));
    }
    if let Some(ranges) = endings::last_bold(body) {
        return Some((ranges.into_iter().flat_map(at).collect(), Place::Bold));
    }
    if let Some((place, sentence)) = sentences::sentences(last_paragraphs(body)).pop() {
        let lower = sentence.to_ascii_lowercase();
        if let Some(phrase) = phrases::at_end(&lower) {
            let start = body.len() - last_paragraphs(body).len() + place;
            return Some((at(start + phrase.start..start + phrase.end), Place::Statement));
        }
        if let Some(range) = qualified(sentence, &lower, &copula_places(sentence, &lower, false)) {
            let place = body.len() - last_paragraphs(body).len() + place;
            return Some((at(place + range.start..place + range.end), Place::Statement));
        }
    }
    if let Some(range) = endings::final_formula(body) {
        return Some((at(range), Place::Statement));
    }
    // otherwise, the last sentence
    let body_end = body.trim_end_matches(['`', '*', ' ']).len();
    let sentences = sentences::sentences(last_paragraphs(&body[..body_end]));
    let offset = body_end - last_paragraphs(&body[..body_end]).len();
    let (place, sentence) = sentences.last()?;
    let place = offset + place;
    if body[..body_end].ends_with(['?', '？']) {
        // a question, not a statement
        return None;
    }
    let ended = body[..body_end].ends_with(['.', '!', '?', '。', '！', ')', ']', '$', '✓', '"']);
    // a short line is not cut off, even without a full stop
    let short = !body.contains(['\n', ':']) && body.contains(" is ") && body.split_whitespace().count() <= 6;
    let stated = stated(sentence, !ended && !short)?;
    Some((at(place + stated.start..place + stated.end), Place::Statement))
}

/// Returns the part of a text that is searched for sentences: at most its last 2,000 bytes.
pub(super) fn last_paragraphs(text: &str) -> &str {
    let tail = end_of(text, 2_000);
    if tail.len() == text.len() { tail } else { tail.find(['\n', ' ']).map_or(tail, |at| &tail[at..]) }
}

/// Returns the answer of a text that is only a value, a short clause, or a value with a reason.
fn whole(body: &str) -> Option<Range<usize>> {
    // a quotation in Markdown, or a value in quotation marks
    let quoted = body.strip_prefix("> ").filter(|rest| !rest.contains('\n')).unwrap_or(body);
    // a calculation in a list item
    let marker =
        if quoted.contains('=') && !quoted.contains('\n') { lines::marker_length(quoted) } else { 0 };
    let quoted = &quoted[marker..];
    let unmarked = without_quotes(quoted.trim_matches(['*', '`', '_']));
    let start = body.find(unmarked)?;
    if unmarked.is_empty() || unmarked.len() > values::LONGEST_LINE {
        return None;
    }
    // one formula, or a text that is mathematics throughout
    let length = values::value_length(unmarked);
    let rest = unmarked[length..].trim().trim_end_matches(['.', '!', '$', ' ']);
    let behind = rest.trim_start_matches([',', '(', ' ']);
    let reason = ["because", "since", "as ", "not ", "不是"].iter().any(|word| behind.starts_with(word));
    if length > 0 && (rest.is_empty() || reason) {
        let all = if rest.is_empty() { unmarked.trim_end_matches(['!', ' ']).len() } else { length };
        return Some(start..start + all.max(length));
    }
    let single_line = !unmarked.contains('\n');
    // `half an hour`, `Sept. 1`, `Rs. 5`
    let rupees = unmarked.strip_prefix("Rs. ").is_some_and(values::is_value);
    if single_line
        && unmarked.len() <= 60
        && (rupees || time::date(unmarked).is_some() || words::quantity_in_words(unmarked).is_some())
    {
        return Some(start..start + unmarked.len());
    }
    if let Some(length) = yes_or_no(unmarked) {
        return Some(start..start + length);
    }
    let words = unmarked.split_whitespace().count();
    if single_line && words <= 12 {
        if let Some(letters) = options::named(unmarked, &unmarked.to_ascii_lowercase()) {
            return Some(start + letters.start..start + letters.end);
        }
        // `A. Paris`
        let label = unmarked.trim_start_matches('(').as_bytes();
        if matches!(label, [b'A'..=b'H', b'.' | b')', b' ', ..])
            && crate::reading::option::choice(unmarked).is_some_and(|choice| {
                choice.text.chars().nth(1).is_some_and(|second| !matches!(second, '.' | ')'))
            })
        {
            return Some(start..start + unmarked.len());
        }
    }
    let plain = words::flatten(unmarked);
    let sentence = plain.split(|c: char| !c.is_alphabetic()).any(is_verb_or_pronoun) || plain.contains(". ");
    let foreign = unmarked.chars().any(|c| !c.is_ascii() && c.is_alphabetic() && !values::is_symbol(c));
    if foreign && unmarked.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let table = unmarked.starts_with('|') && unmarked.contains("|\n");
    let formula = !table && unmarked.starts_with(['\\', '{', '(', '[', '$', '-', '|']) && !sentence;
    // `Tom pays 45 dollars.`
    let ended = unmarked.ends_with('.')
        && words > 2
        && unmarked.starts_with(char::is_uppercase)
        && single::only_value(unmarked).is_some();
    if formula || (single_line && words <= 4 && !sentence && !ended) {
        return Some(start..start + unmarked.trim_end_matches('!').len());
    }
    None
}

/// Returns a text without the quotation marks around it.
pub(super) fn without_quotes(text: &str) -> &str {
    [("\"", "\""), ("“", "”"), ("„", "“"), ("«", "»"), ("‘", "’")]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close))
        .filter(|inside| !inside.is_empty() && !inside.contains(['"', '“', '”', '«', '»']))
        .unwrap_or(text)
}

/// Returns the length of a `yes`, `no`, `true` or `false` that a reason follows in one sentence: `Yes, because 7 is prime`.
pub(super) fn yes_or_no(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = text.split_at(length);
    if text.len() > values::LONGEST_LINE
        || !matches!(word.to_ascii_lowercase().as_str(), "yes" | "no" | "true" | "false")
    {
        return None;
    }
    let rest = rest.trim_start_matches('*');
    let reason = [" because ", " since ", " — ", " – ", " - ", "—"].iter().any(|sign| rest.starts_with(sign));
    let sign = rest.starts_with([',', '.', ':', ';']);
    let clause = rest.trim_start_matches([',', '.', ':', ';', ' ', '—', '–', '-']);
    let one_sentence = sentences::sentence_end(clause) + 2 >= clause.len();
    let lower = clause.to_ascii_lowercase();
    let turned = [" but ", " or ", " if ", " unless ", " however", " only when "]
        .iter()
        .any(|word| rest.contains(word))
        || ["and ", "or ", "if ", "unless ", "wait", "yes", "no,", "no ", "true", "false"]
            .iter()
            .any(|word| lower.starts_with(word));
    // `Yes, 7` answers two questions
    let value =
        !reason && !rest.starts_with('.') && values::is_value(clause.trim_end_matches(['.', '!', '}']));
    ((reason || sign) && one_sentence && !turned && !value && !rest.contains('?')).then_some(length)
}

pub(super) fn is_verb_or_pronoun(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "is" | "are"
            | "was"
            | "were"
            | "be"
            | "i"
            | "we"
            | "it"
            | "you"
            | "they"
            | "has"
            | "have"
            | "do"
            | "does"
            | "cannot"
            | "can"
            | "will"
            | "the"
            | "there"
            | "this"
            | "that"
            | "so"
            | "thus"
            | "hence"
            | "therefore"
            | "in"
            | "an"
            | "to"
            | "equals"
            | "todo"
            | "idk"
            | "solution"
            | "of"
            | "here"
            | "donc"
            | "est"
            | "le"
            | "la"
            | "if"
            | "let"
    )
}

/// Signs and words that precede a stated value.
const COPULAS: &[&str] = &[
    " is ",
    " are ",
    " be ",
    " was ",
    " equals ",
    " equal ",
    " equal to ",
    " = ",
    " makes ",
    " get ",
    " obtain ",
    " have ",
    " has ",
    " had ",
    " gives ",
    " yields ",
    " hence ",
    " so ",
    " thus ",
    " therefore ",
    " total ",
    " total of ",
    " est ",
    " es ",
    " ist ",
    " sont ",
    " son ",
    " sind ",
    " de ",
    " to ",
    " of ",
    " costs ",
    " finalement ",
    " erhalten wir ",
    " such that ",
    ": ",
    "：",
    "是",
    "为",
    "=",
    "that is ",
    "that it is ",
    " wir ",
    " which is ",
    " means ",
    "it's ",
    " only ",
    " remain ",
    " remains ",
    " è ",
    "共有",
    "等于",
    "得到",
];

/// Returns the value that a sentence states: an option, a phrase, the value after its last copula, or its only value.
///
/// In a sentence that may be cut off (`unended`), at most two words may follow the value.
pub(super) fn stated(sentence: &str, unended: bool) -> Option<Range<usize>> {
    let sentence = without_reason(sentence);
    let lower = sentence.to_ascii_lowercase();
    if phrases::is_refusal(&lower) {
        return None;
    }
    // negations in other languages
    if [" nicht ", "n'est pas ", "不是", "不等于", " no es ", " non è ", " não é ", " не "]
        .iter()
        .any(|words| lower.contains(words))
    {
        return None;
    }
    // a supposition does not state a value, but its conclusion does
    let supposed = ["if ", "suppose ", "assume ", "assuming "].iter().any(|word| lower.starts_with(word))
        || [" might think ", " may think ", " could think ", " i thought "]
            .iter()
            .any(|word| lower.contains(word));
    let concluded = lower.find(" then ").or_else(|| lower.find(", ")).unwrap_or(lower.len());
    if let Some(letters) = options::named(sentence, &lower) {
        return Some(letters);
    }
    let places = copula_places(sentence, &lower, unended);
    let negated = |place: usize| {
        let rest = lower[place..].trim_start();
        rest.starts_with("not ")
            || rest.starts_with("n't ")
            || rest.starts_with("no ")
            || rest.starts_with("one of ")
    };
    // a sentence excludes its final exclamation mark, so one that remains is a factorial
    let whole_value = |range: Range<usize>| {
        if &sentence[range.end..] == "!" { range.start..range.end + 1 } else { range }
    };
    let acceptable = |range: &Range<usize>| {
        let behind = sentence[range.end..].trim_matches(['.', '!', ' ', '*', ')', '$', '"']);
        !unended || behind.is_empty() || behind.split_whitespace().count() <= 2 && !behind.ends_with(',')
    };
    if let Some(range) = qualified(sentence, &lower, &places) {
        return Some(range);
    }
    if let Some(phrase) = phrases::at_end(&lower) {
        return Some(phrase);
    }
    for place in places.iter().rev().copied() {
        if let Some(word) =
            phrases::denied_property(sentence, &lower, place).filter(|_| !unended && !supposed)
        {
            return Some(word);
        }
        if negated(place)
            || supposed && place <= concluded
            || lower[..place].ends_with(" out of ")
            || !introduces(&lower, place)
        {
            continue;
        }
        let rest = &sentence[place..];
        let skipped = leading_words(rest);
        let value = values::value_length(&rest[skipped..]);
        let verb = [" is ", " has ", " had ", " have "].iter().any(|verb| lower[..place].ends_with(verb));
        if verb && clauses::is_part(&rest[skipped..]) || bounds::ends(&lower[..place]) {
            return None;
        }
        if value > 0 {
            let range = whole_value(place + skipped..place + skipped + value);
            if phrases::goes_on(&lower[range.end..]) || clauses::is_share_of(lower[range.end..].trim_start())
            {
                // an example or a share, not the answer
                continue;
            }
            if acceptable(&range) && !is_article(&sentence[range.clone()]) {
                // a later conclusion is the answer, even if it cannot be read
                let concluded = [" so ", " thus ", " hence ", " therefore "]
                    .iter()
                    .filter_map(|word| lower[range.end..].rfind(word))
                    .max()
                    .is_some_and(|at| lower[range.end + at..].bytes().any(|byte| byte.is_ascii_digit()));
                if concluded {
                    return None;
                }
                let list = coordination::whole_list(sentence, &places, range);
                let list = coordination::with_coordinated(sentence, &lower, &places, list);
                let length = clauses::with_change(&sentence[list.start..], list.end - list.start);
                return Some(list.start..list.start + length);
            }
            continue;
        }
        // a single word, as in "is false" or "be a Friday"
        let word = phrases::without_remark(rest[skipped..].trim()).trim_end_matches(['.', '!', '*']);
        let after_is = lower[..place].ends_with(" is ")
            || lower[..place].ends_with(" be ")
            || lower[..place].ends_with(" are ");
        let letters = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '-');
        let article = ["a ", "an "].iter().any(|article| rest[..skipped].ends_with(article));
        let single = letters(word) && !is_verb_or_pronoun(word)
            || phrases::is_proper_name(word)
            || (article && word.split(' ').count() == 2 && word.split(' ').all(letters))
            || (word.starts_with("neither ") && word.split(' ').count() == 4);
        if after_is
            && single
            && !unended
            && !matches!(
                word.to_ascii_lowercase().as_str(),
                "answer"
                    | "correct"
                    | "required"
                    | "complete"
                    | "done"
                    | "minimal"
                    | "maximal"
                    | "optimal"
                    | "achieved"
                    | "attained"
                    | "reached"
                    | "possible"
                    | "valid"
                    | "satisfied"
                    | "constant"
                    | "unique"
                    | "left"
                    | "remaining"
                    | "needed"
                    | "used"
            )
        {
            let start = sentence[place + skipped..].find(word)? + place + skipped;
            return Some(start..start + word.len());
        }
    }
    if let Some(word) = phrases::final_keyword(sentence, &lower) {
        return Some(word);
    }
    let denied = supposed
        || ["not ", "never ", "except ", "neither "].iter().any(|word| lower.starts_with(word))
        || [" is wrong", " is incorrect", " is not ", "isn't", " is too ", " fails", "doesn't", " does not "]
            .iter()
            .any(|words| lower.contains(words));
    if unended || denied || places.iter().any(|place| negated(*place)) {
        return None;
    }
    let range = single::only_value(sentence)?;
    acceptable(&range).then_some(range)
}

/// Returns whether the words before a place introduce a value: "of" does only behind a measure, as in "a total of 7", not in
/// "30 of the 50 students" and "at the end of 4 hours".
fn introduces(lower: &str, place: usize) -> bool {
    let before = &lower[..place];
    if before.ends_with("who has ") || before.ends_with("who had ") || before.ends_with("who have ") {
        return false;
    }
    // the sign of `x >= 2` is not an equality sign
    if before.trim_end_matches([' ', '=']).ends_with(['<', '>', '!', '≤', '≥'])
        && before.trim_end().ends_with('=')
    {
        return false;
    }
    let Some(front) = before.strip_suffix(" of ") else { return true };
    // `By the age of 20, he had`
    let fronted = ["by ", "at ", "in ", "for ", "with ", "after ", "during ", "over ", "out "]
        .iter()
        .any(|word| lower.starts_with(word));
    if fronted && !front.contains(',') && lower[place..].contains(", ") {
        return false;
    }
    let word = front.rsplit([' ', '*', ',']).next().unwrap_or_default();
    MEASURES.contains(&word)
        && !["the ", "all ", "these ", "those "].iter().any(|the| lower[place..].starts_with(the))
}

/// Nouns that "of" and a value can follow.
const MEASURES: &[&str] = &[
    "total",
    "salary",
    "capacity",
    "increase",
    "decrease",
    "loss",
    "gain",
    "diameter",
    "membership",
    "balance",
    "income",
    "population",
    "sum",
    "value",
    "values",
    "number",
    "maximum",
    "minimum",
    "average",
    "mean",
    "median",
    "product",
    "difference",
    "area",
    "volume",
    "perimeter",
    "length",
    "width",
    "height",
    "radius",
    "distance",
    "speed",
    "rate",
    "probability",
    "chance",
    "cost",
    "price",
    "profit",
    "amount",
    "age",
    "weight",
    "mass",
    "ratio",
    "percentage",
    "result",
    "answer",
    "solution",
    "quotient",
    "remainder",
    "measure",
    "angle",
    "temperature",
    "count",
    "score",
    "discount",
    "savings",
    "force",
    "energy",
    "power",
    "time",
    "yield",
    "quantity",
    "balance",
    "income",
];

/// Returns the positions at which a value can be stated: after copulas outside formulas.
fn copula_places(sentence: &str, lower: &str, unended: bool) -> Vec<usize> {
    let formulas = formula_ranges(sentence);
    let weak =
        |copula: &str| matches!(copula, " of " | " to " | " de " | " has " | " had " | " have " | ": ");
    let mut places: Vec<usize> = COPULAS
        .iter()
        .filter(|copula| !unended || !weak(copula))
        .flat_map(|copula| lower.match_indices(copula).map(|(at, found)| at + found.len()))
        .filter(|place| !formulas.iter().any(|formula| formula.start < *place && *place < formula.end))
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Returns a value before the condition under which it is attained: `The minimum is 3 at x = 2`.
fn qualified(sentence: &str, lower: &str, places: &[usize]) -> Option<Range<usize>> {
    places
        .iter()
        .find_map(|place| {
            let rest = &sentence[*place..];
            let skipped = leading_words(rest);
            let value = values::value_length(&rest[skipped..]);
            let range = place + skipped..place + skipped + value;
            let behind = lower[range.end..].trim_start_matches([',', ' ']);
            let place_of_it = [
                "at ",
                "when ",
                "where ",
                "attained ",
                "achieved ",
                "reached ",
                "occurring ",
                "which occurs ",
                "which is attained ",
                "is attained ",
                "is achieved ",
                "is reached ",
                "occurs at ",
                "occurs when ",
                "occurs for ",
            ]
            .iter()
            .any(|word| behind.starts_with(word));
            let goes_on = [" so ", " then ", "hence", "thus", "therefore", " gives ", " get ", " answer"]
                .iter()
                .any(|word| behind.contains(word));
            let place_of_it = place_of_it
                && (introduces(lower, *place) || behind.starts_with("is ") || behind.starts_with("occurs"));
            (value > 0 && place_of_it && !goes_on && !is_article(&sentence[range.clone()])).then_some(range)
        })
        .or_else(|| apposed(sentence, lower))
}

/// Returns a value between commas before the condition under which it is attained: `The maximum, 15, is attained at x = 3`.
fn apposed(sentence: &str, lower: &str) -> Option<Range<usize>> {
    let at = [", is attained ", ", is achieved ", ", is reached ", ", occurs "]
        .iter()
        .find_map(|verb| lower.find(verb))?;
    let start = sentence[..at].rfind(", ")? + 2;
    values::is_value(sentence[start..at].trim_matches('*')).then_some(start..at)
}

/// Returns a sentence without the reason in brackets at its end: `So $x = 15$ (since $x > 0$)`.
fn without_reason(sentence: &str) -> &str {
    let ends = sentence.trim_end_matches(['.', '!', ' ']).ends_with(')');
    let reason = [" (since ", " (because ", " (as ", " (where ", " (when "]
        .iter()
        .filter_map(|opening| sentence.rfind(opening))
        .max()
        .filter(|_| ends)
        // a clause that explains a name in the formula before it
        .or_else(|| sentence.find(", where ").filter(|at| sentence[..*at].ends_with(['$', ')', 'C'])));
    reason.map_or(sentence, |at| &sentence[..at])
}

/// Returns the ranges of formulas, with their delimiters.
fn formula_ranges(sentence: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = sentence[at..].find(['$', '\\']) {
        at += next;
        match values::formula(&sentence[at..]) {
            Some(length) => {
                found.push(at..at + length);
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

pub(super) fn is_article(value: &str) -> bool {
    matches!(value.trim(), "a" | "A" | "I" | "s" | "t")
}

/// Returns the length of the words between a copula and its value, such as articles and adverbs.
pub(super) fn leading_words(text: &str) -> usize {
    let mut rest = text;
    loop {
        let trimmed =
            rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '`' | ':' | '≈' | ','));
        let next = [
            "a ",
            "an ",
            "the ",
            "about ",
            "approximately ",
            "exactly ",
            "only ",
            "also ",
            "thus ",
            "then ",
            "donc ",
            "de ",
            "just ",
            "equal to ",
            "therefore ",
            "option ",
            "in total ",
            "only ",
        ]
        .iter()
        .find_map(|word| {
            let head = trimmed.get(..word.len())?;
            head.eq_ignore_ascii_case(word).then(|| &trimmed[word.len()..])
        });
        // `a` before a sign can be a variable
        match next {
            Some(behind) if !behind.starts_with(['=', '+', '-', '<', '>']) => rest = behind,
            _ => return text.len() - trimmed.len(),
        }
    }
}
