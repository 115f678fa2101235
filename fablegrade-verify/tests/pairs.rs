//! Pairs of a reference and a response with their verdict, by the defect that they once showed.

use fablegrade_verify::{Profile, Verdict, verify};

/// Answers that are refused without a verdict, because they are not compared.
const UNDECIDED: [&str; 1] = [r"\boxed{2 \text{ for } x>0, 3 \text{ otherwise}}"];

fn check(cases: &[(&str, &[&str])], correct: bool) {
    let mut wrong = Vec::new();
    for (gold, responses) in cases {
        for response in *responses {
            let found = verify(gold, response, &Profile::model());
            let expected = if correct {
                Verdict::Correct
            } else if UNDECIDED.contains(response) {
                Verdict::Undecided
            } else {
                Verdict::Incorrect
            };
            if found.verdict != expected {
                wrong.push(format!(
                    "{gold} | {response} | {:?} {:?} {}",
                    found.verdict, found.answer, found.evidence
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn boxed(cases: &[(&str, &[&str])], correct: bool) {
    for (gold, answers) in cases {
        let responses: Vec<String> = answers.iter().map(|answer| format!(r"\boxed{{{answer}}}")).collect();
        let responses: Vec<&str> = responses.iter().map(String::as_str).collect();
        check(&[(gold, &responses)], correct);
    }
}

#[test]
fn signs_among_words_count() {
    boxed(
        &[
            (r"5 \text{ meters}", &[r"-5 \text{ meters}"]),
            (r"5 \text{ degrees}", &[r"-5 \text{ degrees}"]),
            (r"2.5 \text{ apples}", &[r"2/5 \text{ apples}"]),
            (r"2/3 \text{ meters}", &[r"2^3 \text{ meters}"]),
            (r"x>5 \text{ meters}", &[r"x<5 \text{ meters}"]),
            (r"3 \text{ ways}", &[r"3! \text{ ways}"]),
            (
                r"\text{increasing on } (2,3)",
                &[r"\text{increasing on } (-2,3)", r"\text{increasing on } [2,3]"],
            ),
            (r"\text{x=2 is the only solution}", &[r"\text{x=-2 is the only solution}"]),
        ],
        false,
    );
    boxed(
        &[
            (r"5 \text{ meters}", &[r"5 \text{ Meters}", "5"]),
            (r"\text{circle}", &[r"\text{(a circle)}", r"\text{A circle!}"]),
            (r"\text{increasing on } (2,3)", &[r"\text{Increasing on } (2, 3)"]),
        ],
        true,
    );
}

#[test]
fn several_options_are_not_one() {
    let several = [
        r"(A) \text{ or } (B)",
        "(A) (B)",
        r"(A)\quad(B)",
        r"(A)\quad B",
        "(A) | (B)",
        r"(A) \text{(B)}",
        "(A) | B",
        "A: B",
        "A or B",
        "A, B",
        "(A) B",
        "(A) C",
        r"(A)\ B",
        r"(A) \text{B}",
        "(A). B (C)",
        r"(A) \text{ maybe }(B)",
        "(A)(B)",
        "(A), (B)",
        "(A) and (B)",
        r"\text{(A) Paris or (B)}",
        r"\text{(A) Paris (B) London}",
        r"\text{(A) Paris, (B)}",
        r"\text{(A) Paris; (B)}",
        r"\text{(A) Paris / (B)}",
        r"\text{(A) Paris \& (B)}",
        r"\text{(A) Paris | (B)}",
        r"\text{(A) Paris, (B), (C)}",
        r"(A) \text{Paris}\quad(C)",
        r"(A) \text{Paris}, (B)",
        r"\text{(A) acid, (C) base}",
        r"\text{(A) increases, (C) decreases}",
        r"\text{(A) increases (C) decreases}",
        r"\text{(A) is false, (B) is true}",
        r"\text{(A) Paris, I mean (B)}",
        r"\text{(A) Paris, then (B)}",
        r"\text{(A) París y (B)}",
        r"\text{(A) Париж или (B)}",
        r"\text{(A) 巴黎或(B)}",
    ];
    boxed(&[("A", &several), ("D", &["(D): (A)", "(D) E (C)", "(D) 42 (C)"])], false);
    check(
        &[
            (
                "A",
                &[
                    "(A) Paris versus (B)",
                    "(A) Paris xor (B)",
                    "(A) París y (B)",
                    "(A) Париж или (B)",
                    r"\boxed{(A) Париж ИЛИ (C)}",
                ],
            ),
            ("A", &[r"\boxed{\text{(B) x is the inverse of (A)}}"]),
        ],
        false,
    );
    boxed(
        &[
            (
                "B",
                &[
                    r"\text{(B) increases, (A) decreases}",
                    r"\text{(B) increases (A) decreases}",
                    r"\text{(B) rome, (A)}",
                ],
            ),
            (
                "A",
                &[
                    r"\text{(B) Both (A) and (R) are true and (R) is the correct explanation of (A)}",
                    r"\text{(B) x is the inverse of (A)}",
                ],
            ),
        ],
        false,
    );
    boxed(
        &[
            ("A", &[r"\text{(B) is too small, so (A)}"]),
            (
                "B",
                &[
                    r"\text{(B) Both (A) and (R) are true and (R) is the correct explanation of (A)}",
                    r"\text{(B) x is the inverse of (C)}",
                ],
            ),
            (
                "C",
                &[
                    r"\text{(C) Statement (A) is true but (B) is false}",
                    r"(C)\ \sin^2(A)",
                    r"(C) \cos^2(A)+\sin^2(B)",
                    "(C) P_1(A)",
                ],
            ),
            (
                "D",
                &[
                    r"\text{(D) Both (A) and (C) are true but (C) does not explain (A)}",
                    r"\text{(D) Statement (A) is true but statement (B) is false}",
                    r"\text{(D) Statement (A) is incorrect but Statement (B) is correct}",
                ],
            ),
        ],
        true,
    );
    boxed(&[("D", &[r"\text{(D) Both (A) and (B)}", "(D) P(A)"])], true);
    boxed(
        &[
            ("A", &[r"\text{(A) Coulomb (C)}"]),
            ("B", &[r"\text{(B) Vitamin (C)}", r"\text{(B) Reaction (A)}"]),
            ("C", &[r"\text{(C) Boron (B)}", r"\text{(C) Hepatitis (B)}"]),
            ("D", &["D. Carbon (C)", r"\text{(D) Options (A) and (B)}", r"\text{(D) Two of (A), (B), (C)}"]),
            ("E", &[r"\text{(E) Not (A)}"]),
        ],
        true,
    );
    check(&[("B", &["The answer is **(B) coulomb (C)**."])], true);
    boxed(&[("B", &["(B) |x|<3", "(B) B"]), ("C", &["(C) F", r"(C) \text{F}", "(C) |B|"])], true);
    boxed(&[("A", &["A", "(A)", "A.", "A: 42", r"(A)\ 42", r"(A)\quad 42", r"\text{(A)}"])], true);
}

#[test]
fn words_that_change_a_number() {
    boxed(
        &[
            (
                "5",
                &[
                    r"5 \text{ tenths}",
                    r"5 \text{ hundredths}",
                    r"5 \text{ thousandths}",
                    r"5 \text{ halves}",
                    r"5 \text{ fifths}",
                    r"5 \text{ dozens}",
                    r"5 \text{ millions}",
                    r"5 \text{ lakh}",
                    r"5 \text{ cubed}",
                    r"5 \text{ minus two}",
                    r"5 \text{ less than zero}",
                    r"5 \text{ below zero}",
                    r"5 \text{ choose two}",
                    r"5 \text{ to the sixth power}",
                    r"5 \text{ isn't right}",
                    r"5 \text{ nope}",
                    r"5 \text{ plus or minus two}",
                    r"5 \text{ times ten to the third power}",
                    r"5 \text{ more than ten}",
                    r"5 \text{ degrees less than zero}",
                    r"5 \text{ false}",
                    r"5 \text{ is false}",
                    r"5 \text{ plus pi}",
                    r"5 \text{ plus/minus two}",
                    r"5 \text{ apples minus two}",
                    r"5 \text{ x minus three}",
                    r"5 \text{ x cubed}",
                    r"5 \text{ power two}",
                    r"5 \text{ raised to two}",
                    r"5 \text{ x choose two}",
                    r"5 \text{ apples less than ten}",
                    r"5 \text{ meters higher than ten}",
                    r"5 \text{ less two}",
                    r"5 \text{ dollars times two}",
                    r"5 \text{ times } 10^3",
                    r"5 \text{ m } 10^3",
                    r"5 \text{ times the square root of two}",
                    r"5 \text{ divided by two}",
                    r"5 \text{ over x}",
                    r"5 \text{ point two}",
                    r"5 \text{ by seven}",
                    r"5 \text{ in nine}",
                    r"5 \text{ out of nine}",
                    r"5 \text{ to two}",
                    r"5 \text{ mod three}",
                    r"5 \text{ root two}",
                    r"5 \text{ to the third}",
                    r"5 \text{ to the n}",
                    r"5 \text{ remainder two}",
                    r"5 \text{ apples (seven)}",
                    r"5 \text{ under zero}",
                    r"5 \text{ tenths, about}",
                    r"5 \text{ twentieths}",
                    r"5 \text{ negative}",
                    r"5 \text{ apples in nine}",
                    r"5 \text{ in every nine}",
                    r"5 \text{ out of the nine}",
                    r"5 \text{ numbers in nine}",
                    r"5 \text{ values out of nine}",
                    r"5 \text{ square roots of two}",
                    r"5 \text{ apples two}",
                    r"5 \text{ k}",
                    r"5 \text{ bn}",
                    r"5 \text{ bn dollars}",
                    r"5 \text{ mn}",
                    r"5 \text{ grand}",
                    r"5 \text{ gross}",
                    r"5 \text{ gross pencils}",
                    r"5 \text{ score}",
                    r"5 \text{ score of men}",
                    r"5 \text{ square}",
                ],
            ),
            ("2", &[r"2 \text{ pi}", r"2 \text{ x}", r"2 \text{ pi cubed}"]),
            ("3", &[r"3 \text{ plus two}", r"3 \text{ tenth inch}", r"3 \text{ sixteenth inches}"]),
            ("10", &[r"10 \text{ in base two}", r"10 \text{ base two}"]),
            ("12", &[r"12 \text{ minus } x", r"12 \text{ plus } x"]),
            (
                "1",
                &[
                    r"1 \text{ fifth}",
                    r"1 \text{ third of the cake}",
                    r"1 \text{ third cup}",
                    r"1 \text{ third pizza}",
                    r"1 \text{ fifth mile}",
                    r"1 \text{ tenth meter}",
                    r"1 \text{ twenty-fifth}",
                    r"1 \text{ half dollar}",
                ],
            ),
        ],
        false,
    );
    boxed(
        &[
            (
                "7",
                &[
                    r"7 \text{ powers of two}",
                    r"7 \text{ factors of ten}",
                    r"7 \text{ positive integers divisible by three}",
                    r"7 \text{ primes below twenty}",
                    r"7 \text{ integers from two to ten}",
                    r"7 \text{ marbles in box two}",
                    r"7 \text{ dollars for each of the three}",
                    r"7 \text{ square feet}",
                    r"7 \text{ score points}",
                ],
            ),
            ("5", &[r"5 \text{ gross tons}", r"5 \text{ gross dollars}"]),
            ("1", &[r"1 \text{ fifth grader}", r"1 \text{ third place}"]),
            ("10", &[r"10 \text{ ways to choose a team}"]),
            ("100", &[r"100 \text{ watts of power}"]),
            ("3", &[r"3 \text{ false statements}", r"3 \text{ numbers greater than ten}"]),
            ("4", &[r"4 \text{ plus signs}", r"4 \text{ minus signs}", r"4 \text{ real roots}"]),
            ("9", &[r"9 \text{ players in baseball}", r"9 \text{ people in base camp}"]),
            (
                "12",
                &[
                    r"12 \text{ fifth graders}",
                    r"12 \text{ fifth graders in the class}",
                    r"12 \text{ two-digit numbers}",
                    r"12 \text{ primes less than forty}",
                    r"12 \text{ apples more than John}",
                    r"12 \text{ times as many}",
                    r"12 \text{ cookies over two days}",
                    r"12 \text{ false positives}",
                    r"12 \text{ negative numbers}",
                    r"12 \text{ students in grades nine}",
                    r"12 \text{ of the students}",
                    r"12 \text{ power plants}",
                    r"12 \text{ is a root of } f",
                    r"12 \text{ ways to choose two}",
                    r"12 \text{ to the nearest integer}",
                ],
            ),
        ],
        true,
    );
    boxed(
        &[("5", &[r"5 \text{ apples}", r"5 \text{ months}", r"5 \text{ paths}", r"5 \text{ times}"])],
        true,
    );
}

#[test]
fn percentages_are_not_angles() {
    boxed(&[(r"20^\circ", &[r"20\%"]), (r"20\%", &[r"20^\circ"])], false);
}

#[test]
fn cases_are_not_remarks() {
    boxed(
        &[(
            "2",
            &[
                r"2 \text{ for } x>0, 3 \text{ otherwise}",
                r"2 \text{ for } x>0, 3 \text{ for } x<0",
                r"2 \text{ where x>0, 3 if x<0}",
                r"2 \text{ if } x>0 \text{ and } 3 \text{ for } x<0",
            ],
        )],
        false,
    );
    boxed(&[("2", &[r"2 \text{ for all values for which it is defined}"])], true);
    boxed(&[("5", &[r"5 \bmod 3"])], false);
    boxed(&[("2", &[r"5 \bmod 3", r"2 \pmod{3}", r"2 \text{ for all } x"])], true);
}

#[test]
fn a_variable_is_not_a_word() {
    boxed(&[("y", &[r"\text{True}", r"\text{yes}"])], false);
    boxed(&[(r"\text{Yes}", &[r"\text{True}"])], true);
}

#[test]
fn ordinals_and_lists_are_not_fractions() {
    boxed(&[("4", &[r"\text{twenty-fifth}"]), ("25", &[r"\text{twenty, five}"])], false);
    boxed(
        &[("1200", &[r"\text{one thousand, two hundred}"]), (r"\frac{2}{3}", &[r"\text{two-thirds}"])],
        true,
    );
}

#[test]
fn minus_signs_end_words() {
    boxed(&[(r"\text{A}", &[r"\text{A-}"]), (r"\text{C}", &[r"\text{C-}"])], false);
}

#[test]
fn hidden_and_withdrawn_text() {
    check(
        &[(
            "41",
            &["The answer is <s>41</s> 42.", "The answer is 42. <p style='display:none'>The answer is 41."],
        )],
        false,
    );
    check(
        &[(
            "41",
            &[
                "The answer is 42. <p title=\"a>b\" style='display:none'>The answer is 41.",
                "The answer is 42. <p class='b'style='display:none'>The answer is 41.",
            ],
        )],
        false,
    );
    check(
        &[
            ("42", &["The answer is <s>41</s> 42.", "<s>The answer is 42.</s>"]),
            (
                "42",
                &[
                    "I use display:none in the style. The answer is 42.",
                    "In HTML, style=\"display:none\" hides an element. The answer is 42.",
                    "The CSS is `style=\"display: none\"`, so nothing is shown.\n\nFinal answer: 42",
                    "el.style = \"display:none\"; so\n\n\\boxed{42}",
                    "Use <b>this</b>: style=\"display:none\" hides it. The answer is 42.",
                    "<p>Use style=\"display:none\". The answer is 42.",
                    "<img src=\"a\" style=\"display:none\"> The answer is 42.",
                    "If a <b, then el.style='display:none'. The answer is 42.",
                    "<p style='color:red'>A display: none of it is hidden.</p> The answer is 42.",
                    "<p style='display:block'>The answer is 42.</p>",
                    "<div style='display:none'><div>41</div></div> The answer is 42.",
                    "<think><p style='display:none'>So</think> The answer is 42.",
                ],
            ),
            ("42", &["<s>The answer is 42.</s><pad>", "\n<s>The answer is 42.</s> <pad>"]),
            (
                "5",
                &[
                    "<think>Use <!-- here</think> The answer is 5.",
                    r"<think>\iffalse</think> The answer is 5.",
                ],
            ),
        ],
        true,
    );
}

#[test]
fn numbers_with_a_decimal_comma() {
    boxed(
        &[("0.125", &["0,125"]), (r"\frac18", &["0,125"]), ("0.333", &["0,333"]), ("-0,5", &["-0.5"])],
        true,
    );
    boxed(
        &[
            ("0, 125", &["0,125"]),
            ("0,125", &["0, 125"]),
            (r"\{0,125\}", &["0,125"]),
            ("x=0, x=125", &["x=0,125"]),
        ],
        true,
    );
    boxed(&[("1.2", &["1、2"])], false);
    boxed(&[("125", &["0,125"]), ("0, 126", &["0,125"]), ("1, 125", &["1,125"])], false);
}

#[test]
fn ends_of_values() {
    check(
        &[
            ("42", &["The answer is 42—which is right.", "The answer is 42 🎉", "The answer is “42”."]),
            (
                "5",
                &[
                    "The answer is 5–as shown.",
                    "The answer is 5 ✔",
                    "The answer is ‘5’.",
                    "The answer is «5».",
                ],
            ),
            ("Tokyo", &["The answer is “Tokyo”."]),
            ("2x", &["The answer is f’(x) = 2x.", "The answer is y’ = 2x."]),
            ("2x-y", &["The answer is 2x–y.", "The answer is 2x – y."]),
            (r"5-\sqrt{2}", &["The answer is 5–√2."]),
            (r"2-\alpha", &["The answer is 2–α."]),
            ("5", &["The answer is 5 – n must be odd.", "The answer is 5 - n is odd."]),
            (
                "2x-y",
                &["The answer is 2x – y for all x.", "So 2x – y is the answer.", "Hence 2x - y must be it."],
            ),
            ("5-n", &["Answer: 5 - n is the least.", "So 5 - n is the answer."]),
            ("5", &["The answer is 5 – a prime.", "The answer is 5–a prime.", "The answer is 5’s value."]),
            ("No", &["The answer is No. Because x is odd.", "**Answer: No.** It is odd."]),
            ("1, 2", &["\\boxed{1} and\u{a0}\\boxed{2}", r"\boxed{1}、\boxed{2}", r"\boxed{1} 和 \boxed{2}"]),
            ("2", &[r"\boxed{1}\答\boxed{2}"]),
            ("1, 2", &["答案：1、2", "答案：1、2。", r"\boxed{1、2}"]),
        ],
        true,
    );
}

#[test]
fn remarks_about_the_answer() {
    check(
        &[
            (
                "5",
                &[
                    "<answer>5</answer>\nThe answer is correct.",
                    "#### 5\nThis answer is verified.",
                    "The answer is 5.\n\nThe answer was found by adding.",
                ],
            ),
            ("42", &["**Final answer:** $42$\n\nThe answer is exact."]),
            ("Tokyo", &["The answer is Tokyo.", "The answer is 5. Answer: Tokyo"]),
            ("Tokyo", &["I use <answer> tags. The answer is Tokyo."]),
            ("even", &["For n=1 the answer is 3. In general, the answer is even."]),
            ("neither", &["\nA: 10 m\nB: 20 m\nThe answer is neither."]),
        ],
        true,
    );
    check(
        &[
            ("3", &["For n=1 the answer is 3. In general, the answer is even."]),
            ("10", &["\nA: 10\nB: 20\nThe answer is correct."]),
        ],
        false,
    );
}

#[test]
fn a_conditional_confirmation_takes_back() {
    check(
        &[(
            "42",
            &[
                "Answer: 42. No, that is right provided x>0; it's 43.",
                "Answer: 42. No, that is right given x>0; it's 43.",
                "Answer: 42. No, that is right up to sign; it's 43.",
                "Answer: 42. No, that is right apart from the sign; it's 43.",
            ],
        )],
        false,
    );
    check(
        &[(
            "42",
            &[
                "Answer: 42. No, that is right.",
                "Answer: 42. No, that is right, as shown.",
                "Answer: 42. No, that is right indeed.",
                "Answer: 42. No, that is correct here.",
                "Answer: 42. No, that is correct again.",
            ],
        )],
        true,
    );
}

#[test]
fn bases() {
    boxed(&[("25_{10}", &["25"]), ("0x1f", &["0x1F"]), ("1f_{16}", &["1F_{16}"])], true);
    boxed(
        &[
            ("25_{8}", &["25"]),
            ("25_{10}", &["26", "25_{8}"]),
            ("a_{12}", &["A_{12}"]),
            ("ab_{12}", &["AB_{12}"]),
        ],
        false,
    );
    boxed(
        &[
            ("FF_{16}", &[r"ff \text{ base } 16", "ff_{16}"]),
            ("ab_{16}", &["AB_{16}"]),
            ("abc_{14}", &["ABC_{14}"]),
            ("a_{12}", &["a_{12}"]),
        ],
        true,
    );
}

#[test]
fn notations() {
    boxed(
        &[
            ("30", &["30 sec"]),
            (r"30 \text{ s}", &["30 sec"]),
            (r"\sqrt{2}", &["√ 2", "√２"]),
            (r"\sqrt{x+1}", &["√ (x+1)"]),
            (r"\sqrt{\pi}", &[r"√\pi"]),
            ("120", &["5!=120"]),
            (r"f(2)\ne0", &["f(2)!=0"]),
            (r"x_2\ne0", &["x_2!=0"]),
            (r"(x-2)\ne0", &["(x-2)!=0"]),
            (r"\text{Event B}", &[r"\text{Event (B)}"]),
            ("y=Cx+C^2", &["y=Kx+K^2"]),
            (r"\{1,2\}", &[r"\left\lbrace 1,2\right\rbrace"]),
            ("[0,1)", &[r"\left\lbrack 0,1\right)"]),
            ("(1,2)", &[r"\left<1,2\right>"]),
            ("5", &[r"\color[HTML]{FF0000}5", r"5\hspace*{1cm}", r"\bbox{5}"]),
            (r"\frac{3}{4}", &["³⁄₄", "³/₄"]),
            (r"\frac{11}{4}", &["2³⁄₄"]),
            (r"\frac{x^3}{4}", &["x³/4"]),
            ("-0.5", &["-0.45", r"-\frac{9}{20}"]),
        ],
        true,
    );
    check(&[("5", &[r"\framebox[2cm]{5}"])], true);
}
