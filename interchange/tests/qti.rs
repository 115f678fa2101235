//! QTI items: what they become, and that the scores are those of their rules.

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
    // Full marks for both alike, half for none: no sum and no product.
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
    let drawn = item(
        r#"<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="integer"/>
        <templateDeclaration identifier="N" cardinality="single" baseType="integer"/>
        <templateProcessing><setTemplateValue identifier="N"><randomInteger min="1" max="9"/></setTemplateValue></templateProcessing>"#,
        r#"<p><textEntryInteraction responseIdentifier="RESPONSE"/></p>"#,
        "",
    );
    assert_eq!(drawn.exactness, Exactness::NotExpressible);
    assert!(drawn.losses.iter().any(|loss| loss.rule == "randomised"));
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
    let question = one(text, Format::Qti12);
    assert!(question.exactness <= Exactness::ScoresExact, "{:?}", question.losses);
    assert_eq!(question.item.prompt, "Pick **two**");
    assert!(question.losses.iter().any(|loss| loss.rule == "active-content"));
    assert_eq!(question.item.max_score.as_ref().map(|most| most.to_f64()), Some(2.0));
    assert_eq!(score(&question, &[("r", &["1", "2"])]), 1.0);
    assert_eq!(score(&question, &[("r", &["1"])]), 0.0);
    assert_eq!(score(&question, &[("r", &["1", "2", "3"])]), 0.0);
}
