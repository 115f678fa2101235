//! Writes plans and evaluations as text.

use std::io::{self, Write};

use fablegrade_judgehost::config::MountSource;
use fablegrade_judgehost::{Delivery, Evaluation, Hook, Plan, Ranking, Status, Verdict};

use crate::console::{BAD, GOOD, MIXED, NAME, QUIET, plain};

/// Writes a plan: its containers, hooks, rubrics and limits.
pub(super) fn write_plan(out: &mut impl Write, plan: &Plan, deliveries: &[Delivery]) -> io::Result<()> {
    let internet = if plan.network.internal { "no internet" } else { "with internet" };
    writeln!(
        out,
        "{NAME}{}{NAME:#} {}  for {}",
        plan.problem_id,
        plain(&plan.problem_version),
        plan.submission_id
    )?;
    writeln!(out, "  network   {} ({}, {internet})", plain(&plan.network.name), plain(&plan.network.driver))?;
    for (at, container) in plan.containers.iter().enumerate() {
        let image = if container.context.is_empty() { "." } else { &container.context };
        writeln!(
            out,
            "  {NAME}{}. {}{NAME:#}  {}/{}  ·  {}  ·  {} cpu  ·  at most {} s",
            at + 1,
            container.container_id,
            plain(image),
            plain(&container.dockerfile),
            container.memory_text(),
            container.cpus_text(),
            container.lifetime
        )?;
        for wait in &container.waits {
            let condition = wait.condition.as_str();
            writeln!(out, "     waits for {} {condition}, at most {} s", wait.container_id, wait.timeout)?;
        }
        for package in &container.packages {
            let files = deliveries.iter().find(|delivery| delivery.package_id == package.package_id);
            let files = files.map_or_else(String::new, |delivery| match delivery.files.iter().count() {
                1 => " (1 file)".into(),
                count => format!(" ({count} files)"),
            });
            writeln!(
                out,
                "     gets the package {} at {}{files}",
                package.package_id,
                plain(&package.extract_path)
            )?;
        }
        for mount in &container.mounts {
            let source = match &mount.source {
                MountSource::Bind(path) => plain(path),
                MountSource::Volume(name) => format!("volume {name}").into(),
                MountSource::Tmpfs => "tmpfs".into(),
            };
            let read_only = if mount.read_only { ", read-only" } else { "" };
            writeln!(out, "     mounts {source} at {}{read_only}", plain(&mount.destination))?;
        }
        if let Some(check) = &container.health_check {
            writeln!(out, "     health check `{}`, every {} s", plain(&check.command), check.interval)?;
        }
        write_hooks(out, "     pre       ", &container.pre)?;
        if !container.stops.is_empty() {
            writeln!(out, "     its exit stops {}", container.stops.join(", "))?;
        }
    }
    for (at, group) in plan.post.iter().enumerate() {
        write_hooks(out, if at == 0 { "  post      " } else { "            " }, group)?;
    }
    if !plan.periodic.is_empty() {
        write_hooks(
            out,
            &format!("  {:<9} ", format!("every {} s", plan.periodic_interval)),
            &plan.periodic,
        )?;
    }
    if !plan.awaited.is_empty() {
        writeln!(out, "  awaited   {}, at most {} s", plan.awaited.join(", "), plan.submission_seconds)?;
    }
    for (at, (rubric, from)) in plan.rubrics.iter().enumerate() {
        writeln!(
            out,
            "  {}{rubric} from {}",
            if at == 0 { "scored    " } else { "          " },
            from.join(", else ")
        )?;
    }
    writeln!(out, "  limits    {} s per hook, {} s in total", plan.hook_seconds, plan.total_seconds)
}

fn write_hooks(out: &mut impl Write, title: &str, hooks: &[Hook]) -> io::Result<()> {
    if hooks.is_empty() {
        return Ok(());
    }
    let names: Vec<_> =
        hooks.iter().map(|hook| format!("{}:{}", hook.container_id, plain(&hook.name))).collect();
    writeln!(out, "{title}{}", names.join("  |  "))
}

/// Writes the points and verdicts of an evaluation.
pub(super) fn write_evaluation(
    out: &mut impl Write,
    evaluation: &Evaluation,
    ranking: Ranking,
) -> io::Result<()> {
    let width = |length: fn(&fablegrade_judgehost::RubricResult) -> usize, least| {
        evaluation.rubrics.iter().map(length).max().unwrap_or(0).max(least)
    };
    let name = width(|rubric| plain(&rubric.rubric_name).chars().count(), 5);
    let points = width(|rubric| format!("{} / {}", rubric.score, rubric.max_score).len(), 7);
    for rubric in &evaluation.rubrics {
        let style = style(rubric.verdict);
        write!(
            out,
            "  {:name$}  {:>points$}  {style}{:7}{style:#}",
            plain(&rubric.rubric_name),
            format!("{} / {}", rubric.score, rubric.max_score),
            rubric.verdict.as_str()
        )?;
        match &rubric.message {
            Some(message) => writeln!(out, "  {QUIET}{}{QUIET:#}", plain(message))?,
            None => writeln!(out)?,
        }
    }
    let style = style(evaluation.verdict);
    write!(out, "{style}{}{style:#}", evaluation.verdict.as_str())?;
    if let Some(scores) = &evaluation.scores {
        write!(out, "  {} / {}", scores.total, scores.max_total)?;
        write!(out, "  ·  normalized {:.2}", scores.normalized.to_f64())?;
        write!(out, "  ·  weighted {:.4}", scores.weighted.to_f64())?;
    }
    if let Some(share) = evaluation.share(ranking).filter(|_| evaluation.verdict != Verdict::Error) {
        write!(out, "  ·  score {:.4}", share.to_f64())?;
    }
    writeln!(out)?;
    if evaluation.status == Status::Failed
        && let Some(failure) = &evaluation.failure
    {
        writeln!(out, "{BAD}failed{BAD:#}  {}: {}", failure.stage.as_str(), plain(&failure.message))?;
    }
    Ok(())
}

fn style(verdict: Verdict) -> anstyle::Style {
    match verdict {
        Verdict::Pass => GOOD,
        Verdict::Partial => MIXED,
        Verdict::Fail | Verdict::Error => BAD,
        Verdict::Skip => QUIET,
    }
}
