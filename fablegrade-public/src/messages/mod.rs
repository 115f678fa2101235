//! Messages to learners, in their language.
//!
//! Graders write English. One catalogue has all of their sentences, each with a code and a translation into
//! every other language. A result can therefore be shown in a learner's language wherever it was graded, and
//! a host can substitute its own words.
//!
//! [`recognise`] returns the code and the parameters of a sentence; [`translate`] returns the sentence in
//! another language. Texts that match no sentence, such as most texts of authors, stay unchanged.
//!
//! ```
//! use fablegrade_public::messages::{Locale, recognise, translate};
//!
//! let message = "Minimum number of words: 30; yours: 12.";
//! assert_eq!(translate(message, Locale::De), "Mindestzahl an Wörtern: 30; im Text: 12.");
//! let known = recognise(message).unwrap();
//! assert_eq!((known.code, known.params), ("too-few-words", vec![("min", "30"), ("words", "12")]));
//! assert_eq!(translate("Have a look at chapter 3.", Locale::De), "Have a look at chapter 3.");
//! ```

mod catalogue;
mod formulas;
mod unreadable;

use std::borrow::Cow;

use crate::finding::{Finding, Findings};
use crate::json::{self, Path, Value};

pub use unreadable::for_learner;

/// A language of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Locale {
    /// English.
    #[default]
    En,
    /// German.
    De,
}

impl Locale {
    /// All languages with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[("en", Self::En), ("de", Self::De)];

    /// Returns the language of a tag such as `de`, `de-AT` (BCP 47) or `en_GB`; `None` if the catalogue lacks
    /// it.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let language = tag.split(['-', '_']).next()?;
        Self::WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(language)).map(|(_, locale)| *locale)
    }

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
        }
    }

    /// Reads a tag such as `"de"` or `"de-AT"`.
    pub fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let tag = json::string(0, 100)(value, at, findings)?;
        let locale = Self::from_tag(&tag);
        if locale.is_none() {
            findings.push(Finding::error(
                "unknown-locale",
                at.pointer(),
                "there are no messages in this language",
                "use `en` or `de`, or leave it out and translate by code",
            ));
        }
        locale
    }
}

/// A sentence of the catalogue: `<name>` denotes a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// The code in kebab case. Sentences with the same meaning share a code.
    pub code: &'static str,
    /// The English text, as graders write it.
    pub en: &'static str,
    /// The German text.
    pub de: &'static str,
}

impl Sentence {
    /// Returns the sentence in a language, with placeholders for its parameters.
    pub const fn text(&self, locale: Locale) -> &'static str {
        match locale {
            Locale::En => self.en,
            Locale::De => self.de,
        }
    }
}

/// Returns all sentences and phrases; whole sentences come first.
pub fn sentences() -> impl Iterator<Item = &'static Sentence> {
    catalogue::SENTENCES.iter().chain(catalogue::DIFFERENCES).chain(formulas::PHRASES)
}

/// A recognised sentence of the catalogue, with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known<'a> {
    /// The sentence.
    pub sentence: &'static Sentence,
    /// The sentence's code.
    pub code: &'static str,
    /// The parameters in the order of the English sentence.
    pub params: Vec<(&'static str, &'a str)>,
}

/// Recognises a message to a learner: feedback, a refusal, or an excerpt of a difference.
///
/// Returns `None` for other texts, such as most texts of authors. Linear in the message's length.
pub fn recognise(message: &str) -> Option<Known<'_>> {
    among(catalogue::SENTENCES, message).or_else(|| among(catalogue::DIFFERENCES, message))
}

/// Recognises a phrase about a formula: a reading error, expected input, a suggestion, or a note.
pub fn recognise_phrase(phrase: &str) -> Option<Known<'_>> {
    among(formulas::PHRASES, phrase)
}

fn among<'a>(sentences: &'static [Sentence], text: &'a str) -> Option<Known<'a>> {
    sentences.iter().find_map(|sentence| {
        let params = matched(sentence.en, text)?;
        Some(Known { sentence, code: sentence.code, params })
    })
}

/// Translates a message into a language; a message that is not in the catalogue stays unchanged.
pub fn translate(message: &str, locale: Locale) -> Cow<'_, str> {
    translated(message, locale, recognise)
}

/// Works like [`translate`], for a phrase about a formula.
pub fn translate_phrase(phrase: &str, locale: Locale) -> Cow<'_, str> {
    translated(phrase, locale, recognise_phrase)
}

fn translated<'a>(
    text: &'a str,
    locale: Locale,
    recognise: impl Fn(&'a str) -> Option<Known<'a>>,
) -> Cow<'a, str> {
    // Messages are written in English; nothing is searched for it.
    if locale == Locale::En {
        return Cow::Borrowed(text);
    }
    recognise(text).map_or(Cow::Borrowed(text), |known| Cow::Owned(known.fill(locale)))
}

impl Known<'_> {
    /// Returns the sentence in a language, with its parameters filled in.
    pub fn fill(&self, locale: Locale) -> String {
        let of_output = catalogue::DIFFERENCES.iter().any(|one| std::ptr::eq(one, self.sentence));
        let mut out = String::new();
        let mut rest = self.sentence.text(locale);
        while let Some((before, name, after)) = placeholder(rest) {
            out.push_str(before);
            let value = self.params.iter().find(|(param, _)| *param == name).map_or("", |(_, value)| value);
            out.push_str(&if of_output {
                of_output_parameter(self.code, value, locale)
            } else {
                parameter(name, value, locale)
            });
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// Translates a parameter; some parameters are sentences or phrases.
///
/// The recursion ends, because the sentence of a part contains no further part, and a phrase contains no
/// sentence.
fn parameter<'a>(name: &str, value: &'a str, locale: Locale) -> Cow<'a, str> {
    match name {
        "sentence" if !value.starts_with("Part ") => translate(value, locale),
        "problem" | "suggestion" => translate_phrase(value, locale),
        "expected" | "found" | "place" | "what" => match among(formulas::PHRASES, value) {
            // Only the parameter `found` can be a phrase with parameters.
            Some(known) if known.params.is_empty() || name == "found" => Cow::Owned(known.fill(locale)),
            _ => Cow::Borrowed(value),
        },
        _ => Cow::Borrowed(value),
    }
}

/// Translates a parameter of a sentence about program output. Output is never translated, even if it looks like
/// a phrase. Fixed words such as `(nothing)` are translated only where output cannot be the same text: a line
/// can be any text, but a JSON value or a token cannot.
fn of_output_parameter<'a>(code: &str, value: &'a str, locale: Locale) -> Cow<'a, str> {
    let words: &[&str] = match code {
        "value-differs" => &["the top", "(nothing)"],
        "number-differs" | "token-differs" => &["(end of output)"],
        _ => &[],
    };
    if words.contains(&value) {
        translated(value, locale, |value| among(catalogue::DIFFERENCES, value))
    } else {
        Cow::Borrowed(value)
    }
}

/// Returns the text before the first placeholder, its name, and the text after it.
fn placeholder(template: &'static str) -> Option<(&'static str, &'static str, &'static str)> {
    let mut from = 0;
    loop {
        let open = from + template.get(from..)?.find('<')?;
        let inside = template.get(open + 1..)?;
        let end = inside.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(inside.len());
        if end > 0 && inside[end..].starts_with('>') {
            return Some((&template[..open], &inside[..end], &inside[end + 1..]));
        }
        from = open + 1;
    }
}

/// Returns the parameters of `text`, if it is the template with a text in place of each placeholder.
///
/// The first occurrence of each literal part counts.
fn matched<'a>(template: &'static str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut params: Vec<(&'static str, &'a str)> = Vec::new();
    let Some((before, mut name, mut rest)) = placeholder(template) else {
        return (template == text).then_some(params);
    };
    let mut text = text.strip_prefix(before)?;
    while let Some((literal, next, after)) = placeholder(rest) {
        let at = text.find(literal)?;
        params.push((name, &text[..at]));
        text = &text[at + literal.len()..];
        (name, rest) = (next, after);
    }
    params.push((name, text.strip_suffix(rest)?));
    Some(params)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(template: &'static str) -> Vec<&'static str> {
        let (mut names, mut rest) = (Vec::new(), template);
        while let Some((_, name, after)) = placeholder(rest) {
            names.push(name);
            rest = after;
        }
        names.sort_unstable();
        names
    }

    #[test]
    fn every_sentence_has_the_same_parameters_in_every_language() {
        let mut seen = std::collections::BTreeSet::new();
        for sentence in sentences() {
            assert_eq!(names(sentence.en), names(sentence.de), "{}", sentence.en);
            assert_ne!(sentence.en, sentence.de, "{}", sentence.code);
            assert!(seen.insert(sentence.en), "{} occurs twice", sentence.en);
            assert!(sentence.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        }
        assert!(seen.len() > 200, "{}", seen.len());
    }

    #[test]
    fn every_sentence_is_recognised_with_its_parameters() {
        for (list, recognise) in [
            (catalogue::SENTENCES, recognise as fn(&str) -> Option<Known<'_>>),
            (catalogue::DIFFERENCES, recognise),
            (formulas::PHRASES, recognise_phrase),
        ] {
            for sentence in list {
                let mut filled = sentence.en.to_owned();
                for (at, name) in names(sentence.en).into_iter().enumerate() {
                    filled = filled.replace(&format!("<{name}>"), &format!("q{at}"));
                }
                let known = recognise(&filled).unwrap_or_else(|| panic!("{filled}"));
                assert_eq!(known.sentence.en, sentence.en, "{filled}");
                assert!(known.params.iter().all(|(_, value)| value.starts_with('q')), "{filled}");
                assert_eq!(known.fill(Locale::En), filled);
            }
        }
    }

    #[test]
    fn sentences_inside_sentences_are_translated_too() {
        let message = "The formula cannot be read at character 3: the expression ends too early. Expected: a number, a \
                       variable, a function or an opening bracket.";
        let german = "Die Formel ist bei Zeichen 3 nicht lesbar: der Ausdruck endet zu früh. Erwartet: eine Zahl, eine \
                      Variable, eine Funktion oder eine öffnende Klammer.";
        assert_eq!(translate(message, Locale::De), german);
        assert_eq!(translate("Part 2: A unit is missing.", Locale::De), "Teil 2: Eine Einheit fehlt.");
        assert_eq!(
            translate_phrase("`(` is opened but `]` comes before it is closed", Locale::De),
            "`(` wird geöffnet, aber `]` kommt, bevor es geschlossen wird"
        );
    }

    #[test]
    fn program_output_is_never_translated() {
        for line in
            ["a number", "a variable", "the top", "(nothing)", "(end of output)", "A unit is missing."]
        {
            for (english, german) in [
                (format!("line 1, character 1:\n  expected: {line}\n  found:    x"), "erwartet: "),
                (format!("line 1: the output ends, expected:\n  {line}"), "erwartet:\n  "),
                (format!("line 1: nothing more was expected, found:\n  {line}"), "erhalten:\n  "),
            ] {
                let translation = translate(&english, Locale::De);
                assert_ne!(translation, english);
                assert!(translation.contains(&format!("{german}{line}")), "{translation}");
            }
        }
        assert_eq!(
            translate("token 2:\n  expected: number\n  found:    (end of output)", Locale::De),
            "Wort 2:\n  erwartet: number\n  erhalten: (Ende der Ausgabe)"
        );
        assert_eq!(
            translate("at the top:\n  expected: 1\n  found:    (nothing)", Locale::De),
            "bei der obersten Ebene:\n  erwartet: 1\n  erhalten: (nichts)"
        );
    }

    #[test]
    fn tags_of_languages_are_read() {
        for (tag, locale) in
            [("de", Some(Locale::De)), ("de-AT", Some(Locale::De)), ("EN_gb", Some(Locale::En))]
        {
            assert_eq!(Locale::from_tag(tag), locale);
        }
        for tag in ["", "fr", "deutsch", "-de"] {
            assert_eq!(Locale::from_tag(tag), None, "{tag}");
        }
    }

    #[test]
    fn hostile_messages_end() {
        for text in ["Part 1: ".repeat(300), "line ".repeat(2_000), "`".repeat(9_000), "<min>".repeat(500)] {
            let _ = translate(&text, Locale::De);
            let _ = translate_phrase(&text, Locale::De);
        }
    }
}
