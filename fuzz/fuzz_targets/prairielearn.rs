//! The reader of PrairieLearn questions.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::prairielearn(data));
