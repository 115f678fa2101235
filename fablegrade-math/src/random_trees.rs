//! Random expressions for property tests, and their text in the syntax of the development oracle.

use proptest::prelude::*;

use crate::expr::{Arena, Function, Id};

/// An expression in `x` and `y`.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    X,
    Y,
    Number(i64, i64),
    Add(Box<Tree>, Box<Tree>),
    Subtract(Box<Tree>, Box<Tree>),
    Multiply(Box<Tree>, Box<Tree>),
    Divide(Box<Tree>, Box<Tree>),
    /// Base and integer exponent.
    Integer(Box<Tree>, i64),
    /// Base and rational exponent.
    Root(Box<Tree>, i64, i64),
    Power(Box<Tree>, Box<Tree>),
    Exp(Box<Tree>),
    Unary(Function, Box<Tree>),
    Binary(Function, Box<Tree>, Box<Tree>),
}

const UNARY: [Function; 22] = [
    Function::Sin,
    Function::Cos,
    Function::Tan,
    Function::Asin,
    Function::Acos,
    Function::Atan,
    Function::Sinh,
    Function::Cosh,
    Function::Tanh,
    Function::Asinh,
    Function::Acosh,
    Function::Atanh,
    Function::Ln,
    Function::Abs,
    Function::Sign,
    Function::Floor,
    Function::Ceil,
    Function::Round,
    Function::Factorial,
    Function::Gamma,
    Function::Erf,
    Function::DoubleFactorial,
];

const BINARY: [Function; 7] = [
    Function::Min,
    Function::Max,
    Function::Gcd,
    Function::Lcm,
    Function::Mod,
    Function::Binomial,
    Function::Atan2,
];

/// Generates trees of moderate size over most functions.
pub(crate) fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        3 => Just(Tree::X),
        2 => Just(Tree::Y),
        2 => (-9i64..10, 1i64..6).prop_map(|(numerator, denominator)| Tree::Number(numerator, denominator)),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            3 => pair.clone().prop_map(|(a, b)| Tree::Add(Box::new(a), Box::new(b))),
            2 => pair.clone().prop_map(|(a, b)| Tree::Subtract(Box::new(a), Box::new(b))),
            3 => pair.clone().prop_map(|(a, b)| Tree::Multiply(Box::new(a), Box::new(b))),
            2 => pair.clone().prop_map(|(a, b)| Tree::Divide(Box::new(a), Box::new(b))),
            2 => (inner.clone(), -4i64..40).prop_map(|(a, n)| Tree::Integer(Box::new(a), n)),
            2 => (inner.clone(), -7i64..8, 2i64..8).prop_map(|(a, p, q)| Tree::Root(Box::new(a), p, q)),
            1 => pair.clone().prop_map(|(a, b)| Tree::Power(Box::new(a), Box::new(b))),
            1 => inner.clone().prop_map(|a| Tree::Exp(Box::new(a))),
            4 => (0..UNARY.len(), inner.clone()).prop_map(|(f, a)| Tree::Unary(UNARY[f], Box::new(a))),
            1 => (0..BINARY.len(), pair).prop_map(|(f, (a, b))| Tree::Binary(BINARY[f], Box::new(a), Box::new(b))),
        ]
    })
}

/// Functions that have a name in the syntax of the development oracle.
const READABLE: [(Function, &str); 17] = [
    (Function::Sin, "sin"),
    (Function::Cos, "cos"),
    (Function::Tan, "tan"),
    (Function::Asin, "asin"),
    (Function::Acos, "acos"),
    (Function::Atan, "atan"),
    (Function::Sinh, "sinh"),
    (Function::Cosh, "cosh"),
    (Function::Tanh, "tanh"),
    (Function::Asinh, "asinh"),
    (Function::Acosh, "acosh"),
    (Function::Atanh, "atanh"),
    (Function::Ln, "ln"),
    (Function::Abs, "abs"),
    (Function::Floor, "floor"),
    (Function::Ceil, "ceil"),
    (Function::Round, "round"),
];

const READABLE_PAIRS: [(Function, &str); 3] =
    [(Function::Min, "min"), (Function::Max, "max"), (Function::Atan2, "atan2")];

/// Generates trees that have the same meaning in the development oracle. They have no odd roots, and only
/// functions that the oracle has.
pub(crate) fn readable_trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        3 => Just(Tree::X),
        2 => Just(Tree::Y),
        2 => (-9i64..10, 1i64..6).prop_map(|(numerator, denominator)| Tree::Number(numerator, denominator)),
    ];
    leaf.prop_recursive(5, 20, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            3 => pair.clone().prop_map(|(a, b)| Tree::Add(Box::new(a), Box::new(b))),
            2 => pair.clone().prop_map(|(a, b)| Tree::Subtract(Box::new(a), Box::new(b))),
            3 => pair.clone().prop_map(|(a, b)| Tree::Multiply(Box::new(a), Box::new(b))),
            2 => pair.clone().prop_map(|(a, b)| Tree::Divide(Box::new(a), Box::new(b))),
            2 => (inner.clone(), -3i64..30).prop_map(|(a, n)| Tree::Integer(Box::new(a), n)),
            1 => inner.clone().prop_map(|a| Tree::Root(Box::new(a), 1, 2)),
            1 => inner.clone().prop_map(|a| Tree::Root(Box::new(a), 3, 4)),
            1 => pair.clone().prop_map(|(a, b)| Tree::Power(Box::new(a), Box::new(b))),
            1 => inner.clone().prop_map(|a| Tree::Exp(Box::new(a))),
            4 => (0..READABLE.len(), inner.clone()).prop_map(|(f, a)| Tree::Unary(READABLE[f].0, Box::new(a))),
            1 => (0..READABLE_PAIRS.len(), pair)
                .prop_map(|(f, (a, b))| Tree::Binary(READABLE_PAIRS[f].0, Box::new(a), Box::new(b))),
        ]
    })
}

impl Tree {
    /// Returns the tree in the oracle's syntax, without blanks; `None` if the oracle does not have one of its
    /// functions.
    pub(crate) fn oracle_text(&self) -> Option<String> {
        let pair = |a: &Tree, b: &Tree, sign: &str| {
            Some(format!("({}{sign}{})", a.oracle_text()?, b.oracle_text()?))
        };
        match self {
            Tree::X => Some("x".to_owned()),
            Tree::Y => Some("y".to_owned()),
            Tree::Number(numerator, denominator) => Some(format!("(({numerator})/{denominator})")),
            Tree::Add(a, b) => pair(a, b, "+"),
            Tree::Subtract(a, b) => pair(a, b, "-"),
            Tree::Multiply(a, b) => pair(a, b, "*"),
            Tree::Divide(a, b) => pair(a, b, "/"),
            Tree::Power(a, b) => pair(a, b, "^"),
            Tree::Integer(a, n) => Some(format!("({}^({n}))", a.oracle_text()?)),
            Tree::Root(a, p, q) => Some(format!("({}^({p}/{q}))", a.oracle_text()?)),
            Tree::Exp(a) => Some(format!("exp({})", a.oracle_text()?)),
            Tree::Unary(function, a) => {
                let (_, name) = READABLE.iter().find(|(known, _)| known == function)?;
                Some(format!("{name}({})", a.oracle_text()?))
            }
            Tree::Binary(function, a, b) => {
                let (_, name) = READABLE_PAIRS.iter().find(|(known, _)| known == function)?;
                Some(format!("{name}({},{})", a.oracle_text()?, b.oracle_text()?))
            }
        }
    }

    /// Returns the expression in an arena, over variables named `x` and `y`.
    pub(crate) fn build(&self, arena: &mut Arena) -> Id {
        match self {
            Tree::X => arena.variable("x"),
            Tree::Y => arena.variable("y"),
            Tree::Number(numerator, denominator) => arena.fraction(*numerator, *denominator),
            Tree::Add(a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.add(a, b)
            }
            Tree::Subtract(a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.sub(a, b)
            }
            Tree::Multiply(a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.mul(a, b)
            }
            Tree::Divide(a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.div(a, b)
            }
            Tree::Integer(a, n) => {
                let (a, n) = (a.build(arena), arena.integer(*n));
                arena.power(a, n)
            }
            Tree::Root(a, p, q) => {
                let (a, exponent) = (a.build(arena), arena.fraction(*p, *q));
                arena.power(a, exponent)
            }
            Tree::Power(a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.power(a, b)
            }
            Tree::Exp(a) => {
                let a = a.build(arena);
                arena.exp(a)
            }
            Tree::Unary(function, a) => {
                let a = a.build(arena);
                arena.apply(*function, &[a])
            }
            Tree::Binary(function, a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                arena.apply(*function, &[a, b])
            }
        }
    }
}
