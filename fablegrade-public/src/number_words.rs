//! Whole numbers spelled out in English: `two hundred and five` is 205.

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

/// A word of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// Returns whether a lower-case word can be part of a spelled-out number; `and` can.
#[must_use]
pub fn is_number_word(text: &str) -> bool {
    word(text).is_some()
}

/// Returns the value of lower-case words, if together they spell one number.
///
/// ```
/// use fablegrade_public::number_words::cardinal;
/// assert_eq!(cardinal(&["nineteen", "hundred", "and", "five"]), Some(1905));
/// assert_eq!(cardinal(&["two", "three"]), None);
/// ```
#[must_use]
pub fn cardinal(words: &[&str]) -> Option<u64> {
    let number = words.iter().try_fold(Cardinal::default(), |number, word| number.with(word))?;
    number.value().filter(|_| !number.waits())
}

/// A number that is read word by word: `total` is the value of the completed groups, and `group` that of the
/// words after the last power of 1,000.
#[derive(Clone, Copy, Default, Debug)]
pub struct Cardinal {
    total: u64,
    group: u64,
    /// The last power of 1,000; the next group must be smaller.
    power: Option<u64>,
    words: usize,
    /// True if the last word is an `and`.
    and: bool,
}

impl Cardinal {
    /// Returns the number with one more lower-case word, if that word can follow.
    #[must_use]
    pub fn with(mut self, text: &str) -> Option<Self> {
        let below_hundred = self.group.is_multiple_of(100);
        match word(text)? {
            Word::Below20(number) => {
                let after_tens =
                    self.group % 100 >= 20 && self.group.is_multiple_of(10) && (1..10).contains(&number);
                if !(below_hundred || after_tens) || (number == 0 && self.words > 0) || self.is_zero() {
                    return None;
                }
                self.group += number;
            }
            Word::Tens(tens) => {
                if !below_hundred || self.is_zero() {
                    return None;
                }
                self.group += tens;
            }
            // `nineteen hundred` is allowed, but `twenty hundred` is not: it is `two thousand`. Nor is `one thousand
            // twenty one hundred`, because `twenty one hundred` is more than a thousand.
            Word::Hundred => {
                let too_large = self.power.is_some_and(|power| self.group * 100 >= power);
                if self.group >= 100 || self.group.is_multiple_of(10) || self.and || too_large {
                    return None;
                }
                self.group *= 100;
            }
            // `one million nineteen hundred thousand` is not a number: `nineteen hundred thousand` is more than a
            // million.
            Word::Power(power) => {
                let value = self.group.checked_mul(power)?;
                if self.group == 0 || self.and || self.power.is_some_and(|last| value >= last) {
                    return None;
                }
                self.total = self.total.checked_add(value)?;
                self.group = 0;
                self.power = Some(power);
            }
            Word::And => {
                if self.and || !below_hundred || (self.group == 0 && self.power.is_none()) {
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

    /// Returns the value so far; `None` before the first word.
    #[must_use]
    pub fn value(&self) -> Option<u64> {
        (self.words > 0).then_some(self.total + self.group)
    }

    /// Returns whether the last word is an `and`, so another word must follow.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.and
    }

    fn is_zero(&self) -> bool {
        self.value() == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_they_are_said() {
        for (text, value) in [
            ("zero", Some(0)),
            ("seven hundred five", Some(705)),
            ("two hundred and five", Some(205)),
            ("nineteen hundred", Some(1_900)),
            ("twenty one hundred", Some(2_100)),
            ("nine hundred ninety nine billion nine hundred thousand", Some(999_000_900_000)),
            ("twenty hundred", None),
            ("hundred", None),
            ("zero one", None),
            ("thousand", None),
            ("one thousand million", None),
            ("two hundred hundred", None),
            ("one two", None),
            ("twenty twelve", None),
            ("and", None),
            ("two hundred and", None),
            ("one thousand twenty one hundred", None),
            ("one thousand nine hundred", Some(1_900)),
            ("one million nineteen hundred thousand", None),
            ("one billion twenty one hundred million", None),
            ("one million nine hundred ninety nine thousand", Some(1_999_000)),
            ("one billion nineteen hundred thousand", Some(1_001_900_000)),
            ("nineteen hundred thousand", Some(1_900_000)),
            ("", None),
        ] {
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(cardinal(&words), value, "{text}");
        }
    }

    #[test]
    fn every_number_below_ten_thousand_is_read_back() {
        let below_hundred = |n: usize| match n {
            0 => String::new(),
            1..20 => SMALL[n].to_owned(),
            _ if n.is_multiple_of(10) => TENS[n / 10 - 2].to_owned(),
            _ => format!("{} {}", TENS[n / 10 - 2], SMALL[n % 10]),
        };
        for n in 1..10_000 {
            let mut said = String::new();
            for (count, unit) in [(n / 1_000, " thousand "), (n / 100 % 10, " hundred ")] {
                if count > 0 {
                    said += &(below_hundred(count) + unit);
                }
            }
            said += &below_hundred(n % 100);
            let words: Vec<&str> = said.split_whitespace().collect();
            assert_eq!(cardinal(&words), Some(n as u64), "{said}");
        }
    }
}
