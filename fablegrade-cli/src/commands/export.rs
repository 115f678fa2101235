//! `fablegrade export`: questions of an item bank in formats of other systems.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use fablegrade_core::json::Json;
use fablegrade_interchange::write::{BankItem, TARGETS, frame, write};
use fablegrade_interchange::{Effect, Format, Loss};

use crate::console::{Console, plain};
use crate::exit::{Exit, Failure};

/// Write an item bank as QTI 3.0, Moodle XML or GIFT
///
/// What is written is read back: a question that would become another one has a loss that says so. QTI is a folder with a
/// manifest and a file for each question; the others are one file. The exit code is 1 under `--strict` when a loss changes
/// scores or a question cannot be written.
#[derive(Args)]
pub(crate) struct Command {
    /// Item bank: JSON Lines of `{item, spec, title, prompt}`
    bank: PathBuf,
    /// Format to write: `qti3`, `moodle-xml` or `gift`
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Format,
    /// File to write; for QTI a folder
    #[arg(long, short, value_name = "PATH")]
    out: PathBuf,
    /// Write the losses of each question as JSON Lines
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Replace what is there
    #[arg(long)]
    overwrite: bool,
    /// Fail on a loss that changes scores
    #[arg(long)]
    strict: bool,
}

fn target(name: &str) -> Result<Format, String> {
    Format::from_name(name).filter(|format| TARGETS.contains(format)).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|format| format.as_str()).collect();
        format!("not a format that is written; one of: {}", names.join(", "))
    })
}

fn writer(path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path)
        .map(BufWriter::new)
        .map_err(|error| Failure::Io(format!("cannot write {}", path.display()), error))
}

/// Where questions go.
enum Output {
    File(BufWriter<File>),
    Folder(PathBuf, BTreeSet<String>),
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let failed = |path: &Path, error| Failure::Io(format!("cannot write {}", path.display()), error);
        let occupied = match fs::read_dir(&self.out) {
            Ok(mut entries) => entries.next().is_some(),
            Err(_) => fs::metadata(&self.out).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0),
        };
        if occupied && !self.overwrite {
            let message = format!("{} exists; replace it with --overwrite", self.out.display());
            return Err(Failure::Usage(message));
        }
        let name = self.bank.display().to_string();
        let reading = |error| Failure::Io(format!("cannot read {name}"), error);
        let bank = BufReader::new(File::open(&self.bank).map_err(reading)?);
        let mut report = self.report.as_deref().map(writer).transpose()?;
        let mut output = if self.to == Format::Qti3 {
            fs::create_dir_all(&self.out).map_err(|error| failed(&self.out, error))?;
            Output::Folder(self.out.clone(), BTreeSet::new())
        } else {
            Output::File(writer(&self.out)?)
        };
        let (head, tail) = frame(self.to);
        if let Output::File(file) = &mut output {
            file.write_all(head.as_bytes()).map_err(|error| failed(&self.out, error))?;
        }
        let (mut written, mut skipped, mut changed) = (0u64, 0u64, 0u64);
        for (number, line) in bank.lines().enumerate() {
            let line = line.map_err(reading)?;
            if line.trim().is_empty() {
                continue;
            }
            let place = || format!("{name} line {}", number + 1);
            let line = Json::parse(line.as_bytes()).map_err(|error| Failure::refused(place(), error))?;
            let item = BankItem::from_json(&line).map_err(|error| Failure::refused(place(), error))?;
            let losses = match write(&item, self.to) {
                Ok(question) => {
                    written += 1;
                    put(&mut output, &item.id, &question.text).map_err(|error| failed(&self.out, error))?;
                    question.losses
                }
                Err(loss) => {
                    skipped += 1;
                    console.note(&format!("{}: not written: {}", item.id, loss.message));
                    vec![loss]
                }
            };
            changed += losses.iter().filter(|loss| loss.effect == Effect::ChangesScore).count() as u64;
            if let (Some(report), Some(path)) = (&mut report, &self.report) {
                let line = Json::build()
                    .with("item", &item.id)
                    .with("loss", Json::array(losses.iter().map(Loss::to_json)))
                    .build();
                writeln!(report, "{}", line.to_canonical()).map_err(|error| failed(path, error))?;
            }
        }
        match output {
            Output::File(mut file) => {
                file.write_all(tail.as_bytes())
                    .and_then(|()| file.flush())
                    .map_err(|error| failed(&self.out, error))?;
            }
            Output::Folder(folder, names) => {
                let path = folder.join("imsmanifest.xml");
                fs::write(&path, manifest(&names)).map_err(|error| failed(&path, error))?;
            }
        }
        if let (Some(mut report), Some(path)) = (report, &self.report) {
            report.flush().map_err(|error| failed(path, error))?;
        }
        let text = format!("{written} written, {skipped} not expressible, {changed} losses change scores");
        writeln!(console.out, "{}", plain(&text))?;
        Ok(if self.strict && changed > 0 { Exit::Refused } else { Exit::Done })
    }
}

fn put(output: &mut Output, id: &str, text: &str) -> std::io::Result<()> {
    match output {
        Output::File(file) => file.write_all(text.as_bytes()),
        Output::Folder(folder, names) => {
            let clean: String = id
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' })
                .take(80)
                .collect();
            let mut name = format!("{clean}.xml");
            let mut number = 2usize;
            while !names.insert(name.clone()) {
                name = format!("{clean}_{number}.xml");
                number += 1;
            }
            fs::write(folder.join(name), text)
        }
    }
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
