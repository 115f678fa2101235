//! Models' answers: verdicts are repeatable, and a correct verdict has an answer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::verify(data));
