//! Open edX problems (OLX): one `problem` element a file, each input of it a part.

use fablegrade_public::{Decimal, Ratio};

use crate::format::{Sink, Source};
use crate::item::{
    Blanks, Choice, ChoiceOption, ChoiceRule, Feedback, Formula, Interaction, Item, NumberAnswer,
    NumberEntry, NumberRange, Part, SameFormula, TextAnswer, TextEntry, TextForm,
};
use crate::loss::{Loss, Place, ReadError};
use crate::moodle::question::normal_number;
use crate::perseus::as_latex;
use crate::rich::{RichText, from_xml, xml_into};
use crate::text;
use crate::xml::{Element, Tree, XmlLimits};

/// Whether a file looks like one of this format.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    let head = source.head();
    ["<problem>", "<problem ", "<problem\n", "<problem\r"].iter().any(|tag| head.contains(tag))
        && !head.contains("<problem-statement")
}

/// Reads the problem of a file.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let text = text::decode(source.bytes)?;
    let tree = Tree::parse(&text, XmlLimits::default())?;
    let root = tree.root();
    let mut count = 0;
    for problem in root.descendants().filter(|element| element.name() == "problem") {
        count += 1;
        let id = match problem.attribute("url_name") {
            Some(name) => name.to_owned(),
            None if root.name() == "problem" => source.stem().to_owned(),
            None => format!("{}-{count}", source.stem()),
        };
        items(Ok(item(problem, &id)));
    }
    Ok(())
}

/// The responses, and the elements in which their answers are entered.
const RESPONSES: &[(&str, &[&str])] = &[
    ("multiplechoiceresponse", &["choicegroup"]),
    ("truefalseresponse", &["choicegroup"]),
    ("choiceresponse", &["checkboxgroup", "radiogroup"]),
    ("optionresponse", &["optioninput"]),
    ("numericalresponse", &["textline", "formulaequationinput"]),
    ("stringresponse", &["textline"]),
    ("formularesponse", &["textline", "formulaequationinput"]),
];

fn place(element: Element<'_>) -> Place {
    Place::new(element.path(), element.line())
}

fn item(problem: Element<'_>, id: &str) -> Item {
    let mut item = Item::new(id, place(problem));
    problem.attribute("display_name").unwrap_or_default().trim().clone_into(&mut item.title);
    item.max_score = problem
        .attribute("weight")
        .and_then(decimal)
        .map(|weight| Ratio::from_decimal(&weight))
        .filter(|weight| *weight > Ratio::zero() && !weight.is_one());
    for (name, when) in [("solution", "general"), ("hint", "hint")] {
        for element in problem.descendants().filter(|element| element.name() == name) {
            let content = from_xml(element);
            if !content.is_empty() {
                item.feedback.push(Feedback { when: when.to_owned(), content });
            }
        }
    }
    let mut parts = Vec::new();
    let mut expressible = true;
    let mut number = 1;
    for response in problem.descendants().filter(|element| element.name().ends_with("response")) {
        number += 1;
        let Some((name, inputs)) = RESPONSES.iter().find(|(name, _)| *name == response.name()) else {
            item.losses.push(Loss::score(
                place(response),
                "response-type",
                format!("there is no counterpart of `{}`", response.name()),
                "write the question anew, or grade it by a validator of your own",
            ));
            expressible = false;
            continue;
        };
        let found: Vec<Element<'_>> =
            response.descendants().filter(|one| inputs.contains(&one.name())).collect();
        // A number or a text without a field for it has one at its end.
        let fields = if found.is_empty() && inputs.contains(&"textline") { vec![response] } else { found };
        if fields.is_empty() {
            item.losses.push(Loss::score(
                place(response),
                "no-input",
                "the response has no input",
                "add one",
            ));
            expressible = false;
        }
        for (index, field) in fields.into_iter().enumerate() {
            let has_program = problem.find("script").is_some();
            let mut reading = Reading { response, field, has_program, losses: &mut item.losses };
            match reading.interaction(name) {
                Ok(interaction) => {
                    parts.push(Part::new(format!("{number}_{}", index + 1), interaction, place(field)));
                }
                Err(loss) => {
                    item.losses.push(loss);
                    expressible = false;
                }
            }
        }
    }
    item.prompt = prompt(problem, &parts);
    if let Some(script) =
        problem.find("script").filter(|one| one.attribute("type").is_some_and(|kind| kind.contains("python")))
    {
        item.losses.push(Loss::display(
            place(script),
            "script",
            "a program that prepares the text is not run",
            "write its values out",
        ));
    }
    if parts.is_empty() && expressible {
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "nothing-to-grade",
            "nothing is asked",
            "show it as text",
        ));
    }
    if expressible {
        item.parts = parts;
    }
    item
}

/// The text with `[2_1]` where an input is, if there are several.
fn prompt(problem: Element<'_>, parts: &[Part]) -> String {
    let mut rich = RichText::new();
    let mut number = 1;
    let mut fields = 0;
    xml_into(problem, &mut rich, &mut |element, rich| {
        if element.name().ends_with("response") {
            number += 1;
            fields = 0;
            return false;
        }
        match element.name() {
            "solution" | "demandhint" | "hintgroup" | "script" | "responseparam" | "additional_answer"
            | "correcthint" | "stringequalhint" | "compoundhint" | "hintpart" => true,
            "choicegroup"
            | "checkboxgroup"
            | "radiogroup"
            | "optioninput"
            | "textline"
            | "formulaequationinput" => {
                fields += 1;
                if parts.len() > 1 {
                    rich.raw(&format!("[{number}_{fields}]"));
                }
                true
            }
            "label" => {
                xml_into(element, rich, &mut |_, _| false);
                rich.start("br", &|_| None);
                true
            }
            _ => false,
        }
    });
    rich.finish().0
}

fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_text(&normal_number(text)?).ok()
}

fn yes(value: Option<&str>) -> bool {
    value.is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
}

struct Reading<'t, 'l> {
    response: Element<'t>,
    field: Element<'t>,
    /// Whether a program sets variables, which stand as `$name` in keys.
    has_program: bool,
    losses: &'l mut Vec<Loss>,
}

impl Reading<'_, '_> {
    fn lost(&self, rule: &'static str, message: impl Into<String>, suggestion: &str) -> Loss {
        Loss::score(place(self.response), rule, message, suggestion)
    }

    fn interaction(&mut self, name: &str) -> Result<Interaction, Loss> {
        if let Some(credit) = self.response.attribute("partial_credit").filter(|credit| !credit.is_empty()) {
            let loss = self.lost(
                "partial-credit",
                format!("part of the score for `{credit}` is lost"),
                "grade all or nothing",
            );
            self.losses.push(loss);
        }
        match name {
            "optionresponse" => self.options(),
            "numericalresponse" => self.number(),
            "stringresponse" => self.text(),
            "formularesponse" => self.formula(),
            _ => self.choices(name == "choiceresponse" || name == "truefalseresponse"),
        }
    }

    fn choices(&mut self, several: bool) -> Result<Interaction, Loss> {
        let mut options = Vec::new();
        for (index, choice) in self.field.named("choice").enumerate() {
            if choice.attribute("correct").is_some_and(|key| self.is_computed(key)) {
                return Err(self.computed("choice"));
            }
            let mut feedback = None;
            let mut rich = RichText::new();
            xml_into(choice, &mut rich, &mut |element, _| {
                let hint = element.name() == "choicehint";
                if hint
                    && !element.attribute("selected").is_some_and(|value| value.eq_ignore_ascii_case("false"))
                {
                    feedback = Some(from_xml(element));
                }
                hint
            });
            if choice.attribute("correct").is_some_and(|value| value.eq_ignore_ascii_case("partial")) {
                let loss = self.lost(
                    "partial-credit",
                    "a partly right choice earns nothing here",
                    "give it a share",
                );
                self.losses.push(loss);
            }
            options.push(ChoiceOption {
                id: choice.attribute("name").map_or_else(|| format!("choice_{index}"), ToOwned::to_owned),
                content: rich.finish().0,
                weight: Ratio::new(i64::from(yes(choice.attribute("correct"))), 1),
                feedback: feedback.filter(|text| !text.is_empty()),
            });
        }
        if options.is_empty() {
            return Err(self.lost("no-options", "there is nothing to choose from", "add choices"));
        }
        Ok(Interaction::Choice(Choice {
            options,
            most: (!several).then_some(1),
            shuffle: yes(self.field.attribute("shuffle")),
            rule: ChoiceRule::AllOrNothing,
        }))
    }

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

    /// The tolerance, and whether it is a share of the answer.
    fn tolerance(&self) -> Result<Option<(Decimal, bool)>, Loss> {
        let param = self.response.descendants().find(|one| {
            one.name() == "responseparam"
                && one.attribute("type").is_some_and(|kind| kind.trim() == "tolerance")
        });
        let Some(written) = param.and_then(|one| one.attribute("default")) else { return Ok(None) };
        let (number, percent) = match written.trim().strip_suffix('%') {
            Some(number) => (number, true),
            None => (written.trim(), false),
        };
        let value = decimal(number).ok_or_else(|| {
            self.lost(
                "tolerance",
                format!("the tolerance `{written}` is not a number"),
                "write a number or a percentage",
            )
        })?;
        if !percent {
            return Ok(Some((value.abs(), false)));
        }
        let hundredth = Decimal::from_text(&format!("{}e-2", value.abs())).map_err(|_| {
            self.lost(
                "tolerance",
                format!("the tolerance `{written}` is not a number"),
                "write a number or a percentage",
            )
        })?;
        Ok(Some((hundredth, true)))
    }

    fn number(&mut self) -> Result<Interaction, Loss> {
        let mut ranges = Vec::new();
        let tolerance = self.tolerance()?;
        let more = self.response.named("additional_answer").filter_map(|one| one.attribute("answer"));
        let written: Vec<&str> = self.response.attribute("answer").into_iter().chain(more).collect();
        for text in written {
            let text = text.trim();
            let unread = |reading: &Self| {
                reading.lost(
                    "number-form",
                    format!("the answer `{text}` is not a number"),
                    "write a number or a range",
                )
            };
            let open = text.chars().next().filter(|sign| matches!(sign, '[' | '('));
            if let Some(open) = open {
                let close = text.chars().last().filter(|sign| matches!(sign, ']' | ')'));
                let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
                let Some(((least, most), close)) = inside.split_once(',').zip(close) else {
                    return Err(unread(self));
                };
                let (Some(least), Some(most)) = (decimal(least), decimal(most)) else {
                    return Err(unread(self));
                };
                if open == '(' || close == ')' {
                    let loss = self.lost(
                        "open-range",
                        "a bound of the range is not part of it",
                        "choose bounds that are",
                    );
                    self.losses.push(loss);
                }
                ranges.push(NumberRange::Between(least, most));
                continue;
            }
            let value = decimal(text).ok_or_else(|| unread(self))?;
            ranges.push(match &tolerance {
                Some((amount, false)) => NumberRange::Absolute(value, amount.clone()),
                Some((amount, true)) => NumberRange::Relative(value, amount.clone()),
                // A hundred-thousandth of the answer.
                None => NumberRange::Relative(value, Decimal::new(1, -5)),
            });
        }
        if ranges.is_empty() {
            return Err(self.lost("no-key", "there is no right number", "name it in `answer`"));
        }
        self.losses.push(Loss::display(
            place(self.response),
            "typed-formula",
            "a number may be typed as a formula there, such as `2*pi`",
            "ask for a decimal",
        ));
        let answers = ranges
            .into_iter()
            .map(|range| NumberAnswer { range, weight: Ratio::one(), feedback: None })
            .collect();
        Ok(Interaction::Number(NumberEntry { answers, integer: false, unit: None, writing: None }))
    }

    fn text(&mut self) -> Result<Interaction, Loss> {
        let kind = self.response.attribute("type").unwrap_or_default().to_lowercase();
        let words: Vec<&str> = kind.split_whitespace().collect();
        let answer = self.response.attribute("answer");
        // An old spelling of several answers: they are not patterns then, and no others are beside them.
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
            // Looked for anywhere as `^a|b|c$`: only the first is bound to the beginning, only the last to the end.
            vec![TextForm::Pattern(format!("(?s:.*)(?:^{}$)(?s:.*)", texts.join("|")))]
        } else {
            texts.into_iter().map(TextForm::Text).collect()
        };
        let answers =
            forms.into_iter().map(|form| TextAnswer { form, weight: Ratio::one(), feedback: None }).collect();
        Ok(Interaction::Text(TextEntry { answers, ignore_case: words.contains(&"ci"), blanks: Blanks::Trim }))
    }

    /// Whether a variable of the problem's program is in a text.
    fn is_computed(&self, text: &str) -> bool {
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
                "capital and small letters are the same there",
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
                "formulas may differ by a tolerance there",
                "nothing; values are compared closely",
            );
            self.losses.push(loss);
        }
        let latex = as_latex(answer.trim());
        Ok(Interaction::Formula(Formula { latex, same: SameFormula::Symbolic, variables, tolerance: None }))
    }
}

type Bounds = Vec<(String, Option<(Decimal, Decimal)>)>;

/// `x,y@1,1:3,3#10`: names, least values, greatest values, number of samples.
fn samples_of(text: &str) -> Option<Bounds> {
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

/// The texts of a list such as `('a','b\'s', "c")`.
fn quoted(list: &str) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::{quoted, read, samples_of};
    use crate::compile::Question;
    use crate::format::{Format, Source};
    use crate::loss::Exactness;
    use fablegrade_public::json::Json;

    fn one(xml: &str) -> Question {
        let mut found = Vec::new();
        read(&Source::new("p.xml", xml.as_bytes()), &mut |item| found.push(item.unwrap())).unwrap();
        Question::compile(Format::OpenEdx, "p.xml", found.remove(0))
    }

    #[test]
    fn lists_of_options() {
        assert_eq!(quoted(r"('a','b\'s', 'c, d')"), ["a", "b's", "c, d"]);
        assert_eq!(quoted("(a, b)"), ["a", "b"]);
        assert_eq!(samples_of("x,y@1,0:3,5#10").unwrap().len(), 2);
        assert!(samples_of("x@1,2:3").is_none());
    }

    #[test]
    fn every_input_is_a_part() {
        let question = one(
            r#"<problem display_name="T"><p>Who?</p><optionresponse><optioninput options="('a','b')" correct="b"/></optionresponse>
               <stringresponse answer="Doc" type="ci"><additional_answer answer="Happy"/><textline/></stringresponse>
               <numericalresponse answer="3.14"><responseparam type="tolerance" default="1%"/><textline/></numericalresponse></problem>"#,
        );
        assert_eq!(question.exactness, Exactness::ScoresExact);
        let ids: Vec<_> = question.item.parts.iter().map(|part| part.id.as_str()).collect();
        assert_eq!(ids, ["2_1", "3_1", "4_1"]);
        assert!(question.item.prompt.contains("[3_1]"), "{}", question.item.prompt);
    }

    #[test]
    fn texts_are_compared_as_their_home_compares_them() {
        let accepts = |attributes: &str, inner: &str, text: &str| {
            let response = format!("<stringresponse {attributes}>{inner}<textline/></stringresponse>");
            let question = one(&format!("<problem>{response}</problem>"));
            let given = Json::build().with("*", text).build();
            let responses = question.responses_from_json(&given);
            question.grader().unwrap().score(&responses) == Some(1.0)
        };
        // One pattern is bound to both ends, and so are the ends of its first and last alternatives alone.
        assert!(accepts(r#"answer="a|b" type="Regexp""#, "", "apple"));
        assert!(!accepts(r#"answer="a|b" type="regexp""#, "", "cod"));
        assert!(accepts(r#"answer="colou?r" type="regexp ci""#, "", "Color"));
        assert!(!accepts(r#"answer="colou?r" type="regexp""#, "", "colors"));
        let more = r#"<additional_answer answer="zinc"/>"#;
        assert!(accepts(r#"answer="tin_or_lead" type="ci""#, "", "Lead"));
        assert!(!accepts(r#"answer="tin_or_lead""#, more, "zinc"));
        assert!(!accepts(r#"answer="tin_or_lead""#, "", "tin_or_lead"));
        // Without a program `$` is a sign like others: the cell of a spreadsheet.
        assert!(accepts(r#"answer="$A$1""#, "", "$A$1"));
    }

    #[test]
    fn letters_of_formulas_are_the_same_in_either_case_unless_said() {
        let rules = |attributes: &str| -> Vec<&'static str> {
            let question = one(&format!(
                r#"<problem><formularesponse answer="R*x" samples="R,x@1,1:3,3#5" {attributes}><textline/></formularesponse></problem>"#
            ));
            question.losses.iter().map(|loss| loss.rule).collect()
        };
        assert!(rules("").contains(&"formula-case"));
        assert!(!rules("type=\"cs\"").contains(&"formula-case"));
    }

    #[test]
    fn programs_are_refused() {
        let question = one(r#"<problem><customresponse cfn="f"><textline/></customresponse></problem>"#);
        assert_eq!(question.exactness, Exactness::NotExpressible);
        let question =
            one(r#"<problem><numericalresponse answer="$z"><textline/></numericalresponse></problem>"#);
        assert_eq!(question.losses[0].rule, "number-form");
        for response in [
            r#"<stringresponse answer="$name"><textline/></stringresponse>"#,
            r#"<multiplechoiceresponse><choicegroup><choice correct="$c">a</choice><choice correct="true">b</choice></choicegroup></multiplechoiceresponse>"#,
            r#"<optionresponse><optioninput options="('a','b')" correct="$o"/></optionresponse>"#,
        ] {
            let script = r#"<script type="loncapa/python">name = c = o = 1</script>"#;
            let question = one(&format!("<problem>{script}{response}</problem>"));
            assert!(
                question.losses.iter().any(|loss| loss.rule == "no-key"),
                "{response}: {:?}",
                question.losses
            );
        }
    }
}
