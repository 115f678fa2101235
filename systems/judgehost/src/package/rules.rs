//! Rules about the package's files: the configuration's references to them, and their contents.

use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::Path;

use super::Files;
use crate::config::{Config, Manner, MountSource};
use crate::hook::{Hook, Interpreter, MAX_SCRIPT, Phase, interpreter, prefix};

pub(super) fn check(config: &Config, files: &Files, manner: Manner, findings: &mut Findings) -> Vec<Hook> {
    let containers = Path::Field(&Path::Root, "containers");
    let mut hooks = Vec::new();
    for (index, container) in config.containers.iter().enumerate() {
        let element = Path::Element(&containers, index);
        if files.get(&container.dockerfile_path).is_none() {
            findings.push(Finding::error(
                "no-dockerfile",
                Path::Field(&element, "dockerfile_path").pointer(),
                format!("there is no file `{}` in the package", container.dockerfile_path),
                "give the path from the root of the package; case counts",
            ));
        }
        let mounts = Path::Field(&element, "mounts");
        for (index, mount) in container.mounts.iter().enumerate() {
            let MountSource::Bind(source) = &mount.source else { continue };
            if files.get(source).is_none() && !files.has_folder(source) {
                let mount = Path::Element(&mounts, index);
                findings.push(Finding::error(
                    "no-source",
                    Path::Field(&mount, "source").pointer(),
                    format!("there is neither a file nor a folder `{source}` in the package"),
                    "give a path from the root of the package",
                ));
            }
        }
        for phase in Phase::ALL {
            hooks.extend(hooks_of(config, &container.container_id, phase, files, findings));
        }
        if manner == Manner::Strict
            && files.get(&format!("{}/stage2.config.json", container.container_id)).is_some()
        {
            warn(
                findings,
                "older-settings",
                &format!("{}/stage2.config.json", container.container_id),
                "settings outside `config.json` are read only without strict checking",
                "move them into `config.json`",
            );
        }
    }
    for name in files.names_in("") {
        if config.container(name).is_none() && files.has_folder(&format!("{name}/hooks")) {
            warn(
                findings,
                "hooks-of-nobody",
                &format!("{name}/hooks"),
                "hooks are looked for in the folder of their container's id, and no container has this one",
                "rename the folder to the `container_id`",
            );
        }
    }
    for name in ["README.md", "SUBMISSION.md"] {
        if files.get(name).is_none() {
            findings.push(Finding::info(
                "no-guide",
                "",
                format!("there is no `{name}`"),
                "add one, so that people know what to do",
            ));
        }
    }
    hooks
}

/// Adds a warning about a file. Its path is in the message, since the pointer of a finding refers to `config.json`.
fn warn(findings: &mut Findings, rule: &'static str, path: &str, message: &str, help: &str) {
    findings.push(Finding::warning(rule, "", format!("{path}: {message}"), help));
}

fn hooks_of(
    config: &Config,
    container_id: &str,
    phase: Phase,
    files: &Files,
    findings: &mut Findings,
) -> Vec<Hook> {
    let folder = format!("{container_id}/hooks/{}", phase.as_str());
    let mut hooks = Vec::new();
    for name in files.names_in(&folder) {
        let path = format!("{folder}/{name}");
        let Some(file) = files.get(&path).filter(|_| name.ends_with(".sh")) else {
            warn(
                findings,
                "not-a-hook",
                &path,
                "only files that end in `.sh` are run",
                "rename it, or move it away",
            );
            continue;
        };
        if prefix(name).is_none() {
            let message = "the name has no prefix from 01_ to 99_; the hook is run by itself, in byte order";
            warn(findings, "hook-name", &path, message, "name it like `01_test.sh`");
        }
        if file.executable == Some(false) {
            warn(
                findings,
                "not-executable",
                &path,
                "the hook is not executable; it is run anyway",
                "make it executable with `chmod +x`",
            );
        }
        let error =
            |rule, message: String, help: &str| Finding::error(rule, "", format!("{path}: {message}"), help);
        if file.bytes.len() > MAX_SCRIPT {
            let message = format!("a hook has at most {MAX_SCRIPT} bytes");
            findings.push(error("hook-too-large", message, "call a program of the image from a short hook"));
            continue;
        }
        let script = match std::str::from_utf8(&file.bytes) {
            Ok(script) if !script.contains('\0') => script,
            _ => {
                findings.push(error(
                    "hook-form",
                    "a hook is a script in UTF-8".into(),
                    "write it as a shell script",
                ));
                continue;
            }
        };
        let interpreter = match interpreter(script) {
            Ok(interpreter) => interpreter,
            Err(bad) => {
                findings.push(error("hook-interpreter", bad.message(), bad.help()));
                continue;
            }
        };
        if script.contains('\r') {
            findings.push(error(
                "hook-line-ends",
                "its lines end with carriage return and line feed, which a shell takes as a part of each command".into(),
                "save it with line feeds alone, as with `dos2unix`",
            ));
            continue;
        }
        lint(config, &path, phase, script, &interpreter, findings);
        hooks.push(Hook {
            container_id: container_id.to_owned(),
            phase,
            name: name.to_owned(),
            interpreter: interpreter.program,
            options: interpreter.options,
            script: script.to_owned(),
        });
    }
    hooks
}

fn lint(
    config: &Config,
    path: &str,
    phase: Phase,
    script: &str,
    shell: &Interpreter,
    findings: &mut Findings,
) {
    let code = || script.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let fetches = [
        "apt-get ",
        "apt ",
        "apk add",
        "pip install",
        "pip3 install",
        "npm install",
        "curl http",
        "wget http",
    ];
    let local = |line: &str| {
        line.contains("//localhost")
            || config.containers.iter().any(|c| line.contains(&format!("//{}", c.container_id)))
    };
    if !config.network.internet_access
        && code().any(|line| fetches.iter().any(|word| line.contains(word)) && !local(line))
    {
        let message = "it seems to fetch something, and the containers have no internet";
        warn(findings, "needs-internet", path, message, "install it in the Dockerfile");
    }
    let writes = code().position(|line| line.contains("/out/rubric_"));
    let leaves =
        code().position(|line| line == "set -e" || line.starts_with("set -e") || line.contains("|| exit"));
    let leaves = if shell.ends_at_errors() { Some(0) } else { leaves };
    if phase == Phase::Post && writes.is_some() && leaves < writes && leaves.is_some() {
        let message = "it may end before it writes its rubric; a missing rubric is an ERROR, not a FAIL";
        warn(findings, "may-not-score", path, message, "write the rubric with no points first, or in a trap");
    }
}
