//! Fuzzing of the integrations' documents: accepted documents are used, and refusals give a reason.

use fablegrade_core::Decimal;
use fablegrade_flowmcp::check::check;
use fablegrade_flowmcp::entry::Entry as GradingEntry;
use fablegrade_flowmcp::envelope::Evaluation;
use fablegrade_flowmcp::line;
use fablegrade_flowmcp::lock::LockSnapshot;
use fablegrade_formspec::{Answers, DeterminationRecord, Screener, check_record, expire};
use fablegrade_judgehost::{
    Config, Entry, File, FileLimits, Files, Manner, Outcome, Package, Plan, PlanOptions, Ranking, compose,
    evaluate,
};
use fablegrade_terry::cases::{Parser, Worth, output_text};
use fablegrade_terry::contest::{Contest, PublicMetadata};
use fablegrade_terry::result::{CheckerResult, Expected};
use fablegrade_terry::task::Task;
use fablegrade_terry::yaml::Yaml;

/// Fuzzes terry. The first byte selects a YAML document, the output of a checker, or an output file.
pub fn terry(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    match choice % 3 {
        0 => yaml(text),
        1 => checker(text),
        _ => cases(text),
    }
}

fn yaml(text: &[u8]) {
    match Yaml::parse(text) {
        Err(error) => assert!(!error.findings().is_empty()),
        Ok(yaml) => {
            assert!(Yaml::parse(text).is_ok_and(|again| again.to_json() == yaml.to_json()));
            assert!(yaml.line("/a/0/~1b") >= 1);
        }
    }
    for findings in [
        Task::from_yaml(text).map(|(task, findings)| {
            assert!(task.max_score > Decimal::zero());
            findings
        }),
        Contest::from_yaml(text).map(|(contest, findings)| {
            assert!(contest.end(0, 0, Some(0)) <= contest.end(1, 1, None));
            findings
        }),
        PublicMetadata::from_yaml(text).map(|(_, findings)| findings),
    ] {
        match findings {
            Ok(findings) => assert!(findings.iter().all(|finding| !finding.message.is_empty())),
            Err(error) => assert!(!error.findings().is_empty()),
        }
    }
}

fn checker(text: &[u8]) {
    let Some(most) = Decimal::from_f64(100.0) else { return };
    let expected = Expected::of(&most).cases(3);
    match CheckerResult::read(text, &expected) {
        Err(error) => assert!(!error.findings().is_empty()),
        Ok((result, _)) => {
            let printed = result.document().to_canonical();
            let again = CheckerResult::read(printed.as_bytes(), &expected);
            assert!(again.is_ok_and(|(again, _)| again.score() == result.score()));
            assert!(*result.score() >= Decimal::zero() && result.points(&most) <= most);
            // Before the confirmation, only the validation of the file is shown.
            let before = result.before_confirming();
            assert_eq!(Some(&before), result.document().get("validation"));
            assert_eq!(result.after_confirming(&most).get("validation"), Some(&before));
        }
    }
}

/// Reads an output file of three cases as a checker would, and the checker's result as the host would.
fn cases(bytes: &[u8]) {
    let text = output_text(bytes);
    let Ok(parser) = Parser::new(3, &text) else { return };
    let report = parser.run(|number, stream| {
        let value = stream.int()?;
        let _ = stream.float();
        let word = stream.str()?;
        stream.end()?;
        Ok(Worth::from(value == number as i128).saying(word))
    });
    assert!((0.0..=1.0).contains(&report.score()));
    let printed = report.to_json().to_canonical();
    let read = CheckerResult::read(printed.as_bytes(), &Expected::default().cases(3));
    assert!(read.is_ok(), "{printed}: {read:?}");
}

/// Fuzzes judgehost. The first byte selects a configuration, with the files that it names, or an archive.
pub fn judgehost(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let mut limits = FileLimits::default();
    (limits.archive_bytes, limits.bytes, limits.entries, limits.depth) = (1 << 16, 1 << 20, 200, 16);
    if choice % 2 == 1 {
        match Package::from_archive(text, limits, Manner::Lenient) {
            Ok(package) => planned(&package),
            Err(error) => assert!(!error.findings().is_empty()),
        }
        return;
    }
    let strict = Config::parse(text, Manner::Strict);
    match Config::parse(text, Manner::Lenient) {
        Err(error) => {
            assert!(!error.findings().is_empty());
            assert!(strict.is_err(), "a document valid in strict mode is refused in lenient mode");
        }
        Ok(checked) => {
            let file = |bytes: &[u8]| Entry::File(File { bytes: bytes.to_vec(), executable: None });
            let mut entries = vec![("config.json".to_owned(), file(text))];
            for container in &checked.config.containers {
                entries.push((container.dockerfile_path.clone(), file(b"FROM scratch\n")));
            }
            if let Ok(files) = Files::from_entries(entries, limits)
                && let Ok(package) = Package::open(files, Manner::Lenient)
            {
                planned(&package);
            }
        }
    }
}

fn planned(package: &Package) {
    if let Ok(plan) = Plan::new(package, "submission", &PlanOptions::default()) {
        assert_eq!(plan.to_json().to_canonical(), plan.to_json().to_canonical());
        assert!(!compose::project(&plan, &[]).is_empty());
    }
    // Without a run there are no points.
    let evaluation = evaluate(&package.config, "submission", &Outcome::new());
    assert!(evaluation.share(Ranking::Auto).is_none_or(|share| share.to_f64() == 0.0));
    let _ = evaluation.to_json();
}

/// Fuzzes FlowMCP. The first byte selects a grading entry, an evaluation, a lock, or a line of JSON Lines.
pub fn flowmcp(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let modes: [line::Mode; 6] =
        [line::check, line::aggregate, line::build, line::age, line::rollup, line::verify];
    match choice % 9 {
        0 => match (check(text), GradingEntry::from_json(text)) {
            (Ok(checked), entry) => {
                assert_eq!(checked.is_valid(), entry.is_ok());
                if let Ok(entry) = entry {
                    let printed = entry.to_json().to_canonical();
                    let again = GradingEntry::from_json(printed.as_bytes()).map(|entry| entry.to_json());
                    assert_eq!(again, Ok(entry.to_json()));
                }
            }
            (Err(error), _) => assert!(!error.findings().is_empty()),
        },
        1 => {
            if let Err(error) = Evaluation::from_json(text) {
                assert!(!error.findings().is_empty());
            }
        }
        2 => {
            if let Err(error) = LockSnapshot::from_json(text) {
                assert!(!error.findings().is_empty());
            }
        }
        other => {
            let mode = modes[usize::from(other - 3)];
            let answer = line::answer(mode, text);
            assert_eq!(answer, line::answer(mode, text));
            assert!(answer.get("id").is_some());
        }
    }
}

/// Fuzzes Formspec. The first byte selects a determination record, a screener, or answers.
pub fn formspec(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    match choice % 3 {
        0 => match DeterminationRecord::parse(text) {
            Err(error) => assert!(!error.findings().is_empty()),
            Ok(record) => {
                let printed = record.to_json().to_canonical();
                let again = DeterminationRecord::parse(printed.as_bytes()).map(|record| record.to_json());
                assert_eq!(again, Ok(record.to_json()));
                let _ = check_record(&record);
                let _ = expire(&record, "2026-01-02T03:04:05Z");
            }
        },
        1 => {
            if let Err(error) = Screener::parse(text) {
                assert!(!error.findings().is_empty());
            }
        }
        _ => {
            if let Err(error) = Answers::parse(text) {
                assert!(!error.findings().is_empty());
            }
        }
    }
}
