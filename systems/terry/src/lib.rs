//! terry tasks: metadata, task folders, evaluations in three steps (plan, run, conclude), checker results, and a parser
//! for checkers. Pure: no I/O, no clock, no randomness.
//!
//! A contestant requests an input, runs a solution anywhere, and submits the output. A task therefore has programs, its
//! *managers*: a generator that makes an input from a seed, a validator that decides whether an input is valid, and a
//! checker that judges an output. This crate plans the programs to run, reads their results strictly, and reports the
//! defects in everything that an author writes.
//!
//! ```
//! use fablegrade_public::outcome::End;
//! use fablegrade_terry::evaluation::{Plan, StepOutcome};
//! use fablegrade_terry::task::Task;
//!
//! let (task, _) = Task::from_yaml(b"name: poldo\ndescription: La dieta di Poldo\nmax_score: 42\n")?;
//! let plan = Plan::test(1337, false); // generator, solution, checker
//! let outcomes: Vec<StepOutcome> = plan
//!     .steps
//!     .iter()
//!     .map(|step| {
//!         // Here a host runs `step`, see fablegrade-runner.
//!         let printed = r#"{"score": 0.5,
//!             "validation": {"cases": [{"status": "parsed"}, {"status": "missing"}], "alerts": []},
//!             "feedback": {"cases": [{"correct": true}, {"correct": false}], "alerts": []}}"#;
//!         StepOutcome::new(End::Exited(0), printed)
//!     })
//!     .collect();
//! let judged = plan.conclude(&outcomes, &task)?;
//! assert_eq!(judged.points.to_string(), "21");
//! assert!(!judged.result.before_confirming().to_string().contains("correct"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Main types
//! - [`task::Task`], [`contest::Contest`], [`contest::PublicMetadata`]: the YAML documents, read by [`yaml`].
//! - [`pack::Pack`]: a contest in one file, as the server accepts it.
//! - [`folder::Folder`]: the folder of a task, with the programs for a [`platform::Platform`].
//! - [`evaluation::Plan`] -> [`evaluation::StepOutcome`]s -> [`evaluation::Judged`] or [`evaluation::Failure`].
//! - [`result::CheckerResult`]: the output of a checker, split into the parts that a contestant may see before and
//!   after confirming. [`attempt`] converts it to the `AttemptResult` that all integrations share.
//! - [`cases::Parser`]: for checkers written in Rust. [`bad_outputs`](mod@bad_outputs): outputs that checkers must
//!   survive.
//!
//! # Not included
//! Running programs (`fablegrade-runner`), reading folders from disk, creating packs, logins, and a database of
//! submissions.
#![forbid(unsafe_code)]

pub mod attempt;
pub mod bad_outputs;
pub mod cases;
pub mod contest;
pub mod evaluation;
pub mod folder;
pub mod pack;
pub mod platform;
pub mod result;
pub mod task;
pub use fablegrade_yaml as yaml;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

#[doc = include_str!("../../../docs/terry.md")]
#[cfg(doctest)]
struct Page;
