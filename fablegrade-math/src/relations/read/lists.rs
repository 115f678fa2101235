//! Values separated by *and*, *or* or commas, without brackets around them.

use super::{Read, Reader};
use crate::relations::{Statement, Value};
use crate::syntax::{Delimiter, List, Node, NodeId, Relation};

impl Reader<'_> {
    /// Reads "x = 5 and 8", with the name before the first value only.
    pub(super) fn named_several(&mut self, list: List) -> Read<Value> {
        let tree = self.tree;
        let mut values = Vec::new();
        let mut name = None;
        for (at, item) in tree.list(list).iter().enumerate() {
            match tree.node(*item) {
                Node::Relation(chain) if at == 0 => {
                    let mut steps = tree.chain(chain);
                    match (steps.next(), steps.next()) {
                        (Some((left, Relation::Equal, right)), None) if self.may_be_name(left) => {
                            self.push_each(right, &mut values)?;
                            name = Some(left);
                        }
                        _ => return Err(self.refuse(*item, "values and statements are mixed")),
                    }
                }
                _ if self.is_statement(*item) => {
                    return Err(self.refuse(*item, "values and statements are mixed"));
                }
                _ => self.push_each(*item, &mut values)?,
            }
        }
        match name {
            // A product such as `2x` is not a name: the values are those that it can have.
            Some(product) if !self.in_reading(|reader| reader.is_name(product)) => {
                self.one_of(product, values)
            }
            _ => Ok(Value::Several(values)),
        }
    }

    /// Returns the statement that the value of a node is one of several.
    fn one_of(&mut self, id: NodeId, values: Vec<Value>) -> Read<Value> {
        let left = Box::new(Value::Scalar(self.scalar(id)?));
        let right = Box::new(Value::Set(values));
        Ok(Value::Statement(Statement::Belongs { left, relation: Relation::In, right }))
    }

    pub(super) fn bare_list(&mut self, items: List) -> Read<Value> {
        let tree = self.tree;
        let list = tree.list(items);
        // `k = 1, 2, 3` and `k \in 1, 2, 3` are a name and its values.
        if let [first, rest @ ..] = list
            && let Node::Relation(chain) = tree.node(*first)
            && !rest.iter().any(|item| self.is_structured(*item))
            && rest.iter().all(|item| !self.is_statement(*item))
        {
            let mut steps = tree.chain(chain);
            if let (Some((left, Relation::Equal | Relation::In, right)), None) = (steps.next(), steps.next())
                && !self.is_structured(right)
                && self.may_be_name(left)
            {
                let mut values = Vec::with_capacity(list.len());
                self.push_each(right, &mut values)?;
                for item in rest {
                    self.push_each(*item, &mut values)?;
                }
                return self.one_of(left, values);
            }
        }
        if let Some(either) = self.solutions(list)? {
            return Ok(Value::Statement(either));
        }
        // Lists separated by semicolons are points.
        let points = self.each(list)?.into_iter().map(|item| match item {
            Value::List(items) => Value::Sequence { open: Delimiter::Paren, close: Delimiter::Paren, items },
            other => other,
        });
        Ok(Value::List(points.collect()))
    }
}
