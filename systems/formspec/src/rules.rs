//! Rules that a schema cannot express: the semantics of screeners and records.

mod cycles;
mod record;
mod screener;

pub use record::check_record;
pub use screener::check_screener;
