//! The conditions of an item as rules of version 2.
//!
//! Each variable that conditions set becomes an outcome. The score is the variable with this name or, if there is none, the
//! sum of the variables.

use std::collections::BTreeMap;

use fablegrade_public::{Decimal, Ratio};

use super::PLACE;
use crate::item::Item;
use crate::loss::Loss;
use crate::qti::model::{Expression, Model, Rule, Variable};
use crate::qti::operators::typed;
use crate::qti::value::{BaseType, Cardinality, Value, number};
use crate::xml::Element;

/// The outcome with the score.
const SCORE: &str = "SCORE";

fn variable(id: &str) -> Expression {
    Expression::built("variable", &[("identifier", id)], Vec::new(), "")
}

fn constant(base: &str, text: &str) -> Expression {
    Expression::built("baseValue", &[("baseType", base)], Vec::new(), text)
}

fn yes() -> Expression {
    constant("boolean", "true")
}

/// The responses that conditions name.
struct Named<'t, 'm> {
    model: &'m Model,
    /// The responses of labels: some conditions name the label inside a response.
    labels: BTreeMap<&'t str, &'t str>,
    /// The number of the first place of each response whose conditions name places.
    first_places: BTreeMap<&'t str, i64>,
}

impl<'t, 'm> Named<'t, 'm> {
    fn new(item: Element<'t>, model: &'m Model) -> Self {
        let mut labels = BTreeMap::new();
        for response in item.descendants().filter(|one| matches!(one.name(), "response_str" | "response_num"))
        {
            let id = response.attribute("ident").unwrap_or_default();
            for label in response.descendants().filter(|one| one.name() == "response_label") {
                labels.entry(label.attribute("ident").unwrap_or_default()).or_insert(id);
            }
        }
        let mut first_places: BTreeMap<&str, i64> = BTreeMap::new();
        for test in item.descendants().filter(|one| one.name() == "varequal") {
            if let Some(place) = place(test) {
                let first =
                    first_places.entry(test.attribute("respident").unwrap_or_default()).or_insert(place);
                *first = (*first).min(place);
            }
        }
        Self { model, labels, first_places }
    }

    /// Returns the identifier of the response that a comparison names.
    fn id(&self, comparison: Element<'t>) -> String {
        let id = comparison.attribute("respident").unwrap_or_default();
        if let (Some(place), Some(first)) = (place(comparison), self.first_places.get(id)) {
            // Some systems count places from 0.
            return format!("{id}{PLACE}{}", place.saturating_add(i64::from(*first < 1)));
        }
        let declared = self.model.responses.iter().any(|one| one.id == id);
        self.labels.get(id).filter(|_| !declared).map_or(id, |id| *id).to_owned()
    }

    /// Converts a condition to an expression.
    ///
    /// In version 1, a comparison with a missing response is false; in version 2 it is null. This matters only inside a
    /// negation, so with `negated` the result is false for a missing response.
    fn condition(&self, element: Element<'t>, negated: bool) -> Expression {
        let expression = self.comparison(element, negated);
        if negated && element.name().starts_with("var") {
            given(&self.id(element), expression)
        } else {
            expression
        }
    }

    fn comparison(&self, element: Element<'t>, negated: bool) -> Expression {
        let id = self.id(element);
        let declared = self.model.responses.iter().find(|one| one.id == id);
        let base = declared.map_or(BaseType::Text, |one| one.base);
        let value = |kind: &str| constant(kind, &element.trimmed());
        let sensitive = element.attribute("case").is_some_and(|case| case.eq_ignore_ascii_case("yes"));
        let sensitive = if sensitive { "true" } else { "false" };
        match element.name() {
            "varequal" => match (base, declared.map(|one| one.cardinality)) {
                (BaseType::Float, _) => {
                    Expression::built("equal", &[], vec![variable(&id), value("float")], "")
                }
                (BaseType::Identifier, Some(Cardinality::Single)) => {
                    Expression::built("match", &[], vec![variable(&id), value("identifier")], "")
                }
                (BaseType::Identifier, _) => {
                    Expression::built("member", &[], vec![value("identifier"), variable(&id)], "")
                }
                _ => Expression::built(
                    "stringMatch",
                    &[("caseSensitive", sensitive)],
                    vec![variable(&id), value("string")],
                    "",
                ),
            },
            // A pair of a group is written with a comma.
            "varsubset" if base == BaseType::DirectedPair => {
                let pair = constant("directedPair", &element.trimmed().replace(',', " "));
                Expression::built("member", &[], vec![pair, variable(&id)], "")
            }
            name @ ("vargte" | "vargt" | "varlte" | "varlt") => {
                Expression::built(&name[3..], &[], vec![variable(&id), value("float")], "")
            }
            "varsubstring" => Expression::built(
                "stringMatch",
                &[("caseSensitive", sensitive), ("substring", "true")],
                vec![variable(&id), value("string")],
                "",
            ),
            "unanswered" => Expression::built("isNull", &[], vec![variable(&id)], ""),
            "other" => yes(),
            "not" => {
                let inside = element.elements().map(|one| self.condition(one, true)).collect();
                Expression::built("not", &[], vec![Expression::built("or", &[], inside, "")], "")
            }
            "or" => Expression::built(
                "or",
                &[],
                element.elements().map(|one| self.condition(one, negated)).collect(),
                "",
            ),
            "and" => self.joined(element, false, negated),
            _ => Expression::built(element.name(), &[], Vec::new(), ""),
        }
    }

    /// Joins the conditions inside an element with `and`.
    ///
    /// If `loose`, several equalities of the same single-valued response are joined with `or`. Equalities of an ordered
    /// response become one comparison with their sequence. Beside the bounds of a number, its value is only the key.
    fn joined(&self, element: Element<'t>, loose: bool, negated: bool) -> Expression {
        let mut children: Vec<Element<'t>> = element.elements().collect();
        let bounded: Vec<Option<&str>> = ["varlt", "vargt"]
            .iter()
            .filter_map(|name| children.iter().find(|one| one.name().starts_with(name)))
            .map(|one| one.attribute("respident"))
            .collect();
        if bounded.len() == 2 {
            children.retain(|one| {
                one.name() != "varequal" || bounded.iter().any(|id| *id != one.attribute("respident"))
            });
        }
        let all: Vec<Expression> = children.iter().map(|one| self.condition(*one, negated)).collect();
        let first = children.first().map(|one| self.id(*one)).unwrap_or_default();
        let declared = self.model.responses.iter().find(|one| one.id == first);
        let same = children.len() > 1
            && children.iter().all(|one| one.name() == "varequal" && self.id(*one) == first);
        match declared.map(|one| one.cardinality) {
            Some(Cardinality::Ordered) if same => {
                let items = children.iter().map(|one| constant("identifier", &one.trimmed()));
                let order = Expression::built("ordered", &[], items.collect(), "");
                let matches = Expression::built("match", &[], vec![variable(&first), order], "");
                if negated { given(&first, matches) } else { matches }
            }
            Some(Cardinality::Single) if same && loose => Expression::built("or", &[], all, ""),
            _ if all.len() == 1 => all.into_iter().next().unwrap_or_else(yes),
            _ => Expression::built("and", &[], all, ""),
        }
    }
}

/// Returns the place of an ordered response that a comparison names.
fn place(comparison: Element<'_>) -> Option<i64> {
    comparison.attribute("index")?.trim().parse().ok()
}

/// Returns a comparison that is false if the response is missing.
fn given(id: &str, comparison: Expression) -> Expression {
    let is_null = Expression::built("isNull", &[], vec![variable(id)], "");
    Expression::built("and", &[], vec![Expression::built("not", &[], vec![is_null], ""), comparison], "")
}

fn name_of(one: Element<'_>) -> &str {
    one.attribute("varname").or_else(|| one.attribute("variablename")).unwrap_or(SCORE)
}

/// The variables that the conditions of an item set.
struct Variables<'t> {
    names: Vec<&'t str>,
    /// The name of the score, if a condition sets it.
    score: Option<&'t str>,
    declared: Vec<Element<'t>>,
    /// The amount of equal shares of 100 that is rounded, and their number.
    share: Option<(String, usize)>,
}

/// Returns the amount that all conditions add, and their number, if it is that share of 100, rounded.
fn rounded_share(item: Element<'_>) -> Option<(String, usize)> {
    let sets: Vec<Element<'_>> = item.descendants().filter(|one| one.name() == "setvar").collect();
    let text = sets.first()?.trimmed().into_owned();
    let adds = |one: &Element<'_>| {
        one.attribute("action").is_some_and(|action| action.eq_ignore_ascii_case("add"))
            && one.trimmed() == text
    };
    if !sets.iter().all(adds) {
        return None;
    }
    let places =
        text.split_once('.').map(|(_, places)| places.len()).filter(|places| (1..=6).contains(places))?;
    let exact = Ratio::new(100, sets.len() as u64);
    let off = number(&text)?.minus(&exact);
    let size = off.clone().max(Ratio::zero().minus(&off));
    let unit = Ratio::from_decimal(&Decimal::new(1, -(places as i32)));
    (!off.is_zero() && size < unit).then_some((text, sets.len()))
}

impl<'t> Variables<'t> {
    fn new(item: Element<'t>) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for set in item.descendants().filter(|one| one.name() == "setvar") {
            if !names.contains(&name_of(set)) && names.len() < 100 {
                names.push(name_of(set));
            }
        }
        let called = |wanted: &str| names.iter().find(|one| one.eq_ignore_ascii_case(wanted)).copied();
        let only = || names.first().filter(|_| names.len() == 1).copied();
        let score = called(SCORE).or_else(|| called("que_score")).or_else(only);
        let declared = item.descendants().filter(|one| one.name() == "decvar").collect();
        Self { score, names, declared, share: rounded_share(item) }
    }

    /// Returns the identifier of the outcome for a variable.
    fn outcome(&self, name: &str) -> String {
        if self.score == Some(name) { SCORE.to_owned() } else { format!("{name}.") }
    }

    /// Returns an attribute of the declaration of a variable.
    fn bound(&self, name: &str, attribute: &str) -> Option<Ratio> {
        let declared = self.declared.iter().find(|one| name_of(**one) == name)?;
        declared.attribute(attribute).and_then(number)
    }

    /// Returns the expression for the text of an amount: a number, a variable, or the greatest value of one.
    fn amount(&self, text: &str, of: &str) -> Expression {
        if let Some(name) = text.strip_suffix(".max") {
            let name = self.names.iter().find(|one| one.eq_ignore_ascii_case(name)).copied().unwrap_or(of);
            let most = self.bound(name, "maxvalue").filter(|most| *most > Ratio::zero());
            let most = most.unwrap_or_else(|| Ratio::new(100, 1));
            return constant("float", &typed(&most).unwrap_or_default());
        }
        match self.names.iter().find(|one| one.eq_ignore_ascii_case(text)) {
            Some(name) => variable(&self.outcome(name)),
            None if self.share.as_ref().is_some_and(|(share, _)| share == text) => {
                let parts = self.share.as_ref().map(|(_, parts)| parts.to_string()).unwrap_or_default();
                Expression::built(
                    "divide",
                    &[],
                    vec![constant("float", "100"), constant("float", &parts)],
                    "",
                )
            }
            None => constant("float", text.trim_end_matches('%')),
        }
    }
}

/// Returns the conditions of the answers of a Blackboard question with partial credit: each names an option, and sets
/// the percentage that the option earns. There are none if no option earns anything.
fn shares(item: Element<'_>, model: &Model) -> Option<Vec<Rule>> {
    let response = model.responses.first().filter(|_| model.responses.len() == 1)?;
    let options: Vec<&str> = item
        .descendants()
        .filter(|one| one.name() == "response_label")
        .filter_map(|one| one.attribute("ident"))
        .collect();
    let mut rules = Vec::new();
    for condition in item.descendants().filter(|one| one.name() == "respcondition") {
        let test = condition.child("conditionvar").and_then(|one| one.child("varequal"));
        let Some(option) = test.and_then(|one| one.attribute("respident")).filter(|id| options.contains(id))
        else {
            continue;
        };
        let amount = number(&condition.child("setvar")?.trimmed())?;
        if !amount.is_zero() {
            let member = Expression::built(
                "member",
                &[],
                vec![constant("identifier", option), variable(&response.id)],
                "",
            );
            let sum =
                Expression::built("sum", &[], vec![variable(SCORE), constant("float", &typed(&amount)?)], "");
            rules.push(Rule::If(vec![(Some(member), vec![Rule::Set(SCORE.into(), sum)])]));
        }
    }
    (!rules.is_empty()).then_some(rules)
}

fn outcome(id: &str, start: Ratio) -> Variable {
    Variable {
        id: id.to_owned(),
        cardinality: Cardinality::Single,
        base: BaseType::Float,
        default: Value::number(start),
        table: None,
        mapping: None,
    }
}

/// Returns the rules of an item, and adds the outcomes that they set and the bounds of the score to the model. With
/// `partial`, options can have shares of their own.
pub(super) fn rules(item: Element<'_>, model: &mut Model, partial: bool, losses: &mut Item) -> Vec<Rule> {
    if partial && let Some(rules) = shares(item, model) {
        model.outcomes.push(outcome(SCORE, Ratio::zero()));
        model.least = Some(Ratio::zero());
        return rules;
    }
    let variables = Variables::new(item);
    for name in &variables.names {
        let start = variables.bound(name, "defaultval").unwrap_or_else(Ratio::zero);
        model.outcomes.push(outcome(&variables.outcome(name), start));
    }
    let mut rules = converted(item, model, &variables);
    let several = variables.score.is_none() && variables.names.len() > 1;
    match variables.score {
        Some(name) => {
            model.least = variables.bound(name, "minvalue");
            model.most = variables.bound(name, "maxvalue").filter(|most| *most > Ratio::zero());
        }
        None if model.outcomes.iter().all(|one| one.id != SCORE) => {
            model.outcomes.push(outcome(SCORE, Ratio::zero()));
        }
        None => {}
    }
    let selections = model.responses.iter().any(|one| one.cardinality == Cardinality::Multiple);
    let wrong = variables.names.iter().find(|name| name.to_ascii_lowercase().ends_with("incorrect"));
    if several {
        rules.push(Rule::Set(SCORE.into(), total(&variables, selections)));
        model.least = Some(Ratio::zero());
    }
    if selections && wrong.is_some() {
        losses.losses.push(Loss::score(
            item.place(),
            "counted-selections",
            "the file counts right and wrong selections; how its system makes a score of them is not read",
            "check the scores of partly right selections",
        ));
    }
    // No bound if an amount exceeds it: some tools write points of another scale there.
    let of_score = |one: Element<'_>| variables.score.is_none_or(|score| name_of(one) == score);
    let sets = item.descendants().filter(|one| one.name() == "setvar" && of_score(*one));
    let greatest = sets.filter_map(|one| number(one.trimmed().trim_end_matches('%'))).max();
    let rounded = variables.share.is_some();
    model.most =
        model.most.take().filter(|_| !rounded).filter(|most| greatest.is_none_or(|amount| amount <= *most));
    rules
}

/// Returns the sum of the variables. Those that count wrong answers are subtracted if several options can be selected:
/// otherwise, a wrong answer is one that is not right.
fn total(variables: &Variables<'_>, selections: bool) -> Expression {
    let is_wrong = |name: &&&str| name.to_ascii_lowercase().ends_with("incorrect");
    let sum = |names: Vec<&&str>| {
        let read = names.into_iter().map(|name| variable(&variables.outcome(name)));
        Expression::built("sum", &[], read.chain([constant("float", "0")]).collect(), "")
    };
    let (wrong, right): (Vec<_>, Vec<_>) = variables.names.iter().partition(|name| is_wrong(name));
    if selections { Expression::built("subtract", &[], vec![sum(right), sum(wrong)], "") } else { sum(right) }
}

fn converted(item: Element<'_>, model: &Model, variables: &Variables<'_>) -> Vec<Rule> {
    let named = Named::new(item, model);
    let mut rules = Vec::new();
    let all: Vec<Element<'_>> = item.descendants().filter(|one| one.name() == "respcondition").collect();
    // Without points, as in Blackboard's own exports, the condition that shows the feedback `correct` is the key.
    let shows = |condition: Element<'_>| {
        condition.named("displayfeedback").any(|one| one.attribute("linkrefid") == Some("correct"))
    };
    let keyed =
        !all.iter().any(|one| one.named("setvar").any(|set| number(&set.trimmed()) != Some(Ratio::zero())));
    for element in all {
        let sets: Vec<Element<'_>> = element.named("setvar").collect();
        let continues = element.attribute("continue");
        let goes_on = continues.is_some_and(|text| text.eq_ignore_ascii_case("yes"));
        let key = keyed && sets.is_empty() && shows(element);
        // A condition without `setvar` only shows feedback and does not end processing.
        if sets.is_empty() && !key {
            continue;
        }
        let action = |set: &Element<'_>| set.attribute("action").unwrap_or("Set").to_ascii_lowercase();
        let mut inside: Vec<Rule> = sets
            .iter()
            .map(|set| {
                let name = name_of(*set);
                let id = variables.outcome(name);
                let amount = variables.amount(&set.trimmed(), name);
                let operator = match action(set).as_str() {
                    "add" => Some("sum"),
                    "subtract" => Some("subtract"),
                    "multiply" => Some("product"),
                    "divide" => Some("divide"),
                    _ => None,
                };
                let value = match operator {
                    Some(operator) => Expression::built(operator, &[], vec![variable(&id), amount], ""),
                    None => amount,
                };
                Rule::Set(id, value)
            })
            .collect();
        if key {
            inside.push(Rule::Set(SCORE.into(), constant("float", "1")));
        }
        // A condition that adds points never ends processing, whatever its attribute `continue` is. With several
        // variables, only an explicit attribute does, because each variable has conditions of its own.
        let adds = sets.iter().any(|set| action(set) == "add");
        let ends = if variables.names.len() > 1 { continues.is_some() } else { true };
        if !goes_on && !adds && ends {
            inside.push(Rule::Exit);
        }
        let holds = element.child("conditionvar").map_or_else(yes, |one| named.joined(one, true, false));
        rules.push(Rule::If(vec![(Some(holds), inside)]));
    }
    rules
}
