//! Compares the scores that a legacy package can give with those that it declares.

use fablegrade_public::Ratio;

use crate::data::{Case, Child, Group, Rules};
use crate::grader::{Grade, default_grade};
use crate::package::Report;
use crate::problem::Problem;
use crate::verdict::Verdict;

/// Compares the `range` of each group with the score of a submission that is accepted on all cases. Only fixed scores
/// can be compared: those of default graders, without custom validators.
pub(crate) fn check(problem: &Problem, groups: &[Group], cases: &[Case], report: &mut Report) {
    if problem.validator_scores || problem.custom_validation {
        return;
    }
    // Groups follow their parents, so in reverse order the scores of children are known.
    let mut scores: Vec<Option<Ratio>> = vec![None; groups.len()];
    for (at, group) in groups.iter().enumerate().rev() {
        let Rules::Grader(rules) = &group.rules else { return };
        let child = |child: &Child| match child {
            Child::Case(at) => cases.get(*at).map(|_| rules.accept_score.clone()),
            Child::Group(at) => scores.get(*at).cloned().flatten(),
        };
        let children: Option<Vec<Grade>> =
            group.children.iter().map(|one| Some(Grade::new(Verdict::Accepted, child(one)?))).collect();
        let Some(children) = children.filter(|_| !rules.custom) else { continue };
        let flags: Vec<String> =
            rules.grader_flags.iter().filter(|flag| at == 0 || *flag != "ignore_sample").cloned().collect();
        let score = default_grade(&flags, &children).score;
        let place = format!("data/{}", group.path);
        let place = place.trim_end_matches('/');
        let best = if problem.minimize { &rules.range.0 } else { &rules.range.1 };
        let within = rules.range.0.as_ref().is_none_or(|least| *least <= score)
            && rules.range.1.as_ref().is_none_or(|most| score <= *most);
        if !within {
            let message =
                format!("a submission that is accepted everywhere gets {score}, outside of `range`");
            report.error(
                "score-outside-range",
                place,
                &message,
                "correct `range`, `accept_score` or `grader_flags`",
            );
        } else if best.as_ref().is_some_and(|best| *best != score) && !group.children.is_empty() {
            let message =
                format!("a submission that is accepted everywhere gets {score}, not the best of `range`");
            report.warning(
                "unreachable-score",
                place,
                &message,
                "correct `range`, `accept_score` or `grader_flags`",
            );
        }
        if let Some(place) = scores.get_mut(at) {
            *place = Some(score);
        }
    }
}
