//! Archives, and files that refer to others.

use std::io::Cursor;

use fablegrade_files::{FileLimits, Files, Lookup as _, ZipFiles};
use fablegrade_interchange::{Format, read_archive, read_files};

use crate::{archive, item, outcome};

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

#[test]
fn included_rules_are_bounded() {
    let response = r#"<responseDeclaration identifier="R" cardinality="single" baseType="string"><correctResponse><value>x</value></correctResponse></responseDeclaration>"#;
    let entry = r#"<p><textEntryInteraction responseIdentifier="R"/></p>"#;
    let rules = r#"<responseCondition><responseIf><match><variable identifier="R"/><correct identifier="R"/></match>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>"#;
    let file = |length: usize| {
        format!(
            "<responseProcessingFragment>{rules}<!--{}--></responseProcessingFragment>",
            "x".repeat(length)
        )
    };
    for (times, length, full) in [(3, 10, false), (3, 2 << 20, true), (2_000, 10, true)] {
        let text = item(response, entry, &r#"<include href="r.xml"/>"#.repeat(times));
        let bytes = archive(&[("q.xml", text.as_bytes()), ("r.xml", file(length).as_bytes())]);
        let mut found = Vec::new();
        read_archive(&bytes, FileLimits::default(), None, &mut |question| {
            found.extend(question);
        })
        .expect("an archive");
        let told = found[0].losses.iter().any(|loss| loss.message.contains("4 MiB of included rules"));
        assert_eq!(told, full, "{times} {length}: {:?}", found[0].losses);
        assert_eq!(found[0].specs.len(), 1);
    }
}

#[test]
fn tables_with_long_headers_are_found_in_archives() {
    let table = format!("id,{},type,question,answer\n1,,text,Word?,x\n", "a".repeat(10_000));
    let other = format!("id,{}\n", "a".repeat(10_000));
    let bytes = archive(&[("t.csv", table.as_bytes()), ("other.csv", other.as_bytes())]);
    let mut found = Vec::new();
    read_archive(&bytes, FileLimits::default(), None, &mut |question| found.push(question))
        .expect("an archive");
    assert_eq!(found.len(), 1, "{found:?}");
}
