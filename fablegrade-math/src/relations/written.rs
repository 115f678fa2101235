//! Exact numbers as LaTeX.

use super::BoundedOracle;
use super::coordinate::Coordinate;
use crate::expr::{Arena, Constant, Function, Id, Node};
use crate::limits::WRITTEN_DEPTH;
use crate::number::Rational;

impl Coordinate {
    /// Returns the number as LaTeX: its formula if that can be written, or else a decimal with the precision of a
    /// double, or `?` if it cannot be evaluated.
    pub(super) fn latex(&mut self, arena: &mut Arena, oracle: &mut BoundedOracle<'_>) -> String {
        let id = self.expression(arena);
        id.and_then(|id| written(arena, id, 0)).unwrap_or_else(|| match self.nearest(arena, oracle) {
            Some(value) => format!("{value}"),
            None => "?".to_owned(),
        })
    }
}

fn number(value: &Rational) -> String {
    if value.is_integer() {
        return value.to_string();
    }
    let sign = if value.is_negative() { "-" } else { "" };
    let size = value.absolute();
    format!("{sign}\\frac{{{}}}{{{}}}", size.numerator_part(), size.denominator_part())
}

fn written(arena: &Arena, id: Id, depth: usize) -> Option<String> {
    if depth > WRITTEN_DEPTH {
        return None;
    }
    let bracketed = |part: Id| {
        let text = written(arena, part, depth + 1)?;
        let plain = match arena.node(part) {
            Node::Number(value) => value.is_integer() && !value.is_negative(),
            Node::Constant(_) | Node::Symbol(_) => true,
            _ => false,
        };
        Some(if plain { text } else { format!("\\left({text}\\right)") })
    };
    Some(match arena.node(id) {
        Node::Number(value) => number(value),
        Node::Constant(constant) => match constant {
            Constant::Pi => "\\pi".to_owned(),
            Constant::E => "e".to_owned(),
            Constant::I => "i".to_owned(),
            _ => return None,
        },
        Node::Sum(terms) => {
            let mut text = String::new();
            for term in terms {
                let next = written(arena, *term, depth + 1)?;
                if !text.is_empty() && !next.starts_with('-') {
                    text.push('+');
                }
                text.push_str(&next);
            }
            text
        }
        Node::Product(factors) => {
            let mut text = String::new();
            for factor in factors {
                match arena.node(*factor) {
                    Node::Number(value) if value.is_minus_one() && text.is_empty() => text.push('-'),
                    Node::Number(value) if text.is_empty() => text.push_str(&number(value)),
                    Node::Sum(_) | Node::Number(_) => text.push_str(&bracketed(*factor)?),
                    _ => {
                        if text.ends_with(|last: char| last.is_alphanumeric()) {
                            text.push_str("\\cdot ");
                        }
                        text.push_str(&written(arena, *factor, depth + 1)?);
                    }
                }
            }
            text
        }
        Node::Power(base, exponent) => match arena.as_number(exponent).and_then(Rational::to_small) {
            Some((1, 2)) => format!("\\sqrt{{{}}}", written(arena, base, depth + 1)?),
            Some((1, degree)) => format!("\\sqrt[{degree}]{{{}}}", written(arena, base, depth + 1)?),
            Some((-1, 1)) => format!("\\frac{{1}}{{{}}}", written(arena, base, depth + 1)?),
            _ => format!("{}^{{{}}}", bracketed(base)?, written(arena, exponent, depth + 1)?),
        },
        Node::Apply(function, &[argument]) => {
            let name = match function {
                Function::Sin => "\\sin",
                Function::Cos => "\\cos",
                Function::Tan => "\\tan",
                Function::Asin => "\\arcsin",
                Function::Acos => "\\arccos",
                Function::Atan => "\\arctan",
                Function::Sinh => "\\sinh",
                Function::Cosh => "\\cosh",
                Function::Tanh => "\\tanh",
                Function::Ln => "\\ln",
                Function::Abs => {
                    return Some(format!("\\left|{}\\right|", written(arena, argument, depth + 1)?));
                }
                _ => return None,
            };
            format!("{name}\\left({}\\right)", written(arena, argument, depth + 1)?)
        }
        _ => return None,
    })
}
