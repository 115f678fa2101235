//! The functions of the expression DAG, with the properties listed in the table of functions.
//!
//! The table is `fablegrade-latex/src/functions/table.rs`. The macro [`functions`] groups its rows by the
//! number of arguments and passes them to a macro of each module that uses a column. It omits the rows of
//! formulas and matrices, which only `lower` uses.

/// Passes the functions of the DAG to a macro.
///
/// The macro receives all functions in table order, then the rows of unary functions, then the rows of binary
/// functions. The last group includes functions with any number of arguments.
macro_rules! functions {
    ($then:ident) => {
        fablegrade_latex::function_table! { sorted { $then [] [] [] } }
    };
}

macro_rules! sorted {
    ($then:ident [$($all:tt)*] [$($unary:tt)*] [$($binary:tt)*]) => {
        $then! { all { $($all)* } unary { $($unary)* } binary { $($binary)* } }
    };
    ($then:ident $all:tt $unary:tt $binary:tt #$doc:tt $($rest:tt)*) => {
        sorted! { $then $all $unary $binary $($rest)* }
    };
    ($then:ident [$($all:tt)*] [$($unary:tt)*] $binary:tt
        $name:ident $reading:tt unary $function:ident $row:tt, $($rest:tt)*) => {
        sorted! { $then [$($all)* $function $reading] [$($unary)* $function $row] $binary $($rest)* }
    };
    ($then:ident [$($all:tt)*] $unary:tt [$($binary:tt)*]
        $name:ident $reading:tt binary $function:ident $row:tt, $($rest:tt)*) => {
        sorted! { $then [$($all)* $function $reading] $unary [$($binary)* $function $row] $($rest)* }
    };
    ($then:ident $all:tt $unary:tt $binary:tt $name:ident $reading:tt $kind:ident $row:tt, $($rest:tt)*) => {
        sorted! { $then $all $unary $binary $($rest)* }
    };
}

/// The kind of domain on which a function of real arguments has real values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RealDomain {
    /// All reals.
    Whole,
    /// A part of the real line; elsewhere the function has principal complex values.
    Cut,
    /// All reals except isolated points, or only whole numbers.
    Holes,
}

/// The possible signs of a function's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueSigns {
    /// Any sign.
    Any,
    /// Never negative.
    NotNegative,
    /// The sign of the argument.
    OfArgument,
}

/// The sample points that suit a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SuitablePoints {
    /// Any points.
    Anywhere,
    /// Points on both sides of its steps.
    Steps,
    /// Both whole numbers and other points.
    WholeNumbersToo,
    /// Only whole numbers.
    WholeNumbers,
}

/// The behaviour of a function of one argument at plus and minus infinity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtInfinity {
    /// The behaviour is not known.
    Unknown,
    /// The function has no limit.
    NoValue,
    /// The function tends to the infinity with the argument's sign.
    Grows,
    /// The function tends to plus infinity at both ends.
    GrowsBothWays,
    /// The function tends to infinity at infinity; its behaviour at minus infinity is not known.
    GrowsUpwards,
    /// The function tends to 1 at infinity and to -1 at minus infinity.
    One,
    /// The function tends to π/2 at infinity and to -π/2 at minus infinity.
    QuarterTurn,
}

/// The method that computes a function's image in the finite field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Image {
    /// A function of an angle.
    Circular,
    /// A function of an exponent.
    Hyperbolic,
    /// The logarithm.
    Logarithm,
    /// An inverse hyperbolic function whose formula has a root inside the logarithm.
    RootedLogarithm,
    /// An inverse hyperbolic function whose formula has no root inside the logarithm.
    PlainLogarithm,
    /// An inverse trigonometric function.
    Arc,
    /// An absolute value or a sign.
    Size,
    /// A minimum or maximum.
    Extremum,
    /// A function that depends only on the image of its argument.
    Plain,
}

/// The part of a function's value that may be too small to show in its last digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hidden {
    /// Nothing.
    Nothing,
    /// The cube of a small argument.
    Cube,
    /// The cube of a small argument `u`, or `e^(-2|u|)` of a large one.
    Exponential,
    /// The cube of a small argument `u`, or `e^(-u²)` of a large one.
    Gaussian,
    /// The cube of a small argument `u`, or `1/u²` of a large one.
    SquareFar,
    /// `1/u²` of a large argument `u`.
    SquareFarOnly,
}

/// The properties of one function.
struct Facts {
    domain: RealDomain,
    sign: ValueSigns,
    points: SuitablePoints,
    at_infinity: AtInfinity,
    image: Image,
    hidden: Hidden,
    commutative: bool,
}

macro_rules! order {
    (Commutative) => {
        true
    };
    (Ordered) => {
        false
    };
}

macro_rules! facts {
    (
        all { $($function:ident { plain: $plain:literal, $($reading:tt)* })* }
        unary { $($unary:ident {
            facts { domain: $domain:ident, sign: $sign:ident, points: $points:ident, at_infinity: $end:ident, image: $image:ident, hidden: $hidden:ident }
            $($columns:tt)*
        })* }
        binary { $($binary:ident {
            facts { domain: $of_pair:ident, order: $order:ident, points: $suit:ident, image: $kind:ident }
            $($others:tt)*
        })* }
    ) => {
        /// Functions of the DAG; the secant and similar functions are formulas in these.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)] // each is the function of its name
        pub enum Function { $($function,)* }

        impl Function {
            const fn facts(self) -> Facts {
                match self {
                    $(Function::$unary => Facts {
                        domain: RealDomain::$domain,
                        sign: ValueSigns::$sign,
                        points: SuitablePoints::$points,
                        at_infinity: AtInfinity::$end,
                        image: Image::$image,
                        hidden: Hidden::$hidden,
                        commutative: false,
                    },)*
                    $(Function::$binary => Facts {
                        domain: RealDomain::$of_pair,
                        sign: ValueSigns::Any,
                        points: SuitablePoints::$suit,
                        at_infinity: AtInfinity::Unknown,
                        image: Image::$kind,
                        hidden: Hidden::Nothing,
                        commutative: order!($order),
                    },)*
                }
            }

            /// Returns whether the function takes two arguments or any number of them.
            pub(crate) const fn is_binary(self) -> bool {
                matches!(self, $(Function::$binary)|*)
            }
        }
    };
}

functions!(facts);

impl Function {
    /// Returns the kind of domain on which the function has real values.
    pub(crate) const fn domain(self) -> RealDomain {
        self.facts().domain
    }

    /// Returns the possible signs of the function's values.
    pub(crate) const fn sign(self) -> ValueSigns {
        self.facts().sign
    }

    /// Returns the sample points that suit the function.
    pub(crate) const fn points(self) -> SuitablePoints {
        self.facts().points
    }

    /// Returns the function's behaviour at plus and minus infinity.
    pub(crate) const fn at_infinity(self) -> AtInfinity {
        self.facts().at_infinity
    }

    /// Returns the method that computes the function's image in the finite field.
    pub(crate) const fn image(self) -> Image {
        self.facts().image
    }

    /// Returns the part of the function's value that may be too small to show.
    pub(crate) const fn hidden(self) -> Hidden {
        self.facts().hidden
    }

    /// Returns whether values approach a limit at infinity without reaching it.
    ///
    /// Rounded to doubles, such values no longer depend on the argument.
    pub(crate) const fn saturates(self) -> bool {
        matches!(self.at_infinity(), AtInfinity::One | AtInfinity::QuarterTurn)
            && !matches!(self.hidden(), Hidden::Nothing)
    }

    /// Returns whether the function takes any number of arguments, in any order.
    pub(crate) const fn is_commutative(self) -> bool {
        self.facts().commutative
    }
}
