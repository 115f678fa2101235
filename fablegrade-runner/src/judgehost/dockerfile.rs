//! Labels in Dockerfiles. A builder labels only the last image, and a killed builder leaves earlier images
//! behind.

/// Returns a Dockerfile with a `LABEL` after each `FROM`, so the images of all stages carry the label.
///
/// Runs in linear time. A file that is not UTF-8 is returned unchanged; the builder refuses it.
pub(super) fn with_label(dockerfile: &[u8], key: &str, value: &str) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(dockerfile) else { return dockerfile.to_vec() };
    let escape = escape_character(text);
    let mut labelled = String::with_capacity(text.len() + 128);
    let mut instruction: Option<bool> = None;
    for line in text.lines() {
        labelled.push_str(line);
        labelled.push('\n');
        let trimmed = line.trim();
        // Comments and empty lines inside an instruction do not end it.
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let is_from = *instruction.get_or_insert_with(|| {
            let word = trimmed.split_whitespace().next().unwrap_or_default();
            word.eq_ignore_ascii_case("FROM")
        });
        if trimmed.ends_with(escape) {
            continue;
        }
        instruction = None;
        if is_from {
            labelled.push_str(&format!("LABEL {key}=\"{value}\"\n"));
        }
    }
    labelled.into_bytes()
}

/// Returns the character that continues a line: `\`, or the character that a directive before all
/// instructions sets.
fn escape_character(text: &str) -> char {
    for line in text.lines() {
        let Some(directive) = line.trim().strip_prefix('#') else { break };
        let Some((name, value)) = directive.split_once('=') else { break };
        if name.trim().eq_ignore_ascii_case("escape") && value.trim() == "`" {
            return '`';
        }
    }
    '\\'
}

#[cfg(test)]
mod tests {
    use super::with_label;

    #[test]
    fn a_label_follows_each_from_and_nothing_else() {
        let label = "LABEL k=\"v\"\n";
        for (given, expected) in [
            ("FROM scratch", format!("FROM scratch\n{label}")),
            ("# c\nfrom a AS b\nRUN x\nFROM b\n", format!("# c\nfrom a AS b\n{label}RUN x\nFROM b\n{label}")),
            ("FROM \\\n# c\n\n a\nRUN y", format!("FROM \\\n# c\n\n a\n{label}RUN y\n")),
            ("FROM a\nRUN echo \\\nFROM here\n", format!("FROM a\n{label}RUN echo \\\nFROM here\n")),
            (
                "# escape=`\nFROM a\nRUN dir c:\\\nFROM b\n",
                format!("# escape=`\nFROM a\n{label}RUN dir c:\\\nFROM b\n{label}"),
            ),
            ("ARG v=1\r\nFROM a:$v\r\n", format!("ARG v=1\nFROM a:$v\n{label}")),
        ] {
            assert_eq!(String::from_utf8(with_label(given.as_bytes(), "k", "v")).unwrap(), expected);
        }
        assert_eq!(with_label(b"FROM \xff", "k", "v"), b"FROM \xff");
    }
}
