//! A problem package: its files and its configuration, checked together.

mod rules;

pub use fablegrade_files::{Entry, File, FileLimits, Files};
use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};

use crate::config::{Config, Container, Manner, StageFile};
use crate::hook::Hook;

/// Settings files of a container in the original layout; the first one that exists is used.
const STAGE_FILES: [&str; 2] = ["stage2.config.json", "stage1.config.json"];

/// A package without errors, which can be planned.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Package {
    /// The contents of `config.json`.
    pub config: Config,
    /// All files, with paths relative to the folder of `config.json`.
    pub files: Files,
    /// The hooks of all containers, by container and then by phase.
    pub hooks: Vec<Hook>,
    /// Warnings and remarks.
    pub findings: Vec<Finding>,
}

impl Package {
    /// Opens a package: finds `config.json` at the root or in the only top-level folder, reads it, and checks it
    /// against the files.
    ///
    /// # Errors
    /// There is no `config.json`, or the configuration or the files have errors. The error contains all findings so
    /// far.
    pub fn open(files: Files, manner: Manner) -> Result<Self, Error> {
        let files = unwrapped(files)?;
        let Some(text) = files.get("config.json") else {
            let message =
                "there is no `config.json` at the root of the package, nor in the only folder there";
            let finding =
                Finding::error("no-config", "", message, "put `config.json` at the root; case counts");
            return Err(Error::single(ErrorKind::Spec, finding));
        };
        let bytes = text.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text.bytes);
        let stage_of = |container: &Container| {
            let has_data = files.has_folder(&format!("{}/data", container.container_id));
            let paths = STAGE_FILES.iter().map(|name| format!("{}/{name}", container.container_id));
            let mut found = paths.filter_map(|path| {
                files.get(&path).map(|file| StageFile { bytes: &file.bytes, path, has_data })
            });
            found.next().filter(|_| manner == Manner::Lenient)
        };
        let checked = Config::parse_with_stages(bytes, manner, &stage_of)?;
        let mut findings = Findings::new();
        checked.findings.into_iter().for_each(|finding| findings.push(finding));
        let hooks = rules::check(&checked.config, &files, manner, &mut findings);
        if findings.errors() > 0 {
            return Err(Error::new(ErrorKind::Spec, findings));
        }
        Ok(Self { config: checked.config, files, hooks, findings: findings.into_vec() })
    }

    /// Opens an archive with [`Files::from_archive`] and [`Package::open`].
    ///
    /// # Errors
    /// The errors of both.
    pub fn from_archive(bytes: &[u8], limits: FileLimits, manner: Manner) -> Result<Self, Error> {
        Self::open(Files::from_archive(bytes, limits)?, manner)
    }

    /// Returns whether the package has a folder `<container_id>/data`, which is mounted at `/data` in the container
    /// unless the configuration mounts something else there.
    pub fn has_data(&self, container_id: &str) -> bool {
        self.files.has_folder(&format!("{container_id}/data"))
    }
}

/// Removes the only top-level folder from all paths, if `config.json` is in it.
fn unwrapped(files: Files) -> Result<Files, Error> {
    if files.is_empty() {
        let finding =
            Finding::error("empty-package", "", "there is nothing in it", "put `config.json` into it");
        return Err(Error::single(ErrorKind::Spec, finding));
    }
    if files.get("config.json").is_some() {
        return Ok(files);
    }
    let names = files.names_in("");
    match names.first() {
        Some(name) if names.len() == 1 && files.get(&format!("{name}/config.json")).is_some() => {
            Ok(files.below(name))
        }
        _ => Ok(files),
    }
}
