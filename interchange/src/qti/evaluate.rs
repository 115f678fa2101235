//! An interpreter for the rules of response and template processing.
//!
//! Numbers are exact fractions, except the results of functions such as `sin`. Runs are bounded, because every rule and
//! operator costs a step, and more if it copies or compares long values. Random draws of a template are
//! deterministic, so an item has one variant. An unsupported expression usually makes only the variables that depend on
//! it unknown.

mod comparison;

use std::collections::BTreeMap;
use std::rc::Rc;

use fablegrade_public::Ratio;

use super::candidates::Draw;
use super::model::{Declared, Expression, Model, Rule, Table, Variable};
use super::operators::{exact, float, gcd, is_small, math, power, stats};
use super::value::{Atom, BaseType, COST_BYTES, Value, floor, is_whole, number};
use crate::loss::Place;

/// The reason why processing cannot be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unsupported {
    /// The name of the unsupported element, or a description of the problem.
    pub what: String,
    /// Its place, if known.
    pub place: Place,
}

/// The maximum number of steps of a run.
const MAX_STEPS: usize = 200_000;

/// The maximum number of values in a container that an operator builds; long texts count as several.
const MAX_ITEMS: usize = 10_000;

/// The number of comparisons of values that cost a step.
pub(super) const COMPARISONS: usize = 100;

/// The number of copies of values that cost a step.
const COPIES: usize = 20;

/// The maximum number of attempts to draw values that satisfy the constraints of a template.
const MAX_DRAWS: usize = 100;

type Answer = Result<Value, Unsupported>;

/// A run of processing, with the current values of its variables.
pub(super) struct Machine<'m> {
    model: &'m Model,
    declared: Rc<Declared<'m>>,
    variables: BTreeMap<&'m str, Value>,
    responses: BTreeMap<&'m str, Value>,
    /// The correct responses, shared by the runs on all candidate responses, since rules rarely change them.
    correct: Rc<BTreeMap<&'m str, Value>>,
    defaults: Rc<BTreeMap<&'m str, Value>>,
    /// The variables with unknown values, with the reasons.
    unknown: BTreeMap<&'m str, Unsupported>,
    /// The random generator during template processing; `None` afterwards.
    draw: Option<Draw>,
    drawn: bool,
    steps: usize,
    /// The steps that a copy of the variables costs.
    size: usize,
}

/// The control flow after a rule.
enum Flow {
    On,
    Exit,
    /// A constraint does not hold, so the template must be drawn again.
    Again,
}

impl<'m> Machine<'m> {
    /// Runs template processing with different draws until all constraints hold, at most [`MAX_DRAWS`] times.
    pub(super) fn new(model: &'m Model) -> Result<Self, Unsupported> {
        let declared = Rc::new(model.declared());
        for turn in 0..MAX_DRAWS {
            let mut machine = Self {
                model,
                declared: Rc::clone(&declared),
                variables: BTreeMap::new(),
                responses: BTreeMap::new(),
                correct: Rc::new(
                    model.responses.iter().map(|one| (one.id.as_str(), one.correct.clone())).collect(),
                ),
                defaults: Rc::new(
                    model.responses.iter().map(|one| (one.id.as_str(), one.default.clone())).collect(),
                ),
                unknown: BTreeMap::new(),
                draw: Some(Draw::new(turn as u64)),
                drawn: false,
                steps: 0,
                size: 0,
            };
            for variable in model.templates.iter().chain(&model.outcomes) {
                machine.variables.insert(&variable.id, variable.default.clone());
            }
            if let Flow::Again = machine.run(&model.template_rules)? {
                continue;
            }
            machine.draw = None;
            let costs = machine.variables.values().map(|value| value.cost() / COPIES);
            machine.size = costs.fold(machine.variables.len(), usize::saturating_add);
            return Ok(machine);
        }
        Err(Unsupported { what: "templateConstraint".into(), place: Place::default() })
    }

    /// Returns the declarations by identifier.
    pub(super) fn declared(&self) -> &Declared<'m> {
        &self.declared
    }

    /// Returns whether template processing drew values at random.
    pub(super) fn is_random(&self) -> bool {
        self.drawn
    }

    /// Returns the reason why the value of a variable is unknown; `None` if it is known.
    pub(super) fn unknown(&self, id: &str) -> Option<&Unsupported> {
        self.unknown.get(id)
    }

    /// Returns the correct response of a variable, after template processing.
    pub(super) fn correct(&self, id: &str) -> &Value {
        self.correct.get(id).unwrap_or(&Value::Null)
    }

    /// Returns the value of a template or outcome variable, after template processing.
    pub(super) fn variable(&self, id: &str) -> Option<&Value> {
        self.variables.get(id)
    }

    /// Runs response processing on responses and returns an outcome and the cost of the run.
    pub(super) fn outcome(
        &self,
        id: &str,
        responses: &BTreeMap<String, Value>,
    ) -> Result<(Value, usize), Unsupported> {
        self.outcome_after(id, &[responses])
    }

    /// Works like `outcome` for a sequence of attempts, between which outcomes keep their values.
    pub(super) fn outcome_after(
        &self,
        id: &str,
        attempts: &[&BTreeMap<String, Value>],
    ) -> Result<(Value, usize), Unsupported> {
        let mut machine = self.before_responses();
        for responses in attempts {
            machine.take(responses);
            if let Some(rules) = &self.model.rules {
                machine.run(rules)?;
            }
        }
        let cost = machine.steps.saturating_add(machine.size).saturating_add(machine.responses.len());
        Ok((machine.read_variable(id)?, cost))
    }

    /// Returns a machine in the state after template processing.
    fn before_responses(&self) -> Self {
        Machine {
            model: self.model,
            declared: Rc::clone(&self.declared),
            variables: self.variables.clone(),
            responses: BTreeMap::new(),
            correct: Rc::clone(&self.correct),
            defaults: Rc::clone(&self.defaults),
            unknown: self.unknown.clone(),
            draw: None,
            drawn: false,
            steps: 0,
            size: self.size,
        }
    }

    /// Replaces the responses.
    fn take(&mut self, responses: &BTreeMap<String, Value>) {
        for response in &self.model.responses {
            let given = responses.get(&response.id).cloned().unwrap_or(Value::Null);
            self.responses.insert(&response.id, given);
        }
    }

    /// Evaluates an expression of the response processing on responses, before any rule has run.
    pub(super) fn expression(
        &self,
        expression: &'m Expression,
        responses: &BTreeMap<String, Value>,
    ) -> Answer {
        let mut machine = self.before_responses();
        machine.take(responses);
        machine.value(expression)
    }

    fn run(&mut self, rules: &'m [Rule]) -> Result<Flow, Unsupported> {
        for rule in rules {
            self.step()?;
            match rule {
                Rule::If(branches) => {
                    for (condition, inside) in branches {
                        let holds = match condition.as_ref().map(|condition| self.value(condition)) {
                            Some(Ok(value)) => value.as_bool() == Some(true),
                            Some(Err(problem)) => {
                                self.mark_unknown(branches, &problem)?;
                                break;
                            }
                            None => true,
                        };
                        if holds {
                            match self.run(inside)? {
                                Flow::On => {}
                                end => return Ok(end),
                            }
                            break;
                        }
                    }
                }
                Rule::Set(id, value) => {
                    let value = self.value(value);
                    self.enter(id, value)?;
                }
                Rule::SetCorrect(id, value) => {
                    let value = self.value(value)?;
                    if let Some(response) = self.declared.responses.get(id.as_str()) {
                        Rc::make_mut(&mut self.correct).insert(&response.id, value);
                    }
                }
                Rule::SetDefault(id, value) => {
                    let value = self.value(value)?;
                    if let Some(response) = self.declared.responses.get(id.as_str()) {
                        Rc::make_mut(&mut self.defaults).insert(&response.id, value);
                    }
                }
                Rule::SetResponse(id, value) => {
                    let value = match value {
                        Some(value) => self.value(value)?,
                        None => self.defaults.get(id.as_str()).cloned().unwrap_or(Value::Null),
                    };
                    if let Some(response) = self.declared.responses.get(id.as_str()) {
                        self.responses.insert(&response.id, value);
                    }
                }
                Rule::Lookup(id, value) => {
                    let value = self.value(value).and_then(|value| self.look_up(id, &value));
                    self.enter(id, value)?;
                }
                Rule::Constraint(condition) => {
                    if self.value(condition)?.as_bool() != Some(true) {
                        return Ok(Flow::Again);
                    }
                }
                Rule::Group(rules) => match self.run(rules)? {
                    Flow::On => {}
                    end => return Ok(end),
                },
                Rule::Exit => return Ok(Flow::Exit),
                Rule::Include(what, place) | Rule::Unknown(what, place) => {
                    return Err(Unsupported { what: what.clone(), place: place.clone() });
                }
            }
        }
        Ok(Flow::On)
    }

    /// Sets a variable, or records why its value is unknown. Running out of steps is an error.
    fn enter(&mut self, id: &str, value: Answer) -> Result<(), Unsupported> {
        let Some(declared) = self.variable_named(id).map(|variable| variable.id.as_str()) else {
            return Ok(());
        };
        match value {
            Ok(value) => {
                self.unknown.remove(declared);
                self.assign(id, value);
            }
            Err(problem) if self.steps > MAX_STEPS => return Err(problem),
            Err(problem) => {
                self.unknown.insert(declared, problem);
            }
        }
        Ok(())
    }

    /// Returns the declaration of an outcome or template variable.
    fn variable_named(&self, id: &str) -> Option<&'m Variable> {
        self.declared.outcomes.get(id).or_else(|| self.declared.templates.get(id)).copied()
    }

    /// Marks as unknown all variables that the branches of a condition set. Other rules in them are an error.
    fn mark_unknown(
        &mut self,
        branches: &'m [(Option<Expression>, Vec<Rule>)],
        problem: &Unsupported,
    ) -> Result<(), Unsupported> {
        for rule in branches.iter().flat_map(|(_, rules)| rules) {
            self.step()?;
            match rule {
                Rule::Set(id, _) | Rule::Lookup(id, _) => self.enter(id, Err(problem.clone()))?,
                Rule::If(inner) => self.mark_unknown(inner, problem)?,
                Rule::Group(rules) if rules.is_empty() => {}
                _ => return Err(problem.clone()),
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Unsupported> {
        self.spend(1)
    }

    /// Counts the steps of an operator that may compare each of `a` values with each of `b` values.
    fn compare(&mut self, a: usize, b: usize) -> Result<(), Unsupported> {
        self.spend(a.saturating_mul(b) / COMPARISONS)
    }

    /// Counts the steps of a value that an operator copies or builds.
    fn charged(&mut self, value: Value) -> Answer {
        self.spend(value.cost() / COPIES)?;
        Ok(value)
    }

    fn spend(&mut self, steps: usize) -> Result<(), Unsupported> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS {
            return Err(Unsupported { what: "too many steps".into(), place: Place::default() });
        }
        Ok(())
    }

    fn assign(&mut self, id: &str, value: Value) {
        let Some(declared) = self.variable_named(id) else {
            // Rules can set built-in variables (`completionStatus`) or undeclared ones, which always read as null.
            return;
        };
        let value = match (declared.base, value) {
            (BaseType::Integer, Value::One(Atom::Number(ratio))) if !is_whole(&ratio) => {
                Value::number(floor(&ratio).map_or_else(Ratio::zero, |whole| Ratio::new(whole, 1)))
            }
            (_, value) => value,
        };
        self.variables.insert(&declared.id, value);
    }

    fn look_up(&mut self, id: &str, value: &Value) -> Answer {
        let table = self.declared.outcomes.get(id).and_then(|variable| variable.table.as_ref());
        table.map_or(Ok(Value::Null), |table| self.look_up_in(table, value))
    }

    fn look_up_in(&mut self, table: &Table, value: &Value) -> Answer {
        self.compare(1, table.len())?;
        self.charged(value.as_number().map_or(Value::Null, |source| table.look_up(&source)))
    }

    fn read_variable(&self, id: &str) -> Answer {
        let id = id.trim();
        if let Some(problem) = self.unknown.get(id) {
            return Err(problem.clone());
        }
        Ok(self.responses.get(id).or_else(|| self.variables.get(id)).cloned().unwrap_or(Value::Null))
    }

    /// Draws an index below `count`; `None` outside of template processing.
    fn drawn_of(&mut self, count: usize) -> Option<usize> {
        self.drawn |= count > 1;
        self.draw.as_mut().map(|draw| draw.below(count))
    }

    /// Draws a number between two bounds: the lower bound plus a multiple of `step`. Returns `None` if this is
    /// impossible.
    fn drawn_between(&mut self, low: &Ratio, high: &Ratio, step: &Ratio) -> Option<Ratio> {
        let count = floor(&high.minus(low).over(step)?)?;
        let count = usize::try_from(count).ok()?.checked_add(1)?;
        let at = self.drawn_of(count)?;
        Some(low.plus(&step.times(&Ratio::new(i64::try_from(at).ok()?, 1))))
    }

    /// Returns the number in an attribute, or the value of the variable that it names.
    fn attribute_number(&self, expression: &Expression, name: &str) -> Option<Ratio> {
        let text = expression.attribute(name)?.trim();
        number(text).or_else(|| self.read_variable(text).ok()?.as_number())
    }

    /// Evaluates an expression.
    ///
    /// Operators have separate functions, which keeps the stack frames of this recursive function small.
    fn value(&mut self, expression: &'m Expression) -> Answer {
        self.step()?;
        let name = expression.name.as_str();
        if matches!(name, "and" | "or") {
            // Arguments after the first that decides the result are not evaluated.
            let mut unknown = false;
            for argument in &expression.arguments {
                match self.value(argument)?.as_bool() {
                    Some(value) if value == (name == "or") => return Ok(Value::bool(value)),
                    Some(_) => {}
                    None => unknown = true,
                }
            }
            return Ok(if unknown { Value::Null } else { Value::bool(name == "and") });
        }
        if let Some(answer) = self.without_arguments(expression) {
            return answer.and_then(|value| self.charged(value));
        }
        let mut arguments = Vec::with_capacity(expression.arguments.len());
        for argument in &expression.arguments {
            arguments.push(self.value(argument)?);
        }
        self.apply(expression, &arguments).and_then(|value| self.charged(value))
    }

    /// Evaluates an operator without arguments; `None` for other operators.
    #[inline(never)]
    fn without_arguments(&mut self, expression: &'m Expression) -> Option<Answer> {
        let unsupported = || Unsupported { what: expression.name.clone(), place: expression.place.clone() };
        let name = expression.name.as_str();
        let identifier = expression.attribute("identifier").unwrap_or_default().trim();
        Some(match name {
            "variable" => self.read_variable(identifier),
            "correct" => Ok(self.correct.get(identifier).cloned().unwrap_or(Value::Null)),
            "default" => {
                let response = self.defaults.get(identifier);
                let other = || self.variable_named(identifier).map(|one| &one.default);
                Ok(response.or_else(other).cloned().unwrap_or(Value::Null))
            }
            "baseValue" => {
                if let Err(problem) = self.spend(expression.text.len() / (COST_BYTES * COPIES)) {
                    return Some(Err(problem));
                }
                let base = BaseType::from_name(expression.attribute("baseType").unwrap_or("string"));
                Ok(Atom::read(&expression.text, base).map_or(Value::Null, Value::One))
            }
            "null" => Ok(Value::Null),
            "mapResponse" => self.map_response(identifier, expression),
            "mapOutcome" => self.map_outcome(identifier).unwrap_or_else(|| Err(unsupported())),
            "randomInteger" | "randomFloat" => {
                let bound = |name: &str| self.attribute_number(expression, name);
                let (low, high) = (bound("min").unwrap_or_else(Ratio::zero), bound("max"));
                let step = if name == "randomFloat" {
                    // Three decimals are enough to distinguish values.
                    Some(Ratio::new(1, 1_000))
                } else {
                    Some(bound("step").unwrap_or_else(Ratio::one)).filter(|step| *step > Ratio::zero())
                };
                let drawn = high.zip(step).and_then(|(high, step)| self.drawn_between(&low, &high, &step));
                drawn.map(Value::number).ok_or_else(unsupported)
            }
            "mathConstant" => match expression.attribute("name").unwrap_or_default() {
                "pi" => Ok(float(std::f64::consts::PI)),
                "e" => Ok(float(std::f64::consts::E)),
                _ => Err(unsupported()),
            },
            _ => return None,
        })
    }

    /// Applies an operator to its arguments.
    #[allow(clippy::cognitive_complexity)]
    #[inline(never)]
    fn apply(&mut self, expression: &'m Expression, arguments: &[Value]) -> Answer {
        let unsupported = || Unsupported { what: expression.name.clone(), place: expression.place.clone() };
        let name = expression.name.as_str();
        let first = arguments.first().cloned().unwrap_or(Value::Null);
        let second = arguments.get(1).cloned().unwrap_or(Value::Null);
        let numbers = || -> Option<Vec<Ratio>> {
            let mut all = Vec::new();
            for argument in arguments {
                match argument {
                    Value::One(Atom::Number(ratio)) => all.push(ratio.clone()),
                    Value::Many(_, items) => {
                        for item in items {
                            let Atom::Number(ratio) = item else { return None };
                            all.push(ratio.clone());
                        }
                    }
                    _ => return None,
                }
            }
            Some(all)
        };
        if matches!(name, "match" | "member" | "delete" | "contains") {
            self.compare(first.size(), second.size())?;
        }
        let any_null = arguments.iter().any(Value::is_null);
        let two = || first.as_number().zip(second.as_number());
        let answer = |value: Option<Ratio>| value.filter(is_small).map_or(Value::Null, Value::number);
        Ok(match name {
            "lookupTable" => {
                let table = expression.table.as_deref().ok_or_else(unsupported)?;
                self.look_up_in(table, &first)?
            }
            "random" => {
                let all: Vec<Atom> = arguments.iter().flat_map(Value::items).collect();
                if all.is_empty() {
                    return Ok(Value::Null);
                }
                let at = self.drawn_of(all.len()).ok_or_else(unsupported)?;
                Value::One(all[at].clone())
            }
            "multiple" | "ordered" => {
                if arguments.iter().fold(0, |sum: usize, one| sum.saturating_add(one.cost())) > MAX_ITEMS {
                    return Err(unsupported());
                }
                let items: Vec<Atom> = arguments
                    .iter()
                    .filter(|one| !matches!(one, Value::Null))
                    .flat_map(Value::items)
                    .collect();
                if items.is_empty() { Value::Null } else { Value::Many(name == "ordered", items) }
            }
            "repeat" => {
                let times =
                    self.attribute_number(expression, "numberRepeats").as_ref().and_then(floor).unwrap_or(0);
                let items: Vec<Atom> = arguments.iter().flat_map(Value::items).collect();
                let times = usize::try_from(times).unwrap_or(0);
                let cost: usize = items.iter().map(Atom::cost).sum();
                if times.saturating_mul(cost) > MAX_ITEMS {
                    return Err(unsupported());
                }
                if times == 0 || items.is_empty() {
                    Value::Null
                } else {
                    Value::Many(true, items.iter().cycle().take(items.len() * times).cloned().collect())
                }
            }
            "containerSize" => Value::number(Ratio::new(first.items().len() as i64, 1)),
            "isNull" => Value::bool(first.is_null()),
            "isNotNull" => Value::bool(!first.is_null()),
            "index" => {
                let at = self.attribute_number(expression, "n").as_ref().and_then(floor).unwrap_or(0);
                let item = at
                    .checked_sub(1)
                    .and_then(|at| usize::try_from(at).ok())
                    .and_then(|at| first.items().get(at).cloned());
                item.map_or(Value::Null, Value::One)
            }
            "fieldValue" => match &first {
                Value::Record(fields) => {
                    let wanted = expression.attribute("fieldIdentifier").unwrap_or_default();
                    let found = fields.iter().find(|(name, _)| name == wanted);
                    found.map_or(Value::Null, |(_, atom)| Value::One(atom.clone()))
                }
                _ => Value::Null,
            },
            _ if any_null && name != "anyN" => Value::Null,
            "not" => first.as_bool().map_or(Value::Null, |value| Value::bool(!value)),
            "anyN" => {
                let bound = |name: &str| self.attribute_number(expression, name).as_ref().and_then(floor);
                let (Some(least), Some(most)) = (bound("min"), bound("max")) else { return Ok(Value::Null) };
                let yes = arguments.iter().filter(|one| one.as_bool() == Some(true)).count() as i64;
                let open = arguments.iter().filter(|one| one.as_bool().is_none()).count() as i64;
                match (yes >= least && yes + open <= most, yes > most || yes + open < least) {
                    (true, _) => Value::bool(true),
                    (_, true) => Value::bool(false),
                    _ => Value::Null,
                }
            }
            "match" => Value::bool(first.same(&second)),
            "member" => Value::bool(
                first.items().iter().all(|wanted| second.items().iter().any(|one| one.same(wanted))),
            ),
            "delete" => {
                let gone = first.items();
                let ordered = matches!(second, Value::Many(true, _));
                let left: Vec<Atom> = second
                    .items()
                    .into_iter()
                    .filter(|one| !gone.iter().any(|other| other.same(one)))
                    .collect();
                if left.is_empty() { Value::Null } else { Value::Many(ordered, left) }
            }
            "contains" => {
                let (whole, part) = (first.items(), second.items());
                let found = if matches!(first, Value::Many(true, _)) {
                    whole
                        .windows(part.len().max(1))
                        .any(|window| window.iter().zip(&part).all(|(a, b)| a.same(b)))
                } else {
                    let mut left = whole;
                    part.iter().all(|wanted| match left.iter().position(|one| one.same(wanted)) {
                        Some(at) => {
                            left.swap_remove(at);
                            true
                        }
                        None => false,
                    })
                };
                Value::bool(found)
            }
            "substring" | "stringMatch" => {
                let (Some(a), Some(b)) = (first.as_text(), second.as_text()) else { return Ok(Value::Null) };
                let sensitive =
                    expression.attribute("caseSensitive").is_none_or(|text| text.trim() != "false");
                let (a, b) = if sensitive {
                    (a.to_owned(), b.to_owned())
                } else {
                    (a.to_lowercase(), b.to_lowercase())
                };
                let part = expression.attribute("substring").is_some_and(|text| text.trim() == "true");
                Value::bool(match name {
                    "substring" => b.contains(&a),
                    _ if part => a.contains(&b),
                    _ => a == b,
                })
            }
            "lt" | "gt" | "lte" | "gte" | "durationLT" | "durationGTE" => {
                let Some((a, b)) = two() else { return Ok(Value::Null) };
                Value::bool(match name {
                    "lt" | "durationLT" => a < b,
                    "gt" => a > b,
                    "lte" => a <= b,
                    _ => a >= b,
                })
            }
            "equal" => {
                let Some((a, b)) = two() else { return Ok(Value::Null) };
                return self.equal(expression, &a, &b).map(Value::bool).ok_or_else(unsupported);
            }
            "equalRounded" => {
                let Some((a, b)) = two() else { return Ok(Value::Null) };
                let (Some(a), Some(b)) = (self.rounded(expression, &a), self.rounded(expression, &b)) else {
                    return Err(unsupported());
                };
                Value::bool(a == b)
            }
            "roundTo" => answer(first.as_number().and_then(|a| self.rounded(expression, &a))),
            "sum" => answer(numbers().and_then(|all| {
                all.iter().try_fold(Ratio::zero(), |sum, one| Some(sum.plus(one)).filter(is_small))
            })),
            "product" => answer(numbers().and_then(|all| {
                all.iter().try_fold(Ratio::one(), |product, one| Some(product.times(one)).filter(is_small))
            })),
            "max" | "min" => {
                answer(numbers().and_then(|all| {
                    if name == "max" { all.into_iter().max() } else { all.into_iter().min() }
                }))
            }
            "subtract" => answer(two().map(|(a, b)| a.minus(&b))),
            "divide" => answer(two().and_then(|(a, b)| a.over(&b))),
            "integerDivide" => {
                answer(two().and_then(|(a, b)| floor(&a.over(&b)?)).map(|whole| Ratio::new(whole, 1)))
            }
            "integerModulus" => answer(two().and_then(|(a, b)| {
                let whole = floor(&a.over(&b)?)?;
                Some(a.minus(&b.times(&Ratio::new(whole, 1))))
            })),
            "power" => answer(two().and_then(|(a, b)| power(&a, &b))),
            "truncate" => answer(first.as_number().and_then(|a| {
                let negative = a < Ratio::zero();
                let whole = floor(&if negative { Ratio::zero().minus(&a) } else { a })?;
                Some(Ratio::new(if negative { -whole } else { whole }, 1))
            })),
            "round" => answer(
                first
                    .as_number()
                    .and_then(|a| floor(&a.plus(&Ratio::new(1, 2))))
                    .map(|whole| Ratio::new(whole, 1)),
            ),
            "integerToFloat" => first,
            "gcd" | "lcm" => answer(numbers().and_then(|all| {
                let wholes: Option<Vec<i64>> =
                    all.iter().map(|one| one.to_fraction_text().parse().ok()).collect();
                let mut wholes = wholes?.into_iter().map(i64::unsigned_abs);
                let start = wholes.next()?;
                let found = wholes.try_fold(start, |a, b| {
                    let divisor = gcd(a, b);
                    match a.checked_div(divisor) {
                        _ if name == "gcd" => Some(divisor),
                        None => Some(0),
                        Some(share) => share.checked_mul(b),
                    }
                })?;
                Some(Ratio::new(i64::try_from(found).ok()?, 1))
            })),
            "mathOperator" => {
                let function = expression.attribute("name").unwrap_or_default();
                if let Some(found) = first.as_number().and_then(|a| exact(function, &a)) {
                    return Ok(Value::number(found));
                }
                let Some(a) = first.as_number().map(|a| a.to_f64()) else { return Ok(Value::Null) };
                let b = second.as_number().map(|b| b.to_f64());
                float(math(function, a, b).ok_or_else(unsupported)?)
            }
            "statsOperator" => {
                let Some(all) = numbers().filter(|all| !all.is_empty()) else { return Ok(Value::Null) };
                stats(expression.attribute("name").unwrap_or_default(), &all).ok_or_else(unsupported)?
            }
            _ => return Err(unsupported()),
        })
    }
}
