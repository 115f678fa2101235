//! Several boxes without their outermost braces.
//!
//! In an answer with two boxes, the text between the first `\boxed{` and the last `}` is `1},\boxed{2`. Its
//! first brace closes a group that was never opened. Between the boxes there can be nothing, a comma, a
//! semicolon, or words that end with *and* or *or*. In these cases, the text can only mean the contents of
//! the boxes in sequence.

const OPEN: &str = "\\boxed{";

/// Returns the contents of the boxes, at their positions, joined by a comma, `and` or `or`; `None` for any
/// other text.
pub(crate) fn without_braces(source: &str) -> Option<String> {
    let mut text = Vec::with_capacity(source.len());
    let mut rest = source;
    while let Some(close) = unopened_brace(rest) {
        let open = close + rest.get(close..)?.find(OPEN)?;
        let joint = joint(rest.get(close + 1..open)?)?;
        text.extend_from_slice(rest.get(..close)?.as_bytes());
        // at least eight bytes: the brace and the command
        let gap = open + OPEN.len() - close;
        text.extend_from_slice(joint.as_bytes());
        text.resize(text.len() + gap - joint.len(), b' ');
        rest = rest.get(open + OPEN.len()..)?;
    }
    if text.is_empty() {
        return None;
    }
    text.extend_from_slice(rest.as_bytes());
    String::from_utf8(text).ok()
}

/// Returns the position of the first closing brace that has no opening brace.
fn unopened_brace(text: &str) -> Option<usize> {
    let (mut depth, mut escaped) = (0u32, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => {
                escaped = false;
                continue;
            }
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
        escaped = byte == b'\\';
    }
    None
}

/// Returns the comma or word that joins two boxes; `None` if the text between them does not join them.
fn joint(between: &str) -> Option<&'static str> {
    let mut words = between.to_owned();
    for sign in ["\\text", "\\quad", "\\qquad", "\\(", "\\)", "\\,", "\\;", "\\ ", "$", "{", "}", "~"] {
        words = words.replace(sign, " ");
    }
    let words = words.trim();
    match words {
        "" | "," | ";" => return Some(","),
        _ if words.contains('\\') => return None,
        _ => {}
    }
    match words.rsplit([' ', ',']).next() {
        Some("and") => Some(" and "),
        Some("or") => Some(" or "),
        _ => None,
    }
}
