//! The Moodle XML reader, with embedded answers, STACK and CodeRunner questions.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::moodle(data));
