//! The format's table of languages: codes, file endings, default entry points.

use std::sync::Arc;

use fablegrade_files::File;

use crate::program::Role;

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// The code of the language.
    pub code: &'static str,
    /// The displayed name.
    pub name: &'static str,
    /// File endings of the language, without dots.
    pub endings: &'static [&'static str],
    /// The default entry point.
    pub entry: Entry,
}

/// The default entry point of a language.
#[derive(Debug, PartialEq, Eq)]
pub enum Entry {
    /// The language defines it, such as the function `main`.
    Itself,
    /// A class.
    Class(&'static str),
    /// A file: the first of these names that exists.
    File(&'static [&'static str]),
}

macro_rules! table {
    ($($code:literal $name:literal [$($ending:literal)*] $entry:expr;)*) => {
        /// All languages, by code.
        pub const LANGUAGES: &[Language] = &[
            $(Language { code: $code, name: $name, endings: &[$($ending),*], entry: $entry },)*
        ];
    };
}

table! {
    "ada" "Ada" ["adb" "ads"] Entry::Itself;
    "algol68" "Algol 68" ["a68"] Entry::Itself;
    "apl" "APL" ["apl"] Entry::Itself;
    "bash" "Bash" ["sh"] Entry::Itself;
    "c" "C" ["c"] Entry::Itself;
    "cgmp" "C with GMP" [] Entry::Itself;
    "cobol" "COBOL" ["cob"] Entry::Itself;
    "cpp" "C++" ["cc" "cpp" "cxx" "c++" "C"] Entry::Itself;
    "cppgmp" "C++ with GMP" [] Entry::Itself;
    "crystal" "Crystal" ["cr"] Entry::Itself;
    "csharp" "C#" ["cs"] Entry::Itself;
    "d" "D" ["d"] Entry::Itself;
    "dart" "Dart" ["dart"] Entry::Itself;
    "elixir" "Elixir" ["ex"] Entry::Itself;
    "erlang" "Erlang" ["erl"] Entry::Itself;
    "forth" "Forth" ["fth" "4th" "forth" "frt"] Entry::Itself;
    "fortran" "Fortran" ["f90"] Entry::Itself;
    "fsharp" "F#" ["fs"] Entry::Itself;
    "gerbil" "Gerbil" ["ss"] Entry::Itself;
    "go" "Go" ["go"] Entry::Itself;
    "haskell" "Haskell" ["hs"] Entry::Itself;
    "java" "Java" ["java"] Entry::Class("Main");
    "javaalgs4" "Java with Algs4" [] Entry::Class("Main");
    "javascript" "JavaScript" ["js"] Entry::File(&["main.js"]);
    "julia" "Julia" ["jl"] Entry::Itself;
    "kotlin" "Kotlin" ["kt"] Entry::Class("MainKt");
    "lisp" "Common Lisp" ["lisp" "cl"] Entry::File(&["main.lisp", "main.cl"]);
    "lua" "Lua" ["lua"] Entry::Itself;
    "modula2" "Modula-2" ["mod" "def"] Entry::Itself;
    "nim" "Nim" ["nim"] Entry::Itself;
    "objectivec" "Objective-C" ["m"] Entry::Itself;
    "ocaml" "OCaml" ["ml"] Entry::Itself;
    "octave" "Octave" [] Entry::Itself;
    "odin" "Odin" ["odin"] Entry::Itself;
    "pascal" "Pascal" ["pas"] Entry::Itself;
    "perl" "Perl" ["pm"] Entry::Itself;
    "php" "PHP" ["php"] Entry::File(&["main.php"]);
    "prolog" "Prolog" ["pl"] Entry::Itself;
    "python2" "Python 2" ["py2"] Entry::File(&["main.py2", "main.py"]);
    "python3" "Python 3" ["py" "py3"] Entry::File(&["main.py", "main.py3"]);
    "python3numpy" "Python 3 with NumPy" [] Entry::File(&["main.py", "main.py3"]);
    "racket" "Racket" ["rkt"] Entry::Itself;
    "ruby" "Ruby" ["rb"] Entry::Itself;
    "rust" "Rust" ["rs"] Entry::Itself;
    "scala" "Scala" ["scala"] Entry::Itself;
    "simula" "Simula" ["sim"] Entry::Itself;
    "smalltalk" "Smalltalk" ["st"] Entry::Itself;
    "snobol" "SNOBOL" ["sno"] Entry::Itself;
    "swift" "Swift" ["swift"] Entry::Itself;
    "typescript" "TypeScript" ["ts"] Entry::Itself;
    "visualbasic" "Visual Basic" ["vb"] Entry::Itself;
    "zig" "Zig" ["zig"] Entry::Itself;
}

/// Returns the language with this code.
pub fn by_code(code: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.code == code)
}

fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(_, ending)| ending)
}

/// Endings of C and C++ headers.
const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx", "H"];

impl Language {
    fn claims(&self, path: &str) -> bool {
        ending(path).is_some_and(|ending| self.endings.contains(&ending))
    }

    /// Returns the files of a program that are sources of this language, in the given order.
    pub fn sources<'f>(&self, files: &'f [(String, Arc<File>)]) -> Vec<&'f str> {
        // Some languages have no endings of their own and use those of another language.
        let like = match self.code {
            "cgmp" => by_code("c"),
            "cppgmp" => by_code("cpp"),
            "javaalgs4" => by_code("java"),
            "python3numpy" => by_code("python3"),
            _ => None,
        };
        let language = like.unwrap_or(self);
        let claims =
            |path: &str| language.claims(path) || (self.code == "python2" && ending(path) == Some("py"));
        files.iter().map(|(path, _)| path.as_str()).filter(|path| claims(path)).collect()
    }

    /// Returns the entry point of a program whose author names none; `None` if the language needs none, or if there is
    /// no source.
    ///
    /// If the table names no file that exists, it follows from `main.*` in any letter case, or else from the first
    /// source.
    pub(crate) fn entry_of(&self, role: Role, files: &[(String, Arc<File>)]) -> Option<String> {
        let sources = self.sources(files);
        let stem = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
        };
        let main = || {
            let main = sources.iter().find(|path| stem(path).eq_ignore_ascii_case("main"));
            main.or_else(|| sources.first()).map(|path| (*path).to_owned())
        };
        match &self.entry {
            Entry::Itself => match self.code {
                // The interpreter or compiler gets one of the files.
                "bash" | "perl" | "ruby" | "lua" | "julia" | "prolog" | "typescript" | "dart" | "elixir"
                | "octave" | "racket" | "gerbil" | "rust" | "go" => main(),
                _ => None,
            },
            Entry::Class(default) => {
                // The class is named after its file: `Fast.java` contains the class `Fast`.
                let found = main()?;
                let class = stem(&found);
                Some(match self.code {
                    "kotlin" => {
                        let mut letters = class.chars();
                        let first = letters.next().map(|c| c.to_ascii_uppercase().to_string());
                        format!("{}{}Kt", first.unwrap_or_default(), letters.as_str())
                    }
                    _ if class.is_empty() => (*default).to_owned(),
                    _ => class,
                })
            }
            Entry::File(names) => {
                let package = (role != Role::Submission && self.code.starts_with("python"))
                    .then_some("__main__.py")
                    .filter(|name| sources.contains(name));
                let default = names.iter().copied().find(|name| sources.contains(name));
                package.or(default).map(str::to_owned).or_else(main)
            }
        }
    }
}

/// Returns the language to which most files belong by their endings; `None` if there is none, or on a tie. A tie
/// between C and C++, without files of a third language, is C++, and so is C with a `.hpp` header.
///
/// A Python 3 source whose first line is a `#!` with `python2` makes the program Python 2.
pub fn detect(files: &[(String, Arc<File>)]) -> Option<&'static Language> {
    let mut counts: Vec<(usize, &'static Language)> = LANGUAGES
        .iter()
        .map(|language| (files.iter().filter(|(path, _)| language.claims(path)).count(), language))
        .filter(|(count, _)| *count > 0)
        .collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let language = match counts.as_slice() {
        [(_, only)] => only,
        [(most, first), (next, _), ..] if most > next => first,
        [(_, one), (_, other)] if matches!((one.code, other.code), ("c", "cpp") | ("cpp", "c")) => {
            by_code("cpp")?
        }
        _ => return None,
    };
    if language.code == "c" && files.iter().any(|(path, _)| ending(path).is_some_and(|end| end == "hpp")) {
        return by_code("cpp");
    }
    if language.code == "python3" {
        let old = |file: &File| {
            let first = file.bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
            first.starts_with(b"#!") && memchr::memmem::find(first, b"python2").is_some()
        };
        let sources = language.sources(files);
        if files.iter().any(|(path, file)| sources.contains(&path.as_str()) && old(file)) {
            return by_code("python2");
        }
    }
    Some(language)
}

/// Returns whether a file is a C or C++ header, which is not compiled by itself.
pub fn is_header(path: &str) -> bool {
    ending(path).is_some_and(|ending| HEADERS.contains(&ending))
}
