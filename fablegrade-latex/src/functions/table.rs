//! The table of all functions: one row each, with everything that reading, printing and mathematics need.
//!
//! A row has a name, the columns that reading and printing need ([`super::Row`]), and a definition:
//! - `formula { |dag, x| ... }`: the DAG of `fablegrade-math` expresses it with other functions, and no more
//!   columns are needed;
//! - `matrix {}`: a function of a matrix, without columns;
//! - `unary NAME { ... }` and `binary NAME { ... }`: a function of that DAG. Each column is expanded in the
//!   module of `fablegrade-math` that uses it, so its paths are relative to that module:
//!
//! | column | content | used by |
//! |---|---|---|
//! | `facts` | where it has real values, their sign, suitable sample points, its value at infinity, its kind in the finite field, the part of its value that rounding can hide | `functions` |
//! | `range` | bounds of its values from those of its arguments | `decide::range` |
//! | `derivative` | the derivative, if there is one | `lower::calculus` |
//! | `doubles` | value with error bound in doubles: real, complex | `evaluate` |
//! | `balls` | the same in balls | `precise` |
//! | `image` | the image in the finite field | `field::values` |
//!
//! A binary row has no `derivative` and only real `doubles` and `balls`. Its `facts` have no sign, value at
//! infinity or hidden part, but `order`: whether the order of its arguments matters.

/// Passes the rows to a macro, after the tokens in braces.
#[doc(hidden)]
#[macro_export]
macro_rules! function_table {
    ($then:ident { $($first:tt)* }) => {
        $then! {
            $($first)*

            Sin { plain: "sin", printed: "\\sin", commands: &["sin", "sen"], words: &[], arity: 1..=1, inverse: Some(Named::Arcsin) }
                unary Sin {
                    facts { domain: Whole, sign: Any, points: Anywhere, at_infinity: NoValue, image: Circular, hidden: Cube }
                    range { |_| (-1.0, 1.0) }
                    derivative { |dag, x| Some(dag.apply(Function::Cos, &[x])) }
                    doubles { elementary::sin, Number::sin }
                    balls { |c, x| Ok(c.sin_cos(x)?.0), |c, z| Ok(c.complex_sin_cos(z)?.0) }
                    image { |s, x| Ok(real(s.point_at(x)?.im)) }
                },
            Cos { plain: "cos", printed: "\\cos", commands: &["cos"], words: &[], arity: 1..=1, inverse: Some(Named::Arccos) }
                unary Cos {
                    facts { domain: Whole, sign: Any, points: Anywhere, at_infinity: NoValue, image: Circular, hidden: Cube }
                    range { |_| (-1.0, 1.0) }
                    derivative { |dag, x| { let sin = dag.apply(Function::Sin, &[x]); Some(dag.neg(sin)) } }
                    doubles { elementary::cos, Number::cos }
                    balls { |c, x| Ok(c.sin_cos(x)?.1), |c, z| Ok(c.complex_sin_cos(z)?.1) }
                    image { |s, x| Ok(real(s.point_at(x)?.re)) }
                },
            Tan { plain: "tan", printed: "\\tan", commands: &["tan", "tg"], words: &[], arity: 1..=1, inverse: Some(Named::Arctan) }
                unary Tan {
                    facts { domain: Holes, sign: Any, points: Anywhere, at_infinity: NoValue, image: Circular, hidden: Cube }
                    range { |_| EVERYWHERE }
                    derivative { |dag, x| { let (cos, power) = (dag.apply(Function::Cos, &[x]), dag.integer(-2)); Some(dag.power(cos, power)) } }
                    doubles { elementary::tan, Number::tan }
                    balls { Context::tan, Context::complex_tan }
                    image { Sample::tan }
                },
            Cot { plain: "cot", printed: "\\cot", commands: &["cot", "ctg", "cotg", "cotan"], words: &[], arity: 1..=1, inverse: Some(Named::Arccot) }
                formula { |dag, x| { let (cos, csc) = (dag.apply(Function::Cos, &[x]), dag.reciprocal_of(Function::Sin, x)); dag.mul(cos, csc) } },
            Sec { plain: "sec", printed: "\\sec", commands: &["sec"], words: &[], arity: 1..=1, inverse: Some(Named::Arcsec) }
                formula { |dag, x| dag.reciprocal_of(Function::Cos, x) },
            Csc { plain: "csc", printed: "\\csc", commands: &["csc", "cosec"], words: &[], arity: 1..=1, inverse: Some(Named::Arccsc) }
                formula { |dag, x| dag.reciprocal_of(Function::Sin, x) },
            Arcsin { plain: "arcsin", printed: "\\arcsin", commands: &["arcsen", "arcsin", "asin"], words: &[], arity: 1..=1, inverse: None }
                unary Asin {
                    facts { domain: Cut, sign: OfArgument, points: Anywhere, at_infinity: Unknown, image: Arc, hidden: Cube }
                    range { |x| odd(x, QUARTER) }
                    derivative { |dag, x| Some(dag.of_square(Arena::ONE, Arena::MINUS_ONE, x, (-1, 2))) }
                    doubles { elementary::arcsin, Number::asin }
                    balls { Context::asin, Context::complex_asin }
                    image { |s, x| s.arc_image(Function::Asin, x) }
                },
            Arccos { plain: "arccos", printed: "\\arccos", commands: &["arccos", "acos"], words: &[], arity: 1..=1, inverse: None }
                unary Acos {
                    facts { domain: Cut, sign: NotNegative, points: Anywhere, at_infinity: Unknown, image: Arc, hidden: Cube }
                    range { |_| (0.0, HALF) }
                    derivative { |dag, x| { let slope = dag.of_square(Arena::ONE, Arena::MINUS_ONE, x, (-1, 2)); Some(dag.neg(slope)) } }
                    doubles { elementary::arccos, Number::acos }
                    balls { Context::acos, Context::complex_acos }
                    image { |s, x| s.arc_image(Function::Acos, x) }
                },
            Arctan { plain: "arctan", printed: "\\arctan", commands: &["arctan", "atan", "arctg", "atg"], words: &[], arity: 1..=2, inverse: None }
                unary Atan {
                    facts { domain: Whole, sign: OfArgument, points: Anywhere, at_infinity: QuarterTurn, image: Arc, hidden: SquareFar }
                    range { |x| odd(x, QUARTER) }
                    derivative { |dag, x| Some(dag.of_square(Arena::ONE, Arena::ONE, x, (-1, 1))) }
                    doubles { elementary::arctan, Number::atan }
                    balls { Context::atan, Context::complex_atan }
                    image { |s, x| s.arc_image(Function::Atan, x) }
                },
            Arccot { plain: "arccot", printed: "\\operatorname{arccot}", commands: &["arccotan", "arccot", "acot", "arcctg", "arccotg"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| { let (quarter, arc) = (dag.quarter_turn(), dag.apply(Function::Atan, &[x])); dag.sub(quarter, arc) } },
            Arcsec { plain: "arcsec", printed: "\\operatorname{arcsec}", commands: &["arcsec", "asec"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| dag.of_reciprocal(Function::Acos, x) },
            Arccsc { plain: "arccsc", printed: "\\operatorname{arccsc}", commands: &["arccsc", "acsc", "arccosec", "acosec"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| dag.of_reciprocal(Function::Asin, x) },
            Sinh { plain: "sinh", printed: "\\sinh", commands: &["senh", "sinh", "sh"], words: &[], arity: 1..=1, inverse: Some(Named::Arsinh) }
                unary Sinh {
                    facts { domain: Whole, sign: OfArgument, points: Anywhere, at_infinity: Grows, image: Hyperbolic, hidden: Exponential }
                    range { |x| odd(x, f64::INFINITY) }
                    derivative { |dag, x| Some(dag.apply(Function::Cosh, &[x])) }
                    doubles { elementary::sinh, Number::sinh }
                    balls { Context::sinh, Context::complex_sinh }
                    image { |s, x| { let (up, down) = s.exponentials(x)?; Ok(real(s.halved(s.prime.p.sub(up, down)))) } }
                },
            Cosh { plain: "cosh", printed: "\\cosh", commands: &["cosh", "ch"], words: &[], arity: 1..=1, inverse: Some(Named::Arcosh) }
                unary Cosh {
                    facts { domain: Whole, sign: NotNegative, points: Anywhere, at_infinity: GrowsBothWays, image: Hyperbolic, hidden: Exponential }
                    range { |_| (1.0, f64::INFINITY) }
                    derivative { |dag, x| Some(dag.apply(Function::Sinh, &[x])) }
                    doubles { elementary::cosh, Number::cosh }
                    balls { Context::cosh, Context::complex_cosh }
                    image { |s, x| { let (up, down) = s.exponentials(x)?; Ok(real(s.halved(s.prime.p.add(up, down)))) } }
                },
            Tanh { plain: "tanh", printed: "\\tanh", commands: &["tgh", "tanh", "th"], words: &[], arity: 1..=1, inverse: Some(Named::Artanh) }
                unary Tanh {
                    facts { domain: Whole, sign: OfArgument, points: Anywhere, at_infinity: One, image: Hyperbolic, hidden: Exponential }
                    range { |x| odd(x, 1.0) }
                    derivative { |dag, x| { let (cosh, power) = (dag.apply(Function::Cosh, &[x]), dag.integer(-2)); Some(dag.power(cosh, power)) } }
                    doubles { elementary::tanh, Number::tanh }
                    balls { Context::tanh, Context::complex_tanh }
                    image { Sample::tanh }
                },
            Coth { plain: "coth", printed: "\\coth", commands: &["cotanh", "coth", "cth"], words: &[], arity: 1..=1, inverse: Some(Named::Arcoth) }
                formula { |dag, x| { let (cosh, csch) = (dag.apply(Function::Cosh, &[x]), dag.reciprocal_of(Function::Sinh, x)); dag.mul(cosh, csch) } },
            Sech { plain: "sech", printed: "\\operatorname{sech}", commands: &["sech"], words: &[], arity: 1..=1, inverse: Some(Named::Arsech) }
                formula { |dag, x| dag.reciprocal_of(Function::Cosh, x) },
            Csch { plain: "csch", printed: "\\operatorname{csch}", commands: &["csch", "cosech"], words: &[], arity: 1..=1, inverse: Some(Named::Arcsch) }
                formula { |dag, x| dag.reciprocal_of(Function::Sinh, x) },
            Arsinh { plain: "arsinh", printed: "\\operatorname{arsinh}", commands: &["arsinh", "arcsinh", "asinh", "argsinh", "argsh", "arsh"], words: &[], arity: 1..=1, inverse: None }
                unary Asinh {
                    facts { domain: Whole, sign: OfArgument, points: Anywhere, at_infinity: Grows, image: RootedLogarithm, hidden: SquareFar }
                    range { |x| odd(x, f64::INFINITY) }
                    derivative { |dag, x| Some(dag.of_square(Arena::ONE, Arena::ONE, x, (-1, 2))) }
                    doubles { elementary::arsinh, Number::asinh }
                    balls { Context::asinh, Context::complex_asinh }
                    image { |s, x| s.area(Function::Asinh, x) }
                },
            Arcosh { plain: "arcosh", printed: "\\operatorname{arcosh}", commands: &["arcosh", "arccosh", "acosh", "argcosh", "argch", "arch"], words: &[], arity: 1..=1, inverse: None }
                unary Acosh {
                    facts { domain: Cut, sign: NotNegative, points: Anywhere, at_infinity: GrowsUpwards, image: RootedLogarithm, hidden: SquareFarOnly }
                    range { |_| (0.0, f64::INFINITY) }
                    derivative { |dag, x| { let half = dag.fraction(-1, 2); let (below, above) = (dag.sub(x, Arena::ONE), dag.add(x, Arena::ONE)); let (below, above) = (dag.power(below, half), dag.power(above, half)); Some(dag.mul(below, above)) } }
                    doubles { elementary::arcosh, Number::acosh }
                    balls { Context::acosh, Context::complex_acosh }
                    image { |s, x| s.area(Function::Acosh, x) }
                },
            Artanh { plain: "artanh", printed: "\\operatorname{artanh}", commands: &["artanh", "arctanh", "atanh", "argtanh", "argth", "arth"], words: &[], arity: 1..=1, inverse: None }
                unary Atanh {
                    facts { domain: Cut, sign: OfArgument, points: Anywhere, at_infinity: Unknown, image: PlainLogarithm, hidden: Cube }
                    range { |x| odd(x, f64::INFINITY) }
                    derivative { |dag, x| Some(dag.of_square(Arena::ONE, Arena::MINUS_ONE, x, (-1, 1))) }
                    doubles { elementary::artanh, Number::atanh }
                    balls { Context::atanh, Context::complex_atanh }
                    image { |s, x| s.area(Function::Atanh, x) }
                },
            Arcoth { plain: "arcoth", printed: "\\operatorname{arcoth}", commands: &["arcoth", "arccoth", "acoth"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| dag.of_reciprocal(Function::Atanh, x) },
            Arsech { plain: "arsech", printed: "\\operatorname{arsech}", commands: &["arsech", "arcsech", "asech"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| dag.of_reciprocal(Function::Acosh, x) },
            Arcsch { plain: "arcsch", printed: "\\operatorname{arcsch}", commands: &["arcsch", "arccsch", "acsch", "arcosech"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| dag.of_reciprocal(Function::Asinh, x) },
            Exp { plain: "exp", printed: "\\exp", commands: &["exp"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| dag.exp(x) },
            Ln { plain: "ln", printed: "\\ln", commands: &["ln"], words: &[], arity: 1..=1, inverse: None }
                unary Ln {
                    facts { domain: Cut, sign: Any, points: Anywhere, at_infinity: GrowsUpwards, image: Logarithm, hidden: Nothing }
                    range { |x| if x.0 >= 1.0 { (0.0, f64::INFINITY) } else { EVERYWHERE } }
                    derivative { |dag, x| Some(dag.power(x, Arena::MINUS_ONE)) }
                    doubles { elementary::ln, Number::ln }
                    balls { Context::ln, Context::complex_ln }
                    image { Sample::ln }
                },
            /// `\log` without a base. The formula is for base 10; if the declarations set base e, it is read as `Ln`.
            Log { plain: "log", printed: "\\log", commands: &["log"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| { let ten = dag.integer(10); dag.log(ten, x) } },
            /// Base 10.
            Lg { plain: "lg", printed: "\\lg", commands: &["lg"], words: &["log10"], arity: 1..=1, inverse: None }
                formula { |dag, x| { let ten = dag.integer(10); dag.log(ten, x) } },
            /// Base 2.
            Lb { plain: "lb", printed: "\\operatorname{lb}", commands: &["lb", "ld"], words: &["log2"], arity: 1..=1, inverse: None }
                formula { |dag, x| dag.log(Arena::TWO, x) },
            Sqrt { plain: "sqrt", printed: "\\sqrt", commands: &[], words: &["sqrt"], arity: 1..=1, inverse: None }
                formula { |dag, x| dag.sqrt(x) },
            Cbrt { plain: "cbrt", printed: "\\operatorname{cbrt}", commands: &["cbrt"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| { let three = dag.integer(3); dag.root(three, x) } },
            Abs { plain: "abs", printed: "\\operatorname{abs}", commands: &["abs"], words: &[], arity: 1..=1, inverse: None }
                unary Abs {
                    facts { domain: Whole, sign: NotNegative, points: Anywhere, at_infinity: GrowsBothWays, image: Size, hidden: Nothing }
                    range { size }
                    derivative { |dag, x| Some(dag.apply(Function::Sign, &[x])) }
                    doubles { discrete::absolute, |z| Number::real(z.modulus()).checked() }
                    balls { |_, x| Ok(x.clone().absolute()), |c, z| Ok(Number::real(c.modulus(z)?)) }
                    image { Sample::absolute }
                },
            Sgn { plain: "sgn", printed: "\\operatorname{sgn}", commands: &["sgn", "sign", "signum"], words: &[], arity: 1..=1, inverse: None }
                unary Sign {
                    facts { domain: Whole, sign: OfArgument, points: Steps, at_infinity: One, image: Size, hidden: Nothing }
                    range { |x| odd(x, 1.0) }
                    derivative { |_, _| None }
                    doubles { discrete::sign, |z| z.over(Number::real(z.modulus())) }
                    balls { |_, x| x.sign().map(|sign| Ball::integer(sign as i64)).ok_or(Gap::Unknown), |c, z| { let size = Number::real(c.modulus(z)?); c.complex_divide(z, &size) } }
                    image { |s, x| Ok(real(s.prime.p.form_signed(i64::from(s.sign(x)?)))) }
                },
            Floor { plain: "floor", printed: "\\operatorname{floor}", commands: &["floor"], words: &[], arity: 1..=1, inverse: None }
                unary Floor {
                    facts { domain: Whole, sign: Any, points: Steps, at_infinity: Grows, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::floor, Number::unknown }
                    balls { |_, x| x.floor(), Context::complex_unknown }
                    image { |s, x| Ok(real(s.rounded(Function::Floor, x)?)) }
                },
            Ceil { plain: "ceil", printed: "\\operatorname{ceil}", commands: &["ceil", "ceiling"], words: &[], arity: 1..=1, inverse: None }
                unary Ceil {
                    facts { domain: Whole, sign: Any, points: Steps, at_infinity: Grows, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::ceil, Number::unknown }
                    balls { |_, x| Ok(x.clone().negated().floor()?.negated()), Context::complex_unknown }
                    image { |s, x| Ok(real(s.rounded(Function::Ceil, x)?)) }
                },
            Round { plain: "round", printed: "\\operatorname{round}", commands: &["round"], words: &[], arity: 1..=1, inverse: None }
                unary Round {
                    facts { domain: Whole, sign: Any, points: Steps, at_infinity: Grows, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::round, Number::unknown }
                    balls { Context::round, Context::complex_unknown }
                    image { |s, x| Ok(real(s.rounded(Function::Round, x)?)) }
                },
            Trunc { plain: "trunc", printed: "\\operatorname{trunc}", commands: &["trunc"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| { let (sign, size) = (dag.apply(Function::Sign, &[x]), dag.apply(Function::Abs, &[x])); let whole = dag.apply(Function::Floor, &[size]); dag.mul(sign, whole) } },
            Min { plain: "min", printed: "\\min", commands: &["min"], words: &[], arity: 1..=usize::MAX, inverse: None }
                binary Min {
                    facts { domain: Whole, order: Commutative, points: Anywhere, image: Extremum }
                    range { |a, b| (a.0.min(b.0), a.1.min(b.1)) }
                    doubles { discrete::minimum }
                    balls { |c, x, y| c.extremum(Ordering::Less, x, y) }
                    image { |s, id, parts| s.extremum(id, -1, parts) }
                },
            Max { plain: "max", printed: "\\max", commands: &["max"], words: &[], arity: 1..=usize::MAX, inverse: None }
                binary Max {
                    facts { domain: Whole, order: Commutative, points: Anywhere, image: Extremum }
                    range { |a, b| (a.0.max(b.0), a.1.max(b.1)) }
                    doubles { discrete::maximum }
                    balls { |c, x, y| c.extremum(Ordering::Greater, x, y) }
                    image { |s, id, parts| s.extremum(id, 1, parts) }
                },
            Gcd { plain: "gcd", printed: "\\gcd", commands: &["gcd", "hcf", "ggT"], words: &[], arity: 1..=usize::MAX, inverse: None }
                binary Gcd {
                    facts { domain: Holes, order: Commutative, points: WholeNumbers, image: Plain }
                    range { |_, _| EVERYWHERE }
                    doubles { discrete::common_measure }
                    balls { |c, x, y| c.of_integers(number::gcd, x, y) }
                    image { |s, _, parts| Ok(real(s.integer_function(Function::Gcd, parts)?)) }
                },
            Lcm { plain: "lcm", printed: "\\operatorname{lcm}", commands: &["lcm", "kgV"], words: &[], arity: 1..=usize::MAX, inverse: None }
                binary Lcm {
                    facts { domain: Holes, order: Commutative, points: WholeNumbers, image: Plain }
                    range { |_, _| EVERYWHERE }
                    doubles { discrete::common_multiple }
                    balls { |c, x, y| c.of_integers(number::lcm, x, y) }
                    image { |s, _, parts| Ok(real(s.integer_function(Function::Lcm, parts)?)) }
                },
            Mod { plain: "mod", printed: "\\operatorname{mod}", commands: &[], words: &[], arity: 2..=2, inverse: None }
                binary Mod {
                    facts { domain: Holes, order: Ordered, points: Steps, image: Plain }
                    range { |_, _| EVERYWHERE }
                    doubles { discrete::modulo }
                    balls { Context::modulo }
                    image { |s, _, parts| Ok(real(s.integer_function(Function::Mod, parts)?)) }
                },
            Factorial { plain: "factorial", printed: "\\operatorname{factorial}", commands: &["fact", "factorial"], words: &[], arity: 1..=1, inverse: None }
                unary Factorial {
                    facts { domain: Holes, sign: Any, points: WholeNumbersToo, at_infinity: GrowsUpwards, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::factorial, Number::unknown }
                    balls { Context::factorial, Context::complex_unknown }
                    image { |s, x| Ok(real(s.factorial_of(x, 0)?)) }
                },
            /// `n (n-2) (n-4) ...`
            DoubleFactorial { plain: "doublefactorial", printed: "\\operatorname{doublefactorial}", commands: &[], words: &["doublefactorial"], arity: 1..=1, inverse: None }
                unary DoubleFactorial {
                    facts { domain: Holes, sign: Any, points: WholeNumbers, at_infinity: Unknown, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::double_factorial, Number::unknown }
                    balls { Context::double_factorial, Context::complex_unknown }
                    image { |s, x| Ok(real(s.integer_function(Function::DoubleFactorial, &[x])?)) }
                },
            Gamma { plain: "gamma", printed: "\\operatorname{gamma}", commands: &[], words: &["gamma", "Gamma"], arity: 1..=1, inverse: None }
                unary Gamma {
                    facts { domain: Holes, sign: Any, points: WholeNumbersToo, at_infinity: GrowsUpwards, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { elementary::gamma, Number::unknown }
                    balls { Context::gamma, Context::complex_unknown }
                    image { |s, x| Ok(real(s.factorial_of(x, 1)?)) }
                },
            Binomial { plain: "binomial", printed: "\\operatorname{binomial}", commands: &["nCr", "binomial"], words: &["binom", "choose"], arity: 2..=2, inverse: None }
                binary Binomial {
                    facts { domain: Holes, order: Ordered, points: WholeNumbersToo, image: Plain }
                    range { |_, _| EVERYWHERE }
                    doubles { discrete::binomial }
                    balls { Context::binomial }
                    image { Sample::binomial }
                },
            /// Falling factorials: n!/(n-k)!.
            Permutations { plain: "permutations", printed: "\\operatorname{nPr}", commands: &["nPr"], words: &[], arity: 2..=2, inverse: None }
                formula { |dag, n, k| { let rest = dag.sub(n, k); let (all, rest) = (dag.apply(Function::Factorial, &[n]), dag.apply(Function::Factorial, &[rest])); dag.div(all, rest) } },
            Re { plain: "re", printed: "\\operatorname{Re}", commands: &["Re", "real"], words: &[], arity: 1..=1, inverse: None }
                unary Re {
                    facts { domain: Whole, sign: Any, points: Anywhere, at_infinity: Unknown, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::real_part, |z| Ok(Number::real(z.re)) }
                    balls { |_, x| Ok(x.clone()), |_, z| Ok(Number::real(z.re.clone())) }
                    image { |s, x| Ok(real(s.value_of(x).re)) }
                },
            Im { plain: "im", printed: "\\operatorname{Im}", commands: &["Im", "imag"], words: &[], arity: 1..=1, inverse: None }
                unary Im {
                    facts { domain: Whole, sign: Any, points: Anywhere, at_infinity: Unknown, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::imaginary_part, |z| Ok(Number::real(z.im)) }
                    balls { |_, _| Ok(Ball::zero()), |_, z| Ok(Number::real(z.im.clone())) }
                    image { |s, x| Ok(real(s.value_of(x).im)) }
                },
            Conj { plain: "conj", printed: "\\operatorname{conj}", commands: &["conj"], words: &[], arity: 1..=1, inverse: None }
                unary Conj {
                    facts { domain: Whole, sign: Any, points: Anywhere, at_infinity: Unknown, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::real_part, |z| Ok(z.conjugate()) }
                    balls { |_, x| Ok(x.clone()), |_, z| Ok(z.conjugate()) }
                    image { |s, x| { let z = s.value_of(x); Ok(Complex { re: z.re, im: s.prime.p.neg(z.im) }) } }
                },
            Arg { plain: "arg", printed: "\\operatorname{arg}", commands: &["arg"], words: &[], arity: 1..=1, inverse: None }
                unary Arg {
                    facts { domain: Holes, sign: Any, points: Anywhere, at_infinity: Unknown, image: Plain, hidden: Nothing }
                    range { |_| EVERYWHERE }
                    derivative { |_, _| None }
                    doubles { discrete::argument, |z| if z.is_zero() { Err(Gap::Undefined) } else { Ok(Number::real(z.argument()?)) } }
                    balls { Context::argument, |c, z| Ok(Number::real(c.atan2(&z.im, &z.re)?)) }
                    image { |_, _| Err(Stop::Unfit) }
                },
            Atan2 { plain: "atan2", printed: "\\operatorname{atan2}", commands: &[], words: &["atan2", "arctan2"], arity: 2..=2, inverse: None }
                binary Atan2 {
                    facts { domain: Holes, order: Ordered, points: Anywhere, image: Plain }
                    range { |_, _| EVERYWHERE }
                    doubles { discrete::arc_tangent }
                    balls { Context::atan2 }
                    image { |_, _, _| Err(Stop::Unfit) }
                },
            Erf { plain: "erf", printed: "\\operatorname{erf}", commands: &["erf"], words: &[], arity: 1..=1, inverse: None }
                unary Erf {
                    facts { domain: Whole, sign: OfArgument, points: Anywhere, at_infinity: One, image: Plain, hidden: Gaussian }
                    range { |x| odd(x, 1.0) }
                    derivative { |dag, x| { let (square, two, pi) = (dag.mul(x, x), dag.integer(2), dag.pi()); let power = dag.neg(square); let (bell, root) = (dag.exp(power), dag.sqrt(pi)); let above = dag.mul(two, bell); Some(dag.div(above, root)) } }
                    doubles { elementary::erf, Number::unknown }
                    balls { Context::erf, Context::complex_unknown }
                    image { |s, x| Ok(real(s.odd_atom(Function::Erf, s.real_of(x)?))) }
                },
            /// cos x + i sin x.
            Cis { plain: "cis", printed: "\\operatorname{cis}", commands: &["cis"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| { let (cos, sin) = (dag.apply(Function::Cos, &[x]), dag.apply(Function::Sin, &[x])); let i = dag.imaginary_unit(); let imaginary = dag.mul(i, sin); dag.add(cos, imaginary) } },
            /// The determinant; only of a matrix.
            Det { plain: "det", printed: "\\operatorname{det}", commands: &["det"], words: &[], arity: 1..=1, inverse: None }
                matrix {},
            /// 1 - cos x.
            Versin { plain: "versin", printed: "\\operatorname{versin}", commands: &["versin"], words: &[], arity: 1..=1, inverse: None }
                formula { |dag, x| { let cos = dag.apply(Function::Cos, &[x]); dag.sub(Arena::ONE, cos) } },
        }
    };
}
