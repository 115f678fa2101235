//! Random sequences of a format's tokens: every reader accepts or rejects them, with the same result each time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use fablegrade_interchange::{Exactness, Format, Source, read};
use proptest::prelude::*;

/// Returns the pieces from which texts of a format are built.
fn pieces(format: Format) -> &'static [&'static str] {
    match format {
        Format::Gift | Format::Aiken => &[
            "{",
            "}",
            "=",
            "~",
            "#",
            "####",
            "->",
            "\\",
            "::",
            "$CATEGORY: ",
            "//",
            "\n",
            "\n\n",
            "%50%",
            "%-33.33333%",
            "T",
            "FALSE",
            "1",
            "..",
            ":0.5",
            "*",
            "[html]",
            "[id:x]",
            "word",
            "é",
            "{1:SA:",
            "{:MC:",
            "A) ",
            "B. ",
            "ANSWER: B",
            "<b class=\"x\">",
            "&#39;",
        ],
        Format::MoodleXml => &[
            "<quiz>",
            "</quiz>",
            "<question type=\"cloze\">",
            "<question type=\"multichoice\">",
            "<question type=\"ordering\">",
            "<question type=\"stack\">",
            "<question type=\"numerical\">",
            "<question type=\"calculated\">",
            "</question>",
            "<questiontext>",
            "</questiontext>",
            "<text>",
            "</text>",
            "<answer fraction=\"50\">",
            "<answer fraction=\"x\">",
            "</answer>",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "{1:NM:=1:2~*#",
            "}",
            "[[1]]",
            "{@x@}",
            "<prt>",
            "</prt>",
            "<node>",
            "</node>",
            "<questionvariables>",
            "</questionvariables>",
            "a:diff(x^2,x);",
            "1.5",
            "é",
            "&lt;",
        ],
        Format::PrairieLearn => &[
            "<pl-multiple-choice answers-name=\"a\">",
            "</pl-multiple-choice>",
            "<pl-answer correct=\"true\">",
            "</pl-answer>",
            "<pl-order-blocks grading-method=\"dag\">",
            "</pl-order-blocks>",
            "<pl-answer tag=\"1\" depends=\"2,1\">",
            "<pl-number-input correct-answer=\"1e400\" comparison=sigfig digits='9'/>",
            "<pl-",
            "</pl-",
            "<!--",
            "-->",
            "=",
            "\"",
            "<p>",
            "é",
            " ",
            "{{x}}",
            "<pl-matching>",
            "<pl-statement match=a>",
            "<pl-option>",
        ],
        Format::Qti2 => &[
            "<responseDeclaration identifier=\"R\" cardinality=\"multiple\" baseType=\"identifier\">",
            "<responseDeclaration identifier=\"R\" cardinality=\"record\" baseType=\"point\"/>",
            "</responseDeclaration>",
            "<correctResponse><value>a b</value></correctResponse>",
            "<mapping defaultValue=\"-1\" upperBound=\"1e400\"><mapEntry mapKey=\"a\" mappedValue=\"1\"/></mapping>",
            "<outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" baseType=\"float\"/>",
            "<itemBody>",
            "</itemBody>",
            "<choiceInteraction responseIdentifier=\"R\" maxChoices=\"0\">",
            "</choiceInteraction>",
            "<simpleChoice identifier=\"a\">A</simpleChoice>",
            "<simpleChoice/>",
            "<textEntryInteraction responseIdentifier=\"R\"/>",
            "<orderInteraction responseIdentifier=\"R\"/>",
            "<matchInteraction responseIdentifier=\"R\"><simpleMatchSet/></matchInteraction>",
            "<associateInteraction responseIdentifier=\"R\"/>",
            "<templateDeclaration identifier=\"R\" cardinality=\"single\" baseType=\"float\"/>",
            "<templateProcessing>",
            "</templateProcessing>",
            "<setTemplateValue identifier=\"R\"><randomFloat min=\"1\" max=\"-1\"/></setTemplateValue>",
            "<templateConstraint><null/></templateConstraint>",
            "<responseProcessing>",
            "</responseProcessing>",
            "<responseCondition>",
            "</responseCondition>",
            "<responseIf>",
            "</responseIf>",
            "<responseElse/>",
            "<match><variable identifier=\"R\"/><correct identifier=\"R\"/></match>",
            "<setOutcomeValue identifier=\"SCORE\">",
            "</setOutcomeValue>",
            "<mapResponse identifier=\"R\"/>",
            "<power><baseValue baseType=\"float\">10</baseValue><baseValue baseType=\"float\">-64</baseValue></power>",
            "<repeat numberRepeats=\"R\"><variable identifier=\"SCORE\"/></repeat>",
            "<equalRounded figures=\"-60\"><baseValue baseType=\"float\">1e300</baseValue><variable identifier=\"R\"/></equalRounded>",
            "<customOperator/>",
            "<setResponseValue identifier=\"R\"/>",
            "<include href=\"x\"/>",
            "<exitResponse/>",
        ],
        Format::Qti12 => &[
            "<assessment ident=\"a\">",
            "</assessment>",
            "<section ident=\"s\">",
            "</section>",
            "<sectionref linkrefid=\"s\"/>",
            "<itemref linkrefid=\"i\"/>",
            "<item ident=\"i\">",
            "</item>",
            "<qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>matching_question</fieldentry></qtimetadatafield>",
            "<qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>fill_in_multiple_blanks_question</fieldentry></qtimetadatafield>",
            "<bbmd_questiontype>Matching</bbmd_questiontype>",
            "<presentation>",
            "</presentation>",
            "<flow class=\"RESPONSE_BLOCK\">",
            "<flow class=\"RIGHT_MATCH_BLOCK\">",
            "</flow>",
            "<response_lid ident=\"r\" rcardinality=\"Multiple\">",
            "<response_lid ident=\"r2\">",
            "</response_lid>",
            "<response_label ident=\"a\"><material><mattext>A</mattext></material></response_label>",
            "<response_label/>",
            "<response_str ident=\"t\"/>",
            "<resprocessing>",
            "</resprocessing>",
            "<decvar varname=\"SCORE\" minvalue=\"0\" maxvalue=\"x\" defaultval=\"1e99\"/>",
            "<respcondition continue=\"Yes\">",
            "</respcondition>",
            "<conditionvar>",
            "</conditionvar>",
            "<varequal respident=\"r\">a</varequal>",
            "<vargte respident=\"t\">1</vargte>",
            "<not>",
            "</not>",
            "<setvar action=\"Divide\">0</setvar>",
            "<setvar varname=\"SCORE\">SCORE.max</setvar>",
            "<calculated><answer_tolerance>5%</answer_tolerance><var_set><answer>1*10^999</answer></var_set></calculated>",
        ],
        Format::OpenEdx => &[
            "<problem>",
            "</problem>",
            "<optionresponse>",
            "</optionresponse>",
            "<optioninput options=\"('a','b\" correct=\"a\"/>",
            "<numericalresponse answer=\"(1,2]\">",
            "</numericalresponse>",
            "<stringresponse answer=\"(\" type=\"regexp\">",
            "</stringresponse>",
            "<textline/>",
            "<choiceresponse>",
            "</choiceresponse>",
            "<checkboxgroup>",
            "</checkboxgroup>",
            "<choice correct=\"true\">",
            "</choice>",
            "x",
            "<formularesponse samples=\"x@1:2\" answer=\"x*(\">",
            "</formularesponse>",
        ],
        _ => &[
            "type",
            "question",
            "answer",
            "option1",
            "option2",
            ",",
            ";",
            "\t",
            "\n",
            "\"",
            "choice",
            "number",
            "match",
            "order",
            "a -> b",
            "1..2",
            "5%",
            "1e999",
            "{\"content\": \"",
            "[[\u{2603} radio 1]]",
            "\", \"widgets\": {",
            "}}",
            "[",
            "]",
        ],
    }
}

fn holds(format: Format, text: &str) -> Result<(), TestCaseError> {
    let source = Source::new("file", text.as_bytes());
    let told = || {
        let mut lines = Vec::new();
        let result = read(&source, Some(format), &mut |question| match question {
            Ok(question) => {
                assert!(question.exactness == Exactness::Exact || !question.losses.is_empty());
                assert!(question.grader().is_ok());
                lines.push(question.to_json().to_canonical());
            }
            Err(error) => lines.push(error.to_string()),
        });
        (lines, result)
    };
    prop_assert_eq!(told(), told());
    Ok(())
}

fn texts(format: Format) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(pieces(format)), 0..40)
        .prop_map(|pieces| pieces.concat())
}

const DECLARATIONS: &[&str] = &[
    "responseDeclaration",
    "responseDeclaration",
    "templateDeclaration",
    "outcomeDeclaration",
    "correctResponse",
    "defaultValue",
    "value",
    "mapping",
    "mapEntry",
    "matchTable",
    "matchTableEntry",
    "interpolationTable",
    "interpolationTableEntry",
];
const BODY: &[&str] = &[
    "choiceInteraction",
    "inlineChoiceInteraction",
    "textEntryInteraction",
    "extendedTextInteraction",
    "orderInteraction",
    "matchInteraction",
    "associateInteraction",
    "gapMatchInteraction",
    "hottextInteraction",
    "sliderInteraction",
    "endAttemptInteraction",
    "customInteraction",
    "simpleChoice",
    "simpleAssociableChoice",
    "simpleMatchSet",
    "gapText",
    "gap",
    "hottext",
    "inlineChoice",
    "prompt",
    "p",
    "feedbackInline",
    "printedVariable",
    "rubricBlock",
];
const RULES: &[&str] = &[
    "responseCondition",
    "responseIf",
    "responseElseIf",
    "responseElse",
    "templateCondition",
    "templateIf",
    "setOutcomeValue",
    "setOutcomeValue",
    "setTemplateValue",
    "setCorrectResponse",
    "setResponseValue",
    "setDefaultValue",
    "lookupOutcomeValue",
    "templateConstraint",
    "exitResponse",
    "include",
    "variable",
    "variable",
    "correct",
    "default",
    "baseValue",
    "baseValue",
    "null",
    "mapResponse",
    "mapOutcome",
    "lookupTable",
    "matchTable",
    "matchTableEntry",
    "randomInteger",
    "randomFloat",
    "random",
    "and",
    "or",
    "not",
    "match",
    "member",
    "contains",
    "delete",
    "index",
    "repeat",
    "multiple",
    "ordered",
    "containerSize",
    "isNull",
    "anyN",
    "fieldValue",
    "substring",
    "stringMatch",
    "equal",
    "equalRounded",
    "roundTo",
    "lt",
    "gte",
    "sum",
    "product",
    "subtract",
    "divide",
    "integerDivide",
    "integerModulus",
    "power",
    "truncate",
    "round",
    "max",
    "gcd",
    "lcm",
    "mathOperator",
    "mathConstant",
    "statsOperator",
    "customOperator",
];
/// The attributes from which random elements are built.
const ATTRIBUTES: &[&str] = &[
    r#"identifier="R""#,
    r#"identifier="R""#,
    r#"identifier="SCORE""#,
    r#"identifier="a""#,
    r#"identifier="N""#,
    r#"responseIdentifier="R""#,
    r#"cardinality="single""#,
    r#"cardinality="multiple""#,
    r#"cardinality="ordered""#,
    r#"cardinality="record""#,
    r#"baseType="identifier""#,
    r#"baseType="float""#,
    r#"baseType="integer""#,
    r#"baseType="string""#,
    r#"baseType="pair""#,
    r#"baseType="directedPair""#,
    r#"baseType="boolean""#,
    r#"maxChoices="0""#,
    r#"maxChoices="2""#,
    r#"mapKey="a" mappedValue="1""#,
    r#"mapKey="b" mappedValue="-0.5""#,
    r#"defaultValue="1""#,
    r#"lowerBound="0""#,
    r#"upperBound="1e300""#,
    r#"sourceValue="1" targetValue="2""#,
    r#"min="0" max="9""#,
    r#"min="-1e30" max="1e30" step="1e-30""#,
    r#"tolerance="0.5" toleranceMode="absolute""#,
    r#"tolerance="R N" toleranceMode="relative""#,
    r#"figures="3""#,
    r#"figures="-60""#,
    r#"roundingMode="decimalPlaces""#,
    r#"n="9223372036854775807""#,
    r#"n="-9223372036854775808""#,
    r#"numberRepeats="100000""#,
    r#"name="sampleSD""#,
    r#"name="atan2""#,
    r#"fieldIdentifier="x""#,
    r#"matchMax="0""#,
    r#"href="x""#,
];

/// Generates elements with random names, attributes, texts and children.
fn element(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let texts = &["", "", "1", "2.5", "-1e300", "a", "a b", "true", " x "];
    let parts = move || {
        let attributes = proptest::collection::vec(proptest::sample::select(ATTRIBUTES), 0..4);
        (proptest::sample::select(names), attributes, proptest::sample::select(texts))
    };
    let whole = |(name, attributes, text): (&str, Vec<&str>, &str), inside: &str| {
        let mut given: Vec<&str> = Vec::new();
        for pair in attributes {
            // An attribute can occur only once.
            let repeated = pair.split(' ').any(|one| {
                let name = one.split('=').next();
                given.iter().flat_map(|other| other.split(' ')).any(|other| other.split('=').next() == name)
            });
            if !repeated {
                given.push(pair);
            }
        }
        format!("<{name} {}>{text}{inside}</{name}>", given.join(" "))
    };
    parts().prop_map(move |one| whole(one, "")).prop_recursive(5, 40, 4, move |inner| {
        (parts(), proptest::collection::vec(inner, 0..4))
            .prop_map(move |(one, inside)| whole(one, &inside.concat()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn gift(text in texts(Format::Gift)) { holds(Format::Gift, &text)?; }

    #[test]
    fn aiken(text in texts(Format::Aiken)) { holds(Format::Aiken, &text)?; }

    #[test]
    fn moodle(text in texts(Format::MoodleXml)) {
        holds(Format::MoodleXml, &text)?;
        holds(Format::MoodleXml, &format!("<quiz><question type=\"stack\">{text}</question></quiz>"))?;
    }

    #[test]
    fn perseus(text in texts(Format::Perseus)) { holds(Format::Perseus, &text)?; }

    #[test]
    fn openedx(text in texts(Format::OpenEdx)) {
        holds(Format::OpenEdx, &text)?;
        holds(Format::OpenEdx, &format!("<problem>{text}</problem>"))?;
    }

    #[test]
    fn qti(text in texts(Format::Qti2)) {
        holds(Format::Qti2, &format!("<assessmentItem identifier=\"q\">{text}</assessmentItem>"))?;
    }

    #[test]
    fn qti_of_known_elements(
        declarations in proptest::collection::vec(element(DECLARATIONS), 0..4),
        body in proptest::collection::vec(element(BODY), 0..4),
        templates in proptest::collection::vec(element(RULES), 0..3),
        rules in proptest::collection::vec(element(RULES), 0..5),
        adaptive in any::<bool>(),
    ) {
        let item = format!(
            "<assessmentItem identifier=\"q\" adaptive=\"{adaptive}\">{}<outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" baseType=\"float\"/>
            <templateProcessing>{}</templateProcessing><itemBody>{}</itemBody><responseProcessing>{}</responseProcessing></assessmentItem>",
            declarations.concat(), templates.concat(), body.concat(), rules.concat(),
        );
        holds(Format::Qti2, &item)?;
    }

    #[test]
    fn qti_1(text in texts(Format::Qti12)) {
        holds(Format::Qti12, &format!("<questestinterop>{text}</questestinterop>"))?;
        holds(Format::Qti12, &format!("<questestinterop><item ident=\"i\">{text}</item></questestinterop>"))?;
    }

    #[test]
    fn prairielearn(text in texts(Format::PrairieLearn)) { holds(Format::PrairieLearn, &text)?; }

    #[test]
    fn csv(text in texts(Format::Csv)) { holds(Format::Csv, &format!("type,question,answer,option1,option2\n{text}"))?; }
}
