//! Checks, plans, exports and scores judgehost problem packages. This crate runs nothing.
//!
//! - [`Config`] is `config.json` as types, with the format's defaults filled in. [`Package`] is a configuration with
//!   its files, from a `.tar.gz`, a `.zip` or a folder. [`Finding`](fablegrade_public::Finding)s describe defects, with
//!   location and help.
//! - [`Plan`] has everything that a host needs to run a submission. [`distribute`] divides a submission among the
//!   containers. [`compose::project`] writes the plan as a Compose project.
//! - [`Outcome`] holds the results that a host reports. [`evaluate`] turns it into an [`Evaluation`]: points, verdicts,
//!   and an `AttemptResult` for the learner.
//!
//! ```
//! use fablegrade_judgehost::{Config, Manner, Outcome, Ranking, evaluate};
//!
//! let checked = Config::parse(br#"{
//!     "problem_id": "two-sum", "problem_name": "Two Sum",
//!     "containers": [{"container_id": "submission", "dockerfile_path": "submission/Dockerfile",
//!                     "accepts_submission": true},
//!                    {"container_id": "tester", "dockerfile_path": "tester/Dockerfile"}],
//!     "rubrics": [{"rubric_id": "correctness", "rubric_name": "Correctness", "rubric_type": "test_cases",
//!                  "max_score": 100, "container": "tester"}]
//! }"#, Manner::Strict)?;
//! let outcome = Outcome::new()
//!     .with_result("submission", "rubric_correctness.json", r#"{"rubric_id":"correctness","score":100}"#)
//!     .with_result("tester", "rubric_correctness.json", r#"{"rubric_id":"correctness","score":40}"#);
//! let evaluation = evaluate(&checked.config, "sub_1", &outcome);
//! assert_eq!(evaluation.scores.as_ref().unwrap().total.to_string(), "40"); // only the result of the tester counts
//! assert_eq!(evaluation.share(Ranking::Auto).unwrap().to_f64(), 0.4);
//! # Ok::<(), fablegrade_public::Error>(())
//! ```
//!
//! Pure: no files, no clock, no engine. Archives are passed as bytes and unpacked in memory within [`FileLimits`].
#![forbid(unsafe_code)]

pub mod compose;
pub mod config;
pub mod hook;
pub mod line;
pub mod memory;
pub mod name;
pub mod order;
pub mod outcome;
mod package;
pub mod plan;
pub mod port;
pub mod rubric;
pub mod score;
mod submission;

pub use config::{Checked, Config, Manner};
pub use hook::{Hook, Phase};
pub use outcome::{
    ContainerEnd, ContainerOutcome, Failure, HookEnd, HookOutcome, Outcome, ResultContent, ResultFile, Stage,
};
pub use package::{Entry, File, FileLimits, Files, Package};
pub use plan::{ContainerPlan, NetworkPlan, Plan, PlanOptions};
pub use rubric::{RubricOutput, RubricType, Verdict};
pub use score::{Evaluation, Ranking, RubricResult, Scores, Status, evaluate};
pub use submission::{Delivery, content_id, distribute, hexadecimal};
