//! Derivatives.

use super::maxima::Expr;
use super::values::{MAX_DEPTH, binary, depends, number};

fn function(name: &str, argument: Expr) -> Expr {
    Expr::Call(name.to_owned(), vec![argument])
}

/// Returns the derivative without simplification; `None` if there is no rule for an operation.
pub(super) fn derivative(expr: &Expr, variable: &str, depth: usize) -> Option<Expr> {
    if depth > MAX_DEPTH {
        return None;
    }
    if !depends(expr, variable) {
        return Some(number(0));
    }
    let go = |expr: &Expr| derivative(expr, variable, depth + 1);
    Some(match expr {
        Expr::Name(_) => number(1),
        Expr::Negative(inner) => Expr::Negative(Box::new(go(inner)?)),
        Expr::List(items) => Expr::List(items.iter().map(go).collect::<Option<_>>()?),
        Expr::Binary(operator @ ("+" | "-" | "="), a, b) => binary(operator, go(a)?, go(b)?),
        Expr::Binary("*", a, b) => {
            binary("+", binary("*", go(a)?, (**b).clone()), binary("*", (**a).clone(), go(b)?))
        }
        Expr::Binary("/", a, b) => {
            let above = binary("-", binary("*", go(a)?, (**b).clone()), binary("*", (**a).clone(), go(b)?));
            binary("/", above, binary("^", (**b).clone(), number(2)))
        }
        Expr::Binary("^", base, power) if !depends(power, variable) => {
            let lower = binary("^", (**base).clone(), binary("-", (**power).clone(), number(1)));
            binary("*", binary("*", (**power).clone(), lower), go(base)?)
        }
        Expr::Binary("^", base, power) => {
            let logarithm = match &**base {
                Expr::Name(name) if name == "%e" || name == "e" => number(1),
                base => function("log", base.clone()),
            };
            let mut sum = binary("*", go(power)?, logarithm);
            if depends(base, variable) {
                sum = binary(
                    "+",
                    sum,
                    binary("/", binary("*", (**power).clone(), go(base)?), (**base).clone()),
                );
            }
            binary("*", expr.clone(), sum)
        }
        Expr::Call(name, arguments) => {
            let [x] = arguments.as_slice() else { return None };
            let square = || binary("^", x.clone(), number(2));
            let outer = match name.as_str() {
                "sin" => function("cos", x.clone()),
                "cos" => Expr::Negative(Box::new(function("sin", x.clone()))),
                "tan" => binary("/", number(1), binary("^", function("cos", x.clone()), number(2))),
                "exp" => function("exp", x.clone()),
                "log" => binary("/", number(1), x.clone()),
                "sqrt" => binary("/", number(1), binary("*", number(2), function("sqrt", x.clone()))),
                "sinh" => function("cosh", x.clone()),
                "cosh" => function("sinh", x.clone()),
                "asin" => binary("/", number(1), function("sqrt", binary("-", number(1), square()))),
                "atan" => binary("/", number(1), binary("+", number(1), square())),
                _ => return None,
            };
            binary("*", outer, go(x)?)
        }
        _ => return None,
    })
}
