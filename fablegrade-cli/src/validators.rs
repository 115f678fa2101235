//! Widget validators that are programs: `--validator NAME=PROGRAM`.

use std::path::PathBuf;

use clap::Args;

use crate::exit::Failure;

/// Programs that validate the states of widgets.
#[derive(Args, Default)]
#[group(skip)]
pub(crate) struct Validators {
    /// Run PROGRAM in the sandbox as the widget validator NAME: JSON in, JSON out; repeatable
    #[arg(long = "validator", value_name = "NAME=PROGRAM", value_parser = named)]
    programs: Vec<(String, PathBuf)>,
}

fn named(text: &str) -> Result<(String, PathBuf), String> {
    let (name, program) = text.split_once('=').ok_or("write NAME=PROGRAM")?;
    if !fablegrade_core::Host::is_name(name) {
        return Err("a validator's name has 1 to 64 lower-case letters, digits or `_`".to_owned());
    }
    Ok((name.to_owned(), PathBuf::from(program)))
}

impl Validators {
    /// Requests each program's messages to learners, and registers the program as a validator.
    pub(crate) fn register(&self) -> Result<(), Failure> {
        if self.programs.is_empty() {
            return Ok(());
        }
        #[cfg(target_os = "linux")]
        return sandboxed::register(&self.programs);
        #[cfg(not(target_os = "linux"))]
        return Err(Failure::Usage("--validator runs programs in a sandbox, which needs Linux".into()));
    }
}

#[cfg(target_os = "linux")]
mod sandboxed {
    use std::io;
    use std::path::PathBuf;
    use std::sync::Arc;

    use fablegrade_runner::Cancel;
    use fablegrade_runner::sandbox::{End, Job, Limits, Sandbox, SandboxOptions, Visible};
    use fablegrade_validators::foreign::{Foreign, ForeignValidator};
    use fablegrade_validators::registry;

    use crate::exit::Failure;

    /// A program, whose folder is mounted in the sandbox as `/box`.
    struct Program {
        sandbox: Arc<Sandbox>,
        folder: PathBuf,
        name: String,
    }

    impl Foreign for Program {
        fn ask(&self, request: &str) -> Result<String, String> {
            let outcome = self.sandbox.run(&Job {
                files: Vec::new(),
                command: vec![format!("/box/{}", self.name)],
                environment: vec![("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())],
                shown: Some(self.folder.clone()),
                visible: Visible::system(),
                directory: "/tmp".to_owned(),
                input: request.as_bytes().to_vec(),
                channel: false,
                collect: None,
                cancel: Cancel::default(),
                limits: Limits { output: MOST_OUTPUT, ..Limits::default() },
            });
            match outcome.end {
                End::Exited(0) => String::from_utf8(outcome.output)
                    .map_err(|_| "the program's answer is not UTF-8".to_owned()),
                end => Err(no_answer(&end, &outcome.errors)),
            }
        }
    }

    /// Maximum length of a program's answer, in bytes.
    const MOST_OUTPUT: usize = 1 << 20;

    /// Returns why a program did not answer, usually with the last line of its standard error.
    fn no_answer(end: &End, errors: &[u8]) -> String {
        let reason = match end {
            End::Exited(code) => format!("the program ended with exit code {code}"),
            End::Signalled(signal) => format!("the program was ended by signal {signal}"),
            End::Timeout => "the program did not answer in time".to_owned(),
            End::MemoryExceeded => "the program needed more memory than allowed".to_owned(),
            End::OutputLimit => format!("the program wrote more than {MOST_OUTPUT} bytes"),
            End::Cancelled => "the program was stopped".to_owned(),
            End::NotStarted(error) => {
                let error = io::Error::from_raw_os_error(*error);
                return format!(
                    "the program could not be started: {error}; make it executable, and check the interpreter in its first line"
                );
            }
            End::Trouble(cause) => return format!("the sandbox failed: {cause}"),
        };
        let errors = String::from_utf8_lossy(errors);
        match errors.lines().rev().map(str::trim).find(|line| !line.is_empty()) {
            Some(line) => {
                let line: String = line.chars().filter(|char| !char.is_control()).take(200).collect();
                format!("{reason}; its error output: {line}")
            }
            None => reason,
        }
    }

    pub(super) fn register(programs: &[(String, PathBuf)]) -> Result<(), Failure> {
        let cannot = |what: String| move |error: io::Error| Failure::Io(what, error);
        let sandbox = Sandbox::open(&SandboxOptions::default())
            .map_err(|cause| cannot("cannot open the sandbox".to_owned())(io::Error::other(cause)))?;
        let sandbox = Arc::new(sandbox);
        for (name, program) in programs {
            let shown = program.display().to_string();
            let path = program.canonicalize().map_err(cannot(format!("cannot find {shown}")))?;
            let (Some(folder), Some(file)) = (path.parent(), path.file_name().and_then(|file| file.to_str()))
            else {
                return Err(Failure::Usage(format!("{shown} is not a program")));
            };
            let asked =
                Program { sandbox: Arc::clone(&sandbox), folder: folder.to_owned(), name: file.to_owned() };
            let sentences = asked
                .ask("{\"sentences\":true}")
                .map_err(|cause| cannot(format!("cannot ask {shown}"))(io::Error::other(cause)))?;
            let validator = ForeignValidator::new(asked, &sentences).map_err(|error| {
                Failure::invalid(format!("{shown}: its answer to {{\"sentences\":true}}"), error)
            })?;
            registry::register(name, Arc::new(validator))
                .map_err(|error| Failure::Usage(error.to_string()))?;
        }
        Ok(())
    }
}
