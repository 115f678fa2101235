//! Percent-encoding in references.

/// Returns the bytes of a percent-encoded text. A `%` without two hexadecimal digits stays as it is.
///
/// ```
/// use fablegrade_public::uri::percent_decoded;
/// assert_eq!(percent_decoded("a%20b"), b"a b");
/// assert_eq!(percent_decoded("100%+5"), b"100%+5");
/// ```
pub fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hexadecimal = after
            .get(..2)
            .filter(|digits| first == b'%' && digits.iter().all(u8::is_ascii_hexdigit))
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(hexadecimal.unwrap_or(first));
        rest = if hexadecimal.is_some() { &after[2..] } else { after };
    }
    bytes
}
