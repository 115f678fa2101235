//! Questions as Moodle grades them. Moodle XML, GIFT and Aiken are all read into these types.

use fablegrade_public::{Decimal, Ratio};

use crate::loss::{Loss, Place};

/// The format of a text in Moodle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TextFormat {
    /// Plain text with line breaks and some HTML ("Moodle auto-format").
    #[default]
    Auto,
    Html,
    Markdown,
    Plain,
}

impl TextFormat {
    /// Returns the format with this name in Moodle XML (`plain_text`) or GIFT (`plain`).
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name.trim() {
            "moodle" | "moodle_auto_format" => Some(Self::Auto),
            "html" => Some(Self::Html),
            "markdown" => Some(Self::Markdown),
            "plain" | "plain_text" => Some(Self::Plain),
            _ => None,
        }
    }
}

/// A text and its format.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) format: TextFormat,
}

impl Text {
    pub(crate) fn new(text: impl Into<String>, format: TextFormat) -> Self {
        Self { text: text.into(), format }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// An answer in the key, with its share of the grade.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Answer {
    pub(crate) text: Text,
    pub(crate) share: Share,
    pub(crate) feedback: Text,
    /// The tolerance of a number, as written; `..` if the text is a range.
    pub(crate) tolerance: String,
    /// The line in the file, from 1; 0 if unknown.
    pub(crate) line: u32,
}

/// An exact share of the grade, and whether rounded digits in the file were completed (33.33333 to one third).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Share {
    pub(crate) value: Ratio,
    pub(crate) completed: bool,
}

impl Default for Share {
    fn default() -> Self {
        Self { value: Ratio::zero(), completed: false }
    }
}

impl From<Ratio> for Share {
    fn from(value: Ratio) -> Self {
        Self { value, completed: false }
    }
}

/// Denominators that cover the shares in Moodle's list.
const DENOMINATORS: [u64; 8] = [3, 6, 7, 9, 8, 20, 4, 2];

impl Share {
    /// Reads a percentage such as `100` or `-33.33333`.
    ///
    /// Moodle offers a fixed list of shares. A percentage with decimals is read as a multiple of `1/d` if it is this
    /// multiple, rounded or cut off to its decimals or within 0.001 percentage points of it, for the first such `d` of
    /// [`DENOMINATORS`].
    pub(crate) fn percent(text: &str) -> Option<Self> {
        let text = text.trim().replace(',', ".");
        let text = text.strip_prefix('+').unwrap_or(&text);
        let number = Decimal::from_text(&normal_number(text)?).ok()?;
        let exact = Ratio::from_decimal(&number).over(&Ratio::new(100, 1))?;
        if !text.contains('.') {
            return Some(exact.into());
        }
        // Half of the last place, or 0.001 percentage points.
        let places = text.split_once('.').map_or(0, |(_, places)| places.trim().len().min(9)) as i32;
        let half = Ratio::from_decimal(&Decimal::new(5, -places - 3));
        for denominator in DENOMINATORS {
            let scaled = exact.to_f64() * denominator as f64;
            let nearest = Ratio::new(libm::round(scaled.clamp(-1e6, 1e6)) as i64, denominator);
            let off = exact.minus(&nearest);
            let size = off.clone().max(Ratio::zero().minus(&off));
            // Digits that were cut off make the number smaller.
            let cut = (off < Ratio::zero()) == (exact > Ratio::zero()) && size < half.plus(&half);
            if size <= Ratio::new(1, 100_000) || size <= half || cut {
                let completed = !off.is_zero();
                return Some(Self { value: nearest, completed });
            }
        }
        Some(exact.into())
    }
}

/// Converts a typed number to JSON's notation: `.5`, `5.` and `007` become `0.5`, `5` and `7`. Returns `None` if it is
/// not a number, is longer than 100 bytes or has an exponent of more than four digits.
pub(crate) fn normal_number(text: &str) -> Option<String> {
    let text = text.trim();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || (whole.is_empty() && fraction.is_empty()) || text.len() > 100 {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let mut number = format!("{sign}{}", if whole.is_empty() { "0" } else { whole });
    if !fraction.is_empty() {
        number.push('.');
        number.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        let unsigned = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if unsigned.is_empty() || !digits(unsigned) || unsigned.len() > 4 {
            return None;
        }
        number.push('e');
        number.push_str(exponent);
    }
    Some(number)
}

/// The grading of an ordering question; Moodle numbers the kinds from -1 to 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderGrading {
    AllOrNothing,
    AbsolutePosition,
    NextExcludeLast,
    NextIncludeLast,
    OnePreviousAndNext,
    AllPreviousAndNext,
    LongestOrdered,
    LongestContiguous,
    RelativeToCorrect,
}

impl OrderGrading {
    /// Returns the grading with this number or name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name.trim() {
            "-1" | "ALL_OR_NOTHING" => Self::AllOrNothing,
            "0" | "ABSOLUTE_POSITION" => Self::AbsolutePosition,
            "1" | "RELATIVE_NEXT_EXCLUDE_LAST" => Self::NextExcludeLast,
            "2" | "RELATIVE_NEXT_INCLUDE_LAST" => Self::NextIncludeLast,
            "3" | "RELATIVE_ONE_PREVIOUS_AND_NEXT" => Self::OnePreviousAndNext,
            "4" | "RELATIVE_ALL_PREVIOUS_AND_NEXT" => Self::AllPreviousAndNext,
            "5" | "LONGEST_ORDERED_SUBSET" => Self::LongestOrdered,
            "6" | "LONGEST_CONTIGUOUS_SUBSET" => Self::LongestContiguous,
            "7" | "RELATIVE_TO_CORRECT" => Self::RelativeToCorrect,
            _ => return None,
        })
    }
}

/// A choice for gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GapChoice {
    pub(crate) text: String,
    pub(crate) group: String,
    /// Whether it can be dragged to several gaps.
    pub(crate) infinite: bool,
}

/// A question inside a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClozeBlank {
    /// The weight, relative to the other questions of the text.
    pub(crate) weight: u32,
    pub(crate) kind: ClozeKind,
    pub(crate) answers: Vec<Answer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClozeKind {
    ShortAnswer { case: bool },
    Numerical,
    Choice,
    Multiple,
}

/// A piece of a text with embedded questions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ClozePiece {
    Text(String),
    Blank(ClozeBlank),
    /// The rest of a text with too many questions. It is not kept, because it has keys.
    Unread,
}

/// A unit of a numerical question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) name: String,
    pub(crate) multiplier: String,
}

/// The unit rules of a numerical question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Units {
    pub(crate) known: Vec<Unit>,
    /// Whether a wrong or missing unit costs anything.
    pub(crate) graded: bool,
    /// Whether a unit can be given.
    pub(crate) shown: bool,
}

/// The kind of a question, with the data that determine its grading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    MultiChoice {
        single: bool,
        shuffle: bool,
        answers: Vec<Answer>,
    },
    /// OU multiple response: each answer selected beyond the number of right answers cancels a right one.
    OuMultiResponse {
        shuffle: bool,
        answers: Vec<Answer>,
    },
    TrueFalse {
        correct: bool,
        feedback: [Text; 2],
    },
    ShortAnswer {
        case: bool,
        answers: Vec<Answer>,
    },
    Numerical {
        answers: Vec<Answer>,
        units: Units,
    },
    Matching {
        pairs: Vec<(Text, Text)>,
    },
    Ordering {
        items: Vec<Text>,
        grading: OrderGrading,
        subset: bool,
    },
    Gaps {
        choices: Vec<GapChoice>,
        drag: bool,
    },
    Cloze {
        pieces: Vec<ClozePiece>,
    },
    /// Rows that each match a column (multiple true or false); `right` has their indices.
    Rows {
        rows: Vec<Text>,
        columns: Vec<Text>,
        right: Vec<(usize, usize)>,
        all: bool,
    },
    /// Things to drag to places in a picture; `places` has the index of the right thing for each place.
    Places {
        things: Vec<Text>,
        places: Vec<usize>,
        reused: bool,
    },
    Essay {
        min_words: Option<u32>,
        max_words: Option<u32>,
        text_allowed: bool,
    },
    Description,
    /// The name of a type that cannot be graded; empty if a loss already gives the reason.
    Other(String),
}

impl Kind {
    /// Creates a numerical question without units.
    pub(crate) fn plain_number(answers: Vec<Answer>) -> Self {
        Self::Numerical { answers, units: Units::default() }
    }
}

/// A question with all its data from the file.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) text: Text,
    pub(crate) kind: Kind,
    pub(crate) general_feedback: Text,
    /// Feedback by outcome: `correct`, `partial`, `incorrect`.
    pub(crate) combined_feedback: Vec<(&'static str, Text)>,
    pub(crate) hints: Vec<Text>,
    /// Full marks, as written.
    pub(crate) grade: Option<String>,
    /// The penalty for a wrong try, as written.
    pub(crate) penalty: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) id_number: String,
    pub(crate) category: String,
    /// The names of embedded files.
    pub(crate) files: Vec<String>,
    /// The losses from reading the file.
    pub(crate) losses: Vec<Loss>,
    pub(crate) place: Place,
}

impl Question {
    pub(crate) fn new(name: impl Into<String>, text: Text, kind: Kind, place: Place) -> Self {
        Self {
            name: name.into(),
            text,
            kind,
            general_feedback: Text::default(),
            combined_feedback: Vec::new(),
            hints: Vec::new(),
            grade: None,
            penalty: None,
            tags: Vec::new(),
            id_number: String::new(),
            category: String::new(),
            files: Vec::new(),
            losses: Vec::new(),
            place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Share, normal_number};

    #[test]
    fn percentages_of_the_list_are_exact() {
        for (text, exact, completed) in [
            ("100", "1", false),
            ("33.33333", "1/3", true),
            ("-33.33333", "-1/3", true),
            ("83.33333", "5/6", true),
            ("14.28571", "1/7", true),
            ("11.11111", "1/9", true),
            ("12.5", "1/8", false),
            ("5", "1/20", false),
            ("75", "3/4", false),
            ("33.3333333", "1/3", true),
            ("33.3", "1/3", true),
            ("-66.6", "-2/3", true),
            ("16.7", "1/6", true),
            ("14.2", "1/7", true),
            ("99.9", "999/1000", false),
            ("12.0", "3/25", false),
            ("12.34", "617/5000", false),
            ("0", "0", false),
        ] {
            let share = Share::percent(text).unwrap();
            assert_eq!(
                (share.value.to_fraction_text().as_str(), share.completed),
                (exact, completed),
                "{text}"
            );
        }
        assert_eq!(Share::percent("much"), None);
    }

    #[test]
    fn numbers_as_typed_become_json() {
        for (typed, json) in [(".5", "0.5"), ("5.", "5"), ("-007.10", "-7.10"), ("1E-3", "1e-3"), ("+2", "2")]
        {
            assert_eq!(normal_number(typed).as_deref(), Some(json));
        }
        for bad in ["", "-", ".", "1e", "x", "1,5", "1e99999"] {
            assert_eq!(normal_number(bad), None, "{bad}");
        }
    }
}
