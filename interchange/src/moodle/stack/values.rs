//! The values of question variables.
//!
//! Names are substituted. Functions are evaluated if their value is equal to that of an argument, or can be computed
//! without a computer algebra system.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::derivative::derivative;
use super::form::{is_reduced, stays};
use super::maxima::{Expr, QUOTE, Statement};
use super::numbers::Number;
use super::random::Random;

/// The values of names. A name with an unknown value has the value `None`.
#[derive(Debug, Default)]
pub(super) struct Values {
    names: BTreeMap<String, Option<Expr>>,
    functions: BTreeMap<String, Option<(Vec<String>, Expr)>>,
    /// Names whose value was computed, so its form is unknown.
    computed: BTreeSet<String>,
    /// The question's functions that draw random numbers.
    drawing: BTreeSet<String>,
    /// Whether a random function was used.
    pub(super) random: bool,
    /// The generator while the variables of a variant are computed; `None` if the next draw is unknown.
    source: RefCell<Option<Random>>,
    /// Whether arithmetic is evaluated: Maxima's flag `simp`.
    simplifies: bool,
    /// The total size that can still be evaluated.
    left: Cell<usize>,
}

/// The maximum size of a value: the number of its nodes, where a long name or text counts as several.
const MAX_SIZE: usize = 2_000;
/// The maximum total size of all values that are evaluated for a variant. Further values are unknown.
const MAX_TOTAL: usize = 500_000;
/// The number of bytes of a name, number or text that count as a node.
const NODE_BYTES: usize = 64;
/// The maximum depth of recursion.
pub(super) const MAX_DEPTH: usize = 60;
/// The limit on the length of a generated list.
const MAX_LIST: i128 = 200;

/// Functions whose value is taken to be equal to their first argument.
const SAME_VALUE: &[&str] = &[
    "factor",
    "expand",
    "ratsimp",
    "fullratsimp",
    "rat",
    "radcan",
    "trigsimp",
    "trigreduce",
    "trigexpand",
    "simplify",
    "ratexpand",
    "ratdisrep",
    "partfrac",
    "distrib",
    "exp2",
    "noun_simp",
    "logcontract",
    "facsum",
    "expandwrt",
    "collectterms",
    "facplus",
    "xthru",
    "gfactor",
    "comdeno",
    "nounify",
    "verbify",
    "rootscontract",
];

fn random(name: &str) -> bool {
    name.starts_with("rand") || name.starts_with("multisel") || matches!(name, "stack_seed" | "stack_include")
}

/// Functions that change or remove the values of names in their arguments.
const CHANGES: &[&str] = &[
    "kill",
    "remvalue",
    "remfunction",
    "remove",
    "reset",
    "define",
    "push",
    "pop",
    "assign",
    "translate",
    "subvar",
    "tellsimp",
    "tellsimpafter",
    "let",
];

/// Arguments of these functions that stand for all names.
const ALL_NAMES: &[&str] = &["all", "allbut", "values", "functions", "arrays"];

impl Values {
    /// Makes the names in a statement unknown if it calls a function that changes values.
    fn change(&mut self, names: &[String]) {
        if names.iter().any(|name| name == "depends" || name == "gradef") {
            // Derivatives no longer follow from the expression alone.
            self.functions.insert("diff".to_owned(), None);
        }
        if !names.iter().any(|name| CHANGES.contains(&name.as_str())) {
            return;
        }
        if names.iter().any(|name| ALL_NAMES.contains(&name.as_str())) {
            self.names.values_mut().for_each(|value| *value = None);
            self.functions.values_mut().for_each(|function| *function = None);
        }
        for name in names {
            self.names.insert(name.clone(), None);
            self.functions.insert(name.clone(), None);
        }
    }

    /// Returns whether evaluation changes nothing in an expression, so that a quote has no effect.
    fn is_inert(&self, expr: &Expr, locals: &[(String, Expr)]) -> bool {
        let go = |expr: &Expr| self.is_inert(expr, locals);
        match expr {
            Expr::Number(_) | Expr::Text(_) => true,
            Expr::Name(name) => {
                !self.names.contains_key(name) && locals.iter().all(|(known, _)| known != name)
            }
            Expr::List(items) | Expr::Set(items) => items.iter().all(go),
            Expr::Binary(_, a, b) => go(a) && go(b),
            Expr::Negative(inner) | Expr::Not(inner) | Expr::Factorial(inner) => go(inner),
            // A quoted call is a noun, such as an unevaluated derivative.
            Expr::Call(..) | Expr::Index(..) => false,
        }
    }

    /// Evaluates the statements, for the variant of a seed if there is one.
    ///
    /// `simplifies` is the initial value of the flag `simp`.
    pub(super) fn new(statements: Vec<Statement>, seed: Option<u32>, simplifies: bool) -> Self {
        let source = RefCell::new(seed.map(Random::new));
        let mut values = Self { source, simplifies, left: Cell::new(MAX_TOTAL), ..Self::default() };
        for statement in statements {
            let mut used = Vec::new();
            match &statement {
                Statement::Assign(_, expr) | Statement::Define(_, _, expr) | Statement::Expression(expr) => {
                    names_of(expr, &mut used);
                }
                Statement::Unread { names, .. } => used.clone_from(names),
            }
            match statement {
                Statement::Assign(flag, Expr::Name(to)) if flag == "simp" => values.simplifies = to == "true",
                Statement::Assign(name, expr) => {
                    let value = values.drawn(&expr);
                    if values.is_computed(&expr) {
                        values.computed.insert(name.clone());
                    } else {
                        values.computed.remove(&name);
                    }
                    values.names.insert(name, value);
                }
                Statement::Define(name, parameters, body) => {
                    values.random |= uses_random(&body);
                    if values.draws(&body) {
                        values.drawing.insert(name.clone());
                    }
                    values.functions.insert(name, Some((parameters, body)));
                }
                Statement::Expression(expr) => {
                    values.drawn(&expr);
                }
                Statement::Unread { assigned, names } => {
                    if names.iter().any(|name| random(name) || values.drawing.contains(name)) {
                        values.random = true;
                        values.source.replace(None);
                    }
                    for name in assigned {
                        values.names.insert(name.clone(), None);
                        values.functions.insert(name, None);
                    }
                }
            }
            values.change(&used);
        }
        values.source.replace(None);
        values
    }

    /// Returns the value of an expression that may draw. If it draws and its value is unknown, later draws are unknown
    /// too.
    fn drawn(&mut self, expr: &Expr) -> Option<Expr> {
        let draws = self.draws(expr);
        self.random |= draws && uses_random(expr);
        let value = self.value(expr);
        if draws && value.is_none() {
            self.source.replace(None);
        }
        value
    }

    /// Returns whether an expression may draw random numbers, directly or by functions of the question.
    fn draws(&self, expr: &Expr) -> bool {
        let go = |expr: &Expr| self.draws(expr);
        let named = |name: &String| random(name) || self.drawing.contains(name);
        match expr {
            Expr::Name(name) => named(name),
            Expr::Call(name, items) => named(name) || items.iter().any(go),
            Expr::List(items) | Expr::Set(items) => items.iter().any(go),
            Expr::Binary(_, a, b) => go(a) || go(b),
            Expr::Negative(inner) | Expr::Not(inner) | Expr::Factorial(inner) => go(inner),
            Expr::Index(inner, places) => go(inner) || places.iter().any(go),
            Expr::Number(_) | Expr::Text(_) => false,
        }
    }

    /// Returns whether the value of an expression in Maxima may differ in form from the expression.
    ///
    /// Functions that compute and the simplification of numbers can change the form.
    pub(super) fn is_computed(&self, expr: &Expr) -> bool {
        let go = |expr: &Expr| self.is_computed(expr);
        match expr {
            Expr::Number(_) | Expr::Text(_) => false,
            Expr::Name(name) => self.computed.contains(name),
            // A quote prevents the evaluation of names, and keeps the form.
            Expr::Call(name, items) if name == QUOTE => items.iter().any(go),
            Expr::Call(name, arguments) => match arguments.as_slice() {
                [argument] => !stays(name, unquoted(argument)) || go(argument),
                _ => true,
            },
            Expr::List(items) | Expr::Set(items) => items.iter().any(go),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (unquoted(a), unquoted(b));
                let numbers = numeric(a).is_some() && numeric(b).is_some();
                let reduced = *operator == "/" && is_reduced(a, b);
                let repeated = matches!(*operator, "+" | "-" | "*" | "/") && a == b;
                (numbers && !reduced) || repeated || go(a) || go(b)
            }
            Expr::Negative(inner) | Expr::Not(inner) | Expr::Factorial(inner) => go(inner),
            Expr::Index(..) => true,
        }
    }

    /// Returns the value of an expression; `None` if it is unknown.
    pub(super) fn value(&self, expr: &Expr) -> Option<Expr> {
        let most = MAX_SIZE.min(self.left.get());
        let mut left = most;
        let value = self.reduce(expr, &[], &mut left, 0);
        self.left.set(self.left.get() - (most - left));
        value.filter(|value| size(value) <= MAX_SIZE)
    }

    fn reduce(&self, expr: &Expr, locals: &[(String, Expr)], left: &mut usize, depth: usize) -> Option<Expr> {
        if depth > MAX_DEPTH {
            return None;
        }
        *left = left.checked_sub(own_size(expr))?;
        let mut go = |expr: &Expr| self.reduce(expr, locals, left, depth + 1);
        Some(match expr {
            Expr::Number(_) | Expr::Text(_) => expr.clone(),
            Expr::Name(name) => {
                let local = locals.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
                let value = match local {
                    Some(value) => value,
                    None => match self.names.get(name) {
                        Some(value) => value.clone()?,
                        None => return Some(expr.clone()),
                    },
                };
                *left = left.checked_sub(size(&value))?;
                value
            }
            Expr::List(items) => Expr::List(items.iter().map(&mut go).collect::<Option<_>>()?),
            Expr::Set(items) => Expr::Set(items.iter().map(&mut go).collect::<Option<_>>()?),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (go(a)?, go(b)?);
                if self.simplifies { simplified(operator, a, b) } else { binary(operator, a, b) }
            }
            Expr::Negative(inner) => match go(inner)? {
                Expr::Negative(inner) if self.simplifies => *inner,
                inner => Expr::Negative(Box::new(inner)),
            },
            Expr::Not(inner) => Expr::Not(Box::new(go(inner)?)),
            Expr::Factorial(inner) => Expr::Factorial(Box::new(go(inner)?)),
            Expr::Index(inner, places) => {
                // If both the list and the index draw, the order of the draws is unknown.
                if self.draws(inner) && places.iter().any(|place| self.draws(place)) {
                    return None;
                }
                let inner = go(inner)?;
                let places: Vec<Expr> = places.iter().map(&mut go).collect::<Option<_>>()?;
                let mut found = inner;
                for place in &places {
                    let (Expr::List(items) | Expr::Call(_, items)) = &found else { return None };
                    if matches!(&found, Expr::Call(name, _) if name != "matrix") {
                        return None;
                    }
                    let place = usize::try_from(Number::of(place)?.whole()?).ok()?;
                    found = items.get(place.checked_sub(1)?)?.clone();
                }
                found
            }
            Expr::Call(name, arguments) => {
                if name == QUOTE {
                    let quoted = arguments.first().filter(|quoted| self.is_inert(quoted, locals))?;
                    return go(quoted);
                }
                if random(name) {
                    let arguments: Vec<Expr> = arguments.iter().map(&mut go).collect::<Option<_>>()?;
                    return self.source.borrow_mut().as_mut()?.call(name, &arguments);
                }
                if let ("makelist", [body, Expr::Name(index), low, high]) =
                    (name.as_str(), arguments.as_slice())
                {
                    let (low, high) = (Number::of(&go(low)?)?.whole()?, Number::of(&go(high)?)?.whole()?);
                    if high.checked_sub(low)? > MAX_LIST {
                        return None;
                    }
                    let mut items = Vec::new();
                    for value in low..=high {
                        let mut bound = locals.to_vec();
                        bound.insert(0, (index.clone(), Number::Exact(value, 1).expr()));
                        items.push(self.reduce(body, &bound, left, depth + 1)?);
                    }
                    return Some(Expr::List(items));
                }
                // The number and order of draws inside these functions are unknown.
                let flags = |options: &[Expr]| options.iter().all(|option| matches!(option, Expr::Name(_)));
                let own = match (name.as_str(), arguments.as_slice()) {
                    ("ev", [_, options @ ..]) => !flags(options),
                    ("lambda" | "makelist" | "block" | "apply" | "map" | "sum" | "maplist", _) => true,
                    _ => false,
                };
                if own && arguments.iter().any(|argument| self.draws(argument)) {
                    return None;
                }
                if let Some(function) = self.functions.get(name) {
                    let (parameters, body) = function.as_ref()?;
                    if parameters.len() != arguments.len() {
                        return None;
                    }
                    let values: Vec<Expr> = arguments.iter().map(&mut go).collect::<Option<_>>()?;
                    let bound: Vec<(String, Expr)> = parameters.iter().cloned().zip(values).collect();
                    return self.reduce(body, &bound, left, depth + 1);
                }
                let arguments: Vec<Expr> = arguments.iter().map(&mut go).collect::<Option<_>>()?;
                call(name, arguments).filter(|value| size(value) <= MAX_SIZE)?
            }
        })
    }
}

/// Returns an operation with evaluated arithmetic and without neutral elements.
fn simplified(operator: &'static str, a: Expr, b: Expr) -> Expr {
    let (left, right) = (Number::of(&a), Number::of(&b));
    if let (Some(left), Some(right)) = (left, right)
        && let Some(value) = left.operation(operator, right)
    {
        return value.expr();
    }
    // An array times 0, or to the power of 0, is an array, so it is not simplified to a number.
    if left.is_none() && is_array(&a) || right.is_none() && is_array(&b) {
        return binary(operator, a, b);
    }
    let is = |number: Option<Number>, value: i128| number == Some(Number::Exact(value, 1));
    let (zero, one) = (number(0), number(1));
    match (operator, b) {
        ("*", _) if is(left, 0) || is(right, 0) => zero,
        ("*", b) if is(left, 1) => b,
        ("*", b) if is(left, -1) => Expr::Negative(Box::new(b)),
        ("*" | "/" | "^", _) if is(right, 1) => a,
        ("/", _) if is(left, 0) && right.is_none() => zero,
        ("^", _) if is(right, 0) || is(left, 1) => one,
        ("+", b) if is(left, 0) => b,
        ("-", b) if is(left, 0) => Expr::Negative(Box::new(b)),
        ("+" | "-", _) if is(right, 0) => a,
        ("+", Expr::Negative(b)) => binary("-", a, *b),
        ("-", Expr::Negative(b)) => binary("+", a, *b),
        (operator, b) => binary(operator, a, b),
    }
}

/// Adds the names of variables and functions in an expression.
fn names_of(expr: &Expr, names: &mut Vec<String>) {
    match expr {
        Expr::Name(name) => names.push(name.clone()),
        Expr::Call(name, items) => {
            names.push(name.clone());
            items.iter().for_each(|item| names_of(item, names));
        }
        Expr::List(items) | Expr::Set(items) => items.iter().for_each(|item| names_of(item, names)),
        Expr::Binary(_, a, b) => {
            names_of(a, names);
            names_of(b, names);
        }
        Expr::Negative(inner) | Expr::Not(inner) | Expr::Factorial(inner) => names_of(inner, names),
        Expr::Index(inner, places) => {
            names_of(inner, names);
            places.iter().for_each(|place| names_of(place, names));
        }
        Expr::Number(_) | Expr::Text(_) => {}
    }
}

/// Returns whether a value is or may be a matrix or a list, on which operations work by elements.
pub(super) fn is_array(expr: &Expr) -> bool {
    match expr {
        Expr::List(_) => true,
        Expr::Call(name, items) => name == "matrix" || items.iter().any(is_array),
        Expr::Binary("+" | "-" | "*" | "/" | "^", a, b) => is_array(a) || is_array(b),
        Expr::Negative(inner) | Expr::Factorial(inner) => is_array(inner),
        _ => false,
    }
}

fn uses_random(expr: &Expr) -> bool {
    match expr {
        Expr::Call(name, arguments) => random(name) || arguments.iter().any(uses_random),
        Expr::List(items) | Expr::Set(items) => items.iter().any(uses_random),
        Expr::Binary(_, a, b) => uses_random(a) || uses_random(b),
        Expr::Negative(inner) | Expr::Not(inner) | Expr::Factorial(inner) => uses_random(inner),
        Expr::Index(inner, places) => uses_random(inner) || places.iter().any(uses_random),
        Expr::Number(_) | Expr::Name(_) | Expr::Text(_) => false,
    }
}

/// Returns the size of a node without its operands.
fn own_size(expr: &Expr) -> usize {
    match expr {
        Expr::Number(text) | Expr::Name(text) | Expr::Text(text) | Expr::Call(text, _) => {
            1 + text.len() / NODE_BYTES
        }
        _ => 1,
    }
}

fn size(expr: &Expr) -> usize {
    own_size(expr)
        + match expr {
            Expr::Call(_, items) | Expr::List(items) | Expr::Set(items) => items.iter().map(size).sum(),
            Expr::Binary(_, a, b) => size(a) + size(b),
            Expr::Negative(inner) | Expr::Not(inner) | Expr::Factorial(inner) => size(inner),
            Expr::Index(inner, places) => size(inner) + places.iter().map(size).sum::<usize>(),
            Expr::Number(_) | Expr::Name(_) | Expr::Text(_) => 0,
        }
}

/// Evaluates a call with evaluated arguments; `None` if the function is not supported. Calls of mathematical functions
/// are kept.
fn call(name: &str, mut arguments: Vec<Expr>) -> Option<Expr> {
    let first = arguments.first().cloned();
    let item = |place: usize| match &first {
        Some(Expr::List(items)) => items.get(place).cloned(),
        _ => None,
    };
    match (name, arguments.len()) {
        (name, 1..) if SAME_VALUE.contains(&name) => first,
        ("ev", 1..) => {
            // Maxima substitutes all equations at once.
            let mut equations: Vec<(&str, &Expr)> = Vec::new();
            for option in &arguments[1..] {
                match option {
                    Expr::Name(_) => {}
                    Expr::Binary("=", from, to) => {
                        let Expr::Name(from) = &**from else { return None };
                        // A flag such as `simp=true` is not a substitution.
                        if matches!(&**to, Expr::Name(flag) if flag == "true" || flag == "false") {
                            continue;
                        }
                        equations.push((from, to));
                    }
                    _ => return None,
                }
            }
            replaced(&first?, &equations)
        }
        ("subst", 2) => match &arguments[0] {
            Expr::Binary("=", from, to) => match &**from {
                Expr::Name(from) => replaced(&arguments[1], &[(from, to)]),
                _ => None,
            },
            _ => None,
        },
        ("subst", 3) => match &arguments[1] {
            Expr::Name(from) => replaced(&arguments[2], &[(from, &arguments[0])]),
            _ => None,
        },
        // The factor is multiplied into each term.
        ("multthru", 1) => first,
        ("multthru", 2) => Some(binary("*", first?, arguments.pop()?)),
        ("lhs", 1) => match first? {
            Expr::Binary("=" | "<" | ">" | "<=" | ">=", left, _) => Some(*left),
            other => Some(other),
        },
        ("rhs", 1) => match first? {
            Expr::Binary("=" | "<" | ">" | "<=" | ">=", _, right) => Some(*right),
            _ => Some(Expr::Number("0".to_owned())),
        },
        ("first", 1) => item(0),
        ("second", 1) => item(1),
        ("third", 1) => item(2),
        ("fourth", 1) => item(3),
        ("last", 1) => match first? {
            Expr::List(mut items) => items.pop(),
            _ => None,
        },
        ("length", 1) => match first? {
            Expr::List(items) => Some(Number::Exact(items.len() as i128, 1).expr()),
            _ => None,
        },
        ("append", 1..) => {
            let mut all = Vec::new();
            for argument in arguments {
                let Expr::List(items) = argument else { return None };
                all.extend(items);
            }
            (all.len() as i128 <= MAX_LIST).then_some(Expr::List(all))
        }
        ("round", 1) => Some(Number::of(&first?)?.round()?.expr()),
        ("decimalplaces", 2) => {
            let places = Number::of(&arguments[1])?.whole().filter(|places| (0..=12).contains(places))?;
            let scale = libm::pow(10.0, places as f64);
            let rounded = Number::Float(scale * numeric(&first?)?).round()?.whole()?;
            Some(Number::Float(rounded as f64 / scale).expr())
        }
        ("float", 1) => Some(Number::Float(numeric(&first?)?).expr()),
        ("setify", 1) => match first? {
            Expr::List(items) => Some(Expr::Set(items)),
            _ => None,
        },
        ("listify", 1) => match first? {
            Expr::Set(items) => Some(Expr::List(items)),
            _ => None,
        },
        ("diff", 2) => match &arguments[1] {
            Expr::Name(variable) => derivative(&arguments[0], variable, 0),
            _ => None,
        },
        ("diff", 3) => match (&arguments[1], &arguments[2]) {
            (Expr::Name(variable), Expr::Number(times)) => {
                let times: u8 = times.parse().ok().filter(|times| *times <= 4)?;
                let mut value = first?;
                for _ in 0..times {
                    value = derivative(&value, variable, 0).filter(|value| size(value) < MAX_SIZE)?;
                }
                Some(value)
            }
            _ => None,
        },
        ("ln" | "log", 1) => Some(Expr::Call("log".to_owned(), arguments)),
        ("root", 1) => Some(Expr::Call("sqrt".to_owned(), arguments)),
        ("root" | "lg" | "logbase" | "log" | "binomial", 2) | ("lg", 1) | ("matrix", 1..) => {
            Some(Expr::Call(name.to_owned(), arguments))
        }
        ("factorial", 1) => Some(Expr::Factorial(Box::new(arguments.pop()?))),
        (
            "sqrt" | "exp" | "abs" | "sin" | "cos" | "tan" | "sec" | "csc" | "cosec" | "cot" | "asin"
            | "acos" | "atan" | "arcsin" | "arccos" | "arctan" | "sinh" | "cosh" | "tanh" | "sech" | "csch"
            | "coth" | "asinh" | "acosh" | "atanh" | "floor" | "ceiling",
            1,
        ) => Some(Expr::Call(name.to_owned(), arguments)),
        _ => None,
    }
}

/// Replaces names in an expression at once; `None` if the result is too large.
fn replaced(expr: &Expr, equations: &[(&str, &Expr)]) -> Option<Expr> {
    let mut left = MAX_SIZE;
    with(expr, equations, &mut left)
}

/// Replaces names in an expression while its size is at most what is left.
fn with(expr: &Expr, equations: &[(&str, &Expr)], left: &mut usize) -> Option<Expr> {
    if let Expr::Name(name) = expr
        && let Some((_, to)) = equations.iter().find(|(from, _)| from == name)
    {
        *left = left.checked_sub(size(to))?;
        return Some((*to).clone());
    }
    *left = left.checked_sub(own_size(expr))?;
    let mut go = |expr: &Expr| with(expr, equations, left);
    let mut one = |expr: &Expr| go(expr).map(Box::new);
    Some(match expr {
        Expr::Number(_) | Expr::Name(_) | Expr::Text(_) => expr.clone(),
        Expr::Binary(operator, a, b) => Expr::Binary(operator, one(a)?, one(b)?),
        Expr::Negative(inner) => Expr::Negative(one(inner)?),
        Expr::Not(inner) => Expr::Not(one(inner)?),
        Expr::Factorial(inner) => Expr::Factorial(one(inner)?),
        Expr::Call(name, items) => Expr::Call(name.clone(), items.iter().map(go).collect::<Option<_>>()?),
        Expr::List(items) => Expr::List(items.iter().map(go).collect::<Option<_>>()?),
        Expr::Set(items) => Expr::Set(items.iter().map(go).collect::<Option<_>>()?),
        Expr::Index(inner, places) => Expr::Index(one(inner)?, places.iter().map(go).collect::<Option<_>>()?),
    })
}

pub(super) fn depends(expr: &Expr, variable: &str) -> bool {
    match expr {
        Expr::Name(name) => name == variable,
        Expr::Call(_, items) | Expr::List(items) | Expr::Set(items) => {
            items.iter().any(|one| depends(one, variable))
        }
        Expr::Binary(_, a, b) => depends(a, variable) || depends(b, variable),
        Expr::Negative(inner) | Expr::Not(inner) | Expr::Factorial(inner) => depends(inner, variable),
        Expr::Index(inner, places) => {
            depends(inner, variable) || places.iter().any(|one| depends(one, variable))
        }
        Expr::Number(_) | Expr::Text(_) => false,
    }
}

/// Returns whether an expression has no variable other than this name.
pub(super) fn only_name(expr: &Expr, name: &str) -> bool {
    let go = |expr: &Expr| only_name(expr, name);
    match expr {
        Expr::Name(other) => other == name || matches!(other.as_str(), "%pi" | "pi" | "%e" | "e"),
        Expr::Call(_, items) | Expr::List(items) | Expr::Set(items) => items.iter().all(go),
        Expr::Binary(_, a, b) => go(a) && go(b),
        Expr::Negative(inner) | Expr::Not(inner) | Expr::Factorial(inner) => go(inner),
        Expr::Index(inner, places) => go(inner) && places.iter().all(go),
        Expr::Number(_) | Expr::Text(_) => true,
    }
}

pub(super) fn number(value: i32) -> Expr {
    Expr::Number(value.to_string())
}

pub(super) fn binary(operator: &'static str, a: Expr, b: Expr) -> Expr {
    Expr::Binary(operator, Box::new(a), Box::new(b))
}

/// Returns an expression without the quotes around it.
fn unquoted(mut expr: &Expr) -> &Expr {
    while let Expr::Call(name, items) = expr
        && name == QUOTE
        && let [inner] = items.as_slice()
    {
        expr = inner;
    }
    expr
}

/// Evaluates a constant expression in doubles; `None` if it is not constant, or its value is not finite.
pub(super) fn numeric(expr: &Expr) -> Option<f64> {
    let value = match expr {
        Expr::Number(text) => text.parse().ok()?,
        Expr::Name(name) => match name.as_str() {
            "%pi" | "pi" => std::f64::consts::PI,
            "%e" | "e" => std::f64::consts::E,
            _ => return None,
        },
        Expr::Negative(inner) => -numeric(inner)?,
        Expr::Binary(operator, a, b) => {
            let (a, b) = (numeric(a)?, numeric(b)?);
            match *operator {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                "^" => libm::pow(a, b),
                _ => return None,
            }
        }
        Expr::Call(name, arguments) => {
            let x = numeric(arguments.first()?)?;
            if arguments.len() != 1 {
                return None;
            }
            match name.as_str() {
                "sqrt" => libm::sqrt(x),
                "exp" => libm::exp(x),
                "log" => libm::log(x),
                "abs" => x.abs(),
                "sin" => libm::sin(x),
                "cos" => libm::cos(x),
                "tan" => libm::tan(x),
                "asin" => libm::asin(x),
                "acos" => libm::acos(x),
                "atan" => libm::atan(x),
                "sinh" => libm::sinh(x),
                "cosh" => libm::cosh(x),
                "tanh" => libm::tanh(x),
                "floor" => libm::floor(x),
                "ceiling" => libm::ceil(x),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(value).filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::super::latex::latex;
    use super::super::maxima::{expression, statements};
    use super::{Values, numeric};

    #[test]
    fn values_are_substituted() {
        let values = Values::new(
            statements(
                "p:x^2+1;\nf(t):=2*t;\nl:[p,ev(p,x=3,simp)];\nta:factor(f(l[2]))-last(l);\nbad:integrate(p,x);\nq:bad+1",
            ),
            None,
            true,
        );
        let told = |name: &str| values.value(&expression(name).unwrap()).and_then(|value| latex(&value));
        assert_eq!(told("ta").as_deref(), Some("10"));
        assert_eq!(told("q"), None);
        assert_eq!(told("z").as_deref(), Some("z"));
        assert!(!values.random);
        assert!(Values::new(statements("a:rand(5)+1"), None, true).random);
        // Without Maxima's simplification, sums remain as written.
        let values = Values::new(statements("simp:false;ta:1+2*x^1"), None, true);
        let ta = values.value(&expression("ta").unwrap()).unwrap();
        assert_eq!(latex(&ta).as_deref(), Some(r"1+2\cdot x^{1}"));
    }

    #[test]
    fn names_that_may_have_changed_are_unknown() {
        let told = |text: &str| {
            let values = Values::new(statements(text), None, true);
            values.value(&expression("ta").unwrap()).and_then(|value| latex(&value))
        };
        for text in [
            "l:[0,0,0]; for i:1 thru 3 do l[i]:i^2; ta:l[2]",
            "l:[[0]]; for i:1 thru 1 do l[1][i]:i^2; ta:l[1][1]",
            "a:1; if 1>0 then [b,a]:[2,3]; ta:a",
            "x:3; kill(x); ta:x+1",
            "x:3; remvalue(x); ta:x+1",
            "x:3; kill(all); ta:x+1",
            "x:3; (kill(x), 1); ta:x+1",
            "f(t):=t; define(f(t), t^2); ta:f(3)",
            "ta:'diff(y,x)=x*y",
            "x:3; ta:'x^2+1",
            "depends(y,x); ta:diff(y,x)+1",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
        for (text, expected) in [
            ("ta:'x^2+1", "x^{2}+1"),
            ("x:3; ta:''x+1", "4"),
            ("ta:ev(x-2*y,x=y,y=x)", r"y-2\cdot x"),
            ("ta:ev(x-2*y,x=1,y=x)", r"1-2\cdot x"),
        ] {
            assert_eq!(told(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn products_and_powers_of_matrices_are_refused() {
        let told = |text: &str| {
            let values = Values::new(statements(&format!("A:matrix([1,2],[3,4]);ta:{text}")), None, true);
            values.value(&expression("ta").unwrap()).and_then(|value| latex(&value))
        };
        for text in [
            "A*A",
            "A^2",
            "A^-1",
            "A^0",
            "0*A*A",
            "1/A",
            "A/A",
            "A*(A+A)",
            "A+1",
            "exp(A)",
            "abs(A)",
            "[1,2]*[3,4]",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
        for text in ["A", "2*A", "x*A", "A/2", "A+A", "-A", "0*A"] {
            assert!(told(text).is_some(), "{text}");
        }
    }

    #[test]
    fn variants_have_the_values_of_their_seed() {
        let told = |text: &str, seed: u32| {
            let values = Values::new(statements(text), Some(seed), true);
            values.value(&expression("ta").unwrap()).and_then(|value| latex(&value))
        };
        // 3,499,211,612 and 581,869,302 are the first draws of this seed.
        assert_eq!(told("a:rand(10);b:rand([x,y,z]);ta:a*b^1+0", 5489).as_deref(), Some(r"2\cdot x"));
        assert_eq!(told("f(n):=rand(n)-1;ta:[f(10),f(10)]", 5489).as_deref(), Some(r"\left[1, 1\right]"));
        // An unsupported draw makes later draws unknown.
        assert_eq!(told("a:random_permutation([1,2,3]);ta:rand(10)", 5489), None);
        assert_eq!(told("if rand(2)>0 then b:1;ta:rand(10)", 5489), None);
        assert_eq!(told("[a,b]:[1,2];ta:a", 5489), None);
    }

    #[test]
    fn derivatives_follow_the_rules() {
        let values = Values::new(Vec::new(), None, true);
        for (text, at, expected) in [
            ("diff(x^3,x)", "2", 12.0),
            ("diff(sin(x)*exp(2*x),x,2)", "0", 4.0),
            ("diff(x/(x+1),x)", "1", 0.25),
            ("diff(2^x,x)", "0", std::f64::consts::LN_2),
        ] {
            let found = values.value(&expression(&format!("subst(x={at},{text})")).unwrap()).unwrap();
            assert!((numeric(&found).unwrap() - expected).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn values_are_bounded() {
        let doubling: String =
            (1..200).map(|n| [format!("a{n}:a{}+a{};\n", n - 1, n - 1)].concat()).collect();
        let values = Values::new(statements(&doubling), None, true);
        assert_eq!(values.value(&expression("a199").unwrap()), None);
        let sum = format!("p:x{};", "+x".repeat(55));
        let long = format!("p:{};q:[p,p];r:[q,q];", "x".repeat(60_000));
        for (text, name) in [
            // Each substitution multiplies the size.
            (format!("{sum}q:ev(p,x=p);r:ev(q,x=p)"), "r"),
            (format!("{sum}r:subst(x=p,subst(x=p,p))"), "r"),
            (long, "r"),
            ("simp:false;r:x;".to_owned() + &"r:-r;".repeat(9_000), "r"),
            // Each of these statements copies the list.
            (format!("a:[x{}];{}r:a", ",x".repeat(900), "b:a;".repeat(1_000)), "r"),
        ] {
            let values = Values::new(statements(&text), None, true);
            assert_eq!(values.value(&expression(name).unwrap()), None);
        }
    }

    #[test]
    fn functions_of_several_arguments_have_their_own_values() {
        let values = Values::new(Vec::new(), None, true);
        let told = |text: &str| values.value(&expression(text).unwrap()).and_then(|value| latex(&value));
        assert_eq!(told("multthru(2,x+1)"), told("2*(x+1)"));
        assert_eq!(told("multthru(x+1)"), told("x+1"));
        assert_eq!(told("scanmap(factor,x+1)"), None);
    }
}
