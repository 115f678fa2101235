//! The arguments whose sign or integer part decides between the pieces of a function, such as `x` in `|x|`.

use crate::expr::{Arena, Constant, Function, Id, Node, Symbols};
use crate::functions::RealDomain;
use crate::limits::PIECE_ARGUMENTS;
use crate::number::Rational;
use smallvec::SmallVec;

/// An argument whose value decides between pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Switch {
    pub(super) argument: Id,
    /// True if the integer part decides; otherwise the sign does.
    pub(super) step: bool,
    /// True if the argument is a denominator inside an inverse function, whose branch changes at its zeros.
    pub(super) pole: bool,
}

impl Switch {
    /// Returns a number that identifies the piece of a value and increases with the value; infinities keep
    /// their values.
    pub(super) fn piece(self, value: f64) -> f64 {
        match value {
            _ if value.is_infinite() => value,
            _ if self.step => libm::floor(value),
            _ => value.signum(),
        }
    }
}

/// The arguments and variables that decide between the pieces of a pair.
pub(super) struct Switches {
    pub(super) arguments: Vec<Switch>,
    /// Variables whose sign decides, as in `|x|`.
    pub(super) variables: Symbols,
    /// False if arguments were dropped because there were too many.
    pub(super) complete: bool,
}

/// Returns the arguments that decide between pieces.
///
/// This function is long because it has one arm per kind of function with pieces.
pub(super) fn switches(arena: &mut Arena, sides: [Id; 2]) -> Switches {
    let order = arena.reachable(&sides);
    let mut found: Vec<Switch> = Vec::new();
    let mut poles: Vec<Id> = Vec::new();
    let mut variables = Symbols::NONE;
    for id in order {
        if found.len() >= 4 * PIECE_ARGUMENTS {
            break;
        }
        let mut add_alone = |arena: &Arena, argument: Id, step: bool| {
            let switch = Switch { argument, step, pole: false };
            match arena.node(argument) {
                Node::Symbol(symbol) if !step => variables = variables.union(Symbols::one(symbol)),
                _ if arena.is_constant(argument) || found.contains(&switch) => {}
                _ => found.push(switch),
            }
        };
        // A product changes its sign where one of its factors does.
        let mut add = |arena: &mut Arena, argument: Id, step: bool| {
            let argument = without_inverses(arena, argument);
            match arena.node(argument) {
                Node::Product(factors) if !step => {
                    for factor in SmallVec::<[Id; 8]>::from_slice(&factors[..factors.len().min(8)]) {
                        if let Some(base) = sign_of_factor(arena, factor) {
                            add_alone(arena, base, false);
                        }
                    }
                }
                _ => add_alone(arena, argument, step),
            }
        };
        match arena.node(id) {
            Node::Power(..) => {
                let Some(radicand) = radicand(arena, id) else { continue };
                add(arena, radicand, false);
                // The pieces of the square root of `u²` meet where `u` is 0.
                for squared in squares(arena, radicand) {
                    add(arena, squared, false);
                }
            }
            Node::Apply(Function::Abs | Function::Sign, &[argument]) => add(arena, argument, false),
            Node::Apply(Function::Floor | Function::Ceil, &[argument]) => add(arena, argument, true),
            Node::Apply(Function::Round, &[argument]) => {
                let half = arena.fraction(1, 2);
                let shifted = arena.add(argument, half);
                add(arena, shifted, true);
            }
            Node::Apply(Function::Mod, &[a, b]) => {
                let quotient = arena.div(a, b);
                add(arena, quotient, true);
            }
            Node::Apply(Function::Atan2, &[y, x]) => {
                add(arena, y, false);
                add(arena, x, false);
            }
            Node::Apply(function @ (Function::Min | Function::Max), arguments) => {
                let arguments: SmallVec<[Id; 8]> = SmallVec::from_slice(arguments);
                for difference in leads(arena, function, &arguments) {
                    add(arena, difference, false);
                }
            }
            Node::Apply(Function::Asin | Function::Acos | Function::Atan | Function::Acosh, &[argument]) => {
                for angle in angles(arena, argument) {
                    match angle {
                        Angle::Circular(u) => {
                            let (pi, two) = (arena.constant(Constant::Pi), Arena::TWO);
                            let twice = arena.mul(two, u);
                            let quarter_turns = arena.div(twice, pi);
                            add(arena, quarter_turns, true);
                        }
                        Angle::Hyperbolic(u) => add(arena, u, false),
                    }
                }
                for pole in denominators(arena, argument) {
                    poles.push(pole);
                    add(arena, pole, false);
                }
                if matches!(arena.node(argument), Node::Sum(_)) {
                    add(arena, argument, false);
                }
            }
            _ => {}
        }
    }
    for switch in &mut found {
        switch.pole = poles.contains(&switch.argument);
    }
    // The arguments are sorted, so the order of the terms in the text does not decide which ones the limit
    // drops.
    found.sort_by_key(|switch| arena.shape(switch.argument));
    let complete = found.len() <= PIECE_ARGUMENTS;
    found.truncate(PIECE_ARGUMENTS);
    // Near a pole an argument may have both signs in a narrow strip.
    let mut below: Vec<Id> = Vec::new();
    for switch in &found {
        below.extend(denominators(arena, switch.argument));
    }
    below.retain(|pole| !arena.is_constant(*pole) && !matches!(arena.node(*pole), Node::Symbol(_)));
    below.retain(|pole| !found.iter().any(|switch| switch.argument == *pole && !switch.step));
    below.sort_by_key(|pole| arena.shape(*pole));
    below.dedup();
    below.truncate(PIECE_ARGUMENTS - found.len());
    found.extend(below.into_iter().map(|argument| Switch { argument, step: false, pole: false }));
    Switches { arguments: found, variables, complete }
}

/// Returns the radicand of an even root, which may be written with a logarithm: `e^{\frac12\ln u}`.
fn radicand(arena: &Arena, power: Id) -> Option<Id> {
    let Node::Power(base, exponent) = arena.node(power) else { return None };
    let is_even = |id: Id| arena.as_number(id).is_some_and(Rational::has_even_denominator);
    if is_even(exponent) {
        return Some(base);
    }
    let (Node::Constant(Constant::E), Node::Product(&[a, b])) = (arena.node(base), arena.node(exponent))
    else {
        return None;
    };
    let logarithm = |id: Id| match arena.node(id) {
        Node::Apply(Function::Ln, &[argument]) => Some(argument),
        _ => None,
    };
    if is_even(a) { logarithm(b) } else { is_even(b).then(|| logarithm(a))? }
}

/// Returns, for each argument of a minimum or maximum, its difference from the minimum or maximum of the
/// others. For two arguments, there is only one difference.
fn leads(arena: &mut Arena, function: Function, arguments: &[Id]) -> SmallVec<[Id; 8]> {
    match arguments {
        &[a, b] => SmallVec::from_slice(&[arena.sub(a, b)]),
        _ => arguments
            .iter()
            .take(PIECE_ARGUMENTS + 1)
            .map(|&argument| {
                let others: SmallVec<[Id; 8]> =
                    arguments.iter().copied().filter(|other| *other != argument).collect();
                let others = arena.apply(function, &others);
                arena.sub(argument, others)
            })
            .collect(),
    }
}

/// Returns an expression with the sign of a factor; `None` if the factor is never negative.
fn sign_of_factor(arena: &Arena, factor: Id) -> Option<Id> {
    match arena.node(factor) {
        Node::Power(base, exponent) => match arena.as_number(exponent) {
            Some(number) if number.has_even_numerator() || number.has_even_denominator() => None,
            Some(_) => Some(base),
            None => Some(factor),
        },
        _ => Some(factor),
    }
}

/// Simplifies `ln(e^u)` and `e^(ln u)` to `u` inside an expression.
///
/// Their inner parts leave the range of doubles long before the whole expression does.
fn without_inverses(arena: &mut Arena, id: Id) -> Id {
    let is_e = |arena: &Arena, id: Id| matches!(arena.node(id), Node::Constant(Constant::E));
    let inner = |arena: &Arena, id: Id| match arena.node(id) {
        Node::Apply(Function::Ln, &[argument]) => match arena.node(argument) {
            Node::Power(base, exponent) if is_e(arena, base) => Some(exponent),
            _ => None,
        },
        Node::Power(base, exponent) if is_e(arena, base) => match arena.node(exponent) {
            Node::Apply(Function::Ln, &[argument]) => Some(argument),
            _ => None,
        },
        _ => None,
    };
    let order = arena.reachable(&[id]);
    let powers = |part: Id| matches!(arena.node(part), Node::Power(base, _) if is_e(arena, base));
    if !order.iter().any(|part| powers(*part)) {
        return id;
    }
    let mut images: Vec<Id> = Vec::with_capacity(order.len());
    for part in &order {
        let image =
            |part: Id| order.binary_search(&part).ok().and_then(|at| images.get(at)).copied().unwrap_or(part);
        let parts: SmallVec<[Id; 8]> = arena.parts(*part).iter().map(|part| image(*part)).collect();
        let next = match arena.node(*part) {
            _ if parts.as_slice() == arena.parts(*part) => *part,
            Node::Sum(_) => arena.sum(&parts),
            Node::Product(_) => arena.product(&parts),
            Node::Power(..) => arena.power(parts[0], parts[1]),
            Node::Apply(function, _) => arena.apply(function, &parts),
            _ => return id,
        };
        images.push(inner(arena, next).unwrap_or(next));
    }
    images.last().copied().unwrap_or(id)
}

/// Returns whether an expression is a polynomial by its form: sums, products and non-negative integer powers.
pub(super) fn is_polynomial(arena: &Arena, id: Id) -> bool {
    let order = arena.reachable(&[id]);
    order.into_iter().all(|part| match arena.node(part) {
        Node::Power(_, exponent) => {
            arena.as_number(exponent).is_some_and(|number| number.is_integer() && !number.is_negative())
        }
        Node::Number(_) | Node::Constant(_) | Node::Symbol(_) | Node::Sum(_) | Node::Product(_) => true,
        _ => false,
    })
}

/// Returns up to four bases of even powers in a product.
fn squares(arena: &Arena, id: Id) -> SmallVec<[Id; 4]> {
    let squared = |factor: Id| match arena.node(factor) {
        Node::Power(base, exponent) => {
            let even = |number: &Rational| number.is_integer() && number.to_f64() % 2.0 == 0.0;
            arena.as_number(exponent).is_some_and(even).then_some(base)
        }
        _ => None,
    };
    match arena.node(id) {
        Node::Product(factors) => factors.iter().filter_map(|&factor| squared(factor)).take(4).collect(),
        _ => squared(id).into_iter().collect(),
    }
}

/// Returns up to four denominators inside an expression; the denominator of a tangent is a cosine.
fn denominators(arena: &mut Arena, id: Id) -> SmallVec<[Id; 4]> {
    let order = arena.reachable(&[id]);
    let mut below = SmallVec::new();
    for part in order {
        match arena.node(part) {
            Node::Power(base, exponent) if arena.as_number(exponent).is_some_and(Rational::is_negative) => {
                below.push(base);
            }
            Node::Apply(Function::Tan, &[argument]) => below.push(arena.apply(Function::Cos, &[argument])),
            _ => {}
        }
        if below.len() == 4 {
            break;
        }
    }
    below
}

/// Returns the arguments of functions with branch cuts, such as logarithms and roots, and of `\arg`.
pub(super) fn branch_arguments(arena: &mut Arena, sides: [Id; 2]) -> Switches {
    let order = arena.reachable(&sides);
    let mut found: Vec<Switch> = Vec::new();
    for id in order {
        let argument = match arena.node(id) {
            Node::Power(base, exponent)
                if arena.as_number(exponent).is_none_or(|number| !number.is_integer())
                    && !matches!(arena.node(base), Node::Constant(Constant::E)) =>
            {
                base
            }
            Node::Apply(function, &[argument])
                if function == Function::Arg || function.domain() == RealDomain::Cut =>
            {
                argument
            }
            _ => continue,
        };
        // The imaginary part of an exponent determines the angle of the exponential, even if its magnitude
        // overflows.
        let half_turns = exponents(arena, argument).into_iter().map(|exponent| {
            let pi = arena.constant(Constant::Pi);
            (arena.div(exponent, pi), true)
        });
        for (argument, step) in
            half_turns.collect::<SmallVec<[(Id, bool); 4]>>().into_iter().chain([(argument, false)])
        {
            let switch = Switch { argument, step, pole: false };
            if !arena.is_constant(argument) && !found.contains(&switch) {
                found.push(switch);
            }
        }
    }
    found.sort_by_key(|switch| arena.shape(switch.argument));
    let complete = found.len() <= PIECE_ARGUMENTS;
    found.truncate(PIECE_ARGUMENTS);
    Switches { arguments: found, variables: Symbols::NONE, complete }
}

/// Returns up to four exponents of powers of e in a product.
fn exponents(arena: &Arena, id: Id) -> SmallVec<[Id; 4]> {
    let exponent = |factor: Id| match arena.node(factor) {
        Node::Power(base, exponent) if matches!(arena.node(base), Node::Constant(Constant::E)) => {
            Some(exponent)
        }
        _ => None,
    };
    match arena.node(id) {
        Node::Product(factors) => factors.iter().filter_map(|&factor| exponent(factor)).take(4).collect(),
        _ => exponent(id).into_iter().collect(),
    }
}

enum Angle {
    Circular(Id),
    Hyperbolic(Id),
}

/// Returns up to four arguments of trigonometric functions and of cosh inside an expression.
fn angles(arena: &Arena, id: Id) -> Vec<Angle> {
    let order = arena.reachable(&[id]);
    order
        .into_iter()
        .filter_map(|part| match arena.node(part) {
            Node::Apply(Function::Sin | Function::Cos | Function::Tan, &[u]) => Some(Angle::Circular(u)),
            Node::Apply(Function::Cosh, &[u]) => Some(Angle::Hyperbolic(u)),
            _ => None,
        })
        .take(4)
        .collect()
}
