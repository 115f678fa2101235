//! Reads, checks, plans, judges and scores Kattis and ICPC problem packages. This crate runs nothing.
//!
//! ```
//! use std::time::Duration;
//!
//! use fablegrade_files::{Entry, File, FileLimits, Files};
//! use fablegrade_kattis::job::{Job, JobId, Outcome, Outcomes, Pass, Ran, Source, Validation};
//! use fablegrade_kattis::judge::{JudgeOptions, Judging};
//! use fablegrade_kattis::{Package, Verdict};
//! use fablegrade_public::End;
//!
//! let file = |path: &str, text: &str| (path.to_owned(), Entry::File(File { bytes: text.into(), executable: None }));
//! let files = Files::from_entries(
//!     [
//!         file("problem.yaml", "name: Double\n"),
//!         file("data/secret/1.in", "3\n"),
//!         file("data/secret/1.ans", "6\n"),
//!         file("submissions/accepted/double.py", "print(2 * int(input()))\n"),
//!     ],
//!     FileLimits::default(),
//! )?;
//! let package = Package::read(files, "double")?;
//! let rules: Vec<&str> = package.findings.iter().map(|finding| finding.rule).collect();
//! assert!(rules.contains(&"no-input-validator") && rules.contains(&"no-statement"));
//!
//! let limit = Duration::from_secs(1);
//! let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(limit));
//! let mut outcomes = Outcomes::new();
//! while let Some((id, job)) = judging.next(&outcomes).into_iter().next() {
//!     // Here a host runs `job`, see fablegrade-runner.
//!     let outcome = match job {
//!         Job::Build(_) => Outcome::Built(Ok(())),
//!         Job::Run(job) => {
//!             let Validation::Default(comparison) = &job.validation else { unreachable!() };
//!             let validated = comparison.validate(&job.answer, b"6");
//!             Outcome::Ran(vec![Pass::new(Some(Ran::new(End::Exited(0))), vec![validated])])
//!         }
//!         _ => unreachable!(),
//!     };
//!     outcomes.insert(id, outcome);
//! }
//! assert_eq!(judging.conclude(&outcomes, limit).verdict, Some(Verdict::Accepted));
//! # Ok::<(), fablegrade_public::Error>(())
//! ```
//!
//! # Main types
//! - [`Package`]: a package of any version, with all findings; its parts are [`problem`], [`data`], [`program`] and
//!   [`expectation`].
//! - [`judge::Judging`] and [`validation::ValidatorChecks`] provide [`job::Job`]s and compute results from
//!   [`job::Outcomes`]. [`judge::Judgement`] is the result of a submission.
//! - [`limit`](mod@limit): time limits from the jury's submissions. [`verify`]: checks that these have the expected
//!   verdicts.
//! - [`default_validator`], [`grader`]: the default output validator and the default grader.
//!
//! Pure: no files, no clock, no randomness.
#![forbid(unsafe_code)]

mod case_result;
pub mod checktestdata;
pub mod data;
pub mod default_validator;
pub mod exchange;
pub mod expectation;
pub mod glob;
pub mod grader;
pub mod job;
pub mod judge;
pub mod language;
pub mod limit;
pub mod line;
mod package;
pub mod problem;
pub mod program;
mod reachable;
pub mod validation;
mod verdict;
pub mod verify;
mod version;

pub use case_result::{CaseResult, GivenScore};
pub use package::Package;
pub use verdict::Verdict;
pub use version::Version;
