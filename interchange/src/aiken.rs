//! Aiken: a question, choices `A) ...` or `A. ...`, and `ANSWER: B`.
//!
//! The lines before the first choice are the question. A choice continues until the next choice, `FEEDBACK:` or
//! `ANSWER:`. Blank lines are ignored. A line `FEEDBACK: ...` before or after `ANSWER:` is the question's feedback, and
//! so are the lines after it, up to a choice, `ANSWER:` or, after `ANSWER:`, a blank line. If no blank line separates
//! the feedback from the next question, only its first line belongs to it. Feedback above the choices has one line.

use std::collections::BTreeSet;

use fablegrade_public::Ratio;

use crate::format::{Sink, Source};
use crate::loss::{Loss, Place, ReadError};
use crate::moodle::question::{Answer, Kind, Question, Share, Text, TextFormat};

/// Returns whether a file looks like Aiken.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    let name = source.name().to_ascii_lowercase();
    let head = source.head();
    name.ends_with(".aiken")
        || name.ends_with(".aiken.txt")
        || (name.ends_with(".txt")
            && head.lines().any(|line| answer(line.trim()).is_some())
            && head.lines().any(|line| choice(line.trim()).is_some()))
}

/// Reads the items of a file. A file that is neither UTF-8 nor marked as UTF-16 is read as Windows-1252, and each item
/// reports this.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    crate::gift::emit(source, questions, items)
}

#[derive(Default)]
struct Open {
    text: Vec<String>,
    choices: Vec<(char, String)>,
    line: u32,
    feedback: String,
    /// Whether lines belong to the feedback, which comes before `ANSWER:`.
    in_feedback: bool,
    /// Whether the text begins directly below the feedback of the last question.
    below_feedback: bool,
    /// The number of lines of text up to the first blank line below that feedback, and the number of the next line that
    /// is not blank; 0 until that line is reached.
    paragraph: Option<(usize, u32)>,
}

impl Open {
    /// Moves the lines of text that continue the feedback of the last question to that question. They end at a blank
    /// line, or at the end of the file.
    fn give_back(&mut self, last: Option<&mut Question>, at_end: bool) {
        let Some(last) = last.filter(|_| std::mem::take(&mut self.below_feedback)) else { return };
        let (lines, line) = match self.paragraph.take() {
            Some((lines, line)) if lines < self.text.len() || at_end => (lines, line),
            None if at_end => (self.text.len(), self.line),
            // The last paragraph before the choices is the text of the question.
            _ if self.text.len() < 2 => return,
            _ => {
                let place = last.place.clone();
                last.losses.push(Loss::display(
                    place,
                    "feedback-lines",
                    "no blank line separates the feedback from the next question; only its first line is read as feedback",
                    "put a blank line after the feedback",
                ));
                return;
            }
        };
        for line in self.text.drain(..lines) {
            last.general_feedback.text.push('\n');
            last.general_feedback.text.push_str(&line);
        }
        self.line = line;
    }
}

/// Returns the letter and the text of a choice.
fn choice(line: &str) -> Option<(char, &str)> {
    let mut chars = line.chars();
    let letter = chars.next().filter(char::is_ascii_uppercase)?;
    let sign = chars.next().filter(|sign| matches!(sign, ')' | '.'))?;
    let rest = &line[letter.len_utf8() + sign.len_utf8()..];
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| (letter, rest.trim()))
}

/// Returns the text after `ANSWER:`, which should be a letter.
fn answer(line: &str) -> Option<&str> {
    let head = line.get(..7)?;
    head.eq_ignore_ascii_case("ANSWER:").then(|| line[7..].trim())
}

/// Returns the questions of a text, in order.
pub(crate) fn questions(text: &str) -> Vec<Question> {
    let mut found: Vec<Question> = Vec::new();
    let mut open = Open::default();
    let mut lines = text.lines().map(str::trim).enumerate();
    while let Some((index, line)) = lines.next() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if line.is_empty() {
            if open.text.is_empty() {
                open.below_feedback = false;
            } else if open.below_feedback && open.paragraph.is_none() {
                open.paragraph = Some((open.text.len(), 0));
            }
            continue;
        }
        if let Some((_, after @ 0)) = &mut open.paragraph {
            *after = number;
        }
        if let Some(letter) = answer(line) {
            open.give_back(found.last_mut(), false);
            let question = close(std::mem::take(&mut open), Some(letter), number);
            found.push(question);
            continue;
        }
        if let Some((letter, text)) = choice(line).filter(|_| !open.text.is_empty()) {
            open.give_back(found.last_mut(), false);
            open.in_feedback = false;
            open.choices.push((letter, text.to_owned()));
            continue;
        }
        if let Some(feedback) = line.strip_prefix("FEEDBACK:").map(str::trim) {
            if open.choices.is_empty() {
                // Feedback directly above choices belongs to their question. Other feedback can continue that of the
                // last question, together with the lines between.
                let next = lines.clone().map(|(_, line)| line).find(|line| !line.is_empty());
                if next.and_then(choice).is_none() {
                    open.give_back(found.last_mut(), true);
                }
            }
            if let Some(last) = found.last_mut().filter(|_| open.text.is_empty()) {
                let known = &mut last.general_feedback;
                if known.text.is_empty() {
                    *known = Text::new(feedback, TextFormat::Auto);
                } else {
                    known.text.push('\n');
                    known.text.push_str(feedback);
                }
                open.below_feedback = true;
                continue;
            }
            // Above the choices, the lines after it are the text.
            open.in_feedback = !open.choices.is_empty();
            open.feedback.push_str(feedback);
            open.feedback.push('\n');
            continue;
        }
        if open.in_feedback {
            open.feedback.push_str(line);
            open.feedback.push('\n');
            continue;
        }
        if let Some((_, last)) = open.choices.last_mut() {
            // A line after a choice continues it.
            last.push('\n');
            last.push_str(line);
            continue;
        }
        if open.text.is_empty() {
            open.line = number;
        }
        open.text.push(line.to_owned());
    }
    if open.choices.is_empty() {
        open.give_back(found.last_mut(), true);
    }
    if !open.text.is_empty() || !open.choices.is_empty() {
        let line = open.line;
        found.push(close(open, None, line));
    }
    found
}

/// Returns a letter that several choices have.
fn repeated(choices: &[(char, String)]) -> Option<char> {
    let mut known = BTreeSet::new();
    choices.iter().map(|(letter, _)| *letter).find(|letter| !known.insert(*letter))
}

fn close(open: Open, letter: Option<&str>, line: u32) -> Question {
    let place = Place::new("", if open.line == 0 { line } else { open.line });
    let given = letter.unwrap_or_default();
    let right = given.chars().next().map(|letter| letter.to_ascii_uppercase());
    let single = given.chars().nth(1).is_none_or(|next| !next.is_alphanumeric());
    let why = if letter.is_none() {
        Some("it has no line `ANSWER:`".to_owned())
    } else if open.text.is_empty() {
        Some("it has no text".to_owned())
    } else if open.choices.len() < 2 {
        Some("it has fewer than two choices".to_owned())
    } else if !single || !open.choices.iter().any(|(letter, _)| Some(*letter) == right) {
        Some(format!("`{given}` is not the letter of a choice"))
    } else {
        // Perhaps an `ANSWER:` is missing, and this one belongs to the next question.
        repeated(&open.choices).map(|letter| format!("two choices have the letter {letter}"))
    };
    let text = Text::new(open.text.join("\n"), TextFormat::Auto);
    let answers = open
        .choices
        .into_iter()
        .map(|(letter, text)| Answer {
            text: Text::new(text, TextFormat::Auto),
            share: if Some(letter) == right { Ratio::one().into() } else { Share::default() },
            ..Answer::default()
        })
        .collect();
    let kind = match why {
        None => Kind::MultiChoice { single: true, shuffle: true, answers },
        Some(_) => Kind::Other(String::new()),
    };
    let mut question = Question::new(String::new(), text, kind, place.clone());
    if !open.feedback.is_empty() {
        question.general_feedback = Text::new(open.feedback.trim_end(), TextFormat::Auto);
    }
    let others = given.chars().skip(1).any(char::is_alphanumeric);
    if others && why.is_none() {
        question.losses.push(Loss::metadata(
            place.clone(),
            "aiken-answer",
            "only the first letter after `ANSWER:` counts, as in Moodle",
            "write one letter",
        ));
    }
    if let Some(why) = why {
        question.losses.push(Loss::score(
            place,
            "aiken-syntax",
            format!("this question cannot be read: {why}"),
            "write the text, the choices `A)`, `B)` ... and `ANSWER: B`",
        ));
    }
    question
}

#[cfg(test)]
mod tests {
    use super::questions;
    use crate::moodle::question::Kind;

    #[test]
    fn questions_follow_each_other() {
        let found = questions(
            "What is the\nlargest planet?\nA. Mars\nB. Jupiter\n the gas giant\nANSWER: B\nSky?\nA) blue\nB) red\nAnswer: a\n",
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].text.text, "What is the\nlargest planet?");
        assert_eq!(found[1].place.line, 7);
        let Kind::MultiChoice { single: true, answers, .. } = &found[0].kind else { panic!() };
        assert_eq!(answers[1].text.text, "Jupiter\nthe gas giant");
        assert!(answers[1].share.value.is_one() && answers[0].share.value.is_zero());
    }

    #[test]
    fn text_that_is_not_a_question_is_reported_and_the_next_is_read() {
        let found = questions(
            "One?\nA) x\nANSWER: A\n\nTwo?\nA) x\nB) y\nANSWER: C\nThree?\nA) x\nB) y\nANSWER: B\nFour?",
        );
        let broken: Vec<bool> = found.iter().map(|question| !question.losses.is_empty()).collect();
        assert_eq!(broken, [true, true, false, true]);
    }

    #[test]
    fn feedback_can_have_several_lines() {
        let choices = "A) x\nB) y\n";
        let file = |feedback: &str, next: &str| {
            format!("One?\n{choices}ANSWER: A\nFEEDBACK: a\n{feedback}{next}?\n{choices}ANSWER: B\n")
        };
        for (text, feedback, next, losses) in [
            (file("", "Two"), "a", "Two?", 0),
            (file("\n", "Two\nlines"), "a", "Two\nlines?", 0),
            (file("b\nc\n\n", "Two"), "a\nb\nc", "Two?", 0),
            (file("b\n\n", "Two\n\nlines"), "a\nb", "Two\nlines?", 0),
            (file("b\n", "Two"), "a", "b\nTwo?", 1),
            (file("b\nFEEDBACK: c\n\n", "Two"), "a\nb\nc", "Two?", 0),
            (file("b\n\nFEEDBACK: c\nd\n\n", "Two"), "a\nb\nc\nd", "Two?", 0),
            (file("FEEDBACK: b\n\n", "Two"), "a\nb", "Two?", 0),
            (file("b\n\nTwo\nFEEDBACK: c\n", "lines"), "a\nb", "Two\nlines?", 0),
        ] {
            let found = questions(&text);
            assert_eq!(found.len(), 2, "{text}");
            assert_eq!(found[0].general_feedback.text, feedback, "{text}");
            assert_eq!(found[1].text.text, next, "{text}");
            assert_eq!((found[0].losses.len(), found[1].losses.len()), (losses, 0), "{text}");
            let line =
                text.lines().position(|line| !line.is_empty() && next.starts_with(line)).unwrap() as u32 + 1;
            assert_eq!(found[1].place.line, line, "{text}");
        }
        let found = questions(&format!("One?\n{choices}FEEDBACK: a\n\nb\nANSWER: A\n"));
        assert_eq!(found[0].general_feedback.text, "a\nb");
        let Kind::MultiChoice { answers, .. } = &found[0].kind else { panic!() };
        assert_eq!((answers.len(), answers[1].text.text.as_str()), (2, "y"));
        // The key of the second question is not that of the first.
        let found = questions(&format!("One?\n{choices}FEEDBACK: a\nTwo?\nA) p\nB) q\nANSWER: B\n"));
        assert_eq!((found.len(), found[0].losses[0].rule), (1, "aiken-syntax"));
        let found = questions("One?\nA) x\nFEEDBACK: a\nB) y\nFEEDBACK: b\nANSWER: B\n");
        assert_eq!((found[0].general_feedback.text.as_str(), found[0].losses.len()), ("a\nb", 0));
        let found = questions(&format!(
            "One?\n{choices}ANSWER: A\nFEEDBACK: a\nTwo?\nFEEDBACK: b\n\n{choices}ANSWER: B\n"
        ));
        let read = |at: usize| {
            let question = &found[at];
            (question.text.text.as_str(), question.general_feedback.text.as_str(), question.losses.len())
        };
        assert_eq!((found.len(), read(0), read(1)), (2, ("One?", "a", 0), ("Two?", "b", 0)));
        let found = questions(&format!("One?\n{choices}ANSWER: A\nFEEDBACK: a\nb\n\nc"));
        assert_eq!((found.len(), found[0].general_feedback.text.as_str()), (2, "a\nb"));
    }
}
