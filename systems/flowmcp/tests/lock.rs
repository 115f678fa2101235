//! Locks of selections: their format, preconditions and thresholds, and the enforcement of these rules.
#![allow(clippy::unwrap_used, clippy::panic)]

mod documents;

use std::collections::BTreeMap;

use documents::{draft, entry, group_bound, with};
use fablegrade_flowmcp::area::{Area, Grade};
use fablegrade_flowmcp::entry::AggregateGrade;
use fablegrade_flowmcp::lock::{LockSnapshot, MemberThreshold, stored_lock};
use fablegrade_flowmcp::produce::Draft;
use fablegrade_flowmcp::rollup::{RollupOptions, rollup};
use fablegrade_flowmcp::sequence::NodeStatus;
use fablegrade_flowmcp::verify::verify;
use fablegrade_public::finding::Severity;
use fablegrade_public::json::Json;
use serde_json::{Value, json};

fn member(number: usize, status: &str) -> Value {
    json!({ "schemaId": format!("provider.schema{number}"), "schemaVersion": "flowmcp/4.0.0",
            "schemaHash": "0badcafe", "gradingStatus": status, "override": null })
}

fn lock_document(statuses: &[&str]) -> Value {
    let members: Vec<_> =
        statuses.iter().enumerate().map(|(number, status)| member(number, status)).collect();
    json!({ "selectionId": selection(), "selectionVersion": "1.0.0", "selectionHash": "a1b2c3d4",
            "generatedAt": "2026-05-01T00:00:00Z", "members": members })
}

/// Returns the selection id of the example document.
fn selection() -> String {
    group_bound()["selectionId"].as_str().unwrap().into()
}

fn lock(statuses: &[&str]) -> LockSnapshot {
    LockSnapshot::from_json(lock_document(statuses).to_string().as_bytes()).unwrap()
}

fn rules(document: &Value) -> Vec<(&'static str, String)> {
    let error = LockSnapshot::from_json(document.to_string().as_bytes()).unwrap_err();
    error.findings().iter().map(|finding| (finding.rule, finding.pointer.clone())).collect()
}

#[test]
fn a_lock_is_read_with_everything_that_is_wrong_at_once() {
    let whole = lock_document(&["stable", "graded"]);
    let overridden = with(whole.clone(), "/members/0/override", json!({ "name": "Prices" }));
    for document in [&whole, &overridden] {
        let read = LockSnapshot::from_json(document.to_string().as_bytes()).unwrap();
        let written: Value = serde_json::from_str(&Json::from(&read).to_canonical()).unwrap();
        assert_eq!(&written, document);
    }
    let broken = with(whole.clone(), "/members/0/gradingStatus", json!("fine"));
    let broken = with(broken, "/members/1/override", json!({ "tools": [] }));
    assert_eq!(
        rules(&broken),
        [
            ("LCK-005", "/members/0/gradingStatus".into()),
            ("unknown-field", "/members/1/override/tools".into())
        ]
    );
    let twice = with(whole.clone(), "/members/1", member(0, "stable"));
    assert_eq!(rules(&twice), [("lock-member-twice", "/members/1/schemaId".into())]);
    assert_eq!(rules(&with(whole, "/generatedAt", json!("soon")))[0].1, "/generatedAt");
}

#[test]
fn only_selections_and_about_areas_have_preconditions() {
    let mixed = lock(&["stable", "graded", "pending"]);
    for area in Area::ALL {
        let gated = matches!(
            area,
            Area::AboutNamespace
                | Area::AboutSelection
                | Area::SelectionSkillsL1
                | Area::SelectionSkillsL2
                | Area::SelectionSkillsL3
                | Area::SelectionAggregate
        );
        assert_eq!(mixed.allows(*area), !gated, "{area}");
        let found = mixed.preconditions(*area);
        let places: Vec<_> = found.iter().map(|finding| (finding.rule, finding.pointer.as_str())).collect();
        let blocked = [("PRE-004", "/members/1/gradingStatus"), ("PRE-004", "/members/2/gradingStatus")];
        assert_eq!(places, if gated { blocked.to_vec() } else { Vec::new() }, "{area}");
        assert!(lock(&["stable", "stable"]).preconditions(*area).is_empty());
        // Without members the lock passes, with a warning.
        let empty = lock(&[]).preconditions(*area);
        assert!(lock(&[]).allows(*area));
        let warnings: Vec<_> = empty.iter().map(|finding| (finding.rule, finding.severity)).collect();
        assert_eq!(warnings, if gated { vec![("PRE-WARN-001", Severity::Warning)] } else { Vec::new() });
    }
}

#[test]
fn the_number_of_members_decides_what_a_selection_can_earn() {
    let letter = AggregateGrade::Letter;
    for (members, a, c) in [
        (0, None, None),
        (4, None, None),
        (5, Some(Grade::B), Some(Grade::C)),
        (6, Some(Grade::B), Some(Grade::C)),
        (7, Some(Grade::A), Some(Grade::C)),
        (70, Some(Grade::A), Some(Grade::C)),
    ] {
        let threshold = MemberThreshold::of(members);
        assert_eq!(threshold.trim(letter(Grade::A)), a.map(letter), "{members}");
        assert_eq!(threshold.trim(letter(Grade::C)), c.map(letter), "{members}");
        assert_eq!(threshold.trim(AggregateGrade::Rejected), Some(AggregateGrade::Rejected));
    }
}

fn rules_of_build(draft: &Value) -> Vec<String> {
    match Draft::from_json(draft.to_string().as_bytes()).unwrap().build() {
        Ok(_) => Vec::new(),
        Err(refusal) => refusal.findings().iter().map(|f| format!("{} {}", f.rule, f.pointer)).collect(),
    }
}

#[test]
fn a_draft_with_a_lock_must_meet_it() {
    let about = draft("about-selection", json!(4));
    assert!(rules_of_build(&about).is_empty(), "without a lock nothing is asked");
    let mut seven = lock_document(&["stable"; 7]);
    seven["selectionId"] = about["selectionId"].clone();
    let locked = |lock: &Value| with(about.clone(), "/lockSnapshot", lock.clone());
    assert!(rules_of_build(&locked(&seven)).is_empty());
    let unstable = with(seven.clone(), "/members/3/gradingStatus", json!("blocked"));
    assert_eq!(rules_of_build(&locked(&unstable)), ["PRE-004 /lockSnapshot/members/3/gradingStatus"]);
    let mut small = seven.clone();
    small["members"].as_array_mut().unwrap().truncate(4);
    assert_eq!(rules_of_build(&locked(&small)), ["selection-too-small /lockSnapshot/members"]);
    let other = with(seven.clone(), "/selectionId", json!("other"));
    assert_eq!(rules_of_build(&locked(&other)), ["lock-of-another-selection /lockSnapshot/selectionId"]);
    // Whether a provider's tool can be graded does not depend on the lock.
    assert!(rules_of_build(&with(draft("single-test", json!(4)), "/lockSnapshot", unstable)).is_empty());
}

/// Returns an index of the example selection with an optional lock; its entry has the grade A.
fn index(lock: Option<LockSnapshot>) -> Value {
    let entry = entry(&graded_a());
    let mut options = RollupOptions::default();
    options.locks =
        lock.map(|lock| (lock.selection_id.clone(), lock)).into_iter().collect::<BTreeMap<_, _>>();
    let indexes = rollup(&[("", &entry)], &options);
    assert_eq!(indexes.len(), 1);
    serde_json::from_str(&indexes[0].to_json().to_canonical()).unwrap()
}

fn graded_a() -> Value {
    let mut document = group_bound();
    for answer in document["gradings"].as_array_mut().unwrap() {
        answer["score"] = json!(5);
        answer.as_object_mut().unwrap().remove("naReason");
    }
    document.as_object_mut().unwrap().remove("regradingTrigger");
    with(document, "/aggregateGrade", json!("A"))
}

#[test]
fn an_index_carries_the_lock_and_no_grade_that_its_members_do_not_carry() {
    let free = index(None);
    assert_eq!((&free["grade"], free.get("lockSnapshot"), free.get("members")), (&json!("A"), None, None));
    let seven = index(Some(lock(&["stable"; 7])));
    assert_eq!(seven["grade"], "A");
    assert_eq!(seven["lockSnapshot"], lock_document(&["stable"; 7]));
    assert_eq!((&seven["summary"]["members"], &seven["summary"]["membersStable"]), (&json!(7), &json!(7)));
    assert_eq!(seven["members"]["provider.schema6"], json!({ "status": "stable" }));
    let five = index(Some(lock(&["stable", "stable", "graded", "stable", "stable"])));
    assert_eq!((&five["grade"], &five["summary"]["membersStable"]), (&json!("B"), &json!(4)));
    let four = index(Some(lock(&["stable"; 4])));
    assert_eq!((four.get("grade"), &four["status"]), (None, &json!("pending")));
    assert!(four.to_string().contains("fewer than 5 members"));
}

#[test]
fn a_grade_that_the_lock_limits_decides_whether_its_node_is_stable() {
    let entry = entry(&graded_a());
    for (members, stable_from) in [(5, Grade::A), (5, Grade::B), (7, Grade::A)] {
        let mut options = RollupOptions::default();
        options.stable_from = stable_from;
        options.locks = [(selection(), lock(&vec!["stable"; members]))].into();
        let index = &rollup(&[("", &entry)], &options)[0];
        let graded: Vec<_> = index
            .skills
            .values()
            .chain([&index.about, &index.aggregate])
            .filter(|node| node.grade.is_some())
            .collect();
        assert_eq!(graded.len(), 1);
        let limit = if members == 5 { Grade::B } else { Grade::A };
        assert_eq!(graded[0].grade, Some(AggregateGrade::Letter(limit)));
        let expected = if limit >= stable_from { NodeStatus::Stable } else { NodeStatus::Graded };
        assert_eq!(graded[0].status, expected, "{members} members, stable from {stable_from:?}");
    }
}

#[test]
fn nothing_has_a_grade_only_if_it_is_asked_for() {
    let entry = entry(&graded_a());
    let mut options = RollupOptions::default();
    options.locks = [(selection(), lock(&[]))].into();
    assert_eq!(rollup(&[("", &entry)], &options)[0].grade(), None);
    options.grade_of_nothing = Some(Grade::F);
    assert_eq!(rollup(&[("", &entry)], &options)[0].grade(), Some(AggregateGrade::Letter(Grade::F)));
}

#[test]
fn a_lock_is_written_once_and_then_kept_byte_for_byte() {
    let first = index(Some(lock(&["stable"; 7])));
    let text = first["lockSnapshot"].to_string();
    let stored = Json::parse(first.to_string().as_bytes()).unwrap();
    let kept = stored_lock(&stored).unwrap().unwrap();
    assert_eq!(Json::from(&kept).to_canonical(), text);
    assert_eq!(index(Some(kept))["lockSnapshot"].to_string(), text);
    assert_eq!(stored_lock(&Json::parse(b"{}").unwrap()).unwrap(), None);
    let broken = Json::parse(br#"{"lockSnapshot":{"members":[]}}"#).unwrap();
    assert!(stored_lock(&broken).unwrap_err().pointer().starts_with("/lockSnapshot"));
}

fn verified(lock: &LockSnapshot, given: Option<LockSnapshot>) -> Vec<(&'static str, String)> {
    let entry_text = graded_a().to_string().into_bytes();
    let index_text = index(Some(lock.clone())).to_string().into_bytes();
    let mut options = RollupOptions::default();
    options.locks = given.map(|lock| (lock.selection_id.clone(), lock)).into_iter().collect();
    let files = [("entry.json".to_owned(), entry_text), ("index.json".to_owned(), index_text)];
    let verification = verify(&files, &options);
    let found = verification.files.iter().flat_map(|file| &file.findings);
    found
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| (finding.rule, finding.pointer.clone()))
        .collect()
}

#[test]
fn an_archive_keeps_its_lock_and_what_was_graded_could_be_graded() {
    let seven = lock(&["stable"; 7]);
    assert_eq!(verified(&seven, None), []);
    assert_eq!(verified(&seven, Some(seven.clone())), []);
    let later = lock(&["stable"; 8]);
    assert_eq!(verified(&seven, Some(later)), [("lock-changed", "/lockSnapshot".into())]);
    let unstable = lock(&["stable", "stable", "stable", "stable", "stable", "stable", "pending"]);
    assert_eq!(verified(&unstable, None), [("PRE-004", "/lockSnapshot/members/6/gradingStatus".into())]);
}

#[test]
fn the_first_lock_that_belongs_to_its_index_is_kept() {
    let (first, second) = (lock(&["stable"; 7]), lock(&["stable"; 5]));
    let stored = |lock: &LockSnapshot| index(Some(lock.clone()));
    let misplaced = with(stored(&second), "/selectionId", json!("other"));
    let files = [
        ("entry.json", graded_a()),
        ("0/index.json", misplaced),
        ("a/index.json", stored(&first)),
        ("b/index.json", stored(&second)),
    ];
    let files = files.map(|(path, document)| (path.to_owned(), document.to_string().into_bytes()));
    let verification = verify(&files, &RollupOptions::default());
    assert_eq!(verification.indexes[0].lock.as_ref(), Some(&first));
    let rules = |file: usize| -> Vec<&str> {
        let errors =
            verification.files[file].findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.rule).collect()
    };
    assert_eq!(rules(1), ["lock-of-another-selection"]);
    assert_eq!(rules(2), [] as [&str; 0]);
    assert!(rules(3).contains(&"lock-changed"), "{:?}", rules(3));
}
