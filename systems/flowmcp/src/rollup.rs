//! The rollup of a namespace or a selection: nodes from entries, and a status and a grade from nodes.

use std::collections::BTreeMap;

use fablegrade_public::identifier::Instant;
use fablegrade_public::json::Json;

use crate::area::{Area, Grade, Tier};
use crate::entry::{AggregateGrade, Entry, Hash8, Persona};
use crate::lock::{FEWEST_MEMBERS, LockSnapshot};
use crate::moment::Moment;
use crate::sequence::{Node, NodeStatus, STABLE_FROM, Step, graded_step, node_of};
use crate::word::words;

words! {
    /// The status of a namespace or a selection.
    RollupStatus {
        /// Every node is stable.
        Operational = "operational",
        /// Some nodes are graded, but not all are stable.
        Partial = "partial",
        /// Nothing is graded yet, and no node is blocked.
        Pending = "pending",
        /// Nothing is graded, and a node is blocked.
        Blocked = "blocked",
        /// There is a veto.
        Rejected = "rejected",
    }
}

/// Returns the overall status of nodes.
pub fn rollup_status(nodes: &[NodeStatus]) -> RollupStatus {
    if nodes.contains(&NodeStatus::Rejected) {
        RollupStatus::Rejected
    } else if !nodes.iter().any(|node| matches!(node, NodeStatus::Graded | NodeStatus::Stable)) {
        if nodes.contains(&NodeStatus::Blocked) { RollupStatus::Blocked } else { RollupStatus::Pending }
    } else if nodes.iter().all(|node| *node == NodeStatus::Stable) {
        RollupStatus::Operational
    } else {
        RollupStatus::Partial
    }
}

/// Returns the worst of the grades, where `REJECTED` is below all letters, or `None` if there are no grades.
pub fn rollup_grade(grades: impl IntoIterator<Item = AggregateGrade>) -> Option<AggregateGrade> {
    grades.into_iter().min()
}

/// Returns the status of a schema from those of its tools and of their aggregate.
///
/// `Rejected` and `Blocked` take precedence, in this order.
pub fn schema_status(tools: &[NodeStatus], aggregate: NodeStatus) -> NodeStatus {
    let graded = |node: &NodeStatus| matches!(node, NodeStatus::Graded | NodeStatus::Stable);
    if aggregate == NodeStatus::Rejected || tools.contains(&NodeStatus::Rejected) {
        NodeStatus::Rejected
    } else if aggregate == NodeStatus::Blocked || tools.contains(&NodeStatus::Blocked) {
        NodeStatus::Blocked
    } else if aggregate == NodeStatus::Stable && tools.iter().all(|tool| *tool == NodeStatus::Stable) {
        NodeStatus::Stable
    } else if graded(&aggregate) || tools.iter().any(graded) {
        NodeStatus::Graded
    } else {
        NodeStatus::Pending
    }
}

/// The subject of an index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// A namespace of a provider.
    Namespace(String),
    /// A selection.
    Selection(String),
}

impl Scope {
    /// Returns the scope of an entry: its selection if it is group-bound, otherwise its namespace.
    pub fn of(entry: &Entry) -> Self {
        match (entry.area.tier(), &entry.selection_id) {
            (Tier::GroupBound, Some(selection)) => Self::Selection(selection.clone()),
            _ => Self::Namespace(halves(entry).0.into()),
        }
    }
}

/// Returns the two parts of the schema id, before and after its dot.
fn halves(entry: &Entry) -> (&str, &str) {
    entry.schema_id.as_str().split_once('.').unwrap_or((entry.schema_id.as_str(), ""))
}

/// The node of an index that an entry grades.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A tool of a schema.
    Tool {
        /// The schema.
        schema: String,
        /// The tool.
        tool: String,
    },
    /// The aggregate of a schema's tools.
    ToolsAggregate {
        /// The schema.
        schema: String,
    },
    /// A skill: `<schema>.<skill>` in a namespace, `<skill>` in a selection.
    Skill(String),
    /// The About resource.
    About,
    /// The description of a namespace.
    Description,
    /// The namespace or the selection as a whole.
    Aggregate,
}

impl Place {
    /// Returns the node that `entry` grades.
    ///
    /// The folders in `path`, such as `<schema>/tools/<tool>/_gradings`, determine the schema and the tool. If
    /// they do not, the second part of the schema id is used.
    pub fn of(path: &str, entry: &Entry) -> Self {
        let folders: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
        let above: &[&str] = match folders.iter().rposition(|part| *part == "_gradings") {
            Some(at) => folders.get(..at).unwrap_or_default(),
            None => &[],
        };
        let second = halves(entry).1;
        let named = |kind: &str| match above {
            [.., schema, folder, name] if *folder == kind => {
                Some(((*schema).to_string(), (*name).to_string()))
            }
            _ => None,
        };
        match entry.area {
            Area::SingleTest => {
                let (schema, tool) = named("tools").unwrap_or_else(|| (second.into(), second.into()));
                Self::Tool { schema, tool }
            }
            Area::ToolsAggregateSchema => {
                Self::ToolsAggregate { schema: above.last().map_or(second, |schema| schema).into() }
            }
            Area::NamespaceSkills => {
                let skill = entry.skill_id.clone().unwrap_or_default();
                let schema = named("skills").map_or_else(|| second.into(), |(schema, _)| schema);
                Self::Skill(format!("{schema}.{skill}"))
            }
            Area::SelectionSkillsL1 | Area::SelectionSkillsL2 | Area::SelectionSkillsL3 => {
                Self::Skill(entry.skill_id.clone().unwrap_or_default())
            }
            Area::AboutNamespace | Area::AboutSelection => Self::About,
            Area::NamespaceDescription => Self::Description,
            Area::ToolsAggregateNamespace | Area::SelectionAggregate => Self::Aggregate,
        }
    }

    /// Returns the schema whose live hash determines whether the node is up to date.
    fn schema(&self) -> Option<&str> {
        match self {
            Self::Tool { schema, .. } | Self::ToolsAggregate { schema } => Some(schema),
            _ => None,
        }
    }
}

/// Options and data for a rollup that the entries do not contain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RollupOptions {
    /// The lowest grade at which a node is stable.
    pub stable_from: Grade,
    /// The current hash of each schema, by `<namespace>/<schema>`, or by `<schema>` for all other namespaces. A
    /// tool or an aggregate of tools that was graded with another hash is pending again, unless it has a veto.
    pub live_hashes: BTreeMap<String, Hash8>,
    /// The time at which the index is created.
    pub updated_at: Option<Instant>,
    /// The reasons why nodes cannot be graded, which apply to pending nodes that have entries.
    pub blocked: BTreeMap<(Scope, Place), String>,
    /// The locks by the ids of their selections. A lock is created with the first index and kept in every
    /// later one.
    pub locks: BTreeMap<String, LockSnapshot>,
    /// The grade of a namespace or selection in which no aggregate, description or skill has a grade. By
    /// default there is no grade; FlowMCP's reference implementation gives F.
    pub grade_of_nothing: Option<Grade>,
}

impl RollupOptions {
    /// Returns the current hash of a schema. A key with the namespace takes precedence.
    fn live_hash(&self, scope: &Scope, schema: &str) -> Option<&Hash8> {
        let qualified = match scope {
            Scope::Namespace(namespace) => self.live_hashes.get(&format!("{namespace}/{schema}")),
            Scope::Selection(_) => None,
        };
        qualified.or_else(|| self.live_hashes.get(schema))
    }
}

impl Default for RollupOptions {
    /// Returns the default options: nodes are stable from B on ([`STABLE_FROM`]), and all other data are
    /// empty.
    fn default() -> Self {
        Self {
            stable_from: STABLE_FROM,
            live_hashes: BTreeMap::new(),
            updated_at: None,
            blocked: BTreeMap::new(),
            locks: BTreeMap::new(),
            grade_of_nothing: None,
        }
    }
}

/// A schema within an index.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaNode {
    /// The tools of the schema.
    pub tools: BTreeMap<String, Node>,
    /// The aggregate of the tools.
    pub aggregate: Node,
    /// The hash of the schema in the last full entry of the aggregate without a veto.
    pub bound_to: Option<Hash8>,
}

impl SchemaNode {
    fn empty() -> Self {
        Self { tools: BTreeMap::new(), aggregate: Node::pending(), bound_to: None }
    }

    /// Returns the status of the schema; see [`schema_status`].
    pub fn status(&self) -> NodeStatus {
        let tools: Vec<_> = self.tools.values().map(|tool| tool.status).collect();
        schema_status(&tools, self.aggregate.status)
    }
}

/// The rollup of one namespace or selection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Index {
    /// The subject.
    pub scope: Scope,
    /// The schemas of a namespace.
    pub schemas: BTreeMap<String, SchemaNode>,
    /// The skills.
    pub skills: BTreeMap<String, Node>,
    /// The About resource.
    pub about: Node,
    /// The description; not used for a selection.
    pub description: Node,
    /// The namespace or the selection as a whole.
    pub aggregate: Node,
    /// The lock of a selection.
    pub lock: Option<LockSnapshot>,
    /// The time at which the index was created.
    pub updated_at: Option<Instant>,
    grade_of_nothing: Option<Grade>,
}

/// Rolls up entries with their paths into one index per namespace or selection, in the order of the scopes.
///
/// If a node was graded under several personas, only the entries of the most recent persona count. The time
/// is O(n log n).
pub fn rollup(filed: &[(&str, &Entry)], options: &RollupOptions) -> Vec<Index> {
    type History<'e> = Vec<(Moment, usize, &'e Entry)>;
    let mut nodes: BTreeMap<(Scope, Place), BTreeMap<&Option<Persona>, History<'_>>> = BTreeMap::new();
    for (order, (path, entry)) in filed.iter().enumerate() {
        let personas = nodes.entry((Scope::of(entry), Place::of(path, entry))).or_default();
        personas.entry(&entry.persona).or_default().push((entry.graded_at(), order, entry));
    }
    let mut indexes: BTreeMap<Scope, Index> = BTreeMap::new();
    for (node_key, personas) in nodes {
        let newest = personas.into_values().filter_map(|mut history| {
            history.sort_unstable_by_key(|(moment, order, _)| (*moment, *order));
            let &(moment, order, _) = history.last()?;
            Some(((moment, order), history))
        });
        let Some((_, history)) = newest.max_by_key(|(key, _)| *key) else { continue };
        let steps: Vec<Step<'_>> = history.iter().map(|(_, _, entry)| Step::of(entry)).collect();
        let blocked = options.blocked.get(&node_key);
        let (scope, place) = node_key;
        let live = place.schema().and_then(|schema| options.live_hash(&scope, schema)).map(Hash8::as_str);
        let mut node = node_of(&steps, options.stable_from, live);
        if let Some(reason) = blocked.filter(|_| node.status == NodeStatus::Pending) {
            node = Node::blocked(reason.clone());
        }
        let lock = match &scope {
            Scope::Selection(selection) => options.locks.get(selection),
            Scope::Namespace(_) => None,
        };
        if let (Some(lock), Some(grade)) = (lock, node.grade) {
            node.grade = lock.threshold().trim(grade);
            match node.grade {
                None => {
                    let reason = format!("a selection of fewer than {FEWEST_MEMBERS} members is not graded");
                    node = Node { reason: Some(reason), ..Node::pending() };
                }
                // The grade that the node keeps decides whether it is stable.
                Some(AggregateGrade::Letter(kept))
                    if node.status == NodeStatus::Stable && kept < options.stable_from =>
                {
                    node.status = NodeStatus::Graded;
                }
                Some(_) => {}
            }
        }
        let bound_to = graded_step(&steps).and_then(|step| step.schema_hash).map(Hash8::of_hex);
        let index = indexes.entry(scope.clone()).or_insert_with(|| Index {
            lock: lock.cloned(),
            grade_of_nothing: options.grade_of_nothing,
            scope,
            schemas: BTreeMap::new(),
            skills: BTreeMap::new(),
            about: Node::pending(),
            description: Node::pending(),
            aggregate: Node::pending(),
            updated_at: options.updated_at.clone(),
        });
        index.put(place, node, bound_to);
    }
    indexes.into_values().collect()
}

impl Index {
    fn put(&mut self, place: Place, node: Node, bound_to: Option<Hash8>) {
        match place {
            Place::Tool { schema, tool } => {
                self.schemas.entry(schema).or_insert_with(SchemaNode::empty).tools.insert(tool, node);
            }
            Place::ToolsAggregate { schema } => {
                let schema = self.schemas.entry(schema).or_insert_with(SchemaNode::empty);
                schema.aggregate = node;
                schema.bound_to = bound_to;
            }
            Place::Skill(skill) => drop(self.skills.insert(skill, node)),
            Place::About => self.about = node,
            Place::Description => self.description = node,
            Place::Aggregate => self.aggregate = node,
        }
    }

    pub(crate) fn is_namespace(&self) -> bool {
        matches!(self.scope, Scope::Namespace(_))
    }

    /// Returns the overall status of all nodes: schemas, tools, skills, About, aggregate and, for a
    /// namespace, description.
    pub fn status(&self) -> RollupStatus {
        let mut nodes: Vec<NodeStatus> = Vec::new();
        for schema in self.schemas.values() {
            nodes.push(schema.status());
            nodes.extend(schema.tools.values().map(|tool| tool.status));
        }
        nodes.extend(self.skills.values().map(|skill| skill.status));
        nodes.extend([self.about.status, self.aggregate.status]);
        if self.is_namespace() {
            nodes.push(self.description.status);
        }
        rollup_status(&nodes)
    }

    /// Returns the worst grade of all aggregates, the description and the skills, or `REJECTED` if any node is
    /// rejected.
    ///
    /// If there are no grades, returns [`RollupOptions::grade_of_nothing`], which is `None` by default.
    pub fn grade(&self) -> Option<AggregateGrade> {
        let tools = self.schemas.values().flat_map(|schema| schema.tools.values());
        if tools.chain([&self.about]).any(|node| node.status == NodeStatus::Rejected) {
            return Some(AggregateGrade::Rejected);
        }
        let schemas = self.schemas.values().map(|schema| &schema.aggregate);
        let others = [&self.aggregate, &self.description];
        rollup_grade(schemas.chain(others).chain(self.skills.values()).filter_map(|node| node.grade))
            .or(self.grade_of_nothing.map(AggregateGrade::Letter))
    }

    /// Returns the index document. It has no `grade` if there is no grade.
    pub fn to_json(&self) -> Json {
        let object = |fields: Vec<(Box<str>, Json)>| Json::object(fields);
        let mut blockers = Vec::new();
        let mut block = |name: String, node: &Node| {
            if node.status == NodeStatus::Blocked {
                let reason = node.reason.as_deref().unwrap_or_default();
                blockers.push(Json::build().with("node", name).with("reason", reason).build());
            }
        };
        let mut schemas: Vec<(Box<str>, Json)> = Vec::new();
        let (mut tools, mut stable_tools) = (0usize, 0usize);
        for (name, schema) in &self.schemas {
            let mut listed: Vec<(Box<str>, Json)> = Vec::new();
            for (tool, node) in &schema.tools {
                tools += 1;
                stable_tools += usize::from(node.status == NodeStatus::Stable);
                block(format!("{name}.{tool}"), node);
                listed.push((tool.as_str().into(), node.to_json()));
            }
            block(name.clone(), &schema.aggregate);
            let aggregate = Json::build()
                .with("status", schema.aggregate.status)
                .with_some("grade", schema.aggregate.grade)
                .with_some("reason", schema.aggregate.reason.as_ref())
                .with_some("boundTo", schema.bound_to.as_ref());
            let node = Json::build()
                .with("status", schema.status())
                .with_some("grade", schema.aggregate.grade)
                .with("tools", object(listed))
                .with("toolsAggregate", aggregate.build());
            schemas.push((name.as_str().into(), node.build()));
        }
        let mut skills: Vec<(Box<str>, Json)> = Vec::new();
        for (name, node) in &self.skills {
            block(name.clone(), node);
            skills.push((name.as_str().into(), node.to_json()));
        }
        block("about".into(), &self.about);
        let graded_skills = self
            .skills
            .values()
            .filter(|node| matches!(node.status, NodeStatus::Graded | NodeStatus::Stable))
            .count();
        let summary = Json::build().with("about", self.about.status).with("skills", graded_skills);
        let document = Json::build()
            .with("indexVersion", 2)
            .with_some("updatedAt", self.updated_at.as_ref())
            .with("status", self.status())
            .with_some("grade", self.grade())
            .with("about", self.about.to_json())
            .with("skills", object(skills));
        match &self.scope {
            Scope::Namespace(namespace) => {
                block("description".into(), &self.description);
                block("namespaceAggregate".into(), &self.aggregate);
                let summary = summary
                    .with("schemas", self.schemas.len())
                    .with("tools", tools)
                    .with("toolsStable", stable_tools)
                    .with("description", self.description.status);
                document
                    .with("namespace", namespace)
                    .with("description", self.description.to_json())
                    .with("namespaceAggregate", self.aggregate.to_json())
                    .with("schemas", object(schemas))
                    .with("summary", summary.build())
                    .with("blockers", Json::Array(blockers))
                    .build()
            }
            Scope::Selection(selection) => {
                block("selectionAggregate".into(), &self.aggregate);
                let stable = self.lock.as_ref().map(LockSnapshot::stable_members);
                let summary = summary
                    .with_some("members", self.lock.as_ref().map(|lock| lock.members.len()))
                    .with_some("membersStable", stable);
                let members = self.lock.as_ref().map(|lock| {
                    object(
                        lock.members
                            .iter()
                            .map(|member| {
                                let status = Json::build().with("status", member.grading_status).build();
                                (member.schema_id.as_str().into(), status)
                            })
                            .collect(),
                    )
                });
                document
                    .with("selectionId", selection)
                    .with("selectionAggregate", self.aggregate.to_json())
                    .with_some("members", members)
                    .with_some("lockSnapshot", self.lock.as_ref())
                    .with("summary", summary.build())
                    .with("blockers", Json::Array(blockers))
                    .build()
            }
        }
    }
}
