//! Forms of expressions, under configurations of every family of forms.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fablegrade_tests::fuzzed::form(data));
