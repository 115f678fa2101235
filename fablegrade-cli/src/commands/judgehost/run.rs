//! `fablegrade judgehost run`: runs a submission on a container engine and scores it.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use fablegrade_judgehost::{HookEnd, evaluate};
use fablegrade_runner::judgehost::{Engine, Event, Report, RunOptions};
use indicatif::ProgressBar;

use super::{Answer, Given, Planned};
use crate::console::{BAD, Console, GOOD, MIXED, QUIET, plain, stderr_is_coloured};
use crate::exit::{Exit, Failure};
use crate::folder::write_files;
use crate::progress;

/// The maximum size of the files that are copied from each container's `/out`, in bytes.
const OUT_BYTES: u64 = 64 << 20;

/// Run a submission on a container engine and score it
///
/// The exit code is 0 if the run produces a score, whatever the score. It is 4 if it produces none (an ERROR in a
/// rubric, or a failed evaluation that the submission did not cause) or if something could not be removed. Containers,
/// networks, volumes and, without `--keep-images`, images are removed at the end, even after an interrupt.
#[derive(Args)]
#[command(mut_arg("submission", |argument| argument.required(true)))]
#[command(mut_arg("submission_id", |argument| {
    argument.help("Submission id [default: a hash of the submission's files]")
}))]
pub(super) struct Run {
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    answer: Answer,
    /// Container engine, such as unix:///var/run/docker.sock [default: DOCKER_HOST, or else the default
    /// socket]
    #[arg(long, value_name = "URL")]
    host: Option<String>,
    /// Write each container's /out, the logs and evaluation.json to this new folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Keep images and reuse them for the same files
    #[arg(long)]
    keep_images: bool,
    /// Network for RUN instructions of Dockerfiles, such as `none` [default: the engine's]
    #[arg(long, value_name = "NAME")]
    build_network: Option<String>,
}

impl Run {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let Planned { package, plan, deliveries } = self.given.plan()?;
        let engine = Engine::connect(self.host.as_deref())
            .map_err(|error| Failure::Io("cannot run".into(), io::Error::other(error)))?;
        // Created only once the engine is connected: the next attempt would refuse an existing folder.
        if let Some(out) = &self.out {
            std::fs::create_dir(out)
                .map_err(|error| Failure::Io(format!("cannot create {}", out.display()), error))?;
        }
        let mut options = RunOptions::default();
        options.keep_images = self.keep_images;
        options.build_network.clone_from(&self.build_network);
        options.collect_bytes = self.out.is_some().then_some(OUT_BYTES);
        options.signals = true;
        let mut progress = Progress::new(console.is_quiet());
        let report = engine.run(&package, &plan, &deliveries, &options, &mut |event| progress.tell(&event));
        progress.finish();
        let evaluation = evaluate(&package.config, &plan.submission_id, &report.outcome);
        if let Some(out) = &self.out {
            save(out, &report, &evaluation.to_json().to_canonical())
                .map_err(|error| Failure::Io(format!("cannot write to {}", out.display()), error))?;
        }
        let exit = self.answer.write(console, &evaluation)?;
        for (container_id, why) in &report.out_incomplete {
            writeln!(console.err, "{MIXED}incomplete{MIXED:#}: /out of {container_id}: {}", plain(why))?;
        }
        for left in &report.left_over {
            writeln!(console.err, "{BAD}left over{BAD:#}: {}", plain(left))?;
        }
        Ok(if report.left_over.is_empty() { exit } else { Exit::Undecided })
    }
}

/// Writes the files that a run returned.
fn save(folder: &Path, report: &Report, evaluation: &str) -> io::Result<()> {
    std::fs::write(folder.join("evaluation.json"), format!("{evaluation}\n"))?;
    let logs = folder.join("logs");
    std::fs::create_dir(&logs)?;
    std::fs::write(logs.join("hooks.log"), &report.hooks_log)?;
    std::fs::write(logs.join("hooks.error.log"), &report.hooks_error_log)?;
    for (container_id, log) in &report.container_logs {
        std::fs::write(logs.join(format!("{container_id}.container.log")), log)?;
    }
    for (container_id, files) in &report.out {
        write_files(&folder.join("out").join(container_id), files)?;
    }
    Ok(())
}

/// The display during a run: a line per finished step, and the current step below them.
struct Progress {
    bar: ProgressBar,
    step: Instant,
    shown: bool,
}

impl Progress {
    fn new(quiet: bool) -> Self {
        let bar = progress::bar(None, "  {spinner:.green} {wide_msg} {elapsed:.dim}", quiet);
        let shown = !bar.is_hidden();
        if shown {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Self { bar, step: Instant::now(), shown }
    }

    fn tell(&mut self, event: &Event) {
        if !self.shown {
            return;
        }
        let line = match event {
            Event::VolumesUnmeasured => Some(self.line(MIXED, "disk", &event.to_string(), false)),
            Event::LeftBehind { .. } => Some(self.line(MIXED, "left", &event.to_string(), false)),
            Event::Built { container_id, kept } => {
                let word = if *kept { "kept image" } else { "built" };
                Some(self.line(GOOD, word, container_id, true))
            }
            Event::Ready { container_id } => Some(self.line(GOOD, "ready", container_id, true)),
            Event::Ended { container_id, end } => {
                Some(self.line(MIXED, "ended", &format!("{container_id}, {}", end.describe()), false))
            }
            Event::HookEnded {
                phase: fablegrade_judgehost::Phase::Periodic,
                end: HookEnd::Exited(0),
                ..
            } => None,
            Event::HookEnded { container_id, phase, name, end, millis } => {
                let style = if end.is_good() { GOOD } else { BAD };
                let how = if end.is_good() { String::new() } else { format!(", {}", end.describe()) };
                let seconds = Duration::from_millis(*millis).as_secs_f64();
                let text = format!("{container_id}:{name}{how}  {seconds:.1} s");
                Some(self.line(style, phase.as_str(), &text, false))
            }
            other => {
                self.bar.set_message(plain(&other.to_string()).into_owned());
                None
            }
        };
        if let Some(line) = line {
            self.bar.println(line);
        }
    }

    /// Returns the line of a finished step. If `timed`, it has the time since the previous step.
    fn line(&mut self, style: anstyle::Style, word: &str, text: &str, timed: bool) -> String {
        let taken = self.step.elapsed().as_secs_f64();
        self.step = Instant::now();
        let time = if timed { format!("  {QUIET}{taken:.1} s{QUIET:#}") } else { String::new() };
        let coloured = format!("  {style}{word:10}{style:#}  {}{time}", plain(text));
        if stderr_is_coloured() { coloured } else { anstream::adapter::strip_str(&coloured).to_string() }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
