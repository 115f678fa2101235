//! `fablegrade-wasm-bindgen IN.wasm OUT_FOLDER NAME`: generates the JavaScript side of a module, for
//! `--target web`.
//!
//! It replaces `wasm-bindgen-cli`, so one lock file pins the generator and the library to the same version.
// A build tool can print its errors.
#![allow(clippy::print_stderr)]

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, name] = arguments.as_slice() else {
        eprintln!("usage: fablegrade-wasm-bindgen IN.wasm OUT_FOLDER NAME");
        return ExitCode::from(2);
    };
    let made = Bindgen::new()
        .input_path(input)
        .out_name(name)
        .web(true)
        // The package has hand-written types, which are stricter than generated types.
        .and_then(|bindgen| {
            bindgen
                .typescript(false)
                .remove_name_section(true)
                .remove_producers_section(true)
                .generate(folder)
        });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}
