//! Compares named values, chains of equations, other equations, and values followed by remarks.

use super::{Comparison, Outcome, lists, renaming, texts::same_text};
use crate::notation::{command_at, group_at, strip_outer_braces};
use crate::profile::Convention;
use crate::reading::option::are_different;
use crate::reading::split::{Mark, bracketed, marks, members};

/// The structure of a text by its equality signs.
enum Equation<'t> {
    /// No equality sign at the top level.
    None,
    /// A name, and the members after it: one value, or the rest of a chain.
    Named(&'t str, Vec<&'t str>),
    /// The members of an equation or chain that does not start with a name.
    Chain(Vec<&'t str>),
}

fn equation(text: &str) -> Equation<'_> {
    let mut members = Vec::new();
    let mut start = 0;
    for (mark, at, end) in marks(text) {
        if mark == Mark::Equals {
            members.push(text[start..at].trim());
            start = end;
        }
    }
    if members.is_empty() {
        return Equation::None;
    }
    members.push(strip_outer_braces(&text[start..]));
    if members.iter().any(|member| member.is_empty()) {
        // `= 5` and `5 =`
        members.retain(|member| !member.is_empty());
        return if members.len() == 1 { Equation::Named("", members) } else { Equation::Chain(members) };
    }
    if is_name(members[0]) {
        let name = members.remove(0);
        // `y = k = 5`
        while members.len() > 1 && is_name(members[0]) {
            members.remove(0);
        }
        return Equation::Named(name, members);
    }
    if members.len() == 2 && is_name(members[1]) && !members[0].contains(|c: char| c.is_ascii_alphabetic()) {
        let name = members.pop().unwrap_or_default();
        return Equation::Named(name, members);
    }
    Equation::Chain(members)
}

/// Returns whether a text is a name: a letter with indices, a function with arguments, a tuple of names, or
/// words.
pub(super) fn is_name(text: &str) -> bool {
    let text = text.trim();
    if text.len() > 60 || text.is_empty() {
        return false;
    }
    if let Some(brackets) = bracketed(text) {
        let parts = members(brackets.inside, |_| true);
        return parts.len() > 1 && parts.iter().all(|part| is_name(part));
    }
    if let Some(rest) = derivative(text) {
        return rest.is_empty() || is_name(rest);
    }
    if let Some((first, second)) = text.split_once(':') {
        return is_name(first) && is_name(second);
    }
    let bytes = text.as_bytes();
    let (mut at, mut letters, mut lower_run) = (0, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {
                let run = text[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
                let word = &text[at..at + run];
                let capitals = word.bytes().all(|byte| byte.is_ascii_uppercase());
                if run == 2 && !capitals && word != "pH" {
                    return false;
                }
                if run == 1 && !capitals {
                    lower_run += 1;
                }
                letters += run;
                at += run;
            }
            b' ' | b'\'' => at += 1,
            b'_' => {
                at += 1;
                at = match bytes.get(at) {
                    Some(b'{') => match group_at(text, at) {
                        Some((_, end)) => end,
                        None => return false,
                    },
                    Some(b'\\') => command_at(text, at).map_or(at + 2, |(_, end)| end),
                    _ => at + 1,
                };
            }
            b'^' => {
                // only `f^{-1}` and stars
                let rest = &text[at..];
                let mark = ["^{-1}", "^*", "^{*}", "^{\\prime}", "^\\prime", "^+", "^-"]
                    .iter()
                    .find(|mark| rest.starts_with(**mark));
                match mark {
                    Some(mark) => at += mark.len(),
                    None => return false,
                }
            }
            b'(' if letters > 0 => {
                // arguments
                let mut depth = 0_i32;
                let end = bytes[at..].iter().position(|byte| {
                    depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
                    depth == 0
                });
                match end {
                    Some(end) => at += end + 1,
                    None => return false,
                }
            }
            b'|' => at += 1,
            // `\#`, the size of a set
            b'\\' if bytes.get(at + 1) == Some(&b'#') => at += 2,
            b'\\' => {
                let Some((command, end)) = command_at(text, at) else { return false };
                match command {
                    "text" | "mathrm" | "overline" | "vec" | "operatorname" | "hat" | "bar" | "tilde"
                    | "widehat" | "overrightarrow" | "mathcal" | "mathbb" => {
                        let Some((_, after)) = group_at(text, end) else { return false };
                        letters += 1;
                        at = after;
                    }
                    "angle" | "triangle" | "Delta" | "max" | "min" | "left" | "right" | "forall" | "deg"
                    | "dim" => at = end,
                    "Pr" => {
                        letters += 1;
                        at = end;
                    }
                    "alpha" | "beta" | "gamma" | "delta" | "epsilon" | "theta" | "lambda" | "mu"
                    | "sigma" | "phi" | "omega" | "Phi" | "Omega" | "rho" | "tau" | "eta" | "psi" | "ell"
                    | "zeta" | "nu" | "xi" | "kappa" | "chi" | "Psi" | "Gamma" => {
                        letters += 1;
                        lower_run += 1;
                        at = end;
                    }
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
    letters > 0 && (lower_run <= 1 || text.contains("\\Delta"))
}

/// Returns whether a text names a value by an expression in letters, so an equation states the value: `m+n = 204`,
/// `\cos\theta = \frac12`, `\|v\| = 5`. Expressions with numbers are excluded, because `2x = 204` still has to be
/// solved.
fn is_measure(text: &str) -> bool {
    let text = text.trim();
    let greek = ["\\theta", "\\alpha", "\\beta", "\\gamma", "\\phi", "\\varphi"];
    let named = !renaming::variables(text).is_empty() || greek.iter().any(|letter| text.contains(letter));
    if text.len() > 80 || !named {
        return false;
    }
    for (open, close) in [("\\|", "\\|"), ("\\lVert", "\\rVert"), ("\\Vert", "\\Vert"), ("|", "|")] {
        if let Some(inside) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return !inside.is_empty()
                && !inside.contains(open)
                && !inside.contains(|c: char| c.is_ascii_digit());
        }
    }
    if let Some(name) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        // an area: `[ABC]`
        return name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    }
    if let Some(name) = text.strip_suffix("^\\circ").or_else(|| text.strip_suffix("^{\\circ}")) {
        return name.starts_with("\\Delta") && is_name(name);
    }
    // the square of a length: `AB^2`
    if let Some((name, exponent)) = text.split_once('^') {
        let capitals = name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_uppercase());
        if capitals && exponent.trim_matches(['{', '}']).bytes().all(|byte| byte.is_ascii_digit()) {
            return true;
        }
    }
    // a composition: `(f\circ g)(2)`
    if text.starts_with('(')
        && let Some((functions, argument)) = text.split_once(")(")
    {
        return functions.contains("\\circ")
            && argument.ends_with(')')
            && !argument.contains(['=', '<', '>']);
    }
    if let Some((command, end)) = command_at(text, 0) {
        let end = if matches!(command, "mathbb" | "mathrm" | "operatorname" | "text") {
            group_at(text, end).map_or(end, |(_, end)| end)
        } else {
            end
        };
        let rest = &text[end..];
        match command {
            // these bind variables, so numbers in them are part of the name
            "lim" | "int" | "iint" | "oint" => return true,
            "cos" | "sin" | "tan" | "cot" | "sec" | "csc" | "det" | "ln" | "log" | "arg" | "gcd"
            | "operatorname" => {
                return is_operand_of_letters(rest);
            }
            "Pr" | "mathbb"
                if matches!(&text[..end], "\\Pr" | "\\mathbb{E}" | "\\mathbb{P}" | "\\mathbb{V}") =>
            {
                return rest.trim_start().starts_with(['[', '(']) && !rest.contains(['=', '<', '>']);
            }
            _ => {}
        }
    }
    is_combination_of_letters(text)
}

/// Returns whether a text is the argument of a function without numbers and sums: `\theta`, `^2\theta`, `(x)`.
fn is_operand_of_letters(text: &str) -> bool {
    let argument = text.trim_start();
    let argument = ["^2", "^{2}", "^3", "^{3}"]
        .iter()
        .find_map(|power| argument.strip_prefix(power))
        .unwrap_or(argument);
    let depth_of_sign = argument.find(['+', '-']);
    let bracketed = argument.trim_start().starts_with('(') && argument.ends_with(')');
    let digits = argument.char_indices().any(|(at, c)| c.is_ascii_digit() && !argument[..at].ends_with('_'));
    !argument.trim().is_empty() && !digits && (depth_of_sign.is_none() || bracketed)
}

/// Returns whether a text is a sum, product or quotient of letters: `m+n`, `xy`, `\frac{m}{n}`, `a+b+c`.
fn is_combination_of_letters(text: &str) -> bool {
    let (mut at, mut letters) = (0, 0);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {
                let run = text[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
                if run > 4 {
                    return false;
                }
                letters += run;
                at += run;
            }
            b'_' => {
                at += 1;
                at = match bytes.get(at) {
                    Some(b'{') => match group_at(text, at) {
                        Some((_, end)) => end,
                        None => return false,
                    },
                    _ => at + 1,
                };
            }
            b' ' | b'+' | b'-' | b'/' | b'{' | b'}' if at > 0 || byte != b'-' => at += 1,
            b'\\' => match command_at(text, at) {
                Some((
                    "frac" | "dfrac" | "tfrac" | "cdot" | "times" | "alpha" | "beta" | "gamma" | "theta"
                    | "phi" | "lambda" | "mu" | "sigma" | "rho",
                    end,
                )) => {
                    letters += usize::from(!text[at..end].contains("frac"));
                    at = end;
                }
                _ => return false,
            },
            _ => return false,
        }
    }
    letters > 1
}

/// Returns what follows the last arrow behind an equation: `x = 42` in `6x = 252 \Rightarrow x = 42`.
fn conclusion(text: &str) -> Option<&str> {
    const ARROWS: [&str; 12] = [
        "\\Longrightarrow",
        "\\Rightarrow",
        "\\implies",
        "\\Leftrightarrow",
        "\\Longleftrightarrow",
        "\\iff",
        "\\rightarrow",
        "\\to",
        "⟹",
        "⇒",
        "→",
        "⟺",
    ];
    let (at, arrow) = ARROWS
        .iter()
        .filter_map(|arrow| Some((text.rfind(arrow)?, arrow)))
        .filter(|(at, arrow)| {
            !text[at + arrow.len()..]
                .starts_with(|c: char| c.is_ascii_alphabetic() && arrow.starts_with('\\'))
        })
        .max()?;
    let (before, behind) = (&text[..at], text[at + arrow.len()..].trim());
    let closed = before.matches('{').count() == before.matches('}').count()
        && before.matches('(').count() == before.matches(')').count();
    (closed && !behind.is_empty() && before.contains('=') && !before.contains("\\lim")).then_some(behind)
}

/// Returns a tuple with its coordinates in the order of their names: `(3,4)` for `(y,x)=(4,3)`.
///
/// `None` if the names are in order.
fn sorted_tuple(names: &str, tuple: &str) -> Option<String> {
    let (names, values) = (bracketed(names.trim())?, bracketed(tuple.trim())?);
    let (names, values) = (members(names.inside, |_| true), members(values.inside, |_| true));
    if names.len() != values.len() || names.iter().any(|name| name.len() != 1) {
        return None;
    }
    let mut pairs: Vec<(&str, &str)> = names.into_iter().zip(values).collect();
    let ordered = pairs.windows(2).all(|pair| pair[0].0 < pair[1].0);
    pairs.sort_unstable();
    let distinct = pairs.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let values: Vec<&str> = pairs.into_iter().map(|(_, value)| value).collect();
    (!ordered && distinct).then(|| format!("({})", values.join(",")))
}

/// Returns the expression after `\frac{d}{dx}`, `\frac{dy}{dx}` or `dy/dx`.
fn derivative(text: &str) -> Option<&str> {
    if let [b'd', above, b'/', b'd', below, ..] = text.as_bytes()
        && above.is_ascii_lowercase()
        && below.is_ascii_lowercase()
    {
        return Some(text[5..].trim());
    }
    let (above, end) = group_at(text, text.strip_prefix("\\frac").map(|_| 5)?)?;
    let (below, end) = group_at(text, end)?;
    let letters = |part: &str| {
        part.len() <= 2 && part.starts_with('d') && part.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    (letters(above.trim()) && letters(below.trim()) && below.trim().len() == 2).then(|| text[end..].trim())
}

/// Returns whether a name denotes a function value: `f(x)`, or the conventional `y`.
fn is_function(name: &str) -> bool {
    name.contains('(') || name == "y"
}

/// Returns the argument of `f(x)`.
fn argument(name: &str) -> Option<char> {
    let inside = name.split_once('(')?.1.strip_suffix(')')?;
    let mut chars = inside.trim().chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    chars.next().is_none().then_some(letter)
}

impl Comparison<'_> {
    /// Compares values that an approximation or a remark follows.
    pub(super) fn approximations(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        let cut = |text: &str| -> Option<(String, String)> {
            let (_, at, end) = marks(text).into_iter().find(|(mark, ..)| *mark == Mark::Approx)?;
            Some((text[..at].trim().to_owned(), text[end..].trim().to_owned()))
        };
        if self.has(Convention::Chains) {
            let parts = [cut(gold), cut(answer)];
            if parts.iter().any(Option::is_some) {
                let exact = |part: &Option<(String, String)>, whole: &str| match part {
                    None => whole.to_owned(),
                    Some((exact, about)) if exact.is_empty() => about.clone(),
                    // `x ≈ 1.4` names a value
                    Some((name, about)) if is_name(name) => about.clone(),
                    Some((exact, _)) => exact.clone(),
                };
                let (a, b) = (exact(&parts[0], gold), exact(&parts[1], answer));
                let mut outcome = self.under(Convention::Chains, |this| this.compare(&a, &b));
                // a reference that gives an approximation also accepts it
                if let Some((_, about)) = &parts[0]
                    && outcome != Outcome::Same
                    && parts[1].is_none()
                {
                    outcome = outcome.or(self.under(Convention::Chains, |this| this.compare(about, answer)));
                }
                return Some(outcome);
            }
        }
        if self.has(Convention::Remarks) {
            // `\frac12 (or 0.5)`: both forms must be right; otherwise the answer hedges
            if let Some((value, form)) = decimal_form(answer)
                .filter(|_| decimal_form(gold).is_none() && self.gold.number_of(gold).is_none())
            {
                let product = self.formulas(gold, answer, false);
                let both = |this: &mut Self| match this.compare(gold, value) {
                    Outcome::Same => this.compare(gold, form),
                    other => other,
                };
                return Some(product.or_else(|| self.under(Convention::Remarks, both)));
            }
            if let Some((value, form)) = other_form(answer).filter(|_| other_form(gold).is_none()) {
                let both = |this: &mut Self| match this.compare(gold, value) {
                    Outcome::Same => this.compare(gold, form),
                    other => other,
                };
                return Some(self.under(Convention::Remarks, both));
            }
            if let Some(value) = residue(answer).filter(|_| self.gold.number_of(gold).is_some()) {
                return Some(self.under(Convention::Remarks, |this| this.compare(gold, value)));
            }
            let (a, b) = (without_remark(gold), without_remark(answer));
            if (a, b) != (gold, answer) {
                return Some(self.under(Convention::Remarks, |this| this.compare(a, b)));
            }
        }
        None
    }

    /// Compares named values, memberships, chains and equations. `None` if the pair must be compared in another way.
    pub(super) fn equations(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        if let Some(outcome) = self.memberships(gold, answer) {
            return Some(outcome);
        }
        // `6x = 252 \Rightarrow x = 42`: the last conclusion counts
        if let Some(last) = conclusion(answer).filter(|_| conclusion(gold).is_none()) {
            return Some(self.under(Convention::Chains, |this| this.compare(gold, last)));
        }
        match (equation(gold), equation(answer)) {
            (Equation::None, Equation::None) => None,
            (Equation::Named(first, a), Equation::Named(second, b)) => {
                let (a, b) = (self.true_chain(&a)?, self.true_chain(&b)?);
                if same_text(first, second) {
                    return Some(self.compare(&a, &b));
                }
                let mut outcome = self.formulas(gold, answer, false);
                if outcome == Outcome::Same {
                    return Some(outcome);
                }
                if is_function(first) && is_function(second) {
                    let b = match (argument(first), argument(second)) {
                        (Some(to), Some(from)) if to != from => renaming::renamed(&b, from, to),
                        _ => b,
                    };
                    outcome = outcome.or(self.under(Convention::Names, |this| this.compare(&a, &b)));
                }
                Some(outcome)
            }
            (Equation::Named(_, a), Equation::None) => {
                let a = self.true_chain(&a)?;
                Some(self.under(Convention::Names, |this| this.compare(&a, answer)))
            }
            (Equation::None, Equation::Named(names, b)) => {
                if let [tuple] = b.as_slice()
                    && let Some(sorted) = sorted_tuple(names, tuple)
                {
                    return Some(self.under(Convention::Names, |this| this.compare(gold, &sorted)));
                }
                let Some(b) = self.true_chain(&b) else {
                    return Some(self.decided(
                        "refuted",
                        "the chain of equations is not true",
                        Outcome::Different,
                    ));
                };
                Some(self.under(Convention::Names, |this| this.compare(gold, &b)))
            }
            (Equation::None, Equation::Chain(b)) => {
                if b.len() > 1 && is_measure(b[0]) && renaming::variables(gold).is_empty() {
                    let Some(value) = self.true_chain(&b[1..]) else { return Some(Outcome::Different) };
                    return Some(self.under(Convention::Names, |this| this.compare(gold, &value)));
                }
                let Some(b) = self.true_chain(&b) else {
                    return Some(self.decided(
                        "refuted",
                        "the answer is an equation, not a true chain",
                        Outcome::Different,
                    ));
                };
                Some(self.under(Convention::Chains, |this| this.compare(gold, &b)))
            }
            (Equation::Chain(a), Equation::None) => {
                let Some(a) = self.true_chain(&a) else {
                    return Some(self.decided("refuted", "the reference is an equation", Outcome::Different));
                };
                Some(self.under(Convention::Chains, |this| this.compare(&a, answer)))
            }
            // two chains, or a chain and a named value, are compared as equations
            _ => Some(self.formulas(gold, answer, false)),
        }
    }

    /// Returns the last member of a chain if all members are equal to it, but are written differently.
    fn true_chain(&mut self, members: &[&str]) -> Option<String> {
        let (last, before) = members.split_last()?;
        if before.iter().any(|member| same_text(member, last)) {
            return None;
        }
        for member in before {
            // a fraction of quantities is not checked: `\frac{240 \text{ km}}{5 \text{ h}}`
            if member.starts_with("\\frac") && member.contains("\\text{") {
                continue;
            }
            let saved = (self.used, self.how, self.evidence.clone());
            let outcome = self.compare(last, member);
            (self.used, self.how, self.evidence) = saved;
            if outcome != Outcome::Same {
                // a chain that ends with a rounded value: the exact member rounds to it
                let saved = (self.used, self.how, self.evidence.clone());
                let rounded = self.compare(member, last);
                (self.used, self.how, self.evidence) = saved;
                if rounded != Outcome::Same {
                    return None;
                }
            }
        }
        Some((*last).to_owned())
    }

    /// Compares `x \in M` with `M`.
    fn memberships(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        let cut = |text: &str| -> Option<(String, String)> {
            let found = marks(text);
            let (_, at, end) = *found.iter().find(|(mark, ..)| *mark == Mark::In)?;
            if found.iter().filter(|(mark, ..)| *mark == Mark::In).count() > 1 {
                return None;
            }
            Some((text[..at].trim().to_owned(), text[end..].trim().to_owned()))
        };
        match (cut(gold), cut(answer)) {
            (None, None) => None,
            (Some((first, a)), Some((second, b))) => {
                if first == second {
                    return Some(self.compare(&a, &b));
                }
                Some(self.formulas(gold, answer, false))
            }
            (Some((name, set)), None) if is_name(&name) => {
                let outcome = self.formulas(gold, answer, false);
                if outcome == Outcome::Same {
                    return Some(outcome);
                }
                Some(outcome.or(self.under(Convention::Names, |this| this.compare(&set, answer))))
            }
            (None, Some((name, set))) if is_name(&name) => {
                let outcome = self.formulas(gold, answer, false);
                if outcome == Outcome::Same {
                    return Some(outcome);
                }
                Some(outcome.or(self.under(Convention::Names, |this| this.compare(gold, &set))))
            }
            _ => None,
        }
    }
}

/// Returns the number in `n \equiv 5 \pmod{17}`.
fn residue(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once("\\equiv")?;
    let (value, modulus) = rest.split_once("\\pmod")?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = value.trim();
    (is_name(name) && digits(value) && digits(modulus.trim().trim_matches(['{', '}']))).then_some(value)
}

/// Returns a value and its alternative form: `\frac12 (or 0.5)`.
fn other_form(text: &str) -> Option<(&str, &str)> {
    let (value, form) = text.strip_suffix(')')?.rsplit_once('(')?;
    let form = ["or ", "\\text{or }", "\\text{or}", "i.e. ", "i.e., "]
        .iter()
        .find_map(|word| form.strip_prefix(word))?;
    (!value.trim().is_empty()).then_some((value.trim(), form.trim()))
}

/// Returns a fraction and a decimal in brackets behind it: `3/4 (0.75)`.
fn decimal_form(text: &str) -> Option<(&str, &str)> {
    let (value, form) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let fraction = value.starts_with("\\frac") || value.contains('/');
    let decimal = form.contains('.') && form.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (fraction && decimal).then_some((value.trim(), form))
}

/// Returns whether a value and its remark are one of several cases, as in `2 for x>0, 3 for x<0`.
///
/// A condition within the remark, as in `for all values for which it is defined`, is not another case.
fn is_among_cases(before: &str, remark: &str) -> bool {
    let conditional = |text: &str| ["for ", "if ", "when "].iter().any(|word| text.contains(word));
    let end = [",", ";", "\\text{", "\\mathrm{"].iter().filter_map(|mark| remark.find(mark)).min();
    let others = end.map_or("", |end| &remark[end..]);
    ["otherwise", "else"].iter().any(|word| remark.contains(word))
        || conditional(before)
        || conditional(others)
}

/// Returns a text without remarks: `for all x` or `where ...` after a value, `\pmod{11}` after a number (not the
/// operator `\bmod`), `about` before a value.
fn without_remark(text: &str) -> &str {
    let mut text = text.trim();
    for front in [
        "\\text{about }",
        "\\text{approximately }",
        "\\text{or }",
        "approximately ",
        "about ",
        "\\forall x ",
        "\\text{exactly }",
    ] {
        if let Some(rest) = text.strip_prefix(front) {
            text = rest.trim();
        }
    }
    // `k \in \mathbb{Z}: x = k\pi`
    if let Some((range, value)) = text.split_once(':')
        && lists::is_range_of_parameter(range.trim_start_matches("\\forall").trim())
    {
        text = value.trim();
    }
    let last_or = text.rfind(" or ");
    for opening in ["\\text{", "\\mathrm{"] {
        for (at, _) in text.match_indices(opening) {
            let inside = text[at + opening.len()..].trim_start();
            if inside.starts_with("(or ") || last_or.is_some_and(|or| or >= text.len() - inside.len()) {
                continue;
            }
            let remark = ["(", "for ", "where ", "with ", "when ", "(where", "as ", "since ", "because "]
                .iter()
                .any(|word| inside.starts_with(word));
            if at > 0 && remark && !are_different(&text[..at], &text[at..]) {
                if is_among_cases(&text[..at], inside) {
                    return text;
                }
                return text[..at].trim().trim_end_matches([',', ';']).trim_end();
            }
        }
    }
    if let Some(at) = text.find("\\pmod").or_else(|| text.find("(\\mod")) {
        let value = text[..at].trim().trim_end_matches('(').trim();
        if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
            return value;
        }
    }
    text
}
