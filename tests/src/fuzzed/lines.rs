//! Fuzzes the splitter of JSON Lines.

#[path = "../../../fablegrade-cli/src/lines/blocks.rs"]
#[allow(dead_code, unreachable_pub, reason = "a file of the command")]
mod blocks;

use blocks::{Block, Blocks};
use std::io::{self, Read};

/// The maximum length of a line.
const LIMIT: usize = 64;

/// A reader that returns its bytes in pieces whose sizes repeat.
struct Drip<'a> {
    bytes: &'a [u8],
    sizes: &'a [u8],
    turn: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.get(self.turn % self.sizes.len().max(1)).copied().unwrap_or(7);
        self.turn += 1;
        if size == 0 && self.turn.is_multiple_of(2) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = usize::from(size).max(1).min(self.bytes.len()).min(buffer.len());
        let (now, later) = self.bytes.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.bytes = later;
        Ok(count)
    }
}

/// Splits any bytes, read in pieces of any sizes, with some blocks returned early. Every line is returned
/// once, in order, with its number. A line over the limit is returned only with its length. The first bytes
/// are the sizes, up to a zero byte.
pub fn lines(data: &[u8]) {
    let (sizes, text) = match data.iter().position(|byte| *byte == 0) {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (&data[..0], data),
    };
    // Each piece that is read costs a large buffer.
    let text = &text[..text.len().min(600)];
    let mut expected = Vec::new();
    let all: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    for (number, line) in (1u64..).zip(&all) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        expected.push((number, line.to_vec()));
    }
    let mut blocks = Blocks::with_limit(Drip { bytes: text, sizes, turn: 0 }, LIMIT);
    let mut block = Block::default();
    let (mut found, mut end, mut turn) = (Vec::new(), 0, 0usize);
    while blocks.next(&mut block).expect("reads do not fail") {
        turn += 1;
        assert!(block.end >= end, "the position moves on");
        end = block.end;
        assert_eq!(blocks.position(), end);
        if let Some(length) = block.too_long {
            let (number, line) = &expected[found.len()];
            assert_eq!(*number, block.first_line);
            // A byte order mark is part of a first line that is too long.
            assert!(
                length as usize >= line.len() && length as usize <= line.len() + 3 && length as usize > LIMIT
            );
            found.push((block.first_line, line.clone()));
            continue;
        }
        let lines: Vec<&[u8]> = block.bytes().split_inclusive(|byte| *byte == b'\n').collect();
        // Only half of every third block is consumed, as if a worker had stopped.
        let taken = if turn.is_multiple_of(3) && lines.len() > 1 { lines.len() / 2 } else { lines.len() };
        let after = (block.first_line + taken as u64, lines[taken..].concat());
        for (number, line) in (block.first_line..).zip(&lines[..taken]) {
            found.push((number, line.strip_suffix(b"\n").unwrap_or(line).to_vec()));
        }
        if taken < lines.len() {
            blocks.unread(&after.1, after.0);
            end = blocks.position();
        }
    }
    // A byte order mark without text is an empty line.
    expected
        .retain(|line| !(line.0 == 1 && all.len() == 1 && text == b"\xef\xbb\xbf") || found.contains(line));
    assert_eq!(found, expected);
    assert_eq!(end, text.len() as u64);
}
