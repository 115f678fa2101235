//! Rule for angles that look like degrees: trigonometric functions take radians.

use fablegrade_public::{Decimal, Finding, Findings};

use crate::answer::expression::ExpressionSpec;

/// Reports numbers that look like degrees in trigonometric functions. Otherwise, reports a variable in such a
/// function if the domain of the variable ends at 90, 180 or 360.
pub(super) fn degrees(spec: &ExpressionSpec, findings: &mut Findings) {
    let key = spec.canonical.expose();
    let arguments = arguments(key);
    if arguments.iter().any(|argument| is_in_degrees(argument)) {
        findings.push(Finding::warning(
            "degrees",
            "/canonical",
            "the angle looks like degrees, but functions take radians",
            "write `30^\\circ` or `\\frac{\\pi}{6}`",
        ));
        return;
    }
    let found = spec.public.variables.iter().flatten().position(|variable| {
        let Some(domain) = &variable.domain else { return false };
        let turn = |bound: &Decimal| [90, 180, 360].iter().any(|&turn| *bound == Decimal::from(turn));
        let start = domain.min.is_zero() || turn(&domain.min.negate());
        turn(&domain.max) && start && arguments.iter().any(|argument| has_name(argument, &variable.name))
    });
    if let Some(at) = found {
        findings.push(Finding::warning(
            "degrees",
            format!("/variables/{at}/domain"),
            "the domain looks like degrees, but functions take radians",
            "use a domain in radians, or write `x^\\circ` in the key",
        ));
    }
}

const FUNCTIONS: [&str; 4] = ["sin", "cos", "tan", "cot"];
/// Bounds on the work: the checked occurrences of each function, and the characters of an argument.
const MOST: usize = 50;
const LONGEST: usize = 200;

/// Returns the arguments of `sin`, `cos`, `tan` and `cot`, as written.
fn arguments(key: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for name in FUNCTIONS {
        for (at, _) in key.match_indices(name).take(MOST) {
            let rest = &key[at + name.len()..];
            let inverse = key[..at].ends_with("arc") || key[..at].ends_with('a');
            if inverse || rest.starts_with(['h', 'e', 't']) {
                continue;
            }
            let rest = rest.strip_prefix('}').unwrap_or(rest);
            // Skip a power of the function, as in `\sin^2(x)`; ignore an inverse.
            let rest = match rest.strip_prefix('^') {
                Some(power) if power.starts_with(|c: char| c.is_ascii_digit()) => &power[1..],
                Some(power) if power.starts_with('{') && !power.starts_with("{-") => {
                    power.split_once('}').map_or("", |(_, rest)| rest)
                }
                Some(_) => continue,
                None => rest,
            };
            found.extend(argument(rest));
        }
    }
    found
}

/// Returns the bracketed argument after a function's name; without brackets, the text up to the next
/// operator.
fn argument(rest: &str) -> Option<&str> {
    let rest = rest.trim_start().trim_start_matches("\\left").trim_start();
    let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(at, _)| at);
    let rest = &rest[..end];
    if rest.starts_with(['(', '{', '[']) {
        let mut depth = 0usize;
        for (at, c) in rest.char_indices() {
            match c {
                '(' | '{' | '[' => depth += 1,
                ')' | '}' | ']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(&rest[1..at]);
                    }
                }
                _ => {}
            }
        }
        return None;
    }
    Some(&rest[..rest.find(['+', '-', '=', '<', '>', ',', ')', '}', '&']).unwrap_or(rest.len())])
}

/// Returns whether an argument without π or a degree sign looks like degrees: a bare integer from 15 on, a
/// sum with a multiple of 5 from 30 on, or an argument with 180 or 360 other than as a factor.
fn is_in_degrees(argument: &str) -> bool {
    let argument = argument.replace("\\left", "").replace("\\right", "").replace("\\,", " ");
    if ["\\pi", "\u{3c0}", "\\circ", "\\degree", "\u{b0}", "\\tau"].iter().any(|sign| argument.contains(sign))
    {
        return false;
    }
    let bare = |text: &str| text.parse::<u32>().ok().filter(|_| !text.starts_with('0'));
    if bare(argument.trim()).is_some_and(|angle| angle >= 15) {
        return true;
    }
    let mut depth = 0i32;
    let term_ends = |c: char| {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(c, '+' | '-')
    };
    let terms: Vec<&str> = argument.split(term_ends).collect();
    let has_term = terms.len() > 1
        && terms
            .iter()
            .filter_map(|term| bare(term.trim()))
            .any(|angle| angle >= 30 && angle.is_multiple_of(5));
    // 180 and 360 followed by anything else are factors, such as angular frequencies.
    let half_turn = ["180", "360"].iter().any(|turn| {
        argument.match_indices(turn).any(|(at, _)| {
            let digit = |c: char| c.is_ascii_digit() || c == '.';
            let after = argument[at + 3..].trim_start();
            !argument[..at].ends_with(digit)
                && (after.is_empty() || after.starts_with(['}', ')', '/', '+', '-']))
        })
    });
    has_term || half_turn
}

/// Returns whether an argument contains a name, as a letter or as a command.
fn has_name(argument: &str, name: &str) -> bool {
    argument.match_indices(name).any(|(at, _)| {
        let before = &argument[..at];
        let command = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let part = argument[at + name.len()..].starts_with(|c: char| c.is_ascii_alphabetic());
        // A letter may follow letters of a product, but not those of a command.
        if name.len() > 1 { !part } else { !command.ends_with('\\') }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_told_from_radians() {
        let found = |key: &str| arguments(key).iter().any(|argument| is_in_degrees(argument));
        for key in [
            "\\sin(30)",
            "\\cos 45",
            "\\tan{60}",
            "\\sin^2(30)",
            "\\operatorname{sin}(45)",
            "5\\sin\\left(x+30\\right)",
            "\\sin(180-x)",
            "\\sin(\\frac{180}{n})",
            "\\frac{1}{\\sin 35}",
        ] {
            assert!(found(key), "{key}");
        }
        for key in [
            "\\sin(30^\\circ)",
            "\\sin(2x)",
            "\\cos\\frac{\\pi}{6}",
            "\\sin(10t)",
            "\\sin(50\\pi t)",
            "5\\cos(20x)",
            "\\sin(x+1)",
            "\\sinh(30)",
            "\\arcsin(30)",
            "\\cos(360t)",
            "\\sin x + 30",
        ] {
            assert!(!found(key), "{key}");
        }
        assert!(has_name("2x+1", "x") && has_name("\\alpha", "alpha") && !has_name("\\exp y", "x"));
    }
}
