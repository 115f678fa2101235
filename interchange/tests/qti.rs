//! QTI items: imported questions give the same scores as the items' rules.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::format_collect)]

use fablegrade_interchange::compile::{Response, Responses};
use fablegrade_interchange::{Exactness, Format, Question, Source, read};

fn item(declarations: &str, body: &str, processing: &str) -> Question {
    let text = format!(
        r#"<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="q" title="Q" adaptive="false" timeDependent="false">
        {declarations}
        <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
        <itemBody><p>Answer.</p>{body}</itemBody>{processing}</assessmentItem>"#
    );
    one(&text, Format::Qti2)
}

fn one(text: &str, format: Format) -> Question {
    let mut found = Vec::new();
    let source = Source::new("q.xml", text.as_bytes());
    let read_as = read(&source, None, &mut |question| found.push(question)).expect("the file is read");
    assert_eq!(read_as, format);
    assert_eq!(found.len(), 1);
    found.remove(0).expect("the item is read")
}

fn score(question: &Question, responses: &[(&str, &[&str])]) -> f64 {
    let responses: Responses = responses
        .iter()
        .map(|(id, values)| {
            let response = match values {
                [] => Response::None,
                [one] => Response::One((*one).to_owned()),
                several => Response::Many(several.iter().map(|one| (*one).to_owned()).collect()),
            };
            ((*id).to_owned(), response)
        })
        .collect();
    question.grader().expect("it compiles").score(&responses).expect("it is graded")
}

const TEMPLATE: &str = "http://www.imsglobal.org/question/qti_v2p2/rptemplates";

fn choices(most: u32) -> String {
    let options: String = ["a", "b", "c"]
        .iter()
        .map(|id| format!(r#"<simpleChoice identifier="{id}">{id}</simpleChoice>"#))
        .collect();
    format!(
        r#"<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="{most}">{options}</choiceInteraction>"#
    )
}

#[test]
fn a_default_value_without_a_value_is_not_carried_out() {
    // Unlike `setResponseValue`, `setDefaultValue` without a value must not reset the response.
    let read = |rule: &str| {
        item(
            r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>"#,
            &choices(1),
            &format!(
                r#"<responseProcessing>{rule}<responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>
                <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>"#
            ),
        )
    };
    assert_eq!(score(&read(""), &[("RESPONSE", &["a"])]), 1.0);
    let question = read(r#"<setDefaultValue identifier="RESPONSE"/>"#);
    assert!(
        question.losses.iter().any(|loss| loss.message.contains("setDefaultValue")),
        "{:?}",
        question.losses
    );
}

#[test]
fn a_standard_template_is_a_plain_choice() {
    let question = item(
        r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>b</value></correctResponse></responseDeclaration>"#,
        &choices(1),
        &format!(r#"<responseProcessing template="{TEMPLATE}/match_correct"/>"#),
    );
    assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
    assert_eq!(question.specs[0].spec.get("type").and_then(|kind| kind.as_str()), Some("multiple_choice"));
    assert_eq!(score(&question, &[("RESPONSE", &["b"])]), 1.0);
    assert_eq!(score(&question, &[("RESPONSE", &["a"])]), 0.0);
}

#[test]
fn a_mapping_keeps_its_weights_and_bounds() {
    let question = item(
        r#"<responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="identifier">
        <correctResponse><value>a</value><value>b</value></correctResponse>
        <mapping lowerBound="0" defaultValue="-1"><mapEntry mapKey="a" mappedValue="3"/><mapEntry mapKey="b" mappedValue="1"/></mapping></responseDeclaration>"#,
        &choices(0),
        &format!(r#"<responseProcessing template="{TEMPLATE}/map_response"/>"#),
    );
    assert!(question.exactness <= Exactness::ScoresExact, "{:?}", question.losses);
    assert_eq!(question.item.max_score.as_ref().map(|most| most.to_f64()), Some(4.0));
    for (chosen, wanted) in
        [(&["a", "b"][..], 1.0), (&["a"], 0.75), (&["b"], 0.25), (&["a", "c"], 0.5), (&["b", "c"], 0.0)]
    {
        assert_eq!(score(&question, &[("RESPONSE", chosen)]), wanted, "{chosen:?}");
    }
}

#[test]
fn rules_of_two_blanks_add_up_and_a_joint_rule_is_told() {
    let declarations = r#"<responseDeclaration identifier="A" cardinality="single" baseType="string"><correctResponse><value>yes</value></correctResponse></responseDeclaration>
        <responseDeclaration identifier="B" cardinality="single" baseType="integer"><correctResponse><value>7</value></correctResponse></responseDeclaration>"#;
    let body = r#"<p><textEntryInteraction responseIdentifier="A"/> <textEntryInteraction responseIdentifier="B"/></p>"#;
    let add = |id: &str, points: u32| {
        format!(
            r#"<responseCondition><responseIf><match><variable identifier="{id}"/><correct identifier="{id}"/></match>
            <setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><baseValue baseType="float">{points}</baseValue></sum></setOutcomeValue></responseIf></responseCondition>"#
        )
    };
    let processing = format!("<responseProcessing>{}{}</responseProcessing>", add("A", 1), add("B", 3));
    let question = item(declarations, body, &processing);
    assert!(question.is_single() && question.exactness <= Exactness::ScoresExact, "{:?}", question.losses);
    assert_eq!(score(&question, &[("A", &["yes"]), ("B", &["8"])]), 0.25);
    assert_eq!(score(&question, &[("A", &["no"]), ("B", &["7"])]), 0.75);
    // Full marks for both and a quarter for one: neither a sum nor all or nothing.
    let same = r#"<responseProcessing><responseCondition><responseIf><and><match><variable identifier="A"/><correct identifier="A"/></match>
        <match><variable identifier="B"/><correct identifier="B"/></match></and><setOutcomeValue identifier="SCORE"><baseValue baseType="float">2</baseValue></setOutcomeValue></responseIf>
        <responseElseIf><or><match><variable identifier="A"/><correct identifier="A"/></match><match><variable identifier="B"/><correct identifier="B"/></match></or>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">0.5</baseValue></setOutcomeValue></responseElseIf></responseCondition></responseProcessing>"#;
    let question = item(declarations, body, same);
    assert_eq!(question.exactness, Exactness::Approximate);
    assert!(question.losses.iter().any(|loss| loss.rule == "joint-scoring" || loss.rule == "score-differs"));
}

#[test]
fn tolerances_are_the_rules_own_with_their_open_bounds() {
    let declaration = r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="float"><correctResponse><value>10</value></correctResponse></responseDeclaration>"#;
    let body = r#"<p><textEntryInteraction responseIdentifier="RESPONSE"/></p>"#;
    let rule = |attributes: &str| {
        format!(
            r#"<responseProcessing><responseCondition><responseIf><equal {attributes}><correct identifier="RESPONSE"/><variable identifier="RESPONSE"/></equal>
            <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>"#
        )
    };
    let closed = item(declaration, body, &rule(r#"toleranceMode="relative" tolerance="5 5""#));
    assert_eq!(closed.exactness, Exactness::Exact, "{:?}", closed.losses);
    assert!(closed.specs[0].spec.to_canonical().contains(r#""mode":"relative""#));
    assert_eq!(score(&closed, &[("RESPONSE", &["10.5"])]), 1.0);
    let open = item(
        declaration,
        body,
        &rule(r#"toleranceMode="absolute" tolerance="0.5 0.5" includeUpperBound="false""#),
    );
    assert!(open.exactness <= Exactness::ScoresExact, "{:?}", open.losses);
    for (typed, wanted) in [("9.5", 1.0), ("10.49", 1.0), ("10.5", 0.0), ("9.49", 0.0)] {
        assert_eq!(score(&open, &[("RESPONSE", &[typed])]), wanted, "{typed}");
    }
}

#[test]
fn what_is_not_understood_is_told_with_its_line() {
    let question = item(
        r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>b</value></correctResponse></responseDeclaration>"#,
        &choices(1),
        r#"<responseProcessing><setOutcomeValue identifier="SCORE"><customOperator class="org.example.Magic"/></setOutcomeValue></responseProcessing>"#,
    );
    assert_eq!(question.exactness, Exactness::Approximate);
    let loss = question.losses.iter().find(|loss| loss.rule == "response-processing").expect("a loss");
    assert!(loss.message.contains("customOperator") && loss.place.line > 0, "{loss:?}");
    // Rules that only set another outcome do not matter.
    let other = item(
        KEY_B,
        &choices(1),
        r#"<responseProcessing><setOutcomeValue identifier="NOTE"><customOperator class="org.example.Magic"/></setOutcomeValue>
        <responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>"#,
    );
    assert_eq!(other.exactness, Exactness::Exact, "{:?}", other.losses);
}

const KEY_B: &str = r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>b</value></correctResponse></responseDeclaration>
    <outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="string"/>"#;

fn has(question: &Question, rule: &str) -> bool {
    question.losses.iter().any(|loss| loss.rule == rule)
}

#[test]
fn values_drawn_at_random_become_one_variant() {
    let read = || {
        item(
            r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="integer"/>
            <templateDeclaration identifier="N" cardinality="single" baseType="integer"/>
            <templateProcessing><setTemplateValue identifier="N"><randomInteger min="10" max="99"/></setTemplateValue>
            <templateConstraint><gt><variable identifier="N"/><baseValue baseType="integer">50</baseValue></gt></templateConstraint>
            <setCorrectResponse identifier="RESPONSE"><sum><variable identifier="N"/><baseValue baseType="integer">1</baseValue></sum></setCorrectResponse></templateProcessing>"#,
            r#"<p>After <printedVariable identifier="N"/>? <textEntryInteraction responseIdentifier="RESPONSE"/></p>"#,
            &format!(r#"<responseProcessing template="{TEMPLATE}/match_correct"/>"#),
        )
    };
    let question = read();
    assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
    assert!(has(&question, "one-variant"));
    let shown: i64 = question
        .item
        .prompt
        .split_whitespace()
        .find_map(|word| word.trim_end_matches('?').parse().ok())
        .expect("a number");
    assert!((51..=99).contains(&shown), "{}", question.item.prompt);
    assert_eq!(score(&question, &[("RESPONSE", &[&(shown + 1).to_string()])]), 1.0);
    assert_eq!(score(&question, &[("RESPONSE", &[&shown.to_string()])]), 0.0);
    assert_eq!(read().to_json().to_canonical(), question.to_json().to_canonical());
}

#[test]
fn an_item_without_a_score_is_called_a_text_or_a_survey() {
    let kind = |question: &Question| {
        question.item.metadata.iter().find(|(name, _)| name == "kind").map(|(_, value)| value.clone())
    };
    let text = item("", "<p>Read this.</p>", "");
    assert_eq!(kind(&text).as_deref(), Some("text"));
    assert!(text.losses.iter().all(|loss| loss.effect == fablegrade_interchange::Effect::Metadata));
    let survey = item(
        r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"/>"#,
        &choices(1),
        "",
    );
    assert_eq!(kind(&survey).as_deref(), Some("survey"));
    // A key that rules do not reward is a mistake, not a survey.
    let never = item(
        KEY_B,
        &choices(1),
        r#"<responseProcessing><setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue></setOutcomeValue></responseProcessing>"#,
    );
    assert_eq!((kind(&never), has(&never, "no-key")), (None, true));
}

#[test]
fn the_key_of_an_essay_without_rules_is_a_model_answer() {
    let question = item(
        r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="string"><correctResponse><value>Plants need light.</value></correctResponse></responseDeclaration>"#,
        r#"<extendedTextInteraction responseIdentifier="RESPONSE"/>"#,
        "",
    );
    assert_eq!(question.specs[0].spec.get("type").and_then(|kind| kind.as_str()), Some("free_text"));
    assert!(has(&question, "scored-by-people"), "{:?}", question.losses);
}

#[test]
fn full_marks_for_every_response_are_given_to_every_response() {
    let question = item(
        r#"<responseDeclaration identifier="RESPONSE" cardinality="ordered" baseType="string"/>"#,
        r#"<extendedTextInteraction responseIdentifier="RESPONSE" maxStrings="2"/>"#,
        r#"<responseProcessing><setOutcomeValue identifier="SCORE"><baseValue baseType="float">3</baseValue></setOutcomeValue></responseProcessing>"#,
    );
    assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
    for given in [&[][..], &["a"], &["a", "b"]] {
        assert_eq!(score(&question, &[("RESPONSE", given)]), 1.0, "{given:?}");
    }
}

#[test]
fn case_and_surroundings_of_a_text_count_as_the_rules_say() {
    let rule = |sensitive: bool, part: bool, text: &str, points: u32| {
        format!(
            r#"<stringMatch caseSensitive="{sensitive}" substring="{part}"><variable identifier="RESPONSE"/><baseValue baseType="string">{text}</baseValue></stringMatch>
            <setOutcomeValue identifier="SCORE"><baseValue baseType="float">{points}</baseValue></setOutcomeValue>"#
        )
    };
    let question = item(
        r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="string"/>"#,
        r#"<p><textEntryInteraction responseIdentifier="RESPONSE"/></p>"#,
        &format!(
            "<responseProcessing><responseCondition><responseIf>{}</responseIf><responseElseIf>{}</responseElseIf><responseElseIf>{}</responseElseIf>
            <responseElseIf><isNull><variable identifier=\"RESPONSE\"/></isNull><setOutcomeValue identifier=\"SCORE\"><baseValue baseType=\"float\">1</baseValue></setOutcomeValue></responseElseIf></responseCondition></responseProcessing>",
            rule(true, false, "Hello", 4),
            rule(false, false, "Hello", 2),
            rule(false, true, "ell", 3)
        ),
    );
    assert!(question.exactness <= Exactness::ScoresExact, "{:?}", question.losses);
    for (typed, wanted) in [("Hello", 1.0), ("HELLO", 0.5), ("yELLow", 0.75), ("hi", 0.0), ("", 0.25)] {
        assert_eq!(score(&question, &[("RESPONSE", &[typed])]), wanted, "{typed}");
    }
    assert_eq!(score(&question, &[]), 0.25);
}

#[test]
fn an_adaptive_item_whose_score_forgets_is_graded_once() {
    let adaptive = |processing: &str| {
        let text = format!(
            r#"<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="q" title="Q" adaptive="true" timeDependent="false">{KEY_B}
            <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/><itemBody>{}</itemBody>{processing}</assessmentItem>"#,
            choices(1)
        );
        one(&text, Format::Qti2)
    };
    let right = r#"<responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>"#;
    let forgets = adaptive(&format!(
        r#"<responseProcessing>{right}<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf>
        <responseElse><setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue></setOutcomeValue></responseElse></responseCondition></responseProcessing>"#
    ));
    assert_eq!(forgets.exactness, Exactness::ScoresExact, "{:?}", forgets.losses);
    let adds = adaptive(&format!(
        r#"<responseProcessing>{right}<setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><baseValue baseType="float">1</baseValue></sum></setOutcomeValue></responseIf></responseCondition></responseProcessing>"#
    ));
    assert_eq!(adds.exactness, Exactness::Approximate);
}

#[test]
fn rules_and_sections_in_other_files_of_a_package_are_read() {
    let mut entries = Vec::new();
    let mut add = |path: &str, text: &str| {
        let file = fablegrade_files::File { bytes: text.as_bytes().to_vec(), executable: None };
        entries.push((path.to_owned(), fablegrade_files::Entry::File(file)));
    };
    add(
        "items/q.xml",
        &format!(
            r#"<assessmentItem identifier="q" title="Q"><outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>{KEY_B}
            <itemBody>{}</itemBody><responseProcessing><include href="rules.xml"/></responseProcessing></assessmentItem>"#,
            choices(1)
        ),
    );
    add(
        "items/rules.xml",
        r#"<responseProcessingFragment><responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">2</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessingFragment>"#,
    );
    add(
        "test.xml",
        r#"<assessmentTest identifier="t"><testPart><assessmentSectionRef href="section.xml"/></testPart></assessmentTest>"#,
    );
    add(
        "section.xml",
        r#"<assessmentSection identifier="s"><assessmentItemRef href="items/q.xml"/><assessmentSectionRef href="section.xml"/></assessmentSection>"#,
    );
    let files = fablegrade_files::Files::from_entries(entries, fablegrade_files::FileLimits::default());
    let files = files.expect("they fit the limits");
    let mut found = Vec::new();
    fablegrade_interchange::read_files(&files, None, &mut |question| found.extend(question));
    let question = found.iter().find(|question| question.item.id == "q").expect("the item");
    assert!(question.exactness <= Exactness::ScoresExact, "{:?}", question.losses);
    assert_eq!(question.item.max_score.as_ref().map(|most| most.to_f64()), Some(2.0));
    let test = found.iter().find(|question| question.item.id == "t").expect("the test");
    assert!(test.item.metadata.contains(&("item".into(), "items/q.xml".into())), "{:?}", test.item.metadata);
}

#[test]
fn an_integer_among_several_entries_is_a_whole_number() {
    let question = item(
        r#"<responseDeclaration identifier="N" cardinality="single" baseType="integer"><correctResponse><value>5</value></correctResponse></responseDeclaration>
        <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>"#,
        &format!(r#"<p><textEntryInteraction responseIdentifier="N"/></p>{}"#, choices(1)),
        r#"<responseProcessing><responseCondition><responseIf><and><gte><variable identifier="N"/><baseValue baseType="integer">3</baseValue></gte><lte><variable identifier="N"/><baseValue baseType="integer">7</baseValue></lte></and>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>
        <responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>
        <setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><baseValue baseType="float">1</baseValue></sum></setOutcomeValue></responseIf></responseCondition></responseProcessing>"#,
    );
    assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
    let scores = ["3", "4", "4.5", "7", "8", "7/2", "35e-1"]
        .map(|typed| score(&question, &[("N", &[typed]), ("RESPONSE", &["a"])]));
    assert_eq!(scores, [1.0, 1.0, 0.5, 1.0, 0.5, 0.5, 0.5]);
}

const NUMBER: &str = r#"<responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>KEY</value></correctResponse></responseDeclaration>"#;

/// Returns an item for a typed number that is right if a condition holds.
fn number(key: &str, condition: &str) -> Question {
    item(
        &NUMBER.replace("KEY", key),
        r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#,
        &format!(
            r#"<responseProcessing><responseCondition><responseIf>{condition}<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>"#
        ),
    )
}

#[test]
fn the_bounds_of_numbers_are_solved_for_the_response() {
    let of = |text: &str| {
        text.replace("R!", r#"<variable identifier="R"/>"#).replace("K!", r#"<correct identifier="R"/>"#)
    };
    let value = |text: &str| format!(r#"<baseValue baseType="float">{text}</baseValue>"#);
    let distance = r#"<mathOperator name="abs"><subtract>R!K!</subtract></mathOperator>"#;
    for (key, condition, right, wrong) in [
        // A relative tolerance is a share of the first operand, which is the response.
        (
            "200",
            r#"<equal toleranceMode="relative" tolerance="10">R!K!</equal>"#.to_owned(),
            ["181.82", "222.22"],
            ["181.81", "222.23"],
        ),
        (
            "10",
            r#"<equal toleranceMode="relative" tolerance="5">R!K!</equal>"#.to_owned(),
            ["9.53", "10.52"],
            ["9.52", "1000000"],
        ),
        ("5", format!("<lte>{distance}{}</lte>", value("20")), ["-15", "25"], ["-15.1", "1000"]),
        (
            "100",
            format!("<lte><divide>{distance}K!</divide>{}</lte>", value("0.05")),
            ["96", "105"],
            ["94.9", "106"],
        ),
        (
            "8",
            format!("<lte><divide>R!{}</divide>{}</lte>", value("4"), value("3")),
            ["12", "-1000000"],
            ["12.01", "1e6"],
        ),
        // A power is not solved, but its bounds are found between numbers with different scores.
        (
            "2",
            format!("<lte><power>R!{}</power>{}</lte>", value("3"), value("8.5")),
            ["2.04", "-99"],
            ["2.05", "1e6"],
        ),
    ] {
        let question = number(key, &of(&condition));
        assert_eq!(question.exactness, Exactness::Exact, "{condition} {:?}", question.losses);
        for (answers, wanted) in [(right, 1.0), (wrong, 0.0)] {
            for answer in answers {
                assert_eq!(score(&question, &[("R", &[answer])]), wanted, "{condition} {answer}");
            }
        }
    }
}

#[test]
fn one_of_several_right_answers_does_not_make_everything_right() {
    let ids = ["A", "B", "C"];
    let declared: String = ids.map(|id| format!(r#"<responseDeclaration identifier="{id}" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>"#)).concat();
    let body: String = ids.map(|id| choices(1).replace("RESPONSE", id)).concat();
    let matches: String = ids
        .map(|id| format!(r#"<match><variable identifier="{id}"/><correct identifier="{id}"/></match>"#))
        .concat();
    for condition in [format!("<or>{matches}</or>"), format!(r#"<anyN min="2" max="3">{matches}</anyN>"#)] {
        let processing = format!(
            r#"<responseProcessing><responseCondition><responseIf>{condition}<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>"#
        );
        let question = item(&declared, &body, &processing);
        assert!(question.exactness > Exactness::ScoresExact, "{:?}", question.losses);
        assert!(question.losses.iter().any(|loss| loss.rule == "joint-scoring"), "{:?}", question.losses);
        assert!(
            question
                .losses
                .iter()
                .all(|loss| loss.rule != "every-response" && loss.rule != "unscored-response")
        );
    }
}

#[test]
fn a_key_is_found_in_the_conditions() {
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let options: String =
        ids.map(|id| format!(r#"<simpleChoice identifier="{id}">{id}</simpleChoice>"#)).concat();
    let right: String = ["a", "c", "e", "g"]
        .map(|id| format!(r#"<baseValue baseType="identifier">{id}</baseValue>"#))
        .concat();
    let question = item(
        r#"<responseDeclaration identifier="R" cardinality="multiple" baseType="identifier"/>"#,
        &format!(r#"<choiceInteraction responseIdentifier="R" maxChoices="0">{options}</choiceInteraction>"#),
        &format!(
            r#"<responseProcessing><responseCondition><responseIf><match><variable identifier="R"/><multiple>{right}</multiple></match>
            <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessing>"#
        ),
    );
    assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
    assert_eq!(score(&question, &[("R", &["a", "c", "e", "g"])]), 1.0);
    assert_eq!(score(&question, &[("R", &["a", "c", "e"])]), 0.0);
}

#[test]
fn texts_with_several_key_words_earn_their_sum_in_any_order() {
    let rule = |word: &str| {
        format!(
            r#"<responseCondition><responseIf><substring caseSensitive="false"><baseValue baseType="string">{word}</baseValue><variable identifier="R"/></substring>
            <setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><baseValue baseType="float">1</baseValue></sum></setOutcomeValue></responseIf></responseCondition>"#
        )
    };
    let question = item(
        r#"<responseDeclaration identifier="R" cardinality="single" baseType="string"/>"#,
        r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#,
        &format!("<responseProcessing>{}{}</responseProcessing>", rule("light"), rule("water")),
    );
    assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
    for (answer, wanted) in
        [("Light and water", 1.0), ("water, light", 1.0), ("the light", 0.5), ("air", 0.0)]
    {
        assert_eq!(score(&question, &[("R", &[answer])]), wanted, "{answer}");
    }
}

#[test]
fn places_of_an_order_that_earn_points_become_pairs() {
    let choices: String =
        ["a", "b", "c"].map(|id| format!(r#"<simpleChoice identifier="{id}">{id}</simpleChoice>"#)).concat();
    let places: String = ["c", "a", "b"].iter().enumerate().map(|(at, id)| format!(
        r#"<responseCondition><responseIf><match><index n="{}"><variable identifier="R"/></index><baseValue baseType="identifier">{id}</baseValue></match>
        <setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/><baseValue baseType="float">1</baseValue></sum></setOutcomeValue></responseIf></responseCondition>"#,
        at + 1
    )).collect();
    let question = item(
        r#"<responseDeclaration identifier="R" cardinality="ordered" baseType="identifier"><correctResponse><value>c</value><value>a</value><value>b</value></correctResponse></responseDeclaration>"#,
        &format!(r#"<orderInteraction responseIdentifier="R">{choices}</orderInteraction>"#),
        &format!("<responseProcessing>{places}</responseProcessing>"),
    );
    assert_eq!(question.exactness, Exactness::ScoresExact, "{:?}", question.losses);
    let stored = |order: &str| {
        let stored = fablegrade_public::json::Json::parse(order.as_bytes()).expect("JSON");
        question
            .grader()
            .expect("it compiles")
            .score(&question.responses_from_json(&stored))
            .expect("it is graded")
    };
    assert_eq!(stored(r#"{"R":["c","a","b"]}"#), 1.0);
    assert!((stored(r#"{"R":["c","b","a"]}"#) - 1.0 / 3.0).abs() < 1e-9);
    assert_eq!(stored(r#"{"R":["b","c","a"]}"#), 0.0);
}
