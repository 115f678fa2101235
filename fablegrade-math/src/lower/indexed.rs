//! Names whose subscript contains a bound index, such as the `x_i` of `\sum_{i=1}^n x_i`, which depends on
//! `i`.
//!
//! Such names form a *family*, an uninterpreted function of the indices: `x_{i}` is `x_•(i)`. If the indices
//! are non-negative integers, the member is the plain name (`x_1`), so `\sum_{i=1}^3 x_i` is
//! `x_1 + x_2 + x_3`. If a pair of sides contains both a family and such plain names, [`join_families`]
//! replaces the names with calls of the family.

use super::{Lowered, Lowering};
use crate::expr::{self, Arena, Direction, Id, Symbol};
use crate::latex::{self, ParseError};
use crate::limits::{INDEX_BODIES, INDEX_VALUES};
use crate::subscripts::{Doubt, coefficient, doubt, split, split_by, with_subscript};
use crate::symbols::Declarations;
use crate::syntax::{Node, NodeId};
use smallvec::SmallVec;

/// The suffix of a family's name, which cannot occur in names from a text.
const FAMILY: &str = "_\u{2022}";

/// A bound variable.
#[derive(Clone)]
pub(crate) struct Bound {
    pub(crate) written: String,
    pub(crate) range: BoundRange,
}

/// The values that a bound variable takes.
#[derive(Clone, Copy)]
pub(crate) enum BoundRange {
    /// The values are not known.
    Unknown,
    /// The one value for which a sum is being expanded.
    One(i64),
    /// The integers from the first to the second.
    Steps(Id, Id),
    /// The numbers between these.
    Between(Id, Id),
    /// The numbers near this one.
    Near(Id, Direction),
}

/// Returns the indices of a subscript, as texts: two for `ij`, `1j` and `i,j`, one for `k+1` and `12`. With
/// `multiple`, a product such as `2k` is one index.
fn indices(subscript: &str, multiple: bool) -> SmallVec<[&str; 4]> {
    if subscript.contains(',') {
        return subscript.split(',').collect();
    }
    let has_letters = subscript.bytes().any(|byte| byte.is_ascii_alphabetic());
    let plain = subscript.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !plain || !has_letters || multiple && coefficient(subscript).is_some() {
        return SmallVec::from_slice(&[subscript]);
    }
    let mut found = SmallVec::new();
    let mut rest = subscript;
    while let Some(first) = rest.chars().next() {
        // A number does not begin with 0.
        let digits = if first == '0' { 1 } else { rest.bytes().take_while(u8::is_ascii_digit).count() };
        let (index, after) = rest.split_at(if digits > 0 { digits } else { first.len_utf8() });
        found.push(index);
        rest = after;
    }
    found
}

/// Returns whether a subscript contains a bound index. Words such as `max` and `total` are labels, not
/// indices.
fn mentions(subscript: &str, bound: &[Bound]) -> bool {
    let is_bound = |text: &str| bound.iter().any(|index| index.written == text);
    if is_bound(subscript) {
        return true;
    }
    indices(subscript, true).iter().any(|index| {
        let mut letters = index.split(|c: char| !c.is_alphabetic()).filter(|run| !run.is_empty());
        letters.any(|run| {
            is_bound(run)
                || run.len() == 2 && run.char_indices().any(|(at, c)| is_bound(&run[at..at + c.len_utf8()]))
        })
    }) && {
        let letters = subscript.chars().filter(|c| c.is_alphabetic());
        let is_word = subscript.chars().all(char::is_alphabetic) && letters.clone().count() > 2;
        !is_word || letters.clone().all(|letter| is_bound(letter.encode_utf8(&mut [0; 4])))
    }
}

impl Lowering<'_> {
    /// Returns the member of a family for a name with a bound index, or `None` for other names.
    ///
    /// If there are `arguments`, it is a family of functions.
    pub(super) fn member(&mut self, node: NodeId, name: &str, arguments: &[Id]) -> Option<Lowered> {
        if self.scope.is_empty() {
            return None;
        }
        let (base, subscript) = split_by(name, |subscript| mentions(subscript, &self.scope))?;
        if split_by(&base, |subscript| mentions(subscript, &self.scope)).is_some() {
            return Some(Err(
                self.not_a_value(node, "a derivative with several bound subscripts is not supported")
            ));
        }
        let is_index = self.scope.iter().any(|index| index.written == subscript);
        let is_bound = |letter: char| self.scope.iter().any(|index| index.written.chars().eq([letter]));
        let doubt = if is_index { None } else { doubt(subscript, is_bound) };
        if doubt == Some(Doubt::Pair)
            && (self.names.is_variable(name) || self.arena.subscripts.is_second(&base, Doubt::Pair))
        {
            return None;
        }
        self.uses_index = true;
        if !self.is_repeated {
            self.arena.subscripts.note(&base, subscript, is_bound, doubt);
        }
        let texts = if is_index {
            SmallVec::from_slice(&[subscript])
        } else {
            indices(subscript, !self.arena.subscripts.is_second(&base, Doubt::Multiple))
        };
        let mut values: SmallVec<[Id; 4]> = SmallVec::new();
        for text in texts {
            let Some(value) = self.index_value(text) else {
                return Some(Err(
                    self.not_a_value(node, "the subscript of a bound index is not an expression")
                ));
            };
            let known: SmallVec<[(Symbol, i64); 4]> = self
                .scope
                .iter()
                .filter_map(|index| match index.range {
                    BoundRange::One(value) => Some((self.arena.symbol(&index.written), value)),
                    _ => None,
                })
                .collect();
            let mut value = value;
            for (symbol, number) in known {
                let number = self.arena.integer(number);
                value = self.arena.substitute(value, symbol, number);
            }
            values.push(value);
        }
        Some(Ok(member_of(self.arena, &base, &values, arguments)))
    }

    /// Returns the value of one index. Values are cached, because the expansion of a sum needs the same texts
    /// again and again.
    fn index_value(&mut self, text: &str) -> Option<Id> {
        if let Some(value) = plain_index(self.arena, text) {
            return Some(value);
        }
        if let Some(known) = self.subscripts.get(text) {
            return *known;
        }
        let names = self.index_names.get_or_insert_with(|| index_names(self.names));
        let value = parsed_index(self.arena, text, names);
        self.subscripts.insert(text.to_owned(), value);
        value
    }

    /// Expands a sum or product over names that depend on its index, if its bounds are integers and it is
    /// small enough.
    pub(super) fn written_out(
        &mut self,
        kind: expr::SeriesKind,
        [index, body]: [NodeId; 2],
        (from, to): (Id, Id),
    ) -> Result<Option<Id>, Box<ParseError>> {
        let (Some(first), Some(last)) = (self.arena.as_integer(from), self.arena.as_integer(to)) else {
            return Ok(None);
        };
        let Some(count) = last.checked_sub(first).map(|steps| steps.saturating_add(1)) else {
            return Ok(None);
        };
        if !(0..=INDEX_VALUES).contains(&count) || self.bodies + count as u32 > INDEX_BODIES {
            return Ok(None);
        }
        let Node::Symbol(text) = self.tree.node(index) else { return Ok(None) };
        let written = self.tree.text(text).to_owned();
        let symbol = self.arena.symbol(&written);
        let mut terms: SmallVec<[Id; 8]> = SmallVec::new();
        for value in first..=last {
            if self.arena.overflowed() {
                return Ok(Some(Arena::UNDEFINED));
            }
            self.bodies += 1;
            self.scope.push(Bound { written: written.clone(), range: BoundRange::One(value) });
            let was_repeated = std::mem::replace(&mut self.is_repeated, true);
            let term = self.value(body);
            self.is_repeated = was_repeated;
            self.scope.pop();
            let number = self.arena.integer(value);
            terms.push(self.arena.substitute(term?, symbol, number));
        }
        Ok(Some(match kind {
            expr::SeriesKind::Sum => self.arena.sum(&terms),
            expr::SeriesKind::Product => self.arena.product(&terms),
        }))
    }

    /// Enters the scope of a bound variable.
    pub(super) fn enter(&mut self, index: NodeId, range: BoundRange) {
        let written = match self.tree.node(index) {
            Node::Symbol(text) => self.tree.text(text).to_owned(),
            _ => String::new(),
        };
        self.scope.push(Bound { written, range });
    }
}

/// Returns the value of an index that is a number or a name. A number has one spelling: `01` is a label.
fn plain_index(arena: &mut Arena, text: &str) -> Option<Id> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let is_number = text == "0" || !text.starts_with('0');
        return match text.parse::<i64>() {
            Ok(number) if is_number => Some(arena.integer(number)),
            _ => Some(arena.variable(text)),
        };
    }
    text.chars().all(char::is_alphabetic).then(|| arena.variable(text))
}

/// Returns the names with which subscripts are parsed: `i` and `e` are variables rather than constants.
fn index_names(names: &Declarations) -> Declarations {
    names.clone().with_variable("i").with_variable("e")
}

/// Returns the value of an index, parsed as a separate text with [`index_names`].
fn parsed_index(arena: &mut Arena, text: &str, names: &Declarations) -> Option<Id> {
    if text.strip_prefix('+').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) {
        return Some(arena.variable(text));
    }
    let tree = latex::parse(text, names).ok()?;
    super::lower(&tree, names, arena).ok()
}

/// Returns the plain name if all indices are non-negative integers, otherwise a call of the family.
fn member_of(arena: &mut Arena, base: &str, indices: &[Id], arguments: &[Id]) -> Id {
    let numbers: Option<SmallVec<[i64; 4]>> = indices.iter().map(|&index| arena.as_integer(index)).collect();
    if let Some(numbers) = numbers
        && numbers.iter().all(|&number| number >= 0)
    {
        let single = numbers.len() == 1 || numbers.iter().all(|number| *number < 10);
        let texts: SmallVec<[String; 4]> = numbers.iter().map(i64::to_string).collect();
        let subscript = texts.join(if single { "" } else { "," });
        let name = with_subscript(base, &subscript);
        if single && numbers.len() > 1 && !arena.subscripts.entries.iter().any(|known| known == base) {
            arena.subscripts.entries.push(base.to_owned());
            arena.note_family();
        }
        if arguments.is_empty() {
            return arena.variable(&name);
        }
        let name = arena.symbol(&name);
        return arena.call(name, arguments);
    }
    arena.note_family();
    let name = arena.symbol(&format!("{base}{FAMILY}"));
    let all: SmallVec<[Id; 8]> = indices.iter().chain(arguments).copied().collect();
    arena.call(name, &all)
}

/// Returns the name of an entry in the spelling of [`member_of`]: `a_{21}` for `a_{2,1}`. `None` unless an expanded sum
/// shows that the digits are indices.
fn without_commas(arena: &Arena, symbol: Symbol) -> Option<String> {
    let (base, subscript) = split(arena.name(symbol))?;
    let mut digits = subscript.split(',');
    let is_digit = |text: &str| text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !subscript.contains(',') || !digits.all(is_digit) || !arena.subscripts.entries.contains(&base) {
        return None;
    }
    Some(with_subscript(&base, &subscript.replace(',', "")))
}

/// Replaces plain names that belong to a family of the pair with calls of the family.
///
/// If the pair contains `\sum_{i=1}^n x_i`, then `x_1` becomes `x_•(1)`. Also returns whether a name may belong to
/// two families. Such a name is not replaced, so names that differ here may be equal.
pub(crate) fn join_families(arena: &mut Arena, mut sides: [Id; 2], names: &Declarations) -> ([Id; 2], bool) {
    let mut is_ambiguous = false;
    for symbol in arena.free(sides[0]).union(arena.free(sides[1])).iter() {
        if let Some(entry) = without_commas(arena, symbol) {
            let entry = arena.variable(&entry);
            sides = sides.map(|side| arena.substitute(side, symbol, entry));
        }
    }
    let mut families: SmallVec<[(String, usize); 4]> = SmallVec::new();
    for side in sides {
        let mut calls: SmallVec<[(Symbol, usize); 8]> = SmallVec::new();
        arena.any(side, |node| {
            if let expr::Node::Call(name, arguments) = node {
                calls.push((name, arguments.len()));
            }
            false
        });
        for (name, count) in calls {
            if let Some(base) = arena.name(name).strip_suffix(FAMILY) {
                let family = (base.to_owned(), count);
                if !families.contains(&family) {
                    families.push(family);
                }
            }
        }
    }
    let names = index_names(names);
    let free = arena.free(sides[0]).union(arena.free(sides[1]));
    for symbol in free.iter() {
        let name = arena.name(symbol).to_owned();
        let Some((base, subscript)) = split(&name) else { continue };
        let counts: SmallVec<[usize; 4]> =
            families.iter().filter(|(family, _)| *family == base).map(|(_, count)| *count).collect();
        if counts.is_empty() {
            continue;
        }
        let is_label = arena.subscripts.is_second(&base, Doubt::Pair);
        if is_label && subscript.chars().all(char::is_alphabetic) && subscript.chars().count() == 2 {
            continue;
        }
        let mut texts = indices(subscript, true);
        let has_digits =
            subscript.is_ascii() && !subscript.contains(',') && counts.contains(&subscript.len());
        match (counts.contains(&texts.len()), has_digits) {
            // With families of one index and of two, `a_{12}` may belong to both.
            (true, true) if texts.len() != subscript.len() => {
                is_ambiguous = true;
                continue;
            }
            (true, _) => {}
            (false, true) => texts = (0..subscript.len()).map(|at| &subscript[at..=at]).collect(),
            (false, false) => continue,
        }
        let values: Option<SmallVec<[Id; 4]>> = texts
            .iter()
            .map(|text| plain_index(arena, text).or_else(|| parsed_index(arena, text, &names)))
            .collect();
        let Some(values) = values else { continue };
        if values.iter().any(|&value| arena.free(value).contains(symbol)) {
            continue;
        }
        let family = arena.symbol(&format!("{base}{FAMILY}"));
        let call = arena.call(family, &values);
        sides = sides.map(|side| arena.substitute(side, symbol, call));
    }
    (sides, is_ambiguous)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subscripts_are_split_into_indices() {
        for (subscript, expected) in [
            ("i", &["i"][..]),
            ("ij", &["i", "j"]),
            ("i,j", &["i", "j"]),
            ("k+1", &["k+1"]),
            ("2k", &["2k"]),
            ("12", &["12"]),
            ("i1", &["i", "1"]),
            ("1i", &["1", "i"]),
            ("01i", &["0", "1", "i"]),
        ] {
            assert_eq!(indices(subscript, true).as_slice(), expected, "{subscript}");
        }
        assert_eq!(indices("2k", false).as_slice(), &["2", "k"]);
    }

    #[test]
    fn words_are_labels() {
        let bound = |names: &[&str]| -> Vec<Bound> {
            names
                .iter()
                .map(|name| Bound { written: (*name).to_owned(), range: BoundRange::Unknown })
                .collect()
        };
        assert!(mentions("i", &bound(&["i"])));
        assert!(mentions("k+1", &bound(&["k"])));
        assert!(mentions("ij", &bound(&["j"])));
        assert!(mentions("ijk", &bound(&["i", "j", "k"])));
        assert!(mentions("alpha", &bound(&["alpha"])));
        assert!(!mentions("max", &bound(&["a"])));
        assert!(!mentions("0", &bound(&["i"])));
        assert!(!mentions("n", &bound(&["i"])));
    }
}
