//! Texts made of the signs of a format, in any order: every reader reads or refuses, and says the same twice.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use fablegrade_interchange::{Exactness, Format, Source, read};
use proptest::prelude::*;

/// The pieces that texts of a format are made of.
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
    fn prairielearn(text in texts(Format::PrairieLearn)) { holds(Format::PrairieLearn, &text)?; }

    #[test]
    fn csv(text in texts(Format::Csv)) { holds(Format::Csv, &format!("type,question,answer,option1,option2\n{text}"))?; }
}
