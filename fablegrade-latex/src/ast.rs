//! The parse tree, which preserves the form of a text but not its spacing, sizes and variant spellings.
//!
//! Nodes are in one arena and are identified by [`NodeId`]; lists of children and texts are ranges in two
//! further buffers. A tree therefore needs few allocations. The depth of every node is limited while the tree
//! is built, so functions over a tree can recurse.

use crate::error::Note;
pub use crate::functions::Named;
pub use crate::span::Span;

/// A node of a [`Syntax`] tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(crate) u32);

/// A range of children.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct List {
    start: u32,
    len: u32,
}

impl List {
    /// Returns the number of children.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Returns whether there is no child.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// A range in the text buffer, such as a number or a name in its normal spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text {
    start: u32,
    len: u32,
}

/// A constant: a number, an infinity, a set, a truth value or an undefined value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Constant {
    /// The number π.
    Pi,
    /// Euler's number.
    E,
    /// The imaginary unit.
    I,
    /// The golden ratio; only if it is declared or written as a word.
    GoldenRatio,
    /// The Euler-Mascheroni constant; only if it is written as a word.
    EulerGamma,
    /// Positive infinity.
    Infinity,
    /// Unsigned infinity, `\tilde\infty`.
    ComplexInfinity,
    /// The empty set.
    EmptySet,
    /// The truth value true: `\top` or the word.
    True,
    /// The truth value false: `\bot` or the word.
    False,
    /// An undefined value: `\text{undefined}`.
    Undefined,
    /// A set of numbers with its own letter.
    Numbers(NumberSet),
}

/// The sets of numbers that have their own letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NumberSet {
    /// The natural numbers; it is unspecified whether 0 is included.
    Naturals,
    /// The non-negative integers.
    NaturalsAndZero,
    /// The positive integers.
    PositiveIntegers,
    /// The integers.
    Integers,
    /// The rational numbers.
    Rationals,
    /// The real numbers.
    Reals,
    /// The complex numbers.
    Complexes,
}

/// One side of a pair of delimiters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Delimiter {
    /// `(` or `)`.
    Paren,
    /// `[` or `]`.
    Bracket,
    /// `\{` or `\}`.
    Brace,
    /// `\langle` or `\rangle`.
    Angle,
    /// A reversed bracket: `]` that opens or `[` that closes, an open end of an interval.
    Reversed,
    /// No delimiter: a plain list, or `\left.`.
    None,
}

/// The kinds of relations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // the names are those of the relations
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Approximate,
    Equivalent,
    In,
    NotIn,
    Contains,
    Subset,
    SubsetEqual,
    Superset,
    SupersetEqual,
    Tends,
    Proportional,
    Defines,
}

/// A sum or a product over an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Repeated {
    /// `\sum`
    Sum,
    /// `\prod`
    Product,
}

/// The operation that combines sets over an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Gathered {
    /// `\bigcup`
    Union,
    /// `\bigcap`
    Intersection,
}

/// The side from which a limit is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Side {
    /// The limit from both sides.
    Both,
    /// The limit from below, `0^-`.
    Below,
    /// The limit from above, `0^+`.
    Above,
}

/// The contents of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Node {
    /// A number as digits: `12`, `0.5`, `.5`, `1.5E-3`, `0.1(6)` with a repeating part; grouping is removed.
    Number(Text),
    /// A mixed number: whole, numerator, denominator.
    Mixed(List),
    /// A variable, in the normal spelling of [`crate::names`].
    Symbol(Text),
    /// Words that are not a name, usually in `\text`: a unit or a remark.
    Words(Text),
    /// A constant.
    Constant(Constant),
    /// Round brackets around one expression.
    Group(NodeId),
    /// `-a`
    Negate(NodeId),
    /// A unary plus, `+a`.
    Plus(NodeId),
    /// `\pm a`, as a term of a sum.
    PlusMinus(NodeId),
    /// `\mp a`, as a term of a sum.
    MinusPlus(NodeId),
    /// Terms; a subtracted term is a [`Node::Negate`].
    Sum(List),
    /// Factors, with any multiplication sign or none.
    Product(List),
    /// A fraction; `slash` when written in one line.
    Quotient {
        /// The numerator.
        numerator: NodeId,
        /// The denominator.
        denominator: NodeId,
        /// Written with `/` or `\div` instead of a fraction bar.
        slash: bool,
    },
    /// A ratio `a:b`.
    Ratio(NodeId, NodeId),
    /// `a \bmod b`
    Modulo(NodeId, NodeId),
    /// Base and exponent.
    Power(NodeId, NodeId),
    /// A square root.
    Sqrt(NodeId),
    /// Radicand and index.
    Root(NodeId, NodeId),
    /// A known function and its arguments.
    Apply(Named, List),
    /// A logarithm: argument and base.
    Log(NodeId, NodeId),
    /// An uninterpreted function (its name may have primes or `^{-1}`) and its arguments.
    Call(Text, List),
    /// `|a|`
    Bars(NodeId),
    /// `\|a\|`
    DoubleBars(NodeId),
    /// `\lfloor a \rfloor`
    Floor(NodeId),
    /// `\lceil a \rceil`
    Ceil(NodeId),
    /// `n!`
    Factorial(NodeId),
    /// `n!!`
    DoubleFactorial(NodeId),
    /// `a\%`
    Percent(NodeId),
    /// `a^\circ`
    Degrees(NodeId),
    /// A binomial coefficient: n, k.
    Binomial(NodeId, NodeId),
    /// A sum or product: index, first value, last value, body.
    Repeated(Repeated, List),
    /// A union or intersection over an index: index, range, body. The range is empty for `\bigcup_k`, a
    /// relation for `\bigcup_{k\in\mathbb{Z}}`, and the first and last value for `\bigcup_{k=1}^n`.
    Gathered(Gathered, List),
    /// A limit: variable, limit point, body.
    Limit(Side, List),
    /// An integral: variable, body, and the bounds if there are any.
    Integral(List),
    /// A derivative: the order, then variable and body.
    Derivative(u32, List),
    /// Operands and, between them, relations: see [`Syntax::chain`].
    Relation(List),
    /// A conjunction: all hold.
    And(List),
    /// A disjunction: at least one holds.
    Or(List),
    /// A negation: it does not hold.
    Not(NodeId),
    /// An implication: if, then.
    Implies(NodeId, NodeId),
    /// An equivalence: if and only if.
    Iff(NodeId, NodeId),
    /// The union of sets.
    Union(List),
    /// The intersection of sets.
    Intersection(List),
    /// The difference of sets.
    SetMinus(NodeId, NodeId),
    /// The complement of a set.
    Complement(NodeId),
    /// Items in delimiters, or a bare list (both delimiters are [`Delimiter::None`]).
    Items {
        /// The left delimiter.
        open: Delimiter,
        /// The right delimiter.
        close: Delimiter,
        /// The members between them.
        items: List,
    },
    /// A set builder: element, condition.
    SuchThat(NodeId, NodeId),
    /// A matrix: its entries, row by row.
    Matrix {
        /// The number of columns; the rows follow from the number of entries.
        columns: u32,
        /// The entries.
        entries: List,
        /// Whether it is a determinant: `vmatrix`, or a matrix between bars.
        determinant: bool,
    },
    /// Alternating values and conditions of `\begin{cases}`.
    Cases(List),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: Node,
    span: Span,
    depth: u16,
}

/// The maximum depth of a tree.
pub const MAX_DEPTH: u16 = 150;

/// A parse tree.
#[derive(Clone, Debug)]
pub struct Syntax {
    entries: Vec<Entry>,
    lists: Vec<NodeId>,
    text: String,
    pub(crate) root: NodeId,
    pub(crate) notes: Vec<Note>,
    /// Parts of the text with a second reading, such as `f(2)`.
    pub(crate) doubtful: Doubtful,
    /// Whether derivatives of named quantities occur.
    pub(crate) has_derivatives: bool,
    /// Whether `\times` or `×` occurs between factors.
    pub(crate) has_times_sign: bool,
    /// The currency signs that are left out, one bit each.
    pub(crate) currencies: u8,
}

/// Parts of a text that have a second reading about as likely as the first.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Doubtful {
    /// Undeclared letters that occur only before brackets with a number: `f(2)` may be a product or a value
    /// of a function.
    pub calls: Vec<String>,
    /// Undeclared letters that were read as functions after `\frac{d}{dx}`, as in `\frac{d}{dx}f(x)`. Elsewhere,
    /// `f(x)` is usually a product. Their second reading matters only if the first readings of two texts differ.
    pub derived: Vec<String>,
    /// An `e` between digits: `2e3` may be a power of ten or a product with Euler's number.
    pub exponent: bool,
    /// The number of such `e` that were read as Euler's number.
    pub(crate) as_euler: usize,
    /// Letters that may be complex numbers: `\bar z` may be a name or the conjugate of `z`, and the `z` of `|z-i|` and
    /// of `\operatorname{Re}z` is usually not real.
    pub complex: Vec<String>,
    /// A bracket in an exponent that was read as a power: `y^{\left(3\right)}` may be the third derivative.
    pub orders: bool,
    /// A `\Delta x` that was read as one name. Its second reading, a product, matters only if Δ is a factor in the other
    /// text.
    pub changes: bool,
    /// A bracket behind a decimal that was read as a factor: `0.1(6)` may be a repeating decimal.
    pub repeating: bool,
}

impl Doubtful {
    /// Returns whether there is no second reading, apart from those of derived functions and of changes.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && !self.exponent && self.complex.is_empty() && !self.orders && !self.repeating
    }
}

impl Default for Syntax {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            lists: Vec::new(),
            text: String::new(),
            root: NodeId(0),
            notes: Vec::new(),
            doubtful: Doubtful::default(),
            has_derivatives: false,
            has_times_sign: false,
            currencies: 0,
        }
    }
}

impl Syntax {
    /// Returns the root node. An empty tree has none, and [`Syntax::node`] then panics.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Returns the node of `id`.
    #[inline]
    pub fn node(&self, id: NodeId) -> Node {
        self.entries[id.0 as usize].node
    }

    /// Returns the span of a node in the source.
    #[inline]
    pub fn span(&self, id: NodeId) -> Span {
        self.entries[id.0 as usize].span
    }

    /// Returns the children of a list.
    #[inline]
    pub fn list(&self, list: List) -> &[NodeId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// Returns the text of a number or name.
    #[inline]
    pub fn text(&self, text: Text) -> &str {
        &self.text[text.start as usize..(text.start + text.len) as usize]
    }

    /// Returns notes on the positions where the parser chose between readings, at most 32.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the parts that have a second reading about as likely as the one that was chosen.
    pub fn doubtful(&self) -> &Doubtful {
        &self.doubtful
    }

    /// Returns whether `\times` or `×` occurs between factors.
    pub fn has_times_sign(&self) -> bool {
        self.has_times_sign
    }

    /// Returns whether both trees have currency signs and none in common: `\$5` and `£5` are different amounts.
    pub fn differs_in_currency(&self, other: &Self) -> bool {
        self.currencies != 0 && other.currencies != 0 && self.currencies & other.currencies == 0
    }

    /// Returns whether a name may contain a prime or a command.
    pub(crate) fn has_marked_names(&self) -> bool {
        self.text.bytes().any(|b| matches!(b, b'\'' | b'\\'))
    }

    /// Returns all names that are used as variables.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Text> + '_ {
        self.entries.iter().filter_map(|entry| match entry.node {
            Node::Symbol(text) => Some(text),
            _ => None,
        })
    }

    /// Renames variables.
    pub(crate) fn rename(&mut self, name: impl Fn(&str) -> Option<String>) {
        for at in 0..self.entries.len() {
            if let Node::Symbol(text) = self.entries[at].node
                && let Some(name) = name(self.text(text))
            {
                let text = self.push_text(&name);
                self.entries[at].node = Node::Symbol(text);
            }
        }
    }

    /// Returns whether Euler's number certainly occurs: an `e` that cannot be anything else.
    pub fn has_euler(&self) -> bool {
        let all = self.entries.iter().filter(|entry| entry.node == Node::Constant(Constant::E)).count();
        all > self.doubtful.as_euler
    }

    /// Returns whether a name is used as a variable.
    pub fn has_symbol(&self, name: &str) -> bool {
        self.has_symbol_beyond(name, 0)
    }

    /// Returns whether a variable occurs more than `times` times.
    pub(crate) fn has_symbol_beyond(&self, name: &str, times: usize) -> bool {
        let named = |entry: &&Entry| matches!(entry.node, Node::Symbol(text) if self.text(text) == name);
        self.entries.iter().filter(named).count() > times
    }

    /// Returns the children of a node of any kind, in the order in which the node lists them.
    pub fn children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        let (first, second, list, step): (Option<NodeId>, Option<NodeId>, &[NodeId], usize) = match self
            .node(id)
        {
            Node::Number(_) | Node::Symbol(_) | Node::Words(_) | Node::Constant(_) => (None, None, &[], 1),
            Node::Group(a)
            | Node::Negate(a)
            | Node::Plus(a)
            | Node::PlusMinus(a)
            | Node::MinusPlus(a)
            | Node::Sqrt(a)
            | Node::Bars(a)
            | Node::DoubleBars(a)
            | Node::Floor(a)
            | Node::Ceil(a)
            | Node::Factorial(a)
            | Node::DoubleFactorial(a)
            | Node::Percent(a)
            | Node::Degrees(a)
            | Node::Not(a)
            | Node::Complement(a) => (Some(a), None, &[], 1),
            Node::Quotient { numerator: a, denominator: b, .. }
            | Node::Ratio(a, b)
            | Node::Modulo(a, b)
            | Node::Power(a, b)
            | Node::Root(a, b)
            | Node::Log(a, b)
            | Node::Binomial(a, b)
            | Node::Implies(a, b)
            | Node::Iff(a, b)
            | Node::SetMinus(a, b)
            | Node::SuchThat(a, b) => (Some(a), Some(b), &[], 1),
            Node::Mixed(list)
            | Node::Sum(list)
            | Node::Product(list)
            | Node::Apply(_, list)
            | Node::Call(_, list)
            | Node::Repeated(_, list)
            | Node::Gathered(_, list)
            | Node::Limit(_, list)
            | Node::Integral(list)
            | Node::Derivative(_, list)
            | Node::And(list)
            | Node::Or(list)
            | Node::Union(list)
            | Node::Intersection(list)
            | Node::Items { items: list, .. }
            | Node::Matrix { entries: list, .. }
            | Node::Cases(list) => (None, None, self.list(list), 1),
            Node::Relation(chain) => (None, None, self.list(chain), 2),
        };
        first.into_iter().chain(second).chain(list.iter().copied().step_by(step))
    }

    /// Returns all nodes, children before their parents. Some may not be reachable from the root.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.entries.len() as u32).map(NodeId)
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the operands of a relation chain.
    pub fn operands(&self, chain: List) -> impl Iterator<Item = NodeId> + '_ {
        self.list(chain).iter().copied().step_by(2)
    }

    /// Returns the steps of a relation chain: left, relation, right. `a<b=c` has two.
    pub fn chain(&self, chain: List) -> impl Iterator<Item = (NodeId, Relation, NodeId)> + '_ {
        self.list(chain).windows(3).step_by(2).map(|step| (step[0], RELATIONS[step[1].0 as usize], step[2]))
    }

    pub(crate) fn clear(&mut self, source_len: usize) {
        self.entries.clear();
        self.lists.clear();
        self.text.clear();
        self.notes.clear();
        self.doubtful = Doubtful::default();
        self.has_times_sign = false;
        self.currencies = 0;
        self.entries.reserve(source_len.min(4096) / 2 + 4);
        self.lists.reserve(source_len.min(4096) / 3 + 4);
        self.text.reserve(source_len.min(4096));
    }

    pub(crate) fn depth(&self, id: NodeId) -> u16 {
        self.entries[id.0 as usize].depth
    }

    /// Adds a node one level above depth `below`; the caller must check the depth with [`Syntax::too_deep`].
    #[inline]
    pub(crate) fn push(&mut self, node: Node, span: Span, below: u16) -> NodeId {
        let id = NodeId(self.entries.len() as u32);
        self.entries.push(Entry { node, span, depth: below + 1 });
        id
    }

    /// Orders the operands of the unions and intersections from node `from` on by a text for each.
    pub(crate) fn order_set_operands(&mut self, from: usize, text: impl Fn(&Self, NodeId) -> String) {
        for at in from..self.entries.len() {
            let (Node::Union(list) | Node::Intersection(list)) = self.entries[at].node else { continue };
            let mut operands = self.list(list).to_vec();
            operands.sort_by_cached_key(|operand| text(self, *operand));
            let start = list.start as usize;
            self.lists[start..start + operands.len()].copy_from_slice(&operands);
        }
    }

    /// Removes the nodes after the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    pub(crate) fn too_deep(&self, id: NodeId) -> bool {
        self.depth(id) > MAX_DEPTH
    }

    pub(crate) fn push_list(&mut self, items: &[NodeId]) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(items);
        List { start, len: items.len() as u32 }
    }

    pub(crate) fn push_text(&mut self, text: &str) -> Text {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Text { start, len: text.len() as u32 }
    }

    pub(crate) fn set_span(&mut self, id: NodeId, span: Span) {
        self.entries[id.0 as usize].span = span;
    }
}

/// The relations, indexed by the numbers that chains store.
const RELATIONS: [Relation; 18] = [
    Relation::Equal,
    Relation::NotEqual,
    Relation::Less,
    Relation::LessEqual,
    Relation::Greater,
    Relation::GreaterEqual,
    Relation::Approximate,
    Relation::Equivalent,
    Relation::In,
    Relation::NotIn,
    Relation::Contains,
    Relation::Subset,
    Relation::SubsetEqual,
    Relation::Superset,
    Relation::SupersetEqual,
    Relation::Tends,
    Relation::Proportional,
    Relation::Defines,
];

impl Relation {
    /// Returns the relation as a chain stores it, between two operands.
    pub(crate) fn as_link(self) -> NodeId {
        NodeId(self as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_keep_their_number() {
        for (number, relation) in RELATIONS.iter().enumerate() {
            assert_eq!(*relation as usize, number);
        }
    }
}
