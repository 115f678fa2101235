//! Subscripts with a bound index that can be read in two ways.
//!
//! `a_{2k}` is the member `2k` of a sequence or the entry `(2, k)` of a matrix, and `V_{in}` below a sum over
//! `i` is an entry or a name with a label. The other names with the same base usually show which is meant.
//! Where they do not, both readings are compared.

use crate::limits::{DOUBTFUL_SUBSCRIPTS, NAMES};
use smallvec::SmallVec;

/// The place of a subscript inside a base. No name from a text contains it.
const PLACE: char = '\u{2022}';

/// Splits a name into its base and subscript. The text after the subscript, such as primes or the variable of
/// `\frac{dx_1}{dt}`, belongs to the base; [`with_subscript`] is the inverse.
pub(crate) fn split(name: &str) -> Option<(String, &str)> {
    split_by(name, |_| true)
}

/// Works like [`split`] with the first subscript that is `chosen`. The same subscript at another place of a name, as in
/// `\frac{dy_k}{dx_k}`, is taken out as well.
pub(crate) fn split_by(name: &str, chosen: impl Fn(&str) -> bool) -> Option<(String, &str)> {
    let mut base = String::new();
    let mut found: Option<&str> = None;
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('_') {
        base.push_str(before);
        let (subscript, after) = match after.strip_prefix('{') {
            Some(inner) => inner.split_once('}')?,
            None => after.split_at(after.chars().next()?.len_utf8()),
        };
        if found.map_or_else(|| chosen(subscript), |found| found == subscript) {
            found = Some(subscript);
            // a subscript at the end needs no place; `\bar{x_k}` counts as `\bar{x}_k`
            let is_last = after.is_empty() || after == "}" && !name.starts_with("\\frac");
            if !is_last || base.contains(PLACE) {
                base.push(PLACE);
            }
        } else {
            crate::symbols::push_subscript(&mut base, subscript);
        }
        rest = after;
    }
    base.push_str(rest);
    Some((base, found?))
}

/// Returns the name with a base and a subscript.
pub(crate) fn with_subscript(base: &str, subscript: &str) -> String {
    let (first, after) = base.split_once(PLACE).unwrap_or((base, ""));
    let mut name = first.to_owned();
    for part in after.split(PLACE) {
        crate::symbols::push_subscript(&mut name, subscript);
        name.push_str(part);
    }
    name
}

/// The kinds of subscripts that can be read in two ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doubt {
    /// A number and a bound letter: their product or, as the second reading, two indices.
    Multiple,
    /// Two letters, one of them bound: two indices or, as the second reading, a label.
    Pair,
}

/// A base whose doubtful subscripts have their second reading.
pub(crate) type Second = (String, Doubt);

/// The subscripts that were found below sums and products, and the readings that were chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subscripts {
    pub(crate) second: Vec<Second>,
    pub(crate) found: Vec<Found>,
    /// The bases of members with several indices whose names have no commas.
    pub(crate) entries: Vec<String>,
}

/// A doubtful subscript, or a subscript of two letters that are both indices.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Found {
    base: String,
    subscript: String,
    doubt: Option<Doubt>,
    /// For a doubtful pair, the position of the letter that is not bound.
    free: usize,
}

impl Subscripts {
    /// Returns whether a base has the second reading of doubtful subscripts.
    pub(crate) fn is_second(&self, base: &str, doubt: Doubt) -> bool {
        self.second.iter().any(|(other, kind)| *kind == doubt && other == base)
    }

    /// Records a subscript if it is doubtful or shows that the base has two indices.
    pub(crate) fn note(
        &mut self,
        base: &str,
        subscript: &str,
        is_bound: impl Fn(char) -> bool,
        doubt: Option<Doubt>,
    ) {
        if doubt.is_some() || letters(subscript).is_some() {
            let free = letters(subscript)
                .map_or(0, |pair| pair.iter().position(|letter| !is_bound(*letter)).unwrap_or(0));
            let found = Found { base: base.to_owned(), subscript: subscript.to_owned(), doubt, free };
            // A union that is written out repeats its names.
            if self.found.last() != Some(&found) {
                self.found.push(found);
            }
        }
    }
}

/// Returns the doubt about a subscript with a bound index, if there is any.
pub(crate) fn doubt(subscript: &str, is_bound: impl Fn(char) -> bool) -> Option<Doubt> {
    if coefficient(subscript).is_some() {
        return Some(Doubt::Multiple);
    }
    let pair = letters(subscript)?;
    let bound = pair.iter().filter(|letter| is_bound(**letter)).count();
    // The letters from i to n are indices by convention, unless they are a usual label.
    let usual = pair.iter().all(|letter| ('i'..='n').contains(letter));
    let is_label = matches!(subscript, "im" | "in" | "km" | "nm");
    (bound == 1 && (!usual || is_label)).then_some(Doubt::Pair)
}

/// Returns the number before the only letter of `2k`. `1k` and `0k` are two indices, not products.
pub(crate) fn coefficient(subscript: &str) -> Option<&str> {
    let number = subscript.strip_suffix(|last: char| last.is_ascii_alphabetic())?;
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    (is_number && !number.starts_with('0') && number != "1").then_some(number)
}

/// Returns the letters of a subscript of two letters.
fn letters(subscript: &str) -> Option<[char; 2]> {
    let mut letters = subscript.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some(a), Some(b), None) if a.is_alphabetic() && b.is_alphabetic() => Some([a, b]),
        _ => None,
    }
}

/// The readings of the doubtful subscripts of a pair of sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Readings {
    /// Bases for which the second reading is meant.
    pub(crate) settled: Vec<Second>,
    /// Bases for which either reading may be meant.
    pub(crate) open: Vec<Second>,
    /// `true` if there are more bases than an expression can have names.
    pub(crate) too_many: bool,
}

impl Readings {
    /// Determines the readings from all names of both sides; `None` if there is no doubt.
    pub(crate) fn of(found: &[Found], names: &[String]) -> Option<Self> {
        let mut groups: SmallVec<[(&str, Doubt); 4]> = SmallVec::new();
        for Found { base, doubt, .. } in found {
            let Some(doubt) = *doubt else { continue };
            if !groups.contains(&(base.as_str(), doubt)) {
                groups.push((base, doubt));
            }
            if groups.len() > NAMES {
                return Some(Self { too_many: true, ..Self::default() });
            }
        }
        if groups.is_empty() {
            return None;
        }
        let mut readings = Self::default();
        for (base, doubt) in groups {
            let (one, two) = evidence(found, names, (base, doubt));
            match doubt {
                Doubt::Multiple if two && !one => readings.settled.push((base.to_owned(), doubt)),
                Doubt::Multiple if one && !two => {}
                Doubt::Pair if two && !one => {}
                _ => readings.open.push((base.to_owned(), doubt)),
            }
        }
        Some(readings)
    }

    /// Returns the choices of second readings to compare, the most likely first.
    ///
    /// All choices are compared for a few bases. For more, those with the same kind of doubt are read the same way.
    pub(crate) fn choices(&self) -> Vec<Vec<Second>> {
        let is_few = self.open.len() <= DOUBTFUL_SUBSCRIPTS;
        let mut choices: Vec<Vec<Second>> = Vec::new();
        for choice in 0..1usize << self.open.len().min(DOUBTFUL_SUBSCRIPTS) {
            let is_second = |at: usize, doubt: Doubt| {
                let bit = match doubt {
                    _ if is_few => at,
                    Doubt::Multiple => 0,
                    Doubt::Pair => 1,
                };
                choice >> bit & 1 == 1
            };
            let chosen = self.open.iter().enumerate().filter(|(at, (_, doubt))| is_second(*at, *doubt));
            let choice = self.settled.iter().chain(chosen.map(|(_, second)| second)).cloned().collect();
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        choices
    }
}

/// Returns whether the names with a base show that it has one index, and whether they show that it has two.
fn evidence(found: &[Found], names: &[String], (base, doubt): (&str, Doubt)) -> (bool, bool) {
    let mut doubtful: SmallVec<[&Found; 8]> = SmallVec::new();
    let (mut one, mut two) = (false, false);
    for other in found.iter().filter(|other| other.base == base) {
        if other.doubt != Some(doubt) {
            two = true;
        } else if !doubtful.iter().any(|known| known.subscript == other.subscript) {
            if doubtful.len() == doubtful.inline_size() {
                return (true, true);
            }
            doubtful.push(other);
        }
    }
    for name in names {
        if !name.split_once('_').is_some_and(|(stem, _)| base.starts_with(stem)) {
            continue;
        }
        let Some((other, subscript)) = split(name) else { continue };
        if other != base {
            continue;
        }
        if subscript.contains(',') {
            two = true;
        } else if subscript.bytes().all(|digit| digit.is_ascii_digit()) {
            let (shows_one, shows_two) = indices_shown_by(subscript, doubt, &doubtful);
            one |= shows_one;
            two |= shows_two;
        } else if !subscript.chars().all(char::is_alphanumeric) {
            one = true;
        } else if subscript.chars().nth(1).is_none() {
            // A capital is a label.
            one |= subscript.chars().all(char::is_lowercase);
        } else if subscript.bytes().any(|byte| byte.is_ascii_digit()) {
            two |= doubt == Doubt::Pair || coefficient(subscript).is_none();
        } else if doubt == Doubt::Pair
            && let Some(pair) = letters(subscript)
        {
            let shares = |known: &&Found| {
                letters(&known.subscript)
                    .is_some_and(|other| other != pair && other[known.free] == pair[known.free])
            };
            two |= doubtful.iter().any(shares);
        }
    }
    (one, two)
}

/// Returns whether a number in a subscript shows that the base has one index, and whether it shows that it
/// has two: beside `a_{2k}`, `a_4` shows one index and `a_{21}` shows two.
fn indices_shown_by(number: &str, doubt: Doubt, doubtful: &[&Found]) -> (bool, bool) {
    if doubt == Doubt::Pair {
        return (number.len() == 1, number.len() == 2);
    }
    let (mut one, mut two) = (false, false);
    for times in doubtful.iter().filter_map(|known| coefficient(&known.subscript)) {
        let divides = match (number.parse::<u64>(), times.parse::<u64>()) {
            (Ok(number), Ok(times)) => times != 0 && number % times == 0,
            _ => false,
        };
        let begins = number.len() > times.len() && number.starts_with(times);
        one |= divides && !begins;
        two |= begins && !divides;
    }
    (one, two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_and_joined() {
        for (name, base, subscript, other) in [
            ("x_1", "x", "1", "x_{12}"),
            ("x_{12}'", "x\u{2022}'", "12", "x_{12}'"),
            ("\\bar{x_k}", "\\bar{x}", "k", "\\bar{x}_{12}"),
            ("\\frac{dx_k}{dt}", "\\frac{dx\u{2022}}{dt}", "k", "\\frac{dx_{12}}{dt}"),
            ("\\frac{df}{dx_k}", "\\frac{df}{dx\u{2022}}", "k", "\\frac{df}{dx_{12}}"),
            ("\\frac{df_k}{dx_k}", "\\frac{df\u{2022}}{dx\u{2022}}", "k", "\\frac{df_{12}}{dx_{12}}"),
            ("\\frac{df_k}{dx_1}", "\\frac{df\u{2022}}{dx_1}", "k", "\\frac{df_{12}}{dx_1}"),
        ] {
            assert_eq!(split(name), Some((base.to_owned(), subscript)), "{name}");
            assert_eq!(with_subscript(base, "12"), other, "{name}");
        }
        assert_eq!(split("x"), None);
    }

    fn readings(names: &[&str], found: &[(&str, &str)], bound: &[&str]) -> Readings {
        let is_bound = |letter: char| bound.iter().any(|name| name.chars().eq([letter]));
        let mut subscripts = Subscripts::default();
        for (base, subscript) in found {
            subscripts.note(base, subscript, is_bound, doubt(subscript, is_bound));
        }
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Readings::of(&subscripts.found, &names).unwrap_or_default()
    }

    #[test]
    fn other_names_show_which_reading_is_meant() {
        let second = |doubt| vec![("a".to_owned(), doubt)];
        for (names, subscript, settled, open) in [
            (&["a_2", "a_{12}"][..], "2k", vec![], vec![]),
            (&["a_{10}", "a_{12}"], "2k", vec![], vec![]),
            (&["a_k"], "2k", vec![], vec![]),
            (&["a_{k+1}"], "2k", vec![], vec![]),
            (&["a_{21}", "a_{22}"], "2k", second(Doubt::Multiple), vec![]),
            (&["a_1", "a_{21}"], "2k", second(Doubt::Multiple), vec![]),
            (&["a_{k1}"], "2k", second(Doubt::Multiple), vec![]),
            (&["a_{1,2}"], "2k", second(Doubt::Multiple), vec![]),
            (&["a_k", "a_{1k}"], "2k", vec![], second(Doubt::Multiple)),
            (&["a_{22}"], "2k", vec![], second(Doubt::Multiple)),
            (&[], "2k", vec![], second(Doubt::Multiple)),
            (&[], "1k", vec![], vec![]),
            (&["a_{kx}"], "kx", vec![], second(Doubt::Pair)),
            (&["a_{kx}", "a_{nx}"], "kx", vec![], vec![]),
            (&["a_{kx}", "a_{11}"], "kx", vec![], vec![]),
            (&["a_{kx}", "a_1"], "kx", vec![], second(Doubt::Pair)),
            (&[], "kn", vec![], vec![]),
            (&[], "km", vec![], second(Doubt::Pair)),
        ] {
            let found = readings(names, &[("a", subscript)], &["k"]);
            assert_eq!((found.settled, found.open), (settled, open), "{names:?} {subscript}");
        }
        let found = readings(&[], &[("a", "2k"), ("a", "kn")], &["k"]);
        assert_eq!((found.settled, found.open), (second(Doubt::Multiple), vec![]));
    }

    #[test]
    fn all_choices_of_readings_are_listed() {
        let found = readings(&[], &[("a", "2k"), ("b", "2k")], &["k"]);
        assert_eq!(found.choices().len(), 4);
        let found = readings(&[], &[("a", "2k"), ("b", "2k"), ("c", "2k")], &["k"]);
        assert_eq!(found.choices().iter().map(Vec::len).collect::<Vec<_>>(), [0, 3]);
        let found = readings(&[], &[("a", "2k"), ("b", "2k"), ("c", "kx"), ("d", "kx")], &["k"]);
        assert_eq!(found.choices().iter().map(Vec::len).collect::<Vec<_>>(), [0, 2, 2, 4]);
    }

    #[test]
    fn settled_readings_do_not_count_as_open() {
        let bases = ["a", "b", "c", "d", "e", "f"];
        let names = bases.map(|base| format!("{base}_{{21}}"));
        let found = readings(&names.each_ref().map(String::as_str), &bases.map(|base| (base, "2k")), &["k"]);
        assert_eq!((found.settled.len(), found.open.len(), found.too_many), (6, 0, false));
    }
}
