//! The scores of an item: its processing is evaluated on candidate responses and expressed by interactions of the item
//! model.

use std::cell::Cell;
use std::collections::BTreeMap;

use fablegrade_public::Ratio;

use super::body::{self, Body, Found, Kind};
use super::candidates::{self, MAX_KEY, assumed};
use super::evaluate::{COMPARISONS, Machine, Unsupported};
use super::joint::with;
use super::literals::Literals;
use super::model::{Mapping, Model, ResponseVariable, Rule, mapped};
use super::names::flag;
use super::orders::MAX_ORDERED;
use super::parts::parts;
use super::value::{BaseType, Cardinality, Value};
use crate::format::Source;
use crate::item::{Interaction, Item};
use crate::loss::{Loss, Place};
use crate::xml::Element;

/// The maximum number of evaluations of an item's processing.
const MAX_RUNS: usize = 9_000;

/// The maximum total number of steps of these evaluations.
const MAX_STEPS: usize = 1_500_000;

/// The maximum number of responses that an item's interactions ask for.
const MAX_RESPONSES: usize = 60;

pub(super) type Given = BTreeMap<String, Value>;

/// Scores responses to an item.
pub(super) struct Scorer<'m> {
    pub(super) machine: &'m Machine<'m>,
    pub(super) model: &'m Model,
    /// The outcome variable with the score; `None` if only the declarations determine it.
    pub(super) outcome: Option<String>,
    runs: Cell<usize>,
    steps: Cell<usize>,
}

impl Scorer<'_> {
    pub(super) fn score(&self, given: &Given) -> Result<Ratio, Unsupported> {
        self.runs.set(self.runs.get() + 1);
        if self.runs.get() > MAX_RUNS {
            return Err(Unsupported {
                what: "too many combinations of responses".into(),
                place: Place::default(),
            });
        }
        match &self.outcome {
            Some(outcome) => {
                let (value, cost) = self.machine.outcome(outcome, given)?;
                self.spend(cost, "too many rules")?;
                let score = value.as_number().unwrap_or_else(Ratio::zero);
                let score = self.model.least.clone().map_or(score.clone(), |least| score.max(least));
                Ok(self.model.most.clone().map_or(score.clone(), |most| score.min(most)))
            }
            None => self.declared(given),
        }
    }

    fn spend(&self, steps: usize, what: &str) -> Result<(), Unsupported> {
        self.steps.set(self.steps.get().saturating_add(steps));
        if self.steps.get() > MAX_STEPS {
            return Err(Unsupported { what: what.into(), place: Place::default() });
        }
        Ok(())
    }

    /// Returns the sum of the mapped points, plus one point if all responses with a key but no mapping are correct.
    fn declared(&self, given: &Given) -> Result<Ratio, Unsupported> {
        let mut sum = Ratio::zero();
        let mut wrong = false;
        let mut matched = false;
        for response in &self.model.responses {
            let value = given.get(&response.id).unwrap_or(&Value::Null);
            let correct = self.machine.correct(&response.id);
            // Some tools leave mappings empty, so a mapping without points is ignored if there is a correct response.
            let gives = |mapping: &&Mapping| {
                *correct == Value::Null
                    || mapping.entries.iter().any(|(_, points, _)| *points > Ratio::zero())
            };
            if let Some(mapping) = response.mapping.as_ref().filter(gives) {
                let cost = value.cost().saturating_mul(mapping.cost()) / COMPARISONS;
                self.spend(cost, "mappings with too many entries")?;
                sum = sum.plus(&mapped(response.cardinality, mapping, value));
            } else if *correct != Value::Null {
                matched |= value.same(correct);
                wrong |= !value.same(correct);
            }
        }
        Ok(if matched && !wrong { sum.plus(&Ratio::one()) } else { sum })
    }
}

/// Returns the identifier of the outcome variable with the score; `None` if none or several look like it.
fn score_outcome(model: &Model) -> Option<String> {
    let numeric = |id: &str| {
        model
            .outcomes
            .iter()
            .any(|one| one.id == id && one.cardinality == Cardinality::Single && one.base.is_number())
    };
    let exact = model.outcomes.iter().map(|one| one.id.as_str()).find(|id| id.eq_ignore_ascii_case("score"));
    if let Some(id) = exact.filter(|id| numeric(id)) {
        return Some(id.to_owned());
    }
    let mut others = model.outcomes.iter().filter(|one| {
        one.base.is_number()
            && one.cardinality == Cardinality::Single
            && one.id.to_ascii_lowercase().contains("score")
            && !one.id.to_ascii_lowercase().contains("max")
    });
    match (others.next(), others.next()) {
        (Some(only), None) => Some(only.id.clone()),
        _ => None,
    }
}

/// Fills an item from its element.
pub(super) fn fill(root: Element<'_>, source: &Source<'_>, item: &mut Item) {
    let model = Model::read(root, source);
    let machine = Machine::new(&model);
    let body = body::read(root, machine.as_ref().ok());
    let Body { prompt, media, interactions, feedback, rubric, losses, .. } = body;
    item.prompt = if item.prompt.is_empty() {
        prompt
    } else {
        format!("{}\n\n{prompt}", item.prompt).trim().to_owned()
    };
    item.media = media;
    item.feedback = feedback;
    item.losses.extend(losses);
    item.metadata.extend(rubric.into_iter().map(|text| ("rubric".to_owned(), text)));
    let machine = match &machine {
        Ok(machine) => machine,
        Err(problem) => {
            let (rule, message) = if problem.what == "templateConstraint" {
                ("randomised", "no drawn values satisfy the constraints of the item".to_owned())
            } else {
                ("template-processing", format!("`{}` in template processing is not supported", problem.what))
            };
            let place = if problem.place.line > 0 { problem.place.clone() } else { item.place.clone() };
            item.losses.push(Loss::score(place, rule, message, "write one variant of the item"));
            return;
        }
    };
    if machine.is_random() {
        item.losses.push(Loss::display(
            item.place.clone(),
            "one-variant",
            "the item draws its values at random; one variant is kept",
            "create one question per variant that you need",
        ));
    } else if !model.template_rules.is_empty() {
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "template-processing",
            "template variables have the values that the item computes",
            "check that there is only one variant",
        ));
    }
    outcomes_lost(&model, item);
    score(&model, machine, &interactions, item);
    // An item with more responses or values in a key cannot be expressed, and its attempts would take long.
    let is_small = model.responses.len() <= MAX_RESPONSES * 4 && too_long_key(&model, machine).is_none();
    if flag(root, "adaptive") == Some(true) && is_small {
        adaptive(&model, machine, &interactions, item);
    }
}

/// The approximate number of pairs of attempts at an adaptive item that are tested.
const MAX_ATTEMPTS: usize = 60;

/// Reports the loss for an adaptive item; it changes scores if the score depends on earlier attempts.
fn adaptive(model: &Model, machine: &Machine<'_>, interactions: &[Found], item: &mut Item) {
    let literals = Literals::of(model);
    let mut attempts: Vec<Given> = vec![Given::new()];
    let mut correct = Given::new();
    let declared = &machine.declared().responses;
    let asked =
        interactions.iter().filter_map(|found| Some((found, *declared.get(found.response.as_str())?)));
    for (found, variable) in asked.take(MAX_RESPONSES) {
        let key = machine.correct(&variable.id);
        correct.insert(variable.id.clone(), key.clone());
        for value in candidates::candidates(found, variable, key, &literals).into_iter().take(8) {
            attempts.push(with(&correct, &variable.id, &value));
        }
    }
    // A boolean response is usually a button, which can be pressed in addition to an answer.
    let buttons = model.responses.iter().filter(|one| one.base == BaseType::Boolean);
    for variable in buttons.take(MAX_RESPONSES) {
        attempts.push(with(&correct, &variable.id, &Value::bool(true)));
    }
    attempts.push(correct);
    let outcome = score_outcome(model);
    let mut pairs = attempts.iter().flat_map(|first| attempts.iter().map(move |then| (first, then)));
    let step = (attempts.len() * attempts.len()).div_ceil(MAX_ATTEMPTS);
    let counts = outcome.is_some_and(|outcome| {
        pairs.by_ref().step_by(step.max(1)).any(|(first, then)| {
            let alone = machine.outcome(&outcome, then).map(|(value, _)| value);
            let after = machine.outcome_after(&outcome, &[first, then]).map(|(value, _)| value);
            alone.is_err() || alone != after
        })
    });
    item.losses.push(if counts {
        Loss::score(
            item.place.clone(),
            "adaptive",
            "the score depends on earlier attempts; Fablegrade grades each attempt by itself",
            "make a question of each step",
        )
    } else {
        Loss::display(
            item.place.clone(),
            "adaptive",
            "the item changes with each attempt, but its score does not; in Fablegrade it does not change",
            "show hints on your page",
        )
    });
}

/// Reports a loss and returns true if an item asks for too many responses, or declares too many.
pub(super) fn too_many(asked: usize, declared: usize, item: &mut Item) -> bool {
    let too_many = asked > MAX_RESPONSES || declared > MAX_RESPONSES * 4;
    if too_many {
        let message = format!("the item has more than {MAX_RESPONSES} responses");
        item.losses.push(Loss::score(item.place.clone(), "too-many-responses", message, "split it"));
    }
    too_many
}

/// Returns a response with too many values in its key. Rules compare each value with every other.
fn too_long_key<'m>(model: &'m Model, machine: &Machine<'_>) -> Option<&'m ResponseVariable> {
    model.responses.iter().find(|one| {
        let most = if one.cardinality == Cardinality::Ordered { MAX_ORDERED } else { MAX_KEY };
        machine.correct(&one.id).size() > most
    })
}

/// Finds the parts of an item from its interactions and their scores.
pub(super) fn score(model: &Model, machine: &Machine<'_>, interactions: &[Found], item: &mut Item) {
    let mut answered = Vec::new();
    let declared = &machine.declared().responses;
    for found in interactions {
        match (&found.kind, declared.get(found.response.as_str()).copied()) {
            (Kind::Scoreless, _) => {}
            (Kind::Unknown, _) => item.losses.push(Loss::score(
                found.place.clone(),
                "interaction",
                format!("`{}` has no counterpart", found.element),
                "make a widget with a validator of your own",
            )),
            (_, None) => item.losses.push(Loss::score(
                found.place.clone(),
                "undeclared-response",
                "the response of this interaction is not declared",
                "declare it",
            )),
            (_, Some(variable)) => answered.push((found, variable)),
        }
    }
    let unknown = interactions.iter().any(|found| matches!(found.kind, Kind::Unknown));
    let mut ids: Vec<&str> = answered.iter().map(|(_, variable)| variable.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() < answered.len() {
        item.losses.push(Loss::score(
            item.place.clone(),
            "shared-response",
            "several interactions have the same response",
            "declare a response for each",
        ));
        return;
    }
    if too_many(answered.len(), model.responses.len(), item) {
        return;
    }
    if let Some(response) = too_long_key(model, machine) {
        item.losses.push(Loss::score(
            response.place.clone(),
            "too-many-options",
            "there are too many values in the key",
            "make a widget with a validator of your own",
        ));
        return;
    }
    let assumed = if interactions.is_empty() { assumed(model, machine) } else { Vec::new() };
    for found in &assumed {
        if let Some(variable) = declared.get(found.response.as_str()) {
            answered.push((found, variable));
        }
    }
    if !assumed.is_empty() {
        item.losses.push(Loss::display(
            item.place.clone(),
            "no-interaction",
            "nothing in the item asks for its responses; they are asked for by their names",
            "write a prompt",
        ));
    }
    if answered.is_empty() {
        if !unknown && (model.responses.is_empty() || !interactions.is_empty()) {
            text_only(item);
        } else if !unknown {
            item.losses.push(Loss::score(
                item.place.clone(),
                "no-interaction",
                "nothing in the item can be answered",
                "use it as text",
            ));
        }
        return;
    }
    let outcome = score_outcome(model);
    let scorer = Scorer {
        machine,
        model,
        outcome: outcome.filter(|id| model.rules.as_deref().is_some_and(|rules| sets(rules, id))),
        runs: Cell::new(0),
        steps: Cell::new(0),
    };
    if scorer.outcome.is_none() {
        let message = if model.rules.is_some() {
            "response processing sets no score; the declared correct responses are the key"
        } else {
            "the item has no response processing; the declared correct responses are the key"
        };
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "no-response-processing",
            message,
            "check the key",
        ));
    }
    let place_of = |problem: &Unsupported, item: &Item| {
        if problem.place.line > 0 { problem.place.clone() } else { item.place.clone() }
    };
    let refuse = |problem: &Unsupported, item: &mut Item| {
        let message = format!("the declared responses cannot be used as the key: {}", problem.what);
        item.losses.push(Loss::score(
            place_of(problem, item),
            "response-processing",
            message,
            "divide the item",
        ));
    };
    // If an attempt to find the parts fails, the item is restored.
    let before = item.clone();
    if let Err(problem) = parts(&scorer, &answered, item) {
        *item = before.clone();
        if scorer.outcome.is_none() {
            refuse(&problem, item);
            return;
        }
        let declared = Scorer { machine, model, outcome: None, runs: Cell::new(0), steps: Cell::new(0) };
        match parts(&declared, &answered, item) {
            Ok(()) => {
                let message = format!(
                    "`{}` in response processing is not supported; the declared responses are the key",
                    problem.what
                );
                let place = place_of(&problem, item);
                let loss = Loss::score(place, "response-processing", message, "check the scores");
                item.losses.insert(before.losses.len(), loss);
            }
            Err(problem) => {
                *item = before;
                refuse(&problem, item);
            }
        }
    }
    if unknown
        && !item.parts.is_empty()
        && item.parts.iter().all(|part| matches!(part.interaction, Interaction::Prose(_)))
    {
        item.parts.clear();
    }
}

/// Marks an item as text without a question.
pub(super) fn text_only(item: &mut Item) {
    item.metadata.push(("kind".into(), "text".into()));
    item.losses.push(Loss::metadata(
        item.place.clone(),
        "no-interaction",
        "this is text without a question",
        "show it on your page",
    ));
}

/// Returns whether rules set an outcome, or may set it.
fn sets(rules: &[Rule], id: &str) -> bool {
    rules.iter().any(|rule| match rule {
        Rule::Set(target, _) | Rule::Lookup(target, _) => target == id,
        Rule::If(branches) => branches.iter().any(|(_, inside)| sets(inside, id)),
        Rule::Group(inside) => sets(inside, id),
        // An unsupported rule can set any outcome.
        Rule::Unknown(..) | Rule::Include(..) => true,
        _ => false,
    })
}

/// Reports outcomes other than the score, and mappings that do not state whether case counts.
fn outcomes_lost(model: &Model, item: &mut Item) {
    let others: Vec<&str> = model
        .outcomes
        .iter()
        .map(|one| one.id.as_str())
        .filter(|id| {
            !matches!(
                id.to_ascii_uppercase().as_str(),
                "SCORE" | "MAXSCORE" | "COMPLETIONSTATUS" | "FEEDBACK" | "FEEDBACKBASIC"
            )
        })
        .collect();
    if !others.is_empty() {
        let message = format!("outcomes besides the score are not computed: {}", others.join(", "));
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "outcomes",
            message,
            "compute them from the score",
        ));
    }
    let unspecified = model
        .responses
        .iter()
        .find(|one| one.mapping.as_ref().is_some_and(|mapping| mapping.case_unspecified));
    if let Some(response) = unspecified {
        item.losses.push(Loss::metadata(
            response.place.clone(),
            "case-assumed",
            "the mapping does not say whether case counts; in Fablegrade it does",
            "write `caseSensitive`",
        ));
    }
}

/// Visits the expressions in rules and all their subexpressions.
pub(super) fn walk<'r>(rules: &'r [Rule], visit: &mut dyn FnMut(&'r super::model::Expression)) {
    for rule in rules {
        match rule {
            Rule::If(branches) => {
                for (condition, inside) in branches {
                    if let Some(condition) = condition {
                        walk_expression(condition, visit);
                    }
                    walk(inside, visit);
                }
            }
            Rule::Set(_, value)
            | Rule::Lookup(_, value)
            | Rule::SetCorrect(_, value)
            | Rule::SetDefault(_, value)
            | Rule::SetResponse(_, Some(value))
            | Rule::Constraint(value) => walk_expression(value, visit),
            Rule::Group(inside) => walk(inside, visit),
            Rule::SetResponse(_, None) | Rule::Exit | Rule::Include(..) | Rule::Unknown(..) => {}
        }
    }
}

fn walk_expression<'r>(
    expression: &'r super::model::Expression,
    visit: &mut dyn FnMut(&'r super::model::Expression),
) {
    visit(expression);
    for argument in &expression.arguments {
        walk_expression(argument, visit);
    }
}
