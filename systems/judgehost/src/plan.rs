//! The plan: everything that a host needs to run an evaluation, resolved to plain data.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::json::Json;

use crate::config::{
    Condition, Container, Dependency, HealthCheck, Mount, MountSource, SubmissionPackage, package_targets,
};
use crate::hook::{Hook, Phase, groups};
use crate::memory;
use crate::name::{ORDINARY_CAPABILITIES, is_engine_name};
use crate::order::start_order;
use crate::package::Package;
use crate::port::Port;

/// Variables that the judge sets in every container, overriding the configuration. The host sets the last variable, in
/// seconds since 1970, because only the host has a clock.
pub const RESERVED_VARIABLES: [&str; 5] =
    ["SUBMISSION_ID", "PROBLEM_ID", "CONTAINER_ID", "PROBLEM_VERSION", "EVALUATION_START_TIME"];

/// The host's defaults for absent settings, and its permissions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Memory in bytes for a container without `memory`; 512 MiB by default.
    pub memory: u64,
    /// Processors for a container without `cpus`; 1 by default.
    pub cpus: Decimal,
    /// The maximum number of processes of a container; 512 by default.
    pub processes: u32,
    /// The maximum number of bytes that a container can write to its file system and volumes; 10 GiB by default.
    pub disk: u64,
    /// Capabilities that a package may add beyond the engine's default, named as in capabilities(7); none by default.
    pub allowed_capabilities: Vec<String>,
    /// True if problems that set `network.internet_access` get it; `true` by default.
    pub internet: bool,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            memory: 512 << 20,
            cpus: Decimal::one(),
            processes: 512,
            disk: 10 << 30,
            allowed_capabilities: Vec::new(),
            internet: true,
        }
    }
}

/// A package, resolved for the evaluation of one submission.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The problem's id.
    pub problem_id: String,
    /// The problem's version.
    pub problem_version: String,
    /// The submission's id.
    pub submission_id: String,
    /// The network that connects the containers.
    pub network: NetworkPlan,
    /// The containers in the order in which they are started.
    pub containers: Vec<ContainerPlan>,
    /// Groups of post-hooks. The hooks of a group run at the same time, and the groups one after another.
    pub post: Vec<Vec<Hook>>,
    /// Hooks that run repeatedly.
    pub periodic: Vec<Hook>,
    /// Seconds between two runs of the periodic hooks.
    pub periodic_interval: u32,
    /// Maximum number of hooks that run at the same time.
    pub concurrent_hooks: u32,
    /// Time limit of a hook in seconds.
    pub hook_seconds: u32,
    /// Time limit of the evaluation in seconds, excluding image builds.
    pub total_seconds: u32,
    /// Maximum wait in seconds for containers that are expected to end by themselves.
    pub submission_seconds: u32,
    /// Containers whose end is awaited after the post-hooks: those that terminate others, and those that a rubric names
    /// and that have no post-hook. If there are no post-hooks and a rubric names no container, the containers without
    /// the submission are awaited too, or all containers if each has the submission. Of these, a service with a port or
    /// a health check is not awaited if another of these containers waits until it is started or healthy. A container
    /// with post-hooks counts as ended after its last post-hook.
    pub awaited: Vec<String>,
    /// Ids of the rubrics, each with the containers whose result is trusted, in order of priority.
    pub rubrics: Vec<(String, Vec<String>)>,
}

/// The network that connects the containers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NetworkPlan {
    /// The name, with the ids filled in.
    pub name: String,
    /// The driver, such as `bridge`.
    pub driver: String,
    /// True if the network has no access to the outside.
    pub internal: bool,
    /// The IP addresses of DNS servers.
    pub dns_servers: Vec<String>,
    /// The maximum transmission unit in bytes.
    pub mtu: Option<u16>,
}

/// A container to run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContainerPlan {
    /// Its id, which is also its name in the network.
    pub container_id: String,
    /// The build context of the image: the folder of the package that contains the Dockerfile.
    pub context: String,
    /// The Dockerfile's path relative to that folder.
    pub dockerfile: String,
    /// True if the submission runs in it.
    pub accepts_submission: bool,
    /// Packages of the submission that are copied into it before it starts.
    pub packages: Vec<SubmissionPackage>,
    /// Environment variables, sorted by name; without `EVALUATION_START_TIME`.
    pub environment: Vec<(String, String)>,
    /// The memory in bytes.
    pub memory: u64,
    /// The number of processors, in billionths.
    pub nano_cpus: u64,
    /// Maximum number of processes.
    pub processes: u32,
    /// Maximum number of bytes that it can write to its file system and volumes.
    pub disk: u64,
    /// Maximum lifetime in seconds.
    pub lifetime: u32,
    /// Maximum time in seconds from its start until it is healthy.
    pub startup_seconds: u32,
    /// The ports on which it listens.
    pub ports: Vec<Port>,
    /// Conditions that must hold before it is started.
    pub waits: Vec<Dependency>,
    /// The readiness check.
    pub health_check: Option<HealthCheck>,
    /// Mounts, `/data` included.
    pub mounts: Vec<Mount>,
    /// Capabilities to add, without `CAP_`, sorted.
    pub cap_add: Vec<&'static str>,
    /// Capabilities to drop, without `CAP_`, sorted.
    pub cap_drop: Vec<&'static str>,
    /// All containers that are stopped when this one exits.
    pub stops: Vec<String>,
    /// Its pre-hooks, in order; they run when it is ready.
    pub pre: Vec<Hook>,
    /// The number of its post-hooks.
    pub post: usize,
    /// True if any hook runs in it. It then stays alive for its hooks after its program has ended.
    pub hooked: bool,
}

impl Plan {
    /// Resolves a package for one submission.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] for an invalid submission id (not `^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$`), a capability or
    /// internet access that the host does not allow, or a network name that is too long with the ids filled in.
    pub fn new(package: &Package, submission_id: &str, options: &PlanOptions) -> Result<Self, Error> {
        let config = &package.config;
        let mut findings = Findings::new();
        if submission_id.len() > 64 || !is_engine_name(submission_id) {
            let message = "a submission id is at most 64 letters, digits, `_`, `.` and `-`";
            findings.push(Finding::error("submission-id", "", message, "choose an id such as `sub_17`"));
        }
        let filled = config.network.name.replace("{{problem_id}}", &config.problem_id);
        let name = filled.replace("{{submission_id}}", submission_id);
        if findings.errors() == 0 && !is_engine_name(&name) {
            let message = "the name has more than 128 characters after the ids are filled in";
            findings.push(Finding::error("network-name", "/network/name", message, "shorten it"));
        }
        if config.network.internet_access && !options.internet {
            let message = "this host gives no problem access to the internet";
            findings.push(Finding::error(
                "no-internet",
                "/network/internet_access",
                message,
                "do without it",
            ));
        }
        // A checked package has no dependency cycle.
        let order = start_order(&config.containers).unwrap_or_default();
        let mut containers = Vec::with_capacity(order.len());
        for index in order {
            let container = &config.containers[index];
            for (at, name) in container.cap_add.iter().enumerate() {
                let allowed = options
                    .allowed_capabilities
                    .iter()
                    .any(|given| crate::name::capability(given) == Some(name));
                if !allowed && !ORDINARY_CAPABILITIES.contains(name) {
                    findings.push(Finding::error(
                        "strong-capability",
                        format!("/containers/{index}/capabilities/add/{at}"),
                        format!("this host does not give CAP_{name}"),
                        "do without it, or allow it on the host",
                    ));
                }
            }
            containers.push(container_plan(package, container, submission_id, options));
        }
        if findings.errors() > 0 {
            return Err(Error::new(ErrorKind::Mismatch, findings));
        }
        let hooks_of = |container_id: &str, phase: Phase| -> Vec<Hook> {
            let own = |hook: &&Hook| hook.container_id == container_id && hook.phase == phase;
            package.hooks.iter().filter(own).cloned().collect()
        };
        let ids: Vec<&str> = containers.iter().map(|container| container.container_id.as_str()).collect();
        let post: Vec<Vec<Hook>> = (ids.iter())
            .flat_map(|id| groups(hooks_of(id, Phase::Post), config.hooks.parallel_execution))
            .collect();
        let periodic =
            ids.iter().flat_map(|id| groups(hooks_of(id, Phase::Periodic), false)).flatten().collect();
        let rubrics: Vec<(String, Vec<String>)> = (config.rubrics.iter())
            .map(|rubric| (rubric.rubric_id.clone(), crate::score::believed(config, rubric)))
            .collect();
        let has_post = |id: &str| post.iter().flatten().any(|hook| hook.container_id == id);
        let named = |id: &str| config.rubrics.iter().any(|rubric| rubric.container.as_deref() == Some(id));
        // Without a hook, the result of a rubric that names no container can only come from the containers themselves,
        // preferably from those without the submission.
        let any = post.is_empty() && config.rubrics.iter().any(|rubric| rubric.container.is_none());
        let all_accept = config.containers.iter().all(|container| container.accepts_submission);
        let possible = |container: &Container| all_accept || !container.accepts_submission;
        // A database or a similar service does not end.
        let serves = |container: &Container| {
            let needed = |dependency: &Dependency| {
                dependency.container_id == container.container_id
                    && dependency.condition != Condition::Completed
            };
            (container.health_check.is_some() || !container.ports.is_empty())
                && (config.containers.iter())
                    .any(|other| possible(other) && other.depends_on.iter().any(needed))
        };
        let awaited = (config.containers.iter())
            .filter(|container| {
                let id = &container.container_id;
                let writes = named(id) || (any && possible(container) && !serves(container));
                !container.terminates.is_empty() || (writes && !has_post(id))
            })
            .map(|container| container.container_id.clone())
            .collect();
        Ok(Self {
            problem_id: config.problem_id.clone(),
            problem_version: config.version.clone(),
            submission_id: submission_id.to_owned(),
            network: NetworkPlan {
                name,
                driver: config.network.driver.clone(),
                internal: !config.network.internet_access,
                dns_servers: config.network.dns_servers.clone(),
                mtu: config.network.mtu,
            },
            post,
            periodic,
            periodic_interval: config.hooks.periodic_interval_seconds,
            concurrent_hooks: config.hooks.max_concurrent_hooks,
            hook_seconds: config.hooks.hook_timeout_seconds.unwrap_or(config.timeouts.hook_execution),
            total_seconds: config.timeouts.problem_total,
            submission_seconds: config.timeouts.submission_execution,
            awaited,
            rubrics,
            containers,
        })
    }

    /// Returns the container with this id.
    pub fn container(&self, container_id: &str) -> Option<&ContainerPlan> {
        self.containers.iter().find(|container| container.container_id == container_id)
    }

    /// Returns the plan as JSON, without the scripts of the hooks.
    pub fn to_json(&self) -> Json {
        let rubrics = self.rubrics.iter().map(|(id, from)| {
            Json::build().with("rubric_id", id).with("believed", Json::array(from)).build()
        });
        let network = Json::build()
            .with("name", &self.network.name)
            .with("driver", &self.network.driver)
            .with("internal", self.network.internal)
            .with("dns_servers", Json::array(&self.network.dns_servers))
            .with_some("mtu", self.network.mtu);
        Json::build()
            .with("problem_id", &self.problem_id)
            .with("problem_version", &self.problem_version)
            .with("submission_id", &self.submission_id)
            .with("network", network.build())
            .with("containers", Json::array(self.containers.iter().map(ContainerPlan::to_json)))
            .with("post", Json::array(self.post.iter().map(|group| hooks_json(group))))
            .with("periodic", hooks_json(&self.periodic))
            .with("periodic_interval", self.periodic_interval)
            .with("concurrent_hooks", self.concurrent_hooks)
            .with("hook_seconds", self.hook_seconds)
            .with("total_seconds", self.total_seconds)
            .with("submission_seconds", self.submission_seconds)
            .with("awaited", Json::array(&self.awaited))
            .with("rubrics", Json::array(rubrics))
            .build()
    }
}

fn hooks_json(hooks: &[Hook]) -> Json {
    Json::array(hooks.iter().map(Hook::to_json))
}

fn container_plan(
    package: &Package,
    container: &Container,
    submission_id: &str,
    options: &PlanOptions,
) -> ContainerPlan {
    let config = &package.config;
    let id = &container.container_id;
    let (context, dockerfile) = match container.dockerfile_path.rsplit_once('/') {
        Some((folder, name)) => (folder.to_owned(), name.to_owned()),
        None => (String::new(), container.dockerfile_path.clone()),
    };
    let mut environment = container.environment.clone();
    environment.retain(|(name, _)| !RESERVED_VARIABLES.contains(&name.as_str()));
    let judges = [submission_id, &config.problem_id, id, &config.version];
    let judges = RESERVED_VARIABLES.into_iter().zip(judges);
    environment.extend(judges.map(|(name, value)| (name.to_owned(), value.to_owned())));
    environment.sort();
    let mut mounts = container.mounts.clone();
    if package.has_data(id) && !mounts.iter().any(|mount| mount.destination == "/data") {
        let source = MountSource::Bind(format!("{id}/data"));
        mounts.push(Mount { source, destination: "/data".into(), read_only: true });
    }
    // With raw packets, a submission could impersonate another container.
    let mut cap_drop = container.cap_drop.clone();
    if container.accepts_submission {
        cap_drop.extend(["MKNOD", "NET_RAW"].iter().filter(|name| !container.cap_add.contains(name)));
    }
    let mut cap_add = container.cap_add.clone();
    for list in [&mut cap_add, &mut cap_drop] {
        list.sort_unstable();
        list.dedup();
    }
    let cpus = container.limits.cpus.as_ref().unwrap_or(&options.cpus);
    let nano_cpus =
        cpus.multiply(&Decimal::from(1_000_000_000)).floor().to_i64().map_or(0, i64::unsigned_abs);
    let packages = config.packages();
    let own = package_targets(&packages, id);
    let own_hooks = || package.hooks.iter().filter(|hook| hook.container_id == *id);
    ContainerPlan {
        container_id: id.clone(),
        context,
        dockerfile,
        accepts_submission: container.accepts_submission,
        packages: packages
            .iter()
            .filter(|package| own.contains(&package.package_id.as_str()))
            .cloned()
            .collect(),
        environment,
        memory: container.limits.memory.unwrap_or(options.memory),
        nano_cpus,
        processes: options.processes,
        disk: options.disk,
        lifetime: container.limits.timeout.unwrap_or(u32::MAX).min(config.timeouts.problem_total),
        startup_seconds: config.timeouts.container_startup,
        ports: container.ports.clone(),
        waits: container.depends_on.clone(),
        health_check: container.health_check.clone(),
        mounts,
        cap_add,
        cap_drop,
        stops: crate::order::cascade(&config.containers, id),
        pre: groups(own_hooks().filter(|hook| hook.phase == Phase::Pre).cloned().collect(), false)
            .into_iter()
            .flatten()
            .collect(),
        post: own_hooks().filter(|hook| hook.phase == Phase::Post).count(),
        hooked: own_hooks().next().is_some(),
    }
}

impl ContainerPlan {
    /// Returns the container as JSON.
    pub fn to_json(&self) -> Json {
        let variables =
            self.environment.iter().map(|(name, value)| (name.as_str().into(), value.into())).collect();
        let waits = self.waits.iter().map(|wait| {
            Json::build()
                .with("container_id", &wait.container_id)
                .with("condition", wait.condition.as_str())
                .with("timeout", wait.timeout)
                .with("retry", wait.retry)
                .with("retry_interval", wait.retry_interval)
                .build()
        });
        let health = self.health_check.as_ref().map(|check| {
            Json::build()
                .with("command", &check.command)
                .with("interval", check.interval)
                .with("timeout", check.timeout)
                .with("retries", check.retries)
                .with("start_period", check.start_period)
                .build()
        });
        let packages = self.packages.iter().map(|package| {
            Json::build()
                .with("package_id", &package.package_id)
                .with("extract_path", &package.extract_path)
                .with("permissions", format!("{:04o}", package.permissions))
                .build()
        });
        let mounts = self.mounts.iter().map(|mount| {
            let (kind, source) = match &mount.source {
                MountSource::Bind(path) => ("bind", Some(path)),
                MountSource::Volume(name) => ("volume", Some(name)),
                MountSource::Tmpfs => ("tmpfs", None),
            };
            Json::build()
                .with("type", kind)
                .with_some("source", source)
                .with("destination", &mount.destination)
                .with("read_only", mount.read_only)
                .build()
        });
        Json::build()
            .with("container_id", &self.container_id)
            .with("context", &self.context)
            .with("dockerfile", &self.dockerfile)
            .with("accepts_submission", self.accepts_submission)
            .with("packages", Json::array(packages))
            .with("environment", Json::object(variables))
            .with("memory", self.memory)
            .with("nano_cpus", self.nano_cpus)
            .with("processes", self.processes)
            .with("disk", self.disk)
            .with("lifetime", self.lifetime)
            .with("startup_seconds", self.startup_seconds)
            .with("ports", Json::array(self.ports.iter().map(Port::to_string)))
            .with("waits", Json::array(waits))
            .with_some("health_check", health)
            .with("mounts", Json::array(mounts))
            .with("cap_add", Json::array(self.cap_add.iter().copied()))
            .with("cap_drop", Json::array(self.cap_drop.iter().copied()))
            .with("stops", Json::array(&self.stops))
            .with("pre", hooks_json(&self.pre))
            .with("hooked", self.hooked)
            .build()
    }

    /// Returns the memory in the notation of engines, such as `512m`.
    pub fn memory_text(&self) -> String {
        memory::text(self.memory)
    }

    /// Returns the processors as a decimal number, such as `0.5`.
    pub fn cpus_text(&self) -> String {
        Decimal::from(i64::try_from(self.nano_cpus).unwrap_or(i64::MAX))
            .multiply(&Decimal::new(1, -9))
            .to_string()
    }

    /// Returns whether a health check determines when the container is ready. Otherwise it is ready when it is started.
    pub fn waits_for_health(&self) -> bool {
        self.health_check.is_some()
    }

    /// Returns whether the container waits until `container_id` meets `condition`.
    pub fn waits_for(&self, container_id: &str, condition: Condition) -> bool {
        self.waits.iter().any(|wait| wait.container_id == container_id && wait.condition == condition)
    }
}
