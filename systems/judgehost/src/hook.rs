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
    /// The options that follow the interpreter on that line, such as `-e`.
    pub options: Vec<String>,
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
        let mut command = vec![self.interpreter.clone()];
        command.extend(self.options.iter().cloned());
        let path = format!("/hooks/{}/{}", self.phase.as_str(), self.name);
        command.extend(["-c".into(), self.script.clone(), path]);
        command
    }

    /// Returns the container, phase, name, interpreter and its options as JSON, but not the script.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("container_id", &self.container_id)
            .with("phase", self.phase.as_str())
            .with("name", &self.name)
            .with("interpreter", &self.interpreter)
            .with("options", Json::array(self.options.iter().map(Json::from)))
            .build()
    }
}

pub(crate) fn prefix(name: &str) -> Option<&str> {
    let (number, rest) = name.split_once('_')?;
    let digits = number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit());
    (digits && number != "00" && !rest.is_empty()).then_some(number)
}

/// The interpreter of a script and its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Interpreter {
    pub(crate) program: String,
    pub(crate) options: Vec<String>,
}

impl Interpreter {
    /// Returns whether the shell ends at the first command that fails.
    pub(crate) fn ends_at_errors(&self) -> bool {
        let short = |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains('e');
        self.options.iter().any(|word| short(word) || word == "errexit")
    }
}

/// The reason why a script's first line cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BadFirstLine {
    /// The program is not a known shell.
    Program(String),
    /// The program is a shell or `env`, and a hook cannot pass this word to it.
    Word(String),
}

impl BadFirstLine {
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Program(program) => format!("`{}` is not a shell", program.escape_default()),
            Self::Word(word) => {
                format!("the first line has `{}`, which a hook cannot use", word.escape_default())
            }
        }
    }

    pub(crate) const fn help(&self) -> &'static str {
        match self {
            Self::Program(_) => "let a shell script call the program",
            Self::Word(_) => "keep only options of the shell on it, such as `-e`; set others with `set`",
        }
    }
}

/// Returns the interpreter that a script's first line names. As after `env -S`, its options are words between blanks.
pub(crate) fn interpreter(script: &str) -> Result<Interpreter, BadFirstLine> {
    let none = || Interpreter { program: "/bin/sh".into(), options: Vec::new() };
    let first = script.lines().next().unwrap_or_default();
    let Some(words) = first.strip_prefix("#!") else { return Ok(none()) };
    let mut words = words.split_ascii_whitespace();
    let Some(mut program) = words.next() else { return Ok(none()) };
    if base_name(program) == "env" {
        let word = words.next();
        // `-S` can be a word of its own, or the program follows it at once.
        program = match word.and_then(|word| word.strip_prefix("-S")) {
            Some("") => words.next().unwrap_or("sh"),
            Some(program) => program,
            None => word.unwrap_or("sh"),
        };
        if program.starts_with('-') {
            return Err(BadFirstLine::Word(program.to_owned()));
        }
    }
    if !SHELLS.contains(&base_name(program)) {
        return Err(BadFirstLine::Program(program.to_owned()));
    }
    let mut options: Vec<String> = words.map(str::to_owned).collect();
    // A last `-` or `--` only marks the end of the options, so it is dropped.
    if options.last().is_some_and(|word| word == "-" || word == "--") {
        options.pop();
    }
    match options.iter().enumerate().find(|(at, _)| !is_option(&options, *at)) {
        Some((_, word)) => Err(BadFirstLine::Word(word.clone())),
        None => Ok(Interpreter { program: program.to_owned(), options }),
    }
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Returns whether a word is an option, or the name that an option such as `-o` takes. After such words, `-c` and the
/// script can follow.
fn is_option(words: &[String], at: usize) -> bool {
    let flags = |at: usize| {
        let word = words.get(at)?;
        word.strip_prefix(['-', '+']).filter(|flags| !flags.is_empty() && !flags.starts_with('-'))
    };
    let takes_name = |at: usize| flags(at).is_some_and(|flags| flags.ends_with(['o', 'O']));
    let Some(word) = words.get(at) else { return false };
    match flags(at) {
        // Without a name, `-o` would take `-c` for one.
        Some(flags) => !flags.contains(['c', 's']) && (!takes_name(at) || at + 1 < words.len()),
        None if word.starts_with("--") => word.len() > 2,
        None => !word.starts_with(['-', '+']) && at.checked_sub(1).is_some_and(takes_name),
    }
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
