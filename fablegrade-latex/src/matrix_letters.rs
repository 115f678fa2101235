//! Products of capital letters that are probably matrices: with transposes or inverses. The engine multiplies letters as
//! numbers, so it cannot tell `A^{-1}B` from `BA^{-1}`. Here such products are compared as words, in which no letters
//! commute.

use crate::ast::{Node, NodeId, Syntax};
use crate::names::Declarations;
use smallvec::SmallVec;

/// The largest number of letters of a word.
const LONGEST: usize = 32;

/// A letter with its exponents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Letter {
    name: u8,
    inverse: bool,
    transposed: bool,
}

/// A product of letters in its order.
type Word = SmallVec<[Letter; 4]>;

/// The products of letters in a text.
#[derive(Default)]
pub struct MatrixProducts {
    /// Whether a product has transposes or inverses of capital letters.
    found: bool,
    /// Whether something is divided by capital letters, so that they are numbers.
    divides: bool,
    /// The word that the whole text is, or the right side of its only equation.
    whole: Option<Word>,
}

impl MatrixProducts {
    /// Finds the products of a text in time linear in the size of its tree.
    ///
    /// Declared variables are numbers.
    pub fn of(tree: &Syntax, names: &Declarations) -> Self {
        let mut products = Self::default();
        let shows = |id: NodeId| match tree.node(id) {
            Node::Power(_, exponent) => exponent_of(tree, exponent).is_some(),
            _ => false,
        };
        let divides = |id: NodeId| matches!(tree.node(id), Node::Quotient { .. });
        if !tree.nodes().any(|id| shows(id) || divides(id)) {
            return products;
        }
        // The word of each node; children precede parents.
        let mut words: Vec<Option<Word>> = Vec::with_capacity(tree.len());
        for id in tree.nodes() {
            let word = word_of(tree, id, names, &words);
            products.found |= word.as_ref().is_some_and(|word| is_of_matrices(word));
            if let Node::Quotient { denominator, .. } = tree.node(id) {
                products.divides |= words.get(denominator.0 as usize).is_some_and(Option::is_some);
            }
            words.push(word);
        }
        let root = tree.root();
        let whole = match tree.node(root) {
            Node::Relation(list) => {
                let mut steps = tree.chain(list);
                match (steps.next(), steps.next()) {
                    (Some((_, _, right)), None) => right,
                    _ => return products,
                }
            }
            _ => root,
        };
        products.whole = words.get_mut(whole.0 as usize).and_then(Option::take);
        products
    }

    /// Returns whether the products of two texts may differ although they are the same for numbers.
    pub fn may_differ(&self, other: &Self) -> bool {
        (self.found || other.found)
            && !self.divides
            && !other.divides
            && (self.whole.is_none() || self.whole != other.whole)
    }
}

/// Returns the word of a node; `None` if it is not a product of capital letters.
fn word_of(tree: &Syntax, id: NodeId, names: &Declarations, words: &[Option<Word>]) -> Option<Word> {
    let of = |part: NodeId| words.get(part.0 as usize)?.as_ref();
    match tree.node(id) {
        Node::Symbol(text) => match *tree.text(text).as_bytes() {
            [name @ b'A'..=b'Z'] if !names.is_variable(tree.text(text)) => {
                Some(SmallVec::from_slice(&[Letter { name, inverse: false, transposed: false }]))
            }
            _ => None,
        },
        Node::Group(inner) => of(inner).cloned(),
        Node::Product(factors) => {
            let mut all = Word::new();
            for factor in tree.list(factors) {
                for letter in of(*factor)? {
                    push(&mut all, *letter);
                }
            }
            (all.len() <= LONGEST).then_some(all)
        }
        Node::Power(base, exponent) => {
            let base = of(base)?;
            let (inverse, transposed) = exponent_of(tree, exponent)?;
            Some(base.iter().rev().fold(Word::new(), |mut turned, letter| {
                push(
                    &mut turned,
                    Letter {
                        name: letter.name,
                        inverse: letter.inverse != inverse,
                        transposed: letter.transposed != transposed,
                    },
                );
                turned
            }))
        }
        _ => None,
    }
}

/// Appends a letter, or removes the last one if both cancel: `AA^{-1}`.
fn push(word: &mut Word, letter: Letter) {
    let inverse = Letter { inverse: !letter.inverse, ..letter };
    if word.last() == Some(&inverse) {
        word.pop();
    } else {
        word.push(letter);
    }
}

/// Returns whether an exponent is -1, and whether it is a transposition; `None` for others.
fn exponent_of(tree: &Syntax, mut exponent: NodeId) -> Option<(bool, bool)> {
    while let Node::Group(inner) = tree.node(exponent) {
        exponent = inner;
    }
    match tree.node(exponent) {
        Node::Symbol(text) if tree.text(text) == "T" => Some((false, true)),
        Node::Negate(inner) => match tree.node(inner) {
            Node::Number(number) if tree.text(number) == "1" => Some((true, false)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a word is about matrices: several letters, with an inverse, or with a `T` in the exponent that is
/// not a number, because it occurs twice or beside the letter without it.
fn is_of_matrices(word: &[Letter]) -> bool {
    let transposed = word.iter().filter(|letter| letter.transposed).count();
    let is_beside_itself = word.iter().any(|letter| {
        letter.transposed && word.iter().any(|other| other.name == letter.name && !other.transposed)
    });
    word.len() > 1 && (word.iter().any(|letter| letter.inverse) || transposed > 1 || is_beside_itself)
}

#[cfg(test)]
mod tests {
    use super::MatrixProducts;
    use crate::names::Declarations;

    #[test]
    fn letters_with_transposes_and_inverses_do_not_commute() {
        let names = Declarations::default();
        let products = |text: &str| MatrixProducts::of(&crate::parse(text, &names).unwrap(), &names);
        let may_differ = |first: &str, second: &str| products(first).may_differ(&products(second));
        for (first, second, expected) in [
            ("B^TA^T", "A^TB^T", true),
            ("B^TA^T", "(AB)^T", false),
            ("(AB)^{-1}", "A^{-1}B^{-1}", true),
            ("(AB)^{-1}", "B^{-1}A^{-1}", false),
            ("X=A^{-1}B", "X=BA^{-1}", true),
            ("X=PDP^{-1}", "X=D", true),
            ("A^TA", "AA^T", true),
            (r"(A^T)^{-1}B", r"(A^{-1})^{\top}B", false),
            ("A^{-1}AB", "B", false),
            ("A^{-1}B", r"\frac BA", false),
            ("FA^{-1}", r"\frac FA", false),
            ("PR^T", "R^TP", false),
            ("AB", "BA", false),
            ("nRTV^{-1}", r"\frac{nRT}V", false),
            ("ab^{-1}", r"\frac ab", false),
        ] {
            assert_eq!(may_differ(first, second), expected, "{first} and {second}");
        }
    }
}
