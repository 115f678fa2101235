//! Grading entries, evaluations, locks and lines of FlowMCP.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::flowmcp(data));
