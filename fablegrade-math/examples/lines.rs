//! JSON Lines without the command, for hunts over many pairs: `{id, a, b}` in, `{id, equal, how, witness?}` or `{id, error}` out,
//! as `fablegrade equiv` answers them.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::{BufRead, Write};

use fablegrade_math::{Options, compare};
use serde_json::{Value, json};

fn main() {
    let options = Options::default();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let (a, b) = (row["a"].as_str().unwrap(), row["b"].as_str().unwrap());
        let answer = match compare(a, b, &options) {
            Ok(decision) => {
                let (equal, how) = (decision.verdict().as_bool(), decision.evidence.kind().as_str());
                let witness = decision.witness().map(|(point, side)| {
                    let holds = if side == fablegrade_math::Side::First { "a" } else { "b" };
                    let point: serde_json::Map<String, Value> =
                        point.iter().map(|(name, at)| (name.clone(), at.as_str().into())).collect();
                    json!({"point": point, "holds": holds})
                });
                json!({"id": row["id"], "equal": equal, "how": how, "witness": witness})
            }
            Err(error) => json!({"id": row["id"], "error": {"message": error.to_string()}}),
        };
        writeln!(out, "{answer}").unwrap();
    }
}
