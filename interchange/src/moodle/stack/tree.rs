//! Response trees: the score of each kind of answer.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::{Decimal, Ratio};

use super::maxima::Statement;
use super::maxima::{Expr, expression, statements};
use super::values::Values;
use crate::moodle::question::normal_number;
use crate::moodle::xml::plain_text;
use crate::xml::Element;

/// A rule that is equivalent to a response tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rule {
    /// Equal to the key.
    Equal(Expr),
    /// Equal to the key, and in a form; an equal answer in another form earns `otherwise`.
    Form {
        key: Expr,
        form: &'static str,
        variable: Option<String>,
        otherwise: Ratio,
        /// Whether the key keeps its written form, because nothing computes it.
        as_written: bool,
    },
    /// A number, compared by a numerical test with its option.
    Number { key: Expr, option: Expr, kind: &'static str },
    /// A text; `ignore` if case and extra spaces do not count.
    Text { key: String, ignore: bool },
}

/// A branch after a test: the change of the score, and the next node.
#[derive(Debug, Clone)]
struct Branch {
    mode: char,
    score: Ratio,
    next: Next,
}

#[derive(Debug, Clone, PartialEq)]
enum Next {
    End,
    /// The node with this index.
    Node(usize),
    /// A node that does not exist.
    Missing,
}

#[derive(Debug, Clone)]
struct Node {
    test: String,
    student: String,
    teacher: String,
    options: String,
    yes: Branch,
    no: Branch,
}

pub(super) struct Tree {
    nodes: Vec<Node>,
    first: usize,
    feedback_variables: String,
}

/// The maximum number of nodes of a tree.
const MAX_NODES: usize = 500;

/// The maximum number of nodes that are visited for a question, in all its variants. The paths of a tree can double at
/// each node.
const MAX_VISITS: usize = 1_000_000;

/// The number of nodes that can still be visited for a question.
pub(super) struct Visits(Cell<usize>);

impl Visits {
    pub(super) fn new() -> Self {
        Self(Cell::new(MAX_VISITS))
    }

    fn take(&self) -> Option<()> {
        self.0.set(self.0.get().checked_sub(1)?);
        Some(())
    }

    /// Returns the reason why there is no rule: this one, or that no visits are left.
    fn or_none_left(&self, reason: &str) -> String {
        if self.0.get() == 0 { "its response trees have too many paths" } else { reason }.to_owned()
    }
}

/// The condition that an answer test checks.
#[derive(Debug, Clone, PartialEq)]
enum Test {
    /// Equal to the key.
    Equal(Expr),
    /// Equal to the key and in a form.
    Form(Expr, &'static str, Option<String>),
    Number(Expr, Expr, &'static str),
    Text(String, bool),
    /// An unsupported test, with its name.
    Unknown(String),
}

/// The tests for a form: test, form, and whether the option names a variable.
const FORMS: &[(&str, &str, bool)] = &[
    ("EqualComAss", "same", false),
    ("FacForm", "factored", true),
    ("SingleFrac", "single_fraction", false),
    ("LowestTerms", "lowest_terms", false),
    ("PartFrac", "partial_fractions", true),
    ("CompSquare", "completed_square", true),
    ("CompletedSquare", "completed_square", true),
    ("Expanded", "expanded", false),
];
const NUMBERS: &[&str] = &["NumRelative", "NumAbsolute", "NumSigFigs", "NumDecPlaces"];

/// The kinds of answers that a test for a form distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Unequal,
    Equal,
    InForm,
}

fn score(element: Element<'_>, name: &str) -> Option<Ratio> {
    let text = element.child(name)?.trimmed();
    let number = normal_number(if text.is_empty() { "0" } else { &text })?;
    Decimal::from_text(&number).ok().map(|number| Ratio::from_decimal(&number))
}

/// Returns the names in a text of Maxima, and its numbers and empty texts.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '%'))
}

impl Tree {
    /// Returns the tree of a `prt` element; `None` if it has no nodes or more than [`MAX_NODES`], or if a score is
    /// missing or not a number.
    pub(super) fn read(element: Element<'_>) -> Option<Self> {
        let text = |node: Element<'_>, name: &str| node.child(name).map(plain_text).unwrap_or_default();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (index, node) in element.named("node").enumerate() {
            if index == MAX_NODES {
                return None;
            }
            places.entry(text(node, "name")).or_insert(index);
        }
        let mut nodes = Vec::new();
        for node in element.named("node") {
            let branch = |side: &str| {
                let next = text(node, &format!("{side}nextnode"));
                Some(Branch {
                    mode: text(node, &format!("{side}scoremode")).chars().next().unwrap_or('='),
                    score: score(node, &format!("{side}score"))?,
                    next: match next.as_str() {
                        "" | "-1" => Next::End,
                        name => places.get(name).map_or(Next::Missing, |index| Next::Node(*index)),
                    },
                })
            };
            nodes.push(Node {
                test: text(node, "answertest"),
                student: text(node, "sans"),
                teacher: text(node, "tans"),
                options: text(node, "testoptions"),
                yes: branch("true")?,
                no: branch("false")?,
            });
        }
        // The first node is the first to which no branch leads, or else the first in the file.
        let led = |index: &usize| {
            let to = Next::Node(*index);
            nodes.iter().any(|node: &Node| node.yes.next == to || node.no.next == to)
        };
        // Of nodes with the same name, only the first can be reached.
        let starts = places.values().copied().filter(|index| !led(index));
        let first = starts.min().or((!nodes.is_empty()).then_some(0))?;
        let feedback_variables = element.child("feedbackvariables").map(plain_text).unwrap_or_default();
        Some(Self { nodes, first, feedback_variables })
    }

    /// Returns the inputs that the tree mentions.
    pub(super) fn inputs(&self, names: &[String]) -> Vec<String> {
        let mut texts: Vec<&str> = vec![&self.feedback_variables];
        for node in &self.nodes {
            texts.extend([node.student.as_str(), node.teacher.as_str(), node.options.as_str()]);
        }
        let mentioned: BTreeSet<&str> = texts.into_iter().flat_map(words).collect();
        names.iter().filter(|name| !name.is_empty() && mentioned.contains(name.as_str())).cloned().collect()
    }

    fn test(node: &Node, input: &str, values: &Values) -> Test {
        let unknown = || Test::Unknown(node.test.clone());
        let student = expression(&node.student);
        if student != Some(Expr::Name(input.to_owned())) {
            return unknown();
        }
        let Some(key) = expression(&node.teacher).and_then(|key| values.value(&key)) else {
            return unknown();
        };
        if let Some((_, form, named)) = FORMS.iter().find(|(name, _, _)| *name == node.test) {
            let variable = if *named {
                match expression(&node.options).and_then(|name| values.value(&name)) {
                    Some(Expr::Name(name)) => Some(name),
                    _ => return unknown(),
                }
            } else {
                None
            };
            return Test::Form(key, form, variable);
        }
        if let Some(kind) = NUMBERS.iter().find(|kind| **kind == node.test) {
            let option = if node.options.is_empty() { "0.05" } else { node.options.as_str() };
            return expression(option).map_or_else(unknown, |option| Test::Number(key, option, kind));
        }
        match (node.test.as_str(), key) {
            ("AlgEquiv" | "Diff", Expr::Text(_)) => unknown(),
            // `Diff` tests equality too, but has feedback for learners who integrated instead.
            ("AlgEquiv" | "Diff", key) => Test::Equal(key),
            ("String", Expr::Text(text)) => Test::Text(text, false),
            ("StringSloppy", Expr::Text(text)) => Test::Text(text, true),
            _ => unknown(),
        }
    }

    /// Returns the rule that gives every answer the same score as the tree; the error is the reason if there is none.
    pub(super) fn rule(&self, input: &str, values: &Values, visits: &Visits) -> Result<Rule, String> {
        // Feedback variables can redefine names.
        let assigned = statements(&self.feedback_variables);
        let own: BTreeSet<&str> = assigned
            .iter()
            .filter_map(|one| match one {
                Statement::Assign(name, _) | Statement::Define(name, _, _) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let first = self.nodes.get(self.first).ok_or("there is no first node")?;
        if own.contains(input) || assigned.iter().any(|one| matches!(one, Statement::Unread { .. })) {
            return Err("its feedback variables cannot be followed".to_owned());
        }
        let known: Vec<Test> = self
            .nodes
            .iter()
            .map(|node| {
                let texts = [&node.student, &node.teacher, &node.options];
                let redefined = texts.into_iter().flat_map(|text| words(text)).any(|word| own.contains(word));
                if redefined { Test::Unknown(node.test.clone()) } else { Self::test(node, input, values) }
            })
            .collect();
        match &known[self.first] {
            Test::Unknown(name) => Err(format!(
                "the answer test `{name}` of `{}` and `{}` has no counterpart",
                first.student, first.teacher
            )),
            Test::Text(key, ignore) => {
                let same = Test::Text(key.clone(), *ignore);
                self.yes_or_no(&|node| known[node] == same, visits)?;
                Ok(Rule::Text { key: key.clone(), ignore: *ignore })
            }
            Test::Number(key, option, kind) => {
                let same = Test::Number(key.clone(), option.clone(), kind);
                self.yes_or_no(&|node| known[node] == same, visits)?;
                Ok(Rule::Number { key: key.clone(), option: option.clone(), kind })
            }
            Test::Equal(key) | Test::Form(key, _, _) => {
                let forms: Vec<(&'static str, Option<String>)> = known
                    .iter()
                    .filter_map(|test| match test {
                        Test::Form(other, form, variable) if other == key => Some((*form, variable.clone())),
                        _ => None,
                    })
                    .collect();
                if forms.iter().any(|form| *form != forms[0]) {
                    return Err("it asks for several forms".to_owned());
                }
                let scored = |answer: Answer| {
                    self.score(
                        &|node| match &known[node] {
                            Test::Equal(other) if other == key => Some(answer != Answer::Unequal),
                            Test::Form(other, _, _) if other == key => Some(answer == Answer::InForm),
                            _ => None,
                        },
                        visits,
                        self.first,
                        &Ratio::zero(),
                        0,
                    )
                };
                let [none, equal, formed] = [Answer::Unequal, Answer::Equal, Answer::InForm].map(scored);
                let differs = || visits.or_none_left("what a wrong answer earns depends on another test");
                let (none, equal, formed) =
                    (none.ok_or_else(differs)?, equal.ok_or_else(differs)?, formed.ok_or_else(differs)?);
                if !none.is_zero() {
                    return Err("a wrong answer earns part of the score".to_owned());
                }
                match forms.first() {
                    None if equal.is_one() => Ok(Rule::Equal(key.clone())),
                    Some(_) if equal.is_one() && formed.is_one() => Ok(Rule::Equal(key.clone())),
                    Some((form, variable)) if formed.is_one() => Ok(Rule::Form {
                        key: key.clone(),
                        form,
                        variable: variable.clone(),
                        otherwise: equal,
                        as_written: self.nodes.iter().all(|node| {
                            expression(&node.teacher).is_some_and(|key| !values.is_computed(&key))
                        }),
                    }),
                    _ => Err("no answer earns the whole score".to_owned()),
                }
            }
        }
    }

    /// Checks that the score is 1 if the test passes and 0 if it fails, whatever the outcomes of other tests.
    fn yes_or_no(&self, same: &dyn Fn(usize) -> bool, visits: &Visits) -> Result<(), String> {
        let scored = |answer: bool| {
            self.score(&|node| same(node).then_some(answer), visits, self.first, &Ratio::zero(), 0)
        };
        match (scored(true), scored(false)) {
            (Some(yes), Some(no)) if yes.is_one() && no.is_zero() => Ok(()),
            _ => Err(visits.or_none_left("what an answer earns depends on several tests")),
        }
    }

    /// Returns the score from a node on, between 0 and 1; `None` if it depends on unknown outcomes, if a path is too
    /// long or cannot be followed, or if there are too many paths.
    fn score(
        &self,
        outcome: &dyn Fn(usize) -> Option<bool>,
        visits: &Visits,
        node: usize,
        before: &Ratio,
        depth: usize,
    ) -> Option<Ratio> {
        visits.take()?;
        // A path longer than the number of nodes has a cycle.
        if depth > self.nodes.len().min(20) {
            return None;
        }
        let follow = |branch: &Branch| {
            let score = match branch.mode {
                '+' => before.plus(&branch.score),
                '-' => before.minus(&branch.score),
                '=' => branch.score.clone(),
                _ => return None,
            };
            match branch.next {
                Next::End => Some(score.clamped()),
                Next::Node(next) => self.score(outcome, visits, next, &score, depth + 1),
                Next::Missing => None,
            }
        };
        let Node { yes, no, .. } = self.nodes.get(node)?;
        match outcome(node) {
            Some(true) => follow(yes),
            Some(false) => follow(no),
            None => {
                let yes = follow(yes)?;
                (yes == follow(no)?).then_some(yes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::maxima::statements;
    use super::super::values::Values;
    use super::{MAX_VISITS, Rule, Tree, Visits};
    use crate::xml::{Tree as Xml, XmlLimits};

    /// Returns a tree. A node has name, test, key and options, then mode, score and next node of both branches.
    fn tree(nodes: &[[&str; 10]]) -> Tree {
        let mut xml = "<prt>".to_owned();
        for [name, test, key, options, tm, ts, tn, fm, fs, fnext] in nodes {
            xml.push_str(&format!(
                "<node><name>{name}</name><answertest>{test}</answertest><sans>ans1</sans><tans>{key}</tans>\
                 <testoptions>{options}</testoptions><truescoremode>{tm}</truescoremode><truescore>{ts}</truescore>\
                 <truenextnode>{tn}</truenextnode><falsescoremode>{fm}</falsescoremode><falsescore>{fs}</falsescore>\
                 <falsenextnode>{fnext}</falsenextnode></node>"
            ));
        }
        xml.push_str("</prt>");
        let xml = Xml::parse(&xml, XmlLimits::default()).unwrap();
        Tree::read(xml.root()).unwrap()
    }

    fn rule(nodes: &[[&str; 10]]) -> Result<Rule, String> {
        tree(nodes).rule("ans1", &Values::new(statements("ta:x*(x+1);"), None, true), &Visits::new())
    }

    const OTHER: [&str; 10] = ["1", "AlgEquiv", "x", "", "=", "0", "-1", "=", "0", "-1"];

    #[test]
    fn trees_are_walked_and_not_recognised() {
        let equal = ["0", "AlgEquiv", "ta", "", "=", "1", "-1", "=", "0", "1"];
        assert!(matches!(rule(&[equal, OTHER]), Ok(Rule::Equal(_))));
        let gate = ["0", "AlgEquiv", "ta", "", "=", "0.5", "1", "=", "0", "-1"];
        let form = ["1", "FacForm", "ta", "x", "+", "0.5", "-1", "-", "0", "-1"];
        let Ok(Rule::Form { form, otherwise, variable, .. }) = rule(&[gate, form]) else { panic!() };
        assert_eq!(
            (form, otherwise.to_fraction_text().as_str(), variable.as_deref()),
            ("factored", "1/2", Some("x"))
        );
        let number = ["0", "NumRelative", "ta", "0.01", "=", "1", "-1", "=", "0", "-1"];
        assert!(matches!(rule(&[number]), Ok(Rule::Number { kind: "NumRelative", .. })));
    }

    #[test]
    fn what_depends_on_more_is_refused() {
        let equal = ["0", "AlgEquiv", "ta", "", "=", "1", "-1", "=", "0", "1"];
        let half = ["1", "AlgEquiv", "x", "", "=", "0.5", "-1", "=", "0", "-1"];
        assert!(rule(&[equal, half]).is_err());
        let cycle = ["0", "AlgEquiv", "ta", "", "=", "1", "0", "=", "0", "0"];
        assert!(rule(&[cycle]).is_err());
        let unknown = ["0", "Int", "ta", "x", "=", "1", "-1", "=", "0", "-1"];
        assert!(rule(&[unknown]).is_err());
    }

    #[test]
    fn paths_that_double_at_each_node_are_not_all_followed() {
        // From the second node on, each node leads to the next, whether its test passes or fails.
        let names: Vec<String> = (0..20).map(|n| n.to_string()).collect();
        let mut nodes = vec![["0", "AlgEquiv", "ta", "", "=", "1", "-1", "=", "0", "1"]];
        for (name, next) in names[1..].iter().zip(&names[2..]) {
            nodes.push([name, "Int", "x", "", "=", "0", next, "=", "0", next]);
        }
        nodes.push([&names[19], "Int", "x", "", "=", "0", "-1", "=", "0", "-1"]);
        let values = Values::new(statements("ta:x;"), None, true);
        let visits = Visits::new();
        let rule = || tree(&nodes).rule("ans1", &values, &visits);
        assert!(matches!(rule(), Ok(Rule::Equal(_))));
        assert!(visits.0.get() < MAX_VISITS / 2);
        assert!(rule().unwrap_err().contains("too many paths"));
    }

    #[test]
    fn feedback_variables_hide_question_variables() {
        let mut tree = tree(&[["0", "NumAbsolute", "ta", "tol", "=", "1", "-1", "=", "0", "-1"]]);
        let values = Values::new(statements("ta:1;tol:0.5;"), None, true);
        for (variables, known) in [("", true), ("t:2;", true), ("tol:2;", false), ("ta:2;", false)] {
            tree.feedback_variables = variables.to_owned();
            assert_eq!(tree.rule("ans1", &values, &Visits::new()).is_ok(), known, "{variables}");
        }
    }

    #[test]
    fn inputs_are_mentioned_as_whole_names() {
        let names = ["ans1", "ans", "x", "a", ""].map(str::to_owned);
        assert_eq!(
            tree(&[["0", "AlgEquiv", "2*x+%a+ans12", "", "=", "1", "-1", "=", "0", "-1"]]).inputs(&names),
            ["ans1", "x"]
        );
    }
}
