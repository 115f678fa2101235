//! Findings about a task that require running its programs.

use std::path::Path;

use fablegrade_public::{Decimal, Finding};
use fablegrade_terry::evaluation::{Failure, Plan, Role, SEED_BOUND};
use fablegrade_terry::folder::{Folder, Program};
use fablegrade_terry::platform::Platform;
use fablegrade_terry::task::{FileFinding, Task};

use super::TaskRunner;

/// The seeds that the generator is run with. The first one also serves for all further steps.
const SEEDS: [u32; 4] = [42, 0, 1, SEED_BOUND - 1];

/// Findings about the programs.
struct Remarks(Vec<FileFinding>);

impl Remarks {
    fn add(
        &mut self,
        file: &str,
        finding: fn(&'static str, String, String, String) -> Finding,
        rule: &'static str,
        message: impl Into<String>,
        help: &str,
    ) {
        self.0.push(FileFinding::new(file, finding(rule, String::new(), message.into(), help.to_owned())));
    }

    fn failure(&mut self, file: &str, failure: &Failure) {
        let said = failure.said().lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let mut message = failure.to_string();
        if !said.is_empty() {
            message += &format!(" ({})", fablegrade_public::result::cut(said.trim().to_owned(), 200));
        }
        self.add(file, Finding::error, failure.rule(), message, &failure.advice());
    }
}

fn place(role: Role) -> String {
    format!("managers/{role}")
}

/// Makes inputs with several seeds, and reports the generator's defects. Returns the input of the first seed, or
/// `None` if the generator or the validator fails.
fn examine_generator(
    mut make: impl FnMut(u32) -> Result<Vec<u8>, Failure>,
    remarks: &mut Remarks,
) -> Result<Option<Vec<u8>>, Failure> {
    let file = place(Role::Generator);
    let mut inputs = Vec::new();
    // The first seed is repeated at the end.
    for seed in SEEDS.into_iter().chain([SEEDS[0]]) {
        match make(seed) {
            Ok(input) => inputs.push(input),
            Err(failure) if failure.is_hosts() => return Err(failure),
            Err(failure) => {
                remarks.failure(&format!("{} (seed {seed})", place(failure.role())), &failure);
                return Ok(None);
            }
        }
    }
    let again = inputs.pop();
    let Some(first) = inputs.first().cloned() else { return Ok(None) };
    if again.as_ref() != Some(&first) {
        let help = "take all randomness from the seed, and none from time, addresses or hash order";
        let message = format!("seed {} gives different inputs when repeated", SEEDS[0]);
        remarks.add(&file, Finding::error, "generator-not-deterministic", message, help);
    }
    if inputs.iter().all(|input| *input == first) {
        let help = "use the first argument as the seed, or ignore this if the task has one input only";
        remarks.add(&file, Finding::warning, "seed-without-effect", "all seeds give the same input", help);
    }
    if first.is_empty() {
        remarks.add(
            &file,
            Finding::error,
            "input-empty",
            "the input is empty",
            "write it to standard output",
        );
    } else if std::str::from_utf8(&first).is_err() {
        remarks.add(&file, Finding::warning, "input-not-text", "the input is not UTF-8", "write text");
    } else if first.contains(&b'\r') {
        let message = "the input has carriage returns, which many programs read as data";
        remarks.add(
            &file,
            Finding::warning,
            "input-carriage-return",
            message,
            "end lines with a line feed alone",
        );
    }
    Ok(Some(first))
}

impl TaskRunner {
    /// Runs the task's programs and reports their defects, such as missing, invalid or irreproducible inputs,
    /// a validator that accepts anything, a checker that gives points for an empty output, solutions that
    /// fail, or no solution with full points. `on_step` is called before each step.
    ///
    /// # Errors
    /// The host cannot run programs.
    pub fn examine(
        &self,
        task: &Task,
        place_of_task: &Path,
        folder: &Folder,
        mut on_step: impl FnMut(&str),
    ) -> Result<Vec<FileFinding>, Failure> {
        let mut remarks = Remarks(Vec::new());
        on_step("generator");
        let Some(input) = examine_generator(|seed| self.input(seed), &mut remarks)? else {
            return Ok(remarks.0);
        };
        if self.validator {
            on_step("validator");
            self.examine_validator(&input, &mut remarks)?;
        }
        on_step("checker");
        match self.grade(task, &input, b"") {
            Err(failure) if failure.is_hosts() => return Err(failure),
            Err(failure) => {
                remarks.failure(&format!("{} (an empty output)", place(Role::Checker)), &failure);
                return Ok(remarks.0);
            }
            Ok(judged) if !judged.result.score().is_zero() => remarks.add(
                &place(Role::Checker),
                Finding::error,
                "points-for-nothing",
                format!("an empty output earns {} points", judged.points),
                "give no points for cases that are missing",
            ),
            Ok(_) => {}
        }
        self.examine_solutions(task, place_of_task, folder, &mut remarks, &mut on_step)?;
        Ok(remarks.0)
    }

    fn examine_validator(&self, input: &[u8], remarks: &mut Remarks) -> Result<(), Failure> {
        let plan = Plan::input(SEEDS[0], true);
        let Some(step) = plan.steps.iter().find(|step| step.role == Role::Validator) else { return Ok(()) };
        let mut rubbish = b"\xff\x00 no input at all\n".to_vec();
        rubbish.extend_from_slice(input);
        let trials = [("an empty file", Vec::new()), ("the input with rubbish before it", rubbish)];
        for (what, bytes) in trials {
            match step.check(&self.step(step, &bytes, b"", None)) {
                Err(failure) if failure.is_hosts() => return Err(failure),
                Err(_) => {}
                Ok(()) => remarks.add(
                    &place(Role::Validator),
                    Finding::warning,
                    "validator-accepts-anything",
                    format!("it accepts {what}"),
                    "read the whole input and end with another exit code than 0 when something is wrong",
                ),
            }
        }
        Ok(())
    }

    fn examine_solutions(
        &self,
        task: &Task,
        place_of_task: &Path,
        folder: &Folder,
        remarks: &mut Remarks,
        on_step: &mut impl FnMut(&str),
    ) -> Result<(), Failure> {
        let official = self.official_program(folder);
        let mut best = Decimal::zero();
        let mut tried = 0;
        for program in official.iter().chain(folder.solutions()) {
            on_step(&program.path);
            let is_official = Some(program) == official.as_ref();
            let solution = match self.solution(place_of_task, program) {
                Err(failure) if failure.is_hosts() => return Err(failure),
                Err(failure) => {
                    remarks.failure(&program.path, &failure);
                    continue;
                }
                Ok(solution) => solution,
            };
            tried += 1;
            let runs = self.test(task, std::slice::from_ref(&solution), &[SEEDS[0]], |_| ());
            let Some(run) = runs.into_iter().next() else { continue };
            match run.concluded {
                Err(failure) if failure.is_hosts() => return Err(failure),
                Err(failure) if failure.is_solutions() && !is_official => {
                    let message = format!("seed {}: {failure}", run.seed);
                    remarks.add(
                        &program.path,
                        Finding::warning,
                        "solution-failed",
                        message,
                        "its evaluation fails; is that meant?",
                    );
                }
                Err(failure) if is_official && failure.is_solutions() => {
                    remarks.failure(&program.path, &failure);
                }
                // A manager would probably fail for the other solutions too, so this is reported once.
                Err(failure) => {
                    let with = format!("{} (the output of {})", place(failure.role()), program.path);
                    remarks.failure(&with, &failure);
                    return Ok(());
                }
                Ok(judged) => {
                    for finding in &judged.findings {
                        let known = remarks.0.iter().any(|known| known.finding.rule == finding.rule);
                        if !known {
                            remarks.0.push(FileFinding::new(place(Role::Checker), finding.clone()));
                        }
                    }
                    if is_official && *judged.result.score() != Decimal::one() {
                        let message = format!(
                            "the official solution earns {} of {} points",
                            judged.points, judged.max_score
                        );
                        remarks.add(
                            &program.path,
                            Finding::error,
                            "official-solution-wrong",
                            message,
                            "correct it or the checker",
                        );
                    }
                    best = best.max(judged.result.score().clone());
                }
            }
        }
        if tried > 0 && best != Decimal::one() {
            let message =
                format!("no solution earns all points; the best has {}", best.multiply(&task.max_score));
            remarks.add(
                "solutions",
                Finding::warning,
                "no-full-solution",
                message,
                "add a solution that is completely correct",
            );
        }
        Ok(())
    }

    /// Returns the official solution as a program to test: its executable or its source.
    pub fn official_program(&self, folder: &Folder) -> Option<Program> {
        let platform = Platform::current()?;
        folder.program(Role::Solution, &platform, self.options.prefer)
    }
}

#[cfg(test)]
mod tests {
    use fablegrade_terry::evaluation::Cause;

    use super::*;

    #[test]
    fn a_generator_that_fails_when_a_seed_is_repeated_is_a_finding() {
        let mut runs = 0;
        let make = |seed: u32| {
            runs += 1;
            let (role, cause, stderr) = (Role::Generator, Cause::Exit(3), String::new());
            if runs <= SEEDS.len() {
                Ok(seed.to_string().into_bytes())
            } else {
                Err(Failure::Program { role, cause, stderr })
            }
        };
        let mut remarks = Remarks(Vec::new());
        assert_eq!(examine_generator(make, &mut remarks), Ok(None));
        let found: Vec<_> = remarks.0.iter().map(|found| (found.file.as_str(), found.finding.rule)).collect();
        assert_eq!(found, [("managers/generator (seed 42)", "generation-failed")]);
    }
}
