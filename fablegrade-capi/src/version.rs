//! Versions.

use std::ffi::c_char;

use fablegrade_core::GRADING_SEMANTICS_VERSION;

use crate::boundary::or_default;

/// The major version of this header; a test compares it with the library's.
pub const FG_VERSION_MAJOR: u32 = 0;
/// The minor version of this header. Before 1.0 a new minor version may change the interface, and the soname with it.
pub const FG_VERSION_MINOR: u32 = 1;
/// The patch version of this header.
pub const FG_VERSION_PATCH: u32 = 0;

/// The version of the library that is loaded, such as "0.1.0".
///
/// Owns: nothing; the text is static.
/// NULL: never returned.
/// Threads: any, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn fg_version() -> *const c_char {
    or_default(c"".as_ptr(), || concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast())
}

/// The version of the grading semantics: it is raised whenever a verdict or a score can change. Store it beside results.
///
/// Owns: nothing.
/// NULL: no pointers.
/// Threads: any, at any time.
#[unsafe(no_mangle)]
pub extern "C" fn fg_semantics_version() -> u32 {
    or_default(0, || GRADING_SEMANTICS_VERSION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_version_is_the_packages() {
        let header = format!("{FG_VERSION_MAJOR}.{FG_VERSION_MINOR}.{FG_VERSION_PATCH}");
        assert_eq!(header, env!("CARGO_PKG_VERSION"));
    }
}
