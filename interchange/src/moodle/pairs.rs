//! Conversion of questions whose answers are pairs, places or orders.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fablegrade_public::Ratio;

use super::gaps::{gap_numbers, number_gaps};
use super::item::Build;
use super::question::{GapChoice, OrderGrading, Text, TextFormat};
use crate::item::{
    Choice, ChoiceOption, ChoiceRule, Choosable, Combine, Interaction, Match, MatchRule, Order, OrderCredit,
    Part, options_fit,
};
use crate::loss::Loss;

/// The maximum sizes of a matching question; a larger question becomes several choices.
const MAX_LEFT: usize = 10;
const MAX_RIGHT: usize = 14;

/// The choices of the gaps of one group, with the total size of their contents in bytes.
#[derive(Default)]
struct Group<'c> {
    choices: Vec<&'c Choosable>,
    bytes: usize,
}

fn choosable(id: String, content: String) -> Choosable {
    Choosable { id, content }
}

impl Build {
    /// Returns whether there are few enough possible pairs of these items; otherwise reports a loss.
    fn pairs_fit(&mut self, left: usize, right: &[Choosable]) -> bool {
        let contents: usize = right.iter().map(|one| one.content.len()).sum();
        let fits = options_fit(left.saturating_mul(right.len()), left.saturating_mul(contents));
        if !fits {
            self.too_many_pairs();
        }
        fits
    }

    fn too_many_pairs(&mut self) {
        self.score_loss("too-many-options", "there are too many possible pairs", "divide the question");
    }

    pub(super) fn matching(&mut self, pairs: &[(Text, Text)]) {
        let mut left = Vec::new();
        let mut right: Vec<Choosable> = Vec::new();
        let mut known: HashMap<String, String> = HashMap::new();
        let mut made = Vec::new();
        for (stem, answer) in pairs {
            // Answers are plain texts, and equal answers are the same item.
            let answer = self.content(&Text::new(answer.text.trim(), TextFormat::Plain));
            if answer.is_empty() {
                continue;
            }
            let id = known.entry(answer).or_insert_with_key(|answer| {
                let id = format!("r{}", right.len() + 1);
                right.push(choosable(id.clone(), answer.clone()));
                id
            });
            if !stem.is_empty() {
                let stem_id = format!("l{}", left.len() + 1);
                let content = self.content(stem);
                left.push(choosable(stem_id.clone(), content));
                made.push((stem_id, id.clone(), Ratio::one()));
            }
        }
        self.pairs(left, right, made, true);
    }

    /// Adds a matching part, or a choice per left item if there are too few or too many items.
    fn pairs(
        &mut self,
        left: Vec<Choosable>,
        right: Vec<Choosable>,
        pairs: Vec<(String, String, Ratio)>,
        many_to_one: bool,
    ) {
        if left.is_empty() || right.is_empty() {
            self.score_loss("nothing-to-match", "there is nothing to match", "write at least two pairs");
            return;
        }
        if !self.pairs_fit(left.len(), &right) {
            return;
        }
        if (2..=MAX_LEFT).contains(&left.len()) && (2..=MAX_RIGHT).contains(&right.len()) {
            let matching =
                Match { left, right, pairs, rule: MatchRule::Share, many_to_one, most_each: Some(1) };
            self.part(Interaction::Match(matching));
            return;
        }
        let mut partners: BTreeMap<&str, &str> = BTreeMap::new();
        for (from, to, _) in &pairs {
            partners.entry(from).or_insert(to);
        }
        for thing in &left {
            let partner = partners.get(thing.id.as_str()).copied();
            let options = right
                .iter()
                .map(|one| ChoiceOption {
                    id: one.id.clone(),
                    content: one.content.clone(),
                    weight: Ratio::new(i64::from(Some(one.id.as_str()) == partner), 1),
                    feedback: None,
                })
                .collect();
            let rule = ChoiceRule::AllOrNothing;
            let choice = Choice { options, most: Some(1), shuffle: true, rule };
            self.part(Interaction::Choice(choice));
            if let Some(part) = self.item.parts.last_mut() {
                part.prompt.clone_from(&thing.content);
            }
        }
    }

    pub(super) fn rows(&mut self, rows: &[Text], columns: &[Text], right: &[(usize, usize)], all: bool) {
        let mut things = |texts: &[Text], letter: char| -> Vec<Choosable> {
            let content = texts.iter().map(|text| self.content(text)).enumerate();
            content.map(|(index, content)| choosable(format!("{letter}{}", index + 1), content)).collect()
        };
        let (left, columns) = (things(rows, 'l'), things(columns, 'r'));
        let pair = |(row, column): &(usize, usize)| {
            (format!("l{}", row + 1), format!("r{}", column + 1), Ratio::one())
        };
        self.pairs(left, columns, right.iter().map(pair).collect(), true);
        if all {
            self.item.combine = Combine::All;
            if let Some(Part { interaction: Interaction::Match(matching), .. }) = self.item.parts.first_mut()
            {
                matching.rule = MatchRule::AllOrNothing;
            }
        }
    }

    pub(super) fn places(&mut self, things: &[Text], places: &[usize], reused: bool) {
        let mut right = Vec::with_capacity(things.len());
        for (index, thing) in things.iter().enumerate() {
            let content = self.content(thing);
            right.push(choosable((index + 1).to_string(), content));
        }
        let left =
            (1..=places.len()).map(|place| choosable(format!("p{place}"), format!("[{place}]"))).collect();
        let pairs = places
            .iter()
            .enumerate()
            .map(|(place, thing)| (format!("p{}", place + 1), (thing + 1).to_string(), Ratio::one()));
        self.pairs(left, right, pairs.collect(), reused);
        self.item.losses.push(Loss::display(
            self.item.place.clone(),
            "picture",
            "the places of a picture are numbers, and pictures to drag are named by their text",
            "show the picture with the numbers of its places",
        ));
    }

    pub(super) fn ordering(&mut self, items: &[Text], grading: OrderGrading, subset: bool) {
        let mut things = Vec::with_capacity(items.len());
        for (index, text) in items.iter().enumerate() {
            let content = self.content(text);
            things.push(choosable((index + 1).to_string(), content));
        }
        if subset {
            self.score_loss(
                "ordering-subset",
                "each learner orders a random part of the items in the source system, and all of them in Fablegrade",
                "make a question of each part",
            );
        }
        let correct: Vec<String> = things.iter().map(|thing| thing.id.clone()).collect();
        let count = things.len() as u64;
        let credit = match grading {
            OrderGrading::AllOrNothing => OrderCredit::AllOrNothing,
            OrderGrading::NextExcludeLast => OrderCredit::AdjacentPairs,
            OrderGrading::NextIncludeLast => OrderCredit::Successors,
            OrderGrading::OnePreviousAndNext => OrderCredit::Neighbours,
            OrderGrading::AllPreviousAndNext => OrderCredit::Pairs,
            OrderGrading::LongestOrdered => OrderCredit::LongestSubset,
            OrderGrading::LongestContiguous => OrderCredit::LongestChain,
            OrderGrading::AbsolutePosition | OrderGrading::RelativeToCorrect => {
                // Each item earns a score for its place, so places are matched with items.
                if !self.pairs_fit(things.len(), &things) {
                    return;
                }
                let far = count.saturating_sub(1);
                let mut pairs = Vec::new();
                for (place, _) in correct.iter().enumerate() {
                    for (index, thing) in correct.iter().enumerate() {
                        let weight = if grading == OrderGrading::AbsolutePosition {
                            Ratio::new(i64::from(place == index), 1)
                        } else {
                            let near = far.saturating_sub(place.abs_diff(index) as u64);
                            Ratio::new(near as i64, count * far)
                        };
                        if !weight.is_zero() {
                            pairs.push((format!("p{}", place + 1), thing.clone(), weight));
                        }
                    }
                }
                let left =
                    (1..=count).map(|place| choosable(format!("p{place}"), format!("{place}."))).collect();
                let rule =
                    if grading == OrderGrading::AbsolutePosition { MatchRule::Share } else { MatchRule::Sum };
                let matching =
                    Match { left, right: things, pairs, rule, many_to_one: false, most_each: Some(1) };
                self.part(Interaction::Match(matching));
                self.item.losses.push(Loss::display(
                    self.item.place.clone(),
                    "ordering-as-matching",
                    "places and items are matched, since each item earns by its place",
                    "show the places in a row",
                ));
                return;
            }
        };
        self.part(Interaction::Order(Order { items: things, correct, before: None, credit }));
    }

    pub(super) fn gaps(&mut self, choices: &[GapChoice], drag: bool, text: &Text) {
        let gaps = gap_numbers(&text.text);
        let shown = number_gaps(&text.text);
        self.item.prompt = self.content(&Text::new(shown, text.format));
        if gaps.is_empty() || gaps.iter().any(|gap| !(1..=choices.len()).contains(gap)) {
            self.score_loss(
                "gap-without-choice",
                "a gap of the text has no choice",
                "number the gaps by the choices",
            );
            return;
        }
        let mut right = Vec::with_capacity(choices.len());
        for (index, choice) in choices.iter().enumerate() {
            let content = self.content(&Text::new(choice.text.clone(), TextFormat::Html));
            right.push(choosable((index + 1).to_string(), content));
        }
        let mut groups: HashMap<&str, Group<'_>> = HashMap::new();
        for (one, choice) in right.iter().zip(choices) {
            let group = groups.entry(&choice.group).or_default();
            group.choices.push(one);
            group.bytes += one.content.len();
        }
        // Each gap offers the choices of its own group.
        let offered: Vec<&Group<'_>> =
            gaps.iter().map(|gap| &groups[choices[gap - 1].group.as_str()]).collect();
        let sum = |of: fn(&Group<'_>) -> usize| {
            offered.iter().fold(0, |sum: usize, group| sum.saturating_add(of(group)))
        };
        if !options_fit(sum(|group| group.choices.len()), sum(|group| group.bytes)) {
            self.too_many_pairs();
            return;
        }
        let one_group = gaps.iter().all(|gap| choices[gap - 1].group == choices[gaps[0] - 1].group);
        let distinct: BTreeSet<usize> = gaps.iter().copied().collect();
        let repeated = distinct.len() < gaps.len();
        let many = !drag || repeated || choices.iter().any(|choice| choice.infinite);
        let fits =
            (2..=MAX_LEFT).contains(&gaps.len()) && (2..=MAX_RIGHT).contains(&offered[0].choices.len());
        if one_group && fits {
            let left = (1..=gaps.len()).map(|gap| choosable(format!("g{gap}"), format!("[{gap}]"))).collect();
            let right = offered[0].choices.iter().map(|one| (*one).clone()).collect();
            let pairs = gaps
                .iter()
                .enumerate()
                .map(|(index, gap)| (format!("g{}", index + 1), gap.to_string(), Ratio::one()))
                .collect();
            self.pairs(left, right, pairs, many);
            return;
        }
        for (index, (gap, group)) in gaps.iter().zip(offered).enumerate() {
            let key = gap.to_string();
            let options: Vec<ChoiceOption> = group
                .choices
                .iter()
                .map(|one| ChoiceOption {
                    id: one.id.clone(),
                    content: one.content.clone(),
                    weight: Ratio::new(i64::from(one.id == key), 1),
                    feedback: None,
                })
                .collect();
            let choice = Choice { options, most: Some(1), shuffle: true, rule: ChoiceRule::AllOrNothing };
            self.part(Interaction::Choice(choice));
            if let Some(part) = self.item.parts.last_mut() {
                part.prompt = format!("[{}]", index + 1);
            }
        }
    }
}
