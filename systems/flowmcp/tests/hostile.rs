//! Hostile documents lead to findings, never to a panic or unbounded work.
#![allow(clippy::unwrap_used, clippy::panic)]

mod documents;

use documents::{answer, autonomous, checked, draft, found, with};
use fablegrade_flowmcp::aggregate::{Aggregation, GRADING_SYSTEM_1_0_0};
use fablegrade_flowmcp::check::check;
use fablegrade_flowmcp::entry::Entry;
use fablegrade_flowmcp::line;
use fablegrade_flowmcp::lineage::check_lineage;
use fablegrade_flowmcp::rollup::RollupOptions;
use fablegrade_flowmcp::verify::verify;
use fablegrade_public::json::{Document, Json, Limits};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn a_hundred_thousand_answers_are_read_checked_and_graded() {
    let mut document = autonomous();
    let answers = (0..100_000)
        .map(|n| answer(&format!("Q-{}", n % 50_000), json!(2 + n % 2), 0.1, "2026-05-29T10:00:00Z"));
    document["gradings"] = answers.collect();
    document["aggregateGrade"] = json!("D");
    let text = document.to_string();
    // The document exceeds the default limits, which a caller can increase.
    assert_eq!(check(text.as_bytes()).unwrap_err().rule(), "too-large");
    let limits = Limits { bytes: 64 << 20, ..Limits::default() };
    let read = Document::parse_within(text.as_bytes(), limits).unwrap();
    let entry: Entry = read.read().unwrap();
    // The same grader answers every question twice at the same time, both times with 2 or both times with 3.
    let Aggregation::Graded(graded) = GRADING_SYSTEM_1_0_0.aggregate_entry(&entry) else { panic!() };
    assert_eq!((graded.tally.counted, graded.mean()), (50_000, 2.5));
    let mut findings = fablegrade_public::finding::Findings::new();
    entry.check(&mut findings);
    assert!(findings.dropped() > 0 && findings.errors() >= 50_000);
    let line = json!({ "id": 1, "gradingTier": "group-bound", "veto": null,
                       "gradings": vec![json!({ "score": 4, "weight": 1e-300 }); 100_000] });
    let graded = line::answer(line::aggregate, line.to_string().as_bytes());
    assert_eq!(graded.get("normalizedScore"), Some(&Json::from(4)));
}

#[test]
fn weights_at_the_ends_of_the_range_of_doubles_stay_exact() {
    let line = r#"{"id":1,"gradingTier":"group-bound","veto":false,"gradings":[
        {"score":4.5,"weight":1.7976931348623157e308},{"score":1,"weight":5e-324},{"score":4.5,"weight":1e308}]}"#;
    let graded = line::answer(line::aggregate, line.as_bytes());
    // The mean is below 4.5, but the nearest double is 4.5.
    assert_eq!(graded.get("aggregateGrade").and_then(Json::as_str), Some("B"));
    assert_eq!(graded.get("normalizedScore").unwrap().to_string(), "4.5");
}

#[test]
fn lines_that_are_wrong_say_so_and_give_no_grade() {
    for (gradings, rule) in [
        (json!([{ "score": 0.5, "weight": 1 }]), "SCO-001"),
        (json!([{ "score": "4", "weight": 1 }]), "SCO-003"),
        (json!([{ "score": 4, "weight": -1 }]), "SCO-004"),
        (json!([{ "weight": 1 }]), "missing-field"),
        (json!([]), "nothing-scorable"),
        (json!([{ "score": 4, "weight": 0 }]), "nothing-scorable"),
        (json!("all"), "wrong-type"),
    ] {
        let line = json!({ "id": "x", "gradings": gradings, "gradingTier": "autonomous", "veto": false });
        let graded = line::answer(line::aggregate, line.to_string().as_bytes());
        assert_eq!(graded.get("aggregateGrade"), Some(&Json::Null), "{line}");
        let findings = graded.get("findings").unwrap().as_array().unwrap();
        let rules: Vec<_> = findings.iter().map(|finding| finding.get("rule").unwrap().as_str()).collect();
        assert!(rules.contains(&Some(rule)), "{line}: {rules:?}");
    }
    let line = json!({ "gradings": [{ "score": 4 }], "gradingTier": "autonomous" });
    let graded = line::answer(line::aggregate, line.to_string().as_bytes());
    assert_eq!(graded.get("aggregateGrade").and_then(Json::as_str), Some("B"));
    assert_eq!(
        graded.get("findings").unwrap().as_array().unwrap().len(),
        1,
        "a weight that is not there is said"
    );
}

#[test]
fn a_chain_and_a_loop_of_ten_thousand_entries_are_walked_once() {
    let base = documents::entry(&documents::group_bound());
    let id = |n: usize| fablegrade_flowmcp::entry::GradingId::new(&format!("0badcafe--{n:05}")).unwrap();
    let mut entries: Vec<Entry> = (0..10_000)
        .map(|n| {
            let mut entry = base.clone();
            entry.grading_id = id(n);
            entry.gradings.truncate(1);
            entry.regrading_trigger.as_mut().unwrap().previous_grading_id =
                id((n + 1) % 10_000).as_str().into();
            entry
        })
        .collect();
    let loops = |entries: &[Entry]| {
        let all: Vec<&Entry> = entries.iter().collect();
        check_lineage(&all).iter().filter(|(_, finding)| finding.rule == "lineage-loop").count()
    };
    assert_eq!(loops(&entries), 10_000);
    entries[9_999].regrading_trigger = None;
    assert_eq!(loops(&entries), 0);
}

#[test]
fn unknown_fields_and_wrong_words_are_all_named() {
    let mut document = with(autonomous(), "/area", json!("everything"));
    document["x/y~z"] = json!(1);
    document["gradings"][0]["score"] = json!("good");
    document["gradings"][1]["graderIdentity"]["kind"] = json!("cat");
    document["gradings"][2]["questionId"] = json!(7);
    let checked = checked(&document);
    assert!(!checked.is_valid());
    let all: Vec<_> =
        checked.findings.iter().map(|finding| (finding.rule, finding.pointer.as_str())).collect();
    for expected in [
        ("GRD-033", "/area"),
        ("SCO-003", "/gradings/0/score"),
        ("unknown-word", "/gradings/1/graderIdentity/kind"),
        ("GRD-002", "/gradings/2/questionId"),
        ("unknown-field", "/x~1y~0z"),
    ] {
        assert!(all.contains(&expected), "{expected:?} in {all:?}");
    }
    assert!(found(&checked, "GRD-001").is_empty());
}

fn hostile() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~é😀]{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "single-test",
            "Q-single-test-01",
            "n/a",
            "a1b2c3d4",
            "2026-05-29T10:00:00Z"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let keys = prop::sample::select(vec![
            "id",
            "document",
            "draft",
            "gradings",
            "answers",
            "entries",
            "entry",
            "files",
            "plan",
            "classes",
            "now",
            "options",
            "liveHashes",
            "gradingTier",
            "score",
            "weight",
            "judgement",
            "envelope",
            "blocker",
            "previous",
            "area",
            "x",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((keys, inner), 0..6).prop_map(|fields| Value::Object(
                fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn no_line_makes_any_mode_panic(line in hostile()) {
        let text = line.to_string();
        let modes: [line::Mode; 6] = [line::check, line::aggregate, line::build, line::age, line::rollup, line::verify];
        for mode in modes {
            prop_assert!(line::answer(mode, text.as_bytes()).get("id").is_some());
        }
    }

    #[test]
    fn no_bytes_make_an_archive_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), cut in any::<prop::sample::Index>()) {
        let whole = autonomous().to_string();
        let cut = whole.as_bytes()[..cut.index(whole.len())].to_vec();
        let files = [("a.json".to_string(), bytes.clone()), ("index.json".to_string(), bytes), ("b.json".to_string(), cut)];
        prop_assert!(!verify(&files, &RollupOptions::default()).is_valid());
    }

    #[test]
    fn a_broken_draft_is_refused_or_its_entry_is_error_free(place in any::<prop::sample::Index>(), value in hostile()) {
        let mut draft = draft("single-test", json!(4));
        let keys: Vec<String> = draft.as_object().unwrap().keys().cloned().collect();
        draft[keys[place.index(keys.len())].as_str()] = value;
        let built = fablegrade_flowmcp::produce::Draft::from_json(draft.to_string().as_bytes()).ok().and_then(|draft| draft.build().ok());
        if let Some(entry) = built {
            let text = entry.to_json().to_string();
            prop_assert!(check(text.as_bytes()).unwrap().is_error_free());
        }
    }
}
