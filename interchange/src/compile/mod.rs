//! Conversion of items to specs.
//!
//! An item with one part becomes one spec. An item with 2 to 50 parts becomes one `blanks` widget if each part can be a
//! blank. Any other item becomes one weighted spec per part. If a part cannot be expressed, the item has no spec. Every
//! spec is compiled by the core before it is used.

mod answers;
mod arrangements;
mod bounds;
mod parts;
mod programs;
mod shape;

use std::sync::OnceLock;

use fablegrade_core::{Grader, Host};
use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

pub(crate) use answers::typed_number;
pub use answers::{Response, ResponseGrader, Responses};
pub(crate) use shape::Shape;

use self::bounds::Changed;
use crate::format::Format;
use crate::ids::IdMap;
use crate::item::{Combine, Item, Part};
use crate::loss::{Exactness, Loss};

/// An item with the specs that were made from it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Question {
    /// The format that it was read from.
    pub format: Format,
    /// The file that it was read from.
    pub file: String,
    /// The item, without texts that are too long for a line of a bank.
    pub item: Item,
    /// One spec for the whole question or one per part; empty if the question cannot be graded.
    pub specs: Vec<PartSpec>,
    /// The exactness of the specs.
    pub exactness: Exactness,
    /// The losses of reading and compiling.
    pub losses: Vec<Loss>,
    /// The identifiers that had to be changed.
    pub ids: Vec<ChangedId>,
}

/// The spec of a question or of one of its parts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PartSpec {
    /// The identifier of the part in the source, or of the first part if the spec represents several.
    pub id: String,
    /// The question of this part, beyond the prompt of the item.
    pub prompt: String,
    /// Its weight among the parts.
    pub weight: Ratio,
    /// The spec as a document, with its key.
    pub spec: Json,
    /// The conversion of the source's responses to submissions.
    pub(crate) shape: Shape,
}

/// An identifier of the source and the new id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedId {
    /// The identifier of the part.
    pub part: String,
    /// The identifier in the source.
    pub from: String,
    /// The new id.
    pub to: String,
}

/// A compiled part: its spec, the shape of its submissions, its losses and its ids.
pub(crate) struct Compiled {
    spec: Json,
    shape: Shape,
    losses: Vec<Loss>,
    ids: IdMap,
}

/// Returns an option or item with its displayed content.
pub(crate) fn shown(id: &str, content: &str) -> Json {
    Json::build().with("id", id).with("content", content).build()
}

/// Returns a host with the standard validators, created once.
fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(fablegrade_validators::standard)
}

/// The specs of an item under construction.
struct Assembly<'i> {
    item: &'i Item,
    specs: Vec<PartSpec>,
    /// The total size of the specs as JSON.
    size: usize,
    graders: Vec<Grader>,
    losses: Vec<Loss>,
    ids: Changed,
}

impl Assembly<'_> {
    /// Adds a spec; if it is too large or the core rejects it, adds losses instead.
    fn enter(&mut self, compiled: Compiled, part: &Part, prompt: &str, weight: Ratio) {
        self.losses.extend(compiled.losses);
        let text = compiled.spec.to_canonical();
        self.size = self.size.saturating_add(text.len()).saturating_add(bounds::ENTRY);
        if self.size > bounds::SPECS {
            let message = format!("the specs have more than {} MiB", bounds::SPECS >> 20);
            self.losses.push(Loss::score(
                self.item.place.clone(),
                "too-large",
                message,
                "divide the question",
            ));
            return;
        }
        match Grader::from_json_with(&text, host()) {
            Ok(grader) => self.graders.push(grader),
            Err(error) => {
                for finding in error.findings().iter().take(5) {
                    let message = format!("the spec is refused at {}: {}", finding.pointer, finding.message);
                    self.losses.push(Loss::score(
                        part.place.clone(),
                        finding.rule,
                        message,
                        finding.help.clone(),
                    ));
                }
                return;
            }
        }
        for (from, to) in compiled.ids.changed() {
            self.ids.add(&part.id, from, to);
        }
        self.specs.push(PartSpec {
            id: part.id.clone(),
            prompt: prompt.to_owned(),
            weight,
            spec: compiled.spec,
            shape: compiled.shape,
        });
    }
}

impl Question {
    /// Compiles an item.
    pub fn compile(format: Format, file: &str, item: Item) -> Self {
        Self::compile_graded(format, file, item).0
    }

    /// Compiles an item and returns the question with a grader per spec.
    pub(crate) fn compile_graded(format: Format, file: &str, mut item: Item) -> (Self, Vec<Grader>) {
        bounds::shorten_ids(&mut item);
        bounds::shorten(&mut item);
        let losses = item.losses.clone();
        let mut made = Assembly {
            item: &item,
            specs: Vec::new(),
            size: 0,
            graders: Vec::new(),
            losses,
            ids: Changed::new(),
        };
        let mut expressible = !item.parts.is_empty();
        if item.parts.len() > 1
            && let Some(compiled) = parts::together(&item)
        {
            made.enter(compiled, &item.parts[0], "", Ratio::one());
            expressible = !made.specs.is_empty();
        } else {
            for part in &item.parts {
                let before = made.specs.len();
                match parts::alone(part) {
                    Ok(compiled) => made.enter(compiled, part, &part.prompt, part.weight.clone()),
                    Err(loss) => made.losses.push(loss),
                }
                expressible &= made.specs.len() > before;
            }
        }
        let Assembly { mut specs, mut graders, mut losses, ids, .. } = made;
        if !expressible {
            specs.clear();
            graders.clear();
            if losses.is_empty() {
                losses.push(Loss::score(
                    item.place.clone(),
                    "nothing-to-grade",
                    "nothing in this item can be graded",
                    "use it as text",
                ));
            }
        }
        let ids = ids.list(&item.place, &mut losses);
        let exactness = Exactness::of(expressible, &losses);
        bounds::fewer(&mut losses);
        (Self { format, file: file.to_owned(), item, specs, exactness, losses, ids }, graders)
    }

    /// Returns whether one spec represents the whole question.
    pub fn is_single(&self) -> bool {
        self.specs.len() == 1
    }

    /// Returns the question as a line of a bank: `{item, title, format, file, line?, exactness, prompt, spec? | parts?,
    /// partPrompt?, combine?, maxScore?, loss, ids, feedback?, media?, metadata?}`.
    pub fn to_json(&self) -> Json {
        let item = &self.item;
        let mut line = Json::build()
            .with("item", &item.id)
            .with("title", &item.title)
            .with("format", self.format.as_str())
            .with("file", &self.file)
            .with("exactness", self.exactness.as_str())
            .with("prompt", &item.prompt)
            .with("loss", Json::array(self.losses.iter().map(Loss::to_json)))
            .with("ids", self.ids_to_json())
            .with_some("maxScore", item.max_score.as_ref().map(ratio_json));
        if item.place.line > 0 {
            line = line.with("line", item.place.line);
        }
        line = match self.specs.as_slice() {
            [] => line,
            [only] => {
                let prompt = (!only.prompt.is_empty()).then_some(&only.prompt);
                line.with("spec", &only.spec).with_some("partPrompt", prompt)
            }
            several => {
                let combine = match item.combine {
                    Combine::Sum => "sum",
                    Combine::All => "all",
                };
                line.with("combine", combine).with(
                    "parts",
                    Json::array(several.iter().map(|part| {
                        Json::build()
                            .with("id", &part.id)
                            .with("prompt", &part.prompt)
                            .with("weight", ratio_json(&part.weight))
                            .with("spec", &part.spec)
                            .build()
                    })),
                )
            }
        };
        if !item.feedback.is_empty() {
            let all = item
                .feedback
                .iter()
                .map(|one| Json::build().with("when", &one.when).with("content", &one.content).build());
            line = line.with("feedback", Json::array(all));
        }
        if !item.media.is_empty() {
            let all = item.media.iter().map(|one| {
                Json::build().with("href", &one.href).with_some("file", one.file.as_ref()).build()
            });
            line = line.with("media", Json::array(all));
        }
        if !item.metadata.is_empty() {
            let all = item
                .metadata
                .iter()
                .map(|(name, value)| Json::build().with("name", name).with("value", value).build());
            line = line.with("metadata", Json::array(all));
        }
        line.build()
    }

    /// Returns the id of a spec in an item bank: the question's id, or `QUESTION/PART`.
    pub fn bank_id(&self, part: &PartSpec) -> String {
        if self.is_single() { self.item.id.clone() } else { format!("{}/{}", self.item.id, part.id) }
    }

    /// Returns the lines `{item, spec, ...}` of an item bank: one, or one per part with `of`, `part` and `weight`.
    ///
    /// There are none if the question cannot be graded.
    pub fn bank_lines(&self) -> Vec<Json> {
        if self.specs.len() < 2 {
            return self.specs.iter().map(|_| self.to_json()).collect();
        }
        let line = |part: &PartSpec| {
            Json::build()
                .with("item", self.bank_id(part))
                .with("title", &self.item.title)
                .with("format", self.format.as_str())
                .with("file", &self.file)
                .with("of", &self.item.id)
                .with("part", &part.id)
                .with("weight", ratio_json(&part.weight))
                .with("combine", if self.item.combine == Combine::All { "all" } else { "sum" })
                .with("exactness", self.exactness.as_str())
                .with("prompt", format!("{}\n\n{}", self.item.prompt, part.prompt).trim().to_owned())
                .with("spec", &part.spec)
                .build()
        };
        self.specs.iter().map(line).collect()
    }

    /// Returns the lint findings about the specs.
    ///
    /// The source system accepts some questions that Fablegrade's linter rejects; the help of each error mentions this.
    pub fn lint(&self) -> Vec<fablegrade_public::Finding> {
        let host = host();
        let mut all = Vec::new();
        for (index, part) in self.specs.iter().enumerate() {
            let prefix = if self.is_single() { "/spec".to_owned() } else { format!("/parts/{index}/spec") };
            for finding in fablegrade_core::lint_json_with(part.spec.to_canonical(), host) {
                let mut finding = finding.within(&prefix);
                if finding.severity == fablegrade_public::Severity::Error {
                    finding.help = format!("{} accepts this; here: {}", self.format, finding.help);
                }
                all.push(finding);
            }
        }
        all
    }

    fn ids_to_json(&self) -> Json {
        Json::array(self.ids.iter().map(|changed| {
            Json::build()
                .with("part", &changed.part)
                .with("from", &changed.from)
                .with("to", &changed.to)
                .build()
        }))
    }
}

/// Returns a share as JSON: an integer, or a fraction as text.
pub(crate) fn ratio_json(ratio: &Ratio) -> Json {
    let text = ratio.to_fraction_text();
    match text.parse::<i64>() {
        Ok(whole) => Json::from(whole),
        Err(_) => Json::from(text),
    }
}
