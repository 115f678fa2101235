//! Comparison is reflexive and symmetric, and never contradicts evaluation to hundreds of digits.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::compare(data));
