//! The life cycle of the containers: their states, their ends, the containers that end with them, and the
//! containers that wait for them.

use std::time::{Duration, Instant};

use bollard::models::HealthStatusEnum;
use bollard::query_parameters::{InspectContainerOptions, StopContainerOptions};
use fablegrade_judgehost::config::{Condition, Dependency};
use fablegrade_judgehost::{ContainerEnd, ContainerPlan, Failure, Stage};

use super::run::Run;
use super::volumes::written_by;
use super::{EngineError, Event, describe};

/// The time between two checks of the containers.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
/// The time between two measurements of what a container has written.
const BETWEEN_MEASURES: Duration = Duration::from_secs(1);
/// The time that a container has to end by itself when it is stopped because another container has ended.
const GRACE_SECONDS: i32 = 10;
/// The exit code of a process that was ended by SIGKILL.
const KILLED: i64 = 137;
/// The number of checks in a row that can fail because of the engine before the run fails.
const FAILED_LOOKS: u32 = 25;

/// Asks all processes of a container to end, with the permissions of its user; the shell itself ignores the
/// signal.
const END_ALL: &str = "trap '' TERM; kill -TERM -1";

/// The observed state of a container that was started.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) engine_id: String,
    started: Instant,
    /// The time at which the bytes that it has written were last measured.
    measured: Instant,
    /// The volumes that it can write to.
    pub(super) volumes: Vec<String>,
    health: Health,
    /// The program of a container that stays for its hooks.
    program: Option<Program>,
    /// The number of pre-hooks and post-hooks that have not ended.
    hooks_left: usize,
    has_post_hooks: bool,
    /// The end; `Running` until it has ended.
    end: ContainerEnd,
    /// The reason why it was stopped, if it was.
    stopped: Option<ContainerEnd>,
    /// True if the containers that it terminates were already stopped because of its end.
    cascaded: bool,
}

/// The image's own program, which runs in addition to the shell that keeps the container running.
#[derive(Debug)]
struct Program {
    exec_id: String,
    end: Option<ContainerEnd>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    Unknown,
    Good,
    Bad,
}

impl Seen {
    pub(super) fn started(engine_id: String, container: &ContainerPlan, exec_id: Option<String>) -> Self {
        Self {
            engine_id,
            started: Instant::now(),
            measured: Instant::now(),
            volumes: Vec::new(),
            health: Health::Unknown,
            program: exec_id.map(|exec_id| Program { exec_id, end: None }),
            hooks_left: container.pre.len() + container.post,
            has_post_hooks: container.post > 0,
            end: ContainerEnd::Running,
            stopped: None,
            cascaded: false,
        }
    }

    /// Returns whether the container is running and can write to a volume.
    pub(super) fn writes_to_volumes(&self) -> bool {
        self.end == ContainerEnd::Running && !self.volumes.is_empty()
    }

    /// Returns the end of the program, whether or not the container stays for hooks.
    fn program_end(&self) -> ContainerEnd {
        match (&self.program, self.end) {
            (Some(Program { end: Some(end), .. }), ContainerEnd::Running) => self.stopped.unwrap_or(*end),
            (_, end) => end,
        }
    }

    /// Returns whether nothing more is expected of the container: it has ended, or it has post-hooks and all
    /// its hooks have ended.
    fn is_finished(&self) -> bool {
        self.end != ContainerEnd::Running || (self.has_post_hooks && self.hooks_left == 0)
    }
}

impl Run<'_> {
    /// Returns the engine's id of a container that was started.
    pub(super) fn engine_id(&self, container_id: &str) -> Option<String> {
        self.seen.borrow().get(container_id).map(|seen| seen.engine_id.clone())
    }

    /// Returns the end of a container, or of its program if it stays for its hooks, as last observed.
    pub(super) fn end_of(&self, container_id: &str) -> ContainerEnd {
        self.seen.borrow().get(container_id).map_or(ContainerEnd::Running, Seen::program_end)
    }

    /// Returns the end of a container for the report. If it is still being stopped when the run is over, the
    /// reason for stopping it counts as its end.
    pub(super) fn last_end_of(&self, container_id: &str) -> ContainerEnd {
        let all = self.seen.borrow();
        let stopped = all.get(container_id).and_then(|seen| seen.stopped);
        match all.get(container_id).map_or(ContainerEnd::Running, Seen::program_end) {
            ContainerEnd::Running => stopped.unwrap_or(ContainerEnd::Running),
            end => end,
        }
    }

    /// Returns whether a container was started and has not ended, as last observed.
    pub(super) fn is_running(&self, container_id: &str) -> bool {
        self.seen.borrow().get(container_id).is_some_and(|seen| seen.end == ContainerEnd::Running)
    }

    /// Returns whether nothing more of a container is awaited; true for one that was never started.
    pub(super) fn is_finished(&self, container_id: &str) -> bool {
        self.seen.borrow().get(container_id).is_none_or(Seen::is_finished)
    }

    /// Records the end of a pre-hook or post-hook.
    pub(super) fn hook_is_over(&self, container_id: &str) {
        if let Some(seen) = self.seen.borrow_mut().get_mut(container_id) {
            seen.hooks_left = seen.hooks_left.saturating_sub(1);
        }
    }

    /// Waits for the time between two checks of the containers.
    pub(super) async fn next_look(&self) {
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }

    /// Checks the containers repeatedly. If one ends, the containers that it terminates are stopped. One that
    /// exceeds its lifetime or its disk limit is stopped too. Returns only if the engine no longer answers.
    pub(super) async fn watch(&self) -> Failure {
        let mut failed = 0;
        loop {
            failed = if self.look_at_all().await { 0 } else { failed + 1 };
            if failed > FAILED_LOOKS {
                let message = "the container engine no longer answers".to_owned();
                return Failure { stage: Stage::Engine, container_id: None, message };
            }
            self.next_look().await;
        }
    }

    /// Checks every container that was running; `false` if the engine did not answer.
    pub(super) async fn look_at_all(&self) -> bool {
        let mut answered = true;
        for container in &self.plan.containers {
            answered &= self.look_at(container).await;
            if !self.is_to_cascade(&container.container_id) {
                continue;
            }
            for other in &container.stops {
                self.stop(other, ContainerEnd::Terminated, GRACE_SECONDS).await;
                if let Some(other) = self.plan.container(other) {
                    answered &= self.look_at(other).await;
                }
            }
            // Set only now, so a check that was interrupted is repeated.
            if let Some(seen) = self.seen.borrow_mut().get_mut(&container.container_id) {
                seen.cascaded = true;
            }
        }
        answered
    }

    fn is_to_cascade(&self, container_id: &str) -> bool {
        let all = self.seen.borrow();
        all.get(container_id).is_some_and(|seen| seen.is_finished() && !seen.cascaded)
    }

    /// Returns whether it is time to measure what a container has written, which costs more than a check.
    fn is_to_measure(&self, container_id: &str) -> bool {
        let mut all = self.seen.borrow_mut();
        let Some(seen) = all.get_mut(container_id) else { return false };
        let due = seen.measured.elapsed() >= BETWEEN_MEASURES;
        if due {
            seen.measured = Instant::now();
        }
        due
    }

    async fn look_at(&self, container: &ContainerPlan) -> bool {
        let id = &container.container_id;
        let Some(engine_id) = self.engine_id(id).filter(|_| self.is_running(id)) else { return true };
        let measured = self.is_to_measure(id);
        let options = InspectContainerOptions { size: measured };
        let Ok(inspected) = self.docker.inspect_container(&engine_id, Some(options)).await else {
            return false;
        };
        let written = inspected.size_rw.unwrap_or(0).max(0) as u64;
        if let Some(seen) = self.seen.borrow_mut().get_mut(id) {
            seen.volumes = written_by(inspected.mounts);
        }
        let written = written.saturating_add(self.bytes_in_volumes(id));
        let Some(state) = inspected.state else { return false };
        if !self.look_at_program(id, state.oom_killed == Some(true)).await {
            return false;
        }
        let (too_long, over) = {
            let mut all = self.seen.borrow_mut();
            let Some(seen) = all.get_mut(id) else { return true };
            seen.health = match state.health.and_then(|health| health.status) {
                Some(HealthStatusEnum::HEALTHY) => Health::Good,
                Some(HealthStatusEnum::UNHEALTHY) => Health::Bad,
                _ => Health::Unknown,
            };
            if state.running == Some(false) {
                seen.end = match seen.stopped {
                    Some(why) => why,
                    None if state.oom_killed == Some(true) => ContainerEnd::OutOfMemory,
                    None => ContainerEnd::Exited(state.exit_code.unwrap_or(-1)),
                };
            }
            let over = match &seen.program {
                Some(Program { end, .. }) if seen.hooks_left == 0 => *end,
                _ => None,
            };
            (seen.started.elapsed() >= Duration::from_secs(container.lifetime.into()), over)
        };
        if !self.is_running(id) {
            self.tell(Event::Ended { container_id: id.clone(), end: self.end_of(id) });
        } else if written > container.disk {
            self.stop(id, ContainerEnd::OutOfDisk, 0).await;
        } else if let Some(end) = over {
            self.stop(id, end, 0).await;
        } else if too_long {
            self.stop(id, ContainerEnd::TimedOut, 0).await;
        }
        true
    }

    /// Checks whether the program of a container that stays for its hooks has ended; `false` if the engine
    /// did not answer.
    async fn look_at_program(&self, container_id: &str, out_of_memory: bool) -> bool {
        let running = {
            let all = self.seen.borrow();
            let program = all.get(container_id).and_then(|seen| seen.program.as_ref());
            program.filter(|program| program.end.is_none()).map(|program| program.exec_id.clone())
        };
        let Some(exec_id) = running else { return true };
        let Ok(state) = self.docker.inspect_exec(&exec_id).await else { return false };
        if state.running == Some(true) {
            return true;
        }
        let end = match state.exit_code.unwrap_or(-1) {
            KILLED if out_of_memory => ContainerEnd::OutOfMemory,
            code => ContainerEnd::Exited(code),
        };
        let program = |seen: &mut Seen| {
            if let Some(program) = &mut seen.program {
                program.end = Some(end);
            }
        };
        self.seen.borrow_mut().get_mut(container_id).map(program);
        self.tell(Event::ProgramEnded { container_id: container_id.to_owned(), end });
        true
    }

    async fn stop(&self, container_id: &str, why: ContainerEnd, mut grace: i32) {
        let (engine_id, has_program) = {
            let mut all = self.seen.borrow_mut();
            let Some(seen) = all.get_mut(container_id) else { return };
            if seen.end != ContainerEnd::Running {
                return;
            }
            seen.stopped.get_or_insert(why);
            (seen.engine_id.clone(), seen.program.as_ref().is_some_and(|program| program.end.is_none()))
        };
        // The engine's signal reaches only the shell that keeps the container running.
        if has_program && grace > 0 {
            self.run_shell(&engine_id, &[END_ALL]).await;
            let limit = Instant::now() + Duration::from_secs(grace.unsigned_abs().into());
            while self.program_runs(container_id) && Instant::now() < limit {
                self.next_look().await;
                self.look_at_program(container_id, false).await;
            }
            grace = 0;
        }
        // A container that has ended in the meantime need not be stopped; the next check observes its end.
        let options = StopContainerOptions { t: Some(grace), ..Default::default() };
        let _ = self.docker.stop_container(&engine_id, Some(options)).await;
    }

    fn program_runs(&self, container_id: &str) -> bool {
        self.seen.borrow().get(container_id).is_some_and(|seen| seen.program_end() == ContainerEnd::Running)
    }

    /// Waits until a dependency is satisfied, for at most [`Dependency::longest_wait`].
    pub(super) async fn wait_for(&self, container: &ContainerPlan, wait: &Dependency) -> Result<(), Failure> {
        let id = &wait.container_id;
        self.tell(Event::Waiting {
            container_id: container.container_id.clone(),
            for_container: id.clone(),
            condition: wait.condition.as_str(),
        });
        let failed = |message: String| Failure {
            stage: Stage::Dependency,
            container_id: Some(id.clone()),
            message: format!(
                "`{}` was not started, because it waits for `{id}`: {message}",
                container.container_id
            ),
        };
        let seconds = wait.longest_wait();
        let limit = Instant::now() + Duration::from_secs(seconds);
        loop {
            let (end, stays, health) = {
                let all = self.seen.borrow();
                // The plan's order guarantees that it was started before.
                all.get(id).map_or((ContainerEnd::Running, true, Health::Unknown), |seen| {
                    (seen.program_end(), seen.end == ContainerEnd::Running, seen.health)
                })
            };
            match (wait.condition, end) {
                (Condition::Started, _) | (Condition::Completed, ContainerEnd::Exited(0)) => return Ok(()),
                (Condition::Healthy, _) if stays && health == Health::Good => return Ok(()),
                (_, ContainerEnd::Running) => {}
                // Its check can still pass: a program may have prepared everything and ended.
                (Condition::Healthy, ContainerEnd::Exited(0)) if stays => {}
                (_, end) => return Err(failed(format!("it {}", end.describe()))),
            }
            if Instant::now() >= limit {
                let word = wait.condition.as_str();
                return Err(failed(format!("it is not {word} after {seconds} s")));
            }
            self.next_look().await;
        }
    }

    /// Waits until the health check of a container passes, or its program exits with code 0. A container
    /// without a health check is ready at once.
    pub(super) async fn wait_until_ready(&self, container: &ContainerPlan) -> Result<(), Failure> {
        let id = &container.container_id;
        let limit = Instant::now() + Duration::from_secs(container.startup_seconds.into());
        while container.health_check.is_some() {
            let (end, health) = {
                let all = self.seen.borrow();
                all.get(id).map_or((ContainerEnd::Running, Health::Unknown), |seen| {
                    (seen.program_end(), seen.health)
                })
            };
            let failed = |message: String| Failure {
                stage: Stage::Startup,
                container_id: Some(id.clone()),
                message: format!("`{id}` did not become ready: it {message}"),
            };
            match (end, health) {
                (ContainerEnd::Running, Health::Good) | (ContainerEnd::Exited(0), _) => break,
                (ContainerEnd::Running, _) if Instant::now() >= limit => {
                    let state = if health == Health::Bad { "unhealthy" } else { "not healthy" };
                    return Err(failed(format!("is {state} after {} s", container.startup_seconds)));
                }
                (ContainerEnd::Running, _) => self.next_look().await,
                (end, _) => return Err(failed(end.describe())),
            }
        }
        self.tell(Event::Ready { container_id: id.clone() });
        Ok(())
    }

    /// Removes a container with its anonymous volumes, running or not.
    pub(super) async fn remove_container(&self, engine_id: &str) -> Result<(), EngineError> {
        let options =
            bollard::query_parameters::RemoveContainerOptions { v: true, force: true, ..Default::default() };
        self.docker
            .remove_container(engine_id, Some(options))
            .await
            .map_err(|error| EngineError(describe(&error)))
    }
}
