//! Removes all that a run made, found again by its label: also what was made in the moment the run was stopped.

use std::collections::HashMap;

use bollard::query_parameters::{
    ListContainersOptions, ListImagesOptions, ListNetworksOptions, ListVolumesOptions, RemoveImageOptions,
    RemoveVolumeOptions,
};

use super::run::Run;
use super::{LABEL, describe};

/// A container that is being removed keeps its network for a moment.
const ROUNDS: usize = 5;

impl Run<'_> {
    /// Removes containers, networks, volumes and images; what is left, and why.
    pub(super) async fn clean(&self) -> Vec<String> {
        let mut left = Vec::new();
        for round in 0..ROUNDS {
            left = self.clean_once().await;
            if left.is_empty() {
                break;
            }
            if round + 1 < ROUNDS {
                self.next_look().await;
            }
        }
        left
    }

    async fn clean_once(&self) -> Vec<String> {
        let filters = || Some(HashMap::from([("label".to_owned(), vec![format!("{LABEL}={}", self.name)])]));
        let mut left = Vec::new();
        let mut note = |what: &str, name: &str, result: Result<(), String>| {
            if let Err(why) = result {
                left.push(format!("{what} {name}: {why}"));
            }
        };
        let options = ListContainersOptions { all: true, filters: filters(), ..Default::default() };
        match self.docker.list_containers(Some(options)).await {
            Ok(containers) => {
                for id in containers.into_iter().filter_map(|container| container.id) {
                    note("container", &id, self.remove_container(&id).await);
                }
            }
            Err(error) => note("containers of", &self.name, Err(describe(&error))),
        }
        match self.docker.list_networks(Some(ListNetworksOptions { filters: filters() })).await {
            Ok(networks) => {
                for id in networks.into_iter().filter_map(|network| network.id) {
                    let removed = self.docker.remove_network(&id).await;
                    note("network", &id, removed.map_err(|error| describe(&error)));
                }
            }
            Err(error) => note("networks of", &self.name, Err(describe(&error))),
        }
        match self.docker.list_volumes(Some(ListVolumesOptions { filters: filters() })).await {
            Ok(volumes) => {
                for volume in volumes.volumes.unwrap_or_default() {
                    let options = RemoveVolumeOptions { force: true };
                    let removed = self.docker.remove_volume(&volume.name, Some(options)).await;
                    note("volume", &volume.name, removed.map_err(|error| describe(&error)));
                }
            }
            Err(error) => note("volumes of", &self.name, Err(describe(&error))),
        }
        if self.options.keep_images {
            return left;
        }
        let options = ListImagesOptions { all: true, filters: filters(), ..Default::default() };
        match self.docker.list_images(Some(options)).await {
            Ok(images) => {
                for image in images {
                    let options = RemoveImageOptions { force: true, ..Default::default() };
                    let removed = self.docker.remove_image(&image.id, Some(options), None).await;
                    note("image", &image.id, removed.map(|_| ()).map_err(|error| describe(&error)));
                }
            }
            Err(error) => note("images of", &self.name, Err(describe(&error))),
        }
        self.remove_intermediate().await;
        left
    }

    /// A build that failed leaves the images of its first steps, without a label: the last goes first, and only if nobody
    /// has named it.
    async fn remove_intermediate(&self) {
        let made = self.intermediate.take();
        for id in made.iter().rev() {
            let Ok(image) = self.docker.inspect_image(id).await else { continue };
            if image.repo_tags.is_none_or(|tags| tags.is_empty()) {
                let _ = self.docker.remove_image(id, None::<RemoveImageOptions>, None).await;
            }
        }
    }
}
