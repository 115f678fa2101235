//! Judgehost problem packages: configurations and archives.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::judgehost(data));
