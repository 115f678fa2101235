//! The spelling law: a decision does not depend on blanks, on the order of terms and factors, on the names of
//! variables, on redundant brackets, or on which expression is the reference.
//!
//! `FABLEGRADE_PAIRS` names a file with more pairs, one JSON object `{canonical, latex}` per line;
//! `FABLEGRADE_SPELLINGS` is the number of spellings to try per pair.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use fablegrade_latex::{Declarations, parse};
use fablegrade_math::internals::{Arena, Constant, Function, Id, Node, SeriesKind, Symbol, lower};
use fablegrade_math::{Options, compare};
use std::collections::HashMap;
use std::fmt::Write as _;

const NAMES: [&str; 24] = [
    "x", "y", "z", "t", "u", "v", "w", "p", "q", "r", "s", "a", "b", "c", "m", "n", r"\alpha", r"\beta",
    r"\theta", "x_1", "x_2", "y_{12}", r"\lambda", "A",
];
const INDICES: [&str; 6] = ["k", "j", "l", "h", "g", "f"];

/// Writes expressions in random spellings.
struct Writer<'a> {
    arena: &'a Arena,
    names: HashMap<Symbol, String>,
    state: u64,
}

impl Writer<'_> {
    fn pick(&mut self, below: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % below
    }

    fn shuffled<T: Copy>(&mut self, items: &[T]) -> Vec<T> {
        let mut items = items.to_vec();
        for at in (1..items.len()).rev() {
            let other = self.pick(at + 1);
            items.swap(at, other);
        }
        items
    }

    fn blank(&mut self) -> &'static str {
        ["", "", " ", r"\,", "~", r"\;"][self.pick(6)]
    }

    fn bracketed(&mut self, inner: &str) -> String {
        match self.pick(3) {
            0 => format!("({inner})"),
            1 => format!(r"\left({}{inner}\right)", self.blank()),
            _ => format!(r"\left( {inner}{}\right)", self.blank()),
        }
    }

    fn list(&mut self, parts: &[Id], between: &str) -> Option<String> {
        let mut text = String::new();
        for (at, part) in self.shuffled(parts).into_iter().enumerate() {
            if at > 0 {
                write!(text, "{}{between}{}", self.blank(), self.blank()).ok()?;
            }
            let inner = self.write(part)?;
            text += &self.bracketed(&inner);
        }
        Some(text)
    }

    fn arguments(&mut self, parts: &[Id]) -> Option<String> {
        let parts: Option<Vec<String>> = parts.iter().map(|&part| self.write(part)).collect();
        Some(parts?.join(","))
    }

    fn name(&mut self, symbol: Symbol, pool: &[&str]) -> String {
        if let Some(name) = self.names.get(&symbol) {
            return name.clone();
        }
        loop {
            let name = pool[self.pick(pool.len())];
            if self.names.values().all(|known| known != name) {
                self.names.insert(symbol, name.to_owned());
                return name.to_owned();
            }
        }
    }

    /// Writes an expression; `None` for calls, limits, integrals and infinities, which this test does not
    /// write.
    fn write(&mut self, id: Id) -> Option<String> {
        let arena = self.arena;
        let text = match arena.node(id) {
            Node::Number(number) => {
                let (top, bottom) = (number.numerator_part(), number.denominator_part());
                let text = if number.is_integer() {
                    top.to_string()
                } else {
                    format!(r"\frac{{{top}}}{{{bottom}}}")
                };
                if number.is_negative() { format!("({text})") } else { text }
            }
            Node::Constant(constant) => match constant {
                Constant::Pi => r"\pi ".to_owned(),
                Constant::E => "e".to_owned(),
                Constant::I => "i".to_owned(),
                _ => return None,
            },
            Node::Symbol(symbol) if self.names.len() < NAMES.len() => self.name(symbol, &NAMES),
            Node::Sum(terms) => self.list(terms, "+")?,
            Node::Product(factors) => self.list(factors, r"\cdot ")?,
            Node::Power(base, exponent) => {
                let exponent = self.write(exponent)?;
                let base_text = self.write(base)?;
                match arena.node(base) {
                    Node::Constant(Constant::E) => format!("e^{{{exponent}}}"),
                    _ => format!("{}^{{{exponent}}}", self.bracketed(&base_text)),
                }
            }
            Node::Apply(Function::Mod, &[a, b]) => {
                let (a, b) = (self.write(a)?, self.write(b)?);
                format!(r"(({a})\bmod({b}))")
            }
            Node::Apply(Function::Factorial, &[a]) => format!("(({})!)", self.write(a)?),
            Node::Apply(Function::DoubleFactorial, &[a]) => format!("(({})!!)", self.write(a)?),
            Node::Apply(Function::Binomial, &[a, b]) => {
                format!(r"\binom{{{}}}{{{}}}", self.write(a)?, self.write(b)?)
            }
            Node::Apply(Function::Abs, &[a]) => format!(r"\left|{}\right|", self.write(a)?),
            Node::Apply(Function::Floor, &[a]) => format!(r"\left\lfloor {}\right\rfloor ", self.write(a)?),
            Node::Apply(Function::Ceil, &[a]) => format!(r"\left\lceil {}\right\rceil ", self.write(a)?),
            Node::Apply(function, arguments) => {
                let name = match function {
                    Function::Sin => r"\sin",
                    Function::Cos => r"\cos",
                    Function::Tan => r"\tan",
                    Function::Asin => r"\arcsin",
                    Function::Acos => r"\arccos",
                    Function::Atan => r"\arctan",
                    Function::Sinh => r"\sinh",
                    Function::Cosh => r"\cosh",
                    Function::Tanh => r"\tanh",
                    Function::Asinh => r"\operatorname{arsinh}",
                    Function::Acosh => r"\operatorname{arcosh}",
                    Function::Atanh => r"\operatorname{artanh}",
                    Function::Ln => r"\ln",
                    Function::Sign => r"\operatorname{sgn}",
                    Function::Round => r"\operatorname{round}",
                    Function::Min => r"\min",
                    Function::Max => r"\max",
                    Function::Gcd => r"\gcd",
                    Function::Lcm => r"\operatorname{lcm}",
                    Function::Gamma => r"\Gamma",
                    Function::Erf => r"\operatorname{erf}",
                    _ => return None,
                };
                format!(r"{name}\left({}\right)", self.arguments(arguments)?)
            }
            Node::Series(kind, index, from, to, body) => {
                if self.names.len() + 1 >= INDICES.len() || self.names.contains_key(&index) {
                    return None;
                }
                let (from, to) = (self.write(from)?, self.write(to)?);
                let name = self.name(index, &INDICES);
                let body = self.write(body)?;
                let sign = if kind == SeriesKind::Sum { r"\sum" } else { r"\prod" };
                format!(r"({sign}_{{{name}={from}}}^{{{to}}}({body}))")
            }
            _ => return None,
        };
        Some(if self.pick(8) == 0 { self.bracketed(&text) } else { text })
    }
}

/// Returns the decision about a spelling of the pair, and the spelling; `None` if it cannot be written.
fn spelled(pair: [&str; 2], seed: u64) -> Option<(Option<bool>, [String; 2])> {
    let mut arena = Arena::default();
    let names = Declarations::new();
    let mut sides = Vec::new();
    for text in pair {
        sides.push(lower(&parse(text, &names).ok()?, &names, &mut arena).ok()?);
    }
    if arena.overflowed() {
        return None;
    }
    let mut writer = Writer { arena: &arena, names: HashMap::new(), state: seed };
    let mut written = [writer.write(sides[0])?, writer.write(sides[1])?];
    if writer.pick(2) == 0 {
        written.reverse();
    }
    let decision = compare(&written[0], &written[1], &Options::new()).ok()?;
    Some((decision.verdict().as_bool(), written))
}

fn pairs() -> Vec<[String; 2]> {
    let mut pairs = Vec::new();
    for table in [include_str!("decisions/near.tsv"), include_str!("decisions/traps.tsv")] {
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = line.split('\t').collect();
            if let [_, a, b, ..] = cells[..] {
                pairs.push([a.to_owned(), b.to_owned()]);
            }
        }
    }
    if let Some(path) = std::env::var_os("FABLEGRADE_PAIRS") {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            if let (Some(a), Some(b)) = (row["canonical"].as_str(), row["latex"].as_str()) {
                pairs.push([a.to_owned(), b.to_owned()]);
            }
        }
    }
    pairs
}

#[test]
fn decisions_do_not_depend_on_the_spelling() {
    let spellings: u64 =
        std::env::var("FABLEGRADE_SPELLINGS").ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    let (mut tried, mut broken) = (0, Vec::new());
    for [a, b] in pairs() {
        let Ok(decision) = compare(&a, &b, &Options::new()) else { continue };
        for seed in 0..spellings {
            let Some((verdict, [left, right])) = spelled([&a, &b], seed.wrapping_mul(0x9E37_79B9) + 1) else {
                break;
            };
            tried += 1;
            if verdict != decision.verdict().as_bool() {
                broken.push(format!(
                    "{a} | {b} is {:?}\n  {left} | {right} is {verdict:?}",
                    decision.verdict().as_bool()
                ));
                break;
            }
        }
    }
    eprintln!("{tried} spellings");
    assert!(tried > 100, "only {tried} spellings");
    assert!(broken.is_empty(), "{}:\n{}", broken.len(), broken.join("\n"));
}
