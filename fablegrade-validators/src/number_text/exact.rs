//! Exact values of decimals and powers.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Returns the value of a plain decimal.
pub(crate) fn decimal(text: &str) -> Option<RBig> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: String = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let above = UBig::from_str_radix(&digits, 10).ok()?;
    Some(RBig::from_parts(above.into(), UBig::from(10u8).pow(fraction.len())))
}

/// Returns `10^power`; the power is bounded by the callers.
pub(crate) fn ten_to(power: i64) -> RBig {
    let whole = power_of_ten(power.unsigned_abs());
    if power < 0 { RBig::from_parts(IBig::ONE, whole) } else { RBig::from(whole) }
}

pub(super) fn power_of_ten(power: u64) -> UBig {
    match u32::try_from(power).ok().and_then(|power| 10_u64.checked_pow(power)) {
        Some(small) => UBig::from(small),
        None => UBig::from(10u8).pow(power as usize),
    }
}

/// Returns `integer * 10^power`, reduced once.
pub(super) fn scaled(integer: UBig, power: i64) -> RBig {
    match power {
        0 => RBig::from(integer),
        1.. => RBig::from(integer * power_of_ten(power.unsigned_abs())),
        _ => RBig::from_parts(integer.into(), power_of_ten(power.unsigned_abs())),
    }
}

/// Returns an integer power of a fraction. `None` for negative powers of 0, and if the bit length of the base times the
/// exponent exceeds 40,000.
pub(super) fn power(base: &RBig, exponent: i64) -> Option<RBig> {
    use dashu_base::BitTest;
    let bits = base.numerator().bit_len().max(base.denominator().bit_len());
    let count = usize::try_from(exponent.unsigned_abs()).ok()?;
    if bits.saturating_mul(count) > 40_000 {
        return None;
    }
    let exponent = isize::try_from(exponent).ok()?;
    (exponent >= 0 || !base.is_zero()).then(|| base.pow(exponent))
}
