//! The LaTeX parser is total, and printed expressions can be parsed again.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::parse(data));
