//! Validators that are functions of the page.

use std::cell::RefCell;
use std::sync::Arc;

use fablegrade_core::json::Json;
use fablegrade_validators::foreign::{Foreign, ForeignValidator};
use fablegrade_validators::registry::register;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// A function of the page: a request as JSON in, an answer as JSON out.
    #[derive(Clone)]
    pub type Callback;

    #[wasm_bindgen(method, catch)]
    fn call(this: &Callback, receiver: &JsValue, request: &str) -> Result<JsValue, JsValue>;
}

thread_local! {
    /// The functions in the order of their registration; values of JavaScript stay in the thread that made them.
    static CALLBACKS: RefCell<Vec<Callback>> = const { RefCell::new(Vec::new()) };
}

/// The place of a function in [`CALLBACKS`].
struct Registered(usize);

impl Foreign for Registered {
    fn ask(&self, request: &str) -> Result<String, String> {
        // Cloned, so that the function may register another one.
        let callback = CALLBACKS.with_borrow(|callbacks| callbacks.get(self.0).cloned());
        let callback = callback.ok_or("the validator was registered in another thread")?;
        match callback.call(&JsValue::UNDEFINED, request) {
            Ok(answer) => answer.as_string().ok_or_else(|| "the validator's answer is not a text".to_owned()),
            // What was thrown may quote the key; the author's console has it.
            Err(_) => Err("the validator threw an exception".to_owned()),
        }
    }
}

/// Registers a function as a validator of widgets; it replaces one with the same name. `sentences` is JSON:
/// `[{"code", "text", "severity"?}]`. The answer is `{"ok":true}`, or the errors.
#[wasm_bindgen(js_name = registerValidator)]
pub fn register_validator(name: &str, callback: Callback, sentences: &str) -> String {
    let place = CALLBACKS.with_borrow(Vec::len);
    let validator = match ForeignValidator::new(Registered(place), sentences) {
        Ok(validator) => validator,
        Err(error) => return super::refused(&error, "sentences"),
    };
    match register(name, Arc::new(validator)) {
        Ok(()) => {
            CALLBACKS.with_borrow_mut(|callbacks| callbacks.push(callback));
            Json::build().with("ok", true).build().to_canonical()
        }
        Err(error) => {
            let error = Json::build()
                .with("rule", "name-form")
                .with("document", "arguments")
                .with("pointer", "")
                .with("message", error.to_string())
                .with("help", "use lower-case letters, digits and `_`")
                .build();
            super::failed(std::iter::once(error))
        }
    }
}
