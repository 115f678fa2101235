//! Runs the plans of the core: compiles a submission once, runs every case in a fresh sandbox, and returns
//! the outcomes to the core for grading.
//!
//! ```no_run
//! use fablegrade_core::{Context, Grader, request::Given, Submission};
//! use fablegrade_runner::{Runner, RunnerOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (spec, submission) = ("", "");
//! let grader = Grader::from_json(spec)?;
//! let given = Given::Submission(Submission::from_json(submission)?);
//! let runner = Runner::try_new(&RunnerOptions::default())?; // finds bubblewrap and tests the sandbox
//! let graded = runner.grade(&grader, &given, &Context::new(), |outcome| {
//!     eprintln!("{} {}", outcome.suite, outcome.case_index);
//! })?;
//! println!("{}", graded.marked.result().to_json());
//! # Ok(())
//! # }
//! ```
//!
//! # Main types
//! - [`Runner`]: a tested sandbox, the toolchains of the host, a cache of compiled programs.
//! - [`languages::Languages`]: the seven languages as a table that a host can replace row by row.
//! - [`ProgramSource`], [`Program`]: programs of several files, in a language or with their own scripts.
//! - [`sandbox::PairOutcome`]: the outcome of two programs that communicated.
//! - [`terry::TaskRunner`]: the managers and solutions of a terry task.
//! - [`sandbox::Sandbox`]: the layer below, which runs a [`sandbox::Job`] and returns a [`sandbox::Outcome`].
//! - [`Cancel`]: cancels runs from another thread.
//! - [`doctor()`]: reports what this host can and cannot enforce, and what to do about it.
//!
//! # It fails closed
//! Twelve probes test the sandbox when it is first opened after a boot, or after anything that it depends on
//! has changed. They try forbidden actions and exceed limits. If a probe fails, [`Runner::try_new`] returns the
//! error, and a runner of [`Runner::with_options`] ends each case as `sandbox_error` with the cause. So do cases
//! during which the sandbox fails. Programs are run without a sandbox only with
//! [`sandbox::SandboxOptions::unsandboxed`], and their outcomes record it.
//!
//! # Platforms and features
//! Linux on x86-64 and 64-bit ARM. On other systems the crate is empty; on other processors no sandbox can
//! be opened ([`Error::Unsupported`]). `kattis` and `terry` (defaults) add the modules with these names.
//! `containers` (not a default) adds the module `judgehost`, which runs problem packages on a container
//! engine. `tracing` (not a default) emits spans and events for runs and compilations.
//!
//! The core grades: a plan for a code question contains no expected outputs. Without `judgehost`, the runner needs
//! no daemon, no setuid program and no network.
#![cfg(target_os = "linux")]

mod cancel;
mod compile;
mod counters;
mod doctor;
mod error;
#[doc(hidden)]
pub mod fuzzed;
mod harness;
#[cfg(feature = "containers")]
pub mod judgehost;
#[cfg(feature = "kattis")]
pub mod kattis;
pub mod languages;
mod launch;
mod outline;
mod program;
mod resident;
mod runner;
pub mod sandbox;
#[cfg(feature = "terry")]
pub mod terry;
mod trace;

pub use cancel::Cancel;
pub use counters::Counters;
pub use doctor::{Check, Health, doctor};
pub use error::Error;
pub use harness::inexpressible;
pub use program::{BuildError, BuildLimits, Program, ProgramForm, ProgramSource};
pub use runner::{Graded, Runner, RunnerOptions, Step};
