//! Lint rules for the public part of a question.
//!
//! `fablegrade-core` applies most of these rules to specs, together with those that need the key;
//! [`DeliveryView::lint`] applies them to a view.

use unicode_normalization::UnicodeNormalization;

use super::DeliveryView;
use super::code::{CodeView, Harness, HarnessMode, Language, Limits, SuiteView, TestCase};
use super::expression::{Domain, Variable};
use super::free_text::{FreeTextView, GradingMode};
use super::numeric::Unit;
use super::ordering::ItemView;
use crate::content::Content;
use crate::decimal::Decimal;
use crate::finding::{Finding, Findings};
use crate::identifier::ItemId;
use crate::json::Json;
use crate::judge::accepts;
use crate::matcher::{Matcher, output_json};

impl DeliveryView {
    /// Returns all findings about a question without its key, the most severe first. Pointers are relative to
    /// the view.
    ///
    /// ```
    /// use fablegrade_public::DeliveryView;
    /// let view = DeliveryView::from_json(
    ///     r#"{"type":"free_text","gradingMode":"reviewer","minWords":50,"maxWords":40}"#,
    /// )?;
    /// assert_eq!(view.lint()[0].rule, "min-above-max");
    /// # Ok::<(), fablegrade_public::Error>(())
    /// ```
    pub fn lint(&self) -> Vec<Finding> {
        let mut findings = Findings::new();
        let list = &mut findings;
        match self {
            Self::MultipleChoice(view) => {
                let ids = || view.choices.iter().map(|choice| &choice.id);
                duplicate_ids(ids(), "/choices", list);
                telling_ids(
                    view.choices.iter().map(|choice| (&choice.id, &choice.content)),
                    "/choices",
                    list,
                );
                partial_credit(view.partial_credit, view.multiple_select, list);
            }
            Self::Numeric(view) => {
                if let Some(given) = &view.unit {
                    // Avoids Unicode tables, which would enlarge the learner's package.
                    unit(given, plain_unit, list);
                    public_unit(given, list);
                }
            }
            Self::Expression(view) => {
                let given = view.variables.as_deref().unwrap_or_default();
                variables(given, list);
                if list.errors() == 0 {
                    exclusions(given, list);
                }
            }
            Self::FreeText(view) => {
                word_bounds(view, list);
                who_grades(view, list);
            }
            Self::Code(view) => code(view, list),
            Self::Ordering(view) => {
                duplicate_ids(view.items.iter().map(|item| &item.id), "/items", list);
                same_items(&view.items, "/items", Same::Unordered, list);
            }
            Self::Matching(view) => {
                for (items, pointer) in [(&view.left, "/left"), (&view.right, "/right")] {
                    duplicate_ids(items.iter().map(|item| &item.id), pointer, list);
                    same_items(items, pointer, Same::Indistinguishable, list);
                }
            }
            Self::Widget(_) => {}
        }
        let mut list = findings.into_vec();
        list.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        list
    }
}

/// Reports duplicate ids in the list at `pointer`.
pub fn duplicate_ids<'a>(ids: impl Iterator<Item = &'a ItemId>, pointer: &str, findings: &mut Findings) {
    let ids: Vec<_> = ids.collect();
    for (at, id) in ids.iter().enumerate() {
        if ids[..at].contains(id) {
            findings.push(Finding::error(
                "duplicate-id",
                format!("{pointer}/{at}/id"),
                "this id is in the list already",
                "give every entry an id of its own",
            ));
        }
    }
}

/// The correctness that a word of an id suggests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meant {
    /// The entry is correct.
    Right,
    /// The entry is wrong.
    Wrong,
}

/// Returns the words of an id in lower case, without their final digits: those between `-` and `_`, and then the parts of
/// those in camel case.
fn words_of(id: &str) -> impl Iterator<Item = String> + '_ {
    let plain = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    let words = || id.split(['-', '_']).filter(|word| !word.is_empty());
    let parts = words().flat_map(move |word| {
        let capital = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        let mut cuts: Vec<usize> = Vec::new();
        cuts.push(0);
        cuts.extend(
            word.as_bytes().windows(2).enumerate().filter(|(_, pair)| capital(pair)).map(|(at, _)| at + 1),
        );
        cuts.push(word.len());
        let parts: Vec<String> =
            cuts.windows(2).filter_map(|ends| word.get(ends[0]..ends[1])).map(plain).collect();
        // A word that is one part is there already.
        if parts.len() > 1 { parts } else { Vec::new() }
    });
    words().map(plain).chain(parts)
}

/// Returns the word of an id that reveals whether the entry is correct: `wrong` for `wrong-2`.
///
/// Ignores `true` and `right`, which can be the content of a choice; see [`yes_or_no`].
pub fn telling_word(id: &str) -> Option<(String, Meant)> {
    const RIGHT: [&str; 8] =
        ["correct", "answer", "key", "solution", "goodanswer", "rightanswer", "richtige", "bonne"];
    const WRONG: [&str; 10] = [
        "incorrect",
        "wrong",
        "distractor",
        "decoy",
        "bogus",
        "lure",
        "dummy",
        "foil",
        "falsche",
        "mauvaise",
    ];
    words_of(id).find_map(|word| {
        let meant = if RIGHT.contains(&word.as_str()) {
            Meant::Right
        } else if WRONG.contains(&word.as_str()) {
            Meant::Wrong
        } else {
            return None;
        };
        Some((word, meant))
    })
}

/// Returns the word of an id that means yes or no. Such words reveal the key if every entry has one.
pub fn yes_or_no(id: &str) -> Option<(String, bool)> {
    const YES: [&str; 12] =
        ["true", "right", "yes", "ok", "good", "correct", "richtig", "wahr", "ja", "vrai", "t", "y"];
    const NO: [&str; 12] =
        ["false", "wrong", "no", "ko", "bad", "incorrect", "falsch", "unwahr", "nein", "faux", "f", "n"];
    let words: Vec<String> = words_of(id).collect();
    let meaning = |word: &String| {
        let yes = YES.contains(&word.as_str());
        (yes || NO.contains(&word.as_str())).then(|| (word.clone(), yes))
    };
    // A letter can be a name, as in `y_true`, so it counts only without a longer word.
    let long = words.iter().filter(|word| word.len() > 1).find_map(meaning);
    long.or_else(|| words.iter().find_map(meaning))
}

/// Reports ids that suggest the key: some, but not all, have a word such as `wrong` that is not in their
/// content.
pub fn telling_ids<'a>(
    entries: impl Iterator<Item = (&'a ItemId, &'a Content)>,
    pointer: &str,
    findings: &mut Findings,
) {
    let tells = |(id, content): (&ItemId, &Content)| {
        let text = content.visible_text().to_ascii_lowercase();
        telling_word(id.as_str()).is_some_and(|(word, _)| !text.contains(&word))
    };
    let telling: Vec<bool> = entries.map(tells).collect();
    if let Some(at) = telling.iter().position(|tells| *tells).filter(|_| telling.contains(&false)) {
        findings.push(Finding::warning(
            "telling-id",
            format!("{pointer}/{at}/id"),
            "the id sounds like part of the key, and learners can see ids",
            "use neutral ids like `c1`, `c2`",
        ));
    }
}

/// Reports partial credit for a question in which only one choice can be selected.
pub fn partial_credit(partial_credit: bool, multiple_select: bool, findings: &mut Findings) {
    if partial_credit && !multiple_select {
        findings.push(Finding::warning(
            "partial-without-multiple",
            "/partialCredit",
            "`partialCredit` has no effect without `multipleSelect`",
            "set `multipleSelect` or remove `partialCredit`",
        ));
    }
}

/// Effect of two items with the same content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Same {
    /// The items cannot be distinguished.
    Indistinguishable,
    /// Their order is undetermined.
    Unordered,
}

/// Reports items with the same content.
pub fn same_items(items: &[ItemView], pointer: &str, same: Same, findings: &mut Findings) {
    let message = match same {
        Same::Indistinguishable => "an earlier item says the same, so learners cannot tell them apart",
        Same::Unordered => "an earlier item says the same, so learners cannot tell which comes first",
    };
    for (at, item) in items.iter().enumerate() {
        if items[..at].iter().any(|earlier| earlier.content == item.content) {
            findings.push(Finding::warning(
                "same-item-twice",
                format!("{pointer}/{at}/content"),
                message,
                "change one of the two",
            ));
        }
    }
}

/// Returns the normal form in which units are compared: NFKC, trimmed, inner blanks collapsed, case kept.
pub fn normal_unit(text: &str) -> String {
    let folded: String = text.nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Works like [`normal_unit`] for the characters that units contain; others stay unchanged.
fn plain_unit(text: &str) -> String {
    let folded: String = text
        .chars()
        .map(|c| match c {
            '\u{b5}' => '\u{3bc}',
            '\u{2126}' => '\u{3a9}',
            '\u{212a}' => 'K',
            '\u{212b}' => '\u{c5}',
            '\u{b9}' => '1',
            '\u{b2}' => '2',
            '\u{b3}' => '3',
            '\u{2070}' | '\u{2074}'..='\u{2079}' => char::from(b'0' + (c as u32 - 0x2070) as u8),
            '\u{2080}'..='\u{2089}' => char::from(b'0' + (c as u32 - 0x2080) as u8),
            '\u{207a}' => '+',
            '\u{207b}' => '\u{2212}',
            '\u{ff01}'..='\u{ff5e}' => char::from((c as u32 - 0xfee0) as u8),
            _ => c,
        })
        .collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the distinct, usable spellings of a unit, normalised, and reports the others.
pub fn unit(unit: &Unit, normal: impl Fn(&str) -> String, findings: &mut Findings) -> Vec<String> {
    let mut spellings: Vec<String> = Vec::new();
    for (at, text) in std::iter::once(&unit.expected).chain(unit.accepted.iter().flatten()).enumerate() {
        let pointer =
            if at == 0 { "/unit/expected".to_owned() } else { format!("/unit/accepted/{}", at - 1) };
        let spelling = normal(text);
        if spelling.is_empty() {
            findings.push(Finding::warning(
                "blank-unit",
                pointer,
                "a blank unit counts as a missing unit, so no answer can match this spelling",
                "write the unit or remove this spelling",
            ));
        } else if spellings.contains(&spelling) {
            findings.push(Finding::info(
                "same-unit-twice",
                pointer,
                "this spelling is accepted already",
                "remove it",
            ));
        } else {
            spellings.push(spelling);
        }
    }
    if unit.required && spellings.is_empty() {
        findings.push(Finding::error(
            "no-unit-accepted",
            "/unit",
            "a unit is required but no spelling of one is accepted",
            "write the expected unit",
        ));
    }
    spellings
}

/// Reports a required unit that is also displayed.
pub fn public_unit(unit: &Unit, findings: &mut Findings) {
    if unit.required && !unit.expected.trim().is_empty() {
        findings.push(Finding::info(
            "unit-is-public",
            "/unit/expected",
            "learners can see the expected unit in the view, so asking for it tests nothing",
            "ask for the unit in a question of its own if it matters",
        ));
    }
}

/// Reports variables that are listed twice, and empty domains.
pub fn variables(variables: &[Variable], findings: &mut Findings) {
    for (at, Variable { name, domain }) in variables.iter().enumerate() {
        if variables[..at].iter().any(|earlier| earlier.name == *name) {
            findings.push(Finding::error(
                "duplicate-variable",
                format!("/variables/{at}/name"),
                "this variable is already in the list",
                "list each variable once",
            ));
        }
        let Some(domain) = domain else { continue };
        if domain.min > domain.max {
            findings.push(Finding::error(
                "min-above-max",
                format!("/variables/{at}/domain/min"),
                "the smallest value is above the largest (the defaults are -10 and 10), so the domain is empty",
                "set `min` and `max` so that `min` is not above `max`",
            ));
        } else if is_empty(domain) {
            findings.push(Finding::error(
                "empty-domain",
                format!("/variables/{at}/domain"),
                "no value is left in the domain",
                "widen the domain or exclude less",
            ));
        }
    }
}

/// Returns whether a domain is empty.
fn is_empty(domain: &Domain) -> bool {
    let excluded = |value: &Decimal| domain.exclude.iter().flatten().any(|other| other == value);
    if domain.min == domain.max {
        return excluded(&domain.min) || (domain.integer && !domain.min.is_integer());
    }
    if !domain.integer {
        return false;
    }
    // At most 20 values are excluded, so a range with more integers is not empty.
    let mut value = domain.min.ceil();
    for _ in 0..=20 {
        if value > domain.max {
            return true;
        }
        if !excluded(&value) {
            return false;
        }
        value = value.add(&Decimal::one());
    }
    false
}

/// Reports excluded values, which learners can see.
pub fn exclusions(variables: &[Variable], findings: &mut Findings) {
    for (at, variable) in variables.iter().enumerate() {
        if variable
            .domain
            .as_ref()
            .is_some_and(|domain| domain.exclude.as_ref().is_some_and(|list| !list.is_empty()))
        {
            findings.push(Finding::info(
                "exclusions-tell",
                format!("/variables/{at}/domain/exclude"),
                "learners can see the excluded values, which are often the poles of the key",
                "leave them out: points where the key has no value are skipped anyway",
            ));
        }
    }
}

/// Reports word limits that no text satisfies.
pub fn word_bounds(view: &FreeTextView, findings: &mut Findings) {
    if let (Some(min), Some(max)) = (view.min_words, view.max_words)
        && min > max
    {
        findings.push(Finding::error(
            "min-above-max",
            "/minWords",
            "the minimum number of words is above the maximum, so no text fits",
            "set `min` and `max` so that `min` is not above `max`",
        ));
    }
}

/// Reports a checklist or rubric that is missing or unused in the grading mode.
pub fn who_grades(view: &FreeTextView, findings: &mut Findings) {
    let checklist = view.self_assess_checklist.as_ref().map_or(0, Vec::len);
    match view.grading_mode {
        GradingMode::SelfAssess if checklist == 0 => findings.push(Finding::warning(
            "no-checklist",
            "/selfAssessChecklist",
            "self-assessment needs a checklist; without one the attempt stays pending",
            "add a checklist",
        )),
        GradingMode::PeerReview | GradingMode::Reviewer if checklist > 0 => {
            findings.push(Finding::warning(
                "checklist-unused",
                "/selfAssessChecklist",
                "the checklist counts only in `self_assess` mode",
                "remove it or change the mode",
            ));
        }
        GradingMode::PeerReview if view.rubric.as_ref().is_none_or(Vec::is_empty) => {
            findings.push(Finding::warning(
                "no-rubric",
                "/rubric",
                "peers have no rubric to agree on, and few can grade without one",
                "add criteria with points",
            ));
        }
        GradingMode::Reviewer if view.rubric.as_ref().is_none_or(Vec::is_empty) => {
            findings.push(Finding::info(
                "no-rubric",
                "/rubric",
                "reviewers have no rubric to agree on",
                "add criteria with points",
            ));
        }
        _ => {}
    }
}

fn code(view: &CodeView, findings: &mut Findings) {
    suite_names(view.test_suites.iter().map(SuiteView::name), findings);
    function_name(&view.harness, findings);
    starter_code(view.starter_code.as_deref().unwrap_or_default(), &view.languages, findings);
    let public = view.test_suites.iter().enumerate().filter_map(|(suite_index, suite)| match suite {
        SuiteView::Public { cases, .. } => {
            Some(cases.iter().enumerate().map(move |(case_index, case)| {
                (case, format!("/testSuites/{suite_index}/cases/{case_index}"))
            }))
        }
        SuiteView::Hidden { .. } => None,
    });
    exact_ends(public.clone().flatten(), view.harness.mode, findings);
    empty_outputs(public.flatten(), view.harness.mode, findings);
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for (suite_index, suite) in view.test_suites.iter().enumerate() {
        let SuiteView::Public { cases, .. } = suite else { continue };
        for (case_index, given) in cases.iter().enumerate() {
            let pointer = format!("/testSuites/{suite_index}/cases/{case_index}");
            case(given, view.harness.mode, view.limits, &pointer, findings);
            if seen.contains(&(&given.input, &given.expected)) {
                same_case(&pointer, findings);
            }
            seen.push((&given.input, &given.expected));
            weak_case(given, &pointer, findings);
        }
    }
}

/// Reports suites with the same name.
pub fn suite_names<'a>(names: impl Iterator<Item = &'a str>, findings: &mut Findings) {
    let names: Vec<_> = names.collect();
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            findings.push(Finding::error(
                "duplicate-suite",
                format!("/testSuites/{at}/name"),
                "an earlier suite has the same name, and results name their suite",
                "give every suite a name of its own",
            ));
        }
    }
}

/// Reports function mode without a function name.
pub fn function_name(harness: &Harness, findings: &mut Findings) {
    if harness.mode == HarnessMode::Function && harness.function_name.is_none() {
        findings.push(Finding::error(
            "function-name-missing",
            "/harness",
            "function mode needs the name of the function to call",
            "add `functionName`",
        ));
    }
}

/// Reports starter code in languages that are not offered.
pub fn starter_code(sources: &[(Language, String)], offered: &[Language], findings: &mut Findings) {
    for (language, _) in sources {
        if !offered.contains(language) {
            findings.push(Finding::warning(
                "starter-code-unused",
                format!("/starterCode/{}", language.as_str()),
                "there is starter code for a language that is not offered",
                "offer the language or remove the code",
            ));
        }
    }
}

/// Reports the defects of a single case, such as inputs that cannot be run.
pub fn case(case: &TestCase, mode: HarnessMode, limits: Limits, pointer: &str, findings: &mut Findings) {
    let function = mode == HarnessMode::Function;
    if function && output_json(case.input.as_bytes()).is_none_or(|json| json.as_array().is_none()) {
        findings.push(Finding::error(
            "arguments-not-an-array",
            format!("{pointer}/input"),
            "in function mode the input must be a JSON array of arguments",
            "write the arguments like [1, \"two\"]",
        ));
    }
    if case.matcher == Matcher::Json && output_json(case.expected.as_bytes()).is_none() {
        findings.push(Finding::error(
            "expected-not-json",
            format!("{pointer}/expected"),
            "the matcher is `json` but the expected text is not one JSON value, so nothing can pass",
            "write one JSON value or choose another matcher",
        ));
    }
    if case.float_tolerance.is_some() && !case.matcher.uses_tolerance() {
        findings.push(Finding::warning(
            "tolerance-unused",
            format!("{pointer}/floatTolerance"),
            format!("the matcher `{}` does not use a tolerance", case.matcher.as_str()),
            "use `float_tolerance` or remove the tolerance",
        ));
    }
    if function && case.matcher == Matcher::FloatTolerance && has_inner_number(&case.expected) {
        findings.push(Finding::warning(
            "tolerance-unused",
            format!("{pointer}/matcher"),
            "a returned array or object is one token, so `float_tolerance` compares its numbers as text",
            "use `json` with a `floatTolerance`",
        ));
    }
    if case.expected.len() > limits.output_kb as usize * 1_024 {
        findings.push(Finding::warning(
            "expected-above-output-limit",
            format!("{pointer}/expected"),
            "the expected text is longer than a program may write, so nobody can pass",
            "raise `outputKb`",
        ));
    }
}

/// Returns whether a text is a JSON array or object with a number in it.
fn has_inner_number(text: &str) -> bool {
    let is_number = |part: &Json| part.as_number().is_some();
    output_json(text.as_bytes()).is_some_and(|json| !is_number(&json) && json.parts().any(is_number))
}

/// Reports the first expected text under `exact` without a final line feed.
///
/// Reports nothing if one of these texts ends with a blank, as a prompt does: then the ends are deliberate.
pub fn exact_ends<'a>(
    cases: impl Iterator<Item = (&'a TestCase, String)> + Clone,
    mode: HarnessMode,
    findings: &mut Findings,
) {
    let open = |case: &TestCase| {
        case.matcher == Matcher::Exact
            && mode == HarnessMode::StdinStdout
            && !case.expected.is_empty()
            && !case.expected.ends_with('\n')
    };
    if cases.clone().any(|(case, _)| open(case) && case.expected.ends_with([' ', '\t'])) {
        return;
    }
    if let Some((_, pointer)) = cases.into_iter().find(|(case, _)| open(case)) {
        findings.push(Finding::warning(
            "exact-without-newline",
            format!("{pointer}/expected"),
            "the expected text has no line feed at its end, but most programs print one",
            "add the line feed or use `trimmed_lines`",
        ));
    }
}

/// Reports a redundant case.
pub fn same_case(pointer: &str, findings: &mut Findings) {
    findings.push(Finding::info(
        "same-case-twice",
        pointer,
        "an earlier case has the same input and the same expected text",
        "remove this case; if its input matters more, give the earlier case more points",
    ));
}

/// Reports cases with empty expected output, which a program that does nothing passes.
///
/// The findings are informational if such a program earns less than half of the points, because empty output can then be
/// intended.
pub fn empty_outputs<'a>(
    cases: impl Iterator<Item = (&'a TestCase, String)> + Clone,
    mode: HarnessMode,
    findings: &mut Findings,
) {
    // Under `exact`, blanks are output, too.
    let empty = |case: &TestCase| case.expected.trim().is_empty() && accepts(case, mode, b"");
    if mode != HarnessMode::StdinStdout {
        return;
    }
    let points = |case: &TestCase| u64::from(case.points);
    let all: u64 = cases.clone().map(|(case, _)| points(case)).sum();
    let earned: u64 = cases.clone().filter(|(case, _)| empty(case)).map(|(case, _)| points(case)).sum();
    for (_, pointer) in cases.filter(|(case, _)| empty(case)) {
        let pointer = format!("{pointer}/expected");
        let message = "nothing is expected, so a program that does nothing passes";
        findings.push(if 2 * earned >= all {
            Finding::warning("empty-output-passes", pointer, message, "expect some output")
        } else {
            Finding::info("empty-output-passes", pointer, message, "keep it if there is nothing to print")
        });
    }
}

/// Reports a case that incorrect programs can pass.
pub fn weak_case(case: &TestCase, pointer: &str, findings: &mut Findings) {
    if case.matcher == Matcher::Tokens && case.expected.trim_end().contains('\n') {
        findings.push(Finding::info(
            "weak-matcher",
            format!("{pointer}/matcher"),
            "`tokens` does not see line breaks, but the expected text has several lines",
            "use `trimmed_lines` if the lines matter",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_units_fold_as_they_do_in_nfkc() {
        let all = ('\u{b0}'..='\u{bb}')
            .chain('\u{370}'..='\u{3ff}')
            .chain('\u{2070}'..='\u{208b}')
            .chain('\u{ff00}'..='\u{ff5f}');
        let known: Vec<char> =
            all.chain(['\u{2126}', '\u{212a}', '\u{212b}', '\u{a0}', '\u{3000}']).collect();
        let folded = known.iter().filter(|c| {
            let (plain, normal) = (plain_unit(&format!("k{c}m ")), normal_unit(&format!("k{c}m ")));
            assert!(plain == normal || plain.contains(**c), "{c:?}: {plain} {normal}");
            plain == normal && !plain.contains(**c)
        });
        assert!(folded.count() > 115);
        for text in
            ["m\u{b2}", "\u{b5}m", "k\u{2126}", "s\u{207b}\u{b9}", " \u{ff4d} ", "H\u{2082}O", "\u{3000}"]
        {
            assert_eq!(plain_unit(text), normal_unit(text), "{text}");
        }
    }
}
