//! Conversion of Presentation MathML to LaTeX for display.

use crate::loss::Place;
use crate::xml::{Element, Tree, XmlLimits};

/// Converts a `math` element to `$...$`.
pub(crate) fn from_xml(math: Element<'_>) -> String {
    let mut out = String::from("$");
    row(math, &mut out);
    out.push('$');
    out
}

/// Converts a `math` element in HTML to `$...$`, or to its text without tags if it is not XML within the limits.
pub(crate) fn from_text(text: &str) -> String {
    match Tree::parse_at(text, Place::default(), XmlLimits::default()) {
        Ok(tree) => from_xml(tree.root()),
        Err(_) => {
            let mut out = String::new();
            let mut inside = false;
            for c in text.chars() {
                match c {
                    '<' => inside = true,
                    '>' => inside = false,
                    c if !inside => out.push(c),
                    _ => {}
                }
            }
            out
        }
    }
}

fn row(element: Element<'_>, out: &mut String) {
    for child in element.elements() {
        one(child, out);
    }
}

fn braced(element: Option<Element<'_>>, out: &mut String) {
    out.push('{');
    if let Some(element) = element {
        one(element, out);
    }
    out.push('}');
}

fn one(element: Element<'_>, out: &mut String) {
    let mut parts = element.elements();
    match element.name() {
        "mi" | "mn" | "mo" | "ms" => token(&element.trimmed(), out),
        "mtext" => {
            out.push_str("\\text{");
            out.push_str(&element.trimmed());
            out.push('}');
        }
        "mfrac" => {
            out.push_str("\\frac");
            braced(parts.next(), out);
            braced(parts.next(), out);
        }
        "msqrt" => {
            out.push_str("\\sqrt{");
            row(element, out);
            out.push('}');
        }
        "mroot" => {
            let radicand = parts.next();
            out.push_str("\\sqrt[");
            if let Some(index) = parts.next() {
                one(index, out);
            }
            out.push(']');
            braced(radicand, out);
        }
        name @ ("msup" | "msub" | "mover" | "munder" | "msubsup" | "munderover") => {
            braced(parts.next(), out);
            if !matches!(name, "msup" | "mover") {
                out.push('_');
                braced(parts.next(), out);
            }
            if !matches!(name, "msub" | "munder") {
                out.push('^');
                braced(parts.next(), out);
            }
        }
        "mfenced" => {
            out.push_str(element.attribute("open").unwrap_or("("));
            let mut first = true;
            for part in parts {
                if !first {
                    out.push(',');
                }
                first = false;
                one(part, out);
            }
            out.push_str(element.attribute("close").unwrap_or(")"));
        }
        "mtable" => {
            out.push_str("\\begin{matrix}");
            for line in parts {
                let mut first = true;
                for cell in line.elements() {
                    if !first {
                        out.push('&');
                    }
                    first = false;
                    row(cell, out);
                }
                out.push_str("\\\\");
            }
            out.push_str("\\end{matrix}");
        }
        "mspace" => out.push(' '),
        "annotation" | "annotation-xml" | "mphantom" => {}
        _ => row(element, out),
    }
}

fn token(text: &str, out: &mut String) {
    let known = match text {
        "\u{2062}" | "\u{2061}" | "\u{2063}" => "",
        "×" => "\\times ",
        "÷" => "\\div ",
        "·" | "⋅" => "\\cdot ",
        "−" => "-",
        "±" => "\\pm ",
        "≤" => "\\le ",
        "≥" => "\\ge ",
        "≠" => "\\ne ",
        "∞" => "\\infty ",
        "π" => "\\pi ",
        "α" => "\\alpha ",
        "β" => "\\beta ",
        "θ" => "\\theta ",
        "∫" => "\\int ",
        "∑" => "\\sum ",
        "√" => "\\surd ",
        "→" => "\\to ",
        "{" => "\\{",
        "}" => "\\}",
        "%" => "\\%",
        "$" => "\\$",
        "sin" | "cos" | "tan" | "log" | "ln" | "exp" | "lim" | "max" | "min" => {
            out.push('\\');
            out.push_str(text);
            out.push(' ');
            return;
        }
        other => other,
    };
    out.push_str(known);
}
