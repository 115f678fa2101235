//! Reads pairs from standard input, one per line, and writes decisions to standard output.
#![allow(clippy::print_stdout)]

use std::io::BufRead;

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        println!("{}", fablegrade_platforms::decisions(&line?));
    }
    Ok(())
}
