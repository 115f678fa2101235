//! The literals in an item's declarations and rules: the texts and numbers at which a score can change.

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::Ratio;

use super::model::{Model, ResponseVariable};
use super::numbers;
use super::scoring::walk;
use super::value::{Atom, BaseType, Value, floor, number};

/// The literals in an item's response processing, and in the defaults of its template and outcome variables.
pub(super) struct Literals {
    texts: Vec<String>,
    numbers: BTreeSet<Ratio>,
    tolerances: BTreeSet<Ratio>,
    /// The tolerances that are percentages.
    pub(super) percents: BTreeSet<Ratio>,
    places: BTreeSet<i64>,
    /// The numbers at which comparisons change, by response.
    solved: BTreeMap<String, BTreeSet<Ratio>>,
}

/// The maximum number of texts, and of numbers in rules, that are used.
const MAX_LITERALS: usize = 60;

impl Literals {
    pub(super) fn of(model: &Model) -> Self {
        let mut literals = Self {
            texts: Vec::new(),
            numbers: BTreeSet::new(),
            tolerances: BTreeSet::new(),
            percents: BTreeSet::new(),
            places: BTreeSet::new(),
            solved: BTreeMap::new(),
        };
        walk(model.rules.as_deref().unwrap_or(&[]), &mut |expression| {
            if expression.name == "baseValue" {
                let base = BaseType::from_name(expression.attribute("baseType").unwrap_or("string"));
                if base.is_number() {
                    literals.numbers.extend(number(&expression.text));
                } else if base == BaseType::Text {
                    literals.text(&expression.text);
                } else if base == BaseType::Identifier {
                    literals.text(expression.text.trim());
                }
            }
            if let Some(text) = expression.attribute("tolerance") {
                let amounts = text.split_ascii_whitespace().filter_map(number);
                if expression.attribute("toleranceMode") == Some("relative") {
                    literals.percents.extend(amounts.clone());
                }
                literals.tolerances.extend(amounts);
            }
            if let Some(places) = expression.attribute("figures").and_then(number) {
                literals.places.extend(floor(&places));
            }
            if matches!(expression.name.as_str(), "round" | "truncate") {
                literals.places.insert(0);
            }
        });
        for variable in model.templates.iter().chain(&model.outcomes) {
            for atom in variable.default.items() {
                match atom {
                    Atom::Number(ratio) => {
                        literals.numbers.insert(ratio);
                    }
                    Atom::Text(text) if variable.base == BaseType::Text => literals.text(&text),
                    _ => {}
                }
            }
        }
        literals
    }

    /// Adds numbers at which a comparison of a response changes.
    pub(super) fn solved(&mut self, response: &str, numbers: Vec<Ratio>) {
        let known = self.solved.entry(response.to_owned()).or_default();
        let room = (MAX_LITERALS * 2).saturating_sub(known.len());
        known.extend(numbers.into_iter().take(room));
    }

    fn text(&mut self, text: &str) {
        if self.texts.len() < MAX_LITERALS
            && !self.texts.iter().any(|known| known == text)
            && !text.is_empty()
        {
            self.texts.push(text.to_owned());
        }
    }

    pub(super) fn texts_for(&self, variable: &ResponseVariable, correct: &Value) -> Vec<String> {
        let mut own = Self {
            texts: Vec::new(),
            numbers: BTreeSet::new(),
            tolerances: BTreeSet::new(),
            percents: BTreeSet::new(),
            places: BTreeSet::new(),
            solved: BTreeMap::new(),
        };
        let keys =
            variable.mapping.iter().flat_map(|mapping| mapping.entries.iter().map(|(key, ..)| key.clone()));
        for atom in correct.items().into_iter().chain(keys) {
            if let Atom::Text(text) = atom {
                own.text(&text);
            }
        }
        self.texts.iter().for_each(|text| own.text(text));
        own.texts
    }

    pub(super) fn breaks_for(&self, variable: &ResponseVariable, correct: &Value) -> BTreeSet<Ratio> {
        let mut own: BTreeSet<Ratio> = BTreeSet::new();
        let keys =
            variable.mapping.iter().flat_map(|mapping| mapping.entries.iter().map(|(key, ..)| key.clone()));
        for atom in correct.items().into_iter().chain(keys) {
            if let Atom::Number(ratio) = atom {
                own.insert(ratio);
            }
        }
        own.extend(self.numbers.iter().take(MAX_LITERALS).cloned());
        let mut breaks = numbers::breaks(&own, &self.tolerances, &self.places);
        breaks.extend(self.solved.get(&variable.id).into_iter().flatten().cloned());
        breaks
    }
}
