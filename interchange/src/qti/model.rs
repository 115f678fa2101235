//! The declarations of an item: variables, mappings, rules.

use std::collections::BTreeMap;

use fablegrade_public::Ratio;

use super::names::{attribute, child, children, flag, kind};
use super::value::{Atom, BaseType, Cardinality, Value, number};
use crate::format::{Siblings, Source};
use crate::loss::Place;
use crate::xml::{Element, Tree, XmlLimits};

/// A response variable.
#[derive(Debug, Clone)]
pub(super) struct ResponseVariable {
    pub id: String,
    pub cardinality: Cardinality,
    pub base: BaseType,
    pub correct: Value,
    pub default: Value,
    pub mapping: Option<Mapping>,
    pub place: Place,
}

/// An outcome or template variable.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub id: String,
    pub cardinality: Cardinality,
    pub base: BaseType,
    pub default: Value,
    pub table: Option<Table>,
    pub mapping: Option<Mapping>,
}

/// A mapping from values to points.
#[derive(Debug, Clone)]
pub(super) struct Mapping {
    pub entries: Vec<(Atom, Ratio, bool)>,
    pub default: Ratio,
    pub lower: Option<Ratio>,
    pub upper: Option<Ratio>,
    /// Whether an entry for a string has no `caseSensitive`.
    pub case_unspecified: bool,
}

impl Mapping {
    /// Returns the cost of looking through the entries.
    pub(super) fn cost(&self) -> usize {
        self.entries.iter().map(|(key, ..)| key.cost()).sum()
    }
}

/// Returns the points of a value according to a mapping. Every distinct value of a container counts once. Null earns 0.
pub(super) fn mapped(cardinality: Cardinality, mapping: &Mapping, value: &Value) -> Ratio {
    if value.is_null() {
        return Ratio::zero();
    }
    let one = |atom: &Atom| {
        let entry = mapping.entries.iter().find(|(key, _, sensitive)| match (key, atom) {
            (Atom::Text(key), Atom::Text(text)) if !sensitive => key.to_lowercase() == text.to_lowercase(),
            (key, atom) => key.same(atom),
        });
        entry.map_or_else(|| mapping.default.clone(), |(_, points, _)| points.clone())
    };
    let mut seen: Vec<Atom> = Vec::new();
    let mut sum = Ratio::zero();
    for atom in value.items() {
        if cardinality != Cardinality::Single && seen.iter().any(|other| other.same(&atom)) {
            continue;
        }
        sum = sum.plus(&one(&atom));
        seen.push(atom);
    }
    if let Some(lower) = &mapping.lower {
        sum = sum.max(lower.clone());
    }
    if let Some(upper) = &mapping.upper {
        sum = sum.min(upper.clone());
    }
    sum
}

/// A lookup table.
#[derive(Debug, Clone)]
pub(super) enum Table {
    Match(Vec<(Ratio, Value)>, Value),
    Interpolation(Vec<(Ratio, bool, Value)>, Value),
}

impl Table {
    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Match(entries, _) => entries.len(),
            Self::Interpolation(entries, _) => entries.len(),
        }
    }

    /// Returns the value for a number: that of the equal entry (match table), or of the first entry that the number
    /// reaches (interpolation table). Without such an entry, it is the default.
    pub(super) fn look_up(&self, source: &Ratio) -> Value {
        match self {
            Self::Match(entries, default) => {
                entries.iter().find(|(from, _)| from == source).map_or(default, |(_, to)| to).clone()
            }
            Self::Interpolation(entries, default) => {
                let fits = |from: &Ratio, inclusive: bool| source > from || (inclusive && source == from);
                entries
                    .iter()
                    .find(|(from, inclusive, _)| fits(from, *inclusive))
                    .map_or(default, |(_, _, to)| to)
                    .clone()
            }
        }
    }
}

/// A rule of response or template processing.
#[derive(Debug, Clone)]
pub(super) enum Rule {
    /// Branches; the first one with a true condition is run. The last branch can be without a condition.
    If(Vec<(Option<Expression>, Vec<Rule>)>),
    Set(String, Expression),
    Lookup(String, Expression),
    SetCorrect(String, Expression),
    /// Sets the default of a response, in template processing.
    SetDefault(String, Expression),
    /// Sets a response during response processing; without a value, resets it to its default.
    SetResponse(String, Option<Expression>),
    /// A constraint that the values of a template must satisfy.
    Constraint(Expression),
    Group(Vec<Rule>),
    Exit,
    /// A reference to the rules of another file.
    Include(String, Place),
    /// An unsupported rule.
    Unknown(String, Place),
}

/// An expression: an operator with its attributes and arguments.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub arguments: Vec<Expression>,
    pub text: String,
    /// The table of a `lookupTable`.
    pub table: Option<Box<Table>>,
    pub place: Place,
}

impl Expression {
    /// Creates an expression that is not read from a file.
    pub(super) fn built(name: &str, attributes: &[(&str, &str)], arguments: Vec<Self>, text: &str) -> Self {
        let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Self {
            name: name.into(),
            attributes: attributes.collect(),
            arguments,
            text: text.into(),
            table: None,
            place: Place::default(),
        }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// The data of an item that processing needs.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub responses: Vec<ResponseVariable>,
    pub outcomes: Vec<Variable>,
    pub templates: Vec<Variable>,
    pub template_rules: Vec<Rule>,
    /// The rules of response processing; `None` if the item has none.
    pub rules: Option<Vec<Rule>>,
    /// The lower bound of the score, which only version 1 declares.
    pub least: Option<Ratio>,
    /// The upper bound of the score, which only version 1 declares.
    pub most: Option<Ratio>,
}

fn values(holder: Option<Element<'_>>, cardinality: Cardinality, base: BaseType) -> Value {
    let Some(holder) = holder else { return Value::Null };
    let found: Vec<(Option<&str>, String)> = children(holder, "value")
        .map(|value| (attribute(value, "fieldIdentifier"), value.text().into_owned()))
        .collect();
    if cardinality == Cardinality::Record {
        let fields =
            found.iter().filter_map(|(name, text)| Some(((*name)?.to_owned(), Atom::read(text, base)?)));
        return Value::Record(fields.collect());
    }
    let mut atoms: Vec<Atom> = Vec::new();
    for (_, text) in &found {
        let several = cardinality != Cardinality::Single
            && base == BaseType::Identifier
            && text.split_ascii_whitespace().count() > 1;
        if several {
            // Some tools write several identifiers into one value.
            atoms.extend(text.split_ascii_whitespace().map(|word| Atom::Text(word.to_owned())));
        } else if let Some(atom) = Atom::read(if base == BaseType::Text { text } else { text.trim() }, base) {
            atoms.push(atom);
        }
    }
    match cardinality {
        Cardinality::Single => atoms.into_iter().next().map_or(Value::Null, Value::One),
        _ if found.is_empty() => Value::Null,
        Cardinality::Ordered => Value::Many(true, atoms),
        _ => Value::Many(false, atoms),
    }
}

fn shape(element: Element<'_>) -> (Cardinality, BaseType) {
    let cardinality = Cardinality::from_name(attribute(element, "cardinality").unwrap_or("single"));
    let base = BaseType::from_name(attribute(element, "baseType").unwrap_or("other"));
    (cardinality, base)
}

fn mapping(element: Element<'_>, base: BaseType) -> Mapping {
    let bound = |name: &str| attribute(element, name).and_then(number);
    let mut case_unspecified = false;
    let entries = children(element, "mapEntry")
        .filter_map(|entry| {
            let key = attribute(entry, "mapKey")?;
            let sensitive = flag(entry, "caseSensitive");
            case_unspecified |= base == BaseType::Text && sensitive.is_none();
            let value = attribute(entry, "mappedValue").and_then(number)?;
            Some((Atom::read(key, base)?, value, sensitive.unwrap_or(true)))
        })
        .collect();
    Mapping {
        entries,
        default: bound("defaultValue").unwrap_or_else(Ratio::zero),
        lower: bound("lowerBound"),
        upper: bound("upperBound"),
        case_unspecified,
    }
}

fn table(element: Element<'_>, base: BaseType) -> Option<Table> {
    let read =
        |text: Option<&str>| text.and_then(|text| Atom::read(text, base)).map_or(Value::Null, Value::One);
    if let Some(found) = child(element, "matchTable") {
        let entries = children(found, "matchTableEntry")
            .filter_map(|entry| {
                Some((number(attribute(entry, "sourceValue")?)?, read(attribute(entry, "targetValue"))))
            })
            .collect();
        return Some(Table::Match(entries, read(attribute(found, "defaultValue"))));
    }
    let found = child(element, "interpolationTable")?;
    let entries = children(found, "interpolationTableEntry")
        .filter_map(|entry| {
            let inclusive = flag(entry, "includeBoundary").unwrap_or(true);
            Some((
                number(attribute(entry, "sourceValue")?)?,
                inclusive,
                read(attribute(entry, "targetValue")),
            ))
        })
        .collect();
    Some(Table::Interpolation(entries, read(attribute(found, "defaultValue"))))
}

fn expression(element: Element<'_>) -> Expression {
    Expression {
        name: kind(element),
        attributes: element
            .attributes()
            .map(|(name, _)| name)
            .filter_map(|name| {
                let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
                let camel = camel_attribute(local);
                Some((camel, element.attribute(local)?.to_owned()))
            })
            .collect(),
        arguments: element.elements().filter(|one| !kind(*one).ends_with("Table")).map(expression).collect(),
        table: (kind(element) == "lookupTable")
            .then(|| table(element, BaseType::Float))
            .flatten()
            .map(Box::new),
        text: if element.elements().next().is_some() { String::new() } else { element.text().into_owned() },
        place: Place::new(String::new(), element.line()),
    }
}

fn camel_attribute(name: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for c in name.chars() {
        if c == '-' {
            upper = true;
        } else {
            out.push(if upper { c.to_ascii_uppercase() } else { c });
            upper = false;
        }
    }
    out
}

/// Returns the rules inside an element.
fn rules(element: Element<'_>) -> Vec<Rule> {
    element.elements().map(rule).collect()
}

/// The maximum total size of the files of rules that an item includes, in bytes. Each inclusion counts.
const MAX_INCLUDED: usize = 4 << 20;

/// Returns the rules of an included file; references inside it are not followed. The error is its description if it
/// cannot be read.
fn included(href: &str, files: &mut Siblings<'_>) -> Result<Vec<Rule>, String> {
    let bytes =
        files.beside(href).map_err(|_| format!("more than {} MiB of included rules", MAX_INCLUDED >> 20))?;
    let read = || {
        let text = crate::text::decode(&bytes).ok()?;
        let tree = Tree::parse(&text, XmlLimits::default()).ok()?;
        Some(rules(tree.root()))
    };
    read().ok_or_else(|| format!("the file {href}"))
}

/// Replaces references to other files with the rules of these files; a file that cannot be read becomes an unsupported
/// rule.
fn include(rules: &mut [Rule], files: &mut Siblings<'_>) {
    for rule in rules {
        match rule {
            Rule::Include(href, place) => {
                *rule = match included(href, files) {
                    Ok(inside) => Rule::Group(inside),
                    Err(what) => Rule::Unknown(what, place.clone()),
                };
            }
            Rule::If(branches) => branches.iter_mut().for_each(|(_, inside)| include(inside, files)),
            Rule::Group(inside) => include(inside, files),
            _ => {}
        }
    }
}

fn rule(element: Element<'_>) -> Rule {
    let name = kind(element);
    let target = || attribute(element, "identifier").unwrap_or_default().trim().to_owned();
    let first = || element.elements().next().map(expression);
    let unknown = || Rule::Unknown(name.clone(), element.place());
    match name.as_str() {
        "responseCondition" | "templateCondition" => {
            let branches = element.elements().map(|branch| {
                if kind(branch).ends_with("Else") {
                    return (None, rules(branch));
                }
                let mut inside = branch.elements();
                let condition = inside.next().map(expression);
                let null = || Expression::built("null", &[], Vec::new(), "");
                (Some(condition.unwrap_or_else(null)), inside.map(rule).collect())
            });
            Rule::If(branches.collect())
        }
        "setOutcomeValue" | "setTemplateValue" => {
            first().map_or_else(unknown, |value| Rule::Set(target(), value))
        }
        "setDefaultValue" => first().map_or_else(unknown, |value| Rule::SetDefault(target(), value)),
        "setResponseValue" => Rule::SetResponse(target(), first()),
        "templateConstraint" => first().map_or_else(unknown, Rule::Constraint),
        "setCorrectResponse" => first().map_or_else(unknown, |value| Rule::SetCorrect(target(), value)),
        "lookupOutcomeValue" => first().map_or_else(unknown, |value| Rule::Lookup(target(), value)),
        "include" => {
            Rule::Include(attribute(element, "href").unwrap_or_default().to_owned(), element.place())
        }
        "responseProcessingFragment" => Rule::Group(rules(element)),
        "exitResponse" | "exitTemplate" => Rule::Exit,
        _ => unknown(),
    }
}

/// Returns the rules of a standard template, by the last segment of its address; `None` for other templates.
fn template(address: &str, model: &Model) -> Option<Vec<Rule>> {
    let name = address.rsplit('/').next().unwrap_or(address);
    let name = name.strip_suffix(".xml").unwrap_or(name);
    let response =
        model.responses.iter().find(|response| response.id == "RESPONSE").or(model.responses.first());
    let response = response.map_or("RESPONSE", |response| response.id.as_str());
    let variable = |id: &str| Expression::built("variable", &[("identifier", id)], Vec::new(), "");
    let constant = |value: &str| Expression::built("baseValue", &[("baseType", "float")], Vec::new(), value);
    let is_null = || Expression::built("isNull", &[], vec![variable(response)], "");
    let is_correct = || {
        let correct = Expression::built("correct", &[("identifier", response)], Vec::new(), "");
        Expression::built("match", &[], vec![variable(response), correct], "")
    };
    let set = |value: Expression| vec![Rule::Set("SCORE".into(), value)];
    let map = || Expression::built("mapResponse", &[("identifier", response)], Vec::new(), "");
    let most = || {
        let declared = model.outcomes.iter().any(|outcome| outcome.id == "MAXSCORE");
        if declared { variable("MAXSCORE") } else { constant("1") }
    };
    Some(match name {
        "match_correct" => {
            vec![Rule::If(vec![(Some(is_correct()), set(constant("1"))), (None, set(constant("0")))])]
        }
        "CC2_match" | "CC2_match_basic" => vec![Rule::If(vec![(Some(is_correct()), set(most()))])],
        "map_response" | "CC2_map_response" => {
            vec![Rule::If(vec![(Some(is_null()), set(constant("0"))), (None, set(map()))])]
        }
        "match_nothing" => Vec::new(),
        _ => return None,
    })
}

/// The declarations of a model by identifier; of several with the same identifier, the first.
pub(super) struct Declared<'m> {
    pub responses: BTreeMap<&'m str, &'m ResponseVariable>,
    pub outcomes: BTreeMap<&'m str, &'m Variable>,
    pub templates: BTreeMap<&'m str, &'m Variable>,
}

impl Model {
    /// Returns the declarations by identifier.
    pub(super) fn declared(&self) -> Declared<'_> {
        fn variables(all: &[Variable]) -> BTreeMap<&str, &Variable> {
            all.iter().rev().map(|one| (one.id.as_str(), one)).collect()
        }
        Declared {
            responses: self.responses.iter().rev().map(|one| (one.id.as_str(), one)).collect(),
            outcomes: variables(&self.outcomes),
            templates: variables(&self.templates),
        }
    }

    /// Reads the declarations and rules of an item, which can include rules of other files of its package.
    pub(super) fn read(item: Element<'_>, source: &Source<'_>) -> Self {
        let mut files = Siblings::new(source, MAX_INCLUDED);
        let mut model = Self {
            responses: Vec::new(),
            outcomes: Vec::new(),
            templates: Vec::new(),
            template_rules: Vec::new(),
            rules: None,
            least: None,
            most: None,
        };
        for element in item.elements() {
            let id = || attribute(element, "identifier").unwrap_or_default().trim().to_owned();
            let (cardinality, base) = shape(element);
            match kind(element).as_str() {
                "responseDeclaration" => model.responses.push(ResponseVariable {
                    id: id(),
                    cardinality,
                    base,
                    correct: values(child(element, "correctResponse"), cardinality, base),
                    default: values(child(element, "defaultValue"), cardinality, base),
                    mapping: child(element, "mapping").map(|found| mapping(found, base)),
                    place: element.place(),
                }),
                "outcomeDeclaration" | "templateDeclaration" => {
                    let mut default = values(child(element, "defaultValue"), cardinality, base);
                    let outcome = kind(element) == "outcomeDeclaration";
                    if outcome
                        && default == Value::Null
                        && cardinality == Cardinality::Single
                        && base.is_number()
                    {
                        default = Value::number(Ratio::zero());
                    }
                    let variable = Variable {
                        id: id(),
                        cardinality,
                        base,
                        default,
                        table: table(element, base),
                        mapping: child(element, "mapping").map(|found| mapping(found, base)),
                    };
                    if outcome { model.outcomes.push(variable) } else { model.templates.push(variable) }
                }
                "templateProcessing" => model.template_rules = rules(element),
                _ => {}
            }
        }
        for element in children(item, "responseProcessing") {
            let mut own = rules(element);
            include(&mut own, &mut files);
            model.rules = match (own.is_empty(), attribute(element, "template")) {
                (false, _) => Some(own),
                (true, None) => None,
                (true, Some(address)) => Some(template(address, &model).unwrap_or_else(|| {
                    vec![Rule::Unknown(format!("the template {address}"), element.place())]
                })),
            };
        }
        model
    }
}
