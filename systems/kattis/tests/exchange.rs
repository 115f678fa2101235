//! The conversion of code questions to packages and back.
#![allow(clippy::unwrap_used)]

use fablegrade_files::{Entry, File, FileLimits, Files};
use fablegrade_kattis::Package;
use fablegrade_kattis::exchange::{Label, export, import};
use fablegrade_public::Severity;
use fablegrade_public::json::Json;

const QUESTION: &str = r#"{"type":"code","languages":["python","cpp"],
  "limits":{"timeMsPerCase":1500,"memoryMb":64,"outputKb":1024,"sourceKb":64},
  "testSuites":[
    {"name":"hidden","visibility":"hidden","cases":[
      {"input":"1 2\n","expected":"3\n","matcher":"tokens","points":2},
      {"input":"a\n","expected":" a \n","matcher":"exact","points":1},
      {"input":"0.1\n","expected":"0.2\n","matcher":"float_tolerance","floatTolerance":1e-6,"points":3}]},
    {"name":"shown","visibility":"public","cases":[{"input":"4 4\n","expected":"8\n","matcher":"trimmed_lines","points":1}]}]}"#;

fn label() -> Label {
    Label {
        name: "Sum: of \"two\"".into(),
        uuid: "2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f009".into(),
        statement: Some("Add.\n".into()),
        solutions: vec![("sum.py".into(), "print(1)\n".into())],
    }
}

fn package(files: &[(String, String)]) -> Package {
    let entries = files.iter().map(|(path, text)| {
        (path.clone(), Entry::File(File { bytes: text.clone().into_bytes(), executable: None }))
    });
    Package::read(Files::from_entries(entries, FileLimits::default()).unwrap(), "sum").unwrap()
}

#[test]
fn a_question_survives_the_way_there_and_back() {
    let exported = export(&Json::parse(QUESTION.as_bytes()).unwrap(), &label()).unwrap();
    let rules: Vec<&str> = exported.losses.iter().map(|loss| loss.rule).collect();
    assert_eq!(rules, ["names", "matcher", "samples-score", "no-input-validator"]);
    let package = package(&exported.files);
    let errors: Vec<_> = package.findings.iter().filter(|one| one.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(package.problem.names["en"], "Sum: of \"two\"");
    assert_eq!(package.max_score().unwrap().to_string(), "6");

    let (spec, _) = import(&package, None).unwrap();
    assert_eq!(spec.pointer("/limits/timeMsPerCase").unwrap().to_canonical(), "1500");
    assert_eq!(spec.get("languages").unwrap().to_canonical(), r#"["python","cpp"]"#);
    let cases = spec.pointer("/testSuites/1/cases").unwrap().as_array().unwrap();
    let told: Vec<String> = cases
        .iter()
        .map(|case| {
            ["expected", "matcher", "points"].map(|key| case.get(key).unwrap().to_canonical()).join(" ")
        })
        .collect();
    assert_eq!(told, [r#""3\n" "tokens" 2"#, r#"" a \n" "exact" 1"#, r#""0.2\n" "float_tolerance" 3"#]);
}

#[test]
fn solutions_with_names_that_are_ignored_are_refused() {
    let question = Json::parse(QUESTION.as_bytes()).unwrap();
    for (name, good) in [("my solution.py", false), ("-.py", false), ("sum-1.py", true)] {
        let label = Label { solutions: vec![(name.into(), "print(1)\n".into())], ..label() };
        let exported = export(&question, &label);
        assert_eq!(exported.is_ok(), good, "{name}");
    }
}

#[test]
fn what_fits_no_package_is_refused() {
    for (from, to, pointer) in [
        (r#""type":"code""#, r#""type":"essay""#, "/type"),
        (r#""visibility":"hidden""#, r#""visibility":"public""#, "/testSuites"),
        (r#""type":"code""#, r#""type":"code","harness":{"mode":"function"}"#, "/harness/mode"),
    ] {
        let question = Json::parse(QUESTION.replace(from, to).as_bytes()).unwrap();
        assert_eq!(export(&question, &label()).unwrap_err().pointer(), pointer);
    }
    let mut twice = label();
    twice.solutions.push(("sum.py".into(), "print(2)\n".into()));
    let error = export(&Json::parse(QUESTION.as_bytes()).unwrap(), &twice).unwrap_err();
    assert!(error.findings()[0].message.contains("`sum.py`"), "{error}");
}

#[test]
fn limits_and_languages_of_a_package_are_those_of_its_question() {
    let exported = export(&Json::parse(QUESTION.as_bytes()).unwrap(), &label()).unwrap();
    let with = |key: &str, value: &str| {
        let mut files = exported.files.clone();
        let (_, yaml) = files.iter_mut().find(|(path, _)| path == "problem.yaml").unwrap();
        let lines = yaml.lines().map(|line| match line.split_once(key) {
            Some((before, _)) => format!("{before}{key}{value}\n"),
            None => format!("{line}\n"),
        });
        *yaml = lines.collect();
        import(&package(&files), None)
    };
    let milliseconds = |text: &str| {
        let (question, _) = with("time_limit: ", text).unwrap();
        question.pointer("/limits/timeMsPerCase").and_then(Json::as_number).unwrap().to_string()
    };
    assert_eq!([milliseconds("16.1"), milliseconds("0.3001")], ["16100", "301"]);
    assert!(with("languages: ", "[kotlin, cpp]").is_ok());
    let error = with("languages: ", "[kotlin]").unwrap_err();
    assert_eq!(error.findings().len(), 1);
}

#[test]
fn what_fits_no_question_is_refused_with_every_reason() {
    let exported = export(&Json::parse(QUESTION.as_bytes()).unwrap(), &label()).unwrap();
    let mut files = exported.files;
    files.push(("output_validator/v.py".into(), "x\n".into()));
    files.push(("include/python3/x.py".into(), "x\n".into()));
    files.push(("data/secret/001/1.files/x.txt".into(), "x\n".into()));
    let error = import(&package(&files), None).unwrap_err();
    assert_eq!(error.findings().len(), 3);
}

#[test]
fn points_that_depend_on_other_groups_and_texts_of_cases_are_losses() {
    let head = "problem_format_version: 2025-09\nname: X\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\ntype: scoring\n";
    let losses = |files: &[(&str, &str)]| -> Vec<&'static str> {
        let base = [
            ("problem.yaml", head),
            ("data/secret/g1/1.in", "1\n"),
            ("data/secret/g1/1.ans", "1\n"),
            ("data/secret/g2/1.in", "2\n"),
            ("data/secret/g2/1.ans", "2\n"),
        ];
        let all = base.iter().chain(files).map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let (_, losses) = import(&package(&all.collect::<Vec<_>>()), Some(1000)).unwrap();
        losses
            .iter()
            .map(|loss| loss.rule)
            .filter(|rule| ["group-scores", "case-texts"].contains(rule))
            .collect()
    };
    let (first, second) = ("data/secret/g1/test_group.yaml", "data/secret/g2/test_group.yaml");
    let secret = "data/secret/test_group.yaml";
    let fifty = [(first, "max_score: 50\n"), (second, "max_score: 50\n")];
    assert_eq!(losses(&fifty), [""; 0]);
    let hundred =
        [(first, "max_score: 100\n"), (second, "max_score: 100\n"), (secret, "score_aggregation: min\n")];
    assert_eq!(losses(&hundred), ["group-scores"]);
    let required = [(first, "max_score: 40\n"), (second, "max_score: 60\nrequire_pass: secret/g1\n")];
    assert_eq!(losses(&required), ["group-scores"]);
    let hint = [fifty[0], fifty[1], ("data/secret/g1/1.yaml", "hint: look\n")];
    assert_eq!(losses(&hint), ["case-texts"]);
}
