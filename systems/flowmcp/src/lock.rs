//! The lock of a selection, which records the version and status of each member.
//!
//! The lock determines whether the selection can be graded, and its maximum grade.
//!
//! ```
//! use fablegrade_flowmcp::area::{Area, Grade};
//! use fablegrade_flowmcp::lock::{LockSnapshot, MemberThreshold};
//!
//! let lock = LockSnapshot::from_json(
//!     br#"{"selectionId":"crypto","selectionVersion":"1.0.0","selectionHash":"a1b2c3d4","generatedAt":"2026-05-29T10:00:00Z",
//!         "members":[{"schemaId":"etherscan.prices","schemaVersion":"flowmcp/4.0.0","schemaHash":"0badcafe",
//!                     "gradingStatus":"graded","override":null}]}"#,
//! )?;
//! assert_eq!(lock.preconditions(Area::SelectionAggregate)[0].rule, "PRE-004"); // a member that is not stable
//! assert!(lock.preconditions(Area::SingleTest).is_empty()); // no preconditions
//! assert_eq!(MemberThreshold::of(5), MemberThreshold::CappedAt(Grade::B));
//! # Ok::<(), fablegrade_public::finding::Error>(())
//! ```

use std::collections::BTreeSet;

use fablegrade_public::finding::{Error, Finding, Findings, Severity};
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::{Document, Json, Object, Path, Read, Value, list, string};

use crate::area::{Area, Grade, Tier};
use crate::entry::{AggregateGrade, Hash8, SchemaId, coded};
use crate::sequence::NodeStatus;

/// The minimum number of members for a selection to be graded.
pub const FEWEST_MEMBERS: usize = 5;
/// The minimum number of members for a selection to earn an A.
pub const MEMBERS_FOR_A: usize = 7;

/// The maximum grade of a selection, by the number of its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberThreshold {
    /// The selection has fewer than [`FEWEST_MEMBERS`] members, so it has no grade.
    NotGraded,
    /// The selection has fewer than [`MEMBERS_FOR_A`] members, so it has at most this grade.
    CappedAt(Grade),
    /// The number of members does not limit the grade.
    Open,
}

impl MemberThreshold {
    /// Returns the threshold for this number of members.
    pub const fn of(members: usize) -> Self {
        if members < FEWEST_MEMBERS {
            Self::NotGraded
        } else if members < MEMBERS_FOR_A {
            Self::CappedAt(Grade::B)
        } else {
            Self::Open
        }
    }

    /// Limits a grade, or returns `None` for a letter if the selection is not graded. Keeps `REJECTED`.
    pub fn trim(self, grade: AggregateGrade) -> Option<AggregateGrade> {
        match (self, grade) {
            (_, AggregateGrade::Rejected) | (Self::Open, _) => Some(grade),
            (Self::NotGraded, AggregateGrade::Letter(_)) => None,
            (Self::CappedAt(cap), AggregateGrade::Letter(letter)) => {
                Some(AggregateGrade::Letter(letter.min(cap)))
            }
        }
    }
}

/// The lock of a selection, as stored in the selection's index. It is written once and never changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LockSnapshot {
    /// The id of the selection.
    pub selection_id: String,
    /// The version of the selection.
    pub selection_version: String,
    /// The hash of the selection's definition.
    pub selection_hash: Hash8,
    /// The time at which the lock was created.
    pub generated_at: Instant,
    /// The schemas of the selection.
    pub members: Vec<LockedMember>,
}

/// One schema of a selection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LockedMember {
    /// The id of the schema.
    pub schema_id: SchemaId,
    /// The version of the schema.
    pub schema_version: String,
    /// The hash of the schema.
    pub schema_hash: Hash8,
    /// The status when the lock was created.
    pub grading_status: NodeStatus,
    /// The values that replace those of the schema within the selection.
    pub overridden: Option<MemberOverride>,
}

/// The values of a schema that a selection can replace: its name and its description.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MemberOverride {
    /// The replacement for the name.
    pub name: Option<String>,
    /// The replacement for the description.
    pub description: Option<String>,
}

impl LockSnapshot {
    /// Creates a lock without members.
    pub fn new(
        selection_id: impl Into<String>,
        selection_version: impl Into<String>,
        selection_hash: Hash8,
        generated_at: Instant,
    ) -> Self {
        Self {
            selection_id: selection_id.into(),
            selection_version: selection_version.into(),
            selection_hash,
            generated_at,
            members: Vec::new(),
        }
    }

    /// Adds a member.
    #[must_use]
    pub fn with_member(
        mut self,
        schema_id: SchemaId,
        schema_version: impl Into<String>,
        schema_hash: Hash8,
        grading_status: NodeStatus,
    ) -> Self {
        let schema_version = schema_version.into();
        let member =
            LockedMember { schema_id, schema_version, schema_hash, grading_status, overridden: None };
        self.members.push(member);
        self
    }

    /// Parses a lock.
    ///
    /// # Errors
    /// Returns a `Json` error if the text is not JSON, and a `Schema` error with all findings if it is not a
    /// lock. These include an unknown status (`LCK-005`), an override of another field, and a duplicate
    /// member.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Document::parse(text)?.read()
    }

    /// Checks the preconditions for grading `area`; an error means that it cannot be graded.
    ///
    /// There are preconditions only for group-bound areas and the About page of a namespace. Every member
    /// must be stable (`PRE-004`). A lock without members passes with a warning (`PRE-WARN-001`). Pointers
    /// are relative to the lock.
    pub fn preconditions(&self, area: Area) -> Vec<Finding> {
        if area.tier() != Tier::GroupBound && area != Area::AboutNamespace {
            return Vec::new();
        }
        if self.members.is_empty() {
            return vec![Finding::warning(
                "PRE-WARN-001",
                "/members",
                "the lock has no members, so nothing was checked",
                "lock the members of the selection first",
            )];
        }
        let unstable = |(index, member): (usize, &LockedMember)| {
            (member.grading_status != NodeStatus::Stable).then(|| {
                Finding::error(
                    "PRE-004",
                    format!("/members/{index}/gradingStatus"),
                    format!(
                        "the member is {}, and only stable members can be built upon",
                        member.grading_status
                    ),
                    "grade the member until it is stable, then lock again",
                )
            })
        };
        self.members.iter().enumerate().filter_map(unstable).collect()
    }

    /// Returns whether `area` can be graded.
    pub fn allows(&self, area: Area) -> bool {
        self.preconditions(area).iter().all(|finding| finding.severity != Severity::Error)
    }

    /// Returns the maximum grade of the selection, by the number of its members.
    pub fn threshold(&self) -> MemberThreshold {
        MemberThreshold::of(self.members.len())
    }

    /// Returns whether the lock belongs to the selection of an index.
    pub fn belongs_to(&self, index: &Json) -> bool {
        index.get("selectionId").and_then(Json::as_str) == Some(self.selection_id.as_str())
    }

    /// Returns the number of stable members.
    pub fn stable_members(&self) -> usize {
        self.members.iter().filter(|member| member.grading_status == NodeStatus::Stable).count()
    }
}

impl Read for LockSnapshot {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let selection_id = object.required("selectionId", string(1, usize::MAX));
        let selection_version = object.required("selectionVersion", string(1, usize::MAX));
        let selection_hash = object.required("selectionHash", Hash8::read);
        let generated_at = object.required("generatedAt", Instant::read);
        let members = object.required("members", list(0, usize::MAX - 1, LockedMember::read));
        if let Some(members) = &members {
            let mut seen = BTreeSet::new();
            for (index, member) in members.iter().enumerate() {
                if !seen.insert(&member.schema_id) {
                    let list = Path::Field(at, "members");
                    object.report(Finding::error(
                        "lock-member-twice",
                        Path::Field(&Path::Element(&list, index), "schemaId").pointer(),
                        "the schema is already a member",
                        "lock each schema once",
                    ));
                }
            }
        }
        object.close();
        Some(Self {
            selection_id: selection_id?,
            selection_version: selection_version?,
            selection_hash: selection_hash?,
            generated_at: generated_at?,
            members: members?,
        })
    }
}

impl Read for LockedMember {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let schema_id = object.required("schemaId", SchemaId::read);
        let schema_version = object.required("schemaVersion", string(1, usize::MAX));
        let schema_hash = object.required("schemaHash", Hash8::read);
        let grading_status = object.required("gradingStatus", coded("LCK-005", NodeStatus::read));
        let overridden = object.required("override", |value, at, findings| {
            if value.kind() == "null" {
                Some(None)
            } else {
                MemberOverride::read(value, at, findings).map(Some)
            }
        });
        object.close();
        Some(Self {
            schema_id: schema_id?,
            schema_version: schema_version?,
            schema_hash: schema_hash?,
            grading_status: grading_status?,
            overridden: overridden?,
        })
    }
}

impl Read for MemberOverride {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let name = object.optional("name", string(1, usize::MAX));
        let description = object.optional("description", string(1, usize::MAX));
        object.close();
        Some(Self { name: name?, description: description? })
    }
}

impl From<&LockSnapshot> for Json {
    fn from(lock: &LockSnapshot) -> Self {
        Json::build()
            .with("selectionId", &lock.selection_id)
            .with("selectionVersion", &lock.selection_version)
            .with("selectionHash", &lock.selection_hash)
            .with("generatedAt", &lock.generated_at)
            .with("members", Json::array(&lock.members))
            .build()
    }
}

impl From<&LockedMember> for Json {
    fn from(member: &LockedMember) -> Self {
        Json::build()
            .with("schemaId", &member.schema_id)
            .with("schemaVersion", &member.schema_version)
            .with("schemaHash", &member.schema_hash)
            .with("gradingStatus", member.grading_status)
            .with("override", member.overridden.as_ref().map_or(Json::Null, Json::from))
            .build()
    }
}

impl From<&MemberOverride> for Json {
    fn from(overridden: &MemberOverride) -> Self {
        Json::build()
            .with_some("name", overridden.name.as_ref())
            .with_some("description", overridden.description.as_ref())
            .build()
    }
}

/// Returns the lock in an index, if there is one.
///
/// # Errors
/// Returns the findings about an invalid lock, with pointers relative to the index.
pub fn stored_lock(index: &Json) -> Result<Option<LockSnapshot>, Error> {
    match index.get("lockSnapshot") {
        None | Some(Json::Null) => Ok(None),
        Some(lock) => LockSnapshot::from_json(lock.to_canonical().as_bytes())
            .map(Some)
            .map_err(|error| error.within("/lockSnapshot")),
    }
}
