//! Matchers compared with slow, obvious implementations.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::matchers(data));
