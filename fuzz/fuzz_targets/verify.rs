//! Answers of models: the verdict is the same each time, and a correct one has an answer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::verify(data));
