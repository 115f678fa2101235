//! Calculations with matrices of scalars.

use super::Value;
use super::read::{Read, Reader};
use crate::expr::{Arena, Id};
use crate::limits::{MATRIX_ENTRIES, MATRIX_POWER};
use crate::syntax::{Delimiter, Node, NodeId};

impl Reader<'_> {
    /// Computes sums, products, powers and transposes of matrices, and quotients of matrices by scalars.
    pub(super) fn matrix(&mut self, id: NodeId) -> Read<Value> {
        let tree = self.tree;
        match tree.node(id) {
            Node::Group(inner) => self.matrix(inner),
            Node::Matrix { columns, entries, determinant: false } => {
                Ok(Value::Matrix { columns: columns as usize, entries: self.values(entries)? })
            }
            Node::Items { open: Delimiter::Angle, items, .. } if items.len() > 1 => {
                Ok(Value::Matrix { columns: 1, entries: self.values(items)? })
            }
            Node::Negate(inner) => {
                let inner = self.matrix(inner)?;
                self.multiply(id, Value::Scalar(Arena::MINUS_ONE), inner)
            }
            Node::Quotient { numerator, denominator, .. } => {
                let numerator = self.matrix(numerator)?;
                let denominator = self.scalar(denominator)?;
                let factor = self.arena.power(denominator, Arena::MINUS_ONE);
                self.multiply(id, Value::Scalar(factor), numerator)
            }
            Node::Power(base, exponent) => match tree.node(exponent) {
                Node::Symbol(text) if tree.text(text) == "T" => {
                    let Value::Matrix { columns, entries } = self.matrix(base)? else {
                        return Err(self.refuse(id, "only a matrix has a transpose"));
                    };
                    let rows = entries.len() / columns.max(1);
                    let turned = (0..columns)
                        .flat_map(|c| (0..rows).map(move |r| r * columns + c))
                        .map(|at| entries[at].clone())
                        .collect();
                    Ok(Value::Matrix { columns: rows, entries: turned })
                }
                _ => {
                    let power = self.scalar(exponent)?;
                    let power =
                        self.arena.as_integer(power).filter(|power| power.unsigned_abs() <= MATRIX_POWER);
                    let Some(power) = power else {
                        return Err(self.refuse(id, "this power of a matrix is not supported"));
                    };
                    let base = self.matrix(base)?;
                    self.matrix_power(id, base, power)
                }
            },
            Node::Product(list) => {
                let mut value = Value::Scalar(Arena::ONE);
                for factor in tree.list(list) {
                    let factor = self.matrix(*factor)?;
                    value = self.multiply(id, value, factor)?;
                }
                Ok(value)
            }
            Node::Sum(list) => {
                let terms =
                    tree.list(list).iter().map(|term| self.matrix(*term)).collect::<Read<Vec<_>>>()?;
                // A row times a column is a number, and so is its sum with numbers.
                let numbers = terms.iter().map(|term| match term {
                    Value::Scalar(id) => Some(*id),
                    _ => None,
                });
                if let Some(numbers) = numbers.collect::<Option<Vec<Id>>>() {
                    return Ok(Value::Scalar(self.arena.sum(&numbers)));
                }
                let mut total: Option<(usize, Vec<Id>)> = None;
                for term in terms {
                    let (columns, entries) = self.scalars(id, &term)?;
                    total = Some(match total {
                        None => (columns, entries),
                        Some((width, sums)) if width == columns && sums.len() == entries.len() => (
                            width,
                            sums.into_iter().zip(entries).map(|(a, b)| self.arena.add(a, b)).collect(),
                        ),
                        Some(_) => return Err(self.refuse(id, "the matrices have different shapes")),
                    });
                }
                let (columns, entries) = total.unwrap_or_default();
                Ok(Value::Matrix { columns, entries: entries.into_iter().map(Value::Scalar).collect() })
            }
            _ => Ok(Value::Scalar(self.scalar(id)?)),
        }
    }

    fn matrix_power(&mut self, id: NodeId, base: Value, power: i64) -> Read<Value> {
        if let Value::Scalar(base) = base {
            let power = self.arena.integer(power);
            return Ok(Value::Scalar(self.arena.power(base, power)));
        }
        let (size, entries) = self.scalars(id, &base)?;
        if entries.len() != size * size {
            return Err(self.refuse(id, "only a square matrix has powers"));
        }
        let base = if power < 0 { self.inverse(id, size, &entries)? } else { base };
        let unit = (0..size * size).map(|at| if at % (size + 1) == 0 { Arena::ONE } else { Arena::ZERO });
        let mut value = Value::Matrix { columns: size, entries: unit.map(Value::Scalar).collect() };
        for _ in 0..power.unsigned_abs() {
            value = self.multiply(id, value, base.clone())?;
        }
        Ok(value)
    }

    /// Returns the inverse of a square matrix of up to three rows, as its adjugate over its determinant.
    fn inverse(&mut self, id: NodeId, size: usize, m: &[Id]) -> Read<Value> {
        if !(1..=3).contains(&size) {
            return Err(self.refuse(id, "this inverse is not supported"));
        }
        let mut adjugate = Vec::with_capacity(size * size);
        for row in 0..size {
            for column in 0..size {
                // The minor omits row `column` and column `row`.
                let kept = |without: usize| (0..size).filter(move |at| *at != without);
                let minor: Vec<Id> =
                    kept(column).flat_map(|r| kept(row).map(move |c| r * size + c)).map(|at| m[at]).collect();
                let value = match minor[..] {
                    [] => Arena::ONE,
                    [only] => only,
                    [a, b, c, d, ..] => {
                        let (ad, bc) = (self.arena.mul(a, d), self.arena.mul(b, c));
                        self.arena.sub(ad, bc)
                    }
                    _ => return Err(self.refuse(id, "this inverse is not supported")),
                };
                adjugate.push(if (row + column) % 2 == 0 { value } else { self.arena.neg(value) });
            }
        }
        let terms: Vec<Id> = (0..size).map(|at| self.arena.mul(m[at], adjugate[at * size])).collect();
        let determinant = self.arena.sum(&terms);
        let factor = self.arena.power(determinant, Arena::MINUS_ONE);
        let entries =
            adjugate.into_iter().map(|entry| Value::Scalar(self.arena.mul(factor, entry))).collect();
        Ok(Value::Matrix { columns: size, entries })
    }

    fn scalars(&self, id: NodeId, value: &Value) -> Read<(usize, Vec<Id>)> {
        if let Value::Matrix { columns, entries } = value {
            let entries: Option<Vec<Id>> = entries
                .iter()
                .map(|entry| match entry {
                    Value::Scalar(id) => Some(*id),
                    _ => None,
                })
                .collect();
            if let Some(entries) = entries
                && entries.len() <= MATRIX_ENTRIES
            {
                return Ok((*columns, entries));
            }
        }
        Err(self.refuse(id, "this calculation with matrices is not supported"))
    }

    fn multiply(&mut self, id: NodeId, left: Value, right: Value) -> Read<Value> {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(self.arena.mul(a, b))),
            (Value::Scalar(factor), matrix @ Value::Matrix { .. })
            | (matrix @ Value::Matrix { .. }, Value::Scalar(factor)) => {
                let (columns, entries) = self.scalars(id, &matrix)?;
                let entries =
                    entries.into_iter().map(|entry| Value::Scalar(self.arena.mul(factor, entry))).collect();
                Ok(Value::Matrix { columns, entries })
            }
            (a, b) => {
                let (inner, a) = self.scalars(id, &a)?;
                let (columns, b) = self.scalars(id, &b)?;
                if inner == 0 || columns == 0 || b.len() != inner * columns {
                    return Err(self.refuse(id, "the shapes of the matrices do not fit"));
                }
                let rows = a.len() / inner;
                if rows * columns * inner > 16 * MATRIX_ENTRIES {
                    return Err(self.refuse(id, "the matrices are too large"));
                }
                let mut entries = Vec::with_capacity(rows * columns);
                for row in 0..rows {
                    for column in 0..columns {
                        let terms: Vec<Id> = (0..inner)
                            .map(|k| self.arena.mul(a[row * inner + k], b[k * columns + column]))
                            .collect();
                        entries.push(Value::Scalar(self.arena.sum(&terms)));
                    }
                }
                // A row times a column is a number.
                if let [Value::Scalar(only)] = entries[..] {
                    return Ok(Value::Scalar(only));
                }
                Ok(Value::Matrix { columns, entries })
            }
        }
    }
}
