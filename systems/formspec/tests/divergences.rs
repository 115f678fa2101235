//! The behaviour of this crate, in both modes, where the specification's text is silent or differs from the
//! reference implementation. `docs/formspec.md` lists every test of this file.

#![allow(clippy::unwrap_used)]

use fablegrade_formspec::{
    Answers, Determination, DeterminationRecord, Evaluator, Fel, Options, PhaseStatus, Screener, Status,
    check_record, reason, warning,
};
use fablegrade_public::json::Json;

const NOW: &str = "2026-04-01T10:00:00Z";

fn screener(members: &str) -> Screener {
    let text = format!(
        r#"{{"$formspecScreener":"1.0","url":"urn:test:screener","version":"1.0.0","title":"Test",{members}}}"#
    );
    Screener::parse(text.as_bytes()).unwrap()
}

fn phase(strategy: &str, routes: &str, more: &str) -> Screener {
    screener(&format!(
        r#""items":[],"evaluation":[{{"id":"p","strategy":"{strategy}","routes":[{routes}]{more}}}]"#
    ))
}

fn run(screener: &Screener, answers: &Answers, now: &str, options: Options) -> Determination {
    Evaluator::new(screener, Fel, options).unwrap().determine(answers, now).unwrap()
}

/// Returns the record according to the specification, and the record in reference-compatible mode.
fn both(screener: &Screener, answers: &Answers, now: &str) -> (DeterminationRecord, DeterminationRecord) {
    let schema = run(screener, answers, now, Options::new()).record;
    // The default mode follows the specification, so its records obey the rules.
    assert_eq!(check_record(&schema), []);
    (schema, run(screener, answers, now, Options::new().reference_compatible()).record)
}

fn targets(routes: &[fablegrade_formspec::RouteResult]) -> Vec<&str> {
    routes.iter().map(|route| route.target.as_str()).collect()
}

fn reasons(routes: &[fablegrade_formspec::RouteResult]) -> Vec<&str> {
    routes.iter().map(|route| route.reason.as_deref().unwrap_or("-")).collect()
}

const TWO_ITEMS: &str = r#""items":[
    {"key":"age","type":"field","dataType":"integer","label":"Age"},
    {"key":"note","type":"display","label":"Thank you"},
    {"key":"home","type":"group","label":"Home","children":[
        {"key":"rent","type":"field","dataType":"decimal","label":"Rent"}]}],
    "evaluation":[{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}]"#;

#[test]
fn status_is_partial_when_an_item_was_not_answered() {
    let screener = screener(TWO_ITEMS);
    let everything = Answers::new().answered("age", 3).answered("home.rent", 700);
    for (answers, by_schema, by_reference) in [
        (everything.clone(), Status::Completed, Status::Completed),
        (Answers::new().answered("age", 3).not_presented("home.rent"), Status::Completed, Status::Completed),
        (Answers::new().answered("age", 3).declined("home.rent"), Status::Partial, Status::Partial),
        // The reference implementation ignores items that the answers do not mention.
        (Answers::new().answered("age", 3), Status::Partial, Status::Completed),
        (Answers::new(), Status::Partial, Status::Completed),
    ] {
        let (schema, reference) = both(&screener, &answers, NOW);
        assert_eq!((schema.status, reference.status), (by_schema, by_reference), "{answers:?}");
    }
}

#[test]
fn inputs_hold_every_item_and_no_declined_value() {
    let answers = Answers::parse(br#"{"age": {"value": 41, "state": "declined"}}"#).unwrap();
    let (schema, reference) = both(&screener(TWO_ITEMS), &answers, NOW);
    assert_eq!(
        schema.to_json().get("inputs").unwrap().to_string(),
        r#"{"age":{"state":"declined","value":null},"home.rent":{"state":"not-presented"}}"#
    );
    assert_eq!(
        reference.to_json().get("inputs").unwrap().to_string(),
        r#"{"age":{"state":"declined","value":41}}"#
    );
}

#[test]
fn expression_error_is_a_reason_and_a_warning() {
    let broken = phase(
        "fan-out",
        r#"{"target":"urn:a","condition":"$x =="},{"target":"urn:b","condition":"1 + 'a'"}"#,
        "",
    );
    let (schema, reference) = both(&broken, &Answers::new(), NOW);
    for record in [&schema, &reference] {
        assert_eq!(reasons(&record.phases[0].eliminated), [reason::EXPRESSION_ERROR; 2]);
        assert_eq!(record.phases[0].warnings.as_deref().unwrap(), [warning::EXPRESSION_ERROR]);
    }
    let findings = run(&broken, &Answers::new(), NOW, Options::new()).findings;
    let places: Vec<_> = findings.iter().map(|finding| finding.pointer.as_str()).collect();
    assert_eq!(places, ["/evaluation/0/routes/0/condition", "/evaluation/0/routes/1/condition"]);
}

#[test]
fn missing_expressions_are_errors() {
    let (schema, reference) = both(&phase("first-match", r#"{"target":"urn:a"}"#, ""), &Answers::new(), NOW);
    assert_eq!(reasons(&schema.phases[0].eliminated), [reason::EXPRESSION_ERROR]);
    assert_eq!(reasons(&reference.phases[0].eliminated), [reason::CONDITION_FALSE]);
    let (schema, reference) =
        both(&phase("score-threshold", r#"{"target":"urn:a"}"#, ""), &Answers::new(), NOW);
    assert_eq!(reasons(&schema.phases[0].eliminated), [reason::EXPRESSION_ERROR]);
    assert_eq!(targets(&reference.phases[0].matched), ["urn:a"]);
}

#[test]
fn routes_beyond_max_matches_keep_their_order() {
    let routes = r#"{"target":"urn:a","condition":"true"},{"target":"urn:f","condition":"false"},
        {"target":"urn:b","condition":"true"},{"target":"urn:c","condition":"true"}"#;
    let (schema, reference) =
        both(&phase("fan-out", routes, r#","config":{"maxMatches":1}"#), &Answers::new(), NOW);
    assert_eq!(targets(&schema.phases[0].eliminated), ["urn:f", "urn:b", "urn:c"]);
    assert_eq!(targets(&reference.phases[0].eliminated), ["urn:f", "urn:c", "urn:b"]);
    for record in [schema, reference] {
        assert_eq!(reasons(&record.phases[0].eliminated)[1..], [reason::MAX_EXCEEDED; 2]);
    }
}

#[test]
fn routes_beyond_top_n_are_max_exceeded_in_order_of_score() {
    let routes = r#"{"target":"urn:b","score":"80","threshold":0},{"target":"urn:a","score":"90","threshold":0},
        {"target":"urn:c","score":"50","threshold":0}"#;
    let (schema, reference) =
        both(&phase("score-threshold", routes, r#","config":{"topN":1}"#), &Answers::new(), NOW);
    assert_eq!(targets(&schema.phases[0].matched), ["urn:a"]);
    assert_eq!(targets(&schema.phases[0].eliminated), ["urn:b", "urn:c"]);
    assert_eq!(targets(&reference.phases[0].eliminated), ["urn:c", "urn:b"]);
    assert_eq!(reasons(&schema.phases[0].eliminated), [reason::MAX_EXCEEDED; 2]);
    let scores: Vec<_> =
        schema.phases[0].eliminated.iter().map(|route| route.score.as_ref().unwrap().to_string()).collect();
    assert_eq!(scores, ["80", "50"]);
}

#[test]
fn min_matches_counts_what_matched_before_the_cut() {
    let routes = r#"{"target":"urn:a","condition":"true"},{"target":"urn:b","condition":"true"}"#;
    let (schema, reference) =
        both(&phase("fan-out", routes, r#","config":{"minMatches":2,"maxMatches":1}"#), &Answers::new(), NOW);
    assert_eq!(schema.phases[0].warnings.as_deref().unwrap(), [""; 0]);
    assert_eq!(reference.phases[0].warnings.as_deref().unwrap(), [warning::BELOW_MINIMUM]);
}

#[test]
fn first_match_lists_the_routes_before_the_match_only() {
    let routes = r#"{"target":"urn:a","condition":"false"},{"target":"urn:b","condition":"true"},{"target":"urn:c","condition":"true"}"#;
    let (schema, reference) = both(&phase("first-match", routes, ""), &Answers::new(), NOW);
    for record in [schema, reference] {
        assert_eq!(targets(&record.phases[0].matched), ["urn:b"]);
        assert_eq!(targets(&record.phases[0].eliminated), ["urn:a"]);
    }
}

#[test]
fn normalising_by_a_greatest_score_of_zero_or_less_gives_zeros() {
    for scores in ["0", "-2"] {
        let routes = format!(
            r#"{{"target":"urn:a","score":"{scores}","threshold":0}},{{"target":"urn:b","score":"-4","threshold":0.1}}"#
        );
        let (schema, reference) =
            both(&phase("score-threshold", &routes, r#","config":{"normalize":true}"#), &Answers::new(), NOW);
        for record in [schema, reference] {
            assert_eq!(targets(&record.phases[0].matched), ["urn:a"]);
            assert_eq!(record.phases[0].matched[0].score.as_ref().unwrap().to_string(), "0");
            assert_eq!(reasons(&record.phases[0].eliminated), [reason::BELOW_THRESHOLD]);
        }
    }
}

#[test]
fn scores_are_exact() {
    // In binary floating point a score of one third reaches the threshold 0.33333333333333334.
    let routes = r#"{"target":"urn:a","score":"1/3","threshold":0.33333333333333334}"#;
    let (schema, reference) = both(&phase("score-threshold", routes, ""), &Answers::new(), NOW);
    assert_eq!(reasons(&schema.phases[0].eliminated), [reason::BELOW_THRESHOLD]);
    assert_eq!(targets(&reference.phases[0].matched), ["urn:a"]);
}

#[test]
fn a_day_is_its_first_moment_and_no_time_is_an_error() {
    let screener = screener(
        r#""items":[],"resultValidity":"P14D","availability":{"from":"2026-06-15"},
        "evaluation":[{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}]"#,
    );
    let (schema, reference) = both(&screener, &Answers::new(), "2026-06-15");
    assert_eq!(schema.timestamp, "2026-06-15T00:00:00Z");
    assert_eq!(schema.validity.unwrap().valid_until.unwrap(), "2026-06-29T00:00:00Z");
    assert_eq!(reference.timestamp, "2026-06-15");
    assert_eq!(reference.validity, None);

    let evaluator = Evaluator::new(&screener, Fel, Options::new()).unwrap();
    assert_eq!(evaluator.determine(&Answers::new(), "").unwrap_err().rule(), "date-time-form");
    let reference = run(&screener, &Answers::new(), "", Options::new().reference_compatible()).record;
    assert_eq!((reference.status, reference.timestamp.as_str()), (Status::Unavailable, ""));
}

#[test]
fn an_unavailable_record_keeps_inputs_and_has_no_validity() {
    let screener = screener(
        r#""items":[],"resultValidity":"P14D","availability":{"until":"2026-03-31"},
        "evaluation":[{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}]"#,
    );
    let (schema, reference) = both(&screener, &Answers::new().answered("a", 1), NOW);
    for record in [schema, reference] {
        assert_eq!(record.status, Status::Unavailable);
        assert_eq!((record.phases.len(), record.validity.is_none(), record.inputs.len()), (0, true, 1));
    }
}

const OFFICERS: &str = r#""items":[{"key":"officers","type":"group","repeatable":true,"label":"Officers","children":[
    {"key":"name","type":"field","dataType":"string","label":"Name"}]}],
    "evaluation":[{"id":"p","strategy":"fan-out","routes":[
        {"target":"urn:two","condition":"count($officers[*].name) = 2"},
        {"target":"urn:first","condition":"$officers[1].name = 'Jane'"}]}]"#;

#[test]
fn repeats_are_nested_before_they_are_read() {
    let answers = Answers::new().answered("officers[0].name", "Jane").answered("officers[1].name", "John");
    let (schema, reference) = both(&screener(OFFICERS), &answers, NOW);
    assert_eq!(targets(&schema.phases[0].matched), ["urn:two", "urn:first"]);
    // The reference implementation keeps flat names: there is no list to count, and `[1]` is the second
    // officer.
    assert_eq!(targets(&reference.phases[0].matched), [""; 0]);
    let paths: Vec<_> = schema.inputs.keys().collect();
    assert_eq!(paths, ["officers[0].name", "officers[1].name"]);
}

#[test]
fn an_instance_that_is_answered_as_a_whole_has_no_further_items() {
    let jane = Json::parse(br#"{"name":"Jane"}"#).unwrap();
    let answers = Answers::new().answered("officers[0].name", "John").answered("officers[1]", jane);
    let screener = screener(OFFICERS);
    let record = run(&screener, &answers, NOW, Options::new()).record;
    assert_eq!(record.inputs.keys().collect::<Vec<_>>(), ["officers[0].name", "officers[1]"]);
    assert_eq!(targets(&record.phases[0].matched), ["urn:two"]);
    let declined = Answers::new().declined("officers[0]");
    let record = run(&screener, &declined, NOW, Options::new()).record;
    assert_eq!(record.inputs.keys().collect::<Vec<_>>(), ["officers[0]"]);
}

#[test]
fn a_repeat_without_instances_has_its_items_once() {
    let (schema, _) = both(&screener(OFFICERS), &Answers::new(), NOW);
    assert_eq!(schema.status, Status::Completed);
    let paths: Vec<_> = schema.inputs.keys().collect();
    assert_eq!(paths, ["officers.name"]);
    // Those entries are not data: `$officers[*].name` stays null instead of becoming a type error.
    assert_eq!(reasons(&schema.phases[0].eliminated), [reason::CONDITION_FALSE; 2]);
}

#[test]
fn functions_that_are_not_standard_are_errors() {
    // The specification's own example 13.2 calls fpl().
    let screener = phase("fan-out", r#"{"target":"urn:a","condition":"$income < fpl(3) * 2"}"#, "");
    let (schema, reference) = both(&screener, &Answers::new().answered("income", 1), NOW);
    for record in [schema, reference] {
        assert_eq!(reasons(&record.phases[0].eliminated), [reason::EXPRESSION_ERROR]);
    }
    let findings = run(&screener, &Answers::new(), NOW, Options::new()).findings;
    assert_eq!(findings[0].message, "there is no function `fpl`");
}

#[test]
fn a_configuration_may_have_further_members() {
    let (schema, reference) =
        both(&phase("x-lottery", "", r#","config":{"x":3,"seats":10}"#), &Answers::new(), NOW);
    for record in [schema, reference] {
        assert_eq!(record.phases[0].status, PhaseStatus::UnsupportedStrategy);
    }
}

#[test]
fn a_halted_record_has_no_phases() {
    let routes = r#"{"target":"urn:broken","condition":"$x ==","override":true},
        {"target":"outcome:no","condition":"true","override":true,"terminal":true}"#;
    let (schema, reference) = both(&phase("first-match", routes, ""), &Answers::new(), NOW);
    assert!(schema.overrides.halted && schema.phases.is_empty());
    let codes =
        schema.extensions.as_ref().and_then(|extensions| extensions.get("x-fablegrade-warnings")).unwrap();
    assert_eq!(codes.to_string(), r#"["fel-expression-error"]"#);
    // The reference implementation adds a phase that the screener does not have.
    assert_eq!(reference.phases[0].id, "_evaluation");
    assert_eq!(check_record(&reference)[0].rule, "halted");
}

#[test]
fn a_broken_override_warns_in_the_first_phase() {
    let routes = r#"{"target":"urn:broken","condition":"$x ==","override":true,"terminal":true},{"target":"urn:t","condition":"true"}"#;
    let (schema, reference) = both(&phase("first-match", routes, ""), &Answers::new(), NOW);
    for record in [schema, reference] {
        assert_eq!(record.phases[0].warnings.as_deref().unwrap(), [warning::EXPRESSION_ERROR]);
        assert_eq!(targets(&record.phases[0].matched), ["urn:t"]);
    }
}

#[test]
fn messages_are_interpolated() {
    let message = r"{{$name}} earns {{$income * 2}}, born {{@2000-02-29}}; {{$missing}}|{{null}}|\\{{raw}}|{{1 + 'a'}}|{{ open";
    let routes = format!(r#"{{"target":"urn:t","condition":"true","message":"{message}"}}"#);
    let answers =
        Answers::new().answered("name", "Ada {{1}}").answered("income", Json::parse(b"0.10").unwrap());
    let (schema, reference) = both(&phase("first-match", &routes, ""), &answers, NOW);
    assert_eq!(
        schema.phases[0].matched[0].message.as_deref().unwrap(),
        "Ada {{1}} earns 0.2, born 2000-02-29; ||{{raw}}|{{1 + 'a'}}|{{ open"
    );
    assert_eq!(schema.phases[0].warnings.as_deref().unwrap(), [warning::INTERPOLATION_ERROR]);
    assert_eq!(reference.phases[0].matched[0].message.as_deref().unwrap(), message.replace(r"\\", r"\"));
    assert_eq!(reference.phases[0].warnings.as_deref().unwrap(), [""; 0]);
}

#[test]
fn the_clock_is_the_given_moment() {
    let routes = r#"{"target":"urn:today","condition":"today() = @2026-03-31"},{"target":"urn:now","condition":"string(now()) = '2026-03-31T23:00:00'"}"#;
    // `today()` is the day in the moment's own offset; in UTC it is already April.
    let (schema, reference) =
        both(&phase("fan-out", routes, ""), &Answers::new(), "2026-03-31T23:00:00-05:00");
    assert_eq!(targets(&schema.phases[0].matched), ["urn:today", "urn:now"]);
    // The reference implementation gives screeners no clock.
    assert_eq!(reasons(&reference.phases[0].eliminated), [reason::EXPRESSION_ERROR; 2]);
}

#[test]
fn answers_to_date_items_are_dates() {
    let screener = screener(
        r#""items":[{"key":"born","type":"field","dataType":"date","label":"Born"}],
        "evaluation":[{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"$born < @2000-01-01"}]}]"#,
    );
    let (schema, reference) = both(&screener, &Answers::new().answered("born", "1999-12-31"), NOW);
    assert_eq!(targets(&schema.phases[0].matched), ["urn:t"]);
    assert_eq!(reasons(&reference.phases[0].eliminated), [reason::EXPRESSION_ERROR]);
}

#[test]
fn the_end_of_validity_keeps_the_offset_as_written() {
    let screener = screener(
        r#""items":[],"resultValidity":"P1M",
        "evaluation":[{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}]"#,
    );
    let (schema, reference) = both(&screener, &Answers::new(), "2026-01-31T10:00:00Z");
    assert_eq!(schema.validity.unwrap().valid_until.unwrap(), "2026-02-28T10:00:00Z");
    assert_eq!(reference.validity.unwrap().valid_until.unwrap(), "2026-02-28T10:00:00+00:00");
}

#[test]
fn an_unreadable_day_closes_the_screener() {
    let screener = screener(
        r#""items":[],"availability":{"until":"2026-02-30"},
        "evaluation":[{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}]"#,
    );
    let error = Evaluator::new(&screener, Fel, Options::new()).err().unwrap();
    assert_eq!((error.rule(), error.pointer()), ("availability-date", "/availability/until"));
    // The reference implementation ignores a bound that it cannot read.
    let reference = run(&screener, &Answers::new(), NOW, Options::new().reference_compatible()).record;
    assert_eq!(reference.status, Status::Completed);
}

#[test]
fn a_duration_that_cannot_be_read_gives_no_validity_and_a_finding() {
    let screener = screener(
        r#""items":[],"resultValidity":"PT0.5S",
        "evaluation":[{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}]"#,
    );
    let (schema, reference) = both(&screener, &Answers::new(), NOW);
    assert_eq!((schema.validity, reference.validity), (None, None));
    assert_eq!(run(&screener, &Answers::new(), NOW, Options::new()).findings[0].rule, "result-validity");
}
