//! The nearest `f64` of a decimal number.
//!
//! The conversion uses integer arithmetic, or a single float operation on exact operands. It is correctly
//! rounded on every platform and needs no large tables of powers, unlike a conversion from text.

use dashu_base::{BitTest as _, DivRem as _, Signed as _, UnsignedAbs as _};
use dashu_int::{IBig, UBig};

/// Powers of ten that an `f64` holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The exponent of the least significant bit of subnormal numbers.
const LEAST: i64 = -1074;

/// Returns the nearest `f64` of `coefficient * 10^exponent`, ties to even; infinite or zero if out of range.
pub(crate) fn nearest(coefficient: &IBig, exponent: i32) -> f64 {
    let power = POWERS.get(exponent.unsigned_abs() as usize);
    if let (Some(power), Ok(small)) = (power, i64::try_from(coefficient))
        && small.unsigned_abs() < 1 << 53
    {
        // Both operands are exact, so the single operation rounds only once.
        return if exponent < 0 { small as f64 / power } else { small as f64 * power };
    }
    let size = coefficient.unsigned_abs();
    if size == UBig::ZERO {
        return 0.0;
    }
    // 217,706 / 2^16 is log2(10), rounded up. `binary` differs from the number's logarithm by at most 3.
    let binary = size.bit_len() as i64 + ((i64::from(exponent) * 217_706) >> 16);
    let value = if binary > 1_032 {
        f64::INFINITY
    } else if binary < LEAST - 8 {
        0.0
    } else {
        let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
        if exponent < 0 { quotient(size, power) } else { quotient(size * power, UBig::ONE) }
    };
    if coefficient.is_negative() { -value } else { value }
}

/// Returns the nearest `f64` of a quotient of two integers above zero.
fn quotient(mut dividend: UBig, mut divisor: UBig) -> f64 {
    // A quotient of 66 or 67 bits and its remainder are more than any rounding needs.
    let shift = 66 + divisor.bit_len() as i64 - dividend.bit_len() as i64;
    let bits = usize::try_from(shift.unsigned_abs()).unwrap_or(usize::MAX);
    if shift > 0 {
        dividend <<= bits;
    } else {
        divisor <<= bits;
    }
    let (whole, rest) = dividend.div_rem(divisor);
    let Ok(whole) = u128::try_from(whole) else { return f64::NAN };
    let Some(leading) = whole.checked_ilog2() else { return 0.0 };
    let first = i64::from(leading) - shift;
    // The exponent of the last bit that is kept.
    let last = (first - 52).max(LEAST);
    let Some(kept) = u32::try_from(last + shift).ok().and_then(|drop| whole.checked_shr(drop)) else {
        return 0.0;
    };
    let dropped = whole - (kept << (last + shift));
    let half = 1u128 << (last + shift - 1);
    let up = dropped > half || dropped == half && (rest != UBig::ZERO || kept & 1 == 1);
    let kept = u64::try_from(kept).unwrap_or_default() + u64::from(up);
    let hidden = 1u64 << 52;
    if kept < hidden {
        // A subnormal number.
        return f64::from_bits(kept);
    }
    // A carry out of the mantissa correctly increments the exponent.
    match u64::try_from(last - LEAST + 1) {
        Ok(biased) if biased < 0x7ff => f64::from_bits((biased << 52) + (kept - hidden)),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value as the standard library reads it.
    fn library(coefficient: &IBig, exponent: i32) -> f64 {
        format!("{coefficient}e{exponent}").parse().unwrap()
    }

    fn agree(coefficient: &IBig, exponent: i32) {
        let (ours, library) = (nearest(coefficient, exponent), library(coefficient, exponent));
        assert_eq!(ours.to_bits(), library.to_bits(), "{coefficient}e{exponent}: {ours} {library}");
    }

    #[test]
    fn ends_of_the_range_and_ties() {
        for (text, exponent) in [
            ("17976931348623157", 292),
            ("17976931348623158", 292),
            ("179769313486231580793", 288),
            ("179769313486231580794", 288),
            ("17976931348623159", 292),
            ("-17976931348623159", 292),
            ("5", -324),
            ("-5", -324),
            ("24703282292062327", -340),
            ("24703282292062328", -340),
            ("22250738585072011", -324),
            ("22250738585072014", -324),
            ("9007199254740993", 0),
            ("9007199254740995", 0),
            ("90071992547409930", -1),
            ("900719925474099300000000000000000000000001", -26),
            ("0", 23),
            ("0", -400),
            ("0", 311),
            ("1", 23),
            ("1", 308),
            ("1", 309),
            ("1", -1_000_000),
            ("1", 1_000_000),
            ("123456789012345678901234567890", -22),
            ("3", -330),
            ("0", 5),
        ] {
            agree(&text.parse().unwrap(), exponent);
        }
        // The midpoint between two neighbouring numbers, and points just below and above it.
        for bits in [
            1u64,
            2,
            0x000f_ffff_ffff_ffff,
            0x0010_0000_0000_0000,
            0x3ff0_0000_0000_0001,
            0x7fef_ffff_ffff_fffe,
        ] {
            let (mantissa, exponent) = ((bits & ((1 << 52) - 1)), (bits >> 52) as i32);
            let (mantissa, exponent) =
                if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) };
            let middle = IBig::from(2 * mantissa + 1);
            let (coefficient, power) = if exponent > 0 {
                (middle << (exponent as usize - 1), 0)
            } else {
                // 2^-n is 5^n 10^-n.
                let n = (1 - exponent) as usize;
                (middle * IBig::from(5).pow(n), -(n as i32))
            };
            for beside in [-1, 0, 1] {
                agree(&(coefficient.clone() * IBig::from(1_000) + IBig::from(beside)), power - 3);
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn as_the_standard_library(digits in "-?[0-9]{1,60}", exponent in -400i32..400) {
            let coefficient: IBig = digits.parse().unwrap();
            proptest::prop_assert_eq!(nearest(&coefficient, exponent).to_bits() << 1, library(&coefficient, exponent).to_bits() << 1);
        }

        #[test]
        fn of_seventeen_digits(coefficient in 0u64..100_000_000_000_000_000, exponent in -345i32..310) {
            agree(&IBig::from(coefficient), exponent);
        }
    }
}
