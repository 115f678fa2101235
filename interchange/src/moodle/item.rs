//! Conversion of Moodle's questions to items. Each grading rule becomes a rule of the item model that gives every
//! answer the same score, or the difference is reported as a loss.

use std::borrow::Cow;
use std::collections::BTreeSet;

use fablegrade_public::uri::percent_decoded;
use fablegrade_public::{Decimal, Ratio};

use super::question::{
    Answer, ClozeBlank, ClozeKind, ClozePiece, Kind, Question, Text, TextFormat, Units, normal_number,
};
use super::typed::{is_one, number_range, text_form};
use crate::item::{
    self, Choice, ChoiceOption, ChoiceRule, Feedback, Interaction, Item, Media, NumberAnswer, NumberEntry,
    Part, Prose, TextAnswer, TextEntry, Whitespace,
};
use crate::loss::{Loss, Place};
use crate::rich::{RichText, html_into};

/// Converts a question to an item.
pub(crate) fn item(question: Question, id: &str) -> Item {
    let Question {
        name,
        text,
        kind,
        general_feedback,
        combined_feedback,
        hints,
        grade,
        penalty,
        tags,
        id_number,
        category,
        files,
        losses,
        place,
    } = question;
    let is_graded = !matches!(kind, Kind::Description);
    let mut item = Item::new(id, place);
    item.losses = losses;
    let mut build = Build { item, media: BTreeSet::new() };
    build.item.title = name;
    build.item.prompt = build.content(&text);
    build.kind(kind, &text);
    let mut add = |when: &str, text: &Text| {
        let content = build.content(text);
        if !content.is_empty() {
            build.item.feedback.push(Feedback { when: when.to_owned(), content });
        }
    };
    add("general", &general_feedback);
    combined_feedback.iter().for_each(|(when, text)| add(when, text));
    hints.iter().for_each(|text| add("hint", text));
    let mut item = build.item;
    let grade = grade
        .as_deref()
        .and_then(normal_number)
        .and_then(|number| Decimal::from_text(&number).ok())
        .map(|grade| Ratio::from_decimal(&grade));
    item.points(grade, is_graded);
    let retries =
        penalty.as_deref().and_then(normal_number).and_then(|number| Decimal::from_text(&number).ok());
    if retries.is_some_and(|penalty| !penalty.is_zero()) && !item.parts.is_empty() {
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "penalty",
            "a try after a wrong one costs a share of the score where Moodle lets learners try again",
            "pass what tries or hints cost when grading",
        ));
    }
    if !id_number.is_empty() {
        item.metadata.push(("idnumber".to_owned(), id_number));
    }
    if !category.is_empty() {
        item.metadata.push(("category".to_owned(), category));
    }
    item.metadata.extend(tags.into_iter().map(|tag| ("tag".to_owned(), tag)));
    let known: BTreeSet<String> = item.media.iter().map(|media| file_name(&media.href)).collect();
    for file in files.into_iter().filter(|file| !known.contains(file)) {
        item.media.push(Media { href: file, file: None });
    }
    item
}

/// Returns the name of the file that a reference in a text means, without its folders and its query.
fn file_name(href: &str) -> String {
    let path = href.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    String::from_utf8_lossy(&percent_decoded(name)).into_owned()
}

/// Rewrites `\(x\)` and `\[x\]` as `$x$` and `$$x$$`.
pub(crate) fn dollars(text: &str) -> String {
    formulas(text, &|text| text.into())
}

/// Works like [`dollars`], and rewrites the text outside of formulas with `outside`.
fn formulas<'t>(text: &'t str, outside: &dyn Fn(&'t str) -> Cow<'t, str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // For `\)`, `\]` and `$$`, whether the rest has no more of them; then it is not searched for them again.
    let mut exhausted = [false; 3];
    while let Some(at) = rest.find(['\\', '$']) {
        let (before, after) = rest.split_at(at);
        out.push_str(&outside(before));
        let closing = match (after.as_bytes()[0], after.as_bytes().get(1)) {
            (b'\\', Some(b'(')) => Some((0, "\\)", "$")),
            (b'\\', Some(b'[')) => Some((1, "\\]", "$$")),
            (b'$', Some(b'$')) => Some((2, "$$", "$$")),
            _ => None,
        };
        let found = closing.filter(|(which, ..)| !exhausted[*which]).and_then(|(which, close, sign)| {
            let length = after[2..].find(close);
            exhausted[which] = length.is_none();
            Some((length?, sign))
        });
        match found {
            Some((length, sign)) => {
                out.push_str(sign);
                out.push_str(after[2..2 + length].trim());
                out.push_str(sign);
                rest = &after[2 + length + 2..];
            }
            None if after.starts_with('$') => {
                out.push('$');
                rest = &after[1..];
            }
            None => {
                // Keep the backslash and the character after it.
                let length = after.chars().take(2).map(char::len_utf8).sum();
                out.push_str(&after[..length]);
                rest = &after[length..];
            }
        }
    }
    out.push_str(&outside(rest));
    out
}

pub(super) struct Build {
    pub(super) item: Item,
    /// The references in the item's `media`.
    media: BTreeSet<String>,
}

fn at_line(place: &Place, line: u32) -> Place {
    if line == 0 { place.clone() } else { Place::new(place.path.clone(), line) }
}

impl Build {
    /// Converts a text to Markdown and records its media.
    pub(super) fn content(&mut self, text: &Text) -> String {
        match text.format {
            TextFormat::Plain => text.text.trim().to_owned(),
            TextFormat::Markdown => formulas(text.text.trim(), &|text| text.replace('<', "\\<").into()),
            TextFormat::Html | TextFormat::Auto => {
                let mut rich = RichText::new();
                if text.format == TextFormat::Auto {
                    for (index, line) in text.text.trim().lines().enumerate() {
                        if index > 0 {
                            rich.start("br", &|_| None);
                        }
                        html_into(line, &mut rich);
                    }
                } else {
                    html_into(&text.text, &mut rich);
                }
                if let Some(first) = rich.dropped.first() {
                    self.item.losses.push(Loss::display(
                        self.item.place.clone(),
                        "active-content",
                        format!("an element `{first}` of the text is left out"),
                        "show what it did in another way",
                    ));
                }
                let (text, media) = rich.finish();
                for medium in media {
                    if self.media.insert(medium.href.clone()) {
                        self.item.media.push(medium);
                    }
                }
                dollars(&text)
            }
        }
    }

    fn feedback(&mut self, text: &Text) -> Option<String> {
        let content = self.content(text);
        (!content.is_empty()).then_some(content)
    }

    pub(super) fn score_loss(&mut self, rule: &'static str, message: &str, suggestion: &str) {
        self.item.losses.push(Loss::score(self.item.place.clone(), rule, message, suggestion));
    }

    pub(super) fn part(&mut self, interaction: Interaction) {
        let id = (self.item.parts.len() + 1).to_string();
        let place = self.item.place.clone();
        self.item.parts.push(Part::new(id, interaction, place));
    }

    fn kind(&mut self, kind: Kind, text: &Text) {
        match kind {
            Kind::MultiChoice { single, shuffle, answers } => {
                let choice = self.choice(single, shuffle, &answers);
                self.part(choice);
            }
            Kind::OuMultiResponse { shuffle, answers } => self.ou_multiple_response(shuffle, &answers),
            Kind::TrueFalse { correct, feedback } => self.truth(correct, &feedback),
            Kind::ShortAnswer { case, answers } => {
                let entry = self.short_answer(case, &answers);
                self.part(entry);
            }
            Kind::Numerical { answers, units } => {
                let unit = self.unit(&units);
                if let Some(mut entry) = self.number(&answers) {
                    entry.unit = unit;
                    self.part(Interaction::Number(entry));
                }
            }
            Kind::Matching { pairs } => self.matching(&pairs),
            Kind::Ordering { items, grading, subset } => self.ordering(&items, grading, subset),
            Kind::Gaps { choices, drag } => self.gaps(&choices, drag, text),
            Kind::Rows { rows, columns, right, all } => self.rows(&rows, &columns, &right, all),
            Kind::Places { things, places, reused } => self.places(&things, &places, reused),
            Kind::Cloze { pieces } => self.cloze(&pieces, text.format),
            Kind::Essay { min_words, max_words, text_allowed } => {
                self.part(Interaction::Prose(Prose { min_words, max_words, ..Prose::default() }));
                if !text_allowed {
                    // A person grades files as well as texts, so no score changes.
                    self.item.losses.push(Loss::display(
                        self.item.place.clone(),
                        "attachments",
                        "the source system asks for a file; Fablegrade asks for a text or the address of a file",
                        "collect files on your page",
                    ));
                }
            }
            Kind::Description => self.item.losses.push(Loss::metadata(
                self.item.place.clone(),
                "description",
                "this is text without a question",
                "show it next to the questions that it introduces",
            )),
            Kind::Other(name) if name.is_empty() => {}
            Kind::Other(name) => self.score_loss(
                "question-type",
                &format!("there is no counterpart of the question type `{name}`"),
                "write the question anew, or grade it by a validator of your own",
            ),
        }
    }

    fn shares_noted(&mut self, answers: &[Answer]) {
        if let Some(answer) = answers.iter().find(|answer| answer.share.completed) {
            self.item.losses.push(Loss::metadata(
                at_line(&self.item.place, answer.line),
                "fraction-completed",
                format!(
                    "the rounded share of the grade is read as {}",
                    answer.share.value.to_fraction_text()
                ),
                "nothing; Moodle counts what rounds to 1 as full marks too",
            ));
        }
    }

    /// Returns the share of an answer, clamped to 0 to 1; a negative share is reported as a loss.
    fn floored(&mut self, answer: &Answer) -> Ratio {
        if answer.share.value < Ratio::zero() {
            self.item.losses.push(Loss::score(
                at_line(&self.item.place, answer.line),
                "negative-mark",
                "an answer costs marks of other questions",
                "count it as 0, or take marks off outside of the question",
            ));
        }
        answer.share.value.clone().clamped()
    }

    fn choice(&mut self, single: bool, shuffle: bool, answers: &[Answer]) -> Interaction {
        self.shares_noted(answers);
        let mut options = Vec::with_capacity(answers.len());
        for (index, answer) in answers.iter().enumerate() {
            let weight = if single { self.floored(answer) } else { answer.share.value.clone() };
            options.push(ChoiceOption {
                id: (index + 1).to_string(),
                content: self.content(&answer.text),
                weight,
                feedback: self.feedback(&answer.feedback),
            });
        }
        let zero = Ratio::zero();
        let whole = options.iter().all(|option| option.weight.is_zero() || option.weight.is_one());
        let rule = if single {
            if whole && options.iter().any(|option| option.weight.is_one()) {
                ChoiceRule::AllOrNothing
            } else {
                ChoiceRule::Sum
            }
        } else {
            let right = options.iter().filter(|option| option.weight > zero).count() as u64;
            let each = Ratio::new(1, right);
            let cost = zero.minus(&each);
            let even = options.iter().all(|option| {
                if option.weight > zero { option.weight == each } else { option.weight == cost }
            });
            if right > 0 && even { ChoiceRule::Share } else { ChoiceRule::Sum }
        };
        Interaction::Choice(Choice { options, most: single.then_some(1), shuffle, rule })
    }

    /// Adds an OU multiple response question.
    ///
    /// With `c` right choices, selecting `r` right and `w` wrong choices earns `max(min(r, c - w), 0) / c`. So each
    /// selection beyond `c` cancels a right choice.
    fn ou_multiple_response(&mut self, shuffle: bool, answers: &[Answer]) {
        let mut options = Vec::with_capacity(answers.len());
        for (index, answer) in answers.iter().enumerate() {
            options.push(ChoiceOption {
                id: (index + 1).to_string(),
                content: self.content(&answer.text),
                weight: Ratio::new(i64::from(answer.share.value > Ratio::zero()), 1),
                feedback: self.feedback(&answer.feedback),
            });
        }
        let rule = ChoiceRule::UpToRight;
        self.part(Interaction::Choice(Choice { options, most: None, shuffle, rule }));
    }

    fn truth(&mut self, correct: bool, feedback: &[Text; 2]) {
        let mut options = Vec::new();
        for (id, content, right, told) in
            [("true", "True", correct, &feedback[0]), ("false", "False", !correct, &feedback[1])]
        {
            options.push(ChoiceOption {
                id: id.to_owned(),
                content: content.to_owned(),
                weight: Ratio::new(i64::from(right), 1),
                feedback: self.feedback(told),
            });
        }
        let rule = ChoiceRule::AllOrNothing;
        self.part(Interaction::Choice(Choice { options, most: Some(1), shuffle: false, rule }));
    }

    fn short_answer(&mut self, case: bool, answers: &[Answer]) -> Interaction {
        self.shares_noted(answers);
        let mut accepted = Vec::new();
        for answer in answers.iter().filter(|answer| !answer.text.is_empty()) {
            accepted.push(TextAnswer {
                form: text_form(answer.text.text.trim()),
                weight: self.floored(answer),
                feedback: self.feedback(&answer.feedback),
            });
        }
        Interaction::Text(TextEntry { answers: accepted, ignore_case: !case, whitespace: Whitespace::Trim })
    }

    /// Returns the accepted numbers; `None`, with a loss, if one of them is not a number.
    fn number(&mut self, answers: &[Answer]) -> Option<NumberEntry> {
        self.shares_noted(answers);
        let mut accepted = Vec::new();
        for answer in answers.iter().filter(|answer| !answer.text.is_empty()) {
            let Some(range) = number_range(answer.text.text.trim(), answer.tolerance.trim()) else {
                self.item.losses.push(Loss::score(
                    at_line(&self.item.place, answer.line),
                    "number-form",
                    format!(
                        "the accepted answer `{}` with tolerance `{}` is not a number",
                        answer.text.text, answer.tolerance
                    ),
                    "write a number, or `*` for every number",
                ));
                return None;
            };
            accepted.push(NumberAnswer {
                range,
                weight: self.floored(answer),
                feedback: self.feedback(&answer.feedback),
            });
        }
        Some(NumberEntry { answers: accepted, integer: false, unit: None, writing: None })
    }

    /// Returns the unit of the answer; `None` if units do not affect the score.
    fn unit(&mut self, units: &Units) -> Option<item::Unit> {
        if units.known.iter().any(|unit| !is_one(&unit.multiplier)) {
            self.score_loss(
                "unit-multiplier",
                "answers in other units are converted by a factor",
                "use the validator `number_text`, which converts units",
            );
        }
        let base = units.known.iter().find(|unit| is_one(&unit.multiplier)).or(units.known.first())?;
        if !units.graded {
            if units.shown {
                self.item.losses.push(Loss::display(
                    self.item.place.clone(),
                    "unit-optional",
                    "a unit can be given, and a wrong or missing one costs nothing",
                    "state in the prompt in which unit the number is expected",
                ));
            }
            return None;
        }
        self.score_loss(
            "unit-grading",
            "a wrong or missing unit costs a share of the score",
            "ask for the unit, or use the validator `number_text` with `partial.unit`",
        );
        let accepted = units
            .known
            .iter()
            .filter(|unit| is_one(&unit.multiplier) && unit.name != base.name)
            .map(|unit| unit.name.clone());
        Some(item::Unit { expected: base.name.clone(), accepted: accepted.collect(), required: units.shown })
    }

    fn cloze(&mut self, pieces: &[ClozePiece], format: TextFormat) {
        let mut shown = String::new();
        let mut number = 0;
        for piece in pieces {
            match piece {
                ClozePiece::Text(text) => shown.push_str(text),
                ClozePiece::Unread => {}
                ClozePiece::Blank(_) => {
                    number += 1;
                    shown.push_str(&format!("[{number}]"));
                }
            }
        }
        self.item.prompt = self.content(&Text::new(shown, format));
        if pieces.last() == Some(&ClozePiece::Unread) {
            self.score_loss(
                "too-many-blanks",
                "the text has too many embedded answers, and ends before the first one that is left out",
                "divide the question",
            );
            return;
        }
        let mut number = 0;
        for piece in pieces {
            let ClozePiece::Blank(blank) = piece else { continue };
            number += 1;
            if blank.weight == 0 {
                self.item.losses.push(Loss::display(
                    self.item.place.clone(),
                    "blank-without-weight",
                    format!("blank {number} earns nothing and is left out"),
                    "give it a weight",
                ));
                continue;
            }
            let Some(interaction) = self.blank(blank) else {
                self.item.parts.clear();
                return;
            };
            let mut part = Part::new(number.to_string(), interaction, self.item.place.clone());
            part.weight = Ratio::new(i64::from(blank.weight), 1);
            part.prompt = format!("[{number}]");
            self.item.parts.push(part);
        }
        if self.item.parts.is_empty() {
            self.score_loss(
                "no-blanks",
                "the text has no embedded answer that earns something",
                "write one like {1:SA:=Paris}",
            );
        }
    }

    fn blank(&mut self, blank: &ClozeBlank) -> Option<Interaction> {
        Some(match blank.kind {
            ClozeKind::ShortAnswer { case } => self.short_answer(case, &blank.answers),
            ClozeKind::Numerical => Interaction::Number(self.number(&blank.answers)?),
            ClozeKind::Choice => self.choice(true, false, &blank.answers),
            ClozeKind::Multiple => self.choice(false, false, &blank.answers),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Build, dollars, file_name};
    use crate::item::Item;
    use crate::loss::Place;
    use crate::moodle::question::{Text, TextFormat};

    #[test]
    fn tex_is_between_dollars() {
        assert_eq!(
            dollars(r"If \( x^2 \) and \[y\], \n stays, \( open"),
            r"If $x^2$ and $$y$$, \n stays, \( open"
        );
        assert_eq!(dollars(r"\[ \( a \) \( b"), r"\[ $a$ \( b");
        // Searching the rest of the text for each of them would take too long.
        for open in [r"\(\[".repeat(500_000), "$".repeat(1_000_001)] {
            assert_eq!(dollars(&open), open);
        }
    }

    #[test]
    fn formulas_of_markdown_keep_their_signs() {
        let mut build = Build { item: Item::new("q", Place::default()), media: BTreeSet::new() };
        let text = r"<b> \(a < b\), \[c<d\] \< $$e < \text{$$ $5 < $6 \( <";
        let content = build.content(&Text::new(text, TextFormat::Markdown));
        assert_eq!(content, r"\<b> $a < b$, $$c<d$$ \< $$e < \text{$$ $5 \< $6 \( \<");
    }

    #[test]
    fn files_are_known_by_their_whole_names() {
        for (href, name) in [
            ("@@PLUGINFILE@@/data.png", "data.png"),
            ("@@PLUGINFILE@@/a/b%20c.png?forcedownload=1", "b c.png"),
            ("100%", "100%"),
            ("100%+5.png", "100%+5.png"),
            ("%zz%4", "%zz%4"),
        ] {
            assert_eq!(file_name(href), name);
        }
    }
}
