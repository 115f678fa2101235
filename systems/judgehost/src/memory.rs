//! Amounts of memory as texts: `512m`, `2gb`, `1.5GiB`.

use fablegrade_public::decimal::Decimal;

/// The minimum memory of a container in bytes: 6 MiB, since engines refuse less.
pub const LEAST: u64 = 6 << 20;
/// The maximum memory of a container in bytes: 16 TiB.
pub const MOST: u64 = 16 << 40;

/// The reason why a text is not an amount of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryProblem {
    /// Not of the form `^\d+(\.\d+)?\s*([kmgt]i?b?|b)?$`, in any case, or longer than 40 bytes.
    Form,
    /// Less than [`LEAST`].
    Little,
    /// More than [`MOST`].
    Much,
}

/// Converts an amount of memory to bytes.
///
/// The form is `^\d+(\.\d+)?\s*([kmgt]i?b?|b)?$` in any case, up to 40 bytes. All units are binary multiples (`1k` is
/// 1024 bytes), and a number without a unit counts bytes. A fraction of a byte is dropped.
///
/// # Errors
/// Another form, less than 6 MiB, or more than 16 TiB.
pub fn bytes(text: &str) -> Result<u64, MemoryProblem> {
    let (number, factor) = split(text).ok_or(MemoryProblem::Form)?;
    let number = Decimal::from_text(number).map_err(|_| MemoryProblem::Form)?;
    let amount = number.multiply(&Decimal::from(factor)).floor();
    // An amount beyond `i64` exceeds the maximum.
    let amount = amount.to_i64().map_or(u64::MAX, i64::unsigned_abs);
    match amount {
        ..LEAST => Err(MemoryProblem::Little),
        LEAST..=MOST => Ok(amount),
        _ => Err(MemoryProblem::Much),
    }
}

fn split(text: &str) -> Option<(&str, i64)> {
    if text.len() > 40 {
        return None;
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return None;
    }
    let unit = rest.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    if unit.is_empty() {
        return Some((number, 1));
    }
    let unit = unit.to_ascii_lowercase();
    let shift = match unit.as_bytes()[0] {
        b'b' if unit == "b" => return Some((number, 1)),
        b'k' => 10,
        b'm' => 20,
        b'g' => 30,
        b't' => 40,
        _ => return None,
    };
    matches!(&unit[1..], "" | "b" | "i" | "ib").then_some((number, 1 << shift))
}

/// Formats a number of bytes as a short text that is read as the same amount: `512m`, `1536m`, `6291457`.
pub fn text(bytes: u64) -> String {
    for (shift, unit) in [(40, "t"), (30, "g"), (20, "m"), (10, "k")] {
        if bytes != 0 && bytes.trailing_zeros() >= shift {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    bytes.to_string()
}
