//! Hooks: the scripts that a judge runs inside containers, and their order.

use fablegrade_public::json::Json;

/// The time at which a hook is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// When its container is ready, before the next container is started.
    Pre,
    /// Repeatedly, from the time when all containers are ready until the evaluation ends.
    Periodic,
    /// When all containers are ready.
    Post,
}

impl Phase {
    /// All phases.
    pub const ALL: [Self; 3] = [Self::Pre, Self::Periodic, Self::Post];

    /// Returns the name of the phase's folder below `hooks/`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pre => "pre",
            Self::Periodic => "periodic",
            Self::Post => "post",
        }
    }
}

/// A hook.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hook {
    /// The container in which it is run.
    pub container_id: String,
    /// The time at which it is run.
    pub phase: Phase,
    /// File name, such as `01_test.sh`.
    pub name: String,
    /// The interpreter that the first line names after `#!` or after `env`; `/bin/sh` if there is none.
    pub interpreter: String,
    /// The text of the script. It is passed to the interpreter as an argument, so the container never contains it as a
    /// file.
    pub script: String,
}

/// The maximum length of a hook in bytes. A single argument of a Linux program must be shorter than 128 KiB.
pub const MAX_SCRIPT: usize = 100 * 1024;

/// Shells that accept a script after `-c`.
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"];

impl Hook {
    /// Returns the hook's path in the package.
    pub fn path(&self) -> String {
        format!("{}/hooks/{}/{}", self.container_id, self.phase.as_str(), self.name)
    }

    /// Returns the two digits in front of the first `_` of the name, from `01` to `99`; `None` for other names.
    pub fn prefix(&self) -> Option<&str> {
        prefix(&self.name)
    }

    /// Returns the command that runs the hook. Its `$0` is the path that the format's specification gives for hooks.
    pub fn command(&self) -> Vec<String> {
        vec![
            self.interpreter.clone(),
            "-c".into(),
            self.script.clone(),
            format!("/hooks/{}/{}", self.phase.as_str(), self.name),
        ]
    }

    /// Returns the container, phase, name and interpreter as JSON, but not the script.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("container_id", &self.container_id)
            .with("phase", self.phase.as_str())
            .with("name", &self.name)
            .with("interpreter", &self.interpreter)
            .build()
    }
}

pub(crate) fn prefix(name: &str) -> Option<&str> {
    let (number, rest) = name.split_once('_')?;
    let digits = number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit());
    (digits && number != "00" && !rest.is_empty()).then_some(number)
}

/// Returns the interpreter that a script's first line names, or its name as the error if it is not a known shell.
pub(crate) fn interpreter(script: &str) -> Result<String, String> {
    let first = script.lines().next().unwrap_or_default();
    let Some(words) = first.strip_prefix("#!") else { return Ok("/bin/sh".into()) };
    let mut words = words.split_ascii_whitespace();
    let program = words.next().unwrap_or("/bin/sh");
    let program = match program.rsplit('/').next() {
        Some("env") => words.find(|word| !word.starts_with('-')).unwrap_or("sh"),
        _ => program,
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    if SHELLS.contains(&name) { Ok(program.to_owned()) } else { Err(program.to_owned()) }
}

/// Groups the hooks of one container, in the byte order of their names. The hooks of a group run at the same time, and
/// the groups one after another. With `parallel`, hooks with the same prefix form a group; otherwise, and without a
/// prefix, each hook is a group.
pub fn groups(mut hooks: Vec<Hook>, parallel: bool) -> Vec<Vec<Hook>> {
    hooks.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    let mut groups: Vec<Vec<Hook>> = Vec::new();
    for hook in hooks {
        let joins = |group: &Vec<Hook>| {
            group.first().is_some_and(|first| first.prefix().is_some() && first.prefix() == hook.prefix())
        };
        match groups.last_mut() {
            Some(group) if parallel && joins(group) => group.push(hook),
            _ => groups.push(vec![hook]),
        }
    }
    groups
}
