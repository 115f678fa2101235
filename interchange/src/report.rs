//! Counts and reports of what was read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fablegrade_public::json::Json;

use crate::compile::Question;
use crate::format::Format;
use crate::loss::{Effect, Exactness, ReadError};
use crate::text::escaped;

/// How many questions of each format are how exact.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    formats: BTreeMap<Format, [u64; 4]>,
    /// Files and questions that cannot be read.
    pub unreadable: u64,
    /// Losses by rule and effect.
    losses: BTreeMap<(Effect, &'static str), u64>,
}

impl Summary {
    /// Counts a question.
    pub fn add(&mut self, question: &Question) {
        let counts = self.formats.entry(question.format).or_default();
        counts[question.exactness as usize] += 1;
        for loss in &question.losses {
            *self.losses.entry((loss.effect, loss.rule)).or_default() += 1;
        }
    }

    /// Questions in all.
    pub fn questions(&self) -> u64 {
        self.formats.values().flatten().sum()
    }

    /// Losses that change scores.
    pub fn changed_scores(&self) -> u64 {
        self.losses
            .iter()
            .filter(|((effect, _), _)| *effect == Effect::ChangesScore)
            .map(|(_, count)| count)
            .sum()
    }

    /// Rows of `format`, `questions` and a column for each exactness.
    pub fn rows(&self) -> impl Iterator<Item = (Format, [u64; 4])> {
        self.formats.iter().map(|(format, counts)| (*format, *counts))
    }

    /// `{questions, unreadable, formats: {NAME: {exact, ...}}, losses: [{rule, severity, count}]}`.
    pub fn to_json(&self) -> Json {
        let formats = self.rows().map(|(format, counts)| {
            let counts = Exactness::ALL.iter().zip(counts);
            let counts = counts.map(|(exactness, count)| (Box::from(exactness.as_str()), Json::from(count)));
            (Box::from(format.as_str()), Json::object(counts.collect()))
        });
        let losses = self.losses.iter().rev().map(|((effect, rule), count)| {
            Json::build().with("rule", *rule).with("severity", effect.as_str()).with("count", *count).build()
        });
        Json::build()
            .with("questions", self.questions())
            .with("unreadable", self.unreadable)
            .with("formats", Json::object(formats.collect()))
            .with("losses", Json::array(losses))
            .build()
    }
}

/// The start of a report for people, before its questions.
pub const HTML_HEAD: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Imported questions</title>\n\
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.2em .6em;\
border-top:1px solid #ccc}code{font-size:90%}.changes-score{color:#a00}.metadata{color:#666}h2{font-size:1em;margin:1.6em 0 .3em}\
</style>\n<h1>Imported questions</h1>\n";

/// A question in a report for people; nothing for one that lost nothing.
pub fn question_html(question: &Question) -> String {
    let mut out = String::new();
    if question.losses.is_empty() {
        return out;
    }
    let title = if question.item.title.is_empty() { &question.item.id } else { &question.item.title };
    let _ = write!(
        out,
        "<h2>{} <code>{}</code>: {}</h2>\n<table>\n",
        escaped(title),
        escaped(&question.file),
        question.exactness
    );
    for loss in &question.losses {
        let _ = writeln!(
            out,
            "<tr class=\"{}\"><td>{}</td><td><code>{}</code></td><td>{}; {}</td></tr>",
            loss.effect.as_str(),
            loss.effect.as_str(),
            escaped(&loss.place.to_string()),
            escaped(&loss.message),
            escaped(&loss.suggestion)
        );
    }
    out.push_str("</table>\n");
    out
}

/// Something unreadable in a report for people.
pub fn error_html(error: &ReadError) -> String {
    format!("<h2 class=\"changes-score\">{}</h2>\n", escaped(&error.to_string()))
}

/// The counts at the end of a report for people.
pub fn summary_html(summary: &Summary) -> String {
    let mut out = String::from("<h2>Summary</h2>\n<table>\n<tr><th>format</th>");
    for exactness in Exactness::ALL {
        let _ = write!(out, "<th>{exactness}</th>");
    }
    out.push_str("</tr>\n");
    for (format, counts) in summary.rows() {
        let _ = write!(out, "<tr><td>{format}</td>");
        for count in counts {
            let _ = write!(out, "<td>{count}</td>");
        }
        out.push_str("</tr>\n");
    }
    let _ = write!(out, "</table>\n<p>{} unreadable</p>\n</html>\n", summary.unreadable);
    out
}
