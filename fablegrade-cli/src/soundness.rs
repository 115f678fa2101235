//! What the `check` of a system says of each document: whether it has its form, whether it is sound, and every finding.

use std::io::{self, Write as _};

use fablegrade_core::json::Json;
use fablegrade_core::{Error, Finding, has_errors};

use crate::console::{BAD, Console, GOOD, MIXED, NAME, plain, write_findings};
use crate::exit::Exit;

/// One document after the other, and the exit code for all of them.
pub(crate) struct Soundness<'c> {
    console: &'c mut Console,
    /// What JSON calls a document's name; text where `None`.
    json: Option<&'static str>,
    exit: Exit,
}

impl<'c> Soundness<'c> {
    /// Nothing checked yet; `kind` is the name of a document's name in JSON.
    pub(crate) fn new(console: &'c mut Console, kind: &'static str, json: bool) -> Self {
        Self { console, json: json.then_some(kind), exit: Exit::Done }
    }

    /// A document that has its form or not, with its findings; an error among them makes it unsound.
    pub(crate) fn say(&mut self, name: &str, (valid, findings): (bool, Vec<Finding>)) -> io::Result<()> {
        let sound = valid && !has_errors(&findings);
        if !sound {
            self.exit = Exit::Refused;
        }
        if let Some(kind) = self.json {
            let answer = Json::build().with(kind, name).with("valid", valid);
            return writeln!(
                self.console.out,
                "{}",
                answer.with("findings", Finding::list_to_json(&findings)).build()
            );
        }
        let (style, word) = match (valid, sound) {
            (true, true) => (GOOD, "sound"),
            (true, false) => (MIXED, "unsound"),
            (false, _) => (BAD, "refused"),
        };
        writeln!(self.console.out, "{style}{word:7}{style:#}  {NAME}{}{NAME:#}", plain(name))?;
        write_findings(&mut self.console.out, &findings)
    }

    /// The exit code: not zero when a document was not sound.
    pub(crate) fn exit(self) -> Exit {
        self.exit
    }
}

/// What is to be said of a document that could not be read.
pub(crate) fn unreadable(error: &Error) -> (bool, Vec<Finding>) {
    (false, error.findings().to_vec())
}
