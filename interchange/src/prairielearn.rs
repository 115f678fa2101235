//! PrairieLearn questions without a program of their own: the elements of `question.html`, with `info.json` beside it.

use std::ops::Range;

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Ratio};

use crate::format::{Sink, Source};
use crate::item::{
    Blanks, Choice, ChoiceOption, ChoiceRule, Choosable, Formula, Interaction, Item, Match, MatchRule,
    NumberAnswer, NumberEntry, NumberRange, Order, OrderCredit, Part, Prose, SameFormula, TextAnswer,
    TextEntry, TextForm,
};
use crate::loss::{Loss, Place, ReadError};
use crate::moodle::question::normal_number;
use crate::perseus::as_latex;
use crate::rich::{RichText, html_into, lenient_unescape};
use crate::text;

/// Whether a file looks like one of this format.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    let name = source.name();
    name == "question.html" || (name.ends_with(".html") && source.head().contains("<pl-"))
}

/// Reads the question of a file.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let html = text::decode(source.bytes)?;
    let info = source.sibling("info.json").and_then(|bytes| Json::parse(&bytes).ok());
    let folder = source.path.rsplit(['/', '\\']).nth(1).unwrap_or_default();
    let mut item =
        item(&html, if folder.is_empty() { source.stem() } else { folder }, source.has_sibling("server.py"));
    if let Some(info) = info {
        info.get("title").and_then(Json::as_str).unwrap_or_default().clone_into(&mut item.title);
        if let Some(topic) = info.get("topic").and_then(Json::as_str) {
            item.metadata.push(("topic".to_owned(), topic.to_owned()));
        }
        let tags = info.get("tags").and_then(Json::as_array).unwrap_or_default();
        item.metadata
            .extend(tags.iter().filter_map(Json::as_str).map(|tag| ("tag".to_owned(), tag.to_owned())));
    }
    items(Ok(item));
    Ok(())
}

/// An element whose name begins with `pl-`.
struct Element<'h> {
    name: &'h str,
    attributes: Vec<(&'h str, String)>,
    outer: Range<usize>,
    inner: Range<usize>,
    line: u32,
}

impl Element<'_> {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    fn yes(&self, name: &str, default: bool) -> bool {
        self.attribute(name).map_or(default, |value| {
            matches!(value.trim().to_ascii_lowercase().as_str(), "true" | "t" | "1" | "yes" | "y")
        })
    }

    fn number(&self, name: &str) -> Option<Decimal> {
        decimal(self.attribute(name)?)
    }

    fn place(&self) -> Place {
        Place::new(self.name, self.line)
    }
}

fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_text(&normal_number(text)?).ok()
}

/// The most elements of a question.
const MAX_ELEMENTS: usize = 5_000;

/// The `pl-` elements of a text, in the order of their start tags. Linear.
fn elements(html: &str) -> Vec<Element<'_>> {
    let mut found: Vec<Element<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut line = 1;
    let mut counted = 0;
    while let Some(start) = html[at..].find('<').map(|found| at + found) {
        let rest = &html[start..];
        if rest.starts_with("<!--") {
            at = start + rest.find("-->").map_or(rest.len(), |end| end + 3);
            continue;
        }
        if let Some(after) = rest.strip_prefix("</pl-") {
            let length = after.find('>').unwrap_or(after.len());
            let name = after[..length].trim();
            at = start + (5 + length + 1).min(rest.len());
            if let Some(place) = open.iter().rposition(|index| found[*index].name[3..] == *name) {
                for index in open.drain(place..) {
                    found[index].inner.end = start;
                    found[index].outer.end = at;
                }
            }
            continue;
        }
        if !rest.starts_with("<pl-") || found.len() == MAX_ELEMENTS {
            at = start + 1;
            continue;
        }
        let (name, attributes, length, empty) = start_tag(rest);
        line += html[counted..start].bytes().filter(|byte| *byte == b'\n').count() as u32;
        counted = start;
        let end = start + length;
        found.push(Element { name, attributes, outer: start..end, inner: end..end, line });
        if !empty {
            open.push(found.len() - 1);
        }
        at = end;
    }
    found
}

type StartTag<'h> = (&'h str, Vec<(&'h str, String)>, usize, bool);

/// The name, the attributes and the length of a start tag, and whether it is closed in itself.
fn start_tag(text: &str) -> StartTag<'_> {
    let name_end =
        text[1..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).map_or(text.len(), |end| end + 1);
    let mut attributes = Vec::new();
    let mut at = name_end;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.is_empty() {
            return (&text[1..name_end], attributes, at, false);
        }
        if let Some(length) = [">", "/>"].into_iter().find(|end| rest.starts_with(end)).map(str::len) {
            return (&text[1..name_end], attributes, at + length, length == 2);
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/'))
            .unwrap_or(rest.len())
            .max(1);
        let end = (end..=rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        let name = &rest[..end];
        at += end;
        let after = text[at..].trim_start();
        let Some(value) = after.strip_prefix('=') else {
            attributes.push((name, String::new()));
            continue;
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (given, left) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => {
                value.split_at(value.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(value.len()))
            }
        };
        at = text.len() - left.len();
        attributes.push((name, lenient_unescape(given).into_owned()));
    }
}

/// Elements that are graded by people or by a program.
const ELSEWHERE: &[&str] = &[
    "pl-file-editor",
    "pl-file-upload",
    "pl-workspace",
    "pl-external-grader-results",
    "pl-drawing",
    "pl-sketch",
    "pl-image-capture",
    "pl-threejs",
    "pl-matrix-input",
    "pl-matrix-component-input",
    "pl-big-o-input",
    "pl-units-input",
    "pl-matrix-latex",
    "pl-excalidraw",
];

fn item(html: &str, id: &str, has_program: bool) -> Item {
    let mut item = Item::new(id, Place::default());
    let all = elements(html);
    let mut parts = Vec::new();
    let mut expressible = true;
    let mut hidden: Vec<(Range<usize>, String)> = Vec::new();
    if has_program {
        item.losses.push(Loss::score(
            Place::default(),
            "server-program",
            "a program makes the values or grades the answers",
            "write a question for each variant",
        ));
        expressible = false;
    }
    for element in &all {
        let inside = hidden.iter().any(|(range, _)| range.contains(&element.outer.start));
        if inside {
            continue;
        }
        if matches!(
            element.name,
            "pl-answer-panel" | "pl-submission-panel" | "pl-hidden-hints" | "pl-hide-in-panel"
        ) {
            hidden.push((element.outer.clone(), String::new()));
            continue;
        }
        if ELSEWHERE.contains(&element.name) {
            item.losses.push(Loss::score(
                element.place(),
                "element",
                format!("there is no counterpart of `{}`", element.name),
                "grade it by a program or a person",
            ));
            expressible = false;
            hidden.push((element.outer.clone(), String::new()));
            continue;
        }
        let mut reading = Reading { html, all: &all, element, losses: &mut item.losses };
        let Some(result) = reading.interaction() else { continue };
        let name = element.attribute("answers-name").unwrap_or_default();
        hidden.push((element.outer.clone(), format!(" [{name}] ")));
        let weight =
            element.attribute("weight").and_then(|weight| weight.trim().parse::<i64>().ok()).unwrap_or(1);
        match result {
            Ok(_) if weight <= 0 => item.losses.push(Loss::display(
                element.place(),
                "input-without-weight",
                format!("`{name}` earns nothing and is left out"),
                "give it a weight",
            )),
            Ok(interaction) => {
                let mut part = Part::new(name, interaction, element.place());
                part.weight = Ratio::new(weight, 1);
                element.attribute("label").unwrap_or_default().clone_into(&mut part.prompt);
                parts.push(part);
            }
            Err(loss) => {
                item.losses.push(loss);
                expressible = false;
            }
        }
    }
    item.prompt = prompt(html, &hidden);
    if html.contains("{{") {
        item.losses.push(Loss::display(
            Place::default(),
            "mustache",
            "values that are put into the text stand as they are in the source",
            "write them out",
        ));
    }
    if parts.is_empty() && expressible {
        item.losses.push(Loss::metadata(
            Place::default(),
            "nothing-to-grade",
            "no element of the text is graded",
            "show it as text",
        ));
    }
    if expressible {
        item.parts = parts;
    }
    item
}

/// The text with names in place of inputs.
fn prompt(html: &str, hidden: &[(Range<usize>, String)]) -> String {
    let mut rich = RichText::new();
    let mut at = 0;
    for (range, instead) in hidden {
        if range.start < at {
            continue;
        }
        html_into(&html[at..range.start], &mut rich);
        if !instead.is_empty() {
            rich.raw(instead);
        }
        at = range.end;
    }
    html_into(&html[at..], &mut rich);
    rich.finish().0
}

struct Reading<'r, 'h> {
    html: &'h str,
    all: &'r [Element<'h>],
    element: &'r Element<'h>,
    losses: &'r mut Vec<Loss>,
}

impl<'r, 'h> Reading<'r, 'h> {
    fn lost(&self, rule: &'static str, message: impl Into<String>, suggestion: &str) -> Loss {
        Loss::score(self.element.place(), rule, message, suggestion)
    }

    fn score_loss(&mut self, rule: &'static str, message: &str, suggestion: &str) {
        let loss = self.lost(rule, message, suggestion);
        self.losses.push(loss);
    }

    fn display_loss(&mut self, rule: &'static str, message: &str, suggestion: &str) {
        self.losses.push(Loss::display(self.element.place(), rule, message, suggestion));
    }

    /// The elements of a name inside this one.
    fn inside(&self, name: &str) -> Vec<&'r Element<'h>> {
        let range = &self.element.inner;
        self.all.iter().filter(|one| one.name == name && range.contains(&one.outer.start)).collect()
    }

    fn content(&self, element: &Element<'_>) -> String {
        let mut rich = RichText::new();
        html_into(&self.html[element.inner.clone()], &mut rich);
        rich.finish().0
    }

    /// What the element asks for; `None` where it asks nothing.
    fn interaction(&mut self) -> Option<Result<Interaction, Loss>> {
        let read: fn(&mut Self) -> Result<Interaction, Loss> = match self.element.name {
            "pl-multiple-choice" => Self::multiple_choice,
            "pl-checkbox" => |reading| Ok(reading.checkbox()),
            "pl-number-input" => Self::number,
            "pl-integer-input" => Self::integer,
            "pl-string-input" => Self::string,
            "pl-symbolic-input" => Self::symbolic,
            "pl-matching" => |reading| Ok(reading.matching()),
            "pl-order-blocks" => Self::order,
            "pl-rich-text-editor" => |_| Ok(Interaction::Prose(Prose::default())),
            _ => return None,
        };
        if self.element.attributes.iter().any(|(_, value)| value.contains("{{")) {
            return Some(Err(self.lost("mustache", "its key is computed by a program", "write it out")));
        }
        Some(read(self))
    }

    fn options(&self) -> Vec<ChoiceOption> {
        self.inside("pl-answer")
            .into_iter()
            .enumerate()
            .map(|(index, answer)| ChoiceOption {
                id: (index + 1).to_string(),
                content: self.content(answer),
                weight: Ratio::new(i64::from(answer.yes("correct", false)), 1),
                feedback: answer
                    .attribute("feedback")
                    .map(ToOwned::to_owned)
                    .filter(|text| !text.trim().is_empty()),
            })
            .collect()
    }

    fn multiple_choice(&mut self) -> Result<Interaction, Loss> {
        if self.element.attribute("external-json").is_some() {
            return Err(self.lost(
                "external-choices",
                "the choices stand in another file",
                "write them into the question",
            ));
        }
        let mut options = self.options();
        let mut shares = false;
        for (option, answer) in options.iter_mut().zip(self.inside("pl-answer")) {
            if let Some(score) = answer.number("score") {
                option.weight = Ratio::from_decimal(&score).clamped();
                shares |= !option.weight.is_zero() && !option.weight.is_one();
            }
        }
        let drawn =
            self.element.attribute("number-answers").and_then(|count| count.trim().parse::<usize>().ok());
        if drawn.is_some_and(|drawn| drawn < options.len()) {
            self.display_loss(
                "drawn-choices",
                "learners see some of the choices; here all of them",
                "take some out",
            );
        }
        for (name, id, content) in [
            ("all-of-the-above", "all", "All of the above"),
            ("none-of-the-above", "none", "None of the above"),
        ] {
            let right = match self
                .element
                .attribute(name)
                .map(|value| value.trim().to_ascii_lowercase())
                .as_deref()
            {
                None | Some("false" | "") => continue,
                Some("correct") => true,
                Some("incorrect") => false,
                Some(_) => {
                    return Err(self.lost(
                        "random-choice",
                        format!("`{name}` is right or wrong by chance"),
                        "say `correct` or `incorrect`",
                    ));
                }
            };
            if right {
                // It is right in place of the others.
                options.iter_mut().for_each(|option| option.weight = Ratio::zero());
            }
            let weight = Ratio::new(i64::from(right), 1);
            options.push(ChoiceOption {
                id: id.to_owned(),
                content: content.to_owned(),
                weight,
                feedback: None,
            });
        }
        let right = options.iter().filter(|option| option.weight.is_one()).count();
        if right > 1 {
            self.display_loss(
                "drawn-choices",
                "one of several right choices is shown; here all of them",
                "keep one",
            );
        }
        let rule = if shares || right > 1 { ChoiceRule::Sum } else { ChoiceRule::AllOrNothing };
        let fixed = matches!(self.element.attribute("order"), Some("fixed" | "ascend" | "descend"))
            || self.element.yes("fixed-order", false);
        Ok(Interaction::Choice(Choice { options, most: Some(1), shuffle: !fixed, rule }))
    }

    fn checkbox(&mut self) -> Interaction {
        let options = self.options();
        let count =
            |name: &str| self.element.attribute(name).and_then(|value| value.trim().parse::<usize>().ok());
        let drawn = count("number-answers").is_some_and(|drawn| drawn < options.len());
        let limits = (count("min-select"), count("max-select"));
        let old = self.element.attribute("partial-credit-method").unwrap_or("PC").to_owned();
        let credit =
            match self.element.attribute("partial-credit").map(|value| value.trim().to_ascii_lowercase()) {
                None => "off".to_owned(),
                Some(value) if value == "true" => match old.as_str() {
                    "PC" => "net-correct".to_owned(),
                    "EDC" => "each-answer".to_owned(),
                    _ => "coverage".to_owned(),
                },
                Some(value) if value == "false" => "off".to_owned(),
                Some(value) => value,
            };
        if drawn {
            self.score_loss(
                "drawn-choices",
                "learners see some of the choices; here all of them",
                "make a question of each draw",
            );
        }
        if limits.0.is_some_and(|least| least > 1) || limits.1.is_some_and(|most| most < options.len()) {
            self.display_loss(
                "selection-limits",
                "fewer or more choices than allowed are refused there",
                "say it in the text",
            );
        }
        let rule = match credit.as_str() {
            "off" => ChoiceRule::AllOrNothing,
            "net-correct" => ChoiceRule::Share,
            other => {
                let message = format!("partial credit of the kind `{other}` is read as `net-correct`");
                self.score_loss("partial-credit", &message, "use `net-correct`");
                ChoiceRule::Share
            }
        };
        let fixed = matches!(self.element.attribute("order"), Some("fixed"))
            || self.element.yes("fixed-order", false);
        Interaction::Choice(Choice { options, most: None, shuffle: !fixed, rule })
    }

    fn key(&self) -> Result<&'r str, Loss> {
        self.element.attribute("correct-answer").filter(|key| !key.trim().is_empty()).ok_or_else(|| {
            self.lost("no-key", "the right answer is not in the file", "name it in `correct-answer`")
        })
    }

    fn number(&mut self) -> Result<Interaction, Loss> {
        let key = self.key()?;
        let Some(value) = decimal(key) else {
            return Err(self.lost(
                "number-form",
                format!("the right answer `{key}` is not a real number"),
                "write a decimal",
            ));
        };
        let digits = self
            .element
            .attribute("digits")
            .and_then(|digits| digits.trim().parse::<i32>().ok())
            .unwrap_or(2);
        let mut writing = None;
        let range = match self.element.attribute("comparison").unwrap_or("relabs") {
            "relabs" => {
                let absolute = self.element.number("atol").unwrap_or_else(|| Decimal::new(1, -8));
                let relative = self.element.number("rtol").unwrap_or_else(|| Decimal::new(1, -2));
                let tolerance = Json::build().with("absolute", absolute).with("relative", relative).build();
                writing = Some(Json::build().with("tolerance", tolerance).build());
                NumberRange::Exact(value)
            }
            "exact" => NumberRange::Exact(value),
            comparison @ ("sigfig" | "decdig") => {
                let size = value.to_f64().abs();
                let place = if comparison == "decdig" {
                    digits
                } else if size > 0.0 {
                    digits - 1 - libm::floor(libm::log10(size)) as i32
                } else {
                    digits - 1
                };
                if !(-300..=300).contains(&place) {
                    return Err(self.lost("digits", "the digits are out of range", "ask for fewer"));
                }
                self.score_loss(
                    "digits",
                    "the comparison by digits is read as half a unit of the last one",
                    "give a tolerance",
                );
                NumberRange::Absolute(value, Decimal::new(51, -(place + 2)))
            }
            other => {
                return Err(self.lost(
                    "comparison",
                    format!("the comparison `{other}` is not known"),
                    "use `relabs`",
                ));
            }
        };
        if self.element.yes("allow-complex", false) {
            self.display_loss("complex-numbers", "complex numbers are read there", "ask for a formula");
        }
        let answers = vec![NumberAnswer { range, weight: Ratio::one(), feedback: None }];
        Ok(Interaction::Number(NumberEntry { answers, integer: false, unit: None, writing }))
    }

    fn integer(&mut self) -> Result<Interaction, Loss> {
        let key = self.key()?;
        if self.element.attribute("base").is_some_and(|base| base.trim() != "10") {
            return Err(self.lost("base", "the number is written in another base", "ask for it as a text"));
        }
        let value = decimal(key).filter(Decimal::is_integer);
        let value = value
            .ok_or_else(|| self.lost("number-form", format!("`{key}` is not an integer"), "write digits"))?;
        let answers =
            vec![NumberAnswer { range: NumberRange::Exact(value), weight: Ratio::one(), feedback: None }];
        Ok(Interaction::Number(NumberEntry { answers, integer: true, unit: None, writing: None }))
    }

    fn string(&mut self) -> Result<Interaction, Loss> {
        let key = self.key()?.to_owned();
        let trim = self.element.yes("remove-leading-trailing", true);
        if self.element.yes("remove-spaces", false) {
            self.score_loss(
                "remove-spaces",
                "no blank counts there; here those inside the answer do",
                "list the spellings",
            );
        }
        if self.element.yes("normalize-to-ascii", false) {
            self.score_loss("normalize-to-ascii", "letters are reduced to ASCII there", "list the spellings");
        }
        let answers = vec![TextAnswer { form: TextForm::Text(key), weight: Ratio::one(), feedback: None }];
        let blanks = if trim { Blanks::Trim } else { Blanks::Keep };
        Ok(Interaction::Text(TextEntry {
            answers,
            ignore_case: self.element.yes("ignore-case", false),
            blanks,
        }))
    }

    fn symbolic(&mut self) -> Result<Interaction, Loss> {
        let key = self.key()?.replace("**", "^");
        if self.element.attribute("custom-functions").is_some() {
            self.score_loss("functions", "letters stand for functions", "write the answer without them");
        }
        let words = key.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() > 1);
        let known = [
            "sqrt", "sin", "cos", "tan", "sec", "csc", "cot", "arcsin", "arccos", "arctan", "log", "ln",
            "pi", "theta",
        ];
        if let Some(word) = words.into_iter().find(|word| !known.contains(word)) {
            return Err(self.lost(
                "key-form",
                format!("the name `{word}` has no counterpart"),
                "use single letters",
            ));
        }
        let latex = as_latex(&key);
        Ok(Interaction::Formula(Formula {
            latex,
            same: SameFormula::Symbolic,
            variables: Vec::new(),
            tolerance: None,
        }))
    }

    fn matching(&mut self) -> Interaction {
        let mut right: Vec<Choosable> = Vec::new();
        for (index, option) in self.inside("pl-option").into_iter().enumerate() {
            let id =
                option.attribute("name").map_or_else(|| format!("option-{}", index + 1), ToOwned::to_owned);
            right.push(Choosable { id, content: self.content(option) });
        }
        let mut left = Vec::new();
        let mut pairs = Vec::new();
        for (index, statement) in self.inside("pl-statement").into_iter().enumerate() {
            let id = format!("statement-{}", index + 1);
            let partner = statement.attribute("match").unwrap_or_default().to_owned();
            if !right.iter().any(|one| one.id == partner) {
                right.push(Choosable { id: partner.clone(), content: partner.clone() });
            }
            left.push(Choosable { id: id.clone(), content: self.content(statement) });
            pairs.push((id, partner, Ratio::one()));
        }
        if self.element.yes("none-of-the-above", false) {
            right.push(Choosable { id: "none".to_owned(), content: "None of the above".to_owned() });
        }
        if self.element.attribute("number-statements").is_some()
            || self.element.attribute("number-options").is_some()
        {
            self.score_loss(
                "drawn-statements",
                "learners see some of the statements; here all of them",
                "take some out",
            );
        }
        let rule =
            if self.element.yes("partial-credit", true) { MatchRule::Share } else { MatchRule::AllOrNothing };
        Interaction::Match(Match { left, right, pairs, rule, many_to_one: true, most_each: Some(1) })
    }

    fn order(&mut self) -> Result<Interaction, Loss> {
        if !self.inside("pl-block-group").is_empty() {
            return Err(self.lost(
                "block-groups",
                "groups of blocks have to stay together",
                "ask for the order without groups",
            ));
        }
        let method = self.element.attribute("grading-method").unwrap_or("ordered").trim().to_owned();
        let blocks = self.inside("pl-answer");
        let ids: Vec<String> = blocks
            .iter()
            .enumerate()
            .map(|(index, block)| match block.attribute("tag").filter(|_| block.yes("correct", true)) {
                Some(tag) => tag.trim().to_owned(),
                None => format!("block-{}", index + 1),
            })
            .collect();
        let items: Vec<Choosable> = blocks
            .iter()
            .zip(&ids)
            .map(|(block, id)| Choosable { id: id.clone(), content: self.content(block) })
            .collect();
        let mut right: Vec<(String, &Element<'_>)> = ids
            .iter()
            .zip(&blocks)
            .filter(|(_, block)| block.yes("correct", true))
            .map(|(id, block)| (id.clone(), *block))
            .collect();
        if right.is_empty() {
            return Err(self.lost("no-key", "no block belongs to the answer", "mark the right ones"));
        }
        if self.element.yes("indentation", false) {
            self.score_loss(
                "indentation",
                "the indentation of blocks counts there",
                "ask for the order alone",
            );
        }
        if self.element.attribute("min-incorrect").is_some()
            || self.element.attribute("max-incorrect").is_some()
        {
            self.display_loss(
                "drawn-blocks",
                "learners see some of the wrong blocks; here all of them",
                "take some out",
            );
        }
        if method == "unordered" {
            let options = items
                .into_iter()
                .map(|one| ChoiceOption {
                    weight: Ratio::new(i64::from(right.iter().any(|(id, _)| *id == one.id)), 1),
                    id: one.id,
                    content: one.content,
                    feedback: None,
                })
                .collect();
            return Ok(Interaction::Choice(Choice {
                options,
                most: None,
                shuffle: true,
                rule: ChoiceRule::Share,
            }));
        }
        let before = match method.as_str() {
            "ordered" => None,
            "ranking" => {
                let rank = |block: &Element<'_>| {
                    block.attribute("ranking").and_then(|rank| rank.trim().parse::<i64>().ok()).unwrap_or(-1)
                };
                right.sort_by_key(|(_, block)| rank(block));
                let mut pairs = Vec::new();
                for (index, (first, low)) in right.iter().enumerate() {
                    let next = right[index..].iter().map(|(_, one)| rank(one)).find(|one| *one > rank(low));
                    for (second, high) in &right[index..] {
                        if Some(rank(high)) == next {
                            pairs.push((first.clone(), second.clone()));
                        }
                    }
                }
                Some(pairs)
            }
            "dag" => {
                let mut pairs = Vec::new();
                for (id, block) in &right {
                    let depends = block.attribute("depends").unwrap_or_default();
                    if depends.contains('|') {
                        return Err(self.lost(
                            "optional-blocks",
                            "one of several sets of blocks is enough",
                            "ask for one order",
                        ));
                    }
                    for first in depends.split(',').map(str::trim).filter(|first| !first.is_empty()) {
                        pairs.push((first.to_owned(), id.clone()));
                    }
                }
                Some(pairs)
            }
            other => {
                return Err(self.lost(
                    "grading-method",
                    format!("the grading method `{other}` has no counterpart"),
                    "use `dag`",
                ));
            }
        };
        let usual = if method == "ordered" { "none" } else { "lcs" };
        let edits = self.element.attribute("partial-credit").map_or(usual, str::trim) == "lcs";
        if edits && 100 % right.len() != 0 {
            self.score_loss(
                "rounded-score",
                "scores are rounded to hundredths there",
                "nothing; the score here is exact",
            );
        }
        if !edits && right.len() < items.len() {
            self.score_loss(
                "blocks-after-the-end",
                "a right order with wrong blocks after it earns the full score there",
                "nothing; it earns nothing here",
            );
        }
        let credit = if edits { OrderCredit::Edits } else { OrderCredit::AllOrNothing };
        let correct = right.into_iter().map(|(id, _)| id).collect();
        Ok(Interaction::Order(Order { items, correct, before, credit }))
    }
}

#[cfg(test)]
mod tests {
    use super::{elements, item};
    use crate::compile::Question;
    use crate::format::Format;
    use crate::loss::Exactness;

    fn compiled(html: &str) -> Question {
        Question::compile(Format::PrairieLearn, "question.html", item(html, "q", false))
    }

    #[test]
    fn elements_nest_and_have_attributes() {
        let html = "<p>\n<pl-a x=\"1 > 0\" y='&lt;' z w=3><pl-b /></pl-a><!-- <pl-c> --><pl-d>";
        let found = elements(html);
        let told: Vec<(&str, &str, u32)> =
            found.iter().map(|one| (one.name, &html[one.inner.clone()], one.line)).collect();
        assert_eq!(told, [("pl-a", "<pl-b />", 2), ("pl-b", "", 2), ("pl-d", "", 2)]);
        let values: Vec<_> =
            found[0].attributes.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(values, [("x", "1 > 0"), ("y", "<"), ("z", ""), ("w", "3")]);
    }

    #[test]
    fn inputs_are_parts_with_weights() {
        let question = compiled(
            r#"<pl-question-panel><p>How many? <b>Look</b>.</p></pl-question-panel>
            <pl-number-input answers-name="n" correct-answer="3.5" rtol="0.1" weight="2"></pl-number-input>
            <pl-multiple-choice answers-name="m"><pl-answer correct="true">a</pl-answer><pl-answer>b</pl-answer></pl-multiple-choice>
            <pl-answer-panel>It is 3.5.</pl-answer-panel>"#,
        );
        assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
        assert_eq!(question.item.parts[0].weight.to_fraction_text(), "2");
        assert!(question.item.prompt.starts_with("How many? **Look**."), "{}", question.item.prompt);
        assert!(!question.item.prompt.contains("3.5"));
    }

    #[test]
    fn partial_orders_and_programs() {
        let blocks = |extra: &str, method: &str| {
            compiled(&format!(
                r#"<pl-order-blocks answers-name="o" grading-method="{method}" {extra}>
                <pl-answer tag="1">a</pl-answer><pl-answer tag="2" depends="1">b</pl-answer>
                <pl-answer correct="false">x</pl-answer></pl-order-blocks>"#
            ))
        };
        assert_eq!(blocks("", "dag").exactness, Exactness::Exact);
        assert_eq!(blocks("", "unordered").exactness, Exactness::Exact);
        assert_eq!(blocks("indentation=\"true\"", "dag").exactness, Exactness::Approximate);
        assert_eq!(blocks("", "external").exactness, Exactness::NotExpressible);
        assert_eq!(compiled("<pl-workspace></pl-workspace>").exactness, Exactness::NotExpressible);
        assert_eq!(
            compiled(r#"<pl-number-input answers-name="n" correct-answer="{{params.x}}"></pl-number-input>"#)
                .losses[0]
                .rule,
            "mustache"
        );
    }
}
