//! Pairs with their expected verdicts, compared with the scalar decision as the oracle.

use super::*;
use crate::decide::Evidence;
use crate::latex::parse;
use crate::symbols::Declarations;

fn verdict(a: &str, b: &str) -> Verdict {
    let names = Declarations::new();
    let mut arena = Arena::default();
    let read = |text: &str, arena: &mut Arena| {
        let tree = parse(text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
        read(&tree, &names, arena).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let (a, b) = (read(a, &mut arena), read(b, &mut arena));
    let mut judge = crate::decide::Judge::default();
    let mut oracle = |arena: &mut Arena, a: Id, b: Id| {
        let mut fuel = crate::limits::Fuel::new(1_000_000);
        match judge.decide(arena, a, b, &(), &mut fuel).evidence {
            Evidence::Proven(_) | Evidence::Identity { .. } | Evidence::Agreed { .. } => Verdict::Same,
            Evidence::Refuted(_) => Verdict::Different,
            Evidence::Undecided(_) => Verdict::Unknown,
        }
    };
    compare(&mut arena, &a, &b, &mut oracle).0
}

#[test]
fn pairs_that_are_the_same() {
    let mut wrong = Vec::new();
    for (a, b) in [
        ("y=3x-6", "\\frac{1}{3}(y+6)=x"),
        ("a+b=c", "c-b=a"),
        ("x=2", "3x=6"),
        ("x^2=9", "x=3\\text{ or }x=-3"),
        ("x=\\pm3", "x^2=9"),
        ("x=1\\pm\\sqrt2", "1\\pm\\sqrt2"),
        ("1\\pm\\sqrt2", "\\{1-\\sqrt2,1+\\sqrt2\\}"),
        ("x<3", "3>x"),
        ("-2x<4", "x>-2"),
        ("1<x\\le 4", "x>1\\land x\\le4"),
        ("x\\in(1,4]", "1<x\\le 4"),
        ("|x|<2", "-2<x<2"),
        ("x^2\\ge4", "x\\le-2\\lor x\\ge2"),
        ("\\neg(x<1)", "x\\ge1"),
        ("x\\ne2", "x<2\\lor x>2"),
        ("(1,2]", "\\left(\\frac{2}{2},\\sqrt4\\right]"),
        ("]1,2[", "(1,2)"),
        ("[1,2]\\cup[2,3]", "[1,3]"),
        ("(-\\infty,2)\\cap[0,\\infty)", "[0,2)"),
        ("\\{1,2\\}\\cup\\{3\\}", "\\{3,2,1\\}"),
        ("\\{1,2\\}", "1,2"),
        ("\\{1,2\\}", "\\{2,1,1\\}"),
        ("\\emptyset", "\\{\\}"),
        ("(1,2),(3,4)", "(3,4),(1,2)"),
        ("4\\text{ and }6", "6,4"),
        ("x=3", "3"),
        ("f(x)=x^2", "f(x)=x\\cdot x"),
        ("(a,b)=(1,2)", "(1,2)"),
        ("x\\in\\{1,2\\}", "x=1\\text{ or }x=2"),
        ("x=1,2", "x=2\\text{ or }x=1"),
        ("\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "\\begin{bmatrix}1&\\sqrt4\\\\3&4\\end{bmatrix}"),
        ("2\\begin{pmatrix}1\\\\2\\end{pmatrix}", "\\begin{pmatrix}2\\\\4\\end{pmatrix}"),
        ("\\begin{cases}x=1\\\\y=2\\end{cases}", "y=2\\land x=1"),
        ("A\\land B", "\\neg(\\neg A\\lor\\neg B)"),
        ("V_1:V_2=3:4", "\\frac{3}{4}"),
        ("x>1", "(1,\\infty)"),
        ("x^2=4", "\\{2,-2\\}"),
        ("\\sqrt x=3", "x=9"),
        ("xy=1", "y=\\frac1x"),
        ("x=2,y=1", "x+y=3,x-y=1"),
        ("2w+\\frac{50}{w}=25", "w(12.5-w)=25"),
        ("|x-1|+|x+1|=2", "-1\\le x\\le1"),
        ("\\max(x,2)=x", "x\\ge2"),
        ("x^{2/3}=4", "x=\\pm8"),
        ("x^3=2", "x=\\sqrt[3]2"),
        ("x^3-3x+1=0", "2x^3=6x-2"),
        ("e^{2x}-3e^x+2=0", "x=0\\text{ or }x=\\ln2"),
        ("\\ln(x^2-3)=0", "x=\\pm2"),
        ("x^2<\\pi", "-\\sqrt\\pi<x<\\sqrt\\pi"),
        ("x^2+y^2=0", "x=0,y=0"),
        ("x^2=2,y=1", "x=\\pm\\sqrt2\\text{ and }y=1"),
        ("(x^2-y)(x^2-y)=0", "y=x^2"),
        ("x^2+y^2=25,x+y=7", "(x=3\\land y=4)\\lor(x=4\\land y=3)"),
        ("x+y+z=6,x-y=0,z=2", "x=2,y=2,z=2"),
        ("x^2+y^2+z^2=4", "\\sqrt{x^2+y^2+z^2}=2"),
        ("x=\\frac\\pi6+2k\\pi,k\\in\\mathbb{Z}", "x=\\frac\\pi6-2n\\pi,n\\in\\mathbb{Z}"),
        ("\\sin x=0", "x=k\\pi,k\\in\\mathbb{Z}"),
        ("\\tan x=1", "x=\\frac\\pi4+k\\pi,k\\in\\mathbb{Z}"),
        ("\\cos2x=1", "\\sin x=0"),
        ("x\\ne\\pm5", "x^2\\ne25"),
        ("x^2\\ge0", "x\\in\\mathbb{R}"),
        ("x^2=-1", "x\\in\\emptyset"),
        ("3\\cdot4=12", "12=3\\cdot4"),
        ("x=2\\lor(x>3\\land x<4)", "(x-2)^2(x-3)(x-4)\\le0\\land x\\ne3\\land x\\ne4"),
    ] {
        wrong.extend([(a, b), (b, a)].into_iter().filter(|(a, b)| verdict(a, b) != Verdict::Same));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn names_are_not_guessed() {
    for (a, b) in [
        ("x=1,y=2", "\\{1,2\\}"),
        ("x=1,y=2", "1,2"),
        ("x=1,y=2", "2,1"),
        ("x=1\\text{ and }y=2", "(1,2)"),
        ("x=1\\text{ and }y=2", "1,2"),
    ] {
        for (a, b) in [(a, b), (b, a)] {
            assert_eq!(verdict(a, b), Verdict::Unknown, "{a} and {b}");
        }
    }
    assert_eq!(verdict("x=1,y=2", "\\{1,3\\}"), Verdict::Different);
    assert_eq!(verdict("x=1,y=2", "y=2,x=1"), Verdict::Same);
    assert_eq!(verdict("x=1,y=2", "x=1\\text{ and }y=2"), Verdict::Same);
    assert_eq!(verdict("x=1,x=2", "\\{1,2\\}"), Verdict::Same);
}

#[test]
fn pairs_that_differ() {
    let mut wrong = Vec::new();
    for (a, b) in [
        ("y=x", "y=-x"),
        ("y=x", "y\\ne x"),
        ("y<x", "y\\le x"),
        ("y<x", "y>x"),
        ("-2x<4", "x<-2"),
        ("x^2=9", "x=3"),
        ("2x+z=1", "1"),
        ("x=3", "4"),
        ("x=3", "y=3"),
        ("x=1\\text{ or }x=2", "x=1\\text{ and }y=2"),
        ("(1,2)", "[1,2]"),
        ("(1,2)", "(2,1)"),
        ("[1,2]\\cup[3,4]", "[1,4]"),
        ("\\{1,2\\}", "\\{1,2,3\\}"),
        ("1,2,3", "1,2"),
        ("1,2", "2,1"),
        ("x\\in(1,4]", "1<x<4"),
        ("|x|<2", "-1<x<2"),
        ("\\begin{pmatrix}1&2\\end{pmatrix}", "\\begin{pmatrix}1\\\\2\\end{pmatrix}"),
        ("A\\land B", "A\\lor B"),
        ("1=1", "1=2"),
        ("x", "\\{x\\}"),
        ("x=2\\pm1", "x=3"),
        ("3\\cdot4=12", "5=5"),
        ("x\\ne\\pm5", "x\\in\\mathbb{R}"),
        ("\\sqrt x=3", "x=\\pm9"),
        ("\\frac{x^2}{x}=0", "x=0"),
        ("\\sqrt{x^2}=x", "x>0"),
        ("x^2=2,y=1", "x^2=2,y=2"),
        ("x^3-3x+1=0", "x^3-3x=1"),
        ("x^2+y^2=4", "y=\\sqrt{4-x^2}"),
        ("x+y+z=6,x-y=0", "x+y+z=6,x-z=0"),
        ("\\sin x=0", "x=2k\\pi,k\\in\\mathbb{Z}"),
        ("x<y", "x\\le y"),
        ("e^x>1", "x\\ge0"),
    ] {
        wrong.extend([(a, b), (b, a)].into_iter().filter(|(a, b)| verdict(a, b) != Verdict::Different));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn what_is_not_certain_is_undecided() {
    for (a, b) in [("x^2=-1", "x^2=-4"), ("e^x=x+2", "e^x-x=2+\\sin(x-x)")] {
        for (a, b) in [(a, b), (b, a)] {
            assert_ne!(verdict(a, b), Verdict::Different, "{a} and {b}");
        }
    }
}
