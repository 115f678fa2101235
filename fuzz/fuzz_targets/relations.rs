//! Relations compare the same in both orders, and a counterexample really distinguishes them.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::relations(data));
