//! Positions in a source.

/// A byte range in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The index of the first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span of bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// Returns the smallest span that contains both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the same range counted in UTF-16 code units, as JavaScript counts; `source` is the text to which the
    /// span refers.
    pub fn utf16(self, source: &str) -> (usize, usize) {
        let units = |end: u32| -> usize {
            source.char_indices().take_while(|(at, _)| *at < end as usize).map(|(_, c)| c.len_utf16()).sum()
        };
        (units(self.start), units(self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_convert_to_utf16() {
        let source = "𝑥+π";
        assert_eq!(Span::new(4, 7).utf16(source), (2, 4));
    }
}
