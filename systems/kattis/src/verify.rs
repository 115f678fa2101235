//! Checks that the jury's submissions have the expected results.

use std::time::Duration;

use crate::Package;
use crate::expectation::{Expectation, Expected, LegacyFolder, Submission, VerdictSet};
use crate::judge::Judgement;
use crate::limit::{Closeness, TimeLimit, closeness};
use crate::verdict::Verdict;

/// The result of checking a submission of the jury.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Descriptions of unmet expectations; empty if all are met.
    pub unmet: Vec<String>,
    /// Warnings about verdicts that depend on the time limit.
    pub warnings: Vec<String>,
    /// The reason why it could not be judged completely on this host; `None` if it was.
    pub undecided: Option<String>,
}

/// Compares the judgement of a submission at the time limit with the expectations. Adds warnings if its verdict at the
/// safety limit differs, or if a time is close to the limit.
pub fn check(
    package: &Package,
    submission: &Submission,
    at_limit: &Judgement,
    at_safety: &Judgement,
    limit: &TimeLimit,
) -> Checked {
    let mut checked = Checked { unmet: Vec::new(), warnings: Vec::new(), undecided: None };
    match at_limit.verdict {
        None => {
            checked.undecided = Some("not all cases were run".into());
            return checked;
        }
        Some(_) if at_limit.unsupported => {
            checked.undecided.clone_from(&at_limit.problem);
            return checked;
        }
        Some(Verdict::JudgeError | Verdict::CompileError) => {
            let reason = at_limit.problem.clone().unwrap_or_else(|| "judge error".into());
            checked.unmet.push(reason);
            return checked;
        }
        Some(_) => {}
    }
    match &submission.expected {
        Expected::Folder(folder) => legacy(package, *folder, at_limit, &mut checked),
        Expected::All(all) => {
            for one in all {
                expectation(package, one, at_limit, &mut checked);
            }
        }
    }
    if at_limit.verdict != at_safety.verdict {
        let word = |judgement: &Judgement| judgement.verdict.map_or("none", Verdict::as_str);
        checked.warnings.push(format!(
            "{} at {:.3} s, {} at {:.3} s",
            word(at_limit),
            limit.limit.as_secs_f64(),
            word(at_safety),
            limit.safety.as_secs_f64()
        ));
    }
    let close = package.cases.iter().zip(&at_limit.cases).filter_map(|(case, result)| {
        let time = result.as_ref()?.time;
        (closeness(time, limit.limit) == Closeness::Close).then_some((case, time))
    });
    if let Some((case, time)) = close.max_by_key(|(_, time)| *time) {
        checked.warnings.push(format!("{}: {:.3} s is close to the limit", case.name, time.as_secs_f64()));
    }
    checked
}

fn cases<'j>(
    package: &'j Package,
    judgement: &'j Judgement,
) -> impl Iterator<Item = (&'j str, Verdict, Duration)> + Clone {
    package.cases.iter().zip(&judgement.cases).filter_map(|(case, result)| {
        let result = result.as_ref()?;
        Some((case.name.as_str(), result.verdict.coarse(), result.time))
    })
}

fn legacy(package: &Package, folder: Option<LegacyFolder>, judgement: &Judgement, checked: &mut Checked) {
    use Verdict::{Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};
    let all = cases(package, judgement);
    let first = |verdict: Verdict| {
        all.clone().find(|(_, found, _)| *found == verdict).map(|(name, ..)| name.to_owned())
    };
    let mut never = |verdict: Verdict| {
        if let Some(case) = first(verdict) {
            checked.unmet.push(format!("{verdict} on {case}"));
        }
    };
    let needs = match folder {
        None => return,
        Some(LegacyFolder::Accepted) => {
            [WrongAnswer, TimeLimitExceeded, RunTimeError].into_iter().for_each(&mut never);
            if judgement.verdict != Some(Accepted) && checked.unmet.is_empty() {
                checked.unmet.push("the verdict is not AC".into());
            }
            None
        }
        Some(LegacyFolder::PartiallyAccepted) => {
            if judgement.verdict != Some(Accepted) {
                let verdict = judgement.verdict.map_or("none", Verdict::as_str);
                checked.unmet.push(format!("the verdict is {verdict}, not AC"));
            } else if package.max_score().is_some() && judgement.score == package.max_score() {
                checked.unmet.push("the score is the best there is".into());
            }
            None
        }
        Some(LegacyFolder::WrongAnswer) => {
            [TimeLimitExceeded, RunTimeError].into_iter().for_each(&mut never);
            Some(WrongAnswer)
        }
        Some(LegacyFolder::TimeLimitExceeded) => {
            never(RunTimeError);
            Some(TimeLimitExceeded)
        }
        Some(LegacyFolder::RunTimeError) => Some(RunTimeError),
    };
    if let Some(verdict) = needs
        && first(verdict).is_none()
    {
        checked.unmet.push(format!("{verdict} on no case that was run"));
    }
}

fn expectation(package: &Package, one: &Expectation, judgement: &Judgement, checked: &mut Checked) {
    let covered = cases(package, judgement).filter(|(name, ..)| one.covers(name));
    if let Some((name, verdict, _)) =
        covered.clone().find(|(_, verdict, _)| !one.permitted.contains(*verdict))
    {
        checked.unmet.push(format!("{verdict} on {name}; {} permits {}", one.from, one.permitted));
    }
    if one.required != VerdictSet::ALL
        && !covered.clone().any(|(_, verdict, _)| one.required.contains(verdict))
    {
        checked.unmet.push(format!("{} on no case; {} requires it", one.required, one.from));
    }
    if let Some((least, most)) = &one.score {
        let group = one.cases.as_ref().map(|glob| {
            let of_group = |at: usize| judgement.groups.get(at).and_then(|group| group.score.clone());
            package.groups.iter().position(|group| glob.matches(&group.path)).and_then(of_group)
        });
        let score = group.unwrap_or_else(|| judgement.score.clone());
        match score {
            Some(score) if *least <= score && score <= *most => {}
            Some(score) => {
                checked.unmet.push(format!("score {score}; {} expects {least} to {most}", one.from))
            }
            None => checked.unmet.push(format!("no score; {} expects {least} to {most}", one.from)),
        }
    }
    if let Some(message) = &one.message {
        let results = package.cases.iter().zip(&judgement.cases).filter(|(case, _)| one.covers(&case.name));
        let said = results.filter_map(|(_, result)| result.as_ref()?.judge_message.as_ref());
        if !said.into_iter().any(|said| said.contains(message.as_str())) {
            checked.unmet.push(format!("no `judgemessage.txt` has the message of {}", one.from));
        }
    }
}
