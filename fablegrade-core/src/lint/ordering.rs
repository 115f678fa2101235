//! Rules for `ordering`.

use fablegrade_public::content::Content;
use fablegrade_public::identifier::ItemId;
use fablegrade_public::view::ordering::OrderingCredit;
use fablegrade_public::{Finding, Findings, Ratio};

use super::equality::{Quantity, equal_pairs, quantity};
use super::{giveaways, matching, position_words};
use crate::answer::ordering::{OrderingSpec, chance_level};
use crate::answer::two_places;

/// The rules; at most twelve items, each compared with each.
pub(super) fn lint(spec: &OrderingSpec, findings: &mut Findings) {
    let n = spec.items.len();
    chance(spec, findings);
    let key = spec.correct_order.expose();
    let ids: Vec<&str> = key.iter().map(ItemId::as_str).collect();
    if ids.len() == n && giveaways::numbered_along(ids.iter().copied()) {
        findings.push(Finding::warning(
            "telling-id",
            "/items",
            "the ids are numbered along the correct order, and learners can see ids",
            "use ids that do not follow the order",
        ));
    }
    matching::same_items(&spec.items, "/items", "nobody can tell which comes first", findings);
    // The items in the order of the key, where the key is one.
    let sorted: Vec<(usize, &Content)> = key
        .iter()
        .filter_map(|id| spec.items.iter().position(|item| item.id == *id))
        .map(|at| (at, &spec.items[at].content))
        .collect();
    if sorted.len() == n {
        numbers(&sorted, findings);
        labels(&sorted, findings);
    }
}

fn chance(spec: &OrderingSpec, findings: &mut Findings) {
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
    if spec.partial_credit == OrderingCredit::LongestSubsequence {
        findings.push(Finding::info(
            "reversed-order-pays",
            "/partialCredit",
            format!("the reversed order earns {}", two_places(&Ratio::new(1, n as u64))),
            "prefer `adjacent_pairs`, under which it earns nothing",
        ));
    }
}

/// Items that are numbers or dates: equal ones have no order, others must rise or fall along the key.
fn numbers(sorted: &[(usize, &Content)], findings: &mut Findings) {
    let quantities: Vec<Option<Quantity>> = sorted.iter().map(|(_, content)| quantity(content)).collect();
    let pairs = equal_pairs(&quantities);
    for pair in &pairs {
        if super::content::comparable(sorted[pair.first].1)
            == super::content::comparable(sorted[pair.second].1)
        {
            continue;
        }
        findings.push(Finding::warning(
            "equal-items",
            format!("/items/{}/content", sorted[pair.second].0),
            format!(
                "another item has the same value ({}), so either order is right but one is refused",
                pair.evidence
            ),
            "change one of the two",
        ));
    }
    let keys: Option<Vec<_>> = quantities
        .iter()
        .map(|quantity| match quantity {
            Some(Quantity::Number(number)) => Some((number.unit.clone(), number.value.clone())),
            _ => None,
        })
        .collect();
    let out_of_order = match keys {
        Some(keys) => keys.iter().all(|(unit, _)| *unit == keys[0].0) && !is_monotonic(&keys),
        None => {
            let dates: Option<Vec<_>> =
                sorted.iter().map(|(_, content)| date(&content.visible_text())).collect();
            dates.is_some_and(|dates| !is_monotonic(&dates))
        }
    };
    if out_of_order && sorted.len() >= 3 {
        findings.push(Finding::warning(
            "numbers-out-of-order",
            "/correctOrder",
            "in the correct order the numbers or dates neither rise nor fall",
            "check the order",
        ));
    }
}

fn is_monotonic<T: PartialOrd>(values: &[T]) -> bool {
    values.windows(2).all(|pair| pair[0] <= pair[1]) || values.windows(2).all(|pair| pair[0] >= pair[1])
}

/// A date `2020-01-31` or `31.1.2020`, or the only year in a text, as numbers that sort.
fn date(text: &str) -> Option<[u32; 3]> {
    let text = text.trim();
    let parts: Vec<&str> = text.split(['-', '.']).map(str::trim).collect();
    if let [first, second, third] = parts.as_slice() {
        let number = |part: &str| part.parse::<u32>().ok();
        if let (Some(a), Some(b), Some(c)) = (number(first), number(second), number(third)) {
            return if first.len() == 4 { Some([a, b, c]) } else { (third.len() == 4).then_some([c, b, a]) };
        }
    }
    let mut years = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let year = years.next().filter(|digits| digits.len() == 4 && digits.starts_with(['1', '2']))?;
    years.next().is_none().then(|| year.parse().ok().map(|year| [year, 0, 0]))?
}

/// Items that carry the numbers of their places.
fn labels(sorted: &[(usize, &Content)], findings: &mut Findings) {
    let labels: Option<Vec<u32>> =
        sorted.iter().map(|(_, content)| position_words::label(&content.visible_text())).collect();
    if labels.is_some_and(|labels| labels.len() > 2 && is_monotonic(&labels)) {
        findings.push(Finding::warning(
            "numbered-items",
            "/items",
            "the items carry numbers or letters that follow the correct order",
            "remove them",
        ));
    }
}
