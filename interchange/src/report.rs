//! Counts and reports of what was read.

use std::collections::BTreeMap;

use fablegrade_public::json::Json;

use crate::compile::Question;
use crate::format::Format;
use crate::loss::{Effect, Exactness};

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
