//! Rules about the parts of a configuration and the references between them.

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::Path;

use super::{Condition, Config, Container, MountSource};
use crate::name::{ORDINARY_CAPABILITIES, is_within};
use crate::order::start_order;
use crate::plan::RESERVED_VARIABLES;

pub(super) fn check(config: &Config, at: &Path<'_>, findings: &mut Findings) {
    if config.containers.is_empty() {
        return;
    }
    let mut rules = Rules { config, findings };
    let containers = Path::Field(at, "containers");
    rules.unique(
        &containers,
        "container_id",
        config.containers.iter().map(|container| container.container_id.as_str()),
    );
    for (index, container) in config.containers.iter().enumerate() {
        rules.container(container, &Path::Element(&containers, index));
    }
    rules.shared_folders(&containers);
    if let Err(cycle) = start_order(&config.containers)
        && cycle.len() > 2
    {
        let message = format!("the containers wait for each other in a cycle: {}", cycle.join(" -> "));
        rules.error("dependency-cycle", &containers, message, "remove one of these dependencies");
    }
    rules.packages(at);
    rules.rubrics(&Path::Field(at, "rubrics"));
}

struct Rules<'c, 'f> {
    config: &'c Config,
    findings: &'f mut Findings,
}

impl Rules<'_, '_> {
    fn error(&mut self, rule: &'static str, at: &Path<'_>, message: impl Into<String>, help: &str) {
        self.findings.push(Finding::error(rule, at.pointer(), message, help));
    }

    fn warn(&mut self, rule: &'static str, at: &Path<'_>, message: impl Into<String>, help: &str) {
        self.findings.push(Finding::warning(rule, at.pointer(), message, help));
    }

    fn unique<'c>(&mut self, at: &Path<'_>, field: &'static str, ids: impl Iterator<Item = &'c str>) {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for (index, id) in ids.enumerate().filter(|(_, id)| !id.is_empty()) {
            let Some(before) = seen.insert(id.to_ascii_lowercase(), id) else { continue };
            let element = Path::Element(at, index);
            let place = Path::Field(&element, field);
            if before == id {
                self.error("duplicate-id", &place, format!("`{id}` occurs twice"), "rename one of them");
            } else {
                let message = format!("`{id}` and `{before}` differ only in case");
                self.warn("ids-differ-in-case", &place, message, "give them names that read differently");
            }
        }
    }

    fn known(&mut self, id: &str, at: &Path<'_>) -> bool {
        let known = id.is_empty() || self.config.container(id).is_some();
        if !known {
            self.error(
                "unknown-container",
                at,
                format!("there is no container `{id}`"),
                "name one of the `container_id`s; they are compared exactly",
            );
        }
        known
    }

    fn container(&mut self, container: &Container, at: &Path<'_>) {
        if !container.dockerfile_path.is_empty() && !container.dockerfile_path.contains('/') {
            self.warn(
                "root-dockerfile",
                &Path::Field(at, "dockerfile_path"),
                "a Dockerfile at the root of the package is deprecated, and the whole package is its build context",
                "move it into a folder of the container",
            );
        }
        let depends_on = Path::Field(at, "depends_on");
        let mut waited: BTreeSet<&str> = BTreeSet::new();
        for (index, dependency) in container.depends_on.iter().enumerate() {
            let at = Path::Element(&depends_on, index);
            if !waited.insert(&dependency.container_id) {
                self.warn(
                    "repeated-dependency",
                    &at,
                    "this container is waited for twice",
                    "keep one of them",
                );
            }
            if dependency.container_id == container.container_id {
                self.error(
                    "depends-on-itself",
                    &at,
                    "the container waits for itself",
                    "remove the dependency",
                );
                continue;
            }
            if !self.known(&dependency.container_id, &at) {
                continue;
            }
            let Some(target) = self.config.container(&dependency.container_id) else { continue };
            match (dependency.condition, &target.health_check) {
                (Condition::Healthy, None) => self.error(
                    "healthy-without-check",
                    &Path::Field(&at, "condition"),
                    format!("`{}` has no health check, so it never becomes healthy", target.container_id),
                    "give it a `health_check`, or wait for `started`",
                ),
                (Condition::Healthy, Some(check))
                    if u64::from(check.interval) >= dependency.longest_wait() =>
                {
                    self.warn(
                        "never-healthy-in-time",
                        &Path::Field(&at, "timeout"),
                        format!(
                            "the wait ends after {} s, and the first health check comes {} s after the start",
                            dependency.longest_wait(),
                            check.interval
                        ),
                        "check more often or wait longer",
                    )
                }
                _ => {}
            }
        }
        let terminates = Path::Field(at, "terminates");
        for (index, id) in container.terminates.iter().enumerate() {
            let at = Path::Element(&terminates, index);
            if *id == container.container_id {
                self.warn(
                    "terminates-itself",
                    &at,
                    "a container that exited need not be stopped",
                    "remove it",
                );
            }
            self.known(id, &at);
        }
        let environment = Path::Field(at, "environment");
        for (name, _) in &container.environment {
            if RESERVED_VARIABLES.contains(&name.as_str()) {
                self.warn(
                    "reserved-variable",
                    &Path::Field(&environment, name),
                    "the judge sets this variable; its own value wins",
                    "rename the variable",
                );
            }
        }
        self.mounts(container, at);
        for (index, name) in container.cap_add.iter().enumerate() {
            if !ORDINARY_CAPABILITIES.contains(name) {
                let capabilities = Path::Field(at, "capabilities");
                let add = Path::Field(&capabilities, "add");
                self.warn(
                    "strong-capability",
                    &Path::Element(&add, index),
                    "this capability can reach beyond the container; a host refuses it unless it is told to allow it",
                    "do without it",
                );
            }
        }
        let mut ports = BTreeSet::new();
        if !container.ports.iter().all(|port| ports.insert(port)) {
            self.warn("repeated-port", &Path::Field(at, "ports"), "a port occurs twice", "keep one of them");
        }
    }

    fn mounts(&mut self, container: &Container, at: &Path<'_>) {
        let mounts = Path::Field(at, "mounts");
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        for (index, mount) in container.mounts.iter().enumerate() {
            let element = Path::Element(&mounts, index);
            let place = Path::Field(&element, "destination");
            if !taken.insert(&mount.destination) {
                self.error(
                    "repeated-mount",
                    &place,
                    "something is already mounted here",
                    "choose another destination",
                );
            }
            let judges = ["/", "/proc", "/sys", "/dev"].contains(&mount.destination.as_str())
                || ["/out", "/hooks", "/proc", "/sys"].iter().any(|own| is_within(&mount.destination, own));
            if judges {
                self.error(
                    "reserved-path",
                    &place,
                    "this place belongs to the judge or to the kernel",
                    "mount it elsewhere; results are written to `/out`, which is there already",
                );
            }
            let MountSource::Bind(source) = &mount.source else { continue };
            let hooks = self.config.containers.iter().any(|other| {
                let folder = format!("{}/hooks", other.container_id);
                is_within(&folder, source) || is_within(source, &folder) || source.is_empty()
            });
            if container.accepts_submission && hooks {
                self.warn(
                    "hooks-in-reach",
                    &Path::Field(&element, "source"),
                    "hooks of the package become readable for the submission",
                    "mount only the folder that the submission needs",
                );
            }
        }
    }

    /// Warns if a container with the submission can write to a mount that a container without it also has.
    fn shared_folders(&mut self, at: &Path<'_>) {
        let config = self.config;
        let with_submission = config.containers.iter().filter(|container| container.accepts_submission);
        let written: BTreeSet<&MountSource> = with_submission
            .flat_map(|container| &container.mounts)
            .filter(|mount| !mount.read_only && mount.source != MountSource::Tmpfs)
            .map(|mount| &mount.source)
            .collect();
        for (index, container) in config.containers.iter().enumerate() {
            if container.accepts_submission {
                continue;
            }
            for (number, mount) in container.mounts.iter().enumerate() {
                if written.contains(&mount.source) {
                    let element = Path::Element(at, index);
                    let mounts = Path::Field(&element, "mounts");
                    self.warn(
                        "submission-can-write",
                        &Path::Element(&mounts, number),
                        "a container with the submission can write what this one reads",
                        "mount it `read_only` there, or do not trust what is in it",
                    );
                }
            }
        }
    }

    fn packages(&mut self, root: &Path<'_>) {
        let config = self.config;
        let at = Path::Field(root, "submission_packages");
        let packages = config.packages();
        let declared = config.submission_packages.is_some();
        self.unique(&at, "package_id", packages.iter().map(|package| package.package_id.as_str()));
        for (index, package) in packages.iter().enumerate().filter(|_| declared) {
            let element = Path::Element(&at, index);
            let place = Path::Field(&element, "container_id");
            if !self.known(&package.container_id, &place) {
                continue;
            }
            let Some(target) = config.container(&package.container_id) else { continue };
            if !target.accepts_submission {
                self.error(
                    "package-not-accepted",
                    &place,
                    format!("the container `{}` accepts no submission", target.container_id),
                    "set its `accepts_submission` to true, or name another container",
                );
            }
            let path = &package.extract_path;
            if ["/out", "/hooks", "/data", "/proc", "/sys", "/dev"].iter().any(|own| is_within(path, own)) {
                self.error(
                    "reserved-path",
                    &Path::Field(&element, "extract_path"),
                    "this place belongs to the judge or to the kernel",
                    "extract the submission elsewhere, such as `/app`",
                );
            }
        }
        let containers = Path::Field(root, "containers");
        for (index, container) in config.containers.iter().enumerate() {
            let element = Path::Element(&containers, index);
            let targets = package_targets(&packages, &container.container_id);
            if let Some(wanted) = &container.submission_package_id {
                let place = Path::Field(&element, "submission_package_id");
                if !container.accepts_submission {
                    self.error(
                        "package-not-accepted",
                        &place,
                        "the container names a package and accepts no submission",
                        "set `accepts_submission` to true, or remove the package",
                    );
                } else if !targets.contains(&wanted.as_str()) {
                    self.error(
                        "packages-disagree",
                        &place,
                        format!("no package `{wanted}` goes to this container"),
                        "add it to `submission_packages` with this `container_id`",
                    );
                }
            } else if container.accepts_submission && targets.is_empty() {
                self.warn(
                    "nothing-submitted",
                    &Path::Field(&element, "accepts_submission"),
                    "the container accepts submissions, and no package goes to it",
                    "add one to `submission_packages`",
                );
            }
        }
        if !config.containers.iter().any(|container| container.accepts_submission) {
            self.warn(
                "no-submission",
                &containers,
                "no container accepts a submission, so none can be graded",
                "set `accepts_submission` of one container to true",
            );
        }
    }

    fn rubrics(&mut self, at: &Path<'_>) {
        let config = self.config;
        if config.rubrics.is_empty() {
            self.warn("no-rubrics", at, "nothing is scored", "add `rubrics`");
            return;
        }
        self.unique(at, "rubric_id", config.rubrics.iter().map(|rubric| rubric.rubric_id.as_str()));
        let mut total = Decimal::zero();
        for (index, rubric) in config.rubrics.iter().enumerate() {
            total = total.add(&rubric.max_score);
            let element = Path::Element(at, index);
            let place = Path::Field(&element, "container");
            let Some(id) = &rubric.container else {
                if config.containers.len() > 1 {
                    self.warn(
                        "rubric-of-nobody",
                        &element,
                        "no container is named, so the first result file found is used",
                        "name the `container` that evaluates the rubric",
                    );
                }
                continue;
            };
            if self.known(id, &place)
                && config.container(id).is_some_and(|container| container.accepts_submission)
            {
                self.warn(
                    "rubric-beside-submission",
                    &place,
                    "the submission runs in this container and can write the result itself",
                    "evaluate the rubric in a container without the submission",
                );
            }
        }
        if total < Decimal::from(100) || total > Decimal::from(1_000) {
            self.warn(
                "odd-total",
                at,
                format!("all rubrics together have {total} points"),
                "a total between 100 and 1000 is easiest to read",
            );
        }
    }
}

/// Returns the ids of the packages that go to a container.
pub(crate) fn package_targets<'p>(
    packages: &'p [super::SubmissionPackage],
    container_id: &str,
) -> Vec<&'p str> {
    let own = packages.iter().filter(|package| package.container_id == container_id);
    own.map(|package| package.package_id.as_str()).collect()
}
