//! The configuration of a problem package (`config.json`) as types, with the format's defaults filled in.
//!
//! Reading reports all findings at once. [`Manner::Strict`] requires the fields that the format's specification lists
//! as required. [`Manner::Lenient`] also accepts the forms of older packages, with a warning.

mod read;
mod rules;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::json::{Document, Json, Path, Value};

use crate::port::Port;
use crate::rubric::RubricType;

/// The path of a submission in the original layout if the stage file does not set it.
const SUBMISSION_MOUNT: &str = "/submission";

pub(crate) use read::StageFile;
pub(crate) use rules::package_targets;

/// The strictness of reading a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// Requires the fields that the format's specification lists as required, under their current names.
    Strict,
    /// Also accepts names and forms of older packages, each with a warning. The rubric's id replaces a missing
    /// `rubric_name`.
    #[default]
    Lenient,
}

/// A problem's configuration.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Config {
    /// The problem's id: `^[a-z][a-z0-9-]{2,63}$`.
    pub problem_id: String,
    /// The displayed name; not interpreted.
    pub problem_name: String,
    /// The type of the project; not interpreted.
    pub project_type: Option<String>,
    /// The version; `1.0.0` if absent.
    pub version: String,
    /// The description in Markdown.
    pub description: Option<String>,
    /// The author; not interpreted.
    pub author: Option<String>,
    /// The license; not interpreted.
    pub license: Option<String>,
    /// The containers, at least one, in the order of the file.
    pub containers: Vec<Container>,
    /// The packages of a submission. If absent, there is one package `main`, for the first container that accepts
    /// submissions.
    pub submission_packages: Option<Vec<SubmissionPackage>>,
    /// The rubrics that are scored.
    pub rubrics: Vec<Rubric>,
    /// Settings of hooks.
    pub hooks: HooksConfig,
    /// The network of the containers.
    pub network: Network,
    /// Time limits.
    pub timeouts: Timeouts,
}

/// A container.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Container {
    /// The unique id, which is also the name by which the other containers reach it.
    pub container_id: String,
    /// The displayed name; not interpreted.
    pub container_name: Option<String>,
    /// The Dockerfile's path in the package.
    pub dockerfile_path: String,
    /// True if files of the submission are copied into it; `false` if absent.
    pub accepts_submission: bool,
    /// The package of the submission that is copied into it.
    pub submission_package_id: Option<String>,
    /// Environment variables, in the order of the file.
    pub environment: Vec<(String, String)>,
    /// Its resource limits.
    pub limits: ResourceLimits,
    /// The ports on which it listens.
    pub ports: Vec<Port>,
    /// Conditions that must hold before it is started.
    pub depends_on: Vec<Dependency>,
    /// Containers that are stopped when this one exits.
    pub terminates: Vec<String>,
    /// The readiness check.
    pub health_check: Option<HealthCheck>,
    /// Folders and volumes that are mounted into it.
    pub mounts: Vec<Mount>,
    /// Capabilities to add to the engine's default, without `CAP_`.
    pub cap_add: Vec<&'static str>,
    /// Capabilities to drop, without `CAP_`.
    pub cap_drop: Vec<&'static str>,
}

/// Limits of a container; `None` means the host's default.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ResourceLimits {
    /// The memory in bytes.
    pub memory: Option<u64>,
    /// The number of processors, above zero.
    pub cpus: Option<Decimal>,
    /// Maximum lifetime of the container in seconds.
    pub timeout: Option<u32>,
}

/// A condition that another container must meet before this container is started.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dependency {
    /// The other container.
    pub container_id: String,
    /// The condition; `started` if absent.
    pub condition: Condition,
    /// The wait in seconds, unless the checks of `retry` take longer; 30 if absent.
    pub timeout: u32,
    /// With `retry_interval`, the minimum wait: `retry` times `retry_interval` seconds; 3 if absent.
    pub retry: u32,
    /// Seconds between checks; 2 if absent.
    pub retry_interval: u32,
}

impl Dependency {
    /// Returns the seconds after which the wait ends: `timeout`, but at least the time of `retry` checks that are
    /// `retry_interval` apart.
    pub fn longest_wait(&self) -> u64 {
        u64::from(self.timeout).max(u64::from(self.retry) * u64::from(self.retry_interval))
    }
}

/// The condition that the other container of a dependency must meet. Where only one condition can be stated, it is the
/// greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// It was started.
    Started,
    /// Its health check passed.
    Healthy,
    /// It exited with 0.
    Completed,
}

impl Condition {
    const WORDS: &'static [(&'static str, Self)] =
        &[("started", Self::Started), ("healthy", Self::Healthy), ("completed", Self::Completed)];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Healthy => "healthy",
            Self::Completed => "completed",
        }
    }
}

/// The readiness check of a container: a shell command that runs inside it. Exit code 0 means healthy.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HealthCheck {
    /// The command for `/bin/sh -c`.
    pub command: String,
    /// Seconds between checks; 10 if absent.
    pub interval: u32,
    /// Time limit of a check in seconds; 5 if absent.
    pub timeout: u32,
    /// Consecutive failures that make the container unhealthy; 3 if absent.
    pub retries: u32,
    /// Seconds after the start during which failures do not count; 0 if absent.
    pub start_period: u32,
}

/// A mount of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mount {
    /// Its kind and source.
    pub source: MountSource,
    /// Absolute path in the container.
    pub destination: String,
    /// True if the mount is read-only; `false` if absent.
    pub read_only: bool,
}

/// The source of a mount.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MountSource {
    /// A file or folder of the package.
    Bind(String),
    /// A volume of the evaluation, shared by the containers that name it.
    Volume(String),
    /// A file system in memory.
    Tmpfs,
}

/// A part of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubmissionPackage {
    /// The unique id.
    pub package_id: String,
    /// The container that receives it.
    pub container_id: String,
    /// The folder in the container; `/` if absent.
    pub extract_path: String,
    /// The mode of the files; `0755` if absent.
    pub permissions: u32,
}

/// A scored aspect of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rubric {
    /// The unique id.
    pub rubric_id: String,
    /// The displayed name; not interpreted.
    pub rubric_name: String,
    /// One of ten types.
    pub rubric_type: RubricType,
    /// The description; not interpreted.
    pub description: Option<String>,
    /// The maximum score, above zero.
    pub max_score: Decimal,
    /// The weight, above zero; `None` if absent, which counts as 1.
    pub weight: Option<Decimal>,
    /// The only container whose result counts; if absent, the result of any container can count.
    pub container: Option<String>,
    /// The share of `max_score`, from 0 to 1, at which the rubric is passed; from `properties.pass_threshold`.
    pub pass_threshold: Option<Decimal>,
    /// The author's properties, of which only `pass_threshold` is interpreted.
    pub properties: Option<Json>,
}

/// Settings of hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct HooksConfig {
    /// True if post-hooks with the same prefix run at the same time; `false` if absent.
    pub parallel_execution: bool,
    /// The interval of periodic hooks in seconds; 10 if absent.
    pub periodic_interval_seconds: u32,
    /// The time limit of a hook in seconds; if absent, `timeouts.hook_execution_seconds` applies.
    pub hook_timeout_seconds: Option<u32>,
    /// The maximum number of post-hooks that run at the same time; 4 if absent.
    pub max_concurrent_hooks: u32,
}

impl Default for HooksConfig {
    fn default() -> Self {
        Self {
            parallel_execution: false,
            periodic_interval_seconds: 10,
            hook_timeout_seconds: None,
            max_concurrent_hooks: 4,
        }
    }
}

/// The network of the containers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Network {
    /// The name, in which `{{problem_id}}` and `{{submission_id}}` are replaced by the ids;
    /// `problem-{{problem_id}}-{{submission_id}}` if absent.
    pub name: String,
    /// The driver of the network; `bridge` if absent.
    pub driver: String,
    /// True if containers can reach the internet; `false` if absent.
    pub internet_access: bool,
    /// The IP addresses of DNS servers.
    pub dns_servers: Vec<String>,
    /// The maximum transmission unit in bytes, from 68 to 65535.
    pub mtu: Option<u16>,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            name: "problem-{{problem_id}}-{{submission_id}}".into(),
            driver: "bridge".into(),
            internet_access: false,
            dns_servers: Vec::new(),
            mtu: None,
        }
    }
}

/// Time limits, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// The limit of the whole evaluation; 1800 if absent.
    pub problem_total: u32,
    /// The limit from the start of a container until it is healthy; 60 if absent.
    pub container_startup: u32,
    /// The limit of one hook; 30 if absent.
    pub hook_execution: u32,
    /// The limit of the wait, after the post-hooks, for containers that end by themselves; 600 if absent.
    pub submission_execution: u32,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { problem_total: 1_800, container_startup: 60, hook_execution: 30, submission_execution: 600 }
    }
}

/// A configuration that was read without errors, and its findings.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The configuration.
    pub config: Config,
    /// Warnings and remarks.
    pub findings: Vec<Finding>,
}

impl Config {
    /// Reads `config.json` and checks everything that can be checked without the package's files.
    ///
    /// # Errors
    /// All findings: about the JSON text, the structure, and references between the parts.
    pub fn parse(text: &[u8], manner: Manner) -> Result<Checked, Error> {
        Self::parse_with_stages(text, manner, &|_| None)
    }

    /// Works like [`Config::parse`], and adds the settings of the original layout's stage files, if there are any.
    pub(crate) fn parse_with_stages<'f>(
        text: &[u8],
        manner: Manner,
        stage_of: &dyn Fn(&Container) -> Option<StageFile<'f>>,
    ) -> Result<Checked, Error> {
        let document = Document::parse(text)?;
        let mut findings = Findings::new();
        let mut config = read::config(document.root(), &Path::Root, manner, &mut findings);
        if let Some(config) = &mut config {
            let has_timeouts = document.root().get("timeouts").is_some();
            config.fill_from_stages(stage_of, has_timeouts, &mut findings);
            rules::check(config, &Path::Root, &mut findings);
        }
        match config {
            Some(config) if findings.errors() == 0 => Ok(Checked { config, findings: findings.into_vec() }),
            _ => Err(Error::new(ErrorKind::Schema, findings)),
        }
    }

    /// Reads and checks a value whose path is `at`. The configuration is complete only if no error was pushed.
    pub fn read(value: Value<'_>, at: &Path<'_>, manner: Manner, findings: &mut Findings) -> Option<Self> {
        let config = read::config(value, at, manner, findings)?;
        rules::check(&config, at, findings);
        Some(config)
    }

    /// Fills in settings that containers do not set, from their stage files. Containers with a stage file also get the
    /// mounts of the original layout: `/workspace/data` if they have a folder `data`, and the common folder `/shared`.
    /// If the configuration sets no time limits, the longest time limit of the stage files (300 s for a file without one)
    /// becomes the limit of a hook.
    /// If it has no submission packages, the first container that has a stage file and accepts submissions gets the
    /// submission.
    fn fill_from_stages<'f>(
        &mut self,
        stage_of: &dyn Fn(&Container) -> Option<StageFile<'f>>,
        has_timeouts: bool,
        findings: &mut Findings,
    ) {
        let mut longest = None;
        let mut mount = None;
        for container in &mut self.containers {
            let Some(file) = stage_of(container) else { continue };
            let Some(settings) = read::StageSettings::parse(&file, container, findings) else { continue };
            longest = longest.max(Some(settings.seconds));
            if container.accepts_submission && mount.is_none() {
                let path = settings.submission_mount.clone().unwrap_or_else(|| SUBMISSION_MOUNT.into());
                mount = Some((container.container_id.clone(), path));
            }
            settings.fill(container);
            let data = MountSource::Bind(format!("{}/data", container.container_id));
            let data = file.has_data.then_some((data, "/workspace/data", true));
            for (source, destination, read_only) in
                data.into_iter().chain([(MountSource::Volume("shared".into()), "/shared", false)])
            {
                if !container.mounts.iter().any(|mount| mount.destination == destination) {
                    container.mounts.push(Mount { source, destination: destination.into(), read_only });
                }
            }
        }
        let Some(longest) = longest else { return };
        findings.push(Finding::info(
            "stage-settings",
            "",
            "settings of containers come from the stage files next to their Dockerfiles, as in the original layout",
            "move them into `config.json`: a host that implements only the specification does not read them",
        ));
        if self.hooks.hook_timeout_seconds.is_none() && !has_timeouts {
            self.hooks.hook_timeout_seconds = Some(longest);
        }
        if let (None, Some((container_id, extract_path))) = (&self.submission_packages, mount) {
            self.submission_packages = Some(vec![SubmissionPackage {
                package_id: "main".into(),
                container_id,
                extract_path,
                permissions: 0o755,
            }]);
        }
    }

    /// Returns the container with this id.
    pub fn container(&self, container_id: &str) -> Option<&Container> {
        self.containers.iter().find(|container| container.container_id == container_id)
    }

    /// Returns the packages of a submission: those of the configuration, or else one package `main` for the first
    /// container that accepts submissions. Empty if no container does.
    pub fn packages(&self) -> Vec<SubmissionPackage> {
        if let Some(packages) = &self.submission_packages {
            return packages.clone();
        }
        let accepting = self.containers.iter().find(|container| container.accepts_submission);
        accepting
            .map(|container| SubmissionPackage {
                package_id: "main".into(),
                container_id: container.container_id.clone(),
                extract_path: "/".into(),
                permissions: 0o755,
            })
            .into_iter()
            .collect()
    }
}

/// Reads a single container and checks the form of its fields. The rules that [`Config::read`] adds, such as those for
/// references, reserved paths and repeated ports, are not checked.
pub fn read_container(
    value: Value<'_>,
    at: &Path<'_>,
    manner: Manner,
    findings: &mut Findings,
) -> Option<Container> {
    read::container(value, at, manner, findings)
}
