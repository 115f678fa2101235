//! What the program that embeds the engine brings along.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

/// A validator for widget states that the host registers under a name.
///
/// It must be a pure function of its arguments: the engine promises the same result for the same input.
pub trait StateValidator: Send + Sync {
    /// Checks the `config` of a spec once, when its grader is made.
    ///
    /// # Errors
    /// What is wrong with it, for the author.
    fn check_config(&self, config: Option<&Json>) -> Result<(), String> {
        let _ = config;
        Ok(())
    }

    /// The score of a state, in `[0, 1]`; values outside are clamped.
    ///
    /// # Errors
    /// Why this state cannot be judged, for the author; the learner gets verdict `error`.
    fn validate(&self, config: Option<&Json>, state: &Json) -> Result<Ratio, String>;
}

/// What the embedding program brings along: validators for widgets.
#[derive(Clone, Default)]
pub struct Host {
    validators: BTreeMap<String, Arc<dyn StateValidator>>,
}

impl Host {
    /// A host without validators.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a validator; a later one of the same name replaces it.
    #[must_use]
    pub fn with_validator(
        mut self,
        name: impl Into<String>,
        validator: impl StateValidator + 'static,
    ) -> Self {
        self.validators.insert(name.into(), Arc::new(validator));
        self
    }

    /// Names a validator that is registered elsewhere: questions may use it and can be examined; states cannot be judged.
    #[must_use]
    pub fn with_validator_elsewhere(self, name: impl Into<String>) -> Self {
        self.with_validator(name, Elsewhere)
    }

    pub(crate) fn validator(&self, name: &str) -> Option<Arc<dyn StateValidator>> {
        self.validators.get(name).cloned()
    }

    /// The names of the registered validators, sorted.
    pub fn validator_names(&self) -> impl Iterator<Item = &str> {
        self.validators.keys().map(String::as_str)
    }
}

/// Stands for a validator of another program.
struct Elsewhere;

impl StateValidator for Elsewhere {
    fn validate(&self, _config: Option<&Json>, _state: &Json) -> Result<Ratio, String> {
        Err("this validator runs in another program".to_owned())
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("validators", &self.validators.keys().collect::<Vec<_>>()).finish()
    }
}
