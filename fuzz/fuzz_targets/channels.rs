//! A program's standard output, standard error and result channel.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::channels(data));
