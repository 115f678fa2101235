//! Builds the command-line program for tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::repository;

/// Returns the path of the program, which is built into the same target folder as this test.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // target/PROFILE/deps/cli_vectors-...
        let test = std::env::current_exe().unwrap();
        let folder = test.parent().and_then(Path::parent).unwrap().to_owned();
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // The build has the features of all tests of the workspace, so nothing is built twice.
        build.args(["build", "--quiet", "--workspace", "--bin", "fablegrade", "--test", "cli_vectors"]);
        build.arg("--target-dir");
        build.arg(folder.parent().unwrap()).current_dir(repository());
        if folder.file_name().is_some_and(|name| name == "release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the program does not build");
        folder.join(format!("fablegrade{}", std::env::consts::EXE_SUFFIX))
    })
}
