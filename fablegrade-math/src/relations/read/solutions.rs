//! Lists of solutions in which commas bind tighter than *and* and *or*: `x=1,y=2\text{ or }x=2,y=1`.

use super::{Read, Reader};
use crate::relations::Statement;
use crate::syntax::{Node, NodeId, Relation};

impl Reader<'_> {
    /// Returns a list of solutions as alternatives, if commas certainly bind tighter.
    pub(super) fn solutions(&mut self, list: &[NodeId]) -> Read<Option<Statement>> {
        let Some(solutions) = self.separate_solutions(list) else { return Ok(None) };
        let mut either = Vec::with_capacity(solutions.len());
        for solution in solutions {
            let mut parts = Vec::with_capacity(solution.len());
            for part in solution {
                parts.push(self.statement(part)?);
            }
            either.push(if parts.len() == 1 { parts.remove(0) } else { Statement::And(parts) });
        }
        Ok(Some(Statement::Or(either)))
    }

    /// Splits a list at *and* and *or*. This is certain if each part gives values to the same names. Values of one name
    /// are separate solutions.
    fn separate_solutions(&self, list: &[NodeId]) -> Option<Vec<Vec<NodeId>>> {
        let tree = self.tree;
        let mut all: Vec<Vec<NodeId>> = vec![Vec::new()];
        for item in list {
            let parts = match tree.node(*item) {
                // Equations that are joined by *and* may be a system if there is a letter on a right side. Values
                // of one name, as in `x=1` and `x=2`, are not a system.
                Node::And(_) if list.iter().any(|item| self.has_letter_as_value(*item)) => return None,
                Node::And(parts) | Node::Or(parts) => tree.list(parts),
                _ => std::slice::from_ref(item),
            };
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    all.push(Vec::new());
                }
                all.last_mut()?.push(*part);
            }
        }
        if all.len() < 2 {
            return None;
        }
        let name = |part: &NodeId| {
            let Node::Relation(chain) = tree.node(*part) else { return None };
            let mut steps = tree.chain(chain);
            match (steps.next(), steps.next()) {
                (Some((left, Relation::Equal, _)), None) => match tree.node(left) {
                    Node::Symbol(text) => Some(tree.text(text)),
                    _ => None,
                },
                _ => None,
            }
        };
        let mut first: Option<Vec<&str>> = None;
        for solution in &all {
            let mut names = solution.iter().map(name).collect::<Option<Vec<&str>>>()?;
            names.sort_unstable();
            names.dedup();
            if first.as_ref().is_some_and(|first| *first != names) {
                return None;
            }
            first.get_or_insert(names);
        }
        if first.is_some_and(|names| names.len() == 1) {
            return Some(all.into_iter().flatten().map(|part| vec![part]).collect());
        }
        Some(all)
    }

    /// Returns whether the right side of an equation has a letter.
    fn has_letter_as_value(&self, id: NodeId) -> bool {
        let tree = self.tree;
        match tree.node(id) {
            Node::Relation(chain) => tree.chain(chain).any(|(_, _, right)| self.has_symbol(right)),
            Node::And(parts) | Node::Or(parts) => {
                tree.list(parts).iter().any(|part| self.has_letter_as_value(*part))
            }
            _ => false,
        }
    }
}
