//! Reports of `terry test`: a table with a column per seed, a table of summaries, or JSON.

use std::collections::BTreeMap;
use std::io::Write as _;

use fablegrade_core::json::Json;
use fablegrade_core::{Decimal, Finding};
use fablegrade_runner::terry::TestRun;
use fablegrade_terry::evaluation::{Failure as Failed, Judged, Role};
use fablegrade_terry::task::{FileFinding, Task};

use super::report::{
    Table, failure_word, mebibytes, score_style, seconds, share, write_error_output, write_file_findings,
};
use crate::console::{BAD, Console, NAME, QUIET, plain};
use crate::exit::{Exit, Failure};

/// Maximum number of seeds for a table with a column per seed.
const COLUMNS: usize = 6;

/// A solution to test. It is ready, or it could not be prepared.
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) official: bool,
    /// Its index among the ready solutions, or the reason why it is not ready.
    pub(super) ready: Result<usize, Failed>,
}

/// The results of all solutions for all seeds.
pub(super) struct TestReport<'a> {
    pub(super) task: &'a Task,
    pub(super) seeds: &'a [u32],
    pub(super) candidates: &'a [Candidate],
    pub(super) runs: &'a [TestRun],
    pub(super) isolation: String,
}

/// The results of one solution for all seeds.
struct Summary {
    judged: usize,
    failed: usize,
    full: usize,
    worst: Option<(Decimal, u32)>,
    best: Option<Decimal>,
    mean: Option<f64>,
    time_ms: Option<u64>,
    memory_kb: Option<u64>,
}

impl Summary {
    fn of<'r>(runs: impl Iterator<Item = &'r TestRun>) -> Self {
        let (mut judged, mut failed, mut full, mut sum) = (0, 0, 0, Decimal::zero());
        let (mut worst, mut best): (Option<(Decimal, u32)>, Option<Decimal>) = (None, None);
        let (mut time_ms, mut memory_kb) = (None, None);
        for run in runs {
            match &run.concluded {
                Err(_) => failed += 1,
                Ok(result) => {
                    let score = result.result.score();
                    judged += 1;
                    full += usize::from(*score == Decimal::one());
                    sum = sum.add(score);
                    if worst.as_ref().is_none_or(|(worst, _)| score < worst) {
                        worst = Some((score.clone(), run.seed));
                    }
                    if best.as_ref().is_none_or(|best| score > best) {
                        best = Some(score.clone());
                    }
                }
            }
            if let Some(measure) = run.solutions_measure() {
                time_ms = time_ms.max(measure.time_ms);
                memory_kb = memory_kb.max(measure.memory_kb);
            }
        }
        let mean = (judged > 0).then(|| sum.to_f64() / judged as f64);
        Self { judged, failed, full, worst, best, mean, time_ms, memory_kb }
    }
}

impl TestReport<'_> {
    fn runs_of(&self, candidate: &Candidate) -> impl Iterator<Item = &TestRun> {
        let at = candidate.ready.as_ref().ok().copied();
        self.runs.iter().filter(move |run| Some(run.solution) == at)
    }

    pub(super) fn exit(&self) -> Exit {
        let failures = || self.runs.iter().filter_map(|run| run.concluded.as_ref().err());
        if failures().any(Failed::is_hosts) {
            return Exit::Undecided;
        }
        let full =
            |run: &TestRun| matches!(&run.concluded, Ok(judged) if *judged.result.score() == Decimal::one());
        let wrong = |candidate: &Candidate| {
            candidate.ready.is_err() || (candidate.official && !self.runs_of(candidate).all(full))
        };
        let broken = failures().any(|failure| !failure.is_solutions()) || self.candidates.iter().any(wrong);
        if broken { Exit::Negative } else { Exit::Done }
    }

    pub(super) fn write_table(&self, console: &mut Console) -> Result<(), Failure> {
        let seeds = match self.seeds {
            [seed] => format!("seed {seed}"),
            seeds => format!("{} seeds", seeds.len()),
        };
        writeln!(
            console.out,
            "{NAME}{}{NAME:#}  {}  {QUIET}{} points  ·  {seeds}  ·  {}{QUIET:#}\n",
            plain(&self.task.name),
            plain(&self.task.description),
            self.task.max_score,
            self.isolation
        )?;
        let table = if self.seeds.len() <= COLUMNS { self.by_seed() } else { self.by_summary() };
        table.write(console)?;
        self.write_failures(console)?;
        let mut findings: Vec<FileFinding> = Vec::new();
        for judged in self.runs.iter().filter_map(|run| run.concluded.as_ref().ok()) {
            for finding in &judged.findings {
                if !findings.iter().any(|known| known.finding.rule == finding.rule) {
                    findings.push(FileFinding::new("managers/checker", finding.clone()));
                }
            }
        }
        if !findings.is_empty() {
            writeln!(console.out)?;
            write_file_findings(console, &findings)?;
        }
        Ok(())
    }

    fn score_cell(judged: &Judged) -> (anstyle::Style, String) {
        (score_style(judged.result.score()), share(judged.result.score()))
    }

    /// Builds a table with a column per seed, or with more details if there is only one seed.
    fn by_seed(&self) -> Table {
        let mut table = Table::default();
        let seeds: Vec<String> = self.seeds.iter().map(u32::to_string).collect();
        let mut head = vec!["solution"];
        match seeds.as_slice() {
            [_] => head.extend(["score", "points", "correct"]),
            _ => head.extend(seeds.iter().map(String::as_str)),
        }
        head.extend(["time", "memory"]);
        table.head(&head);
        for candidate in self.candidates {
            let mut row = vec![(NAME, shown(&candidate.name))];
            if let Err(failure) = &candidate.ready {
                row.push((BAD, failure_word(failure)));
                table.row(row);
                continue;
            }
            for run in self.runs_of(candidate) {
                match &run.concluded {
                    Err(failure) => {
                        row.push((BAD, failure_word(failure)));
                        if self.seeds.len() == 1 {
                            row.extend([(QUIET, "-".to_owned()), (QUIET, "-".to_owned())]);
                        }
                    }
                    Ok(judged) => {
                        row.push(Self::score_cell(judged));
                        if self.seeds.len() == 1 {
                            let cases = &judged.result.feedback().cases;
                            let correct = cases.iter().filter(|case| case.correct).count();
                            let style = score_style(judged.result.score());
                            row.push((style, format!("{} / {}", judged.points, judged.max_score)));
                            row.push((QUIET, format!("{correct} of {}", cases.len())));
                        }
                    }
                }
            }
            let summary = Summary::of(self.runs_of(candidate));
            row.extend([(QUIET, seconds(summary.time_ms)), (QUIET, mebibytes(summary.memory_kb))]);
            table.row(row);
        }
        table
    }

    /// Builds a table with a row per solution that summarizes all seeds.
    fn by_summary(&self) -> Table {
        let mut table = Table::default();
        table.head(&["solution", "worst", "at seed", "mean", "best", "full", "failed", "slowest", "memory"]);
        for candidate in self.candidates {
            let mut row = vec![(NAME, shown(&candidate.name))];
            if let Err(failure) = &candidate.ready {
                row.push((BAD, failure_word(failure)));
                table.row(row);
                continue;
            }
            let summary = Summary::of(self.runs_of(candidate));
            let dash = || (QUIET, "-".to_owned());
            let (worst, seed) = summary.worst.as_ref().map_or_else(
                || (dash(), dash()),
                |(score, seed)| ((score_style(score), share(score)), (QUIET, seed.to_string())),
            );
            let failed = if summary.failed == 0 { QUIET } else { BAD };
            row.extend([
                worst,
                seed,
                summary
                    .mean
                    .and_then(Decimal::from_f64)
                    .map_or_else(dash, |mean| (score_style(&mean), share(&mean))),
                summary.best.as_ref().map_or_else(dash, |best| (score_style(best), share(best))),
                (QUIET, format!("{} of {}", summary.full, summary.judged + summary.failed)),
                (failed, summary.failed.to_string()),
                (QUIET, seconds(summary.time_ms)),
                (QUIET, mebibytes(summary.memory_kb)),
            ]);
            table.row(row);
        }
        table
    }

    /// Writes each kind of failure once, with its seeds and the output of the program.
    ///
    /// A manager's failure is written once for all solutions, and a solution's failure once per solution.
    fn write_failures(&self, console: &mut Console) -> Result<(), Failure> {
        let mut kinds: BTreeMap<(usize, String), (&Failed, Vec<u32>)> = BTreeMap::new();
        for (at, candidate) in self.candidates.iter().enumerate() {
            if let Err(failure) = &candidate.ready {
                kinds.insert((at, failure.to_string()), (failure, Vec::new()));
            }
            for run in self.runs_of(candidate) {
                if let Err(failure) = &run.concluded {
                    let at = if failure.is_solutions() { at } else { 0 };
                    let (_, seeds) = kinds.entry((at, failure.to_string())).or_insert((failure, Vec::new()));
                    if !seeds.contains(&run.seed) {
                        seeds.push(run.seed);
                    }
                }
            }
        }
        for ((at, message), (failure, seeds)) in kinds {
            const SHOWN: usize = 5;
            let who = if failure.is_solutions() {
                self.candidates.get(at).map_or_else(String::new, |candidate| shown(&candidate.name))
            } else {
                failure.role().to_string()
            };
            let mut where_ = seeds.iter().take(SHOWN).map(u32::to_string).collect::<Vec<_>>().join(", ");
            if seeds.len() > SHOWN {
                where_ += &format!(" and {} more", seeds.len() - SHOWN);
            }
            let where_ = if where_.is_empty() { where_ } else { format!("  {QUIET}seed {where_}{QUIET:#}") };
            writeln!(console.out, "\n{BAD}{}{BAD:#}  {}{where_}", plain(&who), plain(&message))?;
            write_error_output(console, failure)?;
            if !failure.is_solutions() {
                writeln!(console.out, "  {QUIET}{}{QUIET:#}", plain(&failure.advice()))?;
            }
        }
        Ok(())
    }

    pub(super) fn write_json(&self, console: &mut Console) -> Result<(), Failure> {
        let name = |at: usize| {
            self.candidates
                .iter()
                .find(|candidate| candidate.ready.as_ref() == Ok(&at))
                .map_or("", |one| one.name.as_str())
        };
        let runs = self.runs.iter().map(|run| {
            let measure = run.solutions_measure();
            let checker = run.measures.iter().find(|measure| measure.role == Role::Checker);
            let object = Json::build()
                .with("solution", name(run.solution))
                .with("seed", run.seed)
                .with_some("timeMs", measure.and_then(|measure| measure.time_ms))
                .with_some("memoryKb", measure.and_then(|measure| measure.memory_kb))
                .with_some("checkerTimeMs", checker.and_then(|measure| measure.time_ms));
            match &run.concluded {
                Err(failure) => object.with("failure", failure.to_json()).build(),
                Ok(judged) => {
                    let cases = &judged.result.feedback().cases;
                    object
                        .with("score", judged.result.score())
                        .with("points", &judged.points)
                        .with("cases", cases.len())
                        .with("correct", cases.iter().filter(|case| case.correct).count())
                        .with("findings", Finding::list_to_json(&judged.findings))
                        .build()
                }
            }
        });
        let solutions = self.candidates.iter().map(|candidate| {
            let summary = Summary::of(self.runs_of(candidate));
            Json::build()
                .with("solution", &candidate.name)
                .with("official", candidate.official)
                .with_some("failure", candidate.ready.as_ref().err().map(Failed::to_json))
                .with("runs", summary.judged + summary.failed)
                .with("failed", summary.failed)
                .with("full", summary.full)
                .with_some("worst", summary.worst.as_ref().map(|(score, _)| score))
                .with_some("worstSeed", summary.worst.as_ref().map(|(_, seed)| *seed))
                .with_some("mean", summary.mean.and_then(Decimal::from_f64))
                .with_some("best", summary.best.as_ref())
                .with_some("timeMs", summary.time_ms)
                .with_some("memoryKb", summary.memory_kb)
                .build()
        });
        let report = Json::build()
            .with("task", self.task.to_json())
            .with("isolation", &self.isolation)
            .with("seeds", Json::array(self.seeds.iter().copied()))
            .with("runs", Json::array(runs))
            .with("solutions", Json::array(solutions))
            .build();
        writeln!(console.out, "{report}")?;
        Ok(())
    }
}

/// Returns a solution's name as it is shown, without its folder.
fn shown(name: &str) -> String {
    let file = name.rsplit('/').next().unwrap_or(name);
    if name.starts_with("managers/") { format!("{file} (official)") } else { file.to_owned() }
}
