//! Subcommands, one module each.
//!
//! To add one, write `commands/NAME.rs` with a `clap` argument struct `Command` that has a method `run(self, &mut
//! Console) -> Result<Exit, Failure>`, then name the module twice in this file: as `mod` and in its group below. The
//! first line of the doc comment of `Command` is its summary in `--help`. Golden files hold all help pages:
//! `SNAPSHOTS=overwrite cargo test -p fablegrade-cli` updates them.

mod analyse;
mod batch;
mod check;
mod completions;
mod deliver;
mod doctor;
mod equiv;
mod explain;
#[cfg(feature = "interchange")]
mod export;
#[cfg(feature = "flowmcp")]
mod flowmcp;
#[cfg(feature = "formspec")]
mod formspec;
mod grade;
#[cfg(feature = "interchange")]
mod import;
mod init;
#[cfg(feature = "judgehost")]
mod judgehost;
#[cfg(feature = "kattis")]
mod kattis;
mod lint;
mod man;
mod matching;
mod regrade;
mod schema;
#[cfg(feature = "terry")]
mod terry;
mod verify;

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::console::{Console, NAME, Verbosity};
use crate::exit::{EXIT_CODES, Exit, Failure};

/// Declares the subcommands in the groups and the order of `--help`.
macro_rules! commands {
    ($($heading:literal: $($variant:ident = $module:ident $(if $feature:literal)?),+;)+) => {
        #[derive(Subcommand)]
        enum Task {
            $($($(#[cfg(feature = $feature)])? $variant($module::Command),)+)+
        }

        impl Task {
            fn run(self, console: &mut Console) -> Result<Exit, Failure> {
                match self {
                    $($($(#[cfg(feature = $feature)])? Self::$variant(command) => command.run(console),)+)+
                }
            }
        }

        /// The headings of `--help`, each with the number of its commands.
        const GROUPS: &[(&str, usize)] =
            &[$(($heading, <[&str]>::len(&[$($(#[cfg(feature = $feature)])? stringify!($variant)),+]))),+];
    };
}

commands! {
    "Grade": Grade = grade, Batch = batch, Regrade = regrade, Analyse = analyse, Verify = verify, Deliver = deliver, Explain = explain;
    "Author": Init = init, Lint = lint, Check = check, Equiv = equiv, Match = matching, Schema = schema;
    "Integrate":
        Import = import if "interchange",
        Export = export if "interchange",
        Kattis = kattis if "kattis",
        Flowmcp = flowmcp if "flowmcp",
        Formspec = formspec if "formspec",
        Terry = terry if "terry",
        Judgehost = judgehost if "judgehost";
    "Host": Doctor = doctor, Completions = completions, Man = man;
}

/// Grade learners' answers deterministically and offline, with the same results in every binding
#[derive(Parser)]
#[command(name = "fablegrade", version, after_help = EXIT_CODES, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// When to colour the output
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto, help_heading = "Global options")]
    color: Colour,
    /// Suppress progress and notes, regrade's summary, and lint findings other than errors
    #[arg(long, short, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    quiet: bool,
    /// Print details
    #[arg(long, short, global = true, help_heading = "Global options")]
    verbose: bool,
}

/// The condition for printing colours.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

impl Arguments {
    /// Returns the verbosity that the options select.
    pub(crate) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }

    /// Runs the subcommand.
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        self.task.run(console)
    }
}

/// Parses a command line. For help, the version or a usage error, prints that and exits.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Arguments {
    let mut command = command_line();
    let spelled = current_spelling(arguments.into_iter().collect());
    let matches = command.try_get_matches_from_mut(spelled).unwrap_or_else(|error| error.exit());
    let arguments =
        Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit());
    match arguments.color {
        Colour::Auto => {}
        Colour::Always => anstream::ColorChoice::Always.write_global(),
        Colour::Never => anstream::ColorChoice::Never.write_global(),
    }
    arguments
}

/// Rewrites `run ...`, the former spelling, to `grade --run ...`.
fn current_spelling(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let takes_value = |argument: &OsString| argument == "--color";
    let first = (1..arguments.len()).find(|&at| {
        !arguments[at].to_string_lossy().starts_with('-') && !arguments.get(at - 1).is_some_and(takes_value)
    });
    if let Some(at) = first.filter(|&at| arguments[at] == "run") {
        arguments.splice(at..=at, ["grade".into(), "--run".into()]);
    }
    arguments
}

/// Returns the whole command, with the subcommands in groups.
pub(crate) fn command_line() -> clap::Command {
    let command = Arguments::command();
    let listed: Vec<_> =
        command.get_subcommands().map(|one| (one.get_name().to_owned(), one.get_about().cloned())).collect();
    let width = listed.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut rest = listed.iter();
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    let heading = clap::builder::Styles::default();
    let heading = heading.get_header();
    for (title, count) in GROUPS.iter().filter(|(_, count)| *count > 0) {
        let _ = write!(text, "\n{heading}{title}:{heading:#}\n");
        for (name, about) in rest.by_ref().take(*count) {
            let about = about.as_ref().map(StyledStr::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {NAME}{name:width$}{NAME:#}  {about}");
        }
    }
    let _ = write!(text, "\n{heading}Options:{heading:#}\n{{options}}{{after-help}}");
    command.help_template(StyledStr::from(text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        command_line().debug_assert();
    }

    #[test]
    fn run_is_read_as_grade_run() {
        let spelled = |words: &[&str]| current_spelling(words.iter().map(OsString::from).collect());
        assert_eq!(spelled(&["fablegrade", "run", "x"]), ["fablegrade", "grade", "--run", "x"]);
        assert_eq!(
            spelled(&["fablegrade", "-q", "--color", "never", "run"]),
            ["fablegrade", "-q", "--color", "never", "grade", "--run"]
        );
        assert_eq!(spelled(&["fablegrade", "judgehost", "run"]), ["fablegrade", "judgehost", "run"]);
    }

    fn check_help(command: &mut clap::Command, folder: &Path, names: &mut BTreeSet<OsString>) {
        let file = format!("{}.txt", command.get_bin_name().unwrap_or("fablegrade").replace(' ', "-"));
        let expected =
            snapbox::Data::read_from(&folder.join(&file), Some(snapbox::data::DataFormat::Text)).raw();
        let help = command.render_long_help().to_string();
        snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).eq(help, expected);
        names.insert(file.into());
        for one in command.get_subcommands_mut().filter(|one| one.get_name() != "help") {
            check_help(one, folder, names);
        }
    }

    /// Checks that integrations have the verbs of docs/cli.md: `check` runs nothing, `grade` is for one submission,
    /// and `verify` compares computed results with stated results.
    #[cfg(all(
        feature = "kattis",
        feature = "terry",
        feature = "judgehost",
        feature = "flowmcp",
        feature = "formspec"
    ))]
    #[test]
    fn one_verb_is_for_one_act_in_every_integration() {
        let command = command_line();
        for (verb, integrations) in [
            ("check", &["kattis", "terry", "judgehost", "flowmcp", "formspec"][..]),
            ("grade", &["kattis", "terry", "judgehost"]),
            ("verify", &["kattis", "terry", "flowmcp", "formspec"]),
        ] {
            for integration in integrations {
                let one = command.find_subcommand(integration).expect(integration);
                assert!(one.find_subcommand(verb).is_some(), "{integration} {verb}");
            }
        }
    }

    /// Compares all help pages. `SNAPSHOTS=overwrite cargo test -p fablegrade-cli` updates the golden files.
    #[cfg(target_os = "linux")]
    #[test]
    fn help_is_as_in_the_golden_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/help");
        let mut command = command_line().term_width(100);
        command.build();
        let mut names = BTreeSet::new();
        check_help(&mut command, &folder, &mut names);
        let there = std::fs::read_dir(&folder).expect("the folder");
        let there: BTreeSet<_> = there.map(|file| file.expect("a file").file_name()).collect();
        assert_eq!(there, names, "a golden file per command, and no other");
    }
}
