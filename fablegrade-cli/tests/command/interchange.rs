//! Tests of `import` and `export` as users run them.

use crate::{Folder, answers, code, command, run, text};

const QUIZ: &str = "::Sky::What colour is it? {=blue ~green}\n\n::Sum::1 + 1 {#2:0.5}\n";

#[test]
fn a_bank_goes_out_comes_back_and_continues() {
    let folder = Folder::new("interchange-bank");
    let quiz = folder.file("quiz.gift", QUIZ);
    let bank = folder.path("bank.jsonl");
    let output = run(&["import", &quiz, "--bank", &bank], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let first = std::fs::read_to_string(&bank).expect("a bank");
    assert_eq!(first.lines().count(), 2);
    // The bank is not overwritten without a request, and resuming gives the same bytes.
    assert_eq!(code(&run(&["import", &quiz, "--bank", &bank], "")), 2);
    std::fs::write(&bank, &first[..first.len() - 9]).expect("torn");
    assert_eq!(code(&run(&["import", &quiz, "--bank", &bank, "--resume"], "")), 0);
    assert_eq!(std::fs::read_to_string(&bank).expect("a bank"), first);

    let items = folder.path("items");
    let output = run(&["export", &bank, "--to", "qti3", "--out", &items, "--strict"], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let back = run(&["import", &items, "--jsonl"], "");
    let specs = |lines: &[serde_json::Value]| {
        // Identifiers in QTI start with a letter or `_`.
        let plain = |line: &serde_json::Value| line["spec"].to_string().replace("\"_", "\"");
        let mut specs: Vec<String> = lines.iter().map(plain).collect();
        specs.sort();
        specs
    };
    let there: Vec<serde_json::Value> =
        first.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(specs(&answers(&back)), specs(&there));
}

#[test]
fn losses_are_listed_and_fail_where_that_is_wanted() {
    let folder = Folder::new("interchange-strict");
    let item = r#"<assessmentItem identifier="q" title="Q"><responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
        <mapping><mapEntry mapKey="a" mappedValue="1"/><mapEntry mapKey="b" mappedValue="-1"/></mapping></responseDeclaration>
        <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
        <itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction></itemBody>
        <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/></assessmentItem>"#;
    let item = folder.file("item.xml", item);
    assert_eq!(code(&run(&["import", &item], "")), 0);
    let report = folder.path("report.json");
    assert_eq!(code(&run(&["import", &item, "--strict", "--report", &report], "")), 1);
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&report).expect("a report")).expect("JSON");
    assert_eq!(report["questions"][0]["loss"][0]["rule"], "negative-score");
    assert!(report["questions"][0].get("spec").is_none(), "a report has no keys");
    let page = folder.path("report.html");
    assert_eq!(code(&run(&["import", &item, "--report", &page], "")), 0);
    let page = std::fs::read_to_string(&page).expect("a page");
    assert!(
        page.contains("<h1>Imported questions</h1>") && page.ends_with("</main></body></html>\n"),
        "{page}"
    );
    assert!(page.contains("<td class=\"changes-score\">") && !page.contains("://"), "{page}");
    let responses = folder.file("responses.jsonl", r#"{"item":"q","responses":{"RESPONSE":"a"}}"#);
    let graded = answers(&run(&["import", &item, "--responses", &responses], ""));
    assert_eq!(graded[0]["score"], 1);
    assert_eq!(graded[0]["submissions"][0]["submission"]["selectedChoiceIds"][0], "a");
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_line() {
    let folder = Folder::new("interchange-broken");
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<assessmentItem identifier=\"q\">\n&b;</assessmentItem>";
    let output = run(&["import", &folder.file("bomb.xml", bomb)], "");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("line 3"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("[unknown-entity]"));
}

fn error_of(output: &std::process::Output) -> (i32, String) {
    (code(output), text(&output.stderr).to_owned())
}

#[test]
fn nothing_is_written_where_a_line_of_the_bank_is_invalid() {
    let folder = Folder::new("interchange-partial");
    let good = r#"{"item":"a","prompt":"P","spec":{"type":"numeric","answer":{"value":1}}}"#;
    let bank = folder.file("bank.jsonl", format!("{good}\n{{\"item\":\"b\"}}\n{good}\nno JSON\n"));
    for (format, out) in [("gift", "quiz.gift"), ("moodle-xml", "quiz.xml"), ("qti3", "items")] {
        let (out, report) = (folder.path(out), folder.path("report.jsonl"));
        let output = run(&["export", &bank, "--to", format, "--out", &out, "--report", &report], "");
        let (code, message) = error_of(&output);
        assert_eq!(code, 1, "{message}");
        // Every invalid line is reported with its place.
        assert!(message.contains("bank.jsonl:2") && message.contains("bank.jsonl:4"), "{message}");
        assert!(!std::path::Path::new(&out).exists() && !std::path::Path::new(&report).exists(), "{format}");
    }
    let left = std::fs::read_dir(folder.path("")).expect("a folder").count();
    assert_eq!(left, 1, "temporary files are taken away");
    // A line over the limit is refused without being stored.
    let long = folder.file("long.jsonl", format!("{good}\n{{\"item\":\"{}\"}}\n", "x".repeat(9 << 20)));
    let output = run(&["export", &long, "--to", "gift", "--out", &folder.path("long.gift")], "");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("long.jsonl:2"), "{}", text(&output.stderr));
}

#[test]
fn a_format_that_the_file_is_not_in_is_an_error() {
    let folder = Folder::new("interchange-from");
    let quiz = folder.file("quiz.gift", QUIZ);
    for format in
        ["aiken", "moodle-xml", "qti3", "qti2", "qti12", "perseus", "openedx", "prairielearn", "csv"]
    {
        let (code, message) = error_of(&run(&["import", &quiz, "--from", format], ""));
        assert_eq!(code, 1, "{format}: {message}");
        assert!(message.contains("it looks like gift"), "{format}: {message}");
    }
    assert_eq!(code(&run(&["import", &quiz, "--from", "gift"], "")), 0);
    let notes = folder.file("notes.txt", "Buy milk.\n\nCall Ada.\n");
    let (code, message) = error_of(&run(&["import", &notes, "--from", "aiken"], ""));
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("wrong-format"), "{message}");
}

#[test]
fn files_without_text_are_named_as_what_they_are() {
    let folder = Folder::new("interchange-empty");
    for (name, bytes, rule, words) in [
        ("empty.xml", &b""[..], "empty-file", "the file is empty"),
        ("blank.gift", b"\xef\xbb\xbf \n\n", "empty-file", "the file is empty"),
        ("scan.pdf", b"%PDF-1.7\n%...", "binary-file", "a PDF document"),
        ("quiz.gift", b"::a::\0\x01\x02 {=a}", "binary-file", "the file is binary"),
    ] {
        std::fs::write(folder.path(name), bytes).expect("writes");
        let (code, message) = error_of(&run(&["import", &folder.path(name)], ""));
        assert_eq!(code, 1, "{name}");
        assert!(message.contains(rule) && message.contains(words), "{name}: {message}");
    }
}

#[test]
fn lint_is_shown_beside_the_table() {
    let folder = Folder::new("interchange-lint");
    let quiz = folder.file("quiz.gift", "::Same::Which? {=blue ~blue ~red}\n");
    let output = run(&["import", &quiz, "--lint"], "");
    let shown = text(&output.stdout);
    assert!(shown.contains("quiz.gift: Same") || shown.contains("quiz.gift: q1"), "{shown}");
    assert!(shown.contains("/spec/choices"), "{shown}");
    assert!(!text(&run(&["import", &quiz], "").stdout).contains("/spec/choices"));
    // Standard output is for the results of stored responses.
    let line = format!("{{\"item\":\"{quiz}\",\"case\":\"a\",\"responses\":{{\"*\":\"1\"}}}}\n");
    let output = run(&["import", &quiz, "--lint", "--responses", "-"], &line);
    assert_eq!(answers(&output).len(), 1, "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("/spec/choices"), "{}", text(&output.stderr));
}

#[test]
fn ids_of_several_files_differ() {
    let folder = Folder::new("interchange-ids");
    let [one, two] = ["one.gift", "two.gift"].map(|name| folder.file(name, QUIZ));
    let ids = |output| -> Vec<String> {
        let line = |line: &serde_json::Value| line["item"].as_str().expect("an id").to_owned();
        answers(&output).iter().map(line).collect()
    };
    let found = ids(run(&["import", &one, &two, "--jsonl"], ""));
    assert_eq!(found[2..], [format!("{}#2", found[0]), format!("{}#2", found[1])]);
}

#[test]
fn stored_responses_become_attempts_that_batch_and_regrade_read() {
    let folder = Folder::new("interchange-responses");
    let quiz = folder.file("quiz.gift", QUIZ);
    let report = "Email address,Response 1,Response 2\na@x.org,blue,2\nb@x.org,green,-\nc@x.org,pink,7\n";
    let report = folder.file("report.csv", report);
    let (bank, attempts) = (folder.path("bank.jsonl"), folder.path("attempts.jsonl"));
    let output =
        run(&["import", &quiz, "--bank", &bank, "--responses", &report, "--attempts", &attempts], "");
    // An unreadable row is reported with its place, and the others are converted.
    assert_eq!(code(&output), 1);
    let told = text(&output.stderr);
    assert!(
        told.contains("report.csv: line 4: column `Response 1`: `pink` is not one of the choices"),
        "{told}"
    );
    assert!(told.contains("4 responses converted, 1 without an answer, 1 unreadable"), "{told}");
    let scores: Vec<serde_json::Value> = answers(&run(&["batch", &attempts, "--bank", &bank], ""))
        .iter()
        .map(|line| line["result"]["score"].clone())
        .collect();
    assert_eq!(scores, [1, 1, 0, 0]);
    let same = run(&["regrade", "--old", &bank, "--new", &bank, &attempts], "");
    assert_eq!(code(&same), 0, "{}", text(&same.stderr));
    // Without a file for attempts, the responses are graded.
    let graded = answers(&run(&["import", &quiz, "--responses", &report], ""));
    assert_eq!(graded.len(), 4);
    assert_eq!(graded[0]["score"], 1);
}

#[test]
fn a_bank_is_at_its_place_when_it_is_whole() {
    let folder = Folder::new("interchange-whole");
    let quiz = folder.file("quiz.gift", QUIZ);
    let bank = folder.path("bank.jsonl");
    let partial = format!("{bank}.partial");
    assert_eq!(code(&run(&["import", &quiz, "--bank", &bank], "")), 0);
    assert!(!std::path::Path::new(&partial).exists());
    let whole = std::fs::read_to_string(&bank).expect("a bank");
    // The output of an interrupted run is continued, and the file of its last line is read again.
    std::fs::rename(&bank, &partial).expect("moves");
    let (status, message) = error_of(&run(&["import", &quiz, "--bank", &bank], ""));
    assert!(status == 2 && message.contains("--resume"), "{status} {message}");
    assert_eq!(std::fs::read_to_string(&partial).expect("what was left"), whole);
    assert_eq!(code(&run(&["import", &quiz, "--bank", &bank, "--resume"], "")), 0);
    assert_eq!(std::fs::read_to_string(&bank).expect("a bank"), whole);
    assert!(!std::path::Path::new(&partial).exists());
}

#[cfg(unix)]
#[test]
fn a_bank_that_is_replaced_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("interchange-permissions");
    let quiz = folder.file("quiz.gift", QUIZ);
    let bank = folder.path("bank.jsonl");
    let partial = format!("{bank}.partial");
    for (how, is_interrupted) in
        [("--overwrite", false), ("--overwrite", true), ("--resume", false), ("--resume", true)]
    {
        std::fs::write(&bank, "").expect("writes");
        std::fs::set_permissions(&bank, std::fs::Permissions::from_mode(0o600)).expect("sets");
        if is_interrupted {
            std::fs::write(&partial, "").expect("writes");
            std::fs::set_permissions(&partial, std::fs::Permissions::from_mode(0o644)).expect("sets");
        }
        let output = run(&["import", &quiz, "--bank", &bank, how], "");
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(std::fs::read_to_string(&bank).expect("a bank").lines().count(), 2);
        let mode = std::fs::metadata(&bank).expect("a bank").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{how} {is_interrupted}");
    }
}

#[test]
fn stored_responses_are_read_whole_from_standard_input_and_matched_or_told() {
    let folder = Folder::new("interchange-stdin");
    let quiz = folder.file("quiz.gift", QUIZ);
    let count = 2_000;
    let mut report = String::from("Email address,Response 1,Response 2\n");
    let mut lines = String::new();
    for at in 0..count {
        report.push_str(&format!("{at}@x.org,blue,2\n"));
        lines.push_str(&format!(
            "{{\"item\":\"{quiz}\",\"question\":\"Sum\",\"id\":{at},\"responses\":{{\"*\":2}}}}\n"
        ));
    }
    let output = run(&["import", &quiz, "--responses", "-"], &report);
    assert_eq!((code(&output), answers(&output).len()), (0, 2 * count), "{}", text(&output.stderr));
    let output = run(&["import", &quiz, "--responses", "-"], &lines);
    assert_eq!((code(&output), answers(&output).len()), (0, count), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("2000 responses converted"), "{}", text(&output.stderr));

    let lost = "{\"item\":\"other.gift\",\"responses\":{\"*\":2}}\n";
    let output = run(&["import", &quiz, "--responses", "-"], format!("{lines}{lost}"));
    let told = text(&output.stderr);
    assert_eq!((code(&output), answers(&output).len()), (1, count), "{told}");
    assert!(told.contains("standard input:2001: no imported question is item `other.gift`"), "{told}");
    assert!(told.contains("2000 responses converted, 1 unreadable"), "{told}");
}

/// The time to find them grows with their number, not with its square.
#[test]
fn many_responses_to_many_questions_are_found_by_their_names() {
    let folder = Folder::new("interchange-many");
    let count = 20_000;
    let question = |at: usize| format!("::t{at}::Is it? {{T}}\n\n");
    let quiz: String = (0..count).map(question).collect();
    let quiz = folder.file("quiz.gift", quiz);
    let line = |at: usize, question: &str| {
        format!(
            "{{\"item\":\"{quiz}\",\"question\":\"{question}\",\"case\":\"{at}\",\"responses\":{{\"*\":\"true\"}}}}\n"
        )
    };
    // A question is named by its title or its identifier, and takes its lines in their order.
    let mut lines: String = (0..count).map(|at| line(at, &format!("t{}", count - 1 - at))).collect();
    lines.push_str(&line(count, "q1"));
    lines.push_str(&line(count + 1, "t0"));
    let responses = folder.file("responses.jsonl", lines);
    let output = run(&["import", &quiz, "--responses", &responses], "");
    let found = answers(&output);
    assert_eq!((code(&output), found.len()), (0, count + 2), "{}", text(&output.stderr));
    let cases: Vec<&str> = found[..4].iter().map(|line| line["case"].as_str().expect("a case")).collect();
    assert_eq!(cases, ["19999", "20000", "20001", "19998"]);
}

#[test]
fn responses_name_questions_by_file_or_by_identifier() {
    let folder = Folder::new("interchange-names");
    let quiz = folder.file("quiz.gift", QUIZ);
    let lines = format!(
        "{{\"item\":\"{quiz}\",\"question\":\"Sum\",\"case\":\"a\",\"responses\":{{\"*\":2}}}}\n\
         {{\"item\":\"q1\",\"case\":\"b\",\"responses\":{{\"*\":\"1\"}}}}\n\
         {{\"item\":\"q2\",\"case\":\"c\",\"responses\":{{\"*\":2}}}}\n"
    );
    let output = run(&["import", &quiz, "--responses", "-"], &lines);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let case = |line: &serde_json::Value| line["case"].as_str().expect("a case").to_owned();
    let cases: Vec<String> = answers(&output).iter().map(case).collect();
    assert_eq!(cases, ["b", "a", "c"]);
    // A question whose identifier is its file takes each line once.
    let named = folder.path("named.xml");
    let item = format!(
        "<assessmentItem identifier=\"{named}\" title=\"Q\"><responseDeclaration identifier=\"R\" cardinality=\"single\" baseType=\"identifier\">\
         <correctResponse><value>a</value></correctResponse></responseDeclaration>\
         <outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" baseType=\"float\"/><itemBody><choiceInteraction responseIdentifier=\"R\" maxChoices=\"1\">\
         <simpleChoice identifier=\"a\">A</simpleChoice><simpleChoice identifier=\"b\">B</simpleChoice></choiceInteraction></itemBody>\
         <responseProcessing template=\"http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct\"/></assessmentItem>"
    );
    folder.file("named.xml", item);
    let line = format!("{{\"item\":\"{named}\",\"responses\":{{\"R\":\"a\"}}}}\n");
    let output = run(&["import", &named, "--responses", "-"], &line);
    assert_eq!((code(&output), answers(&output).len()), (0, 1), "{}", text(&output.stderr));
}

#[test]
fn an_import_with_responses_cannot_be_continued() {
    let folder = Folder::new("interchange-resume-responses");
    let quiz = folder.file("quiz.gift", QUIZ);
    let line = format!("{{\"item\":\"{quiz}\",\"question\":\"Sum\",\"responses\":{{\"*\":2}}}}\n");
    let (bank, responses) = (folder.path("bank.jsonl"), folder.file("responses.jsonl", line));
    assert_eq!(code(&run(&["import", &quiz, "--bank", &bank, "--responses", &responses], "")), 0);
    let (code, message) =
        error_of(&run(&["import", &quiz, "--bank", &bank, "--resume", "--responses", &responses], ""));
    assert!(code == 2 && message.contains("--responses"), "{code} {message}");
}

#[test]
fn files_of_a_folder_find_each_other() {
    let folder = Folder::new("interchange-folder");
    for name in ["add", "add/js", "items", "items/texts"] {
        std::fs::create_dir_all(folder.path(name)).expect("a folder");
    }
    folder.file("add/info.json", r#"{"title":"Addition","topic":"Sums","type":"v3"}"#);
    folder.file("add/js/x.js", "let x = 1;\n");
    folder.file(
        "add/question.html",
        "<p>1 + 1</p><pl-integer-input answers-name=\"a\" correct-answer=\"2\"></pl-integer-input>\n",
    );
    folder.file("items/texts/t.xml", "<qti-assessment-stimulus identifier=\"t\"><qti-stimulus-body><p>Once upon a time</p></qti-stimulus-body></qti-assessment-stimulus>");
    folder.file(
        "items/q.xml",
        "<qti-assessment-item xmlns=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0\" identifier=\"q\" title=\"Q\"><qti-assessment-stimulus-ref identifier=\"t\" href=\"../items/./texts/t.xml\"/>\
         <qti-response-declaration identifier=\"RESPONSE\" cardinality=\"single\" base-type=\"identifier\"><qti-correct-response><qti-value>a</qti-value></qti-correct-response></qti-response-declaration>\
         <qti-outcome-declaration identifier=\"SCORE\" cardinality=\"single\" base-type=\"float\"/>\
         <qti-item-body><qti-choice-interaction response-identifier=\"RESPONSE\" max-choices=\"1\"><qti-simple-choice identifier=\"a\">A</qti-simple-choice><qti-simple-choice identifier=\"b\">B</qti-simple-choice></qti-choice-interaction></qti-item-body>\
         <qti-response-processing template=\"https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml\"/></qti-assessment-item>",
    );
    let output = run(&["import", &folder.path(""), "--jsonl"], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("Addition") && shown.contains("Once upon a time"), "{shown}");
}

/// Other systems refuse these names.
#[cfg(target_os = "linux")]
#[test]
fn files_whose_names_look_the_same_are_all_read() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new("interchange-latin-1");
    for (name, title) in [(&b"\xdcbung.gift"[..], "First"), (b"\xc4bung.gift", "Second")] {
        let quiz = format!("::{title}::1 + 1 {{#2}}\n");
        std::fs::write(folder.0.join(std::ffi::OsStr::from_bytes(name)), quiz).expect("writes");
    }
    let output = run(&["import", &folder.path(""), "--jsonl"], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let mut titles: Vec<String> =
        answers(&output).iter().map(|line| line["title"].as_str().expect("a title").to_owned()).collect();
    titles.sort();
    assert_eq!(titles, ["First", "Second"]);
}

#[test]
fn files_of_one_name_in_two_folders_are_all_imported_after_an_interruption() {
    let folder = Folder::new("interchange-two-folders");
    let [a, b, bank] = ["A", "B", "bank.jsonl"].map(|name| folder.path(name));
    for (at, place) in [&a, &b].into_iter().enumerate() {
        std::fs::create_dir(place).expect("a folder");
        for name in ["q", "r"] {
            folder.file(
                &format!("{}/{name}.gift", ["A", "B"][at]),
                format!("::{name}{at}::Is it {at}? {{T}}\n"),
            );
        }
    }
    let items = || -> Vec<String> {
        let bank = std::fs::read_to_string(&bank).expect("a bank");
        let id = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            line["item"].as_str().expect("an id").to_owned()
        };
        bank.lines().map(id).collect()
    };
    assert_eq!(code(&run(&["import", &a, "--bank", &bank], "")), 0);
    assert_eq!(items(), ["q1", "q1#2"]);
    for _ in 0..2 {
        let output = run(&["import", &a, &b, "--bank", &bank, "--resume"], "");
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(items(), ["q1", "q1#2", "q1#3", "q1#4"]);
    }
}

#[test]
fn an_import_is_continued_whatever_the_spelling_of_its_folder() {
    let folder = Folder::new("interchange-spelling");
    std::fs::create_dir_all(folder.path("A/sub")).expect("a folder");
    folder.file("A/q.gift", "::q::Is it? {T}\n");
    folder.file("A/sub/r.gift", "::r::Is it? {T}\n");
    let import = |arguments: &[&str]| {
        let arguments: Vec<&str> = [&["import", "--bank", "bank.jsonl"], arguments].concat();
        let output = command(&arguments).current_dir(&folder.0).output().expect("the command ends");
        assert_eq!(code(&output), 0, "{arguments:?}: {}", text(&output.stderr));
        std::fs::read_to_string(folder.path("bank.jsonl")).expect("a bank").lines().count()
    };
    #[cfg_attr(not(unix), allow(unused_mut, reason = "other systems may not allow links"))]
    let mut spellings = vec!["A".to_owned(), "./A/".to_owned(), "A/sub/..".to_owned(), folder.path("A")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("A", folder.path("link")).expect("a link");
        spellings.push("link".to_owned());
    }
    for first in &spellings {
        assert_eq!(import(&[first, "--overwrite"]), 2);
        for again in &spellings {
            assert_eq!(import(&[again, "--resume"]), 2, "{first} {again}");
        }
        // Files that the command line names are compared in the same way.
        for again in &spellings {
            let (q, r) = (format!("{again}/q.gift"), format!("{again}/sub/r.gift"));
            assert_eq!(import(&[&q, &r, "--resume"]), 2, "{first} {again}");
        }
    }
}

#[test]
fn a_file_with_an_exclamation_mark_in_its_name_is_imported_once() {
    let folder = Folder::new("interchange-exclamation");
    let first = folder.file("a!1.gift", "::q1::Sure? {T}\n");
    let second = folder.file("b.gift", "::q2::Sure? {T}\n");
    let bank = folder.path("bank.jsonl");
    assert_eq!(code(&run(&["import", &first, &second, "--bank", &bank], "")), 0);
    let whole = std::fs::read_to_string(&bank).expect("a bank");
    assert_eq!(code(&run(&["import", &first, &second, "--bank", &bank, "--resume"], "")), 0);
    assert_eq!(std::fs::read_to_string(&bank).expect("a bank"), whole);
}

#[test]
fn no_output_replaces_what_is_imported_or_exported() {
    let folder = Folder::new("interchange-same-file");
    let quiz = folder.file("quiz.gift", QUIZ);
    let page = folder.file("quiz.html", QUIZ);
    let bank = folder.path("bank.jsonl");
    assert_eq!(code(&run(&["import", &quiz, "--bank", &bank], "")), 0);
    for arguments in [
        ["import", &quiz, "--bank", &quiz, "--overwrite", "--jsonl"],
        ["import", &page, "--from", "gift", "--report", &page],
        ["export", &bank, "--to", "gift", "--out", &bank],
    ] {
        let arguments: Vec<&str> =
            arguments.into_iter().chain((arguments[0] == "export").then_some("--overwrite")).collect();
        let output = run(&arguments, "");
        assert_eq!(code(&output), 2, "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("would be replaced"), "{}", text(&output.stderr));
    }
    assert_eq!(std::fs::read_to_string(&quiz).expect("a quiz"), QUIZ);
    assert_eq!(std::fs::read_to_string(&page).expect("a quiz"), QUIZ);
}

#[test]
fn no_output_replaces_a_file_of_a_folder_that_is_imported() {
    let folder = Folder::new("interchange-same-folder");
    std::fs::create_dir_all(folder.path("quizzes/reports")).expect("a folder");
    let quiz = folder.file("quizzes/quiz.gift", QUIZ);
    let quizzes = folder.path("quizzes");
    let refused = |arguments: &[&str]| {
        let (code, message) = error_of(&run(arguments, ""));
        assert!(code == 2 && message.contains("whose files are read"), "{arguments:?}: {code} {message}");
    };
    refused(&["import", &quizzes, "--bank", &quiz, "--overwrite"]);
    let page = folder.file("quizzes/page.html", "<pl-question-panel></pl-question-panel>");
    refused(&["import", &quizzes, "--report", &page]);
    let answers = folder.file("quizzes/reports/answers.csv", "name,id\n");
    refused(&["import", &quiz, "--responses", &quizzes, "--attempts", &answers]);
    assert_eq!(std::fs::read_to_string(&quiz).expect("a quiz"), QUIZ);
    // The files of an earlier import are not questions.
    let (bank, report) = (folder.path("quizzes/bank.jsonl"), folder.path("quizzes/report.html"));
    for _ in 0..2 {
        let output = run(&["import", &quizzes, "--bank", &bank, "--overwrite", "--report", &report], "");
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    }
}
