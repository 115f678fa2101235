//! Entries are built from drafts, and defects of archives are found.
#![allow(clippy::unwrap_used, clippy::panic)]

mod documents;

use documents::{autonomous, checked, draft, group_bound, rejected, with};
use fablegrade_flowmcp::area::{Area, Grade, Tier};
use fablegrade_flowmcp::canonical::schema_hash;
use fablegrade_flowmcp::entry::{AggregateGrade, Entry};
use fablegrade_flowmcp::line;
use fablegrade_flowmcp::produce::{Draft, Refusal};
use fablegrade_flowmcp::rollup::{Place, RollupOptions, RollupStatus, Scope, rollup};
use fablegrade_flowmcp::verify::{Verification, verify};
use fablegrade_public::finding::Severity;
use fablegrade_public::json::Json;
use serde_json::{Value, json};

fn build(draft: &Value) -> Result<Entry, Refusal> {
    Draft::from_json(draft.to_string().as_bytes()).unwrap().build()
}

fn value(json: &Json) -> Value {
    serde_json::from_str(&json.to_string()).unwrap()
}

fn refusal_rules(draft: &Value) -> Vec<&'static str> {
    build(draft).unwrap_err().findings().iter().map(|finding| finding.rule).collect()
}

/// Returns the paths of the files that have a finding of a rule.
fn found(verification: &Verification, rule: &str) -> Vec<String> {
    let files = verification.files.iter();
    let hits = files.filter(|file| file.findings.iter().any(|finding| finding.rule == rule));
    hits.map(|file| file.path.clone()).collect()
}

fn archive(files: &[(&str, Value)]) -> Verification {
    let files: Vec<_> =
        files.iter().map(|(path, text)| ((*path).to_string(), text.to_string().into_bytes())).collect();
    verify(&files, &RollupOptions::default())
}

#[test]
fn every_area_can_be_produced_and_its_entry_has_no_errors() {
    for area in Area::ALL {
        let mut draft = draft(area.as_str(), json!(4.5));
        if *area == Area::SelectionAggregate {
            assert_eq!(refusal_rules(&draft), ["SCO-004"; 6], "the catalogue has no weights");
            let weights = (0..6).map(|place| (area.question_id(place), json!(0.5)));
            draft["weights"] = Value::Object(weights.collect());
        }
        let entry = build(&draft).unwrap_or_else(|refusal| panic!("{area}: {:?}", refusal.findings()));
        let checked = checked(&value(&entry.to_json()));
        assert!(checked.is_error_free(), "{area}: {:?}", checked.findings);
        assert_eq!(entry.gradings.len(), area.questions().len());
        let best = if area.tier() == Tier::Autonomous { Grade::B } else { Grade::A };
        assert_eq!(entry.aggregate_grade, AggregateGrade::Letter(best), "{area}");
    }
}

#[test]
fn the_judges_envelope_and_the_answers_of_code_become_one_entry() {
    let mut draft = draft("single-test", json!(4));
    let all = draft["answers"].as_array_mut().unwrap();
    let judged: Vec<Value> = (1..=10)
        .map(|number| json!({ "questionId": format!("Q-single-test-{number:02}"), "score": 2, "reasoning": "Meh." }))
        .collect();
    all.truncate(3);
    draft["judgement"] = json!({
        "envelope": {
            "gradingId": "0badcafe--2026-07-01T09-00-00Z", "schemaHash": "0badcafe", "area": "single-test",
            "iteration": 1, "timestamp": "2026-07-01T09-00-00Z", "persona": null, "harness": "claude-code",
            "answers": judged, "improvementHints": [],
        },
        "graderIdentity": { "kind": "llm", "name": "judge", "version": "2" },
        "llmModel": "judge-2",
        "selectionContext": { "groupId": "g", "personaIds": ["neutral"], "domainDocId": "d" },
    });
    let entry = build(&draft).unwrap();
    // Code's three passes weigh 1.00 and the judge's seven twos weigh 2.00, so the mean is (5 + 4) / 3 = 3.
    assert_eq!(entry.aggregate_grade, AggregateGrade::Letter(Grade::C));
    assert_eq!(entry.gradings[0].grader_identity.name, "check");
    assert_eq!(entry.gradings[3].timestamp.as_str(), "2026-07-01T09:00:00Z");
    // The judge cannot answer the questions for code.
    draft["answers"].as_array_mut().unwrap().pop();
    assert_eq!(refusal_rules(&draft), ["answer-missing"]);
    // An envelope for another schema is not merged.
    let foreign = with(draft, "/judgement/envelope/schemaHash", json!("deadbeef"));
    let foreign = with(foreign, "/judgement/envelope/gradingId", json!("deadbeef--2026-07-01T09-00-00Z"));
    assert_eq!(refusal_rules(&foreign), ["ASC-008", "answer-missing"]);
}

#[test]
fn a_regrading_names_the_old_entry_and_leaves_it_alone() {
    let mut first = draft("namespace-description", json!(3));
    first["timestamp"] = json!("2026-06-01T00:00:00Z");
    let first = build(&first).unwrap();
    let before = first.clone();
    let mut second = draft("namespace-description", json!(5));
    second["regrading"] = json!({ "triggeredBy": "scheduled" });
    assert_eq!(refusal_rules(&second), ["GRD-006"]);
    second["previous"] = value(&first.to_json());
    let second = build(&second).unwrap();
    assert_eq!(second.supersedes(), Some(first.grading_id.as_str()));
    assert_eq!(first, before);
    let mut reported = draft("namespace-description", json!(5));
    reported["regrading"] = json!({ "triggeredBy": "user-report" });
    reported["previous"] = value(&first.to_json());
    assert_eq!(refusal_rules(&reported), ["GRD-001", "GRD-001"], "the issue and the user");
    let other = with(reported, "/previous/schemaId", json!("weather.other"));
    assert!(refusal_rules(&other).contains(&"lineage-subject"));
}

#[test]
fn a_hash_that_is_not_the_schemas_is_refused() {
    let schema = json!({ "version": "flowmcp/4.0.0", "namespace": "weather", "name": "forecast" });
    let hash = schema_hash(&Json::parse(schema.to_string().as_bytes()).unwrap());
    let mut draft = draft("namespace-description", json!(4));
    draft["schema"] = schema;
    let error = Draft::from_json(draft.to_string().as_bytes()).unwrap_err();
    assert_eq!((error.rule(), error.pointer()), ("hash-mismatch", "/schemaHash"));
    draft.as_object_mut().unwrap().remove("schemaHash");
    assert_eq!(build(&draft).unwrap().schema_hash, hash);
}

#[test]
fn an_archive_in_its_folders_is_verified_and_rolled_up() {
    let tool = build(&draft("single-test", json!(4))).unwrap();
    let tools = build(&draft("tools-aggregate-schema", json!(3))).unwrap();
    let mut files = vec![
        (
            "weather/base/tools/forecast/_gradings/single-test--2026-07-01T10-00-00Z.json",
            value(&tool.to_json()),
        ),
        ("weather/base/_gradings/tools-aggregate-schema--2026-07-01T10-00-00Z.json", value(&tools.to_json())),
        ("weather/base/forecast.json", json!({ "not": "an entry" })),
    ];
    let verification = archive(&files);
    assert!(verification.is_valid(), "{:?}", verification.files);
    assert_eq!(verification.skipped, ["weather/base/forecast.json"]);
    let index = &verification.indexes[0];
    assert_eq!(index.scope, Scope::Namespace("weather".into()));
    // Weights of 0.25 go to the score 5 and of 1.75 to 3, so the mean is (0.25 * 5 + 1.75 * 3) / 2 = 3.25, a
    // C.
    assert_eq!(
        (index.status(), index.grade()),
        (RollupStatus::Partial, Some(AggregateGrade::Letter(Grade::C)))
    );
    assert_eq!(index.schemas["base"].tools["forecast"].status.as_str(), "stable");
    // The stored index is valid until it is edited.
    let stored = value(&index.to_json());
    files.push(("weather/index.json", stored.clone()));
    assert!(archive(&files).is_valid());
    files.pop();
    files.push(("weather/index.json", with(stored, "/schemas/base/tools/forecast/status", json!("pending"))));
    let tampered = archive(&files);
    let mismatch = tampered
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .find(|finding| finding.rule == "index-mismatch");
    assert_eq!(mismatch.unwrap().pointer, "/schemas/base/tools/forecast/status");
    // A changed schema makes its nodes pending again.
    let mut options = RollupOptions::default();
    options.live_hashes.insert("base".into(), fablegrade_flowmcp::entry::Hash8::new("11111111").unwrap());
    let entries: Vec<_> = files[..2]
        .iter()
        .map(|(path, entry)| ((*path).to_string(), entry.to_string().into_bytes()))
        .collect();
    let changed = &verify(&entries, &options).indexes[0];
    assert_eq!(changed.schemas["base"].status().as_str(), "pending");
    assert_eq!(changed.schemas["base"].aggregate.reason.as_deref(), Some("schema changed, regrade required"));
}

#[test]
fn broken_lineage_is_found_and_named() {
    let step = |id: &str, previous: Option<&str>| {
        let document = with(group_bound(), "/gradingId", json!(id));
        match previous {
            Some(previous) => with(document, "/regradingTrigger/previousGradingId", json!(previous)),
            None => documents::without(document, "/regradingTrigger"),
        }
    };
    let (a, b, c) = (
        "0badcafe--2026-06-30T08-00-00Z",
        "0badcafe--2026-07-30T08-00-00Z",
        "0badcafe--2026-08-30T08-00-00Z",
    );
    let valid = archive(&[("a", step(a, None)), ("b", step(b, Some(a))), ("c", step(c, Some(b)))]);
    assert!(valid.is_valid(), "{:?}", valid.files);
    let missing = archive(&[("b", step(b, Some(a)))]);
    assert_eq!(found(&missing, "GRD-006"), ["b"]);
    let circle = archive(&[("a", step(a, Some(c))), ("b", step(b, Some(a))), ("c", step(c, Some(b)))]);
    assert_eq!(found(&circle, "lineage-loop"), ["a", "b", "c"]);
    assert_eq!(found(&circle, "lineage-order"), ["a"]);
    // An entry that leads into a loop is not part of the loop.
    let tail = archive(&[("c", step(c, Some(b))), ("b", step(b, Some(a))), ("a", step(a, Some(b)))]);
    assert_eq!(found(&tail, "lineage-loop"), ["b", "a"]);
    assert_eq!(found(&tail, "lineage-fork"), ["a"]);
    let itself = archive(&[("a", step(a, Some(a)))]);
    assert_eq!(itself.files[0].findings.iter().filter(|finding| finding.rule == "lineage-loop").count(), 1);
    let twice = archive(&[("a", step(a, None)), ("again", step(a, None))]);
    assert_eq!(found(&twice, "duplicate-grading-id"), ["again"]);
    let other = with(step(b, Some(a)), "/skillId", json!("other"));
    assert_eq!(found(&archive(&[("a", step(a, None)), ("b", other)]), "lineage-subject"), ["b"]);
    let mut partial = step(b, Some(a));
    partial["gradingMode"] = json!("partial");
    partial["aggregateGrade"] = json!("C");
    assert_eq!(found(&archive(&[("a", step(a, None)), ("b", partial)]), "PRT-004"), ["b"]);
}

#[test]
fn a_duplicate_id_is_found_in_every_order_of_files() {
    let base = documents::without(group_bound(), "/regradingTrigger");
    let files =
        [("a", with(base.clone(), "/schemaId", json!("other.schema"))), ("b", base.clone()), ("c", base)];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let verification = archive(&order.map(|place| files[place].clone()));
        let (errors, warnings) =
            (found(&verification, "duplicate-grading-id"), found(&verification, "shared-grading-id"));
        let second =
            if order.iter().position(|place| *place == 1) < order.iter().position(|place| *place == 2) {
                "c"
            } else {
                "b"
            };
        assert_eq!((errors, warnings.len()), (vec![second.to_string()], 1), "{order:?}");
    }
}

#[test]
fn a_shared_id_means_the_entry_of_the_same_subject_and_persona() {
    let base = documents::without(group_bound(), "/regradingTrigger");
    let lens = |document: Value, lens: &str| with(document, "/persona/lensId", json!(lens));
    let id = base["gradingId"].clone();
    let other = with(base.clone(), "/schemaId", json!("other.schema"));
    // An older entry of the same subject but another persona, which shares the id too.
    let another = lens(base.clone(), "another");
    let heir = |lens_id: &str, day: u8| {
        let heir = lens(
            with(group_bound(), "/gradingId", json!(format!("0badcafe--2026-08-{day}T08-00-00Z"))),
            lens_id,
        );
        with(heir, "/regradingTrigger/previousGradingId", id.clone())
    };
    let own = &base["persona"]["lensId"].as_str().unwrap().to_string();
    for files in [
        [("a", other.clone()), ("x", another.clone()), ("b", base.clone())],
        [("b", base.clone()), ("x", another.clone()), ("a", other.clone())],
        [("x", another), ("a", other.clone()), ("b", base)],
    ] {
        let mut files = files.to_vec();
        files.push(("d", heir(own, 30)));
        files.push(("e", heir("another", 31)));
        let verification = archive(&files);
        assert!(verification.is_valid(), "{:?}", verification.files);
        assert_eq!(found(&verification, "shared-grading-id").len(), 2);
        assert_eq!(found(&verification, "lineage-fork"), [] as [String; 0]);
    }
    // No holder of the id has the subject.
    assert_eq!(found(&archive(&[("a", other), ("d", heir(own, 30))]), "lineage-subject"), ["d"]);
}

#[test]
fn a_veto_rejects_the_whole_rollup() {
    let verification =
        archive(&[("a", autonomous()), ("r", with(rejected(), "/schemaId", json!("etherscan.theft")))]);
    let index = &verification.indexes[0];
    assert_eq!((index.status(), index.grade()), (RollupStatus::Rejected, Some(AggregateGrade::Rejected)));
}

#[test]
fn names_in_folders_must_fit_their_entries() {
    let wrong = archive(&[
        ("s/_gradings/single-test--2026-06-30T08-00-00Z.json", group_bound()),
        ("s/_gradings/notes.json", autonomous()),
        ("s/_gradings/selection-skills-L2--ai-engineer--crypto--2026-06-30T08-00-00Z.json", group_bound()),
    ]);
    let pointers: Vec<_> = wrong
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .filter(|finding| finding.rule == "file-name" || finding.rule == "ASC-009")
        .map(|finding| (finding.rule, finding.pointer.as_str()))
        .collect();
    assert_eq!(pointers, [("file-name", "/area"), ("ASC-009", ""), ("file-name", "/persona")]);
}

#[test]
fn the_line_modes_answer_for_drafts_aging_rollups_and_archives() {
    let ask = |mode: line::Mode, line: Value| value(&line::answer(mode, line.to_string().as_bytes()));
    let built = ask(line::build, json!({ "id": 1, "draft": draft("namespace-description", json!(4)) }));
    assert_eq!((&built["id"], &built["entry"]["aggregateGrade"]), (&json!(1), &json!("B")));
    let refused = ask(line::build, json!({ "id": 2, "draft": draft("namespace-description", json!("n/a")) }));
    assert_eq!(
        (&refused["error"]["findings"][0]["rule"], refused.get("entry")),
        (&json!("nothing-scorable"), None)
    );
    let plan = json!({ "classes": { "Q-api-availability": "API_DAYS" }, "retentionDays": "RETENTION_DAYS" });
    let aged = ask(
        line::age,
        json!({ "id": 3, "document": autonomous(), "plan": plan, "now": "2026-12-01T00:00:00Z" }),
    );
    assert_eq!(
        (&aged["becameStale"], &aged["pastRetention"]),
        (&json!(["Q-api-availability"]), &json!(true))
    );
    let vague = ask(
        line::age,
        json!({ "id": 4, "document": autonomous(), "plan": { "classes": { "Q-x": "soon" } }, "now": "2026-12-01T00:00:00Z" }),
    );
    assert_eq!(vague["error"]["findings"][0]["pointer"], json!("/plan/classes/Q-x"));
    let rolled = ask(
        line::rollup,
        json!({ "id": 5, "entries": [{ "entry": autonomous() }], "options": { "stableFrom": "A" } }),
    );
    assert_eq!(
        rolled["indexes"][0]["schemas"]["getBalance"]["tools"]["getBalance"]["status"],
        json!("graded")
    );
    let verified = ask(line::verify, json!({ "id": 6, "files": { "a.json": autonomous(), "b.json": [] } }));
    assert_eq!(
        (&verified["valid"], &verified["files"][1]["findings"][0]["rule"]),
        (&json!(false), &json!("GRD-002"))
    );
    assert_eq!(ask(line::verify, json!({ "id": 7 }))["error"]["findings"][0]["rule"], json!("missing-field"));
}

fn refusal_places(draft: &Value) -> Vec<(&'static str, String)> {
    let findings = build(draft).unwrap_err().findings();
    let errors = findings.into_iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| (finding.rule, finding.pointer)).collect()
}

/// Returns a partial draft with one answer, and its previous full entry.
fn partial(area: &str) -> (Value, Value) {
    let mut full = draft(area, json!(3));
    full["timestamp"] = json!("2026-06-01T00:00:00Z");
    let full = value(&build(&full).unwrap().to_json());
    let mut partial = draft(area, json!(5));
    partial["gradingMode"] = json!("partial");
    partial["answers"].as_array_mut().unwrap().truncate(1);
    partial["previous"] = full.clone();
    (partial, full)
}

fn veto() -> Value {
    rejected()["categoricalVeto"].clone()
}

#[test]
fn an_entry_never_has_the_id_of_its_predecessor() {
    let (mut draft, full) = partial("namespace-description");
    draft["timestamp"] = json!("2026-06-01T00:00:00.5Z");
    assert_eq!(refusal_places(&draft), [("duplicate-grading-id", "/timestamp".into())]);
    draft["timestamp"] = full["gradings"][0]["timestamp"].clone();
    assert_eq!(refusal_places(&draft), [("lineage-order", "/timestamp".into())]);
    draft["timestamp"] = json!("2026-06-01T00:00:01Z");
    assert!(build(&draft).is_ok());
}

#[test]
fn a_partial_entry_keeps_the_grade_of_its_own_persona() {
    let (draft, full) = partial("about-namespace");
    let entry = build(&draft).unwrap();
    assert_eq!(entry.aggregate_grade.as_str(), full["aggregateGrade"].as_str().unwrap());
    let other = with(draft, "/previous/persona/lensId", json!("another"));
    assert_eq!(refusal_places(&other), [("PRT-003", "/previous/persona".into())]);
    // A veto needs no earlier grade.
    let vetoed = build(&with(other, "/categoricalVeto", veto())).unwrap();
    assert_eq!(vetoed.aggregate_grade, AggregateGrade::Rejected);
}

#[test]
fn a_veto_in_a_partial_draft_rejects_after_any_entry() {
    let (draft, _) = partial("namespace-description");
    for previous in [
        with(draft.clone(), "/previous/gradingMode", json!("partial")),
        with(
            with(draft.clone(), "/previous/categoricalVeto", veto()),
            "/previous/aggregateGrade",
            json!("REJECTED"),
        ),
    ] {
        assert_eq!(refusal_places(&previous), [("PRT-003", "/previous".into())]);
        let vetoed = build(&with(previous, "/categoricalVeto", veto())).unwrap();
        assert_eq!(vetoed.aggregate_grade, AggregateGrade::Rejected);
    }
}

#[test]
fn a_schema_to_hash_is_an_object() {
    for schema in [json!(null), json!("schema"), json!([])] {
        let mut draft = draft("namespace-description", json!(4));
        draft["schema"] = schema;
        for draft in [draft.clone(), documents::without(draft, "/schemaHash")] {
            let error = Draft::from_json(draft.to_string().as_bytes()).unwrap_err();
            assert_eq!((error.findings().len(), error.rule(), error.pointer()), (1, "GRD-002", "/schema"));
        }
    }
}

fn judgement(envelope: Value) -> Value {
    json!({
        "envelope": envelope, "graderIdentity": { "kind": "llm", "name": "judge", "version": "2" },
        "llmModel": "judge-2", "selectionContext": { "groupId": "g", "personaIds": ["neutral"], "domainDocId": "d" },
    })
}

#[test]
fn errors_of_a_draft_are_where_their_values_are() {
    let draft = draft("single-test", json!(4));
    let last = draft["answers"].as_array().unwrap().len() - 1;
    let nameless = documents::without(draft.clone(), &format!("/answers/{last}/llmModel"));
    assert_eq!(refusal_places(&nameless), [("GRD-007", format!("/answers/{last}"))]);
    // In JSON Lines, the draft is a field.
    let line = json!({ "id": 1, "draft": nameless }).to_string();
    let answer = value(&line::answer(line::build, line.as_bytes()));
    assert_eq!(answer["error"]["findings"][0]["pointer"], json!(format!("/draft/answers/{last}")));
    // The evaluator is named once, for all its answers.
    let judged: Vec<Value> = (1..=10)
        .map(|number| json!({ "questionId": format!("Q-single-test-{number:02}"), "score": 2, "reasoning": "Meh." }))
        .collect();
    let envelope = json!({
        "gradingId": "0badcafe--2026-07-01T09-00-00Z", "schemaHash": "0badcafe", "area": "single-test",
        "iteration": 1, "timestamp": "2026-07-01T09-00-00Z", "persona": null, "harness": "claude-code",
        "answers": judged, "improvementHints": [],
    });
    let mut merged = with(draft, "/judgement", documents::without(judgement(envelope), "/llmModel"));
    assert!(build(&merged).is_ok(), "no answer of the evaluator is used");
    merged["answers"].as_array_mut().unwrap().truncate(3);
    assert_eq!(refusal_places(&merged), [("GRD-007", "/judgement".into())]);
    let (mut regraded, _) = partial("namespace-description");
    regraded["regrading"] = json!({ "triggeredBy": "user-report" });
    assert_eq!(
        refusal_places(&regraded),
        [("GRD-001", "/regrading".into()), ("GRD-001", "/regrading".into())]
    );
}

#[test]
fn a_veto_outranks_a_blocker() {
    let blocked = with(
        draft("namespace-description", json!(4)),
        "/judgement",
        judgement(json!({ "blocker": "api-down", "reason": "503" })),
    );
    assert_eq!(refusal_places(&blocked), [("evaluation-blocked", "/judgement/envelope".into())]);
    let vetoed = with(blocked.clone(), "/categoricalVeto", veto());
    assert_eq!(build(&vetoed).unwrap().aggregate_grade, AggregateGrade::Rejected);
    // An entry needs an answer even if there is a veto.
    let empty = with(vetoed, "/answers", json!([]));
    assert_eq!(refusal_places(&empty), [("evaluation-blocked", "/judgement/envelope".into())]);
    // All defects of the draft are reported.
    let unknown = with(blocked, "/answers/0/questionId", json!("Q-other"));
    let places =
        [("ASC-003", "/answers/0/questionId".into()), ("evaluation-blocked", "/judgement/envelope".into())];
    assert_eq!(refusal_places(&unknown), places);
}

#[test]
fn live_hashes_and_blocks_belong_to_one_namespace() {
    let entry = |namespace: &str, mode: &str| {
        let document = with(autonomous(), "/schemaId", json!(format!("{namespace}.quote")));
        documents::entry(&with(document, "/gradingMode", json!(mode)))
    };
    let path = |namespace: &str| format!("{namespace}/prices/tools/quote/_gradings/a.json");
    let status = |mode: &str, options: &RollupOptions| {
        let entries = ["one", "two"].map(|namespace| (path(namespace), entry(namespace, mode)));
        let filed: Vec<_> = entries.iter().map(|(path, entry)| (path.as_str(), entry)).collect();
        let indexes = rollup(&filed, options);
        indexes.iter().map(|index| index.schemas["prices"].tools["quote"].status.as_str()).collect::<Vec<_>>()
    };
    let hash = |text: &str| fablegrade_flowmcp::entry::Hash8::new(text).unwrap();
    let mut options = RollupOptions::default();
    assert_eq!(status("full", &options), ["stable", "stable"]);
    options.live_hashes.insert("one/prices".into(), hash("11111111"));
    assert_eq!(status("full", &options), ["pending", "stable"]);
    // A key without a namespace applies to the other namespaces.
    options.live_hashes.insert("one/prices".into(), hash("a1b2c3d4"));
    options.live_hashes.insert("prices".into(), hash("11111111"));
    assert_eq!(status("full", &options), ["stable", "pending"]);
    let place = Place::of(&path("one"), &entry("one", "partial"));
    options.blocked.insert((Scope::Namespace("one".into()), place), "api-down".into());
    assert_eq!(status("partial", &options), ["blocked", "pending"]);
}

#[test]
fn an_aggregate_is_bound_to_the_hash_that_was_graded() {
    let graded = with(autonomous(), "/area", json!("tools-aggregate-schema"));
    let dated = |document: &Value, hash: &str, month: u8| {
        let id = format!("{hash}--2026-{month:02}-29T15-34-00Z");
        documents::entry(&with(with(document.clone(), "/schemaHash", json!(hash)), "/gradingId", json!(id)))
    };
    let partial = with(graded.clone(), "/gradingMode", json!("partial"));
    let vetoed = with(graded.clone(), "/categoricalVeto", veto());
    let vetoed = with(vetoed, "/aggregateGrade", json!("REJECTED"));
    let entries =
        [dated(&graded, "11111111", 5), dated(&partial, "22222222", 6), dated(&vetoed, "33333333", 7)];
    let bound = |count: usize, from: usize| {
        let filed: Vec<_> = entries[from..count].iter().map(|entry| ("", entry)).collect();
        let indexes = rollup(&filed, &RollupOptions::default());
        indexes[0].schemas["getBalance"].bound_to.clone().map(|hash| hash.as_str().to_string())
    };
    for count in 1..=3 {
        assert_eq!(bound(count, 0).as_deref(), Some("11111111"));
    }
    assert_eq!(bound(3, 1), None, "nothing was graded in full");
}

#[test]
fn a_stored_grade_of_another_type_is_a_mismatch() {
    let entry = ("a", with(autonomous(), "/gradingMode", json!("partial")));
    let index = value(&archive(std::slice::from_ref(&entry)).indexes[0].to_json());
    assert_eq!(index.get("grade"), None);
    let mismatch = |grade: Value| {
        let verification = archive(&[entry.clone(), ("index.json", with(index.clone(), "/grade", grade))]);
        found(&verification, "index-mismatch")
    };
    assert_eq!(mismatch(json!(5)), ["index.json"]);
    assert_eq!(mismatch(json!({})), ["index.json"]);
    assert_eq!(mismatch(json!(null)), [] as [String; 0]);
}
