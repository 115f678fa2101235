//! Translation of a syntax tree with a single value to the expression DAG. Functions that the DAG does not
//! have are expressed by those that it has.

mod calculus;
mod extended;
mod indexed;
mod infinite_sum;
mod integrals;
mod limits;

pub(crate) use calculus::{without_added_constants, without_constants};
pub(crate) use extended::{Settled, settle};
pub(crate) use indexed::{Bound, BoundRange, join_families};

use crate::decide::range_of;
use crate::expr::{self, Arena, Direction, Function, Id, SeriesKind};
use crate::latex::derivatives;
use crate::latex::{ParseError, Problem};
use crate::limits::DETERMINANT_ROWS;
use crate::number::Rational;
use crate::points::{Domain, Variable};
use crate::symbols::{Declarations, LogBase};
use crate::syntax::{Constant, List, Named, Node, NodeId, Repeated, Side, Syntax};
use hashbrown::HashMap;
use smallvec::SmallVec;

/// Builds the value of the whole tree in `arena`.
///
/// # Errors
/// Returns an error if the tree is not a single value ([`crate::Kind::Value`]), or contains a part without a
/// meaning. If the arena overflows, the returned id must not be used; see [`Arena::overflowed`].
pub fn lower(tree: &Syntax, names: &Declarations, arena: &mut Arena) -> Result<Id, ParseError> {
    lower_within(tree, tree.root(), names, arena, None, &[]).map_err(|error| *error)
}

/// Builds the value of one node inside the sums and products that bind the indices of `scope`. `negative` lists the
/// `\pm` and `\mp` nodes that are read as minus, in ascending order.
pub(crate) fn lower_within(
    tree: &Syntax,
    node: NodeId,
    names: &Declarations,
    arena: &mut Arena,
    negative: Option<&[NodeId]>,
    scope: &[Bound],
) -> Result<Id, Box<ParseError>> {
    Lowering {
        tree,
        names,
        arena,
        negative,
        bound: 0,
        scope: scope.to_vec(),
        antiderivatives: Vec::new(),
        uses_index: false,
        bodies: 0,
        is_repeated: false,
        subscripts: HashMap::new(),
        index_names: None,
    }
    .value(node)
}

/// Returns the value of a limit, if it can be computed.
fn limit_of(arena: &mut Arena, symbol: expr::Symbol, point: Id, side: Direction, body: Id) -> Option<Id> {
    if let Some(value) = calculus::limit(arena, symbol, point, body) {
        return Some(value);
    }
    limits::limit(arena, symbol, point, side, body)
}

/// Returns the value of a definite integral, if it can be computed.
fn integral_of(arena: &mut Arena, symbol: expr::Symbol, (from, to): (Id, Id), body: Id) -> Option<Id> {
    integrals::integral(arena, symbol, from, to, body)
}

/// Returns whether a term may be 0 at values of its integer variables. A factor or a sum with a real variable is 0 at
/// single points only, which do not count.
pub(crate) fn may_vanish_at_integers(arena: &Arena, term: Id, variables: &[Variable]) -> bool {
    let mut pending: SmallVec<[Id; 8]> = SmallVec::from_slice(&[term]);
    while let Some(id) = pending.pop() {
        match arena.node(id) {
            expr::Node::Product(factors) => pending.extend_from_slice(factors),
            expr::Node::Power(base, _) => pending.push(base),
            _ => {
                let free = arena.free(id);
                let own: Vec<Variable> =
                    variables.iter().filter(|variable| free.contains(variable.symbol)).cloned().collect();
                if own.is_empty() || own.iter().any(|variable| !variable.domain.integer) {
                    continue;
                }
                let (low, high) = range_of(arena, id, &own);
                if low <= 0.0 && high >= 0.0 {
                    return true;
                }
            }
        }
    }
    false
}

/// Returns the sign of an infinite expression: `true` for plus infinity, `false` for minus infinity.
fn infinity(arena: &Arena, id: Id) -> Option<bool> {
    let infinite = |id: Id| matches!(arena.node(id), expr::Node::Constant(expr::Constant::Infinity));
    match arena.node(id) {
        expr::Node::Constant(expr::Constant::Infinity) => Some(true),
        expr::Node::Product(&([sign, other] | [other, sign]))
            if sign == Arena::MINUS_ONE && infinite(other) =>
        {
            Some(false)
        }
        _ => None,
    }
}

macro_rules! lowered {
    ($arena:ident $arguments:ident formula |$dag:ident, $x:ident| $value:expr) => {{
        let ($dag, &[$x]) = ($arena, $arguments) else { return None };
        $value
    }};
    ($arena:ident $arguments:ident formula |$dag:ident, $x:ident, $y:ident| $value:expr) => {{
        let ($dag, &[$x, $y]) = ($arena, $arguments) else { return None };
        $value
    }};
    ($arena:ident $arguments:ident matrix) => {
        return None
    };
    ($arena:ident $arguments:ident $kind:ident $function:ident $($row:tt)*) => {{
        if $arguments.is_empty() {
            return None;
        }
        $arena.apply(Function::$function, $arguments)
    }};
}

macro_rules! values_of_functions {
    ($($(#[$doc:meta])* $name:ident $reading:tt $kind:ident $($function:ident)? { $($row:tt)* },)*) => {
        /// Returns a function of values, or `None` if arguments are missing or the function takes a matrix.
        fn apply(arena: &mut Arena, named: Named, arguments: &[Id]) -> Option<Id> {
            Some(match named {
                $(Named::$name => lowered!(arena arguments $kind $($function)? $($row)*),)*
            })
        }
    };
}

fablegrade_latex::function_table! { values_of_functions {} }

struct Lowering<'t> {
    tree: &'t Syntax,
    names: &'t Declarations,
    arena: &'t mut Arena,
    /// The `\pm` and `\mp` nodes that are read as minus; `None` if such nodes have no value.
    negative: Option<&'t [NodeId]>,
    /// The number of indices that are bound at the current node.
    bound: u32,
    /// The bound variables by their names in the text.
    scope: Vec<indexed::Bound>,
    /// The variables of the indefinite integrals around the current node.
    antiderivatives: Vec<NodeId>,
    /// True if a name was found whose subscript contains a bound index.
    uses_index: bool,
    /// The number of bodies that were built to expand sums and products.
    bodies: u32,
    /// True inside a sum or product that is being expanded. Its names were read before.
    is_repeated: bool,
    /// The values of subscripts that were parsed.
    subscripts: HashMap<String, Option<Id>>,
    /// The names with which subscripts are parsed.
    index_names: Option<Declarations>,
}

type Lowered = Result<Id, Box<ParseError>>;
type Values = SmallVec<[Id; 8]>;

impl Lowering<'_> {
    /// Returns the value of a node.
    ///
    /// This function is long because it has one arm per kind of node.
    fn value(&mut self, id: NodeId) -> Lowered {
        if self.arena.overflowed() {
            return Ok(Arena::UNDEFINED);
        }
        Ok(match self.tree.node(id) {
            Node::Number(text) => return self.number(id, self.tree.text(text)),
            Node::Symbol(text) => {
                let name = self.tree.text(text);
                if self.has_bound_variables()
                    && let Some(value) = self.dependent_derivative(name)
                {
                    return Ok(value);
                }
                if !self.scope.is_empty()
                    && let Some(member) = self.member(id, name, &[])
                {
                    return member;
                }
                if self.names.is_complex(name) { self.complex(name) } else { self.arena.variable(name) }
            }
            Node::Constant(constant) => return self.constant(id, constant),
            Node::Group(inner) | Node::Plus(inner) => return self.value(inner),
            Node::Negate(inner) => {
                let inner = self.value(inner)?;
                self.arena.neg(inner)
            }
            Node::Sum(list) => {
                let terms = self.values(list)?;
                self.arena.sum(&terms)
            }
            Node::Product(list) => {
                let factors = self.values(list)?;
                self.arena.product(&factors)
            }
            Node::Quotient { numerator, denominator, .. } | Node::Ratio(numerator, denominator) => {
                let (a, b) = (self.value(numerator)?, self.value(denominator)?);
                self.arena.div(a, b)
            }
            Node::Power(base, exponent) => {
                let (a, b) = (self.value(base)?, self.value(exponent)?);
                self.arena.power(a, b)
            }
            Node::Sqrt(inner) => {
                let inner = self.value(inner)?;
                self.arena.sqrt(inner)
            }
            Node::Root(radicand, index) => {
                let (radicand, index) = (self.value(radicand)?, self.value(index)?);
                self.arena.root(index, radicand)
            }
            Node::Apply(named, arguments) => return self.apply(id, named, arguments),
            Node::Log(argument, base) => {
                let (argument, base) = (self.value(argument)?, self.value(base)?);
                self.arena.log(base, argument)
            }
            Node::Call(name, arguments) => {
                let arguments = self.values(arguments)?;
                let name = self.tree.text(name);
                if let Some(member) = self.member(id, name, &arguments) {
                    return member;
                }
                let name = self.arena.symbol(name);
                self.arena.call(name, &arguments)
            }
            Node::Mixed(list) => {
                let parts = self.values(list)?;
                let [whole, above, below] = parts[..] else {
                    return Err(self.not_a_value(id, "a malformed mixed number"));
                };
                let fraction = self.arena.div(above, below);
                self.arena.add(whole, fraction)
            }
            Node::Modulo(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.arena.apply(Function::Mod, &[a, b])
            }
            Node::Bars(inner) => return self.apply_one(Function::Abs, inner),
            // The norm of a single number is its absolute value.
            Node::DoubleBars(inner) => return self.apply_one(Function::Abs, inner),
            Node::Floor(inner) => return self.apply_one(Function::Floor, inner),
            Node::Ceil(inner) => return self.apply_one(Function::Ceil, inner),
            Node::Factorial(inner) => return self.apply_one(Function::Factorial, inner),
            Node::DoubleFactorial(inner) => return self.apply_one(Function::DoubleFactorial, inner),
            Node::Binomial(n, k) => {
                let (n, k) = (self.value(n)?, self.value(k)?);
                self.arena.apply(Function::Binomial, &[n, k])
            }
            Node::Percent(inner) => {
                let inner = self.value(inner)?;
                let hundredth = self.arena.fraction(1, 100);
                self.arena.mul(inner, hundredth)
            }
            Node::Degrees(inner) => {
                let inner = self.value(inner)?;
                let pi = self.arena.constant(expr::Constant::Pi);
                let part = self.arena.fraction(1, 180);
                self.arena.product(&[inner, pi, part])
            }
            Node::PlusMinus(inner) | Node::MinusPlus(inner) => {
                let Some(negative) = self.negative else {
                    return Err(self.not_a_value(id, "`\\pm` stands for two values"));
                };
                let inner = self.value(inner)?;
                if negative.binary_search(&id).is_ok() { self.arena.neg(inner) } else { inner }
            }
            Node::Words(text) => {
                let text = self.tree.text(text);
                if text.is_empty() || text.contains(' ') {
                    return Err(self.not_a_value(id, "words have no value"));
                }
                self.arena.variable(text)
            }
            Node::Repeated(kind, list) => {
                let &[index, from, to, body] = self.tree.list(list) else {
                    return Err(self.not_a_value(id, "a malformed sum"));
                };
                let (from, to) = (self.value(from)?, self.value(to)?);
                let kind = match kind {
                    Repeated::Sum => SeriesKind::Sum,
                    Repeated::Product => SeriesKind::Product,
                };
                let outside = std::mem::take(&mut self.uses_index);
                let parts = [index, body];
                let (index, body) = self.bind(index, body, BoundRange::Steps(from, to))?;
                let inside = std::mem::replace(&mut self.uses_index, outside);
                self.uses_index |= inside;
                if inside && let Some(value) = self.written_out(kind, parts, (from, to))? {
                    return Ok(value);
                }
                if kind == SeriesKind::Sum && infinity(self.arena, to) == Some(true) {
                    let mark = self.arena.mark();
                    match infinite_sum::infinite_sum(self.arena, &self.scope, index, from, body) {
                        Some(value) if !self.arena.overflowed() => return Ok(value),
                        _ => self.arena.truncate(&mark),
                    }
                }
                self.arena.series(kind, index, from, to, body)
            }
            Node::Limit(side, list) => {
                let &[variable, point, body] = self.tree.list(list) else {
                    return Err(self.not_a_value(id, "a malformed limit"));
                };
                let point = self.value(point)?;
                let side = match side {
                    Side::Both => Direction::Both,
                    Side::Below => Direction::Below,
                    Side::Above => Direction::Above,
                };
                let (variable, body) = self.bind(variable, body, BoundRange::Near(point, side))?;
                let before = self.arena.mark();
                match limit_of(self.arena, variable, point, side, body) {
                    Some(value) if self.holds_for_each_step(&before) => value,
                    _ => {
                        self.arena.truncate(&before);
                        self.arena.limit(variable, point, side, body)
                    }
                }
            }
            Node::Integral(list) => {
                let (variable, body, bounds) = match *self.tree.list(list) {
                    [variable, body] => (variable, body, None),
                    [variable, body, from, to] => (variable, body, Some((from, to))),
                    _ => return Err(self.not_a_value(id, "a malformed integral")),
                };
                match bounds {
                    Some((from, to)) => {
                        let bounds = (self.value(from)?, self.value(to)?);
                        let range = BoundRange::Between(bounds.0, bounds.1);
                        let (variable, body) = self.bind(variable, body, range)?;
                        let before = self.arena.mark();
                        match integral_of(self.arena, variable, bounds, body) {
                            Some(value) if self.holds_for_each_step(&before) => value,
                            _ => {
                                self.arena.truncate(&before);
                                self.arena.integral(variable, Some(bounds), body)
                            }
                        }
                    }
                    None => {
                        let symbol = self.symbol(variable)?;
                        self.antiderivatives.push(variable);
                        let body = self.value(body);
                        self.antiderivatives.pop();
                        self.arena.integral(symbol, None, body?)
                    }
                }
            }
            Node::Derivative(order, list) => {
                let &[variable, body] = self.tree.list(list) else {
                    return Err(self.not_a_value(id, "a malformed derivative"));
                };
                let variable = self.symbol(variable)?;
                let body = self.value(body)?;
                match calculus::derivative(self.arena, body, variable, order) {
                    Some(value) => value,
                    None => self.arena.derivative(variable, order, body),
                }
            }
            Node::Items { items, .. } => match *self.tree.list(items) {
                // Inside a calculation, the brackets of [x] and \{x\} only group.
                [only] => return self.value(only),
                _ => return Err(self.not_a_value(id, "this is a list, a set or a point, not one value")),
            },
            Node::Matrix { determinant: true, .. } => return self.determinant(id),
            Node::Matrix { .. } => return Err(self.not_a_value(id, "this is a matrix, not one value")),
            Node::Relation(_) => {
                return Err(self.not_a_value(id, "this is an equation or inequality, not one value"));
            }
            Node::Cases(_) => return Err(self.not_a_value(id, "cases are not a single value")),
            Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Implies(..) | Node::Iff(..) => {
                return Err(self.not_a_value(id, "this is a statement, not one value"));
            }
            Node::Union(_)
            | Node::Gathered(..)
            | Node::Intersection(_)
            | Node::SetMinus(..)
            | Node::Complement(_)
            | Node::SuchThat(..) => {
                return Err(self.not_a_value(id, "this is a set, not one value"));
            }
        })
    }

    /// Returns a complex variable as `a + ib` with two real variables.
    fn complex(&mut self, name: &str) -> Id {
        let real = self.arena.variable(&format!("\\operatorname{{Re}}{name}"));
        let imaginary = self.arena.variable(&format!("\\operatorname{{Im}}{name}"));
        let i = self.arena.constant(expr::Constant::I);
        let imaginary = self.arena.mul(i, imaginary);
        self.arena.add(real, imaginary)
    }

    fn values(&mut self, list: List) -> Result<Values, Box<ParseError>> {
        let tree = self.tree;
        let mut values = Values::new();
        for item in tree.list(list) {
            values.push(self.value(*item)?);
        }
        Ok(values)
    }

    fn apply_one(&mut self, function: Function, argument: NodeId) -> Lowered {
        let argument = self.value(argument)?;
        Ok(self.arena.apply(function, &[argument]))
    }

    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    fn not_a_value(&self, id: NodeId, message: &str) -> Box<ParseError> {
        Box::new(ParseError {
            span: self.tree.span(id),
            problem: Problem::NotAValue,
            message: message.to_owned(),
            expected: "an expression with one value",
            suggestion: None,
        })
    }

    fn symbol(&mut self, id: NodeId) -> Result<expr::Symbol, Box<ParseError>> {
        match self.tree.node(id) {
            Node::Symbol(text) => Ok(self.arena.symbol(self.tree.text(text))),
            _ => Err(self.not_a_value(id, "a variable is needed here")),
        }
    }

    /// Returns a body whose index has a name that depends only on the depth, so `\sum_k k` and `\sum_n n` are
    /// equal.
    fn bind(
        &mut self,
        index: NodeId,
        body: NodeId,
        range: BoundRange,
    ) -> Result<(expr::Symbol, Id), Box<ParseError>> {
        let written = self.symbol(index)?;
        self.bound += 1;
        self.enter(index, range);
        let body = self.value(body);
        self.scope.pop();
        let name = self.arena.symbol(&format!("_{}", self.bound));
        self.bound -= 1;
        let renamed = self.arena.variable_of(name);
        Ok((name, self.arena.substitute(body?, written, renamed)))
    }

    /// Returns whether a value that was built since `mark` is valid for all indices of the sums and products around it:
    /// no term by which it is divided is 0 for such an index.
    fn holds_for_each_step(&mut self, mark: &expr::Mark) -> bool {
        let terms = self.arena.divisors_since(mark);
        if terms.is_empty() {
            return true;
        }
        let mut indices: SmallVec<[(String, Domain); 2]> = SmallVec::new();
        for bound in &self.scope {
            let domain = match bound.range {
                BoundRange::Unknown => Domain { integer: true, ..Domain::default() },
                BoundRange::Steps(from, to) => Domain {
                    min: self.arena.as_number(from).cloned(),
                    max: self.arena.as_number(to).cloned(),
                    integer: true,
                    exclude: Vec::new(),
                },
                _ => continue,
            };
            indices.push((bound.written.clone(), domain));
        }
        let indices: SmallVec<[(expr::Symbol, Domain); 2]> =
            indices.into_iter().map(|(name, domain)| (self.arena.symbol(&name), domain)).collect();
        terms.iter().all(|&term| {
            let domain = |symbol| {
                let index = indices.iter().find(|(index, _)| *index == symbol);
                index.map_or_else(Domain::default, |(_, domain)| domain.clone())
            };
            let free = self.arena.free(term);
            let variables: Vec<Variable> =
                free.iter().map(|symbol| Variable { symbol, domain: domain(symbol) }).collect();
            !may_vanish_at_integers(self.arena, term, &variables)
        })
    }

    /// Returns whether a variable is bound here.
    #[inline]
    fn has_bound_variables(&self) -> bool {
        !self.scope.is_empty() || !self.antiderivatives.is_empty()
    }

    /// Returns a function of the bound variables for a derivative that depends on them; `None` otherwise.
    ///
    /// As a name, `\frac{dy}{dx}` would be constant in an integral over `x`.
    fn dependent_derivative(&mut self, name: &str) -> Option<Id> {
        let mut variables: SmallVec<[&str; 4]> = SmallVec::new();
        let bounded = self
            .scope
            .iter()
            .map(|bound| (bound.written.as_str(), matches!(bound.range, BoundRange::Between(..))));
        let unbounded = self.antiderivatives.iter().filter_map(|id| match self.tree.node(*id) {
            Node::Symbol(text) => Some((self.tree.text(text), true)),
            _ => None,
        });
        for (variable, is_of_integral) in bounded.chain(unbounded) {
            if derivatives::changes_with(name, variable, is_of_integral) && !variables.contains(&variable) {
                variables.push(variable);
            }
        }
        if variables.is_empty() {
            return None;
        }
        // The function does not depend on the order of the integrals.
        variables.sort_unstable();
        let arguments: Values = variables.iter().map(|variable| self.arena.variable(variable)).collect();
        let symbol = self.arena.symbol(name);
        Some(self.arena.call(symbol, &arguments))
    }

    fn number(&mut self, id: NodeId, text: &str) -> Lowered {
        if text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit()) {
            let value = text.bytes().fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
            return Ok(self.arena.integer(value));
        }
        let too_long = || self.not_a_value(id, "this number is too long");
        if let Some(open) = text.find('(') {
            // 0.1(6) = 0.1 + 6 / (9 * 10^1): as many nines as repeating digits, as many zeros as other
            // decimals.
            let start = Rational::from_decimal_text(&text[..open]).ok_or_else(too_long)?;
            let digits = text[open + 1..].trim_end_matches(')');
            let places = open - text.find('.').map_or(open, |point| point + 1);
            let repeating = Rational::from_decimal_text(digits).ok_or_else(too_long)?;
            let nines = Rational::from_decimal_text(&"9".repeat(digits.len())).ok_or_else(too_long)?;
            let shift = Rational::from(10i64).checked_pow(places as i64).ok_or_else(too_long)?;
            let tail = repeating
                .checked_div(&nines)
                .and_then(|tail| tail.checked_div(&shift))
                .ok_or_else(too_long)?;
            let value = start.checked_add(&tail).ok_or_else(too_long)?;
            return Ok(self.arena.number(value));
        }
        if let Some((mantissa, exponent)) = text.split_once('E') {
            let mantissa = Rational::from_decimal_text(mantissa).ok_or_else(too_long)?;
            let exponent: i64 = exponent.parse().map_err(|_| too_long())?;
            let (mantissa, ten, exponent) =
                (self.arena.number(mantissa), self.arena.integer(10), self.arena.integer(exponent));
            let scale = self.arena.power(ten, exponent);
            return Ok(self.arena.mul(mantissa, scale));
        }
        let value = Rational::from_decimal_text(text).ok_or_else(too_long)?;
        Ok(self.arena.number(value))
    }

    fn constant(&mut self, id: NodeId, constant: Constant) -> Lowered {
        let constant = match constant {
            Constant::Pi => expr::Constant::Pi,
            Constant::E => expr::Constant::E,
            Constant::I => expr::Constant::I,
            Constant::GoldenRatio => expr::Constant::Phi,
            Constant::EulerGamma => expr::Constant::EulerGamma,
            Constant::Infinity => expr::Constant::Infinity,
            Constant::ComplexInfinity => expr::Constant::ComplexInfinity,
            Constant::Undefined => expr::Constant::Undefined,
            Constant::True | Constant::False => {
                return Err(self.not_a_value(id, "a truth value is not a number"));
            }
            Constant::EmptySet | Constant::Numbers(_) => {
                return Err(self.not_a_value(id, "this is a set, not one value"));
            }
        };
        Ok(self.arena.constant(constant))
    }

    /// Returns the value of a named function.
    fn apply(&mut self, id: NodeId, named: Named, arguments: List) -> Lowered {
        if named == Named::Det {
            return match *self.tree.list(arguments) {
                [matrix] => self.determinant(matrix),
                _ => Err(self.not_a_value(id, "a determinant needs one matrix")),
            };
        }
        let arguments = self.values(arguments)?;
        let named = match named {
            Named::Log if self.names.log_base == LogBase::Natural => Named::Ln,
            Named::Arctan if arguments.len() == 2 => Named::Atan2,
            named => named,
        };
        apply(self.arena, named, &arguments).ok_or_else(|| self.not_a_value(id, "an argument is missing"))
    }

    /// Returns the determinant of a square matrix as a sum of products.
    fn determinant(&mut self, id: NodeId) -> Lowered {
        let Node::Matrix { columns, entries, .. } = self.tree.node(id) else {
            return match self.tree.node(id) {
                Node::Group(inner) => self.determinant(inner),
                _ => Err(self.not_a_value(id, "a determinant needs a matrix")),
            };
        };
        let size = columns as usize;
        if size * size != entries.len() || size > DETERMINANT_ROWS {
            return Err(self.not_a_value(id, "a determinant needs a square matrix with at most four rows"));
        }
        let values = self.values(entries)?;
        let rows: SmallVec<[usize; 4]> = (0..size).collect();
        Ok(self.minor(&values, size, 0, &rows))
    }

    /// Returns the determinant of the given rows and the columns from `column` on.
    fn minor(&mut self, values: &[Id], size: usize, column: usize, rows: &[usize]) -> Id {
        if rows.is_empty() {
            return Arena::ONE;
        }
        let mut terms: SmallVec<[Id; 4]> = SmallVec::new();
        for (at, row) in rows.iter().enumerate() {
            let rest: SmallVec<[usize; 4]> = rows.iter().copied().filter(|other| other != row).collect();
            let minor = self.minor(values, size, column + 1, &rest);
            let term = self.arena.mul(values[row * size + column], minor);
            terms.push(if at % 2 == 0 { term } else { self.arena.neg(term) });
        }
        self.arena.sum(&terms)
    }
}
