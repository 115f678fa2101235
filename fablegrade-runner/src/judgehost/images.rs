//! Images: built from the package's files, or reused from earlier runs.

use std::collections::HashMap;
use std::pin::Pin;
use std::time::Duration;

use bollard::models::BuildInfo;
use bollard::query_parameters::BuildImageOptions;
use bytes::Bytes;
use fablegrade_judgehost::{ContainerPlan, Failure, Files, Stage, hexadecimal};
use futures_util::StreamExt as _;
use sha2::{Digest as _, Sha256};

use super::dockerfile::with_label;
use super::run::Run;
use super::{EngineError, Event, KEPT_LABEL, LABEL, describe, files};

/// The number of lines of a builder's output that a failure shows.
const SHOWN_LINES: usize = 12;
/// The length in bytes to which an unfinished line of a builder's output is cut.
const MAX_LINE: usize = 64 << 10;
/// The time that a builder has to end after its current step was ended.
const BUILD_END: Duration = Duration::from_secs(20);

impl Run<'_> {
    /// Builds the missing images; returns all images by container.
    pub(super) async fn build_images(&self) -> Result<HashMap<String, String>, Failure> {
        let mut images = HashMap::new();
        for (number, container) in self.plan.containers.iter().enumerate() {
            let failed = |message: String| Failure {
                stage: Stage::Build,
                container_id: Some(container.container_id.clone()),
                message: format!("the image of `{}` cannot be built: {message}", container.container_id),
            };
            let context = self.package.files.below(&container.context);
            let pack = |context: &Files| {
                files::pack(context, "", None, 0o755).map_err(|error| failed(error.to_string()))
            };
            // A kept image does not belong to a run.
            let (tag, label) = if self.options.keep_images {
                (format!("fablegrade-judgehost:{}", digest(container, &pack(&context)?)), KEPT_LABEL)
            } else {
                (format!("fablegrade-judgehost:{}-{number}", self.name), LABEL)
            };
            let archive = pack(&self.labelled(context, &container.dockerfile, label))?;
            let kept = self.docker.inspect_image(&tag).await.is_ok();
            if !kept {
                self.build(container, &tag, archive).await.map_err(|error| failed(error.to_string()))?;
            }
            if self.stopping.get() {
                return Err(failed("the run was stopped".into()));
            }
            self.tell(Event::Built { container_id: container.container_id.clone(), kept });
            images.insert(container.container_id.clone(), tag);
        }
        Ok(images)
    }

    /// Ends a build by ending its current step, then reads its output to the end: a builder without a reader
    /// can still make an image that is never removed. A builder that does not end in time, for example during
    /// a download, is abandoned.
    pub(super) async fn end_build(&self, work: Pin<&mut impl Future>) {
        self.stopping.set(true);
        self.end_step().await;
        let _ = tokio::time::timeout(BUILD_END, work).await;
    }

    /// Returns a build context whose Dockerfile labels all its images.
    fn labelled(&self, context: Files, dockerfile: &str, label: &str) -> Files {
        let Some(mut file) = context.get(dockerfile).cloned() else { return context };
        file.bytes = with_label(&file.bytes, label, &self.name);
        context.with(dockerfile, file)
    }

    async fn end_step(&self) {
        let step = self.step.take();
        if let Some(container) = step {
            // A container that has ended in the meantime is removed by the builder.
            let _ = self.remove_container(&container).await;
        }
    }

    async fn build(&self, container: &ContainerPlan, tag: &str, archive: Vec<u8>) -> Result<(), EngineError> {
        let options = BuildImageOptions {
            dockerfile: container.dockerfile.clone(),
            t: Some(tag.into()),
            rm: true,
            forcerm: true,
            networkmode: self.options.build_network.clone(),
            ..Default::default()
        };
        let mut output = Output::default();
        let mut stream =
            Box::pin(self.docker.build_image(options, None, Some(bollard::body_full(Bytes::from(archive)))));
        let mut failure = None;
        while let Some(info) = stream.next().await {
            match info {
                Ok(BuildInfo { error_detail: Some(detail), .. }) => {
                    failure = Some(detail.message.unwrap_or_default())
                }
                Ok(BuildInfo { stream: Some(text), .. }) => {
                    if let Some(line) = output.add(&text) {
                        self.tell(Event::Building { container_id: container.container_id.clone(), line });
                    }
                    self.step.replace(output.runs_in.clone());
                    if self.stopping.get() {
                        self.end_step().await;
                    }
                }
                Ok(_) => {}
                Err(error) => failure = Some(describe(&error)),
            }
        }
        self.step.replace(None);
        match failure {
            None => Ok(()),
            Some(message) => Err(EngineError(format!("{}\n{}", message.trim(), output.last.join("\n")))),
        }
    }
}

/// The output of a builder, line by line.
#[derive(Default)]
struct Output {
    /// The container of the current step.
    runs_in: Option<String>,
    rest: String,
    last: Vec<String>,
}

impl Output {
    /// Adds a piece of output; returns the last line that it completes.
    fn add(&mut self, text: &str) -> Option<String> {
        self.rest.push_str(text);
        let mut shown = None;
        while let Some(end) = self.rest.find('\n') {
            let line: String = self.rest.drain(..=end).collect();
            let line = line.trim_end();
            if line.starts_with("Step ") {
                self.runs_in = None;
            }
            if let Some(id) = line.strip_prefix(" ---> Running in ").filter(|id| is_short_id(id)) {
                self.runs_in = Some(id.to_owned());
            }
            if !line.trim().is_empty() {
                if self.last.len() == SHOWN_LINES {
                    self.last.remove(0);
                }
                self.last.push(line.to_owned());
                shown = Some(line.to_owned());
            }
        }
        let mut kept = self.rest.len().min(MAX_LINE);
        // A cut inside a character would panic.
        while !self.rest.is_char_boundary(kept) {
            kept -= 1;
        }
        self.rest.truncate(kept);
        shown
    }
}

/// Returns whether the text is twelve hexadecimal digits, by which a builder names containers and images.
fn is_short_id(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns a digest of the Dockerfile's path and of the build context.
fn digest(container: &ContainerPlan, archive: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(container.dockerfile.as_bytes());
    hash.update([0]);
    hash.update(archive);
    hexadecimal(&hash.finalize()[..16])
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINE, Output};

    #[test]
    fn an_endless_line_is_cut_between_characters() {
        for shift in 0..4 {
            let mut output = Output::default();
            let text = "a".repeat(shift) + &"\u{1f600}".repeat(1_000);
            for _ in 0..40 {
                assert_eq!(output.add(&text), None);
                assert!(output.rest.len() <= MAX_LINE);
            }
            let shown = output.add("\nStep 2\n").unwrap();
            assert_eq!(shown, "Step 2");
            assert!(output.last[0].len() > MAX_LINE - 4);
        }
    }
}
