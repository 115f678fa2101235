//! States with several answers, under configurations with all options.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::blanks(data));
