//! Questions inside a text ("Cloze"): `{2:SHORTANSWER:=Paris#Yes~%50%paris~*#No}`.
//!
//! Moodle's embedded answers have an optional weight, a type in capital letters, and alternatives separated by `~`. An
//! alternative is an answer after an optional `=` or `%percent%`, with optional feedback after `#`. In an answer, a
//! special character is literal after `\`, and also after `&`, so `&#39;` is possible. Text that only begins like a
//! question remains text.

use crate::rich::lenient_unescape;

use super::question::{Answer, ClozeBlank, ClozeKind, ClozePiece, Share, Text, TextFormat};

const KINDS: &[(&[&str], ClozeKind)] = &[
    (&["NUMERICAL", "NM"], ClozeKind::Numerical),
    (
        &[
            "MULTICHOICE",
            "MC",
            "MULTICHOICE_V",
            "MCV",
            "MULTICHOICE_H",
            "MCH",
            "MULTICHOICE_S",
            "MCS",
            "MULTICHOICE_VS",
            "MCVS",
            "MULTICHOICE_HS",
            "MCHS",
        ],
        ClozeKind::Choice,
    ),
    (&["SHORTANSWER", "SA", "MW"], ClozeKind::ShortAnswer { case: false }),
    (&["SHORTANSWER_C", "SAC", "MWC"], ClozeKind::ShortAnswer { case: true }),
    (
        &[
            "MULTIRESPONSE",
            "MR",
            "MULTIRESPONSE_H",
            "MRH",
            "MULTIRESPONSE_S",
            "MRS",
            "MULTIRESPONSE_HS",
            "MRHS",
        ],
        ClozeKind::Multiple,
    ),
];

/// The maximum number of questions in a text, and of malformed ones.
const MAX_BLANKS: usize = 200;

/// The maximum number of alternatives of a question; a text with more is not a question.
const MAX_ALTERNATIVES: usize = 2_000;

/// Returns whether a text contains the beginning of a question.
pub(crate) fn has_blanks(text: &str) -> bool {
    text.match_indices('{').any(|(at, _)| header(&text[at..]).is_some())
}

/// Returns the pieces of a text in linear time. Each malformed question can cost one more scan of the text, but at most
/// [`MAX_BLANKS`] of them are tried. The last piece is [`ClozePiece::Unread`] if there are more.
pub(crate) fn parse(text: &str) -> Vec<ClozePiece> {
    let mut pieces = Vec::new();
    let mut plain_from = 0;
    let mut from = 0;
    let mut blanks = 0;
    let mut hopeless = 0;
    while let Some(at) = text[from..].find('{').map(|at| from + at) {
        if (blanks == MAX_BLANKS || hopeless == MAX_BLANKS) && header(&text[at..]).is_some() {
            if plain_from < at {
                pieces.push(ClozePiece::Text(text[plain_from..at].to_owned()));
            }
            pieces.push(ClozePiece::Unread);
            return pieces;
        }
        match blank(&text[at..]) {
            Some((blank, length)) => {
                if plain_from < at {
                    pieces.push(ClozePiece::Text(text[plain_from..at].to_owned()));
                }
                pieces.push(ClozePiece::Blank(blank));
                blanks += 1;
                from = at + length;
                plain_from = from;
            }
            None => {
                hopeless += usize::from(header(&text[at..]).is_some());
                from = at + 1;
            }
        }
    }
    if plain_from < text.len() {
        pieces.push(ClozePiece::Text(text[plain_from..].to_owned()));
    }
    pieces
}

/// Returns the weight, the kind and the length of a header such as `{2:SHORTANSWER:`.
fn header(text: &str) -> Option<(u32, ClozeKind, usize)> {
    let rest = text.strip_prefix('{')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let weight =
        if digits == 0 { 1 } else { rest[..digits].parse().ok().filter(|weight| *weight <= 1_000_000)? };
    let rest = rest[digits..].strip_prefix(':')?;
    let name = rest.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
    rest[name..].strip_prefix(':')?;
    let (_, kind) = KINDS.iter().find(|(names, _)| names.contains(&&rest[..name]))?;
    Some((weight, *kind, 1 + digits + 1 + name + 1))
}

fn blank(text: &str) -> Option<(ClozeBlank, usize)> {
    let (weight, kind, mut at) = header(text)?;
    let mut answers = Vec::new();
    // Whether an alternative has a percentage other than `%0%`, so that right answers do not simply share the grade.
    let mut specific = false;
    loop {
        // Moodle ignores a `~` before an alternative.
        at += usize::from(text[at..].starts_with('~'));
        let (share, taken) = fraction(&text[at..]);
        specific |= text[at..].starts_with('%') && share.as_ref().is_some_and(|share| !share.value.is_zero());
        at += taken;
        // An answer has at least one character; the first can be any except `}`.
        let first = text[at..].chars().next().filter(|first| *first != '}')?;
        let mut end = at + first.len_utf8();
        end += answer_end(text, at, end)?;
        let answer = &text[at..end];
        at = end;
        let mut feedback = "";
        if text[at..].starts_with('#') {
            let length = feedback_end(&text[at + 1..])?;
            feedback = &text[at + 1..at + 1 + length];
            at += 1 + length;
        }
        if answers.len() == MAX_ALTERNATIVES {
            return None;
        }
        answers.push(alternative(kind, answer, share, feedback));
        let closed = text[at..].starts_with('}');
        at += 1;
        if closed {
            break;
        }
    }
    let mut blank = ClozeBlank { weight, kind, answers };
    if kind == ClozeKind::Multiple {
        share_among(&mut blank.answers, specific);
    }
    Some((blank, at))
}

/// Returns the offset from `from` to the character that ends the answer which began at `start`.
fn answer_end(text: &str, start: usize, from: usize) -> Option<usize> {
    text[from..].match_indices(['~', '#', '}']).map(|(at, _)| at).find(|at| {
        let before = &text[start..from + at];
        !(before.ends_with('\\') || before.ends_with('&') || before.ends_with("&amp;"))
    })
}

fn feedback_end(text: &str) -> Option<usize> {
    text.match_indices(['~', '}']).map(|(at, _)| at).find(|at| !text[..*at].ends_with('\\'))
}

/// Returns the share before an answer and its length in the text: `=`, `%50%`, or nothing.
fn fraction(text: &str) -> (Option<Share>, usize) {
    if text.starts_with('=') {
        return (Some(fablegrade_public::Ratio::one().into()), 1);
    }
    let read = || {
        let rest = text.strip_prefix('%')?;
        let inside = &rest[..rest.bytes().take(24).position(|byte| byte == b'%')?];
        let digits = inside.strip_prefix('-').unwrap_or(inside);
        if !digits.starts_with(|first: char| first.is_ascii_digit()) || inside.len() > 20 {
            return None;
        }
        Some((Share::percent(inside.trim_end_matches(['.', ',']))?, inside.len() + 2))
    };
    read().map_or((None, 0), |(share, length)| (Some(share), length))
}

fn alternative(kind: ClozeKind, answer: &str, share: Option<Share>, feedback: &str) -> Answer {
    let plain = |text: &str| lenient_unescape(text).replace("\\}", "}").replace("\\#", "#");
    let feedback = Text::new(plain(feedback), TextFormat::Html);
    let share = share.unwrap_or_default();
    let mut result = Answer { share, feedback, ..Answer::default() };
    if kind == ClozeKind::Numerical {
        let (value, tolerance) = answer.trim().split_once(':').unwrap_or((answer.trim(), "0"));
        result.text = Text::new(lenient_unescape(value).replace(',', "."), TextFormat::Plain);
        result.tolerance = tolerance.replace(',', ".");
    } else {
        let format =
            if matches!(kind, ClozeKind::ShortAnswer { .. }) { TextFormat::Plain } else { TextFormat::Html };
        result.text = Text::new(plain(answer).trim(), format);
    }
    result
}

/// Scales the shares of right answers to a sum of 1. Without `specific` shares, each wrong answer costs as much as a right
/// answer earns.
fn share_among(answers: &mut [Answer], specific: bool) {
    use fablegrade_public::Ratio;
    let zero = Ratio::zero();
    let total = answers
        .iter()
        .filter(|answer| answer.share.value > zero)
        .fold(Ratio::zero(), |sum, answer| sum.plus(&answer.share.value));
    let Some(one) = Ratio::one().over(&total) else { return };
    for answer in answers {
        if answer.share.value > zero {
            answer.share.value = answer.share.value.times(&one);
        } else if !specific {
            answer.share.value = Ratio::zero().minus(&one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::moodle::question::{ClozeBlank, ClozeKind, ClozePiece};

    fn blanks(text: &str) -> Vec<ClozeBlank> {
        parse(text)
            .into_iter()
            .filter_map(|piece| match piece {
                ClozePiece::Blank(blank) => Some(blank),
                ClozePiece::Text(_) | ClozePiece::Unread => None,
            })
            .collect()
    }

    fn told(blank: &ClozeBlank) -> Vec<(String, String, String)> {
        blank
            .answers
            .iter()
            .map(|answer| {
                (
                    answer.text.text.clone(),
                    answer.share.value.to_fraction_text(),
                    answer.feedback.text.clone(),
                )
            })
            .collect()
    }

    fn row(text: &str, share: &str, feedback: &str) -> (String, String, String) {
        (text.to_owned(), share.to_owned(), feedback.to_owned())
    }

    #[test]
    fn alternatives_have_shares_and_feedback() {
        let found =
            blanks("The river is {2:SHORTANSWER:=Rhine#Yes~%50%Rhein~*#No \\} at all}, and {:MC:a~=b}.");
        assert_eq!(found[0].weight, 2);
        assert_eq!(
            told(&found[0]),
            [row("Rhine", "1", "Yes"), row("Rhein", "1/2", ""), row("*", "0", "No } at all")]
        );
        assert_eq!(found[1].kind, ClozeKind::Choice);
        assert_eq!(told(&found[1]), [row("a", "0", ""), row("b", "1", "")]);
    }

    #[test]
    fn a_sign_before_the_first_alternative_is_ignored() {
        let found = blanks("{1:SHORTANSWER:~=Paris~%50%paris}{1:MC:~=a~b}{1:NM:~%100%3:1}");
        assert_eq!(told(&found[0]), [row("Paris", "1", ""), row("paris", "1/2", "")]);
        assert_eq!(told(&found[1]), [row("a", "1", ""), row("b", "0", "")]);
        assert_eq!(found[2].answers[0].share.value.to_fraction_text(), "1");
    }

    #[test]
    fn escapes_and_entities_are_text() {
        let found = blanks("{1:SAC:=don&#39;t~=a\\#b~=x\\}y~=1 &lt; 2}");
        assert_eq!(found[0].kind, ClozeKind::ShortAnswer { case: true });
        let texts: Vec<_> = found[0].answers.iter().map(|answer| answer.text.text.as_str()).collect();
        assert_eq!(texts, ["don't", "a#b", "x}y", "1 < 2"]);
    }

    #[test]
    fn numbers_have_tolerances_and_decimal_commas() {
        let found = blanks("{1:NUMERICAL:=5,17:0,01~%50%5:1#near}");
        assert_eq!(found[0].answers[0].text.text, "5.17");
        assert_eq!(found[0].answers[0].tolerance, "0.01");
        assert_eq!(found[0].answers[1].share.value.to_fraction_text(), "1/2");
    }

    #[test]
    fn several_right_answers_share_the_grade() {
        let found = blanks("{1:MULTIRESPONSE:=a~b~=c}{1:MR:%80%a~%-10%b~%80%c}");
        let shares = |index: usize| -> Vec<String> {
            found[index].answers.iter().map(|answer| answer.share.value.to_fraction_text()).collect()
        };
        assert_eq!(shares(0), ["1/2", "-1/2", "1/2"]);
        assert_eq!(shares(1), ["1/2", "-1/10", "1/2"]);
        // A written percentage means that wrong answers cost nothing, also if it is 100.
        let found = blanks("{1:MR:%100%a~%0%b~%100%c}");
        let shares: Vec<_> =
            found[0].answers.iter().map(|answer| answer.share.value.to_fraction_text()).collect();
        assert_eq!(shares, ["1/2", "0", "1/2"]);
    }

    #[test]
    fn a_text_with_too_many_questions_is_cut() {
        let many = |one: &str, count: usize| parse(&format!("{}{{x}} {{y", one.repeat(count)));
        for one in ["{1:SA:=Paris}", "{1:SA:}"] {
            assert_eq!(many(one, 201).last(), Some(&ClozePiece::Unread), "{one}");
            assert!(!format!("{:?}", many(one, 201)).contains("{x}"));
            assert!(many(one, 200).last() != Some(&ClozePiece::Unread), "{one}");
        }
    }

    #[test]
    fn text_that_is_not_a_question_stays_text() {
        for text in ["{}", "{1:UNKNOWN:=a}", "{1:MC:=a", "{1:MC:}", "{x}", "{1:mc:=a}", "\\{1:"] {
            assert_eq!(parse(text), [ClozePiece::Text(text.to_owned())], "{text}");
        }
    }
}
