//! Transfers files into containers and out of them, as tar streams through the engine's API.

use std::io::Read as _;

use bollard::Docker;
use bollard::query_parameters::{DownloadFromContainerOptions, UploadToContainerOptions};
use bytes::Bytes;
use fablegrade_judgehost::{Entry, File, FileLimits, Files, ResultContent};
use futures_util::StreamExt as _;

/// Adds a file or folder to an archive, with owner root and no time, so the same files give the same bytes.
fn append(
    archive: &mut tar::Builder<Vec<u8>>,
    path: &str,
    mode: u32,
    content: Option<&[u8]>,
) -> std::io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(if content.is_some() {
        tar::EntryType::Regular
    } else {
        tar::EntryType::Directory
    });
    header.set_mode(mode);
    header.set_size(content.map_or(0, |content| content.len() as u64));
    archive.append_data(&mut header, path, content.unwrap_or_default())
}

/// Returns an archive of files below `prefix`, which is empty or ends with a slash.
pub(super) fn pack(
    files: &Files,
    prefix: &str,
    file_mode: Option<u32>,
    folder_mode: u32,
) -> std::io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut above = String::new();
    for step in prefix.split('/').filter(|step| !step.is_empty()) {
        above.push_str(step);
        above.push('/');
        append(&mut archive, &above, 0o755, None)?;
    }
    for folder in files.folders() {
        append(&mut archive, &format!("{prefix}{folder}/"), folder_mode, None)?;
    }
    for (path, file) in files.iter() {
        let own = if file.executable == Some(true) { 0o755 } else { 0o644 };
        append(&mut archive, &format!("{prefix}{path}"), file_mode.unwrap_or(own), Some(&file.bytes))?;
    }
    archive.into_inner()
}

/// Returns an archive of one empty folder that everybody can write to.
pub(super) fn pack_folder(name: &str) -> std::io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    append(&mut archive, &format!("{name}/"), 0o777, None)?;
    archive.into_inner()
}

/// Unpacks an archive into an existing folder of a container.
pub(super) async fn upload(
    docker: &Docker,
    container: &str,
    path: &str,
    archive: Vec<u8>,
) -> Result<(), bollard::errors::Error> {
    let options = UploadToContainerOptions { path: path.into(), ..Default::default() };
    docker.upload_to_container(container, Some(options), bollard::body_full(Bytes::from(archive))).await
}

/// Returns the archive of a path in a container, cut after `most` bytes; `None` if there is nothing or a
/// transfer fails.
async fn download(docker: &Docker, container: &str, path: &str, most: u64) -> Option<Vec<u8>> {
    let options = DownloadFromContainerOptions { path: path.into() };
    let mut stream = Box::pin(docker.download_from_container(container, Some(options)));
    let mut archive = Vec::new();
    while let Some(chunk) = stream.next().await {
        archive.extend_from_slice(&chunk.ok()?);
        if archive.len() as u64 > most {
            archive.truncate(most as usize);
            break;
        }
    }
    Some(archive)
}

/// Returns the entry at a path of a container, or `None` if there is none. A file is cut after `most` bytes.
pub(super) async fn fetch(
    docker: &Docker,
    container: &str,
    path: &str,
    most: usize,
) -> Option<ResultContent> {
    let archive = download(docker, container, path, most as u64 + 64 * 1024).await?;
    let mut archive = tar::Archive::new(archive.as_slice());
    let entry = archive.entries().ok()?.next()?.ok()?;
    if entry.header().entry_type() != tar::EntryType::Regular {
        return Some(ResultContent::NoFile);
    }
    let mut bytes = Vec::new();
    // A cut file is passed on as far as it was read; its reader refuses it.
    let _ = entry.take(most as u64).read_to_end(&mut bytes);
    Some(ResultContent::File(bytes))
}

/// Returns the files of `/out` from the first `most` bytes of their archive. Links, devices, entries with
/// invalid paths, and everything after the cut are left out. Returns `None` if there is no archive, or if the
/// files exceed the default limits.
pub(super) async fn fetch_out(docker: &Docker, container: &str, most: u64) -> Option<Files> {
    let archive = download(docker, container, "/out", most).await?;
    let mut archive = tar::Archive::new(archive.as_slice());
    let mut found: Vec<(String, Entry)> = Vec::new();
    for entry in archive.entries().ok()? {
        let Ok(mut entry) = entry else { break };
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let Some((_, path)) = path.split_once('/') else { continue };
        let path = path.trim_end_matches('/').to_owned();
        if path.is_empty() || fablegrade_judgehost::name::package_path(&path).is_err() {
            continue;
        }
        match entry.header().entry_type() {
            tar::EntryType::Regular => {
                let mut bytes = Vec::new();
                if entry.read_to_end(&mut bytes).is_err() {
                    break;
                }
                found.push((path, Entry::File(File { bytes, executable: None })));
            }
            tar::EntryType::Directory => found.push((path, Entry::Folder)),
            _ => {}
        }
    }
    Files::from_entries(found, FileLimits::default()).ok()
}
