//! Reads the types from JSON and checks the form of every field. A missing or invalid field is reported and replaced by
//! an empty or default value, so one pass reports all findings. [`Config::parse`] never returns a configuration with
//! errors.

mod container;
mod form;
mod stage;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::{Json, Object, Path, Value, boolean, decimal, integer, list, word};

pub(super) use container::container;
use form::{
    MAX_ENTRIES, Wanted, above_zero, container_path, form, id, long, named, required_or, seconds, short,
    warn_of_alias, warn_of_others,
};
pub(crate) use stage::StageFile;
pub(super) use stage::StageSettings;

use super::{Config, HooksConfig, Manner, Network, Rubric, SubmissionPackage, Timeouts};
use crate::name;
use crate::rubric::RubricType;

/// The maximum number of containers in a problem.
const MAX_CONTAINERS: usize = 100;

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
                // A learner's files never get the set-user-id or set-group-id bit.
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
            "the rubric has no name for people; its id is shown instead",
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
            // Each placeholder becomes one letter here; the plan checks the length of the complete name.
            let shortest = text.replace("{{problem_id}}", "p").replace("{{submission_id}}", "s");
            if name::is_engine_name(&shortest) {
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
            let message = "not a driver of a network that only connects containers".to_owned();
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
                Err(("dns-server", "not an IP address".to_owned(), "give an address such as `192.0.2.53`"))
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
