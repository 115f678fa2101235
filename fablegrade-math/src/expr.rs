//! The expression DAG, in which every distinct expression is stored once and equal [`Id`]s mean equal
//! structure.
//!
//! Builders normalise lightly. They flatten and sort sums and products, and fold exact rational arithmetic up
//! to a number of bits. They also simplify terms such as `x^1`, `1·x` and `0 + x`. They never cancel (`x/x`
//! stays, because it is undefined at 0) and never expand. Children have smaller ids than their parents, so a
//! scan in id order is bottom-up.

mod build;
mod shape;

pub use crate::functions::Function;
pub(crate) use shape::CanonicalOrder;

use crate::limits::{CHILDREN, FOLDED_BITS, NAMES, NODE, NODES};
use crate::number::Rational;
use crate::subscripts::Subscripts;
use hashbrown::HashTable;
use smallvec::SmallVec;

/// The id of a node in an [`Arena`]; within one arena, equal ids mean structurally equal expressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(u32);

impl Id {
    /// Returns the position in the arena; children have smaller positions than their parents.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An interned name (`x`, `x_{12}`, `\alpha`, `f'`), valid in the arena that created it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(u32);

impl Symbol {
    /// Returns the position in the arena's table of names.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of symbols, with one bit per symbol.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Symbols(u128);

impl Symbols {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns the set that contains only `symbol`.
    #[inline]
    pub fn one(symbol: Symbol) -> Self {
        Self(1u128.checked_shl(symbol.0).unwrap_or(0))
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of symbols in the set.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether `symbol` is in the set.
    #[inline]
    pub fn contains(self, symbol: Symbol) -> bool {
        self.0 & Self::one(symbol).0 != 0
    }

    /// Returns the union of both sets.
    #[inline]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns this set without the symbols of `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the number of symbols in the set that were added to the arena before `symbol`.
    #[inline]
    pub fn before(self, symbol: Symbol) -> usize {
        (self.0 & (Self::one(symbol).0.wrapping_sub(1))).count_ones() as usize
    }

    /// Returns the symbols in the order in which they were added to the arena.
    pub fn iter(self) -> impl Iterator<Item = Symbol> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let next = rest.trailing_zeros();
            rest &= rest - 1;
            Some(Symbol(next))
        })
    }
}

/// Named constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Constant {
    /// π.
    Pi,
    /// Euler's number.
    E,
    /// The imaginary unit.
    I,
    /// The golden ratio `(1 + √5)/2`.
    Phi,
    /// The Euler–Mascheroni constant.
    EulerGamma,
    /// Positive real infinity; its product with `-1` is negative infinity.
    Infinity,
    /// The infinity of the Riemann sphere.
    ComplexInfinity,
    /// The absence of a value.
    Undefined,
}

/// The operation of a [`Node::Series`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SeriesKind {
    /// `\sum`
    Sum,
    /// `\prod`
    Product,
}

/// The side from which a limit is approached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// The limit from both sides.
    Both,
    /// The limit from smaller values.
    Below,
    /// The limit from larger values.
    Above,
}

/// A view of an expression, as returned by [`Arena::node`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Node<'a> {
    /// An exact rational number.
    Number(&'a Rational),
    /// A named constant.
    Constant(Constant),
    /// A variable.
    Symbol(Symbol),
    /// A sum of at least two terms, sorted by id. The terms are not sums, and at most one is a number.
    Sum(&'a [Id]),
    /// A product of at least two factors, sorted by id. The factors are not products, and at most one is a
    /// number.
    Product(&'a [Id]),
    /// A power: base, exponent. `sqrt(x)` is `x^(1/2)`, `exp(x)` is `e^x`, `1/x` is `x^(-1)`.
    Power(Id, Id),
    /// A known function and its arguments.
    Apply(Function, &'a [Id]),
    /// An uninterpreted function and its arguments.
    Call(Symbol, &'a [Id]),
    /// A sum or product over an integer index: operation, index, first value, last value, body.
    Series(SeriesKind, Symbol, Id, Id, Id),
    /// A limit: variable, point, direction, body.
    Limit(Symbol, Id, Direction, Id),
    /// A derivative: variable, order, body.
    Derivative(Symbol, u32, Id),
    /// An integral: variable, bounds if it is definite, body.
    Integral(Symbol, Option<(Id, Id)>, Id),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Number(u32),
    Constant(Constant),
    Symbol(Symbol),
    Sum,
    Product,
    Power,
    Apply(Function),
    Call(Symbol),
    Series(SeriesKind, Symbol),
    Limit(Symbol, Direction),
    Derivative(Symbol, u32),
    Integral(Symbol),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    start: u32,
    len: u32,
    hash: u64,
    free: Symbols,
    /// See [`Arena::shape`].
    shape: u64,
}

/// Ids of nodes in increasing order, so that children precede parents.
pub(crate) type Parts = Vec<Id>;

/// Limits on the size of an arena. Exceeding one sets [`Arena::overflowed`], except for `power_bits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caps {
    /// The number of distinct nodes.
    pub nodes: usize,
    /// The total number of child references.
    pub children: usize,
    /// The number of distinct names, at most 128.
    pub symbols: usize,
    /// The number of bits up to which an integer power of a number is computed; larger ones stay powers.
    pub power_bits: u64,
}

impl Default for Caps {
    fn default() -> Self {
        Self { nodes: NODES, children: CHILDREN, symbols: NAMES, power_bits: FOLDED_BITS }
    }
}

/// A state to which an arena can be truncated; see [`Arena::mark`].
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    nodes: usize,
    children: usize,
    numbers: usize,
    symbols: usize,
    name_bytes: usize,
    overflowed: bool,
    families: bool,
    subscripts: usize,
    entries: usize,
    discs: usize,
    divisors: usize,
}

/// The nodes, names and numbers of a comparison.
///
/// An arena that holds a compiled reference is reused for each submission: take a [`mark`](Self::mark), build
/// the submission, compare it, and [`truncate`](Self::truncate) the arena.
#[derive(Clone, Debug)]
pub struct Arena {
    entries: Vec<Entry>,
    children: Vec<Id>,
    numbers: Vec<Rational>,
    names: String,
    name_ends: Vec<u32>,
    table: HashTable<u32>,
    caps: Caps,
    overflowed: bool,
    /// The remaining lookups of nodes other than numbers, plus 1. At 0, the arena counts as overflowed.
    lookups: u64,
    /// True if a name that depends on a bound index was built.
    families: bool,
    /// The subscripts below sums and products, with their readings.
    pub(crate) subscripts: Subscripts,
    /// The ratios of power series that were replaced by their values. A value is valid only if the magnitude
    /// of its ratio is below 1.
    discs: Vec<Id>,
    /// The terms by which the values of integrals and limits are divided, and the arguments whose logarithms were
    /// differentiated. Where one of them is 0 (or an argument is negative), the value is another one.
    divisors: Vec<Id>,
}

impl Default for Arena {
    fn default() -> Self {
        Self::new(Caps::default())
    }
}

/// The small numbers with which every arena starts, in this order.
const SMALL: [i64; 5] = [0, 1, -1, 2, -2];

impl Arena {
    /// The number 0.
    pub const ZERO: Id = Id(0);
    /// The number 1.
    pub const ONE: Id = Id(1);
    /// The number -1.
    pub const MINUS_ONE: Id = Id(2);
    /// The number 2.
    pub const TWO: Id = Id(3);
    /// The constant without a value, which builders also return if a limit is exceeded.
    pub const UNDEFINED: Id = Id(SMALL.len() as u32);

    /// Creates an arena that contains only the integers from -2 to 2 and [`Constant::Undefined`].
    pub fn new(caps: Caps) -> Self {
        let mut arena = Self {
            entries: Vec::with_capacity(64),
            children: Vec::with_capacity(128),
            numbers: Vec::with_capacity(32),
            names: String::new(),
            name_ends: Vec::new(),
            table: HashTable::with_capacity(128),
            caps: Caps { symbols: caps.symbols.min(NAMES), nodes: caps.nodes.max(16), ..caps },
            overflowed: false,
            lookups: u64::MAX,
            families: false,
            subscripts: Subscripts::default(),
            discs: Vec::new(),
            divisors: Vec::new(),
        };
        for small in SMALL {
            arena.number(Rational::from(small));
        }
        arena.constant(Constant::Undefined);
        arena
    }

    /// Returns whether a limit was exceeded. Expressions built since then may be wrong and must not be
    /// compared.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Sets the budget of building and looking up nodes other than numbers, in units of work.
    pub(crate) fn set_budget(&mut self, units: u64) {
        self.lookups = units / NODE + 1;
    }

    /// Returns the remaining budget of the last [`Arena::set_budget`], in units.
    pub(crate) fn budget_left(&self) -> u64 {
        self.lookups.saturating_sub(1) * NODE
    }

    /// Records that a name that depends on a bound index was built.
    pub(crate) fn note_family(&mut self) {
        self.families = true;
    }

    /// Returns whether a name that depends on a bound index was built.
    pub(crate) fn has_families(&self) -> bool {
        self.families
    }

    /// Records that a power series was replaced by its value, which is valid for `|ratio| < 1`.
    pub(crate) fn note_disc(&mut self, ratio: Id) {
        self.discs.push(ratio);
    }

    /// Records that an integral, a limit or a derivative was replaced by a value that is valid where a term is not 0.
    pub(crate) fn note_divisor(&mut self, term: Id) {
        if !self.is_constant(term) {
            self.divisors.push(term);
        }
    }

    /// Returns the terms that must not be 0 where the values of integrals, limits and derivatives are used.
    pub(crate) fn divisors(&self) -> &[Id] {
        &self.divisors
    }

    /// Returns the terms that were recorded with [`note_divisor`](Self::note_divisor) since `mark`.
    pub(crate) fn divisors_since(&self, mark: &Mark) -> SmallVec<[Id; 4]> {
        self.divisors.iter().skip(mark.divisors).copied().collect()
    }

    /// Returns the ratios of the power series that were replaced by their values.
    pub(crate) fn discs(&self) -> &[Id] {
        &self.discs
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `false`, since an arena is never empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the current state, to which [`truncate`](Self::truncate) can return.
    pub fn mark(&self) -> Mark {
        Mark {
            nodes: self.entries.len(),
            children: self.children.len(),
            numbers: self.numbers.len(),
            symbols: self.name_ends.len(),
            name_bytes: self.names.len(),
            overflowed: self.overflowed,
            families: self.families,
            subscripts: self.subscripts.found.len(),
            entries: self.subscripts.entries.len(),
            discs: self.discs.len(),
            divisors: self.divisors.len(),
        }
    }

    /// Removes everything built since `mark` but keeps the allocations. Ids and symbols created since then
    /// become invalid.
    pub fn truncate(&mut self, mark: &Mark) {
        for index in (mark.nodes..self.entries.len()).rev() {
            let hash = self.entries[index].hash;
            if let Ok(found) = self.table.find_entry(hash, |&at| at as usize == index) {
                found.remove();
            }
        }
        self.entries.truncate(mark.nodes);
        self.children.truncate(mark.children);
        self.numbers.truncate(mark.numbers);
        self.name_ends.truncate(mark.symbols);
        self.names.truncate(mark.name_bytes);
        self.overflowed = mark.overflowed;
        self.families = mark.families;
        self.subscripts.found.truncate(mark.subscripts);
        self.subscripts.entries.truncate(mark.entries);
        self.discs.truncate(mark.discs);
        self.divisors.truncate(mark.divisors);
    }

    // ---- reading ------------------------------------------------------------------------------------------

    /// Returns the node of `id`, or [`Constant::Undefined`] if the arena does not contain `id`.
    #[inline]
    pub fn node(&self, id: Id) -> Node<'_> {
        let Some(entry) = self.entries.get(id.index()) else { return Node::Constant(Constant::Undefined) };
        let of = self.slice(entry);
        match (entry.kind, of) {
            (Kind::Number(at), _) => match self.numbers.get(at as usize) {
                Some(number) => Node::Number(number),
                None => Node::Constant(Constant::Undefined),
            },
            (Kind::Constant(constant), _) => Node::Constant(constant),
            (Kind::Symbol(symbol), _) => Node::Symbol(symbol),
            (Kind::Sum, terms) => Node::Sum(terms),
            (Kind::Product, factors) => Node::Product(factors),
            (Kind::Power, &[base, exponent]) => Node::Power(base, exponent),
            (Kind::Apply(function), arguments) => Node::Apply(function, arguments),
            (Kind::Call(name), arguments) => Node::Call(name, arguments),
            (Kind::Series(kind, index), &[from, to, body]) => Node::Series(kind, index, from, to, body),
            (Kind::Limit(symbol, side), &[point, body]) => Node::Limit(symbol, point, side, body),
            (Kind::Derivative(symbol, order), &[body]) => Node::Derivative(symbol, order, body),
            (Kind::Integral(symbol), &[body]) => Node::Integral(symbol, None, body),
            (Kind::Integral(symbol), &[from, to, body]) => Node::Integral(symbol, Some((from, to)), body),
            _ => Node::Constant(Constant::Undefined),
        }
    }

    /// Returns the children of `id`, in the order of [`Node`].
    #[inline]
    pub fn parts(&self, id: Id) -> &[Id] {
        self.entries.get(id.index()).map_or(&[], |entry| self.slice(entry))
    }

    #[inline]
    fn slice(&self, entry: &Entry) -> &[Id] {
        let start = entry.start as usize;
        self.children.get(start..start + entry.len as usize).unwrap_or(&[])
    }

    /// Returns the exact value, if `id` is a number.
    #[inline]
    pub fn as_number(&self, id: Id) -> Option<&Rational> {
        match self.node(id) {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the value, if `id` is an integer that fits in an `i64`.
    #[inline]
    pub fn as_integer(&self, id: Id) -> Option<i64> {
        self.as_number(id).and_then(Rational::to_i64)
    }

    /// Returns the variables on which `id` depends, without bound variables.
    #[inline]
    pub fn free(&self, id: Id) -> Symbols {
        self.entries.get(id.index()).map_or(Symbols::NONE, |entry| entry.free)
    }

    /// Returns whether `id` depends on no variable.
    #[inline]
    pub fn is_constant(&self, id: Id) -> bool {
        self.free(id).is_empty()
    }

    /// Returns whether `i` occurs in an expression.
    pub(crate) fn is_complex(&self, id: Id) -> bool {
        self.any(id, |node| matches!(node, Node::Constant(Constant::I)))
    }

    /// Returns the text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        let at = symbol.index();
        let end = self.name_ends.get(at).map_or(0, |&end| end as usize);
        let start = if at == 0 { 0 } else { self.name_ends.get(at - 1).map_or(0, |&end| end as usize) };
        self.names.get(start..end).unwrap_or("")
    }

    /// Returns the nodes that are reachable from `roots`, each once, children before parents.
    pub fn reachable(&self, roots: &[Id]) -> Parts {
        let mut order = Parts::with_capacity(self.entries.len().min(64));
        self.list_reachable(roots, &mut order);
        order
    }

    /// Works like [`Arena::reachable`], but reuses the buffer `order`.
    pub(crate) fn list_reachable(&self, roots: &[Id], order: &mut Parts) {
        order.clear();
        let known = roots.iter().map(|root| root.index()).filter(|&root| root < self.entries.len());
        let words = known.clone().max().map_or(0, |top| top / 64 + 1);
        let mut marks: SmallVec<[u64; 8]> = SmallVec::from_elem(0, words);
        let seen = marks.as_mut_slice();
        for root in known {
            seen[root / 64] |= 1 << (root % 64);
        }
        for word in (0..words).rev() {
            // Children have smaller ids than their parents.
            while seen[word] != 0 {
                let bit = seen[word].ilog2() as usize;
                seen[word] ^= 1 << bit;
                let id = Id((word * 64 + bit) as u32);
                order.push(id);
                for child in self.parts(id) {
                    seen[child.index() / 64] |= 1 << (child.index() % 64);
                }
            }
        }
        order.reverse();
    }

    /// Returns the number of distinct nodes of `id`, including `id`.
    pub fn size(&self, id: Id) -> usize {
        self.reachable(&[id]).len()
    }

    /// Returns whether `test` holds for `id` or any of its parts.
    pub fn any(&self, id: Id, mut test: impl FnMut(Node<'_>) -> bool) -> bool {
        self.reachable(&[id]).iter().any(|&part| test(self.node(part)))
    }

    // ---- interning ----------------------------------------------------------------------------------------

    fn union(&self, parts: &[Id]) -> Symbols {
        parts.iter().fold(Symbols::NONE, |all, &part| all.union(self.free(part)))
    }

    fn intern(&mut self, kind: Kind, parts: &[Id], free: Symbols) -> Id {
        self.lookups = self.lookups.saturating_sub(1);
        if self.lookups == 0 {
            self.overflowed = true;
            return Self::UNDEFINED;
        }
        let hash = hash_node(kind, parts);
        let (entries, children) = (&self.entries, &self.children);
        let found = self.table.find(hash, |&at| {
            let entry = &entries[at as usize];
            entry.hash == hash
                && entry.kind == kind
                && children.get(entry.start as usize..(entry.start + entry.len) as usize) == Some(parts)
        });
        if let Some(&at) = found {
            return Id(at);
        }
        if self.entries.len() >= self.caps.nodes || self.children.len() + parts.len() > self.caps.children {
            self.overflowed = true;
            return Self::UNDEFINED;
        }
        let start = self.children.len() as u32;
        self.children.extend_from_slice(parts);
        let at = self.entries.len() as u32;
        let shape = self.shape_of(kind, parts, |part| self.shape(part));
        self.entries.push(Entry { kind, start, len: parts.len() as u32, hash, free, shape });
        let entries = &self.entries;
        self.table.insert_unique(hash, at, |&at| entries[at as usize].hash);
        Id(at)
    }
}

#[inline]
pub(crate) fn mix(state: u64, word: u64) -> u64 {
    // The XOR of both halves of a 128-bit product by an odd constant mixes all bits.
    let wide = u128::from(state ^ word) * 0x9E37_79B9_7F4A_7C15;
    (wide >> 64) as u64 ^ wide as u64
}

fn hash_number(value: &Rational) -> u64 {
    struct Mixer(u64);
    impl core::hash::Hasher for Mixer {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.0 = mix(self.0, u64::from(byte) + 1);
            }
        }
        fn write_u64(&mut self, word: u64) {
            self.0 = mix(self.0, word);
        }
        fn write_i64(&mut self, word: i64) {
            self.0 = mix(self.0, word as u64);
        }
        fn write_usize(&mut self, word: usize) {
            self.0 = mix(self.0, word as u64);
        }
        fn write_isize(&mut self, word: isize) {
            self.0 = mix(self.0, word as u64);
        }
    }
    let mut mixer = Mixer(0x51_7CC1_B727_220A);
    core::hash::Hash::hash(value, &mut mixer);
    mix(mixer.0, 1)
}

fn hash_node(kind: Kind, parts: &[Id]) -> u64 {
    let head = match kind {
        Kind::Number(at) => u64::from(at) << 8,
        Kind::Constant(constant) => 1 | (constant as u64) << 8,
        Kind::Symbol(symbol) => 2 | u64::from(symbol.0) << 8,
        Kind::Sum => 3,
        Kind::Product => 4,
        Kind::Power => 5,
        Kind::Apply(function) => 6 | (function as u64) << 8,
        Kind::Call(name) => 7 | u64::from(name.0) << 8,
        Kind::Series(kind, index) => 8 | (kind as u64) << 8 | u64::from(index.0) << 16,
        Kind::Limit(symbol, side) => 9 | (side as u64) << 8 | u64::from(symbol.0) << 16,
        Kind::Derivative(symbol, order) => 0xA | u64::from(symbol.0) << 8 | u64::from(order) << 32,
        Kind::Integral(symbol) => 0xB | u64::from(symbol.0) << 8,
    };
    let mut hash = mix(0xA076_1D64_78BD_642F, head);
    for part in parts {
        hash = mix(hash, u64::from(part.0) + 0x8000_0000);
    }
    hash
}

#[cfg(test)]
mod tests;
