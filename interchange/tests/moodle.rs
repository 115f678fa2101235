//! Moodle's grading rules, implemented independently and compared with imported questions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use fablegrade_interchange::compile::{Response, Responses};
use fablegrade_interchange::item::Interaction;
use fablegrade_interchange::{Effect, Exactness, Format, Question, ReadError, Source, read};
use fablegrade_public::json::Json;

fn all(format: Format, bytes: &[u8]) -> Vec<Result<Question, ReadError>> {
    let mut found = Vec::new();
    read(&Source::new("bank", bytes), Some(format), &mut |question| found.push(question)).unwrap();
    found
}

fn moodle(questions: &str) -> Vec<Question> {
    let text = format!("<?xml version=\"1.0\"?>\n<quiz>\n{questions}\n</quiz>");
    all(Format::MoodleXml, text.as_bytes()).into_iter().map(Result::unwrap).collect()
}

fn question(kind: &str, inside: &str) -> Question {
    let text = format!(
        "<question type=\"{kind}\"><name><text>n</text></name><questiontext format=\"html\"><text>t [[1]] [[2]]</text>\
         </questiontext>{inside}</question>"
    );
    moodle(&text).remove(0)
}

fn score(question: &Question, responses: &[(&str, Response)]) -> f64 {
    let given: Responses =
        responses.iter().map(|(id, response)| ((*id).to_owned(), response.clone())).collect();
    question.grader().unwrap().score(&given).unwrap()
}

fn many(ids: &[&str]) -> Response {
    Response::Many(ids.iter().map(|id| (*id).to_owned()).collect())
}

fn one(text: &str) -> Response {
    Response::One(text.to_owned())
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn answers(list: &[(&str, &str)]) -> String {
    let one =
        |(share, text): &(&str, &str)| format!("<answer fraction=\"{share}\"><text>{text}</text></answer>");
    list.iter().map(one).collect::<Vec<_>>().concat()
}

#[test]
fn units_count_only_where_they_are_graded() {
    let answer = "<answer fraction=\"100\"><text>5</text><tolerance>0</tolerance></answer>";
    let units = |list: &[(&str, &str)], grading: u32, shown: u32| {
        let one = |(name, factor): &(&str, &str)| {
            format!("<unit><multiplier>{factor}</multiplier><unit_name>{name}</unit_name></unit>")
        };
        let list: String = list.iter().map(one).collect::<Vec<_>>().concat();
        let read = question(
            "numerical",
            &format!(
                "{answer}<unitgradingtype>{grading}</unitgradingtype><showunits>{shown}</showunits><units>{list}</units>"
            ),
        );
        let losses: Vec<&str> = read.losses.iter().map(|loss| loss.rule).collect();
        (read.specs[0].spec.get("unit").is_some(), read.exactness, losses.join(" "))
    };
    assert_eq!(units(&[("cm", "1")], 0, 0), (false, Exactness::ScoresExact, "unit-optional".into()));
    assert_eq!(units(&[("cm", "1")], 0, 3), (false, Exactness::Exact, String::new()));
    assert_eq!(
        units(&[("cm", "1"), ("m", "0.01")], 0, 0),
        (false, Exactness::Approximate, "unit-multiplier unit-optional".into())
    );
    assert_eq!(units(&[("cm", "1")], 1, 0), (true, Exactness::Approximate, "unit-grading".into()));
    let calculated = question(
        "calculated",
        "<answer fraction=\"100\"><text>{a}*2</text><tolerance>0</tolerance><tolerancetype>2</tolerancetype></answer>\
         <unitgradingtype>1</unitgradingtype><showunits>0</showunits>\
         <units><unit><multiplier>1</multiplier><unit_name>cm</unit_name></unit></units>\
         <dataset_definitions><dataset_definition><name><text>a</text></name><dataset_items><dataset_item>\
         <number>1</number><value>3</value></dataset_item></dataset_items></dataset_definition></dataset_definitions>",
    );
    assert!(calculated.losses.iter().any(|loss| loss.rule == "unit-grading"), "{:?}", calculated.losses);
}

#[test]
fn several_answers_earn_the_sum_of_their_shares() {
    let shares = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, -0.5, 0.0];
    let list = [("33.33333", "a"), ("33.33333", "b"), ("33.33333", "c"), ("-50", "d"), ("0", "e")];
    let read = question("multichoice", &format!("<single>false</single>{}", answers(&list)));
    assert_eq!(read.exactness, Exactness::ScoresExact);
    for set in 1u32..32 {
        let ids: Vec<String> =
            (0..5).filter(|bit| set & (1 << bit) != 0).map(|bit| (bit + 1).to_string()).collect();
        let sum: f64 = (0..5).filter(|bit| set & (1 << bit) != 0).map(|bit| shares[bit]).sum();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert!(near(score(&read, &[("1", many(&ids))]), sum.clamp(0.0, 1.0)), "{ids:?}");
    }
}

#[test]
fn even_shares_and_costs_are_the_plain_question_type() {
    let list = [("50", "a"), ("50", "b"), ("-50", "c"), ("-50", "d")];
    let read = question("multichoice", &format!("<single>false</single>{}", answers(&list)));
    assert_eq!(read.specs[0].spec.get("type").and_then(Json::as_str), Some("multiple_choice"));
    assert_eq!(read.exactness, Exactness::Exact);
}

/// Returns all orders of four items.
fn orders() -> Vec<[usize; 4]> {
    let mut found = Vec::new();
    for code in 0..256usize {
        let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
        let mut seen = [false; 4];
        order.iter().for_each(|thing| seen[*thing] = true);
        if seen == [true; 4] {
            found.push(order);
        }
    }
    found
}

/// Returns the score of an order of `0 1 2 3` under a type of grading, by its definition.
fn graded(name: &str, order: &[usize; 4]) -> f64 {
    let next = |order: &[usize; 4], thing: usize| {
        let place = order.iter().position(|one| *one == thing).unwrap();
        order.get(place + 1).copied()
    };
    let before = |order: &[usize; 4], thing: usize| {
        let place = order.iter().position(|one| *one == thing).unwrap();
        place.checked_sub(1).map(|place| order[place])
    };
    let right = [0, 1, 2, 3];
    let longest = |follows: &dyn Fn(usize, usize) -> bool| {
        (1u32..16)
            .map(|set| {
                (0..4).filter(|place| set & (1 << place) != 0).map(|place| order[place]).collect::<Vec<_>>()
            })
            .filter(|part| part.windows(2).all(|pair| follows(pair[0], pair[1])))
            .map(|part| part.len())
            .max()
            .filter(|length| *length > 1)
            .unwrap_or(0) as f64
    };
    match name {
        "ALL_OR_NOTHING" => f64::from(u8::from(*order == right)),
        "ABSOLUTE_POSITION" => (0..4).filter(|place| order[*place] == *place).count() as f64 / 4.0,
        "RELATIVE_NEXT_EXCLUDE_LAST" => {
            (0..3).filter(|thing| next(order, *thing) == Some(thing + 1)).count() as f64 / 3.0
        }
        "RELATIVE_NEXT_INCLUDE_LAST" => {
            (0..4).filter(|thing| next(order, *thing) == next(&right, *thing)).count() as f64 / 4.0
        }
        "RELATIVE_ONE_PREVIOUS_AND_NEXT" => {
            let both = (0..4).map(|thing| {
                u32::from(next(order, thing) == next(&right, thing))
                    + u32::from(before(order, thing) == before(&right, thing))
            });
            f64::from(both.sum::<u32>()) / 8.0
        }
        "RELATIVE_ALL_PREVIOUS_AND_NEXT" => {
            let pairs = (0..4).flat_map(|later| (0..later).map(move |first| (first, later)));
            pairs.filter(|(first, later)| order[*first] < order[*later]).count() as f64 / 6.0
        }
        "LONGEST_ORDERED_SUBSET" => longest(&|a, b| a < b) / 4.0,
        "LONGEST_CONTIGUOUS_SUBSET" => longest(&|a, b| a + 1 == b) / 4.0,
        "RELATIVE_TO_CORRECT" => {
            (0..4).map(|place| 3 - order[place].abs_diff(place)).sum::<usize>() as f64 / 12.0
        }
        _ => unreachable!(),
    }
}

#[test]
fn every_grading_of_orders_is_exact_for_every_order() {
    for name in [
        "ALL_OR_NOTHING",
        "ABSOLUTE_POSITION",
        "RELATIVE_NEXT_EXCLUDE_LAST",
        "RELATIVE_NEXT_INCLUDE_LAST",
        "RELATIVE_ONE_PREVIOUS_AND_NEXT",
        "RELATIVE_ALL_PREVIOUS_AND_NEXT",
        "LONGEST_ORDERED_SUBSET",
        "LONGEST_CONTIGUOUS_SUBSET",
        "RELATIVE_TO_CORRECT",
    ] {
        let list = [("1", "a"), ("2", "b"), ("3", "c"), ("4", "d")];
        let read = question("ordering", &format!("<gradingtype>{name}</gradingtype>{}", answers(&list)));
        assert!(read.exactness <= Exactness::ScoresExact, "{name}: {:?}", read.losses);
        for order in orders() {
            let ids = Json::array(order.iter().map(|thing| (thing + 1).to_string()));
            let given = read.responses_from_json(&Json::build().with("1", ids).build());
            let found = read.grader().unwrap().score(&given).unwrap();
            assert!(near(found, graded(name, &order)), "{name} {order:?}: {found}");
        }
    }
}

#[test]
fn short_answers_match_in_their_order() {
    let list = [("0", "no*"), ("100", r"a\*b"), ("50", "*river*"), ("25", "*")];
    let read = question("shortanswer", &format!("<usecase>1</usecase>{}", answers(&list)));
    for (typed, share) in
        [("nothing", 0.0), (" a*b ", 1.0), ("the river Po", 0.5), ("A*B", 0.25), ("No", 0.25)]
    {
        assert!(near(score(&read, &[("1", one(typed))]), share), "{typed}");
    }
}

#[test]
fn the_first_interval_decides_about_a_number() {
    let inside = "<answer fraction=\"50\"><text>10</text><tolerance>2</tolerance></answer>\
                  <answer fraction=\"100\"><text>11</text><tolerance>0.5</tolerance></answer>\
                  <answer fraction=\"12.5\"><text>*</text></answer>";
    let read = question("numerical", inside);
    for (typed, share) in [("8", 0.5), ("11", 0.5), ("12.0", 0.5), ("12.5", 0.125), ("-3e2", 0.125)] {
        assert!(near(score(&read, &[("1", one(typed))]), share), "{typed}");
    }
}

#[test]
fn gaps_pairs_and_rows_earn_shares() {
    let words = "<selectoption><text>x</text><group>1</group></selectoption>\
                 <selectoption><text>y</text><group>1</group></selectoption>";
    let gaps = question("gapselect", words);
    let pairs = |list: &[(&str, &str)]| {
        Response::Pairs(list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect())
    };
    assert!(near(score(&gaps, &[("1", pairs(&[("g1", "1"), ("g2", "1")]))]), 0.5));
    assert!(gaps.item.prompt.contains("t [1] [2]"));
    let stems = "<subquestion><text>a</text><answer><text>1</text></answer></subquestion>\
                 <subquestion><text>b</text><answer><text>1</text></answer></subquestion>\
                 <subquestion><text></text><answer><text>2</text></answer></subquestion>";
    let matching = question("matching", stems);
    assert!(near(score(&matching, &[("1", pairs(&[("l1", "r1"), ("l2", "r1")]))]), 1.0));
    let row = |n: u32| format!("<row number=\"{n}\"><optiontext><text>row {n}</text></optiontext></row>");
    let column =
        |n: u32| format!("<column number=\"{n}\"><responsetext><text>c{n}</text></responsetext></column>");
    let weight = |r: u32, c: u32, w: u32| {
        format!("<weight rownumber=\"{r}\" columnnumber=\"{c}\"><value> {w}.000 </value></weight>")
    };
    let table = |method: &str| {
        let parts = [
            row(1),
            row(2),
            column(1),
            column(2),
            weight(1, 1, 1),
            weight(1, 2, 0),
            weight(2, 1, 0),
            weight(2, 2, 1),
        ];
        question("mtf", &format!("<scoringmethod><text>{method}</text></scoringmethod>{}", parts.concat()))
    };
    let half = [("1", pairs(&[("l1", "r1"), ("l2", "r1")]))];
    assert!(near(score(&table("subpoints"), &half), 0.5));
    assert!(near(score(&table("mtfonezero"), &half), 0.0));
}

#[test]
fn gaps_offer_the_choices_of_their_own_group() {
    // 120 gaps of 5 choices each are 600 options; with all choices, they would be 10,800.
    let word = |n| format!("<selectoption><text>w{n}</text><group>{}</group></selectoption>", n / 5 + 1);
    let words = (0..90).map(word).collect::<Vec<_>>().concat();
    let text = (0..120).map(|n| format!("[[{}]]", n % 90 + 1)).collect::<Vec<_>>().join(" ");
    let [gaps] = &moodle(&format!(
        "<question type=\"gapselect\"><name><text>q</text></name><questiontext><text>{text}</text></questiontext>{words}</question>"
    ))[..] else {
        panic!("one question")
    };
    assert_eq!((gaps.exactness, gaps.specs.len()), (Exactness::Exact, 120), "{:?}", gaps.losses);
    let options = |part: usize| -> Vec<&str> {
        let choices = gaps.specs[part].spec.get("choices").and_then(Json::as_array).expect("choices");
        choices.iter().filter_map(|choice| choice.get("content")?.as_str()).collect()
    };
    assert_eq!(options(0), ["w0", "w1", "w2", "w3", "w4"]);
    assert_eq!(options(119), ["w25", "w26", "w27", "w28", "w29"]);
}

#[test]
fn embedded_answers_weigh_what_they_say() {
    let text = "<question type=\"cloze\"><questiontext format=\"html\"><text><![CDATA[A {3:SA:=Paris~%50%paris*} b \
                {1:NM:=5:0.5} c {2:MR:=x~y~=z}]]></text></questiontext></question>";
    let read = moodle(text).remove(0);
    assert_eq!(read.exactness, Exactness::Exact, "{:?}", read.losses);
    let given = [("1", one("paris ville")), ("2", one("5.5")), ("3", many(&["1", "2", "3"]))];
    assert!(near(score(&read, &given), (1.5 + 1.0 + 1.0) / 6.0));
}

#[test]
fn a_damaged_question_does_not_lose_the_bank() {
    let good = "<question type=\"truefalse\"><answer fraction=\"100\"><text>true</text></answer>\
                <answer fraction=\"0\"><text>false</text></answer></question>\n";
    let text = format!(
        "<quiz>\n{good}<question type=\"essay\"><a></b></question>\n{good}<question type=\"x\">\n{good}\
         <question type=\"multichoice\"><answer fraction=\"much\"><text>a</text></answer></question>{good}</quiz>"
    );
    let found = all(Format::MoodleXml, text.as_bytes());
    let told: Vec<String> = found
        .iter()
        .map(|one| match one {
            Ok(question) => format!("{} {}", question.item.place.line, question.exactness),
            Err(error) => format!("{} {}", error.place.line, error.rule),
        })
        .collect();
    assert_eq!(
        told,
        ["2 exact", "3 not-xml", "4 exact", "5 not-xml", "6 exact", "7 not-expressible", "7 exact"]
    );
}

#[test]
fn questions_of_text_files_in_windows_1252() {
    let found = all(Format::Gift, b"Caf\xe9?{=d\xe9j\xe0}");
    let question = found[0].as_ref().unwrap();
    assert_eq!(question.item.prompt, "Caf\u{e9}?");
    assert!(near(score(question, &[("1", one("D\u{e9}j\u{e0}"))]), 1.0));
    assert_eq!(question.losses[0].rule, "encoding-guessed");
}

#[test]
fn static_formulas_are_graded_and_random_ones_refused() {
    let stack = |variables: &str, test: &str| {
        let text = format!(
            "<question type=\"stack\"><questiontext><text>Derive {{@p@}}. [[input:ans1]]</text></questiontext>\
             <questionvariables><text>{variables}</text></questionvariables>\
             <input><name>ans1</name><type>algebraic</type></input><prt><name>prt1</name><value>1</value><node><name>0</name>\
             <answertest>{test}</answertest><sans>ans1</sans><tans>ta</tans><truescoremode>=</truescoremode>\
             <truescore>1</truescore><truenextnode>-1</truenextnode><falsescoremode>=</falsescoremode><falsescore>0</falsescore>\
             <falsenextnode>-1</falsenextnode></node></prt></question>"
        );
        moodle(&text).remove(0)
    };
    let read = stack("p:x^3; ta:diff(p,x);", "AlgEquiv");
    assert_eq!(read.exactness, Exactness::Exact, "{:?}", read.losses);
    assert!(read.item.prompt.contains("$x^{3}$"), "{}", read.item.prompt);
    assert!(near(score(&read, &[("ans1", one(r"3\,x^2"))]), 1.0));
    assert!(near(score(&read, &[("ans1", one("x^2"))]), 0.0));
    assert_eq!(stack("ta:rand(9)+x;", "AlgEquiv").losses.last().map(|loss| loss.rule), Some("random"));
    assert_eq!(stack("ta:x^2;", "Validator").losses[0].rule, "response-tree");
}

#[test]
fn a_number_typed_as_a_formula_is_refused_and_not_marked_wrong() {
    for (test, option) in
        [("NumRelative", "0.01"), ("NumAbsolute", "0.01"), ("NumSigFigs", "3"), ("NumDecPlaces", "2")]
    {
        let text = format!(
            "<question type=\"stack\"><questiontext><text>[[input:ans1]]</text></questiontext>\
             <questionvariables><text>ta:3.14;</text></questionvariables>\
             <input><name>ans1</name><type>algebraic</type></input>\
             <prt><name>prt1</name><value>1</value><node><name>0</name>\
             <answertest>{test}</answertest><testoptions>{option}</testoptions><sans>ans1</sans><tans>ta</tans>\
             <truescoremode>=</truescoremode><truescore>1</truescore><truenextnode>-1</truenextnode>\
             <falsescoremode>=</falsescoremode><falsescore>0</falsescore><falsenextnode>-1</falsenextnode>\
             </node></prt></question>"
        );
        let read = moodle(&text).remove(0);
        let effects: Vec<_> =
            read.losses.iter().filter(|loss| loss.rule == "typed-formula").map(|loss| loss.effect).collect();
        assert_eq!(effects, [Effect::ChangesDisplay], "{test}: {:?}", read.losses);
        let rounds = test.contains("Sig") || test.contains("Dec");
        let expected = if rounds { Exactness::Approximate } else { Exactness::ScoresExact };
        assert_eq!(read.exactness, expected, "{test}");
        assert_eq!(
            read.grader().unwrap().score(&Responses::from([("ans1".to_owned(), one("3.14"))])),
            Some(1.0)
        );
    }
}

#[test]
fn ids_that_the_reader_gives_do_not_tell_the_key() {
    let spec = |question: &Question| question.bank_lines()[0].get("spec").unwrap().to_canonical();
    // Numbers in the order of the answers (1, 2, 3) would reveal the key.
    let list = [("1", "wake"), ("2", "eat"), ("3", "sleep")];
    for name in ["ALL_OR_NOTHING", "RELATIVE_ALL_PREVIOUS_AND_NEXT"] {
        let read = question("ordering", &format!("<gradingtype>{name}</gradingtype>{}", answers(&list)));
        let shown = spec(&read);
        // The ids follow the order of the contents: eat, sleep, wake.
        for (id, content) in [("i1", "eat"), ("i2", "sleep"), ("i3", "wake")] {
            assert!(shown.contains(&format!("{{\"content\":\"{content}\",\"id\":\"{id}\"}}")), "{shown}");
        }
        assert!(shown.contains("[\"i3\",\"i1\",\"i2\"]"), "{shown}");
        assert!(read.ids.iter().any(|changed| changed.from == "1" && changed.to == "i3"), "{:?}", read.ids);
    }
    let pair = |stem: &str, answer: &str| {
        format!("<subquestion><text>{stem}</text><answer><text>{answer}</text></answer></subquestion>")
    };
    let stems = [pair("France", "Paris"), pair("Italy", "Rome"), pair("Norway", "Oslo")].concat();
    let shown = spec(&question("matching", &stems));
    assert!(shown.contains("{\"left\":\"l1\",\"right\":\"r2\"},{\"left\":\"l2\",\"right\":\"r3\"},{\"left\":\"l3\",\"right\":\"r1\"}"), "{shown}");
}

#[test]
fn each_choice_of_an_ou_question_beyond_the_right_ones_takes_one_away() {
    let read = question(
        "oumultiresponse",
        &answers(&[("100", "a"), ("100", "b"), ("0", "c"), ("0", "d"), ("0", "e")]),
    );
    assert_eq!(read.exactness, Exactness::Exact, "{:?}", read.losses);
    // max(min(r, c - w), 0) / c, for every selection.
    for mask in 1..32_u32 {
        let ids: Vec<String> =
            (0..5).filter(|at| mask & (1 << at) != 0).map(|at| (at + 1).to_string()).collect();
        let right = (mask & 0b11).count_ones() as i32;
        let wrong = (mask & 0b11100).count_ones() as i32;
        let there = f64::from(right.min(2 - wrong).max(0)) / 2.0;
        let here = score(&read, &[("1", Response::Many(ids))]);
        assert!(near(here, there), "{mask:05b}: {there} there, {here} here");
    }
}

#[test]
fn a_calculated_choice_is_its_first_set_of_values() {
    let data = "<dataset_definitions><dataset_definition><name><text>a</text></name><dataset_items>\
        <dataset_item><number>1</number><value>2</value></dataset_item><dataset_item><number>2</number><value>5</value></dataset_item>\
        </dataset_items></dataset_definition></dataset_definitions>";
    let list = answers(&[("0", "{=3*{a}}"), ("100", "{={a}*{a}+1}"), ("0", "{a} and no more")]);
    let read = question("calculatedmulti", &format!("<single>true</single>{list}{data}"));
    assert_eq!(read.exactness, Exactness::ScoresExact, "{:?}", read.losses);
    let text = read.specs[0].spec.to_canonical();
    assert!(text.contains("\"6\"") && text.contains("\"5\"") && text.contains("2 and no more"), "{text}");
    assert_eq!([one("1"), one("2")].map(|response| score(&read, &[("1", response)])), [0.0, 1.0]);
}

#[test]
fn ids_of_options_do_not_number_the_partners() {
    let ids = |question: &Question| -> Vec<String> {
        let spec = question.specs[0].spec.to_canonical();
        let right = spec.split("\"correct\":true").nth(1).unwrap_or(&spec);
        right
            .split("\"id\":\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next().map(str::to_owned))
            .collect()
    };
    let pair = |stem: &str, answer: &str| {
        format!("<subquestion><text>{stem}</text><answer><text>{answer}</text></answer></subquestion>")
    };
    let single = question("matching", &[pair("x", "zz"), pair("", "a"), pair("", "m")].concat());
    assert!(ids(&single).iter().all(|id| !id.starts_with('r')), "{:?}", single.specs[0].spec.to_canonical());
    // Beyond ten stems, each has a choice of its own.
    let many: String = (0..11).map(|n| pair(&format!("x{n}"), &format!("y{}", (n * 7) % 11))).collect();
    let many = question("matching", &many);
    let config = many.specs[0].spec.to_canonical();
    for n in 1..=11 {
        assert!(!config.contains(&format!("\"r{n}\"")), "{config}");
    }
    // The second group of gaps has the numbers 3 and 4.
    let choice = |text: &str, group: u32| {
        format!("<selectoption><text>{text}</text><group>{group}</group></selectoption>")
    };
    let text = "<question type=\"gapselect\"><name><text>n</text></name><questiontext><text>[[1]] [[3]]</text></questiontext>";
    let gaps = [choice("b", 1), choice("a", 1), choice("d", 2), choice("c", 2)].concat();
    let gaps = moodle(&format!("{text}{gaps}</question>")).remove(0);
    let config = gaps.specs[0].spec.to_canonical();
    assert!(!config.contains("\"3\"") && config.contains("c1"), "{config}");
}

#[test]
fn a_number_without_a_tolerance_is_exact() {
    let read =
        question("numerical", "<answer fraction=\"100\"><text>3.14</text><tolerance>0</tolerance></answer>");
    let id = read.item.parts[0].id.clone();
    let scores = ["3.14", "3.140", "3.140000003"].map(|text| score(&read, &[(&id, one(text))]));
    assert_eq!(scores, [1.0, 1.0, 0.0]);
}

#[test]
fn all_pairs_together_earn_nothing() {
    let items =
        ["a", "b", "c"].map(|text| format!("<answer fraction=\"1\"><text>{text}</text></answer>")).concat();
    let read = question("ordering", &format!("<gradingtype>RELATIVE_TO_CORRECT</gradingtype>{items}"));
    let config = read.specs[0].spec.to_canonical();
    assert!(config.contains("choice_weights") && config.contains("\"most\":3,"), "{config}");
    let Interaction::Match(matching) = &read.item.parts[0].interaction else { panic!("a matching") };
    let all: Vec<(String, String)> = matching
        .left
        .iter()
        .flat_map(|left| matching.right.iter().map(|right| (left.id.clone(), right.id.clone())))
        .collect();
    // Places near the right one earn less.
    let best = matching.pairs.iter().map(|pair| &pair.2).max().unwrap();
    let right: Vec<(String, String)> = matching
        .pairs
        .iter()
        .filter(|pair| pair.2 == *best)
        .map(|(left, right, _)| (left.clone(), right.clone()))
        .collect();
    assert_eq!((all.len(), right.len()), (9, 3));
    let id = &read.item.parts[0].id;
    let given = |pairs| Responses::from([(id.clone(), Response::Pairs(pairs))]);
    let grader = read.grader().unwrap();
    assert_eq!(grader.score(&given(right)), Some(1.0));
    assert!(matches!(grader.score(&given(all)), None | Some(0.0)));
}

#[test]
fn a_question_without_points_is_told() {
    let short = |grade: &str| {
        question("shortanswer", &format!("<defaultgrade>{grade}</defaultgrade>{}", answers(&[("100", "a")])))
    };
    let other = |format: Format, text: String| all(format, text.as_bytes()).remove(0).unwrap();
    let olx = |weight: &str| {
        let text = format!(
            "<problem weight=\"{weight}\"><stringresponse answer=\"a\"><textline/></stringresponse></problem>"
        );
        other(Format::OpenEdx, text)
    };
    let canvas = |points: &str| {
        other(
            Format::Qti12,
            format!(
                r#"<questestinterop><item ident="i"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>points_possible</fieldlabel>
                <fieldentry>{points}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><response_str ident="r"/></presentation>
                <resprocessing><respcondition><conditionvar><varequal respident="r">a</varequal></conditionvar><setvar>1</setvar></respcondition></resprocessing></item></questestinterop>"#
            ),
        )
    };
    for (name, read) in
        [("moodle", &short as &dyn Fn(&str) -> Question), ("openedx", &olx), ("canvas", &canvas)]
    {
        for (points, most, told) in
            [("0", None, true), ("0.0", None, true), ("1", None, false), ("2", Some(2.0), false)]
        {
            let question = read(points);
            let losses: Vec<&str> = question.losses.iter().map(|loss| loss.rule).collect();
            assert_eq!(losses.contains(&"no-points"), told, "{name} {points}: {losses:?}");
            assert_eq!(question.item.max_score.as_ref().map(|most| most.to_f64()), most, "{name} {points}");
            assert_eq!(question.specs.len(), 1, "{name} {points}");
        }
    }
    // Descriptions never have points.
    assert!(question("description", "<defaultgrade>0</defaultgrade>").item.is_text());
}
