//! Outputs that are also inputs.

use std::fs;
use std::path::Path;

use crate::exit::Failure;
use crate::input::is_stdin;

/// What two names of the same file share: the device and the number of the file, also for links.
#[cfg(unix)]
type Identity = (u64, u64);
/// What two names of the same file share: its path without symbolic links.
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

/// Returns the identity of an existing regular file; `None` for folders, devices and pipes. `-` is the file that is
/// standard input.
fn identity(path: &Path) -> Option<Identity> {
    let path = if is_stdin(path) { Path::new("/dev/stdin") } else { path };
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        fs::canonicalize(path).ok()
    }
}

/// Rejects a command line whose output would replace one of its inputs.
///
/// # Errors
/// An output that is the same regular file as an input, also if links lead to it.
pub(crate) fn keep_inputs<'p>(
    outputs: impl IntoIterator<Item = &'p Path>,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Failure> {
    let inputs: Vec<Identity> = inputs.into_iter().filter_map(identity).collect();
    for output in outputs.into_iter().filter(|output| !is_stdin(output)) {
        if identity(output).is_some_and(|output| inputs.contains(&output)) {
            let message =
                format!("{} is read and would be replaced; name another file to write", output.display());
            return Err(Failure::Usage(message));
        }
    }
    Ok(())
}
