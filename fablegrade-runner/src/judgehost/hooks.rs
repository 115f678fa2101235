//! Hooks: scripts that run inside containers, with their time limits, their output, and the consequences of
//! their failure.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bollard::container::LogOutput;
use bollard::exec::{StartExecOptions, StartExecResults};
use bollard::models::ExecConfig;
use bollard::query_parameters::StatsOptions;
use fablegrade_judgehost::{ContainerPlan, Failure, Hook, HookEnd, HookOutcome, Phase, Stage};
use futures_util::StreamExt as _;

use super::run::Run;
use super::{Event, describe};

/// The maximum size of each output stream that is kept of one hook, in bytes.
const OUTPUT_BYTES: usize = 256 << 10;
/// The approximate maximum size of each output stream that is kept of all hooks together, in bytes.
const LOG_BYTES: usize = 16 << 20;
/// The maximum number of failures of periodic hooks that are kept.
const PERIODIC_FAILURES: usize = 20;

/// Prints its process id, then becomes the hook. A hook that takes too long can then be killed, together with
/// its process group.
const PRINT_PID: &str = r#"echo "$$"; exec "$@""#;
/// Kills the process group of the hook, and the hook itself.
const KILL: &str = r#"kill -9 -- "-$1" "$1" 2>/dev/null"#;

/// The number of free processes that a hook needs in its container: its shell and one command.
const PROCESSES_OF_A_HOOK: u64 = 2;

/// The number of checks of the container before a failure of a periodic hook counts as the hook's own.
const LOOKS_FOR_AN_END: u32 = 5;

/// The output of hooks.
#[derive(Default)]
pub(super) struct Logs {
    pub(super) out: Vec<u8>,
    pub(super) err: Vec<u8>,
}

/// The output of one hook.
#[derive(Default)]
struct Written {
    out: Vec<u8>,
    err: Vec<u8>,
    pid: Option<String>,
}

impl Written {
    /// Adds a line to the error output.
    fn add_error(&mut self, line: &str) {
        if self.err.last().is_some_and(|last| *last != b'\n') {
            self.add(LogOutput::StdErr { message: "\n".into() });
        }
        self.add(LogOutput::StdErr { message: line.to_owned().into() });
    }

    fn add(&mut self, output: LogOutput) {
        let stream = match &output {
            LogOutput::StdErr { .. } => &mut self.err,
            _ => &mut self.out,
        };
        let bytes = output.into_bytes();
        let room = OUTPUT_BYTES.saturating_sub(stream.len());
        stream.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if self.pid.is_none()
            && let Some(end) = self.out.iter().position(|byte| *byte == b'\n')
        {
            let line: Vec<u8> = self.out.drain(..=end).collect();
            self.pid = Some(String::from_utf8_lossy(&line).trim().to_owned());
        }
    }
}

impl Run<'_> {
    /// Runs the pre-hooks of one container in order; the first failure ends the evaluation.
    pub(super) async fn pre_hooks(&self, container: &ContainerPlan) -> Result<(), Failure> {
        for hook in &container.pre {
            let end = self.hook(hook).await;
            if !end.is_good() {
                return Err(Failure {
                    stage: Stage::PreHook,
                    container_id: Some(container.container_id.clone()),
                    message: format!("{} {}", hook.path(), end.describe()),
                });
            }
        }
        Ok(())
    }

    /// Runs the groups of post-hooks one after another. After a failure, the container's hooks in later
    /// groups are skipped.
    pub(super) async fn post_hooks(&self) {
        let mut failed: BTreeMap<String, String> = BTreeMap::new();
        for group in &self.plan.post {
            let (run, left): (Vec<&Hook>, Vec<&Hook>) =
                group.iter().partition(|hook| !failed.contains_key(&hook.container_id));
            for hook in left {
                let why = format!("{} failed", failed[&hook.container_id]);
                self.record(hook, HookEnd::NotRun(why), 0);
            }
            let at_once = self.plan.concurrent_hooks as usize;
            let mut ends = futures_util::stream::iter(run)
                .map(|hook| async move { (hook, self.hook(hook).await) })
                .buffer_unordered(at_once.max(1));
            while let Some((hook, end)) = ends.next().await {
                if !end.is_good() {
                    failed.entry(hook.container_id.clone()).or_insert_with(|| hook.name.clone());
                }
            }
        }
    }

    /// Runs the periodic hooks repeatedly; never returns.
    pub(super) async fn periodic_hooks(&self) {
        if self.plan.periodic.is_empty() {
            return std::future::pending().await;
        }
        loop {
            for hook in &self.plan.periodic {
                if self.is_running(&hook.container_id) {
                    self.hook(hook).await;
                }
            }
            tokio::time::sleep(Duration::from_secs(self.plan.periodic_interval.into())).await;
        }
    }

    /// Runs one hook to its end.
    async fn hook(&self, hook: &Hook) -> HookEnd {
        self.tell(Event::HookStarted {
            container_id: hook.container_id.clone(),
            phase: hook.phase,
            name: hook.name.clone(),
        });
        let started = Instant::now();
        let mut written = Written::default();
        let end = match self.engine_id(&hook.container_id) {
            Some(id) if self.is_running(&hook.container_id) => self.exec(&id, hook, &mut written).await,
            _ => HookEnd::NotRun(format!("its container {}", self.end_of(&hook.container_id).describe())),
        };
        self.log(hook, &written);
        if hook.phase == Phase::Periodic && !end.is_good() && self.ends_now(&hook.container_id).await {
            // The hook was ended with its container.
            return end;
        }
        self.record(hook, end.clone(), started.elapsed().as_millis() as u64);
        end
    }

    /// Returns whether a container has ended or is ending. Its processes are killed a moment before the
    /// engine reports that.
    async fn ends_now(&self, container_id: &str) -> bool {
        for _ in 0..LOOKS_FOR_AN_END {
            if !self.is_running(container_id) {
                return true;
            }
            self.next_look().await;
        }
        false
    }

    async fn exec(&self, container: &str, hook: &Hook, written: &mut Written) -> HookEnd {
        let limit = Duration::from_secs(self.plan.hook_seconds.into());
        let work = async {
            let mut command: Vec<String> =
                vec!["/bin/sh".into(), "-c".into(), PRINT_PID.into(), "judge".into()];
            command.extend(hook.command());
            let config = ExecConfig {
                attach_stdout: Some(true),
                attach_stderr: Some(true),
                cmd: Some(command),
                ..Default::default()
            };
            let exec = self.docker.create_exec(container, config).await?;
            let started = self.docker.start_exec(&exec.id, None::<StartExecOptions>).await?;
            if let StartExecResults::Attached { mut output, .. } = started {
                while let Some(chunk) = output.next().await {
                    written.add(chunk?);
                }
            }
            // The stream can end a moment before the engine reports the exit code.
            loop {
                let state = self.docker.inspect_exec(&exec.id).await?;
                if state.running != Some(true) {
                    return Ok(state.exit_code);
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let ended: Result<Result<Option<i64>, bollard::errors::Error>, _> =
            tokio::time::timeout(limit, work).await;
        match ended {
            // An exit code other than 0 can come from the engine, or from a shell that could not start a process.
            Ok(Ok(Some(code))) if code != 0 && self.has_no_process_left(container, hook).await => {
                HookEnd::NoProcessLeft
            }
            Ok(Ok(Some(code))) => HookEnd::Exited(code),
            Ok(Ok(None)) => HookEnd::NotRun("the engine does not know how it ended".into()),
            Ok(Err(error)) if self.has_no_process_left(container, hook).await => {
                written.add_error(&describe(&error));
                HookEnd::NoProcessLeft
            }
            Ok(Err(error)) => HookEnd::NotRun(describe(&error)),
            Err(_) => {
                if let Some(pid) = &written.pid {
                    self.kill(container, pid).await;
                }
                HookEnd::TimedOut
            }
        }
    }

    /// Returns whether the programs of a container have used up its limit on processes, or nearly so.
    async fn has_no_process_left(&self, engine_id: &str, hook: &Hook) -> bool {
        let Some(plan) = self.plan.container(&hook.container_id) else { return false };
        let options = StatsOptions { stream: false, one_shot: true };
        let stats = self.docker.stats(engine_id, Some(options)).next().await;
        let processes =
            stats.and_then(Result::ok).and_then(|stats| stats.pids_stats).and_then(|pids| pids.current);
        processes.is_some_and(|processes| processes + PROCESSES_OF_A_HOOK >= u64::from(plan.processes))
    }

    async fn kill(&self, container: &str, pid: &str) {
        self.run_shell(container, &[KILL, "judge", pid]).await;
    }

    /// Runs a short script inside a container and waits at most 5 s for its end. Errors are ignored, for
    /// example if the container has ended.
    pub(super) async fn run_shell(&self, container: &str, script: &[&str]) {
        let command = ["/bin/sh", "-c"].iter().chain(script).map(|word| (*word).to_owned()).collect();
        let config = ExecConfig { cmd: Some(command), attach_stdout: Some(true), ..Default::default() };
        if let Ok(exec) = self.docker.create_exec(container, config).await
            && let Ok(StartExecResults::Attached { mut output, .. }) =
                self.docker.start_exec(&exec.id, None::<StartExecOptions>).await
        {
            let drained = async { while output.next().await.is_some() {} };
            let _ = tokio::time::timeout(Duration::from_secs(5), drained).await;
        }
    }

    fn record(&self, hook: &Hook, end: HookEnd, millis: u64) {
        self.tell(Event::HookEnded {
            container_id: hook.container_id.clone(),
            phase: hook.phase,
            name: hook.name.clone(),
            end: end.clone(),
            millis,
        });
        if hook.phase != Phase::Periodic {
            self.hook_is_over(&hook.container_id);
        }
        let mut hooks = self.hooks.borrow_mut();
        let failures = hooks.iter().filter(|outcome| outcome.phase == Phase::Periodic).count();
        if hook.phase == Phase::Periodic && (end.is_good() || failures >= PERIODIC_FAILURES) {
            return;
        }
        hooks.push(HookOutcome {
            container_id: hook.container_id.clone(),
            phase: hook.phase,
            name: hook.name.clone(),
            end,
            millis,
        });
    }

    fn log(&self, hook: &Hook, written: &Written) {
        let mut logs = self.logs.borrow_mut();
        let Logs { out, err } = &mut *logs;
        for (log, bytes) in [(out, &written.out), (err, &written.err)] {
            if bytes.is_empty() || log.len() + bytes.len() > LOG_BYTES {
                continue;
            }
            log.extend_from_slice(format!("== {}\n", hook.path()).as_bytes());
            log.extend_from_slice(bytes);
            if bytes.last() != Some(&b'\n') {
                log.push(b'\n');
            }
            if bytes.len() == OUTPUT_BYTES {
                log.extend_from_slice(b"== cut here\n");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OUTPUT_BYTES, Written};

    #[test]
    fn errors_of_the_engine_count_as_output() {
        let mut written = Written::default();
        written.add_error("one");
        written.add_error("two");
        assert_eq!(written.err, b"one\ntwo");
        (0..20).for_each(|_| written.add_error(&"x".repeat(OUTPUT_BYTES / 10)));
        assert_eq!(written.err.len(), OUTPUT_BYTES);
    }
}
