//! Verifies JSON Lines of `{"id", "gold", "response"}` from standard input: one verdict a line, the speed on standard error.
//!
//! `--time` prints the time of each line instead, in microseconds; `--threads N` measures the speed on N threads.

use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

use fablegrade_verify::{Profile, verify};

/// A line: its id, the gold, the response.
type Row = (serde_json::Value, String, String);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let timed = arguments.iter().any(|argument| argument == "--time");
    let threads = arguments.iter().position(|argument| argument == "--threads");
    let threads: Option<usize> =
        threads.and_then(|at| arguments.get(at + 1)).map(|count| count.parse()).transpose()?;
    let mut rows: Vec<Row> = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        rows.push((row["id"].clone(), text("gold"), text("response")));
    }
    let mut out = std::io::stdout().lock();
    if let Some(threads) = threads {
        let (rounds, elapsed) = measure(&rows, threads.max(1));
        let verified = (rounds * rows.len() * threads.max(1)) as f64;
        let speed = verified / elapsed.as_secs_f64();
        // The first round, which measures how many there are, costs processor time too.
        let all = verified + rows.len() as f64;
        writeln!(out, "{{\"threads\":{threads},\"perSecond\":{speed:.0},\"verified\":{all:.0}}}")?;
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

/// Each thread verifies all rows in as many rounds as take about two seconds.
fn measure(rows: &[Row], threads: usize) -> (usize, Duration) {
    let profile = Profile::model();
    let round = || {
        for (_, gold, response) in rows {
            std::hint::black_box(verify(gold, response, &profile));
        }
    };
    let start = Instant::now();
    round();
    let rounds = (2.0 / start.elapsed().as_secs_f64().max(1e-3)).ceil().clamp(1.0, 1e4) as usize;
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| (0..rounds).for_each(|_| round()));
        }
    });
    (rounds, start.elapsed())
}
