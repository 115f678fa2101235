//! The functions of the expression DAG, with the facts that the table of functions lists for each.
//!
//! The table is `fablegrade-latex/src/functions/table.rs`. [`functions`] sorts its rows by the number of arguments and passes them
//! to a macro of the module that needs a column; formulas are taken up by `lower` alone.

/// Passes the functions of the DAG to a macro: all of them in order, then the rows of those with one argument and of the others.
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

/// The domain on which a function has real values, for real arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RealDomain {
    /// The whole line.
    Whole,
    /// A part of the line; beyond it are principal complex values.
    Cut,
    /// But for single points, or at whole numbers only.
    Holes,
}

/// The known signs of a function's values.
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
pub(crate) enum Wanted {
    /// All are treated the same.
    Anywhere,
    /// Points on both sides of its steps.
    Steps,
    /// Whole numbers beside others.
    WholeNumbersToo,
    /// Whole numbers.
    WholeNumbers,
}

/// The behaviour of a function of one argument at the ends of the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtInfinity {
    /// The behaviour is not known.
    Unknown,
    /// The function has no value there.
    NoValue,
    /// The function tends to the same infinity.
    Grows,
    /// Infinity at both ends.
    GrowsBothWays,
    /// Infinity at infinity; not known at minus infinity.
    GrowsUpwards,
    /// The function tends to 1 and -1.
    One,
    /// A quarter turn, and minus that.
    QuarterTurn,
}

/// The kind of function it is to the finite field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Image {
    /// A function of an angle.
    Circular,
    /// A function of an exponent.
    Hyperbolic,
    /// The logarithm.
    Logarithm,
    /// Inverse hyperbolic, with a root inside the logarithm.
    RootedLogarithm,
    /// Inverse hyperbolic, without one.
    PlainLogarithm,
    /// An inverse trigonometric function.
    Arc,
    /// Size and sign of a value.
    Size,
    /// The least or greatest of several.
    Extremum,
    /// A function of a value alone.
    Plain,
}

/// The part of a function's value that its last places may hide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hidden {
    /// Nothing.
    Nothing,
    /// The cube of a small argument.
    Cube,
    /// That, and `e^(-2|u|)` of a large one.
    Exponential,
    /// That, and `e^(-u²)` of a large one.
    Gaussian,
    /// The cube of a small argument, the square of what a large one is beside 1.
    SquareFar,
    /// The latter alone.
    SquareFarOnly,
}

/// The facts of one function.
struct Facts {
    domain: RealDomain,
    sign: ValueSigns,
    points: Wanted,
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
        /// Known functions. Secant and similar functions are formulas of these.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)] // each is the function of its name
        pub enum Function { $($function,)* }

        impl Function {
            const fn facts(self) -> Facts {
                match self {
                    $(Function::$unary => Facts {
                        domain: RealDomain::$domain,
                        sign: ValueSigns::$sign,
                        points: Wanted::$points,
                        at_infinity: AtInfinity::$end,
                        image: Image::$image,
                        hidden: Hidden::$hidden,
                        commutative: false,
                    },)*
                    $(Function::$binary => Facts {
                        domain: RealDomain::$of_pair,
                        sign: ValueSigns::Any,
                        points: Wanted::$suit,
                        at_infinity: AtInfinity::Unknown,
                        image: Image::$kind,
                        hidden: Hidden::Nothing,
                        commutative: order!($order),
                    },)*
                }
            }

            /// Returns whether it takes two arguments, or any number of them.
            pub(crate) const fn is_binary(self) -> bool {
                matches!(self, $(Function::$binary)|*)
            }
        }
    };
}

functions!(facts);

impl Function {
    /// Returns where the function has real values.
    pub(crate) const fn domain(self) -> RealDomain {
        self.facts().domain
    }

    /// Returns what is known of the function's sign.
    pub(crate) const fn sign(self) -> ValueSigns {
        self.facts().sign
    }

    /// Returns which sample points suit the function.
    pub(crate) const fn points(self) -> Wanted {
        self.facts().points
    }

    /// Returns the function's behaviour at the ends of the line.
    pub(crate) const fn at_infinity(self) -> AtInfinity {
        self.facts().at_infinity
    }

    /// Returns what kind of function it is to the finite field.
    pub(crate) const fn image(self) -> Image {
        self.facts().image
    }

    /// Returns what the function's value may hide.
    pub(crate) const fn hidden(self) -> Hidden {
        self.facts().hidden
    }

    /// Returns whether values come near a limit far out and still differ from it, so that doubles do not reveal the
    /// argument.
    pub(crate) const fn saturates(self) -> bool {
        matches!(self.at_infinity(), AtInfinity::One | AtInfinity::QuarterTurn)
            && !matches!(self.hidden(), Hidden::Nothing)
    }

    /// Returns whether its value does not depend on the order of its arguments, of which there can be any number.
    pub(crate) const fn is_commutative(self) -> bool {
        self.facts().commutative
    }
}
