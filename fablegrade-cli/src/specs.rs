//! Specs that were compiled before, by their exact text.

use std::sync::Arc;

use fablegrade_core::json::Value;
use fablegrade_core::{AnswerSpec, Error, Grader};
use hashbrown::HashMap;

/// A grader, or why the spec has none.
pub(crate) type Compiled = Result<Grader, Error>;

/// A bounded store of compiled specs in two generations: when the young one is full it becomes the old one, and what
/// is used again moves back. Texts are compared, never only their hashes.
pub(crate) struct Specs {
    last: Option<Entry>,
    young: HashMap<Arc<str>, Arc<Compiled>>,
    old: HashMap<Arc<str>, Arc<Compiled>>,
    /// What the young generation costs.
    cost: usize,
    /// What one generation may cost.
    limit: usize,
}

type Entry = (Arc<str>, Arc<Compiled>);

/// What all stores of this process may hold, in bytes of spec text.
const BUDGET: usize = 8 << 20;
/// What an entry costs beyond its text.
const OVERHEAD: usize = 1_024;

impl Specs {
    /// A store for one of `jobs` threads.
    pub(crate) fn new(jobs: usize) -> Self {
        let limit = (BUDGET / jobs.max(1)).max(1 << 19) / 2;
        Self { last: None, young: HashMap::new(), old: HashMap::new(), cost: 0, limit }
    }

    /// The compiled form of a spec; the error's pointers start at the spec.
    pub(crate) fn get(&mut self, spec: Value<'_>) -> Arc<Compiled> {
        let text = spec.text();
        if let Some((known, compiled)) = &self.last
            && **known == *text
        {
            return Arc::clone(compiled);
        }
        let entry = match self.young.get_key_value(text) {
            Some((known, compiled)) => (Arc::clone(known), Arc::clone(compiled)),
            None => {
                let entry = self.old.remove_entry(text).unwrap_or_else(|| {
                    let compiled = spec.read_as::<AnswerSpec>().and_then(|spec| Grader::new(&spec));
                    (Arc::from(text), Arc::new(compiled))
                });
                self.keep(&entry);
                entry
            }
        };
        let compiled = Arc::clone(&entry.1);
        self.last = Some(entry);
        compiled
    }

    fn keep(&mut self, entry: &Entry) {
        let cost = entry.0.len() + OVERHEAD;
        if cost > self.limit {
            return;
        }
        if self.cost + cost > self.limit {
            self.old = std::mem::take(&mut self.young);
            self.cost = 0;
        }
        self.cost += cost;
        self.young.insert(Arc::clone(&entry.0), Arc::clone(&entry.1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fablegrade_core::json::Document;

    fn get(specs: &mut Specs, text: &str) -> Arc<Compiled> {
        let document = Document::parse(text.as_bytes()).expect("JSON");
        specs.get(document.root())
    }

    #[test]
    fn a_spec_is_compiled_once_while_it_is_used_and_the_store_stays_bounded() {
        let mut specs = Specs::new(1_000_000);
        let spec = |value: usize| format!(r#"{{"type":"numeric","answer":{{"value":{value}}}}}"#);
        let first = get(&mut specs, &spec(0));
        for value in 1..5_000 {
            let _ = get(&mut specs, &spec(value));
            if value % 50 == 0 {
                assert!(Arc::ptr_eq(&first, &get(&mut specs, &spec(0))), "{value}");
            }
        }
        let most = specs.limit / OVERHEAD + 1;
        assert!(specs.young.len() <= most && specs.old.len() <= most);
        assert!(get(&mut specs, r#"{"type":"numeric"}"#).is_err());
    }
}
