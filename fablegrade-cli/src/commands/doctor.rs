//! `fablegrade doctor`: shows versions and the sandbox features of this host.

use std::io::Write as _;

use clap::Args;
use fablegrade_core::json::Json;

use crate::console::{BAD, Console, GOOD, MIXED, NAME};
use crate::exit::{Exit, Failure};
use crate::running::SandboxPaths;

/// Show versions and available sandbox features
#[derive(Args)]
pub(crate) struct Command {
    #[command(flatten)]
    paths: SandboxPaths,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The state of a feature.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// Available.
    Good,
    /// Available with limits.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "the sandbox reports it"))]
    Limited,
    /// Missing or not working.
    Bad,
}

impl Health {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Limited => "limited",
            Self::Bad => "bad",
        }
    }
}

/// The result of one check.
pub(crate) struct Check {
    /// The name of the feature.
    pub(crate) name: String,
    /// The state of the feature.
    pub(crate) health: Health,
    /// The version or value, or the remedy if the feature is missing or limited.
    pub(crate) note: String,
}

/// A group of checks under a heading. A new group must be added in [`sections`].
pub(crate) struct Section {
    /// The heading.
    pub(crate) title: &'static str,
    /// The checks.
    pub(crate) checks: Vec<Check>,
}

fn sections(paths: &SandboxPaths) -> Vec<Section> {
    vec![engine(), programs(paths)]
}

/// Checks the features of the sandbox.
#[cfg(target_os = "linux")]
fn programs(paths: &SandboxPaths) -> Section {
    use fablegrade_runner::{Health as Found, Runner, doctor};

    let checks = doctor(&Runner::with_options(&paths.options())).into_iter().map(|check| Check {
        name: check.name,
        health: match check.health {
            Found::Good => Health::Good,
            Found::Limited => Health::Limited,
            Found::Bad => Health::Bad,
        },
        note: check.note,
    });
    Section { title: "running programs", checks: checks.collect() }
}

#[cfg(not(target_os = "linux"))]
fn programs(_paths: &SandboxPaths) -> Section {
    let note = "programs run on Linux only; everything else works here".to_owned();
    Section {
        title: "running programs",
        checks: vec![Check { name: "sandbox".into(), health: Health::Bad, note }],
    }
}

fn engine() -> Section {
    let fact = |name: &str, note: String| Check { name: name.into(), health: Health::Good, note };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Section {
        title: "engine",
        checks: vec![
            fact("fablegrade", env!("CARGO_PKG_VERSION").into()),
            fact("grading semantics", format!("version {}", fablegrade_core::GRADING_SEMANTICS_VERSION)),
            fact("platform", format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)),
            fact("jobs", format!("{cores} at a time")),
        ],
    }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let sections = sections(&self.paths);
        if self.json {
            let json = Json::array(sections.iter().map(|section| {
                let checks = section.checks.iter().map(|check| {
                    Json::build()
                        .with("name", &check.name)
                        .with("health", check.health.as_str())
                        .with("note", &check.note)
                        .build()
                });
                Json::build().with("title", section.title).with("checks", Json::array(checks)).build()
            }));
            writeln!(console.out, "{json}")?;
            return Ok(Exit::Done);
        }
        for (at, section) in sections.iter().enumerate() {
            if at > 0 {
                writeln!(console.out)?;
            }
            writeln!(console.out, "{NAME}{}{NAME:#}", section.title)?;
            let width = section.checks.iter().map(|check| check.name.chars().count()).max().unwrap_or(0);
            for check in &section.checks {
                let (style, mark) = match check.health {
                    Health::Good => (GOOD, "ok"),
                    Health::Limited => (MIXED, "limited"),
                    Health::Bad => (BAD, "missing"),
                };
                writeln!(console.out, "  {style}{mark:8}{style:#}{:width$}  {}", check.name, check.note)?;
            }
        }
        Ok(Exit::Done)
    }
}
