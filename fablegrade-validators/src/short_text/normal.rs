//! Normalisation of texts before comparison.

use fablegrade_core::json::{self, Object};
use regex::Regex;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::number_words;

/// Options for normalising texts before they are compared.
#[derive(Debug, Clone)]
pub struct Form {
    /// Case does not count (default).
    pub ignore_case: bool,
    /// `é` counts as `e`, `ø` as `o`.
    pub ignore_accents: bool,
    /// The punctuation to remove (Unicode category P); `None` if punctuation counts.
    punctuation: Option<Regex>,
    blanks: Blanks,
    unicode: Unicode,
    /// The order of words does not count.
    words_in_any_order: bool,
    /// English number words count as digits.
    number_words: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blanks {
    /// Whitespace at the ends is removed; a run of whitespace becomes one space.
    Collapse,
    /// Whitespace at the ends is removed.
    Trim,
    /// All whitespace counts.
    Keep,
    /// All whitespace is removed.
    Remove,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unicode {
    Nfc,
    Nfkc,
    None,
}

const BLANKS: &[(&str, Blanks)] = &[
    ("collapse", Blanks::Collapse),
    ("trim", Blanks::Trim),
    ("keep", Blanks::Keep),
    ("remove", Blanks::Remove),
];
const UNICODE: &[(&str, Unicode)] =
    &[("nfc", Unicode::Nfc), ("nfkc", Unicode::Nfkc), ("none", Unicode::None)];
const WORD_ORDER: &[(&str, bool)] = &[("fixed", false), ("free", true)];
const LANGUAGES: &[(&str, bool)] = &[("en", true)];

/// The private-use character that represents a wildcard while a text is normalised.
const WILDCARD: char = '\u{F8FE}';

/// Returns the letter without its stroke, or `i` for `ı`; Unicode does not decompose these letters.
fn without_stroke(letter: char) -> char {
    match letter {
        'ø' => 'o',
        'Ø' => 'O',
        'ł' => 'l',
        'Ł' => 'L',
        'đ' => 'd',
        'Đ' => 'D',
        'ħ' => 'h',
        'Ħ' => 'H',
        'ŧ' => 't',
        'Ŧ' => 'T',
        'ı' => 'i',
        other => other,
    }
}

/// Returns the sign of a keyboard for a typographic apostrophe, quotation mark, hyphen or minus.
fn typed_sign(sign: char) -> char {
    match sign {
        '\u{2018}' | '\u{2019}' | '\u{2bc}' | '\u{2032}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        other => other,
    }
}

impl Form {
    /// Reads the fields of a configuration that determine the form of texts.
    pub(super) fn read(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let ignore_case = object.defaulted("ignoreCase", true, json::boolean);
        let ignore_accents = object.defaulted("ignoreAccents", false, json::boolean);
        let ignore_punctuation = object.defaulted("ignorePunctuation", false, json::boolean);
        let blanks = object.defaulted("blanks", Blanks::Collapse, json::word(BLANKS));
        let unicode = object.defaulted("unicode", Unicode::Nfc, json::word(UNICODE));
        let words_in_any_order = object.defaulted("wordOrder", false, json::word(WORD_ORDER));
        let number_words = object.defaulted("numberWords", false, json::word(LANGUAGES));
        let punctuation = if ignore_punctuation? { Some(Regex::new(r"\p{P}").ok()?) } else { None };
        Some(Self {
            ignore_case: ignore_case?,
            ignore_accents: ignore_accents?,
            punctuation,
            blanks: blanks?,
            unicode: unicode?,
            words_in_any_order: words_in_any_order?,
            number_words: number_words?,
        })
    }

    /// Returns the normalised text.
    pub(super) fn apply(&self, text: &str) -> String {
        self.fold(&self.unfolded(text))
    }

    /// Returns the normalised text in which words are searched: its words keep their order and are separated by
    /// single spaces, also in place of ignored punctuation. `None` if words can be searched in the result of
    /// [`apply`](Self::apply).
    pub(super) fn apart(&self, text: &str) -> Option<String> {
        if self.punctuation.is_none() && self.blanks != Blanks::Remove && !self.words_in_any_order {
            return None;
        }
        Some(self.fold_words(&self.spaced(text, " ", Blanks::Collapse)))
    }

    /// Returns whether the normal form of a text loses the order of its words.
    pub(super) fn loses_order(&self, text: &str) -> bool {
        self.words_in_any_order && text.split_whitespace().nth(1).is_some()
    }

    /// Returns the text against which patterns are matched: in this form, but before [`fold`](Self::fold).
    pub(super) fn unfolded(&self, text: &str) -> String {
        self.spaced(text, "", self.blanks)
    }

    /// Returns [`unfolded`](Self::unfolded) with typographic signs as they are, if there are any: a pattern may name them.
    pub(super) fn with_signs(&self, text: &str) -> Option<String> {
        let has_signs = self.unicode != Unicode::None && text.chars().any(|c| typed_sign(c) != c);
        has_signs.then(|| self.finished(self.composed(text), "", self.blanks))
    }

    /// Returns the text with `instead` in place of ignored punctuation, before [`fold`](Self::fold). Typographic signs are
    /// those of a keyboard, except with `unicode: none`.
    fn spaced(&self, text: &str, instead: &str, blanks: Blanks) -> String {
        let mut text = self.composed(text);
        // Writing programs put in these signs by themselves.
        if self.unicode != Unicode::None && !text.is_ascii() {
            text = text.chars().map(typed_sign).collect();
        }
        self.finished(text, instead, blanks)
    }

    /// Returns the text in the Unicode normal form.
    fn composed(&self, text: &str) -> String {
        if text.is_ascii() {
            return text.to_owned();
        }
        match self.unicode {
            Unicode::Nfc => text.nfc().collect(),
            Unicode::Nfkc => text.nfkc().collect(),
            Unicode::None => text.to_owned(),
        }
    }

    /// Removes accents, punctuation and blanks, as configured.
    fn finished(&self, mut text: String, instead: &str, blanks: Blanks) -> String {
        if self.ignore_accents && !text.is_ascii() {
            text = text.nfd().filter(|c| !is_combining_mark(*c)).map(without_stroke).nfc().collect();
        }
        if let Some(punctuation) = &self.punctuation {
            text = punctuation.replace_all(&text, instead).into_owned();
        }
        match blanks {
            Blanks::Keep => text,
            Blanks::Trim => text.trim().to_owned(),
            Blanks::Collapse => {
                if text.is_ascii()
                    && text.split(' ').all(|word| !word.is_empty())
                    && !text.contains(char::is_control)
                {
                    return text;
                }
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }
            Blanks::Remove => text.split_whitespace().collect(),
        }
    }

    /// Folds case, number words and the order of words, as configured.
    pub(super) fn fold(&self, text: &str) -> String {
        self.sort_words(self.fold_words(text))
    }

    /// Sorts the words of a text if their order does not count.
    pub(super) fn sort_words(&self, text: String) -> String {
        if !self.words_in_any_order {
            return text;
        }
        let mut words: Vec<&str> = text.split_whitespace().collect();
        words.sort_unstable();
        words.join(" ")
    }

    /// Folds case and number words, as configured.
    pub(super) fn fold_words(&self, text: &str) -> String {
        let text = if !self.ignore_case {
            text.to_owned()
        } else if text.is_ascii() {
            text.to_ascii_lowercase()
        } else {
            // Via upper case, so `ß` becomes `ss`, and `σ` and `ς` become the same.
            text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
        };
        if self.number_words { number_words::to_digits(&text) } else { text }
    }

    /// Returns the pieces of a text between its wildcards `*`, normalised except for the order of words; `\*` is a
    /// literal star, `\\` a backslash.
    pub(super) fn wildcard(&self, text: &str) -> Vec<String> {
        let mut marked = String::with_capacity(text.len());
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            match (char, chars.peek()) {
                ('\\', Some(&next @ ('*' | '\\'))) => {
                    marked.push(next);
                    chars.next();
                }
                ('*', _) => marked.push(WILDCARD),
                _ => marked.push(char),
            }
        }
        let pieces = self.fold_words(&self.unfolded(&marked));
        let mut pieces: Vec<String> = pieces.split(WILDCARD).map(ToOwned::to_owned).collect();
        // A run of wildcards counts as one.
        let last = pieces.len() - 1;
        let mut index = 0;
        pieces.retain(|piece| {
            let keep = index == 0 || index == last || !piece.is_empty();
            index += 1;
            keep
        });
        pieces
    }
}
