//! Published statistics: Moodle's fixtures, examples of R packages, other programs, and textbook formulas.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use fablegrade_analysis::{Accumulator, Answer, Item, Items, Report, Score, Statistic, Undefined};

/// Marks of 22 learners. The first line names the items.
///
/// Source: Moodle, `mod/quiz/report/statistics/tests/fixtures/mdl_question_states.csv`, slots 8 to 20. The
/// marks of the other slots are 0.
const MARKS: &str = include_str!("moodle/marks.txt");

/// Expected values for the slots 8 to 20, with Moodle's factors.
///
/// The rows are facility, standard deviation, effective weight, discrimination index and discriminative
/// efficiency. Source: Moodle, `mod/quiz/report/statistics/tests/statistics_test.php`.
const EXPECTED: [[f64; 13]; 5] = [
    [
        41.19318182,
        81.36363636,
        71.36363636,
        65.45454545,
        65.90909091,
        36.36363636,
        59.09090909,
        50.0,
        59.09090909,
        63.63636364,
        45.45454545,
        27.27272727,
        50.0,
    ],
    [
        1912.733589,
        251.2738111,
        322.6312277,
        333.4199022,
        337.5811591,
        492.3659639,
        503.2362797,
        511.7663157,
        503.2362797,
        492.3659639,
        509.6471914,
        455.8423058,
        511.7663157,
    ],
    [
        26.58464457,
        3.368456046,
        3.253955259,
        7.584083694,
        3.79658376,
        3.183278505,
        4.532356904,
        7.78856243,
        10.08351572,
        8.381139345,
        8.727645713,
        7.946277111,
        4.769500946,
    ],
    [
        25.88327077,
        1.170256965,
        -4.207816809,
        28.16930644,
        -2.513606859,
        -12.99017581,
        -8.900638238,
        8.670004606,
        29.63337745,
        15.18945843,
        16.21079629,
        15.52451404,
        -8.396734802,
    ],
    [
        27.23492723,
        1.382386552,
        -4.691171307,
        31.12404354,
        -2.877487579,
        -17.5074184,
        -10.27568922,
        10.86956522,
        34.58997279,
        17.4790556,
        20.14359793,
        22.06477733,
        -10.0,
    ],
];

/// Returns the report on a table of scores, whose first row names the items.
fn report(table: &str, items: &Items) -> Report {
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().expect("names").split(' ').collect();
    let mut all = Accumulator::new();
    for line in lines {
        let marks =
            line.split(' ').map(|mark| Score::from_f64(mark.parse().expect("a number")).expect("a score"));
        let sitting: Vec<_> =
            names.iter().zip(marks).map(|(item, score)| Answer::scored(item, score)).collect();
        assert_eq!(sitting.len(), names.len());
        all.add(&sitting).expect("a sitting");
    }
    all.finish(items)
}

#[test]
fn statistics_are_those_of_moodles_fixtures() {
    let mut table = String::new();
    for (at, line) in MARKS.lines().enumerate() {
        // Slots 1 to 4 have a maximum of 1, and slots 5 to 7 have a maximum of 0.
        table += if at == 0 { "1 2 3 4 5 6 7 " } else { "0 0 0 0 0 0 0 " };
        table += line;
        table += "\n";
    }
    let with_maximum = |slot: u32, maximum| {
        (slot.to_string(), Item { maximum: Score::from_points(maximum), ..Item::default() })
    };
    let items = Items::from([with_maximum(5, 0), with_maximum(6, 0), with_maximum(7, 0), with_maximum(8, 8)]);
    let report = report(&table, &items);
    assert_eq!((report.test.sittings, report.items.len()), (22, 20));
    for item in &report.items {
        let slot: usize = item.item.parse().expect("a slot");
        let statistics = [
            (item.facility, 100.0),
            (item.standard_deviation, 1000.0),
            (item.effective_weight, 100.0),
            (item.discrimination, 100.0),
            (item.discriminative_efficiency, 100.0),
        ];
        if slot < 8 {
            let [facility, deviation, weight, discrimination, efficiency] =
                statistics.map(|(statistic, _)| statistic);
            assert_eq!(facility.value(), (slot < 5).then_some(0.0));
            assert_eq!((deviation.value(), weight.value()), (Some(0.0), Some(0.0)));
            assert_eq!(discrimination.absent(), Some(Undefined::NoSpread));
            assert_eq!(efficiency.absent(), Some(Undefined::NoSpread));
            continue;
        }
        for ((statistic, factor), expected) in statistics.into_iter().zip(EXPECTED.map(|row| row[slot - 8])) {
            let found = statistic.value().expect("a value") * factor;
            assert!((found - expected).abs() < 1e-6, "slot {slot}: {found}, expected {expected}");
        }
    }
}

#[test]
fn statistics_of_a_test_are_those_of_the_formulas() {
    // The totals are 3, 2, 1, 0: mean 3/2, k2 5/3, k3 0, k4 -10/3 (4²/(3·2·1) · (5·41/16 - 9·25/16)). The
    // item variances are 1/4, 1/3, 1/4, so alpha is 3/2 · (1 - (5/6) / (5/3)) = 3/4, and the standard error
    // is √(5/3) · √(1/4).
    let report = report("a b c\n1 1 1\n1 1 0\n1 0 0\n0 0 0\n", &Items::new());
    let test = &report.test;
    let close = |found: Option<f64>, expected: f64| (found.expect("a value") - expected).abs() < 1e-12;
    assert!(close(test.mean.value(), 1.5) && close(test.skewness.value(), 0.0));
    assert!(close(test.standard_deviation.value(), (5.0f64 / 3.0).sqrt()));
    assert!(close(test.kurtosis.value(), -10.0 / 3.0 / (25.0 / 9.0)), "{:?}", test.kurtosis);
    assert!(close(test.alpha.value(), 0.75), "{:?}", test.alpha);
    assert!(close(test.standard_error.value(), (5.0f64 / 12.0).sqrt()));
}

/// Invented scores of 40 learners in five items of one point and three items of three points.
const SCORES: &str = include_str!("reference/scores.txt");

/// Compares with SciPy 1.17.1 and Pingouin 0.7.0, which are independent of this crate, on [`SCORES`].
///
/// The functions are `cronbach_alpha`, `skew` and `kurtosis` without bias, NumPy's `mean`, and `std` with
/// `ddof=1`. `pearsonr` correlates each item with the sum of the others; for items of one point,
/// `pointbiserialr` is the same.
#[test]
fn statistics_are_those_of_other_programs() {
    let report = report(SCORES, &Items::new());
    let close = |what: &str, found: Option<f64>, expected: f64| {
        let found = found.expect("a value");
        assert!((found - expected).abs() < 1e-12, "{what}: {found}, expected {expected}");
    };
    let test = &report.test;
    assert_eq!(test.sittings, 40);
    close("mean", test.mean.value(), 4.775);
    close("deviation", test.standard_deviation.value(), 2.1778311959260566);
    close("skewness", test.skewness.value(), 0.554775489603774);
    close("kurtosis", test.kurtosis.value(), 0.3414117952402109);
    close("alpha", test.alpha.value(), 0.28637074508138166);
    close("standard error", test.standard_error.value(), 1.8397573100023163);
    let means = [0.5, 0.5, 0.675, 0.525, 0.625, 0.65, 0.55, 0.75];
    let deviations = [
        0.5063696835418333,
        0.5063696835418333,
        0.47434164902525683,
        0.505736325340815,
        0.4902903378454601,
        0.9486832980505139,
        0.7828285334736546,
        0.8987170342729172,
    ];
    let discriminations = [
        -0.08204690069709628,
        0.4084963257280982,
        -0.017731807045071508,
        -0.09933777849474931,
        0.006170371287038774,
        0.33643408401648056,
        0.11895109166202732,
        0.1751471367458413,
    ];
    for (at, item) in report.items.iter().enumerate() {
        close("mean", item.facility.value(), means[at]);
        close("deviation", item.standard_deviation.value(), deviations[at]);
        close("discrimination", item.discrimination.value(), discriminations[at]);
    }
}

/// The example on the manual page of `itemAnalysis` in the R package CTT 2.3.3 (J. T. Willse, 2018): 10
/// learners, 5 items.
const CTT_EXAMPLE: &str = "\
I1 I2 I3 I4 I5
0 0 0 0 0
0 0 0 0 0
0 0 0 0 1
0 0 0 1 1
0 0 1 1 1
0 1 1 1 1
1 1 1 1 1
1 0 1 1 1
0 0 0 1 1
0 1 1 1 1
";

/// Compares with CTT's `itemAnalysis` on [`CTT_EXAMPLE`], under R 4.2.2 with `options(digits = 15)`.
///
/// The values are `alpha`, `scaleMean` and `scaleSD`, and `itemMean` and `pBis` of the item report.
#[test]
fn statistics_are_those_of_the_example_of_the_r_package_ctt() {
    let report = report(CTT_EXAMPLE, &Items::new());
    let test = &report.test;
    assert_eq!(test.sittings, 10);
    assert_printed("alpha", test.alpha, "0.815789473684211");
    assert_printed("scaleMean", test.mean, "2.5");
    assert_printed("scaleSD", test.standard_deviation, "1.77951304200522");
    let expected = [
        ("0.2", "0.403603676397787"),
        ("0.3", "0.529957733430267"),
        ("0.5", "0.790569415042095"),
        ("0.7", "0.723746864455746"),
        ("0.8", "0.599543773479809"),
    ];
    assert_eq!(report.items.len(), expected.len());
    for (item, (mean, correlation)) in report.items.iter().zip(expected) {
        assert_printed("itemMean", item.facility, mean);
        assert_printed("pBis", item.discrimination, correlation);
    }
}

/// Asserts that a statistic has the digits that another program printed.
fn assert_printed(what: &str, found: Statistic, printed: &str) {
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let found = found.value().expect("a value");
    assert_eq!(format!("{found:.decimals$}"), printed, "{what}: {found}");
}

/// Seven scores of each of 30 departments, in percent: the data set `attitude` of R (S. Chatterjee and B.
/// Price, Regression Analysis by Example, 1977).
const ATTITUDE: &str = include_str!("reference/attitude.txt");

/// Compares with the R package psych 2.2.9 (W. Revelle) on [`ATTITUDE`], the example on the manual page of
/// its `alpha`.
///
/// The values are `raw_alpha` of `total`, and `mean`, `sd` and `r.drop` of `item.stats`. `skew` and `kurtosi`
/// are those of the totals, both of type 2. R rounds at each step, so its last digit may differ.
#[test]
fn statistics_are_those_of_the_example_of_the_r_package_psych() {
    let names = ATTITUDE.lines().next().expect("names").split(' ');
    let items = names
        .map(|name| (name.to_owned(), Item { maximum: Score::from_points(100), ..Item::default() }))
        .collect();
    let report = report(ATTITUDE, &items);
    let close = |what: &str, found: Statistic, expected: f64| {
        let found = found.value().expect("a value");
        assert!((found - expected).abs() < 2e-14, "{what}: {found}, expected {expected}");
    };
    close("raw_alpha", report.test.alpha, 0.84314276956476);
    close("skew", report.test.skewness, -0.179132462620505);
    close("kurtosi", report.test.kurtosis, -0.605782497832491);
    let expected = [
        ("advance", 0.429333333333333, 10.28870600534235, 0.460810549468496),
        ("complaints", 0.666, 13.31475717467989, 0.742109710222238),
        ("critical", 0.747666666666667, 9.89490754895157, 0.265034339196676),
        ("learning", 0.563666666666667, 11.73701287655287, 0.714445498133676),
        ("privileges", 0.531333333333333, 12.23542999352441, 0.560711111480256),
        ("raises", 0.646333333333333, 10.39722553619833, 0.7862755938344),
        ("rating", 0.646333333333333, 12.17256194758589, 0.671262057223664),
    ];
    for (item, (name, mean, deviation, correlation)) in report.items.iter().zip(expected) {
        assert_eq!(item.item, name);
        // The facility is a share of 100 points.
        close("mean", item.facility, mean);
        close("sd", item.standard_deviation, deviation);
        close("r.drop", item.discrimination, correlation);
    }
    assert_eq!(report.items.len(), expected.len());
}

#[test]
fn undefined_statistics_are_absent_with_a_reason() {
    let alone = report("a\n1\n", &Items::new());
    assert_eq!(alone.items[0].standard_deviation.absent(), Some(Undefined::TooFew));
    assert_eq!(alone.test.alpha.absent(), Some(Undefined::TooFew));
    let same = report("a b\n1 1\n1 1\n", &Items::new());
    assert_eq!(same.items[0].discrimination.absent(), Some(Undefined::NoSpread));
    let mut holes = Accumulator::new();
    for sitting in [["a", "b"], ["a", "c"]] {
        holes.add(&sitting.map(|item| Answer::scored(item, Score::from_points(1)))).unwrap();
    }
    assert_eq!(holes.finish(&Items::new()).test.alpha.absent(), Some(Undefined::Incomplete));
    let text = serde_json::to_string(&same).unwrap();
    assert!(
        text.contains(r#""discrimination":{"absent":"all scores are equal"}"#) && !text.contains("null"),
        "{text}"
    );
}

#[test]
fn a_wrong_key_and_an_unused_distractor_are_found() {
    let mut all = Accumulator::new();
    for learner in 0..60 {
        // The better half selects b, and the others select the key a; no learner selects c.
        let good = learner % 2 == 0;
        let option = [if good { "b" } else { "a" }];
        let scored = |item, right| Answer::scored(item, Score::from_points(i32::from(right)));
        all.add(&[scored("broken", !good).options(&option), scored("other", good), scored("third", good)])
            .unwrap();
    }
    let options = [("a", true), ("b", false), ("c", false)].map(|(name, key)| (name.to_owned(), key));
    let items = Items::from([("broken".to_owned(), Item { options: options.into(), ..Item::default() })]);
    let report = all.finish(&items);
    let found: Vec<_> =
        report.findings.iter().map(|one| (one.item.as_str(), one.rule, one.pointer.as_str())).collect();
    let expected = [
        ("broken", "negative-discrimination", "/discrimination"),
        ("broken", "key-contradicted", "/options/1"),
        ("broken", "distractor-unused", "/options/2"),
    ];
    assert_eq!(found.iter().filter(|one| one.0 == "broken").copied().collect::<Vec<_>>(), expected);
    let chosen = &report.items[0].options[1];
    assert_eq!((chosen.count, chosen.share.value(), chosen.mean_rest.value()), (30, Some(0.5), Some(2.0)));
    assert_eq!(chosen.rest_quartiles.map(|statistic| statistic.value()), [Some(2.0); 3]);
}
