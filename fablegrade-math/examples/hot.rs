#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]
use std::hint::black_box;
use std::io::BufRead;
use std::time::Instant;
use fablegrade_math::{Options, Reference};
fn main() {
    let limit: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let low: f64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let options = Options::default();
    for line in std::io::stdin().lock().lines() {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let (canonical, latex) = (row["canonical"].as_str().unwrap(), row["latex"].as_str().unwrap());
        let Ok(reference) = Reference::new(canonical, &options) else { continue };
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let start = Instant::now();
            let _ = black_box(reference.compare_latex(black_box(latex)));
            best = best.min(start.elapsed().as_secs_f64());
        }
        if best * 1e6 > limit || best * 1e6 < low { continue; }
        let n = (10_000e-6 / best) as usize;
        for _ in 0..n {
            let _ = black_box(reference.compare_latex(black_box(latex)));
        }
    }
}
