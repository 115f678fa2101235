//! Typed numbers: the first answer that fits decides, and only some notations are accepted.

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Ratio};

use super::{Widget, list, markdown, string, truth};
use crate::item::{Interaction, NumberAnswer, NumberEntry, NumberRange, Unit};
use crate::moodle::question::normal_number;

fn decimal(json: &Json) -> Option<Decimal> {
    match json {
        Json::Number(number) => Some(number.clone()),
        Json::String(text) => Decimal::from_text(&normal_number(text)?).ok(),
        _ => None,
    }
}

/// The accepted notations of a right number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Written {
    decimal: bool,
    fraction: bool,
    /// Whether the source accepts mixed numbers such as `1 1/2`; Fablegrade never does.
    mixed: bool,
    /// Whether these fields and percentages are the only accepted forms.
    exactly: bool,
}

impl Written {
    const ANY: Self = Self { decimal: true, fraction: true, mixed: true, exactly: true };

    /// Returns the notations for the forms of an answer.
    ///
    /// `decimals_are_integers` is false for an exact old `input-number`, which distinguishes integers from decimals.
    fn of(forms: &[&str], value: &Decimal, decimals_are_integers: bool) -> Self {
        let has = |form: &str| forms.contains(&form);
        let small = value.abs() < Decimal::one();
        Self {
            decimal: has("decimal") || (has("integer") && (decimals_are_integers || value.is_integer())),
            fraction: has(if small { "proper" } else { "improper" }),
            mixed: has("mixed"),
            exactly: forms.iter().all(|form| {
                matches!(*form, "integer" | "decimal" | "proper" | "improper" | "mixed" | "percent")
            }),
        }
    }
}

/// Returns the forms for an answer type of an old `input-number`.
fn forms_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "decimal" => &["decimal"],
        "integer" => &["integer"],
        "rational" => &["integer", "proper", "improper", "mixed"],
        "improper" => &["integer", "proper", "improper"],
        "mixed" => &["integer", "proper", "mixed"],
        "percent" => &["integer", "decimal", "proper", "improper", "mixed", "percent"],
        "pi" => &["pi"],
        _ => &["integer", "decimal", "proper", "improper", "mixed"],
    }
}

impl Widget<'_> {
    /// Reads a `numeric-input`, or an `input-number` with one `value` or with `answers`.
    pub(super) fn number(&mut self) -> Option<Interaction> {
        let old;
        let is_old = self.options.get("answers").and_then(Json::as_array).is_none();
        let inexact = truth(self.options, "inexact", false);
        let kind = string(self.options, "answerType").to_owned();
        let answers: &[Json] = if is_old {
            let error = inexact.then(|| self.options.get("maxError").cloned()).flatten();
            old = [Json::build()
                .with_some("value", self.options.get("value").cloned())
                .with("status", "correct")
                .with_some("simplify", self.options.get("simplify").cloned())
                .with_some("maxError", error)
                .build()];
            &old
        } else {
            list(self.options, "answers")
        };
        let mut accepted = Vec::new();
        let mut ways: Vec<Written> = Vec::new();
        let mut simplified: Vec<bool> = Vec::new();
        let mut small = true;
        for answer in answers {
            let Some(value) = answer.get("value").and_then(decimal) else {
                if matches!(answer.get("value"), None | Some(Json::Null)) {
                    continue;
                }
                return None;
            };
            let status = string(answer, "status");
            if status == "ungraded" {
                self.display_loss(
                    "ungraded-answer",
                    "the source system does not grade an answer after which learners try again",
                    "tell it in the text",
                );
            }
            let right = matches!(status, "correct" | "");
            let given: Vec<&str> = list(answer, "answerForms").iter().filter_map(Json::as_str).collect();
            let forms: &[&str] = if is_old { forms_of(&kind) } else { &given };
            if forms.contains(&"pi") {
                self.score_loss(
                    "pi-form",
                    "the source system accepts multiples of pi",
                    "ask for an expression",
                );
            }
            if right {
                let all = !is_old && (!truth(answer, "strict", false) || forms.is_empty());
                ways.push(if all { Written::ANY } else { Written::of(forms, &value, !is_old || inexact) });
                // Fractions must be reduced unless `simplify` is `optional`; without `simplify`, they must be too.
                simplified.push(string(answer, "simplify") != "optional");
                small &= value.abs() <= Decimal::one();
            }
            let error = answer.get("maxError").and_then(decimal).unwrap_or_else(Decimal::zero).abs();
            let range =
                if error.is_zero() { NumberRange::Exact(value) } else { NumberRange::Absolute(value, error) };
            let told = markdown(string(answer, "message"));
            accepted.push(NumberAnswer {
                range,
                weight: Ratio::new(i64::from(right), 1),
                feedback: (!told.is_empty()).then_some(told),
            });
        }
        let (Some(way), Some(reduced)) = (ways.first().copied(), simplified.first().copied()) else {
            return None;
        };
        if truth(self.options, "coefficient", false) {
            self.score_loss(
                "coefficient",
                "an empty answer means 1, and a minus means -1",
                "state that 1 is to be written",
            );
        }
        if ways.iter().any(|other| *other != way) || simplified.iter().any(|other| *other != reduced) {
            self.score_loss(
                "answer-forms",
                "each right number has its own notations; in Fablegrade, those of the first apply to all",
                "name them in the text",
            );
        }
        let (fractions, notation) = match way {
            Written { decimal: true, fraction: false, .. } => ("no", None),
            Written { decimal: false, fraction: true, .. } => {
                (if reduced { "reduced" } else { "yes" }, Some("fraction"))
            }
            _ => (if reduced { "reduced" } else { "yes" }, None),
        };
        if !way.exactly || !(way.decimal || way.fraction) {
            self.score_loss(
                "answer-forms",
                "the source system accepts only some notations of the number",
                "name them in the text",
            );
        }
        if way.mixed {
            self.display_loss(
                "number-spelling",
                "the source system accepts mixed numbers; Fablegrade refuses them instead of marking them wrong",
                "ask for a decimal or a fraction",
            );
        }
        // A percent sign divides by 100 if no right number exceeds 1; otherwise it is ignored. In an old question it
        // divides by 100 only with the answer type `percent`, and is wrong otherwise.
        let percent = if is_old { kind == "percent" } else { small };
        let sign = !is_old && !small;
        let units = sign.then(|| Json::build().with("mode", "same").with("optional", true).build());
        let writing = Json::build()
            .with("fractions", fractions)
            .with("grouping", ",")
            .with_some("notation", notation)
            .with_some("percent", percent.then_some(true))
            .with_some("units", units)
            .build();
        let unit = sign.then(|| Unit { expected: "%".to_owned(), accepted: Vec::new(), required: false });
        Some(Interaction::Number(NumberEntry {
            answers: accepted,
            integer: false,
            unit,
            writing: Some(writing),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::Question;
    use crate::format::Format;
    use crate::perseus::item;
    use fablegrade_core::{Grader, Submission, Verdict};
    use fablegrade_public::json::Json;

    fn question(kind: &str, options: &str) -> Question {
        let text = format!(
            r#"{{"question": {{"content": "[[☃ {kind} 1]]", "widgets": {{"{kind} 1": {{"type": "{kind}", "options": {options}}}}}}}}}"#
        );
        let item = item(&Json::parse(text.as_bytes()).unwrap(), "a", "");
        Question::compile(Format::Perseus, "a.json", item)
    }

    fn score(question: &Question, typed: &str) -> f64 {
        let responses = question.responses_from_json(&Json::build().with("*", typed).build());
        question.grader().unwrap().score(&responses).unwrap()
    }

    #[test]
    fn fractions_are_reduced_unless_the_word_is_optional() {
        let half = |simplify: &str| {
            let answer = format!(r#"{{"value": 0.5, "status": "correct"{simplify}}}"#);
            question("numeric-input", &format!(r#"{{"answers": [{answer}]}}"#))
        };
        for word in
            ["", r#", "simplify": false"#, r#", "simplify": "required""#, r#", "simplify": "correct""#]
        {
            assert_eq!(score(&half(word), "2/4"), 0.0, "{word}");
            assert_eq!(score(&half(word), "1/2"), 1.0, "{word}");
        }
        assert_eq!(score(&half(r#", "simplify": "optional""#), "2/4"), 1.0);
    }

    #[test]
    fn percents_are_hundredths_of_numbers_up_to_one() {
        let of = |value: &str| {
            question(
                "numeric-input",
                &format!(r#"{{"answers": [{{"value": {value}, "status": "correct"}}]}}"#),
            )
        };
        assert_eq!(score(&of("0.5"), "50%"), 1.0);
        assert_eq!(score(&of("0.5"), "0.5"), 1.0);
        assert_eq!(
            ["50%", "50", "50 %", "5%", "0.5"].map(|typed| score(&of("50"), typed)),
            [1.0, 1.0, 1.0, 0.0, 0.0]
        );
        let near =
            question("numeric-input", r#"{"answers": [{"value": 50, "status": "correct", "maxError": 1}]}"#);
        assert_eq!(["50.5%", "49", "48%"].map(|typed| score(&near, typed)), [1.0, 1.0, 0.0]);
    }

    #[test]
    fn the_kind_of_an_old_number_says_how_it_is_written() {
        let old = |kind: &str| {
            question(
                "input-number",
                &format!(r#"{{"value": 0.5, "answerType": "{kind}", "simplify": "optional"}}"#),
            )
        };
        let scores = |kind: &str| ["0.5", "1/2", "50%"].map(|typed| score(&old(kind), typed));
        assert_eq!(scores("number"), [1.0, 1.0, 0.0]);
        assert_eq!(scores("decimal"), [1.0, 0.0, 0.0]);
        assert_eq!(scores("rational"), [0.0, 1.0, 0.0]);
        assert_eq!(scores("percent"), [1.0, 1.0, 1.0]);
        assert!(old("pi").losses.iter().any(|loss| loss.rule == "pi-form"));
    }

    #[test]
    fn what_is_spelled_otherwise_is_refused_and_not_marked_wrong() {
        let right = question("numeric-input", r#"{"answers": [{"value": 50, "status": "correct"}]}"#);
        let host = fablegrade_validators::standard();
        let grader = Grader::from_json_with(right.specs[0].spec.to_canonical(), &host).unwrap();
        // Multiples of pi are reported as a loss if the source accepts them.
        for (typed, verdict) in [("49 2/2", Verdict::Error), ("16pi", Verdict::Incorrect)] {
            let responses = right.responses_from_json(&Json::build().with("*", typed).build());
            let submission = right.specs[0].submission(&responses).unwrap();
            let submission = Submission::from_json(submission.to_canonical()).unwrap();
            assert_eq!(grader.grade(&submission).verdict, verdict, "{typed}");
        }
    }
}
