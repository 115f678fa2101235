//! Results through threads: blocks of lines to any reader, their pieces joined in order.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use fablegrade_analysis::Accumulator;
use fablegrade_analysis::lines::{Joiner, NamedSitting, Piece, Reader, Refused};
use fablegrade_core::bank::Bank;

use crate::exit::Failure;
use crate::lines::{Block, Blocks, too_long};

/// All results of an input.
pub(super) struct Added {
    pub(super) accumulator: Accumulator,
    /// The first sittings by name, if they are asked for.
    pub(super) named: Vec<NamedSitting>,
}

/// Adds up all results of `input`; with `named` the names of sittings are kept.
///
/// # Errors
/// An input that cannot be read; inside, the lines that are no results.
pub(super) fn accumulate(
    input: Box<dyn Read + Send>,
    name: &str,
    bank: &Bank,
    jobs: usize,
    named: bool,
) -> Result<Result<Added, Refused>, Failure> {
    let blocks = Blocks::new(input);
    let read = if jobs > 1 { in_parallel(blocks, bank, jobs, named) } else { in_turn(blocks, bank, named) };
    read.map_err(|error| Failure::Io(format!("cannot read {name}"), error))
}

fn in_turn(
    mut blocks: Blocks<Box<dyn Read + Send>>,
    bank: &Bank,
    named: bool,
) -> io::Result<Result<Added, Refused>> {
    let (mut reader, mut joiner, mut block) = (reader(bank, named), joiner(named), Block::default());
    while blocks.next(&mut block)? {
        joiner.add(piece_of(&block, &mut reader));
    }
    Ok(finish(joiner, [reader.into_accumulator()]))
}

fn reader(bank: &Bank, named: bool) -> Reader<'_> {
    if named { Reader::new(bank).named() } else { Reader::new(bank) }
}

fn joiner(named: bool) -> Joiner {
    if named { Joiner::named() } else { Joiner::new() }
}

fn finish(mut joiner: Joiner, readers: impl IntoIterator<Item = Accumulator>) -> Result<Added, Refused> {
    let named = joiner.take_named();
    joiner.finish(readers).map(|accumulator| Added { accumulator, named })
}

fn piece_of(block: &Block, reader: &mut Reader<'_>) -> Piece {
    match block.too_long {
        Some(length) => Piece::refused(block.first_line, too_long(length)),
        None => reader.read(block.bytes(), block.first_line),
    }
}

/// A fixed number of blocks goes in a circle: input, any reader, joiner (which restores the order), input.
fn in_parallel(
    mut blocks: Blocks<Box<dyn Read + Send>>,
    bank: &Bank,
    jobs: usize,
    named: bool,
) -> io::Result<Result<Added, Refused>> {
    let circulating = 2 * jobs + 2;
    let (free, free_blocks) = bounded(circulating);
    let (work, work_blocks) = bounded(circulating);
    let (done, done_pieces) = bounded(circulating);
    for _ in 0..circulating {
        let _ = free.send(Block::default());
    }
    thread::scope(|scope| {
        let input = scope.spawn(move || {
            for (sequence, mut block) in free_blocks.iter().enumerate() {
                if !blocks.next(&mut block)? || work.send((sequence, block)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        let readers: Vec<_> = (0..jobs)
            .map(|_| {
                let (work, done) = (work_blocks.clone(), done.clone());
                scope.spawn(move || read_blocks(reader(bank, named), &work, &done))
            })
            .collect();
        drop((work_blocks, done));
        let mut joiner = joiner(named);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        for (sequence, block, piece) in &done_pieces {
            waiting.insert(sequence, (block, piece));
            while let Some((block, piece)) = waiting.remove(&next) {
                joiner.add(piece);
                next += 1;
                // The input may have ended.
                let _ = free.send(block);
            }
        }
        drop(free);
        input.join().unwrap_or_else(|_| Err(io::Error::other("internal error")))?;
        let accumulators: Result<Vec<_>, _> =
            readers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        let accumulators = accumulators.map_err(|_| io::Error::other("internal error"))?;
        Ok(finish(joiner, accumulators))
    })
}

fn read_blocks(
    mut reader: Reader<'_>,
    work: &Receiver<(usize, Block)>,
    done: &Sender<(usize, Block, Piece)>,
) -> Accumulator {
    for (sequence, block) in work {
        let piece = piece_of(&block, &mut reader);
        if done.send((sequence, block, piece)).is_err() {
            break;
        }
    }
    reader.into_accumulator()
}
