//! The characters of a file with resolved escapes, and the paragraphs that can be questions.

/// A character, and whether it was escaped with a backslash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Sign {
    pub(super) char: char,
    pub(super) escaped: bool,
}

/// The text and comments of a question, and the line on which it begins.
pub(super) struct Paragraph {
    pub(super) signs: Vec<Sign>,
    pub(super) comments: String,
    pub(super) line: u32,
    /// The reason why it cannot be a question.
    pub(super) broken: Option<&'static str>,
    pub(super) notes: Vec<(&'static str, &'static str)>,
}

pub(super) enum Block {
    Category(String),
    Question(Paragraph),
}

/// Collects the characters of a line and resolves the escapes `\:` `\#` `\=` `\{` `\}` `\~` `\n` and `\\`.
fn signs(line: &str, out: &mut Vec<Sign>) {
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some(&next @ (':' | '#' | '=' | '{' | '}' | '~' | '\\'))) => {
                chars.next();
                out.push(Sign { char: next, escaped: true });
            }
            ('\\', Some('n')) => {
                chars.next();
                out.push(Sign { char: '\n', escaped: true });
            }
            _ => out.push(Sign { char, escaped: false }),
        }
    }
}

/// Returns the number of open answer sections after these signs, where `before` is the number before them. A closing
/// brace without an opening brace is ignored.
fn open_braces(signs: &[Sign], before: usize) -> usize {
    signs.iter().fold(before, |depth, sign| match sign {
        Sign { char: '{', escaped: false } => depth + 1,
        Sign { char: '}', escaped: false } => depth.saturating_sub(1),
        _ => depth,
    })
}

pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut current: Option<Paragraph> = None;
    let mut comments = String::new();
    let mut depth = 0;
    let mut blank_inside = false;
    let lines: Vec<&str> = text.lines().collect();
    let end = |current: &mut Option<Paragraph>, depth: &mut usize, blocks: &mut Vec<Block>| {
        if let Some(mut paragraph) = current.take() {
            if *depth > 0 {
                paragraph.broken = Some("an answer section is not closed with `}`");
            }
            blocks.push(Block::Question(paragraph));
        }
        *depth = 0;
    };
    for (index, raw) in lines.iter().enumerate() {
        let line = raw.trim();
        if line.starts_with("//") {
            let comments = current.as_mut().map_or(&mut comments, |paragraph| &mut paragraph.comments);
            comments.push_str(line);
            comments.push('\n');
            continue;
        }
        if line.is_empty() {
            if depth == 0 {
                end(&mut current, &mut depth, &mut blocks);
                // As in Moodle, a comment belongs to a question only if no blank line separates them.
                comments.clear();
            } else {
                blank_inside = true;
            }
            continue;
        }
        if let Some(name) = line.strip_prefix("$CATEGORY:")
            && depth == 0
        {
            end(&mut current, &mut depth, &mut blocks);
            comments.clear();
            let mut read = Vec::new();
            signs(name, &mut read);
            blocks.push(Block::Category(plain(&read).trim().to_owned()));
            continue;
        }
        // After a blank line inside an answer section, a line that begins a question ends the unfinished question.
        if blank_inside && depth > 0 && line.starts_with("::") {
            end(&mut current, &mut depth, &mut blocks);
            blank_inside = false;
        }
        // A title on a line of its own begins a question, although Moodle expects a blank line before it.
        if depth == 0 && line.starts_with("::") && line[2..].contains("::") {
            end(&mut current, &mut depth, &mut blocks);
        }
        let mut read = Vec::new();
        signs(raw.trim_end(), &mut read);
        let paragraph = current.get_or_insert_with(|| Paragraph {
            signs: Vec::new(),
            comments: std::mem::take(&mut comments),
            line: u32::try_from(index + 1).unwrap_or(u32::MAX),
            broken: None,
            notes: Vec::new(),
        });
        if blank_inside {
            paragraph
                .notes
                .push(("blank-line", "a blank line inside an answer section ends the question in Moodle"));
            blank_inside = false;
        }
        if !paragraph.signs.is_empty() {
            paragraph.signs.push(Sign { char: '\n', escaped: false });
        }
        depth = open_braces(&read, depth);
        paragraph.signs.extend(read);
    }
    end(&mut current, &mut depth, &mut blocks);
    blocks
}

pub(super) fn plain(signs: &[Sign]) -> String {
    signs.iter().map(|sign| sign.char).collect()
}

pub(super) fn find(signs: &[Sign], char: char) -> Option<usize> {
    signs.iter().position(|sign| *sign == Sign { char, escaped: false })
}

pub(super) fn trim(mut signs: &[Sign]) -> &[Sign] {
    while let [first, rest @ ..] = signs
        && first.char.is_whitespace()
        && !first.escaped
    {
        signs = rest;
    }
    while let [rest @ .., last] = signs
        && last.char.is_whitespace()
        && !last.escaped
    {
        signs = rest;
    }
    signs
}

pub(super) fn starts_with(signs: &[Sign], text: &str) -> bool {
    let mut count = 0;
    text.chars().zip(signs).all(|(char, sign)| {
        count += 1;
        sign.char == char && !sign.escaped
    }) && count == text.chars().count()
}

/// Returns the position of an unescaped text.
pub(super) fn find_text(signs: &[Sign], text: &str) -> Option<usize> {
    (0..signs.len()).find(|at| starts_with(&signs[*at..], text))
}
