//! Laws of aggregation, hashing and aging.
#![allow(clippy::unwrap_used, clippy::panic)]

mod documents;

use documents::{answer, autonomous, entry, group_bound};
use fablegrade_flowmcp::age::{AgingClass, AgingPlan, age};
use fablegrade_flowmcp::aggregate::{Aggregation, GRADING_SYSTEM_1_0_0, Graded};
use fablegrade_flowmcp::answer::{QuestionId, Score};
use fablegrade_flowmcp::area::Tier;
use fablegrade_flowmcp::canonical::{canonical, schema_hash};
use fablegrade_flowmcp::entry::{AggregateGrade, Entry};
use fablegrade_flowmcp::moment::Moment;
use fablegrade_public::decimal::Decimal;
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::Json;
use proptest::prelude::*;
use serde_json::{Value, json};

fn scored() -> impl Strategy<Value = (Score, Decimal)> {
    let score = prop_oneof![
        4 => (100i64..=500).prop_map(|hundredths| Score::number(Decimal::new(hundredths, -2)).unwrap()),
        1 => Just(Score::Pass),
        1 => Just(Score::Fail),
        1 => Just(Score::Stale),
        1 => Just(Score::NotApplicable),
    ];
    // With weights of very different sizes, binary sums would depend on the order.
    let weight =
        (0i64..1_000_000, -12i32..6).prop_map(|(coefficient, exponent)| Decimal::new(coefficient, exponent));
    (score, weight)
}

fn tier() -> impl Strategy<Value = Tier> {
    prop::sample::select(Tier::ALL)
}

fn aggregate(answers: &[(Score, Decimal)], tier: Tier) -> Aggregation {
    GRADING_SYSTEM_1_0_0.aggregate(answers.iter().map(|(score, weight)| (score, weight)), tier, false)
}

/// Returns the sums and the grade, without the counts.
fn essence(aggregation: Aggregation) -> Option<(Decimal, Decimal, AggregateGrade)> {
    match aggregation {
        Aggregation::Graded(Graded { sum, weights, grade, .. }) => {
            Some((sum, weights, AggregateGrade::Letter(grade)))
        }
        _ => None,
    }
}

proptest! {
    #[test]
    fn a_grade_never_leaves_the_cap_of_its_tier(answers in prop::collection::vec(scored(), 0..20), tier in tier()) {
        if let Aggregation::Graded(graded) = aggregate(&answers, tier) {
            prop_assert!(graded.grade <= tier.cap());
            prop_assert!(graded.grade <= graded.raw);
            let mean = graded.mean();
            prop_assert!((1.0..=5.0).contains(&mean), "{}", mean);
        }
    }

    #[test]
    fn a_veto_always_wins(answers in prop::collection::vec(scored(), 0..20), tier in tier()) {
        let answers = answers.iter().map(|(score, weight)| (score, weight));
        let grade = GRADING_SYSTEM_1_0_0.aggregate(answers, tier, true).grade();
        prop_assert_eq!(grade, Some(AggregateGrade::Rejected));
    }

    #[test]
    fn answers_that_are_left_out_never_change_a_mean(
        answers in prop::collection::vec(scored(), 0..20),
        left_out in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), scored()), 0..8),
        tier in tier(),
    ) {
        let before = essence(aggregate(&answers, tier));
        let mut more = answers;
        for (place, stale, (_, weight)) in left_out {
            let score = if stale { Score::Stale } else { Score::NotApplicable };
            more.insert(place.index(more.len() + 1), (score, weight));
        }
        prop_assert_eq!(essence(aggregate(&more, tier)), before);
    }

    #[test]
    fn the_order_of_answers_never_matters(
        (answers, shuffled) in prop::collection::vec(scored(), 0..20)
            .prop_flat_map(|answers| (Just(answers.clone()), Just(answers).prop_shuffle())),
        tier in tier(),
    ) {
        prop_assert_eq!(aggregate(&answers, tier), aggregate(&shuffled, tier));
    }

    #[test]
    fn the_order_of_several_graders_never_matters(
        (answers, shuffled) in prop::collection::vec((0u8..3, 0u8..3, scored()), 1..12)
            .prop_flat_map(|answers| (Just(answers.clone()), Just(answers).prop_shuffle())),
    ) {
        let document = |answers: &[(u8, u8, (Score, Decimal))]| {
            let answers = answers.iter().map(|(question, day, (score, weight))| {
                let score: Value = serde_json::from_str(&Json::from(score).to_string()).unwrap();
                let mut answer = answer(&format!("Q-{question}"), score, weight.to_f64(), &format!("2026-05-0{}T00:00:00Z", day + 1));
                answer["naReason"] = json!("requires-private-data");
                answer
            });
            let mut document = autonomous();
            document["gradings"] = answers.collect();
            entry(&document)
        };
        let (one, other) = (document(&answers), document(&shuffled));
        prop_assert_eq!(GRADING_SYSTEM_1_0_0.aggregate_entry(&one), GRADING_SYSTEM_1_0_0.aggregate_entry(&other));
    }

    #[test]
    fn a_hash_never_depends_on_the_order_of_keys_or_the_spelling_of_numbers(
        fields in prop::collection::btree_map("[a-zé😀\u{fffd}]{0,3}", (-1_000_000i64..1_000_000, -6i32..6), 0..8),
        rotation in any::<prop::sample::Index>(),
    ) {
        let plain: Vec<String> = fields.iter()
            .map(|(key, (coefficient, exponent))| format!("{}:{}", json!(key), Decimal::new(*coefficient, *exponent)))
            .collect();
        let mut spelled: Vec<String> = fields.iter()
            .map(|(key, (coefficient, exponent))| format!(" {} : {coefficient}.00E{exponent}", json!(key)))
            .collect();
        if !spelled.is_empty() {
            let middle = rotation.index(spelled.len());
            spelled.rotate_left(middle);
        }
        let plain = Json::parse(format!("{{{}}}", plain.join(",")).as_bytes()).unwrap();
        let spelled = Json::parse(format!("{{{}}}", spelled.join(" , ")).as_bytes()).unwrap();
        prop_assert_eq!(canonical(&plain, &[]), canonical(&spelled, &[]));
        prop_assert_eq!(schema_hash(&plain), schema_hash(&spelled));
    }

    #[test]
    fn aging_leaves_the_entry_alone_and_makes_nothing_better_known(days in 0i64..400, limit in 0u32..300) {
        let entry = entry(&group_bound());
        let before = entry.to_json();
        let plan = entry.gradings.iter().fold(AgingPlan::new(), |plan, answer| {
            plan.with(answer.question_id.clone(), AgingClass::Days(limit))
        });
        let now = Instant::new(&Moment::of_stamp("2026-06-30T07-00-00Z").unwrap().rfc3339()).unwrap();
        let later = Instant::new(&Moment::of(&now).plus_days(days).rfc3339()).unwrap();
        let aged = age(&entry, &plan, &later);
        prop_assert_eq!(entry.to_json(), before);
        // Three of the five answers count and are from that morning; the others do not count and do not
        // change.
        let expected = if days > i64::from(limit) { 3 } else { 0 };
        prop_assert_eq!(aged.became_stale.len(), expected);
        prop_assert!(aged.gradings.iter().all(|answer| answer.score != Score::Fail));
        if expected == 3 {
            prop_assert!(matches!(aged.aggregation, Some(Aggregation::NothingScorable(_))));
        }
    }

    #[test]
    fn an_entry_written_is_the_entry_read(score in 100i64..=500, weight in 1i64..1_000_000) {
        let mut document = group_bound();
        document["gradings"][0]["score"] = json!(score as f64 / 100.0);
        document["gradings"][1]["weight"] = json!(weight);
        let entry = entry(&document);
        prop_assert_eq!(&Entry::from_json(entry.to_json().to_string().as_bytes()).unwrap(), &entry);
        let through_serde: Entry = serde_json::from_value(serde_json::to_value(&entry).unwrap()).unwrap();
        prop_assert_eq!(through_serde, entry);
    }
}

#[test]
fn means_at_a_threshold_are_exact() {
    // In binary floats, 0.34 * 2.5 + 0.33 * 2.5 + 0.33 * 2.5 is greater than 2.5.
    let weights = [34, 33, 33, 34, 33, 33, 25, 25, 25, 25];
    for (hundredths, expected) in
        [(450, "A"), (449, "B"), (350, "B"), (349, "C"), (250, "C"), (249, "D"), (150, "D"), (149, "F")]
    {
        let score = Score::number(Decimal::new(hundredths, -2)).unwrap();
        let answers: Vec<_> =
            weights.iter().map(|weight| (score.clone(), Decimal::new(*weight, -2))).collect();
        let Aggregation::Graded(graded) = aggregate(&answers, Tier::GroupBound) else { panic!() };
        assert_eq!(graded.grade.as_str(), expected);
        assert_eq!(graded.mean(), hundredths as f64 / 100.0);
    }
}

#[test]
fn an_age_equal_to_the_threshold_is_not_exceeded() {
    let entry = entry(&autonomous());
    let question = QuestionId::new("Q-api-availability").unwrap();
    let plan = AgingPlan::new().with(question, AgingClass::API).with_retention(180);
    let at = |now: &str| age(&entry, &plan, &Instant::new(now).unwrap());
    assert_eq!(at("2026-06-12T10:00:00Z").became_stale, [] as [usize; 0]);
    let aged = at("2026-06-12T10:00:01Z");
    assert_eq!((aged.became_stale.as_slice(), aged.past_retention), ([0].as_slice(), false));
    let rules: Vec<_> =
        aged.findings.iter().map(|finding| (finding.rule, finding.pointer.as_str())).collect();
    assert_eq!(
        rules,
        [
            ("SCO-WARN-001", "/gradings/0/score"),
            ("aging-class-missing", "/gradings/1/questionId"),
            ("aging-class-missing", "/gradings/2/questionId"),
        ]
    );
    // The scores 4.5 and 4.0 remain.
    let Some(Aggregation::Graded(graded)) = aged.aggregation else { panic!() };
    assert_eq!((graded.mean(), graded.tally.stale), (4.25, 1));
    assert!(at("2026-11-25T10:00:01Z").past_retention && !at("2026-11-25T10:00:00Z").past_retention);
    assert!(at("2026-05-01T00:00:00Z").findings.iter().any(|finding| finding.rule == "answer-in-the-future"));
}

#[test]
fn a_partial_entry_has_no_grade_of_its_own_when_aged() {
    let now = Instant::new("2026-06-12T10:00:00Z").unwrap();
    let aged = |document: &Value| age(&entry(document), &AgingPlan::new(), &now).aggregation;
    let mut document = autonomous();
    assert!(aged(&document).is_some());
    document["gradingMode"] = json!("partial");
    document["aggregateGrade"] = json!("D");
    assert_eq!(aged(&document), None);
    document["categoricalVeto"] = documents::rejected()["categoricalVeto"].clone();
    document["aggregateGrade"] = json!("REJECTED");
    assert_eq!(aged(&document), Some(Aggregation::Rejected));
}
