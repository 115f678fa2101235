//! Spans and events for a host that collects them (feature `tracing`; without it, nothing is emitted). They
//! contain toolchains, measurements and causes of trouble, never sources, inputs, outputs or names of suites.

#[cfg(feature = "tracing")]
mod on {
    use crate::sandbox::Outcome;
    use tracing::span::EnteredSpan;

    /// Enters the span of a compilation.
    pub(crate) fn compile(identity: &str) -> EnteredSpan {
        // The identity begins with the word for the toolchain's first program.
        tracing::info_span!("compile", tools = identity.split(';').next().unwrap_or_default()).entered()
    }

    /// Enters the span of a running program, or of two that communicate.
    pub(crate) fn run(programs: u64) -> EnteredSpan {
        tracing::info_span!("run", programs).entered()
    }

    /// Emits the event for the end of a program.
    pub(crate) fn ended(done: &Outcome) {
        let cpu_ms = u64::try_from(done.cpu.as_millis()).unwrap_or(u64::MAX);
        let wall_ms = u64::try_from(done.wall.as_millis()).unwrap_or(u64::MAX);
        let memory_kib = done.memory >> 10;
        let end = done.end.name();
        if let crate::sandbox::End::Trouble(cause) = &done.end {
            tracing::error!(end, cpu_ms, wall_ms, memory_kib, cause = cause.as_str());
        } else {
            tracing::info!(end, cpu_ms, wall_ms, memory_kib);
        }
    }
}

#[cfg(not(feature = "tracing"))]
mod on {
    use crate::sandbox::Outcome;

    /// A placeholder for a span.
    pub(crate) struct Nothing;

    pub(crate) fn compile(_: &str) -> Nothing {
        Nothing
    }

    pub(crate) fn run(_: u64) -> Nothing {
        Nothing
    }

    pub(crate) fn ended(_: &Outcome) {}
}

pub(crate) use on::{compile, ended, run};
