//! Operating systems and architectures: decides which executables `NAME.OS.ARCH` a platform can start.

use std::fmt;

/// The platform that managers run on, named as in Python's `platform` module, in lower case: `linux.x86_64`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Platform {
    os: String,
    arch: String,
}

/// Names of each operating system; the first is canonical.
const SYSTEMS: &[&[&str]] = &[&["linux"], &["darwin", "macos"], &["windows"]];
/// Names of each architecture; the first is canonical.
const ARCHITECTURES: &[&[&str]] = &[
    &["x86_64", "amd64", "x64"],
    &["i686", "x86", "i386", "i486", "i586"],
    &["aarch64", "arm64"],
    &["armv7l", "arm"],
];
/// Architectures whose programs a platform can also start: `(system, own architecture, other architecture)`.
const ALSO: &[(&str, &str, &str)] = &[
    ("linux", "x86_64", "i686"),
    ("darwin", "aarch64", "x86_64"),
    ("windows", "x86_64", "i686"),
    ("windows", "aarch64", "x86_64"),
];

fn canonical(word: &str, table: &[&[&str]]) -> Option<String> {
    let word = word.to_ascii_lowercase();
    table
        .iter()
        .find(|names| names.contains(&word.as_str()))
        .and_then(|names| names.first())
        .map(|&name| name.into())
}

/// The match between an executable and a platform; smaller values are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Named exactly as in the specification.
    Exact,
    /// The same platform under another of its names (`macos.aarch64` for `darwin.arm64`).
    OtherName,
    /// Another architecture, whose programs this platform can usually start as well (`linux.i686` on `linux.x86_64`).
    Compatible,
}

impl Platform {
    /// Creates a platform from the usual names of systems and architectures. `None` if one of the two is unknown.
    pub fn new(os: &str, arch: &str) -> Option<Self> {
        let os = canonical(os, SYSTEMS)?;
        let arch = canonical(arch, ARCHITECTURES)?;
        let usual = match (os.as_str(), arch.as_str()) {
            ("windows", "x86_64") => "amd64",
            ("windows", "i686") => "x86",
            ("darwin" | "windows", "aarch64") => "arm64",
            (_, other) => other,
        };
        Some(Self { arch: usual.to_owned(), os })
    }

    /// Returns the platform of this program, if terry has a name for it.
    pub fn current() -> Option<Self> {
        Self::new(std::env::consts::OS, std::env::consts::ARCH)
    }

    /// Returns the system: `linux`, `darwin` or `windows`.
    pub fn os(&self) -> &str {
        &self.os
    }

    /// Returns the architecture as Python names it on this system, in lower case.
    pub fn arch(&self) -> &str {
        &self.arch
    }

    /// Returns the fit of an executable whose name ends in `.OS.ARCH`; `None` if this platform cannot start it.
    pub fn fit(&self, os: &str, arch: &str) -> Option<Fit> {
        if os == self.os && arch.eq_ignore_ascii_case(&self.arch) {
            return Some(Fit::Exact);
        }
        let there = Self::new(os, arch)?;
        if there == *self {
            return Some(Fit::OtherName);
        }
        let mine = canonical(&self.arch, ARCHITECTURES)?;
        let theirs = canonical(&there.arch, ARCHITECTURES)?;
        let also = there.os == self.os && ALSO.contains(&(self.os.as_str(), mine.as_str(), theirs.as_str()));
        also.then_some(Fit::Compatible)
    }

    /// Splits a file name `NAME.OS.ARCH`, with or without `.exe`, into its three parts; `None` if it has another form
    /// or names an unknown platform.
    pub fn split(name: &str) -> Option<(&str, &str, &str)> {
        let bare = name.strip_suffix(".exe").unwrap_or(name);
        let (rest, arch) = bare.rsplit_once('.')?;
        let (stem, os) = rest.rsplit_once('.')?;
        (!stem.is_empty() && Self::new(os, arch).is_some()).then_some((stem, os, arch))
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.os, self.arch)
    }
}

/// The kind of program that the first bytes of a file indicate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A script that names its interpreter.
    Script(String),
    /// A program for a known platform.
    Program(Platform),
    /// A program for another platform, or for one that the first bytes do not determine.
    OtherProgram,
    /// Not a program.
    NoProgram,
}

impl Head {
    /// Determines the kind of program from the first bytes of a file; 64 are enough.
    pub fn of(bytes: &[u8]) -> Self {
        let program = |os, arch| Platform::new(os, arch).map_or(Self::OtherProgram, Self::Program);
        let two = |at: usize, little: bool| {
            let pair =
                [bytes.get(at).copied().unwrap_or_default(), bytes.get(at + 1).copied().unwrap_or_default()];
            if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
        };
        match bytes {
            [b'#', b'!', rest @ ..] => {
                let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
                Self::Script(String::from_utf8_lossy(line).trim().to_owned())
            }
            // e_machine of the ELF header: 16 bits at offset 18, in the byte order that byte 5 gives.
            [0x7f, b'E', b'L', b'F', _, order, ..] => match two(18, *order != 2) {
                62 => program("linux", "x86_64"),
                3 => program("linux", "i686"),
                183 => program("linux", "aarch64"),
                40 => program("linux", "armv7l"),
                _ => Self::OtherProgram,
            },
            [0xcf, 0xfa, 0xed, 0xfe, 0x07, ..] => program("darwin", "x86_64"),
            [0xcf, 0xfa, 0xed, 0xfe, 0x0c, ..] => program("darwin", "arm64"),
            [0xca, 0xfe, 0xba, 0xbe, ..] | [b'M', b'Z', ..] => Self::OtherProgram,
            _ => Self::NoProgram,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_python_and_their_other_names() {
        for (os, arch, usual) in [
            ("linux", "x86_64", "linux.x86_64"),
            ("linux", "x86", "linux.i686"),
            ("linux", "aarch64", "linux.aarch64"),
            ("macos", "aarch64", "darwin.arm64"),
            ("darwin", "x86_64", "darwin.x86_64"),
            ("Windows", "AMD64", "windows.amd64"),
        ] {
            assert_eq!(Platform::new(os, arch).unwrap().to_string(), usual);
        }
        assert_eq!(Platform::new("plan9", "x86_64"), None);
    }

    #[test]
    fn the_best_fit_comes_first() {
        let linux = Platform::new("linux", "x86_64").unwrap();
        let mac = Platform::new("darwin", "arm64").unwrap();
        assert_eq!(linux.fit("linux", "x86_64"), Some(Fit::Exact));
        assert_eq!(linux.fit("linux", "amd64"), Some(Fit::OtherName));
        assert_eq!(linux.fit("linux", "i686"), Some(Fit::Compatible));
        assert_eq!(linux.fit("linux", "aarch64"), None);
        assert_eq!(linux.fit("darwin", "x86_64"), None);
        assert_eq!(mac.fit("macos", "aarch64"), Some(Fit::OtherName));
        assert_eq!(mac.fit("darwin", "x86_64"), Some(Fit::Compatible));
        assert!(Fit::Exact < Fit::OtherName && Fit::OtherName < Fit::Compatible);
        let windows = Platform::new("windows", "amd64").unwrap();
        assert_eq!(windows.fit("windows", "AMD64"), Some(Fit::Exact));
    }

    #[test]
    fn file_names_are_split_at_the_end() {
        assert_eq!(Platform::split("generator.linux.x86_64"), Some(("generator", "linux", "x86_64")));
        assert_eq!(Platform::split("checker.windows.amd64.exe"), Some(("checker", "windows", "amd64")));
        assert_eq!(Platform::split("a.b.linux.i686"), Some(("a.b", "linux", "i686")));
        for name in ["generator.py", "generator.linux", ".linux.x86_64", "checker.cpp.o"] {
            assert_eq!(Platform::split(name), None, "{name}");
        }
    }

    #[test]
    fn first_bytes_tell_what_can_start_a_file() {
        let mut elf = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 62, 0];
        assert_eq!(Head::of(&elf), Head::Program(Platform::new("linux", "x86_64").unwrap()));
        elf[18] = 243;
        assert_eq!(Head::of(&elf), Head::OtherProgram);
        assert_eq!(Head::of(b"#!/usr/bin/env python3\nx"), Head::Script("/usr/bin/env python3".into()));
        assert_eq!(Head::of(b"print(1)"), Head::NoProgram);
        assert_eq!(Head::of(b"\x7fELF"), Head::NoProgram);
    }
}
