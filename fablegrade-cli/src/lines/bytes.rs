//! Bytes in a line of JSON: a string, or base64 if the line has `"enc":"base64"`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fablegrade_core::json::{self, Object, Path, Value};
use fablegrade_core::{Finding, Findings};

/// The encoding of the bytes in a line, from its field `enc`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Encoding {
    base64: bool,
}

impl Encoding {
    /// Takes the field `enc` of a line: `utf8` (the default) or `base64`.
    pub(crate) fn take(line: &mut Object<'_, '_, '_>) -> Self {
        let base64 = line.optional("enc", json::word(&[("base64", true), ("utf8", false)]));
        Self { base64: base64.flatten().unwrap_or(false) }
    }

    /// Reads bytes in this encoding.
    pub(crate) fn bytes(self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Vec<u8>> {
        let text = json::string(0, usize::MAX >> 3)(value, at, findings)?;
        if !self.base64 {
            return Some(text.into_bytes());
        }
        let decoded = STANDARD.decode(text);
        if decoded.is_err() {
            findings.push(Finding::error(
                "base64",
                at.pointer(),
                "the text is not base64",
                "use the standard alphabet with padding",
            ));
        }
        decoded.ok()
    }
}
