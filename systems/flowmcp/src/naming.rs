//! Names of grading files, and the search for the latest file.

use std::fmt;

use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};

use crate::area::Area;
use crate::moment::Moment;

/// The name of a grading file: `<area>[--<basePersona>--<lens>]--<YYYY-MM-DDTHH-MM-SSZ>.json`.
///
/// ```
/// use fablegrade_flowmcp::naming::GradingFile;
///
/// let file = GradingFile::parse("about-namespace--ai-engineer--weather--2026-06-01T10-00-00Z.json")?;
/// assert_eq!(file.persona(), Some(("ai-engineer", "weather")));
/// assert_eq!(file.to_string(), "about-namespace--ai-engineer--weather--2026-06-01T10-00-00Z.json");
/// # Ok::<(), fablegrade_public::finding::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GradingFile {
    area: Area,
    persona: Option<(Box<str>, Box<str>)>,
    moment: Moment,
}

/// Returns whether a text is `[a-z][a-z0-9-]*` without double hyphens and without a final hyphen. Double hyphens
/// separate the parts of a name, and a final hyphen would merge with them.
fn is_slug(text: &str) -> bool {
    text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !text.contains("--")
        && !text.ends_with('-')
}

impl GradingFile {
    /// Creates the name of a grading file.
    ///
    /// # Errors
    /// Returns a finding for each invalid part: `GRD-041` for the timestamp, `GRD-042` for the persona (which
    /// needs both parts or none), `GRD-043` for the area.
    pub fn new(
        area: &str,
        base_persona: Option<&str>,
        lens: Option<&str>,
        stamp: &str,
    ) -> Result<Self, Error> {
        let mut findings = Findings::new();
        let known = Area::from_word(area);
        if known.is_none() {
            findings.push(Finding::error(
                "GRD-043",
                "/area",
                "there is no area of this name",
                "use one of the eleven areas",
            ));
        }
        let moment = Moment::of_stamp(stamp);
        if moment.is_none() {
            findings.push(Finding::error(
                "GRD-041",
                "/timestamp",
                "the timestamp is not a stamp of the form YYYY-MM-DDTHH-MM-SSZ",
                "write it like 2026-05-30T10-15-00Z",
            ));
        }
        let persona = match (base_persona, lens) {
            (Some(base), Some(lens)) if is_slug(base) && is_slug(lens) => Some((base.into(), lens.into())),
            (None, None) => None,
            _ => {
                findings.push(Finding::error(
                    "GRD-042",
                    "/basePersona",
                    "a persona is named by its base and its lens together, in lower-case letters, digits and single hyphens between them",
                    "give both or neither",
                ));
                None
            }
        };
        match (known, moment) {
            (Some(area), Some(moment)) if findings.errors() == 0 => Ok(Self { area, persona, moment }),
            _ => Err(Error::new(ErrorKind::Schema, findings)),
        }
    }

    /// Parses a file name, which must not contain folders.
    ///
    /// # Errors
    /// Returns the errors of [`GradingFile::new`], and an error if the extension is not `.json` or the number
    /// of parts is wrong.
    pub fn parse(name: &str) -> Result<Self, Error> {
        let Some(stem) = name.strip_suffix(".json") else {
            return Err(Error::single(
                ErrorKind::Schema,
                Finding::error("ASC-009", "", "a grading file ends in .json", "rename the file"),
            ));
        };
        let parts: Vec<&str> = stem.split("--").collect();
        match parts.as_slice() {
            [area, stamp] => Self::new(area, None, None, stamp),
            [area, base, lens, stamp] => Self::new(area, Some(base), Some(lens), stamp),
            [area, _, stamp] => Self::new(area, Some(""), None, stamp),
            _ => Err(Error::single(
                ErrorKind::Schema,
                Finding::error(
                    "ASC-009",
                    "",
                    "the name does not have two or four parts separated by double hyphens",
                    "write <area>--<stamp>.json or <area>--<persona>--<lens>--<stamp>.json",
                ),
            )),
        }
    }

    /// Returns the area.
    pub fn area(&self) -> Area {
        self.area
    }

    /// Returns the base persona and the lens.
    pub fn persona(&self) -> Option<(&str, &str)> {
        self.persona.as_ref().map(|(base, lens)| (base.as_ref(), lens.as_ref()))
    }

    /// Returns the moment of the timestamp.
    pub fn moment(&self) -> Moment {
        self.moment
    }
}

impl fmt::Display for GradingFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}--", self.area)?;
        if let Some((base, lens)) = &self.persona {
            write!(f, "{base}--{lens}--")?;
        }
        write!(f, "{}.json", self.moment.stamp())
    }
}

/// Returns the moment of the first timestamp that follows a double hyphen in a file name.
fn moment_of(name: &str) -> Option<Moment> {
    name.split("--").skip(1).find_map(|part| Moment::of_stamp(part.split('.').next().unwrap_or(part)))
}

/// Returns the latest of the files named `name--...` by the times in their names, or `None` if there is no
/// such file.
///
/// Sorting by name would compare personas before times. Files without a valid timestamp are skipped. Among
/// files with the same timestamp, the last in the order of names is returned.
pub fn resolve_latest<'f>(files: impl IntoIterator<Item = &'f str>, name: &str) -> Option<&'f str> {
    let called = |file: &&str| file.strip_prefix(name).is_some_and(|rest| rest.starts_with("--"));
    files
        .into_iter()
        .filter(called)
        .filter_map(|file| Some((moment_of(file)?, file)))
        .max()
        .map(|(_, file)| file)
}
