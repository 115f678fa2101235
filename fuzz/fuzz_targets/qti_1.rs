//! QTI 1 items with conditions, assessments, and Blackboard's pairs.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::qti_1(data));
