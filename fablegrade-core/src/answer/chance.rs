//! Mean scores of random answers.

use fablegrade_public::Ratio;

use super::AnswerSpec;
use super::matching::MatchingSpec;
use super::multiple_choice::MultipleChoiceSpec;
use super::ordering;

impl AnswerSpec {
    /// Returns the exact mean score of a uniformly random answer.
    ///
    /// A random answer is a choice, a pairing of as many left items as possible, or an order. If several choices can be
    /// selected, it is a non-empty set of choices. Returns `None` for question types whose answers cannot be
    /// enumerated.
    pub fn chance_level(&self) -> Option<Ratio> {
        match self {
            Self::MultipleChoice(spec) => Some(choices(spec)),
            Self::Matching(spec) => Some(pairs(spec)),
            Self::Ordering(spec) => Some(ordering::chance_level(spec.partial_credit, spec.items.len())),
            Self::Numeric(_) | Self::Expression(_) | Self::FreeText(_) | Self::Code(_) | Self::Widget(_) => {
                None
            }
        }
    }
}

fn choices(spec: &MultipleChoiceSpec) -> Ratio {
    let (right, all) = (spec.total_correct() as u64, spec.choices.len() as u64);
    if all == 0 || right == 0 || all > 10 {
        return Ratio::zero();
    }
    if !spec.multiple_select {
        return Ratio::new(right as i64, all);
    }
    let sets = (1_u64 << all) - 1;
    if !spec.partial_credit {
        return Ratio::new(1, sets);
    }
    // Σ over r right and w < r wrong choices of C(right, r) · C(wrong, w) · (r - w) / right.
    let sum: u64 = (0..=right)
        .flat_map(|r| (0..=(all - right).min(r)).map(move |w| (r, w)))
        .map(|(r, w)| binomial(right, r) * binomial(all - right, w) * (r - w))
        .sum();
    Ratio::new(sum as i64, sets * right)
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, at| product * (n - at) / (at + 1))
}

fn pairs(spec: &MatchingSpec) -> Ratio {
    if spec.partial_credit {
        return spec.chance_level();
    }
    let (left, right) = (spec.left.len(), spec.right.len());
    // A random pairing never equals a key with fewer pairs. If there are too few right items, it uses all of
    // them, each with one of the left items.
    let submitted = if spec.allow_many_to_one { left } else { left.min(right) };
    if spec.correct_pairs.expose().len() != submitted {
        return Ratio::zero();
    }
    (0..submitted).fold(Ratio::one(), |chance, at| {
        let free = if spec.allow_many_to_one { right } else { left.max(right) - at };
        chance.times(&Ratio::new(1, free as u64))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use fablegrade_public::Submission;

    use super::*;
    use crate::grader::grade;

    /// Returns the mean score of all `answers`.
    fn mean(spec: &AnswerSpec, answers: &[String]) -> f64 {
        let score =
            |answer: &String| grade(spec, &Submission::from_json(answer).unwrap()).unwrap().score.unwrap();
        answers.iter().map(score).sum::<f64>() / answers.len() as f64
    }

    #[test]
    fn a_random_choice_earns_the_mean_of_all_choices() {
        let answer = |set: u8| {
            let ids = [r#""a""#, r#""b""#, r#""c""#, r#""d""#];
            let chosen: Vec<_> = (0..4).filter(|at| set >> at & 1 == 1).map(|at| ids[at]).collect();
            format!(r#"{{"type":"multiple_choice","selectedChoiceIds":[{}]}}"#, chosen.join(","))
        };
        for (multiple, partial) in [(true, true), (true, false), (false, false)] {
            let spec = AnswerSpec::from_json(format!(
                r#"{{"type":"multiple_choice","multipleSelect":{multiple},"partialCredit":{partial},"choices":[
                {{"id":"a","content":"1","correct":true}},{{"id":"b","content":"2","correct":false}},
                {{"id":"c","content":"3","correct":{multiple}}},{{"id":"d","content":"4","correct":false}}]}}"#
            ))
            .unwrap();
            let answers: Vec<_> =
                (1..16_u8).filter(|set| multiple || set.is_power_of_two()).map(answer).collect();
            let chance = spec.chance_level().unwrap().to_f64();
            assert!((chance - mean(&spec, &answers)).abs() < 1e-12, "{multiple} {partial}: {chance}");
        }
    }

    #[test]
    fn a_random_pairing_earns_the_mean_of_all_pairings() {
        for many in [true, false] {
            let spec = AnswerSpec::from_json(format!(
                r#"{{"type":"matching","left":[{{"id":"a","content":"1"}},{{"id":"b","content":"2"}}],
                "right":[{{"id":"x","content":"3"}},{{"id":"y","content":"4"}},{{"id":"z","content":"5"}}],
                "correctPairs":[{{"left":"a","right":"x"}},{{"left":"b","right":"z"}}],
                "allowManyToOne":{many},"partialCredit":false}}"#
            ))
            .unwrap();
            let sides = ["x", "y", "z"];
            let all = sides.into_iter().flat_map(|a| sides.map(|b| (a, b)));
            let answers: Vec<_> = all
                .filter(|(a, b)| many || a != b)
                .map(|(a, b)| {
                    format!(
                        r#"{{"type":"matching","pairs":[{{"left":"a","right":"{a}"}},{{"left":"b","right":"{b}"}}]}}"#
                    )
                })
                .collect();
            let chance = spec.chance_level().unwrap().to_f64();
            assert!((chance - mean(&spec, &answers)).abs() < 1e-12, "{many}: {chance}");
        }
    }

    #[test]
    fn a_random_pairing_uses_all_right_items_if_they_are_too_few() {
        let spec = AnswerSpec::from_json(
            r#"{"type":"matching",
            "left":[{"id":"a","content":"1"},{"id":"b","content":"2"},{"id":"c","content":"3"}],
            "right":[{"id":"x","content":"4"},{"id":"y","content":"5"}],
            "correctPairs":[{"left":"a","right":"x"},{"left":"c","right":"y"}],
            "allowManyToOne":false,"partialCredit":false}"#,
        )
        .unwrap();
        let left = ["a", "b", "c"];
        let answers: Vec<_> = left
            .into_iter()
            .flat_map(|x| left.map(|y| (x, y)))
            .filter(|(x, y)| x != y)
            .map(|(x, y)| {
                format!(
                    r#"{{"type":"matching","pairs":[{{"left":"{x}","right":"x"}},{{"left":"{y}","right":"y"}}]}}"#
                )
            })
            .collect();
        assert_eq!(answers.len(), 6);
        let chance = spec.chance_level().unwrap().to_f64();
        assert!((chance - mean(&spec, &answers)).abs() < 1e-12, "{chance}");
    }
}
