//! Typed numbers, under configurations with all options; what the page refuses is what grading refuses.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::number_text(data));
