//! Grammars of Checktestdata: each command, test and kind of value, invalid grammars, and grammars that do not
//! terminate.
#![allow(clippy::unwrap_used, clippy::panic)]

use fablegrade_kattis::checktestdata::{Grammar, Mismatch};

fn check(grammar: &str, input: &str) -> Result<(), Mismatch> {
    Grammar::parse(grammar.as_bytes())
        .unwrap_or_else(|why| panic!("{grammar}: {why:?}"))
        .check(input.as_bytes())
}

#[test]
fn commands_match_what_they_say() {
    let loops = "INT(1,5,n) NEWLINE REPI(i,n,SPACE) INT(-9,9,a[i]) END NEWLINE ASSERT(UNIQUE(a))";
    let words = "WHILEI(i,!ISEOF,NEWLINE) REGEX(\"[a-z]+\",w[i]) SET(l=STRLEN(w[i])) ASSERT(l<=3) END";
    let pairs =
        "REPI(i,3) INT(0,9,x[i]) SPACE INT(0,9,y[i]) NEWLINE END ASSERT(UNIQUE(x,y)) ASSERT(INARRAY(7,x))";
    let again = "INT(1,9,t) NEWLINE REP(t) INT(0,9,n) REPI(i,n) SPACE INT(0,9,a[i]) END NEWLINE \
                 ASSERT(n==0||UNIQUE(a)) UNSET(a) END";
    let choice =
        "IF(MATCH(\"ab\")) REGEX(\"[ab]\") ELSE STRING(\"-\\\"\\134\\n\") END EOF STRING(\"unreached\")";
    for (grammar, good, bad) in [
        (
            "INT(1,10) NEWLINE",
            &["1\n", "10\n"][..],
            &["0\n", "11\n", "01\n", "+1\n", "1", "1\n\n", " 1\n", "1 \n", "-0\n", "a\n", ""][..],
        ),
        (
            "INT(-5, 2^70+1) # a comment\nNEWLINE",
            &["-5\n", "1180591620717411303425\n"],
            &["-6\n", "1180591620717411303426\n", "-\n"],
        ),
        ("INT(1,9,n) SPACE INT(n,2*n-1) NEWLINE", &["3 5\n", "1 1\n"], &["3 6\n", "3 2\n", "3  4\n"]),
        ("INT(7/2,-7/2+10) SPACE INT(-7%3+1,0)", &["3 0", "7 0"], &["8 0", "2 0", "3 1"]),
        (
            "FLOAT(0,0.1)",
            &["0", "0.1", "1e-1", "0.10000", "100E-3", "00.05"],
            &["0.1000000000000000001", ".1", "-0.1", "+0.1"],
        ),
        ("FLOAT(0,10,x,FIXED) SPACE FLOAT(x,10,y,SCIENTIFIC)", &["1.5 2e0"], &["1e0 2e0", "1 2", "3 2e0"]),
        ("FLOATP(0,10,1,2)", &["1.5", "1.25"], &["1", "1.125"]),
        (loops, &["3\n1 -2 3\n", "1\n0\n"], &["3\n1 2 1\n", "3\n1 2\n", "3\n1 2 3 \n", "2\n1 2 3\n"]),
        (words, &["abc\nde", "a"], &["abcd", "a\n", "a\nB"]),
        (pairs, &["7 1\n7 2\n0 1\n"], &["7 1\n7 1\n0 1\n", "1 1\n1 2\n0 1\n"]),
        (again, &["2\n2 1 2\n1 1\n", "1\n0\n"], &["2\n2 1 1\n0\n"]),
        (choice, &["a", "b", "-\"\\\n"], &["c", "ab", "-"]),
        ("SET(n=2, m=n^3) INT(m,m) ASSERT((n<m)&&!(n==3||m==7)&&(n+1)*3==9)", &["8"], &["7"]),
        (
            "REGEX(\"(?:ab)*\") NEWLINE REGEX(\".*\") NEWLINE",
            &["abab\nx y\n", "\n\n"],
            &["aba\nx\n", "ab\nx\ny\n"],
        ),
        ("ASSERT(\"abc\"<\"abd\") ASSERT(1==1.0) REP(0,SPACE) INT(1,1) END", &[""], &["1"]),
    ] {
        for input in good {
            assert_eq!(check(grammar, input), Ok(()), "{grammar:?} {input:?}");
        }
        for input in bad {
            assert!(matches!(check(grammar, input), Err(Mismatch::Input { .. })), "{grammar:?} {input:?}");
        }
    }
}

#[test]
fn a_regular_expression_sees_the_whole_rest() {
    let long = "b".repeat(100_000);
    for (pattern, input, good) in [
        // An alternative that comes first needs more of the input than one that matches soon.
        ("[ab]*c|a", format!("a{long}c"), true),
        ("[ab]*c|a", format!("a{long}"), false),
        ("(b{100}|b)*(c|$)", long.clone(), true),
        ("b*?$|b", long.clone(), true),
        ("a?b*", long.clone(), true),
        ("x*", String::new(), true),
        ("a\\\\b", "a".into(), true),
        ("(a|ab)(c|bcd)", "abcd".into(), true),
        ("(a|ab)(c|bcd)", "abc".into(), true),
        ("(a|ab)(c|bcd)", "abd".into(), false),
    ] {
        let told = check(&format!("REGEX(\"{pattern}\") EOF"), &input);
        assert_eq!(told.is_ok(), good, "{pattern}: {told:?}");
    }
    // A counted repetition has many states, of which each step visits few.
    let lines = format!("{}\n", "abcde".repeat(1_000)).repeat(1_200);
    let grammar = "REP(1200) REGEX(\"[a-z]{1,5000}\") NEWLINE END EOF";
    assert_eq!(check(grammar, &lines), Ok(()));
    // What an expression does not look at takes no steps.
    let words = "ab ".repeat(200_000);
    assert_eq!(check("REP(200000) REGEX(\"[a-z]{1,1000}\") SPACE END EOF", &words), Ok(()));
}

#[test]
fn a_mismatch_names_its_place() {
    let grammar = "REP(2) INT(1,3) SPACE INT(1,3) NEWLINE END";
    let told = |input: &str| check(grammar, input).unwrap_err().to_string();
    assert_eq!(told("1 2\n3 4\n"), "line 2, byte 3: expected a number from 1 to 3");
    assert_eq!(told("1,2\n"), "line 1, byte 2: expected a space");
    assert_eq!(told("1 2\n3 3\n\n"), "line 3, byte 1: expected the end");
    assert_eq!(told("1 x"), "line 1, byte 3: expected an integer");
    let told = |grammar: &str| check(grammar, "1.5").unwrap_err().to_string();
    assert_eq!(told("STRING(\"x\\n\")"), "line 1, byte 1: expected the text `x\\n`");
    let long = format!("STRING(\"{}\")", "x".repeat(41));
    assert_eq!(told(&long), "line 1, byte 1: expected the text that the grammar requires");
    assert_eq!(told("FLOATP(0,2,2,3)"), "line 1, byte 1: expected 2 to 3 decimals");
    assert_eq!(told("FLOATP(0,2,2,2)"), "line 1, byte 1: expected 2 decimals");
    assert_eq!(told("SET(n=3) FLOATP(0,2,n,6/2)"), "line 1, byte 1: expected 3 decimals");
    assert!(check("FLOATP(0,2,1,1) EOF", "1.5").is_ok());
    let told = check("FLOATP(0,2,1,1)", "1.50").unwrap_err().to_string();
    assert_eq!(told, "line 1, byte 1: expected 1 decimal");
}

#[test]
fn what_is_not_a_grammar_is_told_with_its_line() {
    for (grammar, line, word) in [
        ("INT(1,2)\nINTEGER(1)", 2, "`INTEGER`"),
        ("INT(1)", 1, "`,`"),
        ("REP(3)\nSPACE\n", 2, "`END`"),
        ("SPACE END", 1, "`END`"),
        ("STRING(\"a", 1, "unterminated text"),
        ("SET(n 3)", 1, "`=`"),
        ("ASSERT(1)", 1, "comparison"),
        ("FLOAT(0,1,x,ROUND)", 1, "FIXED"),
        ("INT(1,$)", 1, "`$`"),
        ("INT(1,Ä)", 1, "unexpected character"),
    ] {
        let why = Grammar::parse(grammar.as_bytes()).unwrap_err();
        assert!(why.line == line && why.message.contains(word), "{grammar:?}: {why:?}");
    }
    for deep in [
        format!("ASSERT({}1==1", "(".repeat(100_000)),
        "REP(1) ".repeat(100_000),
        format!("INT({}1,2)", "-".repeat(100_000)),
    ] {
        assert!(Grammar::parse(deep.as_bytes()).unwrap_err().message.contains("levels"));
    }
    // Long, but not deep.
    let long = format!("ASSERT(1{}>0) ASSERT(1==1{})", "+1".repeat(100_000), "&&1==1".repeat(100_000));
    assert_eq!(check(&long, ""), Ok(()));
}

#[test]
fn what_cannot_be_worked_out_is_not_the_inputs_fault() {
    let long = format!("1.{}", "3".repeat(4_900));
    let large_floats = format!("SET(x={long}) WHILEI(i,1==1) SET(a[i]=x) END");
    let float_sums = format!("SET(x={long},y=x) WHILE(1==1) SET(z=x+y) END");
    let comparisons = format!("WHILE({long}<1.4) END");
    for (grammar, word) in [
        ("INT(1,n)", "`n`"),
        ("SET(n=1/0)", "zero"),
        ("SET(n=\"a\"+1)", "text"),
        ("ASSERT(\"a\"<1)", "compared"),
        ("REP(0-1) END", "REP"),
        ("REGEX(\"(a\")", "not supported"),
        ("SET(n=2^2^2^2^2^2)", "large"),
        ("SET(n=3) WHILE(1==1) SET(n=n*n) END", "large"),
        ("WHILE(1==1) END", "steps"),
        ("WHILEI(i,1==1) SET(a[i]=i) END", "too many"),
        ("SET(a[1]=1,b[2]=1) ASSERT(UNIQUE(a,b))", "indices"),
        (&large_floats, "too many values"),
        (&float_sums, "steps"),
        (&comparisons, "steps"),
    ] {
        match check(grammar, "1") {
            Err(Mismatch::Grammar(message)) => assert!(message.contains(word), "{grammar:.80}: {message}"),
            other => panic!("{grammar:.80}: {other:?}"),
        }
    }
}

proptest::proptest! {
    /// Neither reading a text nor checking an input causes a panic.
    #[test]
    fn nothing_brings_it_down(words in proptest::collection::vec(proptest::sample::select(vec![
        "INT", "(", ")", ",", "1", "9", "n", "a[n]", "REP", "REPI", "END", "IF", "ELSE", "SPACE", "NEWLINE", "FLOAT", "0.5",
        "STRING", "\"x\"", "REGEX", "SET", "=", "UNSET", "ASSERT", "MATCH", "UNIQUE", "INARRAY", "ISEOF", "!", "&&", "||", "<",
        "==", "+", "-", "*", "/", "%", "^", "WHILE", "EOF", "STRLEN", "#\n", "\"",
    ]), 0..40), input in "[0-9 x.\n-]{0,20}") {
        if let Ok(grammar) = Grammar::parse(words.join(" ").as_bytes()) {
            let _ = grammar.check(input.as_bytes());
        }
    }
}
