//! Item and test statistics of classical test theory.
//!
//! An [`Accumulator`] takes *sittings* (all answers of one learner in one test) in any order and can be merged with
//! others. Its sums are exact integers, so any split over threads or machines gives the same [`Report`], byte for byte.
//! Statistics are rounded only at the end. An undefined statistic is absent with a reason, never 0 or NaN.
//!
//! ```
//! use fablegrade_analysis::{Accumulator, Answer, Items, Score};
//!
//! let mut all = Accumulator::new();
//! for (first, second) in [(1, 1), (1, 0), (0, 0), (1, 1)] {
//!     let answer = |item, points| Answer::scored(item, Score::from_points(points));
//!     all.add(&[answer("first", first), answer("second", second)])?;
//! }
//! let report = all.finish(&Items::new());
//! assert_eq!(report.items[0].facility.value(), Some(0.75));
//! # Ok::<(), fablegrade_analysis::Rejected>(())
//! ```
//!
//! # Scope
//! The crate is pure: it has no input or output, no clock and no threads. Sittings are anonymous. Memory is
//! bounded by the number of items and options, each with at most [`MAX_VALUES`] distinct scores, and by at
//! most [`MAX_TEXTS`] distinct written answers per item.
#![forbid(unsafe_code)]

mod accumulator;
mod answers;
mod bytes;
mod cell;
mod distribution;
mod exact;
mod findings;
mod interned;
mod items;
pub mod lines;
mod output;
mod report;
#[cfg(feature = "schema")]
pub mod schema;
mod sitting;
mod statistic;

pub use accumulator::{
    Accumulator, MAX_ANSWERS, MAX_ITEMS, MAX_NAME, MAX_OPTIONS, MAX_SITTINGS, MAX_TEXTS, Rejected,
};
pub use answers::{AnswerGroup, MAX_COMPARISONS, MAX_GROUPED};
pub use bytes::NotAnAccumulator;
pub use distribution::MAX_VALUES;
pub use findings::Finding;
pub use items::{Item, Items, OptionKind, items_of};
pub use report::{Class, ItemReport, OptionReport, Report, TestReport};
pub use sitting::{Answer, MAX_POINTS, MAX_TEXT, Score, Sitting};
pub use statistic::{Statistic, Undefined};
