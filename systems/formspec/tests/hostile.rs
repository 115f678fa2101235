//! Bad input gives typed errors or reasons in the record, with bounded work and without a panic.

#![allow(clippy::unwrap_used)]

use fablegrade_formspec::{
    Answers, Evaluator, Fel, Language, MAX_INPUTS, MAX_ROUTES, Options, Screener, check_screener, line,
    reason,
};
use fablegrade_public::json::Json;

const NOW: &str = "2026-04-01T10:00:00Z";

fn screener(items: &str, evaluation: &str, more: &str) -> Screener {
    let text = format!(
        r#"{{"$formspecScreener":"1.0","url":"urn:test:screener","version":"1.0.0","title":"Test","items":[{items}],"evaluation":[{evaluation}]{more}}}"#
    );
    Screener::parse(text.as_bytes()).unwrap()
}

/// Returns the reason with which a route with this condition is eliminated; `None` if it matches.
fn outcome(condition: &str, answers: &Answers) -> Option<String> {
    outcome_with(condition, answers, Options::new())
}

fn outcome_with(condition: &str, answers: &Answers, options: Options) -> Option<String> {
    let condition = Json::from(condition);
    let screener = screener(
        "",
        &format!(
            r#"{{"id":"p","strategy":"first-match","routes":[{{"target":"urn:t","condition":{condition}}}]}}"#
        ),
        "",
    );
    let record = Evaluator::new(&screener, Fel, options).unwrap().determine(answers, NOW).unwrap().record;
    record.phases[0].eliminated.first().map(|route| route.reason.clone().unwrap())
}

#[test]
fn broken_expressions_are_never_silently_false() {
    let big = "79228162514264337593543950335";
    let long = format!("1{}", " + 1".repeat(2_000));
    let chain = format!("1{}", "+1".repeat(4_000));
    let mixed = format!("{}1", "(--------------- ".repeat(500));
    let nested = format!("{}1{}", "(".repeat(2_000), ")".repeat(2_000));
    let minus = format!("{}1 = 1", "-".repeat(8_000));
    let nots = format!("{}true", "not ".repeat(2_000));
    let lists = "[".repeat(8_000);
    let text = "x".repeat(2_000);
    let growing = format!(
        "let a = '{text}' in let b = a & a & a & a & a & a & a & a in let c = b & b & b & b & b & b & b & b in let d = c & c & c & c & c & c & c & c in let e = d & d & d & d & d & d & d & d in length(e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e & e) > 0"
    );
    for source in [
        "",
        "   ",
        "$x ==",
        "1 +",
        "'open",
        "(1",
        "1)",
        "nosuch()",
        "1 + 'a'",
        "'a' < 1",
        "not 5",
        "if(null, true, false)",
        "1 / 0",
        "@2026-02-30 = @2026-01-01",
        "true and 1",
        "length(5) = 1",
        "[1,2][3] = 1",
        "a b",
        "1 < 2 < 3",
        "$ |> x",
        "substring('a')",
        "matches('a', '(')",
        "matches('a', '(a{1000}){1000}')",
        "power(10, 20000) > 1",
        "power(2, 200) > 1",
        "power(0, -1) > 1",
        "power('a', 2) > 1",
        "dateAdd(@2026-01-01, 4294967296, 'years') = @2026-01-01",
        "dateAdd(@2026-01-01, 51539607552, 'months') = @2026-01-01",
        "dateAdd(@2026-01-01, 99999999999999999999, 'days') = @2026-01-01",
        "dateAdd(dateAdd(@2026-01-01, 1000000000, 'years'), 1000000000, 'years') > @2026-01-01",
        "dateAdd(@2026-01-01, -9223372036854775808, 'days') = @2026-01-01",
        "dateAdd(@2026-01-01, 1, 'weeks') = null",
        "dateAdd('2026', 1, 'days') = null",
        "dateAdd(2026, 1, 'days') = null",
        "replace(1, 'a', 'b') = ''",
        "replace('a', 'b') = ''",
        "format() = ''",
        "format(1) = ''",
        "fablegrade_power([1, 2]) > 0",
        "\u{0}",
        "\u{1f600}",
        "$\u{e9} = 1",
        &format!("{big} + 1 > 0"),
        &format!("sum([{big}, {big}]) > 0"),
        &format!("avg([{big}, {big}]) > 0"),
        &format!("{big} * {big} > 0"),
        &format!("-{big} - {big} < 0"),
        &format!("sumWhere([{big}, {big}], true) > 0"),
        "99999999999999999999999999999999999999 > 1",
        &long,
        &nested,
        &chain,
        &mixed,
        &minus,
        &nots,
        &lists,
        &growing,
        &format!(
            "let a = '{text}{text}' in let b = a & a & a & a & a & a & a & a in length(replace(b, 'x', b)) > 0"
        ),
        &format!(
            "let a = '{text}' in let b = a & a & a & a & a & a & a & a in length(format(replace(b, 'x', '%s{{0}}'), b)) > 0"
        ),
    ] {
        let shown: String = source.chars().take(60).collect();
        assert_eq!(outcome(source, &Answers::new()).as_deref(), Some(reason::EXPRESSION_ERROR), "{shown}");
    }
}

#[test]
fn our_functions_do_what_the_language_says() {
    for source in [
        "power(2, 10) = 1024",
        "power(4, 0.5) = 1",
        "power(2, -2) = 0.25",
        "power(9.5, 0) = 1",
        "power(null, 2) = null",
        "replace('banana', 'a', 'o') = 'bonono'",
        "replace('abc', '', '-') = '-a-b-c-'",
        "replace(null, 1, 2) = null",
        "format('{0} of {1}, {0}', 1, 'x') = '1 of x, 1'",
        "format('%s-%s-%s', 1, null) = '1-null-%s'",
        "format('plain') = 'plain'",
        "format(null, 1) = null",
        "dateAdd(@2024-02-29, 12, 'months') = @2025-02-28",
        "dateAdd(@2024-02-29, -100, 'years') = @1924-02-29",
        "dateAdd('2026-03-31T10:00:00', -1, 'months') = @2026-02-28",
        "dateAdd('2026-01-31', 1.9, 'days') = @2026-02-01",
        "dateAdd(@2026-01-01, 1000000, 'years') > dateAdd(@2026-01-01, 999999, 'years')",
        "dateAdd(null, 1, 'days') = null",
        "dateAdd(@2026-01-01, null, 'days') = null",
        "matches('banana', '^b.n')",
        "not matches('banana', '^a')",
        "matches('Größe', '^\\\\w+$')",
        "matches('a', null) = null",
        "matches(null, '(') = null",
    ] {
        assert_eq!(outcome(source, &Answers::new()), None, "{source}");
    }
}

#[test]
fn ordinary_patterns_are_matched_in_large_screeners() {
    // Each of the routes has the least allowance.
    let route = |target: &str, condition: &str| {
        format!(r#"{{"target":"{target}","condition":{}}}"#, Json::from(condition))
    };
    let record = |routes: &[String], strategy: &str, answers: &Answers| {
        let phase = format!(r#"{{"id":"p","strategy":"{strategy}","routes":[{}]}}"#, routes.join(","));
        let screener = screener("", &phase, "");
        Evaluator::new(&screener, Fel, Options::new()).unwrap().determine(answers, NOW).unwrap().record
    };
    for letter in ["a", "\u{436}", "\u{6f22}"] {
        let answers = Answers::new().answered("t", format!("{letter}{letter}{letter} {letter}").repeat(200));
        let patterns = ["^\\w+( \\w+)*$", "^[\\w ]+$", "\\b\\w+\\b", "(?i)^[\\pL\\d@.+ -]+$"];
        let mut routes: Vec<String> = patterns
            .iter()
            .map(|pattern| route("urn:t", &format!("matches($t, {})", Json::from(*pattern))))
            .collect();
        routes.resize(300, route("urn:t", "true"));
        assert_eq!(record(&routes, "fan-out", &answers).phases[0].eliminated, [], "{letter}");
    }
    let mut routes = vec![route("urn:refuse", "matches($t, '^[\\\\w@.+-]+$') = false")];
    routes.resize(300, route("urn:other", "true"));
    let answers = Answers::new().answered("t", "a b ".repeat(400));
    assert_eq!(record(&routes, "first-match", &answers).phases[0].matched[0].target, "urn:refuse");
    // One pattern for many texts, and one for a long text.
    let rows = Answers::new()
        .answered("a", Json::array(vec!["somebody something"; 20_000]))
        .answered("t", "a".repeat(1_000_000));
    assert_eq!(outcome("countWhere($a, matches($, '^\\\\w+ \\\\w+$')) = 20000", &rows), None);
    assert_eq!(outcome("matches($t, '^\\\\w+$')", &rows), None);
}

#[test]
fn patterns_of_answers_are_bounded() {
    // Few of them are kept, and each counts.
    let many: Vec<String> = (0..20_000).map(|at| format!("[ab]*c{{{at}}}|a[0-9]+b")).collect();
    let answers = Answers::new().answered("p", Json::array(many)).answered("long", "\\w".repeat(500_000));
    for condition in ["countWhere($p, matches('aaaaa', $)) > 0", "matches('a', $long)"] {
        assert_eq!(outcome(condition, &answers).as_deref(), Some(reason::EXPRESSION_ERROR), "{condition}");
    }
}

#[test]
fn a_loop_over_answers_is_bounded() {
    let numbers = Json::array(0..20_000i64);
    let answers = Answers::new().answered("n", numbers);
    assert_eq!(
        outcome("countWhere($n, countWhere($n, $ > 1) > 1) > 0", &answers).as_deref(),
        Some(reason::EXPRESSION_ERROR)
    );
    // One pass over them is a legitimate use.
    assert_eq!(outcome("countWhere($n, $ >= 0) = 20000", &answers), None);
}

#[test]
fn work_on_answers_is_bounded() {
    let text = Answers::new().answered("t", Json::from("x".repeat(1 << 20)));
    // No two places have the same letters before them.
    let mut seed = 1_u32;
    let mixed: String = (0..1 << 20)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if seed >> 31 == 0 { 'x' } else { 'y' }
        })
        .collect();
    let mixed = Answers::new().answered("t", mixed);
    let list =
        Answers::new().answered("a", Json::array(vec![Json::parse(br#"{"b":{"b":1}}"#).unwrap(); 20_000]));
    let keys = format!("count($a{}) > 0", ".b".repeat(4_000));
    let slots = format!("length(format($t{})) > 0", ", 1".repeat(2_600));
    let large = Answers::new().answered("t", Json::from("x".repeat(4 << 20)));
    let reads = format!("{}true", "length($t) > 0 and ".repeat(70));
    for (condition, answers) in
        [(keys.as_str(), &list), (&slots, &text), ("matches($t, 'x[xy]{200}z')", &mixed), (&reads, &large)]
    {
        let shown: String = condition.chars().take(60).collect();
        assert_eq!(outcome(condition, answers).as_deref(), Some(reason::EXPRESSION_ERROR), "{shown}");
    }
    for (condition, answers) in [(&keys, &list), (&reads, &large)] {
        let reference = Options::new().reference_compatible();
        assert_eq!(outcome_with(condition, answers, reference).as_deref(), Some(reason::EXPRESSION_ERROR));
    }
    // The work is counted, not the size of a pattern.
    for (condition, answers) in [
        ("countWhere([1, 2, 3, 4], matches($t, '(x+x+)+y|(a{2}){200}')) = 0", &text),
        ("not matches($t, '(?:x?){500}y')", &text),
        ("countWhere($a, matches(string(present($)), '[a-z]{9000}')) = 0", &list),
        ("not matches($t, 'x[xy]{5}z')", &mixed),
    ] {
        assert_eq!(outcome(condition, answers), None, "{condition}");
    }
    // What an expression really reads is counted, not the whole answer of the item.
    for condition in
        ["count($a.b) = 20000", "count($a.b.b) = 20000", "sum($a.b.b) = 20000", "empty($a.b.c) = false"]
    {
        assert_eq!(outcome(condition, &list), None, "{condition}");
    }
}

#[test]
fn numbers_of_answers_are_those_of_expressions() {
    for (number, condition) in [
        ("0.99999999999999999999999999999", "$n <= 1 and $n > 0.9"),
        ("99999999999999999999999999999e-1", "$n = 9999999999999999999999999999.9"),
        ("5.55e-17", "$n = 0.0000000000000000555"),
        ("-5.55e-17", "$n = -0.0000000000000000555"),
        ("1.2345678901234567e-13", "$n = 0.0000000000001234567890123457"),
        ("1e-300", "$n = 0"),
        ("1e28", "$n = 10000000000000000000000000000"),
        ("79228162514264337593543950335", "$n = 79228162514264337593543950335"),
        ("7.9228162514264337593543950335e10", "$n = 79228162514.264337593543950335"),
        ("-123456789012345678901234.5678", "$n = -123456789012345678901234.5678"),
    ] {
        let answers = Answers::new().answered("n", Json::parse(number.as_bytes()).unwrap());
        assert_eq!(outcome(condition, &answers), None, "{number}");
    }
    // No condition may hold, or not hold, because a number is too large to be read.
    for number in [
        "99999999999999999999999999999",
        "1e30",
        "-1e300",
        "79228162514264337593543950336",
        r#"{"$type": "number", "value": "1e30"}"#,
        r#"{"amount": 1e30, "currency": "EUR"}"#,
        "[1, [1e30]]",
    ] {
        let answers = Answers::new().answered("n", Json::parse(number.as_bytes()).unwrap()).answered("m", 1);
        for condition in ["$n > 10", "$n = null", "not present($n)", "true or $n > 1 or $n = null"] {
            let expected = (!condition.starts_with("true")).then_some(reason::EXPRESSION_ERROR);
            assert_eq!(outcome(condition, &answers).as_deref(), expected, "{number}: {condition}");
        }
        assert_eq!(outcome("$m = 1", &answers), None);
    }
}

#[test]
fn ten_thousand_routes_are_evaluated() {
    let route =
        r#"{"target":"urn:t","condition":"countWhere($n, $ > 5) = 4","message":"{{$n[1]}}","label":"L"}"#;
    let routes = vec![route; 10_000].join(",");
    let screener = screener(
        "",
        &format!(r#"{{"id":"p","strategy":"fan-out","config":{{"maxMatches":2}},"routes":[{routes}]}}"#),
        "",
    );
    let answers = Answers::new().answered("n", Json::array([1i64, 6, 7, 8, 9]));
    let record =
        Evaluator::new(&screener, Fel, Options::new()).unwrap().determine(&answers, NOW).unwrap().record;
    assert_eq!((record.phases[0].matched.len(), record.phases[0].eliminated.len()), (2, 9_998));
    assert_eq!(record.phases[0].matched[0].message.as_deref(), Some("1"));
    // This answer is so large that not all of the ten thousand routes can read it.
    let answers = Answers::new().answered("n", Json::from("x".repeat(7 << 20)));
    let record =
        Evaluator::new(&screener, Fel, Options::new()).unwrap().determine(&answers, NOW).unwrap().record;
    assert_eq!(record.phases[0].eliminated[9_999].reason.as_deref(), Some(reason::EXPRESSION_ERROR));
}

#[test]
fn more_routes_than_the_limit_are_refused() {
    let routes = vec![r#"{"target":"urn:t"}"#; MAX_ROUTES / 2 + 1].join(",");
    let phase = format!(r#"{{"id":"p","strategy":"first-match","routes":[{routes}]}}"#);
    let text = format!(
        r#"{{"$formspecScreener":"1.0","url":"urn:s","version":"1","title":"T","items":[],"evaluation":[{phase},{phase}]}}"#
    );
    assert_eq!(Screener::parse(text.as_bytes()).unwrap_err().rule(), "too-many-routes");
}

#[test]
fn contradictory_answers_are_refused() {
    let screener = screener(
        r#"{"key":"g","type":"group","label":"G","repeatable":true,"children":[{"key":"a","type":"field","label":"A"}]},
        {"key":"plain","type":"field","label":"P"},
        {"key":"group","type":"group","label":"G","children":[{"key":"a","type":"field","label":"A"}]}"#,
        r#"{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}"#,
        "",
    );
    let evaluator = Evaluator::new(&screener, Fel, Options::new()).unwrap();
    for (answers, rule) in [
        (Answers::new().answered("g[1].a", 1), "repeat-gap"),
        (Answers::new().answered("g[18446744073709551615].a", 1), "repeat-gap"),
        (Answers::new().answered("g[199999].a", 1), "repeat-gap"),
        (Answers::new().answered("x", 1).answered("x.y", 1), "answer-overlap"),
        (Answers::new().answered("g[0].a", 1).answered("g", 1), "answer-overlap"),
        (Answers::new().answered("a b", 1), "item-path-form"),
        (Answers::new().answered("g[-1].a", 1), "item-path-form"),
        (Answers::new().answered(&vec!["a"; 65].join("."), 1), "item-path-form"),
        (Answers::new().answered("plain[0]", 1), "item-path-form"),
        (Answers::new().answered("group[0].a", 1), "item-path-form"),
    ] {
        assert_eq!(evaluator.determine(&answers, NOW).unwrap_err().rule(), rule, "{answers:?}");
    }
    for (text, rule) in [
        ("[]", "wrong-type"),
        (r#"{"a": 1}"#, "wrong-type"),
        (r#"{"a": {"value": 1}}"#, "missing-field"),
        (r#"{"a": {"value": 1, "state": "maybe"}}"#, "unknown-word"),
        (r#"{"a": {"value": 1, "state": "answered", "x": 1}}"#, "unknown-field"),
    ] {
        assert_eq!(Answers::parse(text.as_bytes()).unwrap_err().rule(), rule, "{text}");
    }
}

#[test]
fn more_answers_than_the_limit_are_refused() {
    let screener = screener(
        r#"{"key":"a","type":"field","label":"A"}"#,
        r#"{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}"#,
        "",
    );
    let evaluator = Evaluator::new(&screener, Fel, Options::new()).unwrap();
    let mut answers = Answers::new().answered("a", 1);
    for number in 1..MAX_INPUTS {
        answers = answers.answered(&format!("b{number}"), 1);
    }
    assert_eq!(evaluator.determine(&answers, NOW).unwrap().record.inputs.len(), MAX_INPUTS);
    let answers = answers.answered("c", 1);
    let error = evaluator.determine(&answers, NOW).unwrap_err();
    assert_eq!((error.rule(), error.pointer()), ("too-many-inputs", "/c"));
}

#[test]
fn a_long_chain_of_binds_is_checked_in_one_pass() {
    let items: Vec<String> =
        (0..=20_000).map(|at| format!(r#"{{"key":"a{at}","type":"field","label":"A"}}"#)).collect();
    let phase = r#"{"id":"p","strategy":"fan-out","routes":[{"target":"urn:a","condition":"true"}]}"#;
    let cycles = |last: &str| {
        let mut binds: Vec<String> =
            (0..20_000).map(|at| format!(r#"{{"path":"a{at}","calculate":"$a{}"}}"#, at + 1)).collect();
        binds.push(format!(r#"{{"path":"a20000","calculate":"{last}"}}"#));
        let screener = screener(&items.join(","), phase, &format!(r#","binds":[{}]"#, binds.join(",")));
        check_screener(&screener, &Fel).iter().filter(|finding| finding.rule == "bind-cycle").count()
    };
    assert_eq!(cycles("1"), 0);
    assert!(cycles("$a0") > 0);
}

#[test]
fn an_answer_to_no_item_is_told_however_it_is_read() {
    let phases =
        r#""evaluation":[{"id":"p","strategy":"fan-out","routes":[{"target":"urn:a","condition":"true"}]}]"#;
    let items = r#"[{"key":"a","type":"field","label":"A"},{"key":"note","type":"display","label":"N"}]"#;
    for items in [items, "[]"] {
        let head = r#""$formspecScreener":"1.0","url":"urn:t","version":"1.0.0","title":"T""#;
        let screener = Screener::parse(format!(r#"{{{head},"items":{items},{phases}}}"#).as_bytes()).unwrap();
        for options in [Options::new(), Options::new().reference_compatible()] {
            let evaluator = Evaluator::new(&screener, Fel, options).unwrap();
            let answers = Answers::new().answered("stranger", 1).answered("note", 1);
            let findings = evaluator.determine(&answers, NOW).unwrap().findings;
            let told: Vec<_> =
                findings.iter().map(|finding| (finding.rule, finding.pointer.as_str())).collect();
            assert_eq!(told, [("unknown-item", "/note"), ("unknown-item", "/stranger")]);
        }
    }
}

#[test]
fn an_invalid_time_is_reported_at_its_field() {
    let line = |fields: &str| {
        let phases = r#"[{"id":"p","strategy":"fan-out","routes":[{"target":"urn:a","condition":"true"}]}]"#;
        let head = r#""$formspecScreener":"1.0","url":"urn:t","version":"1.0.0","title":"T","items":[]"#;
        let line = format!(r#"{{"id":1,"screener":{{{head},"evaluation":{phases}}},{fields}}}"#);
        let answer = fablegrade_formspec::line::determine(line.as_bytes(), Fel).text;
        Json::parse(answer.as_bytes()).unwrap().pointer("/error/findings/0/pointer").cloned()
    };
    assert_eq!(line(r#""now":"12026-01-01T00:00:00Z""#), Some("/now".into()));
    assert_eq!(line(r#""now":"2026-01-01","began":"early""#), Some("/began".into()));
}

#[test]
fn dates_beyond_the_calendar_are_compared_but_have_no_text() {
    let message = |source: &str| {
        let head = r#""$formspecScreener":"1.0","url":"urn:t","version":"1.0.0","title":"T","items":[]"#;
        let phases = format!(
            r#"[{{"id":"p","strategy":"fan-out","routes":[{{"target":"urn:a","condition":"dateAdd(@9999-12-31, 1, 'days') > @9999-12-31","message":"{{{{{source}}}}}"}}]}}]"#
        );
        let screener = Screener::parse(format!(r#"{{{head},"evaluation":{phases}}}"#).as_bytes()).unwrap();
        let evaluator = Evaluator::new(&screener, Fel, Options::new()).unwrap();
        let made = evaluator.determine(&Answers::new(), NOW).unwrap();
        (made.record.phases[0].matched[0].message.clone().unwrap(), made.findings.len())
    };
    assert_eq!(message("dateAdd(@9999-12-30, 1, 'days')"), ("9999-12-31".into(), 0));
    let beyond = "dateAdd(@9999-12-31, 1, 'days')";
    assert_eq!(message(beyond), (format!("{{{{{beyond}}}}}"), 1));
}

#[test]
fn answers_of_another_type_are_named() {
    for (data_type, wrong, right) in [
        ("integer", "1.5", "2"),
        ("decimal", r#""2""#, "2.5"),
        ("boolean", r#""true""#, "false"),
        ("string", "1", r#""x""#),
        ("date", "20261015", r#""2026-10-15""#),
    ] {
        let screener = screener(
            &format!(r#"{{"key":"a","type":"field","dataType":"{data_type}","label":"A"}}"#),
            r#"{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}"#,
            "",
        );
        let evaluator = Evaluator::new(&screener, Fel, Options::new()).unwrap();
        let found = |value: &str| {
            let text = format!(r#"{{"a":{{"value":{value},"state":"answered"}}}}"#);
            let findings =
                evaluator.determine(&Answers::parse(text.as_bytes()).unwrap(), NOW).unwrap().findings;
            findings.into_iter().map(|finding| (finding.rule, finding.pointer)).collect::<Vec<_>>()
        };
        assert_eq!(found(right), [], "{data_type}");
        assert_eq!(found(wrong), [("answer-type", "/a/value".to_owned())], "{data_type}");
    }
}

#[test]
fn hostile_times_are_typed() {
    let phase = r#"{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"dateAdd(today(), 1, 'days') > today()"}]}"#;
    for (duration, until) in [
        ("P1D", Some("2026-04-02T10:00:00Z")),
        ("P8000Y", None),
        ("P99999999999999999999D", None),
        ("P4294967295Y", None),
        ("", None),
        ("PT99999999999999999999S", None),
        ("P1D1Y", None),
        ("P", None),
    ] {
        let screener = screener("", phase, &format!(r#","resultValidity":"{duration}""#));
        let made =
            Evaluator::new(&screener, Fel, Options::new()).unwrap().determine(&Answers::new(), NOW).unwrap();
        assert_eq!(
            made.record.validity.and_then(|validity| validity.valid_until).as_deref(),
            until,
            "{duration}"
        );
        assert_eq!(
            made.findings.iter().filter(|finding| finding.rule == "result-validity").count(),
            usize::from(until.is_none()),
            "{duration}"
        );
    }
    let screener = screener("", phase, "");
    let evaluator = Evaluator::new(&screener, Fel, Options::new()).unwrap();
    for now in [
        "",
        "now",
        "2026-02-30",
        "2026-04-01 10:00:00",
        "2026-04-01T10:00:00",
        "10000-01-01",
        "2026-04-01T24:00:00Z",
    ] {
        assert_eq!(evaluator.determine(&Answers::new(), now).unwrap_err().rule(), "date-time-form", "{now}");
    }
    for now in ["0000-01-01", "9999-12-31T23:59:59Z", "2016-12-31T23:59:60Z"] {
        assert_eq!(
            evaluator.determine(&Answers::new(), now).unwrap().record.phases[0].matched.len(),
            1,
            "{now}"
        );
    }
}

#[test]
fn findings_tell_nothing_of_the_answers() {
    let routes: Vec<String> = [
        "matches('a', $secret)",
        "date($secret) = today()",
        "number($secret) > 1",
        "$secret + 1",
        "money(1, $secret) = null",
        "dateAdd(today(), 1, $secret) = null",
    ]
    .iter()
    .map(|condition| format!(r#"{{"target":"urn:t","condition":"{condition}"}}"#))
    .collect();
    let screener =
        screener("", &format!(r#"{{"id":"p","strategy":"fan-out","routes":[{}]}}"#, routes.join(",")), "");
    let answers = Answers::new().answered("secret", "(hunter2");
    let made = Evaluator::new(&screener, Fel, Options::new()).unwrap().determine(&answers, NOW).unwrap();
    assert!(made.findings.len() >= 3, "{:?}", made.findings);
    for finding in &made.findings {
        assert!(!finding.to_string().contains("hunter2"), "{finding}");
    }
    let told: Vec<&str> = made.findings.iter().map(|finding| finding.message.as_str()).collect();
    for message in ["the pattern is invalid", "date: cannot parse", "dateAdd: unknown unit"] {
        assert!(told.contains(&message), "{told:?}");
    }
}

#[test]
fn items_without_answers_are_sought_in_bounded_time() {
    let shown: Vec<String> =
        (0..5_000).map(|at| format!(r#"{{"key":"d{at}","type":"display","label":"D"}}"#)).collect();
    let group = format!(
        r#"{{"key":"g","type":"group","label":"G","repeatable":true,"children":[{}]}}"#,
        shown.join(",")
    );
    let phase = r#"{"id":"p","strategy":"first-match","routes":[{"target":"urn:t","condition":"true"}]}"#;
    let screener = screener(&group, phase, "");
    let evaluator = Evaluator::new(&screener, Fel, Options::new()).unwrap();
    let answers = |count: usize| {
        (0..count).fold(Answers::new(), |answers, at| answers.answered(&format!("g[{at}].x"), 1))
    };
    assert!(evaluator.determine(&answers(100), NOW).is_ok());
    assert_eq!(evaluator.determine(&answers(1_000), NOW).unwrap_err().rule(), "too-many-inputs");
}

/// Returns the findings of a screener as `rule pointer`.
fn rules(screener: &Screener) -> Vec<String> {
    check_screener(screener, &Fel)
        .into_iter()
        .map(|finding| format!("{} {}", finding.rule, finding.pointer))
        .collect()
}

#[test]
fn calls_that_must_fail_are_found() {
    let routes: Vec<String> =
        ["fpl(3) > 2", "if($a, 1, abs(1, 2)) > 1", "power(2, 3) > replace('a', 'b', 'c')", "round()"]
            .iter()
            .map(|condition| format!(r#"{{"target":"urn:t","condition":"{condition}"}}"#))
            .collect();
    let message = r#"{"target":"urn:t","condition":"true","message":"{{fpl(3)}}"}"#;
    let phase = format!(r#"{{"id":"p","strategy":"fan-out","routes":[{},{message}]}}"#, routes.join(","));
    let screener = screener(r#"{"key":"a","type":"field","label":"A"}"#, &phase, "");
    let found = rules(&screener);
    let at = |route: usize| format!("expression /evaluation/0/routes/{route}/condition");
    assert_eq!(found, [at(0), at(1), at(3), "interpolation /evaluation/0/routes/4/message".to_owned()]);
}

#[test]
fn screeners_are_checked_beyond_their_form() {
    let items = r#"{"key":"a","type":"field","label":"A"},{"key":"a","type":"field","label":"A"},
        {"key":"g","type":"group","label":"G","repeatable":true,"children":[{"key":"x","type":"field","label":"X"},{"key":"y","type":"field","label":"Y"}]}"#;
    let evaluation = r#"
        {"id":"p","strategy":"first-match","activeWhen":"$a ==","routes":[
            {"target":"urn:t","condition":"true"},{"target":"word","condition":"$nobody = 1"},{"target":"outcome:"}]},
        {"id":"p","strategy":"unheard","routes":[]},
        {"id":"s","strategy":"score-threshold","routes":[
            {"target":"urn:a","score":"1"},{"target":"urn:b","override":true},{"target":"urn:c","score":"$g[1].x + sum($g[*].y)","threshold":1,
             "message":"{{}} {{$a ==}} \\{{ {{$a}} {{"}]}"#;
    let more = r#","version_":0"#.replace(r#","version_":0"#, r#","resultValidity":"P","evaluationBinding":"completion","availability":{"from":"2026-02-30"},
        "binds":[{"path":"nobody","required":"true"},{"path":"a","relevant":"$g[*].x > 1"},{"path":"g[*].x","calculate":"$g[*].y"},
            {"path":"g[*].y","calculate":"$a","constraint":"$ > 0"}]"#);
    let screener = screener(items, evaluation, &more);
    assert_eq!(
        rules(&screener),
        [
            "duplicate-item /items/1/key",
            "availability-date /availability/from",
            "result-validity /resultValidity",
            "bind-path /binds/0/path",
            "bind-cycle /binds/1",
            "bind-cycle /binds/2",
            "bind-cycle /binds/3",
            "expression /evaluation/0/activeWhen",
            "target-form /evaluation/0/routes/1/target",
            "unknown-name /evaluation/0/routes/1/condition",
            "route-shadowed /evaluation/0/routes/1",
            "target-form /evaluation/0/routes/2/target",
            "condition-missing /evaluation/0/routes/2",
            "route-shadowed /evaluation/0/routes/2",
            "phase /evaluation/1/id",
            "phase /evaluation/1/strategy",
            "phase /evaluation/1/routes",
            "score-missing /evaluation/2/routes/0",
            "condition-missing /evaluation/2/routes/1",
            "interpolation /evaluation/2/routes/2/message",
            "interpolation /evaluation/2/routes/2/message",
            "interpolation /evaluation/2/routes/2/message",
        ]
    );
}

#[test]
fn a_sound_screener_has_no_findings() {
    let screener = screener(
        r#"{"key":"a","type":"field","label":"A"}"#,
        r#"{"id":"p","strategy":"first-match","label":"P","description":"D","routes":[{"target":"urn:t|1.0.0","condition":"$a > 1","message":"{{$a}}"},{"target":"outcome:no","condition":"true"}]}"#,
        r#","binds":[{"path":"a","constraint":"$ > 0 and $a < 5"}],"resultValidity":"P1D","availability":{"from":"2026-01-01","until":"2026-01-01"},"extensions":{"x-a":1}"#,
    );
    assert_eq!(rules(&screener), [""; 0]);
}

#[test]
fn lines_never_panic() {
    for text in [
        "",
        "null",
        "[]",
        "{}",
        r#"{"id":1,"screener":1}"#,
        r#"{"id":1,"screener":{},"answers":3,"now":4}"#,
        "{\"id\":\"\\ud800\"}",
        "\u{feff}{}",
    ] {
        let answer = line::determine(text.as_bytes(), Fel);
        assert!(!answer.ok && answer.text.contains("\"error\""), "{text}: {}", answer.text);
    }
    assert!(!line::determine(&[0xff, 0xfe], Fel).ok);
}

#[test]
fn names_are_what_an_expression_reads() {
    let names = |source: &str| Fel.names(&Fel.parse(source).unwrap());
    assert_eq!(names("$b + $a.c > sum($rows[*].v) or power($d, 2) = 4"), ["a.c", "b", "d", "rows[*].v"]);
    assert_eq!(names("1 + 1"), [""; 0]);
}
