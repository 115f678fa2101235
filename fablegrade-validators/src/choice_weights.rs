//! `choice_weights`: options with exact, possibly negative shares of the score.
//!
//! Configuration: `{"options": [{"id": "a", "weight": "1/3", "message"?}], "floor"?: 0, "most"?: 2, "beyond"?: "1/3",
//! "base"?: "1/2"}`. The state `{"selected": ["a", "c"]}` earns the sum of the weights of the selected options, at
//! least `floor` and at most 1. At most `most` options can be selected; with `beyond`, more can be selected, and each
//! further option costs that share. With `base`, every non-empty selection earns that share in addition.

use fablegrade_core::host::{Judgement, Message, Sentence, Steps, Unjudged};
use fablegrade_core::json::{self, Json, Object, Path, Value};
use fablegrade_core::{Finding, Findings, Ratio, StateJudge};

use crate::fields;

pub(crate) const SENTENCES: &[Sentence] = &[
    Sentence::error(
        "unknown-option",
        "The selection has an option that does not exist, or one option twice.",
    ),
    Sentence::error("too-many-selected", "Too many options are selected."),
];

struct WeightedOption {
    id: String,
    weight: Ratio,
    has_message: bool,
}

struct ChoiceWeights {
    options: Vec<WeightedOption>,
    floor: Ratio,
    base: Ratio,
    most: usize,
    /// The cost of each selected option beyond `most`; `None` if at most `most` can be selected.
    beyond: Option<Ratio>,
}

fn option(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<WeightedOption> {
    let mut object = Object::open_as(value, at, findings, r#"{"id": "a", "weight": "1/2"}"#)?;
    let id = object.required("id", fields::id);
    let weight = object.required("weight", fields::share(-1, 1));
    let has_message = fields::message(&mut object);
    object.close();
    Some(WeightedOption { id: id?, weight: weight?, has_message: has_message? })
}

pub(crate) fn compile(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<Box<dyn StateJudge>> {
    let mut object = Object::open(value, at, findings)?;
    let options = object.required("options", json::list(1, 100, option));
    let floor = object.defaulted("floor", Ratio::zero(), fields::share(0, 1));
    let base = object.defaulted("base", Ratio::zero(), fields::share(0, 1));
    let most = object.optional("most", fields::count(1, 100));
    let beyond = object.optional("beyond", fields::share(0, 1));
    if matches!((&most, &beyond), (Some(None), Some(Some(_)))) {
        object.report(Finding::error(
            "beyond-what",
            Path::Field(at, "beyond").pointer(),
            "there is no `most` beyond which an option could cost anything",
            "give `most`, or negative weights",
        ));
    }
    if let Some(options) = &options {
        for (index, option) in options.iter().enumerate() {
            if options[..index].iter().any(|other| other.id == option.id) {
                object.report(Finding::error(
                    "duplicate-id",
                    Path::Element(&Path::Field(at, "options"), index).pointer(),
                    "another option has this id",
                    "give each option an id of its own",
                ));
            }
        }
    }
    object.close();
    let options = options?;
    let most = most?.map_or(options.len(), |most| most as usize);
    Some(Box::new(ChoiceWeights { options, floor: floor?, base: base?, most, beyond: beyond? }))
}

impl ChoiceWeights {
    fn score<'o>(&self, selected: impl Iterator<Item = &'o WeightedOption>) -> Ratio {
        let (count, sum) = selected
            .fold((0_usize, Ratio::zero()), |(count, sum), option| (count + 1, sum.plus(&option.weight)));
        let base = if count > 0 { self.base.clone() } else { Ratio::zero() };
        let more = Ratio::new(count.saturating_sub(self.most) as i64, 1);
        let cost = self.beyond.as_ref().map_or(Ratio::zero(), |each| each.times(&more));
        base.plus(&sum).minus(&cost).max(self.floor.clone()).clamped()
    }
}

impl StateJudge for ChoiceWeights {
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        let unknown = || Unjudged::Unreadable(Message::sentence("unknown-option"));
        let ids = fields::chosen(state, "selected").ok_or_else(unknown)?;
        if ids.len() > self.most && self.beyond.is_none() {
            return Err(Unjudged::Unreadable(Message::sentence("too-many-selected")));
        }
        let mut places = Vec::with_capacity(ids.len());
        for id in ids {
            places.push(self.options.iter().position(|option| option.id == id).ok_or_else(unknown)?);
        }
        // Sort by the order of the options, so the order of clicks has no effect on steps and messages.
        places.sort_unstable();
        for &place in &places {
            let option = &self.options[place];
            steps.step("option-weighed", || {
                vec![("id", option.id.as_str().into()), ("weight", option.weight.to_fraction_text().into())]
            });
        }
        let mut judgement = Judgement::new(self.score(places.iter().map(|&place| &self.options[place])));
        for place in places {
            if self.options[place].has_message {
                judgement = judgement.saying(Message::configured(format!("/options/{place}/message")));
            }
        }
        Ok(judgement)
    }

    fn lint(&self, findings: &mut Findings) {
        let mut weights: Vec<&WeightedOption> =
            self.options.iter().filter(|option| option.weight > Ratio::zero()).collect();
        weights.sort_by(|a, b| b.weight.cmp(&a.weight));
        // An option beyond `most` pays if it earns more than it costs.
        let most = weights.iter().enumerate().take_while(|(index, option)| {
            *index < self.most || self.beyond.as_ref().is_some_and(|cost| option.weight > *cost)
        });
        fields::lint_full_marks(&self.score(most.map(|(_, option)| *option)), "/options", findings);
        if self.options.len() > 1
            && (self.most >= self.options.len() || self.beyond.is_some())
            && self.score(self.options.iter()).is_one()
        {
            findings.push(Finding::warning(
                "all-selected-wins",
                "/options",
                "selecting every option earns the full score",
                "give wrong options negative weights",
            ));
        }
    }
}
