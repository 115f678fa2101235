//! Checks that the references of a schema stay inside it, and bounds the work and the stack that they need.
//!
//! The library follows references without limits, so everything is checked before it gets the schema. Where
//! the target of a reference depends on base URIs or on the dynamic scope, all possible targets count.

use std::collections::{BTreeMap, HashMap};

use fablegrade_public::json::Json;
use fablegrade_public::uri::percent_decoded;

use crate::SchemaError;

/// The maximum number of nodes in a schema with all references expanded, in addition to the nodes that are
/// written down. It bounds the work of a validation.
const MAX_EXPANSION: u64 = 20_000;

/// The maximum number of nested schemas with all references expanded. The library recurses once per level,
/// both when it compiles a schema and when it validates a value.
const MAX_NESTING: u64 = 512;

/// The maximum number of schemas that a recursive schema applies to one value before it proceeds to a part of
/// the value. The library's recursion is as deep as this number times the depth of the value.
const MAX_STEPS_OF_CYCLE: u64 = 32;

/// The maximum number of nodes of a recursive schema that one validation visits.
const MAX_STEPS: u64 = 4_000_000;

/// The maximum number of possible targets of one reference.
const MAX_TARGETS: usize = 64;

/// Keywords whose values are data and not schemas.
const DATA: [&str; 4] = ["const", "default", "enum", "examples"];

/// Keywords whose values are maps of definitions, which apply only where they are referred to.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// Keywords that apply their schemas to the value itself and not to a part of it.
const IN_PLACE: [&str; 7] = ["allOf", "anyOf", "else", "if", "not", "oneOf", "then"];

/// Keywords whose values map names to schemas that apply to the value itself.
const IN_PLACE_MAPS: [&str; 2] = ["dependencies", "dependentSchemas"];

/// Checks that all references stay inside the schema, that the schema is neither too large nor too deep with
/// references expanded, and that no reference leads back to itself for the same value.
///
/// Returns the steps of a recursive schema, whose work depends on the value; `None` for other schemas.
pub(crate) fn check(schema: &Json) -> Result<Option<Steps>, SchemaError> {
    let graph = Graph::new(schema)?;
    if !graph.has_references {
        return Ok(None);
    }
    // Edges that stay at the same value must not form a cycle.
    let in_place = components(&graph.edges, |edge| edge.in_place);
    if in_place.cyclic.iter().any(|cyclic| *cyclic) {
        return Err(SchemaError::EndlessReference);
    }
    let all = components(&graph.edges, |_| true);
    if graph.longest(&all, |edge| !edge.defines) > MAX_NESTING {
        return Err(SchemaError::TooLarge);
    }
    // Steps of a cycle are repeated for each level of the value.
    let inside = |node: usize, edge: &Edge| {
        edge.in_place && all.of[node] == all.of[edge.to] && all.cyclic[all.of[node]]
    };
    if graph.longest_chain(&in_place, inside) > MAX_STEPS_OF_CYCLE {
        return Err(SchemaError::TooLarge);
    }
    let written = graph.own_size.iter().fold(0_u64, |sum, size| sum.saturating_add(*size));
    if graph.expansion(&all) > written.saturating_add(MAX_EXPANSION) {
        return Err(SchemaError::TooLarge);
    }
    Ok(all.cyclic.contains(&true).then(|| Steps::new(graph)))
}

/// A step from one array or object to another one that it contains or refers to.
struct Edge {
    to: usize,
    /// True if the target applies to the same value.
    in_place: bool,
    /// True if the target is a definition, which applies only where it is referred to.
    defines: bool,
    step: Step,
}

/// The values to which the target of an edge applies.
enum Step {
    /// The same value.
    Same,
    /// The property of this name.
    Part(Box<str>),
    /// All parts of the value or some of them.
    Parts,
    /// None: the target is data, or applies only where it is referred to.
    Nowhere,
}

/// The arrays and objects of a schema. Node 0 is the schema itself.
struct Graph {
    edges: Vec<Vec<Edge>>,
    /// For each node, 1 plus the number of its scalar members.
    own_size: Vec<u64>,
    /// For each node, 1 if it is an object and 0 if it is an array.
    levels: Vec<u64>,
    has_references: bool,
}

/// The meaning of a node, which its parent determines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Schema,
    /// An array of schemas for elements of the value.
    Items,
    /// A map from names to schemas that apply to the value itself.
    InPlace,
    /// A map from names to schemas for properties of these names.
    Properties,
    /// A map from patterns to schemas for properties.
    Patterns,
    /// A map from names to schemas that apply where they are referred to.
    Definitions,
    /// Data, in which keywords have no meaning.
    Data,
}

impl Role {
    /// Returns the role of the value of a key.
    fn of_value(self, key: &str, value: &Json) -> Self {
        match self {
            Self::Data => Self::Data,
            Self::Schema if DATA.contains(&key) => Self::Data,
            Self::Schema if IN_PLACE_MAPS.contains(&key) => Self::InPlace,
            Self::Schema if DEFINITIONS.contains(&key) => Self::Definitions,
            Self::Schema => match key {
                "properties" => Self::Properties,
                "patternProperties" => Self::Patterns,
                "items" | "prefixItems" if matches!(value, Json::Array(_)) => Self::Items,
                _ => Self::Schema,
            },
            _ => Self::Schema,
        }
    }

    /// Returns the step from an object with this role to the value of a key, which has the role `value`.
    fn step(self, key: &str, value: Self) -> Step {
        match (self, value) {
            (Self::Data | Self::Definitions, _) | (_, Self::Data | Self::Definitions) => Step::Nowhere,
            (Self::Properties, _) => Step::Part(key.into()),
            (Self::Patterns, _) => Step::Parts,
            (Self::InPlace, _) | (_, Self::Items | Self::InPlace | Self::Properties | Self::Patterns) => {
                Step::Same
            }
            (Self::Schema | Self::Items, Self::Schema) => {
                if IN_PLACE.contains(&key) {
                    Step::Same
                } else {
                    Step::Parts
                }
            }
        }
    }
}

/// The keywords of a schema that decide where references lead.
struct References<'s> {
    /// Each reference's node and fragment.
    found: Vec<(usize, &'s str)>,
    /// The roots of `#` and `#/...`: the schema and all parts with a URI of their own.
    roots: Vec<&'s Json>,
    anchors: HashMap<&'s str, Vec<usize>>,
    /// True if URIs are written `id`, as in draft 4.
    plain_ids: bool,
}

impl<'s> References<'s> {
    /// Adds a keyword of the schema at node `at`; `text` is its value.
    fn add(&mut self, at: usize, json: &'s Json, key: &str, text: &'s str) -> Result<(), SchemaError> {
        match key {
            "$ref" | "$dynamicRef" | "$recursiveRef" => {
                let fragment = text.strip_prefix('#').ok_or(SchemaError::RemoteReference)?;
                self.found.push((at, fragment));
            }
            "$anchor" | "$dynamicAnchor" => self.anchors.entry(text).or_default().push(at),
            // The library has the meta-schemas under their URIs.
            "$id" if text.contains("json-schema.org") => return Err(SchemaError::RemoteReference),
            "$id" | "id" if key == "$id" || self.plain_ids => {
                // Earlier drafts write anchors this way.
                if let Some(name) = text.strip_prefix('#') {
                    self.anchors.entry(name).or_default().push(at);
                } else if at > 0 {
                    self.roots.push(json);
                }
            }
            // Another draft can have other keywords.
            "$schema" if at > 0 && !text.contains("2020-12") => return Err(SchemaError::Unusable),
            _ => {}
        }
        Ok(())
    }

    /// Returns the possible targets of a reference.
    fn targets(
        &self,
        fragment: &str,
        numbers: &HashMap<*const Json, usize>,
        roles: &[Role],
    ) -> Result<Vec<usize>, SchemaError> {
        let decoded = String::from_utf8(percent_decoded(fragment)).map_err(|_| SchemaError::Unusable)?;
        let mut targets: Vec<usize> = Vec::new();
        let mut dangles = true;
        if decoded.is_empty() || decoded.starts_with('/') {
            if self.roots.len() > MAX_TARGETS {
                return Err(SchemaError::TooLarge);
            }
            for json in self.roots.iter().filter_map(|root| pointed(root, &decoded)) {
                dangles = false;
                // `true` and `false` are schemas too, but not nodes.
                targets.extend(numbers.get(&std::ptr::from_ref(json)));
            }
        }
        for name in [fragment, &decoded] {
            targets.extend(self.anchors.get(name).into_iter().flatten());
        }
        targets.sort_unstable();
        targets.dedup();
        if targets.len() > MAX_TARGETS {
            return Err(SchemaError::TooLarge);
        }
        dangles &= targets.is_empty();
        if dangles || targets.iter().any(|target| roles[*target] != Role::Schema) {
            return Err(SchemaError::Unusable);
        }
        Ok(targets)
    }
}

impl Graph {
    fn new(schema: &Json) -> Result<Self, SchemaError> {
        let mut nodes = vec![schema];
        let mut roles = vec![Role::Schema];
        let mut graph =
            Self { edges: Vec::new(), own_size: Vec::new(), levels: Vec::new(), has_references: false };
        let declared = schema.get("$schema").and_then(Json::as_str);
        let mut references = References {
            found: Vec::new(),
            roots: vec![schema],
            anchors: HashMap::new(),
            plain_ids: declared.is_some_and(|uri| uri.contains("draft-04")),
        };
        let mut at = 0;
        while let (Some(&json), Some(&role)) = (nodes.get(at), roles.get(at)) {
            let mut edges = Vec::new();
            let mut own_size = 1;
            let mut enter = |value, role, in_place, defines, step| {
                if matches!(value, &Json::Array(_) | &Json::Object(_)) {
                    edges.push(Edge { to: nodes.len(), in_place, defines, step });
                    nodes.push(value);
                    roles.push(role);
                } else {
                    own_size += 1;
                }
            };
            match json {
                // The edge to an array shows whether its keyword applies in place, so edges to its items are in place.
                Json::Array(items) => {
                    for item in items {
                        match role {
                            Role::Items => enter(item, Role::Schema, true, false, Step::Parts),
                            Role::Data => enter(item, role, true, false, Step::Nowhere),
                            _ => enter(item, role, true, false, Step::Same),
                        }
                    }
                }
                Json::Object(fields) => {
                    for (key, value) in fields {
                        if role != Role::Data
                            && let Some(text) = value.as_str()
                        {
                            references.add(at, json, key, text)?;
                        }
                        let key = &**key;
                        let in_place =
                            role == Role::InPlace || IN_PLACE.contains(&key) || IN_PLACE_MAPS.contains(&key);
                        let inner = role.of_value(key, value);
                        let defines = inner == Role::Definitions;
                        enter(value, inner, in_place, defines, role.step(key, inner));
                    }
                }
                _ => {}
            }
            graph.edges.push(edges);
            graph.own_size.push(own_size);
            graph.levels.push(u64::from(matches!(json, Json::Object(_))));
            at += 1;
        }
        graph.has_references = !references.found.is_empty();
        if graph.has_references {
            let numbers: HashMap<*const Json, usize> =
                nodes.iter().enumerate().map(|(number, json)| (std::ptr::from_ref(*json), number)).collect();
            for (from, fragment) in &references.found {
                let targets = references.targets(fragment, &numbers, &roles)?;
                graph.edges[*from].extend(targets.into_iter().map(|to| Edge {
                    to,
                    in_place: true,
                    defines: false,
                    step: Step::Same,
                }));
            }
        }
        Ok(graph)
    }

    /// Returns the number of nested objects on a longest path. The nodes of a cycle count once each, because
    /// a path can visit all of them.
    fn longest(&self, components: &Components, counts: impl Fn(&Edge) -> bool) -> u64 {
        let mut longest = vec![0_u64; components.members.len()];
        // Components are in topological order, targets first.
        for (number, members) in components.members.iter().enumerate() {
            let mut own = 0_u64;
            let mut below = 0;
            for &node in members {
                own += self.levels[node];
                for edge in self.edges[node].iter().filter(|edge| counts(edge)) {
                    if components.of[edge.to] != number {
                        below = below.max(longest[components.of[edge.to]]);
                    }
                }
            }
            longest[number] = own.saturating_add(below);
        }
        longest.into_iter().max().unwrap_or_default()
    }

    /// Returns the number of objects on a longest path of the counted edges, which do not form a cycle.
    fn longest_chain(&self, components: &Components, counts: impl Fn(usize, &Edge) -> bool) -> u64 {
        let mut longest = vec![0_u64; self.edges.len()];
        for &node in components.members.iter().flatten() {
            let below =
                self.edges[node].iter().filter(|edge| counts(node, edge)).map(|edge| longest[edge.to]);
            longest[node] = below.max().unwrap_or_default() + self.levels[node];
        }
        longest.into_iter().max().unwrap_or_default()
    }

    /// Returns the number of nodes of the whole schema with all references expanded; references in a cycle
    /// count once, because the depth of the value bounds how often they are followed.
    fn expansion(&self, components: &Components) -> u64 {
        let mut sizes = vec![0_u64; components.members.len()];
        for (number, members) in components.members.iter().enumerate() {
            let mut size = 0_u64;
            for &node in members {
                size = size.saturating_add(self.own_size[node]);
                for edge in self.edges[node].iter().filter(|edge| !edge.defines) {
                    if components.of[edge.to] != number {
                        size = size.saturating_add(sizes[components.of[edge.to]]);
                    }
                }
            }
            sizes[number] = size;
        }
        sizes[components.of[0]]
    }
}

/// The steps of a recursive schema. If a part of the value is reached in two ways, and so are its parts, the work is
/// exponential in the depth of the value.
pub(crate) struct Steps {
    graph: Graph,
    /// The nodes in an order in which steps to the same value lead to earlier nodes.
    order: Vec<usize>,
    /// The index of each node in the order.
    rank: Vec<usize>,
}

/// The number of visits to each node, by the node's rank.
type Visits = BTreeMap<usize, u64>;

impl Steps {
    fn new(graph: Graph) -> Self {
        let same = components(&graph.edges, |edge| matches!(edge.step, Step::Same));
        let order: Vec<usize> = same.members.into_iter().flatten().collect();
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, node)| rank[*node] = at);
        Self { graph, order, rank }
    }

    /// Returns whether a validation of this value visits at most [`MAX_STEPS`] nodes. Repeated visits are
    /// counted together, so this is fast even if the validation would not be.
    pub(crate) fn are_few(&self, value: &Json) -> bool {
        let mut total = 0_u64;
        let mut pending: Vec<(&Json, Visits)> = vec![(value, Visits::from([(self.rank[0], 1)]))];
        while let Some((value, mut visits)) = pending.pop() {
            let mut parts: Vec<(&Json, Visits)> = Vec::new();
            let mut at_name: HashMap<&str, usize> = HashMap::new();
            match value {
                Json::Array(items) => parts.extend(items.iter().map(|item| (item, Visits::new()))),
                Json::Object(fields) => {
                    at_name.extend(fields.iter().enumerate().map(|(at, (name, _))| (&**name, at)));
                    parts.extend(fields.iter().map(|(_, value)| (value, Visits::new())));
                }
                _ => {}
            }
            while let Some((rank, count)) = visits.pop_last() {
                let node = self.order[rank];
                total = total.saturating_add(count.saturating_mul(self.graph.own_size[node]));
                for edge in &self.graph.edges[node] {
                    let visit = |visits: &mut Visits| {
                        let visits = visits.entry(self.rank[edge.to]).or_default();
                        *visits = visits.saturating_add(count);
                    };
                    match &edge.step {
                        Step::Same => visit(&mut visits),
                        Step::Part(name) => {
                            if let Some(at) = at_name.get(&**name) {
                                visit(&mut parts[*at].1);
                            }
                        }
                        Step::Parts => {
                            total = total.saturating_add(parts.len() as u64);
                            parts.iter_mut().for_each(|(_, visits)| visit(visits));
                        }
                        Step::Nowhere => {}
                    }
                }
                if total > MAX_STEPS {
                    return false;
                }
            }
            pending.extend(parts.into_iter().filter(|(_, visits)| !visits.is_empty()));
        }
        true
    }
}

/// Returns the value at a pointer. Accepts lenient indices such as `01`, because the library may accept them,
/// too.
fn pointed<'s>(root: &'s Json, pointer: &str) -> Option<&'s Json> {
    pointer.split('/').skip(1).try_fold(root, |value, token| {
        let token = token.replace("~1", "/").replace("~0", "~");
        match value {
            Json::Array(items) => items.get(token.parse::<usize>().ok()?),
            other => other.get(&token),
        }
    })
}

/// The strongly connected components of a graph, each after those that it leads to.
struct Components {
    members: Vec<Vec<usize>>,
    /// The component of each node.
    of: Vec<usize>,
    /// Whether a component contains a cycle.
    cyclic: Vec<bool>,
}

/// Finds the strongly connected components with Tarjan's algorithm, without recursion.
fn components(edges: &[Vec<Edge>], counts: impl Fn(&Edge) -> bool) -> Components {
    const NONE: usize = usize::MAX;
    let mut found = Components { members: Vec::new(), of: vec![NONE; edges.len()], cyclic: Vec::new() };
    let (mut order, mut lowest) = (vec![NONE; edges.len()], vec![NONE; edges.len()]);
    let mut next = 0;
    let mut open: Vec<usize> = Vec::new();
    for start in 0..edges.len() {
        if order[start] != NONE {
            continue;
        }
        // Each node on the path, with the number of its edges that are done.
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((node, done)) = path.last_mut() {
            let node = *node;
            if *done == 0 {
                (order[node], lowest[node]) = (next, next);
                next += 1;
                open.push(node);
            }
            // The edge before this one may have led to a node that is now complete.
            if let Some(edge) = done.checked_sub(1).map(|before| &edges[node][before])
                && counts(edge)
                && found.of[edge.to] == NONE
            {
                lowest[node] = lowest[node].min(lowest[edge.to]);
            }
            if let Some(edge) = edges[node].get(*done) {
                *done += 1;
                if counts(edge) && order[edge.to] == NONE {
                    path.push((edge.to, 0));
                }
                continue;
            }
            path.pop();
            if lowest[node] == order[node] {
                let number = found.members.len();
                let from = open.iter().rposition(|member| *member == node).unwrap_or_default();
                let members = open.split_off(from);
                members.iter().for_each(|member| found.of[*member] = number);
                let to_itself = edges[node].iter().any(|edge| counts(edge) && edge.to == node);
                found.cyclic.push(members.len() > 1 || to_itself);
                found.members.push(members);
            }
        }
    }
    found
}
