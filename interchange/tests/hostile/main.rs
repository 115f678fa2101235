//! Hostile input: readers return typed errors, or questions that report what they leave out. No test measures time:
//! without a limit, a test is slow or runs out of memory.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::format_collect)]

use std::io::{Cursor, Write as _};

use fablegrade_core::json::Json;
use fablegrade_files::{FileLimits, Files, Lookup as _, ZipFiles};
use fablegrade_interchange::{
    Exactness, Format, Question, ReadError, Source, detect, read, read_archive, read_files,
};
use zip::write::SimpleFileOptions;

/// The XML formats, each with a root element that its reader accepts.
const XML: [(Format, &str); 5] = [
    (Format::Qti3, "qti-assessment-item"),
    (Format::Qti2, "assessmentItem"),
    (Format::Qti12, "questestinterop"),
    (Format::MoodleXml, "quiz"),
    (Format::OpenEdx, "problem"),
];

fn outcome(format: Format, bytes: &[u8]) -> (Result<Format, ReadError>, Vec<Result<Question, ReadError>>) {
    let mut found = Vec::new();
    let result = read(&Source::new("hostile", bytes), Some(format), &mut |question| found.push(question));
    (result, found)
}

/// Returns the rule of the error that rejects a whole file.
fn rule(format: Format, bytes: &[u8]) -> &'static str {
    let (result, found) = outcome(format, bytes);
    assert!(found.is_empty(), "{format}: {found:?}");
    result.expect_err("an error").rule
}

#[test]
fn entities_are_not_expanded_and_nothing_is_fetched() {
    for (format, root) in XML {
        let bomb: String = (1..30).map(|n| format!(r#"<!ENTITY e{n} "&e{};&e{};">"#, n - 1, n - 1)).collect();
        for text in [
            format!(r#"<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">{bomb}]><{root}>&e29;</{root}>"#),
            format!(r#"<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><{root}>&e;</{root}>"#),
            format!(r#"<!DOCTYPE x [<!ENTITY e SYSTEM "http://192.0.2.1/x">]><{root}>&e;</{root}>"#),
            format!(r#"<!DOCTYPE x [<!ENTITY % p "<!ENTITY e 'x'>"> %p;]><{root}>&e;</{root}>"#),
            format!(r#"<{root} a="&e;"/>"#),
        ] {
            let rule = rule(format, text.as_bytes());
            assert!(matches!(rule, "unknown-entity" | "doctype"), "{format}: {rule}: {text:.200}");
        }
        // An entity that is declared but not used is not reported as unknown.
        let harmless = format!(
            r#"<!DOCTYPE {root} SYSTEM "http://192.0.2.1/x.dtd" [<!ENTITY e "x">]><{root}></{root}>"#
        );
        if let Err(error) = outcome(format, harmless.as_bytes()).0 {
            assert_ne!(error.rule, "unknown-entity", "{format}");
        }
    }
}

#[test]
fn depth_width_and_size_are_bounded() {
    for (format, root) in XML {
        let deep = format!("<{root}>{}{}</{root}>", "<p>".repeat(100_000), "</p>".repeat(100_000));
        assert_eq!(rule(format, deep.as_bytes()), "too-deep", "{format}");
        let attributes: String = (0..10_000).map(|n| format!(r#" a{n}="1""#)).collect();
        let wide = format!("<{root}{attributes}/>");
        assert_eq!(rule(format, wide.as_bytes()), "too-many-attributes", "{format}");
        let value = "x".repeat(5 << 20);
        assert_eq!(
            rule(format, format!(r#"<{root} a="{value}"/>"#).as_bytes()),
            "attribute-too-long",
            "{format}"
        );
    }
    let mut huge = vec![b' '; 100 << 20];
    huge[..12].copy_from_slice(b"<assessmentI");
    for format in Format::ALL {
        let (result, _) = outcome(format, &huge);
        assert_eq!(result.expect_err("an error").rule, "too-large", "{format}");
    }
}

#[test]
fn undecodable_text_is_refused_with_its_line() {
    let cases: [(&[u8], &str, bool); 4] = [
        (b"abc\n\xff\xfe\xfd<x/>", "encoding", true),
        (b"<?xml version=\"1.0\" encoding=\"no-such\"?><x/>", "encoding", false),
        (b"\xff\xfe\x00\xd8", "encoding", true),
        (b"a\nb\0c", "nul", true),
    ];
    // These readers fall back to Windows-1252, in which every byte is a character.
    let decoded = |format: &Format| !matches!(format, Format::Gift | Format::Aiken);
    for format in Format::ALL.into_iter().filter(decoded) {
        let is_xml = XML.iter().any(|(one, _)| *one == format);
        for (bytes, wanted, everywhere) in cases {
            if !everywhere && !is_xml {
                continue;
            }
            let (result, found) = outcome(format, bytes);
            let error = result.expect_err("an error");
            // A file with a NUL near its beginning is reported as binary.
            let told = error.rule == wanted || error.rule == "binary-file";
            assert!(told && found.is_empty(), "{format}: {wanted}: {error}");
        }
    }
    // Latin 1 is read if it is declared.
    let item = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><assessmentItem identifier=\"q\" title=\"caf\xe9\"><itemBody/></assessmentItem>";
    let (result, found) = outcome(Format::Qti2, item);
    assert!(result.is_ok());
    assert_eq!(found[0].as_ref().expect("an item").item.title, "café");
}

#[test]
fn broken_xml_is_an_error_of_its_file() {
    for (format, root) in XML {
        for text in [
            format!("<{root}"),
            format!("<{root}>"),
            format!("<{root}></p>"),
            format!("<{root} a=1/>"),
            format!("<{root} a=\"1\" a=\"2\"/>"),
            format!("<{root}><![CDATA[</{root}>"),
            format!("<{root}/><{root}/>"),
            format!("<{root}><!-- </{root}>"),
        ] {
            let (result, found) = outcome(format, text.as_bytes());
            let error = result.expect_err(&text);
            assert!(found.is_empty() && !error.help.is_empty(), "{format}: {text}: {error}");
        }
    }
}

/// Returns a QTI 2 item with these declarations, body and rules.
fn item(declarations: &str, body: &str, rules: &str) -> String {
    format!(
        r#"<assessmentItem identifier="q" title="Q">{declarations}<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
        <itemBody>{body}</itemBody><responseProcessing>{rules}</responseProcessing></assessmentItem>"#
    )
}

fn one_of(format: Format, text: &str) -> Question {
    let (result, mut found) = outcome(format, text.as_bytes());
    assert!(result.is_ok(), "{result:?}");
    let question = found.remove(0).expect("a question");
    assert!(question.exactness == fablegrade_interchange::Exactness::Exact || !question.losses.is_empty());
    question
}

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

#[test]
fn active_content_does_not_reach_a_question() {
    let html = r#"<script>alert(1)</script><p onclick="alert(2)">Pick <a href="javascript:alert(3)">one</a><iframe src="http://192.0.2.1/"></iframe></p>"#;
    let escaped = html.replace('&', "&amp;").replace('<', "&lt;");
    let choice = r#"<choiceInteraction responseIdentifier="R" maxChoices="1"><simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction>"#;
    let key = r#"<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>"#;
    let texts = [
        (Format::Qti2, item(key, &format!("{html}{choice}"), "")),
        (
            Format::MoodleXml,
            format!(
                r#"<quiz><question type="multichoice"><name><text>n</text></name><questiontext format="html"><text>{escaped}</text></questiontext><single>true</single>
                <answer fraction="100" format="html"><text>{escaped}</text></answer><answer fraction="0"><text>b</text></answer></question></quiz>"#
            ),
        ),
        (
            Format::Qti12,
            format!(
                r#"<questestinterop><item ident="i"><presentation><material><mattext texttype="text/html">{escaped}</mattext></material><response_lid ident="r"><render_choice>
                <response_label ident="a"><material><mattext texttype="text/html">{escaped}</mattext></material></response_label></render_choice></response_lid></presentation></item></questestinterop>"#
            ),
        ),
    ];
    for (format, text) in texts {
        let line = one_of(format, &text).to_json().to_canonical();
        for sign in ["alert", "onclick", "javascript:", "<iframe", "<script"] {
            assert!(!line.contains(sign), "{format}: {line}");
        }
    }
}

/// Returns the question of an XML item, and requires that it cannot be graded for this reason.
fn refused_question(format: Format, text: &str, rule: &str) -> Question {
    let question = one_of(format, text);
    let rules: Vec<&str> = question.losses.iter().take(5).map(|loss| loss.rule).collect();
    assert!(question.specs.is_empty() && rules.contains(&rule), "{format}: {rule}: {rules:?}");
    question
}

/// Without limits, the options, pairs or orders of these questions would need too much time or memory.
#[test]
fn what_a_question_multiplies_is_bounded() {
    let ordered: String =
        (0..10_000).map(|n| format!(r#"<simpleChoice identifier="c{n}">{n}</simpleChoice>"#)).collect();
    let key: String = (0..10_000).map(|n| format!("<value>c{n}</value>")).collect();
    let rules = r#"<responseCondition><responseIf><match><variable identifier="R"/><correct identifier="R"/></match>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>"#;
    for (cardinality, interaction) in [("ordered", "orderInteraction"), ("multiple", "choiceInteraction")] {
        let response = format!(
            r#"<responseDeclaration identifier="R" cardinality="{cardinality}" baseType="identifier"><correctResponse>{key}</correctResponse></responseDeclaration>"#
        );
        let body =
            format!(r#"<{interaction} responseIdentifier="R" maxChoices="0">{ordered}</{interaction}>"#);
        refused_question(Format::Qti2, &item(&response, &body, rules), "too-many-options");
    }
    let pairs: String = (0..40_000).map(|n| format!("=l{n} -> r{n}\n")).collect();
    refused_question(Format::Gift, &format!("Pair.{{\n{pairs}}}\n\nSure?{{T}}"), "too-many-options");
    let options = |count: usize, name: &str, inner: &str| -> String {
        (0..count).map(|n| format!("<{name}><text>{n}</text>{inner}</{name}>")).collect()
    };
    let moodle = |kind: &str, text: &str, inner: &str| {
        format!(
            "<quiz><question type=\"{kind}\"><name><text>q</text></name><questiontext><text>{text}</text>\
             </questiontext>{inner}</question></quiz>"
        )
    };
    let things = options(40_000, "answer", "");
    refused_question(Format::MoodleXml, &moodle("ordering", "Sort", &things), "too-many-options");
    let gaps: String = (1..40_000).map(|n| format!("[[{n}]]")).collect();
    let boxes = options(40_000, "dragbox", "<group>1</group>");
    refused_question(Format::MoodleXml, &moodle("ddwtos", &gaps, &boxes), "too-many-options");
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

/// The prompt ends before the first embedded answer that is left out, so it does not show the key.
#[test]
fn a_text_with_too_many_blanks_shows_no_key() {
    let text = format!("{}The capital is {{1:SA:=Paris}}.", "{1:SA:=x}, ".repeat(200));
    let gift = format!("{text}\n\nSure?{{T}}");
    let moodle = format!(
        "<quiz><question type=\"cloze\"><name><text>q</text></name><questiontext><text>{text}</text></questiontext>\
         </question></quiz>"
    );
    for (format, text) in [(Format::MoodleXml, &moodle), (Format::Gift, &gift)] {
        let question = refused_question(format, text, "too-many-blanks");
        assert!(question.item.prompt.ends_with("The capital is"), "{}", question.item.prompt);
    }
}

fn names_of_items(files: &[(&str, &[u8])]) -> (Vec<String>, Vec<&'static str>) {
    let bytes = archive(files);
    let files = Files::from_archive(&bytes, FileLimits::default()).expect("files");
    let mut found = Vec::new();
    read_files(&files, None, &mut |question| found.push(question.expect("a test")));
    let test = found.iter().find(|question| question.file.ends_with("test.xml")).expect("a test");
    let items = test.item.metadata.iter().filter(|(name, _)| name == "item");
    (items.map(|(_, value)| value.clone()).collect(), test.losses.iter().map(|loss| loss.rule).collect())
}

#[test]
fn references_to_sections_are_followed_once_and_from_their_own_file() {
    let test = |inner: &str| {
        format!(r#"<assessmentTest identifier="t"><testPart>{inner}</testPart></assessmentTest>"#)
    };
    let section = |inner: &str| format!(r#"<assessmentSection identifier="s">{inner}</assessmentSection>"#);
    let reference = |href: &str| format!(r#"<assessmentSectionRef href="{href}"/>"#);
    let one = |href: &str| format!(r#"<assessmentItemRef href="{href}"/>"#);
    let main = test(&(one("i0.xml") + &reference("sub/a.xml") + &one("i4.xml")));
    let a = section(&(one("i1.xml") + &reference("deep/b.xml") + &one("../i3.xml")));
    let b = section(&one("i2.xml"));
    let (items, losses) = names_of_items(&[
        ("p/test.xml", main.as_bytes()),
        ("p/sub/a.xml", a.as_bytes()),
        ("p/sub/deep/b.xml", b.as_bytes()),
    ]);
    assert_eq!(items, ["i0.xml", "sub/i1.xml", "sub/deep/i2.xml", "i3.xml", "i4.xml"]);
    assert_eq!(losses, ["test"]);
    // Section `a` refers to itself, and each of `a`, `b` and `c` to the next section, many times.
    let main = test(&(reference("a.xml") + &one("i.xml")));
    let a = section(&(reference("a.xml").repeat(50) + &one("j.xml") + &reference("b.xml").repeat(50)));
    let b = section(&(reference("c.xml").repeat(50)));
    let c = section(&(reference("d.xml").repeat(50)));
    let (items, losses) = names_of_items(&[
        ("test.xml", main.as_bytes()),
        ("a.xml", a.as_bytes()),
        ("b.xml", b.as_bytes()),
        ("c.xml", c.as_bytes()),
        ("d.xml", section("").as_bytes()),
    ]);
    assert_eq!(items, ["j.xml"]);
    assert!(losses.contains(&"section") && losses.contains(&"too-many-references"), "{losses:?}");
}

/// The package is read as a tree and as an archive.
#[test]
fn references_lead_up_and_down_a_package() {
    let section = r#"<assessmentSection identifier="s"><assessmentItemRef href="./q.xml"/><assessmentItemRef href="../items/q.xml"/>
        <assessmentItemRef href="../tests/sub/q.xml"/><assessmentItemRef href="../../q.xml"/>
        <assessmentSectionRef href="../sections/./s.xml"/></assessmentSection>"#;
    let test = r#"<assessmentTest identifier="t"><testPart><assessmentItemRef href="./../items/q.xml"/>
        <assessmentSectionRef href="../sections/s.xml"/></testPart></assessmentTest>"#;
    let item = item(
        r#"<assessmentStimulusRef identifier="x" href="../texts/x.xml"/>
        <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>"#,
        r#"<img src="../images/./a.png" alt="A"/><img src="../../images/a.png" alt="B"/><img src="./b.png" alt="C"/>
        <choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction>"#,
        r#"<include href="./../rules/r.xml"/>"#,
    );
    let rules = r#"<responseProcessingFragment><responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">2</baseValue></setOutcomeValue></responseIf></responseCondition></responseProcessingFragment>"#;
    let text = r#"<assessmentStimulus identifier="x"><stimulusBody><p>Once upon a time</p></stimulusBody></assessmentStimulus>"#;
    let bytes = archive(&[
        ("images/a.png", b"png"),
        ("items/b.png", b"png"),
        ("items/q.xml", item.as_bytes()),
        ("rules/r.xml", rules.as_bytes()),
        ("sections/s.xml", section.as_bytes()),
        ("tests/test.xml", test.as_bytes()),
        ("texts/x.xml", text.as_bytes()),
    ]);
    let tree = Files::from_archive(&bytes, FileLimits::default()).expect("files");
    let (mut of_tree, mut of_archive) = (Vec::new(), Vec::new());
    read_files(&tree, None, &mut |question| of_tree.push(question.expect("a question")));
    read_archive(&bytes, FileLimits::default(), None, &mut |question| {
        of_archive.push(question.expect("a question"));
    })
    .expect("an archive");
    for found in [of_tree, of_archive] {
        let [question, test] = &found[..] else { panic!("{}", found.len()) };
        assert!(question.item.prompt.starts_with("Once upon a time"), "{}", question.item.prompt);
        assert_eq!(
            question.item.max_score.as_ref().map(|most| most.to_f64()),
            Some(2.0),
            "{:?}",
            question.losses
        );
        let media: Vec<_> = question.item.media.iter().map(|one| one.file.as_deref()).collect();
        assert_eq!(media, [Some("images/a.png"), None, Some("items/b.png")]);
        let items = test.item.metadata.iter().filter(|(name, _)| name == "item");
        let items: Vec<_> = items.map(|(_, path)| path.as_str()).collect();
        // References are relative to the test. Those that lead out stay as they are written.
        let expected =
            ["./../items/q.xml", "../sections/q.xml", "../items/q.xml", "sub/q.xml", "../../q.xml"];
        assert_eq!(items, expected);
        let itself = test.losses.iter().any(|loss| loss.message.contains("contains itself"));
        assert!(itself, "{:?}", test.losses);
    }
}

#[test]
fn sections_of_an_assessment_are_listed_within_a_limit() {
    let text = |references: usize, items: usize| {
        format!(
            r#"<questestinterop><section ident="s">{}</section><assessment ident="a"><section ident="t">{}</section></assessment></questestinterop>"#,
            (0..items).map(|n| format!(r#"<item ident="i{n}"/>"#)).collect::<String>(),
            r#"<sectionref linkrefid="s"/>"#.repeat(references),
        )
    };
    for (references, items, full) in [(2, 3, false), (20_000, 20_000, true), (1_000_000, 0, false)] {
        let (result, found) = outcome(Format::Qti12, text(references, items).as_bytes());
        assert!(result.is_ok(), "{result:?}");
        let test = found.iter().flatten().find(|question| question.item.id == "a").expect("an assessment");
        let told = test.losses.iter().any(|loss| loss.rule == "too-many-references");
        assert_eq!(told, full, "{references} {items}: {:?}", test.losses);
        if !full {
            let listed = test.item.metadata.iter().filter(|(name, _)| name == "item").count();
            assert_eq!(listed, references * items);
        }
    }
}

#[test]
fn files_in_utf_16_are_recognised() {
    for (name, text) in [
        ("q.xml", "<?xml version=\"1.0\" encoding=\"utf-16\"?><quiz><question type=\"truefalse\"/></quiz>"),
        ("q.gift", "::é::Sure?{T}"),
        ("q.txt", "::é::Sure?{T}"),
        ("q.txt", "Which?\nA) a\nB) b\nANSWER: A\n"),
        ("q.csv", "type,question,answer\ntext,Word?,é\n"),
    ] {
        let plain = detect(&Source::new(name, text.as_bytes()));
        assert!(plain.is_some(), "{name}");
        let marked = format!("\u{feff}{text}");
        let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [marked.as_bytes(), &little, &big] {
            assert_eq!(detect(&Source::new(name, bytes)), plain, "{name}");
            let result = read(&Source::new(name, bytes), None, &mut |_| {});
            assert!(result.is_ok(), "{name}: {result:?}");
        }
    }
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("an archive").into_inner()
}

fn refused(entries: &[(&str, &[u8])], limits: FileLimits) -> String {
    let bytes = archive(entries);
    let error = Files::from_archive(&bytes, limits).expect_err("an error");
    // Reading the files one by one gives the same error.
    assert_eq!(ZipFiles::open(Cursor::new(&bytes), limits).expect_err("an error"), error);
    error.findings().first().map(|finding| finding.rule.to_owned()).unwrap_or_default()
}

#[test]
fn packages_cannot_leave_their_folder_or_burst() {
    let limits = FileLimits::default();
    for path in ["../q.xml", "a/../../q.xml", "/etc/q.xml", "a\\..\\q.xml", "C:\\q.xml"] {
        assert_eq!(refused(&[(path, b"<x/>")], limits), "path-escape", "{path}");
    }
    // 40 MiB of zeros in less than 1 MiB.
    let zeros = vec![0u8; 40 << 20];
    let bomb = archive(&[("q.xml", &zeros)]);
    assert!(bomb.len() < 1 << 20);
    let mut small = limits;
    small.bytes = 1 << 20;
    assert!(Files::from_archive(&bomb, small).is_err());
    let one_by_one = ZipFiles::open(Cursor::new(&bomb), small).expect("a list");
    assert!(one_by_one.unpack("q.xml").is_err() && one_by_one.bytes("q.xml").is_none());
    // A single file can be too large although the total is not. Files that a question refers to are bounded too.
    let mut short = limits;
    short.file_bytes = 1 << 20;
    let one_by_one = ZipFiles::open(Cursor::new(&bomb), short).expect("a list");
    assert!(one_by_one.unpack("q.xml").is_err() && one_by_one.bytes("q.xml").is_none());
    assert_eq!(Files::from_archive(&bomb, short).unwrap_err().findings()[0].rule, "too-large");
    let names: Vec<String> = (0..2_000).map(|n| format!("{n}.xml")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"<x/>"[..])).collect();
    let mut few = limits;
    few.entries = 100;
    assert_eq!(refused(&many, few), "too-many-files");
    assert!(Files::from_archive(&bomb[..bomb.len() / 2], limits).is_err());
}

#[test]
fn a_broken_file_of_a_package_does_not_take_the_others_along() {
    let good = item(
        r#"<responseDeclaration identifier="R" cardinality="single" baseType="string"><correctResponse><value>x</value></correctResponse></responseDeclaration>"#,
        r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#,
        "",
    );
    let bytes = archive(&[
        ("a.xml", b"<assessmentItem"),
        ("b.xml", good.as_bytes()),
        ("c.xml", b"<assessmentItem>&none;</assessmentItem>"),
        ("inner.zip", &archive(&[("d.xml", good.as_bytes())])),
    ]);
    let files = Files::from_archive(&bytes, FileLimits::default()).expect("files");
    let (mut questions, mut errors) = (Vec::new(), Vec::new());
    read_files(&files, None, &mut |question| match question {
        Ok(question) => questions.push(question.file.clone()),
        Err(error) => errors.push(error.file.clone()),
    });
    let (mut same_questions, mut same_errors) = (Vec::new(), Vec::new());
    read_archive(&bytes, FileLimits::default(), None, &mut |question| match question {
        Ok(question) => same_questions.push(question.file.clone()),
        Err(error) => same_errors.push(error.file.clone()),
    })
    .expect("a list");
    assert_eq!((&same_questions, &same_errors), (&questions, &errors));
    // An archive inside an archive is not opened.
    assert_eq!(questions, ["b.xml"]);
    assert!(errors.contains(&"a.xml".to_owned()) && errors.contains(&"c.xml".to_owned()), "{errors:?}");
}

/// The file list and the sizes in an archive are not trusted.
#[test]
fn a_list_of_files_is_bounded_before_it_is_held() {
    let names: Vec<String> = (0..20_000).map(|n| format!("{n:0>200}.xml")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let bytes = archive(&many);
    let mut limits = FileLimits::default();
    limits.entries = 5_000;
    let error = ZipFiles::open(Cursor::new(&bytes), limits).expect_err("too many");
    assert_eq!(error.findings()[0].rule, "too-many-files");
    let whole = ZipFiles::open(Cursor::new(&bytes), FileLimits::default()).expect("a list");
    assert_eq!(whole.paths().count(), 20_000);
    let path = names[7].as_str();
    assert!(
        whole.has(path) && whole.bytes(path).is_some_and(|bytes| bytes.is_empty()) && !whole.has("7.xml")
    );
    // The archive never returns more than its limit, for any number of calls.
    let text = [b'x'; 1000];
    let repeated = archive(&[("a.txt", &text)]);
    let mut limits = FileLimits::default();
    limits.bytes = 2_500;
    let files = ZipFiles::open(Cursor::new(&repeated), limits).expect("a list");
    let given = (0..5).filter(|_| files.unpack("a.txt").is_ok()).count();
    assert_eq!(given, 2);
}

/// No line of a bank exceeds the size limit of documents, so written banks can be read.
#[test]
fn no_line_of_a_bank_is_too_long_to_be_read() {
    let most = fablegrade_core::json::Limits::default().bytes;
    let picture = "A".repeat(9 << 20);
    let moodle = |text: &str, answer: &str, feedback: &str| {
        format!(
            "<quiz><question type=\"shortanswer\"><name><text>q</text></name><questiontext format=\"html\"><text>\
             <![CDATA[{text}]]></text></questiontext><generalfeedback><text>{feedback}</text></generalfeedback>\
             <answer fraction=\"100\"><text>{answer}</text></answer></question></quiz>"
        )
    };
    for (text, answer, feedback) in
        [(picture.as_str(), "yes", ""), ("Is it?", "yes", picture.as_str()), ("Is it?", picture.as_str(), "")]
    {
        let question = one_of(Format::MoodleXml, &moodle(text, answer, feedback));
        for line in question.bank_lines() {
            let line = line.to_canonical();
            assert!(line.len() < most && Json::parse(line.as_bytes()).is_ok());
        }
        assert!(!question.losses.is_empty());
        // Without its text, a question is still graded; without its answer, it is not expressible.
        assert_eq!(question.exactness == Exactness::NotExpressible, answer != "yes", "{:?}", question.losses);
    }
    let odd = "<made-up/>".repeat(5_000);
    let question = one_of(Format::Qti2, &item("", &format!("<p>x</p>{odd}"), ""));
    assert!(question.losses.len() <= 1_001, "{}", question.losses.len());
}

/// The time to read these things grows with their number, not with its square.
#[test]
fn many_things_of_one_kind_are_read_in_linear_time() {
    let count = 20_000;
    let lids: String = (0..count).map(|n| format!(r#"<response_lid ident="r{n}"/>"#)).collect();
    let text = format!(
        r#"<questestinterop><item ident="i"><presentation>{lids}</presentation><resprocessing><respcondition><conditionvar><vargte respident="r1">1</vargte></conditionvar><setvar>1</setvar></respcondition></resprocessing></item></questestinterop>"#
    );
    refused_question(Format::Qti12, &text, "too-many-responses");
    let fields = r#"<stringresponse answer="a"><textline/></stringresponse>"#.repeat(3_000);
    let question = one_of(Format::OpenEdx, &format!("<problem>{fields}<p/><p/></problem>"));
    assert_eq!(question.item.parts.len(), 3_000);
    let declarations: String = (0..count)
        .map(|n| {
            format!(r#"<responseDeclaration identifier="r{n}" cardinality="single" baseType="string"/>"#)
        })
        .collect();
    let entries: String =
        (0..count).rev().map(|n| format!(r#"<textEntryInteraction responseIdentifier="r{n}"/>"#)).collect();
    let text =
        item(&declarations, &format!("<p>{entries}</p>"), "").replace("title=", "adaptive=\"true\" title=");
    refused_question(Format::Qti2, &text, "too-many-responses");
    let blocks = "<rubricBlock/><feedbackInline/>".repeat(count);
    let question = one_of(Format::Qti2, &item("", &format!("<p>{blocks}</p>"), ""));
    let told = |rule: &str| question.losses.iter().filter(|loss| loss.rule == rule).count();
    assert_eq!((told("rubric-block"), told("feedback")), (1, 1));
    let perseus = |text: &str| {
        let mut found = Vec::new();
        let source = Source::new("hostile.json", text.as_bytes());
        read(&source, Some(Format::Perseus), &mut |question| found.push(question)).expect("it is read");
        found.remove(0).expect("a question")
    };
    let snowman = "\u{2603}";
    let content: String = (0..count).map(|n| format!("[[{snowman} dropdown {n}]] ")).collect();
    let options: String = (0..count).map(|n| format!(",\"o{}\"", n / 2)).collect();
    let sorter = format!(r#"{{"type":"sorter","options":{{"correct":["o"{options}]}}}}"#);
    let text =
        format!(r#"{{"content":"{content}[[{snowman} sorter 1]]","widgets":{{"sorter 1":{sorter}}}}}"#);
    let question = perseus(&text);
    assert!(question.losses.iter().any(|loss| loss.rule == "equal-items"), "{:?}", question.losses);
    let (choices, markers) = ("\"c\",".repeat(2_000), r#"{"answers":["c"]},"#.repeat(2_000));
    let image = format!(
        r#"{{"type":"label-image","options":{{"choices":[{choices}"d"],"markers":[{markers}{{}}]}}}}"#
    );
    let text =
        format!(r#"{{"content":"[[{snowman} label-image 1]]","widgets":{{"label-image 1":{image}}}}}"#);
    let question = perseus(&text);
    assert!(question.specs.is_empty() && question.losses.iter().any(|loss| loss.rule == "too-many-options"));
}
