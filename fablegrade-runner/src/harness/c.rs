//! Generates the `main.c` that calls a submitted C function, from the function's declaration, since C has no
//! reflection.

use super::{C_FAMILY, SourceError};
use crate::outline::Outline;
use std::fmt::Write as _;

/// The JSON counterpart of a C type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Void,
    Signed,
    Unsigned,
    Floating,
    Truth,
    Letter,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Type {
    kind: Kind,
    /// The base type as written, without qualifiers; `char *` for a string.
    written: String,
    /// Levels of indirection, not counting that of a string.
    pointers: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Parameter {
    Value(Type),
    /// A pointer and the length that follows it.
    Array(Type, Type),
    /// A pointer through which the function returns the length of its array.
    Length(Type),
}

const QUALIFIERS: &[&str] =
    &["const", "volatile", "restrict", "static", "register", "inline", "extern", "struct"];
const HELP: &str = "a C function can take and return numbers, bool, char and strings (char *); it can take arrays, \
                    each as a pointer followed by a length, and return an array if it writes the length through \
                    its last parameter, a pointer";

/// A part of a declaration that has no JSON counterpart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Undeclared {
    #[error("the type `{0}` has no JSON form; {help}", help = HELP)]
    Type(String),
    #[error("parameter {0} cannot be filled from JSON; {help}", help = HELP)]
    Parameter(usize),
    #[error("{help}", help = HELP)]
    Value,
}

fn parse_type(text: &str, named: bool) -> Result<Type, Undeclared> {
    let mut pointers = text.matches('*').count() + text.matches('[').count();
    let plain: String = text.split('[').next().unwrap_or_default().replace('*', " ");
    let mut words: Vec<&str> = plain.split_whitespace().filter(|word| !QUALIFIERS.contains(word)).collect();
    if named && words.len() > 1 && kind_of(&words).is_none() {
        words.pop();
    }
    let written = words.join(" ");
    let mut kind = kind_of(&words).ok_or_else(|| Undeclared::Type(text.trim().to_owned()))?;
    if kind == Kind::Letter && pointers > 0 {
        kind = Kind::Text;
        pointers -= 1;
    }
    Ok(Type { kind, written: if kind == Kind::Text { "char *".to_owned() } else { written }, pointers })
}

fn kind_of(words: &[&str]) -> Option<Kind> {
    let known = match words {
        [] => return None,
        ["void"] => Kind::Void,
        ["bool" | "_Bool"] => Kind::Truth,
        ["char"] => Kind::Letter,
        ["float" | "double"] | ["long", "double"] => Kind::Floating,
        ["size_t" | "uintptr_t" | "uintmax_t"] => Kind::Unsigned,
        ["ssize_t" | "ptrdiff_t" | "intptr_t" | "intmax_t"] => Kind::Signed,
        [one] if one.starts_with("uint") && one.ends_with("_t") => Kind::Unsigned,
        [one] if one.starts_with("int") && one.ends_with("_t") => Kind::Signed,
        all if all
            .iter()
            .all(|word| matches!(*word, "signed" | "unsigned" | "short" | "long" | "int" | "char")) =>
        {
            if all.contains(&"unsigned") { Kind::Unsigned } else { Kind::Signed }
        }
        _ => return None,
    };
    Some(known)
}

fn parameters(inside: &str) -> Result<Vec<Parameter>, Undeclared> {
    if inside.is_empty() || inside == "void" {
        return Ok(Vec::new());
    }
    let types: Vec<Type> = inside.split(',').map(|text| parse_type(text, true)).collect::<Result<_, _>>()?;
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(this) = types.get(at) {
        let next = types.get(at + 1).filter(|next| is_integer(next));
        match (this.pointers, next) {
            (0, _) if this.kind != Kind::Void => all.push(Parameter::Value(this.clone())),
            (1, Some(length)) if this.kind != Kind::Void => {
                all.push(Parameter::Array(this.clone(), length.clone()));
                at += 1;
            }
            (1, None) if at + 1 == types.len() && matches!(this.kind, Kind::Signed | Kind::Unsigned) => {
                all.push(Parameter::Length(this.clone()));
            }
            _ => return Err(Undeclared::Parameter(at + 1)),
        }
        at += 1;
    }
    Ok(all)
}

fn is_integer(one: &Type) -> bool {
    one.pointers == 0 && matches!(one.kind, Kind::Signed | Kind::Unsigned)
}

fn reader(one: &Type) -> String {
    let written = &one.written;
    match one.kind {
        Kind::Signed => format!(
            "({written})fablegrade_integer(-(long long)(~0ull >> (65 - 8 * sizeof({written}))) - 1, \
             (long long)(~0ull >> (65 - 8 * sizeof({written}))))"
        ),
        Kind::Unsigned => format!("({written})fablegrade_natural(~0ull >> (64 - 8 * sizeof({written})))"),
        Kind::Floating => format!("({written})fablegrade_number(sizeof({written}))"),
        Kind::Truth => "fablegrade_truth()".to_owned(),
        Kind::Letter => "fablegrade_letter()".to_owned(),
        Kind::Text | Kind::Void => "fablegrade_text()".to_owned(),
    }
}

fn writer(one: &Type) -> &'static str {
    match one.kind {
        Kind::Signed => "fablegrade_put_integer",
        Kind::Unsigned => "fablegrade_put_natural",
        Kind::Floating if one.written == "float" => "fablegrade_put_float",
        Kind::Floating => "fablegrade_put_number",
        Kind::Truth => "fablegrade_put_truth",
        Kind::Letter => "fablegrade_put_letter",
        Kind::Text | Kind::Void => "fablegrade_put_text",
    }
}

/// Returns the text of `main.c`.
pub(super) fn entry(source: &str, name: &str) -> Result<String, SourceError> {
    let (kind, inside) = Outline::new(source, C_FAMILY)
        .prototype(name)
        .ok_or_else(|| SourceError::NoFunction(name.to_owned()))?;
    let place = |why| SourceError::Function { name: name.to_owned(), why };
    let value = parse_type(&kind, false).map_err(place)?;
    let parameters = parameters(&inside).map_err(place)?;
    let returns_array = value.pointers == 1 && value.kind != Kind::Void;
    let tells_length = matches!(parameters.last(), Some(Parameter::Length(_)));
    if returns_array != tells_length || value.pointers > 1 {
        return Err(place(Undeclared::Value));
    }

    let mut arrays = String::new();
    let mut body = String::new();
    let mut given = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        match parameter {
            Parameter::Value(one) => {
                let _ =
                    writeln!(body, "    fablegrade_next();\n    {} a{at} = {};", one.written, reader(one));
                given.push(format!("a{at}"));
            }
            Parameter::Array(one, length) => {
                let _ = writeln!(
                    arrays,
                    "FABLEGRADE_ARRAY(fablegrade_array_{at}, {}, {})",
                    one.written,
                    reader(one)
                );
                let _ = writeln!(
                    body,
                    "    fablegrade_next();\n    size_t n{at};\n    {} *a{at} = fablegrade_array_{at}(&n{at});",
                    one.written
                );
                given.push(format!("a{at}, ({})n{at}", length.written));
            }
            Parameter::Length(one) => {
                let _ = writeln!(body, "    {} a{at} = 0;", one.written);
                given.push(format!("&a{at}"));
            }
        }
    }
    body.push_str("    fablegrade_last();\n");
    let call = format!("{name}({})", given.join(", "));
    let last = parameters.len().wrapping_sub(1);
    let put = writer(&value);
    let written = &value.written;
    let answer = if returns_array {
        format!(
            "    {written} *value = {call};\n    fablegrade_answer();\n    \
             FABLEGRADE_PUT_ARRAY(value, (size_t)a{last}, {put});\n"
        )
    } else if value.kind == Kind::Void {
        format!("    {call};\n    fablegrade_answer();\n    fablegrade_put_text(NULL);\n")
    } else {
        format!("    {written} value = {call};\n    fablegrade_answer();\n    {put}(value);\n")
    };
    Ok(format!(
        "#include \"support.h\"\n{arrays}#define main fablegrade_unused_main\n#include \"solution.c\"\n#undef main\n\
         int main(void) {{\n    fablegrade_open();\n{body}{answer}    fflush(stdout);\n    fablegrade_done();\n    \
         return 0;\n}}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::entry;

    #[test]
    fn declarations_become_calls() {
        for (source, call) in [
            ("int solve(int a, long long b) { return 0; }", "int value = solve(a0, a1);"),
            (
                "double mean(const double xs[], size_t n) { return 0; }",
                "double value = mean(a0, (size_t)n0);",
            ),
            ("static const char *f(char *s) { return s; }", "char * value = f(a0);"),
            ("int *g(int *v, int n, int *out) { return v; }", "int *value = g(a0, (int)n0, &a1);"),
            ("void h(void) {}", "    h();"),
            ("unsigned long k(unsigned n, bool up) { return n; }", "unsigned long value = k(a0, a1);"),
            ("int words(char **all, int count) { return count; }", "int value = words(a0, (int)n0);"),
        ] {
            let name = source.split('(').next().unwrap().rsplit([' ', '*']).next().unwrap();
            let text = entry(source, name).unwrap();
            assert!(text.contains(call), "{source}\n{text}");
        }
    }

    #[test]
    fn a_float_is_written_as_a_float() {
        for (source, put) in [
            ("const float solve(double x) { return x; }", "fablegrade_put_float(value)"),
            ("float *solve(int n, int *size) { return 0; }", "(size_t)a1, fablegrade_put_float)"),
            ("double solve(float x) { return x; }", "fablegrade_put_number(value)"),
            ("long double solve(float x) { return x; }", "fablegrade_put_number(value)"),
        ] {
            let text = entry(source, "solve").unwrap();
            assert!(text.contains(put), "{source}\n{text}");
        }
    }

    #[test]
    fn what_c_cannot_say_is_told() {
        for source in [
            "int solve(struct node *n) { return 0; }",
            "int solve(int **grid, int n, int m) { return 0; }",
            "int *solve(int n) { return 0; }",
            "int other(int n) { return 0; }",
        ] {
            assert!(entry(source, "solve").is_err(), "{source}");
        }
    }
}
