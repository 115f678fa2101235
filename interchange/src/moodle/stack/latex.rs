//! Output of values as LaTeX.

use super::maxima::Expr;
use super::values::is_array;

const GREEK: &[&str] = &[
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta",
    "Lambda", "Xi", "Sigma", "Phi", "Psi", "Omega",
];

/// Returns the precedence of an expression; a greater number binds more tightly.
fn level(expr: &Expr) -> u8 {
    match expr {
        Expr::Binary("or", ..) => 1,
        Expr::Binary("and", ..) | Expr::Not(_) => 2,
        Expr::Binary("=" | "#" | "<" | ">" | "<=" | ">=", ..) => 3,
        Expr::Binary("+" | "-", ..) | Expr::Negative(_) => 4,
        Expr::Binary("*", ..) => 5,
        Expr::Binary("^", ..) | Expr::Factorial(_) => 7,
        _ => 9,
    }
}

/// Returns the LaTeX of a value; `None` if no LaTeX would be read as the same value, or if it is too long.
pub(super) fn latex(expr: &Expr) -> Option<String> {
    let mut out = String::new();
    write(expr, &mut out, 0)?;
    (out.len() <= 2_000).then_some(out)
}

fn bracketed(expr: &Expr, least: u8, out: &mut String, depth: usize) -> Option<()> {
    if level(expr) >= least {
        return write(expr, out, depth + 1);
    }
    out.push_str(r"\left(");
    write(expr, out, depth + 1)?;
    out.push_str(r"\right)");
    Some(())
}

fn list(items: &[Expr], open: &str, close: &str, out: &mut String, depth: usize) -> Option<()> {
    out.push_str(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(item, out, depth + 1)?;
    }
    out.push_str(close);
    Some(())
}

fn name(name: &str) -> Option<String> {
    let bare = name.strip_prefix('%').unwrap_or(name);
    if matches!(bare, "pi" | "inf" | "infinity") {
        return Some(if bare == "pi" { r"\pi".to_owned() } else { r"\infty".to_owned() });
    }
    if matches!(name, "%e" | "e" | "%i" | "i") {
        return Some(bare.to_owned());
    }
    if name.starts_with('%') {
        return None;
    }
    let (head, index) = bare.split_once('_').unwrap_or((bare, ""));
    // `x1` is a single name that is displayed with an index.
    let (head, index) = match head.find(|c: char| c.is_ascii_digit()) {
        Some(at) if at > 0 && index.is_empty() => head.split_at(at),
        _ => (head, index),
    };
    let head = if GREEK.contains(&head) {
        format!("\\{head}")
    } else if head.chars().count() == 1 && head.chars().all(char::is_alphabetic) {
        head.to_owned()
    } else {
        return None;
    };
    if index.is_empty() {
        return Some(head);
    }
    index.chars().all(char::is_alphanumeric).then(|| format!("{head}_{{{index}}}"))
}

fn number(text: &str) -> Option<String> {
    let text = crate::moodle::question::normal_number(text)?;
    match text.split_once('e') {
        None => Some(text),
        Some((mantissa, exponent)) => {
            Some(format!("{mantissa}\\cdot 10^{{{}}}", exponent.trim_start_matches('+')))
        }
    }
}

fn write(expr: &Expr, out: &mut String, depth: usize) -> Option<()> {
    if depth > 100 || out.len() > 4_000 {
        return None;
    }
    match expr {
        // Maxima computes these by elements, unlike the notation.
        Expr::Binary("*", a, b) if is_array(a) && is_array(b) => return None,
        Expr::Binary("/", _, b) if is_array(b) => return None,
        Expr::Binary("^", a, b) if is_array(a) || is_array(b) => return None,
        Expr::Binary("+" | "-", a, b) if is_array(a) != is_array(b) => return None,
        Expr::Factorial(inner) if is_array(inner) => return None,
        Expr::Call(name, items) if name != "matrix" && items.iter().any(is_array) => return None,
        Expr::Number(text) => {
            let number = number(text)?;
            let power = number.contains('^');
            out.push_str(&if power { format!("\\left({number}\\right)") } else { number });
        }
        Expr::Name(text) if text == "true" || text == "false" => return None,
        Expr::Name(text) => out.push_str(&name(text)?),
        Expr::Text(_) | Expr::Index(..) => return None,
        Expr::List(items) => list(items, r"\left[", r"\right]", out, depth)?,
        Expr::Set(items) => list(items, r"\left\{", r"\right\}", out, depth)?,
        Expr::Negative(inner) => {
            out.push('-');
            bracketed(inner, 5, out, depth)?;
        }
        Expr::Not(inner) => {
            out.push_str(r"\neg ");
            bracketed(inner, 9, out, depth)?;
        }
        Expr::Factorial(inner) => {
            bracketed(inner, 9, out, depth)?;
            out.push('!');
        }
        Expr::Binary("/", a, b) => {
            out.push_str(r"\frac{");
            write(a, out, depth + 1)?;
            out.push_str("}{");
            write(b, out, depth + 1)?;
            out.push('}');
        }
        Expr::Binary("^", base, power) => {
            // A function to a power is bracketed, since `\sin^{-1}` would be read as the inverse function.
            let least = if matches!(&**base, Expr::Number(_) | Expr::Name(_)) { 9 } else { 10 };
            bracketed(base, least, out, depth)?;
            out.push_str("^{");
            write(power, out, depth + 1)?;
            out.push('}');
        }
        Expr::Binary(operator, a, b) => {
            let own = level(expr);
            let (sign, right) = match *operator {
                "+" => ("+", own),
                "-" => ("-", own + 1),
                "*" => (r"\cdot ", own),
                "=" => ("=", own + 1),
                "#" => (r"\neq ", own + 1),
                "<" => ("<", own + 1),
                ">" => (">", own + 1),
                "<=" => (r"\leq ", own + 1),
                ">=" => (r"\geq ", own + 1),
                "and" => (r"\land ", own + 1),
                "or" => (r"\lor ", own + 1),
                _ => return None,
            };
            bracketed(a, own, out, depth)?;
            out.push_str(sign);
            let negative_follows = own >= 4 && matches!(&**b, Expr::Negative(_));
            bracketed(b, if negative_follows { 10 } else { right }, out, depth)?;
        }
        Expr::Call(name, arguments) => call(name, arguments, out, depth)?,
    }
    Some(())
}

fn call(name: &str, arguments: &[Expr], out: &mut String, depth: usize) -> Option<()> {
    let around = |out: &mut String, open: &str, one: &Expr, close: &str| {
        out.push_str(open);
        write(one, out, depth + 1)?;
        out.push_str(close);
        Some(())
    };
    match (name, arguments) {
        ("sqrt", [x]) => around(out, r"\sqrt{", x, "}"),
        ("root", [x, n]) => {
            around(out, r"\sqrt[", n, "]")?;
            around(out, "{", x, "}")
        }
        ("exp", [x]) => around(out, "e^{", x, "}"),
        ("abs", [x]) => around(out, r"\left|", x, r"\right|"),
        ("floor", [x]) => around(out, r"\lfloor ", x, r"\rfloor "),
        ("ceiling", [x]) => around(out, r"\lceil ", x, r"\rceil "),
        ("lg", [x]) => around(out, r"\log_{10}\left(", x, r"\right)"),
        ("lg" | "logbase" | "log", [x, base]) => {
            around(out, r"\log_{", base, "}")?;
            around(out, r"\left(", x, r"\right)")
        }
        ("binomial", [n, k]) => {
            around(out, r"\binom{", n, "}")?;
            around(out, "{", k, "}")
        }
        ("matrix", rows) => {
            out.push_str(r"\begin{pmatrix}");
            for (index, row) in rows.iter().enumerate() {
                let Expr::List(items) = row else { return None };
                if index > 0 {
                    out.push_str(r"\\");
                }
                for (column, item) in items.iter().enumerate() {
                    if column > 0 {
                        out.push('&');
                    }
                    write(item, out, depth + 1)?;
                }
            }
            out.push_str(r"\end{pmatrix}");
            Some(())
        }
        (name, [x]) => {
            let name = match name {
                "log" => r"\ln",
                "sin" => r"\sin",
                "cos" => r"\cos",
                "tan" => r"\tan",
                "sec" => r"\sec",
                "csc" | "cosec" => r"\csc",
                "cot" => r"\cot",
                "asin" | "arcsin" => r"\arcsin",
                "acos" | "arccos" => r"\arccos",
                "atan" | "arctan" => r"\arctan",
                "sinh" => r"\sinh",
                "cosh" => r"\cosh",
                "tanh" => r"\tanh",
                "coth" => r"\coth",
                _ => return None,
            };
            out.push_str(name);
            around(out, r"\left(", x, r"\right)")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::maxima::expression;
    use super::latex;

    #[test]
    fn structure_survives() {
        for (maxima, tex) in [
            ("-(a+b)*c", r"-\left(a+b\right)\cdot c"),
            ("a-(b-c)", r"a-\left(b-c\right)"),
            ("2*-x", r"2\cdot \left(-x\right)"),
            ("(-2)^2", r"\left(-2\right)^{2}"),
            ("sin(x)^2/x_1", r"\frac{\left(\sin\left(x\right)\right)^{2}}{x_{1}}"),
            ("%pi*theta*x1", r"\pi\cdot \theta\cdot x_{1}"),
            ("{1,-2}", r"\left\{1, -2\right\}"),
            ("x=1 or x=2", r"x=1\lor x=2"),
            ("1.5e3", r"\left(1.5\cdot 10^{3}\right)"),
        ] {
            assert_eq!(expression(maxima).and_then(|value| latex(&value)).as_deref(), Some(tex), "{maxima}");
        }
        for unknown in ["foo(x)", "speed", "\"text\"", "%gamma"] {
            assert_eq!(expression(unknown).and_then(|value| latex(&value)), None, "{unknown}");
        }
    }
}
