//! Response trees: the score of each kind of answer.

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
    next: Option<String>,
}

#[derive(Debug, Clone)]
struct Node {
    name: String,
    test: String,
    student: String,
    teacher: String,
    options: String,
    yes: Branch,
    no: Branch,
}

pub(super) struct Tree {
    nodes: Vec<Node>,
    first: String,
    feedback_variables: String,
}

/// The maximum number of nodes of a tree. Nodes are found by a linear search for their names.
const MAX_NODES: usize = 500;

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

impl Tree {
    /// Returns the tree of a `prt` element; `None` if it has no nodes or more than [`MAX_NODES`], or if a score is
    /// missing or not a number.
    pub(super) fn read(element: Element<'_>) -> Option<Self> {
        let text = |node: Element<'_>, name: &str| node.child(name).map(plain_text).unwrap_or_default();
        let mut nodes = Vec::new();
        for node in element.named("node") {
            if nodes.len() == MAX_NODES {
                return None;
            }
            let branch = |side: &str| {
                let next = text(node, &format!("{side}nextnode"));
                Some(Branch {
                    mode: text(node, &format!("{side}scoremode")).chars().next().unwrap_or('='),
                    score: score(node, &format!("{side}score"))?,
                    next: (!matches!(next.as_str(), "" | "-1")).then_some(next),
                })
            };
            nodes.push(Node {
                name: text(node, "name"),
                test: text(node, "answertest"),
                student: text(node, "sans"),
                teacher: text(node, "tans"),
                options: text(node, "testoptions"),
                yes: branch("true")?,
                no: branch("false")?,
            });
        }
        // The first node is the first to which no branch leads, or else the first in the file.
        let led = |name: &String| {
            nodes
                .iter()
                .any(|node| node.yes.next.as_ref() == Some(name) || node.no.next.as_ref() == Some(name))
        };
        let first = nodes.iter().find(|node| !led(&node.name)).or(nodes.first())?.name.clone();
        let feedback_variables = element.child("feedbackvariables").map(plain_text).unwrap_or_default();
        Some(Self { nodes, first, feedback_variables })
    }

    /// Returns the inputs that the tree mentions.
    pub(super) fn inputs(&self, names: &[String]) -> Vec<String> {
        let mut texts: Vec<&str> = vec![&self.feedback_variables];
        for node in &self.nodes {
            texts.extend([node.student.as_str(), node.teacher.as_str(), node.options.as_str()]);
        }
        let mentions = |name: &String| {
            texts.iter().any(|text| {
                text.match_indices(name.as_str()).any(|(at, _)| {
                    let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '%';
                    !text[..at].ends_with(letter) && !text[at + name.len()..].starts_with(letter)
                })
            })
        };
        names.iter().filter(|name| !name.is_empty() && mentions(name)).cloned().collect()
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
    pub(super) fn rule(&self, input: &str, values: &Values) -> Result<Rule, String> {
        // Feedback variables can redefine names.
        let assigned = statements(&self.feedback_variables);
        let shadows = |name: &str| {
            assigned.iter().any(|one| match one {
                Statement::Assign(other, _) | Statement::Define(other, _, _) => other == name,
                Statement::Unread { .. } => true,
                Statement::Expression(_) => false,
            })
        };
        let first = self.nodes.iter().find(|node| node.name == self.first).ok_or("there is no first node")?;
        if shadows(input) || assigned.iter().any(|one| matches!(one, Statement::Unread { .. })) {
            return Err("its feedback variables cannot be followed".to_owned());
        }
        let known: Vec<Test> = self
            .nodes
            .iter()
            .map(|node| {
                let names_of_own = assigned.iter().any(|one| match one {
                    Statement::Assign(name, _) | Statement::Define(name, _, _) => {
                        node.teacher.contains(name.as_str()) || node.student.contains(name.as_str())
                    }
                    _ => false,
                });
                if names_of_own { Test::Unknown(node.test.clone()) } else { Self::test(node, input, values) }
            })
            .collect();
        let of = |node: &Node| -> &Test {
            self.nodes.iter().position(|one| one.name == node.name).map_or(&known[0], |at| &known[at])
        };
        match of(first) {
            Test::Unknown(name) => Err(format!(
                "the answer test `{name}` of `{}` and `{}` has no counterpart",
                first.student, first.teacher
            )),
            Test::Text(key, ignore) => {
                self.yes_or_no(first, &|node| *of(node) == Test::Text(key.clone(), *ignore))?;
                Ok(Rule::Text { key: key.clone(), ignore: *ignore })
            }
            Test::Number(key, option, kind) => {
                self.yes_or_no(first, &|node| *of(node) == Test::Number(key.clone(), option.clone(), kind))?;
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
                        &|node| match of(node) {
                            Test::Equal(other) if other == key => Some(answer != Answer::Unequal),
                            Test::Form(other, _, _) if other == key => Some(answer == Answer::InForm),
                            _ => None,
                        },
                        first,
                        &Ratio::zero(),
                        0,
                    )
                };
                let [none, equal, formed] = [Answer::Unequal, Answer::Equal, Answer::InForm].map(scored);
                let differs = || "what a wrong answer earns depends on another test".to_owned();
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
    fn yes_or_no(&self, first: &Node, same: &dyn Fn(&Node) -> bool) -> Result<(), String> {
        let scored =
            |answer: bool| self.score(&|node| same(node).then_some(answer), first, &Ratio::zero(), 0);
        match (scored(true), scored(false)) {
            (Some(yes), Some(no)) if yes.is_one() && no.is_zero() => Ok(()),
            _ => Err("what an answer earns depends on several tests".to_owned()),
        }
    }

    /// Returns the score from a node on, between 0 and 1; `None` if it depends on unknown outcomes, or if a path is too
    /// long or cannot be followed.
    fn score(
        &self,
        outcome: &dyn Fn(&Node) -> Option<bool>,
        node: &Node,
        before: &Ratio,
        depth: usize,
    ) -> Option<Ratio> {
        // A path longer than the number of nodes has a cycle. The limit of 20 bounds the number of paths.
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
            match &branch.next {
                None => Some(score.clamped()),
                Some(name) => {
                    let next = self.nodes.iter().find(|node| node.name == *name)?;
                    self.score(outcome, next, &score, depth + 1)
                }
            }
        };
        match outcome(node) {
            Some(true) => follow(&node.yes),
            Some(false) => follow(&node.no),
            None => {
                let yes = follow(&node.yes)?;
                (yes == follow(&node.no)?).then_some(yes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::maxima::statements;
    use super::super::values::Values;
    use super::{Rule, Tree};
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
        tree(nodes).rule("ans1", &Values::new(statements("ta:x*(x+1);"), None, true))
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
}
