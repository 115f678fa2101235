//! A plan as a Compose project: the containers with their builds, conditions, limits and mounts. Settings that Compose
//! cannot express (hooks, rubrics, which container stops which) are under `x-judgehost`.

use fablegrade_public::json::{Json, write_json_string};

use crate::config::{Condition, MountSource};
use crate::plan::{ContainerPlan, Plan};
use crate::submission::Delivery;

/// Returns the text of a `compose.yaml` for the root of the package's folder.
///
/// Packages of the submission are mounted read-only from `./submitted/<package_id>/`. If a package goes to `/`, its
/// top-level entries are mounted one by one; if it was not submitted, a comment names it instead. Each container's `/out`
/// is the folder `./out/<container_id>`.
pub fn project(plan: &Plan, deliveries: &[Delivery]) -> String {
    let mut text = String::from("# Made by `fablegrade judgehost compose`.\n");
    for container in &plan.containers {
        for package in container.packages.iter().filter(|package| package.extract_path == "/") {
            if !deliveries.iter().any(|delivery| delivery.package_id == package.package_id) {
                text.push_str(&format!(
                    "# The package {} goes to / of {}: give a submission to have its files mounted.\n",
                    package.package_id, container.container_id
                ));
            }
        }
    }
    let services = plan
        .containers
        .iter()
        .map(|container| (Box::from(container.container_id.as_str()), service(plan, container, deliveries)));
    let volumes: Vec<(Box<str>, Json)> = (plan.containers.iter().flat_map(|container| &container.mounts))
        .filter_map(|mount| match &mount.source {
            MountSource::Volume(name) => Some((Box::from(name.as_str()), Json::object(Vec::new()))),
            _ => None,
        })
        .collect();
    let network = &plan.network;
    let options =
        network.mtu.map(|mtu| Json::build().with("com.docker.network.driver.mtu", mtu.to_string()).build());
    let default = Json::build()
        .with("name", &network.name)
        .with("driver", &network.driver)
        .with("internal", network.internal)
        .with_some("driver_opts", options);
    let document = Json::build()
        .with("name", project_name(plan))
        .with("services", Json::object(services.collect()))
        .with("networks", Json::build().with("default", default.build()).build())
        .with_some("volumes", (!volumes.is_empty()).then(|| Json::object(volumes)))
        .with("x-judgehost", escape(&plan.to_json()))
        .build();
    write(&document, 0, &mut text);
    text
}

/// Returns the project name, for which Compose allows only lower-case letters, digits, `-` and `_`.
fn project_name(plan: &Plan) -> String {
    let name = format!("{}-{}", plan.problem_id, plan.submission_id);
    name.to_ascii_lowercase().replace('.', "-")
}

/// Escapes `$`, which Compose takes for the start of a variable.
fn dollars(text: &str) -> String {
    text.replace('$', "$$")
}

/// Escapes `$` in all strings of a document. The recursion depth is bounded by the structure of a plan.
fn escape(json: &Json) -> Json {
    match json {
        Json::String(text) => Json::from(dollars(text)),
        Json::Array(items) => Json::array(items.iter().map(escape)),
        Json::Object(fields) => {
            Json::object(fields.iter().map(|(key, value)| (key.clone(), escape(value))).collect())
        }
        other => other.clone(),
    }
}

fn service(plan: &Plan, container: &ContainerPlan, deliveries: &[Delivery]) -> Json {
    let id = &container.container_id;
    let context =
        if container.context.is_empty() { ".".to_owned() } else { format!("./{}", container.context) };
    let build =
        Json::build().with("context", dollars(&context)).with("dockerfile", dollars(&container.dockerfile));
    let environment = container
        .environment
        .iter()
        .map(|(name, value)| (name.as_str().into(), dollars(value).into()))
        .collect();
    // Compose allows one condition per service, so the one that is met last is used.
    let mut conditions: Vec<(&str, Condition)> = Vec::new();
    for wait in &container.waits {
        match conditions.iter_mut().find(|(id, _)| *id == wait.container_id) {
            Some((_, condition)) => *condition = (*condition).max(wait.condition),
            None => conditions.push((&wait.container_id, wait.condition)),
        }
    }
    let depends_on = conditions.into_iter().map(|(id, condition)| {
        let condition = match condition {
            Condition::Started => "service_started",
            Condition::Healthy => "service_healthy",
            Condition::Completed => "service_completed_successfully",
        };
        (Box::from(id), Json::build().with("condition", condition).build())
    });
    let depends_on: Vec<(Box<str>, Json)> = depends_on.collect();
    let health = container.health_check.as_ref().map(|check| {
        Json::build()
            .with("test", Json::array(["CMD-SHELL".to_owned(), dollars(&check.command)]))
            .with("interval", format!("{}s", check.interval))
            .with("timeout", format!("{}s", check.timeout))
            .with("retries", check.retries)
            .with("start_period", format!("{}s", check.start_period))
            .build()
    });
    let mut mounts = vec![mount("bind", Some(&format!("./out/{id}")), "/out", false)];
    for planned in &container.mounts {
        let (kind, source) = match &planned.source {
            MountSource::Bind(path) => ("bind", Some(format!("./{path}"))),
            MountSource::Volume(name) => ("volume", Some(name.clone())),
            MountSource::Tmpfs => ("tmpfs", None),
        };
        mounts.push(mount(kind, source.as_deref(), &planned.destination, planned.read_only));
    }
    for package in &container.packages {
        let folder = format!("./submitted/{}", package.package_id);
        let delivery = deliveries.iter().find(|delivery| delivery.package_id == package.package_id);
        if package.extract_path != "/" {
            mounts.push(mount("bind", Some(&folder), &package.extract_path, true));
        } else if let Some(delivery) = delivery {
            for name in delivery.files.names_in("") {
                mounts.push(mount("bind", Some(&format!("{folder}/{name}")), &format!("/{name}"), true));
            }
        }
    }
    let some = |list: &[&'static str]| (!list.is_empty()).then(|| Json::array(list.iter().copied()));
    let dns = &plan.network.dns_servers;
    Json::build()
        .with("build", build.build())
        .with("environment", Json::object(environment))
        .with_some("depends_on", (!depends_on.is_empty()).then(|| Json::object(depends_on)))
        .with_some("healthcheck", health)
        .with("mem_limit", container.memory_text())
        .with("memswap_limit", container.memory_text())
        .with(
            "cpus",
            fablegrade_public::Decimal::from_text(&container.cpus_text())
                .unwrap_or_else(|_| fablegrade_public::Decimal::one()),
        )
        .with("pids_limit", container.processes)
        .with_some("cap_add", some(&container.cap_add))
        .with_some("cap_drop", some(&container.cap_drop))
        .with("security_opt", Json::array(["no-new-privileges:true"]))
        .with("init", true)
        .with_some("expose", {
            let ports: Vec<String> = container.ports.iter().map(ToString::to_string).collect();
            (!ports.is_empty()).then(|| Json::array(ports))
        })
        .with_some("dns", (!dns.is_empty()).then(|| Json::array(dns)))
        .with("volumes", Json::array(mounts))
        .build()
}

fn mount(kind: &str, source: Option<&str>, target: &str, read_only: bool) -> Json {
    Json::build()
        .with("type", kind)
        .with_some("source", source.map(dollars))
        .with("target", dollars(target))
        .with("read_only", read_only)
        .build()
}

/// Writes YAML: objects and arrays in block style, strings in double quotes as in JSON, which YAML reads the same way.
/// The recursion depth is bounded by the structure of a project.
fn write(json: &Json, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match json {
        Json::Object(fields) if !fields.is_empty() => {
            for (key, value) in fields {
                out.push_str(&indent);
                write_key(key, out);
                out.push(':');
                write_value(value, depth + 1, out);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&indent);
                out.push('-');
                write_value(item, depth + 1, out);
            }
        }
        scalar => {
            out.push_str(&indent);
            scalar.write(out);
            out.push('\n');
        }
    }
}

fn write_value(json: &Json, depth: usize, out: &mut String) {
    let nested = matches!(json, Json::Object(fields) if !fields.is_empty())
        || matches!(json, Json::Array(items) if !items.is_empty());
    if nested {
        out.push('\n');
        write(json, depth, out);
        return;
    }
    out.push(' ');
    match json {
        Json::String(text) => write_text(text, out),
        other => other.write(out),
    }
    out.push('\n');
}

/// Writes a key. It is quoted unless it is a lower-case word that YAML reads only as a string. Words of up to three
/// letters are always quoted, since some are booleans in YAML 1.1 (`yes`, `off`).
fn write_key(key: &str, out: &mut String) {
    let plain = key.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
        && key.len() > 3
        && !matches!(key, "null" | "true" | "false");
    if plain { out.push_str(key) } else { write_text(key, out) }
}

/// Writes a string as JSON does, and escapes characters that YAML does not allow inside quotes.
fn write_text(text: &str, out: &mut String) {
    let mut quoted = String::new();
    write_json_string(text, &mut quoted);
    for c in quoted.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
}
