//! Progress bars on a terminal, for a batch, an import and other runs, and the summary at the end of a batch.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console::{BAD, GOOD, MIXED, QUIET, stderr_is_coloured};
use crate::lines::Tally;

/// Creates a progress bar on standard error, which is drawn on a terminal only. `length` is the number of steps.
///
/// The template is coloured only if standard error is.
pub(crate) fn bar(length: Option<u64>, template: &str, is_quiet: bool) -> ProgressBar {
    let target = if is_quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let bar = ProgressBar::with_draw_target(length, target);
    let template = if stderr_is_coloured() { template.to_owned() } else { without_colours(template) };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("━╸━"));
    }
    bar
}

/// Removes the colours of a template: `{bar:24.green}` becomes `{bar:24}`.
fn without_colours(template: &str) -> String {
    let mut plain = String::with_capacity(template.len());
    let (mut in_key, mut in_style) = (false, false);
    for c in template.chars() {
        match c {
            '{' => in_key = true,
            '}' => (in_key, in_style) = (false, false),
            '.' if in_key => in_style = true,
            _ => {}
        }
        if !in_style {
            plain.push(c);
        }
    }
    plain.replace(":}", "}")
}

/// A progress bar on standard error. Clones draw the same bar.
#[derive(Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    told: Instant,
    /// The length of the input in bytes, if it is known.
    length: Option<u64>,
    /// The numbers of lines and bytes that were answered before this run.
    before: (u64, u64),
}

const BETWEEN_DRAWINGS: Duration = Duration::from_millis(100);

impl Progress {
    /// Creates a bar for an input of `length` bytes, of which `lines` lines (`bytes` bytes) are already
    /// answered.
    ///
    /// `act` names the activity, such as `grading`.
    pub(crate) fn new(act: &str, length: Option<u64>, lines: u64, bytes: u64) -> Self {
        let shape = if length.is_some() { "{bar:24.green/black.bright}" } else { "{spinner:.green}" };
        let bar = bar(length, &format!("  {act}  {shape}  {{wide_msg}}"), false);
        let now = Instant::now();
        Self { bar, started: now, told: now, length, before: (lines, bytes) }
    }

    /// Updates the bar, at most ten times per second.
    pub(crate) fn tell(&mut self, tally: &Tally, end: u64) {
        if self.told.elapsed() < BETWEEN_DRAWINGS {
            return;
        }
        self.told = Instant::now();
        self.bar.set_position(end);
        self.bar.set_message(self.message(tally, end));
    }

    /// Calls `write`, which writes to the terminal, while the bar is hidden.
    #[cfg(feature = "interchange")]
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    fn message(&self, tally: &Tally, end: u64) -> String {
        let elapsed = self.started.elapsed();
        let lines = self.before.0 + tally.lines;
        let mut message = thousands(lines);
        if let Some(length) = self.length.filter(|_| end > 0) {
            // An estimate from the mean length of a line so far, because lines are not counted in advance.
            let all = (u128::from(lines) * u128::from(length) / u128::from(end)) as u64;
            let _ = write!(message, " / ~{}", thousands(all));
        }
        let rate = tally.lines as f64 / elapsed.as_secs_f64().max(1e-3);
        let _ = write!(message, "  ·  {}/s", magnitude(rate));
        if tally.refused > 0 {
            let _ = write!(message, "  ·  {} invalid", thousands(tally.refused));
        }
        let _ = write!(message, "  ·  {}", clock(elapsed));
        if let Some(length) = self.length {
            let done = end.saturating_sub(self.before.1);
            let left = length.saturating_sub(end);
            if done > 0 && elapsed.as_secs() >= 2 {
                let left = elapsed.mul_f64(left as f64 / done as f64);
                let _ = write!(message, ", {} left", clock(left));
            }
        }
        message
    }

    /// Removes the bar, and returns the elapsed time.
    pub(crate) fn finish(self) -> Duration {
        self.bar.finish_and_clear();
        self.started.elapsed()
    }
}

/// Writes the counts in one line.
pub(crate) fn write_summary(
    out: &mut impl Write,
    tally: &Tally,
    before: u64,
    elapsed: Option<Duration>,
) -> io::Result<()> {
    write!(out, "{} {}", thousands(tally.lines), if tally.lines == 1 { "line" } else { "lines" })?;
    if before > 0 {
        write!(out, " after {} of an earlier run", thousands(before))?;
    }
    let styles = [GOOD, MIXED, BAD, QUIET, BAD];
    for ((word, style), count) in
        ["correct", "partial", "incorrect", "pending", "error"].iter().zip(styles).zip(tally.verdicts)
    {
        if count > 0 {
            write!(out, "  ·  {} {style}{word}{style:#}", thousands(count))?;
        }
    }
    if tally.refused > 0 {
        write!(out, "  ·  {} {BAD}invalid{BAD:#}", thousands(tally.refused))?;
    }
    if let Some(elapsed) = elapsed {
        write!(out, "  ·  {:.1} s", elapsed.as_secs_f64())?;
    }
    writeln!(out)
}

/// Formats a number as `1,234,567`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number as `1.1 M`, `34 k` or `120`.
fn magnitude(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e4 => format!("{:.0} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// Formats a duration as `0:01:05`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_lose_their_colours() {
        let template = "  a.b  {bar:24.green/black.bright}  {spinner:.green} {wide_msg} {elapsed:.dim}";
        assert_eq!(without_colours(template), "  a.b  {bar:24}  {spinner} {wide_msg} {elapsed}");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(612_480), "612,480");
        assert_eq!(thousands(1_000_000), "1,000,000");
        assert_eq!(magnitude(1_140_000.0), "1.1 M");
        assert_eq!(magnitude(34_400.0), "34 k");
        assert_eq!(clock(Duration::from_secs(3_725)), "1:02:05");
    }
}
