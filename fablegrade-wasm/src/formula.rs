//! Reads a formula, with or without a question.

use fablegrade_latex::free_names::{Names, admits};
use fablegrade_latex::names::normal_name;
use fablegrade_latex::{Declarations, LogBase, ParseError, Understanding};
use fablegrade_public::completeness::{Remark, of_formula};
use fablegrade_public::json::{self, Document, Json, Object, Path, Read, Value};
use fablegrade_public::messages::{recognise, recognise_phrase, translate, translate_phrase};
use fablegrade_public::view::expression::ExpressionView;
use fablegrade_public::{DeliveryView, Finding, Findings, Locale};

use crate::reply::{Given, Reply, language, params, span};

/// A caller's declarations of names, for a formula without a question.
struct Named {
    variables: Vec<String>,
    functions: Vec<String>,
    log_base: LogBase,
}

impl Read for Named {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let variables = object.defaulted("variables", Vec::new(), json::list(0, 40, json::string(1, 40)));
        let functions = object.defaulted("functions", Vec::new(), json::list(0, 40, json::string(1, 40)));
        let log_base = object.defaulted(
            "logBase",
            LogBase::Ten,
            json::word(&[("ten", LogBase::Ten), ("natural", LogBase::Natural)]),
        );
        object.close();
        Some(Self { variables: variables?, functions: functions?, log_base: log_base? })
    }
}

/// Reads a formula as the question's grader does. Domains and tolerances do not affect the reading.
pub(crate) fn read_for(view: &ExpressionView, latex: &str) -> Result<Understanding, ParseError> {
    let variables = view.variables.iter().flatten();
    let names = variables.fold(Declarations::new(), |names, variable| names.with_variable(&variable.name));
    fablegrade_latex::understand(latex, &names)
}

pub(crate) fn understand(latex: &str, options: &str, view: &str, locale: &str) -> Reply {
    let locale = match language(locale) {
        Ok(locale) => locale,
        Err(reply) => return reply,
    };
    if view.is_empty() {
        let named = match Document::parse(options.as_bytes()).and_then(|document| document.read::<Named>()) {
            Ok(named) => named,
            Err(error) => return Reply::unreadable(Given::Options, &error),
        };
        let mut names = Declarations::new().with_log_base(named.log_base);
        for name in &named.variables {
            names = names.with_variable(name);
        }
        for name in &named.functions {
            names = names.with_function(name);
        }
        return match fablegrade_latex::understand(latex, &names) {
            Ok(read) => reading(&read, latex, &[], locale),
            Err(error) => Reply::unreadable_formula(&error, latex, locale),
        };
    }
    match DeliveryView::from_json(view) {
        Ok(DeliveryView::Expression(view)) => match read_for(&view, latex) {
            Ok(read) => {
                let (symbols, functions) = foreign(&view, &read.names);
                let warnings = of_formula(&view, symbols.into_iter(), functions.into_iter(), true);
                reading(&read, latex, &warnings, locale)
            }
            Err(error) => Reply::unreadable_formula(&error, latex, locale),
        },
        Ok(_) => Reply::findings(
            Given::View,
            &[Finding::error(
                "other-type",
                "/type",
                "only an expression question has formulas to read",
                "leave the view out",
            )],
        ),
        Err(error) => Reply::unreadable(Given::View, &error),
    }
}

/// Returns the symbols and functions that an answer to this question cannot use.
fn foreign<'a>(view: &ExpressionView, names: &'a Names) -> (Vec<&'a str>, Vec<&'a str>) {
    let listed: Option<Vec<String>> = (view.variables.as_ref())
        .map(|variables| variables.iter().map(|variable| normal_name(&variable.name)).collect());
    let symbols =
        names.symbols.iter().filter(|name| listed.as_ref().is_some_and(|listed| !listed.contains(name)));
    let allowed = view.allowed_functions.as_ref();
    let functions =
        names.functions.iter().copied().filter(|name| allowed.is_some_and(|allowed| !admits(allowed, name)));
    (symbols.map(String::as_str).collect(), functions.collect())
}

/// Returns remarks about a formula for the learner. Their messages about names are those of grading.
pub(crate) fn remarks(view: &ExpressionView, read: &Understanding) -> Vec<Remark> {
    let (symbols, functions) = foreign(view, &read.names);
    of_formula(view, symbols.into_iter(), functions.into_iter(), !read.names.symbols.is_empty())
}

fn reading(read: &Understanding, latex: &str, warnings: &[Remark], locale: Locale) -> Reply {
    let notes = read.notes.iter().map(|note| {
        Json::build()
            .with("rule", note.kind.as_str())
            .with("message", translate_phrase(note.message(), locale))
            .with("params", Json::object(params(recognise_phrase(note.message()))))
            .with("span", span(note.span, latex))
            .build()
    });
    let warnings = warnings.iter().map(|warning| {
        let known = params(recognise(&warning.message));
        let name = known.first().map(|(_, name)| name.clone());
        Json::build()
            .with("rule", warning.code)
            .with_some("name", name)
            .with("message", translate(&warning.message, locale))
            .with("params", Json::object(known))
            .build()
    });
    Reply::ok(
        Json::build()
            .with("latex", &read.latex)
            .with("notes", Json::array(notes))
            .with("symbols", Json::array(&read.names.symbols))
            .with("functions", Json::array(read.names.functions.iter().copied()))
            .with("calls", Json::array(&read.names.calls))
            .with("warnings", Json::array(warnings)),
    )
}
