//! The view of a question does not depend on its key.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::delivery(data));
