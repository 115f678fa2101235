//! QTI 3.0: one file per item.

use std::fmt::Write as _;

use fablegrade_public::{Decimal, Ratio};

use super::{BankItem, Key, Shape, decimal_share, display_loss, score_loss, shape};
use crate::loss::Loss;
use crate::text::escaped;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<qti-assessment-item xmlns=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0\" \
xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0 \
https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd\"";

const TEMPLATES: &str = "https://purl.imsglobal.org/spec/qti/v3p0/rptemplates";

/// The parts of an item that depend on the question type.
struct Pieces {
    declaration: String,
    body: String,
    processing: String,
    most: String,
}

fn template(name: &str) -> String {
    format!("  <qti-response-processing template=\"{TEMPLATES}/{name}.xml\"/>\n")
}

fn declaration(cardinality: &str, base: &str, correct: &[String], mapping: Option<String>) -> String {
    let mut out = format!(
        "  <qti-response-declaration identifier=\"RESPONSE\" cardinality=\"{cardinality}\" base-type=\"{base}\">\n"
    );
    if !correct.is_empty() {
        out.push_str("    <qti-correct-response>");
        for value in correct {
            let _ = write!(out, "<qti-value>{}</qti-value>", escaped(value));
        }
        out.push_str("</qti-correct-response>\n");
    }
    if let Some(mapping) = mapping {
        out.push_str(&mapping);
    }
    out.push_str("  </qti-response-declaration>\n");
    out
}

fn mapping(entries: &[(String, String)], bounds: &str, case: Option<bool>) -> String {
    let mut out = format!("    <qti-mapping default-value=\"0\"{bounds}>");
    for (key, value) in entries {
        let case = case.map(|sensitive| format!(" case-sensitive=\"{sensitive}\"")).unwrap_or_default();
        let _ = write!(out, "<qti-map-entry map-key=\"{}\" mapped-value=\"{value}\"{case}/>", escaped(key));
    }
    out.push_str("</qti-mapping>\n");
    out
}

/// Returns an identifier for QTI, which starts with a letter or `_`.
fn name(id: &str) -> String {
    if id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        id.to_owned()
    } else {
        format!("_{id}")
    }
}

pub(super) fn write(item: &BankItem, losses: &mut Vec<Loss>) -> Result<String, Loss> {
    let shape = shape(&item.spec, losses)?;
    let shape = match shape {
        Shape::Texts { answers, ignore_case, trim } => {
            Shape::Texts { answers: super::without_wildcards(answers, losses)?, ignore_case, trim }
        }
        shape => shape,
    };
    let pieces = pieces(shape, losses);
    let identifier: String = item
        .id
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .collect();
    if identifier != item.id {
        losses.push(Loss {
            effect: crate::loss::Effect::Metadata,
            ..score_loss(
                "/item",
                "identifier",
                "the id is changed to the alphabet of the format",
                "keep a table",
            )
        });
    }
    let mut out = format!(
        "{HEAD} identifier=\"{}\" title=\"{}\" adaptive=\"false\" time-dependent=\"false\">\n",
        escaped(&name(&identifier)),
        escaped(&item.title)
    );
    out.push_str(&pieces.declaration);
    out.push_str("  <qti-outcome-declaration identifier=\"SCORE\" cardinality=\"single\" base-type=\"float\"><qti-default-value><qti-value>0</qti-value></qti-default-value></qti-outcome-declaration>\n");
    let _ = writeln!(
        out,
        "  <qti-outcome-declaration identifier=\"MAXSCORE\" cardinality=\"single\" base-type=\"float\"><qti-default-value><qti-value>{}</qti-value></qti-default-value></qti-outcome-declaration>",
        pieces.most
    );
    let _ = writeln!(
        out,
        "  <qti-item-body>\n    {}\n{}  </qti-item-body>",
        super::html::paragraphs(&item.prompt, false),
        pieces.body
    );
    out.push_str(&pieces.processing);
    out.push_str("</qti-assessment-item>\n");
    Ok(out)
}

fn pieces(shape: Shape, losses: &mut Vec<Loss>) -> Pieces {
    let one = || "1".to_owned();
    match shape {
        Shape::Choice { options, multiple, partial, shuffle } => {
            if options.iter().any(|option| option.feedback.is_some()) {
                losses.push(display_loss("/spec/choices", "feedback", "feedback of choices is left out"));
            }
            let correct: Vec<String> =
                options.iter().filter(|option| option.correct).map(|option| name(&option.id)).collect();
            let partial = partial && multiple;
            let several = !multiple && correct.len() > 1;
            let points = |option: &super::Choice| {
                if option.correct {
                    "1".to_owned()
                } else if several {
                    "0".to_owned()
                } else {
                    "-1".to_owned()
                }
            };
            let map = (partial || several).then(|| {
                let entries: Vec<(String, String)> =
                    options.iter().map(|option| (name(&option.id), points(option))).collect();
                mapping(
                    &entries,
                    &if several {
                        String::new()
                    } else {
                        format!(" lower-bound=\"0\" upper-bound=\"{}\"", correct.len())
                    },
                    None,
                )
            });
            let mut body = format!(
                "    <qti-choice-interaction response-identifier=\"RESPONSE\" shuffle=\"{shuffle}\" max-choices=\"{}\">\n",
                u8::from(!multiple)
            );
            for option in &options {
                let _ = writeln!(
                    body,
                    "      <qti-simple-choice identifier=\"{}\">{}</qti-simple-choice>",
                    name(&option.id),
                    super::html::content(&option.content)
                );
            }
            body.push_str("    </qti-choice-interaction>\n");
            let key = if several { &correct[..1] } else { &correct[..] };
            Pieces {
                most: if partial { correct.len().to_string() } else { one() },
                processing: template(if map.is_some() { "map_response" } else { "match_correct" }),
                declaration: declaration(
                    if multiple { "multiple" } else { "single" },
                    "identifier",
                    key,
                    map,
                ),
                body,
            }
        }
        Shape::Number { key, integer } => number(&key, integer),
        Shape::Texts { answers, ignore_case, .. } => {
            let entries: Vec<(String, String)> =
                answers.iter().map(|one| (one.text.clone(), decimal_share(&one.weight, losses))).collect();
            let best =
                answers.iter().find(|one| one.weight == "1").or(answers.first()).map(|one| one.text.clone());
            Pieces {
                declaration: declaration(
                    "single",
                    "string",
                    &best.into_iter().collect::<Vec<_>>(),
                    Some(mapping(&entries, "", Some(!ignore_case))),
                ),
                body: "    <p><qti-text-entry-interaction response-identifier=\"RESPONSE\"/></p>\n".into(),
                processing: template("map_response"),
                most: one(),
            }
        }
        Shape::Order { items, correct, credit } => {
            if credit != "none" {
                losses.push(score_loss(
                    "/spec/partialCredit",
                    "partial-credit",
                    "a partly right order earns nothing",
                    "keep the bank",
                ));
            }
            let correct: Vec<String> = correct.iter().map(|id| name(id)).collect();
            let mut body = String::from(
                "    <qti-order-interaction response-identifier=\"RESPONSE\" shuffle=\"true\">\n",
            );
            for (id, content) in &items {
                let _ = writeln!(
                    body,
                    "      <qti-simple-choice identifier=\"{}\">{}</qti-simple-choice>",
                    name(id),
                    escaped(content)
                );
            }
            body.push_str("    </qti-order-interaction>\n");
            Pieces {
                declaration: declaration("ordered", "identifier", &correct, None),
                body,
                processing: template("match_correct"),
                most: one(),
            }
        }
        Shape::Pairs { left, right, pairs, partial, many } => {
            let (l, r): (std::collections::BTreeSet<&String>, std::collections::BTreeSet<&String>) =
                (left.iter().map(|one| &one.0).collect(), right.iter().map(|one| &one.0).collect());
            let clash = l.intersection(&r).next().is_some();
            let right_name = |id: &str| if clash { format!("right_{id}") } else { name(id) };
            let left_name = |id: &str| if clash { format!("left_{id}") } else { name(id) };
            let correct: Vec<String> =
                pairs.iter().map(|(a, b)| format!("{} {}", left_name(a), right_name(b))).collect();
            let map = partial.then(|| {
                let entries: Vec<(String, String)> =
                    correct.iter().map(|pair| (pair.clone(), "1".to_owned())).collect();
                mapping(&entries, "", None)
            });
            let mut body = format!(
                "    <qti-match-interaction response-identifier=\"RESPONSE\" shuffle=\"true\" max-associations=\"{}\">\n",
                left.len()
            );
            for (set, bound, naming) in
                [(&left, 1, &left_name as &dyn Fn(&str) -> String), (&right, usize::from(!many), &right_name)]
            {
                body.push_str("      <qti-simple-match-set>\n");
                for (id, content) in set {
                    let _ = writeln!(
                        body,
                        "        <qti-simple-associable-choice identifier=\"{}\" match-max=\"{bound}\">{}</qti-simple-associable-choice>",
                        naming(id),
                        escaped(content)
                    );
                }
                body.push_str("      </qti-simple-match-set>\n");
            }
            body.push_str("    </qti-match-interaction>\n");
            let processing = template(if map.is_some() { "map_response" } else { "match_correct" });
            let most = if partial { pairs.len().to_string() } else { one() };
            Pieces {
                declaration: declaration("multiple", "directedPair", &correct, map),
                body,
                processing,
                most,
            }
        }
        Shape::Weighted { options, most, shuffle } => {
            let least_common = whole_points(&options);
            let entries: Vec<(String, String)> = options
                .iter()
                .map(|(id, _, weight)| {
                    let scaled = weight.times(&Ratio::new(least_common.unwrap_or(1), 1));
                    (name(id), super::decimal_weight(&scaled, losses))
                })
                .collect();
            let full = least_common.unwrap_or(1).to_string();
            let single = most == Some(1);
            let best = options.iter().filter(|one| one.2 > Ratio::zero());
            let mut best: Vec<&(String, String, Ratio)> = best.collect();
            best.sort_by(|a, b| b.2.cmp(&a.2));
            let best: Vec<String> = best
                .iter()
                .take(most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX)))
                .map(|one| name(&one.0))
                .collect();
            let mut body = format!(
                "    <qti-choice-interaction response-identifier=\"RESPONSE\" shuffle=\"{shuffle}\" max-choices=\"{}\">\n",
                most.unwrap_or(0)
            );
            for (id, content, _) in &options {
                let _ = writeln!(
                    body,
                    "      <qti-simple-choice identifier=\"{}\">{}</qti-simple-choice>",
                    name(id),
                    super::html::content(content)
                );
            }
            body.push_str("    </qti-choice-interaction>\n");
            let bounds = format!(" lower-bound=\"0\" upper-bound=\"{full}\"");
            Pieces {
                declaration: declaration(
                    if single { "single" } else { "multiple" },
                    "identifier",
                    &best,
                    Some(mapping(&entries, &bounds, None)),
                ),
                body,
                processing: template("map_response"),
                most: full,
            }
        }
        Shape::Prose => Pieces {
            declaration: declaration("single", "string", &[], None),
            body: "    <qti-extended-text-interaction response-identifier=\"RESPONSE\"/>\n".into(),
            processing: String::new(),
            most: one(),
        },
    }
}

/// Returns the least maximum score that makes every weight an integer; `None` if it exceeds 1,000.
fn whole_points(options: &[(String, String, Ratio)]) -> Option<i64> {
    (1..=1_000).find(|points| {
        let points = Ratio::new(*points, 1);
        options.iter().all(|one| !one.2.times(&points).to_fraction_text().contains('/'))
    })
}

fn number(key: &Key, integer: bool) -> Pieces {
    let base = if integer { "integer" } else { "float" };
    let variable = "<qti-variable identifier=\"RESPONSE\"/>";
    let correct = "<qti-correct identifier=\"RESPONSE\"/>";
    let equal = |mode: &str| format!("<qti-equal tolerance-mode=\"{mode}\">{correct}{variable}</qti-equal>");
    let (values, condition): (Vec<String>, String) = match key {
        Key::Value(value) => (vec![value.to_string()], equal("exact")),
        Key::Absolute(value, amount) => {
            (vec![value.to_string()], equal(&format!("absolute\" tolerance=\"{amount} {amount}")))
        }
        Key::Relative(value, amount) => {
            let percent = amount.multiply(&Decimal::from(100));
            (vec![value.to_string()], equal(&format!("relative\" tolerance=\"{percent} {percent}")))
        }
        Key::Range(min, max) => {
            let bound = |operator: &str, value: &Decimal| {
                format!(
                    "<qti-{operator}>{variable}<qti-base-value base-type=\"float\">{value}</qti-base-value></qti-{operator}>"
                )
            };
            (Vec::new(), format!("<qti-and>{}{}</qti-and>", bound("gte", min), bound("lte", max)))
        }
    };
    let set = |value: &str| {
        format!(
            "<qti-set-outcome-value identifier=\"SCORE\"><qti-base-value base-type=\"float\">{value}</qti-base-value></qti-set-outcome-value>"
        )
    };
    let processing = format!(
        "  <qti-response-processing>\n    <qti-response-condition><qti-response-if>{condition}{}</qti-response-if><qti-response-else>{}</qti-response-else></qti-response-condition>\n  </qti-response-processing>\n",
        set("1"),
        set("0")
    );
    Pieces {
        declaration: declaration("single", base, &values, None),
        body: "    <p><qti-text-entry-interaction response-identifier=\"RESPONSE\"/></p>\n".into(),
        processing,
        most: "1".into(),
    }
}
