//! Scores of legacy packages: a tree of groups, each with a grader.

use fablegrade_public::Ratio;

use super::{Judgement, Judging};
use crate::case_result::{CaseResult, GivenScore, end_text};
use crate::data::{Child, GraderRules, Rules};
use crate::grader::{Grade, default_grade, grader_input, read_grade};
use crate::job::{GradeJob, Job, JobId, Outcome, Outcomes};
use crate::verdict::Verdict;

/// The grade of a group or case, if it is known, and the jobs that are needed to determine it.
struct Known {
    grade: Option<Grade>,
    needs: Vec<JobId>,
}

impl Judging<'_> {
    pub(super) fn legacy(&self, outcomes: &Outcomes, judgement: &mut Judgement) -> Vec<JobId> {
        let known = self.legacy_group(0, outcomes, judgement);
        if let Some(grade) = known.grade {
            judgement.verdict = Some(grade.verdict);
            let accepted = grade.verdict == Verdict::Accepted;
            judgement.score = Some(if accepted { grade.score } else { Ratio::zero() });
        }
        known.needs
    }

    /// Judges a group. The recursion depth is that of the folders, which is bounded when files are read.
    fn legacy_group(&self, at: usize, outcomes: &Outcomes, judgement: &mut Judgement) -> Known {
        let Some(group) = self.package.groups.get(at) else {
            return Known { grade: None, needs: Vec::new() };
        };
        let Rules::Grader(rules) = &group.rules else { return Known { grade: None, needs: Vec::new() } };
        let (mut grades, mut needs, mut complete, mut over) = (Vec::new(), Vec::new(), true, false);
        let root = at == 0;
        // What the grader leaves out must not end the judging either.
        let ignored = usize::from(root && rules.ignores_sample() && group.children.len() > 1);
        for (index, child) in group.children.iter().enumerate() {
            let known = match child {
                Child::Group(below) => self.legacy_group(*below, outcomes, judgement),
                Child::Case(case) => {
                    let result = judgement.cases.get(*case).and_then(Option::as_ref);
                    let grade = result.map(|result| self.legacy_case(result, rules));
                    let need = if grade.is_none() { vec![JobId::Case(*case)] } else { Vec::new() };
                    Known { grade, needs: need }
                }
            };
            needs.extend(known.needs);
            match known.grade {
                None => complete &= over,
                Some(grade) if complete && !over => {
                    over = rules.breaks && grade.verdict != Verdict::Accepted && index >= ignored;
                    grades.push(grade);
                }
                Some(_) => {}
            }
            if over && !self.options.all_cases {
                break;
            }
        }
        if !complete {
            return Known { grade: None, needs };
        }
        let mut flags = rules.grader_flags.clone();
        if !root {
            flags.retain(|flag| flag != "ignore_sample");
        }
        let (grade, reason) = match (rules.custom, self.grader) {
            (false, _) => (default_grade(&flags, &grades), format!("default grader {}", flags.join(" "))),
            (true, None) => {
                let missing = "grading is custom, but the package has no grader".to_owned();
                (Grade::new(Verdict::JudgeError, Ratio::zero()), missing)
            }
            (true, Some(_)) => match outcomes.get(&JobId::Grade(at)) {
                None => {
                    needs.push(JobId::Grade(at));
                    return Known { grade: None, needs };
                }
                Some(outcome) => graded(outcome),
            },
        };
        let outside = self.package.problem.kind.scoring
            && grade.verdict == Verdict::Accepted
            && (rules.range.0.as_ref().is_some_and(|least| grade.score < *least)
                || rules.range.1.as_ref().is_some_and(|most| *most < grade.score));
        let (grade, reason) = if outside {
            let reason = format!("the score {} is outside of `range`", grade.score);
            (Grade::new(Verdict::JudgeError, grade.score), reason)
        } else {
            (grade, reason)
        };
        // A score counts only with the verdict AC, in the parent group too.
        let counts = grade.verdict == Verdict::Accepted;
        let grade = if counts { grade } else { Grade::new(grade.verdict, Ratio::zero()) };
        if let Some(result) = judgement.groups.get_mut(at) {
            result.verdict = Some(grade.verdict);
            result.score = Some(grade.score.clone());
            result.reason = reason;
        }
        Known { grade: Some(grade), needs }
    }

    fn legacy_case(&self, result: &CaseResult, rules: &GraderRules) -> Grade {
        let default =
            if result.verdict == Verdict::Accepted { &rules.accept_score } else { &rules.reject_score };
        match &result.given {
            // Pass-fail problems have no scores, so their validators can write what they like.
            _ if !self.package.problem.kind.scoring => Grade::new(result.verdict, default.clone()),
            GivenScore::Score(score)
                if matches!(result.verdict, Verdict::Accepted | Verdict::WrongAnswer) =>
            {
                Grade::new(result.verdict, score.clone())
            }
            GivenScore::Invalid(_) => Grade::new(Verdict::JudgeError, Ratio::zero()),
            _ => Grade::new(result.verdict, default.clone()),
        }
    }

    pub(super) fn grade_job(&self, at: usize, judgement: &Judgement) -> Option<Job<'_>> {
        let group = self.package.groups.get(at)?;
        let Rules::Grader(rules) = &group.rules else { return None };
        let mut grades = Vec::new();
        for child in &group.children {
            let grade = match child {
                Child::Group(below) => {
                    let result = judgement.groups.get(*below)?;
                    Grade::new(result.verdict?, result.score.clone().unwrap_or_else(Ratio::zero))
                }
                Child::Case(case) => self.legacy_case(judgement.cases.get(*case)?.as_ref()?, rules),
            };
            let over = rules.breaks && grade.verdict != Verdict::Accepted;
            grades.push(grade);
            if over {
                break;
            }
        }
        Some(Job::Grade(GradeJob {
            program: self.grader?,
            args: rules.grader_flags.clone(),
            stdin: grader_input(&grades),
            limits: self.validator_limits(),
        }))
    }
}

fn graded(outcome: &Outcome) -> (Grade, String) {
    let broken = |reason: String| (Grade::new(Verdict::JudgeError, Ratio::zero()), reason);
    match outcome {
        Outcome::Graded(ran, stdout) if ran.end == fablegrade_public::End::Exited(0) => {
            match read_grade(stdout) {
                Ok(grade) => (grade, "custom grader".into()),
                Err(_) => broken("the grader did not print one line `VERDICT SCORE`".into()),
            }
        }
        Outcome::Graded(ran, _) => broken(format!("the grader {}", end_text(&ran.end))),
        Outcome::Failed(text) => broken(text.clone()),
        _ => broken("the host returned an outcome of another kind".into()),
    }
}
