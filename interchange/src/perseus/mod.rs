//! Perseus items: JSON with Markdown in which widgets are written as `[[☃ radio 1]]`.
//!
//! A widget is graded if the text shows it, unless it is static or marked as not graded. An item is right if all graded
//! widgets are right, and is refused if one of them has no counterpart among the question types.

mod numbers;

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_core::equivalence::{equivalent, read_options};
use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use crate::format::{Sink, Source};
use crate::ids::UniqueIds;
use crate::item::{
    Choice, ChoiceOption, ChoiceRule, Choosable, Combine, Feedback, Formula, Interaction, Item, Match,
    MatchRule, Order, OrderCredit, Part, Prose, SameFormula, options_fit,
};
use crate::loss::{Loss, Place, ReadError};
use crate::plain_formula::{Notation, as_latex};
use crate::text;

/// The maximum length of a function's name that is looked for, in characters.
const MOST_FUNCTION_NAME: usize = 40;

/// Returns whether a file looks like Perseus items.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    if !source.name().to_ascii_lowercase().ends_with(".json") {
        return false;
    }
    let text = String::from_utf8_lossy(source.bytes);
    text.trim_start().starts_with(['{', '[']) && text.contains("\"widgets\"") && text.contains("\"content\"")
}

/// Reads the items of a file: one, or a list of them.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let text = text::decode(source.bytes)?;
    let document = Json::parse(text.as_bytes()).map_err(|error| ReadError::from_public(&error))?;
    match &document {
        Json::Array(list) => {
            for (index, entry) in list.iter().enumerate() {
                items(Ok(item(entry, &format!("{}-{}", source.stem(), index + 1), &format!("/{index}"))));
            }
        }
        entry => items(Ok(item(entry, source.stem(), ""))),
    }
    Ok(())
}

fn string<'j>(json: &'j Json, name: &str) -> &'j str {
    json.get(name).and_then(Json::as_str).unwrap_or_default()
}

fn truth(json: &Json, name: &str, default: bool) -> bool {
    match json.get(name) {
        Some(Json::Bool(value)) => *value,
        _ => default,
    }
}

fn list<'j>(json: &'j Json, name: &str) -> &'j [Json] {
    json.get(name).and_then(Json::as_array).unwrap_or_default()
}

/// Returns Markdown with escaped HTML tags.
fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tag =
            rest[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        out.push_str(if tag { "\\<" } else { "<" });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// Returns the names of the widgets in a text, and the text with `[name]` in place of each widget.
fn shown(content: &str) -> (Vec<String>, String) {
    let mut names: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    let mut out = String::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = rest.find("[[\u{2603} ") {
        out.push_str(&rest[..at]);
        let inside = &rest[at + "[[\u{2603} ".len()..];
        let Some(end) = inside.find("]]") else {
            out.push_str(&rest[at..]);
            return (names, markdown(&out));
        };
        let name = inside[..end].trim();
        out.push_str(&format!("[{name}]"));
        if known.insert(name) {
            names.push(name.to_owned());
        }
        rest = &inside[end + 2..];
    }
    out.push_str(rest);
    (names, markdown(&out))
}

fn item(document: &Json, id: &str, pointer: &str) -> Item {
    let mut item = Item::new(id, Place::new(pointer, 0));
    item.combine = Combine::All;
    let (question, at) = match document.get("question") {
        Some(question) => (question, format!("{pointer}/question")),
        None => (document, pointer.to_owned()),
    };
    let mut texts = Vec::new();
    let mut expressible = true;
    renderer(question, &at, "", 0, &mut texts, &mut item, &mut expressible);
    item.prompt = texts.join("\n\n");
    if !expressible {
        item.parts.clear();
    }
    for hint in list(document, "hints") {
        let content = shown(string(hint, "content")).1;
        if !content.is_empty() {
            item.feedback.push(Feedback { when: "hint".to_owned(), content });
        }
    }
    if item.parts.is_empty() && expressible {
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "nothing-to-grade",
            "no widget of the text is graded",
            "show it as text",
        ));
    }
    item
}

/// Adds the text and the graded widgets of a renderer; groups are nested renderers.
fn renderer(
    json: &Json,
    at: &str,
    prefix: &str,
    depth: usize,
    texts: &mut Vec<String>,
    item: &mut Item,
    expressible: &mut bool,
) {
    let (names, text) = shown(string(json, "content"));
    if !text.is_empty() {
        texts.push(text);
    }
    for name in names {
        let Some(widget) = json.get("widgets").and_then(|widgets| widgets.get(&name)) else { continue };
        let kind = string(widget, "type");
        let place = Place::new(format!("{at}/widgets/{}", name.replace('~', "~0").replace('/', "~1")), 0);
        let none = Json::build().build();
        let options = widget.get("options").unwrap_or(&none);
        if !truth(widget, "graded", true) || truth(widget, "static", false) || truth(options, "static", false)
        {
            continue;
        }
        let id = format!("{prefix}{name}");
        let mut widget = Widget { options, place, losses: &mut item.losses };
        let interaction = match kind {
            "radio" => widget.radio(),
            "dropdown" => widget.dropdown(),
            "numeric-input" | "input-number" => widget.number(),
            "expression" => match widget.expression() {
                Ok(interaction) => interaction,
                Err(loss) => {
                    widget.losses.push(loss);
                    *expressible = false;
                    continue;
                }
            },
            "orderer" => widget.orderer(),
            "sorter" => widget.sorter(),
            "matcher" => widget.matcher(),
            "categorizer" => widget.categorizer(),
            "free-response" => Some(Interaction::Prose(Prose::default())),
            "label-image" => {
                let markers = widget.label_image(&id);
                *expressible &= !markers.is_empty();
                item.parts.extend(markers);
                continue;
            }
            "group" if depth < 8 => {
                let inside = format!("{}/options", widget.place.path);
                renderer(options, &inside, &format!("{id}/"), depth + 1, texts, item, expressible);
                continue;
            }
            // These widgets are not scored. A graded group is checked separately and does not count in the item.
            "graded-group" | "graded-group-set" | "image" | "video" | "explanation" | "definition"
            | "passage" | "passage-ref" | "interaction" | "measurer" | "molecule" | "deprecated-standin"
            | "phet-simulation" | "iframe" | "mock-widget" | "python-program" | "" => {
                widget.losses.push(Loss::display(
                    widget.place,
                    "widget-left-out",
                    format!("a widget `{kind}` that is not scored is left out"),
                    "show it in another way",
                ));
                continue;
            }
            other => {
                widget.losses.push(Loss::score(
                    widget.place,
                    "widget",
                    format!("there is no counterpart of a widget `{other}`"),
                    "grade its state by a validator of your own",
                ));
                *expressible = false;
                continue;
            }
        };
        match interaction {
            Some(interaction) => {
                let place = widget.place;
                item.parts.push(Part::new(id, interaction, place));
            }
            None => {
                widget.losses.push(Loss::score(
                    widget.place,
                    "widget-incomplete",
                    format!("the widget `{kind}` has no key"),
                    "complete the item",
                ));
                *expressible = false;
            }
        }
    }
}

struct Widget<'w> {
    options: &'w Json,
    place: Place,
    losses: &'w mut Vec<Loss>,
}

/// Uses texts as identifiers, as responses do; repeated texts get a number.
fn by_content(texts: impl IntoIterator<Item = String>) -> Vec<Choosable> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut numbered = |content: String| {
        let count = found.entry(content.clone()).or_default();
        *count += 1;
        let id = if *count == 1 { content.clone() } else { format!("{content} ({count})") };
        Choosable { id, content }
    };
    texts.into_iter().map(&mut numbered).collect()
}

/// Returns a text, or the content of a renderer.
fn content(json: &Json) -> String {
    json.as_str().map_or_else(|| string(json, "content").to_owned(), ToOwned::to_owned)
}

impl Widget<'_> {
    fn score_loss(&mut self, rule: &'static str, message: &str, suggestion: &str) {
        self.losses.push(Loss::score(self.place.clone(), rule, message, suggestion));
    }

    fn display_loss(&mut self, rule: &'static str, message: &str, suggestion: &str) {
        self.losses.push(Loss::display(self.place.clone(), rule, message, suggestion));
    }

    fn radio(&mut self) -> Option<Interaction> {
        let choices = list(self.options, "choices");
        let options: Vec<ChoiceOption> = choices
            .iter()
            .enumerate()
            .map(|(index, choice)| {
                let id = string(choice, "id");
                let rationale = ["rationale", "clue"].iter().find_map(|name| choice.get(name)?.as_str());
                let none_of_above = truth(choice, "isNoneOfTheAbove", false);
                let told = markdown(string(choice, "content"));
                ChoiceOption {
                    id: if id.is_empty() { format!("radio-choice-{index}") } else { id.to_owned() },
                    content: if none_of_above && told.is_empty() {
                        "None of the above".to_owned()
                    } else {
                        told
                    },
                    weight: Ratio::new(i64::from(truth(choice, "correct", false)), 1),
                    feedback: rationale.map(markdown).filter(|text| !text.is_empty()),
                }
            })
            .collect();
        let right = options.iter().filter(|option| option.weight.is_one()).count();
        if right == 0 {
            return None;
        }
        let several = truth(self.options, "multipleSelect", false) || right > 1;
        if several && truth(self.options, "countChoices", false) {
            self.display_loss(
                "count-choices",
                "learners are told how many to select",
                "state it in the text",
            );
        }
        Some(Interaction::Choice(Choice {
            options,
            most: (!several).then_some(1),
            shuffle: truth(self.options, "randomize", false),
            rule: ChoiceRule::AllOrNothing,
        }))
    }

    fn dropdown(&mut self) -> Option<Interaction> {
        let options: Vec<ChoiceOption> = list(self.options, "choices")
            .iter()
            .enumerate()
            .map(|(index, choice)| ChoiceOption {
                // Responses number the options from 1; 0 is the placeholder.
                id: (index + 1).to_string(),
                content: markdown(string(choice, "content")),
                weight: Ratio::new(i64::from(truth(choice, "correct", false)), 1),
                feedback: None,
            })
            .collect();
        options.iter().any(|option| option.weight.is_one()).then_some(())?;
        let rule = ChoiceRule::AllOrNothing;
        Some(Interaction::Choice(Choice { options, most: Some(1), shuffle: false, rule }))
    }

    /// Returns the formula; `None` without a key, and a loss if the key cannot be read.
    fn expression(&mut self) -> Result<Option<Interaction>, Loss> {
        let forms = list(self.options, "answerForms");
        let is_right = |form: &Json| string(form, "considered") == "correct";
        let right: Vec<&Json> = forms.iter().filter(|form| is_right(form)).collect();
        // A right answer without a required form covers equal answers that require one.
        let loose = right.iter().find(|one| !truth(one, "form", false) && !truth(one, "simplify", false));
        let Some(first) = loose.or(right.first()).copied() else { return Ok(None) };
        let value = string(first, "value");
        let latex = as_latex(value, Notation::Perseus, &[]).ok_or_else(|| {
            Loss::score(
                self.place.clone(),
                "key-form",
                format!("the formula `{value}` cannot be read; it is incomplete or has an unknown sign"),
                "correct it, or write it in LaTeX",
            )
        })?;
        let included = |one: &Json| loose.is_some() && same_value(value, string(one, "value")) == Some(true);
        if right.iter().any(|one| !std::ptr::eq(*one, first) && !included(one)) {
            self.score_loss(
                "several-expressions",
                "the source accepts several expressions; only one is kept",
                "ask for one of them, or make a question of each",
            );
        }
        // A listed wrong answer changes scores only if it precedes a right answer and equals the kept one.
        let last = forms.iter().rposition(is_right).unwrap_or(0);
        let before = forms[..last].iter().filter(|form| !is_right(form));
        if { before }.any(|wrong| same_value(value, string(wrong, "value")) != Some(false)) {
            self.score_loss(
                "expected-mistakes",
                "the source system can reject an answer that equals the right one, because of its form",
                "ask for a form",
            );
        } else if !forms.iter().all(is_right) {
            self.display_loss(
                "expected-mistakes",
                "answers that are known to be wrong have no feedback",
                "tell it after grading",
            );
        }
        if truth(first, "simplify", false) && !truth(first, "form", false) {
            self.score_loss(
                "simplify",
                "the source system does not accept an answer that can be simplified",
                "ask for a form",
            );
        }
        let same = if truth(first, "form", false) {
            SameFormula::InForm { form: "same".to_owned(), variable: None, otherwise: Ratio::zero() }
        } else {
            SameFormula::Symbolic
        };
        let names: BTreeSet<&str> = list(self.options, "functions").iter().filter_map(Json::as_str).collect();
        // each bracket with the letters before it
        let called = value.match_indices('(').any(|(at, _)| {
            let before = value[..at].trim_end_matches("\\left");
            let mut starts = before.char_indices().rev().take(MOST_FUNCTION_NAME);
            starts.any(|(start, _)| names.contains(&before[start..]))
        });
        if called {
            self.score_loss("function-letters", "a letter denotes a function", "write the answer without it");
        }
        Ok(Some(Interaction::Formula(Formula { latex, same, variables: Vec::new(), tolerance: None })))
    }

    fn orderer(&mut self) -> Option<Interaction> {
        let correct = by_content(list(self.options, "correctOptions").iter().map(content));
        let distractors = list(self.options, "otherOptions").iter().map(content);
        let items = by_content(correct.iter().map(|one| one.content.clone()).chain(distractors));
        (correct.len() > 1).then_some(())?;
        if correct.iter().any(|one| one.id != one.content) {
            self.score_loss(
                "equal-items",
                "equal items are interchangeable in the source system",
                "make them differ",
            );
        }
        let order = Order {
            correct: correct.into_iter().map(|one| one.id).collect(),
            items,
            before: None,
            credit: OrderCredit::AllOrNothing,
        };
        Some(Interaction::Order(order))
    }

    fn sorter(&mut self) -> Option<Interaction> {
        let items = by_content(list(self.options, "correct").iter().map(content));
        (items.len() > 1).then_some(())?;
        if items.iter().any(|one| one.id != one.content) {
            self.score_loss(
                "equal-items",
                "equal items are interchangeable in the source system",
                "make them differ",
            );
        }
        let correct = items.iter().map(|one| one.id.clone()).collect();
        Some(Interaction::Order(Order { items, correct, before: None, credit: OrderCredit::AllOrNothing }))
    }

    fn matcher(&mut self) -> Option<Interaction> {
        let left = by_content(list(self.options, "left").iter().map(content));
        let right = by_content(list(self.options, "right").iter().map(content));
        (!left.is_empty() && left.len() == right.len()).then_some(())?;
        if truth(self.options, "orderMatters", false) {
            self.score_loss(
                "order-matters",
                "the order of the pairs counts in the source system",
                "ask for the order in a separate question",
            );
        }
        if left.iter().chain(&right).any(|one| one.id != one.content) {
            self.score_loss(
                "equal-items",
                "equal items are interchangeable in the source system",
                "make them differ",
            );
        }
        let pairs =
            left.iter().zip(&right).map(|(l, r)| (l.id.clone(), r.id.clone(), Ratio::one())).collect();
        let rule = MatchRule::AllOrNothing;
        Some(Interaction::Match(Match { left, right, pairs, rule, many_to_one: false, most_each: Some(1) }))
    }

    fn categorizer(&mut self) -> Option<Interaction> {
        let numbered = |name: &str| -> Vec<Choosable> {
            let texts = list(self.options, name).iter().map(content).enumerate();
            texts.map(|(index, content)| Choosable { id: index.to_string(), content }).collect()
        };
        let (left, right) = (numbered("items"), numbered("categories"));
        let mut pairs = Vec::new();
        for (index, item) in left.iter().enumerate() {
            let category = list(self.options, "values").get(index)?.as_number()?.to_i64()?;
            let category = right.get(usize::try_from(category).ok()?)?;
            pairs.push((item.id.clone(), category.id.clone(), Ratio::one()));
        }
        (!pairs.is_empty()).then_some(())?;
        let rule = MatchRule::AllOrNothing;
        Some(Interaction::Match(Match { left, right, pairs, rule, many_to_one: true, most_each: Some(1) }))
    }

    /// Returns a part with a choice for each marker that has an answer.
    fn label_image(&mut self, id: &str) -> Vec<Part> {
        let choices: Vec<&str> = list(self.options, "choices").iter().filter_map(Json::as_str).collect();
        let markers = list(self.options, "markers");
        let contents: usize = choices.iter().map(|choice| choice.len()).sum();
        if !options_fit(markers.len().saturating_mul(choices.len()), markers.len().saturating_mul(contents)) {
            self.score_loss(
                "too-many-options",
                "there are too many choices for the markers",
                "divide the item",
            );
            return Vec::new();
        }
        let several = truth(self.options, "multipleAnswers", false);
        let mut parts: Vec<Part> = Vec::new();
        let mut ids = UniqueIds::default();
        for marker in markers {
            let right: BTreeSet<&str> = list(marker, "answers").iter().filter_map(Json::as_str).collect();
            if right.is_empty() {
                self.score_loss(
                    "marker-without-answer",
                    "a marker without an answer is left out; an answer to it is wrong in the source system",
                    "remove the marker",
                );
                continue;
            }
            if !right.iter().all(|answer| choices.contains(answer)) || (right.len() > 1 && !several) {
                self.score_loss(
                    "widget-incomplete",
                    "the answers of a marker cannot be selected",
                    "list them as choices, and allow several answers if there are several",
                );
                return Vec::new();
            }
            let options = choices
                .iter()
                .map(|choice| ChoiceOption {
                    id: (*choice).to_owned(),
                    content: markdown(choice),
                    weight: Ratio::new(i64::from(right.contains(choice)), 1),
                    feedback: None,
                })
                .collect();
            let most = (!several).then_some(1);
            let choice = Choice { options, most, shuffle: false, rule: ChoiceRule::AllOrNothing };
            let label = string(marker, "label");
            // Several markers can have the same label.
            let id = ids.enter(&format!("{id}/{label}"));
            let mut part = Part::new(id, Interaction::Choice(choice), self.place.clone());
            part.prompt = markdown(label);
            parts.push(part);
        }
        if parts.is_empty() {
            self.score_loss("widget-incomplete", "none of the markers has an answer", "complete the item");
        } else {
            self.display_loss(
                "picture",
                "the places of the markers in the picture are left out",
                "show the picture",
            );
        }
        parts
    }
}

/// Returns whether two expressions have the same value; `None` if this is undecided.
fn same_value(a: &str, b: &str) -> Option<bool> {
    let options = read_options("{}").ok()?;
    let latex = |text| as_latex(text, Notation::Perseus, &[]);
    let found = equivalent(&latex(a)?, &latex(b)?, &options).ok()?;
    let decision = found.decision();
    (decision.is_equal() || decision.is_different()).then(|| decision.is_equal())
}

#[cfg(test)]
mod tests {
    use super::item;
    use crate::compile::Question;
    use crate::format::Format;
    use crate::loss::{Effect, Exactness};
    use fablegrade_public::json::Json;

    fn compiled(text: &str) -> Question {
        let item = item(&Json::parse(text.as_bytes()).unwrap(), "a", "");
        Question::compile(Format::Perseus, "a.json", item)
    }

    #[test]
    fn markers_are_parts_with_ids_of_their_own() {
        let image = |several: bool, markers: &str| {
            compiled(&format!(
                r#"{{"question": {{"content": "[[☃ label-image 1]]", "widgets": {{"label-image 1": {{"type": "label-image",
                "options": {{"choices": ["a", "b"], "multipleAnswers": {several}, "markers": [{markers}]}}}}}}}}}}"#
            ))
        };
        let question = image(
            false,
            r#"{"label": "x", "answers": ["a"]}, {"label": "x", "answers": ["b"]}, {"answers": ["a"]}"#,
        );
        let ids: Vec<&str> = question.item.parts.iter().map(|part| part.id.as_str()).collect();
        assert_eq!(ids, ["label-image 1/x", "label-image 1/x#2", "label-image 1/"]);
        assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
        let question = image(false, r#"{"label": "x", "answers": ["a"]}, {"label": "y", "answers": []}"#);
        assert!(question.losses.iter().any(|loss| loss.rule == "marker-without-answer"));
        for (several, answers, read) in
            [(true, r#"["a", "b"]"#, true), (false, r#"["a", "b"]"#, false), (true, r#"["a", "c"]"#, false)]
        {
            let question = image(several, &format!(r#"{{"label": "x", "answers": {answers}}}"#));
            assert_eq!(!question.specs.is_empty(), read, "{answers}: {:?}", question.losses);
        }
    }

    #[test]
    fn shown_widgets_are_graded_together() {
        let question = compiled(
            r#"{"question": {"content": "A [[☃ radio 1]] and [[☃ dropdown 2]] [[☃ image 1]]", "widgets": {
                "radio 1": {"type": "radio", "options": {"choices": [{"content": "x", "correct": true}, {"content": "y"}]}},
                "dropdown 2": {"type": "dropdown", "options": {"choices": [{"content": "p"}, {"content": "q", "correct": true}]}},
                "image 1": {"type": "image", "options": {}},
                "plotter 9": {"type": "plotter", "options": {}}}}}"#,
        );
        assert_eq!(question.exactness, Exactness::ScoresExact);
        assert_eq!(question.specs.len(), 1);
        assert!(question.item.prompt.starts_with("A [radio 1]"));
    }

    #[test]
    fn a_graded_group_counts_for_nothing_in_its_item() {
        let radio = |right: &str| {
            format!(
                r#"{{"type": "radio", "options": {{"choices": [{{"content": "x", "correct": {right}}}, {{"content": "y", "correct": true}}]}}}}"#
            )
        };
        let inner = radio("false");
        let question = compiled(&format!(
            r#"{{"content": "[[☃ radio 1]] [[☃ graded-group 1]]", "widgets": {{"radio 1": {inner},
                "graded-group 1": {{"type": "graded-group", "options": {{"content": "[[☃ radio 2]]", "widgets": {{"radio 2": {inner}}}}}}}}}}}"#
        ));
        assert_eq!(question.item.parts.len(), 1);
        assert!(question.losses.iter().any(|loss| loss.rule == "widget-left-out"));
    }

    #[test]
    fn an_equal_expression_covers_those_that_require_a_form() {
        let expression = |forms: &str| {
            compiled(&format!(
                r#"{{"content": "[[☃ expression 1]]", "widgets": {{"expression 1": {{"type": "expression", "options": {{"answerForms": [{forms}]}}}}}}}}"#
            ))
        };
        let form = |value: &str, considered: &str, form: bool| {
            format!(
                r#"{{"value": "{value}", "considered": "{considered}", "form": {form}, "simplify": false}}"#
            )
        };
        let rules = |question: &Question| -> Vec<_> {
            question.losses.iter().map(|loss| (loss.rule, loss.effect)).collect()
        };
        let both =
            expression(&[form("(x+1)^2", "correct", true), form("x^2+2x+1", "correct", false)].join(","));
        assert_eq!(both.exactness, Exactness::Exact, "{:?}", both.losses);
        assert!(both.specs[0].spec.to_canonical().contains("x^{2}+2x+1"));
        let other = expression(&[form("x+1", "correct", false), form("x+2", "correct", false)].join(","));
        assert_eq!(rules(&other), [("several-expressions", Effect::ChangesScore)]);
        let mistake = expression(&[form("x+2", "wrong", false), form("x+1", "correct", false)].join(","));
        assert_eq!(rules(&mistake), [("expected-mistakes", Effect::ChangesDisplay)]);
        let unfactored =
            expression(&[form("x^2+x", "wrong", true), form("x(x+1)", "correct", false)].join(","));
        assert_eq!(rules(&unfactored), [("expected-mistakes", Effect::ChangesScore)]);
    }

    #[test]
    fn keys_in_plain_text_keep_their_meaning() {
        let expression = |value: &str| {
            compiled(&format!(
                r#"{{"content": "[[☃ expression 1]]", "widgets": {{
                    "expression 1": {{"type": "expression", "options": {{"answerForms": [
                    {{"value": "{value}", "considered": "correct", "form": false, "simplify": false}}]}}}}}}}}"#
            ))
        };
        for (key, right, wrong) in [
            ("x^{10}+1", "1+x^{10}", "x^1+1"),
            ("v_0t+at^2/2", r"\\frac{a t^2}{2}+t v_0", "v_{0t}+at^2/2"),
            ("x_{12}+1", "1+x_{12}", "x_1+1"),
            ("2^|x|", "2^{|x|}", "2^x"),
            ("e^π", r"e^{\\pi}", "e^p"),
        ] {
            let question = expression(key);
            assert_eq!(question.exactness, Exactness::Exact, "{key}: {:?}", question.losses);
            let scores = [right, wrong].map(|typed| {
                let given = Json::parse(format!("{{\"*\": \"{typed}\"}}").as_bytes()).unwrap();
                question.grader().unwrap().score(&question.responses_from_json(&given)).unwrap()
            });
            assert_eq!(scores, [1.0, 0.0], "{key}");
        }
        let incomplete = expression("(x^)");
        assert_eq!(incomplete.exactness, Exactness::NotExpressible);
        assert_eq!(incomplete.losses.iter().map(|loss| loss.rule).collect::<Vec<_>>(), ["key-form"]);
    }

    #[test]
    fn an_unknown_widget_is_told() {
        let question = compiled(
            r#"{"content": "[[☃ plotter 1]]", "widgets": {"plotter 1": {"type": "plotter", "options": {}}}}"#,
        );
        assert_eq!(question.exactness, Exactness::NotExpressible);
        assert_eq!(question.losses[0].rule, "widget");
    }
}
