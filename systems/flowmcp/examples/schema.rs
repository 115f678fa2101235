//! Prints the JSON Schema of a grading entry, generated from its types:
//! `cargo run -p fablegrade-flowmcp --features schema --example schema > schemas/flowmcp-grading-entry.schema.json`

use std::io::Write;

fn main() -> std::io::Result<()> {
    let schema = fablegrade_flowmcp::schema::entry_schema();
    writeln!(std::io::stdout(), "{schema:#}")
}
