//! Compares inequalities with intervals, sets and other inequalities.

use super::{Comparison, Outcome, renaming};
use crate::profile::Convention;
use crate::reading::split::bracketed;

impl Comparison<'_> {
    /// Compares a set with an inequality, a set in braces with any other text, or inequalities about different names
    /// or about `f(x)`.
    ///
    /// `None` for other pairs, such as two sets, or two inequalities about the same letter.
    pub(super) fn compare_bounds(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        let sets = [is_set(gold), is_set(answer)];
        let statements = [variable(gold), variable(answer)];
        match (sets, statements) {
            ([true, false] | [false, true], _) if gold.starts_with("\\{") || answer.starts_with("\\{") => {
                Some(self.formulas(gold, answer, false))
            }
            ([true, false], [_, Some((name, statement))]) => {
                let member = format!("{name}\\in {gold}");
                Some(self.formulas(&member, &statement, false))
            }
            ([false, true], [Some((name, statement)), _]) => {
                let member = format!("{name}\\in {answer}");
                Some(self.formulas(&statement, &member, false))
            }
            // the same inequality about another name, or about `f(x)`
            ([false, false], [Some((first, a)), Some((second, b))])
                if first != second || a != gold || b != answer =>
            {
                let mut outcome = self.formulas(gold, answer, false);
                let renamed = (a != gold || b != answer) && first == second && self.has(Convention::Names);
                if outcome != Outcome::Same && renamed {
                    outcome = outcome.or(self.under(Convention::Names, |this| this.formulas(&a, &b, false)));
                }
                Some(outcome)
            }
            _ => None,
        }
    }
}

/// Returns whether a text is an interval, a set, or a combination of these.
fn is_set(text: &str) -> bool {
    let text = text.trim();
    let combined = ["\\cup", "\\cap", "\\setminus"].iter().any(|sign| text.contains(sign));
    let interval = bracketed(text).is_some_and(|brackets| brackets.inside.contains(','));
    let known = text.starts_with("\\mathbb{") && !text.contains(['=', '<', '>']);
    let builder = text.starts_with("\\{");
    (combined || interval || known || builder) && (builder || !has_relation(text))
}

fn has_relation(text: &str) -> bool {
    text.contains(['<', '>'])
        || ["\\le", "\\ge", "\\ne"].iter().any(|sign| {
            text.match_indices(sign)
                .any(|(at, _)| !text[at + sign.len()..].starts_with(|c: char| c.is_ascii_alphabetic()))
        })
}

/// Returns the name that an inequality is about, and the inequality with calls such as `f(x)` replaced by
/// `f`.
fn variable(text: &str) -> Option<(char, String)> {
    if !has_relation(text) || text.contains("\\{") {
        return None;
    }
    let mut text = text.to_owned();
    for letter in ['f', 'g', 'h'] {
        for argument in ["(x)", "(t)", "(n)", " (x)"] {
            let call = format!("{letter}{argument}");
            if text.contains(&call) {
                text = text.replace(&call, &letter.to_string());
            }
        }
    }
    let names = renaming::variables(&text);
    if let [only] = names.as_slice() {
        Some((*only, text))
    } else {
        // of several names, the one that starts the text and directly precedes a relation sign
        let first = names.iter().find(|name| {
            let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            compact.starts_with(&format!("{name}<"))
                || compact.starts_with(&format!("{name}>"))
                || compact.starts_with(&format!("{name}\\le"))
                || compact.starts_with(&format!("{name}\\ge"))
        })?;
        Some((*first, text))
    }
}
