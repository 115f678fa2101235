//! FlowMCP's grading entries, evaluations, locks and lines.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::flowmcp(data));
