//! Open edX problems (OLX): each `problem` element is an item, and each of its inputs is a part.

mod answers;
mod numbers;

use fablegrade_public::Ratio;

use self::answers::{Reading, decimal};
use crate::format::{Sink, Source};
use crate::item::{Feedback, Item, Part};
use crate::loss::{Loss, Place, ReadError};
use crate::rich::{RichText, from_xml, xml_into};
use crate::text;
use crate::xml::{Element, Tree, XmlLimits};

/// Returns whether a file looks like an Open edX problem.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    let head = source.head();
    ["<problem>", "<problem ", "<problem\n", "<problem\r"].iter().any(|tag| head.contains(tag))
        && !head.contains("<problem-statement")
}

/// Reads the problems of a file.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let text = text::decode(source.bytes)?;
    let tree = Tree::parse(&text, XmlLimits::default())?;
    let root = tree.root();
    let mut count = 0;
    let mut last: Option<Element<'_>> = None;
    for problem in root.descendants().filter(|element| element.name() == "problem") {
        count += 1;
        if last.is_some_and(|last| last.contains(problem)) {
            items(Err(ReadError::nested(problem.place(), "problem")));
            continue;
        }
        last = Some(problem);
        let id = match problem.attribute("url_name") {
            Some(name) => name.to_owned(),
            None if root.name() == "problem" => source.stem().to_owned(),
            None => format!("{}-{count}", source.stem()),
        };
        items(Ok(item(problem, &id)));
    }
    Ok(())
}

/// The response elements, with the input elements for their answers.
const RESPONSES: &[(&str, &[&str])] = &[
    ("multiplechoiceresponse", &["choicegroup"]),
    ("truefalseresponse", &["choicegroup"]),
    ("choiceresponse", &["checkboxgroup", "radiogroup"]),
    ("optionresponse", &["optioninput"]),
    ("numericalresponse", &["textline", "formulaequationinput"]),
    ("stringresponse", &["textline"]),
    ("formularesponse", &["textline", "formulaequationinput"]),
];

fn place(element: Element<'_>) -> Place {
    Place::new(element.path(), element.line())
}

/// The maximum number of inputs of a response: each repeats its key.
const MAX_INPUTS: usize = 20;

/// Returns the input elements of a response. A number, text or formula response without an input counts as its own.
fn fields_of<'t>(response: Element<'t>, inputs: &[&str]) -> Vec<Element<'t>> {
    let found: Vec<Element<'_>> = response.descendants().filter(|one| inputs.contains(&one.name())).collect();
    if found.is_empty() && inputs.contains(&"textline") { vec![response] } else { found }
}

fn item(problem: Element<'_>, id: &str) -> Item {
    let mut item = Item::new(id, place(problem));
    problem.attribute("display_name").unwrap_or_default().trim().clone_into(&mut item.title);
    for (name, when) in [("solution", "general"), ("hint", "hint")] {
        for element in problem.outermost(|element| element.name() == name) {
            let content = from_xml(element);
            if !content.is_empty() {
                item.feedback.push(Feedback { when: when.to_owned(), content });
            }
        }
    }
    let is_hint =
        |one: &Element<'_>| matches!(one.name(), "correcthint" | "stringequalhint" | "compoundhint");
    if let Some(hint) = problem.descendants().find(is_hint) {
        item.losses.push(Loss::display(
            place(hint),
            "answer-hints",
            "hints to single answers or combinations of options are left out",
            "write them as feedback",
        ));
    }
    let mut parts = Vec::new();
    let mut expressible = true;
    let mut number = 1;
    let has_program = problem.find("script").is_some();
    let mut last: Option<Element<'_>> = None;
    for response in problem.descendants().filter(|element| element.name().ends_with("response")) {
        number += 1;
        if last.is_some_and(|last| last.contains(response)) {
            item.losses.push(Loss::score(
                place(response),
                "nested-response",
                "the response is inside another one",
                "put them next to each other",
            ));
            expressible = false;
            continue;
        }
        last = Some(response);
        let Some((name, inputs)) = RESPONSES.iter().find(|(name, _)| *name == response.name()) else {
            item.losses.push(Loss::score(
                place(response),
                "response-type",
                format!("there is no counterpart of `{}`", response.name()),
                "write the question anew, or grade it by a validator of your own",
            ));
            expressible = false;
            continue;
        };
        let mut fields = fields_of(response, inputs);
        if fields.len() > MAX_INPUTS {
            item.losses.push(Loss::score(
                place(response),
                "too-many-inputs",
                format!("the response has more than {MAX_INPUTS} inputs"),
                "divide it into several",
            ));
            expressible = false;
            fields.truncate(MAX_INPUTS);
        }
        if fields.is_empty() {
            item.losses.push(Loss::score(
                place(response),
                "no-input",
                "the response has no input",
                "add one",
            ));
            expressible = false;
        }
        for (index, field) in fields.into_iter().enumerate() {
            let mut reading = Reading { response, field, has_program, losses: &mut item.losses };
            match reading.interaction(name) {
                Ok(interaction) => {
                    parts.push(Part::new(format!("{number}_{}", index + 1), interaction, place(field)));
                }
                Err(loss) => {
                    item.losses.push(loss);
                    expressible = false;
                }
            }
        }
    }
    item.prompt = prompt(problem, &parts);
    if let Some(script) =
        problem.find("script").filter(|one| one.attribute("type").is_some_and(|kind| kind.contains("python")))
    {
        item.losses.push(Loss::display(
            place(script),
            "script",
            "a program that prepares the text is not run",
            "write its values out",
        ));
    }
    if parts.is_empty() && expressible {
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "nothing-to-grade",
            "this is text without a question",
            "show it as text",
        ));
    }
    if expressible {
        item.parts = parts;
    }
    let weight = problem.attribute("weight").and_then(decimal).map(|weight| Ratio::from_decimal(&weight));
    let is_graded = !item.parts.is_empty();
    item.points(weight, is_graded);
    item
}

/// Returns the text of the problem, with a label such as `[2_1]` for each input if there are several.
fn prompt(problem: Element<'_>, parts: &[Part]) -> String {
    let mut rich = RichText::new();
    let mut number = 1;
    let mut fields = 0;
    xml_into(problem, &mut rich, &mut |element, rich| {
        if element.name().ends_with("response") {
            number += 1;
            fields = 0;
            let inputs = RESPONSES.iter().find(|(name, _)| *name == element.name());
            let is_own = |(_, inputs): &(_, &[&str])| fields_of(element, inputs) == [element];
            if parts.len() > 1 && inputs.is_some_and(is_own) {
                rich.raw(&format!("[{number}_1] "));
            }
            return false;
        }
        match element.name() {
            "solution" | "demandhint" | "hintgroup" | "script" | "responseparam" | "additional_answer"
            | "correcthint" | "stringequalhint" | "compoundhint" | "hintpart" => true,
            "choicegroup"
            | "checkboxgroup"
            | "radiogroup"
            | "optioninput"
            | "textline"
            | "formulaequationinput" => {
                fields += 1;
                if parts.len() > 1 {
                    rich.raw(&format!("[{number}_{fields}]"));
                }
                true
            }
            "label" => {
                xml_into(element, rich, &mut |_, _| false);
                rich.start("br", &|_| None);
                true
            }
            _ => false,
        }
    });
    rich.finish().0
}

#[cfg(test)]
mod tests {
    use super::answers::{quoted, samples_of};
    use super::read;
    use crate::compile::Question;
    use crate::format::{Format, Source};
    use crate::loss::Exactness;
    use fablegrade_public::json::Json;

    fn one(xml: &str) -> Question {
        let mut found = Vec::new();
        read(&Source::new("p.xml", xml.as_bytes()), &mut |item| found.push(item.unwrap())).unwrap();
        Question::compile(Format::OpenEdx, "p.xml", found.remove(0))
    }

    #[test]
    fn lists_of_options() {
        assert_eq!(quoted(r"('a','b\'s', 'c, d')"), ["a", "b's", "c, d"]);
        assert_eq!(quoted("(a, b)"), ["a", "b"]);
        assert_eq!(samples_of("x,y@1,0:3,5#10").unwrap().len(), 2);
        assert!(samples_of("x@1,2:3").is_none());
    }

    #[test]
    fn every_input_is_a_part() {
        let question = one(
            r#"<problem display_name="T"><p>Who?</p><optionresponse><optioninput options="('a','b')" correct="b"/></optionresponse>
               <stringresponse answer="Doc" type="ci"><additional_answer answer="Happy"/><textline/></stringresponse>
               <numericalresponse answer="3.14"><responseparam type="tolerance" default="1%"/><textline/></numericalresponse></problem>"#,
        );
        assert_eq!(question.exactness, Exactness::ScoresExact);
        let ids: Vec<_> = question.item.parts.iter().map(|part| part.id.as_str()).collect();
        assert_eq!(ids, ["2_1", "3_1", "4_1"]);
        assert!(question.item.prompt.contains("[3_1]"), "{}", question.item.prompt);
    }

    #[test]
    fn texts_are_compared_as_in_open_edx() {
        let accepts = |attributes: &str, inner: &str, text: &str| {
            let response = format!("<stringresponse {attributes}>{inner}<textline/></stringresponse>");
            let question = one(&format!("<problem>{response}</problem>"));
            let given = Json::build().with("*", text).build();
            let responses = question.responses_from_json(&given);
            question.grader().unwrap().score(&responses) == Some(1.0)
        };
        // In `^a|b$`, only `a` is anchored to the beginning and only `b` to the end.
        assert!(accepts(r#"answer="a|b" type="Regexp""#, "", "apple"));
        assert!(!accepts(r#"answer="a|b" type="regexp""#, "", "cod"));
        assert!(accepts(r#"answer="colou?r" type="regexp ci""#, "", "Color"));
        assert!(!accepts(r#"answer="colou?r" type="regexp""#, "", "colors"));
        let more = r#"<additional_answer answer="zinc"/>"#;
        assert!(accepts(r#"answer="tin_or_lead" type="ci""#, "", "Lead"));
        assert!(!accepts(r#"answer="tin_or_lead""#, more, "zinc"));
        assert!(!accepts(r#"answer="tin_or_lead""#, "", "tin_or_lead"));
        // Without a program, `$` is an ordinary character, as in the spreadsheet cell `$A$1`.
        assert!(accepts(r#"answer="$A$1""#, "", "$A$1"));
    }

    #[test]
    fn letters_of_formulas_are_the_same_in_either_case_unless_said() {
        let rules = |attributes: &str| -> Vec<&'static str> {
            let question = one(&format!(
                r#"<problem><formularesponse answer="R*x" samples="R,x@1,1:3,3#5" {attributes}><textline/></formularesponse></problem>"#
            ));
            question.losses.iter().map(|loss| loss.rule).collect()
        };
        assert!(rules("").contains(&"formula-case"));
        assert!(!rules("type=\"cs\"").contains(&"formula-case"));
    }

    #[test]
    fn declared_names_may_be_words() {
        let formula = |answer: &str, samples: &str| {
            one(&format!(
                r#"<problem><formularesponse type="cs" answer="{answer}" samples="{samples}"><textline/>
                </formularesponse></problem>"#
            ))
        };
        for (answer, names, right, wrong) in [
            ("mass*acc", "mass,acc", r"acc\cdot mass", r"acc+mass"),
            ("alpha*omega^2", "alpha,omega", r"\omega^2\alpha", r"\omega\alpha"),
            ("theta/2", "theta,x", r"\frac{\theta}{2}", r"\theta"),
            ("m_1*omega_0", "m_1,omega_0", r"\omega_0 m_1", "m_1"),
        ] {
            let question = formula(answer, &format!("{names}@1,1:3,3#10"));
            assert_eq!(question.exactness, Exactness::Exact, "{answer}: {:?}", question.losses);
            assert_eq!(
                [right, wrong].map(|typed| score(&question, Json::from(typed))),
                [1.0, 0.0],
                "{answer}"
            );
        }
        let unknown = formula("mass*speed", "mass,acc@1,1:3,3#10");
        assert_eq!(unknown.exactness, Exactness::NotExpressible);
        assert!(unknown.losses.iter().any(|loss| loss.rule == "key-form"), "{:?}", unknown.losses);
    }

    #[test]
    fn programs_are_refused() {
        let question = one(r#"<problem><customresponse cfn="f"><textline/></customresponse></problem>"#);
        assert_eq!(question.exactness, Exactness::NotExpressible);
        let question =
            one(r#"<problem><numericalresponse answer="$z"><textline/></numericalresponse></problem>"#);
        assert_eq!(question.losses[0].rule, "number-form");
        for response in [
            r#"<stringresponse answer="$name"><textline/></stringresponse>"#,
            r#"<multiplechoiceresponse><choicegroup><choice correct="$c">a</choice><choice correct="true">b</choice></choicegroup></multiplechoiceresponse>"#,
            r#"<optionresponse><optioninput options="('a','b')" correct="$o"/></optionresponse>"#,
        ] {
            let script = r#"<script type="loncapa/python">name = c = o = 1</script>"#;
            let question = one(&format!("<problem>{script}{response}</problem>"));
            assert!(
                question.losses.iter().any(|loss| loss.rule == "no-key"),
                "{response}: {:?}",
                question.losses
            );
        }
    }

    fn score(question: &Question, given: Json) -> f64 {
        let responses = question.responses_from_json(&Json::build().with("*", given).build());
        question.grader().unwrap().score(&responses).unwrap()
    }

    fn numbers(attributes: &str, inner: &str) -> impl Fn(&str) -> f64 + use<> {
        let question = one(&format!(
            "<problem><numericalresponse {attributes}>{inner}<formulaequationinput/></numericalresponse></problem>"
        ));
        assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
        move |typed| score(&question, Json::from(typed))
    }

    #[test]
    fn a_bound_belongs_to_a_range_or_not() {
        let open = numbers(r#"answer="(1, 2]""#, "");
        assert_eq!(["1", "1.001", "2", "2.001"].map(open), [0.0, 1.0, 1.0, 0.0]);
        let also = numbers(r#"answer="(1, 2)""#, r#"<additional_answer answer="1"/>"#);
        assert_eq!(["1", "2", "1.5"].map(also), [1.0, 0.0, 1.0]);
    }

    #[test]
    fn a_number_of_the_staff_may_be_a_formula() {
        let root = numbers(r#"answer="6*sqrt(3)""#, "");
        assert_eq!(["10.39230", "10.39", "10.3925"].map(root), [1.0, 0.0, 0.0]);
        let share = numbers(r#"answer="-2^2/3""#, r#"<responseparam type="tolerance" default=".01"/>"#);
        assert_eq!(["-1.33", "1.33"].map(share), [1.0, 0.0]);
        let range = numbers(r#"answer="[pi, 2*pi + e]""#, "");
        assert_eq!(["3.1416", "9.0", "9.1", "3.1415"].map(range), [1.0, 1.0, 0.0, 0.0]);
        for answer in ["2x", "5%", "k", "sqrt(-1)", "3 4"] {
            let text = format!(
                "<problem><numericalresponse answer=\"{answer}\"><textline/></numericalresponse></problem>"
            );
            assert_eq!(one(&text).losses[0].rule, "number-form", "{answer}");
        }
    }

    #[test]
    fn tiny_percentages_are_tolerances() {
        let tiny = numbers(r#"answer="10""#, r#"<responseparam type="tolerance" default="0.0000001%"/>"#);
        assert_eq!((tiny("10"), tiny("10.000000005"), tiny("10.1")), (1.0, 1.0, 0.0));
    }

    #[test]
    fn further_numbers_have_no_tolerance() {
        let tolerance = r#"<responseparam type="tolerance" default="0.5"/>"#;
        let more = numbers(r#"answer="10""#, &format!(r#"{tolerance}<additional_answer answer="20"/>"#));
        assert_eq!(["10.4", "20", "20.4"].map(more), [1.0, 1.0, 0.0]);
    }

    #[test]
    fn near_misses_and_listed_numbers_earn_a_share() {
        let tolerance = r#"<responseparam type="tolerance" default="1" partial_range="3"/>"#;
        let close = numbers(r#"answer="10" partial_credit="close""#, tolerance);
        assert_eq!(["10.9", "12.9", "13.1"].map(close), [1.0, 0.5, 0.0]);
        let list =
            r#"<responseparam type="tolerance" default="1"/><responseparam partial_answers="20, 30"/>"#;
        let listed = numbers(r#"answer="10" partial_credit="list""#, list);
        assert_eq!(["10.5", "20.5", "29.5", "11.5"].map(listed), [1.0, 0.5, 0.5, 0.0]);
        let both = numbers(r#"answer="10" partial_credit="list, close""#, list);
        assert_eq!(["10.5", "20.5", "11.5", "21.5", "23"].map(both), [1.0, 0.5, 0.5, 0.25, 0.0]);
        let range = numbers(r#"answer="[1, 2]" partial_credit="close""#, "");
        assert_eq!(["1", "3.9", "4", "-1"].map(range), [1.0, 0.5, 0.0, 0.0]);
        let none = numbers(r#"answer="10" partial_credit="false""#, tolerance);
        assert_eq!(none("12"), 0.0);
    }

    #[test]
    fn a_partly_right_choice_earns_its_points() {
        let choices = r#"<choicegroup><choice correct="true">a</choice><choice correct="partial" point_value="0.25">b</choice>
            <choice correct="partial" name="c">c</choice><choice correct="false">d</choice></choicegroup>"#;
        let problem = |credit: &str| {
            one(&format!(
                "<problem><multiplechoiceresponse {credit}>{choices}</multiplechoiceresponse></problem>"
            ))
        };
        let points = problem(r#"partial_credit="points""#);
        assert_eq!(points.exactness, Exactness::Exact, "{:?}", points.losses);
        let scores =
            ["choice_0", "choice_1", "choice_c", "choice_2"].map(|id| score(&points, Json::from(id)));
        assert_eq!(scores, [1.0, 0.25, 0.5, 0.0]);
        // Without partial credit, `correct="partial"` means wrong.
        assert_eq!(score(&problem(""), Json::from("choice_1")), 0.0);
        assert_eq!(problem("").exactness, Exactness::Exact);
    }

    #[test]
    fn every_decision_counts() {
        let boxes = |credit: &str, wrong: usize| {
            let more = "<choice correct=\"false\">w</choice>".repeat(wrong);
            one(&format!(
                "<problem><choiceresponse partial_credit=\"{credit}\"><checkboxgroup><choice correct=\"true\">a</choice>\
                 <choice correct=\"true\">b</choice>{more}</checkboxgroup></choiceresponse></problem>"
            ))
        };
        let edc = boxes("EDC", 2);
        assert_eq!(edc.exactness, Exactness::Exact, "{:?}", edc.losses);
        let many = |ids: &[&str]| score(&edc, Json::array(ids.iter().copied()));
        assert_eq!(many(&["choice_0", "choice_1"]), 1.0);
        assert_eq!(many(&["choice_0"]), 0.75);
        assert_eq!(many(&["choice_2", "choice_3"]), 0.0);
        assert_eq!(many(&["choice_0", "choice_2"]), 0.5);
        assert_eq!(many(&[]), 0.0);
        assert!(boxes("EDC", 1).losses.iter().any(|loss| loss.rule == "rounded-score"));
        assert!(boxes("halves", 3).losses.iter().any(|loss| loss.rule == "partial-credit"));
    }

    #[test]
    fn a_wrong_radio_button_is_one_wrong_decision_and_one_missed() {
        let radio = |right: usize| {
            let choices: String = (0..4)
                .map(|n| {
                    [
                        "<choice correct=\"",
                        if n < right { "true" } else { "false" },
                        "\">",
                        &n.to_string(),
                        "</choice>",
                    ]
                    .concat()
                })
                .collect();
            one(&format!(
                "<problem><choiceresponse partial_credit=\"EDC\"><radiogroup>{choices}</radiogroup></choiceresponse></problem>"
            ))
        };
        let one_right = radio(1);
        assert_eq!(one_right.exactness, Exactness::Exact, "{:?}", one_right.losses);
        assert_eq!([0, 1].map(|n| score(&one_right, Json::from(format!("choice_{n}")))), [1.0, 0.5]);
        assert_eq!([0, 3].map(|n| score(&radio(2), Json::from(format!("choice_{n}")))), [0.75, 0.25]);
    }

    #[test]
    fn a_response_without_an_input_has_a_label_too() {
        let question = one(
            r#"<problem><p>Half of 2?</p><numericalresponse answer="1"/><p>Of 4?</p><numericalresponse answer="2"/></problem>"#,
        );
        let prompt = &question.item.prompt;
        let at = ["Half", "[2_1]", "Of 4", "[3_1]"].map(|text| prompt.find(text).unwrap_or(usize::MAX));
        assert!(at.is_sorted() && at[3] < usize::MAX, "{prompt}");
    }
}
