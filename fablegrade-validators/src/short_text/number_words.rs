//! Numbers written as English words.

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const POWERS: [(&str, u64); 3] = [("thousand", 1_000), ("million", 1_000_000), ("billion", 1_000_000_000)];

enum Word {
    Below20(u64),
    Tens(u64),
    Hundred,
    Power(u64),
    And,
}

fn word(text: &str) -> Option<Word> {
    let place = |list: &[&str]| list.iter().position(|word| *word == text).map(|at| at as u64);
    if let Some(number) = place(&SMALL) {
        return Some(Word::Below20(number));
    }
    if let Some(tens) = place(&TENS) {
        return Some(Word::Tens((tens + 2) * 10));
    }
    match text {
        "hundred" => Some(Word::Hundred),
        "and" => Some(Word::And),
        _ => POWERS.iter().find(|(word, _)| *word == text).map(|(_, power)| Word::Power(*power)),
    }
}

/// A number that is being read: what is complete, and the group below the last power of 1,000.
#[derive(Clone, Copy, Default)]
struct Reading {
    total: u64,
    group: u64,
    /// The last power of 1,000; the next must be smaller.
    power: Option<u64>,
    words: usize,
    /// An `and` waits for what follows.
    and: bool,
}

impl Reading {
    /// The number with one more word, if it goes on so.
    fn with(mut self, word: &Word) -> Option<Self> {
        match *word {
            Word::Below20(number) => {
                let fits = self.group.is_multiple_of(100)
                    || (self.group % 100 >= 20 && self.group.is_multiple_of(10) && number > 0);
                let fits = fits && (number < 10 || self.group.is_multiple_of(100));
                if !fits || (number == 0 && self.words > 0) || self.is_zero() {
                    return None;
                }
                self.group += number;
            }
            Word::Tens(tens) => {
                if !self.group.is_multiple_of(100) || self.is_zero() {
                    return None;
                }
                self.group += tens;
            }
            Word::Hundred => {
                if !(1..=9).contains(&self.group) || self.and {
                    return None;
                }
                self.group *= 100;
            }
            Word::Power(power) => {
                if self.group == 0 || self.and || self.power.is_some_and(|last| last <= power) {
                    return None;
                }
                self.total += self.group * power;
                self.group = 0;
                self.power = Some(power);
            }
            Word::And => {
                if self.and || !self.group.is_multiple_of(100) || (self.group == 0 && self.power.is_none()) {
                    return None;
                }
                self.and = true;
                return Some(self);
            }
        }
        self.and = false;
        self.words += 1;
        Some(self)
    }

    fn is_zero(&self) -> bool {
        self.words > 0 && self.total + self.group == 0
    }
}

/// The text with every number in words as digits; blanks between words are single. Hyphens join words of a number only.
pub(super) fn to_digits(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut reading: Option<Reading> = None;
    let flush = |reading: &mut Option<Reading>, out: &mut Vec<String>| {
        if let Some(done) = reading.take() {
            out.push((done.total + done.group).to_string());
            if done.and {
                out.push("and".to_owned());
            }
        }
    };
    for token in text.split_whitespace() {
        let parts: Vec<&str> = token.split('-').collect();
        let words: Option<Vec<Word>> = parts.iter().map(|part| word(part)).collect();
        let Some(words) = words else {
            flush(&mut reading, &mut out);
            out.push(token.to_owned());
            continue;
        };
        for (word, text) in words.iter().zip(&parts) {
            reading = match reading.unwrap_or_default().with(word) {
                Some(longer) if longer.words > 0 => Some(longer),
                _ => {
                    flush(&mut reading, &mut out);
                    let alone = Reading::default().with(word).filter(|alone| alone.words > 0);
                    if alone.is_none() {
                        out.push((*text).to_owned());
                    }
                    alone
                }
            };
        }
    }
    flush(&mut reading, &mut out);
    out.join(" ")
}

#[cfg(test)]
mod tests {
    use super::to_digits;

    #[test]
    fn numbers_become_digits_and_words_stay() {
        for (words, digits) in [
            ("twenty-one cats", "21 cats"),
            ("two hundred and five", "205"),
            ("one thousand two hundred thirty four", "1234"),
            ("three million and one", "3000001"),
            ("two and three", "2 and 3"),
            ("twenty twelve", "20 12"),
            ("zero", "0"),
            ("one two", "1 2"),
            ("hundred", "hundred"),
            ("forty-two or so", "42 or so"),
            ("someone and a half", "someone and a half"),
            ("seventeen thousand", "17000"),
        ] {
            assert_eq!(to_digits(words), digits, "{words}");
        }
    }
}
