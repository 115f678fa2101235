//! The integration tests of the crate, in one program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod compose;
mod contradictions;
mod documents;
mod hooks;
mod hostile;
mod packages;
mod plans;
mod scores;
mod values;

use fablegrade_judgehost::config::Checked;
use fablegrade_judgehost::{Config, Entry, File, FileLimits, Files, Manner, Package, Plan, PlanOptions};
use fablegrade_public::finding::{Error, Finding};

/// A configuration of two containers, in parts that a test can replace.
struct Draft {
    root: &'static str,
    submission: &'static str,
    tester: &'static str,
    more: &'static str,
    rubrics: &'static str,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            root: r#""problem_id": "two-sum", "problem_name": "Two Sum""#,
            submission: r#""container_id": "submission", "dockerfile_path": "submission/Dockerfile", "accepts_submission": true"#,
            tester: r#""container_id": "tester", "dockerfile_path": "tester/Dockerfile""#,
            more: "",
            rubrics: r#"{"rubric_id": "correctness", "rubric_name": "Correctness", "rubric_type": "test_cases", "max_score": 100, "container": "tester"}"#,
        }
    }
}

impl Draft {
    fn text(&self, submission: &str, tester: &str) -> String {
        let comma = |more: &str| if more.is_empty() { String::new() } else { format!(", {more}") };
        format!(
            r#"{{{}, "containers": [{{{}{}}}, {{{}{}}}], "rubrics": [{}]{}}}"#,
            self.root,
            self.submission,
            comma(submission),
            self.tester,
            comma(tester),
            self.rubrics,
            comma(self.more)
        )
    }

    fn read(&self, manner: Manner) -> Result<Checked, Error> {
        Config::parse(self.text("", "").as_bytes(), manner)
    }

    /// Checks a document with further fields of the container `tester`.
    fn with_tester(tester: &str) -> Result<Checked, Error> {
        Config::parse(Self::default().text("", tester).as_bytes(), Manner::Strict)
    }

    /// Checks a document with further fields of the container `submission`.
    fn with_submission(submission: &str) -> Result<Checked, Error> {
        Config::parse(Self::default().text(submission, "").as_bytes(), Manner::Strict)
    }

    /// Checks a document with further fields.
    fn with_more(more: &'static str) -> Result<Checked, Error> {
        Self { more, ..Self::default() }.read(Manner::Strict)
    }
}

/// Returns the rules and pointers of the findings.
fn found(findings: &[Finding]) -> Vec<(&'static str, &str)> {
    findings.iter().map(|finding| (finding.rule, finding.pointer.as_str())).collect()
}

/// Returns whether one of the findings has this rule and pointer.
fn has(findings: &[Finding], rule: &str, pointer: &str) -> bool {
    found(findings).contains(&(rule, pointer))
}

fn refused(result: Result<Checked, Error>, rule: &str, pointer: &str) {
    let error = result.expect_err(rule);
    assert!(has(error.findings(), rule, pointer), "{rule} at {pointer}: {:?}", found(error.findings()));
    assert!(error.findings().iter().all(|finding| !finding.help.is_empty()), "{error:?}");
}

fn warned(result: Result<Checked, Error>, rule: &str, pointer: &str) {
    let checked = result.expect(rule);
    assert!(has(&checked.findings, rule, pointer), "{rule} at {pointer}: {:?}", found(&checked.findings));
}

/// Makes the files of a package from paths and texts; hooks are executable.
fn files(entries: &[(&str, &str)]) -> Files {
    let entries = entries.iter().map(|(path, text)| {
        (
            path.to_string(),
            Entry::File(File { bytes: text.as_bytes().into(), executable: Some(path.ends_with(".sh")) }),
        )
    });
    Files::from_entries(entries, FileLimits::default()).unwrap()
}

/// Opens a package with this configuration and additional files.
fn package(config: &str, more: &[(&str, &str)]) -> Result<Package, Error> {
    package_in(config, more, Manner::Strict)
}

fn package_in(config: &str, more: &[(&str, &str)], manner: Manner) -> Result<Package, Error> {
    let mut entries = vec![
        ("config.json", config),
        ("submission/Dockerfile", "FROM scratch"),
        ("tester/Dockerfile", "FROM scratch"),
    ];
    entries.extend(more);
    Package::open(files(&entries), manner)
}

fn plan(config: &str, more: &[(&str, &str)]) -> Plan {
    Plan::new(&package(config, more).unwrap(), "sub_1", &PlanOptions::default()).unwrap()
}
