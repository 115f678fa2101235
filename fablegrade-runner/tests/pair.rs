//! Two programs that communicate, each in its own sandbox.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_runner::Cancel;
use fablegrade_runner::sandbox::{
    Conversation, End, Ended, GivenFile, Job, Limits, PairOutcome, Side, Visible,
};
use std::time::{Duration, Instant};

fn job(source: &str) -> Job {
    Job {
        command: ["/usr/bin/python3", "-I", "-S", "-c", source].map(str::to_owned).to_vec(),
        environment: Vec::new(),
        shown: None,
        visible: Visible::system(),
        files: Vec::new(),
        directory: "/tmp".to_owned(),
        input: Vec::new(),
        channel: false,
        collect: None,
        cancel: Cancel::default(),
        limits: Limits { cpu: Duration::from_secs(5), wall: Duration::from_secs(20), ..Limits::default() },
    }
}

fn both(left: &Job, right: &Job, ends_both: &dyn Fn(Side, Ended) -> bool) -> PairOutcome {
    stage::take_orphans();
    let runner = stage::runner();
    let conversation = Conversation { transcript: 10_000, ends_both };
    let done = runner.sandbox().unwrap().run_pair(left, right, &conversation);
    assert_eq!(stage::sandboxed_processes(), [""; 0]);
    done
}

fn never(_: Side, _: Ended) -> bool {
    false
}

fn said(done: &PairOutcome) -> String {
    let line = |exchange: &fablegrade_runner::sandbox::Exchange| {
        format!("{:?} {:?};", exchange.by, String::from_utf8_lossy(&exchange.bytes))
    };
    done.transcript.exchanges.iter().map(line).collect()
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn they_take_turns_and_the_judge_reads_along() {
    let guesses = job(
        "low, high = 1, 1000\nwhile True:\n  middle = (low + high) // 2\n  print(middle, flush=True)\n  \
                       word = input()\n  if word == 'right': break\n  if word == 'more': low = middle + 1\n  else: high = middle - 1",
    );
    let answers = job("import sys\nfor line in sys.stdin:\n  n = int(line)\n  \
                       print('right' if n == 700 else 'more' if n < 700 else 'less', flush=True)\n  if n == 700: sys.exit(42)");
    let done = both(&guesses, &answers, &never);
    assert_eq!((&done.left.end, &done.right.end), (&End::Exited(0), &End::Exited(42)), "{done:?}");
    assert!(
        said(&done).starts_with("Left \"500\\n\";Right \"more\\n\";Left \"750\\n\";Right \"less\\n\";"),
        "{}",
        said(&done)
    );
    assert!(said(&done).ends_with("Left \"700\\n\";Right \"right\\n\";"), "{}", said(&done));
    assert!(!done.deadlock && done.transcript.left_out == 0);
    assert!(done.left.output.is_empty() && done.left.cpu > Duration::ZERO && done.right.memory > 0);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn who_ends_first_is_measured_and_may_end_the_other() {
    let endless = job("while True: pass");
    let rejects = job("import sys; sys.exit(43)");
    let done = both(&endless, &rejects, &|side, how| side == Side::Right && how == Ended::Exited(43));
    assert_eq!(done.first, Some(Side::Right));
    assert_eq!((&done.left.end, &done.right.end), (&End::Cancelled, &End::Exited(43)), "{done:?}");
    let short = job("print('bye')");
    let reads = job("import sys\nsys.stdin.read()\nsys.exit(42)");
    let done = both(&short, &reads, &never);
    assert_eq!(
        (done.first, &done.left.end, &done.right.end),
        (Some(Side::Left), &End::Exited(0), &End::Exited(42))
    );
    assert_eq!(said(&done), "Left \"bye\\n\";");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn two_that_wait_for_each_other_are_seen_before_their_time_is_over() {
    let reads = job("input()");
    let start = Instant::now();
    let done = both(&reads, &reads, &never);
    assert!(done.deadlock && done.first.is_none(), "{done:?}");
    assert_eq!((&done.left.end, &done.right.end), (&End::Timeout, &End::Timeout));
    assert_eq!(done.waiting, [Side::Left, Side::Right]);
    assert!(start.elapsed() < Duration::from_secs(15));
    // A program that sleeps for a while, or waits for input with a time limit, may write again later.
    for waits in ["time.sleep(2.5)", "select.select([0], [], [], 2.5)"] {
        let sleeps = job(&format!("import select, time; {waits}; print('late', flush=True)"));
        let done = both(&sleeps, &reads, &never);
        assert!(!done.deadlock, "{waits} {done:?}");
        assert_eq!((&done.left.end, &done.right.end), (&End::Exited(0), &End::Exited(0)), "{waits}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn waiting_for_a_busy_partner_is_measured() {
    let reads = job("input()");
    for (busy, least) in [
        ("time.sleep(1.5)", 1.0),
        ("while time.process_time() < 1.5: pass", 1.0),
        ("select.select([], [], [], 1.5)", 1.0),
        // It would read what its partner writes.
        ("select.select([0], [], [], 1.5)", 0.0),
    ] {
        let done =
            both(&reads, &job(&format!("import select, time\n{busy}\nprint('late', flush=True)")), &never);
        assert_eq!((&done.left.end, &done.right.end), (&End::Exited(0), &End::Exited(0)), "{busy} {done:?}");
        let waited = done.left_waited.as_secs_f64();
        // A program may look busy while it starts.
        assert!((least..=least * 5.0 + 0.5).contains(&waited), "{busy} {waited}");
        assert_eq!(done.right_waited, Duration::ZERO, "{busy}");
    }
    // Its input under other numbers.
    let opens = job("open('/dev/stdin').readline()");
    let copies = job("import os\ncopy = os.dup(0)\nos.close(0)\nos.read(copy, 1)");
    assert!(both(&opens, &copies, &never).deadlock);
    // An own pipe as descriptor 0 is not the input.
    let own = job("import os\nread, write = os.pipe()\nos.dup2(read, 0)\nos.read(0, 1)");
    let mut hurried = reads;
    hurried.limits.wall = Duration::from_secs(2);
    let done = both(&hurried, &own, &|_, _| true);
    assert!(!done.deadlock && done.left_waited > Duration::from_secs(1), "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn one_that_neither_reads_nor_ends_is_out_of_time_and_the_other_was_waiting() {
    let mut stubborn = job("import time\nwhile True: time.sleep(60)");
    stubborn.limits.wall = Duration::from_millis(700);
    let waits = job(
        "import sys\nsys.stdout.write('x' * 3000000)\nsys.stdout.flush()\nsys.stdin.read()\nsys.exit(43)",
    );
    let done = both(&stubborn, &waits, &never);
    assert_eq!(done.left.end, End::Timeout, "{done:?}");
    assert!(!done.deadlock);
    // The partner can write all its output, and then reads the end of its input.
    assert_eq!(done.right.end, End::OutputLimit, "64 KiB are allowed");
    let mut waits = waits;
    waits.limits.output = 8 << 20;
    let done = both(&stubborn, &waits, &never);
    assert_eq!((done.first, &done.right.end), (Some(Side::Left), &End::Exited(43)), "{done:?}");
    let listens = job("import sys\nsys.stdin.read()\nsys.exit(43)");
    let done = both(&stubborn, &listens, &never);
    assert_eq!((&done.left.end, &done.right.end), (&End::Timeout, &End::Exited(43)), "{done:?}");
    assert_eq!(done.waiting, [Side::Right]);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn the_end_of_input_is_the_end_of_the_program_not_of_its_pipe() {
    let closes = job("import os, time\nos.close(1)\ntime.sleep(0.5)");
    let measures = job(
        "import sys, time\nstart = time.monotonic()\nsys.stdin.read()\nsys.exit(42 if time.monotonic() - start > 0.3 else 43)",
    );
    let done = both(&closes, &measures, &never);
    assert_eq!((done.first, &done.right.end), (Some(Side::Left), &End::Exited(42)), "{done:?}");
    // The end of the reader does not end the writer either.
    let writes =
        job("import time\nfor n in range(300):\n  print('x' * 100, flush=True)\n  time.sleep(0.001)");
    let leaves = job("import sys; sys.exit(42)");
    let done = both(&writes, &leaves, &never);
    assert_eq!((done.first, &done.left.end), (Some(Side::Right), &End::Exited(0)), "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_flood_is_counted_whether_somebody_reads_or_not() {
    let floods = job("import os\nwhile True: os.write(1, b'x' * 65536)");
    for partner in ["import time; time.sleep(1)", "import sys; sys.stdin.buffer.read()", "pass"] {
        let done = both(&floods, &job(partner), &never);
        assert_eq!(done.left.end, End::OutputLimit, "{partner}: {done:?}");
        assert_eq!(done.right.end, End::Exited(0), "{partner}");
        assert!(done.transcript.left_out > 0);
    }
    // One that has ended before its output is counted.
    let mut writes = job("import os; os.write(1, b'x' * 5000)");
    writes.limits.output = 4999;
    for partner in ["import sys; sys.stdin.buffer.read()", "pass"] {
        let done = both(&writes, &job(partner), &never);
        assert_eq!((&done.left.end, done.left.written), (&End::OutputLimit, 5000), "{partner}: {done:?}");
    }
    writes.limits.output = 5000;
    assert_eq!(both(&writes, &job("pass"), &never).left.end, End::Exited(0));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_program_cannot_reach_its_partners_pipes_or_files() {
    let secret =
        GivenFile { path: "/data/answer".to_owned(), content: b"kept".as_slice().into(), executable: false };
    let mut judge = job("import sys, time\nprint(open('/data/answer').read() == 'kept', flush=True)\n\
                         sys.exit(42 if sys.stdin.readline() == 'heard True\\n' else 43)");
    judge.files = vec![secret];
    let attacks = job("import os, glob, fcntl\nword = input()\n\
         for path in glob.glob('/proc/*/fd/*') + ['/dev/stdin']:\n\
         \x20 for flags in (os.O_RDWR, os.O_WRONLY, os.O_RDONLY):\n\
         \x20   try:\n\
         \x20     fd = os.open(path, flags | os.O_NONBLOCK)\n\
         \x20     os.write(fd, b'forged\\n')\n\
         \x20   except OSError: pass\n\
         assert not os.path.exists('/data')\n\
         print('heard', word, flush=True)");
    // Whatever it writes into its own pipes in other ways is its own output or input.
    let done = both(&attacks, &judge, &never);
    assert_ne!(done.right.end, End::Exited(42), "it has said something else first: {}", said(&done));
    assert!(said(&done).starts_with("Right \"True\\n\";"), "{}", said(&done));
    let only_own = job("import os\nword = input()\n\
         try: os.write(os.open('/dev/stdin', os.O_WRONLY | os.O_NONBLOCK), b'forged\\n')\n\
         except OSError: pass\n\
         print('heard', word, flush=True)");
    let done = both(&only_own, &judge, &never);
    assert_eq!(done.right.end, End::Exited(42), "{}", said(&done));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_token_ends_both() {
    let cancel = Cancel::new();
    let mut talks = job("while True: print(input(), flush=True)");
    talks.cancel = cancel.clone();
    let mut begins = job("print('go', flush=True)\nwhile True: print(input(), flush=True)");
    begins.cancel = cancel.clone();
    for job in [&mut talks, &mut begins] {
        job.limits.output = 1 << 30;
    }
    let done = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            cancel.cancel();
        });
        both(&begins, &talks, &never)
    });
    assert_eq!((&done.left.end, &done.right.end), (&End::Cancelled, &End::Cancelled));
}
