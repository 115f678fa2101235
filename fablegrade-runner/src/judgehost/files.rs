//! Transfers files into containers and out of them, as tar streams through the engine's API.

use std::io::Read as _;

use bollard::Docker;
use bollard::query_parameters::{DownloadFromContainerOptions, UploadToContainerOptions};
use bytes::Bytes;
use fablegrade_judgehost::{Entry, File, FileLimits, Files, ResultContent};
use futures_util::StreamExt as _;

use super::describe;

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

/// Returns the archive of a path in a container, cut after `most` bytes, and whether it was cut.
async fn download(
    docker: &Docker,
    container: &str,
    path: &str,
    most: u64,
) -> Result<(Vec<u8>, bool), bollard::errors::Error> {
    let options = DownloadFromContainerOptions { path: path.into() };
    let mut stream = Box::pin(docker.download_from_container(container, Some(options)));
    let mut archive = Vec::new();
    while let Some(chunk) = stream.next().await {
        archive.extend_from_slice(&chunk?);
        if archive.len() as u64 > most {
            archive.truncate(most as usize);
            return Ok((archive, true));
        }
    }
    Ok((archive, false))
}

/// Returns the entry at a path of a container, or `None` if there is none or a transfer fails. A file is cut
/// after `most` bytes.
pub(super) async fn fetch(
    docker: &Docker,
    container: &str,
    path: &str,
    most: usize,
) -> Option<ResultContent> {
    let (archive, _) = download(docker, container, path, most as u64 + 64 * 1024).await.ok()?;
    let mut archive = tar::Archive::new(archive.as_slice());
    let entry = archive.entries().ok()?.next()?.ok()?;
    if entry.header().entry_type() != tar::EntryType::Regular {
        return Some(ResultContent::NoFile);
    }
    let mut bytes = Vec::new();
    // The part of a cut file that was read is passed on; its reader refuses it.
    let _ = entry.take(most as u64).read_to_end(&mut bytes);
    Some(ResultContent::File(bytes))
}

/// The files of an `/out`.
#[derive(Default)]
pub(super) struct Out {
    pub(super) files: Files,
    /// The reason why files are missing, apart from those that are always left out; `None` if none are.
    pub(super) incomplete: Option<String>,
}

/// Returns the files of `/out` from the first `most` bytes of their archive; `None` if there is no `/out`.
pub(super) async fn fetch_out(docker: &Docker, container: &str, most: u64) -> Option<Out> {
    match download(docker, container, "/out", most).await {
        Ok((archive, cut)) => Some(unpack(&archive, cut.then_some(most))),
        Err(bollard::errors::Error::DockerResponseServerError { status_code: 404, .. }) => None,
        Err(error) => Some(Out { incomplete: Some(describe(&error)), ..Out::default() }),
    }
}

/// Returns the files of an archive of a folder that was cut after `cut` bytes. Links, devices and entries with
/// invalid paths are left out.
fn unpack(archive: &[u8], cut: Option<u64>) -> Out {
    let size = archive.len() as u64;
    let mut limits = FileLimits::default();
    (limits.bytes, limits.file_bytes) = (size, size);
    let unreadable = || match cut {
        Some(most) => format!("it has more than {most} bytes"),
        None => "the engine's archive of it cannot be read".to_owned(),
    };
    let mut incomplete = cut.map(|_| unreadable());
    let mut found: Vec<(String, Entry)> = Vec::new();
    let mut archive = tar::Archive::new(archive);
    for entry in archive.entries().into_iter().flatten() {
        let Ok(mut entry) = entry else {
            incomplete = Some(unreadable());
            break;
        };
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let Some((_, path)) = path.split_once('/') else { continue };
        let path = path.trim_end_matches('/').to_owned();
        if path.is_empty() || fablegrade_judgehost::name::package_path(&path).is_err() {
            continue;
        }
        let kind = entry.header().entry_type();
        if !matches!(kind, tar::EntryType::Regular | tar::EntryType::Directory) {
            continue;
        }
        if path.split('/').count() > limits.depth {
            incomplete.get_or_insert_with(|| format!("folders nest deeper than {} levels", limits.depth));
            continue;
        }
        if found.len() == limits.entries {
            incomplete = Some(format!("there are more than {} files and folders", limits.entries));
            break;
        }
        if kind == tar::EntryType::Directory {
            found.push((path, Entry::Folder));
            continue;
        }
        let mut bytes = Vec::new();
        // At the end of a cut archive, the file has fewer bytes than its header says.
        if entry.read_to_end(&mut bytes).is_err() || bytes.len() as u64 != entry.size() {
            incomplete = Some(unreadable());
            break;
        }
        found.push((path, Entry::File(File { bytes, executable: None })));
    }
    match Files::from_entries(found, limits) {
        Ok(files) => Out { files, incomplete },
        Err(error) => Out { incomplete: Some(error.to_string()), ..Out::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::{append, unpack};
    use fablegrade_judgehost::FileLimits;

    fn archive(entries: impl IntoIterator<Item = (String, Option<&'static [u8]>)>) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        append(&mut archive, "out/", 0o755, None).unwrap();
        for (path, content) in entries {
            append(&mut archive, &format!("out/{path}"), 0o644, content).unwrap();
        }
        archive.into_inner().unwrap()
    }

    #[test]
    fn what_is_missing_of_the_results_is_told() {
        let most = FileLimits::default().entries;
        let many = |count: usize| archive((0..count).map(|at| (format!("{at}"), Some(&b"x"[..]))));
        let all = unpack(&many(most), None);
        assert_eq!((all.files.iter().count(), all.incomplete), (most, None));
        let cut = unpack(&many(most + 1), None);
        assert_eq!(cut.files.iter().count(), most);
        assert!(cut.incomplete.unwrap().contains("20000 files"));

        let deep = ["a/".repeat(64), "b".to_owned()];
        let out = unpack(&archive(deep.map(|path| (path, None))), None);
        assert!(out.incomplete.is_none() && out.files.has_folder("b"));
        let deep = ["a/".repeat(65), "b".to_owned()];
        let out = unpack(&archive(deep.map(|path| (path, None))), None);
        assert!(out.incomplete.unwrap().contains("64 levels") && out.files.has_folder("b"));

        let whole = many(3);
        for (end, count) in [(1024, 0), (1536, 1), (2048, 1), (2560, 2)] {
            let out = unpack(&whole[..end], Some(end as u64));
            assert_eq!(out.files.iter().count(), count, "{end}");
            assert!(out.incomplete.unwrap().contains("bytes"), "{end}");
        }
        assert!(unpack(&whole[..1100], None).incomplete.is_some());
    }
}
