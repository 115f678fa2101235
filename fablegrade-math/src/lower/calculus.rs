//! Symbolic derivatives, and limits of functions that are continuous everywhere.

use crate::expr::{Arena, Constant, Function, Id, Node, Symbol, Symbols};
use crate::limits::DERIVATIVE_DEPTH;
use hashbrown::HashMap;
use smallvec::SmallVec;

/// Returns the derivative of the given order, or `None` if the derivative of a part is not known.
pub(super) fn derivative(arena: &mut Arena, id: Id, symbol: Symbol, order: u32) -> Option<Id> {
    let mut result = id;
    for _ in 0..order {
        let mut known = HashMap::new();
        let mut logarithms = Vec::new();
        result = Differentiation { arena, symbol, known: &mut known, logarithms: &mut logarithms }
            .of(result, 0)?;
        // `1/x` has values where `\ln x` has none.
        for argument in logarithms {
            let is_left =
                |node: Node<'_>| matches!(node, Node::Apply(Function::Ln, &[left]) if left == argument);
            if !arena.any(result, is_left) {
                arena.note_divisor(argument);
            }
        }
        if arena.overflowed() {
            return None;
        }
    }
    Some(result)
}

/// Returns the derivatives of two expressions with respect to the variable of an indefinite integral in them.
///
/// Comparing derivatives ignores additive constants, because an indefinite integral stands for any
/// antiderivative.
pub(crate) fn without_constants(arena: &mut Arena, a: Id, b: Id) -> Option<(Id, Id)> {
    let mut variable = None;
    for side in [a, b] {
        arena.any(side, |node| {
            if let Node::Integral(symbol, None, _) = node {
                variable = Some(symbol);
            }
            variable.is_some()
        });
    }
    let variable = variable?;
    Some((derivative(arena, a, variable, 1)?, derivative(arena, b, variable, 1)?))
}

/// Returns the derivatives of two sums that both end in a constant of integration, as `x^2+C` and `x^2+1+K` do, with
/// respect to their only other variable, which is x or t if a constant is c or k; `None` for other expressions.
pub(crate) fn without_added_constants(
    arena: &mut Arena,
    sides: [Id; 2],
    is_declared: impl Fn(&str) -> bool,
) -> Option<[Id; 2]> {
    let (mut variables, mut has_small) = (Symbols::NONE, false);
    for side in sides {
        let Node::Sum(terms) = arena.node(side) else { return None };
        let mut constants = terms.iter().filter_map(|term| match arena.node(*term) {
            Node::Symbol(symbol) if is_constant_of_integration(arena.name(symbol)) => Some((symbol, *term)),
            _ => None,
        });
        let (constant, own) = constants.find(|(symbol, _)| !is_declared(arena.name(*symbol)))?;
        has_small |= arena.name(constant).starts_with(['c', 'k']);
        for term in terms.iter().filter(|term| **term != own) {
            let free = arena.free(*term);
            if free.contains(constant) {
                return None;
            }
            variables = variables.union(free);
        }
    }
    let mut variables = variables.iter();
    let (Some(variable), None) = (variables.next(), variables.next()) else { return None };
    // In `a+c`, c is another quantity.
    if has_small && !matches!(arena.name(variable), "x" | "t") {
        return None;
    }
    let [a, b] = sides;
    Some([derivative(arena, a, variable, 1)?, derivative(arena, b, variable, 1)?])
}

/// Returns whether a name usually denotes a constant of integration: C, c, K or k, with a number as subscript or without.
fn is_constant_of_integration(name: &str) -> bool {
    match name.as_bytes() {
        [b'C' | b'c' | b'K' | b'k'] => true,
        [b'C' | b'c' | b'K' | b'k', b'_', number] => number.is_ascii_digit(),
        _ => false,
    }
}

struct Differentiation<'a> {
    arena: &'a mut Arena,
    symbol: Symbol,
    known: &'a mut HashMap<Id, Id>,
    /// The arguments of the logarithms that were differentiated.
    logarithms: &'a mut Vec<Id>,
}

impl Differentiation<'_> {
    fn of(&mut self, id: Id, depth: u32) -> Option<Id> {
        if !self.arena.free(id).contains(self.symbol) {
            return Some(Arena::ZERO);
        }
        if let Some(known) = self.known.get(&id) {
            return Some(*known);
        }
        if depth > DERIVATIVE_DEPTH || self.arena.overflowed() {
            return None;
        }
        let result = self.work_out(id, depth + 1)?;
        self.known.insert(id, result);
        Some(result)
    }

    fn work_out(&mut self, id: Id, depth: u32) -> Option<Id> {
        let parts: SmallVec<[Id; 8]> = SmallVec::from_slice(self.arena.parts(id));
        match self.arena.node(id) {
            Node::Symbol(_) => Some(Arena::ONE),
            Node::Integral(variable, None, body) if variable == self.symbol => Some(body),
            Node::Sum(_) => {
                let terms =
                    parts.iter().map(|part| self.of(*part, depth)).collect::<Option<SmallVec<[Id; 8]>>>()?;
                Some(self.arena.sum(&terms))
            }
            Node::Product(_) => {
                let mut terms: SmallVec<[Id; 8]> = SmallVec::new();
                for (at, part) in parts.iter().enumerate() {
                    let inner = self.of(*part, depth)?;
                    if inner == Arena::ZERO {
                        continue;
                    }
                    let mut factors = parts.clone();
                    factors[at] = inner;
                    terms.push(self.arena.product(&factors));
                }
                Some(self.arena.sum(&terms))
            }
            Node::Power(base, exponent) => self.power(id, base, exponent, depth),
            Node::Apply(function, &[argument]) => {
                let inner = self.of(argument, depth)?;
                if function == Function::Ln {
                    self.logarithms.push(argument);
                }
                let outer = outer(self.arena, function, argument)?;
                Some(self.arena.mul(outer, inner))
            }
            Node::Call(name, &[argument]) => {
                // The derivative of `f` has the name `f'`.
                let primed = format!("{}'", self.arena.name(name));
                let inner = self.of(argument, depth)?;
                let name = self.arena.symbol(&primed);
                let outer = self.arena.call(name, &[argument]);
                Some(self.arena.mul(outer, inner))
            }
            _ => None,
        }
    }

    fn power(&mut self, id: Id, base: Id, exponent: Id, depth: u32) -> Option<Id> {
        let (in_base, in_exponent) = (self.of(base, depth)?, self.of(exponent, depth)?);
        let arena = &mut *self.arena;
        let mut terms: SmallVec<[Id; 2]> = SmallVec::new();
        if in_base != Arena::ZERO {
            let less = arena.sub(exponent, Arena::ONE);
            let lower = arena.power(base, less);
            terms.push(arena.product(&[exponent, lower, in_base]));
        }
        if in_exponent != Arena::ZERO {
            terms.push(if matches!(arena.node(base), Node::Constant(Constant::E)) {
                arena.mul(id, in_exponent)
            } else {
                let logarithm = arena.apply(Function::Ln, &[base]);
                arena.product(&[id, logarithm, in_exponent])
            });
        }
        Some(arena.sum(&terms))
    }
}

macro_rules! derivatives {
    (all $all:tt unary { $($function:ident { facts $facts:tt range $range:tt derivative { $derivative:expr } $($row:tt)* })* } binary $binary:tt) => {
        /// Returns the derivative of a function at `argument`.
        fn outer(arena: &mut Arena, function: Function, argument: Id) -> Option<Id> {
            fn at(arena: &mut Arena, u: Id, rule: impl FnOnce(&mut Arena, Id) -> Option<Id>) -> Option<Id> {
                rule(arena, u)
            }
            match function {
                $(Function::$function => at(arena, argument, $derivative),)*
                _ => None,
            }
        }
    };
}

functions!(derivatives);

/// Returns a limit whose body does not depend on the variable or is continuous everywhere.
pub(super) fn limit(arena: &mut Arena, symbol: Symbol, point: Id, body: Id) -> Option<Id> {
    if !arena.free(body).contains(symbol) {
        return Some(body);
    }
    let infinite = |node: Node<'_>| {
        matches!(node, Node::Constant(Constant::Infinity | Constant::ComplexInfinity | Constant::Undefined))
    };
    if arena.any(point, infinite) || arena.free(point).contains(symbol) {
        return None;
    }
    let is_complex = arena.is_complex(body) || arena.is_complex(point);
    let continuous = !arena.any(body, |node| match node {
        // It has branch cuts in the complex plane.
        Node::Apply(Function::Atan, _) => is_complex,
        Node::Number(_) | Node::Symbol(_) | Node::Sum(_) | Node::Product(_) => false,
        Node::Constant(Constant::Pi | Constant::E | Constant::I | Constant::Phi | Constant::EulerGamma) => {
            false
        }
        Node::Power(base, exponent) => {
            arena.as_integer(exponent).is_none_or(|exponent| exponent <= 0)
                && !matches!(arena.node(base), Node::Constant(Constant::E))
        }
        Node::Apply(Function::Sin | Function::Cos | Function::Sinh | Function::Cosh | Function::Abs, _) => {
            false
        }
        _ => true,
    });
    continuous.then(|| arena.substitute(body, symbol, point))
}

#[cfg(test)]
mod tests {
    use crate::{Options, compare};

    #[test]
    fn derivatives_limits_and_bound_names() {
        for (a, b, same) in [
            ("\\frac{d}{dx}x^3", "3x^2", true),
            ("\\frac{d}{dx}x^3", "2x^2", false),
            ("\\frac{d}{dx}\\left(x\\sin x\\right)", "\\sin(x)+x\\cos x", true),
            ("\\frac{d}{dx}e^{x^2}", "2xe^{x^2}", true),
            ("\\frac{d^2}{dx^2}\\ln(x)", "-\\frac{1}{x^2}", true),
            ("\\frac{d}{dx}\\arctan(2x)", "\\frac{2}{1+4x^2}", true),
            ("\\frac{d}{dt}x", "0", true),
            ("\\frac{d}{dx}x^x", "x^x(\\ln(x)+1)", true),
            ("\\lim_{x\\to2}(x^2+1)", "5", true),
            ("\\lim_{x\\to2^+}a", "a", true),
            ("\\sum_{k=1}^{4}k^2", "\\sum_{n=1}^{4}n^2", true),
            ("\\frac{2}{\\infty}", "0", true),
            ("\\infty", "-\\infty", false),
        ] {
            assert_eq!(compare(a, b, &Options::new()).unwrap().is_equal(), same, "{a} and {b}");
        }
        let undecided = compare("\\infty-\\infty", "0", &Options::new()).unwrap();
        assert_eq!(undecided.verdict(), crate::Equivalence::Undecided);
    }
}
