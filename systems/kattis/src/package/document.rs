//! YAML documents of a package, read key by key. Findings contain the file and line.

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Finding, Findings, Severity};
use fablegrade_yaml::Yaml;

/// Findings about the files of a package.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) findings: Findings,
}

impl Report {
    /// Adds an error about a whole file or folder.
    pub(crate) fn error(&mut self, rule: &'static str, path: &str, message: &str, help: &str) {
        self.findings.push(Finding::error(rule, "", format!("{}: {message}", place(path)), help));
    }

    /// Adds a warning about a whole file or folder.
    pub(crate) fn warning(&mut self, rule: &'static str, path: &str, message: &str, help: &str) {
        self.findings.push(Finding::warning(rule, "", format!("{}: {message}", place(path)), help));
    }

    /// Adds a remark about a whole file or folder.
    pub(crate) fn info(&mut self, rule: &'static str, path: &str, message: &str, help: &str) {
        self.findings.push(Finding::info(rule, "", format!("{}: {message}", place(path)), help));
    }
}

/// Returns whether the format itself makes the value a date, so it does not matter that versions of YAML read one
/// differently.
fn is_date(path: &str, pointer: &str) -> bool {
    path == "problem.yaml" && pointer == "/embargo_until"
}

fn place(path: &str) -> &str {
    if path.is_empty() { "package" } else { path }
}

/// A YAML document.
pub(crate) struct Document {
    path: String,
    yaml: Yaml,
    root: Json,
}

impl Document {
    /// Reads a document; `None` if it is invalid, which is reported.
    pub(crate) fn parse(path: &str, bytes: &[u8], report: &mut Report) -> Option<Self> {
        match Yaml::parse(bytes) {
            Ok(yaml) => {
                for warning in yaml.warnings().iter().filter(|warning| !is_date(path, &warning.pointer)) {
                    let message = format!("{path}:{}: {}", yaml.line(&warning.pointer), warning.message);
                    let pointer = warning.pointer.clone();
                    report.findings.push(Finding::warning(
                        warning.rule,
                        pointer,
                        message,
                        warning.help.clone(),
                    ));
                }
                let root = yaml.to_json();
                Some(Self { path: path.to_owned(), yaml, root })
            }
            Err(error) => {
                for finding in error.findings() {
                    let message = format!("{path}: {}", finding.message);
                    report.findings.push(Finding::error(finding.rule, "", message, finding.help.clone()));
                }
                None
            }
        }
    }

    /// Returns the keys of the document; an empty document has none.
    pub(crate) fn keys(&self, report: &mut Report) -> Option<Keys<'_>> {
        self.entry(String::new(), &self.root).keys(report)
    }

    fn entry<'d>(&'d self, pointer: String, value: &'d Json) -> Entry<'d> {
        Entry { document: self, pointer, value }
    }
}

/// A value with its location.
#[derive(Clone)]
pub(crate) struct Entry<'d> {
    document: &'d Document,
    pointer: String,
    pub(crate) value: &'d Json,
}

impl<'d> Entry<'d> {
    /// Returns the file and line, for messages.
    pub(crate) fn label(&self) -> String {
        format!("{}:{}", self.document.path, self.document.yaml.line(&self.pointer))
    }

    /// Adds a finding about this value.
    pub(crate) fn report(
        &self,
        severity: Severity,
        rule: &'static str,
        message: &str,
        help: &str,
        report: &mut Report,
    ) {
        let line = self.document.yaml.line(&self.pointer);
        let message = format!("{}:{line}: {message}", self.document.path);
        let mut finding = Finding::error(rule, self.pointer.clone(), message, help);
        finding.severity = severity;
        report.findings.push(finding);
    }

    /// Adds an error about this value.
    pub(crate) fn error(&self, rule: &'static str, message: &str, help: &str, report: &mut Report) {
        self.report(Severity::Error, rule, message, help, report);
    }

    fn wrong_type(&self, expected: &str, report: &mut Report) {
        let key = self.pointer.rsplit('/').next().unwrap_or_default();
        let message = if key.is_empty() {
            format!("expected {expected}")
        } else {
            format!("`{key}`: expected {expected}")
        };
        self.error("wrong-type", &message, "write the value in the form that the format requires", report);
    }

    /// Returns the fields of a map; null is an empty map.
    pub(crate) fn keys(&self, report: &mut Report) -> Option<Keys<'d>> {
        let fields = match self.value {
            Json::Null => &[],
            Json::Object(fields) => fields.as_slice(),
            _ => {
                self.wrong_type("a map", report);
                return None;
            }
        };
        Some(Keys { document: self.document, pointer: self.pointer.clone(), fields, known: Vec::new() })
    }

    /// Reads text. Numbers and booleans are accepted as text too, since authors forget quotes.
    pub(crate) fn text(&self, report: &mut Report) -> Option<String> {
        if let Some(text) = self.scalar() {
            return Some(text);
        }
        self.wrong_type("text", report);
        None
    }

    /// Returns a scalar as text, numbers as they are written; `None` for null, lists and maps.
    pub(crate) fn scalar(&self) -> Option<String> {
        match self.value {
            Json::String(text) => Some(text.to_string()),
            Json::Number(number) => Some(
                self.document.yaml.written(&self.pointer).map_or_else(|| number.to_string(), str::to_owned),
            ),
            Json::Bool(value) => Some(value.to_string()),
            _ => None,
        }
    }

    /// Reads words separated by spaces.
    pub(crate) fn words(&self, report: &mut Report) -> Option<Vec<String>> {
        if *self.value == Json::Null {
            return Some(Vec::new());
        }
        Some(self.text(report)?.split_whitespace().map(str::to_owned).collect())
    }

    pub(crate) fn boolean(&self, report: &mut Report) -> Option<bool> {
        if let Json::Bool(value) = self.value {
            return Some(*value);
        }
        // Words that YAML 1.1 reads as booleans.
        match self.value.as_str().map(str::to_ascii_lowercase).as_deref() {
            Some("yes" | "on") => Some(true),
            Some("no" | "off") => Some(false),
            _ => {
                self.wrong_type("`true` or `false`", report);
                None
            }
        }
    }

    /// Reads a number, or text that contains a number.
    pub(crate) fn number(&self, report: &mut Report) -> Option<Decimal> {
        let number = match self.value {
            Json::Number(number) => Some(number.clone()),
            Json::String(text) => Decimal::from_text(text.trim()).ok(),
            _ => None,
        };
        if number.is_none() {
            self.wrong_type("a number", report);
        }
        number
    }

    /// Reads a number greater than 0.
    pub(crate) fn positive(&self, report: &mut Report) -> Option<Decimal> {
        let number = self.number(report)?;
        if number.is_negative() || number.is_zero() {
            self.error("out-of-range", "expected a number greater than 0", "write one", report);
            return None;
        }
        Some(number)
    }

    /// Reads a whole number from `least` to 2^40. A fraction is reported as an error and rounded up.
    pub(crate) fn whole(&self, least: i64, report: &mut Report) -> Option<u64> {
        let number = self.number(report)?;
        if !number.is_integer() {
            self.error("fractional-limit", "expected a whole number", "round it", report);
        }
        match number.ceil().to_i64().filter(|number| (least..=1 << 40).contains(number)) {
            Some(number) => Some(number.unsigned_abs()),
            None => {
                self.error(
                    "out-of-range",
                    &format!("expected a whole number of at least {least}"),
                    "write one",
                    report,
                );
                None
            }
        }
    }

    /// Reads a list of texts; null is an empty list.
    pub(crate) fn texts(&self, report: &mut Report) -> Option<Vec<String>> {
        match self.value {
            Json::Null => Some(Vec::new()),
            Json::Array(_) => Some(self.elements().iter().filter_map(|entry| entry.text(report)).collect()),
            _ => {
                self.wrong_type("a list of texts", report);
                None
            }
        }
    }

    /// Reads text, or a list of texts.
    pub(crate) fn text_or_texts(&self, report: &mut Report) -> Option<Vec<String>> {
        match self.scalar() {
            Some(text) => Some(vec![text]),
            None => self.texts(report),
        }
    }

    /// Returns the elements of a list; other values have none.
    pub(crate) fn elements(&self) -> Vec<Entry<'d>> {
        let items = self.value.as_array().unwrap_or_default();
        let entry = |(at, value)| self.document.entry(format!("{}/{at}", self.pointer), value);
        items.iter().enumerate().map(entry).collect()
    }
}

/// The fields of a map. [`Keys::close`] reports those that were not taken.
pub(crate) struct Keys<'d> {
    document: &'d Document,
    pointer: String,
    fields: &'d [(Box<str>, Json)],
    known: Vec<&'static str>,
}

impl<'d> Keys<'d> {
    /// Returns a field; `None` if it is absent or null.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<Entry<'d>> {
        self.known.push(name);
        let (_, value) = self.fields.iter().find(|(key, value)| **key == *name && *value != Json::Null)?;
        Some(self.entry(name, value))
    }

    /// Returns all fields, whatever their names.
    pub(crate) fn all(&self) -> Vec<(&'d str, Entry<'d>)> {
        self.fields.iter().map(|(key, value)| (&**key, self.entry(key, value))).collect()
    }

    /// Returns an entry for the map itself, for findings about it.
    pub(crate) fn here(&self) -> Entry<'d> {
        self.document.entry(self.pointer.clone(), &Json::Null)
    }

    fn entry(&self, name: &str, value: &'d Json) -> Entry<'d> {
        self.document.entry(format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1")), value)
    }

    /// Reports the fields that were not taken. `elsewhere` contains help texts for keys that belong elsewhere.
    pub(crate) fn close(self, elsewhere: &[(&str, &str)], report: &mut Report) {
        for (key, value) in self.fields {
            if self.known.contains(&&**key) {
                continue;
            }
            let name: String = key.chars().take(60).collect();
            let help = match elsewhere.iter().find(|(known, _)| *known == &**key) {
                Some((_, help)) => (*help).to_owned(),
                None => format!("remove it; known keys: {}", self.known.join(", ")),
            };
            self.entry(key, value).error("unknown-key", &format!("unknown key `{name}`"), &help, report);
        }
    }
}
