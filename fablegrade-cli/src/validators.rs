//! Validators of widgets that are programs: `--validator NAME=PROGRAM`.

use std::path::PathBuf;

use clap::Args;

use crate::exit::Failure;

/// Programs that validate states of widgets.
#[derive(Args, Default)]
#[group(skip)]
pub(crate) struct Validators {
    /// Let PROGRAM judge widgets whose validator is NAME, in the sandbox: JSON in, JSON out (repeatable)
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
    /// Asks each program what it can tell learners, and registers it.
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

    /// A program in a folder of its own inside the sandbox.
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
                limits: Limits { output: 1 << 20, ..Limits::default() },
            });
            match outcome.end {
                End::Exited(0) => String::from_utf8(outcome.output)
                    .map_err(|_| "the program's answer is not UTF-8".to_owned()),
                End::Trouble(cause) => Err(format!("the sandbox failed: {cause}")),
                end => Err(format!("the program gave no answer: {end:?}")),
            }
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
            let validator =
                ForeignValidator::new(asked, &sentences).map_err(|error| Failure::refused(shown, error))?;
            registry::register(name, Arc::new(validator))
                .map_err(|error| Failure::Usage(error.to_string()))?;
        }
        Ok(())
    }
}
