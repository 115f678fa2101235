//! States and times of answers.

use fablegrade_core::Error;
use fablegrade_core::json::Value;

use super::error::{invalid, missing, wrong_type};
use crate::sitting::{AnswerState, Score};

pub(super) fn read_state(result: Value<'_>) -> Result<AnswerState, Error> {
    if result.text() == "null" {
        return Ok(AnswerState::Blank);
    }
    if !result.is_object() {
        return Err(wrong_type("/result", "an object, or null for a blank answer"));
    }
    let (mut verdict, mut score) = (None, None);
    for (key, value) in result.fields() {
        match key.as_ref() {
            "verdict" => verdict = value.str(),
            "score" => {
                score = Some(value.to_f64().ok_or_else(|| wrong_type("/result/score", "a number"))?);
            }
            _ => {}
        }
    }
    state_of(&verdict.ok_or_else(|| missing("/result", "verdict"))?, score)
}

pub(super) fn state_of(verdict: &str, score: Option<f64>) -> Result<AnswerState, Error> {
    match verdict {
        "correct" | "partial" | "incorrect" => {
            let score = score.ok_or_else(|| missing("/result", "score"))?;
            // A correct answer can have a score of 0, because of penalties. An incorrect answer never has points.
            if verdict == "incorrect" && score > 0.0 {
                let message = "an incorrect answer has no points";
                return Err(invalid(
                    "score-contradicted",
                    "/result/score",
                    message,
                    "correct the verdict or the score",
                ));
            }
            let score = Some(score).filter(|score| (0.0..=1.0).contains(score)).and_then(Score::from_f64);
            score.map(AnswerState::Scored).ok_or_else(|| {
                invalid(
                    "out-of-range",
                    "/result/score",
                    "a score is between 0 and 1",
                    "divide the points by the maximum",
                )
            })
        }
        "error" => Ok(AnswerState::Refused),
        "pending" => Ok(AnswerState::Pending),
        other => Err(invalid(
            "unknown-word",
            "/result/verdict",
            format!("{other:?} is not a verdict"),
            "use correct, partial, incorrect, pending or error",
        )),
    }
}

pub(super) fn read_seconds(value: Value<'_>, pointer: &str) -> Result<u32, Error> {
    let seconds = value.to_f64().ok_or_else(|| wrong_type(pointer, "a number of seconds"))?;
    millis_of(seconds).ok_or_else(|| {
        let message = "the time is not between 0 and 86,400 seconds";
        invalid("out-of-range", pointer, message, "give the time in seconds, or leave it out")
    })
}

/// Converts seconds to milliseconds. `None` for a negative time or more than a day.
pub(super) fn millis_of(seconds: f64) -> Option<u32> {
    (0.0..=86_400.0).contains(&seconds).then(|| libm::rint(seconds * 1_000.0) as u32)
}
