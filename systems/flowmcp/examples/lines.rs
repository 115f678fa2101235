//! Processes JSON Lines without the command: `cargo run --example lines -- check < entries.jsonl`.

use std::io::{BufRead, Write, stdin, stdout};

use fablegrade_flowmcp::line;

fn main() -> std::io::Result<()> {
    let mode = std::env::args().find(|word| word == "check" || word == "aggregate");
    let mut out = stdout().lock();
    for text in stdin().lock().lines() {
        let text = text?;
        let answer = match mode.as_deref() {
            Some("aggregate") => line::answer(line::aggregate, text.as_bytes()),
            _ => line::answer(line::check, text.as_bytes()),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}
