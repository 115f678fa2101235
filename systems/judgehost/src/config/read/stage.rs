//! Stage files: the settings of a container in the original layout, in `<container_id>/stage2.config.json` or else
//! `<container_id>/stage1.config.json`.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::{Document, Object, Path, Value, boolean};

use super::super::{Container, HealthCheck, Manner, ResourceLimits};
use super::container::{environment, health_check, memory_limit, processors};
use super::form::{Wanted, container_path, form, id, seconds, warn_of_others};

/// The time limit in seconds of a container's hooks if its stage file sets no `timeout`, as in the original system.
const DEFAULT_SECONDS: u32 = 300;
/// The start period in seconds of a health check in a stage file that does not set it.
const START_PERIOD: u32 = 10;

/// A stage file of a container.
pub(crate) struct StageFile<'f> {
    /// Its path in the package.
    pub(crate) path: String,
    pub(crate) bytes: &'f [u8],
    /// True if the container has a folder `data`.
    pub(crate) has_data: bool,
}

/// The settings that a stage file adds to its container.
pub(in crate::config) struct StageSettings {
    environment: Vec<(String, String)>,
    limits: ResourceLimits,
    health_check: Option<HealthCheck>,
    pub(in crate::config) submission_mount: Option<String>,
    /// The time limit of each of the container's hooks, in seconds.
    pub(in crate::config) seconds: u32,
}

impl StageSettings {
    /// Reads a stage file. The messages of its findings contain its path and the pointer into it.
    pub(in crate::config) fn parse(
        file: &StageFile<'_>,
        container: &Container,
        findings: &mut Findings,
    ) -> Wanted<Self> {
        let mut found = Findings::new();
        let settings = match Document::parse(file.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file.bytes)) {
            Ok(document) => read(document.root(), &Path::Root, container, &mut found),
            Err(error) => {
                error.findings().iter().cloned().for_each(|finding| found.push(finding));
                None
            }
        };
        for mut finding in found.into_vec() {
            // The pointer of a finding refers to `config.json`, so it is empty here.
            finding.message = format!("{}{}: {}", file.path, finding.pointer, finding.message);
            finding.pointer = String::new();
            findings.push(finding);
        }
        settings
    }

    /// Fills in settings that the container's entry in `config.json` does not set.
    pub(in crate::config) fn fill(self, container: &mut Container) {
        let named = |name: &String| container.environment.iter().any(|(own, _)| own == name);
        let more: Vec<_> = self.environment.into_iter().filter(|(name, _)| !named(name)).collect();
        container.environment.extend(more);
        let limits = &mut container.limits;
        limits.memory = limits.memory.or(self.limits.memory);
        limits.cpus = limits.cpus.take().or(self.limits.cpus);
        limits.timeout = limits.timeout.or(self.limits.timeout);
        container.health_check = container.health_check.take().or(self.health_check);
    }
}

fn read(
    value: Value<'_>,
    at: &Path<'_>,
    container: &Container,
    findings: &mut Findings,
) -> Wanted<StageSettings> {
    let known = [
        "container_id",
        "accepts_submission",
        "submission_mount",
        "network",
        "resource_limits",
        "environment",
        "health_check",
    ];
    warn_of_others(value, &known, at, findings);
    let mut object = Object::open(value, at, findings)?;
    let container_id = object.optional("container_id", id).flatten();
    if container_id.as_ref().is_some_and(|id| *id != container.container_id) {
        object.report(Finding::warning(
            "stage-of-another",
            Path::Field(at, "container_id").pointer(),
            format!("the file is beside the Dockerfile of `{}`, which uses it", container.container_id),
            "correct the id, or move the file",
        ));
    }
    let accepts = object.optional("accepts_submission", boolean).flatten();
    if accepts.is_some_and(|accepts| accepts != container.accepts_submission) {
        object.report(Finding::warning(
            "stage-contradicts",
            Path::Field(at, "accepts_submission").pointer(),
            "`config.json` has another value, which takes precedence",
            "set it in `config.json` only",
        ));
    }
    let submission_mount = object.optional("submission_mount", container_path).flatten();
    let network = object.optional("network", |value, at, findings| {
        let mut is_true = |name| {
            let at = Path::Field(at, name);
            value.get(name).is_some_and(|value| boolean(value, &at, findings) == Some(true))
        };
        Some(is_true("enabled") && !is_true("internal_only"))
    });
    if network.flatten() == Some(true) {
        object.report(Finding::warning(
            "stage-network",
            Path::Field(at, "network").pointer(),
            "a stage file cannot give internet access: the containers of an evaluation reach only each other",
            "set `network.internet_access` in `config.json`, if the problem needs it",
        ));
    }
    let limits = object.optional("resource_limits", limits).flatten().unwrap_or_default();
    let environment = object
        .optional("environment", |value, at, findings| environment(value, at, Manner::Lenient, findings))
        .flatten();
    let health = object.optional("health_check", |value, at, findings| {
        let mut check = health_check(value, at, findings)?;
        if value.get("start_period").is_none() {
            check.start_period = START_PERIOD;
        }
        Some(check)
    });
    Some(StageSettings {
        environment: environment.unwrap_or_default(),
        seconds: limits.timeout.unwrap_or(DEFAULT_SECONDS),
        limits,
        health_check: health.flatten(),
        submission_mount,
    })
}

/// Reads `{cpu: "1.0", memory: "512M", timeout: 300}`.
fn limits(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<ResourceLimits> {
    warn_of_others(value, &["cpu", "memory", "timeout"], at, findings);
    let mut object = Object::open(value, at, findings)?;
    let cpus = object.optional("cpu", |value, at, findings| {
        if value.kind() != "string" {
            return processors(value, at, findings);
        }
        let cpus = form(value, at, findings, |text| {
            text.parse::<Decimal>().map_err(|_| {
                ("cpu-form", "not a number of processors".to_owned(), "write a number, such as `1.0`")
            })
        })?;
        super::container::processors_in_range(cpus, at, findings)
    });
    let memory = object.optional("memory", memory_limit);
    let timeout = object.optional("timeout", seconds);
    Some(ResourceLimits { memory: memory.flatten(), cpus: cpus.flatten(), timeout: timeout.flatten() })
}
