//! Decides whether two answers are written in the same form ("express your answer in the form ...").
//!
//! Spelling is not part of the form. These have the same form:
//! - spacing, size commands, braces that TeX hides: `\left(`, `(` and `\bigl(`; `\dfrac12`, `\frac{1}{2}` and `1/2`;
//! - the multiplication sign: `2x`, `2\cdot x` and `2*x`;
//! - numbers up to leading zeros and grouping: `.5` and `0.5`; `1{,}000` and `1000`; `1.5E3` and `1.5\cdot10^3`. Zeros
//!   at the end of a decimal count, because they show its precision;
//! - brackets that change nothing: `(2x)+1` and `2x+1`, `a+(b+c)` and `a+b+c`, `(-2)x` and `-2x`;
//! - two names of one function: `\sin^{-1}x` and `\arcsin x`;
//! - the order of terms, of factors, of the elements of a set, of sets joined by `\cup` or `\cap`, of the
//!   arguments of `\min`, `\max`, `\gcd` and `lcm`, and of statements joined by *and* or *or*. `1+x` and
//!   `x+1` have the same form; where the order matters, the question can require a list.
//!
//! These differences are part of the form: `2(x+1)` is not `2x+2`, `(-2)(-x)` not `2x`, `\frac24` not `\frac12`,
//! `x\cdot x` not `x^2`, `\sqrt x` not `x^{1/2}`, `\frac{-1}{2}` not `-\frac12`, `2\frac12` not `\frac52`, `y=x`
//! not `x=y`.

use crate::ast::{Delimiter, List, Named, Node, NodeId, Syntax};
use std::fmt::Write as _;

/// Returns whether two trees have the same form, as described in the [module](self).
///
/// Takes time and memory of about the size of the trees times their depth.
pub fn same_form(a: &Syntax, b: &Syntax) -> bool {
    form(a) == form(b)
}

/// Returns a text that is equal for two trees exactly when they have the same form.
pub fn form(tree: &Syntax) -> String {
    let mut out = String::new();
    Forms { tree }.write(tree.root(), &mut out);
    out
}

struct Forms<'t> {
    tree: &'t Syntax,
}

impl Forms<'_> {
    fn key(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.write(id, &mut out);
        out
    }

    /// Removes brackets and plus signs that change nothing.
    fn bare(&self, mut id: NodeId) -> NodeId {
        loop {
            match self.tree.node(id) {
                Node::Group(inner) | Node::Plus(inner) => id = inner,
                Node::Items { open: Delimiter::Bracket, close: Delimiter::Bracket, items } => {
                    match self.tree.list(items) {
                        [only] => id = *only,
                        _ => return id,
                    }
                }
                _ => return id,
            }
        }
    }

    fn tagged(&self, tag: &str, children: &[NodeId], out: &mut String) {
        out.push_str(tag);
        out.push('(');
        for child in children {
            self.write(*child, out);
            out.push(',');
        }
        out.push(')');
    }

    fn sorted(tag: &str, mut keys: Vec<String>, out: &mut String) {
        keys.sort_unstable();
        out.push_str(tag);
        out.push('(');
        for key in &keys {
            out.push_str(key);
            out.push(',');
        }
        out.push(')');
    }

    fn keys(&self, list: List) -> Vec<String> {
        self.tree.list(list).iter().map(|item| self.key(*item)).collect()
    }

    /// Appends the form of a node: equal forms give equal texts.
    ///
    /// The function is long because it has one arm per kind of node.
    fn write(&self, id: NodeId, out: &mut String) {
        let tree = self.tree;
        match tree.node(self.bare(id)) {
            Node::Number(text) => number(tree.text(text), out),
            Node::Symbol(text) => {
                out.push('$');
                out.push_str(tree.text(text));
            }
            Node::Words(text) => {
                out.push('"');
                out.push_str(tree.text(text));
                out.push('"');
            }
            Node::Constant(constant) => {
                let _ = write!(out, "{constant:?}");
            }
            Node::Sum(_) => {
                let mut terms = Vec::new();
                self.terms(id, &mut terms);
                Self::sorted("sum", terms, out);
            }
            Node::Product(_) => {
                let mut factors = Vec::new();
                let mut signs = 0;
                self.factors(id, &mut factors, &mut signs);
                (0..signs).for_each(|_| out.push_str("minus("));
                Self::sorted("product", factors, out);
                (0..signs).for_each(|_| out.push_str(",)"));
            }
            Node::Mixed(list) => self.tagged("mixed", tree.list(list), out),
            Node::Negate(a) => self.tagged("minus", &[a], out),
            Node::PlusMinus(a) => self.tagged("plusminus", &[a], out),
            Node::MinusPlus(a) => self.tagged("minusplus", &[a], out),
            Node::Quotient { numerator, denominator, .. } => {
                self.tagged("over", &[numerator, denominator], out);
            }
            Node::Ratio(a, b) => self.tagged("ratio", &[a, b], out),
            Node::Modulo(a, b) => self.tagged("mod", &[a, b], out),
            Node::Power(a, b) => self.tagged("power", &[a, b], out),
            Node::Sqrt(a) => self.tagged("sqrt", &[a], out),
            Node::Root(a, b) if matches!(tree.node(b), Node::Number(text) if tree.text(text) == "2") => {
                self.tagged("sqrt", &[a], out);
            }
            Node::Root(a, b) => self.tagged("root", &[a, b], out),
            Node::Apply(named @ (Named::Min | Named::Max | Named::Gcd | Named::Lcm), list) => {
                Self::sorted(&format!("{named:?}"), self.keys(list), out);
            }
            Node::Apply(Named::Abs, list) => self.tagged("bars", tree.list(list), out),
            Node::Apply(Named::Floor, list) => self.tagged("floor", tree.list(list), out),
            Node::Apply(Named::Ceil, list) => self.tagged("ceil", tree.list(list), out),
            Node::Apply(Named::Sqrt, list) => self.tagged("sqrt", tree.list(list), out),
            Node::Apply(Named::Factorial, list) => self.tagged("factorial", tree.list(list), out),
            Node::Apply(Named::Binomial, list) => self.tagged("binomial", tree.list(list), out),
            Node::Apply(named, list) => self.tagged(&format!("{named:?}"), tree.list(list), out),
            Node::Log(a, b) => self.tagged("logbase", &[a, b], out),
            Node::Call(name, list) => {
                self.tagged(&format!("call ${}", tree.text(name)), tree.list(list), out);
            }
            Node::Bars(a) => self.tagged("bars", &[a], out),
            Node::DoubleBars(a) => self.tagged("doublebars", &[a], out),
            Node::Floor(a) => self.tagged("floor", &[a], out),
            Node::Ceil(a) => self.tagged("ceil", &[a], out),
            Node::Factorial(a) => self.tagged("factorial", &[a], out),
            Node::DoubleFactorial(a) => self.tagged("doublefactorial", &[a], out),
            Node::Percent(a) => self.tagged("percent", &[a], out),
            Node::Degrees(a) => self.tagged("degrees", &[a], out),
            Node::Binomial(a, b) => self.tagged("binomial", &[a, b], out),
            Node::Repeated(kind, list) => self.tagged(&format!("all{kind:?}"), tree.list(list), out),
            Node::Gathered(kind, list) => self.tagged(&format!("gathered{kind:?}"), tree.list(list), out),
            Node::Limit(side, list) => self.tagged(&format!("limit{side:?}"), tree.list(list), out),
            Node::Integral(list) => self.tagged("integral", tree.list(list), out),
            Node::Derivative(order, list) => self.tagged(&format!("derivative{order}"), tree.list(list), out),
            Node::Relation(chain) => {
                out.push_str("relation(");
                if let Some(first) = tree.operands(chain).next() {
                    self.write(first, out);
                }
                for (_, relation, right) in tree.chain(chain) {
                    let _ = write!(out, " {relation:?} ");
                    self.write(right, out);
                }
                out.push(')');
            }
            Node::And(list) => Self::sorted("and", self.keys(list), out),
            Node::Or(list) => Self::sorted("or", self.keys(list), out),
            Node::Not(a) => self.tagged("not", &[a], out),
            Node::Implies(a, b) => self.tagged("implies", &[a, b], out),
            Node::Iff(a, b) => self.tagged("iff", &[a, b], out),
            Node::Union(list) => Self::sorted("union", self.keys(list), out),
            Node::Intersection(list) => Self::sorted("intersection", self.keys(list), out),
            Node::SetMinus(a, b) => self.tagged("setminus", &[a, b], out),
            Node::Complement(a) => self.tagged("complement", &[a], out),
            Node::Items { open: Delimiter::Brace, close: Delimiter::Brace, items } => {
                Self::sorted("set", self.keys(items), out);
            }
            // lists inside a list are points: 1,2;3,4
            Node::Items { open: Delimiter::None, close: Delimiter::None, items }
                if id != self.bare(tree.root()) =>
            {
                self.tagged("ParenParen", tree.list(items), out);
            }
            Node::Items { open, close, items } => {
                let open = if open == Delimiter::Reversed { Delimiter::Paren } else { open };
                let close = if close == Delimiter::Reversed { Delimiter::Paren } else { close };
                self.tagged(&format!("{open:?}{close:?}"), tree.list(items), out);
            }
            Node::SuchThat(a, b) => self.tagged("suchthat", &[a, b], out),
            Node::Matrix { columns, entries, determinant } => {
                self.tagged(&format!("matrix{columns}{determinant}"), tree.list(entries), out);
            }
            Node::Cases(list) => self.tagged("cases", tree.list(list), out),
            // removed by `bare`
            Node::Group(a) | Node::Plus(a) => self.write(a, out),
        }
    }

    fn terms(&self, id: NodeId, terms: &mut Vec<String>) {
        let id = self.bare(id);
        match self.tree.node(id) {
            Node::Sum(list) => self.tree.list(list).iter().for_each(|term| self.terms(*term, terms)),
            _ => terms.push(self.key(id)),
        }
    }

    fn factors(&self, id: NodeId, factors: &mut Vec<String>, signs: &mut usize) {
        let id = self.bare(id);
        match self.tree.node(id) {
            Node::Product(list) => {
                self.tree.list(list).iter().for_each(|factor| self.factors(*factor, factors, signs));
            }
            Node::Negate(inner) => {
                *signs += 1;
                self.factors(inner, factors, signs);
            }
            Node::Number(text) if self.tree.text(text).contains('E') => {
                let mut key = String::new();
                number(self.tree.text(text), &mut key);
                // a power of ten is two factors
                match key
                    .strip_prefix("product(")
                    .and_then(|rest| rest.strip_suffix(",)"))
                    .and_then(|rest| rest.split_once(",power"))
                {
                    Some((mantissa, power)) => factors.extend([mantissa.to_owned(), format!("power{power}")]),
                    None => factors.push(key),
                }
            }
            _ => factors.push(self.key(id)),
        }
    }
}

/// Writes digits without leading zeros, and an exponent as a product with a power of ten.
fn number(text: &str, out: &mut String) {
    let (mantissa, exponent) = text.split_once('E').map_or((text, None), |(m, e)| (m, Some(e)));
    let digits = mantissa.trim_start_matches('0');
    let digits = digits.strip_suffix('.').unwrap_or(digits);
    let lead = if digits.is_empty() || digits.starts_with('.') { "0" } else { "" };
    let Some(exponent) = exponent else {
        let _ = write!(out, "{lead}{digits}");
        return;
    };
    let (minus, exponent) = match exponent.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, exponent.trim_start_matches('+')),
    };
    let exponent = exponent.trim_start_matches('0');
    let exponent = if exponent.is_empty() { "0" } else { exponent };
    let exponent = if minus { format!("minus({exponent},)") } else { exponent.to_owned() };
    let _ = write!(out, "product({lead}{digits},power(10,{exponent},),)");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Declarations;
    use crate::parse;

    fn same(a: &str, b: &str) -> bool {
        let names = Declarations::new();
        same_form(&parse(a, &names).unwrap(), &parse(b, &names).unwrap())
    }

    #[test]
    fn spelling_is_not_form() {
        for (a, b) in [
            ("2x+1", "2 \\cdot x + 1"),
            ("2x+1", "1+x*2"),
            ("\\frac12", "\\dfrac{1}{2}"),
            ("\\frac12", "1/2"),
            ("\\left(x+1\\right)^2", "(x+1)^{2}"),
            (".5", "0.5"),
            ("1{,}000", "1000"),
            ("1.5E3", "1.5\\times10^{3}"),
            ("(2x)+1", "2x+1"),
            ("a+(b+c)", "c+b+a"),
            ("(-2)x", "-2x"),
            ("x(-2)(-y)", "(-2)(-x)y"),
            ("\\sin^{-1}x", "\\arcsin(x)"),
            ("\\{1,2\\}", "\\{2,1\\}"),
            ("\\sqrt[2]{x}", "\\sqrt x"),
            ("|x|", "\\left|x\\right|"),
            ("\\operatorname{abs}(x)", "\\lvert x\\rvert"),
            ("(x-1)(x+2)", "(2+x)(x-1)"),
        ] {
            assert!(same(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn form_is_more_than_value() {
        for (a, b) in [
            ("2(x+1)", "2x+2"),
            ("\\frac24", "\\frac12"),
            ("x\\cdot x", "x^2"),
            ("\\sqrt x", "x^{1/2}"),
            ("\\frac{-1}{2}", "-\\frac12"),
            ("2\\frac12", "\\frac52"),
            ("2\\frac12", "2\\cdot\\frac12"),
            ("y=x", "x=y"),
            ("x<1", "1>x"),
            ("0.5", "0.50"),
            ("a-(b+c)", "a-b-c"),
            ("(-2)(-x)", "2x"),
            ("(-1)(-2)(-x)", "-2x"),
            ("(1,2)", "(2,1)"),
            ("(x-1)(x+2)", "x^2+x-2"),
            ("\\frac{x}{2}", "\\frac12x"),
            ("x", "X"),
            ("2+3", "5"),
            ("50\\%", "0.5"),
        ] {
            assert!(!same(a, b), "{a} and {b}");
        }
    }
}
