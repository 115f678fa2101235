//! Bounded file trees in memory, from entries and from `.zip` and `.tar.gz` archives.
//!
//! ```
//! use fablegrade_files::{Entry, File, FileLimits, Files};
//!
//! let file = Entry::File(File { bytes: b"{}".to_vec(), executable: None });
//! let files = Files::from_entries([("a/config.json".to_owned(), file.clone())], FileLimits::default())?;
//! assert_eq!(files.get("a/config.json").unwrap().bytes, b"{}");
//!
//! let refused = Files::from_entries([("../config.json".to_owned(), file)], FileLimits::default());
//! assert_eq!(refused.unwrap_err().rule(), "path-escape");
//! # Ok::<(), fablegrade_public::Error>(())
//! ```
//!
//! The crate does not access the file system: archives are passed as bytes and unpacked in memory within
//! [`FileLimits`]. [`ZipFiles`] reads the files of a large `.zip` one by one, from any reader that can seek.
#![forbid(unsafe_code)]

mod archive;
mod links;
mod path;
mod tree;
mod zip;

pub use archive::{is_archive, is_zip};
pub use path::{PathProblem, absolute_path, path_beside, relative_path};
pub use tree::{Entry, File, FileLimits, Files, Lookup};
pub use zip::ZipFiles;
