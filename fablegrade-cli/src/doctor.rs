//! `fablegrade doctor`: which versions these are and what this host can run.

use std::io::Write as _;

use clap::Args;
use fablegrade_core::json::Json;

use crate::console::{BAD, Console, GOOD, MIXED, NAME};
use crate::exit::{Exit, Failure};
use crate::run::Place;

/// Show versions and what this host can run
#[derive(Args)]
pub(crate) struct Command {
    #[command(flatten)]
    place: Place,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How well something is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// It is there and works.
    Good,
    /// It works with limits.
    Limited,
    /// It is missing or does not work.
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

/// One thing that was looked at.
pub(crate) struct Check {
    /// What was looked at.
    pub(crate) name: String,
    /// How it is.
    pub(crate) health: Health,
    /// The version or the fact; where something is amiss, what to do about it.
    pub(crate) note: String,
}

/// A group of checks under a heading. To add one, push it in [`sections`].
pub(crate) struct Section {
    /// The heading.
    pub(crate) title: &'static str,
    /// The checks.
    pub(crate) checks: Vec<Check>,
}

fn sections(place: &Place) -> Vec<Section> {
    vec![engine(), programs(place)]
}

/// What the host can enforce when programs are run.
#[cfg(target_os = "linux")]
fn programs(place: &Place) -> Section {
    use fablegrade_runner::{Health as Found, Runner, doctor};

    let checks = doctor(&Runner::with_options(&place.options())).into_iter().map(|check| Check {
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
fn programs(_place: &Place) -> Section {
    let note = "programs can be run on Linux only; everything else works".to_owned();
    Section { title: "running programs", checks: vec![Check { name: "sandbox".into(), health: Health::Bad, note }] }
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
        let sections = sections(&self.place);
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
