//! Joins the pieces of an input in order.

use std::collections::HashSet;
use std::hash::{Hash as _, Hasher as _};

use super::error::{invalid, rejected};
use super::{InvalidLines, MAX_KNOWN, MAX_NAMED, NamedSitting, Open, Piece};
use crate::accumulator::{Accumulator, MAX_ANSWERS};

/// Joins the pieces of an input, which must be added in order.
#[derive(Default)]
pub struct Joiner {
    accumulator: Accumulator,
    open: Option<Open>,
    known: HashSet<u128>,
    invalid_lines: InvalidLines,
    /// The first sittings with their names, if requested.
    named: Option<Vec<NamedSitting>>,
}

impl Joiner {
    /// Creates a joiner without pieces.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a joiner without pieces that keeps the names of sittings.
    pub fn named() -> Self {
        Self { named: Some(Vec::new()), ..Self::default() }
    }

    /// Returns the first sittings with their names, in order, if names are kept. There are at most
    /// [`MAX_NAMED`].
    pub fn take_named(&mut self) -> Vec<NamedSitting> {
        self.close();
        self.named.take().unwrap_or_default()
    }

    /// Adds the next piece.
    pub fn add(&mut self, piece: Piece) {
        let Piece { first, last, names, named, invalid_lines } = piece;
        self.invalid_lines.append(invalid_lines);
        let Some(first) = first else { return };
        match &mut self.open {
            Some(open) if open.name == first.name => {
                if open.answers.len() + first.answers.len() > MAX_ANSWERS {
                    let message = format!("more than {MAX_ANSWERS} answers in one sitting");
                    self.invalid_lines
                        .push(first.line, invalid("sitting-too-long", "/sitting", message, "split the test"));
                } else {
                    open.answers.append(&first.answers);
                }
            }
            _ => {
                self.close();
                self.open = Some(first);
            }
        }
        if !names.is_empty() || last.is_some() {
            self.close();
        }
        for (name, line) in names {
            self.register(name, line);
        }
        if let Some(all) = &mut self.named {
            let room = MAX_NAMED.saturating_sub(all.len());
            all.extend(named.into_iter().take(room));
        }
        if last.is_some() {
            self.open = last;
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        self.register(fingerprint(&open.name), open.line);
        if let Err(error) = self.accumulator.add_sitting(&open.answers) {
            self.invalid_lines.push(open.line, rejected(&error));
        }
        if let Some(all) = self.named.as_mut().filter(|all| all.len() < MAX_NAMED) {
            all.push(open.named());
        }
    }

    fn register(&mut self, name: u128, line: u64) {
        if self.known.len() == MAX_KNOWN {
            let message = format!("more than {MAX_KNOWN} sittings in one input");
            self.invalid_lines
                .push(line, invalid("too-many-sittings", "/sitting", message, "split the input"));
            return;
        }
        if !self.known.insert(name) {
            let message = "the lines of this sitting are not consecutive";
            let help = "sort the lines by sitting, or give each sitting a name of its own";
            self.invalid_lines.push(line, invalid("sitting-split", "/sitting", message, help));
        }
    }

    /// Returns the accumulated statistics of all sittings, including those in the accumulators of the readers.
    ///
    /// # Errors
    /// Returns the invalid lines, if there are any.
    pub fn finish(
        mut self,
        readers: impl IntoIterator<Item = Accumulator>,
    ) -> Result<Accumulator, InvalidLines> {
        self.close();
        for accumulator in readers {
            if let Err(error) = self.accumulator.merge(&accumulator) {
                self.invalid_lines.push(0, rejected(&error));
            }
        }
        if self.invalid_lines.count == 0 { Ok(self.accumulator) } else { Err(self.invalid_lines) }
    }
}

/// Returns a 128-bit hash of a name. Fewer than one in 10²⁰ inputs of the maximum size have a chance
/// collision.
pub(super) fn fingerprint(name: &str) -> u128 {
    let half = |salt: u8| {
        #[allow(deprecated)]
        // the algorithm of its successor may change, so a collision would not be reproducible
        let mut hasher = std::hash::SipHasher::new_with_keys(u64::from(salt), 0x5eed);
        name.hash(&mut hasher);
        hasher.finish()
    };
    u128::from(half(1)) << 64 | u128::from(half(2))
}
