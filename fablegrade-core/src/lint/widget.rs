//! Rules for `widget`: states that earn credit without knowledge, and schemas that accept more or less than
//! intended.

use std::borrow::Cow;
use std::collections::HashSet;

use fablegrade_public::json::{Json, nearest, push_step};
use fablegrade_public::view::widget::MAX_STATE_BYTES;
use fablegrade_public::{Decimal, Finding, Findings};

use super::{Places, key_mutation};
use crate::answer::widget::{Ready, WidgetSpec, WidgetValidator};

/// Applies the rules. The size of a schema was bounded when it was compiled.
pub(super) fn lint(spec: &WidgetSpec, ready: &Ready, findings: &mut Findings) {
    match spec.validator.expose() {
        WidgetValidator::StateEquals { expected_state } => {
            if expected_state.as_object().is_some_and(<[_]>::is_empty) {
                findings.push(Finding::warning(
                    "empty-state-passes",
                    "/validator/expectedState",
                    "the empty state is expected, so sending nothing earns full marks",
                    "give the fields that the widget reports",
                ));
            }
            if any_number(expected_state, &|number| !number.is_integer()) {
                findings.push(Finding::warning(
                    "exact-fraction",
                    "/validator/expectedState",
                    "the state has fractional numbers, which must be hit exactly",
                    "use `state_schema` with bounds for them",
                ));
            }
            if let Some(params) = &spec.public.params
                && (holds(params, expected_state) || holds_values(params, expected_state))
            {
                findings.push(Finding::warning(
                    "params-tell",
                    "/params",
                    "the parameters hold the expected state, and learners can see parameters",
                    "start the widget with other values, and keep the solution out of the parameters",
                ));
            } else if solution(spec).is_some_and(|value| occurs(value, expected_state)) {
                solution_in_params(spec, findings);
            }
        }
        WidgetValidator::StateSchema { state_schema } => {
            let told = schema(state_schema, findings);
            let open = told || passing_states(spec, ready, state_schema, findings);
            if !open && start_passes(spec, ready) {
                findings.push(Finding::warning(
                    "params-tell",
                    "/params",
                    "the parameters hold a state that earns full marks, and learners can see parameters",
                    "start the widget with other values, and keep the solution out of the parameters",
                ));
            } else {
                solution_in_params(spec, findings);
            }
        }
        WidgetValidator::Builtin { .. } => {
            ready.lint_host(findings);
            solution_in_params(spec, findings);
        }
    }
}

fn any_number(json: &Json, test: &dyn Fn(&Decimal) -> bool) -> bool {
    json.parts().any(|part| matches!(part, Json::Number(number) if test(number)))
}

/// Returns whether the parameters contain an object with all fields of the state. Empty states reveal
/// nothing.
fn holds(params: &Json, state: &Json) -> bool {
    let Some(fields) = state.as_object().filter(|fields| !fields.is_empty()) else { return false };
    params.parts().any(|part| fields.iter().all(|(key, value)| part.get(key) == Some(value)))
}

/// The minimum number of values in a state for which a match under other names is not a coincidence.
const FEWEST_VALUES: usize = 4;

/// Returns whether the value of every field of the state occurs in the parameters, under any name. Single
/// values can occur by chance, so each value must be an array or object.
fn holds_values(params: &Json, state: &Json) -> bool {
    let fields = state.as_object().unwrap_or_default();
    let compound = |value: &Json| matches!(value, Json::Array(_) | Json::Object(_));
    let values = state.parts().filter(|part| !compound(part)).count();
    if values < FEWEST_VALUES || !fields.iter().all(|(_, value)| compound(value)) {
        return false;
    }
    let mut wanted: HashSet<&Json> = fields.iter().map(|(_, value)| value).collect();
    // Only parts of these lengths are hashed, because nested parts would be hashed once per level.
    let length = |part: &Json| part.as_array().map(<[_]>::len).or(part.as_object().map(<[_]>::len));
    let lengths: HashSet<Option<usize>> = wanted.iter().map(|value| length(value)).collect();
    params.parts().filter(|part| lengths.contains(&length(part))).any(|part| {
        wanted.remove(part);
        wanted.is_empty()
    })
}

/// Returns whether a value occurs anywhere in a state.
fn occurs(value: &Json, state: &Json) -> bool {
    state.parts().any(|part| part == value)
}

/// The maximum number of the parameters' objects that are judged as states.
const MOST_STARTS: usize = 20;

/// Returns whether an object in the parameters earns points as a state.
fn start_passes(spec: &WidgetSpec, ready: &Ready) -> bool {
    let Some(params) = &spec.public.params else { return false };
    let objects = params.parts().filter(|part| part.as_object().is_some_and(|fields| !fields.is_empty()));
    objects.take(MOST_STARTS).any(|state| !key_mutation::widget(spec, ready, state.clone()).is_zero())
}

/// Returns the value of a parameter that is named like a solution.
fn solution(spec: &WidgetSpec) -> Option<&Json> {
    const NAMES: [&str; 8] =
        ["solution", "answer", "correctanswer", "expected", "expectedstate", "key", "correct", "answerkey"];
    let Some(Json::Object(fields)) = &spec.public.params else { return None };
    let named = fields.iter().find(|(name, value)| {
        let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        NAMES.contains(&name.as_str()) && !matches!(value, Json::Bool(false) | Json::Null)
    });
    named.map(|(_, value)| value)
}

fn solution_in_params(spec: &WidgetSpec, findings: &mut Findings) {
    if solution(spec).is_some() {
        findings.push(Finding::warning(
            "params-tell",
            "/params",
            "a parameter is named like the solution, and learners can see parameters",
            "keep the solution out of the parameters",
        ));
    }
}

/// The keywords of JSON Schema draft 2020-12, and `definitions` of earlier drafts.
const KEYWORDS: [&str; 58] = [
    "$schema",
    "$id",
    "$ref",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$defs",
    "$comment",
    "$vocabulary",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "prefixItems",
    "items",
    "contains",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
    "title",
    "description",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "examples",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "definitions",
];

/// Checks a schema; returns whether it has errors or warnings.
fn schema(root: &Json, findings: &mut Findings) -> bool {
    const AT: &str = "/validator/stateSchema";
    let told = |findings: &Findings| findings.as_slice().len() + findings.dropped();
    let before = told(findings);
    if let Some(types) = root.get("type") {
        let object = |json: &Json| json.as_str() == Some("object");
        if !object(types) && !types.as_array().is_some_and(|types| types.iter().any(object)) {
            findings.push(Finding::error(
                "state-not-object",
                format!("{AT}/type"),
                "a state is always an object, so no state is of this type",
                "set `type` to `object` and describe the fields under `properties`",
            ));
            return true;
        }
    } else if not_an_object(root) {
        findings.push(Finding::error(
            "state-not-object",
            AT,
            "a state is always an object, but every part of the schema asks for another type",
            "set `type` to `object` and describe the fields under `properties`",
        ));
        return true;
    }
    let (mut misspelt, mut unknown) = (Places::default(), Places::default());
    let mut meant = "";
    // The schemas to visit, each with its pointer, whether every valid state has a value that satisfies it, and the
    // types that its values are known to have (a state is an object).
    let mut pending: Vec<(&Json, String, bool, Vec<&str>)> =
        vec![(root, AT.to_owned(), true, vec!["object"])];
    while let Some((node, at, must, mut types)) = pending.pop() {
        let Json::Object(fields) = node else { continue };
        if let Some(kind) = only_type(node).filter(|kind| !types.contains(kind)) {
            types.push(kind);
        }
        if let Some(Contradiction { problem, kind }) = contradiction(node, &types) {
            let other_types = kind.filter(|kind| !types.contains(kind));
            let what = other_types.map_or_else(|| "nothing".to_owned(), |kind| format!("no {kind}"));
            let message = format!("{what} meets this schema: {problem}");
            findings.push(if must && other_types.is_none() {
                Finding::error("unsatisfiable-schema", at.as_str(), message, "correct the keywords")
            } else {
                Finding::warning("unsatisfiable-schema", at.as_str(), message, "correct the keywords")
            });
        }
        if must && let Some(name) = unconstrained(node) {
            findings.push(Finding::warning(
                "required-unconstrained",
                format!("{at}/required/{name}"),
                "any value of this required field passes",
                "describe the field under `properties`",
            ));
        }
        let required = |name: &str| {
            node.get("required")
                .and_then(Json::as_array)
                .is_some_and(|names| names.iter().any(|other| other.as_str() == Some(name)))
        };
        for (key, value) in fields {
            let below = || step(&at, key);
            match key.as_ref() {
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                    for (name, inner) in value.as_object().unwrap_or_default() {
                        let place = step(&below(), name);
                        let must = must && key.as_ref() == "properties" && required(name);
                        pending.push((inner, place, must, Vec::new()));
                    }
                }
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                    // The parts of `allOf` are about the same value.
                    let all = key.as_ref() == "allOf";
                    for (index, inner) in value.as_array().unwrap_or_default().iter().enumerate() {
                        let types = if all { types.clone() } else { Vec::new() };
                        pending.push((inner, format!("{}/{index}", below()), must && all, types));
                    }
                }
                "items"
                | "contains"
                | "additionalProperties"
                | "propertyNames"
                | "unevaluatedItems"
                | "unevaluatedProperties"
                | "if"
                | "then"
                | "else"
                | "contentSchema" => pending.push((value, below(), false, Vec::new())),
                // A negated schema may be unsatisfiable on purpose.
                "not" => {}
                known if KEYWORDS.contains(&known) || known.starts_with("x-") => {}
                other => match nearest(other, &KEYWORDS) {
                    Some(keyword) => {
                        misspelt.add(below);
                        if meant.is_empty() {
                            meant = keyword;
                        }
                    }
                    None => unknown.add(below),
                },
            }
        }
    }
    if let Some((pointer, message)) =
        misspelt.tell("JSON Schema has no such keyword, so it is ignored and checks nothing")
    {
        findings.push(Finding::warning(
            "unknown-keyword",
            pointer,
            message,
            format!("perhaps you mean `{meant}`"),
        ));
    }
    let told = told(findings) > before;
    if let Some((pointer, message)) = unknown.tell("JSON Schema has no such keyword, so it checks nothing") {
        findings.push(Finding::info(
            "unknown-keyword",
            pointer,
            message,
            "remove it, or begin its name with `x-`",
        ));
    }
    told
}

/// Returns the pointer of the value of a key.
fn step(at: &str, key: &str) -> String {
    let mut pointer = at.to_owned();
    push_step(&mut pointer, key);
    pointer
}

/// Returns whether every alternative of a schema has a type other than `object`.
fn not_an_object(root: &Json) -> bool {
    ["anyOf", "oneOf"].iter().any(|key| {
        let parts = root.get(key).and_then(Json::as_array).unwrap_or_default();
        !parts.is_empty()
            && parts
                .iter()
                .all(|part| part.get("type").and_then(Json::as_str).is_some_and(|kind| kind != "object"))
    })
}

/// A reason why a schema excludes values.
struct Contradiction {
    problem: &'static str,
    /// The type of the excluded values, such as `number` for the keyword `minimum`; `None` if no value meets the
    /// schema.
    kind: Option<&'static str>,
}

/// Returns the type of a schema's values if it allows only one; `integer` counts as `number`.
fn only_type(node: &Json) -> Option<&str> {
    fn kind(name: &Json) -> Option<&str> {
        name.as_str().map(|name| if name == "integer" { "number" } else { name })
    }
    match node.get("type")? {
        Json::Array(names) => {
            let first = kind(names.first()?)?;
            names.iter().all(|name| kind(name) == Some(first)).then_some(first)
        }
        name => kind(name),
    }
}

/// Returns a contradiction in a schema whose values have `types`, if its top level is enough to tell.
fn contradiction(node: &Json, types: &[&str]) -> Option<Contradiction> {
    for_all_types(node)
        .map(|problem| Contradiction { problem, kind: None })
        .or_else(|| for_one_type(node, types))
}

/// Returns a contradiction between keywords for one type, which exclude no values of other types. One for a type in
/// `types` takes precedence.
fn for_one_type(node: &Json, types: &[&str]) -> Option<Contradiction> {
    let all = bounds_contradict(node).chain(required_is_forbidden(node));
    all.min_by_key(|found| !found.kind.is_some_and(|kind| types.contains(&kind)))
}

/// Returns the contradictions between bounds.
fn bounds_contradict(node: &Json) -> impl Iterator<Item = Contradiction> {
    let number = move |key: &str| node.get(key).and_then(Json::as_number);
    [
        ("minimum", "maximum", "number"),
        ("minLength", "maxLength", "string"),
        ("minItems", "maxItems", "array"),
        ("minProperties", "maxProperties", "object"),
        ("minContains", "maxContains", "array"),
        ("exclusiveMinimum", "maximum", "number"),
        ("minimum", "exclusiveMaximum", "number"),
        ("exclusiveMinimum", "exclusiveMaximum", "number"),
    ]
    .into_iter()
    // Without `contains`, the numbers of contained items mean nothing.
    .filter(move |(low, ..)| *low != "minContains" || node.get("contains").is_some())
    .filter(move |(low, high, _)| {
        let strict = low.starts_with("exclusive") || high.starts_with("exclusive");
        number(low).zip(number(high)).is_some_and(|(min, max)| min > max || (strict && min == max))
    })
    .map(|(_, _, kind)| Contradiction { problem: "a lower bound is above its upper bound", kind: Some(kind) })
}

/// Returns the contradiction of a required field that cannot be there.
fn required_is_forbidden(node: &Json) -> Option<Contradiction> {
    let closed = node.get("additionalProperties") == Some(&Json::Bool(false))
        && node.get("patternProperties").is_none();
    let names = node.get("required").and_then(Json::as_array).unwrap_or_default();
    let problem = names.iter().filter_map(Json::as_str).find_map(|name| {
        match node.get("properties").and_then(|properties| properties.get(name)) {
            Some(Json::Bool(false)) => Some("a required field is forbidden"),
            None if closed => Some("a required field is not among the allowed ones"),
            _ => None,
        }
    })?;
    Some(Contradiction { problem, kind: Some("object") })
}

/// Returns a contradiction that excludes every value.
fn for_all_types(node: &Json) -> Option<&'static str> {
    let number = |key: &str| node.get(key).and_then(Json::as_number);
    if node.get("type").and_then(Json::as_str) == Some("integer")
        && let (Some(min), Some(max)) = (number("minimum"), number("maximum"))
        && min <= max
        && min.ceil() > max.floor()
    {
        return Some("no integer lies between its bounds");
    }
    if let Some(problem) = parts_contradict(node) {
        return Some(problem);
    }
    let allowed = node.get("enum").and_then(Json::as_array);
    if allowed.is_some_and(<[Json]>::is_empty) {
        return Some("`enum` is empty");
    }
    if let (Some(constant), Some(allowed)) = (node.get("const"), allowed)
        && !allowed.contains(constant)
    {
        return Some("`const` is not in `enum`");
    }
    let values: Vec<&Json> = node.get("const").into_iter().chain(allowed.into_iter().flatten()).collect();
    if let Some(types) = node.get("type")
        && !values.is_empty()
        && !values.iter().any(|value| is_of_type(value, types))
    {
        return Some("`const` or `enum` is of another type");
    }
    let outside = |value: &&Json| {
        let Json::Number(value) = value else { return false };
        number("minimum").is_some_and(|min| value < min) || number("maximum").is_some_and(|max| value > max)
    };
    if !values.is_empty() && values.iter().all(outside) {
        return Some("`const` or `enum` is outside the bounds");
    }
    None
}

/// Returns the reason why `not`, `allOf`, `anyOf` or `oneOf` exclude every value.
fn parts_contradict(node: &Json) -> Option<&'static str> {
    if let Some(forbidden) = node.get("not")
        && (*forbidden == Json::Bool(true) || forbidden.as_object().is_some_and(<[_]>::is_empty))
    {
        return Some("`not` forbids everything");
    }
    let one_type = |schema: &Json| schema.get("type").and_then(Json::as_str).map(str::to_owned);
    let kind = |name: String| if name == "integer" { "number".to_owned() } else { name };
    let own = one_type(node).map(kind);
    let types = |key: &str| -> Vec<Option<String>> {
        let parts = node.get(key).and_then(Json::as_array).unwrap_or_default();
        parts.iter().map(|part| one_type(part).map(kind)).collect()
    };
    let all: Vec<String> = types("allOf").into_iter().flatten().chain(own.clone()).collect();
    if all.windows(2).any(|pair| pair[0] != pair[1]) {
        return Some("the parts of `allOf` ask for several types");
    }
    for (key, problem) in [
        ("anyOf", "no part of `anyOf` is of the required type"),
        ("oneOf", "no part of `oneOf` is of the required type"),
    ] {
        let types = types(key);
        if let Some(own) = own.as_deref()
            && !types.is_empty()
            && types.iter().all(|one| one.as_deref().is_some_and(|one| one != own))
        {
            return Some(problem);
        }
    }
    let parts = node.get("oneOf").and_then(Json::as_array).unwrap_or_default();
    (parts.len() > 1 && parts.iter().all(|part| *part == parts[0]))
        .then_some("exactly one of several equal schemas")
}

fn is_of_type(value: &Json, types: &Json) -> bool {
    let is = |name: &str| match (name, value) {
        ("integer", Json::Number(number)) => number.is_integer(),
        ("null", Json::Null)
        | ("boolean", Json::Bool(_))
        | ("number", Json::Number(_))
        | ("string", Json::String(_))
        | ("array", Json::Array(_))
        | ("object", Json::Object(_)) => true,
        _ => false,
    };
    match types {
        Json::String(name) => is(name),
        Json::Array(names) => names.iter().filter_map(Json::as_str).any(is),
        _ => true,
    }
}

/// Returns the index of a required field without constraints, unless other keywords constrain fields.
fn unconstrained(node: &Json) -> Option<usize> {
    let others = [
        "patternProperties",
        "allOf",
        "anyOf",
        "oneOf",
        "$ref",
        "$dynamicRef",
        "if",
        "propertyNames",
        "dependentSchemas",
        "const",
        "enum",
        "unevaluatedProperties",
        "not",
    ];
    if others.iter().any(|key| node.get(key).is_some())
        || matches!(node.get("additionalProperties"), Some(Json::Object(_) | Json::Bool(false)))
    {
        return None;
    }
    let says_nothing = |schema: Option<&Json>| match schema {
        None | Some(Json::Bool(true)) => true,
        Some(Json::Object(fields)) => fields.iter().all(|(key, _)| {
            matches!(key.as_ref(), "title" | "description" | "default" | "examples" | "$comment")
        }),
        _ => false,
    };
    let names = node.get("required").and_then(Json::as_array)?;
    names.iter().position(|name| {
        name.as_str().is_some_and(|name| {
            says_nothing(node.get("properties").and_then(|properties| properties.get(name)))
        })
    })
}

/// Judges states that no author intends to accept: the empty state, and two with arbitrary values in the
/// required fields. Returns whether the empty state or both of the others earn points.
fn passing_states(spec: &WidgetSpec, ready: &Ready, schema: &Json, findings: &mut Findings) -> bool {
    const AT: &str = "/validator/stateSchema";
    let empty = key_mutation::widget(spec, ready, Json::object(Vec::new()));
    if !empty.is_zero() {
        findings.push(Finding::warning(
            "empty-state-passes",
            AT,
            "the empty state validates, so sending nothing earns full marks",
            "list the needed properties under `required`",
        ));
        return true;
    }
    let any = [false, true].into_iter().all(|odd| {
        arbitrary_state(schema, odd).is_some_and(|state| !key_mutation::widget(spec, ready, state).is_zero())
    });
    if any {
        findings.push(Finding::warning(
            "any-state-passes",
            AT,
            "states with arbitrary values in the required fields earn full marks",
            "say which values are right, with `const`, `enum` or bounds",
        ));
    }
    any
}

/// Bounds on arbitrary states: the maximum depth, and the maximum size of an array or object.
const DEEPEST: usize = 4;
const MOST_FIELDS: usize = 50;

/// Returns an arbitrary state that meets the schema's types; `odd` selects a second, unlikely one. Returns `None` if
/// the state would be too large to be graded.
fn arbitrary_state(schema: &Json, odd: bool) -> Option<Json> {
    let mut left = MAX_STATE_BYTES;
    arbitrary(schema, odd, true, 0, &mut left)
}

/// Returns an arbitrary value of the schema's type and subtracts its size from `left`; `None` if its canonical JSON has
/// more than `left` bytes.
fn arbitrary(schema: &Json, odd: bool, object: bool, depth: usize, left: &mut usize) -> Option<Json> {
    let kind = schema.get("type").and_then(Json::as_str).unwrap_or(if object { "object" } else { "null" });
    let least = |key: &str| {
        schema
            .get(key)
            .and_then(Json::as_number)
            .and_then(Decimal::to_i64)
            .unwrap_or(0)
            .clamp(0, MOST_FIELDS as i64) as usize
    };
    let value = match (kind, odd) {
        ("number" | "integer", false) => Json::Number(Decimal::zero()),
        ("number" | "integer", true) => Json::Number(Decimal::from(-987_654_321)),
        ("string", false) => Json::from("a".repeat(least("minLength").max(1))),
        ("string", true) => Json::from("~\u{2603}~".repeat(least("minLength").max(1))),
        ("boolean", odd) => Json::Bool(odd),
        ("array", odd) if depth < DEEPEST => {
            let anything = Json::Bool(true);
            let items = schema.get("items").unwrap_or(&anything);
            let count = least("minItems");
            *left = left.checked_sub(2 + count.saturating_sub(1))?;
            let items = (0..count).map(|_| arbitrary(items, odd, false, depth + 1, left));
            return items.collect::<Option<_>>().map(Json::Array);
        }
        ("object", odd) if depth < DEEPEST => {
            let anything = Json::Bool(true);
            let names = schema.get("required").and_then(Json::as_array).unwrap_or_default();
            let mut fields = Vec::new();
            *left = left.checked_sub(2)?;
            let count = least("minProperties");
            let required = names.iter().filter_map(Json::as_str).take(MOST_FIELDS).map(Cow::Borrowed);
            let others = (names.len()..count).map(|at| Cow::Owned(format!("_{at}")));
            for name in required.chain(others) {
                // The name has two quotes, a colon and, except for the first, a comma.
                *left = left.checked_sub(name.len() + 3 + usize::from(!fields.is_empty()))?;
                let inner = schema.get("properties").and_then(|properties| properties.get(&name));
                let inner = arbitrary(inner.unwrap_or(&anything), odd, false, depth + 1, left)?;
                fields.push((name.into(), inner));
            }
            return Some(Json::object(fields));
        }
        (_, false) => Json::Null,
        (_, true) => Json::from("~"),
    };
    *left = left.checked_sub(value.to_canonical().len())?;
    Some(value)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::lint::tests::processor_seconds;

    #[test]
    fn pointers_below_long_names_are_small() {
        let one_of_many =
            (0..500).map(|at| (format!("p{at}").into(), Json::build().with("minimun", at).build()));
        let inner = Json::build().with("properties", Json::object(one_of_many.collect())).build();
        let outer = Json::object(vec![("k".repeat(60_000).into(), inner)]);
        let mut findings = Findings::new();
        super::schema(&Json::build().with("type", "object").with("properties", outer).build(), &mut findings);
        let [finding] = findings.as_slice() else { panic!("{findings:?}") };
        assert!(
            finding.rule == "unknown-keyword" && finding.pointer.len() < 400,
            "{}",
            finding.pointer.len()
        );
    }

    #[test]
    fn bounds_exclude_values_of_one_type_only() {
        let lint_schema = |schema: &str| {
            let schema = Json::parse(schema.as_bytes()).unwrap();
            let mut findings = Findings::new();
            super::schema(&schema, &mut findings);
            let finding = findings.as_slice().iter().find(|finding| finding.rule == "unsatisfiable-schema");
            finding.map(|finding| {
                (finding.severity.as_str(), finding.message.split(':').next().unwrap().to_owned())
            })
        };
        let lint_field = |schema: &str| {
            lint_schema(&format!(r#"{{"type":"object","required":["a"],"properties":{{"a":{schema}}}}}"#))
        };
        let nothing = Some(("error", "nothing meets this schema".to_owned()));
        assert_eq!(lint_field(r#"{"type":"number","minimum":3,"maximum":1}"#), nothing);
        assert_eq!(lint_field(r#"{"type":["integer","number"],"minimum":3,"maximum":1}"#), nothing);
        assert_eq!(lint_field(r#"{"enum":[]}"#), nothing);
        // The parts of `allOf` have the type of the whole.
        assert_eq!(lint_field(r#"{"type":"number","allOf":[{"minimum":3,"maximum":1}]}"#), nothing);
        assert_eq!(
            lint_field(r#"{"type":"integer","allOf":[{"allOf":[{"minimum":3,"maximum":1}]}]}"#),
            nothing
        );
        for schema in [
            r#"{"type":"object","allOf":[{"required":["a"],"properties":{"a":false}}]}"#,
            r#"{"allOf":[{"minProperties":3,"maxProperties":1}]}"#,
            // A contradiction for numbers does not hide the one for objects; a state is an object.
            r#"{"type":"object","minimum":3,"maximum":1,"required":["a"],"properties":{"a":false}}"#,
        ] {
            assert_eq!(lint_schema(schema), nothing, "{schema}");
        }
        for schema in [
            r#"{"minimum":3,"maximum":1}"#,
            r#"{"type":["number","string"],"minimum":3,"maximum":1}"#,
            r#"{"type":"string","allOf":[{"minimum":3,"maximum":1}]}"#,
            r#"{"type":"object","properties":{"b":{"minimum":3,"maximum":1}}}"#,
        ] {
            assert_eq!(
                lint_field(schema),
                Some(("warning", "no number meets this schema".to_owned())),
                "{schema}"
            );
        }
    }

    #[test]
    fn counts_of_contained_items_matter_only_with_contains() {
        let told = |contains: &str| {
            let schema = format!(
                r#"{{"type":"array","items":{{"const":1}},"minItems":1,"minContains":3,"maxContains":1{contains}}}"#
            );
            super::bounds_contradict(&Json::parse(schema.as_bytes()).unwrap()).count()
        };
        assert_eq!((told(""), told(r#","contains":{"const":1}"#)), (0, 1));
    }

    #[test]
    fn arbitrary_states_stop_at_the_largest_size() {
        let text = r#"{"type":"string","minLength":50}"#.to_owned();
        let field =
            (0..3).fold(text, |inner, _| format!(r#"{{"type":"array","minItems":50,"items":{inner}}}"#));
        let names: Vec<String> = (0..10).map(|at| format!("\"f{at}\"")).collect();
        let fields: Vec<String> = names.iter().map(|name| format!("{name}:{field}")).collect();
        let schema = |names: &[String]| {
            let schema = format!(
                r#"{{"type":"object","required":[{}],"properties":{{{}}}}}"#,
                names.join(","),
                fields.join(",")
            );
            Json::parse(schema.as_bytes()).unwrap()
        };
        assert_eq!(arbitrary_state(&schema(&names), false), None);
        assert!(arbitrary_state(&schema(&[]), true).is_some());
        // A state of the largest size is still made.
        // Its only value is `null`.
        let largest = format!(r#"{{"type":"object","required":["{}"]}}"#, "k".repeat(MAX_STATE_BYTES - 9));
        let state = arbitrary_state(&Json::parse(largest.as_bytes()).unwrap(), false).unwrap();
        assert_eq!(state.to_canonical().len(), MAX_STATE_BYTES);
    }

    #[test]
    fn a_state_is_found_in_large_parameters_in_linear_time() {
        let state: Vec<String> = (0..300).map(|at| format!(r#""f{at}":[{at}]"#)).collect();
        let state = Json::parse(format!("{{{}}}", state.join(",")).as_bytes()).unwrap();
        let params =
            |count: usize| Json::Array((0..count).map(|at| Json::Array(vec![Json::from(at)])).collect());
        assert!(holds_values(&params(300), &state) && !holds_values(&params(299), &state));
        let began = processor_seconds();
        // The parts are read from the end, so every value is found last.
        let mut many = vec![params(300)];
        many.extend((0..2_000).map(|_| Json::Array(vec![Json::Array(vec![Json::from(1_000)]); 299])));
        assert!(holds_values(&Json::Array(many), &state));
        assert!(processor_seconds() - began < 5);
    }
}
