//! CodeRunner questions that judge a whole program by its output.

use fablegrade_public::{Decimal, Ratio};

use super::question::{Question, normal_number};
use super::xml::{Reading, plain_text};
use crate::item::{Interaction, Item, Part, Program, ProgramCase};
use crate::loss::Loss;

/// CodeRunner's built-in question types for whole programs, with their languages.
const PROGRAMS: &[(&str, &str)] = &[
    ("python3", "python"),
    ("python3_w_input", "python"),
    ("c_program", "c"),
    ("cpp_program", "cpp"),
    ("java_program", "java"),
    ("nodejs", "javascript"),
];

/// Converts a CodeRunner question to an item.
pub(super) fn item(reading: &Reading<'_>, question: Question, id: &str) -> Item {
    let mut item = super::item(question, id);
    match program(reading, &mut item.losses) {
        Ok(program) => {
            item.parts.push(Part::new("answer", Interaction::Program(program), reading.place.clone()));
        }
        Err(loss) => item.losses.push(loss),
    }
    item
}

fn program(reading: &Reading<'_>, losses: &mut Vec<Loss>) -> Result<Program, Loss> {
    let value = |name: &str| reading.value(name).unwrap_or_default();
    let lost = |rule, message: String, suggestion: &str| {
        Err(Loss::score(reading.place.clone(), rule, message, suggestion))
    };
    if !matches!(&*value("prototypetype"), "" | "0") {
        return lost(
            "prototype",
            "this defines a type of questions and asks nothing".to_owned(),
            "leave it out",
        );
    }
    let kind = value("coderunnertype");
    if !value("template").is_empty() {
        return lost(
            "template",
            "a program of the author judges or completes the answer".to_owned(),
            "write test cases for standard input and output",
        );
    }
    if !matches!(&*value("templateparams"), "" | "{}" | "[]") && value("twigall") == "1" {
        return lost("template", "its texts are made by a template".to_owned(), "write them out");
    }
    let grader = value("grader");
    let matcher = match &*grader {
        "" | "EqualityGrader" => "trimmed_lines",
        "NearEqualityGrader" => {
            losses.push(Loss::score(
                reading.place.clone(),
                "near-equality",
                "the source system ignores case and the number of blanks; Fablegrade ignores only the number of blanks",
                "tell learners to keep the case of letters",
            ));
            "tokens"
        }
        other => {
            return lost(
                "grader",
                format!("there is no counterpart of the grader `{other}`"),
                "compare outputs",
            );
        }
    };
    let Some((_, language)) = PROGRAMS.iter().find(|(name, _)| *name == kind) else {
        return lost(
            "coderunner-type",
            format!("answers of the type `{kind}` are parts of a program of the author"),
            "ask for a whole program, or for a function of JSON values",
        );
    };
    let mut cases = Vec::new();
    for element in reading.root.child("testcases").into_iter().flat_map(|cases| cases.named("testcase")) {
        let text = |name: &str| element.child(name).map(plain_text).unwrap_or_default();
        if !text("testcode").is_empty() {
            return Err(Loss::score(
                reading.at(element),
                "test-code",
                "a test case runs code of the author after the answer",
                "judge by standard input and output, or ask for a function of JSON values",
            ));
        }
        // A precheck does not count towards the mark.
        if element.attribute("testtype") == Some("1") {
            losses.push(Loss::display(
                reading.at(element),
                "precheck",
                "the test to try the code with is left out",
                "show it in the text",
            ));
            continue;
        }
        let mark =
            element.attribute("mark").and_then(normal_number).and_then(|mark| Decimal::from_text(&mark).ok());
        let weight = mark.map_or_else(Ratio::one, |mark| Ratio::from_decimal(&mark));
        let shown = text("display");
        let example = element.attribute("useasexample") == Some("1");
        cases.push(ProgramCase {
            input: raw_text(element, "stdin"),
            expected: raw_text(element, "expected"),
            weight,
            public: example || shown == "SHOW" || shown.is_empty(),
            matcher,
        });
    }
    if cases.is_empty() {
        return lost("no-cases", "there is no test case".to_owned(), "add one");
    }
    let starter = reading.root.child("answerpreload").map(|one| one.text().into_owned());
    let seconds = value("cputimelimitsecs").parse::<u32>().ok();
    Ok(Program {
        language: (*language).to_owned(),
        function: None,
        starter: starter.filter(|text| !text.trim().is_empty()),
        cases,
        all_or_nothing: value("allornothing") != "0",
        time_ms: seconds.filter(|seconds| *seconds > 0).map(|seconds| seconds.saturating_mul(1_000)),
        memory_mb: value("memlimitmb").parse().ok().filter(|memory| *memory > 0),
    })
}

/// Returns the untrimmed text of a child element; empty if there is none.
fn raw_text(case: crate::xml::Element<'_>, name: &str) -> String {
    let Some(element) = case.child(name) else { return String::new() };
    element.child("text").unwrap_or(element).text().into_owned()
}
