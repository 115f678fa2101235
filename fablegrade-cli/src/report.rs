//! Reports of the `check` commands: whether each document is valid, and every finding.

use std::io::{self, Write as _};

use fablegrade_core::json::Json;
use fablegrade_core::{Error, Finding, has_errors};

use crate::console::{BAD, Console, GOOD, NAME, plain, write_findings};
use crate::exit::Exit;

/// Writes documents one by one and keeps the exit code for all of them.
pub(crate) struct Report<'c> {
    console: &'c mut Console,
    /// The field that holds a document's name in JSON; `None` for text.
    json: Option<&'static str>,
    exit: Exit,
}

impl<'c> Report<'c> {
    /// An empty report; with `json`, the field `kind` holds the name of each document.
    pub(crate) fn new(console: &'c mut Console, kind: &'static str, json: bool) -> Self {
        Self { console, json: json.then_some(kind), exit: Exit::Done }
    }

    /// Writes whether a document conforms to its schema, and its findings; an error among them makes it invalid too.
    pub(crate) fn add(&mut self, name: &str, (conforms, findings): (bool, Vec<Finding>)) -> io::Result<()> {
        let valid = conforms && !has_errors(&findings);
        if !valid {
            self.exit = Exit::Refused;
        }
        if let Some(kind) = self.json {
            let answer = Json::build().with(kind, name).with("valid", conforms);
            return writeln!(
                self.console.out,
                "{}",
                answer.with("findings", Finding::list_to_json(&findings)).build()
            );
        }
        let (style, word) = if valid { (GOOD, "valid") } else { (BAD, "invalid") };
        writeln!(self.console.out, "{style}{word:7}{style:#}  {NAME}{}{NAME:#}", plain(name))?;
        write_findings(&mut self.console.out, &findings)
    }

    /// The exit code: not zero when a document is invalid.
    pub(crate) fn exit(self) -> Exit {
        self.exit
    }
}

/// The report of a document that cannot be parsed.
pub(crate) fn unreadable(error: &Error) -> (bool, Vec<Finding>) {
    (false, error.findings().to_vec())
}
