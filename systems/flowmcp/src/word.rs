//! Macros for two kinds of small types: enums of fixed words, and strings with a fixed format.
//!
//! Each invocation defines the type, its JSON reader, its string form and its schema.

/// Defines an enum of fixed words.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$about])* $variant),+ }

        impl $name {
            /// All variants, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub(crate) const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),+];

            /// Returns the word used in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Returns the variant for this word, if there is one.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::WORDS.iter().find(|(known, _)| *known == word).map(|&(_, member)| member)
            }
        }

        impl fablegrade_public::json::Read for $name {
            fn read(
                value: fablegrade_public::json::Value<'_>,
                at: &fablegrade_public::json::Path<'_>,
                findings: &mut fablegrade_public::finding::Findings,
            ) -> Option<Self> {
                fablegrade_public::json::word(Self::WORDS)(value, at, findings)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl From<$name> for fablegrade_public::json::Json {
            fn from(member: $name) -> Self {
                member.as_str().into()
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$($word),+] })
            }
        }
    };
}

/// Defines a newtype for strings with a fixed format. The string is stored unchanged.
macro_rules! forms {
    ($(#[$meta:meta])* $name:ident, $pattern:literal, $rule:literal, $example:literal, $holds:expr) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// The regular expression that describes the text.
            pub const PATTERN: &'static str = $pattern;

            /// Wraps `text`, or returns `None` if its format is wrong.
            pub fn new(text: &str) -> Option<Self> {
                let holds: fn(&str) -> bool = $holds;
                holds(text).then(|| Self(text.into()))
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fablegrade_public::json::Read for $name {
            fn read(
                value: fablegrade_public::json::Value<'_>,
                at: &fablegrade_public::json::Path<'_>,
                findings: &mut fablegrade_public::finding::Findings,
            ) -> Option<Self> {
                if let Some(form) = value.str().as_deref().and_then(Self::new) {
                    return Some(form);
                }
                let string = value.str().is_some();
                let message = if string {
                    format!("the text does not match {}", $pattern)
                } else {
                    format!("expected a string, found {}", value.kind())
                };
                findings.push(fablegrade_public::finding::Finding::error(
                    if string { $rule } else { "wrong-type" },
                    at.pointer(),
                    message,
                    concat!("write it like ", $example),
                ));
                None
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl From<&$name> for fablegrade_public::json::Json {
            fn from(form: &$name) -> Self {
                form.as_str().into()
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": $pattern })
            }
        }
    };
}

pub(crate) use forms;
pub(crate) use words;

/// Returns whether `.+` in an ECMAScript pattern matches the whole text.
pub(crate) fn one_line(text: &str) -> bool {
    !text.is_empty() && !text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}

/// Returns whether `\S` in an ECMAScript pattern matches nothing in the text.
///
/// In contrast to `char::is_whitespace`, U+FEFF is a space and U+0085 is not.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|char| char == '\u{feff}' || (char.is_whitespace() && char != '\u{85}'))
}

/// Returns whether a text is a version such as `name/1.2.3`, with the major version `major` if it is given.
pub(crate) fn versioned(text: &str, name: &str, major: Option<&str>) -> bool {
    let Some(version) = text.strip_prefix(name).and_then(|rest| rest.strip_prefix('/')) else { return false };
    let mut parts = version.split('.');
    let digits = |part: Option<&str>| {
        part.is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let first = parts.next();
    digits(first)
        && major.is_none_or(|major| first == Some(major))
        && digits(parts.next())
        && digits(parts.next())
        && parts.next().is_none()
}

/// Returns whether a text consists of eight lower-case hexadecimal digits.
pub(crate) fn hex8(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
