//! The common intermediate item, which every reader creates.
//!
//! Readers create items, and [`compile`](crate::compile) converts them to specs. The weight of an answer, option or
//! pair is an exact share of the part's score: 1 is full marks.

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Ratio};

use crate::loss::{Effect, Loss, Place};

/// A question from another system.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its identifier in the source, or one derived from the file name or from its position in the file.
    pub id: String,
    /// Its title or name.
    pub title: String,
    /// The question, as text with Markdown and `$...$` formulas.
    pub prompt: String,
    /// The parts to answer. If there are none, nothing can be graded; a loss may give the reason.
    pub parts: Vec<Part>,
    /// The rule that combines the scores of the parts.
    pub combine: Combine,
    /// The maximum score in the source, if it is not 1. A score times this value is the score in the source.
    pub max_score: Option<Ratio>,
    /// Feedback that belongs to no option, in the order of the source.
    pub feedback: Vec<Feedback>,
    /// Files that the content refers to.
    pub media: Vec<Media>,
    /// Data about the question, such as `category`, `tag` and `language`; names may repeat.
    pub metadata: Vec<(String, String)>,
    /// The features of the source that are not carried over.
    pub losses: Vec<Loss>,
    /// Its location in the file.
    pub place: Place,
}

impl Item {
    /// Creates an item without parts.
    pub fn new(id: impl Into<String>, place: Place) -> Self {
        Self {
            id: id.into(),
            title: String::new(),
            prompt: String::new(),
            parts: Vec::new(),
            combine: Combine::Sum,
            max_score: None,
            feedback: Vec::new(),
            media: Vec::new(),
            metadata: Vec::new(),
            losses: Vec::new(),
            place,
        }
    }

    /// Sets the maximum score. If the item `is_graded` but earns nothing in its source, it has the maximum score 1,
    /// which is reported as a loss.
    pub(crate) fn points(&mut self, points: Option<Ratio>, is_graded: bool) {
        let Some(points) = points else { return };
        if points > Ratio::zero() {
            self.max_score = (!points.is_one()).then_some(points);
        } else if is_graded {
            self.losses.push(Loss::score(
                self.place.clone(),
                "no-points",
                "the question earns nothing in the source system, and has the maximum score 1 here",
                "leave it out of the total, or give it points",
            ));
        }
    }

    /// Returns whether the item is not a question, such as a description between questions.
    pub fn is_text(&self) -> bool {
        self.parts.is_empty() && self.losses.iter().all(|loss| loss.effect != Effect::ChangesScore)
    }
}

/// The maximum number of options of a question, or of pairs that its items can form.
const MAX_OPTIONS: usize = 10_000;

/// The maximum total size of the contents of these options, in bytes.
const MAX_CONTENTS: usize = 16 << 20;

/// Returns whether these are few enough options or possible pairs, and few enough bytes in their contents together.
pub(crate) fn options_fit(count: usize, contents: usize) -> bool {
    count <= MAX_OPTIONS && contents <= MAX_CONTENTS
}

/// The rule that combines the scores of an item's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The weighted mean of the scores.
    Sum,
    /// Full marks if every part has full marks, otherwise none.
    All,
}

/// One part to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The identifier of its response in the source, such as `RESPONSE`, or one that the reader assigns.
    pub id: String,
    /// The question of this part, beyond the prompt of the item.
    pub prompt: String,
    /// Its weight among the parts, above 0.
    pub weight: Ratio,
    /// The kind of answer and its scoring.
    pub interaction: Interaction,
    /// Its location in the file.
    pub place: Place,
}

impl Part {
    /// Creates a part of weight 1 without a prompt.
    pub fn new(id: impl Into<String>, interaction: Interaction, place: Place) -> Self {
        Self { id: id.into(), prompt: String::new(), weight: Ratio::one(), interaction, place }
    }
}

/// The kind of a part's answer, and its scoring.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Interaction {
    /// Options to select.
    Choice(Choice),
    /// A word or a short text.
    Text(TextEntry),
    /// A typed number.
    Number(NumberEntry),
    /// A formula in LaTeX.
    Formula(Formula),
    /// Items to put in order.
    Order(Order),
    /// Pairs to form.
    Match(Match),
    /// Prose that people grade.
    Prose(Prose),
    /// A program.
    Program(Program),
    /// Any answer earns full marks.
    Anything,
}

/// An option to select, to order or to match.
#[derive(Debug, Clone, PartialEq)]
pub struct Choosable {
    /// Its identifier in the source, which need not be a valid id.
    pub id: String,
    /// The content that is shown.
    pub content: String,
}

/// Options to select.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The options.
    pub options: Vec<ChoiceOption>,
    /// The maximum number of selected options; `None` for any number.
    pub most: Option<usize>,
    /// Whether the options can be shown in another order.
    pub shuffle: bool,
    /// The scoring rule.
    pub rule: ChoiceRule,
}

/// An option.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceOption {
    /// Its identifier in the source.
    pub id: String,
    /// The content that is shown.
    pub content: String,
    /// The score for selecting it; wrong options can have negative scores. With rules other than `Sum`, above 0 means
    /// right.
    pub weight: Ratio,
    /// Feedback to learners who selected it.
    pub feedback: Option<String>,
}

/// The scoring rule of a choice.
///
/// If at most one option can be selected, a right option earns full marks under every rule except [`Sum`](Self::Sum).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceRule {
    /// Full marks for exactly the right options, otherwise none.
    AllOrNothing,
    /// Full marks for all right options, even if others are selected as well; otherwise none.
    Contains,
    /// The number of right minus that of wrong selected options, divided by the number of right options; at least 0.
    Share,
    /// The sum of the selected options' weights, between 0 and 1.
    Sum,
    /// The share of right options that are selected. If more options are selected than are right, each extra option
    /// cancels a right one.
    UpToRight,
    /// The share of options that are correctly selected or correctly not selected; an empty selection earns nothing.
    EachDecision,
}

/// A short text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextEntry {
    /// The accepted answers; the first that matches decides. If none matches, the answer earns nothing.
    pub answers: Vec<TextAnswer>,
    /// Whether case does not count.
    pub ignore_case: bool,
    /// The treatment of whitespace.
    pub whitespace: Whitespace,
}

/// The treatment of whitespace in a typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whitespace {
    /// All whitespace counts.
    Keep,
    /// Whitespace at the ends does not count.
    Trim,
    /// A run of whitespace counts as one space; whitespace at the ends does not count.
    Collapse,
    /// No whitespace counts.
    Remove,
}

/// An accepted text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextAnswer {
    /// The texts that match.
    pub form: TextForm,
    /// Its score, 0 to 1.
    pub weight: Ratio,
    /// Feedback to learners who gave it.
    pub feedback: Option<String>,
}

/// The texts that an answer accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextForm {
    /// Exactly this text.
    Text(String),
    /// A text in which `*` matches any characters, and `\*` a star.
    Wildcard(String),
    /// A regular expression that matches the whole answer.
    Pattern(String),
}

/// A typed number.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberEntry {
    /// The accepted numbers; the first that fits decides.
    pub answers: Vec<NumberAnswer>,
    /// Whether only integers are correct.
    pub integer: bool,
    /// The unit of the answer, if it has one.
    pub unit: Option<Unit>,
    /// Further fields for the validator `number_text`, as an object: `significantFigures`, `decimal`, ...
    pub writing: Option<Json>,
}

/// An accepted number.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberAnswer {
    /// The accepted numbers.
    pub range: NumberRange,
    /// Its score, 0 to 1.
    pub weight: Ratio,
    /// Feedback to learners who gave it.
    pub feedback: Option<String>,
}

/// The numbers that an answer accepts, bounds included.
#[derive(Debug, Clone, PartialEq)]
pub enum NumberRange {
    /// Exactly this number.
    Exact(Decimal),
    /// A number and an absolute tolerance.
    Absolute(Decimal, Decimal),
    /// A number and a relative tolerance: 0.01 is one percent.
    Relative(Decimal, Decimal),
    /// From one number to another.
    Between(Decimal, Decimal),
    /// Every number.
    Any,
}

/// A unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its expected spelling.
    pub expected: String,
    /// Other spellings.
    pub accepted: Vec<String>,
    /// Whether an answer must have a unit.
    pub required: bool,
}

/// A formula.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// The correct answer in LaTeX.
    pub latex: String,
    /// The method of comparison.
    pub same: SameFormula,
    /// The variables with the bounds of their values, if the source gives them.
    pub variables: Vec<(String, Option<(Decimal, Decimal)>)>,
    /// The relative tolerance of sampled values, if the source gives one.
    pub tolerance: Option<Decimal>,
}

/// The method of comparing a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SameFormula {
    /// By value, symbolically.
    Symbolic,
    /// By values at sample points.
    Sampled,
    /// By form.
    Literal,
    /// By value; in addition, the formula must have a form of the validator `form`.
    InForm {
        /// The form, such as `factored`.
        form: String,
        /// The variable that the form refers to, if any.
        variable: Option<String>,
        /// The weight of an equal formula in another form.
        otherwise: Ratio,
    },
}

/// Items to put in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The items, including distractors.
    pub items: Vec<Choosable>,
    /// The correct order, without distractors.
    pub correct: Vec<String>,
    /// Pairs whose first item must precede the second. If present, they replace the order of `correct`, so several
    /// orders can be right.
    pub before: Option<Vec<(String, String)>>,
    /// The credit for a partly correct order.
    pub credit: OrderCredit,
}

/// The credit for a partly correct order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderCredit {
    /// No credit.
    AllOrNothing,
    /// The share of adjacent pairs of the correct order that are also adjacent, in the same order, in the answer.
    AdjacentPairs,
    /// The length of the longest correctly ordered subsequence, divided by the number of items.
    LongestSubsequence,
    /// `max(0, 1 - d/n)`, where `d` is the number of items to remove or insert and `n` is the length of `correct`.
    Edits,
    /// The share of items that are directly followed by the right item; the last item must be at the end.
    Successors,
    /// The share of right neighbours on both sides of each item; the ends of the list count as neighbours.
    Neighbours,
    /// The share of pairs of items in the right order.
    Pairs,
    /// Like `LongestSubsequence`, but a subsequence of one item earns nothing.
    LongestSubset,
    /// Like `LongestSubset`, but the subsequence must be contiguous in the correct order.
    LongestChain,
}

/// Pairs to form.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The items on the left.
    pub left: Vec<Choosable>,
    /// The items on the right; some may have no partner.
    pub right: Vec<Choosable>,
    /// The pairs that earn or cost marks, as left id, right id and weight. A weight above 0 means right.
    pub pairs: Vec<(String, String, Ratio)>,
    /// The scoring rule.
    pub rule: MatchRule,
    /// Whether several left items can have the same partner.
    pub many_to_one: bool,
    /// The maximum number of partners of a left item; `None` for any number.
    pub most_each: Option<usize>,
}

/// The scoring rule for pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchRule {
    /// Full marks for exactly the right pairs, otherwise none.
    AllOrNothing,
    /// The share of right pairs that are formed.
    Share,
    /// The sum of the weights of the pairs, between 0 and 1.
    Sum,
}

/// Prose that people grade.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prose {
    /// The minimum number of words.
    pub min_words: Option<u32>,
    /// The maximum number of words.
    pub max_words: Option<u32>,
    /// The criteria for a reviewer, each with its points.
    pub rubric: Vec<(String, u32)>,
    /// The checklist for self-assessment; without one, a reviewer grades the answer.
    pub checklist: Vec<String>,
}

/// A program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The language, named as in specs: `python`, `c`, ...
    pub language: String,
    /// The function that is called with JSON arguments; `None` for standard input and output.
    pub function: Option<String>,
    /// Starter code.
    pub starter: Option<String>,
    /// The cases, in order.
    pub cases: Vec<ProgramCase>,
    /// Whether only a program that passes all cases earns marks.
    pub all_or_nothing: bool,
    /// The time limit per case in milliseconds, if the source gives one.
    pub time_ms: Option<u32>,
    /// The memory limit in MiB, if the source gives one.
    pub memory_mb: Option<u32>,
}

/// A case of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramCase {
    /// Standard input, or a JSON array of arguments.
    pub input: String,
    /// The expected output, or the expected value as JSON.
    pub expected: String,
    /// Its weight, relative to the other cases.
    pub weight: Ratio,
    /// Whether learners see the case.
    pub public: bool,
    /// The matcher, named as in specs, such as `trimmed_lines`.
    pub matcher: &'static str,
}

/// Feedback that belongs to no option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    /// The occasion: `general`, `correct`, `incorrect`, `partial`, or an identifier of the source.
    pub when: String,
    /// The content that is shown.
    pub content: String,
}

/// A file that content refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// The reference as written in the source.
    pub href: String,
    /// Its path in the package; `None` if the package does not contain it.
    pub file: Option<String>,
}
