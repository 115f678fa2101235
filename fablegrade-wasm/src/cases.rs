//! Judges public test cases by their outcomes, and compares single outputs.

use fablegrade_public::json::Json;
use fablegrade_public::judge::public_result;
use fablegrade_public::view::code::{CodeView, SuiteView};
use fablegrade_public::{CaseOutcome, CaseVerdict, Decimal, DeliveryView, End, Finding, Findings, Matcher};

use crate::reply::{Given, Reply};

pub(crate) fn preview(view: &str, outcomes: &str) -> Reply {
    let view = match DeliveryView::from_json(view) {
        Ok(DeliveryView::Code(view)) => view,
        Ok(_) => {
            let finding = Finding::error(
                "other-type",
                "/type",
                "only a code question has cases",
                "give the view of a code question",
            );
            return Reply::findings(Given::View, &[finding]);
        }
        Err(error) => return Reply::unreadable(Given::View, &error),
    };
    let outcomes = match CaseOutcome::list_from_json(outcomes) {
        Ok(outcomes) => outcomes,
        Err(error) => return Reply::unreadable(Given::Outcomes, &error),
    };
    let findings = check(&view, &outcomes);
    if findings.errors() > 0 {
        return Reply::findings(Given::Outcomes, findings.as_slice());
    }
    let (mut cases, mut passed, mut total, mut earned, mut points) = (Vec::new(), 0u32, 0u32, 0u64, 0u64);
    for suite in &view.test_suites {
        let SuiteView::Public { name, cases: list } = suite else { continue };
        for (case_index, case) in (0u32..).zip(list) {
            total += 1;
            points += u64::from(case.points);
            let Some(outcome) = find(&outcomes, name, case_index) else { continue };
            // A skipped case earns nothing and is not listed, as in a result.
            if outcome.end == End::Skipped {
                continue;
            }
            let (judgement, result) = public_result(name, case_index, case, view.harness.mode, outcome);
            if judgement.verdict == CaseVerdict::Passed {
                passed += 1;
                earned += u64::from(case.points);
            }
            cases.push(result.to_document());
        }
    }
    Reply::ok(
        Json::build()
            .with("cases", Json::array(cases))
            .with("passed", passed)
            .with("total", total)
            .with("earned", earned)
            .with("points", points),
    )
}

fn find<'a>(outcomes: &'a [CaseOutcome], suite: &str, case_index: u32) -> Option<&'a CaseOutcome> {
    outcomes.iter().find(|outcome| outcome.case_index == case_index && outcome.suite == suite)
}

/// Reports the outcomes that cannot be judged: those of hidden or unknown cases, and a second outcome of the same
/// case.
fn check(view: &CodeView, outcomes: &[CaseOutcome]) -> Findings {
    let mut findings = Findings::new();
    for (at, outcome) in outcomes.iter().enumerate() {
        let suite = view.test_suites.iter().find(|suite| suite.name() == outcome.suite);
        let (rule, message, help) = match suite {
            Some(SuiteView::Hidden { .. }) => (
                "hidden-suite",
                "the suite is hidden: its cases are not here",
                "judge hidden cases where the key is, with `conclude`",
            ),
            Some(SuiteView::Public { cases, .. }) if (outcome.case_index as usize) < cases.len() => {
                let again = outcomes[..at].iter().any(|earlier| {
                    earlier.suite == outcome.suite && earlier.case_index == outcome.case_index
                });
                if !again {
                    continue;
                }
                ("case-twice", "there is an outcome of this case already", "report each case once")
            }
            _ => ("unknown-case", "the view has no such case", "report the outcomes of the view's cases"),
        };
        findings.push(Finding::error(rule, format!("/{at}"), message, help));
    }
    findings
}

pub(crate) fn compare(matcher: &str, expected: &[u8], actual: &[u8], tolerance: &str) -> Reply {
    let Some(matcher) = Matcher::from_word(matcher) else {
        let finding = Finding::error(
            "unknown-word",
            "/matcher",
            "there is no such matcher",
            "use `exact`, `trimmed_lines`, `tokens`, `json` or `float_tolerance`",
        );
        return Reply::findings(Given::Arguments, &[finding]);
    };
    let tolerance = match tolerance {
        "" => None,
        text => match Decimal::from_text(text) {
            Ok(tolerance) if !tolerance.is_negative() => Some(tolerance),
            _ => {
                let finding = Finding::error(
                    "out-of-range",
                    "/tolerance",
                    "the tolerance must be a number of at least 0",
                    "write it like 0.000001",
                );
                return Reply::findings(Given::Arguments, &[finding]);
            }
        },
    };
    Reply::ok_document(matcher.compare(expected, actual, tolerance.as_ref()).to_json())
}
