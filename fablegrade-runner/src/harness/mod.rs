//! Turns a submission into the files of a compilation. For a program that reads standard input, that is the
//! source, with a missing package clause added in Go. For a function, a program that calls it is added.

mod c;

use crate::outline::{Backquotes, Dialect, Outline, Strings};
use std::collections::BTreeMap;

/// The files of a program to compile and run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prepared {
    /// Names and contents of the files that the sandbox mounts at `/box`.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// The values of the placeholders `{name}`, `{file}`, `{unit}` and `{main}` in the language's row.
    pub(crate) words: BTreeMap<&'static str, String>,
}

/// The reason why a submission cannot be prepared; shown to the learner.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SourceError {
    #[error("the language {0} is not known")]
    Language(String),
    #[error("solution.go:1:1: a program is `package main`, not `package {name}`")]
    Package { name: String },
    #[error("{start}...: the name of this type is too long for a file")]
    LongType { start: String },
    #[error("the name of the package is too long")]
    LongPackage,
    #[error("there is no function `{0}`")]
    NoFunction(String),
    #[error("function `{name}`: {why}")]
    Function { name: String, why: c::Undeclared },
}

/// Files of the runner that are compiled with a submission; a learner's compile errors do not mention them.
const OURS: &[&str] = &[
    "main.c",
    "main.cpp",
    "main.rs",
    "support.h",
    "support.hpp",
    "support.rs",
    "harness.go",
    "zentry.go",
    "FablegradeHarness.java",
];

/// The base of the other dialects: strings of one line, and nothing that only some languages have.
const PLAIN: Dialect = Dialect {
    backquotes: Backquotes::None,
    quotes: false,
    regex_after: b"",
    preprocessor: false,
    strings: Strings::OneLine,
};
const C_FAMILY: Dialect = Dialect { preprocessor: true, strings: Strings::Delimited, ..PLAIN };
const GO: Dialect = Dialect { backquotes: Backquotes::Raw, ..PLAIN };
const JAVASCRIPT: Dialect = Dialect { backquotes: Backquotes::Templates, quotes: true, ..PLAIN };
/// The ways to read slashes in JavaScript, the most frequent one first.
const SLASHES: [&[u8]; 4] = [b"}", b")}", b"", b")"];
const JAVA: Dialect = Dialect { strings: Strings::TextBlocks, ..PLAIN };
const RUST: Dialect = Dialect { strings: Strings::AllAndHashed, ..PLAIN };

/// Returns the files for a submission, and the values of placeholders. `function` is the name of the entry
/// function, or `None` if the submission is a program that reads standard input.
pub(crate) fn prepare(language: &str, source: &str, function: Option<&str>) -> Result<Prepared, SourceError> {
    let mut words = BTreeMap::from([("name", function.unwrap_or_default().to_owned())]);
    let mut files = Vec::new();
    let mut add = |name: &str, content: String| files.push((name.to_owned(), content.into_bytes()));
    match language {
        "python" => {
            add("solution.py", source.to_owned());
            if function.is_some() {
                add("main.py", include_str!("main.py").to_owned());
            }
        }
        "javascript" => {
            // Reading slashes in a wrong way can hide the declarations of a module in a literal, so every way
            // is tried.
            let read = |regex_after| Outline::new(source, Dialect { regex_after, ..JAVASCRIPT });
            let module = SLASHES.into_iter().any(|regex_after| read(regex_after).is_module());
            let file = if module { "solution.mjs" } else { "solution.js" };
            words.insert("file", file.to_owned());
            match function {
                None => add(file, source.to_owned()),
                Some(name) => {
                    add(file, format!("{source}\n{}", javascript_export(name, module)));
                    add("main.cjs", include_str!("main.cjs").to_owned());
                }
            }
        }
        "c" => {
            add("solution.c", source.to_owned());
            let unit = if function.is_some() { "main.c" } else { "solution.c" };
            words.insert("unit", unit.to_owned());
            if let Some(name) = function {
                add("support.h", include_str!("support.h").to_owned());
                add("main.c", c::entry(source, name)?);
            }
        }
        "cpp" => {
            add("solution.cpp", source.to_owned());
            let unit = if function.is_some() { "main.cpp" } else { "solution.cpp" };
            words.insert("unit", unit.to_owned());
            if let Some(name) = function {
                add("support.hpp", include_str!("support.hpp").to_owned());
                add("main.cpp", cpp_entry(source, name));
            }
        }
        "java" => java(source, function, &mut words, &mut add)?,
        "rust" => {
            let unit = if function.is_some() { "main.rs" } else { "solution.rs" };
            words.insert("unit", unit.to_owned());
            match function {
                None => add("solution.rs", source.to_owned()),
                Some(name) => {
                    let outline = Outline::new(source, RUST);
                    let method = !outline.declares("fn", name) && outline.has_words(&["impl", "Solution"]);
                    let path = if method { format!("Solution::{name}") } else { name.to_owned() };
                    let entry = format!(
                        "{source}\npub(crate) fn fablegrade_entry() {{ crate::fablegrade_support::call({path}) }}\n"
                    );
                    add("solution.rs", entry);
                    add("support.rs", include_str!("support.rs").to_owned());
                    add("main.rs", RUST_MAIN.to_owned());
                }
            }
        }
        "go" => {
            let outline = Outline::new(source, GO);
            let all = outline.words();
            let package = match all.as_slice() {
                [(_, 0, "package"), (start, 0, name), ..] => Some((*start, *name)),
                _ => None,
            };
            match (package, function) {
                // The clause goes on the first line, so the compiler's line numbers stay correct.
                (None, _) => add("solution.go", format!("package main; {source}")),
                (Some((_, "main")), _) => add("solution.go", source.to_owned()),
                // In function mode, the package can have any name.
                (Some((start, name)), Some(_)) => {
                    let (before, rest) = source.split_at_checked(start).unwrap_or((source, ""));
                    add("solution.go", format!("{before}main{}", rest.strip_prefix(name).unwrap_or(rest)));
                }
                (Some((_, name)), None) => {
                    return Err(SourceError::Package { name: name.chars().take(100).collect() });
                }
            }
            if let Some(name) = function {
                let main = if outline.declares("func", "main") { "" } else { "func main() {}\n" };
                add("harness.go", include_str!("harness.go").to_owned());
                // Functions `init` run in the order of the files, and the solution's run first.
                add("zentry.go", format!("package main\n\nfunc init() {{ fablegradeCall({name}) }}\n{main}"));
            }
        }
        other => return Err(SourceError::Language(other.to_owned())),
    }
    Ok(Prepared { files, words })
}

const RUST_MAIN: &str = "#[path = \"support.rs\"]\nmod fablegrade_support;\n#[allow(warnings)]\nmod solution;\n\
                         fn main() { solution::fablegrade_entry() }\n";

fn javascript_export(name: &str, module: bool) -> String {
    let entry = format!(
        "typeof {name} === 'function' ? {name} : typeof Solution === 'function' ? \
         (...given) => new Solution().{name}(...given) : undefined"
    );
    if module {
        return format!("export const fablegradeEntry = {entry};\n");
    }
    format!(
        ";(() => {{ const exported = module.exports, entry = exported && typeof exported.{name} === 'function' && \
         typeof {name} === 'undefined' ? exported.{name} : {entry}; module.exports = {{ fablegradeEntry: entry }}; \
         }})();\n"
    )
}

fn cpp_entry(source: &str, name: &str) -> String {
    let outline = Outline::new(source, C_FAMILY);
    let class = !outline.has_function(name)
        && (outline.has_words(&["class", "Solution"]) || outline.has_words(&["struct", "Solution"]));
    // The name is a global one: `using namespace std` can bring in another function of this name.
    let target = if class { format!("&::Solution::{name}") } else { format!("&::{name}") };
    // A solution can have its own `main`, and can `#define` keywords that the last line uses.
    format!(
        "#include \"support.hpp\"\n#define main fablegrade_unused_main\n#include \"solution.cpp\"\n#undef main\n\
         #undef int\n#undef auto\n#undef return\n#undef decltype\n\
         auto main() -> decltype(0) {{ return fablegrade::call({target}); }}\n"
    )
}

/// The maximum length in bytes of a type's name, and of the file name `NAME.java`. It leaves room for the
/// file names of nested types.
const TYPE_NAME_BYTES: usize = 200;
/// The maximum length of a package's name, in bytes.
const PACKAGE_BYTES: usize = 1000;

fn java(
    source: &str,
    function: Option<&str>,
    words: &mut BTreeMap<&'static str, String>,
    add: &mut impl FnMut(&str, String),
) -> Result<(), SourceError> {
    let outline = Outline::new(source, JAVA);
    let all = outline.words();
    let package = all.windows(2).find_map(|pair| match pair {
        [(_, 0, "package"), (start, 0, _)] => Some(*start),
        _ => None,
    });
    let package = package
        .and_then(|start| outline.until(start, b";{}"))
        .map(|name| name.split_whitespace().collect::<String>());
    // The compiler reports an invalid package name.
    let package = package.filter(|name| {
        name.split('.').all(|part| {
            !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
        })
    });
    let mut public = None;
    let mut types = Vec::new();
    let mut modifier = false;
    for pair in all.windows(2) {
        let [(start, depth, word), (_, _, name)] = pair else { continue };
        if *depth > 0 {
            modifier = false;
        } else if *word == "public" {
            modifier = true;
        } else if matches!(*word, "class" | "interface" | "enum" | "record") {
            types.push((*start, (*name).to_owned()));
            if modifier && public.is_none() {
                public = Some((*name).to_owned());
            }
            modifier = false;
        }
    }
    let main = all.windows(2).find_map(|pair| match pair {
        [(_, _, "void"), (start, _, "main")] => Some(*start),
        _ => None,
    });
    // The last type that begins before `void main`.
    let holder =
        main.and_then(|main| types.iter().rev().find(|(start, _)| *start < main)).map(|(_, name)| name);
    let file = format!("{}.java", public.as_deref().unwrap_or("Main"));
    let class = holder.or(public.as_ref()).map_or("Main", String::as_str);
    if class.len() > TYPE_NAME_BYTES || file.len() > TYPE_NAME_BYTES {
        return Err(SourceError::LongType { start: file.chars().take(40).collect() });
    }
    if package.as_ref().is_some_and(|package| package.len() > PACKAGE_BYTES) {
        return Err(SourceError::LongPackage);
    }
    let class = package.map_or_else(|| class.to_owned(), |package| format!("{package}.{class}"));
    add(&file, source.to_owned());
    words.insert("main", class);
    words.insert("unit", file.clone());
    words.insert("file", file);
    if function.is_some() {
        add("FablegradeHarness.java", include_str!("FablegradeHarness.java").to_owned());
    }
    Ok(())
}

/// Returns the main class of a Java source, with its package.
pub(crate) fn java_class(source: &str) -> Option<String> {
    let mut words = BTreeMap::new();
    java(source, None, &mut words, &mut |_, _| {}).ok()?;
    words.remove("main")
}

/// The maximum size of a compiler's message, in bytes.
const MESSAGE_BYTES: usize = 16 * 1024;
/// The maximum size of a line of a compiler's message, in bytes, with [`CUT`] if it was cut.
const LINE_BYTES: usize = 2 * 1024;
/// The text that replaces the end of a line that was cut.
const CUT: &str = " ...";

/// The name of the function in the smallest program of each language.
pub(crate) const SMALLEST_FUNCTION: &str = "f";

/// Returns a program that every toolchain for the language must be able to build, also in function mode for its
/// function [`SMALLEST_FUNCTION`]. If it does not build, the host is at fault. `None` for languages that only the
/// host's table has.
pub(crate) fn smallest(language: &str) -> Option<&'static str> {
    Some(match language {
        "python" => "def f():\n    return 0\n",
        "javascript" => "function f() { return 0; }\n",
        "c" | "cpp" => "int f(void) { return 0; }\nint main(void) { return f(); }\n",
        "java" => {
            "public class Main {\n    static int f() { return 0; }\n    public static void main(String[] a) {}\n}\n"
        }
        "rust" => "fn f() -> i32 { 0 }\nfn main() {}\n",
        "go" => "package main\n\nfunc f() int { return 0 }\nfunc main() {}\n",
        _ => return None,
    })
}

/// Returns a compiler's message without the runner's files and the sandbox's paths. Long lines are cut, and as
/// many lines are kept as fit into [`MESSAGE_BYTES`].
pub(crate) fn cleaned(message: &str) -> String {
    let mut out = String::new();
    for line in message.lines() {
        let last = || (0..=LINE_BYTES - CUT.len()).rev().find(|&at| line.is_char_boundary(at));
        let line = match (line.len() > LINE_BYTES).then(last).flatten() {
            Some(end) => &format!("{}{CUT}", line.get(..end).unwrap_or_default()),
            None => line,
        };
        let kept = if OURS.iter().any(|name| line.contains(name)) {
            let Some((_, rest)) = line.split_once("error: ") else { continue };
            format!("error: {rest}")
        } else {
            line.replace("/box/", "").replace("./solution.go", "solution.go").replace("/tmp/out/", "")
        };
        // The line feed counts too.
        if out.len() + kept.len() >= MESSAGE_BYTES {
            break;
        }
        out.push_str(&kept);
        out.push('\n');
    }
    out.trim_end().to_owned()
}

/// Returns the reason why a language cannot take these arguments in function mode, if there is one. Languages
/// other than C read any JSON value. Text that is not a JSON array is not checked.
pub fn inexpressible(language: &str, arguments: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(arguments).ok()?;
    if language != "c" {
        return None;
    }
    let simple = |value: &serde_json::Value| !(value.is_array() || value.is_object() || value.is_null());
    value.as_array()?.iter().enumerate().find_map(|(at, argument)| {
        let fits = simple(argument) || argument.as_array().is_some_and(|all| all.iter().all(simple));
        (!fits).then(|| {
            format!(
                "argument {} cannot be passed to a function in C: only numbers, truth values, strings and arrays of \
                 them can",
                at + 1
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{CUT, LINE_BYTES, MESSAGE_BYTES, cleaned, inexpressible, prepare};

    #[test]
    fn java_files_and_main_classes_follow_the_declarations() {
        for (source, file, main) in [
            ("public class Main { public static void main(String[] a) {} }", "Main.java", "Main"),
            ("class Helper {} class App { public static void main(String[] a) {} }", "Main.java", "App"),
            ("interface I {} public final class Zoo { static void main(String... a) {} }", "Zoo.java", "Zoo"),
            (
                "package a.b; public class X { /* class Y */ static void main(String[] a) {} }",
                "X.java",
                "a.b.X",
            ),
            ("// public class Wrong\nclass A { }", "Main.java", "Main"),
            ("package a /* ; \0 */ . b;\nclass A { }", "Main.java", "a.b.Main"),
            ("package a\0; class A { }", "Main.java", "Main"),
            (
                "public class Main {\n static String s = \"\"\"\n }\n \"\"\"; static class Node {}\n \
                 public static void main(String[] a) {} }",
                "Main.java",
                "Main",
            ),
        ] {
            let prepared = prepare("java", source, None).unwrap();
            assert_eq!(
                (prepared.files[0].0.as_str(), prepared.words["main"].as_str()),
                (file, main),
                "{source}"
            );
        }
    }

    #[test]
    fn only_declarations_and_import_meta_make_a_module_of_javascript() {
        for (module, source) in [
            (true, "export function f() {}"),
            (true, "  /* a */ export default async () => 1"),
            (true, "export{a}"),
            (true, "export * from 'a'"),
            (true, "let a = 1; export const b = a"),
            (true, "import 'a'"),
            (true, "import\"a\";"),
            (true, "import a, { b as c } from \"a\""),
            (true, "import {\n a } from 'a'"),
            (true, "import * as a from 'a'"),
            (true, "import $ from 'a'"),
            (true, "const here = import.meta.url"),
            (true, "const p = 'src/*';\nexport function solve(x) { return x }"),
            (true, "const p = 'it\\'s /*';\nexport let a = \"'\""),
            (true, "const r = /[{]/;\nexport class A {}"),
            (true, "const parts = s => s.split(/`/);\nexport function f(s) { return parts(s) }"),
            (true, "const cut = s => s.replace(/\\/*$/, \"\");\nexport function f(s) { return cut(s) }"),
            (true, "const r = [/[/`]/g, /'/ /* ` */, !/\\`/.test(a)];\nexport let b"),
            (true, "function f(s) { return /\"/.exec(s) }\nexport { f }"),
            (true, "if (a) {}\n/`/.test(b)\nexport { f }"),
            (true, "const a = b / c, d = `/`;\nexport { a }"),
            (true, "const a = (b) / c[0] / 2 / d++ / 3, e = '/`';\nexport { a }"),
            (true, "const returned = 1, a = returned / 2, b = \"`/\";\nexport { a }"),
            (true, "const a = {b() {}} / 2, c = '/`';\nexport { a }"),
            (true, "if (a) /[`]/.test(b);\nexport { a }"),
            (true, "while (a) /`/.test(b)\nexport { a }"),
            (true, "if (a) {}\nif (a) /`/.test(b);\n/\"`/.test(b)\nexport { a }"),
            (false, "const a = {b() {}} / 2, c = (d) / 2, e = `\nexport { a }`"),
            (false, "const a = b / c, d = `/\nexport { a }`"),
            (false, "const a = (b) / `\nexport { a }\n` / 2"),
            (false, "const a = /[`/]/, b = `\nexport { a }\n`"),
            (false, "function f() {}"),
            (false, "export_all(n);"),
            (false, "import_data = 1"),
            (false, "import$ = 1"),
            (false, "$export = 1"),
            (false, "exports.f = 1"),
            (false, "const a = {\nexport: 1,\nimport: 2,\nexport() {}\n}"),
            (false, "import(\"fs\").then(f)"),
            (false, "import('fs').then(f)"),
            (false, "a.\nexport\n.b"),
            (false, "a.import.meta"),
            (false, "a.\nimport.meta"),
            (true, "f(...import.meta.a)"),
            (true, "\u{feff}export const a = 1"),
            (true, "import\nmeta from 'a'"),
            (false, "import.source('a')"),
            (false, "const a = `\nexport const b = 1\n`"),
            (true, "const a = `\\``;\nexport const b = `'`"),
            (true, "const a = `${f(`'`)}`;\nexport const b = 1"),
            (true, "console.log(`${import.meta.url}`)"),
            (false, "const a = `${f(`b`)}\nexport const c = ${1}\nexport {}`"),
            (false, "const a = `${f({ b: `\nexport const c = 1\n` })}`"),
            (false, "const a = 'b\\\r\nexport const c = 1'"),
            (false, "/*\nimport a from 'a'\n*/"),
            (false, "// it's\nlet a\n// export const b"),
        ] {
            let prepared = prepare("javascript", source, None).unwrap();
            let file = if module { "solution.mjs" } else { "solution.js" };
            assert_eq!(prepared.files[0].0, file, "{source}");
        }
    }

    #[test]
    fn go_keeps_its_line_numbers_and_gets_a_main_only_when_it_has_none() {
        let with =
            prepare("go", "package main\nfunc main() {}\nfunc f() int { return 1 }", Some("f")).unwrap();
        let has = |text: &[u8], part: &str| String::from_utf8_lossy(text).contains(part);
        assert!(!with.files.iter().any(|(name, text)| name == "zentry.go" && has(text, "func main")));
        let without = prepare("go", "func f() int { return 1 }", Some("f")).unwrap();
        assert!(without.files.iter().any(|(name, text)| name == "zentry.go" && has(text, "func main() {}")));
        assert_eq!(without.files[0].1, b"package main; func f() int { return 1 }");
    }

    #[test]
    fn a_go_program_is_main_and_a_go_function_is_in_any_package() {
        let told = prepare("go", "// x\npackage solution\nfunc F() {}", None).unwrap_err().to_string();
        assert!(told.contains("`package main`") && told.contains("solution"), "{told}");
        let called = prepare("go", "/* é */ package solution\nfunc F() {}", Some("F")).unwrap();
        assert_eq!(called.files[0].1, "/* é */ package main\nfunc F() {}".as_bytes());
    }

    #[test]
    fn a_source_is_read_in_one_pass() {
        // Each of these took seconds for a source of 64 KiB.
        let begun = processor_seconds();
        let _ = prepare("c", &"=f(".repeat(300_000), Some("f"));
        let _ = prepare("c", &" f(".repeat(300_000), Some("g"));
        let _ = prepare("java", &"package a ".repeat(100_000), None);
        let _ = prepare("javascript", &"=/[".repeat(300_000), None);
        assert!(processor_seconds() - begun < 20);
    }

    /// Returns the seconds of processor time that this thread has taken, so that no other load counts.
    fn processor_seconds() -> u64 {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let taken = told.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<u64>().ok());
        taken.map_or(0, |taken| taken / 1_000_000_000)
    }

    #[test]
    fn names_that_no_file_can_have_are_told() {
        let long = format!("public class {} {{}}", "A".repeat(300));
        assert!(prepare("java", &long, None).unwrap_err().to_string().contains("too long"));
        let long = format!("package {}; class A {{}}", vec!["a"; 600].join("."));
        assert!(prepare("java", &long, None).unwrap_err().to_string().contains("package"));
    }

    #[test]
    fn a_message_of_one_long_line_is_cut() {
        for long in ["é".repeat(100_000), "x".repeat(LINE_BYTES + 1), format!("x{}", "é".repeat(LINE_BYTES))]
        {
            let line = cleaned(&long);
            assert!(line.len() <= LINE_BYTES && line.len() > LINE_BYTES - 2, "{}", line.len());
            assert!(line.ends_with(CUT));
        }
        assert_eq!(cleaned(&"x".repeat(LINE_BYTES)), "x".repeat(LINE_BYTES));
    }

    #[test]
    fn a_message_of_many_lines_is_cut_even_if_they_name_our_files() {
        for start in ["/box/main.cpp:1:1: error: ", "/box/solution.cpp:1:1: error: "] {
            for length in [1, 1000, 10_000] {
                let message = format!("{start}{}\n", "x".repeat(length)).repeat(2000);
                let kept = cleaned(&message);
                assert!(kept.len() <= MESSAGE_BYTES, "{start} {length}: {}", kept.len());
                assert!(kept.len() > MESSAGE_BYTES - LINE_BYTES - 1, "{start} {length}: {}", kept.len());
            }
        }
    }

    #[test]
    fn messages_lose_our_files_and_paths() {
        let message = "In file included from /box/main.cpp:3:\n/box/solution.cpp:2:5: error: no\n\
                       /box/support.hpp:9:1: error: static assertion failed: no JSON form";
        assert_eq!(
            cleaned(message),
            "solution.cpp:2:5: error: no\nerror: static assertion failed: no JSON form"
        );
    }

    #[test]
    fn only_c_lacks_nested_arrays() {
        assert!(inexpressible("c", "[[1,2],\"x\",3.5,true]").is_none());
        assert!(inexpressible("c", "[[[1]]]").unwrap().contains("argument 1"));
        assert!(inexpressible("c", "[1,{\"a\":2}]").unwrap().contains("argument 2"));
        assert!(inexpressible("cpp", "[[[1]]]").is_none());
    }
}
