//! Judgements as JSON.

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use super::Judgement;
use crate::Package;
use crate::verdict::Verdict;

/// Returns `{fraction, value}`: the exact score, and the nearest double.
fn score(score: &Ratio) -> Json {
    let value =
        fablegrade_public::Decimal::from_f64(score.to_f64()).unwrap_or_else(fablegrade_public::Decimal::zero);
    Json::build().with("fraction", score.to_fraction_text()).with("value", Json::Number(value)).build()
}

impl Judgement {
    /// Returns `{verdict?, score?, scoreAtLeast?, scoreAtMost?, timeMs, problem?, groups: [{name, verdict?, score?,
    /// skipped?, reason}], cases: [{name, verdict, timeMs, memoryKb?, reason, judgeMessage?, teamMessage?}]}`. The root
    /// group and cases that were not run are left out. For judges only, since messages may reveal answers.
    pub fn to_json(&self, package: &Package) -> Json {
        let groups = package.groups.iter().zip(&self.groups).filter(|(group, _)| !group.path.is_empty());
        let groups = groups.map(|(group, result)| {
            Json::build()
                .with("name", &group.path)
                .with_some("verdict", result.verdict.map(Verdict::as_str))
                .with_some("score", result.score.as_ref().map(score))
                .with_some("skipped", result.skipped.then_some(true))
                .with("reason", &result.reason)
                .build()
        });
        let cases = package.cases.iter().zip(&self.cases).filter_map(|(case, result)| {
            let result = result.as_ref()?;
            let answer = Json::build()
                .with("name", &case.name)
                .with("verdict", result.verdict.as_str())
                .with("timeMs", millis(result.time))
                .with_some("memoryKb", result.memory_kib.and_then(|memory| i64::try_from(memory).ok()))
                .with("reason", &result.reason)
                .with_some("judgeMessage", result.judge_message.as_ref())
                .with_some("teamMessage", result.team_message.as_ref());
            Some(answer.build())
        });
        let bounds = self.bounds.as_ref().filter(|_| self.score.is_none());
        Json::build()
            .with_some("verdict", self.verdict.map(Verdict::as_str))
            .with_some("score", self.score.as_ref().map(score))
            .with_some("scoreAtLeast", bounds.map(|(least, _)| score(least)))
            .with_some("scoreAtMost", bounds.and_then(|(_, most)| most.as_ref()).map(score))
            .with("timeMs", millis(self.time))
            .with_some("problem", self.problem.as_ref())
            .with("groups", Json::array(groups))
            .with("cases", Json::array(cases))
            .build()
    }
}

fn millis(time: std::time::Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
