//! Recognises words that make a value a bound: `at least 42`, `mindestens 42`, `至少42`.

/// Words before a value that is a bound.
const BOUNDS: &[&str] = &[
    "at least",
    "at most",
    "greater than",
    "larger than",
    "less than",
    "smaller than",
    "more than",
    "fewer than",
    "no more than",
    "no less than",
    "no fewer than",
    "between",
    "up to",
    "above",
    "below",
    "almost",
    "mindestens",
    "höchstens",
    "weniger als",
    "mehr als",
    "größer als",
    "kleiner als",
    "au moins",
    "au plus",
    "plus de",
    "moins de",
    "plus grand que",
    "plus petit que",
    "al menos",
    "como mucho",
    "como máximo",
    "como mínimo",
    "menos de",
    "más de",
    "mayor que",
    "menor que",
    "almeno",
    "al massimo",
    "più di",
    "meno di",
    "maggiore di",
    "minore di",
    "pelo menos",
    "no máximo",
    "mais de",
    "maior que",
    "не менее",
    "не более",
    "не меньше",
    "не больше",
    "больше",
    "меньше",
    "至少",
    "至多",
    "最多",
    "最少",
    "大于",
    "小于",
    "超过",
    "不少于",
    "不超过",
];

/// Returns whether a text starts with a bound, so it gives no value.
pub(super) fn starts(tail: &str) -> bool {
    let lower: String = tail.chars().take(24).collect::<String>().to_ascii_lowercase();
    BOUNDS.iter().any(|words| {
        lower.strip_prefix(words).is_some_and(|rest| rest.starts_with(' ') || words.starts_with(is_ideograph))
    })
}

/// Returns whether a text in small letters ends with words that make the value behind it a bound.
pub(super) fn ends(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '*', '$', '(', '是', '为']);
    BOUNDS.iter().any(|words| {
        before.strip_suffix(words).is_some_and(|front| {
            let last = front.rsplit([' ', '*']).find(|word| !word.is_empty()).unwrap_or_default();
            let is_bound = match *words {
                // `adds up to 42`
                "up to" => {
                    !["add", "sum", "com", "count", "total", "work"].iter().any(|verb| last.starts_with(verb))
                }
                // `as derived above`
                "above" | "below" => matches!(last, "is" | "be" | "are" | "was"),
                _ => true,
            };
            is_bound && (words.starts_with(is_ideograph) || !front.ends_with(char::is_alphanumeric))
        })
    })
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::{ends, starts};

    #[test]
    fn bounds_are_words_before_values() {
        for (text, bound) in [
            ("at least 42", true),
            ("mindestens 42", true),
            ("weniger als 42", true),
            ("al menos 42", true),
            ("至少42", true),
            ("42", false),
            ("between", false),
            ("most of 42", false),
        ] {
            assert_eq!(starts(text), bound, "{text}");
        }
        assert!(!ends("the total adds up to ") && !ends("as derived above ") && ends("the answer is below "));
        assert!(ends("the answer is at least ") && ends("答案至少是") && !ends("the answer is "));
    }
}
