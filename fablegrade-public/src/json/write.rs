//! Writers of canonical JSON strings and scores, for the hot path.

use std::fmt::Write as _;

/// Appends `text` as a JSON string, with only the escapes that are required (RFC 8785).
pub fn write_json_string(text: &str, out: &mut String) {
    out.push('"');
    let mut clean = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            0x0c => "\\f",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(&text[clean..at]);
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        clean = at + 1;
    }
    out.push_str(&text[clean..]);
    out.push('"');
}

/// Appends a number between 0 and 1 as ECMAScript prints it: the shortest text that reads back as the same `f64`.
pub fn write_score(score: f64, out: &mut String) {
    if score == 0.0 {
        out.push('0');
    } else if score == 1.0 {
        out.push('1');
    } else if score >= 1e-6 {
        let _ = write!(out, "{score}");
    } else {
        let text = format!("{score:e}");
        out.push_str(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_escape_what_json_demands_and_no_more() {
        let mut out = String::new();
        write_json_string("a\"b\\c\n\u{1}é/\u{7f}", &mut out);
        assert_eq!(out, "\"a\\\"b\\\\c\\n\\u0001é/\u{7f}\"");
    }

    #[test]
    fn scores_print_shortest() {
        for (score, text) in
            [(0.0, "0"), (1.0, "1"), (2.0 / 3.0, "0.6666666666666666"), (0.1, "0.1"), (1.5e-7, "1.5e-7")]
        {
            let mut out = String::new();
            write_score(score, &mut out);
            assert_eq!(out, text);
        }
    }
}
