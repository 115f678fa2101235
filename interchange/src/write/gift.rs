//! GIFT: one paragraph per question.

use std::fmt::Write as _;

use super::{
    BankItem, Key, Shape, blanks_lost, display_loss, html, many_lost, score_loss, shape, share,
    weight_percent,
};
use crate::loss::Loss;

/// Escapes the special characters of GIFT.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '~' | '=' | '#' | '{' | '}' | ':' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out
}

/// Escapes a text that is read as HTML and may begin with a format such as `[html]`.
fn rich(text: &str) -> String {
    if html::paragraphs(text, true) != html::literal(text) {
        return format!("[html]{}", escaped(&html::paragraphs(text, true)));
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        match c {
            '<' if next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?') => out.push_str("&lt;"),
            '&' if next.is_ascii_alphabetic() || next == '#' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    // Without a format, Moodle would read the leading bracket as one. `[moodle]` names the default, so the format stays
    // the same.
    let format = if out.trim_start().starts_with('[') { "[moodle]" } else { "" };
    format!("{format}{}", escaped(&out))
}

/// Returns the content of an item.
fn content<'l>(list: &'l [(String, String)], id: &str) -> &'l str {
    list.iter().find(|(other, _)| other == id).map_or("", |(_, content)| content)
}

/// Returns a typed text; its stars match any characters only with `wildcard`.
fn text_of(text: &str, wildcard: bool) -> String {
    if wildcard {
        return text.split("\\*").map(escaped).collect::<Vec<_>>().join("\\*");
    }
    escaped(text).replace('*', "\\*")
}

fn percent(count: usize) -> String {
    share(&format!("100/{}", count.max(1))).0
}

/// Reports a loss if the spec fixes the order of the options.
fn order_lost(shuffle: bool, pointer: &str, losses: &mut Vec<Loss>) {
    if !shuffle {
        losses.push(display_loss(pointer, "shuffle", "the exported question shuffles the options"));
    }
}

pub(super) fn write(item: &BankItem, losses: &mut Vec<Loss>) -> Result<String, Loss> {
    let shape = shape(&item.spec, losses)?;
    let mut out = format!(
        "// [id:{}]\n::{}::{}",
        item.id.replace(['[', ']', '\n'], " "),
        escaped(&item.title),
        rich(&item.prompt)
    );
    out.push_str(" {");
    match shape {
        Shape::Choice { options, multiple, partial, shuffle } => {
            order_lost(shuffle, "/spec/shuffleChoices", losses);
            let right = options.iter().filter(|option| option.correct).count();
            if multiple && !partial {
                losses.push(score_loss(
                    "/spec/partialCredit",
                    "all-or-nothing",
                    "a partly right selection earns part of the score in the exported question",
                    "allow partial credit",
                ));
            }
            out.push('\n');
            for option in &options {
                let mark = match (multiple, option.correct) {
                    (false, true) => "=".to_owned(),
                    (false, false) => "~".to_owned(),
                    (true, true) => format!("~%{}%", percent(right)),
                    (true, false) => format!("~%-{}%", percent(right)),
                };
                let _ = write!(out, "  {mark}{}", rich(&option.content));
                if let Some(feedback) = &option.feedback {
                    let _ = write!(out, "#{}", rich(feedback));
                }
                out.push('\n');
            }
        }
        Shape::Number { key, integer } => {
            if integer {
                losses.push(score_loss(
                    "/spec/integerOnly",
                    "integer-only",
                    "the exported question accepts other numbers within the tolerance",
                    "state it in the prompt",
                ));
            }
            match key {
                Key::Value(value) => {
                    let _ = write!(out, "#{value}");
                }
                Key::Absolute(value, amount) => {
                    let _ = write!(out, "#{value}:{amount}");
                }
                Key::Relative(value, amount) => {
                    let _ = write!(out, "#{value}:{}", value.abs().multiply(&amount));
                }
                Key::Range(min, max) => {
                    let _ = write!(out, "#{min}..{max}");
                }
            }
        }
        Shape::Texts { answers, ignore_case, trim } => {
            blanks_lost(trim, losses);
            if !ignore_case {
                losses.push(score_loss(
                    "/spec/validator/config/ignoreCase",
                    "case",
                    "case does not count in the exported question",
                    "keep the bank",
                ));
            }
            for super::Accepted { text, weight, wildcard, .. } in answers {
                let share = weight_percent(&weight, "use weights with at most ten decimal places", losses);
                let mark = if share == "100" { String::new() } else { format!("%{share}%") };
                // In GIFT, an unescaped `*` matches any text.
                let format = if text.trim_start().starts_with('[') { "[moodle]" } else { "" };
                let _ = write!(out, "={mark}{format}{} ", text_of(&text, wildcard));
            }
        }
        Shape::Pairs { left, right, pairs, partial, many } => {
            many_lost(many, losses);
            if !partial {
                losses.push(score_loss(
                    "/spec/partialCredit",
                    "all-or-nothing",
                    "right pairs earn part of the score in the exported question",
                    "allow partial credit",
                ));
            }
            out.push('\n');
            for (a, b) in &pairs {
                let _ = writeln!(out, "  ={} -> {}", rich(content(&left, a)), escaped(content(&right, b)));
            }
            for (id, text) in &right {
                if !pairs.iter().any(|(_, used)| used == id) {
                    let _ = writeln!(out, "  = -> {}", escaped(text));
                }
            }
        }
        Shape::Weighted { options, most, shuffle } => {
            order_lost(shuffle, "/spec/params/shuffle", losses);
            if most.is_some_and(|most| most > 1) {
                losses.push(score_loss(
                    "/spec/validator/config/most",
                    "most",
                    "the exported question allows any number of options to be selected",
                    "keep the bank",
                ));
            }
            out.push('\n');
            for (_, content, weight) in &options {
                let share = weight_percent(
                    &weight.to_fraction_text(),
                    "use weights with at most ten decimal places",
                    losses,
                );
                let mark = match (share.as_str(), most) {
                    ("100", Some(1)) => "=".to_owned(),
                    ("0", Some(1)) => "~".to_owned(),
                    _ => format!("~%{share}%"),
                };
                let _ = writeln!(out, "  {mark}{}", rich(content));
            }
        }
        Shape::Order { .. } => {
            return Err(score_loss("/spec", "question-type", "GIFT has no ordering", "export Moodle XML"));
        }
        Shape::Prose => {}
    }
    out.push_str("}\n\n");
    Ok(out)
}
