//! Lines through sample points, and the places on them where an argument changes its piece.

use super::Row;
use crate::evaluate::LANES;
use crate::limits::PIECE_CHANGES;
use crate::number::Rational;
use crate::points::{Domain, Variable, admits};
use smallvec::SmallVec;

/// The direction of a line.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// One variable changes; its value is the place.
    Along(usize),
    /// All variables are multiplied by the place. Functions that depend only on quotients keep their values.
    Outwards,
}

/// A line through a row.
#[derive(Clone, Copy)]
pub(super) struct Line<'r> {
    pub(super) start: &'r Row,
    pub(super) way: Way,
}

impl Line<'_> {
    fn coordinate(self, column: usize, place: f64) -> f64 {
        let start = self.start[column];
        match self.way {
            Way::Along(moved) if moved == column => place,
            Way::Along(_) => start,
            Way::Outwards => start * place,
        }
    }

    /// Returns the coordinates at up to eight places, column by column; the last place fills the remaining
    /// lanes.
    pub(super) fn columns(self, places: &[f64]) -> SmallVec<[[f64; LANES]; 8]> {
        let place = |lane: usize| places.get(lane).or(places.last()).copied().unwrap_or(f64::NAN);
        (0..self.start.len())
            .map(|column| core::array::from_fn(|lane| self.coordinate(column, place(lane))))
            .collect()
    }

    /// Returns the row at a place, with integer variables rounded, or `None` outside the domains.
    pub(super) fn row(self, place: f64, variables: &[Variable]) -> Option<Row> {
        let mut row = self.start.clone();
        for (column, variable) in variables.iter().enumerate() {
            let moves = !matches!(self.way, Way::Along(moved) if moved != column);
            if moves {
                let at = self.coordinate(column, place);
                row[column] = if variable.domain.integer { libm::round(at) } else { at };
                if !admits(&variable.domain, row[column]) {
                    return None;
                }
            }
        }
        Some(row)
    }
}

/// Returns places of both signs and all magnitudes, in increasing order.
///
/// The list also has places near the ends of a domain and, in a bounded domain, evenly spaced places.
pub(super) fn scales(domain: &Domain) -> Vec<f64> {
    let far = |from: i32| (0..=56).map(move |step| from + 16 * step);
    let powers = (-20..=40).chain((21..=50).map(|half| 2 * half)).chain(far(110)).chain(far(-30 - 16 * 56));
    let mut line: Vec<f64> = powers.map(|power| libm::scalbn(1.171_875, power)).collect();
    line.extend(line.clone().into_iter().map(|at| -at));
    line.push(0.0);
    let (min, max) = (domain.min.as_ref().map(Rational::to_f64), domain.max.as_ref().map(Rational::to_f64));
    for end in [min, max].into_iter().flatten() {
        line.extend((-20..=20).flat_map(|power| {
            let away = libm::scalbn(1.171_875, power);
            [end - away, end + away]
        }));
    }
    if let (Some(min), Some(max)) = (min, max) {
        line.extend((1..64).map(|part| min + (max - min) * f64::from(part) / 64.0));
    }
    if domain.integer {
        for at in &mut line {
            *at = libm::round(*at);
        }
    }
    line.retain(|&at| admits(domain, at));
    line.sort_by(f64::total_cmp);
    line.dedup();
    line
}

/// Returns up to eight places that divide an interval evenly, or logarithmically if it spans several scales.
pub(super) fn between(low: f64, high: f64) -> SmallVec<[f64; LANES]> {
    let same_sign = low != 0.0 && high != 0.0 && (low < 0.0) == (high < 0.0);
    let ratio = if same_sign { high / low } else { 1.0 };
    let by_scale = same_sign && !(0.25..=4.0).contains(&ratio);
    (1..=LANES)
        .map(|part| {
            let share = part as f64 / (LANES + 1) as f64;
            if by_scale { low * libm::pow(ratio, share) } else { low + (high - low) * share }
        })
        .filter(|at| *at > low && *at < high)
        .collect()
}

/// Returns places around the zero of the secant through two values of different signs, and the midpoint.
///
/// Returns `None` if the interval spans several scales or the values are not finite.
pub(super) fn about_secant(
    (low, high): (f64, f64),
    (below, above): (f64, f64),
) -> Option<SmallVec<[f64; LANES]>> {
    let share = below / (below - above);
    let same_scale =
        low == 0.0 || high == 0.0 || (low < 0.0) != (high < 0.0) || (0.25..=4.0).contains(&(high / low));
    if !share.is_finite() || !same_scale {
        return None;
    }
    let width = high - low;
    let zero = low + width * share;
    let beside = [-8, -20, -40].map(|power| libm::scalbn(width, power));
    let mut places: SmallVec<[f64; LANES]> =
        beside.iter().flat_map(|away| [zero - away, zero + away]).collect();
    places.extend([zero, f64::midpoint(low, high)]);
    places.retain(|at| *at > low && *at < high);
    places.sort_by(f64::total_cmp);
    places.dedup();
    Some(places)
}

/// The result of evaluating both sides in doubles at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// A part has no value.
    NoValue,
    /// Doubles do not decide, for example because the values are out of their range.
    Nothing,
    Values,
}

/// The quantity that has a minimum at a turning point.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Turn {
    Magnitude,
    Value,
    MinusValue,
}

impl Turn {
    pub(super) fn height(self, value: f64) -> f64 {
        let height = match self {
            Self::Magnitude => value.abs(),
            Self::Value => value,
            Self::MinusValue => -value,
        };
        if height.is_nan() { f64::INFINITY } else { height }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Bracket {
    At(f64),
    Crossing {
        low: f64,
        high: f64,
        level: f64,
    },
    Turn {
        low: f64,
        high: f64,
        down: Turn,
    },
    /// The argument has a value at `inside` and none at `outside`.
    Edge {
        inside: f64,
        outside: f64,
    },
}

impl Bracket {
    /// Returns places around the one that was found, in increasing order. The argument may change its piece
    /// between them.
    pub(super) fn around(self, found: f64) -> SmallVec<[f64; LANES]> {
        match self {
            Self::At(_) | Self::Crossing { .. } => SmallVec::new(),
            Self::Turn { low, high, .. } => SmallVec::from_slice(&[low, found, high]),
            Self::Edge { inside, .. } => {
                let (low, high) = (inside.min(found), inside.max(found));
                let mut places = between(low, high);
                places.truncate(LANES - 2);
                places.insert(0, low);
                places.push(high);
                places
            }
        }
    }
}

/// Returns a level that is crossed between two values: an integer for steps, otherwise 0.
pub(super) fn level_between(a: f64, b: f64, step: bool) -> Option<f64> {
    if a.is_nan() || b.is_nan() {
        return None;
    }
    if step {
        let (low, high) = (a.min(b), a.max(b));
        let level = libm::floor(low) + 1.0;
        return (level <= high && level > low).then_some(level);
    }
    ((a < 0.0) != (b < 0.0)).then_some(0.0)
}

/// Returns the intervals of a line in which an argument changes its piece, turns or ceases to have a value.
///
/// The first changes of piece precede all turns and edges. In each group, intervals near magnitude 1 in which
/// the sides have values tend to come first.
pub(super) fn brackets(line: &[f64], (values, known): (&[f64], &[Known]), step: bool) -> Vec<Bracket> {
    let mut found: Vec<(f64, Bracket)> = Vec::new();
    let scale = |at: f64| if at == 0.0 { 20.0 } else { libm::log2(at.abs()).abs() };
    // 2048 is larger than any scale.
    let without_values = |at: usize| {
        if [at, at + 1].iter().all(|at| matches!(known.get(*at), Some(Known::NoValue) | None)) {
            2048.0
        } else {
            0.0
        }
    };
    let far = |at: usize| scale(line[at]) + without_values(at);
    for at in 0..line.len() {
        let value = values[at];
        if value == 0.0 && !step {
            found.push((far(at), Bracket::At(line[at])));
        }
        if let Some(next) = values.get(at + 1)
            && let Some(level) = level_between(value, *next, step)
        {
            found.push((
                far(at) + if step { 4.0 } else { 0.0 },
                Bracket::Crossing { low: line[at], high: line[at + 1], level },
            ));
        }
        if let Some(next) = values.get(at + 1)
            && value.is_nan() != next.is_nan()
        {
            let (inside, outside) =
                if next.is_nan() { (line[at], line[at + 1]) } else { (line[at + 1], line[at]) };
            found.push((far(at) - 4.0, Bracket::Edge { inside, outside }));
        }
        if at > 0 && at + 1 < line.len() {
            let turns: &[Turn] = if step { &[Turn::Value, Turn::MinusValue] } else { &[Turn::Magnitude] };
            for &down in turns {
                let [before, here, after] = [at - 1, at, at + 1].map(|at| down.height(values[at]));
                if here.is_finite() && here <= before && here <= after && (here < before || here < after) {
                    found.push((far(at), Bracket::Turn { low: line[at - 1], high: line[at + 1], down }));
                }
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    // A crossing is a change of piece, and a turn only suggests one, so turns near 0 must not use up the
    // places.
    let is_turn = |bracket: &Bracket| matches!(bracket, Bracket::Turn { .. } | Bracket::Edge { .. });
    let (turns, changes): (Vec<Bracket>, Vec<Bracket>) =
        found.into_iter().map(|(_, bracket)| bracket).partition(is_turn);
    // The first place of each level on each side of 0 precedes further places of the same level.
    let level = |bracket: &Bracket| match bracket {
        Bracket::Crossing { level, low, .. } => (*level, *low < 0.0),
        _ => (0.0, false),
    };
    let is_new = |at: usize| !changes[..at].iter().any(|known| level(known) == level(&changes[at]));
    let (new, again): (Vec<usize>, Vec<usize>) = (0..changes.len()).partition(|&at| is_new(at));
    let changes: Vec<Bracket> = new.into_iter().chain(again).map(|at| changes[at]).collect();
    let first = changes.len().min(PIECE_CHANGES);
    changes[..first].iter().chain(&turns).chain(&changes[first..]).copied().collect()
}
