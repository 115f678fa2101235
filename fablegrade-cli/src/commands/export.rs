//! `fablegrade export`: writes the questions of an item bank in the formats of other systems.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use fablegrade_core::json::Json;
use fablegrade_interchange::write::{BankItem, TARGETS, frame, write};
use fablegrade_interchange::{Effect, Format, Loss};

use crate::atomic_file::AtomicFile;
use crate::atomic_folder::AtomicFolder;
use crate::bank;
use crate::console::{Console, losses_that_change_scores, plain};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::same_file::keep_inputs;

/// Write an item bank as QTI 3.0, Moodle XML or GIFT
///
/// Each question is read back after it is written. A question that differs has at least one loss, and every difference
/// in scores is reported. QTI is written as a folder with a manifest and one file per question; the other formats as a
/// single file. The exit code is 1 if a line of the bank is invalid (nothing is written then) or, with `--strict`, if a
/// loss changes scores or a question cannot be written.
#[derive(Args)]
pub(crate) struct Command {
    /// Item bank: JSON Lines of `{item, spec, title?, prompt?}`
    bank: PathBuf,
    /// Format to write: `qti3`, `moodle-xml` or `gift`
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Format,
    /// File to write; a folder for QTI
    #[arg(long, short, value_name = "PATH")]
    out: PathBuf,
    /// Write the losses of each question as JSON Lines
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Replace an existing file. In an existing folder, replace the files of an earlier export and files with the same
    /// names
    #[arg(long)]
    overwrite: bool,
    /// Fail on a loss that changes scores
    #[arg(long)]
    strict: bool,
}

fn target(name: &str) -> Result<Format, String> {
    Format::from_name(name).filter(|format| TARGETS.contains(format)).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|format| format.as_str()).collect();
        format!("unknown format for export; use one of: {}", names.join(", "))
    })
}

/// The destination of the questions.
enum Output {
    File(AtomicFile),
    Folder(AtomicFolder, Names),
}

/// The manifest of a folder.
const MANIFEST: &str = "imsmanifest.xml";
/// The maximum size of the manifest of an earlier export, in bytes.
const MANIFEST_LIMIT: u64 = 64 << 20;

/// The names of the files in a folder.
#[derive(Default)]
struct Names {
    written: BTreeSet<String>,
    /// The names in lower case, since some file systems ignore case.
    taken: HashSet<String>,
    /// The next number to try for each clean id in lower case.
    next: HashMap<String, usize>,
}

impl Names {
    fn new() -> Self {
        Self { taken: HashSet::from([MANIFEST.to_owned()]), ..Self::default() }
    }

    /// Returns a unique file name for an item.
    fn enter(&mut self, id: &str) -> String {
        let allowed = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
        let clean: String = id.chars().map(allowed).take(80).collect();
        let mut name = format!("{clean}.xml");
        let next = self.next.entry(clean.to_ascii_lowercase()).or_insert(2);
        while !self.taken.insert(name.to_ascii_lowercase()) {
            name = format!("{clean}_{next}.xml");
            *next += 1;
        }
        self.written.insert(name.clone());
        name
    }

    fn contains(&self, name: &str) -> bool {
        self.taken.contains(&name.to_ascii_lowercase())
    }
}

impl Output {
    fn put(&mut self, id: &str, text: &str) -> Result<(), Failure> {
        match self {
            Self::File(file) => file.put(text),
            Self::Folder(folder, names) => {
                let name = names.enter(id);
                folder.put(&name, text)
            }
        }
    }
}

/// The counts of an export.
#[derive(Default)]
struct Counts {
    written: u64,
    not_expressible: u64,
    changed: u64,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let occupied = match fs::read_dir(&self.out) {
            Ok(mut entries) => entries.next().is_some(),
            Err(_) => fs::metadata(&self.out).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0),
        };
        if occupied && !self.overwrite {
            let message = format!("{} exists; replace it with --overwrite", self.out.display());
            return Err(Failure::Usage(message));
        }
        let outputs = [self.out.as_path()].into_iter().chain(self.report.as_deref());
        keep_inputs(outputs, [self.bank.as_path()], |_| false)?;
        let mut report = self.report.as_deref().map(AtomicFile::create).transpose()?;
        let mut output = if self.to == Format::Qti3 {
            Output::Folder(AtomicFolder::create(&self.out)?, Names::new())
        } else {
            Output::File(AtomicFile::create(&self.out)?)
        };
        let (head, tail) = frame(self.to);
        if let Output::File(file) = &mut output {
            file.put(head)?;
        }
        let (mut counts, mut refused, mut failure) = (Counts::default(), Vec::new(), None);
        bank::each_line(&self.bank, None, &mut refused, &mut |_, line| {
            let item = BankItem::from_json(&Json::parse(line)?)?;
            if failure.is_none() {
                let outcome = self.question(&item, &mut output, report.as_mut(), &mut counts, console);
                failure = outcome.err();
            }
            Ok(())
        })?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if !refused.is_empty() {
            return Err(Failure::Invalid(refused));
        }
        match output {
            Output::File(mut file) => {
                file.put(tail)?;
                file.finish()?;
            }
            Output::Folder(mut folder, names) => {
                // Otherwise, the questions of an earlier export would still be in the folder, and be imported.
                let before = input::read_up_to(&self.out.join(MANIFEST), MANIFEST_LIMIT).unwrap_or_default();
                for name in exported(&before).filter(|name| !names.contains(name)) {
                    folder.remove(name);
                }
                folder.put(MANIFEST, &manifest(&names.written))?;
                folder.finish()?;
            }
        }
        report.map_or(Ok(()), AtomicFile::finish)?;
        let Counts { written, not_expressible, changed } = counts;
        let losses = losses_that_change_scores(changed);
        let text = format!("{written} written, {not_expressible} not expressible, {losses}");
        writeln!(console.out, "{}", plain(&text))?;
        Ok(if self.strict && changed > 0 { Exit::Negative } else { Exit::Done })
    }

    fn question(
        &self,
        item: &BankItem,
        output: &mut Output,
        report: Option<&mut AtomicFile>,
        counts: &mut Counts,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let losses = match write(item, self.to) {
            Ok(question) => {
                counts.written += 1;
                output.put(&item.id, &question.text)?;
                question.losses
            }
            Err(loss) => {
                counts.not_expressible += 1;
                console.note(&format!("{}: not written: {}", item.id, loss.message));
                vec![loss]
            }
        };
        counts.changed += losses.iter().filter(|loss| loss.effect == Effect::ChangesScore).count() as u64;
        let Some(report) = report else { return Ok(()) };
        let line = Json::build()
            .with("item", &item.id)
            .with("loss", Json::array(losses.iter().map(Loss::to_json)))
            .build();
        report.put(&(line.to_canonical() + "\n"))
    }
}

/// Returns the files that a manifest of [`manifest`] names; none for the manifest of another program.
fn exported(manifest: &[u8]) -> impl Iterator<Item = &str> {
    let lines = std::str::from_utf8(manifest).unwrap_or_default().lines();
    lines.filter_map(|line| {
        let rest = line.strip_prefix("    <resource identifier=\"item-")?;
        let (_, rest) = rest.split_once("\" type=\"imsqti_item_xmlv3p0\" href=\"")?;
        let (name, rest) = rest.split_once("\"><file href=\"")?;
        let stem = name.strip_suffix(".xml")?;
        let is_ours = rest.strip_prefix(name) == Some("\"/></resource>")
            && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        is_ours.then_some(name)
    })
}

fn manifest(names: &BTreeSet<String>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <manifest xmlns=\"http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1\" identifier=\"bank\">\n\
         \x20 <metadata><schema>QTI Item Bank</schema><schemaversion>3.0.0</schemaversion></metadata>\n\
         \x20 <organizations/>\n  <resources>\n",
    );
    for (number, name) in names.iter().enumerate() {
        let number = number + 1;
        out.push_str(&format!(
            "    <resource identifier=\"item-{number}\" type=\"imsqti_item_xmlv3p0\" href=\"{name}\"><file href=\"{name}\"/></resource>\n"
        ));
    }
    out.push_str("  </resources>\n</manifest>\n");
    out
}
