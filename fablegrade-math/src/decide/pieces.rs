//! Places where pieces meet: a corner, a step or a branch that the usual points did not meet.
//!
//! `\max(x, 10^9)` is `10^9` at every point that anyone would draw. Before values are called equal, the places are looked
//! for at which the argument of an absolute value, a step or an inverse function changes its piece: by sign changes and by
//! local minima over all scales, sharpened by bisection. Points on both sides of them, from wide to next to, are evidence
//! that random points are not. What is found refutes by evaluation with error bounds, as everywhere.

use super::descent::Descent;
use super::switches::{Switch, branch_arguments, switches};
use super::{Judge, LANES, Look, Row, Undecided, Witness};
use crate::evaluate::{ComplexValue, Value};
use crate::expr::{Arena, Id, Node};
use crate::limits::{
    COMPLEX_PIECE_SEARCH, Fuel, PIECE_CHANGES, PIECE_PLACES, PIECE_POINTS, PIECE_SEARCH, PIECE_STARTS,
    PIECES_BEYOND, RECOMBINED_POINTS,
};
use crate::number::Rational;
use crate::points::{Points, SamplingHints, admits};
use crate::precise::Field;
use crate::random::split_mix;
use smallvec::SmallVec;

/// Magnitudes of rows far out, as powers of 2 of the usual ones.
const FAR: [i32; 2] = [10, 19];
/// Distances from a place, as powers of 2, relative to its size.
const DISTANCES: [i32; 11] = [0, 1, 3, 6, 10, 15, 20, 26, 33, 40, 47];

/// The result of the points beside the places.
pub(super) enum PieceSearch {
    /// There is nothing to look for.
    NoPieces,
    /// Nothing differs there.
    NoDifference,
    /// The budget ended before all places were looked for, or there may be places that were not found.
    Incomplete(Undecided),
    /// A point at which the sides differ.
    Refuted(Box<Witness>),
}

impl Judge {
    /// Compares the sides, which `self.program` evaluates, beside the places where their pieces meet.
    ///
    /// Complex values are followed by the imaginary parts of what logarithms, roots and arguments are taken of: branches meet
    /// where these vanish. The points drawn before are lost.
    pub(super) fn search_pieces(
        &mut self,
        arena: &mut Arena,
        sides: [Id; 2],
        field: Field,
        fuel: &mut Fuel,
    ) -> PieceSearch {
        if self.variables.is_empty() {
            return PieceSearch::NoPieces;
        }
        let (switches, all) = match field {
            Field::Real => switches(arena, sides),
            Field::Complex => branch_arguments(arena, sides),
        };
        if switches.is_empty() || arena.overflowed() {
            return PieceSearch::NoPieces;
        }
        let arguments: Vec<Id> = switches.iter().map(|switch| switch.argument).collect();
        self.side.compile(arena, &arguments, &self.symbols);
        self.levels.clear();
        self.levels.resize(arguments.len(), [f64::NAN; LANES]);
        // Sums ask for whole limits: other points would have no value.
        let given = self.variables.clone();
        let whole = SamplingHints::new(arena, &sides).integers_only;
        for variable in &mut self.variables {
            variable.domain.integer |= whole.contains(variable.symbol);
        }
        let mut beyond: Vec<Row> = Vec::new();
        let (mut rows, complete) = self.points_beside(arena, &switches, (field, &mut beyond), fuel);
        self.variables = given;
        recombine(&mut rows);
        if !rows.is_empty() {
            self.points = Points::from_rows(self.symbols.len(), rows.iter().map(SmallVec::as_slice));
            if let Some(witness) = self.refute(arena, field, &mut Look::default(), fuel) {
                return PieceSearch::Refuted(witness);
            }
        }
        let mut all_met = true;
        if field == Field::Real {
            let met = self.met_pieces(arena, &switches, fuel);
            let mut open: Vec<Row> = met.open.iter().map(|&point| self.points.row(point).collect()).collect();
            if saturates(arena, sides) {
                open.append(&mut beyond);
            }
            let beside = core::mem::take(&mut self.points);
            match self.agree_at(arena, (&open, field), fuel) {
                Err(witness) => return PieceSearch::Refuted(witness),
                Ok(agreed) => all_met = met.all && agreed,
            }
            self.points = beside;
        }
        if !rows.is_empty()
            && let Some(witness) = self.refute_open(arena, field, fuel)
        {
            return PieceSearch::Refuted(witness);
        }
        if !all || !complete || fuel.left() == 0 {
            PieceSearch::Incomplete(Undecided::OutOfFuel)
        } else if !all_met {
            PieceSearch::Incomplete(Undecided::UnmetPiece)
        } else {
            PieceSearch::NoDifference
        }
    }

    /// Points beside the places where the arguments change their pieces, and whether the budget was enough to look for all.
    fn points_beside(
        &mut self,
        arena: &Arena,
        switches: &[Switch],
        (field, beyond): (Field, &mut Vec<Row>),
        fuel: &mut Fuel,
    ) -> (Vec<Row>, bool) {
        // With one variable all lines are the same.
        let starts = match (self.symbols.len(), field) {
            (1, _) => 1,
            (_, Field::Real) => PIECE_STARTS,
            (_, Field::Complex) => 2,
        };
        let mut starts: Vec<Row> =
            (0..self.points.len().min(starts)).map(|point| self.points.row(point).collect()).collect();
        if self.symbols.len() > 1 && field == Field::Real {
            self.add_far_starts(&mut starts);
        }
        let search = if field == Field::Real { PIECE_SEARCH } else { COMPLEX_PIECE_SEARCH };
        let mut budget = Fuel::new(search.min(fuel.left()));
        let before = budget.left();
        let mut rows: Vec<Row> = Vec::new();
        let lines = starts.len() * self.symbols.len();
        for (nth, start) in starts.iter().enumerate() {
            for column in 0..self.symbols.len() {
                let room = (PIECE_POINTS / (lines * switches.len()).max(1)).max(2 * DISTANCES.len() + 1);
                let mut elsewhere = Vec::new();
                let beyond = if nth == 0 { &mut *beyond } else { &mut elsewhere };
                let mut found = Found { rows: &mut rows, room, beyond };
                self.follow(switches, (start, column), field, &mut found, &mut budget);
            }
        }
        let mut complete = budget.left() > 0;
        fuel.spend(before - budget.left());
        let mut distinct: Vec<Row> = Vec::new();
        for row in beyond.drain(..) {
            if !distinct.contains(&row) {
                distinct.push(row);
            }
        }
        let step = distinct.len().div_ceil(PIECES_BEYOND).max(1);
        *beyond = distinct.into_iter().step_by(step).collect();
        if self.symbols.len() > 1 && field == Field::Real && complete {
            let mut budget = Fuel::new(search.min(fuel.left()));
            let before = budget.left();
            let most = rows.len() + PIECE_POINTS / 2;
            for start in &*beyond {
                for column in 0..self.symbols.len() {
                    let room = most.saturating_sub(rows.len()) / switches.len();
                    let room = room.min(2 * DISTANCES.len() + 1);
                    let mut found = Found { rows: &mut rows, room, beyond: &mut Vec::new() };
                    self.follow(switches, (start, column), field, &mut found, &mut budget);
                }
            }
            complete &= budget.left() > 0;
            fuel.spend(before - budget.left());
        }
        if self.symbols.len() > 1 {
            let mut budget = Fuel::new(search.min(fuel.left()));
            let before = budget.left();
            for (output, switch) in switches.iter().enumerate() {
                let free = arena.free(switch.argument);
                if free.len() > 1 {
                    let columns = (0..self.symbols.len()).filter(|&at| free.contains(self.symbols[at]));
                    let columns: SmallVec<[usize; 8]> = columns.collect();
                    let descent = Descent { output, step: switch.step, field, columns };
                    complete &= self.descend(&descent, &mut rows, &mut budget);
                }
            }
            fuel.spend(before - budget.left());
        }
        (rows, complete)
    }

    /// Adds rows far out in all variables together: a piece may lie along a curve that no line near 0 crosses.
    fn add_far_starts(&self, starts: &mut Vec<Row>) {
        let near = starts.len();
        for (at, power) in FAR.into_iter().enumerate() {
            let Some(start) = starts.get(at % near.max(1)) else { return };
            let far: Row = start.iter().map(|&value| libm::scalbn(value, power)).collect();
            if far.iter().zip(&self.variables).all(|(&at, variable)| admits(&variable.domain, at)) {
                starts.push(far);
            }
        }
    }

    /// Adds points beside the places on the line through `start` along one variable.
    ///
    /// Long: one walk along a line, outwards from its start.
    fn follow(
        &mut self,
        switches: &[Switch],
        (start, column): (&Row, usize),
        field: Field,
        Found { rows, room, beyond }: &mut Found<'_>,
        budget: &mut Fuel,
    ) {
        let domain = self.variables[column].domain.clone();
        let line = scales(&domain);
        let mut scanned: Vec<Vec<f64>> = vec![Vec::with_capacity(line.len()); switches.len()];
        for chunk in line.chunks(LANES) {
            if !self.along((start, column), field, chunk, budget) {
                return;
            }
            for (output, values) in scanned.iter_mut().enumerate() {
                for lane in 0..chunk.len() {
                    values.push(self.argument_at(output, lane));
                }
            }
        }
        for (output, switch) in switches.iter().enumerate() {
            let values = &scanned[output];
            // each argument has its share of the points
            let room = rows.len() + *room;
            let mut places: SmallVec<[f64; 8]> = SmallVec::new();
            for bracket in brackets(&line, values, switch.step) {
                if places.len() >= PIECE_PLACES || rows.len() >= room {
                    break;
                }
                let found = match bracket {
                    Bracket::At(place) => Some(place),
                    Bracket::Crossing { low, high, level } => {
                        self.cross((start, column), field, output, (low, high), level, budget)
                    }
                    Bracket::Turn { low, high, down } => {
                        self.turn((start, column), field, output, (low, high), down, budget)
                    }
                };
                let Some(found) = found else { break };
                places.push(found);
                // A turn may hide two crossings beside it.
                if let (Bracket::Turn { low, high, .. }, true) = (bracket, places.len() < PIECE_PLACES) {
                    let ends = [low, found, high];
                    if !self.along((start, column), field, &ends, budget) {
                        break;
                    }
                    let at: [f64; 3] = [0, 1, 2].map(|lane| self.argument_at(output, lane));
                    for (from, to) in [(0, 1), (1, 2)] {
                        if let Some(level) = level_between(at[from], at[to], switch.step)
                            && let Some(place) = self.cross(
                                (start, column),
                                field,
                                output,
                                (ends[from], ends[to]),
                                level,
                                budget,
                            )
                        {
                            places.push(place);
                        }
                    }
                }
            }
            for (nth, place) in places.into_iter().enumerate() {
                for at in [2.0 * place, 0.5 * place] {
                    if nth == 0 && !domain.integer && admits(&domain, at) {
                        let mut row = start.clone();
                        row[column] = at;
                        beyond.push(row);
                    }
                }
                let unit = if place == 0.0 { 1.0 } else { place.abs() };
                let beside = DISTANCES
                    .iter()
                    .flat_map(|&power| [-1.0, 1.0].map(|side| place + side * libm::scalbn(unit, -power)));
                for at in core::iter::once(place).chain(beside) {
                    let at = if domain.integer { libm::round(at) } else { at };
                    if rows.len() < room && admits(&domain, at) {
                        let mut row = start.clone();
                        row[column] = at;
                        rows.push(row);
                    }
                }
            }
        }
    }

    /// Evaluates the arguments at up to eight places of a line.
    fn along(
        &mut self,
        (start, column): (&Row, usize),
        field: Field,
        places: &[f64],
        budget: &mut Fuel,
    ) -> bool {
        let columns: SmallVec<[[f64; LANES]; 8]> = start
            .iter()
            .enumerate()
            .map(|(at, &value)| {
                let mut lanes = [value; LANES];
                if at == column {
                    for (lane, slot) in lanes.iter_mut().enumerate() {
                        *slot = places.get(lane).or(places.last()).copied().unwrap_or(value);
                    }
                }
                lanes
            })
            .collect();
        self.evaluate_levels(&columns, places.len(), field, budget)
    }

    /// Evaluates the arguments at the first points of a block.
    pub(super) fn evaluate_levels(
        &mut self,
        columns: &[[f64; LANES]],
        lanes: usize,
        field: Field,
        budget: &mut Fuel,
    ) -> bool {
        let each = if field == Field::Real { 1 } else { 8 * lanes as u64 };
        let cost = 20 + self.side.len() as u64 * each;
        if !budget.spend(cost) {
            return false;
        }
        if field == Field::Real {
            self.evaluator.run(&self.side, columns);
        }
        for lane in 0..lanes.min(LANES) {
            if field == Field::Complex {
                let row: Row = columns.iter().map(|lanes| lanes[lane]).collect();
                self.complex.run(&self.side, &row);
            }
            for (output, levels) in self.levels.iter_mut().enumerate() {
                levels[lane] = match field {
                    Field::Real => match self.evaluator.value(&self.side, output, lane) {
                        Value::Real { value, .. } => value,
                        _ => f64::NAN,
                    },
                    Field::Complex => match self.complex.value(&self.side, output) {
                        ComplexValue::Number { im, .. } => im,
                        _ => f64::NAN,
                    },
                };
            }
        }
        true
    }

    pub(super) fn argument_at(&self, output: usize, lane: usize) -> f64 {
        self.levels.get(output).map_or(f64::NAN, |levels| levels[lane])
    }

    /// The place where an argument passes a level, to the last digit.
    ///
    /// Rounds of eight places divide the interval evenly, or crowd about the zero of the secant, as long as that is the faster.
    fn cross(
        &mut self,
        (start, column): (&Row, usize),
        field: Field,
        output: usize,
        (mut low, mut high): (f64, f64),
        level: f64,
        budget: &mut Fuel,
    ) -> Option<f64> {
        let ends = [low, high];
        if !self.along((start, column), field, &ends, budget) {
            return None;
        }
        let [mut below, mut above] = [0, 1].map(|lane| self.argument_at(output, lane) - level);
        let at_low = below >= 0.0;
        // Nearer to 0 than this the values themselves may vanish.
        let least = libm::scalbn(high - low, -70);
        let mut evenly = false;
        for _ in 0..22 {
            if high - low <= least {
                break;
            }
            let crowded = if evenly { None } else { about_secant((low, high), (below, above)) };
            let was_crowded = crowded.is_some();
            let inner = crowded.unwrap_or_else(|| between(low, high));
            if inner.is_empty() {
                break;
            }
            if !self.along((start, column), field, &inner, budget) {
                return None;
            }
            let width = high - low;
            for (lane, &place) in inner.iter().enumerate() {
                let value = self.argument_at(output, lane) - level;
                if (value >= 0.0) == at_low {
                    (low, below) = (place, value);
                } else {
                    (high, above) = (place, value);
                    break;
                }
            }
            evenly = was_crowded && high - low > 0.01 * width;
        }
        Some(high)
    }

    /// The place where the magnitude of an argument is least, or the argument itself is greatest or least.
    fn turn(
        &mut self,
        (start, column): (&Row, usize),
        field: Field,
        output: usize,
        (mut low, mut high): (f64, f64),
        down: Turn,
        budget: &mut Fuel,
    ) -> Option<f64> {
        let mut best = f64::midpoint(low, high);
        for _ in 0..24 {
            let inner = between(low, high);
            if inner.len() < LANES || !(low < inner[0] && inner[LANES - 1] < high) {
                break;
            }
            if !self.along((start, column), field, &inner, budget) {
                return None;
            }
            let height = |lane: usize| down.height(self.argument_at(output, lane));
            let least = (0..LANES).min_by(|&a, &b| height(a).total_cmp(&height(b)))?;
            best = inner[least];
            low = if least == 0 { low } else { inner[least - 1] };
            high = if least == LANES - 1 { high } else { inner[least + 1] };
        }
        Some(best)
    }
}

/// Collected points of a walk along a line.
struct Found<'r> {
    /// Points beside places.
    rows: &'r mut Vec<Row>,
    /// Most points that one argument may add.
    room: usize,
    /// Points beyond places, as far away as these are from 0.
    beyond: &'r mut Vec<Row>,
}

/// Returns whether a function occurs that is nearly constant far out, so that doubles do not tell what is inside it.
fn saturates(arena: &Arena, sides: [Id; 2]) -> bool {
    sides
        .iter()
        .any(|side| arena.any(*side, |node| matches!(node, Node::Apply(function, _) if function.saturates())))
}

/// Adds rows that have some coordinates from one row and some from another: pieces of two arguments may have to meet.
fn recombine(rows: &mut Vec<Row>) {
    let Some(columns) = rows.first().map(SmallVec::len).filter(|&columns| columns > 1) else { return };
    let (count, mut state) = (rows.len() as u64, columns as u64);
    for _ in 0..RECOMBINED_POINTS.min(rows.len()) {
        let word = split_mix(&mut state);
        let [one, other] = [word >> 32, word >> 8 & 0xFF_FFFF].map(|part| (part % count) as usize);
        // neither none nor all
        let from_other = 1 + word % 0xFF % ((1 << columns.min(8)) - 2);
        let row =
            (0..columns).map(|at| rows[if from_other >> at.min(63) & 1 == 1 { other } else { one }][at]);
        let row = row.collect();
        rows.push(row);
    }
}

/// Both signs, all magnitudes, in increasing order; inside a bounded domain also evenly.
fn scales(domain: &crate::points::Domain) -> Vec<f64> {
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

/// Eight places that divide an interval evenly, or evenly in scale where it spans several.
fn between(low: f64, high: f64) -> SmallVec<[f64; LANES]> {
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

/// Places about the zero of the line through two values of different signs, and one in the middle.
fn about_secant((low, high): (f64, f64), (below, above): (f64, f64)) -> Option<SmallVec<[f64; LANES]>> {
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

/// The quantity that is least at a turn.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Magnitude,
    Value,
    MinusValue,
}

impl Turn {
    fn height(self, value: f64) -> f64 {
        let height = match self {
            Self::Magnitude => value.abs(),
            Self::Value => value,
            Self::MinusValue => -value,
        };
        if height.is_nan() { f64::INFINITY } else { height }
    }
}

#[derive(Clone, Copy)]
enum Bracket {
    At(f64),
    Crossing { low: f64, high: f64, level: f64 },
    Turn { low: f64, high: f64, down: Turn },
}

/// A level that is passed between two values: 0, or a whole number.
fn level_between(a: f64, b: f64, step: bool) -> Option<f64> {
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

/// Neighbours on a line between which an argument changes its piece or turns, changes before turns, and those of a moderate size first.
fn brackets(line: &[f64], values: &[f64], step: bool) -> Vec<Bracket> {
    let mut found: Vec<(f64, Bracket)> = Vec::new();
    let far = |at: f64| if at == 0.0 { 20.0 } else { libm::log2(at.abs()).abs() };
    for at in 0..line.len() {
        let value = values[at];
        if value == 0.0 && !step {
            found.push((far(line[at]), Bracket::At(line[at])));
        }
        if let Some(next) = values.get(at + 1)
            && let Some(level) = level_between(value, *next, step)
        {
            found.push((
                far(line[at]) + if step { 4.0 } else { 0.0 },
                Bracket::Crossing { low: line[at], high: line[at + 1], level },
            ));
        }
        if at > 0 && at + 1 < line.len() {
            let turns: &[Turn] = if step { &[Turn::Value, Turn::MinusValue] } else { &[Turn::Magnitude] };
            for &down in turns {
                let [before, here, after] = [at - 1, at, at + 1].map(|at| down.height(values[at]));
                if here.is_finite() && here <= before && here <= after && (here < before || here < after) {
                    found
                        .push((far(line[at]), Bracket::Turn { low: line[at - 1], high: line[at + 1], down }));
                }
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    // a turn may hide a change, a crossing is one: those near 0 must not use up the places
    let is_turn = |bracket: &Bracket| matches!(bracket, Bracket::Turn { .. });
    let (turns, changes): (Vec<Bracket>, Vec<Bracket>) =
        found.into_iter().map(|(_, bracket)| bracket).partition(is_turn);
    // other levels first, then other places of one level
    let level = |bracket: &Bracket| match bracket {
        Bracket::Crossing { level, .. } => *level,
        _ => 0.0,
    };
    let is_new = |at: usize| !changes[..at].iter().any(|known| level(known) == level(&changes[at]));
    let (new, again): (Vec<usize>, Vec<usize>) = (0..changes.len()).partition(|&at| is_new(at));
    let changes: Vec<Bracket> = new.into_iter().chain(again).map(|at| changes[at]).collect();
    let first = changes.len().min(PIECE_CHANGES);
    changes[..first].iter().chain(&turns).chain(&changes[first..]).copied().collect()
}
