//! From JSON to the types: the form of every field. What is missing or wrong is reported and replaced by an empty value,
//! so that one reading finds everything; nobody gets a configuration with an error in it.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::{Json, Object, Path, Value, boolean, decimal, integer, list, string, word};

use super::{
    Condition, Config, Container, Dependency, HealthCheck, HooksConfig, Manner, Mount, MountSource, Network,
    ResourceLimits, Rubric, SubmissionPackage, Timeouts,
};
use crate::memory::{self, MemoryProblem};
use crate::name;
use crate::port::Port;
use crate::rubric::RubricType;

/// Most containers of a problem.
const MAX_CONTAINERS: usize = 100;
/// Most rubrics, and most entries of any other list.
const MAX_ENTRIES: usize = 1_000;
/// Longest time: a week.
const MAX_SECONDS: i64 = 7 * 24 * 3_600;

type Wanted<T> = Option<T>;

fn short(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    string(1, 1_000)(value, at, findings)
}

fn long(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    string(0, 100_000)(value, at, findings)
}

/// Seconds from 1 up.
fn seconds(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<u32> {
    count_from(1, value, at, findings)
}

fn count(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<u32> {
    count_from(0, value, at, findings)
}

fn count_from(least: i64, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<u32> {
    integer(least, MAX_SECONDS)(value, at, findings).and_then(|number| u32::try_from(number).ok())
}

/// A text that `accept` turns into something; a refusal has a rule, what is wrong and a way out.
fn form<T>(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
    accept: impl FnOnce(&str) -> Result<T, (&'static str, String, &'static str)>,
) -> Wanted<T> {
    let text = short(value, at, findings)?;
    match accept(&text) {
        Ok(accepted) => Some(accepted),
        Err((rule, message, help)) => {
            findings.push(Finding::error(rule, at.pointer(), message, help));
            None
        }
    }
}

/// The id of a container, rubric or package.
fn id(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    form(value, at, findings, |text| {
        if name::is_id(text) {
            return Ok(text.to_owned());
        }
        let message = "this is no id: a letter, then at most 63 letters, digits, `_` or `-`";
        Err(("id-form", message.to_owned(), "choose an id such as `api_tester`"))
    })
}

fn package_path(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    form(value, at, findings, |text| {
        name::package_path(text).map_err(|problem| {
            let message = format!("the path {}", problem.as_str());
            (
                "path-form",
                message,
                "give a path relative to the root of the package, with `/` between its steps",
            )
        })
    })
}

fn container_path(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<String> {
    form(value, at, findings, |text| {
        name::container_path(text).map_err(|problem| {
            ("path-form", format!("the path {}", problem.as_str()), "give an absolute path in the container")
        })
    })
}

fn above_zero(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Decimal> {
    let number = decimal(value, at, findings)?;
    if number > Decimal::zero() {
        return Some(number);
    }
    findings.push(Finding::error(
        "not-above-zero",
        at.pointer(),
        "the number must be above zero",
        "give a number above zero",
    ));
    None
}

/// Warns of fields that are not the document's.
fn warn_of_others(value: Value<'_>, known: &[&str], at: &Path<'_>, findings: &mut Findings) {
    for (key, _) in value.fields() {
        if !known.contains(&key.as_ref()) && !key.starts_with("x-") && key != "$schema" {
            findings.push(Finding::warning(
                "unknown-field",
                Path::Field(at, &key).pointer(),
                "this field is not part of the document and has no effect",
                "remove it, correct its name or let it start with `x-`",
            ));
        }
    }
}

fn warn_of_alias(alias: &'static str, name: &'static str, at: &Path<'_>, findings: &mut Findings) {
    findings.push(Finding::warning(
        "older-name",
        Path::Field(at, alias).pointer(),
        format!("older packages say `{alias}`, the document says `{name}`"),
        format!("rename it to `{name}`"),
    ));
}

/// A required text that older packages have under another name.
fn required_or<'d>(
    object: &mut Object<'d, '_, '_>,
    name: &'static str,
    alias: &'static str,
    manner: Manner,
) -> (Option<(Value<'d>, &'static str)>, bool) {
    if let Some(value) = object.take(name) {
        return (Some((value, name)), false);
    }
    match object.take(alias) {
        Some(value) if manner == Manner::Lenient => (Some((value, alias)), true),
        _ => (None, false),
    }
}

const CONFIG: [&str; 14] = [
    "problem_id",
    "problem_name",
    "project_type",
    "version",
    "description",
    "author",
    "license",
    "containers",
    "submission_packages",
    "rubrics",
    "hooks_config",
    "network",
    "timeouts",
    "name",
];

pub(super) fn config(
    value: Value<'_>,
    at: &Path<'_>,
    manner: Manner,
    findings: &mut Findings,
) -> Wanted<Config> {
    let known =
        if value.get("problem_name").is_some() || manner == Manner::Strict { &CONFIG[..13] } else { &CONFIG };
    warn_of_others(value, known, at, findings);
    let mut object = Object::open(value, at, findings)?;
    let problem_id = object.required("problem_id", |value, at, findings| {
        form(value, at, findings, |text| {
            if name::is_problem_id(text) {
                return Ok(text.to_owned());
            }
            let message = "a problem id must match ^[a-z][a-z0-9-]{2,63}$";
            Err((
                "problem-id-form",
                message.to_owned(),
                "use lower-case letters, digits and `-`, such as `two-sum`",
            ))
        })
    });
    let problem_name = named(&mut object, "problem_name", "name", manner);
    let project_type = object.optional("project_type", short);
    let version = object.optional("version", short);
    let description = object.optional("description", long);
    let author = object.optional("author", long);
    let license = object.optional("license", long);
    let containers = object.required("containers", |value, at, findings| {
        list(1, MAX_CONTAINERS, |value, at: &Path<'_>, findings: &mut Findings| {
            container(value, at, manner, findings)
        })(value, at, findings)
    });
    let submission_packages = object.optional("submission_packages", list(0, MAX_ENTRIES, package));
    let rubrics = object.optional("rubrics", |value, at, findings| {
        list(0, MAX_ENTRIES, |value, at: &Path<'_>, findings: &mut Findings| {
            rubric(value, at, manner, findings)
        })(value, at, findings)
    });
    let hooks = object.optional("hooks_config", hooks_config);
    let network = object.optional("network", network);
    let timeouts = object.optional("timeouts", timeouts);
    Some(Config {
        problem_id: problem_id.unwrap_or_default(),
        problem_name: problem_name.unwrap_or_default(),
        project_type: project_type.flatten(),
        version: version.flatten().unwrap_or_else(|| "1.0.0".into()),
        description: description.flatten(),
        author: author.flatten(),
        license: license.flatten(),
        containers: containers.unwrap_or_default(),
        submission_packages: submission_packages.flatten(),
        rubrics: rubrics.flatten().unwrap_or_default(),
        hooks: hooks.flatten().unwrap_or_default(),
        network: network.flatten().unwrap_or_default(),
        timeouts: timeouts.flatten().unwrap_or_default(),
    })
}

/// A required text, under the document's name or an older one.
fn named(
    object: &mut Object<'_, '_, '_>,
    name: &'static str,
    alias: &'static str,
    manner: Manner,
) -> Wanted<String> {
    let at = object.path();
    let (found, older) = required_or(object, name, alias, manner);
    let Some((value, key)) = found else { return object.required(name, short) };
    let mut findings = Findings::new();
    if older {
        warn_of_alias(alias, name, at, &mut findings);
    }
    let text = short(value, &Path::Field(at, key), &mut findings);
    findings.into_vec().into_iter().for_each(|finding| object.report(finding));
    text
}

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

pub(super) fn container(
    value: Value<'_>,
    at: &Path<'_>,
    manner: Manner,
    findings: &mut Findings,
) -> Wanted<Container> {
    let mut known = CONTAINER.to_vec();
    // Older names whose value is read in every manner, so that what they refer to is checked.
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

fn environment(
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
                    "the value of a variable is a text; the number or truth value is taken as it is written",
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
    let memory = object.optional("memory", |value, at, findings| {
        form(value, at, findings, |text| {
            memory::bytes(text).map_err(|problem| match problem {
                MemoryProblem::Form => (
                    "memory-form",
                    "this is no amount of memory".to_owned(),
                    "write a number and a unit, such as `512m`, `2gb` or `1.5GiB`",
                ),
                MemoryProblem::Little => {
                    ("memory-range", "a container needs at least 6 MiB".to_owned(), "give it at least `6m`")
                }
                MemoryProblem::Much => {
                    ("memory-range", "no container gets more than 16 TiB".to_owned(), "give it at most `16t`")
                }
            })
        })
    });
    let cpus = object.optional("cpus", |value, at, findings| {
        let cpus = above_zero(value, at, findings)?;
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
    });
    let timeout = object.optional("timeout", seconds);
    Some(ResourceLimits { memory: memory.flatten(), cpus: cpus.flatten(), timeout: timeout.flatten() })
}

fn port(value: Value<'_>, at: &Path<'_>, manner: Manner, findings: &mut Findings) -> Wanted<Port> {
    let refused = || {
        let message = if value.text().contains(':') {
            "ports of the host are never opened: the containers reach each other by their ids"
        } else {
            "this is no port: 1 to 65535 without zeros in front, then nothing, `/tcp` or `/udp`"
        };
        ("port-form", message.to_owned(), "write the container's own port as a text, such as `\"8080\"`")
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
            "a port is written as a text",
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
            "a dependency is an object; a bare id is taken as `started`",
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

fn health_check(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<HealthCheck> {
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
                let message = "a mount of memory has no source";
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
                "mounts are never passed on between containers and the host: `rprivate` holds",
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

fn package(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<SubmissionPackage> {
    warn_of_others(value, &["package_id", "container_id", "extract_path", "permissions"], at, findings);
    let mut object = Object::open(value, at, findings)?;
    let package_id = object.required("package_id", id);
    let container_id = object.required("container_id", id);
    let extract_path = object.defaulted("extract_path", "/".into(), container_path);
    let permissions = object.defaulted("permissions", 0o755, |value, at, findings| {
        form(value, at, findings, |text| {
            let octal = matches!(text.len(), 3 | 4) && text.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
            match u32::from_str_radix(text, 8) {
                // Set-user-id and set-group-id files of a learner are never made.
                Ok(mode) if octal && mode <= 0o777 => Ok(mode),
                _ => Err((
                    "permissions-form",
                    "permissions are three or four octal digits, at most 0777".to_owned(),
                    "write for example `0755`",
                )),
            }
        })
    });
    Some(SubmissionPackage {
        package_id: package_id.unwrap_or_default(),
        container_id: container_id.unwrap_or_default(),
        extract_path: extract_path.unwrap_or_default(),
        permissions: permissions.unwrap_or_default(),
    })
}

const RUBRIC: [&str; 8] = [
    "rubric_id",
    "rubric_name",
    "rubric_type",
    "description",
    "max_score",
    "weight",
    "container",
    "properties",
];

fn rubric(value: Value<'_>, at: &Path<'_>, manner: Manner, findings: &mut Findings) -> Wanted<Rubric> {
    let mut known = RUBRIC.to_vec();
    let alias_for = |alias: &'static str, name: &'static str| {
        (value.get(alias).is_some() && value.get(name).is_none()).then_some(alias)
    };
    if manner == Manner::Lenient {
        known.extend(alias_for("name", "rubric_name"));
        known.extend(alias_for("type", "rubric_type"));
    }
    if let Some(alias) = alias_for("evaluated_by_container", "container") {
        warn_of_alias(alias, "container", at, findings);
        known.push(alias);
    }
    warn_of_others(value, &known, at, findings);
    let mut object = Object::open(value, at, findings)?;
    let rubric_id = object.required("rubric_id", id);
    let has_name = ["rubric_name", "name"].iter().any(|name| value.get(name).is_some());
    let rubric_name = if manner == Manner::Lenient && !has_name {
        object.report(Finding::warning(
            "missing-rubric-name",
            at.pointer(),
            "the rubric has no name for people; its id stands in",
            "add `rubric_name`",
        ));
        rubric_id.clone()
    } else {
        named(&mut object, "rubric_name", "name", manner)
    };
    let rubric_type = rubric_type(&mut object, manner);
    let description = object.optional("description", long);
    let max_score = object.required("max_score", above_zero);
    let weight = object.optional("weight", above_zero);
    let container = object.optional("container", id).flatten();
    let container = container.or_else(|| object.optional("evaluated_by_container", id).flatten());
    let properties = object.optional("properties", |value, at, findings| {
        Object::open(value, at, findings)?;
        Some((Json::from(value), pass_threshold(value, at, findings)))
    });
    let (properties, pass_threshold) =
        properties.flatten().map_or((None, None), |(json, pass)| (Some(json), pass));
    Some(Rubric {
        rubric_id: rubric_id.unwrap_or_default(),
        rubric_name: rubric_name.unwrap_or_default(),
        rubric_type: rubric_type.unwrap_or(RubricType::Custom),
        description: description.flatten(),
        max_score: max_score.unwrap_or_else(Decimal::one),
        weight: weight.flatten(),
        container,
        pass_threshold,
        properties,
    })
}

fn rubric_type(object: &mut Object<'_, '_, '_>, manner: Manner) -> Wanted<RubricType> {
    let at = object.path();
    let (found, older) = required_or(object, "rubric_type", "type", manner);
    let Some((value, key)) = found else { return object.required("rubric_type", word(RubricType::WORDS)) };
    let mut findings = Findings::new();
    if older {
        warn_of_alias("type", "rubric_type", at, &mut findings);
    }
    let read = word(RubricType::WORDS)(value, &Path::Field(at, key), &mut findings);
    findings.into_vec().into_iter().for_each(|finding| object.report(finding));
    read
}

fn pass_threshold(properties: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Decimal> {
    let value = properties.get("pass_threshold")?;
    let at = Path::Field(at, "pass_threshold");
    let threshold = decimal(value, &at, findings)?;
    if !threshold.is_negative() && threshold <= Decimal::one() {
        return Some(threshold);
    }
    findings.push(Finding::error(
        "out-of-range",
        at.pointer(),
        "the share from which a rubric is passed is between 0 and 1",
        "write 0.8 for 80 %",
    ));
    None
}

fn hooks_config(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<HooksConfig> {
    let known =
        ["parallel_execution", "periodic_interval_seconds", "hook_timeout_seconds", "max_concurrent_hooks"];
    warn_of_others(value, &known, at, findings);
    let mut object = Object::open(value, at, findings)?;
    let parallel_execution = object.defaulted("parallel_execution", false, boolean);
    let periodic_interval_seconds = object.defaulted("periodic_interval_seconds", 10, seconds);
    let hook_timeout_seconds = object.optional("hook_timeout_seconds", seconds);
    let max_concurrent_hooks = object.defaulted("max_concurrent_hooks", 4, |value, at, findings| {
        integer(1, 256)(value, at, findings).and_then(|number| u32::try_from(number).ok())
    });
    Some(HooksConfig {
        parallel_execution: parallel_execution?,
        periodic_interval_seconds: periodic_interval_seconds?,
        hook_timeout_seconds: hook_timeout_seconds?,
        max_concurrent_hooks: max_concurrent_hooks?,
    })
}

fn network(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Network> {
    warn_of_others(value, &["name", "driver", "internet_access", "dns_servers", "mtu"], at, findings);
    let mut object = Object::open(value, at, findings)?;
    let default = Network::default();
    let name = object.defaulted("name", default.name, |value, at, findings| {
        form(value, at, findings, |text| {
            // An id as long as ids can be stands in for both.
            let longest = text.replace("{{problem_id}}", "p").replace("{{submission_id}}", "s");
            if name::is_engine_name(&longest) {
                return Ok(text.to_owned());
            }
            let message = "the name of a network is letters, digits, `_`, `.`, `-`, {{problem_id}} and {{submission_id}}";
            Err(("network-name", message.to_owned(), "leave `name` out, or write `sql-{{submission_id}}`"))
        })
    });
    let driver = object.defaulted("driver", default.driver, |value, at, findings| {
        form(value, at, findings, |text| {
            if name::is_engine_name(text)
                && !matches!(text, "host" | "none" | "null" | "container" | "default")
            {
                return Ok(text.to_owned());
            }
            let message =
                "this is no driver of a network that connects containers and nothing else".to_owned();
            Err(("network-driver", message, "leave `driver` out: `bridge`"))
        })
    });
    let internet_access = object.defaulted("internet_access", false, boolean);
    let dns_servers = object.defaulted(
        "dns_servers",
        Vec::new(),
        list(0, 10, |value, at: &Path<'_>, findings: &mut Findings| {
            form(value, at, findings, |text| {
                if name::is_address(text) {
                    return Ok(text.to_owned());
                }
                Err((
                    "dns-server",
                    "this is no IP address".to_owned(),
                    "give an address such as `192.0.2.53`",
                ))
            })
        }),
    );
    let mtu = object.optional("mtu", |value, at, findings| {
        integer(68, 65_535)(value, at, findings).and_then(|number| u16::try_from(number).ok())
    });
    Some(Network {
        name: name?,
        driver: driver?,
        internet_access: internet_access?,
        dns_servers: dns_servers?,
        mtu: mtu?,
    })
}

fn timeouts(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Wanted<Timeouts> {
    let known = [
        "problem_total_seconds",
        "container_startup_seconds",
        "hook_execution_seconds",
        "submission_execution_seconds",
    ];
    warn_of_others(value, &known, at, findings);
    let mut object = Object::open(value, at, findings)?;
    let default = Timeouts::default();
    let problem_total = object.defaulted("problem_total_seconds", default.problem_total, seconds);
    let container_startup = object.defaulted("container_startup_seconds", default.container_startup, seconds);
    let hook_execution = object.defaulted("hook_execution_seconds", default.hook_execution, seconds);
    let submission_execution =
        object.defaulted("submission_execution_seconds", default.submission_execution, seconds);
    Some(Timeouts {
        problem_total: problem_total?,
        container_startup: container_startup?,
        hook_execution: hook_execution?,
        submission_execution: submission_execution?,
    })
}
