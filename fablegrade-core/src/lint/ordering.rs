//! Rules for `ordering`.

use fablegrade_math::number::Rational;
use fablegrade_public::content::{Content, comparable_text};
use fablegrade_public::identifier::ItemId;
use fablegrade_public::view::ordering::OrderingCredit;
use fablegrade_public::{Finding, Findings, Ratio};

use super::equality::{Quantity, equal_pairs, number, quantity};
use super::{giveaways, key_mutation, matching, number_words, position_words};
use crate::answer::ordering::{OrderingSpec, Ready, chance_level};
use crate::answer::two_places;

/// Applies the rules; compares each pair of the at most twelve items.
pub(super) fn lint(spec: &OrderingSpec, ready: Option<&Ready>, findings: &mut Findings) {
    let n = spec.items.len();
    chance(spec, ready, findings);
    let key = spec.correct_order.expose();
    let ids: Vec<&str> = key.iter().map(ItemId::as_str).collect();
    // Ids that only repeat the text of their items reveal nothing.
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let own =
        spec.items.iter().all(|item| letters(item.id.as_str()) == letters(&item.content.visible_text()));
    if ids.len() == n && !own && giveaways::numbered_along(ids.iter().copied()) {
        findings.push(Finding::warning(
            "telling-id",
            "/items",
            "the ids are numbered along the correct order, and learners can see ids",
            "use ids that do not follow the order",
        ));
    }
    matching::same_items(&spec.items, "/items", "nobody can tell which comes first", findings);
    // The items in the order of the key; incomplete if the key is not a permutation.
    let sorted: Vec<(usize, &Content)> = key
        .iter()
        .filter_map(|id| spec.items.iter().position(|item| item.id == *id))
        .map(|at| (at, &spec.items[at].content))
        .collect();
    if sorted.len() == n {
        numbers(&sorted, findings);
        direction(spec.prompt.as_deref().unwrap_or_default(), &sorted, findings);
        labels(&sorted, findings);
    }
}

fn chance(spec: &OrderingSpec, ready: Option<&Ready>, findings: &mut Findings) {
    let n = spec.items.len();
    let chance = chance_level(spec.partial_credit, n);
    if chance > Ratio::new(1, 4) {
        let other = chance_level(OrderingCredit::AdjacentPairs, n);
        let help = if spec.partial_credit == OrderingCredit::LongestSubsequence {
            format!("prefer `adjacent_pairs` ({})", two_places(&other))
        } else {
            "add items".to_owned()
        };
        findings.push(Finding::info(
            "guessable-order",
            "/partialCredit",
            format!("a random order earns {} on average", two_places(&chance)),
            help,
        ));
    }
    if let Some(earned) =
        ready.map(|ready| key_mutation::reversed_order(spec, ready)).filter(|earned| !earned.is_zero())
    {
        findings.push(Finding::info(
            "reversed-order-pays",
            "/partialCredit",
            format!("the reversed order earns {}", two_places(&earned)),
            "prefer `adjacent_pairs`, under which it earns nothing",
        ));
    }
}

/// Reports equal items, which have no order, and numbers or dates that neither rise nor fall along the key.
fn numbers(sorted: &[(usize, &Content)], findings: &mut Findings) {
    let quantities: Vec<Option<Quantity>> = sorted.iter().map(|(_, content)| quantity(content)).collect();
    let pairs = equal_pairs(&quantities);
    // If all items are equal, they are the steps of a calculation, and the question asks for their order.
    let steps = pairs.len() + 1 == sorted.len();
    for pair in pairs.iter().filter(|_| !steps) {
        if super::content::comparable(sorted[pair.first].1)
            == super::content::comparable(sorted[pair.second].1)
        {
            continue;
        }
        findings.push(Finding::warning(
            "equal-items",
            format!("/items/{}/content", sorted[pair.second].0),
            format!(
                "another item has the same value ({}), so either order is right but one is marked wrong",
                pair.evidence
            ),
            "change one of the two",
        ));
    }
    if sorted.len() < 3 {
        return;
    }
    let texts: Vec<String> = sorted.iter().map(|(_, content)| content.visible_text()).collect();
    let orders = || {
        of_numbers(&quantities)
            .or_else(|| all(&texts, date).map(|dates| is_monotonic(&dates)))
            .or_else(|| all(&texts, clock_time).map(|times| is_monotonic(&times)))
            .or_else(|| all(&texts, year_in_brackets).map(|years| is_monotonic(&years)))
            .or_else(|| of_names(&texts))
            .or_else(|| of_numbers_in_words(&texts))
    };
    if orders() == Some(false) {
        findings.push(Finding::warning(
            "numbers-out-of-order",
            "/correctOrder",
            "in the correct order the numbers or dates neither rise nor fall",
            "check the order",
        ));
    }
}

/// The direction in which a prompt asks for the items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Rising,
    Falling,
}

/// Phrases of prompts about sizes, with the direction that they ask for.
const OF_SIZES: [(&str, Direction); 24] = [
    ("ascending", Direction::Rising),
    ("increasing order", Direction::Rising),
    ("smallest first", Direction::Rising),
    ("smallest to largest", Direction::Rising),
    ("smallest to biggest", Direction::Rising),
    ("smallest to greatest", Direction::Rising),
    ("least to greatest", Direction::Rising),
    ("lowest to highest", Direction::Rising),
    ("lowest first", Direction::Rising),
    ("aufsteigend", Direction::Rising),
    ("kleinste zuerst", Direction::Rising),
    ("ordre croissant", Direction::Rising),
    ("descending", Direction::Falling),
    ("decreasing order", Direction::Falling),
    ("largest first", Direction::Falling),
    ("largest to smallest", Direction::Falling),
    ("biggest first", Direction::Falling),
    ("biggest to smallest", Direction::Falling),
    ("greatest to least", Direction::Falling),
    ("greatest to smallest", Direction::Falling),
    ("highest to lowest", Direction::Falling),
    ("highest first", Direction::Falling),
    ("absteigend", Direction::Falling),
    ("ordre décroissant", Direction::Falling),
];
/// Phrases of prompts about times.
const OF_TIMES: [(&str, Direction); 11] = [
    ("earliest first", Direction::Rising),
    ("earliest to latest", Direction::Rising),
    ("earliest to most recent", Direction::Rising),
    ("oldest first", Direction::Rising),
    ("oldest to newest", Direction::Rising),
    ("chronological order", Direction::Rising),
    ("latest first", Direction::Falling),
    ("latest to earliest", Direction::Falling),
    ("newest first", Direction::Falling),
    ("newest to oldest", Direction::Falling),
    ("most recent first", Direction::Falling),
];

/// Returns the direction that a prompt asks for; `None` if it asks for none, for both, or denies one.
fn asked(prompt: &str, phrases: &[(&str, Direction)]) -> Option<Direction> {
    // `in ascending order of their denominators` is about other numbers than those of the items
    let denied = ["not", "reverse", "opposite", "nicht", "inverse", "order of", "order by", "ordre de"];
    let mut found = phrases.iter().filter(|(phrase, _)| position_words::has_words(prompt, phrase));
    let (_, direction) = found.next()?;
    (found.all(|(_, other)| other == direction)
        && !denied.iter().any(|word| position_words::has_words(prompt, word)))
    .then_some(*direction)
}

/// Returns the direction of values that all rise or all fall.
fn direction_of<T: PartialOrd>(values: &[T]) -> Option<Direction> {
    let all = |test: fn(&T, &T) -> bool| values.windows(2).all(|pair| test(&pair[0], &pair[1]));
    if all(|a, b| a < b) { Some(Direction::Rising) } else { all(|a, b| a > b).then_some(Direction::Falling) }
}

/// Reports numbers or dates that run in exactly the other direction than the prompt asks for.
fn direction(prompt: &str, sorted: &[(usize, &Content)], findings: &mut Findings) {
    if sorted.len() < 2 || prompt.is_empty() {
        return;
    }
    let prompt = comparable_text(prompt).to_lowercase();
    let sizes = || {
        let quantities: Vec<Option<Quantity>> = sorted.iter().map(|(_, content)| quantity(content)).collect();
        direction_of(&sizes(&quantities)?)
    };
    let times = || {
        let texts: Vec<String> = sorted.iter().map(|(_, content)| content.visible_text()).collect();
        direction_of(&all(&texts, date).or_else(|| {
            all(&texts, clock_time).map(|times| times.into_iter().map(|time| [time.into(), 0, 0]).collect())
        })?)
    };
    let against = |wanted: Option<Direction>, found: &dyn Fn() -> Option<Direction>| {
        wanted.is_some_and(|wanted| found().is_some_and(|found| found != wanted))
    };
    // Years are numbers, too; but what is largest is not what is latest.
    if against(asked(&prompt, &OF_SIZES), &sizes) || against(asked(&prompt, &OF_TIMES), &times) {
        findings.push(Finding::warning(
            "numbers-out-of-order",
            "/correctOrder",
            "in the correct order the numbers or dates run against the direction that the prompt asks for",
            "reverse the order, or correct the prompt",
        ));
    }
}

/// Returns the year in brackets after an event, as in `Magna Carta (1215)`.
fn year_in_brackets(text: &str) -> Option<u32> {
    let (_, inner) = text.trim().strip_suffix(')')?.split_once('(')?;
    let year = (3..=4).contains(&inner.len()) && inner.bytes().all(|byte| byte.is_ascii_digit());
    inner.parse().ok().filter(|_| year)
}

fn all<T>(texts: &[String], read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    texts.iter().map(|text| read(text)).collect()
}

/// Returns whether numbers rise or fall, in one unit or in units of the same dimension; `None` for other
/// items.
fn of_numbers(quantities: &[Option<Quantity>]) -> Option<bool> {
    sizes(quantities).map(|sizes| is_monotonic(&sizes))
}

/// Returns the sizes of numbers in one unit, or in units of the same dimension; `None` for other items.
fn sizes(quantities: &[Option<Quantity>]) -> Option<Vec<Rational>> {
    let numbers: Vec<_> = quantities
        .iter()
        .map(|quantity| match quantity {
            Some(Quantity::Number(number)) => Some(number),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let unit = &numbers[0].unit;
    if numbers.iter().all(|number| number.unit == *unit) {
        return Some(numbers.iter().map(|number| number.value.clone()).collect());
    }
    let sizes: Vec<_> = numbers.iter().map(|number| number.in_base_units()).collect::<Option<_>>()?;
    let same_unit = sizes.iter().all(|(_, unit)| *unit == sizes[0].1);
    same_unit.then(|| sizes.into_iter().map(|(value, _)| value).collect())
}

/// Returns whether numbers after the same words rise or fall: `pH 3`, `pH 9`.
fn of_numbers_in_words(texts: &[String]) -> Option<bool> {
    let (words, _) = texts[0].trim().rsplit_once(' ')?;
    let numbers: Vec<_> = texts
        .iter()
        .map(|text| {
            let rest = text.trim().strip_prefix(words)?.trim();
            number(rest).filter(|number| number.unit.is_empty()).map(|number| number.value)
        })
        .collect::<Option<_>>()?;
    let plain = words.chars().all(|c| c.is_alphabetic() || c == ' ');
    plain.then(|| is_monotonic(&numbers))
}

const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "jan", "janvier", "enero"],
    &["february", "februar", "feb", "février", "febrero"],
    &["march", "märz", "mar", "mars", "marzo"],
    &["april", "apr", "avril", "abril"],
    &["may", "mai", "mayo"],
    &["june", "juni", "jun", "juin", "junio"],
    &["july", "juli", "jul", "juillet", "julio"],
    &["august", "aug", "août", "agosto"],
    &["september", "sep", "sept", "septembre", "septiembre"],
    &["october", "oktober", "oct", "okt", "octobre", "octubre"],
    &["november", "nov", "novembre", "noviembre"],
    &["december", "dezember", "dec", "dez", "décembre", "diciembre"],
];
const DAYS: [&[&str]; 7] = [
    &["monday", "montag", "lundi", "lunes"],
    &["tuesday", "dienstag", "mardi", "martes"],
    &["wednesday", "mittwoch", "mercredi", "miércoles"],
    &["thursday", "donnerstag", "jeudi", "jueves"],
    &["friday", "freitag", "vendredi", "viernes"],
    &["saturday", "samstag", "samedi", "sábado"],
    &["sunday", "sonntag", "dimanche", "domingo"],
];

fn place(names: &[&[&str]], text: &str) -> Option<u32> {
    let text = text.trim().to_lowercase();
    names.iter().position(|names| names.contains(&text.as_str())).map(|at| at as u32)
}

/// Returns whether months, days of the week or counting words rise or fall. A week can begin on Sunday, a
/// year in September.
fn of_names(texts: &[String]) -> Option<bool> {
    if let Some(counts) = all(texts, |text| number_words::integer(&text.trim().to_lowercase())) {
        return Some(is_monotonic(&counts));
    }
    for (names, starts) in [(&MONTHS[..], [0u32, 8]), (&DAYS[..], [0, 6])] {
        if let Some(places) = all(texts, |text| place(names, text)) {
            let count = names.len() as u32;
            return Some(starts.iter().any(|start| {
                let turned: Vec<u32> = places.iter().map(|place| (place + count - start) % count).collect();
                is_monotonic(&turned)
            }));
        }
    }
    None
}

fn is_monotonic<T: PartialOrd>(values: &[T]) -> bool {
    values.windows(2).all(|pair| pair[0] <= pair[1]) || values.windows(2).all(|pair| pair[0] >= pair[1])
}

/// Reads hours and minutes: `09:30`.
fn clock_time(text: &str) -> Option<u32> {
    let (hours, minutes) = text.trim().split_once(':')?;
    let hours: u32 = hours.parse().ok().filter(|hours| *hours < 24)?;
    let minutes: u32 = minutes.parse().ok().filter(|_| minutes.len() == 2)?;
    (minutes < 60).then_some(60 * hours + minutes)
}

/// Returns a date (`2020-01-31`, `31.1.2020`, `31 January 2020`) or the only year in a text, as year, month
/// and day (0 if absent). Years BC are negative.
fn date(text: &str) -> Option<[i64; 3]> {
    let text = text.trim();
    let parts: Vec<&str> = text.split(['-', '.']).map(str::trim).collect();
    if let [first, second, third] = parts.as_slice() {
        let number = |part: &str| part.parse::<i64>().ok();
        if let (Some(a), Some(b), Some(c)) = (number(first), number(second), number(third)) {
            return if first.len() == 4 { Some([a, b, c]) } else { (third.len() == 4).then_some([c, b, a]) };
        }
    }
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let numbers: Vec<i64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    if let (&[day, year], 3) = (numbers.as_slice(), words.len())
        && (1..=31).contains(&day)
        && (1_000..3_000).contains(&year)
        && let Some(month) = words.iter().find_map(|word| place(&MONTHS, word))
    {
        return Some([year, i64::from(month) + 1, day]);
    }
    let before = words.iter().any(|word| matches!(*word, "BC" | "BCE"));
    let mut years = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let year = years.next().filter(|digits| {
        (digits.len() == 4 && digits.starts_with(['1', '2'])) || (before && digits.len() <= 4)
    })?;
    let year: i64 = year.parse().ok()?;
    years.next().is_none().then_some([if before { -year } else { year }, 0, 0])
}

/// Reports items with labels that follow the correct order.
fn labels(sorted: &[(usize, &Content)], findings: &mut Findings) {
    let texts: Vec<String> = sorted.iter().map(|(_, content)| content.visible_text()).collect();
    let labels: Option<Vec<u32>> = position_words::labels(&texts).into_iter().collect();
    // Words such as `then` can be the same label.
    if labels
        .is_some_and(|labels| labels.len() > 2 && is_monotonic(&labels) && labels.first() != labels.last())
    {
        findings.push(Finding::warning(
            "numbered-items",
            "/items",
            "the items begin with labels (numbers, letters or words such as `First`) that follow the correct order",
            "remove the labels",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_many_kinds_are_read() {
        let order = |items: &[&str]| {
            let texts: Vec<String> = items.iter().map(|item| (*item).to_owned()).collect();
            let quantities: Vec<_> = items.iter().map(|item| quantity(&Content::text(*item))).collect();
            of_numbers(&quantities)
                .or_else(|| all(&texts, date).map(|dates| is_monotonic(&dates)))
                .or_else(|| all(&texts, clock_time).map(|times| is_monotonic(&times)))
                .or_else(|| of_names(&texts))
                .or_else(|| of_numbers_in_words(&texts))
        };
        for right in [
            ["1 mm", "1 cm", "1 m"],
            ["$\\frac14$", "$\\frac13$", "$\\frac12$"],
            ["Sunday", "Monday", "Tuesday"],
            ["October", "December", "February"],
            ["200 BC", "100 BC", "50 BC"],
            ["08:15", "09:30", "10:00"],
            ["three", "two", "one"],
        ] {
            assert_eq!(order(&right), Some(true), "{right:?}");
        }
        for wrong in [
            ["1 mm", "1 m", "1 cm"],
            ["$\\frac14$", "$\\frac12$", "$\\frac13$"],
            ["Monday", "Wednesday", "Tuesday"],
            ["3 March 1848", "1 May 1789", "2 June 1914"],
            ["100 BC", "50 BC", "200 BC"],
            ["10^2", "10^4", "10^3"],
            ["pH 3", "pH 9", "pH 7"],
        ] {
            assert_eq!(order(&wrong), Some(false), "{wrong:?}");
        }
        for other in [["x = 1", "y = 2", "z = 0"], ["Find 4", "Break 2 of", "Add 3"], ["may", "can", "must"]]
        {
            assert_eq!(order(&other), None, "{other:?}");
        }
    }
}
