//! Rules that find defects in questions before learners do: one module per topic.
//!
//! Comparisons of formulas have a work budget. Many rules report a defect with several occurrences in one
//! finding, which counts them.

mod code;
mod content;
mod equality;
mod expression;
mod free_text;
mod giveaways;
mod html;
mod key_mutation;
mod latex;
mod matching;
mod multiple_choice;
mod number_words;
mod numeric;
mod ordering;
mod position_words;
mod rounding;
mod starter;
mod trigonometry;
mod units;
mod widget;

use fablegrade_public::json::{Document, Path, Read};
use fablegrade_public::{Finding, Findings, Severity};

use crate::answer::{AnswerSpec, Ready};
use crate::host::Host;

/// Returns all findings about a spec (errors, warnings and remarks), most severe first.
///
/// Errors are the spec errors of [`Grader::new`](crate::Grader::new) and contradictions that only lint
/// detects. The validators of the host are not known here, so an unknown validator is only a remark; see
/// [`lint_with`]. Every rule has an entry in `docs/lint.md`.
pub fn lint(spec: &AnswerSpec) -> Vec<Finding> {
    lint_open(spec, &Host::new())
}

/// Works like [`lint`], with some of the host's validators; names of other validators are remarks.
fn lint_open(spec: &AnswerSpec, known: &Host) -> Vec<Finding> {
    let mut list = examine(spec, known);
    for finding in &mut list {
        // A validator name inside a configuration is checked by the enclosing validator.
        if finding.rule == "unknown-validator" && finding.pointer == "/validator/name" {
            finding.severity = Severity::Info;
            "this name must be registered by the host that grades".clone_into(&mut finding.message);
            "name the validators of the host to have this checked".clone_into(&mut finding.help);
        }
    }
    by_severity(list)
}

/// Works like [`lint`], with all validators of the host: an unknown validator is an error.
pub fn lint_with(spec: &AnswerSpec, host: &Host) -> Vec<Finding> {
    by_severity(examine(spec, host))
}

fn by_severity(mut list: Vec<Finding>) -> Vec<Finding> {
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    list
}

/// Works like [`lint`], for the text of a spec. Errors of the JSON or its schema come first; a spec that
/// cannot be read has only these.
pub fn lint_json(text: impl AsRef<[u8]>) -> Vec<Finding> {
    read_and(text.as_ref(), lint)
}

/// Works like [`lint_json`], with the validators that `known` registers. The grading host may have others, so
/// unknown names are remarks.
pub fn lint_json_knowing(text: impl AsRef<[u8]>, known: &Host) -> Vec<Finding> {
    read_and(text.as_ref(), |spec| lint_open(spec, known))
}

/// Works like [`lint_with`], for the text of a spec.
pub fn lint_json_with(text: impl AsRef<[u8]>, host: &Host) -> Vec<Finding> {
    read_and(text.as_ref(), |spec| lint_with(spec, host))
}

fn read_and(text: &[u8], lint: impl FnOnce(&AnswerSpec) -> Vec<Finding>) -> Vec<Finding> {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => return error.findings().to_vec(),
    };
    let mut findings = Findings::new();
    let spec = AnswerSpec::read(document.root(), &Path::Root, &mut findings);
    let mut found = findings.into_vec();
    // An unknown field does not prevent the rest from being read.
    if let Some(spec) = spec {
        found.extend(lint(&spec));
    }
    found
}

/// Returns whether any finding is an error.
pub fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

fn examine(spec: &AnswerSpec, host: &Host) -> Vec<Finding> {
    let mut findings = Findings::new();
    let ready = spec.prepare(host, &mut findings);
    let list = &mut findings;
    content::lint(spec, list);
    match spec {
        AnswerSpec::MultipleChoice(spec) => {
            let ready = match &ready {
                Some(Ready::MultipleChoice(ready)) => Some(ready),
                _ => None,
            };
            multiple_choice::lint(spec, ready, list);
        }
        AnswerSpec::Numeric(spec) => {
            if let Some(Ready::Numeric(ready)) = &ready {
                numeric::lint(spec, ready, list);
            }
        }
        AnswerSpec::Expression(spec) => {
            if let Some(Ready::Expression(ready)) = &ready {
                expression::lint(spec, ready, list);
            }
        }
        AnswerSpec::FreeText(spec) => free_text::lint(spec, list),
        AnswerSpec::Code(spec) => code::lint(spec, list),
        AnswerSpec::Ordering(spec) => {
            let ready = match &ready {
                Some(Ready::Ordering(ready)) => Some(ready),
                _ => None,
            };
            ordering::lint(spec, ready, list);
        }
        AnswerSpec::Matching(spec) => {
            let ready = match &ready {
                Some(Ready::Matching(ready)) => Some(ready),
                _ => None,
            };
            matching::lint(spec, ready, list);
        }
        AnswerSpec::Widget(spec) => {
            if let Some(Ready::Widget(ready)) = &ready {
                widget::lint(spec, ready, list);
            }
        }
    }
    findings.into_vec()
}

/// The places of one defect. The first is the pointer of the finding; the others are only counted.
#[derive(Debug, Default)]
struct Places {
    first: Option<String>,
    more: usize,
}

impl Places {
    fn add(&mut self, pointer: impl FnOnce() -> String) {
        if self.first.is_none() {
            self.first = Some(pointer());
        } else {
            self.more += 1;
        }
    }

    /// Returns the pointer and the message with the number of other places; `None` if there are no places.
    fn tell(self, message: &str) -> Option<(String, String)> {
        let message = match self.more {
            0 => message.to_owned(),
            1 => format!("{message} (and at one more place)"),
            more => format!("{message} (and at {more} more places)"),
        };
        self.first.map(|pointer| (pointer, message))
    }
}

#[cfg(test)]
mod tests {
    use super::lint_json;

    /// Returns texts that would be slow for a search that is not linear.
    fn hostile_texts(length: usize) -> Vec<String> {
        [
            "$",
            "\\\\",
            "\\\\frac{",
            "(",
            "answer is a ",
            "a and b, ",
            "1 000 ",
            "\u{c3}\u{a9}",
            "&lt",
            "<b",
            "\\\\n",
            "\u{2212}1",
            "x^",
            "not ",
            "is 9",
            "|",
            "{",
            "1e9",
            "0.5,",
            "like 3 ",
        ]
        .iter()
        .map(|part| part.repeat(length / part.len()))
        .collect()
    }

    #[test]
    fn the_longest_texts_take_a_bounded_time() {
        let list = |texts: &[String], field: &dyn Fn(usize, &str) -> String| {
            let items: Vec<String> = texts.iter().enumerate().map(|(at, text)| field(at, text)).collect();
            items.join(",")
        };
        let mut questions = 0;
        for texts in
            hostile_texts(20_000).chunks(5).flat_map(|texts| [texts.to_vec(), vec![texts[0].clone(); 5]])
        {
            let choice = |at: usize, text: &str| {
                format!(
                    r#"{{"id":"c{at}","content":"{text}{at}","correct":{},"feedback":"{text}"}}"#,
                    at == 1
                )
            };
            let item = |at: usize, text: &str| format!(r#"{{"id":"i{at}","content":"{text}{at}"}}"#);
            let case = |_: usize, text: &str| format!(r#"{{"input":"{text}","expected":"{text}"}}"#);
            let line = |_: usize, text: &str| {
                format!(r#"{{"criterion":"{}","points":1}}"#, &text[..text.floor_char_boundary(400)])
            };
            let order = r#""i4","i0","i1","i2","i3""#;
            for text in [
                format!(r#"{{"type":"multiple_choice","choices":[{}]}}"#, list(&texts, &choice)),
                format!(
                    r#"{{"type":"ordering","items":[{}],"correctOrder":[{order}]}}"#,
                    list(&texts, &item)
                ),
                format!(
                    r#"{{"type":"matching","left":[{0}],"right":[{0}],"correctPairs":[{{"left":"i0","right":"i1"}}]}}"#,
                    list(&texts, &item)
                ),
                format!(
                    r#"{{"type":"code","languages":["python","c"],"limits":{{}},"testSuites":[{{"name":"h","visibility":"hidden","cases":[{}]}}]}}"#,
                    list(&texts, &case)
                ),
                format!(
                    r#"{{"type":"free_text","gradingMode":"reviewer","rubric":[{}]}}"#,
                    list(&texts, &line)
                ),
                format!(
                    r#"{{"type":"numeric","answer":{{"value":3.14}},"inputHint":"{}"}}"#,
                    &texts[0][..texts[0].floor_char_boundary(400)]
                ),
            ] {
                questions += 1;
                assert!(lint_json(&text).iter().all(|finding| !finding.rule.is_empty()), "{text}");
            }
        }
        // Most of these questions have at least 100 kB; a quadratic search in one text would take minutes.
        assert_eq!(questions, 48);
    }

    /// Returns keys up to the maximum length: one part, repeated or nested.
    fn long_keys() -> Vec<String> {
        const LONGEST: usize = 2_000;
        let repeated = [
            "x+",
            "x-",
            "2\\\\cdot 3x+",
            "\\\\sqrt{-x^2-1}+",
            "\\\\ln(-x^2)+",
            "\\\\frac{1}{x-x}+",
            "10^-3x+",
            "|x|+",
            "x^2",
            "\\\\sin(30)+",
            "\\\\sin 30x ",
            "1/2x+",
            "\\\\sqrt{x^2}+",
            "\\\\lfloor x\\\\rfloor+",
            "0.333x+",
            "3.14+",
            "\\\\max(x,0)+",
            "\\\\text{ m}",
            "velocity+",
            "3,5+",
            "e^2x+",
            "\\\\arcsin(x^2+2)+",
            "(x+1)(x+2)",
        ];
        let nested = [
            ("\\\\sqrt{", "}"),
            ("(", ")"),
            ("|", "|"),
            ("\\\\frac{1}{", "}"),
            ("\\\\sin(", ")"),
            ("x^{", "}"),
            ("\\\\ln(-", ")"),
        ];
        let mut keys: Vec<String> = repeated
            .iter()
            .flat_map(|part| [part.repeat(LONGEST / part.len() - 1) + "x", part.repeat(10) + "x"])
            .collect();
        for (open, close) in nested {
            for depth in [5, 30, LONGEST / (open.len() + close.len()) - 1] {
                keys.push(format!("{}x{}", open.repeat(depth), close.repeat(depth)));
            }
        }
        keys
    }

    #[test]
    fn the_longest_keys_take_a_bounded_time() {
        let began = processor_seconds();
        let keys = long_keys();
        let mut told = 0;
        for key in &keys {
            for rest in [
                r#""equivalence":"symbolic""#,
                r#""equivalence":"literal""#,
                r#""equivalence":"numeric_sampling","variables":[{"name":"x","domain":{"min":-3,"max":3}}]"#,
                r#""equivalence":"symbolic","variables":[{"name":"x","domain":{"min":1,"max":90,"integer":true}}]"#,
            ] {
                let text = format!(r#"{{"type":"expression","canonical":"{key}",{rest}}}"#);
                told += usize::from(!lint_json(&text).is_empty());
            }
        }
        assert!(told > keys.len(), "{told} of {} questions have findings", 4 * keys.len());
        bounded(began, 4 * keys.len());
    }

    #[test]
    fn the_largest_widgets_take_a_bounded_time() {
        let began = processor_seconds();
        let wide = |part: &str, count: usize| vec![part; count].join(",");
        let deep = |open: &str, inner: &str, close: &str, depth: usize| {
            format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
        };
        let fields = |value: &str, count: usize| {
            (0..count).map(|at| format!(r#""f{at}":{value}"#)).collect::<Vec<_>>().join(",")
        };
        let state = format!("{{{}}}", fields("[1,2,3,4]", 1_000));
        let schemas = [
            format!(r#"{{"type":"object","properties":{{{}}}}}"#, fields(r#"{"requird":1}"#, 3_000)),
            format!(r#"{{"type":"object","required":[{}]}}"#, wide("\"a\"", 1)),
            format!(r#"{{"anyOf":[{}]}}"#, wide(r#"{"type":"number"}"#, 3_000)),
            format!(r#"{{"type":"object","oneOf":[{}]}}"#, wide(r#"{"minimum":3,"maximum":1}"#, 3_000)),
            format!(
                r#"{{"type":"object","required":["a"],"properties":{{"a":{{"enum":[{}]}}}}}}"#,
                (0..5_000).map(|at| at.to_string()).collect::<Vec<_>>().join(",")
            ),
            deep(r#"{"type":"object","required":["a"],"properties":{"a":"#, "true", "}}", 30),
            deep(r#"{"not":"#, "{}", "}", 60),
            format!(
                r#"{{"type":"object","required":["a"],"properties":{{"a":{{"type":"array","minItems":1000000000,"items":{}}}}}}}"#,
                deep(r#"{"type":"array","minItems":1000,"items":"#, "true", "}", 20)
            ),
            r#"{"type":"object","minProperties":1000000000}"#.to_owned(),
        ];
        let params = [
            format!(r#"{{"start":[{}]}}"#, wide(&format!("{{{}}}", fields("1", 20)), 300)),
            deep(r#"{"solution":"#, "{}", "}", 60),
        ];
        let mut questions = 0;
        for params in &params {
            let widget = |validator: &str| {
                format!(
                    r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{validator},"params":{params}}}"#
                )
            };
            let equals = widget(&format!(r#"{{"kind":"state_equals","expectedState":{state}}}"#));
            let with_schema =
                |schema: &String| widget(&format!(r#"{{"kind":"state_schema","stateSchema":{schema}}}"#));
            for text in schemas.iter().map(with_schema).chain([equals]) {
                questions += 1;
                assert!(lint_json(&text).iter().all(|finding| !finding.rule.is_empty()));
            }
        }
        assert_eq!(questions, 20);
        bounded(began, questions);
    }

    /// Returns the seconds of processor time that this thread has taken, so other load does not count; 0 if the system
    /// does not report them.
    pub(super) fn processor_seconds() -> u64 {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        told.split(' ')
            .next()
            .and_then(|nanoseconds| nanoseconds.parse::<u64>().ok())
            .map_or(0, |taken| taken / 1_000_000_000)
    }

    /// Asserts less than one second of processor time per question on average: a thousand times the usual time, and far
    /// below that of an unbounded search.
    fn bounded(began: u64, questions: usize) {
        let seconds = processor_seconds() - began;
        assert!(seconds < questions as u64, "{questions} questions took {seconds} s");
    }

    #[test]
    fn names_of_other_systems_are_known() {
        let found = lint_json(
            r#"{"type":"multiple_choice","choices":[{"id":"a","text":"x","isCorrect":true},{"id":"b","content":"y","correct":false}]}"#,
        );
        let helps: Vec<&str> = found
            .iter()
            .filter(|finding| finding.rule == "unknown-field")
            .map(|finding| finding.help.as_str())
            .collect();
        assert_eq!(
            helps,
            [
                "perhaps you mean `content`; otherwise remove it",
                "perhaps you mean `correct`; otherwise remove it"
            ]
        );
    }

    #[test]
    fn places_that_cannot_be_read_are_told() {
        let ambiguous = lint_json(r#"{"type":"expression","canonical":"1/2x","equivalence":"symbolic"}"#);
        assert_eq!(ambiguous[0].rule, "canonical-ambiguous");
        assert!(
            ambiguous[0].message.contains("at character 1") && ambiguous[0].message.contains("write 1/(2x)")
        );
        let escape = lint_json(r#"{"type":"expression","canonical":"\sqrt{2}","equivalence":"symbolic"}"#);
        assert_eq!(escape[0].rule, "json-syntax");
        assert!(escape[0].message.contains("double the backslash"), "{escape:?}");
    }

    #[test]
    fn messages_lead_to_the_form() {
        for (text, pointer, help) in [
            (r#"{"spec":{},"submission":{}}"#, "", "give what is under `spec` alone"),
            (
                r#"{"type":"numeric","answer":{"value":1},"units":"m"}"#,
                "/units",
                "perhaps you mean `unit`; otherwise remove it",
            ),
            (
                r#"{"type":"numeric","answer":{"value":1},"unit":"m"}"#,
                "/unit",
                r#"give an object such as `{"expected": "m"}`"#,
            ),
            (
                r#"{"type":"multiple_choice","choices":["a","b"]}"#,
                "/choices/0",
                r#"give an object such as `{"id": "a", "content": "Paris", "correct": true}`"#,
            ),
            (
                r#"{"type":"ordering","prompt":"p","items":[{"id":"a","content":1},{"id":"b","content":2}],"correctOrder":["a","b"],"partialCredit":true}"#,
                "/partialCredit",
                "use one of `none`, `adjacent_pairs`, `longest_subsequence`",
            ),
            (
                r#"{"type":"multiple_choice","choices":[{"id":"a","content":"x"},{"id":"b","content":"y","correct":true}]}"#,
                "/choices/0",
                "add `correct`, such as `true`",
            ),
            (
                r#"{"type":"multiple_choice","options":[]}"#,
                "",
                r#"add `choices`, such as `[{"id": "a", "content": "Paris", "correct": true}, ...]`"#,
            ),
            (
                r#"{"type":"free_text","gradingMode":"reviewer","points":3}"#,
                "/points",
                "remove it: a score is from 0 to 1, and the host's course decides how many points it is worth",
            ),
            (
                r#"{"type":"expression","canonical":"2x","equivalence":"symbolic","question":"?"}"#,
                "/question",
                "remove it: the question's text and metadata belong to the host",
            ),
        ] {
            let found = lint_json(text);
            assert_eq!((found[0].pointer.as_str(), found[0].help.as_str()), (pointer, help), "{text}");
        }
    }
}
