//! Removes everything that a run made, which is found by its label, including objects that were being made
//! when the run was stopped. Also removes what dead runs left behind.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bollard::Docker;
use bollard::query_parameters::{
    ListContainersOptions, ListImagesOptions, ListNetworksOptions, ListVolumesOptions,
    RemoveContainerOptions, RemoveImageOptions, RemoveVolumeOptions,
};

use super::name::RunName;
use super::run::Run;
use super::{EngineError, KEPT_LABEL, LABEL, describe};

/// The number of attempts at removal: a container that is being removed keeps its network for a moment.
const ROUNDS: usize = 5;
const BETWEEN_ROUNDS: Duration = Duration::from_millis(200);

/// Options for cleaning up after runs.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CleanOptions {
    /// The age above which runs on the same engine count as dead if only their age is known. A run that was
    /// started in this pid namespace since this host's boot counts as dead once its process has ended.
    pub older_than: Duration,
    /// Also remove images that were kept for later runs.
    pub kept_images: bool,
    /// Remove nothing, but list what would be removed.
    pub dry_run: bool,
}

impl Default for CleanOptions {
    /// Returns an age of one day; kept images are not removed.
    fn default() -> Self {
        Self { older_than: Duration::from_secs(24 * 3_600), kept_images: false, dry_run: false }
    }
}

/// The result of removing the remains of dead runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Cleaned {
    /// Names of the runs that made the objects, sorted.
    pub runs: Vec<String>,
    /// Objects that were removed, or would be in a dry run, each with its kind: `container 3f2c..`.
    pub removed: Vec<String>,
    /// Objects that could not be removed, and kinds of objects that could not be listed, each with the
    /// reason.
    pub left_over: Vec<String>,
}

/// An object on the engine with a label of this program.
#[derive(Debug, PartialEq, Eq)]
struct Thing {
    kind: Kind,
    id: String,
    run: String,
}

impl Thing {
    fn name(&self) -> String {
        format!("{} {}", self.kind.word(), self.id)
    }
}

/// The kinds of objects, in the order in which they can be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Container,
    Network,
    Volume,
    Image,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Container => "container",
            Self::Network => "network",
            Self::Volume => "volume",
            Self::Image => "image",
        }
    }
}

/// Returns all objects with the label in `filter` (`label` or `label=value`), and a message for each list
/// that the engine refused.
async fn labelled(docker: &Docker, key: &str, filter: &str) -> (Vec<Thing>, Vec<String>) {
    let filters = || Some(HashMap::from([("label".to_owned(), vec![filter.to_owned()])]));
    let (mut things, mut refused) = (Vec::new(), Vec::new());
    let mut add =
        |kind: Kind, found: Result<Vec<(String, Option<String>)>, bollard::errors::Error>| match found {
            Ok(found) => things.extend(found.into_iter().map(|(id, run)| Thing {
                kind,
                id,
                run: run.unwrap_or_default(),
            })),
            Err(error) => refused.push(format!("list of {}s: {}", kind.word(), describe(&error))),
        };
    let run_of = |labels: Option<HashMap<String, String>>| labels.and_then(|mut labels| labels.remove(key));
    let options = ListContainersOptions { all: true, filters: filters(), ..Default::default() };
    add(
        Kind::Container,
        docker
            .list_containers(Some(options))
            .await
            .map(|all| all.into_iter().filter_map(|one| Some((one.id?, run_of(one.labels)))).collect()),
    );
    add(
        Kind::Network,
        docker
            .list_networks(Some(ListNetworksOptions { filters: filters() }))
            .await
            .map(|all| all.into_iter().filter_map(|one| Some((one.id?, run_of(one.labels)))).collect()),
    );
    add(
        Kind::Volume,
        docker.list_volumes(Some(ListVolumesOptions { filters: filters() })).await.map(|all| {
            let volumes = all.volumes.unwrap_or_default();
            volumes.into_iter().map(|one| (one.name, run_of(Some(one.labels)))).collect()
        }),
    );
    let options = ListImagesOptions { all: true, filters: filters(), ..Default::default() };
    add(
        Kind::Image,
        docker
            .list_images(Some(options))
            .await
            .map(|all| all.into_iter().map(|one| (one.id, run_of(Some(one.labels)))).collect()),
    );
    (things, refused)
}

async fn remove(docker: &Docker, thing: &Thing) -> Result<(), EngineError> {
    let id = &thing.id;
    let removed = match thing.kind {
        Kind::Container => {
            let options = RemoveContainerOptions { v: true, force: true, ..Default::default() };
            docker.remove_container(id, Some(options)).await
        }
        Kind::Network => docker.remove_network(id).await,
        Kind::Volume => docker.remove_volume(id, Some(RemoveVolumeOptions { force: true })).await,
        Kind::Image => {
            let options = RemoveImageOptions { force: true, ..Default::default() };
            docker.remove_image(id, Some(options), None).await.map(|_| ())
        }
    };
    match removed {
        // Removing an image also removes its untagged parents, which are then not found (404).
        Ok(()) | Err(bollard::errors::Error::DockerResponseServerError { status_code: 404, .. }) => Ok(()),
        Err(error) => Err(EngineError(describe(&error))),
    }
}

/// Removes objects, containers first; returns those that remain, and why.
async fn remove_all<'t>(docker: &Docker, things: &'t [Thing]) -> Vec<(&'t Thing, String)> {
    let mut left: Vec<&Thing> = things.iter().collect();
    left.sort_by_key(|thing| thing.kind);
    let mut why = Vec::new();
    for round in 0..ROUNDS {
        let mut again = Vec::new();
        why.clear();
        for thing in left {
            if let Err(error) = remove(docker, thing).await {
                why.push((thing, format!("{}: {error}", thing.name())));
                again.push(thing);
            }
        }
        left = again;
        if left.is_empty() {
            break;
        }
        if round + 1 < ROUNDS {
            tokio::time::sleep(BETWEEN_ROUNDS).await;
        }
    }
    why
}

/// Returns the remains of dead runs, with kept images if the options include them, and a message for each
/// list that the engine refused.
async fn left_by_the_dead(docker: &Docker, options: &CleanOptions) -> (Vec<Thing>, Vec<String>) {
    let (mut things, mut refused) = labelled(docker, LABEL, LABEL).await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    things.retain(|thing| RunName::parse(&thing.run).is_some_and(|run| run.is_dead(now, options.older_than)));
    if options.kept_images {
        let (kept, more) = labelled(docker, KEPT_LABEL, KEPT_LABEL).await;
        things.extend(kept.into_iter().filter(|thing| thing.kind == Kind::Image));
        refused.extend(more);
    }
    (things, refused)
}

/// Removes everything that dead runs left on an engine.
pub(super) async fn clean(docker: &Docker, options: &CleanOptions) -> Cleaned {
    let (things, refused) = left_by_the_dead(docker, options).await;
    let runs: BTreeSet<String> =
        things.iter().map(|thing| thing.run.clone()).filter(|run| !run.is_empty()).collect();
    let remaining = if options.dry_run { Vec::new() } else { remove_all(docker, &things).await };
    let removed = removed(&things, &remaining);
    let left_over = refused.into_iter().chain(remaining.into_iter().map(|(_, why)| why)).collect();
    Cleaned { runs: runs.into_iter().collect(), removed, left_over }
}

/// Returns the names of the objects that do not remain, sorted.
fn removed(things: &[Thing], remaining: &[(&Thing, String)]) -> Vec<String> {
    let remains = |thing: &Thing| remaining.iter().any(|(left, _)| *left == thing);
    let mut removed: Vec<String> = things.iter().filter(|thing| !remains(thing)).map(Thing::name).collect();
    removed.sort();
    removed
}

impl Run<'_> {
    /// Returns the number of dead runs of this host and pid namespace that left objects behind.
    pub(super) async fn dead_runs(&self) -> usize {
        let options = CleanOptions { older_than: Duration::MAX, ..CleanOptions::default() };
        let (things, _) = left_by_the_dead(self.docker, &options).await;
        things.into_iter().map(|thing| thing.run).collect::<BTreeSet<_>>().len()
    }

    /// Removes containers, networks, volumes and images of this run; returns those that remain, and why.
    pub(super) async fn clean(&self) -> Vec<String> {
        let mut left = Vec::new();
        // Listed again each time: objects that were being made when the run was stopped appear late.
        for round in 0..ROUNDS {
            let (things, refused) = labelled(self.docker, LABEL, &format!("{LABEL}={}", self.name)).await;
            left = refused;
            left.extend(remove_all(self.docker, &things).await.into_iter().map(|(_, why)| why));
            if left.is_empty() && things.is_empty() {
                break;
            }
            if round + 1 < ROUNDS && !left.is_empty() {
                self.next_look().await;
            }
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Thing, removed};

    #[test]
    fn an_object_is_removed_although_one_with_a_longer_name_remains() {
        let volume = |id: &str| Thing { kind: Kind::Volume, id: id.to_owned(), run: String::new() };
        let things = ["RUN-1", "RUN-10", "RUN-2"].map(volume);
        let remaining = [(&things[1], "volume RUN-10: in use".to_owned())];
        assert_eq!(removed(&things, &remaining), ["volume RUN-1", "volume RUN-2"]);
    }
}
