//! Function mode: checks whether one function in each offered language can take the arguments of all cases
//! and return the expected values. Python, JavaScript, Go and Java can represent any JSON value. The other
//! languages need one type per parameter.

use fablegrade_public::json::Json;
use fablegrade_public::matcher::output_json;
use fablegrade_public::view::code::{HarnessMode, Language};
use fablegrade_public::{Finding, Findings};

use super::CodeSpec;

/// The Rust harness supports functions of up to eight parameters, and tuples of up to six elements.
const RUST_PARAMETERS: usize = 8;
const RUST_TUPLE: usize = 6;
/// The maximum number of visited values; beyond it, the check gives up without a finding. Each array can be
/// read as a sequence or as a tuple, so the work can double at every depth.
const MAX_VISITS: u32 = 200_000;

/// The reason why no single type can hold the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Kinds,
    Parts,
    Fields,
    Null,
    Object,
    Nested,
    Nul,
}

impl Why {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Kinds => "one type would have to hold values of several kinds",
            Self::Parts => "an array has elements of several kinds",
            Self::Fields => "the fields of an object have values of several kinds",
            Self::Null => "there is no null",
            Self::Object => "there are no objects",
            Self::Nested => "there are no arrays of arrays",
            Self::Nul => "a string cannot hold U+0000",
        }
    }
}

/// A statically typed language, and whether the values are returned or passed as arguments.
#[derive(Debug, Clone, Copy)]
struct Typed {
    language: Language,
    returned: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    Number,
    Text,
    Array,
    Object,
}

fn kind(value: &Json) -> Option<Kind> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(_) => Kind::Truth,
        Json::Number(_) => Kind::Number,
        Json::String(_) => Kind::Text,
        Json::Array(_) => Kind::Array,
        Json::Object(_) => Kind::Object,
    })
}

impl Typed {
    /// Checks whether one type can hold all the values. Recursion is bounded by the depth limit of the reader.
    fn holds(self, values: &[&Json], visits: &mut u32) -> Result<(), Why> {
        *visits = visits.saturating_add(values.len() as u32 + 1);
        if *visits > MAX_VISITS {
            return Ok(());
        }
        let c = self.language == Language::C;
        let mut kinds = values.iter().filter_map(|value| kind(value));
        let first = kinds.next();
        if kinds.any(|kind| Some(kind) != first) {
            return Err(Why::Kinds);
        }
        // In C, a null pointer can be returned in place of a string.
        let null = values.iter().any(|value| matches!(value, Json::Null));
        if c && null && !(self.returned && matches!(first, None | Some(Kind::Text))) {
            return Err(Why::Null);
        }
        match first {
            Some(Kind::Text) if c => {
                let nul = values.iter().any(|value| value.as_str().is_some_and(|text| text.contains('\0')));
                if nul { Err(Why::Nul) } else { Ok(()) }
            }
            Some(Kind::Array) => self.holds_arrays(values, visits),
            Some(Kind::Object) if c => Err(Why::Object),
            Some(Kind::Object) => {
                let fields: Vec<&Json> = values
                    .iter()
                    .filter_map(|value| match value {
                        Json::Object(fields) => Some(fields.iter().map(|(_, value)| value)),
                        _ => None,
                    })
                    .flatten()
                    .collect();
                self.holds(&fields, visits).map_err(|why| if why == Why::Kinds { Why::Fields } else { why })
            }
            _ => Ok(()),
        }
    }

    fn holds_arrays(self, values: &[&Json], visits: &mut u32) -> Result<(), Why> {
        let arrays: Vec<&[Json]> = values.iter().filter_map(|value| value.as_array()).collect();
        let elements: Vec<&Json> = arrays.iter().copied().flatten().collect();
        if self.language == Language::C && elements.iter().any(|element| kind(element) == Some(Kind::Array)) {
            return Err(Why::Nested);
        }
        let sequence =
            self.holds(&elements, visits).map_err(|why| if why == Why::Kinds { Why::Parts } else { why });
        let Err(why) = sequence else { return Ok(()) };
        let length = arrays.first().map_or(0, |array| array.len());
        let tuple = match self.language {
            Language::C => false,
            Language::Rust => length <= RUST_TUPLE,
            _ => true,
        };
        if !tuple || length < 2 || arrays.iter().any(|array| array.len() != length) {
            return Err(why);
        }
        for at in 0..length {
            let column: Vec<&Json> = arrays.iter().filter_map(|array| array.get(at)).collect();
            self.holds(&column, visits)?;
        }
        Ok(())
    }

    /// Returns the index of the first value that has no common type with the values before it, and the
    /// reason.
    fn first_misfit(self, values: &[&Json]) -> Option<(usize, Why)> {
        let fits = |count: usize| self.holds(values.get(..count).unwrap_or_default(), &mut 0);
        let mut why = fits(values.len()).err()?;
        // If the first n values do not fit, the first n + 1 do not fit either, so bisect.
        let (mut good, mut bad) = (0, values.len());
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            match fits(middle) {
                Ok(()) => good = middle,
                Err(found) => (bad, why) = (middle, found),
            }
        }
        Some((bad - 1, why))
    }
}

/// A case as a function call.
struct Call {
    pointer: String,
    arguments: Json,
    expected: Option<Json>,
}

impl Call {
    fn arguments(&self) -> &[Json] {
        self.arguments.as_array().unwrap_or_default()
    }
}

impl CodeSpec {
    /// Reports functions that an offered language cannot declare: at most one finding per language and rule.
    pub(crate) fn lint_signature(&self, findings: &mut Findings) {
        if self.harness.mode != HarnessMode::Function {
            return;
        }
        let calls: Vec<Call> = self
            .cases()
            .filter_map(|(suite_index, _, case_index, case)| {
                Some(Call {
                    pointer: format!("/testSuites/{suite_index}/cases/{case_index}"),
                    // An input that is not an array of arguments is already an error.
                    arguments: output_json(case.input.as_bytes()).filter(|json| json.as_array().is_some())?,
                    expected: output_json(case.expected.as_bytes()),
                })
            })
            .collect();
        for &language in &self.languages {
            if let Some(name) = self.harness.function_name.as_deref()
                && reserved(language).contains(&name)
            {
                findings.push(Finding::warning(
                    "function-name-reserved",
                    "/harness/functionName",
                    format!("no function can have this name in {}", language.as_str()),
                    "choose another name, or do not offer the language",
                ));
            }
            let Some((pointer, message)) = misfit(language, &calls) else { continue };
            findings.push(Finding::warning(
                "not-expressible",
                pointer,
                message,
                format!("do not offer {}, or use values that it can hold", language.as_str()),
            ));
        }
    }
}

fn misfit(language: Language, calls: &[Call]) -> Option<(String, String)> {
    use Language::{C, Cpp, Go, Rust};
    let word = language.as_str();
    if !matches!(language, C | Cpp | Rust | Go) {
        return None;
    }
    let count = calls.first()?.arguments().len();
    if let Some(other) = calls.iter().find(|call| call.arguments().len() != count) {
        let message =
            format!("a function in {word} cannot take one number of arguments here and another there");
        return Some((format!("{}/input", other.pointer), message));
    }
    if language == Go {
        return None;
    }
    if language == Rust && count > RUST_PARAMETERS {
        let message = format!("functions in {word} are called with at most {RUST_PARAMETERS} arguments");
        return Some((format!("{}/input", calls.first()?.pointer), message));
    }
    for at in 0..count {
        let values: Vec<&Json> = calls.iter().filter_map(|call| call.arguments().get(at)).collect();
        if let Some((case, why)) = (Typed { language, returned: false }).first_misfit(&values) {
            let message = format!(
                "no parameter of a function in {word} can take argument {}: {}",
                at + 1,
                why.as_str()
            );
            return Some((format!("{}/input", calls.get(case)?.pointer), message));
        }
    }
    let expected: Vec<(&Call, &Json)> =
        calls.iter().filter_map(|call| Some((call, call.expected.as_ref()?))).collect();
    let values: Vec<&Json> = expected.iter().map(|(_, value)| *value).collect();
    let (case, why) = (Typed { language, returned: true }).first_misfit(&values)?;
    let message = format!("no function in {word} can return what is expected: {}", why.as_str());
    Some((format!("{}/expected", expected.get(case)?.0.pointer), message))
}

/// Returns the words that match the pattern for names but cannot name a function: keywords, and special names
/// such as `main`. The keywords are those of Python 3, ECMAScript 2025 (in strict code), C17 with the names of
/// `stdbool.h` and the types of C23, C++20, Java 21, Rust 2021 and Go 1; those of C and C++ have GNU's `asm`
/// and `typeof` too.
fn reserved(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &[
            "False",
            "None",
            "True",
            "__debug__",
            "and",
            "as",
            "assert",
            "async",
            "await",
            "break",
            "class",
            "continue",
            "def",
            "del",
            "elif",
            "else",
            "except",
            "finally",
            "for",
            "from",
            "global",
            "if",
            "import",
            "in",
            "is",
            "lambda",
            "nonlocal",
            "not",
            "or",
            "pass",
            "raise",
            "return",
            "try",
            "while",
            "with",
            "yield",
        ],
        Language::JavaScript => &[
            "arguments",
            "await",
            "break",
            "case",
            "catch",
            "class",
            "const",
            "continue",
            "debugger",
            "default",
            "delete",
            "do",
            "else",
            "enum",
            "eval",
            "export",
            "extends",
            "false",
            "finally",
            "for",
            "function",
            "if",
            "implements",
            "import",
            "in",
            "instanceof",
            "interface",
            "let",
            "new",
            "null",
            "package",
            "private",
            "protected",
            "public",
            "return",
            "static",
            "super",
            "switch",
            "this",
            "throw",
            "true",
            "try",
            "typeof",
            "var",
            "void",
            "while",
            "with",
            "yield",
        ],
        Language::C => &[
            "_Alignas",
            "_Alignof",
            "_Atomic",
            "_BitInt",
            "_Bool",
            "_Complex",
            "_Decimal128",
            "_Decimal32",
            "_Decimal64",
            "_Generic",
            "_Imaginary",
            "_Noreturn",
            "_Static_assert",
            "_Thread_local",
            "asm",
            "auto",
            "bool",
            "break",
            "case",
            "char",
            "const",
            "continue",
            "default",
            "do",
            "double",
            "else",
            "enum",
            "extern",
            "false",
            "float",
            "for",
            "goto",
            "if",
            "inline",
            "int",
            "long",
            "main",
            "register",
            "restrict",
            "return",
            "short",
            "signed",
            "sizeof",
            "static",
            "struct",
            "switch",
            "true",
            "typedef",
            "typeof",
            "union",
            "unsigned",
            "void",
            "volatile",
            "while",
        ],
        Language::Cpp => &[
            "alignas",
            "alignof",
            "and",
            "and_eq",
            "asm",
            "auto",
            "bitand",
            "bitor",
            "bool",
            "break",
            "case",
            "catch",
            "char",
            "char16_t",
            "char32_t",
            "char8_t",
            "class",
            "co_await",
            "co_return",
            "co_yield",
            "compl",
            "concept",
            "const",
            "const_cast",
            "consteval",
            "constexpr",
            "constinit",
            "continue",
            "decltype",
            "default",
            "delete",
            "do",
            "double",
            "dynamic_cast",
            "else",
            "enum",
            "explicit",
            "export",
            "extern",
            "false",
            "float",
            "for",
            "friend",
            "goto",
            "if",
            "inline",
            "int",
            "long",
            "main",
            "mutable",
            "namespace",
            "new",
            "noexcept",
            "not",
            "not_eq",
            "nullptr",
            "operator",
            "or",
            "or_eq",
            "private",
            "protected",
            "public",
            "register",
            "reinterpret_cast",
            "requires",
            "return",
            "short",
            "signed",
            "sizeof",
            "static",
            "static_assert",
            "static_cast",
            "struct",
            "switch",
            "template",
            "this",
            "thread_local",
            "throw",
            "true",
            "try",
            "typedef",
            "typeid",
            "typename",
            "typeof",
            "union",
            "unsigned",
            "using",
            "virtual",
            "void",
            "volatile",
            "wchar_t",
            "while",
            "xor",
            "xor_eq",
        ],
        Language::Java => &[
            "_",
            "abstract",
            "assert",
            "boolean",
            "break",
            "byte",
            "case",
            "catch",
            "char",
            "class",
            "const",
            "continue",
            "default",
            "do",
            "double",
            "else",
            "enum",
            "extends",
            "false",
            "final",
            "finally",
            "float",
            "for",
            "goto",
            "if",
            "implements",
            "import",
            "instanceof",
            "int",
            "interface",
            "long",
            "native",
            "new",
            "null",
            "package",
            "private",
            "protected",
            "public",
            "return",
            "short",
            "static",
            "strictfp",
            "super",
            "switch",
            "synchronized",
            "this",
            "throw",
            "throws",
            "transient",
            "true",
            "try",
            "void",
            "volatile",
            "while",
        ],
        Language::Rust => &[
            "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
            "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl",
            "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
            "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
            "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
        ],
        Language::Go => &[
            "_",
            "break",
            "case",
            "chan",
            "const",
            "continue",
            "default",
            "defer",
            "else",
            "fallthrough",
            "for",
            "func",
            "go",
            "goto",
            "if",
            "import",
            "init",
            "interface",
            "main",
            "map",
            "package",
            "range",
            "return",
            "select",
            "struct",
            "switch",
            "type",
            "var",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Typed, Why, output_json, reserved};

    fn misfit(language: Language, returned: bool, texts: &[&str]) -> Option<(usize, Why)> {
        let values: Vec<_> = texts.iter().map(|text| output_json(text.as_bytes()).unwrap()).collect();
        Typed { language, returned }.first_misfit(&values.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_type_holds_values_of_one_kind_tuples_and_options() {
        for (texts, found) in [
            (&["1", "2.5", "-3"][..], None),
            (&["1", "\"x\""], Some((1, Why::Kinds))),
            (&["1", "null"], None),
            (&["[[1],[],[2,3]]", "[]"], None),
            (&["[1,\"a\"]", "[2,\"b\"]"], None),
            (&["[1,\"a\"]", "[2]"], Some((1, Why::Parts))),
            (&["{\"a\":1,\"b\":[2]}"], Some((0, Why::Fields))),
            (&["{\"a\":1}", "{\"b\":2,\"c\":3}", "{}"], None),
            (&["[[\"a\",1],[\"b\",2]]", "[[\"c\",3]]"], None),
        ] {
            assert_eq!(misfit(Language::Cpp, false, texts), found, "{texts:?}");
            assert_eq!(misfit(Language::Rust, false, texts), found, "{texts:?}");
        }
        let seven = &["[1,2,3,4,5,6,\"x\"]"];
        assert_eq!(misfit(Language::Cpp, false, seven), None);
        assert_eq!(misfit(Language::Rust, false, seven), Some((0, Why::Parts)));
    }

    #[test]
    fn c_has_scalars_strings_and_flat_arrays() {
        for (text, found) in [
            ("[1,2]", None),
            ("[\"a\",\"b\"]", None),
            ("[[1]]", Some((0, Why::Nested))),
            ("[1,\"a\"]", Some((0, Why::Parts))),
            ("{}", Some((0, Why::Object))),
            ("null", Some((0, Why::Null))),
            ("\"a\\u0000b\"", Some((0, Why::Nul))),
        ] {
            assert_eq!(misfit(Language::C, false, &[text]), found, "{text}");
        }
        assert_eq!(misfit(Language::C, true, &["null", "\"x\""]), None);
        assert_eq!(misfit(Language::C, true, &["null", "[1]"]), Some((1, Why::Null)));
    }

    #[test]
    fn keywords_are_reserved() {
        for (language, words) in [
            (Language::Python, "async __debug__ nonlocal None"),
            (Language::JavaScript, "await let eval arguments yield static enum"),
            (Language::C, "_Bool _Alignas _Generic _Thread_local _Imaginary bool restrict asm main"),
            (Language::Cpp, "char8_t char16_t char32_t wchar_t co_yield requires xor_eq typeof"),
            (Language::Java, "_ strictfp goto true null"),
            (Language::Rust, "Self dyn async try unsized"),
            (Language::Go, "_ fallthrough chan init main"),
        ] {
            for word in words.split(' ') {
                assert!(reserved(language).contains(&word), "{word}");
            }
            assert!(reserved(language).is_sorted(), "{}", language.as_str());
            assert!(!reserved(language).contains(&"solve"));
        }
    }

    #[test]
    fn the_work_is_bounded_at_every_depth() {
        // Each level can be a sequence or a tuple, and neither can hold the innermost object.
        let mixed = r#"{"a":1,"b":"x"}"#;
        let deep = "[".repeat(100) + mixed + &",[]]".repeat(100);
        assert_eq!(misfit(Language::Cpp, false, &[&deep]), Some((0, Why::Fields)));
        let wide = (0..14).fold(mixed.to_owned(), |inner, _| format!("[{inner},{inner}]"));
        assert_eq!(misfit(Language::Cpp, false, &[&wide]), None, "given up without a finding");
    }
}
