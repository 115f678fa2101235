//! Tests of the real `fablegrade` binary, run as users run it.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod analysis;
mod banks;
mod batch;
mod documents;
mod formspec;
mod hostile;
mod interchange;
mod judgehost;
#[cfg(target_os = "linux")]
mod messages;
mod outputs;
mod resume;
#[cfg(target_os = "linux")]
mod running;
#[cfg(target_os = "linux")]
mod validators;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A question whose answer is 42.
const SPEC: &str = r#"{"type":"numeric","answer":{"value":42}}"#;
/// A right answer to [`SPEC`].
const RIGHT: &str = r#"{"type":"numeric","value":42}"#;

/// Returns the command, without the colour settings of the host.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fablegrade"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("FORCE_COLOR");
    command
}

/// Runs the command with this input.
fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_vec();
    // A separate thread writes the input, because the command answers while it reads. The command can also
    // end early.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    output
}

/// Returns the standard output of a run, as lines of JSON.
fn answers(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// A separate folder for each test, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fablegrade-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), content).expect("a file");
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
