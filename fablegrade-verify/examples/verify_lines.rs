//! Verifies JSON Lines of `{"gold", "response"}` from standard input; prints one verdict a line, and the time of all.
//!
//! With `--time` each line is verified once more and only its time is printed, in microseconds.

use std::io::{BufRead as _, Write as _};
use std::time::Instant;

use fablegrade_verify::{Profile, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let timed = std::env::args().any(|argument| argument == "--time");
    let profile = Profile::model();
    let mut rows = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let row: serde_json::Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        rows.push((row["id"].clone(), text("gold"), text("response")));
    }
    let mut out = std::io::stdout().lock();
    let start = Instant::now();
    let found: Vec<_> = rows.iter().map(|(_, gold, response)| verify(gold, response, &profile)).collect();
    let all = start.elapsed();
    for ((id, gold, response), found) in rows.iter().zip(&found) {
        if timed {
            let start = Instant::now();
            let _ = verify(gold, response, &profile);
            writeln!(out, "{} {id}", start.elapsed().as_micros())?;
        } else {
            let text = found.to_json().to_string();
            writeln!(out, "{{\"id\":{id},{}", &text[1..])?;
        }
    }
    let each = all.as_secs_f64() * 1e6 / rows.len().max(1) as f64;
    writeln!(std::io::stderr(), "{} in {all:?}, {each:.1} microseconds each", rows.len())?;
    Ok(())
}
