//! Compares `fablegrade batch` with parsing the same lines into `serde_json::Value` and printing them.
//!
//! ```text
//! cargo build --release -p fablegrade-cli -p fablegrade-benches
//! target/release/batch-speed target/release/fablegrade [LINES] [ROUNDS]
//! ```
//! Each side is a process that reads one file and writes to `/dev/null`. The sides take turns, and the median
//! ratio of each is printed. Peak memory is the kernel's value for the process.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    reason = "a program for a terminal"
)]
#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("--parse-and-print") => parse_and_print(Path::new(&arguments[2])),
        Some(fablegrade) => {
            let number = |at: usize, default| {
                arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
            };
            measure(fablegrade, number(2, 1_000_000), number(3, 5));
        }
        None => eprintln!("usage: batch-speed PATH-OF-FABLEGRADE [LINES] [ROUNDS]"),
    }
}

/// The baseline: parses every line into a `Value`, and prints it.
fn parse_and_print(path: &Path) {
    let mut lines = BufReader::with_capacity(1 << 17, File::open(path).expect("the lines"));
    let mut output = BufWriter::with_capacity(1 << 17, io::stdout().lock());
    let mut line = String::new();
    while lines.read_line(&mut line).expect("a line") > 0 {
        let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        serde_json::to_writer(&mut output, &value).expect("printed");
        output.write_all(b"\n").expect("printed");
        line.clear();
    }
    output.flush().expect("printed");
}

fn measure(fablegrade: &str, count: usize, rounds: usize) {
    let path = std::env::temp_dir().join(format!("fablegrade-batch-{}.jsonl", std::process::id()));
    write_lines(&path, count).expect("written");
    let bytes = path.metadata().expect("the lines").len();
    let path_text = path.to_str().expect("UTF-8").to_owned();
    let this = std::env::current_exe().expect("this program");
    let this = this.to_str().expect("UTF-8");
    println!("{count} lines, {} bytes each on average", bytes / count as u64);

    let sides: [(&str, Vec<&str>); 4] = [
        ("parse and print", vec![this, "--parse-and-print", &path_text]),
        ("batch --jobs 1", vec![fablegrade, "batch", "--jobs", "1", &path_text]),
        ("batch --jobs 2", vec![fablegrade, "batch", "--jobs", "2", &path_text]),
        ("batch (all cores)", vec![fablegrade, "batch", &path_text]),
    ];
    let mut ratios = vec![Vec::new(); sides.len()];
    let mut peaks = vec![0; sides.len()];
    for _ in 0..rounds {
        let mut yardstick = f64::NAN;
        for (at, (_, command)) in sides.iter().enumerate() {
            let (seconds, peak) = run(command);
            if at == 0 {
                yardstick = seconds;
            }
            ratios[at].push(seconds / yardstick);
            peaks[at] = peaks[at].max(peak);
        }
    }
    let _ = std::fs::remove_file(&path);
    println!("{:20} {:>7} {:>12}", "", "ratio", "peak memory");
    for ((name, _), (ratios, peak)) in sides.iter().zip(ratios.iter_mut().zip(peaks)) {
        ratios.sort_by(f64::total_cmp);
        println!("{name:20} {:>7.2} {:>8.1} MiB", ratios[ratios.len() / 2], peak as f64 / 1_024.0);
    }
}

/// Returns the seconds that a process took, and its peak memory in KiB. Its output is discarded.
fn run(command: &[&str]) -> (f64, u64) {
    let started = Instant::now();
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the program starts");
    // The high-water mark only grows, so its last value before the process ends is close to the peak.
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        if let Ok(text) = std::fs::read_to_string(&status)
            && let Some(kib) = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))
        {
            peak = kib.trim().trim_end_matches(" kB").parse().unwrap_or(peak).max(peak);
        }
        if let Some(ended) = child.try_wait().expect("a child") {
            break ended;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert!(ended.success(), "{command:?} failed");
    (started.elapsed().as_secs_f64(), peak)
}

/// The text of a spec, and a function that writes an answer to it.
type Question = (String, fn(u64) -> String);

/// Writes lines like those of a regrading job: 200 discrete questions, answered many times in random order.
fn write_lines(path: &Path, count: usize) -> io::Result<()> {
    let bank: Vec<Question> = (0..200).map(question).collect();
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    // A linear congruential generator gives the same lines in every run.
    let mut state = 42u64;
    for id in 0..count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (spec, answer) = &bank[(state >> 33) as usize % bank.len()];
        let submission = answer(state >> 40);
        writeln!(out, r#"{{"id":"attempt-{id:07}","spec":{spec},"submission":{submission}}}"#)?;
    }
    out.flush()
}

fn question(number: usize) -> (String, fn(u64) -> String) {
    let mut text = String::new();
    match number % 4 {
        0 => {
            text.push_str(r#"{"type":"multiple_choice","choices":["#);
            for (at, letter) in ["a", "b", "c", "d"].iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                let _ = write!(
                    text,
                    r#"{comma}{{"id":"{letter}","content":"choice {letter} of question {number}","correct":{}}}"#,
                    at == number % 3
                );
            }
            text.push_str("]}");
            (text, |random| {
                let letter = ["a", "b", "c", "d"][random as usize % 4];
                format!(r#"{{"type":"multiple_choice","selectedChoiceIds":["{letter}"]}}"#)
            })
        }
        1 => (
            format!(
                r#"{{"type":"numeric","answer":{{"value":{}.5,"tolerance":{{"mode":"relative","amount":0.01}}}}}}"#,
                number + 1
            ),
            |random| format!(r#"{{"type":"numeric","value":{}.{:02}}}"#, random % 200, random % 97),
        ),
        2 => {
            text.push_str(r#"{"type":"ordering","items":["#);
            for at in 0..5 {
                let comma = if at == 0 { "" } else { "," };
                let _ = write!(text, r#"{comma}{{"id":"i{at}","content":"step {at} of question {number}"}}"#);
            }
            text.push_str(r#"],"correctOrder":["i0","i1","i2","i3","i4"]}"#);
            (text, |random| {
                let shift = random % 5;
                let order: Vec<String> = (0..5).map(|at| format!("\"i{}\"", (at + shift) % 5)).collect();
                format!(r#"{{"type":"ordering","order":[{}]}}"#, order.join(","))
            })
        }
        _ => {
            let pairs: Vec<String> =
                (0..3).map(|at| format!(r#"{{"left":"l{at}","right":"r{at}"}}"#)).collect();
            let pairs = pairs.join(",");
            let items = |side: &str| -> String {
                let items: Vec<String> = (0..3)
                    .map(|at| format!(r#"{{"id":"{side}{at}","content":"{side} {at} of {number}"}}"#))
                    .collect();
                items.join(",")
            };
            let _ = write!(
                text,
                r#"{{"type":"matching","left":[{}],"right":[{}],"correctPairs":[{pairs}]}}"#,
                items("l"),
                items("r")
            );
            (text, |random| {
                let shift = random % 3;
                let pairs: Vec<String> = (0..3)
                    .map(|at| format!(r#"{{"left":"l{at}","right":"r{}"}}"#, (at + shift) % 3))
                    .collect();
                format!(r#"{{"type":"matching","pairs":[{}]}}"#, pairs.join(","))
            })
        }
    }
}
