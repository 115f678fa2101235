//! Numbers written as words: `three`, `twenty-five`, `zwei Drittel`.

use fablegrade_math::number::Rational;

/// The numbers from zero to twenty in English, German, French and Spanish. Words that are common in another
/// language, such as `once`, are omitted.
const UNITS: [&[&str]; 21] = [
    &["zero", "null", "zéro", "cero"],
    &["one", "eins", "ein", "eine", "un", "une", "uno", "una"],
    &["two", "zwei", "deux", "dos"],
    &["three", "drei", "trois", "tres"],
    &["four", "vier", "quatre", "cuatro"],
    &["five", "fünf", "cinq", "cinco"],
    &["six", "sechs", "seis"],
    &["seven", "sieben", "sept", "siete"],
    &["eight", "acht", "huit", "ocho"],
    &["nine", "neun", "neuf", "nueve"],
    &["ten", "zehn", "dix", "diez"],
    &["eleven", "elf", "onze"],
    &["twelve", "zwölf", "douze", "doce"],
    &["thirteen", "dreizehn", "treize", "trece"],
    &["fourteen", "vierzehn", "quatorze", "catorce"],
    &["fifteen", "fünfzehn", "quinze", "quince"],
    &["sixteen", "sechzehn", "seize", "dieciséis"],
    &["seventeen", "siebzehn", "dix-sept", "diecisiete"],
    &["eighteen", "achtzehn", "dix-huit", "dieciocho"],
    &["nineteen", "neunzehn", "dix-neuf", "diecinueve"],
    &["twenty", "zwanzig", "vingt", "veinte"],
];

const TENS: [&[&str]; 10] = [
    &[],
    &[],
    &["twenty", "zwanzig", "vingt", "veinte"],
    &["thirty", "dreißig", "trente", "treinta"],
    &["forty", "vierzig", "quarante", "cuarenta"],
    &["fifty", "fünfzig", "cinquante", "cincuenta"],
    &["sixty", "sechzig", "soixante", "sesenta"],
    &["seventy", "siebzig", "setenta"],
    &["eighty", "achtzig", "ochenta"],
    &["ninety", "neunzig", "noventa"],
];

const LARGE: [(i64, &[&str]); 3] = [
    (100, &["hundred", "hundert"]),
    (1_000, &["thousand", "tausend"]),
    (1_000_000, &["million", "millions"]),
];

/// Names of fractional parts, each with its denominator.
const PARTS: [(i64, &[&str]); 7] = [
    (2, &["half", "halves", "halb", "halbe", "demi", "demie", "medio"]),
    (3, &["third", "thirds", "drittel", "tiers", "tercio", "tercios"]),
    (4, &["quarter", "quarters", "viertel", "quart", "quarts", "cuarto", "cuartos"]),
    (5, &["fifth", "fifths", "fünftel", "cinquième", "cinquièmes", "quinto", "quintos"]),
    (6, &["sixth", "sixths", "sechstel"]),
    (8, &["eighth", "eighths", "achtel"]),
    (10, &["tenth", "tenths", "zehntel", "dixième", "dixièmes"]),
];

fn place(names: &[&[&str]], word: &str) -> Option<i64> {
    names.iter().position(|names| names.contains(&word)).and_then(|at| i64::try_from(at).ok())
}

/// Returns the integer, up to 99, that a lower-case word means.
pub(super) fn integer(word: &str) -> Option<i64> {
    if let Some(number) = place(&UNITS, word).or_else(|| place(&TENS, word).map(|tens| 10 * tens)) {
        return Some(number);
    }
    let (tens, unit) = word.split_once('-')?;
    let (tens, unit) = (place(&TENS, tens)?, place(&UNITS, unit)?);
    (1..10).contains(&unit).then_some(10 * tens + unit)
}

/// The maximum length of a number in words, in bytes.
const LONGEST: usize = 40;

/// Returns the number that a text spells: an integer, a multiple of a hundred, thousand or million, or a
/// fraction.
pub(super) fn value(text: &str) -> Option<Rational> {
    let text = text.trim();
    if text.len() > LONGEST || !text.contains(char::is_alphabetic) {
        return None;
    }
    let lower = text.to_lowercase();
    let mut words: Vec<&str> = lower.split_whitespace().collect();
    let negative = words.len() > 1 && matches!(words[0], "minus" | "negative" | "moins" | "menos");
    if negative {
        words.remove(0);
    }
    let count = |word: &str| if word == "a" { Some(1) } else { integer(word) };
    let part = |word: &str| PARTS.iter().find(|(_, names)| names.contains(&word)).map(|(below, _)| *below);
    let large = |word: &str| LARGE.iter().find(|(_, names)| names.contains(&word)).map(|(size, _)| *size);
    let number = match words.as_slice() {
        [word] if *word == "half" => Rational::from(1).checked_div(&Rational::from(2))?,
        [word] => Rational::from(integer(word)?),
        [above, below] => match (part(below), large(below)) {
            (Some(below), _) => Rational::from(count(above)?).checked_div(&Rational::from(below))?,
            (_, Some(size)) => Rational::from(count(above)?.checked_mul(size)?),
            _ => {
                let (tens, unit) = (place(&TENS, above)?, place(&UNITS, below)?);
                Rational::from((1..10).contains(&unit).then_some(10 * tens + unit)?)
            }
        },
        _ => return None,
    };
    Some(if negative { number.negated() } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbers() {
        for (text, above, below) in [
            ("three", 3, 1),
            ("Zwölf", 12, 1),
            ("twenty-five", 25, 1),
            ("forty two", 42, 1),
            ("one half", 1, 2),
            ("half", 1, 2),
            ("zwei Drittel", 2, 3),
            ("trois quarts", 3, 4),
            ("two hundred", 200, 1),
            ("a thousand", 1_000, 1),
            ("minus five", -5, 1),
        ] {
            let expected = Rational::from(above).checked_div(&Rational::from(below));
            assert_eq!(value(text), expected, "{text}");
        }
        for text in ["", "a", "third", "once", "two sided", "none", "ten men", "3", "half a", "one two"] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
