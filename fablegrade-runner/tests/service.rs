//! A runner in a service: called from asynchronous code, watched by metrics and traces.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_core::view::code::Language;
use fablegrade_core::{CaseOutcome, End, ExecutionPlan};
use fablegrade_runner::{Cancel, Runner};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, mpsc};

/// A guard that cancels its token when it is dropped.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs a plan on a thread for blocking work; the semaphore limits the number of plans that run in parallel.
/// Outcomes are sent as they arrive.
async fn run(
    runner: Arc<impl std::ops::Deref<Target = Runner> + Send + Sync + 'static>,
    turns: Arc<Semaphore>,
    plan: ExecutionPlan,
    outcomes: mpsc::UnboundedSender<CaseOutcome>,
) -> Vec<CaseOutcome> {
    let _turn = turns.acquire_owned().await.expect("the semaphore is never closed");
    let cancel = Cancel::new();
    let _guard = CancelOnDrop(cancel.clone());
    let work = move || {
        runner.run_until(&plan, &cancel, |outcome| {
            // A receiver that no longer exists is not a reason to stop.
            let _ = outcomes.send(outcome.clone());
        })
    };
    tokio::task::spawn_blocking(work).await.expect("a run does not panic")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
async fn it_is_called_from_asynchronous_code_and_ends_with_its_future() {
    let runner = Arc::new(stage::runner());
    let turns = Arc::new(Semaphore::new(2));
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let plan = |source: &str, time_ms| {
        let mut case = stage::case("");
        case.time_ms = time_ms;
        stage::plan(Language::Python, source, None, vec![case])
    };
    let done = run(Arc::clone(&runner), Arc::clone(&turns), plan("print('ok')", 5000), sender.clone()).await;
    assert_eq!(done.first().map(|outcome| outcome.stdout.as_slice()), Some(&b"ok\n"[..]));
    assert_eq!(receiver.recv().await.map(|outcome| outcome.end), Some(End::Exited(0)));
    // A caller that stops waiting ends the program.
    let start = Instant::now();
    let endless = run(Arc::clone(&runner), turns, plan("while True: pass", 60_000), sender);
    assert!(tokio::time::timeout(Duration::from_millis(500), endless).await.is_err());
    let stopped = receiver.recv().await.map(|outcome| outcome.end);
    assert_eq!(stopped, Some(End::Skipped));
    assert!(start.elapsed() < Duration::from_secs(20));
    let counters = runner.counters();
    assert_eq!((counters.runs, counters.running, counters.compiled), (2, 0, 2), "{counters:?}");
    assert!(counters.cpu > Duration::ZERO && counters.troubles == 0, "{counters:?}");
}

mod traced {
    use super::stage;
    use fablegrade_core::view::code::{Language, Visibility};
    use std::sync::{Arc, Mutex};
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    /// All recorded events and spans, as text.
    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<String>>);

    impl Visit for Heard {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            self.0.lock().unwrap().push_str(&format!("{}={value:?} ", field.name()));
        }
    }

    impl Subscriber for Heard {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target().starts_with("fablegrade")
        }
        fn new_span(&self, span: &Attributes<'_>) -> Id {
            self.0.lock().unwrap().push_str(&format!("[{}] ", span.metadata().name()));
            span.record(&mut self.clone());
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, values: &Record<'_>) {
            values.record(&mut self.clone());
        }
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            event.record(&mut self.clone());
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn traces_tell_what_was_run_and_no_secret() {
        let heard = Heard::default();
        tracing::subscriber::set_global_default(heard.clone()).unwrap();
        let runner = stage::runner();
        let mut case = stage::case("hidden input 5512");
        case.visibility = Visibility::Hidden;
        case.suite = "hidden suite 5512".to_owned();
        stage::one(&runner, Language::C, "int main(void) { return 5512 - 5512; }", None, case);
        let said = heard.0.lock().unwrap().clone();
        assert!(said.contains("[compile] tools=\"gcc\"") && said.contains("[run] programs=1"), "{said}");
        assert!(said.contains("end=\"exited\"") && said.contains("memory_kib="), "{said}");
        assert!(!said.contains("5512"), "{said}");
    }
}
