//! Recognises the parameter of a family of solutions by the form of a formula: `\frac{\pi}{3}+2k\pi`.

use super::renaming::{each_letter, is_parameter};
use super::terms::{Factor, Term, terms};
use crate::reading::split::members;

/// The maximum length of a formula whose form is examined, in bytes.
const LONGEST: usize = 2_000;
/// The maximum nesting of examined brackets and arguments.
const DEEPEST: u32 = 12;
/// The least angle in degrees that counts as the period of a family.
const LEAST_PERIOD: f64 = 30.0;

/// Returns whether an integer letter multiplies `\pi` or an angle in degrees: `(2k+1)\pi`, `360^\circ k`.
///
/// With `degrees`, the formula was followed by a degree sign, which is left out.
pub(super) fn multiplies_period(text: &str, letter: char, degrees: bool) -> bool {
    is_integer_name(letter) && text.len() <= LONGEST && has_period(text, letter, degrees, DEEPEST)
}

/// Returns whether a letter conventionally denotes an arbitrary integer.
pub(super) fn is_integer_name(name: char) -> bool {
    matches!(name, 'k' | 'n' | 'm' | 'l' | 'j' | 'N')
}

/// Returns whether a letter is the parameter of a line or plane: linear in several coordinates, as in
/// `(1+2t,3-t,t)`.
///
/// In products of parameters, as in `(rs,r+s)`, each of them is a quantity of the question. A pair such as `(n,n+1)`
/// is a line only if the letter is `t`, `s` or `k`, which usually name its parameter.
pub(super) fn is_linear_in_several(coordinates: &[String], letter: char) -> bool {
    let mut linear = 0;
    for text in coordinates {
        match is_parameter_of_line(text, letter) {
            Some(occurs) => linear += usize::from(occurs),
            None => return false,
        }
    }
    linear > 1 && (coordinates.len() > 2 || matches!(letter, 't' | 's' | 'k'))
}

/// Returns whether a letter multiplies a tuple or matrix: `(1,3,0)+t(2,-1,1)`.
pub(super) fn multiplies_vector(text: &str, letter: char) -> bool {
    let vector =
        |inside: &str| inside.contains("\\\\") || inside.contains(',') && members(inside, |_| true).len() > 1;
    is_parameter_of_line(text, letter) == Some(true)
        && terms(text).iter().any(|term| {
            term.iter().any(|factor| matches!(factor, Factor::Letter(other) if *other == letter))
                && term.iter().any(|factor| matches!(factor, Factor::Group(inside) if vector(inside)))
        })
}

/// Returns whether a formula has only first powers of a letter: `\frac{1}{C-x}` and `\sqrt{x^2+C}`, but not `mc^2`,
/// `c^2+2c` or `c(c+1)`. Also true if the letter does not occur.
///
/// A letter in an argument, exponent or denominator counts by its power there.
pub(super) fn is_of_first_degree(text: &str, letter: char) -> bool {
    if text.len() > LONGEST {
        return false;
    }
    let mut all = terms(text);
    all.retain(|term| has_letter(term, |inner| inner == letter));
    all.iter().all(|term| is_term_of_first_degree(term, letter, false, DEEPEST))
}

/// Returns whether a formula is the general solution of Clairaut's equation, `y=Cx+f(C)`, where the constant can have
/// any degree in the second term.
///
/// Only a capital letter in an equation for `y` is such a constant, not `c` in `E=mc^2+mc`.
pub(super) fn solves_clairaut(reference: &str, part: &str, letter: char) -> bool {
    let equation = reference.trim_start().strip_prefix('y').is_some_and(|rest| {
        let rest = rest.strip_prefix("(x)").unwrap_or(rest);
        rest.trim_start().starts_with('=')
    });
    let is =
        |name: char| move |factor: &Factor<'_>| matches!(factor, Factor::Letter(inner) if *inner == name);
    letter.is_ascii_uppercase()
        && equation
        && part.len() <= LONGEST
        && terms(part.rsplit_once('=').map_or(part, |(_, value)| value))
            .iter()
            .any(|term| term.len() == 2 && term.iter().any(is(letter)) && term.iter().any(is('x')))
}

/// With `raised`, the formula is the base of a power. Only a sum may have the letter there: `(x+C)^2`, not `(2C)^2`.
fn has_first_degree(text: &str, letter: char, raised: bool, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let mut all = terms(text);
    all.retain(|term| !term.is_empty());
    let raised = raised && all.len() == 1;
    all.iter().all(|term| is_term_of_first_degree(term, letter, raised, depth))
}

fn is_term_of_first_degree(term: &Term<'_>, letter: char, raised: bool, depth: u32) -> bool {
    let mut times = 0;
    term.iter().all(|factor| match factor {
        Factor::Letter(inner) => {
            times += u32::from(*inner == letter);
            *inner != letter || times == 1 && !raised
        }
        Factor::Group(inside) => {
            times += u32::from(occurs_in(inside, |inner| inner == letter));
            times <= 1 && has_first_degree(inside, letter, raised, depth - 1)
        }
        Factor::Below(inside) => has_first_degree(inside, letter, raised, depth - 1),
        Factor::Part(inside) => has_first_degree(inside, letter, false, depth - 1),
        Factor::Power(base, exponent) => {
            has_first_degree(base, letter, true, depth - 1)
                && has_first_degree(exponent, letter, false, depth - 1)
        }
        Factor::Number(_) | Factor::Pi | Factor::Degrees => true,
    })
}

/// Returns whether a letter occurs in a formula. `None` if the formula is not linear in it, or multiplies it by
/// another parameter.
fn is_parameter_of_line(text: &str, letter: char) -> Option<bool> {
    if text.len() > LONGEST {
        return None;
    }
    let occurs = is_linear(text, letter, DEEPEST)?;
    let others = |term: &Term<'_>| {
        has_letter(term, |inner| inner == letter)
            && has_letter(term, |inner| inner != letter && is_parameter(inner))
    };
    (!terms(text).iter().any(others)).then_some(occurs)
}

fn has_period(text: &str, letter: char, degrees: bool, depth: u32) -> bool {
    depth > 0
        && terms(text).iter().any(|term| {
            let degrees = degrees || term.iter().any(|factor| matches!(factor, Factor::Degrees));
            let angle = |factor: &Factor<'_>| {
                let Factor::Number(number) = factor else { return false };
                number.parse::<f64>().is_ok_and(|number| number >= LEAST_PERIOD)
            };
            let period = has_pi(term, depth) || degrees && term.iter().any(angle);
            period && is_linear_term(term, letter, depth) == Some(true) && !is_measure(term, letter)
                || term.iter().any(|factor| match factor {
                    Factor::Group(inside) => has_period(inside, letter, degrees, depth - 1),
                    Factor::Part(inside) => has_period(inside, letter, false, depth - 1),
                    Factor::Power(base, exponent) => {
                        let below = exponent.trim_start().starts_with('-');
                        !below && has_period(base, letter, false, depth - 1)
                            || has_period(exponent, letter, false, depth - 1)
                    }
                    // in a denominator, the letter is a quantity of the question: `\frac{qB}{2\pi m}`
                    _ => false,
                })
        })
}

fn has_pi(term: &Term<'_>, depth: u32) -> bool {
    depth > 0
        && term.iter().any(|factor| match factor {
            Factor::Pi => true,
            Factor::Group(inside) => terms(inside).iter().any(|term| has_pi(term, depth - 1)),
            _ => false,
        })
}

/// Returns whether a term measures a figure of the question: `\pi r l`, or the angles of a polygon, `(n-2)\pi`.
fn is_measure(term: &Term<'_>, letter: char) -> bool {
    let polygon = |inside: &str| inside.chars().filter(|c| !c.is_whitespace()).eq([letter, '-', '2']);
    has_letter(term, |inner| matches!(inner, 'r' | 'R'))
        || term.iter().any(|factor| matches!(factor, Factor::Group(inside) if polygon(inside)))
}

/// Returns whether a letter occurs in a formula, or `None` if the formula is not linear in it.
fn is_linear(text: &str, letter: char, depth: u32) -> Option<bool> {
    if depth == 0 {
        return None;
    }
    let mut occurs = false;
    for term in terms(text) {
        occurs |= is_linear_term(&term, letter, depth)?;
    }
    Some(occurs)
}

fn is_linear_term(term: &Term<'_>, letter: char, depth: u32) -> Option<bool> {
    let mut occurs = false;
    for factor in term {
        let inside = match factor {
            Factor::Letter(inner) => *inner == letter,
            Factor::Group(inside) => is_linear(inside, letter, depth - 1)?,
            other if factor_has_letter(other, |inner| inner == letter) => return None,
            _ => false,
        };
        if inside && occurs {
            return None;
        }
        occurs |= inside;
    }
    Some(occurs)
}

fn has_letter(term: &Term<'_>, is_it: impl Fn(char) -> bool) -> bool {
    term.iter().any(|factor| factor_has_letter(factor, &is_it))
}

fn factor_has_letter(factor: &Factor<'_>, is_it: impl Fn(char) -> bool) -> bool {
    match factor {
        Factor::Letter(inner) => is_it(*inner),
        Factor::Group(inside) | Factor::Below(inside) | Factor::Part(inside) => occurs_in(inside, is_it),
        Factor::Power(base, exponent) => occurs_in(base, &is_it) || occurs_in(exponent, &is_it),
        Factor::Number(_) | Factor::Pi | Factor::Degrees => false,
    }
}

fn occurs_in(text: &str, is_it: impl Fn(char) -> bool) -> bool {
    let mut found = false;
    each_letter(text, |_, letter| found |= is_it(letter));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_multiply_a_period() {
        for (text, letter, family) in [
            (r"\frac{\pi}{4}+k\pi", 'k', true),
            (r"(2k+1)\pi", 'k', true),
            (r"\frac{(2k+1)\pi}{2}", 'k', true),
            (r"(2k+1)\frac\pi2", 'k', true),
            (r"\frac{\pi}{3}+k\cdot 2\pi", 'k', true),
            (r"\pm\frac{\pi}{3}+2\pi n", 'n', true),
            (r"\pi/4+k\pi/2", 'k', true),
            (r"\pi\left(n+\frac12\right)", 'n', true),
            (r"e^{i(2k+1)\pi/6}", 'k', true),
            (r"\cos\frac{2\pi k}{n}+i\sin\frac{2\pi k}{n}", 'k', true),
            (r"\sin n\pi x", 'n', true),
            (r"\sin(n\pi x)", 'n', true),
            (r"30^\circ+360^\circ k", 'k', true),
            (r"30^{\circ}+k\cdot 360^{\circ}", 'k', true),
            (r"(2k+1)180^\circ", 'k', true),
            (r"(30+360k)^\circ", 'k', true),
            (r"n\sin\pi x", 'n', false),
            (r"n\ln\pi", 'n', false),
            (r"n\tan\pi", 'n', false),
            (r"n\sin(\pi x)", 'n', false),
            (r"\sin(\pi x)n", 'n', false),
            (r"n+\pi", 'n', false),
            (r"2n+1", 'n', false),
            (r"n(n+1)", 'n', false),
            (r"n(n+1)\pi", 'n', false),
            (r"\pi n^2", 'n', false),
            (r"\pi n^{2}", 'n', false),
            (r"\pi(n+1)^2", 'n', false),
            (r"\pi^n", 'n', false),
            (r"\pi n!", 'n', false),
            (r"\sin\frac{\pi}{n}", 'n', false),
            (r"\pi/n", 'n', false),
            (r"\frac{2}{n\pi}", 'n', false),
            (r"2/(n\pi)", 'n', false),
            (r"2/(n\pi)^2", 'n', false),
            (r"2(n\pi)^{-1}", 'n', false),
            (r"\frac{\mu_0I}{2\pi l}", 'l', false),
            (r"\left(\frac{n\pi}{L}\right)^2", 'n', true),
            (r"\frac{2\pi k}{n}", 'n', false),
            (r"2\pi\sqrt{\frac{l}{g}}", 'l', false),
            (r"\pi r l", 'l', false),
            (r"\pi l(R+r)", 'l', false),
            (r"\pi r^2", 'r', false),
            (r"(n-2)\pi", 'n', false),
            (r"(n-2)180^\circ", 'n', false),
            (r"(180-2n)^\circ", 'n', false),
            (r"n^\circ", 'n', false),
            (r"(((((((((((((((n\pi", 'n', true),
        ] {
            assert_eq!(multiplies_period(text, letter, false), family, "{text}");
        }
        assert!(multiplies_period("30+360k", 'k', true));
        assert!(!multiplies_period("180-2n", 'n', true));
        let nested = format!("{}k\\pi{}", "(".repeat(900), ")".repeat(900));
        assert!(!multiplies_period(&nested, 'k', false));
    }

    #[test]
    fn constants_have_the_first_degree() {
        for (text, first) in [
            ("Ce^{-2x}", true),
            ("x^2+C", true),
            (r"\frac{1}{C-x}", true),
            (r"1/(C-x)", true),
            (r"\sqrt{x^2+C}", true),
            ("(x+C)^2", true),
            ("(x+C)^{-1}", true),
            (r"\frac{1+Ce^{2x}}{1-Ce^{2x}}", true),
            (r"\ln|Cx|", true),
            ("e^{x+C}", true),
            ("C_1e^x+C_2", true),
            ("Cx+C^2", false),
            ("C^2+2C", false),
            ("C^2+x", false),
            ("C_1^2+x", false),
            ("mC^2", false),
            (r"\sqrt{C^2-a^2}", false),
            (r"\frac{m}{C^2}", false),
            ("m/C^2", false),
            ("m/C_1^2", false),
            ("mC^{-2}", false),
            ("m(2C)^2", false),
            (r"m\left(\frac{v}{C}\right)^2", false),
            ("{C}^2", false),
            ("C(C+1)", false),
            ("C C", false),
            ("C!", false),
        ] {
            assert_eq!(is_of_first_degree(text, 'C'), first, "{text}");
        }
        let nested = format!("{}C{}", "(".repeat(900), ")".repeat(900));
        assert!(!is_of_first_degree(&nested, 'C'));
    }

    #[test]
    fn constants_of_clairaut_have_any_degree() {
        for (text, letter, solves) in [
            ("y=Cx+C^2", 'C', true),
            ("y(x) = xK-\\sin K", 'K', true),
            ("Cx+C^2", 'C', false),
            ("E=mC^2+mC", 'C', false),
            ("y=cx+c^2", 'c', false),
            ("y=C^2+2C", 'C', false),
            ("y=C^2x+C", 'C', false),
        ] {
            assert_eq!(solves_clairaut(text, text, letter), solves, "{text}");
        }
    }

    #[test]
    fn lines_are_linear_in_their_parameter() {
        for (coordinates, letter, line) in [
            (["1+2t", "3-t", "t"], 't', true),
            (["1", "3-t", r"\frac{t}{2}"], 't', true),
            (["2(s+1)", r"3-\frac{s-1}{2}", "0"], 's', true),
            (["k", "-k", "2k"], 'k', true),
            (["s+2t", "t-s", "s"], 't', true),
            (["x_0+at", "y_0+bt", "z_0"], 't', true),
            (["t", "1", "2"], 't', false),
            (["t", "t^2", "2t"], 't', false),
            (["t", "t", r"\frac1t"], 't', false),
            ([r"\cos t", r"\sin t", "t"], 't', false),
            ([r"\cos(t)", r"\sin(t)", "1"], 't', false),
            (["|t|", "t", "t"], 't', false),
            (["t(t+1)", "t", "t"], 't', false),
            (["rs", "r+s", "1"], 'r', false),
            ([r"\sqrt{t}", "2t", "t"], 't', false),
            (["2^t", "2t", "t"], 't', false),
        ] {
            assert_eq!(
                is_linear_in_several(&coordinates.map(str::to_owned), letter),
                line,
                "{coordinates:?}"
            );
        }
        for (text, line) in [
            (r"\begin{pmatrix}1\\3\end{pmatrix}+t\begin{pmatrix}2\\-1\end{pmatrix}", true),
            ("(1,3,0)+t(2,-1,1)", true),
            (r"\langle 1,3\rangle+t\langle 2,-1\rangle", true),
            ("2t(1+x)", false),
            ("t^2(1,2)", false),
            ("f(t,2)", false),
        ] {
            assert_eq!(multiplies_vector(text, 't'), line, "{text}");
        }
    }
}
