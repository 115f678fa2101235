//! Tables of questions: CSV (RFC 4180) with a header.
//!
//! | column | meaning |
//! |---|---|
//! | `type` | `choice`, `multiple`, `truefalse`, `text`, `number`, `match`, `order` or `essay`; required |
//! | `question` | the question text; required |
//! | `id`, `title`, `feedback`, `tags` | optional; tags are separated by `;` |
//! | `points` | full marks, default 1 |
//! | `answer` | the key; not needed for `match`, `order` and `essay` |
//! | `option1`, `option2`, ... | choices, items in their right order, or pairs `left -> right` |
//! | `tolerance` | the tolerance of a number: `0.01`, or `1%`; ignored for a range |
//! | `case` | `yes` if the case of a text counts |
//! | `partial` | `yes` if partly right answers of `multiple`, `match` and `order` earn a share |
//!
//! The key depends on the type:
//! - `choice`: the number or the text of an option; `multiple`: several of these, separated by `;`
//! - `truefalse`: `true` or `false`
//! - `text`: accepted texts, separated by `;`
//! - `number`: a number, or a range such as `1..2`
//!
//! For `match`, an option `-> right` without a left side is a distractor.
//!
//! The separator of columns is a comma, a semicolon or a tab: the one that gives the header the most columns.

use std::collections::{HashMap, HashSet};
use std::iter::Peekable;
use std::str::Chars;

use fablegrade_public::{Decimal, Ratio};

use crate::format::{Sink, Source};
use crate::item::{
    Choice, ChoiceOption, ChoiceRule, Choosable, Feedback, Interaction, Item, Match, MatchRule, NumberAnswer,
    NumberEntry, NumberRange, Order, OrderCredit, Part, Prose, TextAnswer, TextEntry, TextForm, Whitespace,
};
use crate::loss::{Place, ReadError};
use crate::moodle::question::normal_number;
use crate::text;

/// Returns whether a file looks like a table of questions.
pub(crate) fn detects(source: &Source<'_>) -> bool {
    if !is_table(&source.name().to_ascii_lowercase()) {
        return false;
    }
    let columns = header_of(source.bytes);
    ["type", "question"].iter().all(|name| columns.iter().any(|column| column == name))
}

/// Returns whether this is the name of a table, in lower case.
pub(crate) fn is_table(name: &str) -> bool {
    name.ends_with(".csv") || name.ends_with(".tsv")
}

/// The number of bytes at the beginning of a file in which its header is searched for columns.
pub(crate) const LONGEST_HEADER: usize = 1 << 20;

/// Returns the names of the columns in a table's header. A longer header than [`LONGEST_HEADER`] is cut.
pub(crate) fn header_of(bytes: &[u8]) -> Vec<String> {
    let head = &bytes[..bytes.len().min(LONGEST_HEADER)];
    let text = encoding_rs::UTF_8.decode(head).0;
    first_row(&text).1.iter().map(|cell| column(cell)).collect()
}

/// Returns the separator that gives the first row the most cells, and these cells.
fn first_row(text: &str) -> (char, Vec<String>) {
    let cells = |separator| Rows::new(text, separator).next().map_or_else(Vec::new, |row| row.cells);
    let all = [',', ';', '\t'].map(|separator| (separator, cells(separator)));
    all.into_iter().max_by_key(|(_, cells)| cells.len()).unwrap_or((',', Vec::new()))
}

/// Returns the name of a column in lower case, without surrounding quotes and whitespace.
pub(crate) fn column(name: &str) -> String {
    name.trim_start_matches('\u{feff}').trim().trim_matches('"').trim().to_ascii_lowercase()
}

/// Reads the rows of a file. An unreadable row is reported, and reading continues.
pub(crate) fn read(source: &Source<'_>, items: &mut Sink<'_>) -> Result<(), ReadError> {
    let table = Table::read(source.bytes)?;
    let header: Vec<String> = table.header().iter().map(|cell| column(cell)).collect();
    if !["type", "question"].iter().all(|name| header.iter().any(|column| column == name)) {
        return Err(ReadError::new(
            Place::new("", 1),
            "header",
            "the header has no columns `type` and `question`",
            "name the columns in the first row",
        ));
    }
    let columns = columns(&header);
    for row in table.rows() {
        if row.cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        items(Reading { header: &header, columns: &columns, row }.item());
    }
    Ok(())
}

/// A table with a header, whose columns are separated by commas, semicolons or tabs.
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// Reads a table in linear time.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let text = text::decode(bytes)?;
        let (separator, _) = first_row(&text);
        Ok(Self { rows: Rows::new(&text, separator).collect() })
    }

    /// Returns the cells of the first row.
    pub(crate) fn header(&self) -> &[String] {
        self.rows.first().map_or(&[], |row| &row.cells)
    }

    /// Returns the rows below the header.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().skip(1)
    }
}

/// A row of a table.
pub(crate) struct Row {
    /// Its cells; the last ones may be missing.
    pub(crate) cells: Vec<String>,
    /// The line on which the row begins.
    pub(crate) line: u32,
    /// Whether a quoted cell is not closed.
    open: bool,
}

/// The rows of a table, read in linear time. A quoted cell can contain line ends and separators; `""` is a quote in it.
struct Rows<'t> {
    chars: Peekable<Chars<'t>>,
    separator: char,
    /// The line of the next character.
    line: u32,
}

impl<'t> Rows<'t> {
    fn new(text: &'t str, separator: char) -> Self {
        Self { chars: text.chars().peekable(), separator, line: 1 }
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let mut row = Row { cells: Vec::new(), line: self.line, open: false };
        let mut cell = String::new();
        // whether the cell has only blanks yet
        let mut blank = true;
        let mut quoted = false;
        while let Some(char) = self.chars.next() {
            self.line += u32::from(char == '\n');
            match char {
                '"' if quoted && self.chars.peek() == Some(&'"') => {
                    self.chars.next();
                    cell.push('"');
                }
                '"' if quoted => quoted = false,
                '"' if blank => {
                    cell.clear();
                    (blank, quoted) = (false, true);
                }
                '\r' if !quoted && self.chars.peek() == Some(&'\n') => {}
                '\n' if !quoted => {
                    row.cells.push(cell);
                    return Some(row);
                }
                char if char == self.separator && !quoted => {
                    row.cells.push(std::mem::take(&mut cell));
                    blank = true;
                }
                char => {
                    blank &= char.is_whitespace();
                    cell.push(char);
                }
            }
        }
        if cell.is_empty() && row.cells.is_empty() {
            return None;
        }
        row.cells.push(cell);
        row.open = quoted;
        Some(row)
    }
}

/// The maximum number of options of a question.
const MAX_OPTIONS: usize = 100;

/// Returns the place of the first column of each name.
fn columns(header: &[String]) -> HashMap<&str, usize> {
    header.iter().enumerate().rev().map(|(at, name)| (name.as_str(), at)).collect()
}

struct Reading<'r> {
    header: &'r [String],
    columns: &'r HashMap<&'r str, usize>,
    row: &'r Row,
}

impl Reading<'_> {
    fn cell(&self, name: &str) -> &str {
        self.columns
            .get(name)
            .and_then(|at| self.row.cells.get(*at))
            .map(|cell| cell.trim())
            .unwrap_or_default()
    }

    fn yes(&self, name: &str) -> bool {
        matches!(self.cell(name).to_ascii_lowercase().as_str(), "yes" | "true" | "1" | "x")
    }

    fn refuse(&self, name: &str, message: impl Into<String>, help: &str) -> ReadError {
        let column = self.columns.get(name).map_or(0, |at| at + 1);
        ReadError::new(Place::new(format!("column {column} ({name})"), self.row.line), "cell", message, help)
    }

    /// Returns the first column of an option beyond the limit that has a value in this row.
    fn beyond(&self) -> Option<&str> {
        let mut filled = self.header.iter().zip(&self.row.cells).filter(|(_, cell)| !cell.trim().is_empty());
        filled.find_map(|(column, _)| {
            let number: usize = column.strip_prefix("option")?.parse().ok()?;
            (number > MAX_OPTIONS).then_some(column.as_str())
        })
    }

    /// Returns the options of the columns `option1` to `option100`, without empty ones at the end.
    fn options(&self) -> Vec<String> {
        let mut options: Vec<String> =
            (1..=MAX_OPTIONS).map(|number| self.cell(&format!("option{number}")).to_owned()).collect();
        while options.last().is_some_and(String::is_empty) {
            options.pop();
        }
        options
    }

    fn item(&self) -> Result<Item, ReadError> {
        if self.row.open {
            return Err(self.refuse("question", "a quoted cell is not closed", "close it with a quote"));
        }
        if self.row.cells.len() > self.header.len() {
            return Err(self.refuse(
                "type",
                "the row has more cells than the header",
                "quote cells that hold a separator",
            ));
        }
        if let Some(beyond) = self.beyond() {
            let message = format!("a question has at most {MAX_OPTIONS} options");
            return Err(self.refuse(beyond, message, "divide the question"));
        }
        let place = Place::new("", self.row.line);
        let id = self.cell("id");
        let mut item = Item::new(
            if id.is_empty() { format!("row-{}", self.row.line) } else { id.to_owned() },
            place.clone(),
        );
        self.cell("title").clone_into(&mut item.title);
        self.cell("question").clone_into(&mut item.prompt);
        if item.prompt.is_empty() {
            return Err(self.refuse("question", "the question is empty", "write the question"));
        }
        if !self.cell("feedback").is_empty() {
            item.feedback
                .push(Feedback { when: "general".to_owned(), content: self.cell("feedback").to_owned() });
        }
        let tags = self.cell("tags").split(';').map(str::trim).filter(|tag| !tag.is_empty());
        item.metadata.extend(tags.map(|tag| ("tag".to_owned(), tag.to_owned())));
        if !self.cell("points").is_empty() {
            let points = decimal(self.cell("points")).map(|points| Ratio::from_decimal(&points));
            let points = points.filter(|points| *points > Ratio::zero());
            let points =
                points.ok_or_else(|| self.refuse("points", "not a number above 0", "write a number"))?;
            item.max_score = (!points.is_one()).then_some(points);
        }
        item.parts.push(Part::new("answer", self.interaction()?, place));
        Ok(item)
    }

    fn interaction(&self) -> Result<Interaction, ReadError> {
        match self.cell("type").to_ascii_lowercase().as_str() {
            "choice" | "single" => self.choice(false),
            "multiple" => self.choice(true),
            "truefalse" => self.truth(),
            "text" => self.text(),
            "number" => self.number(),
            "match" => self.matching(),
            "order" => self.order(),
            "essay" => Ok(Interaction::Prose(Prose::default())),
            other => Err(self.refuse(
                "type",
                format!("`{other}` is not a type of question"),
                "use choice, multiple, truefalse, text, number, match, order or essay",
            )),
        }
    }

    fn choice(&self, several: bool) -> Result<Interaction, ReadError> {
        let options = self.options();
        if options.len() < 2 || options.iter().any(String::is_empty) {
            return Err(self.refuse(
                "option1",
                "there are fewer than two options, or one is empty",
                "fill the columns in order",
            ));
        }
        let mut right = vec![false; options.len()];
        let keys: Vec<&str> =
            if several { self.cell("answer").split(';').collect() } else { vec![self.cell("answer")] };
        for key in keys.into_iter().map(str::trim) {
            let by_text = options.iter().position(|option| option == key);
            let by_number = key.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let place = by_text.or(by_number).filter(|place| *place < options.len());
            let place = place.ok_or_else(|| {
                self.refuse(
                    "answer",
                    format!("`{key}` is not an option"),
                    "write the number or the text of an option",
                )
            })?;
            right[place] = true;
        }
        let options = options
            .into_iter()
            .zip(right)
            .enumerate()
            .map(|(index, (content, right))| ChoiceOption {
                id: (index + 1).to_string(),
                content,
                weight: Ratio::new(i64::from(right), 1),
                feedback: None,
            })
            .collect();
        let rule = if several && self.yes("partial") { ChoiceRule::Share } else { ChoiceRule::AllOrNothing };
        Ok(Interaction::Choice(Choice { options, most: (!several).then_some(1), shuffle: true, rule }))
    }

    fn truth(&self) -> Result<Interaction, ReadError> {
        let correct = match self.cell("answer").to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" => true,
            "false" | "f" | "no" => false,
            _ => return Err(self.refuse("answer", "neither true nor false", "write `true` or `false`")),
        };
        let option = |id: &str, content: &str, right: bool| ChoiceOption {
            id: id.to_owned(),
            content: content.to_owned(),
            weight: Ratio::new(i64::from(right), 1),
            feedback: None,
        };
        let options = vec![option("true", "True", correct), option("false", "False", !correct)];
        Ok(Interaction::Choice(Choice {
            options,
            most: Some(1),
            shuffle: false,
            rule: ChoiceRule::AllOrNothing,
        }))
    }

    fn text(&self) -> Result<Interaction, ReadError> {
        let accepted = self.cell("answer").split(';').map(str::trim).filter(|text| !text.is_empty());
        let answers: Vec<TextAnswer> = accepted
            .map(|text| TextAnswer {
                form: TextForm::Text(text.to_owned()),
                weight: Ratio::one(),
                feedback: None,
            })
            .collect();
        if answers.is_empty() {
            return Err(self.refuse(
                "answer",
                "no text is accepted",
                "write one, or several separated by `;`",
            ));
        }
        Ok(Interaction::Text(TextEntry {
            answers,
            ignore_case: !self.yes("case"),
            whitespace: Whitespace::Collapse,
        }))
    }

    fn number(&self) -> Result<Interaction, ReadError> {
        let key = self.cell("answer");
        let wrong = || {
            self.refuse(
                "answer",
                format!("`{key}` is neither a number nor a range"),
                "write `9.81` or `9..10`",
            )
        };
        let range = if let Some((least, most)) = key.split_once("..") {
            let (least, most) = (decimal(least).ok_or_else(wrong)?, decimal(most).ok_or_else(wrong)?);
            if least > most {
                return Err(wrong());
            }
            NumberRange::Between(least, most)
        } else {
            let value = decimal(key).ok_or_else(wrong)?;
            let tolerance = self.cell("tolerance");
            let unread = || {
                self.refuse("tolerance", format!("`{tolerance}` is not a tolerance"), "write `0.01` or `1%`")
            };
            match tolerance.strip_suffix('%') {
                _ if tolerance.is_empty() => NumberRange::Exact(value),
                Some(share) => {
                    let share = decimal(share).ok_or_else(unread)?.abs();
                    let share = share.multiply(&Decimal::new(1, -2));
                    NumberRange::Relative(value, share)
                }
                None => NumberRange::Absolute(value, decimal(tolerance).ok_or_else(unread)?.abs()),
            }
        };
        let answers = vec![NumberAnswer { range, weight: Ratio::one(), feedback: None }];
        Ok(Interaction::Number(NumberEntry { answers, integer: false, unit: None, writing: None }))
    }

    fn matching(&self) -> Result<Interaction, ReadError> {
        let mut left = Vec::new();
        let mut right: Vec<Choosable> = Vec::new();
        let mut known: HashMap<String, String> = HashMap::new();
        let mut pairs = Vec::new();
        for (index, option) in self.options().into_iter().enumerate() {
            let Some((from, to)) = option.split_once("->") else {
                return Err(self.refuse(
                    &format!("option{}", index + 1),
                    "this pair has no `->`",
                    "write `left -> right`",
                ));
            };
            let (from, to) = (from.trim().to_owned(), to.trim().to_owned());
            let partner = known.entry(to).or_insert_with_key(|to| {
                let id = format!("r{}", right.len() + 1);
                right.push(Choosable { id: id.clone(), content: to.clone() });
                id
            });
            if !from.is_empty() {
                let id = format!("l{}", left.len() + 1);
                pairs.push((id.clone(), partner.clone(), Ratio::one()));
                left.push(Choosable { id, content: from });
            }
        }
        let rule = if self.yes("partial") { MatchRule::Share } else { MatchRule::AllOrNothing };
        let partners: HashSet<&String> = pairs.iter().map(|(_, right, _)| right).collect();
        let many_to_one = partners.len() < pairs.len();
        Ok(Interaction::Match(Match { left, right, pairs, rule, many_to_one, most_each: Some(1) }))
    }

    fn order(&self) -> Result<Interaction, ReadError> {
        let options = self.options();
        let items: Vec<Choosable> = options
            .into_iter()
            .enumerate()
            .map(|(index, content)| Choosable { id: (index + 1).to_string(), content })
            .collect();
        if items.len() < 2 || items.iter().any(|item| item.content.is_empty()) {
            return Err(self.refuse(
                "option1",
                "there are fewer than two things to order, or one is empty",
                "fill the columns in order",
            ));
        }
        let correct = items.iter().map(|item| item.id.clone()).collect();
        let credit = if self.yes("partial") { OrderCredit::AdjacentPairs } else { OrderCredit::AllOrNothing };
        Ok(Interaction::Order(Order { items, correct, before: None, credit }))
    }
}

fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_text(&normal_number(text)?).ok()
}

#[cfg(test)]
mod tests {
    use super::{Rows, read};
    use crate::compile::Question;
    use crate::format::{Format, Source};
    use crate::item::Item;
    use crate::loss::{Exactness, ReadError};

    fn all(text: &str) -> Vec<Result<Item, ReadError>> {
        let mut found = Vec::new();
        read(&Source::new("bank.csv", text.as_bytes()), &mut |item| found.push(item)).unwrap();
        found
    }

    #[test]
    fn cells_may_be_quoted() {
        let found: Vec<_> = Rows::new("a,\"b, \"\"c\"\"\nd\"\r\ne,f", ',').collect();
        assert_eq!(found[0].cells, ["a", "b, \"c\"\nd"]);
        assert_eq!((found[1].cells.join("|").as_str(), found[1].line), ("e|f", 3));
    }

    #[test]
    fn every_type_is_exact() {
        let text = "type;question;answer;option1;option2;option3;tolerance;partial\n\
                    choice;Capital?;2;Rome;Paris;Oslo;;\n\
                    multiple;Even?;1;2;3;;;yes\n\
                    truefalse;Sky?;true;;;;;\n\
                    text;Word?;color;;;;;\n\
                    number;Pi?;3.14;;;;0.0000001%;\n\
                    match;Pair;;a -> 1;b -> 2;;;yes\n\
                    order;Sort;;x;y;z;;\n\
                    essay;Write;;;;;;\n";
        let found = all(text);
        assert_eq!(found.len(), 8);
        for item in found {
            let question = Question::compile(Format::Csv, "bank.csv", item.unwrap());
            assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
        }
    }

    #[test]
    fn a_bad_row_is_told_and_the_next_is_read() {
        let found = all(
            "type,question,answer,option1,option2\nchoice,Which?,9,a,b\nsong,Sing,,,\nchoice,Which?,a,a,b\nnumber,Big?,x,,\n",
        );
        let told: Vec<_> = found.iter().map(|row| row.as_ref().err().map(|error| error.place.line)).collect();
        assert_eq!(told, [Some(2), Some(3), None, Some(5)]);
        let wide = |count: usize| {
            let columns: String = (1..=count).map(|n| [",option", &n.to_string()].concat()).collect();
            all(&format!("type,question,answer{columns}\nchoice,Which?,1{}\n", ",x".repeat(count))).remove(0)
        };
        assert!(wide(100).is_ok() && wide(101).is_err());
    }

    #[test]
    fn two_pairs_can_share_a_right_side() {
        let text =
            "type,question,answer,option1,option2,option3,partial\nmatch,Pair?,,a -> x,b -> x,-> y,yes\n";
        let question = Question::compile(Format::Csv, "bank.csv", all(text).remove(0).unwrap());
        assert_eq!(question.exactness, Exactness::Exact, "{:?}", question.losses);
    }

    #[test]
    fn the_separator_is_that_of_the_whole_header() {
        let text = "\"type\n, or: a, b, c\";question;type;answer\n;Sky?;truefalse;true\n";
        let found = all(text);
        assert!(found[0].is_ok(), "{found:?}");
        assert!(super::detects(&Source::new("bank.csv", text.as_bytes())));
    }

    #[test]
    fn of_equal_columns_the_first_counts() {
        // Searching the header for each cell would take too long.
        let more: String = (0..20_000).map(|n| [",note", &n.to_string()].concat()).collect();
        let rows = "truefalse,Sky?,true,false\n".repeat(3_000);
        let found = all(&format!("type,question,answer,answer{more}\n{rows}"));
        let question = Question::compile(Format::Csv, "bank.csv", found.into_iter().next().unwrap().unwrap());
        assert!(question.item.metadata.is_empty() && question.exactness == Exactness::Exact);
    }
}
