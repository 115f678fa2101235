//! Compilation of the DAG to straight-line code.
//!
//! Outside loops, a shared part is compiled once. A quotient becomes one division, and a small power becomes
//! a chain of products.

use crate::limits::{CALL_ARGUMENTS, POWER_CHAIN, SERIES_NESTING};
use smallvec::SmallVec;

use super::{Constancy, Instruction, Program, Repetition, Slot, unknown};
use crate::expr::{Arena, Constant, Function, Id, Node, Symbol};
use crate::functions::SuitablePoints;
use crate::number::Rational;

const NONE: Slot = Slot::MAX;

/// Buffers that compilations share.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The slot of each node, or `NONE` if it has no slot yet.
    slots: Vec<Slot>,
    stack: Vec<Id>,
    /// Nodes in the order in which they got slots. The slots of a loop's body are removed after the loop.
    made: Vec<Id>,
}

impl Program {
    /// Works like [`Program::new`], but reuses the buffers.
    pub fn compile(&mut self, arena: &Arena, roots: &[Id], variables: &[Symbol]) {
        self.code.clear();
        self.numbers.clear();
        self.operands.clear();
        self.calls.clear();
        self.outputs.clear();
        (self.exact, self.imaginary, self.incomplete) = (false, false, false);
        self.columns = variables.len();
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.slots.clear();
        scratch.slots.resize(arena.len(), NONE);
        scratch.stack.clear();
        scratch.made.clear();
        let mut compiler = Compiler { program: self, arena, variables, scratch: &mut scratch };
        for &root in roots {
            let slot = compiler.block(root, &mut SmallVec::new());
            compiler.program.outputs.push(slot);
        }
        self.scratch = scratch;
    }
}

struct Compiler<'a> {
    program: &'a mut Program,
    arena: &'a Arena,
    variables: &'a [Symbol],
    scratch: &'a mut Scratch,
}

/// The enclosing loops of the current code: each index with its slot.
type Loops = SmallVec<[(Symbol, Slot); 2]>;

impl Compiler<'_> {
    fn emit(&mut self, instruction: Instruction) -> Slot {
        self.program.code.push(instruction);
        (self.program.code.len() - 1) as Slot
    }

    fn slot(&self, id: Id) -> Slot {
        self.scratch.slots.get(id.index()).copied().unwrap_or(NONE)
    }

    /// Compiles `root` and all its parts. It is recursive only for the bodies of loops, up to
    /// [`SERIES_NESTING`] deep.
    fn block(&mut self, root: Id, loops: &mut Loops) -> Slot {
        let base = self.scratch.stack.len();
        self.scratch.stack.push(root);
        while self.scratch.stack.len() > base {
            let Some(&id) = self.scratch.stack.last() else { break };
            if self.slot(id) != NONE {
                self.scratch.stack.pop();
                continue;
            }
            let waiting = self.scratch.stack.len();
            self.push_missing(id);
            if self.scratch.stack.len() == waiting {
                let slot = self.make(id, loops);
                if let Some(entry) = self.scratch.slots.get_mut(id.index()) {
                    *entry = slot;
                }
                self.scratch.made.push(id);
                self.scratch.stack.pop();
            }
        }
        match self.slot(root) {
            NONE => self.emit(Instruction::Unknown),
            slot => slot,
        }
    }

    /// Pushes the operands of `id` that have no slot yet.
    fn push_missing(&mut self, id: Id) {
        let arena = self.arena;
        match arena.node(id) {
            Node::Product(factors) => {
                for &factor in factors {
                    let needed = negative_power(arena, factor).map_or(factor, |(base, _)| base);
                    self.need(needed);
                }
            }
            Node::Power(base, exponent) => {
                let by_number = arena.as_number(exponent).is_some();
                if !matches!(arena.node(base), Node::Constant(Constant::E)) || by_number {
                    self.need(base);
                }
                if !by_number {
                    self.need(exponent);
                }
            }
            // The body is compiled inside the loop.
            Node::Series(_, _, from, to, _) => {
                self.need(from);
                self.need(to);
            }
            Node::Sum(parts) | Node::Apply(_, parts) | Node::Call(_, parts) => {
                for &part in parts {
                    self.need(part);
                }
            }
            _ => {}
        }
    }

    fn need(&mut self, id: Id) {
        if self.slot(id) == NONE {
            self.scratch.stack.push(id);
        }
    }

    /// Emits the instructions of a node and returns the slot of its value.
    ///
    /// This function is long because it has one arm per kind of node.
    fn make(&mut self, id: Id, loops: &mut Loops) -> Slot {
        let arena = self.arena;
        match arena.node(id) {
            Node::Number(number) => self.number(number),
            Node::Constant(constant) => match constant {
                Constant::Pi | Constant::E | Constant::Phi | Constant::EulerGamma => {
                    self.emit(Instruction::Constant(constant))
                }
                Constant::I => {
                    self.program.imaginary = true;
                    self.emit(Instruction::Constant(constant))
                }
                Constant::Undefined => self.emit(Instruction::Undefined),
                Constant::Infinity | Constant::ComplexInfinity => self.incomplete(),
            },
            Node::Symbol(symbol) => {
                if let Some(&(_, slot)) = loops.iter().rev().find(|(index, _)| *index == symbol) {
                    return slot;
                }
                match self.variables.iter().position(|&variable| variable == symbol) {
                    Some(column) => self.emit(Instruction::Variable(column as u32)),
                    None => self.incomplete(),
                }
            }
            Node::Sum(terms) => self.fold(terms, Instruction::Add),
            Node::Product(factors) => self.product(factors),
            Node::Power(base, exponent) => match arena.as_number(exponent) {
                Some(number) => {
                    let base = self.slot(base);
                    self.power_by_number(base, number)
                }
                None if matches!(arena.node(base), Node::Constant(Constant::E)) => {
                    let exponent = self.slot(exponent);
                    self.emit(Instruction::Exp(exponent))
                }
                None => {
                    self.program.exact = true;
                    let (base, exponent) = (self.slot(base), self.slot(exponent));
                    self.emit(Instruction::Power(base, exponent))
                }
            },
            Node::Apply(function, arguments) => self.apply(function, arguments),
            Node::Call(name, arguments) => {
                if arguments.len() > CALL_ARGUMENTS {
                    return self.incomplete();
                }
                let start = self.program.operands.len() as u32;
                for &argument in arguments {
                    let slot = self.slot(argument);
                    self.program.operands.push(slot);
                }
                let at = self.program.calls.len() as u32;
                self.program.calls.push(unknown::Coefficients::of(arena.name(name), arguments.len()));
                self.emit(Instruction::Call(at, start, arguments.len() as u32))
            }
            Node::Series(kind, index, from, to, body) => {
                self.program.exact = true;
                if loops.len() >= SERIES_NESTING as usize {
                    return self.incomplete();
                }
                let bounds = arena.free(from).union(arena.free(to));
                let inside = loops.iter().any(|(index, _)| bounds.contains(*index));
                let fewest = u8::from(!bounds.is_empty() && !inside);
                let repetition = Repetition { kind, fewest };
                let (from, to) = (self.slot(from), self.slot(to));
                let start = self.emit(Instruction::Series(repetition, from, to, 0));
                let index_slot = self.emit(Instruction::Index);
                // In the body, the index is that of this loop, so slots that depend on a symbol of that name
                // are invalid.
                let hidden = self.hide(index);
                let before = self.scratch.made.len();
                loops.push((index, index_slot));
                let value = self.block(body, loops);
                loops.pop();
                // The body's value must be its last instruction. If it is an earlier one, it is copied by
                // negating it twice.
                if value as usize + 1 != self.program.code.len() {
                    let twice = self.emit(Instruction::Negate(value));
                    self.emit(Instruction::Negate(twice));
                }
                for at in (before..self.scratch.made.len()).rev() {
                    let made = self.scratch.made[at];
                    self.scratch.slots[made.index()] = NONE;
                }
                self.scratch.made.truncate(before);
                for (node, slot) in hidden {
                    self.scratch.slots[node.index()] = slot;
                }
                let length = self.program.code.len() as u32 - start - 1;
                self.program.code[start as usize] = Instruction::Series(repetition, from, to, length);
                start
            }
            Node::Limit(..) | Node::Derivative(..) | Node::Integral(..) => self.incomplete(),
        }
    }

    /// Removes the slots of nodes that depend on `index` and returns them.
    fn hide(&mut self, index: Symbol) -> Vec<(Id, Slot)> {
        let mut hidden = Vec::new();
        for &node in &self.scratch.made {
            let slot = self.scratch.slots[node.index()];
            if slot != NONE && self.arena.free(node).contains(index) {
                hidden.push((node, slot));
            }
        }
        for (node, _) in &hidden {
            self.scratch.slots[node.index()] = NONE;
        }
        hidden
    }

    fn incomplete(&mut self) -> Slot {
        self.program.incomplete = true;
        self.emit(Instruction::Unknown)
    }

    fn number(&mut self, number: &Rational) -> Slot {
        let at = self.number_entry(number);
        self.emit(Instruction::Number(at))
    }

    fn number_entry(&mut self, number: &Rational) -> u32 {
        let value = number.to_f64();
        let error = if !value.is_finite() {
            f64::NAN
        } else if is_exact(number, value) {
            0.0
        } else {
            f64::EPSILON * value.abs() + f64::MIN_POSITIVE
        };
        self.program.numbers.push(Constancy { exact: number.clone(), value, error });
        (self.program.numbers.len() - 1) as u32
    }

    fn fold(&mut self, parts: &[Id], join: impl Fn(Slot, Slot) -> Instruction) -> Slot {
        let mut all: Option<Slot> = None;
        for &part in parts {
            let slot = self.slot(part);
            all = Some(match all {
                None => slot,
                Some(before) => self.emit(join(before, slot)),
            });
        }
        match all {
            Some(slot) => slot,
            None => self.incomplete(),
        }
    }

    /// Compiles a product as a numerator over a denominator. The numeric factor comes last, and `-1` becomes
    /// a negation.
    fn product(&mut self, factors: &[Id]) -> Slot {
        let arena = self.arena;
        let (mut numerator, mut denominator): (Option<Slot>, Option<Slot>) = (None, None);
        let mut coefficient: Option<(Slot, bool)> = None;
        for &factor in factors {
            if let Some((base, exponent)) = negative_power(arena, factor) {
                let base = self.slot(base);
                let power = self.power_by_number(base, &exponent.negated());
                denominator = Some(self.times(denominator, power));
            } else if let Some(number) = arena.as_number(factor) {
                coefficient = Some((self.slot(factor), number.is_minus_one()));
            } else {
                let slot = self.slot(factor);
                numerator = Some(self.times(numerator, slot));
            }
        }
        let mut negate = false;
        match coefficient {
            Some((_, true)) if numerator.is_some() || denominator.is_some() => negate = true,
            Some((slot, _)) => numerator = Some(self.times(numerator, slot)),
            None => {}
        }
        let quotient = match (numerator, denominator) {
            (Some(above), Some(below)) => self.emit(Instruction::Divide(above, below)),
            (Some(above), None) => above,
            (None, Some(below)) => self.emit(Instruction::Reciprocal(below)),
            (None, None) => self.incomplete(),
        };
        if negate { self.emit(Instruction::Negate(quotient)) } else { quotient }
    }

    fn times(&mut self, left: Option<Slot>, right: Slot) -> Slot {
        match left {
            None => right,
            Some(left) => self.emit(Instruction::Multiply(left, right)),
        }
    }

    fn power_by_number(&mut self, base: Slot, exponent: &Rational) -> Slot {
        if exponent.is_negative() {
            let power = self.power_by_number(base, &exponent.negated());
            return self.emit(Instruction::Reciprocal(power));
        }
        match exponent.to_small() {
            Some((power, 1)) => match u32::try_from(power) {
                // The arena folds most powers x^0 to 1. The others are evaluated, because 0^0 has no value.
                Ok(0) => {
                    let zero = self.number(exponent);
                    return self.emit(Instruction::Power(base, zero));
                }
                Ok(power) => return self.integer_power(base, power),
                Err(_) => {}
            },
            Some((power @ 1..=24, 2)) => {
                let root = self.emit(Instruction::SquareRoot(base));
                return self.integer_power(root, power as u32);
            }
            Some((power @ 1..=24, 3)) => {
                let root = self.emit(Instruction::CubeRoot(base));
                return self.integer_power(root, power as u32);
            }
            _ => {}
        }
        let at = self.number_entry(exponent);
        self.emit(Instruction::RationalPower(base, at))
    }

    fn integer_power(&mut self, base: Slot, power: u32) -> Slot {
        if power > POWER_CHAIN {
            return self.emit(Instruction::IntegerPower(base, power));
        }
        let (mut rest, mut square, mut result) = (power, base, None);
        loop {
            if rest & 1 == 1 {
                result = Some(self.times(result, square));
            }
            rest >>= 1;
            if rest == 0 {
                break;
            }
            square = self.emit(Instruction::Square(square));
        }
        result.unwrap_or(base)
    }

    fn apply(&mut self, function: Function, arguments: &[Id]) -> Slot {
        self.program.exact |= function.points() != SuitablePoints::Anywhere;
        match (function, arguments) {
            (Function::Min | Function::Max, [only]) => self.slot(*only),
            (_, [only]) if function.is_commutative() => {
                let only = self.slot(*only);
                self.emit(Instruction::Binary(function, only, only))
            }
            _ if function.is_commutative() => {
                self.fold(arguments, |left, right| Instruction::Binary(function, left, right))
            }
            (_, [left, right]) if function.is_binary() => {
                let (left, right) = (self.slot(*left), self.slot(*right));
                self.emit(Instruction::Binary(function, left, right))
            }
            (_, [only]) if !function.is_binary() => {
                let only = self.slot(*only);
                self.emit(Instruction::Unary(function, only))
            }
            _ => self.incomplete(),
        }
    }
}

/// Returns the base and the exponent of a power whose exponent is a negative number.
fn negative_power(arena: &Arena, id: Id) -> Option<(Id, &Rational)> {
    match arena.node(id) {
        Node::Power(base, exponent) => {
            arena.as_number(exponent).filter(|number| number.is_negative()).map(|number| (base, number))
        }
        _ => None,
    }
}

fn is_exact(number: &Rational, value: f64) -> bool {
    match number.to_small() {
        // In lowest terms, an exact float has a power of two as its denominator and a numerator of at most 53
        // significant bits.
        Some((numerator, denominator)) => {
            denominator.count_ones() == 1 && (numerator as f64) as i128 == i128::from(numerator)
        }
        None => Rational::from_f64(value).as_ref() == Some(number),
    }
}
