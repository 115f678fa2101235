//! Finds the id of a line that is not valid JSON, so the answer can still contain it.

use fablegrade_core::json::Document;

/// Returns the text of the value of `"id"` at the top level of an object, exactly as written.
///
/// The line can be malformed around the id, or cut off after it. The id must be valid JSON that is followed
/// by a comma or a closing bracket. Takes time linear in the length of `line`.
pub(crate) fn identify(line: &[u8]) -> Option<&str> {
    let mut at = blanks(line, 0);
    if line.get(at) != Some(&b'{') {
        return None;
    }
    at += 1;
    loop {
        at = blanks(line, at);
        let key = at..string_end(line, at)?;
        at = blanks(line, key.end);
        if line.get(at) != Some(&b':') {
            return None;
        }
        at = blanks(line, at + 1);
        let value = at..value_end(line, at)?;
        if &line[key] == b"\"id\"" {
            let text = std::str::from_utf8(&line[value]).ok()?.trim_ascii();
            return Document::parse(text.as_bytes()).is_ok().then_some(text);
        }
        if line.get(value.end) != Some(&b',') {
            return None;
        }
        at = value.end + 1;
    }
}

fn blanks(line: &[u8], mut at: usize) -> usize {
    while line.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Returns the position after the closing quote of the string that starts at `at`.
fn string_end(line: &[u8], at: usize) -> Option<usize> {
    if line.get(at) != Some(&b'"') {
        return None;
    }
    let mut at = at + 1;
    loop {
        match line.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns the position of the `,`, `}` or `]` that ends the value at `at`.
fn value_end(line: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    loop {
        match line.get(at)? {
            b'"' => {
                at = string_end(line, at)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b',' | b'}' | b']' if depth == 0 => return Some(at),
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::identify;

    #[test]
    fn ids_survive_what_is_wrong_around_them() {
        for (line, id) in [
            (r#"{"id":"a","spec":{"#, Some(r#""a""#)),
            (r#"{"id" : 7 ,"spec":tru}"#, Some("7")),
            (r#"{"spec":{"a":[1,"}"],"id":5},"id":{"x":[1]}, ..."#, Some(r#"{"x":[1]}"#)),
            (r#"{"spec":nonsense,"id":"späť"}"#, Some(r#""späť""#)),
            (r#"{"id":nonsense}"#, None),
            (r#"{"id":"cut off"#, None),
            (r#"{"id":12"#, None),
            (r#"{"spec":{"id":1}}"#, None),
            (r#"["id",1]"#, None),
            ("", None),
            (r#"{"id""#, None),
            (r#"{"id":"\"#, None),
        ] {
            assert_eq!(identify(line.as_bytes()), id, "{line}");
        }
        assert_eq!(identify(b"{\"x\":\"\xff\",\"id\":1}"), Some("1"));
        assert_eq!(identify(b"{\"id\":\"\xff\"}"), None);
    }
}
