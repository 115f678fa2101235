//! Rewrites combinations of unit vectors as tuples.

/// The names of the unit vectors in tidied texts, without their font, in the order of the coordinates.
const UNIT_VECTORS: [&str; 3] = ["{i}", "{j}", "{k}"];

/// Rewrites a combination of unit vectors as a tuple of some dimension: `3{i}-{j}` becomes `(3,-1)`.
pub(super) fn coordinates(text: &str, dimension: usize) -> Option<String> {
    if !UNIT_VECTORS.iter().any(|name| text.contains(name))
        || text.len() > 400
        || !(2..=3).contains(&dimension)
    {
        return None;
    }
    let mut values: [Option<String>; 3] = [None, None, None];
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (at, axis) = UNIT_VECTORS
            .iter()
            .take(dimension)
            .enumerate()
            .filter_map(|(axis, name)| Some((rest.find(name)?, axis)))
            .min()?;
        let factor = rest[..at].trim();
        let (sign, size) = match factor.strip_prefix('-') {
            Some(size) => ("-", size.trim()),
            None => ("", factor.strip_prefix('+').unwrap_or(factor).trim()),
        };
        let closed = size.matches('(').count() == size.matches(')').count();
        let sum = size.contains(['+', '-']) && !(size.starts_with('(') && size.ends_with(')'));
        // the letter can be an exponent or the argument of another command
        let attached =
            size.ends_with(['^', '_', '}']) && !size.contains("\\sqrt") && !size.contains("\\frac");
        if !closed || sum || attached || size.contains(['=', ',']) || values[axis].is_some() {
            return None;
        }
        values[axis] = Some(format!("{sign}{}", if size.is_empty() { "1" } else { size }));
        rest = rest[at + UNIT_VECTORS[axis].len()..].trim();
    }
    let values: Vec<String> =
        values.into_iter().take(dimension).map(|value| value.unwrap_or_else(|| "0".to_owned())).collect();
    Some(format!("({})", values.join(",")))
}

#[cfg(test)]
mod tests {
    use super::coordinates;

    #[test]
    fn unit_vectors_are_coordinates() {
        for (text, dimension, tuple) in [
            (r"3{i}+4{j}", 2, Some("(3,4)")),
            (r"-{i} + 2 {k}", 3, Some("(-1,0,2)")),
            (r"(1+t){i}-\sqrt{2}{j}", 2, Some(r"((1+t),-\sqrt{2})")),
            (r"3{i}+4{k}", 2, None),
            (r"3{i}+4{i}", 2, None),
            (r"3{i}+4", 2, None),
            (r"3{v}", 2, None),
        ] {
            assert_eq!(coordinates(text, dimension).as_deref(), tuple, "{text}");
        }
    }
}
