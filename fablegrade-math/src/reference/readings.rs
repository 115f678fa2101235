//! The other common reading of a text, where there is one.
//!
//! `f(2)` is read as a product unless `f` is declared, and `1e-5` as `1·e - 5`. Both are often meant otherwise: as a value of
//! a function, as a power of ten. Where nothing settles the matter the comparison is made in both readings, and what they
//! decide differently is undecided.

use crate::latex::NoteKind;
use crate::latex::ast::{Constant, Node, NodeId, Syntax};
use crate::options::Options;
use smallvec::SmallVec;

/// What would be read otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct OtherReading {
    /// Letters before a bracket with a closed number: functions.
    functions: Vec<String>,
    /// An `e` between a number and a signed number: a power of ten.
    power_of_ten: bool,
}

impl OtherReading {
    /// The other reading of one side; `None` where the usual one is settled. Linear in the size of the side.
    pub(super) fn of(source: &str, tree: &Syntax, options: &Options) -> Option<Self> {
        let mut functions: Vec<String> = Vec::new();
        let mut brackets: SmallVec<[NodeId; 4]> = SmallVec::new();
        let noted = tree.notes().iter().any(|note| note.kind == NoteKind::ProductNotCall);
        let candidates = if noted { tree.len() } else { 0 };
        for id in tree.nodes().take(candidates) {
            let Node::Product(factors) = tree.node(id) else { continue };
            let factors = tree.list(factors);
            for pair in factors.windows(2) {
                let Node::Symbol(name) = tree.node(pair[0]) else { continue };
                let bracket = match tree.node(pair[1]) {
                    Node::Power(base, _) => base,
                    _ => pair[1],
                };
                let adjacent = tree.span(pair[0]).end == tree.span(bracket).start;
                let name = tree.text(name);
                if adjacent
                    && matches!(tree.node(bracket), Node::Group(_))
                    && is_argument(tree, bracket, name)
                    && !options.names().is_variable(name)
                {
                    brackets.push(pair[0]);
                    if !functions.iter().any(|known| known == name) {
                        functions.push(name.to_owned());
                    }
                }
            }
        }
        if !functions.is_empty() {
            // a name that also stands without such a bracket is a variable
            let stands_alone = |name: &String| {
                tree.nodes().any(|id| match tree.node(id) {
                    Node::Symbol(text) => tree.text(text) == name && !brackets.contains(&id),
                    _ => false,
                })
            };
            functions.retain(|name| !stands_alone(name));
        }
        let power_of_ten = with_powers_of_ten(source).is_some();
        (power_of_ten || !functions.is_empty()).then_some(Self { functions, power_of_ten })
    }

    /// Both sides' other readings together.
    pub(super) fn join(mut self, other: Option<Self>) -> Self {
        if let Some(other) = other {
            self.power_of_ten |= other.power_of_ten;
            self.functions.extend(other.functions);
        }
        self
    }

    /// Without what both sides settle: an `e` that stands by itself is Euler's number, then they all are.
    pub(super) fn unless_settled(mut self, sides: [(&str, &Syntax); 2]) -> Option<Self> {
        let euler_stands_alone = |(source, tree): (&str, &Syntax)| {
            let counted = with_powers_of_ten(source).map_or(0, |(_, count)| count);
            let is_euler = |id: &NodeId| matches!(tree.node(*id), Node::Constant(Constant::E));
            tree.nodes().filter(is_euler).count() > counted
        };
        if self.power_of_ten && sides.into_iter().any(euler_stands_alone) {
            self.power_of_ten = false;
        }
        (self.power_of_ten || !self.functions.is_empty()).then_some(self)
    }

    /// The options and texts of the other reading.
    pub(super) fn apply(&self, options: &Options, texts: [&str; 2]) -> (Options, [String; 2]) {
        let options = self.functions.iter().fold(options.clone(), |options, name| options.function(name));
        let texts = texts.map(|text| match with_powers_of_ten(text) {
            Some((changed, _)) if self.power_of_ten => changed,
            _ => text.to_owned(),
        });
        (options, texts)
    }
}

/// Letters that are functions more often than factors.
const FUNCTION_LETTERS: [&str; 6] = ["f", "g", "h", "F", "G", "H"];

/// Whether a bracket behind a name may hold its argument. A factor is put in brackets for its sign or its terms (`x(-2)`), a
/// plain number is not; behind the usual letters of functions everything without a name is an argument.
fn is_argument(tree: &Syntax, bracket: NodeId, name: &str) -> bool {
    let inner = match tree.node(bracket) {
        Node::Group(inner) => inner,
        _ => bracket,
    };
    let plain = matches!(tree.node(inner), Node::Number(_) | Node::Constant(_) | Node::Quotient { .. });
    is_closed(tree, inner) && (plain || FUNCTION_LETTERS.contains(&name))
}

/// Whether no name and no list stands below a node. Bounded by the depth of the tree.
fn is_closed(tree: &Syntax, id: NodeId) -> bool {
    match tree.node(id) {
        Node::Number(_) | Node::Constant(_) | Node::Mixed(_) => true,
        Node::Group(inner)
        | Node::Negate(inner)
        | Node::Plus(inner)
        | Node::Sqrt(inner)
        | Node::Degrees(inner) => is_closed(tree, inner),
        Node::Quotient { numerator: a, denominator: b, .. } | Node::Power(a, b) => {
            is_closed(tree, a) && is_closed(tree, b)
        }
        Node::Sum(list) | Node::Product(list) => tree.list(list).iter().all(|&part| is_closed(tree, part)),
        _ => false,
    }
}

/// The text with `E` for each `e` between a number and a signed integer, and how many there are; `None` for none.
fn with_powers_of_ten(source: &str) -> Option<(String, usize)> {
    let bytes = source.as_bytes();
    let mut changed: Option<(Vec<u8>, usize)> = None;
    for at in 1..bytes.len().saturating_sub(2) {
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        if bytes[at] != b'e' || !digit(at - 1) || !matches!(bytes[at + 1], b'+' | b'-') || !digit(at + 2) {
            continue;
        }
        let number = bytes[..at].iter().rposition(|byte| !byte.is_ascii_digit() && *byte != b'.');
        let before = number.map_or(b' ', |place| bytes[place]);
        let exponent = bytes[at + 2..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let after = bytes.get(at + 2 + exponent).copied().unwrap_or(b' ');
        // a subscript, an exponent or the argument of a command without braces takes one digit
        if before.is_ascii_alphabetic()
            || matches!(before, b'_' | b'^' | b'\\')
            || matches!(after, b'.' | b'!' | b'^')
        {
            continue;
        }
        let (text, count) = changed.get_or_insert_with(|| (bytes.to_vec(), 0));
        text[at] = b'E';
        *count += 1;
    }
    let (text, count) = changed?;
    Some((String::from_utf8(text).ok()?, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latex::parse;

    fn other(source: &str) -> Option<OtherReading> {
        let options = Options::new();
        OtherReading::of(source, &parse(source, options.names()).ok()?, &options)
    }

    #[test]
    fn calls_of_undeclared_letters() {
        for source in ["f(2)", "I(0)e^{-t}", "y(0)=1", "2f(-1)", "f(2)<f(1)", r"f(\frac{\pi}{2})^2"] {
            assert!(other(source).is_some_and(|other| other.functions.len() == 1), "{source}");
        }
        for source in ["x(x+1)", "x(-2)", "x(2)+x", "2(3)", r"x\cdot(2)", "f(x)", r"\sin(2)"] {
            assert_eq!(other(source), None, "{source}");
        }
        let declared = Options::new().variable("f");
        let tree = parse("f(2)", declared.names());
        assert!(tree.is_ok_and(|tree| OtherReading::of("f(2)", &tree, &declared).is_none()));
    }

    #[test]
    fn powers_of_ten() {
        for (source, changed) in
            [("1e-5", Some("1E-5")), ("2.5e+3x", Some("2.5E+3x")), ("2e-1+e", Some("2E-1+e"))]
        {
            assert_eq!(with_powers_of_ten(source).map(|(text, _)| text).as_deref(), changed, "{source}");
        }
        for source in ["2e-x", "e-1", "2e - 1", r"\frac1e-5", "x^2e-3", "x_1e-5", "1e-5.5"] {
            assert_eq!(with_powers_of_ten(source), None, "{source}");
        }
        assert!(other("1e-5").is_some_and(|other| other.power_of_ten));
        // another e settles what this one is
        let options = Options::new();
        let [a, b] = ["2e-1", r"2\cdot e-1"].map(|source| parse(source, options.names()));
        let (Ok(a), Ok(b)) = (a, b) else { unreachable!("both are read") };
        let other = OtherReading::of("2e-1", &a, &options);
        let settled = other.and_then(|other| other.unless_settled([("2e-1", &a), (r"2\cdot e-1", &b)]));
        assert_eq!(settled, None);
    }
}
