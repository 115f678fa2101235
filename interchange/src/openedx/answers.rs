//! The answers to each response of a problem, and their scoring.

use fablegrade_public::{Decimal, Ratio};

use super::place;
use crate::item::{
    Choice, ChoiceOption, ChoiceRule, Formula, Interaction, SameFormula, TextAnswer, TextEntry, TextForm,
    Whitespace,
};
use crate::loss::Loss;
use crate::moodle::question::normal_number;
use crate::plain_formula::{Notation, as_latex};
use crate::rich::{RichText, from_xml, xml_into};
use crate::xml::Element;

pub(super) fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_text(&normal_number(text)?).ok()
}

fn is(value: Option<&str>, word: &str) -> bool {
    value.is_some_and(|value| value.trim().eq_ignore_ascii_case(word))
}

fn yes(value: Option<&str>) -> bool {
    is(value, "true")
}

/// A response element, with the input field for its answer.
pub(super) struct Reading<'t, 'l> {
    pub(super) response: Element<'t>,
    pub(super) field: Element<'t>,
    /// Whether the problem has a program; keys refer to its variables as `$name`.
    pub(super) has_program: bool,
    pub(super) losses: &'l mut Vec<Loss>,
}

impl Reading<'_, '_> {
    pub(super) fn lost(&self, rule: &'static str, message: impl Into<String>, suggestion: &str) -> Loss {
        Loss::score(place(self.response), rule, message, suggestion)
    }

    pub(super) fn interaction(&mut self, name: &str) -> Result<Interaction, Loss> {
        match name {
            "optionresponse" => self.options(),
            "numericalresponse" => self.number(),
            "stringresponse" => self.text(),
            "formularesponse" => self.formula(),
            "choiceresponse" => self.checkboxes(),
            _ => self.choices(name == "truefalseresponse"),
        }
    }

    /// Returns the kinds of partial credit that the response names. Types without partial credit ignore the attribute.
    pub(super) fn credit(&self) -> Vec<String> {
        let named = self.response.attribute("partial_credit").unwrap_or("false").to_lowercase();
        let kinds = named.split(',').map(str::trim).filter(|kind| !kind.is_empty() && *kind != "false");
        kinds.map(ToOwned::to_owned).collect()
    }

    pub(super) fn credit_lost(&mut self, kind: &str) {
        let loss = self.lost(
            "partial-credit",
            format!("part of the score for `{kind}` is lost"),
            "grade all or nothing",
        );
        self.losses.push(loss);
    }

    /// Returns the choices of the field, each with its element. Their ids are still empty.
    fn marked(&mut self) -> Result<Vec<(ChoiceOption, Element<'_>)>, Loss> {
        let mut options = Vec::new();
        for choice in self.field.named("choice") {
            if choice.attribute("correct").is_some_and(|key| self.is_computed(key)) {
                return Err(self.computed("choice"));
            }
            let mut feedback = None;
            let mut rich = RichText::new();
            xml_into(choice, &mut rich, &mut |element, _| {
                let hint = element.name() == "choicehint";
                if hint && !is(element.attribute("selected"), "false") {
                    feedback = Some(from_xml(element));
                }
                hint
            });
            let option = ChoiceOption {
                id: String::new(),
                content: rich.finish().0,
                weight: Ratio::new(i64::from(yes(choice.attribute("correct"))), 1),
                feedback: feedback.filter(|text| !text.is_empty()),
            };
            options.push((option, choice));
        }
        if options.is_empty() {
            return Err(self.lost("no-options", "there is nothing to choose from", "add choices"));
        }
        Ok(options)
    }

    /// Reads a choice of one option, possibly with partly right options; with `several`, of any number of options.
    fn choices(&mut self, several: bool) -> Result<Interaction, Loss> {
        let credit = if several { Vec::new() } else { self.credit() };
        let points = credit.iter().any(|kind| kind == "points");
        if let Some(other) = credit.iter().find(|kind| *kind != "points") {
            self.credit_lost(other);
        }
        let mut unnamed = 0;
        let mut shares = false;
        let mut options = Vec::new();
        for (mut option, choice) in self.marked()? {
            // Named and numbered choices have the same prefix.
            option.id = match choice.attribute("name") {
                Some(name) => format!("choice_{name}"),
                None => {
                    unnamed += 1;
                    format!("choice_{}", unnamed - 1)
                }
            };
            if points && is(choice.attribute("correct"), "partial") {
                let half = Decimal::new(5, -1);
                let share = choice.attribute("point_value").map_or(Some(half), decimal);
                option.weight = Ratio::from_decimal(&share.unwrap_or_else(Decimal::zero)).clamped();
                shares = true;
            }
            options.push(option);
        }
        if self.field.attribute("answer-pool").is_some_and(|count| count.trim() != "0") {
            self.losses.push(Loss::display(
                place(self.field),
                "drawn-choices",
                "learners see some of the choices in the source system, and all of them in Fablegrade",
                "take some out",
            ));
        }
        Ok(Interaction::Choice(Choice {
            options,
            most: (!several).then_some(1),
            shuffle: yes(self.field.attribute("shuffle")),
            rule: if shares { ChoiceRule::Sum } else { ChoiceRule::AllOrNothing },
        }))
    }

    /// Reads checkboxes or radio buttons.
    fn checkboxes(&mut self) -> Result<Interaction, Loss> {
        let credit = self.credit();
        let marked = self.marked()?;
        let numbered = marked.into_iter().enumerate();
        let mut options: Vec<ChoiceOption> = numbered
            .map(|(index, (option, _))| ChoiceOption { id: format!("choice_{index}"), ..option })
            .collect();
        let each_decision = credit == ["edc"];
        if let Some(kind) = credit.first().filter(|_| !each_decision) {
            self.credit_lost(&kind.clone());
        }
        if each_decision && 100 % options.len() != 0 {
            let loss = self.lost(
                "rounded-score",
                "the source system rounds scores to hundredths",
                "nothing; the score in Fablegrade is exact",
            );
            self.losses.push(loss);
        }
        let single = self.field.name() == "radiogroup";
        let right = options.iter().filter(|option| option.weight.is_one()).count();
        let mut rule = if each_decision { ChoiceRule::EachDecision } else { ChoiceRule::AllOrNothing };
        if single && each_decision && right > 0 {
            // Not selecting the other wrong options earns shares too.
            let all = options.len();
            for option in &mut options {
                let decisions =
                    if option.weight.is_one() { all + 1 - right } else { all.saturating_sub(right + 1) };
                option.weight = Ratio::new(decisions as i64, all as u64);
            }
            rule = ChoiceRule::Sum;
        }
        Ok(Interaction::Choice(Choice {
            options,
            most: single.then_some(1),
            shuffle: yes(self.field.attribute("shuffle")),
            rule,
        }))
    }

    /// Reads a drop-down list.
    fn options(&mut self) -> Result<Interaction, Loss> {
        let correct = self.field.attribute("correct").unwrap_or_default();
        if self.is_computed(correct) {
            return Err(self.computed("option"));
        }
        let mut options: Vec<(String, bool)> = match self.field.attribute("options") {
            Some(list) => quoted(list).into_iter().map(|text| (text.clone(), text == correct)).collect(),
            None => Vec::new(),
        };
        for option in self.field.named("option") {
            if option.attribute("correct").is_some_and(|key| self.is_computed(key)) {
                return Err(self.computed("option"));
            }
            let mut rich = RichText::new();
            xml_into(option, &mut rich, &mut |element, _| element.name() == "optionhint");
            options.push((rich.finish().0, yes(option.attribute("correct"))));
        }
        if !options.iter().any(|(_, right)| *right) {
            return Err(self.lost("no-key", "no option is the right one", "name it in `correct`"));
        }
        let options = options
            .into_iter()
            .map(|(text, right)| ChoiceOption {
                id: text.clone(),
                content: text,
                weight: Ratio::new(i64::from(right), 1),
                feedback: None,
            })
            .collect();
        let shuffle = yes(self.field.attribute("shuffle"));
        Ok(Interaction::Choice(Choice { options, most: Some(1), shuffle, rule: ChoiceRule::AllOrNothing }))
    }

    fn text(&mut self) -> Result<Interaction, Loss> {
        let kind = self.response.attribute("type").unwrap_or_default().to_lowercase();
        let words: Vec<&str> = kind.split_whitespace().collect();
        let answer = self.response.attribute("answer");
        // `a_or_b` is an old notation for several answers, which are not patterns and exclude additional answers.
        let is_old = answer.is_some_and(|answer| answer.to_lowercase().contains("_or_"));
        let mut texts: Vec<String> = match answer {
            Some(answer) if is_old => answer.split("_or_").map(ToOwned::to_owned).collect(),
            answer => answer.map(ToOwned::to_owned).into_iter().collect(),
        };
        for more in self.response.named("additional_answer").filter(|_| !is_old) {
            texts.push(
                more.attribute("answer").map_or_else(|| more.trimmed().into_owned(), ToOwned::to_owned),
            );
        }
        let texts: Vec<String> =
            texts.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect();
        if texts.is_empty() {
            return Err(self.lost("no-key", "there is no right text", "name it in `answer`"));
        }
        if texts.iter().any(|text| self.is_computed(text)) {
            return Err(self.computed("text"));
        }
        let forms = if words.contains(&"regexp") && !is_old {
            // Open edX searches for `^a|b|c$`, which anchors only `a` to the beginning and only `c` to the end.
            vec![TextForm::Pattern(format!("(?s:.*)(?:^{}$)(?s:.*)", texts.join("|")))]
        } else {
            texts.into_iter().map(TextForm::Text).collect()
        };
        let answers =
            forms.into_iter().map(|form| TextAnswer { form, weight: Ratio::one(), feedback: None }).collect();
        Ok(Interaction::Text(TextEntry {
            answers,
            ignore_case: words.contains(&"ci"),
            whitespace: Whitespace::Trim,
        }))
    }

    /// Returns whether a text contains a variable of the problem's program.
    pub(super) fn is_computed(&self, text: &str) -> bool {
        let starts_name =
            |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '{'));
        self.has_program && text.split('$').skip(1).any(starts_name)
    }

    fn computed(&self, what: &str) -> Loss {
        self.lost("no-key", format!("the right {what} is computed by a program"), "write it out")
    }

    fn formula(&mut self) -> Result<Interaction, Loss> {
        let answer = self.response.attribute("answer").unwrap_or_default();
        if answer.contains('$') || answer.trim().is_empty() {
            return Err(self.computed("formula"));
        }
        if !self.response.attribute("type").unwrap_or_default().to_lowercase().contains("cs") {
            let loss = self.lost(
                "formula-case",
                "the source system does not distinguish capital and small letters",
                "write the letters as the question does",
            );
            self.losses.push(loss);
        }
        let samples = self.response.attribute("samples").unwrap_or_default();
        let variables = samples_of(samples).ok_or_else(|| {
            self.lost(
                "samples",
                format!("the samples `{samples}` are not read"),
                "write them like `x,y@1,1:3,3#10`",
            )
        })?;
        if self.tolerance()?.is_some() {
            let loss = self.lost(
                "formula-tolerance",
                "the source system allows a tolerance for formulas",
                "nothing; values are compared closely",
            );
            self.losses.push(loss);
        }
        let names: Vec<&str> = variables.iter().map(|(name, _)| name.as_str()).collect();
        let latex = as_latex(answer.trim(), Notation::OpenEdx, &names).ok_or_else(|| {
            let message =
                format!("the formula `{answer}` cannot be read; it has an unknown name or is incomplete");
            self.lost("key-form", message, "use single letters and the names in `samples`")
        })?;
        Ok(Interaction::Formula(Formula { latex, same: SameFormula::Symbolic, variables, tolerance: None }))
    }
}

type Bounds = Vec<(String, Option<(Decimal, Decimal)>)>;

/// Reads `x,y@1,1:3,3#10`: names, least values, greatest values, and the number of samples, which is ignored.
pub(super) fn samples_of(text: &str) -> Option<Bounds> {
    let (names, rest) = text.split_once('@')?;
    let ranges = rest.split_once('#').map_or(rest, |(ranges, _)| ranges);
    let (least, most) = ranges.split_once(':')?;
    let numbers = |text: &str| text.split(',').map(decimal).collect::<Option<Vec<_>>>();
    let (least, most) = (numbers(least)?, numbers(most)?);
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    (names.len() == least.len() && names.len() == most.len()).then_some(())?;
    let bounds = least.into_iter().zip(most);
    Some(names.into_iter().map(ToOwned::to_owned).zip(bounds.map(Some)).collect())
}

/// Returns the texts of a list such as `('a','b\'s', "c")`.
pub(super) fn quoted(list: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = list.chars();
    while let Some(quote) = chars.by_ref().find(|char| matches!(char, '\'' | '"')) {
        let mut text = String::new();
        while let Some(char) = chars.next() {
            match char {
                '\\' => text.extend(chars.next()),
                char if char == quote => break,
                char => text.push(char),
            }
        }
        found.push(text);
    }
    if found.is_empty() {
        let bare = list.trim().trim_start_matches('(').trim_end_matches(')');
        found.extend(bare.split(',').map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()));
    }
    found
}
