//! Cycles in a graph of names that read each other.

use std::collections::{BTreeMap, BTreeSet};

/// A name whose reads are being followed.
struct Visit<'r> {
    name: &'r str,
    reads: std::collections::btree_set::Iter<'r, String>,
    /// The number of names that were found before this one.
    index: usize,
    /// The lowest index of an open name that this name leads to.
    lowest: usize,
}

/// Returns the names that lie on a cycle of `reads`.
///
/// These are the names in strongly connected components of several names, and those that read themselves. One
/// pass of Tarjan's algorithm finds all of them, without recursion, in O(n log n) for `n` reads.
pub(super) fn names_on_cycles(reads: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&str> {
    let mut cycles = BTreeSet::new();
    // The index of each name that was found, as long as its component is open; then `None`.
    let mut found: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    // The names whose component is open, in the order in which they were found.
    let mut open: Vec<&str> = Vec::new();
    let mut visits: Vec<Visit<'_>> = Vec::new();
    for (start, named) in reads {
        if found.contains_key(start.as_str()) {
            continue;
        }
        let mut entered = Some((start.as_str(), named));
        loop {
            if let Some((name, named)) = entered.take() {
                let index = found.len();
                found.insert(name, Some(index));
                open.push(name);
                visits.push(Visit { name, reads: named.iter(), index, lowest: index });
            }
            let Some(visit) = visits.last_mut() else { break };
            if let Some(next) = visit.reads.next() {
                if next == visit.name {
                    cycles.insert(visit.name);
                }
                match found.get(next.as_str()) {
                    Some(Some(index)) => visit.lowest = visit.lowest.min(*index),
                    Some(None) => {}
                    // A name that reads nothing is on no cycle.
                    None => entered = reads.get_key_value(next).map(|(name, named)| (name.as_str(), named)),
                }
                continue;
            }
            let (index, lowest) = (visit.index, visit.lowest);
            if index == lowest {
                let from = open.iter().rposition(|name| *name == visit.name).unwrap_or(open.len());
                let component = open.split_off(from);
                if component.len() > 1 {
                    cycles.extend(component.iter().copied());
                }
                for name in component {
                    found.insert(name, None);
                }
            }
            visits.pop();
            if let Some(above) = visits.last_mut() {
                above.lowest = above.lowest.min(lowest);
            }
        }
    }
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &str)]) -> BTreeMap<String, BTreeSet<String>> {
        let mut reads: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in edges {
            reads.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        reads
    }

    fn listed(edges: &[(&str, &str)]) -> Vec<String> {
        names_on_cycles(&graph(edges)).into_iter().map(str::to_owned).collect()
    }

    /// Searches from each name, as a comparison.
    fn leads_back(reads: &BTreeMap<String, BTreeSet<String>>, start: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(name) = open.pop() {
            for next in reads.get(name).into_iter().flatten() {
                if next == start {
                    return true;
                }
                if seen.insert(next.as_str()) {
                    open.push(next);
                }
            }
        }
        false
    }

    #[test]
    fn names_on_the_way_to_a_cycle_or_between_two_are_in_none() {
        assert_eq!(listed(&[("a", "b"), ("b", "c")]), [""; 0]);
        assert_eq!(listed(&[("a", "a"), ("b", "a")]), ["a"]);
        assert_eq!(
            listed(&[("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "d")]),
            ["a", "b", "d", "e"]
        );
    }

    #[test]
    fn one_pass_finds_what_a_search_from_each_name_finds() {
        // A linear congruential generator gives graphs of 8 names.
        let mut state = 1u64;
        for edges in 0..400usize {
            let mut reads = BTreeMap::new();
            for _ in 0..edges % 14 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (from, to) = (state >> 61, state >> 58 & 7);
                reads.entry(from.to_string()).or_insert_with(BTreeSet::new).insert(to.to_string());
            }
            let expected: BTreeSet<&str> =
                reads.keys().map(String::as_str).filter(|name| leads_back(&reads, name)).collect();
            assert_eq!(names_on_cycles(&reads), expected, "{reads:?}");
        }
    }

    #[test]
    fn long_chains_and_long_cycles_take_one_pass() {
        let mut edges: Vec<(String, String)> =
            (0..30_000).map(|at| (format!("a{at}"), format!("a{}", at + 1))).collect();
        let graph = |edges: &[(String, String)]| {
            let mut reads: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for (from, to) in edges {
                reads.entry(from.clone()).or_default().insert(to.clone());
            }
            reads
        };
        assert_eq!(names_on_cycles(&graph(&edges)).len(), 0);
        edges.push(("a30000".to_owned(), "a0".to_owned()));
        assert_eq!(names_on_cycles(&graph(&edges)).len(), 30_001);
    }
}
