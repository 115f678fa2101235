//! Tests a checker with bad outputs.

use fablegrade_terry::bad_outputs::bad_outputs;
use fablegrade_terry::evaluation::{Failure, Judged};
use fablegrade_terry::task::Task;

use super::{Measure, Solution, TaskRunner};

/// The checker's result for one bad output.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Fuzzed {
    /// The bad output's name.
    pub name: &'static str,
    /// The size of the output in bytes.
    pub bytes: usize,
    /// True if the output is invalid, so it must not get any points.
    pub rubbish: bool,
    /// The conclusion of the evaluation, or its failure.
    pub concluded: Result<Judged, Failure>,
    /// Time and memory of the checker.
    pub measure: Option<Measure>,
}

impl Fuzzed {
    /// Returns whether the checker gave a result, and no points for an invalid output.
    pub fn passes(&self) -> bool {
        match &self.concluded {
            Ok(judged) => !self.rubbish || judged.result.score().is_zero(),
            Err(_) => false,
        }
    }
}

impl TaskRunner {
    /// Runs the checker on all bad outputs for the input of a seed; with a solution, also on changed copies
    /// of its output. `on_done` is called after each check.
    ///
    /// # Errors
    /// The generator or the validator fails, so there is no input. A solution that fails is ignored.
    pub fn fuzz_checker(
        &self,
        task: &Task,
        seed: u32,
        solution: Option<&Solution>,
        on_done: impl FnMut(&Fuzzed),
    ) -> Result<Vec<Fuzzed>, Failure> {
        let input = self.input(seed)?;
        let good = solution.map(|solution| solution.run(&self.runner, &input, &self.options.solutions));
        let good = good.filter(|good| good.end == fablegrade_core::End::Exited(0)).map(|good| good.stdout);
        let all = bad_outputs(u64::from(seed), good.as_deref());
        Ok(self.each(all.len(), on_done, |at| {
            let bad = all.get(at)?;
            let (concluded, measures) = self.grade_measured(task, &input, &bad.bytes);
            Some(Fuzzed {
                name: bad.name,
                bytes: bad.bytes.len(),
                rubbish: bad.rubbish,
                concluded,
                measure: measures.first().copied(),
            })
        }))
    }
}
