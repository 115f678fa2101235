//! Verdicts as data: each line of `vectors.jsonl` and of `responses.jsonl` is a reference, a response and its verdict under the
//! profile `model`.

use fablegrade_verify::{Gold, Profile};

#[test]
fn every_vector_has_its_verdict() {
    let mut wrong = Vec::new();
    let texts = [include_str!("vectors.jsonl"), include_str!("responses.jsonl")];
    for line in texts.iter().flat_map(|text| text.lines()) {
        let row: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
        let field = |key: &str| row[key].as_str().expect("a text").to_owned();
        let found = Gold::new(&field("gold"), &Profile::model()).verify(&field("response"));
        if found.verdict.as_str() != field("verdict") {
            wrong.push(format!(
                "{}: {} instead of {} ({found:?})",
                field("what"),
                found.verdict,
                field("verdict")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(texts.iter().all(|text| text.lines().count() > 350));
}

/// Leading zeros and outward brackets are mathematics, so no profile can switch them off.
#[test]
fn notation_of_numbers_and_intervals_is_the_same_in_every_profile() {
    use fablegrade_verify::Convention;
    for profile in [Profile::exact(), Profile::model(), Profile::model().without(Convention::Grouping)] {
        for (gold, response, verdict) in [
            ("7", r"\boxed{007}", "correct"),
            ("7", r"\boxed{070}", "incorrect"),
            ("(1,2)", r"\boxed{]1,2[}", "correct"),
            ("[1,2]", r"\boxed{]1,2[}", "incorrect"),
            ("[1,2)", r"\boxed{[1,2[}", "correct"),
        ] {
            let found = Gold::new(gold, &profile).verify(response);
            assert_eq!(found.verdict.as_str(), verdict, "{gold} {response} {profile:?}");
        }
    }
}

/// A response that is correct in a box is correct in every frame; one that is wrong in a box is wrong in
/// every frame.
#[test]
fn frames_change_nothing() {
    const FRAMES: [&str; 14] = [
        r"\fbox{%}",
        r"So $\boxed{%}$.",
        "Hence\n$$\\boxed{%}$$",
        r"\boxed{17} Wait, that's wrong. \boxed{%}",
        r"\boxed{%} In short: \boxed{%}",
        r"<think>It may be \boxed{17}.</think> The answer is $%$",
        r"<answer>$%$</answer>",
        r"The final answer is $%$. I hope it is correct.",
        r"So the answer is \(%\), as required.",
        "Work.\n#### $%$",
        "**Answer:**\n\n$$%$$",
        "所以答案是$%$。",
        r"La réponse est $%$.",
        r"Simplifying, we get $%$.",
    ];
    let mut answers: Vec<(String, String)> = Vec::new();
    for line in include_str!("vectors.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
        let gold = row["gold"].as_str().expect("a text");
        // the frames suit only short references in one line, with matching braces and without delimiters
        let closed = gold.matches('{').count() == gold.matches('}').count();
        if gold.len() < 100 && closed && !gold.contains(['$', '\n']) {
            let other = answers.last().map_or("17", |(gold, _)| gold.as_str()).to_owned();
            answers.push((gold.to_owned(), other));
        }
    }
    let mut wrong = Vec::new();
    for (gold, other) in &answers {
        let gold = Gold::new(gold, &Profile::model());
        for answer in [gold.text(), other] {
            let boxed = gold.verify(&format!("\\boxed{{{answer}}}")).is_correct();
            for frame in FRAMES {
                let found = gold.verify(&frame.replace('%', answer));
                if found.is_correct() != boxed {
                    wrong.push(format!("{} | {answer} | {frame}: {found:?}", gold.text()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(answers.len() > 600);
}

/// Reported failures of other verifiers, by project and number or by the paper that reports them.
const REPORTED: [&str; 54] = [
    "arXiv:2505.22203",
    "arXiv:2606.01066",
    "cookbook#335",
    "helm#4337",
    "inspect_evals#2199",
    "lm-evaluation-harness#2552",
    "lm-evaluation-harness#3214",
    "lm-evaluation-harness#3477",
    "lm-evaluation-harness#3643",
    "lm-evaluation-harness#3644",
    "lm-evaluation-harness#4030",
    "lmms-eval#1512",
    "marin#9163",
    "Math-Verify#10",
    "Math-Verify#14",
    "Math-Verify#25",
    "Math-Verify#34",
    "Math-Verify#37",
    "Math-Verify#44",
    "Math-Verify#47",
    "Math-Verify#57",
    "Math-Verify#60",
    "Math-Verify#69",
    "Math-Verify#70",
    "Math-Verify#71",
    "Math-Verify#76",
    "Math-Verify#82",
    "maxtext#4150",
    "ms-swift#10147",
    "NeMo-Skills#1074",
    "NeMo-Skills#1511",
    "omlx#3484",
    "Online-DPO-R1#9",
    "open-r1#293",
    "opencompass#2426",
    "opencompass#2648",
    "OpenEnv#865",
    "OpenRLHF#1285",
    "prime-environments#689",
    "proeval#19",
    "reasoning-from-scratch#133",
    "sglang#29933",
    "slime#1246",
    "slime#2150",
    "Soup#814",
    "trl#5026",
    "verifiers#1028",
    "verifiers#213",
    "verifiers#831",
    "verl#5635",
    "verl#6673",
    "verl#7274",
    "verl#7440",
    "verl#7603",
];

#[test]
fn every_reported_failure_is_a_vector() {
    let mut named: Vec<String> = Vec::new();
    for line in include_str!("vectors.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
        let reported = row["reported"].as_array().into_iter().flatten();
        named.extend(reported.map(|report| report.as_str().expect("a text").to_owned()));
    }
    for report in REPORTED {
        assert!(named.iter().any(|name| name == report), "{report} has no vector");
    }
    assert!(named.iter().all(|name| REPORTED.contains(&name.as_str())));
}

#[test]
fn verdicts_do_not_depend_on_what_was_verified_before() {
    let profile = Profile::model();
    let gold = Gold::new(r"\frac{\sqrt{2}}{2}", &profile);
    let responses =
        [r"\boxed{0.70710678}", r"\boxed{\frac{1}{\sqrt2}}", "The answer is 0.7071.", r"\boxed{x}"];
    let alone: Vec<_> = responses
        .iter()
        .map(|response| Gold::new(r"\frac{\sqrt{2}}{2}", &profile).verify(response))
        .collect();
    for _ in 0..3 {
        let again: Vec<_> = responses.iter().map(|response| gold.verify(response)).collect();
        assert_eq!(again, alone);
    }
}

#[test]
fn conventions_can_be_switched_off() {
    use fablegrade_verify::{Convention, Verdict, verify};
    let mut tried = Vec::new();
    for (convention, gold, response) in [
        (Convention::Units, "10", r"\boxed{10\text{ cm}}"),
        (Convention::Currency, "10", r"\boxed{\$10}"),
        (Convention::Percent, "10", r"\boxed{10\%}"),
        (Convention::Degrees, "10", r"\boxed{10^\circ}"),
        (Convention::Grouping, "1234.5", r"\boxed{1.234,5}"),
        (Convention::Rounding, "0.33", r"\boxed{\frac13}"),
        (Convention::Decimals, r"\frac13", r"\boxed{0.333333}"),
        (Convention::Names, "x=5, y=6", r"\boxed{5, 6}"),
        (Convention::Brackets, r"\begin{pmatrix}1\\2\end{pmatrix}", r"\boxed{(1,2)}"),
        (Convention::Words, r"\text{circle}", r"\boxed{\text{a Circle}}"),
        (Convention::NumberWords, "7", r"\boxed{\text{seven}}"),
        (Convention::Choice, "B", r"\boxed{\text{(B) Paris}}"),
        (Convention::Times, r"16:15", r"\boxed{4:15\text{ p.m.}}"),
        (Convention::Constants, "x^2+C", r"\boxed{x^2+K}"),
        (Convention::Logarithms, r"\ln 5", r"\boxed{\log 5}"),
        (Convention::Remarks, "12", r"\boxed{12\text{ apples}}"),
        (Convention::Notation, "x^2", r"\boxed{x**2}"),
        (Convention::Lists, "1, 2", r"\boxed{2, 1}"),
        (Convention::Chains, "12", r"\boxed{3 \cdot 4 = 12}"),
        (Convention::Bases, r"61_7", r"\boxed{61_{7}}"),
    ] {
        let with = verify(gold, response, &Profile::model());
        assert_eq!(with.verdict, Verdict::Correct, "{convention:?} {with:?}");
        let named = convention == Convention::Notation || with.conventions.contains(convention);
        assert!(named, "{convention:?} is not named: {with:?}");
        let without = verify(gold, response, &Profile::model().without(convention));
        assert_ne!(without.verdict, Verdict::Correct, "{convention:?} {without:?}");
        assert_eq!(Convention::from_name(convention.name()), Some(convention));
        tried.push(convention);
    }
    assert!(Convention::ALL.iter().all(|convention| tried.contains(convention)), "{tried:?}");
}

#[test]
fn without_the_fallback_an_answer_that_is_taken_back_is_not_replaced() {
    use fablegrade_verify::{Extraction, NoAnswer, extract};
    let text = "Answer: 42. Actually no, it's 43.";
    assert_eq!(extract(text, &Extraction::new()).map(|found| found.text), Ok("43".into()));
    let strict = Extraction::new().fallback(false);
    assert_eq!(extract(text, &strict).map(|found| found.text), Err(NoAnswer::TakenBack));
    assert_eq!(
        extract("Answer: 42. Actually, there is no other one.", &strict).map(|found| found.text),
        Ok("42".into())
    );
}

#[test]
fn a_value_after_a_retraction_is_the_answer() {
    use fablegrade_verify::{Extraction, extract};
    for (text, answer) in [
        ("Answer: 42. No, I don't think that's right. It's 43.", "43"),
        ("Answer: 42. No, I thought that was right, but it's 43.", "43"),
        ("Answer: 42. Wait, that is right only for x>0; instead 43.", "43"),
        ("Answer: 42. Wait, that's a mistake; instead: $43$.", "$43$"),
        ("Answer: 42. No, that is right, since 6 times 7 is 42.", "42"),
        (r"\boxed{42} No, the answer is correct.", "42"),
        (r"The answer is \boxed{42}. No, wait, that is correct as shown above.", "42"),
        ("Answer: 42. No, the answer is correct because the sum was checked.", "42"),
        ("Answer: 42. Wait, actually no, that is right after all.", "42"),
        ("Answer: 42. No, wait, my answer is right, as a test shows.", "42"),
        ("The answer is right.", "right"),
    ] {
        assert_eq!(extract(text, &Extraction::new()).map(|found| found.text), Ok(answer.into()), "{text}");
    }
}

/// A letter of the question is not the parameter of a family, whatever multiplies `\pi` beside it.
#[test]
fn only_parameters_are_renamed() {
    let profile = Profile::model();
    let mut wrong = Vec::new();
    for (gold, answer, verdict) in [
        // denominators
        (r"\frac{qB}{2\pi m}", r"\frac{qB}{2\pi r}", "incorrect"),
        (r"\frac{\mu_0 I}{2\pi l}", r"\frac{\mu_0 I}{2\pi r}", "incorrect"),
        (r"\frac{Q}{4\pi k}", r"\frac{Q}{4\pi r}", "incorrect"),
        (r"\frac{2}{n\pi}", r"\frac{2}{k\pi}", "incorrect"),
        (r"2/(n\pi)", r"2/(k\pi)", "incorrect"),
        (r"2(n\pi)^{-1}", r"2(k\pi)^{-1}", "incorrect"),
        (r"\frac{2}{n\pi}, n\in\mathbb{Z}", r"\frac{2}{k\pi}, k\in\mathbb{Z}", "correct"),
        (r"\frac{n\pi}{2}", r"\frac{k\pi}{2}", "correct"),
        (r"\left(\frac{n\pi}{L}\right)^2", r"\left(\frac{k\pi}{L}\right)^2", "correct"),
        // names of integers
        (r"2\pi n", r"2\pi r", "incorrect"),
        (r"2\pi n", r"2\pi t", "incorrect"),
        (r"2\pi n", r"2\pi j", "correct"),
        (r"(1,3,0)+t(2,-1,1)", r"(1,3,0)+s(2,-1,1)", "correct"),
        // constants
        (r"\sqrt{c^2-a^2}", r"\sqrt{r^2-a^2}", "incorrect"),
        (r"mc^2", r"mr^2", "incorrect"),
        (r"m(2c)^2", r"m(2r)^2", "incorrect"),
        (r"\frac{m}{c^2}", r"\frac{m}{r^2}", "incorrect"),
        (r"m/c^2", r"m/r^2", "incorrect"),
        (r"c(c+1)", r"r(r+1)", "incorrect"),
        ("c^2+2c", "k^2+2k", "incorrect"),
        ("ac+c^2", "ak+k^2", "incorrect"),
        ("E=mc^2+mc", "E=mk^2+mk", "incorrect"),
        ("y=C^2+2C", "y=K^2+2K", "incorrect"),
        (r"y=Cx-\sqrt{1+C^2}", r"y=Kx-\sqrt{1+K^2}", "correct"),
        (r"y=Ce^{-2x}", r"y=Ke^{-2x}", "correct"),
        (r"y=\frac{1}{C-x}", r"y=\frac{1}{K-x}", "correct"),
        (r"y=\sqrt{x^2+C}", r"y=\sqrt{x^2+K}", "correct"),
        (r"y=(x+C)^2", r"y=(x+K)^2", "correct"),
        (r"y=\frac{1+Ce^{2x}}{1-Ce^{2x}}", r"y=\frac{1+Ke^{2x}}{1-Ke^{2x}}", "correct"),
        (r"y=\tan(x+C)", r"y=\tan(x+K)", "correct"),
        // lines
        ("(n,n+1)", "(k,k+1)", "incorrect"),
        ("(m,2m-1)", "(t,2t-1)", "incorrect"),
        ("(t,2t-1)", "(s,2s-1)", "correct"),
        ("(n,n+1,2n)", "(k,k+1,2k)", "correct"),
    ] {
        let found = Gold::new(gold, &profile).verify(&format!("\\boxed{{{answer}}}"));
        if found.verdict.as_str() != verdict {
            wrong.push(format!("{gold} {answer}: {} instead of {verdict} ({found:?})", found.verdict));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
