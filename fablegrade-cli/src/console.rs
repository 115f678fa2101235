//! Console output: coloured on terminals, plain text elsewhere. `--color` and `NO_COLOR` are respected.

use std::io::{self, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use fablegrade_core::{Error, Finding, Severity};

use crate::exit::Failure;

/// The style of success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// The style of warnings and partial success.
pub(crate) const MIXED: Style = AnsiColor::Yellow.on_default().bold();
/// The style of errors.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// The style of names.
pub(crate) const NAME: Style = Style::new().bold();
/// The style of secondary text.
pub(crate) const QUIET: Style = Style::new().dimmed();

/// The amount of output in addition to the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Results and errors; no progress and no notes.
    Quiet,
    /// Errors, notes, and progress on a terminal.
    Normal,
    /// Details as well.
    Verbose,
}

/// Standard output and standard error.
pub(crate) struct Console {
    verbosity: Verbosity,
    /// Standard output, for results.
    pub(crate) out: AutoStream<io::Stdout>,
    /// Standard error, for errors and notes.
    pub(crate) err: StandardError,
}

/// Standard error. Failed writes are ignored: if nobody reads it, results and exit codes are the same.
pub(crate) struct StandardError(AutoStream<io::Stderr>);

impl Write for StandardError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let _ = self.0.write_all(bytes);
        Ok(())
    }

    fn write_fmt(&mut self, text: std::fmt::Arguments<'_>) -> io::Result<()> {
        let _ = self.0.write_fmt(text);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}

impl Console {
    /// Returns the console of this process.
    pub(crate) fn new(verbosity: Verbosity) -> Self {
        Self { verbosity, out: anstream::stdout(), err: StandardError(anstream::stderr()) }
    }

    /// Returns whether progress and notes are suppressed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.verbosity == Verbosity::Quiet
    }

    /// Returns whether details are printed.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbosity == Verbosity::Verbose
    }

    /// Writes a note to standard error, unless notes are suppressed.
    pub(crate) fn note(&mut self, text: &str) {
        if !self.is_quiet() {
            let _ = writeln!(self.err, "{}", plain(text));
        }
    }

    /// Writes a detail to standard error, if details are printed.
    pub(crate) fn detail(&mut self, text: &str) {
        if self.is_verbose() {
            let _ = writeln!(self.err, "{QUIET}{}{QUIET:#}", plain(text));
        }
    }

    /// Writes why a command failed. Write errors are ignored.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        let err = &mut self.err;
        let _ = match failure {
            Failure::Invalid(documents) => {
                documents.iter().try_for_each(|(name, error)| write_refusal(err, name, error))
            }
            Failure::Usage(message) => {
                let message = plain_lines(message);
                writeln!(err, "{BAD}error{BAD:#}: {message}\n\nFor more information, try '--help'.")
            }
            Failure::Io(what, cause) => {
                writeln!(err, "{BAD}error{BAD:#}: {}: {}", plain(what), plain_lines(&cause.to_string()))
            }
            Failure::Closed => Ok(()),
        };
    }
}

/// Returns whether standard output is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Returns whether standard error is coloured, by `--color`, the environment and the terminal.
pub(crate) fn stderr_is_coloured() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Returns the colour of a severity.
pub(crate) const fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::Error => BAD,
        Severity::Warning => MIXED,
        Severity::Info => QUIET,
    }
}

/// Writes the findings of an invalid document under its name.
fn write_refusal(out: &mut impl Write, name: &str, error: &Error) -> io::Result<()> {
    writeln!(out, "{BAD}invalid{BAD:#}  {NAME}{}{NAME:#}", plain(name))?;
    write_findings(out, error.findings())?;
    if error.dropped() > 0 {
        writeln!(out, "... and {} more", error.dropped())?;
    }
    Ok(())
}

/// Writes findings as a table: severity, rule, pointer, message and help.
pub(crate) fn write_findings(out: &mut (impl Write + ?Sized), findings: &[Finding]) -> io::Result<()> {
    let width = |length: fn(&Finding) -> usize| findings.iter().map(length).max().unwrap_or(0);
    let rule = width(|finding| finding.rule.len()).min(24);
    let place = width(|finding| place_of(finding).chars().count()).clamp(1, 32);
    for finding in findings {
        let style = severity_style(finding.severity);
        writeln!(
            out,
            "{style}{:7}{style:#}  {:rule$}  {NAME}{:place$}{NAME:#}  {}; {}",
            finding.severity.as_str(),
            finding.rule,
            place_of(finding),
            plain(&finding.message),
            plain(&finding.help),
        )?;
    }
    Ok(())
}

/// Returns the pointer of a finding, or the words for the whole document, whose pointer is empty.
fn place_of(finding: &Finding) -> std::borrow::Cow<'_, str> {
    if finding.pointer.is_empty() { "(the document)".into() } else { plain(&finding.pointer) }
}

/// Escapes the control characters in a document's text, so it cannot control the terminal.
///
/// They include escape characters, line feeds and bidirectional overrides.
pub(crate) fn plain(text: &str) -> std::borrow::Cow<'_, str> {
    let harmless =
        |c: char| !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if text.chars().all(harmless) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if harmless(c) { shown.push(c) } else { shown.extend(c.escape_default()) }
    }
    shown.into()
}

/// Works like [`plain`] for each line of a text.
fn plain_lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// Returns a number and its noun: `1 item`, `2 items`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Returns the number of losses that change scores, as a sentence.
#[cfg(feature = "interchange")]
pub(crate) fn losses_that_change_scores(number: u64) -> String {
    if number == 1 { "1 loss changes scores".to_owned() } else { format!("{number} losses change scores") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_cannot_steer_the_terminal() {
        assert_eq!(plain("\u{1b}[2Jx\u{202e}y"), "\\u{1b}[2Jx\\u{202e}y");
        assert_eq!(plain("plain é text"), "plain é text");
    }
}
