//! Prints a parse tree as normalised LaTeX, which shows how an input was understood.
//!
//! Fractions get a bar, arguments get brackets, and implied grouping becomes explicit. Reading the output
//! gives the same value, and printing that again gives the same text.

use crate::ast::{
    Constant, Delimiter, Gathered, List, Named, Node, NodeId, NumberSet, Relation, Repeated, Side, Syntax,
};
use crate::names::looks_like_a_word;

mod names;

pub(crate) use names::is_letter;
pub use names::latex_name;
use names::{is_name_in_brackets, looks_like_a_point};

/// The binding strength of a node, from lists (weakest) to atoms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    List,
    Iff,
    Implies,
    Or,
    And,
    Not,
    Relation,
    Union,
    Intersection,
    Ratio,
    Sum,
    Signed,
    /// Extends over the factors after it, as sums, limits and remainders do.
    Greedy,
    Product,
    Power,
    Atom,
}

/// Returns the whole tree as LaTeX.
pub fn print(tree: &Syntax) -> String {
    print_node(tree, tree.root())
}

/// Prints one node as LaTeX.
pub fn print_node(tree: &Syntax, id: NodeId) -> String {
    let mut printer = Printer { tree, out: String::new(), in_derivative: false };
    printer.emit(id, Level::List);
    printer.out
}

/// Prints a term that a derivative applies to. There, `y(x)` would be a value of a function.
pub(crate) fn print_derived(tree: &Syntax, id: NodeId) -> String {
    let mut printer = Printer { tree, out: String::new(), in_derivative: true };
    printer.emit(id, Level::List);
    printer.out
}

struct Printer<'t> {
    tree: &'t Syntax,
    out: String,
    in_derivative: bool,
}

impl Printer<'_> {
    /// Appends text, after a space if its first letter would otherwise extend a command.
    fn push(&mut self, text: &str) {
        if text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) {
            let letters = self.out.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
            if letters > 0 && self.out.as_bytes()[..self.out.len() - letters].last() == Some(&b'\\') {
                self.out.push(' ');
            }
        }
        self.out.push_str(text);
    }

    fn level(&self, id: NodeId) -> Level {
        match self.tree.node(id) {
            Node::Items { open: Delimiter::None, close: Delimiter::None, .. } => Level::List,
            Node::Iff(..) => Level::Iff,
            Node::Implies(..) => Level::Implies,
            Node::Or(_) => Level::Or,
            Node::And(_) => Level::And,
            Node::Not(_) => Level::Not,
            Node::Relation(_) => Level::Relation,
            Node::Union(_) | Node::SetMinus(..) => Level::Union,
            Node::Intersection(_) => Level::Intersection,
            Node::Ratio(..) => Level::Ratio,
            Node::Sum(_) => Level::Sum,
            Node::Negate(_) | Node::Plus(_) | Node::PlusMinus(_) | Node::MinusPlus(_) => Level::Signed,
            Node::Modulo(..)
            | Node::Repeated(..)
            | Node::Gathered(..)
            | Node::Limit(..)
            | Node::Integral(_)
            | Node::Derivative(..) => Level::Greedy,
            Node::Product(_) | Node::Mixed(_) => Level::Product,
            Node::Number(text) if self.tree.text(text).contains('E') => Level::Product,
            Node::Quotient { .. }
            | Node::Power(..)
            | Node::Factorial(_)
            | Node::DoubleFactorial(_)
            | Node::Percent(_)
            | Node::Degrees(_)
            | Node::Complement(_)
            | Node::Log(..) => Level::Power,
            _ => Level::Atom,
        }
    }

    fn emit(&mut self, id: NodeId, least: Level) {
        if self.level(id) < least {
            self.push("\\left(");
            self.bare(id);
            self.push("\\right)");
        } else {
            self.bare(id);
        }
    }

    /// Prints a node inside a fraction, a root or brackets, where its outermost brackets are not needed.
    fn enclosed(&mut self, id: NodeId) {
        match self.tree.node(id) {
            Node::Group(inner) => self.enclosed(inner),
            _ => self.emit(id, Level::List),
        }
    }

    fn braced(&mut self, id: NodeId) {
        self.push("{");
        self.enclosed(id);
        self.push("}");
    }

    fn fenced(&mut self, open: &str, id: NodeId, close: &str) {
        self.push(open);
        self.emit(id, Level::Iff);
        self.push(close);
    }

    fn after(&mut self, id: NodeId, sign: &str) {
        self.emit(id, Level::Atom);
        self.push(sign);
    }

    fn joined(&mut self, list: List, sign: &str, least: Level) {
        for (at, item) in self.tree.list(list).iter().enumerate() {
            if at > 0 {
                self.push(sign);
            }
            self.emit(*item, least);
        }
    }

    fn arguments(&mut self, list: List) {
        self.push("\\left(");
        self.joined(list, ", ", Level::Iff);
        self.push("\\right)");
    }

    /// Writes a node without brackets around it.
    ///
    /// The function is long because it has one arm per kind of node.
    fn bare(&mut self, id: NodeId) {
        let tree = self.tree;
        match tree.node(id) {
            Node::Number(text) => self.number(tree.text(text)),
            Node::Mixed(list) => {
                if let &[whole, above, below] = tree.list(list) {
                    self.bare(whole);
                    self.push("\\frac");
                    self.braced(above);
                    self.braced(below);
                }
            }
            Node::Symbol(text) if looks_like_a_point(tree.text(text)) => {
                self.push(&format!("{{{}}}", tree.text(text)));
            }
            Node::Symbol(text) => self.push(&latex_name(tree.text(text))),
            Node::Words(text) => {
                self.push("\\text{");
                self.out.push_str(tree.text(text));
                self.push("}");
            }
            Node::Constant(constant) => self.push(constant_name(constant)),
            Node::Group(inner) => self.fenced("\\left(", inner, "\\right)"),
            Node::Negate(inner) => {
                self.push("-");
                self.emit(inner, Level::Product);
            }
            Node::Plus(inner) => {
                self.push("+");
                self.emit(inner, Level::Product);
            }
            Node::PlusMinus(inner) => {
                self.push("\\pm");
                self.emit(inner, Level::Product);
            }
            Node::MinusPlus(inner) => {
                self.push("\\mp");
                self.emit(inner, Level::Product);
            }
            Node::Sum(list) => {
                for (at, term) in tree.list(list).iter().enumerate() {
                    let mut first = tree.node(*term);
                    // A remainder includes the sign before its left operand.
                    while let Node::Modulo(left, _) = first {
                        first = tree.node(left);
                    }
                    let signed = matches!(first, Node::Negate(_) | Node::PlusMinus(_) | Node::MinusPlus(_));
                    // `2e -3`: without the space it may be a power of ten
                    if at > 0
                        && let [.., b'0'..=b'9', b'e'] = self.out.as_bytes()
                    {
                        self.push(" ");
                    }
                    if at > 0 && !signed {
                        self.push("+");
                    }
                    if at == 0 || signed {
                        self.emit(*term, Level::Signed);
                    } else {
                        self.emit(*term, Level::Greedy);
                    }
                }
            }
            Node::Product(list) => self.product(list),
            Node::Quotient { numerator, denominator, .. } => {
                self.push("\\frac");
                self.braced(numerator);
                self.braced(denominator);
            }
            Node::Ratio(left, right) => {
                self.emit(left, Level::Ratio);
                self.push(":");
                self.emit(right, Level::Sum);
            }
            Node::Modulo(left, right) => {
                // `-a\bmod b\bmod c`: the sign belongs to the first operand of a chain
                let chained = matches!(tree.node(left), Node::Negate(_) | Node::Modulo(..));
                self.emit(left, if chained { Level::Signed } else { Level::Product });
                self.push("\\bmod ");
                self.emit(right, Level::Power);
            }
            Node::Power(base, exponent) => self.power(base, exponent),
            Node::Sqrt(inner) => {
                self.push("\\sqrt");
                self.braced(inner);
            }
            Node::Root(radicand, index) => {
                self.push("\\sqrt[");
                self.emit(index, Level::Sum);
                self.push("]");
                self.braced(radicand);
            }
            Node::Apply(named, arguments) => {
                self.push(named.row().printed);
                self.arguments(arguments);
            }
            Node::Log(argument, base) => {
                self.push("\\log_");
                self.braced(base);
                self.fenced("\\left(", argument, "\\right)");
            }
            Node::Call(name, arguments) => {
                self.push(&latex_call(tree.text(name)));
                self.arguments(arguments);
            }
            Node::Bars(inner) => self.fenced("\\left|", inner, "\\right|"),
            Node::DoubleBars(inner) => self.fenced("\\left\\|", inner, "\\right\\|"),
            Node::Floor(inner) => self.fenced("\\left\\lfloor ", inner, "\\right\\rfloor"),
            Node::Ceil(inner) => self.fenced("\\left\\lceil ", inner, "\\right\\rceil"),
            Node::Factorial(inner) => self.after(inner, "!"),
            Node::DoubleFactorial(inner) => self.after(inner, "!!"),
            Node::Percent(inner) => self.after(inner, "\\%"),
            Node::Degrees(inner) => self.after(inner, "^{\\circ}"),
            Node::Binomial(n, k) => {
                self.push("\\binom");
                self.braced(n);
                self.braced(k);
            }
            Node::Repeated(kind, list) => {
                if let &[index, from, to, body] = tree.list(list) {
                    self.push(match kind {
                        Repeated::Sum => "\\sum_{",
                        Repeated::Product => "\\prod_{",
                    });
                    self.bare(index);
                    self.push("=");
                    self.emit(from, Level::Union);
                    self.push("}^");
                    self.braced(to);
                    self.emit(body, Level::Product);
                }
            }
            Node::Gathered(kind, list) => {
                if let [index, range @ .., body] = tree.list(list) {
                    self.push(match kind {
                        Gathered::Union => "\\bigcup_{",
                        Gathered::Intersection => "\\bigcap_{",
                    });
                    match *range {
                        [from, to] => {
                            self.bare(*index);
                            self.push("=");
                            self.emit(from, Level::Union);
                            self.push("}^");
                            self.braced(to);
                        }
                        [relation] => {
                            self.bare(relation);
                            self.push("}");
                        }
                        _ => {
                            self.bare(*index);
                            self.push("}");
                        }
                    }
                    self.emit(*body, Level::Product);
                }
            }
            Node::Limit(side, list) => {
                if let &[variable, point, body] = tree.list(list) {
                    self.push("\\lim_{");
                    self.bare(variable);
                    self.push("\\to ");
                    self.emit(point, Level::Sum);
                    self.push(match side {
                        Side::Both => "",
                        Side::Below => "^{-}",
                        Side::Above => "^{+}",
                    });
                    self.push("}");
                    self.emit(body, Level::Product);
                }
            }
            Node::Integral(list) => {
                if let [variable, body, bounds @ ..] = tree.list(list) {
                    self.push("\\int");
                    if let &[from, to] = bounds {
                        self.push("_");
                        self.braced(from);
                        self.push("^");
                        self.braced(to);
                    }
                    self.push(" ");
                    self.emit(*body, Level::Sum);
                    self.push("\\,d");
                    self.bare(*variable);
                }
            }
            Node::Derivative(order, list) => {
                if let &[variable, body] = tree.list(list) {
                    let raised = if order == 1 { String::new() } else { format!("^{{{order}}}") };
                    self.push("\\frac{d");
                    self.push(&raised);
                    self.push("}{d");
                    self.bare(variable);
                    self.push(&raised);
                    self.push("}\\left(");
                    let outside = std::mem::replace(&mut self.in_derivative, true);
                    self.enclosed(body);
                    self.in_derivative = outside;
                    self.push("\\right)");
                }
            }
            Node::Relation(chain) => {
                let first = tree.operands(chain).next();
                if let Some(first) = first {
                    self.emit(first, Level::Union);
                }
                for (_, relation, right) in tree.chain(chain) {
                    self.push(relation_sign(relation));
                    self.emit(right, Level::Union);
                }
            }
            Node::And(list) => self.joined(list, "\\land ", Level::Not),
            Node::Or(list) => self.joined(list, "\\lor ", Level::And),
            Node::Not(inner) => {
                self.push("\\neg ");
                self.emit(inner, Level::Relation);
            }
            Node::Implies(left, right) => {
                self.emit(left, Level::Or);
                self.push("\\implies ");
                self.emit(right, Level::Implies);
            }
            Node::Iff(left, right) => {
                self.emit(left, Level::Implies);
                self.push("\\iff ");
                self.emit(right, Level::Iff);
            }
            Node::Union(list) => self.joined(list, "\\cup ", Level::Intersection),
            Node::Intersection(list) => self.joined(list, "\\cap ", Level::Ratio),
            Node::Complement(inner) => self.after(inner, "^{\\complement}"),
            Node::SetMinus(left, right) => {
                self.emit(left, Level::Intersection);
                self.push("\\setminus ");
                self.emit(right, Level::Intersection);
            }
            Node::Items { open, close, items } => self.items(open, close, items),
            Node::SuchThat(what, condition) => {
                self.push("\\left\\{");
                self.emit(what, Level::Relation);
                self.push("\\mid ");
                self.emit(condition, Level::List);
                self.push("\\right\\}");
            }
            Node::Matrix { columns, entries, determinant } => {
                let name = if determinant { "vmatrix" } else { "pmatrix" };
                self.push(&format!("\\begin{{{name}}}"));
                self.table(entries, columns as usize, Level::Iff);
                self.push(&format!("\\end{{{name}}}"));
            }
            Node::Cases(entries) => {
                self.push("\\begin{cases}");
                self.table(entries, 2, Level::List);
                self.push("\\end{cases}");
            }
        }
    }

    fn table(&mut self, entries: List, columns: usize, least: Level) {
        for (at, entry) in self.tree.list(entries).iter().enumerate() {
            if at > 0 {
                self.push(if at % columns.max(1) == 0 { "\\\\" } else { "&" });
            }
            self.emit(*entry, least);
        }
    }

    fn items(&mut self, open: Delimiter, close: Delimiter, items: List) {
        let bare = open == Delimiter::None && close == Delimiter::None;
        if bare {
            // rows of a list of lists need semicolons
            let nested = self.tree.list(items).iter().any(|item| self.level(*item) == Level::List);
            for (at, item) in self.tree.list(items).iter().enumerate() {
                if at > 0 {
                    self.push(if nested { "; " } else { ", " });
                }
                self.emit(*item, if nested { Level::List } else { Level::Iff });
            }
            return;
        }
        self.push("\\left");
        self.push(match open {
            Delimiter::Paren => "(",
            Delimiter::Bracket => "[",
            Delimiter::Brace => "\\{",
            Delimiter::Angle => "\\langle ",
            Delimiter::Reversed => "]",
            Delimiter::None => ".",
        });
        self.joined(items, ", ", Level::Iff);
        self.push("\\right");
        self.push(match close {
            Delimiter::Paren => ")",
            Delimiter::Bracket => "]",
            Delimiter::Brace => "\\}",
            Delimiter::Angle => "\\rangle",
            Delimiter::Reversed => "[",
            Delimiter::None => ".",
        });
    }

    fn power(&mut self, base: NodeId, exponent: NodeId) {
        let mut bare = exponent;
        while let Node::Group(inner) = self.tree.node(bare) {
            bare = inner;
        }
        let minus_one = matches!(self.tree.node(bare), Node::Negate(inner)
            if matches!(self.tree.node(inner), Node::Number(text) if self.tree.text(text) == "1"));
        match self.tree.node(base) {
            Node::Apply(named, arguments) if !minus_one && is_command(named) => {
                self.push(named.row().printed);
                self.push("^");
                self.braced(exponent);
                self.arguments(arguments);
                return;
            }
            Node::Apply(..) => {
                self.push("\\left(");
                self.bare(base);
                self.push("\\right)");
            }
            _ => self.emit(base, Level::Atom),
        }
        self.push("^{");
        self.emit(exponent, Level::List);
        self.push("}");
    }

    fn product(&mut self, list: List) {
        let factors = self.tree.list(list);
        let mut printed: Vec<String> = Vec::with_capacity(factors.len());
        for factor in factors {
            let mut printer =
                Printer { tree: self.tree, out: String::new(), in_derivative: self.in_derivative };
            match self.tree.node(*factor) {
                // dots separate mixed numbers and powers of ten from other factors
                Node::Mixed(_) | Node::Number(_) => printer.bare(*factor),
                _ => printer.emit(*factor, Level::Power),
            }
            printed.push(printer.out);
        }
        let dots: Vec<bool> = std::iter::once(false)
            .chain(
                factors.iter().zip(printed.iter().skip(1)).map(|(left, right)| self.needs_dot(*left, right)),
            )
            .collect();
        let spelled = spells_a_word(&printed, &dots);
        for (text, dot) in printed.iter().zip(dots) {
            if dot {
                self.push("\\cdot ");
            } else if spelled && self.out.ends_with(|c: char| c.is_ascii_alphabetic()) {
                self.out.push(' ');
            }
            self.push(text);
        }
    }

    /// Returns whether a factor and the printed factor after it need a dot to be read as a product.
    fn needs_dot(&self, left: NodeId, right: &str) -> bool {
        if right.starts_with(|c: char| c.is_ascii_digit()) {
            return true;
        }
        match self.tree.node(left) {
            Node::Mixed(_) => true,
            Node::Number(text) => {
                !self.tree.text(text).contains('E') && (right.starts_with("\\frac") || right.starts_with('E'))
            }
            Node::Symbol(text) => {
                let name = self.tree.text(text);
                // `\\Delta x` is a name
                matches!(name, "d" | "Delta" | "delta")
                    || right.strip_prefix("\\left(").is_some_and(|inner| {
                        name.ends_with('\'')
                            || name.len() > 1
                            || self.in_derivative && is_name_in_brackets(inner)
                    })
            }
            _ => false,
        }
    }

    fn number(&mut self, text: &str) {
        let (mantissa, exponent) = match text.split_once('E') {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (text, None),
        };
        let (mantissa, repeating) = match mantissa.split_once('(') {
            Some((start, digits)) => (start, Some(digits.trim_end_matches(')'))),
            None => (mantissa, None),
        };
        if mantissa.starts_with('.') {
            self.push("0");
        }
        self.push(if repeating.is_none() {
            mantissa.strip_suffix('.').unwrap_or(mantissa)
        } else {
            mantissa
        });
        if let Some(digits) = repeating {
            self.push(&format!("\\overline{{{digits}}}"));
        }
        if let Some(exponent) = exponent {
            self.push(&format!("\\cdot 10^{{{}}}", exponent.trim_start_matches('+')));
        }
    }
}

/// Returns whether letters of neighbouring factors, written without spaces, would be taken for a word.
fn spells_a_word(printed: &[String], dots: &[bool]) -> bool {
    let mut runs = String::new();
    for (text, dot) in printed.iter().zip(dots) {
        if *dot {
            runs.push(' ');
        }
        let first = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        runs.push_str(&text[..first]);
        if first < text.len() {
            runs.push(' ');
            let last = text.len() - text.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
            if !text[..last].ends_with('\\') {
                runs.push_str(&text[last..]);
            }
        }
    }
    runs.split(' ').any(looks_like_a_word)
}

fn is_command(named: Named) -> bool {
    !named.row().printed.starts_with("\\operatorname")
}

/// Returns the name of an uninterpreted function as LaTeX; names of several letters become operators.
fn latex_call(name: &str) -> String {
    let plain = name.trim_end_matches("^{-1}");
    let inverse = &name[plain.len()..];
    let printed = latex_name(plain);
    match printed.strip_prefix("\\mathrm{") {
        Some(rest) => format!("\\operatorname{{{rest}{inverse}"),
        None => format!("{printed}{inverse}"),
    }
}

fn constant_name(constant: Constant) -> &'static str {
    match constant {
        Constant::Pi => "\\pi",
        Constant::E => "e",
        Constant::I => "i",
        Constant::GoldenRatio => "\\operatorname{GoldenRatio}",
        Constant::EulerGamma => "\\operatorname{EulerGamma}",
        Constant::Infinity => "\\infty",
        Constant::ComplexInfinity => "\\tilde{\\infty}",
        Constant::EmptySet => "\\emptyset",
        Constant::True => "\\top",
        Constant::False => "\\bot",
        Constant::Undefined => "\\text{undefined}",
        Constant::Numbers(NumberSet::Naturals) => "\\mathbb{N}",
        Constant::Numbers(NumberSet::NaturalsAndZero) => "\\mathbb{N}_{0}",
        Constant::Numbers(NumberSet::PositiveIntegers) => "\\mathbb{Z}_{>0}",
        Constant::Numbers(NumberSet::Integers) => "\\mathbb{Z}",
        Constant::Numbers(NumberSet::Rationals) => "\\mathbb{Q}",
        Constant::Numbers(NumberSet::Reals) => "\\mathbb{R}",
        Constant::Numbers(NumberSet::Complexes) => "\\mathbb{C}",
    }
}

fn relation_sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "=",
        Relation::NotEqual => "\\ne ",
        Relation::Less => "<",
        Relation::LessEqual => "\\le ",
        Relation::Greater => ">",
        Relation::GreaterEqual => "\\ge ",
        Relation::Approximate => "\\approx ",
        Relation::Equivalent => "\\equiv ",
        Relation::In => "\\in ",
        Relation::NotIn => "\\notin ",
        Relation::Contains => "\\ni ",
        Relation::Subset => "\\subset ",
        Relation::SubsetEqual => "\\subseteq ",
        Relation::Superset => "\\supset ",
        Relation::SupersetEqual => "\\supseteq ",
        Relation::Tends => "\\to ",
        Relation::Proportional => "\\propto ",
        Relation::Defines => ":=",
    }
}

#[cfg(test)]
mod tests;
