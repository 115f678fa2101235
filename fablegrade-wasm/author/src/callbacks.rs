//! Validators that are JavaScript functions of the page.

use std::cell::RefCell;
use std::sync::Arc;

use fablegrade_core::json::Json;
use fablegrade_validators::foreign::{Foreign, ForeignValidator};
use fablegrade_validators::registry::register;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// A JavaScript function that takes a request and returns an answer, both as JSON.
    #[derive(Clone)]
    pub type Callback;

    #[wasm_bindgen(method, catch)]
    fn call(this: &Callback, receiver: &JsValue, request: &str) -> Result<JsValue, JsValue>;
}

thread_local! {
    /// The functions in the order of their registration. JavaScript values cannot leave the thread that made
    /// them.
    static CALLBACKS: RefCell<Vec<Callback>> = const { RefCell::new(Vec::new()) };
}

/// The index of a function in [`CALLBACKS`].
struct Registered(usize);

impl Foreign for Registered {
    fn ask(&self, request: &str) -> Result<String, String> {
        // Cloned, so the list is not borrowed while the function runs: it can register another function.
        let callback = CALLBACKS.with_borrow(|callbacks| callbacks.get(self.0).cloned());
        let callback = callback.ok_or("the validator was registered in another thread")?;
        match callback.call(&JsValue::UNDEFINED, request) {
            Ok(answer) => answer.as_string().ok_or_else(|| "the validator's answer is not a text".to_owned()),
            // The exception is not reported, because it can quote the key.
            Err(_) => Err("the validator threw an exception".to_owned()),
        }
    }
}

/// Registers a function as a validator for widgets, and replaces any with the same name. `messages` is JSON:
/// `[{"code", "text", "severity"?}]`. Returns `{"ok":true}` or the errors.
#[wasm_bindgen(js_name = registerValidator)]
pub fn register_validator(name: &str, callback: Callback, messages: &str) -> String {
    let place = CALLBACKS.with_borrow(Vec::len);
    let validator = match ForeignValidator::new(Registered(place), messages) {
        Ok(validator) => validator,
        Err(error) => return super::refused(&error, "messages"),
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
