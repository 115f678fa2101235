//! Kattis packages: each file follows a line with its path.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::kattis(data));
