//! Graders of legacy packages: the default grader, and the input and output of custom graders.

use fablegrade_public::{Decimal, Ratio};

use crate::verdict::Verdict;

/// Arguments of the default grader.
pub const FLAGS: [&str; 9] = [
    "worst_error",
    "first_error",
    "always_accept",
    "sum",
    "avg",
    "min",
    "max",
    "ignore_sample",
    "accept_if_any_accepted",
];

/// Returns the index of the first argument that the default grader does not know.
pub(crate) fn unknown_flag(flags: &[String]) -> Option<usize> {
    flags.iter().position(|flag| !FLAGS.contains(&flag.as_str()))
}

/// Verdict and score of a case or a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grade {
    /// The verdict.
    pub verdict: Verdict,
    /// The score.
    pub score: Ratio,
}

impl Grade {
    /// Creates a grade.
    pub fn new(verdict: Verdict, score: Ratio) -> Self {
        Self { verdict, score }
    }
}

/// Computes the exact grade that the default grader gives. A judge error of a child is also the verdict of the group. A
/// group without children is accepted with score 0.
///
/// If there are several verdict modes or several score modes, the last one counts. `ignore_sample` leaves out the first
/// of at least two children. It is meant for the root, so callers pass it only there.
pub fn default_grade(flags: &[String], children: &[Grade]) -> Grade {
    let (mut verdict_mode, mut score_mode) = ("worst_error", "sum");
    let (mut ignore_sample, mut any) = (false, false);
    for flag in flags {
        match flag.as_str() {
            mode @ ("worst_error" | "first_error" | "always_accept") => verdict_mode = mode,
            mode @ ("sum" | "avg" | "min" | "max") => score_mode = mode,
            "ignore_sample" => ignore_sample = true,
            "accept_if_any_accepted" => any = true,
            _ => {}
        }
    }
    let children = match children {
        [_, rest @ ..] if ignore_sample && !rest.is_empty() => rest,
        all => all,
    };
    let mut failed =
        children.iter().map(|child| child.verdict).filter(|verdict| *verdict != Verdict::Accepted);
    let accepted = children.iter().any(|child| child.verdict == Verdict::Accepted);
    let verdict = if children.iter().any(|child| child.verdict == Verdict::JudgeError) {
        Verdict::JudgeError
    } else if verdict_mode == "always_accept" || (any && accepted) {
        Verdict::Accepted
    } else if verdict_mode == "first_error" {
        failed.next().unwrap_or(Verdict::Accepted)
    } else {
        failed.min().unwrap_or(Verdict::Accepted)
    };
    let scores = children.iter().map(|child| &child.score);
    let sum = || children.iter().fold(Ratio::zero(), |sum, child| sum.plus(&child.score));
    let score = match score_mode {
        "min" => scores.min().cloned(),
        "max" => scores.max().cloned(),
        "avg" => sum().over(&Ratio::new(children.len() as i64, 1)),
        _ => Some(sum()),
    };
    Grade { verdict, score: score.unwrap_or_else(Ratio::zero) }
}

/// Returns the standard input of a grader: a line `VERDICT SCORE` per child. Scores that are not whole numbers are
/// rounded to the nearest double.
pub fn grader_input(children: &[Grade]) -> String {
    let mut text = String::new();
    for child in children {
        text.push_str(&format!("{} {}\n", child.verdict.coarse(), decimal_text(&child.score)));
    }
    text
}

/// Returns a score as a decimal without an exponent: whole numbers exactly, others as the nearest double.
pub fn decimal_text(score: &Ratio) -> String {
    let fraction = score.to_fraction_text();
    match fraction.split_once('/') {
        None => fraction,
        Some(_) => format!("{}", score.to_f64()),
    }
}

/// The error for the standard output of a grader that is not a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GradeError;

/// The maximum length of a grader's standard output, in bytes.
const MOST_OUTPUT: usize = 10_000;

/// Reads the standard output of a grader: `VERDICT SCORE`, where the score is a decimal without an exponent.
///
/// # Errors
/// Any other text, and a text of more than 10,000 bytes.
pub fn read_grade(output: &[u8]) -> Result<Grade, GradeError> {
    if output.len() > MOST_OUTPUT {
        return Err(GradeError);
    }
    let text = std::str::from_utf8(output).map_err(|_| GradeError)?;
    let mut words = text.split_whitespace();
    let (verdict, score) = (words.next().ok_or(GradeError)?, words.next().ok_or(GradeError)?);
    let known = ["AC", "WA", "RTE", "TLE", "MLE", "OLE", "JE"];
    let verdict = Verdict::from_code(verdict).filter(|_| known.contains(&verdict)).ok_or(GradeError)?;
    let plain = score.strip_prefix('-').unwrap_or(score);
    if words.next().is_some() || !plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(GradeError);
    }
    let score = Decimal::from_text(score).map_err(|_| GradeError)?;
    Ok(Grade { verdict, score: Ratio::from_decimal(&score) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(text: &str) -> Vec<Grade> {
        text.split(',')
            .filter(|part| !part.is_empty())
            .map(|part| read_grade(part.as_bytes()).unwrap())
            .collect()
    }

    fn grade(flags: &str, given: &str) -> String {
        let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        let grade = default_grade(&flags, &children(given));
        format!("{} {}", grade.verdict, grade.score)
    }

    #[test]
    fn modes_and_flags() {
        for (flags, given, expected) in [
            ("", "", "AC 0"),
            ("", "AC 1,AC 2.5", "AC 7/2"),
            ("", "AC 1,WA 0,TLE 0,RTE 0", "RTE 1"),
            ("", "WA 0,OLE 0", "OLE 0"),
            ("first_error", "AC 1,WA 0,TLE 0,RTE 0", "WA 1"),
            ("always_accept", "WA 0,AC 3", "AC 3"),
            ("worst_error first_error", "WA 0,RTE 0", "WA 0"),
            ("first_error worst_error", "WA 0,RTE 0", "RTE 0"),
            ("accept_if_any_accepted", "WA 0,AC 2", "AC 2"),
            ("first_error accept_if_any_accepted", "WA 0,TLE 2", "WA 2"),
            ("min", "AC 1,AC 2", "AC 1"),
            ("max", "AC 1,AC 2", "AC 2"),
            ("avg", "AC 1,AC 0,AC 0", "AC 1/3"),
            ("max sum", "AC 1,AC 2", "AC 3"),
            ("ignore_sample", "WA 5,AC 2", "AC 2"),
            ("always_accept", "JE 0,AC 2", "JE 2"),
        ] {
            assert_eq!(grade(flags, given), expected, "{flags}: {given}");
        }
    }

    #[test]
    fn what_a_grader_may_print() {
        for (text, expected) in [
            ("AC 100\n", Some("AC 100")),
            ("WA -0.5", Some("WA -1/2")),
            ("AC 1e2", None),
            ("AC", None),
            ("", None),
            ("OK 1", None),
            ("AC 1 2", None),
            ("AC 1.2.3", None),
            ("AC .", None),
            ("AC +1", None),
        ] {
            let read =
                read_grade(text.as_bytes()).ok().map(|grade| format!("{} {}", grade.verdict, grade.score));
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn all_of_a_graders_output_counts() {
        let padded = |blanks: usize, end: &str| format!("AC 1{}{end}", " ".repeat(blanks));
        assert!(read_grade(padded(9_996, "").as_bytes()).is_ok());
        assert_eq!(read_grade(padded(9_996, "junk").as_bytes()), Err(GradeError));
    }

    #[test]
    fn what_a_grader_reads() {
        let given = [
            Grade::new(Verdict::Accepted, Ratio::new(1, 4)),
            Grade::new(Verdict::MemoryLimitExceeded, Ratio::zero()),
        ];
        assert_eq!(grader_input(&given), "AC 0.25\nRTE 0\n");
    }
}
