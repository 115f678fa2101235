//! Standard output, standard error and the channel of results of a program.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::channels(data));
