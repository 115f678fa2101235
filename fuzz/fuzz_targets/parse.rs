//! The LaTeX parser is total: any text gives a tree or a placed error, and what is printed reads back the same.
#![no_main]

use fablegrade_math::latex::parse;
use fablegrade_math::literal::form;
use fablegrade_math::print::print;
use fablegrade_math::symbols::Declarations;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let names = Declarations::new();
    match parse(text, &names) {
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end as usize <= text.len());
            assert!(text.is_char_boundary(error.span.start as usize) && text.is_char_boundary(error.span.end as usize));
        }
        Ok(tree) => {
            let printed = print(&tree);
            if let Ok(again) = parse(&printed, &names) {
                assert_eq!(form(&tree), form(&again), "{text} prints as {printed}");
            }
        }
    }
});
