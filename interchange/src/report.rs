//! Counts of the questions that were read, and of their losses.

use std::collections::BTreeMap;

use fablegrade_public::json::Json;

use crate::compile::Question;
use crate::format::Format;
use crate::loss::{Effect, Exactness};

/// The counts for a format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// The number of questions of each exactness, in the order of [`Exactness::ALL`].
    pub questions: [u64; 4],
    /// The number of items without a question: texts between questions, and tests that list items.
    pub texts: u64,
}

/// The numbers of questions by format and exactness, and of losses by effect and rule.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    formats: BTreeMap<Format, Counts>,
    /// The number of files and questions that cannot be read.
    pub unreadable: u64,
    /// The number of losses by effect and rule.
    losses: BTreeMap<(Effect, &'static str), u64>,
}

impl Summary {
    /// Counts a question.
    pub fn add(&mut self, question: &Question) {
        let counts = self.formats.entry(question.format).or_default();
        if question.item.is_text() {
            counts.texts += 1;
        } else {
            counts.questions[question.exactness as usize] += 1;
        }
        for loss in &question.losses {
            *self.losses.entry((loss.effect, loss.rule)).or_default() += 1;
        }
    }

    /// Returns the total number of questions.
    pub fn questions(&self) -> u64 {
        self.formats.values().flat_map(|counts| counts.questions).sum()
    }

    /// Returns the total number of items without a question.
    pub fn texts(&self) -> u64 {
        self.formats.values().map(|counts| counts.texts).sum()
    }

    /// Returns the number of losses that change scores.
    pub fn changed_scores(&self) -> u64 {
        self.losses
            .iter()
            .filter(|((effect, _), _)| *effect == Effect::ChangesScore)
            .map(|(_, count)| count)
            .sum()
    }

    /// Returns the formats that were found, with their counts.
    pub fn rows(&self) -> impl Iterator<Item = (Format, Counts)> {
        self.formats.iter().map(|(format, counts)| (*format, *counts))
    }

    /// Returns `{questions, texts, unreadable, formats: {NAME: {exact, ..., texts}}, losses: [{rule, severity,
    /// count}]}`.
    pub fn to_json(&self) -> Json {
        let formats = self.rows().map(|(format, counts)| {
            let each = Exactness::ALL.iter().zip(counts.questions);
            let each = each.map(|(exactness, count)| (Box::from(exactness.as_str()), Json::from(count)));
            let texts = [(Box::from("texts"), Json::from(counts.texts))];
            (Box::from(format.as_str()), Json::object(each.chain(texts).collect()))
        });
        let losses = self.losses.iter().rev().map(|((effect, rule), count)| {
            Json::build().with("rule", *rule).with("severity", effect.as_str()).with("count", *count).build()
        });
        Json::build()
            .with("questions", self.questions())
            .with("texts", self.texts())
            .with("unreadable", self.unreadable)
            .with("formats", Json::object(formats.collect()))
            .with("losses", Json::array(losses))
            .build()
    }
}
