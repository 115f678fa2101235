//! Processes the blocks of one input on several threads.
//!
//! Each thread reads a block, processes it, and hands in the result. The thread that hands in the next result
//! in input order passes it, and all ready results that follow, to the taker. So N jobs need only N threads,
//! and most results are taken while they are still in a processor's cache. Threads wait for memory only if
//! one of them is far behind. The memory is proportional to the number of threads.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;

use super::blocks::{Block, Blocks};

/// Blocks in memory per thread: one in progress, and two that wait for their turn.
const BLOCKS_PER_THREAD: usize = 3;
/// Further blocks in memory.
///
/// They keep the other threads busy while the next thread waits some milliseconds for a processor.
/// Recently used blocks are reused first, so these blocks cost little unless a thread is behind.
const SPARE_BLOCKS: usize = 10;
/// The number of times that a thread tries to lock the input before it sleeps.
///
/// Reading a block usually takes less time than waking a thread.
const LOCK_ATTEMPTS: usize = 64;

/// Takes the results of the blocks, in the order of the input.
pub(crate) trait Take<T> {
    /// The reason why no more results are taken.
    type Error;

    /// Takes the result of `block`. `is_last` is set if the next result is not ready yet.
    fn take(&mut self, block: &Block, product: &mut T, is_last: bool) -> Result<(), Self::Error>;
}

/// The reason why a pipeline stopped before the end of its input.
#[derive(Debug)]
pub(crate) enum Halted<E> {
    /// The input failed, after everything before the failure was taken; or there was a panic.
    Input(io::Error),
    /// The taker failed.
    Taker(E),
}

/// A block with its result, or the reason why it has none.
struct Piece<T> {
    /// The thread that used it last, whose cache may still hold its memory.
    worker: usize,
    block: Block,
    product: T,
    failed: Option<io::Error>,
}

impl<T> Piece<T> {
    fn hand_over<K: Take<T>>(&mut self, taker: &mut K, is_last: bool) -> Result<(), Halted<K::Error>> {
        if let Some(error) = self.failed.take() {
            return Err(Halted::Input(error));
        }
        catch_unwind(AssertUnwindSafe(|| taker.take(&self.block, &mut self.product, is_last)))
            .map_err(|_| Halted::Input(internal_error()))?
            .map_err(Halted::Taker)
    }
}

/// The input, read by one thread at a time.
struct Input<R> {
    blocks: Blocks<R>,
    /// The number of the next block, from 0; `None` after the last one.
    next: Option<usize>,
}

/// The pieces that were handed in, and the taker.
struct Order<T, K: Take<T>> {
    /// The number of the next block to take.
    next: usize,
    /// The ready blocks from number `next` on, each at its number modulo the length.
    ready: Box<[Option<Piece<T>>]>,
    /// Memory for blocks that are not read yet.
    spare: Vec<Piece<T>>,
    /// The number of threads that wait for memory.
    waiting: usize,
    /// The taker; `None` while a thread uses it.
    taker: Option<K>,
    /// The number of threads that have not ended.
    working: usize,
    /// Set once the pipeline has halted, so nothing more is taken.
    is_halted: bool,
    halted: Option<Halted<K::Error>>,
}

/// An input that several threads work on.
pub(crate) struct Pipeline<R, T, K: Take<T>> {
    input: Mutex<Input<R>>,
    order: Mutex<Order<T, K>>,
    /// Signals that memory is free, or that the pipeline has halted.
    freed: Condvar,
    /// Signals that the last thread has ended, or that the pipeline has halted.
    ended: Condvar,
}

impl<R: Read, T: Default, K: Take<T>> Pipeline<R, T, K> {
    /// Creates a pipeline for `jobs` threads, each of which must call [`Pipeline::work`].
    pub(crate) fn new(blocks: Blocks<R>, jobs: usize, taker: K) -> Self {
        let memory = jobs * BLOCKS_PER_THREAD + SPARE_BLOCKS;
        let piece =
            |at| Piece { worker: at % jobs, block: Block::default(), product: T::default(), failed: None };
        let order = Order {
            next: 0,
            ready: (0..memory).map(|_| None).collect(),
            spare: (0..memory).map(piece).collect(),
            waiting: 0,
            taker: Some(taker),
            working: jobs,
            is_halted: false,
            halted: None,
        };
        Self {
            input: Mutex::new(Input { blocks, next: Some(0) }),
            order: Mutex::new(order),
            freed: Condvar::new(),
            ended: Condvar::new(),
        }
    }
}

impl<R: Read, T, K: Take<T>> Pipeline<R, T, K> {
    /// Processes blocks as thread number `worker`, until the input ends or the pipeline halts.
    ///
    /// `work` is dropped before [`Pipeline::wait`] returns, unless the pipeline halted.
    pub(crate) fn work(&self, worker: usize, work: impl FnMut(&Block, &mut T)) {
        let _leave = Leave(self);
        // Declared after `_leave`, so it is dropped first.
        let mut work = work;
        let mut memory = self.memory(self.order(), worker);
        while let Some(mut piece) = memory {
            let Some(number) = self.read(&mut piece) else { return };
            let made = catch_unwind(AssertUnwindSafe(|| {
                if piece.failed.is_none() {
                    work(&piece.block, &mut piece.product);
                }
            }));
            if made.is_err() {
                piece.failed = Some(internal_error());
            }
            memory = self.hand_in(number, piece, worker);
        }
    }

    /// Waits until all threads have ended, and returns the taker.
    ///
    /// If the pipeline halts, it returns immediately, even if threads are still working.
    ///
    /// # Errors
    /// Returns the reason why the pipeline halted.
    pub(crate) fn wait(&self) -> Result<K, Halted<K::Error>> {
        let mut order = self.order();
        loop {
            if let Some(halted) = order.halted.take() {
                return Err(halted);
            }
            if order.working == 0 {
                return order.taker.take().ok_or_else(|| Halted::Input(internal_error()));
            }
            order = self.ended.wait(order).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn order(&self) -> MutexGuard<'_, Order<T, K>> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the next block and returns its number, or `None` at the end.
    fn read(&self, piece: &mut Piece<T>) -> Option<usize> {
        let mut input = self.input()?;
        let number = input.next?;
        match input.blocks.next(&mut piece.block) {
            Ok(true) => input.next = Some(number + 1),
            Ok(false) => {
                input.next = None;
                return None;
            }
            Err(error) => {
                input.next = None;
                piece.failed = Some(error);
            }
        }
        Some(number)
    }

    /// Locks the input for this thread. Returns `None` if a panic in reading has poisoned the lock.
    fn input(&self) -> Option<MutexGuard<'_, Input<R>>> {
        for _ in 0..LOCK_ATTEMPTS {
            match self.input.try_lock() {
                Ok(input) => return Some(input),
                Err(TryLockError::WouldBlock) => thread::yield_now(),
                Err(TryLockError::Poisoned(_)) => return None,
            }
        }
        self.input.lock().ok()
    }

    /// Hands in the result of block `number`, and returns memory for the next block, or `None` if the
    /// pipeline has halted.
    ///
    /// If the next result is ready, and no other thread has the taker, passes all ready results up to the
    /// first gap to the taker.
    fn hand_in(&self, number: usize, piece: Piece<T>, worker: usize) -> Option<Piece<T>> {
        let mut order = self.order();
        let place = number % order.ready.len();
        order.ready[place] = Some(piece);
        if order.is_ready()
            && let Some(mut taker) = order.taker.take()
        {
            // The next result is not ready when this thread returns the taker: `pop` has just returned
            // `None`, under the lock that other threads need to hand in a result.
            while let Some(mut piece) = order.pop() {
                let is_last = !order.is_ready();
                drop(order);
                let taken = piece.hand_over(&mut taker, is_last);
                order = self.order();
                if let Err(halted) = taken {
                    self.halt(&mut order, halted);
                    return None;
                }
                order.spare.push(piece);
                if order.waiting > 0 {
                    self.freed.notify_one();
                }
            }
            order.taker = Some(taker);
        }
        self.memory(order, worker)
    }

    /// Waits for memory for a block, preferably memory that this thread used last. Returns `None` if the
    /// pipeline has halted.
    fn memory<'o>(&'o self, mut order: MutexGuard<'o, Order<T, K>>, worker: usize) -> Option<Piece<T>> {
        loop {
            if order.is_halted {
                return None;
            }
            if let Some(last) = order.spare.len().checked_sub(1) {
                let own = order.spare.iter().rposition(|piece| piece.worker == worker);
                let piece = order.spare.swap_remove(own.unwrap_or(last));
                return Some(Piece { worker, ..piece });
            }
            order.waiting += 1;
            order = self.freed.wait(order).unwrap_or_else(PoisonError::into_inner);
            order.waiting -= 1;
        }
    }

    fn halt(&self, order: &mut Order<T, K>, halted: Halted<K::Error>) {
        if !order.is_halted {
            order.is_halted = true;
            order.halted = Some(halted);
        }
        self.freed.notify_all();
        self.ended.notify_all();
    }
}

impl<T, K: Take<T>> Order<T, K> {
    /// Returns whether the next block is ready.
    fn is_ready(&self) -> bool {
        self.ready[self.next % self.ready.len()].is_some()
    }

    /// Returns the next block, if it is ready.
    fn pop(&mut self) -> Option<Piece<T>> {
        let place = self.next % self.ready.len();
        let piece = self.ready[place].take()?;
        self.next += 1;
        Some(piece)
    }
}

/// Records the end of a thread's work when it is dropped, even by a panic.
struct Leave<'p, R: Read, T, K: Take<T>>(&'p Pipeline<R, T, K>);

impl<R: Read, T, K: Take<T>> Drop for Leave<'_, R, T, K> {
    fn drop(&mut self) {
        let mut order = self.0.order();
        order.working -= 1;
        if thread::panicking() {
            // After a panic in reading, the other threads must not wait for the block of this thread.
            self.0.halt(&mut order, Halted::Input(internal_error()));
        }
        if order.working == 0 {
            self.0.ended.notify_all();
        }
    }
}

fn internal_error() -> io::Error {
    io::Error::other("internal error")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// A reader that returns `bytes` a few at a time, and then fails.
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

    /// A reader that returns one line per read, and panics at line `last`.
    struct Endless {
        line: usize,
        last: usize,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(self.line < self.last, "as asked");
            let text = format!("line {}\n", self.line);
            self.line += 1;
            buffer[..text.len()].copy_from_slice(text.as_bytes());
            Ok(text.len())
        }
    }

    /// A reader that returns the texts from a channel, and blocks until one is sent.
    struct Sent(Receiver<&'static str>);

    impl Read for Sent {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let text = self.0.recv().unwrap_or_default();
            buffer[..text.len()].copy_from_slice(text.as_bytes());
            Ok(text.len())
        }
    }

    /// The blocks that were taken, and the threads that took them.
    #[derive(Default)]
    struct Taken {
        text: String,
        threads: HashSet<thread::ThreadId>,
    }

    /// A taker that keeps everything in `taken`, until a line makes it fail or panic.
    struct Keep<'t> {
        taken: &'t Mutex<Taken>,
        fails_at: &'static str,
        panics_at: &'static str,
    }

    const NEVER: &str = "a line that never comes";

    impl<'t> Keep<'t> {
        fn all(taken: &'t Mutex<Taken>) -> Self {
            Self { taken, fails_at: NEVER, panics_at: NEVER }
        }
    }

    impl Take<String> for Keep<'_> {
        type Error = &'static str;

        fn take(&mut self, _: &Block, text: &mut String, _: bool) -> Result<(), Self::Error> {
            assert!(!text.contains(self.panics_at), "as asked");
            if text.contains(self.fails_at) {
                return Err("full");
            }
            let mut taken = self.taken.lock().expect("no panic");
            taken.text.push_str(text);
            taken.threads.insert(thread::current().id());
            Ok(())
        }
    }

    fn copy(block: &Block, text: &mut String) {
        *text = String::from_utf8_lossy(block.bytes()).into_owned();
    }

    /// Runs `work` on `jobs` threads. Returns why the pipeline halted, if it did.
    fn run<R: Read + Send>(
        input: R,
        jobs: usize,
        taker: Keep<'_>,
        work: impl Fn(&Block, &mut String) + Sync,
    ) -> Result<(), String> {
        let pipeline = Pipeline::new(Blocks::new(input), jobs, taker);
        thread::scope(|scope| {
            for worker in 0..jobs {
                let (pipeline, work) = (&pipeline, &work);
                // A panic in reading unwinds this thread. The pipeline reports it, so it is only caught here.
                scope.spawn(move || {
                    let _ = catch_unwind(AssertUnwindSafe(|| pipeline.work(worker, work)));
                });
            }
            pipeline.wait().map(|_| ()).map_err(|halted| match halted {
                Halted::Input(error) => error.to_string(),
                Halted::Taker(error) => error.to_owned(),
            })
        })
    }

    fn numbered(lines: usize) -> String {
        (0..lines).fold(String::new(), |text, line| text + &format!("line {line}\n"))
    }

    #[test]
    fn products_are_taken_in_order_by_the_threads_that_make_them() {
        let text = numbered(20_000);
        for jobs in [1, 2, 3, 8] {
            let (taken, workers) = (Mutex::default(), Mutex::new(HashSet::new()));
            let ended = run(text.as_bytes(), jobs, Keep::all(&taken), |block, text| {
                workers.lock().expect("no panic").insert(thread::current().id());
                copy(block, text);
            });
            assert_eq!(ended, Ok(()), "{jobs} jobs");
            let (taken, workers) =
                (taken.into_inner().expect("no panic"), workers.into_inner().expect("no panic"));
            assert!(taken.text == text, "{jobs} jobs");
            // N jobs use at most N threads.
            assert!(workers.len() <= jobs && taken.threads.is_subset(&workers), "{jobs} jobs");
        }
    }

    #[test]
    fn a_failure_comes_after_everything_before_it() {
        let text = numbered(5_000);
        for jobs in [1, 2, 8] {
            let taken = Mutex::default();
            let ended = run(Breaks(text.as_bytes()), jobs, Keep::all(&taken), copy);
            assert_eq!(ended, Err("broken".to_owned()), "{jobs} jobs");
            assert_eq!(taken.into_inner().expect("no panic").text, text, "{jobs} jobs");
        }
    }

    #[test]
    fn failures_of_the_taker_and_panics_halt_the_pipeline_and_no_thread_waits_on() {
        let before = numbered(700);
        let halts = |jobs, input: Endless, fails_at, panics_at, worker_panics_at: &'static str| {
            let taken = Mutex::default();
            let ended = run(input, jobs, Keep { taken: &taken, fails_at, panics_at }, |block, text| {
                copy(block, text);
                assert!(!text.contains(worker_panics_at), "as asked");
            });
            (ended.expect_err("it halts"), taken.into_inner().unwrap_or_else(PoisonError::into_inner).text)
        };
        let endless = || Endless { line: 0, last: usize::MAX };
        for jobs in [1, 2, 8] {
            let at = "line 700\n";
            assert_eq!(halts(jobs, endless(), at, NEVER, NEVER), ("full".to_owned(), before.clone()));
            let error = "internal error".to_owned();
            assert_eq!(halts(jobs, endless(), NEVER, at, NEVER), (error.clone(), before.clone()));
            assert_eq!(halts(jobs, endless(), NEVER, NEVER, at), (error.clone(), before.clone()));
            let (ended, text) = halts(jobs, Endless { line: 0, last: 700 }, NEVER, NEVER, NEVER);
            // Some threads may not have handed in the last lines.
            assert!(ended == error && before.starts_with(&text), "{ended}");
        }
    }

    #[test]
    fn nobody_waits_for_a_thread_that_is_blocked_in_a_read() {
        let (send, sent) = channel();
        send.send("line 0\n").expect("received");
        let taken: &'static Mutex<Taken> = Box::leak(Box::default());
        let keep = Keep { taken, fails_at: "line 0\n", panics_at: NEVER };
        let pipeline = Arc::new(Pipeline::new(Blocks::new(Sent(sent)), 2, keep));
        let threads = [0, 1].map(|worker| {
            let pipeline = Arc::clone(&pipeline);
            thread::spawn(move || pipeline.work(worker, copy))
        });
        assert!(matches!(pipeline.wait(), Err(Halted::Taker("full"))));
        drop(send);
        for thread in threads {
            thread.join().expect("no panic");
        }
    }

    #[test]
    fn memory_is_bounded_while_the_taker_is_slow() {
        struct Slow(Receiver<()>);
        impl Take<String> for Slow {
            type Error = ();
            fn take(&mut self, _: &Block, _: &mut String, _: bool) -> Result<(), ()> {
                self.0.recv().map_err(|_| ())
            }
        }
        const JOBS: usize = 3;
        let (send, sent) = channel();
        let input = Endless { line: 0, last: usize::MAX };
        let (pipeline, made) = (Pipeline::new(Blocks::new(input), JOBS, Slow(sent)), AtomicUsize::new(0));
        thread::scope(|scope| {
            for worker in 0..JOBS {
                let (pipeline, made) = (&pipeline, &made);
                scope.spawn(move || {
                    pipeline.work(worker, |_, _| {
                        made.fetch_add(1, Ordering::Relaxed);
                    });
                });
            }
            // One thread is in the taker; wait until the others wait for memory.
            while pipeline.order().waiting < JOBS - 1 {
                thread::yield_now();
            }
            assert_eq!(made.load(Ordering::Relaxed), JOBS * BLOCKS_PER_THREAD + SPARE_BLOCKS);
            drop(send);
            assert!(matches!(pipeline.wait(), Err(Halted::Taker(()))));
        });
    }

    #[test]
    fn what_threads_work_with_is_dropped_before_the_end() {
        /// A value whose drop takes time.
        struct Slow(Arc<AtomicUsize>);
        impl Drop for Slow {
            fn drop(&mut self) {
                for _ in 0..1_000 {
                    thread::yield_now();
                }
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
        let (taken, dropped) = (Box::leak(Box::default()), Arc::default());
        let pipeline = Arc::new(Pipeline::new(Blocks::new(&b"line\n"[..]), 4, Keep::all(taken)));
        for worker in 0..4 {
            let (pipeline, slow) = (Arc::clone(&pipeline), Slow(Arc::clone(&dropped)));
            thread::spawn(move || {
                pipeline.work(worker, move |block, text| {
                    let _ = &slow;
                    copy(block, text);
                });
            });
        }
        assert!(pipeline.wait().is_ok());
        assert_eq!(dropped.load(Ordering::Relaxed), 4);
    }
}
