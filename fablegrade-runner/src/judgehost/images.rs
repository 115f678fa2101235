//! Images: built from the package's files, or kept from before.

use std::collections::HashMap;

use bollard::models::BuildInfo;
use bollard::query_parameters::BuildImageOptions;
use bytes::Bytes;
use fablegrade_judgehost::{ContainerPlan, Failure, Stage, hexadecimal};
use futures_util::StreamExt as _;
use sha2::{Digest as _, Sha256};

use super::run::Run;
use super::{Event, LABEL, describe, files};

/// Lines of a builder's output that a failure shows.
const SHOWN_LINES: usize = 12;

impl Run<'_> {
    /// Builds what is not there; the images by container.
    pub(super) async fn build_images(&self) -> Result<HashMap<String, String>, Failure> {
        let mut images = HashMap::new();
        for (number, container) in self.plan.containers.iter().enumerate() {
            let failed = |message: String| Failure {
                stage: Stage::Build,
                container_id: Some(container.container_id.clone()),
                message: format!("the image of `{}` cannot be built: {message}", container.container_id),
            };
            let context = self.package.files.below(&container.context);
            let archive =
                files::pack(&context, "", None, 0o755).map_err(|error| failed(error.to_string()))?;
            let tag = if self.options.keep_images {
                format!("fablegrade-judgehost:{}", digest(container, &archive))
            } else {
                format!("fablegrade-judgehost:{}-{number}", self.name)
            };
            let kept = self.docker.inspect_image(&tag).await.is_ok();
            if !kept {
                self.build(container, &tag, archive).await.map_err(failed)?;
            }
            self.tell(Event::Built { container_id: container.container_id.clone(), kept });
            images.insert(container.container_id.clone(), tag);
        }
        Ok(images)
    }

    async fn build(&self, container: &ContainerPlan, tag: &str, archive: Vec<u8>) -> Result<(), String> {
        let options = BuildImageOptions {
            dockerfile: container.dockerfile.clone(),
            t: Some(tag.into()),
            rm: true,
            forcerm: true,
            labels: Some(HashMap::from([(LABEL.into(), self.name.clone())])),
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
                    // Known as soon as they are made, so that an interrupted build leaves nothing.
                    self.intermediate.borrow_mut().append(&mut output.made);
                }
                Ok(_) => {}
                Err(error) => failure = Some(describe(&error)),
            }
        }
        match failure {
            None => Ok(()),
            Some(message) => Err(format!("{}\n{}", message.trim(), output.last.join("\n"))),
        }
    }
}

/// What a builder says, line by line.
#[derive(Default)]
struct Output {
    rest: String,
    last: Vec<String>,
    made: Vec<String>,
    from_base: bool,
}

impl Output {
    /// Adds a piece; the last line that it completes.
    fn add(&mut self, text: &str) -> Option<String> {
        self.rest.push_str(text);
        let mut shown = None;
        while let Some(end) = self.rest.find('\n') {
            let line: String = self.rest.drain(..=end).collect();
            let line = line.trim_end();
            if line.starts_with("Step ") {
                self.from_base = line.contains(" : FROM ");
            }
            // The image after a FROM is somebody else's; those after other steps are ours.
            if let Some(id) = line.strip_prefix(" ---> ")
                && id.len() == 12
                && id.bytes().all(|byte| byte.is_ascii_hexdigit())
                && !self.from_base
            {
                self.made.push(id.to_owned());
            }
            if !line.trim().is_empty() {
                if self.last.len() == SHOWN_LINES {
                    self.last.remove(0);
                }
                self.last.push(line.to_owned());
                shown = Some(line.to_owned());
            }
        }
        self.rest.truncate(64 << 10);
        shown
    }
}

/// What an image follows from.
fn digest(container: &ContainerPlan, archive: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(container.dockerfile.as_bytes());
    hash.update([0]);
    hash.update(archive);
    hexadecimal(&hash.finalize()[..16])
}
