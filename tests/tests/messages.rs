//! The catalogue of messages is complete. It contains all messages to learners from graders, the formula
//! parser and validators, in every language.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;

use fablegrade_core::messages::{Locale, recognise, recognise_phrase, translate};
use fablegrade_core::request::Documents;
use fablegrade_latex::{Declarations, understand};
use fablegrade_tests::source_texts::{is_phrase, texts_of};
use fablegrade_tests::{Kind, repository, vectors};

/// Returns a format with a text in place of each parameter.
fn filled(format: &str) -> String {
    let format = format.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let (mut out, mut rest) = (String::new(), format.as_str());
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        out.push('q');
        rest = after.split_once('}').expect("a format").1;
    }
    out.push_str(rest);
    out.replace('\u{1}', "{").replace('\u{2}', "}")
}

#[test]
fn every_phrase_of_the_formula_reader_is_in_the_catalogue() {
    let mut seen = 0;
    for file in fs::read_dir(repository().join("fablegrade-latex/src/parser")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        for text in texts_of(&source).iter().filter(|text| is_phrase(text)) {
            // This is a text or a format.
            let known = [text.clone(), filled(text)].iter().any(|phrase| recognise_phrase(phrase).is_some());
            assert!(known, "`{text}` is not in the catalogue");
            seen += 1;
        }
    }
    assert!(seen > 80, "{seen}");
}

#[test]
fn errors_and_notes_of_formulas_are_in_the_catalogue() {
    let sources = [
        "",
        "x+",
        "x)",
        "(x",
        "\\frac{1}{2",
        "\\frac{1}",
        "2sinx",
        "1.2.3",
        "\\farc{1}{2}",
        "\\sinxy",
        "1 1/2",
        "x^-12",
        "x^2^3",
        "x_1_2",
        "3\\times",
        "\\sin",
        "\\sin(1,2)",
        "a#b",
        "|x",
        "\\left(x",
        "\\sum k",
        "\\int x",
        "\\begin{pmatrix}1&2\\\\3\\end{pmatrix}",
        "$x",
        "\\foo",
        "\\operatorname{farc}x",
        "\\text{x}^",
        "(1]",
        "\\left(x\\right]+(",
        "x=",
        "{}",
        "\\frac",
        "\\sqrt",
        "\\log_",
        "1,00,0",
        "\\frac12x",
        "2\\frac12",
        "1/2x",
        "x^23",
        "x(x+1)",
        "\\log x",
        "1,000",
        "3{,}14",
        "1.5E3",
        "2e-3",
        "pi r^2",
        "{1,2}",
        "\\$5",
        "x^(n+1)",
        "\\sin 2(x+1)",
        "\\Gamma(x)",
        "3,14",
        "velocity",
        "\\mathbb{R}^+",
        "\\vertx\\vert",
        "\\varphi",
        "x+é",
        "\\lim x",
    ];
    let (mut errors, mut notes) = (0, 0);
    for source in sources {
        match understand(source, &Declarations::new()) {
            Ok(read) => {
                for note in &read.notes {
                    assert_eq!(
                        recognise_phrase(note.message()).unwrap().code,
                        note.kind.as_str(),
                        "{source}"
                    );
                    notes += 1;
                }
            }
            Err(error) => {
                let said =
                    [error.message.as_str(), error.expected, error.suggestion.as_deref().unwrap_or_default()];
                for phrase in said.into_iter().filter(|phrase| is_phrase(phrase)) {
                    assert!(recognise_phrase(phrase).is_some(), "{source}: {phrase}");
                }
                let whole = error.for_learner(source);
                let german = translate(&whole, Locale::De);
                assert!(german.starts_with("Die Formel ist bei Zeichen "), "{german}");
                for english in ["Expected", "cannot", " is ", " the ", "Suggestion"] {
                    assert!(!german.contains(english), "{source}: {german}");
                }
                errors += 1;
            }
        }
    }
    assert!(errors > 25 && notes > 15, "{errors}, {notes}");
}

#[test]
fn feedback_of_every_vector_is_in_the_catalogue_or_the_authors() {
    let (mut ours, mut authors) = (0, 0);
    for vector in vectors().iter().filter(|vector| vector.kind == Kind::Grade) {
        let Some(spec) = vector.document("spec") else { continue };
        let texts = ["submission", "attempt", "outcomes"].map(|name| vector.document(name));
        let documents = |context: &'static [u8]| Documents {
            submission: texts[0].as_deref().map(str::as_bytes),
            attempt: texts[1].as_deref().map(str::as_bytes),
            outcomes: texts[2].as_deref().map(str::as_bytes),
            context: Some(context),
        };
        let host = fablegrade_validators::registry::host();
        let Ok(english) = documents(b"{}").grade(spec.as_str(), &host) else { continue };
        let german = documents(br#"{"locale":"de-AT"}"#).grade(spec.as_str(), &host).unwrap();
        assert_eq!((english.verdict, english.score), (german.verdict, german.score), "{}", vector.name);
        assert_eq!(english.attempt_id, german.attempt_id, "{}", vector.name);
        for (english, german) in english.feedback.iter().zip(&german.feedback) {
            match recognise(english.message()) {
                Some(known) => {
                    assert_ne!(english.message(), german.message(), "{}", vector.name);
                    assert!(!known.code.is_empty());
                    ours += 1;
                }
                None => {
                    let author =
                        english.message().split_once(": ").map_or(english.message(), |(_, text)| text);
                    let quoted = fablegrade_core::json::Json::from(author).to_canonical();
                    assert!(
                        // Rich content of a choice is shown as plain text.
                        spec.contains(quoted.trim_matches('"'))
                            || vector.name.starts_with("multiple_choice/"),
                        "{}: `{}` is neither the author's nor in the catalogue",
                        vector.name,
                        english.message()
                    );
                    authors += 1;
                }
            }
        }
        for (english, german) in english.code_results.iter().zip(&german.code_results) {
            assert_eq!(english.diff_excerpt.is_some(), german.diff_excerpt.is_some());
            if let Some(excerpt) = &english.diff_excerpt {
                assert!(recognise(excerpt).is_some(), "{}: {excerpt}", vector.name);
                ours += 1;
            }
        }
    }
    assert!(ours > 150 && authors > 5, "{ours}, {authors}");
}

#[test]
fn a_language_without_messages_is_refused() {
    let spec = r#"{"type":"numeric","answer":{"value":1}}"#;
    let documents = Documents {
        submission: Some(br#"{"type":"numeric","value":1}"#),
        context: Some(br#"{"locale":"fr"}"#),
        ..Documents::default()
    };
    let error = documents.grade(spec, &fablegrade_validators::registry::host()).unwrap_err();
    let finding = &error.findings()[0];
    assert_eq!((finding.rule, finding.pointer.as_str()), ("unknown-locale", "/context/locale"));
}

#[test]
fn sentences_of_standard_validators_are_in_the_catalogue() {
    let mut seen = 0;
    for file in [
        "blanks.rs",
        "order_graph.rs",
        "choice_weights.rs",
        "form/mod.rs",
        "short_text/mod.rs",
        "number_text/mod.rs",
    ] {
        let source = fs::read_to_string(repository().join("fablegrade-validators/src").join(file)).unwrap();
        for part in source
            .split("Sentence::")
            .skip(1)
            .filter(|part| part.starts_with("hint(") || part.starts_with("error("))
        {
            let texts = texts_of(part);
            let [code, sentence, ..] = texts.as_slice() else { continue };
            let known = recognise(sentence).unwrap_or_else(|| panic!("{file}: {sentence}"));
            assert_eq!(known.code, code, "{file}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}
