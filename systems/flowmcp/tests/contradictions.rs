//! Decisions in cases where the grading model, its schema and its reference implementation disagree or have
//! gaps, with one test per decision.
//!
//! `docs/flowmcp.md` lists the decisions with their reasons.
#![allow(clippy::unwrap_used, clippy::panic)]

mod documents;

use documents::{answer, autonomous, checked, draft, entry, found, group_bound, rejected, with, without};
use fablegrade_flowmcp::aggregate::{Aggregation, GRADING_SYSTEM_1_0_0};
use fablegrade_flowmcp::area::Grade;
use fablegrade_flowmcp::entry::{AggregateGrade, Entry, GradingMode};
use fablegrade_flowmcp::envelope::Evaluation;
use fablegrade_flowmcp::line;
use fablegrade_flowmcp::produce::{Draft, Refusal};
use fablegrade_flowmcp::rollup::{Place, RollupOptions, Scope, rollup};
use fablegrade_flowmcp::schema::entry_schema;
use fablegrade_flowmcp::sequence::{NodeStatus, Step, check_sequence, node_of};
use fablegrade_public::finding::{Findings, Severity};
use serde_json::{Value, json};

fn build(draft: &Value) -> Result<Entry, Refusal> {
    Draft::from_json(draft.to_string().as_bytes()).unwrap().build()
}

fn refusal_rules(draft: &Value) -> Vec<&'static str> {
    build(draft).unwrap_err().findings().iter().map(|finding| finding.rule).collect()
}

#[test]
fn c01_the_schema_compiles_and_both_examples_pass() {
    let validator = jsonschema::options().should_validate_formats(true).build(&entry_schema()).unwrap();
    for document in [autonomous(), rejected()] {
        assert!(validator.is_valid(&document));
        assert!(checked(&document).is_error_free());
    }
}

#[test]
fn c02_a_persona_on_a_neutral_area_is_a_remark() {
    assert_eq!(found(&checked(&autonomous()), "persona-on-neutral-area"), [(Severity::Info, "/persona")]);
    let without_about = checked(&autonomous());
    assert_eq!(found(&without_about, "about-hash-missing"), [(Severity::Info, "")]);
    // The `aboutHash` of the excerpt is not hexadecimal.
    assert!(!checked(&with(autonomous(), "/aboutHash", json!("ef56gh78"))).is_valid());
}

#[test]
fn c03_ids_are_read_with_any_tail_and_written_with_seconds() {
    assert_eq!(found(&checked(&autonomous()), "grading-id-time"), [(Severity::Info, "/gradingId")]);
    assert_eq!(found(&checked(&group_bound()), "grading-id-time"), []);
    let built = build(&draft("single-test", json!(4))).unwrap();
    assert_eq!(built.grading_id.as_str(), "0badcafe--2026-07-01T10-00-00Z");
}

#[test]
fn c04_answer_counts_bind_envelopes_and_drafts_but_not_stored_entries() {
    assert_eq!(found(&checked(&autonomous()), "answer-count"), [(Severity::Info, "/gradings")]);
    let mut short = draft("namespace-description", json!(4));
    short["answers"].as_array_mut().unwrap().pop();
    assert_eq!(refusal_rules(&short), ["answer-missing"]);
}

#[test]
fn c05_every_judgement_needs_a_persona_even_on_neutral_areas() {
    let neutral = with(autonomous(), "/gradings/2/selectionContext/personaIds", json!(["neutral"]));
    assert!(checked(&neutral).is_error_free());
    for broken in [
        without(autonomous(), "/gradings/2/selectionContext"),
        without(autonomous(), "/gradings/2/selectionContext/personaIds"),
        with(autonomous(), "/gradings/2/selectionContext/personaIds", json!([])),
    ] {
        assert_eq!(found(&checked(&broken), "GRD-005").len(), 1, "{broken}");
    }
}

#[test]
fn c06_a_lens_is_required_and_so_is_the_persona_of_a_namespace_skill() {
    assert!(!checked(&without(group_bound(), "/persona/lensId")).is_valid());
    let skill = with(without(autonomous(), "/persona"), "/area", json!("namespace-skills"));
    let skill = checked(&with(skill, "/skillId", json!("read")));
    assert_eq!(found(&skill, "persona-missing"), [(Severity::Error, "")]);
}

#[test]
fn c07_an_entry_of_nothing_but_na_is_refused() {
    let Err(Refusal::NothingScorable(tally)) = build(&draft("namespace-description", json!("n/a"))) else {
        panic!()
    };
    assert_eq!((tally.counted, tally.not_applicable, tally.stale), (0, 4, 0));
    let mut stored = autonomous();
    stored["gradings"] = json!([answer("Q-a", json!("stale"), 1.0, "2026-05-29T10:00:00Z")]);
    assert_eq!(found(&checked(&stored), "nothing-scorable"), [(Severity::Error, "/aggregateGrade")]);
}

#[test]
fn c08_a_partial_entry_needs_a_full_one_before_it() {
    let mut partial = draft("namespace-description", json!(5));
    partial["gradingMode"] = json!("partial");
    partial["answers"].as_array_mut().unwrap().truncate(1);
    assert_eq!(refusal_rules(&partial), ["PRT-003"]);
    // A partial entry keeps the grade of the full entry, whatever its answers are.
    let mut full = draft("namespace-description", json!(3));
    full["timestamp"] = json!("2026-06-01T00:00:00Z");
    let full = build(&full).unwrap();
    assert_eq!(full.aggregate_grade, AggregateGrade::Letter(Grade::C));
    partial["previous"] = serde_json::from_str(&full.to_json().to_string()).unwrap();
    let partial = build(&partial).unwrap();
    assert_eq!((partial.aggregate_grade, partial.gradings.len()), (full.aggregate_grade, 1));
    let mut findings = Findings::new();
    check_sequence(&[Step::of(&full), Step::of(&partial)], &mut findings);
    assert_eq!(findings.errors(), 0);
    check_sequence(&[Step::of(&partial)], &mut findings);
    assert_eq!(findings.as_slice()[0].rule, "PRT-003");
}

#[test]
fn c09_stale_answers_are_left_out_and_block_nothing() {
    let document = with(autonomous(), "/gradings/1/score", json!("stale"));
    let aged = entry(&document);
    assert!(checked(&document).is_error_free());
    let indexes = rollup(&[("", &aged)], &RollupOptions::default());
    let schema = &indexes[0].schemas["getBalance"];
    assert_eq!(schema.tools["getBalance"].status, NodeStatus::Stable);
}

#[test]
fn c10_rejected_stands_exactly_with_a_veto_and_no_grade_leaves_the_tier() {
    let without_veto = checked(&with(autonomous(), "/aggregateGrade", json!("REJECTED")));
    assert_eq!(found(&without_veto, "rejected-without-veto"), [(Severity::Error, "/aggregateGrade")]);
    let with_letter = checked(&with(rejected(), "/aggregateGrade", json!("B")));
    assert!(!with_letter.is_valid());
    let above = with(autonomous(), "/gradings/1/score", json!(5));
    let above = checked(&with(above, "/aggregateGrade", json!("A")));
    assert!(above.is_valid());
    assert_eq!(found(&above, "tier-trim"), [(Severity::Error, "/aggregateGrade")]);
}

#[test]
fn c11_the_latest_valid_answer_of_several_graders_counts() {
    let mut document = autonomous();
    document["gradings"] = json!([
        answer("Q-a", json!(2), 1.0, "2026-05-01T00:00:00Z"),
        answer("Q-a", json!(4), 1.0, "2026-05-02T00:00:00Z"),
        answer("Q-a", json!("stale"), 1.0, "2026-05-03T00:00:00Z"),
    ]);
    document["aggregateGrade"] = json!("B");
    assert!(checked(&document).is_error_free());
    // Counting both answers gives a C. This is allowed, because consolidation is only a SHOULD, but it is
    // reported.
    document["aggregateGrade"] = json!("C");
    let both = checked(&document);
    assert!(both.is_error_free());
    assert_eq!(found(&both, "latest-answer"), [(Severity::Warning, "/aggregateGrade")]);
    document["aggregateGrade"] = json!("D");
    assert_eq!(found(&checked(&document), "aggregate-mismatch"), [(Severity::Error, "/aggregateGrade")]);
    // If two graders answer at the same moment, the lower score counts, in either order.
    let tie = |first: i32, second: i32| {
        let mut document = autonomous();
        document["gradings"] = json!([
            answer("Q-a", json!(first), 1.0, "2026-05-01T00:00:00Z"),
            answer("Q-a", json!(second), 1.0, "2026-05-01T02:00:00+02:00"),
        ]);
        document["gradings"][1]["graderIdentity"]["name"] = json!("another");
        document
    };
    for document in [tie(2, 4), tie(4, 2)] {
        let Aggregation::Graded(graded) = GRADING_SYSTEM_1_0_0.aggregate_entry(&entry(&document)) else {
            panic!()
        };
        assert_eq!((graded.mean(), graded.tally.counted), (2.0, 1));
        assert_eq!(found(&checked(&document), "latest-answer-tie").len(), 1);
    }
}

#[test]
fn c12_documents_in_the_form_of_the_reference_are_refused() {
    let mut document = autonomous();
    document["rawGrade"] = json!("A");
    document["createdAt"] = json!("2026-05-29T10:00:00Z");
    document["gradings"][0]["dimension"] = json!("apiAvailability");
    document["regradingTrigger"] = json!("scheduled");
    let checked = checked(&document);
    assert!(!checked.is_valid());
    let mut unknown: Vec<_> =
        found(&checked, "unknown-field").into_iter().map(|(_, pointer)| pointer).collect();
    // Unknown fields are reported in the document's order, which depends on the build's serde_json features.
    unknown.sort_unstable();
    assert_eq!(unknown, ["/createdAt", "/gradings/0/dimension", "/rawGrade"]);
    assert_eq!(found(&checked, "GRD-002"), [(Severity::Error, "/regradingTrigger")]);
}

#[test]
fn c13_a_schema_id_has_one_dot_whatever_its_second_half_names() {
    for (id, valid) in
        [("etherscan.getBalance", true), ("etherscan.contracts", true), ("a.b.c", false), ("a", false)]
    {
        assert_eq!(checked(&with(autonomous(), "/schemaId", json!(id))).is_valid(), valid, "{id}");
    }
    // The folders determine whether it is a tool.
    let entry = entry(&autonomous());
    let place = Place::of("providers/etherscan/accounts/tools/getBalance/_gradings/x.json", &entry);
    assert_eq!(place, Place::Tool { schema: "accounts".into(), tool: "getBalance".into() });
}

#[test]
fn c14_an_autonomous_tool_never_shows_grade_a_in_an_index() {
    let built = build(&draft("single-test", json!(5))).unwrap();
    let indexes = rollup(&[("", &built)], &RollupOptions::default());
    assert_eq!(
        indexes[0].schemas["forecast"].tools["forecast"].grade,
        Some(AggregateGrade::Letter(Grade::B))
    );
}

#[test]
fn c15_no_code_is_emitted_whose_meaning_is_disputed() {
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!text.contains("\"SKC-"));
    }
}

#[test]
fn c16_an_index_lists_blockers_as_node_and_reason() {
    let mut document = autonomous();
    document["gradingMode"] = json!("partial");
    let entry = entry(&document);
    let mut options = RollupOptions::default();
    options.blocked.insert((Scope::of(&entry), Place::of("", &entry)), "api-down".into());
    let index = rollup(&[("", &entry)], &options)[0].to_json();
    let index: Value = serde_json::from_str(&index.to_string()).unwrap();
    assert_eq!(index["blockers"], json!([{ "node": "getBalance.getBalance", "reason": "api-down" }]));
    assert_eq!(index["status"], json!("blocked"));
    assert_eq!(index.get("grade"), None);
    // The aggregate of a schema's tools that is blocked counts like any other node.
    document["area"] = json!("tools-aggregate-schema");
    let entry = documents::entry(&document);
    let mut options = RollupOptions::default();
    options.blocked.insert((Scope::of(&entry), Place::of("", &entry)), "api-down".into());
    let index = rollup(&[("", &entry)], &options)[0].to_json();
    let index: Value = serde_json::from_str(&index.to_string()).unwrap();
    assert_eq!(index["blockers"], json!([{ "node": "getBalance", "reason": "api-down" }]));
    assert_eq!(index["schemas"]["getBalance"]["status"], json!("blocked"));
    assert_eq!(index["status"], json!("blocked"));
}

#[test]
fn c17_stable_begins_at_b_unless_the_caller_says_otherwise() {
    let full = Step::new(Some(GradingMode::Full), AggregateGrade::Letter(Grade::B));
    assert_eq!(node_of(&[full], Grade::B, None).status, NodeStatus::Stable);
    assert_eq!(node_of(&[full], Grade::A, None).status, NodeStatus::Graded);
    assert_eq!(RollupOptions::default().stable_from, Grade::B);
}

#[test]
fn c18_how_many_tests_are_enough_is_the_callers_and_blocks_with_the_callers_reason() {
    let envelope = json!({ "blocker": "fewer-than-two-tests", "reason": "one test works" });
    let read = Evaluation::from_json(envelope.to_string().as_bytes()).unwrap();
    assert!(matches!(&read, Evaluation::Blocked { reason, .. } if reason == "one test works"));
    let mut draft = draft("namespace-description", json!(4));
    draft["judgement"] = json!({
        "envelope": envelope,
        "graderIdentity": { "kind": "human", "name": "Ada", "version": "1" },
        "selectionContext": { "groupId": "g", "personaIds": ["neutral"] },
    });
    let refusal = build(&draft).unwrap_err();
    assert!(matches!(&refusal, Refusal::Blocked { .. }));
    let finding = &refusal.findings()[0];
    assert_eq!(finding.message, "the evaluation is blocked (fewer-than-two-tests): one test works");
}

#[test]
fn c19_a_blank_reasoning_passes_the_schema_and_breaks_vet_003() {
    let ai = with(rejected(), "/categoricalVeto/triggeredBy", json!("ai-security-veto"));
    let none = checked(&ai);
    assert!(!none.is_valid());
    assert_eq!(found(&none, "VET-003"), [(Severity::Error, "/categoricalVeto")]);
    let blank = checked(&with(ai.clone(), "/categoricalVeto/reasoning", json!(" ")));
    assert!(blank.is_valid() && !blank.is_error_free());
    assert_eq!(found(&blank, "VET-003"), [(Severity::Error, "/categoricalVeto/reasoning")]);
    assert!(checked(&with(ai, "/categoricalVeto/reasoning", json!("it sends keys away"))).is_error_free());
}

#[test]
fn c20_pass_on_a_judgement_is_a_remark_and_a_number_from_code_is_fine() {
    let judged = checked(&with(autonomous(), "/gradings/2/score", json!("pass")));
    assert_eq!(found(&judged, "binary-judgement"), [(Severity::Info, "/gradings/2/score")]);
    assert!(judged.is_error_free());
    assert_eq!(found(&checked(&autonomous()), "binary-judgement"), []);
}

#[test]
fn lines_answer_with_the_id_they_were_given() {
    let line = json!({ "id": ["x", 1], "document": autonomous() }).to_string();
    let answer: Value =
        serde_json::from_str(&line::answer(line::check, line.as_bytes()).to_string()).unwrap();
    assert_eq!((&answer["id"], &answer["valid"]), (&json!(["x", 1]), &json!(true)));
    let answer: Value = serde_json::from_str(&line::answer(line::check, b"{").to_string()).unwrap();
    assert_eq!((&answer["id"], &answer["error"]["kind"]), (&json!(null), &json!("json")));
}
