//! The interaction and the scoring of each element.

use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Ratio};

use super::elements::{Element, decimal};
use crate::item::{
    Choice, ChoiceOption, ChoiceRule, Choosable, Formula, Interaction, Match, MatchRule, NumberAnswer,
    NumberEntry, NumberRange, Order, OrderCredit, Prose, SameFormula, TextAnswer, TextEntry, TextForm,
    Whitespace, options_fit,
};
use crate::loss::Loss;
use crate::plain_formula::{Notation, as_latex};
use crate::rich::{RichText, html_into};

/// The input elements that can be read.
pub(super) const READ: [&str; 10] = [
    "pl-multiple-choice",
    "pl-checkbox",
    "pl-dropdown",
    "pl-number-input",
    "pl-integer-input",
    "pl-string-input",
    "pl-symbolic-input",
    "pl-matching",
    "pl-order-blocks",
    "pl-rich-text-editor",
];

/// An element under conversion, with all elements of its question.
pub(super) struct Reading<'r, 'h> {
    pub(super) html: &'h str,
    pub(super) all: &'r [Element<'h>],
    pub(super) element: &'r Element<'h>,
    pub(super) losses: &'r mut Vec<Loss>,
}

impl<'r, 'h> Reading<'r, 'h> {
    fn lost(&self, rule: &'static str, message: impl Into<String>, suggestion: &str) -> Loss {
        Loss::score(self.element.place(), rule, message, suggestion)
    }

    fn score_loss(&mut self, rule: &'static str, message: &str, suggestion: &str) {
        let loss = self.lost(rule, message, suggestion);
        self.losses.push(loss);
    }

    fn display_loss(&mut self, rule: &'static str, message: &str, suggestion: &str) {
        self.losses.push(Loss::display(self.element.place(), rule, message, suggestion));
    }

    /// Returns the inner elements with this name. [`interaction`](Self::interaction) refuses elements in which they are
    /// nested.
    fn inside(&self, name: &str) -> Vec<&'r Element<'h>> {
        let range = &self.element.inner;
        self.all.iter().filter(|one| one.name == name && range.contains(&one.outer.start)).collect()
    }

    /// Returns whether an inner element contains another one of the same name, so the inner text would be read twice.
    fn is_nested(&self) -> bool {
        ["pl-answer", "pl-statement", "pl-option"].iter().any(|name| {
            let inside = self.inside(name);
            inside.windows(2).any(|pair| pair[0].outer.contains(&pair[1].outer.start))
        })
    }

    fn content(&self, element: &Element<'_>) -> String {
        let mut rich = RichText::new();
        html_into(&self.html[element.inner.clone()], &mut rich);
        rich.finish().0
    }

    /// Returns the interaction of the element; `None` if it is not an input.
    pub(super) fn interaction(&mut self) -> Option<Result<Interaction, Loss>> {
        let read: fn(&mut Self) -> Result<Interaction, Loss> = match self.element.name {
            "pl-multiple-choice" => Self::multiple_choice,
            "pl-checkbox" => |reading| Ok(reading.checkbox()),
            "pl-dropdown" => |reading| Ok(reading.dropdown()),
            "pl-number-input" => Self::number,
            "pl-integer-input" => Self::integer,
            "pl-string-input" => Self::string,
            "pl-symbolic-input" => Self::symbolic,
            "pl-matching" => |reading| Ok(reading.matching()),
            "pl-order-blocks" => Self::order,
            "pl-rich-text-editor" => |_| Ok(Interaction::Prose(Prose::default())),
            _ => return None,
        };
        if self.is_nested() {
            let message = "an answer, a statement or an option is inside another one";
            return Some(Err(self.lost("nested-answers", message, "put them next to each other")));
        }
        if self.is_computed() {
            return Some(Err(self.lost("mustache", "its key is computed by a program", "write it out")));
        }
        Some(read(self))
    }

    /// Returns whether a program computes the key: an attribute that affects scores has a placeholder, or there is a
    /// section inside the element.
    fn is_computed(&self) -> bool {
        const SHOWN: [&str; 8] = [
            "label",
            "aria-label",
            "suffix",
            "prefix",
            "placeholder",
            "feedback",
            "distractor-feedback",
            "accessibility-description",
        ];
        let range = &self.element.inner;
        let inside = self.all.iter().filter(|one| range.contains(&one.outer.start));
        let mut attributes = inside.chain([self.element]).flat_map(|one| &one.attributes);
        let inner = &self.html[range.clone()];
        ["{{#", "{{^"].iter().any(|section| inner.contains(section))
            || attributes.any(|(name, value)| {
                value.contains("{{") && !SHOWN.iter().any(|one| name.eq_ignore_ascii_case(one))
            })
    }

    /// Reports a loss if the source counts an empty answer as a value that earns marks.
    fn blank_lost(&mut self, earns: impl Fn(&str) -> bool) {
        if self.element.yes("allow-blank", false) {
            let value = self.element.attribute("blank-value").unwrap_or("0").to_owned();
            if earns(&value) {
                let message = format!(
                    "an empty answer counts as `{value}` in the source system and is refused in Fablegrade"
                );
                self.score_loss("blank-value", &message, "state that the value is to be written");
            }
        }
    }

    fn options(&self) -> Vec<ChoiceOption> {
        self.inside("pl-answer")
            .into_iter()
            .enumerate()
            .map(|(index, answer)| ChoiceOption {
                id: (index + 1).to_string(),
                content: self.content(answer),
                weight: Ratio::new(i64::from(answer.yes("correct", false)), 1),
                feedback: answer
                    .attribute("feedback")
                    .map(ToOwned::to_owned)
                    .filter(|text| !text.trim().is_empty()),
            })
            .collect()
    }

    fn multiple_choice(&mut self) -> Result<Interaction, Loss> {
        if self.element.attribute("external-json").is_some() {
            return Err(self.lost(
                "external-choices",
                "the choices are in another file",
                "write them into the question",
            ));
        }
        let mut options = self.options();
        let mut shares = false;
        for (option, answer) in options.iter_mut().zip(self.inside("pl-answer")) {
            if let Some(score) = answer.number("score") {
                option.weight = Ratio::from_decimal(&score).clamped();
                shares |= !option.weight.is_zero() && !option.weight.is_one();
            }
        }
        let drawn =
            self.element.attribute("number-answers").and_then(|count| count.trim().parse::<usize>().ok());
        if drawn.is_some_and(|drawn| drawn < options.len()) {
            self.display_loss(
                "drawn-choices",
                "learners see some of the choices in the source system, and all of them in Fablegrade",
                "take some out",
            );
        }
        for (name, id, content) in [
            ("all-of-the-above", "all", "All of the above"),
            ("none-of-the-above", "none", "None of the above"),
        ] {
            let right = match self
                .element
                .attribute(name)
                .map(|value| value.trim().to_ascii_lowercase())
                .as_deref()
            {
                None | Some("false" | "") => continue,
                Some("correct") => true,
                Some("incorrect") => false,
                Some(_) => {
                    return Err(self.lost(
                        "random-choice",
                        format!("`{name}` is right or wrong at random"),
                        "write `correct` or `incorrect`",
                    ));
                }
            };
            if right {
                // This option is right instead of the others.
                options.iter_mut().for_each(|option| option.weight = Ratio::zero());
            }
            let weight = Ratio::new(i64::from(right), 1);
            options.push(ChoiceOption {
                id: id.to_owned(),
                content: content.to_owned(),
                weight,
                feedback: None,
            });
        }
        let right = options.iter().filter(|option| option.weight.is_one()).count();
        if right > 1 {
            self.display_loss(
                "drawn-choices",
                "the source system shows one of several right choices, and Fablegrade all of them",
                "keep one",
            );
        }
        let rule = if shares || right > 1 { ChoiceRule::Sum } else { ChoiceRule::AllOrNothing };
        let fixed = matches!(self.element.attribute("order"), Some("fixed" | "ascend" | "descend"))
            || self.element.yes("fixed-order", false);
        Ok(Interaction::Choice(Choice { options, most: Some(1), shuffle: !fixed, rule }))
    }

    fn dropdown(&self) -> Interaction {
        let shuffle = self.element.attribute("sort").is_none_or(|order| order.trim() == "random");
        let rule = ChoiceRule::AllOrNothing;
        Interaction::Choice(Choice { options: self.options(), most: Some(1), shuffle, rule })
    }

    fn checkbox(&mut self) -> Interaction {
        let options = self.options();
        let count =
            |name: &str| self.element.attribute(name).and_then(|value| value.trim().parse::<usize>().ok());
        let drawn = count("number-answers").is_some_and(|drawn| drawn < options.len());
        let limits = (count("min-select"), count("max-select"));
        let old = self.element.attribute("partial-credit-method").unwrap_or("PC").to_owned();
        let credit =
            match self.element.attribute("partial-credit").map(|value| value.trim().to_ascii_lowercase()) {
                None => "off".to_owned(),
                Some(value) if value == "true" => match old.as_str() {
                    "PC" => "net-correct".to_owned(),
                    "EDC" => "each-answer".to_owned(),
                    _ => "coverage".to_owned(),
                },
                Some(value) if value == "false" => "off".to_owned(),
                Some(value) => value,
            };
        if drawn {
            self.score_loss(
                "drawn-choices",
                "learners see some of the choices in the source system, and all of them in Fablegrade",
                "make a question of each draw",
            );
        }
        if limits.0.is_some_and(|least| least > 1) || limits.1.is_some_and(|most| most < options.len()) {
            self.display_loss(
                "selection-limits",
                "the source system refuses fewer or more choices than allowed",
                "state it in the text",
            );
        }
        let rule = match credit.as_str() {
            "off" => ChoiceRule::AllOrNothing,
            "net-correct" => ChoiceRule::Share,
            "each-answer" => {
                if self.element.yes("allow-blank", false) {
                    self.score_loss(
                        "blank-value",
                        "an empty selection earns the share of the wrong choices; in Fablegrade it earns nothing",
                        "use `net-correct`",
                    );
                }
                ChoiceRule::EachDecision
            }
            other => {
                let message = format!("partial credit of the kind `{other}` is read as `net-correct`");
                self.score_loss("partial-credit", &message, "use `net-correct`");
                ChoiceRule::Share
            }
        };
        let fixed = matches!(self.element.attribute("order"), Some("fixed"))
            || self.element.yes("fixed-order", false);
        Interaction::Choice(Choice { options, most: None, shuffle: !fixed, rule })
    }

    fn key(&self) -> Result<&'r str, Loss> {
        self.element.attribute("correct-answer").filter(|key| !key.trim().is_empty()).ok_or_else(|| {
            self.lost("no-key", "the right answer is not in the file", "name it in `correct-answer`")
        })
    }

    fn number(&mut self) -> Result<Interaction, Loss> {
        let key = self.key()?;
        let Some(value) = decimal(key) else {
            return Err(self.lost(
                "number-form",
                format!("the right answer `{key}` is not a real number"),
                "write a decimal",
            ));
        };
        let digits = self
            .element
            .attribute("digits")
            .and_then(|digits| digits.trim().parse::<i32>().ok())
            .unwrap_or(2);
        let mut tolerance = None;
        let mut answers = Vec::new();
        let range = match self.element.attribute("comparison").unwrap_or("relabs") {
            "relabs" => {
                let absolute = self.element.number("atol").unwrap_or_else(|| Decimal::new(1, -8));
                let relative = self.element.number("rtol").unwrap_or_else(|| Decimal::new(1, -2));
                let amount = Json::build().with("absolute", absolute).with("relative", relative).build();
                tolerance = Some(amount);
                NumberRange::Exact(value)
            }
            "exact" => NumberRange::Exact(value),
            comparison @ ("sigfig" | "decdig") => {
                let size = value.to_f64().abs();
                let place = if comparison == "decdig" {
                    digits
                } else if size > 0.0 {
                    digits - 1 - libm::floor(libm::log10(size)) as i32
                } else {
                    digits - 1
                };
                if !(-300..=300).contains(&place) {
                    return Err(self.lost("digits", "the digits are out of range", "ask for fewer"));
                }
                // The ends are excluded from the range.
                let off = Decimal::new(51, -(place + 2));
                for end in [value.add(&off.negate()), value.add(&off)] {
                    let range = NumberRange::Exact(end);
                    answers.push(NumberAnswer { range, weight: Ratio::zero(), feedback: None });
                }
                NumberRange::Absolute(value, off)
            }
            other => {
                return Err(self.lost(
                    "comparison",
                    format!("the comparison `{other}` is not known"),
                    "use `relabs`",
                ));
            }
        };
        if self.element.yes("allow-complex", false) {
            self.display_loss(
                "complex-numbers",
                "the source system accepts complex numbers",
                "ask for a formula",
            );
        }
        let allowed = self.element.yes("allow-fractions", true);
        // The source system compares floating-point numbers; Fablegrade compares exact ones.
        let right = range.clone();
        answers.push(NumberAnswer { range, weight: Ratio::one(), feedback: None });
        self.blank_lost(|blank| decimal(blank).is_none_or(|blank| near(&right, &blank, tolerance.as_ref())));
        let fractions = if allowed { "yes" } else { "no" };
        let writing = Json::build().with_some("tolerance", tolerance).with("fractions", fractions).build();
        Ok(Interaction::Number(NumberEntry { answers, integer: false, unit: None, writing: Some(writing) }))
    }

    fn integer(&mut self) -> Result<Interaction, Loss> {
        let key = self.key()?;
        if self.element.attribute("base").is_some_and(|base| base.trim() != "10") {
            return Err(self.lost("base", "the number is written in another base", "ask for it as a text"));
        }
        let value = decimal(key).filter(Decimal::is_integer);
        let value = value
            .ok_or_else(|| self.lost("number-form", format!("`{key}` is not an integer"), "write digits"))?;
        self.blank_lost(|blank| decimal(blank).is_some_and(|blank| blank == value));
        let answers =
            vec![NumberAnswer { range: NumberRange::Exact(value), weight: Ratio::one(), feedback: None }];
        Ok(Interaction::Number(NumberEntry { answers, integer: true, unit: None, writing: None }))
    }

    fn string(&mut self) -> Result<Interaction, Loss> {
        let key = self.key()?.to_owned();
        let trim = self.element.yes("remove-leading-trailing", self.element.yes("multiline", false));
        if self.element.yes("normalize-to-ascii", false) {
            self.score_loss(
                "normalize-to-ascii",
                "the source system reduces letters to ASCII",
                "list the spellings",
            );
        }
        let answers = vec![TextAnswer { form: TextForm::Text(key), weight: Ratio::one(), feedback: None }];
        let whitespace = if self.element.yes("remove-spaces", false) {
            Whitespace::Remove
        } else if trim {
            Whitespace::Trim
        } else {
            Whitespace::Keep
        };
        Ok(Interaction::Text(TextEntry {
            answers,
            ignore_case: self.element.yes("ignore-case", false),
            whitespace,
        }))
    }

    fn symbolic(&mut self) -> Result<Interaction, Loss> {
        let key = self.key()?;
        if self.element.attribute("custom-functions").is_some() {
            self.score_loss("functions", "letters denote functions", "write the answer without them");
        }
        let latex = as_latex(key, Notation::PrairieLearn, &[]).ok_or_else(|| {
            let message =
                format!("the formula `{key}` cannot be read; it has an unknown name or is incomplete");
            self.lost("key-form", message, "use single letters, and write it as in Python")
        })?;
        Ok(Interaction::Formula(Formula {
            latex,
            same: SameFormula::Symbolic,
            variables: Vec::new(),
            tolerance: None,
        }))
    }

    fn matching(&mut self) -> Interaction {
        let mut right: Vec<Choosable> = Vec::new();
        for (index, option) in self.inside("pl-option").into_iter().enumerate() {
            let content = self.content(option);
            // An option without a name is identified by its text.
            let name = option.attribute("name").unwrap_or(&content).trim();
            let is_known = name.is_empty() || right.iter().any(|one| one.id == name);
            let id = if is_known { format!("option-{}", index + 1) } else { name.to_owned() };
            right.push(Choosable { id, content });
        }
        let mut left = Vec::new();
        let mut pairs = Vec::new();
        for (index, statement) in self.inside("pl-statement").into_iter().enumerate() {
            let id = format!("statement-{}", index + 1);
            let partner = statement.attribute("match").unwrap_or_default().trim().to_owned();
            if !right.iter().any(|one| one.id == partner) {
                right.push(Choosable { id: partner.clone(), content: partner.clone() });
            }
            left.push(Choosable { id: id.clone(), content: self.content(statement) });
            pairs.push((id, partner, Ratio::one()));
        }
        if self.element.yes("none-of-the-above", false) {
            right.push(Choosable { id: "none".to_owned(), content: "None of the above".to_owned() });
        }
        if self.element.attribute("number-statements").is_some()
            || self.element.attribute("number-options").is_some()
        {
            self.score_loss(
                "drawn-statements",
                "learners see some of the statements in the source system, and all of them in Fablegrade",
                "take some out",
            );
        }
        let rule =
            if self.element.yes("partial-credit", true) { MatchRule::Share } else { MatchRule::AllOrNothing };
        Interaction::Match(Match { left, right, pairs, rule, many_to_one: true, most_each: Some(1) })
    }

    /// Reports a loss if the source rounds multiples of `1 / parts`, because it rounds scores to hundredths.
    fn rounded_score(&mut self, parts: usize) {
        if 100 % parts.max(1) != 0 {
            self.score_loss(
                "rounded-score",
                "the source system rounds scores to hundredths",
                "nothing; the score in Fablegrade is exact",
            );
        }
    }

    fn order(&mut self) -> Result<Interaction, Loss> {
        if !self.inside("pl-block-group").is_empty() {
            return Err(self.lost(
                "block-groups",
                "groups of blocks have to stay together",
                "ask for the order without groups",
            ));
        }
        let method = self.element.attribute("grading-method").unwrap_or("ordered").trim().to_owned();
        let blocks = self.inside("pl-answer");
        let ids: Vec<String> = blocks
            .iter()
            .enumerate()
            .map(|(index, block)| match block.attribute("tag").filter(|_| block.yes("correct", true)) {
                Some(tag) => tag.trim().to_owned(),
                None => format!("block-{}", index + 1),
            })
            .collect();
        let items: Vec<Choosable> = blocks
            .iter()
            .zip(&ids)
            .map(|(block, id)| Choosable { id: id.clone(), content: self.content(block) })
            .collect();
        let mut right: Vec<(String, &Element<'_>)> = ids
            .iter()
            .zip(&blocks)
            .filter(|(_, block)| block.yes("correct", true))
            .map(|(id, block)| (id.clone(), *block))
            .collect();
        if right.is_empty() {
            return Err(self.lost("no-key", "no block belongs to the answer", "mark the correct ones"));
        }
        if self.element.yes("indentation", false) {
            self.score_loss(
                "indentation",
                "the source system grades the indentation of blocks",
                "ask for the order alone",
            );
        }
        if self.element.attribute("min-incorrect").is_some()
            || self.element.attribute("max-incorrect").is_some()
        {
            self.display_loss(
                "drawn-blocks",
                "learners see some of the wrong blocks in the source system, and all of them in Fablegrade",
                "take some out",
            );
        }
        if method == "unordered" {
            self.rounded_score(right.len());
            let options = items
                .into_iter()
                .map(|one| ChoiceOption {
                    weight: Ratio::new(i64::from(right.iter().any(|(id, _)| *id == one.id)), 1),
                    id: one.id,
                    content: one.content,
                    feedback: None,
                })
                .collect();
            return Ok(Interaction::Choice(Choice {
                options,
                most: None,
                shuffle: true,
                rule: ChoiceRule::Share,
            }));
        }
        let before = match method.as_str() {
            "ordered" => None,
            "ranking" => {
                if !options_fit(right.len().saturating_mul(right.len()), 0) {
                    let message = "there are too many blocks to order";
                    return Err(self.lost("too-many-options", message, "use fewer"));
                }
                let rank = |block: &Element<'_>| {
                    block.attribute("ranking").and_then(|rank| rank.trim().parse::<i64>().ok()).unwrap_or(-1)
                };
                right.sort_by_key(|(_, block)| rank(block));
                let mut pairs = Vec::new();
                for (index, (first, low)) in right.iter().enumerate() {
                    let next = right[index..].iter().map(|(_, one)| rank(one)).find(|one| *one > rank(low));
                    for (second, high) in &right[index..] {
                        if Some(rank(high)) == next {
                            pairs.push((first.clone(), second.clone()));
                        }
                    }
                }
                Some(pairs)
            }
            "dag" => {
                let mut pairs = Vec::new();
                for (id, block) in &right {
                    let depends = block.attribute("depends").unwrap_or_default();
                    if depends.contains('|') {
                        return Err(self.lost(
                            "optional-blocks",
                            "one of several sets of blocks is enough",
                            "ask for one order",
                        ));
                    }
                    for first in depends.split(',').map(str::trim).filter(|first| !first.is_empty()) {
                        pairs.push((first.to_owned(), id.clone()));
                    }
                }
                Some(pairs)
            }
            other => {
                return Err(self.lost(
                    "grading-method",
                    format!("the grading method `{other}` has no counterpart"),
                    "use `dag`",
                ));
            }
        };
        let usual = if method == "ordered" { "none" } else { "lcs" };
        let edits = self.element.attribute("partial-credit").map_or(usual, str::trim) == "lcs";
        if edits {
            self.rounded_score(right.len());
        }
        if !edits && right.len() < items.len() {
            self.score_loss(
                "blocks-after-the-end",
                "a right order with wrong blocks after it earns the full score in the source system",
                "nothing; it earns nothing in Fablegrade",
            );
        }
        let credit = if edits { OrderCredit::Edits } else { OrderCredit::AllOrNothing };
        let correct = right.into_iter().map(|(id, _)| id).collect();
        Ok(Interaction::Order(Order { items, correct, before, credit }))
    }
}

/// Returns whether a number is within the tolerance of the right number; `true` for ranges of another kind.
fn near(right: &NumberRange, given: &Decimal, tolerance: Option<&Json>) -> bool {
    let (value, off) = match right {
        NumberRange::Absolute(value, off) => (value, off.clone()),
        NumberRange::Exact(value) => {
            let amount = |name: &str| {
                let number = tolerance.and_then(|one| one.get(name)).and_then(Json::as_number);
                number.cloned().unwrap_or_else(Decimal::zero)
            };
            (value, amount("absolute").add(&amount("relative").multiply(&value.abs())))
        }
        _ => return true,
    };
    given.add(&value.negate()).abs() <= off
}
