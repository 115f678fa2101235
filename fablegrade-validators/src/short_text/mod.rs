//! `short_text`: a word or a short phrase.
//!
//! Configuration:
//! ```json
//! {
//!   "alternatives": [
//!     {"text": "photosynthesis"},
//!     {"wildcard": "photo*"},
//!     {"pattern": "colou?r", "search": true},
//!     {"text": "assimilation", "weight": "1/2", "message": "Think of light."}
//!   ],
//!   "reject": [{"text": "respiration", "message": "That is the opposite."}],
//!   "forbidden": ["respiration"],
//!   "ignoreCase": true, "ignoreAccents": false, "ignorePunctuation": false,
//!   "blanks": "collapse", "unicode": "nfc", "wordOrder": "fixed", "numberWords": "en",
//!   "edits": {"limits": [{"from": 5, "edits": 1}], "weight": 1}
//! }
//! ```
//! The answer and the alternatives are normalised ([`Form`]). An answer that contains a `forbidden` word earns
//! nothing; the words are also searched before whitespace and punctuation are removed. Otherwise the first alternative
//! that matches decides. If none matches, a match in `reject` earns nothing. If nothing matches and `edits` are
//! allowed, the nearest `text` within its limit decides, unless a `reject` text is at least as near. The limit depends
//! on the length of the text, or it is a minimum `similarity`: 1 minus the number of edits divided by the longer
//! length. An edit inserts, removes or replaces a character or swaps two neighbours (Damerau, optimal string
//! alignment).
//!
//! Patterns use the syntax of the `regex` crate: linear time, no look-around, no back-references. A pattern is matched
//! against the text after Unicode, whitespace, accents and punctuation are normalised as configured, with typographic
//! apostrophes, quotation marks and hyphens as they are and as those of a keyboard. It must match the
//! whole text unless `search` is true. The order of words always counts for wildcards and patterns.

mod edits;
mod normal;
mod number_words;

use fablegrade_core::host::{Judgement, Message, Sentence, Steps, Unjudged};
use fablegrade_core::json::{self, Json, Object, Path, Value};
use fablegrade_core::{Finding, Findings, Ratio, StateJudge};
use regex::{Regex, RegexBuilder};

use crate::fields;
pub use normal::Form;

pub(crate) const SENTENCES: &[Sentence] = &[
    Sentence::error("no-text", "The answer is not a text."),
    Sentence::error("text-too-long", "The answer has more than 2,000 characters."),
    Sentence::hint("forbidden-word", "The answer has a word that may not be used."),
    Sentence::hint("spelling", "The answer was understood, but its spelling is not right."),
];

/// The texts that an alternative matches.
enum Wanted {
    /// A text in its normal form.
    Text(String),
    /// The texts between wildcards, in their normal form.
    Wildcard(Vec<String>),
    /// A pattern.
    Pattern(Box<Regex>),
}

struct Alternative {
    wanted: Wanted,
    weight: Ratio,
    has_message: bool,
    /// The form of a `text` in which words are searched, if that is not its normal form; see [`Form::apart`].
    apart: Option<String>,
    /// Whether a `text` has typographic signs that count as those of a keyboard.
    has_signs: bool,
}

/// A word or phrase that an answer may not contain.
struct Forbidden {
    /// The normal form; `None` if it loses the order of the words.
    normal: Option<String>,
    apart: Option<String>,
}

/// The maximum number of edits.
enum EditLimit {
    /// Pairs of a text's length and the maximum number of edits from that length on, in increasing order.
    Steps(Vec<(usize, usize)>),
    /// The minimum similarity.
    Similarity(Ratio),
}

struct Edits {
    limit: EditLimit,
    weight: Ratio,
}

struct ShortText {
    form: Form,
    alternatives: Vec<Alternative>,
    reject: Vec<Alternative>,
    forbidden: Vec<Forbidden>,
    edits: Option<Edits>,
}

/// The maximum total length, in characters, of the texts with which an answer is compared by edits. It bounds the work
/// per answer.
const MAX_FUZZY_CHARS: usize = 4_000;

fn compile_pattern(pattern: &str, search: bool, ignore_case: bool) -> Option<Regex> {
    let build = |pattern: &str| {
        RegexBuilder::new(pattern)
            .case_insensitive(ignore_case)
            .size_limit(1 << 20)
            .dfa_size_limit(1 << 20)
            .nest_limit(100)
            .build()
            .ok()
    };
    // Compile the bare pattern first: it could close the group that is put around it, as in `a)|(b`.
    let alone = build(pattern)?;
    if search { Some(alone) } else { build(&format!(r"\A(?:{pattern})\z")) }
}

fn alternative(
    form: &Form,
    weighted: bool,
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<Alternative> {
    let mut object = Object::open_as(value, at, findings, r#"{"text": "Paris"}"#)?;
    let text = object.optional("text", json::string(0, 500));
    let wildcard = object.optional("wildcard", json::string(1, 500));
    let pattern = object.optional("pattern", json::string(1, 1_000));
    let search = object.defaulted("search", false, json::boolean);
    let weight = if weighted {
        object.defaulted("weight", Ratio::one(), fields::share(0, 1))
    } else {
        Some(Ratio::zero())
    };
    let has_message = fields::message(&mut object);
    let (text, wildcard, pattern, search) = (text?, wildcard?, pattern?, search?);
    let apart = text.as_deref().and_then(|text| form.apart(text));
    let has_signs = text.as_deref().is_some_and(|text| form.with_signs(text).is_some());
    let wanted = match (text, wildcard, pattern) {
        (Some(text), None, None) => Some(Wanted::Text(form.apply(&text))),
        (None, Some(wildcard), None) => Some(Wanted::Wildcard(form.wildcard(&wildcard))),
        (None, None, Some(pattern)) => {
            let compiled = compile_pattern(&pattern, search, form.ignore_case);
            if compiled.is_none() {
                object.report(Finding::error(
                    "unusable-pattern",
                    Path::Field(at, "pattern").pointer(),
                    "the pattern does not compile, or is too large",
                    "check it (no look-around, no back-references)",
                ));
            }
            compiled.map(|pattern| Wanted::Pattern(Box::new(pattern)))
        }
        _ => {
            object.report(Finding::error(
                "one-of-three",
                at.pointer(),
                "an alternative has exactly one of `text`, `wildcard` and `pattern`",
                "keep the intended one",
            ));
            None
        }
    };
    object.close();
    Some(Alternative { wanted: wanted?, weight: weight?, has_message: has_message?, apart, has_signs })
}

fn step(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<(usize, usize)> {
    let mut object = Object::open_as(value, at, findings, r#"{"from": 5, "edits": 1}"#)?;
    let from = object.required("from", fields::count(1, 500));
    let edits = object.required("edits", fields::count(0, 10));
    object.close();
    Some((from? as usize, edits? as usize))
}

fn edits(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Edits> {
    let mut object = Object::open_as(value, at, findings, r#"{"limits": [{"from": 5, "edits": 1}]}"#)?;
    let limits = object.optional("limits", json::list(1, 10, step));
    let similarity = object.optional("similarity", fields::share(0, 1));
    let weight = object.defaulted("weight", Ratio::one(), fields::share(0, 1));
    let limit = match (limits?, similarity?) {
        (Some(mut steps), None) => {
            steps.sort_unstable();
            Some(EditLimit::Steps(steps))
        }
        (None, Some(similarity)) if similarity >= Ratio::new(1, 2) => Some(EditLimit::Similarity(similarity)),
        (None, Some(_)) => {
            object.report(Finding::error(
                "similarity-too-low",
                Path::Field(at, "similarity").pointer(),
                "below a similarity of 1/2 unrelated words count as similar",
                "use at least 0.5",
            ));
            None
        }
        _ => {
            object.report(Finding::error(
                "one-of-two",
                at.pointer(),
                "edits have exactly one of `limits` and `similarity`",
                "keep the intended one",
            ));
            None
        }
    };
    object.close();
    Some(Edits { limit: limit?, weight: weight? })
}

pub(crate) fn compile(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<Box<dyn StateJudge>> {
    let mut object = Object::open(value, at, findings)?;
    let form = Form::read(&mut object)?;
    let read = |weighted: bool| {
        let form = &form;
        move |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            alternative(form, weighted, value, at, findings)
        }
    };
    let alternatives = object.required("alternatives", json::list(1, 100, read(true)));
    let reject = object.defaulted("reject", Vec::new(), json::list(0, 100, read(false)));
    let forbidden = object.defaulted("forbidden", Vec::new(), json::list(0, 50, json::string(1, 100)));
    let edits = object.optional("edits", edits);
    let (alternatives, reject, edits) = (alternatives?, reject?, edits?);
    if edits.is_some() {
        let chars = |list: &[Alternative]| -> usize {
            list.iter()
                .map(|one| if let Wanted::Text(text) = &one.wanted { text.chars().count() } else { 0 })
                .sum()
        };
        if chars(&alternatives) + chars(&reject) > MAX_FUZZY_CHARS {
            object.report(Finding::error(
                "too-much-text",
                Path::Field(at, "alternatives").pointer(),
                format!("with `edits` all texts together have at most {MAX_FUZZY_CHARS} characters"),
                "remove alternatives or `edits`",
            ));
        }
    }
    object.close();
    let forbidden = forbidden?
        .iter()
        .map(|word| Forbidden {
            normal: (!form.loses_order(word)).then(|| form.apply(word)),
            apart: form.apart(word),
        })
        .collect();
    Some(Box::new(ShortText { form, alternatives, reject, forbidden, edits }))
}

impl Wanted {
    /// Returns whether a text matches, given in its normal form, with its words in their order, and in the forms before
    /// folding.
    fn matches(&self, normal: &str, ordered: &str, unfolded: &[&str]) -> bool {
        match self {
            Self::Text(text) => text == normal,
            Self::Wildcard(pieces) => wildcard_matches(pieces, ordered),
            Self::Pattern(pattern) => unfolded.iter().any(|text| pattern.is_match(text)),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Wildcard(_) => "wildcard",
            Self::Pattern(_) => "pattern",
        }
    }
}

/// Returns whether the text contains the pieces in this order, the first at its start and the last at its end.
fn wildcard_matches(pieces: &[String], text: &str) -> bool {
    let [first, middle @ .., last] = pieces else { return pieces.first().is_some_and(|only| only == text) };
    let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
    for piece in middle {
        let Some(at) = rest.find(piece.as_str()) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last.as_str())
}

impl EditLimit {
    /// Returns the maximum number of edits between an expected text and an answer of these lengths.
    fn most(&self, wanted: usize, given: usize) -> usize {
        match self {
            Self::Steps(steps) => {
                steps.iter().take_while(|(from, _)| *from <= wanted).last().map_or(0, |(_, edits)| *edits)
            }
            Self::Similarity(similarity) => {
                let longer = wanted.max(given);
                // The greatest number of edits for which 1 - edits/longer >= similarity.
                let room = Ratio::one().minus(similarity).times(&Ratio::new(longer as i64, 1));
                let mut most = (room.to_f64() as usize).min(longer);
                while most > 0 && Ratio::new(most as i64, 1) > room {
                    most -= 1;
                }
                while most < longer && Ratio::new(most as i64 + 1, 1) <= room {
                    most += 1;
                }
                most
            }
        }
    }
}

impl ShortText {
    /// Returns the nearest text of a list within the limit: its index, its edits and the longer length.
    fn nearest(list: &[Alternative], given: &[char], limit: &EditLimit) -> Option<(usize, usize, usize)> {
        let mut best: Option<(usize, usize, usize)> = None;
        for (place, one) in list.iter().enumerate() {
            let Wanted::Text(text) = &one.wanted else { continue };
            let wanted: Vec<char> = text.chars().collect();
            let most = limit.most(wanted.len(), given.len());
            let Some(found) = edits::distance_within(&wanted, given, most) else { continue };
            let longer = wanted.len().max(given.len()).max(1);
            // Edits are compared relative to the longer length: 1 of 8 is nearer than 1 of 5.
            if best.is_none_or(|(_, edits, of)| found * of < edits * longer) {
                best = Some((place, found, longer));
            }
        }
        best
    }

    /// Returns whether a text contains a forbidden word, in its normal form or in the one with its words apart.
    fn has_forbidden(&self, normal: &str, apart: Option<&str>) -> bool {
        self.forbidden.iter().any(|word| {
            word.normal.as_deref().is_some_and(|word| has_word(normal, word))
                || apart.zip(word.apart.as_deref()).is_some_and(|(text, word)| has_word(text, word))
        })
    }

    fn told(judgement: Judgement, list: &str, place: usize, one: &Alternative) -> Judgement {
        if one.has_message {
            judgement.saying(Message::configured(format!("/{list}/{place}/message")))
        } else {
            judgement
        }
    }
}

impl StateJudge for ShortText {
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        let text = fields::typed(state, "text")?;
        let unfolded = self.form.unfolded(text);
        let ordered = self.form.fold_words(&unfolded);
        let normal = self.form.sort_words(ordered.clone());
        steps.step("text-normalized", || vec![("text", normal.as_str().into())]);
        let apart = if self.forbidden.is_empty() { None } else { self.form.apart(text) };
        if self.has_forbidden(&normal, apart.as_deref()) {
            return Ok(Judgement::of(false).saying(Message::sentence("forbidden-word")));
        }
        let with_signs = self.form.with_signs(text);
        let forms: Vec<&str> = std::iter::once(unfolded.as_str()).chain(with_signs.as_deref()).collect();
        let found =
            |list: &[Alternative]| list.iter().position(|one| one.wanted.matches(&normal, &ordered, &forms));
        if let Some(place) = found(&self.alternatives) {
            let one = &self.alternatives[place];
            steps.step("alternative-matched", || {
                vec![
                    ("alternative", place.into()),
                    ("by", one.wanted.kind().into()),
                    ("weight", one.weight.to_fraction_text().into()),
                ]
            });
            return Ok(Self::told(Judgement::new(one.weight.clone()), "alternatives", place, one));
        }
        if let Some(place) = found(&self.reject) {
            steps.step("alternative-rejected", || vec![("reject", place.into())]);
            return Ok(Self::told(Judgement::of(false), "reject", place, &self.reject[place]));
        }
        if let Some(edits) = &self.edits {
            let given: Vec<char> = normal.chars().collect();
            if let Some((place, count, longer)) = Self::nearest(&self.alternatives, &given, &edits.limit) {
                if let Some((reject, other, of)) = Self::nearest(&self.reject, &given, &edits.limit)
                    && other * longer <= count * of
                {
                    steps.step("alternative-rejected", || {
                        vec![("reject", reject.into()), ("edits", other.into())]
                    });
                    return Ok(Self::told(Judgement::of(false), "reject", reject, &self.reject[reject]));
                }
                let one = &self.alternatives[place];
                let score = one.weight.times(&edits.weight);
                steps.step("alternative-matched", || {
                    vec![
                        ("alternative", place.into()),
                        ("by", "edits".into()),
                        ("edits", count.into()),
                        ("weight", score.to_fraction_text().into()),
                    ]
                });
                let judgement = Judgement::new(score).saying(Message::sentence("spelling"));
                return Ok(Self::told(judgement, "alternatives", place, one));
            }
        }
        steps.step("no-alternative", Vec::new);
        Ok(Judgement::of(false))
    }

    fn lint(&self, findings: &mut Findings) {
        let best = self.alternatives.iter().map(|one| &one.weight).max();
        if let Some(best) = best {
            fields::lint_full_marks(best, "/alternatives", findings);
        }
        for (place, one) in self.alternatives.iter().enumerate() {
            let at = format!("/alternatives/{place}");
            let taken = |earlier: &Alternative| match &one.wanted {
                // The same text with other apostrophes or hyphens is not needed, but does no harm.
                Wanted::Text(text)
                    if one.has_signs != earlier.has_signs
                        && one.weight == earlier.weight
                        && !one.has_message
                        && matches!(&earlier.wanted, Wanted::Text(other) if other == text) =>
                {
                    false
                }
                // Only a `text` accepts an answer with its words in any order.
                Wanted::Text(text) if self.form.loses_order(text) => {
                    matches!(&earlier.wanted, Wanted::Text(other) if other == text)
                }
                Wanted::Text(text) => earlier.wanted.matches(text, text, &[text]),
                Wanted::Wildcard(pieces) => {
                    matches!(&earlier.wanted, Wanted::Wildcard(others) if others == pieces)
                }
                Wanted::Pattern(pattern) => {
                    matches!(&earlier.wanted, Wanted::Pattern(other) if other.as_str() == pattern.as_str())
                }
            };
            if self.alternatives[..place].iter().any(taken) {
                findings.push(Finding::warning(
                    "alternative-unreachable",
                    &at,
                    "an earlier alternative already takes this answer",
                    "remove it or move it to the front",
                ));
            }
            if one.weight > Ratio::zero() && one.wanted.matches("", "", &[""]) {
                findings.push(Finding::warning(
                    "empty-answer-scores",
                    &at,
                    "an empty answer matches this alternative",
                    "ask for at least one character",
                ));
            }
            if let Wanted::Text(text) = &one.wanted
                && self.has_forbidden(text, one.apart.as_deref())
            {
                findings.push(Finding::warning(
                    "alternative-forbidden",
                    &at,
                    "this alternative has a forbidden word, so nobody can give it",
                    "remove the word from `forbidden`",
                ));
            }
        }
    }
}

/// Returns whether the text contains a word or phrase with no letter or digit next to it.
fn has_word(text: &str, word: &str) -> bool {
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
}
