//! A cache of compiled graders.

use std::collections::HashMap;
use std::sync::Arc;

use fablegrade_public::json::Value;
use fablegrade_public::{Error, Finding};

use crate::answer::AnswerSpec;
use crate::grader::Grader;
use crate::host::Host;

/// A grader, or the reason why the spec is invalid.
pub type Compiled = Result<Grader, Error>;

/// A cache of compiled graders, so a question is not compiled again for every answer.
///
/// The cache is bounded and has two generations. A full young generation replaces the old one; old entries
/// that are used again move to the young generation. Texts are compared, not only their hashes.
pub struct Graders {
    last: Option<Entry>,
    young: HashMap<Arc<str>, Arc<Compiled>>,
    old: HashMap<Arc<str>, Arc<Compiled>>,
    /// The size of the young generation in bytes.
    cost: usize,
    /// The maximum size of one generation in bytes.
    limit: usize,
    host: Host,
}

type Entry = (Arc<str>, Arc<Compiled>);

/// The limit for the caches of all threads together, in bytes; with more than 16 threads, each still has 512
/// KiB.
const BUDGET: usize = 8 << 20;
/// The assumed size of an entry in addition to its text and findings, in bytes.
const OVERHEAD: usize = 1_024;

impl Graders {
    /// Creates a cache for one of `jobs` threads, for a host without validators.
    pub fn new(jobs: usize) -> Self {
        Self::with_host(jobs, &Host::new())
    }

    /// Creates a cache for one of `jobs` threads.
    pub fn with_host(jobs: usize, host: &Host) -> Self {
        let limit = (BUDGET / jobs.max(1)).max(1 << 19) / 2;
        Self { last: None, young: HashMap::new(), old: HashMap::new(), cost: 0, limit, host: host.clone() }
    }

    /// Returns the compiled spec; pointers in an error are relative to the spec. Takes one text comparison if
    /// the spec is the same as in the last call, and hash look-ups if it is in the cache.
    pub fn get(&mut self, spec: Value<'_>) -> Arc<Compiled> {
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
                    let compiled =
                        spec.read_as::<AnswerSpec>().and_then(|spec| Grader::with_host(spec, &self.host));
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
        let findings = match entry.1.as_ref() {
            Ok(grader) => grader.warnings(),
            Err(error) => error.findings(),
        };
        let cost = entry.0.len() + OVERHEAD + findings.iter().map(size).sum::<usize>();
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

/// Returns the size of a finding in bytes.
fn size(finding: &Finding) -> usize {
    size_of::<Finding>() + finding.pointer.len() + finding.message.len() + finding.help.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fablegrade_public::json::Document;

    fn get(graders: &mut Graders, text: &str) -> Arc<Compiled> {
        let document = Document::parse(text.as_bytes()).expect("JSON");
        graders.get(document.root())
    }

    #[test]
    fn a_spec_is_compiled_once_while_it_is_used_and_the_store_stays_bounded() {
        let mut graders = Graders::new(1_000_000);
        let spec = |value: usize| format!(r#"{{"type":"numeric","answer":{{"value":{value}}}}}"#);
        let first = get(&mut graders, &spec(0));
        for value in 1..5_000 {
            let _ = get(&mut graders, &spec(value));
            if value % 50 == 0 {
                assert!(Arc::ptr_eq(&first, &get(&mut graders, &spec(0))), "{value}");
            }
        }
        let most = graders.limit / OVERHEAD + 1;
        assert!(graders.young.len() <= most && graders.old.len() <= most);
        assert!(get(&mut graders, r#"{"type":"numeric"}"#).is_err());
    }

    #[test]
    fn findings_count_towards_the_size() {
        let mut graders = Graders::new(1_000_000);
        let fields: Vec<String> = (0..200).map(|at| format!("\"x{at}\":1")).collect();
        for value in 0..300 {
            let text = format!(r#"{{"type":"numeric","answer":{{"value":{value}}},{}}}"#, fields.join(","));
            assert!(get(&mut graders, &text).is_err());
        }
        // Each error has 200 findings of more than 100 bytes.
        let most = graders.limit / 20_000;
        assert!(graders.young.len() <= most && graders.old.len() <= most, "{}", graders.young.len());
    }
}
