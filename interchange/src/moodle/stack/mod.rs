//! STACK questions whose response trees test equality, a form, a number or a text. A random question becomes one item
//! per deployed variant.
//!
//! Each response tree over a single input becomes a part. The tree is evaluated for every kind of answer that its tests
//! distinguish, such as unequal, equal in another form and equal in the form. A rule of the item model must give the
//! same scores.

mod derivative;
mod form;
mod latex;
mod maxima;
mod numbers;
mod random;
mod tree;
mod values;

use fablegrade_public::{Decimal, Ratio};

use self::maxima::Expr;
use self::tree::{Rule, Tree, Visits};
use self::values::Values;
use super::question::{Question, normal_number};
use super::xml::{Reading, plain_text};
use crate::item::{
    Formula, Interaction, Item, NumberAnswer, NumberEntry, NumberRange, Part, SameFormula, TextAnswer,
    TextEntry, TextForm, Whitespace,
};
use crate::loss::{Loss, Place};
use crate::xml::Element;

/// Converts an answer that a learner typed to LaTeX.
pub(super) fn latex_of(answer: &str) -> Option<String> {
    latex::latex(&maxima::expression(answer)?)
}

/// The types of inputs whose answers are expressions.
const EXPRESSIONS: &[&str] = &["algebraic", "numerical", "singlechar", "boolean", "matrix", "varmatrix"];

/// The maximum number of variants of a question.
const MAX_VARIANTS: usize = 1_000;

/// The maximum total length of the texts of all variants of a question, in bytes.
const MAX_VARIANT_TEXTS: usize = 16 << 20;

/// The maximum number of inputs and of response trees of a question.
const MAX_INPUTS: usize = 100;

/// Emits the items of a STACK question: one, or one per deployed variant of a random question. A random question
/// becomes one item without parts if it has no deployed variants, or if none of them has parts.
pub(super) fn items(reading: &Reading<'_>, question: Question, id: &str, take: &mut dyn FnMut(Item)) {
    let variables = reading.root.child("questionvariables").map(plain_text).unwrap_or_default();
    let statements = maxima::statements(&variables);
    let simplifies = reading.value("questionsimplify").is_none_or(|flag| flag != "0");
    let values = Values::new(statements.clone(), None, simplifies);
    let visits = Visits::new();
    if !values.random {
        return take(item(reading, question, id, &values, &visits));
    }
    let deployed = reading.root.named("deployedseed");
    let seeds: Vec<Option<u32>> = deployed.map(|element| element.trimmed().parse().ok()).collect();
    let left_out = seeds.iter().filter(|seed| seed.is_none()).count();
    let mut seeds: Vec<u32> = seeds.into_iter().flatten().collect();
    // Variants copy the names of embedded files, but not their contents.
    let files = reading.root.outermost(|element| element.name() == "file");
    let texts = reading.root.text().len() - files.map(|file| file.text().len()).sum::<usize>();
    let most = (MAX_VARIANT_TEXTS / texts.max(1)).clamp(1, MAX_VARIANTS);
    let left_out = left_out + seeds.len().saturating_sub(most);
    seeds.truncate(most);
    let variant = |seed: u32| {
        let values = Values::new(statements.clone(), Some(seed), simplifies);
        item(reading, question.clone(), id, &values, &visits)
    };
    let mut first = seeds.first().map(|seed| variant(*seed));
    if let Some(first) = first.as_mut().filter(|_| left_out > 0) {
        let message = format!(
            "{left_out} deployed variants are left out: a question of this size can have {most}, and a seed is a \
             number from 0 to {}",
            u32::MAX
        );
        let place = reading.place.clone();
        first.losses.push(Loss::display(
            place,
            "variants-left-out",
            message,
            "shorten the question, or deploy fewer variants",
        ));
    }
    if let Some(unread) = first.take_if(|item| item.parts.is_empty()) {
        if seeds[1..].iter().all(|seed| variant(*seed).parts.is_empty()) {
            return take(unread);
        }
        first = Some(unread);
    }
    for seed in &seeds {
        let mut item = first.take().unwrap_or_else(|| variant(*seed));
        item.id = format!("{id}@{seed}");
        let separator = if item.title.is_empty() { "" } else { " " };
        item.title.push_str(&format!("{separator}[seed {seed}]"));
        item.metadata.push(("variant-of".to_owned(), id.to_owned()));
        item.metadata.push(("seed".to_owned(), seed.to_string()));
        take(item);
    }
    if seeds.is_empty() {
        let mut item = text(reading, question, id, &values);
        item.losses.push(Loss::score(
            reading.place.clone(),
            "random",
            "the question is made anew for each learner, and no variant is deployed",
            "deploy variants, and export again",
        ));
        take(item);
    }
}

/// Returns the item of a question or of one of its variants.
fn item(reading: &Reading<'_>, question: Question, id: &str, values: &Values, visits: &Visits) -> Item {
    let mut item = text(reading, question, id, values);
    match parts(reading, values, visits, &mut item.losses) {
        Ok(parts) => item.parts = parts,
        Err(loss) => item.losses.push(loss),
    }
    item
}

/// Returns an item with its texts, but without parts.
fn text(reading: &Reading<'_>, mut question: Question, id: &str, values: &Values) -> Item {
    let text_is_whole = cas_text(&mut question.text.text, values);
    let feedback_is_whole = cas_text(&mut question.general_feedback.text, values);
    let mut item = super::item(question, id);
    if !text_is_whole || !feedback_is_whole {
        item.losses.push(Loss::display(
            reading.place.clone(),
            "castext",
            "computed or interactive parts of the text are kept as they are in the source",
            "rewrite the text",
        ));
    }
    item
}

/// An input of a question.
struct Input<'t> {
    name: String,
    kind: String,
    element: Element<'t>,
}

fn parts(
    reading: &Reading<'_>,
    values: &Values,
    visits: &Visits,
    losses: &mut Vec<Loss>,
) -> Result<Vec<Part>, Loss> {
    if ["input", "prt"].iter().any(|name| reading.root.named(name).count() > MAX_INPUTS) {
        let message = format!("the question has more than {MAX_INPUTS} inputs or response trees");
        let place = reading.place.clone();
        return Err(Loss::score(place, "too-many-responses", message, "divide the question"));
    }
    let inputs: Vec<Input<'_>> = reading
        .root
        .named("input")
        .map(|element| Input {
            name: element.child("name").map(plain_text).unwrap_or_default(),
            kind: element.child("type").map(plain_text).unwrap_or_default(),
            element,
        })
        .collect();
    let mut parts: Vec<Part> = Vec::new();
    for element in reading.root.named("prt") {
        let value = element.child("value").and_then(|one| normal_number(&one.trimmed()));
        let weight = value.and_then(|value| Decimal::from_text(&value).ok());
        let weight = weight.map_or_else(Ratio::one, |weight| Ratio::from_decimal(&weight));
        if weight.is_zero() {
            // This tree only gives feedback.
            continue;
        }
        let place = reading.at(element);
        let lost =
            |rule, message: &str, suggestion: &str| Loss::score(place.clone(), rule, message, suggestion);
        let tree = Tree::read(element).ok_or_else(|| {
            lost(
                "response-tree",
                "the response tree cannot be followed",
                "simplify the tree, or write the question anew",
            )
        })?;
        let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
        let used = tree.inputs(&names);
        let [only] = used.as_slice() else {
            return Err(lost(
                "several-inputs",
                "a response tree looks at several inputs at once",
                "ask for each answer separately, or for a list",
            ));
        };
        let Some(input) = inputs.iter().find(|input| input.name == *only) else { continue };
        if parts.iter().any(|part| part.id == input.name) {
            return Err(lost("several-trees", "two response trees look at one input", "join them"));
        }
        let rule = tree
            .rule(&input.name, values, visits)
            .map_err(|why| lost("response-tree", &why, "simplify the tree, or write the question anew"))?;
        let mut part =
            Part::new(&input.name, interaction(&rule, input, values, &place, losses)?, place.clone());
        part.weight = weight;
        parts.push(part);
        let validity: Vec<&str> =
            ["forbidwords", "allowwords", "forbidfloat", "requirelowestterms", "checkanswertype"]
                .into_iter()
                .filter(|name| {
                    input.element.child(name).is_some_and(|one| !matches!(&*one.trimmed(), "" | "0"))
                })
                .collect();
        if !validity.is_empty() {
            losses.push(Loss::display(
                place,
                "input-validity",
                format!(
                    "answers that the source system refuses before grading are graded: {}",
                    validity.join(", ")
                ),
                "state in the text how the answer is to be written",
            ));
        }
    }
    if parts.is_empty() {
        return Err(Loss::score(
            reading.place.clone(),
            "nothing-to-grade",
            "no response tree earns anything",
            "use it as text",
        ));
    }
    if let Some(input) = inputs.iter().find(|input| parts.iter().all(|part| part.id != input.name)) {
        losses.push(Loss::display(
            reading.at(input.element),
            "unused-input",
            format!("the input `{}` earns nothing and is left out", input.name),
            "remove it from the text",
        ));
    }
    Ok(parts)
}

fn interaction(
    rule: &Rule,
    input: &Input<'_>,
    values: &Values,
    place: &Place,
    losses: &mut Vec<Loss>,
) -> Result<Interaction, Loss> {
    let lost =
        |rule, message: String, suggestion: &str| Err(Loss::score(place.clone(), rule, message, suggestion));
    if let Rule::Text { key, ignore } = rule {
        if !matches!(input.kind.as_str(), "string" | "algebraic") {
            return lost(
                "input-type",
                format!("a text of an input of type `{}`", input.kind),
                "use an input for texts",
            );
        }
        let answer = TextAnswer { form: TextForm::Text(key.clone()), weight: Ratio::one(), feedback: None };
        let whitespace = if *ignore { Whitespace::Collapse } else { Whitespace::Keep };
        return Ok(Interaction::Text(TextEntry { answers: vec![answer], ignore_case: *ignore, whitespace }));
    }
    if !EXPRESSIONS.contains(&input.kind.as_str()) {
        return lost(
            "input-type",
            format!("there is no counterpart of an input of type `{}`", input.kind),
            "ask for a formula, or write the choices as a question of choices",
        );
    }
    let tex = |key: &Expr| {
        latex::latex(key).ok_or_else(|| {
            Loss::score(
                place.clone(),
                "key-form",
                "the right answer has no LaTeX that is read as the same value",
                "write it with letters and functions of mathematics",
            )
        })
    };
    Ok(match rule {
        Rule::Equal(key) => Interaction::Formula(Formula {
            latex: tex(key)?,
            same: SameFormula::Symbolic,
            variables: Vec::new(),
            tolerance: None,
        }),
        Rule::Form { key, form, variable, otherwise, as_written } => {
            if *form == "same" && !as_written {
                losses.push(Loss::score(
                    place.clone(),
                    "form-of-key",
                    "the right answer is computed, and the form that it gets in the source is not known",
                    "write the right answer in the form that is asked for",
                ));
            } else if *form != "same" && variable.as_ref().is_none_or(|name| !values::only_name(key, name)) {
                losses.push(Loss::score(
                    place.clone(),
                    "form-of-several-variables",
                    "with several variables the form is not judged by the rule of the source",
                    "check which answers count as factored or reduced",
                ));
            }
            Interaction::Formula(Formula {
                latex: tex(key)?,
                same: SameFormula::InForm {
                    form: (*form).to_owned(),
                    variable: variable.clone(),
                    otherwise: otherwise.clone(),
                },
                variables: Vec::new(),
                tolerance: None,
            })
        }
        Rule::Number { key, option, kind } => {
            let number =
                |expr: &Expr| exact(expr).or_else(|| values::numeric(expr).and_then(Decimal::from_f64));
            let option = values.value(option).as_ref().and_then(number);
            let (Some(key), Some(option)) = (number(key), option) else {
                return lost(
                    "key-form",
                    "the right number cannot be computed".to_owned(),
                    "write it as a number",
                );
            };
            if input.kind == "algebraic" {
                losses.push(Loss::typed_formula(place.clone()));
            }
            if *kind == "NumRelative" || *kind == "NumAbsolute" {
                let range = if *kind == "NumAbsolute" {
                    NumberRange::Absolute(key, option.abs())
                } else {
                    NumberRange::Relative(key, option.abs())
                };
                let answers = vec![NumberAnswer { range, weight: Ratio::one(), feedback: None }];
                Interaction::Number(NumberEntry { answers, integer: false, unit: None, writing: None })
            } else {
                let Some(digits) = option.to_i64().filter(|digits| (0..=30).contains(digits)) else {
                    return lost(
                        "test-options",
                        "the number of digits is not plain".to_owned(),
                        "write one number",
                    );
                };
                let name = if *kind == "NumSigFigs" { "significantFigures" } else { "decimalPlaces" };
                let rule = fablegrade_public::json::Json::build().with("exact", digits).build();
                let writing = fablegrade_public::json::Json::build().with(name, rule).build();
                let answers = vec![NumberAnswer {
                    range: NumberRange::Exact(key),
                    weight: Ratio::one(),
                    feedback: None,
                }];
                losses.push(Loss::score(
                    place.clone(),
                    "rounding",
                    "rounding of halves may differ from the source",
                    "check an answer whose next digit is 5",
                ));
                Interaction::Number(NumberEntry {
                    answers,
                    integer: false,
                    unit: None,
                    writing: Some(writing),
                })
            }
        }
        Rule::Text { .. } => return lost("input-type", "a text".to_owned(), "use an input for texts"),
    })
}

/// Returns the exact value of a number literal, which may be negated.
fn exact(expr: &Expr) -> Option<Decimal> {
    match expr {
        Expr::Number(text) => Decimal::from_text(&normal_number(text)?).ok(),
        Expr::Negative(inner) => exact(inner).map(|value| value.negate()),
        _ => None,
    }
}

/// The maximum number of computed formulas of a text.
const MAX_FORMULAS: usize = 2_000;

/// Replaces `{@...@}` with formulas, `{#...#}` with plain values and `[[input:NAME]]` with `[NAME]`, and removes other
/// marks `[[...]]`. A mark has at most 200 bytes inside its brackets.
///
/// Returns `false` if a value cannot be computed or shown, if there are more than [`MAX_FORMULAS`] of them, or if a mark
/// other than the placeholders of feedback and validation is removed.
fn cas_text(text: &mut String, values: &Values) -> bool {
    let mut whole = true;
    let mut out = String::with_capacity(text.len());
    let mut delimiters = Delimiters::default();
    let mut rest = text.as_str();
    let mut formulas = 0;
    let mut exhausted = [false; 2];
    while let Some(at) = rest.find(['{', '[']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let mark = [("{@", "@}"), ("{#", "#}")]
            .into_iter()
            .enumerate()
            .find(|(which, (open, _))| !exhausted[*which] && rest.starts_with(open));
        let inside = mark.map(|(_, (open, _))| &rest[open.len()..]);
        let end = mark.zip(inside).and_then(|((_, (_, close)), inside)| inside.find(close));
        if let (Some((which, _)), None) = (mark, end) {
            // If this mark has no end, later marks of its kind have none either.
            exhausted[which] = true;
        }
        if let (Some((which, _)), Some(inside), Some(end)) = (mark, inside, end) {
            formulas += 1;
            let source = &inside[..end];
            let computed = if formulas > MAX_FORMULAS { None } else { maxima::expression(source) };
            let value = computed.and_then(|expr| values.value(&expr));
            let shown = value.and_then(|value| if which == 0 { latex::latex(&value) } else { plain(&value) });
            match shown {
                // Inside a formula, no further delimiters are added.
                Some(text) if which == 1 || delimiters.are_open(&out) => out.push_str(&text),
                Some(tex) => out.push_str(&format!("\\({tex}\\)")),
                None => {
                    whole = false;
                    out.push_str(source);
                }
            }
            rest = &inside[end + 2..];
            continue;
        }
        if let Some(inside) = rest.strip_prefix("[[")
            && let Some(end) = inside.as_bytes().windows(2).take(201).position(|two| two == b"]]")
        {
            let mark = inside[..end].trim();
            if let Some(name) = mark.strip_prefix("input:") {
                out.push_str(&format!("[{}]", name.trim()));
            } else if !mark.starts_with("validation:") && !mark.starts_with("feedback:") {
                whole = false;
            }
            rest = &inside[end + 2..];
            continue;
        }
        let next = rest.chars().next().map_or(1, char::len_utf8);
        out.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    out.push_str(rest);
    *text = out;
    whole
}

/// Returns a number or a name as Maxima writes it; `None` for other values.
fn plain(value: &Expr) -> Option<String> {
    match value {
        Expr::Number(text) | Expr::Name(text) => Some(text.clone()),
        Expr::Negative(inner) => match &**inner {
            Expr::Number(text) => Some(format!("-{text}")),
            _ => None,
        },
        _ => None,
    }
}

/// The delimiters `\( \)` and `\[ \]` of a text that grows.
#[derive(Default)]
struct Delimiters {
    /// The number of bytes that were looked at.
    seen: usize,
    /// Whether the last delimiter opens a formula.
    open: bool,
}

impl Delimiters {
    /// Returns whether the text ends inside a formula. Each part of it is looked at once.
    fn are_open(&mut self, text: &str) -> bool {
        let bytes = text.as_bytes();
        for at in self.seen.max(1)..bytes.len() {
            match (bytes[at - 1], bytes[at]) {
                (b'\\', b'(' | b'[') => self.open = true,
                (b'\\', b')' | b']') => self.open = false,
                _ => {}
            }
        }
        self.seen = bytes.len();
        self.open
    }
}

#[cfg(test)]
mod tests {
    use super::cas_text;
    use super::maxima::statements;
    use super::values::Values;

    #[test]
    fn texts_have_their_values() {
        let values = Values::new(statements("p:x^2;"), None, true);
        let mut text =
            r"Let {@p@} be \(y={@p@}\). [[input:ans1]][[validation:ans1]] [[feedback:prt1]]".to_owned();
        assert!(cas_text(&mut text, &values));
        assert_eq!(text, r"Let \(x^{2}\) be \(y=x^{2}\). [ans1] ");
        let values = Values::new(statements("n:-3;p:x^2;"), None, true);
        let mut text = "{#n#} {#q#}{# {@n@}".to_owned();
        assert!(cas_text(&mut text, &values));
        assert_eq!(text, r"-3 q{# \(-3\)");
        let mut text = "{#p#}".to_owned();
        assert!(!cas_text(&mut text, &values));
        assert_eq!(text, "p");
        let mut text = "[[jsxgraph]] a [0] {b} {@int(p,x)@}".to_owned();
        assert!(!cas_text(&mut text, &values));
        assert_eq!(text, " a [0] {b} int(p,x)");
    }

    #[test]
    fn texts_are_looked_at_once() {
        let values = Values::new(statements("p:x^2;"), None, true);
        let mut text = r"\[{@p@}\) {@p@} \({@p@} {@ p".to_owned();
        assert!(cas_text(&mut text, &values));
        assert_eq!(text, r"\[x^{2}\) \(x^{2}\) \(x^{2} {@ p");
        // Searching the whole text for each of these would take too long.
        for many in ["{@", "{#", "[[", "{@p@} "] {
            let mut text = format!("{}{}", "a".repeat(4_000_000), many.repeat(300_000));
            assert_eq!(cas_text(&mut text, &values), many != "{@p@} ", "{many}");
        }
    }
}
