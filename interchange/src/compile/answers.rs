//! Converts responses with the identifiers of the imported question to submissions, and scores them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fablegrade_core::{Grader, Submission};
use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Error, Ratio};

use super::shape::{Blank, Shape, pair_key};
use super::{PartSpec, Question, host};
use crate::item::{Combine, Interaction, Match};

/// A response to a part, with the identifiers of the source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Response {
    /// No response.
    #[default]
    None,
    /// An identifier, or a typed text.
    One(String),
    /// Identifiers of selected options, or of items in order.
    Many(Vec<String>),
    /// Pairs of identifiers.
    Pairs(Vec<(String, String)>),
}

/// The responses to an item, by the identifiers of its parts in the source.
pub type Responses = BTreeMap<String, Response>;

impl Response {
    fn list(&self) -> Vec<&str> {
        match self {
            Self::None | Self::Pairs(_) => Vec::new(),
            Self::One(one) => vec![one],
            Self::Many(many) => many.iter().map(String::as_str).collect(),
        }
    }

    fn text(&self) -> Option<&str> {
        self.list().first().copied()
    }
}

fn state(fields: Json) -> Json {
    Json::build().with("type", "widget").with("state", fields).build()
}

fn mapped(map: &crate::ids::IdMap, list: &[&str]) -> Option<Json> {
    let ids: Option<Vec<&str>> = list.iter().map(|id| map.get(id)).collect();
    let mut distinct: Vec<&str> = Vec::new();
    for id in ids? {
        if !distinct.contains(&id) {
            distinct.push(id);
        }
    }
    Some(Json::array(distinct))
}

/// Returns the keys of pairs. If the map does not contain a pair, its sides are exchanged.
fn pair_keys(map: &crate::ids::IdMap, pairs: &[(String, String)]) -> Vec<String> {
    let key = |(a, b): &(String, String)| {
        let key = pair_key(a, b);
        if map.get(&key).is_some() { key } else { pair_key(b, a) }
    };
    pairs.iter().map(key).collect()
}

/// Reads a typed number: `+5`, `007`, `.5`, `5.` and `1e3` are all accepted.
pub(crate) fn typed_number(text: &str) -> Option<Decimal> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    // There is at most one sign, and at least one digit before the exponent: `+-5`, `-` and `e3` are not numbers.
    let before_exponent = digits.split(['e', 'E']).next().unwrap_or_default();
    if digits.starts_with(['+', '-']) || !before_exponent.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let mut digits = match digits.chars().next() {
        None | Some('.' | 'e' | 'E') => Cow::Owned(format!("0{digits}")),
        Some(_) => Cow::Borrowed(digits),
    };
    if let Some(point) = digits.find('.')
        && matches!(digits.as_bytes().get(point + 1), None | Some(b'e' | b'E'))
    {
        digits.to_mut().insert(point + 1, '0');
    }
    let value = Decimal::from_text(&digits).ok()?;
    Some(if negative { value.negate() } else { value })
}

impl Shape {
    /// Returns the submission; `None` if the question cannot accept the response. A missing response gives `None`
    /// unless an empty answer can be submitted.
    fn submission(&self, part: &str, responses: &Responses) -> Option<Json> {
        let none = Response::None;
        let response = responses.get(part).unwrap_or(&none);
        if let Self::Blanks(blanks) = self {
            let fields = blanks
                .iter()
                .filter_map(|blank| Some((Box::<str>::from(blank.id.as_str()), blank.state(responses)?)));
            return Some(state(Json::build().with("blanks", Json::object(fields.collect())).build()));
        }
        match self {
            Self::Anything => {
                return Some(state(Json::build().with("answer", Json::array(response.list())).build()));
            }
            // An empty text field is submitted as an empty text.
            Self::TextState if *response == Response::None => {
                return Some(state(Json::build().with("text", "").build()));
            }
            _ if *response == Response::None => return None,
            _ => {}
        }
        let paired = match (self, response) {
            (Self::Selected(map) | Self::SelectedState(map), Response::Pairs(pairs)) => pair_keys(map, pairs),
            _ => Vec::new(),
        };
        let list =
            if paired.is_empty() { response.list() } else { paired.iter().map(String::as_str).collect() };
        let selected = |map, name: &str| Some(Json::build().with(name, mapped(map, &list)?).build());
        Some(match self {
            Self::Selected(map) => Json::build()
                .with("type", "multiple_choice")
                .with("selectedChoiceIds", mapped(map, &list)?)
                .build(),
            Self::SelectedState(map) => state(selected(map, "selected")?),
            Self::OrderState(map) => state(selected(map, "order")?),
            Self::PairState(map) => {
                let Response::Pairs(pairs) = response else { return None };
                let keys = pair_keys(map, pairs);
                let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
                state(Json::build().with("selected", mapped(map, &keys)?).build())
            }
            Self::Numeric => {
                let value = typed_number(response.text()?)?;
                Json::build().with("type", "numeric").with("value", value).build()
            }
            Self::TextState => state(Json::build().with("text", response.text()?).build()),
            Self::LatexState => state(Json::build().with("latex", response.text()?).build()),
            Self::Latex => Json::build().with("type", "expression").with("latex", response.text()?).build(),
            Self::Order(map) => {
                Json::build().with("type", "ordering").with("order", mapped(map, &list)?).build()
            }
            Self::Pairs(left, right) => {
                let Response::Pairs(pairs) = response else { return None };
                let pairs: Option<Vec<Json>> = pairs
                    .iter()
                    .map(|(a, b)| {
                        // Some sources name the right side first.
                        let (l, r) = match (left.get(a), right.get(b)) {
                            (Some(l), Some(r)) => (l, r),
                            _ => (left.get(b)?, right.get(a)?),
                        };
                        Some(Json::build().with("left", l).with("right", r).build())
                    })
                    .collect();
                Json::build().with("type", "matching").with("pairs", Json::array(pairs?)).build()
            }
            Self::Prose => Json::build().with("type", "free_text").with("content", response.text()?).build(),
            Self::Code(language) => Json::build()
                .with("type", "code")
                .with("language", language)
                .with("source", response.text()?)
                .build(),
            Self::Blanks(_) | Self::Anything => return None,
        })
    }
}

impl Blank {
    fn state(&self, responses: &Responses) -> Option<Json> {
        let response = responses.get(&self.part)?;
        let one = Responses::from([(self.part.clone(), response.clone())]);
        let submission = self.shape.submission(&self.part, &one)?;
        submission.get("state").cloned()
    }
}

impl PartSpec {
    /// Converts responses of the source to a submission; `None` if this part cannot accept its response.
    ///
    /// A missing response also gives `None`, except for parts to which an empty answer can be submitted, such as texts.
    pub fn submission(&self, responses: &Responses) -> Option<Json> {
        self.shape.submission(&self.id, responses)
    }

    /// Returns whether this part, or one of its blanks, has a response that it cannot accept.
    pub fn refuses(&self, responses: &Responses) -> bool {
        let is_given = |id: &str| responses.get(id).is_some_and(|response| *response != Response::None);
        match &self.shape {
            Shape::Blanks(blanks) => {
                blanks.iter().any(|blank| is_given(&blank.part) && blank.state(responses).is_none())
            }
            _ => is_given(&self.id) && self.submission(responses).is_none(),
        }
    }
}

/// A compiled question that grades responses of its source.
pub struct ResponseGrader<'q> {
    question: &'q Question,
    graders: Vec<Grader>,
}

impl Question {
    /// Compiles the specs for grading responses.
    ///
    /// # Errors
    /// The findings of a spec that was changed after [`Question::compile`]; unchanged specs have none.
    pub fn grader(&self) -> Result<ResponseGrader<'_>, Error> {
        let host = host();
        let graders: Result<Vec<Grader>, Error> =
            self.specs.iter().map(|part| Grader::from_json_with(part.spec.to_canonical(), host)).collect();
        Ok(ResponseGrader::new(self, graders?))
    }
}

impl<'q> ResponseGrader<'q> {
    /// Creates a grader of responses from the graders of the question's specs, in the same order.
    pub(crate) fn new(question: &'q Question, graders: Vec<Grader>) -> Self {
        Self { question, graders }
    }

    /// Returns the score of responses, 0 to 1; `None` if a person must grade a response, if a
    /// program must be run to grade it, or if the question cannot be graded.
    ///
    /// A part without a submission earns nothing.
    pub fn score(&self, responses: &Responses) -> Option<f64> {
        if self.graders.is_empty() {
            return None;
        }
        let mut sum = 0.0;
        let mut all = true;
        let mut weights = Ratio::zero();
        for (part, grader) in self.question.specs.iter().zip(&self.graders) {
            let score = match part.submission(responses) {
                None => 0.0,
                Some(submission) => {
                    let submission = Submission::from_json(submission.to_canonical()).ok();
                    let result = submission.map(|submission| grader.grade(&submission));
                    match result {
                        None => 0.0,
                        Some(result) if result.verdict == fablegrade_core::Verdict::Pending => return None,
                        Some(result) => result.score.unwrap_or(0.0),
                    }
                }
            };
            all &= score == 1.0;
            sum += score * part.weight.to_f64();
            weights = weights.plus(&part.weight);
        }
        Some(match self.question.item.combine {
            _ if self.question.is_single() => sum / weights.to_f64(),
            Combine::Sum if weights.is_zero() => 0.0,
            Combine::Sum => sum / weights.to_f64(),
            Combine::All => f64::from(u8::from(all)),
        })
    }
}

impl Question {
    /// Reads responses from an object that maps identifiers of parts (`*` for the first part) to values.
    ///
    /// A value is a text, a number, a boolean, a list of these, or `null`. A pair is a text of two identifiers
    /// separated by a space, or a list of two identifiers. Pairs can also be a list of identifiers of the right side,
    /// one per left item in order.
    pub fn responses_from_json(&self, given: &Json) -> Responses {
        let mut out = Responses::new();
        for (id, value) in given.as_object().unwrap_or_default() {
            let part = self.item.parts.iter().find(|part| *part.id == **id);
            let part = if &**id == "*" { self.item.parts.first() } else { part };
            let id = part.map_or(&**id, |part| part.id.as_str());
            let interaction = part.map(|part| &part.interaction);
            let response = match interaction {
                Some(Interaction::Match(matching)) => placed(matching, value).unwrap_or_else(|| pairs(value)),
                Some(Interaction::Choice(choice)) => plain(value, &|text| {
                    // Pairs within one set are unordered.
                    let known = |id: &str| choice.options.iter().any(|option| option.id == id);
                    match text.split_once(' ') {
                        Some((a, b)) if !known(&text) && known(&format!("{b} {a}")) => format!("{b} {a}"),
                        _ => text,
                    }
                }),
                _ => plain(value, &|text| text),
            };
            out.insert(id.to_string(), response);
        }
        self.merge_left_items(given, &mut out);
        out
    }

    /// Adds the pairs of a matching part whose left items are responses of their own in the source.
    fn merge_left_items(&self, given: &Json, out: &mut Responses) {
        for part in &self.item.parts {
            let Interaction::Match(matching) = &part.interaction else { continue };
            let is_part = |id: &str| self.item.parts.iter().any(|part| part.id == id);
            let found: Vec<(String, String)> = matching
                .left
                .iter()
                .filter(|one| !is_part(&one.id))
                .filter_map(|one| Some((one.id.clone(), scalar(given.get(&one.id)?)?)))
                .collect();
            if !found.is_empty() && !out.contains_key(&part.id) {
                out.retain(|id, _| found.iter().all(|(left, _)| left != id));
                out.insert(part.id.clone(), Response::Pairs(found));
            }
        }
    }
}

fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.to_string()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

fn plain(value: &Json, turned: &dyn Fn(String) -> String) -> Response {
    match value {
        Json::Array(items) if items.is_empty() => Response::None,
        Json::Array(items) => Response::Many(items.iter().filter_map(scalar).map(turned).collect()),
        value => scalar(value).map_or(Response::None, |text| Response::One(turned(text))),
    }
}

/// Reads a list of identifiers of the right side, one per left item in order, as pairs.
fn placed(matching: &Match, value: &Json) -> Option<Response> {
    let ids: Vec<String> = value.as_array()?.iter().map(scalar).collect::<Option<_>>()?;
    let known = |id: &String| matching.right.iter().any(|one| one.id == *id);
    (ids.len() == matching.left.len() && ids.iter().all(known))
        .then(|| Response::Pairs(matching.left.iter().map(|one| one.id.clone()).zip(ids).collect()))
}

fn pairs(value: &Json) -> Response {
    let one = |value: &Json| match value {
        Json::Array(two) => match two.as_slice() {
            [a, b] => scalar(a).zip(scalar(b)),
            _ => None,
        },
        value => {
            let text = scalar(value)?;
            let (a, b) = text.trim().split_once(' ')?;
            Some((a.to_owned(), b.trim().to_owned()))
        }
    };
    match value {
        Json::Array(items) if items.is_empty() => Response::None,
        Json::Array(items) => match items.iter().map(one).collect::<Option<Vec<_>>>() {
            Some(pairs) => Response::Pairs(pairs),
            None => one(value).map_or(Response::None, |pair| Response::Pairs(vec![pair])),
        },
        value => one(value).map_or(Response::None, |pair| Response::Pairs(vec![pair])),
    }
}

#[cfg(test)]
mod tests {
    use super::{Responses, typed_number};
    use crate::compile::Question;
    use crate::format::Format;
    use crate::item::{Combine, Item};
    use crate::loss::Place;

    #[test]
    fn a_question_that_cannot_be_graded_has_no_score() {
        for combine in [Combine::All, Combine::Sum] {
            let mut item = Item::new("q", Place::default());
            item.combine = combine;
            let question = Question::compile(Format::Perseus, "q.json", item);
            assert_eq!(question.grader().unwrap().score(&Responses::new()), None);
        }
    }

    #[test]
    fn a_number_has_one_sign() {
        for number in ["+5", "-5", "007", ".5", "5.", "1e3", "+.5e1"] {
            assert!(typed_number(number).is_some(), "{number}");
        }
        for text in ["++5", "+-5", "-+5", "--5", "+ 5", "+", "-", "", ".", "e3"] {
            assert_eq!(typed_number(text), None, "{text}");
        }
    }
}
