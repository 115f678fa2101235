//! Runs what the core plans: compiles a submission once, runs every case in a fresh sandbox, and gives the outcomes
//! back to the core to conclude.
//!
//! ```no_run
//! use fablegrade_core::{Context, Grader, Submission};
//! use fablegrade_runner::Runner;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (spec, submission) = ("", "");
//! let grader = Grader::from_json(spec)?;
//! let submission = Submission::from_json(submission)?;
//! let runner = Runner::detect(); // finds bubblewrap and the tool chains, proves the sandbox
//! if let Some(plan) = grader.plan(&submission) {
//!     let outcomes = runner.run(&plan, |outcome| eprintln!("{} {}", outcome.suite, outcome.case_index));
//!     let marked = grader.conclude(&submission, &outcomes, &Context::new())?;
//!     println!("{}", marked.result().to_json());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # The nouns
//! - [`Runner`]: a proven sandbox, the tool chains of the host, a cache of compiled programs.
//! - [`languages::Languages`]: the seven languages as a table of data that a host can replace row by row.
//! - [`terry::TaskRunner`]: the managers and solutions of a terry task.
//! - [`sandbox::Sandbox`]: below all that, one [`sandbox::Job`] in and one [`sandbox::Outcome`] out.
//! - [`doctor()`]: what this host can and cannot enforce, and what to do about it.
//!
//! # It fails closed
//! The sandbox is proven when it is opened: twelve probes try what must not work and exceed what must be limited. One
//! miss, or any doubt during a run, and the cases end as `sandbox_error` with the cause. Programs are run without a
//! sandbox only when [`sandbox::SandboxOptions::unsandboxed`] asks for it, and every outcome says so.
//!
//! # Features and non-features
//! Linux on x86-64 and 64-bit ARM; elsewhere the crate is empty. `containers` (not a default) adds the module `judgehost`,
//! which runs problem packages on a container engine. `sandbox-tests` and `container-tests` only add tests. It judges nothing: no
//! expected output ever reaches it. It needs no daemon, no setuid program and no network.
#![cfg(target_os = "linux")]

mod compile;
mod doctor;
mod harness;
#[cfg(feature = "containers")]
pub mod judgehost;
pub mod languages;
mod outline;
mod resident;
mod runner;
pub mod sandbox;
pub mod terry;

pub use doctor::{Check, Health, doctor};
pub use harness::inexpressible;
pub use runner::{Runner, RunnerOptions, Step};
