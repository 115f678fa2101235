//! The same sittings give the same bytes, in any split and any order.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use fablegrade_analysis::{Accumulator, Answer, Items, Rejected, Score};
use proptest::prelude::*;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A sitting: the score of each item in units of 10⁻⁵ points, or a negative number for an absent item.
type Sitting = [i32; 5];

fn add(all: &mut Accumulator, sitting: &Sitting) {
    let answers: Vec<_> = NAMES
        .iter()
        .zip(sitting)
        .enumerate()
        .filter(|(_, (_, score))| **score >= 0)
        .map(|(at, (item, score))| match score % 7 {
            0 => Answer::blank(item),
            1 => Answer::refused(item),
            _ => Answer::scored(item, Score::from_f64(f64::from(*score) / 1e5).unwrap())
                .options(&NAMES[at..])
                .millis(score.unsigned_abs()),
        })
        .collect();
    all.add(&answers).unwrap();
}

fn bytes(all: &Accumulator) -> String {
    serde_json::to_string(&all.finish(&Items::new())).unwrap()
}

proptest! {
    #[test]
    fn any_split_and_order_gives_the_same_bytes(
        sittings in proptest::collection::vec((proptest::array::uniform5(-200_000..1_000_000i32), 0..4usize), 0..60),
        seed in proptest::collection::vec(any::<u32>(), 60),
    ) {
        let mut whole = Accumulator::new();
        sittings.iter().for_each(|(sitting, _)| add(&mut whole, sitting));
        let mut shuffled: Vec<_> = sittings.iter().zip(&seed).collect();
        shuffled.sort_by_key(|(_, key)| **key);
        let mut parts: [Accumulator; 4] = Default::default();
        for ((sitting, part), _) in shuffled {
            add(&mut parts[*part], sitting);
        }
        let [a, b, c, d] = parts;
        let join = |left: &Accumulator, right: &Accumulator| {
            let mut sum = left.clone();
            sum.merge(right).unwrap();
            sum
        };
        let one = join(&join(&a, &b), &join(&c, &d));
        let other = join(&d, &join(&join(&c, &a), &b));
        prop_assert_eq!(&one, &whole);
        prop_assert_eq!(&other, &whole);
        prop_assert_eq!(bytes(&one), bytes(&whole));
    }
}

#[test]
fn more_distinct_scores_than_are_kept_are_forgotten_in_any_split() {
    let mut whole = Accumulator::new();
    let mut parts: [Accumulator; 2] = Default::default();
    for score in 0..6_000 {
        let sitting = [score, score * 2, -1, -1, -1];
        add(&mut whole, &sitting);
        add(&mut parts[(score % 2) as usize], &sitting);
    }
    let [mut left, right] = parts;
    left.merge(&right).unwrap();
    assert_eq!(left, whole);
    let report = whole.finish(&Items::new());
    assert!(report.items[0].discriminative_efficiency.absent().is_some());
    assert!(report.items[0].discrimination.value().is_some());
}

#[test]
fn an_option_that_an_answer_names_several_times_counts_once() {
    let names: Vec<String> = (0..40).map(|number| format!("option {number}")).collect();
    let once: Vec<&str> = names.iter().map(String::as_str).collect();
    let many: Vec<&str> = once.iter().copied().cycle().take(70_000).collect();
    let sums = |options: &[&str]| {
        let mut all = Accumulator::new();
        let answer = Answer::scored("a", Score::from_points(1)).options(options);
        all.add(&[answer]).unwrap();
        all
    };
    let all = sums(&many);
    assert_eq!(all, sums(&once));
    assert_eq!(Accumulator::from_bytes(&all.to_bytes()).unwrap(), all);
    let same = sums(&vec!["a"; 70_000]);
    assert_eq!(Accumulator::from_bytes(&same.to_bytes()).unwrap(), sums(&["a"]));
}

#[test]
fn an_answer_that_loses_points_is_among_the_wrong_ones() {
    let mut all = Accumulator::new();
    for (text, points) in [("1", 1), ("2", -1), ("3", 0)] {
        all.add(&[Answer::scored("a", Score::from_points(points)).text(text)]).unwrap();
    }
    let report = all.finish(&Items::new());
    let wrong: Vec<&str> = report.items[0].wrong_answers.iter().map(|group| group.answer.as_str()).collect();
    assert_eq!(wrong, ["2", "3"]);
}

#[test]
fn a_refused_sitting_changes_nothing() {
    let mut all = Accumulator::new();
    let point = |item| Answer::scored(item, Score::from_points(1));
    assert_eq!(all.add(&[point("a"), point("b"), point("a")]), Err(Rejected::Repeated("a".into())));
    let much = Answer::scored("b", Score::from_points(1_001));
    assert_eq!(all.add(&[point("a"), much]), Err(Rejected::TooLarge("b".into())));
    assert_eq!(all, Accumulator::new());
    assert_eq!(Score::from_f64(f64::NAN), None);
    assert_eq!(Score::from_f64(1e9), None);
}
