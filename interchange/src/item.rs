//! The common intermediate item, which every reader fills in and every writer reads.
//!
//! Readers know their format and this model. Only [`compile`](crate::compile) knows question types and validators.
//! Weights are exact shares of the score of their part: 1 is full marks.

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Ratio};

use crate::loss::{Effect, Loss, Place};

/// A question from another system.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its identifier in the source, or one made from its location; unique in a file.
    pub id: String,
    /// Its title or name.
    pub title: String,
    /// The question, as text with Markdown and `$...$` formulas.
    pub prompt: String,
    /// The parts to answer. If empty, there is nothing to grade, and a loss has the reason.
    pub parts: Vec<Part>,
    /// The way the scores of the parts are combined.
    pub combine: Combine,
    /// Full marks in the source, if not 1: a score times this value is the score in the source.
    pub max_score: Option<Ratio>,
    /// General feedback: after the answer, in the order of the source.
    pub feedback: Vec<Feedback>,
    /// Files that the content refers to.
    pub media: Vec<Media>,
    /// Data about the question: `category`, `tag`, `language`, ...; names may repeat.
    pub metadata: Vec<(String, String)>,
    /// Everything that is not carried over.
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

    /// Returns whether the item asks nothing, such as a description between questions.
    pub fn is_text(&self) -> bool {
        self.parts.is_empty() && self.losses.iter().all(|loss| loss.effect != Effect::ChangesScore)
    }
}

/// The way the parts of an item are combined into its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// The weighted mean of the scores.
    Sum,
    /// Full marks if every part has full marks, else no marks.
    All,
}

/// One part to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The identifier of its response in the source, such as `RESPONSE`; unique in the item.
    pub id: String,
    /// The question of this part, beyond the prompt of the item.
    pub prompt: String,
    /// Its weight among the parts, above 0.
    pub weight: Ratio,
    /// The way it is answered and scored.
    pub interaction: Interaction,
    /// Its place.
    pub place: Place,
}

impl Part {
    /// Creates a part of weight 1 without its own prompt.
    pub fn new(id: impl Into<String>, interaction: Interaction, place: Place) -> Self {
        Self { id: id.into(), prompt: String::new(), weight: Ratio::one(), interaction, place }
    }
}

/// The way a part is answered and scored.
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
    /// Things to put in order.
    Order(Order),
    /// Pairs to make.
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
    /// The number of options that may be selected; `None`: any number.
    pub most: Option<usize>,
    /// Whether they may be shown in another order.
    pub shuffle: bool,
    /// The rule by which a selection is scored.
    pub rule: ChoiceRule,
}

/// An option.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceOption {
    /// Its identifier in the source.
    pub id: String,
    /// The content that is shown.
    pub content: String,
    /// The score for selecting it, -1 to 1. With rules other than `Sum`, above 0 means right.
    pub weight: Ratio,
    /// Feedback to learners who selected it.
    pub feedback: Option<String>,
}

/// The rule by which a selection of several options is scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceRule {
    /// Full marks for exactly the right options.
    AllOrNothing,
    /// Full marks for all right options, whatever else is selected.
    Contains,
    /// (right - wrong) / all right, not below 0.
    Share,
    /// The sum of the weights, between 0 and 1.
    Sum,
    /// The share of right options that are selected; each selected option beyond the number of right options cancels
    /// one of them.
    UpToRight,
    /// The share of options that are correctly selected or correctly left out; an empty selection earns nothing.
    EachDecision,
}

/// A short text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextEntry {
    /// The accepted answers; the first that matches decides. If none matches, the answer earns nothing.
    pub answers: Vec<TextAnswer>,
    /// Whether case does not count.
    pub ignore_case: bool,
    /// The treatment of blanks.
    pub blanks: Blanks,
}

/// The treatment of blanks in a typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blanks {
    /// All blanks count.
    Keep,
    /// Blanks at the ends do not count.
    Trim,
    /// Several blanks count as one, blanks at the ends do not count.
    Collapse,
    /// No blanks count.
    Remove,
}

/// An accepted text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextAnswer {
    /// The way it is recognised.
    pub form: TextForm,
    /// Its score, 0 to 1.
    pub weight: Ratio,
    /// Feedback to learners who gave it.
    pub feedback: Option<String>,
}

/// The way an accepted text is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextForm {
    /// This text.
    Text(String),
    /// A text in which `*` matches any characters and `\*` a star.
    Wildcard(String),
    /// A regular expression that covers the whole answer.
    Pattern(String),
}

/// A typed number.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberEntry {
    /// The accepted numbers; the first that fits decides.
    pub answers: Vec<NumberAnswer>,
    /// Whether only integers are correct.
    pub integer: bool,
    /// The unit that an answer has.
    pub unit: Option<Unit>,
    /// Fields of the validator `number_text` beyond the answers (`significantFigures`, `decimal`, ...), as an object.
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

/// Numbers that an answer accepts, bounds included.
#[derive(Debug, Clone, PartialEq)]
pub enum NumberRange {
    /// Exactly this number.
    Exact(Decimal),
    /// At most this far from the number.
    Absolute(Decimal, Decimal),
    /// At most this share of the number away: 0.01 is one percent.
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
    /// Whether an answer must have one.
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
    /// Relative tolerance of sampled values, if the source gives one.
    pub tolerance: Option<Decimal>,
}

/// The method of comparing a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SameFormula {
    /// By its value everywhere.
    Symbolic,
    /// By its values at sample points.
    Sampled,
    /// By its form.
    Literal,
    /// By its value, and it must have a form of the validator `form`.
    InForm {
        /// The form, such as `factored`.
        form: String,
        /// The variable that the form is about, if it is about one.
        variable: Option<String>,
        /// The weight of an equal formula in another form.
        otherwise: Ratio,
    },
}

/// Things to put in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The items, including distractors.
    pub items: Vec<Choosable>,
    /// The correct order, without distractors.
    pub correct: Vec<String>,
    /// Pairs whose first item comes before the second, in place of the order of `correct`, if several orders are right.
    pub before: Option<Vec<(String, String)>>,
    /// The credit for a partly correct order.
    pub credit: OrderCredit,
}

/// The credit for a partly correct order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderCredit {
    /// Nothing.
    AllOrNothing,
    /// The share of right neighbours.
    AdjacentPairs,
    /// The share of the longest right subsequence.
    LongestSubsequence,
    /// 1 minus the number of items to remove and to insert, divided by the number of items.
    Edits,
    /// The share of items that the right item follows; the last item needs no item after it.
    Successors,
    /// The share of right neighbours on both sides; the ends of the list count as neighbours.
    Neighbours,
    /// The share of pairs in the right order.
    Pairs,
    /// The share of the longest right subsequence of at least two items.
    LongestSubset,
    /// The share of the longest run of at least two items that follow each other in the right order.
    LongestChain,
}

/// Pairs to make.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The left side.
    pub left: Vec<Choosable>,
    /// The right side; some may have no partner.
    pub right: Vec<Choosable>,
    /// The pairs that earn or cost marks: left, right, weight (above 0 is right).
    pub pairs: Vec<(String, String, Ratio)>,
    /// The rule by which pairs are scored.
    pub rule: MatchRule,
    /// Whether several left items may have the same partner.
    pub many_to_one: bool,
    /// The number of partners that a left item may have; `None`: any number.
    pub most_each: Option<usize>,
}

/// The rule by which pairs are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchRule {
    /// Full marks for exactly the right pairs.
    AllOrNothing,
    /// The share of right pairs; a left item without a right partner earns nothing.
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
    /// Criteria for a reviewer, each with its points.
    pub rubric: Vec<(String, u32)>,
    /// Whether the author gave a model answer; it becomes a line of the checklist.
    pub checklist: Vec<String>,
}

/// A program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The language, named as in specs: `python`, `c`, ...
    pub language: String,
    /// The function that is called with JSON arguments; `None`: standard input and output.
    pub function: Option<String>,
    /// Starter code.
    pub starter: Option<String>,
    /// The cases, in order.
    pub cases: Vec<ProgramCase>,
    /// Full marks only if all cases pass.
    pub all_or_nothing: bool,
    /// CPU time of a case in milliseconds, if the source gives one.
    pub time_ms: Option<u32>,
    /// Memory in MiB, if the source gives one.
    pub memory_mb: Option<u32>,
}

/// A case of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramCase {
    /// Standard input, or a JSON array of arguments.
    pub input: String,
    /// The expected output, or the expected value as JSON.
    pub expected: String,
    /// Its weight among the cases.
    pub weight: Ratio,
    /// Whether learners see it.
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
    /// The reference as it is written in the source.
    pub href: String,
    /// Its path in the package, if it is there.
    pub file: Option<String>,
}
