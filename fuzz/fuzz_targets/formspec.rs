//! Determination records, screeners and answers of Formspec.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::formspec(data));
