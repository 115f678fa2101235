//! Verifies JSON Lines of `{"id", "gold", "response"}` from standard input and writes one verdict per line.
//!
//! `--time` writes the time of each verification in microseconds instead. `--scaling SECONDS` compares the
//! throughput of two threads with that of one.

use std::io::{BufRead as _, Write as _};
use std::sync::Barrier;
use std::time::{Duration, Instant};

use fablegrade_verify::{Profile, verify};

/// The id, the reference and the response of a line.
type Row = (serde_json::Value, String, String);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let timed = arguments.iter().any(|argument| argument == "--time");
    let scaling = arguments.iter().position(|argument| argument == "--scaling");
    let scaling: Option<f64> =
        scaling.and_then(|at| arguments.get(at + 1)).map(|seconds| seconds.parse()).transpose()?;
    let mut rows: Vec<Row> = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        rows.push((row["id"].clone(), text("gold"), text("response")));
    }
    let mut out = std::io::stdout().lock();
    if let Some(seconds) = scaling {
        if rows.is_empty() {
            return Err("there are no lines to measure; give some on standard input".into());
        }
        let (single, double, paired) = measure(&rows, seconds);
        writeln!(
            out,
            "{{\"perSecond1\":{single:.0},\"perSecond2\":{double:.0},\"rounds\":{},\"paired\":{:.3}}}",
            paired.len(),
            paired[paired.len() / 2]
        )?;
        return Ok(());
    }
    let profile = Profile::model();
    for (id, gold, response) in &rows {
        let start = Instant::now();
        let found = verify(gold, response, &profile);
        if timed {
            writeln!(out, "{{\"id\":{id},\"microseconds\":{:.1}}}", start.elapsed().as_secs_f64() * 1e6)?;
        } else {
            writeln!(out, "{{\"id\":{id},{}", &found.to_json().to_string()[1..])?;
        }
    }
    Ok(())
}

/// The number of responses per round; a round takes a few milliseconds.
const SLICE: usize = 256;

/// Measures the responses per second on one thread and on two, and the sorted speed-ups of adjacent rounds.
///
/// The best round of each slice counts. Other load on the computer can only slow a round down, and with many
/// short rounds some run undisturbed.
fn measure(rows: &[Row], seconds: f64) -> (f64, f64, Vec<f64>) {
    let start = Instant::now();
    let slices: Vec<&[Row]> = rows.chunks(SLICE).collect();
    let mut best = vec![[f64::INFINITY; 2]; slices.len()];
    let mut ratios = vec![];
    round(rows, 2);
    while ratios.is_empty() || start.elapsed().as_secs_f64() < seconds {
        for (slice, best) in slices.iter().zip(&mut best) {
            let times = [1, 2].map(|threads| round(slice, threads).as_secs_f64());
            for (best, time) in best.iter_mut().zip(times) {
                *best = best.min(time);
            }
            ratios.push(2.0 * times[0] / times[1]);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let speed = |threads: usize| {
        (rows.len() * threads) as f64 / best.iter().map(|times| times[threads - 1]).sum::<f64>()
    };
    (speed(1), speed(2), ratios)
}

/// Verifies all rows once in each thread and returns the time from the first start to the last end.
fn round(rows: &[Row], threads: usize) -> Duration {
    let profile = Profile::model();
    let barrier = Barrier::new(threads);
    let work = || {
        barrier.wait();
        let start = Instant::now();
        for (_, gold, response) in rows {
            std::hint::black_box(verify(gold, response, &profile));
        }
        (start, Instant::now())
    };
    let spans: Vec<(Instant, Instant)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let start = spans.iter().map(|(start, _)| *start).min();
    let end = spans.iter().map(|(_, end)| *end).max();
    start.zip(end).map_or(Duration::MAX, |(start, end)| end - start)
}
