//! Predicates for the nodes of the parse tree: statements, sets, names.

use super::Reader;
use crate::expr::Symbol;
use crate::latex::kind::is_long_ratio;
use crate::syntax::{Constant, Delimiter, Node, NodeId};

/// The readings of a letter before brackets.
enum Naming {
    Function,
    Factor,
    /// It may be either.
    Unclear,
}

/// The usual meanings of a letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Usual {
    Function,
    OftenFunction,
    /// A function or a quantity: capital letters, `v`.
    MaybeFunction,
    Quantity,
}

/// Returns the usual meaning of a letter.
fn usual(name: &str) -> Usual {
    match name {
        "f" => Usual::Function,
        "g" | "h" | "p" | "E" | "F" | "G" | "H" | "P" | "T" => Usual::OftenFunction,
        "q" | "s" | "u" | "v" => Usual::MaybeFunction,
        _ if name.chars().all(char::is_uppercase) => Usual::MaybeFunction,
        _ => Usual::Quantity,
    }
}

/// Returns whether the name before brackets denotes an expected value, a variance or a probability of the letter in
/// them, which may have a subscript.
fn is_of_chance(name: &str, letter: &str) -> bool {
    let base = letter.split_once('_').map_or(letter, |(base, _)| base);
    match base {
        "X" | "Y" | "Z" => matches!(name, "D" | "E" | "V"),
        "A" | "B" | "C" => name == "P",
        _ => false,
    }
}

/// The letters of a part.
struct Letters<'t> {
    /// Up to two different letters.
    first: Vec<&'t str>,
    /// `true` if the letter before the part is one of them.
    has_itself: bool,
    /// `true` if all letters are random variables or events of the letter before the part.
    are_of_chance: bool,
}

impl Reader<'_> {
    pub(super) fn is_statement(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Relation(_)
            | Node::Not(_)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Constant(Constant::True | Constant::False) => true,
            Node::And(list) | Node::Or(list) => {
                self.tree.list(list).iter().any(|item| self.is_statement(*item))
            }
            Node::Group(inner) => self.is_statement(inner),
            _ => false,
        }
    }

    /// Returns whether the outermost form of a node is not a single scalar.
    pub(super) fn is_structured(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Group(inner) => self.is_structured(inner),
            Node::Items { open, close, items } => {
                items.len() != 1 || open == Delimiter::Brace && close == Delimiter::Brace
            }
            Node::Union(_)
            | Node::Gathered(..)
            | Node::Intersection(_)
            | Node::SetMinus(..)
            | Node::Complement(_)
            | Node::Relation(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Matrix { determinant: false, .. }
            | Node::SuchThat(..)
            | Node::Cases(_)
            | Node::Constant(Constant::EmptySet) => true,
            Node::Constant(set) => matches!(set, Constant::Numbers(_)),
            Node::Ratio(..) => is_long_ratio(self.tree, id),
            _ => false,
        }
    }

    /// Returns whether a node is a letter, which may denote a truth value, or a combination of such letters.
    pub(super) fn is_letter(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Symbol(_) => true,
            Node::Group(inner) => self.is_letter(inner),
            Node::And(list) | Node::Or(list) => self.tree.list(list).iter().all(|item| self.is_letter(*item)),
            _ => false,
        }
    }

    pub(super) fn has_plus_minus(&self, id: NodeId) -> bool {
        matches!(self.tree.node(id), Node::PlusMinus(_) | Node::MinusPlus(_))
            || self.tree.children(id).any(|child| self.has_plus_minus(child))
    }

    pub(super) fn has_matrix(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Matrix { determinant, .. } => !determinant,
            Node::Items { open: Delimiter::Angle, items, .. } => items.len() > 1,
            Node::Sum(_)
            | Node::Product(_)
            | Node::Negate(_)
            | Node::Group(_)
            | Node::Quotient { .. }
            | Node::Power(..) => self.tree.children(id).any(|child| self.has_matrix(child)),
            _ => false,
        }
    }

    /// Returns whether a node is only a name: a letter, a called function, a segment `AB`, its length, a
    /// ratio of segments, or a point whose coordinates are names.
    pub(super) fn is_name(&self, id: NodeId) -> bool {
        let tree = self.tree;
        let capital = |id: &NodeId| matches!(tree.node(*id), Node::Symbol(text) if tree.text(text).starts_with(|c: char| c.is_ascii_uppercase()));
        match tree.node(id) {
            Node::Symbol(_) | Node::Call(..) => true,
            Node::Group(inner) => self.is_name(inner),
            Node::Bars(inner) => !matches!(tree.node(inner), Node::Symbol(_)) && self.is_name(inner),
            Node::Quotient { numerator, denominator, .. } | Node::Ratio(numerator, denominator) => {
                let long = |id: NodeId| matches!(tree.node(id), Node::Product(_)) || capital(&id);
                long(numerator) && long(denominator) && self.is_name(numerator) && self.is_name(denominator)
            }
            Node::Product(list) => {
                let factors = tree.list(list);
                factors.iter().all(capital)
                    || matches!(factors, [name, argument] if self.is_value_of_function(*name, *argument))
            }
            Node::Items { open: Delimiter::Paren, close: Delimiter::Paren, items } => {
                tree.list(items).iter().all(|item| self.is_name(*item))
            }
            _ => false,
        }
    }

    /// Returns whether a node is only a name in one of its readings.
    pub(super) fn may_be_name(&mut self, id: NodeId) -> bool {
        let kept = std::mem::replace(&mut self.are_functions, true);
        let is_name = self.is_name(id);
        self.are_functions = kept;
        is_name
    }

    /// Returns whether a letter before brackets is read as a function in the current reading.
    fn is_value_of_function(&self, name: NodeId, argument: NodeId) -> bool {
        match self.naming(name, argument) {
            Naming::Function => true,
            Naming::Unclear => self.are_functions,
            Naming::Factor => false,
        }
    }

    /// Decides whether a letter before brackets is a function or a factor.
    ///
    /// - A letter that also occurs in the brackets is a factor, as in `x(x+1)`.
    /// - Before a single other letter or a number, every letter is a function, as in `y(0)`.
    /// - Expected values, variances and probabilities are functions of random variables and events: `V(X+Y)`.
    /// - A letter that often denotes a function is one if the brackets contain one letter: `E(X^2)`, `T(n+1)`.
    /// - A letter that may denote a function is one before numbers such as `2\pi`. It is a factor before calculations
    ///   with numbers and before sums of letters, as in `A(1+0.05)`.
    /// - Other letters are factors, but unclear before numbers such as `2\pi`.
    fn naming(&self, name: NodeId, argument: NodeId) -> Naming {
        let tree = self.tree;
        let (Node::Symbol(text), Node::Group(inner)) = (tree.node(name), tree.node(argument)) else {
            return Naming::Factor;
        };
        let name = tree.text(text);
        if name.len() > 1 {
            return Naming::Factor;
        }
        if self.is_structured(inner) {
            return match usual(name) {
                Usual::Function | Usual::OftenFunction => Naming::Function,
                Usual::MaybeFunction | Usual::Quantity => Naming::Factor,
            };
        }
        let without_sign = |id: NodeId| if let Node::Negate(inner) = tree.node(id) { inner } else { id };
        let is_letter = |id: NodeId| matches!(tree.node(without_sign(id)), Node::Symbol(_));
        let is_number = |id: NodeId| matches!(tree.node(id), Node::Number(_) | Node::Constant(_));
        let letters = self.letters(inner, name);
        if letters.has_itself {
            return Naming::Factor;
        }
        let (is_calculation, is_sum_of_letters) = match tree.node(without_sign(inner)) {
            Node::Number(_) | Node::Constant(_) | Node::Symbol(_) => return Naming::Function,
            Node::Quotient { numerator, denominator, .. }
                if is_number(numerator) && is_number(denominator) =>
            {
                return Naming::Function;
            }
            Node::Sum(terms) => {
                (!self.has_symbol(inner), tree.list(terms).iter().all(|term| is_letter(*term)))
            }
            Node::Product(factors) => {
                (tree.list(factors).iter().all(|factor| matches!(tree.node(*factor), Node::Number(_))), false)
            }
            _ => (false, false),
        };
        match usual(name) {
            Usual::Function => Naming::Function,
            _ if letters.are_of_chance => Naming::Function,
            Usual::OftenFunction if is_calculation || letters.first.len() > 1 => Naming::Unclear,
            Usual::OftenFunction => Naming::Function,
            Usual::MaybeFunction if self.is_exact_number(inner) => Naming::Function,
            Usual::Quantity if self.is_exact_number(inner) => Naming::Unclear,
            _ if is_calculation || is_sum_of_letters => Naming::Factor,
            Usual::MaybeFunction => Naming::Unclear,
            Usual::Quantity => Naming::Factor,
        }
    }

    /// Returns the letters of the part that follows a name. The names of functions in the part do not count: `g(x)` has
    /// the letter `x`.
    fn letters(&self, id: NodeId, name: &str) -> Letters<'_> {
        let tree = self.tree;
        let (mut first, mut has_itself, mut are_of_chance) = (Vec::new(), false, true);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match tree.node(id) {
                Node::Symbol(text) => {
                    let letter = tree.text(text);
                    has_itself |= letter == name;
                    are_of_chance &= is_of_chance(name, letter);
                    if first.len() < 2 && letter != name && !first.contains(&letter) {
                        first.push(letter);
                    }
                }
                Node::Product(list) => {
                    let factors = tree.list(list);
                    let is_function = |at: usize| {
                        let Some(next) = factors.get(at + 1) else { return false };
                        let (Node::Symbol(text), Node::Group(inner)) =
                            (tree.node(factors[at]), tree.node(*next))
                        else {
                            return false;
                        };
                        match usual(tree.text(text)) {
                            Usual::Function | Usual::OftenFunction => true,
                            Usual::MaybeFunction => {
                                matches!(tree.node(inner), Node::Symbol(_) | Node::Number(_))
                            }
                            Usual::Quantity => false,
                        }
                    };
                    open.extend((0..factors.len()).filter(|at| !is_function(*at)).map(|at| factors[at]));
                }
                _ => open.extend(tree.children(id)),
            }
        }
        are_of_chance &= !first.is_empty();
        Letters { first, has_itself, are_of_chance }
    }

    /// Returns whether a part is a number with a constant or a root, such as `2\pi`, `\sqrt2` or `\frac{3\pi}2`. Such a
    /// number is not the result of a calculation with decimals.
    fn is_exact_number(&self, id: NodeId) -> bool {
        let tree = self.tree;
        let mut is_irrational = false;
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match tree.node(id) {
                Node::Number(_) => {}
                Node::Constant(_) => is_irrational = true,
                Node::Sqrt(_) | Node::Root(..) => {
                    is_irrational = true;
                    open.extend(tree.children(id));
                }
                Node::Product(_) | Node::Quotient { .. } | Node::Negate(_) | Node::Group(_) => {
                    open.extend(tree.children(id));
                }
                _ => return false,
            }
        }
        is_irrational
    }

    /// Returns whether a part contains a letter.
    pub(super) fn has_symbol(&self, id: NodeId) -> bool {
        let tree = self.tree;
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match tree.node(id) {
                Node::Symbol(_) | Node::Call(..) => return true,
                _ => open.extend(tree.children(id)),
            }
        }
        false
    }

    /// Returns whether a letter before a letter in brackets is certainly a function with a formula: `a` in `a(t)=2t`,
    /// but not in `a(b)=2b`.
    fn has_formula(&self, name: NodeId, argument: NodeId) -> bool {
        let tree = self.tree;
        let text = |id: NodeId| if let Node::Symbol(text) = tree.node(id) { tree.text(text) } else { "" };
        let inner = if let Node::Group(inner) = tree.node(argument) { inner } else { argument };
        usual(text(name)) != Usual::Quantity
            || matches!(text(name), "x" | "y")
            || matches!(text(inner), "x" | "t" | "n" | "theta")
    }

    /// Returns the parameters of a named function, such as the `x` of `f(x)`, which may also occur in its
    /// value.
    pub(super) fn parameters(&mut self, id: NodeId) -> Vec<Symbol> {
        let tree = self.tree;
        let arguments: &[NodeId] = match tree.node(id) {
            Node::Call(_, arguments) => tree.list(arguments),
            Node::Product(list) => match tree.list(list) {
                [name, argument]
                    if self.is_value_of_function(*name, *argument)
                        && (self.are_functions || self.has_formula(*name, *argument)) =>
                {
                    std::slice::from_ref(argument)
                }
                _ => &[],
            },
            _ => &[],
        };
        let inner = |id: NodeId| if let Node::Group(inner) = tree.node(id) { inner } else { id };
        arguments
            .iter()
            .filter_map(|argument| match tree.node(inner(*argument)) {
                Node::Symbol(text) => Some(self.arena.symbol(tree.text(text))),
                _ => None,
            })
            .collect()
    }

    /// Returns whether a node is a sum of calls of named functions: `f(-2)+f(0)`.
    pub(super) fn is_sum_of_calls(&self, id: NodeId) -> bool {
        match self.tree.node(id) {
            Node::Sum(list) => self.tree.list(list).iter().all(|item| {
                matches!(self.tree.node(*item), Node::Product(_) | Node::Call(..)) && self.is_name(*item)
            }),
            _ => false,
        }
    }
}
