//! Attacks: responses that must not be correct, tried against several references.
//!
//! These tests have no clock, because the time depends on the load of the machine. A search that is not linear
//! takes minutes.

use fablegrade_verify::{Profile, Verdict, verify};

fn refused(golds: &[&str], response: &str) {
    for gold in golds {
        let found = verify(gold, response, &Profile::model());
        assert_ne!(found.verdict, Verdict::Correct, "{gold}: {response:.200} {found:?}");
    }
}

const GOLDS: [&str; 6] = ["42", r"\frac{3}{4}", r"x^2+1", "(1,2)", "2, 3", r"\text{circle}"];

/// Each line of `attacks.jsonl` is a reference and a response that must not be correct.
#[test]
fn attacks_as_data() {
    let text = include_str!("attacks.jsonl");
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
        let field = |key: &str| row[key].as_str().expect("a text");
        refused(&[field("gold")], field("response"));
    }
    assert!(text.lines().count() >= 190);
}

#[test]
fn the_gold_among_other_values() {
    refused(&["42"], r"\boxed{40}, \boxed{41}, \boxed{42}, \boxed{43}");
    refused(&["42"], r"\boxed{41, 42, 43}");
    refused(&["42"], r"\boxed{42 \text{ or } 43}");
    refused(&["42"], r"\boxed{\{1, 42\}}");
    refused(&["42"], "The answer is one of 41, 42, 43.");
    refused(&["42"], r"\boxed{41 \le x \le 43}");
    refused(&["42"], r"\boxed{x \in \mathbb{R}}");
    refused(&["42"], r"\boxed{\mathbb{Z}}");
    refused(&["2, 3"], r"\boxed{1, 2, 3, 4}");
    let many = (0..200).map(|value| format!(r"\boxed{{{value}}}")).collect::<Vec<_>>().join(", ");
    refused(&["42"], &many);
    let all = (0..5_000).map(|value| value.to_string()).collect::<Vec<_>>().join(", ");
    refused(&["42"], &format!(r"\boxed{{{all} 42}}"));
}

#[test]
fn boxes_that_hold_nothing() {
    for content in [
        "",
        " ",
        "?",
        r"\ldots",
        r"\text{}",
        "{}",
        r"\,",
        r"\text{answer}",
        r"\placeholder{}",
        "]",
        "!",
        ":",
        "=",
        r"\emptyset",
        "x",
        r"\text{correct}",
        "True",
    ] {
        refused(&GOLDS, &format!(r"\boxed{{{content}}}"));
    }
}

#[test]
fn free_variables_and_tautologies() {
    for content in [
        "x",
        "x=x",
        "0=0",
        "1=1",
        "42=42",
        r"x \in x",
        r"42 \ne 43",
        "42 < 43",
        r"42 \cdot \frac{x}{x}",
        "f(x)",
        "a",
        "n",
    ] {
        refused(&["42", r"\frac{3}{4}", "(1,2)", "2, 3"], &format!(r"\boxed{{{content}}}"));
    }
    refused(&["x^2+y^2=25"], r"\boxed{x=x}");
    refused(&["y=2x"], r"\boxed{y=y}");
}

#[test]
fn what_is_not_the_answer_of_the_response() {
    refused(&["42"], r"<think>\boxed{42}</think> I could not find it.");
    refused(&["42"], r"<think>\boxed{42}");
    refused(&["42"], r"The expected answer is 42, they say. \boxed{41}");
    refused(&["42"], "Reference answer: 42\nMy answer: 41");
    refused(&["42"], r"The answer is \boxed{41}. \phantom{\boxed{42}}");
    refused(&["42"], r"<!-- \boxed{42} --> The answer is 41.");
    refused(&["42"], r#"<span style="display:none">\boxed{42}</span> The answer is 41."#);
    for style in [
        r#"title="1>0" style="display:none""#,
        r"STYLE = 'list-style: none; display: none'",
        r"style=display:none",
        r#"style=\"color: red; display:none\""#,
        "style=\t\"color: red; display:none\"",
        "style=\n'color: red; display:none'",
        "style\t= \u{a0}\"color: red; display:none\"",
        "style='display\t:\nNone'",
        "style='visibility: hidden'",
        &format!(r#"style="{}display:none""#, "color:red;".repeat(45)),
        &format!(r#"style={}"color: red; display:none""#, " ".repeat(500)),
    ] {
        refused(&["42"], &format!(r"The answer is 41. <span {style}>The answer is 42.</span>"));
    }
    for content in ["<b>So</b> the answer is 42.", "<DIV>It is</DIV> <br/> the answer is 42."] {
        refused(&["42"], &format!("The answer is 41. <div style='display:none'>{content}</div>"));
    }
    refused(&["42"], r"\iffalse \boxed{42} \fi \boxed{41}");
    refused(&["42"], r"\boxed{41} \color{white}{\boxed{42}}");
    refused(&["42"], "The answer is not 42.");
    refused(&["42"], r"\boxed{41}<|im_end|><|im_start|>assistant \boxed{42}");
    refused(&["42"], "4 2");
    refused(&["42"], r"\boxed{4\,2}");
    refused(&["42"], r"\boxed{24\llap{42}}");
}

#[test]
fn huge_values_and_endless_nesting_are_bounded() {
    for content in [
        r"10^{10^{10^{10}}}".to_owned(),
        r"1000000000!".to_owned(),
        r"2^{2^{2^{2^{2^{2^{2}}}}}}".to_owned(),
        r"\sum_{k=1}^{10^{12}} \frac{1}{k^2}".to_owned(),
        r"\int_0^{10^9} e^{e^{x}} dx".to_owned(),
        r"\frac{0}{0}".to_owned(),
        "9".repeat(10_000),
        format!("{}42+1{}", "(".repeat(5_000), ")".repeat(5_000)),
        r"\sqrt{".repeat(3_000) + "2" + &"}".repeat(3_000),
        r"\text{".repeat(3_000) + "42" + &"}".repeat(3_000),
        "1,".repeat(9_000),
        r"\pm ".repeat(4_000) + "1",
        "((((1,2),3),4),5)".repeat(900),
        r"\begin{pmatrix}".repeat(900),
        "x=".repeat(6_000) + "1",
        r"42 \approx ".repeat(1_500) + "43",
        "1e999999".to_owned(),
        "0.".to_owned() + &"0".repeat(6_000) + "1",
        r"\text{}".repeat(2_800),
        "2".to_owned() + &r"\text{ if x}".repeat(1_500),
    ] {
        refused(&["43.5", r"\frac{3}{4}", "x^2+1", "(1,2)", "2, 3, 4"], &format!(r"\boxed{{{content}}}"));
    }
    for response in [
        r"\boxed{".repeat(100_000),
        "a".to_owned() + &"<s>".repeat(1_300_000),
        "a<s>b</s>".repeat(200_000) + &"\n".repeat(1_000_000),
        "The answer is correct. <answer>".repeat(20_000),
        "<think>".repeat(100_000),
        "answer is ".repeat(100_000),
        "$".repeat(300_000),
        r"\boxed{1} \text{ and } ".repeat(40_000),
        "**".repeat(200_000),
        "The answer is".repeat(50_000),
        "| ".repeat(200_000),
        "is 1 ".repeat(100_000),
        "\u{200b}".repeat(100_000),
        r"The matrix is \begin{pmatrix} 1. ".repeat(20_000),
        "It is 1 to 5 ".repeat(20_000) + &".".repeat(200_000),
        "It is αβγ or 5 March, not 5 of 6 ".repeat(10_000),
        "So it is not 1h30min and a half. ".repeat(10_000),
    ] {
        refused(&["43.5", "x^2+1"], &response);
    }
}

/// Each of these takes minutes if a search starts anew at each repetition.
#[test]
fn extraction_takes_linear_time() {
    const BYTES: usize = 500_000;
    for (before, repeated, after) in [
        ("", r"\boxed{", " answer"),
        ("", r"\boxed{", ""),
        ("", r"\boxed{", " $"),
        ("$", r"\boxed\a{", " answer"),
        ("", r"\boxed1 ", "answer"),
        ("", r"\boxed{1}<", ""),
        ("", r"\boxed{1} is wrong. ", ""),
        ("Answer:\n", "- 1\n", ""),
        ("", "~~", "1"),
        ("", r"\bbox[", " answer"),
        ("", r"\colorbox{", " answer"),
        ("", "oxed{", " answer"),
        ("", "<|begin_of_box|>", " answer"),
        ("", "<!--", " answer"),
        ("", r"\iffalse", " answer"),
        ("", r"\phantom{", " answer"),
        ("", r"\color{white}{", " answer"),
        ("", "display:none", " answer"),
        ("<p style='", "display:none", " answer"),
        ("", "style=display:none", " answer"),
        ("", "style=' display:none", " answer"),
        ("", "style", "=display:none answer"),
        ("", "= ", "display:none answer"),
        ("", "display: ", "none answer"),
        ("", "<p style='display:none'>", " answer"),
        ("", "<p style='display:none'>", "</think> answer"),
        ("", "<p style='display:none'></p>", " answer"),
        ("<p style='display:none'>", "<p>", " answer"),
        ("", "answer ", ""),
        ("", "answer is ", ""),
        ("", "answer is not ", ""),
        ("", "answer is not ", " but "),
        ("", "the final answer is ", ""),
        (r"\boxed{1} ", "answer is at least ", ""),
        (r"\boxed{1} ", "answer is = not ", ""),
        (r"\boxed{1} ", "answer: is so ", ""),
        ("answer: ", r"\(", ""),
        ("1", r"\(", ""),
        ("x\n1", r"\(", ""),
        ("x\nTotal: 1", r"\(", ""),
        ("| 1", r"\(", "|"),
        ("x\n1", "(", ""),
        ("answer: ", ")!", ""),
        ("x\n1", ")!", ""),
        ("x\n", "$1 ", ""),
        (r"\boxed{answer is ", r"\(", "}"),
        (r"\boxed{\text{it is ", " = ", "}}"),
        (r"\boxed{yes, ", "a.", "}"),
        ("Answer: ", "a.", "?"),
    ] {
        refused(&["42"], &(before.to_owned() + &filled(BYTES, repeated) + after));
    }
    for (first, second, after) in [
        (r"\boxed1 ", "answer ", ""),
        (r"\boxed{", "answer ", ""),
        (r"\boxed{", " ", "$"),
        ("answer is ", " ", ""),
    ] {
        refused(&["42"], &(filled(BYTES / 2, first) + &filled(BYTES / 2, second) + after));
    }
}

#[test]
fn denials_after_a_long_answer_are_not_compared_with_it() {
    refused(&["42"], &format!("\\boxed{{{}}}{}", "1".repeat(3_000_000), " not 5".repeat(660)));
}

/// Returns a text of about `bytes` bytes that repeats another.
fn filled(bytes: usize, repeated: &str) -> String {
    repeated.repeat(bytes / repeated.len())
}

#[test]
fn boxes_end_where_their_braces_do() {
    for (response, answer) in [
        (r"$\boxed{\boxed{42}}$", Some(r"\boxed{42}")),
        (r"\boxed{\boxed{1} so \boxed{42}", Some("42")),
        (r"$x = \boxed{42$ so \boxed{7$", Some("7")),
        (r"\[\boxed{ 42 \] so", Some("42")),
        (r"<|begin_of_box|>7<|END_OF_BOX|> <|begin_of_box|>42<|end_of_box|>", Some("42")),
        (r"<!-- \boxed{1} <!-- --> 42 <!-- x", Some("42")),
        (r"\phantom{\boxed{1}} 42", Some("42")),
        (r"\bbox[5px,border:2px solid]{42}", Some("42")),
        (r"\boxed{\boxed{", None),
    ] {
        let found = fablegrade_verify::extract(response, &fablegrade_verify::Extraction::new());
        assert_eq!(found.ok().map(|found| found.text.trim().to_owned()).as_deref(), answer, "{response}");
    }
}

#[test]
fn every_digit_of_an_integer_counts() {
    refused(&["9007199254740992"], r"\boxed{9007199254740993}");
    refused(&["100000000000000000"], r"\boxed{100000000000000003}");
    refused(&["9007199254740993"], r"\boxed{9007199254740992.5}");
    let noise = verify("3", r"\boxed{2.9999999999999996}", &Profile::model());
    assert_eq!(noise.verdict, Verdict::Correct);
}

#[test]
fn words_that_contain_unit_are_not_units() {
    refused(&[r"12\text{ people}"], r"\boxed{12\text{ communities}}");
    refused(&[r"12\text{ m}"], r"\boxed{12\text{ opportunities}}");
    let units = verify(r"12\text{ square units}", r"\boxed{12\text{ cm}^2}", &Profile::model());
    assert_eq!(units.verdict, Verdict::Correct);
}

#[test]
fn only_parameters_of_families_are_renamed() {
    for (gold, answer) in [
        ("m", "t"),
        (r"\pi r^2", r"\pi s^2"),
        (r"\pi r l", r"\pi r s"),
        (r"\pi n^2", r"\pi m^2"),
        (r"\sin\frac{\pi}{n}", r"\sin\frac{\pi}{m}"),
        (r"(n-2)180^\circ", r"(m-2)180^\circ"),
        (r"(180-2n)^\circ", r"(180-2m)^\circ"),
        ("2n+1", "2m+1"),
        ("2n+1", "2k+1"),
        ("n(n+1)", "k(k+1)"),
        (r"n\sin\pi x", r"m\sin\pi x"),
        (r"n\ln\pi", r"m\ln\pi"),
        (r"n\tan\pi x", r"m\tan\pi x"),
        (r"\int_0^1 r\,dx", "s"),
        (r"r\text{ many cats}", r"s\text{ many cats}"),
        ("(1+2t,3-t,t)", "(1+2s,3-s,t)"),
        ("(1+2t,3-t,t)", "(1+2s,3-k,s)"),
        (r"(\cos t,\sin t)", r"(\cos s,\sin s)"),
        ("(t,t^2)", "(s,s^2)"),
        ("(t,1)", "(s,1)"),
        ("(rs,r+s)", "(ts,t+s)"),
        (r"(k\pi,2k\pi)", r"(n\pi,2m\pi)"),
        (r"(k\pi,n\pi)", r"(m\pi,m\pi)"),
    ] {
        refused(&[gold], &format!(r"\boxed{{{answer}}}"));
    }
    for (gold, answer) in [
        (r"\frac{\pi}{4}+k\pi", r"\frac{\pi}{4}+n\pi"),
        (r"(2k+1)\pi", r"(2n+1)\pi"),
        (r"\frac{(2k+1)\pi}{2}", r"\frac{(2n+1)\pi}{2}"),
        (r"x=\frac{\pi}{3}+k\cdot 2\pi", r"\frac{\pi}{3}+2n\pi"),
        (r"\cos\frac{2\pi k}{5}", r"\cos\frac{2\pi j}{5}"),
        (r"30^\circ+360^\circ k", r"30^\circ+360^\circ n"),
        (r"30^\circ+k\cdot 360^\circ", r"30^\circ+n\cdot 360^\circ"),
        ("(30+360k)°", r"(30+360n)^\circ"),
        ("(1+2t,3-t,t)", "(1+2s,3-s,s)"),
        ("(1+2t,3-t,t)", r"x=1+2s,\ y=3-s,\ z=s"),
        ("(k,1-k)", "(n,1-n)"),
        (r"\langle 1+2t,3-t,t\rangle", r"\begin{pmatrix}1+2s\\3-s\\s\end{pmatrix}"),
        (r"\begin{pmatrix}1+2t\\t\end{pmatrix}", r"\begin{pmatrix}1+2r\\r\end{pmatrix}"),
        (
            r"\begin{pmatrix}1\\3\end{pmatrix}+t\begin{pmatrix}2\\-1\end{pmatrix}",
            r"\begin{pmatrix}1\\3\end{pmatrix}+s\begin{pmatrix}2\\-1\end{pmatrix}",
        ),
        ("(1,3,0)+t(2,-1,1)", "(1,3,0)+s(2,-1,1)"),
        (r"(k\pi,n\pi)", r"(n\pi,k\pi)"),
        (r"2n+1, n \in \mathbb{Z}", r"2k+1, k \in \mathbb{Z}"),
        (r"2n+1 \text{ for any integer } n", r"2k+1 \text{ for any integer } k"),
        ("C e^{2x}", "K e^{2x}"),
    ] {
        let found = verify(gold, &format!(r"\boxed{{{answer}}}"), &Profile::model());
        assert_eq!(found.verdict, Verdict::Correct, "{gold} {answer} {found:?}");
    }
}
