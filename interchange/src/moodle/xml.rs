//! The questions of a Moodle XML file.
//!
//! A file is split at its `question` elements, and each is parsed separately. So there is only one tree in memory at a
//! time, and damaged XML in a question does not affect the others.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::Ratio;

use super::question::{
    Answer, GapChoice, Kind, OrderGrading, Question, Share, Text, TextFormat, Unit, Units,
};
use super::{calculated, cloze, code_runner, stack};
use crate::format::Sink;
use crate::item::Item;
use crate::loss::{Loss, Place, ReadError};
use crate::xml::{Element, Tree, XmlLimits};

/// The message about text that is hidden up to the end of the file.
const UNCLOSED: &str = "a comment, a CDATA section or a DOCTYPE is not closed, and nothing after it is read";
const UNCLOSED_HELP: &str = "correct the XML; the questions before this place were still read";

/// A piece of the file that should be a `question` element.
struct Piece<'t> {
    text: &'t str,
    offset: usize,
    closed: bool,
}

/// Reads every question; a category applies to the questions after it.
pub(super) fn read(text: &str, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let (pieces, outside) = pieces(text);
    if let Some(at) = outside.doctype {
        return Err(ReadError::new(
            Place::new("", line_of(text, at)),
            "doctype",
            "the DOCTYPE contains declarations",
            "take the DOCTYPE out",
        ));
    }
    if pieces.is_empty() {
        // A file without questions must still be well-formed.
        Tree::parse(text, XmlLimits::default())?;
        return Ok(());
    }
    let mut category = String::new();
    let mut line = 1;
    let mut counted = 0;
    for (index, piece) in pieces.iter().enumerate() {
        line += lines_in(&text[counted..piece.offset]);
        counted = piece.offset;
        let place = Place::new(format!("/quiz/question[{}]", index + 1), line);
        let id = format!("q{}", index + 1);
        if !piece.closed {
            let (message, help) = if outside.unclosed && index + 1 == pieces.len() {
                (UNCLOSED, UNCLOSED_HELP)
            } else {
                (
                    "the element `question` is not closed",
                    "correct the XML; the other questions in the file were still read",
                )
            };
            items(Err(ReadError::new(place, "not-xml", message, help)));
            continue;
        }
        match Tree::parse_at(piece.text, Place::new("", line), XmlLimits::default()) {
            Ok(tree) => {
                let reading = Reading { root: tree.root(), place };
                if reading.kind() == "category" {
                    category = reading.texts("category").into_iter().next().unwrap_or_default();
                } else {
                    reading.items(&id, &category, &mut |item| items(Ok(item)));
                }
            }
            Err(mut error) => {
                error.place.path = place.path;
                items(Err(error));
            }
        }
    }
    if outside.unclosed && pieces.last().is_none_or(|piece| piece.closed) {
        let place = Place::new("", line_of(text, text.len()));
        items(Err(ReadError::new(place, "not-xml", UNCLOSED, UNCLOSED_HELP)));
    }
    Ok(())
}

fn lines_in(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32
}

fn line_of(text: &str, at: usize) -> u32 {
    1 + lines_in(&text[..at])
}

#[derive(Default)]
struct Outside {
    /// The offset of a document type with declarations.
    doctype: Option<usize>,
    /// Whether a comment, a CDATA section or a document type is not closed. If a question contains it, that
    /// question is the last one.
    unclosed: bool,
}

/// Splits a file at its `question` elements. Comments and CDATA sections are skipped.
fn pieces(text: &str) -> (Vec<Piece<'_>>, Outside) {
    let mut pieces = Vec::new();
    let mut outside = Outside::default();
    let mut open: Option<usize> = None;
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        at += found;
        let rest = &text[at..];
        let skip = |opening: &str, closing: &str| {
            rest.strip_prefix(opening)
                .map(|inside| inside.find(closing).map(|end| opening.len() + end + closing.len()))
        };
        let passed = skip("<![CDATA[", "]]>").or_else(|| skip("<!--", "-->"));
        match passed {
            Some(Some(length)) => {
                at += length;
                continue;
            }
            Some(None) => {
                outside.unclosed = true;
                break;
            }
            None => {}
        }
        if rest.starts_with("<!DOCTYPE") && open.is_none() {
            let end = rest.find('>');
            if rest[..end.unwrap_or(rest.len())].contains('[') {
                outside.doctype = Some(at);
                return (pieces, outside);
            }
            // Continue after it, so no part of the text is searched twice.
            let Some(end) = end else {
                outside.unclosed = true;
                break;
            };
            at += end + 1;
            continue;
        }
        let begins = rest.strip_prefix("<question").is_some_and(|after| {
            after.starts_with(|c: char| c == '>' || c == '/' || c.is_ascii_whitespace())
        });
        if begins {
            if let Some(before) = open.replace(at) {
                pieces.push(Piece { text: &text[before..at], offset: before, closed: false });
            }
        } else if rest.starts_with("</question>") || rest.starts_with("</question ") {
            let length = rest.find('>').map_or(rest.len(), |end| end + 1);
            if let Some(before) = open.take() {
                pieces.push(Piece { text: &text[before..at + length], offset: before, closed: true });
            }
            at += length;
            continue;
        }
        at += 1;
    }
    if let Some(before) = open {
        pieces.push(Piece { text: &text[before..], offset: before, closed: false });
    }
    (pieces, outside)
}

/// A question element.
pub(super) struct Reading<'t> {
    pub(super) root: Element<'t>,
    pub(super) place: Place,
}

impl<'t> Reading<'t> {
    pub(super) fn kind(&self) -> &'t str {
        self.root.attribute("type").unwrap_or_default().trim()
    }

    /// Returns the place of an inner element, with the path from the root of the file.
    pub(super) fn at(&self, element: Element<'_>) -> Place {
        let path = element.path();
        let inside = path.strip_prefix("/question").unwrap_or_default();
        Place::new(format!("{}{inside}", self.place.path), element.line())
    }

    /// Returns the trimmed text of a child element.
    pub(super) fn value(&self, name: &str) -> Option<Cow<'t, str>> {
        self.root.child(name).map(Element::trimmed)
    }

    /// Returns whether a child element is true for Moodle: not empty, not `0` and not `false`; `default` without it.
    pub(super) fn flag(&self, name: &str, default: bool) -> bool {
        self.value(name).map_or(default, |value| !matches!(&*value, "" | "0" | "false"))
    }

    /// Returns the texts of the child elements with this name.
    fn texts(&self, name: &str) -> Vec<String> {
        self.root.named(name).map(|element| plain_text(element)).collect()
    }

    pub(super) fn default_format(&self) -> TextFormat {
        self.root
            .child("questiontext")
            .and_then(|element| element.attribute("format"))
            .and_then(TextFormat::named)
            .unwrap_or(TextFormat::Html)
    }

    pub(super) fn text(element: Element<'_>, default: TextFormat) -> Text {
        let format = element.attribute("format").and_then(TextFormat::named).unwrap_or(default);
        Text::new(plain_text(element), format)
    }

    pub(super) fn text_of(&self, name: &str, default: TextFormat) -> Text {
        self.root.child(name).map(|element| Self::text(element, default)).unwrap_or_default()
    }

    /// Reports what an essay has besides its question: text for graders, a template, and files that are required.
    fn essay_losses(&self, question: &mut Question) {
        let place = || self.root.place();
        let text = |name: &str| self.root.child(name).map(plain_text).unwrap_or_default();
        if !text("graderinfo").trim().is_empty() {
            question.losses.push(Loss::metadata(
                place(),
                "grader-information",
                "the information for graders is left out",
                "write it into the rubric",
            ));
        }
        if !text("responsetemplate").trim().is_empty() {
            question.losses.push(Loss::display(
                place(),
                "response-template",
                "the template for the answer is left out",
                "show it on your page",
            ));
        }
        if self.flag("attachmentsrequired", false) {
            question.losses.push(Loss::display(
                place(),
                "attachments",
                "the source system asks for files; Fablegrade asks for a text",
                "take files on your page",
            ));
        }
    }

    fn items(&self, id: &str, category: &str, take: &mut dyn FnMut(Item)) {
        let mut question = self.common(category);
        match self.kind() {
            "stack" => return stack::items(self, question, id, take),
            "coderunner" => return take(code_runner::item(self, question, id)),
            kind => match self.read_kind(kind, &mut question) {
                Ok(kind) => question.kind = kind,
                Err(loss) => question.losses.push(loss),
            },
        }
        take(super::item(question, id));
    }

    /// Returns a question with the fields that all types share, and without a kind.
    fn common(&self, category: &str) -> Question {
        let default = self.default_format();
        let name = self.root.child("name").map(plain_text).unwrap_or_default();
        let text = self.text_of("questiontext", TextFormat::Html);
        let mut question = Question::new(name, text, Kind::Other(String::new()), self.place.clone());
        category.clone_into(&mut question.category);
        question.general_feedback = self.text_of("generalfeedback", default);
        for (name, when) in [
            ("correctfeedback", "correct"),
            ("partiallycorrectfeedback", "partial"),
            ("incorrectfeedback", "incorrect"),
        ] {
            question.combined_feedback.push((when, self.text_of(name, default)));
        }
        for hint in self.root.named("hint") {
            let element = hint.child("hintcontent").unwrap_or(hint);
            question.hints.push(Self::text(element, default));
        }
        question.grade = self.value("defaultgrade").map(Cow::into_owned);
        question.penalty = self.value("penalty").map(Cow::into_owned);
        question.id_number = self.value("idnumber").map(Cow::into_owned).unwrap_or_default();
        for tags in ["tags", "coursetags"] {
            let tags = self.root.child(tags).into_iter().flat_map(|tags| tags.elements());
            question.tags.extend(tags.map(plain_text).filter(|tag| !tag.is_empty()));
        }
        for file in self.root.descendants().filter(|element| element.name() == "file") {
            let name = file.attribute("name").unwrap_or_default();
            if question.files.len() < 100 && !question.files.iter().any(|known| known == name) {
                question.files.push(name.to_owned());
            }
        }
        if !question.files.is_empty() {
            question.losses.push(Loss::display(
                self.place.clone(),
                "embedded-files",
                format!(
                    "the file holds {} embedded files, such as {}",
                    question.files.len(),
                    question.files[0]
                ),
                "save them next to the questions; they are listed under `media`",
            ));
        }
        question
    }

    fn answers(&self, format: TextFormat) -> Vec<Answer> {
        let default = self.default_format();
        self.root
            .named("answer")
            .map(|element| {
                let share =
                    element.attribute("fraction").map_or_else(|| Some(Share::default()), Share::percent);
                // In an old format, the answer is not inside a `text` element.
                let text = match element.child("text") {
                    Some(_) => plain_text(element),
                    None => own_text(element),
                };
                let written = element.attribute("format").and_then(TextFormat::named);
                Answer {
                    text: Text::new(
                        text,
                        if format == TextFormat::Plain { format } else { written.unwrap_or(default) },
                    ),
                    share: share.unwrap_or_default(),
                    feedback: element
                        .child("feedback")
                        .map(|one| Self::text(one, default))
                        .unwrap_or_default(),
                    tolerance: element
                        .child("tolerance")
                        .map(|one| one.trimmed().into_owned())
                        .unwrap_or_default(),
                    line: element.line(),
                }
            })
            .collect()
    }

    /// Returns a loss if a share of an answer is not a number.
    fn check_shares(&self) -> Result<(), Loss> {
        for element in self.root.named("answer") {
            let fraction = element.attribute("fraction").unwrap_or("0");
            if Share::percent(fraction).is_none() {
                return Err(Loss::score(
                    self.at(element),
                    "fraction-form",
                    format!("the fraction `{fraction}` is not a percentage"),
                    "write a number from -100 to 100",
                ));
            }
        }
        Ok(())
    }

    fn read_kind(&self, kind: &str, question: &mut Question) -> Result<Kind, Loss> {
        let missing = |what: &str| {
            Loss::score(
                self.place.clone(),
                "nothing-to-grade",
                format!("the question has no {what}"),
                "complete it, or remove it from the file",
            )
        };
        self.check_shares()?;
        let default = self.default_format();
        Ok(match kind {
            "multichoice" | "oumultiresponse" => {
                let answers = self.answers(default);
                if answers.is_empty() {
                    return Err(missing("answers"));
                }
                let shuffle = self.flag("shuffleanswers", false);
                if kind == "oumultiresponse" {
                    Kind::OuMultiResponse { shuffle, answers }
                } else {
                    let single = self.flag("single", true);
                    if let Some(written) =
                        self.value("single").filter(|value| value.eq_ignore_ascii_case("false") && single)
                    {
                        question.losses.push(Loss::metadata(
                            self.root
                                .child("single")
                                .map_or_else(|| self.place.clone(), |element| self.at(element)),
                            "single-spelling",
                            format!(
                                "`{written}` is read by Moodle as one choice; only `false` allows several"
                            ),
                            "write `false` if several may be selected",
                        ));
                    }
                    Kind::MultiChoice { single, shuffle, answers }
                }
            }
            "truefalse" => self.truth().ok_or_else(|| missing("answers"))?,
            "shortanswer" => {
                let answers = self.answers(TextFormat::Plain);
                if answers.iter().all(|answer| answer.text.is_empty()) {
                    return Err(missing("accepted answers"));
                }
                Kind::ShortAnswer { case: self.flag("usecase", false), answers }
            }
            "numerical" => self.numerical().ok_or_else(|| missing("accepted answers"))?,
            "matching" | "match" | "ddmatch" => {
                let plain = kind != "ddmatch";
                let pairs = self
                    .root
                    .named("subquestion")
                    .map(|element| {
                        let answer = element.child("answer");
                        let answer = match answer {
                            Some(answer) if plain => Text::new(plain_text(answer), TextFormat::Plain),
                            Some(answer) => {
                                let text = Self::text(answer, default);
                                Text::new(crate::rich::from_html(&text.text), TextFormat::Plain)
                            }
                            None => Text::default(),
                        };
                        (Self::text(element, default), answer)
                    })
                    .collect();
                Kind::Matching { pairs }
            }
            "ordering" => {
                let items: Vec<Text> =
                    self.root.named("answer").map(|element| Self::text(element, default)).collect();
                if items.len() < 2 {
                    return Err(missing("items to order"));
                }
                let name = self.value("gradingtype").unwrap_or_default();
                let grading = if name.is_empty() {
                    Some(OrderGrading::AbsolutePosition)
                } else {
                    OrderGrading::named(&name)
                };
                let grading = grading.ok_or_else(|| missing("known type of grading"))?;
                let all = matches!(self.value("selecttype").as_deref(), None | Some("0" | "ALL" | ""));
                let count: usize =
                    self.value("selectcount").and_then(|count| count.parse().ok()).unwrap_or(0);
                Kind::Ordering { grading, subset: !all && count > 0 && count < items.len(), items }
            }
            "gapselect" | "ddwtos" => {
                let name = if kind == "ddwtos" { "dragbox" } else { "selectoption" };
                let choices = self
                    .root
                    .named(name)
                    .map(|element| GapChoice {
                        text: plain_text(element),
                        group: element
                            .child("group")
                            .map(|group| group.trimmed().into_owned())
                            .unwrap_or_default(),
                        infinite: element.child("infinite").is_some(),
                    })
                    .collect();
                Kind::Gaps { choices, drag: kind == "ddwtos" }
            }
            "mtf" | "kprime" => {
                self.rows(question).ok_or_else(|| missing("rows and columns with weights"))?
            }
            "ddimageortext" => self.places().ok_or_else(|| missing("drop zones with draggable items"))?,
            "cloze" | "multianswer" => Kind::Cloze { pieces: cloze::parse(&question.text.text) },
            "essay" => {
                self.essay_losses(question);
                let words = |name: &str| {
                    self.value(name).and_then(|value| value.parse().ok()).filter(|count: &u32| *count > 0)
                };
                Kind::Essay {
                    min_words: words("minwordlimit"),
                    max_words: words("maxwordlimit"),
                    text_allowed: self.value("responseformat").as_deref() != Some("noinline"),
                }
            }
            "description" => Kind::Description,
            "calculated" | "calculatedsimple" => calculated::read(self, question)?,
            "calculatedmulti" => {
                let answers = self.answers(default);
                if answers.is_empty() {
                    return Err(missing("answers"));
                }
                calculated::choice(self, question, answers)?
            }
            other => Kind::Other(other.to_owned()),
        })
    }

    /// Reads rows and columns with a weight per pair; `None` unless each row has exactly one right column.
    fn rows(&self, question: &mut Question) -> Option<Kind> {
        let default = self.default_format();
        let texts = |name: &str, inside: &str| -> Vec<Text> {
            let texts = self.root.named(name);
            texts
                .map(|one| one.child(inside).map(|text| Self::text(text, default)).unwrap_or_default())
                .collect()
        };
        let (rows, columns) = (texts("row", "optiontext"), texts("column", "responsetext"));
        let mut right = Vec::new();
        for weight in self.root.named("weight") {
            let place = |name: &str, count: usize| {
                let number = weight.attribute(name)?.trim().parse::<usize>().ok()?.checked_sub(1)?;
                (number < count).then_some(number)
            };
            let pair = (place("rownumber", rows.len())?, place("columnnumber", columns.len())?);
            if weight.child("value")?.trimmed().parse::<f64>().ok()? > 0.0 {
                right.push(pair);
            }
        }
        right.sort_unstable();
        let each_once =
            right.len() == rows.len() && right.iter().enumerate().all(|(row, pair)| pair.0 == row);
        (each_once && !rows.is_empty()).then_some(())?;
        let method = self.root.child("scoringmethod").map(plain_text).unwrap_or_default();
        if !matches!(method.as_str(), "subpoints" | "mtfonezero" | "kprimeonezero") {
            question.losses.push(Loss::score(
                self.place.clone(),
                "scoring-method",
                format!("the scoring method `{method}` is read as a share per row"),
                "use a share per row, or all or nothing",
            ));
        }
        Some(Kind::Rows { rows, columns, right, all: method.ends_with("onezero") })
    }

    /// Reads drop zones and draggable items.
    fn places(&self) -> Option<Kind> {
        let number = |element: Element<'_>, name: &str| {
            element.child(name).and_then(|number| number.trimmed().parse::<usize>().ok())
        };
        let mut things: Vec<(usize, Text)> = Vec::new();
        let mut reused = false;
        for drag in self.root.named("drag") {
            reused |= drag.child("infinite").is_some();
            let file = drag.child("file").and_then(|file| file.attribute("name")).unwrap_or_default();
            let text = plain_text(drag);
            let text = if text.is_empty() { file.to_owned() } else { text };
            things.push((number(drag, "no")?, Text::new(text, TextFormat::Html)));
        }
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, (number, _)) in things.iter().enumerate() {
            numbers.entry(*number).or_insert(index);
        }
        let mut places: Vec<(usize, usize)> = Vec::new();
        for drop in self.root.named("drop") {
            let choice = number(drop, "choice")?;
            places.push((number(drop, "no")?, *numbers.get(&choice)?));
        }
        places.sort_unstable();
        let places: Vec<usize> = places.into_iter().map(|(_, thing)| thing).collect();
        reused |= places.iter().collect::<BTreeSet<_>>().len() < places.len();
        (!places.is_empty()).then(|| Kind::Places {
            things: things.into_iter().map(|(_, text)| text).collect(),
            places,
            reused,
        })
    }

    fn truth(&self) -> Option<Kind> {
        let default = self.default_format();
        let mut correct = None;
        let mut feedback = [Text::default(), Text::default()];
        for (index, element) in self.root.named("answer").enumerate() {
            let text = plain_text(element);
            let truth = match text.as_str() {
                "true" => true,
                "false" => false,
                // Old files have translated words, with true first.
                _ => index == 0,
            };
            let full = element
                .attribute("fraction")
                .and_then(Share::percent)
                .is_some_and(|share| share.value.is_one());
            correct = Some(full == truth);
            let told = element.child("feedback").map(|one| Self::text(one, default)).unwrap_or_default();
            feedback[usize::from(!truth)] = told;
        }
        Some(Kind::TrueFalse { correct: correct?, feedback })
    }

    fn numerical(&self) -> Option<Kind> {
        let mut answers = self.answers(TextFormat::Plain);
        for (answer, element) in answers.iter_mut().zip(self.root.named("answer")) {
            // In an old format, a child element has the share as a fraction of 1.
            if let Some(fraction) = element.child("fraction")
                && let Ok(number) = fablegrade_public::Decimal::from_text(&fraction.trimmed())
            {
                answer.share = Ratio::from_decimal(&number).into();
            }
        }
        if answers.iter().all(|answer| answer.text.is_empty()) {
            return None;
        }
        Some(Kind::Numerical { answers, units: self.units() })
    }

    /// Returns the units of a numerical or calculated question.
    pub(super) fn units(&self) -> Units {
        let units = self.root.child("units").into_iter().flat_map(|units| units.named("unit"));
        let units = units.map(|unit| Unit {
            name: unit.child("unit_name").map(|name| name.trimmed().into_owned()).unwrap_or_default(),
            multiplier: unit.child("multiplier").map(|one| one.trimmed().into_owned()).unwrap_or_default(),
        });
        Units {
            known: units.filter(|unit| !unit.name.is_empty()).collect(),
            graded: self.value("unitgradingtype").is_some_and(|value| value != "0"),
            shown: self.value("showunits").as_deref() != Some("3"),
        }
    }
}

/// Returns the trimmed text of the child element `text`, or the element's own text if it has no such child.
pub(super) fn plain_text(element: Element<'_>) -> String {
    match element.child("text") {
        Some(text) => text.trimmed().into_owned(),
        None => own_text(element),
    }
}

/// Returns the trimmed text directly inside an element, without that of child elements.
fn own_text(element: Element<'_>) -> String {
    let mut text = String::new();
    for child in element.children() {
        if let crate::xml::Child::Text(piece) = child {
            text.push_str(piece);
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn files_are_cut_at_questions() {
        let text = "<quiz><question type=\"a\"><questiontext/></question><!-- <question> -->\
                    <question type=\"b\"><![CDATA[</question>]]></question><question type=\"c\"><question/></question></quiz>";
        let (found, _) = pieces(text);
        let told: Vec<(&str, bool)> = found.iter().map(|piece| (&piece.text[..18], piece.closed)).collect();
        assert_eq!(told[0], ("<question type=\"a\"", true));
        assert_eq!(told[1], ("<question type=\"b\"", true));
        assert_eq!(told[2], ("<question type=\"c\"", false));
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn a_document_type_ends_at_its_bracket() {
        let (found, outside) = pieces("<!DOCTYPE quiz><question type=\"a\"></question><!DOCTYPE <!DOCTYPE");
        assert!(found.len() == 1 && found[0].closed && outside.unclosed && outside.doctype.is_none());
        // Searching the text to its end for each of them would take too long.
        let many = "<!DOCTYPE ".repeat(300_000);
        assert!(pieces(&many).1.unclosed && !pieces(&format!("{many}>")).1.unclosed);
    }

    #[test]
    fn declarations_and_open_comments_are_noticed() {
        assert!(pieces("<!DOCTYPE quiz [<!ENTITY a \"b\">]><quiz/>").1.doctype.is_some());
        assert!(pieces("<quiz><!-- <question/></quiz>").1.unclosed);
    }
}
