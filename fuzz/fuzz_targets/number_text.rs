//! Typed numbers, under configurations with all options. The page and the grader refuse the same texts.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::number_text(data));
