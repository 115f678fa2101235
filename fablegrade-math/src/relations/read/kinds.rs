//! Predicates for the nodes of the parse tree: statements, sets, names.

use super::Reader;
use crate::expr::Symbol;
use crate::latex::kind::is_long_ratio;
use crate::syntax::{Constant, Delimiter, Named, Node, NodeId};

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

/// Returns the usual meaning of a letter, which may have a subscript and primes: `f_1` is a function like `f`.
fn usual(name: &str) -> Usual {
    match letter(name) {
        "f" => Usual::Function,
        "g" | "h" | "p" | "E" | "F" | "G" | "H" | "P" | "T" => Usual::OftenFunction,
        "q" | "s" | "u" | "v" | "phi" | "psi" | "chi" | "Phi" | "Psi" => Usual::MaybeFunction,
        letter if letter.chars().all(char::is_uppercase) => Usual::MaybeFunction,
        _ => Usual::Quantity,
    }
}

/// Returns a name without its subscript and primes.
pub(in crate::relations) fn letter(name: &str) -> &str {
    name.split_once('_').map_or(name, |(letter, _)| letter).trim_end_matches('\'')
}

/// Returns whether a name is one letter, which may have a subscript and primes. Words are not.
fn is_letter_name(name: &str) -> bool {
    let letter = letter(name);
    let is_greek = matches!(
        letter.to_ascii_lowercase().as_str(),
        "alpha"
            | "beta"
            | "gamma"
            | "delta"
            | "epsilon"
            | "zeta"
            | "eta"
            | "theta"
            | "iota"
            | "kappa"
            | "lambda"
            | "mu"
            | "nu"
            | "xi"
            | "rho"
            | "sigma"
            | "tau"
            | "phi"
            | "chi"
            | "psi"
            | "omega"
    );
    letter.chars().count() == 1 || is_greek
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
    /// ratio of segments, a change `\Delta x`, a product of two vectors, a part or the angle of a complex name,
    /// or a point whose coordinates are names.
    pub(super) fn is_name(&self, id: NodeId) -> bool {
        let tree = self.tree;
        let symbol = |id: NodeId| if let Node::Symbol(text) = tree.node(id) { tree.text(text) } else { "" };
        let capital = |id: &NodeId| symbol(*id).starts_with(|c: char| c.is_ascii_uppercase());
        let is_change = |id: &NodeId| symbol(*id) == "Delta";
        let is_change_of = |id: NodeId| symbol(id).starts_with("\\Delta{");
        let vector = |id: &NodeId| symbol(*id).starts_with("\\vec{");
        match tree.node(id) {
            Node::Symbol(_) | Node::Call(..) => true,
            Node::Group(inner) => self.is_name(inner),
            Node::Bars(inner) => {
                (!matches!(tree.node(inner), Node::Symbol(_)) || vector(&inner)) && self.is_name(inner)
            }
            Node::Apply(Named::Re | Named::Im | Named::Arg | Named::Conj, arguments) => {
                tree.list(arguments).iter().all(|argument| self.is_name(*argument))
            }
            Node::Quotient { numerator, denominator, .. } | Node::Ratio(numerator, denominator) => {
                let long = |id: NodeId| {
                    matches!(tree.node(id), Node::Product(_)) || capital(&id) || is_change_of(id)
                };
                long(numerator) && long(denominator) && self.is_name(numerator) && self.is_name(denominator)
            }
            Node::Product(list) => {
                let factors = tree.list(list);
                factors.iter().all(capital)
                    || matches!(factors, [change, name] if is_change(change) && !symbol(*name).is_empty())
                    || matches!(factors, [first, second] if vector(first) && vector(second))
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
        if self.is_built_function(name, argument) {
            return true;
        }
        match self.naming(name, argument) {
            Naming::Function => true,
            Naming::Unclear => self.are_functions,
            Naming::Factor => false,
        }
    }

    /// Returns whether the part before brackets is an inverse or a combination of functions: `f^{-1}(x)`, `(f+g)(x)`.
    /// Only f, g and h are certainly functions there, and only f before a number.
    fn is_built_function(&self, name: NodeId, argument: NodeId) -> bool {
        let tree = self.tree;
        let Some(inner) = self.bracketed(argument) else { return false };
        let is_number = matches!(tree.node(inner), Node::Number(_) | Node::Constant(_));
        if !is_number && !matches!(tree.node(inner), Node::Symbol(_)) {
            return false;
        }
        let ungrouped = |id: NodeId| if let Node::Group(inner) = tree.node(id) { inner } else { id };
        let is_function = |id: NodeId| {
            let Node::Symbol(text) = tree.node(ungrouped(id)) else { return false };
            let name = tree.text(text);
            is_letter_name(name)
                && matches!(letter(name), "f" | "g" | "h")
                && (!is_number || letter(name) == "f")
        };
        match tree.node(name) {
            Node::Power(base, exponent) => {
                let Node::Negate(one) = tree.node(ungrouped(exponent)) else { return false };
                is_function(base) && matches!(tree.node(one), Node::Number(text) if tree.text(text) == "1")
            }
            Node::Group(combined) => match tree.node(combined) {
                Node::Sum(parts) => tree.list(parts).iter().all(|part| match tree.node(*part) {
                    Node::Negate(inner) => is_function(inner),
                    _ => is_function(*part),
                }),
                Node::Product(parts) => tree.list(parts).iter().all(|part| is_function(*part)),
                Node::Quotient { numerator, denominator, .. } => {
                    is_function(numerator) && is_function(denominator)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns the part in the brackets of an argument: `(x)`, or `[X]` as in `E[X]`.
    fn bracketed(&self, argument: NodeId) -> Option<NodeId> {
        match self.tree.node(argument) {
            Node::Group(inner) => Some(inner),
            Node::Items { open: Delimiter::Bracket, close: Delimiter::Bracket, items } => {
                match self.tree.list(items) {
                    [inner] => Some(*inner),
                    _ => None,
                }
            }
            _ => None,
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
        let (Node::Symbol(text), Some(inner)) = (tree.node(name), self.bracketed(argument)) else {
            return Naming::Factor;
        };
        let name = tree.text(text);
        if !is_letter_name(name) {
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
                // The complement of an event: `A^c`.
                Node::Power(base, exponent)
                    if matches!(tree.node(base), Node::Symbol(text) if is_of_chance(name, tree.text(text)))
                        && matches!(tree.node(exponent), Node::Symbol(text) if matches!(tree.text(text), "c" | "C")) =>
                {
                    open.push(base);
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
        let inner = self.bracketed(argument).unwrap_or(argument);
        self.is_built_function(name, argument)
            || usual(text(name)) != Usual::Quantity
            || matches!(letter(text(name)), "x" | "y")
            || matches!(text(inner), "x" | "t" | "n" | "theta")
    }

    /// Returns the parameters of a named function, such as the `x` of `f(x)` and `f(g(x))`, which may also occur in
    /// its value.
    pub(super) fn parameters(&mut self, id: NodeId) -> Vec<Symbol> {
        let tree = self.tree;
        let mut found = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
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
            for argument in arguments {
                let inner = self.bracketed(*argument).unwrap_or(*argument);
                match (tree.node(id), tree.node(inner)) {
                    (_, Node::Symbol(text)) => found.push(self.arena.symbol(tree.text(text))),
                    (Node::Product(list), _) => {
                        let Node::Symbol(text) = tree.node(tree.list(list)[0]) else { continue };
                        let name = tree.text(text);
                        let Letters { first, are_of_chance, .. } = self.letters(inner, name);
                        // `f(2x)=4x`, `P(A^c)=1-P(A)`
                        if usual(name) == Usual::Function || are_of_chance {
                            let letters: Vec<String> = first.into_iter().map(str::to_owned).collect();
                            found.extend(letters.iter().map(|letter| self.arena.symbol(letter)));
                        } else {
                            open.push(inner);
                        }
                    }
                    _ => open.push(inner),
                }
            }
        }
        found
    }

    /// Returns the name of a function whose values on the right side do not make the left side more than a name:
    /// `P` in `P(\overline A)=1-P(A)`. `None` if it also occurs without brackets, or if the same value does.
    pub(super) fn recurring_function(&mut self, left: NodeId, right: NodeId) -> Option<Symbol> {
        let tree = self.tree;
        let Node::Product(list) = tree.node(left) else { return None };
        let &[name, argument] = tree.list(list) else { return None };
        let Node::Symbol(text) = tree.node(name) else { return None };
        let text = tree.text(text);
        if !self.is_value_of_function(name, argument)
            || !matches!(usual(text), Usual::Function | Usual::OftenFunction)
        {
            return None;
        }
        let own = self.scalar(self.bracketed(argument)?).ok()?;
        let mut open = vec![right];
        while let Some(id) = open.pop() {
            match tree.node(id) {
                Node::Symbol(other) if tree.text(other) == text => return None,
                Node::Product(list) => {
                    let factors = tree.list(list);
                    let mut at = 0;
                    while let Some(&factor) = factors.get(at) {
                        let is_function =
                            matches!(tree.node(factor), Node::Symbol(other) if tree.text(other) == text);
                        match factors.get(at + 1) {
                            Some(&next) if is_function && self.is_value_of_function(factor, next) => {
                                let inner = self.bracketed(next)?;
                                if self.scalar(inner).ok()? == own {
                                    return None;
                                }
                                open.push(inner);
                                at += 1;
                            }
                            _ => open.push(factor),
                        }
                        at += 1;
                    }
                }
                _ => open.extend(tree.children(id)),
            }
        }
        Some(self.arena.symbol(text))
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
