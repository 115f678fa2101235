//! Results through threads: blocks of lines to any reader, their pieces joined in order.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use fablegrade_analysis::Accumulator;
use fablegrade_analysis::lines::{Joiner, Piece, Reader, Refused};
use fablegrade_core::bank::Bank;

use crate::exit::Failure;
use crate::lines::{Block, Blocks, too_long};

/// Adds up all results of `input`.
///
/// # Errors
/// An input that cannot be read; inside, the lines that are no results.
pub(super) fn accumulate(
    input: Box<dyn Read + Send>,
    name: &str,
    bank: &Bank,
    jobs: usize,
) -> Result<Result<Accumulator, Refused>, Failure> {
    let blocks = Blocks::new(input);
    let read = if jobs > 1 { in_parallel(blocks, bank, jobs) } else { in_turn(blocks, bank) };
    read.map_err(|error| Failure::Io(format!("cannot read {name}"), error))
}

fn in_turn(
    mut blocks: Blocks<Box<dyn Read + Send>>,
    bank: &Bank,
) -> io::Result<Result<Accumulator, Refused>> {
    let (mut reader, mut joiner, mut block) = (Reader::new(bank), Joiner::new(), Block::default());
    while blocks.next(&mut block)? {
        joiner.add(piece_of(&block, &mut reader));
    }
    Ok(joiner.finish([reader.into_accumulator()]))
}

fn piece_of(block: &Block, reader: &mut Reader<'_>) -> Piece {
    match block.too_long {
        Some(length) => Piece::refused(block.first_line, too_long(length)),
        None => reader.read(&block.bytes, block.first_line),
    }
}

/// A fixed number of blocks goes in a circle: input, any reader, joiner (which restores the order), input.
fn in_parallel(
    mut blocks: Blocks<Box<dyn Read + Send>>,
    bank: &Bank,
    jobs: usize,
) -> io::Result<Result<Accumulator, Refused>> {
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
                scope.spawn(move || read_blocks(bank, &work, &done))
            })
            .collect();
        drop((work_blocks, done));
        let mut joiner = Joiner::new();
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
        Ok(joiner.finish(accumulators))
    })
}

fn read_blocks(
    bank: &Bank,
    work: &Receiver<(usize, Block)>,
    done: &Sender<(usize, Block, Piece)>,
) -> Accumulator {
    let mut reader = Reader::new(bank);
    for (sequence, block) in work {
        let piece = piece_of(&block, &mut reader);
        if done.send((sequence, block, piece)).is_err() {
            break;
        }
    }
    reader.into_accumulator()
}
