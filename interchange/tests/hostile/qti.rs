//! Rules and declarations of QTI.

use fablegrade_interchange::Format;

use crate::{item, one_of, refused_question};

#[test]
fn rules_that_never_end_are_given_up() {
    let response = r#"<responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>1</value></correctResponse></responseDeclaration>"#;
    let entry = r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#;
    let double = r#"<setOutcomeValue identifier="SCORE"><product><sum><variable identifier="SCORE"/><variable identifier="R"/></sum><sum><variable identifier="SCORE"/><variable identifier="R"/></sum></product></setOutcomeValue>"#;
    let question = one_of(Format::Qti2, &item(response, entry, &double.repeat(3_000)));
    assert!(!question.losses.is_empty());
    // Each of these numbers is a point at which the score can change.
    let many: String = (0..5_000)
        .map(|n| {
            format!(
                r#"<responseCondition><responseIf><equal toleranceMode="absolute" tolerance="0.{n}"><variable identifier="R"/><baseValue baseType="float">{n}</baseValue></equal>
                <setOutcomeValue identifier="SCORE"><baseValue baseType="float">{n}</baseValue></setOutcomeValue></responseIf></responseCondition>"#
            )
        })
        .collect();
    assert!(!one_of(Format::Qti2, &item(response, entry, &many)).losses.is_empty());
    let nested = format!(
        "{}<baseValue baseType=\"boolean\">true</baseValue>{}",
        "<not>".repeat(200),
        "</not>".repeat(200)
    );
    let rule = format!(
        r#"<responseCondition><responseIf>{nested}<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>"#
    );
    one_of(Format::Qti2, &item(response, entry, &rule));
}

#[test]
fn extreme_numbers_of_operators_are_only_numbers() {
    let response = r#"<responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>1</value></correctResponse></responseDeclaration>"#;
    let entry = r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#;
    let least = i64::MIN;
    for operator in [
        format!(r#"<index n="{least}"><ordered><variable identifier="R"/></ordered></index>"#),
        format!(r#"<roundTo figures="{}"><variable identifier="R"/></roundTo>"#, i32::MIN),
        format!(
            r#"<power><variable identifier="R"/><baseValue baseType="integer">{least}</baseValue></power>"#
        ),
        format!(
            r#"<integerDivide><baseValue baseType="integer">{least}</baseValue><baseValue baseType="integer">-1</baseValue></integerDivide>"#
        ),
        format!(
            r#"<gcd><baseValue baseType="integer">{least}</baseValue><baseValue baseType="integer">-1</baseValue></gcd>"#
        ),
        format!(r#"<truncate><baseValue baseType="integer">{least}</baseValue></truncate>"#),
        format!(r#"<repeat numberRepeats="{}"><variable identifier="R"/></repeat>"#, i64::MAX),
    ] {
        one_of(
            Format::Qti2,
            &item(
                response,
                entry,
                &format!(r#"<setOutcomeValue identifier="SCORE">{operator}</setOutcomeValue>"#),
            ),
        );
    }
}

#[test]
fn too_many_options_and_responses_are_told() {
    let options: String =
        (0..3_000).map(|n| format!(r#"<simpleChoice identifier="c{n}">{n}</simpleChoice>"#)).collect();
    let response = r#"<responseDeclaration identifier="R" cardinality="multiple" baseType="identifier"><correctResponse><value>c1</value></correctResponse></responseDeclaration>"#;
    let body =
        format!(r#"<choiceInteraction responseIdentifier="R" maxChoices="0">{options}</choiceInteraction>"#);
    let rules = r#"<setOutcomeValue identifier="SCORE"><mapResponse identifier="R"/></setOutcomeValue>"#;
    assert!(!one_of(Format::Qti2, &item(response, &body, rules)).losses.is_empty());
    let responses: String = (0..1_000)
        .map(|n| format!(r#"<responseDeclaration identifier="R{n}" cardinality="single" baseType="string"><correctResponse><value>{n}</value></correctResponse></responseDeclaration>"#))
        .collect();
    let body: String =
        (0..1_000).map(|n| format!(r#"<p><textEntryInteraction responseIdentifier="R{n}"/></p>"#)).collect();
    let question = one_of(Format::Qti2, &item(&responses, &body, rules));
    assert!(question.losses.iter().any(|loss| loss.rule == "too-many-responses"), "{:?}", question.losses);
    let pairs: String = (0..400)
        .map(|n| {
            format!(r#"<simpleAssociableChoice identifier="a{n}" matchMax="1">{n}</simpleAssociableChoice>"#)
        })
        .collect();
    let response = r#"<responseDeclaration identifier="R" cardinality="multiple" baseType="directedPair"><correctResponse><value>a1 a2</value></correctResponse></responseDeclaration>"#;
    let body = format!(
        r#"<matchInteraction responseIdentifier="R"><simpleMatchSet>{pairs}</simpleMatchSet><simpleMatchSet>{pairs}</simpleMatchSet></matchInteraction>"#
    );
    assert!(!one_of(Format::Qti2, &item(response, &body, rules)).losses.is_empty());
}

/// Rules compare each value of a key with every other, so they are not run on a long key.
#[test]
fn a_key_with_too_many_values_is_refused() {
    let key: String = (0..100_000).map(|n| format!("<value>k{n}</value>")).collect();
    let declared = |id: &str, key: &str| {
        format!(
            r#"<responseDeclaration identifier="{id}" cardinality="multiple" baseType="identifier"><correctResponse>{key}</correctResponse></responseDeclaration>"#
        )
    };
    let body = r#"<choiceInteraction responseIdentifier="R" maxChoices="0"><simpleChoice identifier="k1">1</simpleChoice><simpleChoice identifier="k2">2</simpleChoice></choiceInteraction>"#;
    let rules = r#"<responseCondition><responseIf><match><correct identifier="K"/><correct identifier="K"/></match>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>"#;
    // The long key belongs to the question, or to a response that nothing asks for.
    let asked = item(&declared("R", &key), body, &rules.replace('K', "R"));
    let unasked = item(&(declared("R", "<value>k1</value>") + &declared("K", &key)), body, rules);
    for text in [asked, unasked] {
        for text in [text.replace("title=", r#"adaptive="true" title="#), text] {
            refused_question(Format::Qti2, &text, "too-many-options");
        }
    }
}

#[test]
fn containers_that_double_are_given_up() {
    let both = r#"<multiple><variable identifier="T"/><variable identifier="T"/></multiple>"#;
    let doubled = format!(r#"<setTemplateValue identifier="T">{both}</setTemplateValue>"#).repeat(60);
    let declarations = format!(
        r#"<responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>1</value></correctResponse></responseDeclaration>
        <templateDeclaration identifier="T" cardinality="multiple" baseType="integer"><defaultValue><value>1</value></defaultValue></templateDeclaration>
        <templateProcessing>{doubled}</templateProcessing>"#
    );
    let rules = r#"<setOutcomeValue identifier="SCORE"><containerSize><variable identifier="T"/></containerSize></setOutcomeValue>"#;
    let entry = r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#;
    let question = one_of(Format::Qti2, &item(&declarations, entry, rules));
    assert!(question.losses.iter().any(|loss| loss.rule == "response-processing"), "{:?}", question.losses);
}

#[test]
fn comparisons_of_long_containers_are_given_up() {
    let values: String = (0..20_000).map(|n| format!("<value>{n}</value>")).collect();
    let entries: String =
        (0..20_000).map(|n| format!(r#"<mapEntry mapKey="{n}" mappedValue="1"/>"#)).collect();
    let declarations = format!(
        r#"<responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>1</value></correctResponse></responseDeclaration>
        <outcomeDeclaration identifier="T" cardinality="multiple" baseType="integer"><defaultValue>{values}</defaultValue><mapping defaultValue="0">{entries}</mapping></outcomeDeclaration>"#
    );
    let entry = r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#;
    let two = r#"<variable identifier="T"/><variable identifier="T"/>"#;
    let mut rules: Vec<String> =
        ["match", "contains", "member"].map(|name| format!("<{name}>{two}</{name}>")).into();
    rules.push(format!("<isNull><delete>{two}</delete></isNull>"));
    rules
        .push(r#"<gt><mapOutcome identifier="T"/><baseValue baseType="float">0</baseValue></gt>"#.to_owned());
    for condition in rules {
        let rule = format!(
            r#"<responseCondition><responseIf>{condition}<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>"#
        );
        let question = one_of(Format::Qti2, &item(&declarations, entry, &rule));
        let told = question.losses.iter().any(|loss| loss.rule == "response-processing");
        assert!(told, "{condition}: {:?}", question.losses);
    }
}

#[test]
fn copies_of_long_values_cost_steps() {
    let values: String = (0..20_000).map(|n| format!("<value>{n}</value>")).collect();
    let entries: String =
        (0..20_000).map(|n| format!(r#"<matchTableEntry sourceValue="{n}" targetValue="1"/>"#)).collect();
    let declarations = format!(
        r#"<responseDeclaration identifier="R" cardinality="single" baseType="float"><correctResponse><value>1</value></correctResponse></responseDeclaration>
        <outcomeDeclaration identifier="T" cardinality="multiple" baseType="integer"><defaultValue>{values}</defaultValue></outcomeDeclaration>
        <outcomeDeclaration identifier="L" cardinality="single" baseType="string"><defaultValue><value>{}</value></defaultValue></outcomeDeclaration>
        <outcomeDeclaration identifier="M" cardinality="single" baseType="float"><matchTable>{entries}</matchTable></outcomeDeclaration>"#,
        "x".repeat(1 << 20)
    );
    let entry = r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#;
    let condition = |condition: &str| {
        format!(r"<responseCondition><responseIf>{condition}<exitResponse/></responseIf></responseCondition>")
    };
    let score = r#"<setOutcomeValue identifier="SCORE"><variable identifier="R"/></setOutcomeValue>"#;
    for rule in [
        condition(r#"<isNull><variable identifier="T"/></isNull>"#),
        condition(r#"<isNull><default identifier="T"/></isNull>"#),
        condition(r#"<isNull><variable identifier="L"/></isNull>"#),
        r#"<lookupOutcomeValue identifier="M"><baseValue baseType="float">0.5</baseValue></lookupOutcomeValue>"#.repeat(10),
        condition(r#"<isNull><repeat numberRepeats="10000"><variable identifier="L"/></repeat></isNull>"#),
    ] {
        let text = item(&declarations, entry, &(rule.repeat(200) + score));
        let question = one_of(Format::Qti2, &text);
        let told = question.losses.iter().any(|loss| loss.rule == "response-processing");
        assert!(told, "{rule:.200}: {:?}", question.losses);
    }
}

#[test]
fn a_key_that_cannot_be_used_is_not_told_to_be_one() {
    let entries: String = (0..40_000)
        .map(|n| format!(r#"<mapEntry mapKey="c{n}" mappedValue="{}"/>"#, u8::from(n < 2)))
        .collect();
    let declarations: String = ["R", "S"]
        .map(|id| {
            format!(
                r#"<responseDeclaration identifier="{id}" cardinality="multiple" baseType="identifier"><correctResponse><value>c0</value><value>c1</value></correctResponse><mapping defaultValue="0">{entries}</mapping></responseDeclaration>"#
            )
        })
        .concat();
    let choices: String =
        (0..30).map(|n| format!(r#"<simpleChoice identifier="c{n}">{n}</simpleChoice>"#)).collect();
    let body: String = ["R", "S"]
        .map(|id| {
            format!(
                r#"<choiceInteraction responseIdentifier="{id}" maxChoices="0">{choices}</choiceInteraction>"#
            )
        })
        .concat();
    let rules = r#"<setOutcomeValue identifier="SCORE"><sum><mapResponse identifier="R"/><mapResponse identifier="S"/></sum></setOutcomeValue>"#;
    for rules in [rules, ""] {
        let question =
            refused_question(Format::Qti2, &item(&declarations, &body, rules), "response-processing");
        let told: Vec<&str> = question
            .losses
            .iter()
            .filter(|loss| loss.rule == "response-processing")
            .map(|loss| loss.message.as_str())
            .collect();
        assert!(
            matches!(told[..], [only] if only.starts_with("the declared responses cannot be used as the key: ")),
            "{told:?}"
        );
    }
}
