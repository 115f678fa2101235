//! QTI items of versions 2 and 3, whose response rules are run.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::qti(data));
