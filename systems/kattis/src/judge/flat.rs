//! Verdicts and scores of 2025-09 packages: groups in `secret`, aggregation, required groups.

use fablegrade_public::Ratio;

use super::{Judgement, Judging};
use crate::case_result::{CaseResult, GivenScore, Terms, judge};
use crate::data::{Aggregation, Child, FlatRules, Rules};
use crate::job::{JobId, Outcome, Outcomes};
use crate::verdict::Verdict;

/// The score of a part of `secret`, once it is certain, and its lower and upper bounds; `None` as the upper
/// bound means unbounded.
type Part = (Option<Ratio>, (Ratio, Option<Ratio>));

/// The certain part of a 2025-09 group's result, and the jobs that are needed to complete it.
struct FlatGroup {
    verdict: Option<Verdict>,
    first_failure: Option<Verdict>,
    score: Option<Ratio>,
    bounds: (Ratio, Option<Ratio>),
    needs: Vec<JobId>,
    reason: String,
}

impl Default for FlatGroup {
    fn default() -> Self {
        let bounds = (Ratio::zero(), Some(Ratio::zero()));
        Self {
            verdict: None,
            first_failure: None,
            score: None,
            bounds,
            needs: Vec::new(),
            reason: String::new(),
        }
    }
}

impl Judging<'_> {
    /// Returns whether the first failure in the order of judging is the result. Later outcomes are then ignored, even
    /// if they are known, so the result does not depend on the order in which jobs end.
    fn first_failure_decides(&self) -> bool {
        !self.package.problem.kind.scoring && !self.options.all_cases
    }

    pub(super) fn flat(&self, outcomes: &Outcomes, terms: Terms, judgement: &mut Judgement) -> Vec<JobId> {
        let scoring = self.package.problem.kind.scoring;
        let mut needs = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        let mut first_failure: Option<Verdict> = None;
        let (mut complete, mut broken) = (true, false);
        let mut secret = None;
        for (at, group) in self.package.groups.iter().enumerate() {
            let Rules::Flat(rules) = &group.rules else { continue };
            if group.path.is_empty() {
                continue;
            }
            let container = group.children.iter().any(|child| matches!(child, Child::Group(_)));
            if group.path == "secret" {
                secret = Some((at, rules, container));
            }
            // The requirements of `secret` apply to all its groups.
            let mut required: Vec<usize> = rules.require_pass.clone();
            if let Some(Rules::Flat(above)) =
                group.parent.and_then(|above| self.package.groups.get(above)).map(|above| &above.rules)
            {
                required.extend(&above.require_pass);
            }
            let verdicts: Vec<Option<Verdict>> =
                required.iter().map(|at| judgement.groups.get(*at).and_then(|group| group.verdict)).collect();
            let skipped = verdicts.iter().flatten().any(|verdict| *verdict != Verdict::Accepted);
            if !skipped && verdicts.iter().any(Option::is_none) {
                complete = false;
                if scoring && group.path != "sample" && !(container && rules.static_case.is_none()) {
                    parts.push((None, (Ratio::zero(), rules.max_score.clone())));
                }
                continue;
            }
            if skipped {
                if let Some(result) = judgement.groups.get_mut(at) {
                    result.skipped = true;
                    result.verdict = Some(Verdict::WrongAnswer);
                    result.score = Some(Ratio::zero());
                    result.reason = "a required group was not accepted".into();
                }
                first_failure = first_failure.or(Some(Verdict::WrongAnswer));
                if scoring && !container {
                    parts.push((Some(Ratio::zero()), (Ratio::zero(), Some(Ratio::zero()))));
                }
                continue;
            }
            let looked = self.flat_group(at, rules, outcomes, terms, judgement);
            complete &= looked.needs.is_empty();
            needs.extend(looked.needs);
            match looked.verdict {
                None => complete = false,
                Some(Verdict::JudgeError) => broken = true,
                Some(_) => {}
            }
            first_failure = first_failure.or(looked.first_failure);
            if scoring && group.path != "sample" && !(container && rules.static_case.is_none()) {
                parts.push((looked.score.clone(), looked.bounds));
            }
            if let Some(result) = judgement.groups.get_mut(at) {
                result.verdict = looked.verdict;
                result.score = looked.score.filter(|_| scoring && group.path != "sample");
                result.reason = looked.reason;
            }
            if first_failure.is_some() && self.first_failure_decides() {
                break;
            }
        }
        if broken && !self.first_failure_decides() {
            judgement.verdict = Some(Verdict::JudgeError);
            judgement.score = scoring.then(Ratio::zero);
            return Vec::new();
        }
        if complete {
            judgement.verdict = Some(first_failure.unwrap_or(Verdict::Accepted));
        }
        if scoring && let Some((at, rules, container)) = secret {
            self.secret_score(at, rules, container, &parts, complete, judgement);
        }
        needs
    }

    fn secret_score(
        &self,
        at: usize,
        rules: &FlatRules,
        container: bool,
        parts: &[Part],
        complete: bool,
        judgement: &mut Judgement,
    ) {
        let zero = Ratio::zero();
        let least = |values: &mut dyn Iterator<Item = Ratio>| values.min();
        let (score, low, high) = match rules.aggregation {
            Aggregation::PassFail => {
                // `secret` itself counts too: it can have a static case beside its groups.
                let groups = self
                    .package
                    .groups
                    .iter()
                    .zip(&judgement.groups)
                    .filter(|(group, _)| group.path.starts_with("secret"));
                let verdicts: Vec<Option<Verdict>> = groups.map(|(_, result)| result.verdict).collect();
                let failed = verdicts.iter().flatten().any(|verdict| *verdict != Verdict::Accepted);
                let max = rules.max_score.clone().unwrap_or_else(Ratio::zero);
                let done = verdicts.iter().all(Option::is_some);
                let high = if failed { zero.clone() } else { max };
                let low = if done { high.clone() } else { zero.clone() };
                ((done || failed).then(|| high.clone()), low, Some(high))
            }
            Aggregation::Sum => {
                let sum =
                    |values: Vec<Ratio>| values.iter().fold(Ratio::zero(), |sum, value| sum.plus(value));
                let scores: Option<Vec<Ratio>> = parts.iter().map(|(score, _)| score.clone()).collect();
                let low = sum(parts.iter().map(|(_, (low, _))| low.clone()).collect());
                let high: Option<Vec<Ratio>> = parts.iter().map(|(_, (_, high))| high.clone()).collect();
                (scores.map(sum), low, high.map(sum))
            }
            Aggregation::Min => {
                let scores: Option<Vec<Ratio>> = parts.iter().map(|(score, _)| score.clone()).collect();
                let low =
                    least(&mut parts.iter().map(|(_, (low, _))| low.clone())).unwrap_or_else(Ratio::zero);
                let high = least(&mut parts.iter().filter_map(|(_, (_, high))| high.clone()));
                (scores.and_then(|scores| least(&mut scores.into_iter())), low, high)
            }
        };
        let high = match (high, rules.max_score.clone()) {
            (Some(high), Some(max)) => Some(high.min(max)),
            (high, max) => high.or(max),
        };
        judgement.bounds = Some((low, high));
        let Some(score) =
            score.filter(|_| complete || rules.aggregation != Aggregation::Sum || !parts.is_empty())
        else {
            return;
        };
        if rules.max_score.as_ref().is_some_and(|max| score > *max) {
            judgement.verdict = Some(Verdict::JudgeError);
            judgement.problem = Some(format!("the score {score} is more than the `max_score` of `secret`"));
            judgement.score = Some(zero);
            return;
        }
        if container && let Some(result) = judgement.groups.get_mut(at) {
            result.score = Some(score.clone());
            result.reason = scoring_rule(rules.aggregation, "groups");
        }
        judgement.bounds = Some((score.clone(), Some(score.clone())));
        judgement.score = Some(score);
    }

    fn flat_group(
        &self,
        at: usize,
        rules: &FlatRules,
        outcomes: &Outcomes,
        terms: Terms,
        judgement: &mut Judgement,
    ) -> FlatGroup {
        let scoring = self.package.problem.kind.scoring;
        let Some(group) = self.package.groups.get(at) else { return FlatGroup::default() };
        let sample = group.path == "sample";
        let scored = scoring && !sample && rules.aggregation != Aggregation::PassFail;
        let cases: Vec<usize> = group
            .children
            .iter()
            .filter_map(|child| match child {
                Child::Case(case) => Some(*case),
                Child::Group(_) => None,
            })
            .collect();
        let static_max = rules.static_case.as_ref().and_then(|case| case.max_score.clone());
        let case_max = rules.max_score.as_ref().and_then(|max| match rules.aggregation {
            Aggregation::Sum => {
                let rest = max.minus(&static_max.clone().unwrap_or_else(Ratio::zero));
                rest.over(&Ratio::new(cases.len() as i64, 1))
            }
            _ => Some(max.clone()),
        });
        let mut this = FlatGroup::default();
        // The verdict, score and maximum score of each part.
        let mut parts: Vec<(Option<Verdict>, Option<Ratio>, Option<Ratio>)> = Vec::new();
        if rules.static_case.is_some() {
            let (verdict, score) = match outcomes.get(&JobId::Static(at)) {
                None => {
                    this.needs.push(JobId::Static(at));
                    (None, None)
                }
                Some(Outcome::Validated(validated)) => {
                    let pass = crate::job::Pass::new(None, vec![validated.clone()]);
                    let terms =
                        Terms { interactive: false, passes: None, validator: "static validator", ..terms };
                    let mut result = judge(&[pass], terms);
                    let score = scored.then(|| flat_case(&mut result, static_max.as_ref(), rules, sample));
                    if result.verdict == Verdict::JudgeError {
                        this.reason = format!("static validation: {}", result.reason);
                    }
                    (Some(result.verdict), score)
                }
                Some(_) => {
                    this.reason = "the static validator could not be run".into();
                    (Some(Verdict::JudgeError), None)
                }
            };
            parts.push((verdict, score, static_max.clone()));
        }
        let failed =
            |(verdict, ..): &(Option<Verdict>, _, _)| verdict.is_some_and(|is| is != Verdict::Accepted);
        for case in cases {
            if self.first_failure_decides() && parts.last().is_some_and(failed) {
                break;
            }
            let result = judgement.cases.get_mut(case).and_then(Option::as_mut);
            let Some(result) = result else {
                this.needs.push(JobId::Case(case));
                parts.push((None, None, case_max.clone()));
                continue;
            };
            let score = scoring.then(|| flat_case(result, case_max.as_ref(), rules, sample));
            if result.verdict == Verdict::JudgeError {
                this.reason.clone_from(&result.reason);
            }
            parts.push((Some(result.verdict), score.filter(|_| scored), case_max.clone()));
        }
        let verdicts = || parts.iter().filter_map(|(verdict, ..)| *verdict);
        this.first_failure = verdicts().find(|verdict| *verdict != Verdict::Accepted);
        let complete = parts.iter().all(|(verdict, ..)| verdict.is_some());
        let failure = verdicts().find(|verdict| *verdict == Verdict::JudgeError).or(this.first_failure);
        // A failure decides early, and the other cases stay in `needs`. If the first failure decides, however, an
        // earlier case without an outcome may still become the first failure.
        let early = failure.filter(|_| complete || !self.first_failure_decides());
        this.verdict = early.or(complete.then_some(Verdict::Accepted));
        if !scoring || sample {
            return this;
        }
        let zero = Ratio::zero;
        let low =
            |part: &(Option<Verdict>, Option<Ratio>, Option<Ratio>)| part.1.clone().unwrap_or_else(zero);
        let high = |part: &(Option<Verdict>, Option<Ratio>, Option<Ratio>)| match part.0 {
            Some(_) => part.1.clone(),
            None => part.2.clone(),
        };
        match rules.aggregation {
            Aggregation::PassFail => {
                let max = rules.max_score.clone().unwrap_or_else(zero);
                let most = if failure.is_some() { zero() } else { max };
                let least = if complete { most.clone() } else { zero() };
                this.score = (complete || failure.is_some()).then(|| most.clone());
                this.bounds = (least, Some(most));
            }
            Aggregation::Sum => {
                let least = parts.iter().fold(zero(), |sum, part| sum.plus(&low(part)));
                let most = parts.iter().try_fold(zero(), |sum, part| Some(sum.plus(&high(part)?)));
                this.score = complete.then(|| least.clone());
                this.bounds = (least, most);
            }
            Aggregation::Min => {
                let least = parts.iter().map(&low).min().unwrap_or_else(zero);
                let most = parts.iter().filter_map(&high).min();
                this.score = complete.then(|| least.clone());
                this.bounds = (least, most);
            }
        }
        if this.reason.is_empty() {
            this.reason = scoring_rule(rules.aggregation, "cases");
        }
        let exceeds =
            this.score.as_ref().zip(rules.max_score.as_ref()).is_some_and(|(score, max)| score > max);
        if exceeds {
            this.verdict = Some(Verdict::JudgeError);
            this.reason = "the score is more than `max_score`".into();
        }
        this
    }
}

/// Describes the aggregation of the scores of cases or groups.
fn scoring_rule(aggregation: Aggregation, parts: &str) -> String {
    match aggregation {
        Aggregation::PassFail => format!("all {parts} must pass"),
        Aggregation::Sum => format!("sum of the {parts}"),
        Aggregation::Min => format!("minimum of the {parts}"),
    }
}

/// Returns the score of a case by the rules of 2025-09. A violation of the rules for score files is a judge error.
fn flat_case(result: &mut CaseResult, max: Option<&Ratio>, rules: &FlatRules, sample: bool) -> Ratio {
    if sample {
        return Ratio::zero();
    }
    let accepted = result.verdict == Verdict::Accepted;
    let pass_fail = rules.aggregation == Aggregation::PassFail;
    let broken = match (&result.given, max) {
        (GivenScore::None, None) if accepted && !pass_fail => {
            Some("the validator must write `score.txt`: the group is unbounded")
        }
        (GivenScore::None, _) => None,
        (GivenScore::Invalid(why), _) => Some(*why),
        _ if !accepted => Some("the validator wrote a score without accepting"),
        _ if pass_fail => Some("the validator wrote a score in a pass-fail group"),
        (GivenScore::Multiplier(_), None) => {
            Some("the validator wrote `score_multiplier.txt`, but the group is unbounded")
        }
        (GivenScore::Score(score), _) if *score < Ratio::zero() => {
            Some("`score.txt` holds a negative number")
        }
        (GivenScore::Score(score), Some(max)) if score > max => {
            Some("`score.txt` holds more than the maximum score of the case")
        }
        _ => None,
    };
    if let Some(why) = broken
        && result.verdict != Verdict::JudgeError
    {
        result.verdict = Verdict::JudgeError;
        result.reason = why.to_owned();
        return Ratio::zero();
    }
    match (accepted, &result.given, max) {
        (false, ..) => Ratio::zero(),
        (true, GivenScore::Score(score), _) => score.clone(),
        (true, GivenScore::Multiplier(factor), Some(max)) => factor.times(max),
        (true, _, Some(max)) => max.clone(),
        (true, _, None) => Ratio::zero(),
    }
}
