//! `code` questions with their cases: validation, view, plan and marking.

mod conclude;
mod plan;
mod signature;

pub use conclude::UNSANDBOXED;
pub use plan::{ExecutionPlan, PlannedCase};

use fablegrade_public::document::{Field as _, Whole};
use fablegrade_public::json::{Json, Object, Path, Read, Value};
use fablegrade_public::view::code::{
    CodeSubmission, CodeView, Harness, Language, Limits, SuiteView, TestCase, Visibility, fields,
};
use fablegrade_public::view::rules;
use fablegrade_public::{Findings, GradedBy};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet};
use crate::secret::Secret;
use crate::shuffle::Order;

fablegrade_public::document! {
    /// A code question.
    pub struct CodeSpec {
        /// The offered languages.
        pub languages: Vec<Language> = fields::LANGUAGES;
        /// The initial content of the editor, by language.
        pub starter_code: Option<Vec<(Language, String)>> = fields::STARTER_CODE;
        /// The way a program is called.
        pub harness: Harness = fields::harness();
        /// The suites.
        pub test_suites: Vec<SuiteSpec> = fields::test_suites();
        /// Limits of a program.
        pub limits: Limits = fields::LIMITS;
    }
}

/// A suite with its cases, which are secret when the suite is hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteSpec {
    /// The suite's name.
    pub name: String,
    /// The suite's cases, either public or hidden.
    pub cases: SuiteCases,
}

/// The 1 to 50 cases of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuiteCases {
    /// Everybody can see the cases.
    Public(Vec<TestCase>),
    /// Only the author can see the cases.
    Hidden(Secret<Vec<TestCase>>),
}

impl SuiteSpec {
    /// Returns the cases, public or hidden.
    pub fn all_cases(&self) -> &[TestCase] {
        match &self.cases {
            SuiteCases::Public(cases) => cases,
            SuiteCases::Hidden(cases) => cases.expose(),
        }
    }

    /// Returns who can see the cases.
    pub fn visibility(&self) -> Visibility {
        match self.cases {
            SuiteCases::Public(_) => Visibility::Public,
            SuiteCases::Hidden(_) => Visibility::Hidden,
        }
    }
}

impl Read for SuiteSpec {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(
            value,
            at,
            findings,
            r#"{"name": "Examples", "visibility": "public", "cases": []}"#,
        )?;
        let name = fields::SUITE_NAME.take(&mut object);
        let visibility = fields::VISIBILITY.take(&mut object);
        let cases = fields::CASES.take(&mut object);
        object.close();
        let cases = match visibility? {
            Visibility::Public => SuiteCases::Public(cases?),
            Visibility::Hidden => SuiteCases::Hidden(Secret::new(cases?)),
        };
        Some(Self { name: name?, cases })
    }
}

impl Whole for SuiteSpec {
    fn whole(&self) -> Json {
        Json::build()
            .with("name", &self.name)
            .with("visibility", self.visibility().as_str())
            .with("cases", Json::array(self.all_cases().iter().map(TestCase::whole)))
            .build()
    }
}

pub(crate) struct Ready {
    view: CodeView,
    points: u64,
}

impl Ready {
    pub(crate) fn admits(&self, submission: &CodeSubmission) -> bool {
        self.view.admit(submission).is_ok()
    }
}

impl CodeSpec {
    /// Returns every case as (suite index, suite, case index, case).
    pub(crate) fn cases(&self) -> impl Clone + Iterator<Item = (usize, &SuiteSpec, usize, &TestCase)> {
        self.test_suites.iter().enumerate().flat_map(|(suite_index, suite)| {
            let cases = suite.all_cases().iter().enumerate();
            cases.map(move |(case_index, case)| (suite_index, suite, case_index, case))
        })
    }
}

impl Question for CodeSpec {
    type Submission = CodeSubmission;
    type View = CodeView;
    type Ready = Ready;

    fn prepare(&self, host: &Host, findings: &mut Findings) -> Option<Ready> {
        rules::suite_names(self.test_suites.iter().map(|suite| suite.name.as_str()), findings);
        rules::function_name(&self.harness, findings);
        for (suite_index, _, case_index, case) in self.cases() {
            let pointer = format!("/testSuites/{suite_index}/cases/{case_index}");
            rules::case(case, self.harness.mode, self.limits, &pointer, findings);
        }
        let placed = self.cases().map(|(suite_index, _, case_index, case)| {
            (case, format!("/testSuites/{suite_index}/cases/{case_index}"))
        });
        rules::exact_ends(placed, self.harness.mode, findings);
        rules::starter_code(self.starter_code.as_deref().unwrap_or_default(), &self.languages, findings);
        let points = self.cases().map(|(_, _, _, case)| u64::from(case.points)).sum();
        let mut view = self.view(&Order::Sorted);
        view.limits.source_kb = host.source_kb().unwrap_or(view.limits.source_kb);
        (findings.errors() == 0).then_some(Ready { view, points })
    }

    fn view(&self, _order: &Order<'_>) -> CodeView {
        let Self { languages, starter_code, harness, test_suites, limits } = self;
        let test_suites = test_suites
            .iter()
            .map(|suite| {
                let SuiteSpec { name, cases } = suite;
                match cases {
                    SuiteCases::Public(cases) => {
                        SuiteView::Public { name: name.clone(), cases: cases.clone() }
                    }
                    SuiteCases::Hidden(_) => SuiteView::Hidden { name: name.clone() },
                }
            })
            .collect();
        CodeView {
            languages: languages.clone(),
            starter_code: starter_code.clone(),
            harness: harness.clone(),
            test_suites,
            limits: *limits,
        }
    }

    fn mark(
        &self,
        ready: &Ready,
        submission: &CodeSubmission,
        evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark {
        if let Err(refusal) = ready.view.admit(submission) {
            return Mark::Refused(refusal);
        }
        match evidence {
            Some(outcomes) => self.conclude(ready.points, outcomes, sheet),
            None => {
                sheet.trace.step("not-run-yet", Vec::new);
                Mark::Pending
            }
        }
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }
}
