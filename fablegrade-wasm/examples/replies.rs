//! Prints the replies of the native build, for comparison with those of a browser.
//!
//! Reads one JSON array per line, such as `["understand", "x^2", "{}", "", ""]`, and prints one reply per
//! line.
// An example can panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::io::BufRead;

use fablegrade_wasm as preview;

fn main() {
    for line in std::io::stdin().lock().lines() {
        // Does not use the library's reader, because some documents are too large for it on purpose.
        let call: Vec<String> = serde_json::from_str(&line.unwrap()).unwrap();
        let given: Vec<&str> = call.iter().map(String::as_str).collect();
        let reply = match given[..] {
            ["read", kind, document] => preview::read(kind, document),
            ["validate", view, submission, locale] => preview::validate(view, submission, locale),
            ["completeness", view, submission, locale] => preview::completeness(view, submission, locale),
            ["translate", result, locale] => preview::translate(result, locale),
            ["lintView", view] => preview::lint_view(view),
            ["countWords", content] => preview::count_words(content),
            ["understand", latex, options, view, locale] => preview::understand(latex, options, view, locale),
            ["previewCases", view, outcomes] => preview::preview_cases(view, outcomes),
            ["matchOutput", matcher, expected, actual, tolerance] => {
                preview::match_output(matcher, expected.as_bytes(), actual.as_bytes(), tolerance)
            }
            _ => panic!("unknown call: {call:?}"),
        };
        println!("{reply}");
    }
}
