//! Expressions that Maxima keeps in the form in which they are written.

use super::maxima::Expr;
use super::values::{depends, numeric};

/// The trigonometric functions and their inverse functions whose calls Maxima usually keeps as written.
const TRIGONOMETRIC: &[&str] = &["sin", "cos", "tan", "sec", "csc", "cot", "asin", "acos", "atan"];

/// Returns whether Maxima keeps a call with this argument as written.
///
/// It computes values such as `sqrt(4)`, `sin(0)` and `log(%e^x)`, and takes signs and factors out of some functions.
pub(super) fn stays(name: &str, argument: &Expr) -> bool {
    let trigonometric = TRIGONOMETRIC.contains(&name);
    if !trigonometric && !matches!(name, "sqrt" | "exp" | "log" | "ln" | "abs") {
        return false;
    }
    match argument {
        Expr::Number(text) => text.parse::<u32>().is_ok_and(|number| match name {
            "sqrt" => number > 1 && (2..=number.isqrt()).all(|root| number % (root * root) != 0),
            "exp" | "log" | "ln" | "asin" | "acos" | "atan" => number > 1,
            _ => trigonometric && number > 0,
        }),
        Expr::Name(constant) if matches!(constant.as_str(), "%pi" | "pi") => !trigonometric && name != "abs",
        Expr::Name(constant) if matches!(constant.as_str(), "%e" | "e") => {
            !matches!(name, "log" | "ln" | "abs")
        }
        constant if numeric(constant).is_some() => false,
        Expr::Negative(_) => matches!(name, "exp" | "sqrt" | "log" | "ln"),
        Expr::Call(inner, _) => match name {
            "exp" => !matches!(inner.as_str(), "log" | "ln"),
            "log" | "ln" => !matches!(inner.as_str(), "exp" | "sqrt"),
            "abs" => !matches!(inner.as_str(), "exp" | "abs" | "sqrt"),
            "sqrt" => inner != "exp",
            _ => !TRIGONOMETRIC.contains(&inner.as_str()),
        },
        Expr::Binary("^", ..) => !matches!(name, "sqrt" | "log" | "ln" | "abs"),
        Expr::Binary("*" | "/", a, b) if matches!(name, "sqrt" | "abs") => {
            numeric(a).is_none() && numeric(b).is_none()
        }
        other => !trigonometric || !(depends(other, "%pi") || depends(other, "pi")),
    }
}

/// Returns whether `a/b` is a reduced fraction of integers with a denominator above 1.
pub(super) fn is_reduced(a: &Expr, b: &Expr) -> bool {
    let whole = |expr: &Expr| match expr {
        Expr::Number(text) => text.parse::<u64>().ok(),
        Expr::Negative(inner) => match &**inner {
            Expr::Number(text) => text.parse::<u64>().ok(),
            _ => None,
        },
        _ => None,
    };
    let (Some(mut a), Some(mut b)) = (whole(a), whole(b)) else { return false };
    if b < 2 {
        return false;
    }
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

#[cfg(test)]
mod tests {
    use super::super::maxima::expression;
    use super::super::values::Values;

    #[test]
    fn functions_of_constants_are_computed() {
        let values = Values::new(Vec::new(), None, true);
        for text in [
            "sqrt(4)",
            "sqrt(8)",
            "sqrt(1/2)",
            "sqrt(4*x)",
            "sqrt(x^2)",
            "sin(0)",
            "cos(%pi)",
            "sin(x+%pi)",
            "sin(-x)",
            "exp(0)",
            "exp(1)",
            "exp(log(x))",
            "log(1)",
            "log(x^2)",
            "abs(-3)",
            "abs(2)",
            "atan(1)",
            "sin(asin(x))",
            "x+sqrt(9)",
            "sqrt(2.5)",
            "'2+'3",
            "exp('log(x))",
        ] {
            assert!(values.is_computed(&expression(text).unwrap()), "{text}");
        }
        for text in [
            "sqrt(2)",
            "sqrt(6)",
            "sqrt(x)",
            "sqrt(x+1)",
            "sqrt(%pi)",
            "sin(x)",
            "cos(2*x)",
            "sin(1)",
            "exp(x)",
            "exp(-x)",
            "exp(2)",
            "log(2)",
            "log(x+1)",
            "log(abs(x))",
            "abs(x)",
            "abs(x-1)",
            "atan(2)",
            "sin(log(x))",
            "'x",
            "2*('x+1)",
        ] {
            assert!(!values.is_computed(&expression(text).unwrap()), "{text}");
        }
    }
}
