//! Finds values stated in running text.

use std::ops::Range;

use super::groups::end_of;
use super::{Place, labels, options, phrases, sentences, values};
use crate::reading::words;

/// Returns the value that a response without a box, tag or marker states last.
pub(super) fn last_stated(text: &str, window: Range<usize>) -> Option<(Range<usize>, Place)> {
    let all = &text[window.clone()];
    let lead = all.len() - all.trim_start().len();
    let body = labels::without_closing(all.trim());
    let start = window.start + lead;
    let at = |range: Range<usize>| start + range.start..start + range.end;
    if let Some(range) = in_structure(body) {
        return Some((at(range), Place::Statement));
    }
    let line = body.rfind('\n').map_or(0, |end| end + 1);
    if let Some(range) = labels::labelled(&body[line..]) {
        return Some((at(line + range.start..line + range.end), Place::Statement));
    }
    if let Some(range) = value_line(&body[line..]).filter(|_| line > 0) {
        return Some((at(line + range.start..line + range.end), Place::Statement));
    }
    if let Some(range) = whole(body) {
        return Some((at(range), Place::WholeText));
    }
    if let Some(range) = last_bold(body) {
        return Some((at(range), Place::Bold));
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
    if let Some(range) = final_formula(body) {
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

/// Returns a line that is only a value: `### 21`, `=> x = 2, x = 3`.
fn value_line(line: &str) -> Option<Range<usize>> {
    if line.starts_with(['-', '*', '+']) && !line.starts_with("**")
        || !line.bytes().any(|byte| byte.is_ascii_digit())
    {
        // a list item, or a line without digits
        return None;
    }
    let lead = line.len() - line.trim_start_matches(['#', '*', '_', '`', ' ', '>', '∴', '→']).len();
    let arrow = ["=> ", "-> "].iter().find(|arrow| line.starts_with(**arrow)).map_or(0, |arrow| arrow.len());
    let lead = lead.max(arrow);
    let value = line[lead..].trim_end_matches(['*', '_', '`', ' ', '.', '!']);
    values::is_value(value).then(|| lead..lead + value.len())
}

/// Returns the part of a text that is searched for sentences: at most its last 2,000 bytes.
pub(super) fn last_paragraphs(text: &str) -> &str {
    let tail = end_of(text, 2_000);
    if tail.len() == text.len() { tail } else { tail.find(['\n', ' ']).map_or(tail, |at| &tail[at..]) }
}

/// Returns the answer of a text that is only a value, a short clause, or a value with a reason.
fn whole(body: &str) -> Option<Range<usize>> {
    let unmarked = body.trim_matches(['*', '`', '_']);
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
    let formula = unmarked.starts_with(['\\', '{', '(', '[', '$', '-', '|']) && !sentence;
    // `Tom pays 45 dollars.`
    let ended = unmarked.ends_with('.')
        && words > 2
        && unmarked.starts_with(char::is_uppercase)
        && only_value(unmarked).is_some();
    if formula || (single_line && words <= 4 && !sentence && !ended) {
        return Some(start..start + unmarked.trim_end_matches('!').len());
    }
    None
}

/// Returns the length of a `yes` or `no` that starts a single sentence without numbers and formulas.
fn yes_or_no(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, rest) = text.split_at(length);
    let plain =
        rest.bytes().all(|byte| !byte.is_ascii_digit() && !matches!(byte, b'\\' | b'$' | b'=' | b'?'));
    let one_sentence = sentences::sentence_end(rest.trim_start_matches([',', '.'])) + 2 >= rest.len();
    (matches!(word.to_ascii_lowercase().as_str(), "yes" | "no")
        && rest.starts_with([',', '.'])
        && !rest.contains(" but ")
        && plain
        && one_sentence)
        .then_some(length)
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

/// Returns the last line of a program's output or the last cell of a table, if it is a value.
fn in_structure(body: &str) -> Option<Range<usize>> {
    if let Some(fenced) = body.strip_suffix("```") {
        let open = fenced.rfind("```")?;
        let first_line = fenced[open..].find('\n')? + open;
        let language = fenced[open + 3..first_line].trim();
        if !matches!(language, "" | "output" | "text" | "plaintext") {
            return None;
        }
        let output = fenced[first_line..].trim_end();
        let start = first_line + output.rfind('\n').map_or(0, |at| at + 1);
        let indented = &fenced[start..first_line + output.len()];
        let line = indented.trim();
        let start = start + indented.len() - indented.trim_start().len();
        return values::is_value(line).then(|| start..start + line.len());
    }
    let line_start = body.rfind('\n').map_or(0, |at| at + 1);
    let line = body[line_start..].trim();
    let cells = line.strip_prefix('|')?.strip_suffix('|')?;
    // a bar inside the last formula does not separate cells
    let closed = cells.trim_end().strip_suffix('$');
    let open = closed.and_then(|inside| inside.rfind('$')).unwrap_or(cells.len());
    let cell_start = cells[..open].rfind('|').map_or(0, |at| at + 1);
    let cell = &cells[cell_start..];
    let value = cell.trim_matches([' ', '*']);
    let lead = cell.len() - cell.trim_start_matches([' ', '*']).len();
    let start = line_start + body[line_start..].find(line)? + 1 + cell_start + lead;
    values::is_value(value).then(|| start..start + value.len())
}

/// Returns the last bold text at the end of the response that is a value or states one.
fn last_bold(body: &str) -> Option<Range<usize>> {
    let tail = last_paragraphs(body);
    let offset = body.len() - tail.len();
    let mut marks = tail.match_indices("**").map(|(at, _)| at);
    let mut last = None;
    while let (Some(open), Some(close)) = (marks.next(), marks.next()) {
        let inside = &tail[open + 2..close];
        if inside.contains("\n\n") || inside.trim_end().ends_with(':') {
            continue;
        }
        let value = inside.trim();
        let bare = value.trim_end_matches(['.', '!']);
        let length = values::value_length(value);
        let option = crate::reading::option::choice(value).is_some_and(|choice| !choice.text.is_empty());
        if option && tail[close + 2..].trim_matches(['.', '!', ' ', '\n']).is_empty() {
            let start = offset + open + 2 + (inside.len() - inside.trim_start().len());
            last = Some(start..start + value.len());
            continue;
        }
        let yes_or_no = matches!(bare.to_ascii_lowercase().as_str(), "yes" | "no" | "true" | "false");
        // at the very end, a noun for the counted things can follow
        let last_words = tail[close + 2..].trim_matches(['.', '!', ' ', '\n']).is_empty();
        let noun = bare[length.min(bare.len())..].trim();
        let counted = last_words
            && noun.split(' ').count() <= 3
            && bare.starts_with(|c: char| c.is_ascii_digit())
            && noun.chars().all(|c| c.is_lowercase() || c == ' ');
        if yes_or_no || (length > 0 && (length >= bare.len() || counted)) {
            let start = offset + open + 2 + (inside.len() - inside.trim_start().len());
            last = Some(start..start + bare.len().max(1));
        } else if length == 0 && bare.split_whitespace().count() > 2 {
            // a sentence in bold
            if let Some(stated) = stated(bare, false) {
                let start = offset + open + 2 + (inside.len() - inside.trim_start().len());
                last = Some(start + stated.start..start + stated.end);
            }
        }
    }
    last
}

/// Returns the formula at the end of a text, or the list of formulas that ends with it.
fn final_formula(body: &str) -> Option<Range<usize>> {
    let end = body.trim_end_matches(['.', '!', ' ', '✓']);
    for (open, close) in [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")] {
        let Some(inside) = end.strip_suffix(close) else { continue };
        if let Some(at) = inside.rfind(open) {
            let formula = &inside[at + open.len()..];
            let money = formula.starts_with(' ') && formula.contains(" and ");
            if !money && !formula.trim().is_empty() {
                let first = if open == "$" { first_named(end, at) } else { at };
                return Some(first..end.len());
            }
        }
    }
    None
}

/// Returns the start of the list of named values that ends with the formula at `at`.
///
/// Examples: `$x=1$ and $y=2$`; `$x=2$ or $x=3$`.
fn first_named(text: &str, at: usize) -> usize {
    let name = |formula: &str| {
        let relations = ["=", "<", ">", "\\le", "\\ge", "≤", "≥"];
        let (sign, relation) = relations.iter().filter_map(|sign| Some((formula.find(sign)?, sign))).min()?;
        let (name, value) = (&formula[..sign], &formula[sign + relation.len()..]);
        let (letter, index) = name.trim().split_at_checked(1)?;
        let index = index.strip_prefix('_').unwrap_or(index).trim_matches(['{', '}']);
        let single = letter.bytes().all(|byte| byte.is_ascii_alphabetic())
            && index.bytes().all(|byte| byte.is_ascii_digit());
        (single && !value.contains('=')).then_some(*relation == "=")
    };
    // a list has only equations or only inequalities
    let last = name(text[at..].trim_matches('$'));
    let mut named = last.is_some();
    let mut first = at;
    for _ in 0..10 {
        if !named {
            break;
        }
        let whole = text[..first].trim_end();
        let before =
            ["and", "or"].iter().find_map(|joint| whole.strip_suffix(joint)).map_or(whole, str::trim_end);
        let before = before.strip_suffix(',').map_or(before, str::trim_end);
        let Some(inside) = before.strip_suffix('$').filter(|_| before.len() < whole.len()) else { break };
        let Some(open) = inside.rfind('$') else { break };
        named = name(&inside[open + 1..]) == last;
        if named {
            first = open;
        }
    }
    if first == at { first_listed(text, at) } else { first }
}

/// Returns the start of the list of formulas that ends with the formula at `at`: `are $4$ and $6$`.
///
/// Returns `at` if no verb or colon precedes the list.
fn first_listed(text: &str, at: usize) -> usize {
    let mut first = at;
    for _ in 0..10 {
        let whole = text[..first].trim_end();
        let before =
            ["and", "or"].iter().find_map(|joint| whole.strip_suffix(joint)).map_or(whole, str::trim_end);
        let before = before.strip_suffix(',').map_or(before, str::trim_end);
        let Some(inside) = before.strip_suffix('$').filter(|_| before.len() < whole.len()) else { break };
        let Some(open) = inside.rfind('$') else { break };
        first = open;
    }
    if [" are ", " is ", " be ", ": "].iter().any(|verb| text[..first].ends_with(verb)) { first } else { at }
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
    let supposed = ["if ", "suppose ", "assume ", "assuming "].iter().any(|word| lower.starts_with(word));
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
        if negated(place) || supposed && place <= concluded || lower[..place].ends_with(" out of ") {
            continue;
        }
        let rest = &sentence[place..];
        let skipped = leading_words(rest);
        let value = values::value_length(&rest[skipped..]);
        if lower[..place].ends_with(" is ") && values::is_part(&rest[skipped..]) {
            return None;
        }
        if value > 0 {
            let range = whole_value(place + skipped..place + skipped + value);
            if phrases::goes_on(&lower[range.end..]) || values::is_share_of(lower[range.end..].trim_start()) {
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
                return if concluded { None } else { Some(whole_list(sentence, &places, range)) };
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
    let range = only_value(sentence)?;
    acceptable(&range).then_some(range)
}

/// Returns the whole list that ends with the value `last`: `x = 0 and x = 2`.
fn whole_list(sentence: &str, places: &[usize], last: Range<usize>) -> Range<usize> {
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
    places.iter().find_map(|place| {
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
        ]
        .iter()
        .any(|word| behind.starts_with(word));
        let goes_on = [" so ", " then ", "hence", "thus", "therefore", " gives ", " get ", " answer"]
            .iter()
            .any(|word| behind.contains(word));
        (value > 0 && place_of_it && !goes_on && !is_article(&sentence[range.clone()])).then_some(range)
    })
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

fn is_article(value: &str) -> bool {
    matches!(value.trim(), "a" | "A" | "I" | "s" | "t")
}

/// Returns the length of the words between a copula and its value, such as articles and adverbs.
fn leading_words(text: &str) -> usize {
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

/// Returns the only value of a sentence, together with a month before it.
fn only_value(sentence: &str) -> Option<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < sentence.len() && found.len() < 3 {
        let rest = &sentence[at..];
        let starts = at == 0 || sentence[..at].ends_with(|c: char| !c.is_alphanumeric() && c != '_');
        let c = rest.chars().next()?;
        let signed = matches!(c, '-' | '−')
            && sentence[..at].ends_with(' ')
            && rest[c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        let value_start = c.is_ascii_digit()
            || c == '$'
            || c == '('
            || signed
            || rest.starts_with("\\(")
            || values::starts_decimals(sentence, at);
        if value_start && (starts || !sentence[..at].ends_with(|c: char| c.is_ascii())) {
            let length = values::value_length(rest);
            if length > 0 {
                found.push(at..at + length);
                at += length;
                continue;
            }
        }
        at += c.len_utf8();
    }
    match found.as_slice() {
        // `March 5` is a date, not the number 5
        [only] => {
            let before = sentence[..only.start].trim_end();
            let word = before.rsplit(' ').next().unwrap_or(before);
            let start = if words::is_month(word) { before.len() - word.len() } else { only.start };
            Some(start..only.end)
        }
        _ => None,
    }
}
