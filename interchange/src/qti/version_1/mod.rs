//! QTI 1.2 as Canvas, Common Cartridge and Blackboard write it.
//!
//! Conditions become rules of version 2, so the same interpreter runs them, and the same search finds an interaction
//! with the same scores.

mod assessment;
mod blackboard;
mod calculated;
mod conditions;

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::Ratio;

use super::body::{Found, Kind};
use super::evaluate::Machine;
use super::model::{Model, ResponseVariable};
use super::scoring;
use super::value::{Atom, BaseType, Cardinality, Value, number};
use crate::format::{Sink, Source};
use crate::item::{
    ChoiceRule, Choosable, Combine, Feedback, Interaction, Item, Match, MatchRule, Media, Part, Prose,
    TextAnswer, TextEntry, TextForm, Whitespace,
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
    // A Canvas export has each quiz twice; the copy beside the cartridge has the points and the kinds of questions.
    let quiz = source
        .path
        .strip_suffix("/assessment_qti.xml")
        .map(|folder| folder.rsplit('/').next().unwrap_or(folder));
    if quiz.is_some_and(|id| source.sibling(&format!("../non_cc_assessments/{id}.xml.qti")).is_some()) {
        return Ok(());
    }
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
    let holds_field = |one: &Element<'_>| matches!(one.name(), "qtimetadatafield" | "qti_metadatafield");
    for field in element.descendants().filter(holds_field) {
        let text = |name: &str| field.child(name).map(|one| one.trimmed().into_owned()).unwrap_or_default();
        all.insert(text("fieldlabel"), text("fieldentry"));
    }
    for one in element.descendants() {
        match one.name() {
            "bbmd_questiontype" => all.insert("question_type".into(), one.trimmed().into_owned()),
            "bbmd_partialcredit" | "qmd_absolutescore_max" => {
                all.insert(one.name().to_owned(), one.trimmed().into_owned())
            }
            _ => None,
        };
    }
    all
}

/// Adds the text of an element's `material`, without the text of its responses. With `gaps`, the identifiers of typed
/// responses mark their places in the text.
fn material(element: Element<'_>, rich: &mut RichText, gaps: bool) {
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
            "matemtext" => {
                rich.start("em", &|_| None);
                rich.text(&child.text());
                rich.end("em");
            }
            name @ ("mataudio" | "matvideo") => {
                let uri = child.attribute("uri").unwrap_or_default().to_owned();
                rich.start(&name[3..], &|name| (name == "src").then(|| uri.clone()));
                rich.end(&name[3..]);
            }
            "response_str" | "response_num" if gaps => {
                rich.raw(&format!("[[{}]]", child.attribute("ident").unwrap_or_default()));
            }
            "response_lid" | "response_str" | "response_num" | "response_xy" | "response_grp"
            | "response_label" => {}
            _ => material(child, rich, gaps),
        }
    }
}

fn text_of(element: Element<'_>) -> String {
    text_with_media(element).0
}

fn text_with_media(element: Element<'_>) -> (String, Vec<Media>) {
    let mut rich = RichText::new();
    material(element, &mut rich, false);
    rich.finish()
}

/// Returns whether text follows a typed response, which then is a gap in the text.
fn has_gaps(presentation: Element<'_>) -> bool {
    let is_response =
        |one: Element<'_>| one.name().starts_with("response_") && one.name() != "response_label";
    let mut gap = None;
    presentation.outermost(|one| is_response(one) || one.name() == "mattext").any(|one| {
        let typed = matches!(one.name(), "response_str" | "response_num");
        let follows = gap.is_some() && one.name() == "mattext" && !one.trimmed().is_empty();
        if typed {
            gap = Some(one.line());
        }
        follows
    })
}

struct Response<'t> {
    element: Element<'t>,
    /// Whether it is a gap with a list.
    list: bool,
    variable: ResponseVariable,
    options: Vec<Choosable>,
    prompt: String,
    /// The files of the options and the prompt.
    media: Vec<Media>,
}

/// Reads a response of an item of a kind, such as `Multiple Choice`.
fn response<'t>(element: Element<'t>, numeric: bool, kind: &str) -> Response<'t> {
    let id =
        element.attribute("ident").or_else(|| element.attribute("respident")).unwrap_or_default().to_owned();
    let mut media = Vec::new();
    let mut options: Vec<Choosable> = element
        .descendants()
        .filter(|one| one.name() == "response_label")
        .map(|label| {
            let id = label.attribute("ident").unwrap_or_default().to_owned();
            let (content, pictures) = text_with_media(label);
            media.extend(pictures);
            Choosable { content: if content.is_empty() { id.clone() } else { content }, id }
        })
        .collect();
    let pairs = element.name() == "response_grp" && !matched(element).0.is_empty();
    // A gap with a list is a choice whose conditions can name the texts of the options.
    let list =
        element.name() == "response_str" && !options.is_empty() && element.find("render_choice").is_some();
    let choice = list || matches!(element.name(), "response_lid" | "response_grp");
    if list {
        options.iter_mut().for_each(|one| one.id = typed_text(&one.content));
    }
    let numeric = numeric && !list;
    let cardinality = match element.attribute("rcardinality").unwrap_or("Single") {
        // Some systems write every choice as a choice of several options.
        "Multiple" | "multiple" if matches!(kind, "Multiple Choice" | "True/False") => Cardinality::Single,
        "Multiple" | "multiple" => Cardinality::Multiple,
        "Ordered" | "ordered" => Cardinality::Ordered,
        _ => Cardinality::Single,
    };
    let base = match (choice, numeric) {
        _ if pairs => BaseType::DirectedPair,
        (true, _) => BaseType::Identifier,
        (false, true) => BaseType::Float,
        (false, false) => BaseType::Text,
    };
    let mut rich = RichText::new();
    for child in element.elements().filter(|one| one.name() == "material" || one.name() == "flow") {
        material(child, &mut rich, false);
    }
    let (prompt, more) = rich.finish();
    media.extend(more);
    Response {
        media,
        element,
        list,
        variable: ResponseVariable {
            id,
            cardinality: if choice && !list { cardinality } else { Cardinality::Single },
            base,
            correct: Value::Null,
            default: Value::Null,
            mapping: None,
            place: element.place(),
        },
        options,
        prompt,
    }
}

/// The sign between the identifier of an ordered response and the number of a place.
const PLACE: char = '#';

/// Divides an ordered response whose conditions name single places into a choice for each place.
fn places<'t>(response: Response<'t>, item: Element<'t>) -> Vec<Response<'t>> {
    let of_place = |one: &Element<'_>| {
        one.name() == "varequal"
            && one.attribute("index").is_some()
            && one.attribute("respident") == Some(&response.variable.id)
    };
    let ordered = response.variable.cardinality == Cardinality::Ordered;
    if !ordered || response.options.len() > 60 || !item.descendants().any(|one| of_place(&one)) {
        return vec![response];
    }
    let place = |number: usize| {
        let mut variable = response.variable.clone();
        variable.id = format!("{}{PLACE}{number}", variable.id);
        variable.cardinality = Cardinality::Single;
        Response {
            element: response.element,
            list: false,
            media: response.media.clone(),
            variable,
            options: response.options.clone(),
            prompt: format!("{number}."),
        }
    };
    (1..=response.options.len()).map(place).collect()
}

/// Returns the left and the right items of a group of responses, and how many partners a left item can have. Left items
/// name the group of their partners.
fn matched(group: Element<'_>) -> (Vec<Choosable>, Vec<Choosable>, Option<usize>) {
    let labels: Vec<Element<'_>> = group.descendants().filter(|one| one.name() == "response_label").collect();
    let choosable = |one: &Element<'_>| {
        let id = one.attribute("ident").unwrap_or_default().to_owned();
        let content = text_of(*one);
        Choosable { content: if content.is_empty() { id.clone() } else { content }, id }
    };
    let (left, right): (Vec<_>, Vec<_>) =
        labels.into_iter().partition(|one| one.attribute("match_group").is_some_and(|text| !text.is_empty()));
    let most = left.iter().filter_map(|one| one.attribute("match_max")?.trim().parse().ok()).max();
    (
        left.iter().map(choosable).collect(),
        right.iter().map(choosable).collect(),
        most.filter(|most| *most > 0),
    )
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
    let names_kind = ["question_type", "cc_profile", "qmd_questiontype"];
    let kind = names_kind.iter().find_map(|name| fields.get(*name)).cloned().unwrap_or_default();
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
        material(presentation, &mut rich, has_gaps(presentation));
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
        "file_upload_question" | "File Upload" => {
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
            let id = one.attribute("ident").or_else(|| one.attribute("respident"));
            let field = one.find("render_fib").and_then(|field| field.attribute("fibtype"));
            let numeric = one.name() == "response_num"
                || kind.contains("numerical")
                || bounded.contains(&id)
                || field.is_some_and(|kind| matches!(kind, "Decimal" | "Integer" | "Scientific"));
            response(one, numeric, &kind)
        })
        .flat_map(|one| places(one, element))
        .collect();
    for medium in responses.iter().flat_map(|one| &one.media) {
        if !item.media.contains(medium) {
            item.media.push(medium.clone());
        }
    }
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
    let essay = ["essay", "Essay", "Short Response", "Long Answer"].iter().any(|name| kind.contains(name));
    if let Some(key) = element.find("answer_key") {
        let text = text_of(key);
        if !text.is_empty() {
            item.metadata.push(("rubric".into(), text));
        }
    }
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
    let mut model = Model {
        responses: responses.iter().map(|one| one.variable.clone()).collect(),
        outcomes: Vec::new(),
        templates: Vec::new(),
        template_rules: Vec::new(),
        rules: None,
        least: None,
        most: None,
    };
    let partial = fields.get("bbmd_partialcredit").is_some_and(|text| text == "true");
    let rules = conditions::rules(element, &mut model, partial, &mut item);
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
    if !kind.is_empty() {
        // These systems remove blanks around a typed text before they compare it.
        for part in &mut item.parts {
            if let Interaction::Text(entry) = &mut part.interaction {
                entry.whitespace = Whitespace::Trim;
            }
        }
    }
    if kind.starts_with("fill_in_multiple_blanks") {
        item.parts.iter_mut().for_each(typed_blank);
        let message = "every listed text of a blank is right, whatever its case, as in Canvas; conditions name only one";
        item.losses.push(Loss::metadata(item.place.clone(), "blanks-assumed", message, "check the answers"));
    }
    let placed = responses.iter().any(|one| one.variable.id.contains(PLACE));
    if kind.starts_with("matching") || placed || kind == "Matching" {
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
    let points = |name: &str| fields.get(name).and_then(|text| number(text));
    // These fields can be 0 although the question earns points.
    let other =
        ["cc_weighting", "qmd_absolutescore_max", "qmd_weighting"].iter().find_map(|name| points(name));
    let other = other.filter(|points| *points > Ratio::zero());
    item.points(points("points_possible").or(other), is_graded);
}

fn interaction(one: &Response<'_>) -> Kind {
    match one.element.name() {
        "response_grp" if one.variable.base == BaseType::DirectedPair => {
            let (left, right, most) = matched(one.element);
            Kind::Pairs { left, right, left_most: most, right_most: None, reversed: false }
        }
        "response_str" if one.list => {
            Kind::Choices { options: one.options.clone(), most: Some(1), shuffle: false }
        }
        "response_lid" if one.variable.cardinality == Cardinality::Ordered => {
            Kind::Order { items: one.options.clone(), whole: true }
        }
        "response_lid" | "response_grp" => {
            let single = one.variable.cardinality == Cardinality::Single;
            let shuffle = one.element.find("render_choice").and_then(|render| render.attribute("shuffle"));
            let shuffle = shuffle.is_some_and(|text| text.eq_ignore_ascii_case("yes"));
            Kind::Choices { options: one.options.clone(), most: single.then_some(1), shuffle }
        }
        "response_str" | "response_num" => Kind::Entry,
        _ => Kind::Unknown,
    }
}

/// Returns the text that a learner types for the content of an option.
fn typed_text(content: &str) -> String {
    content.trim().replace("\\<", "<")
}

/// Converts a choice to a typed text, whose accepted answers are the options.
///
/// All options are right, although the conditions name only one.
fn typed_blank(part: &mut Part) {
    if let Interaction::Choice(choice) = &part.interaction {
        let best = choice.options.iter().map(|option| &option.weight).max().cloned();
        let answers = choice.options.iter().map(|option| TextAnswer {
            form: TextForm::Text(typed_text(&option.content)),
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
    for hint in element.named("hint") {
        let content = text_of(hint);
        if !content.is_empty() {
            item.feedback.push(Feedback { when: "hint".to_owned(), content });
        }
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
