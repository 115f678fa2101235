//! Scenarios of the hot paths.

use std::hint::black_box;

use fablegrade_core::json::Document;
use fablegrade_core::request::{Documents, Request};
use fablegrade_core::{AnswerSpec, Findings, Grader, Matcher, deliver, graders::Graders, lint_json};
use fablegrade_math::{Options, Reference, compare};

/// A closure that does the work of a scenario once.
pub type Run = Box<dyn FnMut()>;

/// A hot path to measure.
pub struct Scenario {
    /// The name, with its group: `grade/numeric`.
    pub name: String,
    prepare: Box<dyn Fn() -> Run>,
}

impl Scenario {
    /// Prepares the work. The preparation is not measured.
    pub fn prepare(&self) -> Run {
        (self.prepare)()
    }
}

impl std::fmt::Debug for Scenario {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scenario").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A question of each type, with an answer to it.
const QUESTIONS: [(&str, &str, &str); 8] = [
    (
        "multiple_choice",
        r#"{"type":"multiple_choice","multipleSelect":true,"partialCredit":true,"choices":[{"id":"a","content":"Mercury","correct":true},{"id":"b","content":"Venus","correct":true},{"id":"c","content":"Titan","correct":false,"feedback":"A moon of Saturn."},{"id":"d","content":"Ceres","correct":false}]}"#,
        r#"{"type":"multiple_choice","selectedChoiceIds":["a","c"]}"#,
    ),
    (
        "numeric",
        r#"{"type":"numeric","answer":{"value":9.81,"tolerance":{"mode":"relative","amount":0.01}},"unit":{"expected":"m/s^2","required":true}}"#,
        r#"{"type":"numeric","value":9.8,"unit":"m/s^2"}"#,
    ),
    (
        "expression",
        r#"{"type":"expression","canonical":"\\frac{-b+\\sqrt{b^2-4ac}}{2a}","equivalence":"symbolic","variables":[{"name":"a"},{"name":"b"},{"name":"c"}]}"#,
        r#"{"type":"expression","latex":"\\frac{\\sqrt{b^2-4ac}-b}{2a}"}"#,
    ),
    (
        "free_text",
        r#"{"type":"free_text","maxWords":200,"rubric":[{"criterion":"names the cause","points":2},{"criterion":"names the effect","points":1}],"gradingMode":"self_assess"}"#,
        r#"{"type":"free_text","content":"The tide follows the moon because its pull is stronger on the near side.","selfAssessment":[true,false]}"#,
    ),
    (
        "code",
        r#"{"type":"code","languages":["python"],"testSuites":[{"name":"hidden","visibility":"hidden","cases":[{"input":"1 2\n","expected":"3\n"},{"input":"-5 5\n","expected":"0\n"}]}],"limits":{}}"#,
        r#"{"type":"code","language":"python","source":"print(sum(map(int, input().split())))"}"#,
    ),
    (
        "ordering",
        r#"{"type":"ordering","items":[{"id":"a","content":"Mercury"},{"id":"b","content":"Venus"},{"id":"c","content":"Earth"},{"id":"d","content":"Mars"}],"correctOrder":["a","b","c","d"],"partialCredit":"longest_subsequence"}"#,
        r#"{"type":"ordering","order":["b","a","c","d"]}"#,
    ),
    (
        "matching",
        r#"{"type":"matching","left":[{"id":"a","content":"1"},{"id":"b","content":"2"},{"id":"c","content":"3"}],"right":[{"id":"x","content":"I"},{"id":"y","content":"II"},{"id":"z","content":"III"}],"correctPairs":[{"left":"a","right":"x"},{"left":"b","right":"y"},{"left":"c","right":"z"}],"partialCredit":true}"#,
        r#"{"type":"matching","pairs":[{"left":"a","right":"x"},{"left":"b","right":"z"},{"left":"c","right":"y"}]}"#,
    ),
    (
        "widget",
        r#"{"type":"widget","widgetName":"number-line","widgetVersion":"1.2.3","validator":{"kind":"state_equals","expectedState":{"x":0.5,"marks":[1,2,3]}}}"#,
        r#"{"type":"widget","state":{"marks":[1,2,3],"x":0.5}}"#,
    ),
];

/// Widgets that the standard validators judge, each with an answer to it.
const VALIDATED: [(&str, &str, &str); 6] = [
    (
        "short_text",
        r#"{"alternatives":[{"text":"photosynthesis"},{"text":"assimilation","weight":"1/2"}],"reject":[{"text":"respiration"}],"edits":{"limits":[{"from":5,"edits":1},{"from":10,"edits":2}]}}"#,
        r#"{"text":"Fotosynthesis"}"#,
    ),
    (
        "number_text",
        r#"{"answers":[{"value":"9.81 m/s^2","tolerance":{"relative":0.01}}],"significantFigures":{"exact":3},"units":{"mode":"convert"}}"#,
        r#"{"text":"981 cm/s^2"}"#,
    ),
    ("form", r#"{"expression":"x^2-5x+6","form":"factored","variable":"x"}"#, r#"{"latex":"(x-2)(x-3)"}"#),
    (
        "choice_weights",
        r#"{"options":[{"id":"a","weight":"1/3"},{"id":"b","weight":"2/3"},{"id":"c","weight":-0.5}]}"#,
        r#"{"selected":["a","b"]}"#,
    ),
    (
        "order_graph",
        r#"{"items":["a","b","c","d"],"before":[["a","b"],["a","c"],["c","d"]],"credit":"edits"}"#,
        r#"{"order":["a","c","d","b"]}"#,
    ),
    (
        "blanks",
        r#"{"blanks":[{"id":"a","validator":"short_text","config":{"alternatives":[{"text":"gravity"}]}},{"id":"b","validator":"number_text","config":{"answers":[{"value":"2"}]}}]}"#,
        r#"{"blanks":{"a":"gravity","b":"2"}}"#,
    ),
];

/// Pairs of expressions, named by the way in which they are decided.
const PAIRS: [(&str, &str, &str); 6] = [
    ("same", "x+1", "1+x"),
    ("normal-form", r"\frac{x^2-1}{x-1}", "x+1"),
    ("identity", r"\sin 2x", r"2\sin x\cos x"),
    ("refuted", r"\sqrt{x^2}", "x"),
    ("constant", r"\sqrt{3+2\sqrt 2}", r"1+\sqrt 2"),
    ("precision", r"\int_0^1 x^2\,dx", r"\frac13"),
];

/// Returns all scenarios, always in the same order.
pub fn scenarios() -> Vec<Scenario> {
    let mut all = Vec::new();
    let mut add = |name: String, prepare: Box<dyn Fn() -> Run>| all.push(Scenario { name, prepare });
    for (name, spec, submission) in QUESTIONS {
        let line = move || format!(r#"{{"id":1,"spec":{spec},"submission":{submission}}}"#);
        // The baseline: serde_json parses and prints the same text.
        add(
            format!("parse-and-print/{name}"),
            Box::new(move || {
                let line = line();
                Box::new(move || {
                    let value: serde_json::Value = serde_json::from_str(black_box(&line)).expect("JSON");
                    black_box(value.to_string());
                })
            }),
        );
        // The cost of a line of a batch: text in, text out, with a known spec.
        add(
            format!("line/{name}"),
            Box::new(move || {
                let (line, mut graders) = (line(), Graders::new(1));
                Box::new(move || {
                    let document = Document::parse(black_box(line.as_bytes())).expect("JSON");
                    let mut findings = Findings::new();
                    let request = Request::split(document.root(), &mut findings);
                    let result =
                        request.grade_with(&mut graders, findings, |answer, grader| answer.grade(grader));
                    black_box(result.expect("a result").to_json());
                })
            }),
        );
        add(
            format!("grade/{name}"),
            Box::new(move || {
                let grader = Grader::from_json(spec).expect("a spec");
                Box::new(move || {
                    let submission = Some(black_box(submission.as_bytes()));
                    let answer =
                        Documents { submission, ..Documents::default() }.read().expect("a submission");
                    black_box(answer.grade(&grader).expect("a result").to_json());
                })
            }),
        );
        add(
            format!("compile/{name}"),
            Box::new(move || {
                Box::new(move || {
                    black_box(Grader::from_json(black_box(spec)).expect("a spec"));
                })
            }),
        );
        add(
            format!("deliver/{name}"),
            Box::new(move || {
                let parsed = AnswerSpec::from_json(spec).expect("a spec");
                Box::new(move || {
                    black_box(deliver(&parsed, black_box("learner 7")).to_json());
                })
            }),
        );
        add(
            format!("lint/{name}"),
            Box::new(move || {
                Box::new(move || {
                    black_box(lint_json(black_box(spec)));
                })
            }),
        );
    }
    for (name, config, state) in VALIDATED {
        add(
            format!("validate/{name}"),
            Box::new(move || {
                let spec = format!(
                    r#"{{"type":"widget","widgetName":"answer","widgetVersion":"1.2.3","validator":{{"kind":"builtin","name":"{name}","config":{config}}}}}"#
                );
                let submission = format!(r#"{{"type":"widget","state":{state}}}"#);
                let grader =
                    Grader::from_json_with(spec, &fablegrade_validators::standard()).expect("a spec");
                Box::new(move || {
                    let submission = Some(black_box(submission.as_bytes()));
                    let answer =
                        Documents { submission, ..Documents::default() }.read().expect("a submission");
                    black_box(answer.grade(&grader).expect("a result").to_json());
                })
            }),
        );
    }
    for (word, matcher) in Matcher::WORDS {
        add(
            format!("match/{word}"),
            Box::new(move || {
                let numbers: Vec<String> =
                    (0..1_000).map(|at| format!("{}.{at:03}", at * 37 % 1_000)).collect();
                let text = match matcher {
                    Matcher::Json => format!("[{}]", numbers.join(",")),
                    _ => numbers.join(" "),
                };
                Box::new(move || {
                    assert!(matcher.accepts(black_box(text.as_bytes()), black_box(text.as_bytes()), None));
                })
            }),
        );
    }
    for (name, a, b) in PAIRS {
        add(
            format!("compare/{name}"),
            Box::new(move || {
                Box::new(move || {
                    black_box(compare(black_box(a), black_box(b), &Options::new()).expect("readable"));
                })
            }),
        );
        add(
            format!("compare-compiled/{name}"),
            Box::new(move || {
                let reference = Reference::new(a, &Options::new()).expect("readable");
                Box::new(move || {
                    black_box(reference.compare_latex(black_box(b)).expect("readable"));
                })
            }),
        );
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_scenario_runs_and_has_a_name_of_its_own() {
        let mut names = BTreeSet::new();
        for scenario in scenarios() {
            scenario.prepare()();
            assert!(names.insert(scenario.name.clone()), "{}", scenario.name);
        }
        assert!(names.len() > 60, "{}", names.len());
    }
}
