//! Sizes and numbers: what one question or one file can multiply.

use fablegrade_core::json::Json;
use fablegrade_interchange::{Exactness, Format, Source, read};

use crate::{item, one_of, refused_question};

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

/// Each of these takes minutes, or all memory, if a piece costs as much as the whole text.
#[test]
fn what_a_piece_costs_does_not_grow_with_the_whole() {
    let row = format!("{}a{}", " ".repeat(200_000), "\"".repeat(200_000));
    let mut found = 0;
    let csv = format!("type,question,answer\nshort,{row},x\n");
    read(&Source::new("hostile.csv", csv.as_bytes()), None, &mut |_| found += 1).expect("a table");
    assert_eq!(found, 1);
    let text = format!("{}{}", "{1:SA:".repeat(200), "a~".repeat(100_000));
    let quiz = format!(
        r#"<quiz><question type="cloze"><name><text>n</text></name><questiontext format="html"><text>{text}</text></questiontext></question></quiz>"#
    );
    one_of(Format::MoodleXml, &quiz);
    let inputs = "<textline/>".repeat(10_000);
    let problem = format!(
        r#"<problem><stringresponse answer="{}">{inputs}</stringresponse></problem>"#,
        "x".repeat(500_000)
    );
    refused_question(Format::OpenEdx, &problem, "too-many-inputs");
    let name = "a".repeat(50_000);
    let problem = format!("<problem><{name}>{}</{name}></problem>", "<aresponse/>".repeat(20_000));
    let question = refused_question(Format::OpenEdx, &problem, "response-type");
    assert!(question.losses.iter().all(|loss| loss.place.path.len() < 200), "{:?}", question.losses.first());
    let declaration = r#"<responseDeclaration identifier="R" cardinality="single" baseType="string"/>"#;
    let rules = format!(
        r#"<responseCondition><responseIf><stringMatch caseSensitive="true"><variable identifier="R"/><baseValue baseType="string">{}</baseValue></stringMatch><setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue>{}</responseIf></responseCondition>"#,
        "x".repeat(500_000),
        "<exitResponse/>".repeat(20_000)
    );
    one_of(
        Format::Qti2,
        &item(declaration, r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#, &rules),
    );
}

/// Values that name other values are not filled in again, so their size cannot double with each name.
#[test]
fn values_are_filled_in_once() {
    let calculated = |text: &str, values: &str| {
        format!(
            r#"<questestinterop><item ident="i"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>
            <fieldentry>calculated_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
            <presentation><material><mattext>{text}</mattext></material><response_str ident="r"/></presentation>
            <itemproc_extension><calculated><var_sets><var_set>{values}<answer>1</answer></var_set></var_sets></calculated></itemproc_extension></item></questestinterop>"#
        )
    };
    let values: String =
        (0..60).map(|n| format!(r#"<var name="v{n}">[v{}][v{}]</var>"#, n + 1, n + 1)).collect();
    let question = one_of(Format::Qti12, &calculated("Add [v0].", &values));
    assert_eq!(question.item.prompt, "Add [v1][v1].");
    let long = format!(r#"<var name="v">{}</var>"#, "x".repeat(1 << 20));
    refused_question(Format::Qti12, &calculated(&"[v]".repeat(100_000), &long), "too-long");
    let dataset = "<dataset_definitions><dataset_definition><name><text>x</text></name><dataset_items><dataset_item>\
        <number>1</number><value>0.12345678901234567</value></dataset_item></dataset_items></dataset_definition></dataset_definitions>";
    let moodle = format!(
        "<quiz><question type=\"calculated\"><name><text>q</text></name><questiontext><text>{}</text></questiontext>\
         <answer fraction=\"100\"><text>{{x}}</text></answer>{dataset}</question></quiz>",
        "{x}".repeat(1_000_000)
    );
    refused_question(Format::MoodleXml, &moodle, "too-long");
    let template = format!(
        r#"<templateDeclaration identifier="T" cardinality="single" baseType="string"><defaultValue><value>{}</value></defaultValue></templateDeclaration>"#,
        "x".repeat(1 << 20)
    );
    let printed = r#"<printedVariable identifier="T"/>"#.repeat(1_000);
    let question = one_of(Format::Qti2, &item(&template, &format!("<p>{printed}</p>"), ""));
    let told = question.losses.iter().filter(|loss| loss.message.contains("too long")).count();
    assert!(told > 900, "{told}");
}

/// All assessments of a file share the limit.
#[test]
fn assessments_list_items_within_a_common_limit() {
    let items: String = (0..20_000).map(|n| format!(r#"<item ident="i{n}"/>"#)).collect();
    let assessment = |id: &str| {
        let references = r#"<sectionref linkrefid="s"/>"#.repeat(40);
        format!(r#"<assessment ident="{id}"><section ident="t">{references}</section></assessment>"#)
    };
    let text = format!(
        r#"<questestinterop><section ident="s">{items}</section>{}{}</questestinterop>"#,
        assessment("a"),
        assessment("b")
    );
    let mut full = Vec::new();
    let source = Source::new("q.xml", text.as_bytes());
    let result = read(&source, None, &mut |question| {
        let question = question.expect("a question");
        if question.losses.iter().any(|loss| loss.rule == "too-many-references") {
            full.push(question.item.id);
        }
    });
    assert!(result.is_ok());
    assert_eq!(full, ["b"]);
}

#[test]
fn identifiers_and_losses_fit_on_a_line() {
    let most = fablegrade_core::json::Limits::default().bytes;
    let key = |id: &str| {
        format!(
            r#"<responseDeclaration identifier="{id}" cardinality="single" baseType="identifier"><correctResponse><value>c1</value></correctResponse></responseDeclaration>"#
        )
    };
    let choices = |count: usize, content: &str| -> String {
        (0..count)
            .map(|n| format!(r#"<simpleChoice identifier="c{n}">{content}{n}</simpleChoice>"#))
            .collect()
    };
    let body = |id: &str, choices: &str| {
        format!(
            r#"<choiceInteraction responseIdentifier="{id}" maxChoices="1">{choices}</choiceInteraction>"#
        )
    };
    let long = "x".repeat(3 << 20);
    let few = choices(2, "text");
    let named = item(&key("R"), &body("R", &few), "")
        .replace(r#"identifier="q""#, &format!(r#"identifier="{long}""#));
    let part = item(&key(&long), &body(&long, &few), "");
    let changed =
        choices(60, "text").replace("identifier=\"c", &format!("identifier=\"{}c", "é".repeat(10_000)));
    let ids = item(&key("R").replace("c1", &format!("{}c1", "é".repeat(10_000))), &body("R", &changed), "");
    let outcomes =
        format!(r#"<outcomeDeclaration identifier="{long}" cardinality="single" baseType="float"/>"#)
            .repeat(3);
    let losses = item(&(key("R") + &outcomes), &body("R", &few), "");
    for (name, text, graded, told) in [
        ("id", named, true, true),
        ("part", part, false, true),
        ("ids", ids, true, true),
        ("losses", losses, true, false),
    ] {
        let question = one_of(Format::Qti2, &text);
        assert_eq!(question.specs.is_empty(), !graded, "{name}: {:?}", question.losses.len());
        assert_eq!(question.losses.iter().any(|loss| loss.rule == "too-long"), told, "{name}");
        for line in question.bank_lines().into_iter().chain([question.to_json()]) {
            let line = line.to_canonical();
            assert!(line.len() < most && Json::parse(line.as_bytes()).is_ok(), "{name}: {}", line.len());
        }
    }
}

#[test]
fn orders_and_stack_questions_are_bounded() {
    let blocks: String =
        (0..300).map(|n| format!(r#"<pl-answer ranking="{}">{n}</pl-answer>"#, n % 2)).collect();
    let order =
        format!(r#"<pl-order-blocks answers-name="o" grading-method="ranking">{blocks}</pl-order-blocks>"#);
    refused_question(Format::PrairieLearn, &order, "too-many-options");
    let stack = |text: &str, variables: &str, rest: &str| {
        format!(
            "<quiz><question type=\"stack\"><name><text>q</text></name><questiontext><text>{text}</text></questiontext>\
             <questionvariables><text>{variables}</text></questionvariables>{rest}</question></quiz>"
        )
    };
    let inputs: String = (0..200)
        .map(|n| format!("<input><name>ans{n}</name><type>algebraic</type><tans>x</tans></input>"))
        .collect();
    refused_question(Format::MoodleXml, &stack("Text", "", &inputs), "too-many-responses");
    let seeds: String = (0..100).map(|n| format!("<deployedseed>{n}</deployedseed>")).collect();
    let tree = "<input><name>ans1</name><type>algebraic</type><tans>n</tans></input><prt><name>prt1</name><value>1</value>\
        <node><name>0</name><answertest>AlgEquiv</answertest><sans>ans1</sans><tans>n</tans><truescore>1</truescore>\
        <truenextnode>-1</truenextnode><falsescore>0</falsescore><falsenextnode>-1</falsenextnode></node></prt>";
    for (length, in_file, count) in
        [(100, 0, 100), (1 << 20, 0, 15), (100, 1 << 20, 100), (17 << 20, 0, 1), (100, 17 << 20, 100)]
    {
        let file = "A".repeat(in_file);
        let file =
            format!("<generalfeedback><text>f</text><file name=\"f.png\">{file}</file></generalfeedback>");
        let text = stack(&"x".repeat(length), "n:rand(9);", &(tree.to_owned() + &seeds + &file));
        let mut found = Vec::new();
        let source = Source::new("q.xml", text.as_bytes());
        read(&source, Some(Format::MoodleXml), &mut |question| found.push(question.expect("a variant")))
            .expect("it is read");
        assert_eq!(found.len(), count);
        let told = found[0].losses.iter().any(|loss| loss.rule == "variants-left-out");
        assert_eq!(told, count < 100, "{:?}", found[0].losses);
    }
}
