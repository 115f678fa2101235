//! Blocks of one input through several threads: each thread reads the blocks it works on, so that they stay in its
//! processor's cache, and what comes of them is taken in the order of the input, in bounded memory.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::blocks::{Block, Blocks};

/// Blocks of each thread: one in work, and two that wait for their turn.
const EACH: usize = 3;

/// A block with what came of it, or why nothing did.
struct Piece<T> {
    worker: usize,
    sequence: usize,
    block: Block,
    product: T,
    failed: Option<io::Error>,
}

/// The input, read by one thread at a time.
struct Input<R> {
    blocks: Blocks<R>,
    /// The number of the next block, from 0; absent after the last.
    next: Option<usize>,
}

/// The source from which one thread draws its blocks.
pub(crate) struct Feed<R, T> {
    input: Arc<Mutex<Input<R>>>,
    free: Receiver<Piece<T>>,
    done: Sender<Piece<T>>,
}

/// The place where the products arrive, for one thread.
pub(crate) struct Collector<T> {
    free: Vec<Sender<Piece<T>>>,
    done: Receiver<Piece<T>>,
}

/// A feed for each of `jobs` threads, and the collector of what they make.
pub(crate) fn divide<R: Read, T: Default>(blocks: Blocks<R>, jobs: usize) -> (Vec<Feed<R, T>>, Collector<T>) {
    let input = Arc::new(Mutex::new(Input { blocks, next: Some(0) }));
    let (done, taken) = bounded(jobs * EACH);
    let (feeds, free) = (0..jobs)
        .map(|worker| {
            let (free, own) = bounded(EACH);
            for _ in 0..EACH {
                let piece = Piece {
                    worker,
                    sequence: 0,
                    block: Block::default(),
                    product: T::default(),
                    failed: None,
                };
                // There is room for them.
                let _ = free.send(piece);
            }
            (Feed { input: Arc::clone(&input), free: own, done: done.clone() }, free)
        })
        .unzip();
    (feeds, Collector { free, done: taken })
}

impl<R: Read, T> Feed<R, T> {
    /// Works on blocks until the input ends or fails, or nobody takes what comes of them.
    pub(crate) fn for_each(self, mut work: impl FnMut(&Block, &mut T)) {
        for mut piece in &self.free {
            // Only a panic in reading could poison it; then nothing more is read.
            let Ok(mut input) = self.input.lock() else { return };
            let Some(sequence) = input.next else { return };
            match input.blocks.next(&mut piece.block) {
                Ok(true) => input.next = Some(sequence + 1),
                Ok(false) => {
                    input.next = None;
                    return;
                }
                Err(error) => {
                    input.next = None;
                    piece.failed = Some(error);
                }
            }
            drop(input);
            piece.sequence = sequence;
            if piece.failed.is_none()
                && catch_unwind(AssertUnwindSafe(|| work(&piece.block, &mut piece.product))).is_err()
            {
                // Nobody waits for a piece that never comes.
                piece.failed = Some(io::Error::other("internal error"));
            }
            if self.done.send(piece).is_err() {
                return;
            }
        }
    }
}

impl<T> Collector<T> {
    /// Hands over every product in the order of the blocks, and whether it is the last that is ready by now. Ends when all
    /// feeds have.
    ///
    /// # Errors
    /// What `take` says; a failure of the input, as `read` makes it, after everything before it was handed over.
    pub(crate) fn for_each<E>(
        self,
        mut take: impl FnMut(&Block, &mut T, bool) -> Result<(), E>,
        read: impl FnOnce(io::Error) -> E,
    ) -> Result<(), E> {
        // A piece is on its way from when its block is read until it is taken, so that the numbers on their way span less.
        let span = self.free.len() * EACH;
        let mut waiting: Vec<Option<Piece<T>>> = Vec::new();
        waiting.resize_with(span, || None);
        let mut next = 0;
        for piece in &self.done {
            let place = piece.sequence % span;
            waiting[place] = Some(piece);
            while let Some(mut piece) = waiting[next % span].take() {
                if let Some(error) = piece.failed.take() {
                    return Err(read(error));
                }
                next += 1;
                let is_last = waiting[next % span].is_none() && self.done.is_empty();
                take(&piece.block, &mut piece.product, is_last)?;
                // Its thread may have come to the end.
                let _ = self.free[piece.worker].send(piece);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives `bytes`, then fails.
    struct Breaks<'a>(&'a [u8]);

    impl Read for Breaks<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(buffer.len()).min(7);
            if count == 0 {
                return Err(io::Error::other("broken"));
            }
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn numbered(lines: usize) -> String {
        (0..lines).fold(String::new(), |text, line| text + &format!("line {line}\n"))
    }

    fn run<R: Read + Send>(input: R, jobs: usize, panics_at: Option<&str>) -> (String, Result<(), String>) {
        let (feeds, collector) = divide::<R, String>(Blocks::new(input), jobs);
        let mut all = String::new();
        let ended = std::thread::scope(|scope| {
            for feed in feeds {
                scope.spawn(|| {
                    feed.for_each(|block, text| {
                        *text = String::from_utf8_lossy(block.bytes()).into_owned();
                        assert!(panics_at.is_none_or(|part| !text.contains(part)), "as asked");
                    });
                });
            }
            collector.for_each(
                |_, text, _| {
                    all.push_str(text);
                    Ok(())
                },
                |error| error.to_string(),
            )
        });
        (all, ended)
    }

    #[test]
    fn products_come_in_the_order_of_the_input_on_any_number_of_threads() {
        let text = numbered(20_000);
        for jobs in [1, 2, 3, 8] {
            let (all, ended) = run(text.as_bytes(), jobs, None);
            assert!(ended.is_ok() && all == text, "{jobs} jobs");
        }
    }

    #[test]
    fn a_failure_comes_after_everything_before_it() {
        let text = numbered(5_000);
        for jobs in [1, 2, 8] {
            let (all, ended) = run(Breaks(text.as_bytes()), jobs, None);
            assert_eq!((all.as_str(), ended), (text.as_str(), Err("broken".to_owned())), "{jobs} jobs");
            let (all, ended) = run(Breaks(text.as_bytes()), jobs, Some("line 700\n"));
            assert_eq!(ended, Err("internal error".to_owned()), "{jobs} jobs");
            assert!(text.starts_with(&all) && all.ends_with("line 699\n"), "{all:?}");
        }
    }
}
