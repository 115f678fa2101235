//! Documents: XML, encodings and active content.

use fablegrade_interchange::responses::Converter;
use fablegrade_interchange::{Format, Source, detect, read};

use crate::{XML, item, one_of, outcome, rule};

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

#[test]
fn text_that_hides_the_rest_of_a_file_is_told() {
    let question = |text: &str| {
        format!(
            "<question type=\"truefalse\"><name><text>q</text></name><questiontext><text>{text}</text></questiontext>\
            <answer fraction=\"100\"><text>true</text></answer></question>"
        )
    };
    for (text, read, told) in [
        (question("<![CDATA[a") + &question("b"), 1, "nothing after it is read"),
        (question("<!-- a") + &question("b"), 1, "nothing after it is read"),
        ("<![CDATA[".to_owned() + &question("b"), 1, "nothing after it is read"),
        (question("a</text></questiontext>").replace("</question>", "") + &question("b"), 2, "is not closed"),
    ] {
        let text = format!("<quiz>{}{text}</quiz>", question("first"));
        let (result, found) = outcome(Format::MoodleXml, text.as_bytes());
        assert!(result.is_ok());
        assert_eq!(found.iter().filter(|one| one.is_ok()).count(), read, "{text}");
        let errors: Vec<_> = found.iter().filter_map(|one| one.as_ref().err()).collect();
        assert!(errors.len() == 1 && errors[0].message.contains(told), "{text}: {errors:?}");
    }
}

#[test]
fn lists_of_many_pieces_in_reports_are_read_in_linear_time() {
    let answers = |texts: [&str; 2]| {
        texts
            .map(|text| format!(r#"<answer fraction="50" format="html"><text>{text}</text></answer>"#))
            .concat()
    };
    let many = "c0;".repeat(200);
    for (texts, error, count) in [(["c0", "c1"], None, 1_000), (["c0", &many], Some("too many ways"), 50)] {
        let quiz = format!(
            r#"<quiz><question type="multichoice"><name><text>q</text></name><questiontext format="html"><text>x</text></questiontext><single>false</single>{}</question></quiz>"#,
            answers(texts)
        );
        let cell = "c0; ".repeat(199) + "c0";
        let rows: String = (0..count).map(|n| format!("{n}@x.org,\"{cell}\"\n")).collect();
        let mut converter = Converter::default();
        let report = format!("Email address,Response 1\n{rows}");
        converter.read("r.csv", report.as_bytes(), &mut |error| panic!("{error}")).expect("responses");
        let source = Source::new("q.xml", quiz.as_bytes());
        read(&source, None, &mut |found| {
            let question = found.expect("a question");
            converter.offer(&question.item.id.clone(), &question);
        })
        .expect("a question");
        let mut read = 0;
        converter.attempts(&mut |found| {
            let problem = found.err().map(|error| error.message.clone());
            let told = error.is_none_or(|text| problem.as_deref().is_some_and(|found| found.contains(text)));
            assert!(told, "{problem:?}");
            read += 1;
        });
        assert_eq!(read, count);
    }
}
