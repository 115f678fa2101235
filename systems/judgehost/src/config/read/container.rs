//! One container: its image, environment, limits, ports, dependencies, health check, mounts and capabilities.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::{Object, Path, Value, boolean, list, string, word};

use super::super::{
    Condition, Container, Dependency, HealthCheck, Manner, Mount, MountSource, ResourceLimits,
};
use super::form::{
    MAX_ENTRIES, Wanted, above_zero, container_path, count, count_from, form, id, long, package_path,
    seconds, short, warn_of_alias, warn_of_others,
};
use crate::memory::{self, MemoryProblem};
use crate::name;
use crate::port::Port;

const CONTAINER: [&str; 13] = [
    "container_id",
    "container_name",
    "dockerfile_path",
    "accepts_submission",
    "submission_package_id",
    "environment",
    "resource_limits",
    "ports",
    "depends_on",
    "terminates",
    "health_check",
    "mounts",
    "capabilities",
];

pub(in crate::config) fn container(
    value: Value<'_>,
    at: &Path<'_>,
    manner: Manner,
    findings: &mut Findings,
) -> Wanted<Container> {
    let mut known = CONTAINER.to_vec();
    // Older names are read even if strict, so references in their values are checked.
    for (alias, name) in [("terminate_on_finish", "terminates"), ("name", "container_name")] {
        if value.get(alias).is_some() && value.get(name).is_none() {
            warn_of_alias(alias, name, at, findings);
            known.push(alias);
        }
    }
    warn_of_others(value, &known, at, findings);
    let mut object = Object::open(value, at, findings)?;
    let container_id = object.required("container_id", id);
    let container_name = object.optional("container_name", short).flatten();
    let container_name = container_name.or_else(|| object.optional("name", short).flatten());
    let dockerfile_path = object.required("dockerfile_path", package_path);
    let accepts_submission = object.defaulted("accepts_submission", false, boolean);
    let submission_package_id = object.optional("submission_package_id", id);
    let environment =
        object.optional("environment", |value, at, findings| environment(value, at, manner, findings));
    let limits = object.optional("resource_limits", resource_limits);
    let ports = object.optional("ports", |value, at, findings| {
        list(0, MAX_ENTRIES, |value, at: &Path<'_>, findings: &mut Findings| {
            port(value, at, manner, findings)
        })(value, at, findings)
    });
    let depends_on = object.optional("depends_on", list(0, MAX_ENTRIES, dependency));
    let terminates = object.optional("terminates", list(0, MAX_ENTRIES, id)).flatten();
    let terminates =
        terminates.or_else(|| object.optional("terminate_on_finish", list(0, MAX_ENTRIES, id)).flatten());
    let health_check = object.optional("health_check", health_check);
    let mounts = object.optional("mounts", list(0, MAX_ENTRIES, mount));
    let capabilities = object.optional("capabilities", capabilities);
    let (cap_add, cap_drop) = capabilities.flatten().unwrap_or_default();
    Some(Container {
        container_id: container_id.unwrap_or_default(),
        container_name,
        dockerfile_path: dockerfile_path.unwrap_or_default(),
        accepts_submission: accepts_submission.unwrap_or_default(),
        submission_package_id: submission_package_id.flatten(),
        environment: environment.flatten().unwrap_or_default(),
        limits: limits.flatten().unwrap_or_default(),
        ports: ports.flatten().unwrap_or_default(),
        depends_on: depends_on.flatten().unwrap_or_default(),
        terminates: terminates.unwrap_or_default(),
        health_check: health_check.flatten(),
        mounts: mounts.flatten().unwrap_or_default(),
        cap_add,
        cap_drop,
    })
}

pub(super) fn environment(
    value: Value<'_>,
    at: &Path<'_>,
    manner: Manner,
    findings: &mut Findings,
) -> Wanted<Vec<(String, String)>> {
    Object::open(value, at, findings)?;
    let mut variables = Vec::new();
    for (key, value) in value.fields() {
        let at = Path::Field(at, &key);
        if !name::is_variable(&key) {
            findings.push(Finding::error(
                "variable-form",
                at.pointer(),
                "the name of a variable is letters, digits and `_`, and does not start with a digit",
                "rename the variable",
            ));
            continue;
        }
        let text = match value.kind() {
            "number" | "boolean" if manner == Manner::Lenient => {
                findings.push(Finding::warning(
                    "not-a-text",
                    at.pointer(),
                    "the value of a variable must be a string; the number or boolean is used as written",
                    "put the value into double quotes",
                ));
                Some(value.text().to_owned())
            }
            _ => long(value, &at, findings),
        };
        let Some(text) = text else { continue };
        if text.contains('\0') {
            findings.push(Finding::error(
                "variable-value",
                at.pointer(),
                "the value of a variable cannot hold a NUL character",
                "remove the character",
            ));
            continue;
        }
        variables.push((key.into_owned(), text));
    }
    Some(variables)
}

fn resource_limits(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<ResourceLimits> {
    warn_of_others(value, &["memory", "cpus", "timeout"], at, findings);
    let mut object = Object::open(value, at, findings)?;
    let memory = object.optional("memory", memory_limit);
    let cpus = object.optional("cpus", processors);
    let timeout = object.optional("timeout", seconds);
    Some(ResourceLimits { memory: memory.flatten(), cpus: cpus.flatten(), timeout: timeout.flatten() })
}

/// Reads an amount of memory for a container, in bytes.
pub(super) fn memory_limit(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<u64> {
    form(value, at, findings, |text| {
        memory::bytes(text).map_err(|problem| match problem {
            MemoryProblem::Form => (
                "memory-form",
                "not an amount of memory".to_owned(),
                "write a number and a unit, such as `512m`, `2gb` or `1.5GiB`",
            ),
            MemoryProblem::Little => {
                ("memory-range", "a container needs at least 6 MiB".to_owned(), "give it at least `6m`")
            }
            MemoryProblem::Much => {
                ("memory-range", "a container can have at most 16 TiB".to_owned(), "give it at most `16t`")
            }
        })
    })
}

/// Reads a number of processors from a JSON number.
pub(super) fn processors(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Decimal> {
    let cpus = above_zero(value, at, findings)?;
    processors_in_range(cpus, at, findings)
}

pub(super) fn processors_in_range(cpus: Decimal, at: &Path<'_>, findings: &mut Findings) -> Wanted<Decimal> {
    if cpus >= Decimal::new(1, -2) && cpus <= Decimal::from(1_024) {
        return Some(cpus);
    }
    findings.push(Finding::error(
        "out-of-range",
        at.pointer(),
        "the number of processors must be between 0.01 and 1024",
        "choose one between 0.01 and 1024",
    ));
    None
}

fn port(value: Value<'_>, at: &Path<'_>, manner: Manner, findings: &mut Findings) -> Wanted<Port> {
    let refused = || {
        let message = if value.text().contains(':') {
            "ports of the host are never opened: the containers reach each other by their ids"
        } else {
            "not a port: expected 1 to 65535 without zeros in front, then nothing, `/tcp` or `/udp`"
        };
        ("port-form", message.to_owned(), "write the container's own port as a string, such as `\"8080\"`")
    };
    if manner == Manner::Lenient && value.kind() == "number" {
        let Some(port) = Port::parse(value.text()) else {
            let (rule, message, help) = refused();
            findings.push(Finding::error(rule, at.pointer(), message, help));
            return None;
        };
        findings.push(Finding::warning(
            "not-a-text",
            at.pointer(),
            "a port must be a string",
            "put it into double quotes",
        ));
        return Some(port);
    }
    form(value, at, findings, |text| Port::parse(text).ok_or_else(refused))
}

fn dependency(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Dependency> {
    let on = |container_id| Dependency {
        container_id,
        condition: Condition::Started,
        timeout: 30,
        retry: 3,
        retry_interval: 2,
    };
    if value.kind() == "string" {
        let dependency = on(id(value, at, findings)?);
        findings.push(Finding::warning(
            "bare-dependency",
            at.pointer(),
            "a dependency must be an object; a bare id is read as `started`",
            "write `{\"container_id\": .., \"condition\": \"started\"}`",
        ));
        return Some(dependency);
    }
    warn_of_others(value, &["container_id", "condition", "timeout", "retry", "retry_interval"], at, findings);
    let mut object = Object::open(value, at, findings)?;
    let container_id = object.required("container_id", id);
    let condition = object.defaulted("condition", Condition::Started, word(Condition::WORDS));
    let timeout = object.defaulted("timeout", 30, seconds);
    let retry = object.defaulted("retry", 3, count);
    let retry_interval = object.defaulted("retry_interval", 2, seconds);
    let dependency = on(container_id.unwrap_or_default());
    Some(Dependency {
        condition: condition.unwrap_or(dependency.condition),
        timeout: timeout.unwrap_or(dependency.timeout),
        retry: retry.unwrap_or(dependency.retry),
        retry_interval: retry_interval.unwrap_or(dependency.retry_interval),
        ..dependency
    })
}

pub(super) fn health_check(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<HealthCheck> {
    warn_of_others(value, &["command", "interval", "timeout", "retries", "start_period"], at, findings);
    let mut object = Object::open(value, at, findings)?;
    let command = object.required("command", string(1, 10_000));
    let interval = object.defaulted("interval", 10, seconds);
    let timeout = object.defaulted("timeout", 5, seconds);
    let retries = object.defaulted("retries", 3, |value, at, findings| count_from(1, value, at, findings));
    let start_period = object.defaulted("start_period", 0, count);
    Some(HealthCheck {
        command: command.unwrap_or_default(),
        interval: interval.unwrap_or(10),
        timeout: timeout.unwrap_or(5),
        retries: retries.unwrap_or(3),
        start_period: start_period.unwrap_or(0),
    })
}

fn mount(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Mount> {
    #[derive(Clone, Copy)]
    enum Kind {
        Bind,
        Volume,
        Tmpfs,
    }
    warn_of_others(value, &["type", "source", "destination", "read_only", "propagation"], at, findings);
    let mut object = Object::open(value, at, findings)?;
    let kinds: &[_] = &[("bind", Kind::Bind), ("volume", Kind::Volume), ("tmpfs", Kind::Tmpfs)];
    let kind = object.required("type", word(kinds));
    let source = match kind {
        Some(Kind::Bind) => object.required("source", package_path).map(MountSource::Bind),
        Some(Kind::Volume) => object
            .required("source", |value, at, findings| {
                form(value, at, findings, |text| {
                    if name::is_engine_name(text) {
                        return Ok(text.to_owned());
                    }
                    let message = "the name of a volume is letters, digits, `_`, `.` and `-`".to_owned();
                    Err(("volume-form", message, "choose a name such as `shared_data`"))
                })
            })
            .map(MountSource::Volume),
        Some(Kind::Tmpfs) => {
            if object.take("source").is_some_and(|source| source.kind() != "null") {
                let pointer = Path::Field(at, "source").pointer();
                let message = "a mount of type `tmpfs` has no source";
                object.report(Finding::warning("unused-source", pointer, message, "remove `source`"));
            }
            Some(MountSource::Tmpfs)
        }
        None => None,
    };
    let destination = object.required("destination", container_path);
    let read_only = object.defaulted("read_only", false, boolean);
    let propagation = object.optional("propagation", |value, at, findings| {
        let kept = word(&[
            ("rprivate", true),
            ("private", true),
            ("rpublic", false),
            ("shared", false),
            ("rshared", false),
            ("slave", false),
            ("rslave", false),
        ])(value, at, findings)?;
        if !kept {
            findings.push(Finding::warning(
                "propagation",
                at.pointer(),
                "mounts are never propagated between containers and the host: `rprivate` is used",
                "remove `propagation`",
            ));
        }
        Some(())
    });
    propagation?;
    Some(Mount { source: source?, destination: destination?, read_only: read_only? })
}

type Capabilities = (Vec<&'static str>, Vec<&'static str>);

fn capabilities(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Capabilities> {
    fn one(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<&'static str> {
        form(value, at, findings, |text| {
            name::capability(text).ok_or_else(|| {
                let message = "Linux has no capability of this name".to_owned();
                ("capability", message, "use a name of capabilities(7), such as `CAP_NET_BIND_SERVICE`")
            })
        })
    }
    warn_of_others(value, &["add", "drop"], at, findings);
    let mut object = Object::open(value, at, findings)?;
    let add = object.defaulted("add", Vec::new(), list(0, MAX_ENTRIES, one));
    let drop = object.defaulted("drop", Vec::new(), list(0, MAX_ENTRIES, one));
    Some((add?, drop?))
}
