//! References, compiled once for many responses.

use std::sync::{Arc, Mutex, PoisonError};

use fablegrade_math::{LogBase, Options, Reference};

use crate::comparison::{Comparison, Outcome};
use crate::extraction::{Candidate, Extraction, extract};
use crate::notation::tidy;
use crate::profile::{Convention, Conventions, Profile};
use crate::reading::{number, option, words};
use crate::verification::{Verdict, Verification};

/// The maximum length of a reference or an answer, in bytes.
const LONGEST: usize = 20_000;

/// The budget for comparing two formulas, in units of work.
const FUEL: u64 = 600_000;

/// Whether `\log` is natural, a part of the reference, and its compiled formula. `None` if the part is not a formula.
type Compiled = ((bool, Box<str>), Option<Arc<Reference>>);

/// A reference answer, compiled to verify many responses. `Send` and `Sync`.
///
/// ```
/// use fablegrade_verify::{Gold, Profile, Verdict};
/// let gold = Gold::new("x = 5", &Profile::model());
/// assert_eq!(gold.verify(r"\boxed{5}").verdict, Verdict::Correct);
/// assert_eq!(gold.verify("The answer is 6.").verdict, Verdict::Incorrect);
/// assert_eq!(gold.verify("I do not know.").verdict, Verdict::NoAnswer);
/// ```
#[derive(Debug)]
pub struct Gold {
    text: String,
    tidied: String,
    number: Option<number::Written>,
    profile: Profile,
    extraction: Extraction,
    options: [Options; 2],
    compiled: Mutex<Vec<Compiled>>,
}

impl Gold {
    /// Compiles a reference. If it cannot be read, an answer that does not match it has the verdict
    /// [`Verdict::UnreadableGold`].
    #[must_use]
    pub fn new(text: &str, profile: &Profile) -> Self {
        let plain = profile.has(Convention::Notation);
        let tidied = if text.len() > LONGEST { String::new() } else { tidy(text, plain) };
        let number = number::read(&tidied, profile.has(Convention::Grouping));
        let options = Options::new().with_budget(FUEL);
        Self {
            text: text.to_owned(),
            number,
            tidied,
            profile: *profile,
            extraction: Extraction::new(),
            options: [options.clone(), options.with_log_base(LogBase::Natural)],
            compiled: Mutex::new(Vec::new()),
        }
    }

    /// Returns the same reference with other extraction options.
    #[must_use]
    pub fn with_extraction(self, extraction: Extraction) -> Self {
        Self { extraction, ..self }
    }

    /// Returns the reference as it was passed to [`Gold::new`].
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Extracts the answer from a response and compares it.
    pub fn verify(&self, response: &str) -> Verification {
        match extract(response, &self.extraction) {
            Ok(Candidate { text, place, span }) => Verification {
                place: Some(place.name()),
                span: Some((span.start, span.end)),
                ..self.compare(&text)
            },
            Err(reason) => Verification {
                verdict: Verdict::NoAnswer,
                answer: None,
                place: None,
                span: None,
                how: "none",
                evidence: reason.message().into(),
                conventions: Conventions::default(),
            },
        }
    }

    /// Compares an extracted answer with the reference.
    pub fn compare(&self, answer: &str) -> Verification {
        let verification = |verdict, how, evidence: String, conventions| Verification {
            verdict,
            answer: Some(answer.to_owned()),
            place: None,
            span: None,
            how,
            evidence,
            conventions,
        };
        if answer.len() > LONGEST || self.text.len() > LONGEST {
            let message = format!("texts of more than {LONGEST} bytes are not compared");
            return verification(Verdict::Undecided, "undecided", message, Conventions::default());
        }
        if self.tidied.is_empty() && self.number.is_none() {
            return verification(
                Verdict::UnreadableGold,
                "unreadable",
                "the reference is empty".into(),
                Conventions::default(),
            );
        }
        let tidied = tidy(answer, self.profile.has(Convention::Notation));
        let mut comparison = Comparison::new(self);
        let outcome = comparison.compare(&self.tidied, &tidied);
        let verdict = match outcome {
            Outcome::Same => Verdict::Correct,
            _ if !self.is_readable() => Verdict::UnreadableGold,
            Outcome::Different => Verdict::Incorrect,
            Outcome::Undecided => Verdict::Undecided,
        };
        let (how, evidence, conventions) = comparison.into_evidence(outcome);
        verification(verdict, how, evidence, conventions)
    }

    /// Returns whether the reference can be read in any way.
    fn is_readable(&self) -> bool {
        self.number.is_some()
            || option::choice(&self.tidied).is_some()
            || words::is_textual(&self.tidied)
            || self.tidied.contains([',', ';', '=', ':', '%', '_'])
            || ["\\$", "\\circ", "\\pm", "\\approx", "\\text", "\\mathrm"]
                .iter()
                .any(|sign| self.tidied.contains(sign))
            || self.reference(&self.tidied, false).is_some()
    }

    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    pub(crate) fn number_of(&self, text: &str) -> Option<number::Written> {
        if text == self.tidied {
            return self.number.clone();
        }
        number::read(text, self.profile.has(Convention::Grouping))
    }

    /// Returns a compiled part of the reference, or `None` if it is not mathematics. With `natural`, `\log`
    /// is the natural logarithm.
    pub(crate) fn reference(&self, latex: &str, natural: bool) -> Option<Arc<Reference>> {
        const MOST: usize = 32;
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, reference)) =
            compiled.iter().find(|((log, known), _)| *log == natural && **known == *latex)
        {
            return reference.clone();
        }
        drop(compiled);
        let reference = Reference::new(latex, &self.options[usize::from(natural)]).ok().map(Arc::new);
        compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if compiled.len() < MOST {
            compiled.push(((natural, latex.into()), reference.clone()));
        }
        reference
    }
}
