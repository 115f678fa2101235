//! Bounds on work and size: one unit of work, and one table of limits.
//!
//! `docs/expressions.md` prints the table; a test holds the two together.

/// The rest of a budget of work.
///
/// The unit stands for about ten nanoseconds: a node evaluated in doubles for eight points, a step of arithmetic in the finite
/// field, half an operation on balls of two words. Work is counted, never timed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fuel {
    left: u64,
}

impl Fuel {
    /// Creates a budget of that many units.
    pub(crate) const fn new(units: u64) -> Self {
        Self { left: units }
    }

    /// Takes `units` away; `false`, with nothing left, when there are not that many.
    #[inline]
    pub(crate) fn spend(&mut self, units: u64) -> bool {
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = 0;
                false
            }
        }
    }

    /// Returns the units that are left.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }
}

/// One row of the table: a name, its value and unit, and the quantity that it bounds.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The name of the constant.
    pub name: &'static str,
    /// The greatest value of the limit.
    pub value: u64,
    /// The counted unit; empty for numbers as such.
    pub unit: &'static str,
    /// The thing that is bounded.
    pub what: &'static str,
}

macro_rules! limits {
    ($($name:ident: $type:ty = $value:expr, $unit:literal, $what:literal;)*) => {
        $(
            #[doc = $what]
            pub(crate) const $name: $type = $value;
        )*

        /// Every limit, in the order of the source.
        #[doc(hidden)]
        pub const LIMITS: &[Limit] = &[
            $(Limit { name: stringify!($name), value: $name as u64, unit: $unit, what: $what },)*
        ];
    };
}

limits! {
    COMPARISON: u64 = 1_000_000, "units", "one comparison, unless `Options::with_budget` says otherwise";
    COMPLEX_PIECE_SEARCH: u64 = 500_000, "units", "the search beside pieces and branches, complex values";
    PIECE_SEARCH: u64 = 300_000, "units", "the search beside pieces and branches, real values";
    INSIDE_WORK: u64 = 320_000, "units", "balls at a list of points: those inside pieces, or those that doubles leave open";
    ROOTS_CONFIRMATION: u64 = 20_000, "units", "balls that confirm the roots of constants which the finite field took";
    CONFIRMATION: u64 = 160_000, "units", "high precision of one decision";
    SEPARATION: u64 = 120_000, "units", "values of algebraic constants beside their separation bound";
    BALLS: u64 = 800_000, "units", "high precision asked for alone";
    RELATION_BALLS: u64 = 800_000, "units", "high precision of one comparison of relations";
    RELATION_WORK: u64 = 1_000_000, "units", "cuts, samples and lines of one comparison of relations";
    SAMPLING: u64 = 1_000_000, "units", "points of numeric sampling that doubles leave open";
    CONSTANCY: u64 = 600_000, "units", "whether a value depends on its variables";
    NODE: u64 = 4, "units", "the price of one part that is built";
    SOURCE_BYTES: usize = fablegrade_latex::MAX_SOURCE, "bytes", "a text";
    SYNTAX_DEPTH: u16 = fablegrade_latex::ast::MAX_DEPTH, "levels", "a syntax tree";
    DIGITS: usize = 2400, "digits", "a number that is read";
    NODES: usize = 1 << 14, "parts", "distinct parts of both sides together";
    CHILDREN: usize = 1 << 16, "references", "references between parts";
    NAMES: usize = 128, "names", "distinct names";
    FOLDED_BITS: u64 = 1 << 10, "bits", "a power of numbers that is worked out; larger ones stay powers";
    FOLDED_FACTORIAL: u64 = 120, "", "a factorial that is worked out; larger ones stay factorials";
    FOLDED_BINOMIAL: u64 = 8192, "", "the upper number of a binomial that is worked out, each factor at the price of two parts";
    NUMBER_BITS: usize = 8192, "bits", "numerator and denominator of an exact number";
    DETERMINANT_ROWS: usize = 4, "rows", "a determinant that is written out";
    FLAT_ARGUMENTS: usize = 64, "arguments", "a minimum, maximum or common divisor whose inner ones are taken into it";
    INDEX_VALUES: i64 = 64, "values", "an index over names that are written out";
    INDEX_BODIES: u32 = 512, "bodies", "bodies of sums and products that are written out";
    DERIVATIVE_DEPTH: u32 = 300, "levels", "an expression that is differentiated";
    EXTENDED_DEPTH: u32 = 300, "levels", "an expression with infinity";
    LIMIT_PARTS: usize = 60, "parts", "parts of a limit that are expanded";
    LIMIT_NODES: usize = 6_000, "parts", "parts that the expansion of a limit may build";
    LIMIT_ORDER: i64 = 40, "terms", "the order of an expansion";
    INTEGRAL_DEGREE: usize = 24, "", "degrees in integrals";
    SERIES_DEGREE: usize = 12, "", "degrees in infinite sums";
    SERIES_SHIFT: i64 = 64, "", "shifts between the terms of infinite sums";
    SERIES_DEPTH: u32 = 40, "levels", "the term of an infinite sum";
    SERIES_TERMS: u64 = 1000, "terms", "a sum or product that is evaluated";
    SERIES_NESTING: u32 = 4, "levels", "sums inside sums";
    EVALUATION_STEPS: u32 = 20_000, "terms", "terms at one point or block of points";
    POWER_CHAIN: u32 = 24, "", "integer powers by multiplication; larger ones by `pow`";
    BALL_BITS: usize = 4096, "bits", "high precision";
    BALL_FACTORS: i64 = 20_000, "factors", "factorials and binomials in high precision";
    BALL_POWER: i64 = 1 << 20, "", "integer powers in high precision";
    BALL_EXP_BITS: i64 = 45, "bits", "arguments of exponentials";
    BALL_ANGLE_BITS: i64 = 2200, "bits", "angles that are reduced";
    BALL_EXPONENT: i64 = 1 << 50, "", "exponents of balls, as powers of 2; towers of powers end here";
    CALL_ARGUMENTS: usize = 8, "arguments", "a function known only by name";
    COORDINATE_ATTEMPTS: u32 = 24, "attempts", "attempts to draw a coordinate that is not excluded";
    FIELD_TRIES: u32 = 64, "samples", "samples for one combination of signs and parities in the finite field";
    FIELD_FACTORIAL: i64 = 2000, "", "factorials in the finite field";
    FACTORIAL_SHIFT: i64 = 64, "steps", "shifts of a factorial to a common base";
    BREAKPOINTS: usize = 12, "points", "places where pieces meet that points are drawn beside";
    PIECE_ARGUMENTS: usize = 12, "arguments", "arguments of pieces that are followed";
    PIECE_PLACES: usize = 10, "places", "places kept for one argument along one line";
    PIECE_CHANGES: usize = 7, "places", "of these, certain changes";
    PIECE_POINTS: usize = 3072, "points", "points beside pieces";
    ENOUGH_VALUED: u32 = 24, "points", "points with values up to which more are drawn where most have none";
    VALUED_ROUNDS: u64 = 10, "rounds", "rounds in which more points are drawn where most have no value";
    UNVALUED_POINTS: usize = 24, "points", "points of pieces without values from which values are looked for";
    PIECE_STARTS: usize = 3, "points", "points from which lines across the pieces are drawn";
    PIECES_BEYOND: usize = 12, "points", "points inside pieces from which lines are drawn again";
    RECOMBINED_POINTS: usize = 192, "points", "points with coordinates of two others";
    DESCENT_STARTS: usize = 4, "points", "points from which a piece is looked for in all variables together";
    DESCENT_ROUNDS: usize = 48, "rounds", "rounds of one such search over all variables";
    DESCENT_HALVINGS: usize = 52, "steps", "halvings of the way between two pieces";
    DESCENT_PAIRED: usize = 3, "variables", "variables that are moved two by two";
    OPEN_BITS: usize = 320, "bits", "the precision of balls at the points that doubles leave open";
    BEYOND_BITS: usize = 192, "bits", "the precision of balls inside pieces of which doubles may see nothing";
    OPEN_POINTS: usize = 24, "points", "open points that balls look at";
    EVERY_POINT: u64 = 1024, "points", "a domain whose points are all tried";
    ROOT_OF_UNITY_ORDER: u64 = 2_000, "", "orders of roots of unity";
    NORMAL_FORM_TERMS: usize = 200, "terms", "the exact normal form";
    NORMAL_FORM_PRODUCTS: usize = 4_000, "products", "products of terms in the exact normal form";
    NORMAL_FORM_POWER: i64 = 24, "", "powers in the exact normal form";
    NORMAL_FORM_DEPTH: usize = 150, "levels", "an expression with a normal form";
    POLYNOMIAL_DEGREE: usize = 96, "", "polynomials in one variable";
    COEFFICIENT_BITS: usize = 4096, "bits", "coefficients";
    SPARSE_TERMS: usize = 400, "terms", "polynomials in several variables";
    SPARSE_PRODUCTS: usize = 20_000, "products", "products of their terms";
    FACTORED_DEGREE: usize = 40, "", "polynomials whose factors are sought";
    PLANE_BASIS: usize = 12, "", "polynomials of two equations in two unknowns";
    PLANE_PRODUCTS: usize = 900_000, "products", "products of their coefficients";
    ROOT_SPLITS: u32 = 600, "steps", "steps that isolate a root";
    ROOT_WORK: usize = 400_000, "steps", "steps of arithmetic on roots";
    ROOT_LEADING_BITS: usize = 256, "bits", "leading coefficients of polynomials with roots as coefficients";
    RELATION_QUESTIONS: u32 = 600, "questions", "questions about constants and values in one comparison of relations";
    RELATION_PARTS: usize = 20_000, "parts", "values and statements that are read of one relation; chains inside chains are read twice";
    TWICE_WRITTEN: usize = 200, "parts", "parts of statements that an equivalence writes twice";
    RELATION_PIECES: usize = 12, "pieces", "pieces of a value in a relation";
    WRITTEN_DEPTH: usize = 24, "levels", "a value that is written in a counterexample";
    TRUTH_TABLE_PARTS: usize = 8, "parts", "different parts of statements that a truth table compares";
    MATRIX_ENTRIES: usize = 256, "entries", "matrices and their products that are worked out";
    MATRIX_POWER: i64 = 16, "", "powers of matrices that are worked out";
    CASES: usize = 24, "comparisons", "comparisons that cases lead to";
    RELATION_DEPTH: usize = 60, "levels", "a relation that is solved";
    KERNELS: usize = 12, "parts", "parts of a relation that arithmetic does not look into";
    MULTIPLIED_POWER: i64 = 48, "", "exponents that are multiplied out in relations";
    POWER_OF_UNKNOWN: i64 = 20_000, "", "exponents of an unknown";
    CONJUGATES: usize = 100, "conjugates", "conjugates of all roots of a relation together";
    CONJUGATES_IN_SEVERAL: usize = 12, "conjugates", "the same in several unknowns";
    LINE_CUTS: usize = 120, "cuts", "cuts of the line of one unknown";
    LINE_COMPARISONS: usize = 64, "comparisons", "comparisons on one line";
    NORM_WORK: u64 = 150_000, "units", "norms of roots on one line";
    INVERSIONS: u32 = 4, "", "functions inside each other that are undone for a root";
    MONOTONE_LAYERS: u32 = 8, "", "functions around each other that are undone on both sides";
    ROOT_DERIVATIVES: u32 = 14, "", "derivatives that enclose roots";
    DERIVATIVE_TERMS: usize = 60, "terms", "a derivative that encloses roots";
    SINE_INTERVALS: u32 = 600, "intervals", "intervals between the bounds of a sum of sines";
    REFINEMENT_STEPS: u32 = 200, "steps", "the refinement of an enclosed root";
    REFINEMENT_BITS: u32 = 256, "bits", "the part of an interval that one step of a refinement may propose";
    RECOGNISED_DENOMINATOR: i64 = 5_000, "", "denominators of values that are recognised as rational";
    ANGLE_MULTIPLE: i64 = 12, "", "multiples of the angle that sines have in common";
    RESIDUES: usize = 400, "residues", "residues of the common period of families";
    LINEAR_EQUATIONS: usize = 40, "equations", "systems of linear equations";
    SYSTEM_EQUATIONS: usize = 6, "equations", "other systems";
    SYSTEM_POINTS: usize = 600, "points", "candidates for a solution of a system";
    SYSTEM_DEGREE: usize = 32, "", "polynomials whose roots are coordinates of solutions";
    SYSTEM_UNKNOWNS: usize = 6, "unknowns", "systems in which an equation gives one unknown by the others";
    PLANE_CUTS: usize = 40, "cuts", "cuts of the first unknown in the plane";
}
