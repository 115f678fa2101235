//! The rules of the forms, one function per form.

use std::collections::BTreeMap;

use dashu_int::UBig;
use dashu_ratio::RBig;
use fablegrade_latex::ast::{Node, NodeId, Relation};
use fablegrade_math::polynomial::is_irreducible;

use super::Form;
use super::lowest_terms::{lowest_terms, rational_lowest_terms, root_in_denominator};
use super::polynomial::{Atoms, Polynomial};
use super::terms::{Tree, absolute, gcd};

/// The largest degree of a polynomial that is factored.
const MAX_FACTORED_DEGREE: u32 = 40;

/// Returns the code of the reason why an expression does not have a form; `None` if it has the form.
pub(super) fn fault(form: Form, tree: &Tree<'_>) -> Option<&'static str> {
    let root = tree.root();
    match form {
        // The caller compares the expression with the key.
        Form::Same => None,
        Form::Factored => factored(tree, root),
        Form::Expanded => (!expanded(tree, root)).then_some("not-expanded"),
        Form::LowestTerms => lowest_terms(tree, root),
        Form::RationalLowestTerms => rational_lowest_terms(tree, root),
        Form::SingleFraction => single_fraction(tree, root),
        Form::RationalDenominator => root_in_denominator(tree, root).then_some("root-in-denominator"),
        Form::SimplestRadical => simplest_radical(tree, root),
        Form::CompletedSquare => (!completed_square(tree, root)).then_some("not-completed-square"),
        Form::PartialFractions => (!partial_fractions(tree, root)).then_some("not-partial-fractions"),
        Form::Scientific => (!scientific(tree, root)).then_some("not-scientific-form"),
        Form::LineStandard => (!line_standard(tree, root)).then_some("not-line-standard"),
        Form::LineSlope => (!line_slope(tree, root)).then_some("not-line-slope"),
        Form::Circle => (!circle(tree, root)).then_some("not-circle"),
    }
}

/// Returns whether a polynomial in the variable is irreducible over the rationals; other atoms count as
/// independent variables. A polynomial of a degree above [`MAX_FACTORED_DEGREE`] counts as reducible.
fn irreducible(polynomial: &Polynomial, atoms: &Atoms) -> bool {
    let degree = polynomial.degree(0);
    if degree <= 1 || degree > MAX_FACTORED_DEGREE {
        return degree == 1;
    }
    // A polynomial that is irreducible for one substitution of the other atoms counts as irreducible.
    let seeds = if atoms.count() > 1 { 4 } else { 1 };
    (0..seeds).any(|seed| {
        let one = polynomial.substituted(0, atoms.count(), seed);
        // A polynomial that is too hard to decide counts as irreducible.
        one.is_some_and(|one| is_irreducible(&one) != Some(false))
    })
}

fn factored(tree: &Tree<'_>, root: NodeId) -> Option<&'static str> {
    let (_, factors) = tree.factored(root);
    for factor in &factors {
        if !tree.has_variable(factor.base) || tree.is_variable(factor.base) {
            continue;
        }
        if factor.below {
            return Some("not-factored");
        }
        let mut atoms = Atoms::with_large_powers();
        let Some(polynomial) = Polynomial::of(tree, factor.base, &mut atoms) else {
            return Some("not-factored");
        };
        if polynomial.has_common_atom() || !polynomial.content().is_one() {
            return Some("content-left");
        }
        // `4(x/2+1)` can be simplified to `2(x+2)`. `2(x-1/2)` is accepted, because it shows the root.
        let denominator = polynomial.denominator();
        let cancels = factors.iter().filter(|other| !other.below).any(|other| {
            tree.number(other.base)
                .is_some_and(|value| !gcd(&absolute(value.numerator()), &denominator).is_one())
        });
        if cancels && !polynomial.is_monic() {
            return Some("content-left");
        }
        if !irreducible(&polynomial, &atoms) {
            return Some("not-factored");
        }
    }
    None
}

fn is_sum(tree: &Tree<'_>, id: NodeId) -> bool {
    matches!(tree.node(without_power_one(tree, id)), Node::Sum(_))
}

fn without_power_one(tree: &Tree<'_>, id: NodeId) -> NodeId {
    let mut id = tree.bare(id);
    while let Node::Power(base, power) = tree.node(id)
        && tree.integer(power) == Some((false, UBig::ONE))
    {
        id = tree.bare(base);
    }
    id
}

/// Returns whether a whole power of a part can be multiplied out or distributed over factors.
fn has_expandable_power(tree: &Tree<'_>, id: NodeId) -> bool {
    match tree.node(without_power_one(tree, id)) {
        Node::Sum(_) | Node::Product(_) => true,
        Node::Negate(inner) => has_expandable_power(tree, inner),
        Node::Quotient { numerator, denominator, .. } => {
            has_expandable_power(tree, numerator) || has_expandable_power(tree, denominator)
        }
        Node::Power(base, power) => tree.integer(power).is_some() && has_expandable_power(tree, base),
        _ => false,
    }
}

fn expanded(tree: &Tree<'_>, id: NodeId) -> bool {
    let id = tree.bare(id);
    let whole_power = |power: NodeId| tree.integer(power).is_some_and(|(_, power)| power > UBig::ONE);
    match tree.node(id) {
        Node::Product(list) => {
            let factors = tree.syntax.list(list);
            factors.iter().all(|factor| !is_sum(tree, *factor) && expanded(tree, *factor))
        }
        Node::Power(base, power) => {
            expanded(tree, base) && !(whole_power(power) && has_expandable_power(tree, base))
        }
        Node::Quotient { numerator, denominator, .. } => {
            !is_sum(tree, numerator) && expanded(tree, numerator) && expanded(tree, denominator)
        }
        // `-(x+1)` is a product with a sum
        Node::Negate(inner) => !is_sum(tree, inner) && expanded(tree, inner),
        Node::Sum(_) | Node::Relation(_) | Node::Items { .. } | Node::Matrix { .. } => {
            tree.syntax.children(id).all(|child| expanded(tree, child))
        }
        _ => true,
    }
}

fn single_fraction(tree: &Tree<'_>, root: NodeId) -> Option<&'static str> {
    let mut id = root;
    while let Node::Negate(inner) = tree.node(id) {
        id = tree.bare(inner);
    }
    match tree.node(id) {
        Node::Quotient { numerator, denominator, .. } => {
            (tree.has_fraction(numerator) || tree.has_fraction(denominator)).then_some("nested-fraction")
        }
        Node::Relation(_) => Some("not-single-fraction"),
        _ => tree.has_fraction(id).then_some("not-single-fraction"),
    }
}

/// Returns whether an integer above 1 has no factor `n^index` with `n > 1`.
///
/// Integers above 10^12 pass unchecked. 0 and 1 do not pass, since their roots can be simplified.
fn is_power_free(value: &UBig, index: u32) -> bool {
    let Ok(value) = u64::try_from(value.clone()) else { return true };
    if value <= 1 {
        return false;
    }
    if value > 1_000_000_000_000 {
        return true;
    }
    let mut rest = value;
    for divisor in (2u64..=10_000).take_while(|divisor| divisor * divisor <= value) {
        let mut exponent = 0;
        while rest % divisor == 0 {
            rest /= divisor;
            exponent += 1;
        }
        if exponent >= index {
            return false;
        }
    }
    // The rest is a product of at most two primes above 10^4.
    rest == 1 || index > 2 || rest.isqrt().pow(2) != rest
}

fn simplest_radical(tree: &Tree<'_>, root: NodeId) -> Option<&'static str> {
    let rough = |id: NodeId| {
        let (radicand, index) = match tree.node(id) {
            Node::Sqrt(radicand) => (radicand, Some(2)),
            Node::Root(radicand, index) => {
                let index = tree.integer(index).filter(|(minus, _)| !minus).map(|(_, index)| index);
                (
                    radicand,
                    index
                        .and_then(|index| u32::try_from(index).ok())
                        .filter(|index| (2..=40).contains(index)),
                )
            }
            Node::Power(base, power) if tree.number(base).is_some() => {
                return tree.number(power).is_some_and(|power| !power.denominator().is_one());
            }
            _ => return false,
        };
        let Some(index) = index else { return true };
        if let Some((_, value)) = tree.integer(radicand) {
            return !is_power_free(&value, index);
        }
        // Not simplest: a fraction, a decimal, a power of at least the index, or an integer with a factor `n^index`.
        let (_, factors) = tree.factored(radicand);
        let mut integers = UBig::ONE;
        let mut exponents: BTreeMap<String, u32> = BTreeMap::new();
        for factor in factors {
            if factor.below || factor.exponent >= index {
                return true;
            }
            if let Some((_, value)) = tree.integer(factor.base) {
                if !value.is_one() && !is_power_free(&value, index) {
                    return true;
                }
                integers *= value.pow(factor.exponent as usize);
                continue;
            }
            if matches!(tree.node(factor.base), Node::Number(_)) {
                return true;
            }
            // Factors with the same base are one power.
            let exponent = exponents.entry(tree.printed(factor.base)).or_insert(0);
            *exponent += factor.exponent;
            if *exponent >= index {
                return true;
            }
        }
        !integers.is_one() && !is_power_free(&integers, index)
    };
    if tree.any(root, &rough) {
        return Some("root-not-simplest");
    }
    // Roots in a product combine (`√2·√3`), and so do terms with the same root (`√2 + 3√2`).
    let mut terms = Vec::new();
    tree.terms(root, false, &mut terms);
    let mut roots: Vec<String> = Vec::new();
    for (_, term) in terms {
        let (_, factors) = tree.factored(term);
        let surds: Vec<_> = factors.iter().filter(|factor| tree.is_surd(factor.base)).collect();
        let numeric =
            factors.iter().all(|factor| tree.is_surd(factor.base) || tree.number(factor.base).is_some());
        let mut indices: Vec<UBig> = Vec::new();
        for factor in surds.iter().filter(|factor| !factor.below) {
            match tree.node(factor.base) {
                Node::Sqrt(_) => indices.push(UBig::from(2u8)),
                Node::Root(_, index) => indices.extend(tree.integer(index).map(|(_, index)| index)),
                _ => {}
            }
        }
        indices.sort_unstable();
        if indices.windows(2).any(|pair| pair[0] == pair[1]) || surds.iter().any(|factor| factor.exponent > 1)
        {
            return Some("root-not-simplest");
        }
        if numeric && let [only] = surds[..] {
            let printed = tree.printed(only.base);
            if roots.contains(&printed) {
                return Some("root-not-simplest");
            }
            roots.push(printed);
        }
    }
    root_in_denominator(tree, root).then_some("root-in-denominator")
}

fn completed_square(tree: &Tree<'_>, root: NodeId) -> bool {
    if matches!(tree.node(root), Node::Relation(_) | Node::Items { .. }) {
        return false;
    }
    let mut atoms = Atoms::with_large_powers();
    if Polynomial::of(tree, root, &mut atoms).is_some_and(|polynomial| polynomial.degree(0) <= 1) {
        // A constant or linear expression has no square to complete; it can have at most one term with the variable.
        let mut terms = Vec::new();
        tree.terms(root, false, &mut terms);
        return terms.iter().filter(|(_, term)| tree.has_variable(*term)).count() <= 1;
    }
    let mut terms = Vec::new();
    tree.terms(root, false, &mut terms);
    let mut with_variable = terms.iter().filter(|(_, term)| tree.has_variable(*term));
    let (Some((_, term)), None) = (with_variable.next(), with_variable.next()) else { return false };
    let (_, factors) = tree.factored(*term);
    let mut exponent = 0;
    let mut bases: Vec<NodeId> = Vec::new();
    for factor in factors.iter().filter(|factor| tree.has_variable(factor.base)) {
        if factor.below {
            return false;
        }
        exponent += factor.exponent;
        bases.push(factor.base);
    }
    let linear = bases.iter().all(|base| {
        let mut atoms = Atoms::with_large_powers();
        tree.is_variable(*base)
            || Polynomial::of(tree, *base, &mut atoms).is_some_and(|polynomial| polynomial.degree(0) == 1)
    });
    // `(x+1)²` is a square; `(x+1)(x+1)` is not written as one.
    exponent == 2 && bases.len() == 1 && linear
}

fn partial_fractions(tree: &Tree<'_>, root: NodeId) -> bool {
    if matches!(tree.node(root), Node::Relation(_) | Node::Items { .. }) {
        return false;
    }
    let mut atoms = Atoms::with_large_powers();
    let mut seen: Vec<(Polynomial, u32)> = Vec::new();
    let mut terms = Vec::new();
    expanded_terms(tree, root, &mut terms);
    for term in terms {
        let (_, factors) = tree.factored(term);
        // The degree of the numerator, and the irreducible base of the denominator with its exponent.
        let mut above = 0;
        let mut below: Option<(Polynomial, u32)> = None;
        for factor in factors.iter().filter(|factor| tree.has_variable(factor.base)) {
            let Some(polynomial) = Polynomial::of(tree, factor.base, &mut atoms) else { return false };
            if !factor.below {
                above += polynomial.degree(0).saturating_mul(factor.exponent);
                continue;
            }
            if let Some((base, power)) = &mut below {
                if !polynomial.is_multiple_of(base) {
                    return false;
                }
                *power += factor.exponent;
            } else {
                below = Some((polynomial, factor.exponent));
            }
        }
        let Some((base, power)) = below else { continue };
        if above >= base.degree(0) || !irreducible(&base, &atoms) {
            return false;
        }
        if seen.iter().any(|(other, known)| *known == power && base.is_multiple_of(other)) {
            return false;
        }
        seen.push((base, power));
    }
    true
}

/// Collects the terms of a sum, including those of a bracketed sum with constant factors.
fn expanded_terms(tree: &Tree<'_>, id: NodeId, out: &mut Vec<NodeId>) {
    let mut terms = Vec::new();
    tree.terms(id, false, &mut terms);
    for (_, term) in terms {
        let sums: Vec<NodeId> = match tree.node(term) {
            Node::Product(list) => {
                let factors = tree.syntax.list(list);
                let (sums, others): (Vec<NodeId>, Vec<NodeId>) =
                    factors.iter().partition(|factor| is_sum(tree, **factor) && tree.has_variable(**factor));
                let plain = others.iter().all(|factor| !tree.has_variable(*factor));
                if sums.len() == 1 && plain { sums } else { Vec::new() }
            }
            _ => Vec::new(),
        };
        match sums[..] {
            [sum] => expanded_terms(tree, sum, out),
            _ => out.push(term),
        }
    }
}

fn scientific(tree: &Tree<'_>, root: NodeId) -> bool {
    let mut id = root;
    while let Node::Negate(inner) = tree.node(id) {
        id = tree.bare(inner);
    }
    let one_digit = |text: &str| {
        let whole = text.split('.').next().unwrap_or_default();
        whole.len() == 1 && whole != "0" && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    match tree.node(id) {
        Node::Number(text) => {
            let text = tree.syntax.text(text);
            text.split_once(['E', 'e']).is_some_and(|(mantissa, _)| one_digit(mantissa))
        }
        Node::Product(list) => {
            let [mantissa, power] = *tree.syntax.list(list) else { return false };
            let mantissa = match tree.node(tree.bare(mantissa)) {
                Node::Number(text) => one_digit(tree.syntax.text(text)),
                Node::Negate(inner) => match tree.node(tree.bare(inner)) {
                    Node::Number(text) => one_digit(tree.syntax.text(text)),
                    _ => false,
                },
                _ => false,
            };
            let power = match tree.node(tree.bare(power)) {
                Node::Power(base, power) => {
                    tree.integer(base) == Some((false, UBig::from(10u8))) && tree.integer(power).is_some()
                }
                _ => tree.integer(power) == Some((false, UBig::from(10u8))),
            };
            mantissa && power
        }
        _ => false,
    }
}

/// Returns the two sides of an equation.
fn sides(tree: &Tree<'_>, root: NodeId) -> Option<(NodeId, NodeId)> {
    let Node::Relation(list) = tree.node(root) else { return None };
    let mut steps = tree.syntax.chain(list);
    let (left, relation, right) = steps.next()?;
    (relation == Relation::Equal && steps.next().is_none()).then_some((left, right))
}

fn is_symbol(tree: &Tree<'_>, id: NodeId, name: &str) -> bool {
    matches!(tree.node(tree.bare(id)), Node::Symbol(text) if tree.syntax.text(text) == name)
}

/// Returns the index of the name and the coefficient of a term `a·name`; `None` for any other term.
fn coefficient(tree: &Tree<'_>, term: NodeId, names: &[&str]) -> Option<(usize, RBig)> {
    let (negative, factors) = tree.factored(term);
    let mut value = RBig::ONE;
    let mut name = None;
    let mut numbers = 0;
    for factor in factors {
        if factor.below || factor.exponent != 1 {
            return None;
        }
        if let Some(at) = names.iter().position(|name| is_symbol(tree, factor.base, name)) {
            if name.replace(at).is_some() {
                return None;
            }
        } else {
            value *= tree.number(factor.base)?;
            numbers += 1;
        }
    }
    let value = if negative { -value } else { value };
    (numbers <= 1).then_some((name?, value))
}

fn line_standard(tree: &Tree<'_>, root: NodeId) -> bool {
    let Some((left, right)) = sides(tree, root) else { return false };
    let Some(right) = tree.number(right).filter(|value| value.denominator().is_one()) else { return false };
    let mut terms = Vec::new();
    tree.terms(left, false, &mut terms);
    let mut found: [Option<RBig>; 2] = [None, None];
    for (negative, term) in &terms {
        let Some((name, value)) = coefficient(tree, *term, &["x", "y"]) else { return false };
        let value = if *negative { -value } else { value };
        if !value.denominator().is_one() || value.is_zero() || found[name].replace(value).is_some() {
            return false;
        }
    }
    let values: Vec<&RBig> = found.iter().flatten().chain(std::iter::once(&right)).collect();
    let divisor =
        values.iter().fold(UBig::ZERO, |divisor, value| gcd(&divisor, &absolute(value.numerator())));
    found.iter().any(Option::is_some) && divisor.is_one()
}

fn line_slope(tree: &Tree<'_>, root: NodeId) -> bool {
    let Some((left, right)) = sides(tree, root) else { return false };
    if !is_symbol(tree, left, "y") {
        return false;
    }
    let mut terms = Vec::new();
    tree.terms(right, false, &mut terms);
    let is_x = |id: NodeId| is_symbol(tree, id, "x");
    let with_x = terms.iter().filter(|(_, term)| tree.any(*term, &is_x)).count();
    let linear = terms.iter().filter(|(_, term)| tree.any(*term, &is_x)).all(|(_, term)| {
        let (_, factors) = tree.factored(*term);
        let x: Vec<_> = factors.iter().filter(|factor| tree.any(factor.base, &is_x)).collect();
        matches!(x[..], [only] if is_x(only.base) && !only.below && only.exponent == 1)
    });
    let free_of_y = !tree.any(right, &|id| is_symbol(tree, id, "y"));
    with_x <= 1 && terms.len() - with_x <= 1 && linear && free_of_y
}

fn circle(tree: &Tree<'_>, root: NodeId) -> bool {
    let Some((left, right)) = sides(tree, root) else { return false };
    let has = |id: NodeId, name: &str| tree.any(id, &|inner| is_symbol(tree, inner, name));
    if has(right, "x") || has(right, "y") {
        return false;
    }
    let mut terms = Vec::new();
    tree.terms(left, false, &mut terms);
    let square_of = |name: &str| {
        terms.iter().any(|(negative, term)| {
            let (minus, factors) = tree.factored(*term);
            let [factor] = factors[..] else { return false };
            let mut inner = Vec::new();
            tree.terms(factor.base, false, &mut inner);
            let own = inner.iter().filter(|(_, id)| has(*id, name)).count();
            let plain =
                inner.iter().all(|(_, id)| is_symbol(tree, *id, name) || !has(*id, "x") && !has(*id, "y"));
            !*negative
                && !minus
                && factor.exponent == 2
                && !factor.below
                && own == 1
                && plain
                && inner.len() <= 2
        })
    };
    terms.len() == 2 && square_of("x") && square_of("y")
}
