//! Packets on the socket of a sandbox's first process, and its start orders.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::frames(data));
