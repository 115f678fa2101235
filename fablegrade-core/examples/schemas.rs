//! Writes the JSON Schemas of all documents into the folder given as argument (default: `schemas`).

use std::path::PathBuf;

use fablegrade_core::schema::{DOCUMENTS, document_schema};

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "schemas".to_owned()));
    for name in DOCUMENTS {
        if let Some(text) = document_schema(name) {
            std::fs::write(folder.join(format!("{name}.json")), text)?;
        }
    }
    Ok(())
}
