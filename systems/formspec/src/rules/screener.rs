//! The semantic rules of a screener; the codes in parentheses are those of the Formspec linter.

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::finding::{Finding, Findings};

use crate::answers::ItemIndex;
use crate::evaluate::unreadable_day;
use crate::language::{Language, Problem};
use crate::message::{Piece, split};
use crate::rules::cycles::names_on_cycles;
use crate::screener::{Bind, Item, Phase, Route, Screener, Strategy};
use crate::time::{Date, Duration};

/// Checks the rules of a screener that a schema cannot express.
///
/// | rule | what is wrong |
/// |---|---|
/// | `bind-path` (E1500) | the path of a bind is not that of an item |
/// | `phase` (E1501) | no phase, no route, a duplicate id, or an unknown strategy without `x-` |
/// | `condition-missing` (E1502) | a route that needs a condition has none |
/// | `score-missing` (E1503) | a route that needs a score and a threshold lacks one |
/// | `target-form` (E1504) | the target is not a URI, `url\|version` or `outcome:name` |
/// | `availability-date`, `result-validity`, `version-form` (E1505) | an availability date, a validity period or a version is invalid |
/// | `interpolation` (E1507) | an interpolation of a message is open, empty or broken |
/// | `route-shadowed` (W1500) | a route follows one that always matches |
/// | `expression` | an expression is broken, or calls an unknown function or one with a wrong number of arguments |
/// | `unknown-name` | an expression reads an item that does not exist (a warning: it reads null) |
/// | `bind-cycle` | `relevant` and `calculate` of binds depend on each other in a cycle |
/// | `duplicate-item` | two siblings have the same key |
pub fn check_screener<L: Language>(screener: &Screener, language: &L) -> Vec<Finding> {
    let index = ItemIndex::new(screener);
    let mut check =
        Check { language, index: &index, has_items: !screener.items.is_empty(), findings: Findings::new() };
    check.items(&screener.items, "/items");
    check.life_cycle(screener);
    check.binds(&screener.binds);
    check.evaluation(&screener.evaluation);
    check.findings.into_vec()
}

struct Check<'c, 's, L: Language> {
    language: &'c L,
    index: &'c ItemIndex<'s>,
    has_items: bool,
    findings: Findings,
}

impl<L: Language> Check<'_, '_, L> {
    fn error(&mut self, rule: &'static str, pointer: impl Into<String>, message: &str, help: &str) {
        self.findings.push(Finding::error(rule, pointer, message, help));
    }

    /// Checks items. Recursion is bounded by the depth limit of the parsed document.
    fn items(&mut self, items: &[Item], pointer: &str) {
        let mut keys = BTreeSet::new();
        for (at, item) in items.iter().enumerate() {
            if !keys.insert(item.key.as_str()) {
                let place = format!("{pointer}/{at}/key");
                self.error(
                    "duplicate-item",
                    place,
                    "an earlier sibling has the same key",
                    "rename one of them",
                );
            }
            self.items(&item.children, &format!("{pointer}/{at}/children"));
        }
    }

    fn life_cycle(&mut self, screener: &Screener) {
        if let Some(availability) = &screener.availability {
            let mut day = |name: &str, text: &Option<String>| {
                let date = text.as_deref().and_then(Date::parse);
                if text.is_some() && date.is_none() {
                    self.findings.push(unreadable_day(name));
                }
                date
            };
            let (from, until) = (day("from", &availability.from), day("until", &availability.until));
            if from.zip(until).is_some_and(|(from, until)| from > until) {
                self.error(
                    "availability-date",
                    "/availability",
                    "the first day lies after the last (E1505)",
                    "swap the days",
                );
            }
        }
        if screener.result_validity.as_deref().is_some_and(|text| Duration::parse(text).is_none()) {
            self.error(
                "result-validity",
                "/resultValidity",
                "not an ISO 8601 duration in whole units (E1505)",
                "write it like P90D or P1Y6M",
            );
        }
        if screener.version.trim().is_empty()
            || screener.evaluation_binding.is_some() && !is_semantic(&screener.version)
        {
            self.error(
                "version-form",
                "/version",
                "a screener that declares evaluationBinding needs a semantic version, and no version may be empty (E1505)",
                "write it like 1.4.0",
            );
        }
    }

    fn binds(&mut self, binds: &[Bind]) {
        let mut reads: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (at, bind) in binds.iter().enumerate() {
            let bare = bind.path.replace("[*]", "");
            if !self.index.contains(&bare) {
                self.error(
                    "bind-path",
                    format!("/binds/{at}/path"),
                    "the screener has no item of this path (E1500)",
                    "correct the path or add the item",
                );
            }
            for (member, source) in &bind.expressions {
                let Some(names) = self.expression(source, &format!("/binds/{at}/{member}")) else { continue };
                // A constraint may read its own item, but `relevant` and `calculate` may not.
                if matches!(*member, "relevant" | "calculate") {
                    reads.entry(bare.clone()).or_default().extend(names);
                }
            }
        }
        let on_cycles = names_on_cycles(&reads);
        for (at, bind) in binds.iter().enumerate() {
            if on_cycles.contains(bind.path.replace("[*]", "").as_str()) {
                self.error(
                    "bind-cycle",
                    format!("/binds/{at}"),
                    "`relevant` and `calculate` lead back to this item",
                    "break the cycle: let one of the items depend on nothing that depends on it",
                );
            }
        }
    }

    /// Parses an expression; returns the paths that it reads, without instances.
    fn expression(&mut self, source: &str, pointer: &str) -> Option<Vec<String>> {
        match self.language.parse(source) {
            Err(problem) => {
                self.error("expression", pointer, problem.message(), "correct the expression");
                None
            }
            Ok(expression) => {
                if let Some(problem) = self.language.flaw(&expression) {
                    self.error("expression", pointer, problem.message(), "correct the expression");
                }
                let names: Vec<String> =
                    self.language.names(&expression).iter().map(|name| without_instances(name)).collect();
                let unknown = |name: &&String| !name.is_empty() && !self.index.contains(name);
                // If the screener has no items, its author declares them elsewhere.
                if self.has_items && names.iter().any(|name| unknown(&name)) {
                    self.findings.push(Finding::warning(
                        "unknown-name",
                        pointer,
                        "the expression reads an item that the screener does not have, which is always null",
                        "correct the name or add the item",
                    ));
                }
                Some(names)
            }
        }
    }

    /// Returns why an expression cannot be parsed or evaluated.
    fn problem(&self, source: &str) -> Option<Problem> {
        match self.language.parse(source) {
            Ok(expression) => self.language.flaw(&expression),
            Err(problem) => Some(problem),
        }
    }

    fn evaluation(&mut self, phases: &[Phase]) {
        if phases.is_empty() {
            self.error("phase", "/evaluation", "there is no phase (E1501)", "add a phase");
        }
        let mut ids = BTreeSet::new();
        for (at, phase) in phases.iter().enumerate() {
            let pointer = format!("/evaluation/{at}");
            if !ids.insert(phase.id.as_str()) {
                let place = format!("{pointer}/id");
                self.error("phase", place, "an earlier phase has the same id (E1501)", "rename one of them");
            }
            if let Strategy::Other(name) = &phase.strategy
                && !name.starts_with("x-")
            {
                self.error(
                    "phase",
                    format!("{pointer}/strategy"),
                    "there is no strategy of this name (E1501)",
                    "use first-match, fan-out or score-threshold, or a name that begins with x-",
                );
            }
            if phase.routes.is_empty() {
                self.error(
                    "phase",
                    format!("{pointer}/routes"),
                    "the phase has no route (E1501)",
                    "add a route",
                );
            }
            if let Some(source) = &phase.active_when {
                self.expression(source, &format!("{pointer}/activeWhen"));
            }
            let mut always = false;
            for (at, route) in phase.routes.iter().enumerate() {
                let pointer = format!("{pointer}/routes/{at}");
                self.route(&phase.strategy, route, &pointer);
                if phase.strategy == Strategy::FirstMatch && !route.is_override {
                    if always {
                        self.findings.push(Finding::warning(
                            "route-shadowed",
                            &pointer,
                            "an earlier route always matches (W1500)",
                            "move this route up or remove it",
                        ));
                    }
                    always |= route.condition.as_deref().is_some_and(|condition| condition.trim() == "true");
                }
            }
        }
    }

    fn route(&mut self, strategy: &Strategy, route: &Route, pointer: &str) {
        if !is_target(&route.target) {
            self.error(
                "target-form",
                format!("{pointer}/target"),
                "the target is not a URI, `url|version` or `outcome:name` (E1504)",
                "write it like urn:example:form|1.0.0 or outcome:ineligible",
            );
        }
        let by_condition = route.is_override || matches!(strategy, Strategy::FirstMatch | Strategy::FanOut);
        if by_condition && route.condition.is_none() {
            self.error("condition-missing", pointer, "the route has no condition (E1502)", "add `condition`");
        }
        let by_score = !route.is_override && *strategy == Strategy::ScoreThreshold;
        if by_score && (route.score.is_none() || route.threshold.is_none()) {
            self.error(
                "score-missing",
                pointer,
                "the route has no score or no threshold (E1503)",
                "add `score` and `threshold`",
            );
        }
        for (member, source) in [("condition", &route.condition), ("score", &route.score)] {
            if let Some(source) = source {
                self.expression(source, &format!("{pointer}/{member}"));
            }
        }
        for piece in split(route.message.as_deref().unwrap_or_default()) {
            let problem = match piece {
                Piece::Text(_) => continue,
                Piece::Unclosed => "an interpolation has no closing `}}` (E1507)".to_owned(),
                Piece::Expression(source) if source.trim().is_empty() => {
                    "an interpolation is empty (E1507)".to_owned()
                }
                Piece::Expression(source) => match self.problem(source.trim()) {
                    None => continue,
                    Some(problem) => format!("an interpolation is broken (E1507): {problem}"),
                },
            };
            self.error(
                "interpolation",
                format!("{pointer}/message"),
                &problem,
                r"write {{expression}}, or \{{ for {{",
            );
        }
    }
}

/// Returns the name of an item without instances such as `[*]` and `[1]`.
fn without_instances(name: &str) -> String {
    let mut bare = String::with_capacity(name.len());
    let mut inside = false;
    for character in name.chars() {
        match character {
            '[' => inside = true,
            ']' => inside = false,
            other if !inside => bare.push(other),
            _ => {}
        }
    }
    bare
}

fn is_target(target: &str) -> bool {
    if target.is_empty() || target.chars().any(char::is_whitespace) {
        return false;
    }
    if let Some(name) = target.strip_prefix("outcome:") {
        return !name.is_empty();
    }
    match target.split_once('|') {
        Some((url, version)) => !url.is_empty() && !version.is_empty(),
        None => target.contains(':') || target.starts_with('/'),
    }
}

/// Returns whether `version` has the form of semver.org: three numbers, then optionally `-pre.release` and
/// `+build`. Numbers have no leading zeros, except in the build.
fn is_semantic(version: &str) -> bool {
    let (rest, build) = version.split_once('+').map_or((version, None), |(rest, build)| (rest, Some(build)));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let identifiers = |text: &str| {
        text.split('.').all(|part| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
    };
    let number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    core.split('.').count() == 3
        && core.split('.').all(number)
        && pre.is_none_or(|pre| {
            let numeric = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
            identifiers(pre) && pre.split('.').all(|part| !numeric(part) || number(part))
        })
        && build.is_none_or(identifiers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_uris_versions_or_outcomes() {
        for target in ["urn:a", "https://example.org/a|1.0.0", "outcome:review", "/relative"] {
            assert!(is_target(target), "{target}");
        }
        for target in ["", " ", "urn: a", "outcome:", "|1.0", "urn:a|", "word"] {
            assert!(!is_target(target), "{target}");
        }
    }

    #[test]
    fn versions_are_semantic() {
        for version in ["0.0.0", "1.2.3-rc.1+5", "10.20.30", "1.0.0-0.a01.0-1+01"] {
            assert!(is_semantic(version), "{version}");
        }
        for version in
            ["1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3+", "v1.2.3", "1.0.0-01", "1.0.0-a.00", ""]
        {
            assert!(!is_semantic(version), "{version}");
        }
    }
}
