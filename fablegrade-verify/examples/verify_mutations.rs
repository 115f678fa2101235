//! Verifies random bytes and mutated responses: `verify_mutations [COUNT [SEED]]`; `COUNT` defaults to
//! 1,000,000.
//!
//! One response in four consists of random bytes. The others are responses of the test vectors with pieces
//! cut, repeated, replaced or inserted. References come from the test vectors, and one in four is mutated.
//! The run ends with the current pair if the verifier panics or the process exceeds 1 GiB. Otherwise it ends
//! with the number of each verdict, the slowest pair and the peak memory.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fablegrade_verify::{Profile, Verdict, Verification, verify};

/// A small random number generator (SplitMix64). The same seed gives the same pairs.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

const PIECES: &[&str] = &[
    "\\boxed{",
    "}",
    "{",
    "$",
    "\\",
    "\\(",
    "\\)",
    "\\frac{1}{",
    "\\text{",
    "^",
    "_",
    "(",
    ")",
    "[",
    "]",
    "\\{",
    ",",
    ";",
    "=",
    "-",
    "0",
    "9",
    "1e9",
    "x",
    "\\pm ",
    "\\infty",
    "%",
    "\\approx ",
    "\\sqrt{",
    "!",
    "<think>",
    "</think>",
    "<answer>",
    "The answer is ",
    "####",
    "**",
    " and ",
    " or ",
    "\n",
    "\n\n",
    "\u{200b}",
    "\u{2212}",
    "½",
    "²",
    "√",
    "答案是",
    " km",
    "^{",
    "\\begin{pmatrix}",
    "\\end{pmatrix}",
    "&",
    "\\\\",
    "\\cup ",
    "\\le ",
    "…",
    "|",
    "\u{ff11}",
    "\u{d7}",
];

fn mutate(text: &[u8], others: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=dice.below(6) {
        let (from, length) = (dice.below(bytes.len() + 1), dice.below(24));
        let to = (from + length).min(bytes.len());
        match dice.below(6) {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let piece = PIECES[dice.below(PIECES.len())];
                drop(bytes.splice(from..from, piece.bytes()));
            }
            2 => {
                let piece = bytes[from..to].repeat(1 + dice.below(40));
                drop(bytes.splice(from..from, piece));
            }
            3 if from < bytes.len() => bytes[from] = dice.next() as u8,
            4 => {
                let other = &others[dice.below(others.len())];
                let start = dice.below(other.len() + 1);
                let piece = &other[start..(start + length).min(other.len())];
                drop(bytes.splice(from..to, piece.iter().copied()));
            }
            _ => bytes.truncate(from.max(1)),
        }
    }
    bytes
}

/// Returns the peak memory of the process in MiB, or 0 if the system does not report it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// The pair being verified.
static PAIR: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));

/// Ends the process and prints the current pair once the memory exceeds 1 GiB.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_millis(20));
        if peak() > 1_024 {
            let pair = PAIR.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = writeln!(std::io::stderr(), "over 1 GiB: {:?}", *pair);
            std::process::exit(1);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let (mut golds, mut responses) = (Vec::new(), Vec::new());
    for line in include_str!("../tests/vectors.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().as_bytes().to_vec();
        golds.push(text("gold"));
        responses.push(text("response"));
    }
    let (profile, mut dice) = (Profile::model(), Dice(seed));
    let mut verdicts = [0_u64; 5];
    let mut slowest = (Duration::ZERO, String::new(), String::new());
    let start = Instant::now();
    std::thread::spawn(watch);
    for _ in 0..count {
        let at = dice.below(golds.len());
        let gold = if dice.below(4) == 0 { mutate(&golds[at], &golds, &mut dice) } else { golds[at].clone() };
        let response = if dice.below(4) == 0 {
            (0..dice.below(300)).map(|_| dice.next() as u8).collect()
        } else {
            mutate(&responses[at], &responses, &mut dice)
        };
        let (gold, response) = (String::from_utf8_lossy(&gold), String::from_utf8_lossy(&response));
        *PAIR.lock().unwrap_or_else(PoisonError::into_inner) = (gold.to_string(), response.to_string());
        let began = Instant::now();
        let found: Verification = match catch_unwind(AssertUnwindSafe(|| verify(&gold, &response, &profile)))
        {
            Ok(found) => found,
            Err(_) => return Err(format!("a panic: {gold:?} {response:?}").into()),
        };
        let took = began.elapsed();
        if took > slowest.0 {
            slowest = (took, gold.into_owned(), response.into_owned());
        }
        verdicts[match found.verdict {
            Verdict::Correct => 0,
            Verdict::Incorrect => 1,
            Verdict::Undecided => 2,
            Verdict::NoAnswer => 3,
            Verdict::UnreadableGold => 4,
        }] += 1;
    }
    let mut out = std::io::stdout().lock();
    let [correct, incorrect, undecided, none, unreadable] = verdicts;
    writeln!(
        out,
        "{count} pairs, seed {seed}, {:.0} s: {correct} correct, {incorrect} incorrect, {undecided} undecided, {none} no-answer, {unreadable} unreadable-gold",
        start.elapsed().as_secs_f64()
    )?;
    writeln!(out, "slowest {:.2} ms: {:?} {:?}", slowest.0.as_secs_f64() * 1e3, slowest.1, slowest.2)?;
    writeln!(out, "most memory {} MiB", peak())?;
    Ok(())
}
