//! Runs judgehost plans on a container engine (Docker, or Podman through the same API).
//!
//! ```no_run
//! use fablegrade_judgehost::{FileLimits, Manner, Package, Files, Plan, PlanOptions, content_id, distribute, evaluate};
//! use fablegrade_runner::judgehost::{Engine, RunOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (archive, submitted) = (Vec::new(), Vec::new());
//! let package = Package::from_archive(&archive, FileLimits::default(), Manner::Lenient)?;
//! let submission = Files::from_archive(&submitted, FileLimits::default())?;
//! let plan = Plan::new(&package, &content_id(&submission), &PlanOptions::default())?;
//! let deliveries = distribute(&package.config, &submission)?;
//! let engine = Engine::connect(None)?;
//! let report = engine.run(&package, &plan, &deliveries, &RunOptions::default(), &mut |event| eprintln!("{event}"));
//! let evaluation = evaluate(&package.config, &plan.submission_id, &report.outcome);
//! println!("{}", evaluation.to_json());
//! # Ok(())
//! # }
//! ```
//!
//! No host folder is mounted: files are transferred through the engine's API, so a remote engine works too.
//! Everything that a run makes, except kept images, carries the label [`LABEL`] with the name of the run, and
//! is removed by this label at the end. This also holds after a failure, and after a signal if
//! [`RunOptions::signals`] is set. What a killed run leaves behind is removed by [`Engine::clean`].

mod clean;
mod dockerfile;
mod events;
mod files;
mod hooks;
mod images;
mod name;
mod run;
mod volumes;
mod watch;

use std::collections::BTreeMap;

use bollard::Docker;
use fablegrade_judgehost::{Delivery, Files, Outcome, Package, Plan};
use tokio::runtime::{Builder, Runtime};

pub use clean::{CleanOptions, Cleaned};
pub use events::Event;

/// The label of everything that a run makes, except kept images; its value is the name of the run.
pub const LABEL: &str = "org.fablegrade.judgehost.run";

/// The label of images that are kept for later runs.
pub const KEPT_LABEL: &str = "org.fablegrade.judgehost.kept";

/// The reason why there is no engine, or why it failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EngineError(String);

/// A connection to a container engine.
pub struct Engine {
    docker: Docker,
    runtime: Runtime,
    version: String,
    address: volumes::Address,
}

/// Options for running a plan.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RunOptions {
    /// Keep images and reuse them for the same files. Otherwise every run builds its own images and removes
    /// them.
    pub keep_images: bool,
    /// The network for `RUN` lines in Dockerfiles, such as `none`; the engine's default if absent.
    pub build_network: Option<String>,
    /// Collect all files of each `/out`, not only results, up to this many bytes of archive per container.
    pub collect_bytes: Option<u64>,
    /// End the run and clean up at SIGINT, SIGTERM and SIGHUP. Meant for stand-alone programs, not for
    /// libraries inside others.
    pub signals: bool,
}

/// The result of a run.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The outcome to score.
    pub outcome: Outcome,
    /// Standard output of the hooks, with a heading for each hook.
    pub hooks_log: Vec<u8>,
    /// Standard error of the hooks, with a heading for each hook.
    pub hooks_error_log: Vec<u8>,
    /// The last 2,000 lines of each container's own output, cut after 1 MiB.
    pub container_logs: BTreeMap<String, Vec<u8>>,
    /// The files of each `/out`, if requested.
    pub out: BTreeMap<String, Files>,
    /// For each container whose files in [`out`](Self::out) are incomplete, the reason. Links, devices and
    /// entries with invalid paths are always left out.
    pub out_incomplete: BTreeMap<String, String>,
    /// Objects that could not be removed, and kinds of objects that could not be listed, each with the
    /// reason. Empty if nothing of the run remains.
    pub left_over: Vec<String>,
}

impl Engine {
    /// Connects to `host` (`unix:///var/run/docker.sock`, `tcp://..`). If it is absent, connects to the
    /// engine in `DOCKER_HOST`, or to the default socket.
    ///
    /// # Errors
    /// No engine answers at this address.
    pub fn connect(host: Option<&str>) -> Result<Self, EngineError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| EngineError(error.to_string()))?;
        let connected = runtime.block_on(async {
            let docker = match host {
                Some(host) => Docker::connect_with_host(host)?,
                None => Docker::connect_with_defaults()?,
            };
            let docker = docker.negotiate_version().await?;
            let version = docker.version().await?.version.unwrap_or_default();
            Ok((docker, version))
        });
        let (docker, version) = connected.map_err(|error: bollard::errors::Error| {
            let place = host.map_or_else(
                || std::env::var("DOCKER_HOST").unwrap_or_else(|_| "the default socket".into()),
                str::to_owned,
            );
            EngineError(format!("no container engine answers at {place}: {}", describe(&error)))
        })?;
        let place = host.map(str::to_owned).or_else(|| std::env::var("DOCKER_HOST").ok());
        let address = volumes::Address::of(place.as_deref().unwrap_or("unix:///var/run/docker.sock"));
        Ok(Self { docker, runtime, version, address })
    }

    /// Returns the engine's version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Removes what dead runs left behind; [`CleanOptions::older_than`] defines which runs count as dead.
    pub fn clean(&self, options: &CleanOptions) -> Cleaned {
        self.runtime.block_on(clean::clean(&self.docker, options))
    }

    /// Carries out a plan: builds images, starts containers, runs hooks, collects results and cleans up.
    /// `tell` is called for each event.
    pub fn run(
        &self,
        package: &Package,
        plan: &Plan,
        deliveries: &[Delivery],
        options: &RunOptions,
        tell: &mut dyn FnMut(Event),
    ) -> Report {
        self.runtime.block_on(
            run::Run::new(&self.docker, package, plan, deliveries, options, tell).whole(&self.address),
        )
    }
}

/// Returns the engine's message, or any other error with its causes.
fn describe(error: &bollard::errors::Error) -> String {
    match error {
        bollard::errors::Error::DockerResponseServerError { message, .. } => message.trim().to_owned(),
        other => {
            let mut text = other.to_string();
            let mut cause = std::error::Error::source(other);
            while let Some(error) = cause {
                text.push_str(&format!(": {error}"));
                cause = error.source();
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::describe;
    use bollard::errors::Error;

    #[test]
    fn errors_of_the_engine_are_its_own_words_in_one_line() {
        let message = "No such image: judge:latest\n".to_owned();
        let refused = Error::DockerResponseServerError { status_code: 404, message };
        assert_eq!(describe(&refused), "No such image: judge:latest");
        let lost = Error::from(std::io::Error::new(std::io::ErrorKind::ConnectionRefused, "nobody listens"));
        let told = describe(&lost);
        assert!(
            told.contains("nobody listens") && !told.contains('\n') && !told.contains("IOError {"),
            "{told}"
        );
    }
}
