//! GIFT: Moodle's text format for questions.
//!
//! It is read as Moodle reads it. Some texts that Moodle's importer or a strict grammar rejects are read too, because
//! their meaning is clear: blank lines inside an answer section, `=` in an HTML attribute, `#` in a character
//! reference, and embedded answers ("Cloze"). The report notes each of these. An unreadable question is reported, and
//! reading continues.

mod signs;

use std::borrow::Cow;

use fablegrade_public::{Decimal, Ratio};

use self::signs::{Block, Paragraph, Sign, blocks, find, find_text, plain, starts_with, trim};
use crate::format::{Sink, Source};
use crate::loss::{Loss, Place, ReadError};
use crate::moodle::cloze;
use crate::moodle::question::{Answer, Kind, Question, Share, Text, TextFormat, normal_number};

/// Returns whether a file looks like GIFT.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    let name = source.name().to_ascii_lowercase();
    if name.ends_with(".gift") || name.ends_with(".gift.txt") {
        return true;
    }
    let head = source.head();
    name.ends_with(".txt")
        && !head.trim_start().starts_with('<')
        && (head.lines().any(|line| line.starts_with("::") || line.starts_with("$CATEGORY:"))
            || sections(&head))
}

/// Returns whether a text seems to contain an answer section.
fn sections(head: &str) -> bool {
    ["{=", "{~", "{T}", "{F}", "{TRUE", "{FALSE", "{#", "{\n"].iter().any(|sign| head.contains(sign))
        || cloze::has_blanks(head)
}

/// Reads the items of a file. A file that is neither UTF-8 nor marked as UTF-16 is read as Windows-1252, and each item
/// reports this.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    emit(source, questions, items)
}

/// Reads a text file with `read` and emits its questions as items.
pub(crate) fn emit(
    source: &Source<'_>,
    read: fn(&str) -> Vec<Question>,
    items: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let (text, guessed) = match crate::text::decode(source.bytes) {
        Ok(text) => (text, false),
        Err(error) if error.rule == "encoding" => {
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(source.bytes);
            if text.contains('\0') {
                return Err(error);
            }
            (Cow::Owned(text.into_owned()), true)
        }
        Err(error) => return Err(error),
    };
    for (index, mut question) in read(&text).into_iter().enumerate() {
        if index == MAX_QUESTIONS {
            items(Err(ReadError::new(
                question.place,
                "too-many-questions",
                format!("the file has more than {MAX_QUESTIONS} questions, and is read up to here"),
                "split the file",
            )));
            break;
        }
        if guessed {
            question.losses.push(Loss::metadata(
                question.place.clone(),
                "encoding-guessed",
                "the file is not UTF-8 and was read as Windows-1252",
                "save the file as UTF-8",
            ));
        }
        items(Ok(crate::moodle::item(question, &format!("q{}", index + 1))));
    }
    Ok(())
}

/// The maximum number of questions in a file; an error reports that there are more.
const MAX_QUESTIONS: usize = 200_000;

/// Returns the questions of a text, in order; at most one more than [`MAX_QUESTIONS`].
pub(crate) fn questions(text: &str) -> Vec<Question> {
    let mut category = String::new();
    let mut found = Vec::new();
    for block in blocks(text) {
        match block {
            Block::Category(name) => category = name,
            Block::Question(paragraph) => {
                let mut question = question(&paragraph);
                question.category.clone_from(&category);
                found.push(question);
                if found.len() > MAX_QUESTIONS {
                    break;
                }
            }
        }
    }
    found
}

/// Reads a text with an optional format prefix, such as `[html]<b>x</b>`.
fn formatted(signs: &[Sign], default: TextFormat) -> Text {
    let mut text = trim(signs);
    let mut format = default;
    if starts_with(text, "[")
        && let Some(end) = find(text, ']')
        && let Some(named) = TextFormat::named(&plain(&text[1..end]))
        && !plain(&text[1..end]).contains('_')
    {
        format = named;
        text = &text[end + 1..];
    }
    Text::new(plain(text).trim(), format)
}

fn question(paragraph: &Paragraph) -> Question {
    let place = Place::new("", paragraph.line);
    let mut rest = trim(&paragraph.signs);
    let mut name = None;
    if starts_with(rest, "::")
        && let Some(length) = find_text(&rest[2..], "::")
    {
        name = Some(plain(&rest[2..2 + length]).trim().to_owned());
        rest = trim(&rest[2 + length + 2..]);
    }
    let mut read = Reading { notes: paragraph.notes.clone(), score_notes: Vec::new() };
    let result = match paragraph.broken {
        Some(why) => Err((rest.to_vec(), why.to_owned())),
        None => body(rest, &mut read).map_err(|why| (rest.to_vec(), why)),
    };
    let (text, general, kind, failed) = match result {
        Ok((text, general, kind)) => (text, general, kind, None),
        Err((signs, why)) => {
            (Text::new(plain(&signs), TextFormat::Plain), Text::default(), Kind::Description, Some(why))
        }
    };
    let mut question = Question::new(name.unwrap_or_default(), text, kind, place.clone());
    question.general_feedback = general;
    if let Some(why) = failed {
        question.kind = Kind::Other(String::new());
        question.losses.push(Loss::score(
            place.clone(),
            "gift-syntax",
            format!("this question cannot be read: {why}"),
            "correct it in the file; a sign of GIFT in a text needs a backslash before it",
        ));
    }
    let mut notes: Vec<(&'static str, &'static str)> = Vec::new();
    for note in read.notes {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    for (rule, note) in notes {
        question.losses.push(Loss::metadata(
            place.clone(),
            rule,
            note,
            "check that the question was read as intended",
        ));
    }
    for (rule, note) in read.score_notes {
        question.losses.push(Loss::score(
            place.clone(),
            rule,
            note,
            "check that the question was read as intended",
        ));
    }
    question.id_number = comment_values(&paragraph.comments, "[id:").into_iter().next().unwrap_or_default();
    question.tags = comment_values(&paragraph.comments, "[tag:");
    question
}

/// Returns the values of `[id:...]` or `[tag:...]` in comments; `\]` is a literal bracket.
fn comment_values(comments: &str, opening: &str) -> Vec<String> {
    let mut values = Vec::new();
    for line in comments.split('\n') {
        let mut rest = line;
        while let Some(at) = rest.find(opening) {
            rest = &rest[at + opening.len()..];
            let end = rest.match_indices(']').map(|(at, _)| at).find(|at| !rest[..*at].ends_with('\\'));
            // If this value has no end, later values of the line have none either.
            let Some(end) = end else { break };
            let value = rest[..end].replace("\\]", "]").trim().to_owned();
            if !value.is_empty() {
                values.push(value);
            }
            rest = &rest[end..];
        }
    }
    values
}

struct Reading {
    notes: Vec<(&'static str, &'static str)>,
    /// Notes on texts that Moodle reads differently.
    score_notes: Vec<(&'static str, &'static str)>,
}

/// Returns the text for the Cloze parser, which keeps only the escapes of `~`, `#`, `}` and `{`.
fn cloze_source(signs: &[Sign]) -> String {
    let mut source = String::with_capacity(signs.len());
    for sign in signs {
        if sign.escaped && matches!(sign.char, '~' | '#' | '}' | '{') {
            source.push('\\');
        }
        source.push(sign.char);
    }
    source
}

type Body = (Text, Text, Kind);

fn body(signs: &[Sign], read: &mut Reading) -> Result<Body, String> {
    let (open, close) = match (find(signs, '{'), find(signs, '}')) {
        (None, None) => return Ok((formatted(signs, TextFormat::Auto), Text::default(), Kind::Description)),
        (Some(open), Some(close)) if open < close => (open, close),
        (None, _) => return Err("it has a `}` without a `{`".to_owned()),
        (_, None) => return Err("an answer section is not closed with `}`".to_owned()),
        _ => return Err("there is a `}` before the first `{`".to_owned()),
    };
    let source = cloze_source(signs);
    if cloze::has_blanks(&source) {
        let format = formatted(signs, TextFormat::Auto).format;
        let pieces = cloze::parse(&source);
        read.score_notes.push((
            "cloze-in-gift",
            "embedded answers are in the text, which Moodle's GIFT importer takes for one list of choices",
        ));
        return Ok((Text::new(String::new(), format), Text::default(), Kind::Cloze { pieces }));
    }
    let (before, mut inside, after) = (&signs[..open], trim(&signs[open + 1..close]), &signs[close + 1..]);
    if find(after, '{').is_some() {
        read.notes.push(("more-answers", "only the first answer section of a question counts"));
    }
    let mut text = before.to_vec();
    if !trim(after).is_empty() {
        text.extend("_____".chars().map(|char| Sign { char, escaped: false }));
        text.extend(after);
    }
    let text = formatted(&text, TextFormat::Auto);
    let format = text.format;
    let mut general = Text::default();
    if let Some(at) = (0..inside.len()).rev().find(|at| starts_with(&inside[*at..], "####")) {
        general = formatted(&inside[at + 4..], format);
        inside = trim(&inside[..at]);
    }
    let kind = if inside.is_empty() {
        Kind::Essay { min_words: None, max_words: None, text_allowed: true }
    } else if starts_with(inside, "#") {
        numerical(&inside[1..], format)?
    } else if find(inside, '~').is_some() {
        choice(inside, format, read)?
    } else if markers(inside, read).iter().any(|_| true) && find_text(inside, "->").is_some() {
        matching(inside, format, read)?
    } else {
        short_or_truth(inside, format, read)?
    };
    Ok((text, general, kind))
}

/// Returns the positions of `~` and `=` that begin an answer.
///
/// An `=` between the name and the quoted value of an HTML attribute does not.
fn markers(signs: &[Sign], read: &mut Reading) -> Vec<usize> {
    let mut places = Vec::new();
    let mut in_tag = false;
    for (at, sign) in signs.iter().enumerate() {
        if sign.char == '<' {
            in_tag = signs.get(at + 1).is_some_and(|next| next.char.is_ascii_alphabetic());
        } else if sign.char == '>' {
            in_tag = false;
        }
        if sign.escaped {
            continue;
        }
        match sign.char {
            '~' => {
                in_tag = false;
                places.push(at);
            }
            '=' => {
                let named = at > 0 && (signs[at - 1].char.is_alphanumeric() || signs[at - 1].char == '-');
                let quoted = signs.get(at + 1).is_some_and(|next| matches!(next.char, '"' | '\''));
                if in_tag && named && quoted {
                    read.notes.push(("unescaped-sign", "an `=` in an HTML attribute was read as text"));
                } else {
                    places.push(at);
                }
            }
            _ => {}
        }
    }
    places
}

/// Returns the answers with their markers. Text before the first marker is an answer with the marker ` `.
fn split(signs: &[Sign], read: &mut Reading) -> Vec<(char, Vec<Sign>)> {
    let places = markers(signs, read);
    let mut answers = Vec::new();
    let first = places.first().copied().unwrap_or(signs.len());
    if !trim(&signs[..first]).is_empty() {
        answers.push((' ', trim(&signs[..first]).to_vec()));
    }
    for (index, &at) in places.iter().enumerate() {
        let end = places.get(index + 1).copied().unwrap_or(signs.len());
        answers.push((signs[at].char, trim(&signs[at + 1..end]).to_vec()));
    }
    // In `~=right`, both characters mark one answer.
    let mut joined: Vec<(char, Vec<Sign>)> = Vec::with_capacity(answers.len());
    for (marker, signs) in answers {
        match joined.last_mut() {
            Some((before, empty)) if *before == '~' && marker == '=' && empty.is_empty() => {
                *before = '=';
                *empty = signs;
            }
            _ => joined.push((marker, signs)),
        }
    }
    joined
}

/// Returns the share before an answer, such as `%50%`, and the rest.
fn weight(signs: &[Sign]) -> Option<(Share, &[Sign])> {
    let rest = signs.strip_prefix(&[Sign { char: '%', escaped: false }])?;
    let length = find(rest, '%').filter(|length| *length <= 20)?;
    Some((Share::percent(&plain(&rest[..length]))?, &rest[length + 1..]))
}

/// Returns an answer and its feedback from `text # feedback`. The `#` of a character reference is text.
fn commented(signs: &[Sign], format: TextFormat, read: &mut Reading) -> (Text, Text) {
    let hash = (0..signs.len()).find(|&at| {
        if signs[at] != (Sign { char: '#', escaped: false }) {
            return false;
        }
        let digits = signs[at + 1..].iter().take_while(|sign| sign.char.is_ascii_alphanumeric()).count();
        let reference = at > 0
            && signs[at - 1].char == '&'
            && (1..=8).contains(&digits)
            && signs.get(at + 1 + digits).is_some_and(|sign| sign.char == ';');
        if reference {
            read.notes.push(("unescaped-sign", "a `#` in a character reference was read as text"));
        }
        !reference
    });
    match hash {
        Some(at) => (formatted(&signs[..at], format), formatted(&signs[at + 1..], format)),
        None => (formatted(signs, format), Text::default()),
    }
}

fn choice(signs: &[Sign], format: TextFormat, read: &mut Reading) -> Result<Kind, String> {
    let parts = split(signs, read);
    let single = parts.iter().any(|(marker, _)| *marker == '=');
    let mut answers = Vec::new();
    for (marker, signs) in &parts {
        let (share, rest) = match weight(signs) {
            Some((share, rest)) => (share, rest),
            None if *marker == '=' => (Ratio::one().into(), signs.as_slice()),
            None => (Share::default(), signs.as_slice()),
        };
        if *marker == ' ' {
            read.notes.push(("unmarked-answer", "an answer without `~` or `=` is a wrong one"));
        }
        let (text, feedback) = commented(rest, format, read);
        answers.push(Answer { text, share, feedback, ..Answer::default() });
    }
    if answers.len() < 2 {
        return Err("a choice question needs at least two answers".to_owned());
    }
    Ok(Kind::MultiChoice { single, shuffle: true, answers })
}

fn matching(signs: &[Sign], format: TextFormat, read: &mut Reading) -> Result<Kind, String> {
    let mut pairs = Vec::new();
    for (_, signs) in split(signs, read) {
        let arrow = find_text(&signs, "->").ok_or("one of several pairs has no `->`")?;
        let left = formatted(&signs[..arrow], format);
        let right = plain(trim(&signs[arrow + 2..])).trim().to_owned();
        pairs.push((left, Text::new(right, TextFormat::Plain)));
    }
    if pairs.len() < 2 {
        return Err("a matching question needs at least two pairs".to_owned());
    }
    Ok(Kind::Matching { pairs })
}

fn short_or_truth(signs: &[Sign], format: TextFormat, read: &mut Reading) -> Result<Kind, String> {
    let head = find(signs, '#').unwrap_or(signs.len());
    let truth = match plain(trim(&signs[..head])).as_str() {
        "T" | "TRUE" => Some(true),
        "F" | "FALSE" => Some(false),
        _ => None,
    };
    if let Some(correct) = truth {
        let mut told = signs[head..].split(|sign| *sign == Sign { char: '#', escaped: false }).skip(1);
        let wrong = told.next().map(|signs| formatted(signs, format)).unwrap_or_default();
        let right = told.next().map(|signs| formatted(signs, format)).unwrap_or_default();
        // The feedback for `true` is first.
        let feedback = if correct { [right, wrong] } else { [wrong, right] };
        return Ok(Kind::TrueFalse { correct, feedback });
    }
    let mut answers = Vec::new();
    for (_, signs) in split(signs, read) {
        let (share, rest) = weight(&signs).unwrap_or((Ratio::one().into(), signs.as_slice()));
        let (text, feedback) = commented(rest, TextFormat::Auto, read);
        answers.push(Answer { text, share, feedback, ..Answer::default() });
    }
    answers.retain(|answer| !answer.text.is_empty());
    if answers.is_empty() {
        return Err("a short answer needs an answer".to_owned());
    }
    Ok(Kind::ShortAnswer { case: false, answers })
}

fn numerical(signs: &[Sign], format: TextFormat) -> Result<Kind, String> {
    let mut read = Reading { notes: Vec::new(), score_notes: Vec::new() };
    let tilde = find(signs, '~').unwrap_or(signs.len());
    let wrong = signs.get(tilde + 1..).map(|signs| commented(trim(signs), format, &mut read).1);
    let mut answers = Vec::new();
    for (_, signs) in split(&signs[..tilde], &mut read) {
        let (share, rest) = weight(&signs).unwrap_or((Ratio::one().into(), signs.as_slice()));
        let (value, feedback) = commented(rest, format, &mut read);
        let (value, tolerance) = number(&value.text)?;
        answers.push(Answer {
            text: Text::new(value, TextFormat::Plain),
            share,
            feedback,
            tolerance,
            line: 0,
        });
    }
    if answers.is_empty() {
        return Err("a numerical question needs an answer".to_owned());
    }
    if let Some(feedback) = wrong.filter(|feedback| !feedback.is_empty()) {
        answers.push(Answer { text: Text::new("*", TextFormat::Plain), feedback, ..Answer::default() });
    }
    Ok(Kind::plain_number(answers))
}

/// Returns a value and its tolerance; a range is the value `min..max` with the tolerance `..`.
fn number(text: &str) -> Result<(String, String), String> {
    let text = text.trim();
    let wrong = || format!("`{text}` is not a number, a number with a tolerance, or a range");
    if let Some((least, most)) = text.split_once("..").filter(|(least, _)| !least.is_empty()) {
        let (least, most) = (normal_number(least).ok_or_else(wrong)?, normal_number(most).ok_or_else(wrong)?);
        let ordered = matches!(
            (Decimal::from_text(&least), Decimal::from_text(&most)),
            (Ok(least), Ok(most)) if least <= most
        );
        return if ordered { Ok((format!("{least}..{most}"), "..".to_owned())) } else { Err(wrong()) };
    }
    let (value, tolerance) = text.split_once(':').unwrap_or((text, "0"));
    let tolerance = normal_number(tolerance).ok_or_else(wrong)?;
    if value.trim() == "*" {
        return Ok(("*".to_owned(), tolerance));
    }
    Ok((normal_number(value).ok_or_else(wrong)?, tolerance))
}

#[cfg(test)]
mod tests {
    use super::{comment_values, questions};
    use crate::moodle::question::{Kind, Question, TextFormat};

    fn one(text: &str) -> Question {
        let mut found = questions(text);
        assert_eq!(found.len(), 1, "{text}");
        found.remove(0)
    }

    fn shares(question: &Question) -> Vec<(String, String)> {
        match &question.kind {
            Kind::MultiChoice { answers, .. }
            | Kind::ShortAnswer { answers, .. }
            | Kind::Numerical { answers, .. } => answers
                .iter()
                .map(|one| (one.text.text.clone(), one.share.value.to_fraction_text()))
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn kinds_are_told_apart_as_moodle_does() {
        let single = one("The sun {~rises =sets ~%50%waits} in the west.");
        assert!(matches!(single.kind, Kind::MultiChoice { single: true, .. }));
        assert_eq!(single.text.text, "The sun _____ in the west.");
        assert_eq!(shares(&single), pairs(&[("rises", "0"), ("sets", "1"), ("waits", "1/2")]));
        let several = one("Which are even?{ ~%50%2 ~%50%4 ~%-100%5 }");
        assert!(matches!(several.kind, Kind::MultiChoice { single: false, .. }));
        assert_eq!(shares(&several)[2].1, "-1");
        assert!(matches!(one("Sure?{T}").kind, Kind::TrueFalse { correct: true, .. }));
        assert!(matches!(one("Sure?{true}").kind, Kind::ShortAnswer { .. }));
        assert!(matches!(one("Write.{}").kind, Kind::Essay { .. }));
        assert!(matches!(one("Just text.").kind, Kind::Description));
        assert!(
            matches!(one("Pair.{=a -> 1 =b -> 2}").kind, Kind::Matching { ref pairs } if pairs.len() == 2)
        );
        assert!(matches!(one("Not pairs.{~a -> b =c -> d}").kind, Kind::MultiChoice { .. }));
        assert_eq!(shares(&one("Word?{one}")), pairs(&[("one", "1")]));
        assert_eq!(shares(&one("Word?{=one =%25%won}")), pairs(&[("one", "1"), ("won", "1/4")]));
    }

    #[test]
    fn numbers_have_tolerances_ranges_and_shares() {
        let found = one("Pi?{# =3.14:0.01 =%50%3..4 ~#Look again}");
        assert_eq!(shares(&found), pairs(&[("3.14", "1"), ("3..4", "1/2"), ("*", "0")]));
        assert_eq!(shares(&one("{#-5}.")), pairs(&[("-5", "1")]));
        for broken in ["x{#}", "x{#abc}", "x{#4..3}", "x{#1:z}"] {
            assert_eq!(one(broken).losses[0].rule, "gift-syntax", "{broken}");
        }
    }

    #[test]
    fn comments_before_a_blank_line_belong_to_no_question() {
        let found = questions(
            "// [id:a] [tag:x]\n\nOne?{T}\n\n// [id:b]\n// more\nTwo?{T}\n// [tag:z]\n\n// [id:c]\n   \nThree?{T}",
        );
        let ids: Vec<&str> = found.iter().map(|one| one.id_number.as_str()).collect();
        assert_eq!(ids, ["", "b", ""]);
        assert_eq!(found.iter().map(|one| one.tags.len()).collect::<Vec<_>>(), [0, 1, 0]);
    }

    #[test]
    fn escapes_names_formats_and_comments() {
        let found = one(
            "// [id:a1] [tag:x] [tag:y \\] z]\n::A\\:B::[html]1 \\= 1 \\{x\\}\\n\\\\n{=[plain]yes \\~ ok#good \\# so ####[markdown]*All*}",
        );
        assert_eq!((found.name.as_str(), found.id_number.as_str()), ("A:B", "a1"));
        assert_eq!(found.tags, ["x", "y ] z"]);
        assert_eq!(found.text.text, "1 = 1 {x}\n\\n");
        assert_eq!(found.text.format, TextFormat::Html);
        assert_eq!(found.general_feedback.format, TextFormat::Markdown);
        let Kind::ShortAnswer { answers, .. } = &found.kind else { panic!() };
        assert_eq!(answers[0].text.text, "yes ~ ok");
        assert_eq!(answers[0].feedback.text, "good # so");
    }

    #[test]
    fn questions_beyond_the_limit_are_an_error() {
        let text = "Q{T}\n\n".repeat(super::MAX_QUESTIONS + 2);
        let (mut count, mut errors) = (0, Vec::new());
        let source = crate::format::Source::new("q.gift", text.as_bytes());
        super::read(&source, &mut |item| match item {
            Ok(_) => count += 1,
            Err(error) => errors.push(error),
        })
        .unwrap();
        assert!(count == super::MAX_QUESTIONS && errors.len() == 1, "{count}: {errors:?}");
        assert_eq!((errors[0].rule, errors[0].place.line), ("too-many-questions", 2 * count as u32 + 1));
    }

    #[test]
    fn values_in_comments_end_on_their_line() {
        let values = |comments: &str| comment_values(comments, "[id:");
        assert_eq!(values("// [id:a [id:b]\n// [id:c\n// ] [id:d]"), ["a [id:b", "d"]);
        // Searching the rest for each of them would take too long.
        assert!(values(&"[id:".repeat(1_000_000)).is_empty());
        assert_eq!(values(&format!("{}]", "// [id:\n".repeat(300_000))), [""; 0]);
    }

    #[test]
    fn feedback_of_true_and_false_is_wrong_first() {
        let Kind::TrueFalse { correct, feedback } = one("x{F#no, false#right}").kind else { panic!() };
        assert!(!correct);
        assert_eq!((feedback[0].text.as_str(), feedback[1].text.as_str()), ("no, false", "right"));
    }

    #[test]
    fn plain_meaning_is_read_and_noted() {
        let found = one("Pick.{\n~<span class=\"x\">a</span>\n\n=b &#39;q&#39;\n}");
        assert_eq!(shares(&found).len(), 2);
        assert_eq!(shares(&found)[1].0, "b &#39;q&#39;");
        let rules: Vec<_> = found.losses.iter().map(|loss| loss.rule).collect();
        assert_eq!(rules, ["blank-line", "unescaped-sign", "unescaped-sign"]);
        let cloze = one("Paris is in {1:MC:=France~Spain} and {1:SA:=Europe}.");
        assert!(matches!(cloze.kind, Kind::Cloze { ref pieces } if pieces.len() == 5));
    }

    #[test]
    fn a_broken_question_does_not_lose_the_next() {
        let found = questions("$CATEGORY: top/x\n\n::a::Open {=b\n\n::c::Fine?{T}\n\nstray }\n\nlast{F}");
        assert_eq!(found.len(), 4);
        let broken: Vec<bool> = found.iter().map(|question| !question.losses.is_empty()).collect();
        assert_eq!(broken, [true, false, true, false]);
        assert!(found.iter().all(|question| question.category == "top/x"));
        assert_eq!(found[1].place.line, 5);
    }
}
