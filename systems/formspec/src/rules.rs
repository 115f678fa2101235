//! What a schema cannot say: the semantic rules of screeners and records.

mod record;
mod screener;

pub use record::check_record;
pub use screener::check_screener;
