//! `contest.yaml` and the public metadata of a pack.

use std::collections::BTreeMap;
use std::fmt;

use fablegrade_public::json::{self, Json, Object, Path, Read, Value};
use fablegrade_public::{Error, Finding, Findings};

use crate::task::{Noted, absent_or, name_trouble, seconds, spec_error, warn_of_misspelt, words};
use crate::yaml::Yaml;

/// The maximum number of tasks in a contest, and of sections in public metadata.
const ENTRIES: usize = 1000;
/// The maximum number of users of a contest.
const USERS: usize = 50_000;
/// The maximum length of a text, in characters. Descriptions and pages can contain embedded images.
const TEXT: usize = 4 << 20;

/// A contest with its users. Their tokens are secret, so a contest cannot be serialised.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Contest {
    /// The length of the contest in seconds.
    pub duration: u32,
    /// The name; `Contest` if the file has none.
    pub name: String,
    /// Markdown; empty if the file has none.
    pub description: String,
    /// The seconds that a contestant has from the first login, if they are limited.
    pub window_duration: Option<u32>,
    /// The folders of the tasks, in order; at least one, all different.
    pub tasks: Vec<String>,
    /// The participants; no two have the same token.
    pub users: Vec<User>,
}

/// A participant of a contest.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct User {
    /// The secret to log in with.
    pub token: String,
    /// First name.
    pub name: String,
    /// Last name.
    pub surname: String,
}

impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("User")
            .field("name", &self.name)
            .field("surname", &self.surname)
            .finish_non_exhaustive()
    }
}

/// The unencrypted part of a pack, which anyone may read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublicMetadata {
    /// The name, which should be the contest's.
    pub name: String,
    /// Markdown, shown before the login.
    pub description: String,
    /// Whether the contest can be reset.
    pub deletable: bool,
    /// Further pages.
    pub sections: Vec<Section>,
    /// The size of the YAML document, in bytes.
    pub bytes: usize,
}

/// A page of the public metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The title.
    pub name: String,
    /// The URL: one path segment.
    pub url: String,
    /// The page in Markdown.
    pub page: String,
}

/// The maximum size of public metadata in the first version of packs, in bytes.
pub const OLD_PACK_METADATA: usize = 1024;

impl Contest {
    /// Reads a `contest.yaml`. On success, the findings are warnings.
    ///
    /// # Errors
    /// All defects of the document.
    pub fn from_yaml(text: &[u8]) -> Result<(Self, Vec<Finding>), Error> {
        Self::read_yaml(&Yaml::parse(text)?)
    }

    /// Reads an already parsed document.
    ///
    /// # Errors
    /// All defects of the document.
    pub fn read_yaml(yaml: &Yaml) -> Result<(Self, Vec<Finding>), Error> {
        read_noted(yaml, Self::check)
    }

    fn check(&self, findings: &mut Findings) {
        if self.window_duration.is_some_and(|window| window > self.duration) {
            findings.push(Finding::warning(
                "window-longer-than-contest",
                "/window_duration",
                "the window is longer than the contest, so it never ends before the contest does",
                "shorten `window_duration` or remove it",
            ));
        }
        duplicates(
            &self.tasks,
            |at| format!("/tasks/{at}"),
            "duplicate-task",
            "this task is in the list already",
            findings,
        );
        let tokens: Vec<&str> = self.users.iter().map(|user| user.token.as_str()).collect();
        let place = |at: usize| format!("/users/{at}/token");
        duplicates(&tokens, place, "duplicate-token", "another user has this token", findings);
        for (at, token) in tokens.iter().enumerate() {
            if token.chars().count() < 6 {
                let message = "a token of fewer than 6 characters can be guessed";
                findings.push(Finding::warning("short-token", place(at), message, "give out longer tokens"));
            }
            if token.trim() != *token {
                let message = "the token begins or ends with a blank, which people do not type";
                findings.push(Finding::warning("token-blanks", place(at), message, "remove the blanks"));
            }
        }
        if self.users.is_empty() {
            findings.push(Finding::warning("no-users", "/users", "nobody can log in", "add users"));
        }
    }

    /// Returns `{name, duration, windowDuration?, tasks, users}`. `users` is only a count, since tokens are secret.
    pub fn summary(&self) -> Json {
        Json::build()
            .with("name", &self.name)
            .with("duration", self.duration)
            .with_some("windowDuration", self.window_duration)
            .with("tasks", Json::array(self.tasks.iter()))
            .with("users", self.users.len())
            .build()
    }

    /// Returns findings about differences between the public metadata and the contest.
    pub fn compare(&self, metadata: &PublicMetadata) -> Vec<Finding> {
        if metadata.name == self.name {
            return Vec::new();
        }
        vec![Finding::warning(
            "names-differ",
            "/name",
            "the name in the public metadata is not the name of the contest",
            "use one name",
        )]
    }

    /// Returns when the contest ends for a user, in seconds from its start. With a window, the contest or the window
    /// counts, whichever ends first. `first_login` is in seconds from the start; extra times are in seconds.
    pub fn end(&self, extra_of_contest: u32, extra_of_user: u32, first_login: Option<u32>) -> u64 {
        let end = u64::from(self.duration) + u64::from(extra_of_contest) + u64::from(extra_of_user);
        match (self.window_duration, first_login) {
            (Some(window), Some(login)) => {
                end.min(u64::from(login) + u64::from(window) + u64::from(extra_of_user))
            }
            _ => end,
        }
    }
}

/// Returns the user whose `__users__/USERNAME.yaml` an admin token opens: the part of the token before the first `-`.
///
/// `None` if the token has no `-`, if either part is empty, or if the name has characters other than `A-Z`, `0-9` and
/// `_`.
pub fn admin_username(token: &str) -> Option<&str> {
    let (name, rest) = token.split_once('-')?;
    let is_valid =
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    (is_valid && !name.is_empty() && !rest.is_empty()).then_some(name)
}

impl PublicMetadata {
    /// Reads the public metadata of a pack. On success, the findings are warnings and remarks.
    ///
    /// # Errors
    /// All defects of the document.
    pub fn from_yaml(text: &[u8]) -> Result<(Self, Vec<Finding>), Error> {
        Self::read_yaml(&Yaml::parse(text)?, text.len())
    }

    /// Works like [`PublicMetadata::from_yaml`], for an already parsed document of `bytes` bytes.
    ///
    /// # Errors
    /// All defects of the document.
    pub fn read_yaml(yaml: &Yaml, bytes: usize) -> Result<(Self, Vec<Finding>), Error> {
        let (mut metadata, mut findings) = read_noted(yaml, Self::check)?;
        metadata.bytes = bytes;
        if bytes > OLD_PACK_METADATA {
            findings.push(Finding::info(
                "metadata-size",
                "",
                format!(
                    "the metadata has {bytes} bytes; the first version of the pack holds {OLD_PACK_METADATA}"
                ),
                "shorten it if old servers have to read the pack",
            ));
        }
        Ok((metadata, findings))
    }

    fn check(&self, findings: &mut Findings) {
        let urls: Vec<&str> = self.sections.iter().map(|section| section.url.as_str()).collect();
        let place = |at: usize| format!("/sections/{at}/url");
        duplicates(&urls, place, "duplicate-url", "another section has this address", findings);
    }
}

fn read_noted<T: Read>(
    yaml: &Yaml,
    check: impl FnOnce(&T, &mut Findings),
) -> Result<(T, Vec<Finding>), Error> {
    let mut findings = Findings::new();
    yaml.warnings().iter().for_each(|warning| findings.push(warning.clone()));
    let Noted(document, notes) = yaml.read::<Noted<T>>().map_err(|error| {
        let mut all = findings.clone();
        error.findings().iter().for_each(|finding| all.push(finding.clone()));
        Error::new(error.kind(), all)
    })?;
    notes.into_vec().into_iter().for_each(|note| findings.push(note));
    check(&document, &mut findings);
    if findings.errors() > 0 { Err(spec_error(findings)) } else { Ok((document, findings.into_vec())) }
}

fn duplicates(
    all: &[impl AsRef<str>],
    place: impl Fn(usize) -> String,
    rule: &'static str,
    message: &str,
    findings: &mut Findings,
) {
    let mut first = BTreeMap::new();
    for (at, item) in all.iter().enumerate() {
        if let Some(before) = first.get(item.as_ref()) {
            findings.push(Finding::error(
                rule,
                place(at),
                message.to_owned(),
                format!("change one of them; the other is {}", place(*before)),
            ));
        } else {
            first.insert(item.as_ref(), at);
        }
    }
}

fn text(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    json::string(0, TEXT)(value, at, findings)
}

fn task_entry(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let name = words(400)(value, at, findings)?;
    let Some(trouble) = name_trouble(&name) else { return Some(name) };
    findings.push(Finding::error(
        "task-name-form",
        at.pointer(),
        trouble,
        "name the folder of a task next to `contest.yaml`",
    ));
    None
}

impl Read for Contest {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let known = ["duration", "name", "description", "window_duration", "tasks", "users"];
        warn_of_misspelt(value, at, &known, findings);
        let mut object = Object::open(value, at, findings)?;
        let duration = object.required("duration", seconds);
        let name = absent_or(&mut object, "name", words(1000));
        let description = absent_or(&mut object, "description", text);
        let window_duration = absent_or(&mut object, "window_duration", seconds);
        let tasks = object.required("tasks", json::list(1, ENTRIES, task_entry));
        let users = object.required("users", json::list(0, USERS, User::read));
        Some(Self {
            duration: duration?,
            name: name?.unwrap_or_else(|| "Contest".to_owned()),
            description: description?.unwrap_or_default(),
            window_duration: window_duration?,
            tasks: tasks?,
            users: users?,
        })
    }
}

impl Read for User {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        warn_of_misspelt(value, at, &["token", "name", "surname"], findings);
        let mut object = Object::open(value, at, findings)?;
        let token = object.required("token", words(200));
        let name = object.required("name", words(200));
        let surname = object.required("surname", words(200));
        Some(Self { token: token?, name: name?, surname: surname? })
    }
}

impl Read for PublicMetadata {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        warn_of_misspelt(value, at, &["name", "description", "deletable", "sections"], findings);
        let mut object = Object::open(value, at, findings)?;
        let name = object.required("name", words(1000));
        let description = object.required("description", text);
        let deletable = absent_or(&mut object, "deletable", json::boolean);
        let sections = absent_or(&mut object, "sections", json::list(0, ENTRIES, Section::read));
        Some(Self {
            name: name?,
            description: description?,
            deletable: deletable?.unwrap_or(false),
            sections: sections?.unwrap_or_default(),
            bytes: 0,
        })
    }
}

impl Read for Section {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        warn_of_misspelt(value, at, &["name", "url", "page"], findings);
        let mut object = Object::open(value, at, findings)?;
        let name = object.required("name", words(1000));
        let url = object.required("url", |value, at, findings| {
            let url = words(200)(value, at, findings)?;
            let step = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
            if url.bytes().all(step) && url != "." && url != ".." {
                return Some(url);
            }
            let message = "the address is not one step of a path";
            let help = "use letters, digits, `-`, `_`, `.` and `~`, like `extra-material`";
            findings.push(Finding::error("url-form", at.pointer(), message, help));
            None
        });
        let page = object.required("page", text);
        Some(Self { name: name?, url: url?, page: page? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEST: &str =
        "duration: 7200\ntasks: [one, two]\nusers:\n  - {token: s3cr3t, name: John, surname: Doe}\n";

    fn rules<T>(read: Result<(T, Vec<Finding>), Error>) -> Vec<(&'static str, String)> {
        let findings = match read {
            Ok((_, findings)) => findings,
            Err(error) => error.findings().to_vec(),
        };
        findings.into_iter().map(|finding| (finding.rule, finding.pointer)).collect()
    }

    #[test]
    fn defaults_and_fields() {
        let (contest, findings) = Contest::from_yaml(CONTEST.as_bytes()).unwrap();
        assert_eq!(
            (contest.name.as_str(), contest.description.as_str(), contest.window_duration),
            ("Contest", "", None)
        );
        assert_eq!(contest.tasks, ["one", "two"]);
        assert!(findings.is_empty(), "{findings:?}");
        assert!(!format!("{contest:?}").contains("s3cr3t"));
    }

    #[test]
    fn everything_wrong_is_found_at_once() {
        let text = "duration: 0\nwindow_duration: x\ntasks: [../up, 3]\nusers: [{token: 12, name: '', surname: Doe}]\n";
        assert_eq!(
            rules(Contest::from_yaml(text.as_bytes())),
            [
                ("out-of-range", "/duration".into()),
                ("wrong-type", "/window_duration".into()),
                ("task-name-form", "/tasks/0".into()),
                ("wrong-type", "/tasks/1".into()),
                ("wrong-type", "/users/0/token".into()),
                ("text-length", "/users/0/name".to_owned()),
            ]
        );
        assert_eq!(rules(Contest::from_yaml(b"{}")).len(), 3);
        let text = CONTEST.replace("[one, two]", "[one, one]") + "  - {token: s3cr3t, name: J, surname: D}\n";
        assert_eq!(
            rules(Contest::from_yaml(text.as_bytes())),
            [("duplicate-task", "/tasks/1".into()), ("duplicate-token", "/users/1/token".to_owned())]
        );
    }

    #[test]
    fn warnings_of_a_contest_that_can_be_used() {
        let text = CONTEST
            .replace("duration: 7200", "duration: 10\nwindow_duration: 20\nwindowduration: 3")
            .replace("s3cr3t", "abc");
        let found: Vec<_> =
            rules(Contest::from_yaml(text.as_bytes())).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(found, ["window-longer-than-contest", "short-token"]);
    }

    #[test]
    fn the_window_or_the_contest_whatever_ends_first() {
        let (mut contest, _) = Contest::from_yaml(CONTEST.as_bytes()).unwrap();
        assert_eq!(contest.end(60, 5, Some(100)), 7265);
        contest.window_duration = Some(3600);
        assert_eq!(contest.end(0, 5, Some(100)), 3705);
        assert_eq!(contest.end(0, 0, Some(7000)), 7200);
        assert_eq!(contest.end(0, 0, None), 7200);
    }

    #[test]
    fn admin_tokens_name_their_user() {
        assert_eq!(admin_username("TEAM_1-ABCD-EFGH"), Some("TEAM_1"));
        for token in ["TEAM", "-ABCD", "team-ABCD", "../X-ABCD", "TEAM-"] {
            assert_eq!(admin_username(token), None, "{token}");
        }
    }

    #[test]
    fn public_metadata_with_sections() {
        let text = "name: A\ndescription: B\ndeletable: true\nsections:\n  - {name: Extra, url: extra-material, page: '## x'}\n";
        let (metadata, findings) = PublicMetadata::from_yaml(text.as_bytes()).unwrap();
        assert!(metadata.deletable && findings.is_empty());
        assert_eq!(metadata.sections[0].url, "extra-material");
        let (contest, _) = Contest::from_yaml(CONTEST.as_bytes()).unwrap();
        assert_eq!(contest.compare(&metadata)[0].rule, "names-differ");

        let bad = "name: A\ndeletable: yes\nsections:\n  - {name: E, url: a/b, page: x}\n  - {url: c}\n";
        let found: Vec<_> =
            rules(PublicMetadata::from_yaml(bad.as_bytes())).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(
            found,
            [
                "yaml-versions-differ",
                "missing-field",
                "wrong-type",
                "url-form",
                "missing-field",
                "missing-field"
            ]
        );
        let twice = text.to_owned() + "  - {name: Other, url: extra-material, page: ''}\n";
        assert_eq!(
            rules(PublicMetadata::from_yaml(twice.as_bytes())),
            [("duplicate-url", "/sections/1/url".to_owned())]
        );
        let long = text.replace("description: B", &format!("description: {}", "b".repeat(1100)));
        assert_eq!(PublicMetadata::from_yaml(long.as_bytes()).unwrap().1[0].rule, "metadata-size");
    }
}
