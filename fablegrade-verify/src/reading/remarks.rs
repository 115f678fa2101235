//! Words behind a value: harmless remarks, such as `apples`, and words that change the value.

use super::units::is_any_unit;
use super::words::{denominator, is_joining_word, is_number_word};

/// Words that change or deny the value before them, wherever they are.
const TELLING: &[&str] = &[
    "not",
    "but",
    "except",
    "if",
    "never",
    "impossible",
    "instead",
    "wrong",
    "incorrect",
    "isn",
    "wasn",
    "aren",
    "doesn",
    "nope",
    "percent",
    "factorial",
    "squared",
    "cubed",
    "multiplied",
    "tens",
    "dozen",
    "dozens",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "trillion",
    "trillions",
    "lakh",
    "lakhs",
    "crore",
    "crores",
    "hundredth",
    "thousandth",
    "millionth",
    "billionth",
    "unless",
    "doubled",
    "halved",
    "tripled",
    "bps",
    "binary",
    "hex",
    "hexadecimal",
    "octal",
    // magnitudes in other languages
    "hundert",
    "tausend",
    "millionen",
    "milliarde",
    "milliarden",
    "mil",
    "mille",
    "milliard",
    "milliards",
    "millón",
    "millones",
    "milhão",
    "milhões",
    "mila",
    "milione",
    "milioni",
    "тысяча",
    "тысячи",
    "тысяч",
    "миллион",
    "миллиона",
    "миллионов",
    "миллиард",
    "миллиарда",
    "миллиардов",
];

/// Characters that multiply the number before them.
const MAGNITUDES: [char; 11] = ['万', '萬', '亿', '億', '千', '百', '兆', '만', '억', '천', '백'];

/// Nouns that a comparison can describe: `3 integers less than ten`.
const NUMBERS: &[&str] = &[
    "numbers",
    "integers",
    "primes",
    "values",
    "digits",
    "multiples",
    "powers",
    "squares",
    "cubes",
    "factors",
    "divisors",
    "solutions",
    "roots",
    "terms",
    "elements",
];

/// Nouns that a number can follow as a name: `7 marbles in box two`.
const NUMBERED: &[&str] = &[
    "bag", "bin", "box", "case", "chapter", "class", "column", "day", "figure", "floor", "game", "grade",
    "group", "jar", "lane", "level", "line", "page", "part", "phase", "problem", "question", "room", "round",
    "row", "section", "set", "stage", "step", "table", "team", "type", "urn", "week", "year",
];

/// Returns whether the words after a value can change its meaning, so they are not just a remark.
pub(crate) fn are_telling(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    (0..words.len()).any(|at| is_telling(&words[..at], words[at], &words[at + 1..]))
}

fn is_telling(before: &[&str], word: &str, behind: &[&str]) -> bool {
    // degrees are part of the value
    let first = before.is_empty() || matches!(before, ["degree" | "degrees"]);
    let last = before.last().copied().unwrap_or_default();
    let next = behind.first().copied().unwrap_or_default();
    let mut pieces = word.split(|c: char| !c.is_alphanumeric());
    // `y` and `e` can be units or names
    let joins = |piece: &str| piece.len() > 1 && is_joining_word(piece);
    if pieces.any(|piece| TELLING.contains(&piece) || joins(piece) || matches!(piece, "plus" | "minus")) {
        // `4 plus signs` is a count
        return !(matches!(word, "plus" | "minus") && matches!(next, "sign" | "signs"));
    }
    // `42以上` is a bound
    if before.is_empty() && ["以上", "以下", "以内", "多", "余"].iter().any(|bound| word.starts_with(bound))
    {
        return true;
    }
    // `42万元`
    let unit = word
        .chars()
        .nth(1)
        .is_some_and(|c| matches!(c, '克' | '米' | '瓦' | '卡' | '焦' | '帕' | '赫' | '伏'));
    if before.is_empty() && word.starts_with(MAGNITUDES) && !unit {
        return true;
    }
    if is_part(word) {
        let plural = word.ends_with('s') && !word.starts_with("quarter");
        return plural || first && !is_rank(word, behind);
    }
    match word {
        // `3 false statements` is a count
        "false" | "negative" => {
            let described = first || matches!(last, "of" | "the" | "all");
            !(described && (is_plural(next) || next == "statement"))
        }
        "choose" => !matches!(last, "to" | "can" | "could"),
        // `100 watts of power` and `3 power plants`
        "power" => {
            let noun = next.is_empty() && last == "of" || next.len() > 3 && !is_operand(next);
            let raised = before.windows(2).any(|pair| pair == ["to", "the"]);
            raised || !noun
        }
        // `5 less than ten` is another value, but `5 integers less than ten` is 5
        "than" if is_comparative(last) => {
            before.len() == 1
                || matches!(before, ["degree" | "degrees" | "times", _])
                || is_operand(next) && !before.iter().any(|word| NUMBERS.contains(word))
        }
        // a difference without its other value
        "less" | "fewer" | "more" if first && next.is_empty() => true,
        "less" | "times" | "mod" | "modulo" | "sqrt" | "log" | "ln" | "sin" | "cos" | "tan" => {
            is_operand(operand(behind))
        }
        "base" | "root" | "radical" | "remainder" => {
            !matches!(last, "a" | "the") && is_operand(operand(behind))
        }
        "divided" | "raised" => matches!(next, "by" | "to") && is_operand(operand(&behind[1..])),
        "below" | "under" => next == "zero",
        "by" | "point" | "dot" | "through" | "thru" | "until" | "till" => first && is_operand(next),
        "basis" => next == "points" || next == "point",
        // `5 miles over two days` is not a quotient, and `5 to the third` is a power
        "over" | "to" => {
            let operand = operand(behind);
            (first || word == "over")
                && behind.last() == Some(&operand)
                && (is_operand(operand) || is_part(operand))
        }
        // `one` is another value only directly behind the value; other numbers also at the end, as in `5 in nine`
        "one" => first,
        // names and multiples that are not units
        "pi" | "x" | "y" | "z" | "k" | "mn" | "mln" | "mio" | "bn" | "mrd" => first,
        // `5 gross tons` are 5 tons, `5 gross pencils` are 720
        "gross" => first && !is_any_unit(next),
        // `5 square feet`, `5 score points` and `5 grand pianos`
        "square" | "score" | "grand" => first && matches!(next, "" | "of"),
        // a letter that is not a unit, such as `n`
        _ if first
            && next.is_empty()
            && word.len() == 1
            && word.bytes().all(|byte| byte.is_ascii_lowercase()) =>
        {
            word != "a" && !is_any_unit(word)
        }
        _ if is_number_word(word) => first || behind.is_empty() && !is_described(before),
        _ => word.strip_prefix("base-").is_some_and(is_operand),
    }
}

/// Returns whether the number after these words describes what is counted, as in `7 powers of two`, and is not another
/// value.
fn is_described(before: &[&str]) -> bool {
    let numbers = before.iter().any(|word| NUMBERS.contains(word));
    match before {
        [.., "than" | "choose"] | [.., "each", "of", "the"] | [_, .., "for", "the"] => true,
        // `5 square roots of two` is a product
        [.., noun, "of"] => NUMBERS.contains(noun) && !matches!(*noun, "roots" | "squares" | "cubes"),
        [.., "below" | "under" | "above"]
        | [.., "divisible", "by"]
        | [.., "up", "to"]
        | [.., "from", _, "to"] => numbers,
        [.., "in" | "on" | "at" | "from" | "of" | "for" | "during" | "after", noun] => {
            NUMBERED.contains(noun) || noun.strip_suffix('s').is_some_and(|one| NUMBERED.contains(&one))
        }
        _ => false,
    }
}

/// Returns whether a word names a part of a whole: `third`, `tenths`, `sixteenth`.
fn is_part(word: &str) -> bool {
    let ordinal = word.rsplit('-').next().unwrap_or(word);
    let one = ordinal.strip_suffix('s').unwrap_or(ordinal);
    denominator(ordinal).is_some()
        || one.ends_with("teenth")
        || one.ends_with("tieth")
        || matches!(one, "eleventh" | "twelfth" | "hundredth" | "thousandth" | "millionth" | "billionth")
}

/// Returns whether an ordinal behind a number is a rank, as in `12 fifth graders` and `1 third place`: it describes
/// things that are counted. In `1 third cup`, it is a fraction.
fn is_rank(ordinal: &str, behind: &[&str]) -> bool {
    let ends = |word: &&&str| {
        !matches!(**word, "of" | "in" | "on" | "at" | "for" | "from" | "with" | "who" | "that")
    };
    let noun = behind.iter().take_while(ends).last();
    !matches!(ordinal, "half" | "quarter" | "quarters")
        && noun.is_some_and(|noun| {
            is_plural(noun) && !is_any_unit(noun)
                || matches!(*noun, "grader" | "place" | "prize" | "person" | "winner" | "finisher")
        })
}

fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s')
}

fn is_comparative(word: &str) -> bool {
    matches!(
        word,
        "less" | "more" | "fewer" | "greater" | "larger" | "bigger" | "smaller" | "higher" | "lower"
    )
}

/// Returns the word that an operator applies to, without the words between them: `divided by the square root`.
fn operand<'w>(behind: &[&'w str]) -> &'w str {
    behind.iter().find(|word| !matches!(**word, "by" | "the" | "of")).copied().unwrap_or_default()
}

/// Returns whether a word is a number, a variable or the start of a term.
fn is_operand(word: &str) -> bool {
    let variable = word.len() == 1 && word != "a";
    variable
        || word.starts_with(|c: char| c.is_ascii_digit())
        || matches!(word, "pi" | "infinity" | "square" | "root" | "negative")
        || is_number_word(word)
}
