//! Reads views, submissions, results and contents, and checks submissions against views.

use fablegrade_public::json::{Document, Json};
use fablegrade_public::{
    AttemptResult, Content, DeliveryView, Error, Finding, Locale, Submission, completeness,
};

use crate::formula;
use crate::reply::{Given, Reply, finding, language, remark};

pub(crate) fn read(kind: &str, document: &str) -> Reply {
    let canonical = |given: Given, text: Result<String, Error>| match text {
        Ok(text) => Reply::ok(Json::build().with("json", text)),
        Err(error) => Reply::unreadable(given, &error),
    };
    match kind {
        "DeliveryView" => {
            canonical(Given::View, DeliveryView::from_json(document).map(|view| view.to_json()))
        }
        "Submission" => {
            let text = Submission::from_json(document).map(|submission| submission.to_json());
            canonical(Given::Submission, text)
        }
        "AttemptResult" => {
            let text = AttemptResult::from_json(document).map(|result| result.to_json());
            canonical(Given::Result, text)
        }
        _ => Reply::findings(
            Given::Arguments,
            &[Finding::error(
                "unknown-word",
                "/kind",
                "there is no public document of this kind",
                "use `DeliveryView`, `Submission` or `AttemptResult`",
            )],
        ),
    }
}

/// Returns the view, and the submission if the view's rules allow it, or the reply that explains the refusal.
/// Formulas are not parsed.
fn read_and_check(view: &str, submission: &str, locale: Locale) -> Result<(DeliveryView, Submission), Reply> {
    let view = DeliveryView::from_json(view).map_err(|error| Reply::unreadable(Given::View, &error))?;
    let submission = Submission::from_json(submission)
        .map_err(|error| Reply::unreadable_submission(view.question_type(), &error, locale))?;
    view.admit(&submission).map_err(|refusal| Reply::refused(&refusal, locale))?;
    Ok((view, submission))
}

pub(crate) fn validate(view: &str, submission: &str, locale: &str) -> Reply {
    let checked = language(locale).and_then(|locale| {
        let (view, submission) = read_and_check(view, submission, locale)?;
        if let (DeliveryView::Expression(view), Submission::Expression(submission)) = (&view, &submission) {
            let read = formula::read_for(view, &submission.latex);
            read.map_err(|error| Reply::refused_formula(&error, &submission.latex, locale))?;
        }
        Ok(Reply::ok(Json::build().with("json", submission.to_json())))
    });
    checked.unwrap_or_else(|reply| reply)
}

/// Returns remarks to show to the learner before the submission is sent.
pub(crate) fn check_completeness(view: &str, submission: &str, locale: &str) -> Reply {
    let checked = language(locale).and_then(|locale| {
        let (view, submission) = read_and_check(view, submission, locale)?;
        let mut remarks = completeness::of(&view, &submission);
        if let (DeliveryView::Expression(view), Submission::Expression(submission)) = (&view, &submission) {
            let read = formula::read_for(view, &submission.latex)
                .map_err(|error| Reply::refused_formula(&error, &submission.latex, locale))?;
            remarks.extend(formula::remarks(view, &read));
        }
        let remarks = remarks.iter().map(|found| remark(found, locale));
        Ok(Reply::ok(Json::build().with("remarks", Json::array(remarks))))
    });
    checked.unwrap_or_else(|reply| reply)
}

/// Returns a result in which the graders' messages are translated to another language.
pub(crate) fn translate(result: &str, locale: &str) -> Reply {
    let locale = match language(locale) {
        Ok(locale) => locale,
        Err(reply) => return reply,
    };
    match AttemptResult::from_json(result) {
        Ok(mut result) => {
            result.translate(locale);
            Reply::ok(Json::build().with("json", result.to_json()))
        }
        Err(error) => Reply::unreadable(Given::Result, &error),
    }
}

pub(crate) fn lint(view: &str) -> Reply {
    match DeliveryView::from_json(view) {
        Ok(view) => Reply::ok(Json::build().with("findings", Json::array(view.lint().iter().map(finding)))),
        Err(error) => Reply::unreadable(Given::View, &error),
    }
}

pub(crate) fn count_words(content: &str) -> Reply {
    match Document::parse(content.as_bytes()).and_then(|document| document.read::<Content>()) {
        Ok(content) => {
            Reply::ok(Json::build().with("words", content.count_words()).with("math", content.has_math()))
        }
        Err(error) => Reply::unreadable(Given::Content, &error),
    }
}
