//! Rules for `expression`: the reading of the key, its sample points, and its usefulness.

use fablegrade_latex::functions::FUNCTIONS;
use fablegrade_latex::{KEEP_BACKSLASHES, lost_backslash};
use fablegrade_math::number::Rational;
use fablegrade_math::{Dependence, Kind, Note, NoteKind, Options, Reference, Truth};
use fablegrade_public::view::expression::{Equivalence, ExpressionView, Variable};
use fablegrade_public::view::rules;
use fablegrade_public::{Decimal, Finding, Findings};

use super::latex::{is_escaped_twice, lacks_backslash};
use super::units::known;
use super::{Places, key_mutation, rounding, trigonometry};
use crate::answer::expression::{ExpressionSpec, Ready};

/// Applies the rules. The key has at most 2,000 characters, and comparisons have a work budget.
pub(super) fn lint(spec: &ExpressionSpec, ready: &Ready, findings: &mut Findings) {
    let symbolic = spec.public.equivalence == Equivalence::Symbolic;
    let names = ready.reference.expression().names();
    if names.functions.iter().any(|function| !spec.allows(function)) {
        findings.push(Finding::warning(
            "canonical-uses-forbidden-function",
            "/allowedFunctions",
            "the canonical expression uses a function that learners may not use",
            "allow it, or write the canonical expression without it",
        ));
    }
    functions(spec, &names.calls, findings);
    reading(spec, ready, findings);
    let small = domains(spec, &names.symbols, findings);
    sampling(spec, ready, findings);
    let undecided = symbolic
        && !ready.reference.compare(ready.reference.expression()).is_ok_and(|decision| decision.is_equal());
    if undecided {
        findings.push(Finding::warning(
            "canonical-undecided",
            "/canonical",
            "the canonical expression cannot be compared even with itself",
            "write it in a simpler form, or use `literal`",
        ));
    }
    if !small {
        worth(spec, ready, &names.symbols, findings);
    }
    if symbolic {
        rounded(spec.canonical.expose(), findings);
    }
    trigonometry::degrees(spec, findings);
    // If a domain is too small, wrong answers pass for that reason.
    if !undecided && !small {
        key_mutation::expression(spec, ready, findings);
    }
    rules::exclusions(spec.public.variables.as_deref().unwrap_or_default(), findings);
}

/// Names of operations that are written by signs, which lists of allowed functions can contain.
const OPERATIONS: [&str; 8] = ["root", "nthroot", "sum", "prod", "lim", "int", "diff", "mod"];

/// Reports names of allowed functions that allow nothing. `calls` are the names of unknown functions in the key.
fn functions(spec: &ExpressionSpec, calls: &[String], findings: &mut Findings) {
    let is_known = |name: &str| {
        let named = |known: &&str| known.eq_ignore_ascii_case(name);
        name.chars().count() == 1
            || calls.iter().any(|call| call == name)
            || OPERATIONS.iter().any(&named)
            || FUNCTIONS.iter().any(|row| [row.plain].iter().chain(row.commands).chain(row.words).any(&named))
    };
    let mut places = Places::default();
    for (at, name) in spec.public.allowed_functions.iter().flatten().enumerate() {
        if !is_known(name) {
            places.add(|| format!("/allowedFunctions/{at}"));
        }
    }
    if let Some((pointer, message)) = places.tell("no function has this name, so it allows nothing") {
        findings.push(Finding::warning(
            "unknown-function",
            pointer,
            message,
            "write the name as in `\\sin` or `\\operatorname{arcsin}`: `sin`, `arcsin`",
        ));
    }
}

/// Reports parts of the key that are probably not read as the author intended.
fn reading(spec: &ExpressionSpec, ready: &Ready, findings: &mut Findings) {
    let key = spec.canonical.expose();
    // Compilation has already warned of this.
    if lost_backslash(key).is_some() {
        return;
    }
    if lacks_backslash(key) {
        findings.push(Finding::warning(
            "lost-backslash",
            "/canonical",
            "the letters of a command have no backslash, so they are read as a product",
            KEEP_BACKSLASHES,
        ));
        return;
    }
    if is_escaped_twice(key) {
        findings.push(Finding::warning(
            "double-backslash",
            "/canonical",
            "a double backslash before a command is read as a line break and a word",
            "write one backslash in LaTeX: two in JSON, not four",
        ));
    }
    let brackets = ["\\(", "\\["].iter().any(|open| key.trim_start().starts_with(open));
    if brackets || key.replace("\\$", "").contains('$') {
        findings.push(Finding::warning(
            "dollar-in-key",
            "/canonical",
            "the key has `$` or `\\(` in it, but it is LaTeX already",
            "remove the signs around it",
        ));
    }
    let comma = decimal_comma(key);
    if let Some(at) = comma {
        findings.push(Finding::warning(
            "decimal-comma",
            "/canonical",
            format!("at character {at} a comma between digits separates two values; a decimal has a point"),
            "write `3.5` for a decimal, `3, 5` for two values",
        ));
    }
    if ["\\approx", "\\simeq", "\u{2248}"].iter().any(|sign| key.contains(sign)) {
        findings.push(Finding::warning(
            "approximate-key",
            "/canonical",
            "the key says \"approximately\", but only the same sign and the same number are right",
            "give the exact value, or use `numeric` with a tolerance",
        ));
    }
    let declared = |name: &str| spec.public.variables.iter().flatten().any(|variable| variable.name == name);
    if unit_behind_number(key) || plain_unit(key).is_some_and(|unit| !declared(unit)) {
        findings.push(Finding::warning(
            "unit-in-key",
            "/canonical",
            "the unit in the key is read as a product of letters, so an answer without it is wrong",
            "use `numeric` with a `unit`, or leave the unit out",
        ));
    }
    notes(key, ready.reference.expression().notes(), comma.is_some(), findings);
    if let Some(at) = short_power(key) {
        findings.push(Finding::warning(
            "canonical-ambiguous",
            "/canonical",
            format!("at character {at}: only the first digit is the exponent, and the letter behind it is a factor"),
            "write `e^{2x}` for a power, `e^{2}x` for a product",
        ));
    }
}

/// Returns the character at which `e^2x`, `10^-3x` or `a^-2t` begins, which is read as a power with a
/// one-digit exponent times a letter. A letter other than `e` with a positive exponent is ignored: `x^2y` is
/// common.
fn short_power(key: &str) -> Option<usize> {
    key.match_indices('^').find_map(|(at, _)| {
        let behind = &key[at + 1..];
        let unsigned = behind.strip_prefix(['-', '\u{2212}']);
        let mut next = unsigned.unwrap_or(behind).chars();
        let digit = next.next().is_some_and(|c| c.is_ascii_digit());
        let letter = next.next().is_some_and(|c| c.is_ascii_alphabetic());
        let base = &key[..at];
        let start = base.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let number = base.ends_with(|c: char| c.is_ascii_digit());
        let e = &base[start..] == "e" && !base[..start].ends_with('\\');
        // The base of an exponential is a number or `e`. With a negative exponent, any base is ambiguous.
        (digit && letter && (e || number || unsigned.is_some())).then(|| {
            let first = base.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
            first.chars().count() + 1
        })
    })
}

/// Returns the unit in a key that consists of a number, a blank and a unit of at least two letters: `5 kg`.
fn plain_unit(key: &str) -> Option<&str> {
    let (number, unit) = key.trim().split_once(' ')?;
    let unit = unit.trim();
    let is_number = number.parse::<f64>().is_ok() && number.ends_with(|c: char| c.is_ascii_digit());
    let is_unit = unit.chars().count() >= 2 && !unit.contains(['\\', ' ']) && known(unit).is_some();
    (is_number && is_unit).then_some(unit)
}

/// Reports the first part that is probably misread, or else the first ambiguous part.
fn notes(key: &str, notes: &[Note], comma: bool, findings: &mut Findings) {
    let misread = |note: &&Note| {
        matches!(
            note.kind,
            NoteKind::LeftToRight
                | NoteKind::OneCharacter
                | NoteKind::LetterProduct
                | NoteKind::CommaList
                | NoteKind::ArgumentEnds
                | NoteKind::SplitCommand
        )
    };
    let notes: Vec<&Note> =
        notes.iter().filter(|note| !(comma && note.kind == NoteKind::CommaList)).collect();
    let warned = notes.iter().copied().find(|note| misread(note));
    let Some(note) = warned.or_else(|| notes.first().copied()) else { return };
    let character = key.get(..note.span.start as usize).map_or(0, |before| before.chars().count()) + 1;
    let others = match notes.len() - 1 {
        0 => String::new(),
        1 => " (and at one more place)".to_owned(),
        more => format!(" (and at {more} more places)"),
    };
    let message = format!("at character {character}: {}{others}", note.message());
    let help = "write parentheses or braces, or declare the name; `fablegrade equiv` shows the reading";
    findings.push(if warned.is_some() {
        Finding::warning("canonical-ambiguous", "/canonical", message, help)
    } else {
        Finding::info("canonical-ambiguous", "/canonical", message, help)
    });
}

/// Returns the character of the key's only comma, if it is between digits without a blank, outside brackets,
/// and not followed by exactly three digits.
fn decimal_comma(key: &str) -> Option<usize> {
    let at = key.find(',')?;
    let bytes = key.as_bytes();
    let digits = |range: &[u8]| range.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let before: Vec<u8> = bytes[..at].iter().rev().copied().collect();
    let after = digits(&bytes[at + 1..]);
    let depth = |close: &[char], open: &[char]| {
        key[..at].matches(open).count() as i64 - key[..at].matches(close).count() as i64
    };
    let bare = depth(&[')', ']', '}'], &['(', '[', '{']) == 0;
    // Three digits after a comma are thousands or a list.
    (bare && !key[at + 1..].contains(',') && digits(&before) > 0 && after > 0 && after != 3)
        .then(|| key[..at].chars().count() + 1)
}

/// Returns whether a number is followed by a unit as text: `5\text{ m}`, `5\,\mathrm{kg}`.
fn unit_behind_number(key: &str) -> bool {
    ["\\text", "\\mathrm", "\\textrm", "\\unit", "\\si"].iter().any(|command| {
        key.match_indices(command).any(|(at, _)| {
            let rest = &key[at + command.len()..];
            let Some(inner) = rest.strip_prefix('{').and_then(|rest| rest.split('}').next()) else {
                return false;
            };
            let before = key[..at].trim_end_matches(['\\', ',', ' ', '~', ';', ':']);
            before.ends_with(|c: char| c.is_ascii_digit()) && known(inner).is_some()
        })
    })
}

/// Reports unused variables, and domains that are too small to distinguish answers. Returns whether a domain
/// is too small.
fn domains(spec: &ExpressionSpec, used: &[String], findings: &mut Findings) -> bool {
    let mut small = false;
    let variables = spec.public.variables.as_deref().unwrap_or_default();
    for (at, Variable { name, domain }) in variables.iter().enumerate() {
        if !used.contains(&fablegrade_latex::names::normal_name(name)) {
            findings.push(Finding::warning(
                "variable-unused",
                format!("/variables/{at}"),
                "the canonical expression does not use this variable",
                "remove it, or check the canonical expression",
            ));
            continue;
        }
        let Some(domain) = domain else { continue };
        let few = if domain.min == domain.max {
            true
        } else {
            domain.integer && domain.max.floor().subtract(&domain.min.ceil()) < Decimal::from(3)
        };
        if few && spec.public.equivalence != Equivalence::Literal {
            small = true;
            findings.push(Finding::warning(
                "domain-too-small",
                format!("/variables/{at}/domain"),
                "the domain has so few values that wrong answers agree with the key on all of them",
                "widen the domain",
            ));
        }
    }
    small
}

/// Checks that the key has values at enough points, and that sampling settings have an effect.
fn sampling(spec: &ExpressionSpec, ready: &Ready, findings: &mut Findings) {
    let variables = spec.public.variables.as_deref().unwrap_or_default();
    let bounded = variables.iter().any(|variable| variable.domain.is_some());
    let sampled = spec.public.equivalence == Equivalence::NumericSampling;
    if sampled && !ready.reference.can_be_sampled(&ready.sampling) {
        let help = if integers_help(spec, ready) {
            "set `integer` in the domains: with integers it has values"
        } else {
            "choose domains on which it is defined, or use `symbolic`"
        };
        findings.push(Finding::warning(
            "samples-nowhere",
            "/variables",
            "the canonical expression has a value at fewer than 5 points of the domains, so no answer can be graded",
            help,
        ));
    } else if spec.public.equivalence == Equivalence::Symbolic
        && bounded
        && !ready.reference.can_be_sampled(&ready.sampling)
        && !few_values(variables)
    {
        findings.push(Finding::warning(
            "no-value-on-domain",
            "/variables",
            "the canonical expression has a value almost nowhere on the domains",
            "choose domains on which it is defined",
        ));
    }
    if spec.public.equivalence == Equivalence::Symbolic
        && !bounded
        && ready.reference.expression().kind() == Kind::Value
    {
        let key = spec.canonical.expose();
        if divides_by_nothing(key) {
            findings.push(Finding::warning(
                "no-value-on-domain",
                "/canonical",
                "the canonical expression divides by zero, so it has no value anywhere",
                "check the denominators",
            ));
        } else if has_no_real_value(key) {
            findings.push(Finding::warning(
                "no-value-on-domain",
                "/canonical",
                "a root, logarithm or inverse function of the canonical expression has no real value anywhere",
                "check its sign; write the key with `i` if complex numbers are meant",
            ));
        }
    }
    let (points, tolerance) = (spec.public.sample_points, &spec.public.tolerance);
    let standard = ExpressionView::default_sampling();
    if !sampled && (points, tolerance) != (standard.0, &standard.1) {
        let pointer = if *tolerance == standard.1 { "/samplePoints" } else { "/tolerance" };
        findings.push(Finding::warning(
            "sampling-unused",
            pointer,
            "only `numeric_sampling` looks at points within a tolerance",
            "set `equivalence` to `numeric_sampling`, or leave this out",
        ));
    }
}

/// The maximum number of denominators that are checked.
const MOST_DENOMINATORS: usize = 10;

/// Returns whether a denominator is zero for all values of its variables.
fn divides_by_nothing(key: &str) -> bool {
    key.match_indices("\\frac{").take(MOST_DENOMINATORS).any(|(at, _)| {
        let rest = &key[at + 5..];
        let Some((_, rest)) = braced(rest) else { return false };
        let Some((below, _)) = braced(rest) else { return false };
        Reference::new(below, &Options::new().with_budget(10_000))
            .and_then(|reference| reference.compare_latex("0"))
            .is_ok_and(|decision| decision.is_equal())
    })
}

/// The maximum number of arguments that are checked per function, and the work budget per argument.
const MOST_ARGUMENTS: usize = 5;
const ARGUMENT_FUEL: u64 = 20_000;

/// Returns whether a root, logarithm or inverse function has an argument outside its domain for all values of
/// its variables. Constant arguments, such as that of `\sqrt{-4}`, are ignored.
fn has_no_real_value(key: &str) -> bool {
    let outside = |argument: &str, condition: &str| {
        Reference::new(&format!("{argument}{condition}"), &Options::new().with_budget(ARGUMENT_FUEL))
            .is_ok_and(|relation| {
                !relation.expression().names().symbols.is_empty() && relation.truth() == Truth::Always
            })
    };
    let functions: [(&str, &[&str]); 6] = [
        ("\\sqrt", &["<0"]),
        ("\\ln", &["\\le0"]),
        ("\\log", &["\\le0"]),
        ("\\lg", &["\\le0"]),
        ("\\arcsin", &[">1", "<-1"]),
        ("\\arccos", &[">1", "<-1"]),
    ];
    functions.iter().any(|(name, conditions)| {
        key.match_indices(name).take(MOST_ARGUMENTS).any(|(at, _)| {
            let rest = key[at + name.len()..].trim_start().trim_start_matches("\\left").trim_start();
            let argument = braced(rest).or_else(|| in_brackets(rest));
            argument.is_some_and(|(inner, _)| {
                !inner.contains(['=', '<', '>', ','])
                    && conditions.iter().any(|condition| outside(inner, condition))
            })
        })
    })
}

/// Returns the contents of the parentheses at the beginning, and the remaining text.
fn in_brackets(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            let inner = text[..at].strip_prefix('(')?;
            return Some((inner.trim_end_matches("\\right"), &text[at + 1..]));
        }
    }
    None
}

/// Returns the contents of the braces at the beginning, and the remaining text.
fn braced(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return if c == '}' { Some((&text[1..at], &text[at + 1..])) } else { None };
        }
    }
    None
}

/// Returns whether a domain has one value, or integers in a range shorter than 10. Sampling can then fail
/// regardless of the key.
fn few_values(variables: &[Variable]) -> bool {
    variables.iter().filter_map(|variable| variable.domain.as_ref()).any(|domain| {
        domain.min == domain.max || (domain.integer && domain.max.subtract(&domain.min) < Decimal::from(10))
    })
}

/// Returns whether the key has values if its variables are integers, as factorials require.
fn integers_help(spec: &ExpressionSpec, ready: &Ready) -> bool {
    let mut options = Options::new();
    for name in &ready.reference.expression().names().symbols {
        let domain = fablegrade_math::Domain {
            min: Some(Rational::from(0)),
            max: Some(Rational::from(10)),
            integer: true,
            exclude: Vec::new(),
        };
        options = options.with_domain(name, domain);
    }
    Reference::new(spec.canonical.expose(), &options)
        .is_ok_and(|reference| reference.can_be_sampled(&ready.sampling))
}

/// Checks that the key tests something: it varies with its variables, and its relation excludes something.
/// Under `literal`, the key must also have no unfinished step.
fn worth(spec: &ExpressionSpec, ready: &Ready, symbols: &[String], findings: &mut Findings) {
    let key = spec.canonical.expose();
    if !symbols.is_empty()
        && ready.reference.expression().kind() == Kind::Value
        && spec.public.equivalence != Equivalence::Literal
        && matches!(
            ready.reference.dependence_of(ready.reference.expression()),
            Ok(Dependence::Constant { .. })
        )
    {
        let (pointer, help) = if ready.forbid_constant {
            ("/forbidConstantAnswer", "set `forbidConstantAnswer` to false or write the constant")
        } else {
            ("/canonical", "write the constant, or check the expression")
        };
        let message = if ready.forbid_constant {
            "the canonical expression has variables but does not depend on them, and constant answers are forbidden"
        } else {
            "the canonical expression has variables but does not depend on them"
        };
        // An author who sets `forbidConstantAnswer` to false expects a constant, as in variants of one
        // question.
        findings.push(if !spec.public.forbid_constant_answer {
            Finding::info("canonical-constant", pointer, message, help)
        } else {
            Finding::warning("canonical-constant", pointer, message, help)
        });
    }
    if let Some((left, right)) = sides(key)
        && Reference::new(left, &Options::new().with_budget(50_000))
            .and_then(|reference| reference.compare_latex(right))
            .is_ok_and(|decision| decision.is_equal())
    {
        findings.push(Finding::warning(
            "always-true",
            "/canonical",
            "both sides of the equation are the same, so it holds everywhere and every identity is right",
            "check the sides",
        ));
    } else {
        let said = match ready.reference.truth() {
            Truth::Always => Some((
                "always-true",
                "the relation holds everywhere, so it says nothing: it is compared side by side",
            )),
            Truth::Never => Some((
                "never-true",
                "the relation holds nowhere, so it says nothing: it is compared side by side",
            )),
            Truth::Varies => None,
        };
        if let Some((rule, message)) = said {
            findings.push(Finding::warning(rule, "/canonical", message, "check the sides and the signs"));
        }
    }
    if spec.public.equivalence == Equivalence::Literal
        && let Some(what) = unfinished(key)
    {
        findings.push(Finding::warning(
            "literal-not-final",
            "/canonical",
            format!("the key is {what}, and under `literal` its result may be marked wrong"),
            "write the result, or use `symbolic`",
        ));
    }
}

/// Returns the unfinished step in a key: a sum of numbers, like terms, or a product of numbers before a
/// letter. Products of numbers alone may be factorisations.
fn unfinished(key: &str) -> Option<&'static str> {
    let sum = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | ' ');
    if key.chars().all(sum) && key.trim_start_matches(['-', ' ']).contains(['+', '-']) {
        return Some("a sum that is not carried out");
    }
    if key.contains(['=', '<', '>', '(', '[', ',', '|']) || key.contains("\\le") || key.contains("\\ge") {
        return None;
    }
    // Terms outside braces, without their signs; `powers` below are the terms without their coefficients.
    let mut depth = 0i32;
    let ends = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(c, '+' | '-')
    };
    let terms: Vec<&str> = key.split(ends).map(str::trim).filter(|term| !term.is_empty()).collect();
    // The split has cut a power such as `x^-2` at its sign.
    if terms.iter().any(|term| term.ends_with(['^', '_'])) {
        return None;
    }
    let digit = |c: char| c.is_ascii_digit() || c == '.';
    let powers: Vec<&str> = terms.iter().map(|term| term.trim_start_matches(digit).trim()).collect();
    let like = |at: usize| !powers[at].starts_with(['\\', '^']) && powers[..at].contains(&powers[at]);
    if powers.len() > 1 && (0..powers.len()).any(like) {
        return Some("a sum of like terms");
    }
    let product = terms.iter().any(|term| {
        let rest = term.trim_start_matches(digit);
        let behind = ["\\cdot", "\\times", "*"].iter().find_map(|sign| rest.trim_start().strip_prefix(*sign));
        behind.is_some_and(|behind| {
            let after = behind.trim_start();
            let letter = after.trim_start_matches(digit);
            rest.len() < term.len()
                && letter.len() < after.len()
                && letter.starts_with(|c: char| c.is_ascii_alphabetic())
        })
    });
    product.then_some("a product of numbers that is not carried out")
}

/// Returns the two sides of a single equation.
fn sides(key: &str) -> Option<(&str, &str)> {
    let (left, right) = key.split_once('=')?;
    let relation = ["\\ne", "\\le", "\\ge", "<", ">", "!", "\\{", "\\begin"];
    let single =
        !right.contains('=') && !relation.iter().any(|sign| key.contains(sign)) && !key.contains(',');
    (single && !left.trim().is_empty() && !right.trim().is_empty()).then_some((left, right))
}

/// Reports a rounded decimal in the key if only the exact value is right.
fn rounded(key: &str, findings: &mut Findings) {
    if rounding::has_rounded_number(key) {
        findings.push(Finding::warning(
            "rounded-key",
            "/canonical",
            "a decimal of the key is rounded, but under `symbolic` only exactly this value is right: the exact one is marked wrong",
            "write the exact number (`\\frac13`, `\\sqrt2`, `\\pi`), or use `numeric_sampling` with a tolerance",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_between_digits_are_told_from_lists() {
        assert_eq!(decimal_comma("3,5x"), Some(2));
        for list in ["3, 5", "(3,5)", "\\{2,3\\}", "1,000", "1,2,3", "x,5", "1{,}5", "3.5"] {
            assert_eq!(decimal_comma(list), None, "{list}");
        }
    }

    #[test]
    fn unfinished_keys_are_told_from_forms() {
        for key in ["x+x", "2x+3x", "2+2", "2\\cdot3x", "3 \\cdot 4y+1", "x^2+1+x^2"] {
            assert!(unfinished(key).is_some(), "{key}");
        }
        for key in [
            "x^2+2x+1",
            "(x+1)(x+2)",
            "2^2\\cdot3",
            "\\frac{1}{2}+\\frac{1}{3}",
            "x^{-2}",
            "x^-2+x",
            "2\\cdot x",
            "3x-2y",
            "a+b=b+a",
            "\\sqrt2+\\sqrt3",
        ] {
            assert_eq!(unfinished(key), None, "{key}");
        }
    }

    #[test]
    fn powers_of_one_digit_are_told_from_products() {
        for (key, at) in [("e^2x", 1), ("10^-3x", 1), ("2e^-2t", 1), ("3+10^-3x", 3), ("a^-2t", 1)] {
            assert_eq!(short_power(key), Some(at), "{key}");
        }
        for key in ["x^2y", "e^{2x}", "10^{-3}x", "10^-3", "\\theta^2x", "x^2", "e^-2"] {
            assert_eq!(short_power(key), None, "{key}");
        }
    }

    #[test]
    fn arguments_outside_the_domain_are_proven() {
        for key in ["\\sqrt{-x^2-1}", "1+\\ln(-x^2)", "\\arcsin(x^2+2)", "\\log\\left(-x^4-1\\right)"] {
            assert!(has_no_real_value(key), "{key}");
        }
        for key in
            ["\\sqrt{1-x^2}", "\\sqrt{-4}", "\\ln x", "\\ln(x-100)", "\\arcsin(x+100)", "\\sqrt[3]{-x^2-1}"]
        {
            assert!(!has_no_real_value(key), "{key}");
        }
    }

    #[test]
    fn units_follow_numbers() {
        assert!(unit_behind_number("5\\text{ m}") && unit_behind_number("12\\,\\mathrm{kg}"));
        assert!(!unit_behind_number("A^\\mathrm{T}") && !unit_behind_number("x=1\\text{ or }x=2"));
    }
}
