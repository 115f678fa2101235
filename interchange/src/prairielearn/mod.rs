//! PrairieLearn questions without a program: the elements of `question.html`, and `info.json` next to it.

mod elements;
mod reading;

use std::ops::Range;

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use self::elements::{MAX_ELEMENTS, elements};
use self::reading::Reading;
use crate::format::{Sink, Source};
use crate::item::{ChoiceRule, Combine, Interaction, Item, MatchRule, OrderCredit, Part};
use crate::loss::{Loss, Place, ReadError};
use crate::rich::{RichText, html_into};
use crate::text;

/// Returns whether a file looks like a PrairieLearn question.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    let name = source.name();
    name == "question.html" || (name.ends_with(".html") && source.head().contains("<pl-"))
}

/// Reads the question of a file.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let html = text::decode(source.bytes)?;
    let info = source.sibling("info.json").and_then(|bytes| Json::parse(&bytes).ok());
    let folder = source.path.rsplit(['/', '\\']).nth(1).unwrap_or_default();
    let mut item = item(
        &html,
        if folder.is_empty() { source.stem() } else { folder },
        source.sibling_path("server.py").is_some(),
    );
    if let Some(info) = info {
        if info.get("partialCredit") == Some(&Json::Bool(false)) {
            all_or_nothing(&mut item);
        }
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

/// Removes the credit for partly right answers.
fn all_or_nothing(item: &mut Item) {
    item.combine = Combine::All;
    for part in &mut item.parts {
        part.weight = Ratio::one();
        match &mut part.interaction {
            Interaction::Choice(choice) => {
                // If several options are right and only one can be selected, any of them is enough.
                let several = choice.options.iter().filter(|option| option.weight.is_one()).count() > 1;
                if choice.most == Some(1) {
                    for option in choice.options.iter_mut().filter(|option| !option.weight.is_one()) {
                        option.weight = Ratio::zero();
                    }
                }
                let is_sum = choice.most == Some(1) && several;
                choice.rule = if is_sum { ChoiceRule::Sum } else { ChoiceRule::AllOrNothing };
            }
            Interaction::Match(matching) => matching.rule = MatchRule::AllOrNothing,
            Interaction::Order(order) => order.credit = OrderCredit::AllOrNothing,
            _ => {}
        }
    }
}

/// Elements without a counterpart; a question that contains one cannot be expressed.
const UNSUPPORTED: &[&str] = &[
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
            "write a question per variant",
        ));
        expressible = false;
    }
    if all.len() > MAX_ELEMENTS {
        item.losses.push(Loss::score(
            Place::default(),
            "too-many-elements",
            format!("the question has more than {MAX_ELEMENTS} elements"),
            "divide the question",
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
        // An unknown element with a name for its answer is graded too, so it cannot be ignored.
        let unknown = element.attribute("answers-name").is_some() && !reading::READ.contains(&element.name);
        if unknown || UNSUPPORTED.contains(&element.name) {
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
            "placeholders for values in the text are kept as they are in the source",
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

/// Returns the text, with names in place of inputs and without hidden elements.
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

#[cfg(test)]
mod tests {
    use super::{MAX_ELEMENTS, elements, item, read};
    use crate::compile::Question;
    use crate::format::{Format, Source};
    use crate::loss::Exactness;
    use fablegrade_public::json::Json;

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
    fn elements_beyond_the_limit_are_a_loss() {
        let input = r#"<pl-number-input answers-name="n" correct-answer="1"></pl-number-input>"#;
        let question = |more: usize| compiled(&format!("{}{input}", "<pl-x></pl-x>".repeat(more)));
        assert_eq!(question(MAX_ELEMENTS - 1).exactness, Exactness::Exact);
        let question = question(MAX_ELEMENTS);
        assert_eq!(question.exactness, Exactness::NotExpressible);
        assert!(question.losses.iter().any(|loss| loss.rule == "too-many-elements"), "{:?}", question.losses);
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
        let thirds = "<pl-order-blocks answers-name=\"o\" grading-method=\"unordered\">\
            <pl-answer>a</pl-answer><pl-answer>b</pl-answer><pl-answer>c</pl-answer></pl-order-blocks>";
        assert!(compiled(thirds).losses.iter().any(|loss| loss.rule == "rounded-score"));
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

    #[test]
    fn options_without_names_are_called_by_their_text() {
        let question = compiled(
            r#"<pl-matching answers-name="m"><pl-statement match="Paris">France</pl-statement>
            <pl-statement match="r">Italy</pl-statement><pl-option> Paris </pl-option><pl-option name="r">Rome</pl-option></pl-matching>"#,
        );
        let crate::item::Interaction::Match(matching) = &question.item.parts[0].interaction else {
            panic!("a matching")
        };
        let right: Vec<_> =
            matching.right.iter().map(|one| (one.id.as_str(), one.content.as_str())).collect();
        assert_eq!(right, [("Paris", "Paris"), ("r", "Rome")]);
    }

    #[test]
    fn blanks_at_the_ends_count_unless_the_element_says_not() {
        let accepts = |attributes: &str, text: &str| {
            let question = compiled(&format!(
                r#"<pl-string-input answers-name="s" correct-answer="Paris" {attributes}></pl-string-input>"#
            ));
            let responses = question.responses_from_json(&Json::build().with("*", text).build());
            question.grader().unwrap().score(&responses) == Some(1.0)
        };
        assert!(accepts("", "Paris"));
        assert!(!accepts("", " Paris"));
        assert!(accepts("remove-leading-trailing=\"true\"", " Paris"));
        assert!(accepts("multiline=\"true\"", "Paris "));
    }

    #[test]
    fn without_partial_credit_only_complete_answers_count() {
        let mut item = item(
            r#"<pl-checkbox answers-name="c" partial-credit="net-correct" weight="3"><pl-answer correct="true">a</pl-answer>
            <pl-answer correct="true">b</pl-answer><pl-answer>x</pl-answer></pl-checkbox>"#,
            "q",
            false,
        );
        super::all_or_nothing(&mut item);
        let question = Question::compile(Format::PrairieLearn, "question.html", item);
        let scores = [&["1"][..], &["1", "2"]].map(|ids| score(&question, Json::array(ids.iter().copied())));
        assert_eq!(scores, [0.0, 1.0]);
    }

    fn score(question: &Question, given: Json) -> f64 {
        let responses = question.responses_from_json(&Json::build().with("*", given).build());
        question.grader().unwrap().score(&responses).unwrap()
    }

    fn number(attributes: &str) -> Question {
        compiled(&format!(r#"<pl-number-input answers-name="n" {attributes}></pl-number-input>"#))
    }

    #[test]
    fn an_element_that_takes_an_answer_is_never_passed_over() {
        let dropdown = compiled(
            r#"<pl-dropdown answers-name="d" blank="true"><pl-answer correct="true">a</pl-answer><pl-answer>b</pl-answer></pl-dropdown>"#,
        );
        assert_eq!(dropdown.exactness, Exactness::Exact, "{:?}", dropdown.losses);
        assert_eq!(["1", "2"].map(|id| score(&dropdown, Json::from(id))), [1.0, 0.0]);
        let own = r#"<pl-our-own answers-name="x"></pl-our-own>"#;
        let beside = r#"<pl-integer-input answers-name="n" correct-answer="2"></pl-integer-input>"#;
        assert_eq!(compiled(&format!("{own}{beside}")).exactness, Exactness::NotExpressible);
        assert_eq!(compiled(&format!("<pl-code>x</pl-code>{beside}")).exactness, Exactness::Exact);
    }

    #[test]
    fn digits_leave_out_the_ends_of_the_range() {
        let places = number(r#"correct-answer="3.14159" comparison="decdig" digits="2""#);
        assert_eq!(places.exactness, Exactness::Exact, "{:?}", places.losses);
        let scores = ["3.14", "3.13649", "3.13650", "3.14669", "3.14668"]
            .map(|typed| score(&places, Json::from(typed)));
        assert_eq!(scores, [1.0, 0.0, 1.0, 0.0, 1.0]);
        let figures = number(r#"correct-answer="1230" comparison="sigfig" digits="3""#);
        let scores =
            ["1234.9", "1235.1", "1224.9", "1224.91"].map(|typed| score(&figures, Json::from(typed)));
        assert_eq!(scores, [1.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn fractions_and_blanks_count_as_the_element_says() {
        assert_eq!(score(&number(r#"correct-answer="0.5""#), Json::from("1/2")), 1.0);
        assert_eq!(score(&number(r#"correct-answer="0.5" allow-fractions="false""#), Json::from("1/2")), 0.0);
        let blank = |attributes: &str| {
            number(&format!("allow-blank=\"true\" {attributes}"))
                .losses
                .iter()
                .any(|loss| loss.rule == "blank-value")
        };
        assert!(blank(r#"correct-answer="0""#));
        assert!(blank(r#"correct-answer="5" blank-value="5.001""#));
        assert!(!blank(r#"correct-answer="5""#));
    }

    #[test]
    fn keys_inside_an_element_may_be_computed_too() {
        let choices = |inner: &str| {
            compiled(&format!(
                r#"<pl-multiple-choice answers-name="m"><pl-answer correct="true">a</pl-answer>{inner}</pl-multiple-choice>"#
            ))
        };
        for inner in [
            r#"<pl-answer correct="{{params.b}}">b</pl-answer>"#,
            r"{{#params.more}}<pl-answer>{{.}}</pl-answer>{{/params.more}}",
            r"{{^params.more}}<pl-answer>b</pl-answer>{{/params.more}}",
        ] {
            assert!(
                choices(inner)
                    .losses
                    .iter()
                    .any(|loss| loss.rule == "mustache" && loss.effect == crate::Effect::ChangesScore),
                "{inner}"
            );
        }
        // A placeholder that is only displayed does not change scores.
        let shown = choices(r#"<pl-answer feedback="{{options.x}}">{{params.b}}</pl-answer>"#);
        assert_eq!(shown.exactness, Exactness::ScoresExact, "{:?}", shown.losses);
    }

    #[test]
    fn no_space_counts_where_spaces_are_removed() {
        let question = compiled(
            r#"<pl-string-input answers-name="s" correct-answer="a b" remove-spaces="true"></pl-string-input>"#,
        );
        assert_eq!(question.exactness, Exactness::Exact);
        assert_eq!(["ab", " a  b ", "a c"].map(|typed| score(&question, Json::from(typed))), [1.0, 1.0, 0.0]);
    }

    #[test]
    fn formulas_have_the_functions_of_the_source() {
        let symbolic = |key: &str| {
            compiled(&format!(
                r#"<pl-symbolic-input answers-name="f" correct-answer="{key}"></pl-symbolic-input>"#
            ))
        };
        for (key, right, wrong) in [
            ("exp(-x)", "e^{-x}", "e^x"),
            ("sinh(x)+1", r"1+\sinh(x)", r"1+\sin(x)"),
            ("2*x_max", "x_{max}+x_{max}", "x_{max}"),
        ] {
            let question = symbolic(key);
            assert_eq!(question.exactness, Exactness::Exact, "{key}: {:?}", question.losses);
            assert_eq!([right, wrong].map(|typed| score(&question, Json::from(typed))), [1.0, 0.0], "{key}");
        }
        assert_eq!(symbolic("mass*x").losses[0].rule, "key-form");
    }

    #[test]
    fn info_without_partial_credit_counts_for_choices() {
        #[derive(Debug)]
        struct Info;
        impl fablegrade_files::Lookup for Info {
            fn bytes(&self, path: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
                self.has(path).then_some(br#"{"partialCredit": false}"#.as_slice().into())
            }
            fn has(&self, path: &str) -> bool {
                path == "q/info.json"
            }
        }
        let scores = |score_of_b: &str, ids: [&str; 3]| {
            let html = format!(
                r#"<pl-multiple-choice answers-name="m"><pl-answer correct="true">a</pl-answer>
                <pl-answer {score_of_b}>b</pl-answer><pl-answer>c</pl-answer></pl-multiple-choice>"#
            );
            let source = Source { path: "q/question.html", bytes: html.as_bytes(), files: Some(&Info) };
            let mut found = Vec::new();
            read(&source, &mut |item| found.push(item.unwrap())).unwrap();
            let question = Question::compile(Format::PrairieLearn, "q/question.html", found.remove(0));
            ids.map(|id| score(&question, Json::from(id)))
        };
        assert_eq!(scores(r#"score="0.5""#, ["1", "2", "3"]), [1.0, 0.0, 0.0]);
        assert_eq!(scores(r#"correct="true""#, ["1", "2", "3"]), [1.0, 1.0, 0.0]);
    }

    #[test]
    fn every_decision_of_a_checkbox_counts() {
        let question = compiled(
            r#"<pl-checkbox answers-name="c" partial-credit="each-answer"><pl-answer correct="true">a</pl-answer>
            <pl-answer>b</pl-answer><pl-answer>c</pl-answer></pl-checkbox>"#,
        );
        assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
        let near = |ids: &[&str], share: f64| {
            (score(&question, Json::array(ids.iter().copied())) - share).abs() < 1e-9
        };
        assert!(near(&["1"], 1.0) && near(&["2"], 1.0 / 3.0) && near(&["1", "2"], 2.0 / 3.0));
        assert!(near(&["1", "2", "3"], 1.0 / 3.0) && near(&["2", "3"], 0.0));
    }
}
