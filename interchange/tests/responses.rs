//! Stored responses of other systems become submissions to imported questions, or are rejected with their place.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::format_collect)]

use fablegrade_interchange::responses::{Converter, ResponseFormat};
use fablegrade_interchange::{Source, read};

/// Returns the outcome of each response: `ID QUESTION SCORE (HOME)`, `ID QUESTION -` without an answer, or `PLACE:
/// RULE`.
fn converted(file: &str, questions: &str, responses: &str) -> Vec<String> {
    let mut converter = Converter::default();
    let mut refused = Vec::new();
    converter
        .read("stored", responses.as_bytes(), &mut |error| {
            refused.push(format!("{}: {}", error.place, error.rule))
        })
        .expect("responses");
    let source = Source::new(file, questions.as_bytes());
    read(&source, None, &mut |found| {
        let question = found.expect("a question");
        converter.offer(&question.item.id.clone(), &question);
    })
    .expect("questions");
    let mut out = refused;
    converter.attempts(&mut |found| {
        out.push(match found {
            Err(error) => format!("{}: {}", error.place, error.rule),
            Ok((question, attempt)) if attempt.submissions.is_empty() => {
                format!("{} {} -", attempt.id, question.item.id)
            }
            Ok((question, attempt)) => {
                let score = question.grader().expect("a grader").score(&attempt.responses);
                let home = attempt.home_score.map(|home| format!(" ({})", home.to_fraction_text()));
                let score = score.map_or("pending".to_owned(), |score| score.to_string());
                format!("{} {} {score}{}", attempt.id, question.item.id, home.unwrap_or_default())
            }
        });
    });
    out
}

const QUIZ: &str = r#"<quiz>
<question type="description"><questiontext format="html"><text>Read this.</text></questiontext></question>
<question type="multichoice"><questiontext format="html"><text><![CDATA[<p>Which planet is <b>red</b>?</p>]]></text></questiontext><single>true</single>
<answer fraction="100" format="html"><text><![CDATA[<p>Mars; the <i>4th</i></p>]]></text></answer><answer fraction="0" format="html"><text>Venus</text></answer></question>
<question type="multichoice"><questiontext format="html"><text>Gas giants?</text></questiontext><single>false</single>
<answer fraction="50" format="html"><text>Jupiter</text></answer><answer fraction="50" format="html"><text>Saturn; rings</text></answer><answer fraction="-50" format="html"><text>Earth</text></answer></question>
<question type="matching"><questiontext format="html"><text>Capitals</text></questiontext><subquestion format="html"><text>France</text><answer><text>Paris</text></answer></subquestion><subquestion format="html"><text>Italy</text><answer><text>Rome</text></answer></subquestion></question>
<question type="numerical"><questiontext format="html"><text>1+1?</text></questiontext><answer fraction="100"><text>2</text><tolerance>0</tolerance></answer></question>
<question type="cloze"><questiontext format="html"><text>France: {1:SHORTANSWER:=Paris}. Norway: {1:SHORTANSWER:=Oslo}.</text></questiontext></question>
</quiz>"#;

#[test]
fn a_moodle_report_names_questions_by_number() {
    let report = "\"Last name\",\"First name\",\"Email address\",\"Started on\",\"Response 1\",\"Response 2\",\"Response 3\",\"Response 4\",\"Response 5\"\n\
        B,A,a@x.org,1 May,\"Mars; the 4th\",\"Jupiter; Saturn; rings\",\"France -> Paris; Italy -> Rome\",2,\"part 1: Paris; part 2: Oslo\"\n\
        D,J,j@x.org,2 May,Venus,\"Jupiter; Earth\",\"France -> Paris; Italy -> Paris\",-,\"part 1: Paris; part 2: \"\n\
        R,S,r@x.org,3 May,Pluto,Jupiter,\"France -> Berlin\",three,Paris\n\
        \"Overall average\",,,,,,,,\n";
    assert_eq!(
        converted("quiz.xml", QUIZ, report),
        [
            "a@x.org/1 May q2 1",
            "a@x.org/1 May q3 1",
            "a@x.org/1 May q4 1",
            "a@x.org/1 May q5 1",
            "a@x.org/1 May q6 1",
            "j@x.org/2 May q2 0",
            "j@x.org/2 May q3 0",
            "j@x.org/2 May q4 0.5",
            "j@x.org/2 May q5 -",
            "j@x.org/2 May q6 0.5",
            "line 4: column `Response 1`: unknown-answer",
            "r@x.org/3 May q3 0.5",
            "line 4: column `Response 3`: unknown-answer",
            "line 4: column `Response 4`: unknown-answer",
            "line 4: column `Response 5`: unknown-answer",
        ]
    );
}

#[test]
fn a_moodle_report_with_texts_names_questions_by_them_and_none_is_guessed() {
    let report = "Nachname;Vorname;E-Mail-Adresse;Frage 1;Antwort 1;Frage 2;Antwort 2\n\
        B;A;a@x.org;1+1?;2;Which planet is red?;Venus\n\
        D;J;j@x.org;Which planet is blue?;Earth;1+1?;3\n";
    assert_eq!(
        converted("quiz.xml", QUIZ, report),
        [
            "a@x.org/row 2 q5 1",
            "a@x.org/row 2 q2 0",
            "line 3: column `Antwort 1`: unknown-question",
            "j@x.org/row 3 q5 0",
        ]
    );
    // Without texts, the imported questions must be exactly those of the quiz.
    let short = "Email address,Response 1\na@x.org,Venus\n";
    assert_eq!(converted("quiz.xml", QUIZ, short), ["line 2: column `Response 1`: question-count"]);
}

#[test]
fn answers_of_stack_are_read_as_they_were_typed() {
    let quiz = r#"<quiz><question type="stack"><questiontext format="html"><text>[[input:ans1]]</text></questiontext>
        <questionvariables><text>ta:x^2-1;</text></questionvariables><defaultgrade>1</defaultgrade>
        <input><name>ans1</name><type>algebraic</type><tans>ta</tans></input>
        <prt><name>prt1</name><value>1</value><autosimplify>1</autosimplify><feedbackvariables><text></text></feedbackvariables><node><name>0</name><answertest>AlgEquiv</answertest><sans>ans1</sans><tans>ta</tans><testoptions></testoptions><quiet>0</quiet>
        <truescoremode>=</truescoremode><truescore>1</truescore><truenextnode>-1</truenextnode><falsescoremode>=</falsescoremode><falsescore>0</falsescore><falsenextnode>-1</falsenextnode></node></prt></question></quiz>"#;
    let report = "Email address,Response 1,State\n\
        a@x.org,\"Seed: 1; ans1: (x-1)*(x+1) [score]; prt1: # = 1 | prt1-1-T\",Finished\n\
        b@x.org,\"Seed: 1; ans1: x^2 [score]; prt1: # = 0 | prt1-1-F\",Finished\n\
        c@x.org,\"Seed: 1; ans1: x^ [invalid]; prt1: !\",Finished\n";
    assert_eq!(
        converted("quiz.xml", quiz, report),
        ["a@x.org/row 2 q1 1", "b@x.org/row 3 q1 0", "c@x.org/row 4 q1 -"]
    );
}

#[test]
fn answers_to_variants_go_to_the_variant_of_their_seed() {
    // Seed 5489 first draws 3,499,211,612, so the answer is 3. Seed 1 first draws 1,791,095,845, so the answer is 6.
    let quiz = r#"<quiz><question type="stack"><questiontext format="html"><text>{@ta@} [[input:ans1]]</text></questiontext>
        <questionvariables><text>ta:rand(10)+1;</text></questionvariables><deployedseed>5489</deployedseed><deployedseed>1</deployedseed>
        <input><name>ans1</name><type>algebraic</type><tans>ta</tans></input>
        <prt><name>prt1</name><value>1</value><feedbackvariables><text></text></feedbackvariables><node><name>0</name><answertest>AlgEquiv</answertest><sans>ans1</sans><tans>ta</tans>
        <truescoremode>=</truescoremode><truescore>1</truescore><truenextnode>-1</truenextnode><falsescoremode>=</falsescoremode><falsescore>0</falsescore><falsenextnode>-1</falsenextnode></node></prt></question></quiz>"#;
    let report = "Email address,Response 1\n\
        a@x.org,Seed: 5489; ans1: 3 [score]; prt1: # = 1\n\
        b@x.org,Seed: 1; ans1: 3 [score]; prt1: # = 0\n\
        c@x.org,Seed: 1; ans1: 6 [score]; prt1: # = 1\n\
        d@x.org,Seed: 2; ans1: 6 [score]; prt1: # = 1\n";
    assert_eq!(
        converted("quiz.xml", quiz, report),
        [
            "a@x.org/row 2 q1@5489 1",
            "b@x.org/row 3 q1@1 0",
            "c@x.org/row 4 q1@1 1",
            "line 5: column `Response 1`: unknown-variant",
        ]
    );
}

const ITEM: &str = r#"<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="red" title="Red">
<responseDeclaration identifier="RESPONSE" cardinality="multiple" baseType="identifier"><correctResponse><value>a.1</value><value>b</value></correctResponse></responseDeclaration>
<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
<itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="0"><prompt>Red?</prompt><simpleChoice identifier="a.1">Mars</simpleChoice><simpleChoice identifier="b">Betelgeuse</simpleChoice><simpleChoice identifier="c">Neptune</simpleChoice></choiceInteraction></itemBody>
<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>"#;

#[test]
fn a_qti_report_is_converted_with_the_map_of_the_ids() {
    let result = |learner: &str, item: &str, values: &str, score: &str| {
        format!(
            r#"<assessmentResult xmlns="http://www.imsglobal.org/xsd/imsqti_result_v2p1"><context sourcedId="{learner}"/>
<itemResult identifier="{item}" datestamp="2026-05-01T10:00:00" sessionStatus="final"><responseVariable identifier="numAttempts" cardinality="single" baseType="integer"><candidateResponse><value>1</value></candidateResponse></responseVariable>
<responseVariable identifier="RESPONSE" cardinality="multiple" baseType="identifier"><candidateResponse>{values}</candidateResponse></responseVariable>
<outcomeVariable identifier="SCORE" cardinality="single" baseType="float"><value>{score}</value></outcomeVariable></itemResult></assessmentResult>"#
        )
    };
    let both = "<value>b</value><value>a.1</value>";
    assert_eq!(
        converted("red.xml", ITEM, &result("ada", "red", both, "1")),
        ["ada/2026-05-01T10:00:00 red 1 (1)"]
    );
    let one = "<value>a.1</value>";
    assert_eq!(
        converted("red.xml", ITEM, &result("ada", "red", one, "0")),
        ["ada/2026-05-01T10:00:00 red 0 (0)"]
    );
    assert_eq!(converted("red.xml", ITEM, &result("ada", "red", "", "0")), ["ada/2026-05-01T10:00:00 red -"]);
    for (item, values, rule) in
        [("blue", both, "unknown-question"), ("red", "<value>z</value>", "unknown-answer")]
    {
        let [told] = &converted("red.xml", ITEM, &result("ada", item, values, "0"))[..] else {
            panic!("one")
        };
        assert_eq!(told, &format!("line 2: /assessmentResult/itemResult: {rule}"));
    }
}

#[test]
fn a_canvas_analysis_names_questions_by_text_and_tells_points() {
    let quiz = "::A::Which planet is red? {=Mars, the 4th ~Venus}\n\n::B::Which are prime? {~%50%2 ~%50%3 ~%-50%4}\n\n\
        ::C::Match. {=one -> 1 =two -> 2}\n";
    let report = "name,id,sis_id,section,section_id,section_sis_id,submitted,attempt,\"11: Which planet is red?\",2.0,\"12: Which are prime?\",1.0,\"13: Match.\",1.0,n correct,n incorrect,score\n\
        Ada,7,,S,1,,2026-05-01 10:00:00 UTC,1,\"Mars, the 4th\",2.0,\"2,3\",1.0,\"one=>1,two=>2\",1.0,3,0,4.0\n\
        Joe,8,,S,1,,2026-05-01 10:00:00 UTC,2,Venus,0.0,2,0.5,\"one=>1,two=>\",0.5,0,3,1.0\n\
        Ann,9,,S,1,,2026-05-01 10:00:00 UTC,1,,0.0,\"2,9\",0.0,,0.0,0,3,0.0\n";
    assert_eq!(
        converted("quiz.gift", quiz, report),
        [
            "7/1 q1 1 (1)",
            "7/1 q2 1 (1)",
            "7/1 q3 1 (1)",
            "8/2 q1 0 (0)",
            "8/2 q2 0.5 (1/2)",
            "8/2 q3 0.5 (1/2)",
            "9/1 q1 -",
            "line 4: column `12: Which are prime?`: unknown-answer",
            "9/1 q3 -",
        ]
    );
}

#[test]
fn other_files_are_not_responses() {
    for text in ["", "a,b\n1,2\n", "<quiz/>", "{\"item\":\"q\"}"] {
        assert_eq!(ResponseFormat::detect(text.as_bytes()), None);
        let error = Converter::default().read("f", text.as_bytes(), &mut |_| {}).expect_err("no responses");
        assert_eq!(error.rule, "unknown-format");
    }
    let bomb =
        "<!DOCTYPE x [<!ENTITY a \"b\">]><assessmentResult><context sourcedId=\"&a;\"/></assessmentResult>";
    assert!(Converter::default().read("f", bomb.as_bytes(), &mut |_| {}).is_err());
}

#[test]
fn the_header_of_a_report_may_be_long_and_have_several_lines() {
    let questions: String =
        (0..400).map(|n| format!(",\"{n}: What is the result of {n} plus {n}\n exactly?\",1.0")).collect();
    for report in [
        format!("name,id,sis_id,submitted,attempt{questions},n correct,n incorrect,score\n"),
        "\"name\n of the learner\",submitted,n correct\n".to_owned(),
    ] {
        assert_eq!(
            ResponseFormat::detect(report.as_bytes()),
            Some(ResponseFormat::CanvasCsv),
            "{report:.60}"
        );
        let wide: Vec<u8> = format!("\u{feff}{report}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(ResponseFormat::detect(&wide), Some(ResponseFormat::CanvasCsv), "{report:.60}");
    }
}

#[test]
fn an_answer_that_one_blank_cannot_take_is_refused() {
    let item = r#"<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="q" title="Q" adaptive="false" timeDependent="false">
        <responseDeclaration identifier="A" cardinality="single" baseType="identifier"><correctResponse><value>x</value></correctResponse></responseDeclaration>
        <responseDeclaration identifier="B" cardinality="single" baseType="string"><correctResponse><value>yes</value></correctResponse></responseDeclaration>
        <itemBody><p><inlineChoiceInteraction responseIdentifier="A"><inlineChoice identifier="x">x</inlineChoice><inlineChoice identifier="y">y</inlineChoice></inlineChoiceInteraction>
        <textEntryInteraction responseIdentifier="B"/></p></itemBody></assessmentItem>"#;
    let report = |a: &str| {
        let variable = |id: &str, kind: &str, value: &str| {
            format!(
                r#"<responseVariable identifier="{id}" cardinality="single" baseType="{kind}"><candidateResponse>{value}</candidateResponse></responseVariable>"#
            )
        };
        format!(
            r#"<assessmentResult><context sourcedId="p"/><itemResult identifier="q" datestamp="1">{}{}</itemResult></assessmentResult>"#,
            variable("A", "identifier", a),
            variable("B", "string", "<value>yes</value>")
        )
    };
    assert_eq!(converted("q.xml", item, &report("<value>x</value>")), ["p/1 q 1"]);
    assert_eq!(converted("q.xml", item, &report("")), ["p/1 q 0"]);
    assert_eq!(
        converted("q.xml", item, &report("<value>z</value>")),
        ["line 1: /assessmentResult/itemResult: unknown-answer"]
    );
}

#[test]
fn variants_of_stack_are_left_out_only_with_a_loss() {
    let quiz = |seeds: &str, variables: &str| {
        format!(
            r#"<quiz><question type="stack"><name><text>n</text></name><questiontext format="html"><text>[[input:ans1]]</text></questiontext>
            <questionvariables><text>{variables}</text></questionvariables>{seeds}<defaultgrade>1</defaultgrade>
            <input><name>ans1</name><type>algebraic</type><tans>ta</tans></input>
            <prt><name>prt1</name><value>1</value><autosimplify>1</autosimplify><feedbackvariables><text></text></feedbackvariables><node><name>0</name><answertest>AlgEquiv</answertest><sans>ans1</sans><tans>ta</tans><testoptions></testoptions><quiet>0</quiet>
            <truescoremode>=</truescoremode><truescore>1</truescore><truenextnode>-1</truenextnode><falsescoremode>=</falsescoremode><falsescore>0</falsescore><falsenextnode>-1</falsenextnode></node></prt></question></quiz>"#
        )
    };
    let read_all = |text: &str| {
        let mut found = Vec::new();
        read(&Source::new("q.xml", text.as_bytes()), None, &mut |one| found.push(one.expect("a question")))
            .expect("reads");
        found
    };
    let seeds: String = (0..1_002).map(|n| format!("<deployedseed>{n}</deployedseed>")).collect();
    let found = read_all(&quiz(&format!("{seeds}<deployedseed>-1</deployedseed>"), "ta:rand(10)+1;"));
    assert_eq!(found.len(), 1_000);
    let told = |at: usize| found[at].losses.iter().find(|loss| loss.rule == "variants-left-out");
    assert!(
        told(0).is_some_and(|loss| loss.message.starts_with("3 ")) && told(1).is_none(),
        "{:?}",
        found[0].losses
    );
    // The key of some variants only is a text, which has no counterpart. Whichever is first, it hides no other.
    let are_gone = |seeds: &[usize]| -> Vec<bool> {
        let seeds: String = seeds.iter().map(|n| format!("<deployedseed>{n}</deployedseed>")).collect();
        let found = read_all(&quiz(&seeds, "ta:rand([\"a\",x+1]);"));
        found.iter().map(|question| question.item.parts.is_empty()).collect()
    };
    let mut seeds: Vec<usize> = (0..8).collect();
    let gone = are_gone(&seeds);
    assert!(gone.contains(&true) && gone.contains(&false), "{gone:?}");
    for first in [true, false] {
        seeds.sort_by_key(|&seed| (gone[seed] != first, seed));
        let expected: Vec<bool> = seeds.iter().map(|&seed| gone[seed]).collect();
        assert_eq!(are_gone(&seeds), expected);
        assert_eq!(expected[0], first);
    }
}

#[test]
fn the_answer_to_a_single_part_has_no_label() {
    let quiz = r#"<quiz><question type="shortanswer"><questiontext format="html"><text>Scale?</text></questiontext><usecase>0</usecase><answer fraction="100"><text>1:50000</text></answer></question></quiz>"#;
    let report = "\"Last name\",\"First name\",\"Email address\",\"Started on\",\"Response 1\"\nB,A,a@x.org,1 May,1:50000\n";
    let found = converted("quiz.xml", quiz, report);
    assert!(found.len() == 1 && found[0].ends_with(" 1"), "{found:?}");
}
