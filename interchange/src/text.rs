//! Decoding of a file's bytes to text: byte order marks, declared encodings, limits.

use std::borrow::Cow;

use crate::loss::{Loss, Place, ReadError};

/// The maximum size of a file that is read as one document, in bytes.
pub const MAX_TEXT: usize = 64 << 20;

/// The maximum total size of the values that are filled into the texts of a question, in bytes.
const MAX_FILLED: usize = 4 << 20;

/// Fills values into the texts of a question, up to a total size of [`MAX_FILLED`].
pub(crate) struct Filling {
    left: usize,
}

/// The values that are filled into the texts of a question are longer than this number of bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong(usize);

impl TooLong {
    /// Returns the loss of the question.
    pub(crate) fn loss(self, place: Place) -> Loss {
        let message = format!("the values in its texts have more than {} MiB", self.0 >> 20);
        Loss::score(place, "too-long", message, "shorten the texts or the values")
    }
}

impl Filling {
    pub(crate) fn new() -> Self {
        Self { left: MAX_FILLED }
    }

    /// Appends a value to a text.
    ///
    /// # Errors
    /// The values become too long.
    pub(crate) fn push(&mut self, out: &mut String, value: &str) -> Result<(), TooLong> {
        self.left = self.left.checked_sub(value.len()).ok_or(TooLong(MAX_FILLED))?;
        out.push_str(value);
        Ok(())
    }
}

/// Decodes a file by its byte order mark, else by the encoding of its XML declaration, else as UTF-8.
///
/// # Errors
/// An unknown encoding, bytes that are invalid in the encoding, a NUL, a file larger than [`MAX_TEXT`].
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    if bytes.len() > MAX_TEXT {
        let message = format!("the file has more than {MAX_TEXT} bytes");
        return Err(ReadError::new(Place::default(), "too-large", message, "split it"));
    }
    let (encoding, mark) = match encoding_rs::Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (declared(bytes)?, 0),
    };
    let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]) else {
        let valid = encoding_rs::Encoding::utf8_valid_up_to(bytes);
        let line = 1 + bytes[..valid.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count() as u32;
        let message = format!("the bytes are not {}", encoding.name());
        let line = if encoding == encoding_rs::UTF_8 { line } else { 0 };
        return Err(ReadError::new(Place::new("", line), "encoding", message, "save the file as UTF-8"));
    };
    if let Some(at) = memchr(0, text.as_bytes()) {
        let line = 1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() as u32;
        let place = Place::new("", line);
        return Err(ReadError::new(place, "nul", "there is a NUL in the text", "remove it"));
    }
    Ok(text)
}

fn memchr(byte: u8, text: &[u8]) -> Option<usize> {
    text.iter().position(|other| *other == byte)
}

/// Returns the encoding that `<?xml ... encoding="..."?>` declares; UTF-8 without a declaration.
fn declared(bytes: &[u8]) -> Result<&'static encoding_rs::Encoding, ReadError> {
    let head = &bytes[..bytes.len().min(200)];
    if !head.starts_with(b"<?xml") {
        return Ok(encoding_rs::UTF_8);
    }
    let head = &head[..head.iter().position(|byte| *byte == b'>').unwrap_or(head.len())];
    let head = String::from_utf8_lossy(head);
    let Some((_, rest)) = head.split_once("encoding") else { return Ok(encoding_rs::UTF_8) };
    let rest = rest.trim_start().trim_start_matches('=').trim_start();
    let label = rest.split(['"', '\'']).nth(1).unwrap_or("utf-8");
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).ok_or_else(|| {
        let place = Place::new("", 1);
        ReadError::new(place, "encoding", "the declared encoding is unknown", "save the file as UTF-8")
    })?;
    // A declaration that is readable byte by byte is not UTF-16. Tools that write a text of UTF-16 code units to a
    // UTF-8 file leave the label as it was.
    let wide = encoding == encoding_rs::UTF_16LE || encoding == encoding_rs::UTF_16BE;
    Ok(if wide { encoding_rs::UTF_8 } else { encoding })
}

/// An index of line starts that finds the line of a byte offset by binary search.
#[derive(Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// Finds the lines of a text in linear time.
    pub fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { starts: ends.map(|(at, _)| at as u32 + 1).collect() }
    }

    /// Returns the line at a byte offset, from 1, in logarithmic time.
    pub fn at(&self, offset: usize) -> u32 {
        self.starts.partition_point(|start| *start as usize <= offset) as u32 + 1
    }
}

/// Escapes the five special characters of XML and HTML, and removes control characters, except line feeds and tabs, and
/// the two noncharacters that XML forbids.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{FFFE}' | '\u{FFFF}' => {}
            // XML 1.0 does not allow most of those below U+0020.
            c if c.is_control() && !matches!(c, '\n' | '\t') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{decode, escaped};

    #[test]
    fn characters_that_xml_forbids_are_removed() {
        assert_eq!(escaped("a\u{FFFE}\u{FFFF}\u{1}\u{FFFD}<\u{1FFFE}\t"), "a\u{FFFD}&lt;\u{1FFFE}\t");
    }

    #[test]
    fn a_readable_declaration_is_not_utf_16() {
        for label in ["utf-16", "UTF-16LE", "utf-16be", "unicode"] {
            let text = format!("<?xml version=\"1.0\" encoding=\"{label}\"?><quiz>é</quiz>");
            assert_eq!(decode(text.as_bytes()).as_deref(), Ok(text.as_str()), "{label}");
        }
        let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><quiz>é</quiz>";
        let marked: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&marked).as_deref(), Ok(text));
    }
}
