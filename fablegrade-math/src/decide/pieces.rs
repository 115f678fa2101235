//! Search near the places where pieces meet: corners, steps and branches that the sample points may have
//! missed.
//!
//! A *piece* is a region on which one branch of a function applies: `|x|` has the pieces `x < 0` and `x ≥ 0`.
//!
//! `\max(x, 10^9)` is `10^9` at every point of a typical sample. Before values are called equal, a search
//! finds the places at which the argument of an absolute value, a step or an inverse function changes its
//! piece. It looks for sign changes and local minima over all scales and narrows them down. Points on both
//! sides of these places, at distances from large to tiny, provide evidence that random points do not. As in
//! all searches, only an evaluation with error bounds refutes.

use super::descent::Descent;
use super::inside::{Beyond, nearest_open};
use super::lines::{Bracket, Known, Line, Turn, Way, about_secant, between, brackets, level_between, scales};
use super::switches::{Switch, Switches, branch_arguments, switches};
use super::{Counts, Judge, LANES, Row, Undecided, Witness};
use crate::evaluate::{ComplexValue, Value};
use crate::expr::{Arena, Id, Symbols};
use crate::limits::{
    COMPLEX_PIECE_SEARCH, Fuel, PIECE_PLACES, PIECE_POINTS, PIECE_SEARCH, PIECE_STARTS, RECOMBINED_POINTS,
};
use crate::points::{Domain, Points, SamplingHints, admits};
use crate::precise::Field;
use crate::random::split_mix;
use smallvec::SmallVec;

/// Exponents of the powers of 2 that turn a typical row into one with large coordinates.
const FAR: [i32; 2] = [10, 19];
/// Distances from a place relative to its size, as negated exponents of 2.
const DISTANCES: [i32; 11] = [0, 1, 3, 6, 10, 15, 20, 26, 33, 40, 47];

/// The result of the search near the places where pieces meet.
pub(super) enum PieceSearch {
    /// No variable or no function with pieces occurs.
    NoPieces,
    /// The sides do not differ at the points that were found.
    NoDifference,
    /// The budget ran out before the search was complete, or the search may have missed places.
    Incomplete(Undecided),
    /// A point at which the sides differ.
    Refuted(Box<Witness>),
}

impl Judge {
    /// Compares the sides, which `self.program` evaluates, near the places where their pieces meet.
    ///
    /// For complex values the search follows the imaginary parts of the arguments of functions with branch
    /// cuts, because branches meet where these parts vanish. The previous sample points are lost.
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
        let Switches { arguments: switches, variables, complete: all } = match field {
            Field::Real => switches(arena, sides),
            Field::Complex => branch_arguments(arena, sides),
        };
        if arena.overflowed() {
            // Arguments that the arena could not hold are missing.
            return PieceSearch::Incomplete(Undecided::OutOfFuel);
        }
        if switches.is_empty() && variables == Symbols::NONE {
            return PieceSearch::NoPieces;
        }
        let arguments: Vec<Id> = switches.iter().map(|switch| switch.argument).collect();
        self.side.compile(arena, &arguments, &self.symbols);
        self.levels.clear();
        self.levels.resize(arguments.len(), [f64::NAN; LANES]);
        // Some variables, such as those in the limits of sums, must be integers for the sides to have values.
        let given = self.variables.clone();
        let whole = SamplingHints::new(arena, &sides).integers_only;
        for variable in &mut self.variables {
            variable.domain.integer |= whole.contains(variable.symbol);
        }
        let mut inside = Beyond::default();
        let (mut rows, complete) = self.points_beside(arena, &switches, (field, &mut inside), fuel);
        self.push_signs(variables, &mut rows, fuel);
        self.variables = given;
        recombine(&mut rows);
        if !rows.is_empty() {
            self.points = Points::from_rows(self.symbols.len(), rows.iter().map(SmallVec::as_slice));
            if let Some(witness) = self.refute(arena, field, &mut Counts::default(), fuel) {
                return PieceSearch::Refuted(witness);
            }
        }
        let (mut all_met, mut unvalued) = (true, Vec::new());
        if field == Field::Real {
            let met = self.met_pieces(arena, (&switches, variables), fuel);
            let rows = |points: &Points, chosen: &[usize]| -> Vec<Row> {
                chosen.iter().map(|&point| points.row(point).collect()).collect()
            };
            unvalued = rows(&self.points, &met.unvalued);
            let open = rows(&self.points, &met.open);
            match self.agree_inside(arena, sides, (inside, open), fuel) {
                Err(witness) => return PieceSearch::Refuted(witness),
                Ok(agreed) => all_met = met.all && agreed,
            }
        }
        if !rows.is_empty()
            && let Some(witness) = self.refute_open(arena, field, fuel)
        {
            return PieceSearch::Refuted(witness);
        }
        let rows = self.rows_with_values(&unvalued, fuel);
        if !rows.is_empty() {
            self.points = Points::from_rows(self.symbols.len(), rows.iter().map(SmallVec::as_slice));
            if let Some(witness) = self
                .refute(arena, field, &mut Counts::default(), fuel)
                .or_else(|| self.refute_open(arena, field, fuel))
            {
                return PieceSearch::Refuted(witness);
            }
        }
        if !all || !complete || fuel.left() == 0 {
            PieceSearch::Incomplete(Undecided::OutOfFuel)
        } else if !all_met {
            PieceSearch::Incomplete(Undecided::UnmetPiece)
        } else {
            PieceSearch::NoDifference
        }
    }

    /// Returns points near the places where the arguments change their pieces, and whether the search was
    /// complete within the budget.
    fn points_beside(
        &mut self,
        arena: &Arena,
        switches: &[Switch],
        (field, inside): (Field, &mut Beyond),
        fuel: &mut Fuel,
    ) -> (Vec<Row>, bool) {
        // With one variable, all starts lie on the same line.
        let starts = match (self.symbols.len(), field) {
            (1, _) => 1,
            (_, Field::Real) => PIECE_STARTS,
            (_, Field::Complex) => 2,
        };
        let mut starts = self.starts(starts, field, fuel);
        if self.symbols.len() > 1 && field == Field::Real {
            self.add_far_starts(&mut starts);
        }
        let search = if field == Field::Real { PIECE_SEARCH } else { COMPLEX_PIECE_SEARCH };
        let mut budget = Fuel::new(search.min(fuel.left()));
        let before = budget.left();
        let mut rows: Vec<Row> = Vec::new();
        let rays = field == Field::Real
            && self.symbols.len() > 1
            && self.variables.iter().all(|variable| !variable.domain.integer);
        let ways: Vec<Way> =
            (0..self.symbols.len()).map(Way::Along).chain(rays.then_some(Way::Outwards)).collect();
        let lines = starts.len() * ways.len();
        for (nth, start) in starts.iter().enumerate() {
            for &way in &ways {
                let line = Line { start, way };
                let room = (PIECE_POINTS / (lines * switches.len()).max(1)).max(2 * DISTANCES.len() + 1);
                let mut elsewhere = Beyond::default();
                let beyond = if nth == 0 { &mut *inside } else { &mut elsewhere };
                let mut found = Found { rows: &mut rows, room, beyond };
                self.follow(switches, line, field, &mut found, &mut budget);
            }
        }
        let mut complete = budget.left() > 0;
        fuel.spend(before - budget.left());
        if let (Some(start), Field::Real) = (starts.first(), field) {
            self.push_scales(start, &ways, &mut rows);
        }
        inside.keep_some();
        if field == Field::Real {
            self.push_near_axes(&inside.first, &mut rows);
            complete = complete && self.follow_beyond(switches, (&inside.first, &ways), &mut rows, fuel);
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

    /// Searches along lines through rows inside pieces; returns whether the budget was enough.
    fn follow_beyond(
        &mut self,
        switches: &[Switch],
        (beyond, ways): (&[Row], &[Way]),
        rows: &mut Vec<Row>,
        fuel: &mut Fuel,
    ) -> bool {
        if self.symbols.len() < 2 {
            return true;
        }
        let mut budget = Fuel::new(PIECE_SEARCH.min(fuel.left()));
        let before = budget.left();
        let most = rows.len() + PIECE_POINTS / 2;
        for start in beyond {
            for &way in ways {
                let room = most.saturating_sub(rows.len()) / switches.len().max(1);
                let room = room.min(2 * DISTANCES.len() + 1);
                let mut found = Found { rows, room, beyond: &mut Beyond::default() };
                self.follow(switches, Line { start, way }, Field::Real, &mut found, &mut budget);
            }
        }
        fuel.spend(before - budget.left());
        budget.left() > 0
    }

    /// Returns up to `most` sample points, first those at which the sides have values.
    fn starts(&mut self, most: usize, field: Field, fuel: &mut Fuel) -> Vec<Row> {
        let valued = if field == Field::Real { self.valued(most, fuel) } else { Vec::new() };
        let others = (0..self.points.len().min(most)).filter(|point| !valued.contains(point));
        let chosen: Vec<usize> = valued.iter().copied().chain(others).take(most).collect();
        chosen.into_iter().map(|point| self.points.row(point).collect()).collect()
    }

    /// Returns up to `most` points at which both sides have real values.
    pub(super) fn valued(&mut self, most: usize, fuel: &mut Fuel) -> Vec<usize> {
        let mut valued: Vec<usize> = Vec::new();
        for block in 0..self.points.block_count() {
            if valued.len() >= most || !fuel.spend(20 + self.program.len() as u64) {
                break;
            }
            self.evaluator.run(&self.program, self.points.block(block));
            let lanes = LANES.min(self.points.len() - block * LANES);
            let real = |lane: usize| {
                [0, 1].iter().all(|&side| {
                    matches!(self.evaluator.value(&self.program, side, lane), Value::Real { .. })
                })
            };
            valued.extend((0..lanes).filter(|&lane| real(lane)).map(|lane| block * LANES + lane));
        }
        valued.truncate(most);
        valued
    }

    /// Adds rows of moderate scales on the lines through a start, because a piece may differ only far from
    /// the place where it begins.
    fn push_scales(&self, start: &Row, ways: &[Way], rows: &mut Vec<Row>) {
        for &way in ways {
            let scale = match way {
                Way::Along(column) => scales(&self.variables[column].domain),
                Way::Outwards => scales(&Domain::default()),
            };
            let moderate = |at: &&f64| (1e-9..1e12).contains(&at.abs());
            let places = scale.iter().filter(moderate).step_by(ways.len());
            rows.extend(places.filter_map(|&place| Line { start, way }.row(place, &self.variables)));
        }
    }

    /// Adds rows that keep one coordinate of a row and shrink the others.
    ///
    /// Terms that grow with all coordinates may hide a difference inside a piece.
    fn push_near_axes(&self, beyond: &[Row], rows: &mut Vec<Row>) {
        for row in beyond.iter().filter(|row| row.len() > 1) {
            for column in 0..row.len() {
                for power in [-8, -16, -28] {
                    let near = |at: usize| if at == column { row[at] } else { libm::scalbn(row[at], power) };
                    let near: Row = (0..row.len()).map(near).collect();
                    if near.iter().zip(&self.variables).all(|(&at, variable)| admits(&variable.domain, at)) {
                        rows.push(near);
                    }
                }
            }
        }
    }

    /// Adds rows in which a variable whose sign decides between pieces has both signs and values from 1 down
    /// to almost 0.
    fn push_signs(&mut self, variables: Symbols, rows: &mut Vec<Row>, fuel: &mut Fuel) {
        if variables == Symbols::NONE {
            return;
        }
        for start in self.starts(PIECE_STARTS, Field::Real, fuel) {
            for (column, variable) in self.variables.iter().enumerate() {
                if !variables.contains(variable.symbol) {
                    continue;
                }
                for at in beside(0.0).filter(|&at| admits(&variable.domain, at)) {
                    let mut row = start.clone();
                    row[column] = at;
                    rows.push(row);
                }
            }
        }
    }

    /// Adds starts with large coordinates, because a piece may lie along a curve that does not cross a line
    /// near 0.
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

    /// Adds points near the places on a line at which an argument changes its piece.
    ///
    /// This function is long because it contains the steps of the search along one line in order.
    fn follow(
        &mut self,
        switches: &[Switch],
        line: Line<'_>,
        field: Field,
        Found { rows, room, beyond }: &mut Found<'_>,
        budget: &mut Fuel,
    ) {
        if switches.is_empty() {
            return;
        }
        let domain = match line.way {
            Way::Along(column) => self.variables[column].domain.clone(),
            Way::Outwards => Domain::default(),
        };
        let scale = scales(&domain);
        let mut scanned: Vec<Vec<f64>> = vec![Vec::with_capacity(scale.len()); switches.len()];
        let mut known: Vec<Known> = Vec::with_capacity(scale.len());
        for chunk in scale.chunks(LANES) {
            if !self.along(line, field, chunk, budget)
                || !self.push_known(line, field, chunk, &mut known, budget)
            {
                return;
            }
            for (output, values) in scanned.iter_mut().enumerate() {
                for lane in 0..chunk.len() {
                    values.push(self.argument_at(output, lane));
                }
            }
        }
        if !domain.integer && matches!(line.way, Way::Along(_)) {
            let open = nearest_open(&scale, &known);
            beyond.open.extend(open.into_iter().filter_map(|at| line.row(at, &self.variables)));
        }
        for (output, switch) in switches.iter().enumerate() {
            let values = &scanned[output];
            // Each argument may add an equal share of the points.
            let room = rows.len() + *room;
            let mut places: SmallVec<[f64; 8]> = SmallVec::new();
            for bracket in brackets(&scale, (values, &known), switch.step) {
                if places.len() >= PIECE_PLACES || rows.len() >= room {
                    break;
                }
                let found = match bracket {
                    Bracket::At(place) => Some(place),
                    Bracket::Crossing { low, high, level } => {
                        self.cross(line, field, output, (low, high), level, budget)
                    }
                    Bracket::Turn { low, high, down } => {
                        self.turn(line, field, output, (low, high), down, budget)
                    }
                    Bracket::Edge { inside, outside } => {
                        self.edge(line, field, output, (inside, outside), budget)
                    }
                };
                let Some(found) = found else { break };
                places.push(found);
                if places.len() >= PIECE_PLACES {
                    break;
                }
                // A turn may hide a crossing on each side, and there may be several crossings before an edge.
                let ends = bracket.around(found);
                if ends.is_empty() {
                    continue;
                }
                if !self.along(line, field, &ends, budget) {
                    break;
                }
                let at: SmallVec<[f64; LANES]> =
                    (0..ends.len()).map(|lane| self.argument_at(output, lane)).collect();
                for (ends, at) in ends.windows(2).zip(at.windows(2)) {
                    if let Some(level) = level_between(at[0], at[1], switch.step)
                        && let Some(place) =
                            self.cross(line, field, output, (ends[0], ends[1]), level, budget)
                    {
                        places.push(place);
                    }
                }
            }
            for (nth, &place) in places.iter().enumerate() {
                let is_new = places[..nth].iter().all(|before| (*before - place).abs() > 1e-3 * place.abs());
                for at in [2.0 * place, 0.5 * place] {
                    if is_new
                        && !domain.integer
                        && matches!(line.way, Way::Along(_))
                        && let Some(row) = line.row(at, &self.variables)
                    {
                        let kept = if nth == 0 { &mut beyond.first } else { &mut beyond.others };
                        kept.push(row);
                    }
                }
                for at in beside(place) {
                    if rows.len() < room
                        && let Some(row) = line.row(at, &self.variables)
                    {
                        rows.push(row);
                    }
                }
            }
        }
    }

    /// Evaluates both sides in doubles at up to eight places of a line and adds the results to `known`.
    /// Returns `false` if the budget ran out.
    pub(super) fn push_known(
        &mut self,
        line: Line<'_>,
        field: Field,
        places: &[f64],
        known: &mut Vec<Known>,
        budget: &mut Fuel,
    ) -> bool {
        if field == Field::Complex {
            known.extend(places.iter().map(|_| Known::Values));
            return true;
        }
        if !budget.spend(20 + self.program.len() as u64) {
            return false;
        }
        self.evaluator.run(&self.program, &line.columns(places));
        known.extend((0..places.len()).map(|lane| {
            let values = [0, 1].map(|side| self.evaluator.value(&self.program, side, lane));
            match values {
                _ if self.evaluator.is_undefined(lane) => Known::NoValue,
                [Value::Real { .. }, Value::Real { .. }] => Known::Values,
                _ => Known::Nothing,
            }
        }));
        true
    }

    /// Evaluates the arguments at up to eight places of a line.
    fn along(&mut self, line: Line<'_>, field: Field, places: &[f64], budget: &mut Fuel) -> bool {
        let columns = line.columns(places);
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
                    // An argument can have a value at a point at which another argument has none.
                    Field::Real => match self.evaluator.value_of_part(&self.side, output, lane) {
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

    /// Returns the place where an argument crosses a level, or `None` if the budget ran out.
    ///
    /// Each round tries up to eight places. These are close to the zero of the secant as long as that shrinks
    /// the interval fast enough; otherwise they divide the interval evenly.
    fn cross(
        &mut self,
        line: Line<'_>,
        field: Field,
        output: usize,
        (mut low, mut high): (f64, f64),
        level: f64,
        budget: &mut Fuel,
    ) -> Option<f64> {
        let ends = [low, high];
        if !self.along(line, field, &ends, budget) {
            return None;
        }
        let [mut below, mut above] = [0, 1].map(|lane| self.argument_at(output, lane) - level);
        let at_low = below >= 0.0;
        // In a narrower interval around 0 the values may underflow to 0.
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
            if !self.along(line, field, &inner, budget) {
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

    /// Returns the last place at which an argument has a value.
    fn edge(
        &mut self,
        line: Line<'_>,
        field: Field,
        output: usize,
        (mut inside, mut outside): (f64, f64),
        budget: &mut Fuel,
    ) -> Option<f64> {
        for _ in 0..22 {
            let mut inner = between(inside.min(outside), inside.max(outside));
            if inner.is_empty() {
                break;
            }
            if outside < inside {
                inner.reverse();
            }
            if !self.along(line, field, &inner, budget) {
                return None;
            }
            for (lane, &place) in inner.iter().enumerate() {
                if self.argument_at(output, lane).is_nan() {
                    outside = place;
                    break;
                }
                inside = place;
            }
        }
        Some(inside)
    }

    /// Returns the place where the magnitude of an argument is smallest, or where the argument is largest or
    /// smallest.
    fn turn(
        &mut self,
        line: Line<'_>,
        field: Field,
        output: usize,
        (mut low, mut high): (f64, f64),
        down: Turn,
        budget: &mut Fuel,
    ) -> Option<f64> {
        let mut best = f64::midpoint(low, high);
        // Doubles locate a turn only to the square root of their precision, because the values near it are
        // almost equal.
        for _ in 0..14 {
            let inner = between(low, high);
            if inner.len() < LANES || !(low < inner[0] && inner[LANES - 1] < high) {
                break;
            }
            if !self.along(line, field, &inner, budget) {
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

/// The points that were collected along a line.
struct Found<'r> {
    /// Points near the places where an argument changes its piece.
    rows: &'r mut Vec<Row>,
    /// The largest number of points that one argument may add.
    room: usize,
    /// Points inside pieces, at twice and at half each place.
    beyond: &'r mut Beyond,
}

/// Returns a place and others on both sides of it. Their distances range from its magnitude (or 1, if it is
/// 0) to almost 0.
fn beside(place: f64) -> impl Iterator<Item = f64> {
    let unit = if place == 0.0 { 1.0 } else { place.abs() };
    let sides = move |&power: &i32| [-1.0, 1.0].map(|side| place + side * libm::scalbn(unit, -power));
    core::iter::once(place).chain(DISTANCES.iter().flat_map(sides))
}

/// Adds rows with coordinates from two other rows, because a difference may appear only where two arguments
/// have changed their pieces.
fn recombine(rows: &mut Vec<Row>) {
    let Some(columns) = rows.first().map(SmallVec::len).filter(|&columns| columns > 1) else { return };
    let (count, mut state) = (rows.len() as u64, columns as u64);
    for _ in 0..RECOMBINED_POINTS.min(rows.len()) {
        let word = split_mix(&mut state);
        let [one, other] = [word >> 32, word >> 8 & 0xFF_FFFF].map(|part| (part % count) as usize);
        // Some coordinates, but not all, come from the other row.
        let from_other = 1 + word % 0xFF % ((1 << columns.min(8)) - 2);
        let row =
            (0..columns).map(|at| rows[if from_other >> at.min(63) & 1 == 1 { other } else { one }][at]);
        let row = row.collect();
        rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Evidence;
    use super::*;
    use crate::expr::{Caps, Function};

    #[test]
    fn a_full_arena_hides_no_piece() {
        let pair = |arena: &mut Arena| {
            // An arena has room for 16 parts at least.
            (0..16).for_each(|number| _ = arena.integer(100 + number));
            let (x, large) = (arena.variable("x"), arena.integer(1_000_000_000));
            let sine = arena.apply(Function::Sin, &[x]);
            let both = arena.add(sine, x);
            [arena.apply(Function::Max, &[both, large]), large]
        };
        let mut arena = Arena::default();
        let [left, right] = pair(&mut arena);
        let size = arena.len();
        let found = Judge::default().decide(&mut arena, left, right, &(), &mut Fuel::new(1_000_000));
        assert!(matches!(found.evidence, Evidence::Refuted(_)), "{:?}", found.evidence);
        // The difference of the arguments, whose sign decides, does not fit.
        let mut arena = Arena::new(Caps { nodes: size, ..Caps::default() });
        let [left, right] = pair(&mut arena);
        assert!(!arena.overflowed());
        let found = Judge::default().decide(&mut arena, left, right, &(), &mut Fuel::new(1_000_000));
        assert_eq!(found.evidence, Evidence::Undecided(Undecided::OutOfFuel));
    }
}
