//! Rules for `code`: contradicting cases, cases that simple programs pass, limits, and types.

use std::collections::BTreeMap;

use fablegrade_public::json::Json;
use fablegrade_public::judge::accepts;
use fablegrade_public::matcher::output_json;
use fablegrade_public::view::code::{HarnessMode, Language, TestCase, Visibility};
use fablegrade_public::view::rules;
use fablegrade_public::{Decimal, Finding, Findings, Matcher, Ratio};

use super::{Places, starter};
use crate::answer::code::CodeSpec;
use crate::answer::two_places;

/// A case with its pointer and visibility.
struct Placed<'s> {
    pointer: String,
    visibility: Visibility,
    case: &'s TestCase,
}

/// Applies the rules. Visits each case a bounded number of times and runs nothing.
pub(super) fn lint(spec: &CodeSpec, findings: &mut Findings) {
    let cases: Vec<Placed<'_>> = spec
        .cases()
        .map(|(suite_index, suite, case_index, case)| Placed {
            pointer: format!("/testSuites/{suite_index}/cases/{case_index}"),
            visibility: suite.visibility(),
            case,
        })
        .collect();
    let function = spec.harness.mode == HarnessMode::Function;
    repeated(&cases, spec.harness.mode, findings);
    few(&cases, function, findings);
    for Placed { pointer, case, .. } in &cases {
        rules::weak_case(case, pointer, findings);
    }
    let placed = cases.iter().map(|placed| (placed.case, placed.pointer.clone()));
    rules::empty_outputs(placed, spec.harness.mode, findings);
    simple_programs(&cases, spec.harness.mode, findings);
    texts(&cases, function, findings);
    literal_escapes(&cases, function, findings);
    if spec.test_suites.iter().all(|suite| suite.visibility() == Visibility::Public) {
        findings.push(Finding::info(
            "no-hidden-suite",
            "/testSuites",
            "every case is public, so a program can answer by a table",
            "add a hidden suite",
        ));
    }
    limits(spec, findings);
    if function {
        arguments(spec, &cases, findings);
    } else {
        printed_integers(spec, &cases, findings);
    }
    if !function && spec.harness.function_name.is_some() {
        findings.push(Finding::warning(
            "function-name-unused",
            "/harness/functionName",
            "the name of a function has no effect where programs read standard input",
            "set `mode` to `function`, or remove the name",
        ));
    }
    starter::lint(spec, findings);
    spec.lint_signature(findings);
}

/// Reports cases with the same input: they are redundant, or contradict each other.
fn repeated(cases: &[Placed<'_>], mode: HarnessMode, findings: &mut Findings) {
    let function = mode == HarnessMode::Function;
    let inputs: Vec<String> = cases.iter().map(|placed| same_input(placed.case, function)).collect();
    // Programs can tell inputs apart by their blanks; functions cannot.
    let raw = |at: usize| if function { inputs[at].as_str() } else { cases[at].case.input.as_str() };
    let spaced = |input: &str| input.split_whitespace().collect::<Vec<_>>().join(" ");
    let accepts = |case: &TestCase, output: &str| accepts(case, mode, output.as_bytes());
    let mut first_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut exact: BTreeMap<&str, usize> = BTreeMap::new();
    let mut published: BTreeMap<&str, usize> = BTreeMap::new();
    // Public inputs with every run of blanks reduced to one: programs that read words cannot tell such inputs apart.
    let mut read_alike: BTreeMap<String, usize> = BTreeMap::new();
    for (at, placed) in cases.iter().enumerate() {
        let input = inputs[at].as_str();
        if placed.visibility == Visibility::Public {
            published.entry(input).or_insert(at);
            read_alike.entry(spaced(input)).or_insert(at);
        }
        first_of.entry(input).or_insert(at);
        exact.entry(raw(at)).or_insert(at);
    }
    let hidden = cases.iter().filter(|placed| placed.visibility == Visibility::Hidden).count();
    let mut known = Places::default();
    let mut count = 0;
    for (at, placed) in cases.iter().enumerate() {
        let input = inputs[at].as_str();
        let hidden_case = placed.visibility == Visibility::Hidden;
        let earlier = first_of.get(input).copied().filter(|&first| first != at);
        let public = published.get(input).copied().filter(|_| hidden_case);
        let other = earlier.or(public);
        let same_when_read = read_alike.get(&spaced(input)).copied().filter(|&other| {
            hidden_case && public.is_none() && accepts(cases[other].case, &placed.case.expected)
        });
        let contradicts = |other: &usize| {
            let other = cases[*other].case;
            // Equal texts are not a contradiction, even if both are rejected: a function returns only JSON.
            other.expected != placed.case.expected
                && !accepts(other, &placed.case.expected)
                && !accepts(placed.case, &other.expected)
        };
        let same = exact.get(raw(at)).filter(|&&first| first != at);
        let same = same.or(other.as_ref().filter(|&&other| raw(other) == raw(at)));
        if same.is_some_and(contradicts) {
            findings.push(Finding::error(
                "contradicting-cases",
                placed.pointer.as_str(),
                "another case has the same input and expects another output, so no program passes both",
                "correct one of the two",
            ));
        } else if other.as_ref().is_some_and(contradicts) {
            findings.push(Finding::info(
                "contradicting-cases",
                placed.pointer.as_str(),
                "the input of another case differs only in blanks at its ends, but another output is expected",
                "keep both if these blanks matter; otherwise correct one of the two",
            ));
        } else if public.or(same_when_read).is_some() {
            count += 1;
            known.add(|| placed.pointer.clone());
        } else if earlier.is_some() {
            rules::same_case(&placed.pointer, findings);
        }
    }
    let all = count > 0 && count == hidden;
    let message = if all {
        "every hidden case repeats a public one, so hiding them tests nothing"
    } else {
        "a public case has the same input and the same output"
    };
    if let Some((pointer, message)) = known.tell(message) {
        findings.push(if all {
            Finding::warning("hidden-equals-public", pointer, message, "change the hidden cases")
        } else {
            Finding::info("hidden-equals-public", pointer, message, "change the hidden case")
        });
    }
}

/// Returns the form in which inputs are compared: without blanks at the ends or, for a function, as canonical
/// JSON.
fn same_input(case: &TestCase, function: bool) -> String {
    let arguments = || output_json(case.input.as_bytes()).map(|arguments| arguments.to_canonical());
    let text = || case.input.trim().to_owned();
    if function { arguments().unwrap_or_else(text) } else { text() }
}

/// The largest coefficient of a reported line: nobody writes a formula with larger ones by mistake.
const LARGEST_COEFFICIENT: i64 = 100;

/// Reports one or two cases of single numbers that lie on a line with small coefficients. A program that
/// computes the line passes them, whatever the question asks.
fn few(cases: &[Placed<'_>], function: bool, findings: &mut Findings) {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    // The input of a function is an array of arguments, but what it returns is compared as it is.
    let input = |case: &TestCase| {
        let input = same_input(case, function);
        let one = input.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|_| function);
        number(one.unwrap_or(&input))
    };
    let points: Option<BTreeMap<i64, i64>> = cases
        .iter()
        .filter(|placed| !function || placed.case.input.trim_start().starts_with('['))
        .map(|placed| Some((input(placed.case)?, number(&placed.case.expected)?)))
        .collect();
    let Some(points) = points.filter(|points| (1..=2).contains(&points.len())) else { return };
    if cases.iter().all(|placed| placed.visibility == Visibility::Public) {
        return;
    }
    let line = {
        let mut points = points.iter();
        match (points.next(), points.next()) {
            (Some((x, y)), None) => y.checked_sub(*x).map(|more| (1, more)),
            (Some((a, b)), Some((c, d))) => {
                let (run, rise) = (c.checked_sub(*a), d.checked_sub(*b));
                run.zip(rise).filter(|(run, rise)| rise % run == 0).and_then(|(run, rise)| {
                    let slope = rise / run;
                    Some((slope, b.checked_sub(slope.checked_mul(*a)?)?))
                })
            }
            _ => None,
        }
    };
    let small = |number: i64| number.unsigned_abs() <= LARGEST_COEFFICIENT.unsigned_abs();
    if let Some((slope, more)) = line.filter(|(slope, more)| small(*slope) && small(*more)) {
        findings.push(Finding::warning(
            "few-cases",
            "/testSuites",
            format!(
                "a program that prints {slope} times its number plus {more} earns 1.00, whatever is asked"
            ),
            "add cases: zero, negative and large numbers where they may occur",
        ));
    }
}

/// Reports that programs earn most points by always printing the same text, or by printing their input.
fn simple_programs(cases: &[Placed<'_>], mode: HarnessMode, findings: &mut Findings) {
    if cases.len() < 2 {
        return;
    }
    let function = mode == HarnessMode::Function;
    let all: u64 = cases.iter().map(|placed| u64::from(placed.case.points)).sum();
    let share = |output: &dyn Fn(&TestCase) -> Option<String>| {
        let earned: u64 = cases
            .iter()
            .filter(|placed| {
                output(placed.case).is_some_and(|text| accepts(placed.case, mode, text.as_bytes()))
            })
            .map(|placed| u64::from(placed.case.points))
            .sum();
        Ratio::new(earned as i64, all.max(1))
    };
    let mut points: BTreeMap<&str, u64> = BTreeMap::new();
    for placed in cases {
        *points.entry(placed.case.expected.trim_end()).or_default() += u64::from(placed.case.points);
    }
    // Of the texts that earn most, take the first in alphabetical order, so the finding is deterministic.
    let most =
        points.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0))).map(|(text, _)| (*text).to_owned());
    let empty = most.as_deref().is_some_and(|text| text.trim().is_empty());
    let constant = |text: &str| share(&|_| Some(format!("{text}\n")));
    let threshold = Ratio::new(3, 4);
    let best = most.as_deref().map(constant).filter(|earned| *earned >= threshold && !empty);
    if let Some(earned) = best {
        findings.push(Finding::warning(
            "constant-output-passes",
            "/testSuites",
            format!("a program that ignores its input and prints one text earns {}", two_places(&earned)),
            "add cases with other outputs",
        ));
    } else {
        let zero = constant("0");
        if zero >= threshold {
            findings.push(Finding::warning(
                "constant-output-passes",
                "/testSuites",
                format!(
                    "a program that prints 0 earns {}: the tolerance is as large as the expected numbers",
                    two_places(&zero)
                ),
                "make the tolerance smaller",
            ));
        }
    }
    let echo = share(&|case| if function { only_argument(case) } else { Some(case.input.clone()) });
    if echo > Ratio::new(1, 2) {
        findings.push(Finding::warning(
            "echo-passes",
            "/testSuites",
            format!("a program that gives back its input earns {}", two_places(&echo)),
            "add cases whose output differs from the input",
        ));
    }
}

/// Returns the argument of a call with one argument, as JSON.
fn only_argument(case: &TestCase) -> Option<String> {
    match output_json(case.input.as_bytes())?.as_array()? {
        [only] => Some(only.to_canonical()),
        _ => None,
    }
}

/// Reports expected texts that correct programs do not print.
fn texts(cases: &[Placed<'_>], function: bool, findings: &mut Findings) {
    let (mut returns, mut blanks, mut quotes, mut floats) =
        (Places::default(), Places::default(), Places::default(), Places::default());
    for Placed { pointer, case, .. } in cases {
        let expected = case.expected.as_str();
        let here = || format!("{pointer}/expected");
        if case.matcher == Matcher::Exact && !function {
            if expected.contains('\r') {
                returns.add(here);
            } else if has_trailing_blank(expected)
                || (expected.ends_with("\n\n") && !expected.trim().is_empty())
            {
                blanks.add(here);
            }
        }
        if !function
            && expected.contains(['\u{201c}', '\u{201d}', '\u{2018}', '\u{a0}', '\u{202f}', '\u{201e}'])
        {
            quotes.add(here);
        }
        // Without an explicit tolerance, `json` compares numbers exactly.
        let exact = !case.matcher.uses_tolerance()
            || (case.matcher == Matcher::Json && case.float_tolerance.is_none());
        if exact && (has_long_fraction(expected) || has_exponent(expected)) {
            floats.add(here);
        }
    }
    if let Some((pointer, message)) =
        returns.tell("under `exact` a carriage return is expected, which programs do not print")
    {
        findings.push(Finding::warning(
            "carriage-return-expected",
            pointer,
            message,
            "use line feeds alone, or `trimmed_lines`",
        ));
    }
    if let Some((pointer, message)) =
        blanks.tell("under `exact` blanks at the end of a line, or an empty line at the end, are expected")
    {
        findings.push(Finding::warning(
            "trailing-blank-expected",
            pointer,
            message,
            "remove them, or use `trimmed_lines`",
        ));
    }
    if let Some((pointer, message)) = quotes
        .tell("the expected text has typographic quotes or no-break spaces, which word processors put in")
    {
        findings.push(Finding::warning(
            "typographic-output",
            pointer,
            message,
            "write plain quotes and spaces",
        ));
    }
    if let Some((pointer, message)) =
        floats.tell("a rounded number is expected exactly, but languages print it with other digits")
    {
        findings.push(Finding::warning(
            "float-without-tolerance",
            pointer,
            message,
            "use `float_tolerance`, or say how many digits to print",
        ));
    }
}

/// Returns whether a line with a line feed ends with a blank before it, or the last line with a blank after a number. Any
/// other text after the last line feed may be a prompt.
fn has_trailing_blank(expected: &str) -> bool {
    let last = expected.rsplit('\n').next().unwrap_or_default();
    let after_number = |line: &str| {
        let bare = line.trim_end_matches([' ', '\t']);
        bare.len() < line.len() && bare.ends_with(|c: char| c.is_ascii_digit())
    };
    after_number(last)
        || expected
            .split_inclusive('\n')
            .any(|line| line.strip_suffix('\n').is_some_and(|line| line.ends_with([' ', '\t'])))
}

/// Reports `\n` as two characters where a line feed is meant: programs read and print a backslash and a letter.
fn literal_escapes(cases: &[Placed<'_>], function: bool, findings: &mut Findings) {
    // Arguments and results of functions are JSON, whose strings write line feeds in this way.
    if function {
        return;
    }
    let mut places = Places::default();
    for Placed { pointer, case, .. } in cases {
        if has_literal_line_feed(&case.input) {
            places.add(|| format!("{pointer}/input"));
        } else if case.matcher != Matcher::Json && has_literal_line_feed(&case.expected) {
            places.add(|| format!("{pointer}/expected"));
        }
    }
    if let Some((pointer, message)) =
        places.tell("`\\n` is written as two characters, a backslash and a letter, not as a line feed")
    {
        findings.push(Finding::warning(
            "literal-line-feed",
            pointer,
            message,
            "write `\\n` in JSON, with one backslash, not `\\\\n`",
        ));
    }
}

/// LaTeX commands that begin with `n`.
const COMMANDS: [&str; 12] = [
    "nabla",
    "ne",
    "neg",
    "neq",
    "newcommand",
    "newline",
    "ni",
    "noindent",
    "not",
    "notin",
    "nrightarrow",
    "nu",
];

/// Returns whether a text of one line has `\n` as two characters in place of line feeds.
///
/// Paths, formulas, patterns and quoted texts keep their backslashes. `\n` may be intended next to another
/// backslash, between quotes, or after a colon.
pub(super) fn has_literal_line_feed(text: &str) -> bool {
    let text = text.trim_end_matches(['\n', '\r']);
    if text.contains('\n') || !text.contains("\\n") {
        return false;
    }
    let mut found = 0usize;
    let (mut quote, mut before) = (None, None);
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        match c {
            '\\' => {
                let word = letters.as_str();
                let end = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
                match letters.next() {
                    Some('n') if quote.is_none() && before != Some(':') => {
                        // A pattern such as `\n+`, or a LaTeX command.
                        let after = letters.as_str();
                        if COMMANDS.contains(&&word[..end])
                            || after.starts_with(['+', '*', '?', '{', ']', ')'])
                        {
                            return false;
                        }
                        found += 1;
                    }
                    Some('r' | 't') if quote.is_none() => {}
                    _ => return false,
                }
                before = None;
                continue;
            }
            '"' | '\'' if quote == Some(c) => quote = None,
            // An apostrophe within a word is not an opening quote.
            '"' | '\'' if quote.is_none() && !before.is_some_and(char::is_alphanumeric) => quote = Some(c),
            _ => {}
        }
        before = Some(c);
    }
    found > 0
}

/// Returns whether a text has a decimal of at least six places that does not end in zero, as rounded results
/// have.
fn has_long_fraction(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').any(|number| {
        let Some((whole, places)) = number.split_once('.') else { return false };
        !whole.is_empty() && places.len() >= 6 && !places.contains('.') && !places.ends_with('0')
    })
}

/// Returns whether a text has a number such as `1e-05`, which languages print differently.
fn has_exponent(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        word.len() <= 30
            && word.parse::<f64>().is_ok()
            && word.split_once(['e', 'E']).is_some_and(|(_, exponent)| exponent.starts_with(['-', '+']))
    })
}

/// Minimum memory in MiB and CPU time in milliseconds that a runtime needs before the program starts.
const RUNTIMES: [(Language, u32, u32); 2] = [(Language::Java, 48, 200), (Language::JavaScript, 48, 150)];

fn limits(spec: &CodeSpec, findings: &mut Findings) {
    for (language, memory, time) in RUNTIMES {
        if !spec.languages.contains(&language) {
            continue;
        }
        let (pointer, what) = if spec.limits.memory_mb < memory {
            ("/limits/memoryMb", "memory")
        } else if spec.limits.time_ms_per_case < time {
            ("/limits/timeMsPerCase", "time")
        } else {
            continue;
        };
        findings.push(Finding::warning(
            "limits-too-low",
            pointer,
            format!(
                "the runtime of `{}` needs more {what} than this before a program begins",
                language.as_str()
            ),
            "raise the limit, or do not offer the language",
        ));
        return;
    }
}

/// Checks the arguments: their number, and integers that an offered language cannot represent.
fn arguments(spec: &CodeSpec, cases: &[Placed<'_>], findings: &mut Findings) {
    let mut counts: Option<usize> = None;
    let mut odd = Places::default();
    let mut large: Option<(Places, &'static str)> = None;
    let typed = [Language::C, Language::Cpp, Language::Java, Language::Rust, Language::Go];
    let scripted = spec.languages.contains(&Language::JavaScript);
    let fixed = spec.languages.iter().any(|language| typed.contains(language));
    let double = Decimal::from(9_007_199_254_740_991);
    for Placed { pointer, case, .. } in cases {
        let Some(input) = output_json(case.input.as_bytes()) else { continue };
        if let Some(list) = input.as_array()
            && *counts.get_or_insert(list.len()) != list.len()
        {
            odd.add(|| format!("{pointer}/input"));
        }
        let expected = output_json(case.expected.as_bytes());
        let numbers = || integers(&input).chain(expected.iter().flat_map(integers));
        let problem = if fixed && numbers().any(|number| number.to_i64().is_none()) {
            "an integer does not fit into the 64 bits of an offered language"
        } else if scripted && numbers().any(|number| number.abs() > double) {
            "an integer is beyond 2^53, where numbers of JavaScript have gaps"
        } else {
            continue;
        };
        large.get_or_insert((Places::default(), problem)).0.add(|| pointer.clone());
    }
    // If a language needs a fixed number of arguments, `CodeSpec::lint_signature` reports the difference.
    let told = spec.languages.iter().any(|language| typed.contains(language) && *language != Language::Java);
    if !told && let Some((pointer, message)) = odd.tell("the number of arguments differs from the first case")
    {
        findings.push(Finding::warning(
            "argument-count-differs",
            pointer,
            message,
            "give every case the same number of arguments",
        ));
    }
    if let Some((places, problem)) = large
        && let Some((pointer, message)) = places.tell(problem)
    {
        findings.push(Finding::warning(
            "integer-too-large",
            pointer,
            message,
            "use smaller numbers or strings, or do not offer the language",
        ));
    }
}

/// Reports integers in inputs and outputs that are too large for the usual types of an offered language: 64
/// bits in C, C++ and Rust, and 53 bits in JavaScript, beyond which numbers have gaps.
fn printed_integers(spec: &CodeSpec, cases: &[Placed<'_>], findings: &mut Findings) {
    let bounded = [Language::C, Language::Cpp, Language::Rust];
    let fixed = spec.languages.iter().any(|language| bounded.contains(language));
    let scripted = spec.languages.contains(&Language::JavaScript);
    let integer = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain =
            !digits.is_empty() && digits.len() <= 40 && digits.bytes().all(|byte| byte.is_ascii_digit());
        // Numbers with leading zeros look like codes.
        let outermost = if digits == text { i128::MAX } else { i128::MIN };
        (plain && !digits.starts_with('0')).then(|| text.parse::<i128>().unwrap_or(outermost))
    };
    let (mut beyond, mut gaps) = (Places::default(), Places::default());
    for Placed { pointer, case, .. } in cases {
        let words = || case.input.split_whitespace().chain(case.expected.split_whitespace());
        let any = |beyond: fn(i128) -> bool| words().filter_map(integer).any(beyond);
        if fixed && any(|number| number < i128::from(i64::MIN) || number > i128::from(u64::MAX)) {
            beyond.add(|| pointer.clone());
        } else if scripted && any(|number| number.unsigned_abs() > 9_007_199_254_740_991) {
            gaps.add(|| pointer.clone());
        }
    }
    if let Some((pointer, message)) =
        beyond.tell("an integer does not fit into the 64 bits of an offered language")
    {
        findings.push(Finding::warning(
            "integer-too-large",
            pointer,
            message,
            "use smaller numbers, or do not offer the language",
        ));
    } else if let Some((pointer, message)) =
        gaps.tell("an integer is beyond 2^53, where numbers of JavaScript have gaps")
    {
        findings.push(Finding::warning(
            "integer-too-large",
            pointer,
            message,
            "say that `BigInt` is needed, use smaller numbers, or do not offer the language",
        ));
    }
}

/// Returns every integer in a JSON value.
fn integers(json: &Json) -> impl Iterator<Item = &Decimal> {
    json.parts().filter_map(|part| part.as_number().filter(|number| number.is_integer()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{has_exponent, has_literal_line_feed, has_long_fraction};

    #[test]
    fn line_feeds_written_as_two_characters_are_told_from_backslashes_that_are_meant() {
        for text in [
            r"3\n1 2 4",
            r"hello\nworld\n",
            r"5\n",
            "2\\n1\\n\n",
            r"it's\nfine",
            r"a\tb\nc\td",
            r"1 2\r\n3 4",
        ] {
            assert!(has_literal_line_feed(text), "{text}");
        }
        for text in [
            r"C:\new",
            r"C:\new\folder",
            r"x\\ny",
            r"\nu + 1",
            r"[^\n]+",
            r"a\n+b",
            "\"a\\nb\"",
            r"'\n'",
            "a\nb\\nc",
            r"\frac{1}{2}\n",
            "plain",
        ] {
            assert!(!has_literal_line_feed(text), "{text}");
        }
    }

    #[test]
    fn rounded_results_are_told_from_printed_formats() {
        assert!(has_long_fraction("x = 2.3333333333") && has_long_fraction("0.333333"));
        assert!(!has_long_fraction("2.50 0.500000 127.0.0.1 3.14"));
        assert!(has_exponent("1e-05 x") && !has_exponent("e-5 1e5 one-e-5"));
    }

    #[test]
    fn brackets_are_the_arguments_of_a_function_and_part_of_what_it_returns() {
        let told = |mode: &str, input: &str, expected: &str| {
            let text = format!(
                r#"{{"type":"code","languages":["python"],"limits":{{}},"harness":{mode},"testSuites":[{{"name":"h","visibility":"hidden","cases":[{{"input":"{input}","expected":"{expected}"}}]}}]}}"#
            );
            let found = crate::lint::lint_json(text);
            found.iter().any(|finding| finding.rule == "few-cases")
        };
        let function = r#"{"mode":"function","functionName":"f"}"#;
        let program = r#"{"mode":"stdin_stdout"}"#;
        assert!(told(function, "[1]", "2") && told(program, "1", "2"));
        assert!(!told(function, "[1]", "[2]"), "a number is not an array");
        assert!(!told(function, "[[1]]", "2"), "an array is not a number");
        assert!(!told(program, "[1]", "[2]"), "a program that prints 2 does not print [2]");
    }

    /// Returns the severities and pointers of one rule for cases of a hidden suite, given as JSON without braces.
    fn told(rule: &str, rest: &str, cases: &[&str]) -> Vec<(&'static str, String)> {
        let suites = cases.chunks(50).enumerate().map(|(at, cases)| {
            let cases: Vec<String> = cases.iter().map(|case| format!("{{{case}}}")).collect();
            format!(r#"{{"name":"h{at}","visibility":"hidden","cases":[{}]}}"#, cases.join(","))
        });
        told_of_suites(rule, rest, &suites.collect::<Vec<_>>().join(","))
    }

    fn told_of_suites(rule: &str, rest: &str, suites: &str) -> Vec<(&'static str, String)> {
        let text = format!(r#"{{"type":"code","limits":{{}},{rest},"testSuites":[{suites}]}}"#);
        crate::AnswerSpec::from_json(&text).unwrap();
        let found = crate::lint::lint_json(&text);
        let of_rule = found.into_iter().filter(|finding| finding.rule == rule);
        of_rule.map(|finding| (finding.severity.as_str(), finding.pointer)).collect()
    }

    const FUNCTION: &str = r#""languages":["python"],"harness":{"mode":"function","functionName":"f"}"#;
    const PROGRAM: &str = r#""languages":["python"]"#;

    #[test]
    fn an_error_is_told_beside_many_warnings() {
        let unused = r#""input":"1","expected":"1","matcher":"tokens","floatTolerance":0.01"#;
        let mut cases = vec![unused; 200];
        cases.push(r#""input":"1","expected":"{","matcher":"json""#);
        assert_eq!(
            told("expected-not-json", PROGRAM, &cases),
            [("error", "/testSuites/4/cases/0/expected".to_owned())]
        );
    }

    #[test]
    fn returned_values_are_compared_as_the_judge_compares_them() {
        let rule = "contradicting-cases";
        let same = [r#""input":"[1]","expected":"[1, 2]""#, r#""input":"[1]","expected":"[1,2]""#];
        assert_eq!(told(rule, FUNCTION, &same), []);
        assert_eq!(told(rule, FUNCTION, &[r#""input":"[1]","expected":"a""#; 2]), []);
        let other = [r#""input":"[1]","expected":"[1, 2]""#, r#""input":"[ 1 ]","expected":"[2,1]""#];
        assert_eq!(told(rule, FUNCTION, &other), [("error", "/testSuites/0/cases/1".to_owned())]);
        // A constant that no function can return earns nothing.
        let constant = [r#""input":"[1]","expected":"1.0""#, r#""input":"[2]","expected":"1""#];
        assert_eq!(told("constant-output-passes", FUNCTION, &constant).len(), 1);
    }

    #[test]
    fn inputs_that_differ_in_blanks_do_not_contradict_each_other() {
        let rule = "contradicting-cases";
        let indented = r#""input":"  a\n","expected":"2""#;
        let plain = r#""input":"a\n","expected":"0""#;
        let third = r#""input":"a\n","expected":"1""#;
        let at = |case: u32| format!("/testSuites/0/cases/{case}");
        assert_eq!(told(rule, PROGRAM, &[indented, plain]), [("info", at(1))]);
        assert_eq!(told(rule, PROGRAM, &[indented, plain, third]), [("error", at(2)), ("info", at(1))]);
    }

    #[test]
    fn a_hidden_case_before_a_public_one_contradicts_it() {
        let suite = |name: &str, visibility: &str, expected: u8| {
            format!(
                r#"{{"name":"{name}","visibility":"{visibility}","cases":[{{"input":"[1]","expected":"{expected}"}}]}}"#
            )
        };
        let suites = [suite("h", "hidden", 2), suite("p", "public", 3)].join(",");
        let at = |suite: u32| ("error", format!("/testSuites/{suite}/cases/0"));
        for mode in [PROGRAM, FUNCTION] {
            assert_eq!(told_of_suites("contradicting-cases", mode, &suites), [at(0), at(1)], "{mode}");
        }
    }

    #[test]
    fn a_tolerance_does_not_reach_into_returned_arrays() {
        let case =
            |expected: &str| format!(r#""input":"[1]","expected":"{expected}","matcher":"float_tolerance""#);
        let rule = "tolerance-unused";
        let at = [("warning", "/testSuites/0/cases/0/matcher".to_owned())];
        assert_eq!(told(rule, FUNCTION, &[&case("[0.3333333]")]), at);
        assert_eq!(told(rule, FUNCTION, &[&case(r#"{\"x\": 0.5}"#)]), at);
        for fine in ["0.3333333", "[]", r#"[\"a\"]"#] {
            assert_eq!(told(rule, FUNCTION, &[&case(fine)]), [], "{fine}");
        }
        assert_eq!(told(rule, PROGRAM, &[&case("[0.3333333]")]), []);
    }

    #[test]
    fn the_sign_of_an_integer_counts() {
        let told = |number: &str| {
            let case = format!(r#""input":"1","expected":"{number}""#);
            !told("integer-too-large", r#""languages":["c"]"#, &[&case]).is_empty()
        };
        assert!(
            told("-10000000000000000000") && told("-9223372036854775809") && told("18446744073709551616")
        );
        assert!(!told("-9223372036854775808") && !told("18446744073709551615"));
        assert!(told(&"9".repeat(40)) && told(&format!("-{}", "9".repeat(40))));
    }

    #[test]
    fn a_silent_program_passes_only_what_its_matcher_accepts() {
        let rule = "empty-output-passes";
        assert_eq!(told(rule, PROGRAM, &[r#""input":"1","expected":" \n","matcher":"exact""#]), []);
        assert_eq!(told(rule, PROGRAM, &[r#""input":"1","expected":"","matcher":"exact""#]).len(), 1);
        assert_eq!(
            told(rule, PROGRAM, &[r#""input":"1","expected":" \n","matcher":"trimmed_lines""#]).len(),
            1
        );
    }
}
