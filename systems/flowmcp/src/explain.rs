//! Explanations of grades: the use of each answer, and the status of each node of a rollup.

use std::collections::BTreeMap;
use std::fmt;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::json::Json;

use crate::aggregate::{Aggregation, Dated, Policy, latest_per_question};
use crate::answer::Score;
use crate::area::Grade;
use crate::entry::Entry;
use crate::rollup::Index;
use crate::sequence::Node;

/// The use of one answer in the mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Use {
    /// The answer counts.
    Counted,
    /// The answer has weight 0, so it has no effect.
    Weightless,
    /// The answer with this index, the latest valid answer to the same question, replaces this one.
    Replaced(usize),
    /// The answer is too old, so it does not count.
    Stale,
    /// The question does not apply, so the answer does not count.
    NotApplicable,
    /// There is a veto, so the answer does not count.
    Vetoed,
}

/// One answer in an explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The question, if the answer names one.
    pub question: Option<String>,
    /// The original score.
    pub score: Score,
    /// The value of the score, or `None` for `stale` and `n/a`.
    pub value: Option<Decimal>,
    /// The weight.
    pub weight: Decimal,
    /// The use of the answer in the mean.
    pub used: Use,
}

/// The steps behind an aggregate.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The answers, in the order of the document.
    pub parts: Vec<Part>,
    /// The result, with the exact sums.
    pub aggregation: Aggregation,
    /// The highest grade of the tier.
    pub cap: Grade,
    /// The letters and their minimum means, best first; the first letter that the mean reaches is the raw
    /// grade. If it reaches none, the raw grade is `F`.
    pub bands: Vec<(Grade, Decimal)>,
}

impl Policy {
    /// Explains the grade of an entry's answers, answer by answer, in O(n log n).
    ///
    /// A partial entry without a veto keeps the grade of the last full one, whatever its own answers earn.
    pub fn explain_entry(&self, entry: &Entry) -> Explanation {
        let answers: Vec<_> = entry.gradings.iter().map(Dated::of).collect();
        let vetoed = entry.categorical_veto.is_some();
        let latest = latest_per_question(self, &answers);
        let counted: BTreeMap<&str, usize> = latest
            .iter()
            .filter_map(|place| answers.get(*place)?.question.map(|question| (question, *place)))
            .collect();
        let parts = answers.iter().enumerate().map(|(place, answer)| {
            let used = match answer.score {
                _ if vetoed => Use::Vetoed,
                Score::Stale => Use::Stale,
                Score::NotApplicable => Use::NotApplicable,
                _ => match latest.binary_search(&place) {
                    Err(_) => {
                        let by = answer.question.and_then(|question| counted.get(question));
                        Use::Replaced(by.copied().unwrap_or(place))
                    }
                    Ok(_) if answer.weight.is_zero() => Use::Weightless,
                    Ok(_) => Use::Counted,
                },
            };
            Part {
                question: answer.question.map(str::to_owned),
                score: answer.score.clone(),
                value: self.value(answer.score),
                weight: answer.weight.clone(),
                used,
            }
        });
        Explanation {
            parts: parts.collect(),
            aggregation: self.aggregate_latest(&answers, entry.grading_tier, vetoed),
            cap: entry.grading_tier.cap(),
            bands: self
                .bands
                .iter()
                .map(|band| (band.grade, Decimal::new(i64::from(band.tenths), -1)))
                .collect(),
        }
    }
}

impl Use {
    fn code(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Weightless => "weight-0",
            Self::Replaced(_) => "replaced",
            Self::Stale => "stale",
            Self::NotApplicable => "not-applicable",
            Self::Vetoed => "vetoed",
        }
    }
}

impl Explanation {
    /// Returns the explanation as JSON.
    ///
    /// The object is `{parts: [part, ...], sum?, weights?, mean?, rawGrade?, grade?, cap}`, where each part
    /// is `{pointer, questionId?, score, value?, weight, used, by?}`. `sum`, `weights` and `mean` are exact;
    /// `mean` is the text of an integer or of a fraction in lowest terms, such as `9/2`.
    pub fn to_json(&self) -> Json {
        let parts = self.parts.iter().enumerate().map(|(place, part)| {
            let by = if let Use::Replaced(by) = part.used { Some(format!("/gradings/{by}")) } else { None };
            Json::build()
                .with("pointer", format!("/gradings/{place}"))
                .with_some("questionId", part.question.as_ref())
                .with("score", &part.score)
                .with_some("value", part.value.as_ref())
                .with("weight", &part.weight)
                .with("used", part.used.code())
                .with_some("by", by)
                .build()
        });
        let graded = if let Aggregation::Graded(graded) = &self.aggregation { Some(graded) } else { None };
        Json::build()
            .with("parts", Json::array(parts))
            .with_some("sum", graded.map(|graded| &graded.sum))
            .with_some("weights", graded.map(|graded| &graded.weights))
            .with_some("mean", graded.map(|graded| graded.exact_mean().to_fraction_text()))
            .with_some("rawGrade", graded.map(|graded| graded.raw))
            .with_some("grade", self.aggregation.grade())
            .with("cap", self.cap)
            .build()
    }
}

impl fmt::Display for Explanation {
    /// Writes one line per answer, then the mean and the letter, or the reason why there is no letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            let question = part.question.as_deref().unwrap_or("-");
            let score = Json::from(&part.score);
            let score = score.as_str().map_or_else(|| score.to_canonical(), str::to_owned);
            write!(f, "{question}  {score}")?;
            match (&part.value, part.used) {
                (Some(value), Use::Counted | Use::Weightless) => {
                    let product = value.multiply(&part.weight);
                    write!(f, "  counts {value} x {} = {product}", part.weight)?;
                    if part.used == Use::Weightless {
                        write!(f, " (weight 0 changes nothing)")?;
                    }
                }
                (_, Use::Replaced(by)) => write!(f, "  left out: /gradings/{by} is the latest answer")?,
                (_, Use::Stale) => write!(f, "  left out: too old")?,
                (_, Use::Vetoed) => write!(f, "  left out: a veto decides")?,
                _ => write!(f, "  left out: the question does not apply")?,
            }
            writeln!(f)?;
        }
        match &self.aggregation {
            Aggregation::Rejected => writeln!(f, "REJECTED: a veto decides, nothing is computed"),
            Aggregation::NothingScorable(_) => writeln!(f, "no grade: no answer carries weight"),
            Aggregation::Graded(graded) => {
                let reached = self.bands.iter().find(|(grade, _)| *grade == graded.raw);
                writeln!(f, "mean {} / {} = {}", graded.sum, graded.weights, graded.mean_text())?;
                match reached {
                    Some((grade, least)) => write!(f, "{grade}: the mean reaches {least}")?,
                    None => write!(f, "{}: the mean reaches no better letter", graded.raw)?,
                }
                if graded.raw != graded.grade {
                    write!(f, "; trimmed to {}, the best of the tier", graded.grade)?;
                }
                writeln!(f)
            }
        }
    }
}

/// An explanation of the status and the grade of an index. Each node has a line; an excerpt:
///
/// ```text
/// prices.tools.quote  stable  B
/// prices  graded  C  decides the grade
/// about  pending  -  not graded yet
/// status partial: some nodes are graded, not all are stable
/// grade C: the worst grade of aggregates, description and skills
/// ```
pub struct IndexExplanation<'a>(pub &'a Index);

impl IndexExplanation<'_> {
    /// Returns the nodes with their names and whether they count for the grade.
    fn nodes(&self) -> Vec<(String, &Node, bool)> {
        let index = self.0;
        let mut nodes = Vec::new();
        for (name, schema) in &index.schemas {
            for (tool, node) in &schema.tools {
                nodes.push((format!("{name}.tools.{tool}"), node, false));
            }
            nodes.push((name.clone(), &schema.aggregate, true));
        }
        nodes.extend(index.skills.iter().map(|(name, node)| (format!("skills.{name}"), node, true)));
        nodes.push(("about".into(), &index.about, false));
        if index.is_namespace() {
            nodes.push(("description".into(), &index.description, true));
        }
        nodes.push(("aggregate".into(), &index.aggregate, true));
        nodes
    }
}

impl fmt::Display for IndexExplanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::entry::AggregateGrade::Rejected;
        use crate::rollup::RollupStatus;
        use crate::sequence::NodeStatus;
        let (status, grade) = (self.0.status(), self.0.grade());
        for (name, node, counts) in self.nodes() {
            let own = node.grade.map_or("-", |grade| grade.as_str());
            write!(f, "{name}  {}  {own}", node.status)?;
            let rejects = node.status == NodeStatus::Rejected;
            if rejects || (counts && node.grade.is_some() && node.grade == grade) {
                write!(f, "  decides the grade")?;
            }
            match &node.reason {
                Some(reason) => write!(f, "  {reason}")?,
                None if node.status == NodeStatus::Pending => write!(f, "  not graded yet")?,
                None => {}
            }
            writeln!(f)?;
        }
        let why = match status {
            RollupStatus::Operational => "every node is stable",
            RollupStatus::Partial => "some nodes are graded, not all are stable",
            RollupStatus::Pending => "nothing is graded yet",
            RollupStatus::Blocked => "nothing is graded, and something blocks",
            RollupStatus::Rejected => "a node has a veto",
        };
        writeln!(f, "status {status}: {why}")?;
        match grade {
            Some(Rejected) => writeln!(f, "grade REJECTED: a node has a veto"),
            Some(grade) if self.nodes().iter().any(|(_, node, counts)| *counts && node.grade.is_some()) => {
                writeln!(f, "grade {}: the worst grade of aggregates, description and skills", grade.as_str())
            }
            Some(grade) => writeln!(
                f,
                "grade {}: the value of `gradeOfNothing`, since nothing is graded",
                grade.as_str()
            ),
            None => writeln!(f, "no grade: no aggregate, description or skill is graded"),
        }
    }
}
