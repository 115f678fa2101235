//! Undeclared letters that are probably complex numbers, as the text around them shows: the argument of a real
//! part, and the `z` of `|z-i|`.

use super::Parser;
use crate::ast::{Constant, Named, Node, NodeId};

/// Letters that usually denote complex numbers beside an `i`.
const USUAL: [&str; 2] = ["z", "w"];

/// What the parts of a node contain.
#[derive(Clone, Copy, Default)]
struct Contents {
    /// The imaginary unit.
    unit: bool,
    /// One of the usual letters.
    letter: bool,
}

impl Parser<'_, '_, '_> {
    /// Notes letters that are probably complex: arguments of real parts, imaginary parts, arguments and conjugates,
    /// and the usual letters beside `i` between bars. Takes time linear in the size of the tree.
    pub(super) fn note_complex_letters(&mut self) {
        // Every sign of complex numbers is written with one of these letters, and bytes are searched faster than trees.
        if !self
            .lexer
            .source()
            .bytes()
            .any(|byte| matches!(byte, b'i' | b'I' | b'R' | b'g' | b'j' | b'l' | 0x80..))
        {
            return;
        }
        let tree = &*self.tree;
        let shows = |node: Node| {
            matches!(
                node,
                Node::Constant(Constant::I)
                    | Node::Apply(Named::Re | Named::Im | Named::Arg | Named::Conj, _)
            )
        };
        if !tree.nodes().any(|id| shows(tree.node(id))) {
            return;
        }
        // A node comes after its parts.
        let mut contents: Vec<Contents> = Vec::with_capacity(tree.len());
        let mut found: Vec<String> = Vec::new();
        let mut between_bars = false;
        for id in tree.nodes() {
            let node = tree.node(id);
            let own = match node {
                Node::Constant(Constant::I) => Contents { unit: true, letter: false },
                Node::Symbol(text) => Contents { unit: false, letter: is_usual(tree.text(text)) },
                _ => {
                    let parts = tree.children(id).filter_map(|part| contents.get(part.0 as usize));
                    parts.fold(Contents::default(), |all, part| Contents {
                        unit: all.unit || part.unit,
                        letter: all.letter || part.letter,
                    })
                }
            };
            contents.push(own);
            match node {
                Node::Bars(_) => between_bars |= own.unit && own.letter,
                Node::Apply(Named::Re | Named::Im | Named::Arg | Named::Conj, list) => {
                    let letters = tree.list(list).iter().filter_map(|argument| self.plain_letter(*argument));
                    found.extend(letters.map(str::to_owned));
                }
                _ => {}
            }
        }
        if between_bars {
            for id in tree.nodes() {
                if let Node::Symbol(text) = tree.node(id)
                    && is_usual(tree.text(text))
                {
                    found.push(tree.text(text).to_owned());
                }
            }
        }
        for name in found {
            let known = self.names.is_complex(&name) || self.names.is_variable(&name);
            if !known && !self.tree.doubtful.complex.contains(&name) {
                self.tree.doubtful.complex.push(name);
            }
        }
    }

    /// Returns the name if a node is a symbol, possibly in brackets.
    fn plain_letter(&self, mut id: NodeId) -> Option<&str> {
        loop {
            match self.tree.node(id) {
                Node::Group(inner) => id = inner,
                Node::Symbol(text) => return Some(self.tree.text(text)),
                _ => return None,
            }
        }
    }
}

/// Returns whether a name is a usual letter, perhaps with a subscript.
fn is_usual(name: &str) -> bool {
    USUAL.contains(&name.split('_').next().unwrap_or(name))
}
