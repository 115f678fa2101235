//! Conversion of the parse tree to structured values.

mod gathered;
mod kinds;
mod lists;
mod signs;
mod solutions;

use super::statement::{is_empty, rename, symbols};
use super::{Combination, Statement, Value};
use crate::expr::{Arena, Function, Id, Symbol, Symbols};
use crate::latex::is_otherwise;
use crate::latex::kind::is_long_ratio;
use crate::latex::{ParseError, Problem};
use crate::limits::{RELATION_PARTS, RELATION_PIECES, TWICE_WRITTEN};
use crate::lower::{Bound, BoundRange, lower_within};
use crate::symbols::Declarations;
use crate::syntax::{Constant, Delimiter, List, Node, NodeId, NumberSet, Relation, Syntax};

pub(super) use kinds::letter;

/// Prefix of generated names, such as those that a set builder binds; no parsed name starts with it.
pub(super) const BOUND: &str = "\u{2022}";

/// Builds the structured value of the whole tree.
///
/// # Errors
/// If a part has no meaning as a value, a set or a statement, or if a limit is exceeded.
pub(crate) fn read(tree: &Syntax, names: &Declarations, arena: &mut Arena) -> Result<Value, ParseError> {
    let mut reader = Reader {
        tree,
        names,
        arena,
        negative: None,
        are_signs_free: false,
        has_free_signs: false,
        has_too_many_signs: false,
        are_functions: true,
        has_unclear_function: false,
        read: 0,
        scope: Vec::new(),
        written_out: 0,
    };
    let mut readings = reader.readings().map_err(|error| *error)?;
    if reader.has_unclear_function {
        reader.are_functions = false;
        readings.extend(reader.readings().map_err(|error| *error)?);
    }
    Ok(if readings.len() == 1 { readings.remove(0) } else { Value::Readings(readings) })
}

pub(super) struct Reader<'t> {
    pub(super) tree: &'t Syntax,
    names: &'t Declarations,
    pub(super) arena: &'t mut Arena,
    /// The nodes `\pm` and `\mp` that are minus, in ascending order, inside a part for which they are chosen.
    negative: Option<Vec<NodeId>>,
    /// `true` if the signs of one part are chosen independently.
    are_signs_free: bool,
    /// `true` if the signs of some part may be independent.
    has_free_signs: bool,
    /// `true` if some part has too many signs to choose them independently.
    has_too_many_signs: bool,
    /// `true` if unclear letters before brackets are read as functions, `false` if they are read as factors.
    are_functions: bool,
    /// `true` if some letter may be a function or a factor, and the two readings differ.
    has_unclear_function: bool,
    /// The number of values and statements read so far.
    read: usize,
    /// The indices that are bound at the current position.
    scope: Vec<Bound>,
    /// The number of sets written out so far for values of indices.
    written_out: i64,
}

pub(super) type Read<T> = Result<T, Box<ParseError>>;

impl Reader<'_> {
    /// Returns the value of the whole text with signs that belong together and, if it differs, with independent ones.
    fn readings(&mut self) -> Read<Vec<Value>> {
        (self.are_signs_free, self.has_free_signs, self.has_too_many_signs) = (false, false, false);
        (self.read, self.written_out) = (0, 0);
        let value = self.value(self.tree.root())?;
        if !self.has_free_signs {
            return Ok(vec![value]);
        }
        self.are_signs_free = true;
        (self.read, self.written_out) = (0, 0);
        let mut free = self.value(self.tree.root())?;
        if self.has_too_many_signs {
            // The values are not listed, so this reading is only the same as itself.
            let itself = Box::new(free);
            let relation = Relation::Equal;
            free = Value::Unclear(vec![Statement::Belongs { left: itself.clone(), relation, right: itself }]);
        }
        Ok(if value == free { vec![value] } else { vec![value, free] })
    }

    /// Returns whether something holds in the current reading of letters before brackets, and notes whether the other
    /// reading makes a difference.
    fn in_reading(&mut self, mut holds: impl FnMut(&mut Self) -> bool) -> bool {
        let here = holds(self);
        if !self.has_unclear_function {
            self.are_functions = !self.are_functions;
            self.has_unclear_function = holds(self) != here;
            self.are_functions = !self.are_functions;
        }
        here
    }

    pub(super) fn scalar(&mut self, id: NodeId) -> Read<Id> {
        let mut value =
            lower_within(self.tree, id, self.names, self.arena, self.negative.as_deref(), &self.scope)?;
        for depth in (0..self.scope.len()).rev() {
            let index = self.arena.symbol(&self.scope[depth].written);
            let by = match self.scope[depth].range {
                BoundRange::One(number) => self.arena.integer(number),
                _ => self.arena.variable(&Self::canonical_index(depth)),
            };
            value = self.arena.substitute(value, index, by);
        }
        Ok(value)
    }

    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    pub(super) fn refuse(&self, id: NodeId, message: &str) -> Box<ParseError> {
        Box::new(ParseError {
            span: self.tree.span(id),
            problem: Problem::NotAValue,
            message: message.to_owned(),
            expected: "a value, a set, a list or a statement",
            suggestion: None,
        })
    }

    /// Counts a value or statement towards [`RELATION_PARTS`].
    fn count(&mut self, id: NodeId) -> Read<()> {
        self.read += 1;
        if self.read > RELATION_PARTS {
            return Err(self.refuse(id, "too many nested statements"));
        }
        Ok(())
    }

    pub(super) fn values(&mut self, list: List) -> Read<Vec<Value>> {
        let tree = self.tree;
        tree.list(list).iter().map(|item| self.value(*item)).collect()
    }

    /// Returns the values of a list, in which `\pm2` counts as two values.
    fn each(&mut self, list: &[NodeId]) -> Read<Vec<Value>> {
        let mut values = Vec::with_capacity(list.len());
        for item in list {
            self.push_each(*item, &mut values)?;
        }
        Ok(values)
    }

    /// Adds a value, or each value of `\pm2`.
    fn push_each(&mut self, id: NodeId, values: &mut Vec<Value>) -> Read<()> {
        match self.value(id)? {
            Value::Several(several) => values.extend(several),
            value => values.push(value),
        }
        Ok(())
    }

    /// Returns the parts of a combination of sets. A constant is read as a set, because TeX does not show the
    /// braces of `{2}`.
    fn sets(&mut self, parts: &[NodeId]) -> Read<Vec<Value>> {
        let mut sets = Vec::with_capacity(parts.len());
        for part in parts {
            sets.push(match self.value(*part)? {
                Value::Scalar(id) if self.arena.is_constant(id) => Value::Set(vec![Value::Scalar(id)]),
                other => other,
            });
        }
        Ok(sets)
    }

    /// Returns the structured value of a node.
    fn value(&mut self, id: NodeId) -> Read<Value> {
        self.apart(id, |reader| reader.value_within(id))
    }

    /// Returns the structured value of a node, with the signs that are chosen for it.
    ///
    /// This function is long because it has one arm for each kind of node.
    fn value_within(&mut self, id: NodeId) -> Read<Value> {
        self.count(id)?;
        let tree = self.tree;
        if self.negative.is_none() && self.chooses_signs(id) {
            return self.with_each_sign(id);
        }
        match tree.node(id) {
            Node::Group(inner) if self.is_structured(inner) => self.value(inner),
            Node::Items { open: Delimiter::None, close: Delimiter::None, items } => self.bare_list(items),
            // A vector is a column in all notations.
            Node::Items { open: Delimiter::Angle, items, .. } if items.len() > 1 => {
                Ok(Value::Matrix { columns: 1, entries: self.values(items)? })
            }
            Node::Items { open: Delimiter::Brace, items, .. } => Ok(Value::Set(self.each(tree.list(items))?)),
            Node::Items { open, close, items } => {
                let mut items = self.values(items)?;
                let mut several =
                    items.iter().enumerate().filter(|(_, item)| matches!(item, Value::Several(_)));
                // `(1\text{ or }2,3)` is two points.
                let (Some((at, Value::Several(values))), None) = (several.next(), several.next()) else {
                    return Ok(Value::Sequence { open, close, items });
                };
                let values = values.clone();
                let of = |value: Value| {
                    items[at] = value;
                    Value::Sequence { open, close, items: items.clone() }
                };
                Ok(Value::Several(values.into_iter().map(of).collect()))
            }
            Node::Constant(Constant::EmptySet) => Ok(Value::Set(Vec::new())),
            Node::Constant(Constant::Numbers(set)) => Ok(self.numbers(set)),
            Node::Union(list) => Ok(Value::Combined(Combination::Union, self.sets(tree.list(list))?)),
            Node::Intersection(list) => {
                Ok(Value::Combined(Combination::Intersection, self.sets(tree.list(list))?))
            }
            Node::Gathered(kind, list) => self.gathered(id, kind, list),
            Node::SetMinus(left, right) => {
                Ok(Value::Combined(Combination::Difference, self.sets(&[left, right])?))
            }
            Node::Complement(inner) => Ok(Value::Combined(Combination::Complement, vec![self.set(inner)?])),
            Node::And(list) | Node::Or(list)
                if !tree.list(list).iter().any(|item| self.is_statement(*item)) =>
            {
                // This is "6 and 8", or letters that denote truth values.
                if tree.list(list).iter().all(|item| self.is_letter(*item)) {
                    return Ok(Value::Statement(self.statement(id)?));
                }
                Ok(Value::Several(self.each(tree.list(list))?))
            }
            // For example "not p or q".
            Node::And(list) | Node::Or(list)
                if tree.list(list).iter().all(|item| {
                    self.is_letter(*item)
                        || self.is_statement(*item) && !matches!(tree.node(*item), Node::Relation(_))
                }) =>
            {
                Ok(Value::Statement(self.statement(id)?))
            }
            Node::And(list) if tree.list(list).iter().any(|item| !self.is_statement(*item)) => {
                self.named_several(list)
            }
            Node::Or(list) if tree.list(list).iter().any(|item| !self.is_statement(*item)) => {
                self.named_several(list)
            }
            // `x<\pm2` can mean below both values, or below one of them.
            Node::Relation(chain) if self.negative.is_none() && self.is_order_with_two_signs(chain) => {
                let both = self.each_sign(id, |reader| reader.steps(chain))?;
                Ok(Value::Unclear([Statement::And(both.clone()), Statement::Or(both)].into()))
            }
            Node::Relation(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Implies(..)
            | Node::Iff(..)
            | Node::Constant(Constant::True | Constant::False) => Ok(Value::Statement(self.statement(id)?)),
            Node::Matrix { columns, entries, determinant: false } => {
                Ok(Value::Matrix { columns: columns as usize, entries: self.values(entries)? })
            }
            Node::Sum(_) | Node::Product(_) | Node::Negate(_) | Node::Quotient { .. } | Node::Power(..)
                if self.has_matrix(id) =>
            {
                self.matrix(id)
            }
            Node::SuchThat(what, condition) => self.builder(id, what, condition),
            Node::Cases(list) => self.pieces(id, list),
            Node::Ratio(..) if is_long_ratio(tree, id) => {
                let mut parts = Vec::new();
                let mut front = id;
                while let Node::Ratio(left, right) = tree.node(front) {
                    parts.push(self.scalar(right)?);
                    front = left;
                }
                parts.push(self.scalar(front)?);
                parts.reverse();
                Ok(Value::Ratio(parts))
            }
            _ => Ok(Value::Scalar(self.scalar(id)?)),
        }
    }

    /// Reads a set builder: `\{x\mid x>0\}`, `\{x\in M\mid x>0\}`, `\{k\pi\mid k\in\mathbb{Z}\}`.
    fn builder(&mut self, id: NodeId, what: NodeId, condition: NodeId) -> Read<Value> {
        let tree = self.tree;
        let refused = "this set builder is not read";
        let condition = match self.value(condition)? {
            Value::Statement(statement) => statement,
            Value::List(items) => {
                let conditions = items.into_iter().map(|item| match item {
                    Value::Statement(statement) => Some(statement),
                    _ => None,
                });
                Statement::And(conditions.collect::<Option<_>>().ok_or_else(|| self.refuse(id, refused))?)
            }
            _ => return Err(self.refuse(id, refused)),
        };
        // The names that range over the set are bound.
        let mut running = Vec::new();
        let (name, mut statement) = match tree.node(what) {
            Node::Symbol(text) => (self.arena.symbol(tree.text(text)), condition),
            Node::Relation(chain) => {
                let first = tree.operands(chain).next().map(|operand| tree.node(operand));
                let Some(Node::Symbol(text)) = first else { return Err(self.refuse(id, refused)) };
                let name = self.arena.symbol(tree.text(text));
                let outer = self.statement(what)?;
                (name, Statement::And(vec![outer, condition]))
            }
            _ if self.has_plus_minus(what) => return Err(self.refuse(id, refused)),
            _ if self.is_structured(what) => {
                let point = self.value(what)?;
                let names = coordinates(self.arena, &point).ok_or_else(|| self.refuse(id, refused))?;
                return Ok(Value::PointsWith(names, condition));
            }
            _ => {
                let value = self.scalar(what)?;
                if let Some(items) = listed_images(self.arena, value, &condition) {
                    return Ok(Value::Set(items));
                }
                let mut used = Vec::new();
                symbols(self.arena, &condition, &mut used);
                // The set contains `x+1` for every x that satisfies the condition.
                running.extend(used.iter().filter(|name| self.arena.free(value).contains(**name)));
                used.extend(self.arena.free(value).iter());
                let names = ["x", "t", "u", "w"].map(|name| self.arena.symbol(name));
                let name = names.into_iter().find(|name| !used.contains(name));
                let name = name.ok_or_else(|| self.refuse(id, refused))?;
                let left = self.arena.variable_of(name);
                let image = Statement::Compare { left, relation: Relation::Equal, right: value, named: true };
                (name, Statement::And(vec![image, condition]))
            }
        };
        running_names(self.arena, &statement, name, &mut running);
        for (at, old) in running.into_iter().enumerate() {
            let bound = self.arena.variable(&format!("{BOUND}{at}"));
            rename(self.arena, &mut statement, old, bound);
        }
        Ok(Value::Builder(name, statement))
    }

    /// Reads a piecewise value; if conditions overlap, the first one counts.
    fn pieces(&mut self, id: NodeId, list: List) -> Read<Value> {
        let tree = self.tree;
        let mut pieces: Vec<(Id, Statement)> = Vec::new();
        let items = tree.list(list);
        for (at, pair) in items.chunks(2).enumerate() {
            let &[value, condition] = pair else {
                return Err(self.refuse(id, "each piece has a value and a condition"));
            };
            let value = self.scalar(value)?;
            let own = match tree.node(condition) {
                Node::Words(text) if is_otherwise(tree.text(text)) => {
                    if 2 * (at + 1) < items.len() {
                        return Err(self.refuse(condition, "only the last piece can be for all other values"));
                    }
                    Statement::Constant(true)
                }
                // The meaning of other words is not known, but the same words have the same meaning.
                Node::Words(text) => {
                    let name = format!("{BOUND}{}", tree.text(text).trim());
                    Statement::Atom(self.arena.variable(&name))
                }
                _ => self.statement(condition)?,
            };
            let mut all: Vec<Statement> =
                pieces.iter().map(|(_, earlier)| Statement::Not(Box::new(earlier.clone()))).collect();
            all.push(own);
            pieces.push((value, Statement::And(all)));
            if pieces.len() > RELATION_PIECES {
                return Err(self.refuse(id, "too many pieces"));
            }
        }
        Ok(Value::Pieces(pieces))
    }

    /// Reads a set, for example on a side of an inclusion. A constant is read as the set with this element.
    fn set(&mut self, id: NodeId) -> Read<Value> {
        self.sets(&[id]).map(|mut only| only.remove(0))
    }

    /// Returns a set of numbers that has its own symbol; the reals are an interval.
    fn numbers(&mut self, set: NumberSet) -> Value {
        if set != NumberSet::Reals {
            return Value::Numbers(set);
        }
        let infinity = self.arena.constant(crate::expr::Constant::Infinity);
        let ends = [self.arena.neg(infinity), infinity];
        Value::Sequence {
            open: Delimiter::Paren,
            close: Delimiter::Paren,
            items: ends.map(Value::Scalar).to_vec(),
        }
    }

    // ---- statements ---------------------------------------------------------------------------------------

    fn statement(&mut self, id: NodeId) -> Read<Statement> {
        self.count(id)?;
        let tree = self.tree;
        match tree.node(id) {
            Node::Group(inner) => self.statement(inner),
            Node::Items { open, close, items } if items.len() == 1 && open == close => {
                self.statement(tree.list(items)[0])
            }
            Node::And(list) if self.negative.is_none() && self.are_signs_shared(list) => {
                Ok(Statement::Or(self.each_sign(id, |reader| reader.statements(list).map(Statement::And))?))
            }
            Node::And(list) => Ok(Statement::And(self.statements(list)?)),
            Node::Or(list) => Ok(Statement::Or(self.statements(list)?)),
            Node::Not(inner) => Ok(Statement::Not(Box::new(self.statement(inner)?))),
            Node::Implies(left, right) => {
                let (left, right) = (self.statement(left)?, self.statement(right)?);
                Ok(Statement::Or(vec![Statement::Not(Box::new(left)), right]))
            }
            Node::Iff(left, right) => {
                let (left, right) = (self.statement(left)?, self.statement(right)?);
                // The expansion below contains each side twice.
                if weight(&left) + weight(&right) > TWICE_WRITTEN {
                    return Err(self.refuse(id, "too many nested equivalences"));
                }
                let neither =
                    vec![Statement::Not(Box::new(left.clone())), Statement::Not(Box::new(right.clone()))];
                Ok(Statement::Or(vec![Statement::And(vec![left, right]), Statement::And(neither)]))
            }
            Node::Constant(Constant::True) => Ok(Statement::Constant(true)),
            Node::Constant(Constant::False) => Ok(Statement::Constant(false)),
            Node::Relation(chain) => self.apart(id, |reader| reader.relation(id, chain)),
            Node::Symbol(_) | Node::Call(..) => Ok(Statement::Atom(self.scalar(id)?)),
            _ => Err(self.refuse(id, "not a statement")),
        }
    }

    fn statements(&mut self, list: List) -> Read<Vec<Statement>> {
        let tree = self.tree;
        tree.list(list).iter().map(|item| self.statement(*item)).collect()
    }

    fn relation(&mut self, id: NodeId, chain: List) -> Read<Statement> {
        let tree = self.tree;
        if self.negative.is_none() && tree.operands(chain).any(|operand| self.chooses_signs(operand)) {
            if self.is_order_with_two_signs(chain) {
                return Err(self.refuse(id, "an inequality with two signs can be read in two ways"));
            }
            let all = self.each_sign(id, |reader| reader.steps(chain))?;
            return Ok(match tree.chain(chain).next() {
                // `x\neq\pm2` excludes both values.
                Some((_, Relation::NotEqual | Relation::NotIn, _)) => Statement::And(all),
                _ => Statement::Or(all),
            });
        }
        self.steps(chain)
    }

    fn steps(&mut self, chain: List) -> Read<Statement> {
        let tree = self.tree;
        let steps: Vec<_> = tree.chain(chain).collect();
        if let Some(modulus) = self.modulus(&steps) {
            return self.congruences(&steps, modulus);
        }
        let mut parts = Vec::with_capacity(steps.len());
        for (left, relation, right) in &steps {
            let (left, relation, right) = match relation {
                Relation::Greater => (*right, Relation::Less, *left),
                Relation::GreaterEqual => (*right, Relation::LessEqual, *left),
                Relation::Superset => (*right, Relation::Subset, *left),
                Relation::SupersetEqual => (*right, Relation::SubsetEqual, *left),
                Relation::Contains => (*right, Relation::In, *left),
                Relation::Defines => (*left, Relation::Equal, *right),
                relation => (*left, *relation, *right),
            };
            parts.push(self.step(left, relation, right, steps.len())?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        Ok(Statement::And(parts))
    }

    /// Returns the modulus of `a\equiv b\pmod n`, which is parsed as part of the last side.
    fn modulus(&self, steps: &[(NodeId, Relation, NodeId)]) -> Option<NodeId> {
        let equivalent = |step: &(NodeId, Relation, NodeId)| step.1 == Relation::Equivalent;
        let (_, _, last) = steps.last()?;
        let modulus = self.with_modulus(*last).map(|(_, modulus)| modulus);
        modulus.filter(|_| steps.iter().all(equivalent))
    }

    /// Returns the terms of a side and the modulus, which is parsed as part of the last term.
    fn with_modulus(&self, side: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
        let tree = self.tree;
        let mut terms = match tree.node(side) {
            Node::Sum(terms) => tree.list(terms).to_vec(),
            _ => vec![side],
        };
        let Node::Modulo(last, modulus) = tree.node(terms.pop()?) else { return None };
        terms.push(last);
        Some((terms, modulus))
    }

    /// Reads `a\equiv b\pmod n`, which means that n divides a-b: the remainder of a-b is 0.
    fn congruences(&mut self, steps: &[(NodeId, Relation, NodeId)], modulus: NodeId) -> Read<Statement> {
        let modulus = self.scalar(modulus)?;
        let mut parts = Vec::with_capacity(steps.len());
        for (left, _, right) in steps {
            let left = self.scalar(*left)?;
            let terms = self.with_modulus(*right).map_or_else(|| vec![*right], |(terms, _)| terms);
            let terms = terms.into_iter().map(|term| self.scalar(term)).collect::<Read<Vec<Id>>>()?;
            let right = self.arena.sum(&terms);
            let difference = self.arena.sub(left, right);
            let rest = self.arena.apply(Function::Mod, &[difference, modulus]);
            parts.push(Statement::Compare {
                left: rest,
                relation: Relation::Equal,
                right: Arena::ZERO,
                named: false,
            });
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Statement::And(parts) })
    }

    fn step(&mut self, left: NodeId, relation: Relation, right: NodeId, steps: usize) -> Read<Statement> {
        let tree = self.tree;
        let comparing = matches!(
            relation,
            Relation::Equal
                | Relation::NotEqual
                | Relation::Less
                | Relation::LessEqual
                | Relation::Approximate
                | Relation::Equivalent
                | Relation::Proportional
                | Relation::Tends
        );
        // If the other side is a single value, a colon is a division.
        let both = is_long_ratio(tree, left) && is_long_ratio(tree, right);
        let structured = |side| self.is_structured(side) && (both || !is_long_ratio(tree, side));
        let sets = structured(left) || structured(right) || self.has_matrix(left) || self.has_matrix(right);
        if comparing && !sets {
            let (name, value) = (left, right);
            let (left, right) = (self.scalar(left)?, self.scalar(right)?);
            let named = relation == Relation::Equal
                && self.in_reading(|reader| {
                    let mut own = reader.arena.free(left);
                    let function = reader.recurring_function(name, value);
                    for parameter in reader.parameters(name).into_iter().chain(function) {
                        own = own.without(Symbols::one(parameter));
                    }
                    let of_calls = steps > 1 && reader.is_sum_of_calls(name);
                    (reader.is_name(name) || of_calls)
                        && reader.arena.free(right).iter().all(|symbol| !own.contains(symbol))
                });
            return Ok(Statement::Compare { left, relation, right, named });
        }
        let inclusion = matches!(relation, Relation::Subset | Relation::SubsetEqual);
        let left = Box::new(if inclusion { self.set(left)? } else { self.value(left)? });
        let right = Box::new(match relation {
            Relation::In | Relation::NotIn | Relation::Subset | Relation::SubsetEqual => self.set(right)?,
            _ => self.value(right)?,
        });
        // `x=\{1,2\}` means that x is one of the elements. `A=\emptyset` says that A has none.
        let of_numbers = |set: &Value| match set {
            Value::Set(items) => !items.is_empty(),
            Value::Combined(_, parts) => {
                !parts.iter().any(|part| matches!(part, Value::Scalar(_) | Value::Numbers(_)))
            }
            _ => false,
        };
        let (left, right) = match (relation, left.as_ref(), right.as_ref()) {
            (Relation::Equal | Relation::NotEqual, set, Value::Scalar(_))
                if of_numbers(set) || is_empty(set) =>
            {
                (right, left)
            }
            _ => (left, right),
        };
        let relation = match (relation, left.as_ref(), right.as_ref()) {
            (Relation::Equal, Value::Scalar(_), set) if of_numbers(set) => Relation::In,
            (Relation::NotEqual, Value::Scalar(_), set) if of_numbers(set) => Relation::NotIn,
            (relation, ..) => relation,
        };
        Ok(Statement::Belongs { left, relation, right })
    }
}

/// Returns the elements of `\{n^2\mid n\in\{1,2,3\}\}`, in which a name ranges over listed numbers.
fn listed_images(arena: &mut Arena, value: Id, condition: &Statement) -> Option<Vec<Value>> {
    let Statement::Belongs { left, relation: Relation::In, right } = condition else { return None };
    let (Value::Scalar(left), Value::Set(items)) = (left.as_ref(), right.as_ref()) else { return None };
    let crate::expr::Node::Symbol(name) = arena.node(*left) else { return None };
    let items = items.iter().map(|item| match item {
        Value::Scalar(item) if arena.is_constant(*item) => {
            Some(Value::Scalar(arena.substitute(value, name, *item)))
        }
        _ => None,
    });
    items.collect()
}

/// Collects the names, except `besides`, that a statement declares to be elements of a set.
fn running_names(arena: &Arena, statement: &Statement, besides: Symbol, found: &mut Vec<Symbol>) {
    match statement {
        Statement::And(parts) => parts.iter().for_each(|part| running_names(arena, part, besides, found)),
        Statement::Belongs { left, relation: Relation::In, .. } => {
            let letters = match left.as_ref() {
                Value::List(items) => items.as_slice(),
                other => std::slice::from_ref(other),
            };
            for letter in letters {
                if let Value::Scalar(id) = letter
                    && let crate::expr::Node::Symbol(name) = arena.node(*id)
                    && name != besides
                    && !found.contains(&name)
                {
                    found.push(name);
                }
            }
        }
        _ => {}
    }
}

/// Returns the number of parts of a statement that are not themselves built from statements.
fn weight(statement: &Statement) -> usize {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => parts.iter().map(weight).sum(),
        Statement::Not(inner) => weight(inner),
        _ => 1,
    }
}

/// Returns the names of the two or three coordinates of a point, if they are distinct names.
fn coordinates(arena: &Arena, point: &Value) -> Option<Vec<Symbol>> {
    let Value::Sequence { open: Delimiter::Paren, close: Delimiter::Paren, items } = point else {
        return None;
    };
    let mut names = Vec::new();
    for item in items {
        let Value::Scalar(id) = item else { return None };
        let crate::expr::Node::Symbol(name) = arena.node(*id) else { return None };
        if names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    (2..=3).contains(&names.len()).then_some(names)
}
