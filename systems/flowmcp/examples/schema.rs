//! Prints the JSON Schema of a grading entry, or of an evaluator's envelope, generated from its types:
//! `cargo run -p fablegrade-flowmcp --features schema --example schema > schemas/flowmcp-grading-entry.schema.json`
//! `cargo run -p fablegrade-flowmcp --features schema --example schema envelope > schemas/flowmcp-evaluation.schema.json`

use std::io::Write;

fn main() -> std::io::Result<()> {
    let schema = match std::env::args().nth(1).as_deref() {
        Some("envelope") => fablegrade_flowmcp::schema::envelope_schema(),
        _ => fablegrade_flowmcp::schema::entry_schema(),
    };
    writeln!(std::io::stdout(), "{schema:#}")
}
