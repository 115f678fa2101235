//! The sizes of the volumes of a run. Engines report them only as part of their disk usage. The client's
//! types read only the newest form of that report, so this module requests and reads an older form itself.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::time::{Duration, Instant};

use bollard::Docker;
use bollard::models::MountPoint;
use fablegrade_core::json::Json;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};

use super::Event;
use super::run::Run;

/// The shortest pause between two measurements, and the pause as a multiple of the last measurement's time:
/// engines traverse all their volumes.
const BETWEEN_MEASURES: Duration = Duration::from_secs(1);
const REST: u32 = 4;
/// The time limit of a measurement.
const LONGEST: Duration = Duration::from_secs(60);
/// The size limit of a report, in bytes.
const USAGE_BYTES: u64 = 16 << 20;
/// The newest minor version of the API whose reports have the form that is read.
const NEWEST: usize = 47;
/// The number of failures in a row before they are reported; engines refuse a measurement during another one.
const FAILURES: u32 = 20;

/// The address of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    Unix(String),
    Tcp(String),
    /// An unsupported transport, such as TLS.
    Other,
}

impl Address {
    pub(super) fn of(host: &str) -> Self {
        if let Some(path) = host.strip_prefix("unix://") {
            return Self::Unix(path.to_owned());
        }
        let plain = host.strip_prefix("tcp://").or_else(|| host.strip_prefix("http://"));
        match plain {
            Some(address) => {
                let address = address.trim_end_matches('/');
                let port = if address.contains(':') { "" } else { ":2375" };
                Self::Tcp(format!("{address}{port}"))
            }
            None => Self::Other,
        }
    }

    /// Requests the size of each volume of the engine, in bytes, by name.
    async fn disk_usage(&self, minor: usize) -> io::Result<HashMap<String, u64>> {
        let body = match self {
            Self::Unix(path) => request(UnixStream::connect(path).await?, minor).await?,
            Self::Tcp(address) => request(TcpStream::connect(address).await?, minor).await?,
            Self::Other => return Err(io::ErrorKind::Unsupported.into()),
        };
        let usage = Json::parse(&body).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        let volumes = usage.get("Volumes").and_then(Json::as_array).unwrap_or_default();
        let size = |volume: &Json| {
            let name = volume.get("Name")?.as_str()?.to_owned();
            let Json::Number(size) = volume.get("UsageData")?.get("Size")? else { return None };
            // -1 if the driver does not report a size.
            Some((name, u64::try_from(size.to_i64()?).ok()?))
        };
        Ok(volumes.iter().filter_map(size).collect())
    }
}

/// Sends a request in HTTP 1.0: one answer without chunks, then the end of the connection.
async fn request(mut stream: impl AsyncRead + AsyncWrite + Unpin, minor: usize) -> io::Result<Vec<u8>> {
    let minor = minor.min(NEWEST);
    let request = format!("GET /v1.{minor}/system/df?type=volume HTTP/1.0\r\nHost: engine\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(USAGE_BYTES).read_to_end(&mut answer).await?;
    body(answer)
}

/// Returns the body of a successful answer.
fn body(mut answer: Vec<u8>) -> io::Result<Vec<u8>> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidData);
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(invalid)?;
    let status = answer.split(|byte| *byte == b' ').nth(1);
    if !answer.starts_with(b"HTTP/1.") || status != Some(b"200") {
        return Err(invalid());
    }
    answer.drain(..end + 4);
    Ok(answer)
}

/// Returns the names of the volumes that a container can write to.
pub(super) fn written_by(mounts: Option<Vec<MountPoint>>) -> Vec<String> {
    let volume = |mount: &MountPoint| mount.typ.as_deref() == Some("volume") && mount.rw == Some(true);
    mounts.unwrap_or_default().into_iter().filter(volume).filter_map(|mount| mount.name).collect()
}

/// The failed measurements since the last good one.
#[derive(Debug, Default)]
struct Failures(u32);

impl Failures {
    /// Adds failures; returns whether they have now become enough to be reported.
    fn add(&mut self, more: u32) -> bool {
        let before = self.0;
        self.0 = before.saturating_add(more);
        before < FAILURES && self.0 >= FAILURES
    }
}

impl Run<'_> {
    /// Measures the volumes repeatedly while a container is running that can write to one.
    pub(super) async fn measure_volumes(&self, address: &Address) -> Infallible {
        let minor = minor_version(self.docker);
        let mut failures = Failures::default();
        loop {
            let started = Instant::now();
            if self.seen.borrow().values().any(super::watch::Seen::writes_to_volumes) {
                let report = match tokio::time::timeout(LONGEST, address.disk_usage(minor)).await {
                    Ok(Ok(sizes)) => {
                        failures = Failures::default();
                        *self.volume_sizes.borrow_mut() = sizes;
                        false
                    }
                    Ok(Err(error)) if error.kind() != io::ErrorKind::Unsupported => failures.add(1),
                    // A timeout, or a transport that is not supported.
                    _ => failures.add(FAILURES),
                };
                if report {
                    self.tell(Event::VolumesUnmeasured);
                }
            }
            tokio::time::sleep(BETWEEN_MEASURES.max(started.elapsed() * REST)).await;
        }
    }

    /// Returns the bytes in the volumes that a container can write to. For a container without the
    /// submission, a volume that it shares with a container of the submission does not count, because the
    /// submission may have written to it.
    pub(super) fn bytes_in_volumes(&self, container_id: &str) -> u64 {
        let holds_submission =
            |id: &str| self.plan.container(id).is_some_and(|container| container.accepts_submission);
        let (all, sizes) = (self.seen.borrow(), self.volume_sizes.borrow());
        let Some(own) = all.get(container_id) else { return 0 };
        let shared =
            |name: &String| all.iter().any(|(id, seen)| holds_submission(id) && seen.volumes.contains(name));
        let counts = |name: &&String| holds_submission(container_id) || !shared(name);
        own.volumes.iter().filter(counts).filter_map(|name| sizes.get(name)).sum()
    }
}

fn minor_version(docker: &Docker) -> usize {
    docker.client_version().minor_version
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_reported_once() {
        let mut refused = Failures::default();
        assert_eq!((0..100).filter(|_| refused.add(1)).count(), 1);
        let mut timed_out = Failures::default();
        assert!(timed_out.add(FAILURES));
        assert!(!timed_out.add(FAILURES) && !timed_out.add(1));
    }

    #[test]
    fn engines_are_asked_where_they_answer() {
        assert_eq!(Address::of("unix:///run/a"), Address::Unix("/run/a".into()));
        assert_eq!(Address::of("tcp://a:1/"), Address::Tcp("a:1".into()));
        assert_eq!(Address::of("http://a"), Address::Tcp("a:2375".into()));
        assert_eq!(Address::of("https://a:2376"), Address::Other);
    }

    #[test]
    fn answers_are_read_to_their_bodies() {
        let good = b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{}".to_vec();
        assert_eq!(body(good).unwrap(), b"{}");
        for bad in ["HTTP/1.0 409 Conflict\r\n\r\n{}", "HTTP/1.0 200 OK\r\n", "", "200"] {
            assert!(body(bad.as_bytes().to_vec()).is_err(), "{bad}");
        }
    }
}
