//! The respondent's answers, completed with an entry for every item, and nested for the expressions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fablegrade_public::Decimal;
use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::json::{Document, Json, Path, Read, Value};

use crate::language::{Data, Node};
use crate::path::ItemPath;
use crate::record::{AnswerState, Input, inputs};
use crate::screener::{Item, ItemKind, Screener};

/// Answers by item path: `{"income": {"value": 15000, "state": "answered"}}`.
///
/// Items inside a repeat have the instance number in their path, from 0: `officers[0].name`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answers {
    pub(crate) entries: BTreeMap<String, Input>,
}

impl Answers {
    /// Creates an empty set of answers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an answered item.
    #[must_use]
    pub fn answered(self, path: &str, value: impl Into<Json>) -> Self {
        self.with(path, Some(value.into()), AnswerState::Answered)
    }

    /// Adds an item that the respondent declined to answer.
    #[must_use]
    pub fn declined(self, path: &str) -> Self {
        self.with(path, None, AnswerState::Declined)
    }

    /// Adds an item that was not shown.
    #[must_use]
    pub fn not_presented(self, path: &str) -> Self {
        self.with(path, None, AnswerState::NotPresented)
    }

    fn with(mut self, path: &str, value: Option<Json>, state: AnswerState) -> Self {
        self.entries.insert(path.to_owned(), Input { value, state });
        self
    }

    /// Reads answers from JSON text.
    ///
    /// # Errors
    /// Returns all findings about the text or the structure.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        Document::parse(text)?.read()
    }

    /// Returns the answers by path.
    pub fn entries(&self) -> &BTreeMap<String, Input> {
        &self.entries
    }
}

impl Answers {
    /// Returns the answers from which a record was made. An input that was not presented and has no value is left
    /// out: the evaluation added it to the record because an answer was missing.
    pub(crate) fn of_record(inputs: &BTreeMap<String, Input>) -> Self {
        let answered = |input: &Input| input.state != AnswerState::NotPresented || input.value.is_some();
        let entries = inputs.iter().filter(|(_, input)| answered(input));
        Self { entries: entries.map(|(path, input)| (path.clone(), input.clone())).collect() }
    }
}

impl Read for Answers {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        Some(Self { entries: inputs(value, at, findings)? })
    }
}

/// Maximum number of inputs of a record: given answers and unanswered items.
pub const MAX_INPUTS: usize = 200_000;
/// Maximum number of items that are searched for missing answers; each instance of an item counts.
const MAX_VISITS: usize = 10 * MAX_INPUTS;

static NULL: Json = Json::Null;

/// The properties of an item, found by its path without instances.
#[derive(Clone, Copy)]
struct Known<'s> {
    data_type: Option<&'s str>,
    repeatable: bool,
    kind: ItemKind,
}

/// The items of a screener by their paths without instances.
pub(crate) struct ItemIndex<'s> {
    items: &'s [Item],
    by_path: BTreeMap<String, Known<'s>>,
}

impl<'s> ItemIndex<'s> {
    pub(crate) fn new(screener: &'s Screener) -> Self {
        let mut by_path = BTreeMap::new();
        index_items(&screener.items, "", &mut by_path);
        Self { items: &screener.items, by_path }
    }

    /// Returns whether an item has this path, which has no instances.
    pub(crate) fn contains(&self, path: &str) -> bool {
        self.by_path.contains_key(path)
    }
}

/// Adds items to the index. Recursion is bounded by the depth limit of the parsed document.
fn index_items<'s>(items: &'s [Item], prefix: &str, by_path: &mut BTreeMap<String, Known<'s>>) {
    for item in items {
        let path = format!("{prefix}{}", item.key);
        index_items(&item.children, &format!("{path}."), by_path);
        let (data_type, repeatable) = (item.data_type.as_deref(), item.repeatable);
        by_path.insert(path, Known { data_type, repeatable, kind: item.kind });
    }
}

/// The inputs of a record, with a flag for missing answers.
pub(crate) struct Completed {
    pub(crate) inputs: BTreeMap<String, Input>,
    /// `true` if an item was declined, or has no answer although one was due.
    pub(crate) unanswered: bool,
    /// The number of visits to items, display items included.
    visits: usize,
}

fn error(kind: ErrorKind, rule: &'static str, path: &str, message: impl Into<String>, help: &str) -> Error {
    Error::single(kind, Finding::error(rule, pointer(path), message, help))
}

pub(crate) fn pointer(path: &str) -> String {
    format!("/{}", path.replace('~', "~0").replace('/', "~1"))
}

/// Returns the kind of value that a data type requires, if `value` is of another kind. Every data type
/// accepts null, and unknown ones accept every value.
fn required_kind(value: &Json, data_type: &str) -> Option<&'static str> {
    let (fits, wanted) = match data_type {
        "integer" => (value.as_number().is_some_and(Decimal::is_integer), "an integer"),
        "decimal" => (value.as_number().is_some(), "a number"),
        "boolean" => (matches!(value, Json::Bool(_)), "a boolean"),
        "string" | "text" => (value.as_str().is_some(), "a text"),
        "date" => (value.as_str().is_some(), "a date as text"),
        "dateTime" => (value.as_str().is_some(), "a date with time as text"),
        _ => return None,
    };
    (!fits && *value != Json::Null).then_some(wanted)
}

/// Reports an answer to an unknown path or to a display item. The intended item counts as unanswered.
fn report_unknown(index: &ItemIndex<'_>, path: &str, bare: &str, findings: &mut Findings) {
    let message = match index.by_path.get(bare).map(|item| item.kind) {
        Some(ItemKind::Field | ItemKind::Group) => return,
        Some(ItemKind::Display) => "the item at this path only displays content and takes no answer",
        None => "the screener has no item of this path",
    };
    findings.push(Finding::warning(
        "unknown-item",
        pointer(path),
        message,
        "correct the path or add the item",
    ));
}

/// Reports answers to unknown paths and display items, in reference-compatible mode.
pub(crate) fn report_unknown_items(index: &ItemIndex<'_>, answers: &Answers, findings: &mut Findings) {
    for path in answers.entries.keys() {
        let Some(parsed) = ItemPath::parse(path) else { continue };
        let bare: Vec<&str> = parsed.steps().iter().map(|step| step.key).collect();
        report_unknown(index, path, &bare.join("."), findings);
    }
}

/// Adds the items that have no answer, and removes the values of items that were not answered.
pub(crate) fn complete(
    index: &ItemIndex<'_>,
    answers: &Answers,
    findings: &mut Findings,
) -> Result<Completed, Error> {
    if let Some(path) = answers.entries.keys().nth(MAX_INPUTS) {
        return Err(error(
            ErrorKind::Spec,
            "too-many-inputs",
            path,
            format!("there are {} answers, more than {MAX_INPUTS} inputs", answers.entries.len()),
            "give fewer answers",
        ));
    }
    let mut instances: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut completed = Completed { inputs: BTreeMap::new(), unanswered: false, visits: 0 };
    for (path, input) in &answers.entries {
        let Some(parsed) = ItemPath::parse(path) else {
            return Err(error(
                ErrorKind::Schema,
                "item-path-form",
                path,
                "not an item path",
                "write `field`, `group.field` or `group[0].field`, at most 64 steps",
            ));
        };
        let (mut concrete, mut bare) = (String::new(), String::new());
        for step in parsed.steps() {
            if !concrete.is_empty() {
                concrete.push('.');
                bare.push('.');
            }
            concrete.push_str(step.key);
            bare.push_str(step.key);
            if let Some(instance) = step.instance {
                if index.by_path.get(&bare).is_some_and(|item| !item.repeatable) {
                    return Err(error(
                        ErrorKind::Schema,
                        "item-path-form",
                        path,
                        format!("the item `{bare}` does not repeat, so it has no instances"),
                        "leave out the instance",
                    ));
                }
                instances.entry(concrete.clone()).or_default().insert(instance);
                let _ = write!(concrete, "[{instance}]");
            }
        }
        report_unknown(index, path, &bare, findings);
        if let (AnswerState::Answered, Some(value)) = (input.state, &input.value)
            && let Some(wanted) =
                index.by_path.get(&bare).and_then(|item| required_kind(value, item.data_type?))
        {
            findings.push(Finding::warning(
                "answer-type",
                format!("{}/value", pointer(path)),
                format!("the item asks for {wanted}"),
                format!("give {wanted}"),
            ));
        }
        let value = match input.state {
            AnswerState::Answered => input.value.clone(),
            // A value next to "declined" would leak what the respondent declined to answer.
            AnswerState::Declined | AnswerState::NotPresented => None,
        };
        completed.unanswered |= input.state == AnswerState::Declined;
        let value = Some(value.unwrap_or(Json::Null));
        completed.inputs.insert(path.clone(), Input { value, state: input.state });
    }
    for (path, instances) in &instances {
        if instances.iter().enumerate().any(|(expected, instance)| expected != *instance) {
            return Err(error(
                ErrorKind::Schema,
                "repeat-gap",
                path,
                "the instances of this repeat do not run from 0 without a gap",
                "number the instances 0, 1, 2, ...",
            ));
        }
    }
    add_unanswered(index.items, "", &instances, true, &mut completed)?;
    Ok(completed)
}

/// Adds every field that has no answer. If an answer was due, the entry has no value; for an item that was not
/// presented it has null, so the record distinguishes the two. Recursion is bounded by the depth limit of the
/// parsed document.
fn add_unanswered(
    items: &[Item],
    prefix: &str,
    instances: &BTreeMap<String, BTreeSet<usize>>,
    due: bool,
    completed: &mut Completed,
) -> Result<(), Error> {
    for item in items {
        let path = format!("{prefix}{}", item.key);
        completed.visits += 1;
        if completed.visits > MAX_VISITS {
            return Err(error(
                ErrorKind::Spec,
                "too-many-inputs",
                &path,
                format!("the items and their instances need more than {MAX_VISITS} steps"),
                "reduce the number of items, or leave out empty instances",
            ));
        }
        if item.kind == ItemKind::Display || completed.inputs.contains_key(&path) {
            continue;
        }
        if completed.inputs.len() >= MAX_INPUTS {
            return Err(error(
                ErrorKind::Spec,
                "too-many-inputs",
                &path,
                format!("the items and their instances need more than {MAX_INPUTS} inputs"),
                "reduce the number of items, or leave out empty instances",
            ));
        }
        match (item.kind, item.repeatable) {
            (ItemKind::Field, _) => {
                completed.unanswered |= due;
                let value = (!due).then_some(Json::Null);
                completed.inputs.insert(path, Input { value, state: AnswerState::NotPresented });
            }
            (_, false) => add_unanswered(&item.children, &format!("{path}."), instances, due, completed)?,
            (_, true) => match instances.get(&path) {
                Some(instances_here) => {
                    for instance in instances_here {
                        let instance = format!("{path}[{instance}]");
                        // If the whole instance has an answer, none of its items lacks one.
                        if completed.inputs.contains_key(&instance) {
                            continue;
                        }
                        add_unanswered(&item.children, &format!("{instance}."), instances, due, completed)?;
                    }
                }
                // Without instances, the items are added once, without an instance number. An empty repeat
                // can be a complete answer.
                None => {
                    completed.unanswered |= due && item.min_repeat > 0;
                    let due = due && item.min_repeat > 0;
                    add_unanswered(&item.children, &format!("{path}."), instances, due, completed)?;
                }
            },
        }
    }
    Ok(())
}

/// Returns the answers as nested values.
pub(crate) fn nest<'a>(
    index: &ItemIndex<'a>,
    inputs: &'a BTreeMap<String, Input>,
) -> Result<Data<'a>, Error> {
    let mut root = BTreeMap::new();
    for (path, input) in inputs {
        let Some(parsed) = ItemPath::parse(path) else { continue };
        let answered = input.state == AnswerState::Answered;
        let value = if answered { input.value.as_ref().unwrap_or(&NULL) } else { &NULL };
        let mut bare = String::new();
        let mut template = false;
        for step in parsed.steps() {
            bare.push_str(step.key);
            let known = index.by_path.get(&bare);
            template |= step.instance.is_none()
                && bare.len() < path.len()
                && known.is_some_and(|item| item.repeatable);
            bare.push('.');
        }
        bare.pop();
        // Items of a repeat without instances are not part of the data.
        if template && !answered {
            continue;
        }
        let data_type = index.by_path.get(&bare).and_then(|item| item.data_type);
        let steps = parsed.steps().iter().map(|step| (step.key, step.instance));
        place(&mut root, steps, Node::Answer { value, data_type }).ok_or_else(|| {
            error(
                ErrorKind::Schema,
                "answer-overlap",
                path,
                "there is also an answer for the whole group or for an item inside it",
                "answer either a group or the items in it",
            )
        })?;
    }
    Ok(Data::Nested(root))
}

/// Inserts `answer` at the path `steps`. Returns `None` if there is another answer at this path, above it or
/// below it.
fn place<'a>(
    root: &mut BTreeMap<&'a str, Node<'a>>,
    steps: impl Iterator<Item = (&'a str, Option<usize>)>,
    answer: Node<'a>,
) -> Option<()> {
    let mut steps = steps.peekable();
    let mut group = root;
    while let Some((key, instance)) = steps.next() {
        let last = steps.peek().is_none();
        let fresh = |to_rows: bool| match (to_rows, last) {
            (true, _) => Node::Rows(BTreeMap::new()),
            (false, false) => Node::Group(BTreeMap::new()),
            (false, true) => answer.clone(),
        };
        if last && instance.is_none() {
            return group.insert(key, answer).is_none().then_some(());
        }
        let mut node = group.entry(key).or_insert_with(|| fresh(instance.is_some()));
        if let Some(instance) = instance {
            let Node::Rows(rows) = node else { return None };
            if last {
                return rows.insert(instance, answer).is_none().then_some(());
            }
            node = rows.entry(instance).or_insert_with(|| fresh(false));
        }
        let Node::Group(inner) = node else { return None };
        group = inner;
    }
    None
}
