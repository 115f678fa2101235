//! The eleven areas, their tiers and the catalogue of their questions.

use fablegrade_public::decimal::Decimal;

use crate::answer::Determinism;
use crate::word::words;

words! {
    /// The subject of a grading entry. A new area requires a new version of the grading system.
    Area {
        /// One tool.
        SingleTest = "single-test",
        /// The tools of one schema.
        ToolsAggregateSchema = "tools-aggregate-schema",
        /// The tools of a namespace.
        ToolsAggregateNamespace = "tools-aggregate-namespace",
        /// The metadata of a namespace.
        NamespaceDescription = "namespace-description",
        /// One skill of a namespace.
        NamespaceSkills = "namespace-skills",
        /// The About resource of a namespace.
        AboutNamespace = "about-namespace",
        /// The About resource of a selection, which is its domain knowledge.
        AboutSelection = "about-selection",
        /// One skill of level 1.
        SelectionSkillsL1 = "selection-skills-L1",
        /// One skill of level 2.
        SelectionSkillsL2 = "selection-skills-L2",
        /// One skill of level 3.
        SelectionSkillsL3 = "selection-skills-L3",
        /// A selection as a whole.
        SelectionAggregate = "selection-aggregate",
    }
}

words! {
    /// The tier of a grading, which limits its grade: B for autonomous gradings, A for group-bound ones.
    Tier {
        /// Graded on the provider's side, without a group.
        Autonomous = "autonomous",
        /// Graded within a selection.
        GroupBound = "group-bound",
    }
}

words! {
    /// A grade letter; `F` is the lowest.
    Grade {
        /// The lowest grade.
        F = "F",
        /// The second lowest grade.
        D = "D",
        /// The middle grade.
        C = "C",
        /// The highest grade of an autonomous grading.
        B = "B",
        /// The highest grade, which only group-bound gradings can reach.
        A = "A",
    }
}

words! {
    /// The kind of score that a question expects.
    Scale {
        /// `pass` or `fail`.
        Binary = "pass/fail",
        /// A number from 1 to 5.
        OneToFive = "1..5",
    }
}

impl Tier {
    /// Returns the highest grade of this tier (`maxAttainableGrade`).
    pub const fn cap(self) -> Grade {
        match self {
            Self::Autonomous => Grade::B,
            Self::GroupBound => Grade::A,
        }
    }
}

impl Area {
    /// Returns the tier of this area: autonomous for the first six areas, group-bound for the last five.
    pub const fn tier(self) -> Tier {
        match self {
            Self::SingleTest
            | Self::ToolsAggregateSchema
            | Self::ToolsAggregateNamespace
            | Self::NamespaceDescription
            | Self::NamespaceSkills
            | Self::AboutNamespace => Tier::Autonomous,
            Self::AboutSelection
            | Self::SelectionSkillsL1
            | Self::SelectionSkillsL2
            | Self::SelectionSkillsL3
            | Self::SelectionAggregate => Tier::GroupBound,
        }
    }

    /// Returns whether an entry of this area needs a persona.
    pub const fn is_persona_bound(self) -> bool {
        matches!(self, Self::NamespaceSkills | Self::AboutNamespace)
            || matches!(self.tier(), Tier::GroupBound)
    }

    /// Returns whether an entry of this area grades one skill, which it must name.
    pub const fn is_per_skill(self) -> bool {
        matches!(
            self,
            Self::NamespaceSkills
                | Self::SelectionSkillsL1
                | Self::SelectionSkillsL2
                | Self::SelectionSkillsL3
        )
    }

    /// Returns the questions of this area, in the order of their numbers.
    pub const fn questions(self) -> &'static [Question] {
        match self {
            Self::SingleTest => SINGLE_TEST,
            Self::ToolsAggregateSchema => TOOLS_AGGREGATE_SCHEMA,
            Self::ToolsAggregateNamespace => TOOLS_AGGREGATE_NAMESPACE,
            Self::NamespaceDescription => NAMESPACE_DESCRIPTION,
            Self::NamespaceSkills => NAMESPACE_SKILLS,
            Self::AboutNamespace => ABOUT_NAMESPACE,
            Self::AboutSelection => ABOUT_SELECTION,
            Self::SelectionSkillsL1 => SELECTION_SKILLS_L1,
            Self::SelectionSkillsL2 => SELECTION_SKILLS_L2,
            Self::SelectionSkillsL3 => SELECTION_SKILLS_L3,
            Self::SelectionAggregate => SELECTION_AGGREGATE,
        }
    }

    /// Returns the question with this id, if this area has it, and its index in [`Area::questions`].
    pub fn question(self, id: &str) -> Option<(usize, &'static Question)> {
        let number = id.strip_prefix("Q-")?.strip_prefix(self.as_str())?.strip_prefix('-')?;
        if number.len() != 2 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let place = number.parse::<usize>().ok()?.checked_sub(1)?;
        self.questions().get(place).map(|question| (place, question))
    }

    /// Returns the id of the question with the index `place`: `Q-<area>-NN`, where `NN` is `place + 1`.
    pub fn question_id(self, place: usize) -> String {
        format!("Q-{}-{:02}", self.as_str(), place + 1)
    }

    /// Returns the area whose catalogue has a question with this id.
    pub fn of_question(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|area| area.question(id).is_some())
    }
}

/// One question of an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// The question in a few words; empty if the catalogue has no text.
    pub subject: &'static str,
    /// The weight in hundredths, or `None` if the catalogue has no weight and the caller must give one.
    pub hundredths: Option<u8>,
    /// The reproducibility of answers. Deterministic questions are answered by code.
    pub determinism: Determinism,
    /// The expected kind of score.
    pub scale: Scale,
}

impl Question {
    /// Returns the exact weight in the catalogue. The weights of an area need not add up to 1.
    pub fn weight(&self) -> Option<Decimal> {
        self.hundredths.map(|hundredths| Decimal::new(i64::from(hundredths), -2))
    }
}

/// Creates a question. A weight of 0 hundredths means that the caller gives the weight.
const fn question(hundredths: u8, by_code: bool, scale: Scale, subject: &'static str) -> Question {
    Question {
        subject,
        hundredths: if hundredths == 0 { None } else { Some(hundredths) },
        determinism: if by_code { Determinism::Deterministic } else { Determinism::NonDeterministic },
        scale,
    }
}

const CODE: bool = true;
const JUDGE: bool = false;
use Scale::{Binary, OneToFive};

const SINGLE_TEST: &[Question] = &[
    question(34, CODE, Binary, "the documentation's URL answers 200"),
    question(33, CODE, Binary, "the output schema matches a live response"),
    question(33, CODE, Binary, "the API key belongs to the API's domain"),
    question(34, JUDGE, OneToFive, "clarity"),
    question(33, JUDGE, OneToFive, "conformance to the specification"),
    question(33, JUDGE, OneToFive, "consistency of the parameters"),
    question(25, JUDGE, OneToFive, "realistic examples"),
    question(25, JUDGE, OneToFive, "the tool's name"),
    question(25, JUDGE, OneToFive, "error cases"),
    question(25, JUDGE, OneToFive, "the verb prefix"),
];

const TOOLS_AGGREGATE_SCHEMA: &[Question] = &[
    question(25, CODE, Binary, "unique route names"),
    question(25, JUDGE, OneToFive, "naming"),
    question(25, JUDGE, OneToFive, "tags"),
    question(25, JUDGE, OneToFive, "required server parameters"),
    question(50, JUDGE, OneToFive, "coverage of the endpoints"),
    question(50, JUDGE, OneToFive, "voice"),
];

const TOOLS_AGGREGATE_NAMESPACE: &[Question] = &[
    question(20, CODE, Binary, "the number of tools reaches the threshold"),
    question(20, JUDGE, OneToFive, "coverage of the use cases"),
    question(20, JUDGE, OneToFive, "no duplication"),
    question(20, JUDGE, OneToFive, "mix of reading and aggregating tools"),
    question(20, JUDGE, Binary, "gaps are documented"),
];

const NAMESPACE_DESCRIPTION: &[Question] = &[
    question(25, JUDGE, OneToFive, ""),
    question(25, JUDGE, OneToFive, ""),
    question(25, JUDGE, OneToFive, ""),
    question(25, JUDGE, Binary, ""),
];

const NAMESPACE_SKILLS: &[Question] = &[
    question(34, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(34, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(33, JUDGE, Binary, ""),
];

const ABOUT_NAMESPACE: &[Question] = &[
    question(34, CODE, Binary, "the About route exists"),
    question(33, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(25, JUDGE, OneToFive, ""),
    question(25, JUDGE, OneToFive, ""),
    question(25, JUDGE, Binary, ""),
    question(25, JUDGE, OneToFive, ""),
];

const ABOUT_SELECTION: &[Question] = &[
    question(34, CODE, Binary, "the About route exists"),
    question(33, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(25, JUDGE, OneToFive, ""),
    question(25, JUDGE, OneToFive, ""),
    question(25, JUDGE, OneToFive, ""),
    question(25, JUDGE, OneToFive, ""),
];

const SELECTION_SKILLS_L1: &[Question] = &[
    question(50, JUDGE, Binary, ""),
    question(50, JUDGE, OneToFive, ""),
    question(50, JUDGE, OneToFive, ""),
    question(50, JUDGE, OneToFive, ""),
];

const SELECTION_SKILLS_L2: &[Question] = &[
    question(50, JUDGE, OneToFive, ""),
    question(50, JUDGE, OneToFive, ""),
    question(34, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
];

const SELECTION_SKILLS_L3: &[Question] = &[
    question(34, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(34, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
    question(33, JUDGE, OneToFive, ""),
];

/// The questions of a selection; the catalogue has no weights for them, so the caller gives the weights.
const SELECTION_AGGREGATE: &[Question] = &[
    question(0, CODE, Binary, "the number of members reaches the thresholds"),
    question(0, JUDGE, OneToFive, "coherence of the topic"),
    question(0, JUDGE, OneToFive, "the members conform to the domain knowledge"),
    question(0, JUDGE, OneToFive, "fit to the personas' use cases"),
    question(0, JUDGE, OneToFive, "the group-bound tier"),
    question(0, CODE, Binary, "cascade stop"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_has_the_counts_and_weights_of_the_system() {
        // The area, the number of its questions, the number that code answers, and the sum of the weights in
        // hundredths.
        let table = [
            (Area::SingleTest, 10, 3, 300),
            (Area::ToolsAggregateSchema, 6, 1, 200),
            (Area::ToolsAggregateNamespace, 5, 1, 100),
            (Area::NamespaceDescription, 4, 0, 100),
            (Area::NamespaceSkills, 6, 0, 200),
            (Area::AboutNamespace, 7, 1, 200),
            (Area::AboutSelection, 7, 1, 200),
            (Area::SelectionSkillsL1, 4, 0, 200),
            (Area::SelectionSkillsL2, 5, 0, 200),
            (Area::SelectionSkillsL3, 6, 0, 200),
            (Area::SelectionAggregate, 6, 2, 0),
        ];
        assert_eq!(table.len(), Area::ALL.len());
        for (area, count, by_code, sum) in table {
            let questions = area.questions();
            assert_eq!(questions.len(), count, "{area}");
            let code = questions.iter().filter(|q| q.determinism == Determinism::Deterministic).count();
            assert_eq!(code, by_code, "{area}");
            let weights: u32 = questions.iter().filter_map(|q| q.hundredths).map(u32::from).sum();
            assert_eq!(weights, sum, "{area}");
        }
    }

    #[test]
    fn tiers_personas_and_skills_follow_the_area() {
        let autonomous: Vec<_> = Area::ALL.iter().filter(|area| area.tier() == Tier::Autonomous).collect();
        assert_eq!(autonomous.len(), 6);
        assert_eq!(Area::ALL.iter().filter(|area| area.is_persona_bound()).count(), 7);
        assert_eq!(Area::ALL.iter().filter(|area| area.is_per_skill()).count(), 4);
        assert!(!Area::SingleTest.is_persona_bound());
        assert!(Area::SelectionAggregate.is_persona_bound() && !Area::SelectionAggregate.is_per_skill());
    }

    #[test]
    fn question_ids_lead_to_their_area() {
        assert_eq!(Area::SingleTest.question_id(9), "Q-single-test-10");
        assert_eq!(Area::of_question("Q-selection-skills-L2-05"), Some(Area::SelectionSkillsL2));
        for id in [
            "Q-single-test-11",
            "Q-single-test-00",
            "Q-single-test-1",
            "Q-single-test-+1",
            "Q-x-01",
            "single-test-01",
        ] {
            assert_eq!(Area::of_question(id), None, "{id}");
        }
    }
}
