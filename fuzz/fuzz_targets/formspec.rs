//! Formspec's determination records, screeners and answers.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::formspec(data));
