//! QTI 1.2: question types and conditions as Canvas, Common Cartridge and Blackboard write them.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::format_collect)]

use fablegrade_interchange::compile::{Response, Responses};
use fablegrade_interchange::{Effect, Exactness, Format, Question, Source, read};

fn all(text: &str) -> Vec<Question> {
    let mut found = Vec::new();
    let source = Source::new("q.xml", text.as_bytes());
    let read_as = read(&source, None, &mut |question| found.push(question)).expect("the file is read");
    assert_eq!(read_as, Format::Qti12);
    found.into_iter().map(|question| question.expect("the item is read")).collect()
}

fn one(text: &str) -> Question {
    let mut found = all(text);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

fn score(question: &Question, responses: &[(&str, &[&str])]) -> f64 {
    let responses: Responses = responses
        .iter()
        .map(|(id, values)| {
            let response = match values {
                [one] => Response::One((*one).to_owned()),
                several => Response::Many(several.iter().map(|one| (*one).to_owned()).collect()),
            };
            ((*id).to_owned(), response)
        })
        .collect();
    question.grader().expect("it compiles").score(&responses).expect("it is graded")
}

fn item(kind: &str, presentation: &str, processing: &str, more: &str) -> Question {
    one(&format!(
        r#"<questestinterop><item ident="i1" title="T"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>
        <fieldentry>{kind}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation>{presentation}</presentation>
        <resprocessing>{processing}</resprocessing>{more}</item></questestinterop>"#
    ))
}

fn options(response: &str, cardinality: &str, ids: &[&str]) -> String {
    let labels: String = ids
        .iter()
        .map(|id| format!(r#"<response_label ident="{id}"><material><mattext>{id}</mattext></material></response_label>"#))
        .collect();
    format!(
        r#"<response_lid ident="{response}" rcardinality="{cardinality}"><material><mattext>{response}</mattext></material><render_choice>{labels}</render_choice></response_lid>"#
    )
}

fn add(response: &str, id: &str, points: &str) -> String {
    format!(
        r#"<respcondition><conditionvar><varequal respident="{response}">{id}</varequal></conditionvar><setvar varname="SCORE" action="Add">{points}</setvar></respcondition>"#
    )
}

#[test]
fn version_1_conditions_run_too() {
    let text = r#"<questestinterop><item ident="i1" title="Both">
        <itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>multiple_answers_question</fieldentry></qtimetadatafield>
        <qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>2.0</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
        <presentation><material><mattext texttype="text/html">&lt;p&gt;Pick &lt;b&gt;two&lt;/b&gt;&lt;script&gt;x()&lt;/script&gt;&lt;/p&gt;</mattext></material>
        <response_lid ident="r" rcardinality="Multiple"><render_choice>
        <response_label ident="1"><material><mattext>one</mattext></material></response_label>
        <response_label ident="2"><material><mattext>two</mattext></material></response_label>
        <response_label ident="3"><material><mattext>three</mattext></material></response_label></render_choice></response_lid></presentation>
        <resprocessing><respcondition continue="No"><conditionvar><and><varequal respident="r">1</varequal><varequal respident="r">2</varequal><not><varequal respident="r">3</varequal></not></and></conditionvar>
        <setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing></item></questestinterop>"#;
    let question = one(text);
    // The conditions are applied as written, although Canvas itself would give a share.
    let of_scores: Vec<_> =
        question.losses.iter().filter(|loss| loss.effect == Effect::ChangesScore).collect();
    assert!(
        of_scores.iter().all(|loss| loss.rule == "canvas-shares") && of_scores.len() == 1,
        "{of_scores:?}"
    );
    assert_eq!(question.item.prompt, "Pick **two**");
    assert!(question.losses.iter().any(|loss| loss.rule == "active-content"));
    assert_eq!(question.item.max_score.as_ref().map(|most| most.to_f64()), Some(2.0));
    assert_eq!(score(&question, &[("r", &["1", "2"])]), 1.0);
    assert_eq!(score(&question, &[("r", &["1"])]), 0.0);
    assert_eq!(score(&question, &[("r", &["1", "2", "3"])]), 0.0);
}

#[test]
fn conditions_that_only_show_feedback_end_nothing() {
    let feedback = r#"<respcondition><conditionvar><not><varequal respident="r1">a</varequal></not></conditionvar><displayfeedback linkrefid="x"/></respcondition>"#;
    let question = item(
        "matching_question",
        &format!("{}{}", options("r1", "Single", &["a", "b"]), options("r2", "Single", &["a", "b"])),
        &format!("{}{feedback}{}", add("r1", "a", "50.00"), add("r2", "b", "50.00")),
        "",
    );
    assert!(question.exactness <= Exactness::ScoresExact, "{:?}", question.losses);
    let pairs = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter().map(|(l, r)| ((*l).to_owned(), (*r).to_owned())).collect();
        let responses = Responses::from([("matching".to_owned(), Response::Pairs(pairs))]);
        question.grader().expect("it compiles").score(&responses)
    };
    assert_eq!(pairs(&[("r1", "b"), ("r2", "b")]), Some(0.5));
    assert_eq!(pairs(&[("r1", "a"), ("r2", "b")]), Some(1.0));
}

#[test]
fn a_negated_comparison_of_a_missing_response_holds() {
    let read = |condition: &str| {
        let processing = format!(
            r#"<outcomes><decvar varname="SCORE" minvalue="0" maxvalue="1"/></outcomes><respcondition><conditionvar>{condition}</conditionvar><setvar varname="SCORE" action="Add">1</setvar></respcondition>"#
        );
        item("multiple_choice_question", &options("r", "Single", &["a", "b", "c"]), &processing, "")
    };
    let equal = |id: &str| format!(r#"<varequal respident="r">{id}</varequal>"#);
    // Points for an empty answer cannot be expressed, so they must be reported as a loss.
    for condition in [
        format!("<not>{}</not>", equal("a")),
        format!("<not><or>{}{}</or></not>", equal("a"), equal("b")),
        format!("<not><not><not>{}</not></not></not>", equal("a")),
    ] {
        let question = read(&condition);
        assert!(question.exactness > Exactness::ScoresExact, "{condition}: {:?}", question.losses);
    }
    // These conditions do not hold without an answer.
    for condition in [
        format!("<and><not>{}</not><not><unanswered respident=\"r\"/></not></and>", equal("a")),
        format!("<not><not><or>{}{}</or></not></not>", equal("b"), equal("c")),
    ] {
        let question = read(&condition);
        assert!(question.exactness <= Exactness::ScoresExact, "{condition}: {:?}", question.losses);
        for (given, wanted) in [(&[][..], 0.0), (&["a"], 0.0), (&["b"], 1.0), (&["c"], 1.0)] {
            assert_eq!(score(&question, &[("r", given)]), wanted, "{condition}: {given:?}");
        }
    }
}

#[test]
fn the_declared_bounds_are_those_of_the_variable_that_is_set() {
    let outcomes = r#"<outcomes><decvar varname="OTHER" defaultval="7"/><decvar varname="SCORE" minvalue="0" maxvalue="8"/></outcomes>"#;
    let question = item(
        "multiple_answers_question",
        &options("r", "Multiple", &["a", "b", "c"]),
        &format!(
            r#"{outcomes}{}{}<respcondition><conditionvar><varequal respident="r">b</varequal></conditionvar><setvar varname="SCORE" action="Add">SCORE.max</setvar></respcondition>"#,
            add("r", "a", "-4"),
            add("r", "c", "-8")
        ),
        "",
    );
    assert!(question.exactness <= Exactness::ScoresExact, "{:?}", question.losses);
    for (given, wanted) in [(&["b"][..], 1.0), (&["a", "b"], 0.5), (&["a", "c"], 0.0), (&["c"], 0.0)] {
        assert_eq!(score(&question, &[("r", given)]), wanted, "{given:?}");
    }
}

#[test]
fn a_category_is_right_with_all_of_its_things() {
    let all_of = |response: &str, ids: [&str; 2]| {
        let tests: String =
            ids.iter().map(|id| format!(r#"<varequal respident="{response}">{id}</varequal>"#)).collect();
        format!(
            r#"<respcondition><conditionvar>{tests}</conditionvar><setvar varname="SCORE" action="Add">50</setvar></respcondition>"#
        )
    };
    let ids = ["a1", "a2", "b1", "b2", "x"];
    let question = item(
        "categorization_question",
        &format!("{}{}", options("A", "Multiple", &ids), options("B", "Multiple", &ids)),
        &format!("{}{}", all_of("A", ["a1", "a2"]), all_of("B", ["b1", "b2"])),
        "",
    );
    assert!(question.exactness <= Exactness::ScoresExact, "{:?}", question.losses);
    assert_eq!(score(&question, &[("A", &["a1", "a2"]), ("B", &["b1", "x"])]), 0.5);
    assert_eq!(score(&question, &[("A", &["a2", "a1"]), ("B", &["b1", "b2"])]), 1.0);
}

#[test]
fn a_calculated_question_is_its_first_set_of_values() {
    let calculated = r#"<itemproc_extension><calculated><answer_tolerance margin_type="percent">10</answer_tolerance><var_sets>
        <var_set ident="1"><var name="x">9</var><answer>1.4*10^1</answer></var_set><var_set ident="2"><var name="x">2</var><answer>7</answer></var_set>
        </var_sets></calculated></itemproc_extension>"#;
    let question = item(
        "calculated_question",
        r#"<material><mattext>What is 5 + [x]?</mattext></material><response_str ident="response1" rcardinality="Single"/>"#,
        r#"<respcondition><conditionvar><other/></conditionvar><setvar varname="SCORE" action="Set">100</setvar></respcondition>"#,
        calculated,
    );
    assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
    assert_eq!(question.item.prompt, "What is 5 + 9?");
    for (typed, wanted) in [("14", 1.0), ("15.4", 1.0), ("15.5", 0.0), ("7", 0.0)] {
        assert_eq!(score(&question, &[("response1", &[typed])]), wanted, "{typed}");
    }
}

#[test]
fn pairs_of_blackboard_are_told_by_their_places() {
    let side = |text: &str| {
        format!(
            r#"<flow class="Block"><material><mat_extension><mat_formattedtext type="HTML">{text}</mat_formattedtext></mat_extension></material></flow>"#
        )
    };
    let row = |id: &str, text: &str| {
        format!(
            r#"<flow class="Block"><response_lid ident="{id}" rcardinality="Single"><render_choice><response_label ident="{id}1"/><response_label ident="{id}2"/></render_choice></response_lid>{}</flow>"#,
            side(text)
        )
    };
    let test = |id: &str, key: &str| {
        format!(
            r#"<respcondition><conditionvar><varequal respident="{id}">{key}</varequal></conditionvar><displayfeedback linkrefid="correct"/></respcondition>"#
        )
    };
    let text = format!(
        r#"<questestinterop><item><itemmetadata><bbmd_questiontype>Matching</bbmd_questiontype></itemmetadata><presentation><flow class="Block">
        <flow class="QUESTION_BLOCK">{}</flow><flow class="RESPONSE_BLOCK">{}{}</flow><flow class="RIGHT_MATCH_BLOCK">{}{}</flow></flow></presentation>
        <resprocessing>{}{}</resprocessing></item></questestinterop>"#,
        side("Match."),
        row("p", "France"),
        row("q", "Italy"),
        side("Rome"),
        side("Paris"),
        test("p", "p2"),
        test("q", "q1")
    );
    let question = one(&text);
    assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
    assert_eq!(question.item.prompt, "Match.");
    let spec = question.specs[0].spec.to_canonical();
    assert!(spec.contains(r#""content":"France""#) && spec.contains(r#""content":"Paris""#), "{spec}");
    let given = |left: &str, right: &str| {
        let pair = Response::Pairs(vec![(left.to_owned(), right.to_owned())]);
        question.grader().expect("it compiles").score(&Responses::from([("matching".to_owned(), pair)]))
    };
    assert_eq!((given("p", "r2"), given("p", "r1")), (Some(0.5), Some(0.0)));
}

#[test]
fn an_assessment_lists_its_items_wherever_they_are() {
    let text = r#"<questestinterop><assessment ident="quiz" title="Quiz"><section ident="root"><item ident="one"/><itemref linkrefid="two"/>
        <section ident="group"><selection_ordering><selection><sourcebank_ref>bank</sourcebank_ref><selection_number>1</selection_number></selection></selection_ordering></section>
        <itemref linkrefid="elsewhere"/></section><sectionref linkrefid="pool"/></assessment>
        <section ident="pool"><item ident="two"/></section></questestinterop>"#;
    let found = all(text);
    let test = found.iter().find(|question| question.item.id == "quiz").expect("the assessment");
    let listed: Vec<&str> =
        test.item.metadata.iter().filter(|(name, _)| name == "item").map(|(_, id)| id.as_str()).collect();
    assert_eq!(listed, ["one", "two", "elsewhere", "two"]);
    let lost: Vec<&str> = test.losses.iter().map(|loss| loss.rule).collect();
    assert!(lost.contains(&"selection") && lost.contains(&"item-reference"), "{lost:?}");
    assert_eq!(found.len(), 3);
}

#[test]
fn every_text_of_a_blank_is_right() {
    let question = item(
        "fill_in_multiple_blanks_question",
        &format!("{}{}", options("r1", "Single", &["red", "crimson"]), options("r2", "Single", &["blue"])),
        &format!("{}{}", add("r1", "red", "50.00"), add("r2", "blue", "50.00")),
        "",
    );
    assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
    for (first, wanted) in [("Crimson", 1.0), ("red", 1.0), ("green", 0.5)] {
        assert_eq!(score(&question, &[("r1", &[first]), ("r2", &["BLUE"])]), wanted, "{first}");
    }
}

#[test]
fn a_file_is_asked_for_as_a_text_that_people_grade() {
    let question = item("file_upload_question", "<material><mattext>Hand in.</mattext></material>", "", "");
    assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
    assert_eq!(question.specs[0].spec.get("type").and_then(|kind| kind.as_str()), Some("free_text"));
    assert!(question.losses.iter().any(|loss| loss.rule == "file-answer"));
}

#[test]
fn an_essay_has_its_points() {
    let text = r#"<questestinterop><item ident="i1" title="T"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>
        <fieldentry>essay_question</fieldentry></qtimetadatafield><qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>10</fieldentry>
        </qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext>Write.</mattext></material><response_str ident="r" rcardinality="Single"/>
        </presentation></item></questestinterop>"#;
    let question = one(text);
    assert_eq!(question.item.max_score.map(|most| most.to_fraction_text()).as_deref(), Some("10"));
}

#[test]
fn the_greatest_value_bounds_the_score() {
    let rules: String = ["a", "b", "c"].iter().map(|id| add("r", id, "50")).collect();
    let outcomes = r#"<outcomes><decvar varname="SCORE" minvalue="0" maxvalue="100"/></outcomes>"#;
    let question =
        item("", &options("r", "Multiple", &["a", "b", "c", "d"]), &format!("{outcomes}{rules}"), "");
    assert_eq!(question.item.max_score.as_ref().map(|most| most.to_fraction_text()).as_deref(), Some("100"));
    assert_eq!(score(&question, &[("r", &["a", "b"])]), 1.0, "{:?}", question.losses);
    assert_eq!(score(&question, &[("r", &["a"])]), 0.5);
}

#[test]
fn case_counts_in_a_part_of_a_text_if_the_file_says_so() {
    let presentation = r#"<response_str ident="r"><render_fib/></response_str>"#;
    let rule = |case: &str| {
        let rule = format!(
            r#"<respcondition><conditionvar><varsubstring respident="r" {case}>Rome</varsubstring></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition>"#
        );
        let question = item("", presentation, &rule, "");
        ["in Rome", "in rome"].map(|text| score(&question, &[("r", &[text])]))
    };
    assert_eq!(rule(r#"case="Yes""#), [1.0, 0.0]);
    assert_eq!(rule(""), [1.0, 1.0]);
}

#[test]
fn backslashes_in_a_part_of_a_text_are_literal() {
    let presentation = r#"<response_str ident="r"><render_fib/></response_str>"#;
    let rule = r#"<respcondition><conditionvar><varsubstring respident="r">C:\x\</varsubstring></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition>"#;
    let question = item("", presentation, rule, "");
    let scores = [r"in C:\x\y", r"in C:\x"].map(|text| score(&question, &[("r", &[text])]));
    assert_eq!(scores, [1.0, 0.0]);
}

fn set(response: &str, value: &str, variable: &str, action: &str, amount: &str) -> String {
    format!(
        r#"<respcondition><conditionvar><varequal respident="{response}">{value}</varequal></conditionvar><setvar varname="{variable}" action="{action}">{amount}</setvar></respcondition>"#
    )
}

#[test]
fn variables_of_conditions_are_counted_apart() {
    let rows = options("r1", "Single", &["a", "b"]) + &options("r2", "Single", &["a", "b"]);
    let counted = [
        ("r1", "a", "X_Correct"),
        ("r1", "b", "X_Incorrect"),
        ("r2", "b", "X_Correct"),
        ("r2", "a", "X_Incorrect"),
    ]
    .map(|(response, value, variable)| set(response, value, variable, "Add", "1"))
    .concat();
    let total = r#"<respcondition><conditionvar><other/></conditionvar><setvar varname="que_score" action="Set">X_Correct</setvar></respcondition>"#;
    for processing in [counted.clone(), format!("{counted}{total}")] {
        let question = item("", &rows, &processing, "");
        assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
        assert_eq!(score(&question, &[("r1", &["a"]), ("r2", &["b"])]), 1.0);
        assert_eq!(score(&question, &[("r1", &["a"]), ("r2", &["a"])]), 0.5);
        assert_eq!(score(&question, &[("r1", &["b"]), ("r2", &["a"])]), 0.0);
    }
}

#[test]
fn places_of_an_order_earn_points_one_by_one() {
    for first in [0, 1] {
        let place = |at: usize, id: &str| {
            format!(
                r#"<respcondition continue="Yes"><conditionvar><varequal index="{}" respident="o">{id}</varequal></conditionvar><setvar action="add" varname="S">1</setvar></respcondition>"#,
                at + first
            )
        };
        let processing = [place(0, "c"), place(1, "a"), place(2, "b")].concat();
        let question = item("", &options("o", "Ordered", &["a", "b", "c"]), &processing, "");
        assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
        let spec = question.specs[0].spec.to_canonical();
        assert!(spec.contains("\"matching\"") && spec.contains("correctPairs"), "{spec}");
    }
}

#[test]
fn the_value_beside_the_bounds_of_a_number_is_its_key() {
    let question = item(
        "Numeric",
        r#"<response_num ident="response"><render_fib fibtype="Decimal"/></response_num>"#,
        r#"<respcondition><conditionvar><vargte respident="response">3.9</vargte><varlte respident="response">4.1</varlte><varequal respident="response">4.0</varequal></conditionvar>
        <displayfeedback linkrefid="correct" feedbacktype="Response"/></respcondition>
        <respcondition title="incorrect"><conditionvar><other/></conditionvar><setvar variablename="SCORE" action="Set">0.0</setvar></respcondition>"#,
        "",
    );
    assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
    assert_eq!(score(&question, &[("response", &["4.05"])]), 1.0);
    assert_eq!(score(&question, &[("response", &["4.2"])]), 0.0);
}

#[test]
fn many_options_with_points_of_their_own_are_all_found() {
    let ids = ["a", "b", "c", "d", "e", "f", "g"];
    let processing: String =
        ids.iter().map(|id| add("r", id, if "acdg".contains(id) { "25" } else { "-10" })).collect();
    let bounded =
        format!(r#"<outcomes><decvar varname="SCORE" minvalue="0" maxvalue="10"/></outcomes>{processing}"#);
    let question = item("", &options("r", "Multiple", &ids), &bounded, "");
    assert_eq!(score(&question, &[("r", &["a", "c", "d", "g"])]), 1.0);
    assert_eq!(score(&question, &[("r", &["a"])]), 0.25);
}

#[test]
fn rounded_shares_of_a_hundred_are_whole_together() {
    let rows: String = (0..6).map(|row| options(&format!("r{row}"), "Single", &["a", "b"])).collect();
    let processing: String = (0..6).map(|row| add(&format!("r{row}"), "a", "16.67")).collect();
    let bounded =
        format!(r#"<outcomes><decvar varname="SCORE" minvalue="0" maxvalue="100"/></outcomes>{processing}"#);
    let question = item("matching_question", &rows, &bounded, "");
    assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
    // Stored responses name the rows, which are one part now.
    let stored = r#"{"r0":"a","r1":"a","r2":"b","r3":"a"}"#;
    let stored = fablegrade_public::json::Json::parse(stored.as_bytes()).expect("JSON");
    let responses = question.responses_from_json(&stored);
    assert_eq!(question.grader().expect("it compiles").score(&responses), Some(0.5));
}

#[test]
fn typed_blanks_have_the_texts_that_learners_type() {
    let list = r#"<response_lid ident="response_a"><material><mattext>a</mattext></material><render_choice><response_label ident="1"><material><mattext>&lt;b&gt;</mattext></material></response_label></render_choice></response_lid>"#;
    let question = item("fill_in_multiple_blanks_question", list, &add("response_a", "1", "100"), "");
    assert_eq!(score(&question, &[("response_a", &["<b>"])]), 1.0);
}

#[test]
fn gaps_in_a_text_are_marked_and_take_answers_of_their_labels() {
    let question = item(
        "Fill in the Blanks",
        r#"<flow><material><mattext>Norway:</mattext></material><response_str ident="s1"><render_fib><response_label ident="l1"/></render_fib></response_str>
        <material><mattext>Sweden:</mattext></material><response_str ident="s2"><render_fib><response_label ident="l2"/></render_fib></response_str></flow>"#,
        &(set("l1", "Oslo", "Blank_1", "Set", "50") + &set("l2", "Stockholm", "Blank_2", "Set", "50")),
        "",
    );
    assert!(question.item.prompt.contains("Norway:\n\n[[s1]]\n\nSweden:"), "{}", question.item.prompt);
    assert_eq!(score(&question, &[("s1", &["Oslo"])]), 0.5);
    assert_eq!(score(&question, &[("s1", &[" oslo "]), ("s2", &["stockholm"])]), 1.0);
}
