//! Tests of `batch --keep` and `analyse`.

use serde_json::Value;

use crate::{Folder, code, run, text};

fn bank() -> String {
    let choices = r#"{"type":"multiple_choice","choices":[{"id":"a","content":"A","correct":true},{"id":"b","content":"B","correct":false},{"id":"c","content":"C","correct":false}]}"#;
    let number =
        r#"{"type":"numeric","answer":{"value":3.1416,"tolerance":{"mode":"absolute","amount":0.001}}}"#;
    let formula =
        r#"{"type":"expression","canonical":"x^2+2x+1","equivalence":"literal","variables":[{"name":"x"}]}"#;
    let mut bank = String::new();
    for item in ["m1", "m2", "m<&3"] {
        bank.push_str(&format!("{{\"item\":\"{item}\",\"spec\":{choices}}}\n"));
    }
    bank + &format!("{{\"item\":\"pi\",\"spec\":{number}}}\n{{\"item\":\"square\",\"spec\":{formula}}}\n")
}

/// Returns the attempts of forty good learners and forty others. The good learners round π to 3.14, and
/// factor the square.
fn attempts() -> String {
    let mut lines = String::new();
    for sitting in 0..80_usize {
        let good = sitting >= 40;
        let choice = |at: usize| if good || (sitting + at).is_multiple_of(5) { "a" } else { "b" };
        let mut line = |item: &str, submission: String| {
            lines.push_str(&format!(
                "{{\"id\":\"{sitting} {item}\",\"item\":\"{item}\",\"sitting\":\"Ada-{sitting}\",\"submission\":{submission}}}\n"
            ));
        };
        for (at, item) in ["m1", "m2", "m<&3"].into_iter().enumerate() {
            line(item, format!(r#"{{"type":"multiple_choice","selectedChoiceIds":["{}"]}}"#, choice(at)));
        }
        let number = if good { "3.14" } else { "3.1416" };
        line("pi", format!(r#"{{"type":"numeric","value":{number}}}"#));
        let formula = if good { "(x+1)^2" } else { ["x^2+1", "1+x^2"][sitting % 2] };
        line("square", format!(r#"{{"type":"expression","latex":"{formula}"}}"#));
    }
    lines
}

#[test]
fn results_and_attempts_give_the_same_report_on_any_number_of_threads() {
    let folder = Folder::new("analyse-same");
    let (bank, attempts) = (folder.file("bank.jsonl", bank()), folder.file("attempts.jsonl", attempts()));
    let graded = run(&["batch", "--bank", &bank, "--keep", &attempts], "");
    assert_eq!(code(&graded), 0, "{}", text(&graded.stderr));
    let results = folder.file("results.jsonl", text(&graded.stdout));
    let reports: Vec<_> = [(&attempts, "1"), (&attempts, "3"), (&results, "1"), (&results, "2")]
        .into_iter()
        .map(|(lines, jobs)| {
            let output = run(&["analyse", lines, "--bank", &bank, "--json", "--jobs", jobs], "");
            assert_eq!(code(&output), 0, "{}", text(&output.stderr));
            text(&output.stdout).to_owned()
        })
        .collect();
    assert!(reports.windows(2).all(|pair| pair[0] == pair[1]));
    let report: Value = serde_json::from_str(&reports[0]).unwrap();
    assert_eq!(report["test"]["sittings"], 80);
    assert!(!reports[0].contains("Ada"), "a report has no names");
    let rules: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    for rule in ["equivalent-answer-refused", "tolerance-splits", "distractor-unused"] {
        assert!(rules.contains(&rule), "{rule}: {rules:?}");
    }
    let csv = run(&["analyse", &results, "--bank", &bank, "--csv"], "");
    assert_eq!(text(&csv.stdout).lines().count(), 6);
}

#[test]
fn proposed_fixes_are_a_bank_for_a_regrade() {
    let folder = Folder::new("analyse-fixes");
    let (bank, attempts) = (folder.file("bank.jsonl", bank()), folder.file("attempts.jsonl", attempts()));
    let fixes = folder.path("fixed.jsonl");
    let page = folder.path("report.html");
    let output = run(&["analyse", &attempts, "--bank", &bank, "--fixes", &fixes, "--html", &page], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let summary = folder.path("summary.json");
    let output = run(&["regrade", "--old", &bank, "--new", &fixes, &attempts, "--report", &summary], "");
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    let summary: Value = serde_json::from_slice(&std::fs::read(summary).unwrap()).unwrap();
    assert_eq!((&summary["items"]["pi"]["gained"], &summary["items"]["pi"]["lost"]), (&40.into(), &0.into()));
    assert_eq!(summary["items"]["square"]["gained"], 40);
    assert_eq!(summary["refused"], 0);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("m&lt;&amp;3") && !page.contains("m<&3"), "texts are escaped");
    // The XML namespace of SVG is not an address that a browser loads.
    let addresses = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!page.contains("Ada") && !addresses.contains("://"), "no names, and nothing from the network");
}

#[test]
fn a_bank_of_fixes_has_every_item_as_it_was() {
    let folder = Folder::new("analyse-fixes-whole");
    let lines: Vec<String> = bank().lines().map(str::to_owned).collect();
    let invalid = r#"{"title": "No spec yet", "item": "draft", "spec": {"type": "numeric"}}"#;
    // The author's fields are before and after the spec, and there are spaces.
    let titled = lines[3].replace(r#"{"item":"pi","#, r#"{ "title": "π, \"spec\"", "item": "pi" , "#);
    let titled = format!("{}, \"points\": 2.50}}", titled.strip_suffix('}').unwrap());
    let text_of_bank = [invalid, &lines[4], &titled, &lines[0], &lines[1], &lines[2]].join("\n");
    let (bank, attempts) =
        (folder.file("bank.jsonl", text_of_bank), folder.file("attempts.jsonl", attempts()));
    let fixes = folder.path("fixed.jsonl");
    let output = run(&["analyse", &attempts, "--bank", &bank, "--fixes", &fixes], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("1 item with an invalid spec"), "{}", text(&output.stderr));
    let written = std::fs::read_to_string(&fixes).unwrap();
    let written: Vec<&str> = written.lines().collect();
    assert_eq!(written.len(), 6);
    assert_eq!(written[0], invalid);
    assert_eq!(written[3..], [&lines[0][..], &lines[1], &lines[2]]);
    let (before, after) = titled.split_once(r#"{"type""#).unwrap();
    assert!(written[2].starts_with(before) && written[2].ends_with(", \"points\": 2.50}"), "{}", written[2]);
    assert!(written[2] != titled && after.contains("0.001") && !written[2].contains("\"amount\":0.001}"));

    // A bank in a folder is written as lines.
    let questions = folder.path("questions");
    std::fs::create_dir(&questions).unwrap();
    for line in &lines {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = format!("{questions}/{}.json", line["item"].as_str().unwrap());
        std::fs::write(name, serde_json::to_string_pretty(&line["spec"]).unwrap().replace('\n', "\r\n"))
            .unwrap();
    }
    let output = run(&["analyse", &attempts, "--bank", &questions, "--fixes", &fixes], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let output = run(&["regrade", "--old", &questions, "--new", &fixes, &attempts], "");
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
}

#[test]
fn names_of_sittings_are_on_the_page_only_when_they_are_asked_for() {
    let folder = Folder::new("analyse-sittings");
    let bank = folder.file("bank.jsonl", bank());
    let lines = attempts().replace("\"Ada-7\"", "\"<b>Ada \\u00e9</b>\"").replace("\"Ada-8\"", "8");
    let attempts = folder.file("attempts.jsonl", lines);
    let page = folder.path("report.html");
    let of = |more: &[&str]| {
        let command = ["analyse", &attempts, "--bank", &bank, "--json", "--html", &page];
        let output = run(&[&command[..], more].concat(), "");
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert!(!text(&output.stdout).contains("Ada"), "names are on the page alone");
        std::fs::read_to_string(&page).unwrap()
    };
    assert!(!of(&[]).contains("Ada"));
    let pages = ["1", "3"].map(|jobs| of(&["--sittings", "--jobs", jobs]));
    assert_eq!(pages[0], pages[1]);
    assert_eq!(pages[0].matches("<th scope=\"row\">Ada-").count(), 78);
    assert!(pages[0].contains("<th scope=\"row\">&lt;b&gt;Ada é&lt;/b&gt;</th>"), "decoded, then escaped");
    // The name of sitting 8 is a number. The sitting has five answers.
    assert!(pages[0].contains("<th scope=\"row\">8</th><td class=\"n\" data-value=\"5\">5</td>"));
    // `--sittings` needs `--html`.
    assert_eq!(code(&run(&["analyse", &attempts, "--bank", &bank, "--sittings"], "")), 2);
}

#[test]
fn lines_without_results_stop_the_analysis() {
    let folder = Folder::new("analyse-errors");
    let bank = folder.file("bank.jsonl", bank());
    let line = |sitting: &str| format!("{{\"item\":\"m1\",\"sitting\":\"{sitting}\",\"result\":null}}\n");
    let results = folder.file("results.jsonl", line("a") + &line("b") + &line("a"));
    let page = folder.path("report.html");
    let output = run(&["analyse", &results, "--bank", &bank, "--html", &page], "");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("results.jsonl:3"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("sitting-split") && output.stdout.is_empty());
    assert!(!std::path::Path::new(&page).exists(), "nothing is written");
}
