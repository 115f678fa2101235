//! Hostile input gets a result: a decision, "undecided", or an error with a position. The bound is a budget
//! of work, so these tests have no clock. A loop without a bound would show as a test that never ends.

use fablegrade_math::{Expression, Options, compare};

fn returns(reference: &str, submission: &str) {
    for (a, b) in [(reference, submission), (submission, reference)] {
        match compare(a, b, &Options::new()) {
            Ok(decision) => assert!(!decision.evidence.kind().as_str().is_empty()),
            Err(error) => assert!(error.span.start <= error.span.end, "{error}"),
        }
    }
}

#[test]
fn towers_and_factorials() {
    returns("9^{9^{9}}", "9^{9^{9}}+1");
    returns("9^{9^{9^{9^{9}}}}", "1");
    returns("5^{5^{5^{5^5}}}", "5^{5^{5^{5^{6}}}}");
    returns("(10^6)!", "(10^6)!+1");
    returns("1000000!", "1000001!");
    returns("3!!!!!!!!", "x!!!!!!!!");
    returns(r"\binom{10^9}{5\cdot 10^8}", "1");
    returns("x^{x^{x^{x^{x^x}}}}", "x^{x^{x^{x^{x}}}}");
    returns("2^{2^{2^{2^{2^{2^{x}}}}}}", "2^{2^{2^{2^{2^{2^{y}}}}}}");
}

#[test]
fn huge_powers_of_sums() {
    returns("(x+y+z+a+b+t)^{30}-(x+y+z+a+b+t)^{29}", "(x+y+z+a+b+t)^{29}(x+y+z+a+b+t-1)");
    returns("(x+y+z+a+b+t)^{30}-(x-y)^{31}", "0");
    returns("(x-a)^{6000}", "(a-x)^{6000}");
    returns("x^{99999999999999999999999999}", "x^{99999999999999999999999998}");
    returns("x^{2305843009213693950}", "1");
    returns("(x+1)^{123456789012}", "(x+1)^{123456789013}");
    returns(r"1.00000000001^{10^{12}}", "2");
}

#[test]
fn nesting_and_length() {
    for depth in [10, 100, 199, 200, 201, 1000, 2000] {
        returns(&format!("{}x{}", "(".repeat(depth), ")".repeat(depth)), "x");
        returns(&format!("{}x{}", "|".repeat(depth), "|".repeat(depth)), "|x|");
        returns(&format!("{}x{}", r"\sqrt{".repeat(depth), "}".repeat(depth)), "x");
        returns(&format!("{}x{}", r"\frac{1}{".repeat(depth), "}".repeat(depth)), "x");
        returns(&format!("{}x", "-".repeat(depth)), "x");
        returns(&format!("{}x{}", r"\sin(".repeat(depth), ")".repeat(depth)), "x");
        returns(&format!("x{}", "^{x".repeat(depth) + &"}".repeat(depth)), "x");
    }
    returns(&"x".repeat(2000), &"y".repeat(2000));
    returns(&"x+".repeat(999), "x");
    returns(&format!("{}x", "x+".repeat(900)), "901x");
    returns(&"9".repeat(2000), &"8".repeat(2000));
    returns(&format!("{}1", r"\sin x+".repeat(250)), r"250\sin x+1");
    let names: Vec<String> = (0..200).map(|n| format!("x_{{{n}}}")).collect();
    returns(&names.join("+"), "x_{0}");
}

#[test]
fn sums_products_and_steps() {
    returns(r"\sum_{k=1}^{10^9}k", r"\frac{10^9(10^9+1)}{2}");
    returns(r"\sum_{k=1}^{n}\sum_{j=1}^{n}\sum_{i=1}^{n}\sum_{h=1}^{n} 1", "n^4");
    returns(r"\prod_{k=1}^{500}(x+k)", r"\prod_{k=1}^{499}(x+k)");
    returns(r"\sum_{k=1}^{1000}\sin(kx)", r"\sum_{k=1}^{999}\sin(kx)");
    returns(r"\lfloor x\lfloor x\lfloor x\lfloor x\rfloor\rfloor\rfloor\rfloor", "x");
    returns(r"\sin(10^{300})", "0");
    returns(r"\sin(10^{2000}\pi)", "0");
    returns(r"e^{e^{e^{e^{e^{e^{1}}}}}}", r"e^{e^{e^{e^{e^{e^{2}}}}}}");
    returns(r"\cos(x^{12}/\pi)", r"\cos(x^{12}/\pi+10^{-30})");
}

#[test]
fn bytes_that_mean_nothing() {
    let mut state = 0x1234_5678_u64;
    let alphabet: Vec<char> =
        r"\{}()[]|^_&$%#~ xyzefi0123456789.,+-*/=<>!'sincolgtaufrqpm∞π√±×÷≤é".chars().collect();
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..60 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
        }
        if let Err(error) = Expression::parse(&text, &Options::new()) {
            assert!(error.span.end as usize <= text.len(), "{text}: {error:?}");
        }
        returns(&text, "x+1");
    }
}

#[test]
fn a_decision_does_not_depend_on_the_budget_being_generous() {
    for fuel in [0, 1, 10, 100, 1000, 10_000] {
        let decision = compare("x^{\\ln y}", "y^{\\ln x}", &Options::new().with_budget(fuel));
        assert!(decision.is_ok_and(|decision| !decision.is_different()), "{fuel}");
    }
}

#[test]
fn the_least_integer_is_large() {
    // Its absolute value is not an `i64`.
    let least = "-9223372036854775808";
    for (text, other) in [
        (r"x+0\cdot(x-9223372036854775808)!", "x"),
        (r"x+0\cdot\Gamma(x-9223372036854775808)", "x"),
        (r"x+0\cdot\binom{9223372036854775807}{x-1}", "x"),
        (r"\lim_{x\to0}\frac{\sin x}{x}(-1)^{LEAST}", "1"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}^{LEAST}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"),
        (r"\sum_{k=1}^{LEAST}k", "1"),
        (r"\sum_{k=LEAST}^{9223372036854775807}k", "1"),
        (r"\lim_{x\to0}x^{LEAST}", "1"),
        (r"\lim_{x\to0}x^{LEAST}x^{LEAST}", "1"),
        (r"\sum_{k=0}^{\infty}x^{LEAST k}", "1"),
        ("x^{LEAST}=1", "x=1"),
        ("2^{LEAST x}=1", "x=0"),
        ("2^{x LEAST}=3", "x=0"),
        (r"x=\pi^{LEAST}", "x=1"),
        ("x=i^{LEAST}", "x=1"),
        (r"\{(1+i)^{LEAST}\}", r"\{2\}"),
        (r"\sin(LEAST x)=1", r"\sin(x)=1"),
    ] {
        returns(&text.replace("LEAST", least), other);
    }
    let power = compare(r"\{(1+i)^{-9223372036854775808}\}", r"\{1\}", &Options::new());
    assert!(power.is_ok_and(|decision| !decision.is_equal()));
}
