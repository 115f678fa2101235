//! Output formats of `lint`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::io::Write as _;

use fablegrade_core::json::Json;
use fablegrade_core::{Finding, Severity};

use super::sources::{items, locate};
use super::{Checked, Format, acknowledgements};
use crate::console::{Console, GOOD, NAME, counted, plain, write_findings};
use crate::exit::Failure;
use crate::markup::escape;

/// Writes checked files in a format: immediately if the format allows it, and otherwise at the end.
pub(super) struct Report {
    format: Format,
    several: bool,
    /// The number of checked files.
    files: usize,
    /// The number of checked lines of banks.
    lines: usize,
    /// Whether no document of the current file has been added yet.
    begins_file: bool,
    errors: usize,
    warnings: usize,
    /// For SARIF: the results, and the rules that they name.
    results: Vec<Json>,
    rules: BTreeSet<&'static str>,
    /// For JUnit: the test cases as XML, their number, and the number that failed.
    cases: String,
    tests: usize,
    failures: usize,
}

impl Report {
    /// Creates an empty report. With `several`, text output names the files and the lines of banks.
    pub(super) fn new(format: Format, several: bool) -> Self {
        Self {
            format,
            several,
            files: 0,
            lines: 0,
            begins_file: false,
            errors: 0,
            warnings: 0,
            results: Vec::new(),
            rules: BTreeSet::new(),
            cases: String::new(),
            tests: 0,
            failures: 0,
        }
    }

    /// Begins a file, which is counted when its first document is added.
    pub(super) fn begin_file(&mut self) {
        self.begins_file = true;
    }

    pub(super) fn add(&mut self, console: &mut Console, checked: Checked) -> Result<(), Failure> {
        self.files += usize::from(std::mem::take(&mut self.begins_file));
        self.lines += usize::from(checked.is_line());
        match self.format {
            Format::Human => self.write_human(console, &checked)?,
            Format::Json => writeln!(console.out, "{}", json(&checked))?,
            Format::Github => write_github(console, &checked)?,
            Format::Sarif => {
                self.rules.extend(checked.findings.iter().map(|finding| finding.rule));
                self.results
                    .extend(placed(&checked).map(|(finding, place)| sarif_result(&checked, finding, place)));
            }
            Format::Junit => {
                self.tests += 1;
                self.failures += usize::from(checked.count(Severity::Error) > 0);
                add_test_case(&mut self.cases, &checked);
            }
        }
        Ok(())
    }

    pub(super) fn finish(self, console: &mut Console) -> Result<(), Failure> {
        match self.format {
            Format::Human => self.write_total(console)?,
            Format::Json | Format::Github => {}
            Format::Sarif => writeln!(console.out, "{}", sarif(self.results, &self.rules))?,
            Format::Junit => {
                let (tests, failures) = (self.tests, self.failures);
                writeln!(console.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>")?;
                writeln!(
                    console.out,
                    "<testsuite name=\"fablegrade lint\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
                )?;
                writeln!(console.out, "{}</testsuite>\n</testsuites>", self.cases)?;
            }
        }
        Ok(())
    }
}

/// Writes counts such as `2 errors, 1 warning`, or `ok` if there are none.
fn write_counts(console: &mut Console, errors: usize, warnings: usize) -> std::io::Result<()> {
    if errors + warnings == 0 {
        return writeln!(console.out, "{GOOD}ok{GOOD:#}");
    }
    let counts = [(errors, "error"), (warnings, "warning")].into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, word)| counted(count as u64, word)).collect();
    writeln!(console.out, "{}", counts.join(", "))
}

impl Report {
    /// Writes the findings of a document as a table, below its name if several documents are checked.
    fn write_human(&mut self, console: &mut Console, checked: &Checked) -> Result<(), Failure> {
        let (errors, warnings) = (checked.count(Severity::Error), checked.count(Severity::Warning));
        self.errors += errors;
        self.warnings += warnings;
        if self.several && (!checked.findings.is_empty() || console.is_verbose()) {
            writeln!(console.out, "{NAME}{}{NAME:#}", plain(&checked.name))?;
        }
        write_by_item(console, checked)?;
        if !(self.several || console.is_quiet() && errors == 0) {
            write_counts(console, errors, warnings)?;
        } else if self.several && (!checked.findings.is_empty() || console.is_verbose()) {
            if checked.findings.is_empty() {
                writeln!(console.out, "{GOOD}ok{GOOD:#}")?;
            }
            writeln!(console.out)?;
        }
        Ok(())
    }

    fn write_total(&self, console: &mut Console) -> Result<(), Failure> {
        if self.files == 0 {
            console.note("no questions found");
        } else if self.several && !(console.is_quiet() && self.errors == 0) {
            write!(console.out, "{}", counted(self.files as u64, "file"))?;
            if self.lines > 0 {
                write!(console.out, ", {}", counted(self.lines as u64, "line"))?;
            }
            write!(console.out, ": ")?;
            write_counts(console, self.errors, self.warnings)?;
        }
        Ok(())
    }
}

/// Writes the findings, below the names of their items if the document has items.
fn write_by_item(console: &mut Console, checked: &Checked) -> std::io::Result<()> {
    let items = if checked.findings.is_empty() { Vec::new() } else { items(&checked.text) };
    let mut by_item: BTreeMap<&str, Vec<Finding>> = BTreeMap::new();
    let mut of_all = Vec::new();
    let single = items.first().filter(|(pointer, _)| pointer.is_empty()).map(|(pointer, _)| pointer.as_str());
    let pointers: HashSet<&str> = items.iter().map(|(pointer, _)| pointer.as_str()).collect();
    for finding in &checked.findings {
        // The first token of a pointer names the item. The item of a line `{item, spec}` has the empty pointer.
        let token = finding.pointer.get(1..).and_then(|rest| rest.find('/'));
        let around = token.map_or(finding.pointer.as_str(), |end| &finding.pointer[..=end]);
        match single.or_else(|| pointers.get(around).copied()) {
            Some(pointer) => by_item.entry(pointer).or_default().push(finding.clone()),
            None => of_all.push(finding.clone()),
        }
    }
    write_findings(&mut console.out, &of_all)?;
    for (pointer, name) in &items {
        let Some(findings) = by_item.get(pointer.as_str()) else { continue };
        writeln!(console.out, "{NAME}item {}{NAME:#}", plain(name))?;
        write_findings(&mut console.out, findings)?;
    }
    Ok(())
}

fn json(checked: &Checked) -> Json {
    Json::build()
        .with("file", checked.name.as_str())
        .with("errors", checked.count(Severity::Error) as i64)
        .with("warnings", checked.count(Severity::Warning) as i64)
        .with("findings", Finding::list_to_json(&checked.findings))
        .with_some(
            "accepted",
            checked.accepted.as_ref().map(|list| Json::array(list.iter().map(acknowledgements::to_json))),
        )
        .build()
}

/// Returns each finding with the line and column, in the file, of the value that it is about.
fn placed(checked: &Checked) -> impl Iterator<Item = (&Finding, (u64, usize))> {
    let places = locate(&checked.text, checked.findings.iter().map(|finding| finding.pointer.as_str()));
    let places = places.into_iter().map(|(line, column)| (checked.first_line + line as u64 - 1, column));
    checked.findings.iter().zip(places)
}

/// Returns a path as a relative URI reference: with `/` as separator, and all bytes percent-encoded except letters,
/// digits and `-._~`.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte))
            }
            b'\\' if std::path::MAIN_SEPARATOR == '\\' => uri.push('/'),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

/// Writes workflow commands: `::error file=..,line=..,col=..,title=..::message`.
fn write_github(console: &mut Console, checked: &Checked) -> Result<(), Failure> {
    // Workflow commands have escapes for line breaks, but not for other control characters.
    let escaped = |line: &str| plain(line).replace('%', "%25");
    let lines = |text: &str| text.split('\n').map(escaped).collect::<Vec<_>>().join("%0A");
    let text = |text: &str| text.split('\r').map(lines).collect::<Vec<_>>().join("%0D");
    let property = |value: &str| text(value).replace(':', "%3A").replace(',', "%2C");
    for (finding, (line, column)) in placed(checked) {
        let word = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        writeln!(
            console.out,
            "::{word} file={},line={line},col={column},title={}::{}: {}; {}",
            property(&checked.file),
            property(finding.rule),
            text(&finding.pointer),
            text(&finding.message),
            text(&finding.help),
        )?;
    }
    Ok(())
}

/// Returns a finding as a result of the Static Analysis Results Interchange Format, version 2.1.0.
fn sarif_result(checked: &Checked, finding: &Finding, (line, column): (u64, usize)) -> Json {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let region = Json::build().with("startLine", line as i64).with("startColumn", column as i64);
    let artifact = Json::build().with("uri", uri(&checked.file));
    let physical = Json::build().with("artifactLocation", artifact.build()).with("region", region.build());
    let logical = Json::build().with("fullyQualifiedName", finding.pointer.as_str()).with("kind", "member");
    let location = Json::build()
        .with("physicalLocation", physical.build())
        .with("logicalLocations", Json::array([logical.build()]));
    let message = Json::build().with("text", format!("{}; {}", finding.message, finding.help));
    Json::build()
        .with("ruleId", finding.rule)
        .with("level", level)
        .with("message", message.build())
        .with("locations", Json::array([location.build()]))
        .build()
}

/// Returns a log of results, and of the rules that they name.
fn sarif(results: Vec<Json>, rules: &BTreeSet<&str>) -> Json {
    let driver = Json::build()
        .with("name", "fablegrade lint")
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("informationUri", env!("CARGO_PKG_REPOSITORY"))
        .with("rules", Json::array(rules.iter().map(|rule| Json::build().with("id", *rule).build())));
    let run = Json::build()
        .with("tool", Json::build().with("driver", driver.build()).build())
        .with("columnKind", "unicodeCodePoints")
        .with("results", Json::array(results));
    Json::build()
        .with("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .with("version", "2.1.0")
        .with("runs", Json::array([run.build()]))
        .build()
}

/// Adds the JUnit test case of a file, or of a line of a bank, which fails if it has errors.
fn add_test_case(xml: &mut String, checked: &Checked) {
    let _ = write!(xml, "<testcase classname=\"lint\" name=\"{}\">", escape(&checked.name));
    let mut listed = String::new();
    for finding in &checked.findings {
        let severity = finding.severity.as_str();
        let _ = writeln!(
            listed,
            "{severity} {} {}: {}; {}",
            finding.rule, finding.pointer, finding.message, finding.help
        );
    }
    if let Some(first) = checked.findings.iter().find(|finding| finding.severity == Severity::Error) {
        let (rule, message) = (escape(first.rule), escape(&first.message));
        let _ = write!(xml, "<failure type=\"{rule}\" message=\"{message}\">{}</failure>", escape(&listed));
    } else if !listed.is_empty() {
        let _ = write!(xml, "<system-out>{}</system-out>", escape(&listed));
    }
    xml.push_str("</testcase>\n");
}
