//! The LaTeX parser is total, and what is printed reads back.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::parse(data));
