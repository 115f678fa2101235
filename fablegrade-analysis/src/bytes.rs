//! The canonical bytes of an accumulator, for passing its sums between processes and machines.
//!
//! The bytes are `FGA2`, followed by integers, power sums, texts and tables. Integers are LEB128 with 7 bits
//! per byte; signed integers have the sign in the lowest bit. Power sums are a byte for the sign, a length,
//! and little-endian bytes. Texts are a length and UTF-8. Tables are in the order of their keys. Equal sums
//! have equal bytes, and only canonical bytes can be read.

use std::fmt;

use dashu_int::{IBig, Sign, UBig};

use crate::accumulator::{
    Accumulator, ItemSums, MAX_ITEMS, MAX_NAME, MAX_OPTIONS, MAX_SITTINGS, MAX_TEXTS, OptionSums, TextSums,
    Texts,
};
use crate::distribution::{Distribution, MAX_VALUES};
use crate::exact::{Pairs, Powers};
use crate::interned::Interned;
use crate::sitting::{MAX_TEXT, UNIT};

const MAGIC: &[u8; 4] = b"FGA2";
/// Maximum length of a power sum in bytes: 2⁴⁰ fourth powers of 10¹² need 25.
const MAX_POWER_BYTES: usize = 32;
/// The greatest absolute value of a total or rest score, in millionths.
const MAX_TOTAL: i128 = 1_000 * 1_000 * UNIT as i128;

/// The error for bytes that are not an accumulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAnAccumulator {
    /// The offset at which reading stopped.
    pub at: usize,
}

impl fmt::Display for NotAnAccumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "these bytes are not an accumulator (at byte {}); pass the bytes from `to_bytes` unchanged",
            self.at
        )
    }
}

impl std::error::Error for NotAnAccumulator {}

impl Accumulator {
    /// Returns the canonical bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        unsigned(u128::from(self.totals.count), &mut out);
        for sum in &self.totals.sums {
            let (sign, magnitude) = sum.clone().into_parts();
            out.push(u8::from(sign == Sign::Negative));
            let bytes = magnitude.to_le_bytes();
            unsigned(bytes.len() as u128, &mut out);
            out.extend_from_slice(&bytes);
        }
        distribution(&self.total_scores, &mut out);
        table(&self.items, &mut out, item);
        out
    }

    /// Reads the bytes that [`Accumulator::to_bytes`] returned. Memory use is proportional to their number.
    ///
    /// # Errors
    /// Returns an error if the bytes are not those of an accumulator.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NotAnAccumulator> {
        let mut reader = Reader { bytes, at: 0 };
        let read = reader.accumulator();
        let read = read.filter(|read| reader.at == bytes.len() && read.to_bytes() == bytes);
        read.ok_or(NotAnAccumulator { at: reader.at })
    }
}

fn unsigned(mut value: u128, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn signed(value: i128, out: &mut Vec<u8>) {
    unsigned(((value << 1) ^ (value >> 127)) as u128, out);
}

fn table<T: Default>(table: &Interned<T>, out: &mut Vec<u8>, entry: fn(&T, &mut Vec<u8>)) {
    unsigned(table.len() as u128, out);
    for (name, value) in table.sorted() {
        unsigned(name.len() as u128, out);
        out.extend_from_slice(name.as_bytes());
        entry(value, out);
    }
}

fn item(sums: &ItemSums, out: &mut Vec<u8>) {
    let ItemSums {
        pairs,
        scores,
        rests,
        blank,
        refused,
        pending,
        timed,
        millis,
        with_options,
        options,
        texts,
    } = sums;
    for count in [pairs.count, *blank, *refused, *pending, *timed] {
        unsigned(u128::from(count), out);
    }
    unsigned(*millis, out);
    unsigned(u128::from(*with_options), out);
    for sum in [pairs.x, pairs.y, pairs.xx, pairs.yy, pairs.xy] {
        signed(sum, out);
    }
    distribution(scores, out);
    distribution(rests, out);
    table(options, out, |option, out| {
        unsigned(u128::from(option.count), out);
        signed(option.rest_sum, out);
        distribution(&option.rest, out);
    });
    unsigned(u128::from(texts.long), out);
    out.push(u8::from(texts.kept.is_some()));
    if let Some(kept) = &texts.kept {
        table(kept, out, |text, out| {
            unsigned(u128::from(text.count), out);
            unsigned(u128::from(text.refused), out);
            signed(text.score_sum, out);
            signed(text.rest_sum, out);
        });
    }
}

fn distribution(distribution: &Distribution, out: &mut Vec<u8>) {
    let sorted = distribution.sorted();
    out.push(u8::from(sorted.is_some()));
    let Some(counts) = sorted else { return };
    unsigned(counts.len() as u128, out);
    for (value, times) in counts {
        signed(i128::from(value), out);
        unsigned(u128::from(times), out);
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let part = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(part)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.take(1)? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn unsigned(&mut self) -> Option<u128> {
        let mut value = 0_u128;
        for shift in (0..128).step_by(7) {
            let &[byte] = self.take(1)? else { return None };
            let bits = u128::from(byte & 0x7f);
            value |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a number that is at most `most`.
    fn up_to(&mut self, most: u64) -> Option<u64> {
        u64::try_from(self.unsigned()?).ok().filter(|&value| value <= most)
    }

    /// Reads a sum of `count` numbers, each at most `most` in absolute value.
    fn sum(&mut self, count: u64, most: i128) -> Option<i128> {
        let value = self.unsigned()?;
        let value = (value >> 1) as i128 ^ -((value & 1) as i128);
        (value.unsigned_abs() <= u128::from(count) * most.unsigned_abs()).then_some(value)
    }

    fn text(&mut self, most: usize) -> Option<&'b str> {
        let length = self.up_to(most as u64)?;
        std::str::from_utf8(self.take(length as usize)?).ok()
    }

    fn accumulator(&mut self) -> Option<Accumulator> {
        if self.take(MAGIC.len())? != MAGIC {
            return None;
        }
        let mut totals = Powers { count: self.up_to(MAX_SITTINGS)?, ..Powers::default() };
        for sum in &mut totals.sums {
            let sign = if self.flag()? { Sign::Negative } else { Sign::Positive };
            let length = self.up_to(MAX_POWER_BYTES as u64)?;
            *sum = IBig::from_parts(sign, UBig::from_le_bytes(self.take(length as usize)?));
        }
        if !totals.is_consistent() {
            return None;
        }
        let count = totals.count;
        let total_scores = self.distribution(count)?;
        let items = self.table(MAX_ITEMS, MAX_NAME, |reader| reader.item(count))?;
        Some(Accumulator::of_sums(items, totals, total_scores))
    }

    fn table<T: Default>(
        &mut self,
        most: usize,
        longest: usize,
        mut entry: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Interned<T>> {
        let mut table = Interned::default();
        for at in 0..self.up_to(most as u64)? {
            let name = self.text(longest)?;
            *table.of(name) = entry(self)?;
            // The name has occurred before.
            if table.len() as u64 != at + 1 {
                return None;
            }
        }
        Some(table)
    }

    fn item(&mut self, sittings: u64) -> Option<ItemSums> {
        let count = self.up_to(sittings)?;
        let (blank, refused) = (self.up_to(count)?, self.up_to(count)?);
        let pending = self.up_to(sittings - count)?;
        let timed = self.up_to(count + pending)?;
        let millis = self.unsigned().filter(|&millis| millis <= u128::from(timed) * u128::from(u32::MAX))?;
        let with_options = self.up_to(count)?;
        let square = MAX_TOTAL * MAX_TOTAL;
        let pairs = Pairs {
            count,
            x: self.sum(count, MAX_TOTAL)?,
            y: self.sum(count, MAX_TOTAL)?,
            xx: self.sum(count, square)?,
            yy: self.sum(count, square)?,
            xy: self.sum(count, square)?,
        };
        if !pairs.is_consistent() {
            return None;
        }
        let (scores, rests) = (self.distribution(count)?, self.distribution(count)?);
        let options = self.table(MAX_OPTIONS, MAX_NAME, |reader| {
            let chosen = reader.up_to(with_options)?;
            let rest_sum = reader.sum(chosen, MAX_TOTAL)?;
            Some(OptionSums { count: chosen, rest_sum, rest: reader.distribution(chosen)? })
        })?;
        let long = self.up_to(count)?;
        let kept = if self.flag()? {
            Some(self.table(MAX_TEXTS, MAX_TEXT, |reader| {
                let written = reader.up_to(count)?;
                let refused = reader.up_to(written)?;
                let score_sum = reader.sum(written, MAX_TOTAL)?;
                let rest_sum = reader.sum(written, MAX_TOTAL)?;
                Some(TextSums { count: written, refused, score_sum, rest_sum })
            })?)
        } else {
            None
        };
        let texts = Texts { kept, long };
        Some(ItemSums {
            pairs,
            scores,
            rests,
            blank,
            refused,
            pending,
            timed,
            millis,
            with_options,
            options,
            texts,
        })
    }

    /// Reads a distribution of `count` scores, in ascending order.
    fn distribution(&mut self, count: u64) -> Option<Distribution> {
        if !self.flag()? {
            return Some(Distribution::of(None));
        }
        let mut counts: Vec<(i64, u64)> = Vec::new();
        for _ in 0..self.up_to(MAX_VALUES as u64)? {
            let value = i64::try_from(self.sum(1, MAX_TOTAL)?).ok()?;
            let times = self.up_to(count).filter(|&times| times > 0)?;
            if counts.last().is_some_and(|&(last, _)| last >= value) {
                return None;
            }
            counts.push((value, times));
        }
        let distribution = Distribution::of(Some(counts));
        (distribution.total()? == u128::from(count)).then_some(distribution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_contradict_each_other_are_refused() {
        let of = |pairs: Pairs, totals: Powers| {
            let mut items = Interned::<ItemSums>::default();
            let sums = items.of("a");
            (sums.scores, sums.rests) = (Distribution::of(None), Distribution::of(None));
            sums.pairs = pairs;
            Accumulator::from_bytes(&Accumulator::of_sums(items, totals, Distribution::of(None)).to_bytes())
        };
        let (mut pairs, mut totals) = (Pairs::default(), Powers::default());
        for (x, y) in [(1, 3), (-2, 5)] {
            pairs.add(x, y, 1);
            totals.add(x + y);
        }
        assert!(of(pairs.clone(), totals.clone()).is_ok());
        let wrong = [
            Pairs { xx: -1, ..pairs.clone() },
            Pairs { xx: 0, ..pairs.clone() },
            Pairs { yy: 33, ..pairs.clone() },
            Pairs { xy: 100, ..pairs.clone() },
        ];
        for wrong in wrong {
            assert!(of(wrong.clone(), totals.clone()).is_err(), "{wrong:?}");
        }
        for (at, sum) in [(1, -1), (1, 24), (2, 1_000), (3, 300)] {
            let mut wrong = totals.clone();
            wrong.sums[at] = IBig::from(sum);
            assert!(of(pairs.clone(), wrong.clone()).is_err(), "{wrong:?}");
        }
    }
}
