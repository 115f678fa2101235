//! Reads results on several threads. Each thread sums blocks of lines into pieces, which are joined in
//! order.

use std::convert::Infallible;
use std::io::{self, Read};
use std::thread;

use fablegrade_analysis::Accumulator;
use fablegrade_analysis::lines::{InvalidLines, Joiner, NamedSitting, Piece, Reader};
use fablegrade_core::bank::Bank;

use crate::exit::Failure;
use crate::lines::parallel::{Halted, Pipeline, Take};
use crate::lines::{Block, Blocks, too_long};

/// The sums of all results of an input.
pub(super) struct Added {
    pub(super) accumulator: Accumulator,
    /// The first sittings with their names, if requested.
    pub(super) named: Vec<NamedSitting>,
}

/// Adds up all results of `input`. With `named`, the names of sittings are kept.
///
/// # Errors
/// The outer error is an input that cannot be read. The inner error has the lines that are not results.
pub(super) fn accumulate(
    input: Box<dyn Read + Send>,
    name: &str,
    bank: &Bank,
    jobs: usize,
    named: bool,
) -> Result<Result<Added, InvalidLines>, Failure> {
    let blocks = Blocks::new(input);
    let read = if jobs > 1 { in_parallel(blocks, bank, jobs, named) } else { in_turn(blocks, bank, named) };
    read.map_err(|error| Failure::Io(format!("cannot read {name}"), error))
}

fn in_turn(
    mut blocks: Blocks<Box<dyn Read + Send>>,
    bank: &Bank,
    named: bool,
) -> io::Result<Result<Added, InvalidLines>> {
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

fn finish(mut joiner: Joiner, readers: impl IntoIterator<Item = Accumulator>) -> Result<Added, InvalidLines> {
    let named = joiner.take_named();
    joiner.finish(readers).map(|accumulator| Added { accumulator, named })
}

fn piece_of(block: &Block, reader: &mut Reader<'_>) -> Piece {
    match block.too_long {
        Some(length) => Piece::invalid(block.first_line, too_long(length)),
        None => reader.read(block.bytes(), block.first_line),
    }
}

/// Adds up the blocks on several threads.
fn in_parallel(
    blocks: Blocks<Box<dyn Read + Send>>,
    bank: &Bank,
    jobs: usize,
    named: bool,
) -> io::Result<Result<Added, InvalidLines>> {
    let pipeline = Pipeline::new(blocks, jobs, Joined(joiner(named)));
    thread::scope(|scope| {
        let readers: Vec<_> = (0..jobs)
            .map(|worker| {
                let pipeline = &pipeline;
                scope.spawn(move || {
                    let mut reader = reader(bank, named);
                    pipeline.work(worker, |block, piece| *piece = Some(piece_of(block, &mut reader)));
                    reader.into_accumulator()
                })
            })
            .collect();
        let Joined(joiner) = pipeline.wait().map_err(|Halted::Input(error)| error)?;
        let accumulators: Result<Vec<_>, _> =
            readers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        let accumulators = accumulators.map_err(|_| io::Error::other("internal error"))?;
        Ok(finish(joiner, accumulators))
    })
}

/// A joiner that takes pieces in order.
struct Joined(Joiner);

impl Take<Option<Piece>> for Joined {
    type Error = Infallible;

    fn take(&mut self, _: &Block, piece: &mut Option<Piece>, _: bool) -> Result<(), Infallible> {
        if let Some(piece) = piece.take() {
            self.0.add(piece);
        }
        Ok(())
    }
}
