//! The categorical veto, which rejects for a reason from a closed list, independently of the scores.

use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::{Json, Object, Path, Read, Value, string};

use crate::answer::GraderIdentity;
use crate::entry::{coded, optional_text, required_or};
use crate::word::words;

words! {
    /// The reason for a veto. A new reason requires a new version of the grading system.
    VetoTrigger {
        /// An imported module does something that the tool's purpose does not need.
        MaliciousModule = "malicious-module",
        /// The tool requires an API key for another company's domain.
        ApiKeyDomainMismatch = "api-key-domain-mismatch",
        /// The content is illegal.
        IllegalContent = "illegal-content",
        /// There is a well-founded security finding that none of the other reasons covers.
        AiSecurityVeto = "ai-security-veto",
    }
}

/// A veto. It overrides every aggregation: the entry's grade is `REJECTED`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields, transform = crate::schema::veto_conditions)
)]
#[non_exhaustive]
pub struct CategoricalVeto {
    /// The reason.
    pub triggered_by: VetoTrigger,
    /// The grader who raised it.
    pub grader_identity: GraderIdentity,
    /// The evidence, as text.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub evidence: String,
    /// The time.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::date_time"))]
    pub timestamp: Instant,
    /// The reasoning; required when the trigger is `ai-security-veto`.
    pub reasoning: Option<String>,
}

impl Read for CategoricalVeto {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let triggered_by =
            required_or(&mut object, "triggeredBy", "VET-001", coded("VET-001", VetoTrigger::read));
        let grader_identity = required_or(&mut object, "graderIdentity", "VET-004", GraderIdentity::read);
        let evidence =
            required_or(&mut object, "evidence", "VET-002", coded("VET-002", string(1, usize::MAX)));
        let timestamp = object.required("timestamp", Instant::read);
        let reasoning = optional_text(&mut object, "reasoning", 0);
        if triggered_by == Some(VetoTrigger::AiSecurityVeto) && reasoning == Some(None) {
            object.report(Finding::error(
                "VET-003",
                at.pointer(),
                "a veto of the kind ai-security-veto needs evidence and reasoning",
                "add `reasoning`: what was seen and why it is dangerous",
            ));
        }
        object.close();
        Some(Self {
            triggered_by: triggered_by?,
            grader_identity: grader_identity?,
            evidence: evidence?,
            timestamp: timestamp?,
            reasoning: reasoning?,
        })
    }
}

impl From<&CategoricalVeto> for Json {
    fn from(veto: &CategoricalVeto) -> Self {
        Json::build()
            .with("triggeredBy", veto.triggered_by)
            .with("graderIdentity", &veto.grader_identity)
            .with("evidence", &veto.evidence)
            .with("timestamp", &veto.timestamp)
            .with_some("reasoning", veto.reasoning.as_ref())
            .build()
    }
}
