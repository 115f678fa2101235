//! Reading LaTeX.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::parse(data));
