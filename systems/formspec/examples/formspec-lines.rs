//! Reads JSON Lines from standard input and writes answers: `formspec-lines determine < requests.jsonl`.

use std::io::{BufRead, Write};

use fablegrade_formspec::{Fel, line};

fn main() -> std::io::Result<()> {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    for request in std::io::stdin().lock().split(b'\n') {
        let request = request?;
        let answer = match mode.as_str() {
            "check" => line::check(&request, Fel),
            "verify" => line::verify(&request, Fel),
            "expire" => line::expire(&request),
            _ => line::determine(&request, Fel),
        };
        writeln!(out, "{}", answer.text)?;
    }
    Ok(())
}
