//! JSON pointers (RFC 6901).

/// The maximum length of a key in the pointer of a finding, in code points; a longer key ends with `…`.
pub(super) const LONGEST_KEY: usize = 255;
/// A pointer of a finding with at least this many bytes has no more steps; it ends with `/…`.
const LONGEST: usize = 2_000;

/// Appends one reference token, escaped.
pub(crate) fn push_segment(pointer: &mut String, segment: &str) {
    pointer.push('/');
    for c in segment.chars() {
        push_escaped(pointer, c);
    }
}

fn push_escaped(pointer: &mut String, c: char) {
    match c {
        '~' => pointer.push_str("~0"),
        '/' => pointer.push_str("~1"),
        _ => pointer.push(c),
    }
}

/// Appends one step to the pointer of a finding. Cuts a key of more than 255 code points. Once the pointer
/// has 2,000 bytes, appends `/…` in place of further steps. Otherwise, a document with long keys could fill
/// the memory with its findings.
pub fn push_step(pointer: &mut String, key: &str) {
    const REST: &str = "/…";
    if pointer.len() >= LONGEST {
        if !pointer.ends_with(REST) {
            pointer.push_str(REST);
        }
        return;
    }
    let whole = key.len() <= LONGEST_KEY || key.char_indices().nth(LONGEST_KEY).is_none();
    if whole {
        return push_segment(pointer, key);
    }
    pointer.push('/');
    for c in key.chars().take(LONGEST_KEY - 1) {
        push_escaped(pointer, c);
    }
    pointer.push('…');
}

#[cfg(test)]
mod tests {
    use super::push_step;

    #[test]
    fn pointers_of_findings_are_bounded() {
        let pointer = |keys: &[&str]| {
            let mut pointer = String::new();
            keys.iter().for_each(|key| push_step(&mut pointer, key));
            pointer
        };
        assert_eq!(pointer(&["a/b", "~", "0"]), "/a~1b/~0/0");
        let (longest, longer) = ("é".repeat(255), "é".repeat(256));
        assert_eq!(pointer(&[&longest, "a"]), format!("/{longest}/a"));
        assert_eq!(pointer(&[&longer, "a"]), format!("/{}…/a", "é".repeat(254)));
        let deep = pointer(&["é".repeat(255).as_str(); 128]);
        assert!(deep.len() < 2_500 && deep.ends_with("é/…") && !deep.contains("…/"), "{deep}");
    }
}
