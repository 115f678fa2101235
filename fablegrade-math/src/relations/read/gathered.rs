//! Unions and intersections over an index: `\bigcup_{k=1}^3[k,k+1]`.

use super::{BOUND, Read, Reader};
use crate::limits::INDEX_VALUES;
use crate::lower::{Bound, BoundRange};
use crate::relations::{Combination, Statement, Value};
use crate::syntax::{Delimiter, Gathered, List, Node, NodeId, NumberSet, Relation};

impl Reader<'_> {
    /// Reads a union or intersection over an index.
    ///
    /// It is written out if the index has few known values. A union of listed numbers over the integers
    /// becomes a family. Others are kept.
    pub(super) fn gathered(&mut self, id: NodeId, kind: Gathered, list: List) -> Read<Value> {
        let tree = self.tree;
        let [index, range @ .., body] = tree.list(list) else {
            return Err(self.refuse(id, "a union without an index"));
        };
        let Node::Symbol(text) = tree.node(*index) else {
            return Err(self.refuse(*index, "an index is a name"));
        };
        let written = tree.text(text).to_owned();
        let combination = match kind {
            Gathered::Union => Combination::Union,
            Gathered::Intersection => Combination::Intersection,
        };
        let (values, bounds) = match *range {
            [from, to] => {
                let (from, to) = (self.scalar(from)?, self.scalar(to)?);
                let ends = self.arena.as_integer(from).zip(self.arena.as_integer(to));
                (ends.map(|(first, last)| first..=last), vec![Value::Scalar(from), Value::Scalar(to)])
            }
            _ => (None, Vec::new()),
        };
        let listed = match (values, range) {
            (Some(values), _) => {
                let few = values.is_empty()
                    || values.end().checked_sub(*values.start()).is_some_and(|steps| steps < INDEX_VALUES);
                few.then(|| values.collect())
            }
            (None, [relation]) => self.listed_index(*relation),
            _ => None,
        };
        if let Some(values) = listed
            && self.written_out + values.len() as i64 <= INDEX_VALUES
        {
            self.written_out += values.len() as i64;
            let mut parts: Vec<Value> = Vec::with_capacity(values.len());
            for value in values {
                self.scope.push(Bound { written: written.clone(), range: BoundRange::One(value) });
                let part = self.set(*body);
                self.scope.pop();
                parts.push(part?);
            }
            return match (parts.len(), combination) {
                (0, Combination::Union) => Ok(Value::Set(Vec::new())),
                (0, _) => Err(self.refuse(id, "an intersection of no sets")),
                (1, _) => Ok(parts.remove(0)),
                _ => Ok(Value::Combined(combination, parts)),
            };
        }
        self.scope.push(Bound { written, range: BoundRange::Unknown });
        let read = self.within(range, bounds, *body);
        self.scope.pop();
        let (range, body) = read?;
        Ok(self.family_of(combination, &range, &body).unwrap_or_else(|| Value::Gathered {
            combination,
            range,
            body: Box::new(body),
        }))
    }

    /// Reads the range of the index and the set for each value, inside the scope of the index.
    fn within(&mut self, range: &[NodeId], bounds: Vec<Value>, body: NodeId) -> Read<(Vec<Value>, Value)> {
        let range = match *range {
            [relation] => vec![self.value(relation)?],
            _ => bounds,
        };
        Ok((range, self.set(body)?))
    }

    /// Returns the values of an index that are listed as integers: `k\in\{1,2,3\}`.
    fn listed_index(&mut self, relation: NodeId) -> Option<Vec<i64>> {
        let tree = self.tree;
        let Node::Relation(chain) = tree.node(relation) else { return None };
        let (_, Relation::In, right) = tree.chain(chain).next()? else { return None };
        let Node::Items { open: Delimiter::Brace, items, .. } = tree.node(right) else { return None };
        let mut values = Vec::new();
        for item in tree.list(items) {
            let item = self.scalar(*item).ok()?;
            values.push(self.arena.as_integer(item)?);
        }
        Some(values)
    }

    /// Converts a union over the integers to a family: `\bigcup_{k\in\mathbb{Z}}\{k\pi\}` is
    /// `\{x\mid x=k\pi,k\in\mathbb{Z}\}`.
    fn family_of(&mut self, combination: Combination, range: &[Value], body: &Value) -> Option<Value> {
        let [Value::Statement(integers @ Statement::Belongs { relation: Relation::In, right, .. })] = range
        else {
            return None;
        };
        if **right != Value::Numbers(NumberSet::Integers) || combination != Combination::Union {
            return None;
        }
        let Value::Set(items) = body else { return None };
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            let Value::Scalar(value) = item else { return None };
            let free = self.arena.free(*value);
            let names = ["x", "t", "u", "w"].map(|name| self.arena.symbol(name));
            let name = names.into_iter().find(|name| !free.contains(*name))?;
            let left = self.arena.variable_of(name);
            let member = Statement::Compare { left, relation: Relation::Equal, right: *value, named: true };
            all.push(Value::Builder(name, Statement::And(vec![member, integers.clone()])));
        }
        match all.len() {
            0 => Some(Value::Set(Vec::new())),
            1 => all.pop(),
            _ => Some(Value::Combined(Combination::Union, all)),
        }
    }

    /// Returns the canonical name of an index at a depth, which does not depend on its name in the text.
    pub(super) fn canonical_index(depth: usize) -> String {
        format!("{BOUND}k{depth}")
    }
}
