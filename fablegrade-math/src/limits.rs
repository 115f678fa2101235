//! Bounds on work and size: the unit of work and the table of limits.
//!
//! `docs/expressions.md` prints the table; a test compares the two.

/// The remaining budget of work.
///
/// The unit is about ten nanoseconds. It is the cost of a node in doubles at eight points, of an arithmetic
/// step in the finite field, or of an eighth of an operation on balls of two words. Work is counted, never
/// timed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fuel {
    left: u64,
}

impl Fuel {
    /// Creates a budget of the given number of units.
    pub(crate) const fn new(units: u64) -> Self {
        Self { left: units }
    }

    /// Subtracts `units`. If fewer remain, sets the budget to 0 and returns `false`.
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

    /// Returns the remaining units.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }
}

/// A row of the table of limits.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The name of the constant.
    pub name: &'static str,
    /// The value of the constant.
    pub value: u64,
    /// The unit of the value; empty for plain numbers.
    pub unit: &'static str,
    /// The meaning of the constant.
    pub what: &'static str,
}

macro_rules! limits {
    ($($name:ident: $type:ty = $value:expr, $unit:literal, $what:literal;)*) => {
        $(
            #[doc = $what]
            pub(crate) const $name: $type = $value;
        )*

        /// All limits, in source order.
        #[doc(hidden)]
        pub const LIMITS: &[Limit] = &[
            $(Limit { name: stringify!($name), value: $name as u64, unit: $unit, what: $what },)*
        ];
    };
}

limits! {
    COMPARISON: u64 = 1_000_000, "units", "one comparison, unless `Options::with_budget` sets another budget";
    COMPLEX_PIECE_SEARCH: u64 = 500_000, "units", "the search near pieces and branches for complex values";
    PIECE_SEARCH: u64 = 300_000, "units", "the search near pieces and branches for real values";
    INSIDE_WORK: u64 = 320_000, "units", "balls at a list of points: those inside pieces, or those that doubles do not decide";
    ROOTS_CONFIRMATION: u64 = 20_000, "units", "balls that confirm the roots of constants chosen in the finite field";
    CONFIRMATION: u64 = 160_000, "units", "high precision in one decision";
    SEPARATION: u64 = 120_000, "units", "values of algebraic constants that are compared with their separation bound";
    BALLS: u64 = 800_000, "units", "high precision that is requested on its own";
    RELATION_BALLS: u64 = 800_000, "units", "high precision in one comparison of relations";
    RELATION_WORK: u64 = 1_000_000, "units", "cuts, samples, lines and models of sets in one comparison of relations";
    SAMPLING: u64 = 1_000_000, "units", "points of numeric sampling that doubles do not decide";
    NORMAL_FORM: u64 = 20_000, "units", "one comparison of exact normal forms in the expansion of a limit";
    CONSTANCY: u64 = 600_000, "units", "the decision whether a value depends on its variables";
    NODE: u64 = 4, "units", "the cost of one part that is built";
    SOURCE_BYTES: usize = fablegrade_latex::MAX_SOURCE, "bytes", "the length of a text";
    SYNTAX_DEPTH: u16 = fablegrade_latex::ast::MAX_DEPTH, "levels", "the depth of a syntax tree";
    SHAPE_ROUNDS: usize = 4, "rounds", "rounds in which the variables of a shape are distinguished";
    DIGITS: usize = 2400, "digits", "the length of a number that is read";
    NODES: usize = 1 << 14, "parts", "distinct parts of both sides together";
    CHILDREN: usize = 1 << 16, "references", "references between parts";
    NAMES: usize = 128, "names", "distinct names";
    FOLDED_BITS: u64 = 1 << 10, "bits", "a power of numbers that is computed; larger ones stay powers";
    FOLDED_BASE: usize = 64, "parts", "the base of a power with exponent 0 that is computed";
    FOLDED_FACTORIAL: u64 = 120, "", "a factorial that is computed; larger ones stay factorials";
    FOLDED_BINOMIAL: u64 = 8192, "", "the upper number of a binomial that is computed; each factor costs as much as two parts";
    NUMBER_BITS: usize = 8192, "bits", "the numerator and the denominator of an exact number";
    DETERMINANT_ROWS: usize = 4, "rows", "the size of a determinant that is expanded";
    FLAT_ARGUMENTS: usize = 64, "arguments", "arguments of a minimum, maximum or common divisor with nested ones merged into it";
    INDEX_VALUES: i64 = 64, "values", "values of an index over names that are written out";
    DOUBTFUL_SUBSCRIPTS: usize = 2, "names", "base names with doubtful subscripts whose readings are compared in all combinations";
    INDEX_BODIES: u32 = 512, "bodies", "bodies of sums and products that are written out";
    DERIVATIVE_DEPTH: u32 = 300, "levels", "the depth of an expression that is differentiated";
    EXTENDED_DEPTH: u32 = 300, "levels", "the depth of an expression with infinity";
    LIMIT_PARTS: usize = 60, "parts", "parts of a limit that are expanded";
    LIMIT_NODES: usize = 6_000, "parts", "parts that the expansion of a limit may build";
    LIMIT_ORDER: u64 = 40, "terms", "the order of an expansion";
    INTEGRAL_DEGREE: usize = 24, "", "the degree in an integral";
    SERIES_DEGREE: usize = 12, "", "the degree in an infinite sum";
    SERIES_SHIFT: i64 = 64, "", "the shift between the terms of an infinite sum";
    SERIES_DEPTH: u32 = 40, "levels", "the depth of the term of an infinite sum";
    SERIES_TERMS: u64 = 1000, "terms", "terms of a sum or product that is evaluated";
    SERIES_NESTING: u32 = 4, "levels", "the nesting of sums";
    EVALUATION_STEPS: u32 = 20_000, "terms", "terms evaluated at one point or block of points";
    POWER_CHAIN: u32 = 24, "", "an integer power by multiplication; larger ones use `pow`";
    BALL_BITS: usize = 4096, "bits", "high precision";
    BALL_FACTORS: i64 = 20_000, "factors", "factors of factorials and binomials in high precision";
    BALL_POWER: i64 = 1 << 20, "", "an integer power in high precision";
    BALL_EXP_BITS: i64 = 45, "bits", "the argument of an exponential";
    BALL_ANGLE_BITS: i64 = 2200, "bits", "an angle that is reduced";
    BALL_EXPONENT: i64 = 1 << 50, "", "the exponent of a ball, as a power of 2; it bounds towers of powers";
    CALL_ARGUMENTS: usize = 8, "arguments", "arguments of a function known only by name";
    COORDINATE_ATTEMPTS: u32 = 24, "attempts", "attempts to draw a coordinate that is not excluded";
    FIELD_TRIES: u32 = 64, "samples", "samples for one combination of signs and parities in the finite field";
    FIELD_FACTORIAL: i64 = 2000, "", "a factorial in the finite field";
    FACTORIAL_SHIFT: i64 = 64, "steps", "the shift of a factorial to a common base";
    BREAKPOINTS: usize = 12, "points", "breakpoints near which points are drawn";
    PIECE_ARGUMENTS: usize = 12, "arguments", "arguments of pieces that are followed";
    PIECE_PLACES: usize = 10, "places", "places kept for one argument along one line";
    PIECE_CHANGES: usize = 7, "places", "certain changes among these places";
    PIECE_POINTS: usize = 3072, "points", "points near pieces";
    SAMPLE_POINTS: usize = 48, "points", "points of the second search, at which both sides are evaluated";
    ENOUGH_VALUED: u32 = 24, "points", "points with values up to which more points are drawn if most have none";
    VALUED_ROUNDS: u64 = 10, "rounds", "rounds in which more points are drawn if most have no value";
    NEAR_LINES: usize = 4, "lines", "lines near 0 for each direction on which relations are compared";
    BORDER_LINES: usize = 8, "lines", "lines on borders of domains on which relations are compared";
    UNVALUED_POINTS: usize = 24, "points", "points of pieces without values from which points with values are sought";
    PIECE_STARTS: usize = 3, "points", "points from which lines across the pieces are drawn";
    PIECES_BEYOND: usize = 12, "points", "points inside pieces from which further lines are drawn";
    RECOMBINED_POINTS: usize = 192, "points", "points with coordinates from two others";
    DESCENT_STARTS: usize = 4, "points", "points from which a piece is sought in all variables together";
    DESCENT_ROUNDS: usize = 48, "rounds", "rounds of one such search over all variables";
    DESCENT_HALVINGS: usize = 52, "steps", "bisection steps between two pieces";
    DESCENT_PAIRED: usize = 3, "variables", "variables that are moved in pairs";
    DEPENDENCE_BITS: usize = 200, "bits", "the precision with which values at different points must agree to be a constant";
    OPEN_BITS: usize = 320, "bits", "the precision of balls at the points that doubles do not decide";
    BEYOND_BITS: usize = 192, "bits", "the precision of balls inside pieces that doubles may not resolve";
    OPEN_POINTS: usize = 24, "points", "undecided points at which balls are evaluated";
    EVERY_POINT: u64 = 1024, "points", "points of a domain that are all compared";
    ROOT_OF_UNITY_ORDER: u64 = 2_000, "", "the order of a root of unity";
    NORMAL_FORM_TERMS: usize = 200, "terms", "terms of the exact normal form";
    NORMAL_FORM_PRODUCTS: usize = 4_000, "products", "products of terms in the exact normal form";
    NORMAL_FORM_POWER: u64 = 24, "", "a power in the exact normal form";
    NORMAL_FORM_DEPTH: usize = 150, "levels", "the depth of an expression with a normal form";
    POLYNOMIAL_DEGREE: usize = 96, "", "the degree of a polynomial in one variable";
    COEFFICIENT_BITS: usize = 4096, "bits", "a coefficient";
    SPARSE_TERMS: usize = 400, "terms", "terms of a polynomial in several variables";
    SPARSE_PRODUCTS: usize = 20_000, "products", "products of the terms of such polynomials";
    FACTORED_DEGREE: usize = 40, "", "the degree of a polynomial whose factors are sought";
    PLANE_BASIS: usize = 12, "", "polynomials derived from two equations in two unknowns";
    PLANE_PRODUCTS: usize = 900_000, "products", "products of the coefficients of these polynomials";
    ROOT_SPLITS: u32 = 600, "steps", "steps that isolate a root";
    ROOT_WORK: usize = 400_000, "steps", "steps of arithmetic on roots";
    ROOT_BITS: usize = 192, "bits", "the precision with which roots of different functions are compared";
    STEEP_BITS: usize = 480, "bits", "bits by which a value may be wider than the number at which it is taken";
    ROOT_LEADING_BITS: usize = 256, "bits", "the leading coefficient of a polynomial whose rational roots are recognised";
    RELATION_QUESTIONS: u32 = 600, "questions", "questions about constants and values in one comparison of relations";
    RELATION_PARTS: usize = 20_000, "parts", "values and statements read from one relation; nested chains are read twice";
    FREE_SIGNS: usize = 5, "signs", "signs `\\pm` of one part that may be independent";
    TWICE_WRITTEN: usize = 200, "parts", "parts of statements that an equivalence repeats";
    RELATION_PIECES: usize = 12, "pieces", "pieces of a value in a relation";
    WRITTEN_DEPTH: usize = 24, "levels", "the depth of a value that is written in a counterexample";
    SET_LETTERS: usize = 3, "letters", "letters for sets in statements that are compared in all models";
    SET_ELEMENTS: usize = 2, "letters", "letters for elements in statements that are compared in all models";
    TRUTH_TABLE_PARTS: usize = 8, "parts", "distinct parts of statements that a truth table compares";
    MATRIX_ENTRIES: usize = 256, "entries", "entries of matrices and of products that are computed";
    MATRIX_POWER: u64 = 16, "", "a power of a matrix that is computed";
    CASES: usize = 24, "comparisons", "comparisons of cases";
    RELATION_DEPTH: usize = 60, "levels", "the depth of a relation that is solved";
    KERNELS: usize = 12, "parts", "parts of a relation that arithmetic treats as atoms";
    MULTIPLIED_POWER: u64 = 48, "", "an exponent that is multiplied out in relations";
    POWER_OF_UNKNOWN: u64 = 20_000, "", "an exponent of an unknown";
    CONJUGATES: usize = 100, "conjugates", "conjugates of all roots of a relation together";
    CONJUGATES_IN_SEVERAL: usize = 12, "conjugates", "conjugates of all roots of a relation in several unknowns";
    LINE_CUTS: usize = 120, "cuts", "cuts of the line of one unknown";
    LINE_COMPARISONS: usize = 64, "comparisons", "comparisons on one line";
    NORM_WORK: u64 = 150_000, "units", "norms of roots on one line";
    INVERSIONS: u32 = 4, "", "nested functions that are inverted to find a root";
    MONOTONE_LAYERS: u32 = 8, "", "nested functions that are inverted on both sides";
    ROOT_DERIVATIVES: u32 = 14, "", "derivatives that enclose roots";
    DERIVATIVE_TERMS: usize = 60, "terms", "terms of a derivative that encloses roots";
    SINE_INTERVALS: u32 = 600, "intervals", "intervals between the bounds of a sum of sines";
    REFINEMENT_STEPS: u32 = 200, "steps", "steps that refine an enclosed root";
    REFINEMENT_BITS: u32 = 256, "bits", "the narrowing of an interval in one refinement step";
    RECOGNISED_DENOMINATOR: i64 = 5_000, "", "the denominator of a value that is recognised as rational";
    ANGLE_MULTIPLE: u64 = 12, "", "the multiple of a common angle inside a sine or cosine";
    RESIDUES: usize = 400, "residues", "residues of the common period of families";
    LINEAR_EQUATIONS: usize = 40, "equations", "equations of a linear system";
    SYSTEM_EQUATIONS: usize = 6, "equations", "equations of other systems";
    SYSTEM_POINTS: usize = 600, "points", "candidates for a solution of a system";
    SYSTEM_DEGREE: usize = 32, "", "the degree of a polynomial whose roots are coordinates of solutions";
    SYSTEM_UNKNOWNS: usize = 6, "unknowns", "unknowns of a system in which an equation determines one unknown from the others";
    PLANE_CUTS: usize = 40, "cuts", "cuts of the first unknown in the plane";
}
