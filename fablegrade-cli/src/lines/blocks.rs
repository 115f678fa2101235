//! Splits a stream into blocks of whole lines. Memory is bounded by the maximum length of a line.

use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

/// The byte order mark of UTF-8.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";
/// Maximum length of a line in bytes, which is also that of a document.
pub(crate) const LINE_LIMIT: usize = 8 << 20;
/// The minimum number of bytes per read.
const READ: usize = 128 << 10;
/// The number of bytes that are kept of a line over the limit, to find its id.
const HEAD: usize = 16 << 10;

/// Some whole lines, or the beginning of a line that is too long.
#[derive(Default)]
pub(crate) struct Block {
    /// Memory that is reused from block to block. It can be longer than its contents.
    buffer: Vec<u8>,
    /// The range of the lines in the buffer.
    held: Range<usize>,
    /// The number of the first line, from 1.
    pub(crate) first_line: u64,
    /// The length in bytes of a line over the limit; the block has only its beginning.
    pub(crate) too_long: Option<u64>,
    /// Whether a line over the limit has a line feed.
    pub(crate) ended: bool,
    /// The number of bytes of the stream before the end of this block.
    pub(crate) end: u64,
}

impl Block {
    /// Returns the lines with their line feeds, or the beginning of a line that is too long.
    ///
    /// The last line of the stream can lack a line feed.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.held.clone()]
    }

    /// Removes the lines.
    pub(crate) fn clear(&mut self) {
        self.held = 0..0;
    }

    /// Returns the length of the byte order mark that the contents start with.
    fn mark(&self) -> usize {
        if self.first_line == 1 && self.bytes().starts_with(MARK) { MARK.len() } else { 0 }
    }

    /// Replaces the contents with these bytes.
    fn start(&mut self, bytes: &[u8]) {
        if self.buffer.len() > 8 * READ {
            self.buffer.truncate(2 * READ);
            self.buffer.shrink_to_fit();
        }
        self.held = 0..0;
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.held.end = bytes.len();
    }

    /// Keeps only the beginning of a line over the limit.
    fn shorten(&mut self, length: usize) {
        self.held.end = HEAD.min(length);
        self.buffer.truncate(HEAD);
        self.buffer.shrink_to_fit();
    }

    /// Returns free memory for at least `least` bytes after the contents.
    fn room(&mut self, least: usize) -> &mut [u8] {
        let end = self.held.end;
        if self.buffer.len() < end + least {
            self.buffer.resize((end + least).max(2 * READ), 0);
        }
        &mut self.buffer[end..]
    }
}

/// A stream that is read block by block.
pub(crate) struct Blocks<R> {
    input: R,
    /// The bytes that were read after the end of the last block.
    carry: Vec<u8>,
    next_line: u64,
    end: u64,
    done: bool,
    limit: usize,
}

impl<R: Read> Blocks<R> {
    /// Reads `input` in blocks. A byte order mark at its start is skipped.
    pub(crate) fn new(input: R) -> Self {
        Self::with_limit(input, LINE_LIMIT)
    }

    /// Reads `input` in blocks, with a different limit for a line.
    pub(crate) fn with_limit(input: R, limit: usize) -> Self {
        Self { input, carry: Vec::new(), next_line: 1, end: 0, done: false, limit }
    }

    /// Fills `block` with the next lines, and returns `false` at the end of the stream.
    ///
    /// It stops reading once it has a whole line, so a slow writer is answered immediately.
    pub(crate) fn next(&mut self, block: &mut Block) -> io::Result<bool> {
        block.start(&self.carry);
        self.carry.clear();
        block.too_long = None;
        block.first_line = self.next_line;
        // The carry can contain whole lines, after a line that was too long or after `unread`.
        let mut seen = 0;
        loop {
            if let Some(last) = memrchr(b'\n', &block.bytes()[seen..]) {
                let mark = block.mark();
                let (cut, lines, over) = self.cut(&block.bytes()[..=seen + last], mark);
                if let Some(length) = over.filter(|_| lines == 0) {
                    self.carry.extend_from_slice(&block.bytes()[length + 1..]);
                    block.too_long = Some((length - mark) as u64);
                    block.ended = true;
                    block.shorten(length);
                    block.held.start = mark;
                    self.end += length as u64 + 1;
                    self.next_line += 1;
                    block.end = self.end;
                    return Ok(true);
                }
                self.carry.extend_from_slice(&block.bytes()[cut..]);
                block.held.end = cut;
                self.next_line += lines;
                break;
            }
            seen = block.held.end;
            let mark = block.mark();
            if seen > self.limit + mark {
                let (length, ended) = self.skip_line(block)?;
                block.too_long = Some(length - mark as u64);
                block.ended = ended;
                block.held.start = mark;
                self.next_line += 1;
                block.end = self.end;
                return Ok(true);
            }
            if self.done || self.fill(block)? == 0 {
                if block.bytes().is_empty() {
                    return Ok(false);
                }
                break;
            }
        }
        self.end += block.held.end as u64;
        block.end = self.end;
        block.held.start = block.mark();
        Ok(true)
    }

    /// Returns the length of the whole lines before the first line over the limit, their number, and the length of that
    /// line, if there is one. The bytes end with a line feed; a byte order mark at their start does not count.
    fn cut(&self, bytes: &[u8], mark: usize) -> (usize, u64, Option<usize>) {
        let (mut start, mut lines, mut limit) = (0, 0, self.limit + mark);
        for feed in memchr_iter(b'\n', bytes) {
            if feed - start > limit {
                return (start, lines, Some(feed - start));
            }
            (start, lines, limit) = (feed + 1, lines + 1, self.limit);
        }
        (start, lines, None)
    }

    /// Puts back the end of the last block: the lines from number `line` on.
    pub(crate) fn unread(&mut self, lines: &[u8], line: u64) {
        self.carry.splice(..0, lines.iter().copied());
        self.next_line = line;
        self.end -= lines.len() as u64;
    }

    /// Returns the number of bytes before the next block.
    pub(crate) fn position(&self) -> u64 {
        self.end
    }

    /// Reads once and appends the bytes to the block. Returns their number, which is 0 at the end of the
    /// stream.
    fn fill(&mut self, block: &mut Block) -> io::Result<usize> {
        // A long line is read in growing steps.
        let step = READ.max(block.held.end.min(1 << 20));
        let count = loop {
            match self.input.read(&mut block.room(step)[..step]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        block.held.end += count;
        self.done = count == 0;
        Ok(count)
    }

    /// Skips the rest of the line that the block starts with, and returns the length of the line and whether it has
    /// a line feed.
    ///
    /// The block keeps the beginning of the line.
    fn skip_line(&mut self, block: &mut Block) -> io::Result<(u64, bool)> {
        let mut length = block.held.end as u64;
        block.shorten(block.held.end);
        let mut rest = Block::default();
        loop {
            rest.clear();
            if self.fill(&mut rest)? == 0 {
                self.end += length;
                return Ok((length, false));
            }
            let bytes = rest.bytes();
            if let Some(feed) = memchr(b'\n', bytes) {
                length += feed as u64;
                self.end += length + 1;
                self.carry.extend_from_slice(&bytes[feed + 1..]);
                return Ok((length, true));
            }
            length += bytes.len() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns its bytes in pieces of a fixed size.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn lines(text: &[u8], step: usize) -> Vec<(u64, Vec<u8>, Option<u64>)> {
        let mut blocks = Blocks::new(Drip(text, step));
        let mut block = Block::default();
        let mut found = Vec::new();
        while blocks.next(&mut block).expect("reads") {
            if let Some(length) = block.too_long {
                found.push((block.first_line, block.bytes()[..4].to_vec(), Some(length)));
                continue;
            }
            let whole = block.bytes().split_inclusive(|&byte| byte == b'\n');
            for (number, line) in (block.first_line..).zip(whole) {
                found.push((number, line.trim_ascii_end().to_vec(), None));
            }
        }
        assert_eq!(block.end, text.len() as u64);
        found
    }

    #[test]
    fn every_line_comes_once_with_its_number_whatever_the_reads_give() {
        let text = b"one\n\nthree\nfour";
        let expected: Vec<_> =
            [(1, "one"), (2, ""), (3, "three"), (4, "four")].map(|(n, t)| (n, t.into(), None)).into();
        for step in 1..=text.len() + 1 {
            assert_eq!(lines(text, step), expected, "reads of {step}");
        }
        assert!(lines(b"", 1).is_empty());
    }

    #[test]
    fn a_line_over_the_limit_is_skipped_and_the_others_come() {
        let mut text = b"first\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', LINE_LIMIT * 2));
        text.extend(b"\nlast\n");
        let expected = vec![
            (1, b"first".to_vec(), None),
            (2, b"xxxx".to_vec(), Some(2 * LINE_LIMIT as u64)),
            (3, b"last".to_vec(), None),
        ];
        for step in [1 << 20, 1 << 24] {
            assert_eq!(lines(&text, step), expected, "reads of {step}");
        }
        text.truncate(text.len() - 6);
        assert_eq!(lines(&text, 1 << 16), expected[..2]);
    }

    #[test]
    fn a_line_over_the_limit_is_too_long_however_it_is_read() {
        let text = b"abcd\nabcde\nabcd\n\nabcdef\nabcdefg";
        for step in 1..=text.len() {
            let mut blocks = Blocks::with_limit(Drip(text, step), 4);
            let (mut block, mut found) = (Block::default(), Vec::new());
            while blocks.next(&mut block).expect("reads") {
                if let Some(length) = block.too_long {
                    found.push((block.first_line, length, block.ended));
                } else {
                    for (number, line) in
                        (block.first_line..).zip(block.bytes().split_inclusive(|&byte| byte == b'\n'))
                    {
                        found.push((number, line.trim_ascii_end().len() as u64, line.ends_with(b"\n")));
                    }
                }
            }
            let expected =
                [(1, 4, true), (2, 5, true), (3, 4, true), (4, 0, true), (5, 6, true), (6, 7, false)];
            assert_eq!(found, expected, "reads of {step}");
            assert_eq!(block.end, text.len() as u64);
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        let mut blocks = Blocks::new(&b"\xef\xbb\xbf{}\n"[..]);
        let mut block = Block::default();
        assert!(blocks.next(&mut block).expect("reads"));
        assert_eq!(block.bytes(), b"{}\n");
        // The mark does not count towards the length of the line either.
        for (text, too_long) in [(&b"\xef\xbb\xbfabcd\n"[..], None), (b"\xef\xbb\xbfabcde\n", Some(5))] {
            let mut blocks = Blocks::with_limit(Drip(text, 1), 4);
            assert!(blocks.next(&mut block).expect("reads"));
            assert_eq!(block.too_long, too_long);
            assert!(block.bytes().starts_with(b"abcd"));
        }
    }
}
