//! Moodle XML: one `question` element per question, in a common `quiz`.

use std::fmt::Write as _;

use fablegrade_public::{Decimal, Ratio};

use super::{
    BankItem, Key, Shape, blanks_lost, fraction, many_lost, score_loss, shape, share, weight_percent,
};
use crate::loss::Loss;
use crate::text::escaped;

fn paragraphs(text: &str) -> String {
    super::html::paragraphs(text, true)
}

fn html(name: &str, text: &str) -> String {
    format!("  <{name} format=\"html\"><text>{}</text></{name}>\n", escaped(&paragraphs(text)))
}

fn answer(fraction: &str, text: &str, feedback: Option<&str>, inside: &str) -> String {
    let feedback = feedback.map(|text| {
        format!("<feedback format=\"html\"><text>{}</text></feedback>", escaped(&paragraphs(text)))
    });
    format!(
        "  <answer fraction=\"{fraction}\" format=\"html\"><text>{}</text>{}{inside}</answer>\n",
        escaped(text),
        feedback.unwrap_or_default()
    )
}

/// Returns `100 / count`, as spelled in Moodle's list of fractions if it is in the list.
fn percent(count: usize) -> String {
    match count {
        3 => "33.33333".into(),
        6 => "16.66667".into(),
        7 => "14.28571".into(),
        9 => "11.11111".into(),
        count => share(&format!("100/{}", count.max(1))).0,
    }
}

/// Returns a share in percent, as spelled in Moodle's list of fractions if it is in the list.
///
/// Any other share is reported as a loss, because Moodle's import rounds or rejects it.
fn listed(weight: &Ratio, losses: &mut Vec<Loss>) -> String {
    let text = weight.to_fraction_text();
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", text.as_str()),
    };
    let rounded = [
        ("1/3", "33.33333"),
        ("2/3", "66.66667"),
        ("1/6", "16.66667"),
        ("5/6", "83.33333"),
        ("1/7", "14.28571"),
        ("1/9", "11.11111"),
    ];
    if let Some((_, percent)) = rounded.iter().find(|(fraction, _)| *fraction == size) {
        return format!("{sign}{percent}");
    }
    let known = [
        "0", "1", "9/10", "4/5", "3/4", "7/10", "3/5", "1/2", "2/5", "3/10", "1/4", "1/5", "1/8", "1/10",
        "1/20",
    ];
    if !known.contains(&size) {
        losses.push(score_loss(
            "/spec/validator/config",
            "fraction-list",
            "this share is not in the list of fractions; the import rounds it or refuses it",
            "use a share of the list",
        ));
    }
    weight_percent(&text, "use weights of the list of fractions", losses)
}

pub(super) fn write(item: &BankItem, losses: &mut Vec<Loss>) -> Result<String, Loss> {
    let shape = shape(&item.spec, losses)?;
    let (kind, inside) = inside(shape, losses);
    let mut out = format!("<question type=\"{kind}\">\n");
    let _ = writeln!(out, "  <name><text>{}</text></name>", escaped(&item.title));
    out.push_str(&html("questiontext", &item.prompt));
    let _ = writeln!(
        out,
        "  <defaultgrade>1</defaultgrade>\n  <penalty>0</penalty>\n  <idnumber>{}</idnumber>",
        escaped(&item.id)
    );
    out.push_str(&inside);
    out.push_str("</question>\n");
    Ok(out)
}

fn inside(shape: Shape, losses: &mut Vec<Loss>) -> (&'static str, String) {
    let mut out = String::new();
    match shape {
        Shape::Choice { options, multiple, partial, shuffle } => {
            let right = options.iter().filter(|option| option.correct).count();
            if multiple && !partial {
                losses.push(score_loss(
                    "/spec/partialCredit",
                    "all-or-nothing",
                    "a partly right selection earns part of the score in the exported question",
                    "allow partial credit",
                ));
            }
            let _ = writeln!(
                out,
                "  <single>{}</single>\n  <shuffleanswers>{shuffle}</shuffleanswers>\n  <answernumbering>abc</answernumbering>",
                !multiple
            );
            for option in &options {
                let fraction = match (option.correct, multiple) {
                    (true, true) => percent(right),
                    (true, false) => "100".into(),
                    (false, true) => format!("-{}", percent(right)),
                    (false, false) => "0".into(),
                };
                out.push_str(&answer(
                    &fraction,
                    &paragraphs(&option.content),
                    option.feedback.as_deref(),
                    "",
                ));
            }
            ("multichoice", out)
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
            let half = |a: &Decimal, b: &Decimal| a.add(b).multiply(&Decimal::new(5, -1));
            let (value, tolerance) = match key {
                Key::Value(value) => (value, Decimal::zero()),
                Key::Absolute(value, amount) => (value, amount),
                Key::Relative(value, amount) => {
                    let amount = value.abs().multiply(&amount);
                    (value, amount)
                }
                Key::Range(min, max) => (half(&min, &max), half(&max, &min.negate())),
            };
            out.push_str(&answer(
                "100",
                &value.to_string(),
                None,
                &format!("<tolerance>{tolerance}</tolerance>"),
            ));
            ("numerical", out)
        }
        Shape::Texts { answers, ignore_case, trim } => {
            blanks_lost(trim, losses);
            let _ = writeln!(out, "  <usecase>{}</usecase>", u8::from(!ignore_case));
            for one in answers {
                let share = fraction(&one.weight).unwrap_or_else(Ratio::zero);
                let text = if one.wildcard { one.text } else { one.text.replace('*', "\\*") };
                out.push_str(&answer(&listed(&share, losses), &text, None, ""));
            }
            ("shortanswer", out)
        }
        Shape::Order { items, correct, credit } => {
            let grading = match credit.as_str() {
                "adjacent_pairs" => "RELATIVE_NEXT_EXCLUDE_LAST",
                "longest_subsequence" => "LONGEST_ORDERED_SUBSET",
                _ => "ALL_OR_NOTHING",
            };
            if grading == "LONGEST_ORDERED_SUBSET" {
                losses.push(score_loss(
                    "/spec/partialCredit",
                    "order-credit",
                    "a run of one item earns nothing in the exported question",
                    "check partly right orders",
                ));
            }
            let _ = writeln!(
                out,
                "  <layouttype>VERTICAL</layouttype>\n  <selecttype>ALL</selecttype>\n  <selectcount>0</selectcount>\n  <gradingtype>{grading}</gradingtype>\n  <showgrading>SHOW</showgrading>"
            );
            for id in &correct {
                let content = items.iter().find(|(other, _)| other == id).map_or("", |(_, content)| content);
                out.push_str(&answer("1", &paragraphs(content), None, ""));
            }
            ("ordering", out)
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
            out.push_str("  <shuffleanswers>true</shuffleanswers>\n");
            let content = |list: &[(String, String)], id: &str| {
                list.iter()
                    .find(|(other, _)| other == id)
                    .map(|(_, content)| content.clone())
                    .unwrap_or_default()
            };
            let sub = |question: &str, answer: &str| {
                format!(
                    "  <subquestion format=\"html\"><text>{}</text><answer><text>{}</text></answer></subquestion>\n",
                    escaped(&paragraphs(question)),
                    escaped(answer)
                )
            };
            for (a, b) in &pairs {
                out.push_str(&sub(&content(&left, a), &content(&right, b)));
            }
            for (id, text) in &right {
                if !pairs.iter().any(|(_, used)| used == id) {
                    out.push_str(&sub("", text));
                }
            }
            if left.iter().any(|(id, _)| !pairs.iter().any(|(used, _)| used == id)) {
                losses.push(score_loss(
                    "/spec/left",
                    "no-partner",
                    "left items without a partner are left out",
                    "give them one",
                ));
            }
            ("matching", out)
        }
        Shape::Weighted { options, most, shuffle } => {
            if most.is_some_and(|most| most > 1) {
                losses.push(score_loss(
                    "/spec/validator/config/most",
                    "most",
                    "the exported question allows any number of options to be selected",
                    "keep the bank",
                ));
            }
            let _ = writeln!(
                out,
                "  <single>{}</single>\n  <shuffleanswers>{shuffle}</shuffleanswers>\n  <answernumbering>abc</answernumbering>",
                most == Some(1)
            );
            for (_, content, weight) in &options {
                out.push_str(&answer(&listed(weight, losses), &paragraphs(content), None, ""));
            }
            ("multichoice", out)
        }
        Shape::Prose => {
            out.push_str("  <responseformat>editor</responseformat>\n  <responserequired>1</responserequired>\n  <responsefieldlines>15</responsefieldlines>\n  <attachments>0</attachments>\n");
            ("essay", out)
        }
    }
}
