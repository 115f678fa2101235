//! Views, submissions, results and contents: read, checked against each other, counted.

use fablegrade_public::json::{Document, Json};
use fablegrade_public::{AttemptResult, Content, DeliveryView, Error, Finding, Refusal, Submission};

use crate::formula;
use crate::reply::{Given, Reply, finding};

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

pub(crate) fn validate(view: &str, submission: &str) -> Reply {
    let view = match DeliveryView::from_json(view) {
        Ok(view) => view,
        Err(error) => return Reply::unreadable(Given::View, &error),
    };
    let submission = match Submission::from_json(submission) {
        Ok(submission) => submission,
        Err(error) => return Reply::unreadable(Given::Submission, &error),
    };
    if let Err(refusal) = view.admit(&submission) {
        return Reply::refused(&refusal);
    }
    if let (DeliveryView::Expression(view), Submission::Expression(submission)) = (&view, &submission)
        && let Err(error) = formula::read_for(view, &submission.latex)
    {
        let refusal = Refusal::new("unreadable-formula", error.for_learner(&submission.latex));
        return Reply::refused_formula(&refusal, &error, &submission.latex);
    }
    Reply::ok(Json::build().with("json", submission.to_json()))
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
