//! The grading entry, the stored document that a grader produces.

use fablegrade_public::finding::{Error, Finding, Findings};
use fablegrade_public::json::{
    Document, Json, Object, Path, Read, Value, deserialize_document, list, string, word,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::answer::Answer;
use crate::area::{Area, Grade, Tier};
use crate::moment::Moment;
use crate::regrading::RegradingTrigger;
use crate::veto::CategoricalVeto;
use crate::word::{forms, hex8, one_line, versioned, words};

words! {
    /// The mode of an entry, full or partial.
    GradingMode {
        /// Some of the answers, with the grade of the last full entry.
        Partial = "partial",
        /// All answers, with a new grade.
        Full = "full",
    }
}

words! {
    /// The program that drove the non-deterministic evaluation, and how.
    Harness {
        /// Claude Code, with a sub-agent that has a fresh context and read-only tools.
        ClaudeCode = "claude-code",
    }
}

words! {
    /// The four generalised personas.
    BasePersona {
        /// An engineer who builds with models.
        AiEngineer = "ai-engineer",
        /// A person who decides what is bought or used.
        DecisionMaker = "decision-maker",
        /// A developer with two days to build something.
        HackathonBuilder = "hackathon-builder",
        /// A person who maintains schemas.
        SchemaMaintainer = "schema-maintainer",
    }
}

forms! {
    /// The first eight hexadecimal digits of a SHA-256 hash.
    Hash8, "^[a-f0-9]{8}$", "hash-form", "a1b2c3d4", hex8
}

forms! {
    /// The id of a schema: `<namespace>.<tool>`.
    SchemaId, "^[a-zA-Z0-9_-]+\\.[a-zA-Z0-9_-]+$", "schema-id-form", "etherscan.getBalance",
    |text| {
        let name = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        text.split_once('.').is_some_and(|(namespace, tool)| name(namespace) && name(tool))
    }
}

forms! {
    /// The id of a grading: `<schemaHash>--<timestamp>`. The schema allows any non-empty line after the `--`.
    GradingId, "^[a-f0-9]{8}--.+$", "grading-id-form", "a1b2c3d4--2026-05-29T15-34-00Z",
    |text| {
        text.get(..8).is_some_and(hex8)
            && text.get(8..).and_then(|rest| rest.strip_prefix("--")).is_some_and(one_line)
    }
}

forms! {
    /// The version of the FlowMCP specification, with the major version 4.
    SpecVersion, "^flowmcp/4\\.[0-9]+\\.[0-9]+$", "version-form", "flowmcp/4.0.0",
    |text| versioned(text, "flowmcp", Some("4"))
}

forms! {
    /// The version of the scoring system.
    ScoringSystem, "^scoringSystem/[0-9]+\\.[0-9]+\\.[0-9]+$", "version-form", "scoringSystem/1.0.0",
    |text| versioned(text, "scoringSystem", None)
}

forms! {
    /// The version of the grading system.
    GradingSystem, "^gradingSystem/[0-9]+\\.[0-9]+\\.[0-9]+$", "version-form", "gradingSystem/1.0.0",
    |text| versioned(text, "gradingSystem", None)
}

impl Hash8 {
    /// Creates a hash from a text that the caller guarantees to be eight lower-case hexadecimal digits.
    pub(crate) fn of_hex(text: &str) -> Self {
        Self(text.into())
    }
}

impl GradingId {
    /// Returns the id of a grading of this schema at this moment: `<schemaHash>--YYYY-MM-DDTHH-MM-SSZ`.
    pub fn at(schema_hash: &Hash8, moment: Moment) -> Self {
        Self(format!("{schema_hash}--{}", moment.stamp()).into())
    }

    /// Returns the hash before the two hyphens.
    pub fn schema_hash(&self) -> &str {
        self.0.get(..8).unwrap_or_default()
    }

    /// Returns the part after the two hyphens.
    pub fn tail(&self) -> &str {
        self.0.get(10..).unwrap_or_default()
    }

    /// Returns the moment, if the tail is a timestamp with seconds.
    pub fn moment(&self) -> Option<Moment> {
        Moment::of_stamp(self.tail())
    }
}

/// The grade of an entry: a letter, or `REJECTED` after a veto.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AggregateGrade {
    /// The grade after a veto; below every letter.
    Rejected,
    /// A letter.
    Letter(Grade),
}

impl AggregateGrade {
    pub(crate) const WORDS: &'static [(&'static str, Self)] = &[
        ("A", Self::Letter(Grade::A)),
        ("B", Self::Letter(Grade::B)),
        ("C", Self::Letter(Grade::C)),
        ("D", Self::Letter(Grade::D)),
        ("F", Self::Letter(Grade::F)),
        ("REJECTED", Self::Rejected),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rejected => "REJECTED",
            Self::Letter(grade) => grade.as_str(),
        }
    }
}

impl Read for AggregateGrade {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        word(Self::WORDS)(value, at, findings)
    }
}

impl std::fmt::Display for AggregateGrade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<AggregateGrade> for Json {
    fn from(grade: AggregateGrade) -> Self {
        grade.as_str().into()
    }
}

/// The persona and lens under which a persona-bound area was graded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
#[non_exhaustive]
pub struct Persona {
    /// The generalised persona.
    pub base_persona_id: BasePersona,
    /// The lens of the domain.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub lens_id: String,
}

impl Read for Persona {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let base_persona_id = object.required("basePersonaId", BasePersona::read);
        let lens_id = object.required("lensId", string(1, usize::MAX));
        object.close();
        Some(Self { base_persona_id: base_persona_id?, lens_id: lens_id? })
    }
}

impl From<&Persona> for Json {
    fn from(persona: &Persona) -> Self {
        Json::build().with("basePersonaId", persona.base_persona_id).with("lensId", &persona.lens_id).build()
    }
}

/// A grading entry: answers of one area, a veto if there is one, and the grade. A schema cannot express all rules;
/// `fablegrade flowmcp check` also checks the others about a single entry, and `flowmcp verify` those about several.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields, transform = crate::schema::entry_conditions)
)]
#[non_exhaustive]
pub struct Entry {
    /// The id of this grading.
    pub grading_id: GradingId,
    /// The graded schema.
    pub schema_id: SchemaId,
    /// The area.
    pub area: Area,
    /// The version of the FlowMCP specification.
    pub version: SpecVersion,
    /// The hash of the graded schema.
    pub schema_hash: Hash8,
    /// The hash of the About page.
    pub about_hash: Option<Hash8>,
    /// Full or partial.
    pub grading_mode: GradingMode,
    /// The tier.
    pub grading_tier: Tier,
    /// The program that drove the judgements.
    pub harness: Harness,
    /// The persona of a persona-bound area.
    pub persona: Option<Persona>,
    /// The skill of a per-skill area.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub skill_id: Option<String>,
    /// The selection of a group-bound grading.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub selection_id: Option<String>,
    /// The version of the scoring system.
    pub scoring_system: ScoringSystem,
    /// The version of the grading system.
    pub grading_system: GradingSystem,
    /// The answers, at least one.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub gradings: Vec<Answer>,
    /// The veto, or `null`.
    pub categorical_veto: Option<CategoricalVeto>,
    /// The trigger, if this entry is a re-grading.
    pub regrading_trigger: Option<RegradingTrigger>,
    /// The grade.
    pub aggregate_grade: AggregateGrade,
    /// The highest grade of the tier.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::cap"))]
    pub max_attainable_grade: Grade,
}

const CAPS: &[(&str, Grade)] = &[("A", Grade::A), ("B", Grade::B)];

impl Entry {
    /// Parses an entry.
    ///
    /// # Errors
    /// Returns a `Json` error if the text is not JSON, and a `Schema` error with all findings if it is not an
    /// entry.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Document::parse(text)?.read()
    }

    /// Returns the entry as JSON.
    pub fn to_json(&self) -> Json {
        Json::from(self)
    }

    /// Returns the id of the entry that this entry supersedes.
    pub fn supersedes(&self) -> Option<&str> {
        self.regrading_trigger.as_ref().map(|trigger| trigger.previous_grading_id.as_str())
    }

    /// Returns the time of grading: that of the id or, if it has none, that of the newest answer.
    pub fn graded_at(&self) -> Moment {
        self.grading_id.moment().unwrap_or_else(|| self.newest_answer())
    }

    /// Returns the time of the newest answer.
    pub fn newest_answer(&self) -> Moment {
        let newest = self.gradings.iter().map(|answer| Moment::of(&answer.timestamp)).max();
        // The schema requires an answer; an entry without answers counts as older than all others.
        newest.unwrap_or(Moment::MIN)
    }

    fn report_conditions(&self, at: &Path<'_>, findings: &mut Findings) {
        let mut report = |rule, field: &str, message: String, help: &str| {
            let at = if field.is_empty() { at.pointer() } else { Path::Field(at, field).pointer() };
            findings.push(Finding::error(rule, at, message, help));
        };
        if self.grading_tier == Tier::GroupBound && self.selection_id.is_none() {
            report("GRD-004", "", "a group-bound entry names its selection".into(), "add `selectionId`");
        }
        if self.max_attainable_grade != self.grading_tier.cap() {
            let (tier, cap) = (self.grading_tier, self.grading_tier.cap());
            let message = format!("the highest grade of the tier {tier} is {cap}");
            report("max-attainable-grade", "maxAttainableGrade", message, "derive it from `gradingTier`");
        }
        if self.categorical_veto.is_some() && self.aggregate_grade != AggregateGrade::Rejected {
            let message = "a veto overrides every score: the grade is REJECTED".into();
            report("veto-not-rejected", "aggregateGrade", message, "write REJECTED or withdraw the veto");
        }
        if self.area.is_persona_bound() && self.persona.is_none() {
            let message = format!("the area {} is graded under a persona", self.area);
            report("persona-missing", "", message, "add `persona` with `basePersonaId` and `lensId`");
        }
        if self.area.is_per_skill() && self.skill_id.is_none() {
            let message = format!("the area {} grades one skill", self.area);
            report("GRD-037", "", message, "add `skillId`");
        }
    }

    fn read_fields(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let grading_id = object.required("gradingId", GradingId::read);
        let schema_id = object.required("schemaId", SchemaId::read);
        let area = object.required("area", coded("GRD-033", Area::read));
        let version = object.required("version", SpecVersion::read);
        let schema_hash = object.required("schemaHash", Hash8::read);
        let about_hash = object.optional("aboutHash", Hash8::read);
        let grading_mode = object.required("gradingMode", coded("PRT-002", GradingMode::read));
        let grading_tier = object.required("gradingTier", coded("GRD-003", Tier::read));
        let harness = object.required("harness", coded("GRD-034", Harness::read));
        let persona = object.optional("persona", Persona::read);
        let skill_id = object.optional("skillId", coded("GRD-036", string(1, usize::MAX)));
        let selection_id = optional_text(&mut object, "selectionId", 1);
        let scoring_system = object.required("scoringSystem", ScoringSystem::read);
        let grading_system = object.required("gradingSystem", GradingSystem::read);
        let gradings = object.required("gradings", list(1, usize::MAX - 1, Answer::read));
        let categorical_veto = object.required("categoricalVeto", |value, at, findings| {
            if value.kind() == "null" {
                Some(None)
            } else {
                CategoricalVeto::read(value, at, findings).map(Some)
            }
        });
        let regrading_trigger = object.optional("regradingTrigger", RegradingTrigger::read);
        let aggregate_grade = object.required("aggregateGrade", AggregateGrade::read);
        let max_attainable_grade = object.required("maxAttainableGrade", word(CAPS));
        object.close();
        let entry = Self {
            grading_id: grading_id?,
            schema_id: schema_id?,
            area: area?,
            version: version?,
            schema_hash: schema_hash?,
            about_hash: about_hash?,
            grading_mode: grading_mode?,
            grading_tier: grading_tier?,
            harness: harness?,
            persona: persona?,
            skill_id: skill_id?,
            selection_id: selection_id?,
            scoring_system: scoring_system?,
            grading_system: grading_system?,
            gradings: gradings?,
            categorical_veto: categorical_veto?,
            regrading_trigger: regrading_trigger?,
            aggregate_grade: aggregate_grade?,
            max_attainable_grade: max_attainable_grade?,
        };
        entry.report_conditions(at, findings);
        Some(entry)
    }
}

impl Read for Entry {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        with_catalogue_codes(findings, |own| Self::read_fields(value, at, own))
    }
}

/// Runs a reader and replaces general rules in its findings with the codes of the FlowMCP catalogue.
pub(crate) fn with_catalogue_codes<T>(findings: &mut Findings, read: impl FnOnce(&mut Findings) -> T) -> T {
    let mut own = Findings::new();
    let result = read(&mut own);
    for mut finding in own.into_vec() {
        finding.rule = match finding.rule {
            "missing-field" => "GRD-001",
            "wrong-type" => "GRD-002",
            other => other,
        };
        findings.push(finding);
    }
    result
}

/// Replaces the rule of every finding of a reader with the catalogue's code for its field.
pub(crate) fn coded<'d, T>(
    code: &'static str,
    read: impl Fn(Value<'d>, &Path<'_>, &mut Findings) -> Option<T>,
) -> impl Fn(Value<'d>, &Path<'_>, &mut Findings) -> Option<T> {
    move |value, at, findings| {
        let mut own = Findings::new();
        let result = read(value, at, &mut own);
        for mut finding in own.into_vec() {
            finding.rule = code;
            findings.push(finding);
        }
        result
    }
}

/// Reads a required field whose absence has its own code in the catalogue.
pub(crate) fn required_or<'d, T>(
    object: &mut Object<'d, '_, '_>,
    name: &'static str,
    code: &'static str,
    read: impl FnOnce(Value<'d>, &Path<'_>, &mut Findings) -> Option<T>,
) -> Option<T> {
    if object.take(name).is_none() {
        let at = object.path().pointer();
        object.report(Finding::error(
            code,
            at,
            format!("the field `{name}` is missing"),
            format!("add `{name}`"),
        ));
        return None;
    }
    object.required(name, read)
}

/// Reads an optional text: `Some(None)` if it is absent, `None` if it is invalid.
#[allow(clippy::option_option)]
pub(crate) fn optional_text(
    object: &mut Object<'_, '_, '_>,
    name: &'static str,
    min: usize,
) -> Option<Option<String>> {
    object.optional(name, string(min, usize::MAX))
}

impl From<&Entry> for Json {
    fn from(entry: &Entry) -> Self {
        let veto = entry.categorical_veto.as_ref().map_or(Json::Null, Json::from);
        Json::build()
            .with("gradingId", &entry.grading_id)
            .with("schemaId", &entry.schema_id)
            .with("area", entry.area)
            .with("version", &entry.version)
            .with("schemaHash", &entry.schema_hash)
            .with_some("aboutHash", entry.about_hash.as_ref())
            .with("gradingMode", entry.grading_mode)
            .with("gradingTier", entry.grading_tier)
            .with("harness", entry.harness)
            .with_some("persona", entry.persona.as_ref())
            .with_some("skillId", entry.skill_id.as_ref())
            .with_some("selectionId", entry.selection_id.as_ref())
            .with("scoringSystem", &entry.scoring_system)
            .with("gradingSystem", &entry.grading_system)
            .with("gradings", Json::array(&entry.gradings))
            .with("categoricalVeto", veto)
            .with_some("regradingTrigger", entry.regrading_trigger.as_ref())
            .with("aggregateGrade", entry.aggregate_grade)
            .with("maxAttainableGrade", entry.max_attainable_grade)
            .build()
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_document(deserializer)
    }
}
