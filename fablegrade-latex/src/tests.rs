//! Properties of the parser: it never panics, always terminates, uses every token, and its errors have a
//! position.

use super::*;
use crate::printer::print;
use proptest::prelude::*;

fn error(source: &str) -> ParseError {
    match parse(source, &Declarations::new()) {
        Err(error) => error,
        Ok(tree) => panic!("{source} is read as {}", print(&tree)),
    }
}

#[test]
fn errors_have_a_place_and_a_way_out() {
    for (source, problem, start, suggestion) in [
        ("", Problem::Empty, 0, ""),
        ("x+", Problem::UnexpectedEnd, 2, ""),
        ("x)", Problem::Unopened, 1, "remove `)`"),
        ("(x", Problem::Unclosed, 0, "add `)`"),
        ("\\frac{1}{2", Problem::Unclosed, 8, "add `}`"),
        ("\\frac{1}", Problem::UnexpectedEnd, 8, "numerator"),
        ("2sinx", Problem::BareFunction, 1, "\\sin x"),
        ("sinx", Problem::BareFunction, 0, "write `\\sin x`"),
        ("xsin(x)", Problem::BareFunction, 0, "write `x\\sin`"),
        ("1.2.3", Problem::Ambiguous, 0, "\\cdot"),
        ("\\farc{1}{2}", Problem::UnknownCommand, 0, "\\frac"),
        ("\\sinxy", Problem::UnknownCommand, 0, "\\sin xy"),
        ("x_{1\\é2}", Problem::UnknownCommand, 1, ""),
        ("2.5\\,100", Problem::Ambiguous, 0, "write 2.5100"),
        ("1 1/2", Problem::Ambiguous, 0, "\\frac"),
        ("x^-12", Problem::Ambiguous, 2, "^{-12}"),
        ("x^2^3", Problem::DoubleExponent, 3, "braces"),
        ("x_1_2", Problem::DoubleSubscript, 3, "braces"),
        ("3\\times", Problem::UnexpectedEnd, 7, ""),
        ("\\sin", Problem::UnexpectedEnd, 4, ""),
        ("\\sin(1,2)", Problem::Arguments, 0, "point"),
        ("a#b", Problem::UnknownCharacter, 1, ""),
        ("|x", Problem::Unclosed, 0, "bar"),
        ("\\left(x", Problem::Unclosed, 0, ""),
        ("\\sum k", Problem::Unsupported, 0, "\\sum_{k=1}^{n}"),
        ("\\int x", Problem::Unclosed, 0, "dx"),
        ("\\begin{pmatrix}1&2\\\\3\\end{pmatrix}", Problem::Unexpected, 21, ""),
        ("\\begin{cases}1&x>0&2\\end{cases}", Problem::Unexpected, 20, ""),
        ("\\begin{cases}1&x<0,x>2\\end{cases}", Problem::Ambiguous, 15, "or"),
        ("(0,5;1,5)", Problem::Ambiguous, 4, "{,}"),
        ("x>0, x<1, or x>2, x<3", Problem::Ambiguous, 0, "alternative"),
        ("\\infity", Problem::UnknownCommand, 0, "did you mean `\\infty`?"),
    ] {
        let error = error(source);
        assert_eq!(error.problem, problem, "{source}: {error}");
        assert_eq!(error.span.start, start, "{source}: {error}");
        assert!(error.suggestion.unwrap_or_default().contains(suggestion), "{source}");
    }
}

#[test]
fn deep_and_long_inputs_end() {
    let inputs = [
        "(".repeat(2000),
        format!("{}x{}", "(".repeat(1000), ")".repeat(1000)),
        "|".repeat(2000),
        format!("{}x{}", "|".repeat(1000), "|".repeat(1000)),
        "|x|".repeat(600),
        "|x".repeat(1000),
        "\\frac".repeat(400),
        "\\sqrt".repeat(400),
        "\\sin ".repeat(400),
        "\\neg ".repeat(400),
        "-".repeat(2000),
        "!".repeat(2000),
        format!("x{}", "!!".repeat(1000)),
        format!("x{}", "'".repeat(1000)),
        "x/".repeat(999) + "x",
        "x^{".repeat(500),
        "x_{".repeat(500),
        "{".repeat(2000),
        "\\left(".repeat(300),
        "\\{".repeat(1000),
        "\\int ".repeat(400),
        "\\sum_{i=1}^{2}".repeat(140),
        "\\lim_{x\\to".repeat(200),
        "\\begin{matrix}".repeat(140),
        "x=".repeat(999) + "x",
        "a\\implies ".repeat(200) + "a",
        "1,".repeat(999) + "1",
        "\\\\".repeat(1000),
        "\\".repeat(2000),
        "\\text{".repeat(300),
        "9".repeat(2000),
        "1{,}000".repeat(280),
        format!("x{}", "^\\ln".repeat(4000)),
        "{}^".repeat(6000),
        "\\left".repeat(4000),
        "\\middle".repeat(2800),
        "\\mathbin{".repeat(2200),
        "\\frac{d(".repeat(200),
        format!("{}x{}", "\\frac{d(".repeat(149), ")}{dx}".repeat(149)),
        format!("{}x{}", "\\frac{d(".repeat(149), ")a-b}{dx}".repeat(149)),
        format!("{}uv{}", "\\frac{d(".repeat(149), ")}{dx}".repeat(149)),
        format!("\\begin{{cases}}1&{}x<9\\end{{cases}}", "x<1,".repeat(2000)),
        format!("x=1{}", ", or x=2, x=3".repeat(700)),
        "\\frac{d".repeat(2000),
        "d/dx ".repeat(4000),
        "d^2".repeat(6000),
        "d/d".repeat(6000),
        "P(A|".repeat(5000),
        "\\{x|".repeat(4000),
        "0.1\\bar".repeat(2000),
        "A^c|".repeat(5000),
        "5{\\rm cm".to_owned(),
        "{\\rm cm".repeat(2800),
    ];
    // a browser and a thread have small stacks
    let small = std::thread::Builder::new().stack_size(1 << 20).spawn(move || {
        let names = Declarations::new();
        for input in inputs {
            let before = processor_seconds();
            if let Ok(tree) = parse(&input, &names) {
                let _ = print(&tree);
            }
            assert!(processor_seconds() - before < 10, "{input:.20}");
        }
    });
    small.unwrap().join().unwrap();
}

/// Returns the seconds of processor time that this thread has taken, so other load does not count; 0 if the system does
/// not report them.
fn processor_seconds() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ')
        .next()
        .and_then(|nanoseconds| nanoseconds.parse::<u64>().ok())
        .map_or(0, |taken| taken / 1_000_000_000)
}

#[test]
fn too_deep_is_told_and_a_tree_is_never_deeper() {
    assert_eq!(error(&format!("{}x{}", "(".repeat(500), ")".repeat(500))).problem, Problem::TooDeep);
    assert_eq!(error(&"x".repeat(MAX_SOURCE + 1)).problem, Problem::TooLong);
    assert!(parse(&format!("{}x{}", "(".repeat(100), ")".repeat(100)), &Declarations::new()).is_ok());
}

#[test]
fn notes_say_where_a_reading_was_chosen() {
    for (source, kind) in [
        ("2\\frac12", NoteKind::MixedNumber),
        ("2\\frac12x", NoteKind::NotMixed),
        ("1/2x", NoteKind::LeftToRight),
        ("x^23", NoteKind::OneCharacter),
        ("x(x+1)", NoteKind::ProductNotCall),
        ("\\log x", NoteKind::LogBase),
        ("1,000", NoteKind::Grouping),
        ("3{,}14", NoteKind::DecimalComma),
        ("3,14", NoteKind::CommaList),
        ("velocity", NoteKind::LetterProduct),
        (r"\mathbb{R}^+", NoteKind::WithoutZero),
        ("\\sin 2(x+1)", NoteKind::ArgumentEnds),
        ("2pi", NoteKind::Spelled),
        ("1.5e3", NoteKind::Exponent),
        ("2e-3", NoteKind::EulerNotExponent),
        ("\\vertx\\vert", NoteKind::SplitCommand),
        ("2\\cdotx", NoteKind::SplitCommand),
        ("3\\quadx", NoteKind::SplitCommand),
    ] {
        let tree = parse(source, &Declarations::new()).unwrap();
        assert!(tree.notes().iter().any(|note| note.kind == kind), "{source}");
    }
    let tree = parse("2\\cdotx+\\pi y", &Declarations::new()).unwrap();
    assert_eq!(tree.notes(), [Note { span: Span::new(1, 7), kind: NoteKind::SplitCommand }]);
}

/// Pieces that make more interesting inputs than random bytes, one per line.
fn pieces() -> Vec<&'static str> {
    include_str!("../tests/pieces.txt").lines().collect()
}

fn check(source: &str) {
    let names = Declarations::new();
    match parse(source, &names) {
        Err(error) => {
            assert!(error.span.start <= error.span.end, "{source}");
            assert!(error.span.end as usize <= source.len(), "{source}");
            let _ = error.span.utf16(source);
        }
        Ok(tree) => {
            let printed = print(&tree);
            let again = parse(&printed, &names)
                .unwrap_or_else(|error| panic!("{source} is printed as {printed}: {error}"));
            assert_eq!(print(&again), printed, "{source}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn random_text_never_panics(source in "\\PC{0,60}") {
        check(&source);
    }

    #[test]
    fn random_ascii_never_panics(source in "[ -~]{0,60}") {
        check(&source);
    }

    #[test]
    fn random_pieces_are_read_or_refused(pieces in prop::collection::vec(prop::sample::select(pieces()), 1..14)) {
        check(&pieces.concat());
    }
}

#[test]
fn boxes_without_their_outermost_braces_are_their_contents() {
    let names = Declarations::new();
    let same = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|text| parse(text, &names).map(|tree| crate::printer::print(&tree)));
        assert!(a.is_ok(), "{a:?}");
        assert_eq!(a, b);
    };
    same(r"1}\boxed{2", "1,2");
    same(r"2}, \boxed{3}, \boxed{5", "2,3,5");
    same(r"\frac{1}{2}}\) and \(\boxed{-2", r"\frac{1}{2} and -2");
    same(r"(3,3)} \text{ for part (a) and } \boxed{(1,1)", "(3,3) and (1,1)");
    for text in [r"1} no \boxed{2", r"1}\boxed{2}}", "1}2", r"1}\frac\boxed{2"] {
        let error = parse(text, &names).err().map(|error| error.problem);
        assert_eq!(error, Some(Problem::Unopened), "{text}");
    }
}

#[test]
fn what_editors_and_other_systems_write_is_read() {
    let names = Declarations::new();
    let printed = |text: &str| parse(text, &names).map(|tree| crate::printer::print(&tree)).ok();
    assert_eq!(printed(r"nPr\cdot(8,3)"), printed(r"\operatorname{nPr}(8,3)"));
    assert_eq!(printed(r"atan\cdot 2\left(y,1\right)"), printed(r"\operatorname{atan2}(y,1)"));
    assert_eq!(printed(r"\int 3xy\,d(x,0,2)"), printed(r"\int_0^2 3xy\,dx"));
    assert_eq!(printed(r"atan\cdot x"), None);
    assert_eq!(printed(r"\int x\,d(x,0)"), None);
    assert_eq!(printed("x=1 or\nx=2"), printed(r"x=1\text{ or }x=2"));
    assert_eq!(printed("x>1\r\nand\tx<2"), printed(r"x>1\land x<2"));
}

#[test]
fn a_bar_over_a_complex_name_is_its_conjugate() {
    let names = Declarations::new()
        .with_complex_variable("z")
        .with_complex_variable("z_1")
        .with_complex_variable("w_{12}")
        .with_complex_variable("\\alpha");
    for (text, printed) in [
        (r"\bar z", r"\operatorname{conj}\left(z\right)"),
        (r"\overline{z_1}", r"\operatorname{conj}\left(z_{1}\right)"),
        (r"\bar{z}_1^2", r"\left(\operatorname{conj}\left(z_{1}\right)\right)^{2}"),
        (r"\bar z₁", r"\operatorname{conj}\left(z_{1}\right)"),
        (r"\bar w_{12}", r"\operatorname{conj}\left(w_{12}\right)"),
        (r"\bar\alpha", r"\operatorname{conj}\left(\alpha\right)"),
        (r"\bar{z}_2", r"\bar{z}_{2}"),
        (r"\bar\beta", r"\bar{\beta}"),
    ] {
        let tree = parse(text, &names).unwrap();
        assert_eq!(print(&tree), printed, "{text}");
        assert_eq!(print(&parse(printed, &names).unwrap()), printed, "{text}");
    }
}

#[test]
fn a_wrong_count_of_arguments_names_the_right_ones() {
    for (text, expected) in [
        (r"\arctan(1,2,3)", "this function takes 1 or 2 arguments, not 3"),
        (r"\sin(1,2)", "this function takes 1 argument, not 2"),
        (r"\operatorname{nCr}(1)", "this function takes 2 arguments, not 1"),
    ] {
        assert_eq!(error(text).message, expected);
    }
    assert_eq!(error(r"\begin{pmatrix}1&2\\3\end{pmatrix}").message, "this row has 1 entry, the first has 2");
}
