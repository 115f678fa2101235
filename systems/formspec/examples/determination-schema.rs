//! Writes the JSON Schema of a Determination Record to standard output.

use std::io::Write;

fn main() -> std::io::Result<()> {
    let schema = fablegrade_formspec::schema::determination();
    let text = serde_json::to_string_pretty(&schema)?;
    writeln!(std::io::stdout().lock(), "{text}")
}
