//! Checks of the lineage of entries: how they supersede each other, without gaps and without loops.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use fablegrade_public::finding::Finding;

use crate::entry::{Entry, Persona};
use crate::moment::Moment;
use crate::sequence::{Step, check_sequence};
use fablegrade_public::finding::Findings;

/// The properties that two entries must share if one supersedes the other.
type Subject<'e> = (&'e str, crate::area::Area, Option<&'e str>, Option<&'e str>);

fn subject(entry: &Entry) -> Subject<'_> {
    (entry.schema_id.as_str(), entry.area, entry.selection_id.as_deref(), entry.skill_id.as_deref())
}

/// Checks the entries of an archive against each other. Each finding has the index of its entry in `entries`.
///
/// Ids must be unique. Every superseded entry must exist (`GRD-006`), have the same subject, and not be
/// newer. An entry must not supersede itself, directly or indirectly. Partial entries must keep the grade of
/// the last full one (`PRT-003`, `PRT-004`). An id that is shared by entries of different subjects or personas
/// is only a warning, as is an entry that is superseded twice. The time is O(n log n), without recursion.
pub fn check_lineage(entries: &[&Entry]) -> Vec<(usize, Finding)> {
    let mut found = Vec::new();
    // The first holder of each id, and the first one among the entries of each subject and persona.
    let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_subject: BTreeMap<(&str, Subject<'_>, Option<&Persona>), usize> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let id = entry.grading_id.as_str();
        let shared = by_id.contains_key(id);
        by_id.entry(id).or_insert(index);
        match by_subject.entry((id, subject(entry), entry.persona.as_ref())) {
            Slot::Occupied(_) => found.push((
                index,
                Finding::error(
                    "duplicate-grading-id",
                    "/gradingId",
                    "another entry of the same subject has this id",
                    "ids are unique and entries are never overwritten; give the newer one its own id",
                ),
            )),
            Slot::Vacant(slot) => {
                slot.insert(index);
                if shared {
                    found.push((
                        index,
                        Finding::warning(
                            "shared-grading-id",
                            "/gradingId",
                            "an entry of another subject has this id too, so a reference to it is ambiguous",
                            "grade at different seconds",
                        ),
                    ));
                }
            }
        }
    }
    // A reference to a shared id means the entry of the same subject and persona; if there is none, an entry of the
    // same subject, and otherwise the first entry.
    let holder = |id, entry: &Entry| {
        let key = (id, subject(entry), entry.persona.as_ref());
        let same_subject = || {
            let next = by_subject.range((key.0, key.1, None)..).next();
            next.filter(|((id, subject, _), _)| (*id, *subject) == (key.0, key.1)).map(|(_, index)| index)
        };
        by_subject.get(&key).or_else(same_subject).or_else(|| by_id.get(id)).copied()
    };
    let mut heirs: BTreeMap<usize, usize> = BTreeMap::new();
    let mut previous_of: Vec<Option<usize>> = vec![None; entries.len()];
    for (index, entry) in entries.iter().enumerate() {
        let Some(previous_id) = entry.supersedes() else { continue };
        let at = "/regradingTrigger/previousGradingId";
        let Some(previous) = holder(previous_id, entry) else {
            found.push((
                index,
                Finding::error(
                    "GRD-006",
                    at,
                    "the superseded entry is not in the archive",
                    "keep superseded entries; correct the id if it is wrong",
                ),
            ));
            continue;
        };
        if let Some(slot) = previous_of.get_mut(index) {
            *slot = Some(previous);
        }
        let Some(older) = entries.get(previous) else { continue };
        if subject(older) != subject(entry) {
            found.push((
                index,
                Finding::error(
                    "lineage-subject",
                    at,
                    "the superseded entry grades another schema, area, selection or skill",
                    "supersede an entry of the same subject",
                ),
            ));
        }
        if older.graded_at() > entry.graded_at() {
            found.push((
                index,
                Finding::error(
                    "lineage-order",
                    at,
                    "the superseded entry is newer than this one",
                    "correct the ids or the timestamps",
                ),
            ));
        }
        if heirs.insert(previous, index).is_some() {
            found.push((
                index,
                Finding::warning(
                    "lineage-fork",
                    at,
                    "another entry supersedes the same one",
                    "supersede the newest entry of the lineage",
                ),
            ));
        }
    }
    report_loops(&previous_of, &mut found);
    report_sequences(entries, &mut found);
    found.sort_by(|a, b| (a.0, &a.1.pointer, a.1.rule).cmp(&(b.0, &b.1.pointer, b.1.rule)));
    found
}

/// Reports loops. Every entry has at most one predecessor, so each path ends at a root, at an earlier path or
/// in a loop.
fn report_loops(previous_of: &[Option<usize>], found: &mut Vec<(usize, Finding)>) {
    let mut walk_of: Vec<usize> = vec![0; previous_of.len()];
    for start in 0..previous_of.len() {
        let walk = start + 1;
        let mut at = Some(start);
        while let Some(index) = at {
            let Some(seen) = walk_of.get_mut(index) else { break };
            if *seen == walk {
                // Traverse the loop once to report every member.
                let mut member = index;
                loop {
                    found.push((
                        member,
                        Finding::error(
                            "lineage-loop",
                            "/regradingTrigger/previousGradingId",
                            "the lineage of this entry leads back to itself",
                            "an entry supersedes an older one; correct the id",
                        ),
                    ));
                    match previous_of.get(member).copied().flatten() {
                        Some(next) if next != index => member = next,
                        _ => break,
                    }
                }
                break;
            }
            if *seen != 0 {
                break;
            }
            *seen = walk;
            at = previous_of.get(index).copied().flatten();
        }
    }
}

/// Checks the history of every subject under every persona, in chronological order.
fn report_sequences(entries: &[&Entry], found: &mut Vec<(usize, Finding)>) {
    let mut histories: BTreeMap<_, Vec<(Moment, usize)>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let history = histories.entry((subject(entry), &entry.persona)).or_default();
        history.push((entry.graded_at(), index));
    }
    for mut history in histories.into_values() {
        history.sort_unstable();
        let steps: Vec<Step<'_>> = history
            .iter()
            .filter_map(|&(_, index)| entries.get(index))
            .map(|entry| Step::of(entry))
            .collect();
        let mut findings = Findings::new();
        check_sequence(&steps, &mut findings);
        for mut finding in findings.into_vec() {
            let mut parts = finding.pointer.splitn(3, '/').skip(1);
            let place = parts.next().and_then(|place| place.parse::<usize>().ok());
            let field = parts.next().map(|field| format!("/{field}")).unwrap_or_default();
            if let Some(&(_, index)) = place.and_then(|place| history.get(place)) {
                finding.pointer = field;
                found.push((index, finding));
            }
        }
    }
}
