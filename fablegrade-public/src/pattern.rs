//! Regular expressions with bounded work, for patterns and texts that may be hostile.
//!
//! A pattern is compiled to a nondeterministic automaton (NFA). Searches build the states of a deterministic automaton
//! (DFA) when they first reach them. Each search reports its actual work: 1 for each byte of the text, and more for
//! each NFA state that it visits. The caller decides when this is too much. Memory is bounded independently.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use regex_automata::nfa::thompson::{Compiler, NFA, State, WhichCaptures};
use regex_automata::util::look::Look;
use regex_automata::util::primitives::StateID;
use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    self, Ast, ClassSetBinaryOp, ClassSetItem, ClassUnicode, ClassUnicodeKind, Flag, Flags, GroupKind,
    Visitor,
};
use regex_syntax::hir::Hir;
use regex_syntax::hir::translate::TranslatorBuilder;

/// Maximum length of a pattern, in bytes. The parser takes thousands of bytes of memory for a class such as `\w`.
const MAX_SOURCE: usize = 1 << 14;
/// Maximum size of a compiled pattern, in bytes.
const MAX_COMPILED: usize = 1 << 20;
/// Maximum size of the DFA states of a pattern, in bytes. If a new state would exceed it, all others are discarded.
const MAX_STATES: usize = 1 << 20;
/// Maximum number of compiled patterns that are kept.
const MAX_KEPT: usize = 64;

/// The number of bytes whose work is charged at once.
const BLOCK: usize = 64;
/// The work of a byte of a pattern.
const SOURCE: u64 = 128;
/// The work of a class of characters such as `\w`.
const CLASS: u64 = 256;
/// The additional work of a class if case is ignored, because the other case of each character is then looked up.
const FOLDED: u64 = 1 << 17;
/// The number of Unicode code points: the additional work of a class of nearly all characters if case is ignored.
const CHARACTERS: u64 = 0x11_0000;
/// The work of a visit to a state.
const VISIT: u64 = 8;

/// The number of the row without states.
const DEAD: usize = 0;
/// The number of the row at the start of a text.
const START: usize = 1;
/// A transition that has not been computed.
const UNKNOWN: u32 = u32::MAX;

/// The reason why a pattern is not compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused<E> {
    /// It is not a regular expression, or it has back-references or look-around.
    Invalid,
    /// It is too long, or too large when compiled.
    TooLarge,
    /// The caller's error: compiling takes too much work.
    Work(E),
}

/// A pattern of Unicode text.
#[derive(Debug)]
pub struct TextPattern(Automaton);

impl TextPattern {
    /// Compiles a pattern.
    pub fn new<E>(pattern: &str, charge: impl FnMut(u64) -> Result<(), E>) -> Result<Self, Refused<E>> {
        Automaton::new(pattern, Extent::Anywhere, charge).map(Self)
    }

    /// Returns whether the pattern matches anywhere in the text.
    pub fn is_match<E>(&mut self, text: &str, charge: impl FnMut(u64) -> Result<(), E>) -> Result<bool, E> {
        Ok(self.0.search(text.as_bytes(), charge)?.is_some())
    }
}

/// A pattern of bytes. Its classes such as `\w` are those of ASCII.
#[derive(Debug)]
pub struct BytePattern(Automaton);

impl BytePattern {
    /// Compiles a pattern.
    pub fn new<E>(pattern: &str, charge: impl FnMut(u64) -> Result<(), E>) -> Result<Self, Refused<E>> {
        Automaton::new(pattern, Extent::Prefix, charge).map(Self)
    }

    /// Returns the length of the match at the start of the text; `None` if there is none. Does not look at more of the
    /// text than the match depends on.
    pub fn prefix<E>(
        &mut self,
        text: &[u8],
        charge: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        self.0.search(text, charge)
    }
}

/// Compiled patterns by their source. Their number is limited, because sources can come from an adversary.
#[derive(Debug)]
pub struct Kept<P>(HashMap<String, P>);

impl<P> Default for Kept<P> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<P> Kept<P> {
    /// Returns a kept pattern, or compiles it. The look-up is charged 1 for each byte of the pattern.
    ///
    /// # Errors
    /// Returns the reason why it is not compiled.
    pub fn get<E, C: FnMut(u64) -> Result<(), E>>(
        &mut self,
        pattern: &str,
        mut charge: C,
        compile: impl FnOnce(&str, C) -> Result<P, Refused<E>>,
    ) -> Result<&mut P, Refused<E>> {
        if pattern.len() > MAX_SOURCE {
            return Err(Refused::TooLarge);
        }
        charge(pattern.len() as u64).map_err(Refused::Work)?;
        if !self.0.contains_key(pattern) {
            if self.0.len() >= MAX_KEPT {
                self.0.clear();
            }
            self.0.insert(pattern.to_owned(), compile(pattern, charge)?);
        }
        // The pattern is present here. `HashMap::entry` would need a copy of it.
        self.0.get_mut(pattern).ok_or(Refused::Invalid)
    }
}

/// The work that the classes of characters in a pattern take before it is compiled.
#[derive(Default)]
struct Classes {
    plain: u64,
    /// The additional work if case is ignored.
    folded: u64,
    ignores_case: bool,
}

impl Classes {
    fn of(tree: &Ast) -> u64 {
        match ast::visit(tree, Self::default()) {
            Ok(work) => work,
            Err(never) => match never {},
        }
    }

    fn add_class(&mut self) {
        self.plain = self.plain.saturating_add(CLASS);
        self.folded = self.folded.saturating_add(FOLDED);
    }

    /// Adds a class that may have nearly all characters; they are looked up `times` times.
    fn add_class_of(&mut self, class: &ClassUnicode, times: u64) {
        self.add_class();
        if is_large(class) {
            self.folded = self.folded.saturating_add(times * CHARACTERS);
        }
    }

    fn read_flags(&mut self, flags: &Flags) {
        self.ignores_case |= flags.flag_state(Flag::CaseInsensitive) == Some(true);
    }
}

impl Visitor for Classes {
    type Output = u64;
    type Err = Infallible;

    fn finish(self) -> Result<u64, Infallible> {
        Ok(if self.ignores_case { self.plain.saturating_add(self.folded) } else { self.plain })
    }

    fn visit_pre(&mut self, tree: &Ast) -> Result<(), Infallible> {
        match tree {
            Ast::Flags(set) => self.read_flags(&set.flags),
            Ast::Group(group) => {
                if let GroupKind::NonCapturing(flags) = &group.kind {
                    self.read_flags(flags);
                }
            }
            Ast::ClassUnicode(class) => self.add_class_of(class, 1),
            Ast::ClassPerl(_) => self.plain = self.plain.saturating_add(CLASS),
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Infallible> {
        match item {
            // In brackets, the characters of the class are looked up once more.
            ClassSetItem::Unicode(class) => self.add_class_of(class, 2),
            ClassSetItem::Perl(_) => self.add_class(),
            // The characters of a nested class are looked up once more. A negated one can have nearly all characters.
            ClassSetItem::Bracketed(_) => self.folded = self.folded.saturating_add(CHARACTERS),
            ClassSetItem::Range(range) => {
                let characters = u64::from(u32::from(range.end.c).abs_diff(u32::from(range.start.c)));
                self.folded = self.folded.saturating_add(characters);
            }
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_binary_op_pre(&mut self, _: &ClassSetBinaryOp) -> Result<(), Infallible> {
        self.add_class();
        Ok(())
    }
}

/// Returns whether a class may have nearly all characters: `\P{Greek}`, `\p{any}`.
fn is_large(class: &ClassUnicode) -> bool {
    let name = match &class.kind {
        ClassUnicodeKind::OneLetter(_) => return class.is_negated(),
        ClassUnicodeKind::Named(name) | ClassUnicodeKind::NamedValue { value: name, .. } => name,
    };
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    class.is_negated() || letters.to_ascii_lowercase().ends_with("any")
}

/// The match that a search looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Any match, anywhere in the text.
    Anywhere,
    /// The match at the start that a backtracking search would find first.
    Prefix,
}

/// A state of the DFA: NFA states in the order of their priority. Their transitions without a byte are followed
/// only in the next step, because assertions depend on the next byte.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Row {
    /// The class of the byte before, if assertions depend on it.
    before: usize,
    targets: Vec<StateID>,
}

#[derive(Debug)]
struct Automaton {
    nfa: NFA,
    extent: Extent,
    start: StateID,
    /// `true` if assertions depend on the byte before, except at the start of the text.
    looks_back: bool,
    /// `true` if assertions depend on characters of several bytes.
    unicode_words: bool,
    rows: Vec<Arc<Row>>,
    numbers: HashMap<Arc<Row>, usize>,
    /// For each row and each input (a class of bytes, or the end of the text): twice the number of the next row, plus 1
    /// if there is a match before this input.
    transitions: Vec<u32>,
    memory: usize,
    visits: Visits,
}

/// Reusable memory for the steps of the NFA.
#[derive(Debug)]
struct Visits {
    open: Vec<StateID>,
    next: Vec<StateID>,
    /// For each NFA state, the number of the last step that visited it, and of the last step that added it to `next`.
    visited: Vec<(u64, u64)>,
    step: u64,
}

impl Automaton {
    fn new<E>(
        pattern: &str,
        extent: Extent,
        mut charge: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Self, Refused<E>> {
        if pattern.len() > MAX_SOURCE {
            return Err(Refused::TooLarge);
        }
        charge(SOURCE * pattern.len() as u64).map_err(Refused::Work)?;
        let text = extent == Extent::Anywhere;
        let tree = Parser::new().parse(pattern).map_err(|_| Refused::Invalid)?;
        charge(Classes::of(&tree)).map_err(Refused::Work)?;
        let hir: Hir = TranslatorBuilder::new()
            .unicode(text)
            .utf8(text)
            .build()
            .translate(pattern, &tree)
            .map_err(|_| Refused::Invalid)?;
        let compiled = Compiler::new()
            .configure(
                NFA::config()
                    .utf8(text)
                    .nfa_size_limit(Some(MAX_COMPILED))
                    .which_captures(WhichCaptures::None),
            )
            .build_from_hir(&hir);
        let size = match &compiled {
            Ok(nfa) => nfa.memory_usage(),
            Err(error) => error.size_limit().unwrap_or(0),
        };
        charge(size as u64).map_err(Refused::Work)?;
        let nfa = compiled.map_err(|error| match error.size_limit() {
            Some(_) => Refused::TooLarge,
            None => Refused::Invalid,
        })?;
        let looks = nfa.look_set_any();
        let mut automaton = Self {
            extent,
            start: if text { nfa.start_unanchored() } else { nfa.start_anchored() },
            looks_back: !looks.remove(Look::Start).remove(Look::End).is_empty(),
            unicode_words: looks.contains_word_unicode(),
            rows: Vec::new(),
            numbers: HashMap::new(),
            transitions: Vec::new(),
            memory: 0,
            visits: Visits {
                open: Vec::new(),
                next: Vec::new(),
                visited: vec![(0, 0); nfa.states().len()],
                step: 0,
            },
            nfa,
        };
        automaton.forget();
        Ok(automaton)
    }

    /// Returns the end of a match.
    fn search<E>(
        &mut self,
        text: &[u8],
        mut charge: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        // Boundaries of Unicode words depend on more than the class of a byte, unless the text is ASCII. A search for
        // a prefix does not test this, because the prefix may be a short part of the text.
        let determined = !self.unicode_words || (self.extent == Extent::Anywhere && text.is_ascii());
        let classes = *self.nfa.byte_classes();
        let stride = classes.alphabet_len();
        let mut row = START;
        let mut targets = if determined { Vec::new() } else { vec![self.start] };
        let mut found = None;
        for at in 0..=text.len() {
            if at.is_multiple_of(BLOCK) {
                charge(BLOCK.min(text.len() - at) as u64)?;
            }
            let matched = if determined {
                let class = text.get(at).map_or(stride - 1, |byte| usize::from(classes.get(*byte)));
                let known = self.transitions.get(row * stride + class).copied().unwrap_or(UNKNOWN);
                let transition = match known {
                    UNKNOWN => self.determine(row, class, text, at, &mut charge)?,
                    known => known,
                };
                row = (transition / 2) as usize;
                transition % 2 == 1
            } else {
                let (matched, work) = self.visits.step(&self.nfa, self.extent, &targets, text, at);
                charge(work)?;
                std::mem::swap(&mut targets, &mut self.visits.next);
                row = if targets.is_empty() { DEAD } else { START };
                matched
            };
            match self.extent {
                // An empty match does not split a character.
                Extent::Anywhere if matched && text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80) => {
                    return Ok(Some(at));
                }
                Extent::Prefix if matched => found = Some(at),
                _ => {}
            }
            if row == DEAD {
                break;
            }
        }
        Ok(found)
    }

    /// Computes a transition.
    fn determine<E>(
        &mut self,
        from: usize,
        class: usize,
        text: &[u8],
        at: usize,
        charge: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<u32, E> {
        let Some(row) = self.rows.get(from).map(Arc::clone) else { return Ok(DEAD as u32) };
        let (matched, work) = self.visits.step(&self.nfa, self.extent, &row.targets, text, at);
        charge(work)?;
        let targets = self.visits.next.clone();
        let stride = self.nfa.byte_classes().alphabet_len();
        let mut slot = Some(from * stride + class);
        let to = Row { before: if self.looks_back { class } else { 0 }, targets };
        let number = match self.numbers.get(&to) {
            _ if to.targets.is_empty() => DEAD,
            Some(known) => *known,
            None => {
                let size = to.size(stride);
                // A new row costs little in comparison with the visits.
                charge((size / 16) as u64)?;
                if self.memory + size > MAX_STATES {
                    self.forget();
                    slot = None;
                }
                self.add(to)
            }
        };
        let transition = (number * 2 + usize::from(matched)) as u32;
        if let Some(slot) = slot.and_then(|slot| self.transitions.get_mut(slot)) {
            *slot = transition;
        }
        Ok(transition)
    }

    /// Forgets all rows except the first two.
    fn forget(&mut self) {
        self.rows.clear();
        self.numbers.clear();
        self.transitions.clear();
        self.memory = 0;
        self.add(Row { before: usize::MAX, targets: Vec::new() });
        self.add(Row { before: usize::MAX, targets: vec![self.start] });
    }

    fn add(&mut self, row: Row) -> usize {
        let stride = self.nfa.byte_classes().alphabet_len();
        let number = self.rows.len();
        self.memory += row.size(stride);
        self.transitions.resize(self.transitions.len() + stride, UNKNOWN);
        let row = Arc::new(row);
        self.numbers.insert(Arc::clone(&row), number);
        self.rows.push(row);
        number
    }
}

impl Row {
    /// Estimates the memory that it takes, in bytes.
    fn size(&self, stride: usize) -> usize {
        128 + size_of_val(self.targets.as_slice()) + stride * size_of::<u32>()
    }
}

impl Visits {
    /// Computes the next states from the states `from` and the byte at a position. Returns whether there is a match
    /// before this byte, and the work.
    fn step(&mut self, nfa: &NFA, extent: Extent, from: &[StateID], text: &[u8], at: usize) -> (bool, u64) {
        let byte = text.get(at).copied();
        self.step += 1;
        self.next.clear();
        self.open.clear();
        self.open.extend(from.iter().rev());
        let (mut matched, mut work) = (false, VISIT);
        while let Some(state) = self.open.pop() {
            work += VISIT;
            match self.visited.get_mut(state.as_usize()) {
                Some((visited, _)) if *visited != self.step => *visited = self.step,
                _ => continue,
            }
            let target = match nfa.state(state) {
                State::ByteRange { trans } => {
                    byte.filter(|byte| trans.matches_byte(*byte)).map(|_| trans.next)
                }
                State::Sparse(sparse) => {
                    work += sparse.transitions.len() as u64;
                    byte.and_then(|byte| sparse.matches_byte(byte))
                }
                State::Dense(dense) => byte.and_then(|byte| dense.matches_byte(byte)),
                State::Look { look, next } => {
                    work += VISIT;
                    if nfa.look_matcher().matches(*look, text, at) {
                        self.open.push(*next);
                    }
                    None
                }
                State::Union { alternates } => {
                    // Counted here, because a match may leave them unvisited.
                    work += alternates.len() as u64;
                    self.open.extend(alternates.iter().rev());
                    None
                }
                State::BinaryUnion { alt1, alt2 } => {
                    self.open.extend([*alt2, *alt1]);
                    None
                }
                State::Capture { next, .. } => {
                    self.open.push(*next);
                    None
                }
                State::Fail => None,
                State::Match { .. } => {
                    matched = true;
                    if extent == Extent::Prefix {
                        // The remaining states have a lower priority.
                        break;
                    }
                    None
                }
            };
            if let Some(target) = target
                && let Some((_, chosen)) = self.visited.get_mut(target.as_usize())
                && *chosen != self.step
            {
                *chosen = self.step;
                self.next.push(target);
            }
        }
        (matched, work)
    }
}
