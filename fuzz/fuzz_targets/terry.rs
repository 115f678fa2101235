//! terry's YAML documents, checker results and output files.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::terry(data));
