//! What becomes of the containers: their states, their ends, whom they take along, and who waits for them.

use std::time::{Duration, Instant};

use bollard::models::HealthStatusEnum;
use bollard::query_parameters::{InspectContainerOptions, StopContainerOptions};
use fablegrade_judgehost::config::{Condition, Dependency};
use fablegrade_judgehost::{ContainerEnd, ContainerPlan, Failure, Stage};

use super::run::Run;
use super::{Event, describe};

/// Between two looks at the containers.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
/// What a container has to end by itself when it is stopped because of another one.
const GRACE_SECONDS: i32 = 10;
/// The engine may fail so many looks in a row before the run does.
const FAILED_LOOKS: u32 = 25;

/// What was seen of a container that was started.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) engine_id: String,
    started: Instant,
    health: Health,
    /// How it ended; `Running` until then.
    end: ContainerEnd,
    /// Why it was stopped, if it was.
    stopped: Option<ContainerEnd>,
    /// Whether its end has taken along whom it terminates.
    cascaded: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    Unknown,
    Good,
    Bad,
}

impl Seen {
    pub(super) fn started(engine_id: String) -> Self {
        Self {
            engine_id,
            started: Instant::now(),
            health: Health::Unknown,
            end: ContainerEnd::Running,
            stopped: None,
            cascaded: false,
        }
    }
}

impl Run<'_> {
    /// The engine's id of a container that was started.
    pub(super) fn engine_id(&self, container_id: &str) -> Option<String> {
        self.seen.borrow().get(container_id).map(|seen| seen.engine_id.clone())
    }

    /// How a container ended, as far as was seen.
    pub(super) fn end_of(&self, container_id: &str) -> ContainerEnd {
        self.seen.borrow().get(container_id).map_or(ContainerEnd::Running, |seen| seen.end)
    }

    /// Whether a container was started and has not ended, as far as was seen.
    pub(super) fn is_running(&self, container_id: &str) -> bool {
        self.seen.borrow().get(container_id).is_some_and(|seen| seen.end == ContainerEnd::Running)
    }

    /// Until the containers have been looked at once more.
    pub(super) async fn next_look(&self) {
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }

    /// Looks at the containers again and again; an exit takes along whom it terminates, a life that is too long is ended.
    /// Comes back only when the engine does not answer any more.
    pub(super) async fn watch(&self) -> Failure {
        let mut failed = 0;
        loop {
            failed = if self.look_at_all().await { 0 } else { failed + 1 };
            if failed > FAILED_LOOKS {
                let message = "the container engine does not answer any more".to_owned();
                return Failure { stage: Stage::Engine, container_id: None, message };
            }
            self.next_look().await;
        }
    }

    /// Looks at every container that was running; `false` when the engine did not answer.
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
            // Only now: a look that was broken off is begun again.
            if let Some(seen) = self.seen.borrow_mut().get_mut(&container.container_id) {
                seen.cascaded = true;
            }
        }
        answered
    }

    fn is_to_cascade(&self, container_id: &str) -> bool {
        let all = self.seen.borrow();
        all.get(container_id).is_some_and(|seen| seen.end != ContainerEnd::Running && !seen.cascaded)
    }

    async fn look_at(&self, container: &ContainerPlan) -> bool {
        let id = &container.container_id;
        let Some(engine_id) = self.engine_id(id).filter(|_| self.is_running(id)) else { return true };
        let inspected = self.docker.inspect_container(&engine_id, None::<InspectContainerOptions>).await;
        let Ok(Some(state)) = inspected.map(|inspected| inspected.state) else { return false };
        let too_long = {
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
            seen.started.elapsed() >= Duration::from_secs(container.lifetime.into())
        };
        if !self.is_running(id) {
            self.tell(Event::Ended { container_id: id.clone(), end: self.end_of(id) });
        } else if too_long {
            self.stop(id, ContainerEnd::TimedOut, 0).await;
        }
        true
    }

    async fn stop(&self, container_id: &str, why: ContainerEnd, grace: i32) {
        let engine_id = {
            let mut all = self.seen.borrow_mut();
            let Some(seen) = all.get_mut(container_id) else { return };
            if seen.end != ContainerEnd::Running {
                return;
            }
            seen.stopped.get_or_insert(why);
            seen.engine_id.clone()
        };
        // A container that ended meanwhile need not be stopped; the next poll sees its end.
        let options = StopContainerOptions { t: Some(grace), ..Default::default() };
        let _ = self.docker.stop_container(&engine_id, Some(options)).await;
    }

    /// Waits until a dependency is met. `timeout` is the limit; it is never below `retry` looks `retry_interval` apart.
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
            message: format!("`{}` waits in vain for `{id}`: {message}", container.container_id),
        };
        let seconds = u64::from(wait.timeout).max(u64::from(wait.retry) * u64::from(wait.retry_interval));
        let limit = Instant::now() + Duration::from_secs(seconds);
        loop {
            let (end, health) = {
                let all = self.seen.borrow();
                // The order of the plan has started it before.
                all.get(id).map_or((ContainerEnd::Running, Health::Unknown), |seen| (seen.end, seen.health))
            };
            match (wait.condition, end) {
                (Condition::Started, _) | (Condition::Completed, ContainerEnd::Exited(0)) => return Ok(()),
                (Condition::Healthy, ContainerEnd::Running) if health == Health::Good => return Ok(()),
                (_, ContainerEnd::Running) => {}
                (_, end) => return Err(failed(format!("it {}", end.describe()))),
            }
            if Instant::now() >= limit {
                let word = wait.condition.as_str();
                return Err(failed(format!("it is not {word} after {seconds} s")));
            }
            self.next_look().await;
        }
    }

    /// Waits until the health check of a container passes; one without a check is ready at once.
    pub(super) async fn wait_until_ready(&self, container: &ContainerPlan) -> Result<(), Failure> {
        let id = &container.container_id;
        let limit = Instant::now() + Duration::from_secs(container.startup_seconds.into());
        while container.health_check.is_some() {
            let (end, health) = {
                let all = self.seen.borrow();
                all.get(id).map_or((ContainerEnd::Running, Health::Unknown), |seen| (seen.end, seen.health))
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

    /// Removes a container with its volumes, running or not.
    pub(super) async fn remove_container(&self, engine_id: &str) -> Result<(), String> {
        let options =
            bollard::query_parameters::RemoveContainerOptions { v: true, force: true, ..Default::default() };
        self.docker.remove_container(engine_id, Some(options)).await.map_err(|error| describe(&error))
    }
}
