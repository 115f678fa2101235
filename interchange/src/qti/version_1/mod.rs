//! QTI 1.2 as Canvas, Common Cartridge and Blackboard write it.
//!
//! Conditions become rules of version 2, so the same interpreter runs them, and the same search finds an interaction
//! with the same scores.

mod assessment;
mod blackboard;
mod calculated;

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::Ratio;

use super::body::{Found, Kind};
use super::evaluate::Machine;
use super::model::{Expression, Model, ResponseVariable, Rule, Variable};
use super::scoring;
use super::value::{Atom, BaseType, Cardinality, Value, number};
use crate::format::{Sink, Source};
use crate::item::{
    ChoiceRule, Choosable, Combine, Feedback, Interaction, Item, Match, MatchRule, Part, Prose, TextAnswer,
    TextEntry, TextForm, Whitespace,
};
use crate::loss::{Loss, ReadError};
use crate::rich::{RichText, html_into};
use crate::text;
use crate::xml::{Element, Tree, XmlLimits};

/// Returns whether a file looks like QTI 1.2.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    super::first_name(source).is_some_and(|name| name == "questestinterop")
}

/// Reads the items of a file.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let text = text::decode(source.bytes)?;
    let tree = Tree::parse(&text, XmlLimits::default())?;
    let mut listing = assessment::Listing::new(tree.root());
    let (mut last_assessment, mut last_item) = (None, None);
    for element in tree.root().descendants() {
        let last: &mut Option<Element<'_>> = match element.name() {
            "assessment" => &mut last_assessment,
            "item" => &mut last_item,
            _ => continue,
        };
        if last.is_some_and(|last| last.contains(element)) {
            items(Err(ReadError::nested(element.place(), element.name())));
            continue;
        }
        *last = Some(element);
        items(Ok(if element.name() == "item" { item(element) } else { listing.read(element) }));
    }
    Ok(())
}

/// Returns the metadata fields of an item.
fn fields(element: Element<'_>) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for field in element.descendants().filter(|one| one.name() == "qtimetadatafield") {
        let text = |name: &str| field.child(name).map(|one| one.trimmed().into_owned()).unwrap_or_default();
        all.insert(text("fieldlabel"), text("fieldentry"));
    }
    for kind in element.descendants().filter(|one| one.name() == "bbmd_questiontype") {
        all.insert("question_type".into(), kind.trimmed().into_owned());
    }
    all
}

/// Adds the text of an element's `material`, without the text of its responses.
fn material(element: Element<'_>, rich: &mut RichText) {
    for child in element.elements() {
        match child.name() {
            "mattext" | "mat_formattedtext" => {
                let text = child.text();
                let kind =
                    child.attribute("texttype").or_else(|| child.attribute("type")).unwrap_or_default();
                let html = kind.to_ascii_lowercase().contains("html") || child.name() == "mat_formattedtext";
                rich.start("div", &|_| None);
                if html {
                    html_into(&text, rich)
                } else {
                    rich.text(&text)
                }
                rich.end("div");
            }
            "matimage" => {
                let uri = child.attribute("uri").unwrap_or_default().to_owned();
                rich.start("img", &|name| (name == "src").then(|| uri.clone()));
            }
            "response_lid" | "response_str" | "response_num" | "response_xy" | "response_grp"
            | "response_label" => {}
            _ => material(child, rich),
        }
    }
}

fn text_of(element: Element<'_>) -> String {
    let mut rich = RichText::new();
    material(element, &mut rich);
    rich.finish().0
}

struct Response<'t> {
    element: Element<'t>,
    variable: ResponseVariable,
    options: Vec<Choosable>,
    prompt: String,
}

fn response(element: Element<'_>, numeric: bool) -> Response<'_> {
    let id = element.attribute("ident").unwrap_or_default().to_owned();
    let options: Vec<Choosable> = element
        .descendants()
        .filter(|one| one.name() == "response_label")
        .map(|label| {
            let id = label.attribute("ident").unwrap_or_default().to_owned();
            let content = text_of(label);
            Choosable { content: if content.is_empty() { id.clone() } else { content }, id }
        })
        .collect();
    let typed = element.name() != "response_lid";
    let cardinality = match element.attribute("rcardinality").unwrap_or("Single") {
        "Multiple" | "multiple" => Cardinality::Multiple,
        "Ordered" | "ordered" => Cardinality::Ordered,
        _ => Cardinality::Single,
    };
    let base = match (typed, numeric) {
        (true, true) => BaseType::Float,
        (true, false) => BaseType::Text,
        (false, _) => BaseType::Identifier,
    };
    let mut rich = RichText::new();
    for child in element.elements().filter(|one| one.name() == "material" || one.name() == "flow") {
        material(child, &mut rich);
    }
    Response {
        element,
        variable: ResponseVariable {
            id,
            cardinality: if typed { Cardinality::Single } else { cardinality },
            base,
            correct: Value::Null,
            default: Value::Null,
            mapping: None,
            place: element.place(),
        },
        options,
        prompt: rich.finish().0,
    }
}

fn yes() -> Expression {
    Expression::built("baseValue", &[("baseType", "boolean")], Vec::new(), "true")
}

/// Converts a condition to an expression.
///
/// In version 1, a comparison with a missing response is false; in version 2 it is null. This matters only inside a
/// negation, so with `negated` the result is false for a missing response.
fn condition(element: Element<'_>, model: &Model, negated: bool) -> Expression {
    let expression = comparison(element, model, negated);
    let is_comparison = element.name().starts_with("var");
    if negated && is_comparison {
        given(element.attribute("respident").unwrap_or_default(), expression)
    } else {
        expression
    }
}

/// Returns a comparison that is false if the response is missing.
fn given(id: &str, comparison: Expression) -> Expression {
    let variable = Expression::built("variable", &[("identifier", id)], Vec::new(), "");
    let is_null = Expression::built("isNull", &[], vec![variable], "");
    Expression::built("and", &[], vec![Expression::built("not", &[], vec![is_null], ""), comparison], "")
}

fn comparison(element: Element<'_>, model: &Model, negated: bool) -> Expression {
    let id = element.attribute("respident").unwrap_or_default();
    let variable = || Expression::built("variable", &[("identifier", id)], Vec::new(), "");
    let declared = model.responses.iter().find(|one| one.id == id);
    let base = declared.map_or(BaseType::Text, |one| one.base);
    let value =
        |kind: &str| Expression::built("baseValue", &[("baseType", kind)], Vec::new(), &element.trimmed());
    let sensitive = element.attribute("case").is_some_and(|case| case.eq_ignore_ascii_case("yes"));
    let sensitive = if sensitive { "true" } else { "false" };
    match element.name() {
        "varequal" => match (base, declared.map(|one| one.cardinality)) {
            (BaseType::Float, _) => Expression::built("equal", &[], vec![variable(), value("float")], ""),
            (BaseType::Identifier, Some(Cardinality::Single)) => {
                Expression::built("match", &[], vec![variable(), value("identifier")], "")
            }
            (BaseType::Identifier, _) => {
                Expression::built("member", &[], vec![value("identifier"), variable()], "")
            }
            _ => Expression::built(
                "stringMatch",
                &[("caseSensitive", sensitive)],
                vec![variable(), value("string")],
                "",
            ),
        },
        name @ ("vargte" | "vargt" | "varlte" | "varlt") => {
            Expression::built(&name[3..], &[], vec![variable(), value("float")], "")
        }
        "varsubstring" => Expression::built(
            "stringMatch",
            &[("caseSensitive", sensitive), ("substring", "true")],
            vec![variable(), value("string")],
            "",
        ),
        "unanswered" => Expression::built("isNull", &[], vec![variable()], ""),
        "other" => yes(),
        "not" => {
            let inside = element.elements().map(|one| condition(one, model, true)).collect();
            Expression::built("not", &[], vec![Expression::built("or", &[], inside, "")], "")
        }
        "or" => Expression::built(
            "or",
            &[],
            element.elements().map(|one| condition(one, model, negated)).collect(),
            "",
        ),
        "and" => joined(element, model, false, negated),
        _ => Expression::built(element.name(), &[], Vec::new(), ""),
    }
}

/// Joins the conditions inside an element with `and`.
///
/// If `loose`, several equalities of the same single-valued response are joined with `or`. Equalities of an ordered
/// response become one comparison with their sequence.
fn joined(element: Element<'_>, model: &Model, loose: bool, negated: bool) -> Expression {
    let children: Vec<Element<'_>> = element.elements().collect();
    let all: Vec<Expression> = children.iter().map(|one| condition(*one, model, negated)).collect();
    let first = children.first().and_then(|one| one.attribute("respident"));
    let declared = model.responses.iter().find(|one| Some(one.id.as_str()) == first);
    let same = children.len() > 1
        && children.iter().all(|one| one.name() == "varequal" && one.attribute("respident") == first);
    match declared.map(|one| one.cardinality) {
        Some(Cardinality::Ordered) if same => {
            let items = children.iter().map(|one| {
                Expression::built("baseValue", &[("baseType", "identifier")], Vec::new(), &one.trimmed())
            });
            let order = Expression::built("ordered", &[], items.collect(), "");
            let variable =
                Expression::built("variable", &[("identifier", first.unwrap_or_default())], Vec::new(), "");
            let matches = Expression::built("match", &[], vec![variable, order], "");
            if negated { given(first.unwrap_or_default(), matches) } else { matches }
        }
        Some(Cardinality::Single) if same && loose => Expression::built("or", &[], all, ""),
        _ if all.len() == 1 => all.into_iter().next().unwrap_or_else(yes),
        _ => Expression::built("and", &[], all, ""),
    }
}

/// Returns the initial value of the score and its bounds, which may be missing.
///
/// They are declared for the variable that conditions set; files can declare other variables too.
fn bounds(item: Element<'_>) -> (Ratio, Option<Ratio>, Option<Ratio>) {
    let name = |one: Element<'_>| {
        one.attribute("varname").or_else(|| one.attribute("variablename")).unwrap_or("SCORE").to_owned()
    };
    let named = |wanted: &str| item.descendants().filter(|one| one.name() == wanted).collect::<Vec<_>>();
    let set: BTreeSet<String> = named("setvar").into_iter().map(name).collect();
    let declared = named("decvar").into_iter().find(|one| set.contains(&name(*one)));
    let bound = |name: &str| declared.and_then(|one| one.attribute(name)).and_then(number);
    let start = bound("defaultval").unwrap_or_else(Ratio::zero);
    (start, bound("minvalue"), bound("maxvalue").filter(|most| *most > Ratio::zero()))
}

fn rules(item: Element<'_>, model: &Model) -> Vec<Rule> {
    let (_, _, greatest) = bounds(item);
    let greatest = greatest.unwrap_or_else(|| Ratio::new(100, 1));
    let greatest = super::operators::typed(&greatest).unwrap_or_default();
    let mut rules = Vec::new();
    let conditions = item.descendants().filter(|one| one.name() == "respcondition");
    for element in conditions {
        let sets: Vec<Element<'_>> = element.named("setvar").collect();
        let goes_on = element.attribute("continue").is_some_and(|text| text.eq_ignore_ascii_case("yes"));
        // A condition without `setvar` only shows feedback and does not end processing.
        if sets.is_empty() {
            continue;
        }
        let mut inside: Vec<Rule> = sets
            .iter()
            .map(|set| {
                let text = set.trimmed();
                let amount = if text.ends_with(".max") { &greatest } else { text.trim_end_matches('%') };
                let amount = Expression::built("baseValue", &[("baseType", "float")], Vec::new(), amount);
                let score = Expression::built("variable", &[("identifier", "SCORE")], Vec::new(), "");
                let value = match set.attribute("action").unwrap_or("Set") {
                    "Add" => Expression::built("sum", &[], vec![score, amount], ""),
                    "Subtract" => Expression::built("subtract", &[], vec![score, amount], ""),
                    "Multiply" => Expression::built("product", &[], vec![score, amount], ""),
                    "Divide" => Expression::built("divide", &[], vec![score, amount], ""),
                    _ => amount,
                };
                Rule::Set("SCORE".into(), value)
            })
            .collect();
        // A condition that adds points never ends processing, whatever its attribute `continue` is.
        let adds = sets.iter().any(|set| set.attribute("action") == Some("Add"));
        if !goes_on && !adds {
            inside.push(Rule::Exit);
        }
        let holds = element.child("conditionvar").map_or_else(yes, |one| joined(one, model, true, false));
        rules.push(Rule::If(vec![(Some(holds), inside)]));
    }
    rules
}

fn id_of(item: Element<'_>) -> String {
    match item.attribute("ident") {
        Some(id) if !id.is_empty() => id.to_owned(),
        _ => format!("item-{}", item.line()),
    }
}

fn item(element: Element<'_>) -> Item {
    let mut item = Item::new(id_of(element), element.place());
    element.attribute("title").unwrap_or_default().trim().clone_into(&mut item.title);
    let fields = fields(element);
    let kind = fields.get("question_type").or_else(|| fields.get("cc_profile")).cloned().unwrap_or_default();
    for (name, value) in &fields {
        if !value.is_empty()
            && !matches!(name.as_str(), "original_answer_ids" | "assessment_question_identifierref")
        {
            item.metadata.push((name.clone(), value.clone()));
        }
    }
    let presentation = element.child("presentation");
    if let Some(presentation) = presentation {
        let mut rich = RichText::new();
        material(presentation, &mut rich);
        if let Some(name) = rich.dropped.first() {
            let message = format!("active content (`{name}`) is left out");
            item.losses.push(Loss::display(
                presentation.place(),
                "active-content",
                message,
                "provide it on your page",
            ));
        }
        let (prompt, media) = rich.finish();
        item.prompt = prompt;
        item.media = media;
    }
    match kind.as_str() {
        "text_only_question" => {
            scoring::text_only(&mut item);
            return item;
        }
        "file_upload_question" => {
            item.losses.push(Loss::display(
                item.place.clone(),
                "file-answer",
                "the source system asks for a file; Fablegrade asks for a text or the address of a file",
                "take files on your page",
            ));
            let part = Part::new("response1", Interaction::Prose(Prose::default()), item.place.clone());
            item.parts.push(part);
            scored_by_people(&mut item);
            points(&fields, &mut item);
            return item;
        }
        "hot_spot_question" => {
            let message = "Fablegrade cannot grade places in a picture";
            item.losses.push(Loss::score(
                item.place.clone(),
                "interaction",
                message,
                "make a widget with a validator of your own",
            ));
            return item;
        }
        _ => {}
    }
    let bounds_of = |one: &Element<'_>| matches!(one.name(), "vargte" | "vargt" | "varlte" | "varlt");
    let bounded: BTreeSet<Option<&str>> =
        element.descendants().filter(bounds_of).map(|one| one.attribute("respident")).collect();
    let names = ["response_lid", "response_str", "response_num", "response_xy", "response_grp"];
    let found: Vec<Element<'_>> = presentation
        .into_iter()
        .flat_map(Element::descendants)
        .filter(|one| names.contains(&one.name()))
        .collect();
    let nested = found.windows(2).find(|pair| pair[0].contains(pair[1])).map(|pair| pair[1]);
    if let Some(nested) = nested {
        item.losses.push(Loss::score(
            nested.place(),
            "nested-response",
            "the response is inside another one",
            "put them next to each other",
        ));
        return item;
    }
    if scoring::too_many(0, found.len(), &mut item) {
        return item;
    }
    let responses: Vec<Response<'_>> = found
        .into_iter()
        .map(|one| {
            let id = one.attribute("ident");
            let numeric = one.name() == "response_num" || kind.contains("numerical") || bounded.contains(&id);
            response(one, numeric)
        })
        .collect();
    feedback(element, &mut item);
    if let Some(found) = element.find("calculated") {
        let response = responses.first().map(|one| one.variable.id.as_str());
        calculated::fill(&mut item, found, response);
        points(&fields, &mut item);
        return item;
    }
    if kind == "Matching" && blackboard::matching(element, &mut item) {
        return item;
    }
    let essay = kind.contains("essay") || kind.contains("Essay");
    if essay || responses.is_empty() {
        if let Some(first) = responses.first().filter(|_| essay) {
            item.parts.push(Part::new(
                &first.variable.id,
                Interaction::Prose(Prose::default()),
                first.variable.place.clone(),
            ));
            scored_by_people(&mut item);
            points(&fields, &mut item);
        } else {
            scoring::text_only(&mut item);
        }
        return item;
    }
    let (start, least, most) = bounds(element);
    let score = Variable {
        id: "SCORE".into(),
        cardinality: Cardinality::Single,
        base: BaseType::Float,
        default: Value::number(start),
        table: None,
        mapping: None,
    };
    let mut model = Model {
        responses: responses.iter().map(|one| one.variable.clone()).collect(),
        outcomes: vec![score],
        templates: Vec::new(),
        template_rules: Vec::new(),
        rules: None,
        least,
        most,
    };
    let rules = rules(element, &model);
    // The key of an ordered response is the first order in the rules.
    let mut order = Value::Null;
    scoring::walk(&rules, &mut |expression| {
        if expression.name == "ordered" && order == Value::Null {
            let ids = expression.arguments.iter().map(|one| Atom::Text(one.text.trim().to_owned()));
            order = Value::Many(true, ids.collect());
        }
    });
    for variable in model.responses.iter_mut().filter(|one| one.cardinality == Cardinality::Ordered) {
        variable.correct = order.clone();
    }
    model.rules = (!rules.is_empty()).then_some(rules);
    let interactions: Vec<Found> = responses
        .iter()
        .map(|one| Found {
            response: one.variable.id.clone(),
            element: one.element.name().to_owned(),
            kind: interaction(one),
            prompt: one.prompt.clone(),
            place: one.variable.place.clone(),
        })
        .collect();
    let Ok(machine) = Machine::new(&model) else { return item };
    scoring::score(&model, &machine, &interactions, &mut item);
    points(&fields, &mut item);
    option_feedback(element, &mut item);
    if kind.starts_with("fill_in_multiple_blanks") {
        item.parts.iter_mut().for_each(typed_blank);
        let message = "every listed text of a blank is right, whatever its case, as in Canvas; conditions name only one";
        item.losses.push(Loss::metadata(item.place.clone(), "blanks-assumed", message, "check the answers"));
    }
    if kind.starts_with("matching") {
        matching(&mut item);
    }
    if kind == "multiple_answers_question" {
        canvas_shares(&mut item);
    }
    item
}

/// Reports a loss if the conditions for several answers are all or nothing.
///
/// Canvas exports such conditions, but itself gives a share per right answer, minus a share per wrong answer.
fn canvas_shares(item: &mut Item) {
    let all_or_nothing = |part: &Part| matches!(&part.interaction, Interaction::Choice(choice) if choice.most != Some(1) && choice.rule == ChoiceRule::AllOrNothing);
    if let Some(part) = item.parts.iter().find(|part| all_or_nothing(part)) {
        let message =
            "Canvas itself gives a share for a partly right selection; the file says all or nothing";
        item.losses.push(Loss::score(
            part.place.clone(),
            "canvas-shares",
            message,
            "set `partialCredit` to `true` for scores as in Canvas",
        ));
    }
}

fn scored_by_people(item: &mut Item) {
    let message = "no program scores this; people do, as in the source";
    item.losses.push(Loss::metadata(item.place.clone(), "scored-by-people", message, "give a rubric"));
}

/// Reads the maximum score from the metadata.
fn points(fields: &BTreeMap<String, String>, item: &mut Item) {
    let is_graded = !item.parts.is_empty();
    item.points(fields.get("points_possible").and_then(|text| number(text)), is_graded);
}

fn interaction(one: &Response<'_>) -> Kind {
    match one.element.name() {
        "response_lid" if one.variable.cardinality == Cardinality::Ordered => {
            Kind::Order { items: one.options.clone(), whole: true }
        }
        "response_lid" => {
            let single = one.variable.cardinality == Cardinality::Single;
            let shuffle = one.element.find("render_choice").and_then(|render| render.attribute("shuffle"));
            let shuffle = shuffle.is_some_and(|text| text.eq_ignore_ascii_case("yes"));
            Kind::Choices { options: one.options.clone(), most: single.then_some(1), shuffle }
        }
        "response_str" | "response_num" => Kind::Entry,
        _ => Kind::Unknown,
    }
}

/// Converts a choice to a typed text, whose accepted answers are the options.
///
/// All options are right, although the conditions name only one.
fn typed_blank(part: &mut Part) {
    if let Interaction::Choice(choice) = &part.interaction {
        let best = choice.options.iter().map(|option| &option.weight).max().cloned();
        let answers = choice.options.iter().map(|option| TextAnswer {
            form: TextForm::Text(option.content.clone()),
            weight: best.clone().unwrap_or_else(Ratio::zero),
            feedback: option.feedback.clone(),
        });
        part.interaction = Interaction::Text(TextEntry {
            answers: answers.collect(),
            ignore_case: true,
            whitespace: Whitespace::Trim,
        });
    }
}

/// Merges choices with the same options into one matching part, if each has one right option, their weights are equal
/// and there are not too many.
fn matching(item: &mut Item) {
    let mut left = Vec::new();
    let mut pairs = Vec::new();
    let mut right: Vec<Choosable> = Vec::new();
    let Some(weight) = item.parts.first().map(|part| part.weight.clone()) else { return };
    for part in &item.parts {
        let Interaction::Choice(choice) = &part.interaction else { return };
        let options: Vec<Choosable> = choice
            .options
            .iter()
            .map(|option| Choosable { id: option.id.clone(), content: option.content.clone() })
            .collect();
        if right.is_empty() {
            right = options;
        } else if right.len() != options.len() || right.iter().any(|one| !options.contains(one)) {
            return;
        }
        let mut keys = choice.options.iter().filter(|option| option.weight > Ratio::zero());
        let (Some(key), None) = (keys.next(), keys.next()) else { return };
        if !key.weight.is_one() || part.weight != weight {
            return;
        }
        left.push(Choosable { id: part.id.clone(), content: part.prompt.clone() });
        pairs.push((part.id.clone(), key.id.clone()));
    }
    if left.len() < 2 || left.len() > 10 || right.len() > 14 {
        return;
    }
    let place = item.parts[0].place.clone();
    // A condition that requires all pairs pays nothing for some of them.
    let rule = if item.combine == Combine::All { MatchRule::AllOrNothing } else { MatchRule::Sum };
    item.parts = vec![Part::new("matching", uniform_matching(left, right, pairs, rule), place)];
}

/// Returns a match in which each left item can have one partner, and all right pairs earn the same share.
fn uniform_matching(
    left: Vec<Choosable>,
    right: Vec<Choosable>,
    partners: Vec<(String, String)>,
    rule: MatchRule,
) -> Interaction {
    let share = Ratio::new(1, left.len().max(1) as u64);
    let pairs = partners.into_iter().map(|(left, right)| (left, right, share.clone())).collect();
    Interaction::Match(Match { left, right, pairs, rule, many_to_one: true, most_each: Some(1) })
}

/// Reads the feedback of an item, and reports feedback on the whole answer as a loss.
fn feedback(element: Element<'_>, item: &mut Item) {
    for one in element.named("itemfeedback") {
        let content = text_of(one);
        if content.is_empty() {
            continue;
        }
        let when = one.attribute("ident").unwrap_or_default();
        let when = match when {
            "general_fb" => "general",
            "correct_fb" => "correct",
            "general_incorrect_fb" => "incorrect",
            other => other,
        };
        item.feedback.push(Feedback { when: when.to_owned(), content });
    }
    if item.feedback.iter().any(|one| matches!(one.when.as_str(), "general" | "correct" | "incorrect")) {
        let message = "feedback to the whole answer is kept in the bank, but the question does not show it";
        item.losses.push(Loss::display(item.place.clone(), "feedback", message, "show it on your page"));
    }
}

/// Moves feedback to its option. Such feedback is named `ID_fb` or linked from a condition with a single equality.
fn option_feedback(element: Element<'_>, item: &mut Item) {
    let mut links: BTreeMap<String, String> = BTreeMap::new();
    for condition in element.descendants().filter(|one| one.name() == "respcondition") {
        let Some(test) = condition.child("conditionvar") else { continue };
        let mut tests = test.elements();
        if let (Some(first), None, Some(link)) =
            (tests.next(), tests.next(), condition.child("displayfeedback"))
            && first.name() == "varequal"
        {
            let link = link.attribute("linkrefid").unwrap_or_default().to_owned();
            links.entry(link).or_insert_with(|| first.trimmed().into_owned());
        }
    }
    // The first feedback of each option.
    let mut of_option: BTreeMap<&str, &Feedback> = BTreeMap::new();
    for one in item.feedback.iter().rev() {
        let linked = links.get(&one.when).filter(|_| one.when != "correct");
        for option in one.when.strip_suffix("_fb").into_iter().chain(linked.map(String::as_str)) {
            of_option.insert(option, one);
        }
    }
    let mut used = BTreeSet::new();
    for part in &mut item.parts {
        if let Interaction::Choice(choice) = &mut part.interaction {
            for option in &mut choice.options {
                if let Some(own) = of_option.get(option.id.as_str()) {
                    used.insert(own.when.clone());
                    option.feedback = Some(own.content.clone());
                }
            }
        }
    }
    item.feedback.retain(|one| !used.contains(&one.when));
}

#[cfg(test)]
mod tests {
    use fablegrade_public::Ratio;

    use crate::item::{Choice, ChoiceOption, ChoiceRule, Combine, Interaction, Item, MatchRule, Part};
    use crate::loss::Place;

    #[test]
    fn pairs_that_are_right_together_only_earn_nothing_alone() {
        for (combine, rule) in [(Combine::All, MatchRule::AllOrNothing), (Combine::Sum, MatchRule::Sum)] {
            let mut item = Item::new("q", Place::default());
            item.combine = combine;
            for (part, right) in [("p", "a"), ("q", "b")] {
                let option = |id: &str| ChoiceOption {
                    id: id.to_owned(),
                    content: id.to_owned(),
                    weight: Ratio::new(i64::from(id == right), 1),
                    feedback: None,
                };
                let options = ["a", "b"].map(option).to_vec();
                let choice =
                    Choice { options, most: Some(1), shuffle: false, rule: ChoiceRule::AllOrNothing };
                item.parts.push(Part::new(part, Interaction::Choice(choice), Place::default()));
            }
            super::matching(&mut item);
            let [Part { interaction: Interaction::Match(found), .. }] = &item.parts[..] else {
                panic!("a matching")
            };
            assert_eq!(found.rule, rule);
        }
    }
}
