//! Regular expressions of a grammar, which match at one position.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

/// The maximum size of a compiled expression, and of the states that its matches keep, in bytes.
const COMPILED: usize = 1 << 20;
/// The number of bytes that are matched in one step by an expression of a few states.
const BLOCK: u64 = 64;

/// A compiled expression. Its automaton tells where a match can no longer become longer, so a match does not depend on
/// how much of the text is searched, and only this much is.
pub(super) struct Expression {
    automaton: DFA,
    cache: Cache,
    /// The steps of a block. A state of the automaton is a set of states of the expression.
    weight: u64,
}

impl Expression {
    pub(super) fn new(pattern: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(pattern).map_err(|_| "a regular expression is not UTF-8")?;
        let automaton = DFA::builder()
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .thompson(thompson::Config::new().utf8(false).nfa_size_limit(Some(COMPILED)))
            .configure(DFA::config().cache_capacity(COMPILED).skip_cache_capacity_check(true))
            .build(text)
            .map_err(|_| format!("the regular expression `{text}` is not supported"))?;
        let cache = automaton.create_cache();
        let weight = 1 + automaton.get_nfa().states().len() as u64 / 8;
        Ok(Self { automaton, cache, weight })
    }

    /// Returns the length of the match at the start of `text`; `None` if there is none. Takes the steps from `left`.
    pub(super) fn matched(&mut self, text: &[u8], left: &mut u64) -> Result<Option<usize>, &'static str> {
        const FAILED: &str = "a regular expression cannot be matched";
        let mut charge = |bytes: u64| match left.checked_sub(1 + self.weight * bytes / BLOCK) {
            Some(less) => {
                *left = less;
                Ok(())
            }
            None => Err(super::run::TOO_MANY_STEPS),
        };
        let input = Input::new(text).anchored(Anchored::Yes);
        let mut state = self.automaton.start_state_forward(&mut self.cache, &input).map_err(|_| FAILED)?;
        let mut found = None;
        for (at, byte) in text.iter().enumerate() {
            if (at as u64).is_multiple_of(BLOCK) {
                // The rest may be shorter.
                charge(BLOCK.min((text.len() - at) as u64))?;
            }
            state = self.automaton.next_state(&mut self.cache, state, *byte).map_err(|_| FAILED)?;
            // A state tells of a match one byte later.
            if state.is_match() {
                found = Some(at);
            } else if state.is_dead() {
                return Ok(found);
            } else if state.is_quit() {
                return Err(FAILED);
            }
        }
        state = self.automaton.next_eoi_state(&mut self.cache, state).map_err(|_| FAILED)?;
        Ok(if state.is_match() { Some(text.len()) } else { found })
    }
}
