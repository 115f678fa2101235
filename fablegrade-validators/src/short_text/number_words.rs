//! Replaces number words with digits, anywhere in a text.

use fablegrade_core::number_words::{Cardinal, is_number_word};

/// Returns the text with every number in words written as digits, and single spaces between words. A word with hyphens
/// is split only if all its parts are number words.
pub(super) fn to_digits(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut reading = Cardinal::default();
    let flush = |reading: &mut Cardinal, out: &mut Vec<String>| {
        let done = std::mem::take(reading);
        if let Some(value) = done.value() {
            out.push(value.to_string());
            if done.waits() {
                out.push("and".to_owned());
            }
        }
    };
    for token in text.split_whitespace() {
        if !token.split('-').all(is_number_word) {
            flush(&mut reading, &mut out);
            out.push(token.to_owned());
            continue;
        }
        for word in token.split('-') {
            if let Some(longer) = reading.with(word) {
                reading = longer;
                continue;
            }
            flush(&mut reading, &mut out);
            match reading.with(word) {
                Some(alone) => reading = alone,
                None => out.push(word.to_owned()),
            }
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
            ("nineteen hundred and then", "1900 and then"),
        ] {
            assert_eq!(to_digits(words), digits, "{words}");
        }
    }
}
