//! YAML documents, checker results and output files of terry.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::terry(data));
