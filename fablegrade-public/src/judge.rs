//! Judges a test case by the outcome of its run.

use std::borrow::Cow;

use crate::decimal::Decimal;
use crate::matcher::{Comparison, Difference, Matcher, output_json, read_output};
use crate::outcome::{CaseOutcome, End};
use crate::result::{CaseVerdict, CodeResult, cut};
use crate::view::code::{HarnessMode, TestCase};

/// The judgement of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict of the case.
    pub verdict: CaseVerdict,
    /// The comparison of the output; `None` if the run failed or returned no value.
    pub comparison: Option<Comparison>,
    /// True if the program returned no usable value in function mode.
    pub nothing_returned: bool,
}

/// Judges a case: first by how the program ended, then by its output.
pub fn judge_case(case: &TestCase, mode: HarnessMode, outcome: &CaseOutcome) -> Judgement {
    let ended = |verdict| Judgement { verdict, comparison: None, nothing_returned: false };
    match &outcome.end {
        End::SandboxError(_) => ended(CaseVerdict::SandboxError),
        End::CompileError(_) => ended(CaseVerdict::CompileError),
        End::MemoryExceeded => ended(CaseVerdict::MemoryExceeded),
        End::Timeout => ended(CaseVerdict::Timeout),
        End::OutputLimit => ended(CaseVerdict::OutputLimit),
        End::Signalled(_) => ended(CaseVerdict::RuntimeError),
        // A skipped case earns nothing and is not listed in a result.
        End::Skipped => ended(CaseVerdict::Failed),
        End::Exited(code) if *code != 0 => ended(CaseVerdict::RuntimeError),
        End::Exited(_) => {
            let Some((expected, actual)) = texts(case, mode, outcome) else {
                return Judgement { verdict: CaseVerdict::Failed, comparison: None, nothing_returned: true };
            };
            let comparison = case.matcher.compare(&expected, &actual, case.float_tolerance.as_ref());
            let verdict = if comparison.accepted { CaseVerdict::Passed } else { CaseVerdict::Failed };
            Judgement { verdict, comparison: Some(comparison), nothing_returned: false }
        }
    }
}

/// The expected and the actual text of a case.
type Texts<'a> = (Cow<'a, [u8]>, Cow<'a, [u8]>);

/// Returns the texts to compare; `None` if a program in function mode returned no JSON value.
fn texts<'a>(case: &'a TestCase, mode: HarnessMode, outcome: &'a CaseOutcome) -> Option<Texts<'a>> {
    let output = match mode {
        HarnessMode::StdinStdout => outcome.stdout.as_slice(),
        HarnessMode::Function => outcome.returned.as_deref()?,
    };
    comparable(case, mode, output)
}

/// Returns whether a case accepts an output: the text that a program prints or, in function mode, the value that it
/// returns, as JSON.
pub fn accepts(case: &TestCase, mode: HarnessMode, output: &[u8]) -> bool {
    comparable(case, mode, output).is_some_and(|(expected, actual)| {
        case.matcher.accepts(&expected, &actual, case.float_tolerance.as_ref())
    })
}

/// Returns the expected text and an output as they are compared; `None` in function mode if the output is not a JSON
/// value.
///
/// In function mode, the JSON matcher gets both texts unchanged. Other matchers get the returned value as
/// canonical JSON, and also the expected text if it is JSON.
fn comparable<'a>(case: &'a TestCase, mode: HarnessMode, output: &'a [u8]) -> Option<Texts<'a>> {
    let expected = case.expected.as_bytes();
    match mode {
        HarnessMode::StdinStdout => Some((expected.into(), output.into())),
        HarnessMode::Function => {
            let returned = output_json(output)?;
            if case.matcher == Matcher::Json {
                // The JSON matcher needs no canonical form, in which a number can be too long to be read again.
                return Some((expected.into(), output.into()));
            }
            let expected = match output_json(expected) {
                Some(value) => value.to_canonical().into_bytes().into(),
                None => expected.into(),
            };
            Some((expected, returned.to_canonical().into_bytes().into()))
        }
    }
}

/// Judges a *public* case. Returns the judgement and the entry for a result, with name, measurements and
/// excerpts.
pub fn public_result(
    suite: &str,
    case_index: u32,
    case: &TestCase,
    mode: HarnessMode,
    outcome: &CaseOutcome,
) -> (Judgement, CodeResult) {
    let judgement = judge_case(case, mode, outcome);
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let result = CodeResult {
        suite: suite.to_owned(),
        case_index,
        case_name: case.name.clone(),
        verdict: judgement.verdict,
        time_ms: outcome.time_ms,
        memory_kb: outcome.memory_kb,
        stderr_excerpt: (!stderr.is_empty()).then(|| cut(stderr.into_owned(), CodeResult::MAX_EXCERPT_CHARS)),
        diff_excerpt: diff_excerpt(case, mode, outcome, &judgement),
    };
    (judgement, result)
}

/// The number of characters shown of each text around the first difference.
const WINDOW: usize = 300;

/// Describes the first difference between the actual and the expected output of a public case.
fn diff_excerpt(
    case: &TestCase,
    mode: HarnessMode,
    outcome: &CaseOutcome,
    judgement: &Judgement,
) -> Option<String> {
    if judgement.nothing_returned {
        let unreadable = outcome.returned.as_deref().and_then(|returned| read_output(returned).err());
        let why = unreadable.as_ref().and_then(|error| error.findings().first());
        return Some(match why {
            Some(finding) => {
                format!("The value that the function returned cannot be read: {}.", finding.message)
            }
            None => "The function returned no value.".to_owned(),
        });
    }
    let comparison = judgement.comparison.as_ref()?;
    let difference = comparison.difference.as_ref()?;
    let (expected, actual) = texts(case, mode, outcome)?;
    let excerpt = match difference {
        Difference::NotJson => "The output is not one JSON value.".to_owned(),
        Difference::ExpectedNotJson => "The expected text is not one JSON value; tell the author.".to_owned(),
        Difference::Value(pointer) => {
            let place = if pointer.is_empty() { "the top" } else { pointer };
            let show = |text: &[u8]| {
                output_json(text)
                    .and_then(|json| json.pointer(pointer).map(ToString::to_string))
                    .map_or_else(|| "(nothing)".to_owned(), |text| cut(text, WINDOW))
            };
            format!("at {place}:\n  expected: {}\n  found:    {}", show(&expected), show(&actual))
        }
        Difference::Token(index) | Difference::Number(index) => {
            let what = if matches!(difference, Difference::Number(_)) { "number" } else { "token" };
            let show = |text: &[u8]| {
                text.split(|&byte| crate::matcher::is_blank(byte))
                    .filter(|token| !token.is_empty())
                    .nth(*index)
                    .map_or_else(
                        || "(end of output)".to_owned(),
                        |token| cut(String::from_utf8_lossy(token).into_owned(), WINDOW),
                    )
            };
            let mut excerpt = format!(
                "{what} {}:\n  expected: {}\n  found:    {}",
                index + 1,
                show(&expected),
                show(&actual)
            );
            if let Some(error) = &comparison.largest_error {
                excerpt.push_str(&format!("\n  largest error: {}", short_number(error)));
            }
            excerpt
        }
        Difference::Byte(_) | Difference::Line(_) => lines_excerpt(&expected, &actual, case.matcher),
    };
    Some(cut(excerpt, CodeResult::MAX_EXCERPT_CHARS))
}

fn short_number(number: &Decimal) -> String {
    let text = number.to_string();
    if text.len() <= 24 { text } else { format!("about {:e}", number.to_f64()) }
}

fn lines_excerpt(expected: &[u8], actual: &[u8], matcher: Matcher) -> String {
    let (left, right) = (significant_lines(expected, matcher), significant_lines(actual, matcher));
    for at in 0..left.len().max(right.len()) {
        let (e, a) = (left.get(at).copied(), right.get(at).copied());
        if e != a {
            return mark_line(at + 1, e, a);
        }
    }
    "The texts differ only in how they end.".to_owned()
}

/// Returns the lines as the matcher compares them. A final line feed does not begin another line.
fn significant_lines(text: &[u8], matcher: Matcher) -> Vec<&[u8]> {
    match matcher {
        Matcher::TrimmedLines => crate::matcher::trimmed(text).collect(),
        _ => text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').collect(),
    }
}

/// Shows two lines, one below the other, with a mark under the first different character.
fn mark_line(number: usize, expected: Option<&[u8]>, actual: Option<&[u8]>) -> String {
    let shown = |line: Option<&[u8]>| -> Option<Vec<char>> {
        // Control characters would hide the difference, so they are shown as symbols.
        Some(String::from_utf8_lossy(line?).chars().map(visible).collect())
    };
    // Different bytes can be shown as the same symbol, so the difference is found in the bytes.
    let same_bytes = match (expected, actual) {
        (Some(e), Some(a)) => e.iter().zip(a).take_while(|(e, a)| e == a).count(),
        _ => 0,
    };
    let whole = |line: Option<&[u8]>| line.map_or(0, |line| whole_characters(line, same_bytes));
    let same = whole(expected).min(whole(actual));
    let (expected, actual) = (shown(expected), shown(actual));
    let (Some(e), Some(a)) = (&expected, &actual) else {
        let (word, line) = match (&expected, &actual) {
            (Some(e), _) => ("the output ends, expected", e),
            (_, Some(a)) => ("nothing more was expected, found", a),
            (None, None) => return String::new(),
        };
        let line: String = line.iter().take(WINDOW).collect();
        return format!("line {number}: {word}:\n  {line}");
    };
    let from = same.saturating_sub(WINDOW / 3);
    let window = |line: &[char]| {
        let text: String = line.iter().skip(from).take(WINDOW).collect();
        let (before, after) =
            (if from > 0 { "…" } else { "" }, if line.len() > from + WINDOW { "…" } else { "" });
        format!("{before}{text}{after}")
    };
    let indent = same - from + usize::from(from > 0);
    format!(
        "line {number}, character {}:\n  expected: {}\n  found:    {}\n            {}^",
        same + 1,
        window(e),
        window(a),
        " ".repeat(indent),
    )
}

/// Returns the number of characters that end within the first `end` bytes. As in
/// [`String::from_utf8_lossy`], bytes that are not UTF-8 become characters.
fn whole_characters(line: &[u8], end: usize) -> usize {
    let lengths = line.utf8_chunks().flat_map(|chunk| {
        let invalid = chunk.invalid().len();
        chunk.valid().chars().map(char::len_utf8).chain((invalid > 0).then_some(invalid))
    });
    let ends = lengths.scan(0, |at, length| {
        *at += length;
        Some(*at)
    });
    ends.take_while(|at| *at <= end).count()
}

const fn visible(c: char) -> char {
    match c {
        '\t' => '→',
        '\r' => '␍',
        '\u{0}'..='\u{1f}' | '\u{7f}' => '␀',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(expected: &str, matcher: Matcher) -> TestCase {
        TestCase {
            name: None,
            input: String::new(),
            expected: expected.to_owned(),
            matcher,
            float_tolerance: None,
            points: 1,
            timeout_ms: None,
        }
    }

    fn wrote(stdout: &str) -> CaseOutcome {
        let mut outcome = CaseOutcome::new("s", 0, End::Exited(0));
        outcome.stdout = stdout.as_bytes().to_vec();
        outcome
    }

    #[test]
    fn how_it_ended_comes_before_what_it_wrote() {
        let case = case("1\n", Matcher::Exact);
        for (end, verdict) in [
            (End::Exited(0), CaseVerdict::Passed),
            (End::Exited(3), CaseVerdict::RuntimeError),
            (End::Signalled(11), CaseVerdict::RuntimeError),
            (End::Timeout, CaseVerdict::Timeout),
            (End::MemoryExceeded, CaseVerdict::MemoryExceeded),
            (End::OutputLimit, CaseVerdict::OutputLimit),
            (End::CompileError(String::new()), CaseVerdict::CompileError),
            (End::SandboxError(String::new()), CaseVerdict::SandboxError),
        ] {
            let outcome = CaseOutcome { end, ..wrote("1\n") };
            assert_eq!(judge_case(&case, HarnessMode::StdinStdout, &outcome).verdict, verdict);
        }
    }

    #[test]
    fn in_function_mode_only_the_returned_value_counts() {
        let case = case("[1, 2.0]", Matcher::TrimmedLines);
        let mut outcome = wrote("[1,2]");
        let judged = judge_case(&case, HarnessMode::Function, &outcome);
        assert_eq!((judged.verdict, judged.nothing_returned), (CaseVerdict::Failed, true));
        outcome.returned = Some(b"[1,2]".to_vec());
        assert_eq!(judge_case(&case, HarnessMode::Function, &outcome).verdict, CaseVerdict::Passed);
        let deep = [vec![b'['; 200], vec![b']'; 200]].concat();
        outcome.returned = Some(deep);
        let (judged, result) = public_result("s", 0, &case, HarnessMode::Function, &outcome);
        assert_eq!(judged.verdict, CaseVerdict::Failed);
        let said = result.diff_excerpt.unwrap();
        assert!(said.contains("returned cannot be read") && said.contains("128 levels"), "{said}");
        outcome.returned = Some(b"[1,2] garbage".to_vec());
        assert_eq!(judge_case(&case, HarnessMode::Function, &outcome).verdict, CaseVerdict::Failed);
    }

    #[test]
    fn the_first_difference_is_marked() {
        let (_, result) = public_result(
            "s",
            0,
            &case("one\ntwo three\n", Matcher::TrimmedLines),
            HarnessMode::StdinStdout,
            &wrote("one  \ntwo four\n"),
        );
        assert_eq!(
            result.diff_excerpt.as_deref(),
            Some("line 2, character 5:\n  expected: two three\n  found:    two four\n                ^")
        );
        let (_, result) = public_result(
            "s",
            0,
            &case("1\n2\n", Matcher::TrimmedLines),
            HarnessMode::StdinStdout,
            &wrote("1\n"),
        );
        assert_eq!(result.diff_excerpt.as_deref(), Some("line 2: the output ends, expected:\n  2"));
    }

    #[test]
    fn the_first_difference_is_that_of_the_bytes() {
        for (expected, actual, character) in [
            (b"a\x01b".as_slice(), b"a\x02c".as_slice(), 2),
            (b"a\xffb", b"a\xfec", 2),
            ("é1".as_bytes(), b"\xc3A1", 1),
            ("éa".as_bytes(), "éb".as_bytes(), 2),
            ("é".as_bytes(), "è".as_bytes(), 1),
            (b"a", b"ab", 2),
        ] {
            let shown = mark_line(1, Some(expected), Some(actual));
            assert!(shown.starts_with(&format!("line 1, character {character}:")), "{shown}");
        }
    }

    #[test]
    fn long_numbers_are_compared_by_value_in_function_mode() {
        let digits = "1".repeat(65_533);
        let case = case(&digits, Matcher::Json);
        let mut outcome = wrote("");
        outcome.returned = Some(digits.into_bytes());
        assert_eq!(judge_case(&case, HarnessMode::Function, &outcome).verdict, CaseVerdict::Passed);
        outcome.returned = Some(b"2".to_vec());
        let (judged, result) = public_result("s", 0, &case, HarnessMode::Function, &outcome);
        assert_eq!(judged.verdict, CaseVerdict::Failed);
        let said = result.diff_excerpt.unwrap();
        assert!(said.starts_with("at the top:\n  expected: 1") && said.contains("found:    2"), "{said}");
    }

    #[test]
    fn excerpts_are_bounded() {
        let long = "x".repeat(60_000);
        let (_, result) = public_result(
            "s",
            0,
            &case(&format!("{long}a"), Matcher::Exact),
            HarnessMode::StdinStdout,
            &wrote(&format!("{long}b")),
        );
        assert!(result.diff_excerpt.unwrap().chars().count() < 1_000);
    }
}
