//! How fast questions of other systems are read: `import-speed [FILE]` prints a table in MB a second of one core, from bytes to
//! checked specs, and writes it to a file.
//!
//! The quickest of several rounds counts. Exits with 1 when Moodle XML is read slower than 20 MB a second.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use fablegrade_interchange::{Format, Source, read};

const ROUNDS: usize = 5;
const QUESTIONS: usize = 5_000;
/// The least speed of XML, in MB a second.
const LEAST: f64 = 20.0;

const TEXT: &str = "The Amazon, the Nile and the Yangtze are long rivers on three continents. Their sources were looked for in \
    many expeditions, some of which never came back, and their lengths depend on where they are measured. Read the table \
    beside the map, compare the three columns, and take the length that the newest measurement gives.";

fn moodle(out: &mut String) {
    out.push_str("<quiz>\n");
    for n in 0..QUESTIONS {
        let _ = write!(
            out,
            "<question type=\"multichoice\">\n  <name><text>River {n}</text></name>\n  <questiontext format=\"html\">\n    \
             <text><![CDATA[<p>{TEXT}</p><p>Which river is <b>number {n}</b> of the list?</p>]]></text>\n  </questiontext>\n  \
             <generalfeedback format=\"html\"><text><![CDATA[<p>{TEXT}</p>]]></text></generalfeedback>\n  \
             <defaultgrade>1.0000000</defaultgrade>\n  <penalty>0.0000000</penalty>\n  <hidden>0</hidden>\n  \
             <single>true</single>\n  <shuffleanswers>true</shuffleanswers>\n  <answernumbering>abc</answernumbering>\n"
        );
        for (share, river) in [("100", "Nile"), ("0", "Amazon"), ("0", "Yangtze"), ("0", "Rhine")] {
            let _ = write!(
                out,
                "  <answer fraction=\"{share}\" format=\"html\">\n    <text><![CDATA[<p>The {river} of {n}</p>]]></text>\n    \
                 <feedback format=\"html\"><text><![CDATA[<p>See the table beside the map.</p>]]></text></feedback>\n  </answer>\n"
            );
        }
        out.push_str("</question>\n");
    }
    out.push_str("</quiz>\n");
}

fn gift(out: &mut String) {
    for n in 0..QUESTIONS {
        let _ =
            write!(out, "::River {n}::{TEXT} {{=Nile {n}#Right. ~Amazon {n}#Too short. ~Yangtze {n}}}\n\n");
    }
}

fn csv(out: &mut String) {
    out.push_str("type,question,answer,option1,option2,option3\n");
    for n in 0..QUESTIONS {
        let _ = writeln!(out, "choice,\"{TEXT}\",Nile {n},Nile {n},Amazon {n},Yangtze {n}");
    }
}

fn olx(out: &mut String) {
    let _ = write!(
        out,
        "<problem><p>{TEXT}</p><multiplechoiceresponse><choicegroup type=\"MultipleChoice\"><choice correct=\"true\">Nile</choice>\
         <choice correct=\"false\">Amazon</choice></choicegroup></multiplechoiceresponse></problem>"
    );
}

fn main() -> ExitCode {
    type Write = fn(&mut String);
    // A file of Open edX is one problem: it is read again and again.
    let all: [(Format, &str, Write, usize); 4] = [
        (Format::MoodleXml, "quiz.xml", moodle, 1),
        (Format::Gift, "quiz.gift", gift, 1),
        (Format::Csv, "quiz.csv", csv, 1),
        (Format::OpenEdx, "problem.xml", olx, QUESTIONS),
    ];
    let mut table = String::from(
        "# Reading questions of other systems\n\nFrom bytes to checked specs, on one core; the quickest of 5 rounds.\n\n\
         | format | MB a second | questions a second |\n|---|--:|--:|\n",
    );
    let mut slow = false;
    for (format, name, write, times) in all {
        let mut text = String::new();
        write(&mut text);
        let (mut best, mut questions) = (f64::INFINITY, 0u64);
        for _ in 0..ROUNDS {
            questions = 0;
            let start = Instant::now();
            for _ in 0..times {
                let source = Source::new(name, text.as_bytes());
                let outcome = read(&source, Some(format), &mut |found| {
                    questions += u64::from(found.is_ok_and(|question| question.is_single()));
                });
                if let Err(error) = outcome {
                    eprintln!("{name}: {error}");
                    return ExitCode::FAILURE;
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        let speed = (text.len() * times) as f64 / 1e6 / best;
        slow |= format == Format::MoodleXml && speed < LEAST;
        let _ = writeln!(table, "| {format} | {speed:.1} | {:.0} |", questions as f64 / best);
    }
    println!("{table}");
    if let Some(path) = std::env::args().nth(1)
        && let Err(error) = std::fs::write(&path, &table)
    {
        eprintln!("{path}: {error}");
        return ExitCode::FAILURE;
    }
    if slow {
        eprintln!("Moodle XML is read slower than {LEAST} MB a second");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
