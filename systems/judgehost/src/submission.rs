//! Submissions: the distribution of their files to containers and folders.

use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use sha2::{Digest as _, Sha256};

use crate::config::Config;
use crate::name::is_within;
use crate::package::Files;

/// The part of a submission for one container.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delivery {
    /// The id of the submission package.
    pub package_id: String,
    /// The container that receives it.
    pub container_id: String,
    /// The folder in the container.
    pub extract_path: String,
    /// The mode of the files. Folders have [`Delivery::folder_permissions`].
    pub permissions: u32,
    /// The files, with paths relative to `extract_path`.
    pub files: Files,
}

impl Delivery {
    /// Returns the mode of the folders: `permissions`, and the search bit for everyone with the read bit.
    pub const fn folder_permissions(&self) -> u32 {
        self.permissions | ((self.permissions & 0o444) >> 2)
    }
}

/// Folders of a container to which a submission cannot be extracted.
const JUDGES: [&str; 6] = ["/out", "/hooks", "/data", "/proc", "/sys", "/dev"];

/// Divides a submission among the containers.
///
/// With one package, the files are at the root of the submission, or in a folder named after the package if the
/// configuration declares it. With several packages, each has a folder named after it.
///
/// # Errors
/// No container accepts a submission; a package is missing or empty; with several packages, a top-level entry belongs
/// to none; a file would be extracted to a folder of the judge (`/out`, `/hooks`, `/data`) or of the kernel.
pub fn distribute(config: &Config, submission: &Files) -> Result<Vec<Delivery>, Error> {
    let packages = config.packages();
    let mut findings = Findings::new();
    if packages.is_empty() {
        let message = "no container of the problem accepts a submission";
        let help = "set `accepts_submission` of one container to true";
        return Err(Error::single(ErrorKind::Mismatch, Finding::error("no-submission", "", message, help)));
    }
    let names = submission.names_in("");
    let mut deliveries = Vec::with_capacity(packages.len());
    for package in &packages {
        let id = package.package_id.as_str();
        let wrapped = config.submission_packages.is_some()
            && names.len() == 1
            && names.contains(id)
            && submission.has_folder(id);
        let own = packages.len() > 1 || wrapped;
        let files = if own { submission.below(id) } else { submission.clone() };
        if files.iter().next().is_none() || (own && !submission.has_folder(id)) {
            let place =
                if own { format!("in a folder `{id}`") } else { "at the root of the submission".to_owned() };
            findings.push(Finding::error(
                "missing-package",
                "",
                format!("the package `{id}` has no files"),
                format!("put its files {place}"),
            ));
            continue;
        }
        let base = package.extract_path.trim_end_matches('/');
        if let Some((path, _)) = files
            .iter()
            .find(|(path, _)| JUDGES.iter().any(|place| is_within(&format!("{base}/{path}"), place)))
        {
            findings.push(Finding::error(
                "reserved-path",
                "",
                format!(
                    "`{path}` of the package `{id}` would be extracted to a folder of the judge or the kernel"
                ),
                "remove it",
            ));
        }
        deliveries.push(Delivery {
            package_id: package.package_id.clone(),
            container_id: package.container_id.clone(),
            extract_path: package.extract_path.clone(),
            permissions: package.permissions,
            files,
        });
    }
    if packages.len() > 1 {
        for name in names.iter().filter(|name| !packages.iter().any(|package| package.package_id == **name)) {
            let known: Vec<_> = packages.iter().map(|package| format!("`{}/`", package.package_id)).collect();
            findings.push(Finding::error(
                "unknown-package",
                "",
                format!("`{name}` belongs to no package of the problem"),
                format!("the submission has these folders at its root: {}", known.join(", ")),
            ));
        }
    }
    if findings.errors() > 0 { Err(Error::new(ErrorKind::Mismatch, findings)) } else { Ok(deliveries) }
}

/// Derives a submission id from the paths and contents of the files: `sub_` and 24 hexadecimal digits of SHA-256. The
/// same files give the same id.
pub fn content_id(submission: &Files) -> String {
    let mut hash = Sha256::new();
    for (path, file) in submission.iter() {
        hash.update((path.len() as u64).to_be_bytes());
        hash.update(path.as_bytes());
        hash.update((file.bytes.len() as u64).to_be_bytes());
        hash.update(&file.bytes);
    }
    format!("sub_{}", hexadecimal(&hash.finalize()[..12]))
}

/// Writes bytes as lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]).collect()
}
