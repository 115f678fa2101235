//! The order in which containers are started, and the containers that are stopped when one exits.

use std::collections::BTreeSet;

use crate::config::Container;

/// Returns the indices of the containers, each after all its dependencies, and otherwise in the configuration's order.
///
/// Dependencies on containers that do not exist are ignored. Takes O(containers × (containers + dependencies)) steps.
///
/// # Errors
/// The ids along a cycle of dependencies; the first is repeated at the end.
pub fn start_order(containers: &[Container]) -> Result<Vec<usize>, Vec<String>> {
    let needs: Vec<BTreeSet<usize>> =
        containers.iter().map(|container| needed(containers, container)).collect();
    let mut placed = vec![false; containers.len()];
    let mut order = Vec::with_capacity(containers.len());
    while order.len() < containers.len() {
        let next = (0..containers.len())
            .find(|&index| !placed[index] && needs[index].iter().all(|&need| placed[need]));
        let Some(next) = next else { return Err(cycle(containers, &needs, &placed)) };
        placed[next] = true;
        order.push(next);
    }
    Ok(order)
}

fn needed(containers: &[Container], container: &Container) -> BTreeSet<usize> {
    let on = container.depends_on.iter().map(|dependency| &dependency.container_id);
    on.filter_map(|id| containers.iter().position(|other| other.container_id == *id)).collect()
}

/// Finds a cycle. Every container that is not placed depends on another such container, so a path along these
/// dependencies must reach one of them twice.
fn cycle(containers: &[Container], needs: &[BTreeSet<usize>], placed: &[bool]) -> Vec<String> {
    let mut path: Vec<usize> = Vec::new();
    let mut at = placed.iter().position(|placed| !placed);
    while let Some(index) = at {
        if let Some(start) = path.iter().position(|&seen| seen == index) {
            path.drain(..start);
            path.push(index);
            break;
        }
        path.push(index);
        at = needs[index].iter().copied().find(|&need| !placed[need]);
    }
    path.into_iter().map(|index| containers[index].container_id.clone()).collect()
}

/// Returns the containers that are stopped when `exited` exits, in the order in which they are stopped: those that it
/// terminates, then those that they terminate, and so on. `exited` and containers that do not exist are left out, and
/// each container occurs once.
pub fn cascade(containers: &[Container], exited: &str) -> Vec<String> {
    let mut stopped: Vec<String> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::from([exited]);
    let mut at = exited;
    let mut next = 0;
    loop {
        let terminates =
            containers.iter().find(|container| container.container_id == at).map(|c| &c.terminates);
        for id in terminates.into_iter().flatten() {
            let exists = containers.iter().find(|container| container.container_id == *id);
            if let Some(container) = exists
                && seen.insert(&container.container_id)
            {
                stopped.push(container.container_id.clone());
            }
        }
        let Some(id) = stopped.get(next) else { return stopped };
        at =
            containers.iter().find(|container| container.container_id == *id).map_or("", |c| &c.container_id);
        next += 1;
    }
}
