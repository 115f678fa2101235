//! One run, from the first image to the last removal.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::pin::pin;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bollard::Docker;
use bollard::exec::StartExecOptions;
use bollard::models::{
    ContainerCreateBody, EndpointSettings, ExecConfig, HealthConfig, HostConfig, HostConfigLogConfig, Mount,
    MountType, MountVolumeOptions, NetworkCreateRequest, NetworkingConfig, VolumeCreateRequest,
};
use bollard::query_parameters::CreateContainerOptions;
use fablegrade_judgehost::config::MountSource;
use fablegrade_judgehost::rubric::{MAX_BYTES, file_name};
use fablegrade_judgehost::{
    ContainerOutcome, ContainerPlan, Delivery, Failure, HookOutcome, Outcome, Package, Plan, ResultFile,
    Stage,
};
use futures_util::future::{Either, select};

use super::hooks::Logs;
use super::name::RunName;
use super::volumes::Address;
use super::watch::Seen;
use super::{Event, LABEL, Report, RunOptions, describe, files};

/// The maximum number of lines, and of bytes, that are kept of a container's output.
const LOG_LINES: &str = "2000";
const CONTAINER_LOG_BYTES: usize = 1 << 20;
const SECOND: i64 = 1_000_000_000;
/// Keeps a container running until it is stopped, by reading from its open standard input. It needs only a
/// shell, as hooks do.
const STAY: &str = "trap '' TERM; read -r _";
/// Runs a program whose output becomes that of the container.
const RUN_BESIDE: &str = r#"exec "$0" "$@" >/proc/1/fd/1 2>/proc/1/fd/2"#;

pub(super) struct Run<'a> {
    pub(super) docker: &'a Docker,
    pub(super) package: &'a Package,
    pub(super) plan: &'a Plan,
    pub(super) deliveries: &'a [Delivery],
    pub(super) options: &'a RunOptions,
    /// The name of the run, which is the value of the label.
    pub(super) name: String,
    teller: RefCell<&'a mut dyn FnMut(Event)>,
    /// The observed states of the containers, by their ids in the plan.
    pub(super) seen: RefCell<BTreeMap<String, Seen>>,
    /// Ids in the plan, in the order in which the containers were started.
    pub(super) order: RefCell<Vec<String>>,
    pub(super) hooks: RefCell<Vec<HookOutcome>>,
    pub(super) logs: RefCell<Logs>,
    /// The container of the current build step.
    pub(super) step: RefCell<Option<String>>,
    /// The size of each volume of the engine when it was last measured, in bytes.
    pub(super) volume_sizes: RefCell<HashMap<String, u64>>,
    /// True while images are being built.
    pub(super) building: Cell<bool>,
    /// True once the run is to end.
    pub(super) stopping: Cell<bool>,
    start_time: Cell<u64>,
}

fn engine(message: impl std::fmt::Display) -> Failure {
    Failure { stage: Stage::Engine, container_id: None, message: message.to_string() }
}

fn refused(error: bollard::errors::Error) -> Failure {
    engine(describe(&error))
}

impl<'a> Run<'a> {
    pub(super) fn new(
        docker: &'a Docker,
        package: &'a Package,
        plan: &'a Plan,
        deliveries: &'a [Delivery],
        options: &'a RunOptions,
        tell: &'a mut dyn FnMut(Event),
    ) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            docker,
            package,
            plan,
            deliveries,
            options,
            name: RunName::new().as_str().to_owned(),
            teller: RefCell::new(tell),
            seen: RefCell::default(),
            order: RefCell::default(),
            hooks: RefCell::default(),
            logs: RefCell::default(),
            step: RefCell::default(),
            volume_sizes: RefCell::default(),
            building: Cell::new(false),
            stopping: Cell::new(false),
            start_time: Cell::new(now.as_secs()),
        }
    }

    pub(super) fn tell(&self, event: Event) {
        (self.teller.borrow_mut())(event);
    }

    /// Carries out the whole run and always cleans up, even after a failure.
    pub(super) async fn whole(self, address: &Address) -> Report {
        let failure = {
            let work = pin!(self.build_and_evaluate(address));
            let stop = pin!(self.stop_signal());
            match select(work, stop).await {
                Either::Left((result, _)) => result.err(),
                Either::Right(((), work)) => {
                    if self.building.get() {
                        self.end_build(work).await;
                    }
                    Some(Failure {
                        stage: Stage::Interrupted,
                        container_id: None,
                        message: "the run was stopped".into(),
                    })
                }
            }
        };
        let mut report = Report::default();
        self.look_at_all().await;
        self.collect(failure, &mut report).await;
        self.tell(Event::Cleaning);
        report.left_over = self.clean().await;
        let Logs { out, err } = self.logs.take();
        report.hooks_log = out;
        report.hooks_error_log = err;
        report
    }

    async fn stop_signal(&self) {
        use tokio::signal::unix::{SignalKind, signal};
        if !self.options.signals {
            return std::future::pending().await;
        }
        let watched = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
        let mut watched: Vec<_> = watched.into_iter().flatten().collect();
        if watched.is_empty() {
            return std::future::pending().await;
        }
        let first = watched.iter_mut().map(|signal| Box::pin(signal.recv()));
        futures_util::future::select_all(first).await;
    }

    async fn build_and_evaluate(&self, address: &Address) -> Result<(), Failure> {
        let dead = self.dead_runs().await;
        if dead > 0 {
            self.tell(Event::LeftBehind { runs: dead });
        }
        self.building.set(true);
        let images = self.build_images().await;
        self.building.set(false);
        let images = images?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.start_time.set(now.as_secs());
        let total = Duration::from_secs(self.plan.total_seconds.into());
        let evaluation = async {
            let network = self.create_network().await?;
            let volumes = self.create_volumes(&images).await?;
            let drive = pin!(self.drive(&network, &images, &volumes));
            let watch = pin!(self.watch());
            let measure = pin!(self.measure_volumes(address));
            match select(drive, select(watch, measure)).await {
                Either::Left((result, _)) => result,
                Either::Right((Either::Left((failure, _)), _)) => Err(failure),
                Either::Right((Either::Right((never, _)), _)) => match never {},
            }
        };
        tokio::time::timeout(total, evaluation).await.unwrap_or_else(|_| {
            Err(Failure {
                stage: Stage::TotalTime,
                container_id: None,
                message: format!("the evaluation took longer than {} s", self.plan.total_seconds),
            })
        })
    }

    fn labels(&self) -> HashMap<String, String> {
        HashMap::from([(LABEL.into(), self.name.clone())])
    }

    async fn create_network(&self) -> Result<String, Failure> {
        let network = &self.plan.network;
        let mut options = HashMap::new();
        if let Some(mtu) = network.mtu {
            options.insert("com.docker.network.driver.mtu".to_owned(), mtu.to_string());
        }
        if network.internal && network.driver == "bridge" {
            // A bridge without an address does not forward packets to services of the host either.
            options.insert("com.docker.network.bridge.inhibit_ipv4".into(), "true".into());
        }
        let request = NetworkCreateRequest {
            // Two simultaneous runs of the same files must not share a network.
            name: format!("{}-{}", self.name, network.name),
            driver: Some(network.driver.clone()),
            internal: Some(network.internal),
            options: Some(options),
            labels: Some(self.labels()),
            ..Default::default()
        };
        Ok(self.docker.create_network(request).await.map_err(refused)?.id)
    }

    /// Creates one volume per mounted folder or volume. The volumes of folders are filled through a container
    /// that is never started.
    async fn create_volumes(
        &self,
        images: &HashMap<String, String>,
    ) -> Result<HashMap<MountSource, String>, Failure> {
        let mut volumes: HashMap<MountSource, String> = HashMap::new();
        for mount in self.plan.containers.iter().flat_map(|container| &container.mounts) {
            let wanted = match &mount.source {
                MountSource::Bind(path) => self.package.files.has_folder(path),
                MountSource::Volume(_) => true,
                MountSource::Tmpfs => false,
            };
            if !wanted || volumes.contains_key(&mount.source) {
                continue;
            }
            let name = format!("{}-{}", self.name, volumes.len());
            self.create_volume(&name).await?;
            volumes.insert(mount.source.clone(), name);
        }
        let filled = |source: &MountSource| matches!(source, MountSource::Bind(_));
        let Some(image) = images.values().next().filter(|_| volumes.keys().any(filled)) else {
            return Ok(volumes);
        };
        let place = |name: &str| format!("/fablegrade-{name}");
        let mounts = volumes.values().map(|name| Mount {
            typ: Some(MountType::VOLUME),
            source: Some(name.clone()),
            target: Some(place(name)),
            ..Default::default()
        });
        let body = ContainerCreateBody {
            image: Some(image.clone()),
            cmd: Some(vec!["/".into()]),
            labels: Some(self.labels()),
            host_config: Some(HostConfig {
                mounts: Some(mounts.collect()),
                network_mode: Some("none".into()),
                ..Default::default()
            }),
            ..Default::default()
        };
        let filler =
            self.docker.create_container(None::<CreateContainerOptions>, body).await.map_err(refused)?.id;
        for (source, name) in &volumes {
            let MountSource::Bind(path) = source else { continue };
            let archive = files::pack(&self.package.files.below(path), "", None, 0o755).map_err(engine)?;
            files::upload(self.docker, &filler, &place(name), archive).await.map_err(refused)?;
        }
        self.remove_container(&filler).await.map_err(engine)?;
        Ok(volumes)
    }

    /// Creates a volume, with a quota if the engine's file system supports that. Without a quota, only the
    /// measured size limits it.
    async fn create_volume(&self, name: &str) -> Result<(), Failure> {
        let limit = self.plan.containers.iter().map(|container| container.disk).max().unwrap_or_default();
        let request = |options| VolumeCreateRequest {
            name: Some(name.to_owned()),
            labels: Some(self.labels()),
            driver_opts: options,
            ..Default::default()
        };
        let quota = HashMap::from([("size".to_owned(), limit.to_string())]);
        if self.docker.create_volume(request(Some(quota))).await.is_ok() {
            return Ok(());
        }
        self.docker.create_volume(request(None)).await.map_err(refused)?;
        Ok(())
    }

    /// Drives the run: starts the containers in order, runs the hooks, then waits for containers that end by
    /// themselves.
    async fn drive(
        &self,
        network: &str,
        images: &HashMap<String, String>,
        volumes: &HashMap<MountSource, String>,
    ) -> Result<(), Failure> {
        for container in &self.plan.containers {
            for wait in &container.waits {
                self.wait_for(container, wait).await?;
            }
            self.start(container, network, &images[&container.container_id], volumes).await?;
            self.wait_until_ready(container).await?;
            self.pre_hooks(container).await?;
        }
        let periodic = pin!(self.periodic_hooks());
        let last = pin!(async {
            self.post_hooks().await;
            self.await_ends().await;
        });
        select(periodic, last).await;
        Ok(())
    }

    async fn start(
        &self,
        container: &ContainerPlan,
        network: &str,
        image: &str,
        volumes: &HashMap<MountSource, String>,
    ) -> Result<(), Failure> {
        let id = &container.container_id;
        let mut body = self.describe_container(container, network, image, volumes);
        let program = if container.hooked { self.program_of(image).await? } else { Vec::new() };
        if container.hooked {
            body.entrypoint = Some(["/bin/sh", "-c", STAY].map(str::to_owned).to_vec());
            body.cmd = Some(Vec::new());
            body.open_stdin = Some(true);
        }
        let name = CreateContainerOptions { name: Some(format!("{}-{id}", self.name)), ..Default::default() };
        let created = self.docker.create_container(Some(name), body).await.map_err(refused)?.id;
        let put = |archive: std::io::Result<Vec<u8>>| async {
            files::upload(self.docker, &created, "/", archive.map_err(engine)?).await.map_err(refused)
        };
        put(files::pack_folder("out")).await?;
        for mount in &container.mounts {
            // A single file cannot be a volume, so it is copied.
            if let MountSource::Bind(path) = &mount.source
                && let Some(file) = self.package.files.get(path)
            {
                put(pack_file(&mount.destination, file)).await?;
            }
        }
        for delivery in self.deliveries.iter().filter(|delivery| delivery.container_id == *id) {
            let prefix = format!("{}/", delivery.extract_path.trim_matches('/'));
            let prefix = prefix.trim_start_matches('/');
            put(files::pack(
                &delivery.files,
                prefix,
                Some(delivery.permissions),
                delivery.folder_permissions(),
            ))
            .await?;
        }
        let start = None::<bollard::query_parameters::StartContainerOptions>;
        // If the engine cannot start the container, the program inside is not at fault: its failures show as
        // exit codes.
        self.docker.start_container(&created, start).await.map_err(|error| Failure {
            stage: Stage::Engine,
            container_id: Some(id.clone()),
            message: format!("`{id}` cannot be started: {}", describe(&error)),
        })?;
        let exec_id =
            if program.is_empty() { None } else { Some(self.exec_program(&created, program).await?) };
        self.order.borrow_mut().push(id.clone());
        self.seen.borrow_mut().insert(id.clone(), Seen::started(created, container, exec_id));
        self.tell(Event::Started { container_id: id.clone() });
        Ok(())
    }

    /// Returns the program of an image: its ENTRYPOINT and CMD.
    async fn program_of(&self, image: &str) -> Result<Vec<String>, Failure> {
        let config = self.docker.inspect_image(image).await.map_err(refused)?.config.unwrap_or_default();
        Ok([config.entrypoint, config.cmd].into_iter().flatten().flatten().collect())
    }

    /// Starts the image's program in a container that stays for its hooks. Its output becomes the
    /// container's.
    async fn exec_program(&self, container: &str, program: Vec<String>) -> Result<String, Failure> {
        let mut command = ["/bin/sh", "-c", RUN_BESIDE].map(str::to_owned).to_vec();
        command.extend(program);
        let config = ExecConfig { cmd: Some(command), ..Default::default() };
        let exec_id = self.docker.create_exec(container, config).await.map_err(refused)?.id;
        let options = StartExecOptions { detach: true, ..Default::default() };
        self.docker.start_exec(&exec_id, Some(options)).await.map_err(refused)?;
        Ok(exec_id)
    }

    fn describe_container(
        &self,
        container: &ContainerPlan,
        network: &str,
        image: &str,
        volumes: &HashMap<MountSource, String>,
    ) -> ContainerCreateBody {
        let plan = &self.plan.network;
        let mut env: Vec<String> =
            container.environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
        env.push(format!("EVALUATION_START_TIME={}", self.start_time.get()));
        let mounts = container.mounts.iter().filter_map(|mount| {
            let (typ, source) = match volumes.get(&mount.source) {
                Some(name) => (MountType::VOLUME, Some(name.clone())),
                None if mount.source == MountSource::Tmpfs => (MountType::TMPFS, None),
                None => return None,
            };
            Some(Mount {
                typ: Some(typ),
                source,
                target: Some(mount.destination.clone()),
                read_only: Some(mount.read_only),
                volume_options: matches!(mount.source, MountSource::Bind(_)).then(|| MountVolumeOptions {
                    // The image's files at this path are not copied into the volume; they stay hidden, as
                    // below any mount.
                    no_copy: Some(true),
                    ..Default::default()
                }),
                ..Default::default()
            })
        });
        let dns = match (plan.dns_servers.as_slice(), plan.internal) {
            // Look-ups of external names fail at once instead of after a long timeout.
            ([], true) => Some(vec!["127.0.0.1".to_owned()]),
            ([], false) => None,
            (servers, _) => Some(servers.to_vec()),
        };
        let memory = Some(container.memory as i64);
        let host = HostConfig {
            memory,
            memory_swap: memory,
            nano_cpus: Some(container.nano_cpus as i64),
            pids_limit: Some(container.processes.into()),
            cap_add: Some(container.cap_add.iter().map(ToString::to_string).collect()),
            cap_drop: Some(container.cap_drop.iter().map(ToString::to_string).collect()),
            security_opt: Some(vec!["no-new-privileges:true".into()]),
            init: Some(true),
            network_mode: Some(network.to_owned()),
            dns,
            mounts: Some(mounts.collect()),
            log_config: Some(HostConfigLogConfig {
                typ: Some("json-file".into()),
                config: Some(HashMap::from([
                    ("max-size".into(), "4m".into()),
                    ("max-file".into(), "1".into()),
                ])),
            }),
            ..Default::default()
        };
        let seconds = |seconds: u32| Some(i64::from(seconds) * SECOND);
        let healthcheck = container.health_check.as_ref().map(|check| HealthConfig {
            test: Some(vec!["CMD-SHELL".into(), check.command.clone()]),
            interval: seconds(check.interval),
            timeout: seconds(check.timeout),
            retries: Some(check.retries.into()),
            start_period: seconds(check.start_period),
            ..Default::default()
        });
        let endpoint =
            EndpointSettings { aliases: Some(vec![container.container_id.clone()]), ..Default::default() };
        ContainerCreateBody {
            image: Some(image.to_owned()),
            env: Some(env),
            labels: Some(self.labels()),
            healthcheck,
            exposed_ports: Some(container.ports.iter().map(ToString::to_string).collect()),
            host_config: Some(host),
            networking_config: Some(NetworkingConfig {
                endpoints_config: Some(HashMap::from([(network.to_owned(), endpoint)])),
            }),
            ..Default::default()
        }
    }

    /// Waits for containers that must end by themselves, within the time limit of the submission.
    async fn await_ends(&self) {
        let limit = Instant::now() + Duration::from_secs(self.plan.submission_seconds.into());
        for id in &self.plan.awaited {
            if !self.is_finished(id) {
                self.tell(Event::Awaiting { container_id: id.clone() });
            }
            while !self.is_finished(id) && Instant::now() < limit {
                self.next_look().await;
            }
        }
    }

    /// Collects the results and everything else that was requested. The results of all containers are
    /// collected, so forged results are detected too.
    async fn collect(&self, failure: Option<Failure>, report: &mut Report) {
        self.tell(Event::Collecting);
        let mut outcome = Outcome::new();
        outcome.failure = failure;
        let order = self.order.take();
        for id in &order {
            outcome.containers.push(ContainerOutcome { container_id: id.clone(), end: self.last_end_of(id) });
            let Some(engine_id) = self.engine_id(id) else { continue };
            for (rubric_id, _) in &self.plan.rubrics {
                let name = file_name(rubric_id);
                // One byte more than the limit, so a file that is too long is refused instead of cut.
                let content =
                    files::fetch(self.docker, &engine_id, &format!("/out/{name}"), MAX_BYTES + 1).await;
                if let Some(content) = content {
                    outcome.results.push(ResultFile { container_id: id.clone(), name, content });
                }
            }
            if let Some(most) = self.options.collect_bytes
                && let Some(out) = files::fetch_out(self.docker, &engine_id, most).await
            {
                if let Some(why) = out.incomplete {
                    report.out_incomplete.insert(id.clone(), why);
                }
                report.out.insert(id.clone(), out.files);
            }
            report.container_logs.insert(id.clone(), self.container_log(&engine_id).await);
        }
        outcome.hooks = self.hooks.take();
        report.outcome = outcome;
    }

    async fn container_log(&self, engine_id: &str) -> Vec<u8> {
        use futures_util::StreamExt as _;
        let options = bollard::query_parameters::LogsOptions {
            stdout: true,
            stderr: true,
            tail: LOG_LINES.into(),
            ..Default::default()
        };
        let mut stream = Box::pin(self.docker.logs(engine_id, Some(options)));
        let mut log = Vec::new();
        while let Some(Ok(chunk)) = stream.next().await {
            let bytes = chunk.into_bytes();
            let room = CONTAINER_LOG_BYTES.saturating_sub(log.len());
            log.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
        log
    }
}

/// Returns an archive of one file at an absolute path.
fn pack_file(destination: &str, file: &fablegrade_judgehost::File) -> std::io::Result<Vec<u8>> {
    let (folder, name) = destination.trim_start_matches('/').rsplit_once('/').unwrap_or(("", destination));
    let entries =
        [(name.trim_start_matches('/').to_owned(), fablegrade_judgehost::Entry::File(file.clone()))];
    let limits = fablegrade_judgehost::FileLimits::default();
    let one = fablegrade_judgehost::Files::from_entries(entries, limits).map_err(std::io::Error::other)?;
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    files::pack(&one, &prefix, None, 0o755)
}
