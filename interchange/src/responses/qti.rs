//! QTI result reports: an `assessmentResult` with one `itemResult` per item.

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Ratio};

use super::{Given, QuestionReference, Stored, refuse};
use crate::loss::{Place, ReadError};
use crate::text;
use crate::xml::{Element, Tree, XmlLimits};

/// Variables of every item session, which are not answers.
const BUILT_IN: &[&str] = &["numAttempts", "duration", "completionStatus"];

pub(super) fn read(bytes: &[u8], take: &mut dyn FnMut(Result<Stored, ReadError>)) -> Result<(), ReadError> {
    let text = text::decode(bytes)?;
    let tree = Tree::parse(&text, XmlLimits::default())?;
    let root = tree.root();
    for result in root.descendants().filter(|element| element.name() == "assessmentResult") {
        let context = result.child("context");
        let named = |name: &str| context.and_then(|one| one.attribute(name)).map(str::to_owned);
        let learner = named("sourcedId").or_else(|| named("sourcedID")).unwrap_or_default();
        for item in result.elements().filter(|element| element.name() == "itemResult") {
            one(item, &learner, take);
        }
    }
    Ok(())
}

fn one(item: Element<'_>, learner: &str, take: &mut dyn FnMut(Result<Stored, ReadError>)) {
    let attribute = |name: &str| item.attribute(name).unwrap_or_default().trim();
    let mut fields = Vec::new();
    for variable in item.named("responseVariable") {
        let name = variable.attribute("identifier").unwrap_or_default();
        if BUILT_IN.contains(&name) {
            continue;
        }
        // Whitespace at the ends belongs to a typed text.
        let is_text = variable.attribute("baseType") == Some("string");
        let values: Vec<String> = variable
            .child("candidateResponse")
            .into_iter()
            .flat_map(|response| response.named("value"))
            .map(|value| if is_text { value.text() } else { value.trimmed() }.into_owned())
            .collect();
        if variable.attribute("cardinality") == Some("record") {
            let message = format!("the response `{name}` is a record");
            take(Err(refuse(variable.place(), "record", message, "convert it by hand")));
            return;
        }
        let value = match (variable.attribute("cardinality"), values.as_slice()) {
            (_, []) => Json::Null,
            (None | Some("single"), [only]) => Json::from(only.as_str()),
            _ => Json::array(values.iter().map(String::as_str)),
        };
        fields.push((Box::<str>::from(name), value));
    }
    let outcome = |names: &[&str]| {
        item.named("outcomeVariable")
            .filter(|one| one.attribute("identifier").is_some_and(|id| names.contains(&id)))
            .find_map(|one| Decimal::from_text(&one.child("value")?.trimmed()).ok())
            .map(|value| Ratio::from_decimal(&value))
    };
    let most = outcome(&["MAXSCORE"]).filter(|most| *most > Ratio::zero());
    let attempt = [attribute("sequenceIndex"), attribute("datestamp")];
    let attempt: Vec<&str> = attempt.into_iter().filter(|text| !text.is_empty()).collect();
    take(Ok(Stored {
        file: String::new(),
        place: Place::new(item.path(), item.line()),
        learner: learner.to_owned(),
        attempt: attempt.join(" "),
        question: QuestionReference::Id(attribute("identifier").to_owned()),
        given: Given::Variables(Json::object(fields)),
        home_is_share: most.is_some(),
        home_score: outcome(&["SCORE"]).map(|score| match &most {
            Some(most) => score.over(most).unwrap_or(score),
            None => score,
        }),
    }));
}
