//! The specs for each kind of interaction.

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Ratio};

use super::arrangements::{match_spec, order_spec};
use super::programs::program_spec;
use super::shape::{Blank, Shape};
use super::{Compiled, ratio_json, shown};
use crate::ids::{IdMap, are_numbered_in_order};
use crate::item::{
    Choice, ChoiceOption, ChoiceRule, Combine, Formula, Interaction, Item, NumberEntry, NumberRange, Part,
    Prose, SameFormula, TextAnswer, TextEntry, TextForm, Whitespace,
};
use crate::loss::Loss;

pub(super) type Outcome = Result<Compiled, Loss>;

/// The maximum number of options of `choice_weights`.
pub(super) const MAX_WEIGHTS: usize = 100;

/// Compiles a part to a separate spec.
pub(super) fn alone(part: &Part) -> Outcome {
    let mut compiled = match &part.interaction {
        Interaction::Choice(choice) => choice_spec(choice, part),
        Interaction::Text(entry) => {
            let mut losses = Vec::new();
            let config = text_config(entry, part, &mut losses)?;
            Ok(widget(
                "short-text",
                None,
                builtin("short_text", config),
                Shape::TextState,
                IdMap::default(),
                losses,
            ))
        }
        Interaction::Number(entry) => number_spec(entry, part),
        Interaction::Formula(formula) => formula_spec(formula, part),
        Interaction::Order(order) => order_spec(order, part),
        Interaction::Match(matching) => match_spec(matching, part),
        Interaction::Prose(prose) => Ok(prose_spec(prose, part)),
        Interaction::Program(program) => program_spec(program, part),
        Interaction::Anything => {
            let schema = Json::build().with("type", "object").build();
            let validator = Json::build().with("kind", "state_schema").with("stateSchema", schema).build();
            Ok(widget("anything", None, validator, Shape::Anything, IdMap::default(), Vec::new()))
        }
    }?;
    compiled.losses.shrink_to_fit();
    Ok(compiled)
}

pub(super) fn refuse(part: &Part, rule: &'static str, message: impl Into<String>, suggestion: &str) -> Loss {
    Loss::score(part.place.clone(), rule, message, suggestion)
}

pub(super) fn builtin(name: &str, config: Json) -> Json {
    Json::build().with("kind", "builtin").with("name", name).with("config", config).build()
}

pub(super) fn widget(
    name: &str,
    params: Option<Json>,
    validator: Json,
    shape: Shape,
    ids: IdMap,
    losses: Vec<Loss>,
) -> Compiled {
    let spec = Json::build()
        .with("type", "widget")
        .with("widgetName", name)
        .with("widgetVersion", "1.0.0")
        .with_some("params", params)
        .with("validator", validator)
        .build();
    Compiled { spec, shape, losses, ids }
}

/// Returns feedback as a message, cut to the validators' limit of 1,000 characters.
fn message(feedback: Option<&String>, part: &Part, losses: &mut Vec<Loss>) -> Option<String> {
    let text = feedback?.trim();
    if text.is_empty() {
        return None;
    }
    if text.chars().count() > 1_000 {
        losses.push(Loss::display(
            part.place.clone(),
            "feedback-too-long",
            "feedback has more than 1,000 characters and is cut",
            "shorten it",
        ));
        return Some(text.chars().take(1_000).collect());
    }
    Some(text.to_owned())
}

// ---- choices

fn choice_ids(choice: &Choice) -> IdMap {
    let ids: Vec<&str> = choice.options.iter().map(|option| option.id.as_str()).collect();
    // Readers number options without ids, and in many banks the right option is first, so numbers would reveal it.
    if choice.shuffle && are_numbered_in_order(ids.iter().copied()) {
        return IdMap::numbered("c", options_by_content(choice).into_iter().map(|option| option.id.as_str()));
    }
    IdMap::new(ids.iter().copied())
}

fn options_by_content(choice: &Choice) -> Vec<&ChoiceOption> {
    let mut sorted: Vec<&ChoiceOption> = choice.options.iter().collect();
    sorted.sort_by(|a, b| (&a.content, &a.id).cmp(&(&b.content, &b.id)));
    sorted
}

/// Returns the `partialCredit` of an equivalent `multiple_choice` question; `None` if there is no equivalent.
fn plain_choice(choice: &Choice) -> Option<bool> {
    let single = choice.most == Some(1);
    let zero = Ratio::zero();
    let right = choice.options.iter().filter(|option| option.weight > zero).count() as u64;
    if right == 0 || !(2..=10).contains(&choice.options.len()) {
        return None;
    }
    // A `multiple_choice` question cannot limit the number of selected options, except to one.
    if choice.most.is_some_and(|most| most > 1 && most < choice.options.len()) {
        return None;
    }
    match choice.rule {
        ChoiceRule::Contains | ChoiceRule::UpToRight | ChoiceRule::EachDecision => None,
        ChoiceRule::AllOrNothing => (!single || right == 1).then_some(false),
        ChoiceRule::Share => (!single || right == 1).then_some(!single),
        ChoiceRule::Sum if single => choice
            .options
            .iter()
            .all(|option| option.weight <= zero || option.weight.is_one())
            .then_some(false),
        ChoiceRule::Sum => {
            let share = Ratio::new(1, right);
            let cost = zero.minus(&share);
            let fits = choice.options.iter().all(|option| option.weight == share || option.weight == cost);
            fits.then_some(true)
        }
    }
}

fn choice_spec(choice: &Choice, part: &Part) -> Outcome {
    if choice.options.is_empty() {
        return Err(refuse(part, "no-options", "there is nothing to choose from", "add options"));
    }
    if choice.options.iter().all(|option| option.weight <= Ratio::zero()) {
        return Err(refuse(part, "no-key", "no option earns anything", "mark the right options"));
    }
    let ids = choice_ids(choice);
    if let Some(partial) = plain_choice(choice) {
        let multiple = choice.most != Some(1);
        let options = choice.options.iter().map(|option| {
            Json::build()
                .with("id", ids.get(&option.id).unwrap_or_default())
                .with("content", &option.content)
                .with("correct", option.weight > Ratio::zero())
                .with_some("feedback", option.feedback.as_ref().filter(|text| !text.trim().is_empty()))
                .build()
        });
        let spec = Json::build()
            .with("type", "multiple_choice")
            .with("multipleSelect", multiple)
            .with("partialCredit", partial)
            .with("shuffleChoices", choice.shuffle)
            .with("choices", Json::array(options))
            .build();
        return Ok(Compiled { spec, shape: Shape::Selected(ids.clone()), losses: Vec::new(), ids });
    }
    let mut losses = Vec::new();
    let params = choice_params(choice, &ids);
    if matches!(choice.rule, ChoiceRule::AllOrNothing | ChoiceRule::Contains) && choice.most != Some(1) {
        let right: Vec<&str> = (choice.options.iter().filter(|option| option.weight > Ratio::zero()))
            .filter_map(|option| ids.get(&option.id))
            .collect();
        return Ok(widget(
            "choices",
            Some(params),
            containing(&right, choice.rule == ChoiceRule::AllOrNothing),
            Shape::SelectedState(ids.clone()),
            ids,
            losses,
        ));
    }
    let config = choice_config(choice, &ids, part, &mut losses)?;
    let validator = builtin("choice_weights", config);
    Ok(widget("choices", Some(params), validator, Shape::SelectedState(ids.clone()), ids, losses))
}

fn choice_params(choice: &Choice, ids: &IdMap) -> Json {
    // Parameters are displayed unchanged, so a choice that the source shuffles must not keep the author's order.
    let listed = if choice.shuffle { options_by_content(choice) } else { choice.options.iter().collect() };
    let options =
        listed.into_iter().map(|option| shown(ids.get(&option.id).unwrap_or_default(), &option.content));
    Json::build()
        .with("options", Json::array(options))
        .with("shuffle", choice.shuffle)
        .with_some("most", choice.most)
        .build()
}

/// Returns a validator that requires the state's `selected` to contain these ids, in any order; with `exactly`, no
/// others.
pub(super) fn containing(ids: &[&str], exactly: bool) -> Json {
    let each =
        ids.iter().map(|id| Json::build().with("contains", Json::build().with("const", *id).build()).build());
    let selected = Json::build()
        .with("type", "array")
        .with("minItems", ids.len())
        .with_some("maxItems", exactly.then_some(ids.len()))
        .with("allOf", Json::array(each))
        .build();
    let schema = Json::build()
        .with("type", "object")
        .with("required", Json::array(["selected"]))
        .with("properties", Json::build().with("selected", selected).build())
        .build();
    Json::build().with("kind", "state_schema").with("stateSchema", schema).build()
}

fn choice_config(choice: &Choice, ids: &IdMap, part: &Part, losses: &mut Vec<Loss>) -> Result<Json, Loss> {
    if choice.options.len() > MAX_WEIGHTS {
        let message = format!("there are more than {MAX_WEIGHTS} options");
        return Err(refuse(part, "too-many-options", message, "use fewer options"));
    }
    let zero = Ratio::zero();
    let right = choice.options.iter().filter(|option| option.weight > zero).count() as u64;
    let single = choice.most == Some(1);
    let all = choice.options.len() as u64;
    let options: Vec<Json> = choice
        .options
        .iter()
        .map(|option| {
            let weight = match choice.rule {
                ChoiceRule::Sum => option.weight.clone(),
                _ if single => {
                    if option.weight > zero {
                        Ratio::one()
                    } else {
                        zero.clone()
                    }
                }
                // With all or nothing and one right option, a wrong option costs the whole score.
                ChoiceRule::AllOrNothing | ChoiceRule::Contains => {
                    Ratio::new(if option.weight > zero { 1 } else { -1 }, 1)
                }
                ChoiceRule::Share => Ratio::new(if option.weight > zero { 1 } else { -1 }, right),
                ChoiceRule::UpToRight => Ratio::new(i64::from(option.weight > zero), right),
                ChoiceRule::EachDecision => Ratio::new(if option.weight > zero { 1 } else { -1 }, all),
            };
            Json::build()
                .with("id", ids.get(&option.id).unwrap_or_default())
                .with("weight", ratio_json(&weight))
                .with_some("message", message(option.feedback.as_ref(), part, losses))
                .build()
        })
        .collect();
    let up_to_right = choice.rule == ChoiceRule::UpToRight && !single;
    let each_decision = choice.rule == ChoiceRule::EachDecision && !single;
    let most = if up_to_right { Some(right as usize) } else { choice.most };
    let wrong = all.saturating_sub(right) as i64;
    Ok(Json::build()
        .with("options", Json::array(options))
        .with_some("most", most.map(|most| most.min(MAX_WEIGHTS)))
        .with_some("beyond", up_to_right.then(|| ratio_json(&Ratio::new(1, right))))
        .with_some("base", (each_decision && wrong > 0).then(|| ratio_json(&Ratio::new(wrong, all))))
        .build())
}

// ---- texts

fn text_config(entry: &TextEntry, part: &Part, losses: &mut Vec<Loss>) -> Result<Json, Loss> {
    if entry.answers.iter().all(|answer| answer.weight.is_zero()) {
        return Err(refuse(part, "no-key", "no text earns anything", "give a right answer"));
    }
    let alternatives: Vec<Json> = entry
        .answers
        .iter()
        .map(|answer| {
            let (name, text) = match &answer.form {
                TextForm::Text(text) => ("text", text),
                TextForm::Wildcard(text) => ("wildcard", text),
                TextForm::Pattern(text) => ("pattern", text),
            };
            Json::build()
                .with(name, text)
                .with_some("weight", (!answer.weight.is_one()).then(|| ratio_json(&answer.weight)))
                .with_some("message", message(answer.feedback.as_ref(), part, losses))
                .build()
        })
        .collect();
    let sharp = |answer: &TextAnswer| matches!(&answer.form, TextForm::Text(text) | TextForm::Wildcard(text) if text.contains('ß'));
    if entry.ignore_case && entry.answers.iter().any(sharp) {
        losses.push(refuse(
            part,
            "sharp-s",
            "`ß` and `ss` are the same in Fablegrade if case does not count",
            "let case count where the spelling matters",
        ));
    }
    let whitespace = match entry.whitespace {
        Whitespace::Keep => "keep",
        Whitespace::Trim => "trim",
        Whitespace::Collapse => "collapse",
        Whitespace::Remove => "remove",
    };
    Ok(Json::build()
        .with("alternatives", Json::array(alternatives))
        .with("ignoreCase", entry.ignore_case)
        .with("blanks", whitespace)
        .build())
}

// ---- numbers

fn relative_of(value: &Decimal, share: &Decimal) -> bool {
    !value.is_zero() && !share.is_zero()
}

fn number_spec(entry: &NumberEntry, part: &Part) -> Outcome {
    let plain = entry.writing.is_none()
        && matches!(entry.answers.as_slice(), [one] if one.weight.is_one()
            && one.feedback.as_ref().is_none_or(|text| text.trim().is_empty())
            && one.range != NumberRange::Any);
    if !plain {
        let mut losses = Vec::new();
        let config = number_config(entry, part, &mut losses)?;
        let validator = builtin("number_text", config);
        return Ok(widget("number-text", None, validator, Shape::TextState, IdMap::default(), losses));
    }
    let answer = match &entry.answers[0].range {
        NumberRange::Exact(value) => exactly(value),
        NumberRange::Absolute(value, amount) if amount.is_zero() => exactly(value),
        NumberRange::Relative(value, amount) if !relative_of(value, amount) => exactly(value),
        NumberRange::Absolute(value, amount) => tolerant(value, "absolute", amount),
        NumberRange::Relative(value, amount) => tolerant(value, "relative", amount),
        NumberRange::Between(min, max) if min == max => exactly(min),
        NumberRange::Between(min, max) => Json::build().with("min", min).with("max", max).build(),
        NumberRange::Any => Json::Null,
    };
    let unit = entry.unit.as_ref().map(|unit| {
        Json::build()
            .with("expected", &unit.expected)
            .with("required", unit.required)
            .with_some("accepted", (!unit.accepted.is_empty()).then(|| Json::array(unit.accepted.iter())))
            .build()
    });
    let spec = Json::build()
        .with("type", "numeric")
        .with("answer", answer)
        .with("integerOnly", entry.integer)
        .with_some("unit", unit)
        .build();
    Ok(Compiled { spec, shape: Shape::Numeric, losses: Vec::new(), ids: IdMap::default() })
}

/// Returns the answer that accepts only this number. A `value` that is not an integer has a small tolerance.
fn exactly(value: &Decimal) -> Json {
    if value.is_integer() {
        Json::build().with("value", value).build()
    } else {
        Json::build().with("min", value).with("max", value).build()
    }
}

fn tolerant(value: &Decimal, mode: &str, amount: &Decimal) -> Json {
    let tolerance = Json::build().with("mode", mode).with("amount", amount).build();
    Json::build().with("value", value).with("tolerance", tolerance).build()
}

/// Returns whether the unit is part of the typed number, as `writing` configures.
fn reads_units(entry: &NumberEntry) -> bool {
    entry.writing.as_ref().is_some_and(|writing| writing.get("units").is_some())
}

fn number_config(entry: &NumberEntry, part: &Part, losses: &mut Vec<Loss>) -> Result<Json, Loss> {
    if entry.answers.iter().all(|answer| answer.weight.is_zero()) {
        return Err(refuse(part, "no-key", "no number earns anything", "give a right answer"));
    }
    if entry.unit.is_some() && entry.writing.is_none() {
        losses.push(refuse(part, "unit", "the unit is not asked for", "ask for it in the prompt"));
    }
    let unit = entry.unit.as_ref().filter(|_| reads_units(entry));
    let answers: Vec<Json> = entry
        .answers
        .iter()
        .map(|answer| {
            let tolerance = |name: &str, amount: &Decimal| Json::build().with(name, amount).build();
            let of = |value: &Decimal| match unit {
                Some(unit) => Json::build().with("value", format!("{value} {}", unit.expected)),
                None => Json::build().with("value", value),
            };
            let build = match &answer.range {
                // With `decimalPlaces`, a key without a tolerance would be rounded.
                NumberRange::Exact(value) if entry.integer && !value.is_integer() => {
                    of(value).with("tolerance", tolerance("absolute", &Decimal::zero()))
                }
                NumberRange::Exact(value) => of(value),
                NumberRange::Absolute(value, amount) => {
                    of(value).with("tolerance", tolerance("absolute", amount))
                }
                NumberRange::Relative(value, amount) => {
                    of(value).with("tolerance", tolerance("relative", amount))
                }
                NumberRange::Between(min, max) => Json::build().with("min", min).with("max", max),
                NumberRange::Any => {
                    Json::build().with("min", Decimal::new(-1, 200)).with("max", Decimal::new(1, 200))
                }
            };
            build
                .with_some("weight", (!answer.weight.is_one()).then(|| ratio_json(&answer.weight)))
                .with_some("message", message(answer.feedback.as_ref(), part, losses))
                .build()
        })
        .collect();
    let mut fields = match &entry.writing {
        Some(Json::Object(fields)) => fields.clone(),
        _ => Vec::new(),
    };
    fields.push(("answers".into(), Json::array(answers)));
    if entry.integer && !fields.iter().any(|(name, _)| &**name == "decimalPlaces") {
        fields.push(("notation".into(), "decimal".into()));
        fields.push(("decimalPlaces".into(), Json::build().with("max", 0).build()));
    }
    Ok(Json::object(fields))
}

// ---- formulas

/// Returns the configuration of the validator `form`; `None` if no form is required.
fn form_config(formula: &Formula) -> Option<Json> {
    let SameFormula::InForm { form, variable, otherwise } = &formula.same else { return None };
    Some(
        Json::build()
            .with("expression", &formula.latex)
            .with("form", form)
            .with_some("variable", variable.as_ref())
            .with_some("weight", (!otherwise.is_zero()).then(|| ratio_json(otherwise)))
            .build(),
    )
}

fn formula_spec(formula: &Formula, part: &Part) -> Outcome {
    if let Some(config) = form_config(formula) {
        return Ok(widget(
            "formula",
            None,
            builtin("form", config),
            Shape::LatexState,
            IdMap::default(),
            Vec::new(),
        ));
    }
    let equivalence = match formula.same {
        SameFormula::Symbolic | SameFormula::InForm { .. } => "symbolic",
        SameFormula::Sampled => "numeric_sampling",
        SameFormula::Literal => "literal",
    };
    if formula.latex.trim().is_empty() {
        return Err(refuse(part, "no-key", "there is no right formula", "give a right answer"));
    }
    let variables = formula.variables.iter().map(|(name, bounds)| {
        let domain =
            bounds.as_ref().map(|(min, max)| Json::build().with("min", min).with("max", max).build());
        Json::build().with("name", name).with_some("domain", domain).build()
    });
    let spec = Json::build()
        .with("type", "expression")
        .with("canonical", &formula.latex)
        .with("equivalence", equivalence)
        // Only Fablegrade has this rule; other systems accept a constant that equals the key.
        .with("forbidConstantAnswer", false)
        .with_some("tolerance", formula.tolerance.as_ref())
        .with_some("variables", (!formula.variables.is_empty()).then(|| Json::array(variables)))
        .build();
    Ok(Compiled { spec, shape: Shape::Latex, losses: Vec::new(), ids: IdMap::default() })
}

// ---- prose

fn prose_spec(prose: &Prose, part: &Part) -> Compiled {
    let mut losses = Vec::new();
    let cut = |text: &String, most: usize| text.chars().take(most).collect::<String>();
    let rubric: Vec<Json> = prose
        .rubric
        .iter()
        .take(10)
        .map(|(criterion, points)| {
            Json::build()
                .with("criterion", cut(criterion, 300))
                .with("points", (*points).clamp(1, 20))
                .build()
        })
        .collect();
    let rubric_lost = prose.rubric.len() > 10
        || prose.rubric.iter().any(|(text, points)| text.chars().count() > 300 || !(1..=20).contains(points));
    if rubric_lost {
        losses.push(refuse(
            part,
            "rubric",
            "the rubric is cut to 10 criteria of 1 to 20 points",
            "shorten it",
        ));
    }
    if prose.checklist.len() > 10 || prose.checklist.iter().any(|line| line.chars().count() > 200) {
        losses.push(refuse(
            part,
            "checklist",
            "the checklist is cut to 10 lines of 200 characters",
            "shorten it",
        ));
    }
    let min_words = prose.min_words.map(|words| words.clamp(1, 5_000));
    let max_words = prose.max_words.map(|words| words.clamp(10, 10_000));
    if max_words != prose.max_words
        || min_words.is_some_and(|words| Some(words) != prose.min_words && words > 1)
    {
        losses.push(refuse(
            part,
            "word-limits",
            "a minimum has 1 to 5,000 words and a maximum 10 to 10,000",
            "state the limit in the text",
        ));
    }
    let checklist: Vec<Json> = prose.checklist.iter().take(10).map(|line| cut(line, 200).into()).collect();
    let spec = Json::build()
        .with("type", "free_text")
        .with("gradingMode", if checklist.is_empty() { "reviewer" } else { "self_assess" })
        .with_some("minWords", min_words)
        .with_some("maxWords", max_words)
        .with_some("rubric", (!rubric.is_empty()).then(|| Json::array(rubric)))
        .with_some("selfAssessChecklist", (!checklist.is_empty()).then(|| Json::array(checklist)))
        .build();
    Compiled { spec, shape: Shape::Prose, losses, ids: IdMap::default() }
}

// ---- several parts at once

/// Returns the blank of a part with its validator and configuration; `None` if the part cannot be a blank.
fn blank_of(part: &Part, losses: &mut Vec<Loss>) -> Option<(Blank, &'static str, Json)> {
    let one = |shape: Shape, validator, config: Json| {
        (Blank { part: part.id.clone(), id: part.id.clone(), shape }, validator, config)
    };
    Some(match &part.interaction {
        Interaction::Text(entry) => {
            one(Shape::TextState, "short_text", text_config(entry, part, losses).ok()?)
        }
        Interaction::Number(entry) if entry.unit.is_none() || reads_units(entry) => {
            one(Shape::TextState, "number_text", number_config(entry, part, losses).ok()?)
        }
        Interaction::Choice(choice) if choice.rule == ChoiceRule::Contains && choice.most != Some(1) => {
            return None;
        }
        Interaction::Choice(choice)
            if choice.most == Some(1)
                || choice.rule != ChoiceRule::AllOrNothing
                || choice.options.iter().filter(|option| option.weight > Ratio::zero()).count() == 1 =>
        {
            if choice.options.iter().all(|option| option.weight <= Ratio::zero()) {
                return None;
            }
            let ids = choice_ids(choice);
            let config = choice_config(choice, &ids, part, losses).ok()?;
            one(Shape::SelectedState(ids), "choice_weights", config)
        }
        Interaction::Formula(formula) => one(Shape::LatexState, "form", form_config(formula)?),
        _ => return None,
    })
}

/// Compiles all parts to one `blanks` widget, if each of them can be a blank and there are at most 50.
pub(super) fn together(item: &Item) -> Option<Compiled> {
    if item.parts.len() > 50 {
        return None;
    }
    let mut losses = Vec::new();
    let mut found = Vec::new();
    for part in &item.parts {
        let (blank, validator, config) = blank_of(part, &mut losses)?;
        found.push((blank, validator, config, part.weight.clone(), part));
    }
    let keys: Vec<String> = found.iter().map(|(blank, ..)| blank.id.clone()).collect();
    let ids = IdMap::new(keys.iter().map(String::as_str));
    let mut shapes = Vec::new();
    let mut blanks = Vec::new();
    let mut params = Vec::new();
    for (mut blank, validator, config, weight, part) in found {
        ids.get(&blank.id).unwrap_or_default().clone_into(&mut blank.id);
        blanks.push(
            Json::build()
                .with("id", &blank.id)
                .with("validator", validator)
                .with("config", config)
                .with("weight", ratio_json(&weight))
                .build(),
        );
        let mut shown = Json::build().with("id", &blank.id);
        if !part.prompt.is_empty() {
            shown = shown.with("prompt", &part.prompt);
        }
        if let (Interaction::Choice(choice), Shape::SelectedState(ids)) = (&part.interaction, &blank.shape) {
            shown = shown.with("choices", choice_params(choice, ids));
        }
        params.push(shown.build());
        shapes.push(blank);
    }
    let credit = match item.combine {
        Combine::Sum => "sum",
        Combine::All => "all",
    };
    let config = Json::build().with("blanks", Json::array(blanks)).with("credit", credit).build();
    let params = Json::build().with("blanks", Json::array(params)).build();
    Some(widget("blanks", Some(params), builtin("blanks", config), Shape::Blanks(shapes), ids, losses))
}
