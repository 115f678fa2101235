//! `code` with its hidden cases: checks, view, plan, conclusion.

mod conclude;
mod plan;
mod signature;

pub use conclude::UNSANDBOXED;
pub use plan::{ExecutionPlan, PlannedCase};

use fablegrade_public::json::{self, Json, Object, Path, Read, Value};
use fablegrade_public::view::code::{
    CodeFrame, CodeSubmission, CodeView, Harness, Language, Limits, SuiteView, TestCase, Visibility,
};
use fablegrade_public::view::rules;
use fablegrade_public::{Findings, GradedBy};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet};
use crate::secret::Secret;
use crate::shuffle::Order;

/// A code question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct CodeSpec {
    /// The languages on offer.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 6), extend("uniqueItems" = true)))]
    pub languages: Vec<Language>,
    /// What the editor starts with, by language.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "fablegrade_public::schema::starter_code", default)
    )]
    pub starter_code: Option<Vec<(Language, String)>>,
    /// How a program is called.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub harness: Harness,
    /// 1 to 10 suites.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 10)))]
    pub test_suites: Vec<SuiteSpec>,
    /// What a program may use.
    pub limits: Limits,
}

/// A suite with its cases, which are secret when the suite is hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteSpec {
    /// Its name.
    pub name: String,
    /// Its cases, by who may see them.
    pub cases: SuiteCases,
}

/// The 1 to 50 cases of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuiteCases {
    /// Everybody may see them.
    Public(Vec<TestCase>),
    /// Only the author may see them.
    Hidden(Secret<Vec<TestCase>>),
}

impl SuiteSpec {
    /// The cases, whoever may see them.
    pub fn all_cases(&self) -> &[TestCase] {
        match &self.cases {
            SuiteCases::Public(cases) => cases,
            SuiteCases::Hidden(cases) => cases.expose(),
        }
    }

    /// Who may see the cases.
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
        let name = object.required("name", json::string(0, 100));
        let visibility = object.required("visibility", json::word(Visibility::WORDS));
        let cases = object.required("cases", json::list(1, 50, TestCase::read));
        object.close();
        let cases = match visibility? {
            Visibility::Public => SuiteCases::Public(cases?),
            Visibility::Hidden => SuiteCases::Hidden(Secret::new(cases?)),
        };
        Some(Self { name: name?, cases })
    }
}

pub(crate) struct Ready {
    view: CodeView,
    points: u64,
}

impl CodeSpec {
    /// Every case with the pointer to it.
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

    fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let frame = CodeFrame::read_public(object);
        let test_suites = object.required("testSuites", json::list(1, 10, SuiteSpec::read));
        let CodeFrame { languages, starter_code, harness, limits } = frame?;
        Some(Self { languages, starter_code, harness, test_suites: test_suites?, limits })
    }

    fn with_key(&self) -> Json {
        let Json::Object(mut fields) = self.view(&Order::Sorted).to_document() else { return Json::Null };
        fields.retain(|(key, _)| key.as_ref() != "testSuites");
        let suites = self.test_suites.iter().map(|suite| {
            Json::build()
                .with("name", &suite.name)
                .with("visibility", suite.visibility().as_str())
                .with("cases", Json::array(suite.all_cases().iter().map(TestCase::to_document)))
                .build()
        });
        fields.push(("testSuites".into(), Json::array(suites)));
        Json::object(fields)
    }

    fn prepare(&self, _host: &Host, findings: &mut Findings) -> Option<Ready> {
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
        let view = self.view(&Order::Sorted);
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
