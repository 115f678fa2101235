//! Elements inside others of their kind, whose content would be read once per level.

use fablegrade_interchange::Format;

use crate::{item, one_of, outcome, refused_question};

fn nested(times: usize, open: &str, close: &str) -> String {
    format!("{}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn questions_inside_others_are_errors() {
    let presentation = "<presentation><material><mattext>Text</mattext></material></presentation>";
    for (format, text, name) in [
        (
            Format::Qti12,
            format!(
                "<questestinterop>{}</questestinterop>",
                nested(100, &format!("<item>{presentation}"), "</item>")
            ),
            "item",
        ),
        (
            Format::Qti12,
            format!(
                "<questestinterop>{}</questestinterop>",
                nested(100, "<assessment><section>", "</section></assessment>")
            ),
            "assessment",
        ),
        (Format::OpenEdx, format!("<a>{}</a>", nested(100, "<problem><p>Text</p>", "</problem>")), "problem"),
    ] {
        let (result, found) = outcome(format, text.as_bytes());
        assert!(result.is_ok(), "{result:?}");
        let errors: Vec<_> = found.iter().filter_map(|one| one.as_ref().err()).collect();
        assert_eq!((found.len(), errors.len()), (100, 99), "{format} {name}");
        assert!(errors.iter().all(|error| error.rule == "nested-item" && error.message.contains(name)));
    }
}

#[test]
fn responses_inside_others_cannot_be_graded() {
    let label = r#"<render_choice><response_label ident="a"/></render_choice>"#;
    let lids = nested(100, &format!(r#"<response_lid ident="r">{label}"#), "</response_lid>");
    let text = format!(
        r#"<questestinterop><item ident="i"><presentation>{lids}</presentation></item></questestinterop>"#
    );
    refused_question(Format::Qti12, &text, "nested-response");
    let responses = nested(100, r#"<stringresponse answer="a"><textline/>"#, "</stringresponse>");
    refused_question(Format::OpenEdx, &format!("<problem>{responses}</problem>"), "nested-response");
}

#[test]
fn answers_inside_others_are_a_loss() {
    let answers = nested(1_000, "<pl-answer correct=\"true\">text", "</pl-answer>");
    let text = format!(r#"<pl-checkbox answers-name="c">{answers}</pl-checkbox>"#);
    refused_question(Format::PrairieLearn, &text, "nested-answers");
    let key = r#"<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>"#;
    let choices = nested(200, r#"<simpleChoice identifier="a">text"#, "</simpleChoice>");
    let body = format!(
        r#"<choiceInteraction responseIdentifier="R" maxChoices="1">{choices}<simpleChoice identifier="b">B</simpleChoice></choiceInteraction>"#
    );
    let question = one_of(Format::Qti2, &item(key, &body, ""));
    assert_eq!(question.losses.iter().filter(|loss| loss.rule == "nested-choice").count(), 1);
}

/// Each end tag without a start tag would be searched for among all open elements.
#[test]
fn end_tags_without_elements_are_passed_over() {
    let text = format!(
        "{}{}<pl-integer-input answers-name=\"n\" correct-answer=\"1\"></pl-integer-input>",
        "<pl-x>".repeat(4_000),
        "</pl-y>".repeat(100_000)
    );
    assert_eq!(one_of(Format::PrairieLearn, &text).item.parts.len(), 1);
}
