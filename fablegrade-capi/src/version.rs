//! Versions of the library and of its interface.

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use fablegrade_core::json::Json;
use fablegrade_core::{GRADING_SEMANTICS_VERSION, Locale};

use crate::boundary::or_default;

/// The major version of this header; fg_version returns the version of the loaded library.
pub const FG_VERSION_MAJOR: u32 = 0;
/// The minor version of this header. Before 1.0 a new minor version may change the interface, and the soname with it.
pub const FG_VERSION_MINOR: u32 = 1;
/// The patch version of this header.
pub const FG_VERSION_PATCH: u32 = 0;

/// Returns the version of the loaded library, such as "0.1.0".
///
/// Ownership: the string is static.
/// NULL: never returned.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub extern "C" fn fg_version() -> *const c_char {
    or_default(c"".as_ptr(), || concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast())
}

/// Returns the version of the grading semantics. It is higher in each release that can give another verdict or score for
/// the same documents. Store this version with each result.
///
/// Ownership: none.
/// NULL: no pointers.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub extern "C" fn fg_semantics_version() -> u32 {
    or_default(0, || GRADING_SEMANTICS_VERSION)
}

/// Describes the loaded build, as JSON: `{version, gradingSemantics, locales, validators}`, where `locales` are
/// the languages of messages to learners and `validators` the standard validators of widgets.
///
/// Ownership: the string is static.
/// NULL: never returned.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub extern "C" fn fg_about() -> *const c_char {
    static ABOUT: OnceLock<CString> = OnceLock::new();
    or_default(c"{}".as_ptr(), || {
        let about = ABOUT.get_or_init(|| {
            let about = Json::build()
                .with("version", env!("CARGO_PKG_VERSION"))
                .with("gradingSemantics", GRADING_SEMANTICS_VERSION)
                .with("locales", Json::array(Locale::WORDS.iter().map(|(word, _)| *word)))
                .with("validators", Json::array(fablegrade_validators::NAMES));
            // Canonical JSON contains no NUL, because it is escaped.
            CString::new(about.build().to_canonical()).unwrap_or_default()
        });
        about.as_ptr()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_is_told() {
        // SAFETY: a static string that ends with a NUL.
        let about = unsafe { std::ffi::CStr::from_ptr(fg_about()) }.to_str().unwrap();
        assert!(about.contains(r#""locales":["en","de"]"#) && about.contains("short_text"), "{about}");
    }

    #[test]
    fn the_headers_version_is_the_packages() {
        let header = format!("{FG_VERSION_MAJOR}.{FG_VERSION_MINOR}.{FG_VERSION_PATCH}");
        assert_eq!(header, env!("CARGO_PKG_VERSION"));
    }
}
