//! `fablegrade judgehost clean`: removes what killed runs left behind on a container engine.

use std::io::{self, Write as _};
use std::time::Duration;

use clap::Args;
use fablegrade_core::json::Json;
use fablegrade_runner::judgehost::{CleanOptions, Engine};

use crate::console::{BAD, Console, GOOD, plain};
use crate::exit::{Exit, Failure};

const HOUR: u64 = 3_600;

/// Remove the containers, networks, volumes and images that killed runs left behind
///
/// Only objects with this program's label are removed. A run that was started here since the last boot is dead when its
/// process has ended. A run from before the boot, of another host or of another container on the same engine is dead
/// when it is older than `--older-than`, because its process is not visible.
#[derive(Args)]
pub(super) struct Clean {
    /// Container engine, such as unix:///var/run/docker.sock [default: DOCKER_HOST, or else the default
    /// socket]
    #[arg(long, value_name = "URL")]
    host: Option<String>,
    /// Age in hours at which runs of other hosts and containers count as dead
    #[arg(long, value_name = "HOURS", default_value_t = 24)]
    older_than: u32,
    /// Also remove images that `run --keep-images` kept
    #[arg(long)]
    images: bool,
    /// Remove nothing; list what would be removed
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Clean {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let engine = Engine::connect(self.host.as_deref())
            .map_err(|error| Failure::Io("cannot clean".into(), io::Error::other(error)))?;
        let mut options = CleanOptions::default();
        options.older_than = Duration::from_secs(u64::from(self.older_than) * HOUR);
        options.kept_images = self.images;
        options.dry_run = self.dry_run;
        let cleaned = engine.clean(&options);
        let exit = if cleaned.left_over.is_empty() { Exit::Done } else { Exit::Undecided };
        if self.json {
            let answer = Json::build()
                .with("runs", Json::array(&cleaned.runs))
                .with("removed", Json::array(&cleaned.removed))
                .with("left_over", Json::array(&cleaned.left_over));
            writeln!(console.out, "{}", answer.build())?;
            return Ok(exit);
        }
        let word = if self.dry_run { "would remove" } else { "removed" };
        for name in &cleaned.removed {
            writeln!(console.out, "{GOOD}{word}{GOOD:#}  {}", plain(name))?;
        }
        for left in &cleaned.left_over {
            writeln!(console.err, "{BAD}left over{BAD:#}: {}", plain(left))?;
        }
        if cleaned.removed.is_empty() && cleaned.left_over.is_empty() {
            writeln!(console.out, "nothing to remove")?;
        }
        Ok(exit)
    }
}
