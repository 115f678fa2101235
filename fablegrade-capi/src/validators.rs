//! Validators for widgets that C registers.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use fablegrade_validators::foreign::{Foreign, ForeignValidator};
use fablegrade_validators::registry;

use crate::arguments::{Out, bytes, refuse, text};
use crate::boundary::{Failure, call, or_default};
use crate::error::fg_error;
use crate::status::fg_status;
use crate::text::fg_text;

/// Receives the answer of a validator; see fg_validator.
///
/// Ownership: it belongs to the library and is valid during the call of the validator.
/// Threads: only the thread in which the validator was called may use it.
pub struct fg_answer(Option<Vec<u8>>);

/// A validator: a function that answers a request with fg_answer_set. Request and answer are JSON.
///
/// Whenever a question is compiled or linted, its configuration is checked: the request is `{"config": ...}`, and the
/// answer is `{}` or `{"findings": [{"code": "...", "pointer"?: "/x", "severity"?: "warning"}]}`. The request to judge
/// a state is `{"config": ..., "state": ...}`. Without a configuration, `config` is null. The answer is one of these:
///
/// - `{"score": 0.5, "messages"?: ["code", {"configured": "/x/message"}], "steps"?: [...]}`: the score is from 0 to 1
///   and may be a fraction as a string; a message is a code declared in fg_register_validator, or points to a field `message` of the
///   configuration;
/// - `{"unreadable": "code"}`: the state cannot be read, and the learner sees the message of this code;
/// - `{"failed": "reason for the author"}`: the state cannot be judged.
///
/// When a state is judged, the last two answers give the verdict `error`; so does a malformed answer, an undeclared
/// code, or no answer. When a configuration is checked, a finding is an error unless it has another `severity`. An
/// error makes the question invalid; so does an undeclared code, a malformed answer, or no answer.
///
/// Any thread that compiles, lints or grades a question may call it, possibly concurrently with others. It must be a
/// pure function of the request, and must not exit by longjmp or a C++ exception.
///
/// NULL: the library never passes NULL, except as `user_data` if you registered NULL; a validator that is NULL is
/// refused.
/// Ownership: the library owns request and answer; neither may be used after the call. `user_data` stays yours.
/// Threads: any number of threads may call it concurrently.
pub type fg_validator = Option<
    unsafe extern "C" fn(
        user_data: *mut c_void,
        request: *const c_char,
        request_length: usize,
        answer: *mut fg_answer,
    ),
>;

struct Callback {
    validator: unsafe extern "C" fn(*mut c_void, *const c_char, usize, *mut fg_answer),
    user_data: *mut c_void,
}

// SAFETY: `fg_validator` requires that any thread can call the function with its user data.
unsafe impl Send for Callback {}
// SAFETY: as above; it also requires that threads can do so concurrently.
unsafe impl Sync for Callback {}

impl Foreign for Callback {
    fn ask(&self, request: &str) -> Result<String, String> {
        let mut answer = fg_answer(None);
        // Like every string of the library, it has a NUL after its last byte.
        let asked = fg_text::new(request.to_owned());
        // SAFETY: the function and its user data are valid as long as the process lives, as `fg_register_validator`
        // requires; the strings live during the call.
        unsafe {
            (self.validator)(self.user_data, asked.as_ptr(), request.len(), &raw mut answer);
        }
        let bytes = answer.0.ok_or_else(|| "the validator gave no answer".to_owned())?;
        String::from_utf8(bytes).map_err(|_| "the validator's answer is not UTF-8".to_owned())
    }
}

/// Sets the answer of a validator to a copy of the string; the last answer counts.
///
/// Ownership: the string is yours and is only read during the call.
/// NULL: answer or text may be NULL; then nothing happens, and an earlier answer stays.
/// Threads: only the thread in which the validator was called may call it, during that call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_answer_set(answer: *mut fg_answer, text: *const c_char, text_length: usize) {
    or_default((), || {
        // SAFETY: the header requires valid pointers.
        let (answer, text) = unsafe { (answer.as_mut(), bytes("text", text, text_length)) };
        if let (Some(answer), Ok(text)) = (answer, text) {
            answer.0 = Some(text.to_vec());
        }
    });
}

/// Registers a validator for widgets in this process; an earlier validator with the same name is replaced. The standard
/// validators are registered from the start. Questions that are already compiled keep their validators.
///
/// `messages` is JSON with every message that the validator can use, by `code`:
/// `[{"code": "...", "text": "...", "severity"?: "hint"}]`. A message is shown to
/// learners, or is the text of a finding about a configuration.
///
/// Ownership: the strings are yours and are only read during the call. The function and user_data must stay valid until
/// the process ends.
/// NULL: name, messages and validator must not be NULL; user_data and error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_register_validator(
    name: *const c_char,
    name_length: usize,
    messages: *const c_char,
    messages_length: usize,
    validator: fg_validator,
    user_data: *mut c_void,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        call(&Out::new("error", error, null_mut()), || {
            let name = text("name", name, name_length)?;
            let messages = text("messages", messages, messages_length)?;
            let validator = validator.ok_or_else(|| crate::arguments::null("validator"))?;
            let foreign = ForeignValidator::new(Callback { validator, user_data }, messages)
                .map_err(|error| Failure::Document(error.within("/messages")))?;
            registry::register(name, Arc::new(foreign)).map_err(|error| {
                refuse(
                    fg_status::FG_UNKNOWN_VALUE,
                    "name-form",
                    "name",
                    error.to_string(),
                    "choose a name like above_axis",
                )
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::fg_error_free;
    use fablegrade_core::{AnswerSpec, Grader, Submission};

    unsafe extern "C" fn fg_test_validator(
        user_data: *mut c_void,
        request: *const c_char,
        length: usize,
        answer: *mut fg_answer,
    ) {
        // SAFETY: the library passes a string that lives during the call; the user data is the integer below.
        unsafe {
            let request = text("request", request, length).unwrap_or_else(|_| unreachable!());
            let limit = *user_data.cast::<i64>();
            let said = match request {
                _ if !request.contains("\"state\"") => "{}".to_owned(),
                _ if request.contains("\"y\":5") => {
                    format!("{{\"score\":\"{limit}/4\",\"messages\":[\"near\"]}}")
                }
                _ if request.contains("\"y\":6") => "{\"score\":7}".to_owned(),
                _ => return,
            };
            fg_answer_set(answer, said.as_ptr().cast(), said.len());
        }
    }

    #[test]
    fn a_function_with_user_data_validates() {
        static LIMIT: i64 = 3;
        let (name, messages) = ("above_c", r#"[{"code":"near","text":"Near."}]"#);
        let mut error = null_mut();
        let register = |name: &str, error: *mut *mut fg_error| {
            // SAFETY: the strings live during the call, the function and its data as long as the process.
            unsafe {
                fg_register_validator(
                    name.as_ptr().cast(),
                    name.len(),
                    messages.as_ptr().cast(),
                    messages.len(),
                    Some(fg_test_validator),
                    (&raw const LIMIT).cast_mut().cast(),
                    error,
                )
            }
        };
        assert_eq!(register(name, &raw mut error) as i32, fg_status::FG_OK as i32);
        assert_eq!(register("No name", &raw mut error) as i32, fg_status::FG_UNKNOWN_VALUE as i32);
        // SAFETY: an error of the library, freed once.
        unsafe { fg_error_free(error) };
        let spec = AnswerSpec::from_json(
            r#"{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{"kind":"builtin","name":"above_c"}}"#,
        )
        .unwrap();
        let grader = Grader::with_host(spec, &registry::host()).unwrap();
        let grade = |y: i64| {
            let state = format!(r#"{{"type":"widget","state":{{"y":{y}}}}}"#);
            grader.grade(&Submission::from_json(state).unwrap())
        };
        let near = grade(5);
        assert_eq!((near.score, near.feedback[0].message()), (Some(0.75), "Near."));
        assert_eq!(grade(6).verdict.as_str(), "error", "no score is above 1");
        assert_eq!(grade(7).verdict.as_str(), "error", "without an answer there is no score");
    }
}
